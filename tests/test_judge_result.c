// SPDX-License-Identifier: Apache-2.0
//
// judge_predict and judge_result: what a target answered, in every way that there is, and the verdict on it.
// The answers are made by hand; what is expected of them follows from the shader below.

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

#include "judge/judge.h"

enum { ALL = 16, GROUP = 8, SIZE = 4, OUT = 0, LANES = 1, BUFFERS = 2 };

// Two workgroups of 8 in subgroups of 4. Word i of 0:0: 10 more than the invocation that is first in the
// subgroup of invocation i, and 16 times its lane; 0:1 holds the lane mapping. A word more than is needed in each.
static char shader[] =
    "OpCapability Shader\nOpCapability GroupNonUniform\nOpCapability GroupNonUniformBallot\n"
    "OpExtension \"SPV_KHR_maximal_reconvergence\"\nOpMemoryModel Logical GLSL450\n"
    "OpEntryPoint GLCompute %main \"main\" %wid %lii %sid %lid %size %out %lanes\n"
    "OpExecutionMode %main LocalSize {SIZE}\nOpExecutionMode %main MaximallyReconvergesKHR\n"
    "OpDecorate %wid BuiltIn WorkgroupId\nOpDecorate %lii BuiltIn LocalInvocationIndex\nOpDecorate %sid BuiltIn SubgroupId\n"
    "OpDecorate %lid BuiltIn SubgroupLocalInvocationId\nOpDecorate %size BuiltIn SubgroupSize\n"
    "OpDecorate %words ArrayStride 4\nOpDecorate %block Block\nOpMemberDecorate %block 0 Offset 0\n"
    "OpDecorate %out DescriptorSet 0\nOpDecorate %out Binding 0\n"
    "OpDecorate %lanes DescriptorSet 0\nOpDecorate %lanes Binding 1\n%void = OpTypeVoid\n"
    "%bool = OpTypeBool\n%uint = OpTypeInt 32 0\n%uvec3 = OpTypeVector %uint 3\n%fn = OpTypeFunction %void\n"
    "%words = OpTypeRuntimeArray %uint\n%block = OpTypeStruct %words\n"
    "%block_ptr = OpTypePointer StorageBuffer %block\n%uint_ptr = OpTypePointer StorageBuffer %uint\n"
    "%in_ptr = OpTypePointer Input %uint\n%in3_ptr = OpTypePointer Input %uvec3\n"
    "%u0 = OpConstant %uint 0\n%u1 = OpConstant %uint 1\n%u2 = OpConstant %uint 2\n"
    "%u3 = OpConstant %uint 3\n%u4 = OpConstant %uint 4\n%u10 = OpConstant %uint 10\n%u8 = OpConstant %uint 8\n"
    "%u16 = OpConstant %uint 16\n%wid = OpVariable %in3_ptr Input\n%lii = OpVariable %in_ptr Input\n"
    "%sid = OpVariable %in_ptr Input\n%lid = OpVariable %in_ptr Input\n"
    "%size = OpVariable %in_ptr Input\n%out = OpVariable %block_ptr StorageBuffer\n"
    "%lanes = OpVariable %block_ptr StorageBuffer\n%main = OpFunction %void None %fn\n"
    "%entry = OpLabel\n%wid3 = OpLoad %uvec3 %wid\n%group = OpCompositeExtract %uint %wid3 0\n"
    "%before = OpIMul %uint %group %u8\n%index = OpLoad %uint %lii\n%me = OpIAdd %uint %before %index\n"
    "%mine = OpLoad %uint %lid\n%mine16 = OpIMul %uint %mine %u16\n"
    "%first = OpGroupNonUniformBroadcastFirst %uint %u3 %me\n%value10 = OpIAdd %uint %first %u10\n"
    "%value = OpIAdd %uint %value10 %mine16\n"
    "%to = OpAccessChain %uint_ptr %out %u0 %me\nOpStore %to %value\n%row = OpIMul %uint %me %u3\n"
    "%row1 = OpIAdd %uint %row %u1\n%row2 = OpIAdd %uint %row %u2\n"
    "%x0 = OpLoad %uint %sid\n%x1 = OpLoad %uint %lid\n%x2 = OpLoad %uint %size\n"
    "%p0 = OpAccessChain %uint_ptr %lanes %u0 %row\n%p1 = OpAccessChain %uint_ptr %lanes %u0 %row1\n"
    "%p2 = OpAccessChain %uint_ptr %lanes %u0 %row2\nOpStore %p0 %x0\nOpStore %p1 %x1\n"
    "OpStore %p2 %x2\nOpReturn\nOpFunctionEnd\n";
static const char last[] = "OpReturn\nOpFunctionEnd\n";

struct world {
    struct arena a;
    struct spv_tools *tools;
    struct spv_case c;
    struct prediction *p;
    uint32_t out[ALL + 1], lanes[3 * ALL + 1];
    struct spv_memory memory[BUFFERS];
    struct run_result r;
    struct shown_policy shown;
    struct judged j;
};

// What a device leaves whose invocation i of a workgroup sits in lane[i] of subgroup sid[i].
static void mapped(struct world *w, const uint32_t *sid, const uint32_t *lane)
{
    for (uint32_t i = 0; i < ALL; i++) {
        const uint32_t k = i % GROUP;
        w->lanes[3 * i] = sid[k];
        w->lanes[3 * i + 1] = lane[k];
        w->lanes[3 * i + 2] = SIZE;
        for (uint32_t j = 0; j < GROUP; j++)
            if (sid[j] == sid[k] && lane[j] == 0)
                w->out[i] = i - k + j + 10 + 16 * lane[k];
    }
}
static const uint32_t linear_sid[GROUP] = {0, 0, 0, 0, 1, 1, 1, 1},
                      linear_lane[GROUP] = {0, 1, 2, 3, 0, 1, 2, 3};
static const uint32_t other_sid[GROUP] = {1, 1, 0, 0, 1, 1, 0, 0},
                      other_lane[GROUP] = {3, 2, 1, 0, 1, 0, 3, 2};

