// SPDX-License-Identifier: Apache-2.0
//
// The mask machine made wrong on purpose (oracle/fault.h): what each fault makes of a few lines, by hand, beside what is
// right. Mutants and hypotheses of blame rest on it that a fault breaks the rule that it names, and no other.
#include "test_orc_text.h"

struct fault_row {
    enum orc_fault fault;
    struct row row; // .r: what is right
    uint32_t w[LANES]; // what the broken machine gives
    uint32_t subgroup; // 0: eight
    bool any_policy;   // what is right is so by any choice
    uint32_t at_op, at_nth; // orc_options.fault_at: the n-th of these instructions, where not 0
    lane_mask (*counts)(void *user, const struct orc_event *e, uint32_t lane);
    const char *fails; // the rule by which the broken machine refuses it
    const struct spv_choices *policy;
};
// What is right, and .w.
#define R(fault_, text, code_, right, ...) {.fault = ORC_FAULT_##fault_, .row.name = text, .row.code = code_, .row.a = ONE_TO_EIGHT, .row.r = right, .w = __VA_ARGS__}
#pragma GCC diagnostic ignored "-Woverride-init"
#define V(...) {__VA_ARGS__}
#define AS_RIGHT 0xfeedfaceu
#define RIGHT {AS_RIGHT} // the fault is about something else
#define SAME(v) {v, v, v, v, v, v, v, v}
#define ONE_TO_EIGHT {1, 2, 3, 4, 5, 6, 7, 8}

// Lanes 0, 1 and 2, and the others.
#define BALLOT(n) "%v" n " = OpGroupNonUniformBallot %uvec4 %u3 %true\n%b" n " = OpCompositeExtract %u32 %v" n " 0\n"
#define LESS "%c = OpULessThan %bool %lane %u3\n"
#define ARMS(then_code, else_code) "OpSelectionMerge %j None\nOpBranchConditional %c %t %e\n%t = OpLabel\n" then_code "OpBranch %j\n%e = OpLabel\n" else_code "OpBranch %j\n%j = OpLabel\n"
#define SUM(n, of) "%s" n " = OpGroupNonUniformIAdd %u32 %u3 Reduce " of "\n"
#define KEEP(id) "OpStore %local " id "\n"
#define KEPT "%r = OpLoad %u32 %local\n"
#define BOTH(then_id, else_id) "%r = OpPhi %u32 " then_id " %t " else_id " %e\n"
// Iteration k is left by lanes 2k and 2k + 1.
#define HALF "%half = OpShiftRightLogical %u32 %lane %u1\n"
#define LOOP(body, cont) HALF "OpBranch %pre\n%pre = OpLabel\nOpBranch %h\n%h = OpLabel\n%k = OpPhi %u32 %u0 %pre %k1 %q\nOpLoopMerge %m %q None\nOpBranch %b\n%b = OpLabel\n" body \
    "%done = OpIEqual %bool %k %half\nOpBranchConditional %done %m %next\n%next = OpLabel\nOpBranch %q\n%q = OpLabel\n" cont "%k1 = OpIAdd %u32 %k %u1\nOpBranch %h\n%m = OpLabel\n"
#define SHORT_LOOP(body) HALF "OpBranch %pre\n%pre = OpLabel\nOpBranch %h\n%h = OpLabel\n%k = OpPhi %u32 %u0 %pre %k1 %h\n" body \
    "%k1 = OpIAdd %u32 %k %u1\n%go = OpULessThan %bool %k %half\nOpLoopMerge %m %h None\nOpBranchConditional %go %h %m\n%m = OpLabel\n"
// Who is below 3 returns early, the others at the end; of the others 3 and 4 return from another arm.
#define F_START "%f = OpFunction %void None %fn\n%fs = OpLabel\n%fl = OpLoad %u32 %lane_var\n"
#define F_EARLY F_START "%fc = OpULessThan %bool %fl %u3\nOpSelectionMerge %fj None\nOpBranchConditional %fc %ft %fj\n%ft = OpLabel\nOpReturn\n%fj = OpLabel\n"
#define F_END "OpReturn\nOpFunctionEnd\n"
#define CALL "%z = OpFunctionCall %void %f\n"

// ---- where tangles split and join ---------------------------------------------------------------------

static const struct fault_row joins[] = {
    R(SPLIT_AFTER_CALL, "who returned first goes on alone", CALL BALLOT("1") "%r = OpIAdd %u32 %b1 %u0\n", SAME(0xff), V(7, 7, 7, 0xf8, 0xf8, 0xf8, 0xf8, 0xf8),
      .row.functions = F_EARLY F_END),
    R(SPLIT_AFTER_CALL, "all others together", CALL BALLOT("1") "%r = OpIAdd %u32 %b1 %u0\n", SAME(0xff), V(7, 7, 7, 0xf8, 0xf8, 0xf8, 0xf8, 0xf8),
      .row.functions = F_EARLY "%fd = OpULessThan %bool %fl %u5\nOpSelectionMerge %fk None\nOpBranchConditional %fd %fu %fk\n%fu = OpLabel\nOpReturn\n%fk = OpLabel\n" F_END),
    R(SPLIT_AFTER_CALL, "from where the call was", "OpStore %local2 %u0\n%z0 = OpLoad %u32 %local2\n%z1 = OpIAdd %u32 %z0 %x\nOpStore %local2 %z1\n" CALL BALLOT("1") "%z2 = OpLoad %u32 %local2\n%z3 = OpIAdd %u32 %z2 %u1\nOpStore %local2 %z3\n"
      "%r = OpIAdd %u32 %b1 %z3\n", V(0x101, 0x102, 0x103, 0x104, 0x105, 0x106, 0x107, 0x108), V(9, 10, 11, 0xfd, 0xfe, 0xff, 0x100, 0x101), .row.functions = F_EARLY F_END),
    R(SPLIT_AFTER_CALL, "all return at one place", CALL BALLOT("1") "%r = OpIAdd %u32 %b1 %u0\n", SAME(0xff), RIGHT, .row.functions = F_START F_END),
    R(SPLIT_AFTER_CALL, "a selection", LESS ARMS("", "") BALLOT("1") "%r = OpIAdd %u32 %b1 %u0\n", SAME(0xff), RIGHT),
    R(SPLIT_AT_MERGE, "both arms go on alone", LESS ARMS("", "") BALLOT("1") "%r = OpIAdd %u32 %b1 %u0\n", SAME(0xff), V(7, 7, 7, 0xf8, 0xf8, 0xf8, 0xf8, 0xf8)),
    R(SPLIT_AT_MERGE, "an arm and who passes by", LESS "OpSelectionMerge %j None\nOpBranchConditional %c %t %j\n%t = OpLabel\nOpBranch %j\n%j = OpLabel\n" BALLOT("1") "%r = OpIAdd %u32 %b1 %u0\n",
      SAME(0xff), V(7, 7, 7, 0xf8, 0xf8, 0xf8, 0xf8, 0xf8)),
    R(SPLIT_AT_MERGE, "a loop", LOOP("", "") BALLOT("1") "%r = OpIAdd %u32 %b1 %u0\n", SAME(0xff), RIGHT),
    R(SPLIT_AT_MERGE, "a call", CALL BALLOT("1") "%r = OpIAdd %u32 %b1 %u0\n", SAME(0xff), RIGHT, .row.functions = F_START "%fc = OpULessThan %bool %fl %u3\nOpSelectionMerge %fj None\nOpBranchConditional %fc %ft %fe\n"
      "%ft = OpLabel\nOpReturn\n%fe = OpLabel\nOpReturn\n%fj = OpLabel\nOpUnreachable\nOpFunctionEnd\n"),
    R(SPLIT_AT_MERGE, "at this one", LESS ARMS("", "") BALLOT("1") "%r = OpIAdd %u32 %b1 %u0\n", SAME(0xff), V(7, 7, 7, 0xf8, 0xf8, 0xf8, 0xf8, 0xf8), .at_op = SpvOpLabel, .at_nth = 2),
    R(SPLIT_AT_MERGE, "at another one", LESS ARMS("", "") BALLOT("1") "%r = OpIAdd %u32 %b1 %u0\n", SAME(0xff), RIGHT, .at_op = SpvOpLabel, .at_nth = 1),
    R(SPLIT_AFTER_LOOP, "each iteration's leave alone", LOOP("", "") BALLOT("1") "%r = OpIAdd %u32 %b1 %u0\n", SAME(0xff), V(3, 3, 0xc, 0xc, 0x30, 0x30, 0xc0, 0xc0)),
    R(SPLIT_AFTER_LOOP, "a selection", LESS ARMS("", "") BALLOT("1") "%r = OpIAdd %u32 %b1 %u0\n", SAME(0xff), RIGHT),
    R(SPLIT_AFTER_LOOP, "at another one", LOOP("", "") BALLOT("1") "%r = OpIAdd %u32 %b1 %u0\n", SAME(0xff), RIGHT, .at_op = SpvOpLabel, .at_nth = 2),
    R(SPLIT_AFTER_LOOP, "at this one", LOOP("", "") BALLOT("1") "%r = OpIAdd %u32 %b1 %u0\n", SAME(0xff), V(3, 3, 0xc, 0xc, 0x30, 0x30, 0xc0, 0xc0), .at_op = SpvOpLabel, .at_nth = 4),
    R(SPLIT_AFTER_LOOP, "who continues", LOOP("%o = OpBitwiseAnd %u32 %lane %u1\n%oc = OpIEqual %bool %o %u1\n" "OpSelectionMerge %j None\nOpBranchConditional %oc %t %j\n%t = OpLabel\nOpBranch %j\n%j = OpLabel\n", BALLOT("1") KEEP("%b1")) KEPT,
      V(U, U, 0xfc, 0xfc, 0xf0, 0xf0, 0xc0, 0xc0), RIGHT),
    // Odd lanes continue early, even ones later: the continue construct runs for each.
#define CONTINUES "%o = OpBitwiseAnd %u32 %lane %u1\n%oc = OpIEqual %bool %o %u1\nOpBranch %h\n%h = OpLabel\n%k = OpPhi %u32 %u0 %then %k1 %q\nOpLoopMerge %m %q None\nOpBranch %b\n%b = OpLabel\n" \
    "OpSelectionMerge %j None\nOpBranchConditional %oc %q %j\n%j = OpLabel\n" BALLOT("0") "OpBranch %q\n%q = OpLabel\n" BALLOT("1") KEEP("%b1") "%k1 = OpIAdd %u32 %k %u1\n" \
    "%go = OpULessThan %bool %k1 %u3\nOpBranchConditional %go %h %m\n%m = OpLabel\n"
    R(SPLIT_AT_CONTINUE, "the continue construct runs for each way", CONTINUES KEPT, SAME(0xff), V(0x55, 0xaa, 0x55, 0xaa, 0x55, 0xaa, 0x55, 0xaa)),
    R(SPLIT_AFTER_LOOP, "not with this one", CONTINUES KEPT, SAME(0xff), RIGHT),
    R(SPLIT_AT_MERGE, "nor with this one", CONTINUES KEPT, SAME(0xff), RIGHT),
    R(SPLIT_AT_CONTINUE, "of this loop", CONTINUES KEPT, SAME(0xff), V(0x55, 0xaa, 0x55, 0xaa, 0x55, 0xaa, 0x55, 0xaa), .at_op = SpvOpLabel, .at_nth = 3),
    R(SPLIT_AT_CONTINUE, "of another", CONTINUES KEPT, SAME(0xff), RIGHT, .at_op = SpvOpLabel, .at_nth = 2),
    R(SPLIT_AT_CONTINUE, "a loop of one block", SHORT_LOOP(SUM("1", "%x")) "%r = OpIAdd %u32 %s1 %u0\n", V(36, 36, 33, 33, 26, 26, 15, 15), RIGHT),
    R(SPLIT_AT_CONTINUE, "after the loop", LOOP("", "") BALLOT("1") "%r = OpIAdd %u32 %b1 %u0\n", SAME(0xff), RIGHT),
    R(LOOP_ENDS_WITH_FIRST, "nobody goes on once two have left", LOOP(BALLOT("1"), "") "%r = OpIAdd %u32 %k %u0\n", V(0, 0, 1, 1, 2, 2, 3, 3), V(0, 0, 1, 1, 1, 1, 1, 1)),
    R(LOOP_ENDS_WITH_FIRST, "they leave together", LOOP(BALLOT("1"), "") BALLOT("2") "%r = OpIAdd %u32 %b2 %b1\n", V(0x1fe, 0x1fe, 0x1fb, 0x1fb, 0x1ef, 0x1ef, 0x1bf, 0x1bf), SAME(0x1fe)),
    R(LOOP_ENDS_WITH_FIRST, "nobody has left", "OpBranch %h\n%h = OpLabel\n%k = OpPhi %u32 %u0 %then %k1 %q\nOpLoopMerge %m %q None\nOpBranch %q\n%q = OpLabel\n%k1 = OpIAdd %u32 %k %u1\n"
      "%go = OpULessThan %bool %k1 %u3\nOpBranchConditional %go %h %m\n%m = OpLabel\n%r = OpIAdd %u32 %k1 %u0\n", SAME(3), RIGHT),
    R(LOOP_ENDS_WITH_FIRST, "this loop", LOOP("", "") "%r = OpIAdd %u32 %k %u0\n", V(0, 0, 1, 1, 2, 2, 3, 3), V(0, 0, 1, 1, 1, 1, 1, 1), .at_op = SpvOpLabel, .at_nth = 4),
    R(LOOP_ENDS_WITH_FIRST, "another loop", LOOP("", "") "%r = OpIAdd %u32 %k %u0\n", V(0, 0, 1, 1, 2, 2, 3, 3), RIGHT, .at_op = SpvOpLabel, .at_nth = 3),
    // A way out of a loop, of a block or several; lanes leave as in LOOP.
#define WAYS(body, out) HALF "%o = OpBitwiseAnd %u32 %lane %u1\n%oc = OpIEqual %bool %o %u1\nOpBranch %h\n%h = OpLabel\n%k = OpPhi %u32 %u0 %then %k1 %q\nOpLoopMerge %m %q None\nOpBranch %b\n%b = OpLabel\n" \
    "%done = OpIEqual %bool %k %half\n" body out "OpBranch %m\n%q = OpLabel\n%k1 = OpIAdd %u32 %k %u1\nOpBranch %h\n%m = OpLabel\n"
#define WAY_OUT(out) WAYS("OpSelectionMerge %next None\nOpBranchConditional %done %w %next\n%next = OpLabel\nOpBranch %q\n%w = OpLabel\n", out)
#define LEAVE_ALONE V(3, 3, 0xc, 0xc, 0x30, 0x30, 0xc0, 0xc0)
    R(LOOP_EXITS_MEET, "a break block runs for all iterations", WAY_OUT(BALLOT("1") KEEP("%b1")) KEPT, LEAVE_ALONE, SAME(0xff)),
    R(LOOP_EXITS_MEET, "of this loop", WAY_OUT(BALLOT("1") KEEP("%b1")) KEPT, LEAVE_ALONE, SAME(0xff), .at_op = SpvOpLabel, .at_nth = 3),
    R(LOOP_EXITS_MEET, "of another", WAY_OUT(BALLOT("1") KEEP("%b1")) KEPT, LEAVE_ALONE, RIGHT, .at_op = SpvOpLabel, .at_nth = 2),
    R(LOOP_EXITS_MEET, "in order of the way: arms split again", WAY_OUT("OpSelectionMerge %j None\nOpBranchConditional %oc %t %j\n%t = OpLabel\n" BALLOT("1") KEEP("%b1") "OpBranch %j\n%j = OpLabel\n") KEPT,
      V(U, 2, U, 8, U, 0x20, U, 0x80), V(U, 0xaa, U, 0xaa, U, 0xaa, U, 0xaa)),
    // The selection begins in the loop, its merge block is on the way out: both arms leave, and join there.
#define ARMS_LEAVE WAYS("OpSelectionMerge %j None\nOpBranchConditional %oc %t %e\n%t = OpLabel\nOpBranchConditional %done %a %q\n%e = OpLabel\nOpBranchConditional %done %j %q\n%a = OpLabel\n" BALLOT("0") "OpBranch %j\n%j = OpLabel\n", BALLOT("1") KEEP("%b1"))
    R(LOOP_EXITS_MEET, "two ways out join on the way", ARMS_LEAVE KEPT, LEAVE_ALONE, SAME(0xff), .row.is_invalid = true),
    R(LOOP_EXITS_MEET, "a loop that is left at its merge block", LOOP(BALLOT("1"), "") "%r = OpIAdd %u32 %b1 %u0\n", V(0xff, 0xff, 0xfc, 0xfc, 0xf0, 0xf0, 0xc0, 0xc0), RIGHT),
    R(LOOP_EXITS_MEET, "the continue construct", CONTINUES KEPT, SAME(0xff), RIGHT),
    R(LOOP_EXITS_MEET, "a way to a return", CALL "%r = OpLoad %u32 %kept\n", LEAVE_ALONE, SAME(0xff), .row.globals = "%priv = OpTypePointer Private %u32\n%kept = OpVariable %priv Private\n", .row.interface = " %kept", .row.is_invalid = true,
      .row.functions = F_START "%fhalf = OpShiftRightLogical %u32 %fl %u1\nOpBranch %fh\n%fh = OpLabel\n%fk = OpPhi %u32 %u0 %fs %fk1 %fq\nOpLoopMerge %fm %fq None\nOpBranch %fb\n%fb = OpLabel\n%fdone = OpIEqual %bool %fk %fhalf\n"
        "OpSelectionMerge %fj None\nOpBranchConditional %fdone %ft %fj\n%ft = OpLabel\n" BALLOT("1") "OpStore %kept %b1\nOpReturn\n%fj = OpLabel\nOpBranch %fq\n%fq = OpLabel\n%fk1 = OpIAdd %u32 %fk %u1\nOpBranch %fh\n%fm = OpLabel\n" F_END),
    R(PHIS_IN_ORDER, "the second reads what the first has written", "OpBranch %h\n%h = OpLabel\n%p = OpPhi %u32 %x %then %n %q\n%n = OpPhi %u32 %u0 %then %p %q\n%k = OpPhi %u32 %u0 %then %k1 %q\nOpLoopMerge %m %q None\nOpBranch %q\n"
      "%q = OpLabel\n%k1 = OpIAdd %u32 %k %u1\n%go = OpULessThan %bool %k1 %u3\nOpBranchConditional %go %h %m\n%m = OpLabel\n%r = OpIAdd %u32 %p %u1\n", V(2, 3, 4, 5, 6, 7, 8, 9), SAME(1)),
    R(PHIS_IN_ORDER, "which the first one does not", "OpBranch %h\n%h = OpLabel\n%n = OpPhi %u32 %u0 %then %p %q\n%p = OpPhi %u32 %x %then %x %q\n%k = OpPhi %u32 %u0 %then %k1 %q\nOpLoopMerge %m %q None\nOpBranch %q\n"
      "%q = OpLabel\n%k1 = OpIAdd %u32 %k %u1\n%go = OpULessThan %bool %k1 %u3\nOpBranchConditional %go %h %m\n%m = OpLabel\n%r = OpIAdd %u32 %n %u1\n", V(2, 3, 4, 5, 6, 7, 8, 9), RIGHT),
};

// ---- who counts -------------------------------------------------------------------------------------------

#define IN_LOOP "%r = OpIAdd %u32 %b1 %u0\n"
#define LATER_HALVES V(0xff, 0xff, 0xfc, 0xfc, 0xf0, 0xf0, 0xc0, 0xc0)
#define LATER_SUMS V(36, 36, 33, 33, 26, 26, 15, 15)
#define IN_ARM(code) LESS "OpStore %local %u0\n" ARMS(code, "") KEPT
#define SKIPS "%o = OpBitwiseAnd %u32 %lane %u1\n%oc = OpIEqual %bool %o %u1\nOpBranch %h\n%h = OpLabel\n%k = OpPhi %u32 %u0 %then %k1 %q\nOpLoopMerge %m %q None\nOpBranch %b\n%b = OpLabel\n" \
    "OpSelectionMerge %j None\nOpBranchConditional %oc %q %j\n%j = OpLabel\n"
#define SKIPPED "OpBranch %q\n%q = OpLabel\n%k1 = OpIAdd %u32 %k %u1\n%go = OpULessThan %bool %k1 %u3\nOpBranchConditional %go %h %m\n%m = OpLabel\n" KEPT
#define CASES(c0, c1, c2, other) "%four = OpBitwiseAnd %u32 %lane %u3\nOpSelectionMerge %j None\nOpSwitch %four %cd 0 %c0 1 %c1 2 %c2\n%c0 = OpLabel\n" c0 "OpBranch %j\n%c1 = OpLabel\n" c1 "OpBranch %j\n%c2 = OpLabel\n" c2 "OpBranch %j\n" \
    "%cd = OpLabel\n" other "OpBranch %j\n%j = OpLabel\n" KEPT
#define PER_CASE V(0x11, 0x22, 0x44, 0x88, 0x11, 0x22, 0x44, 0x88)
#define QUAD_CONTROL .row.capabilities = "OpCapability QuadControlKHR\nOpExtension \"SPV_KHR_quad_control\"\n", .row.is_invalid = true
#define BOOL(id) "%r = OpSelect %u32 " id " %u1 %u2\n"
#define KEEP_BOOL(id) "%kb = OpSelect %u32 " id " %u1 %u2\n" KEEP("%kb")

