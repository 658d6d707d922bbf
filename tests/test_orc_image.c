// SPDX-License-Identifier: Apache-2.0
//
// Images and samplers, an instruction a row: which texel of which shape, levels and sizes, operands, what has no value, and
// what is refused. By the sentences of SPIR-V 3.3.10 and of Vulkan, "Image Operations".
#include "test_orc_text.h"

#include "oracle/trace.h"

#include <stdlib.h>

// Of a storage image word k holds 1000 + k. Of a sampled one component c of level l of descriptor d holds 100 d + 10 l + c + 1,
// where it is of floats as a float.
struct image_row {
    const char *name, *type, *is; // OpTypeImage's operands; "image", or "pair" for one with a sampler
    struct spv_image_form form;
    uint32_t levels; // 0: a storage image
    const char *code;
    uint32_t r[LANES];
    const char *refused; // text or rule
    uint32_t elements;   // of an array
    bool linear;         // between levels
    float least, most;   // of the sampler; both 0: 0 and 10
    const char *capabilities, *globals, *annotations;
    bool no_quads, vulkan, no_length; // of an array
    uint32_t folds;                   // 1: all levels of the second component are alike; 2: the first and the third are
    uint32_t after[LANES]; // the image's first words, where not 0
    uint32_t told;         // to an observer, operations and one; 0: not asked
    uint32_t op;           // that is refused, where not 0
    bool assumed;          // loaded by orc_load_assumed
};
#define SAME(v) {v, v, v, v, v, v, v, v}
#define FORM(s, t, w, h, d, l) {.shape = SPV_IMAGE_##s, .size = {w, h, d}, .layers = l, .texel = SPV_##t, .count = 1}
#define FORMS(n, s, t, w, h, d, l) {.shape = SPV_IMAGE_##s, .size = {w, h, d}, .layers = l, .texel = SPV_##t, .count = n}
#define XY "%four = OpBitwiseAnd %u32 %lane %u3\n%half = OpShiftRightLogical %u32 %lane %u2\n%half1 = OpIAdd %u32 %half %u1\n"
#define AT2(a, b) "%at = OpCompositeConstruct %uvec2 " a " " b "\n"
#define AT3(a, b, c) "%at = OpCompositeConstruct %uvec3 " a " " b " " c "\n"
#define PART(k) "%r = OpCompositeExtract %u32 %v " k "\n"
#define FPART(k) "%f = OpCompositeExtract %f32 %v " k "\n%r = OpConvertFToU %u32 %f\n"
#define GET "%im = OpLoad %image %more\n"
#define READ(at) GET "%v = OpImageRead %uvec4 %im " at "\n" PART("0")
#define S1 "%u32 2D 0 0 0 2 R32ui", "image", FORM(2D, R32UI, 4, 3, 1, 1), 0
#define S4 "%u32 2D 0 0 0 2 Rgba32ui", "image", FORM(2D, RGBA32UI, 4, 3, 1, 1), 0
#define BY_4 {1004, 1005, 1006, 1007, 1008, 1009, 1010, 1011} // rows 1 and 2 of a width of 4

