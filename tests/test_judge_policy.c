// SPDX-License-Identifier: Apache-2.0
//
// Choices of the implementation: the search that explains what a device showed, and the
// bits that no choice has a say in. The device is the oracle under choices that the search
// does not know.

// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "judge/policy.h"

// Three times round a loop: lanes 0 and 2 enter case 0, which falls through to case 1, where
// lanes 1 and 3 are. Word 4 * lane + i: the tangle there; word 4 * lane + 3: behind the loop.
static const char loop[] =
    "; tanglefuzz-case 1\n; dispatch 1 1 1\n; subgroup 4\n; model maximal\n; buffer 0:0 zero 16\n\n"
    "OpCapability Shader\nOpCapability GroupNonUniform\nOpCapability GroupNonUniformBallot\n"
    "OpExtension \"SPV_KHR_maximal_reconvergence\"\nOpMemoryModel Logical GLSL450\n"
    "OpEntryPoint GLCompute %main \"main\" %lane_in %out\nOpExecutionMode %main LocalSize 4 1 1\n"
    "OpExecutionMode %main MaximallyReconvergesKHR\nOpDecorate %lane_in BuiltIn LocalInvocationIndex\n"
    "OpDecorate %words ArrayStride 4\nOpDecorate %block Block\nOpMemberDecorate %block 0 Offset 0\n"
    "OpDecorate %out DescriptorSet 0\nOpDecorate %out Binding 0\n%void = OpTypeVoid\n"
    "%bool = OpTypeBool\n%uint = OpTypeInt 32 0\n%uvec4 = OpTypeVector %uint 4\n"
    "%fn = OpTypeFunction %void\n%words = OpTypeRuntimeArray %uint\n%block = OpTypeStruct %words\n"
    "%block_ptr = OpTypePointer StorageBuffer %block\n%uint_ptr = OpTypePointer StorageBuffer %uint\n"
    "%in_ptr = OpTypePointer Input %uint\n%true = OpConstantTrue %bool\n%u0 = OpConstant %uint 0\n"
    "%u1 = OpConstant %uint 1\n%u3 = OpConstant %uint 3\n%u4 = OpConstant %uint 4\n"
    "%out = OpVariable %block_ptr StorageBuffer\n%lane_in = OpVariable %in_ptr Input\n"
    "%main = OpFunction %void None %fn\n%entry = OpLabel\n%lane = OpLoad %uint %lane_in\n"
    "%row = OpIMul %uint %lane %u4\n%odd = OpBitwiseAnd %uint %lane %u1\nOpBranch %head\n"
    "%head = OpLabel\n%i = OpPhi %uint %u0 %entry %next %go_on\n%at = OpIAdd %uint %row %i\n"
    "OpLoopMerge %end %go_on None\nOpBranch %body\n%body = OpLabel\nOpSelectionMerge %join None\n"
    "OpSwitch %odd %join 0 %a 1 %b\n%a = OpLabel\nOpBranch %b\n%b = OpLabel\n"
    "%vote = OpGroupNonUniformBallot %uvec4 %u3 %true\n%mask = OpCompositeExtract %uint %vote 0\n"
    "%ptr = OpAccessChain %uint_ptr %out %u0 %at\nOpStore %ptr %mask\nOpBranch %join\n"
    "%join = OpLabel\nOpBranch %go_on\n%go_on = OpLabel\n%next = OpIAdd %uint %i %u1\n"
    "%more = OpULessThan %bool %next %u3\nOpBranchConditional %more %head %end\n%end = OpLabel\n"
    "%vote2 = OpGroupNonUniformBallot %uvec4 %u3 %true\n%mask2 = OpCompositeExtract %uint %vote2 0\n"
    "%at2 = OpIAdd %uint %row %u3\n%ptr2 = OpAccessChain %uint_ptr %out %u0 %at2\n"
    "OpStore %ptr2 %mask2\nOpReturn\nOpFunctionEnd\n";

struct fixture {
    struct arena a;
    struct spv_tools *tools;
    struct spv_case c;
    struct prediction *p;
    struct orc_result points; // a run that lists them
};

static void start(struct fixture *f, const char *text, const char *path)
{
    struct err e = {0};
    f->tools = spv_tools_new();
    bool ok = text ? spv_case_parse(f->tools, &f->a, "test", text, strlen(text), &f->c, &e)
                   : spv_case_read(f->tools, &f->a, path, &f->c, &e);
    if (!ok)
        fail_msg("%s", e.msg);
    f->c.has_policy = false;
    f->c.expect_count = 0;
    f->p = judge_predict(&f->a, &f->c, 1, f->c.subgroup, SPV_POLICY_JOIN);
    assert_int_equal(f->p->made.why.status, RAN_OK);
    orc_run(f->p->program, &f->a, &f->c, 0, &(struct orc_options){.points = true}, &f->points);
}

