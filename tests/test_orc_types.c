// SPDX-License-Identifier: Apache-2.0
//
// Types, decorations, constants and variables as the loader has them: what a value of each is made of and where it lies,
// which constants have a value, and which types and variables nothing may use. Worked out by hand.
#include "test_orc_text.h"

#define SAME(v) {v, v, v, v, v, v, v, v}
#define ONE_TO_EIGHT {1, 2, 3, 4, 5, 6, 7, 8}
#define AT "OpDecorate %more DescriptorSet 0\nOpDecorate %more Binding 2\n"
#define BLOCK "OpDecorate %s2 Block\n"
#define BUFFER(type) "%more_ptr = OpTypePointer StorageBuffer " type "\n%more = OpVariable %more_ptr StorageBuffer\n"
#define ONE(body) "%one = OpIEqual %bool %lane %u0\nOpSelectionMerge %j None\nOpBranchConditional %one %t %j\n%t = OpLabel\n" body "OpBranch %j\n%j = OpLabel\n%r = OpIAdd %u32 %x %u0\n"
#define NOTHING "%r = OpIAdd %u32 %x %u0\n", .a = ONE_TO_EIGHT, .r = ONE_TO_EIGHT

// ---- whole values in buffers -------------------------------------------------------------------------------

// One lane loads member 0 of %s2 and stores it to member 1, which lies otherwise.
#define COPY ONE("%p = OpAccessChain %whole_ptr %more %u0\n%q = OpAccessChain %other_ptr %more %u1\n%v = OpLoad %whole %p\n%w = OpCopyLogical %other %v\nOpStore %q %w\n")
#define POINTERS "%s2 = OpTypeStruct %whole %other\n" BUFFER("%s2") "%whole_ptr = OpTypePointer StorageBuffer %whole\n%other_ptr = OpTypePointer StorageBuffer %other\n"
static const struct row layouts[] = {
    {"an array, by its ArrayStride", COPY, .annotations = AT BLOCK "OpMemberDecorate %s2 0 Offset 4\nOpMemberDecorate %s2 1 Offset 24\nOpDecorate %whole ArrayStride 8\nOpDecorate %other ArrayStride 4\n",
     .globals = "%whole = OpTypeArray %u32 %u3\n%other = OpTypeArray %u32 %u3\n" POINTERS, .interface = " %more", .more = {9, 1, 9, 2, 9, 3}, .more_count = 10, .checks_more = true,
     .after = {9, 1, 9, 2, 9, 3, 1, 2, 3, 0}},
    {"a struct, by its members' Offsets", COPY, .annotations = AT BLOCK "OpMemberDecorate %s2 0 Offset 4\nOpMemberDecorate %s2 1 Offset 20\nOpMemberDecorate %whole 0 Offset 8\nOpMemberDecorate %whole 1 Offset 0\n"
     "OpMemberDecorate %other 0 Offset 0\nOpMemberDecorate %other 1 Offset 12\n", .globals = "%whole = OpTypeStruct %u32 %u32\n%other = OpTypeStruct %u32 %u32\n" POINTERS, .interface = " %more",
     .more = {9, 1, 9, 2}, .more_count = 9, .checks_more = true, .after = {9, 1, 9, 2, 0, 2, 0, 0, 1}},
    {"structs in an array in a struct", COPY, .annotations = AT BLOCK "OpMemberDecorate %s2 0 Offset 0\nOpMemberDecorate %s2 1 Offset 32\nOpMemberDecorate %pair 0 Offset 0\nOpMemberDecorate %pair 1 Offset 4\n"
     "OpMemberDecorate %pair2 0 Offset 4\nOpMemberDecorate %pair2 1 Offset 0\nOpDecorate %pairs ArrayStride 12\nOpDecorate %pairs2 ArrayStride 8\n"
     "OpMemberDecorate %whole 0 Offset 0\nOpMemberDecorate %whole 1 Offset 8\nOpMemberDecorate %other 0 Offset 16\nOpMemberDecorate %other 1 Offset 0\n",
     .globals = "%pair = OpTypeStruct %u32 %u32\n%pair2 = OpTypeStruct %u32 %u32\n%pairs = OpTypeArray %pair %u2\n%pairs2 = OpTypeArray %pair2 %u2\n%whole = OpTypeStruct %u32 %pairs\n%other = OpTypeStruct %u32 %pairs2\n"
     POINTERS, .interface = " %more", .more = {1, 0, 2, 3, 0, 4, 5}, .more_count = 14, .checks_more = true, .after = {1, 0, 2, 3, 0, 4, 5, 0, 3, 2, 5, 4, 1, 0}},
    {"an array of matrices: columns, then rows", COPY, .annotations = AT BLOCK "OpMemberDecorate %s2 0 Offset 0\nOpMemberDecorate %s2 1 Offset 32\nOpMemberDecorate %s2 0 ColMajor\nOpMemberDecorate %s2 0 MatrixStride 8\n"
     "OpMemberDecorate %s2 1 RowMajor\nOpMemberDecorate %s2 1 MatrixStride 12\nOpDecorate %whole ArrayStride 16\nOpDecorate %other ArrayStride 4\n",
     .globals = "%whole = OpTypeArray %mat2 %u1\n%other = OpTypeArray %mat2 %u1\n" POINTERS, .interface = " %more", .more = {0x3f800000, 0x40000000, 0x40400000, 0x40800000}, .more_count = 13,
     .checks_more = true, .after = {0x3f800000, 0x40000000, 0x40400000, 0x40800000, 0, 0, 0, 0, 0x3f800000, 0x40400000, 0, 0x40000000, 0x40800000}},
    {"numbers of 8, 16 and 64 bits", COPY, .annotations = AT BLOCK "OpMemberDecorate %s2 0 Offset 0\nOpMemberDecorate %s2 1 Offset 16\nOpMemberDecorate %whole 0 Offset 3\nOpMemberDecorate %whole 1 Offset 4\n"
     "OpMemberDecorate %whole 2 Offset 8\nOpMemberDecorate %other 0 Offset 0\nOpMemberDecorate %other 1 Offset 2\nOpMemberDecorate %other 2 Offset 8\n",
     .globals = "%whole = OpTypeStruct %u8 %u16 %u64\n%other = OpTypeStruct %u8 %u16 %u64\n" POINTERS, .interface = " %more", .more = {0x77000000, 0x1234, 5, 6}, .more_count = 8,
     .checks_more = true, .after = {0x77000000, 0x1234, 5, 6, 0x12340077, 0, 5, 6}},
    {"vectors of 16 and 64 bits", COPY, .annotations = AT BLOCK "OpMemberDecorate %s2 0 Offset 0\nOpMemberDecorate %s2 1 Offset 32\nOpMemberDecorate %whole 0 Offset 0\nOpMemberDecorate %whole 1 Offset 16\n"
     "OpMemberDecorate %other 0 Offset 16\nOpMemberDecorate %other 1 Offset 0\n", .globals = "%ulong2 = OpTypeVector %u64 2\n%whole = OpTypeStruct %u16vec2 %ulong2\n%other = OpTypeStruct %u16vec2 %ulong2\n" POINTERS,
     .interface = " %more", .more = {0x22221111, 0, 0, 0, 1, 2, 3, 4}, .more_count = 13, .checks_more = true, .after = {0x22221111, 0, 0, 0, 1, 2, 3, 4, 1, 2, 3, 4, 0x22221111}},
    {"a part of an array of arrays", "%h = OpBitwiseAnd %u32 %lane %u1\n%k = OpShiftRightLogical %u32 %lane %u1\n%p = OpAccessChain %word_ptr %more %u0 %h %k\n%r = OpLoad %u32 %p\n", .r = {1, 11, 2, 12, 3, 13, 4, 14},
     .annotations = AT BLOCK "OpMemberDecorate %s2 0 Offset 0\nOpDecorate %row4 ArrayStride 4\nOpDecorate %rows ArrayStride 20\n", .globals = "%row4 = OpTypeArray %u32 %u4\n%rows = OpTypeArray %row4 %u2\n%s2 = OpTypeStruct %rows\n" BUFFER("%s2"),
     .interface = " %more", .more = {1, 2, 3, 4, 9, 11, 12, 13, 14}, .more_count = 9},
    {"other decorations are no layout", "%p = OpAccessChain %word_ptr %more %u0 %u1\n%r = OpLoad %u32 %p\n", .r = SAME(2), .is_invalid = true,
     .annotations = AT BLOCK "OpMemberDecorate %s2 0 Offset 0\nOpDecorate %whole ArrayStride 4\nOpDecorate %whole MaxByteOffset 8\nOpMemberDecorate %s2 0 Location 3\n", .globals = "%whole = OpTypeArray %u32 %u3\n%s2 = OpTypeStruct %whole\n" BUFFER("%s2"),
     .interface = " %more", .more = {1, 2, 3}, .more_count = 3},
    {"nor of a matrix", "%p = OpAccessChain %float_ptr %more %u0 %u1 %u0\n%f = OpLoad %f32 %p\n%r = OpBitcast %u32 %f\n", .r = SAME(0x40400000), .is_invalid = true,
     .annotations = AT BLOCK "OpMemberDecorate %s2 0 Offset 0\nOpMemberDecorate %s2 0 MatrixStride 8\nOpMemberDecorate %s2 0 ColMajor\nOpMemberDecorate %s2 0 Location 3\nOpMemberDecorate %s2 0 NonWritable\n",
     .globals = "%s2 = OpTypeStruct %mat2\n" BUFFER("%s2") "%float_ptr = OpTypePointer StorageBuffer %f32\n", .interface = " %more", .more = {0x3f800000, 0x40000000, 0x40400000, 0x40800000}, .more_count = 4},
    {"a decoration of a member that is not there", "%p = OpAccessChain %word_ptr %more %u0\n%r = OpLoad %u32 %p\n", .r = SAME(2), .is_invalid = true,
     .annotations = AT BLOCK "OpMemberDecorate %s2 0 Offset 4\nOpMemberDecorate %s2 7 Offset 0\nOpMemberDecorate %u32 0 Offset 0\n", .globals = "%s2 = OpTypeStruct %u32\n" BUFFER("%s2"), .interface = " %more", .more = {1, 2}, .more_count = 2},
};