// A world with these lines of metadata more, and a device that maps lanes the plain way.
static void start_sized(struct world *w, const char *lines, const char *size)
{
    struct err e = {0};
    const char *at = strstr(shader, "{SIZE}");
    *w = (struct world){.tools = spv_tools_new()};
    const char *text = arena_printf(&w->a,
                                    "; tanglefuzz-case 1\n; dispatch 2 1 1\n; subgroup 4\n"
                                    "; model maximal\n; buffer 0:0 zero 17\n; buffer 0:1 zero 49\n%s\n%.*s%s%s",
                                    lines, (int)(at - shader), shader, size, at + strlen("{SIZE}"));
    if (!spv_case_parse(w->tools, &w->a, "test", text, strlen(text), &w->c, &e))
        fail_msg("%s", e.msg);
    w->p = judge_predict(&w->a, &w->c, 1, w->c.subgroup, SPV_POLICY_JOIN);
    mapped(w, linear_sid, linear_lane);
    w->memory[OUT] = (struct spv_memory){.binding = 0, .count = ALL + 1, .words = w->out};
    w->memory[LANES] = (struct spv_memory){.binding = 1, .count = 3 * ALL + 1, .words = w->lanes};
    w->r = (struct run_result){
        .status = RUN_OK, .form = RUN_FORM_MEMORY, .memory = w->memory, .memory_count = BUFFERS};
}

static void start(struct world *w, const char *lines) { start_sized(w, lines, "8 1 1"); }

// The same with this code at its end, under a model.
static void start_with(struct world *w, const char *lines, enum spv_model model, const char *code)
{
    struct err e = {0};
    start(w, lines);
    const char *text = arena_printf(&w->a, "; tanglefuzz-case 1\n; dispatch 2 1 1\n; subgroup 4\n; model maximal\n"
                                           "; buffer 0:0 zero 17\n; buffer 0:1 zero 49\n%s\n%.*s%s", lines,
                                    (int)(strstr(shader, last) - shader), shader, arena_printf(&w->a, "%s%s", code, last));
    char *at = strstr((char *)text, "{SIZE}");
    memcpy(at, "8 1 1 ", 6);
    if (!spv_case_parse(w->tools, &w->a, "test", text, strlen(text), &w->c, &e))
        fail_msg("%s", e.msg);
    w->c.model = model;
    w->p = judge_predict(&w->a, &w->c, 1, w->c.subgroup, SPV_POLICY_JOIN);
}

static void stop(struct world *w)
{
    spv_tools_free(w->tools);
    arena_free(&w->a);
}

static enum judge_class judge(struct world *w)
{
    memset(&w->j, 0xaa, sizeof w->j); // whatever was there before
    judge_result(&w->a, w->tools, w->p, &w->r, &w->shown, &w->j);
    return w->j.verdict.klass;
}

static const char with_lanes[] = "; lanes 0:1\n";

// In the arm: by the linear mapping all of one subgroup, by the other one a part of each, and of whom is elected
// there the weaker models promise nothing but that it is somebody.
static const char elect[] = "%in = OpULessThan %bool %index %u4\nOpSelectionMerge %end None\nOpBranchConditional %in %arm %end\n"
    "%arm = OpLabel\n%one = OpGroupNonUniformElect %bool %u3\nOpSelectionMerge %m None\nOpBranchConditional %one %put %m\n"
    "%put = OpLabel\nOpStore %to %u16\nOpBranch %m\n%m = OpLabel\nOpBranch %end\n%end = OpLabel\n";
// Out of bounds but where lanes are linear.
static const char far[] = "%low = OpBitwiseAnd %uint %index %u3\n%off = OpISub %uint %mine %low\n"
    "%many = OpIMul %uint %off %u16\n%far = OpIMul %uint %many %u16\n%here = OpIAdd %uint %me %far\n"
    "%there = OpAccessChain %uint_ptr %out %u0 %here\n%again = OpLoad %uint %there\nOpStore %to %again\n";

static void test_memory(void **state)
{
    (void)state;
    struct world w;
    start(&w, with_lanes);
    assert_int_equal(w.p->made.why.status, ORC_OK);
    assert_true(judge_usable(w.p));
    assert_null(w.p->told);
    assert_int_equal(judge(&w), JUDGE_AGREES);
    assert_ptr_equal(w.j.expected, w.p->made.memory);
    assert_int_equal(w.j.verdict.live_bits, ALL * 32);
    assert_false(w.j.chose || w.j.other_mapping || w.j.any_policy);
    assert_int_equal(w.j.tried, 0);
    assert_int_equal(w.j.verdict.repair_at, 0);
    w.out[5] ^= 3;
    assert_int_equal(judge(&w), JUDGE_WRONG_MEMORY);
    assert_int_equal(w.j.verdict.word, 5);
    assert_int_equal(w.j.verdict.wrong_bits, 2);
    stop(&w);
}

// Another mapping of lanes is judged as what it is; one that cannot be is wrong.
// Three schedules of machine code: word `wrong[k]` of the k-th is another one, ALL: none is.
static enum judge_class scheduled(struct world *w, const uint32_t *wrong)
{
    static uint32_t words[3][ALL + 1];
    static struct spv_memory memory[3][BUFFERS];
    start(w, with_lanes);
    for (uint32_t k = 0; k < 3; k++) {
        memcpy(memory[k], w->memory, sizeof memory[k]);
        memcpy(words[k], w->out, sizeof words[k]);
        if (wrong[k] < ALL)
            words[k][wrong[k]] ^= 1 + k;
        memory[k][OUT].words = words[k];
    }
    w->r.memory = memory[0];
    w->r.other = memory[1];
    w->r.others = 2;
    const enum judge_class klass = judge(w);
    w->out[0] = w->r.memory[OUT].words[5] ^ words[0][5]; // is the wrong one shown?
    // Each schedule's memory is there once.
    uint32_t seen = 0;
    for (uint32_t k = 0; k < 3; k++)
        for (uint32_t j = 0; j < 3; j++)
            seen |= (k ? w->r.other[(k - 1) * BUFFERS + OUT].words : w->r.memory[OUT].words) == words[j] ? 1u << j : 0;
    assert_int_equal(seen, 7);
    stop(w);
    return klass;
}

