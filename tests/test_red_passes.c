// SPDX-License-Identifier: Apache-2.0
//
// Each pass of stage 2 on a place where it applies and on a module where it does not.
// Here everything valid is interesting: what comes out is held against spirv-val alone.
#include "reduce/pass.h"
#include "test_spv_common.h"

#define COUNT(v) (sizeof(v) / sizeof *(v))

// Nothing that any pass could take away, but for the sizes.
#define LEAST                                                                                      \
    "OpCapability Shader\nOpMemoryModel Logical GLSL450\n"                                         \
    "OpEntryPoint GLCompute %1 \"main\"\nOpExecutionMode %1 LocalSize 1 1 1\n"                     \
    "%2 = OpTypeVoid\n%3 = OpTypeFunction %2\n"                                                    \
    "%1 = OpFunction %2 None %3\n%4 = OpLabel\nOpReturn\nOpFunctionEnd\n"

// A loop with a selection in it, a switch, a call with a parameter, two blocks in a row,
// names, a capability that nobody needs, and a buffer that all of it ends in.
#define RICH                                                                                       \
    "OpCapability Shader\nOpCapability GroupNonUniform\nOpCapability GroupNonUniformBallot\n"      \
    "OpCapability GroupNonUniformVote\nOpCapability GroupNonUniformArithmetic\n"                    \
    "OpMemoryModel Logical GLSL450\n"                                                              \
    "OpEntryPoint GLCompute %main \"main\" %lane_in %out\nOpExecutionMode %main LocalSize 8 2 1\n" \
    "OpName %main \"main\"\nOpName %callee \"callee\"\n"                                           \
    "OpDecorate %lane_in BuiltIn LocalInvocationIndex\n"                                           \
    "OpDecorate %words ArrayStride 4\nOpDecorate %block Block\n"                                   \
    "OpMemberDecorate %block 0 Offset 0\nOpDecorate %out DescriptorSet 0\n"                        \
    "OpDecorate %out Binding 0\nOpDecorate %out Coherent\n"                                        \
    "%void = OpTypeVoid\n%bool = OpTypeBool\n%uint = OpTypeInt 32 0\n"                             \
    "%uvec4 = OpTypeVector %uint 4\n%void_fn = OpTypeFunction %void\n"                             \
    "%uint_fn = OpTypeFunction %uint %uint\n%words = OpTypeRuntimeArray %uint\n"                   \
    "%block = OpTypeStruct %words\n%block_ptr = OpTypePointer StorageBuffer %block\n"              \
    "%uint_ptr = OpTypePointer StorageBuffer %uint\n%in_ptr = OpTypePointer Input %uint\n"         \
    "%true = OpConstantTrue %bool\n%u0 = OpConstant %uint 0\n%u2 = OpConstant %uint 2\n"           \
    "%u3 = OpConstant %uint 3\n%u9 = OpConstant %uint 9\n"                                         \
    "%out = OpVariable %block_ptr StorageBuffer\n%lane_in = OpVariable %in_ptr Input\n"            \
    "%main = OpFunction %void None %void_fn\n%entry = OpLabel\n%lane = OpLoad %uint %lane_in\n"    \
    "%called = OpFunctionCall %uint %callee %u9\nOpBranch %next\n"                                 \
    "%next = OpLabel\n%more = OpIAdd %uint %lane %called\nOpBranch %header\n"                      \
    "%header = OpLabel\n%i = OpPhi %uint %u0 %next %i_next %cont\n"                                \
    "OpLoopMerge %merge %cont Unroll\nOpBranch %body\n"                                            \
    "%body = OpLabel\n%done = OpUGreaterThan %bool %i %lane\nOpSelectionMerge %go_on None\n"       \
    "OpBranchConditional %done %leave %go_on\n"                                                    \
    "%leave = OpLabel\n%vote = OpGroupNonUniformBallot %uvec4 %u3 %true\n"                         \
    "%mask = OpCompositeExtract %uint %vote 0\n%at = OpAccessChain %uint_ptr %out %u0 %more\n"     \
    "OpStore %at %mask\n%any = OpGroupNonUniformAny %bool %u3 %done\n"                             \
    "%any_word = OpSelect %uint %any %u2 %u0\nOpStore %at %any_word\n"                              \
    "%least = OpGroupNonUniformSMin %uint %u3 InclusiveScan %lane\nOpStore %at %least\n"           \
    "OpBranch %merge\n"                                                                            \
    "%go_on = OpLabel\nOpBranch %cont\n%cont = OpLabel\n%i_next = OpIAdd %uint %i %u2\n"           \
    "OpBranch %header\n%merge = OpLabel\nOpSelectionMerge %end None\n"                             \
    "OpSwitch %lane %end 1 %case 2 %end\n%case = OpLabel\nOpBranch %end\n%end = OpLabel\n"         \
    "OpReturn\nOpFunctionEnd\n"                                                                    \
    "%callee = OpFunction %uint None %uint_fn\n%param = OpFunctionParameter %uint\n"               \
    "%c_entry = OpLabel\n%twice = OpIMul %uint %param %param\n"                                     \
    "%small = OpULessThan %bool %param %u2\nOpSelectionMerge %c_end None\n"                         \
    "OpBranchConditional %small %c_none %c_some\n%c_none = OpLabel\nOpBranch %c_end\n"              \
    "%c_some = OpLabel\n%c_at = OpAccessChain %uint_ptr %out %u0 %u3\nOpStore %c_at %twice\n"       \
    "OpBranch %c_end\n%c_end = OpLabel\nOpReturnValue %twice\n"                                    \
    "OpFunctionEnd\n"