#define WHOLE(type, layout) {"the whole of " type, "%p = OpAccessChain %whole_ptr %more %u0\n%v = OpLoad %whole %p\n%r = OpIAdd %u32 %x %u0\n", .is_invalid = true, .annotations = AT BLOCK "OpMemberDecorate %s2 0 Offset 0\n" layout, \
    .globals = "%flags = OpTypeArray %bool %u2\n%far_word = OpTypePointer Function %u32\n%bare = OpTypeStruct %u32\n%open = OpTypeStruct %words\n%whole = " type "\n%s2 = OpTypeStruct %whole\n" BUFFER("%s2") "%whole_ptr = OpTypePointer StorageBuffer %whole\n", \
    .interface = " %more", .more_count = 8, .refused = "unsupported: a type without layout in a buffer"}
static const struct row no_layouts[] = {
    WHOLE("OpTypeVector %bool 2", ""), WHOLE("OpTypeArray %bool %u2", "OpDecorate %whole ArrayStride 4\n"), WHOLE("OpTypeArray %u32 %u2", ""), WHOLE("OpTypeMatrix %vec2 2", ""),
    WHOLE("OpTypeStruct %u32 %u32", "OpMemberDecorate %whole 0 Offset 0\n"), WHOLE("OpTypeStruct %bool %u32", "OpMemberDecorate %whole 0 Offset 0\nOpMemberDecorate %whole 1 Offset 4\n"),
    WHOLE("OpTypeStruct %u32 %words", "OpMemberDecorate %whole 0 Offset 0\nOpMemberDecorate %whole 1 Offset 4\n"), WHOLE("OpTypeStruct %far_word", "OpMemberDecorate %whole 0 Offset 0\n"),
    WHOLE("OpTypeArray %bare %u2", "OpDecorate %whole ArrayStride 4\n"), WHOLE("OpTypeStruct %bare %u32", "OpMemberDecorate %whole 0 Offset 0\nOpMemberDecorate %whole 1 Offset 4\n"),
    {"Offset without a number", "%p = OpAccessChain %word_ptr %more %u0\n%r = OpLoad %u32 %p\n", .is_invalid = true, .annotations = AT BLOCK "OpMemberDecorate %s2 0 !35\n", .globals = "%s2 = OpTypeStruct %u32\n" BUFFER("%s2"),
     .interface = " %more", .more_count = 2, .refused = "the member has no Offset"},
    {"ArrayStride without a number", "%p = OpAccessChain %word_ptr %more %u0 %u0\n%r = OpLoad %u32 %p\n", .is_invalid = true, .annotations = AT BLOCK "OpMemberDecorate %s2 0 Offset 0\nOpDecorate %whole !6\n",
     .globals = "%whole = OpTypeArray %u32 %u2\n%s2 = OpTypeStruct %whole\n" BUFFER("%s2"), .interface = " %more", .more_count = 2, .refused = "unsupported: index 2 walks into a type without elements or layout"},
    {"MatrixStride without a number", "%p = OpAccessChain %float_ptr %more %u0 %u0 %u0\n%v = OpLoad %f32 %p\n%r = OpIAdd %u32 %x %u0\n", .is_invalid = true, .annotations = AT BLOCK "OpMemberDecorate %s2 0 Offset 0\nOpMemberDecorate %s2 0 !7\n",
     .globals = "%s2 = OpTypeStruct %mat2\n%float_ptr = OpTypePointer StorageBuffer %f32\n" BUFFER("%s2"), .interface = " %more", .more_count = 4, .refused = "unsupported: index 2 walks into a type without elements or layout"},
};

static void test_layouts(void **state) { (void)state, CHECK_ROWS(layouts), CHECK_ROWS(no_layouts); }

// ---- cells of what has no layout -----------------------------------------------------------------------------

