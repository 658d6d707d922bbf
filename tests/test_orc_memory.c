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


// ---- what lanes have left a loop with ---------------------------------------------------------------

// Lane l leaves in iteration l, the others go on: what it has then stays what it was. %k counts, %v is the value.
#define ROUND(before, body) before "OpBranch %pre\n%pre = OpLabel\nOpBranch %h\n%h = OpLabel\n%k = OpPhi %u32 %u0 %pre %k1 %c\nOpLoopMerge %e %c None\nOpBranch %b\n%b = OpLabel\n" body \
    "%done = OpIEqual %bool %k %lane\nOpBranchConditional %done %e %c\n%c = OpLabel\n%k1 = OpIAdd %u32 %k %u1\nOpBranch %h\n%e = OpLabel\n"
// Of odd lanes y / 1, of even ones y / 0: a value, and none.
#define ODD "%odd = OpBitwiseAnd %u32 %lane %u1\n%sometimes = OpUDiv %u32 %y %odd\n"
#define YS {1, 2, 3, 4, 5, 6, 7, 8}
#define ODD_ONES {U, 2, U, 4, U, 6, U, 8}
#define EIGHT_OF(type) "%eight = OpTypeArray " type " %u8c\n%priv = OpTypePointer Private %eight\n%priv_word = OpTypePointer Private " type "\n%array = OpVariable %priv Private\n", .interface = " %array"
#define WORDS_AT_2 "OpDecorate %more DescriptorSet 0\nOpDecorate %more Binding 2\nOpDecorate %more Coherent\n"
static const struct row rounds[] = {
    {"a place in a buffer", ROUND("", "%p = OpAccessChain %word_ptr %in %u0 %k\n") "%r = OpLoad %u32 %p\n", YS, {0}, YS},
    {"a place in an array in an array", ROUND("OpStore %grid %init\n", "%p = OpAccessChain %priv_word %grid %u1 %k\n") "%r = OpLoad %u32 %p\n", {0}, {0}, {0, 1, 2, 3, 4, 5, 8, 16},
     .globals = "%eight = OpTypeArray %u32 %u8c\n%two_by = OpTypeArray %eight %u2\n%null8 = OpConstantNull %eight\n%second = OpConstantComposite %eight %u0 %u1 %u2 %u3 %u4 %u5 %u8c %u16c\n"
     "%init = OpConstantComposite %two_by %null8 %second\n%priv = OpTypePointer Private %two_by\n%priv_word = OpTypePointer Private %u32\n%grid = OpVariable %priv Private\n", .interface = " %grid"},
    {"a place by an index without a value", ROUND("", "%z = OpBitwiseAnd %u32 %k %u1\n%q = OpUDiv %u32 %k %z\n%p = OpAccessChain %word_ptr %in %u0 %q\n") "%even = OpBitwiseAnd %u32 %lane %u1\n%ok = OpIEqual %bool %even %u1\n"
     "OpSelectionMerge %j None\nOpBranchConditional %ok %t %j\n%t = OpLabel\n%w = OpLoad %u32 %p\nOpBranch %j\n%j = OpLabel\n%r = OpPhi %u32 %u0 %e %w %t\n", YS, {0}, {0, 2, 0, 4, 0, 6, 0, 8}},
    {"the same, used", ROUND("", "%z = OpBitwiseAnd %u32 %k %u1\n%q = OpUDiv %u32 %k %z\n%p = OpAccessChain %word_ptr %in %u0 %q\n") "%r = OpLoad %u32 %p\n", .refused = "invocation 0"},
    {"a word of a buffer", ROUND("", "%p = OpAccessChain %word_ptr %in %u0 %k\n%r = OpLoad %u32 %p\n"), YS, {0}, YS},
    {"a word of a buffer that may have no value", ROUND(ODD "%own = OpAccessChain %word_ptr %more %u0 %lane\nOpStore %own %sometimes\nOpControlBarrier %u2 %u2 %u72\n", "%p = OpAccessChain %word_ptr %more %u0 %k\n%r = OpLoad %u32 %p\n"),
     {0}, YS, ODD_ONES, .annotations = WORDS_AT_2, .globals = "%more = OpVariable %block_ptr StorageBuffer\n", .interface = " %more", .more_count = 8},
    {"the same, of the odd lanes alone", ROUND(ODD "%own = OpAccessChain %word_ptr %more %u0 %lane\nOpStore %own %sometimes\nOpControlBarrier %u2 %u2 %u72\n", "%p = OpAccessChain %word_ptr %more %u0 %k\n%w = OpLoad %u32 %p\n%isodd = OpIEqual %bool %odd %u1\n"
     "%r = OpSelect %u32 %isodd %w %u5\n"), {0}, YS, {5, 2, 5, 4, 5, 6, 5, 8}, .annotations = WORDS_AT_2, .globals = "%more = OpVariable %block_ptr StorageBuffer\n", .interface = " %more", .more_count = 8},
    {"half a word that may have no value", ROUND(ODD "%half = OpUConvert %u16 %sometimes\n%own = OpAccessChain %half_ptr %more %u0 %lane\nOpStore %own %half\nOpControlBarrier %u2 %u2 %u72\n",
     "%p = OpAccessChain %half_ptr %more %u0 %k\n%w = OpLoad %u16 %p\n%r = OpUConvert %u32 %w\n"), {0}, YS, ODD_ONES,
     .annotations = WORDS_AT_2 "OpDecorate %halves ArrayStride 2\nOpDecorate %s2 Block\nOpMemberDecorate %s2 0 Offset 0\n",
     .globals = "%halves = OpTypeRuntimeArray %u16\n%s2 = OpTypeStruct %halves\n%more_ptr = OpTypePointer StorageBuffer %s2\n%more = OpVariable %more_ptr StorageBuffer\n%half_ptr = OpTypePointer StorageBuffer %u16\n",
     .interface = " %more", .more_count = 4},
    {"two words, one of which may have none", ROUND(ODD "%v = OpCompositeConstruct %uvec2 %y %sometimes\n%own = OpAccessChain %pair_ptr %more %u0 %lane\nOpStore %own %v\nOpControlBarrier %u2 %u2 %u72\n",
     "%p = OpAccessChain %pair_ptr %more %u0 %k\n%w = OpLoad %uvec2 %p\n%r = OpCompositeExtract %u32 %w 1\n"), {0}, YS, ODD_ONES,
     .annotations = WORDS_AT_2 "OpDecorate %pairs ArrayStride 8\nOpDecorate %s2 Block\nOpMemberDecorate %s2 0 Offset 0\n",
     .globals = "%pairs = OpTypeRuntimeArray %uvec2\n%s2 = OpTypeStruct %pairs\n%more_ptr = OpTypePointer StorageBuffer %s2\n%more = OpVariable %more_ptr StorageBuffer\n%pair_ptr = OpTypePointer StorageBuffer %uvec2\n",
     .interface = " %more", .more_count = 16},
    {"the other of them", ROUND(ODD "%v = OpCompositeConstruct %uvec2 %y %sometimes\n%own = OpAccessChain %pair_ptr %more %u0 %lane\nOpStore %own %v\nOpControlBarrier %u2 %u2 %u72\n",
     "%p = OpAccessChain %pair_ptr %more %u0 %k\n%w = OpLoad %uvec2 %p\n%r = OpCompositeExtract %u32 %w 0\n"), {0}, YS, YS,
     .annotations = WORDS_AT_2 "OpDecorate %pairs ArrayStride 8\nOpDecorate %s2 Block\nOpMemberDecorate %s2 0 Offset 0\n",
     .globals = "%pairs = OpTypeRuntimeArray %uvec2\n%s2 = OpTypeStruct %pairs\n%more_ptr = OpTypePointer StorageBuffer %s2\n%more = OpVariable %more_ptr StorageBuffer\n%pair_ptr = OpTypePointer StorageBuffer %uvec2\n",
     .interface = " %more", .more_count = 16},
    {"a cell of Workgroup memory", ROUND(ODD "%own = OpAccessChain %shared_word_ptr %shared %lane\nOpStore %own %sometimes\nOpControlBarrier %u2 %u2 %u264\n",
     "%p = OpAccessChain %shared_word_ptr %shared %k\n%r = OpLoad %u32 %p\n"), {0}, YS, ODD_ONES},
    {"two of them", ROUND(ODD "%v = OpCompositeConstruct %uvec2 %sometimes %y\n%own = OpAccessChain %pair_ptr %pairs %lane\nOpStore %own %v\nOpControlBarrier %u2 %u2 %u264\n",
     "%p = OpAccessChain %pair_ptr %pairs %k\n%w = OpLoad %uvec2 %p\n%a = OpCompositeExtract %u32 %w 0\n%n = OpCompositeExtract %u32 %w 1\n%isodd = OpIEqual %bool %odd %u1\n%r = OpSelect %u32 %isodd %n %a\n"), {0}, YS, ODD_ONES,
     .globals = "%eight_pairs = OpTypeArray %uvec2 %u8c\n%pairs_ptr = OpTypePointer Workgroup %eight_pairs\n%pair_ptr = OpTypePointer Workgroup %uvec2\n%pairs = OpVariable %pairs_ptr Workgroup\n", .interface = " %pairs"},
    {"an element of the lane's own", ROUND("OpBranch %h0\n%h0 = OpLabel\n%n = OpPhi %u32 %u0 %then %n1 %c0\nOpLoopMerge %e0 %c0 None\nOpBranch %c0\n%c0 = OpLabel\n%z = OpBitwiseAnd %u32 %n %u1\n%q = OpUDiv %u32 %n %z\n"
     "%pn = OpAccessChain %priv_word %array %n\nOpStore %pn %q\n%n1 = OpIAdd %u32 %n %u1\n%again = OpULessThan %bool %n1 %u8c\nOpBranchConditional %again %h0 %e0\n%e0 = OpLabel\n",
     "%p = OpAccessChain %priv_word %array %k\n%r = OpLoad %u32 %p\n"), {0}, {0}, {U, 1, U, 3, U, 5, U, 7}, .globals = EIGHT_OF("%u32")},
    {"a push constant that may not be given", ROUND("", "%p = OpAccessChain %pword %pushed %u0 %k\n%r = OpLoad %u32 %p\n"), {0}, {0}, {50, 51, 52, 53, U, U, U, U},
     .annotations = "OpDecorate %s2 Block\nOpMemberDecorate %s2 0 Offset 0\nOpDecorate %eight ArrayStride 4\n",
     .globals = "%eight = OpTypeArray %u32 %u8c\n%s2 = OpTypeStruct %eight\n%push_ptr = OpTypePointer PushConstant %s2\n%pushed = OpVariable %push_ptr PushConstant\n%pword = OpTypePointer PushConstant %u32\n",
     .interface = " %pushed", .push = {50, 51, 52, 53}, .push_count = 4},
    {"one that is given in the end", ROUND("", "%back = OpISub %u32 %seven %k\n%p = OpAccessChain %pword %pushed %u0 %back\n%r = OpLoad %u32 %p\n"), {0}, {0}, {U, U, U, U, 53, 52, 51, 50},
     .annotations = "OpDecorate %s2 Block\nOpMemberDecorate %s2 0 Offset 0\nOpDecorate %eight ArrayStride 4\n",
     .globals = "%seven = OpConstant %u32 7\n%eight = OpTypeArray %u32 %u8c\n%s2 = OpTypeStruct %eight\n%push_ptr = OpTypePointer PushConstant %s2\n%pushed = OpVariable %push_ptr PushConstant\n%pword = OpTypePointer PushConstant %u32\n",
     .interface = " %pushed", .push = {50, 51, 52, 53}, .push_count = 4},
    {"a variable of the lane's own", ROUND("", "%z = OpBitwiseAnd %u32 %k %u1\n%q = OpUDiv %u32 %k %z\nOpStore %local %q\n") "%r = OpLoad %u32 %local\n", {0}, {0}, {U, 1, U, 3, U, 5, U, 7}},
    {"a parameter", ROUND("", "%z = OpBitwiseAnd %u32 %k %u1\n%q = OpUDiv %u32 %k %z\n%r = OpFunctionCall %u32 %f %q\n"), {0}, {0}, {U, 2, U, 4, U, 6, U, 8},
     .globals = "%ft = OpTypeFunction %u32 %u32\n", .functions = "%f = OpFunction %u32 None %ft\n%fp = OpFunctionParameter %u32\n%s = OpLabel\n%fr = OpIAdd %u32 %fp %u1\nOpReturnValue %fr\nOpFunctionEnd\n"},
    {"a variable of a function is fresh each time", ROUND("", "%r = OpFunctionCall %u32 %f %k\n"), {0}, {0}, {U, 1, 2, 3, 4, 5, 6, 7},
     .globals = "%ft = OpTypeFunction %u32 %u32\n", .functions = "%f = OpFunction %u32 None %ft\n%fp = OpFunctionParameter %u32\n%s = OpLabel\n%fv = OpVariable %u32_fn_ptr Function\n%fc = OpUGreaterThan %bool %fp %u0\n"
     "OpSelectionMerge %fj None\nOpBranchConditional %fc %ft1 %fj\n%ft1 = OpLabel\nOpStore %fv %fp\nOpBranch %fj\n%fj = OpLabel\n%fr = OpLoad %u32 %fv\nOpReturnValue %fr\nOpFunctionEnd\n"},
    {"and forgets what it held", ROUND("", "%r = OpFunctionCall %u32 %f %k\n"), {0}, {0}, {0, U, U, U, U, U, U, U},
     .globals = "%ft = OpTypeFunction %u32 %u32\n", .functions = "%f = OpFunction %u32 None %ft\n%fp = OpFunctionParameter %u32\n%s = OpLabel\n%fv = OpVariable %u32_fn_ptr Function\n%fc = OpIEqual %bool %fp %u0\n"
     "OpSelectionMerge %fj None\nOpBranchConditional %fc %ft1 %fj\n%ft1 = OpLabel\nOpStore %fv %fp\nOpBranch %fj\n%fj = OpLabel\n%fr = OpLoad %u32 %fv\nOpReturnValue %fr\nOpFunctionEnd\n"},
    {"the length of a buffer", ROUND("", "%n = OpArrayLength %u32 %in 0\n%r = OpIAdd %u32 %n %k\n"), {0}, {0}, {16, 17, 18, 19, 20, 21, 22, 23}},
};

