// SPDX-License-Identifier: Apache-2.0
//
// printers: HLSL, GLSL, WGSL and OpenCL C. The words of structured control flow, and what has none.
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
    "OpExtension \"SPV_KHR_maximal_reconvergence\"\nOpMemoryModel Logical GLSL450\n"               \
    "OpEntryPoint GLCompute %1 \"main\" %2\nOpExecutionMode %1 LocalSize 8 1 1\n"                  \
    "OpExecutionMode %1 MaximallyReconvergesKHR\nOpDecorate %2 BuiltIn "                           \
    "SubgroupLocalInvocationId\n"                                                                  \
    "%3 = OpTypeVoid\n%4 = OpTypeFunction %3\n%5 = OpTypeInt 32 0\n%6 = OpTypeBool\n"              \
    "%8 = OpTypePointer Input %5\n%2 = OpVariable %8 Input\n"                                      \
    "%9 = OpConstantTrue %6\n%10 = OpConstant %5 3\n%11 = OpConstant %5 0\n"                       \
    "%7 = OpTypeVector %5 2\n%12 = OpConstantComposite %7 %10 %11\n"                               \
    "%1 = OpFunction %3 None %4\n"

static uint32_t refused_at; // by the last print

static bool print(struct arena *a, enum print_language l, const char *body, struct text *out,
                  struct err *e)
{
    struct spv_tools *tools = spv_tools_new();
    const uint32_t *words;
    size_t count;
    struct err wrong = {0};
    const char *text = arena_printf(a, "%s%sOpFunctionEnd\n", HEAD, body);
    *out = (struct text){.arena = a};
    if (!spv_assemble(tools, a, text, strlen(text), 1, &words, &count, &wrong))
        fail_msg("%s", wrong.msg);
    spv_tools_free(tools);
    return print_module(a, l, words, count, 8, out, &refused_at, e);
}

// The text of the body, from the first statement behind the declarations.
static void shows(const char *body, enum print_language l, const char *want)
{
    struct arena a = {0};
    struct text t;
    struct err e = {0};
    if (!print(&a, l, body, &t, &e))
        fail_msg("%s", e.msg);
    if (!strstr(t.v, want))
        fail_msg("no\n%sin:\n%s", want, t.v);
    arena_free(&a);
}

// for (i = 0; i < 3; i++) { if (elect()) break; } with a phi, the test in the header.
#define FOR                                                                                        \
    "%20 = OpLabel\nOpBranch %21\n%21 = OpLabel\n%30 = OpPhi %5 %11 %20 %31 %24\n"                 \
    "%32 = OpULessThan %6 %30 %10\nOpLoopMerge %25 %24 DontUnroll\n"                               \
    "OpBranchConditional %32 %22 %25\n%22 = OpLabel\n%33 = OpGroupNonUniformElect %6 %10\n"        \
    "OpSelectionMerge %23 DontFlatten\nOpBranchConditional %33 %26 %23\n"                          \
    "%26 = OpLabel\nOpBranch %25\n%23 = OpLabel\nOpBranch %24\n"                                   \
    "%24 = OpLabel\n%31 = OpIAdd %5 %30 %10\nOpBranch %21\n%25 = OpLabel\nOpReturn\n"

static void loops(void **state)
{
    (void)state;
    shows(FOR, PRINT_GLSL,
          "    trip_in = 0u;\n"
          "    for (;; value = trip + 3u, trip_in = value) {\n"
          "        trip = trip_in;\n"
          "        test = trip < 3u;\n"
          "        if (!test) {\n            break;\n        }\n"
          "        elected = subgroupElect();\n"
          "        if (elected) {\n            break;\n        }\n"
          "    }\n    return;\n");
    shows(FOR, PRINT_WGSL,
          "    p30 = 0u;\n"
          "    loop {\n"
          "        x30 = p30;\n"
          "        x32 = x30 < 3u;\n"
          "        if (!x32) {\n            break;\n        }\n"
          "        x33 = subgroupElect();\n"
          "        if (x33) {\n            break;\n        }\n"
          "        continuing {\n"
          "            x31 = x30 + 3u;\n            p30 = x31;\n"
          "        }\n    }\n    return;\n");
    shows(FOR, PRINT_HLSL, "    [loop] for (;; x31 = x30 + 3u, p30 = x31) {\n");
    shows(FOR, PRINT_HLSL, "        [branch] if (x33) {\n            break;\n");
    shows(FOR, PRINT_HLSL, "x33 = __builtin_hlsl_wave_is_first_lane();\n");
    // A condition at the bottom is a do-while.
    shows("%20 = OpLabel\nOpBranch %21\n%21 = OpLabel\nOpLoopMerge %25 %24 None\nOpBranch %22\n"
          "%22 = OpLabel\nOpBranch %24\n%24 = OpLabel\n%33 = OpGroupNonUniformElect %6 %10\n"
          "OpBranchConditional %33 %21 %25\n%25 = OpLabel\nOpReturn\n",
          PRINT_GLSL, "    do {\n    } while (elected = subgroupElect(), elected);\n    return;\n");
}

