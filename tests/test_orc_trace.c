// SPDX-License-Identifier: Apache-2.0
//
// A run that remembers (oracle/trace.h): what each result word comes from, which branch hangs on what, what made a run end and
// who else was there. By hand, from the few lines of each shader.
#include "test_orc_text.h"

#include "oracle/trace.h"

// '.': sure; else a letter of each lane's word.
static char letter(enum orc_birth b)
{
    static const char letters[ORC_ORIGINS] = {
        [ORC_ORIGIN_SURE] = '.',     [ORC_ORIGIN_ROUNDED] = 'r',   [ORC_ORIGIN_ORDER] = 'o',  [ORC_ORIGIN_NOTHING] = 'n',
        [ORC_ORIGIN_INACTIVE] = 'i', [ORC_ORIGIN_UNWRITTEN] = 'u', [ORC_ORIGIN_CHOICE] = 'c', [ORC_ORIGIN_UNPROMISED] = 'p',
    };
    return letters[b];
}

#define SAME(v) {v, v, v, v, v, v, v, v}
#define AT0 "%p = OpAccessChain %shared_word_ptr %shared %u0\n"
#define BARRIER "OpControlBarrier %u2 %u2 %u264\n"
#define END "%r = OpIAdd %u32 %x %u0\n"
#define THEN(cond, body) "OpSelectionMerge %j None\nOpBranchConditional " cond " %t %j\n%t = OpLabel\n" body "OpBranch %j\n%j = OpLabel\n"
#define BALLOT "%v = OpGroupNonUniformBallot %uvec4 %u3 %true\n%b = OpCompositeExtract %u32 %v 0\n"
// Lanes 0 and 1 have no quotient, and a third rounds; the others are sure.
#define QUOTIENT "%q = OpUDiv %u32 %y %x\n"
#define THIRDS "%third = OpFDiv %f32 %fx %f3\n"
#define PLUS1 "%sum = OpFAdd %f32 %fx %f1\n"
#define ZEROS {0, 0, 1, 1, 1, 1, 1, 1}
#define EIGHTS {8, 8, 8, 8, 8, 8, 8, 8}
#define AT_MORE .annotations = "OpDecorate %more DescriptorSet 0\nOpDecorate %more Binding 2\n", .globals = "%more = OpVariable %block_ptr StorageBuffer\n", .interface = " %more"
#define COUNTER "%pm = OpAccessChain %word_ptr %more %u0 %u0\n"
#define FROM_TEN AT_MORE, .more = {10}, .more_count = 2

// ---- where a result comes from --------------------------------------------------------------

struct born {
    const char *letters; // of the result's words
    uint32_t op;         // the instruction of those that are not sure
    struct row row;
    uint32_t order;
    enum spv_model model;
    bool any_policy;
    const char *more; // of the words of 0:2
    uint32_t more_op; // 0: OpAtomicExchange
    bool relaxed;
    uint32_t subgroup;     // 0: of all eight
    uint32_t unwritten_by; // the instruction of those, where it is another one
    uint32_t groups;       // 0: one
    const char *first;     // of the words of 0:0; NULL: nobody writes it
};
#define PAIR .globals = "%pair_ptr = OpTypePointer Private %uvec2\n%pair = OpVariable %pair_ptr Private\n", .interface = " %pair"
#define PAIRS .globals = "%eight_pairs = OpTypeArray %uvec2 %u8c\n%pairs_ptr = OpTypePointer Workgroup %eight_pairs\n%wg_pair = OpTypePointer Workgroup %uvec2\n%pairs = OpVariable %pairs_ptr Workgroup\n", .interface = " %pairs"

#define IMAGE .annotations = "OpDecorate %more DescriptorSet 0\nOpDecorate %more Binding 2\nOpDecorate %more Coherent\n", \
    .globals = "%image = OpTypeImage %u32 2D 0 0 0 2 R32ui\n%image_ptr = OpTypePointer UniformConstant %image\n%texel_ptr = OpTypePointer Image %u32\n%more = OpVariable %image_ptr UniformConstant\n", \
    .interface = " %more", .more = {20, 21, 22, 23, 24, 25, 26, 27}, .more_count = 8, .is_invalid = true
#define TEXEL "%im = OpLoad %image %more\n%at = OpCompositeConstruct %uvec2 %lane %u0\n"
#define WRITE "%four = OpCompositeConstruct %uvec4 %q %q %q %q\nOpImageWrite %im %at %four\n"
#define READ "%back = OpImageRead %uvec4 %im %at\n%r = OpCompositeExtract %u32 %back 0\n"

#define PAIRS_OF_ITS_OWN .globals = "%four_pairs = OpTypeArray %uvec2 %u4\n%priv = OpTypePointer Private %four_pairs\n%priv_pair = OpTypePointer Private %uvec2\n%array = OpVariable %priv Private\n", .interface = " %array"
#define GROUP .annotations = "OpDecorate %group BuiltIn WorkgroupId\n", .globals = "%uvec3 = OpTypeVector %u32 3\n%group_ptr = OpTypePointer Input %uvec3\n%group = OpVariable %group_ptr Input\n", .interface = " %group"
#define IMAGES .annotations = AT_2, .interface = " %more", .more_count = 16, .is_invalid = true, \
    .globals = "%image = OpTypeImage %u32 2D 0 0 0 2 R32ui\n%image_ptr = OpTypePointer UniformConstant %image\n%images = OpTypeArray %image %u2\n%images_ptr = OpTypePointer UniformConstant %images\n%more = OpVariable %images_ptr UniformConstant\n"
#define OWN "%p = OpAccessChain %word_ptr %more %u0 %lane\n"
#define AT_2 "OpDecorate %more DescriptorSet 0\nOpDecorate %more Binding 2\n"
#define LONGS .annotations = AT_2 "OpDecorate %words_too DescriptorSet 0\nOpDecorate %words_too Binding 2\nOpDecorate %longs ArrayStride 8\nOpDecorate %long_block Block\nOpMemberDecorate %long_block 0 Offset 0\n", \
    .globals = "%longs = OpTypeRuntimeArray %u64\n%long_block = OpTypeStruct %longs\n%long_block_ptr = OpTypePointer StorageBuffer %long_block\n%long_ptr = OpTypePointer StorageBuffer %u64\n" \
    "%more = OpVariable %long_block_ptr StorageBuffer\n%words_too = OpVariable %block_ptr StorageBuffer\n", .interface = " %more %words_too", .more_count = 16
#define SHORTS .capabilities = "OpCapability StorageBuffer16BitAccess\n", .annotations = AT_2 "OpDecorate %shorts ArrayStride 2\nOpDecorate %short_block Block\nOpMemberDecorate %short_block 0 Offset 0\n", \
    .globals = "%shorts = OpTypeRuntimeArray %u16\n%short_block = OpTypeStruct %shorts\n%short_block_ptr = OpTypePointer StorageBuffer %short_block\n%short_ptr = OpTypePointer StorageBuffer %u16\n" \
    "%more = OpVariable %short_block_ptr StorageBuffer\n", .interface = " %more", .more_count = 8