static void test_schedules(void **state)
{
    (void)state;
    struct world w;
    assert_int_equal(scheduled(&w, (uint32_t[]){ALL, ALL, ALL}), JUDGE_AGREES);
    assert_int_equal(scheduled(&w, (uint32_t[]){5, 5, 5}), JUDGE_WRONG_MEMORY);
    assert_int_equal(w.j.verdict.word, 5);
    // Right by one schedule, or wrong in another place by each: nothing is wrong by all of them.
    assert_int_equal(scheduled(&w, (uint32_t[]){5, ALL, 5}), JUDGE_SCHEDULE);
    assert_int_equal(scheduled(&w, (uint32_t[]){5, 6, 5}), JUDGE_SCHEDULE);
    assert_int_equal(scheduled(&w, (uint32_t[]){ALL, ALL, 5}), JUDGE_SCHEDULE);
    assert_int_equal(w.j.verdict.word, 5);
    assert_int_equal(w.out[0], 3);
    assert_string_equal(w.j.verdict.text, "by one of 3 schedules: buffer 0:0, word 5: expected 30 (0x1e), observed 29 (0x1d)");
    assert_int_equal(scheduled(&w, (uint32_t[]){ALL, 5, ALL}), JUDGE_SCHEDULE);
    assert_int_equal(w.out[0], 2);
    // The first that is wrong is shown.
    assert_int_equal(scheduled(&w, (uint32_t[]){ALL, 5, 6}), JUDGE_SCHEDULE);
    assert_int_equal(w.j.verdict.word, 5);
    assert_int_equal(scheduled(&w, (uint32_t[]){5, 6, 7}), JUDGE_SCHEDULE);
    assert_int_equal(w.j.verdict.word, 5);
    assert_int_equal(scheduled(&w, (uint32_t[]){5, ALL, ALL}), JUDGE_SCHEDULE);
    // A word of another buffer that is wrong by all of them.
    static struct spv_memory both[2][BUFFERS];
    static uint32_t right[3 * ALL + 1];
    start(&w, "");
    for (uint32_t k = 0; k < 2; k++)
        memcpy(both[k], w.memory, sizeof both[k]);
    memcpy(right, w.lanes, sizeof right);
    w.lanes[4] ^= 1;
    w.r.memory = both[0], w.r.other = both[1], w.r.others = 1;
    assert_int_equal(judge(&w), JUDGE_WRONG_MEMORY);
    assert_int_equal(w.j.verdict.binding, 1);
    both[1][LANES].words = right;
    assert_int_equal(judge(&w), JUDGE_SCHEDULE);
    stop(&w);
    assert_true(judge_class_is_finding(JUDGE_SCHEDULE) && !judge_class_is_mismatch(JUDGE_SCHEDULE));
}

static void test_mapping(void **state)
{
    (void)state;
    struct world w;
    start(&w, with_lanes);
    mapped(&w, other_sid, other_lane);
    assert_int_equal(w.out[0], 10 + 5 + 3 * 16);
    assert_int_equal(judge(&w), JUDGE_AGREES);
    assert_true(w.j.other_mapping);
    assert_false(w.j.chose);
    assert_int_equal(w.j.expected[OUT].words[0], 10 + 5 + 3 * 16);
    assert_int_equal(w.j.expected[OUT].words[8], 10 + 8 + 5 + 3 * 16);
    w.out[15] ^= 1;
    assert_int_equal(judge(&w), JUDGE_WRONG_MEMORY);
    assert_int_equal(w.j.verdict.word, 15);
    w.lanes[3 * 15 + 1] = 1; // that is another invocation's lane
    assert_int_equal(judge(&w), JUDGE_WRONG_MAPPING);
    assert_string_equal(w.j.verdict.text,
                        "invocation 15 read subgroup 0 lane 1, which another invocation has");
    assert_false(w.j.other_mapping);
    mapped(&w, linear_sid, linear_lane);
    w.lanes[0] = 1; // the first word alone
    assert_int_equal(judge(&w), JUDGE_WRONG_MAPPING);
    stop(&w);
    start_with(&w, with_lanes, SPV_SUBGROUP_UNIFORM, elect);
    assert_int_equal(w.p->made.why.status, ORC_OK);
    w.out[0] = w.out[8] = 16;
    assert_int_equal(judge(&w), JUDGE_AGREES);
    assert_false(w.j.chose);
    mapped(&w, other_sid, other_lane); // subgroup 0: 3 2 7 6, subgroup 1: 5 4 1 0
    w.out[3] = w.out[1] = w.out[11] = w.out[9] = 16;
    assert_int_equal(judge(&w), JUDGE_AGREES);
    assert_true(w.j.chose && w.j.other_mapping);
    w.out[0] = w.out[2] = w.out[8] = w.out[10] = 16; // each alone
    assert_int_equal(judge(&w), JUDGE_AGREES);
    assert_int_equal(w.j.policy.base, SPV_POLICY_SPLIT);
    w.out[0] ^= 1;
    assert_int_equal(judge(&w), JUDGE_AMBIGUOUS); // there are more choices than are searched
    stop(&w);
    start_with(&w, with_lanes, SPV_MAXIMAL, far);
    assert_int_equal(w.p->made.why.status, ORC_OK);
    assert_int_equal(judge(&w), JUDGE_AGREES);
    mapped(&w, other_sid, other_lane);
    assert_int_equal(judge(&w), JUDGE_UNDEFINED);
    assert_non_null(strstr(w.j.verdict.text, "undefined E-bounds"));
    stop(&w);
}

// Machine code that uses a register before its load is waited for: its fault where memory is right with
// all loads done at once, and only then.
static void test_early_use(void **state)
{
    (void)state;
    struct world w;
    start(&w, with_lanes);
    uint32_t right[ALL + 1];
    struct spv_memory prompt[BUFFERS];
    memcpy(right, w.out, sizeof right);
    memcpy(prompt, w.memory, sizeof prompt);
    prompt[OUT].words = right;
    w.r.early_line = 12;
    w.r.prompt = prompt;
    assert_int_equal(judge(&w), JUDGE_AGREES); // junk that nobody looks at
    w.out[3] ^= 4;
    assert_int_equal(judge(&w), JUDGE_EARLY_USE);
    assert_string_equal(w.j.verdict.text,
                        "line 12 of the machine code uses a register before its load is waited for");
    right[5] ^= 4;
    assert_int_equal(judge(&w), JUDGE_WRONG_MEMORY);
    right[5] ^= 4;
    w.r.early_line = 0;
    assert_int_equal(judge(&w), JUDGE_WRONG_MEMORY);
    stop(&w);
}

