// SPDX-License-Identifier: Apache-2.0
//
// backends/isa/qpu: each operation's row against answers of a second source, LLVM's folding of what
// Mesa's comments and NIR's opcodes say (tests/qpu_rows.txt, scripts/qpu_rows.py), through the text.
#define _POSIX_C_SOURCE 200809L
// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on

#include "test_isa_rows.h"
#include "test_qpu_common.h"

#include <stdlib.h>

enum { TABLE = 128, SOURCE_WORDS = 64 };

// A name: operation, pack, unpacks of both sources, flag, divided by "/".
struct form {
    char part[5][16];
};

static struct form form_of(const char *name)
{
    struct form f = {0};
    for (int i = 0; i < 5; i++) {
        const size_t n = strcspn(name, "/");
        snprintf(f.part[i], sizeof f.part[i], "%.*s", (int)n, name);
        name += n + (name[n] == '/');
    }
    return f;
}

static const struct qpu_row *row_of(const struct qpu_row *table, uint32_t n, const char *op)
{
    for (uint32_t i = 0; i < n; i++)
        if (strcmp(table[i].name, op) == 0)
            return &table[i];
    fail_msg("no operation %s", op);
    return NULL;
}

// Each tuple is one invocation's: its sources are words of the buffer.
static const char *program_of(struct arena *a, const struct rows_row *r, const struct form *f,
                              char unit)
{
    const char *load =
        "nop ; nop ; ldunifrf.rf15 (0x00000100 / 1.0)\nadd rf16, rf11, rf15\nadd rf17, rf16, rf15\n"
        "add tmua, rf11, 0\nadd tmua, rf16, 0\nadd tmua, rf17, 0\nnop ; nop ; thrsw\nnop\nnop\n"
        "nop ; nop ; ldtmu.rf21\nnop ; nop ; ldtmu.rf22\nnop ; nop ; ldtmu.rf23\n";
    const uint32_t sources = r->sources - (*f->part[1] != 0);
    const char *second = sources > 1 ? arena_printf(a, ", rf22%s%s", *f->part[3] ? "." : "", f->part[3]) : "";
    const char *to = *f->part[4] ? "-" : arena_printf(a, "rf20%s%s", *f->part[1] ? "." : "", f->part[1]);
    const char *flag = *f->part[4] ? arena_printf(a, ".push%s", f->part[4]) : "";
    const char *old = *f->part[1] ? arena_printf(a, "mov rf20, rf%u\n", 20 + r->sources) : "";
    const char *nop = unit == 'A' ? "" : "nop ; ";
    if (strcmp(f->part[0], "multop") == 0)
        return arena_printf(a, "%snop ; multop -, rf21, rf22\nnop ; umul24 rf20, rf21, rf22\n", load);
    return arena_printf(a, "%s%s%s%s%s %s, rf21%s%s%s\n%s", load, old, nop, f->part[0], flag, to,
                        *f->part[2] ? "." : "", f->part[2], second,
                        *flag ? "mov rf20, 0\nmov.ifa rf20, 1\n" : "");
}

static bool same(char type, uint32_t x, uint32_t y)
{
    return type == 'h' ? rows_same('h', x & 0xffff, y & 0xffff) && rows_same('h', x >> 16, y >> 16)
                       : rows_same(type, x, y);
}

static uint32_t check_row(const struct qpu_row *op, const struct rows_row *r, char unit)
{
    struct arena a = {0};
    const struct form f = form_of(r->name);
    const char type = *f.part[4] ? 'u' : *f.part[1] ? 'h' : op->types[0];
    const char *program = program_of(&a, r, &f, unit);
    struct qpu_trial t = {.local = 32};
    assert_true(r->n <= 32);
    for (uint32_t i = 0; i < r->n; i++)
        for (uint32_t k = 0; k < r->sources; k++)
            t.words[SOURCE_WORDS * k + i] = (uint32_t)r->v[i][k];
    const struct isa_result out = qpu_try(&a, &t, program);
    if (out.status != RAN_OK)
        fail_msg("%s: %s, in\n%s", r->name, out.text, program);
    for (uint32_t i = 0; i < r->n; i++)
        if (!same(type, t.words[i], (uint32_t)r->v[i][ROWS_SOURCES]))
            fail_msg("%s (%x, %x, %x): %x, not %x", r->name, (uint32_t)r->v[i][0], (uint32_t)r->v[i][1],
                     (uint32_t)r->v[i][2], t.words[i], (uint32_t)r->v[i][ROWS_SOURCES]);
    arena_free(&a);
    return r->n;
}

// Whether operations of the table have answers: of their value, and if they are integers of their flags.
static void check_seen(const struct qpu_row *table, uint32_t n, bool seen[][4])
{
    for (uint32_t i = 0; i < n; i++) {
        const bool state = strcmp(table[i].name, "multop") == 0 || strcmp(table[i].name, "umul24") == 0;
        const bool compares = strcmp(table[i].name, "fcmp") == 0;
        const bool flags = compares || (table[i].alu && table[i].types[0] == 'u');
        if ((table[i].alu || state) && !seen[i][0])
            fail_msg("no second source says what %s does", table[i].name);
        if (flags && (!seen[i][1] || !seen[i][2] || (compares && !seen[i][3])))
            fail_msg("no second source says what flags %s has", table[i].name);
    }
}

static void rows_agree_with_a_second_source(void **state)
{
    struct arena a = {0};
    char *save;
    uint32_t rows = 0, answers = 0;
    struct qpu_row table[TABLE];
    bool seen[TABLE][4] = {0}; // value, flags Z, N, C
    struct rows_row r;
    (void)state;
    const uint32_t all = qpu_rows(table, TABLE);
    assert_true(all <= TABLE);
    char *text = rows_file(&a, "qpu_rows.txt");
    for (char *line = strtok_r(text, "\n", &save); line;
         line = strtok_r(NULL, "\n", &save), rows++) {
        rows_read(line, &r);
        const struct form f = form_of(r.name);
        const struct qpu_row *op = row_of(table, all, f.part[0]);
        for (const char *unit = op->units; *unit; unit++)
            answers += check_row(op, &r, *unit);
        seen[op - table][*f.part[4] ? strcspn("znc", f.part[4]) + 1 : 0] = true;
    }
    check_seen(table, all, seen);
    assert_true(rows > 150 && answers > 3000);
    arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_agree_with_a_second_source),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
