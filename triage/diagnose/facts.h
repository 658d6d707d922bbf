// SPDX-License-Identifier: Apache-2.0
//
// What is known of a fault, typed: the rule, the operation, where it stands, in which manner the
// tangle is wrong, what the compiler did. words.c makes text of it, for signatures and for people;
// nothing reads that text back. All structs are plain data, all zeroes is "not known".
#ifndef TF_DIAGNOSE_FACTS_H
#define TF_DIAGNOSE_FACTS_H

#include <stdbool.h>
#include <stdint.h>

// The rules of docs/rules.md that a tangle can be fixed by. In the order of their names.
enum diag_rule {
    DIAG_NO_RULE,
    DIAG_D1,
    DIAG_D2,
    DIAG_D3,
    DIAG_D5,
    DIAG_I1,
    DIAG_M1,
    DIAG_M2,
    DIAG_M3,
    DIAG_M4,
    DIAG_M5,
    DIAG_M6,
    // Of images and helpers, where a reason cites them:
    DIAG_E1,
    DIAG_R8,
    DIAG_R10,
    DIAG_R11,
    DIAG_R13,
    DIAG_R15,
    DIAG_RULES
};

// What a driver makes of a shader, one of the other: the first that is wrong, where the last is.
enum diag_stage {
    DIAG_STAGE_UNKNOWN,
    DIAG_STAGE_NIR,     // the last intermediate code: the front end or a pass
    DIAG_STAGE_ALIKE,   // that is right, but it calls a value the same for all lanes that is not
    DIAG_STAGE_MACHINE, // that is right, the machine code is not: the back end
};

// A group operation, as far as two of them are alike.
struct diag_op {
    uint16_t opcode; // 0: none
    bool has_form;   // then `form` is its SpvGroupOperation
    bool vector;     // of an operation with a form: it works on vectors
    uint32_t form;
    uint32_t cluster; // lanes of a cluster, where it says so; else 0
};

// Kinds of constructs, those that tell most about an operation's place first.
enum diag_construct { DIAG_LOOP, DIAG_SWITCH, DIAG_CALL, DIAG_IF, DIAG_CONSTRUCTS };

// The part of a construct in which an instruction stands.
enum diag_part {
    DIAG_IN_IF,
    DIAG_IN_CASE,
    DIAG_IN_FALL, // a case that another one falls into
    DIAG_IN_LOOP,
    DIAG_IN_HEAD, // the loop's header block
    DIAG_IN_CONT, // its continue construct
    DIAG_IN_CALL,
    DIAG_IN_BREAK, // on the way out of the loop
    DIAG_IN_JUMP,  // out of a selection by another way than its merge block
    DIAG_PARTS
};
enum { DIAG_PATH_MAX = 64 };
struct diag_path {
    bool known;    // with n 0: nothing is around it
    bool is_after; // a construct of kind `after` lies before it, and no other one between
    uint8_t after; // enum diag_construct
    uint8_t n;
    uint8_t part[DIAG_PATH_MAX]; // enum diag_part, from the outside in
};

// Another operation like the wrong one.
enum diag_pair {
    DIAG_NO_PAIR,
    DIAG_PAIR_BEFORE, // on every way to it
    DIAG_PAIR_BESIDE,
};
// The arm, of the innermost selection by a condition, that holds the operation.
enum diag_arm { DIAG_NO_ARM, DIAG_ONLY_ARM, DIAG_FIRST_ARM, DIAG_SECOND_ARM };

// What a module's switches do.
enum diag_cases {
    DIAG_NO_CASES,
    DIAG_CASES,        // each is for itself
    DIAG_CASES_SHARED, // values share one
    DIAG_CASES_SHARED_DEFAULT,
    DIAG_CASES_FALL, // one falls into another
    DIAG_CASES_FALL_TO_DEFAULT,
    DIAG_CASES_DEFAULT_FALLS,
};
// Constructs of a module.
struct diag_flow {
    bool loop, call, phis; // phis: two or more
    bool left;             // from inside a switch a loop around it is left
    uint8_t cases;         // enum diag_cases
    uint16_t atomic; // the opcode of its atomic operations that change memory; 0 for none, and for
                     // several opcodes
    uint8_t ifs;     // 0, 1, or 2 for more
};