static void switches(void **state)
{
    (void)state;
    shows(
        "%20 = OpLabel\n%30 = OpLoad %5 %2\nOpSelectionMerge %29 None\n"
        "OpSwitch %30 %23 0 %21 1 %22 7 %22\n%21 = OpLabel\nOpBranch %22\n"
        "%22 = OpLabel\nOpBranch %29\n%23 = OpLabel\nOpReturn\n%29 = OpLabel\nOpReturn\n",
        PRINT_GLSL,
        "    switch (lane) {\n    case 0u:\n    {\n    }\n    case 1u:\n    case 7u:\n    {\n"
        "        break;\n    }\n    default:\n    {\n        return;\n    }\n    }\n    return;\n");
}

// WGSL: no fall-through; a continue construct of several blocks is one like any other.
static void wgsl(void **state)
{
    (void)state;
    static const char shared[] =
        "%20 = OpLabel\n%30 = OpLoad %5 %2\nOpSelectionMerge %29 None\n"
        "OpSwitch %30 %22 0 %21 1 %22 7 %22\n%21 = OpLabel\nOpBranch %29\n"
        "%22 = OpLabel\nOpBranch %29\n%29 = OpLabel\nOpReturn\n";
    static const char falls[] =
        "%20 = OpLabel\n%30 = OpLoad %5 %2\nOpSelectionMerge %29 None\n"
        "OpSwitch %30 %29 0 %21 1 %22\n%21 = OpLabel\nOpBranch %22\n"
        "%22 = OpLabel\nOpBranch %29\n%29 = OpLabel\nOpReturn\n";
    static const char blocks[] =
        "%20 = OpLabel\nOpBranch %21\n%21 = OpLabel\nOpLoopMerge %29 %24 None\nOpBranch %24\n"
        "%24 = OpLabel\n%33 = OpGroupNonUniformElect %6 %10\nOpSelectionMerge %26 None\n"
        "OpBranchConditional %33 %25 %26\n%25 = OpLabel\n%34 = OpGroupNonUniformElect %6 %10\n"
        "OpBranch %26\n%26 = OpLabel\nOpBranchConditional %33 %21 %29\n%29 = OpLabel\nOpReturn\n";
    shows(shared, PRINT_WGSL, "    switch (x30) {\n    case 0u: {\n        break;\n    }\n"
                              "    case 1u, 7u, default: {\n        break;\n    }\n    }\n    return;\n");
    shows(blocks, PRINT_WGSL, "        continuing {\n            x33 = subgroupElect();\n"
                              "            if (x33) {\n                x34 = subgroupElect();\n            }\n"
                              "            break if (!x33);\n        }\n");
    shows(FOR, PRINT_WGSL, "@compute @workgroup_size(8, 1, 1)\nfn main(\n"
                           "    @builtin(subgroup_invocation_id) in_tf_lane: u32)\n{\n    tf_lane = in_tf_lane;\n");
    shows("%20 = OpLabel\n%30 = OpGroupNonUniformAllEqual %6 %10 %11\nOpReturn\n", PRINT_WGSL,
          "x30 = subgroupAll(0u == subgroupBroadcastFirst(0u));");
    shows("%20 = OpLabel\n%30 = OpGroupNonUniformSMax %5 %10 Reduce %11\nOpReturn\n", PRINT_WGSL,
          "x30 = u32(subgroupMax(i32(0u)));");
    static const char vectors[] = "%20 = OpLabel\n%30 = OpGroupNonUniformSMin %7 %10 Reduce %12\nOpReturn\n";
    shows(vectors, PRINT_WGSL, "x30 = vec2<u32>(subgroupMin(vec2<i32>(");
    shows(vectors, PRINT_GLSL, " = uvec2(subgroupMin(ivec2(");
    shows("%20 = OpLabel\n%30 = OpShiftLeftLogical %5 %10 %10\nOpReturn\n", PRINT_WGSL,
          "    x30 = 3u;\n    x30 = x30 << 3u;\n");
    struct arena a = {0};
    struct text t;
    struct err e = {0};
    assert_false(print(&a, PRINT_WGSL, falls, &t, &e));
    assert_non_null(strstr(e.msg, "not printed as wgsl: control flow"));
    assert_true(print(&a, PRINT_GLSL, falls, &t, &e));
    assert_false(print(&a, PRINT_WGSL, "%20 = OpLabel\n%30 = OpGroupNonUniformUMax %5 %10 InclusiveScan %11\n"
                                       "OpReturn\n", &t, &e));
    arena_free(&a);
}