static const struct image_row storage[] = {
    {"1D", "%u32 1D 0 0 0 2 R32ui", "image", FORM(1D, R32UI, 8, 1, 1, 1), 0, READ("%lane"), {1000, 1001, 1002, 1003, 1004, 1005, 1006, 1007}},
    {"a buffer", "%u32 Buffer 0 0 0 2 R32ui", "image", FORM(BUFFER, R32UI, 8, 1, 1, 1), 0, READ("%lane"), {1000, 1001, 1002, 1003, 1004, 1005, 1006, 1007}},
    {"1D, a layer", "%u32 1D 0 1 0 2 R32ui", "image", FORM(1D_ARRAY, R32UI, 4, 1, 1, 3), 0, XY AT2("%four", "%half1") READ("%at"), BY_4},
    {"2D", S1, XY AT2("%four", "%half1") READ("%at"), BY_4},
    {"2D, a layer", "%u32 2D 0 1 0 2 R32ui", "image", FORM(2D_ARRAY, R32UI, 4, 3, 1, 2), 0, XY AT3("%four", "%half1", "%u1") READ("%at"), {1016, 1017, 1018, 1019, 1020, 1021, 1022, 1023}},
    {"3D", "%u32 3D 0 0 0 2 R32ui", "image", FORM(3D, R32UI, 4, 3, 2, 1), 0, XY AT3("%four", "%half1", "%u1") READ("%at"), {1016, 1017, 1018, 1019, 1020, 1021, 1022, 1023}},
    {"a cube's face", "%u32 Cube 0 0 0 2 R32ui", "image", FORM(CUBE, R32UI, 4, 4, 1, 1), 0, XY AT3("%four", "%half1", "%u5") READ("%at"), {1084, 1085, 1086, 1087, 1088, 1089, 1090, 1091}},
    {"a face of the second cube", "%u32 Cube 0 1 0 2 R32ui", "image", FORM(CUBE_ARRAY, R32UI, 4, 4, 1, 2), 0, XY AT3("%four", "%half1", "%u8c") READ("%at"), {1132, 1133, 1134, 1135, 1136, 1137, 1138, 1139}},
    {"behind the last face", "%u32 Cube 0 0 0 2 R32ui", "image", FORM(CUBE, R32UI, 4, 4, 1, 1), 0, XY AT3("%four", "%half1", "%u6") READ("%at"), .refused = "E-bounds"},
    {"the last face of all", "%u32 Cube 0 1 0 2 R32ui", "image", FORM(CUBE_ARRAY, R32UI, 4, 4, 1, 2), 0, AT3("%u0", "%u0", "%u11") READ("%at"), SAME(1176)},
    {"behind it", "%u32 Cube 0 1 0 2 R32ui", "image", FORM(CUBE_ARRAY, R32UI, 4, 4, 1, 2), 0, AT3("%u0", "%u0", "%u12") READ("%at"), .refused = "E-bounds"},
    {"four components, the first", S4, XY AT2("%four", "%half1") READ("%at"), {1016, 1020, 1024, 1028, 1032, 1036, 1040, 1044}},
    {"the third", S4, XY AT2("%four", "%half1") GET "%v = OpImageRead %uvec4 %im %at\n" PART("2"), {1018, 1022, 1026, 1030, 1034, 1038, 1042, 1046}},
    {"the last", S4, XY AT2("%four", "%half1") GET "%v = OpImageRead %uvec4 %im %at\n" PART("3"), {1019, 1023, 1027, 1031, 1035, 1039, 1043, 1047}},
    {"two of four", S4, XY AT2("%four", "%half1") GET "%v = OpImageRead %uvec2 %im %at\n" PART("1"), {1017, 1021, 1025, 1029, 1033, 1037, 1041, 1045}},
    {"one of four, and nothing beside", S4, XY AT2("%four", "%half1") GET "%z = OpIAdd %u32 %x %u0\n%v = OpImageRead %u32 %im %at\n%z2 = OpIAdd %u32 %x %u0\n%zd = OpISub %u32 %z %z2\n%r = OpIAdd %u32 %v %zd\n", {1016, 1020, 1024, 1028, 1032, 1036, 1040, 1044}},
    {"one that the format has not", S1, AT2("%u0", "%u0") GET "%v = OpImageRead %uvec4 %im %at\n%v1 = OpCompositeExtract %u32 %v 1\n%v2 = OpCompositeExtract %u32 %v 2\n%v12 = OpBitwiseOr %u32 %v1 %v2\n%r = OpIAdd %u32 %v12 %u5\n", SAME(5)},
#define ALSO .globals = "%also = OpVariable %all_ptr UniformConstant\n", .annotations = "OpDecorate %also DescriptorSet 0\nOpDecorate %also Binding 2\nOpDecorate %also Coherent\n"
    {"two variables that are read", S1, AT2("%u1", "%u0") GET "%im2 = OpLoad %image %also\n%v = OpImageRead %uvec4 %im %at\n%w = OpImageRead %uvec4 %im2 %at\n%v0 = OpCompositeExtract %u32 %v 0\n%w0 = OpCompositeExtract %u32 %w 0\n%r = OpIAdd %u32 %v0 %w0\n", SAME(2002), ALSO},
    {"two, and one is written", S1, AT2("%lane", "%u0") GET "%im2 = OpLoad %image %also\n%v = OpImageRead %uvec4 %im %at\nOpImageWrite %im2 %at %v\n" PART("0"), ALSO, .refused = "two variables on binding 0:2, one of them written"},
    {"alpha that the format has not", S1, AT2("%u0", "%u0") GET "%v = OpImageRead %uvec4 %im %at\n" PART("3"), SAME(1)},
    {"alpha of floats", "%f32 2D 0 0 0 2 R32f", "image", FORM(2D, R32F, 4, 3, 1, 1), 0, AT2("%u0", "%u0") GET "%v = OpImageRead %vec4 %im %at\n%f = OpCompositeExtract %f32 %v 3\n%r = OpBitcast %u32 %f\n", SAME(0x3f800000)},
    {"a float too small to be told", "%f32 2D 0 0 0 2 R32f", "image", FORM(2D, R32F, 4, 3, 1, 1), 0, AT2("%u0", "%u0") GET "%v = OpImageRead %vec4 %im %at\n%f = OpCompositeExtract %f32 %v 0\n%r = OpBitcast %u32 %f\n", SAME(U)},
    {"signed", "%i32 2D 0 0 0 2 R32i", "image", FORM(2D, R32I, 4, 3, 1, 1), 0, AT2("%u1", "%u2") GET "%v = OpImageRead %ivec4 %im %at\n%s = OpCompositeExtract %i32 %v 0\n%r = OpBitcast %u32 %s\n", SAME(1009)},
    {"right of it", S1, AT2("%u4", "%u1") READ("%at"), .refused = "E-bounds"},
    {"left of it", S1, "%m = OpISub %u32 %u0 %u1\n" AT2("%m", "%u1") READ("%at"), .refused = "E-bounds"},
    {"above it", S1, "%m = OpISub %u32 %u0 %u1\n" AT2("%u0", "%m") READ("%at"), .refused = "E-bounds"},
    {"below it", S1, AT2("%u0", "%u3") READ("%at"), .refused = "E-bounds"},
    {"the last texel", S1, AT2("%u3", "%u2") READ("%at"), SAME(1011)},
    {"behind the last layer", "%u32 2D 0 1 0 2 R32ui", "image", FORM(2D_ARRAY, R32UI, 4, 3, 1, 2), 0, AT3("%u0", "%u0", "%u2") READ("%at"), .refused = "E-bounds"},
    {"a coordinate without a value", S1, "%q = OpUDiv %u32 %u0 %u0\n" AT2("%q", "%u0") READ("%at"), .refused = "E-pointer"},
    {"the other one without a value", S1, "%q = OpUDiv %u32 %u0 %u0\n" AT2("%u0", "%q") READ("%at"), .refused = "E-pointer"},
    {"more coordinates than needed", S1, XY AT3("%four", "%half1", "%u8c") READ("%at"), BY_4},
    {"written and read", S1, XY AT2("%four", "%half1") GET "%v = OpCompositeConstruct %uvec4 %x %y %x %y\nOpImageWrite %im %at %v\n%w = OpImageRead %uvec4 %im %at\n%r = OpCompositeExtract %u32 %w 0\n", {1, 2, 3, 4, 5, 6, 7, 8}},
    {"written, all components", S4, XY AT2("%four", "%half1") GET "%v = OpCompositeConstruct %uvec4 %x %y %y %y\nOpImageWrite %im %at %v\n%w = OpImageRead %uvec4 %im %at\n%r = OpCompositeExtract %u32 %w 3\n", {11, 12, 13, 14, 15, 16, 17, 18}},
    {"as many components as it has", S1, XY AT2("%four", "%half1") GET "OpImageWrite %im %at %x\n%w = OpImageRead %uvec4 %im %at\n%r = OpCompositeExtract %u32 %w 0\n", {1, 2, 3, 4, 5, 6, 7, 8}},
    {"fewer components than it has", S4, XY AT2("%four", "%half1") GET "%v = OpCompositeConstruct %uvec2 %x %y\nOpImageWrite %im %at %v\n%r = OpIAdd %u32 %x %u0\n", .refused = ": invalid: the image has more components than the instruction writes, in workgroup 0, invocation 0"},
    {"written outside", S1, AT2("%lane", "%u2") GET "OpImageWrite %im %at %x\n%r = OpIAdd %u32 %x %u0\n", {1, 2, 3, 4, 5, 6, 7, 8}, .after = {1000, 1001, 1002, 1003, 1004, 1005, 1006, 1007}},
    {"where it is written", S1, AT2("%u2", "%u1") "%first = OpIEqual %bool %lane %u0\nOpSelectionMerge %j None\nOpBranchConditional %first %t %j\n%t = OpLabel\n" GET "OpImageWrite %im %at %x\nOpBranch %j\n%j = OpLabel\n%r = OpIAdd %u32 %x %u0\n",
     {1, 2, 3, 4, 5, 6, 7, 8}, .after = {1000, 1001, 1002, 1003, 1004, 1005, 1, 1007}},
    {"by all of them", S1, AT2("%u2", "%u1") GET "OpImageWrite %im %at %x\n%r = OpIAdd %u32 %x %u0\n", .refused = "E-race"},
    {"a texel's pointer", S1, XY AT2("%four", "%half1") "%p = OpImageTexelPointer %texel_ptr %more %at %u0\n%o = OpAtomicIAdd %u32 %p %u1 %u0 %u1\n%r = OpIAdd %u32 %x %u0\n", {1, 2, 3, 4, 5, 6, 7, 8}, .after = {1000, 1001, 1002, 1003, 1005, 1006, 1007, 1008}},
    {"of another layer", "%u32 2D 0 1 0 2 R32ui", "image", FORM(2D_ARRAY, R32UI, 4, 1, 1, 2), 0, XY AT3("%four", "%u0", "%half") "%p = OpImageTexelPointer %texel_ptr %more %at %u0\n%o = OpAtomicIAdd %u32 %p %u1 %u0 %x\n%r = OpIAdd %u32 %x %u0\n", {1, 2, 3, 4, 5, 6, 7, 8},
     .after = {1001, 1003, 1005, 1007, 1009, 1011, 1013, 1015}},
    {"outside", S1, AT2("%lane", "%u1") "%p = OpImageTexelPointer %texel_ptr %more %at %u0\n%r = OpAtomicIAdd %u32 %p %u1 %u0 %u1\n", .refused = "E-bounds"},
    {"outside, and nobody goes there", S1, AT2("%lane", "%u1") "%p = OpImageTexelPointer %texel_ptr %more %at %u0\n%r = OpIAdd %u32 %x %u0\n", {1, 2, 3, 4, 5, 6, 7, 8}},
    {"the second of an array", "%u32 2D 0 0 0 2 R32ui", "image", FORMS(2, 2D, R32UI, 4, 3, 1, 1), 0, XY AT2("%four", "%half1") "%e = OpAccessChain %one_ptr %more %u1\n%im = OpLoad %image %e\n%v = OpImageRead %uvec4 %im %at\n" PART("0"),
     {1016, 1017, 1018, 1019, 1020, 1021, 1022, 1023}, .elements = 2},
    {"one that the array has not", "%u32 2D 0 0 0 2 R32ui", "image", FORMS(2, 2D, R32UI, 4, 3, 1, 1), 0, AT2("%u0", "%u0") "%h = OpGroupNonUniformBroadcast %u32 %u3 %x %u1\n%e = OpAccessChain %one_ptr %more %h\n%im = OpLoad %image %e\n%v = OpImageRead %uvec4 %im %at\n" PART("0"),
     .elements = 2, .refused = "E-bounds"},
    {"by an index", "%u32 2D 0 0 0 2 R32ui", "image", FORMS(2, 2D, R32UI, 4, 3, 1, 1), 0, AT2("%u0", "%u0") "%h = OpBitwiseAnd %u32 %lane %u0\n%next = OpIAdd %u32 %h %u1\n%e = OpAccessChain %one_ptr %more %next\n%im = OpLoad %image %e\n%v = OpImageRead %uvec4 %im %at\n" PART("0"),
     SAME(1012), .elements = 2},
    {"by an index that the case has, and the type has not", "%u32 2D 0 0 0 2 R32ui", "image", FORMS(4, 2D, R32UI, 4, 3, 1, 1), 0, AT2("%u0", "%u0") "%h = OpBitwiseAnd %u32 %lane %u0\n%next = OpIAdd %u32 %h %u3\n%e = OpAccessChain %one_ptr %more %next\n%im = OpLoad %image %e\n"
     "%v = OpImageRead %uvec4 %im %at\n" PART("0"), .elements = 2, .refused = "E-bounds"},
    {"levels of a storage image", S1, GET "%r = OpImageQueryLevels %u32 %im\n", SAME(1)},
    {"by an index that differs", "%u32 2D 0 0 0 2 R32ui", "image", FORMS(2, 2D, R32UI, 4, 3, 1, 1), 0, XY AT2("%u0", "%u0") "%e = OpAccessChain %one_ptr %more %half\n%im = OpLoad %image %e\n%v = OpImageRead %uvec4 %im %at\n" PART("0"), .elements = 2, .refused = "E-uniform"},
    {"which may differ", "%u32 2D 0 0 0 2 R32ui", "image", FORMS(2, 2D, R32UI, 4, 3, 1, 1), 0, XY AT2("%u0", "%u0") "%e = OpAccessChain %one_ptr %more %half\n%im = OpLoad %image %e\n%v = OpImageRead %uvec4 %im %at\n" PART("0"),
     {1000, 1000, 1000, 1000, 1012, 1012, 1012, 1012}, .elements = 2, .capabilities = "OpCapability StorageImageArrayNonUniformIndexing\n", .annotations = "OpDecorate %im NonUniform\n"},
    {"which may differ, without the capability", "%u32 2D 0 0 0 2 R32ui", "image", FORMS(2, 2D, R32UI, 4, 3, 1, 1), 0, XY AT2("%u0", "%u0") "%e = OpAccessChain %one_ptr %more %half\n%im = OpLoad %image %e\n%v = OpImageRead %uvec4 %im %at\n" PART("0"),
     .elements = 2, .capabilities = "OpCapability SampledImageArrayNonUniformIndexing\nOpCapability StorageTexelBufferArrayNonUniformIndexing\n", .annotations = "OpDecorate %im NonUniform\n", .refused = "E-uniform"},
    {"the capability, and no NonUniform", "%u32 2D 0 0 0 2 R32ui", "image", FORMS(2, 2D, R32UI, 4, 3, 1, 1), 0, XY AT2("%u0", "%u0") "%e = OpAccessChain %one_ptr %more %half\n%im = OpLoad %image %e\n%v = OpImageRead %uvec4 %im %at\n" PART("0"),
     .elements = 2, .capabilities = "OpCapability StorageImageArrayNonUniformIndexing\n", .refused = "E-uniform"},
    {"texel buffers that differ", "%u32 Buffer 0 0 0 2 R32ui", "image", FORMS(2, BUFFER, R32UI, 4, 1, 1, 1), 0, XY "%e = OpAccessChain %one_ptr %more %half\n%im = OpLoad %image %e\n%v = OpImageRead %uvec4 %im %four\n" PART("0"),
     {1000, 1001, 1002, 1003, 1004, 1005, 1006, 1007}, .elements = 2, .capabilities = "OpCapability StorageTexelBufferArrayNonUniformIndexing\n", .annotations = "OpDecorate %im NonUniform\n"},
    {"texel buffers, with another capability", "%u32 Buffer 0 0 0 2 R32ui", "image", FORMS(2, BUFFER, R32UI, 4, 1, 1, 1), 0, XY "%e = OpAccessChain %one_ptr %more %half\n%im = OpLoad %image %e\n%v = OpImageRead %uvec4 %im %four\n" PART("0"),
     .elements = 2, .capabilities = "OpCapability UniformTexelBufferArrayNonUniformIndexing\nOpCapability StorageImageArrayNonUniformIndexing\n", .annotations = "OpDecorate %im NonUniform\n", .refused = "E-uniform"},
    {"the last of an array of no length", "%u32 2D 0 0 0 2 R32ui", "image", FORMS(2, 2D, R32UI, 4, 3, 1, 1), 0, AT2("%u0", "%u0") "%h = OpBitwiseAnd %u32 %lane %u0\n%i = OpIAdd %u32 %h %u1\n%e = OpAccessChain %one_ptr %more %i\n%im = OpLoad %image %e\n%v = OpImageRead %uvec4 %im %at\n" PART("0"), SAME(1012), .elements = 2, .no_length = true},
    {"behind the last of one", "%u32 2D 0 0 0 2 R32ui", "image", FORMS(2, 2D, R32UI, 4, 3, 1, 1), 0, AT2("%u0", "%u0") "%h = OpBitwiseAnd %u32 %lane %u0\n%i = OpIAdd %u32 %h %u2\n%e = OpAccessChain %one_ptr %more %i\n%im = OpLoad %image %e\n%v = OpImageRead %uvec4 %im %at\n" PART("0"),
     .elements = 2, .no_length = true, .refused = "E-bounds"},
    {"an index that differs in the middle", "%u32 2D 0 0 0 2 R32ui", "image", FORMS(2, 2D, R32UI, 4, 3, 1, 1), 0, AT2("%u0", "%u0") "%is1 = OpIEqual %bool %lane %u1\n%i = OpSelect %u32 %is1 %u1 %u0\n%e = OpAccessChain %one_ptr %more %i\n%im = OpLoad %image %e\n%v = OpImageRead %uvec4 %im %at\n" PART("0"),
     .elements = 2, .refused = "E-uniform"},
    {"an index that differs for who is not there", "%u32 2D 0 0 0 2 R32ui", "image", FORMS(2, 2D, R32UI, 4, 3, 1, 1), 0, XY AT2("%u0", "%u0") "%e = OpAccessChain %one_ptr %more %half\n%im = OpLoad %image %e\n%c = OpUGreaterThan %bool %lane %u3\nOpSelectionMerge %j None\nOpBranchConditional %c %t %j\n%t = OpLabel\n%v = OpImageRead %uvec4 %im %at\n"
     "%rv = OpCompositeExtract %u32 %v 0\nOpBranch %j\n%j = OpLabel\n%r = OpPhi %u32 %u5 %then %rv %t\n", {5, 5, 5, 5, 1012, 1012, 1012, 1012}, .elements = 2},
    {"more components than it has, and nothing beside", S1, XY AT2("%four", "%half1") GET "%v = OpCompositeConstruct %uvec4 %x %x %x %x\nOpImageWrite %im %at %v\n%r = OpIAdd %u32 %u1 %u2\n", SAME(3)},
    {"an index without a value", "%u32 2D 0 0 0 2 R32ui", "image", FORMS(2, 2D, R32UI, 4, 3, 1, 1), 0, AT2("%u0", "%u0") "%h = OpUDiv %u32 %lane %u0\n%e = OpAccessChain %one_ptr %more %h\n%im = OpLoad %image %e\n%v = OpImageRead %uvec4 %im %at\n" PART("0"), .elements = 2, .refused = "E-pointer"},
    // Sizes.
    {"width", S1, GET "%v = OpImageQuerySize %uvec2 %im\n" PART("0"), SAME(4)},
    {"height", S1, GET "%v = OpImageQuerySize %uvec2 %im\n" PART("1"), SAME(3)},
    {"depth", "%u32 3D 0 0 0 2 R32ui", "image", FORM(3D, R32UI, 4, 3, 2, 1), 0, GET "%v = OpImageQuerySize %uvec3 %im\n" PART("2"), SAME(2)},
    {"layers", "%u32 2D 0 1 0 2 R32ui", "image", FORM(2D_ARRAY, R32UI, 4, 3, 1, 5), 0, GET "%v = OpImageQuerySize %uvec3 %im\n" PART("2"), SAME(5)},
    {"layers of 1D", "%u32 1D 0 1 0 2 R32ui", "image", FORM(1D_ARRAY, R32UI, 4, 1, 1, 5), 0, GET "%v = OpImageQuerySize %uvec2 %im\n" PART("1"), SAME(5)},
    {"a cube's width", "%u32 Cube 0 0 0 2 R32ui", "image", FORM(CUBE, R32UI, 4, 4, 1, 1), 0, GET "%v = OpImageQuerySize %uvec2 %im\n" PART("1"), SAME(4)},
    {"texels in the second of an array, of four components", "%u32 2D 0 0 0 2 Rgba32ui", "image", FORMS(2, 2D, RGBA32UI, 2, 1, 1, 1), 0, "%e = OpAccessChain %one_ptr %more %u1\n%im = OpLoad %image %e\n" AT2("%u1", "%u0") "%v = OpImageRead %uvec4 %im %at\n" PART("1"), SAME(1013), .elements = 2},
    {"a cube has no third", "%u32 Cube 0 0 0 2 R32ui", "image", FORM(CUBE, R32UI, 4, 4, 1, 1), 0, GET "%v = OpImageQuerySize %uvec3 %im\n" PART("2"), SAME(U)},
    {"cubes", "%u32 Cube 0 1 0 2 R32ui", "image", FORM(CUBE_ARRAY, R32UI, 4, 4, 1, 7), 0, GET "%v = OpImageQuerySize %uvec3 %im\n" PART("2"), SAME(7)},
    {"of a buffer", "%u32 Buffer 0 0 0 2 R32ui", "image", FORM(BUFFER, R32UI, 8, 1, 1, 1), 0, GET "%r = OpImageQuerySize %u32 %im\n", SAME(8)},
    {"a plane has no third", S1, GET "%v = OpImageQuerySize %uvec4 %im\n" PART("2"), SAME(U)},
};

