// SPDX-License-Identifier: Apache-2.0
//
// NAK's text, any of it: read and run with a small limit by all schedules. No crash, no hang; what is refused says why
// in one line; the same twice. The first byte chooses what the intermediate code says.
#include "fuzz.h"
#include "nak/nak.h"

#include <string.h>

enum { BUFFERS = 2, WORDS = 256 };

static void a_case(struct arena *a, struct spv_case *c)
{
    static struct gen_made m;
    static struct arena once;
    const struct gen_options o = {.subgroup = 32, .inputs = 1};
    if (!m.case_count) // its module says how large a workgroup is
        gen_make_simplest(&once, &o, false, &m);
    *c = m.cases[0];
    c->groups[0] = c->groups[1] = c->groups[2] = 1;
    c->buffer_count = BUFFERS;
    for (uint32_t k = 0; k < BUFFERS; k++)
        c->buffer[k] = (struct spv_buffer){
            .binding = k, .count = WORDS, .words = ARENA_ARRAY(a, uint32_t, WORDS)};
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const nir[] = {"", " imul_high ", " umul_high ", " imul_high umul_high "};
    struct arena a = {0};
    struct spv_case c;
    struct isa_result r[2];
    const struct isa_options o = {.step_limit = 300, .junk = 1};
    a_case(&a, &c);
    const struct nak_source s = {.nir = nir[size ? *data % 4 : 0],
                                 .assembly = arena_strn(&a, size ? (const char *)data + 1 : "", size ? size - 1 : 0)};
    for (int k = 0; k < 2; k++) {
        const struct isa_code *p = nak_read(&a, &s, &r[k]);
        if (p)
            isa_run(&a, p, &c, &o, &r[k]);
    }
    CHECK(r[0].status == r[1].status && strcmp(r[0].text, r[1].text) == 0 && r[0].steps == r[1].steps &&
          r[0].others == r[1].others);
    CHECK(r[0].status == ISA_RAN || (r[0].text[0] && !strchr(r[0].text, '\n')));
    for (uint32_t k = 0; r[0].status == ISA_RAN && k < r[0].memory_count; k++)
        CHECK(memcmp(r[0].memory[k].words, r[1].memory[k].words, WORDS * 4) == 0);
    arena_free(&a);
    return 0;
}
