// SPDX-License-Identifier: Apache-2.0
//
// What is known of a fault, typed: the rule, the operation, where it stands, in which manner the
// tangle is wrong, what the compiler did. words.c makes text of it, for signatures and for people;
// nothing reads that text back. All structs are plain data, all zeroes is "not known".
#ifndef TF_BLAME_FACTS_H
#define TF_BLAME_FACTS_H

#include <stdbool.h>
#include <stdint.h>

// The rules of docs/rules.md that a tangle can be fixed by. In the order of their names.
enum blame_rule {
    BLAME_NO_RULE,
    BLAME_D1,
    BLAME_D2,
    BLAME_D3,
    BLAME_D5,
    BLAME_I1,
    BLAME_M1,
    BLAME_M2,
    BLAME_M3,
    BLAME_M4,
    BLAME_M5,
    BLAME_M6,
    // Of images and helpers, where a reason cites them:
    BLAME_E1,
    BLAME_R8,
    BLAME_R10,
    BLAME_R11,
    BLAME_R13,
    BLAME_R15,
    BLAME_RULES
};

// What a driver makes of a shader, one of the other: the first that is wrong, where the last is.
enum blame_stage {
    BLAME_STAGE_UNKNOWN,
    BLAME_STAGE_NIR,     // the last intermediate code: the front end or a pass
    BLAME_STAGE_ALIKE,   // that is right, but it calls a value the same for all lanes that is not
    BLAME_STAGE_MACHINE, // that is right, the machine code is not: the back end
};

// A group operation, as far as two of them are alike.
struct blame_op {
    uint16_t opcode; // 0: none
    bool has_form;   // then `form` is its SpvGroupOperation
    bool vector;     // of an operation with a form: it works on vectors
    uint32_t form;
    uint32_t cluster; // lanes of a cluster, where it says so; else 0
};

// Kinds of constructs, those that tell most about an operation's place first.
enum blame_construct { BLAME_LOOP, BLAME_SWITCH, BLAME_CALL, BLAME_IF, BLAME_CONSTRUCTS };

// The part of a construct in which an instruction stands.
enum blame_part {
    BLAME_IN_IF,
    BLAME_IN_CASE,
    BLAME_IN_FALL, // a case that another one falls into
    BLAME_IN_LOOP,
    BLAME_IN_HEAD, // the loop's header block
    BLAME_IN_CONT, // its continue construct
    BLAME_IN_CALL,
    BLAME_IN_BREAK, // on the way out of the loop
    BLAME_IN_JUMP,  // out of a selection by another way than its merge block
    BLAME_PARTS
};
enum { BLAME_PATH_MAX = 64 };
struct blame_path {
    bool known;    // with n 0: nothing is around it
    bool is_after; // a construct of kind `after` lies before it, and no other one between
    uint8_t after; // enum blame_construct
    uint8_t n;
    uint8_t part[BLAME_PATH_MAX]; // enum blame_part, from the outside in
};

// Another operation like the wrong one.
enum blame_pair {
    BLAME_NO_PAIR,
    BLAME_PAIR_BEFORE, // on every way to it
    BLAME_PAIR_BESIDE,
};
// The arm, of the innermost selection by a condition, that holds the operation.
enum blame_arm { BLAME_NO_ARM, BLAME_ONLY_ARM, BLAME_FIRST_ARM, BLAME_SECOND_ARM };

// What a module's switches do.
enum blame_cases {
    BLAME_NO_CASES,
    BLAME_CASES,        // each is for itself
    BLAME_CASES_SHARED, // values share one
    BLAME_CASES_SHARED_DEFAULT,
    BLAME_CASES_FALL, // one falls into another
    BLAME_CASES_FALL_TO_DEFAULT,
    BLAME_CASES_DEFAULT_FALLS,
};
// Constructs of a module.
struct blame_flow {
    bool loop, call, phis; // phis: two or more
    bool left;             // from inside a switch a loop around it is left
    uint8_t cases;         // enum blame_cases
    uint16_t atomic;       // the opcode of its atomic operations that change memory; 0 for none, and for several opcodes
    uint8_t ifs;           // 0, 1, or 2 for more
};