// ---- the manner ------------------------------------------------------------------

// What else than joining by a rule keeps a lane from a tangle or brings it there.
enum diag_way {
    DIAG_ABSENT,        // it does not exist: the subgroup is not full
    DIAG_AGAIN,         // it executes the operation later, by itself
    DIAG_BEFORE_D1,     // a later branch parts it from the others
    DIAG_BEFORE_D2,     // a later switch does
    DIAG_BEFORE_BRANCH, // something else does
    DIAG_BY_CALL,       // it goes on in a call
    DIAG_ENDED,         // it has returned
    DIAG_GOES_ON,       // it goes on by no rule that is told
    DIAG_JOINED,        // it came together with the others by no rule that is told
    DIAG_BY_LOOP,       // it goes on with the next iteration
    DIAG_NEVER_APART,   // it is with the others all the time
    DIAG_WAYS
};
// Of lanes that are too many or missing: by which rules and ways. Sets of bits.
struct diag_lanes {
    uint32_t rules; // 1 << enum diag_rule
    uint32_t ways;  // 1 << enum diag_way
};
// An operation that alone is wrong is so ...
enum diag_where {
    DIAG_NOWHERE,
    DIAG_WHOLE,  // though all lanes of the subgroup execute it
    DIAG_PART,   // where some do not
    DIAG_UNFULL, // where the subgroup is not full
};
struct diag_manner {
    struct diag_lanes extra, missing; // of a tangle that is wrong
    uint8_t where;                    // enum diag_where; of an operation that alone is wrong
    bool wide;                        // and five lanes or more are needed to see it
};

// ---- the compiler's change ---------------------------------------------------------

// Of two changes that say equally much the one counts that comes first by these enumerations.
enum diag_did {
    DIAG_DID_NOTHING, // that is seen, but for constructs more or fewer
    DIAG_COPIED,      // several operations of one
    DIAG_MERGED,      // one of several
    DIAG_MOVED,
    DIAG_REUSED, // the result of an earlier one for a later one
    DIAG_OP_NEW,
    DIAG_OP_GONE,
    // Where all group operations stand as they stood:
    DIAG_EDGE,       // a branch goes elsewhere
    DIAG_CASE_EDGE,  // a switch's label does
    DIAG_STORE_LOST, // a value is not stored
    DIAG_INST_GONE,  // an instruction is gone
    DIAG_DESCRIPTOR, // an index of a descriptor that differs is NonUniform no more
    DIAG_INST_MOVED, // a demote stands elsewhere in its block
    DIAG_ASKED,      // who is a helper decides what it did not
    DIAG_OP_OPERAND, // a group operation works on another value
    DIAG_OPERAND,    // another instruction does
};
// How an instruction stands to the constructs of a kind.
enum diag_side {
    DIAG_APART, // none of the others
    DIAG_BEFORE,
    DIAG_AFTER,
    DIAG_INSIDE,
    DIAG_CONTINUE, // in a loop's continue construct
    DIAG_WAY_OUT,  // in a loop, on the way out of it
};
// What a result is.
enum diag_use { DIAG_BRANCHES, DIAG_SWITCHES, DIAG_VALUE, DIAG_INDEX }; // an index: of a descriptor
// What was copied, merged or moved: each is kept in its place by a rule of its own.
enum diag_kind { DIAG_GROUP, DIAG_DERIVATIVE, DIAG_SAMPLE };
// Where a reused result is used.
enum diag_reuse {
    DIAG_REUSE_AFTER,
    DIAG_REUSE_IN_BRANCH,
    DIAG_REUSE_IN_LOOP,
    DIAG_REUSE_BY_PHI, // behind ways that come together, for those who came by one of them
};
enum diag_label {
    DIAG_TO_BLOCK,
    DIAG_TO_CASE,
    DIAG_TO_DEFAULT,
    DIAG_TO_CONTINUE,
    DIAG_TO_IF_MERGE,
    DIAG_TO_SWITCH_MERGE,
    DIAG_TO_LOOP_MERGE,
};
enum diag_value { DIAG_OF_LITERAL, DIAG_OF_UNDEFINED, DIAG_OF_CONSTANT, DIAG_OF_VALUE };