static struct spv_case case_of(struct fixture *f, const char *text)
{
    struct spv_case c = {.groups = {2, 1, 1}, .subgroup = 8};
    c.words = assembled(f, text, &c.count);
    c.buffer_count = 2; // the second is bound to nothing
    for (uint32_t b = 0; b < 2; b++) {
        c.buffer[b] = (struct spv_buffer){.binding = b, .fill = SPV_FILL_WORDS, .count = 64};
        c.buffer[b].words = ARENA_ARRAY(&f->arena, uint32_t, 64);
        c.buffer[b].words[3] = 77;
    }
    return c;
}

// Disassembly with %X for each id and without indentation.
static const char *without_names(struct arena *a, const char *text)
{
    struct text out = {.arena = a};
    for (const char *s = text; *s;) {
        bool start = s == text || s[-1] == '\n';
        if (start && *s == ' ') {
            s += strspn(s, " ");
        } else if (*s == '%') {
            text_add(&out, "%%X");
            s += 1 + strspn(s + 1, "0123456789_abcdefghijklmnopqrstuvwxyz");
        } else {
            text_addn(&out, s++, 1);
        }
        if (start && s > text && s[-1] == ' ')
            continue;
    }
    return out.v;
}

static void plan(struct fixture *f, const struct spv_case *c, const struct red_pass *pass,
                 struct spv_module *m, struct red_plan *p)
{
    static const struct red_options o = {.jobs = 1};
    *p = (struct red_plan){.o = &o};
    assert_true(spv_module_read(&f->arena, c->words, c->count, m, NULL));
    edit_start(&p->e, &f->arena, c, m);
    pass->plan(p);
}

// How many places gave a valid module in which `gone` stands less often.
static uint32_t apply_all(struct fixture *f, const struct spv_case *c, const struct red_pass *pass,
                          const char *gone)
{
    struct spv_module m;
    struct red_plan p;
    uint32_t good = 0;
    plan(f, c, pass, &m, &p);
    const char *text, *before;
    assert_true(spv_disassemble(f->tools, &f->arena, c->words, c->count, &before, NULL));
    for (size_t i = 0; i < p.steps.n; i++) {
        struct spv_edit e;
        edit_start(&e, &f->arena, c, &m);
        if (!pass->apply(&e, &p.steps.v[i]) || !edit_finish(&e))
            continue;
        if (!spv_validate(f->tools, SPV_ENV_VULKAN_1_3, e.c.words, e.c.count, NULL))
            continue;
        assert_true(spv_disassemble(f->tools, &f->arena, e.c.words, e.c.count, &text, NULL));
        uint32_t n[2] = {0, 0};
        const char *texts[] = {before, text};
        for (int k = 0; k < 2; k++)
            for (const char *s = texts[k]; (s = strstr(s, gone)); s++)
                n[k]++;
        good += n[1] < n[0];
    }
    return good;
}