// Where the module has derivatives a mapping may not tear its quads (R8).
static void test_mapping_of_quads(void **state)
{
    (void)state;
    static const uint32_t swapped_sid[GROUP] = {1, 1, 1, 1, 0, 0, 0, 0};
    struct world w;
    start_sized(&w, with_lanes, "8 1 1\nOpExecutionMode %main DerivativeGroupLinearKHR");
    assert_int_equal(judge(&w), JUDGE_AGREES);
    mapped(&w, swapped_sid, linear_lane);
    assert_int_equal(judge(&w), JUDGE_AGREES);
    assert_true(w.j.other_mapping);
    mapped(&w, other_sid, other_lane);
    assert_int_equal(judge(&w), JUDGE_WRONG_MAPPING);
    assert_string_equal(w.j.verdict.text,
                        "invocation 0, of quad index 0, is lane 3 of subgroup 1, and that of quad index 0 is "
                        "lane 3 of subgroup 1: no quad (R8)");
    stop(&w);
    // In a workgroup of 4 x 2 the quads are 0 1 4 5 and 2 3 6 7; a mapping by index is not one of them.
    start_sized(&w, with_lanes, "4 2 1\nOpExecutionMode %main DerivativeGroupQuadsKHR");
    assert_int_equal(judge(&w), JUDGE_WRONG_MAPPING);
    static const uint32_t quad_sid[GROUP] = {0, 0, 1, 1, 0, 0, 1, 1}, quad_lane[GROUP] = {0, 1, 0, 1, 2, 3, 2, 3};
    mapped(&w, quad_sid, quad_lane);
    assert_int_equal(judge(&w), JUDGE_AGREES);
    assert_false(w.j.other_mapping); // it is the one that is predicted for
    stop(&w);
}

// Without the line a device that may map as it likes is wrong only where no other mapping makes it right.
static void test_no_lanes(void **state)
{
    (void)state;
    static const struct {
        uint32_t sid[GROUP], lane[GROUP];
        bool is_known;
    } table[] = {
        {{0, 0, 0, 0, 1, 1, 1, 1}, {0, 1, 2, 3, 0, 1, 2, 3}, true}, // one after the other: agrees
        {{1, 1, 1, 1, 0, 0, 0, 0}, {3, 2, 1, 0, 3, 2, 1, 0}, true}, // backwards
        {{0, 1, 0, 1, 0, 1, 0, 1}, {0, 0, 1, 1, 2, 2, 3, 3}, true}, // dealt out
        {{1, 1, 0, 0, 1, 1, 0, 0}, {3, 2, 1, 0, 1, 0, 3, 2}, false},
    };
    struct world w;
    start(&w, "");
    for (size_t k = 0; k < sizeof table / sizeof *table; k++) {
        mapped(&w, table[k].sid, table[k].lane);
        memcpy(w.lanes, w.p->made.memory[LANES].words, sizeof w.lanes); // it is not looked at:
        for (uint32_t i = 0; i < ALL; i++) { // but as a buffer like others
            w.lanes[3 * i] = table[k].sid[i % GROUP];
            w.lanes[3 * i + 1] = table[k].lane[i % GROUP];
        }
        w.r.maps_lanes = true;
        const enum judge_class seen = judge(&w);
        assert_int_equal(seen, k == 0 ? JUDGE_AGREES : table[k].is_known ? JUDGE_UNJUDGED : JUDGE_WRONG_MEMORY);
        if (seen == JUDGE_UNJUDGED)
            assert_non_null(strstr(w.j.verdict.text, k == 1 ? "from the last to the first" : "in turn"));
        w.r.maps_lanes = false; // what we run ourselves maps one after the other
        assert_int_equal(judge(&w), k == 0 ? JUDGE_AGREES : JUDGE_WRONG_MEMORY);
    }
    stop(&w);
    static const uint32_t by_columns[2][GROUP] = {{0, 1, 0, 1, 0, 1, 0, 1}, {0, 0, 1, 1, 2, 2, 3, 3}},
                          in_quads[2][GROUP] = {{0, 0, 1, 1, 0, 0, 1, 1}, {0, 1, 0, 1, 2, 3, 2, 3}},
                          of_layers[2][GROUP] = {{0, 0, 0, 0, 1, 1, 1, 1}, {0, 2, 1, 3, 0, 2, 1, 3}};
    static const struct {
        const char *size, *word;
        const uint32_t (*map)[GROUP];
    } shapes[] = {{"2 4 1", "by columns", by_columns}, {"4 2 1", "in quads", in_quads}, {"2 2 2", "by columns", of_layers}};
    for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++) {
        start_sized(&w, with_lanes, shapes[k].size);
        w.c.has_lanes = false; // what the buffer holds still tells, as any buffer does
        w.r.maps_lanes = true;
        mapped(&w, shapes[k].map[0], shapes[k].map[1]);
        assert_int_equal(judge(&w), JUDGE_UNJUDGED);
        assert_non_null(strstr(w.j.verdict.text, shapes[k].word));
        w.out[9] ^= 1;
        assert_int_equal(judge(&w), JUDGE_WRONG_MEMORY);
        stop(&w);
    }
    // Workgroups along the other axes.
    for (uint32_t axis = 1; axis < 3; axis++) {
        static const char first[] = "%wid3 0\n";
        char *at = strstr(shader, first);
        at[strlen("%wid3 ")] = (char)('0' + axis);
        start(&w, "");
        at[strlen("%wid3 ")] = '0';
        w.c.groups[0] = 1, w.c.groups[axis] = 2;
        w.p = judge_predict(&w.a, &w.c, 1, SIZE, SPV_POLICY_JOIN);
        assert_int_equal(judge(&w), JUDGE_AGREES);
        w.r.maps_lanes = true;
        mapped(&w, table[1].sid, table[1].lane);
        assert_int_equal(judge(&w), JUDGE_UNJUDGED);
        w.out[12] ^= 1;
        assert_int_equal(judge(&w), JUDGE_WRONG_MEMORY);
        stop(&w);
    }
    // Dealt out, the arm has a part of each subgroup: somebody of it is elected.
    start_with(&w, "", SPV_SUBGROUP_UNIFORM, elect);
    w.r.maps_lanes = true;
    mapped(&w, table[2].sid, table[2].lane);
    w.out[0] = w.out[1] = w.out[8] = w.out[9] = 16;
    assert_int_equal(judge(&w), JUDGE_UNJUDGED);
    stop(&w);
    // By any other mapping it has no meaning.
    start_with(&w, "", SPV_MAXIMAL, far);
    w.r.maps_lanes = true;
    assert_int_equal(judge(&w), JUDGE_AGREES);
    w.out[3] ^= 1;
    assert_int_equal(judge(&w), JUDGE_WRONG_MEMORY);
    stop(&w);
    // A wrong word that no mapping explains.
    start(&w, with_lanes);
    w.c.has_lanes = false;
    w.r.maps_lanes = true;
    w.out[3] ^= 1;
    assert_int_equal(judge(&w), JUDGE_WRONG_MEMORY);
    stop(&w);
}