// The text with `to` for `from`.
static const char *edited(struct arena *a, const char *text, const char *from, const char *to)
{
    const char *at = strstr(text, from);
    assert_non_null(at);
    return arena_printf(a, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
}

static const char *rules_case(struct fixture *f, const char *name)
{
    const char *source = getenv("SOURCE_DIR");
    return arena_printf(&f->a, "%s/corpus/rules/%s", source ? source : ".", name);
}

static void stop(struct fixture *f)
{
    spv_tools_free(f->tools);
    arena_free(&f->a);
}

static struct spv_memory *device(struct fixture *f, const struct spv_choices *choices)
{
    struct orc_result r;
    orc_run(f->p->program, &f->a, &f->c, 0, &(struct orc_options){.policy = choices}, &r);
    assert_int_equal(r.why.status, RAN_OK);
    return r.memory;
}

static struct policy_search look(struct fixture *f, const struct spv_memory *seen, uint32_t budget)
{
    struct spv_choices first = {.base = SPV_POLICY_JOIN};
    struct policy_search s;
    policy_search(&f->a, f->p, NULL, seen, f->c.buffer_count, &first, budget, &s);
    return s;
}

static void assert_same(const struct spv_memory *x, const struct spv_memory *y)
{
    assert_memory_equal(x->words, y->words, x->count * sizeof *x->words);
}

// A loop's three executions of a switch are three places; any combination is found.
static void test_each_time(void **state)
{
    (void)state;
    struct fixture f = {0};
    start(&f, loop, NULL);
    assert_int_equal(f.points.point_count, 3);
    for (unsigned bits = 0; bits < 8; bits++) {
        struct spv_choices c = {.base = SPV_POLICY_JOIN, .count = 3};
        for (unsigned k = 0; k < 3; k++) {
            assert_int_equal(f.points.points[k].tangles, 2);
            c.at[k] = (struct spv_choice){f.points.points[k].label,
                                          bits >> k & 1 ? SPV_POLICY_SPLIT : SPV_POLICY_JOIN,
                                          f.points.points[k].instance};
        }
        struct spv_memory *seen = device(&f, &c);
        for (unsigned k = 0; k < 3; k++) { // the names of the places mean what they say
            assert_int_equal(seen->words[k], bits >> k & 1 ? 5 : 15);
            assert_int_equal(seen->words[4 + k], bits >> k & 1 ? 10 : 15);
        }
        // The tag machine knows the places by the same names.
        struct orc_result tag;
        orc_run(f.p->program, &f.a, &f.c, 0,
                &(struct orc_options){.machine = ORC_TAG, .policy = &c}, &tag);
        assert_same(tag.memory, seen);
        struct policy_search s = look(&f, seen, POLICY_BUDGET);
        assert_int_equal(s.answer, POLICY_FOUND);
        assert_same(s.expected, seen);
        assert_same(device(&f, &s.choices), seen);
        // What no choice has a say in, the first, the two others (direct is split here), three for the label; then,
        // nearest to those, three for each time until one is it.
        static const uint32_t tried[] = {2, 4 + 3 + 2, 4 + 3 + 3 + 2, 4 + 3 + 3 + 3 + 1, 4 + 3 + 3 + 3 + 2, 4 + 3 + 3 + 1, 4 + 3 + 1, 3};
        assert_int_equal(s.tried, tried[bits]);
    }
    stop(&f);
}

// Choices by label: every combination of policies at the two labels of a hand-written case.
static void test_each_label(void **state)
{
    (void)state;
    struct fixture f = {0};
    start(&f, NULL, rules_case(&f, "D3-M2-fall-through-three-cases-join.spvasm"));
    assert_int_equal(f.points.point_count, 2);
    for (int k = 0; k < SPV_POLICIES * SPV_POLICIES; k++) {
        struct spv_choices c = {.base = SPV_POLICY_DIRECT, .count = 2};
        c.at[0] = (struct spv_choice){f.points.points[0].label, (enum spv_policy)(k / 3), 0};
        c.at[1] = (struct spv_choice){f.points.points[1].label, (enum spv_policy)(k % 3), 0};
        struct spv_memory *seen = device(&f, &c);
        struct policy_search s = look(&f, seen, POLICY_BUDGET);
        assert_int_equal(s.answer, POLICY_FOUND);
        static const uint32_t tried[] = {2, 4 + 3 + 2, 4 + 3 + 2, 4 + 2, 3, 3, 4 + 2, 3, 3}; // the same, label by label
        assert_int_equal(s.tried, tried[k]);
        assert_same(s.expected, seen);
    }
    stop(&f);
}

// Choices inside of each other (the case says which slot is where): a word is certain
// exactly if no choice changes it, and a choice changes its own place only.
static void test_nested(void **state)
{
    (void)state;
    struct fixture f = {0};
    start(&f, NULL, rules_case(&f, "D3-M2-choices-inside-of-each-other-join.spvasm"));
    uint32_t label[16], labels = 0;
    for (uint32_t k = 0; k < f.points.point_count; k++) {
        bool is_new = true;
        for (uint32_t j = 0; j < labels; j++)
            is_new &= label[j] != f.points.points[k].label;
        if (is_new)
            label[labels++] = f.points.points[k].label;
    }
    assert_int_equal(labels, 5); // of six: only one tangle falls through to the case of slot 11
    struct spv_choices join = {.base = SPV_POLICY_JOIN}, split = {.base = SPV_POLICY_SPLIT};
    const struct spv_memory *together = device(&f, &join), *apart = device(&f, &split);
    struct orc_result any;
    orc_run(f.p->program, &f.a, &f.c, 0, &(struct orc_options){.any_policy = true}, &any);
    assert_int_equal(any.why.status, RAN_OK);
    for (uint32_t w = 0; w < together->count; w++) {
        bool certain = !any.memory[0].mask || any.memory[0].mask[w] == UINT32_MAX;
        if (certain != (together->words[w] == apart->words[w]))
            fail_msg("word %u of row %u is %scertain", w % 16, w / 16, certain ? "" : "not ");
    }
    // Each label splits slots of its own, and no slot is split by two of them.
    uint32_t split_slots = 0;
    for (uint32_t k = 0; k < labels; k++) {
        struct spv_choices c = {.base = SPV_POLICY_JOIN, .count = 1};
        c.at[0] = (struct spv_choice){label[k], SPV_POLICY_SPLIT, 0};
        const struct spv_memory *seen = device(&f, &c);
        uint32_t slots = 0;
        for (uint32_t w = 0; w < seen->count; w++)
            if (seen->words[w] != together->words[w])
                slots |= 1u << w % 16;
        assert_int_equal(slots & split_slots, 0);
        split_slots |= slots;
    }
    assert_int_equal(split_slots, 0x17f); // 0 to 6, 8; slot 11 takes two labels
    // One time only: rows of one subgroup.
    for (uint32_t k = 0; k < f.points.point_count; k++) {
        struct spv_choices c = {.base = SPV_POLICY_JOIN, .count = 1};
        c.at[0] = (struct spv_choice){f.points.points[k].label, SPV_POLICY_SPLIT,
                                      f.points.points[k].instance};
        const struct spv_memory *seen = device(&f, &c);
        uint32_t first = UINT32_MAX;
        for (uint32_t w = 0; w < seen->count; w++) {
            if (seen->words[w] == together->words[w])
                continue;
            first = first == UINT32_MAX ? w / 128 : first;
            assert_int_equal(w / 128, first);
        }
    }
    stop(&f);
}

// What is certain whatever is chosen: the same under every choice, and all the rest differs.
static void test_any(void **state)
{
    (void)state;
    struct fixture f = {0};
    start(&f, loop, NULL);
    struct orc_result any;
    orc_run(f.p->program, &f.a, &f.c, 0, &(struct orc_options){.any_policy = true}, &any);
    assert_int_equal(any.why.status, RAN_OK);
    const struct spv_memory *join = device(&f, &(struct spv_choices){.base = SPV_POLICY_JOIN});
    const struct spv_memory *split = device(&f, &(struct spv_choices){.base = SPV_POLICY_SPLIT});
    for (uint32_t w = 0; w < 16; w++) {
        bool same = join->words[w] == split->words[w];
        assert_int_equal(any.memory[0].mask[w], same ? UINT32_MAX : 0);
        assert_int_equal(same, w % 4 == 3);
        if (same)
            assert_int_equal(any.memory[0].words[w], join->words[w]);
    }
    stop(&f);
}

static void test_none(void **state)
{
    (void)state;
    struct fixture f = {0};
    start(&f, loop, NULL);
    // Behind the loop all are together, whatever was chosen.
    struct spv_memory *seen = device(&f, &(struct spv_choices){.base = SPV_POLICY_SPLIT});
    seen->words[3] = 7;
    struct policy_search s = look(&f, seen, POLICY_BUDGET);
    assert_int_equal(s.answer, POLICY_NONE);
    assert_true(s.by_no_choice && s.verdict.has_place && s.verdict.word == 3);
    // In the case construct lanes 0 and 2 are together or with all; never 0 alone.
    seen = device(&f, &(struct spv_choices){.base = SPV_POLICY_SPLIT});
    seen->words[1] = 1;
    s = look(&f, seen, POLICY_BUDGET);
    assert_int_equal(s.answer, POLICY_NONE);
    assert_true(!s.by_no_choice && judge_class_is_mismatch(s.verdict.klass));
    assert_int_equal(s.choices.base, SPV_POLICY_DIRECT); // the nearest; split is as near
    assert_int_equal(s.verdict.word, 1);
    s = look(&f, seen, 5);
    assert_int_equal(s.answer, POLICY_OUT);
    stop(&f);
}

// The loop above, `rounds` times, each with a word of its own.
static void start_rounds(struct fixture *f, uint32_t rounds)
{
    const char *text = edited(&f->a, loop, "zero 16", arena_printf(&f->a, "zero %u", 4 * (rounds + 1)));
    text = edited(&f->a, text, "%u4 = OpConstant %uint 4\n", arena_printf(&f->a, "%%width = OpConstant %%uint %u\n%%rounds = OpConstant %%uint %u\n", rounds + 1, rounds));
    text = edited(&f->a, text, "OpIMul %uint %lane %u4", "OpIMul %uint %lane %width");
    text = edited(&f->a, text, "OpULessThan %bool %next %u3", "OpULessThan %bool %next %rounds");
    start(f, edited(&f->a, text, "OpIAdd %uint %row %u3", "OpIAdd %uint %row %rounds"), NULL);
    assert_int_equal(f->points.point_count, rounds);
}

// More than one place away from every policy of all: place after place is put right, from the first one on. Where all join
// three are tried at each place that is right, and two at one that is wrong (direct is split here).
static void test_far(void **state)
{
    (void)state;
    static const struct {
        uint32_t rounds;
        const char *split; // a letter a place
    } rows[] = {{6, "..##.."}, {6, "#....#"}, {7, ".#.#.#."}, {5, "##..."}, {100, ".#.#.#.#.#.#.#.#.#.#.#.#.#.#.#.#.#.#.#.#.#.#.#.#.#.#.#.#.#.#.#.#.#.#.#.#.#.#.#.#.#.#.#.#.#.#.#.#.#......"}};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        struct fixture f = {0};
        start_rounds(&f, rows[k].rounds);
        struct spv_memory *seen = device(&f, &(struct spv_choices){.base = SPV_POLICY_JOIN}),
                          *apart = device(&f, &(struct spv_choices){.base = SPV_POLICY_SPLIT});
        uint32_t tried = 4 + 3, wrong = 0;
        for (uint32_t j = 0; j < rows[k].rounds; j++)
            for (uint32_t l = 0; rows[k].split[j] == '#' && l < 4; l++) {
                const uint32_t w = l * (rows[k].rounds + 1) + j;
                seen->words[w] = apart->words[w];
                tried += l || wrong >= SPV_CHOICES ? 0 : 3 * j + 2;
                wrong += !l;
            }
        const struct policy_search s = look(&f, seen, 1 << 20);
        if (wrong <= SPV_CHOICES) {
            assert_int_equal(s.answer, POLICY_FOUND);
            assert_same(s.expected, seen);
            assert_int_equal(s.choices.count, wrong);
            assert_int_equal(s.tried, tried);
        } else { // there is no room for one more, nor for every combination: nothing is said
            assert_int_equal(s.answer, POLICY_OUT);
            assert_int_equal(s.tried, tried + 1 + SPV_CHOICES);
        }
        stop(&f);
    }
}