#define PRIVATE(type) "%own = " type "\n%own_ptr = OpTypePointer Private %own\n%more = OpVariable %own_ptr Private\n%own_word = OpTypePointer Private %u32\n%own_flag = OpTypePointer Private %bool\n%own_float = OpTypePointer Private %f32\n"
static const struct row cells[] = {
    {"members of several scalars", "%v = OpCompositeConstruct %uvec2 %x %y\n%p = OpAccessChain %own_pair %more %u1\nOpStore %p %v\n%p0 = OpAccessChain %own_word %more %u0\nOpStore %p0 %u5\n%p2 = OpAccessChain %own_word %more %u2 %u1\nOpStore %p2 %u3\n"
     "%q = OpAccessChain %own_word %more %u1 %u1\n%r = OpLoad %u32 %q\n", .b = ONE_TO_EIGHT, .r = ONE_TO_EIGHT, .globals = PRIVATE("OpTypeStruct %u32 %uvec2 %uvec2") "%own_pair = OpTypePointer Private %uvec2\n", .interface = " %more"},
    {"columns of a matrix", "%v = OpCompositeConstruct %vec2 %fx %fy\n%w = OpCompositeConstruct %vec2 %f1 %f2\n%m = OpCompositeConstruct %mat2 %v %w\nOpStore %more %m\n%i = OpBitwiseAnd %u32 %lane %u1\n"
     "%p = OpAccessChain %own_float %more %u1 %i\n%f = OpLoad %f32 %p\n%r = OpBitcast %u32 %f\n", .r = {0x3f800000, 0x40000000, 0x3f800000, 0x40000000, 0x3f800000, 0x40000000, 0x3f800000, 0x40000000},
     .globals = "%own_ptr = OpTypePointer Private %mat2\n%more = OpVariable %own_ptr Private\n%own_float = OpTypePointer Private %f32\n", .interface = " %more"},
    {"an array of structs of booleans and numbers", "%i = OpBitwiseAnd %u32 %lane %u1\n%c = OpIEqual %bool %i %u1\n%p = OpAccessChain %own_flag %more %i %u1\nOpStore %p %c\n%pw = OpAccessChain %own_word %more %i %u0\nOpStore %pw %x\n"
     "%q = OpAccessChain %own_flag %more %u1 %u1\n%d = OpLoad %bool %q\n%r = OpSelect %u32 %d %u1 %u2\n", .r = {U, 1, U, 1, U, 1, U, 1}, .globals = "%each = OpTypeStruct %u32 %bool\n" PRIVATE("OpTypeArray %each %u2"), .interface = " %more"},
    {"two variables of a workgroup", "%p = OpAccessChain %shared_word_ptr %shared %lane\nOpStore %p %x\n%q = OpAccessChain %shared_word_ptr %more %lane\nOpStore %q %y\n%a = OpLoad %u32 %p\n%b = OpLoad %u32 %q\n"
     "%c = OpShiftLeftLogical %u32 %b %u8c\n%r = OpBitwiseOr %u32 %a %c\n", ONE_TO_EIGHT, {8, 7, 6, 5, 4, 3, 2, 1}, {0x801, 0x702, 0x603, 0x504, 0x405, 0x306, 0x207, 0x108},
     .globals = "%more = OpVariable %shared_ptr Workgroup\n", .interface = " %more"},
    {"an address in front of a number", "%p1 = OpAccessChain %own_word %more %u1\nOpStore %p1 %x\n%p2 = OpAccessChain %own_word %more %u2\nOpStore %p2 %y\n%a = OpConvertUToPtr %address %base\n%p0 = OpAccessChain %own_address %more %u0\nOpStore %p0 %a\n%v = OpLoad %u32 %p1\n"
     "%w = OpLoad %u32 %p2\n%c = OpShiftLeftLogical %u32 %w %u8c\n%r = OpBitwiseOr %u32 %v %c\n", ONE_TO_EIGHT, ONE_TO_EIGHT, {0x101, 0x202, 0x303, 0x404, 0x505, 0x606, 0x707, 0x808},
     .capabilities = "OpCapability PhysicalStorageBufferAddresses\n", .model = "OpMemoryModel PhysicalStorageBuffer64 GLSL450\n", .is_invalid = true,
     .globals = "OpTypeForwardPointer %address PhysicalStorageBuffer\n" PRIVATE("OpTypeStruct %address %u32 %u32") "%address = OpTypePointer PhysicalStorageBuffer %u32\n%own_address = OpTypePointer Private %address\n%base = OpConstant %u64 1099511627776\n",
     .interface = " %more"},
    {"the same, made at once", "%a = OpConvertUToPtr %address %base\n%s = OpCompositeConstruct %own %a %x %y\n%r = OpCompositeExtract %u32 %s 2\n", .b = ONE_TO_EIGHT, .r = ONE_TO_EIGHT,
     .capabilities = "OpCapability PhysicalStorageBufferAddresses\n", .model = "OpMemoryModel PhysicalStorageBuffer64 GLSL450\n", .is_invalid = true,
     .globals = "OpTypeForwardPointer %address PhysicalStorageBuffer\n%own = OpTypeStruct %address %u32 %u32\n%address = OpTypePointer PhysicalStorageBuffer %u32\n%base = OpConstant %u64 1099511627776\n"},
    {"sixteen components", "%v = OpUndef %own\n%w = OpCompositeInsert %own %x %v 15\n%r = OpCompositeExtract %u32 %w 15\n", ONE_TO_EIGHT, .r = ONE_TO_EIGHT, .globals = "%own = OpTypeVector %u32 16\n", .capabilities = "OpCapability Vector16\n", .is_invalid = true},
    {"a vector of as many components as a constant's id", "%v = OpCompositeConstruct %late %x %y %x %y\n%r = OpCompositeExtract %u32 %v 1\n", .b = ONE_TO_EIGHT, .r = ONE_TO_EIGHT, .is_invalid = true,
     .imports = "OpName %u2 \"id 2\"\nOpName %u3 \"id 3\"\nOpName %u72 \"id 4\"\n", .globals = "%late = OpTypeVector %u32 4\n"},
    {"two variables on one binding that nobody writes", "%p = OpAccessChain %word_ptr %more %u0 %u1\n%q = OpAccessChain %word_ptr %again %u0 %u1\n%a = OpLoad %u32 %p\n%b = OpLoad %u32 %q\n%r = OpIAdd %u32 %a %b\n", .r = SAME(4),
     .annotations = AT "OpDecorate %again DescriptorSet 0\nOpDecorate %again Binding 2\n", .globals = "%more = OpVariable %block_ptr StorageBuffer\n%again = OpVariable %block_ptr StorageBuffer\n", .interface = " %more %again", .more = {1, 2}, .more_count = 2},
    {"one of them written", "%p = OpAccessChain %word_ptr %more %u0 %u1\n%q = OpAccessChain %word_ptr %again %u0 %u1\n%a = OpLoad %u32 %p\nOpStore %q %x\n%r = OpIAdd %u32 %a %x\n",
     .annotations = AT "OpDecorate %again DescriptorSet 0\nOpDecorate %again Binding 2\n", .globals = "%more = OpVariable %block_ptr StorageBuffer\n%again = OpVariable %block_ptr StorageBuffer\n", .interface = " %more %again", .more = {1, 2}, .more_count = 2,
     .refused = "two variables on binding 0:2, one of them written"},
    // OpenGL has them outside of blocks; their words are the last of the push constants, one variable after the other.
    {"uniforms outside of blocks", "%i = OpBitwiseAnd %u32 %lane %u1\n%p = OpAccessChain %uni_word %uni_b %i\n%a = OpLoad %u32 %p\n%v = OpLoad %vec2 %uni_a\n%f = OpCompositeExtract %f32 %v 1\n%b = OpBitcast %u32 %f\n%m = OpLoad %mat2 %uni_c\n"
     "%g = OpCompositeExtract %f32 %m 1 0\n%h = OpBitcast %u32 %g\n%s = OpIAdd %u32 %a %b\n%s1 = OpShiftLeftLogical %u32 %s %u4\n%r = OpIAdd %u32 %s1 %h\n", .is_invalid = true, .assumed = true, .push = {0x40000000, 0, 0x40400000, 0}, .push_count = 4,
     .r = {U, U, U, U, U, U, U, U},
     .globals = "%uni_vec = OpTypePointer UniformConstant %vec2\n%uni_two = OpTypeArray %u32 %u2\n%uni_arr = OpTypePointer UniformConstant %uni_two\n%uni_word = OpTypePointer UniformConstant %u32\n%uni_mat = OpTypePointer UniformConstant %mat2\n"
     "%uni_a = OpVariable %uni_vec UniformConstant\n%uni_b = OpVariable %uni_arr UniformConstant\n%uni_c = OpVariable %uni_mat UniformConstant\n", .interface = " %uni_a %uni_b %uni_c"},
    {"two that the push constants hold", "%i = OpBitwiseAnd %u32 %lane %u1\n%p = OpAccessChain %uni_word %uni_b %i\n%a = OpLoad %u32 %p\n%f = OpLoad %f32 %uni_a\n%b = OpBitcast %u32 %f\n%r = OpIAdd %u32 %a %b\n", .is_invalid = true, .assumed = true,
     .push = {9, 0x40000000, 5, 7}, .push_count = 4, .r = {0x40000005, 0x40000007, 0x40000005, 0x40000007, 0x40000005, 0x40000007, 0x40000005, 0x40000007},
     .globals = "%uni_float = OpTypePointer UniformConstant %f32\n%uni_two = OpTypeArray %u32 %u2\n%uni_arr = OpTypePointer UniformConstant %uni_two\n%uni_word = OpTypePointer UniformConstant %u32\n"
     "%uni_a = OpVariable %uni_float UniformConstant\n%uni_b = OpVariable %uni_arr UniformConstant\n", .interface = " %uni_a %uni_b"},
    {"a vector and a number", "%v = OpLoad %uvec2 %uni_a\n%a = OpCompositeExtract %u32 %v 1\n%b = OpLoad %u32 %uni_b\n%c = OpShiftLeftLogical %u32 %b %u4\n%r = OpIAdd %u32 %a %c\n", .is_invalid = true, .assumed = true, .push = {9, 3, 5, 7}, .push_count = 4,
     .r = SAME(0x75), .globals = "%uni_vec = OpTypePointer UniformConstant %uvec2\n%uni_word = OpTypePointer UniformConstant %u32\n%uni_a = OpVariable %uni_vec UniformConstant\n%uni_b = OpVariable %uni_word UniformConstant\n", .interface = " %uni_a %uni_b"},
    {"a matrix", "%m = OpLoad %mat2 %uni_a\n%f = OpCompositeExtract %f32 %m 1 0\n%r = OpBitcast %u32 %f\n", .is_invalid = true, .assumed = true, .push = {0x3f800000, 0x40000000, 0x40400000, 0}, .push_count = 4, .r = SAME(0x40400000),
     .globals = "%uni_mat = OpTypePointer UniformConstant %mat2\n%uni_a = OpVariable %uni_mat UniformConstant\n", .interface = " %uni_a"},
};
#define UNI(type) {type " outside of a block", "%v = OpLoad %uni %more\n%r = OpIAdd %u32 %x %u0\n", .is_invalid = true, .assumed = true, .push_count = 4, .interface = " %more", .refused = "unsupported: ", \
    .globals = "%uni = " type "\n%uni_ptr = OpTypePointer UniformConstant %uni\n%more = OpVariable %uni_ptr UniformConstant\n"}