static void test_lanes_read(void **state)
{
    (void)state;
    struct world w;
    struct orc_lanes lanes;
    struct err e = {0};
    start(&w, with_lanes);
    mapped(&w, other_sid, other_lane);
    struct spv_memory m = {.count = 3 * ALL, .words = w.lanes};
    assert_true(judge_lanes_read(&w.a, &w.c, &m, SIZE, &lanes, &e));
    assert_int_equal(lanes.invocations, ALL);
    assert_int_equal(lanes.subgroup[8], 1);
    assert_int_equal(lanes.lane[8], 3);
    m.count--;
    assert_false(judge_lanes_read(&w.a, &w.c, &m, SIZE, &lanes, &e));
    assert_string_equal(e.msg, "the lanes buffer has 47 words, 16 invocations need 3 each");
    m.count++;
    assert_false(judge_lanes_read(&w.a, &w.c, &m, 8, &lanes, &e));
    assert_string_equal(e.msg, "invocation 0 read SubgroupSize 4 where 8 was required");
    static const struct {
        uint32_t word, value;
        const char *text;
    } wrong[] = {{3 * 9 + 1, 4, "invocation 9 read SubgroupLocalInvocationId 4 in a subgroup of 4"},
                 {3 * 9, 8, "invocation 9 read SubgroupId 8 in a workgroup of 8 invocations"},
                 {3 * 9, 9, "invocation 9 read SubgroupId 9 in a workgroup of 8 invocations"}};
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        const uint32_t was = w.lanes[wrong[k].word];
        w.lanes[wrong[k].word] = wrong[k].value;
        assert_false(judge_lanes_read(&w.a, &w.c, &m, SIZE, &lanes, &e));
        assert_string_equal(e.msg, wrong[k].text);
        w.lanes[wrong[k].word] = was;
    }
    w.lanes[3 * 9] = 7; // subgroups may be more than are needed
    assert_true(judge_lanes_read(&w.a, &w.c, &m, SIZE, &lanes, &e));
    w.lanes[3 * 9] = other_sid[1];
    w.c.groups[1] = 2; // twice as many invocations
    assert_false(judge_lanes_read(&w.a, &w.c, &m, SIZE, &lanes, &e));
    assert_string_equal(e.msg, "the lanes buffer has 48 words, 32 invocations need 3 each");
    w.c.groups[1] = 1, w.c.groups[2] = 3;
    assert_false(judge_lanes_read(&w.a, &w.c, &m, SIZE, &lanes, &e));
    assert_string_equal(e.msg, "the lanes buffer has 48 words, 48 invocations need 3 each");
    w.c.groups[2] = 1;
    uint32_t word = w.c.words[0];
    ((uint32_t *)w.c.words)[0] = 7; // no module at all
    assert_false(judge_lanes_read(&w.a, &w.c, &m, SIZE, &lanes, &e));
    ((uint32_t *)w.c.words)[0] = word;
    assert_int_equal(judge_lanes_index(&w.c), LANES);
    w.c.has_lanes = false;
    assert_int_equal(judge_lanes_index(&w.c), UINT32_MAX);
    stop(&w);
    start_sized(&w, with_lanes, "4 2 1");
    assert_true(judge_lanes_read(&w.a, &w.c, &(struct spv_memory){.count = 3 * ALL, .words = w.lanes}, SIZE, &lanes, &e));
    assert_false(judge_lanes_read(&w.a, &w.c, &(struct spv_memory){.count = 3 * ALL - 1, .words = w.lanes}, SIZE, &lanes, &e));
    assert_string_equal(e.msg, "the lanes buffer has 47 words, 16 invocations need 3 each");
    stop(&w);
}

// Whatever ends a run by itself has its own class, and the runner's words.
static void test_statuses(void **state)
{
    (void)state;
    static const struct {
        enum run_status status;
        enum judge_class klass;
    } table[] = {{RUN_REJECTED, JUDGE_REJECTED},       {RUN_CRASHED, JUDGE_CRASH},
                 {RUN_HUNG, JUDGE_HANG},               {RUN_DEVICE_LOST, JUDGE_DEVICE_LOST},
                 {RUN_MEMORY, JUDGE_MEMORY},           {RUN_INVALID, JUDGE_INVALID_OUTPUT},
                 {RUN_COMPILED, JUDGE_COMPILED},       {RUN_SKIPPED, JUDGE_SKIPPED},
                 {RUN_FAILED, JUDGE_FAILED}};
    struct world w;
    start(&w, with_lanes);
    for (size_t k = 0; k < sizeof table / sizeof *table; k++) {
        w.r.status = table[k].status;
        snprintf(w.r.text, sizeof w.r.text, "it ended so");
        assert_int_equal(judge(&w), table[k].klass);
        assert_string_equal(w.j.verdict.text, "it ended so");
        assert_int_equal(w.j.verdict.live_bits, 0);
        assert_ptr_equal(w.j.expected, w.p->made.memory);
    }
    // But nothing counts where the program has no meaning.
    w.p->made.why.status = ORC_UNDEFINED;
    snprintf(w.p->made.why.text, sizeof w.p->made.why.text, "no meaning");
    assert_int_equal(judge(&w), JUDGE_UNDEFINED);
    assert_string_equal(w.j.verdict.text, "no meaning");
    assert_null(w.j.expected);
    w.p->made.why.status = ORC_INVALID;
    assert_int_equal(judge(&w), JUDGE_UNDEFINED);
    stop(&w);
}