#define HALVES "%qs = OpUConvert %u16 %q\n%xs = OpUConvert %u16 %x\n%i = OpIMul %u32 %lane %u2\n%j = OpIAdd %u32 %i %u1\n%low = OpAccessChain %short_ptr %more %u0 %i\n%high = OpAccessChain %short_ptr %more %u0 %j\n"
#define BUFFERS .annotations = AT_2, .globals = "%two = OpTypeArray %block %u2\n%two_ptr = OpTypePointer StorageBuffer %two\n%more = OpVariable %two_ptr StorageBuffer\n", .interface = " %more", .more_count = 16, .more_elements = 2
#define WHOLE .globals = "%whole_ptr = OpTypePointer Private %f32\n%whole = OpVariable %whole_ptr Private\n", .interface = " %whole"
static const struct born births[] = {
    {"........", 0, {"sums", "%r = OpIAdd %u32 %x %y\n", {1, 2, 3}, {4, 5, 6}, {5, 7, 9}}},
    {"nn......", SpvOpUDiv, {"a division by zero", "%r = OpUDiv %u32 %y %x\n", ZEROS, EIGHTS, {U, U, 8, 8, 8, 8, 8, 8}}},
    {"nn......", SpvOpUDiv, {"and what is made of it", QUOTIENT "%r = OpIAdd %u32 %q %lane\n", ZEROS, EIGHTS, {U, U, 10, 11, 12, 13, 14, 15}}},
    {"nn......", SpvOpUDiv, {"through copies", QUOTIENT "%c = OpCopyObject %u32 %q\n%v = OpCompositeConstruct %uvec2 %x %c\n%r = OpCompositeExtract %u32 %v 1\n", ZEROS, EIGHTS, {U, U, 8, 8, 8, 8, 8, 8}}},
    {"........", 0, {"a copy of what is beside it", QUOTIENT "%v = OpCompositeConstruct %uvec2 %x %q\n%r = OpCompositeExtract %u32 %v 0\n", ZEROS, EIGHTS, ZEROS}},
    {"........", 0, {"component by component", QUOTIENT "%v = OpCompositeConstruct %uvec2 %x %q\n%w = OpIAdd %uvec2 %v %v\n%r = OpCompositeExtract %u32 %w 0\n", ZEROS, EIGHTS, {0, 0, 2, 2, 2, 2, 2, 2}}},
    {"nn......", SpvOpUDiv, {"the other component", QUOTIENT "%v = OpCompositeConstruct %uvec2 %x %q\n%w = OpIAdd %uvec2 %v %v\n%r = OpCompositeExtract %u32 %w 1\n", ZEROS, EIGHTS, {U, U, 16, 16, 16, 16, 16, 16}}},
    {"uuuuuuuu", SpvOpLoad, {"a variable nobody has written", "%r = OpLoad %u32 %local\n", .r = SAME(U)}},
    {"uuuuuuuu", SpvOpIAdd, {"OpUndef is told by who uses it", "%r = OpIAdd %u32 %x %none\n", .r = SAME(U), .globals = "%none = OpUndef %u32\n"}},
    {"..uuuuuu", SpvOpLoad, {"written by some", "%c = OpULessThan %bool %lane %u2\n" THEN("%c", "OpStore %local %y\n") "%r = OpLoad %u32 %local\n", .b = {5, 6}, .r = {5, 6, U, U, U, U, U, U}}},
    {"nn......", SpvOpUDiv, {"through a variable", QUOTIENT "OpStore %local %q\n%r = OpLoad %u32 %local\n", ZEROS, EIGHTS, {U, U, 8, 8, 8, 8, 8, 8}}},
    {"........", 0, {"overwritten", QUOTIENT "OpStore %local %q\nOpStore %local %x\n%r = OpLoad %u32 %local\n", ZEROS, EIGHTS, ZEROS}},
    {"n.......", SpvOpUDiv, {"overwritten by some", QUOTIENT "OpStore %local %q\n%c = OpUGreaterThan %bool %lane %u0\n" THEN("%c", "OpStore %local %x\n") "%r = OpLoad %u32 %local\n", ZEROS, EIGHTS, {U, 0, 1, 1, 1, 1, 1, 1}}},
    {"...iiii.", SpvOpGroupNonUniformShuffleDown, {"from beyond those who are there", "%r = OpGroupNonUniformShuffleDown %u32 %u3 %x %u4\n", .r = {0, 0, 0, U, U, U, U, 0}, .active = 0x7f}},
    {"..ii..ii", SpvOpGroupNonUniformShuffle, {"of who is there, and of who is not", "%i = OpIAdd %u32 %lane %u2\n%r = OpGroupNonUniformShuffle %u32 %u3 %x %i\n", {1, 2, 3, 4, 5, 6, 7, 8}, .r = {3, 4, U, U, 0, 0, U, U}, .active = 0xcf}},
    {".iiiiiii", SpvOpGroupNonUniformBroadcast, {"a broadcast of who is not there", "%r = OpGroupNonUniformBroadcast %u32 %u3 %x %u0\n", .r = {0, U, U, U, U, U, U, U}, .active = 0xfe}},
    {"i.i.i.i.", SpvOpGroupNonUniformQuadSwap, {"a quad without its other half", "%r = OpGroupNonUniformQuadSwap %u32 %u3 %x %u0\n", .r = {U, 0, U, 0, U, 0, U, 0}, .active = 0x55}},
    {"nnnnnnnn", SpvOpUDiv, {"a sum of all, of whom two have nothing", QUOTIENT "%r = OpGroupNonUniformIAdd %u32 %u3 Reduce %q\n", ZEROS, EIGHTS, SAME(U)}},
    {"nnnnnnnn", SpvOpGroupNonUniformBallotFindLSB, {"the lowest bit of none", "%r = OpGroupNonUniformBallotFindLSB %u32 %u3 %none\n", .r = SAME(U), .globals = "%none = OpConstantNull %uvec4\n"}},
    {"nn......", SpvOpUDiv, {"a select takes one side alone", QUOTIENT "%c = OpULessThan %bool %lane %u1\n%r = OpSelect %u32 %c %q %q\n", ZEROS, EIGHTS, {U, U, 8, 8, 8, 8, 8, 8}}},
    // The worst of several is told: what has no value rather than what nobody wrote is by the order of the list.
    {"uu......", SpvOpLoad, {"of two the later of the list", QUOTIENT "%c = OpUGreaterThan %bool %lane %u1\n" THEN("%c", "OpStore %local %y\n") "%l = OpLoad %u32 %local\n%r = OpIAdd %u32 %q %l\n", ZEROS, EIGHTS, {U, U, 16, 16, 16, 16, 16, 16}}},
    {"nn......", SpvOpUDiv, {"through a call", QUOTIENT "%r = OpFunctionCall %u32 %f %q\n", ZEROS, EIGHTS, {U, U, 8, 8, 8, 8, 8, 8}, .globals = "%ft = OpTypeFunction %u32 %u32\n",
     .functions = "%f = OpFunction %u32 None %ft\n%fp = OpFunctionParameter %u32\n%s = OpLabel\nOpReturnValue %fp\nOpFunctionEnd\n"}},
    {"........", 0, {"a call that leaves it behind", QUOTIENT "%r = OpFunctionCall %u32 %f %q\n", ZEROS, EIGHTS, SAME(5), .globals = "%ft = OpTypeFunction %u32 %u32\n",
     .functions = "%f = OpFunction %u32 None %ft\n%fp = OpFunctionParameter %u32\n%s = OpLabel\nOpReturnValue %u5\nOpFunctionEnd\n"}},
    {"nn......", SpvOpUDiv, {"a phi of some", QUOTIENT "%c = OpULessThan %bool %lane %u4\nOpSelectionMerge %j None\nOpBranchConditional %c %t %e\n%t = OpLabel\nOpBranch %j\n%e = OpLabel\nOpBranch %j\n%j = OpLabel\n"
     "%r = OpPhi %u32 %q %t %x %e\n", ZEROS, EIGHTS, {U, U, 8, 8, 1, 1, 1, 1}}},
    {"........", 0, {"a phi of the others", QUOTIENT "%c = OpULessThan %bool %lane %u4\nOpSelectionMerge %j None\nOpBranchConditional %c %t %e\n%t = OpLabel\nOpBranch %j\n%e = OpLabel\nOpBranch %j\n%j = OpLabel\n"
     "%r = OpPhi %u32 %x %t %q %e\n", ZEROS, EIGHTS, {0, 0, 1, 1, 8, 8, 8, 8}}},
    {"......nn", SpvOpUDiv, {"two phis that change places", QUOTIENT "OpBranch %h\n%h = OpLabel\n%n = OpPhi %u32 %u0 %then %m %k\n%w = OpPhi %u32 %q %then %z %k\n%z = OpPhi %u32 %x %then %w %k\n"
     "OpLoopMerge %e %k None\nOpBranch %k\n%k = OpLabel\n%m = OpIAdd %u32 %n %u1\n%g = OpULessThan %bool %m %u2\nOpBranchConditional %g %h %e\n%e = OpLabel\n%r = OpIAdd %u32 %z %u0\n", {1, 1, 1, 1, 1, 1, 0, 0}, EIGHTS, {8, 8, 8, 8, 8, 8, U, U}}},
    {"........", 0, {"and the other one of them", QUOTIENT "OpBranch %h\n%h = OpLabel\n%n = OpPhi %u32 %u0 %then %m %k\n%w = OpPhi %u32 %q %then %z %k\n%z = OpPhi %u32 %x %then %w %k\n"
     "OpLoopMerge %e %k None\nOpBranch %k\n%k = OpLabel\n%m = OpIAdd %u32 %n %u1\n%g = OpULessThan %bool %m %u2\nOpBranchConditional %g %h %e\n%e = OpLabel\n%r = OpIAdd %u32 %w %u0\n", ZEROS, EIGHTS, ZEROS}},
    {"nn......", SpvOpUDiv, {"through Workgroup memory, of the lane's own", QUOTIENT "%own = OpAccessChain %shared_word_ptr %shared %lane\nOpStore %own %q\n%r = OpLoad %u32 %own\n", ZEROS, EIGHTS, {U, U, 8, 8, 8, 8, 8, 8}}},
    {"......nn", SpvOpUDiv, {"of another lane", QUOTIENT "%own = OpAccessChain %shared_word_ptr %shared %lane\nOpStore %own %q\n" BARRIER "%o = OpBitwiseXor %u32 %lane %u6\n"
     "%other = OpAccessChain %shared_word_ptr %shared %o\n%r = OpLoad %u32 %other\n", ZEROS, EIGHTS, {8, 8, 8, 8, 8, 8, U, U}, .globals = "%u6 = OpConstant %u32 6\n"}},
    {"uuuuuuuu", SpvOpLoad, {"Workgroup memory that nobody has written", AT0 "%r = OpLoad %u32 %p\n", .r = SAME(U)}},
    {"nn......", SpvOpUDiv, {"through an array of the lane's own", QUOTIENT "%i = OpBitwiseAnd %u32 %lane %u3\n%p = OpAccessChain %u32_fn_ptr2 %array %i\nOpStore %p %q\n%r = OpLoad %u32 %p\n", ZEROS, EIGHTS, {U, U, 8, 8, 8, 8, 8, 8},
     .globals = "%four = OpTypeArray %u32 %u4\n%priv = OpTypePointer Private %four\n%u32_fn_ptr2 = OpTypePointer Private %u32\n%array = OpVariable %priv Private\n", .interface = " %array"}},
    {"........", 0, {"what is beside it in the array", QUOTIENT "%i = OpBitwiseAnd %u32 %lane %u3\n%p = OpAccessChain %u32_fn_ptr2 %array %i\n%i2 = OpBitwiseXor %u32 %i %u1\n%p2 = OpAccessChain %u32_fn_ptr2 %array %i2\n"
     "OpStore %p2 %x\nOpStore %p %q\n%r = OpLoad %u32 %p2\n", ZEROS, EIGHTS, ZEROS,
     .globals = "%four = OpTypeArray %u32 %u4\n%priv = OpTypePointer Private %four\n%u32_fn_ptr2 = OpTypePointer Private %u32\n%array = OpVariable %priv Private\n", .interface = " %array"}},

    // Floats that round have the nearest value.
    {"rrrrrrrr", SpvOpFDiv, {"thirds, of which Vulkan leaves even exact ones open", THIRDS "%r = OpBitcast %u32 %third\n", {0x3f800000, 0x40000000, 0x40800000, 0x40c00000, 0x40a00000, 0x40e00000, 0x41100000, 0x41400000}, {0},
     {0x3eaaaaab, 0x3f2aaaab, 0x3faaaaab, 0x40000000, 0x3fd55555, 0x40155555, 0x40400000, 0x40800000}}},
    {"rrrrrrrr", SpvOpExtInst, {"a root", "%s = OpExtInst %f32 %glsl Sqrt %fx\n%r = OpBitcast %u32 %s\n", {0x40000000, 0x40800000, 0x3f800000, 0x3f800000, 0x3f800000, 0x3f800000, 0x3f800000, 0x3f800000}, {0},
     {0x3fb504f3, 0x40000000, 0x3f800000, 0x3f800000, 0x3f800000, 0x3f800000, 0x3f800000, 0x3f800000}}},
    {"rrrrrrrr", SpvOpExtInst, {"a root twice round a loop", "OpBranch %h\n%h = OpLabel\n%n = OpPhi %u32 %u0 %then %m %k\n%f = OpPhi %f32 %fx %then %s %k\nOpLoopMerge %e %k None\nOpBranch %k\n%k = OpLabel\n%s = OpExtInst %f32 %glsl Sqrt %f\n"
     "%m = OpIAdd %u32 %n %u1\n%g = OpULessThan %bool %m %u2\nOpBranchConditional %g %h %e\n%e = OpLabel\n%r = OpBitcast %u32 %s\n", SAME(0x41800000), {0}, SAME(0x40000000)}},
    {"rrrrrrrr", SpvOpGroupNonUniformFAdd, {"a sum that some order rounds", "%s = OpGroupNonUniformFAdd %f32 %u3 Reduce %fx\n%r = OpBitcast %u32 %s\n",
     {0x4b800000, 0x3f800000, 0x3f800000, 0x3f800000, 0x3f800000, 0x3f800000, 0x3f800000, 0x3f800000}, {0}, SAME(0x4b800004)}},
    {"r.......", SpvOpFAdd, {"a sum that rounds", PLUS1 "%r = OpBitcast %u32 %sum\n", {0x4b800000, 0x3f800000, 0x3f800000, 0x3f800000, 0x3f800000, 0x3f800000, 0x3f800000, 0x3f800000}, {0},
     {0x4b800000, 0x40000000, 0x40000000, 0x40000000, 0x40000000, 0x40000000, 0x40000000, 0x40000000}}},
    {"r.......", SpvOpFAdd, {"a comparison of one", PLUS1 "%c = OpFOrdLessThan %bool %sum %f3\n%r = OpSelect %u32 %c %u1 %u2\n", {0x4b800000, 0x3f800000, 0x40c00000, 0x40c00000, 0x40c00000, 0x40c00000, 0x40c00000, 0x40c00000}, {0},
     {2, 1, 2, 2, 2, 2, 2, 2}}},
    {".r......", SpvOpFAdd, {"to the even neighbour", "%sum = OpFAdd %f32 %fx %fy\n%r = OpBitcast %u32 %sum\n", {0x3f800000, 0x3f800001, 0x3f800000, 0x3f800000, 0x3f800000, 0x3f800000, 0x3f800000, 0x3f800000},
     {0x3f800000, 0x33800000, 0x3f800000, 0x3f800000, 0x3f800000, 0x3f800000, 0x3f800000, 0x3f800000}, {0x40000000, 0x3f800002, 0x40000000, 0x40000000, 0x40000000, 0x40000000, 0x40000000, 0x40000000}}},
    {"r.......", SpvOpFAdd, {"through a buffer and back", PLUS1 "%own = OpAccessChain %word_ptr %out %u0 %lane\n%tb = OpBitcast %u32 %sum\nOpStore %own %tb\n%r = OpLoad %u32 %own\n",
     {0x4b800000, 0x3f800000, 0x40000000, 0x40000000, 0x40000000, 0x40000000, 0x40000000, 0x40000000}, {0}, {0x4b800000, 0x40000000, 0x40400000, 0x40400000, 0x40400000, 0x40400000, 0x40400000, 0x40400000}}},

    // One order of atomics has results.
    {"oooooooo", SpvOpAtomicIAdd, {"a counter", COUNTER "%r = OpAtomicIAdd %u32 %pm %u1 %u0 %u1\n", .r = {10, 11, 12, 13, 14, 15, 16, 17}, FROM_TEN}, .order = 1, .more = ".."},
    {"oooooooo", SpvOpAtomicIAdd, {"backwards", COUNTER "%r = OpAtomicIAdd %u32 %pm %u1 %u0 %u1\n", .r = {17, 16, 15, 14, 13, 12, 11, 10}, FROM_TEN}, .order = 2, .more = ".."},
    {"uuuuuuuu", SpvOpAtomicIAdd, {"and none without an order", COUNTER "%r = OpAtomicIAdd %u32 %pm %u1 %u0 %u1\n", .r = SAME(U), FROM_TEN}, .more = ".."},
    {"........", 0, {"who comes last", COUNTER "%o = OpAtomicExchange %u32 %pm %u1 %u0 %lane\n" END, {1, 2}, .r = {1, 2}, FROM_TEN}, .order = 1, .more = "o."},
    {"nnnnnnnn", SpvOpUDiv, {"a counter of what has no value", AT0 "%only = OpIEqual %bool %lane %u2\n" THEN("%only", "OpStore %p %u0\n") BARRIER QUOTIENT
     "%old = OpAtomicIAdd %u32 %p %u2 %u0 %q\n" BARRIER "%r = OpLoad %u32 %p\n", ZEROS, EIGHTS, SAME(U)}, .order = 1},
    {"oooooooo", SpvOpAtomicExchange, {"in Workgroup memory", AT0 "%only = OpIEqual %bool %lane %u2\n" THEN("%only", "OpStore %p %u0\n") BARRIER
     "%old = OpAtomicExchange %u32 %p %u2 %u0 %lane\n" BARRIER "%r = OpLoad %u32 %p\n", .r = SAME(7)}, .order = 1},
    {"........", 0, {"sums of all orders are one", AT0 "%only = OpIEqual %bool %lane %u2\n" THEN("%only", "OpStore %p %u0\n") BARRIER
     "%old = OpAtomicIAdd %u32 %p %u2 %u0 %lane\n" BARRIER "%r = OpLoad %u32 %p\n", .r = SAME(28)}, .order = 1},

    {"rrrrrrrr", SpvOpFAdd, {"a sum of integers, of which one came of a rounded float", PLUS1 "%w = OpConvertFToU %u32 %sum\n%r = OpGroupNonUniformIAdd %u32 %u3 Reduce %w\n", {0x4b800000, 0x3f800000, 0x3f800000, 0x3f800000, 0x3f800000, 0x3f800000, 0x3f800000, 0x3f800000}, {0},
     SAME(0x100000e)}},
    {"nu......", SpvOpUDiv, {"each lane's own", "%first = OpINotEqual %bool %lane %u1\n" THEN("%first", "OpStore %local %x\n") "%l = OpLoad %u32 %local\n" QUOTIENT "%r = OpIAdd %u32 %q %l\n", {0, 1, 1, 1, 1, 1, 1, 1}, EIGHTS, {U, U, 9, 9, 9, 9, 9, 9}}, .unwritten_by = SpvOpLoad},
    {"nn......", SpvOpUDiv, {"through two variables of one buffer", "%pa = OpAccessChain %word_ptr %more %u0 %lane\n%pb = OpAccessChain %word_ptr %also %u0 %lane\n" QUOTIENT "OpStore %pa %q\n%r = OpLoad %u32 %pb\n", ZEROS, EIGHTS, {U, U, 8, 8, 8, 8, 8, 8},
     .annotations = "OpDecorate %more DescriptorSet 0\nOpDecorate %more Binding 2\nOpDecorate %also DescriptorSet 0\nOpDecorate %also Binding 2\n", .globals = "%more = OpVariable %block_ptr StorageBuffer\n%also = OpVariable %block_ptr StorageBuffer\n",
     .interface = " %more %also", .more_count = 8}, .more = "nn......", .more_op = SpvOpUDiv},
    {"uuuuuuuu", SpvOpLoad, {"a variable of a function begins anew", QUOTIENT "%r0 = OpFunctionCall %u32 %f %q\n%r = OpFunctionCall %u32 %f %x\n", ZEROS, EIGHTS, SAME(U), .globals = "%ft = OpTypeFunction %u32 %u32\n%pair_fn = OpTypePointer Function %uvec2\n",
     .functions = "%f = OpFunction %u32 None %ft\n%fp = OpFunctionParameter %u32\n%s = OpLabel\n%lv = OpVariable %pair_fn Function\n%old = OpLoad %uvec2 %lv\n%o1 = OpCompositeExtract %u32 %old 1\n%nv = OpCompositeConstruct %uvec2 %fp %fp\n"
     "OpStore %lv %nv\nOpReturnValue %o1\nOpFunctionEnd\n"}},
    {"nn......", SpvOpUDiv, {"the second of a dot product", QUOTIENT "%z = OpIAdd %u32 %x %x\n%v = OpCompositeConstruct %uvec2 %lane %q\n%w = OpCompositeConstruct %uvec2 %u1 %u1\n%r = OpUDot %u32 %v %w\n", ZEROS, EIGHTS, {U, U, 10, 11, 12, 13, 14, 15}}},
    {"........", 0, {"beside a rounded float", PLUS1 "%v = OpCompositeConstruct %vec2 %fy %sum\n%w = OpFNegate %vec2 %v\n%a = OpCompositeExtract %f32 %w 0\n%r = OpBitcast %u32 %a\n", {0x4b800000, 0x3f800000, 0x3f800000, 0x3f800000, 0x3f800000, 0x3f800000, 0x3f800000, 0x3f800000},
     SAME(0x40000000), SAME(0xc0000000)}},
    {"r.......", SpvOpFAdd, {"it itself", PLUS1 "%v = OpCompositeConstruct %vec2 %fy %sum\n%w = OpFNegate %vec2 %v\n%a = OpCompositeExtract %f32 %w 1\n%r = OpBitcast %u32 %a\n", {0x4b800000, 0x3f800000, 0x3f800000, 0x3f800000, 0x3f800000, 0x3f800000, 0x3f800000, 0x3f800000},
     SAME(0x40000000), {0xcb800000, 0xc0000000, 0xc0000000, 0xc0000000, 0xc0000000, 0xc0000000, 0xc0000000, 0xc0000000}}},
    {"rrrrrrrr", SpvOpFDiv, {"what is loaded from where a rounded number says", THIRDS "%i = OpConvertFToU %u32 %third\n%p = OpAccessChain %word_ptr %in %u0 %i\n%r = OpLoad %u32 %p\n", SAME(0x40400000), {0}, SAME(0x40400000)}},
    {"........", 0, {"what is stored there", THIRDS "%i = OpConvertFToU %u32 %third\n%at = OpBitwiseXor %u32 %i %lane\n%p = OpAccessChain %word_ptr %more %u0 %at\nOpStore %p %lane\n%r = OpIAdd %u32 %x %u0\n", SAME(0x40400000), {0}, SAME(0x40400000), AT_MORE, .more_count = 8},
     .more = "rrrrrrrr", .more_op = SpvOpFDiv},
    {"rrrrrrrr", SpvOpFDiv, {"of the lane's own", THIRDS "%i = OpConvertFToU %u32 %third\n%p = OpAccessChain %priv_pair %array %i\n%v = OpCompositeConstruct %uvec2 %x %lane\nOpStore %p %v\n%q1 = OpAccessChain %priv_pair %array %u1\n%w = OpLoad %uvec2 %q1\n%r = OpCompositeExtract %u32 %w 1\n",
     SAME(0x40400000), {0}, {0, 1, 2, 3, 4, 5, 6, 7}, PAIRS_OF_ITS_OWN}},
    {"nn......", SpvOpUDiv, {"the second of an array of pairs", QUOTIENT "%i = OpBitwiseAnd %u32 %lane %u3\n%p = OpAccessChain %priv_pair %array %i\n%v = OpCompositeConstruct %uvec2 %x %q\nOpStore %p %v\n%w = OpLoad %uvec2 %p\n%r = OpCompositeExtract %u32 %w 1\n", ZEROS, EIGHTS,
     {U, U, 8, 8, 8, 8, 8, 8}, PAIRS_OF_ITS_OWN}},
    {"........", 0, {"the first of it", QUOTIENT "%i = OpBitwiseAnd %u32 %lane %u3\n%p = OpAccessChain %priv_pair %array %i\n%v = OpCompositeConstruct %uvec2 %x %q\nOpStore %p %v\n%w = OpLoad %uvec2 %p\n%r = OpCompositeExtract %u32 %w 0\n", ZEROS, EIGHTS, ZEROS, PAIRS_OF_ITS_OWN}},
    {"nn......", SpvOpUDiv, {"by an atomic store", QUOTIENT "%p = OpAccessChain %word_ptr %more %u0 %lane\nOpAtomicStore %p %u1 %u0 %q\n%r = OpLoad %u32 %p\n", ZEROS, EIGHTS, {U, U, 8, 8, 8, 8, 8, 8}, AT_MORE, .more_count = 8}, .order = 1, .more = "nn......", .more_op = SpvOpUDiv},
    {"oooooooo", SpvOpAtomicLoad, {"an atomic load", "%p = OpAccessChain %word_ptr %more %u0 %lane\n%r = OpAtomicLoad %u32 %p %u1 %u0\n", .r = {5, 6, 7, 8, 9, 10, 11, 12}, AT_MORE, .more = {5, 6, 7, 8, 9, 10, 11, 12}, .more_count = 8}, .order = 1},
    {"rr......", SpvOpLoad, {"floats that Vulkan leaves open", "%p = OpAccessChain %float_ptr %more %u0 %lane\n%f = OpLoad %f32 %p\n%r = OpBitcast %u32 %f\n", .r = {0x7fc00000, 1, 0x3f800000, 0x3f800000, 0x3f800000, 0x3f800000, 0x3f800000, 0x3f800000},
     .annotations = "OpDecorate %more DescriptorSet 0\nOpDecorate %more Binding 2\nOpDecorate %floats ArrayStride 4\nOpDecorate %float_block Block\nOpMemberDecorate %float_block 0 Offset 0\n",
     .globals = "%floats = OpTypeRuntimeArray %f32\n%float_block = OpTypeStruct %floats\n%float_block_ptr = OpTypePointer StorageBuffer %float_block\n%float_ptr = OpTypePointer StorageBuffer %f32\n%more = OpVariable %float_block_ptr StorageBuffer\n", .interface = " %more",
     .more = {0x7fc00000, 1, 0x3f800000, 0x3f800000, 0x3f800000, 0x3f800000, 0x3f800000, 0x3f800000}, .more_count = 8}},
    {"nnnnnnnn", SpvOpUDiv, {"what has no value stays so", "%q = OpUDiv %u32 %x %u0\n%p = OpAccessChain %word_ptr %more %u0 %lane\nOpStore %p %q\n%pf = OpAccessChain %float_ptr %also %u0 %lane\n%f = OpLoad %f32 %pf\n%r = OpBitcast %u32 %f\n", .r = SAME(U),
     .annotations = "OpDecorate %more DescriptorSet 0\nOpDecorate %more Binding 2\nOpDecorate %also DescriptorSet 0\nOpDecorate %also Binding 2\nOpDecorate %floats ArrayStride 4\nOpDecorate %float_block Block\nOpMemberDecorate %float_block 0 Offset 0\n",
     .globals = "%floats = OpTypeRuntimeArray %f32\n%float_block = OpTypeStruct %floats\n%float_block_ptr = OpTypePointer StorageBuffer %float_block\n%float_ptr = OpTypePointer StorageBuffer %f32\n%also = OpVariable %float_block_ptr StorageBuffer\n"
     "%more = OpVariable %block_ptr StorageBuffer\n", .interface = " %more %also", .more_count = 8}},
    // The second of two, wherever it lies.
    {"nn......", SpvOpUDiv, {"the second operand of an extended instruction", QUOTIENT "%r = OpExtInst %u32 %glsl UMax %lane %q\n", ZEROS, EIGHTS, {U, U, 8, 8, 8, 8, 8, 8}}},
    {"nn......", SpvOpUDiv, {"the second of a variable", QUOTIENT "%v = OpCompositeConstruct %uvec2 %x %q\nOpStore %pair %v\n%w = OpLoad %uvec2 %pair\n%r = OpCompositeExtract %u32 %w 1\n", ZEROS, EIGHTS, {U, U, 8, 8, 8, 8, 8, 8}, PAIR}},
    {"........", 0, {"the first of a variable", QUOTIENT "%v = OpCompositeConstruct %uvec2 %x %q\nOpStore %pair %v\n%w = OpLoad %uvec2 %pair\n%r = OpCompositeExtract %u32 %w 0\n", ZEROS, EIGHTS, ZEROS, PAIR}},
    {"nn......", SpvOpUDiv, {"the second of Workgroup memory", QUOTIENT "%v = OpCompositeConstruct %uvec2 %x %q\n%p = OpAccessChain %wg_pair %pairs %lane\nOpStore %p %v\n%w = OpLoad %uvec2 %p\n%r = OpCompositeExtract %u32 %w 1\n", ZEROS, EIGHTS, {U, U, 8, 8, 8, 8, 8, 8}, PAIRS}},
    {"........", 0, {"the first of it", QUOTIENT "%v = OpCompositeConstruct %uvec2 %x %q\n%p = OpAccessChain %wg_pair %pairs %lane\nOpStore %p %v\n%w = OpLoad %uvec2 %p\n%r = OpCompositeExtract %u32 %w 0\n", ZEROS, EIGHTS, ZEROS, PAIRS}},
    {"nnnnnnnn", SpvOpUDiv, {"the second of a sum", QUOTIENT "%v = OpCompositeConstruct %uvec2 %x %q\n%w = OpGroupNonUniformIAdd %uvec2 %u3 Reduce %v\n%r = OpCompositeExtract %u32 %w 1\n", ZEROS, EIGHTS, SAME(U)}},
    {"........", 0, {"the first of a sum", QUOTIENT "%v = OpCompositeConstruct %uvec2 %x %q\n%w = OpGroupNonUniformIAdd %uvec2 %u3 Reduce %v\n%r = OpCompositeExtract %u32 %w 0\n", ZEROS, EIGHTS, SAME(6)}},
    {"pppp....", SpvOpGroupNonUniformBallot, {"the second word of a ballot of which nothing is promised", "%c = OpULessThan %bool %lane %u4\nOpStore %local %x\n" THEN("%c", "%v = OpGroupNonUniformBallot %uvec4 %u3 %true\n%b = OpCompositeExtract %u32 %v 1\nOpStore %local %b\n")
      "%r = OpLoad %u32 %local\n", {1, 2, 3, 4, 5, 6, 7, 8}, .r = {U, U, U, U, 5, 6, 7, 8}}, .model = SPV_SUBGROUP_UNIFORM},
    {"nnnnuuuu", SpvOpUDiv, {"what one subgroup has written the next has not", QUOTIENT "%c = OpULessThan %bool %lane %u4\n" THEN("%c", "OpStore %pair0 %q\n") "%r = OpLoad %u32 %pair0\n", {0}, {0}, {U, U, U, U, U, U, U, U},
     .globals = "%priv = OpTypePointer Private %u32\n%pair0 = OpVariable %priv Private\n", .interface = " %pair0"}, .subgroup = 4, .unwritten_by = SpvOpLoad},
    // What is put anew leaves nothing of what was there; what is compared counts as well.
    {"........", 0, {"an exchange", OWN QUOTIENT "OpStore %p %q\n%old = OpAtomicExchange %u32 %p %u1 %u0 %u5\n%r = OpLoad %u32 %p\n", ZEROS, EIGHTS, SAME(5), AT_MORE, .more_count = 8}, .order = 1, .more = "........"},
    {"........", 0, {"an atomic store", OWN QUOTIENT "OpStore %p %q\nOpAtomicStore %p %u1 %u0 %u5\n%r = OpLoad %u32 %p\n", ZEROS, EIGHTS, SAME(5), AT_MORE, .more_count = 8}, .order = 1, .more = "........"},
    {"nn......", SpvOpUDiv, {"compared with what has no value", OWN QUOTIENT "%old = OpAtomicCompareExchange %u32 %p %u1 %u0 %u0 %u5 %q\n%r = OpLoad %u32 %p\n", ZEROS, EIGHTS, {U, U, 0, 0, 0, 0, 0, 0}, AT_MORE, .more_count = 8}, .order = 1,
     .more = "nn......", .more_op = SpvOpUDiv},
    {"nn......", SpvOpUDiv, {"what an atomic finds", OWN QUOTIENT "OpStore %p %q\n%r = OpAtomicExchange %u32 %p %u1 %u0 %u5\n", ZEROS, EIGHTS, {U, U}, AT_MORE, .more_count = 8, .active = 3}, .order = 1, .more = "........"},
    {"........", 0, {"one more", OWN "%old = OpAtomicIIncrement %u32 %p %u1 %u0\n%r = OpLoad %u32 %p\n", .r = {6, 7, 8, 9, 10, 11, 12, 13}, AT_MORE, .more = {5, 6, 7, 8, 9, 10, 11, 12}, .more_count = 8}, .order = 1, .more = "........"},
    // Numbers of 64 bits are two words, two of 16 are one.
    {"nn......", SpvOpUDiv, {"64 bits of a buffer", QUOTIENT "%w = OpUConvert %u64 %q\n%p = OpAccessChain %long_ptr %more %u0 %lane\nOpStore %p %w\n%l = OpLoad %u64 %p\n%r = OpUConvert %u32 %l\n", ZEROS, EIGHTS, {U, U, 8, 8, 8, 8, 8, 8}, LONGS},
     .more = "nnnn............", .more_op = SpvOpUDiv},
    {"nn......", SpvOpUDiv, {"the upper half of them", QUOTIENT "%v = OpCompositeConstruct %uvec2 %x %q\n%w = OpBitcast %u64 %v\n%p = OpAccessChain %long_ptr %more %u0 %lane\nOpStore %p %w\n%i = OpIMul %u32 %lane %u2\n%j = OpIAdd %u32 %i %u1\n"
      "%p1 = OpAccessChain %word_ptr %words_too %u0 %j\n%r = OpLoad %u32 %p1\n", ZEROS, EIGHTS, {U, U, 8, 8, 8, 8, 8, 8}, LONGS}, .more = "nnnn............", .more_op = SpvOpUDiv},
    {"nn......", SpvOpUDiv, {"a half of a word", QUOTIENT HALVES "OpStore %low %qs\nOpStore %high %xs\n%l = OpLoad %u16 %low\n%r = OpUConvert %u32 %l\n", ZEROS, EIGHTS, {U, U, 8, 8, 8, 8, 8, 8}, SHORTS}, .more = "nn......", .more_op = SpvOpUDiv},
    {"........", 0, {"the other half", QUOTIENT HALVES "OpStore %high %qs\nOpStore %low %xs\n%l = OpLoad %u16 %low\n%r = OpUConvert %u32 %l\n", ZEROS, EIGHTS, ZEROS, SHORTS}, .more = "nn......", .more_op = SpvOpUDiv},
    {"........", 0, {"both of them anew", QUOTIENT HALVES "OpStore %high %qs\nOpStore %low %qs\nOpStore %high %xs\nOpStore %low %xs\n%l = OpLoad %u16 %high\n%r = OpUConvert %u32 %l\n", ZEROS, EIGHTS, ZEROS, SHORTS}, .more = "........"},
    {"nn......", SpvOpUDiv, {"of an array of buffers the second", QUOTIENT "%p = OpAccessChain %word_ptr %more %u1 %u0 %lane\nOpStore %p %q\n%r = OpLoad %u32 %p\n", ZEROS, EIGHTS, {U, U, 8, 8, 8, 8, 8, 8}, BUFFERS}, .more = "........nn......", .more_op = SpvOpUDiv},
    {"......nn", SpvOpUDiv, {"of another set, the last of it", OWN QUOTIENT "OpStore %p %q\n%r = OpLoad %u32 %p\n", {1, 1, 1, 1, 1, 1, 0, 0}, EIGHTS, {8, 8, 8, 8, 8, 8, U, U}, .annotations = "OpDecorate %more DescriptorSet 1\nOpDecorate %more Binding 1\n",
     .globals = "%more = OpVariable %block_ptr StorageBuffer\n", .interface = " %more", .more_count = 8}, .more = "......nn", .more_op = SpvOpUDiv},
    {"........", 0, {"of another set, beside it", OWN QUOTIENT "OpStore %p %q\n%r = OpIAdd %u32 %x %u0\n", ZEROS, EIGHTS, ZEROS, .annotations = "OpDecorate %more DescriptorSet 1\nOpDecorate %more Binding 1\n",
     .globals = "%more = OpVariable %block_ptr StorageBuffer\n", .interface = " %more", .more_count = 8}, .more = "nn......", .more_op = SpvOpUDiv},
    {"nn......", SpvOpUDiv, {"the first variable of all", QUOTIENT "OpStore %px %q\n%r = OpLoad %u32 %px\n", ZEROS, EIGHTS, {U, U, 8, 8, 8, 8, 8, 8}}, .first = "nn.............."},
    {"oooooooo", SpvOpAtomicExchange, {"a float that Vulkan leaves open, of an order", "%pm = OpAccessChain %word_ptr %more %u0 %u0\n%o = OpAtomicExchange %u32 %pm %u1 %u0 %nan\nOpControlBarrier %u2 %u2 %u72\n"
     "%pf = OpAccessChain %float_ptr %also %u0 %u0\n%f = OpLoad %f32 %pf\n%r = OpBitcast %u32 %f\n", .r = SAME(0x7fc00000),
     .annotations = AT_2 "OpDecorate %also DescriptorSet 0\nOpDecorate %also Binding 2\nOpDecorate %more Coherent\nOpDecorate %also Coherent\nOpDecorate %floats ArrayStride 4\nOpDecorate %float_block Block\nOpMemberDecorate %float_block 0 Offset 0\n",
     .globals = "%nan = OpConstant %u32 0x7fc00000\n%floats = OpTypeRuntimeArray %f32\n%float_block = OpTypeStruct %floats\n%float_block_ptr = OpTypePointer StorageBuffer %float_block\n%float_ptr = OpTypePointer StorageBuffer %f32\n"
     "%also = OpVariable %float_block_ptr StorageBuffer\n%more = OpVariable %block_ptr StorageBuffer\n", .interface = " %more %also", .more_count = 2}, .order = 1, .more = "o."},
    {"uuuuuuuu", SpvOpLoad, {"Workgroup memory that another workgroup has written", "%wv = OpLoad %uvec3 %group\n%w = OpCompositeExtract %u32 %wv 0\n%first = OpIEqual %bool %w %u0\n%own = OpAccessChain %shared_word_ptr %shared %lane\n" QUOTIENT
     "OpSelectionMerge %j None\nOpBranchConditional %first %t %j\n%t = OpLabel\nOpStore %own %q\nOpReturn\n%j = OpLabel\n%r = OpLoad %u32 %own\n", SAME(0), EIGHTS, SAME(U), GROUP}, .groups = 2},
    {"........", 0, {"a variable of a function begins anew, with a value", QUOTIENT "%r0 = OpFunctionCall %u32 %f %q\n%r = OpFunctionCall %u32 %f %x\n", ZEROS, EIGHTS, SAME(5), .globals = "%ft = OpTypeFunction %u32 %u32\n",
     .functions = "%f = OpFunction %u32 None %ft\n%fp = OpFunctionParameter %u32\n%s = OpLabel\n%lv = OpVariable %u32_fn_ptr Function %u5\n%old = OpLoad %u32 %lv\nOpStore %lv %fp\nOpReturnValue %old\nOpFunctionEnd\n"}},
    {"........", 0, {"behind a rounded float", PLUS1 "%v = OpCompositeConstruct %vec2 %sum %fy\n%w = OpFNegate %vec2 %v\n%a = OpCompositeExtract %f32 %w 1\n%r = OpBitcast %u32 %a\n", {0x4b800000, 0x3f800000, 0x3f800000, 0x3f800000, 0x3f800000, 0x3f800000, 0x3f800000, 0x3f800000},
     SAME(0x40000000), SAME(0xc0000000)}},
    {"r.......", SpvOpFAdd, {"whether any of two is less, of which the second has rounded", PLUS1 "%v = OpCompositeConstruct %vec2 %fy %sum\n%w = OpCompositeConstruct %vec2 %f3 %f3\n%z = OpIAdd %u32 %x %x\n%lt = OpFOrdLessThan %bvec2 %v %w\n"
     "%any = OpAny %bool %lt\n%r = OpSelect %u32 %any %u1 %u2\n", {0x4b800000, 0x3f800000, 0x3f800000, 0x3f800000, 0x3f800000, 0x3f800000, 0x3f800000, 0x3f800000}, SAME(0x40000000), SAME(1)}},
    {"rr......", SpvOpLoad, {"the second of two floats that Vulkan leaves open", "%p = OpAccessChain %two_ptr %more %u0 %lane\n%v = OpLoad %vec2 %p\n%f = OpCompositeExtract %f32 %v 1\n%r = OpBitcast %u32 %f\n",
     .r = {0x7fc00000, 1, 0x3f800000, 0x3f800000, 0x3f800000, 0x3f800000, 0x3f800000, 0x3f800000}, .annotations = AT_2 "OpDecorate %twos ArrayStride 8\nOpDecorate %two_block Block\nOpMemberDecorate %two_block 0 Offset 0\n",
     .globals = "%twos = OpTypeRuntimeArray %vec2\n%two_block = OpTypeStruct %twos\n%two_block_ptr = OpTypePointer StorageBuffer %two_block\n%two_ptr = OpTypePointer StorageBuffer %vec2\n%more = OpVariable %two_block_ptr StorageBuffer\n", .interface = " %more",
     .more = {0x3f800000, 0x7fc00000, 0x3f800000, 1, 0, 0x3f800000, 0, 0x3f800000, 0, 0x3f800000, 0, 0x3f800000, 0, 0x3f800000, 0, 0x3f800000}, .more_count = 16}},
    {"nn......", SpvOpUDiv, {"the second of a pair, by itself", QUOTIENT "%i = OpBitwiseAnd %u32 %lane %u3\n%p = OpAccessChain %priv_pair %array %i\n%v = OpCompositeConstruct %uvec2 %x %q\nOpStore %p %v\n%priv1 = OpAccessChain %priv_word %array %i %u1\n%r = OpLoad %u32 %priv1\n",
     ZEROS, EIGHTS, {U, U, 8, 8, 8, 8, 8, 8}, .globals = "%four_pairs = OpTypeArray %uvec2 %u4\n%priv = OpTypePointer Private %four_pairs\n%priv_pair = OpTypePointer Private %uvec2\n%priv_word = OpTypePointer Private %u32\n%array = OpVariable %priv Private\n", .interface = " %array"}},
    {"........", 0, {"of two arrays the first", QUOTIENT "%p = OpAccessChain %priv_word %array %u3\nOpStore %p %x\n%p2 = OpAccessChain %priv_word %array2 %u2\nOpStore %p2 %q\n%r = OpLoad %u32 %p\n", ZEROS, EIGHTS, ZEROS,
     .globals = "%four = OpTypeArray %u32 %u4\n%priv = OpTypePointer Private %four\n%priv_word = OpTypePointer Private %u32\n%array = OpVariable %priv Private\n%array2 = OpVariable %priv Private\n", .interface = " %array %array2"}},
    {"nn......", SpvOpUDiv, {"every second word", QUOTIENT "%i = OpIMul %u32 %lane %u2\n%p = OpAccessChain %word_ptr %more %u0 %i\nOpStore %p %q\n%r = OpLoad %u32 %p\n", ZEROS, EIGHTS, {U, U, 8, 8, 8, 8, 8, 8}, AT_MORE, .more_count = 16},
     .more = "n.n.............", .more_op = SpvOpUDiv},
    // Who is asked.
    {"uuuuuuuu", SpvOpUDot, {"a dot product whose second is OpUndef", "%z = OpIAdd %u32 %x %x\n%v = OpCompositeConstruct %uvec2 %x %none\n%one = OpIAdd %u32 %u1 %u0\n%w = OpCompositeConstruct %uvec2 %one %one\n%r = OpUDot %u32 %v %w\n", .r = SAME(U), .globals = "%none = OpUndef %u32\n"}},
    {"........", 0, {"a select takes the other side", QUOTIENT "%c = OpULessThan %bool %lane %u2\n%r = OpSelect %u32 %c %x %q\n", ZEROS, EIGHTS, {0, 0, 8, 8, 8, 8, 8, 8}}},
    {"........", 0, {"a vector that had no value before", QUOTIENT "OpBranch %h\n%h = OpLabel\n%n = OpPhi %u32 %u0 %then %m %k\n%w = OpPhi %u32 %q %then %u5 %k\nOpLoopMerge %e %k None\nOpBranch %k\n%k = OpLabel\n%v = OpCompositeConstruct %uvec2 %x %w\n"
      "%vv = OpIAdd %uvec2 %v %v\n%m = OpIAdd %u32 %n %u1\n%g = OpULessThan %bool %m %u2\nOpBranchConditional %g %h %e\n%e = OpLabel\n%r = OpCompositeExtract %u32 %vv 1\n", ZEROS, EIGHTS, SAME(10)}},
    {"nnnnnnnn", SpvOpGroupNonUniformFAdd, {"a cluster of floats larger than the subgroup", "%s = OpGroupNonUniformFAdd %f32 %u3 ClusteredReduce %fx %u16c\n%r = OpBitcast %u32 %s\n", .r = SAME(U)}},
    {"nn......", SpvOpUDiv, {"the first operand of an extended instruction", QUOTIENT "%r = OpExtInst %u32 %glsl UMin %q %u5\n", ZEROS, EIGHTS, {U, U, 5, 5, 5, 5, 5, 5}}},
    {"uuuuuuuu", SpvOpLoad, {"OpUndef through a variable", "OpStore %local %none\n%r = OpLoad %u32 %local\n", .r = SAME(U), .globals = "%none = OpUndef %u32\n"}},
    {"........", 0, {"a phi that had no value before", QUOTIENT "OpBranch %h\n%h = OpLabel\n%n = OpPhi %u32 %u0 %then %m %k\n%w = OpPhi %u32 %q %then %u5 %k\nOpLoopMerge %e %k None\nOpBranch %k\n%k = OpLabel\n%m = OpIAdd %u32 %n %u1\n"
      "%g = OpULessThan %bool %m %u2\nOpBranchConditional %g %h %e\n%e = OpLabel\n%r = OpIAdd %u32 %w %u0\n", ZEROS, EIGHTS, SAME(5)}},
    {"nnnnnnnn", SpvOpGroupNonUniformIAdd, {"a cluster larger than the subgroup", "%r = OpGroupNonUniformIAdd %u32 %u3 ClusteredReduce %x %u16c\n", .r = SAME(U)}},
    {"rrrrrrrr", SpvOpGroupNonUniformFMul, {"a product that rounds", "%s = OpGroupNonUniformFMul %f32 %u3 Reduce %fx\n%r = OpBitcast %u32 %s\n", {0x3f800001, 0x3f800001, 0x3f800000, 0x3f800000, 0x3f800000, 0x3f800000, 0x3f800000, 0x3f800000}, {0}, SAME(0x3f800002)}},
    {"rr......", SpvOpExtInst, {"a number and its fraction", "%s = OpExtInst %f32 %glsl Modf %fx %whole\n%r = OpBitcast %u32 %s\n", {0x7f800000, 0xff800000, 0x3fc00000, 0x40200000, 0x3fa00000, 0x3fc00000, 0x3fc00000, 0x3fc00000}, {0},
     {0, 0x80000000, 0x3f000000, 0x3f000000, 0x3e800000, 0x3f000000, 0x3f000000, 0x3f000000}, WHOLE}},
    {"rrrrrrrr", SpvOpFDiv, {"the whole of what has rounded", THIRDS "%s = OpExtInst %f32 %glsl Modf %third %whole\n%l = OpLoad %f32 %whole\n%r = OpBitcast %u32 %l\n", SAME(0x40e00000), {0}, SAME(0x40000000), WHOLE}},
    {"rrrrrrrr", SpvOpFDiv, {"the last whole of four", THIRDS "%v = OpCompositeConstruct %vec4 %f1 %f1 %f1 %third\n%s = OpExtInst %vec4 %glsl Modf %v %whole\n%w = OpLoad %vec4 %whole\n%l = OpCompositeExtract %f32 %w 3\n%r = OpBitcast %u32 %l\n",
     SAME(0x40e00000), {0}, SAME(0x40000000), .globals = "%whole_ptr = OpTypePointer Private %vec4\n%whole = OpVariable %whole_ptr Private\n", .interface = " %whole"}},
    // Texels.
    {"........", 0, {"what was there", TEXEL READ, {0}, {0}, {20, 21, 22, 23, 24, 25, 26, 27}, IMAGE}, .more = "........"},
    {"n.....nn", SpvOpUDiv, {"written and read", TEXEL QUOTIENT WRITE READ, {0, 1, 1, 1, 1, 1, 0, 0}, EIGHTS, {U, 8, 8, 8, 8, 8, U, U}, IMAGE}, .more = "n.....nn", .more_op = SpvOpUDiv},
    {"nn......", SpvOpUDiv, {"of an array, by an index", "%z = OpBitwiseAnd %u32 %lane %u0\n%e = OpAccessChain %image_ptr %more %z\n%im = OpLoad %image %e\n%at = OpCompositeConstruct %uvec2 %lane %u0\n" QUOTIENT WRITE READ, ZEROS, EIGHTS, {U, U, 8, 8, 8, 8, 8, 8}, IMAGES},
     .more = "nn..............", .more_op = SpvOpUDiv},
    {"........", 0, {"written again", TEXEL QUOTIENT WRITE "%fives = OpCompositeConstruct %uvec4 %u5 %u5 %u5 %u5\nOpImageWrite %im %at %fives\n" READ, ZEROS, EIGHTS, SAME(5), IMAGE}, .more = "........"},
    {"uuuuuuuu", SpvOpImageRead, {"read of what another instruction left without a birth", TEXEL "%none = OpUndef %u32\n%nones = OpCompositeConstruct %uvec4 %none %none %none %none\nOpImageWrite %im %at %nones\n" READ, {0}, {0}, SAME(U), IMAGE},
     .more = "........"},
    // In 16 bits, as RelaxedPrecision allows.
    {"........", 0, {"a variable of RelaxedPrecision", "OpStore %local %x\n%r = OpLoad %u32 %local\n", {0x10001, 0xffff, 5}, {0}, {0x10001, 0xffff, 5}, .annotations = "OpDecorate %shared RelaxedPrecision\nOpDecorate %local RelaxedPrecision\n"}},
    {"........", 0, {"a word in 16 bits", "%r = OpIAdd %u32 %x %y\n", {0x10001, 0xffff, 5}, {1, 1, 6}, {2, 0, 11}, .annotations = "OpDecorate %r RelaxedPrecision\n"}, .relaxed = true},
    {"........", 0, {"in 32 where it is not asked for", "%r = OpIAdd %u32 %x %y\n", {0x10001, 0xffff, 5}, {1, 1, 6}, {0x10002, 0x10000, 11}, .annotations = "OpDecorate %r RelaxedPrecision\n"}},
    {"........", 0, {"or not allowed", "%r = OpIAdd %u32 %x %y\n", {0x10001, 0xffff, 5}, {1, 1, 6}, {0x10002, 0x10000, 11}}, .relaxed = true},
    {"........", 0, {"a signed one", "%a = OpBitcast %i32 %x\n%b = OpIAdd %i32 %a %a\n%r = OpBitcast %u32 %b\n", {0x4000, 0xffffffff, 5}, {0}, {0xffff8000, 0xfffffffe, 10}, .annotations = "OpDecorate %b RelaxedPrecision\n"}, .relaxed = true},
    {"........", 0, {"the second of two", "%v = OpCompositeConstruct %uvec2 %x %x\n%w = OpIAdd %uvec2 %v %v\n%r = OpCompositeExtract %u32 %w 1\n", {0x10001, 0xffff, 5}, {0}, {2, 0xfffe, 10}, .annotations = "OpDecorate %w RelaxedPrecision\n"}, .relaxed = true},
    // What may be contracted or is divided is not sure; the value it has is one of 16 bits as well.
    {"rr......", SpvOpFAdd, {"a float: 2049 is between two of them", "%s = OpFAdd %f32 %fx %f1\n%r = OpBitcast %u32 %s\n", {0x45000000, 0x44ffe000, 0x3f800000, 0x3f800000, 0x3f800000, 0x3f800000, 0x3f800000, 0x3f800000}, {0},
     {0x45000000, 0x45000000, 0x40000000, 0x40000000, 0x40000000, 0x40000000, 0x40000000, 0x40000000}, .annotations = "OpDecorate %s RelaxedPrecision\n"}, .relaxed = true},
    {"rr......", SpvOpFAdd, {"the same in 32 bits", "%s = OpFAdd %f32 %fx %f1\n%r = OpBitcast %u32 %s\n", {0x45000000, 0x44ffe000, 0x3f800000, 0x3f800000, 0x3f800000, 0x3f800000, 0x3f800000, 0x3f800000}, {0},
     {0x45001000, 0x45000000, 0x40000000, 0x40000000, 0x40000000, 0x40000000, 0x40000000, 0x40000000}}, .relaxed = true},
    {"rrrrrrrr", SpvOpFDiv, {"a third", THIRDS "%r = OpBitcast %u32 %third\n", SAME(0x3f800000), {0}, SAME(0x3eaaa000), .annotations = "OpDecorate %third RelaxedPrecision\n"}, .relaxed = true},
    {"........", 0, {"64 bits are not relaxed", "%a = OpUConvert %u64 %x\n%b = OpIAdd %u64 %a %a\n%r = OpUConvert %u32 %b\n", {0x10001, 0xffff, 5}, {0}, {0x20002, 0x1fffe, 10}, .annotations = "OpDecorate %b RelaxedPrecision\n", .is_invalid = true}, .relaxed = true},
    {"........", 0, {"nor are 16", "%a = OpUConvert %u16 %x\n%b = OpIAdd %u16 %a %a\n%c = OpUConvert %u32 %b\n%r = OpIAdd %u32 %c %u1\n", {0x10001, 0x7fff, 5}, {0}, {3, 0xffff, 11, 1, 1, 1, 1, 1}, .annotations = "OpDecorate %b RelaxedPrecision\n", .is_invalid = true}, .relaxed = true},
    {"........", 0, {"what others have stays", "OpBranch %h\n%h = OpLabel\n%n = OpPhi %u32 %u0 %then %m %k\nOpLoopMerge %e %k None\nOpBranch %bb\n%bb = OpLabel\n%w = OpIAdd %u32 %x %n\n%last = OpUGreaterThanEqual %bool %n %lane\nOpBranchConditional %last %e %k\n"
     "%k = OpLabel\n%m = OpIAdd %u32 %n %u1\nOpBranch %h\n%e = OpLabel\n%r = OpIAdd %u32 %w %u0\n", {0x10001, 0x10001, 0x1ffff, 0x10005}, {0}, {1, 2, 1, 8, 4, 5, 6, 7}, .annotations = "OpDecorate %w RelaxedPrecision\n"}, .relaxed = true},
    {"rrrrrrrr", SpvOpMatrixTimesScalar, {"a matrix", "%col = OpCompositeConstruct %vec2 %fx %f1\n%mm = OpCompositeConstruct %mat2 %col %col\n%ms = OpMatrixTimesScalar %mat2 %mm %f3\n%c1 = OpCompositeExtract %f32 %ms 1 0\n%r = OpBitcast %u32 %c1\n", SAME(0x442ac000), {0},
     SAME(0x45000000), .annotations = "OpDecorate %ms RelaxedPrecision\n"}, .relaxed = true},
    {"........", 0, {"a truth has no more bits", "%c = OpULessThan %bool %x %y\n%r = OpSelect %u32 %c %u1 %u2\n", {0x10001, 0xffff, 5}, {1, 1, 6}, {2, 2, 1, 2, 2, 2, 2, 2}, .annotations = "OpDecorate %c RelaxedPrecision\n"}, .relaxed = true},

    // What hangs on who is in the tangle.
    {"pppp....", SpvOpGroupNonUniformBallot, {"half a subgroup, of which nothing is promised", "%c = OpULessThan %bool %lane %u4\nOpStore %local %x\n" THEN("%c", BALLOT "OpStore %local %b\n") "%r = OpLoad %u32 %local\n",
     {1, 2, 3, 4, 5, 6, 7, 8}, .r = {U, U, U, U, 5, 6, 7, 8}}, .model = SPV_SUBGROUP_UNIFORM},
    {"pppp....", SpvOpGroupNonUniformBallot, {"a whole subgroup, and another one that is not there", "%c = OpULessThan %bool %lane %u4\nOpStore %local %x\n" THEN("%c", BALLOT "OpStore %local %b\n") "%r = OpLoad %u32 %local\n",
     {1, 2, 3, 4, 5, 6, 7, 8}, .r = {U, U, U, U, 5, 6, 7, 8}}, .model = SPV_WORKGROUP_UNIFORM, .subgroup = 4},
    {"pp......", SpvOpGroupNonUniformBallot, {"two values, one case, and nothing is promised of a part", "OpStore %local %x\nOpSelectionMerge %j None\nOpSwitch %lane %j 0 %o 1 %o\n%o = OpLabel\n" BALLOT "OpStore %local %b\nOpBranch %j\n%j = OpLabel\n%r = OpLoad %u32 %local\n",
     {1, 2, 3, 4, 5, 6, 7, 8}, .r = {U, U, 3, 4, 5, 6, 7, 8}}, .model = SPV_SUBGROUP_UNIFORM, .any_policy = true},
    {"........", 0, {"the same, promised", "%c = OpULessThan %bool %lane %u4\nOpStore %local %x\n" THEN("%c", BALLOT "OpStore %local %b\n") "%r = OpLoad %u32 %local\n",
     {1, 2, 3, 4, 5, 6, 7, 8}, .r = {15, 15, 15, 15, 5, 6, 7, 8}}},
    {"cc......", SpvOpGroupNonUniformBallot, {"two values, one case", "OpStore %local %x\nOpSelectionMerge %j None\nOpSwitch %lane %j 0 %o 1 %o\n%o = OpLabel\n" BALLOT "OpStore %local %b\nOpBranch %j\n%j = OpLabel\n%r = OpLoad %u32 %local\n",
     {1, 2, 3, 4, 5, 6, 7, 8}, .r = {U, U, 3, 4, 5, 6, 7, 8}}, .any_policy = true},
    {"........", 0, {"the same where all join", "OpStore %local %x\nOpSelectionMerge %j None\nOpSwitch %lane %j 0 %o 1 %o\n%o = OpLabel\n" BALLOT "OpStore %local %b\nOpBranch %j\n%j = OpLabel\n%r = OpLoad %u32 %local\n",
     {1, 2, 3, 4, 5, 6, 7, 8}, .r = {3, 3, 3, 4, 5, 6, 7, 8}}},
    {"........", 0, {"a bit of a ballot is the same whoever is there", "%c = OpULessThan %bool %lane %u4\nOpStore %local %x\n" THEN("%c", "%b = OpGroupNonUniformBallotBitCount %u32 %u3 Reduce %three\nOpStore %local %b\n") "%r = OpLoad %u32 %local\n",
     {1, 2, 3, 4, 5, 6, 7, 8}, .r = {2, 2, 2, 2, 5, 6, 7, 8}, .globals = "%three = OpConstantComposite %uvec4 %u3 %u0 %u0 %u0\n"}, .model = SPV_SUBGROUP_UNIFORM},
};