// What is tried first may be another policy, or one with a place of its own; the policies of all are tried all the same.
static void test_first(void **state)
{
    (void)state;
    struct fixture f = {0};
    start(&f, loop, NULL);
    const struct spv_memory *joined = device(&f, &(struct spv_choices){.base = SPV_POLICY_JOIN}), *apart = device(&f, &(struct spv_choices){.base = SPV_POLICY_SPLIT});
    struct spv_choices first[] = {{.base = SPV_POLICY_SPLIT}, {.base = SPV_POLICY_JOIN, .count = 1}, {.base = SPV_POLICY_DIRECT}};
    first[1].at[0] = (struct spv_choice){f.points.points[0].label, SPV_POLICY_SPLIT, 0};
    static const uint32_t tried[3][2] = {{3, 2}, {3, 2}, {3, 2}};
    for (int k = 0; k < 3; k++)
        for (int split = 0; split < 2; split++) {
            struct policy_search s;
            policy_search(&f.a, f.p, NULL, split ? apart : joined, f.c.buffer_count, &first[k], POLICY_BUDGET, &s);
            assert_int_equal(s.answer, POLICY_FOUND);
            assert_same(s.expected, split ? apart : joined);
            assert_int_equal(s.tried, tried[k][split]);
        }
    stop(&f);
}

