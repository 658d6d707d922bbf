// SPDX-License-Identifier: Apache-2.0
//
// Writes first inputs for the targets: DIR/choices (head and choice sequence), DIR/modules (head
// and words), DIR/cases (case files). scripts/make_seeds.sh keeps of them what adds coverage.
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

static bool save(struct arena *a, const char *dir, const char *kind, uint32_t seed,
                 const void *head, size_t head_size, const void *data, size_t size)
{
    struct err e = {{0}};
    const char *folder = arena_printf(a, "%s/%s", dir, kind);
    uint8_t *all = ARENA_ARRAY(a, uint8_t, head_size + size + 1);
    if (head_size)
        memcpy(all, head, head_size);
    memcpy(all + head_size, data, size);
    bool ok = dir_make(folder, &e) &&
              file_write(arena_printf(a, "%s/%u", folder, seed), all, head_size + size, &e);
    if (!ok)
        fprintf(stderr, "seeds: %s\n", e.msg);
    return ok;
}

int main(int argc, char **argv)
{
    uint32_t first, count;
    if (argc != 4 || !parse_u32(argv[2], strlen(argv[2]), &first) ||
        !parse_u32(argv[3], strlen(argv[3]), &count)) {
        fprintf(stderr, "usage: %s DIR FIRST COUNT\n", argv[0]);
        return 2;
    }
    for (uint32_t seed = first; seed - first < count; seed++) {
        struct arena a = {0};
        struct fz_case z;
        struct gen_made made;
        struct gen_choices c;
        struct rng r = {seed};
        struct err e = {{0}};
        struct text text = {.arena = &a};
        uint8_t head[FZ_HEAD];
        for (uint32_t k = 0; k < FZ_HEAD; k++)
            head[k] = (uint8_t)rng_below(&r, 256);
        fz_make(&a, head, FZ_HEAD, &z); // for the options that the head says
        gen_choices_seed(&c, &a, seed);
        gen_make(&c, &z.options, &made);
        if (!save(&a, argv[1], "choices", seed, head, FZ_HEAD, made.choices, made.choice_count) ||
            !save(&a, argv[1], "modules", seed, head, FZ_HEAD, made.cases->words,
                  made.cases->count * 4) ||
            !spv_case_print(fz_tools(), made.cases, &text, &e) ||
            !save(&a, argv[1], "cases", seed, NULL, 0, text.v, text.n))
            return 2;
        arena_free(&a);
    }
    return 0;
}
