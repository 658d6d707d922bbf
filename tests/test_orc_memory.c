// SPDX-License-Identifier: Apache-2.0
//
// Composites, constants, and memory of every storage class that compute shaders have: where a
// value lies by its decorations, worked out by hand.
#include "test_orc_text.h"

static const struct row composites[] = {
    {"VectorExtractDynamic by the lane", "%v = OpCompositeConstruct %uvec2 %x %y\n"
     "%r = OpVectorExtractDynamic %u32 %v %lane\n", {1, 2, 3}, {5, 6, 7}, {1, 6, U, U, U, U, U, U}},
    {"VectorInsertDynamic by the lane", "%v = OpCompositeConstruct %uvec2 %x %x\n"
     "%w = OpVectorInsertDynamic %uvec2 %v %y %lane\n%r = OpCompositeExtract %u32 %w 1\n",
     {1, 2, 3}, {5, 6, 7}, {1, 6, U, U, U, U, U, U}},
    {"CompositeInsert into a struct", "%v = OpCompositeConstruct %uu %x %x\n"
     "%w = OpCompositeInsert %uu %y %v 1\n%a = OpCompositeExtract %u32 %w 0\n"
     "%b = OpCompositeExtract %u32 %w 1\n%c = OpShiftLeftLogical %u32 %b %u8c\n%r = OpBitwiseOr %u32 %a %c\n",
     {1, 2}, {5, 6}, {0x501, 0x602}},
    {"CompositeInsert in front: what comes after stays", "%v = OpCompositeConstruct %uvec4 %x %y %u4 %u5\n%w = OpCompositeInsert %uvec4 %u1 %v 1\n"
     "%a = OpCompositeExtract %u32 %w 0\n%b = OpCompositeExtract %u32 %w 1\n%c = OpCompositeExtract %u32 %w 2\n%d = OpCompositeExtract %u32 %w 3\n"
     "%e = OpIMul %u32 %b %u16c\n%f = OpIMul %u32 %c %u264\n%g = OpIMul %u32 %d %u72\n%h = OpIAdd %u32 %a %e\n%i = OpIAdd %u32 %h %f\n%r = OpIAdd %u32 %i %g\n",
     {1, 2}, {5, 6}, {1433, 1434, 1432, 1432, 1432, 1432, 1432, 1432}}, // x + 16 + 4 * 264 + 5 * 72
    {"CompositeExtract from parts of parts", "%v = OpCompositeConstruct %uvec2 %x %y\n%f = OpCompositeConstruct %four %u5 %x %y %u3\n%s = OpCompositeConstruct %parts %v %f\n"
     "%a = OpCompositeExtract %u32 %s 1 2\n%b = OpCompositeExtract %u32 %s 0 0\n%c = OpShiftLeftLogical %u32 %b %u8c\n%r = OpBitwiseOr %u32 %a %c\n",
     {1, 2}, {5, 6}, {0x105, 0x206}, .globals = "%four = OpTypeArray %u32 %u4\n%parts = OpTypeStruct %uvec2 %four\n"},
    {"CompositeExtract from a struct in a struct", "%in1 = OpCompositeConstruct %uu %u5 %x\n%s = OpCompositeConstruct %outer %u3 %in1\n%r = OpCompositeExtract %u32 %s 1 1\n",
     {1, 2}, {0}, {1, 2}, .globals = "%outer = OpTypeStruct %u32 %uu\n"},
    {"CompositeInsert into parts of parts", "%v = OpCompositeConstruct %uvec2 %x %y\n%f = OpCompositeConstruct %four %u5 %x %y %u3\n%s = OpCompositeConstruct %parts %v %f\n"
     "%t = OpCompositeInsert %parts %x %s 1 2\n%a = OpCompositeExtract %u32 %t 1 2\n%b = OpCompositeExtract %u32 %t 0 1\n%c = OpShiftLeftLogical %u32 %b %u8c\n"
     "%d = OpCompositeExtract %u32 %t 1 3\n%g = OpShiftLeftLogical %u32 %d %u16c\n%e = OpBitwiseOr %u32 %a %c\n%r = OpBitwiseOr %u32 %e %g\n",
     {1, 2}, {5, 6}, {0x30501, 0x30602, 0x30000, 0x30000, 0x30000, 0x30000, 0x30000, 0x30000}, .globals = "%four = OpTypeArray %u32 %u4\n%parts = OpTypeStruct %uvec2 %four\n"},
    {"VectorShuffle: the first of the second", "%v = OpCompositeConstruct %uvec2 %x %y\n%between = OpIAdd %u32 %x %u5\n%o = OpCompositeConstruct %uvec2 %u3 %u4\n%w = OpVectorShuffle %uvec2 %v %o 2 1\n"
     "%a = OpCompositeExtract %u32 %w 0\n%b = OpCompositeExtract %u32 %w 1\n%c = OpShiftLeftLogical %u32 %b %u8c\n%r = OpBitwiseOr %u32 %a %c\n",
     {1, 2}, {5, 6}, {0x503, 0x603, 3, 3, 3, 3, 3, 3}},
    {"a returned vector, one component without a value", "%v = OpFunctionCall %uvec2 %pair %x\n%a = OpCompositeExtract %u32 %v 0\n%b = OpCompositeExtract %u32 %v 1\n"
     "%on1 = OpIEqual %bool %lane %u1\n%r = OpSelect %u32 %on1 %b %a\n", {1, 2}, {0}, {1, U}, .globals = "%pair_type = OpTypeFunction %uvec2 %u32\n%none = OpUndef %u32\n",
     .functions = "%pair = OpFunction %uvec2 None %pair_type\n%p = OpFunctionParameter %u32\n%s = OpLabel\n%q = OpCompositeConstruct %uvec2 %p %none\nOpReturnValue %q\nOpFunctionEnd\n"},
    {"the other one", "%v = OpFunctionCall %uvec2 %pair %x\n%a = OpCompositeExtract %u32 %v 0\n%b = OpCompositeExtract %u32 %v 1\n"
     "%on1 = OpIEqual %bool %lane %u1\n%r = OpSelect %u32 %on1 %b %a\n", {1, 2}, {0}, {U, 2, U, U, U, U, U, U}, .globals = "%pair_type = OpTypeFunction %uvec2 %u32\n%none = OpUndef %u32\n",
     .functions = "%pair = OpFunction %uvec2 None %pair_type\n%p = OpFunctionParameter %u32\n%s = OpLabel\n%q = OpCompositeConstruct %uvec2 %none %p\nOpReturnValue %q\nOpFunctionEnd\n"},
    {"CopyObject and CopyLogical", "%v = OpCompositeConstruct %uu %x %y\n%c = OpCopyObject %uu %v\n"
     "%l = OpCopyLogical %uu2 %c\n%r = OpCompositeExtract %u32 %l 1\n", {1, 2}, {5, 6}, {5, 6},
     .globals = "%uu2 = OpTypeStruct %u32 %u32\n"},
    {"VectorShuffle with a component of no value", "%v = OpCompositeConstruct %uvec2 %x %y\n"
     "%w = OpVectorShuffle %uvec4 %v %v 3 0xffffffff 0 1\n%a = OpCompositeExtract %u32 %w 0\n"
     "%b = OpCompositeExtract %u32 %w 1\n%on1 = OpIEqual %bool %lane %u1\n%r = OpSelect %u32 %on1 %b %a\n",
     {1, 2}, {5, 6}, {5, U}},
    {"Undef", "%z = OpUndef %u32\n%on0 = OpIEqual %bool %lane %u0\n%r = OpSelect %u32 %on0 %x %z\n",
     {5}, {0}, {5, U, U, U, U, U, U, U}},
    {"Nop, MemoryBarrier", "OpNop\nOpMemoryBarrier %u1 %u72\n%r = OpIAdd %u32 %x %u0\n", {5, 6}, {0}, {5, 6}},
};

