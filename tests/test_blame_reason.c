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

#include "blame/reason.h"
#include "mutants/mutants.h"

#include <stdlib.h>
#include <string.h>

static struct spv_tools *tools;

// What each mutant's own line (mutants/mutants.c) says it does, as a reason; several where its case
// may show one or the other of what it does.
static const struct {
    const char *mutant;
    enum blame_why why, or;
} known[] = {
    {"duplicate-into-arms", BLAME_AFTER_SELECTION, 0},
    {"duplicate-into-cases", BLAME_AFTER_SWITCH, 0},
    {"duplicate-into-exits", BLAME_AFTER_LOOP, 0},
    {"duplicate-into-continues", BLAME_AT_CONTINUE, 0},
    {"tail-merge-arms", BLAME_OTHER_ARM, 0},
    {"hoist-common-op", BLAME_OTHER_ARM, 0},
    {"hoist-out-of-arm", BLAME_OTHER_ARM, 0},
    {"hoist-out-of-case", BLAME_OTHER_CASE, 0},
    {"hoist-out-of-loop", BLAME_LEFT_LOOP, 0},
    {"sink-into-arm", BLAME_NOT_PARTED, 0},
    {"sink-into-case", BLAME_NOT_PARTED, 0},
    {"sink-into-loop", BLAME_NOT_PARTED, 0},
    {"sink-out-of-loop", BLAME_LEFT_LOOP, 0},
    {"reuse-in-branch", BLAME_OTHER_ARM, 0},
    {"reuse-in-loop", BLAME_LEFT_LOOP, 0},
    {"reuse-behind", BLAME_RETURNED, 0},
    {"partial-redundancy", BLAME_AFTER_SELECTION, 0},
    {"break-block-into-merge", BLAME_OTHER_ITERATION, 0},
    {"break-block-behind-flag", BLAME_OTHER_ITERATION, 0},
    // Before the selection nothing has parted them; after it they have come together again.
    {"unswitch-loop", BLAME_NOT_PARTED, BLAME_AFTER_SELECTION},
    {"unroll-with-remainder", BLAME_LEFT_LOOP, BLAME_NOT_PARTED},
    {"thread-jump", BLAME_AFTER_SELECTION, 0},
    {"fold-sum-of-uniform", BLAME_WHOLE_SUBGROUP, 0},
    {"fold-scan-of-uniform", BLAME_WHOLE_SUBGROUP, 0},
    {"fold-xor-of-uniform", BLAME_WHOLE_SUBGROUP, 0},
    {"fold-ballot-of-true", BLAME_WHOLE_SUBGROUP, 0},
    {"fold-elect", BLAME_WHOLE_SUBGROUP, 0},
    {"fold-vote", BLAME_ALONE_LANE, 0},
    {"uniform-branch", BLAME_FIRST_LANE_WAY, 0},
    {"uniform-switch", BLAME_FIRST_LANE_WAY, 0},
    {"uniform-values", BLAME_FIRST_LANE_VALUE, 0},
    {"uniform-after-loop", BLAME_FIRST_LANE_VALUE, 0},
    {"switch-continue-is-break", BLAME_ELSEWHERE, 0},
    {"fall-through-lost", BLAME_ELSEWHERE, 0},
    {"last-case-is-default", BLAME_ELSEWHERE, 0},
    {"loop-value-lost", BLAME_VALUE_LOST, 0},
    {"shuffles-share-scratch", BLAME_WRONG_OPERAND, 0},
    {"barrier-left-out", BLAME_NO_BARRIER, 0},
    {"workgroup-is-first", BLAME_WRONG_OPERAND, 0},
    {"split-after-call", BLAME_AFTER_CALL, 0},
    {"split-at-continue", BLAME_AT_CONTINUE, 0},
    {"split-at-merge", BLAME_AFTER_SELECTION, 0},
    {"split-after-loop", BLAME_AFTER_LOOP, 0},
    {"loop-ends-with-first", BLAME_LOOP_ENDS, 0},
    {"phis-in-order", BLAME_PHIS_IN_ORDER, 0},
    {"broken-lanes-stay", BLAME_LEFT_LOOP, 0},
    {"continued-lanes-stay", BLAME_CONTINUED, 0},
    {"returned-lanes-stay", BLAME_RETURNED, 0},
    {"other-arm-stays", BLAME_OTHER_ARM, 0},
    {"done-arm-stays", BLAME_OTHER_ARM, 0},
    {"switch-mask-ignored", BLAME_OTHER_CASE, 0},
    {"inactive-in-ballot", BLAME_INACTIVE, 0},
    {"missing-in-ballot", BLAME_ABSENT_LANES, 0},
    {"inactive-in-vote", BLAME_INACTIVE, 0},
    {"inactive-in-reduce", BLAME_INACTIVE, 0},
    {"inactive-in-scan", BLAME_INACTIVE, 0},
    {"upper-half-lost", BLAME_OPERATION, 0},
    {"scan-includes-self", BLAME_OPERATION, 0},
    {"scan-leaves-self-out", BLAME_OPERATION, 0},
    {"count-includes-self", BLAME_OPERATION, 0},
    {"highest-for-lowest", BLAME_OPERATION, 0},
    {"cluster-is-whole", BLAME_OPERATION, 0},
    {"cluster-of-half", BLAME_OPERATION, 0},
    {"first-is-lane-zero", BLAME_OPERATION, 0},
    {"elects-lane-zero", BLAME_OPERATION, 0},
    {"elects-last", BLAME_OPERATION, 0},
    {"shuffle-by-first-index", BLAME_OPERATION, 0},
    {"shuffle-in-row", BLAME_OPERATION, 0},
    {"broadcast-is-first", BLAME_OPERATION, 0},
    {"rotate-back", BLAME_OPERATION, 0},
    {"quad-swap-mixed", BLAME_OPERATION, 0},
    {"inactive-in-quad", BLAME_INACTIVE, 0},
    {"sign-lost", BLAME_OPERATION, 0},
    {"one-component", BLAME_OPERATION, 0},
};
enum { KNOWN = sizeof known / sizeof known[0] };

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
static void reason_of(struct arena *a, const struct mut_mutant *m, struct blame_reason *out)
{
    struct spv_case c, made;
    struct orc_result right, wrong;
    struct orc_why why;
    struct blame_signature s;
    read_case(a, arena_printf(a, "mutants/%s", m->name), &c);
    made = c;
    orc_predict(a, &c, c.subgroup, NULL, &right);
    assert_int_equal(right.why.status, ORC_OK);
    if (m->kind == MUT_FAULT) {
        mut_run(orc_load(a, &c, &why), a, m, &c, c.subgroup, NULL, &wrong);
    } else {
        mut_compile(a, m, c.words, c.count, &made.words, &made.count);
        orc_predict(a, &made, c.subgroup, NULL, &wrong);
    }
    struct judge_verdict v = {.klass = JUDGE_UNDEFINED_OUTPUT};
    if (wrong.why.status == ORC_OK)
        judge_compare(&c, right.memory, wrong.memory, c.buffer_count, &v);
    blame_signature(&c, &v, "mutant:x", NULL, NULL, m->name, &s);
    if (m->kind == MUT_TRANSFORMATION)
        blame_signature_changed(&s, &c, made.words, made.count);
    if (m->fault >= ORC_FAULT_INACTIVE_IN_BALLOT) {
        s.about = BLAME_THE_OP;
        s.probed = true;
    }
    blame_reason(&c, right.memory, wrong.why.status == ORC_OK ? wrong.memory : NULL, &s, out);
}

static void each_mutant(void **state)
{
    (void)state;
    const struct mut_mutant *all;
    const uint32_t n = mut_all(&all);
    assert_int_equal(n, KNOWN);
    uint32_t wrong = 0;
    for (uint32_t k = 0; k < KNOWN; k++) {
        struct arena a = {0};
        struct blame_reason r;
        const struct mut_mutant *m = mut_find(known[k].mutant);
        assert_non_null(m);
        reason_of(&a, m, &r);
        if (r.why != known[k].why && (!known[k].or || r.why != known[k].or)) {
            print_error("%s: %s, not %s\n", m->name, blame_why_name((enum blame_why)r.why),
                        blame_why_name(known[k].why));
            wrong++;
        }
        arena_free(&a);
    }
    assert_int_equal(wrong, 0);
}

int main(void)
{
    tools = spv_tools_new();
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_mutant)};
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    spv_tools_free(tools);
    return failed;
}