#define T1 "%u32 2D 0 0 0 1 Unknown", "image", FORM(2D, R32UI, 8, 5, 1, 1), 3
#define TF "%f32 2D 0 0 0 1 Unknown", "pair", FORM(2D, RGBA32F, 8, 4, 1, 1), 3
#define TF2 "%f32 2D 0 0 0 1 Unknown", "pair", FORMS(2, 2D, RGBA32F, 8, 4, 1, 1), 3
#define IMPLICIT1 "%v = OpImageSampleImplicitLod %vec4 %si %middle\n"
#define TU "%u32 2D 0 0 0 1 Unknown", "pair", FORM(2D, RGBA32UI, 8, 4, 1, 1), 3
#define PAIR "%si = OpLoad %pair %more\n"
#define FETCH(more) GET "%v = OpImageFetch %uvec4 %im %at" more "\n"
#define SAMPLE(more) PAIR "%v = OpImageSampleExplicitLod %vec4 %si %middle " more "\n"
#define IMPLICIT(more) PAIR "%v = OpImageSampleImplicitLod %vec4 %si %middle" more "\n"
#define MOVING PAIR "%fl = OpConvertUToF %f32 %lane\n%fx8 = OpFMul %f32 %fl %eighth\n%mv = OpCompositeConstruct %vec2 %fx8 %fh\n"
// Places in a quad, and the coordinates of each lane.
#define QUAD "%b0 = OpBitwiseAnd %u32 %lane %u1\n%lane_half = OpShiftRightLogical %u32 %lane %u1\n%b1 = OpBitwiseAnd %u32 %lane_half %u1\n%right = OpIEqual %bool %b0 %u1\n%low = OpIEqual %bool %b1 %u1\n" \
    "%second = OpUGreaterThan %bool %lane %u3\n"