static const struct row no_uniforms[] = {
    UNI("OpTypeVector %u16 2"), UNI("OpTypeArray %u64 %u2"), UNI("OpTypeVector %bool 2"), UNI("OpTypeStruct %u32"), UNI("OpTypeArray %bool %u2"),
    {"a number outside of a block, of a model that is not assumed", "%v = OpLoad %u32 %more\n%r = OpIAdd %u32 %x %u0\n", .is_invalid = true, .push_count = 4, .interface = " %more", .refused = "unsupported: ",
     .globals = "%uni_ptr = OpTypePointer UniformConstant %u32\n%more = OpVariable %uni_ptr UniformConstant\n"},
};

static void test_cells(void **state) { (void)state, CHECK_ROWS(cells), CHECK_ROWS(no_uniforms); }

// ---- what nobody may use ---------------------------------------------------------------------------------------

#define STRANGE "%cm = OpTypeFloat 16 BFloat16KHR\n"
#define USED(type) {"a variable of " type, "%v = OpLoad %strange %more\n" NOTHING, .is_invalid = true, .interface = " %more", .refused = "unsupported: ", .globals = STRANGE "%strange = " type "\n%strange_ptr = OpTypePointer Private %strange\n%more = OpVariable %strange_ptr Private\n"}
#define UNUSED(text) {text ", in no use", NOTHING, .is_invalid = true, .globals = STRANGE text}
static const struct row strange[] = {
    USED("OpTypeFloat 16 BFloat16KHR"), USED("OpTypeInt 24 0"), USED("OpTypeFloat 128"), USED("OpTypeFloat 8"), USED("OpTypeVector %cm 2"), USED("OpTypeVector %u32 17"), USED("OpTypeArray %cm %u2"), USED("OpTypeArray %u32 %x"), USED("OpTypeStruct %u32 %cm"),
    USED("OpTypeStruct %cm %u32"), USED("OpTypeRuntimeArray %cm"), USED("OpTypeSampledImage %u32"), USED("OpTypeAccelerationStructureKHR"), USED("OpTypeFunction %u32"), USED("OpTypeEvent"),
    UNUSED("%s = OpTypeInt 24 0\n"), UNUSED("%s = OpTypeFloat 128\n"), UNUSED("%s = OpTypeVector %cm 2\n"), UNUSED("%s = OpTypeVector %u32 17\n"), UNUSED("%s = OpTypeArray %cm %u2\n"), UNUSED("%s = OpTypeStruct %cm %u32\n"),
    UNUSED("%s = OpTypeRuntimeArray %cm\n"), UNUSED("%s = OpTypeSampledImage %u32\n"), UNUSED("OpTypeForwardPointer %s Uniform\n%s = OpTypePointer Uniform %u32\n"), UNUSED("%z = OpConstantNull %cm\n%s = OpTypeArray %u32 %z\n"),
    UNUSED("%s = OpTypePointer Private %cm\n%v = OpVariable %s Private\n"), UNUSED("%s = OpTypePointer Input %u32\n%v = OpVariable %s Input\n"), UNUSED("%s = OpTypePointer Output %u32\n%v = OpVariable %s Output\n"),
    UNUSED("%s = OpTypePointer CrossWorkgroup %u32\n%v = OpVariable %s CrossWorkgroup\n"), UNUSED("%s = OpTypeArray %u32 %u2\n%t2 = OpTypePointer StorageBuffer %s\n%v = OpVariable %t2 StorageBuffer\n"),
    UNUSED("%t2 = OpTypePointer UniformConstant %u32\n%v = OpVariable %t2 UniformConstant\n"), UNUSED("%v = OpVariable %u32 Private\n"), UNUSED("%z = OpConstantNull %cm\n%s = OpTypePointer Private %u32\n%v = OpVariable %s Private %z\n"),
    UNUSED("%z = OpConstantNull %cm\n%s = OpTypeStruct %u32\n%zz = OpConstantComposite %s %z\n"), UNUSED("%s = OpTypeArray %u32 %many\n%many = OpConstant %u32 2\n"),
    {"an input that is no built-in", "%v = OpLoad %u32 %more\n" NOTHING, .is_invalid = true, .globals = "%more = OpVariable %in_ptr Input\n", .interface = " %more", .refused = "unsupported: "},
    {"an output of a compute shader", "OpStore %more %x\n" NOTHING, .is_invalid = true, .globals = "%out_ptr = OpTypePointer Output %u32\n%more = OpVariable %out_ptr Output\n", .interface = " %more", .refused = "unsupported: "},
    {"a variable that is no pointer", "OpStore %more %x\n" NOTHING, .is_invalid = true, .globals = "%more = OpVariable %u32 Private\n", .interface = " %more", .refused = "unsupported: "},
    {"a buffer that is no struct", "%p = OpAccessChain %word_ptr %more %u0\n%r = OpLoad %u32 %p\n", .is_invalid = true, .annotations = AT "OpDecorate %four ArrayStride 4\n", .globals = "%four = OpTypeArray %u32 %u4\n" BUFFER("%four"), .interface = " %more", .more_count = 4, .refused = "unsupported: "},
    {"an array of arrays of buffers", "%p = OpAccessChain %word_ptr %more %u0 %u0 %u0 %u0\n%r = OpLoad %u32 %p\n", .is_invalid = true, .annotations = AT, .globals = "%two = OpTypeArray %block %u2\n%four = OpTypeArray %two %u2\n" BUFFER("%four"), .interface = " %more", .more_count = 4,
     .refused = "unsupported: "},
    {"more buffers than there are", "%p = OpAccessChain %word_ptr %more %u0 %u0 %u0\n%r = OpLoad %u32 %p\n", .annotations = AT, .globals = "%three = OpTypeArray %block %u3\n" BUFFER("%three"), .interface = " %more", .more_count = 4, .more_elements = 2,
     .refused = "has 3 descriptors, the case has 2 at 0:2"},
    {"fewer", "%p = OpAccessChain %word_ptr %more %u1 %u0 %u0\n%r = OpLoad %u32 %p\n", .r = SAME(3), .annotations = AT, .globals = "%two = OpTypeArray %block %u2\n" BUFFER("%two"), .interface = " %more", .more = {1, 2, 3, 4, 5, 6}, .more_count = 6, .more_elements = 3},
    {"an array of one buffer", "%p = OpAccessChain %word_ptr %more %u0 %u0 %u1\n%r = OpLoad %u32 %p\n", .r = SAME(2), .annotations = AT, .globals = "%once = OpTypeArray %block %u1\n" BUFFER("%once"), .interface = " %more", .more = {1, 2}, .more_count = 2, .more_elements = 1},
    {"an initial value that nobody knows", "%v = OpLoad %u32 %more\n" NOTHING, .is_invalid = true, .globals = STRANGE "%z = OpConstantNull %cm\n%own_ptr = OpTypePointer Private %u32\n%more = OpVariable %own_ptr Private %z\n", .interface = " %more", .refused = "unsupported: "},
    {"an array of no elements", NOTHING, .is_invalid = true, .globals = "%s = OpTypeArray %u32 %u0\n", .refused = "): an array of no elements"},
    {"an array whose length has no value", "%v = OpLoad %s %more\n" NOTHING, .is_invalid = true, .globals = "%zero = OpSpecConstantOp %u32 UDiv %u1 %u0\n%s = OpTypeArray %u32 %zero\n%own_ptr = OpTypePointer Private %s\n%more = OpVariable %own_ptr Private\n", .interface = " %more",
     .refused = "unsupported: "},
    {"4194304 elements", NOTHING, .globals = "%many = OpConstant %u32 4194304\n%s = OpTypeArray %u32 %many\n"},
    {"one more", NOTHING, .globals = "%many = OpConstant %u32 4194305\n%s = OpTypeArray %u32 %many\n", .refused = "unsupported: an array of more than 4194304 elements"},
    {"one scalar more", NOTHING, .globals = "%many = OpConstant %u32 4194304\n%s = OpTypeArray %u32 %many\n%s3 = OpTypeStruct %s %u32\n", .refused = "unsupported: a type of more than 4194304 scalars"},
    {"three times as many", NOTHING, .globals = "%many = OpConstant %u32 4194304\n%s = OpTypeArray %u32 %many\n%s3 = OpTypeStruct %s %s %s\n", .refused = "unsupported: a type of more than 4194304 scalars"},
    {"Workgroup memory of more than that", NOTHING, .globals = "%many = OpConstant %u32 4194304\n%s = OpTypeArray %u32 %many\n%wg = OpTypePointer Workgroup %s\n%more = OpVariable %wg Workgroup\n", .interface = " %more",
     .refused = "unsupported: Workgroup memory of more than 4194304 scalars"},
    {"constants of more than that", NOTHING, .globals = "%many = OpConstant %u32 4194304\n%s = OpTypeArray %u32 %many\n%z = OpConstantNull %s\n", .refused = "unsupported: constants of more than 4194304 scalars"},
    {"a variable of another storage class in a function", "OpBranch %next\n%next = OpLabel\n%v = OpVariable %own_ptr Private\n" NOTHING, .is_invalid = true, .globals = "%own_ptr = OpTypePointer Private %u32\n",
     .refused = "): is in a function, but its storage class is not Function"},
};

