// SPDX-License-Identifier: Apache-2.0
//
// isa: each operation of Intel's GPUs against answers of a second source, LLVM's folding of the same operation
// (tests/eu_rows.txt, scripts/eu_rows.py), through the text, a tuple a lane.
#define _POSIX_C_SOURCE 200809L
// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on

#include "eu/eu.h"
#include "test_isa_rows.h"
#include "test_isa_trial.h"

#include <stdlib.h>

enum { TUPLES = 32, COLUMNS = 8 }; // words a lane: a, b, c and the answer, two each

static const char begin[] = "(W) mov (8|M0) r5.0<1>:uw 0x76543210:v\n(W) add (8|M0) r5.8<1>:uw r5.0<8;8,1>:uw 0x8:uw\n"
                            "(W) shl (1|M0) r4.0<1>:ud r0.1<0;1,0>:ud 0x4:ud\n"
                            "add (16|M0) r6.0<1>:ud r4.0<0;1,0>:ud r5.0<8;8,1>:uw\nshl (16|M0) r6.0<1>:ud r6.0<8;8,1>:ud 0x5:ud\n"
                            "send.dc1 (16|M0) r20 r6 null 0x0 0x04005000\n"
                            "add (16|M0) r8.0<1>:ud r6.0<8;8,1>:ud 0x10:ud\nsend.dc1 (16|M0) r28 r8 null 0x0 0x04005C00\n"
                            "mov (16|M0) r40.0<2>:ud r20.0<8;8,1>:ud\nmov (16|M0) r40.1<2>:ud r22.0<8;8,1>:ud\n"
                            "mov (16|M0) r44.0<2>:ud r24.0<8;8,1>:ud\nmov (16|M0) r44.1<2>:ud r26.0<8;8,1>:ud\n"
                            "mov (16|M0) r48.0<2>:ud r28.0<8;8,1>:ud\nmov (16|M0) r48.1<2>:ud r30.0<8;8,1>:ud\n"
                            "and (16|M0) r60.0<1>:ud r24.0<8;8,1>:ud 0x7FFFFFFF:ud\nor (16|M0) r60.0<1>:ud r60.0<8;8,1>:ud 0x1:ud\n"
                            "mov (16|M0) r52.0<1>:ud 0x0:ud\nmov (16|M0) r54.0<1>:ud 0x0:ud\n";
static const char end[] = "add (16|M0) r8.0<1>:ud r6.0<8;8,1>:ud 0x18:ud\nsend.dc1 (16|M0) null r8 r52 0x100 0x04025C00\n"
                          "(W) send.ts (16|M0) null r127 null 0x0 0x02000000 {EOT}\n";

static uint32_t bytes_of(const char *type)
{
    return strchr("qQ", type[0]) || strncmp(type, "uq", 2) == 0 || strncmp(type, "df", 2) == 0 ? 8
           : strncmp(type, "uw", 2) == 0 || *type == 'w' || *type == 'h'                       ? 2
           : strncmp(type, "ub", 2) == 0 || *type == 'b'                                       ? 1
                                                                                               : 4;
}

// The instructions with registers in the places of $a, $b, $c and $r. *answer: its type.
static const char *instructions(struct arena *a, const char *row, const char **answer)
{
    static const char *const regions[] = {[1] = "<32;8,4>", [2] = "<16;8,2>", [4] = "<8;8,1>", [8] = "<4;4,1>"};
    struct text t = {.arena = a};
    for (const char *s = row; *s; s++) {
        if (*s != '$') {
            text_add(&t, "%c", *s == '_' ? ' ' : *s == ';' && s[1] != '8' && s[1] != '1' ? '\n' : *s);
            continue;
        }
        const char which = s[1];
        const uint32_t bytes = bytes_of(s + 3);
        s += 1;
        if (which == 'r') {
            *answer = s + 2;
            text_add(&t, bytes == 8 ? "r56.0<1>" : "r52.0<%u>", bytes == 8 ? 1 : 4 / bytes);
        } else {
            text_add(&t, "r%u.0%s", (bytes == 8 ? 40u : 20u) + 4 * (unsigned)(which - 'a'), regions[bytes]);
        }
    }
    return t.v;
}