#define GOES(u, v, more) "%mv = OpCompositeConstruct %vec2 " u " " v "\n" PAIR "%v = OpImageSampleImplicitLod %vec4 %si %mv" more "\n" FPART("0")
#define DESCRIPTORS .elements = 2, .capabilities = "OpCapability SampledImageArrayNonUniformIndexing\n", .annotations = "OpDecorate %si NonUniform\n"
static const struct image_row sampled[] = {
    {"a texel of level 0", T1, AT2("%u7", "%u4") FETCH(" Lod %u0") PART("0"), SAME(1)},
    {"of level 1", T1, AT2("%u3", "%u1") FETCH(" Lod %u1") PART("0"), SAME(11)},
    {"of level 2", T1, AT2("%u1", "%u0") FETCH(" Lod %u2") PART("0"), SAME(21)},
    {"of no such level", T1, AT2("%u0", "%u0") FETCH(" Lod %u3") PART("0"), .refused = "E-bounds"},
    {"right of level 1", T1, AT2("%u4", "%u0") FETCH(" Lod %u1") PART("0"), .refused = "E-bounds"},
    {"below level 1", T1, AT2("%u0", "%u2") FETCH(" Lod %u1") PART("0"), .refused = "E-bounds"},
    {"below level 0", T1, AT2("%u0", "%u5") FETCH(" Lod %u0") PART("0"), .refused = "E-bounds"},
    {"a level without a value", T1, AT2("%u0", "%u0") "%q = OpUDiv %u32 %u0 %u0\n" FETCH(" Lod %q") PART("0"), .refused = "E-pointer"},
    {"a level of each lane", T1, AT2("%u0", "%u0") "%l = OpUMod %u32 %lane %u3\n" FETCH(" Lod %l") PART("0"), {1, 11, 21, 1, 11, 21, 1, 11}},
    {"alpha of what has none", T1, AT2("%u0", "%u0") FETCH(" Lod %u0") PART("3"), SAME(1)},
    {"an offset", T1, AT2("%u7", "%u4") FETCH(" Lod|ConstOffset %u0 %off_mm") PART("0"), SAME(1)},
    {"an offset to the right", T1, AT2("%u7", "%u0") FETCH(" Lod|ConstOffset %u0 %off_10") PART("0"), .refused = "E-bounds"},
    {"an offset up", T1, AT2("%u7", "%u0") FETCH(" Lod|ConstOffset %u0 %off_mm") PART("0"), .refused = "E-bounds"},
    {"a fetch with an offset without a value", T1, "%oq = OpUndef %ivec2\n" AT2("%u7", "%u4") FETCH(" Lod|Offset %u0 %oq") PART("0"), .refused = "E-pointer", .capabilities = "OpCapability ImageGatherExtended\n"},
    {"an offset back into it", T1, AT2("%u8c", "%u5") FETCH(" Lod|ConstOffset %u0 %off_mm") PART("0"), SAME(1)},
    {"an offset, and no layer's", "%u32 1D 0 1 0 1 Unknown", "image", FORM(1D_ARRAY, R32UI, 8, 1, 1, 2), 1, AT2("%u8c", "%u1") FETCH(" Lod|ConstOffset %u0 %i_m1") PART("0"), SAME(1)},
    {"an offset of nothing, and no layer's", "%u32 1D 0 1 0 1 Unknown", "image", FORM(1D_ARRAY, R32UI, 8, 1, 1, 2), 1, AT2("%u7", "%u1") FETCH(" Lod|ConstOffset %u0 %i_0") PART("0"), SAME(1)},
    {"a coordinate without a value", T1, "%q = OpUDiv %u32 %u0 %u0\n" AT2("%u0", "%q") FETCH(" Lod %u0") PART("0"), .refused = "E-pointer"},
    {"a component that it has not", T1, AT2("%u0", "%u0") FETCH(" Lod %u1") PART("1"), SAME(0)},
    {"of a buffer", "%u32 Buffer 0 0 0 1 Unknown", "image", FORM(BUFFER, R32UI, 8, 1, 1, 1), 1, GET "%v = OpImageFetch %uvec4 %im %lane\n" PART("0"), SAME(1)},
    {"behind a buffer", "%u32 Buffer 0 0 0 1 Unknown", "image", FORM(BUFFER, R32UI, 7, 1, 1, 1), 1, GET "%v = OpImageFetch %uvec4 %im %lane\n" PART("0"), .refused = "E-bounds"},
    {"buffers that differ", "%u32 Buffer 0 0 0 1 Unknown", "image", FORMS(2, BUFFER, R32UI, 8, 1, 1, 1), 1, XY "%e = OpAccessChain %one_ptr %more %half\n%im = OpLoad %image %e\n%v = OpImageFetch %uvec4 %im %four\n" PART("0"),
     {1, 1, 1, 1, 101, 101, 101, 101}, .elements = 2, .capabilities = "OpCapability UniformTexelBufferArrayNonUniformIndexing\n", .annotations = "OpDecorate %im NonUniform\n"},
    {"buffers, with another capability", "%u32 Buffer 0 0 0 1 Unknown", "image", FORMS(2, BUFFER, R32UI, 8, 1, 1, 1), 1, XY "%e = OpAccessChain %one_ptr %more %half\n%im = OpLoad %image %e\n%v = OpImageFetch %uvec4 %im %four\n" PART("0"),
     .elements = 2, .capabilities = "OpCapability SampledImageArrayNonUniformIndexing\nOpCapability StorageTexelBufferArrayNonUniformIndexing\n", .annotations = "OpDecorate %im NonUniform\n", .refused = "E-uniform"},
    {"an image out of a pair", "%u32 2D 0 0 0 1 Unknown", "pair", FORM(2D, RGBA32UI, 8, 4, 1, 1), 3, PAIR AT2("%u0", "%u0") "%im = OpImage %image %si\n%v = OpImageFetch %uvec4 %im %at Lod %u1\n" PART("1"), SAME(12)},
    {"width of level 1", T1, GET "%v = OpImageQuerySizeLod %uvec2 %im %u1\n" PART("0"), SAME(4)},
    {"height of level 1", T1, GET "%v = OpImageQuerySizeLod %uvec2 %im %u1\n" PART("1"), SAME(2)},
    {"height of level 2", T1, GET "%v = OpImageQuerySizeLod %uvec2 %im %u2\n" PART("1"), SAME(1)},
    {"never less than one", "%u32 2D 0 0 0 1 Unknown", "image", FORM(2D, R32UI, 8, 2, 1, 1), 4, GET "%v = OpImageQuerySizeLod %uvec2 %im %u3\n" PART("1"), SAME(1)},
    {"layers of level 2", "%u32 2D 0 1 0 1 Unknown", "image", FORM(2D_ARRAY, R32UI, 8, 8, 1, 6), 3, GET "%v = OpImageQuerySizeLod %uvec3 %im %u2\n" PART("2"), SAME(6)},
    {"depth of level 1", "%u32 3D 0 0 0 1 Unknown", "image", FORM(3D, R32UI, 8, 8, 6, 1), 3, GET "%v = OpImageQuerySizeLod %uvec3 %im %u1\n" PART("2"), SAME(3)},
    {"size of no such level", T1, GET "%v = OpImageQuerySizeLod %uvec2 %im %u3\n" PART("0"), SAME(U)},
    {"of a level of each lane", T1, GET "%v = OpImageQuerySizeLod %uvec2 %im %lane\n" PART("0"), {8, 4, 2, U, U, U, U, U}},
    {"of a level without a value", T1, "%q = OpUDiv %u32 %u0 %u0\n" GET "%v = OpImageQuerySizeLod %uvec2 %im %q\n" PART("0"), SAME(U)},
    {"levels", T1, GET "%r = OpImageQueryLevels %u32 %im\n", SAME(3)},
    {"levels of one", "%u32 2D 0 0 0 1 Unknown", "image", FORM(2D, R32UI, 8, 5, 1, 1), 1, GET "%r = OpImageQueryLevels %u32 %im\n", SAME(1)},
    // Samples: the value of a level.
    {"Lod 0", TF, SAMPLE("Lod %f0") FPART("0"), SAME(1)},
    {"Lod 1, the last component", TF, SAMPLE("Lod %f1") FPART("3"), SAME(14)},
    {"Lod 1.25", TF, SAMPLE("Lod %f125") FPART("0"), SAME(11)},
    {"Lod 1.75", TF, SAMPLE("Lod %f175") FPART("0"), SAME(21)},
    {"Lod 1.5: one or the other", TF, SAMPLE("Lod %f15") FPART("0"), SAME(U)},
    {"one or the other, in a component that is the same in both", TF, SAMPLE("Lod %f15") FPART("1"), SAME(2), .folds = 1},
    {"and in another", TF, SAMPLE("Lod %f15") FPART("2"), SAME(U), .folds = 1},
    {"neither Lod nor Grad", TF, SAMPLE("!0") FPART("0"), SAME(U)},
    {"one of three, of which the first and the last are the same", TF, QUAD "%u = OpSelect %f32 %low %f64th %f1\n%uu0 = OpSelect %f32 %right %u %f0\n" GOES("%uu0", "%fh", ""), SAME(U), .folds = 2},
    {"alpha that it has not, of one or the other", "%f32 2D 0 0 0 1 Unknown", "pair", FORM(2D, R32F, 8, 4, 1, 1), 3, SAMPLE("Lod %f15") FPART("3"), SAME(1)},
    {"green that it has not, of one or the other", "%f32 2D 0 0 0 1 Unknown", "pair", FORM(2D, R32F, 8, 4, 1, 1), 3, SAMPLE("Lod %f15") FPART("1"), SAME(0)},
    {"a level that is known, and then is not", TF, "OpBranch %h\n%h = OpLabel\n%trip = OpPhi %u32 %u0 %then %m %k\n%l = OpPhi %f32 %f0 %then %f15 %k\nOpLoopMerge %e %k None\nOpBranch %k\n%k = OpLabel\n" SAMPLE("Lod %l")
     "%m = OpIAdd %u32 %trip %u1\n%g = OpULessThan %bool %m %u2\nOpBranchConditional %g %h %e\n%e = OpLabel\n" FPART("0"), SAME(U)},
    {"Lod 9", TF, SAMPLE("Lod %f9") FPART("0"), SAME(21)},
    {"Lod -9", TF, SAMPLE("Lod %fm9") FPART("0"), SAME(1)},
    {"Lod of each lane", TF, "%fl = OpConvertUToF %f32 %lane\n" SAMPLE("Lod %fl") FPART("0"), {1, 11, 21, 21, 21, 21, 21, 21}},
    {"Lod 1, linear between levels", TF, SAMPLE("Lod %f1") FPART("0"), SAME(11), .linear = true},
    {"Lod 1.25, linear between levels", TF, SAMPLE("Lod %f125") FPART("0"), SAME(U), .linear = true},
    {"the sampler's least", TF, SAMPLE("Lod %f0") FPART("0"), SAME(21), .least = 2, .most = 3},
    {"the sampler's most", TF, SAMPLE("Lod %f9") FPART("0"), SAME(11), .least = 0, .most = 1},
    {"least above most", TF, SAMPLE("Lod %f0") FPART("0"), SAME(U), .least = 2, .most = 1},
    {"Grad of a texel", TF, SAMPLE("Grad %g_8th %g_8th") FPART("0"), SAME(U)},
    {"Grad of four texels", TF, SAMPLE("Grad %g_one %g_zero") FPART("0"), SAME(21)},
    {"the other Grad of four texels", TF, SAMPLE("Grad %g_zero %g_one") FPART("0"), SAME(21)},
    {"Grad of a 64th", TF, SAMPLE("Grad %g_small %g_small") FPART("0"), SAME(1)},
    {"Grad without a value", TF, "%q = OpFDiv %f32 %f0 %f0\n%gq = OpUndef %vec2\n" SAMPLE("Grad %gq %g_small") FPART("0"), SAME(U)},
    {"the other Grad without a value", TF, "%gq = OpUndef %vec2\n" SAMPLE("Grad %g_small %gq") FPART("0"), SAME(U)},
    {"Lod without a value", TF, "%lq = OpUndef %f32\n" SAMPLE("Lod %lq") FPART("0"), SAME(U)},
    {"coordinates without a value", TF, "%mq = OpUndef %vec2\n" PAIR "%v = OpImageSampleExplicitLod %vec4 %si %mq Lod %f1\n" FPART("0"), SAME(U)},
    {"the first without a value", TF, "%q = OpUndef %f32\n%mq = OpCompositeConstruct %vec2 %q %f0\n" PAIR "%v = OpImageSampleExplicitLod %vec4 %si %mq Lod %f1\n" FPART("0"), SAME(U)},
    {"the second without a value", TF, "%q = OpUndef %f32\n%mq = OpCompositeConstruct %vec2 %f0 %q\n" PAIR "%v = OpImageSampleExplicitLod %vec4 %si %mq Lod %f1\n" FPART("0"), SAME(U)},
    {"a third that it has not", TF, "%q = OpUndef %f32\n%mq = OpCompositeConstruct %vec3 %f0 %f0 %q\n" PAIR "%v = OpImageSampleExplicitLod %vec4 %si %mq Lod %f1\n" FPART("0"), SAME(11)},
    {"a layer without a value", "%f32 2D 0 1 0 1 Unknown", "pair", FORM(2D_ARRAY, RGBA32F, 8, 4, 1, 2), 3, "%q = OpUndef %f32\n%mq = OpCompositeConstruct %vec3 %f0 %f0 %q\n" PAIR "%v = OpImageSampleExplicitLod %vec4 %si %mq Lod %f1\n" FPART("0"), SAME(U)},
    {"a layer", "%f32 2D 0 1 0 1 Unknown", "pair", FORM(2D_ARRAY, RGBA32F, 8, 4, 1, 2), 3, "%mq = OpCompositeConstruct %vec3 %f0 %f0 %f1\n" PAIR "%v = OpImageSampleExplicitLod %vec4 %si %mq Lod %f1\n" FPART("0"), SAME(11)},
    {"an offset", TF, SAMPLE("Lod|ConstOffset %f1 %off_mm") FPART("0"), SAME(11)},
    {"an offset without a value", TF, "%oq = OpUndef %ivec2\n" SAMPLE("Lod|Offset %f1 %oq") FPART("0"), SAME(U), .capabilities = "OpCapability ImageGatherExtended\n"},
    {"an offset whose second component has no value", TF, "%uq = OpUndef %i32\n%oq = OpCompositeConstruct %ivec2 %i_0 %uq\n" SAMPLE("Lod|Offset %f1 %oq") FPART("0"), SAME(U), .capabilities = "OpCapability ImageGatherExtended\n"},
    {"MinLod with Grad", TF, SAMPLE("Grad|MinLod %g_small %g_small %f1") FPART("0"), SAME(11), .capabilities = "OpCapability MinLod\n"},
    {"MinLod without a value", TF, "%lq = OpUndef %f32\n" SAMPLE("Grad|MinLod %g_small %g_small %lq") FPART("0"), SAME(U), .capabilities = "OpCapability MinLod\n"},
    {"integers", TU, PAIR "%v = OpImageSampleExplicitLod %uvec4 %si %middle Lod %f1\n" PART("2"), SAME(13)},
    {"integers, linear between levels", TU, PAIR "%v = OpImageSampleExplicitLod %uvec4 %si %middle Lod %f1\n" PART("2"), .linear = true, .refused = "the sampler filters linearly between levels, but the image has integer components"},
    {"a projection", TF, "%mq = OpCompositeConstruct %vec3 %f0 %f0 %f1\n" PAIR "%v = OpImageSampleProjExplicitLod %vec4 %si %mq Lod %f1\n" FPART("0"), SAME(11)},
    {"by what has no value", TF, "%q = OpUndef %f32\n%mq = OpCompositeConstruct %vec3 %f0 %f0 %q\n" PAIR "%v = OpImageSampleProjExplicitLod %vec4 %si %mq Lod %f1\n" FPART("0"), SAME(U)},
    {"a projection by gradients", TF, "%mq = OpCompositeConstruct %vec3 %f0 %f0 %f1\n" PAIR "%v = OpImageSampleProjExplicitLod %vec4 %si %mq Grad %g_one %g_one\n" FPART("0"), SAME(U)},
    {"a projection of one level", "%f32 2D 0 0 0 1 Unknown", "pair", FORM(2D, RGBA32F, 8, 4, 1, 1), 1, "%mq = OpCompositeConstruct %vec3 %f0 %f0 %f1\n" PAIR "%v = OpImageSampleProjImplicitLod %vec4 %si %mq\n" FPART("0"), SAME(1)},
    {"a projection, implicit", TF, "%mq = OpCompositeConstruct %vec3 %f0 %f0 %f1\n" PAIR "%v = OpImageSampleProjImplicitLod %vec4 %si %mq\n" FPART("0"), SAME(U)},
    {"implicit, of one point", TF, IMPLICIT("") FPART("0"), SAME(1)},
    {"implicit, with a bias", TF, IMPLICIT(" Bias %f1") FPART("0"), SAME(1)},
    {"implicit, with a bias and a least", TF, IMPLICIT(" Bias %f1") FPART("0"), SAME(21), .least = 2, .most = 3},
    {"a bias without a value", TF, "%lq = OpUndef %f32\n" IMPLICIT(" Bias %lq") FPART("0"), SAME(U)},
    {"implicit, MinLod", TF, IMPLICIT(" MinLod %f1") FPART("0"), SAME(11), .capabilities = "OpCapability MinLod\n"},
    // The level of a quad: of its lanes' own differences, in both rows and both columns.
    {"each quad's own level", TF, QUAD "%s = OpSelect %f32 %second %fh %f64th\n%u = OpSelect %f32 %right %s %f0\n" GOES("%u", "%fh", ""), {1, 1, 1, 1, 21, 21, 21, 21}},
    {"each quad's own level, along y", TF, QUAD "%s = OpSelect %f32 %second %f1 %f64th\n%u = OpSelect %f32 %low %s %f0\n" GOES("%fh", "%u", ""), {1, 1, 1, 1, 21, 21, 21, 21}},
    {"along both", TF, QUAD "%u0low = OpSelect %f32 %low %fh %f0\n%u1low = OpSelect %f32 %low %f1 %fh\n%u = OpSelect %f32 %right %u1low %u0low\n" GOES("%u", "%fh", ""), SAME(21)},
    {"rows that differ", TF, QUAD "%s = OpSelect %f32 %low %f64th %fh\n%u = OpSelect %f32 %right %s %f0\n" GOES("%u", "%fh", ""), SAME(U)},
    {"columns that differ", TF, QUAD "%s = OpSelect %f32 %right %f64th %f1\n%u = OpSelect %f32 %low %s %f0\n" GOES("%fh", "%u", ""), SAME(U)},
    {"a texel each", TF, QUAD "%u = OpSelect %f32 %right %eighth %f0\n" GOES("%u", "%fh", ""), SAME(U)},
    {"one of a quad without a value", TF, QUAD "%none = OpUndef %f32\n%is3 = OpIEqual %bool %lane %u3\n%u = OpSelect %f32 %is3 %none %fh\n" GOES("%u", "%fh", ""), {U, U, U, U, 1, 1, 1, 1}},
    {"a difference of which not all bits are there", TF, QUAD "%u = OpSelect %f32 %right %huge %tiny\n" GOES("%u", "%fh", ""), SAME(U), .globals = "%huge = OpConstant %f32 0x1p+100\n%tiny = OpConstant %f32 0x1p-100\n"},
    {"seven eighths of a texel", TF, SAMPLE("Grad %g %g_zero") FPART("0"), SAME(1), .globals = "%f_g = OpConstant %f32 0.109375\n%g = OpConstantComposite %vec2 %f_g %f0\n"},
    {"along y by Grad", TF, SAMPLE("Grad %g %g_zero") FPART("0"), SAME(21), .globals = "%g = OpConstantComposite %vec2 %f0 %f1\n"},
    {"a cube by Grad", "%f32 Cube 0 0 0 1 Unknown", "pair", FORM(CUBE, RGBA32F, 8, 8, 1, 1), 3, "%mq = OpCompositeConstruct %vec3 %f0 %f0 %f1\n%g = OpCompositeConstruct %vec3 %f1 %f0 %f0\n" PAIR "%v = OpImageSampleExplicitLod %vec4 %si %mq Grad %g %g\n" FPART("0"), SAME(U)},
    {"descriptors that differ in a quad", TF2, QUAD "%e = OpAccessChain %one_ptr %more %b0\n%si = OpLoad %pair %e\n" IMPLICIT1 FPART("0"), SAME(U), DESCRIPTORS},
    {"one that differs", TF2, QUAD "%is1 = OpIEqual %bool %lane %u1\n%i = OpSelect %u32 %is1 %u1 %u0\n%e = OpAccessChain %one_ptr %more %i\n%si = OpLoad %pair %e\n" IMPLICIT1 FPART("0"), {U, U, U, U, 1, 1, 1, 1}, DESCRIPTORS},
    {"one of each quad", TF2, QUAD "%i = OpShiftRightLogical %u32 %lane %u2\n%e = OpAccessChain %one_ptr %more %i\n%si = OpLoad %pair %e\n" IMPLICIT1 FPART("0"), {1, 1, 1, 1, 101, 101, 101, 101}, DESCRIPTORS},
    // Between a quarter less and a quarter more than 0, and one more; than 2, and one less.
    {"a bias of one", TF, QUAD "%u = OpSelect %f32 %right %f_g %f0\n" GOES("%u", "%fh", " Bias %f1"), SAME(11), .globals = "%f_g = OpConstant %f32 0.10546875\n"},
    {"a bias of minus one", TF, QUAD "%u = OpSelect %f32 %right %f_g %f0\n" GOES("%u", "%fh", " Bias %fm1"), SAME(11), .globals = "%f_g = OpConstant %f32 0.421875\n%fm1 = OpConstant %f32 -1\n"},
    {"a bias that some let be two", TF, QUAD "%u = OpSelect %f32 %right %f_g %f0\n" GOES("%u", "%fh", " Bias %f9"), SAME(U), .globals = "%f_g = OpConstant %f32 0.052734375\n"},
    {"a bias that some let be minus two", TF, QUAD "%u = OpSelect %f32 %right %f_g %f0\n" GOES("%u", "%fh", " Bias %fm9"), SAME(1), .globals = "%f_g = OpConstant %f32 0.421875\n"},
    {"least and most", TF, SAMPLE("Lod %f0") FPART("0"), SAME(11), .least = 1, .most = 1},
    {"Lod 9, linear between levels", TF, SAMPLE("Lod %f9") FPART("0"), SAME(21), .linear = true},
    {"Lod -9, linear between levels", TF, SAMPLE("Lod %fm9") FPART("0"), SAME(1), .linear = true, .least = -20, .most = 20},
    {"Grad of a texel, linear between levels", TF, SAMPLE("Grad %g %g_zero") FPART("0"), SAME(U), .linear = true, .globals = "%g = OpConstantComposite %vec2 %eighth %f0\n"},
    {"implicit, without quads", TF, IMPLICIT("") FPART("0"), .no_quads = true, .refused = "R8"},
    {"implicit, in half a quad", TF, "%c = OpULessThan %bool %lane %u6\nOpSelectionMerge %j None\nOpBranchConditional %c %t %j\n%t = OpLabel\n" IMPLICIT("") "%f = OpCompositeExtract %f32 %v 0\nOpBranch %j\n%j = OpLabel\n%r = OpIAdd %u32 %x %u0\n", .refused = "E-derivative"},
    {"implicit, in half of the first quad", TF, "%c = OpUGreaterThan %bool %lane %u1\nOpSelectionMerge %j None\nOpBranchConditional %c %t %j\n%t = OpLabel\n" IMPLICIT("") "%f = OpCompositeExtract %f32 %v 0\nOpBranch %j\n%j = OpLabel\n%r = OpIAdd %u32 %x %u0\n", .refused = "E-derivative"},
    {"implicit, in one quad of two", TF, "%c = OpULessThan %bool %lane %u4\nOpSelectionMerge %j None\nOpBranchConditional %c %t %j\n%t = OpLabel\n" IMPLICIT("") "%f = OpCompositeExtract %f32 %v 0\nOpBranch %j\n%j = OpLabel\n%r = OpIAdd %u32 %x %u0\n", {1, 2, 3, 4, 5, 6, 7, 8}},
    {"a Gather of the second component", TF, PAIR "%v = OpImageGather %vec4 %si %middle %u1\n" FPART("0"), SAME(2)},
    {"in all of its own", TF, PAIR "%v = OpImageGather %vec4 %si %middle %u3\n" FPART("2"), SAME(4)},
    {"a Gather of none", TF, "%five = OpGroupNonUniformBroadcast %u32 %u3 %x %u4\n" PAIR "%v = OpImageGather %vec4 %si %middle %u4\n" FPART("0"), SAME(U)},
    {"of none without a value", TF, "%lq = OpUndef %u32\n" PAIR "%v = OpImageGather %vec4 %si %middle %lq\n" FPART("0"), SAME(U)},
    {"at coordinates without a value", TF, "%mq = OpUndef %vec2\n" PAIR "%v = OpImageGather %vec4 %si %mq %u1\n" FPART("0"), SAME(U)},
    {"a Gather with an offset", TF, PAIR "%v = OpImageGather %vec4 %si %middle %u1 ConstOffset %off_mm\n" FPART("0"), SAME(2)},
    {"a Gather with four", TF, PAIR "%v = OpImageGather %vec4 %si %middle %u1 ConstOffsets %offs\n" FPART("0"), SAME(2), .capabilities = "OpCapability ImageGatherExtended\n"},
    {"the level that is asked", TF, PAIR "%v = OpImageQueryLod %vec2 %si %middle\n%f = OpCompositeExtract %f32 %v 0\n%f1r = OpFAdd %f32 %f %f1\n%r = OpConvertFToU %u32 %f1r\n", SAME(1), .capabilities = "OpCapability ImageQuery\n"},
    {"level 1 that is asked", TF, QUAD "%u = OpSelect %f32 %right %f_g %f0\n%mv = OpCompositeConstruct %vec2 %u %fh\n" PAIR "%v = OpImageQueryLod %vec2 %si %mv\n%f = OpCompositeExtract %f32 %v 0\n%f1r = OpFAdd %f32 %f %f1\n%r = OpConvertFToU %u32 %f1r\n",
     SAME(2), .capabilities = "OpCapability ImageQuery\n", .globals = "%f_g = OpConstant %f32 0.2109375\n"},
    {"the level that is computed", TF, PAIR "%v = OpImageQueryLod %vec2 %si %middle\n%f = OpCompositeExtract %f32 %v 1\n%r = OpBitcast %u32 %f\n", SAME(U), .capabilities = "OpCapability ImageQuery\n"},
    {"a level that two may be", TF, MOVING "%v = OpImageQueryLod %vec2 %si %mv\n%f = OpCompositeExtract %f32 %v 0\n%r = OpBitcast %u32 %f\n", SAME(U), .capabilities = "OpCapability ImageQuery\n"},
    {"a layer is not asked", "%f32 2D 0 1 0 1 Unknown", "pair", FORM(2D_ARRAY, RGBA32F, 8, 4, 1, 2), 3, PAIR "%v = OpImageQueryLod %vec2 %si %middle\n%f = OpCompositeExtract %f32 %v 0\n%f1r = OpFAdd %f32 %f %f1\n%r = OpConvertFToU %u32 %f1r\n", SAME(1), .capabilities = "OpCapability ImageQuery\n"},
    {"pairs that differ", "%f32 2D 0 0 0 1 Unknown", "pair", FORMS(2, 2D, RGBA32F, 8, 4, 1, 1), 3, XY "%e = OpAccessChain %one_ptr %more %half\n%si = OpLoad %pair %e\n%v = OpImageSampleExplicitLod %vec4 %si %middle Lod %f1\n" FPART("0"),
     {11, 11, 11, 11, 111, 111, 111, 111}, .elements = 2, .capabilities = "OpCapability SampledImageArrayNonUniformIndexing\n", .annotations = "OpDecorate %si NonUniform\n"},
    {"pairs, with the buffers' capability", TF2, XY "%e = OpAccessChain %one_ptr %more %half\n%si = OpLoad %pair %e\n%v = OpImageSampleExplicitLod %vec4 %si %middle Lod %f1\n" FPART("0"),
     .elements = 2, .capabilities = "OpCapability StorageBufferArrayNonUniformIndexing\n", .annotations = "OpDecorate %si NonUniform\n", .refused = "E-uniform"},
    {"pairs, without the capability", "%f32 2D 0 0 0 1 Unknown", "pair", FORMS(2, 2D, RGBA32F, 8, 4, 1, 1), 3, XY "%e = OpAccessChain %one_ptr %more %half\n%si = OpLoad %pair %e\n%v = OpImageSampleExplicitLod %vec4 %si %middle Lod %f1\n" FPART("0"),
     .elements = 2, .capabilities = "OpCapability StorageImageArrayNonUniformIndexing\n", .annotations = "OpDecorate %si NonUniform\n", .refused = "E-uniform"},
    {"an index of a pair that only some have", "%f32 2D 0 0 0 1 Unknown", "pair", FORMS(2, 2D, RGBA32F, 8, 4, 1, 1), 3, "%h = OpUDiv %u32 %u0 %lane\n%e = OpAccessChain %one_ptr %more %h\n%si = OpLoad %pair %e\n%v = OpImageSampleExplicitLod %vec4 %si %middle Lod %f1\n" FPART("0"),
     .elements = 2, .refused = "E-pointer"},
};