static const struct {
    const struct red_pass *pass;
    const char *gone; // what it takes away somewhere in RICH
    uint32_t least;   // in so many places or more
} rows[] = {
    {&pass_debug, "OpName", 1},           {&pass_debug, "Coherent", 1},
    {&pass_calls, "OpFunctionCall", 1},   {&pass_loops, "OpLoopMerge", 1},
    {&pass_selections, "OpSelectionMerge", 3}, {&pass_selections, "OpSwitch", 2},
    {&pass_exits, "OpSwitch", 1},         {&pass_ops, "OpGroupNonUniformAny", 1},
    {&pass_arms, "OpLabel", 1},           {&pass_leave, "OpLoopMerge", 1},
    {&pass_flat, "OpSelectionMerge", 1},
    {&pass_ops, "OpGroupNonUniformSMin", 2}, {&pass_ops, "InclusiveScan", 2},
    {&pass_remove, "OpGroupNonUniformBallot", 2}, {&pass_remove, "OpStore", 2},
    {&pass_remove, "OpVariable", 2},      {&pass_values, "OpIMul", 1},
    {&pass_values, "OpIAdd", 2},          {&pass_operands, "OpIAdd", 1},
    {&pass_params, "OpFunctionParameter", 1}, {&pass_merge, "OpLabel", 1},
    {&pass_declare, "OpCapability GroupNonUniform\n", 1},
    {&pass_sizes, "LocalSize 8 2 1", 3},  {&pass_constants, "OpConstant %", 1},
    {&pass_constants, "Unroll", 1},
};

static void applies(void **state)
{
    struct fixture *f = *state;
    struct spv_case c = case_of(f, RICH);
    struct err e = {{0}};
    if (!spv_validate(f->tools, SPV_ENV_VULKAN_1_3, c.words, c.count, &e))
        fail_msg("%s", e.msg);
    for (size_t i = 0; i < COUNT(rows); i++) {
        uint32_t n = apply_all(f, &c, rows[i].pass, rows[i].gone);
        if (n < rows[i].least)
            fail_msg("%s: '%s' went in %u places, not %u", rows[i].pass->name, rows[i].gone, n,
                     rows[i].least);
    }
}

// A module of one group operation: its arguments after the scope.
#define ONE_OP(capability, extension, op)                                                          \
    "OpCapability Shader\nOpCapability GroupNonUniform" capability "\n" extension                  \
    "OpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %1 \"main\"\n"                          \
    "OpExecutionMode %1 LocalSize 1 1 1\n%2 = OpTypeVoid\n%3 = OpTypeFunction %2\n"               \
    "%u = OpTypeInt 32 0\n%b = OpTypeBool\n%scope = OpConstant %u 3\n%yes = OpConstantTrue %b\n"  \
    "%1 = OpFunction %2 None %3\n%4 = OpLabel\n%r = OpGroupNonUniform" op                          \
    "\nOpReturn\nOpFunctionEnd\n"

// RotateKHR, which the grammar has in another class, is one of them.
static void counts_group_operations(void **state)
{
    struct fixture *f = *state;
    static const char *const texts[] = {
        ONE_OP("Vote", "", "All %b %scope %yes"),
        ONE_OP("RotateKHR", "OpExtension \"SPV_KHR_subgroup_rotate\"\n",
               "RotateKHR %u %scope %scope %scope"),
    };
    for (size_t i = 0; i < COUNT(texts); i++) {
        struct spv_case c = case_of(f, texts[i]);
        struct red_size s;
        assert_true(red_measure(&c, &s));
        assert_int_equal(s.group_ops, 1);
    }
}

// AllEqual is plainer as All or Any where what it compares are bools.
static void plainer_vote(void **state)
{
    struct fixture *f = *state;
    struct spv_case c = case_of(f, ONE_OP("Vote", "", "AllEqual %b %scope %yes"));
    assert_int_equal(apply_all(f, &c, &pass_ops, "AllEqual"), 2);
    assert_int_equal(op_rank(&(struct spv_inst){.op = SpvOpGroupNonUniformAllEqual}), 8);
    c = case_of(f, ONE_OP("Vote", "", "AllEqual %b %scope %scope"));
    assert_int_equal(apply_all(f, &c, &pass_ops, "AllEqual"), 0);
    c = case_of(f, ONE_OP("Vote", "", "Any %b %scope %yes"));
    assert_int_equal(apply_all(f, &c, &pass_ops, "Any"), 1);
}

