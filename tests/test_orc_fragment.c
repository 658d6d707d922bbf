// SPDX-License-Identifier: Apache-2.0
//
// Fragment shaders: what an invocation reads of itself, who is left after a call, a return, a demote, and whether the module
// logged who it is (R12, spirv_stage.h). A target of 4 x 2 pixels, subgroups of eight: each quad is four lanes in a row.
#include "test_orc_text.h"

#include "oracle/trace.h"

static const char fragment_text[] =
    "OpCapability Shader\nOpCapability GroupNonUniform\nOpCapability GroupNonUniformVote\nOpCapability GroupNonUniformArithmetic\nOpCapability GroupNonUniformQuad\n"
    "OpCapability GroupNonUniformPartitionedNV\nOpCapability DerivativeControl\nOpCapability GroupNonUniformBallot\nOpCapability GroupNonUniformShuffle\n"
    "OpCapability QuadControlKHR\nOpCapability DemoteToHelperInvocation\nOpExtension \"SPV_KHR_maximal_reconvergence\"\nOpExtension \"SPV_NV_shader_subgroup_partitioned\"\n"
    "OpExtension \"SPV_KHR_terminate_invocation\"\nOpExtension \"SPV_KHR_quad_control\"\n";
static const char fragment_demote[] = "OpExtension \"SPV_EXT_demote_to_helper_invocation\"\n";
static const char fragment_entry[] =
    "OpMemoryModel Logical GLSL450\nOpEntryPoint Fragment %main \"main\" %coord_in %lane_in %size_in %helper_in %log %out %kept %kept3\n";
static const char fragment_other[] = "OpEntryPoint Fragment %other \"other\"\n";
static const char fragment_other_modes[] = "OpExecutionMode %other OriginUpperLeft\nOpExecutionMode %other QuadDerivativesKHR\n";
static const char fragment_modes[] =
    "OpExecutionMode %main OriginUpperLeft\nOpExecutionMode %main MaximallyReconvergesKHR\n";
static const char fragment_decorations[] =
    "OpDecorate %coord_in BuiltIn FragCoord\nOpDecorate %lane_in BuiltIn SubgroupLocalInvocationId\nOpDecorate %lane_in Flat\n"
    "OpDecorate %size_in BuiltIn SubgroupSize\nOpDecorate %size_in Flat\nOpDecorate %helper_in BuiltIn HelperInvocation\n"
    "OpDecorate %words ArrayStride 4\nOpDecorate %block Block\nOpMemberDecorate %block 0 Offset 0\n"
    "OpDecorate %log DescriptorSet 0\nOpDecorate %log Binding 0\nOpDecorate %out DescriptorSet 0\nOpDecorate %out Binding 1\n"
    "%void = OpTypeVoid\n%bool = OpTypeBool\n%u32 = OpTypeInt 32 0\n%f32 = OpTypeFloat 32\n%uvec4 = OpTypeVector %u32 4\n%vec4 = OpTypeVector %f32 4\n"
    "%fn = OpTypeFunction %void\n%fn_u32 = OpTypeFunction %u32\n%words = OpTypeRuntimeArray %u32\n%block = OpTypeStruct %words\n"
    "%block_ptr = OpTypePointer StorageBuffer %block\n%word_ptr = OpTypePointer StorageBuffer %u32\n%coord_ptr = OpTypePointer Input %vec4\n"
    "%in_ptr = OpTypePointer Input %u32\n%bool_ptr = OpTypePointer Input %bool\n"
    "%true = OpConstantTrue %bool\n%u0 = OpConstant %u32 0\n%u1 = OpConstant %u32 1\n%u2 = OpConstant %u32 2\n%u3 = OpConstant %u32 3\n"
    "%u4 = OpConstant %u32 4\n%u5 = OpConstant %u32 5\n%u6 = OpConstant %u32 6\n%u8 = OpConstant %u32 8\n%u14 = OpConstant %u32 14\n%alive_bit = OpConstant %u32 0x80000000\n"
    "%private_ptr = OpTypePointer Private %u32\n%fn_at = OpTypeFunction %void %private_ptr\n%kept = OpVariable %private_ptr Private\n%four_words = OpTypeArray %u32 %u4\n%fours_ptr = OpTypePointer Private %four_words\n%kept3 = OpVariable %fours_ptr Private\n"
    "%helper_in = OpVariable %bool_ptr Input\n%log = OpVariable %block_ptr StorageBuffer\n%out = OpVariable %block_ptr StorageBuffer\n%coord_in = OpVariable %coord_ptr Input\n"
    "%lane_in = OpVariable %in_ptr Input\n%size_in = OpVariable %in_ptr Input\n"
    "%main = OpFunction %void None %fn\n%start = OpLabel\n"
    "%coord = OpLoad %vec4 %coord_in\n%xf = OpCompositeExtract %f32 %coord 0\n%yf = OpCompositeExtract %f32 %coord 1\n"
    "%px = OpConvertFToU %u32 %xf\n%py = OpConvertFToU %u32 %yf\n%lane = OpLoad %u32 %lane_in\n%size = OpLoad %u32 %size_in\n"
    "%helper = OpLoad %bool %helper_in\n%alive = OpLogicalNot %bool %helper\n%lives = OpGroupNonUniformBallot %uvec4 %u3 %alive\n"
    "%all = OpGroupNonUniformBallot %uvec4 %u3 %true\n%first = OpGroupNonUniformBallotFindLSB %u32 %u3 %lives\n%leads = OpIEqual %bool %lane %u0\n"
    "OpSelectionMerge %drawn None\nOpBranchConditional %leads %draw %drawn\n%draw = OpLabel\n%count = OpAccessChain %word_ptr %log %u0 %u0\n"
    "%mine = OpAtomicIAdd %u32 %count %u1 %u0 %u1\n%size_at = OpAccessChain %word_ptr %log %u0 %u1\n%count2 = OpAccessChain %word_ptr %log %u0 %u0\n";
static const char fragment_log[] =
    "OpBranch %drawn\n%drawn = OpLabel\n%drew = OpPhi %u32 %u0 %start %mine %draw\n%number = OpGroupNonUniformShuffle %u32 %u3 %drew %first\n"
    "%known = OpSelect %u32 %helper %u0 %number\n%begin = OpIMul %u32 %known %size\n%slot = OpIAdd %u32 %begin %lane\n%three = OpIMul %u32 %slot %u3\n%at_row = OpIAdd %u32 %three %u2\n"
    "%at_all = OpIAdd %u32 %at_row %u1\n%at_live = OpIAdd %u32 %at_row %u2\n%y_bits = OpShiftLeftLogical %u32 %py %u14\n"
    "%xy = OpBitwiseOr %u32 %y_bits %px\n%marked = OpBitwiseOr %u32 %xy %alive_bit\n%all_low = OpCompositeExtract %u32 %all 0\n"
    "%lives_low = OpCompositeExtract %u32 %lives 0\n%row_ptr = OpAccessChain %word_ptr %log %u0 %at_row\n"
    "%all_ptr = OpAccessChain %word_ptr %log %u0 %at_all\n%live_ptr = OpAccessChain %word_ptr %log %u0 %at_live\n";
static const char fragment_row[] =
    "%below = OpIMul %u32 %py %u4\n%pixel = OpIAdd %u32 %below %px\n%pr = OpAccessChain %word_ptr %out %u0 %pixel\n";

struct shaded {
    const char *name, *code; // gives %r, for out[y * 4 + x]
    uint32_t r[8];           // of the pixels, by rows; U: has no value; what is not covered keeps 0
    const char *functions;
    const char *size_said, *logged, *drawn; // what is logged otherwise; what else is done where a number is drawn
    bool logs_other;
    bool demote_is_core; // SPIR-V 1.6 without SPV_EXT_demote_to_helper_invocation
    bool half; // the target is half covered: pixels 0, 1, 2, 4 of the upper left triangle
    bool quads_end, any_policy, mask_only;
    const char *refused;
    uint32_t invocation;
    bool weak;         // subgroup-uniform
    bool draw;         // workgroup-uniform, of which the draw is the group
    bool no_full_quads, no_quad_derivatives; // without these modes
    bool other_quads;  // with another entry point, which has QuadDerivativesKHR
    bool ghosts;       // a device that launches helpers, of which no ballot knows
    uint32_t subgroup; // 0: eight
    enum orc_fault fault;
    uint32_t choices;  // helper_choices, and one; 0: not asked
    lane_mask live, helper; // at the last event, where the mask machine tells; 0: not asked
};
#define BITS(c) "%f = OpCompositeExtract %f32 %coord " c "\n%r = OpBitcast %u32 %f\n"
#define BALLOT(n) "%v" n " = OpGroupNonUniformBallot %uvec4 %u3 %true\n%b" n " = OpCompositeExtract %u32 %v" n " 0\n"
#define ALL8(n) {n, n, n, n, n, n, n, n}
#define R "%r = OpIAdd %u32 %lane %u0\n"
#define LANES_BY_PIXEL {0, 1, 4, 5, 2, 3, 6, 7}
#define STORES(row, all, live) "OpStore %row_ptr " row "\nOpStore %all_ptr " all "\nOpStore %live_ptr " live "\n"
#define COUNTER "%cp = OpAccessChain %word_ptr %log %u0 %u0\n"
#define AND_WRONG "%wrong = OpBitwiseXor %u32 %all_low %u4\n%wrong_live = OpBitwiseXor %u32 %lives_low %u1\n%wrong_row = OpBitwiseXor %u32 %marked %u1\n"
#define SOME(cond, body) "OpSelectionMerge %j None\nOpBranchConditional " cond " %t %j\n%t = OpLabel\n" body "OpBranch %j\n%j = OpLabel\n"
#define ONLY4 "%c = OpIEqual %bool %lane %u4\n"
#define RETURNS "OpSelectionMerge %j None\nOpBranchConditional %c %t %j\n%t = OpLabel\nOpReturn\n%j = OpLabel\n"
#define HELPS "%h = OpLoad %bool %helper_in\n%hs = OpSelect %u32 %h %u1 %u2\n"
#define SWAPPED(id) "%r = OpGroupNonUniformQuadSwap %u32 %u3 " id " %u0\n"
#define ELSEWHERE(code) "%c = OpINotEqual %bool %lane %u4\n" SOME("%c", code) "%pp = OpPhi %u32 %u0 %drawn %b0 %t\n"
#define EARLIER ELSEWHERE(BALLOT("0"))
#define ANY_EARLIER ELSEWHERE("%v0 = OpGroupNonUniformAny %bool %u3 %alive\n%b0 = OpSelect %u32 %v0 %u1 %u2\n")
#define LATER_IF(op) "%d = " op " %bool %lane %u4\nOpSelectionMerge %jj None\nOpBranchConditional %d %tt %jj\n%tt = OpLabel\nOpReturn\n%jj = OpLabel\n"
#define R_EARLIER "%r = OpIAdd %u32 %pp %u0\n"
#define OWN_PART "%mine_bit = OpShiftLeftLogical %u32 %u1 %lane\n%mine_part = OpCompositeConstruct %uvec4 %mine_bit %u0 %u0 %u0\n%o = OpGroupNonUniformIAdd %u32 %u3 PartitionedReduceNV %lane %mine_part\n"
#define FIRST_QUAD "%c = OpULessThan %bool %lane %u4\n" SOME("%c", "%o = OpDPdxFine %f32 %xf\n%ob = OpBitcast %u32 %o\n") "%r = OpPhi %u32 %u0 %drawn %ob %t\n"
#define LOST_IN_F "%f = OpFunction %u32 None %fn_u32\n%fs = OpLabel\n%fh = OpLoad %bool %helper_in\n%fl = OpLogicalNot %bool %fh\n%fv = OpGroupNonUniformAny %bool %u3 %fl\n" \
    "OpSelectionMerge %fj None\nOpBranchConditional %fv %ft %fj\n%ft = OpLabel\nOpReturnValue %u1\n%fj = OpLabel\n"
