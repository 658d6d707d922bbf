// SPDX-License-Identifier: Apache-2.0
//
// The weakest model that still promises a word of a case, where it is known by hand.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "judge/judge.h"

#include <stdlib.h>
#include <string.h>

static struct spv_tools *tools;
static struct arena arena;

// A case of the corpus with a line more before its decorations, observed as its prediction
// but for one word.
static enum judge_promise of_word(const char *name, const char *more, uint32_t word)
{
    struct spv_case c;
    struct err e = {0};
    struct orc_result r;
    char *text;
    size_t size;
    const char *path = arena_printf(&arena, "%s/corpus/%s.spvasm", getenv("SOURCE_DIR"), name);
    if (!file_read(&arena, path, 1 << 20, &text, &size, &e))
        fail_msg("%s", e.msg);
    const char *model = strstr(text, "OpMemoryModel"), *decorate = strstr(text, "OpDecorate");
    const char *with = arena_printf(
        &arena, "%.*sOpExtension \"SPV_KHR_maximal_reconvergence\"\n%.*s%s%.*s",
        (int)(model - text), text, (int)(decorate - model), model, more,
        (int)(text + size - decorate), decorate);
    if (!spv_case_parse(tools, &arena, name, with, strlen(with), &c, &e))
        fail_msg("%s", e.msg);
    c.model = SPV_ASSUMED_MAXIMAL;
    orc_predict(&arena, &c, c.subgroup, NULL, &r);
    assert_int_equal(r.why.status, RAN_OK);
    assert_true(word < r.memory[0].count);
    assert_int_equal(judge_weakest(&c, r.memory), JUDGE_PROMISE_MAXIMAL); // nothing is wrong
    r.memory[0].words[word] ^= 1;
    const enum judge_promise p = judge_weakest(&c, r.memory);
    // A buffer for the lane mapping, to which nobody writes any more: of a reduced case.
    uint32_t zeros[64] = {0};
    struct spv_memory both[2] = {r.memory[0], {.set = 3, .binding = 1, .count = 64, .words = zeros}};
    c.buffer[c.buffer_count++] =
        (struct spv_buffer){.set = 3, .binding = 1, .count = 64, .words = zeros};
    c.has_lanes = true;
    c.lanes_set = 3;
    c.lanes_binding = 1;
    assert_int_equal(judge_weakest(&c, both), p);
    return p;
}

static void words(void **state)
{
    (void)state;
    // A break block runs apart by iteration (slot 0); behind the loop all are together (slot 1).
    assert_int_equal(of_word("rules/M6-break-block-stays-split", "", 0), JUDGE_PROMISE_MAXIMAL);
    assert_int_equal(of_word("rules/M6-break-block-stays-split", "", 1), JUDGE_PROMISE_WORKGROUP);
    // An arm that all of subgroup 1, but not all of subgroup 0, take; and after it.
    static const char two[] = "rules/workgroup-uniform-one-subgroup-of-two-diverges";
    assert_int_equal(of_word(two, "", 0), JUDGE_PROMISE_MAXIMAL);
    assert_int_equal(of_word(two, "", 32), JUDGE_PROMISE_MAXIMAL); // not declared
    static const char mode[] = "OpExecutionMode %main SubgroupUniformControlFlowKHR\n";
    assert_int_equal(of_word(two, mode, 32), JUDGE_PROMISE_SUBGROUP);
    static const char more[] = "OpExecutionMode %main MaximallyReconvergesKHR\n"; // says as much
    assert_int_equal(of_word(two, more, 32), JUDGE_PROMISE_SUBGROUP);
    assert_int_equal(of_word(two, mode, 0), JUDGE_PROMISE_MAXIMAL);
    assert_int_equal(of_word(two, "", 1), JUDGE_PROMISE_WORKGROUP);
    // One invocation in all.
    assert_int_equal(of_word("regress/glslang-hlsl-prefix-sum-is-inclusive", "", 0),
                     JUDGE_PROMISE_SINGLE);
}

static void leads(void **state)
{
    (void)state;
    assert_true(judge_is_lead(SPV_ASSUMED_MAXIMAL, JUDGE_PROMISE_UNKNOWN));
    assert_true(judge_is_lead(SPV_ASSUMED_MAXIMAL, JUDGE_PROMISE_MAXIMAL));
    assert_false(judge_is_lead(SPV_ASSUMED_MAXIMAL, JUDGE_PROMISE_SUBGROUP)); // it is declared
    assert_false(judge_is_lead(SPV_ASSUMED_MAXIMAL, JUDGE_PROMISE_WORKGROUP));
    assert_false(judge_is_lead(SPV_ASSUMED_MAXIMAL, JUDGE_PROMISE_SINGLE));
    assert_false(judge_is_lead(SPV_MAXIMAL, JUDGE_PROMISE_MAXIMAL));
    assert_false(judge_is_lead(SPV_SUBGROUP_UNIFORM, JUDGE_PROMISE_SUBGROUP));
}

int main(void)
{
    tools = spv_tools_new();
    const struct CMUnitTest tests[] = {cmocka_unit_test(words), cmocka_unit_test(leads)};
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    spv_tools_free(tools);
    arena_free(&arena);
    return failed;
}