// A loop that tests before its body may go, or run once; one that is left from inside a
// selection may only go.
static void loop_runs_once(void **state)
{
    struct fixture *f = *state;
    struct spv_case c = case_of(
        f, "OpCapability Shader\nOpMemoryModel Logical GLSL450\n"
           "OpEntryPoint GLCompute %1 \"main\"\nOpExecutionMode %1 LocalSize 1 1 1\n"
           "%2 = OpTypeVoid\n%3 = OpTypeFunction %2\n%5 = OpTypeInt 32 0\n%6 = OpTypeBool\n"
           "%7 = OpConstant %5 0\n%8 = OpConstant %5 3\n"
           "%1 = OpFunction %2 None %3\n%4 = OpLabel\nOpBranch %10\n"
           "%10 = OpLabel\n%11 = OpPhi %5 %7 %4 %12 %13\nOpLoopMerge %14 %13 None\nOpBranch %15\n"
           "%15 = OpLabel\n%16 = OpULessThan %6 %11 %8\nOpBranchConditional %16 %17 %14\n"
           "%17 = OpLabel\nOpBranch %13\n%13 = OpLabel\n%12 = OpIAdd %5 %11 %8\nOpBranch %10\n"
           "%14 = OpLabel\nOpReturn\nOpFunctionEnd\n");
    assert_int_equal(apply_all(f, &c, &pass_loops, "OpLoopMerge"), 2);
    assert_int_equal(apply_all(f, &c, &pass_loops, "OpULessThan"), 1);
    c = case_of(f, RICH);
    assert_int_equal(apply_all(f, &c, &pass_loops, "OpLoopMerge"), 1);
}