// After ANY_EARLIER: helpers of lane 4's quad do not know what it gave; all others go in.
#define LOST_BY_ANY(code) "%q1 = OpIEqual %bool %pp %u1\n%q4 = OpIEqual %bool %lane %u4\n%q2 = OpLogicalOr %bool %q1 %q4\nOpSelectionMerge %j2 None\nOpBranchConditional %q2 %t2 %j2\n%t2 = OpLabel\n" code \
    "OpBranch %j2\n%j2 = OpLabel\n%bx2 = OpPhi %u32 %u0 %j %bx %t2\n"
#define R_OF_BX "%r = OpIAdd %u32 %bx2 %u0\n"
#define LATER_WITH(id) "%d = OpIEqual %bool %lane %u4\nOpSelectionMerge %jj None\nOpBranchConditional %d %tt %jj\n%tt = OpLabel\nOpStore %pr " id "\nOpReturn\n%jj = OpLabel\n"

#define GHOSTS .half = true, .no_full_quads = true, .ghosts = true
#define LOST_ARM "%t = OpLabel\nOpSelectionMerge %ij None\nOpBranchConditional %nv %it %ij\n%it = OpLabel\nOpReturn\n%ij = OpLabel\nOpBranch %j\n"
#define ODD "%sw = OpGroupNonUniformQuadSwap %u32 %u3 %lane %u0\n%v = OpGroupNonUniformAny %bool %u3 %alive\n%nv = OpLogicalNot %bool %v\n%l1 = OpBitwiseAnd %u32 %lane %u1\n"
#define ANYW(n) "%w" n " = OpGroupNonUniformAny %bool %u3 %alive\n%ws" n " = OpSelect %u32 %w" n " %u1 %u2\n"
#define ANY_ARM "%x = OpLabel\n%w = OpGroupNonUniformAny %bool %u3 %alive\n%ws = OpSelect %u32 %w %u1 %u2\nOpBranch %j\n"

#define F_OWN_PART "%f = OpFunction %u32 None %fn_u32\n%fs = OpLabel\n%fl = OpLoad %u32 %lane_in\n%fb = OpShiftLeftLogical %u32 %u1 %fl\n%fp = OpCompositeConstruct %uvec4 %fb %u0 %u0 %u0\n" \
    "%o = OpGroupNonUniformIAdd %u32 %u3 PartitionedReduceNV %fl %fp\nOpReturnValue %o\nOpFunctionEnd\n"
#define KEPT_BESIDE "OpStore %kept %lane\n%d = OpUGreaterThan %bool %lane %u3\n" SOME("%d", "%w1 = OpFunctionCall %u32 %f\n") "%k = OpLoad %u32 %kept\n%r = OpIAdd %u32 %k %u0\n"

#define LOST_TO_THE_DRAW "%nc = OpUGreaterThanEqual %bool %px %u2\n" SOME("%nc", "%x = OpGroupNonUniformQuadAnyKHR %bool %alive\n") "%y = OpPhi %bool %true %drawn %x %t\n%cc = OpSelect %bool %helper %y %true\n" \
    "OpSelectionMerge %j2 None\nOpBranchConditional %cc %t2 %j2\n%t2 = OpLabel\n%o = OpGroupNonUniformQuadSwap %u32 %u3 %lane %u0\nOpBranch %j2\n%j2 = OpLabel\n%r = OpPhi %u32 %u5 %j %o %t2\n"