// Labels that are met many times are tried once each, in the order in which they are first met.
static void test_labels(void **state)
{
    (void)state;
    struct fixture f = {0};
    start(&f, NULL, rules_case(&f, "D3-M2-choices-inside-of-each-other-join.spvasm"));
    uint32_t label[16], labels = 0;
    for (uint32_t k = 0; k < f.points.point_count; k++) {
        uint32_t j = 0;
        while (j < labels && label[j] != f.points.points[k].label)
            j++;
        label[j] = f.points.points[k].label;
        labels += j == labels;
    }
    const struct spv_memory *joined = device(&f, &(struct spv_choices){.base = SPV_POLICY_JOIN});
    for (uint32_t x = 0; x < labels; x++)
        for (uint32_t y = x; y < labels; y++) {
            struct spv_choices c = {.base = SPV_POLICY_JOIN, .count = 2};
            c.at[0] = (struct spv_choice){label[x], SPV_POLICY_SPLIT, 0};
            c.at[1] = (struct spv_choice){label[y], SPV_POLICY_SPLIT, 0};
            const struct spv_memory *seen = device(&f, &c);
            const struct policy_search s = look(&f, seen, POLICY_BUDGET);
            assert_int_equal(s.answer, POLICY_FOUND);
            assert_same(s.expected, seen);
            if (memcmp(joined->words, seen->words, seen->count * sizeof *seen->words) == 0)
                continue;
            assert_in_range(s.choices.count, 1, 2);
            assert_true(s.tried <= 4 + 3 * labels); // no label was tried in vain after the first way round
            // Three for each label before it, and two or three for itself.
            if (x == y && s.choices.base == SPV_POLICY_JOIN)
                assert_in_range(s.tried, 4 + 3 * x + 2, 4 + 3 * x + 3);
        }
    stop(&f);
}