// A loop that lanes leave one by one: the ballot behind it becomes an arm's, or the one in it
// that of those who stay, and what is read of a variable is read behind.
static void loop_is_left(void **state)
{
    struct fixture *f = *state;
    static const struct {
        const char *exit, *back; // how the body's block ends; how the continue target does
        const char *text;        // what must come out of one edit at least
    } ways[] = {
        // Who leaves asks, the others return.
        {"OpBranchConditional %out %merge %stay", "OpBranch %header",
         "OpSelectionMerge %X None\nOpBranchConditional %X %X %X\n%X = OpLabel\nOpBranch %X\n%X = OpLabel\n"
         "OpStore %X %X\nOpReturn\n%X = OpLabel\n%X = OpGroupNonUniformBallot"},
        {"OpSelectionMerge %stay None\nOpBranchConditional %out %leave %stay\n%leave = OpLabel\nOpBranch %merge",
         "OpBranch %header",
         "OpLabel\nOpBranch %X\n%X = OpLabel\nOpBranch %X\n%X = OpLabel\nOpStore %X %X\nOpReturn\n"},
        // The way out is the back edge's.
        {"OpBranch %stay", "OpBranchConditional %out %merge %header",
         "OpSelectionMerge %X None\nOpBranchConditional %X %X %X\n%X = OpLabel\nOpReturn\n"},
        // Both: who goes round again returns.
        {"OpBranchConditional %out %merge %stay", "OpBranchConditional %out %header %merge",
         "OpStore %X %X\nOpReturn\n%X = OpLabel\n%X = OpGroupNonUniformBallot"},
        // Those who stay ask, not all who came.
        {"OpBranchConditional %out %merge %stay", "OpBranch %header",
         "OpSelectionMerge %X None\nOpBranchConditional %X %X %X\n%X = OpLabel\n%X = OpGroupNonUniformBallot "
         "%X %X %X\n%X = OpCompositeExtract %X %X 0\nOpStore %X %X\nOpBranch %X\n"},
        // What the loop read last is read behind it, and computed there.
        {"OpBranchConditional %out %merge %stay", "OpBranch %header",
         "%X = OpLoad %X %X\n%X = OpIAdd %X %X %X\n%X = OpGroupNonUniformBallot %X %X %X\nOpStore %X %X\n"},
        // One way out of two.
        {"OpBranchConditional %true %more %merge\n%more = OpLabel\nOpBranchConditional %out %merge %stay",
         "OpBranch %header",
         "OpBranch %X\n%X = OpLabel\nOpSelectionMerge %X None\nOpBranchConditional %X %X %X\n%X = OpLabel\n"
         "OpBranch %X\n%X = OpLabel\nOpStore %X %X\nOpBranch"},
    };
    for (size_t i = 0; i < COUNT(ways); i++) {
        const char *text = arena_printf(&f->arena,
            "OpCapability Shader\nOpCapability GroupNonUniform\nOpCapability GroupNonUniformBallot\n"
            "OpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %%main \"main\" %%lane_in\n"
            "OpExecutionMode %%main LocalSize 4 1 1\nOpDecorate %%lane_in BuiltIn LocalInvocationIndex\n"
            "%%void = OpTypeVoid\n%%fn = OpTypeFunction %%void\n%%bool = OpTypeBool\n%%uint = OpTypeInt 32 0\n"
            "%%four = OpTypeVector %%uint 4\n%%pf = OpTypePointer Function %%uint\n"
            "%%pi = OpTypePointer Input %%uint\n%%lane_in = OpVariable %%pi Input\n"
            "%%u0 = OpConstant %%uint 0\n%%u3 = OpConstant %%uint 3\n%%true = OpConstantTrue %%bool\n"
            "%%main = OpFunction %%void None %%fn\n%%entry = OpLabel\n%%i = OpVariable %%pf Function\n"
            "%%v = OpVariable %%pf Function\nOpStore %%i %%u0\n%%lane = OpLoad %%uint %%lane_in\nOpBranch %%header\n"
            "%%header = OpLabel\nOpLoopMerge %%merge %%cont None\nOpBranch %%body\n"
            "%%body = OpLabel\n%%ballot = OpGroupNonUniformBallot %%four %%u3 %%true\n"
            "%%word = OpCompositeExtract %%uint %%ballot 0\nOpStore %%v %%word\n%%old = OpLoad %%uint %%i\n"
            "%%next = OpIAdd %%uint %%old %%u3\n%%out = OpIEqual %%bool %%old %%lane\n%s\n%%stay = OpLabel\nOpBranch %%cont\n"
            "%%cont = OpLabel\nOpStore %%i %%lane\n%s\n"
            "%%merge = OpLabel\n%%behind = OpGroupNonUniformBallot %%four %%u3 %%true\nOpStore %%v %%next\n"
            "OpReturn\nOpFunctionEnd\n",
            ways[i].exit, ways[i].back);
        struct spv_case c = case_of(f, text);
        struct spv_module m;
        struct red_plan p;
        struct err err = {{0}};
        if (!spv_validate(f->tools, SPV_ENV_VULKAN_1_3, c.words, c.count, &err))
            fail_msg("%zu: %s", i, err.msg);
        bool found = false;
        plan(f, &c, &pass_leave, &m, &p);
        for (size_t k = 0; k < p.steps.n; k++) {
            struct spv_edit e;
            const char *now;
            edit_start(&e, &f->arena, &c, &m);
            if (!pass_leave.apply(&e, &p.steps.v[k]) || !edit_finish(&e) ||
                !spv_validate(f->tools, SPV_ENV_VULKAN_1_3, e.c.words, e.c.count, NULL))
                continue;
            assert_true(spv_disassemble(f->tools, &f->arena, e.c.words, e.c.count, &now, NULL));
            assert_null(strstr(now, "OpLoopMerge"));
            found |= strstr(without_names(&f->arena, now), ways[i].text) != NULL;
        }
        if (!found)
            fail_msg("way %zu: no edit gives this:\n%s", i, ways[i].text);
    }
}

// An atomic operation is a store where nothing needs what was there before.
static void atomic_is_a_store(void **state)
{
    struct fixture *f = *state;
    struct spv_case c = case_of(f,
        "OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %1 \"main\" %10\n"
        "OpExecutionMode %1 LocalSize 1 1 1\nOpDecorate %10 DescriptorSet 0\nOpDecorate %10 Binding 0\n"
        "OpDecorate %6 ArrayStride 4\nOpDecorate %7 Block\nOpMemberDecorate %7 0 Offset 0\n"
        "%2 = OpTypeVoid\n%3 = OpTypeFunction %2\n%5 = OpTypeInt 32 0\n%6 = OpTypeRuntimeArray %5\n"
        "%7 = OpTypeStruct %6\n%8 = OpTypePointer StorageBuffer %7\n%9 = OpTypePointer StorageBuffer %5\n"
        "%10 = OpVariable %8 StorageBuffer\n%11 = OpConstant %5 1\n%12 = OpConstant %5 0\n"
        "%1 = OpFunction %2 None %3\n%4 = OpLabel\n%13 = OpAccessChain %9 %10 %12 %12\n"
        "%14 = OpAtomicUMin %5 %13 %11 %12 %11\n%15 = OpAtomicOr %5 %13 %11 %12 %11\nOpStore %13 %15\n"
        "OpReturn\nOpFunctionEnd\n");
    struct err e = {{0}};
    if (!spv_validate(f->tools, SPV_ENV_VULKAN_1_3, c.words, c.count, &e))
        fail_msg("%s", e.msg);
    assert_int_equal(apply_all(f, &c, &pass_atomics, "OpAtomicUMin"), 1);
}