// An image and a sampler of their own. Those of binding 3 have level 1 alone, and level 2 alone.
#define TI "%f32 2D 0 0 0 1 Unknown", "image", FORM(2D, RGBA32F, 8, 4, 1, 1), 3
#define TWO_TI "%f32 2D 0 0 0 1 Unknown", "image", FORMS(2, 2D, RGBA32F, 8, 4, 1, 1), 3
#define TYPE_S "%smp = OpTypeSampler\n%smp_ptr = OpTypePointer UniformConstant %smp\n"
#define ONE_S .globals = TYPE_S "%sampler = OpVariable %smp_ptr UniformConstant\n", .annotations = AT_3
#define AT_3 "OpDecorate %sampler DescriptorSet 0\nOpDecorate %sampler Binding 3\n"
#define TWO_S .globals = TYPE_S "%two_s = OpTypeArray %smp %u2\n%two_s_ptr = OpTypePointer UniformConstant %two_s\n%sampler = OpVariable %two_s_ptr UniformConstant\n"
#define TOGETHER "%si = OpSampledImage %pair %im %s\n%v = OpImageSampleExplicitLod %vec4 %si %middle Lod %f0\n"
#define S_OF(index) "%se = OpAccessChain %smp_ptr %sampler " index "\n%s = OpLoad %smp %se\n"
static const struct image_row apart[] = {
    {"an image and a sampler", TI, GET "%s = OpLoad %smp %sampler\n" TOGETHER FPART("0"), SAME(11), ONE_S, .told = 1},
    {"the second of each", TWO_TI, "%e = OpAccessChain %one_ptr %more %u1\n%im = OpLoad %image %e\n" S_OF("%u1") TOGETHER FPART("0"), SAME(121), TWO_S, .annotations = AT_3, .elements = 2},
    {"the second image, the first sampler", TWO_TI, "%e = OpAccessChain %one_ptr %more %u1\n%im = OpLoad %image %e\n" S_OF("%u0") TOGETHER FPART("0"), SAME(111), TWO_S, .annotations = AT_3, .elements = 2},
    {"the first image, the second sampler", TWO_TI, "%e = OpAccessChain %one_ptr %more %u0\n%im = OpLoad %image %e\n" S_OF("%u1") TOGETHER FPART("0"), SAME(21), TWO_S, .annotations = AT_3, .elements = 2},
    {"samplers that differ", TI, XY GET S_OF("%half") TOGETHER FPART("0"), TWO_S, .annotations = AT_3, .refused = "E-uniform"},
    {"samplers that may differ", TI, XY GET S_OF("%half") TOGETHER FPART("0"), {11, 11, 11, 11, 21, 21, 21, 21}, TWO_S, .annotations = AT_3 "OpDecorate %si NonUniform\n", .capabilities = "OpCapability SampledImageArrayNonUniformIndexing\n", .told = 1},
    {"a sampler by an index", TI, GET "%h = OpBitwiseAnd %u32 %lane %u0\n" S_OF("%h") TOGETHER FPART("0"), SAME(11), TWO_S, .annotations = AT_3, .told = 1 + 1},
    {"images that differ, with one sampler", TWO_TI, XY "%e = OpAccessChain %one_ptr %more %half\n%im = OpLoad %image %e\n%s = OpLoad %smp %sampler\n" TOGETHER FPART("0"), ONE_S, .elements = 2, .refused = "E-uniform"},
    {"that may differ", TWO_TI, XY "%e = OpAccessChain %one_ptr %more %half\n%im = OpLoad %image %e\n%s = OpLoad %smp %sampler\n" TOGETHER FPART("0"), {11, 11, 11, 11, 111, 111, 111, 111}, .globals = TYPE_S "%sampler = OpVariable %smp_ptr UniformConstant\n", .elements = 2,
     .annotations = AT_3 "OpDecorate %si NonUniform\n", .capabilities = "OpCapability SampledImageArrayNonUniformIndexing\n", .told = 1},
    {"one that the samplers have not", TI, GET "%h = OpBitwiseAnd %u32 %lane %u0\n%two = OpIAdd %u32 %h %u2\n" S_OF("%two") TOGETHER FPART("0"), TWO_S, .annotations = AT_3, .refused = "E-bounds"},
    {"a sampler without a value", TI, GET "%h = OpUDiv %u32 %lane %u0\n" S_OF("%h") TOGETHER FPART("0"), TWO_S, .annotations = AT_3, .refused = "E-pointer"},
    {"the image of a pair again", "%u32 2D 0 0 0 1 Unknown", "image", FORM(2D, R32UI, 8, 4, 1, 1), 3, AT2("%u0", "%u0") GET "%s = OpLoad %smp %sampler\n%si = OpSampledImage %pair %im %s\n%i2 = OpImage %image %si\n%v = OpImageFetch %uvec4 %i2 %at Lod %u2\n" PART("0"), SAME(21), ONE_S, .told = 1},
    {"its size", TI, GET "%s = OpLoad %smp %sampler\n%si = OpSampledImage %pair %im %s\n%i2 = OpImage %image %si\n%v = OpImageQuerySizeLod %uvec2 %i2 %u1\n" PART("0"), SAME(4), ONE_S, .told = 1},
    {"an implicit sample", TI, GET "%s = OpLoad %smp %sampler\n%si = OpSampledImage %pair %im %s\n%v = OpImageSampleImplicitLod %vec4 %si %middle\n" FPART("0"), SAME(11), ONE_S, .told = 1 + 1},
    {"images that differ in a quad", TWO_TI, QUAD "%e = OpAccessChain %one_ptr %more %b0\n%im = OpLoad %image %e\n%s = OpLoad %smp %sampler\n%si = OpSampledImage %pair %im %s\n" IMPLICIT1 FPART("0"), SAME(U), .globals = TYPE_S "%sampler = OpVariable %smp_ptr UniformConstant\n", .elements = 2,
     .annotations = AT_3 "OpDecorate %si NonUniform\n", .capabilities = "OpCapability SampledImageArrayNonUniformIndexing\n"},
    {"samplers that differ in a quad", TI, QUAD GET S_OF("%b0") "%si = OpSampledImage %pair %im %s\n" IMPLICIT1 FPART("0"), SAME(U), TWO_S, .annotations = AT_3 "OpDecorate %si NonUniform\n", .capabilities = "OpCapability SampledImageArrayNonUniformIndexing\n", .told = 1 + 1},
    {"a sampler and a sampler", TI, GET "%s = OpLoad %smp %sampler\n%si = OpSampledImage %pair %s %s\n%v = OpImageSampleExplicitLod %vec4 %si %middle Lod %f0\n" FPART("0"), ONE_S, .refused = "its operands are not of its kind"},
    {"an image of an image", TI, GET AT2("%u0", "%u0") "%i2 = OpImage %image %im\n%v = OpImageFetch %vec4 %i2 %at Lod %u0\n" FPART("0"), ONE_S, .refused = "its operands are not of its kind"},
    {"an image of a sampler", TI, AT2("%u0", "%u0") "%s = OpLoad %smp %sampler\n%i2 = OpImage %image %s\n%v = OpImageFetch %vec4 %i2 %at Lod %u0\n" FPART("0"), ONE_S, .refused = "its operands are not of its kind"},
};