static const struct shaded shades[] = {
    {"lanes by quads", R, LANES_BY_PIXEL},
    {"x of the centre", BITS("0"), {0x3f000000, 0x3fc00000, 0x40200000, 0x40600000, 0x3f000000, 0x3fc00000, 0x40200000, 0x40600000}},
    {"y of the centre", BITS("1"), {0x3f000000, 0x3f000000, 0x3f000000, 0x3f000000, 0x3fc00000, 0x3fc00000, 0x3fc00000, 0x3fc00000}},
    {"z", BITS("2"), ALL8(U)},
    {"w", BITS("3"), ALL8(U)},
    {"nobody is a helper", "%r = OpSelect %u32 %helper %u5 %u6\n", ALL8(6)},
    {"the size", "%r = OpIAdd %u32 %size %u0\n", ALL8(8)},
    {"all of them", BALLOT("0") "%r = OpIAdd %u32 %b0 %u0\n", ALL8(255)},
    {"with helpers", BALLOT("0") "%r = OpIAdd %u32 %b0 %u0\n", {255, 255, 255, 0, 255}, .half = true},
    {"helpers store nothing", "%lives0 = OpCompositeExtract %u32 %lives 0\n%r = OpIAdd %u32 %lives0 %u0\n", {0x17, 0x17, 0x17, 0, 0x17}, .half = true},
    // Who has returned from a function has not ended; who has returned from main has.
    {"a call, and back", "%w = OpFunctionCall %u32 %f\n" BALLOT("0") "%r = OpIAdd %u32 %b0 %w\n", ALL8(258), "%f = OpFunction %u32 None %fn_u32\n%fs = OpLabel\nOpReturnValue %u3\nOpFunctionEnd\n"},
    {"some return early", "%w = OpFunctionCall %u32 %f\n" BALLOT("0") "%r = OpIAdd %u32 %b0 %w\n", {257, 257, 256, 256, 257, 257, 256, 256},
     "%f = OpFunction %u32 None %fn_u32\n%fs = OpLabel\n%fl = OpLoad %u32 %lane_in\n%fc = OpULessThan %bool %fl %u4\nOpSelectionMerge %fj None\nOpBranchConditional %fc %ft %fj\n%ft = OpLabel\nOpReturnValue %u2\n%fj = OpLabel\nOpReturnValue %u1\nOpFunctionEnd\n"},
    {"the live one of a quad returns from a function", "%c = OpIEqual %bool %lane %u4\nOpSelectionMerge %j None\nOpBranchConditional %c %t %j\n%t = OpLabel\n%w = OpFunctionCall %u32 %f\nOpBranch %j\n%j = OpLabel\n" BALLOT("0") "%r = OpIAdd %u32 %b0 %u0\n",
     {255, 255, 255, 0, 255}, "%f = OpFunction %u32 None %fn_u32\n%fs = OpLabel\nOpReturnValue %u3\nOpFunctionEnd\n", .half = true, .quads_end = true},
    {"and from main", "%c = OpIEqual %bool %lane %u4\nOpSelectionMerge %j None\nOpBranchConditional %c %t %j\n%t = OpLabel\nOpReturn\n%j = OpLabel\n" BALLOT("0") "%r = OpIAdd %u32 %b0 %u0\n", {15, 15, 0, 0, 15}, .half = true, .quads_end = true},
    {"some return from main", "%c = OpULessThan %bool %lane %u2\nOpSelectionMerge %j None\nOpBranchConditional %c %t %j\n%t = OpLabel\nOpReturn\n%j = OpLabel\n" BALLOT("0") "%r = OpIAdd %u32 %b0 %u0\n", {0, 0, 252, 252, 252, 252, 252, 252}},
    {"a quad returns, of which helpers stay", "%c = OpULessThan %bool %lane %u4\nOpSelectionMerge %j None\nOpBranchConditional %c %t %j\n%t = OpLabel\nOpReturn\n%j = OpLabel\n" BALLOT("0") "%r = OpIAdd %u32 %b0 %u0\n", {0, 0, 240}, .half = true},
    // E2: with the last live lane of a quad its helpers are gone, also those that have returned before from the function that all are in.
    {"the live one demotes in a function, and helpers have returned", "%w = OpFunctionCall %u32 %f\n" BALLOT("0") "%r = OpIAdd %u32 %b0 %w\n", {17, 17, 0, 0, 17}, .half = true, .quads_end = true,
     .functions = "%f = OpFunction %u32 None %fn_u32\n%fs = OpLabel\n%fl = OpLoad %u32 %lane_in\n%fh = OpLoad %bool %helper_in\n%f4 = OpIEqual %bool %fl %u4\nOpSelectionMerge %fj None\nOpBranchConditional %fh %ft %fj\n%ft = OpLabel\nOpReturnValue %u1\n"
     "%fj = OpLabel\nOpSelectionMerge %fk None\nOpBranchConditional %f4 %fd %fk\n%fd = OpLabel\nOpDemoteToHelperInvocation\nOpBranch %fk\n%fk = OpLabel\nOpReturnValue %u2\nOpFunctionEnd\n"},
    // Who terminates is gone, whatever is chosen; of OpKill no text says where the others go on (N2).
    {"one terminates", "%c = OpIEqual %bool %lane %u5\nOpSelectionMerge %j None\nOpBranchConditional %c %t %j\n%t = OpLabel\nOpTerminateInvocation\n%j = OpLabel\n" BALLOT("0") "%r = OpIAdd %u32 %b0 %u0\n", {0xdf, 0xdf, 0xdf, 0, 0xdf, 0xdf, 0xdf, 0xdf}},
    {"one terminates, all others in the other arm", "%c = OpIEqual %bool %lane %u5\nOpSelectionMerge %j None\nOpBranchConditional %c %t %e\n%t = OpLabel\nOpTerminateInvocation\n%e = OpLabel\n" BALLOT("0") "OpStore %pr %b0\nOpReturn\n%j = OpLabel\n" R, {0xdf, 0xdf, 0xdf, 0, 0xdf, 0xdf, 0xdf, 0xdf}, .live = 0xdf},
    {"one terminates, whatever is chosen", "%c = OpIEqual %bool %lane %u5\nOpSelectionMerge %j None\nOpBranchConditional %c %t %j\n%t = OpLabel\nOpTerminateInvocation\n%j = OpLabel\n" BALLOT("0") "%r = OpIAdd %u32 %b0 %u0\n", {0xdf, 0xdf, 0xdf, 0, 0xdf, 0xdf, 0xdf, 0xdf}, .any_policy = true, .mask_only = true},
    {"one is killed", "%c = OpIEqual %bool %lane %u5\nOpSelectionMerge %j None\nOpBranchConditional %c %t %j\n%t = OpLabel\nOpKill\n%j = OpLabel\n" BALLOT("0") "%r = OpIAdd %u32 %b0 %u0\n", {0xdf, 0xdf, 0xdf, 0, 0xdf, 0xdf, 0xdf, 0xdf}},
    {"one is killed, whatever is chosen", "%c = OpIEqual %bool %lane %u5\nOpSelectionMerge %j None\nOpBranchConditional %c %t %j\n%t = OpLabel\nOpKill\n%j = OpLabel\n" BALLOT("0") "%r = OpIAdd %u32 %b0 %u0\n", {U, U, U, 0, U, U, U, U}, .any_policy = true, .mask_only = true},
    // Demoted lanes go on as helpers; a quad of helpers may end at once, or stay.
    {"one of a quad demotes", "%c = OpIEqual %bool %lane %u5\n" SOME("%c", "OpDemoteToHelperInvocation\n") BALLOT("0") "%r = OpIAdd %u32 %b0 %u0\n", {255, 255, 255, 0, 255, 255, 255, 255}},
    {"whether its quad may end or not", "%c = OpIEqual %bool %lane %u5\n" SOME("%c", "OpDemoteToHelperInvocation\n") BALLOT("0") "%r = OpIAdd %u32 %b0 %u0\n", {255, 255, 255, 0, 255, 255, 255, 255}, .quads_end = true},
    {"a quad demotes, and stays", "%c = OpUGreaterThan %bool %lane %u3\n" SOME("%c", "OpDemoteToHelperInvocation\n") BALLOT("0") "%r = OpIAdd %u32 %b0 %u0\n", {255, 255, 0, 0, 255, 255}},
    {"a quad demotes, and ends", "%c = OpUGreaterThan %bool %lane %u3\n" SOME("%c", "OpDemoteToHelperInvocation\n") BALLOT("0") "%r = OpIAdd %u32 %b0 %u0\n", {15, 15, 0, 0, 15, 15}, .quads_end = true},
    {"a quad demotes, whatever it does", "%c = OpUGreaterThan %bool %lane %u3\n" SOME("%c", "OpDemoteToHelperInvocation\n") BALLOT("0") "%r = OpIAdd %u32 %b0 %u0\n", {U, U, 0, 0, U, U}, .any_policy = true, .mask_only = true},
    {"all demote in a function", "%w = OpFunctionCall %u32 %f\n" BALLOT("0") "%r = OpIAdd %u32 %b0 %w\n", {0}, "%f = OpFunction %u32 None %fn_u32\n%fs = OpLabel\nOpDemoteToHelperInvocation\nOpReturnValue %u3\nOpFunctionEnd\n"},
    {"all demote and end in a function", "%w = OpFunctionCall %u32 %f\n" BALLOT("0") "%r = OpIAdd %u32 %b0 %w\n", {0}, "%f = OpFunction %u32 None %fn_u32\n%fs = OpLabel\nOpDemoteToHelperInvocation\nOpReturnValue %u3\nOpFunctionEnd\n", .quads_end = true},
    {"who goes wrong", "%c = OpULessThan %bool %lane %u6\nOpSelectionMerge %j None\nOpBranchConditional %c %j %t\n%t = OpLabel\nOpUnreachable\n%j = OpLabel\n" R, .refused = "E-unreachable", .invocation = 6},
    {"the first quad demotes, and ends", "%c = OpULessThan %bool %lane %u4\n" SOME("%c", "OpDemoteToHelperInvocation\n") BALLOT("0") "%r = OpIAdd %u32 %b0 %u0\n", {0, 0, 240, 240, 0, 0, 240, 240}, .quads_end = true, .choices = 2, .live = 0xf0},
    {"one quad after the other demotes, and ends", "%c = OpULessThan %bool %lane %u4\n" SOME("%c", "OpDemoteToHelperInvocation\n") "%d = OpIEqual %bool %lane %u5\nOpSelectionMerge %jj None\nOpBranchConditional %d %tt %jj\n%tt = OpLabel\nOpDemoteToHelperInvocation\nOpBranch %jj\n%jj = OpLabel\n"
     BALLOT("0") "%r = OpIAdd %u32 %b0 %u0\n", {0, 0, 240, 0, 0, 0, 240, 240}, .quads_end = true, .choices = 2, .live = 0xf0, .helper = 0x20},
    {"and both of them stay", "%c = OpULessThan %bool %lane %u4\n" SOME("%c", "OpDemoteToHelperInvocation\n") "%d = OpIEqual %bool %lane %u5\nOpSelectionMerge %jj None\nOpBranchConditional %d %tt %jj\n%tt = OpLabel\nOpDemoteToHelperInvocation\nOpBranch %jj\n%jj = OpLabel\n"
     BALLOT("0") "%r = OpIAdd %u32 %b0 %u0\n", {0, 0, 255, 0, 0, 0, 255, 255}, .choices = 2, .live = 0xff, .helper = 0x2f},
    {"who is alone when its quad returns ends as well", ONLY4 RETURNS BALLOT("0") "%r = OpIAdd %u32 %b0 %u0\n", {15, 15, 0, 0, 15}, .half = true, .quads_end = true, .choices = 2, .live = 0x0f, .helper = 0x08},
    {"or stays", ONLY4 RETURNS BALLOT("0") "%r = OpIAdd %u32 %b0 %u0\n", {0xef, 0xef, 0, 0, 0xef}, .half = true, .choices = 2, .live = 0xef, .helper = 0xe8},
    {"who is a helper now", "%h = OpIsHelperInvocationEXT %bool\n%hs = OpSelect %u32 %h %u1 %u2\n" SWAPPED("%hs"), {2, 2, 1, 0, 1}, .half = true},
    {"who has demoted is one", "%c = OpIEqual %bool %lane %u5\n" SOME("%c", "OpDemoteToHelperInvocation\n") "%h = OpIsHelperInvocationEXT %bool\n%hs = OpSelect %u32 %h %u1 %u2\n" SWAPPED("%hs"), {2, 2, 1, 0, 2, 2, 2, 2}},
    {"helpers that demote were helpers", "%c = OpUGreaterThan %bool %lane %u4\n" SOME("%c", "OpDemoteToHelperInvocation\n") HELPS SWAPPED("%hs"), {2, 2, 1, 0, 1}, .half = true, .choices = 1},
    {"and are asked nothing when they are alone", ONLY4 RETURNS "%d = OpUGreaterThan %bool %lane %u4\nOpSelectionMerge %jj None\nOpBranchConditional %d %tt %jj\n%tt = OpLabel\nOpDemoteToHelperInvocation\nOpBranch %jj\n%jj = OpLabel\n" R,
     {0, 1, 0, 0, 2}, .half = true, .choices = 2},
    {"who has demoted does not know", "%c = OpIEqual %bool %lane %u0\n" SOME("%c", "OpDemoteToHelperInvocation\n") "%d = OpIEqual %bool %lane %u5\nOpSelectionMerge %jj None\nOpBranchConditional %d %tt %jj\n%tt = OpLabel\nOpDemoteToHelperInvocation\nOpBranch %jj\n%jj = OpLabel\n"
     HELPS SWAPPED("%hs"), {0, U, U, 0, 2, 2, 2, 2}, .choices = 1},
    // R15: an operand that is another one than Volatile asks for nothing.
    {"nor does one who asks Nontemporal", "%c = OpIEqual %bool %lane %u5\n" SOME("%c", "OpDemoteToHelperInvocation\n") "%h = OpLoad %bool %helper_in Nontemporal\n%hs = OpSelect %u32 %h %u1 %u2\n" SWAPPED("%hs"), {2, 2, U, 0, 2, 2, 2, 2}},
    {"who asks Volatile does", "%c = OpIEqual %bool %lane %u5\n" SOME("%c", "OpDemoteToHelperInvocation\n") "%h = OpLoad %bool %helper_in Volatile\n%hs = OpSelect %u32 %h %u1 %u2\n" SWAPPED("%hs"), {2, 2, 1, 0, 2, 2, 2, 2}, .demote_is_core = true},
    {"but not where the extension is declared", "%c = OpIEqual %bool %lane %u5\n" SOME("%c", "OpDemoteToHelperInvocation\n") "%h = OpLoad %bool %helper_in Volatile\n%hs = OpSelect %u32 %h %u1 %u2\n" SWAPPED("%hs"), {2, 2, U, 0, 2, 2, 2, 2}},
    {"a kill is a choice", ONLY4 "OpSelectionMerge %j None\nOpBranchConditional %c %t %j\n%t = OpLabel\nOpKill\n%j = OpLabel\n" R, {0, 1, 0, 5, 2, 3, 6, 7}, .choices = 2},
    {"and so is each of two", ONLY4 "OpSelectionMerge %j None\nOpBranchConditional %c %t %j\n%t = OpLabel\nOpKill\n%j = OpLabel\n%d = OpIEqual %bool %lane %u5\nOpSelectionMerge %jj None\nOpBranchConditional %d %tt %jj\n%tt = OpLabel\nOpKill\n%jj = OpLabel\n" R,
     {0, 1, 0, 0, 2, 3, 6, 7}, .choices = 3},
    // Where it is asked what holds for any choice: a quad in which only helpers may be left, at some time.
    {"lane 4 is elsewhere, its quad stays", EARLIER R_EARLIER, {0xef, 0xef, 0, 0, 0xef}, .half = true, .any_policy = true, .mask_only = true},
    {"its quad's helpers return later", EARLIER LATER_IF("OpUGreaterThan") R_EARLIER, {U, U, 0, 0, U}, .half = true, .any_policy = true, .mask_only = true},
    {"with lane 4", EARLIER LATER_IF("OpUGreaterThanEqual") R_EARLIER, {0xef, 0xef, 0, 0, 0xef}, .half = true, .any_policy = true, .mask_only = true},
    {"lane 4 alone does", EARLIER LATER_IF("OpIEqual") R_EARLIER, {U, U, 0, 0, U}, .half = true, .any_policy = true, .mask_only = true},
    {"a vote that they do not change", ANY_EARLIER LATER_IF("OpIEqual") R_EARLIER, {1, 1, 0, 0, 1}, .half = true, .any_policy = true, .mask_only = true},
    {"who may come where they do not go", "%c = OpINotEqual %bool %lane %u4\n" SOME("%c", "%v0 = OpGroupNonUniformAny %bool %u3 %alive\nOpSelectionMerge %j2 None\nOpBranchConditional %v0 %t2 %j2\n%t2 = OpLabel\n" BALLOT("1") "OpBranch %j2\n%j2 = OpLabel\n%b0 = OpPhi %u32 %u5 %t %b1 %t2\n")
     "%pp = OpPhi %u32 %u0 %drawn %b0 %j2\n" LATER_IF("OpIEqual") R_EARLIER, {U, U, 0, 0, U}, .half = true, .any_policy = true, .mask_only = true},
    {"parts, of those who are sure", "%c = OpULessThan %bool %lane %u4\n" SOME("%c", OWN_PART) "%pp = OpPhi %u32 %u0 %drawn %o %t\n%d = OpIEqual %bool %lane %u4\nOpSelectionMerge %jj None\nOpBranchConditional %d %tt %jj\n%tt = OpLabel\nOpReturn\n%jj = OpLabel\n%r = OpIAdd %u32 %pp %u1\n",
     {1, 2, 0, 0, 3}, .half = true, .any_policy = true, .mask_only = true},
    {"one demotes, and the others of its quad are elsewhere", "%c = OpIEqual %bool %lane %u5\n" SOME("%c", "OpDemoteToHelperInvocation\n") "%e1 = OpULessThan %bool %lane %u2\n%e2 = OpLogicalOr %bool %e1 %c\nOpSelectionMerge %jj None\nOpBranchConditional %e2 %tt %jj\n%tt = OpLabel\n" BALLOT("0")
     "OpBranch %jj\n%jj = OpLabel\n%r = OpPhi %u32 %u0 %j %b0 %tt\n", {0x23, 0x23}, .any_policy = true, .mask_only = true},
    {"a swap after a kill", ONLY4 "OpSelectionMerge %j None\nOpBranchConditional %c %t %j\n%t = OpLabel\nOpKill\n%j = OpLabel\n" SWAPPED("%lane"), {U, U, 0, U, U, U, U, U}, .any_policy = true, .mask_only = true},
    {"a swap after a terminate", ONLY4 "OpSelectionMerge %j None\nOpBranchConditional %c %t %j\n%t = OpLabel\nOpTerminateInvocation\n%j = OpLabel\n" SWAPPED("%lane"), {1, 0, 0, U, 3, 2, 7, 6}, .any_policy = true, .mask_only = true},
    // Under a weaker model a helper may be inactive, but for quads.
    {"a ballot", BALLOT("0") "%r = OpIAdd %u32 %b0 %u0\n", {U, U, U, 0, U}, .half = true, .weak = true},
    {"a vote without helpers", "%v = OpGroupNonUniformAny %bool %u3 %alive\n%r = OpSelect %u32 %v %u1 %u2\n", {1, 1, 1, 0, 1}, .half = true, .weak = true},
    {"a vote that helpers decide", "%v = OpGroupNonUniformAll %bool %u3 %alive\n%r = OpSelect %u32 %v %u1 %u2\n", {U, U, U, 0, U}, .half = true, .weak = true},
    {"two that undo each other", "%c = OpIEqual %bool %lane %u5\n%d = OpIEqual %bool %lane %u6\n%e = OpLogicalOr %bool %c %d\n%z = OpSelect %u32 %e %u1 %u0\n%o = OpGroupNonUniformBitwiseXor %u32 %u3 Reduce %z\n%r = OpIAdd %u32 %o %u1\n", {U, U, U, 0, U}, .half = true, .weak = true},
    {"helpers that change nothing", "%o = OpGroupNonUniformBitwiseXor %u32 %u3 Reduce %u0\n%r = OpIAdd %u32 %o %u1\n", {1, 1, 1, 0, 1}, .half = true, .weak = true},
    {"a scan, up to the first helper", "%z = OpIAdd %u32 %lane %u1\n%r = OpGroupNonUniformIAdd %u32 %u3 InclusiveScan %z\n", {1, 3, U, 0, 6}, .half = true, .weak = true},
    {"the first of a vector", "%z = OpIAdd %u32 %lane %u1\n%zz = OpCompositeConstruct %uvec4 %z %u0 %z %z\n%o = OpGroupNonUniformIAdd %uvec4 %u3 InclusiveScan %zz\n%r = OpCompositeExtract %u32 %o 0\n", {1, 3, U, 0, 6}, .half = true, .weak = true},
    {"the second", "%z = OpIAdd %u32 %lane %u1\n%zz = OpCompositeConstruct %uvec4 %z %u0 %z %z\n%o = OpGroupNonUniformIAdd %uvec4 %u3 InclusiveScan %zz\n%o1 = OpCompositeExtract %u32 %o 1\n%r = OpIAdd %u32 %o1 %u1\n", {1, 1, 1, 0, 1}, .half = true, .weak = true},
    {"the last", "%z = OpIAdd %u32 %lane %u1\n%zz = OpCompositeConstruct %uvec4 %z %u0 %z %z\n%o = OpGroupNonUniformIAdd %uvec4 %u3 InclusiveScan %zz\n%r = OpCompositeExtract %u32 %o 3\n", {1, 3, U, 0, 6}, .half = true, .weak = true},
    {"a swap", SWAPPED("%lane"), {1, 0, 5, 0, 3}, .half = true, .weak = true},
    {"a derivative", "%o = OpDPdxFine %f32 %xf\n%r = OpBitcast %u32 %o\n", {0x3f800000, 0x3f800000, 0x3f800000, 0, 0x3f800000}, .half = true, .weak = true},
    {"a ballot's own bits", "%own = OpCompositeConstruct %uvec4 %u6 %u0 %u0 %u0\n%r = OpGroupNonUniformBallotFindLSB %u32 %u3 %own\n", {1, 1, 1, 0, 1}, .half = true, .weak = true},
    {"parts", OWN_PART "%r = OpIAdd %u32 %o %u1\n", {U, U, U, 0, U}, .half = true, .weak = true},
    {"what a helper got has no value", "%v = OpGroupNonUniformAny %bool %u3 %alive\n%vs = OpSelect %u32 %v %u1 %u2\n" SWAPPED("%vs"), {1, 1, U, 0, U}, .half = true, .weak = true},
    {"and where it goes by that", "%v = OpGroupNonUniformAny %bool %u3 %alive\n" SOME("%v", "") "%pp = OpPhi %u32 %u2 %drawn %u1 %t\n" SWAPPED("%pp"), {1, 1, U, 0, U}, .half = true, .weak = true},
    {"what it has stored there", "%v = OpGroupNonUniformAny %bool %u3 %alive\nOpStore %kept %u1\n" SOME("%v", "OpStore %kept %u2\n") "%w = OpLoad %u32 %kept\n" SWAPPED("%w"), {2, 2, U, 0, U}, .half = true, .weak = true},
    {"what it stores later", "%v = OpGroupNonUniformAny %bool %u3 %alive\n%l3 = OpBitwiseAnd %u32 %lane %u3\n%k3 = OpAccessChain %private_ptr %kept3 %l3\n" SOME("%v", "") "OpStore %kept %u1\nOpStore %k3 %u2\n%w = OpLoad %u32 %kept\n" SWAPPED("%w"), {1, 1, 1, 0, 1}, .half = true, .weak = true},
    {"what it stores later, by an index", "%v = OpGroupNonUniformAny %bool %u3 %alive\n%l3 = OpBitwiseAnd %u32 %lane %u3\n%k3 = OpAccessChain %private_ptr %kept3 %l3\n" SOME("%v", "") "OpStore %k3 %u2\n%w = OpLoad %u32 %k3\n" SWAPPED("%w"), {2, 2, 2, 0, 2}, .half = true, .weak = true},
    {"but not what it is", "%v = OpGroupNonUniformAny %bool %u3 %alive\n" SOME("%v", "") "%l2 = OpLoad %u32 %lane_in\n%w = OpIAdd %u32 %l2 %lane\n" SWAPPED("%w"), {2, 0, 10, 0, 6}, .half = true, .weak = true},
    {"two by a loop", "%v = OpGroupNonUniformAny %bool %u3 %alive\nOpBranch %h\n%h = OpLabel\n%p1 = OpPhi %u32 %u0 %drawn %p2 %q\n%p2 = OpPhi %u32 %u1 %drawn %p1 %q\n%n = OpPhi %u32 %u0 %drawn %n1 %q\nOpLoopMerge %e %q None\nOpBranchConditional %v %q %e\n"
     "%q = OpLabel\n%n1 = OpIAdd %u32 %n %u1\n%g = OpULessThan %bool %n1 %u3\nOpBranchConditional %g %h %e\n%e = OpLabel\n" SWAPPED("%p1"), {0, 0, U, 0, U}, .half = true, .weak = true},
    {"what a function gives", "OpBranch %h\n%h = OpLabel\nOpLoopMerge %e %q None\nOpBranch %b\n%b = OpLabel\n%w = OpFunctionCall %u32 %f\nOpBranch %e\n%q = OpLabel\nOpBranch %h\n%e = OpLabel\n" SWAPPED("%w"), {1, 1, U, 0, U}, .half = true, .weak = true, .functions = "%f = OpFunction %u32 None %fn_u32\n%fs = OpLabel\n%fh = OpLoad %bool %helper_in\n%fl = OpLogicalNot %bool %fh\n"
     "%fv = OpGroupNonUniformAny %bool %u3 %fl\nOpSelectionMerge %fj None\nOpBranchConditional %fv %ft %fj\n%ft = OpLabel\nOpReturnValue %u1\n%fj = OpLabel\nOpReturnValue %u2\nOpFunctionEnd\n"},
    {"what was made before a loop", "%v = OpGroupNonUniformAny %bool %u3 %alive\n%early = OpIAdd %u32 %lane %u1\nOpBranch %h\n%h = OpLabel\n%n = OpPhi %u32 %u0 %drawn %n1 %q\nOpLoopMerge %e %q None\nOpBranchConditional %v %q %e\n"
     "%q = OpLabel\n%n1 = OpIAdd %u32 %n %u1\n%g = OpULessThan %bool %n1 %u3\nOpBranchConditional %g %h %e\n%e = OpLabel\n" SWAPPED("%early"), {2, 1, 6, 0, 4}, .half = true, .weak = true},
    {"what a function gives where some ways end the invocation", "OpBranch %h\n%h = OpLabel\nOpLoopMerge %e %q None\nOpBranch %b\n%b = OpLabel\n%w = OpFunctionCall %u32 %f\nOpBranch %e\n%q = OpLabel\nOpBranch %h\n%e = OpLabel\n" SWAPPED("%lane"), {U, U, U, 0, U}, .half = true, .weak = true, .functions = LOST_IN_F "OpTerminateInvocation\nOpFunctionEnd\n"},
    {"where they end it further in", "OpBranch %h\n%h = OpLabel\nOpLoopMerge %e %q None\nOpBranch %b\n%b = OpLabel\n%w = OpFunctionCall %u32 %f\nOpBranch %e\n%q = OpLabel\nOpBranch %h\n%e = OpLabel\n" SWAPPED("%lane"), {U, U, U, 0, U}, .half = true, .weak = true, .functions = LOST_IN_F "%fw = OpFunctionCall %void %g\nOpReturnValue %u2\nOpFunctionEnd\n%g = OpFunction %void None %fn\n%gs = OpLabel\nOpTerminateInvocation\nOpFunctionEnd\n"},
    {"where they only write", "OpBranch %h\n%h = OpLabel\nOpLoopMerge %e %q None\nOpBranch %b\n%b = OpLabel\n%w = OpFunctionCall %u32 %f\nOpBranch %e\n%q = OpLabel\nOpBranch %h\n%e = OpLabel\n" "%w2 = OpLoad %u32 %kept\n%w3 = OpIAdd %u32 %w2 %lane\n" SWAPPED("%w3"), {U, U, U, 0, U}, .half = true, .weak = true, .functions = LOST_IN_F "%fw = OpFunctionCall %void %g\nOpReturnValue %u2\nOpFunctionEnd\n%g = OpFunction %void None %fn\n%gs = OpLabel\nOpStore %kept %u5\nOpReturn\nOpFunctionEnd\n"},
    {"further in, of what is written before", "%k0 = OpAccessChain %private_ptr %kept3 %u0\nOpStore %kept %u1\nOpStore %k0 %u2\n" "OpBranch %h\n%h = OpLabel\nOpLoopMerge %e %q None\nOpBranch %b\n%b = OpLabel\n%w = OpFunctionCall %u32 %f\nOpBranch %e\n%q = OpLabel\nOpBranch %h\n%e = OpLabel\n" "%w2 = OpLoad %u32 %k0\n%w3 = OpIAdd %u32 %w2 %lane\n" SWAPPED("%w3"), {3, 2, 7, 0, 5}, .half = true, .weak = true, .functions = LOST_IN_F "%fw = OpFunctionCall %void %g\nOpReturnValue %u2\nOpFunctionEnd\n%g = OpFunction %void None %fn\n%gs = OpLabel\nOpStore %kept %u5\nOpReturn\nOpFunctionEnd\n"},
    {"a way out of the shader", "%v = OpGroupNonUniformAny %bool %u3 %alive\n" "%nv = OpLogicalNot %bool %v\nOpSelectionMerge %j None\nOpBranchConditional %nv %t %j\n%t = OpLabel\nOpReturn\n%j = OpLabel\n" SWAPPED("%lane"), {U, U, U, 0, U}, .half = true, .weak = true},
    {"a way out of a loop around it", "%v = OpGroupNonUniformAny %bool %u3 %alive\n" "%nv = OpLogicalNot %bool %v\nOpBranch %h\n%h = OpLabel\nOpLoopMerge %e %q None\nOpBranch %b\n%b = OpLabel\nOpSelectionMerge %j None\nOpBranchConditional %nv %e %j\n%j = OpLabel\n%o = OpGroupNonUniformQuadSwap %u32 %u3 %lane %u0\n"
     "OpBranch %e\n%q = OpLabel\nOpBranch %h\n%e = OpLabel\n%pp = OpPhi %u32 %u5 %b %o %j\n" R_EARLIER, {U, U, U, 0, U}, .half = true, .weak = true},
    {"and behind that loop", "%v = OpGroupNonUniformAny %bool %u3 %alive\n" "%nv = OpLogicalNot %bool %v\nOpBranch %h\n%h = OpLabel\nOpLoopMerge %e %q None\nOpBranch %b\n%b = OpLabel\nOpSelectionMerge %j None\nOpBranchConditional %nv %e %j\n%j = OpLabel\n"
     "OpBranch %e\n%q = OpLabel\nOpBranch %h\n%e = OpLabel\n" SWAPPED("%lane"), {1, 0, 5, 0, 3}, .half = true, .weak = true},
    {"the next round of a loop around it", "%v = OpGroupNonUniformAny %bool %u3 %alive\n" "%nv = OpLogicalNot %bool %v\nOpBranch %h\n%h = OpLabel\n%n = OpPhi %u32 %u0 %drawn %n1 %q\nOpLoopMerge %e %q None\nOpBranch %b\n%b = OpLabel\nOpSelectionMerge %j None\nOpBranchConditional %nv %q %j\n%j = OpLabel\n%o = OpGroupNonUniformQuadSwap %u32 %u3 %lane %u0\n"
     "OpBranch %e\n%q = OpLabel\n%n1 = OpIAdd %u32 %n %u1\nOpBranch %h\n%e = OpLabel\n%pp = OpIAdd %u32 %n %lane\n" SWAPPED("%pp"), {1, 0, U, 0, U}, .half = true, .weak = true},
    {"what is done before the next round", "%v = OpGroupNonUniformAny %bool %u3 %alive\n" "%nv = OpLogicalNot %bool %v\nOpBranch %h\n%h = OpLabel\nOpLoopMerge %e %q None\nOpBranch %b\n%b = OpLabel\nOpSelectionMerge %j None\nOpBranchConditional %nv %q %j\n%j = OpLabel\n%o = OpGroupNonUniformQuadSwap %u32 %u3 %lane %u0\n"
     "OpBranch %e\n%q = OpLabel\nOpBranch %h\n%e = OpLabel\n%r = OpIAdd %u32 %o %u0\n", {U, U, U, 0, U}, .half = true, .weak = true},
    {"from two constructs further in", "%v = OpGroupNonUniformAny %bool %u3 %alive\n" "%nv = OpLogicalNot %bool %v\nOpBranch %h\n%h = OpLabel\nOpLoopMerge %e %q None\nOpBranch %b\n%b = OpLabel\n%most = OpULessThan %bool %lane %u8\nOpSelectionMerge %s None\nOpBranchConditional %most %sb %s\n%sb = OpLabel\n"
     "OpSelectionMerge %j None\nOpBranchConditional %nv %q %j\n%j = OpLabel\nOpBranch %s\n%s = OpLabel\n%o = OpGroupNonUniformQuadSwap %u32 %u3 %lane %u0\nOpBranch %e\n%q = OpLabel\nOpBranch %h\n%e = OpLabel\n%r = OpIAdd %u32 %o %u0\n",
     {U, U, U, 0, U}, .half = true, .weak = true},
    {"after two constructs that all ways come to", "%v = OpGroupNonUniformAny %bool %u3 %alive\n" "%most = OpULessThan %bool %lane %u8\nOpSelectionMerge %s None\nOpBranchConditional %most %sb %s\n%sb = OpLabel\n" SOME("%v", "") "%o = OpGroupNonUniformQuadSwap %u32 %u3 %lane %u0\nOpBranch %s\n%s = OpLabel\n%r = OpPhi %u32 %u5 %drawn %o %j\n",
     {1, 0, 5, 0, 3}, .half = true, .weak = true},
    {"the next round of the loop around its loop", "%v = OpGroupNonUniformAny %bool %u3 %alive\n" "%nv = OpLogicalNot %bool %v\nOpBranch %ha\n%ha = OpLabel\nOpLoopMerge %ea %qa None\nOpBranch %h\n%h = OpLabel\nOpLoopMerge %e %q None\nOpBranch %b\n%b = OpLabel\nOpSelectionMerge %j None\nOpBranchConditional %nv %e %j\n"
     "%j = OpLabel\n%o = OpGroupNonUniformQuadSwap %u32 %u3 %lane %u0\nOpStore %pr %o\nOpReturn\n%q = OpLabel\nOpBranch %h\n%e = OpLabel\nOpBranch %qa\n%qa = OpLabel\nOpBranch %ha\n%ea = OpLabel\n" R, {U, U, U, 0, U}, .half = true, .weak = true},
    {"what is made in a loop", "%v = OpGroupNonUniformAny %bool %u3 %alive\n" "OpBranch %h\n%h = OpLabel\n%n = OpPhi %u32 %u0 %drawn %n1 %q\n%made = OpIAdd %u32 %n %lane\nOpLoopMerge %e %q None\nOpBranchConditional %v %q %e\n"
     "%q = OpLabel\n%n1 = OpIAdd %u32 %n %u1\n%g = OpULessThan %bool %n1 %u3\nOpBranchConditional %g %h %e\n%e = OpLabel\n" SWAPPED("%made"), {3, 2, U, 0, U}, .half = true, .weak = true},
    {"what is stored by a parameter", "%v = OpGroupNonUniformAny %bool %u3 %alive\n" "OpStore %kept %u1\n" SOME("%v", "%fw = OpFunctionCall %void %f %kept\n") "%w = OpLoad %u32 %kept\n" SWAPPED("%w"), {2, 2, U, 0, U}, .half = true, .weak = true,
     .functions = "%f = OpFunction %void None %fn_at\n%fp = OpFunctionParameter %private_ptr\n%fs = OpLabel\nOpStore %fp %u2\nOpReturn\nOpFunctionEnd\n"},
    {"who was lost, and others that are", "%v = OpGroupNonUniformAny %bool %u3 %alive\n" SOME("%v", "") "%c2 = OpUGreaterThan %bool %lane %u4\n%v2 = OpLogicalAnd %bool %v %c2\nOpSelectionMerge %j2 None\nOpBranchConditional %v2 %t2 %j2\n%t2 = OpLabel\nOpReturn\n%j2 = OpLabel\n" SWAPPED("%lane"), {U, U, U, 0, U}, .half = true, .weak = true},
    {"a kill on the way", "OpBranch %h\n%h = OpLabel\nOpLoopMerge %e %q None\nOpBranch %b\n%b = OpLabel\n%w = OpFunctionCall %u32 %f\nOpBranch %e\n%q = OpLabel\nOpBranch %h\n%e = OpLabel\n" SWAPPED("%lane"), {U, U, U, 0, U}, .half = true, .weak = true, .functions = LOST_IN_F "OpKill\nOpFunctionEnd\n"},
    {"a derivative beside it", "%v = OpGroupNonUniformAny %bool %u3 %alive\n" SOME("%v", "%o = OpDPdxFine %f32 %xf\n%ob = OpBitcast %u32 %o\n") "%r = OpPhi %u32 %u0 %drawn %ob %t\n", {U, U, U, 0, U}, .half = true, .weak = true},
    {"and behind it", "%v = OpGroupNonUniformAny %bool %u3 %alive\n" SOME("%v", "") "%o = OpDPdxFine %f32 %xf\n%r = OpBitcast %u32 %o\n", {0x3f800000, 0x3f800000, 0x3f800000, 0, 0x3f800000}, .half = true, .weak = true},
    {"a derivative of the primitive beside it", "%v = OpGroupNonUniformAny %bool %u3 %alive\n" SOME("%v", "%o = OpDPdxFine %f32 %xf\n%ob = OpBitcast %u32 %o\n") "%r = OpPhi %u32 %u0 %drawn %ob %t\n", {U, U, U, 0, U}, .half = true, .weak = true, .no_quad_derivatives = true},
    {"lost, of a quad in which only helpers may be left", ANY_EARLIER LOST_BY_ANY("%b = OpGroupNonUniformBallot %uvec4 %u3 %true\n%bx = OpCompositeExtract %u32 %b 0\n") LATER_IF("OpIEqual") R_OF_BX, {U, U, 0, 0, U}, .half = true, .any_policy = true, .mask_only = true},
    {"what does not ask for it", ANY_EARLIER LOST_BY_ANY("%bx = OpGroupNonUniformQuadSwap %u32 %u3 %lane %u0\n") LATER_IF("OpIEqual") R_OF_BX, {1, 0, 0, 0, 3}, .half = true, .any_policy = true, .mask_only = true},
    {"its quad asks for it", ANY_EARLIER LOST_BY_ANY("%bx = OpGroupNonUniformQuadSwap %u32 %u3 %lane %u0\n") LATER_WITH("%bx2") R_OF_BX, {1, 0, U, 0, 3}, .half = true, .any_policy = true, .mask_only = true},
    {"derivatives do", ANY_EARLIER LOST_BY_ANY("%o = OpDPdxFine %f32 %xf\n%bx = OpBitcast %u32 %o\n") LATER_WITH("%bx2") R_OF_BX, {0x3f800000, 0x3f800000, U, 0, 0x3f800000}, .half = true, .any_policy = true, .mask_only = true},
    {"a ballot when it is back", ANY_EARLIER LOST_BY_ANY("%bx = OpIAdd %u32 %lane %u0\n") BALLOT("4") LATER_WITH("%b4") "%r = OpIAdd %u32 %b4 %u0\n", {0xff, 0xff, 0xff, 0, 0xff}, .half = true, .any_policy = true, .mask_only = true, .live = 0xef, .helper = 0xe8},
    {"a shuffle from a helper", "%r = OpGroupNonUniformShuffle %u32 %u3 %lane %u5\n", {U, U, U, 0, U}, .half = true, .weak = true},
    {"a shuffle from a live one", "%r = OpGroupNonUniformShuffle %u32 %u3 %lane %u4\n", {4, 4, 4, 0, 4}, .half = true, .weak = true},
    {"a derivative after a kill", "%c = OpUGreaterThan %bool %lane %u3\nOpSelectionMerge %j None\nOpBranchConditional %c %t %j\n%t = OpLabel\nOpKill\n%j = OpLabel\n%o = OpDPdxFine %f32 %xf\n%r = OpBitcast %u32 %o\n", {U, U, 0, 0, U}, .half = true, .weak = true},
    // Helpers of which no ballot told: there for quads, and perhaps for others.
    {"nobody asked for helpers", BALLOT("0") "%r = OpIAdd %u32 %b0 %u0\n", {0x17, 0x17, 0x17, 0, 0x17}, .half = true, .no_full_quads = true, .ghosts = true, .live = 0x17},
    {"who is alone without helpers", ONLY4 SOME("%c", "OpDemoteToHelperInvocation\n") R, {0, 1, 0, 0, 2}, .half = true, .no_full_quads = true, .ghosts = true, .choices = 2},
    {"a swap asks for them", SWAPPED("%lane"), {1, 0, 5, 0, 3}, .half = true, .no_full_quads = true, .ghosts = true, .live = 0xff, .helper = 0xe8},
    {"they may be in a ballot", "%sw = OpGroupNonUniformQuadSwap %u32 %u3 %lane %u0\n" BALLOT("0") "%r = OpIAdd %u32 %b0 %sw\n", {U, U, U, 0, U}, .half = true, .no_full_quads = true, .ghosts = true},
    {"by a coverage of our own they are", "%sw = OpGroupNonUniformQuadSwap %u32 %u3 %lane %u0\n" BALLOT("0") "%r = OpIAdd %u32 %b0 %sw\n", {256, 255, 260, 0, 258}, .half = true, .no_full_quads = true},
    {"unless nobody asks", BALLOT("0") "%r = OpIAdd %u32 %b0 %u0\n", {0x17, 0x17, 0x17, 0, 0x17}, .half = true, .no_full_quads = true},
    {"parts of those who are sure", "%sw = OpGroupNonUniformQuadSwap %u32 %u3 %lane %u0\n%c = OpULessThan %bool %lane %u3\n" SOME("%c", OWN_PART) "%r = OpPhi %u32 %u0 %drawn %o %t\n", {0, 1, 0, 0, 2}, .half = true, .no_full_quads = true, .ghosts = true},
    {"they go by what they do not know", "%sw = OpGroupNonUniformQuadSwap %u32 %u3 %lane %u0\n%v = OpGroupNonUniformAny %bool %u3 %alive\n" SOME("%v", BALLOT("0")) "%r = OpPhi %u32 %u5 %drawn %b0 %t\n", {U, U, U, 0, U}, .half = true, .no_full_quads = true, .ghosts = true},
    {"and come back", "%v = OpGroupNonUniformAny %bool %u3 %alive\n" SOME("%v", "") SWAPPED("%lane"), {1, 0, 5, 0, 3}, .half = true, .no_full_quads = true, .ghosts = true},
    {"but must know the rest", "%hz = OpSelect %u32 %alive %u1 %u0\n%ux = OpCompositeConstruct %uvec4 %hz %u0 %u0 %u0\n%ul = OpGroupNonUniformBallotFindLSB %u32 %u3 %ux\n%c = OpIEqual %bool %ul %u0\n" SOME("%c", "") SWAPPED("%lane"), {0}, .refused = "E-branch", .invocation = 3, .half = true},
    // Who is lost in one arm is not in the other, whichever comes first.
    {"lost in the other arm, for good", "%sw = OpGroupNonUniformQuadSwap %u32 %u3 %lane %u0\n%v = OpGroupNonUniformAny %bool %u3 %alive\n%nv = OpLogicalNot %bool %v\n%c = OpULessThan %bool %lane %u4\nOpSelectionMerge %j None\nOpBranchConditional %c %t %x\n" LOST_ARM ANY_ARM "%j = OpLabel\n%r = OpPhi %u32 %u5 %ij %ws %x\n", {5, 5, 1, 0, 5}, GHOSTS},
    {"and in the one that comes second", "%sw = OpGroupNonUniformQuadSwap %u32 %u3 %lane %u0\n%v = OpGroupNonUniformAny %bool %u3 %alive\n%nv = OpLogicalNot %bool %v\n%c = OpUGreaterThanEqual %bool %lane %u4\nOpSelectionMerge %j None\nOpBranchConditional %c %x %t\n" ANY_ARM LOST_ARM "%j = OpLabel\n%r = OpPhi %u32 %u5 %ij %ws %x\n", {5, 5, 1, 0, 5}, GHOSTS},
    {"what all do behind both", "%sw = OpGroupNonUniformQuadSwap %u32 %u3 %lane %u0\n%v = OpGroupNonUniformAny %bool %u3 %alive\n%nv = OpLogicalNot %bool %v\n%c = OpUGreaterThanEqual %bool %lane %u4\nOpSelectionMerge %j None\nOpBranchConditional %c %x %t\n" ANY_ARM LOST_ARM "%j = OpLabel\n%w2 = OpGroupNonUniformAny %bool %u3 %alive\n%r = OpSelect %u32 %w2 %u1 %u2\n", {U, U, U, 0, U}, GHOSTS},
    {"a derivative by a part of a quad, of which others are lost elsewhere", "%v = OpGroupNonUniformAny %bool %u3 %alive\n%nv = OpLogicalNot %bool %v\n%c = OpUGreaterThan %bool %lane %u4\nOpSelectionMerge %j None\nOpBranchConditional %c %t %x\n" LOST_ARM "%x = OpLabel\n%o = OpDPdxFine %f32 %xf\n%ws = OpBitcast %u32 %o\nOpBranch %j\n%j = OpLabel\n%r = OpPhi %u32 %u5 %ij %ws %x\n", {0}, .refused = "E-derivative", .invocation = 4, GHOSTS},
    {"what is lost may fall through", ODD "OpSelectionMerge %j None\nOpSwitch %l1 %B 1 %A\n%A = OpLabel\nOpSelectionMerge %ij None\nOpBranchConditional %nv %it %ij\n%it = OpLabel\nOpReturn\n%ij = OpLabel\nOpBranch %B\n%B = OpLabel\n" ANYW("b") "OpBranch %j\n%j = OpLabel\n%r = OpIAdd %u32 %wsb %u0\n", {U, U, U, 0, U}, GHOSTS},
    {"and may not where nothing does", ODD "OpSelectionMerge %j None\nOpSwitch %l1 %B 1 %A\n%A = OpLabel\nOpSelectionMerge %ij None\nOpBranchConditional %nv %it %ij\n%it = OpLabel\nOpReturn\n%ij = OpLabel\nOpBranch %j\n%B = OpLabel\n" ANYW("b") "OpBranch %j\n%j = OpLabel\n%r = OpPhi %u32 %u5 %ij %wsb %B\n", {1, 5, 1, 0, 1}, GHOSTS},
    {"the other arm in the next round", ODD "%od = OpIEqual %bool %l1 %u1\nOpBranch %h\n%h = OpLabel\n%n = OpPhi %u32 %u0 %drawn %n1 %q\n%acc = OpPhi %u32 %u0 %drawn %acc2 %q\nOpLoopMerge %e %q None\nOpBranch %b\n%b = OpLabel\nOpSelectionMerge %s None\nOpBranchConditional %od %o1 %o2\n"
     "%o1 = OpLabel\nOpSelectionMerge %ij None\nOpBranchConditional %nv %e %ij\n%ij = OpLabel\nOpBranch %s\n%o2 = OpLabel\n" ANYW("b") "OpBranch %s\n%s = OpLabel\n%pb = OpPhi %u32 %u5 %ij %wsb %o2\n%acc10 = OpIMul %u32 %acc %u8\n%acc2 = OpIAdd %u32 %acc10 %pb\nOpBranch %q\n%q = OpLabel\n%n1 = OpIAdd %u32 %n %u1\n%g = OpULessThan %bool %n1 %u2\nOpBranchConditional %g %h %e\n%e = OpLabel\n%r = OpPhi %u32 %u6 %o1 %acc2 %q\n", {U, 0x2d, U, 0, U}, GHOSTS},
    {"the other arm of this round", ODD "%od = OpIEqual %bool %l1 %u1\nOpBranch %h\n%h = OpLabel\n%n = OpPhi %u32 %u0 %drawn %n1 %q\n%acc = OpPhi %u32 %u0 %drawn %acc2 %q\nOpLoopMerge %e %q None\nOpBranch %b\n%b = OpLabel\nOpSelectionMerge %s None\nOpBranchConditional %od %o1 %o2\n"
     "%o1 = OpLabel\nOpSelectionMerge %ij None\nOpBranchConditional %nv %e %ij\n%ij = OpLabel\nOpBranch %s\n%o2 = OpLabel\n" ANYW("b") "OpBranch %s\n%s = OpLabel\n%pb = OpPhi %u32 %u5 %ij %wsb %o2\n%acc10 = OpIMul %u32 %acc %u8\n%acc2 = OpIAdd %u32 %acc10 %pb\nOpBranch %q\n%q = OpLabel\n%n1 = OpIAdd %u32 %n %u1\n%g = OpULessThan %bool %n1 %u1\nOpBranchConditional %g %h %e\n%e = OpLabel\n%r = OpPhi %u32 %u6 %o1 %acc2 %q\n", {1, 5, 1, 0, 1}, GHOSTS},
    {"a loop of one block, once", ODD "OpBranch %h\n%h = OpLabel\n%n = OpPhi %u32 %u0 %drawn %n1 %h\n%first_w = OpPhi %u32 %u0 %drawn %wsb %h\n" ANYW("b") "%n1 = OpIAdd %u32 %n %u1\n%g0 = OpULessThan %bool %n1 %u2\n%g = OpLogicalAnd %bool %g0 %v\nOpLoopMerge %e %h None\nOpBranchConditional %g %h %e\n%e = OpLabel\n%x8 = OpIMul %u32 %first_w %u8\n%r = OpIAdd %u32 %x8 %u0\n", {8, 8, 8, 0, 8}, GHOSTS},
    {"and again", ODD "OpBranch %h\n%h = OpLabel\n%n = OpPhi %u32 %u0 %drawn %n1 %h\n" ANYW("b") "%n1 = OpIAdd %u32 %n %u1\n%g0 = OpULessThan %bool %n1 %u2\n%g = OpLogicalAnd %bool %g0 %v\nOpLoopMerge %e %h None\nOpBranchConditional %g %h %e\n%e = OpLabel\n%r = OpIAdd %u32 %wsb %u0\n", {U, U, U, 0, U}, GHOSTS},
    {"a function that is called in both arms", ODD "%od = OpIEqual %bool %l1 %u1\nOpSelectionMerge %s None\nOpBranchConditional %od %o1 %o2\n%o1 = OpLabel\n%f1 = OpFunctionCall %u32 %f\nOpBranch %s\n%o2 = OpLabel\n%f2 = OpFunctionCall %u32 %f\nOpBranch %s\n%s = OpLabel\n%r = OpPhi %u32 %f1 %o1 %f2 %o2\n", {1, 1, 1, 0, 1}, GHOSTS,
     .functions = LOST_IN_F "%gv = OpGroupNonUniformAny %bool %u3 %fl\n%gw = OpSelect %u32 %gv %u1 %u2\nOpReturnValue %gw\nOpFunctionEnd\n"},
    // One is lost in the call of one arm for good: nobody is in that of the other one.
    {"a function that is called in both arms, in which one is lost for good", "%sw = OpGroupNonUniformQuadSwap %u32 %u3 %lane %u0\nOpSelectionMerge %s None\nOpBranchConditional %helper %o1 %o2\n%o1 = OpLabel\n%f1 = OpFunctionCall %u32 %f\nOpBranch %s\n%o2 = OpLabel\n%f2 = OpFunctionCall %u32 %f\n"
     "OpBranch %s\n%s = OpLabel\n%r = OpPhi %u32 %f1 %o1 %f2 %o2\n", {1, 1, 1, 0, 1}, GHOSTS,
     .functions = "%f = OpFunction %u32 None %fn_u32\n%fs = OpLabel\n%fh = OpLoad %bool %helper_in\n%fl = OpLogicalNot %bool %fh\n%fv = OpGroupNonUniformAny %bool %u3 %fl\n%fn1 = OpLogicalNot %bool %fv\n"
     "OpSelectionMerge %fj None\nOpBranchConditional %fn1 %ft %fj\n%ft = OpLabel\nOpTerminateInvocation\n%fj = OpLabel\n%gv = OpGroupNonUniformAny %bool %u3 %fl\n%gw = OpSelect %u32 %gv %u1 %u2\nOpReturnValue %gw\nOpFunctionEnd\n"},
    // The odd ones come into the loop first, and helpers among them are lost in it; who comes in by the other way (R2) is in its header for the first time.
    {"lost in a loop that others come into later", ODD "%od = OpIEqual %bool %l1 %u1\nOpSelectionMerge %j None\nOpBranchConditional %od %a %b\n%a = OpLabel\nOpBranch %h\n%b = OpLabel\nOpBranch %h\n%h = OpLabel\n" ANYW("b") "OpLoopMerge %e %q None\n"
     "OpBranchConditional %nv %x %q\n%x = OpLabel\nOpReturn\n%q = OpLabel\nOpBranchConditional %true %e %h\n%e = OpLabel\nOpBranch %j\n%j = OpLabel\n%r = OpIAdd %u32 %wsb %u0\n", {1, 1, 1, 0, 1}, GHOSTS},
    // What they may have stored to has no value; they know where it is, and store again.
    {"by a pointer, after others were lost and may have stored there", "%v = OpGroupNonUniformAny %bool %u3 %alive\n" SOME("%v", "OpStore %kept %u1\n") "OpStore %kept %lane\n%z = OpFunctionCall %void %f %kept\n%now = OpLoad %u32 %kept\n" SWAPPED("%now"), {2, 1, 6, 0, 4}, GHOSTS,
     .functions = "%f = OpFunction %void None %fn_at\n%at = OpFunctionParameter %private_ptr\n%fs = OpLabel\n%fl = OpLoad %u32 %at\n%fm = OpIAdd %u32 %fl %u1\nOpStore %at %fm\nOpReturn\nOpFunctionEnd\n"},
    // A result that has no value is nothing else than that one: what a variable holds stays known.
    {"what has a value beside a result that has none", "%sw = OpGroupNonUniformQuadSwap %u32 %u3 %lane %u0\n" KEPT_BESIDE, {0, 1, 4, 0, 2}, GHOSTS, .functions = F_OWN_PART},
    {"and beside one that is not promised", KEPT_BESIDE, LANES_BY_PIXEL, .weak = true, .functions = F_OWN_PART},
    // Where the derivative's group is the primitive, whoever may not be there makes it unknown for all.
    {"a derivative of the primitive, of which some may be elsewhere", ANY_EARLIER LOST_BY_ANY("%o = OpDPdxFine %f32 %xf\n%bx = OpBitcast %u32 %o\n") LATER_WITH("%bx2") R_OF_BX, {U, U, U, 0, U}, .half = true, .any_policy = true, .mask_only = true, .no_quad_derivatives = true},
    {"or of which no ballot knew", "%v = OpGroupNonUniformAny %bool %u3 %alive\n%c = OpULessThan %bool %lane %u4\n%q = OpLogicalOr %bool %c %v\n" SOME("%q", "%o = OpDPdxFine %f32 %xf\n%ob = OpBitcast %u32 %o\n") "%r = OpPhi %u32 %u5 %drawn %ob %t\n", {U, U, U, 0, U}, .no_quad_derivatives = true, GHOSTS},
    {"in another subgroup", "%v = OpGroupNonUniformAny %bool %u3 %alive\n%c = OpULessThan %bool %px %u2\n%q = OpLogicalOr %bool %c %v\n" SOME("%q", "%o = OpDPdxFine %f32 %xf\n%ob = OpBitcast %u32 %o\n") "%r = OpPhi %u32 %u5 %drawn %ob %t\n", {0}, .refused = "E-derivative", .half = true, .weak = true, .no_quad_derivatives = true, .subgroup = 4},
    {"in another subgroup, with the mode", "%v = OpGroupNonUniformAny %bool %u3 %alive\n%c = OpULessThan %bool %px %u2\n%q = OpLogicalOr %bool %c %v\n" SOME("%q", "%o = OpDPdxFine %f32 %xf\n%ob = OpBitcast %u32 %o\n") "%r = OpPhi %u32 %u5 %drawn %ob %t\n", {0x3f800000, 0x3f800000, U, 0, 0x3f800000}, .half = true, .weak = true, .subgroup = 4},
    // Where the draw must come the same way: who is lost in one subgroup is missing in all.
    {"who is lost has not come with the draw", LOST_TO_THE_DRAW, {U, U, U, 0, U}, .half = true, .draw = true, .subgroup = 4},
    {"and has when it is back", "%nc = OpUGreaterThanEqual %bool %px %u2\n" SOME("%nc", "%x = OpGroupNonUniformQuadAnyKHR %bool %alive\n") "%y = OpPhi %bool %true %drawn %x %t\n%cc = OpSelect %bool %helper %y %true\n"
     "OpSelectionMerge %j2 None\nOpBranchConditional %cc %t2 %j2\n%t2 = OpLabel\nOpBranch %j2\n%j2 = OpLabel\n" SWAPPED("%lane"), {1, 0, 1, 0, 3}, .half = true, .draw = true, .subgroup = 4},
    {"what nobody may come to", "%v = OpGroupNonUniformAny %bool %u3 %alive\nOpSelectionMerge %j None\nOpBranchConditional %v %j %t\n%t = OpLabel\nOpUnreachable\n%j = OpLabel\n" SWAPPED("%lane"), {U, U, U, 0, U}, .half = true, .weak = true},
    // What has no value for another reason than R14 leads nowhere under a weaker model either.
    {"a helper that goes by nothing", "%none = OpUndef %bool\n%z = OpSelect %bool %helper %none %true\n" SOME("%z", "") SWAPPED("%lane"), {0}, .refused = "E-branch", .invocation = 3, .half = true, .weak = true},
    {"who has demoted, and goes by what was", "%c = OpIEqual %bool %lane %u5\n" SOME("%c", "OpDemoteToHelperInvocation\n") "%h = OpLoad %bool %helper_in\nOpSelectionMerge %j2 None\nOpBranchConditional %h %t2 %j2\n%t2 = OpLabel\nOpBranch %j2\n%j2 = OpLabel\n" SWAPPED("%lane"), {0}, .refused = "E-branch", .invocation = 5, .weak = true},
    {"out of bounds where all go that are lost", "%v = OpGroupNonUniformAny %bool %u3 %alive\nOpSelectionMerge %j None\nOpBranchConditional %v %t %j\n%t = OpLabel\n%at = OpSelect %u32 %alive %pixel %alive_bit\n%fp = OpAccessChain %word_ptr %out %u0 %at\n%fl = OpLoad %u32 %fp\nOpBranch %j\n%j = OpLabel\n" SWAPPED("%lane"), {0}, .refused = "E-bounds", .invocation = 3, .half = true, .weak = true},
    // Derivatives of the whole primitive (without QuadDerivativesKHR).
    {"of all", "%o = OpDPdxFine %f32 %xf\n%r = OpBitcast %u32 %o\n", ALL8(0x3f800000), .no_quad_derivatives = true},
    {"of one quad", FIRST_QUAD, {0}, .refused = "E-derivative", .no_quad_derivatives = true},
    {"of one quad, where another entry point has the mode", FIRST_QUAD, {0}, .refused = "E-derivative", .no_quad_derivatives = true, .other_quads = true, .functions = "%other = OpFunction %void None %fn\n%os = OpLabel\nOpReturn\nOpFunctionEnd\n"},
    {"of one quad, with the mode", FIRST_QUAD, {0x3f800000, 0x3f800000, 0, 0, 0x3f800000, 0x3f800000}},
    {"of one quad, on a machine that is wrong", FIRST_QUAD, {0x3f800000, 0x3f800000, 0, 0, 0x3f800000, 0x3f800000}, .no_quad_derivatives = true, .fault = ORC_FAULT_ELECTS_LAST, .mask_only = true},
    {"of all of two subgroups", "%o = OpDPdxFine %f32 %xf\n%o2 = OpDPdyFine %f32 %yf\n%o3 = OpFAdd %f32 %o %o2\n%r = OpBitcast %u32 %o3\n", ALL8(0x40000000), .no_quad_derivatives = true, .subgroup = 4},
    {"of one of two subgroups", "%c = OpULessThan %bool %px %u2\n" SOME("%c", "%o = OpDPdxFine %f32 %xf\n") "%r = OpIAdd %u32 %lane %u0\n", {0}, .refused = "E-derivative", .no_quad_derivatives = true, .subgroup = 4},
    {"of one of two subgroups, after one of both", "%o0 = OpDPdxFine %f32 %xf\n%c = OpULessThan %bool %px %u2\n" SOME("%c", "%o = OpDPdxFine %f32 %xf\n") "%r = OpIAdd %u32 %lane %u0\n", {0}, .refused = "E-derivative", .no_quad_derivatives = true, .subgroup = 4},
    // The number that a subgroup drew is known, not how many have drawn one by now (N1).
    {"the counter, loaded", COUNTER "%n = OpAtomicLoad %u32 %cp %u1 %u0\n%r = OpIAdd %u32 %n %lane\n", ALL8(U)},
    {"the counter, and nothing added", COUNTER "%n = OpAtomicIAdd %u32 %cp %u1 %u0 %u0\n%r = OpIAdd %u32 %n %lane\n", ALL8(U)},
    {"the counter, and another operation", COUNTER "%n = OpAtomicUMax %u32 %cp %u1 %u0 %u1\n%r = OpIAdd %u32 %n %lane\n", ALL8(U), .logs_other = true},
    {"the word behind it", "%cp = OpAccessChain %word_ptr %log %u0 %u1\n%n = OpAtomicUMax %u32 %cp %u1 %u0 %u1\n%r = OpIAdd %u32 %n %lane\n", ALL8(U)},
    // What is logged otherwise than it is.
    {"who counts once more has the number once more", COUNTER "%n = OpAtomicIAdd %u32 %cp %u1 %u0 %u1\n%r = OpIAdd %u32 %n %lane\n", LANES_BY_PIXEL, .logs_other = true},
    {"the ballot of all", R, LANES_BY_PIXEL, .logged = AND_WRONG STORES("%marked", "%wrong", "%lives_low"), .logs_other = true},
    {"the live ones", R, LANES_BY_PIXEL, .logged = AND_WRONG STORES("%marked", "%all_low", "%wrong_live"), .logs_other = true},
    {"the pixel", R, LANES_BY_PIXEL, .logged = AND_WRONG STORES("%wrong_row", "%all_low", "%lives_low"), .logs_other = true},
    {"the size is not told", R, LANES_BY_PIXEL, .size_said = "%u4", .logs_other = true},
    {"a subgroup that counts itself twice", R, LANES_BY_PIXEL, .drawn = "%twice = OpAtomicIAdd %u32 %size_at %u1 %u0 %u0\n%again = OpAtomicIAdd %u32 %count2 %u1 %u0 %u1\n", .logs_other = true},
    {"a ballot without a value need not be known", R, LANES_BY_PIXEL, .logged = "%none = OpUndef %u32\n" STORES("%marked", "%none", "%lives_low")},
    {"who lives has to be", R, LANES_BY_PIXEL, .logged = "%none = OpUndef %u32\n" STORES("%marked", "%all_low", "%none"), .logs_other = true},
    {"and so has the pixel", R, LANES_BY_PIXEL, .logged = "%none = OpUndef %u32\n" STORES("%none", "%all_low", "%lives_low"), .logs_other = true},
    {"and the size", R, LANES_BY_PIXEL, .size_said = "%nothing", .logs_other = true},
};