// The verdict of a campaign: what a device showed is tried first.
static void test_remembered(void **state)
{
    (void)state;
    struct fixture f = {0};
    start(&f, loop, NULL);
    struct spv_choices c = {.base = SPV_POLICY_JOIN, .count = 1};
    c.at[0] = (struct spv_choice){f.points.points[1].label, SPV_POLICY_SPLIT,
                                  f.points.points[1].instance};
    struct shown_policy shown = {0};
    struct judged j;
    struct run_result r = {.status = RUN_OK, .form = RUN_FORM_MEMORY, .memory = device(&f, &c), .memory_count = 1};
    judge_result(&f.a, f.tools, f.p, &r, &shown, &j);
    assert_int_equal(j.verdict.klass, JUDGE_AGREES);
    assert_true(j.tried > 2 && j.chose);
    judge_result(&f.a, f.tools, f.p, &r, &shown, &j);
    assert_int_equal(j.verdict.klass, JUDGE_AGREES);
    assert_int_equal(j.tried, 2); // what no choice has a say in, then the ones remembered
    // Three different iterations, and a word that nothing explains.
    r.memory->words[0] = 9;
    judge_result(&f.a, f.tools, f.p, &r, &shown, &j);
    assert_true(judge_class_is_mismatch(j.verdict.klass) && !j.any_policy);
    r.memory->words[7] = 0;
    judge_result(&f.a, f.tools, f.p, &r, &shown, &j);
    assert_true(judge_class_is_mismatch(j.verdict.klass) && j.any_policy);
    stop(&f);
}

// Each of the 17 ways to derive is found; what none gives is wrong, and so is what all give otherwise.
static void test_derivatives(void **state)
{
    (void)state;
    struct fixture f = {0};
    start(&f, NULL, rules_case(&f, "R9-plain-as-coarse.spvasm"));
    assert_true(f.p->made.stats.derivative_choices > 0);
    struct spv_choices c = {.base = SPV_POLICY_JOIN};
    struct policy_search s;
    uint32_t n = 0;
    for (; spv_derivatives_nth(n, &c.derivatives); n++) {
        struct spv_memory *seen = device(&f, &c);
        s = look(&f, seen, POLICY_BUDGET);
        assert_int_equal(s.answer, POLICY_FOUND);
        assert_same(s.expected, seen);
        uint32_t same = 0; // the first way that gives the same
        for (struct spv_choices k = c; spv_derivatives_nth(same, &k.derivatives); same++)
            if (memcmp(device(&f, &k)->words, seen->words, seen->count * sizeof *seen->words) == 0)
                break;
        assert_int_equal(s.tried, same ? 3 + same : 2); // what no choice has a say in, the first, then each way
        struct judged j;
        struct shown_policy shown = {0};
        struct run_result r = {.status = RUN_OK, .form = RUN_FORM_MEMORY, .memory = seen, .memory_count = 1};
        judge_result(&f.a, f.tools, f.p, &r, &shown, &j);
        assert_int_equal(j.verdict.klass, JUDGE_AGREES);
        assert_true(j.chose);
        assert_same(device(&f, &j.policy), seen);
        // Also by how little it is promised: under its own choices nothing is wrong.
        f.c.has_policy = true, f.c.policy = c;
        assert_int_equal(judge_weakest(&f.c, seen), JUDGE_PROMISE_MAXIMAL);
        f.c.has_policy = false;
        struct orc_result tag;
        orc_run(f.p->program, &f.a, &f.c, 0, &(struct orc_options){.machine = ORC_TAG, .policy = &c}, &tag);
        assert_same(tag.memory, seen);
    }
    assert_int_equal(n, SPV_DERIVATIVES);
    // Invocation 0 by the first row, invocation 4 by the other one: no implementation does both.
    c.derivatives = (struct spv_derivatives){SPV_COARSE_FIRST, SPV_COARSE_FIRST, true};
    struct spv_memory *seen = device(&f, &c);
    c.derivatives.x = SPV_COARSE_OTHER;
    seen->words[4 * 4] = device(&f, &c)->words[4 * 4];
    s = look(&f, seen, POLICY_BUDGET);
    assert_int_equal(s.answer, POLICY_NONE);
    assert_false(s.by_no_choice);
    assert_int_equal(look(&f, seen, 5).answer, POLICY_OUT); // the search is longer than that
    stop(&f);
}

static void start_hashed(struct fixture *f, uint32_t n, uint32_t k);

