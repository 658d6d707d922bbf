// SPDX-License-Identifier: Apache-2.0
//
// printers: PTX. What cannot be printed is refused with the reason; a join has a vote only where the masks
// are not known at its header. That the masks are right is shown by tests/ptx_test.sh.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "printers/printers.h"

#include <string.h>

#define START(size)                                                                                \
    "OpCapability Shader\nOpCapability Int64\nOpCapability GroupNonUniform\n"                      \
    "OpCapability GroupNonUniformBallot\nOpCapability GroupNonUniformVote\n"                       \
    "OpCapability GroupNonUniformArithmetic\nOpCapability GroupNonUniformClustered\n"              \
    "OpCapability GroupNonUniformQuad\nOpCapability GroupNonUniformRotateKHR\n"                    \
    "OpCapability GroupNonUniformPartitionedNV\nOpExtension \"SPV_KHR_subgroup_rotate\"\n"         \
    "OpExtension \"SPV_NV_shader_subgroup_partitioned\"\nOpMemoryModel Logical GLSL450\n"          \
    "OpEntryPoint GLCompute %main \"main\" %lane_in %group_in %count_in\n"                         \
    "OpExecutionMode %main LocalSize " size "\nOpDecorate %lane_in BuiltIn SubgroupLocalInvocationId\n" \
    "OpDecorate %group_in BuiltIn WorkgroupId\nOpDecorate %count_in BuiltIn NumSubgroups\n"        \
    "OpDecorate %mask_in BuiltIn ViewIndex\nOpDecorate %words ArrayStride 4\nOpDecorate %block Block\n"       \
    "OpMemberDecorate %block 0 Offset 0\nOpDecorate %out DescriptorSet 0\nOpDecorate %out Binding 0\n" \
    "%void = OpTypeVoid\n%fn = OpTypeFunction %void\n%uint = OpTypeInt 32 0\n%bool = OpTypeBool\n" \
    "%wide = OpTypeInt 64 0\n%float = OpTypeFloat 32\n%v2 = OpTypeVector %uint 2\n"                \
    "%v3 = OpTypeVector %uint 3\n%v4 = OpTypeVector %uint 4\n%f2 = OpTypeVector %float 2\n"        \
    "%pair = OpTypeStruct %v2 %v2\n"                                                               \
    "%wide_fn = OpTypeFunction %void %wide\n%get_wide = OpTypeFunction %wide\n"                    \
    "%u0 = OpConstant %uint 0\n%u1 = OpConstant %uint 1\n%u2 = OpConstant %uint 2\n"               \
    "%u3 = OpConstant %uint 3\n%u4 = OpConstant %uint 4\n%u6 = OpConstant %uint 6\n"               \
    "%u7 = OpConstant %uint 7\n%u64 = OpConstant %uint 64\n%w1 = OpConstant %wide 1\n"             \
    "%one = OpConstant %float 1\n%true = OpConstantTrue %bool\n"  \
    "%pairs = OpConstantNull %pair\n%array = OpTypeArray %uint %u4\n"                              \
    "%in = OpTypePointer Input %uint\n%in3 = OpTypePointer Input %v3\n"                            \
    "%to_uint = OpTypePointer Function %uint\n%to_wide = OpTypePointer Function %wide\n"           \
    "%to_v2 = OpTypePointer Function %v2\n%words = OpTypeRuntimeArray %uint\n"                     \
    "%block = OpTypeStruct %words\n%to_block = OpTypePointer StorageBuffer %block\n"              \
    "%to_word = OpTypePointer StorageBuffer %uint\n%out = OpVariable %to_block StorageBuffer\n"   \
    "%to_array = OpTypePointer Function %array\n%to_private = OpTypePointer Private %wide\n"       \
    "%mask_in = OpVariable %in Input\n%lane_in = OpVariable %in Input\n%group_in = OpVariable %in3 Input\n%count_in = OpVariable %in Input\n"
