// SPDX-License-Identifier: Apache-2.0
//
// printers: LLVM IR. Which token each operation has is the whole point: a wrong one is a
// program that means something else, or that LLVM's verifier refuses.
// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on

#include "printers/printers.h"

#include <string.h>

#define HEAD                                                                                       \
    "OpCapability Shader\nOpCapability GroupNonUniform\nOpCapability GroupNonUniformBallot\n"      \
    "OpCapability GroupNonUniformArithmetic\n"                                                     \
    "OpExtension \"SPV_KHR_maximal_reconvergence\"\nOpMemoryModel Logical GLSL450\n"               \
    "OpEntryPoint GLCompute %1 \"main\" %2\nOpExecutionMode %1 LocalSize 8 1 1\n"                  \
    "OpExecutionMode %1 MaximallyReconvergesKHR\nOpDecorate %2 BuiltIn "                           \
    "SubgroupLocalInvocationId\n"                                                                  \
    "%3 = OpTypeVoid\n%4 = OpTypeFunction %3\n%5 = OpTypeInt 32 0\n%6 = OpTypeBool\n"              \
    "%7 = OpTypeVector %5 4\n%8 = OpTypePointer Input %5\n%2 = OpVariable %8 Input\n"              \
    "%9 = OpConstantTrue %6\n%10 = OpConstant %5 3\n%11 = OpConstantFalse %6\n"
// One operation in each block of two loops, one inside the other's body.
#define LOOPS                                                                                      \
    "%1 = OpFunction %3 None %4\n%20 = OpLabel\n%40 = OpGroupNonUniformElect %6 %10\n"             \
    "OpBranch %21\n"                                                                               \
    "%21 = OpLabel\n%41 = OpGroupNonUniformElect %6 %10\nOpLoopMerge %29 %28 Unroll\n"             \
    "OpBranchConditional %41 %22 %23\n"                                                            \
    "%22 = OpLabel\n%42 = OpGroupNonUniformElect %6 %10\nOpBranch %29\n"                           \
    "%23 = OpLabel\nOpBranch %24\n"                                                                \
    "%24 = OpLabel\n%43 = OpGroupNonUniformElect %6 %10\nOpLoopMerge %27 %26 None\n"               \
    "OpBranchConditional %43 %25 %26\n"                                                            \
    "%25 = OpLabel\n%44 = OpGroupNonUniformElect %6 %10\nOpReturn\n"                               \
    "%26 = OpLabel\n%45 = OpGroupNonUniformElect %6 %10\nOpBranchConditional %45 %24 %27\n"        \
    "%27 = OpLabel\n%46 = OpGroupNonUniformElect %6 %10\nOpBranch %28\n"                           \
    "%28 = OpLabel\n%47 = OpGroupNonUniformElect %6 %10\nOpBranch %21\n"                           \
    "%29 = OpLabel\n%48 = OpGroupNonUniformElect %6 %10\nOpReturn\nOpFunctionEnd\n"

static bool print_as(struct arena *a, enum print_language language, const char *text,
                     uint32_t subgroup, struct text *out, struct err *e)
{
    struct spv_tools *tools = spv_tools_new();
    const uint32_t *words;
    size_t count;
    struct err wrong = {0};
    *out = (struct text){.arena = a};
    if (!spv_assemble(tools, a, text, strlen(text), 1, &words, &count, &wrong))
        fail_msg("%s", wrong.msg);
    spv_tools_free(tools);
    return print_module(a, language, words, count, subgroup, out, NULL, e);
}

static bool print(struct arena *a, const char *text, uint32_t subgroup, struct text *out,
                  struct err *e)
{
    return print_as(a, PRINT_LLVM, text, subgroup, out, e);
}

static void has(const struct text *t, const char *line)
{
    if (!strstr(t->v, line))
        fail_msg("no '%s' in:\n%s", line, t->v);
}