// OpenCL C: no globals, other words for group operations; bools are numbers there.
static void opencl(void **state)
{
    (void)state;
    shows(FOR, PRINT_OPENCL, "__attribute__((reqd_work_group_size(8, 1, 1)))\n"
                             "__attribute__((intel_reqd_sub_group_size(8)))\nkernel void tf_main()\n{\n"
                             "    struct tf tf_all, *tf = &tf_all;\n");
    shows(FOR, PRINT_OPENCL, "        x33 = 0 != sub_group_elect();\n        if (x33) {\n            break;\n        }\n");
    static const char *const rows[][2] = {
        {"%30 = OpLoad %5 %2\n", "x30 = get_sub_group_local_id();"},
        {"%30 = OpGroupNonUniformAll %6 %10 %9\n", "x30 = 0 != sub_group_non_uniform_all((int)true);"},
        {"%30 = OpGroupNonUniformShuffleXor %5 %10 %11 %10\n", "x30 = sub_group_shuffle_xor(0u, 3u);"},
        {"%30 = OpGroupNonUniformSMax %5 %10 Reduce %11\n",
         "x30 = (uint)sub_group_non_uniform_reduce_max((int)0u);"},
        {"%30 = OpGroupNonUniformIAdd %5 %10 ExclusiveScan %11\n",
         "x30 = sub_group_non_uniform_scan_exclusive_add(0u);"},
        {"%30 = OpGroupNonUniformUMin %5 %10 ClusteredReduce %11 %10\n",
         "x30 = sub_group_clustered_reduce_min(0u, 3u);"},
        {"%30 = OpGroupNonUniformLogicalXor %6 %10 InclusiveScan %9\n",
         "x30 = 0 != sub_group_non_uniform_scan_inclusive_logical_xor((int)true);"},
        {"%30 = OpGroupNonUniformBroadcastFirst %6 %10 %9\n",
         "x30 = 0 != sub_group_broadcast_first((int)true);"},
    };
    struct arena a = {0};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        shows(arena_printf(&a, "%%20 = OpLabel\n%sOpReturn\n", rows[i][0]), PRINT_OPENCL, rows[i][1]);
    struct text t;
    struct err e = {0};
    assert_false(print(&a, PRINT_OPENCL, "%20 = OpLabel\n%30 = OpGroupNonUniformQuadBroadcast %5 %10 %11 %10\n"
                                         "OpReturn\n", &t, &e));
    assert_non_null(strstr(e.msg, "not printed as opencl: OpGroupNonUniformQuadBroadcast: no function for it"));
    arena_free(&a);
}

static void modes(void **state)
{
    (void)state;
    shows(FOR, PRINT_GLSL, "#extension GL_EXT_maximal_reconvergence : require\n");
    shows(FOR, PRINT_GLSL, "void main() [[maximally_reconverges]]\n");
    shows(FOR, PRINT_HLSL, "[numthreads(8, 1, 1)]\nvoid main()\n");
}