// An arm that returns where a return is all that follows goes on there.
static void arm_goes_on(void **state)
{
    struct fixture *f = *state;
    const char *text =
        "OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %1 \"main\"\n"
        "OpExecutionMode %1 LocalSize 1 1 1\n%2 = OpTypeVoid\n%3 = OpTypeFunction %2\n%5 = OpTypeBool\n"
        "%6 = OpConstantTrue %5\n%1 = OpFunction %2 None %3\n%4 = OpLabel\nOpSelectionMerge %8 None\n"
        "OpBranchConditional %6 %7 %8\n%7 = OpLabel\nOpReturn\n%8 = OpLabel\nOpReturn\nOpFunctionEnd\n";
    struct spv_case c = case_of(f, text);
    assert_int_equal(apply_all(f, &c, &pass_returns, "OpReturn"), 1);
}

static void does_not_apply(void **state)
{
    struct fixture *f = *state;
    struct spv_case c = case_of(f, LEAST);
    c.groups[0] = 1;
    c.subgroup = 4;
    c.buffer_count = 0;
    static const struct red_pass *const passes[] = {
        &pass_debug,  &pass_calls,    &pass_loops,  &pass_selections, &pass_remove,
        &pass_values, &pass_operands, &pass_params, &pass_merge,      &pass_declare,
        &pass_sizes,  &pass_constants, &pass_inputs,   &pass_ops,        &pass_exits,
        &pass_arms,   &pass_leave,     &pass_returns, &pass_flat, &pass_atomics,
        &pass_cover,
    };
    for (size_t i = 0; i < COUNT(passes); i++) {
        struct spv_module m;
        struct red_plan p;
        plan(f, &c, passes[i], &m, &p);
        if (p.steps.n)
            fail_msg("%s has %zu places in a module without any", passes[i]->name, p.steps.n);
    }
}

// What was unused before an edit stays, for a fault may hang on it; what becomes so goes.
static void unused_before_stays(void **state)
{
    struct fixture *f = *state;
    struct spv_case c = case_of(
        f, "OpCapability Shader\nOpMemoryModel Logical GLSL450\n"
           "OpEntryPoint GLCompute %1 \"main\"\nOpExecutionMode %1 LocalSize 1 1 1\n"
           "OpName %1 \"main\"\n%2 = OpTypeVoid\n%3 = OpTypeFunction %2\n%5 = OpTypeInt 32 0\n"
           "%7 = OpConstant %5 2\n%8 = OpConstant %5 3\n"
           "%1 = OpFunction %2 None %3\n%4 = OpLabel\n"
           "%9 = OpIMul %5 %7 %8\n%10 = OpIAdd %5 %9 %7\nOpReturn\nOpFunctionEnd\n");
    assert_int_equal(apply_all(f, &c, &pass_debug, "OpIAdd"), 0);
    assert_int_equal(apply_all(f, &c, &pass_debug, "OpName"), 1);
    assert_true(apply_all(f, &c, &pass_remove, "OpIMul") >= 2); // with the sum, by itself
    assert_int_equal(apply_all(f, &c, &pass_around, "OpIAdd"), 1);
}