// No meaning but where plain derivatives are fine: what has none under one allowed choice has none.
static void test_derivative_without_meaning(void **state)
{
    (void)state;
    struct fixture f = {.tools = spv_tools_new()};
    struct err e = {0};
    char *text;
    size_t size;
    const char *source = getenv("SOURCE_DIR");
    const char *path = arena_printf(&f.a, "%s/corpus/undefined/E-derivative-by-a-choice-of-R9.spvasm", source ? source : ".");
    if (!file_read(&f.a, path, 1 << 20, &text, &size, &e))
        fail_msg("%s", e.msg);
    // DPdx of 0 1 4 9 16 25 36 49: fine 1 1 5 5 9 9 13 13, one more than twice the row's first index.
    const char *fine = edited(&f.a, arena_strn(&f.a, text, size), "%c = OpIEqual %bool %u %u1\n",
                              "%even = OpBitwiseAnd %uint %index %u6\n%twice = OpIMul %uint %even %u2\n"
                              "%want = OpIAdd %uint %twice %u1\n%c = OpIEqual %bool %u %want\n");
    if (!spv_case_parse(f.tools, &f.a, "test", fine, strlen(fine), &f.c, &e))
        fail_msg("%s", e.msg);
    for (int k = 0; k < SPV_POLICIES; k++) {
        f.p = judge_predict(&f.a, &f.c, 1, 8, (enum spv_policy)k);
        assert_int_equal(f.p->made.why.status, RAN_UNDEFINED);
        assert_string_equal(f.p->made.why.rule, "E-derivative");
    }
    f.c.has_policy = true; // the case says how it derives
    for (uint32_t n = 0; spv_derivatives_nth(n, &f.c.policy.derivatives); n++) {
        const struct spv_derivatives *d = &f.c.policy.derivatives;
        f.p = judge_predict(&f.a, &f.c, 1, 8, SPV_POLICY_JOIN);
        assert_int_equal(f.p->made.why.status, d->plain_is_coarse && d->x != SPV_COARSE_OWN ? RAN_UNDEFINED : RAN_OK);
    }
    stop(&f);
}

// No meaning where all come together, whichever policy was asked for.
static void test_join_without_meaning(void **state)
{
    (void)state;
    struct fixture f = {.tools = spv_tools_new()};
    struct err e = {0};
    const char *text = edited(&f.a, loop, "%ptr = OpAccessChain %uint_ptr %out %u0 %at\n",
                              "%two = OpBitwiseAnd %uint %mask %u3\n%all = OpIEqual %bool %two %u3\n%nowhere = OpNot %uint %u0\n"
                              "%to = OpSelect %uint %all %nowhere %at\n%ptr = OpAccessChain %uint_ptr %out %u0 %to\n");
    if (!spv_case_parse(f.tools, &f.a, "test", text, strlen(text), &f.c, &e))
        fail_msg("%s", e.msg);
    for (int k = 0; k < SPV_POLICIES; k++) {
        f.c.has_policy = false;
        f.p = judge_predict(&f.a, &f.c, 1, 4, (enum spv_policy)k);
        assert_int_equal(f.p->made.why.status, RAN_UNDEFINED);
        assert_string_equal(f.p->made.why.rule, "E-bounds");
        f.c.has_policy = true;
        f.c.policy = (struct spv_choices){.base = (enum spv_policy)k};
        f.p = judge_predict(&f.a, &f.c, 1, 4, SPV_POLICY_SPLIT);
        assert_int_equal(f.p->made.why.status, k == SPV_POLICY_JOIN ? RAN_UNDEFINED : RAN_OK);
    }
    stop(&f);
    // That another choice takes more than the steps that are left says nothing of the program.
    f = (struct fixture){0};
    start(&f, loop, NULL);
    struct orc_result split;
    orc_run(f.p->program, &f.a, &f.c, 0, &(struct orc_options){.policy = &(struct spv_choices){.base = SPV_POLICY_SPLIT}}, &split);
    assert_true(split.stats.steps > f.p->made.stats.steps);
    f.p = judge_predict_within(&f.a, NULL, &f.c, 1, 4, SPV_POLICY_JOIN, f.p->made.stats.steps);
    assert_int_equal(f.p->made.why.status, RAN_OK);
    f.p = judge_predict_within(&f.a, NULL, &f.c, 1, 4, SPV_POLICY_SPLIT, f.p->made.stats.steps);
    assert_int_equal(f.p->made.why.status, RAN_OVER_LIMIT);
    stop(&f);
}