static void fragment_case(struct spv_tools *tools, struct arena *a, const struct shaded *s, struct spv_case *c)
{
    struct text t = {.arena = a};
    struct err e;
    const bool none = s->size_said && strcmp(s->size_said, "%nothing") == 0;
    text_add(&t, "%s%s%s%s%s%s%s%s%s%s%%told = OpAtomicUMax %%u32 %%size_at %%u1 %%u0 %s\n%s%s%s%s%sOpStore %%pr %%r\nOpReturn\nOpFunctionEnd\n%s", fragment_text, s->demote_is_core ? "" : fragment_demote, fragment_entry, s->other_quads ? fragment_other : "", fragment_modes, s->other_quads ? fragment_other_modes : "", s->no_full_quads ? "" : "OpExecutionMode %main RequireFullQuadsKHR\n", s->no_quad_derivatives ? "" : "OpExecutionMode %main QuadDerivativesKHR\n",
             fragment_decorations, none ? "%nothing = OpUndef %u32\n" : "",
             s->size_said ? s->size_said : "%size", s->drawn ? s->drawn : "", fragment_log, s->logged ? s->logged : STORES("%marked", "%all_low", "%lives_low"), fragment_row, s->code, s->functions ? s->functions : "");
    *c = (struct spv_case){.stage = SPV_FRAGMENT, .groups = {1, 1, 1}, .target = {4, 2}, .cover = SPV_COVER_FULL, .subgroup = s->subgroup ? s->subgroup : LANES, .buffer_count = 2, .has_coverage = true,
                           .model = s->draw ? SPV_WORKGROUP_UNIFORM : s->weak ? SPV_SUBGROUP_UNIFORM : SPV_MAXIMAL};
    if (s->half) {
        const uint16_t vertex[3][2] = {{0, 0}, {56, 0}, {0, 40}};
        c->cover = SPV_COVER_TRIANGLES;
        c->vertex_count = 3;
        memcpy(c->vertex, vertex, sizeof vertex);
    }
    if (!spv_assemble(tools, a, t.v, t.n, 1, &c->words, &c->count, &e) || !spv_validate(tools, SPV_ENV_UNIVERSAL_1_6, c->words, c->count, &e))
        fail_msg("%s: %s", s->name, e.msg);
    c->buffer[0].count = 2 + 2 * LANES * 3;
    c->buffer[1] = (struct spv_buffer){.binding = 1, .count = LANES};
    for (int k = 0; k < 2; k++)
        c->buffer[k].words = ARENA_ARRAY(a, uint32_t, c->buffer[k].count);
}