#define MAIN "%main = OpFunction %void None %fn\n%entry = OpLabel\n"
#define LANE "%lane = OpLoad %uint %lane_in\n%c = OpULessThan %bool %lane %u7\n%d = OpULessThan %bool %lane %u3\n"
#define END  "OpReturn\nOpFunctionEnd\n"

static bool print(struct arena *a, enum print_language language, const char *text, uint32_t subgroup,
                  struct text *out, struct err *e)
{
    struct spv_tools *tools = spv_tools_new();
    const uint32_t *words;
    size_t count;
    struct err wrong = {0};
    *out = (struct text){.arena = a};
    if (!spv_assemble(tools, a, text, strlen(text), 1, &words, &count, &wrong))
        fail_msg("%s: %s", text, wrong.msg);
    spv_tools_free(tools);
    return print_module(a, language, words, count, subgroup, out, NULL, e);
}

static void refuses_module(const char *text, const char *why)
{
    struct arena a = {0};
    struct text t;
    struct err e = {0};
    if (print(&a, PRINT_PTX, text, 32, &t, &e))
        fail_msg("'%s' is not refused", why);
    if (strcmp(e.msg, arena_printf(&a, "not printed as ptx: %s", why)) != 0)
        fail_msg("'%s', not '%s'", e.msg, why);
    arena_free(&a);
}
#define REFUSES(body, why) refuses_module(START("32 1 1") MAIN LANE body END, why)
#define TYPE "a type that is neither bool nor a 32-bit integer"

static void types_are_refused(void **state)
{
    (void)state;
    REFUSES("%x = OpUConvert %wide %lane\n", "OpUConvert: " TYPE);
    REFUSES("%x = OpConvertUToF %float %lane\n", "OpConvertUToF: " TYPE);
    REFUSES("%x = OpCompositeConstruct %f2 %one %one\n", "OpCompositeConstruct: " TYPE);
    REFUSES("%x = OpCompositeExtract %v2 %pairs 0\n%y = OpCompositeExtract %uint %pairs 0 0\n",
            "OpCompositeExtract: a component of a nested composite");
    REFUSES("%x = OpGroupNonUniformIAdd %wide %u3 Reduce %w1\n", "OpGroupNonUniformIAdd: " TYPE);
    REFUSES("%x = OpGroupNonUniformFAdd %float %u3 Reduce %one\n", "OpGroupNonUniformFAdd: " TYPE);
    REFUSES("%x = OpGroupNonUniformAllEqual %bool %u3 %w1\n", "OpGroupNonUniformAllEqual: " TYPE);
    REFUSES("%x = OpGroupNonUniformPartitionNV %v4 %w1\n", "OpGroupNonUniformPartitionNV: a value that is not one 32-bit integer");
    refuses_module(START("32 1 1") MAIN "%x = OpVariable %to_wide Function\n" END, "OpVariable: " TYPE);
    refuses_module(START("32 1 1") MAIN "%x = OpVariable %to_wide Function %w1\n" END, "OpVariable: " TYPE);
    refuses_module(START("32 1 1") "%x = OpVariable %to_private Private\n" MAIN END, "OpVariable: " TYPE);
    refuses_module(START("32 1 1") MAIN "%x = OpFunctionCall %void %f %w1\n" END
                   "%f = OpFunction %void None %wide_fn\n%p = OpFunctionParameter %wide\n%fe = OpLabel\n" END,
                   "OpFunctionCall: " TYPE);
    refuses_module(START("32 1 1") MAIN "%x = OpFunctionCall %wide %f\n" END
                   "%f = OpFunction %wide None %get_wide\n%fe = OpLabel\nOpReturnValue %w1\nOpFunctionEnd\n",
                   "OpFunctionCall: " TYPE);
}

