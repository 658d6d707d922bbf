// SPDX-License-Identifier: Apache-2.0
//
// What a fragment shader's invocations were, and what an implementation may choose (D4, R9): a device's answer made by
// hand for cases of corpus/rules. The words follow from the drawing in each test.
#include "test_judge_common.h"

#include "spirv/spirv_stage.h"

// The case of a file of corpus/rules, with `from` replaced by `to` in its text, and without its `; policy` line; what it
// expects is kept in `told`.
static void open_case(struct world *w, const char *name, const char *from, const char *to, struct spv_memory *told)
{
    struct err e = {0};
    char *text = NULL;
    size_t n = 0;
    *w = (struct world){.tools = spv_tools_new()};
    const char *path = arena_printf(&w->a, "%s/corpus/rules/%s.spvasm", getenv("SOURCE_DIR"), name);
    if (!file_read(&w->a, path, 1 << 20, &text, &n, &e))
        fail_msg("%s", e.msg);
    text = arena_printf(&w->a, "%.*s", (int)n, text);
    if (from) {
        const char *at = strstr(text, from);
        assert_non_null(at);
        text = arena_printf(&w->a, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
    }
    if (!spv_case_parse(w->tools, &w->a, path, text, strlen(text), &w->c, &e))
        fail_msg("%s", e.msg);
    w->c.has_policy = false;
    w->c.policy = (struct spv_choices){0};
    if (told)
        *told = w->c.expect[0];
    w->c.expect_count = 0;
}

// The device answers `words` in buffer `at`, and all else as it is predicted.
static void answer(struct world *w, uint32_t at, const uint32_t *words)
{
    const struct orc_result *made = &w->p->made;
    struct spv_memory *m = ARENA_ARRAY(&w->a, struct spv_memory, made->memory_count);
    memcpy(m, made->memory, made->memory_count * sizeof *m);
    for (uint32_t k = 0; k < made->memory_count; k++) {
        m[k].mask = NULL;
        m[k].words = ARENA_ARRAY(&w->a, uint32_t, m[k].count);
        memcpy(m[k].words, k == at ? words : made->memory[k].words, m[k].count * sizeof *words);
    }
    w->r = (struct run_result){.status = RUN_OK, .form = RUN_FORM_MEMORY, .memory = m, .memory_count = made->memory_count};
}

// ---- D4 --------------------------------------------------------------------------------------

// Lanes 0 to 3 are the quad of pixels (0,0) (1,0) (0,1) and a helper; of 4 to 7 only pixel (2,0), lane 4, is drawn. It
// demotes itself; who came by writes a ballot into the row of its pixel.
enum { COVERAGE = 0, ROWS = 1, PIXELS = 4 * 2 };
#define STAYS "D4-E2-the-last-live-lane-demotes-and-stays"
static const uint32_t all[4 * PIXELS] = {[0] = 0xff, [4] = 0xff, [16] = 0xff}, ended[4 * PIXELS] = {[0] = 0xf, [4] = 0xf, [16] = 0xf};

static void predict(struct world *w)
{
    w->p = judge_predict(&w->a, &w->c, 1, w->c.subgroup, SPV_POLICY_JOIN);
}

static void test_the_quad_may_end(void **state)
{
    (void)state;
    struct world w;
    open_case(&w, STAYS, NULL, NULL, NULL);
    predict(&w);
    assert_int_equal(w.p->made.why.status, RAN_OK);
    answer(&w, ROWS, all);
    assert_int_equal(judge(&w), JUDGE_AGREES);
    assert_true(w.j.chose);
    assert_int_equal(w.j.tried, 0);
    assert_false(w.j.policy.quads_end || w.j.other_mapping);
    answer(&w, ROWS, ended);
    assert_int_equal(judge(&w), JUDGE_AGREES);
    assert_true(w.j.policy.quads_end && w.j.tried > 0);
    assert_int_equal(w.j.expected[ROWS].words[0], 0xf);
    assert_true(w.shown.choices.quads_end); // it is tried first the next time
    const uint32_t tried = w.j.tried;
    assert_int_equal(judge(&w), JUDGE_AGREES);
    assert_true(w.j.tried <= tried && w.j.policy.quads_end);
    answer(&w, ROWS, all); // and the other is still allowed
    assert_int_equal(judge(&w), JUDGE_AGREES);
    assert_false(w.j.policy.quads_end);
    static const uint32_t alone[4 * PIXELS] = {[0] = 0xef, [4] = 0xef, [16] = 0xef}, both[4 * PIXELS] = {[0] = 0xff, [4] = 0xf, [16] = 0xff};
    answer(&w, ROWS, alone); // lane 4 alone has gone: who demotes itself may be in another tangle (D4), which is not searched
    assert_int_equal(judge(&w), JUDGE_AMBIGUOUS);
    answer(&w, ROWS, both); // nor is this, which no choice gives
    assert_int_equal(judge(&w), JUDGE_AMBIGUOUS);
    static const uint32_t stored[4 * PIXELS] = {[0] = 0xff, [4] = 0xff, [8] = 0xff, [16] = 0xff};
    answer(&w, ROWS, stored); // by lane 4, a helper now: nothing lets it
    assert_int_equal(judge(&w), JUDGE_WRONG_MEMORY);
    assert_true(w.j.any_policy);
    w.r.maps_lanes = true, w.c.has_lanes = false; // nor another mapping: fragments have no local size
    assert_int_equal(judge(&w), JUDGE_WRONG_MEMORY);
    stop(&w);
}

// A program that branches on a value of a lane that may have ended has no meaning, but where the case says who stays.
static void test_no_meaning_where_the_quad_ends(void **state)
{
    (void)state;
    struct world w;
    static const char vote[] = "     %vote8 = OpGroupNonUniformBallot %uvec4 %u3 %true\n     %mask8 = OpCompositeExtract %uint %vote8 0\n";
    open_case(&w, STAYS, vote, "%other = OpGroupNonUniformBroadcast %uint %u3 %lane %u5\n%is5 = OpIEqual %bool %other %u5\nOpSelectionMerge %m5 None\n"
                               "OpBranchConditional %is5 %t5 %m5\n%t5 = OpLabel\nOpBranch %m5\n%m5 = OpLabel\n%mask8 = OpSelect %uint %is5 %u1 %u2\n", NULL);
    predict(&w);
    assert_int_equal(w.p->made.why.status, RAN_UNDEFINED);
    assert_string_equal(w.p->made.why.rule, "E-branch");
    w.c.has_policy = true;
    predict(&w);
    assert_int_equal(w.p->made.why.status, RAN_OK);
    assert_int_equal(w.p->made.memory[ROWS].words[0], 1);
    w.c.policy.quads_end = true;
    predict(&w);
    assert_int_equal(w.p->made.why.status, RAN_UNDEFINED);
    stop(&w);
}

// ---- who the invocations were --------------------------------------------------------------------

// The words of a device whose lane l is that pixel (0: a helper) of one subgroup.
static void covered(struct world *w, const uint32_t pixel[8], uint32_t *words)
{
    memset(words, 0, w->c.buffer[COVERAGE].count * sizeof *words);
    words[0] = 1;
    words[1] = 8;
    uint32_t live = 0;
    for (uint32_t l = 0; l < 8; l++)
        live |= pixel[l] ? 1u << l : 0;
    for (uint32_t l = 0; l < 8; l++)
        if (pixel[l]) {
            uint32_t *row = words + spv_coverage_at(8, 0, l);
            row[0] = pixel[l];
            row[1] = 0xff;
            row[2] = live;
        }
}

static void test_coverage(void **state)
{
    (void)state;
    struct world w;
    uint32_t words[64];
    const uint32_t p00 = spv_coverage_pixel(0, 0), p10 = spv_coverage_pixel(1, 0), p01 = spv_coverage_pixel(0, 1), p20 = spv_coverage_pixel(2, 0);
    open_case(&w, STAYS, NULL, NULL, NULL);
    predict(&w);
    assert_int_equal(judge_lanes_index(&w.c), COVERAGE);
    // The quads change places: lane 4 is pixel (0,0), whose quad has others that live, and stays.
    covered(&w, (const uint32_t[]){p20, 0, 0, 0, p00, p10, p01, 0}, words);
    answer(&w, COVERAGE, words);
    static const uint32_t swapped[4 * PIXELS] = {[4] = 0xff, [8] = 0xff, [16] = 0xff};
    memcpy(w.r.memory[ROWS].words, swapped, sizeof swapped);
    assert_int_equal(judge(&w), JUDGE_AGREES);
    assert_true(w.j.other_mapping);
    assert_int_equal(w.j.expected[ROWS].words[8], 0xff);
    memcpy(w.r.memory[ROWS].words, all, sizeof all);
    assert_int_equal(judge(&w), JUDGE_WRONG_MEMORY);
    memcpy(w.r.memory[ROWS].words, swapped, sizeof swapped);
    // No such invocations: a quad torn, a pixel twice, one that is not drawn, one too few, another size.
    static const char *const says[] = {"", "", "", "", "SubgroupSize was 4 where 8 was required"};
    const uint32_t wrong[][8] = {{p20, 0, p01, 0, p00, p10, 0, 0}, {p20, 0, p20, 0, p00, p10, p01, 0}, {p20, spv_coverage_pixel(3, 0), 0, 0, p00, p10, p01, 0},
                                 {p20, 0, 0, 0, p00, p10, 0, 0}, {p20, 0, 0, 0, p00, p10, p01, 0}};
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        covered(&w, wrong[k], words);
        words[1] = *says[k] ? 4 : 8;
        memcpy(w.r.memory[COVERAGE].words, words, w.r.memory[COVERAGE].count * sizeof *words);
        if (judge(&w) != JUDGE_WRONG_COVERAGE)
            fail_msg("coverage %zu is called %s: %s", k, judge_class_name(w.j.verdict.klass), w.j.verdict.text);
        assert_non_null(strstr(w.j.verdict.text, says[k]));
        assert_true(w.j.verdict.text[0] && judge_class_is_mapping(w.j.verdict.klass));
    }
    stop(&w);
}