static const struct fault_row counted[] = {
    R(BROKEN_LANES_STAY, "those who left count", LOOP(BALLOT("1"), "") IN_LOOP, LATER_HALVES, SAME(0xff)),
    R(BROKEN_LANES_STAY, "with what they had", LOOP("%kx = OpIAdd %u32 %x %k\n" SUM("1", "%kx"), "") "%r = OpIAdd %u32 %s1 %u0\n", V(36, 36, 39, 39, 34, 34, 21, 21), V(36, 36, 42, 42, 46, 46, 48, 48)),
    R(BROKEN_LANES_STAY, "in a selection in the loop", LOOP("OpSelectionMerge %j None\nOpBranchConditional %true %t %j\n%t = OpLabel\n" BALLOT("1") "OpBranch %j\n%j = OpLabel\n", "") IN_LOOP, LATER_HALVES, SAME(0xff), .row.is_invalid = true),
    R(BROKEN_LANES_STAY, "not in a function that is called there", LOOP(CALL, "") "%r = OpLoad %u32 %kept\n", LATER_HALVES, RIGHT, .row.is_invalid = true,
      .row.functions = F_START BALLOT("1") "OpStore %kept %b1\n" F_END, .row.globals = "%priv = OpTypePointer Private %u32\n%kept = OpVariable %priv Private\n", .row.interface = " %kept"),
    R(BROKEN_LANES_STAY, "not of the loop around it", "OpBranch %h0\n%h0 = OpLabel\n%n = OpPhi %u32 %u0 %then %n1 %q0\nOpLoopMerge %m0 %q0 None\nOpBranch %b0\n%b0 = OpLabel\n%first = OpULessThan %bool %lane %u2\n%second = OpIEqual %bool %n %u1\n"
      "%leaves = OpLogicalOr %bool %first %second\nOpBranchConditional %leaves %m0 %in0\n%in0 = OpLabel\n"
      "OpBranch %h\n%h = OpLabel\n%k = OpPhi %u32 %u0 %in0 %k1 %q\nOpLoopMerge %m %q None\nOpBranch %b\n%b = OpLabel\n" BALLOT("1") "%o = OpBitwiseAnd %u32 %lane %u1\n%done = OpIEqual %bool %k %o\nOpBranchConditional %done %m %q\n%q = OpLabel\n"
      "%k1 = OpIAdd %u32 %k %u1\nOpBranch %h\n%m = OpLabel\nOpStore %local %b1\nOpBranch %q0\n%q0 = OpLabel\n%n1 = OpIAdd %u32 %n %u1\nOpBranch %h0\n%m0 = OpLabel\n" KEPT,
      V(U, U, 0xfc, 0xa8, 0xfc, 0xa8, 0xfc, 0xa8), V(U, U, 0xfc, 0xfc, 0xfc, 0xfc, 0xfc, 0xfc)),
    R(BROKEN_LANES_STAY, "this ballot", LOOP(BALLOT("1") BALLOT("2"), "") "%r = OpShiftLeftLogical %u32 %b2 %u8c\n%unused = OpIAdd %u32 %r %b1\n", V(0xff00, 0xff00, 0xfc00, 0xfc00, 0xf000, 0xf000, 0xc000, 0xc000), SAME(0xff00),
     .at_op = SpvOpGroupNonUniformBallot, .at_nth = 2),
    R(BROKEN_LANES_STAY, "another ballot", LOOP(BALLOT("1") BALLOT("2"), "") IN_LOOP, LATER_HALVES, RIGHT, .at_op = SpvOpGroupNonUniformBallot, .at_nth = 2),
    R(BROKEN_LANES_STAY, "an id that must be uniform", LOOP("%kk = OpIAdd %u32 %k %u1\n%bc = OpGroupNonUniformBroadcast %u32 %u3 %x %u8m\n", "") "%r = OpIAdd %u32 %bc %kk\n", V(9, 9, 10, 10, 11, 11, 12, 12), RIGHT, .row.globals = "%u8m = OpConstant %u32 7\n"),
    R(BROKEN_LANES_STAY, "the last to leave, of a scan", LOOP("%sc = OpGroupNonUniformIAdd %u32 %u3 InclusiveScan %x\n", "") "%r = OpIAdd %u32 %sc %u0\n", V(1, 3, 3, 7, 5, 11, 7, 15), V(1, 3, 6, 10, 15, 21, 28, 36)),
    R(BROKEN_LANES_STAY, "and of an exclusive one", LOOP("%sc = OpGroupNonUniformIAdd %u32 %u3 ExclusiveScan %x\n", "") "%r = OpIAdd %u32 %sc %u0\n", V(0, 1, 0, 3, 0, 5, 0, 7), V(0, 1, 3, 6, 10, 15, 21, 28)),
    R(BROKEN_LANES_STAY, "and of clusters", LOOP("%sc = OpGroupNonUniformIAdd %u32 %u3 ClusteredReduce %x %u4\n", "") "%r = OpIAdd %u32 %sc %u0\n", V(10, 10, 7, 7, 26, 26, 15, 15), V(10, 10, 10, 10, 26, 26, 26, 26)),
    R(BROKEN_LANES_STAY, "not of parts that a ballot tells", LOOP("%pb = OpGroupNonUniformPartitionNV %uvec4 %k\n%sc = OpGroupNonUniformIAdd %u32 %u3 PartitionedReduceNV %x %pb\n", "") "%r = OpIAdd %u32 %sc %u0\n", LATER_SUMS, RIGHT),
    R(CONTINUED_LANES_STAY, "those who wait at the continue target", SKIPS BALLOT("1") KEEP("%b1") SKIPPED, V(0x55, U, 0x55, U, 0x55, U, 0x55, U), V(0xff, U, 0xff, U, 0xff, U, 0xff, U)),
    R(CONTINUED_LANES_STAY, "with what they had", SKIPS SUM("1", "%x") KEEP("%s1") SKIPPED, V(16, U, 16, U, 16, U, 16, U), V(36, U, 36, U, 36, U, 36, U)),
    R(CONTINUED_LANES_STAY, "nobody who left", LOOP(BALLOT("1"), "") IN_LOOP, LATER_HALVES, RIGHT),
    R(CONTINUED_LANES_STAY, "outside of loops", IN_ARM(BALLOT("1") KEEP("%b1")), V(7, 7, 7, 0, 0, 0, 0, 0), RIGHT),
    R(BROKEN_LANES_STAY, "outside of loops", IN_ARM(BALLOT("1") KEEP("%b1")), V(7, 7, 7, 0, 0, 0, 0, 0), RIGHT),
    R(BROKEN_LANES_STAY, "nobody who waits at the continue target", SKIPS BALLOT("1") KEEP("%b1") SKIPPED, V(0x55, U, 0x55, U, 0x55, U, 0x55, U), RIGHT),
    R(RETURNED_LANES_STAY, "those who returned", CALL "%r = OpLoad %u32 %kept\n", V(U, U, U, 0xf8, 0xf8, 0xf8, 0xf8, 0xf8), V(U, U, U, 0xff, 0xff, 0xff, 0xff, 0xff),
      .row.functions = F_EARLY BALLOT("1") "OpStore %kept %b1\n" F_END, .row.globals = "%priv = OpTypePointer Private %u32\n%kept = OpVariable %priv Private\n", .row.interface = " %kept"),
    R(RETURNED_LANES_STAY, "nobody in an arm", IN_ARM(BALLOT("1") KEEP("%b1")), V(7, 7, 7, 0, 0, 0, 0, 0), RIGHT),
    R(RETURNED_LANES_STAY, "nobody of the caller", LESS ARMS(CALL, "%zz = OpFunctionCall %void %f\n") "%r = OpLoad %u32 %kept\n", V(7, 7, 7, 0xf8, 0xf8, 0xf8, 0xf8, 0xf8), RIGHT, .row.is_invalid = true,
      .row.functions = F_START BALLOT("1") "OpStore %kept %b1\n" F_END, .row.globals = "%priv = OpTypePointer Private %u32\n%kept = OpVariable %priv Private\n", .row.interface = " %kept"),
    R(OTHER_ARM_STAYS, "those who have yet to run it", LESS ARMS(BALLOT("1"), BALLOT("2")) BOTH("%b1", "%b2"), V(7, 7, 7, 0xf8, 0xf8, 0xf8, 0xf8, 0xf8), V(0xff, 0xff, 0xff, 0xf8, 0xf8, 0xf8, 0xf8, 0xf8)),
    R(OTHER_ARM_STAYS, "not within one more construct", LESS ARMS("OpSelectionMerge %jj None\nOpBranchConditional %c %tt %jj\n%tt = OpLabel\n" BALLOT("1") KEEP("%b1") "OpBranch %jj\n%jj = OpLabel\n", BALLOT("2") KEEP("%b2")) KEPT,
      V(7, 7, 7, 0xf8, 0xf8, 0xf8, 0xf8, 0xf8), RIGHT),
    R(OTHER_ARM_STAYS, "what has a result for each alone", IN_ARM("%y1 = OpIAdd %u32 %lane %u0\n%id = OpBitwiseAnd %u32 %y1 %u0\n%bc = OpGroupNonUniformShuffle %u32 %u3 %x %id\n" KEEP("%bc")), V(1, 1, 1, 0, 0, 0, 0, 0), RIGHT),
    R(OTHER_ARM_STAYS, "a loop's lanes", LOOP(BALLOT("1"), "") IN_LOOP, LATER_HALVES, RIGHT),
    R(DONE_ARM_STAYS, "those who have run it", LESS ARMS(BALLOT("1"), BALLOT("2")) BOTH("%b1", "%b2"), V(7, 7, 7, 0xf8, 0xf8, 0xf8, 0xf8, 0xf8), V(7, 7, 7, 0xff, 0xff, 0xff, 0xff, 0xff)),
    R(DONE_ARM_STAYS, "of the innermost alone", LESS ARMS("", "%d = OpULessThan %bool %lane %u5\nOpSelectionMerge %jj None\nOpBranchConditional %d %tt %ee\n%tt = OpLabel\n" BALLOT("1") KEEP("%b1") "OpBranch %jj\n%ee = OpLabel\n" BALLOT("2") KEEP("%b2")
      "OpBranch %jj\n%jj = OpLabel\n") KEPT, V(U, U, U, 0x18, 0x18, 0xe0, 0xe0, 0xe0), V(U, U, U, 0x18, 0x18, 0xf8, 0xf8, 0xf8)),
    R(DONE_ARM_STAYS, "in a function", LESS ARMS("", CALL) KEPT, V(U, U, U, U, U, U, U, U), RIGHT, .row.is_invalid = true, .row.functions = F_START BALLOT("1") F_END),
    R(CASES_STAY, "those who wait for another case", CASES(BALLOT("0") KEEP("%b0"), BALLOT("1") KEEP("%b1"), BALLOT("2") KEEP("%b2"), BALLOT("3") KEEP("%b3")), PER_CASE, V(0xff, 0xee, 0xcc, 0x88, 0xff, 0xee, 0xcc, 0x88)),
    R(CASES_STAY, "in a construct there", CASES("OpSelectionMerge %jj None\nOpBranchConditional %true %tt %jj\n%tt = OpLabel\n" BALLOT("0") KEEP("%b0") "OpBranch %jj\n%jj = OpLabel\n", "", "", ""), V(0x11, U, U, U, 0x11, U, U, U), V(0xff, U, U, U, 0xff, U, U, U), .row.is_invalid = true),
    R(CASES_STAY, "of the inner switch", "%o = OpShiftRightLogical %u32 %lane %u2\nOpSelectionMerge %oj None\nOpSwitch %o %oj 0 %oc 1 %od\n%oc = OpLabel\n%od0 = OpBitwiseAnd %u32 %lane %u1\nOpSelectionMerge %j None\nOpSwitch %od0 %j 0 %c0 1 %c1\n%c0 = OpLabel\n"
      BALLOT("0") KEEP("%b0") "OpBranch %j\n%c1 = OpLabel\n" BALLOT("1") KEEP("%b1") "OpBranch %j\n%j = OpLabel\nOpBranch %oj\n%od = OpLabel\n" BALLOT("3") KEEP("%b3") "OpBranch %oj\n%oj = OpLabel\n" KEPT,
      V(5, 10, 5, 10, 0xf0, 0xf0, 0xf0, 0xf0), V(0xf, 10, 0xf, 10, 0xf0, 0xf0, 0xf0, 0xf0)),
    R(CASES_STAY, "outside of switches", IN_ARM(BALLOT("1") KEEP("%b1")), V(7, 7, 7, 0, 0, 0, 0, 0), RIGHT),
    R(INACTIVE_IN_BALLOT, "all", IN_ARM(BALLOT("1") KEEP("%b1")), V(7, 7, 7, 0, 0, 0, 0, 0), V(0xff, 0xff, 0xff, 0, 0, 0, 0, 0)),
    R(INACTIVE_IN_BALLOT, "with what they have", "%xo = OpUMod %u32 %lane %u2\n%odd = OpIEqual %bool %xo %u1\n" IN_ARM("%v1 = OpGroupNonUniformBallot %uvec4 %u3 %odd\n%b1 = OpCompositeExtract %u32 %v1 0\n" KEEP("%b1")), V(2, 2, 2, 0, 0, 0, 0, 0), V(0xaa, 0xaa, 0xaa, 0, 0, 0, 0, 0)),
    R(INACTIVE_IN_BALLOT, "the words that nobody is in", LOOP("%v1 = OpGroupNonUniformBallot %uvec4 %u3 %true\n", "") "%b1 = OpCompositeExtract %u32 %v1 1\n%b3 = OpCompositeExtract %u32 %v1 3\n%b13 = OpBitwiseOr %u32 %b1 %b3\n%r = OpIAdd %u32 %b13 %u5\n", SAME(5), RIGHT),
    R(INACTIVE_IN_BALLOT, "in votes", IN_ARM("%p = OpULessThan %bool %x %u4\n%al = OpGroupNonUniformAll %bool %u3 %p\n" KEEP_BOOL("%al")), V(1, 1, 1, 0, 0, 0, 0, 0), RIGHT),
    R(INACTIVE_IN_BALLOT, "in sums", IN_ARM(SUM("1", "%x") KEEP("%s1")), V(6, 6, 6, 0, 0, 0, 0, 0), RIGHT),
    R(MISSING_IN_BALLOT, "of a whole subgroup", BALLOT("1") "%r = OpIAdd %u32 %b1 %u0\n", SAME(0xff), RIGHT),
    R(MISSING_IN_BALLOT, "of half a subgroup", BALLOT("1") "%r = OpIAdd %u32 %b1 %u0\n", SAME(0xff), SAME(0xffff), .subgroup = 16),
    R(MISSING_IN_BALLOT, "in an arm", IN_ARM(BALLOT("1") KEEP("%b1")), V(7, 7, 7, 0, 0, 0, 0, 0), RIGHT, .subgroup = 16),
    R(MISSING_IN_BALLOT, "in a vote", "%p = OpULessThan %bool %lane %u8c\n%al = OpGroupNonUniformAll %bool %u3 %p\n" BOOL("%al"), SAME(1), RIGHT, .subgroup = 16),
    R(MISSING_IN_BALLOT, "in a sum", SUM("1", "%u1") "%r = OpIAdd %u32 %s1 %u0\n", SAME(8), RIGHT, .subgroup = 16),
    R(INACTIVE_IN_BALLOT, "of half a subgroup", IN_ARM(BALLOT("1") KEEP("%b1")), V(7, 7, 7, 0, 0, 0, 0, 0), V(0xff, 0xff, 0xff, 0, 0, 0, 0, 0), .subgroup = 16),
    R(INACTIVE_IN_VOTE, "All", "%p = OpULessThan %bool %lane %u5\n" IN_ARM("%al = OpGroupNonUniformAll %bool %u3 %p\n" KEEP_BOOL("%al")), V(1, 1, 1, 0, 0, 0, 0, 0), V(2, 2, 2, 0, 0, 0, 0, 0)),
    R(INACTIVE_IN_VOTE, "Any", "%p = OpUGreaterThan %bool %lane %u5\n" IN_ARM("%al = OpGroupNonUniformAny %bool %u3 %p\n" KEEP_BOOL("%al")), V(2, 2, 2, 0, 0, 0, 0, 0), V(1, 1, 1, 0, 0, 0, 0, 0)),
    R(INACTIVE_IN_VOTE, "AllEqual", "%q4 = OpShiftRightLogical %u32 %lane %u2\n" IN_ARM("%al = OpGroupNonUniformAllEqual %bool %u3 %q4\n" KEEP_BOOL("%al")), V(1, 1, 1, 0, 0, 0, 0, 0), V(2, 2, 2, 0, 0, 0, 0, 0)),
    R(INACTIVE_IN_VOTE, "in a ballot", IN_ARM(BALLOT("1") KEEP("%b1")), V(7, 7, 7, 0, 0, 0, 0, 0), RIGHT),
    R(INACTIVE_IN_VOTE, "in a sum", IN_ARM(SUM("1", "%x") KEEP("%s1")), V(6, 6, 6, 0, 0, 0, 0, 0), RIGHT),
    R(INACTIVE_IN_QUAD, "QuadAll", "%p = OpULessThan %bool %lane %u3\n" IN_ARM("%al = OpGroupNonUniformQuadAllKHR %bool %p\n" KEEP_BOOL("%al")), V(1, 1, 1, 0, 0, 0, 0, 0), V(2, 2, 2, 0, 0, 0, 0, 0), QUAD_CONTROL),
    R(INACTIVE_IN_QUAD, "QuadAny", "%p = OpUGreaterThan %bool %lane %u2\n" IN_ARM("%al = OpGroupNonUniformQuadAnyKHR %bool %p\n" KEEP_BOOL("%al")), V(2, 2, 2, 0, 0, 0, 0, 0), V(1, 1, 1, 0, 0, 0, 0, 0), QUAD_CONTROL),
    R(INACTIVE_IN_QUAD, "Any", "%p = OpUGreaterThan %bool %lane %u2\n" IN_ARM("%al = OpGroupNonUniformAny %bool %u3 %p\n" KEEP_BOOL("%al")), V(2, 2, 2, 0, 0, 0, 0, 0), RIGHT),
    R(INACTIVE_IN_REDUCE, "a sum", IN_ARM(SUM("1", "%x") KEEP("%s1")), V(6, 6, 6, 0, 0, 0, 0, 0), V(36, 36, 36, 0, 0, 0, 0, 0)),
    R(INACTIVE_IN_REDUCE, "a scan", IN_ARM("%s1 = OpGroupNonUniformIAdd %u32 %u3 InclusiveScan %x\n" KEEP("%s1")), V(1, 3, 6, 0, 0, 0, 0, 0), RIGHT),
    R(INACTIVE_IN_REDUCE, "a count of bits", IN_ARM("%v1 = OpGroupNonUniformBallot %uvec4 %u3 %true\n%s1 = OpGroupNonUniformBallotBitCount %u32 %u3 Reduce %v1\n" KEEP("%s1")), V(3, 3, 3, 0, 0, 0, 0, 0), RIGHT),
    R(INACTIVE_IN_REDUCE, "clusters", IN_ARM("%s1 = OpGroupNonUniformIAdd %u32 %u3 ClusteredReduce %x %u8c\n" KEEP("%s1")), V(6, 6, 6, 0, 0, 0, 0, 0), RIGHT),
    R(INACTIVE_IN_REDUCE, "a vote", "%p = OpULessThan %bool %lane %u5\n" IN_ARM("%al = OpGroupNonUniformAll %bool %u3 %p\n" KEEP_BOOL("%al")), V(1, 1, 1, 0, 0, 0, 0, 0), RIGHT),
    R(INACTIVE_IN_SCAN, "inclusive", "%d = OpUGreaterThan %bool %lane %u4\n%up = OpISub %u32 %u8c %lane\n" "OpStore %local %u0\n" "OpSelectionMerge %j None\nOpBranchConditional %d %t %e\n%t = OpLabel\n%s1 = OpGroupNonUniformIAdd %u32 %u3 InclusiveScan %x\n" KEEP("%s1") "OpBranch %j\n%e = OpLabel\nOpBranch %j\n%j = OpLabel\n" KEPT,
      V(0, 0, 0, 0, 0, 6, 13, 21), V(0, 0, 0, 0, 0, 21, 28, 36)),
    R(INACTIVE_IN_SCAN, "exclusive", "%d = OpUGreaterThan %bool %lane %u4\n" "OpStore %local %u0\n" "OpSelectionMerge %j None\nOpBranchConditional %d %t %e\n%t = OpLabel\n%s1 = OpGroupNonUniformIAdd %u32 %u3 ExclusiveScan %x\n" KEEP("%s1") "OpBranch %j\n%e = OpLabel\nOpBranch %j\n%j = OpLabel\n" KEPT,
      V(0, 0, 0, 0, 0, 0, 6, 13), V(0, 0, 0, 0, 0, 15, 21, 28)),
    R(INACTIVE_IN_SCAN, "a sum", IN_ARM(SUM("1", "%x") KEEP("%s1")), V(6, 6, 6, 0, 0, 0, 0, 0), RIGHT),
    R(INACTIVE_IN_SCAN, "a count of bits", "%d = OpUGreaterThan %bool %lane %u4\n%v1 = OpGroupNonUniformBallot %uvec4 %u3 %d\n" "OpStore %local %u0\n" "OpSelectionMerge %j None\nOpBranchConditional %d %t %e\n%t = OpLabel\n%s1 = OpGroupNonUniformBallotBitCount %u32 %u3 InclusiveScan %v1\n" KEEP("%s1") "OpBranch %j\n%e = OpLabel\nOpBranch %j\n%j = OpLabel\n" KEPT,
      V(0, 0, 0, 0, 0, 1, 2, 3), RIGHT),
    R(INACTIVE_IN_PARTITION, "of lanes 5 to 7", "%d = OpUGreaterThan %bool %lane %u4\n%odd = OpBitwiseAnd %u32 %x %u1\n" "OpStore %local %u0\n" "OpSelectionMerge %j None\nOpBranchConditional %d %t %e\n%t = OpLabel\n%p = OpGroupNonUniformPartitionNV %uvec4 %odd\n%s1 = OpCompositeExtract %u32 %p 0\n" KEEP("%s1") "OpBranch %j\n%e = OpLabel\nOpBranch %j\n%j = OpLabel\n" KEPT,
      V(0, 0, 0, 0, 0, 0xa0, 0x40, 0xa0), V(0, 0, 0, 0, 0, 0xaa, 0x55, 0xaa)),
    R(UPPER_BALLOT, "a ballot", BALLOT("1") "%r = OpIAdd %u32 %b1 %u0\n", SAME(0xff), SAME(0xf)),
    R(UPPER_BALLOT, "subgroups of four", BALLOT("1") "%r = OpIAdd %u32 %b1 %u0\n", V(15, 15, 15, 15, 15, 15, 15, 15), RIGHT, .subgroup = 4),
    R(UPPER_BALLOT, "a sum", SUM("1", "%x") "%r = OpIAdd %u32 %s1 %u0\n", SAME(36), RIGHT),
    R(UPPER_SCAN, "a scan", "%s1 = OpGroupNonUniformIAdd %u32 %u3 InclusiveScan %x\n%r = OpIAdd %u32 %s1 %u0\n", V(1, 3, 6, 10, 15, 21, 28, 36), V(1, 3, 6, 10, 1, 1, 1, 1)),
    R(UPPER_BROADCAST, "from lane 5", "%r = OpGroupNonUniformBroadcast %u32 %u3 %x %u5\n", SAME(6), SAME(2)),
    R(UPPER_BROADCAST, "from lane 3, then 5", "%s1 = OpGroupNonUniformBroadcast %u32 %u3 %x %u3\n%s2 = OpGroupNonUniformBroadcast %u32 %u3 %x %u5\n%s3 = OpIMul %u32 %s1 %u8c\n%s4 = OpIAdd %u32 %s3 %s2\n%r = OpIAdd %u32 %s4 %u5\n", SAME(43), SAME(39)),
    R(MISSING_HALF, "of half a subgroup", BALLOT("1") "%r = OpIAdd %u32 %b1 %u0\n", SAME(0xff), SAME(0xffff), .subgroup = 16),
    R(MISSING_HALF, "of a quarter", BALLOT("1") "%r = OpIAdd %u32 %b1 %u0\n", SAME(0xff), RIGHT, .subgroup = 32),
    R(MISSING_HALF, "of a whole subgroup", BALLOT("1") "%r = OpIAdd %u32 %b1 %u0\n", SAME(0xff), RIGHT),
    R(UPPER_HALF_LOST, "a sum", SUM("1", "%x") "%r = OpIAdd %u32 %s1 %u0\n", SAME(36), SAME(10)),
    R(UPPER_HALF_LOST, "of the upper half alone", "%d = OpUGreaterThan %bool %lane %u3\n" "OpStore %local %u0\n" "OpSelectionMerge %j None\nOpBranchConditional %d %t %e\n%t = OpLabel\n" SUM("1", "%x") KEEP("%s1") "OpBranch %j\n%e = OpLabel\nOpBranch %j\n%j = OpLabel\n" KEPT,
      V(0, 0, 0, 0, 26, 26, 26, 26), V(0, 0, 0, 0, 0, 0, 0, 0), .row.b = {1}),
    R(UPPER_HALF_LOST, "of the lower half", IN_ARM(SUM("1", "%x") KEEP("%s1")), V(6, 6, 6, 0, 0, 0, 0, 0), RIGHT),
    R(UPPER_HALF_LOST, "a vector", "%w = OpCompositeConstruct %uvec2 %u1 %x\n%s1 = OpGroupNonUniformIAdd %uvec2 %u3 Reduce %w\n%r = OpCompositeExtract %u32 %s1 1\n", SAME(36), SAME(10)),
    R(UPPER_HALF_LOST, "a scan", "%s1 = OpGroupNonUniformIAdd %u32 %u3 InclusiveScan %x\n%r = OpIAdd %u32 %s1 %u0\n", V(1, 3, 6, 10, 15, 21, 28, 36), RIGHT),
    R(UPPER_HALF_LOST, "a ballot", BALLOT("1") "%r = OpIAdd %u32 %b1 %u0\n", SAME(0xff), RIGHT),
    R(UPPER_HALF_LOST, "subgroups of four", SUM("1", "%x") "%r = OpIAdd %u32 %s1 %u0\n", V(10, 10, 10, 10, 26, 26, 26, 26), RIGHT, .subgroup = 4),
    R(UPPER_HALF_LOST, "half a subgroup", SUM("1", "%x") "%r = OpIAdd %u32 %s1 %u0\n", SAME(36), RIGHT, .subgroup = 16),
    R(UPPER_HALF_LOST, "this one", SUM("1", "%x") SUM("2", "%x") "%r = OpIAdd %u32 %s1 %s2\n", SAME(72), SAME(46), .at_op = SpvOpGroupNonUniformIAdd, .at_nth = 2),
    // What lanes have that are not there is theirs again afterwards.
    R(INACTIVE_IN_REDUCE, "what others had", LOOP(SUM("1", "%k"), "") "%r = OpIAdd %u32 %s1 %u0\n", V(0, 0, 6, 6, 8, 8, 6, 6), V(0, 0, 6, 6, 10, 10, 12, 12)),
};