static void operations_are_refused(void **state)
{
    (void)state;
    REFUSES("%x = OpBitReverse %uint %lane\n", "OpBitReverse: not supported");
    REFUSES("%v = OpCompositeConstruct %v2 %lane %lane\n%x = OpCompositeConstruct %v3 %v %lane\n",
            "OpCompositeConstruct: a vector constructed from smaller vectors");
    REFUSES("%g = OpLoad %v3 %group_in\n%x = OpCompositeExtract %uint %g 3\n",
            "OpCompositeExtract: a component that the builtin does not have");
    REFUSES("OpControlBarrier %u2 %u2 %u0\n", "OpControlBarrier: not supported");
    refuses_module(START("32 1 1") MAIN "%a = OpVariable %to_array Function\n" END, "OpVariable: " TYPE);
    refuses_module(START("32 1 1") MAIN "%a = OpVariable %to_v2 Function\n%p = OpAccessChain %to_uint %a %u0\n" END,
                   "OpAccessChain: an array in a local variable");
#define POINTERS                                                                                   \
    "%p = OpAccessChain %to_word %out %u0 %u0\n%q = OpAccessChain %to_word %out %u0 %u1\n"         \
    "OpBranch %next\n%next = OpLabel\n%r = OpPhi %to_word %p %entry\n"
    REFUSES(POINTERS "%x = OpLoad %uint %r\n", "OpLoad: a pointer to something else than a variable or a buffer's word");
    REFUSES(POINTERS "OpStore %r %lane\n", "OpStore: a pointer to something else than a variable or a buffer's word");
    REFUSES("%h = OpLoad %uint %mask_in\n", "OpLoad: a builtin that PTX does not have");
    REFUSES("%b = OpGroupNonUniformBallot %v4 %u3 %true\n%x = OpGroupNonUniformBallotBitCount %wide %u3 Reduce %b\n",
            "OpGroupNonUniformBallotBitCount: " TYPE);
    REFUSES("%x = OpLoad %block %out\n", "OpLoad: " TYPE);
    refuses_module(START("32 1 1") "%x = OpConstantNull %block\n" MAIN "OpStore %out %x\n" END, "OpStore: " TYPE);
    refuses_module(START("32 1 1") MAIN "OpKill\nOpFunctionEnd\n", "OpKill: a terminator that PTX does not have");
    refuses_module(START("32 1 1") "%main = OpFunction %void None %fn\nOpFunctionEnd\n", "no entry point");
    refuses_module(START("32 1 1") "%x = OpSpecConstant %uint 1\n" MAIN END, "a specialization constant");
    refuses_module(START("32 1 1") "%x = OpSpecConstantTrue %bool\n" MAIN END, "a specialization constant");
    refuses_module(START("32 1 1") "%x = OpSpecConstantOp %uint IAdd %u1 %u1\n" MAIN END, "a specialization constant");
#define SCOPE "a scope other than the subgroup"
    REFUSES("%x = OpGroupNonUniformElect %bool %u2\n", "OpGroupNonUniformElect: " SCOPE);
    REFUSES("%x = OpGroupNonUniformElect %bool %lane\n", "OpGroupNonUniformElect: " SCOPE);
    REFUSES("%b = OpGroupNonUniformBallot %v4 %u3 %true\n%x = OpGroupNonUniformIAdd %uint %u3 PartitionedReduceNV %lane %b\n",
            "OpGroupNonUniformIAdd: no operation of this form");
    REFUSES("%b = OpGroupNonUniformBallot %v4 %u3 %true\n%x = OpGroupNonUniformLogicalOr %bool %u3 PartitionedReduceNV %true %b\n",
            "OpGroupNonUniformLogicalOr: no operation of this form");
#define CLUSTER "a cluster that is not of 1 to 32 lanes"
    REFUSES("%x = OpGroupNonUniformIAdd %uint %u3 ClusteredReduce %lane %u0\n", "OpGroupNonUniformIAdd: " CLUSTER);
    REFUSES("%x = OpGroupNonUniformIAdd %uint %u3 ClusteredReduce %lane %u3\n", "OpGroupNonUniformIAdd: " CLUSTER);
    REFUSES("%x = OpGroupNonUniformIAdd %uint %u3 ClusteredReduce %lane %u6\n", "OpGroupNonUniformIAdd: " CLUSTER);
    REFUSES("%x = OpGroupNonUniformIAdd %uint %u3 ClusteredReduce %lane %u64\n", "OpGroupNonUniformIAdd: " CLUSTER);
    REFUSES("%x = OpGroupNonUniformIAdd %uint %u3 ClusteredReduce %lane %lane\n", "OpGroupNonUniformIAdd: " CLUSTER);
    REFUSES("%x = OpGroupNonUniformRotateKHR %uint %u3 %lane %u1 %u0\n", "OpGroupNonUniformRotateKHR: " CLUSTER);
    REFUSES("%x = OpGroupNonUniformRotateKHR %uint %u3 %lane %u1 %u3\n", "OpGroupNonUniformRotateKHR: " CLUSTER);
    REFUSES("%x = OpGroupNonUniformRotateKHR %uint %u3 %lane %u1 %u6\n", "OpGroupNonUniformRotateKHR: " CLUSTER);
    REFUSES("%x = OpGroupNonUniformRotateKHR %uint %u3 %lane %u1 %u64\n", "OpGroupNonUniformRotateKHR: " CLUSTER);
    REFUSES("%x = OpGroupNonUniformRotateKHR %uint %u3 %lane %u1 %lane\n", "OpGroupNonUniformRotateKHR: " CLUSTER);
#define DIRECTION "a direction that is not a constant 0, 1 or 2"
    REFUSES("%x = OpGroupNonUniformQuadSwap %uint %u3 %lane %u3\n", "OpGroupNonUniformQuadSwap: " DIRECTION);
    REFUSES("%x = OpGroupNonUniformQuadSwap %uint %u3 %lane %lane\n", "OpGroupNonUniformQuadSwap: " DIRECTION);
#define PARTITION "OpGroupNonUniformPartitionNV: a value that is not one 32-bit integer"
    REFUSES("%x = OpGroupNonUniformPartitionNV %v4 %c\n", PARTITION);
    REFUSES("%v = OpCompositeConstruct %v2 %lane %lane\n%x = OpGroupNonUniformPartitionNV %v4 %v\n", PARTITION);
}