struct traced {
    struct spv_module m;
    struct orc_trace t;
    struct orc_result r;
};

static void trace(struct spv_tools *tools, struct arena *a, const struct row *row, struct orc_options o, enum spv_model model, uint32_t subgroup, uint32_t groups, struct traced *out)
{
    struct spv_case c;
    struct err e;
    row_case(tools, a, row, &c);
    c.model = model;
    c.groups[0] = groups;
    c.subgroup = subgroup ? subgroup : LANES;
    if (row->annotations && strstr(row->annotations, "%more DescriptorSet 1\nOpDecorate %more Binding 1"))
        c.buffer[2].set = c.buffer[2].binding = 1;
    if (row->globals && strstr(row->globals, "OpTypeImage"))
        c.buffer[2].image = (struct spv_image_form){.shape = SPV_IMAGE_2D, .size = {8, 1, 1}, .layers = 1, .texel = SPV_R32UI, .count = strstr(row->globals, "%images") ? 2 : 1};
    static uint32_t *stale[3]; // what a run before it has left there counts for nothing
    *out = (struct traced){.t = {.arena = a, .words = stale, .fault = {ORC_ORIGIN_CHOICE, 1}, .fixed = true, .object = true, .variable = 1, .many = true, .byte = 99, .has_other = true, .other_reads = true, .branches = {1, 1, 1, 1}, .outside = 99, .atomics = 99}};
    assert_true(spv_module_read(a, c.words, c.count, &out->m, &e));
    o.trace = &out->t;
    struct orc_why why;
    struct orc_program *p = orc_load_assumed(a, &c, &why);
    if (!p)
        fail_msg("%s: %s", row->name, why.text);
    orc_run(p, a, &c, 0, &o, &out->r);
}

