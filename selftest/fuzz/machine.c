// SPDX-License-Identifier: Apache-2.0
//
// Shared by the targets that read machine code: a case to run the code on, and a check that two
// runs of backends/isa/ agree.
#include "fuzz.h"

#include <string.h>

void fz_machine_case(struct arena *a, uint32_t size, uint32_t buffers, struct spv_case *c)
{
    static struct gen_made m;
    static struct arena once;
    const struct gen_options o = {.subgroup = size, .inputs = 1};
    if (!m.case_count) // its module sets the workgroup size
        gen_make_simplest(&once, &o, false, &m);
    *c = m.cases[0];
    c->groups[0] = c->groups[1] = c->groups[2] = 1;
    c->buffer_count = buffers;
    for (uint32_t k = 0; k < buffers; k++)
        c->buffer[k] = (struct spv_buffer){.binding = k,
                                           .count = FZ_MACHINE_WORDS,
                                           .words = ARENA_ARRAY(a, uint32_t, FZ_MACHINE_WORDS)};
}

static void same(const struct isa_result r[2])
{
    CHECK(r[0].status == r[1].status && strcmp(r[0].text, r[1].text) == 0 &&
          r[0].steps == r[1].steps);
    CHECK(r[0].others == r[1].others);
    CHECK(r[0].status == RAN_OK || (r[0].text[0] && !strchr(r[0].text, '\n')));
    for (uint32_t k = 0; r[0].status == RAN_OK && k < r[0].memory_count; k++)
        CHECK(memcmp(r[0].memory[k].words, r[1].memory[k].words, FZ_MACHINE_WORDS * 4) == 0);
}

int fz_machine(const uint8_t *data, size_t size, fz_read_fn *read)
{
    struct arena a = {0};
    struct spv_case c;
    struct isa_result r[2];
    const struct isa_options o = {.step_limit = 300, .random_fill = 1};
    const char *text = arena_strn(&a, size ? (const char *)data + 1 : "", size ? size - 1 : 0);
    fz_machine_case(&a, 32, 2, &c);
    for (int k = 0; k < 2; k++) {
        const struct isa_code *p = read(&a, text, size ? *data : 0, &r[k]);
        if (p)
            isa_run(&a, p, &c, &o, &r[k]);
    }
    same(r);
    arena_free(&a);
    return 0;
}