static void test_strange(void **state) { (void)state, CHECK_ROWS(strange); }

// ---- constants -----------------------------------------------------------------------------------------------------

#define SPEC "%sc = OpSpecConstant %u32 5\n%none = OpSpecConstantOp %u32 UDiv %u1 %u0\n"
#define BITS32 "%v = OpBitcast %u32 %c\n%r = OpIAdd %u32 %v %u0\n"
#define LOW64 "%v = OpBitcast %uvec2 %c\n%r = OpCompositeExtract %u32 %v 0\n"
#define HIGH64 "%v = OpBitcast %uvec2 %c\n%r = OpCompositeExtract %u32 %v 1\n"
#define BITS16 "%v = OpBitcast %u16 %c\n%r = OpUConvert %u32 %v\n"
#define PART(n) "%r = OpCompositeExtract %u32 %c " #n "\n"
static const struct row constants[] = {
    {"64 bits, the low ones", LOW64, .globals = "%c = OpConstant %u64 0x123456789a\n", .r = SAME(0x3456789a)},
    {"64 bits, the high ones", HIGH64, .globals = "%c = OpConstant %u64 0x123456789a\n", .r = SAME(0x12)},
    {"16 bits, negative: stored longer than they are", "%v = OpBitcast %u16 %c\n%r = OpUConvert %u32 %v\n", .globals = "%c = OpConstant %i16 -2\n", .r = SAME(0xfffe)},
    {"8 bits, negative", "%v = OpBitcast %u8 %c\n%r = OpUConvert %u32 %v\n", .globals = "%c = OpConstant %i8 -2\n", .r = SAME(0xfe)},
    {"a number of 64 bits, specialised", HIGH64, .annotations = "OpDecorate %c SpecId 3\n", .globals = "%c = OpSpecConstant %u64 0x123456789a\n", .spec_id = 3, .spec_value = 9, .r = SAME(0)},
    {"the low half of that", LOW64, .annotations = "OpDecorate %c SpecId 3\n", .globals = "%c = OpSpecConstant %u64 0x123456789a\n", .spec_id = 3, .spec_value = 9, .r = SAME(9)},
    {"another id is specialised", "%r = OpIAdd %u32 %c %u0\n", .annotations = "OpDecorate %c SpecId 4\n", .globals = "%c = OpSpecConstant %u32 7\n", .spec_id = 3, .spec_value = 9, .r = SAME(7)},
    {"SpecConstantTrue, its own value", "%r = OpSelect %u32 %c %u1 %u2\n", .annotations = "OpDecorate %c SpecId 3\n", .globals = "%c = OpSpecConstantTrue %bool\n", .r = SAME(1)},
    {"SpecConstantFalse, specialised by 2", "%r = OpSelect %u32 %c %u1 %u2\n", .annotations = "OpDecorate %c SpecId 3\n", .globals = "%c = OpSpecConstantFalse %bool\n", .spec_id = 3, .spec_value = 2, .r = SAME(1)},
    // Of floats: the smallest normal number and its neighbours, the largest, infinity, a NaN, zeros.
    {"the smallest normal float", BITS32, .globals = "%c = OpConstant %f32 !0x00800000\n", .r = SAME(0x00800000), .is_invalid = true},
    {"the largest denormal float", BITS32, .globals = "%c = OpConstant %f32 !0x007fffff\n", .r = SAME(U), .is_invalid = true},
    {"the smallest denormal float", BITS32, .globals = "%c = OpConstant %f32 !0x80000001\n", .r = SAME(U), .is_invalid = true},
    {"a denormal float of one high bit", BITS32, .globals = "%c = OpConstant %f32 !0x00400000\n", .r = SAME(U), .is_invalid = true},
    {"minus zero", BITS32, .globals = "%c = OpConstant %f32 !0x80000000\n", .r = SAME(0x80000000), .is_invalid = true},
    {"the largest float", BITS32, .globals = "%c = OpConstant %f32 !0x7f7fffff\n", .r = SAME(0x7f7fffff), .is_invalid = true},
    {"infinity", BITS32, .globals = "%c = OpConstant %f32 !0xff800000\n", .r = SAME(0xff800000), .is_invalid = true},
    {"a quiet NaN", BITS32, .globals = "%c = OpConstant %f32 !0x7fc00000\n", .r = SAME(U), .is_invalid = true},
    {"a NaN of one low bit", BITS32, .globals = "%c = OpConstant %f32 !0x7f800001\n", .r = SAME(U), .is_invalid = true},
    {"the smallest normal half", BITS16, .globals = "%c = OpConstant %f16 !0x0400\n", .r = SAME(0x0400), .is_invalid = true},
    {"the largest denormal half", BITS16, .globals = "%c = OpConstant %f16 !0x03ff\n", .r = SAME(U), .is_invalid = true},
    {"a denormal half of one low bit", BITS16, .globals = "%c = OpConstant %f16 !0x8001\n", .r = SAME(U), .is_invalid = true},
    {"a denormal half of one high bit", BITS16, .globals = "%c = OpConstant %f16 !0x0200\n", .r = SAME(U), .is_invalid = true},
    {"a half whose low bits are all zero", BITS16, .globals = "%c = OpConstant %f16 !0xc000\n", .r = SAME(0xc000), .is_invalid = true},
    {"the largest half", BITS16, .globals = "%c = OpConstant %f16 !0x7bff\n", .r = SAME(0x7bff), .is_invalid = true},
    {"an infinite half", BITS16, .globals = "%c = OpConstant %f16 !0x7c00\n", .r = SAME(0x7c00), .is_invalid = true},
    {"a half that is no number", BITS16, .globals = "%c = OpConstant %f16 !0x7c01\n", .r = SAME(U), .is_invalid = true},
    {"a half that is minus zero", BITS16, .globals = "%c = OpConstant %f16 !0x8000\n", .r = SAME(0x8000), .is_invalid = true},
    {"the smallest normal double", HIGH64, .globals = "%c = OpConstant %f64 0x1p-1022\n", .r = SAME(0x00100000)},
    {"a denormal double", HIGH64, .globals = "%c = OpConstant %f64 !1 !0\n", .r = SAME(U), .is_invalid = true},
    {"a denormal double of one high bit", HIGH64, .globals = "%c = OpConstant %f64 !0 !0x00080000\n", .r = SAME(U), .is_invalid = true},
    {"the largest double", HIGH64, .globals = "%c = OpConstant %f64 !0xffffffff !0x7fefffff\n", .r = SAME(0x7fefffff), .is_invalid = true},
    {"an infinite double", HIGH64, .globals = "%c = OpConstant %f64 !0 !0x7ff00000\n", .r = SAME(0x7ff00000), .is_invalid = true},
    {"a double that is no number", HIGH64, .globals = "%c = OpConstant %f64 !1 !0x7ff00000\n", .r = SAME(U), .is_invalid = true},
    {"a double that is no number, by one high bit", HIGH64, .globals = "%c = OpConstant %f64 !0 !0x7ff80000\n", .r = SAME(U), .is_invalid = true},
    {"a specialised float that is no number", BITS32, .annotations = "OpDecorate %c SpecId 3\n", .globals = "%c = OpSpecConstant %f32 1\n", .spec_id = 3, .spec_value = 0x7fc00000, .r = SAME(U)},
    // Composites.
    {"the last of eight", "%r = OpCompositeExtract %u32 %c 1 3\n", .globals = "%s4 = OpTypeStruct %uvec4 %uvec4\n%c0 = OpConstantComposite %uvec4 %u1 %u2 %u3 %u4\n%c1 = OpConstantComposite %uvec4 %u5 %u8c %u16c %u72\n%c = OpConstantComposite %s4 %c0 %c1\n", .r = SAME(72)},
    {"a component without a value in a composite", PART(1), .globals = SPEC "%c = OpSpecConstantComposite %uvec2 %u1 %none\n", .r = SAME(U)},
    {"and the one beside it", PART(0), .globals = SPEC "%c = OpSpecConstantComposite %uvec2 %u1 %none\n", .r = SAME(1)},
    {"a part without a value in a composite of composites", "%r = OpCompositeExtract %u32 %c 1 1\n", .globals = SPEC "%s4 = OpTypeStruct %u32 %uvec4\n%c0 = OpSpecConstantComposite %uvec4 %u1 %none %u1 %u5\n%c = OpSpecConstantComposite %s4 %u2 %c0\n", .r = SAME(U)},
    {"the last part there", "%r = OpCompositeExtract %u32 %c 1 3\n", .globals = SPEC "%s4 = OpTypeStruct %u32 %uvec4\n%c0 = OpSpecConstantComposite %uvec4 %u1 %none %u1 %u5\n%c = OpSpecConstantComposite %s4 %u2 %c0\n", .r = SAME(5)},
    {"ConstantNull", "%a = OpCompositeExtract %u32 %c 1\n%r = OpIAdd %u32 %a %x\n", ONE_TO_EIGHT, .r = ONE_TO_EIGHT, .globals = "%c = OpConstantNull %uvec4\n"},
    {"Undef of a vector", "%r = OpCompositeExtract %u32 %c 1\n", .globals = "%c = OpUndef %uvec4\n", .r = SAME(U)},
    // OpSpecConstantOp that moves scalars about.
    {"CompositeExtract of a vector of a struct", PART(1), .globals = SPEC "%s4 = OpTypeStruct %u32 %uvec4\n%c0 = OpSpecConstantComposite %uvec4 %u1 %sc %u3 %u4\n%c1 = OpSpecConstantComposite %s4 %u2 %c0\n%c = OpSpecConstantOp %uvec4 CompositeExtract %c1 1\n", .r = SAME(5)},
    {"the last of it", PART(3), .globals = SPEC "%s4 = OpTypeStruct %u32 %uvec4\n%c0 = OpSpecConstantComposite %uvec4 %u1 %sc %u3 %u4\n%c1 = OpSpecConstantComposite %s4 %u2 %c0\n%c = OpSpecConstantOp %uvec4 CompositeExtract %c1 1\n", .r = SAME(4)},
    {"CompositeExtract of what has no value", "%r = OpIAdd %u32 %c %u0\n", .globals = SPEC "%c0 = OpSpecConstantComposite %uvec4 %u1 %none %u3 %u4\n%c = OpSpecConstantOp %u32 CompositeExtract %c0 1\n", .r = SAME(U)},
    {"CompositeInsert of a vector in a struct", "%r = OpCompositeExtract %u32 %c 1 3\n", .globals = SPEC "%s4 = OpTypeStruct %u32 %uvec4 %u32\n%c0 = OpSpecConstantComposite %uvec4 %u1 %sc %u3 %u4\n%n0 = OpConstantNull %uvec4\n%c1 = OpSpecConstantComposite %s4 %u2 %n0 %u72\n"
     "%c = OpSpecConstantOp %s4 CompositeInsert %c0 %c1 1\n", .r = SAME(4)},
    {"what stands before it", "%r = OpCompositeExtract %u32 %c 0\n", .globals = SPEC "%s4 = OpTypeStruct %u32 %uvec4 %u32\n%c0 = OpSpecConstantComposite %uvec4 %u1 %sc %u3 %u4\n%n0 = OpConstantNull %uvec4\n%c1 = OpSpecConstantComposite %s4 %u2 %n0 %u72\n"
     "%c = OpSpecConstantOp %s4 CompositeInsert %c0 %c1 1\n", .r = SAME(2)},
    {"and behind it", "%r = OpCompositeExtract %u32 %c 2\n", .globals = SPEC "%s4 = OpTypeStruct %u32 %uvec4 %u32\n%c0 = OpSpecConstantComposite %uvec4 %u1 %sc %u3 %u4\n%n0 = OpConstantNull %uvec4\n%c1 = OpSpecConstantComposite %s4 %u2 %n0 %u72\n"
     "%c = OpSpecConstantOp %s4 CompositeInsert %c0 %c1 1\n", .r = SAME(72)},
    {"CompositeInsert of what has no value", PART(1), .globals = SPEC "%c = OpSpecConstantOp %uvec2 CompositeInsert %none %null2 1\n", .r = SAME(U)},
    {"VectorShuffle of both: the first", PART(0), .globals = SPEC "%a2 = OpSpecConstantComposite %uvec2 %u1 %sc\n%gap = OpConstant %u32 99\n%b2 = OpSpecConstantComposite %uvec2 %u3 %u4\n%c = OpSpecConstantOp %uvec4 VectorShuffle %a2 %b2 2 1 3 0\n", .r = SAME(3)},
    {"the second", PART(1), .globals = SPEC "%a2 = OpSpecConstantComposite %uvec2 %u1 %sc\n%gap = OpConstant %u32 99\n%b2 = OpSpecConstantComposite %uvec2 %u3 %u4\n%c = OpSpecConstantOp %uvec4 VectorShuffle %a2 %b2 2 1 3 0\n", .r = SAME(5)},
    {"the third", PART(2), .globals = SPEC "%a2 = OpSpecConstantComposite %uvec2 %u1 %sc\n%gap = OpConstant %u32 99\n%b2 = OpSpecConstantComposite %uvec2 %u3 %u4\n%c = OpSpecConstantOp %uvec4 VectorShuffle %a2 %b2 2 1 3 0\n", .r = SAME(4)},
    {"the last", PART(3), .globals = SPEC "%a2 = OpSpecConstantComposite %uvec2 %u1 %sc\n%gap = OpConstant %u32 99\n%b2 = OpSpecConstantComposite %uvec2 %u3 %u4\n%c = OpSpecConstantOp %uvec4 VectorShuffle %a2 %b2 2 1 3 0\n", .r = SAME(1)},
    {"VectorShuffle with a component of no value", PART(1), .globals = SPEC "%a2 = OpSpecConstantComposite %uvec2 %u1 %sc\n%c = OpSpecConstantOp %uvec2 VectorShuffle %a2 %a2 1 0xffffffff\n", .r = SAME(U)},
    {"the one before it", PART(0), .globals = SPEC "%a2 = OpSpecConstantComposite %uvec2 %u1 %sc\n%c = OpSpecConstantOp %uvec2 VectorShuffle %a2 %a2 1 0xffffffff\n", .r = SAME(5)},
    {"VectorShuffle of what has none", PART(0), .globals = SPEC "%a2 = OpSpecConstantComposite %uvec2 %none %sc\n%c = OpSpecConstantOp %uvec2 VectorShuffle %a2 %a2 2 1\n", .r = SAME(U)},
    {"ConstantNull behind it", "%r = OpIAdd %u32 %c %u0\n", .globals = SPEC "%a2 = OpSpecConstantComposite %uvec2 %u1 %sc\n%s = OpSpecConstantOp %uvec2 VectorShuffle %a2 %a2 1 0\n%c = OpConstantNull %u32\n", .r = SAME(0)},
    // OpSpecConstantOp that computes.
    {"a sum of vectors, the second component", PART(1), .globals = SPEC "%a2 = OpSpecConstantComposite %uvec2 %u1 %sc\n%b2 = OpSpecConstantComposite %uvec2 %u3 %u4\n%c = OpSpecConstantOp %uvec2 IAdd %a2 %b2\n", .r = SAME(9)},
    {"the first", PART(0), .globals = SPEC "%a2 = OpSpecConstantComposite %uvec2 %u1 %sc\n%b2 = OpSpecConstantComposite %uvec2 %u3 %u4\n%c = OpSpecConstantOp %uvec2 IAdd %a2 %b2\n", .r = SAME(4)},
    {"one component of which has no value", PART(1), .globals = SPEC "%a2 = OpSpecConstantComposite %uvec2 %u1 %none\n%b2 = OpSpecConstantComposite %uvec2 %u3 %u4\n%c = OpSpecConstantOp %uvec2 IAdd %a2 %b2\n", .r = SAME(U)},
    {"the other one", PART(0), .globals = SPEC "%a2 = OpSpecConstantComposite %uvec2 %u1 %none\n%b2 = OpSpecConstantComposite %uvec2 %u3 %u4\n%c = OpSpecConstantOp %uvec2 IAdd %a2 %b2\n", .r = SAME(4)},
    {"Select by a boolean, of vectors", PART(1), .globals = SPEC "%a2 = OpSpecConstantComposite %uvec2 %u1 %sc\n%b2 = OpSpecConstantComposite %uvec2 %u3 %u4\n%k = OpSpecConstantFalse %bool\n%c = OpSpecConstantOp %uvec2 Select %k %a2 %b2\n", .r = SAME(4)},
    {"Select by a true one", PART(1), .globals = SPEC "%a2 = OpSpecConstantComposite %uvec2 %u1 %sc\n%b2 = OpSpecConstantComposite %uvec2 %u3 %u4\n%k = OpSpecConstantTrue %bool\n%c = OpSpecConstantOp %uvec2 Select %k %a2 %b2\n", .r = SAME(5)},
    {"Select by two booleans", PART(1), .globals = SPEC "%a2 = OpSpecConstantComposite %uvec2 %u1 %sc\n%b2 = OpSpecConstantComposite %uvec2 %u3 %u4\n%k = OpConstantComposite %bvec2 %true %false\n%c = OpSpecConstantOp %uvec2 Select %k %a2 %b2\n", .r = SAME(4)},
    {"Select by two booleans, the other component", PART(0), .globals = SPEC "%a2 = OpSpecConstantComposite %uvec2 %u1 %sc\n%b2 = OpSpecConstantComposite %uvec2 %u3 %u4\n%k = OpConstantComposite %bvec2 %true %false\n%c = OpSpecConstantOp %uvec2 Select %k %a2 %b2\n", .r = SAME(1)},
    {"Select of structs", PART(1), .globals = SPEC "%a2 = OpSpecConstantComposite %uu %u1 %sc\n%b2 = OpSpecConstantComposite %uu %u3 %u4\n%c = OpSpecConstantOp %uu Select %true %a2 %b2\n", .r = SAME(5), .is_invalid = true},
    {"Select of floats", BITS32, .globals = "%c = OpSpecConstantOp %f32 Select %true %f2 %f1\n", .r = SAME(0x40000000)},
    {"Select of arrays of sixteen", PART(15), .globals = "%a16 = OpTypeArray %u32 %u16c\n%n16 = OpConstantNull %a16\n%k16 = OpConstantComposite %a16 %u1 %u1 %u1 %u1 %u1 %u1 %u1 %u1 %u1 %u1 %u1 %u1 %u1 %u1 %u1 %u4\n%c = OpSpecConstantOp %a16 Select %true %k16 %n16\n", .r = SAME(4), .is_invalid = true},
    {"a comparison of numbers of 64 bits", "%r = OpSelect %u32 %c %u1 %u2\n", .globals = "%big = OpConstant %u64 0x100000000\n%small = OpConstant %u64 1\n%c = OpSpecConstantOp %bool UGreaterThan %big %small\n", .r = SAME(1)},
    {"a shift of a number of 64 bits by one of 32", HIGH64, .globals = "%big = OpConstant %u64 0x40000000\n%c = OpSpecConstantOp %u64 ShiftLeftLogical %big %u4\n", .r = SAME(4)},
    {"a signed comparison of 16 bits", "%r = OpSelect %u32 %c %u1 %u2\n", .globals = "%m = OpConstant %i16 -1\n%n = OpConstant %i16 1\n%c = OpSpecConstantOp %bool SLessThan %m %n\n", .r = SAME(1)},
    {"UConvert to fewer bits", "%v = OpUConvert %u32 %c\n%r = OpIAdd %u32 %v %u0\n", .globals = "%big = OpConstant %u32 0x12345\n%c = OpSpecConstantOp %u16 UConvert %big\n", .r = SAME(0x2345)},
    {"FConvert of a vector", "%e = OpCompositeExtract %f64 %c 1\n%v = OpBitcast %uvec2 %e\n%r = OpCompositeExtract %u32 %v 1\n", .globals = "%f2v = OpConstantComposite %vec2 %f1 %f3\n%c = OpSpecConstantOp %dvec2 FConvert %f2v\n", .r = SAME(0x40080000)},
    {"FConvert from 16 bits", BITS32, .globals = "%c = OpSpecConstantOp %f32 FConvert %h1\n", .r = SAME(0x3f800000)},
    {"QuantizeToF16", BITS32, .globals = "%k = OpConstant %f32 1.5\n%c = OpSpecConstantOp %f32 QuantizeToF16 %k\n", .r = SAME(0x3fc00000)},
    {"what a shift by too much gives", "%r = OpIAdd %u32 %c %u0\n", .globals = "%c = OpSpecConstantOp %u32 ShiftLeftLogical %u1 %u72\n", .r = SAME(U)},
    {"Not of a boolean", "%r = OpSelect %u32 %c %u1 %u2\n", .globals = "%c = OpSpecConstantOp %bool LogicalNot %true\n", .r = SAME(2)},
};