// `; expect` lines of the coverage buffer say whom the others are for; they may not contradict themselves.
static void test_coverage_told(void **state)
{
    (void)state;
    struct world w;
    uint32_t words[64];
    struct orc_lanes lanes;
    struct err e = {0};
    const uint32_t swapped[8] = {spv_coverage_pixel(2, 0), 0, 0, 0, spv_coverage_pixel(0, 0), spv_coverage_pixel(1, 0), spv_coverage_pixel(0, 1), 0};
    open_case(&w, STAYS, NULL, NULL, NULL);
    covered(&w, swapped, words);
    w.c.expect[0] = (struct spv_memory){.set = w.c.coverage_set, .binding = w.c.coverage_binding, .count = w.c.buffer[COVERAGE].count, .words = words};
    w.c.expect_count = 1;
    predict(&w);
    assert_int_equal(w.p->made.why.status, RAN_OK);
    assert_int_equal(w.p->made.memory[ROWS].words[0], 0); // of pixel (0,0), which is lane 4 and demotes itself
    assert_int_equal(w.p->made.memory[ROWS].words[8], 0xff);
    assert_true(judge_lanes_read(&w.a, &w.c, &w.c.expect[0], 8, &lanes, &e));
    assert_int_equal(lanes.coverage->subgroups, 1);
    assert_int_equal(lanes.coverage->subgroup[0].live, 0x71);
    words[1] = 4;
    assert_false(judge_lanes_read(&w.a, &w.c, &w.c.expect[0], 8, &lanes, &e));
    predict(&w);
    assert_int_equal(w.p->made.why.status, RAN_INVALID);
    assert_string_equal(w.p->made.why.text, "coverage 0:0: SubgroupSize was 4 where 8 was required");
    w.c.expect[0].mask = ARENA_ARRAY(&w.a, uint32_t, w.c.expect[0].count); // words that are not all known say nothing of invocations
    predict(&w);
    assert_int_equal(w.p->made.why.status, RAN_OK);
    assert_int_equal(w.p->made.memory[ROWS].words[0], 0xff);
    words[1] = 8;
    w.c.expect[0].mask = NULL;
    ((uint32_t *)w.c.words)[0] = 7; // no module at all
    assert_false(judge_lanes_read(&w.a, &w.c, &w.c.expect[0], 8, &lanes, &e));
    assert_true(e.msg[0]);
    stop(&w);
}