#define ARRAY "%four = OpTypeArray %u32 %u4\n%four_ptr = OpTypePointer Function %four\n"
static const struct row variables[] = {
    {"Frexp through a pointer", "%p = OpBitcast %f32 %x\n%f = OpExtInst %f32 %glsl Frexp %p %local_i\n"
     "%e = OpLoad %i32 %local_i\n%r = OpBitcast %u32 %e\n", {0x3f800000, 0x40400000, 0x3e000000}, {0},
     {1, 2, 0xfffffffe, U, U, U, U, U}, .globals = "%i32_p = OpTypePointer Private %i32\n"
     "%local_i = OpVariable %i32_p Private\n", .interface = " %local_i"},
    {"Modf through a pointer: the fraction, and the whole", "%p = OpBitcast %f32 %x\n"
     "%f = OpExtInst %f32 %glsl Modf %p %whole\n%w = OpLoad %f32 %whole\n%s = OpFAdd %f32 %f %w\n"
     "%r = OpBitcast %u32 %s\n", {0x40200000, 0xbfc00000, 0x40400000}, {0},
     {0x40200000, 0xbfc00000, U, U, U, U, U, U}, .globals = "%f32_p = OpTypePointer Private %f32\n"
     "%whole = OpVariable %f32_p Private\n", .interface = " %whole"},
    {"InBoundsAccessChain into an array of the invocation's own", "%i = OpBitwiseAnd %u32 %lane %u3\n"
     "%p = OpInBoundsAccessChain %priv_word %array %i\nOpStore %p %x\n"
     "%q = OpAccessChain %priv_word %array %u1\n%r = OpLoad %u32 %q\n", {1, 2, 3, 4, 5, 6}, {0},
     {9, 2, 9, 9, 9, 6, 9, 9}, .globals = "%four = OpTypeArray %u32 %u4\n%priv = OpTypePointer Private %four\n"
     "%priv_word = OpTypePointer Private %u32\n%nine = OpConstant %u32 9\n"
     "%init = OpConstantComposite %four %nine %nine %nine %nine\n%array = OpVariable %priv Private %init\n",
     .interface = " %array"},
    // Each lane writes one of two elements; the other one stays as it was.
    {"a component of a vector in Workgroup memory", "%v = OpCompositeConstruct %uvec2 %x %y\n%p = OpAccessChain %pair_ptr %pairs %lane\nOpStore %p %v\n"
     "%q = OpAccessChain %shared_word_ptr %pairs %lane %u1\n%r = OpLoad %u32 %q\n", {1, 2, 3, 4, 5, 6, 7, 8}, {11, 12, 13, 14, 15, 16, 17, 18}, {11, 12, 13, 14, 15, 16, 17, 18},
     .globals = "%eight_pairs = OpTypeArray %uvec2 %u8c\n%pairs_ptr = OpTypePointer Workgroup %eight_pairs\n%pair_ptr = OpTypePointer Workgroup %uvec2\n"
     "%pairs = OpVariable %pairs_ptr Workgroup\n", .interface = " %pairs"},
    {"what another lane writes does not define it", "%i = OpBitwiseAnd %u32 %lane %u1\n%j = OpBitwiseXor %u32 %i %u1\n"
     "%p = OpAccessChain %priv_word %array %i\nOpStore %p %x\n%q = OpAccessChain %priv_word %array %j\n"
     "%r = OpLoad %u32 %q\n", {1, 2, 3}, {0}, {U, U, U, U, U, U, U, U},
     .globals = "%two_words = OpTypeArray %u32 %u2\n%priv = OpTypePointer Private %two_words\n"
     "%priv_word = OpTypePointer Private %u32\n%array = OpVariable %priv Private\n", .interface = " %array"},
    {"a copy of one variable to another", "OpStore %local %x\nOpCopyMemory %local2 %local\nOpStore %local %y\n%r = OpLoad %u32 %local2\n", {1, 2}, {5, 6}, {1, 2}},
    {"the same with operands for both", "OpStore %local %x\nOpCopyMemory %local2 %local Aligned 4\n%r = OpLoad %u32 %local2\n", {1, 2}, {5, 6}, {1, 2}},
    {"the same with operands for each", "OpStore %local %x\nOpCopyMemory %local2 %local Aligned 4 Volatile\n%r = OpLoad %u32 %local2\n", {1, 2}, {5, 6}, {1, 2}},
    {"a negative index", "%i = OpBitcast %i32 %x\n%p = OpAccessChain %priv_word %array %i\n%r = OpLoad %u32 %p\n", {3, 0, 1, 0xffffffff}, {0}, .refused = "E-bounds",
     .globals = "%four = OpTypeArray %u32 %u4\n%priv = OpTypePointer Private %four\n"
     "%priv_word = OpTypePointer Private %u32\n%nine = OpConstant %u32 9\n%minus = OpConstant %i32 -1\n"
     "%init = OpConstantComposite %four %nine %nine %nine %nine\n%array = OpVariable %priv Private %init\n", .interface = " %array"},
    {"signed indices that are there", "%i = OpBitcast %i32 %x\n%p = OpAccessChain %priv_word %array %i\n%r = OpLoad %u32 %p\n", {3, 0, 1, 2}, {0}, {9, 9, 9, 9, 9, 9, 9, 9},
     .globals = "%four = OpTypeArray %u32 %u4\n%priv = OpTypePointer Private %four\n"
     "%priv_word = OpTypePointer Private %u32\n%nine = OpConstant %u32 9\n%minus = OpConstant %i32 -1\n"
     "%init = OpConstantComposite %four %nine %nine %nine %nine\n%array = OpVariable %priv Private %init\n", .interface = " %array"},
    {"one behind the last", "%p = OpAccessChain %priv_word %array %x\n%r = OpLoad %u32 %p\n", {3, 0, 1, 4}, {0}, .refused = "E-bounds",
     .globals = "%four = OpTypeArray %u32 %u4\n%priv = OpTypePointer Private %four\n"
     "%priv_word = OpTypePointer Private %u32\n%nine = OpConstant %u32 9\n%minus = OpConstant %i32 -1\n"
     "%init = OpConstantComposite %four %nine %nine %nine %nine\n%array = OpVariable %priv Private %init\n", .interface = " %array"},
    {"a place that is not there, which nobody comes to", "%never = OpUGreaterThan %bool %lane %u8c\nOpSelectionMerge %j None\nOpBranchConditional %never %t %j\n%t = OpLabel\n"
     "%q = OpAccessChain %priv_word %array %u4\nOpStore %q %x\nOpBranch %j\n%j = OpLabel\n%r = OpIAdd %u32 %x %y\n",
     {1, 2}, {5, 6}, {6, 8}, .globals = "%four = OpTypeArray %u32 %u4\n%priv = OpTypePointer Private %four\n"
     "%priv_word = OpTypePointer Private %u32\n%nine = OpConstant %u32 9\n%minus = OpConstant %i32 -1\n"
     "%init = OpConstantComposite %four %nine %nine %nine %nine\n%array = OpVariable %priv Private %init\n", .interface = " %array"},
    {"the same, come to", "%p = OpAccessChain %priv_word %array %u4\nOpStore %p %x\n%r = OpIAdd %u32 %x %y\n", .refused = "E-bounds",
     .globals = "%four = OpTypeArray %u32 %u4\n%priv = OpTypePointer Private %four\n"
     "%priv_word = OpTypePointer Private %u32\n%nine = OpConstant %u32 9\n%minus = OpConstant %i32 -1\n"
     "%init = OpConstantComposite %four %nine %nine %nine %nine\n%array = OpVariable %priv Private %init\n", .interface = " %array"},
    {"an index out of an array's bounds", "%p = OpAccessChain %priv_word %array %lane\nOpStore %p %x\n"
     "%r = OpIAdd %u32 %x %u0\n", .globals = "%four = OpTypeArray %u32 %u4\n%priv = OpTypePointer Private %four\n"
     "%priv_word = OpTypePointer Private %u32\n%array = OpVariable %priv Private\n", .interface = " %array",
     .refused = "E-bounds"},
    {"Workgroup memory that starts at zero", "%p = OpAccessChain %wg_word %zeroed %lane\n%z = OpLoad %u32 %p\n"
     "%r = OpIAdd %u32 %z %x\n", {1, 2}, {0}, {1, 2}, .globals = "%eight = OpTypeArray %u32 %u8c\n"
     "%wg = OpTypePointer Workgroup %eight\n%wg_word = OpTypePointer Workgroup %u32\n%null8 = OpConstantNull %eight\n"
     "%zeroed = OpVariable %wg Workgroup %null8\n", .interface = " %zeroed"},
    {"Workgroup memory that nobody wrote", "%p = OpAccessChain %shared_word_ptr %shared %lane\n%z = OpLoad %u32 %p\n"
     "%r = OpIAdd %u32 %z %x\n", {1, 2}, {0}, {U, U, U, U, U, U, U, U}},
    {"a parameter by value, a parameter by pointer", "%z = OpFunctionCall %u32 %twice %x %local\n"
     "%w = OpLoad %u32 %local\n%s = OpShiftLeftLogical %u32 %w %u8c\n%r = OpBitwiseOr %u32 %z %s\n",
     {1, 2}, {0}, {0x102, 0x204}, .globals = "%twice_fn = OpTypeFunction %u32 %u32 %u32_fn_ptr\n",
     .functions = "%twice = OpFunction %u32 None %twice_fn\n%v = OpFunctionParameter %u32\n"
     "%to = OpFunctionParameter %u32_fn_ptr\n%enter = OpLabel\n%two = OpIAdd %u32 %v %v\nOpStore %to %v\n"
     "OpReturnValue %two\nOpFunctionEnd\n"},
};