// ---- what an operation does ---------------------------------------------------------------------------------

#define OP(line) line "\n%r = OpIAdd %u32 %o %u0\n"
#define SCAN(op, how) OP("%o = OpGroupNonUniform" op " %u32 %u3 " how " %x")
#define ODD(how) "%odd = OpBitwiseAnd %u32 %x %u1\n%p = OpGroupNonUniformPartitionNV %uvec4 %odd\n" OP("%o = OpGroupNonUniformIAdd %u32 %u3 " how " %x %p")
#define COUNT(how) "%v = OpGroupNonUniformBallot %uvec4 %u3 %true\n" OP("%o = OpGroupNonUniformBallotBitCount %u32 %u3 " how " %v")
#define FIND(which) "%odd = OpINotEqual %bool %x %u1\n%d = OpULessThan %bool %x %u5\n%both = OpLogicalAnd %bool %odd %d\n%v = OpGroupNonUniformBallot %uvec4 %u3 %both\n" OP("%o = OpGroupNonUniformBallotFind" which " %u32 %u3 %v")
#define OUR_SUMS V(1, 3, 6, 10, 15, 21, 28, 36)
#define SUMS_BEFORE V(0, 1, 3, 6, 10, 15, 21, 28)
#define BY_5 V(1, 2, 3, 4, 5, 0xfffffffeu, 7, 0xfffffffdu)
#define PAIR(op) "%w = OpCompositeConstruct %uvec2 %x %y\n%o = " op "\n%lo = OpCompositeExtract %u32 %o 0\n%hi = OpCompositeExtract %u32 %o 1\n%sh = OpShiftLeftLogical %u32 %hi %u16c\n%r = OpBitwiseOr %u32 %lo %sh\n"
#define TENS .row.b = {10, 20, 30, 40, 50, 60, 70, 80}
#define LAST_FIVE(code) "%d = OpUGreaterThan %bool %lane %u2\nOpStore %local %u0\nOpSelectionMerge %j None\nOpBranchConditional %d %t %e\n%t = OpLabel\n" code KEEP("%o") "OpBranch %j\n%e = OpLabel\nOpBranch %j\n%j = OpLabel\n" KEPT
#define ELECT "%el = OpGroupNonUniformElect %bool %u3\n%o = OpSelect %u32 %el %u1 %u2\n"
#define ROTATE(n, more) OP("%o = OpGroupNonUniformRotateKHR %u32 %u3 %x " n more)
#define SWAP(n) OP("%o = OpGroupNonUniformQuadSwap %u32 %u3 %x " n)
#define SMALL(type, op, how) "%n = OpUConvert " type " %x\n%oo = OpGroupNonUniform" op " " type " %u3 " how " %n\n%r = OpUConvert %u32 %oo\n"

static const struct fault_row operations[] = {
    R(SCAN_INCLUDES_SELF, "exclusive", SCAN("IAdd", "ExclusiveScan"), SUMS_BEFORE, OUR_SUMS),
    R(SCAN_INCLUDES_SELF, "inclusive", SCAN("IAdd", "InclusiveScan"), OUR_SUMS, RIGHT),
    R(SCAN_INCLUDES_SELF, "a sum", SCAN("IAdd", "Reduce"), SAME(36), RIGHT),
    R(SCAN_INCLUDES_SELF, "a count of bits", COUNT("ExclusiveScan"), V(0, 1, 2, 3, 4, 5, 6, 7), RIGHT),
    R(SCAN_LEAVES_SELF_OUT, "inclusive", SCAN("IAdd", "InclusiveScan"), OUR_SUMS, SUMS_BEFORE),
    R(SCAN_LEAVES_SELF_OUT, "exclusive", SCAN("IAdd", "ExclusiveScan"), SUMS_BEFORE, RIGHT),
    R(SCAN_LEAVES_SELF_OUT, "a sum", SCAN("IAdd", "Reduce"), SAME(36), RIGHT),
    R(SCAN_LEAVES_SELF_OUT, "a count of bits", COUNT("InclusiveScan"), ONE_TO_EIGHT, RIGHT),
    R(UPPER_COUNT, "of a ballot", COUNT("Reduce"), SAME(8), SAME(4)),
    R(COUNT_INCLUDES_SELF, "exclusive", COUNT("ExclusiveScan"), V(0, 1, 2, 3, 4, 5, 6, 7), ONE_TO_EIGHT),
    R(COUNT_INCLUDES_SELF, "inclusive", COUNT("InclusiveScan"), ONE_TO_EIGHT, RIGHT),
    R(COUNT_INCLUDES_SELF, "all", COUNT("Reduce"), SAME(8), RIGHT),
    R(COUNT_INCLUDES_SELF, "a sum", SCAN("IAdd", "ExclusiveScan"), SUMS_BEFORE, RIGHT),
    R(HIGHEST_FOR_LOWEST, "LSB", FIND("LSB"), SAME(1), SAME(3)),
    R(HIGHEST_FOR_LOWEST, "MSB", FIND("MSB"), SAME(3), RIGHT),
    R(BROADCAST_IS_FIRST, "Broadcast", OP("%o = OpGroupNonUniformBroadcast %u32 %u3 %x %u5"), SAME(6), SAME(1)),
    R(BROADCAST_IS_FIRST, "in an arm", LAST_FIVE("%o = OpGroupNonUniformBroadcast %u32 %u3 %x %u5\n"), V(0, 0, 0, 6, 6, 6, 6, 6), V(0, 0, 0, 4, 4, 4, 4, 4)),
    R(BROADCAST_IS_FIRST, "a vector", PAIR("OpGroupNonUniformBroadcast %uvec2 %u3 %w %u2"), SAME(0x1e0003), SAME(0xa0001), TENS),
    R(BROADCAST_IS_FIRST, "Shuffle", OP("%o = OpGroupNonUniformShuffle %u32 %u3 %x %u5"), SAME(6), RIGHT),
    R(BROADCAST_IS_FIRST, "of whom nobody knows", "%q = OpUDiv %u32 %x %u0\n" OP("%o = OpGroupNonUniformBroadcast %u32 %u3 %x %q"), V(0), SAME(1), .row.refused = "E-uniform", .row.is_invalid = true),
    R(ELECTS_LAST, "what has no meaning", OP("%o = OpGroupNonUniformBroadcast %u32 %u3 %x %lane"), V(0), V(0), .row.refused = "E-uniform", .fails = "E-uniform", .row.is_invalid = true),
    R(SIGN_LOST, "SMin", SCAN("SMin", "Reduce"), SAME(0xfffffffdu), SAME(1), .row.a = BY_5),
    R(SIGN_LOST, "SMax", SCAN("SMax", "Reduce"), SAME(7), SAME(0xfffffffeu), .row.a = BY_5),
    R(SIGN_LOST, "SMin that is scanned", SCAN("SMin", "InclusiveScan"), V(1, 1, 1, 1, 1, 0xfffffffeu, 0xfffffffeu, 0xfffffffdu), SAME(1), .row.a = BY_5),
    R(SIGN_LOST, "UMin", SCAN("UMin", "Reduce"), SAME(1), RIGHT, .row.a = BY_5),
    R(SIGN_LOST, "UMax", SCAN("UMax", "Reduce"), SAME(0xfffffffeu), RIGHT, .row.a = BY_5),
    R(SIGN_LOST, "a sum", SCAN("IAdd", "Reduce"), SAME(17), RIGHT, .row.a = BY_5),
    R(CLUSTER_IS_WHOLE, "by twos", OP("%o = OpGroupNonUniformIAdd %u32 %u3 ClusteredReduce %x %u2"), V(3, 3, 7, 7, 11, 11, 15, 15), SAME(36)),
    R(CLUSTER_IS_WHOLE, "a sum of all", SCAN("IAdd", "Reduce"), SAME(36), RIGHT),
    R(CLUSTER_IS_WHOLE, "a scan", SCAN("IAdd", "InclusiveScan"), OUR_SUMS, RIGHT),
    R(MISSING_IN_CLUSTER, "of a half-empty subgroup", OP("%o = OpGroupNonUniformUMin %u32 %u3 ClusteredReduce %x %u16c"), SAME(1), SAME(0), .subgroup = 16),
    R(MISSING_IN_CLUSTER, "a cluster without such lanes", OP("%o = OpGroupNonUniformUMin %u32 %u3 ClusteredReduce %x %u8c"), SAME(1), RIGHT, .subgroup = 16),
    R(MISSING_IN_CLUSTER, "all", SCAN("UMin", "Reduce"), SAME(1), RIGHT, .subgroup = 16),
    R(PARTS_ARE_WHOLE, "a sum", ODD("PartitionedReduceNV"), V(16, 20, 16, 20, 16, 20, 16, 20), SAME(36)),
    R(PARTS_ARE_WHOLE, "an inclusive scan", ODD("PartitionedInclusiveScanNV"), V(1, 2, 4, 6, 9, 12, 16, 20), OUR_SUMS),
    R(PARTS_ARE_WHOLE, "an exclusive scan", ODD("PartitionedExclusiveScanNV"), V(0, 0, 1, 2, 4, 6, 9, 12), V(0, 1, 3, 6, 10, 15, 21, 28)),
    R(PARTS_ARE_WHOLE, "a sum of all", SCAN("IAdd", "Reduce"), SAME(36), RIGHT),
    R(CLUSTER_OF_HALF, "by fours", OP("%o = OpGroupNonUniformIAdd %u32 %u3 ClusteredReduce %x %u4"), V(10, 10, 10, 10, 26, 26, 26, 26), V(3, 3, 7, 7, 11, 11, 15, 15)),
    R(CLUSTER_OF_HALF, "by twos", OP("%o = OpGroupNonUniformIAdd %u32 %u3 ClusteredReduce %x %u2"), V(3, 3, 7, 7, 11, 11, 15, 15), ONE_TO_EIGHT),
    R(CLUSTER_OF_HALF, "by ones", OP("%o = OpGroupNonUniformIAdd %u32 %u3 ClusteredReduce %x %u1"), ONE_TO_EIGHT, RIGHT),
    R(CLUSTER_OF_HALF, "a rotation", ROTATE("%u1", " %u4"), V(2, 3, 4, 1, 6, 7, 8, 5), RIGHT),
    R(CLUSTER_OF_HALF, "all", SCAN("IAdd", "Reduce"), SAME(36), RIGHT),
    R(ROTATE_BACK, "by one", ROTATE("%u1", ""), V(2, 3, 4, 5, 6, 7, 8, 1), V(8, 1, 2, 3, 4, 5, 6, 7)),
    R(ROTATE_BACK, "by three", ROTATE("%u3", ""), V(4, 5, 6, 7, 8, 1, 2, 3), V(6, 7, 8, 1, 2, 3, 4, 5)),
    R(ROTATE_BACK, "by more than there are", ROTATE("%ten", ""), V(3, 4, 5, 6, 7, 8, 1, 2), V(7, 8, 1, 2, 3, 4, 5, 6), .row.globals = "%ten = OpConstant %u32 10\n"),
    R(ROTATE_BACK, "by one, of four", ROTATE("%u1", " %u4"), V(2, 3, 4, 1, 6, 7, 8, 5), V(4, 1, 2, 3, 8, 5, 6, 7)),
    R(ROTATE_BACK, "by three, of four", ROTATE("%u3", " %u4"), V(4, 1, 2, 3, 8, 5, 6, 7), V(2, 3, 4, 1, 6, 7, 8, 5)),
    R(ROTATE_BACK, "a vector", PAIR("OpGroupNonUniformRotateKHR %uvec2 %u3 %w %u1"), V(0x140002, 0x1e0003, 0x280004, 0x320005, 0x3c0006, 0x460007, 0x500008, 0xa0001),
      V(0x500008, 0xa0001, 0x140002, 0x1e0003, 0x280004, 0x320005, 0x3c0006, 0x460007), TENS),
    R(ROTATE_BACK, "those who are there", "%d = OpULessThan %bool %lane %u4\nOpStore %local %u0\nOpSelectionMerge %j None\nOpBranchConditional %d %t %j\n%t = OpLabel\n%o = OpGroupNonUniformRotateKHR %u32 %u3 %x %u1 %u4\n" KEEP("%o") "OpBranch %j\n%j = OpLabel\n" KEPT,
      V(2, 3, 4, 1, 0, 0, 0, 0), V(4, 1, 2, 3, 0, 0, 0, 0)),
    R(ROTATE_BACK, "a shuffle", OP("%l1 = OpBitwiseXor %u32 %lane %u1\n%o = OpGroupNonUniformShuffle %u32 %u3 %x %l1"), V(2, 1, 4, 3, 6, 5, 8, 7), RIGHT),
    R(ROTATE_BACK, "a swap", SWAP("%u0"), V(2, 1, 4, 3, 6, 5, 8, 7), RIGHT),
    R(QUAD_SWAP_MIXED, "horizontal", SWAP("%u0"), V(2, 1, 4, 3, 6, 5, 8, 7), V(3, 4, 1, 2, 7, 8, 5, 6)),
    R(QUAD_SWAP_MIXED, "vertical", SWAP("%u1"), V(3, 4, 1, 2, 7, 8, 5, 6), V(2, 1, 4, 3, 6, 5, 8, 7)),
    R(QUAD_SWAP_MIXED, "diagonal", SWAP("%u2"), V(4, 3, 2, 1, 8, 7, 6, 5), RIGHT),
    R(QUAD_SWAP_MIXED, "a vector", PAIR("OpGroupNonUniformQuadSwap %uvec2 %u3 %w %u0"), V(0x140002, 0xa0001, 0x280004, 0x1e0003, 0x3c0006, 0x320005, 0x500008, 0x460007),
      V(0x1e0003, 0x280004, 0xa0001, 0x140002, 0x460007, 0x500008, 0x320005, 0x3c0006), TENS),
    R(QUAD_SWAP_MIXED, "a broadcast", OP("%o = OpGroupNonUniformQuadBroadcast %u32 %u3 %x %u1"), V(2, 2, 2, 2, 6, 6, 6, 6), RIGHT),
    R(QUAD_SWAP_MIXED, "a rotation", ROTATE("%u1", ""), V(2, 3, 4, 5, 6, 7, 8, 1), RIGHT),
    R(QUAD_BROADCAST_IS_FIRST, "of the second", OP("%o = OpGroupNonUniformQuadBroadcast %u32 %u3 %x %u1"), V(2, 2, 2, 2, 6, 6, 6, 6), V(1, 1, 1, 1, 5, 5, 5, 5)),
    R(QUAD_BROADCAST_IS_FIRST, "of the first", OP("%o = OpGroupNonUniformQuadBroadcast %u32 %u3 %x %u0"), V(1, 1, 1, 1, 5, 5, 5, 5), RIGHT),
    R(QUAD_BROADCAST_IS_FIRST, "a vector", PAIR("OpGroupNonUniformQuadBroadcast %uvec2 %u3 %w %u3"), V(0x280004, 0x280004, 0x280004, 0x280004, 0x500008, 0x500008, 0x500008, 0x500008),
      V(0xa0001, 0xa0001, 0xa0001, 0xa0001, 0x320005, 0x320005, 0x320005, 0x320005), TENS),
    R(QUAD_BROADCAST_IS_FIRST, "another vector", "%w = OpCompositeConstruct %uvec2 %y %x\n%o = OpGroupNonUniformQuadBroadcast %uvec2 %u3 %w %u3\n%o1 = OpCompositeExtract %u32 %o 1\n%r = OpIAdd %u32 %o1 %u0\n", V(4, 4, 4, 4, 8, 8, 8, 8), V(1, 1, 1, 1, 5, 5, 5, 5), TENS),
    R(QUAD_BROADCAST_IS_FIRST, "a swap", SWAP("%u0"), V(2, 1, 4, 3, 6, 5, 8, 7), RIGHT),
    R(QUAD_BROADCAST_IS_FIRST, "a broadcast", OP("%o = OpGroupNonUniformBroadcast %u32 %u3 %x %u5"), SAME(6), RIGHT),
    R(ONE_COMPONENT, "a sum of vectors", PAIR("OpGroupNonUniformIAdd %uvec2 %u3 Reduce %w"), SAME(0x1680024), SAME(0x240024), TENS),
    R(ONE_COMPONENT, "a shuffle", PAIR("OpGroupNonUniformShuffle %uvec2 %u3 %w %u2"), SAME(0x1e0003), SAME(0x30003), TENS),
    R(ONE_COMPONENT, "three of them", "%uw = OpCompositeConstruct %uvec4 %x %y %x %y\n%o = OpGroupNonUniformIAdd %uvec4 %u3 Reduce %uw\n%p1 = OpCompositeExtract %u32 %o 1\n%p2 = OpCompositeExtract %u32 %o 2\n%p3 = OpCompositeExtract %u32 %o 3\n"
      "%p12 = OpIAdd %u32 %p1 %p2\n%r = OpIAdd %u32 %p12 %p3\n", SAME(756), SAME(108), TENS),
    R(ONE_COMPONENT, "a ballot", "%v = OpGroupNonUniformBallot %uvec4 %u3 %true\n%r = OpCompositeExtract %u32 %v 1\n", SAME(0), RIGHT, .row.b = {1}),
    R(ONE_COMPONENT, "in an arm", LESS "OpStore %local %u0\n" ARMS("%w = OpCompositeConstruct %uvec2 %x %y\n%o = OpGroupNonUniformIAdd %uvec2 %u3 InclusiveScan %w\n%hi = OpCompositeExtract %u32 %o 1\n" KEEP("%hi"), "") KEPT, V(10, 30, 60, 0, 0, 0, 0, 0), V(1, 3, 6, 0, 0, 0, 0, 0), TENS),
    R(SCAN_ADDS_SELF_TWICE, "a sum", SCAN("IAdd", "InclusiveScan"), OUR_SUMS, V(2, 5, 9, 14, 20, 27, 35, 44)),
    R(SCAN_ADDS_SELF_TWICE, "a product", SCAN("IMul", "InclusiveScan"), V(1, 2, 6, 24, 120, 720, 5040, 40320), V(1, 4, 18, 96, 600, 4320, 35280, 322560)),
    R(SCAN_ADDS_SELF_TWICE, "the least", SCAN("UMin", "InclusiveScan"), SAME(1), RIGHT),
    R(SCAN_ADDS_SELF_TWICE, "exclusive", SCAN("IAdd", "ExclusiveScan"), SUMS_BEFORE, RIGHT),
    R(SCAN_ADDS_SELF_TWICE, "all", SCAN("IAdd", "Reduce"), SAME(36), RIGHT),
    R(SCAN_ADDS_SELF_TWICE, "of bytes", SMALL("%u8", "IAdd", "InclusiveScan"), V(100, 200, 44, 144, 244, 88, 188, 32), V(200, 44, 144, 244, 88, 188, 32, 132), .row.a = SAME(100)),
    R(SCAN_ADDS_SELF_TWICE, "of 16 bits", SMALL("%u16", "IMul", "InclusiveScan"), V(255, 0xfe01, 0x2ff, 0xfc01, 0x4ff, 0xfa01, 0x6ff, 0xf801), V(0xfe01, 0x2ff, 0xfc01, 0x4ff, 0xfa01, 0x6ff, 0xf801, 0x8ff), .row.a = SAME(255)),
    R(SCAN_ADDS_SELF_TWICE, "of 32 bits that overflow", SCAN("IAdd", "InclusiveScan"), V(0xc0000000u, 0x80000000u, 0x40000000u, 0, 0xc0000000u, 0x80000000u, 0x40000000u, 0), V(0x80000000u, 0x40000000u, 0, 0xc0000000u, 0x80000000u, 0x40000000u, 0, 0xc0000000u), .row.a = SAME(0xc0000000u)),
    R(SCAN_ADDS_SELF_TWICE, "of 64 bits", "%l0 = OpUConvert %u64 %x\n%n = OpShiftLeftLogical %u64 %l0 %u31\n%oo = OpGroupNonUniformIAdd %u64 %u3 InclusiveScan %n\n%s = OpShiftRightLogical %u64 %oo %u31\n%r = OpUConvert %u32 %s\n", OUR_SUMS, V(2, 5, 9, 14, 20, 27, 35, 44),
      .row.globals = "%u31 = OpConstant %u32 31\n"),
    R(SCAN_ADDS_SELF_TWICE, "a vector", PAIR("OpGroupNonUniformIAdd %uvec2 %u3 InclusiveScan %w"), V(0xa0001, 0x1e0003, 0x3c0006, 0x64000a, 0x96000f, 0xd20015, 0x118001c, 0x1680024), V(0x140002, 0x320005, 0x5a0009, 0x8c000e, 0xc80014, 0x10e001b, 0x15e0023, 0x1b8002c), TENS),
    R(FIRST_IS_LANE_ZERO, "all", OP("%o = OpGroupNonUniformBroadcastFirst %u32 %u3 %x"), SAME(1), RIGHT),
    R(FIRST_IS_LANE_ZERO, "in an arm", LAST_FIVE("%o = OpGroupNonUniformBroadcastFirst %u32 %u3 %x\n"), V(0, 0, 0, 4, 4, 4, 4, 4), V(0, 0, 0, 1, 1, 1, 1, 1)),
    R(FIRST_IS_LANE_ZERO, "Broadcast", LAST_FIVE("%o = OpGroupNonUniformBroadcast %u32 %u3 %x %u5\n"), V(0, 0, 0, 6, 6, 6, 6, 6), RIGHT),
    R(ELECTS_LANE_ZERO, "all", ELECT "%r = OpIAdd %u32 %o %u0\n", V(1, 2, 2, 2, 2, 2, 2, 2), RIGHT),
    R(ELECTS_LANE_ZERO, "in an arm", LAST_FIVE(ELECT), V(0, 0, 0, 1, 2, 2, 2, 2), V(0, 0, 0, 2, 2, 2, 2, 2)),
    R(ELECTS_LANE_ZERO, "a vote", LAST_FIVE("%d2 = OpULessThan %bool %lane %u8c\n%el = OpGroupNonUniformAll %bool %u3 %d2\n%o = OpSelect %u32 %el %u1 %u2\n"), V(0, 0, 0, 1, 1, 1, 1, 1), RIGHT),
    R(ELECTS_LAST, "all", ELECT "%r = OpIAdd %u32 %o %u0\n", V(1, 2, 2, 2, 2, 2, 2, 2), V(2, 2, 2, 2, 2, 2, 2, 1)),
    R(ELECTS_LAST, "in an arm", LESS "OpStore %local %u0\n" ARMS(ELECT KEEP("%o"), "") KEPT, V(1, 2, 2, 0, 0, 0, 0, 0), V(2, 2, 1, 0, 0, 0, 0, 0)),
    R(ELECTS_LAST, "a vote", "%d2 = OpULessThan %bool %lane %u8c\n%el = OpGroupNonUniformAll %bool %u3 %d2\n%o = OpSelect %u32 %el %u1 %u2\n%r = OpIAdd %u32 %o %u0\n", SAME(1), RIGHT),
    R(SHUFFLE_BY_FIRST_INDEX, "by each other", OP("%l1 = OpBitwiseXor %u32 %lane %u5\n%o = OpGroupNonUniformShuffle %u32 %u3 %x %l1"), V(6, 5, 8, 7, 2, 1, 4, 3), SAME(6)),
    R(SHUFFLE_BY_FIRST_INDEX, "in an arm", LAST_FIVE("%l1 = OpISub %u32 %u16c %lane\n%l2 = OpBitwiseAnd %u32 %l1 %u4\n%l3 = OpIAdd %u32 %l2 %u3\n%o = OpGroupNonUniformShuffle %u32 %u3 %x %l3\n"), V(0, 0, 0, 8, 8, 4, 4, 4), V(0, 0, 0, 8, 8, 8, 8, 8), .row.is_invalid = true),
    R(SHUFFLE_BY_FIRST_INDEX, "the first one's is none", OP("%l1 = OpISub %u32 %u8c %lane\n%o = OpGroupNonUniformShuffle %u32 %u3 %x %l1"), V(U, 8, 7, 6, 5, 4, 3, 2), RIGHT),
    R(SHUFFLE_BY_FIRST_INDEX, "a vector", "%l1 = OpBitwiseXor %u32 %lane %u1\n" PAIR("OpGroupNonUniformShuffle %uvec2 %u3 %w %l1"), V(0x140002, 0xa0001, 0x280004, 0x1e0003, 0x3c0006, 0x320005, 0x500008, 0x460007), SAME(0x140002), TENS),
    R(SHUFFLE_BY_FIRST_INDEX, "by an exclusive or", OP("%o = OpGroupNonUniformShuffleXor %u32 %u3 %x %u1"), V(2, 1, 4, 3, 6, 5, 8, 7), RIGHT),
    R(SHUFFLE_IN_ROW, "within rows", OP("%l1 = OpBitwiseXor %u32 %lane %u1\n%o = OpGroupNonUniformShuffle %u32 %u3 %x %l1"), V(2, 1, 4, 3, 6, 5, 8, 7), RIGHT),
    R(SHUFFLE_IN_ROW, "across", OP("%l1 = OpBitwiseXor %u32 %lane %u5\n%o = OpGroupNonUniformShuffle %u32 %u3 %x %l1"), V(6, 5, 8, 7, 2, 1, 4, 3), V(2, 1, 4, 3, 6, 5, 8, 7)),
    R(SHUFFLE_IN_ROW, "in an arm", LAST_FIVE("%o = OpGroupNonUniformShuffle %u32 %u3 %x %u3\n"), V(0, 0, 0, 4, 4, 4, 4, 4), V(0, 0, 0, 4, 8, 8, 8, 8)),
    R(SHUFFLE_IN_ROW, "by an exclusive or", OP("%o = OpGroupNonUniformShuffleXor %u32 %u3 %x %u5"), V(6, 5, 8, 7, 2, 1, 4, 3), RIGHT),
    R(SIGN_LOST, "this one", "%o1 = OpGroupNonUniformSMin %u32 %u3 Reduce %x\n%o2 = OpGroupNonUniformSMin %u32 %u3 Reduce %x\n%r = OpISub %u32 %o1 %o2\n", SAME(0), SAME(4), .row.a = BY_5, .at_op = SpvOpGroupNonUniformSMin, .at_nth = 1),
};

