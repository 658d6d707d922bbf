// SPDX-License-Identifier: Apache-2.0
//
// What the tests of spirv/ share: cmocka, a small module with a bit of everything.
#ifndef TF_TEST_SPV_COMMON_H
#define TF_TEST_SPV_COMMON_H

// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on

#include "spirv/spirv.h"

#include <string.h>

// A loop, a switch, a phi, a call, a 64-bit constant, specialisation, strings.
#define SAMPLE                                                                                     \
    "               OpCapability Shader\n"                                                         \
    "               OpCapability Int64\n"                                                          \
    "          %1 = OpExtInstImport \"GLSL.std.450\"\n"                                            \
    "               OpMemoryModel Logical GLSL450\n"                                               \
    "               OpEntryPoint GLCompute %2 \"main\" %3\n"                                       \
    "               OpExecutionMode %2 LocalSize 8 4 2\n"                                          \
    "               OpName %2 \"main\"\n"                                                          \
    "               OpDecorate %4 SpecId 7\n"                                                      \
    "               OpDecorate %3 BuiltIn LocalInvocationIndex\n"                                  \
    "          %5 = OpTypeVoid\n"                                                                  \
    "          %6 = OpTypeFunction %5\n"                                                           \
    "          %7 = OpTypeInt 32 0\n"                                                              \
    "          %8 = OpTypeInt 64 0\n"                                                              \
    "          %9 = OpTypeBool\n"                                                                  \
    "         %10 = OpTypeFunction %7 %7\n"                                                        \
    "         %11 = OpTypePointer Input %7\n"                                                      \
    "         %12 = OpConstant %7 0\n"                                                             \
    "         %13 = OpConstant %7 4\n"                                                             \
    "         %14 = OpConstant %8 4294967297\n"                                                    \
    "          %4 = OpSpecConstant %7 3\n"                                                         \
    "         %15 = OpSpecConstantOp %7 IAdd %4 %13\n"                                             \
    "          %3 = OpVariable %11 Input\n"                                                        \
    "         %16 = OpFunction %7 None %10\n"                                                      \
    "         %17 = OpFunctionParameter %7\n"                                                      \
    "         %18 = OpLabel\n"                                                                     \
    "         %19 = OpExtInst %7 %1 UMin %17 %13\n"                                                \
    "               OpReturnValue %19\n"                                                           \
    "               OpFunctionEnd\n"                                                               \
    "          %2 = OpFunction %5 None %6\n"                                                       \
    "         %20 = OpLabel\n"                                                                     \
    "         %21 = OpLoad %7 %3\n"                                                                \
    "               OpBranch %22\n"                                                                \
    "         %22 = OpLabel\n"                                                                     \
    "         %23 = OpPhi %7 %12 %20 %24 %25\n"                                                    \
    "               OpLoopMerge %26 %25 None\n"                                                    \
    "               OpBranch %27\n"                                                                \
    "         %27 = OpLabel\n"                                                                     \
    "               OpSelectionMerge %28 None\n"                                                   \
    "               OpSwitch %21 %28 1 %29 5 %28\n"                                                \
    "         %29 = OpLabel\n"                                                                     \
    "         %30 = OpFunctionCall %7 %16 %21\n"                                                   \
    "               OpBranch %28\n"                                                                \
    "         %28 = OpLabel\n"                                                                     \
    "               OpBranch %25\n"                                                                \
    "         %25 = OpLabel\n"                                                                     \
    "         %24 = OpIAdd %7 %23 %13\n"                                                           \
    "         %31 = OpULessThan %9 %24 %15\n"                                                      \
    "               OpBranchConditional %31 %22 %26\n"                                             \
    "         %26 = OpLabel\n"                                                                     \
    "               OpReturn\n"                                                                    \
    "               OpFunctionEnd\n"

struct fixture {
    struct arena arena;
    struct spv_tools *tools;
};

static inline int fixture_up(void **state)
{
    static struct fixture f;
    f.tools = spv_tools_new();
    *state = &f;
    return 0;
}

static inline int fixture_down(void **state)
{
    struct fixture *f = *state;
    spv_tools_free(f->tools);
    arena_free(&f->arena);
    return 0;
}

// A copy of the words of `text`, which has to assemble.
static inline uint32_t *assembled(struct fixture *f, const char *text, size_t *count)
{
    const uint32_t *words;
    struct err e = {{0}};
    bool ok = spv_assemble(f->tools, &f->arena, text, strlen(text), 1, &words, count, &e);
    assert_string_equal(e.msg, "");
    assert_true(ok);
    return arena_copy(&f->arena, words, *count * sizeof *words);
}

#endif