static int told(const char *name, const char *want, uint32_t op, uint32_t unwritten_by, const struct spv_module *m, const uint32_t *codes)
{
    int wrong = 0;
    for (uint32_t k = 0; want[k]; k++) {
        const struct orc_origin o = codes ? orc_origin(codes[k]) : (struct orc_origin){0};
        const uint32_t by = o.birth ? m->insts[o.inst].op : 0;
        if (letter(o.birth) != want[k] || (want[k] == '.' && codes && codes[k]) || (want[k] != '.' && by != (want[k] == 'u' && unwritten_by ? unwritten_by : op))) {
            print_error("%s, word %u: '%c' of op %u, expected '%c' of op %u\n", name, k, letter(o.birth), by, want[k], op);
            wrong++;
        }
    }
    return wrong;
}

static void test_births(void **state)
{
    (void)state;
    struct spv_tools *tools = spv_tools_new();
    int wrong = 0;
    for (size_t k = 0; k < sizeof births / sizeof *births; k++) {
        const struct born *b = &births[k];
        struct arena a = {0};
        struct traced x;
        trace(tools, &a, &b->row, (struct orc_options){.order = b->order, .any_policy = b->any_policy, .relaxed = b->relaxed}, b->model, b->subgroup, b->groups ? b->groups : 1, &x);
        if (x.r.why.status != RAN_OK)
            fail_msg("%s: %s", b->row.name, x.r.why.text);
        wrong += told(b->row.name, b->letters, b->op, b->unwritten_by, &x.m, x.t.words[1]);
        if (b->more)
            wrong += told(b->row.name, b->more, b->more_op ? b->more_op : SpvOpAtomicExchange, 0, &x.m, x.t.words[2]);
        if (b->first)
            wrong += told(b->row.name, b->first, b->op, 0, &x.m, x.t.words[0]);
        else
            assert_null(x.t.words[0]);
        assert_int_equal(x.t.fault.birth, ORC_ORIGIN_SURE);
        for (uint32_t l = 0; l < LANES; l++) {
            const uint32_t mask = x.r.memory[1].mask ? x.r.memory[1].mask[l] : UINT32_MAX;
            if (b->row.r[l] == U ? mask != 0 : mask != UINT32_MAX || x.r.memory[1].words[l] != b->row.r[l]) {
                print_error("%s, lane %u: got 0x%x (mask 0x%x), expected 0x%x\n", b->row.name, l, x.r.memory[1].words[l], mask, b->row.r[l]);
                wrong++;
            }
        }
        arena_free(&a);
    }
    spv_tools_free(tools);
    assert_int_equal(wrong, 0);
}