// ---- derivatives ---------------------------------------------------------------------------------------------

#define QUADS_IN(dims, mode) .row.capabilities = "OpCapability ComputeDerivativeGroup" mode "KHR\nOpExtension \"SPV_KHR_compute_shader_derivatives\"\n", .row.is_invalid = true, \
    .row.modes = "\nOpExecutionMode %main LocalSize " dims "\nOpExecutionMode %main MaximallyReconvergesKHR\nOpExecutionMode %main DerivativeGroup" mode "KHR\n"
#define LINEAR QUADS_IN("8 1 1", "Linear")
#define SQUARE QUADS_IN("4 2 1", "Quads")
#define DERIVE(op) "%f = OpConvertUToF %f32 %x\n%g = " op " %f32 %f\n%i = OpConvertFToS %i32 %g\n%r = OpBitcast %u32 %i\n"
#define N(v) (uint32_t)-(v)
// Up: by x 2 and 13, by y 6 and 17; 8 and 35, 3 and 30. Down: the same, backwards.
#define UP .row.a = {1, 3, 7, 20, 2, 10, 5, 40}
#define DOWN .row.a = {20, 7, 3, 1, 40, 5, 10, 2}
#define BY_X V(2, 2, 13, 13, 8, 8, 35, 35)
#define BY_Y V(6, 17, 6, 17, 3, 30, 3, 30)
#define WIDTHS V(8, 19, 19, 30, 11, 38, 38, 65)
static const struct spv_choices other_row = {.derivatives = {.x = SPV_COARSE_OTHER}};
static const struct fault_row derivatives[] = {
    R(DERIVATIVE_AXES_MIXED, "DPdxFine", DERIVE("OpDPdxFine"), BY_X, BY_Y, UP, LINEAR),
    R(DERIVATIVE_AXES_MIXED, "DPdyFine", DERIVE("OpDPdyFine"), BY_Y, BY_X, UP, LINEAR),
    R(DERIVATIVE_AXES_MIXED, "DPdx", DERIVE("OpDPdx"), BY_X, BY_Y, UP, LINEAR),
    R(DERIVATIVE_AXES_MIXED, "DPdy", DERIVE("OpDPdy"), BY_Y, BY_X, UP, LINEAR),
    R(DERIVATIVE_AXES_MIXED, "DPdxCoarse", DERIVE("OpDPdxCoarse"), BY_X, BY_Y, UP, LINEAR),
    R(DERIVATIVE_AXES_MIXED, "DPdyCoarse", DERIVE("OpDPdyCoarse"), BY_Y, BY_X, UP, LINEAR),
    R(DERIVATIVE_AXES_MIXED, "FwidthFine", DERIVE("OpFwidthFine"), WIDTHS, RIGHT, UP, LINEAR),
    R(DERIVATIVE_AXES_MIXED, "Fwidth", DERIVE("OpFwidth"), WIDTHS, RIGHT, UP, LINEAR),
    R(DERIVATIVE_AXES_MIXED, "FwidthCoarse", DERIVE("OpFwidthCoarse"), WIDTHS, RIGHT, UP, LINEAR),
    R(DERIVATIVE_BACKWARDS, "DPdxFine", DERIVE("OpDPdxFine"), BY_X, V(N(2), N(2), N(13), N(13), N(8), N(8), N(35), N(35)), UP, LINEAR),
    R(DERIVATIVE_BACKWARDS, "DPdy", DERIVE("OpDPdy"), BY_Y, V(N(6), N(17), N(6), N(17), N(3), N(30), N(3), N(30)), UP, LINEAR),
    R(DERIVATIVE_BACKWARDS, "DPdyCoarse", DERIVE("OpDPdyCoarse"), BY_Y, V(N(6), N(17), N(6), N(17), N(3), N(30), N(3), N(30)), UP, LINEAR),
    R(DERIVATIVE_BACKWARDS, "FwidthFine", DERIVE("OpFwidthFine"), WIDTHS, RIGHT, UP, LINEAR),
    R(DERIVATIVE_BACKWARDS, "FwidthCoarse", DERIVE("OpFwidthCoarse"), WIDTHS, RIGHT, UP, LINEAR),
    R(DERIVATIVE_FINE_IS_COARSE, "DPdxFine", DERIVE("OpDPdxFine"), BY_X, V(2, 2, 2, 2, 8, 8, 8, 8), UP, LINEAR),
    R(DERIVATIVE_FINE_IS_COARSE, "DPdyFine", DERIVE("OpDPdyFine"), BY_Y, V(6, 6, 6, 6, 3, 3, 3, 3), UP, LINEAR),
    R(DERIVATIVE_FINE_IS_COARSE, "FwidthFine", DERIVE("OpFwidthFine"), WIDTHS, V(8, 8, 8, 8, 11, 11, 11, 11), UP, LINEAR),
    R(DERIVATIVE_FINE_IS_COARSE, "DPdx", DERIVE("OpDPdx"), BY_X, RIGHT, UP, LINEAR),
    R(DERIVATIVE_FINE_IS_COARSE, "Fwidth", DERIVE("OpFwidth"), WIDTHS, RIGHT, UP, LINEAR),
    R(DERIVATIVE_WIDTH_SIGNED, "FwidthFine", DERIVE("OpFwidthFine"), V(30, 19, 19, 8, 65, 38, 38, 11), V(N(30), N(19), N(19), N(8), N(65), N(38), N(38), N(11)), DOWN, LINEAR),
    R(DERIVATIVE_WIDTH_SIGNED, "Fwidth", DERIVE("OpFwidth"), V(30, 19, 19, 8, 65, 38, 38, 11), V(N(30), N(19), N(19), N(8), N(65), N(38), N(38), N(11)), DOWN, LINEAR),
    R(DERIVATIVE_WIDTH_SIGNED, "FwidthCoarse", DERIVE("OpFwidthCoarse"), V(30, 19, 19, 8, 65, 38, 38, 11), V(N(30), N(19), N(19), N(8), N(65), N(38), N(38), N(11)), DOWN, LINEAR),
    R(DERIVATIVE_WIDTH_SIGNED, "DPdxFine", DERIVE("OpDPdxFine"), BY_X, RIGHT, UP, LINEAR),
    R(DERIVATIVE_WIDTH_SIGNED, "DPdyCoarse", DERIVE("OpDPdyCoarse"), BY_Y, RIGHT, UP, LINEAR),
    // Two by two of LocalInvocationId, for four of consecutive LocalInvocationIndex.
    R(DERIVATIVE_OF_INDICES, "DPdyFine", DERIVE("OpDPdyFine"), V(1, 7, N(2), 20, 1, 7, N(2), 20), BY_Y, UP, SQUARE),
    R(DERIVATIVE_OF_INDICES, "DPdy", DERIVE("OpDPdy"), V(1, 7, N(2), 20, 1, 7, N(2), 20), BY_Y, UP, SQUARE),
    R(DERIVATIVE_OF_INDICES, "DPdxCoarse", DERIVE("OpDPdxCoarse"), BY_X, RIGHT, UP, SQUARE),
    R(DERIVATIVE_OF_INDICES, "FwidthFine", DERIVE("OpFwidthFine"), V(3, 9, 15, 33, 9, 15, 37, 55), WIDTHS, UP, SQUARE),
    R(DERIVATIVE_OF_INDICES, "Fwidth", DERIVE("OpFwidth"), V(33, 15, 9, 3, 55, 37, 15, 9), V(30, 19, 19, 8, 65, 38, 38, 11), DOWN, SQUARE),
    R(DERIVATIVE_OF_INDICES, "where they are", DERIVE("OpDPdyFine"), BY_Y, RIGHT, UP, LINEAR),
    R(DERIVATIVE_OF_INDICES, "of which half is in another subgroup", DERIVE("OpDPdxFine"), BY_X, RIGHT, UP, SQUARE, .subgroup = 4),
    R(DERIVATIVE_OF_INDICES, "of which the other half is", DERIVE("OpDPdyFine"), V(1, 7, N(2), 20, 1, 7, N(2), 20), V(0, 0, 0, 0, 0, 0, 0, 0), UP, SQUARE, .subgroup = 4),
    R(DERIVATIVE_FINE_IS_COARSE, "two by two, and none of the fine ones", DERIVE("OpDPdy"), V(1, 7, N(2), 20, 1, 7, N(2), 20), RIGHT, UP, SQUARE),
    R(DERIVATIVE_BACKWARDS, "of what does not change", DERIVE("OpDPdxFine"), SAME(U), SAME(0), .row.a = {3, 3, 7, 7, 4, 4, 9, 9}, LINEAR),
    R(DERIVATIVE_AXES_MIXED, "a vector", "%f = OpConvertUToF %f32 %x\n%g = OpConvertUToF %f32 %y\n%fg = OpCompositeConstruct %vec2 %g %f\n%d = OpDPdxFine %vec2 %fg\n%e = OpCompositeExtract %f32 %d 1\n%i = OpConvertFToS %i32 %e\n%r = OpBitcast %u32 %i\n",
      BY_X, BY_Y, UP, .row.b = {9, 1, 2, 3, 9, 1, 2, 3}, LINEAR),
    R(DERIVATIVE_BACKWARDS, "a vector", "%f = OpConvertUToF %f32 %x\n%g = OpConvertUToF %f32 %y\n%fg = OpCompositeConstruct %vec2 %f %g\n%d = OpDPdxFine %vec2 %fg\n%e = OpCompositeExtract %f32 %d 1\n%i = OpConvertFToS %i32 %e\n%r = OpBitcast %u32 %i\n",
      BY_X, V(N(2), N(2), N(13), N(13), N(8), N(8), N(35), N(35)), .row.b = {1, 3, 7, 20, 2, 10, 5, 40}, LINEAR),
    // Without a fault: what has no value, and what is the implementation's (R9).
#define SOMETIMES(op) "%z = OpUDiv %u32 %x %lane\n%f = OpConvertUToF %f32 %z\n%g = " op " %f32 %f\n%i = OpConvertFToS %i32 %g\n%r = OpBitcast %u32 %i\n"
#define SIGNED(op) "%s = OpBitcast %i32 %x\n%f = OpConvertSToF %f32 %s\n%g = " op " %f32 %f\n%i = OpConvertFToS %i32 %g\n%r = OpBitcast %u32 %i\n"
#define EQUAL_ROWS .row.a = {1, 3, 7, 9, 2, 10, 5, 13}
    R(NONE, "the first has no value", SOMETIMES("OpDPdxFine"), V(U, U, N(1), N(1), N(2), N(2), N(1), N(1)), RIGHT, .row.a = {8, 8, 8, 9, 20, 15, 18, 14}, LINEAR),
    R(NONE, "along the other axis", SOMETIMES("OpDPdyFine"), V(U, N(5), U, N(5), N(2), N(1), N(2), N(1)), RIGHT, .row.a = {8, 8, 8, 9, 20, 15, 18, 14}, LINEAR),
    R(NONE, "of a width", SOMETIMES("OpFwidthFine"), V(U, U, U, 6, 4, 3, 3, 2), RIGHT, .row.a = {8, 8, 8, 9, 20, 15, 18, 14}, LINEAR),
    R(NONE, "a coarse one of whose rows the first has none", SOMETIMES("OpDPdxCoarse"), V(U, U, N(1), N(1), N(2), N(2), N(1), N(1)), RIGHT, .row.a = {8, 8, 8, 9, 20, 15, 18, 14}, LINEAR),
    R(NONE, "by any choice", SOMETIMES("OpDPdxCoarse"), SAME(U), RIGHT, .row.a = {8, 8, 8, 9, 20, 15, 18, 14}, LINEAR, .any_policy = true),
    R(NONE, "a fine one by any choice", DERIVE("OpDPdxFine"), BY_X, RIGHT, UP, LINEAR, .any_policy = true),
    R(NONE, "a fine width by any choice", DERIVE("OpFwidthFine"), WIDTHS, RIGHT, UP, LINEAR, .any_policy = true),
    R(NONE, "a plain one by any choice", DERIVE("OpDPdx"), SAME(U), RIGHT, UP, LINEAR, .any_policy = true),
    R(NONE, "a coarse one by any choice", DERIVE("OpDPdyCoarse"), SAME(U), RIGHT, UP, LINEAR, .any_policy = true),
    R(NONE, "of rows that are equal", DERIVE("OpDPdx"), V(2, 2, 2, 2, 8, 8, 8, 8), RIGHT, EQUAL_ROWS, LINEAR, .any_policy = true),
    R(NONE, "a coarse one of rows that are equal", DERIVE("OpDPdxCoarse"), V(2, 2, 2, 2, 8, 8, 8, 8), RIGHT, EQUAL_ROWS, LINEAR, .any_policy = true),
    R(NONE, "of columns that are equal", DERIVE("OpDPdyCoarse"), V(6, 6, 6, 6, 3, 3, 3, 3), RIGHT, EQUAL_ROWS, LINEAR, .any_policy = true),
    R(NONE, "a width of both", DERIVE("OpFwidth"), V(8, 8, 8, 8, 11, 11, 11, 11), RIGHT, EQUAL_ROWS, LINEAR, .any_policy = true),
    R(NONE, "a difference of more bits than may be lost", SIGNED("OpDPdxFine"), SAME(U), RIGHT, .row.a = {N(200), 200, N(200), 200, N(200), 200, N(200), 200}, LINEAR),
    R(NONE, "exactly", SIGNED("OpDPdxFine"), SAME(400), RIGHT, .row.a = {N(200), 200, N(200), 200, N(200), 200, N(200), 200}, LINEAR, .row.annotations = "OpDecorate %g NoContraction\n"),
    R(DERIVATIVE_BACKWARDS, "no derivative", SWAP("%u0"), V(2, 1, 4, 3, 6, 5, 8, 7), RIGHT),
    R(DERIVATIVE_AXES_MIXED, "a width of what goes down", DERIVE("OpFwidthFine"), V(30, 19, 19, 8, 65, 38, 38, 11), RIGHT, DOWN, LINEAR),
    R(DERIVATIVE_OF_INDICES, "of what goes down", DERIVE("OpDPdyFine"), V(20, N(2), 7, 1, 20, N(2), 7, 1), V(N(17), N(6), N(17), N(6), N(30), N(3), N(30), N(3)), DOWN, SQUARE),
    R(DERIVATIVE_OF_INDICES, "of a vector", "%f = OpConvertUToF %f32 %x\n%g = OpConvertUToF %f32 %y\n%fg = OpCompositeConstruct %vec2 %g %f\n%d = OpDPdyFine %vec2 %fg\n%e = OpCompositeExtract %f32 %d 1\n%i = OpConvertFToS %i32 %e\n%r = OpBitcast %u32 %i\n",
      V(1, 7, N(2), 20, 1, 7, N(2), 20), BY_Y, UP, .row.b = {9, 1, 2, 3, 9, 1, 2, 3}, SQUARE),
    R(DERIVATIVE_OF_INDICES, "a width of nothing", "%f = OpConvertUToF %f32 %x\n%g = OpFwidthFine %f32 %f\n%r = OpBitcast %u32 %g\n", SAME(U), SAME(0), .row.a = SAME(7), SQUARE),
    R(DERIVATIVE_OF_INDICES, "a width below one", "%f = OpConvertUToF %f32 %x\n%small = OpFMul %f32 %f %c64th\n%g = OpFwidthFine %f32 %small\n%large = OpFMul %f32 %g %c64\n%i = OpConvertFToS %i32 %large\n%r = OpBitcast %u32 %i\n",
      V(3, 9, 15, 33, 9, 15, 37, 55), WIDTHS, UP, SQUARE, .row.annotations = "OpDecorate %small NoContraction\nOpDecorate %g NoContraction\nOpDecorate %large NoContraction\n", .row.globals = "%c64th = OpConstant %f32 0.015625\n%c64 = OpConstant %f32 64\n"),
    // By the choice of the other row, which is no fault.
#define OTHER_ROW .policy = &other_row
    R(DERIVATIVE_WIDTH_SIGNED, "a coarse one along an axis", DERIVE("OpDPdxCoarse"), V(13, 13, 13, 13, 35, 35, 35, 35), RIGHT, UP, LINEAR, OTHER_ROW),
    R(DERIVATIVE_OF_INDICES, "a coarse one where they are", DERIVE("OpDPdxCoarse"), V(13, 13, 13, 13, 35, 35, 35, 35), RIGHT, UP, LINEAR, OTHER_ROW),
    R(DERIVATIVE_WIDTH_SIGNED, "no derivative", SWAP("%u0"), V(2, 1, 4, 3, 6, 5, 8, 7), RIGHT),
    R(DERIVATIVE_BACKWARDS, "a QuadBroadcast", OP("%o = OpGroupNonUniformQuadBroadcast %u32 %u3 %x %u1"), V(2, 2, 2, 2, 6, 6, 6, 6), RIGHT),
    R(DERIVATIVE_BACKWARDS, "in half a quad", LESS "OpStore %local %u0\n" ARMS("%f = OpConvertUToF %f32 %x\n%g = OpDPdyFine %f32 %f\n%i = OpConvertFToS %i32 %g\n%o = OpBitcast %u32 %i\n" KEEP("%o"), "") KEPT, V(0), V(N(6), 3, N(6), 0, 0, 0, 0, 0), UP, LINEAR,
      .row.refused = "E-derivative"),
};