static void tokens(void **state)
{
    (void)state;
    struct arena a = {0};
    struct text t;
    struct err e = {0};
    assert_true(print(&a, HEAD LOOPS, 8, &t, &e));
    static const struct {
        int value;
        const char *token;
    } rows[] = {
        {40, "%t"},               // before
        {41, "%t21"},             // the header
        {42, "%t21"},             // a break block is in its loop (L4)
        {43, "%t24"},             // the inner header
        {44, "%t24"},             // a return block is in its loop (L4)
        {45, "%t24"},             // the continue construct
        {46, "%t21"},             // the inner loop's merge block is around it
        {47, "%t21"}, {48, "%t"}, // after: together again, whatever lies between (L5)
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        has(&t, arena_printf(&a,
                             "%%x%d = call i1 @llvm.spv.wave.is.first.lane() [ "
                             "\"convergencectrl\"(token %s) ]\n",
                             rows[i].value, rows[i].token));
    has(&t, "b21:\n  %t21 = call token @llvm.experimental.convergence.loop() [ "
            "\"convergencectrl\"(token %t) ]\n");
    has(&t, "b24:\n  %t24 = call token @llvm.experimental.convergence.loop() [ "
            "\"convergencectrl\"(token %t21) ]\n");
    has(&t, "b20:\n  %t = call token @llvm.experimental.convergence.entry()\n");
    has(&t, "  br label %b21, !llvm.loop !0\n"); // the back edge with the control
    has(&t, "\"hlsl.numthreads\"=\"8,1,1\"");
    has(&t, "\"enable-maximal-reconvergence\"=\"true\"");
    arena_free(&a);
}

// Without tokens (L6): the same text, less all that names one.
static void bare(void **state)
{
    (void)state;
    static const enum print_language both[][2] = {{PRINT_LLVM, PRINT_LLVM_BARE},
                                                  {PRINT_LLVM_AMDGCN, PRINT_LLVM_AMDGCN_BARE},
                                                  {PRINT_LLVM_NVPTX, PRINT_LLVM_NVPTX_BARE}};
    for (size_t k = 0; k < sizeof both / sizeof *both; k++) {
        struct arena a = {0};
        struct text with, without, kept = {.arena = &a};
        struct err e = {0};
        assert_true(print_as(&a, both[k][0], HEAD LOOPS, 32, &with, &e));
        assert_true(print_as(&a, both[k][1], HEAD LOOPS, 32, &without, &e));
        assert_null(strstr(without.v, "token"));
        assert_null(strstr(without.v, "convergencectrl"));
        has(&without, "convergent");
        for (char *line = strtok(with.v, "\n"); line;
             line = strtok(NULL, "\n")) {
            char *bundle = strstr(line, " [ \"convergencectrl\"");
            if (strstr(line, "token @llvm.experimental"))
                continue;
            if (bundle)
                *bundle = 0;
            text_add(&kept, "%s\n", line);
        }
        const char *at = without.v;
        for (char *line = strtok(kept.v, "\n"); line;
             line = strtok(NULL, "\n")) {
            at += strspn(at, "\n");
            if (strncmp(at, line, strlen(line)) != 0 || at[strlen(line)] != '\n')
                fail_msg("'%s' is '%.80s'", line, at);
            at += strlen(line);
        }
        assert_string_equal(at, "\n");
        arena_free(&a);
    }
}

// One instruction of a straight body -> a line.
static void instructions(void **state)
{
    (void)state;
    static const struct {
        const char *inst, *line;
    } rows[] = {
        {"%50 = OpGroupNonUniformIAdd %5 %10 ExclusiveScan %30", "@llvm.spv.wave.prefix.sum.i32("},
        {"%50 = OpGroupNonUniformIAdd %5 %10 InclusiveScan %30", "%x50 = add i32 %n0, %x30"},
        {"%50 = OpGroupNonUniformUMin %5 %10 Reduce %30", "@llvm.spv.wave.reduce.umin.i32("},
        {"%50 = OpGroupNonUniformShuffle %5 %10 %30 %10",
         "@llvm.spv.wave.readlane.i32(i32 %x30, i32 3) [ "},
        {"%50 = OpGroupNonUniformBroadcastFirst %5 %10 %30", "@llvm.spv.firstbitlow.i32(i32 %n2)"},
        {"%50 = OpGroupNonUniformAny %6 %10 %9", "@llvm.spv.wave.any(i1 true) [ "},
        {"%50 = OpUMod %5 %30 %10", "%x50 = urem i32 %x30, 3\n"},
        {"%50 = OpSelect %5 %9 %30 %10", "%x50 = select i1 true, i32 %x30, i32 3\n"},
        {"%50 = OpNot %5 %30", "%x50 = xor i32 %x30, -1\n"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct arena a = {0};
        struct text t;
        struct err e = {0};
        const char *text = arena_printf(&a, "%s%s%s\nOpReturn\nOpFunctionEnd\n", HEAD,
                                        "%1 = OpFunction %3 None %4\n%20 = OpLabel\n"
                                        "%30 = OpLoad %5 %2\n",
                                        rows[i].inst);
        if (!print(&a, text, 32, &t, &e))
            fail_msg("%s: %s", rows[i].inst, e.msg);
        has(&t, rows[i].line);
        arena_free(&a);
    }
}

// LLVM may read more than the program does of a buffer whose size it knows, so AMD's has no size. A program for
// NVIDIA's back end is loaded as it is, and needs a definition.
static void buffers(void **state)
{
    (void)state;
    static const char decorations[] =
        "OpDecorate %60 ArrayStride 4\nOpDecorate %61 ArrayStride 4\nOpDecorate %62 Block\nOpDecorate %63 Block\n"
        "OpMemberDecorate %62 0 Offset 0\nOpMemberDecorate %63 0 Offset 0\nOpDecorate %66 DescriptorSet 0\n"
        "OpDecorate %66 Binding 0\nOpDecorate %67 DescriptorSet 0\nOpDecorate %67 Binding 1\n%3 = OpTypeVoid\n",
        types[] = "%60 = OpTypeRuntimeArray %5\n%61 = OpTypeArray %5 %10\n%62 = OpTypeStruct %60\n%63 = OpTypeStruct %61\n"
                  "%64 = OpTypePointer StorageBuffer %62\n%65 = OpTypePointer StorageBuffer %63\n"
                  "%66 = OpVariable %64 StorageBuffer\n%67 = OpVariable %65 StorageBuffer\n"
                  "%1 = OpFunction %3 None %4\n%20 = OpLabel\nOpReturn\nOpFunctionEnd\n";
    struct arena a = {0};
    struct text t;
    struct err e = {0};
    const char *head = HEAD, *after = strstr(head, "%3 = OpTypeVoid\n");
    const char *text = arena_printf(&a, "%.*s%s%s%s", (int)(after - head), head, decorations, after + strlen("%3 = OpTypeVoid\n"), types);
    assert_true(print_as(&a, PRINT_LLVM_AMDGCN, text, 32, &t, &e));
    has(&t, "@buffer.buffer0_0 = external addrspace(1) global [0 x i32], align 4\n");
    has(&t, "@buffer.buffer0_1 = addrspace(1) global [3 x i32] zeroinitializer, align 4\n");
    assert_true(print_as(&a, PRINT_LLVM_NVPTX, text, 32, &t, &e));
    has(&t, "@buffer_buffer0_0 = addrspace(1) global [1048576 x i32] zeroinitializer, align 4\n");
    arena_free(&a);
}

static void refused(void **state)
{
    (void)state;
    static const struct {
        const char *body, *why;
        uint32_t subgroup;
    } rows[] = {
        {"%20 = OpLabel\nOpControlBarrier %10 %10 %10\nOpReturn\n", "OpControlBarrier", 32},
        {"%20 = OpLabel\n%50 = OpGroupNonUniformBallot %7 %10 %9\n"
         "%51 = OpGroupNonUniformBallotFindLSB %5 %10 %50\nOpReturn\n",
         "up to 32", 64},
        // two ways into a loop that nothing joins
        {"%20 = OpLabel\nOpSelectionMerge %29 None\nOpBranchConditional %9 %21 %22\n"
         "%21 = OpLabel\nOpBranch %23\n%22 = OpLabel\nOpBranch %23\n"
         "%23 = OpLabel\nOpLoopMerge %28 %24 None\nOpBranch %25\n"
         "%25 = OpLabel\nOpBranch %28\n%24 = OpLabel\nOpBranch %23\n"
         "%28 = OpLabel\nOpBranch %29\n%29 = OpLabel\nOpReturn\n",
         "stay diverged (R2)", 32},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct arena a = {0};
        struct text t;
        struct err e = {0};
        const char *text = arena_printf(&a, "%s%%1 = OpFunction %%3 None %%4\n%sOpFunctionEnd\n",
                                        HEAD, rows[i].body);
        assert_false(print(&a, text, rows[i].subgroup, &t, &e));
        if (!strstr(e.msg, rows[i].why) || !strstr(e.msg, "not printed as llvm"))
            fail_msg("'%s' is not in '%s'", rows[i].why, e.msg);
        arena_free(&a);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tokens), cmocka_unit_test(bare),
        cmocka_unit_test(instructions), cmocka_unit_test(buffers),
        cmocka_unit_test(refused),
    };
    return cmocka_run_group_tests_name("prn_llvm", tests, NULL, NULL);
}