// Under the Vulkan memory model what another invocation has written to a texel is seen where both say so.
#define V1 "%u32 1D 0 0 0 2 R32ui", "image", FORM(1D, R32UI, 8, 1, 1, 1), 0
#define MEETING(writes, reads) GET "OpImageWrite %im %lane %x" writes "\nOpControlBarrier %u2 %u2 %s_images\n%o = OpBitwiseXor %u32 %lane %u1\n%v = OpImageRead %uvec4 %im %o" reads "\n" PART("0")
static const struct image_row orders[] = {
    {"available and visible", V1, MEETING(" MakeTexelAvailable|NonPrivateTexel %u2", " MakeTexelVisible|NonPrivateTexel %u2"), {2, 1, 4, 3, 6, 5, 8, 7}, .vulkan = true},
    {"not made available", V1, MEETING(" NonPrivateTexel", " MakeTexelVisible|NonPrivateTexel %u2"), .vulkan = true, .refused = "E-race"},
    {"not made visible", V1, MEETING(" MakeTexelAvailable|NonPrivateTexel %u2", " NonPrivateTexel"), .vulkan = true, .refused = "E-race"},
    {"private", V1, MEETING("", ""), .vulkan = true, .refused = "E-race"},
    {"available and visible, but private", V1, MEETING(" MakeTexelAvailable %u2", " MakeTexelVisible %u2"), .vulkan = true, .refused = "E-race"},
    {"to the invocation alone", V1, MEETING(" MakeTexelAvailable|NonPrivateTexel %u4", " MakeTexelVisible|NonPrivateTexel %u2"), .vulkan = true, .refused = "E-race"},
    {"seen by the invocation alone", V1, MEETING(" MakeTexelAvailable|NonPrivateTexel %u2", " MakeTexelVisible|NonPrivateTexel %u4"), .vulkan = true, .refused = "E-race"},
    {"nontemporal", V1, MEETING(" MakeTexelAvailable|NonPrivateTexel|Nontemporal %u2", " MakeTexelVisible|NonPrivateTexel|Nontemporal %u2"), {2, 1, 4, 3, 6, 5, 8, 7}, .vulkan = true},
    {"Volatile", V1, MEETING(" MakeTexelAvailable|NonPrivateTexel|VolatileTexel %u2", " MakeTexelVisible|NonPrivateTexel|VolatileTexel %u2"), {2, 1, 4, 3, 6, 5, 8, 7}, .vulkan = true},
    {"coherent, with other operands", V1, MEETING(" ZeroExtend", " ZeroExtend"), {2, 1, 4, 3, 6, 5, 8, 7}},
    {"coherent, with none", V1, MEETING("", ""), {2, 1, 4, 3, 6, 5, 8, 7}},
    {"of signs and zeros", V1, GET "OpImageWrite %im %lane %x ZeroExtend\n%v = OpImageRead %uvec4 %im %lane ZeroExtend\n" PART("0"), {1, 2, 3, 4, 5, 6, 7, 8}},
    {"of signs", V1, GET "OpImageWrite %im %lane %x\n%v = OpImageRead %uvec4 %im %lane SignExtend\n" PART("0"), {1, 2, 3, 4, 5, 6, 7, 8}},
};

#define NOT(what) .refused = what
#define NUMBER "%r = OpConvertFToU %u32 %f\n"
#define RAYS .globals = "%scene_type = OpTypeAccelerationStructureKHR\n%query_type = OpTypeRayQueryKHR\n%query_ptr = OpTypePointer Private %query_type\n%query = OpVariable %query_ptr Private\n", .assumed = true
// Only a run that assumes a device compares depths (1 where the number is at most the depth: level 0 holds 1, level 1 holds 11), and has a
// scene that no ray meets.
static const struct image_row assumed[] = {
    {"a depth of level 1", TF, PAIR "%f = OpImageSampleDrefExplicitLod %f32 %si %middle %f9 Lod %f1\n" NUMBER, SAME(1), .assumed = true},
    {"a depth of level 0", TF, PAIR "%f = OpImageSampleDrefExplicitLod %f32 %si %middle %f9 Lod %f0\n" NUMBER, SAME(0), .assumed = true},
    {"the same number", TF, PAIR "%f = OpImageSampleDrefImplicitLod %f32 %si %middle %f1\n" NUMBER, SAME(1), .assumed = true},
    {"a larger number", TF, PAIR "%f = OpImageSampleDrefImplicitLod %f32 %si %middle %f125\n" NUMBER, SAME(0), .assumed = true},
    {"projective", TF, PAIR "%mq = OpCompositeConstruct %vec3 %fh %fh %f1\n%f = OpImageSampleProjDrefExplicitLod %f32 %si %mq %f9 Lod %f1\n" NUMBER, SAME(1), .assumed = true},
    {"projective, of the quad: any level", TF, PAIR "%mq = OpCompositeConstruct %vec3 %fh %fh %f1\n%f = OpImageSampleProjDrefImplicitLod %f32 %si %mq %f1\n" NUMBER, SAME(1), .assumed = true},
    {"projective, and the levels differ", TF, PAIR "%mq = OpCompositeConstruct %vec3 %fh %fh %f1\n%f = OpImageSampleProjDrefImplicitLod %f32 %si %mq %f125\n" NUMBER, SAME(U), .assumed = true},
    {"four of them", TF, PAIR "%v = OpImageDrefGather %vec4 %si %middle %f1\n" FPART("3"), SAME(1), .assumed = true},
    {"a number that differs by lane", TF, PAIR "%fl = OpConvertUToF %f32 %lane\n%f = OpImageSampleDrefExplicitLod %f32 %si %middle %fl Lod %f0\n" NUMBER, {1, 1, 0, 0, 0, 0, 0, 0}, .assumed = true},
    {"a number without a value", TF, PAIR "%q = OpUndef %f32\n%f = OpImageSampleDrefExplicitLod %f32 %si %middle %q Lod %f0\n" NUMBER, SAME(U), .assumed = true},
    {"not assumed", TF, PAIR "%f = OpImageSampleDrefExplicitLod %f32 %si %middle %f9 Lod %f1\n" NUMBER, .refused = "", .op = SpvOpImageSampleDrefExplicitLod},
    {"samples", "%u32 2D 0 0 1 2 R32ui", "image", FORM(2D_MS, R32UI, 4, 3, 1, 1), 0, GET "%r = OpImageQuerySamples %u32 %im\n", SAME(4)},
    {"no ray meets anything", S1, "%address = OpUConvert %u64 %u8c\n%scene = OpConvertUToAccelerationStructureKHR %scene_type %address\n%o = OpCompositeConstruct %vec3 %f0 %f0 %f0\n"
     "OpRayQueryInitializeKHR %query %scene %u0 %u1 %o %f0 %o %f9\n%more_rays = OpRayQueryProceedKHR %bool %query\n%r = OpSelect %u32 %more_rays %u5 %u7\n", SAME(7), RAYS},
};