// A buffer 0:2 of the row's own, and what each decoration makes of an index.
#define BUFFER(type) "%more_ptr = OpTypePointer StorageBuffer " type "\n%more = OpVariable %more_ptr StorageBuffer\n"
#define AT "OpDecorate %more DescriptorSet 0\nOpDecorate %more Binding 2\n"
#define FLOAT_PTR "%float_ptr = OpTypePointer StorageBuffer %f32\n"
// Each lane's own pair, then a barrier, then that of lane ^ 1.
#define NEIGHBOUR(semantics) "%v = OpCompositeConstruct %uvec2 %x %y\n%p = OpAccessChain %pair_ptr %more %u0 %lane\nOpStore %p %v\nOpControlBarrier %u2 %u2 " semantics "\n" \
    "%l = OpBitwiseXor %u32 %lane %u1\n%q = OpAccessChain %pair_ptr %more %u0 %l\n%w = OpLoad %uvec2 %q\n%r = OpCompositeExtract %u32 %w 1\n"
#define PAIRS AT "OpDecorate %more Coherent\nOpDecorate %s2 Block\nOpMemberDecorate %s2 0 Offset 0\nOpDecorate %wide ArrayStride 8\n", \
    .globals = "%wide = OpTypeRuntimeArray %uvec2\n%s2 = OpTypeStruct %wide\n" BUFFER("%s2") "%pair_ptr = OpTypePointer StorageBuffer %uvec2\n", .interface = " %more", .more_count = 16