// Schedules of machine code that take choices of their own: wrong only where no schedule is right by its own.
static void test_schedules(void **state)
{
    (void)state;
    struct fixture f = {0};
    start(&f, loop, NULL);
    struct shown_policy shown;
    struct judged j;
    for (int k = 0; k < 4; k++) { // which of the three is right: none for 3
        struct spv_memory *seen[3], others[2];
        for (int s = 0; s < 3; s++) {
            seen[s] = device(&f, &(struct spv_choices){.base = s == k ? SPV_POLICY_SPLIT : SPV_POLICY_JOIN});
            if (s != k)
                seen[s]->words[1] ^= 0x40;
            if (s)
                others[s - 1] = *seen[s];
        }
        struct run_result r = {.status = RUN_OK, .form = RUN_FORM_MEMORY, .memory = seen[0], .memory_count = 1, .other = others, .others = 2};
        shown = (struct shown_policy){0};
        judge_result(&f.a, f.tools, f.p, &r, &shown, &j);
        assert_int_equal(j.verdict.klass, k == 3 ? JUDGE_WRONG_MEMORY : JUDGE_SCHEDULE);
    }
    stop(&f);
    // One that agrees, and one of which the search cannot tell.
    f = (struct fixture){0};
    start_hashed(&f, 10, 0x9e3779b1);
    struct spv_memory *right = device(&f, &(struct spv_choices){.base = SPV_POLICY_JOIN}),
                      *open = device(&f, &(struct spv_choices){.base = SPV_POLICY_JOIN});
    open->words[0] ^= 0x80000000;
    struct run_result r = {.status = RUN_OK, .form = RUN_FORM_MEMORY, .memory = right, .memory_count = 1, .other = open, .others = 1};
    shown = (struct shown_policy){0};
    judge_result(&f.a, f.tools, f.p, &r, &shown, &j);
    assert_int_equal(j.verdict.klass, JUDGE_AGREES);
    assert_ptr_equal(r.memory, right);
    stop(&f);
}

// The loop above, N times, but each lane keeps one number of all that it saw: times K, plus the tangle. So a
// choice is seen only together with all others.
static void start_hashed(struct fixture *f, uint32_t n, uint32_t k)
{
    static const char store[] = "OpStore %ptr %mask\n", from[] = "OpDecorate %lane_in", more[] = "%next %u3\n";
    const char *at = strstr(loop, store), *decorate = strstr(loop, from), *count = strstr(loop, more),
               *constant = strstr(loop, "%u4 = OpConstant");
    assert_true(decorate < constant && constant < at && at < count);
    start(f, arena_printf(&f->a, "; tanglefuzz-case 1\n; spec 1 u32 %u\n; spec 2 u32 %u\n%.*sOpDecorate %%k SpecId 1\n"
                              "OpDecorate %%n SpecId 2\n%.*s%%k = OpSpecConstant %%uint 1\n%%n = OpSpecConstant %%uint 3\n%.*s"
                              "%%mine = OpAccessChain %%uint_ptr %%out %%u0 %%row\n%%old = OpLoad %%uint %%mine\n"
                              "%%times = OpIMul %%uint %%old %%k\n%%new = OpIAdd %%uint %%times %%mask\nOpStore %%mine %%new\n"
                              "%.*s%%next %%n\n%s", k, n, (int)(decorate - loop - 20), loop + 20, (int)(constant - decorate), decorate,
                          (int)(at - constant), constant, (int)(count - at) - (int)strlen(store), at + strlen(store), count + strlen(more)), NULL);
}

// Every combination is found, also where no single choice brings any nearer.
static void test_together(void **state)
{
    (void)state;
    static const uint32_t ks[] = {3, 0x9e3779b1, 0x85ebca77, 0xc2b2ae3d, 0x27d4eb2f, 0x165667b1};
    uint32_t most = 0;
    for (size_t k = 0; k < sizeof ks / sizeof *ks; k++)
        for (unsigned bits = 0; bits < 8; bits++) {
            struct fixture f = {0};
            start_hashed(&f, 3, ks[k]);
            assert_int_equal(f.points.point_count, 3);
            struct spv_choices c = {.base = SPV_POLICY_JOIN, .count = 3};
            for (unsigned j = 0; j < 3; j++)
                c.at[j] = (struct spv_choice){f.points.points[j].label, bits >> j & 1 ? SPV_POLICY_SPLIT : SPV_POLICY_JOIN,
                                              f.points.points[j].instance};
            const struct spv_memory *seen = device(&f, &c);
            const struct policy_search s = look(&f, seen, POLICY_BUDGET);
            assert_int_equal(s.answer, POLICY_FOUND);
            assert_same(s.expected, seen);
            assert_same(device(&f, &s.choices), seen);
            assert_int_equal(s.verdict.klass, JUDGE_AGREES);
            if (bits == 0)
                assert_int_equal(s.tried, 2); // what no choice has a say in, and the first
            most = s.tried > most ? s.tried : most;
            stop(&f);
        }
    assert_true(most > 1 + 1 + 2 + 3 + 9); // the single choices were not enough
}

