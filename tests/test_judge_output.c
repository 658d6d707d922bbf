// SPDX-License-Identifier: Apache-2.0
//
// What a compiler may be blamed for: corpus/outputs/ holds pairs, CLASS--NAME.in.spvasm and
// .out.spvasm; a compiler that makes the second of the first must be judged CLASS.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include <glob.h>
#include <string.h>

#include "judge/judge.h"

// `again`: as a finding is judged again, with the choices that it keeps; NULL: as a campaign does.
static enum judge_class judged_class(struct arena *a, struct spv_tools *tools, const char *in,
                                     const char *out, const struct judged *again, struct judged *j)
{
    struct spv_case c, made;
    struct err e = {0};
    if (!spv_case_read(tools, a, in, &c, &e) || !spv_case_read(tools, a, out, &made, &e))
        fail_msg("%s", e.msg);
    c.expect_count = 0; // the oracle's own expectation
    c.verdict = SPV_VERDICT_NONE;
    c.has_policy = again && again->chose && !again->any_policy;
    if (c.has_policy)
        c.policy = again->policy;
    const struct prediction *p = judge_predict(a, &c, 1, c.subgroup, SPV_POLICY_JOIN);
    if (!judge_usable(p))
        fail_msg("%s: %s", in, p->made.why.text);
    struct run_result r = {
        .status = RUN_OK, .form = RUN_FORM_SPIRV, .words = made.words, .word_count = made.count};
    struct shown_policy shown = {0};
    judge_result(a, tools, p, &r, &shown, j);
    return j->verdict.klass;
}

static void outputs(void **state)
{
    (void)state;
    glob_t g;
    const char *dir = getenv("SOURCE_DIR");
    struct arena a = {0};
    struct spv_tools *tools = spv_tools_new();
    int wrong = 0, chose = 0, by_class[JUDGE_CLASSES] = {0};
    assert_int_equal(
        glob(arena_printf(&a, "%s/corpus/outputs/*.in.spvasm", dir ? dir : "."), 0, NULL, &g), 0);
    for (size_t i = 0; i < g.gl_pathc; i++) {
        struct judged j;
        const char *in = g.gl_pathv[i], *name = strrchr(in, '/') + 1;
        const char *out =
            arena_printf(&a, "%.*s.out.spvasm", (int)(strlen(in) - strlen(".in.spvasm")), in);
        const enum judge_class k = judged_class(&a, tools, in, out, NULL, &j);
        const char *word = judge_class_name(k);
        by_class[k]++;
        if (strncmp(name, word, strlen(word)) != 0 || strncmp(name + strlen(word), "--", 2) != 0) {
            print_error("%s: judged %s: %s\n", name, word, j.verdict.text);
            wrong++;
        }
        struct judged later;
        chose += judge_class_is_mismatch(k) && j.chose && !j.any_policy;
        if (judge_class_is_mismatch(k) && judged_class(&a, tools, in, out, &j, &later) != k) {
            print_error("%s: judged again %s\n", name, judge_class_name(later.verdict.klass));
            wrong++;
        }
    }
    assert_true(chose > 0);
    // There is something of each kind to be told apart.
    assert_true(by_class[JUDGE_AGREES] && by_class[JUDGE_UNJUDGED] &&
                by_class[JUDGE_UNDEFINED_OUTPUT] && by_class[JUDGE_WRONG_MEMORY]);
    assert_int_equal(wrong, 0);
    globfree(&g);
    spv_tools_free(tools);
    arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(outputs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