static const struct row layouts[] = {
    {"members by Offset, out of order", "%p = OpAccessChain %word_ptr %more %u0\n%q = OpAccessChain %word_ptr %more %u1\n"
     "%a = OpLoad %u32 %p\n%b = OpLoad %u32 %q\n%s = OpShiftLeftLogical %u32 %b %u8c\n%r = OpBitwiseOr %u32 %a %s\n",
     {0}, {0}, {0x103, 0x103, 0x103, 0x103, 0x103, 0x103, 0x103, 0x103}, 0,
     AT "OpDecorate %s2 Block\nOpMemberDecorate %s2 0 Offset 8\nOpMemberDecorate %s2 1 Offset 0\n",
     "%s2 = OpTypeStruct %u32 %u32\n" BUFFER("%s2"), .interface = " %more", .more = {1, 2, 3, 4}, .more_count = 4},
    {"an array of ArrayStride 8", "%i = OpBitwiseAnd %u32 %lane %u1\n%p = OpAccessChain %word_ptr %more %u0 %i\n"
     "%r = OpLoad %u32 %p\n", {0}, {0}, {1, 3, 1, 3, 1, 3, 1, 3}, 0,
     AT "OpDecorate %s2 Block\nOpMemberDecorate %s2 0 Offset 0\nOpDecorate %wide ArrayStride 8\n",
     "%wide = OpTypeArray %u32 %u2\n%s2 = OpTypeStruct %wide\n" BUFFER("%s2"), .interface = " %more", .more = {1, 2, 3, 4}, .more_count = 4},
    {"a matrix by columns, MatrixStride 8: row by lane of column 1", "%i = OpBitwiseAnd %u32 %lane %u1\n"
     "%p = OpAccessChain %float_ptr %more %u0 %u1 %i\n%f = OpLoad %f32 %p\n%r = OpBitcast %u32 %f\n",
     {0}, {0}, {0x40400000, 0x40800000, 0x40400000, 0x40800000, 0x40400000, 0x40800000, 0x40400000, 0x40800000}, 0,
     AT "OpDecorate %s2 Block\nOpMemberDecorate %s2 0 Offset 0\nOpMemberDecorate %s2 0 ColMajor\n"
     "OpMemberDecorate %s2 0 MatrixStride 8\n", "%s2 = OpTypeStruct %mat2\n" BUFFER("%s2") FLOAT_PTR,
     .interface = " %more", .more = {0x3f800000, 0x40000000, 0x40400000, 0x40800000}, .more_count = 4},
    {"the same by rows, MatrixStride 12", "%i = OpBitwiseAnd %u32 %lane %u1\n"
     "%p = OpAccessChain %float_ptr %more %u0 %u1 %i\n%f = OpLoad %f32 %p\n%r = OpBitcast %u32 %f\n",
     {0}, {0}, {0x40000000, 0x40a00000, 0x40000000, 0x40a00000, 0x40000000, 0x40a00000, 0x40000000, 0x40a00000}, 0,
     AT "OpDecorate %s2 Block\nOpMemberDecorate %s2 0 Offset 0\nOpMemberDecorate %s2 0 RowMajor\n"
     "OpMemberDecorate %s2 0 MatrixStride 12\n", "%s2 = OpTypeStruct %mat2\n" BUFFER("%s2") FLOAT_PTR,
     .interface = " %more", .more = {0x3f800000, 0x40000000, 0x40400000, 0x40800000, 0x40a00000, 0x40c00000}, .more_count = 6},
    {"a whole matrix by rows, loaded and stored by columns", "%on0 = OpIEqual %bool %lane %u0\n"
     "OpSelectionMerge %join None\nOpBranchConditional %on0 %yes %join\n%yes = OpLabel\n"
     "%p = OpAccessChain %mat_ptr %more %u0\n%q = OpAccessChain %mat_ptr %more %u1\n%m = OpLoad %mat2 %p\n"
     "OpStore %q %m\nOpBranch %join\n%join = OpLabel\n%r = OpIAdd %u32 %x %u0\n", {0}, {0}, {0}, 0,
     AT "OpDecorate %s2 Block\nOpMemberDecorate %s2 0 Offset 0\nOpMemberDecorate %s2 0 RowMajor\n"
     "OpMemberDecorate %s2 0 MatrixStride 8\nOpMemberDecorate %s2 1 Offset 16\nOpMemberDecorate %s2 1 ColMajor\n"
     "OpMemberDecorate %s2 1 MatrixStride 8\n", "%s2 = OpTypeStruct %mat2 %mat2\n" BUFFER("%s2")
     "%mat_ptr = OpTypePointer StorageBuffer %mat2\n",
     .interface = " %more", .more = {0x3f800000, 0x40000000, 0x40400000, 0x40800000}, .more_count = 8, .checks_more = true,
     .after = {0x3f800000, 0x40000000, 0x40400000, 0x40800000, 0x3f800000, 0x40400000, 0x40000000, 0x40800000}},
    {"bytes: each lane its own", "%p = OpAccessChain %byte_ptr %more %u0 %lane\n%n = OpUConvert %u8 %x\n"
     "OpStore %p %n\n%r = OpIAdd %u32 %x %u0\n", {1, 2, 3, 4, 5, 6, 7, 8}, {0}, {1, 2, 3, 4, 5, 6, 7, 8}, 0,
     AT "OpDecorate %s2 Block\nOpMemberDecorate %s2 0 Offset 0\nOpDecorate %bytes ArrayStride 1\n",
     "%bytes = OpTypeRuntimeArray %u8\n%s2 = OpTypeStruct %bytes\n" BUFFER("%s2") "%byte_ptr = OpTypePointer StorageBuffer %u8\n",
     .interface = " %more", .more = {0, 0, 0x55}, .more_count = 3, .checks_more = true,
     .after = {0x04030201, 0x08070605, 0x55}},
    {"16 and 64 bits in one struct", "%p = OpAccessChain %half_ptr %more %u0\n%q = OpAccessChain %long_ptr %more %u1\n"
     "%a = OpLoad %u16 %p\n%b = OpLoad %u64 %q\n%c = OpUConvert %u64 %a\n%d = OpIAdd %u64 %b %c\n"
     "%v = OpBitcast %uvec2 %d\n%r = OpCompositeExtract %u32 %v 1\n",
     {0}, {0}, {8, 8, 8, 8, 8, 8, 8, 8}, 0,
     AT "OpDecorate %s2 Block\nOpMemberDecorate %s2 0 Offset 2\nOpMemberDecorate %s2 1 Offset 8\n",
     "%s2 = OpTypeStruct %u16 %u64\n" BUFFER("%s2") "%half_ptr = OpTypePointer StorageBuffer %u16\n"
     "%long_ptr = OpTypePointer StorageBuffer %u64\n", .interface = " %more", .more = {0x00010000, 0, 0xffffffff, 7}, .more_count = 4},
    {"64 bits: each lane its own", "%v = OpCompositeConstruct %uvec2 %x %y\n%n = OpBitcast %u64 %v\n%p = OpAccessChain %long_ptr %more %u0 %lane\nOpStore %p %n\n"
     "%r = OpIAdd %u32 %x %u0\n", {1, 2, 3, 4, 5, 6, 7, 8}, {11, 12, 13, 14, 15, 16, 17, 18}, {1, 2, 3, 4, 5, 6, 7, 8}, 0,
     AT "OpDecorate %s2 Block\nOpMemberDecorate %s2 0 Offset 0\nOpDecorate %longs ArrayStride 8\n",
     "%longs = OpTypeRuntimeArray %u64\n%s2 = OpTypeStruct %longs\n" BUFFER("%s2") "%long_ptr = OpTypePointer StorageBuffer %u64\n",
     .interface = " %more", .more = {0}, .more_count = 16, .checks_more = true, .after = {1, 11, 2, 12, 3, 13, 4, 14, 5, 15, 6, 16, 7, 17, 8, 18}},
    // Lane 0's word is none of the bytes, whatever their number.
    {"bytes, and a word after them", "%p = OpAccessChain %byte_ptr %more %u0 %lane\n%n = OpUConvert %u8 %x\nOpStore %p %n\n%one = OpIEqual %bool %lane %u0\n"
     "OpSelectionMerge %j None\nOpBranchConditional %one %t %j\n%t = OpLabel\n%q = OpAccessChain %word_ptr %more %u1\nOpStore %q %y\nOpBranch %j\n%j = OpLabel\n"
     "%r = OpIAdd %u32 %x %u0\n", {1, 2, 3, 4, 5, 6, 7, 8}, {0x99}, {1, 2, 3, 4, 5, 6, 7, 8}, 0,
     AT "OpDecorate %s2 Block\nOpMemberDecorate %s2 0 Offset 0\nOpMemberDecorate %s2 1 Offset 8\nOpDecorate %bytes ArrayStride 1\n",
     "%bytes = OpTypeArray %u8 %u8c\n%s2 = OpTypeStruct %bytes %u32\n" BUFFER("%s2") "%byte_ptr = OpTypePointer StorageBuffer %u8\n",
     .interface = " %more", .more = {0}, .more_count = 3, .checks_more = true, .after = {0x04030201, 0x08070605, 0x99}},
    {"a neighbour's vector, after a barrier", NEIGHBOUR("%u72"), {1, 2, 3, 4, 5, 6, 7, 8}, {11, 12, 13, 14, 15, 16, 17, 18}, {12, 11, 14, 13, 16, 15, 18, 17}, 0, PAIRS},
    {"the same where the barrier orders no memory", NEIGHBOUR("%u0"), .annotations = PAIRS, .refused = "E-race"},
    {"ArrayLength behind an offset: (32 - 8) / 8", "%r = OpArrayLength %u32 %more 1\n",
     {0}, {0}, {3, 3, 3, 3, 3, 3, 3, 3}, 0,
     AT "OpDecorate %s2 Block\nOpMemberDecorate %s2 0 Offset 0\nOpMemberDecorate %s2 1 Offset 8\n"
     "OpDecorate %wide ArrayStride 8\n", "%wide = OpTypeRuntimeArray %uvec2\n%s2 = OpTypeStruct %u32 %wide\n" BUFFER("%s2"),
     .interface = " %more", .more = {0}, .more_count = 8},
    {"a Uniform block", "%p = OpAccessChain %uword %more %u0 %u1\n%r = OpLoad %u32 %p\n",
     {0}, {0}, {2, 2, 2, 2, 2, 2, 2, 2}, 0,
     AT "OpDecorate %s2 Block\nOpMemberDecorate %s2 0 Offset 0\n", "%s2 = OpTypeStruct %uvec4\n"
     "%more_ptr = OpTypePointer Uniform %s2\n%more = OpVariable %more_ptr Uniform\n%uword = OpTypePointer Uniform %u32\n",
     .interface = " %more", .more = {1, 2, 3, 4}, .more_count = 4},
    {"push constants: given, and not", "%i = OpBitwiseAnd %u32 %lane %u1\n%p = OpAccessChain %pword %pushed %u0 %i\n"
     "%r = OpLoad %u32 %p\n", {0}, {0}, {7, U, 7, U, 7, U, 7, U}, 0,
     "OpDecorate %s2 Block\nOpMemberDecorate %s2 0 Offset 4\n", "%s2 = OpTypeStruct %uvec2\n"
     "%push_ptr = OpTypePointer PushConstant %s2\n%pushed = OpVariable %push_ptr PushConstant\n"
     "%pword = OpTypePointer PushConstant %u32\n", .interface = " %pushed", .push = {5, 7}, .push_count = 2},
    {"decorations by group", "%p = OpAccessChain %word_ptr %more %u0\n%s = OpIAdd %u32 %x %u0\n%z = OpLoad %u32 %p\n"
     "%r = OpIAdd %u32 %s %z\n", {1, 0x8000}, {0}, {3, U, 2, 2, 2, 2, 2, 2}, 0,
     "OpDecorate %s2 Block\nOpMemberDecorate %s2 0 Offset 4\nOpDecorate %g1 DescriptorSet 0\nOpDecorate %g1 Binding 2\n"
     "%g1 = OpDecorationGroup\nOpGroupDecorate %g1 %more\nOpDecorate %g2 RelaxedPrecision\n%g2 = OpDecorationGroup\n"
     "OpGroupDecorate %g2 %s\n", "%s2 = OpTypeStruct %u32\n" BUFFER("%s2"), .interface = " %more", .more = {1, 2}, .more_count = 2},
    {"an offset by a group", "%p = OpAccessChain %word_ptr %more %u0\n%r = OpLoad %u32 %p\n",
     {0}, {0}, {2, 2, 2, 2, 2, 2, 2, 2}, 0,
     AT "OpDecorate %s2 Block\nOpDecorate %g1 Offset 4\n%g1 = OpDecorationGroup\nOpGroupMemberDecorate %g1 %s2 0\n",
     "%s2 = OpTypeStruct %u32\n" BUFFER("%s2"), .interface = " %more", .more = {1, 2}, .more_count = 2},
};

