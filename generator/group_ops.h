// SPDX-License-Identifier: Apache-2.0
//
// Group operations, one row each, and the element types that they are done in.
//
// In the tree operands and results are u32, bool or ballots. An operation of a
// kind (not KIND_NONE) may be done in another element type and on vectors: its
// operand is converted (component c of an integer: operand >> 3c; of a bool its lowest bit; of
// a float: of that the low 3 bits | 8 for f16, the low 8 bits | 256 else, so that sums are
// exact), and the result is converted back, components folded into one number (r = 5 r + c, from
// the first).
#ifndef TF_GENERATOR_GROUP_OPS_H
#define TF_GENERATOR_GROUP_OPS_H

#include "generator.h"

enum gen_type { TYPE_VOID, TYPE_BOOL, TYPE_U32, TYPE_BALLOT };

// name, spelling, feature or none, bits, signed, float. 64-bit integers hold the operand in
// the low half and its complement in the high one; back: low + 3 high.
#define GEN_AS(X)                                                                                  \
    X(U32, "", COUNT, 32, false, false)                                                            \
    X(I32, "i32", SIGNED, 32, true, false)                                                         \
    X(U8, "u8", INT8, 8, false, false)                                                             \
    X(I8, "i8", INT8, 8, true, false)                                                              \
    X(U16, "u16", INT16, 16, false, false)                                                         \
    X(I16, "i16", INT16, 16, true, false)                                                          \
    X(U64, "u64", INT64, 64, false, false)                                                         \
    X(I64, "i64", INT64, 64, true, false)                                                          \
    X(F16, "f16", FLOAT16, 16, true, true)                                                         \
    X(F32, "f32", FLOAT32, 32, true, true)                                                         \
    X(F64, "f64", FLOAT64, 64, true, true)                                                         \
    X(BOOL, "bool", BOOLS, 1, false, false)
enum gen_as {
#define X(id, text, feature, bits, is_signed, is_float) AS_##id,
    GEN_AS(X)
#undef X
        AS_COUNT
};
struct gen_as_row {
    const char *text;
    enum gen_feature feature; // GEN_FEATURE_COUNT: none
    uint32_t bits;
    bool is_signed, is_float;
};
const struct gen_as_row *gen_as_row(enum gen_as as);

// Which element types an operation may be done in.
enum gen_kind {
    KIND_NONE, // as its row says, only
    KIND_INT,
    KIND_UNSIGNED,
    KIND_SIGNED,
    KIND_FLOAT,
    KIND_ANY, // moves, and comparison
};
bool gen_kind_takes(enum gen_kind kind, enum gen_as as);