// ---- what stands beside a store -----------------------------------------------------------------------

// Lane 0 alone stores to the middle; the words around it keep what they had, with all their bits known.
#define ALONE(code) "%one = OpIEqual %bool %lane %u0\nOpSelectionMerge %jj None\nOpBranchConditional %one %tt %jj\n%tt = OpLabel\n" code "OpBranch %jj\n%jj = OpLabel\n%r = OpIAdd %u32 %x %u0\n"
#define ALONE_AT(index, type, value) ALONE("%p = OpAccessChain %elem_ptr %more %u0 " index "\nOpStore %p " value "\n")
#define OF(type, stride) .annotations = AT "OpDecorate %s2 Block\nOpMemberDecorate %s2 0 Offset 0\nOpDecorate %elems ArrayStride " stride "\n", \
    .globals = "%elems = OpTypeRuntimeArray " type "\n%s2 = OpTypeStruct %elems\n" BUFFER("%s2") "%elem_ptr = OpTypePointer StorageBuffer " type "\n" \
               "%b1 = OpConstant %u8 0xee\n%h2 = OpConstant %u16 0xeeee\n%l8 = OpConstant %u64 0xeeeeeeeeeeeeeeee\n%none = OpUndef " type "\n%w4 = OpConstant %u32 0xeeeeeeee\n%both = OpConstantComposite %uvec2 %w4 %w4\n", \
    .interface = " %more", .more = {0x11111111, 0x22222222, 0x33333333, 0x44444444, 0x55555555}, .more_count = 5, .checks_more = true