// None of these can be worked out, so that nobody may use them.
#define A17 "%n17 = OpConstant %u32 17\n%a17 = OpTypeArray %u32 %n17\n"
#define NO(type, op) {op, "%v = OpCopyObject " type " %bad\n%r = OpIAdd %u32 %x %u0\n", .is_invalid = true, .refused = "unsupported: operand %", \
    .globals = STRANGE "%z = OpConstantNull %cm\n" A17 "%m0 = OpConstantNull %mat2\n%f20 = OpConstantNull %vec2\n%z17 = OpConstantNull %a17\n%n4 = OpConstantNull %uvec4\n%b2 = OpConstantNull %bvec2\n%lost = OpSpecConstantOp %uvec2 VectorShuffle %null2 %null2 0 4\n%lost1 = OpSpecConstantOp %u32 CompositeExtract %null2 2\n%bad = OpSpecConstantOp " type " " op "\n"}
static const struct row no_constants[] = {
    NO("%u32", "CompositeExtract %z 0"), NO("%u32", "CompositeExtract %null2 2"), NO("%uvec2", "CompositeExtract %null2 0"), NO("%u32", "CompositeExtract %null2"), NO("%uvec2", "CompositeInsert %z %null2 0"), NO("%uvec2", "CompositeInsert %u1 %z 0"),
    NO("%uvec2", "CompositeInsert %u1 %null2 2"), NO("%uvec2", "CompositeInsert %null2 %null2 0"), NO("%uvec2", "CompositeInsert %u1 %n4 0"), NO("%uvec2", "VectorShuffle %z %null2 0 1"), NO("%uvec2", "VectorShuffle %null2 %z 0 1"),
    NO("%uvec2", "VectorShuffle %null2 %null2 0"), NO("%uvec2", "VectorShuffle %null2 %null2 0 1 2"), NO("%uvec2", "VectorShuffle %null2 %null2 0 4"), NO("%u32", "IAdd %z %u1"), NO("%u32", "IAdd %u1 %z"), NO("%u32", "IAdd %null2 %u1"),
    NO("%u32", "IAdd %u1 %null2"), NO("%uvec2", "IAdd %null2 %u1"), NO("%uvec2", "IAdd %u1 %null2"), NO("%u32", "Select %z %u1 %u2"), NO("%u32", "Select %b2 %u1 %u2"), NO("%u32", "Select %u1 %u1 %u2"), NO("%uvec2", "Select %true %null2 %u1"),
    NO("%a17", "Select %true %z17 %z17"), NO("%f16", "FConvert %u1"), NO("%u32", "FConvert %f1"), NO("%f16", "FConvert %f20"), NO("%hvec2", "FConvert %f1"), NO("%hvec2", "FConvert %null2"), NO("%uvec2", "FConvert %f20"), NO("%f32", "FConvert %z"),
    NO("%u32", "CompositeExtract %lost 0"), NO("%uvec2", "CompositeInsert %lost1 %null2 0"), NO("%uvec2", "CompositeInsert %u1 %lost 0"), NO("%uvec2", "VectorShuffle %lost %null2 0 1"), NO("%uvec2", "VectorShuffle %null2 %lost 0 1"),
    NO("%u32", "IAdd %lost1 %u1"), NO("%u32", "IAdd %u1 %lost1"), NO("%bvec2", "LogicalAnd %true %b2"), NO("%bvec2", "LogicalAnd %b2 %true"),
    NO("%f32", "IAdd %f1 %f1"), NO("%vec2", "IAdd %f20 %f20"), NO("%mat2", "IAdd %m0 %m0"), NO("%a17", "IAdd %z17 %z17"), NO("%uvec2", "Not %u1"),
};