// What a compiler did to a module, as far as who is together can depend on it. `did` says which
// fields hold, but for the last line's.
struct diag_change {
    uint8_t did; // enum diag_did
    // DIAG_COPIED, _MERGED, _MOVED: over a construct, or from one use to another, or neither.
    bool over, turned;
    uint8_t kind;                 // the same: enum diag_kind
    uint8_t construct, from, to;  // enum diag_construct, diag_side, diag_side
    uint8_t use_from, use_to;     // enum diag_use; DIAG_OP_NEW: use_to
    uint8_t reuse;                // DIAG_REUSED: enum diag_reuse; by a phi: construct
    struct diag_op op;            // DIAG_OP_NEW, DIAG_OP_GONE
    bool after_loop;              // DIAG_OP_NEW: it works on what a loop before it made
    uint8_t label_from, label_to; // DIAG_EDGE, DIAG_CASE_EDGE: enum diag_label
    uint16_t opcode; // DIAG_INST_GONE, DIAG_INST_MOVED, DIAG_OP_OPERAND, DIAG_OPERAND, DIAG_ASKED;
                     // DIAG_DESCRIPTOR: OpDecorate gone, or OpAccessChain new
    uint8_t value_from, value_to; // DIAG_OPERAND, of DIAG_INST_GONE the second: enum diag_value
    bool round;                   // DIAG_ASKED: of a branch that goes round a loop or leaves it
    bool later;                   // DIAG_INST_MOVED: in its block, and not earlier
    bool called;                  // DIAG_INST_GONE: out of a function that is called
    int8_t loops, switches, ifs;  // 1: more than there were, -1: fewer
    int8_t demotes, ends,
        asks; // of a fragment shader: demotes; terminates and kills; who asks who is a helper
};

// ---- the reason --------------------------------------------------------------------