static void counts_events(void *user, const struct orc_event *e) { (void)e, ++*(uint32_t *)user; }
static void sees(void *user, const struct orc_event *e) { *(struct orc_event *)user = *e; }

static void test_shades(void **state)
{
    (void)state;
    struct spv_tools *tools = spv_tools_new();
    int wrong = 0;
    for (size_t k = 0; k < sizeof shades / sizeof *shades; k++)
        for (int machine = ORC_MASK; machine <= (shades[k].mask_only ? ORC_MASK : ORC_TAG); machine++) {
            const struct shaded *s = &shades[k];
            const struct spv_choices choices = {.quads_end = s->quads_end};
            struct arena a = {0};
            struct spv_case c;
            struct orc_result r;
            fragment_case(tools, &a, s, &c);
            struct orc_event last = {0};
            const struct orc_observer observer = {sees, &last};
            const struct orc_lanes ghosts = {.coverage = orc_coverage_make(&a, &c, c.subgroup, false)};
            orc_predict(&a, &c, 0, &(struct orc_options){.machine = (enum orc_machine)machine, .any_policy = s->any_policy, .policy = s->any_policy ? NULL : &choices, .fault = s->fault,
                        .observer = machine == ORC_MASK ? &observer : NULL, .lanes = s->ghosts ? &ghosts : NULL}, &r);
            if (s->choices && machine == ORC_MASK && r.stats.helper_choices + 1 != s->choices) {
                print_error("%s (machine %d): %u choices\n", s->name, machine, (unsigned)r.stats.helper_choices);
                wrong++;
            }
            if (machine == ORC_MASK && s->live && (last.live != s->live || last.helper != s->helper)) {
                print_error("%s: live 0x%llx, helpers 0x%llx\n", s->name, (unsigned long long)last.live, (unsigned long long)last.helper);
                wrong++;
            }
            if (s->refused ? strcmp(r.why.rule, s->refused) != 0 || r.why.invocation != s->invocation || r.memory : r.why.status != RAN_OK) {
                print_error("%s (machine %d): %s\n", s->name, machine, r.why.text);
                wrong++;
                arena_free(&a);
                continue;
            }
            if (!s->refused && r.logs_other != s->logs_other) {
                print_error("%s (machine %d): it logs %s\n", s->name, machine, r.logs_other ? "something else" : "who it is");
                wrong++;
            }
            for (uint32_t p = 0; !s->refused && p < 8; p++) {
                const uint32_t mask = r.memory[1].mask ? r.memory[1].mask[p] : UINT32_MAX;
                if (s->r[p] == U ? mask != 0 || r.memory[1].words[p] : mask != UINT32_MAX || r.memory[1].words[p] != s->r[p]) {
                    print_error("%s (machine %d), pixel %u: 0x%x (mask 0x%x), expected 0x%x\n", s->name, machine, p, r.memory[1].words[p], mask, s->r[p]);
                    wrong++;
                }
            }
            // Whatever it logs, the coverage buffer holds what it was predicted for.
            for (uint32_t w = 0; !s->refused && !s->half && !s->subgroup && w < c.buffer[0].count; w++) {
                const uint32_t lane = (w - 2) / 3, is = w == 0 ? 1 : w == 1 ? 8 : lane >= 8 ? 0 : (w - 2) % 3 ? 255
                               : spv_coverage_pixel((lane & 1) | (lane >> 2 & 1) << 1, lane >> 1 & 1);
                if (r.memory[0].words[w] != is || r.memory[0].mask) {
                    print_error("%s (machine %d), word %u of the coverage: 0x%x, expected 0x%x\n", s->name, machine, w, r.memory[0].words[w], is);
                    wrong++;
                }
            }
            arena_free(&a);
        }
    spv_tools_free(tools);
    assert_int_equal(wrong, 0);
}