// Calls are expanded, so that their number has a bound.
static void too_many_calls_are_refused(void **state)
{
    struct arena a = {0};
    struct text body = {.arena = &a}, t;
    struct err e = {0};
    (void)state;
    for (int turn = 0; turn < 2; turn++) {
        body.n = 0;
        text_add(&body, "%s", START("32 1 1") MAIN);
        for (int i = 0; i < 500 + turn; i++)
            text_add(&body, "%%x%d = OpFunctionCall %%void %%f\n", i);
        text_add(&body, "%s", END "%f = OpFunction %void None %fn\n%fe = OpLabel\n" END);
        assert_int_equal(print(&a, PRINT_PTX, body.v, 32, &t, &e), !turn);
    }
    assert_string_equal(e.msg, "not printed as ptx: OpFunctionCall: more calls than can be expanded");
    arena_free(&a);
}

static void has(const char *module, enum print_language language, const char *line)
{
    struct arena a = {0};
    struct text t;
    struct err e = {0};
    if (!print(&a, language, module, 32, &t, &e))
        fail_msg("%s", e.msg);
    if (!strstr(t.v, line))
        fail_msg("no '%s' in:\n%s", line, t.v);
    arena_free(&a);
}

static void heads(void **state)
{
    (void)state;
    has(START("32 1 1") MAIN END, PRINT_PTX, ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry tf_main(\n");
    has(START("32 1 1") MAIN END, PRINT_PTX_SM75, ".version 8.0\n.target sm_75\n");
    has(START("5 3 2") MAIN END, PRINT_PTX, ".reqntid 5, 3, 2\n{\n");
    has(START("5 3 2") MAIN END, PRINT_PTX,
        "(\n  .param .u64 buffer0,\n  .param .u32 groups0, .param .u32 groups1, .param .u32 groups2)\n");
    has(START("5 3 2") MAIN END, PRINT_PTX, "  mad.lo.u32 %flat, %local2, 3, %local1;\n  mad.lo.u32 %flat, %flat, 5, %local0;\n");
    has(START("5 3 2") MAIN END, PRINT_PTX, "  mov.b32 %m, 1073741823;\n  ld.param.u64 %buffer0");
    has(START("32 1 1") MAIN END, PRINT_PTX, "  mov.b32 %m, 4294967295;\n  ld.param.u64 %buffer0");
    has(START("64 1 1") MAIN END, PRINT_PTX, "  mov.b32 %m, 4294967295;\n  ld.param.u64 %buffer0");
    has(START("33 1 1") MAIN END, PRINT_PTX,
        "  mov.b32 %m, 4294967295;\n  setp.ge.u32 %last, %flat, 32;\n  selp.b32 %m, 1, %m, %last;\n");
    has(START("32 1 1") "%f = OpFunction %void None %fn\n%fe = OpLabel\n" END MAIN "%x = OpFunctionCall %void %f\n" END, PRINT_PTX,
        "  bra $f1return;\n$f1return:\n");
    has(START("31 1 1") MAIN "%n = OpLoad %uint %count_in\n" END, PRINT_PTX, ", 1;\n");
    has(START("32 1 1") MAIN "%n = OpLoad %uint %count_in\n" END, PRINT_PTX, ", 1;\n");
    has(START("64 1 1") MAIN "%n = OpLoad %uint %count_in\n" END, PRINT_PTX, ", 2;\n");
    has(START("65 1 1") MAIN "%n = OpLoad %uint %count_in\n" END, PRINT_PTX, ", 3;\n");
#define SUM "%x = OpGroupNonUniformIAdd %uint %u3 Reduce %lane\n"
    has(START("32 1 1") MAIN LANE SUM END, PRINT_PTX, "  redux.sync.add.u32 ");
    has(START("32 1 1") MAIN LANE SUM END, PRINT_PTX_SM75, "  shfl.sync.idx.b32 ");
    struct arena a = {0};
    struct text t;
    struct err e = {0};
    assert_false(print(&a, PRINT_PTX, START("32 1 1") MAIN END, 64, &t, &e));
    assert_string_equal(e.msg, "not printed as ptx: subgroups of 64 lanes; a warp has 32");
    arena_free(&a);
}

// Of the votes that end with the mask of a join: how many, and how many ways out of them.
static void votes(const char *module, int joins, int ways)
{
    struct arena a = {0};
    struct text t;
    struct err e = {0};
    int n[2] = {0};
    if (!print(&a, PRINT_PTX, module, 32, &t, &e))
        fail_msg("%s", e.msg);
    for (const char *at = t.v; (at = strstr(at, "escape, 0;\n  vote.sync")); at++)
        n[0]++;
    for (const char *at = t.v; (at = strstr(at, "  setp.eq.u32 ")); at++) {
        const char *end = strchr(at, '\n'), *escape = strstr(at, "escape, ");
        n[1] += escape && escape < end && strncmp(escape + 8, "0;", 2) != 0;
    }
    if (n[0] != joins || n[1] != ways)
        fail_msg("%d joins with a vote, %d ways out, not %d and %d, in:\n%s", n[0], n[1], joins, ways, t.v);
    arena_free(&a);
}
#define VOTES(body, joins, ways) votes(START("32 1 1") MAIN LANE body END, joins, ways)
#define IF(c, yes, no, merge) "OpSelectionMerge %" merge " None\nOpBranchConditional %" c " %" yes " %" no "\n"
#define AT(name)              "%" name " = OpLabel\n"
#define GO(name)              "OpBranch %" name "\n"
#define LOOP(body)                                                                                 \
    GO("loop") AT("loop") "OpLoopMerge %end %next None\n" GO("body") AT("body") body AT("next") GO("loop") AT("end")

static void joins_vote_only_where_masks_are_not_known(void **state)
{
    (void)state;
    // Each arm arrives, or does not.
    VOTES(IF("c", "a", "m", "m") AT("a") GO("m") AT("m"), 0, 0);
    VOTES(IF("c", "a", "b", "m") AT("a") GO("m") AT("b") GO("m") AT("m"), 0, 0);
    VOTES(IF("c", "a", "m", "m") AT("a") "OpReturn\n" AT("m"), 0, 0);
    VOTES(IF("c", "a", "b", "m") AT("a") "OpReturn\n" AT("b") "OpReturn\n" AT("m"), 0, 0);
    // An arm that may: its lanes vote, those that return too.
    VOTES(IF("c", "a", "m", "m") AT("a") IF("d", "r", "b", "b") AT("r") "OpReturn\n" AT("b") GO("m") AT("m"), 1, 1);
    VOTES(IF("c", "a", "o", "m") AT("a") IF("d", "r", "b", "b") AT("r") "OpReturn\n" AT("b") GO("m") AT("o") "OpReturn\n" AT("m"), 1, 1);
    VOTES(IF("c", "a", "m", "m") AT("a") IF("d", "r", "b", "b") AT("r") "OpReturn\n" AT("b") "OpReturn\n" AT("m"), 0, 0);
    // A loop is left at its merge block, or also by a return: then it votes.
    VOTES(LOOP(GO("end")), 0, 0);
    VOTES(LOOP(IF("c", "end", "x", "x") AT("x") GO("next")), 0, 0);
    VOTES(LOOP(IF("c", "end", "x", "x") AT("x") IF("d", "r", "y", "y") AT("r") "OpReturn\n" AT("y") GO("next")), 1, 1);
    VOTES(LOOP(IF("c", "r", "x", "x") AT("r") "OpReturn\n" AT("x") GO("next")), 0, 0);
    // Its continue target votes if several edges lead there, or one of a switch or of a loop inside.
    VOTES(LOOP(IF("c", "next", "x", "x") AT("x") IF("d", "end", "y", "y") AT("y") GO("next")), 1, 1);
    VOTES(LOOP("OpSelectionMerge %m None\nOpSwitch %lane %m 1 %k\n" AT("k") GO("next") AT("m") GO("end")), 1, 1);
    VOTES(LOOP("OpSelectionMerge %m None\nOpBranchConditional %c %k %m\n" AT("k") GO("next") AT("m") GO("end")), 0, 0);
    VOTES(LOOP(GO("inner") AT("inner") "OpLoopMerge %after %again None\n" GO("k") AT("k") "OpBranchConditional %c %next %again\n"
               AT("again") GO("inner") AT("after") GO("end")), 1, 0);
    // Of a switch: a case that always leaves is counted out, unless a case that it falls into, or that falls into it, may arrive.
#define SWITCH(cases) "OpSelectionMerge %m None\nOpSwitch %lane %m 1 %k 2 %l\n" cases AT("m") GO("end")
    VOTES(LOOP(SWITCH(AT("k") GO("m") AT("l") GO("end"))), 0, 0);
    VOTES(LOOP(SWITCH(AT("k") IF("c", "end", "x", "x") AT("x") GO("m") AT("l") GO("end"))), 1, 1);
    VOTES(LOOP(SWITCH(AT("k") IF("c", "end", "x", "x") AT("x") GO("m") AT("l") "OpReturn\n")), 2, 2);
    VOTES(LOOP(SWITCH(AT("k") IF("c", "m", "x", "x") AT("x") GO("l") AT("l") GO("end"))), 1, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(types_are_refused),
        cmocka_unit_test(operations_are_refused),
        cmocka_unit_test(too_many_calls_are_refused),
        cmocka_unit_test(heads),
        cmocka_unit_test(joins_vote_only_where_masks_are_not_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