#define TELLS_LANES                                                                                \
    "; expect 0:1 u32 1 3 4 1 2 4 0 1 4 0 0 4 1 1 4 1 0 4 0 3 4 0 2 4 "                            \
    "1 3 4 1 2 4 0 1 4 0 0 4 1 1 4 1 0 4 0 3 4 0 2 4 0\n"

// What a case tells itself comes before what the oracle says.
static void test_told(void **state)
{
    (void)state;
    struct world w;
    start(&w, "; expect 0:0 u32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 ? 0\n; lanes 0:1\n");
    assert_non_null(w.p->told);
    assert_int_equal(w.p->told[LANES].words[5], SIZE); // not told: as it was made
    assert_int_equal(judge(&w), JUDGE_WRONG_MEMORY);
    assert_ptr_equal(w.j.expected, w.p->told);
    for (uint32_t i = 0; i < ALL; i++)
        w.out[i] = i + 1;
    w.out[15] = 77;
    assert_int_equal(judge(&w), JUDGE_AGREES);
    // The oracle does not know it, or gave up: what was told is all there is.
    w.p->made.why.status = ORC_UNSUPPORTED;
    assert_int_equal(judge(&w), JUDGE_AGREES);
    w.p->made.why.status = ORC_OVER_LIMIT;
    assert_true(judge_usable(w.p));
    assert_int_equal(judge(&w), JUDGE_AGREES);
    mapped(&w, other_sid, other_lane);
    assert_int_equal(judge(&w), JUDGE_UNDEFINED);
    assert_non_null(strstr(w.j.verdict.text, "maps lanes in another way"));
    w.p->made.why.status = ORC_OK;
    struct orc_program *program = w.p->program;
    w.p->program = NULL;
    assert_int_equal(judge(&w), JUDGE_UNDEFINED);
    w.p->program = program;
    // What a run that gave up had met is no choice.
    w.p->made.why.status = ORC_OVER_LIMIT;
    w.p->made.stats.choice_points = 1;
    mapped(&w, linear_sid, linear_lane);
    assert_int_equal(judge(&w), JUDGE_WRONG_MEMORY);
    assert_false(w.j.chose);
    assert_int_equal(w.j.tried, 0);
    w.p->told = NULL;
    w.p->made.why.status = ORC_UNSUPPORTED;
    assert_false(judge_usable(w.p));
    w.p->made.why.status = ORC_OVER_LIMIT;
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
    assert_int_equal(w.p->told[LANES].words[0], 0);
    w.c.expect[0].set = 0;
    w.c.expect[0].count--;
    w.p = judge_predict(&w.a, &w.c, 1, w.c.subgroup, SPV_POLICY_JOIN);
    assert_int_equal(w.p->told[LANES].words[0], 0);
    assert_int_equal(w.p->told[LANES].count, 3 * ALL + 1);
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
    assert_int_equal(w.p->made.why.status, ORC_INVALID); // no entry point
    assert_null(w.p->program);
    assert_non_null(w.p->told);
    assert_int_equal(w.p->told[0].binding, 0);
    assert_int_equal(w.p->told[0].count, 2);
    assert_int_equal(w.p->told[0].mask[0] | w.p->told[0].mask[1], 0);
    assert_int_equal(w.p->told[1].words[1], 4);
    // The oracle cannot say whether another mapping makes it right.
    struct spv_memory seen[2] = {w.p->told[0], w.p->told[1]};
    uint32_t other[2] = {3, 5};
    seen[1].words = other;
    w.p->made.why.status = ORC_UNSUPPORTED;
    w.r = (struct run_result){.status = RUN_OK, .form = RUN_FORM_MEMORY, .memory = seen, .memory_count = 2, .maps_lanes = true};
    assert_int_equal(judge(&w), JUDGE_WRONG_MEMORY);
    stop(&w);
}

// ---- choices ------------------------------------------------------------------------------

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
    assert_int_equal(made.why.status, ORC_OK);
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
        assert_int_equal(w.p->made.why.status, ORC_UNDEFINED);
        assert_string_equal(w.p->made.why.rule, "E-race");
        assert_int_equal(w.p->policy.base, policy);
    }
    w.c.has_policy = true; // the case says which: the others do not count
    int meant = 0;
    for (int policy = 0; policy < SPV_POLICIES; policy++) {
        w.c.policy = (struct spv_choices){.base = (enum spv_policy)policy};
        w.p = judge_predict(&w.a, &w.c, 1, w.c.subgroup, SPV_POLICY_JOIN);
        meant += w.p->made.why.status == ORC_OK;
    }
    assert_in_range(meant, 1, SPV_POLICIES - 1);
    stop(&w);
}

// ---- other mappings, by how they are drawn on paper ---------------------------------------------

enum { BY_COLUMNS, IN_QUADS, BACKWARDS, DEALT, LAYOUTS };

// place[invocation of the workgroup] = its place, counted in the order of the layout
static void lay_out(int layout, const uint32_t s[3], uint32_t *place)
{
    const uint32_t n = s[0] * s[1] * s[2];
    uint32_t next = 0;
#define AT(x, y, z) place[((z) * s[1] + (y)) * s[0] + (x)]
    if (layout == BY_COLUMNS) {
        for (uint32_t z = 0; z < s[2]; z++)
            for (uint32_t x = 0; x < s[0]; x++)
                for (uint32_t y = 0; y < s[1]; y++)
                    AT(x, y, z) = next++;
    } else if (layout == IN_QUADS) {
        for (uint32_t z = 0; z < s[2]; z++)
            for (uint32_t y = 0; y < s[1]; y += 2)
                for (uint32_t x = 0; x < s[0]; x += 2)
                    for (uint32_t k = 0; k < 4; k++)
                        AT(x + k % 2, y + k / 2, z) = next++;
    } else if (layout == BACKWARDS) {
        for (uint32_t i = n; i-- > 0;)
            place[i] = next++;
    } else {
        for (uint32_t lane = 0; lane < SIZE; lane++)
            for (uint32_t g = 0; g < n / SIZE; g++)
                place[next++] = g * SIZE + lane;
    }
}