static uint32_t check_row(struct arena *a, char *line, uint32_t *answers)
{
    char *save, *name = strtok_r(line, " ", &save), *word;
    const char *answer = "ud";
    uint32_t words[COLUMNS * TUPLES] = {0}, n = 0, wrong = 0;
    uint64_t want[TUPLES];
    const bool flag = strncmp(name, "$p;", 3) == 0;
    const char *body = instructions(a, flag ? name + 3 : name, &answer);
    for (; n < TUPLES && (word = strtok_r(NULL, " ", &save)) != NULL; n++) {
        char *at = word;
        for (uint32_t k = 0; *at && *at != '='; k++, at += *at == ',') {
            const uint64_t v = strtoull(at, &at, 16);
            words[COLUMNS * n + 2 * k] = (uint32_t)v;
            words[COLUMNS * n + 2 * k + 1] = (uint32_t)(v >> 32);
        }
        want[n] = strtoull(at + 1, NULL, 16);
    }
    const uint32_t bytes = bytes_of(answer);
    const char *split = bytes == 8 ? "mov (16|M0) r52.0<1>:ud r56.0<8;4,2>:ud\nmov (16|M0) r54.0<1>:ud r56.1<8;4,2>:ud\n" : "";
    const struct eu_source source = {
        .assembly = arena_printf(a, "%s%s\n%s%s%s", begin, body, flag ? "(f0.0) mov (16|M0) r52.0<1>:ud 0x1:ud\n" : "", split, end),
        .nir = "@resource_intel (%1 (0xdeaddead), %2 (0x0), %2 (0x0), %2 (0x0)) (desc_set=0, binding=0, x=0)\n"};
    const struct spv_case c = isa_trial_case(a, 16, 2, words, COLUMNS * TUPLES);
    struct isa_result out;
    isa_trial_run(a, eu_read(a, &source, EU_GFX12, 16, &out), &c, (struct isa_options){0}, &out);
    if (out.status != RAN_OK) {
        print_error("%s: %s\n", body, out.text);
        return 1;
    }
    const char type = strncmp(answer, "df", 2) == 0 ? 'd' : *answer == 'f' || *answer == 'h' ? *answer : 'r';
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t *w = &words[COLUMNS * i];
        const uint64_t seen = (w[6] | (uint64_t)w[7] << 32) & (UINT64_MAX >> (64 - 8 * bytes));
        if (rows_same(type, want[i], seen))
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
    char *save, *data = rows_file(&a, "eu_rows.txt");
    uint32_t rows = 0, wrong = 0, answers = 0;
    (void)state;
    for (char *line = strtok_r(data, "\n", &save); line; line = strtok_r(NULL, "\n", &save), rows++) {
        wrong += check_row(&turn, line, &answers);
        arena_reset(&turn);
    }
    print_message("%u instructions, %u answers\n", rows, answers);
    assert_int_equal(wrong, 0);
    assert_true(rows > 150 && answers > 3000);
    arena_free(&turn);
    arena_free(&a);
}

// Every operation that computes has a row of answers, but for one that LLVM does not fold the same way.
static void each_operation_has_answers(void **state)
{
    static const char *const without[] = {"frc", "math.sqt"};
    struct arena a = {0};
    struct eu_row rows[128];
    const char *data = rows_file(&a, "eu_rows.txt");
    const uint32_t n = eu_rows(rows, 128);
    (void)state;
    assert_true(n <= 128);
    for (uint32_t i = 0; i < n; i++) {
        bool found = !rows[i].alu;
        for (size_t k = 0; k < sizeof without / sizeof *without; k++)
            found |= strcmp(rows[i].name, without[k]) == 0;
        const char *const ends[] = {"_(16|M0)", ".0x"};
        const char *const starts[] = {"\n", "\n$p;", ";"};
        for (size_t k = 0; k < 6; k++)
            found |= strstr(data, arena_printf(&a, "%s%s%s", starts[k % 3], rows[i].name, ends[k / 3])) != NULL;
        if (!found)
            fail_msg("%s has no answers", rows[i].name);
    }
    arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(answers_are_those_of_llvm), cmocka_unit_test(each_operation_has_answers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