// ---- whom a hypothesis counts -------------------------------------------------------------------------------

static lane_mask by_turns(void *user, const struct orc_event *e, uint32_t lane) { return (void)user, (void)e, lane % 2 ? 0xf0 : 0x0f; }
static lane_mask all_others(void *user, const struct orc_event *e, uint32_t lane) { return (void)user, e->live & ~lane_bit(lane); }
static lane_mask nobody(void *user, const struct orc_event *e, uint32_t lane) { return (void)user, (void)e, (void)lane, 0; }
static lane_mask lower_ones(void *user, const struct orc_event *e, uint32_t lane) { return (void)user, (void)lane, e->live & 0x0e; }
static lane_mask everybody(void *user, const struct orc_event *e, uint32_t lane) { return (void)user, (void)lane, e->live; }
static lane_mask but_for_zero(void *user, const struct orc_event *e, uint32_t lane) { return (void)user, lane ? e->live : 1; }
#define C(fault_, by, text, code_, right, ...) {.fault = ORC_FAULT_##fault_, .row.name = text, .row.code = code_, .row.a = ONE_TO_EIGHT, .row.r = right, .w = __VA_ARGS__, .counts = by}
static const struct fault_row counts[] = {
    C(COUNTED, by_turns, "half of them each", SUM("1", "%x") "%r = OpIAdd %u32 %s1 %u0\n", SAME(36), V(10, 26, 10, 26, 10, 26, 10, 26)),
    C(COUNTED, all_others, "all but each", SUM("1", "%x") "%r = OpIAdd %u32 %s1 %u0\n", SAME(36), V(35, 34, 33, 32, 31, 30, 29, 28)),
    C(COUNTED, nobody, "nobody", SUM("1", "%x") "%r = OpIAdd %u32 %s1 %u1\n", SAME(37), SAME(1)),
    C(COUNTED, everybody, "all, in an arm", IN_ARM(SUM("1", "%x") KEEP("%s1")), V(6, 6, 6, 0, 0, 0, 0, 0), V(36, 36, 36, 0, 0, 0, 0, 0)),
    C(COUNTED, lower_ones, "some of all, in an arm", IN_ARM(SUM("1", "%x") KEEP("%s1")), V(6, 6, 6, 0, 0, 0, 0, 0), V(9, 9, 9, 0, 0, 0, 0, 0)),
    C(COUNTED, lower_ones, "a scan", "%o = OpGroupNonUniformIAdd %u32 %u3 InclusiveScan %x\n%r = OpIAdd %u32 %o %u0\n", OUR_SUMS, V(2, 2, 5, 9, 2, 2, 2, 2)),
    C(COUNTED, by_turns, "a vector", PAIR("OpGroupNonUniformIAdd %uvec2 %u3 Reduce %w"), SAME(0x1680024), V(0x64000a, 0x104001a, 0x64000a, 0x104001a, 0x64000a, 0x104001a, 0x64000a, 0x104001a), TENS),
    C(COUNTED, everybody, "what lanes had that are not there", LOOP(SUM("1", "%k"), "") "%r = OpIAdd %u32 %s1 %u0\n", V(0, 0, 6, 6, 8, 8, 6, 6), V(0, 0, 6, 6, 10, 10, 12, 12)),
    C(COUNTED_SAME, everybody, "with the value of the first", IN_ARM(SUM("1", "%x") KEEP("%s1")), V(6, 6, 6, 0, 0, 0, 0, 0), V(11, 11, 11, 0, 0, 0, 0, 0)),
    C(COUNTED_SAME, lower_ones, "not where one of them does not count", IN_ARM(SUM("1", "%x") KEEP("%s1")), V(6, 6, 6, 0, 0, 0, 0, 0), V(9, 9, 9, 0, 0, 0, 0, 0)),
    C(COUNTED_SAME, but_for_zero, "not where each counts others", IN_ARM(SUM("1", "%x") KEEP("%s1")), V(6, 6, 6, 0, 0, 0, 0, 0), V(1, 36, 36, 0, 0, 0, 0, 0)),
    C(COUNTED_SAME, everybody, "the others have their own again", LESS ARMS(SUM("1", "%x"), "") "%r = OpPhi %u32 %s1 %t %x %e\n", V(6, 6, 6, 4, 5, 6, 7, 8), V(11, 11, 11, 4, 5, 6, 7, 8)),
    C(COUNTED_SAME, everybody, "and what they had of the result", LOOP(SUM("1", "%k"), "") "%r = OpIAdd %u32 %s1 %u0\n", V(0, 0, 6, 6, 8, 8, 6, 6), V(0, 0, 8, 8, 16, 16, 24, 24)),
    C(COUNTED_SAME, everybody, "a vector", LESS "OpStore %local %u0\n" ARMS("%w = OpCompositeConstruct %uvec2 %x %y\n%o = OpGroupNonUniformIAdd %uvec2 %u3 Reduce %w\n%o0 = OpCompositeExtract %u32 %o 0\n%o1 = OpCompositeExtract %u32 %o 1\n%o2 = OpShiftLeftLogical %u32 %o1 %u8c\n"
      "%o3 = OpBitwiseOr %u32 %o0 %o2\n" KEEP("%o3"), "") KEPT, V(0x3c06, 0x3c06, 0x3c06, 0, 0, 0, 0, 0), V(0x6e0b, 0x6e0b, 0x6e0b, 0, 0, 0, 0, 0), TENS),
    C(COUNTED_SAME, everybody, "a vector of which the others have their own again", "%w = OpCompositeConstruct %uvec2 %x %y\n" LESS ARMS("%o = OpGroupNonUniformIAdd %uvec2 %u3 Reduce %w\n%o1 = OpCompositeExtract %u32 %o 1\n", "")
      "%p = OpPhi %u32 %o1 %t %x %e\n%w1 = OpCompositeExtract %u32 %w 1\n%r = OpIAdd %u32 %p %w1\n", V(70, 80, 90, 44, 55, 66, 77, 88), V(120, 130, 140, 44, 55, 66, 77, 88), TENS),
    C(COUNTED_SAME, everybody, "and what they had of it", LOOP("%w = OpCompositeConstruct %uvec2 %u1 %k\n%o = OpGroupNonUniformIAdd %uvec2 %u3 Reduce %w\n", "") "%r = OpCompositeExtract %u32 %o 1\n", V(0, 0, 6, 6, 8, 8, 6, 6), V(0, 0, 8, 8, 16, 16, 24, 24)),
#define SOME_EIGHTHS .row.b = {1, 2, 4}
    C(COUNTED_SAME, everybody, "what the others have not", "%q = OpUDiv %u32 %u8c %y\n" LESS ARMS(SUM("1", "%q"), "") "%p = OpPhi %u32 %s1 %t %q %e\n%r = OpIAdd %u32 %p %u0\n", V(14, 14, 14, U, U, U, U, U), V(54, 54, 54, U, U, U, U, U), SOME_EIGHTHS),
    C(COUNTED_SAME, everybody, "nor as the second of a vector", "%q = OpUDiv %u32 %u8c %y\n%w = OpCompositeConstruct %uvec2 %x %q\n" LESS ARMS("%o = OpGroupNonUniformIAdd %uvec2 %u3 Reduce %w\n%o1 = OpCompositeExtract %u32 %o 1\n", "")
      "%p = OpPhi %u32 %o1 %t %x %e\n%w1 = OpCompositeExtract %u32 %w 1\n%r = OpIAdd %u32 %p %w1\n", V(22, 18, 16, U, U, U, U, U), V(62, 58, 56, U, U, U, U, U), SOME_EIGHTHS),
    C(COUNTED_SAME, everybody, "and nothing beside it", LESS ARMS(SUM("1", "%x"), "") BOTH("%s1", "%y"), V(6, 6, 6, 40, 50, 60, 70, 80), V(11, 11, 11, 40, 50, 60, 70, 80), TENS),
    C(COUNTED_SAME, everybody, "a ballot, and nothing beside it", "%five = OpULessThan %bool %lane %u5\n%n = OpIAdd %u32 %x %u1\n" LESS ARMS("%v1 = OpGroupNonUniformBallot %uvec4 %u3 %five\n%b1 = OpCompositeExtract %u32 %v1 0\n", "") BOTH("%b1", "%n"),
      V(7, 7, 7, 5, 6, 7, 8, 9), V(0xff, 0xff, 0xff, 5, 6, 7, 8, 9)),
    C(COUNTED_SAME, everybody, "what has no meaning", LESS ARMS("%o = OpGroupNonUniformBroadcast %u32 %u3 %x %lane\n", "") BOTH("%o", "%x"), V(0), V(0), .row.refused = "E-uniform", .fails = "E-uniform"),
    C(COUNTED, everybody, "what has no meaning", LESS ARMS("%o = OpGroupNonUniformBroadcast %u32 %u3 %x %lane\n", "") BOTH("%o", "%x"), V(0), V(0), .row.refused = "E-uniform", .fails = "E-uniform"),
    R(TAKEN_FOR_WHOLE, "what others had not of the result", LOOP("%bl = OpCompositeConstruct %uvec4 %k %u0 %u0 %u0\n%o = OpGroupNonUniformBallotFindLSB %u32 %u3 %bl\n", "") "%r = OpIAdd %u32 %o %u5\n", V(U, U, 5, 5, 6, 6, 5, 5), RIGHT),
    R(COUNTED, "the other one", SUM("1", "%x") SUM("2", "%x") "%s = OpShiftLeftLogical %u32 %s1 %u8c\n%r = OpIAdd %u32 %s %s2\n", SAME(0x2424), V(0x0a24, 0x1a24, 0x0a24, 0x1a24, 0x0a24, 0x1a24, 0x0a24, 0x1a24),
     .at_op = SpvOpGroupNonUniformIAdd, .at_nth = 1, .counts = by_turns),
    R(TAKEN_FOR_WHOLE, "all are there", SUM("1", "%x") "%r = OpIAdd %u32 %s1 %u0\n", SAME(36), RIGHT),
    R(TAKEN_FOR_WHOLE, "in an arm", IN_ARM(SUM("1", "%x") KEEP("%s1")), V(6, 6, 6, 0, 0, 0, 0, 0), V(11, 11, 11, 0, 0, 0, 0, 0)),
    R(TAKEN_FOR_WHOLE, "of who is not there, by an id that must be uniform", LAST_FIVE("%o = OpGroupNonUniformBroadcast %u32 %u3 %x %u0\n"), V(0, 0, 0, U, U, U, U, U), RIGHT),
    R(TAKEN_FOR_WHOLE, "of what others have not", IN_ARM("%xx = OpIAdd %u32 %x %u1\n" SUM("1", "%xx") KEEP("%s1")), V(9, 9, 9, 0, 0, 0, 0, 0), V(19, 19, 19, 0, 0, 0, 0, 0)),
    R(TAKEN_FOR_WHOLE, "a constant is one afterwards", LESS ARMS(SUM("1", "%u5"), SUM("2", "%u5")) BOTH("%s1", "%s2"), V(15, 15, 15, 25, 25, 25, 25, 25), SAME(40)),
    R(TAKEN_FOR_WHOLE, "a vector", LESS "OpStore %local %u0\n" ARMS("%w = OpCompositeConstruct %uvec2 %x %y\n%o = OpGroupNonUniformIAdd %uvec2 %u3 Reduce %w\n%hi = OpCompositeExtract %u32 %o 1\n" KEEP("%hi"), "") KEPT, V(60, 60, 60, 0, 0, 0, 0, 0), V(110, 110, 110, 0, 0, 0, 0, 0), TENS),
    R(TAKEN_FOR_WHOLE, "what others had of the result", LOOP(SUM("1", "%k"), "") "%r = OpIAdd %u32 %s1 %u0\n", V(0, 0, 6, 6, 8, 8, 6, 6), V(0, 0, 8, 8, 16, 16, 24, 24)),
    R(TAKEN_FOR_WHOLE, "what has no value any more", LOOP("%k3 = OpISub %u32 %u3 %k\n%bl = OpCompositeConstruct %uvec4 %k3 %u0 %u0 %u0\n%o = OpGroupNonUniformBallotFindLSB %u32 %u3 %bl\n", "") "%r = OpIAdd %u32 %o %u5\n", V(5, 5, 6, 6, 5, 5, U, U), RIGHT),
    R(TAKEN_FOR_WHOLE, "of those above", LAST_FIVE("%o = OpGroupNonUniformIAdd %u32 %u3 Reduce %x\n"), V(0, 0, 0, 30, 30, 30, 30, 30), V(0, 0, 0, 42, 42, 42, 42, 42)),
    R(TAKEN_FOR_WHOLE, "a ballot", IN_ARM(BALLOT("1") KEEP("%b1")), V(7, 7, 7, 0, 0, 0, 0, 0), V(0xff, 0xff, 0xff, 0, 0, 0, 0, 0)),
    R(TAKEN_FOR_WHOLE, "Elect", LAST_FIVE(ELECT), V(0, 0, 0, 1, 2, 2, 2, 2), V(0, 0, 0, 2, 2, 2, 2, 2)),
    R(TAKEN_FOR_WHOLE, "an id that must be uniform", LAST_FIVE("%o = OpGroupNonUniformBroadcast %u32 %u3 %x %u5\n"), V(0, 0, 0, 6, 6, 6, 6, 6), RIGHT),
    R(TAKEN_FOR_WHOLE, "half a subgroup", SUM("1", "%x") "%r = OpIAdd %u32 %s1 %u0\n", SAME(36), SAME(44), .subgroup = 16),
    R(TAKEN_FOR_WHOLE, "this one", IN_ARM(SUM("1", "%x") SUM("2", "%x") "%s = OpShiftLeftLogical %u32 %s1 %u8c\n%o = OpIAdd %u32 %s %s2\n" KEEP("%o")), V(0x606, 0x606, 0x606, 0, 0, 0, 0, 0), V(0x60b, 0x60b, 0x60b, 0, 0, 0, 0, 0),
     .at_op = SpvOpGroupNonUniformIAdd, .at_nth = 2),
};

// ---- whose value and whose way ------------------------------------------------------------------------------