// ---- R9 --------------------------------------------------------------------------------------------

// What each of the files expects is one implementation's choice, of one and the same program: all are found.
static void test_derivatives_by_choice(void **state)
{
    (void)state;
    static const char *const names[] = {"R9-plain-as-coarse", "R9-plain-as-fine", "R9-coarse-as-fine-ones", "R9-coarse-by-the-first", "R9-coarse-by-the-other-column",
                                        "R9-coarse-by-the-other-row"};
    enum { NAMES = sizeof names / sizeof *names };
    uint32_t searched = 0;
    for (int k = 0; k < NAMES; k++) {
        struct world w;
        struct spv_memory told;
        open_case(&w, names[k], NULL, NULL, &told);
        predict(&w);
        assert_int_equal(w.p->made.why.status, RAN_OK);
        answer(&w, OUT, told.words);
        if (judge(&w) != JUDGE_AGREES)
            fail_msg("%s: %s: %s", names[k], judge_class_name(w.j.verdict.klass), w.j.verdict.text);
        searched += w.j.tried > 0;
        told.words[0] ^= 1; // by no choice
        answer(&w, OUT, told.words);
        assert_int_equal(judge(&w), JUDGE_WRONG_MEMORY);
        stop(&w);
    }
    assert_int_equal(searched, NAMES - 2); // all but those that give the words that are predicted: fine ones
}