static void test_layouts(void **state)
{
    (void)state;
    static const char *const words[] = {"laid out by columns", "in quads of two by two", "from the last to the first", "in turn"};
    static const struct {
        const char *size;
        uint32_t s[3], groups[3];
    } shapes[] = {{"4 4 1", {4, 4, 1}, {1, 1, 1}}, {"8 2 1", {8, 2, 1}, {1, 1, 1}}, {"2 8 1", {2, 8, 1}, {1, 1, 1}},
                  {"4 2 2", {4, 2, 2}, {1, 1, 1}}, {"2 4 2", {2, 4, 2}, {1, 1, 1}}, {"4 2 1", {4, 2, 1}, {2, 1, 1}},
                  {"2 4 1", {2, 4, 1}, {2, 1, 1}}, {"2 2 2", {2, 2, 2}, {2, 1, 1}}, {"3 2 1", {3, 2, 1}, {1, 1, 1}},
                  {"2 3 1", {2, 3, 1}, {1, 1, 1}}, {"2 1 1", {2, 1, 1}, {1, 1, 1}}, {"5 2 1", {5, 2, 1}, {1, 1, 1}}, {"8 1 1", {8, 1, 1}, {2, 1, 1}}};
    for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++)
        for (int layout = 0; layout < LAYOUTS; layout++) {
            const uint32_t *s = shapes[k].s, *g = shapes[k].groups, n = s[0] * s[1] * s[2], all = n * g[0] * g[1] * g[2];
            uint32_t place[ALL];
            if ((layout == IN_QUADS && (s[0] % 2 || s[1] % 2)) || (layout == DEALT && n % SIZE))
                continue;
            struct world w;
            start_sized(&w, "", shapes[k].size);
            memcpy(w.c.groups, g, sizeof w.c.groups);
            w.p = judge_predict(&w.a, &w.c, 1, SIZE, SPV_POLICY_JOIN);
            assert_int_equal(w.p->made.why.status, ORC_OK);
            lay_out(layout, s, place);
            memset(w.out, 0, sizeof w.out);
            memset(w.lanes, 0, sizeof w.lanes);
            bool linear = true;
            for (uint32_t i = 0; i < all; i++) {
                const uint32_t at = place[i % n];
                linear &= at == i % n;
                w.lanes[3 * i] = at / SIZE, w.lanes[3 * i + 1] = at % SIZE, w.lanes[3 * i + 2] = SIZE;
                for (uint32_t j = 0; j < n; j++) // the first of its subgroup
                    if (place[j] / SIZE == at / SIZE && place[j] % SIZE == 0)
                        w.out[i] = i - i % n + j + 10 + 16 * (at % SIZE);
            }
            w.r.maps_lanes = true;
            const enum judge_class seen = judge(&w);
            if (seen != (linear ? JUDGE_AGREES : JUDGE_UNJUDGED) || (!linear && !strstr(w.j.verdict.text, "(`; lanes`), and is right")))
                fail_msg("%s, %s: %s %s", shapes[k].size, words[layout], judge_class_name(seen), w.j.verdict.text);
            w.out[all - 1] ^= 1; // explained by none
            assert_int_equal(judge(&w), JUDGE_WRONG_MEMORY);
            stop(&w);
        }
    // The case declares its buffer: what it says is so, and no other is looked for.
    struct world w;
    start(&w, with_lanes);
    mapped(&w, (const uint32_t[]){1, 1, 1, 1, 0, 0, 0, 0}, (const uint32_t[]){3, 2, 1, 0, 3, 2, 1, 0});
    w.r.maps_lanes = true;
    for (uint32_t i = 0; i < ALL; i++)
        w.lanes[3 * i] = linear_sid[i % GROUP], w.lanes[3 * i + 1] = linear_lane[i % GROUP];
    assert_int_equal(judge(&w), JUDGE_WRONG_MEMORY);
    stop(&w);
}

// By how little it is promised: what one invocation does alone, what all do together; by the mapping that was seen.
static void test_weakest(void **state)
{
    (void)state;
    static const struct {
        const char *size;
        uint32_t groups[3];
        enum judge_promise p;
    } table[] = {{"1 1 1", {1, 1, 1}, JUDGE_PROMISE_SINGLE},    {"2 1 1", {1, 1, 1}, JUDGE_PROMISE_WORKGROUP},
                 {"1 2 1", {1, 1, 1}, JUDGE_PROMISE_WORKGROUP}, {"1 1 2", {1, 1, 1}, JUDGE_PROMISE_WORKGROUP},
                 {"1 1 1", {2, 1, 1}, JUDGE_PROMISE_WORKGROUP}};
    struct world w;
    for (size_t k = 0; k < sizeof table / sizeof *table; k++) {
        start_sized(&w, k < 4 ? with_lanes : "", table[k].size);
        memcpy(w.c.groups, table[k].groups, sizeof w.c.groups);
        w.p = judge_predict(&w.a, &w.c, 1, SIZE, SPV_POLICY_JOIN);
        assert_int_equal(judge_weakest(&w.c, w.p->made.memory), JUDGE_PROMISE_MAXIMAL); // nothing is wrong
        w.p->made.memory[OUT].words[0] ^= 1;
        assert_int_equal(judge_weakest(&w.c, w.p->made.memory), table[k].p);
        w.c.subgroup = 0;
        assert_int_equal(judge_weakest(&w.c, w.p->made.memory), JUDGE_PROMISE_UNKNOWN);
        stop(&w);
    }
    start(&w, with_lanes);
    mapped(&w, other_sid, other_lane);
    assert_int_equal(judge_weakest(&w.c, w.memory), JUDGE_PROMISE_MAXIMAL);
    w.out[7] ^= 1;
    assert_int_equal(judge_weakest(&w.c, w.memory), JUDGE_PROMISE_WORKGROUP);
    w.out[7] ^= 1;
    w.lanes[3 * ALL] ^= 1; // behind what tells the mapping
    assert_int_equal(judge_weakest(&w.c, w.memory), JUDGE_PROMISE_MAXIMAL);
    w.out[7] ^= 1;
    w.lanes[1] = w.lanes[4]; // no mapping: nothing can be asked
    assert_int_equal(judge_weakest(&w.c, w.memory), JUDGE_PROMISE_MAXIMAL);
    stop(&w);
    static const char *const names[] = {"", "maximal", "subgroup-uniform", "workgroup-uniform", "single-invocation"};
    for (int k = 0; k <= JUDGE_PROMISE_SINGLE; k++)
        assert_string_equal(judge_promise_name((enum judge_promise)k), names[k]);
}