// ---- the manner ------------------------------------------------------------------

// What else than joining by a rule keeps a lane from a tangle or brings it there.
enum blame_way {
    BLAME_ABSENT,        // it does not exist: the subgroup is not full
    BLAME_AGAIN,         // it executes the operation later, by itself
    BLAME_BEFORE_D1,     // a later branch parts it from the others
    BLAME_BEFORE_D2,     // a later switch does
    BLAME_BEFORE_BRANCH, // something else does
    BLAME_BY_CALL,       // it goes on in a call
    BLAME_ENDED,         // it has returned
    BLAME_GOES_ON,       // it goes on by no rule that is told
    BLAME_JOINED,        // it came together with the others by no rule that is told
    BLAME_BY_LOOP,       // it goes on with the next iteration
    BLAME_NEVER_APART,   // it is with the others all the time
    BLAME_WAYS
};
// Of lanes that are too many or missing: by which rules and ways. Sets of bits.
struct blame_lanes {
    uint32_t rules; // 1 << enum blame_rule
    uint32_t ways;  // 1 << enum blame_way
};
// An operation that alone is wrong is so ...
enum blame_where {
    BLAME_NOWHERE,
    BLAME_WHOLE,  // though all lanes of the subgroup execute it
    BLAME_PART,   // where some do not
    BLAME_UNFULL, // where the subgroup is not full
};
struct blame_manner {
    struct blame_lanes extra, missing; // of a tangle that is wrong
    uint8_t where;                     // enum blame_where; of an operation that alone is wrong
    bool wide;                         // and five lanes or more are needed to see it
};

// ---- the compiler's change ---------------------------------------------------------

// Of two changes that say equally much the one counts that comes first by these enumerations.
enum blame_did {
    BLAME_DID_NOTHING, // that is seen, but for constructs more or fewer
    BLAME_COPIED,      // several operations of one
    BLAME_MERGED,      // one of several
    BLAME_MOVED,
    BLAME_REUSED, // the result of an earlier one for a later one
    BLAME_OP_NEW,
    BLAME_OP_GONE,
    // Where all group operations stand as they stood:
    BLAME_EDGE,       // a branch goes elsewhere
    BLAME_CASE_EDGE,  // a switch's label does
    BLAME_STORE_LOST, // a value is not stored
    BLAME_INST_GONE,  // an instruction is gone
    BLAME_DESCRIPTOR, // an index of a descriptor that differs is NonUniform no more
    BLAME_INST_MOVED, // a demote stands elsewhere in its block
    BLAME_ASKED,      // who is a helper decides what it did not
    BLAME_OP_OPERAND, // a group operation works on another value
    BLAME_OPERAND,    // another instruction does
};
// How an instruction stands to the constructs of a kind.
enum blame_side {
    BLAME_APART, // none of the others
    BLAME_BEFORE,
    BLAME_AFTER,
    BLAME_INSIDE,
    BLAME_CONTINUE, // in a loop's continue construct
    BLAME_WAY_OUT,  // in a loop, on the way out of it
};
// What a result is.
enum blame_use { BLAME_BRANCHES, BLAME_SWITCHES, BLAME_VALUE, BLAME_INDEX }; // an index: of a descriptor
// What was copied, merged or moved: each is kept in its place by a rule of its own.
enum blame_kind { BLAME_GROUP, BLAME_DERIVATIVE, BLAME_SAMPLE };
// Where a reused result is used.
enum blame_reuse {
    BLAME_REUSE_AFTER,
    BLAME_REUSE_IN_BRANCH,
    BLAME_REUSE_IN_LOOP,
    BLAME_REUSE_BY_PHI, // behind ways that come together, for those who came by one of them
};
enum blame_label {
    BLAME_TO_BLOCK,
    BLAME_TO_CASE,
    BLAME_TO_DEFAULT,
    BLAME_TO_CONTINUE,
    BLAME_TO_IF_MERGE,
    BLAME_TO_SWITCH_MERGE,
    BLAME_TO_LOOP_MERGE,
};
enum blame_value { BLAME_OF_LITERAL, BLAME_OF_UNDEFINED, BLAME_OF_CONSTANT, BLAME_OF_VALUE };