static const struct row wrong_constants[] = {
    {"OpConstantTrue of a vector", NOTHING, .is_invalid = true, .globals = "%bad = OpConstantTrue %bvec2\n", .refused = "): its type is not a boolean"},
    {"OpSpecConstantFalse of nothing", NOTHING, .is_invalid = true, .globals = "%bad = OpSpecConstantFalse %void\n", .refused = "): its type is not a boolean"},
    {"one constituent for two", NOTHING, .is_invalid = true, .globals = "%bad = OpConstantComposite %uvec2 %u1\n", .refused = "): has too few constituents for its type"},
    {"no constituents", NOTHING, .is_invalid = true, .globals = "%bad = OpSpecConstantComposite %uvec2\n", .refused = "): has too few constituents for its type"},
    {"three constituents for two", NOTHING, .is_invalid = true, .globals = "%bad = OpSpecConstantComposite %uvec2 %u1 %u1 %u1\n", .refused = "): has too many constituents"},
    {"a constituent that nobody knows", "%v = OpCopyObject %strange %bad\n" NOTHING, .is_invalid = true, .globals = "%cm = OpTypeFloat 16 BFloat16KHR\n%z = OpConstantNull %cm\n%strange = OpTypeStruct %u32\n%bad = OpConstantComposite %strange %z\n", .refused = "unsupported: operand %"},
};

static void test_constants(void **state) { (void)state, CHECK_ROWS(constants), CHECK_ROWS(no_constants), CHECK_ROWS(wrong_constants); }

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_layouts), cmocka_unit_test(test_cells), cmocka_unit_test(test_strange), cmocka_unit_test(test_constants)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