static void refused(void **state)
{
    (void)state;
    static const struct {
        const char *body, *why;
    } rows[] = {
        // out of the loop from inside a switch
        {"%20 = OpLabel\nOpBranch %21\n%21 = OpLabel\nOpLoopMerge %29 %28 None\nOpBranch %22\n"
         "%22 = OpLabel\n%30 = OpLoad %5 %2\nOpSelectionMerge %27 None\nOpSwitch %30 %27 0 %23\n"
         "%23 = OpLabel\nOpBranch %29\n%27 = OpLabel\nOpBranch %28\n%28 = OpLabel\nOpBranch %21\n"
         "%29 = OpLabel\nOpReturn\n",
         "no words for"},
        {"%20 = OpLabel\nOpBranch %21\n%21 = OpLabel\nOpLoopMerge %29 %21 None\n"
         "OpBranchConditional %9 %22 %29\n%22 = OpLabel\nOpBranch %21\n%29 = OpLabel\nOpReturn\n",
         "its own continue construct"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct arena a = {0};
        struct text t;
        struct err e = {0};
        assert_false(print(&a, PRINT_GLSL, rows[i].body, &t, &e));
        if (!strstr(e.msg, rows[i].why) || !strstr(e.msg, "not printed as glsl"))
            fail_msg("'%s' is not in '%s'", rows[i].why, e.msg);
        assert_null(strchr(e.msg, '%')); // where it was is told apart
        assert_int_not_equal(refused_at, 0);
        arena_free(&a);
    }
}

// Only fragment shaders of GLSL have it. A compute module may hold it in a function that is not called.
static void no_discard_in_compute(void **state)
{
    (void)state;
    struct arena a = {0};
    struct text t;
    struct err e = {0};
    assert_false(print(&a, PRINT_GLSL, "%20 = OpLabel\nOpReturn\nOpFunctionEnd\n%21 = OpFunction %3 None %4\n"
                                       "%22 = OpLabel\nOpKill\n", &t, &e));
    assert_string_equal(e.msg, "not printed as glsl: OpKill: a terminator that is not supported");
    arena_free(&a);
}

// HLSL has no number of workgroups and none of subgroups; clang's builtins do for the first.
static void plain_hlsl(void **state)
{
    (void)state;
    struct spv_tools *tools = spv_tools_new();
    struct arena a = {0};
    const char *const head =
        "OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %1 \"main\" %2\n"
        "OpExecutionMode %1 LocalSize 8 1 1\nOpDecorate %2 BuiltIn NumWorkgroups\n%3 = OpTypeVoid\n"
        "%4 = OpTypeFunction %3\n%5 = OpTypeInt 32 0\n%7 = OpTypeVector %5 3\n%8 = OpTypePointer Input %7\n"
        "%2 = OpVariable %8 Input\n%1 = OpFunction %3 None %4\n%20 = OpLabel\n%21 = OpLoad %7 %2\n"
        "%22 = OpCompositeExtract %5 %21 0\nOpReturn\nOpFunctionEnd\n";
    const uint32_t *words;
    size_t count;
    struct err e = {0};
    assert_true(spv_assemble(tools, &a, head, strlen(head), 1, &words, &count, &e));
    struct text t = {.arena = &a};
    if (!print_module(&a, PRINT_HLSL, words, count, 8, &t, &refused_at, &e))
        fail_msg("%s", e.msg);
    assert_non_null(strstr(t.v, "__builtin_spirv_num_workgroups(0)"));
    t = (struct text){.arena = &a};
    assert_false(print_module(&a, PRINT_HLSL_PLAIN, words, count, 8, &t, &refused_at, &e));
    assert_non_null(strstr(e.msg, "HLSL has no such builtin"));
    arena_free(&a);
    spv_tools_free(tools);
}

// Images and samplers stand where they are used; no other language has words for them, or for groups of derivatives.
static void images(void **state)
{
    (void)state;
    struct spv_tools *tools = spv_tools_new();
    struct arena a = {0};
    const char *const module =
        "OpCapability Shader\nOpCapability ShaderNonUniform\nOpCapability SampledImageArrayNonUniformIndexing\n"
        "OpCapability DerivativeControl\nOpCapability ComputeDerivativeGroupLinearKHR\nOpCapability ImageQuery\n"
        "OpExtension \"SPV_EXT_descriptor_indexing\"\nOpExtension \"SPV_KHR_compute_shader_derivatives\"\n"
        "OpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %1 \"main\"\nOpExecutionMode %1 LocalSize 8 1 1\n"
        "OpExecutionMode %1 DerivativeGroupLinearKHR\nOpDecorate %2 DescriptorSet 0\nOpDecorate %2 Binding 4\n"
        "OpDecorate %3 DescriptorSet 0\nOpDecorate %3 Binding 5\nOpDecorate %3 Coherent\n"
        "OpDecorate %4 DescriptorSet 0\nOpDecorate %4 Binding 6\nOpDecorate %5 DescriptorSet 0\n"
        "OpDecorate %5 Binding 7\nOpDecorate %40 NonUniform\nOpDecorate %41 NonUniform\n"
        "OpDecorate %60 NoContraction\n"
        "%10 = OpTypeVoid\n%11 = OpTypeFunction %10\n%12 = OpTypeInt 32 0\n%13 = OpTypeFloat 32\n"
        "%14 = OpTypeVector %13 2\n%15 = OpTypeVector %13 4\n%16 = OpTypeVector %12 2\n%17 = OpTypeVector %12 4\n"
        "%18 = OpConstant %12 3\n%19 = OpConstant %13 0.5\n%20 = OpConstant %12 0\n%21 = OpConstantComposite %14 %19 %19\n"
        "%22 = OpConstantComposite %16 %18 %20\n%23 = OpConstantNull %17\n%24 = OpConstant %13 1e-40\n"
        "%25 = OpTypeImage %13 2D 0 0 0 1 Unknown\n%26 = OpTypeSampledImage %25\n%27 = OpTypeArray %26 %18\n"
        "%28 = OpTypePointer UniformConstant %27\n%29 = OpTypePointer UniformConstant %26\n%2 = OpVariable %28 UniformConstant\n"
        "%30 = OpTypeImage %12 2D 0 0 0 2 Rgba32ui\n%31 = OpTypePointer UniformConstant %30\n%3 = OpVariable %31 UniformConstant\n"
        "%32 = OpTypePointer UniformConstant %25\n%4 = OpVariable %32 UniformConstant\n%33 = OpTypeSampler\n"
        "%34 = OpTypePointer UniformConstant %33\n%5 = OpVariable %34 UniformConstant\n"
        "%1 = OpFunction %10 None %11\n%35 = OpLabel\n"
        "%40 = OpAccessChain %29 %2 %18\n%41 = OpLoad %26 %40\n%42 = OpImageSampleImplicitLod %15 %41 %21 Bias %19\n"
        "%43 = OpLoad %25 %4\n%44 = OpLoad %33 %5\n%45 = OpSampledImage %26 %43 %44\n"
        "%46 = OpImageSampleExplicitLod %15 %45 %21 Grad %21 %21\n%47 = OpImageGather %15 %45 %21 %18\n"
        "%48 = OpImageFetch %15 %43 %22 Lod %18\n%49 = OpImageQueryLod %14 %45 %21\n%50 = OpImageQueryLevels %12 %43\n"
        "%51 = OpLoad %30 %3\n%52 = OpImageRead %17 %51 %22\nOpImageWrite %51 %22 %23\n%53 = OpImageQuerySize %16 %51\n"
        "%54 = OpDPdxCoarse %13 %19\n%55 = OpFwidth %14 %21\n%56 = OpBitcast %12 %19\n%57 = OpConvertSToF %13 %18\n"
        "%58 = OpFAdd %13 %24 %19\n%60 = OpFMul %13 %58 %19\n"
        "OpReturn\nOpFunctionEnd\n";
    static const char *const want[] = {
        "layout(derivative_group_linearKHR) in;\n",
        "layout(set = 0, binding = 4) uniform sampler2D x2[3];\n",
        "layout(set = 0, binding = 5, rgba32ui) uniform coherent uimage2D x3;\n",
        "layout(set = 0, binding = 6) uniform texture2D x4;\n",
        "layout(set = 0, binding = 7) uniform sampler x5;\n",
        " = texture(x2[nonuniformEXT(3u)], vec2(0.5, 0.5), 0.5);\n",
        " = textureGrad(sampler2D(x4, x5), vec2(0.5, 0.5), vec2(0.5, 0.5), vec2(0.5, 0.5));\n",
        " = textureGather(sampler2D(x4, x5), vec2(0.5, 0.5), 3);\n",
        " = texelFetch(x4, ivec2(uvec2(3u, 0u)), int(3u));\n",
        " = textureQueryLod(sampler2D(x4, x5), vec2(0.5, 0.5));\n",
        " = uint(textureQueryLevels(x4));\n",
        " = uvec4(imageLoad(x3, ivec2(uvec2(3u, 0u))));\n",
        "imageStore(x3, ivec2(uvec2(3u, 0u)), uvec4(0u));\n",
        " = uvec2(imageSize(x3));\n",
        " = dFdxCoarse(0.5);\n",
        " = fwidth(vec2(0.5, 0.5));\n",
        " = floatBitsToUint(0.5);\n",
        " = float(int(3u));\n",
        " = uintBitsToFloat(0x116c2u) + 0.5;\n",
        "precise float value_60;\n",
    };
    const uint32_t *words;
    size_t count;
    struct err e = {0};
    if (!spv_assemble(tools, &a, module, strlen(module), 1, &words, &count, &e))
        fail_msg("%s", e.msg);
    struct text t = {.arena = &a};
    if (!print_module(&a, PRINT_GLSL, words, count, 8, &t, &refused_at, &e))
        fail_msg("%s", e.msg);
    for (size_t i = 0; i < sizeof want / sizeof *want; i++)
        if (!strstr(t.v, want[i]))
            fail_msg("no\n%sin:\n%s", want[i], t.v);
    static const enum print_language none[] = {PRINT_LLVM, PRINT_HLSL, PRINT_WGSL};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        t = (struct text){.arena = &a};
        assert_false(print_module(&a, none[i], words, count, 8, &t, &refused_at, &e));
        assert_non_null(strstr(e.msg, "images and samplers"));
        assert_int_equal(refused_at, 2);
    }
    arena_free(&a);
    spv_tools_free(tools);
}