// ---- small ones -----------------------------------------------------------------------------

static void test_difference(void **state)
{
    (void)state;
    uint32_t words[2][2] = {{1, 2}, {1, 2}}, masks[2][2] = {{~0u, 5}, {~0u, 5}};
    struct spv_memory m[2] = {{.set = 1, .binding = 3, .count = 2, .words = words[0], .mask = masks[0]},
                              {.set = 1, .binding = 3, .count = 2, .words = words[1], .mask = masks[1]}};
    struct orc_result x = {.memory = &m[0], .memory_count = 1}, y = {.memory = &m[1], .memory_count = 1};
    char text[200];
    assert_true(judge_same_result(&x, &y));
    words[1][1] = 6;
    assert_false(judge_same_result(&x, &y));
    assert_true(judge_difference(&x, &y, text, sizeof text));
    assert_string_equal(text, "buffer 1:3, word 1: mask 0x2/0x5, tag 0x6/0x5");
    words[1][1] = 2, masks[1][1] = 4;
    assert_true(judge_difference(&x, &y, text, sizeof text));
    assert_string_equal(text, "buffer 1:3, word 1: mask 0x2/0x5, tag 0x2/0x4");
    masks[1][1] = 5, masks[1][0] = 0xff;
    assert_true(judge_difference(&x, &y, text, sizeof text));
    m[0].mask = m[1].mask = NULL; // all is defined
    assert_true(judge_same_result(&x, &y));
    m[1].mask = masks[0];
    assert_true(judge_difference(&x, &y, text, sizeof text));
    assert_string_equal(text, "buffer 1:3, word 1: mask 0x2/0xffffffff, tag 0x2/0x5");
    m[1].mask = NULL;
    y.why.status = ORC_OVER_LIMIT;
    assert_true(judge_difference(&x, &y, text, sizeof text));
    assert_string_equal(text, "mask: ok, tag: over limit");
    x.why.status = y.why.status = ORC_UNDEFINED;
    memcpy(x.why.rule, "E-race", 7);
    memcpy(y.why.rule, "E-race", 7);
    assert_true(judge_same_result(&x, &y));
    memcpy(y.why.rule, "E-align", 8);
    memcpy(x.why.text, "one", 4);
    memcpy(y.why.text, "two", 4);
    assert_true(judge_difference(&x, &y, text, sizeof text));
    assert_string_equal(text, "mask: one, tag: two");
}

static void test_subgroup(void **state)
{
    (void)state;
    struct spv_case c = {.subgroup = 8};
    struct run_info info = {.subgroup_size = 32};
    assert_int_equal(judge_subgroup(&c, 16, &info), 8);
    c.subgroup = 0;
    assert_int_equal(judge_subgroup(&c, 16, &info), 16);
    assert_int_equal(judge_subgroup(&c, 0, &info), 32);
    assert_int_equal(judge_subgroup(&c, 0, NULL), 0);
}

static void test_classes(void **state)
{
    (void)state;
    for (enum judge_class k = 0; k <= JUDGE_FAILED; k++) {
        assert_true(strlen(judge_class_name(k)) > 2 && strlen(judge_class_line(k)) > 10);
        assert_int_equal(judge_class_is_mismatch(k), k >= JUDGE_WRONG_VALUE && k <= JUDGE_WRONG_COVERAGE);
        assert_int_equal(judge_class_is_finding(k), k >= JUDGE_WRONG_VALUE && k <= JUDGE_EARLY_USE);
        assert_int_equal(judge_class_is_mapping(k), k == JUDGE_WRONG_MAPPING || k == JUDGE_WRONG_COVERAGE);
    }
    assert_string_equal(judge_class_name(JUDGE_MISSING_LANES), "missing-lanes");
    assert_string_equal(judge_class_name(JUDGE_CLASSES), "unknown"); // what a file of another version holds
    assert_string_equal(judge_class_line(JUDGE_CLASSES), "unknown");
    assert_false(judge_class_is_finding(JUDGE_CLASSES) || judge_class_is_mismatch(JUDGE_CLASSES));
    const enum judge_class none = (enum judge_class)(1 << 28);
    assert_false(judge_class_is_finding(none) || judge_class_is_mismatch(none));
    assert_true(judge_weak(SPV_SUBGROUP_UNIFORM) && judge_weak(SPV_WORKGROUP_UNIFORM));
    assert_false(judge_weak(SPV_MAXIMAL) || judge_weak(SPV_ASSUMED_MAXIMAL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_memory),     cmocka_unit_test(test_schedules), cmocka_unit_test(test_mapping),
        cmocka_unit_test(test_mapping_of_quads), cmocka_unit_test(test_no_lanes), cmocka_unit_test(test_layouts),
        cmocka_unit_test(test_weakest),
        cmocka_unit_test(test_lanes_read), cmocka_unit_test(test_statuses),
        cmocka_unit_test(test_told),       cmocka_unit_test(test_told_alone),
        cmocka_unit_test(test_choices),    cmocka_unit_test(test_choice_without_meaning),
        cmocka_unit_test(test_difference), cmocka_unit_test(test_subgroup),
        cmocka_unit_test(test_classes),
        cmocka_unit_test(test_early_use),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