// Whatever comes before it, and so wherever its place is among those that were counted.
static void test_draws(void **state)
{
    (void)state;
    struct spv_tools *tools = spv_tools_new();
    struct arena a = {0};
    const char *before = "";
    for (uint32_t k = 0; k < 24; k++) {
        const struct shaded s = {"lost to the draw", arena_printf(&a, "%s%s", before, LOST_TO_THE_DRAW), .half = true, .draw = true, .subgroup = 4};
        struct spv_case c;
        struct orc_result r;
        fragment_case(tools, &a, &s, &c);
        orc_predict(&a, &c, 0, NULL, &r);
        assert_string_equal(r.why.text, "");
        for (uint32_t p = 0; p < 8; p++)
            assert_int_equal(r.memory[1].mask[p], p < 3 || p == 4 ? 0 : UINT32_MAX);
        before = arena_printf(&a, "%s%%before%u = OpIAdd %%u32 %%lane %%u0\n", before, k);
    }
    arena_free(&a);
    spv_tools_free(tools);
}

// A coverage that is not of this case; one that the case itself tells.
static void test_covers(void **state)
{
    (void)state;
    struct spv_tools *tools = spv_tools_new();
    struct arena a = {0};
    struct spv_case c;
    struct orc_result r;
    const struct shaded plain = {"plain", R};
    fragment_case(tools, &a, &plain, &c);
    c.subgroup = 2;
    orc_predict(&a, &c, 0, NULL, &r);
    assert_int_equal(r.why.status, RAN_INVALID);
    assert_string_equal(r.why.text, "a subgroup of 2 holds no quad (R12)");
    orc_predict(&a, &c, 0, &(struct orc_options){.any_policy = true}, &r);
    assert_int_equal(r.why.status, RAN_INVALID);
    c.subgroup = 8;
    // Where it is asked what holds for any choice there is a run before: nobody is told of it, and nothing is counted twice.
    uint32_t told[2] = {0};
    uint64_t ops[2];
    for (int any = 0; any < 2; any++) {
        const struct orc_observer counts = {counts_events, &told[any]};
        orc_predict(&a, &c, 0, &(struct orc_options){.any_policy = any, .observer = &counts}, &r);
        assert_int_equal(r.why.status, RAN_OK);
        ops[any] = r.stats.group_ops;
    }
    assert_true(told[0] > 0 && told[0] == told[1] && ops[0] > 0 && ops[0] == ops[1]);
    // What is drawn is known of the coverage alone.
    for (int k = 0; k < 3; k++) {
        c.coverage_binding = k == 1 ? 7 : 0;
        c.coverage_set = k == 2 ? 3 : 0;
        orc_predict(&a, &c, 0, NULL, &r);
        assert_string_equal(r.why.rule, k ? "E-pointer" : "");
    }
    c.coverage_set = 0;
    const struct orc_lanes other = {.coverage = orc_coverage_make(&a, &c, 4, true)};
    orc_predict(&a, &c, 0, &(struct orc_options){.lanes = &other}, &r);
    assert_int_equal(r.why.status, RAN_INVALID);
    assert_string_equal(r.why.text, "the coverage has subgroups of 4, 8 were expected");
    // A buffer for one subgroup, and a target of 64 x 64 pixels: the log of all would not fit.
    struct spv_case small = c;
    small.buffer[0].count = 26;
    small.target[0] = small.target[1] = 64;
    orc_predict(&a, &small, 0, NULL, &r);
    assert_int_equal(r.why.status, RAN_INVALID);
    assert_non_null(strstr(r.why.text, "its buffer has room for 1 (R12)"));
    // Two subgroups, the second of which has the left half.
    uint32_t words[2 + 2 * LANES * 3] = {2, 8};
    for (uint32_t l = 0; l < 8; l++) {
        uint32_t *row = words + spv_coverage_at(8, l < 4, l % 4);
        row[0] = spv_coverage_pixel((l & 1) | (l >> 2 & 1) << 1, l >> 1 & 1);
        row[1] = row[2] = 15;
    }
    c.expect[0] = (struct spv_memory){.count = sizeof words / sizeof *words, .words = words};
    c.expect_count = 1;
    const uint32_t lane[8] = {0, 1, 0, 1, 2, 3, 2, 3};
    for (int machine = ORC_MASK; machine <= ORC_TAG; machine++) {
        orc_predict(&a, &c, 0, &(struct orc_options){.machine = (enum orc_machine)machine}, &r);
        assert_int_equal(r.why.status, RAN_OK);
        assert_false(r.logs_other);
        assert_memory_equal(r.memory[1].words, lane, sizeof lane);
        assert_memory_equal(r.memory[0].words, words, sizeof words);
    }
    words[2] ^= 1;
    orc_predict(&a, &c, 0, NULL, &r);
    assert_int_equal(r.why.status, RAN_INVALID);
    assert_ptr_equal(strstr(r.why.text, "coverage 0:0: "), r.why.text);
    // Of another binding, or with bits that may not be compared, it is no coverage.
    c.expect[0].binding = 1;
    orc_predict(&a, &c, 0, NULL, &r);
    assert_int_equal(r.why.status, RAN_OK);
    c.expect[0].binding = 0;
    c.expect[0].set = 1;
    orc_predict(&a, &c, 0, NULL, &r);
    assert_int_equal(r.why.status, RAN_OK);
    c.expect[0].set = 0;
    c.expect[0].mask = words;
    orc_predict(&a, &c, 0, NULL, &r);
    assert_int_equal(r.why.status, RAN_OK);
    arena_free(&a);
    spv_tools_free(tools);
}

