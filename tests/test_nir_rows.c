// SPDX-License-Identifier: Apache-2.0
//
// backends/isa/nir: each operation's row against answers of a second source, LLVM's folding of what Mesa's table of opcodes
// says (tests/nir_rows.txt, scripts/nir_rows.py), through the text.
#define _POSIX_C_SOURCE 200809L
// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on

#include "backends/isa/nir/nir_program.h"
#include "test_isa_rows.h"
#include "test_nir_common.h"

#include <stdlib.h>

// Each tuple's answer goes to two words.
static const char *text_of(struct arena *a, const struct rows_row *r)
{
    struct text t = {.arena = a};
    text_add(&t, "%s", NIR_BEGIN);
    for (uint32_t i = 0; i < r->n; i++) {
        const uint32_t first = 100 + 16 * i;
        for (uint32_t k = 0; k < r->sources; k++)
            text_add(&t, "    %u %%%u = load_const (%s%llx)\n", r->from[k], first + k, "0x", (unsigned long long)r->v[i][k]);
        text_add(&t, "    %u %%%u = %s %%%u", r->to, first + 7, r->name, first);
        for (uint32_t k = 1; k < r->sources; k++)
            text_add(&t, ", %%%u", first + k);
        if (r->to == 64)
            text_add(&t, "\n    32x2 %%%u = unpack_64_2x32 %%%u\n", first + 8, first + 7);
        else
            text_add(&t, "\n    32 %%%u = %s %%%u\n    32x2 %%%u = vec2 %%%u, %%3\n", first + 9,
                     r->to == 1 ? "b2i32" : r->to == 32 ? "mov" : "u2u32", first + 7, first + 8, first + 9);
        text_add(&t, "    32 %%%u = load_const (0x%x)\n    @store_ssbo (%%%u, %%1, %%%u) (wrmask=xy, offset_shift=2)\n", first + 10,
                 2 * i, first + 8, first + 10);
    }
    text_add(&t, NIR_END);
    return t.v;
}

static bool not_a_number(uint64_t v, uint32_t bits)
{
    const uint32_t fraction = bits == 16 ? 10 : bits == 32 ? 23 : 52;
    const uint64_t exponent = (UINT64_C(1) << (bits - 1 - fraction)) - 1;
    return bits >= 16 && (v >> fraction & exponent) == exponent && (v & ((UINT64_C(1) << fraction) - 1));
}

static uint32_t check_row(const struct rows_row *r)
{
    struct arena a = {0};
    struct nir_trial t = {.local = 1};
    const struct isa_result out = nir_try(&a, &t, text_of(&a, r));
    if (out.status != RAN_OK)
        fail_msg("%s: %s", r->name, out.text);
    for (uint32_t i = 0; i < r->n; i++) {
        const uint64_t seen = t.words[2 * i] | (uint64_t)t.words[2 * i + 1] << 32, want = r->v[i][ROWS_SOURCES];
        // Which bits a result has that is no number is not promised.
        if (seen != want && !(r->name[0] == 'f' && not_a_number(seen, r->to) && not_a_number(want, r->to)))
            fail_msg("%s of %u bits, (%llx, %llx, %llx): %llx, not %llx", r->name, r->to, (unsigned long long)r->v[i][0],
                     (unsigned long long)r->v[i][1], (unsigned long long)r->v[i][2], (unsigned long long)seen, (unsigned long long)want);
    }
    arena_free(&a);
    return r->n;
}

static void rows_agree_with_a_second_source(void **state)
{
    struct arena a = {0};
    char *save;
    uint32_t rows = 0, answers = 0;
    bool seen[NIR_IDS] = {0};
    struct rows_row r;
    (void)state;
    char *text = rows_file(&a, "nir_rows.txt");
    for (char *line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save), rows++) {
        rows_read(line, &r);
        answers += check_row(&r);
        for (uint32_t i = 0; i < NIR_IDS; i++)
            seen[i] |= strcmp(nir_ops[i].name, r.name) == 0;
    }
    for (uint32_t i = 0; i < NIR_IDS; i++)
        if (nir_ops[i].unit == UNIT_ALU && !seen[i])
            fail_msg("no second source says what %s does", nir_ops[i].name);
    assert_true(rows > 300 && answers > 5000);
    arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_agree_with_a_second_source),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