// What a fragment case draws gets smaller, and stays within the target.
static void covers(void **state)
{
    struct fixture *f = *state;
    struct spv_case c = case_of(f, LEAST);
    struct spv_module m;
    struct red_plan p;
    static const uint16_t corners[6][2] = {{40, 40}, {128, 40}, {40, 64}, {64, 32}, {96, 32}, {64, 64}};
    c.stage = SPV_FRAGMENT;
    c.target[0] = 8;
    c.target[1] = 4;
    c.cover = SPV_COVER_TRIANGLES;
    c.vertex_count = 6;
    memcpy(c.vertex, corners, sizeof corners);
    plan(f, &c, &pass_cover, &m, &p);
    bool full = false, one[2] = {false}, pixel = false, last = false, moved = false;
    for (size_t i = 0; i < p.steps.n; i++) {
        struct spv_edit e;
        edit_start(&e, &f->arena, &c, &m);
        assert_true(pass_cover.apply(&e, &p.steps.v[i]));
        const struct spv_case *x = &e.c;
        assert_true(x->target[0] && x->target[0] <= 8 && x->target[1] && x->target[1] <= 4);
        assert_true(!x->vertex_count == (x->cover == SPV_COVER_FULL));
        for (uint32_t k = 0; k < x->vertex_count; k++)
            assert_true(x->vertex[k][0] <= 16 * x->target[0] && x->vertex[k][1] <= 16 * x->target[1]);
        full |= x->cover == SPV_COVER_FULL && x->target[0] == 8;
        pixel |= x->target[0] == 1 && x->target[1] == 1;
        last |= x->cover == SPV_COVER_POINTS && x->vertex[0][0] == 7 * 16 + 8 && x->vertex[0][1] == 3 * 16 + 8;
        moved |= x->vertex[0][0] == 8 && x->vertex[0][1] == 8 && x->vertex[1][0] == 96;
        for (uint32_t k = 0; k < 2; k++)
            one[k] |= x->vertex_count == 3 && !memcmp(x->vertex, corners[3 * k], 3 * sizeof *corners);
    }
    assert_true(full && one[0] && one[1] && pixel && last && moved);
    // Points that a smaller target has no pixel for are gone; one point stays one.
    c.cover = SPV_COVER_POINTS;
    c.vertex_count = 2;
    c.vertex[0][0] = c.vertex[0][1] = 8;
    plan(f, &c, &pass_cover, &m, &p);
    bool gone = false;
    for (size_t i = 0; i < p.steps.n; i++) {
        struct spv_edit e;
        edit_start(&e, &f->arena, &c, &m);
        if (pass_cover.apply(&e, &p.steps.v[i]) && e.c.target[0] == 8 && e.c.target[1] == 1)
            gone = e.c.vertex_count == 1 && e.c.vertex[0][0] == 8;
    }
    assert_true(gone);
}

// What no pass may take: without it another thing is promised.
static void promises_stay(void **state)
{
    struct fixture *f = *state;
    struct spv_case c = case_of(
        f, "OpCapability Shader\nOpExtension \"SPV_KHR_maximal_reconvergence\"\n"
           "OpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %1 \"main\"\n"
           "OpExecutionMode %1 LocalSize 1 1 1\nOpExecutionMode %1 MaximallyReconvergesKHR\n"
           "%2 = OpTypeVoid\n%3 = OpTypeFunction %2\n"
           "%1 = OpFunction %2 None %3\n%4 = OpLabel\nOpReturn\nOpFunctionEnd\n");
    static const struct red_pass *const passes[] = {&pass_debug, &pass_remove, &pass_declare,
                                                    &pass_sizes, &pass_around};
    for (size_t i = 0; i < COUNT(passes); i++) {
        assert_int_equal(apply_all(f, &c, passes[i], "MaximallyReconvergesKHR"), 0);
        assert_int_equal(apply_all(f, &c, passes[i], "SPV_KHR_maximal_reconvergence"), 0);
    }
}

static void around_the_module(void **state)
{
    struct fixture *f = *state;
    struct spv_case c = case_of(f, RICH);
    struct spv_module m;
    struct red_plan p;
    c.has_log = c.has_lanes = true;
    c.lanes_binding = 5;
    plan(f, &c, &pass_around, &m, &p);
    bool log = false, lanes = false, buffer = false;
    for (size_t i = 0; i < p.steps.n; i++) {
        struct spv_edit e;
        edit_start(&e, &f->arena, &c, &m);
        if (!pass_around.apply(&e, &p.steps.v[i]))
            continue;
        log |= !e.c.has_log;
        lanes |= !e.c.has_lanes;
        buffer |= e.c.buffer_count == 1 && e.c.buffer[0].binding == 0;
    }
    assert_true(log && lanes && buffer);
    // The subject's own mapping stays to be read.
    const struct red_options keep = {.jobs = 1, .keep_lanes = true};
    p = (struct red_plan){.o = &keep};
    edit_start(&p.e, &f->arena, &c, &m);
    pass_around.plan(&p);
    for (size_t i = 0; i < p.steps.n; i++) {
        struct spv_edit e;
        edit_start(&e, &f->arena, &c, &m);
        assert_true(!pass_around.apply(&e, &p.steps.v[i]) || e.c.has_lanes);
    }
}

