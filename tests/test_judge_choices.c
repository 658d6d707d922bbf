// SPDX-License-Identifier: Apache-2.0
//
// Results under the choices that the rules leave.
#include "test_judge_common.h"

static void read_case(struct world *w, const char *name)
{
    struct err e = {0};
    const char *source = getenv("SOURCE_DIR");
    *w = (struct world){.tools = spv_tools_new()};
    if (!spv_case_read(w->tools, &w->a, arena_printf(&w->a, "%s/corpus/%s", source ? source : ".", name),
                       &w->c, &e))
        fail_msg("%s", e.msg);
    w->c.expect_count = 0;
}

// The device is the oracle under choices of its own.
static void device(struct world *w, enum spv_policy base)
{
    struct orc_result made;
    struct spv_choices choices = {.base = base};
    orc_run(w->p->program, &w->a, &w->c, 0, &(struct orc_options){.policy = &choices}, &made);
    assert_int_equal(made.why.status, RAN_OK);
    w->r = (struct run_result){.status = RUN_OK,
                               .form = RUN_FORM_MEMORY,
                               .memory = made.memory,
                               .memory_count = made.memory_count};
}

static void test_choices(void **state)
{
    (void)state;
    struct world w;
    read_case(&w, "rules/D3-M2-fall-through-into-a-shared-default-join.spvasm");
    w.c.has_policy = false;
    w.p = judge_predict(&w.a, &w.c, 1, w.c.subgroup, SPV_POLICY_JOIN);
    device(&w, SPV_POLICY_JOIN);
    assert_int_equal(judge(&w), JUDGE_AGREES);
    assert_true(w.j.chose);
    assert_int_equal(w.j.tried, 0);
    assert_int_equal(w.shown.choices.base, SPV_POLICY_JOIN);
    assert_true(w.shown.module != 0);
    device(&w, SPV_POLICY_SPLIT);
    assert_int_equal(judge(&w), JUDGE_AGREES);
    const uint32_t searched = w.j.tried;
    assert_true(searched > 1);
    assert_int_equal(w.j.policy.base, SPV_POLICY_SPLIT);
    assert_memory_equal(w.j.expected[0].words, w.r.memory[0].words, 4 * w.r.memory[0].count);
    // What the device showed is tried first from then on.
    assert_int_equal(judge(&w), JUDGE_AGREES);
    assert_in_range(w.j.tried, 1, searched - 1);
    // Of another module the policy for all is what is remembered.
    w.shown.choices.count = 1;
    w.shown.choices.at[0] = (struct spv_choice){.label = 1, .policy = SPV_POLICY_JOIN};
    w.shown.module++;
    assert_int_equal(judge(&w), JUDGE_AGREES);
    assert_int_equal(w.j.policy.count, 0);
    assert_int_equal(w.shown.choices.count, 0);
    // A case that says its policy is one that was predicted so.
    w.c.has_policy = true;
    w.c.policy = (struct spv_choices){.base = SPV_POLICY_SPLIT};
    w.p = judge_predict(&w.a, &w.c, 1, w.c.subgroup, SPV_POLICY_JOIN);
    assert_int_equal(w.p->policy.base, SPV_POLICY_SPLIT);
    assert_int_equal(judge(&w), JUDGE_AGREES);
    assert_int_equal(w.j.tried, 0);
    assert_int_equal(w.j.policy.base, SPV_POLICY_SPLIT);
    // No choice explains this one.
    w.r.memory[0].words[0] ^= UINT32_C(1) << 30;
    assert_true(judge_class_is_mismatch(judge(&w)));
    assert_true(w.j.tried > 0);
    assert_int_equal(w.j.verdict.wrong_bits, 1);
    assert_int_equal(w.j.verdict.word, 0);
    assert_ptr_not_equal(w.j.expected, w.p->made.memory);
    assert_int_equal(w.j.expected[0].words[0] ^ w.r.memory[0].words[0], UINT32_C(1) << 30);
    stop(&w);
}

// A program that has no meaning under one allowed choice has none.
static void test_choice_without_meaning(void **state)
{
    (void)state;
    struct world w;
    read_case(&w, "undefined/E-race-by-a-choice-of-D3.spvasm");
    w.c.has_policy = false;
    for (int policy = 0; policy < SPV_POLICIES; policy++) {
        w.p = judge_predict(&w.a, &w.c, 1, w.c.subgroup, (enum spv_policy)policy);
        assert_int_equal(w.p->made.why.status, RAN_UNDEFINED);
        assert_string_equal(w.p->made.why.rule, "E-race");
        assert_int_equal(w.p->policy.base, policy);
    }
    w.c.has_policy = true; // the case says which: the others do not count
    int meant = 0;
    for (int policy = 0; policy < SPV_POLICIES; policy++) {
        w.c.policy = (struct spv_choices){.base = (enum spv_policy)policy};
        w.p = judge_predict(&w.a, &w.c, 1, w.c.subgroup, SPV_POLICY_JOIN);
        meant += w.p->made.why.status == RAN_OK;
    }
    assert_in_range(meant, 1, SPV_POLICIES - 1);
    stop(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_choices),
        cmocka_unit_test(test_choice_without_meaning),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