static const struct image_row refused[] = {
    {"an image of several samples, no sample", "%u32 2D 0 0 1 1 Unknown", "image", FORM(2D_MS, R32UI, 8, 5, 1, 1), 1, AT2("%u0", "%u0") FETCH("") PART("0"), NOT("names no sample of its image")},
    {"a rectangle", "%u32 Rect 0 0 0 1 Unknown", "image", FORM(2D, R32UI, 8, 5, 1, 1), 3, AT2("%u0", "%u0") FETCH("") PART("0"), NOT("rectangles, input attachments"), .op = SpvOpTypeImage},
    {"of 64 bits", "%u64 2D 0 0 0 2 R64ui", "image", FORM(2D, R32UI, 8, 5, 1, 1), 0, AT2("%u0", "%u0") GET "%v = OpImageRead %ulong4 %im %at\n%w = OpCompositeExtract %u64 %v 0\n%r = OpUConvert %u32 %w\n", NOT("an image whose components are not of 32 bits"), .op = SpvOpTypeImage},
    {"a sample operand", T1, AT2("%u0", "%u0") FETCH(" Lod|Sample %u0 %u0") PART("0"), NOT("its image has one sample")},
    {"a newer operand", T1, AT2("%u0", "%u0") FETCH(" !0x8000") PART("0"), NOT("a newer image operand")},
    {"too few operands", T1, AT2("%u0", "%u0") FETCH(" !2") PART("0"), NOT("has too few image operands")},
    {"one Grad", TF, SAMPLE("!4 %g_one") FPART("0"), NOT("has too few image operands")},
    {"no scope", V1, GET "OpImageWrite %im %lane %x !0x500\n%r = OpIAdd %u32 %x %u0\n", NOT("has too few image operands"), .vulkan = true},
    {"reading what is sampled", T1, AT2("%u0", "%u0") GET "%v = OpImageRead %uvec4 %im %at\n" PART("0"), NOT("its image is not a storage image")},
    {"fetching what is written", S1, AT2("%u0", "%u0") FETCH("") PART("0"), NOT("its image cannot be sampled")},
    {"sampling without a sampler", "%f32 2D 0 0 0 1 Unknown", "image", FORM(2D, RGBA32F, 8, 5, 1, 1), 3, GET "%v = OpImageSampleExplicitLod %vec4 %im %middle Lod %f0\n" FPART("0"), NOT("its operand is not a sampled image")},
    {"fetching with one", TF, PAIR AT2("%u0", "%u0") "%v = OpImageFetch %vec4 %si %at Lod %u0\n" FPART("0"), NOT("its operand is not an image")},
    {"too few coordinates", T1, GET "%v = OpImageFetch %uvec4 %im %u0 Lod %u0\n" PART("0"), NOT("has too few coordinates"), .op = SpvOpImageFetch},
    {"no layer", "%u32 2D 0 1 0 1 Unknown", "image", FORM(2D_ARRAY, R32UI, 8, 5, 1, 2), 3, AT2("%u0", "%u0") FETCH(" Lod %u0") PART("0"), NOT("has too few coordinates")},
    {"no divisor", TF, PAIR "%v = OpImageSampleProjExplicitLod %vec4 %si %middle Lod %f1\n" FPART("0"), NOT("has too few coordinates")},
    {"a cube's layer, sampled", "%f32 Cube 0 1 0 1 Unknown", "pair", FORM(CUBE_ARRAY, RGBA32F, 8, 8, 1, 2), 3, "%mq = OpCompositeConstruct %vec3 %f0 %f0 %f1\n" PAIR "%v = OpImageSampleExplicitLod %vec4 %si %mq Lod %f1\n" FPART("0"), NOT("has too few coordinates")},
    {"coordinates of 64 bits", T1, "%l = OpUConvert %u64 %lane\n%at = OpCompositeConstruct %ulong2 %l %l\n" FETCH(" Lod %u0") PART("0"), NOT("coordinates that are not of 32 bits")},
    {"floats to fetch", T1, "%at = OpCompositeConstruct %vec2 %f0 %f0\n" FETCH(" Lod %u0") PART("0"), NOT("coordinates that are not of 32 bits")},
    {"integers to sample", TF, AT2("%u0", "%u0") PAIR "%v = OpImageSampleExplicitLod %vec4 %si %at Lod %f0\n" FPART("0"), NOT("coordinates that are not of 32 bits")},
    {"a value of 64 bits", S1, AT2("%u0", "%u0") GET "%l = OpUConvert %u64 %lane\nOpImageWrite %im %at %l\n%r = OpIAdd %u32 %x %u0\n", NOT("a value that is not of up to four 32-bit components")},
    {"a texel of a value", S1, AT2("%u0", "%u0") "%p = OpImageTexelPointer %texel_ptr %x %at %u0\n%r = OpAtomicIAdd %u32 %p %u1 %u0 %u1\n", NOT("a texel of an unknown image")},
    {"five components", S1, AT2("%u0", "%u0") GET "%v = OpImageRead %five_v %im %at\n" PART("0"), .globals = "%five_v = OpTypeVector %u32 5\n", NOT("a value that is not of up to four 32-bit components")},
    {"five components to be written", S1, AT2("%u0", "%u0") GET "%v = OpCompositeConstruct %five_v %x %x %x %x %x\nOpImageWrite %im %at %v\n%r = OpIAdd %u32 %x %u0\n", .globals = "%five_v = OpTypeVector %u32 5\n", NOT("a value that is not of up to four 32-bit components")},
    // Image operands that are said to be there, and are not.
    {"no Bias", TF, IMPLICIT(" !1") FPART("0"), NOT("has too few image operands")},
    {"no Lod", TF, SAMPLE("!2") FPART("0"), NOT("has too few image operands")},
    {"no Grad", TF, SAMPLE("!4") FPART("0"), NOT("has too few image operands")},
    {"no ConstOffset", T1, AT2("%u0", "%u0") FETCH(" !10 %u0") PART("0"), NOT("has too few image operands")},
    {"no Offset", TF, SAMPLE("!18 %f0") FPART("0"), NOT("has too few image operands")},
    {"no ConstOffsets", TF, PAIR "%v = OpImageGather %vec4 %si %middle %u1 !32\n" FPART("0"), NOT("has too few image operands")},
    {"no MinLod", TF, IMPLICIT(" !128") FPART("0"), NOT("has too few image operands")},
    {"no scope to be visible", V1, GET "%v = OpImageRead %uvec4 %im %lane !0x600\n" PART("0"), NOT("has too few image operands"), .vulkan = true},
    {"one scope of two", V1, GET "%v = OpImageRead %uvec4 %im %lane !0x700 %u2\n" PART("0"), NOT("has too few image operands"), .vulkan = true},
    // Operands that are nothing the oracle knows.
#define LOST "%z = OpUndef %cm\n"
#define NO_OPERAND .globals = "%cm = OpTypeFloat 16 BFloat16KHR\n", .refused = "is not supported by the oracle"
    {"a pair of nothing known", TI, LOST GET "%si = OpSampledImage %pair %z %im\n%v = OpImageSampleExplicitLod %vec4 %si %middle Lod %f0\n" FPART("0"), NO_OPERAND},
    {"a pair with nothing known", TI, LOST GET "%si = OpSampledImage %pair %im %z\n%v = OpImageSampleExplicitLod %vec4 %si %middle Lod %f0\n" FPART("0"), NO_OPERAND},
    {"an image of nothing known", TI, LOST AT2("%u0", "%u0") "%i2 = OpImage %image %z\n%v = OpImageFetch %vec4 %i2 %at Lod %u0\n" FPART("0"), NO_OPERAND},
    {"nothing known to be fetched", T1, LOST AT2("%u0", "%u0") "%v = OpImageFetch %uvec4 %z %at Lod %u0\n" PART("0"), NO_OPERAND},
    {"at nothing known", T1, "%z = OpUndef %cm\n" GET "%v = OpImageFetch %uvec4 %im %z Lod %u0\n" PART("0"), NO_OPERAND},
    {"of a level nobody knows", T1, LOST AT2("%u0", "%u0") FETCH(" Lod %z") PART("0"), NO_OPERAND},
    {"the other Grad, of nothing known", TF, LOST SAMPLE("Grad %g_one %z") FPART("0"), NO_OPERAND},
    {"the size of a level nobody knows", T1, LOST GET "%v = OpImageQuerySizeLod %uvec2 %im %z\n" PART("0"), NO_OPERAND},
    {"nothing known to be written", S1, LOST AT2("%u0", "%u0") GET "OpImageWrite %im %at %z\n%r = OpIAdd %u32 %x %u0\n", NO_OPERAND},
    {"a component nobody knows", TF, LOST PAIR "%v = OpImageGather %vec4 %si %middle %z\n" FPART("0"), NO_OPERAND},
#define ODD_IMAGE .globals = "%odd_ptr = OpTypePointer Uniform %image\n%odd = OpVariable %odd_ptr Uniform\n"
    {"a vector that is loaded of an image", S1, AT2("%u0", "%u0") "%v = OpLoad %uvec4 %more\n" PART("0"), NOT("value and pointer are of different types"), .op = SpvOpLoad},
    {"an image of another storage class", S1, AT2("%u0", "%u0") "%im = OpLoad %image %odd\n%v = OpImageRead %uvec4 %im %at\n" PART("0"), ODD_IMAGE, NOT(" is of OpTypeImage"), .op = SpvOpLoad},
    {"a texel of it", S1, AT2("%u0", "%u0") "%p = OpImageTexelPointer %texel_ptr %odd %at %u0\n%r = OpAtomicIAdd %u32 %p %u1 %u0 %u1\n", ODD_IMAGE, NOT(" is of OpTypeImage"), .op = SpvOpImageTexelPointer},
    {"a texel of many arrays", S1, AT2("%u0", "%u0") "%p = OpImageTexelPointer %texel_ptr %nested %at %u0\n%r = OpAtomicIAdd %u32 %p %u1 %u0 %u1\n", .globals = "%two_all = OpTypeArray %all %u2\n%nested_ptr = OpTypePointer UniformConstant %two_all\n%nested = OpVariable %nested_ptr UniformConstant\n",
     NOT(" is an array of descriptors, OpTypeArray")},
    {"a pair of what is none", TF, "%si = OpSampledImage %pair %x %y\n%v = OpImageSampleExplicitLod %vec4 %si %middle Lod %f0\n" FPART("0"), NOT("its operands are not of its kind")},
    {"a pair of an image and what is no sampler", "%f32 2D 0 0 0 1 Unknown", "image", FORM(2D, RGBA32F, 8, 5, 1, 1), 3, GET "%si = OpSampledImage %pair %im %im\n%v = OpImageSampleExplicitLod %vec4 %si %middle Lod %f0\n" FPART("0"), NOT("its operands are not of its kind")},
    {"an image out of what is no pair", "%f32 2D 0 0 0 1 Unknown", "image", FORM(2D, RGBA32F, 8, 5, 1, 1), 3, GET AT2("%u0", "%u0") "%i2 = OpImage %image %im\n%v = OpImageFetch %vec4 %i2 %at Lod %u0\n" FPART("0"), NOT("its operands are not of its kind")},
};

