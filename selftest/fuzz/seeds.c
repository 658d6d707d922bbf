// SPDX-License-Identifier: Apache-2.0
//
// Writes initial inputs for the targets: DIR/choices (head and choice sequence), DIR/modules (head
// and words), DIR/cases (case files), DIR/frames (messages between supervisor and worker), and
// DIR/ir (LLVM's output as words) if TANGLEFUZZ_PROGRAM was built with LLVM. scripts/make_seeds.sh
// keeps the inputs that add coverage.
#include "fuzz.h"
#include "runners/wire.h"

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

static bool save_frames(struct arena *a, const char *dir, uint32_t seed, const struct gen_made *m)
{
    struct wire_buf b = {0};
    const struct run_options o = {.job_seconds = 60};
    const struct run_info info = {.device = "d", .driver = "d", .subgroup_size = 8};
    struct run_result r = {
        .status = RUN_OK, .form = RUN_FORM_MEMORY, .memory_count = m->cases->buffer_count};
    r.memory = ARENA_ARRAY(a, struct spv_memory, r.memory_count);
    for (uint32_t k = 0; k < r.memory_count; k++) {
        const struct spv_buffer *x = &m->cases->buffer[k];
        const uint32_t n = x->count < 16 ? x->count : 16;
        r.memory[k] =
            (struct spv_memory){.binding = k, .count = n, .words = ARENA_ARRAY(a, uint32_t, n)};
    }
    size_t at = frame_begin(&b, FRAME_OPEN);
    put_str(&b, "spirv-opt:-O");
    put_options(&b, &o);
    frame_end(&b, at);
    put_job(&b, m->cases, m->case_count, 8);
    at = frame_begin(&b, FRAME_READY);
    put_info(&b, &info);
    frame_end(&b, at);
    put_result(&b, &r);
    at = frame_begin(&b, FRAME_DONE);
    put_f64(&b, 0.5);
    put_f64(&b, 0.25);
    frame_end(&b, at);
    bool ok = save(a, dir, "frames", seed, NULL, 0, b.v, b.n);
    wire_free(&b);
    return ok;
}

static bool save_ir(struct arena *a, const char *dir, uint32_t seed, struct run_target *llvm,
                    const struct spv_case *c)
{
    struct run_result r;
    if (!llvm)
        return true;
    run_case(llvm, a, c, 8, &r);
    return r.form != RUN_FORM_LLVM_IR ||
           save(a, dir, "ir", seed, NULL, 0, r.words, r.word_count * 4);
}

int main(int argc, char **argv)
{
    uint32_t first, count;
    if (argc != 4 || !parse_u32(argv[2], strlen(argv[2]), &first) ||
        !parse_u32(argv[3], strlen(argv[3]), &count)) {
        fprintf(stderr, "usage: %s DIR FIRST COUNT\n", argv[0]);
        return 2;
    }
    const struct run_options o = {0};
    const char *self = getenv("TANGLEFUZZ_PROGRAM");
    struct run_target *llvm =
        self ? run_open("llvm:passes=default<O1>,judge=ir", self, &o, NULL) : NULL;
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
        fz_make(&a, head, FZ_HEAD, &z); // for the options that the head chooses
        gen_choices_seed(&c, &a, seed);
        gen_make(&c, &z.options, &made);
        if (!save(&a, argv[1], "choices", seed, head, FZ_HEAD, made.choices, made.choice_count) ||
            !save(&a, argv[1], "modules", seed, head, FZ_HEAD, made.cases->words,
                  made.cases->count * 4) ||
            !spv_case_print(fz_tools(), made.cases, &text, &e) ||
            !save(&a, argv[1], "cases", seed, NULL, 0, text.v, text.n) ||
            !save_frames(&a, argv[1], seed, &made) || !save_ir(&a, argv[1], seed, llvm, made.cases))
            return 2;
        arena_free(&a);
    }
    if (llvm)
        run_close(llvm);
    return 0;
}