// Nothing explains it, and nothing brings it nearer: what was tried is counted.
static void test_all_tried(void **state)
{
    (void)state;
    struct fixture f = {0};
    start_hashed(&f, 3, 0x9e3779b1);
    struct spv_memory *seen = device(&f, &(struct spv_choices){.base = SPV_POLICY_JOIN});
    seen->words[0] ^= 0x80000000;
    struct policy_search s = look(&f, seen, POLICY_BUDGET);
    assert_int_equal(s.answer, POLICY_NONE);
    assert_false(s.by_no_choice);
    assert_int_equal(s.verdict.wrong_bits, 1);
    assert_int_equal(s.choices.base, SPV_POLICY_JOIN);
    assert_int_equal(s.choices.count, 0);
    // What no choice has a say in; the first, the two others; of one label three; of three times three; then two
    // ways at each of three places: 1 + 2 + 4 + 8.
    assert_int_equal(s.tried, 1 + 1 + 2 + 3 + 3 * 3 + 15);
    assert_int_equal(look(&f, seen, 31).answer, POLICY_NONE);
    assert_int_equal(look(&f, seen, 30).answer, POLICY_OUT);
    assert_int_equal(look(&f, seen, 30).tried, 30);
    stop(&f);
    // Ten places: too many.
    f = (struct fixture){0};
    start_hashed(&f, 10, 0x9e3779b1);
    seen = device(&f, &(struct spv_choices){.base = SPV_POLICY_JOIN});
    seen->words[0] ^= 0x80000000;
    s = look(&f, seen, POLICY_BUDGET);
    assert_int_equal(s.answer, POLICY_OUT);
    assert_int_equal(s.tried, POLICY_BUDGET);
    struct shown_policy shown = {0};
    struct judged j;
    struct run_result r = {.status = RUN_OK, .form = RUN_FORM_MEMORY, .memory = seen, .memory_count = 1};
    judge_result(&f.a, f.tools, f.p, &r, &shown, &j);
    assert_int_equal(j.verdict.klass, JUDGE_AMBIGUOUS);
    assert_int_equal(j.tried, POLICY_BUDGET);
    assert_true(j.chose && !j.any_policy);
    stop(&f);
    // Three tangles at one place: together and apart is not all there is.
    f = (struct fixture){0};
    start(&f, NULL, rules_case(&f, "D3-M2-fall-through-three-cases-join.spvasm"));
    const struct spv_memory *split = device(&f, &(struct spv_choices){.base = SPV_POLICY_SPLIT});
    seen = device(&f, &(struct spv_choices){.base = SPV_POLICY_JOIN});
    uint32_t word = 0;
    while (seen->words[word] == split->words[word])
        word++;
    seen->words[word] ^= 0x80000000;
    s = look(&f, seen, POLICY_BUDGET);
    assert_int_equal(s.answer, POLICY_OUT);
    assert_true(s.tried < POLICY_BUDGET);
    stop(&f);
}

// Under another choice than the one that was predicted the program has no meaning.
static void test_no_meaning(void **state)
{
    (void)state;
    struct fixture f = {.tools = spv_tools_new()};
    struct err e = {0};
    const char *source = getenv("SOURCE_DIR");
    if (!spv_case_read(f.tools, &f.a, arena_printf(&f.a, "%s/corpus/undefined/E-race-by-a-choice-of-D3.spvasm", source ? source : "."), &f.c, &e))
        fail_msg("%s", e.msg);
    struct orc_result made;
    int undefined = 0;
    for (int k = 0; k < SPV_POLICIES; k++) {
        f.c.has_policy = true;
        f.c.policy = (struct spv_choices){.base = (enum spv_policy)k};
        f.p = judge_predict(&f.a, &f.c, 1, f.c.subgroup, SPV_POLICY_JOIN);
        orc_run(f.p->program, &f.a, &f.c, 0, &(struct orc_options){.policy = &f.c.policy}, &made);
        if (made.why.status != RAN_OK)
            continue;
        struct spv_memory *seen = made.memory;
        uint32_t word = 0; // one that depends on the choice
        struct orc_result any;
        orc_run(f.p->program, &f.a, &f.c, 0, &(struct orc_options){.any_policy = true}, &any);
        while (any.why.status == RAN_OK && word < seen->count && (!any.memory[0].mask || any.memory[0].mask[word]))
            word++;
        if (word == seen->count)
            continue;
        seen->words[word] ^= 0x40000000;
        struct policy_search s;
        policy_search(&f.a, f.p, NULL, seen, f.c.buffer_count, &f.c.policy, POLICY_BUDGET, &s);
        assert_int_equal(s.answer, POLICY_UNDEFINED);
        assert_non_null(strstr(s.why, "E-race"));
        struct shown_policy shown = {.choices = f.c.policy};
        struct judged j;
        struct run_result r = {.status = RUN_OK, .form = RUN_FORM_MEMORY, .memory = made.memory, .memory_count = made.memory_count};
        judge_result(&f.a, f.tools, f.p, &r, &shown, &j);
        assert_int_equal(j.verdict.klass, JUDGE_UNDEFINED);
        assert_string_equal(j.verdict.text, s.why);
        undefined++;
    }
    assert_true(undefined > 0);
    stop(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_time),  cmocka_unit_test(test_each_label),
        cmocka_unit_test(test_nested),     cmocka_unit_test(test_any),
        cmocka_unit_test(test_none),       cmocka_unit_test(test_remembered),
        cmocka_unit_test(test_far),        cmocka_unit_test(test_first),
        cmocka_unit_test(test_labels),
        cmocka_unit_test(test_together),   cmocka_unit_test(test_all_tried),
        cmocka_unit_test(test_no_meaning),
        cmocka_unit_test(test_derivatives),
        cmocka_unit_test(test_derivative_without_meaning),
        cmocka_unit_test(test_join_without_meaning),
        cmocka_unit_test(test_schedules),
    };
    return cmocka_run_group_tests_name("app_policy", tests, NULL, NULL);
}