#define SPEC "%sc = OpSpecConstant %u32 5\n"
#define FIVES(n) {n, n, n, n, n, n, n, n}
static const struct row constants[] = {
    {"SpecConstant, its own value", "%r = OpIAdd %u32 %sc %u0\n", {0}, {0}, FIVES(5), 0,
     "OpDecorate %sc SpecId 3\n", SPEC},
    {"SpecConstant, specialised", "%r = OpIAdd %u32 %sc %u0\n", {0}, {0}, FIVES(9), 0,
     "OpDecorate %sc SpecId 3\n", SPEC, .spec_id = 3, .spec_value = 9},
    {"SpecConstantTrue, specialised", "%r = OpSelect %u32 %st %u1 %u2\n", {0}, {0}, FIVES(2), 0,
     "OpDecorate %st SpecId 3\n", "%st = OpSpecConstantTrue %bool\n", .spec_id = 3, .spec_value = 0},
    {"SpecConstantFalse, not specialised", "%r = OpSelect %u32 %st %u1 %u2\n", {0}, {0}, FIVES(2), 0,
     "OpDecorate %st SpecId 3\n", "%st = OpSpecConstantFalse %bool\n"},
    {"SpecConstantOp: 2 * 9 - 1", "%r = OpIAdd %u32 %so2 %u0\n", {0}, {0}, FIVES(17), 0, "OpDecorate %sc SpecId 3\n",
     SPEC "%so = OpSpecConstantOp %u32 IMul %sc %u2\n%so2 = OpSpecConstantOp %u32 ISub %so %u1\n",
     .spec_id = 3, .spec_value = 9},
    {"SpecConstantOp Select, by a comparison", "%r = OpIAdd %u32 %so %u0\n", {0}, {0}, FIVES(1), 0,
     "OpDecorate %sc SpecId 3\n", SPEC "%big = OpSpecConstantOp %bool UGreaterThan %sc %u8c\n"
     "%so = OpSpecConstantOp %u32 Select %big %u1 %u2\n", .spec_id = 3, .spec_value = 9},
    {"SpecConstantOp that divides by zero", "%r = OpIAdd %u32 %so %u0\n", {0}, {0}, FIVES(U), 0,
     "OpDecorate %sc SpecId 3\n", SPEC "%so = OpSpecConstantOp %u32 UDiv %u8c %sc\n", .spec_id = 3, .spec_value = 0},
    {"SpecConstantComposite, and parts of it", "%r = OpIAdd %u32 %e %f\n", {0}, {0}, FIVES(5 + 16 * 5), 0,
     "OpDecorate %sc SpecId 3\n", SPEC "%v = OpSpecConstantComposite %uvec2 %sc %u1\n"
     "%w = OpSpecConstantOp %uvec2 CompositeInsert %u16c %v 1\n"
     "%s = OpSpecConstantOp %uvec2 VectorShuffle %w %v 1 0\n%a = OpSpecConstantOp %u32 CompositeExtract %s 0\n"
     "%e = OpSpecConstantOp %u32 CompositeExtract %s 1\n%f = OpSpecConstantOp %u32 IMul %a %e\n"},
    {"SpecConstantOp of other widths", "%v = OpBitcast %uvec2 %c64\n%r = OpCompositeExtract %u32 %v 1\n",
     {0}, {0}, FIVES(0xffffffff), 0, "OpDecorate %sc SpecId 3\n",
     "%sc = OpSpecConstant %i32 -5\n%c64 = OpSpecConstantOp %i64 SConvert %sc\n"},
    {"SpecConstantOp FConvert", "%v = OpFConvert %f32 %h\n%r = OpBitcast %u32 %v\n",
     {0}, {0}, FIVES(0x3fc00000), 0, "OpDecorate %sc SpecId 3\n",
     "%sc = OpSpecConstant %f32 1.5\n%h = OpSpecConstantOp %f16 FConvert %sc\n"},
    {"an array as long as a specialised constant says", "%p = OpAccessChain %priv_word %array %u8c\nOpStore %p %x\n"
     "%r = OpLoad %u32 %p\n", {1, 2}, {0}, {1, 2}, 0, "OpDecorate %sc SpecId 3\n", SPEC "%arr = OpTypeArray %u32 %sc\n"
     "%priv = OpTypePointer Private %arr\n%priv_word = OpTypePointer Private %u32\n%array = OpVariable %priv Private\n",
     .interface = " %array", .spec_id = 3, .spec_value = 9},
};