// A loop of one block goes back while its condition holds; phis of both edges are set before.
static void single_block_loop(void **state)
{
    (void)state;
    static const char body[] =
        "%20 = OpLabel\nOpBranch %21\n%21 = OpLabel\n%30 = OpPhi %5 %11 %20 %31 %21\n"
        "%31 = OpIAdd %5 %30 %10\n%32 = OpULessThan %6 %31 %10\nOpLoopMerge %29 %21 DontUnroll\n"
        "OpBranchConditional %32 %21 %29\n%29 = OpLabel\n%33 = OpPhi %5 %31 %21\nOpReturn\n";
    shows(body, PRINT_GLSL, "    do {\n        trip = trip_in;\n        value = trip + 3u;\n"
                            "        test = value < 3u;\n        trip_in = value;\n        merged_in = value;\n"
                            "    } while (test);\n    merged = merged_in;\n");
    shows(body, PRINT_HLSL, "    [loop] do {\n");
}

// Values are unsigned; what is asked of signed ones says so.
static void group_operations(void **state)
{
    (void)state;
    shows("%20 = OpLabel\n%30 = OpGroupNonUniformSMax %5 %10 Reduce %11\nOpReturn\n", PRINT_GLSL,
          "most = uint(subgroupMax(int(0u)));");
    shows("%20 = OpLabel\n%30 = OpGroupNonUniformSMin %5 %10 ClusteredReduce %11 %10\nOpReturn\n",
          PRINT_GLSL, "least = uint(subgroupClusteredMin(int(0u), 3u));");
    shows("%20 = OpLabel\n%30 = OpGroupNonUniformLogicalXor %6 %10 ExclusiveScan %9\nOpReturn\n",
          PRINT_GLSL, "xor_before = subgroupExclusiveXor(true);");
    shows("%20 = OpLabel\n%30 = OpGroupNonUniformQuadBroadcast %5 %10 %11 %10\nOpReturn\n",
          PRINT_GLSL, "of_quad = subgroupQuadBroadcast(0u, 3u);");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(loops), cmocka_unit_test(switches),
                                       cmocka_unit_test(modes), cmocka_unit_test(refused), cmocka_unit_test(no_discard_in_compute), cmocka_unit_test(plain_hlsl), cmocka_unit_test(images),
        cmocka_unit_test(single_block_loop), cmocka_unit_test(wgsl), cmocka_unit_test(opencl),
        cmocka_unit_test(group_operations)};
    return cmocka_run_group_tests_name("prn_clike", tests, NULL, NULL);
}
