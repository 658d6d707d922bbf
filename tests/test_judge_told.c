// SPDX-License-Identifier: Apache-2.0
//
// What a case tells by itself, with the oracle or without.
#include "test_judge_common.h"

#define TELLS_LANES                                                                                \
    "; expect 0:1 u32 1 3 4 1 2 4 0 1 4 0 0 4 1 1 4 1 0 4 0 3 4 0 2 4 "                            \
    "1 3 4 1 2 4 0 1 4 0 0 4 1 1 4 1 0 4 0 3 4 0 2 4 0\n"

// What a case tells itself comes before what the oracle says.
static void test_told(void **state)
{
    (void)state;
    struct world w;
    start(&w, "; expect 0:0 u32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 ? 0\n; lanes 0:1\n");
    assert_non_null(w.p->given);
    assert_int_equal(w.p->given[LANES].words[5], SIZE); // not told: as it was made
    assert_int_equal(judge(&w), JUDGE_WRONG_MEMORY);
    assert_ptr_equal(w.j.expected, w.p->given);
    for (uint32_t i = 0; i < ALL; i++)
        w.out[i] = i + 1;
    w.out[15] = 77;
    assert_int_equal(judge(&w), JUDGE_AGREES);
    // The oracle does not know it, or gave up: what was told is all there is.
    w.p->made.why.status = RAN_UNSUPPORTED;
    assert_int_equal(judge(&w), JUDGE_AGREES);
    w.p->made.why.status = RAN_OVER_LIMIT;
    assert_true(judge_usable(w.p));
    assert_int_equal(judge(&w), JUDGE_AGREES);
    mapped(&w, other_sid, other_lane);
    assert_int_equal(judge(&w), JUDGE_UNDEFINED);
    assert_non_null(strstr(w.j.verdict.text, "maps lanes differently"));
    w.p->made.why.status = RAN_OK;
    struct orc_program *program = w.p->program;
    w.p->program = NULL;
    assert_int_equal(judge(&w), JUDGE_UNDEFINED);
    w.p->program = program;
    // What a run that gave up had met is no choice.
    w.p->made.why.status = RAN_OVER_LIMIT;
    w.p->made.stats.choice_points = 1;
    mapped(&w, linear_sid, linear_lane);
    assert_int_equal(judge(&w), JUDGE_WRONG_MEMORY);
    assert_false(w.j.chose);
    assert_int_equal(w.j.tried, 0);
    w.p->given = NULL;
    w.p->made.why.status = RAN_UNSUPPORTED;
    assert_false(judge_usable(w.p));
    w.p->made.why.status = RAN_OVER_LIMIT;
    assert_false(judge_usable(w.p));
    stop(&w);
    start(&w, TELLS_LANES "; lanes 0:1\n"); // for that mapping the rest was predicted
    assert_int_equal(w.p->made.memory[OUT].words[0], 10 + 5 + 3 * 16);
    mapped(&w, other_sid, other_lane);
    assert_int_equal(judge(&w), JUDGE_AGREES);
    assert_false(w.j.other_mapping);
    mapped(&w, linear_sid, linear_lane);
    assert_int_equal(judge(&w), JUDGE_AGREES);
    assert_true(w.j.other_mapping);
    stop(&w);
    start(&w, TELLS_LANES); // without the line it is a buffer like others
    assert_int_equal(w.p->made.memory[OUT].words[0], 10);
    w.c.lanes_binding = 1; // which one it was does not count either
    w.p = judge_predict(&w.a, &w.c, 1, w.c.subgroup, SPV_POLICY_JOIN);
    assert_int_equal(w.p->made.memory[OUT].words[0], 10);
    // Lines for a buffer of another set, or of another size.
    w.c.expect[0].set = 1;
    w.p = judge_predict(&w.a, &w.c, 1, w.c.subgroup, SPV_POLICY_JOIN);
    assert_int_equal(w.p->given[LANES].words[0], 0);
    w.c.expect[0].set = 0;
    w.c.expect[0].count--;
    w.p = judge_predict(&w.a, &w.c, 1, w.c.subgroup, SPV_POLICY_JOIN);
    assert_int_equal(w.p->given[LANES].words[0], 0);
    assert_int_equal(w.p->given[LANES].count, 3 * ALL + 1);
    stop(&w);
    // A mapping that is not whole tells none.
    start(&w, "; expect 0:1 u32 1 3 4 1 2 4 0 1 4 0 0 4 1 1 4 1 0 4 0 3 4 0 2 4 "
              "1 3 4 1 2 4 0 1 4 0 0 4 1 1 4 1 0 4 0 3 4 ? 2 4 0\n; lanes 0:1\n");
    assert_int_equal(w.p->made.memory[OUT].words[0], 10);
    stop(&w);
}

// Where the oracle cannot load a module, what is told is compared, and no word more.
static void test_told_alone(void **state)
{
    (void)state;
    struct err e = {0};
    struct world w = {.tools = spv_tools_new()};
    static const char image[] =
        "; tanglefuzz-case 1\n; dispatch 1 1 1\n; subgroup 4\n; model maximal\n"
        "; buffer 0:0 zero 2\n; buffer 0:1 zero 2\n; expect 0:1 u32 3 4\n\n"
        "OpCapability Shader\nOpCapability Linkage\nOpMemoryModel Logical GLSL450\n"
        "%uint = OpTypeInt 32 0\n";
    if (!spv_case_parse(w.tools, &w.a, "test", image, strlen(image), &w.c, &e))
        fail_msg("%s", e.msg);
    w.p = judge_predict(&w.a, &w.c, 1, 4, SPV_POLICY_JOIN);
    assert_int_equal(w.p->made.why.status, RAN_INVALID); // no entry point
    assert_null(w.p->program);
    assert_non_null(w.p->given);
    assert_int_equal(w.p->given[0].binding, 0);
    assert_int_equal(w.p->given[0].count, 2);
    assert_int_equal(w.p->given[0].mask[0] | w.p->given[0].mask[1], 0);
    assert_int_equal(w.p->given[1].words[1], 4);
    // The oracle cannot say whether another mapping makes it right.
    struct spv_memory seen[2] = {w.p->given[0], w.p->given[1]};
    uint32_t other[2] = {3, 5};
    seen[1].words = other;
    w.p->made.why.status = RAN_UNSUPPORTED;
    w.r = (struct run_result){.status = RUN_OK, .form = RUN_FORM_MEMORY, .memory = seen, .memory_count = 2, .maps_lanes = true};
    assert_int_equal(judge(&w), JUDGE_WRONG_MEMORY);
    stop(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_told),
        cmocka_unit_test(test_told_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