// What a compiler did to a module, as far as who is together can depend on it. `did` says which
// fields hold, but for the last line's.
struct blame_change {
    uint8_t did; // enum blame_did
    // BLAME_COPIED, _MERGED, _MOVED: over a construct, or from one use to another, or neither.
    bool over, turned;
    uint8_t kind;                 // the same: enum blame_kind
    uint8_t construct, from, to;  // enum blame_construct, blame_side, blame_side
    uint8_t use_from, use_to;     // enum blame_use; BLAME_OP_NEW: use_to
    uint8_t reuse;                // BLAME_REUSED: enum blame_reuse; by a phi: construct
    struct blame_op op;           // BLAME_OP_NEW, BLAME_OP_GONE
    bool after_loop;              // BLAME_OP_NEW: it works on what a loop before it made
    uint8_t label_from, label_to; // BLAME_EDGE, BLAME_CASE_EDGE: enum blame_label
    uint16_t opcode;              // BLAME_INST_GONE, BLAME_INST_MOVED, BLAME_OP_OPERAND, BLAME_OPERAND, BLAME_ASKED; BLAME_DESCRIPTOR: OpDecorate gone, or
                                  // OpAccessChain new
    uint8_t value_from, value_to; // BLAME_OPERAND, of BLAME_INST_GONE the second: enum blame_value
    bool round;                   // BLAME_ASKED: of a branch that goes round a loop or leaves it
    bool later;                   // BLAME_INST_MOVED: in its block, and not earlier
    bool called;                  // BLAME_INST_GONE: out of a function that is called
    int8_t loops, switches, ifs;  // 1: more than there were, -1: fewer
    int8_t demotes, ends, asks;   // of a fragment shader: demotes; terminates and kills; who asks who is a helper
};

// ---- the reason --------------------------------------------------------------------

