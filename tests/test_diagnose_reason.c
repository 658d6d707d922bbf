// SPDX-License-Identifier: Apache-2.0
//
// The reason that is given for a wrong memory, where the cause is known: every mutant on its case of
// corpus/mutants, and memories written by hand.
// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on

#include "diagnose/reason.h"
#include "mutants/mutants.h"

#include <stdlib.h>
#include <string.h>

static struct spv_tools *tools;

static void read_case(struct arena *a, const char *name, struct spv_case *out)
{
    struct err e;
    const char *source = getenv("SOURCE_DIR");
    const char *path = arena_printf(a, "%s/corpus/%s.spvasm", source ? source : ".", name);
    if (!spv_case_read(tools, a, path, out, &e))
        fail_msg("%s", e.msg);
}

// The reason for what the mutant makes of its case; a broken machine's operation was found to be wrong
// alone, as probes of a reduced case find it.
static void reason_of(struct arena *a, const struct mut_mutant *m, struct diag_reason *out)
{
    struct spv_case c, made;
    struct orc_result right, wrong;
    struct orc_why why;
    struct diag_signature s;
    read_case(a, arena_printf(a, "mutants/%s", m->name), &c);
    made = c;
    orc_predict(a, &c, c.subgroup, NULL, &right);
    assert_int_equal(right.why.status, RAN_OK);
    if (m->kind == MUT_FAULT) {
        mut_run(orc_load(a, &c, &why), a, m, &c, c.subgroup, NULL, &wrong);
    } else {
        mut_compile(a, m, c.words, c.count, &made.words, &made.count);
        orc_predict(a, &made, c.subgroup, NULL, &wrong);
    }
    struct judge_verdict v = {.klass = JUDGE_UNDEFINED_OUTPUT};
    if (wrong.why.status == RAN_OK)
        judge_compare(&c, right.memory, wrong.memory, c.buffer_count, &v);
    diag_signature(&c, &v, "mutant:x", NULL, NULL, m->name, &s);
    if (m->kind == MUT_TRANSFORMATION)
        diag_signature_changed(&s, &c, made.words, made.count);
    if (m->fault >= ORC_FAULT_INACTIVE_IN_BALLOT) {
        s.about = DIAG_THE_OP;
        s.probed = true;
    }
    diag_reason(&c, right.memory, wrong.why.status == RAN_OK ? wrong.memory : NULL, &s, out);
}

// A field of a line "NAME | reasons | words", without blanks around it; "" where there is none.
static const char *field(struct arena *a, const char *line, int n)
{
    for (; n; n--) {
        line += strcspn(line, "|\n");
        line += *line == '|';
    }
    line += strspn(line, " ");
    size_t size = strcspn(line, "|\n");
    while (size && line[size - 1] == ' ')
        size--;
    return arena_printf(a, "%.*s", (int)size, line);
}

// Is it one of the words, which blanks part?
static bool is_one_of(struct arena *a, const char *words, const char *what)
{
    return what[0] && strstr(arena_printf(a, " %s ", words), arena_printf(a, " %s ", what));
}

// By selftest/mutants/reasons, which holds what is known of each.
static void each_mutant(void **state)
{
    (void)state;
    struct arena a = {0};
    struct err e;
    char *text;
    size_t size;
    const char *source = getenv("SOURCE_DIR");
    const struct mut_mutant *all;
    uint32_t wrong = 0, told = 0;
    if (!file_read(&a, arena_printf(&a, "%s/selftest/mutants/reasons", source ? source : "."), 1 << 20,
                   &text, &size, &e))
        fail_msg("%s", e.msg);
    for (const char *line = text; line && *line;
         line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL) {
        struct diag_reason r;
        if (*line == '#')
            continue;
        const struct mut_mutant *m = mut_find(field(&a, line, 0));
        assert_non_null(m);
        struct spv_module v;
        struct spv_case c;
        reason_of(&a, m, &r);
        read_case(&a, arena_printf(&a, "mutants/%s", m->name), &c);
        assert_true(spv_module_read(&a, c.words, c.count, &v, NULL));
        const struct diag_names names = {&v, NULL};
        const char *why = diag_why_name((enum diag_why)r.why),
                   *what = diag_why_words(&a, &r, &names);
        const bool nameless = strcmp(field(&a, line, 1), "-") == 0;
        if (nameless ? why[0] != 0
                     : !is_one_of(&a, field(&a, line, 1), why) || r.known == DIAG_BY_SEVERAL ||
                           !strstr(what, field(&a, line, 2))) {
            print_error("%s: %s (%s), not %s\n", m->name, why, what, field(&a, line, 1));
            wrong++;
        }
        told++;
    }
    assert_int_equal(wrong, 0);
    assert_int_equal(told, mut_all(&all));
    arena_free(&a);
}

int main(void)
{
    tools = spv_tools_new();
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_mutant)};
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    spv_tools_free(tools);
    return failed;
}