// ---- what made it end -----------------------------------------------------------------------

enum variable { NO_VARIABLE, IN, OUT, SHARED, OF_THE_ROW };

struct end {
    const char *rule;
    char birth; // of the condition, address or operand; '.' of none
    uint32_t op;
    struct row row;
    // E-race, E-bounds
    bool fixed;
    enum variable variable;
    uint64_t byte;
    // E-race
    char other; // 'r': it reads, 'w': it writes; 0: nobody is told
    uint32_t other_op, who;
    enum spv_model model;
    uint32_t groups; // 0: one
    bool many;
};
#define TEXEL0 "%at5 = OpCompositeConstruct %uvec2 %u5 %u0\n%pt = OpImageTexelPointer %texel_ptr %more %at5 %u0\n%c2 = OpIEqual %bool %lane %u1\nOpSelectionMerge %j2 None\nOpBranchConditional %c2 %t2 %j2\n%t2 = OpLabel\n" \
    "%o = OpAtomicIAdd %u32 %pt %u1 %u0 %u1\nOpBranch %j2\n%j2 = OpLabel\n"
#define SEVERAL_OTHERS UINT32_MAX
#define ARRAY .globals = "%four = OpTypeArray %u32 %u4\n%priv = OpTypePointer Private %four\n%priv_word = OpTypePointer Private %u32\n%array = OpVariable %priv Private\n", .interface = " %array"