static const struct row unaligned[] = {
    {"a word at byte 6", "%p = OpAccessChain %word_ptr %more %u0\n%r = OpLoad %u32 %p\n", .annotations =
     AT "OpDecorate %s2 Block\nOpMemberDecorate %s2 0 Offset 6\n", .globals = "%s2 = OpTypeStruct %u32\n" BUFFER("%s2"),
     .interface = " %more", .more = {1, 2, 3}, .more_count = 3, .refused = "E-align"},
};

// Memory that no machine should be asked for is refused, with a line that says what is too large.
static const struct row bounds[] = {
    {"an array of 2^31 elements", "%p = OpAccessChain %priv_word %array %lane\nOpStore %p %x\n%r = OpLoad %u32 %p\n",
     .globals = "%many = OpConstant %u32 2147483648\n%arr = OpTypeArray %u32 %many\n%priv = OpTypePointer Private %arr\n"
     "%priv_word = OpTypePointer Private %u32\n%array = OpVariable %priv Private\n", .interface = " %array",
     .refused = "unsupported: an array of more than 4194304 elements"},
    {"arrays of arrays of 2^20 by 2^20", "%r = OpIAdd %u32 %x %u0\n",
     .globals = "%many = OpConstant %u32 1048576\n%arr = OpTypeArray %u32 %many\n%arrs = OpTypeArray %arr %many\n"
     "%priv = OpTypePointer Private %arrs\n%array = OpVariable %priv Private\n", .interface = " %array",
     .refused = "unsupported: a type of more than 4194304 scalars"},
};