// A run that remembers: what a helper stores is nowhere (R13), and leaves no doubt there. Of a program that is
// not taken in full precision nothing is known that could have 16 bits.
static void test_helpers_leave_nothing(void **state)
{
    (void)state;
    struct spv_tools *tools = spv_tools_new();
    struct arena a = {0};
    struct spv_case c;
    struct orc_result r;
    struct orc_trace t = {.arena = &a};
    // Helpers alone divide by zero.
    const struct shaded s = {"eight, or nothing", "%n = OpSelect %u32 %helper %u0 %u1\n%r = OpUDiv %u32 %u8 %n\n", .half = true};
    fragment_case(tools, &a, &s, &c);
    orc_predict(&a, &c, 0, &(struct orc_options){.order = 1, .relaxed = true, .trace = &t}, &r);
    assert_int_equal(r.why.status, RAN_OK);
    for (uint32_t p = 0; p < 8; p++) {
        assert_int_equal(r.memory[1].words[p], p < 3 || p == 4 ? 8 : 0);
        assert_true(!t.words[1] || t.words[1][p] == 0); // NULL: all are certain
    }
    arena_free(&a);
    spv_tools_free(tools);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_shades), cmocka_unit_test(test_draws), cmocka_unit_test(test_covers), cmocka_unit_test(test_helpers_leave_nothing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