static const struct end ends[] = {
    {"E-branch", 'n', SpvOpUDiv, {"a branch on what has no value", QUOTIENT "%c = OpIEqual %bool %q %u1\n" THEN("%c", "") END, ZEROS, EIGHTS}},
    {"E-branch", 'u', SpvOpLoad, {"on what nobody wrote", "%l = OpLoad %u32 %local\n%c = OpIEqual %bool %l %u1\n" THEN("%c", "") END}},
    {"E-branch", 'i', SpvOpGroupNonUniformShuffleDown, {"a switch on who is not there", "%d = OpGroupNonUniformShuffleDown %u32 %u3 %x %u1\nOpSelectionMerge %j None\nOpSwitch %d %j 0 %t\n%t = OpLabel\nOpBranch %j\n%j = OpLabel\n" END}},
    {"E-branch", 'p', SpvOpGroupNonUniformElect, {"on what nothing is promised of", "%c = OpULessThan %bool %lane %u4\nOpSelectionMerge %oj None\nOpBranchConditional %c %ot %oj\n%ot = OpLabel\n%e = OpGroupNonUniformElect %bool %u3\n" THEN("%e", "") "OpBranch %oj\n%oj = OpLabel\n" END},
     .model = SPV_SUBGROUP_UNIFORM},
    {"E-assume", 'n', SpvOpUDiv, {"an assumption of what has no value", QUOTIENT "%c = OpIEqual %bool %q %u8c\nOpAssumeTrueKHR %c\n" END, ZEROS, EIGHTS}},
    {"E-assume", 'n', SpvOpUDiv, {"an assumption of what may be so", QUOTIENT "%c = OpIEqual %bool %q %u0\nOpAssumeTrueKHR %c\n" END, SAME(0), EIGHTS}},
    {"E-assume", '.', 0, {"one that is not so", "%c = OpIEqual %bool %lane %u1\nOpAssumeTrueKHR %c\n" END}},
    {"E-pointer", 'n', SpvOpUDiv, {"an address without a value", QUOTIENT "%p = OpAccessChain %word_ptr %out %u0 %q\nOpStore %p %x\n" END, ZEROS, EIGHTS}},
    {"E-pointer", 'n', SpvOpUDiv, {"a texel's place without a value", "%im = OpLoad %image %more\n" QUOTIENT "%z = OpIAdd %u32 %x %x\n%at = OpCompositeConstruct %uvec2 %u0 %q\n%v = OpImageRead %uvec4 %im %at\n" END, ZEROS, EIGHTS, IMAGE}},
    {"E-pointer", 'n', SpvOpUDiv, {"which image, without a value", QUOTIENT "%e = OpAccessChain %image_ptr %more %q\n%im = OpLoad %image %e\n%at = OpCompositeConstruct %uvec2 %u0 %u0\n%v = OpImageRead %uvec4 %im %at\n" END, ZEROS, EIGHTS,
     IMAGES}},
    {"E-bounds", '.', 0, {"a texel's address outside", "%m = OpBitwiseOr %u32 %lane %u8c\n%at = OpCompositeConstruct %uvec2 %m %u0\n%p = OpImageTexelPointer %texel_ptr %more %at %u0\n%o = OpAtomicIAdd %u32 %p %u1 %u0 %u1\n" END, IMAGE}},
    {"E-bounds", '.', 0, {"behind a buffer", "%at = OpIAdd %u32 %lane %u3\n%p = OpAccessChain %word_ptr %out %u0 %at\nOpStore %p %x\n" END, .active = 0xe0}, .variable = OUT, .byte = 32},
    {"E-bounds", '.', 0, {"far behind it", "%i = OpISub %u32 %u0 %u2\n%p = OpAccessChain %word_ptr %in %u0 %i\n%l = OpLoad %u32 %p\n" END}, .variable = IN, .byte = UINT64_C(0x3fffffff8)},
    {"E-bounds", '.', 0, {"at -1, which is nowhere", "%i = OpISub %u32 %u0 %u1\n%p = OpAccessChain %word_ptr %in %u0 %i\n%l = OpLoad %u32 %p\n" END}},
    {"E-bounds", '.', 0, {"behind an array of a length that the module says", "%p = OpAccessChain %priv_word %array %lane\nOpStore %p %x\n" END, ARRAY}, .fixed = true},
    {"E-bounds", '.', 0, {"behind it, by an index that is known", "%p = OpAccessChain %priv_word %array %u5\nOpStore %p %x\n" END, ARRAY, .is_invalid = true}, .fixed = true},
    {"E-bounds", '.', 0, {"of an array in an array", "%b = OpBitwiseAnd %u32 %lane %u1\n%p = OpAccessChain %priv_word %grid %b %lane\nOpStore %p %x\n" END,
     .globals = "%four = OpTypeArray %u32 %u4\n%fours = OpTypeArray %four %u2\n%priv = OpTypePointer Private %fours\n%priv_word = OpTypePointer Private %u32\n%grid = OpVariable %priv Private\n", .interface = " %grid"}, .fixed = true},
    {"E-bounds", '.', 0, {"at -1 of what has no length, behind another index", "%b = OpBitwiseAnd %u32 %lane %u1\n%i = OpISub %u32 %u0 %u1\n%p = OpAccessChain %word_ptr %more %u0 %i %b\n%l = OpLoad %u32 %p\n" END,
     .annotations = "OpDecorate %more DescriptorSet 0\nOpDecorate %more Binding 2\nOpDecorate %pairs Block\nOpMemberDecorate %pairs 0 Offset 0\nOpDecorate %wide ArrayStride 8\n",
     .globals = "%wide = OpTypeRuntimeArray %uvec2\n%pairs = OpTypeStruct %wide\n%pairs_ptr = OpTypePointer StorageBuffer %pairs\n%more = OpVariable %pairs_ptr StorageBuffer\n", .interface = " %more", .more_count = 4}},
    {"E-bounds", '.', 0, {"of Workgroup memory", "%i = OpIAdd %u32 %lane %u4\n%p = OpAccessChain %shared_word_ptr %shared %i\nOpStore %p %x\n" END}, .fixed = true},
    {"E-bounds", 'r', SpvOpFDiv, {"by a rounded number", THIRDS "%i = OpConvertFToU %u32 %third\n%p = OpAccessChain %word_ptr %out %u0 %i\nOpStore %p %x\n" END, SAME(0x42c90000)}, .variable = OUT, .byte = 132},
    {"E-race", '.', 0, {"all store to one word", "%p = OpAccessChain %word_ptr %out %u0 %u3\nOpStore %p %x\n" END, .active = 0xfc}, .variable = OUT, .byte = 12, .other = 'w', .other_op = SpvOpStore, .who = 2},
    {"E-race", '.', 0, {"a load of what another one has stored", "%p = OpAccessChain %word_ptr %out %u0 %u4\n%c = OpIEqual %bool %lane %u5\n" THEN("%c", "OpStore %p %x\n") "%l = OpLoad %u32 %p\n" END}, .variable = OUT, .byte = 16, .other = 'w',
     .other_op = SpvOpStore, .who = 5},
    {"E-race", '.', 0, {"a store to what another one has loaded", "%p = OpAccessChain %word_ptr %out %u0 %u4\n%c = OpIEqual %bool %lane %u5\nOpSelectionMerge %j None\nOpBranchConditional %c %t %e\n%t = OpLabel\n%l = OpLoad %u32 %p\n"
     "OpBranch %j\n%e = OpLabel\nOpBranch %j\n%j = OpLabel\n%c2 = OpIEqual %bool %lane %u1\nOpSelectionMerge %j2 None\nOpBranchConditional %c2 %t2 %j2\n%t2 = OpLabel\nOpStore %p %x\nOpBranch %j2\n%j2 = OpLabel\n" END},
     .variable = OUT, .byte = 16, .other = 'r', .other_op = SpvOpLoad, .who = 5},
    {"E-race", '.', 0, {"to what several have loaded", "%p = OpAccessChain %word_ptr %out %u0 %u4\n%l = OpLoad %u32 %p\n%c = OpIEqual %bool %lane %u1\n" THEN("%c", "OpStore %p %x\n") END}, .variable = OUT, .byte = 16, .other = 'r',
     .other_op = SpvOpLoad, .who = SEVERAL_OTHERS},
    {"E-race", '.', 0, {"a load of what an atomic has changed", "%p = OpAccessChain %word_ptr %out %u0 %u4\n%c = OpIEqual %bool %lane %u5\n" THEN("%c", "%o = OpAtomicIAdd %u32 %p %u1 %u0 %x\n") "%l = OpLoad %u32 %p\n" END}, .variable = OUT,
     .byte = 16, .other = 'w', .other_op = SpvOpAtomicIAdd, .who = 5},
    {"E-race", '.', 0, {"an atomic on what another one has stored", "%p = OpAccessChain %word_ptr %out %u0 %u4\n%c = OpIEqual %bool %lane %u5\n" THEN("%c", "OpStore %p %x\n") "%o = OpAtomicIAdd %u32 %p %u1 %u0 %x\n" END}, .variable = OUT,
     .byte = 16, .other = 'w', .other_op = SpvOpStore, .who = 5},
    {"E-race", '.', 0, {"a store to what an atomic of the workgroup's scope has changed", AT0 "%c = OpIEqual %bool %lane %u1\n" THEN("%c", "%o = OpAtomicIAdd %u32 %p %u2 %u0 %u1\n")
     "%c2 = OpIEqual %bool %lane %u5\nOpSelectionMerge %j2 None\nOpBranchConditional %c2 %t2 %j2\n%t2 = OpLabel\nOpStore %p %x\nOpBranch %j2\n%j2 = OpLabel\n" END}, .variable = SHARED, .byte = 0, .other = 'w', .other_op = SpvOpAtomicIAdd, .who = 1},
    {"E-race", '.', 0, {"in Workgroup memory", AT0 "OpStore %p %x\n" END, .active = 0x70}, .variable = SHARED, .byte = 0, .other = 'w', .other_op = SpvOpStore, .who = 4},
    {"E-race", '.', 0, {"in Workgroup memory, behind others", "%p = OpAccessChain %shared_word_ptr %shared %u5\nOpStore %p %x\n" END, .active = 0x70}, .variable = SHARED, .byte = 5, .other = 'w', .other_op = SpvOpStore, .who = 4},
    {"E-race", '.', 0, {"in Workgroup memory, a load of what another one has stored", "%i = OpBitwiseAnd %u32 %lane %u4\n%p = OpAccessChain %shared_word_ptr %shared %i\n%c = OpIEqual %bool %lane %u5\n" THEN("%c", "OpStore %p %x\n") "%l = OpLoad %u32 %p\n" END, .active = 0x70},
     .variable = SHARED, .byte = 4, .other = 'w', .other_op = SpvOpStore, .who = 5},
    {"E-race", '.', 0, {"in Workgroup memory, a store to what another one has loaded", "%p = OpAccessChain %shared_word_ptr %shared %u3\n%c = OpIEqual %bool %lane %u5\n" THEN("%c", "%l = OpLoad %u32 %p\n")
     "%c2 = OpIEqual %bool %lane %u1\nOpSelectionMerge %j2 None\nOpBranchConditional %c2 %t2 %j2\n%t2 = OpLabel\nOpStore %p %x\nOpBranch %j2\n%j2 = OpLabel\n" END}, .variable = SHARED, .byte = 3, .other = 'r', .other_op = SpvOpLoad, .who = 5},
    {"E-race", '.', 0, {"in Workgroup memory, two pairs", "%p = OpAccessChain %wg_pair %pairs %u2\n%v = OpCompositeConstruct %uvec2 %x %y\nOpStore %p %v\n" END, PAIRS, .active = 0x60}, .variable = OF_THE_ROW, .byte = 4, .other = 'w', .other_op = SpvOpStore, .who = 5},
    {"E-race", '.', 0, {"the second of a pair in Workgroup memory", "%pw = OpAccessChain %shared_word_ptr %pairs %u2 %u1\n%c = OpIEqual %bool %lane %u5\n" THEN("%c", "OpStore %pw %x\n") "%p = OpAccessChain %wg_pair %pairs %u2\n%l = OpLoad %uvec2 %p\n" END, PAIRS, .active = 0x60},
     .variable = OF_THE_ROW, .byte = 5, .other = 'w', .other_op = SpvOpStore, .who = 5},
    {"E-race", '.', 0, {"an atomic load and a store", "%p = OpAccessChain %word_ptr %out %u0 %u4\n%c = OpIEqual %bool %lane %u5\n" THEN("%c", "%l = OpAtomicLoad %u32 %p %u1 %u0\n")
     "%c2 = OpIEqual %bool %lane %u1\nOpSelectionMerge %j2 None\nOpBranchConditional %c2 %t2 %j2\n%t2 = OpLabel\nOpStore %p %x\nOpBranch %j2\n%j2 = OpLabel\n" END}, .variable = OUT, .byte = 16, .other = 'r', .other_op = SpvOpAtomicLoad, .who = 5},
    {"E-race", '.', 0, {"the second word of a vector", "%w = OpAccessChain %word_ptr %more %u0 %u1\n%c = OpIEqual %bool %lane %u6\n" THEN("%c", "OpStore %w %x\n")
     "%p = OpAccessChain %pair_ptr %more %u0\n%l = OpLoad %uvec2 %p\n" END,
     .annotations = "OpDecorate %more DescriptorSet 0\nOpDecorate %more Binding 2\nOpDecorate %pairs Block\nOpMemberDecorate %pairs 0 Offset 8\n",
     .globals = "%u6 = OpConstant %u32 6\n%pairs = OpTypeStruct %uvec2\n%pairs_ptr = OpTypePointer StorageBuffer %pairs\n%pair_ptr = OpTypePointer StorageBuffer %uvec2\n%more = OpVariable %pairs_ptr StorageBuffer\n", .interface = " %more", .more_count = 4},
     .variable = OF_THE_ROW, .byte = 12, .other = 'w', .other_op = SpvOpStore, .who = 6},
    {"E-bounds", '.', 0, {"half over the end of what another one has written", "%w = OpAccessChain %word_ptr %more %u0 %u0\n%c = OpIEqual %bool %lane %u7\n" THEN("%c", "OpStore %w %x\n") "OpControlBarrier %u2 %u2 %u72\n"
     "%p = OpAccessChain %pair_ptr %more %u0\n%l = OpLoad %uvec2 %p\n" END,
     .annotations = "OpDecorate %more DescriptorSet 0\nOpDecorate %more Binding 2\nOpDecorate %more Coherent\nOpDecorate %pairs Block\nOpMemberDecorate %pairs 0 Offset 12\n",
     .globals = "%u7 = OpConstant %u32 7\n%pairs = OpTypeStruct %uvec2\n%pairs_ptr = OpTypePointer StorageBuffer %pairs\n%pair_ptr = OpTypePointer StorageBuffer %uvec2\n%more = OpVariable %pairs_ptr StorageBuffer\n", .interface = " %more", .more_count = 4},
     .variable = OF_THE_ROW, .byte = 12},
    {"E-race", '.', 0, {"a variable of Workgroup memory", "OpStore %alone %x\n" END, .globals = "%alone = OpVariable %shared_word_ptr Workgroup\n", .interface = " %alone", .active = 0x70}, .variable = OF_THE_ROW, .byte = 0, .other = 'w', .other_op = SpvOpStore, .who = 4},
    {"E-race", '.', 0, {"of a load and a store the store", "%p = OpAccessChain %word_ptr %out %u0 %u4\n%c = OpIEqual %bool %lane %u2\n" THEN("%c", "%l = OpLoad %u32 %p\n") "OpStore %p %x\n" END, .active = 0xfc}, .variable = OUT, .byte = 16, .other = 'w',
     .other_op = SpvOpStore, .who = 2},
    {"E-race", '.', 0, {"an atomic load, an atomic and a store", "%p = OpAccessChain %word_ptr %out %u0 %u4\n%c = OpIEqual %bool %lane %u5\n" THEN("%c", "%o = OpAtomicIAdd %u32 %p %u1 %u0 %x\n%l = OpAtomicLoad %u32 %p %u1 %u0\n")
     "%c2 = OpIEqual %bool %lane %u1\nOpSelectionMerge %j2 None\nOpBranchConditional %c2 %t2 %j2\n%t2 = OpLabel\nOpStore %p %x\nOpBranch %j2\n%j2 = OpLabel\n" END}, .variable = OUT, .byte = 16, .other = 'w', .other_op = SpvOpAtomicIAdd, .who = 5},
    {"E-race", '.', 0, {"an atomic, where another one has made one and has loaded", "%p = OpAccessChain %word_ptr %out %u0 %u4\n%c = OpIEqual %bool %lane %u5\n" THEN("%c", "%o = OpAtomicIAdd %u32 %p %u1 %u0 %x\n%l = OpLoad %u32 %p\n")
     "%c2 = OpIEqual %bool %lane %u1\nOpSelectionMerge %j2 None\nOpBranchConditional %c2 %t2 %j2\n%t2 = OpLabel\n%o2 = OpAtomicIAdd %u32 %p %u1 %u0 %x\nOpBranch %j2\n%j2 = OpLabel\n" END}, .variable = OUT, .byte = 16, .other = 'r', .other_op = SpvOpLoad, .who = 5},
    {"E-race", '.', 0, {"atomics of two workgroups in a scope that has one", "%p = OpAccessChain %word_ptr %out %u0 %u4\n%o = OpAtomicIAdd %u32 %p %u2 %u0 %u1\n" END}, .groups = 2, .variable = OUT, .byte = 16, .other = 'w', .other_op = SpvOpAtomicIAdd, .who = SEVERAL_OTHERS},
    // The first store and the second one, and the second and the loads, are ordered by the subgroup's barriers; that the first is before the loads
    // nothing tells (it is in doubt): somebody before the second one, which is who is known.
    {"E-race", '.', 0, {"a load of what one has stored after another one", AT0 "%c = OpIEqual %bool %lane %u2\n" THEN("%c", "OpStore %p %x NonPrivatePointer\n") "OpControlBarrier %u3 %u3 %meet\nOpControlBarrier %u2 %u2 %u72\n"
     "%c2 = OpIEqual %bool %lane %u1\nOpSelectionMerge %j2 None\nOpBranchConditional %c2 %t2 %j2\n%t2 = OpLabel\nOpStore %p %x NonPrivatePointer\nOpBranch %j2\n%j2 = OpLabel\nOpControlBarrier %u3 %u3 %meet\n%l = OpLoad %u32 %p NonPrivatePointer\n" END, .capabilities = "OpCapability VulkanMemoryModel\n", .model = "OpMemoryModel Logical Vulkan\n", .globals = "%meet = OpConstant %u32 0x6108\n", .is_invalid = true}, .variable = SHARED, .byte = 0, .other = 'w', .other_op = SpvOpStore, .who = 1},
    // What a barrier has ordered is not who raced.
    {"E-race", '.', 0, {"behind a barrier all store", "%p = OpAccessChain %word_ptr %out %u0 %u4\n%c = OpIEqual %bool %lane %u2\n" THEN("%c", "%o = OpAtomicIAdd %u32 %p %u1 %u0 %x\n") "OpControlBarrier %u2 %u2 %u72\nOpStore %p %x\n" END},
     .variable = OUT, .byte = 16, .other = 'w', .other_op = SpvOpStore, .who = 0},
    {"E-race", '.', 0, {"behind a barrier an atomic load and a store", "%p = OpAccessChain %word_ptr %out %u0 %u4\n%c3 = OpIEqual %bool %lane %u3\nOpSelectionMerge %j3 None\nOpBranchConditional %c3 %t3 %j3\n%t3 = OpLabel\nOpStore %p %x\nOpBranch %j3\n%j3 = OpLabel\n"
     "OpControlBarrier %u2 %u2 %u72\n%c = OpIEqual %bool %lane %u5\n" THEN("%c", "%l = OpAtomicLoad %u32 %p %u1 %u0\n")
     "%c2 = OpIEqual %bool %lane %u1\nOpSelectionMerge %j2 None\nOpBranchConditional %c2 %t2 %j2\n%t2 = OpLabel\nOpStore %p %x\nOpBranch %j2\n%j2 = OpLabel\n" END}, .variable = OUT, .byte = 16, .other = 'r', .other_op = SpvOpAtomicLoad, .who = 5},
    {"E-race", '.', 0, {"behind a subgroup's barrier all store", AT0 "%c = OpIEqual %bool %lane %u2\n" THEN("%c", "%o = OpAtomicIAdd %u32 %p %u1 %u0 %x\n") "OpControlBarrier %u3 %u3 %u264\nOpStore %p %x\n" END},
     .variable = SHARED, .byte = 0, .other = 'w', .other_op = SpvOpStore, .who = 0},
    {"E-race", '.', 0, {"in the next workgroup all store", "%p = OpAccessChain %shared_word_ptr %shared %u5\n%wv = OpLoad %uvec3 %group\n%w = OpCompositeExtract %u32 %wv 0\n%first = OpIEqual %bool %w %u0\n%is2 = OpIEqual %bool %lane %u2\n%c = OpLogicalAnd %bool %first %is2\n" THEN("%c", "%o = OpAtomicIAdd %u32 %p %u2 %u0 %x\n")
     "OpSelectionMerge %j2 None\nOpBranchConditional %first %j2 %t2\n%t2 = OpLabel\nOpStore %p %x\nOpBranch %j2\n%j2 = OpLabel\n" END, .annotations = "OpDecorate %group BuiltIn WorkgroupId\n", .globals = "%uvec3 = OpTypeVector %u32 3\n%group_ptr = OpTypePointer Input %uvec3\n%group = OpVariable %group_ptr Input\n", .interface = " %group"},
     .groups = 2, .variable = SHARED, .byte = 5, .other = 'w', .other_op = SpvOpStore, .who = 8},
    {"E-race", '.', 0, {"the second of an array of buffers", "%p = OpAccessChain %word_ptr %more %u1 %u0 %u3\nOpStore %p %x\n" END, BUFFERS}, .many = true, .variable = OF_THE_ROW, .byte = (UINT64_C(1) << 26) + 12, .other = 'w', .other_op = SpvOpStore, .who = 0},
    {"E-race", '.', 0, {"a texel that all write", "%im = OpLoad %image %more\n%at = OpCompositeConstruct %uvec2 %u0 %u0\n%fives = OpCompositeConstruct %uvec4 %u5 %u5 %u5 %u5\nOpImageWrite %im %at %fives\n" END, IMAGE}, .variable = OF_THE_ROW},
    // Through a texel's address.
    {"E-race", '.', 0, {"an atomic on a texel that another one has read", TEXEL "%c = OpIEqual %bool %lane %u5\n" THEN("%c", "%l = OpImageRead %uvec4 %im %at\n") TEXEL0 END, IMAGE}, .variable = OF_THE_ROW, .byte = 20, .other = 'r', .other_op = SpvOpImageRead, .who = 5},
    {"E-race", '.', 0, {"or has written", TEXEL "%c = OpIEqual %bool %lane %u5\n" THEN("%c", "%fives = OpCompositeConstruct %uvec4 %u5 %u5 %u5 %u5\nOpImageWrite %im %at %fives\n") TEXEL0 END, IMAGE}, .variable = OF_THE_ROW, .byte = 20, .other = 'w',
     .other_op = SpvOpImageWrite, .who = 5},
    // Larger and smaller than a word.
    {"E-race", '.', 0, {"the upper word of 64 bits", "%w = OpAccessChain %word_ptr %words_too %u0 %u5\n%c = OpIEqual %bool %lane %u5\n" THEN("%c", "OpStore %w %x\n") "%p = OpAccessChain %long_ptr %more %u0 %u2\n%l = OpLoad %u64 %p\n" END, LONGS},
     .variable = OF_THE_ROW, .byte = 16, .other = 'w', .other_op = SpvOpStore, .who = 5},
    {"E-race", '.', 0, {"the upper half of a word", "%h = OpAccessChain %short_ptr %more %u0 %u5\n%xs = OpUConvert %u16 %x\n%c = OpIEqual %bool %lane %u5\n" THEN("%c", "OpStore %h %xs\n") "%p = OpAccessChain %word_ptr %words_too %u0 %u2\n%l = OpLoad %u32 %p\n" END,
     .capabilities = "OpCapability StorageBuffer16BitAccess\n", .annotations = AT_2 "OpDecorate %words_too DescriptorSet 0\nOpDecorate %words_too Binding 2\nOpDecorate %shorts ArrayStride 2\nOpDecorate %short_block Block\nOpMemberDecorate %short_block 0 Offset 0\n",
     .globals = "%shorts = OpTypeRuntimeArray %u16\n%short_block = OpTypeStruct %shorts\n%short_block_ptr = OpTypePointer StorageBuffer %short_block\n%short_ptr = OpTypePointer StorageBuffer %u16\n"
     "%words_too = OpVariable %block_ptr StorageBuffer\n%more = OpVariable %short_block_ptr StorageBuffer\n", .interface = " %more %words_too", .more_count = 8}, .variable = OF_THE_ROW, .byte = 8, .other = 'w', .other_op = SpvOpStore, .who = 5},
    {"E-align", '.', 0, {"a word at byte 6", "%p = OpAccessChain %word_ptr %more %u0\n%l = OpLoad %u32 %p\n" END,
     .annotations = "OpDecorate %more DescriptorSet 0\nOpDecorate %more Binding 2\nOpDecorate %odd Block\nOpMemberDecorate %odd 0 Offset 6\n",
     .globals = "%odd = OpTypeStruct %u32\n%odd_ptr = OpTypePointer StorageBuffer %odd\n%more = OpVariable %odd_ptr StorageBuffer\n", .interface = " %more", .more_count = 4}},
};