#define AT(fault_, op, nth, text, code_, right, ...) {.fault = ORC_FAULT_##fault_, .row.name = text, .row.code = code_, .row.a = ONE_TO_EIGHT, .row.r = right, .w = __VA_ARGS__, .at_op = SpvOp##op, .at_nth = nth}
#define TAKEN LESS ARMS("", "") BOTH("%u1", "%u2")
// Of the last iteration all, whoever has left: 0xc0 and what is made of it.
#define MADE(made, result) LOOP(BALLOT("1") made, "") "%r = OpIAdd %u32 " result " %u0\n"
static const struct fault_row values[] = {
    R(FIRST_LANES_WAY, "a branch", TAKEN, V(1, 1, 1, 2, 2, 2, 2, 2), SAME(1)),
    R(FIRST_LANES_WAY, "the first takes the other", "%c = OpUGreaterThan %bool %lane %u3\n" ARMS("", "") BOTH("%u1", "%u2"), V(2, 2, 2, 2, 1, 1, 1, 1), SAME(2)),
    R(FIRST_LANES_WAY, "a switch", CASES(KEEP("%u0"), KEEP("%u1"), KEEP("%u2"), KEEP("%u3")), V(0, 1, 2, 3, 0, 1, 2, 3), SAME(0), .row.b = {1}),
    AT(FIRST_LANES_WAY, Label, 2, "here", TAKEN, V(1, 1, 1, 2, 2, 2, 2, 2), SAME(1)),
    AT(FIRST_LANES_WAY, Label, 1, "elsewhere", TAKEN, V(1, 1, 1, 2, 2, 2, 2, 2), RIGHT),
    AT(FIRST_LANES_VALUE, IMul, 1, "a product", "%p = OpIMul %u32 %x %u3\n%r = OpIAdd %u32 %p %lane\n", V(3, 7, 11, 15, 19, 23, 27, 31), V(3, 4, 5, 6, 7, 8, 9, 10)),
    AT(FIRST_LANES_VALUE, IMul, 2, "the second", "%p = OpIMul %u32 %x %u3\n%q = OpIMul %u32 %x %u2\n%r = OpIAdd %u32 %p %q\n", V(5, 10, 15, 20, 25, 30, 35, 40), V(5, 8, 11, 14, 17, 20, 23, 26)),
    AT(FIRST_LANES_VALUE, IMul, 1, "in an arm", LAST_FIVE("%o = OpIMul %u32 %x %u3\n"), V(0, 0, 0, 12, 15, 18, 21, 24), V(0, 0, 0, 12, 12, 12, 12, 12)),
    AT(FIRST_LANES_VALUE, CompositeConstruct, 1, "a vector", "%w = OpCompositeConstruct %uvec2 %x %y\n%hi = OpCompositeExtract %u32 %w 1\n%lo = OpCompositeExtract %u32 %w 0\n%r = OpIAdd %u32 %hi %lo\n", V(11, 22, 33, 44, 55, 66, 77, 88), SAME(11), TENS),
    AT(FIRST_LANES_VALUE, UDiv, 1, "the first has none", "%p = OpUDiv %u32 %x %lane\n%r = OpIAdd %u32 %p %u0\n", V(U, 2, 1, 1, 1, 1, 1, 1), SAME(U)),
    AT(FIRST_LANES_VALUE, UDiv, 1, "the first alone has one", "%l1 = OpISub %u32 %u1 %lane\n%z = OpShiftRightLogical %u32 %l1 %lane\n%c = OpULessThan %bool %lane %u1\n%one = OpSelect %u32 %c %u1 %u0\n%p = OpUDiv %u32 %x %one\n%r = OpIAdd %u32 %p %u0\n", V(1, U, U, U, U, U, U, U), SAME(1)),
    AT(FIRST_LANES_VALUE, Phi, 1, "a phi", LESS ARMS("", "") "%p = OpPhi %u32 %x %t %y %e\n%r = OpIAdd %u32 %p %u0\n", V(1, 2, 3, 40, 50, 60, 70, 80), SAME(1), TENS),
    AT(FIRST_LANES_VALUE, Phi, 2, "the second phi", LESS ARMS("", "") "%p = OpPhi %u32 %x %t %y %e\n%q = OpPhi %u32 %y %t %x %e\n%r = OpIAdd %u32 %p %q\n", V(11, 22, 33, 44, 55, 66, 77, 88), V(11, 12, 13, 50, 60, 70, 80, 90), TENS),
    AT(FIRST_LANES_VALUE, Phi, 1, "a phi of a loop", LOOP("", "") "%r = OpIAdd %u32 %k %x\n", V(1, 2, 4, 5, 7, 8, 10, 11), RIGHT),
    AT(FIRST_LANES_VALUE, Phi, 1, "a phi, where they come again", LESS ARMS("", "") "%p = OpPhi %u32 %x %t %y %e\nOpSelectionMerge %jj None\nOpBranchConditional %c %tt %jj\n%tt = OpLabel\nOpBranch %jj\n%jj = OpLabel\n%r = OpIAdd %u32 %p %lane\n",
       V(1, 3, 5, 43, 54, 65, 76, 87), V(1, 2, 3, 4, 5, 6, 7, 8), TENS),
    AT(FIRST_LANES_VALUE, GroupNonUniformShuffleXor, 1, "a group operation", "%o = OpGroupNonUniformShuffleXor %u32 %u3 %x %u1\n%r = OpIAdd %u32 %o %u0\n", V(2, 1, 4, 3, 6, 5, 8, 7), SAME(2)),
    AT(FIRST_LANES_VALUE, GroupNonUniformIAdd, 1, "a vector", PAIR("OpGroupNonUniformIAdd %uvec2 %u3 InclusiveScan %w"), V(0xa0001, 0x1e0003, 0x3c0006, 0x64000a, 0x96000f, 0xd20015, 0x118001c, 0x1680024), SAME(0xa0001), TENS),
    AT(ZERO_AFTER_LOOP, IMul, 1, "what a loop has left", LOOP("%w = OpIMul %u32 %x %u3\n", "") "%r = OpIAdd %u32 %w %u1\n", V(4, 7, 10, 13, 16, 19, 22, 25), SAME(1)),
    AT(ZERO_AFTER_LOOP, CompositeConstruct, 1, "a vector", LOOP("%w = OpCompositeConstruct %uvec2 %y %x\n", "") "%w0 = OpCompositeExtract %u32 %w 0\n%w1 = OpCompositeExtract %u32 %w 1\n%w2 = OpIAdd %u32 %w0 %w1\n%r = OpIAdd %u32 %w2 %u1\n", V(12, 23, 34, 45, 56, 67, 78, 89), SAME(1), TENS),
    AT(ZERO_AFTER_LOOP, UDiv, 1, "and it has one", LOOP("%w = OpUDiv %u32 %x %u0\n", "") "%r = OpIAdd %u32 %w %u1\n", SAME(U), SAME(1)),
    AT(ZERO_AFTER_LOOP, IMul, 1, "after a selection", "%w = OpIMul %u32 %x %u3\n" LESS ARMS("", "") "%r = OpIAdd %u32 %w %u1\n", V(4, 7, 10, 13, 16, 19, 22, 25), RIGHT),
    AT(ZERO_AFTER_LOOP, IMul, 1, "in the loop", LOOP("%w = OpIMul %u32 %x %u3\nOpStore %local %w\n", "") KEPT, V(3, 6, 9, 12, 15, 18, 21, 24), RIGHT),
    AT(FIRST_LANES_AFTER_LOOP, IMul, 1, "what a loop has left", LOOP("%w = OpIMul %u32 %x %u3\n", "") "%r = OpIAdd %u32 %w %u1\n", V(4, 7, 10, 13, 16, 19, 22, 25), SAME(4)),
    AT(FIRST_LANES_AFTER_LOOP, CompositeConstruct, 1, "a vector", LOOP("%w = OpCompositeConstruct %uvec2 %y %x\n", "") "%w0 = OpCompositeExtract %u32 %w 0\n%w1 = OpCompositeExtract %u32 %w 1\n%w2 = OpIAdd %u32 %w0 %w1\n%r = OpIAdd %u32 %w2 %u1\n", V(12, 23, 34, 45, 56, 67, 78, 89), SAME(12), TENS),
    AT(FIRST_LANES_AFTER_LOOP, IMul, 1, "after a selection", "%w = OpIMul %u32 %x %u3\n" LESS ARMS("", "") "%r = OpIAdd %u32 %w %u1\n", V(4, 7, 10, 13, 16, 19, 22, 25), RIGHT),
    R(FIRST_LANES_AFTER_LOOP, "nothing in particular", LOOP("%w = OpIMul %u32 %x %u3\n", "") "%r = OpIAdd %u32 %w %u1\n", V(4, 7, 10, 13, 16, 19, 22, 25), RIGHT),
    AT(FIRST_LANES_AFTER_LOOP, Label, 2, "no value", LOOP("%w = OpIMul %u32 %x %u3\n", "") "%r = OpIAdd %u32 %w %u1\n", V(4, 7, 10, 13, 16, 19, 22, 25), RIGHT),
    // Those who have left the loop.
    R(LEFT_LANES_GO_ON, "a ballot", MADE("", "%b1"), LATER_HALVES, SAME(0xc0)),
    R(LEFT_LANES_GO_ON, "integers", MADE("%w = OpIAdd %u32 %b1 %u1\n", "%w"), V(0x100, 0x100, 0xfd, 0xfd, 0xf1, 0xf1, 0xc1, 0xc1), SAME(0xc1)),
    R(LEFT_LANES_GO_ON, "floats", MADE("%high = OpShiftRightLogical %u32 %b1 %u4\n%f = OpConvertUToF %f32 %high\n%g = OpFAdd %f32 %f %f1\n%w = OpConvertFToU %u32 %g\n", "%w"), V(16, 16, 16, 16, 16, 16, 13, 13), SAME(13)),
    R(LEFT_LANES_GO_ON, "extended instructions", MADE("%w = OpExtInst %u32 %glsl UMin %b1 %u264\n", "%w"), LATER_HALVES, SAME(0xc0)),
    R(LEFT_LANES_GO_ON, "of floats", MADE("%f = OpConvertUToF %f32 %b1\n%g = OpExtInst %f32 %glsl FMax %f %f1\n%w = OpConvertFToU %u32 %g\n", "%w"), LATER_HALVES, SAME(0xc0)),
    R(LEFT_LANES_GO_ON, "vectors", MADE("%cc = OpCompositeConstruct %uvec2 %b1 %k\n%w = OpCompositeExtract %u32 %cc 0\n", "%w"), LATER_HALVES, SAME(0xc0)),
    R(LEFT_LANES_GO_ON, "casts between shapes", MADE("%cc = OpCompositeConstruct %uvec2 %b1 %b1\n%long = OpBitcast %u64 %cc\n%w = OpUConvert %u32 %long\n", "%w"), LATER_HALVES, SAME(0xc0)),
    R(LEFT_LANES_GO_ON, "loads and where from", "%i1 = OpIAdd %u32 %lane %u1\n%p3 = OpAccessChain %priv_word %array %u3\n%p7 = OpAccessChain %priv_word %array %u0\nOpStore %p3 %i1\nOpStore %p7 %u5\n" MADE("%b6 = OpShiftRightLogical %u32 %b1 %u6\n%b7 = OpBitwiseAnd %u32 %b6 %u3\n%p = OpAccessChain %priv_word %array %b7\n%w = OpLoad %u32 %p\n", "%w"),
      ONE_TO_EIGHT, RIGHT, .row.globals = "%u6 = OpConstant %u32 6\n%eight = OpTypeArray %u32 %u8c\n%priv = OpTypePointer Private %eight\n%priv_word = OpTypePointer Private %u32\n%array = OpVariable %priv Private\n", .row.interface = " %array"),
    R(LEFT_LANES_GO_ON, "what is not the same for all", LOOP("%o = OpGroupNonUniformIAdd %u32 %u3 InclusiveScan %k\n", "") "%r = OpIAdd %u32 %o %u0\n", V(0, 0, 1, 2, 2, 4, 3, 6), RIGHT),
    R(LEFT_LANES_GO_ON, "of the loop around", HALF "OpBranch %h0\n%h0 = OpLabel\n%n = OpPhi %u32 %u0 %then %n1 %q0\nOpLoopMerge %m0 %q0 None\nOpBranch %b0\n%b0 = OpLabel\nOpBranch %h\n%h = OpLabel\n%k = OpPhi %u32 %u0 %b0 %k1 %q\n"
      "OpLoopMerge %m %q None\nOpBranch %b\n%b = OpLabel\n" BALLOT("1") "%w = OpIAdd %u32 %b1 %u1\n%done = OpUGreaterThanEqual %bool %k %u1\nOpBranchConditional %done %m %q\n%q = OpLabel\n%k1 = OpIAdd %u32 %k %u1\nOpBranch %h\n%m = OpLabel\n"
      "%leaves = OpIEqual %bool %n %half\nOpBranchConditional %leaves %m0 %next\n%next = OpLabel\nOpBranch %q0\n%q0 = OpLabel\n%n1 = OpIAdd %u32 %n %u1\nOpBranch %h0\n%m0 = OpLabel\n%r = OpIAdd %u32 %w %u0\n",
      V(0x100, 0x100, 0xfd, 0xfd, 0xf1, 0xf1, 0xc1, 0xc1), SAME(0xc1)),
    R(LEFT_LANES_GO_ON, "two words of a ballot", LOOP(BALLOT("1") "%b2 = OpCompositeExtract %u32 %v1 1\n%w = OpIAdd %u32 %b2 %b1\n", "") "%r = OpIAdd %u32 %w %u0\n", LATER_HALVES, SAME(0xc0)),
    R(LEFT_LANES_GO_ON, "what has no value", LOOP("%o = OpGroupNonUniformBallotFindLSB %u32 %u3 %null4\n", "") "%r = OpIAdd %u32 %o %u0\n", SAME(U), RIGHT, .row.globals = "%null4 = OpConstantNull %uvec4\n"),
    R(LEFT_LANES_GO_ON, "outside of loops", IN_ARM(BALLOT("1") KEEP("%b1")), V(7, 7, 7, 0, 0, 0, 0, 0), RIGHT),
    R(LEFT_LANES_GO_ON, "a word of another place", "OpStore %local2 %u5\n" LOOP(BALLOT("1") "%b6 = OpShiftRightLogical %u32 %b1 %u5\n%p = OpAccessChain %word_ptr %in %u0 %b6\n%w = OpLoad %u32 %p\n", "") "%r = OpIAdd %u32 %w %u0\n",
      V(8, 8, 8, 8, 8, 8, 7, 7), SAME(7)),
    R(LEFT_LANES_LOAD_ZERO, "a word of another place", "OpStore %local2 %u5\n" LOOP(BALLOT("1") "%b6 = OpShiftRightLogical %u32 %b1 %u5\n%p = OpAccessChain %word_ptr %in %u0 %b6\n%w = OpLoad %u32 %p\n", "") "%r = OpIAdd %u32 %w %u0\n",
      V(8, 8, 8, 8, 8, 8, 7, 7), V(0, 0, 0, 0, 0, 0, 7, 7)),
    R(LEFT_LANES_LOAD_ZERO, "and what is made of it", LOOP(BALLOT("1") "%b6 = OpShiftRightLogical %u32 %b1 %u5\n%p = OpAccessChain %word_ptr %in %u0 %b6\n%w = OpLoad %u32 %p\n%w1 = OpIAdd %u32 %w %u1\n", "") "%r = OpIAdd %u32 %w1 %u0\n",
      V(9, 9, 9, 9, 9, 9, 8, 8), V(1, 1, 1, 1, 1, 1, 8, 8)),
    R(LEFT_LANES_LOAD_ZERO, "a vector that nobody wrote", LOOP("%w = OpLoad %uvec2 %nowhere\n", "") "%w0 = OpCompositeExtract %u32 %w 0\n%w1 = OpCompositeExtract %u32 %w 1\n%w2 = OpBitwiseOr %u32 %w0 %w1\n%r = OpIAdd %u32 %w2 %u1\n",
      SAME(U), V(1, 1, 1, 1, 1, 1, U, U), .row.globals = "%pv = OpTypePointer Private %uvec2\n%nowhere = OpVariable %pv Private\n", .row.interface = " %nowhere"),
    AT(ZERO_AFTER_LOOP, Phi, 1, "a phi", LESS ARMS("", "") "%p = OpPhi %u32 %x %t %y %e\n%r = OpIAdd %u32 %p %u0\n", V(1, 2, 3, 40, 50, 60, 70, 80), RIGHT, TENS),
    R(LEFT_LANES_GO_ON, "nor who left a loop in a loop, once both are over", "OpBranch %h0\n%h0 = OpLabel\nOpLoopMerge %m0 %q0 None\nOpBranch %b0\n%b0 = OpLabel\nOpBranch %h\n%h = OpLabel\nOpLoopMerge %m %q None\nOpBranch %b\n%b = OpLabel\nOpBranchConditional %true %m %q\n"
      "%q = OpLabel\nOpBranch %h\n%m = OpLabel\nOpBranchConditional %true %m0 %q0\n%q0 = OpLabel\nOpBranch %h0\n%m0 = OpLabel\n%d = OpUGreaterThan %bool %lane %u2\nOpStore %local %u0\nOpSelectionMerge %j None\nOpBranchConditional %d %t %j\n%t = OpLabel\n"
      "%i3 = OpISub %u32 %lane %u3\n%p = OpAccessChain %word_ptr %in %u0 %i3\n%o = OpLoad %u32 %p\n" KEEP("%o") "OpBranch %j\n%j = OpLabel\n" KEPT, V(0, 0, 0, 1, 2, 3, 4, 5), RIGHT),
    R(LEFT_LANES_GO_ON, "nor who returned from a loop that is over", CALL "%r = OpLoad %u32 %kept\n", V(U, U, U, 1, 2, 3, 4, 5), RIGHT, .row.globals = "%priv = OpTypePointer Private %u32\n%kept = OpVariable %priv Private\n", .row.interface = " %kept",
      .row.functions = F_START "%fc = OpULessThan %bool %fl %u3\nOpBranch %fh\n%fh = OpLabel\nOpLoopMerge %fm %fq None\nOpBranch %fb\n%fb = OpLabel\nOpSelectionMerge %fj None\nOpBranchConditional %fc %ft %fj\n%ft = OpLabel\nOpReturn\n%fj = OpLabel\n"
      "OpBranchConditional %true %fm %fq\n%fq = OpLabel\nOpBranch %fh\n%fm = OpLabel\n%i3 = OpISub %u32 %fl %u3\n%fp = OpAccessChain %word_ptr %in %u0 %i3\n%fo = OpLoad %u32 %fp\nOpStore %kept %fo\n" F_END),
    R(LEFT_LANES_GO_ON, "what is stored", LOOP(BALLOT("1") KEEP("%b1"), "") KEPT, LATER_HALVES, RIGHT),
    R(LEFT_LANES_GO_ON, "the second of a vector, which they had not before", LOOP("%qq = OpUDiv %u32 %u8c %k\n%w = OpCompositeConstruct %uvec2 %u1 %qq\n%none = OpUDiv %u32 %x %u0\n%o = OpGroupNonUniformIAdd %uvec2 %u3 Reduce %w\n", "") "%r = OpCompositeExtract %u32 %o 1\n",
      V(U, U, 48, 48, 16, 16, 4, 4), SAME(4)),
    R(LEFT_LANES_LOAD_ZERO, "a vector", "%xy = OpCompositeConstruct %uvec2 %x %y\nOpStore %pair %xy\n" LOOP("%w = OpLoad %uvec2 %pair\n", "") "%w0 = OpCompositeExtract %u32 %w 0\n%w1 = OpCompositeExtract %u32 %w 1\n%r = OpIAdd %u32 %w0 %w1\n",
      V(11, 22, 33, 44, 55, 66, 77, 88), V(0, 0, 0, 0, 0, 0, 77, 88), TENS, .row.globals = "%pv = OpTypePointer Private %uvec2\n%pair = OpVariable %pv Private\n", .row.interface = " %pair"),
    R(LEFT_LANES_LOAD_ZERO, "a ballot", MADE("", "%b1"), LATER_HALVES, RIGHT),
    R(LEFT_LANES_LOAD_ZERO, "a sum", LOOP("%w = OpIMul %u32 %x %k\n", "") "%r = OpIAdd %u32 %w %u0\n", V(0, 0, 3, 4, 10, 12, 21, 24), RIGHT),
    AT(LEFT_LANES_LOAD_ZERO, Load, 4, "this one", "%pl = OpAccessChain %word_ptr %in %u0 %u3\n" LOOP("%w = OpLoad %u32 %pl\n%w0 = OpLoad %u32 %px\n%w1 = OpLoad %u32 %pl\n%w2 = OpIAdd %u32 %w %w1\n", "") "%r = OpIAdd %u32 %w %w2\n", SAME(12), V(8, 8, 8, 8, 8, 8, 12, 12)),
    // A choice by lane: lanes 0 to 2 choose the result.
    AT(CHOSEN_ONLY, GroupNonUniformIAdd, 1, "Select", LESS SUM("1", "%x") "%r = OpSelect %u32 %c %s1 %x\n", V(36, 36, 36, 4, 5, 6, 7, 8), V(6, 6, 6, 4, 5, 6, 7, 8)),
    AT(CHOSEN_ONLY, GroupNonUniformIAdd, 1, "the other one of a Select", LESS SUM("1", "%x") "%r = OpSelect %u32 %c %x %s1\n", V(1, 2, 3, 36, 36, 36, 36, 36), V(1, 2, 3, 30, 30, 30, 30, 30)),
    AT(CHOSEN_ONLY, GroupNonUniformIAdd, 1, "what was made of it", LESS SUM("1", "%x") "%d = OpIMul %u32 %s1 %u2\n%r = OpSelect %u32 %c %d %x\n", V(72, 72, 72, 4, 5, 6, 7, 8), V(12, 12, 12, 4, 5, 6, 7, 8)),
    AT(CHOSEN_ONLY, GroupNonUniformIAdd, 1, "both of a Select", LESS SUM("1", "%x") "%r = OpSelect %u32 %c %s1 %s1\n", SAME(36), V(6, 6, 6, 36, 36, 36, 36, 36)),
    AT(CHOSEN_ONLY, GroupNonUniformIAdd, 1, "neither of a Select", LESS SUM("1", "%x") "%s2 = OpSelect %u32 %c %x %y\n%r = OpIAdd %u32 %s2 %s1\n", V(37, 38, 39, 76, 86, 96, 106, 116), RIGHT, TENS),
    AT(CHOSEN_ONLY, GroupNonUniformIAdd, 1, "the condition of a Select", LESS SUM("1", "%x") "%d = OpUGreaterThan %bool %s1 %u16c\n%r = OpSelect %u32 %d %x %y\n", ONE_TO_EIGHT, RIGHT, TENS),
    AT(CHOSEN_ONLY, GroupNonUniformIAdd, 1, "LogicalAnd", LESS SUM("1", "%x") "%d = OpUGreaterThan %bool %s1 %u16c\n%a = OpLogicalAnd %bool %c %d\n" BOOL("%a"), V(1, 1, 1, 2, 2, 2, 2, 2), SAME(2)),
    AT(CHOSEN_ONLY, GroupNonUniformIAdd, 1, "LogicalOr", LESS SUM("1", "%x") "%d = OpUGreaterThan %bool %s1 %n32\n%a = OpLogicalOr %bool %c %d\n" BOOL("%a"), SAME(1), V(1, 1, 1, 2, 2, 2, 2, 2), .row.globals = "%n32 = OpConstant %u32 32\n"),
#define ABOVE_38(of) "%t9 = OpIAdd %u32 " of " %lane\n%d = OpUGreaterThan %bool %t9 %c38\n"
#define C38 .row.globals = "%c38 = OpConstant %u32 38\n"
    AT(CHOSEN_ONLY, GroupNonUniformIAdd, 1, "by itself", SUM("1", "%x") ABOVE_38("%s1") "%r = OpSelect %u32 %d %s1 %x\n", V(1, 2, 3, 36, 36, 36, 36, 36), RIGHT, C38),
#define PLUS0(to, from) "%st" to " = OpIAdd %u32 " from " %u0\n"
#define EIGHT_STEPS PLUS0("1", "%s1") PLUS0("2", "%st1") PLUS0("3", "%st2") PLUS0("4", "%st3") PLUS0("5", "%st4") PLUS0("6", "%st5") PLUS0("7", "%st6") PLUS0("8", "%st7")
    AT(CHOSEN_ONLY, GroupNonUniformIAdd, 1, "what was made of it in nine steps", LESS SUM("1", "%x") EIGHT_STEPS PLUS0("9", "%st8") "%r = OpSelect %u32 %c %st9 %x\n", V(36, 36, 36, 4, 5, 6, 7, 8), V(6, 6, 6, 4, 5, 6, 7, 8)),
    AT(CHOSEN_ONLY, GroupNonUniformIAdd, 1, "by what was made of itself in nine", SUM("1", "%x") EIGHT_STEPS ABOVE_38("%st7") "%r = OpSelect %u32 %d %s1 %x\n", V(1, 2, 3, 36, 36, 36, 36, 36), RIGHT, C38),
    AT(CHOSEN_ONLY, GroupNonUniformIAdd, 1, "the other one, in nine", LESS SUM("1", "%x") EIGHT_STEPS PLUS0("9", "%st8") "%r = OpSelect %u32 %c %x %st9\n", V(1, 2, 3, 36, 36, 36, 36, 36), V(1, 2, 3, 30, 30, 30, 30, 30)),
    AT(CHOSEN_ONLY, GroupNonUniformIAdd, 1, "in ten, which nobody follows", LESS SUM("1", "%x") EIGHT_STEPS PLUS0("9", "%st8") PLUS0("10", "%st9") "%r = OpSelect %u32 %c %st10 %x\n", V(36, 36, 36, 4, 5, 6, 7, 8), RIGHT),
    AT(CHOSEN_ONLY, GroupNonUniformIAdd, 1, "the first of LogicalAnd", LESS SUM("1", "%x") "%d = OpUGreaterThan %bool %s1 %u16c\n%a = OpLogicalAnd %bool %d %c\n" BOOL("%a"), V(1, 1, 1, 2, 2, 2, 2, 2), RIGHT),
    AT(CHOSEN_ONLY, GroupNonUniformIAdd, 1, "the first of LogicalOr", LESS SUM("1", "%x") "%d = OpULessThan %bool %s1 %u16c\n%a = OpLogicalOr %bool %d %c\n" BOOL("%a"), V(1, 1, 1, 2, 2, 2, 2, 2), RIGHT),
    AT(CHOSEN_ONLY, GroupNonUniformIAdd, 1, "LogicalAnd of others", LESS SUM("1", "%x") "%d = OpULessThan %bool %lane %u2\n%a = OpLogicalAnd %bool %c %d\n%k0 = OpSelect %u32 %a %u1 %u2\n%r = OpIAdd %u32 %k0 %s1\n", V(37, 37, 38, 38, 38, 38, 38, 38), RIGHT),
    AT(CHOSEN_ONLY, GroupNonUniformIAdd, 1, "LogicalEqual", LESS SUM("1", "%x") "%d = OpUGreaterThan %bool %s1 %u16c\n%a = OpLogicalEqual %bool %c %d\n" BOOL("%a"), V(1, 1, 1, 2, 2, 2, 2, 2), RIGHT),
    AT(CHOSEN_ONLY, GroupNonUniformIAdd, 1, "the second of a vector", LESS "%w = OpCompositeConstruct %uvec2 %x %y\n%s1 = OpGroupNonUniformIAdd %uvec2 %u3 Reduce %w\n%d = OpCompositeExtract %u32 %s1 1\n%r = OpSelect %u32 %c %d %x\n", V(360, 360, 360, 4, 5, 6, 7, 8), V(60, 60, 60, 4, 5, 6, 7, 8), TENS),
#define TWO_MADE LOOP("%w = OpIMul %u32 %x %u3\n%w2 = OpIMul %u32 %x %u2\n", "") "%r = OpIAdd %u32 %w %w2\n"
    AT(ZERO_AFTER_LOOP, IMul, 1, "and nothing beside it", TWO_MADE, V(5, 10, 15, 20, 25, 30, 35, 40), V(2, 4, 6, 8, 10, 12, 14, 16)),
    AT(FIRST_LANES_AFTER_LOOP, IMul, 1, "and nothing beside it", TWO_MADE, V(5, 10, 15, 20, 25, 30, 35, 40), V(5, 7, 9, 11, 13, 15, 17, 19)),
    AT(LEFT_LANES_LOAD_ZERO, Load, 4, "and no load beside it", "%pl = OpAccessChain %word_ptr %in %u0 %u3\n" LOOP("%w = OpLoad %u32 %pl\n%w0 = OpLoad %u32 %px\n", "") "%r = OpIAdd %u32 %w %w0\n", V(5, 6, 7, 8, 9, 10, 11, 12), V(1, 2, 3, 4, 5, 6, 11, 12)),
    AT(LEFT_LANES_LOAD_ZERO, Load, 4, "and nothing beside it", LOOP("%w = OpLoad %u32 %px\n%w2 = OpIMul %u32 %x %u2\n", "") "%r = OpIAdd %u32 %w %w2\n", V(3, 6, 9, 12, 15, 18, 21, 24), V(2, 4, 6, 8, 10, 12, 21, 24)),
    AT(LEFT_LANES_GO_ON, IMul, 1, "a ballot beside it", LOOP("%v1 = OpGroupNonUniformBallot %uvec4 %u3 %true\n%w = OpIMul %u32 %x %k\n", "") "%r = OpCompositeExtract %u32 %v1 0\n", LATER_HALVES, RIGHT),
    R(LEFT_LANES_GO_ON, "lane 0 alone", MADE("", "%b1"), V(0xd, 0, 0xc, 0xc, 0, 0, 0, 0), V(0xc, 0, 0xc, 0xc, 0, 0, 0, 0), .row.active = 0x0d),
    AT(UPPER_HALF_LOST, GroupNonUniformIAdd, 1, "and a Select of it", LESS SUM("1", "%x") "%r = OpSelect %u32 %c %s1 %x\n", V(36, 36, 36, 4, 5, 6, 7, 8), V(10, 10, 10, 4, 5, 6, 7, 8)),
    AT(CHOSEN_ONLY, GroupNonUniformIAdd, 1, "a store is not done again", LESS SUM("1", "%x") "OpStore %local %s1\n%g = OpSelect %u32 %c %s1 %x\n%l = OpLoad %u32 %local\n%r = OpIAdd %u32 %g %l\n", V(72, 72, 72, 40, 41, 42, 43, 44), V(42, 42, 42, 40, 41, 42, 43, 44)),
    AT(CHOSEN_ONLY, GroupNonUniformIAdd, 1, "by a phi it is that of the time before", LESS "OpBranch %h\n%h = OpLabel\n%k = OpPhi %u32 %u0 %then %k1 %h\n%p = OpPhi %u32 %x %then %s1 %h\n" SUM("1", "%x") "%g = OpSelect %u32 %c %p %x\n%k1 = OpIAdd %u32 %k %u1\n"
       "%go = OpULessThan %bool %k1 %u2\nOpLoopMerge %m %h None\nOpBranchConditional %go %h %m\n%m = OpLabel\n%r = OpIAdd %u32 %g %s1\n", V(72, 72, 72, 40, 41, 42, 43, 44), RIGHT),
    AT(CHOSEN_ONLY, GroupNonUniformIAdd, 1, "in an arm", LAST_FIVE("%cc = OpULessThan %bool %lane %u5\n" SUM("1", "%x") "%o = OpSelect %u32 %cc %s1 %x\n"), V(0, 0, 0, 30, 30, 6, 7, 8), V(0, 0, 0, 9, 9, 6, 7, 8)),
    AT(CHOSEN_ONLY, GroupNonUniformIAdd, 1, "an operation that does not choose", LESS SUM("1", "%x") "%r = OpIAdd %u32 %x %s1\n", V(37, 38, 39, 40, 41, 42, 43, 44), RIGHT),
    AT(CHOSEN_ONLY, GroupNonUniformIAdd, 1, "by a phi it is another value", LESS SUM("1", "%x") ARMS("", "") "%p = OpPhi %u32 %s1 %t %s1 %e\n%r = OpSelect %u32 %c %p %x\n", V(36, 36, 36, 4, 5, 6, 7, 8), RIGHT),
    AT(CHOSEN_ONLY, GroupNonUniformIAdd, 1, "in another block", LESS SUM("1", "%x") ARMS("", "") "%r = OpSelect %u32 %c %s1 %x\n", V(36, 36, 36, 4, 5, 6, 7, 8), RIGHT),
    AT(CHOSEN_ONLY, GroupNonUniformIAdd, 2, "the second", LESS SUM("1", "%x") SUM("2", "%x") "%d = OpIMul %u32 %s1 %u2\n%f = OpIMul %u32 %s2 %u3\n%g = OpSelect %u32 %c %f %x\n%r = OpIAdd %u32 %g %d\n", V(180, 180, 180, 76, 77, 78, 79, 80), V(90, 90, 90, 76, 77, 78, 79, 80)),
    AT(CHOSEN_ONLY, GroupNonUniformIAdd, 1, "a load is not done again", "OpStore %local %x\n" LESS SUM("1", "%x") "%d = OpLoad %u32 %local\nOpStore %local %y\n%f = OpIAdd %u32 %d %s1\n%r = OpSelect %u32 %c %f %x\n", V(37, 38, 39, 4, 5, 6, 7, 8), V(7, 8, 9, 4, 5, 6, 7, 8), TENS),
    AT(CHOSEN_ONLY, GroupNonUniformIAdd, 1, "nobody chooses it", "%c = OpULessThan %bool %lane %u0\n" SUM("1", "%x") "%s2 = OpSelect %u32 %c %s1 %x\n%r = OpIAdd %u32 %s2 %s1\n", V(37, 38, 39, 40, 41, 42, 43, 44), RIGHT),
    // All operations whose result is read once are evaluated where it is read.
    R(INLINED, "Select", LESS SUM("1", "%x") "%r = OpSelect %u32 %c %s1 %x\n", V(36, 36, 36, 4, 5, 6, 7, 8), V(6, 6, 6, 4, 5, 6, 7, 8)),
    R(INLINED, "two of a Select", LESS SUM("1", "%x") SUM("2", "%x") "%r = OpSelect %u32 %c %s1 %s2\n", SAME(36), V(6, 6, 6, 30, 30, 30, 30, 30)),
    R(INLINED, "in an expression", LESS SUM("1", "%x") "%d = OpIMul %u32 %s1 %u2\n%r = OpSelect %u32 %c %d %x\n", V(72, 72, 72, 4, 5, 6, 7, 8), V(12, 12, 12, 4, 5, 6, 7, 8)),
    R(INLINED, "LogicalAnd, whose result chooses", LESS SUM("1", "%x") SUM("2", "%x") "%d = OpUGreaterThan %bool %s1 %u16c\n%a = OpLogicalAnd %bool %c %d\n%r = OpSelect %u32 %a %s2 %x\n", V(36, 36, 36, 4, 5, 6, 7, 8), ONE_TO_EIGHT),
    R(INLINED, "LogicalAnd inside of a Select", LESS "%five = OpULessThan %bool %lane %u5\n" SUM("1", "%x") "%d = OpUGreaterThan %bool %s1 %u8c\n%a = OpLogicalAnd %bool %five %d\n%n = OpSelect %u32 %a %u2 %u3\n%r = OpSelect %u32 %c %n %x\n",
      V(2, 2, 2, 4, 5, 6, 7, 8), V(3, 3, 3, 4, 5, 6, 7, 8)),
    R(INLINED, "LogicalOr", LESS SUM("1", "%x") "%d = OpUGreaterThan %bool %s1 %n32\n%a = OpLogicalOr %bool %c %d\n" BOOL("%a"), SAME(1), V(1, 1, 1, 2, 2, 2, 2, 2), .row.globals = "%n32 = OpConstant %u32 32\n"),
    R(INLINED, "a lane that does not evaluate it has no value for others", LESS "%s1 = OpGroupNonUniformShuffleXor %u32 %u3 %x %u3\n%r = OpSelect %u32 %c %s1 %x\n", V(4, 3, 2, 4, 5, 6, 7, 8), V(U, 3, 2, 4, 5, 6, 7, 8)),
    R(INLINED, "a result that is read twice", LESS SUM("1", "%x") "%r = OpSelect %u32 %c %s1 %s1\n", SAME(36), RIGHT),
    R(INLINED, "an expression of it is read twice", LESS SUM("1", "%x") "%d = OpIMul %u32 %s1 %u2\n%g = OpSelect %u32 %c %d %x\n%r = OpIAdd %u32 %g %d\n", V(144, 144, 144, 76, 77, 78, 79, 80), RIGHT),
    R(INLINED, "in another block", LESS SUM("1", "%x") ARMS("", "") "%r = OpSelect %u32 %c %s1 %x\n", V(36, 36, 36, 4, 5, 6, 7, 8), RIGHT),
    R(INLINED, "no choice", LESS SUM("1", "%x") "%r = OpIAdd %u32 %x %s1\n", V(37, 38, 39, 40, 41, 42, 43, 44), RIGHT),
    // Lanes that do not execute an operation lose its result.
    AT(CLEARS_OTHERS, GroupNonUniformIAdd, 1, "a sum", LOOP(SUM("1", "%x"), "") "%r = OpIAdd %u32 %s1 %u0\n", V(36, 36, 33, 33, 26, 26, 15, 15), V(0, 0, 0, 0, 0, 0, 15, 15)),
    AT(CLEARS_OTHERS, GroupNonUniformIAdd, 1, "and values computed from it", LOOP(SUM("1", "%x") "%w = OpIAdd %u32 %s1 %u1\n", "") "%r = OpIAdd %u32 %w %u0\n", V(37, 37, 34, 34, 27, 27, 16, 16), V(1, 1, 1, 1, 1, 1, 16, 16)),
    AT(CLEARS_OTHERS, GroupNonUniformIAdd, 2, "and no other", LOOP(SUM("1", "%x") SUM("2", "%x"), "") "%r = OpIAdd %u32 %s1 %u0\n", V(36, 36, 33, 33, 26, 26, 15, 15), RIGHT),
    AT(CLEARS_OTHERS, GroupNonUniformIAdd, 1, "a load is not done again", "OpStore %local %u3\n" LOOP(SUM("1", "%x") "%w = OpLoad %u32 %local\nOpStore %local %u5\n", "") "%r = OpIAdd %u32 %w %s1\n", V(39, 39, 38, 38, 31, 31, 20, 20), V(3, 3, 5, 5, 5, 5, 20, 20)),
#define WIDE_OF(of) "%w = OpUConvert %u64 " of "\n"
#define WIDE .row.globals = "%u32c = OpConstant %u64 32\n%n1 = OpConstant %u32 0xffffffff\n"
    R(BY_WORDS, "a carry is lost", WIDE_OF("%n1") "%s = OpGroupNonUniformIAdd %u64 %u3 Reduce %w\n%h = OpShiftRightLogical %u64 %s %u32c\n%r = OpUConvert %u32 %h\n", SAME(7), SAME(0), WIDE),
    R(BY_WORDS, "the least of each word", WIDE_OF("%x") "%v = OpUConvert %u64 %y\n%hi = OpShiftLeftLogical %u64 %v %u32c\n%z = OpBitwiseOr %u64 %w %hi\n%s = OpGroupNonUniformUMin %u64 %u3 Reduce %z\n%r = OpUConvert %u32 %s\n",
      SAME(8), SAME(1), .row.b = {80, 70, 60, 50, 40, 30, 20, 10}, WIDE),
    R(BY_WORDS, "not a shuffle", WIDE_OF("%x") "%s = OpGroupNonUniformBroadcastFirst %u64 %u3 %w\n%r = OpUConvert %u32 %s\n", SAME(1), RIGHT, WIDE),
    R(BY_WORDS, "not 32 bits", SUM("1", "%n1") "%r = OpIAdd %u32 %s1 %u0\n", SAME(0xfffffff8), RIGHT, .row.globals = "%n1 = OpConstant %u32 0xffffffff\n"),
    R(ATOMIC_SIGN_LOST, "AtomicSMax", "%less = OpISub %u32 %u0 %u1\n%old = OpAtomicSMax %u32 %px %u1 %u0 %less\n%r = OpLoad %u32 %px\n", ONE_TO_EIGHT, SAME(0xffffffff)),
    R(ATOMIC_SIGN_LOST, "AtomicSMin", "%less = OpISub %u32 %u0 %u1\n%old = OpAtomicSMin %u32 %px %u1 %u0 %less\n%r = OpLoad %u32 %px\n", SAME(0xffffffff), ONE_TO_EIGHT),
    R(ATOMIC_SIGN_LOST, "not AtomicUMax", "%less = OpISub %u32 %u0 %u1\n%old = OpAtomicUMax %u32 %px %u1 %u0 %less\n%r = OpLoad %u32 %px\n", SAME(0xffffffff), RIGHT),
    AT(ATOMIC_SIGN_LOST, AtomicSMax, 2, "and no other", "%less = OpISub %u32 %u0 %u1\n%old = OpAtomicSMax %u32 %px %u1 %u0 %less\n%r = OpLoad %u32 %px\n%old2 = OpAtomicSMax %u32 %px %u1 %u0 %u0\n", ONE_TO_EIGHT, RIGHT),
    R(CHOSEN_ONLY, "nothing in particular", LESS SUM("1", "%x") "%r = OpSelect %u32 %c %s1 %x\n", V(36, 36, 36, 4, 5, 6, 7, 8), RIGHT),
    AT(FIRST_LANES_VALUE, CompositeConstruct, 1, "a vector whose second the first alone has", "%q = OpUDiv %u32 %u8c %y\n%w = OpCompositeConstruct %uvec2 %x %q\n%w1 = OpCompositeExtract %u32 %w 1\n%r = OpIAdd %u32 %w1 %u1\n", V(9, U, U, U, U, U, U, U), SAME(9), .row.b = {1}),
    AT(FIRST_LANES_VALUE, IMul, 1, "each time anew", LOOP("%w = OpIMul %u32 %x %u3\n", "") "%z = OpIAdd %u32 %x %u0\n%r = OpIAdd %u32 %w %u1\n", V(4, 7, 10, 13, 16, 19, 22, 25), V(4, 4, 10, 10, 16, 16, 22, 22)),
    R(FIRST_LANES_VALUE, "nothing in particular", "%w = OpIMul %u32 %x %u3\n" LESS ARMS("", "") "%r = OpIAdd %u32 %w %u1\n", V(4, 7, 10, 13, 16, 19, 22, 25), RIGHT),
    AT(ZERO_AFTER_LOOP, CompositeConstruct, 1, "a vector of which nobody has the second", "%qq = OpUDiv %u32 %x %u0\n" LOOP("%w = OpCompositeConstruct %uvec2 %x %qq\n", "") "%w1 = OpCompositeExtract %u32 %w 1\n%r = OpIAdd %u32 %w1 %u5\n", SAME(U), SAME(5)),
    R(LEFT_LANES_GO_ON, "where nobody is who has not come, outside of loops", LAST_FIVE("%i3 = OpISub %u32 %lane %u3\n%p = OpAccessChain %word_ptr %in %u0 %i3\n%o = OpLoad %u32 %p\n"), V(0, 0, 0, 1, 2, 3, 4, 5), RIGHT),
    AT(LEFT_LANES_GO_ON, GroupNonUniformIAdd, 1, "and nothing beside it", LOOP(SUM("1", "%u1") "%w = OpIMul %u32 %x %k\n", "") "%r = OpIAdd %u32 %w %s1\n", V(8, 8, 9, 10, 14, 16, 23, 26), V(2, 2, 5, 6, 12, 14, 23, 26)),
    R(LEFT_LANES_GO_ON, "the same for the first and the last alone", LOOP("%o = OpGroupNonUniformShuffle %u32 %u3 %y %lane\n", "") "%r = OpIAdd %u32 %o %u0\n", V(5, 9, 5, 9, 5, 9, 6, 5), RIGHT, .row.b = {5, 9, 5, 9, 5, 9, 6, 5}),
    R(LEFT_LANES_GO_ON, "the second of a vector", LOOP("%w = OpCompositeConstruct %uvec2 %u1 %u2\n%o = OpGroupNonUniformIAdd %uvec2 %u3 Reduce %w\n%o1 = OpCompositeExtract %u32 %o 1\n", "") "%r = OpIAdd %u32 %o1 %u0\n", V(16, 16, 12, 12, 8, 8, 4, 4), SAME(4)),
#define LOWEST_OF_K "%bl = OpCompositeConstruct %uvec4 %k %u0 %u0 %u0\n%o = OpGroupNonUniformBallotFindLSB %u32 %u3 %bl\n"
    R(LEFT_LANES_GO_ON, "what they had not before", LOOP(LOWEST_OF_K, "") "%r = OpIAdd %u32 %o %u5\n", V(U, U, 5, 5, 6, 6, 5, 5), SAME(5)),
    R(LEFT_LANES_LOAD_ZERO, "of no place at all", "OpStore %local %u1\n" LOOP("%w1 = OpLoad %u32 %local\n%d = OpISub %u32 %w1 %u1\n%p = OpAccessChain %word_ptr %in %u0 %d\n%w = OpLoad %u32 %p\n", "") "%r = OpIAdd %u32 %w %u1\n", SAME(2), V(1, 1, 1, 1, 1, 1, 2, 2)),
    AT(CHOSEN_ONLY, GroupNonUniformIAdd, 1, "what is loaded by it is another value", LESS SUM("1", "%x") "%i = OpShiftRightLogical %u32 %s1 %u3\n%p = OpAccessChain %word_ptr %in %u0 %i\n%d = OpLoad %u32 %p\n%g = OpSelect %u32 %c %d %x\n%r = OpIAdd %u32 %g %s1\n",
       V(41, 41, 41, 40, 41, 42, 43, 44), RIGHT),
    AT(CHOSEN_ONLY, GroupNonUniformIAdd, 1, "the first of its block", LESS "%cc = OpULessThan %bool %lane %u5\nOpStore %local %u0\n" ARMS("", SUM("1", "%x") "%o = OpSelect %u32 %cc %s1 %x\n" KEEP("%o")) KEPT, V(0, 0, 0, 30, 30, 6, 7, 8), V(0, 0, 0, 9, 9, 6, 7, 8)),
    AT(LEFT_LANES_GO_ON, GroupNonUniformBallot, 1, "this one alone", MADE("%w = OpIAdd %u32 %b1 %u1\n", "%w"), V(0x100, 0x100, 0xfd, 0xfd, 0xf1, 0xf1, 0xc1, 0xc1), RIGHT),
    AT(LEFT_LANES_GO_ON, IMul, 1, "what is no ballot", LOOP("%w = OpIMul %u32 %x %k\n", "") "%r = OpIAdd %u32 %w %u0\n", V(0, 0, 3, 4, 10, 12, 21, 24), RIGHT),
};

