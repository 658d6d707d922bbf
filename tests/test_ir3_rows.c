// SPDX-License-Identifier: Apache-2.0
//
// backends/isa/ir3: each operation's row against answers of a second source, LLVM's folding of what Mesa's
// descriptions say (tests/ir3_rows.txt, scripts/ir3_rows.py), through the text.
#define _POSIX_C_SOURCE 200809L
// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on

#include "test_ir3_common.h"
#include "test_isa_rows.h"

#include <stdlib.h>

// Each tuple's answer goes to a word.
static const char *text_of(struct arena *a, const struct rows_row *r)
{
    struct text t = {.arena = a};
    const char *sat = strstr(r->name, "(sat)");
    for (uint32_t i = 0; i < r->n; i++) {
        for (uint32_t k = 0; k < r->sources;
             k++) // half registers 16, 18, 20 lie in r8.x, r9.x, r10.x
            if (r->from[k] == 16)
                text_add(&t, "mov.u16u16 hr%u.x, %u\n", 16 + 2 * k, (uint32_t)r->v[i][k]);
            else
                text_add(&t, "mov.u32u32 r%u.x, 0x%x\n", 8 + k, (uint32_t)r->v[i][k]);
        text_add(&t, "%.*s %s%s", (int)(sat ? sat - r->name : (long)strlen(r->name)), r->name,
                 sat ? "(sat)" : "", r->to == 16 ? "hr4.x" : "r2.x");
        for (uint32_t k = 0; k < r->sources; k++)
            text_add(&t, r->from[k] == 16 ? ", hr%u.x" : ", r%u.x",
                     r->from[k] == 16 ? 16 + 2 * k : 8 + k);
        text_add(&t, "\n%s\nmov.u32u32 r3.x, %u\nstib.b.untyped.1d.u32.1.imm.base0 r2.x, r3.x, 0\n",
                 r->to == 16 ? "cov.u16u32 r2.x, hr4.x" : "nop", i);
    }
    text_add(&t, "end\n");
    return t.v;
}

static uint32_t check_row(const struct rows_row *r)
{
    struct arena a = {0};
    struct ir3_trial t = {.local = 1};
    const struct isa_result out = ir3_try(&a, &t, text_of(&a, r));
    const bool is_float = strstr(r->name, ".f") || strstr(r->name, "f16") || strstr(r->name, "f32");
    if (out.status != RAN_OK)
        fail_msg("%s: %s", r->name, out.text);
    for (uint32_t i = 0; i < r->n; i++)
        if (!rows_same(!is_float ? 'u' : r->to == 16 ? 'h' : 'f', t.words[i], r->v[i][ROWS_SOURCES]))
            fail_msg("%s of %u bits, (%x, %x, %x): %x, not %x", r->name, r->to, (uint32_t)r->v[i][0],
                     (uint32_t)r->v[i][1], (uint32_t)r->v[i][2], t.words[i], (uint32_t)r->v[i][ROWS_SOURCES]);
    arena_free(&a);
    return r->n;
}

static void rows_agree_with_a_second_source(void **state)
{
    struct arena a = {0};
    char *save;
    uint32_t rows = 0, answers = 0, named = 0;
    struct ir3_row table[256];
    bool seen[256] = {0};
    struct rows_row r;
    (void)state;
    const uint32_t all = ir3_rows(table, 256);
    char *text = rows_file(&a, "ir3_rows.txt");
    for (char *line = strtok_r(text, "\n", &save); line;
         line = strtok_r(NULL, "\n", &save), rows++) {
        rows_read(line, &r);
        answers += check_row(&r);
        for (uint32_t i = 0; i < all; i++)
            seen[i] |= strcmp(table[i].name, r.name) == 0;
    }
    // Every row of one lane's values has answers there, but for those that tests/test_ir3.c has.
    for (uint32_t i = 0; i < all; i++)
        if (table[i].alu && !seen[i] && strcmp(table[i].name, "absneg.s") != 0 &&
            strncmp(table[i].name, "mad.f", 5) != 0)
            fail_msg("no second source says what %s does", table[i].name);
        else
            named += table[i].alu;
    assert_true(rows > 100 && answers > 1500 && named > 40);
    arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_agree_with_a_second_source),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