// Which of the variables it is; the row's own come last.
static enum variable variable_of(const struct spv_module *m, uint32_t id)
{
    static const enum variable of[] = {IN, OUT, NO_VARIABLE, SHARED, OF_THE_ROW};
    uint32_t n = 0;
    for (uint32_t k = 0; k < m->inst_count; k++)
        if (m->insts[k].op == SpvOpVariable && n < sizeof of / sizeof *of) {
            if (m->insts[k].result == id)
                return of[n];
            n++;
        }
    return NO_VARIABLE;
}

static void test_ends(void **state)
{
    (void)state;
    struct spv_tools *tools = spv_tools_new();
    int wrong = 0;
    for (size_t k = 0; k < sizeof ends / sizeof *ends; k++) {
        const struct end *e = &ends[k];
        struct arena a = {0};
        struct traced x;
        trace(tools, &a, &e->row, (struct orc_options){.order = 1}, e->model, 0, e->groups ? e->groups : 1, &x);
        const uint32_t op = x.t.fault.birth ? x.m.insts[x.t.fault.inst].op : 0;
        const enum variable v = x.t.object ? variable_of(&x.m, x.t.variable) : NO_VARIABLE;
        const char other = !x.t.has_other ? 0 : x.t.other_reads ? 'r' : 'w';
        const char *does = x.r.why.op == SpvOpLoad ? "it reads memory" : x.r.why.op == SpvOpStore || x.r.why.op == SpvOpImageWrite ? "it writes memory" : "it updates memory";
        if (strcmp(x.r.why.rule, e->rule) != 0 || x.r.memory || (strcmp(e->rule, "E-race") == 0 && !strstr(x.r.why.text, does)) || letter(x.t.fault.birth) != e->birth || op != e->op || x.t.fixed != e->fixed || v != e->variable ||
            (v && x.t.byte != e->byte) || other != e->other ||
            x.t.many != e->many || (!x.t.fault.birth && x.t.fault.inst) ||
            (other && (x.m.insts[x.t.other_inst].op != e->other_op || x.t.other_invocation != e->who))) {
            print_error("%s: %s '%c' of op %u, %svariable %d byte %llu, other '%c' of op %u who %u\n  (%s)\n", e->row.name, x.r.why.rule, letter(x.t.fault.birth), op, x.t.fixed ? "fixed, " : "",
                        v, (unsigned long long)x.t.byte, other ? other : '-', other ? x.m.insts[x.t.other_inst].op : 0, x.t.other_invocation, x.r.why.text);
            wrong++;
        }
        assert_null(x.t.words); // there is no memory after it
        arena_free(&a);
    }
    spv_tools_free(tools);
    assert_int_equal(wrong, 0);
}