// A function's last value stands before the first one of the function behind it, which calls it: what a fault gives, it gives
// there and nowhere beside. Of main %kept has what that first one was.
#define BESIDE(code) .row.is_invalid = true, .row.functions = "%last = OpFunction %void None %fn\n%ls = OpLabel\n%ll = OpLoad %u32 %lane_var\n" code F_END \
    F_START "%fz = OpFunctionCall %void %last\n" "OpStore %kept %fl\n" F_END, .row.globals = "%priv = OpTypePointer Private %u32\n%kept = OpVariable %priv Private\n", .row.interface = " %kept"
#define NOTHING(fault_, text, code) R(fault_, text, CALL "%r = OpLoad %u32 %kept\n", V(0, 1, 2, 3, 4, 5, 6, 7), RIGHT, BESIDE(code))
static const struct fault_row beside[] = {
    NOTHING(NONE, "without a fault", "%o = OpGroupNonUniformBroadcastFirst %u32 %u3 %u5\n"),
    NOTHING(FIRST_IS_LANE_ZERO, "BroadcastFirst", "%lv = OpIAdd %u32 %ll %u5\n%o = OpGroupNonUniformBroadcastFirst %u32 %u3 %lv\n"),
    NOTHING(ONE_COMPONENT, "a vector", "%lv = OpCompositeConstruct %uvec2 %u5 %ll\n%o = OpGroupNonUniformIAdd %uvec2 %u3 Reduce %lv\n"),
    NOTHING(ONE_COMPONENT, "what makes one of a vector", "%lv = OpCompositeConstruct %uvec2 %u5 %ll\n%o = OpGroupNonUniformAllEqual %bool %u3 %lv\n"),
    NOTHING(SCAN_ADDS_SELF_TWICE, "a scan", "%o = OpGroupNonUniformIAdd %u32 %u3 InclusiveScan %u5\n"),
    NOTHING(QUAD_BROADCAST_IS_FIRST, "QuadBroadcast", "%o = OpGroupNonUniformQuadBroadcast %u32 %u3 %u5 %u1\n"),
    NOTHING(UPPER_HALF_LOST, "a sum", "%o = OpGroupNonUniformIAdd %u32 %u3 Reduce %ll\n"),
    R(DERIVATIVE_BACKWARDS, "a derivative", CALL "%r = OpLoad %u32 %kept\n", V(0, 1, 2, 3, 4, 5, 6, 7), RIGHT, BESIDE("%lf = OpConvertUToF %f32 %ll\n%o = OpDPdxFine %f32 %lf\n"),
      .row.capabilities = "OpCapability ComputeDerivativeGroupLinearKHR\nOpExtension \"SPV_KHR_compute_shader_derivatives\"\n",
      .row.modes = "\nOpExecutionMode %main LocalSize 8 1 1\nOpExecutionMode %main MaximallyReconvergesKHR\nOpExecutionMode %main DerivativeGroupLinearKHR\n"),
};