// What happened, in the values that were observed.
enum diag_why {
    DIAG_WHY_UNKNOWN, // nothing that was tried gives them
    // A group operation counts lanes that are not with it:
    DIAG_OTHER_ARM,       // they took the other side of a branch
    DIAG_OTHER_CASE,      // ... or another case
    DIAG_LEFT_LOOP,       // they have left the loop
    DIAG_CONTINUED,       // they wait at the continue target, for the next iteration
    DIAG_RETURNED,        // they have returned
    DIAG_OTHER_ITERATION, // they execute it too, in another iteration
    DIAG_ABSENT_LANES,    // they do not exist
    // It lacks lanes that are with it:
    DIAG_NOT_PARTED,      // nothing has parted them, since they came together or at all
    DIAG_AFTER_SELECTION, // they came together at the merge block of a selection
    DIAG_AFTER_SWITCH,
    DIAG_AFTER_LOOP,
    DIAG_AT_CONTINUE,
    DIAG_AFTER_CALL,
    DIAG_WHERE_CHOSEN, // only those execute it who choose its result
    // It alone is wrong, among right lanes:
    DIAG_OPERATION,      // it does what another operation does
    DIAG_INACTIVE,       // it reads lanes that do not execute it
    DIAG_WHOLE_SUBGROUP, // it takes all of the subgroup to be there
    DIAG_ALONE_LANE,     // each lane for itself
    // A value:
    DIAG_LATER_VALUE,      // a lane that left a loop holds what a later iteration made
    DIAG_FIRST_LANE_VALUE, // all have one lane's
    DIAG_PHIS_IN_ORDER,    // a phi reads what another phi of its block has just become
    DIAG_VALUE_LOST,
    DIAG_WRONG_OPERAND, // an instruction works on something else
    // A way:
    DIAG_FIRST_LANE_WAY, // all go where one lane goes
    DIAG_ELSEWHERE,      // a branch goes elsewhere
    DIAG_LOOP_ENDS,      // nobody goes round once somebody has left
    // Memory:
    DIAG_NO_BARRIER, // a barrier is gone
    // An image:
    DIAG_LEVEL,       // another level is read
    DIAG_OTHER_IMAGE, // another image of an array
    DIAG_OTHER_SAMPLER,
    DIAG_NOT_UNIFORM, // a descriptor that differs is taken for the same
    DIAG_TEXEL,       // another texel
    DIAG_TEXEL_KEPT,  // what was there before it was written
    // Helper invocations:
    DIAG_HELPERS_OUT,   // a group operation leaves them out, or what they have
    DIAG_HELPERS_LOAD,  // they load something else
    DIAG_HELPERS_SKIP,  // they do not go where nobody else goes
    DIAG_HELPERS_ASKED, // who is one is told wrongly
    DIAG_DEMOTE_LOST,   // who is demoted is none
    DIAG_DEMOTE_MOVED,  // ... becomes one too early, or too late
    DIAG_DEMOTE_ENDS,   // ... ends
    DIAG_END_LOST,      // who ends goes on as one
    DIAG_WHYS
};
// What an instruction of the module would have to do, or be, instead.
enum diag_edit {
    DIAG_NO_EDIT,
    DIAG_EDIT_HELPERS_OUT,  // of a group operation: helpers are not there
    DIAG_EDIT_HELPERS_ZERO, // they have 0
    DIAG_EDIT_HELPERS_OWN,  // who reads a helper's value gets the own one
    DIAG_EDIT_LOADS_ZERO,   // of a load: helpers get 0
    DIAG_EDIT_LOADS_FIRST,  // ... what is at index 0
    DIAG_EDIT_SKIPS, // of a branch: a side that helpers alone would take is not taken; `value`: 1,
                     // 0 the label's number
    DIAG_EDIT_ASKS_START, // who is a helper: who was one at the start
    DIAG_EDIT_ASKS_NOBODY,
    DIAG_EDIT_DEMOTE_GONE,
    DIAG_EDIT_DEMOTE_FIRST, // at the start of its block
    DIAG_EDIT_DEMOTE_LAST,
    DIAG_EDIT_DEMOTE_ENDS,
    DIAG_EDIT_END_GOES_ON, // of a block's end: demoted, and on to the block `value`
    DIAG_EDIT_NO_BIAS,     // of an image operation
    DIAG_EDIT_NO_OFFSET,
    DIAG_EDIT_IMPLICIT,    // its level follows from the coordinates' derivatives
    DIAG_EDIT_LEVEL,       // level `value`
    DIAG_EDIT_BESIDE,      // the texel beside it: `value` bit 0 the axis, bit 1 backwards
    DIAG_EDIT_SWAPPED,     // of x and y the other way round
    DIAG_EDIT_INDEX,       // of an array of descriptors: element `value`
    DIAG_EDIT_INDEX_FIRST, // the first active lane's
    DIAG_EDIT_EARLIER,     // of an image's read: what the earlier read `value` gave
    DIAG_EDITS
};
// How that is known.
enum diag_known {
    DIAG_NOT_KNOWN,
    DIAG_BY_READING, // one wrong reading gives each word that was observed
    DIAG_BY_PROBE,   // a ballot in its place showed who was counted (diag_manner)
    DIAG_BY_CHANGE,  // the compiler's change
    DIAG_BY_SEVERAL, // readings of several kinds give each word: nothing tells which
};
// Whom a group operation would have to count.
enum diag_counted {
    DIAG_COUNTS_TANGLE,
    DIAG_COUNTS_BEFORE_JOIN, // those who were together before parts came together the last time
    DIAG_COUNTS_AFTER_SPLIT, // those who are together after they part the next time
    DIAG_COUNTS_EVERYBODY,   // all who ever execute it
    DIAG_COUNTS_IN_EARLIER,  // who was together when the lane was last in a block
    DIAG_COUNTS_IN_LATER,    // ... when it comes to a block
    DIAG_COUNTS_ALONE,
};

// ---- all together ------------------------------------------------------------------

// What a signature is about.
enum diag_about {
    DIAG_NOTHING, // no group operation is known to be to blame
    DIAG_THE_OP,  // the one that made the first wrong word
    DIAG_ANY_OP,  // any would be wrong there: the tangle
    DIAG_GUARD,   // the one that decides who comes by
};

#endif