// A whole subgroup, of a workgroup that is not all there, elects somebody: the run does not end, but is made once more with that choice.
static void test_elects(void **state)
{
    (void)state;
    struct spv_tools *tools = spv_tools_new();
    for (int elects = 0; elects < 2; elects++) {
        static const struct row row = {"elects", "%c = OpULessThan %bool %lane %u4\nOpSelectionMerge %oj None\nOpBranchConditional %c %ot %oj\n%ot = OpLabel\n%e = OpGroupNonUniformElect %bool %u3\n" THEN("%e", "") "OpBranch %oj\n%oj = OpLabel\n" END};
        struct arena a = {0};
        struct traced x;
        trace(tools, &a, &row, (struct orc_options){.order = 1, .elects = elects}, SPV_WORKGROUP_UNIFORM, 4, 1, &x);
        assert_string_equal(x.r.why.rule, elects ? "" : "E-branch");
        assert_int_equal(x.r.why.status, elects ? RAN_OK : RAN_UNDEFINED);
        arena_free(&a);
    }
    spv_tools_free(tools);
}

// ---- branches, blocks, atomics ------------------------------------------------------------------

struct way {
    struct row row;
    char birth; // of the condition of the first branch that hangs on one; '.': none does
    uint32_t op, by;
    const char *ran; // a letter a block: '#' somebody was there, '!' apart from the others, '.' nobody
    uint32_t atomics;
    enum spv_model model;
    uint32_t subgroup, groups; // 0: eight, one
};
#define NO_R "OpReturn\n%behind = OpLabel\n%r = OpIAdd %u32 %x %u0\n"

// Blocks: start, then, what the row has, merge.
static const struct way ways[] = {
    {{"nobody takes the arm", "%c = OpUGreaterThan %bool %lane %u8c\n" THEN("%c", "") END}, '.', .ran = "##.##"},
    {{"some do", "%c = OpUGreaterThan %bool %lane %u3\n" THEN("%c", "") END}, '.', .ran = "#####"},
    {{"by a rounded number", THIRDS "%c = OpFOrdLessThan %bool %third %f1\n" THEN("%c", "") END, SAME(0x3f800000)}, 'r', SpvOpBranchConditional, SpvOpFDiv, "#####"},
    {{"a switch by one", THIRDS "%i = OpConvertFToU %u32 %third\nOpSelectionMerge %j None\nOpSwitch %i %j 0 %t\n%t = OpLabel\nOpBranch %j\n%j = OpLabel\n" END, SAME(0x3f800000)}, 'r', SpvOpSwitch, SpvOpFDiv, "#####"},
    {{"by a counter", COUNTER "%n = OpAtomicIAdd %u32 %pm %u1 %u0 %u1\n%c = OpIEqual %bool %n %u0\n" THEN("%c", "") END, FROM_TEN}, 'o', SpvOpBranchConditional, SpvOpAtomicIAdd, "##.##", 8},
    {{"a loop by a sure one", "OpBranch %h\n%h = OpLabel\n%n = OpPhi %u32 %u0 %then %m %k\nOpLoopMerge %e %k None\nOpBranch %k\n%k = OpLabel\n%m = OpIAdd %u32 %n %u1\n%g = OpULessThan %bool %m %u3\nOpBranchConditional %g %h %e\n%e = OpLabel\n" END},
     '.', .ran = "######"},
    {{"half goes apart", "%c = OpUGreaterThan %bool %lane %u3\n" THEN("%c", "") END}, '.', .ran = "##!##", .model = SPV_SUBGROUP_UNIFORM},
    {{"all of them go one way", "%c = OpUGreaterThan %bool %u3 %u1\n" THEN("%c", "") END}, '.', .ran = "#####", .model = SPV_SUBGROUP_UNIFORM},
    {{"so do all of the workgroup", "%c = OpUGreaterThan %bool %u3 %u1\n" THEN("%c", "") END}, '.', .ran = "#####", .model = SPV_WORKGROUP_UNIFORM},
    {{"half of the first workgroup goes apart", "%wv = OpLoad %uvec3 %group\n%w = OpCompositeExtract %u32 %wv 0\n%g = OpIMul %u32 %w %u8c\n%n = OpIAdd %u32 %lane %g\n%c = OpUGreaterThan %bool %n %u3\n" THEN("%c", "") NO_R, GROUP}, '.', .ran = "##!#..",
     .model = SPV_SUBGROUP_UNIFORM, .groups = 2},
    {{"one subgroup of two", "%c = OpUGreaterThan %bool %lane %u3\n" THEN("%c", "") END}, '.', .ran = "##!##", .model = SPV_WORKGROUP_UNIFORM, .subgroup = 4},
    {{"of two the first", THIRDS "%c = OpFOrdLessThan %bool %third %f1\n" THEN("%c", "") "%s = OpExtInst %f32 %glsl Sqrt %fx\n%c2 = OpFOrdLessThan %bool %s %f3\nOpSelectionMerge %j2 None\nOpBranchConditional %c2 %t2 %j2\n%t2 = OpLabel\nOpBranch %j2\n%j2 = OpLabel\n" END, SAME(0x3f800000)},
     'r', SpvOpBranchConditional, SpvOpFDiv, "#######"},
    {{"who is not sure is not there", "%sum = OpFAdd %f32 %fx %f1\n%c = OpFOrdLessThan %bool %sum %f3\n%some = OpUGreaterThan %bool %lane %u0\nOpSelectionMerge %j2 None\nOpBranchConditional %some %t2 %j2\n%t2 = OpLabel\n" THEN("%c", "") "OpBranch %j2\n%j2 = OpLabel\n" END,
      {0x4b800000, 0x3f800000, 0x3f800000, 0x3f800000, 0x3f800000, 0x3f800000, 0x3f800000, 0x3f800000}}, '.', .ran = "#######"},
    {{"atomics by three", COUNTER "%o = OpAtomicIAdd %u32 %pm %u1 %u0 %u1\n%o2 = OpAtomicIAdd %u32 %pm %u1 %u0 %u1\n" END, FROM_TEN, .active = 0x70}, '.', .ran = "###", .atomics = 6},
};

static void test_ways(void **state)
{
    (void)state;
    struct spv_tools *tools = spv_tools_new();
    int wrong = 0;
    for (size_t k = 0; k < sizeof ways / sizeof *ways; k++) {
        const struct way *w = &ways[k];
        struct arena a = {0};
        struct traced x;
        char ran[16] = "";
        trace(tools, &a, &w->row, (struct orc_options){.order = 1}, w->model, w->subgroup, w->groups ? w->groups : 1, &x);
        if (x.r.why.status != RAN_OK)
            fail_msg("%s: %s", w->row.name, x.r.why.text);
        for (uint32_t b = 0; b < x.m.block_count && b + 1 < sizeof ran; b++)
            ran[b] = x.t.unpromised[b] ? '!' : x.t.ran[b] ? '#' : '.';
        uint32_t births_told = 0;
        char birth = '.';
        for (int b = 0; b < ORC_ORIGINS; b++)
            if (x.t.branches[b])
                births_told++, birth = letter((enum orc_birth)b);
        const enum orc_birth b = w->birth == 'r' ? ORC_ORIGIN_ROUNDED : ORC_ORIGIN_ORDER;
        if (strcmp(ran, w->ran) != 0 || birth != w->birth || births_told != (w->birth != '.') || x.t.atomics != w->atomics ||
            (births_told && (x.m.insts[x.t.branches[b]].op != w->op || x.m.insts[x.t.branch_origin[b].inst].op != w->by || x.t.branch_origin[b].birth != b))) {
            print_error("%s: '%c', blocks %s, %u atomics\n", w->row.name, birth, ran, x.t.atomics);
            wrong++;
        }
        arena_free(&a);
    }
    spv_tools_free(tools);
    assert_int_equal(wrong, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_births), cmocka_unit_test(test_ends), cmocka_unit_test(test_elects), cmocka_unit_test(test_ways)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