// ---- vertices --------------------------------------------------------------------------------

// Six vertices in subgroups of four; the device runs vertex 5 once more, as lane 2 of the second subgroup. Each row's
// stores race then: whatever they hold, nothing is judged, unless the program says the same for any number of runs.
static void test_a_vertex_may_run_twice(void **state)
{
    (void)state;
    struct world w;
    open_case(&w, "I1-D1-M1-R12-vertices", NULL, NULL, NULL);
    predict(&w);
    assert_int_equal(w.p->made.why.status, RAN_OK);
    uint32_t words[2 + 6 * 4 * 3];
    memcpy(words, w.p->made.memory[COVERAGE].words, sizeof words);
    answer(&w, COVERAGE, words);
    assert_int_equal(judge(&w), JUDGE_AGREES);
    for (uint32_t l = 0; l < 3; l++) {
        uint32_t *row = words + spv_coverage_at(4, 1, l);
        row[0] = SPV_COVERAGE_LIVE | (l < 2 ? 4 + l : 5);
        row[1] = row[2] = 7;
    }
    answer(&w, COVERAGE, words);
    assert_int_equal(judge(&w), JUDGE_UNJUDGED);
    assert_non_null(strstr(w.j.verdict.text, "1 more invocations than vertices, which Vulkan allows: "));
    // The lane takes part in ballots and logs nothing, as on SwiftShader.
    words[spv_coverage_at(4, 1, 2)] = 0;
    answer(&w, COVERAGE, words);
    assert_int_equal(judge(&w), JUDGE_UNJUDGED);
    assert_non_null(strstr(w.j.verdict.text, "1 lanes run for vertices that are not known"));
    // Once each, but in other lanes: judged for these.
    words[spv_coverage_at(4, 1, 1)] = words[spv_coverage_at(4, 0, 3)];
    words[spv_coverage_at(4, 0, 3)] = SPV_COVERAGE_LIVE | 5;
    for (uint32_t k = 0; k < 3; k++)
        words[spv_coverage_at(4, 1, 2) + k] = 0;
    for (uint32_t l = 0; l < 2; l++)
        words[spv_coverage_at(4, 1, l) + 1] = words[spv_coverage_at(4, 1, l) + 2] = 3;
    answer(&w, COVERAGE, words);
    assert_int_equal(judge(&w), JUDGE_WRONG_MEMORY);
    assert_true(w.j.other_mapping);
    stop(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_quad_may_end),
        cmocka_unit_test(test_no_meaning_where_the_quad_ends),
        cmocka_unit_test(test_coverage),
        cmocka_unit_test(test_coverage_told),
        cmocka_unit_test(test_derivatives_by_choice),
        cmocka_unit_test(test_a_vertex_may_run_twice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