static void image_case(struct spv_tools *tools, struct arena *a, const struct image_row *i, struct spv_case *c)
{
    static float lod[16];
    const char *element = i->is[0] == 'p' ? "%pair" : "%image";
    struct row row = {i->name, i->code, .a = {1, 2, 3, 4, 5, 6, 7, 8}, .b = {11, 12, 13, 14, 15, 16, 17, 18}, .interface = " %more", .is_invalid = true};
    row.annotations = arena_printf(a, "OpDecorate %%more DescriptorSet 0\nOpDecorate %%more Binding 2\n%s%s", i->vulkan ? "" : "OpDecorate %more Coherent\n", i->annotations ? i->annotations : "");
    row.globals = arena_printf(a, "%%image = OpTypeImage %s\n%%pair = OpTypeSampledImage %%image\n%%n = OpConstant %%u32 %u\n%%all = %s %s%s\n%%one_ptr = OpTypePointer UniformConstant %s\n%%all_ptr = OpTypePointer UniformConstant %s\n"
                               "%%more = OpVariable %%all_ptr UniformConstant\n%%uvec3 = OpTypeVector %%u32 3\n%%ivec4 = OpTypeVector %%i32 4\n%%vec3 = OpTypeVector %%f32 3\n%%ulong2 = OpTypeVector %%u64 2\n%%ulong4 = OpTypeVector %%u64 4\n"
                               "%%u6 = OpConstant %%u32 6\n%%u7 = OpConstant %%u32 7\n%%u11 = OpConstant %%u32 11\n%%u12 = OpConstant %%u32 12\n%%texel_ptr = OpTypePointer Image %%u32\n%%s_images = OpConstant %%u32 2056\n"
                               "%%fh = OpConstant %%f32 0.5\n%%middle = OpConstantComposite %%vec2 %%fh %%fh\n%%f125 = OpConstant %%f32 1.25\n%%f175 = OpConstant %%f32 1.75\n%%f15 = OpConstant %%f32 1.5\n%%f9 = OpConstant %%f32 9\n%%fm9 = OpConstant %%f32 -9\n"
                               "%%eighth = OpConstant %%f32 0.125\n%%f64th = OpConstant %%f32 0.015625\n%%g_8th = OpConstantComposite %%vec2 %%eighth %%eighth\n%%g_one = OpConstantComposite %%vec2 %%f1 %%f0\n%%g_zero = OpConstantComposite %%vec2 %%f0 %%f0\n"
                               "%%g_small = OpConstantComposite %%vec2 %%f64th %%f64th\n%%i_m1 = OpConstant %%i32 -1\n%%i_0 = OpConstant %%i32 0\n%%i_1 = OpConstant %%i32 1\n%%off_mm = OpConstantComposite %%ivec2 %%i_m1 %%i_m1\n%%off_10 = OpConstantComposite %%ivec2 %%i_1 %%i_0\n"
                               "%%off4 = OpTypeArray %%ivec2 %%u4\n%%offs = OpConstantComposite %%off4 %%off_mm %%off_10 %%off_10 %%off_10\n%s",
                               i->type, i->elements ? i->elements : 1, i->no_length ? "OpTypeRuntimeArray" : "OpTypeArray", element, i->no_length ? "" : " %n", element, i->elements ? "%all" : element, i->globals ? i->globals : "");
    row.capabilities = arena_printf(a, "%s%s", i->capabilities ? i->capabilities : "", i->vulkan ? "OpCapability VulkanMemoryModel\nOpCapability VulkanMemoryModelDeviceScope\n" : "");
    row.model = i->vulkan ? "OpMemoryModel Logical Vulkan\n" : NULL;
    row.names = i->no_quads ? NULL : "OpExecutionMode %main DerivativeGroupLinearKHR\n";
    row_case(tools, a, &row, c);
    const uint32_t words = (uint32_t)spv_image_words(&i->form), comps = spv_texel_components(i->form.texel);
    if (!i->levels) {
        c->buffer[2] = (struct spv_buffer){.binding = 2, .count = words, .image = i->form, .words = ARENA_ARRAY(a, uint32_t, words)};
        for (uint32_t k = 0; k < words; k++)
            c->buffer[2].words[k] = 1000 + k;
        c->buffer_count = 3;
    } else {
        struct spv_image *x = &c->image[c->image_count++];
        *x = (struct spv_image){.binding = 2, .form = i->form, .levels = i->levels};
        x->values = ARENA_ARRAY(a, uint32_t, spv_image_values(x));
        for (uint32_t k = 0; k < spv_image_values(x); k++) {
            const uint32_t at = k / comps % i->levels, level = i->folds == 2 ? at & 1 : i->folds == 1 && k % comps == 1 ? 0 : at;
            const uint32_t value = 100 * (k / comps / i->levels) + 10 * level + k % comps + 1;
            const float f = (float)value;
            x->values[k] = value;
            if (spv_texel_type(i->form.texel) == 'f')
                memcpy(&x->values[k], &f, sizeof f);
        }
        for (int k = 0; k < 8; k++) {
            lod[2 * k] = i->least;
            lod[2 * k + 1] = i->least || i->most ? i->most : 10;
        }
        c->sampler[c->sampler_count++] = (struct spv_sampler){.binding = 2, .count = i->form.count, .linear = i->linear, .lod = lod};
        static float one_level[] = {1, 1, 2, 2};
        c->sampler[c->sampler_count++] = (struct spv_sampler){.binding = 3, .count = 2, .lod = one_level};
    }
}

static void see(void *user, const struct orc_event *e) { *(uint32_t *)user += e->kind != ORC_EVENT_BLOCK; }

static void check_images(const struct image_row *rows, size_t n)
{
    struct spv_tools *tools = spv_tools_new();
    int wrong = 0;
    for (size_t k = 0; k < n; k++)
        for (int machine = ORC_MASK; machine <= ORC_TAG; machine++) {
            const struct image_row *i = &rows[k];
            struct arena a = {0};
            struct spv_case c;
            struct orc_result r;
            image_case(tools, &a, i, &c);
            uint32_t told = 0;
            const struct orc_observer observer = {see, &told};
            const struct orc_options o = {.machine = (enum orc_machine)machine, .observer = machine == ORC_MASK ? &observer : NULL};
            if (i->assumed)
                predict_assumed(&a, &c, &o, &r);
            else
                orc_predict(&a, &c, 0, &o, &r);
            if (i->told && machine == ORC_MASK && told + 1 != i->told) {
                print_error("%s: an observer is told of %u operations, expected %u\n", i->name, told, i->told - 1);
                wrong++;
            }
            const bool ends = i->refused && (strcmp(r.why.rule, i->refused) == 0 || (i->refused[0] && strstr(r.why.text, i->refused))) && !r.memory;
            if (i->op && r.why.op != i->op) {
                print_error("%s: it is %u that is refused\n", i->name, r.why.op);
                wrong++;
            }
            if (i->refused && !i->refused[0] ? r.why.status == RAN_OK : i->refused ? !ends : r.why.status != RAN_OK || !r.memory) {
                print_error("%s (machine %d): '%s', expected '%s'\n", i->name, machine, r.why.text, i->refused ? i->refused : "to run");
                wrong++;
            }
            if (!i->refused && r.why.status == RAN_OK && !r.memory) {
                print_error("%s (machine %d): it ends without a word\n", i->name, machine);
                wrong++;
            }
            for (uint32_t l = 0; !i->refused && r.memory && l < LANES; l++) {
                const uint32_t mask = r.memory[1].mask ? r.memory[1].mask[l] : UINT32_MAX, got = r.memory[1].words[l];
                if (i->r[l] == U ? mask || got : mask != UINT32_MAX || got != i->r[l]) {
                    print_error("%s (machine %d), lane %u: 0x%x (mask 0x%x), expected 0x%x\n", i->name, machine, l, got, mask, i->r[l]);
                    wrong++;
                }
                if (i->after[0] && r.memory[2].words[l] != i->after[l]) {
                    print_error("%s (machine %d), word %u: %u, expected %u\n", i->name, machine, l, r.memory[2].words[l], i->after[l]);
                    wrong++;
                }
            }
            arena_free(&a);
        }
    spv_tools_free(tools);
    assert_int_equal(wrong, 0);
}
#define CHECK_IMAGES(rows) check_images(rows, sizeof(rows) / sizeof *(rows))

// A sample that goes by its quad, and has no value: it was born there; one that nothing is promised of, by that.
static void test_births(void **state)
{
    (void)state;
    static const struct {
        struct image_row row;
        enum spv_model model;
        uint32_t op;
        enum orc_birth birth[LANES];
    } rows[] = {
        {{"a projection", TF, "%mq = OpCompositeConstruct %vec3 %f0 %f0 %f1\n" PAIR "%v = OpImageSampleProjImplicitLod %vec4 %si %mq\n" FPART("0")}, SPV_MAXIMAL, SpvOpImageSampleProjImplicitLod, SAME(ORC_ORIGIN_NOTHING)},
        {{"of half a subgroup", TF, "%c = OpULessThan %bool %lane %u4\nOpStore %local %u5\nOpSelectionMerge %j None\nOpBranchConditional %c %t %j\n%t = OpLabel\n" PAIR "%v = OpImageSampleImplicitLod %vec4 %si %middle\n%f = OpCompositeExtract %f32 %v 0\n"
          "%q = OpConvertFToU %u32 %f\nOpStore %local %q\nOpBranch %j\n%j = OpLabel\n%r = OpLoad %u32 %local\n"}, SPV_SUBGROUP_UNIFORM, SpvOpImageSampleImplicitLod, {ORC_ORIGIN_UNPROMISED, ORC_ORIGIN_UNPROMISED, ORC_ORIGIN_UNPROMISED, ORC_ORIGIN_UNPROMISED}},
    };
    struct spv_tools *tools = spv_tools_new();
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        struct arena a = {0};
        struct spv_case c;
        struct spv_module m;
        struct err e;
        struct orc_result r;
        struct orc_trace t = {.arena = &a};
        image_case(tools, &a, &rows[k].row, &c);
        c.model = rows[k].model;
        assert_true(spv_module_read(&a, c.words, c.count, &m, &e));
        orc_predict(&a, &c, 0, &(struct orc_options){.order = 1, .trace = &t}, &r);
        assert_string_equal(r.why.text, "");
        for (uint32_t l = 0; l < LANES; l++) {
            const struct orc_origin o = orc_origin(t.words[1][l]);
            assert_int_equal(o.birth, rows[k].birth[l]);
            assert_int_equal(o.birth ? m.insts[o.inst].op : rows[k].op, rows[k].op);
        }
        arena_free(&a);
    }
    spv_tools_free(tools);
}

// What is loaded of an image in a stage that the oracle runs no images in.
static void test_no_images_in_fragments(void **state)
{
    (void)state;
    static const char text[] =
        "OpCapability Shader\nOpExtension \"SPV_KHR_maximal_reconvergence\"\nOpMemoryModel Logical GLSL450\nOpEntryPoint Fragment %main \"main\" %image_of\nOpExecutionMode %main OriginUpperLeft\nOpExecutionMode %main MaximallyReconvergesKHR\n"
        "OpDecorate %image_of DescriptorSet 0\nOpDecorate %image_of Binding 2\n%void = OpTypeVoid\n%fn = OpTypeFunction %void\n%u32 = OpTypeInt 32 0\n%uvec2 = OpTypeVector %u32 2\n%uvec4 = OpTypeVector %u32 4\n"
        "%u0 = OpConstant %u32 0\n%at = OpConstantComposite %uvec2 %u0 %u0\n%image = OpTypeImage %u32 2D 0 0 0 1 Unknown\n%ptr = OpTypePointer UniformConstant %image\n%image_of = OpVariable %ptr UniformConstant\n"
        "%main = OpFunction %void None %fn\n%start = OpLabel\n%im = OpLoad %image %image_of\n%v = OpImageFetch %uvec4 %im %at Lod %u0\nOpReturn\nOpFunctionEnd\n";
    struct spv_tools *tools = spv_tools_new();
    struct arena a = {0};
    struct err e;
    struct orc_why why = {0};
    struct spv_case c = {.stage = SPV_FRAGMENT, .groups = {1, 1, 1}, .target = {4, 2}, .cover = SPV_COVER_FULL, .subgroup = LANES};
    assert_true(spv_assemble(tools, &a, text, strlen(text), 1, &c.words, &c.count, &e));
    assert_null(orc_load(&a, &c, &why));
    if (why.status != RAN_UNSUPPORTED || why.op != SpvOpImageFetch)
        fail_msg("%s", why.text);
    assert_non_null(strstr(why.text, "an image in a fragment shader"));
    arena_free(&a);
    spv_tools_free(tools);
}

static void test_storage(void **state) { (void)state, CHECK_IMAGES(storage); }
static void test_sampled(void **state) { (void)state, CHECK_IMAGES(sampled); }
static void test_apart(void **state) { (void)state, CHECK_IMAGES(apart); }
static void test_orders(void **state) { (void)state, CHECK_IMAGES(orders); }
static void test_assumed(void **state) { (void)state, CHECK_IMAGES(assumed); }
static void test_refused(void **state) { (void)state, CHECK_IMAGES(refused); }

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_storage), cmocka_unit_test(test_sampled), cmocka_unit_test(test_apart), cmocka_unit_test(test_orders), cmocka_unit_test(test_assumed), cmocka_unit_test(test_refused), cmocka_unit_test(test_births), cmocka_unit_test(test_no_images_in_fragments)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