static const struct row beside[] = {
    {"a byte", ALONE_AT("%u5", "%u8", "%b1"), OF("%u8", "1"), .after = {0x11111111, 0x2222ee22, 0x33333333, 0x44444444, 0x55555555}},
    {"two bytes", ALONE_AT("%u3", "%u16", "%h2"), OF("%u16", "2"), .after = {0x11111111, 0xeeee2222, 0x33333333, 0x44444444, 0x55555555}},
    {"four", ALONE_AT("%u1", "%u32", "%w4"), OF("%u32", "4"), .after = {0x11111111, 0xeeeeeeee, 0x33333333, 0x44444444, 0x55555555}},
    {"four by a lane's index", ALONE("%at = OpIAdd %u32 %lane %u1\n%p = OpAccessChain %elem_ptr %more %u0 %at\nOpStore %p %w4\n"), OF("%u32", "4"), .after = {0x11111111, 0xeeeeeeee, 0x33333333, 0x44444444, 0x55555555}},
    {"eight", ALONE_AT("%u1", "%u64", "%l8"), OF("%u64", "8"), .after = {0x11111111, 0x22222222, 0xeeeeeeee, 0xeeeeeeee, 0x55555555}},
    {"two times four", ALONE_AT("%u1", "%uvec2", "%both"), OF("%uvec2", "8"), .after = {0x11111111, 0x22222222, 0xeeeeeeee, 0xeeeeeeee, 0x55555555}},
    {"four without a value", ALONE_AT("%u1", "%u32", "%none"), OF("%u32", "4"), .after = {0x11111111, U, 0x33333333, 0x44444444, 0x55555555}},
    {"four without a value by a lane's index", ALONE("%at = OpIAdd %u32 %lane %u1\n%p = OpAccessChain %elem_ptr %more %u0 %at\nOpStore %p %none\n"), OF("%u32", "4"), .after = {0x11111111, U, 0x33333333, 0x44444444, 0x55555555}},
    {"eight without a value", ALONE_AT("%u1", "%u64", "%none"), OF("%u64", "8"), .after = {0x11111111, 0x22222222, U, U, 0x55555555}},
    {"a value, where there was none", ALONE("%p = OpAccessChain %elem_ptr %more %u0 %u1\nOpStore %p %none\nOpStore %p %w4\n"), OF("%u32", "4"), .after = {0x11111111, 0xeeeeeeee, 0x33333333, 0x44444444, 0x55555555}},
    {"each its own word, some without a value", "%own = OpAccessChain %elem_ptr %more %u0 %lane\n%q = OpUDiv %u32 %u8c %x\nOpStore %own %q\n%r = OpIAdd %u32 %x %u0\n", {1, 0, 2, 0, 4}, {0}, {1, 0, 2, 0, 4},
     .active = 0x1f, OF("%u32", "4"), .after = {8, U, 4, U, 2}},
    {"the same, by halves", "%own = OpAccessChain %elem_ptr %more %u0 %lane\n%q = OpUDiv %u32 %u8c %x\n%n = OpUConvert %u16 %q\nOpStore %own %n\n%r = OpIAdd %u32 %x %u0\n", {1, 2, 4, 8, 1, 0}, {0}, {1, 2, 4, 8},
     .active = 0x0f, OF("%u16", "2"), .after = {0x00040008, 0x00010002, 0x33333333, 0x44444444, 0x55555555}},
};