// ---- all of them -----------------------------------------------------------------------------------------------

// The n-th instruction of this kind: its result.
static uint32_t nth_result(struct arena *a, const struct spv_case *c, uint32_t op, uint32_t nth)
{
    struct spv_module m;
    struct err e;
    assert_true(spv_module_read(a, c->words, c->count, &m, &e));
    for (uint32_t k = 0; k < m.inst_count; k++)
        if (m.insts[k].op == op && !--nth)
            return m.insts[k].result;
    fail_msg("there are not so many");
    return 0;
}

static int fault_differs(const struct row *row, const char *what, const struct orc_result *r, const uint32_t want[LANES])
{
    int wrong = 0;
    if (r->why.status != RAN_OK) {
        print_error("%s, %s: %s\n", row->name, what, r->why.text);
        return 1;
    }
    for (uint32_t l = 0; l < LANES; l++) {
        const uint32_t mask = r->memory[1].mask ? r->memory[1].mask[l] : UINT32_MAX, got = r->memory[1].words[l];
        if (want[l] == U ? mask || got : mask != UINT32_MAX || got != want[l]) {
            print_error("%s, %s, lane %u: got 0x%x (mask 0x%x), expected 0x%x\n", row->name, what, l, got, mask, want[l]);
            wrong = 1;
        }
    }
    return wrong;
}

static void check_faults(const struct fault_row *rows, size_t n)
{
    struct spv_tools *tools = spv_tools_new();
    int wrong = 0;
    for (size_t k = 0; k < n; k++) {
        const struct fault_row *f = &rows[k];
        struct arena a = {0};
        struct spv_case c;
        struct orc_result r;
        row_case(tools, &a, &f->row, &c);
        c.subgroup = f->subgroup ? f->subgroup : LANES;
        orc_predict(&a, &c, 0, &(struct orc_options){.machine = ORC_MASK, .any_policy = f->any_policy, .policy = f->policy}, &r);
        if (f->row.refused)
            assert_string_equal(r.why.rule, f->row.refused);
        else
            wrong += fault_differs(&f->row, "right", &r, f->row.r);
        if (f->fault == ORC_FAULT_NONE) {
            arena_free(&a);
            continue;
        }
        const struct orc_counter counter = {f->counts, NULL};
        const struct orc_options o = {.fault = f->fault, .counter = &counter, .policy = f->policy, .fault_at = f->at_op ? nth_result(&a, &c, f->at_op, f->at_nth) : 0};
        orc_predict(&a, &c, 0, &o, &r);
        if (f->fails) {
            assert_string_equal(r.why.rule, f->fails);
            assert_null(r.memory);
        } else
            wrong += fault_differs(&f->row, "wrong", &r, f->w[0] == AS_RIGHT ? f->row.r : f->w);
        arena_free(&a);
    }
    spv_tools_free(tools);
    assert_int_equal(wrong, 0);
}
#define CHECK_FAULTS(rows) check_faults(rows, sizeof(rows) / sizeof *(rows))

// ---- no other rule ---------------------------------------------------------------------------------------------

// Lanes 3 to 7 execute an operation while the others wait to run the other arm. Which faults give any of them something else:
// those that name the operation, and those that count whom it does not count.
struct touched {
    const char *code;
    enum orc_fault by[8];
};
#define F(fault) ORC_FAULT_##fault
#define WHOLE_BALLOT "%wb = OpGroupNonUniformBallot %uvec4 %u3 %true\n"
static const struct touched touched[] = {
    {LAST_FIVE(ELECT), {F(OTHER_ARM_STAYS), F(ELECTS_LANE_ZERO), F(ELECTS_LAST), F(TAKEN_FOR_WHOLE), F(UPPER_ELECT)}},
    {LAST_FIVE("%al = OpGroupNonUniformAll %bool %u3 %d\n%o = OpSelect %u32 %al %u1 %u2\n"), {F(OTHER_ARM_STAYS), F(INACTIVE_IN_VOTE)}},
    {"%nd = OpULessThan %bool %lane %u3\n" LAST_FIVE("%an = OpGroupNonUniformAny %bool %u3 %nd\n%o = OpSelect %u32 %an %u1 %u2\n"), {F(OTHER_ARM_STAYS), F(INACTIVE_IN_VOTE)}},
    {LAST_FIVE("%bo = OpGroupNonUniformBallot %uvec4 %u3 %true\n%o = OpCompositeExtract %u32 %bo 0\n"), {F(OTHER_ARM_STAYS), F(INACTIVE_IN_BALLOT), F(TAKEN_FOR_WHOLE), F(UPPER_BALLOT)}},
    {WHOLE_BALLOT LAST_FIVE("%o = OpGroupNonUniformBallotBitCount %u32 %u3 ExclusiveScan %wb\n"), {F(COUNT_INCLUDES_SELF), F(UPPER_BALLOT), F(UPPER_COUNT)}},
    {WHOLE_BALLOT LAST_FIVE("%o = OpGroupNonUniformBallotBitCount %u32 %u3 InclusiveScan %wb\n"), {F(UPPER_BALLOT), F(UPPER_COUNT)}},
    {WHOLE_BALLOT LAST_FIVE("%o = OpGroupNonUniformBallotBitCount %u32 %u3 Reduce %wb\n"), {F(UPPER_BALLOT), F(UPPER_COUNT)}},
    {WHOLE_BALLOT LAST_FIVE("%lo = OpGroupNonUniformBallotFindLSB %u32 %u3 %wb\n%o = OpIAdd %u32 %lo %u1\n"), {F(HIGHEST_FOR_LOWEST)}},
    {WHOLE_BALLOT LAST_FIVE("%o = OpGroupNonUniformBallotFindMSB %u32 %u3 %wb\n"), {F(UPPER_BALLOT), F(UPPER_FIND)}},
    {WHOLE_BALLOT LAST_FIVE("%be = OpGroupNonUniformBallotBitExtract %bool %u3 %wb %lane\n%o = OpSelect %u32 %be %u1 %u2\n"), {F(UPPER_BALLOT)}},
    {WHOLE_BALLOT LAST_FIVE("%ib = OpGroupNonUniformInverseBallot %bool %u3 %wb\n%o = OpSelect %u32 %ib %u1 %u2\n"), {F(UPPER_BALLOT), F(UPPER_INVERSE)}},
    {LAST_FIVE("%o = OpGroupNonUniformBroadcast %u32 %u3 %x %u5\n"), {F(BROADCAST_IS_FIRST), F(UPPER_BROADCAST)}},
    {LAST_FIVE("%o = OpGroupNonUniformBroadcastFirst %u32 %u3 %x\n"), {F(OTHER_ARM_STAYS), F(FIRST_IS_LANE_ZERO)}},
    {"%ten = OpIAdd %u32 %u8c %u2\n%back = OpISub %u32 %ten %lane\n" LAST_FIVE("%o = OpGroupNonUniformShuffle %u32 %u3 %x %back\n"), {F(SHUFFLE_BY_FIRST_INDEX), F(SHUFFLE_IN_ROW), F(UPPER_SHUFFLE)}},
    {LAST_FIVE("%o = OpGroupNonUniformShuffleXor %u32 %u3 %x %u1\n"), {F(OTHER_ARM_STAYS), F(TAKEN_FOR_WHOLE)}},
    {LAST_FIVE("%o = OpGroupNonUniformShuffleUp %u32 %u3 %x %u1\n"), {F(OTHER_ARM_STAYS), F(TAKEN_FOR_WHOLE)}},
    {LAST_FIVE("%o = OpGroupNonUniformIAdd %u32 %u3 Reduce %x\n"), {F(OTHER_ARM_STAYS), F(INACTIVE_IN_REDUCE), F(UPPER_HALF_LOST), F(TAKEN_FOR_WHOLE)}},
    {LAST_FIVE("%o = OpGroupNonUniformIAdd %u32 %u3 InclusiveScan %x\n"), {F(OTHER_ARM_STAYS), F(INACTIVE_IN_SCAN), F(SCAN_LEAVES_SELF_OUT), F(SCAN_ADDS_SELF_TWICE), F(TAKEN_FOR_WHOLE), F(UPPER_SCAN)}},
    {LAST_FIVE("%o = OpGroupNonUniformIAdd %u32 %u3 ExclusiveScan %x\n"), {F(OTHER_ARM_STAYS), F(INACTIVE_IN_SCAN), F(SCAN_INCLUDES_SELF), F(TAKEN_FOR_WHOLE), F(UPPER_SCAN)}},
    {LAST_FIVE("%o = OpGroupNonUniformIAdd %u32 %u3 ClusteredReduce %x %u4\n"), {F(OTHER_ARM_STAYS), F(CLUSTER_IS_WHOLE), F(CLUSTER_OF_HALF), F(TAKEN_FOR_WHOLE), F(UPPER_CLUSTER)}},
    {"%si = OpISub %u32 %x %c6\n" LAST_FIVE("%o = OpGroupNonUniformSMin %u32 %u3 Reduce %si\n"), {F(OTHER_ARM_STAYS), F(INACTIVE_IN_REDUCE), F(SIGN_LOST)}},
    {"%si = OpISub %u32 %x %c6\n" LAST_FIVE("%o = OpGroupNonUniformSMax %u32 %u3 ClusteredReduce %si %u8c\n"), {F(SIGN_LOST), F(CLUSTER_OF_HALF), F(UPPER_CLUSTER)}},
    {"%fl = OpConvertUToF %f32 %x\n" LAST_FIVE("%fo = OpGroupNonUniformFAdd %f32 %u3 InclusiveScan %fl\n%o = OpConvertFToU %u32 %fo\n"), {F(OTHER_ARM_STAYS), F(INACTIVE_IN_SCAN), F(SCAN_LEAVES_SELF_OUT), F(TAKEN_FOR_WHOLE), F(UPPER_SCAN)}},
    {"%w = OpCompositeConstruct %uvec2 %u1 %x\n" LAST_FIVE("%wo = OpGroupNonUniformIAdd %uvec2 %u3 Reduce %w\n%o = OpCompositeExtract %u32 %wo 1\n"), {F(OTHER_ARM_STAYS), F(INACTIVE_IN_REDUCE), F(UPPER_HALF_LOST), F(ONE_COMPONENT), F(TAKEN_FOR_WHOLE)}},
    {"%w = OpCompositeConstruct %uvec2 %u1 %x\n" LAST_FIVE("%wo = OpGroupNonUniformBroadcast %uvec2 %u3 %w %u4\n%o = OpCompositeExtract %u32 %wo 1\n"), {F(BROADCAST_IS_FIRST), F(ONE_COMPONENT), F(UPPER_BROADCAST)}},
    {LAST_FIVE("%o = OpGroupNonUniformRotateKHR %u32 %u3 %x %u1\n"), {F(ROTATE_BACK)}},
    {LAST_FIVE("%o = OpGroupNonUniformRotateKHR %u32 %u3 %x %u1 %u4\n"), {F(ROTATE_BACK)}},
    {LAST_FIVE("%o = OpGroupNonUniformQuadBroadcast %u32 %u3 %x %u1\n"), {F(QUAD_BROADCAST_IS_FIRST)}},
    {LAST_FIVE("%o = OpGroupNonUniformQuadSwap %u32 %u3 %x %u0\n"), {F(QUAD_SWAP_MIXED)}},
    {LAST_FIVE("%al = OpGroupNonUniformQuadAllKHR %bool %d\n%o = OpSelect %u32 %al %u1 %u2\n"), {F(OTHER_ARM_STAYS), F(INACTIVE_IN_QUAD)}},
    {"%nd = OpULessThan %bool %lane %u3\n" LAST_FIVE("%an = OpGroupNonUniformQuadAnyKHR %bool %nd\n%o = OpSelect %u32 %an %u1 %u2\n"), {F(OTHER_ARM_STAYS), F(INACTIVE_IN_QUAD)}},
    {"%odd = OpBitwiseAnd %u32 %x %u1\n" LAST_FIVE("%pa = OpGroupNonUniformPartitionNV %uvec4 %odd\n%o = OpCompositeExtract %u32 %pa 0\n"), {F(OTHER_ARM_STAYS), F(INACTIVE_IN_PARTITION), F(TAKEN_FOR_WHOLE)}},
};

static bool same_output(const struct orc_result *a, const struct orc_result *b)
{
    assert_int_equal(a->why.status, RAN_OK);
    assert_int_equal(b->why.status, RAN_OK);
    for (uint32_t l = 0; l < LANES; l++)
        if (a->memory[1].words[l] != b->memory[1].words[l] ||
            (a->memory[1].mask ? a->memory[1].mask[l] : UINT32_MAX) != (b->memory[1].mask ? b->memory[1].mask[l] : UINT32_MAX))
            return false;
    return true;
}

static void test_touched(void **state)
{
    (void)state;
    struct spv_tools *tools = spv_tools_new();
    int wrong = 0;
    for (size_t k = 0; k < sizeof touched / sizeof *touched; k++) {
        const struct touched *t = &touched[k];
        struct arena a = {0};
        struct spv_case c;
        struct orc_result right, r;
        const struct row row = {.name = t->code, .code = t->code, .a = ONE_TO_EIGHT, .capabilities = "OpCapability QuadControlKHR\nOpExtension \"SPV_KHR_quad_control\"\n", .is_invalid = true,
                                .globals = "%c6 = OpConstant %u32 6\n"};
        row_case(tools, &a, &row, &c);
        orc_predict(&a, &c, 0, NULL, &right);
        for (enum orc_fault f = ORC_FAULT_NONE; f < ORC_FAULTS; f++) {
            bool expected = f == ORC_FAULT_FIRST_LANES_WAY; // who is first goes to the other arm, and so do all
            for (size_t n = 0; n < sizeof t->by / sizeof *t->by; n++)
                expected |= t->by[n] && t->by[n] == f;
            if (f == ORC_FAULT_COUNTED || f == ORC_FAULT_COUNTED_SAME) // these ask whom
                continue;
            orc_predict(&a, &c, 0, &(struct orc_options){.fault = f}, &r);
            if (same_output(&right, &r) == expected) {
                print_error("fault %d %s: %s", (int)f, expected ? "does not touch" : "touches", t->code);
                wrong++;
            }
        }
        arena_free(&a);
    }
    spv_tools_free(tools);
    assert_int_equal(wrong, 0);
}

// A number that is written out is no id, even where it is the one that the fault is at.
static void test_numbers_are_no_ids(void **state)
{
    (void)state;
    struct spv_tools *tools = spv_tools_new();
    struct arena a = {0};
    struct spv_case c;
    struct orc_result right, r;
    uint32_t id = 0;
    for (int again = 0; again < 2; again++) { // which id it is does not hang on the number
        const struct row row = {.name = "a number", .code = LESS SUM("1", "%x") "%d = OpIAdd %u32 %x %number\n%g = OpSelect %u32 %c %d %x\n%r = OpIAdd %u32 %g %s1\n", .a = ONE_TO_EIGHT,
                                .globals = arena_printf(&a, "%%number = OpConstant %%u32 %u\n", id)};
        row_case(tools, &a, &row, &c);
        const uint32_t before = id;
        id = nth_result(&a, &c, SpvOpGroupNonUniformIAdd, 1);
        assert_true(!again || id == before);
    }
    orc_predict(&a, &c, 0, NULL, &right);
    orc_predict(&a, &c, 0, &(struct orc_options){.fault = ORC_FAULT_CHOSEN_ONLY, .fault_at = id}, &r);
    assert_true(same_output(&right, &r));
    arena_free(&a);
    spv_tools_free(tools);
}

static void test_joins(void **state) { (void)state, CHECK_FAULTS(joins); }
static void test_counted(void **state) { (void)state, CHECK_FAULTS(counted); }
static void test_operations(void **state) { (void)state, CHECK_FAULTS(operations); }
static void test_derivatives(void **state) { (void)state, CHECK_FAULTS(derivatives); }
static void test_counts(void **state) { (void)state, CHECK_FAULTS(counts); }
static void test_values(void **state) { (void)state, CHECK_FAULTS(values); }
static void test_beside(void **state) { (void)state, CHECK_FAULTS(beside); }

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_joins),       cmocka_unit_test(test_counted), cmocka_unit_test(test_operations),
        cmocka_unit_test(test_derivatives), cmocka_unit_test(test_counts),  cmocka_unit_test(test_values),
        cmocka_unit_test(test_beside),      cmocka_unit_test(test_touched),
        cmocka_unit_test(test_numbers_are_no_ids),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