// One arithmetic operation: reduction, scans, clusters (of n lanes).
#define GEN_ARITHMETIC(X, id, text, opcode, type, kind, reduce, scan)                              \
    X(REDUCE_##id, "reduce" text, reduce, Arithmetic, opcode, REDUCE, type, type, kind)            \
    X(UPTO_##id, "upTo" text, scan, Arithmetic, opcode, INCLUSIVE, type, type, kind)               \
    X(BELOW_##id, "below" text, scan, Arithmetic, opcode, EXCLUSIVE, type, type, kind)             \
    X(CLUSTER_##id, "cluster" text, OP_CLUSTER, Clustered, opcode, CLUSTERED, type, type, kind)
// Of floats, where the first invocation of an exclusive scan gets what is not defined.
#define GEN_FLOATS(X, id, text, opcode)                                                            \
    X(REDUCE_##id, "reduce" text, OP_REDUCE, Arithmetic, opcode, REDUCE, U32, U32, FLOAT)          \
    X(UPTO_##id, "upTo" text, OP_SCAN, Arithmetic, opcode, INCLUSIVE, U32, U32, FLOAT)             \
    X(CLUSTER_##id, "cluster" text, OP_CLUSTER, Clustered, opcode, CLUSTERED, U32, U32, FLOAT)

// name, spelling, feature, capability, opcode, group operation (or NONE), result, operand, kind.
//
// BALLOT_BIT has a second operand, the lane, less than the subgroup size.
// FIND_FIRST and FIND_LAST look into a ballot(true), which is never empty. INVERSE's
// ballot is a value that is the same in the tangle (rule: bound by an OP).
// SHUFFLE has a `source`.
// What stands after it are *moves*: they read lane `from`, as told below, and give the
// invocation's own operand where that lane is not active (asked of a ballot next to it) or
// not there. n is a constant below the subgroup size, but for quads; or it is the second
// operand, the same for all and below the subgroup size (feature "amount"; not of broadcasts, which
// SPIR-V 1.3 wants constant).
#define GEN_GROUP_OPS(X)                                                                           \
    X(BALLOT, "ballot", OP_BALLOT, Ballot, Ballot, NONE, BALLOT, BOOL, NONE)                       \
    X(BALLOT_COUNT, "ballotCount", OP_BALLOT, Ballot, BallotBitCount, REDUCE, U32, BALLOT, NONE)   \
    X(BALLOT_UPTO, "ballotUpTo", OP_BALLOT, Ballot, BallotBitCount, INCLUSIVE, U32, BALLOT, NONE)  \
    X(BALLOT_BELOW, "ballotBelow", OP_BALLOT, Ballot, BallotBitCount, EXCLUSIVE, U32, BALLOT,      \
      NONE)                                                                                        \
    X(BALLOT_BIT, "ballotBit", OP_BALLOT, Ballot, BallotBitExtract, NONE, BOOL, BALLOT, NONE)      \
    X(FIND_FIRST, "ballotFirst", OP_BALLOT, Ballot, BallotFindLSB, NONE, U32, BALLOT, NONE)        \
    X(FIND_LAST, "ballotLast", OP_BALLOT, Ballot, BallotFindMSB, NONE, U32, BALLOT, NONE)          \
    X(INVERSE, "inverseBallot", OP_INVERSE, Ballot, InverseBallot, NONE, BOOL, BALLOT, NONE)       \
    X(ELECT, "elect", OP_ELECT, , Elect, NONE, BOOL, VOID, NONE)                                   \
    X(ALL, "all", OP_VOTE, Vote, All, NONE, BOOL, BOOL, NONE)                                      \
    X(ANY, "any", OP_VOTE, Vote, Any, NONE, BOOL, BOOL, NONE)                                      \
    X(ALL_EQUAL, "allEqual", OP_VOTE, Vote, AllEqual, NONE, BOOL, U32, ANY)                        \
    X(FIRST, "broadcastFirst", OP_BROADCAST_FIRST, Ballot, BroadcastFirst, NONE, U32, U32, ANY)    \
    GEN_ARITHMETIC(X, ADD, "Add", IAdd, U32, INT, OP_REDUCE, OP_SCAN)                              \
    GEN_ARITHMETIC(X, MUL, "Mul", IMul, U32, INT, OP_MORE, OP_MORE)                                \
    GEN_ARITHMETIC(X, MIN, "Min", UMin, U32, UNSIGNED, OP_REDUCE, OP_MORE)                         \
    GEN_ARITHMETIC(X, MAX, "Max", UMax, U32, UNSIGNED, OP_REDUCE, OP_MORE)                         \
    GEN_ARITHMETIC(X, SMIN, "SMin", SMin, U32, SIGNED, OP_MORE, OP_MORE)                           \
    GEN_ARITHMETIC(X, SMAX, "SMax", SMax, U32, SIGNED, OP_MORE, OP_MORE)                           \
    GEN_ARITHMETIC(X, AND, "And", BitwiseAnd, U32, INT, OP_REDUCE, OP_MORE)                        \
    GEN_ARITHMETIC(X, OR, "Or", BitwiseOr, U32, INT, OP_REDUCE, OP_MORE)                           \
    GEN_ARITHMETIC(X, XOR, "Xor", BitwiseXor, U32, INT, OP_REDUCE, OP_MORE)                        \
    GEN_FLOATS(X, FADD, "FAdd", FAdd)                                                              \
    GEN_FLOATS(X, FMIN, "FMin", FMin)                                                              \
    GEN_FLOATS(X, FMAX, "FMax", FMax)                                                              \
    GEN_ARITHMETIC(X, BOTH, "Both", LogicalAnd, BOOL, NONE, OP_MORE, OP_MORE)                      \
    GEN_ARITHMETIC(X, EITHER, "Either", LogicalOr, BOOL, NONE, OP_MORE, OP_MORE)                   \
    GEN_ARITHMETIC(X, UNLIKE, "Unlike", LogicalXor, BOOL, NONE, OP_MORE, OP_MORE)                  \
    X(QUAD_ALL, "quadAll", OP_QUAD_VOTE, Quad, QuadAllKHR, NONE, BOOL, BOOL, NONE)                 \
    X(QUAD_ANY, "quadAny", OP_QUAD_VOTE, Quad, QuadAnyKHR, NONE, BOOL, BOOL, NONE)                 \
    X(SHUFFLE, "shuffle", OP_SHUFFLE, Shuffle, Shuffle, NONE, U32, U32, ANY)                       \
    X(SHUFFLE_XOR, "shuffleXor", OP_SHUFFLE_XOR, Shuffle, ShuffleXor, NONE, U32, U32, ANY)         \
    X(SHUFFLE_UP, "shuffleUp", OP_SHUFFLE_RELATIVE, ShuffleRelative, ShuffleUp, NONE, U32, U32,    \
      ANY)                                                                                         \
    X(SHUFFLE_DOWN, "shuffleDown", OP_SHUFFLE_RELATIVE, ShuffleRelative, ShuffleDown, NONE, U32,   \
      U32, ANY)                                                                                    \
    X(BROADCAST, "broadcast", OP_BROADCAST, Ballot, Broadcast, NONE, U32, U32, ANY)                \
    X(ROTATE, "rotate", OP_ROTATE, RotateKHR, RotateKHR, NONE, U32, U32, ANY)                      \
    X(QUAD_BROADCAST, "quadBroadcast", OP_QUAD, Quad, QuadBroadcast, NONE, U32, U32, ANY)          \
    X(QUAD_SWAP, "quadSwap", OP_QUAD, Quad, QuadSwap, NONE, U32, U32, ANY)
// Moves, from lane l: XOR l ^ n; UP l - n; DOWN l + n; BROADCAST n; ROTATE (l + n) mod size;
// QUAD_BROADCAST lane n of the quad, n < 4; QUAD_SWAP l ^ (n + 1), n < 3.

enum gen_group_op {
#define X(id, text, feature, capability, opcode, group, result, arg, kind) GROUP_##id,
    GEN_GROUP_OPS(X)
#undef X
        GROUP_OPS,
    GROUP_MOVES = GROUP_SHUFFLE_XOR // the first of them
};

enum gen_group_operation { OVER_NONE, OVER_REDUCE, OVER_INCLUSIVE, OVER_EXCLUSIVE, OVER_CLUSTERED };

struct gen_group_row {
    const char *text;
    enum gen_feature feature;
    SpvCapability capability;
    SpvOp opcode;
    enum gen_group_operation group;
    enum gen_type type, arg;
    enum gen_kind kind;
};
const struct gen_group_row *gen_group_row(enum gen_group_op op);

// Where a shuffle reads; always an invocation that is active there. All but SELF
// need a ballot.
enum gen_source {
    FROM_SELF,
    FROM_FIRST, // active lane
    FROM_LAST,
    FROM_XOR, // lane ^ n where that is active, else itself; n below the subgroup size
};

#endif