// ---- indices that are not there -------------------------------------------------------------------------

// A negative index counts as a large one, in whatever width: 8 bits of -1 are 255, of which an array may have enough.
#define SIGNED(convert) "%small = " convert " %x\n"
#define LONG(n) "%n = OpConstant %u32 " n "\n%long = OpTypeArray %u32 %n\n%priv = OpTypePointer Private %long\n%priv_word = OpTypePointer Private %u32\n%null_long = OpConstantNull %long\n%array = OpVariable %priv Private %null_long\n", .interface = " %array"
#define LONG_2(n) "%n = OpConstant %u32 " n "\n%long = OpTypeArray %u32 %n\n%two_long = OpTypeArray %long %u2\n%priv = OpTypePointer Private %two_long\n%priv_word = OpTypePointer Private %u32\n%null_long = OpConstantNull %two_long\n" \
    "%array = OpVariable %priv Private %null_long\n", .interface = " %array"
static const struct row indices[] = {
    {"8 bits, signed: 127", "%i = OpSConvert %i8 %x\n%p = OpAccessChain %priv_word %array %i\n%r = OpLoad %u32 %p\n", {127, 0, 1}, .globals = LONG("300")},
    {"8 bits, signed: -1", "%i = OpSConvert %i8 %x\n%p = OpAccessChain %priv_word %array %i\n%r = OpLoad %u32 %p\n", {127, 0, 0xff}, .globals = LONG("300"), .refused = "invocation 2"},
    {"8 bits, signed: -128", "%i = OpSConvert %i8 %x\n%p = OpAccessChain %priv_word %array %i\n%r = OpLoad %u32 %p\n", {127, 0x80, 0xff}, .globals = LONG("300"), .refused = "invocation 1"},
    {"8 bits, not signed: 255", "%i = OpUConvert %u8 %x\n%p = OpAccessChain %priv_word %array %i\n%r = OpLoad %u32 %p\n", {127, 0x80, 0xff}, .globals = LONG("300")},
    {"8 bits, not signed: behind the last", "%i = OpUConvert %u8 %x\n%p = OpAccessChain %priv_word %array %i\n%r = OpLoad %u32 %p\n", {199, 200}, .globals = LONG("200"), .refused = "invocation 1"},
    {"16 bits, signed: -1", "%i = OpSConvert %i16 %x\n%p = OpAccessChain %priv_word %array %i\n%r = OpLoad %u32 %p\n", {127, 0x7fff, 0x80, 0xffff}, .globals = LONG("65600"), .refused = "invocation 3"},
    {"16 bits, not signed: 65535", "%i = OpUConvert %u16 %x\n%p = OpAccessChain %priv_word %array %i\n%r = OpLoad %u32 %p\n", {127, 0x8000, 0xffff}, .globals = LONG("65600")},
    {"32 bits, signed: -2 of a buffer", "%i = OpBitcast %i32 %x\n%p = OpAccessChain %word_ptr %in %u0 %i\n%r = OpLoad %u32 %p\n", {1, 2, 0xfffffffe}, .refused = "E-bounds"},
    {"64 bits: far away", "%w = OpUConvert %u64 %x\n%i = OpShiftLeftLogical %u64 %w %sh\n%p = OpAccessChain %word_ptr %in %u0 %i\n%r = OpLoad %u32 %p\n", {0, 0, 0, 1}, .globals = "%sh = OpConstant %u32 32\n", .refused = "invocation 3"},
    {"64 bits: so far that it comes round", "%w = OpUConvert %u64 %x\n%i = OpShiftLeftLogical %u64 %w %sh\n%p = OpAccessChain %word_ptr %in %u0 %i\n%r = OpLoad %u32 %p\n", {0, 0, 1, 1}, .globals = "%sh = OpConstant %u32 62\n", .refused = "invocation 2"},
    {"64 bits, signed: there", "%i = OpSConvert %i64 %x\n%p = OpAccessChain %word_ptr %in %u0 %i\n%r = OpLoad %u32 %p\n", {2, 0, 1, 1}, .r = {1, 2, 0, 0, 2, 2, 2, 2}},
    // The same behind another index.
    {"8 bits, signed: 127 of the second", "%i = OpSConvert %i8 %x\n%p = OpAccessChain %priv_word %array %u1 %i\n%r = OpLoad %u32 %p\n", {127, 0, 1}, .globals = LONG_2("300")},
    {"8 bits, signed: -1 of the second", "%b = OpBitwiseAnd %u32 %x %u1\n%i = OpSConvert %i8 %x\n%p = OpAccessChain %priv_word %array %b %i\n%r = OpLoad %u32 %p\n", {127, 0, 0xff}, .globals = LONG_2("300"), .refused = "invocation 2"},
    {"8 bits, signed: -1 of the first", "%b = OpBitwiseAnd %u32 %x %u1\n%i = OpSConvert %i8 %x\n%p = OpAccessChain %priv_word %array %i %b\n%r = OpLoad %u32 %p\n", {1, 0, 0xff}, .globals = LONG_2("300"), .refused = "invocation 2"},
    {"8 bits, not signed: 255 of the second", "%b = OpBitwiseAnd %u32 %x %u1\n%i = OpUConvert %u8 %x\n%p = OpAccessChain %priv_word %array %b %i\n%r = OpLoad %u32 %p\n", {127, 0x80, 0xff}, .globals = LONG_2("300")},
    {"two of two", "%b = OpBitwiseAnd %u32 %x %u3\n%p = OpAccessChain %priv_word %array %b %u1\n%r = OpLoad %u32 %p\n", {1, 0, 0, 2}, .globals = LONG_2("300"), .refused = "invocation 3"},
    {"64 bits: far away in the second", "%b = OpBitwiseAnd %u32 %x %u0\n%w = OpUConvert %u64 %x\n%i = OpShiftLeftLogical %u64 %w %sh\n%p = OpAccessChain %word_ptr %in %b %i\n%r = OpLoad %u32 %p\n", {0, 0, 1, 1},
     .globals = "%sh = OpConstant %u32 62\n", .is_invalid = true, .refused = "OpAccessChain"},
    // 2^24 words are the 64 MiB at which an array of buffers would have its next one.
    {"64 MiB behind a buffer's first word", "%i = OpIMul %u32 %x %far\n%p = OpAccessChain %word_ptr %in %u0 %i\n%r = OpLoad %u32 %p\n", {0, 0, 0, 0, 1}, .globals = "%far = OpConstant %u32 16777216\n", .refused = "invocation 4"},
    {"a pair there", "%i = OpIMul %u32 %x %far\n%p = OpAccessChain %pair_ptr %more %u0 %i\n%v = OpLoad %uvec2 %p\n%r = OpCompositeExtract %u32 %v 0\n", {0, 0, 0, 0, 1}, .annotations = AT "OpDecorate %s2 Block\nOpMemberDecorate %s2 0 Offset 0\nOpDecorate %wide ArrayStride 8\n",
     .globals = "%far = OpConstant %u32 8388608\n%wide = OpTypeRuntimeArray %uvec2\n%s2 = OpTypeStruct %wide\n" BUFFER("%s2") "%pair_ptr = OpTypePointer StorageBuffer %uvec2\n", .interface = " %more", .more_count = 4, .refused = "invocation 4"},
    {"behind a vector in Workgroup memory", "%i = OpBitwiseAnd %u32 %x %u3\n%p = OpAccessChain %shared_word_ptr %pair %i\nOpStore %p %x\n%r = OpIAdd %u32 %x %u0\n", {2}, .active = 1,
     .globals = "%pair_ptr = OpTypePointer Workgroup %uvec2\n%pair = OpVariable %pair_ptr Workgroup\n", .interface = " %pair", .refused = "E-bounds"},
    {"the last of it", "%i = OpBitwiseAnd %u32 %x %u3\n%p = OpAccessChain %shared_word_ptr %pair %i\nOpStore %p %x\n%r = OpLoad %u32 %p\n", {1}, {0}, {1}, .active = 1,
     .globals = "%pair_ptr = OpTypePointer Workgroup %uvec2\n%pair = OpVariable %pair_ptr Workgroup\n", .interface = " %pair"},
    {"behind a vector of the lane's own", "%p = OpAccessChain %priv_word %pair %x\nOpStore %p %x\n%r = OpLoad %u32 %p\n", {1, 0, 1, 1, 1, 0, 2},
     .globals = "%pair_ptr = OpTypePointer Private %uvec2\n%priv_word = OpTypePointer Private %u32\n%pair = OpVariable %pair_ptr Private\n", .interface = " %pair", .refused = "invocation 6"},
    {"the last byte", "%i = OpIAdd %u32 %lane %u4\n%p = OpAccessChain %byte_ptr %more %u0 %i\n%b = OpLoad %u8 %p\n%r = OpUConvert %u32 %b\n", .r = {0x22, 0x22, 0x22, 0x12}, .active = 0x0f, .annotations = AT "OpDecorate %s2 Block\nOpMemberDecorate %s2 0 Offset 0\nOpDecorate %bytes ArrayStride 1\n",
     .globals = "%bytes = OpTypeRuntimeArray %u8\n%s2 = OpTypeStruct %bytes\n" BUFFER("%s2") "%byte_ptr = OpTypePointer StorageBuffer %u8\n", .interface = " %more", .more = {0x11111111, 0x12222222}, .more_count = 2},
    {"behind the last byte", "%i = OpIAdd %u32 %lane %u4\n%p = OpAccessChain %byte_ptr %more %u0 %i\n%b = OpLoad %u8 %p\n%r = OpUConvert %u32 %b\n", .active = 0x1f, .annotations = AT "OpDecorate %s2 Block\nOpMemberDecorate %s2 0 Offset 0\nOpDecorate %bytes ArrayStride 1\n",
     .globals = "%bytes = OpTypeRuntimeArray %u8\n%s2 = OpTypeStruct %bytes\n" BUFFER("%s2") "%byte_ptr = OpTypePointer StorageBuffer %u8\n", .interface = " %more", .more_count = 2, .refused = "invocation 4"},
    {"half over the end", "%p = OpAccessChain %long_ptr %more %u0 %u1\n%l = OpLoad %u64 %p\n%w = OpUConvert %u32 %l\n%r = OpIAdd %u32 %w %u0\n", .annotations = AT "OpDecorate %s2 Block\nOpMemberDecorate %s2 0 Offset 0\nOpDecorate %longs ArrayStride 8\n",
     .globals = "%longs = OpTypeRuntimeArray %u64\n%s2 = OpTypeStruct %longs\n" BUFFER("%s2") "%long_ptr = OpTypePointer StorageBuffer %u64\n", .interface = " %more", .more_count = 3, .refused = "E-bounds"},
    {"a half at an odd byte", "%p = OpAccessChain %half_ptr %more %u0\n%l = OpLoad %u16 %p\n%r = OpUConvert %u32 %l\n", .annotations = AT "OpDecorate %s2 Block\nOpMemberDecorate %s2 0 Offset 3\n",
     .globals = "%s2 = OpTypeStruct %u16\n" BUFFER("%s2") "%half_ptr = OpTypePointer StorageBuffer %u16\n", .interface = " %more", .more_count = 3, .refused = "E-align"},
    {"eight bytes at byte 4", "%p = OpAccessChain %long_ptr %more %u0\n%l = OpLoad %u64 %p\n%r = OpUConvert %u32 %l\n", .annotations = AT "OpDecorate %s2 Block\nOpMemberDecorate %s2 0 Offset 4\n",
     .globals = "%s2 = OpTypeStruct %u64\n" BUFFER("%s2") "%long_ptr = OpTypePointer StorageBuffer %u64\n", .interface = " %more", .more_count = 3, .refused = "E-align"},
    {"an offset that passes the end", "%r = OpArrayLength %u32 %more 1\n", .annotations = AT "OpDecorate %s2 Block\nOpMemberDecorate %s2 0 Offset 0\nOpMemberDecorate %s2 1 Offset 16\nOpDecorate %words2 ArrayStride 4\n",
     .globals = "%words2 = OpTypeRuntimeArray %u32\n%s2 = OpTypeStruct %u32 %words2\n" BUFFER("%s2"), .interface = " %more", .more_count = 2},
    {"one that ends there", "%r = OpArrayLength %u32 %more 1\n", .annotations = AT "OpDecorate %s2 Block\nOpMemberDecorate %s2 0 Offset 0\nOpMemberDecorate %s2 1 Offset 8\nOpDecorate %words2 ArrayStride 4\n",
     .globals = "%words2 = OpTypeRuntimeArray %u32\n%s2 = OpTypeStruct %u32 %words2\n" BUFFER("%s2"), .interface = " %more", .more_count = 2},
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
    assert_int_equal(r.why.status, RAN_UNSUPPORTED);
    assert_string_equal(r.why.text, "unsupported: word 7: opcode 12345 is not in the opcode table");
    arena_free(&arena);
}

static void test_composites(void **state) { (void)state, CHECK_ROWS(composites); }
static void test_variables(void **state) { (void)state, CHECK_ROWS(variables); }
static void test_layouts(void **state) { (void)state, CHECK_ROWS(layouts); }
static void test_constants(void **state) { (void)state, CHECK_ROWS(constants); }
static void test_unaligned(void **state) { (void)state, CHECK_ROWS(unaligned); }
static void test_rounds(void **state) { (void)state, CHECK_ROWS(rounds); }
static void test_beside(void **state) { (void)state, CHECK_ROWS(beside); }
static void test_indices(void **state) { (void)state, CHECK_ROWS(indices); }
static void test_bounds(void **state) { (void)state, CHECK_ROWS(bounds); }

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_composites), cmocka_unit_test(test_variables), cmocka_unit_test(test_layouts),
        cmocka_unit_test(test_constants),  cmocka_unit_test(test_bounds), cmocka_unit_test(test_unaligned), cmocka_unit_test(test_unknown),
        cmocka_unit_test(test_rounds),     cmocka_unit_test(test_beside),    cmocka_unit_test(test_indices),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
