// SPDX-License-Identifier: Apache-2.0
//
// isa: each operation of NAK against answers of a second source, LLVM's folding of the same operation
// (tests/nak_rows.txt, scripts/nak_rows.py), through the text, a tuple a lane.
#define _POSIX_C_SOURCE 200809L
// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on

#include "test_nak_common.h"
#include "test_isa_rows.h"

#include <stdlib.h>

enum { TUPLES = 24, COLUMNS = 8 }; // words a lane: a, b, c and the answer, two each

// The instruction with registers in the places of its sources: r2, r4, r6, and r8 for the answer.
static const char *instruction(struct arena *a, const char *row, char *answer)
{
    struct text t = {.arena = a};
    for (const char *s = row; *s; s++) {
        if (*s != '$') {
            text_add(&t, "%c", *s == '_' ? ' ' : *s == ';' ? '\n' : *s);
            continue;
        }
        s++;
        const char *source = strchr("abcABC", *s);
        if (!source)
            *answer = *s;
        if (*s == 'p')
            text_add(&t, "p0");
        else if (source)
            text_add(&t, *s >= 'a' ? "r%u" : "r%u..%u", 2 + 2 * (unsigned)((*s - 'A') % 32), 4 + 2 * (unsigned)((*s - 'A') % 32));
        else
            text_add(&t, *s == 'R' || *s == 'd' ? "r8..10" : "r8");
    }
    return t.v;
}

static uint32_t check_row(struct arena *a, char *line, uint32_t *answers)
{
    char *save, *name = strtok_r(line, " ", &save), *word, answer = 'r';
    struct nak_trial t = {.nir = " umul_2x32_64 "};
    uint64_t want[TUPLES];
    uint32_t n = 0, wrong = 0;
    const char *body = instruction(a, name, &answer);
    for (; n < TUPLES && (word = strtok_r(NULL, " ", &save)) != NULL; n++) {
        char *at = word;
        for (uint32_t k = 0; *at && *at != '='; k++, at += *at == ',') {
            const uint64_t v = strtoull(at, &at, 16);
            t.words[COLUMNS * n + 2 * k] = (uint32_t)v;
            t.words[COLUMNS * n + 2 * k + 1] = (uint32_t)(v >> 32);
        }
        want[n] = strtoull(at + 1, NULL, 16);
    }
    const char *text = arena_printf(a,
                                    NAK_SET_UP "r1 = shf.l.w.i32 r0 rZ 0x5\nr8 = mov rZ\nr9 = mov rZ\n"
                                               "r2..4 = ld.global.a64.weak.b64 [r1+ur60..62], pT\nr4..8 = ld.global.a64.weak.b128 [r1+ur60..62], pT\n"
                                               "r4..6 = ld.global.a64.weak.b64 [r1+ur60..62+0x8], pT\nr6..8 = ld.global.a64.weak.b64 [r1+ur60..62+0x10], pT\n"
                                               "%s\n%sst.global.a64.weak.b64 [r1+ur60..62+0x18] r8..10\nexit\n",
                                    body, answer == 'p' ? "r8 = sel p0 0x1 rZ\nr9 = mov rZ\n" : "");
    const struct isa_result out = nak_try(a, &t, text);
    if (out.status != RAN_OK) {
        print_error("%s: %s\n", body, out.text);
        return 1;
    }
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t *w = &t.words[COLUMNS * i];
        const uint64_t all = w[6] | (uint64_t)w[7] << 32;
        const uint64_t seen = answer == 'h' ? all & 0xffff : strchr("Rd", answer) ? all : (uint32_t)all;
        if (rows_same(answer, want[i], seen))
            continue;
        wrong++;
        print_error("%s of 0x%x 0x%x, 0x%x 0x%x, 0x%x 0x%x: 0x%llx, LLVM has 0x%llx\n", body, w[0], w[1], w[2], w[3], w[4],
                    w[5], (unsigned long long)seen, (unsigned long long)want[i]);
    }
    *answers += n;
    return wrong;
}

static void answers_are_those_of_llvm(void **state)
{
    struct arena a = {0}, turn = {0};
    struct err e = {0};
    char *data, *save;
    size_t size;
    uint32_t rows = 0, wrong = 0, answers = 0;
    (void)state;
    const char *root = getenv("SOURCE_DIR");
    assert_non_null(root);
    assert_true(file_read(&a, arena_printf(&a, "%s/tests/nak_rows.txt", root), 1 << 20, &data, &size, &e));
    for (char *line = strtok_r(data, "\n", &save); line; line = strtok_r(NULL, "\n", &save), rows++) {
        wrong += check_row(&turn, line, &answers);
        arena_reset(&turn);
    }
    print_message("%u instructions, %u answers\n", rows, answers);
    assert_int_equal(wrong, 0);
    assert_true(rows > 120 && answers > 2000);
    arena_free(&turn);
    arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(answers_are_those_of_llvm)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