// An opcode of tomorrow is no error of the module.
static void test_unknown(void **state)
{
    (void)state;
    struct arena arena = {0};
    const uint32_t words[] = {0x07230203, 0x00010600, 0, 8, 0, 2 << 16 | 17, 1, 2 << 16 | 12345, 3};
    const struct spv_case c = {.words = words, .count = 9, .groups = {1, 1, 1}, .subgroup = LANES};
    struct orc_result r;
    orc_predict(&arena, &c, 0, NULL, &r);
    assert_int_equal(r.why.status, ORC_UNSUPPORTED);
    assert_string_equal(r.why.text, "unsupported: word 7: opcode 12345 is not in the opcode table");
    arena_free(&arena);
}

static void test_composites(void **state) { (void)state, CHECK_ROWS(composites); }
static void test_variables(void **state) { (void)state, CHECK_ROWS(variables); }
static void test_layouts(void **state) { (void)state, CHECK_ROWS(layouts); }
static void test_constants(void **state) { (void)state, CHECK_ROWS(constants); }
static void test_unaligned(void **state) { (void)state, CHECK_ROWS(unaligned); }
static void test_bounds(void **state) { (void)state, CHECK_ROWS(bounds); }

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_composites), cmocka_unit_test(test_variables), cmocka_unit_test(test_layouts),
        cmocka_unit_test(test_constants),  cmocka_unit_test(test_bounds), cmocka_unit_test(test_unaligned), cmocka_unit_test(test_unknown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