static void inputs_and_sizes(void **state)
{
    struct fixture *f = *state;
    struct spv_case c = case_of(f, RICH);
    struct spv_module m;
    struct red_plan p;
    plan(f, &c, &pass_inputs, &m, &p);
    bool zero = false, groups = false, shorter = false, subgroup = false;
    for (size_t i = 0; i < p.steps.n; i++) {
        struct spv_edit e;
        edit_start(&e, &f->arena, &c, &m);
        assert_true(pass_inputs.apply(&e, &p.steps.v[i]));
        zero |= e.c.buffer[0].words[3] == 0 && e.c.buffer[0].fill == SPV_FILL_ZERO;
    }
    assert_int_equal(c.buffer[0].words[3], 77); // the one it started from is as it was
    plan(f, &c, &pass_sizes, &m, &p);
    for (size_t i = 0; i < p.steps.n; i++) {
        struct spv_edit e;
        edit_start(&e, &f->arena, &c, &m);
        assert_true(pass_sizes.apply(&e, &p.steps.v[i]));
        groups |= e.c.groups[0] == 1;
        subgroup |= e.c.subgroup == 4;
        shorter |= e.c.buffer[0].count == 63;
    }
    assert_true(zero && groups && shorter && subgroup);
}

// Valid, with a loop and a ballot: what is left is next to nothing else.
static bool has_both(void *user, uint32_t worker, struct arena *a, const struct spv_case *c,
                bool generated)
{
    (void)user, (void)worker, (void)a, (void)generated;
    struct spv_module m;
    struct arena mine = {0};
    struct spv_tools *t = spv_tools_new();
    bool ok = spv_validate(t, SPV_ENV_VULKAN_1_3, c->words, c->count, NULL) &&
              spv_module_read(&mine, c->words, c->count, &m, NULL);
    bool ballot = false, loop = false;
    for (uint32_t i = 0; ok && i < m.inst_count; i++) {
        ballot |= m.insts[i].op == SpvOpGroupNonUniformBallot;
        loop |= m.insts[i].op == SpvOpLoopMerge;
    }
    arena_free(&mine);
    spv_tools_free(t);
    return ok && ballot && loop;
}
static bool saved(void *user, const struct spv_case *c, const struct red_stats *s)
{
    (void)user, (void)c, (void)s;
    return true;
}
static bool go_on(void *user, const struct red_stats *s)
{
    (void)user, (void)s;
    return true;
}
static bool stop(void *user, const struct red_stats *s)
{
    (void)user, (void)s;
    return false;
}

static void whole_reduction(void **state)
{
    struct fixture *f = *state;
    struct spv_case c = case_of(f, RICH), out[2];
    struct red_events ev = {.user = f, .ask = has_both, .better = saved, .tick = go_on};
    struct red_stats s;
    for (uint32_t k = 0; k < 2; k++) {
        const struct red_options o = {.jobs = 1 + 2 * k, .choices = true, .module = true};
        assert_int_equal(red_reduce(&f->arena, &c, &o, &ev, &out[k], &s), RED_MINIMAL);
        assert_int_equal(s.now.loops, 1);
        assert_int_equal(s.now.group_ops, 1);
        assert_int_equal(s.now.branches, 0);
        assert_in_range(s.now.body, 12, 14);
        assert_int_equal(s.now.invocations, 1);
    }
    assert_true(red_hash(&out[0]) == red_hash(&out[1]));
    const struct red_options o = {.jobs = 1, .module = true};
    ev.tick = stop;
    assert_int_equal(red_reduce(&f->arena, &c, &o, &ev, &out[0], &s), RED_INTERRUPTED);
    assert_true(s.now.instructions > 30);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(applies),           cmocka_unit_test(does_not_apply),
        cmocka_unit_test(counts_group_operations), cmocka_unit_test(plainer_vote),
        cmocka_unit_test(loop_runs_once),  cmocka_unit_test(loop_is_left), cmocka_unit_test(arm_goes_on), cmocka_unit_test(atomic_is_a_store),
         cmocka_unit_test(covers), cmocka_unit_test(promises_stay), cmocka_unit_test(unused_before_stays),    cmocka_unit_test(around_the_module),
        cmocka_unit_test(inputs_and_sizes),  cmocka_unit_test(whole_reduction),
    };
    return cmocka_run_group_tests_name("reduce: passes", tests, fixture_up, fixture_down);
}