// What happened, in the values that were observed.
enum blame_why {
    BLAME_WHY_UNKNOWN, // nothing that was tried gives them
    // A group operation counts lanes that are not with it:
    BLAME_OTHER_ARM,       // they took the other side of a branch
    BLAME_OTHER_CASE,      // ... or another case
    BLAME_LEFT_LOOP,       // they have left the loop
    BLAME_CONTINUED,       // they wait at the continue target, for the next iteration
    BLAME_RETURNED,        // they have returned
    BLAME_OTHER_ITERATION, // they execute it too, in another iteration
    BLAME_ABSENT_LANES,    // they do not exist
    // It lacks lanes that are with it:
    BLAME_NOT_PARTED,      // nothing has parted them, since they came together or at all
    BLAME_AFTER_SELECTION, // they came together at the merge block of a selection
    BLAME_AFTER_SWITCH,
    BLAME_AFTER_LOOP,
    BLAME_AT_CONTINUE,
    BLAME_AFTER_CALL,
    BLAME_WHERE_CHOSEN,    // only those execute it who choose its result
    // It alone is wrong, among right lanes:
    BLAME_OPERATION, // it does what another operation does
    BLAME_INACTIVE,  // it reads lanes that do not execute it
    BLAME_WHOLE_SUBGROUP, // it takes all of the subgroup to be there
    BLAME_ALONE_LANE,     // each lane for itself
    // A value:
    BLAME_LATER_VALUE,      // a lane that left a loop holds what a later iteration made
    BLAME_FIRST_LANE_VALUE, // all have one lane's
    BLAME_PHIS_IN_ORDER,    // a phi reads what another phi of its block has just become
    BLAME_VALUE_LOST,
    BLAME_WRONG_OPERAND,    // an instruction works on something else
    // A way:
    BLAME_FIRST_LANE_WAY, // all go where one lane goes
    BLAME_ELSEWHERE,      // a branch goes elsewhere
    BLAME_LOOP_ENDS,      // nobody goes round once somebody has left
    // Memory:
    BLAME_NO_BARRIER, // a barrier is gone
    // An image:
    BLAME_LEVEL,         // another level is read
    BLAME_OTHER_IMAGE,   // another image of an array
    BLAME_OTHER_SAMPLER,
    BLAME_NOT_UNIFORM,   // a descriptor that differs is taken for the same
    BLAME_TEXEL,         // another texel
    BLAME_TEXEL_KEPT,    // what was there before it was written
    // Helper invocations:
    BLAME_HELPERS_OUT,    // a group operation leaves them out, or what they have
    BLAME_HELPERS_LOAD,   // they load something else
    BLAME_HELPERS_SKIP,   // they do not go where nobody else goes
    BLAME_HELPERS_ASKED,  // who is one is told wrongly
    BLAME_DEMOTE_LOST,    // who is demoted is none
    BLAME_DEMOTE_MOVED,   // ... becomes one too early, or too late
    BLAME_DEMOTE_ENDS,    // ... ends
    BLAME_END_LOST,       // who ends goes on as one
    BLAME_WHYS
};
// What an instruction of the module would have to do, or be, instead.
enum blame_edit {
    BLAME_NO_EDIT,
    BLAME_EDIT_HELPERS_OUT,  // of a group operation: helpers are not there
    BLAME_EDIT_HELPERS_ZERO, // they have 0
    BLAME_EDIT_HELPERS_OWN,  // who reads a helper's value gets the own one
    BLAME_EDIT_LOADS_ZERO,   // of a load: helpers get 0
    BLAME_EDIT_LOADS_FIRST,  // ... what is at index 0
    BLAME_EDIT_SKIPS,        // of a branch: a side that helpers alone would take is not taken; `value`: 1, 0 the label's number
    BLAME_EDIT_ASKS_START,   // who is a helper: who was one at the start
    BLAME_EDIT_ASKS_NOBODY,
    BLAME_EDIT_DEMOTE_GONE,
    BLAME_EDIT_DEMOTE_FIRST, // at the start of its block
    BLAME_EDIT_DEMOTE_LAST,
    BLAME_EDIT_DEMOTE_ENDS,
    BLAME_EDIT_END_GOES_ON,  // of a block's end: demoted, and on to the block `value`
    BLAME_EDIT_NO_BIAS,      // of an image operation
    BLAME_EDIT_NO_OFFSET,
    BLAME_EDIT_IMPLICIT,     // its level follows from the coordinates' derivatives
    BLAME_EDIT_LEVEL,        // level `value`
    BLAME_EDIT_BESIDE,       // the texel beside it: `value` bit 0 the axis, bit 1 backwards
    BLAME_EDIT_SWAPPED,      // of x and y the other way round
    BLAME_EDIT_INDEX,        // of an array of descriptors: element `value`
    BLAME_EDIT_INDEX_FIRST,  // the first active lane's
    BLAME_EDIT_EARLIER,      // of an image's read: what the earlier read `value` gave
    BLAME_EDITS
};
// How that is known.
enum blame_known {
    BLAME_NOT_KNOWN,
    BLAME_BY_READING, // one wrong reading gives each word that was observed
    BLAME_BY_PROBE,   // a ballot in its place showed who was counted (blame_manner)
    BLAME_BY_CHANGE,  // the compiler's change
    BLAME_BY_SEVERAL, // readings of several kinds give each word: nothing tells which
};
// Whom a group operation would have to count.
enum blame_counted {
    BLAME_COUNTS_TANGLE,
    BLAME_COUNTS_BEFORE_JOIN, // those who were together before parts came together the last time
    BLAME_COUNTS_AFTER_SPLIT, // those who are together after they part the next time
    BLAME_COUNTS_EVERYBODY,   // all who ever execute it
    BLAME_COUNTS_IN_EARLIER,  // who was together when the lane was last in a block
    BLAME_COUNTS_IN_LATER,    // ... when it comes to a block
    BLAME_COUNTS_ALONE,
};

// ---- all together ------------------------------------------------------------------

// What a signature is about.
enum blame_about {
    BLAME_NOTHING, // no group operation is known to be to blame
    BLAME_THE_OP,  // the one that made the first wrong word
    BLAME_ANY_OP,  // any would be wrong there: the tangle
    BLAME_GUARD,   // the one that decides who comes by
};

#endif
