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

#include "features.h"

#include "spirv/spirv_groups.h"

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

// One arithmetic operation: reduction, scans, clusters (of n lanes), and the share of each.
#define GEN_ARITHMETIC(X, id, text, opcode, kind, reduce, scan, r, u, b, c)                        \
    X(REDUCE_##id, "reduce" text, reduce, r, GroupNonUniform##opcode, REDUCE, kind)                \
    X(UPTO_##id, "upTo" text, scan, u, GroupNonUniform##opcode, INCLUSIVE, kind)                   \
    X(BELOW_##id, "below" text, scan, b, GroupNonUniform##opcode, EXCLUSIVE, kind)                 \
    X(CLUSTER_##id, "cluster" text, OP_CLUSTER, c, GroupNonUniform##opcode, CLUSTERED, kind)
// Of floats, where the first invocation of an exclusive scan gets what is not defined.
#define GEN_FLOATS(X, id, text, opcode)                                                            \
    X(REDUCE_##id, "reduce" text, OP_REDUCE, 1, GroupNonUniform##opcode, REDUCE, FLOAT)            \
    X(UPTO_##id, "upTo" text, OP_SCAN, 1, GroupNonUniform##opcode, INCLUSIVE, FLOAT)               \
    X(CLUSTER_##id, "cluster" text, OP_CLUSTER, 1, GroupNonUniform##opcode, CLUSTERED, FLOAT)

// name, spelling, feature, share of what is generated where the feature is, opcode, group operation
// (or NONE), kind. What operands and results are, and what it needs, says spirv_groups.h.
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
    X(BALLOT, "ballot", OP_BALLOT, 24, GroupNonUniformBallot, NONE, NONE)                          \
    X(BALLOT_COUNT, "ballotCount", OP_BALLOT, 4, GroupNonUniformBallotBitCount, REDUCE, NONE)      \
    X(BALLOT_UPTO, "ballotUpTo", OP_BALLOT, 3, GroupNonUniformBallotBitCount, INCLUSIVE, NONE)     \
    X(BALLOT_BELOW, "ballotBelow", OP_BALLOT, 4, GroupNonUniformBallotBitCount, EXCLUSIVE, NONE)   \
    X(BALLOT_BIT, "ballotBit", OP_BALLOT, 3, GroupNonUniformBallotBitExtract, NONE, NONE)          \
    X(FIND_FIRST, "ballotFirst", OP_BALLOT, 4, GroupNonUniformBallotFindLSB, NONE, NONE)           \
    X(FIND_LAST, "ballotLast", OP_BALLOT, 4, GroupNonUniformBallotFindMSB, NONE, NONE)             \
    X(INVERSE, "inverseBallot", OP_INVERSE, 13, GroupNonUniformInverseBallot, NONE, NONE)          \
    X(ELECT, "elect", OP_ELECT, 20, GroupNonUniformElect, NONE, NONE)                              \
    X(ALL, "all", OP_VOTE, 8, GroupNonUniformAll, NONE, NONE)                                      \
    X(ANY, "any", OP_VOTE, 10, GroupNonUniformAny, NONE, NONE)                                     \
    X(ALL_EQUAL, "allEqual", OP_VOTE, 8, GroupNonUniformAllEqual, NONE, ANY)                       \
    X(FIRST, "broadcastFirst", OP_BROADCAST_FIRST, 24, GroupNonUniformBroadcastFirst, NONE, ANY)   \
    GEN_ARITHMETIC(X, ADD, "Add", IAdd, INT, OP_REDUCE, OP_SCAN, 7, 5, 6, 2)                       \
    GEN_ARITHMETIC(X, MUL, "Mul", IMul, INT, OP_MORE, OP_MORE, 1, 1, 1, 1)                         \
    GEN_ARITHMETIC(X, MIN, "Min", UMin, UNSIGNED, OP_REDUCE, OP_MORE, 1, 1, 1, 1)                  \
    GEN_ARITHMETIC(X, MAX, "Max", UMax, UNSIGNED, OP_REDUCE, OP_MORE, 1, 1, 1, 1)                  \
    GEN_ARITHMETIC(X, SMIN, "SMin", SMin, SIGNED, OP_MORE, OP_MORE, 1, 1, 1, 1)                    \
    GEN_ARITHMETIC(X, SMAX, "SMax", SMax, SIGNED, OP_MORE, OP_MORE, 1, 1, 1, 1)                    \
    GEN_ARITHMETIC(X, AND, "And", BitwiseAnd, INT, OP_REDUCE, OP_MORE, 1, 1, 1, 1)                 \
    GEN_ARITHMETIC(X, OR, "Or", BitwiseOr, INT, OP_REDUCE, OP_MORE, 1, 1, 1, 1)                    \
    GEN_ARITHMETIC(X, XOR, "Xor", BitwiseXor, INT, OP_REDUCE, OP_MORE, 1, 1, 1, 1)                 \
    GEN_FLOATS(X, FADD, "FAdd", FAdd)                                                              \
    GEN_FLOATS(X, FMIN, "FMin", FMin)                                                              \
    GEN_FLOATS(X, FMAX, "FMax", FMax)                                                              \
    GEN_ARITHMETIC(X, BOTH, "Both", LogicalAnd, NONE, OP_MORE, OP_MORE, 1, 1, 1, 1)                \
    GEN_ARITHMETIC(X, EITHER, "Either", LogicalOr, NONE, OP_MORE, OP_MORE, 1, 1, 1, 1)             \
    GEN_ARITHMETIC(X, UNLIKE, "Unlike", LogicalXor, NONE, OP_MORE, OP_MORE, 1, 1, 1, 1)            \
    X(QUAD_ALL, "quadAll", OP_QUAD_VOTE, 5, GroupNonUniformQuadAllKHR, NONE, NONE)                 \
    X(QUAD_ANY, "quadAny", OP_QUAD_VOTE, 5, GroupNonUniformQuadAnyKHR, NONE, NONE)                 \
    X(SHUFFLE, "shuffle", OP_SHUFFLE, 18, GroupNonUniformShuffle, NONE, ANY)                       \
    X(SHUFFLE_XOR, "shuffleXor", OP_SHUFFLE_XOR, 13, GroupNonUniformShuffleXor, NONE, ANY)         \
    X(SHUFFLE_UP, "shuffleUp", OP_SHUFFLE_RELATIVE, 6, GroupNonUniformShuffleUp, NONE, ANY)        \
    X(SHUFFLE_DOWN, "shuffleDown", OP_SHUFFLE_RELATIVE, 6, GroupNonUniformShuffleDown, NONE, ANY)  \
    X(BROADCAST, "broadcast", OP_BROADCAST, 15, GroupNonUniformBroadcast, NONE, ANY)               \
    X(ROTATE, "rotate", OP_ROTATE, 11, GroupNonUniformRotateKHR, NONE, ANY)                        \
    X(QUAD_BROADCAST, "quadBroadcast", OP_QUAD, 5, GroupNonUniformQuadBroadcast, NONE, ANY)        \
    X(QUAD_SWAP, "quadSwap", OP_QUAD, 6, GroupNonUniformQuadSwap, NONE, ANY)                       \
    X(ROTATE_CLUSTER, "rotateCluster", OP_ROTATE_CLUSTER, 16, GroupNonUniformRotateKHR, CLUSTERED, \
      ANY)                                                                                         \
    X(PARTITION, "partition", OP_PARTITION, 16, GroupNonUniformPartitionNV, NONE, ANY)             \
    X(DPDX_FINE, "dpdxFine", OP_DERIVATIVE, 5, DPdxFine, NONE, NONE)                               \
    X(DPDY_FINE, "dpdyFine", OP_DERIVATIVE, 5, DPdyFine, NONE, NONE)                               \
    X(FWIDTH_FINE, "fwidthFine", OP_DERIVATIVE, 3, FwidthFine, NONE, NONE)                         \
    X(DPDX, "dpdx", OP_DERIVATIVE, 3, DPdx, NONE, NONE)                                            \
    X(DPDY, "dpdy", OP_DERIVATIVE, 3, DPdy, NONE, NONE)                                            \
    X(FWIDTH, "fwidth", OP_DERIVATIVE, 2, Fwidth, NONE, NONE)                                      \
    X(DPDX_COARSE, "dpdxCoarse", OP_DERIVATIVE, 1, DPdxCoarse, NONE, NONE)                         \
    X(DPDY_COARSE, "dpdyCoarse", OP_DERIVATIVE, 1, DPdyCoarse, NONE, NONE)                         \
    X(FWIDTH_COARSE, "fwidthCoarse", OP_DERIVATIVE, 1, FwidthCoarse, NONE, NONE)                   \
    X(SAMPLE, "sample", OP_SAMPLE, 6, ImageSampleImplicitLod, NONE, NONE)                          \
    X(SAMPLE_BIAS, "sampleBias", OP_SAMPLE, 2, ImageSampleImplicitLod, NONE, NONE)                 \
    X(QUERY_LOD, "queryLod", OP_SAMPLE, 1, ImageQueryLod, NONE, NONE)                              \
    X(SAMPLE_LOD, "sampleLod", OP_SAMPLE_LOD, 5, ImageSampleExplicitLod, NONE, NONE)               \
    X(SAMPLE_GRAD, "sampleGrad", OP_SAMPLE_LOD, 3, ImageSampleExplicitLod, NONE, NONE)             \
    X(GATHER, "gather", OP_SAMPLE_LOD, 2, ImageGather, NONE, NONE)                                 \
    X(FETCH, "fetch", OP_SAMPLE_LOD, 3, ImageFetch, NONE, NONE)                                    \
    X(IMAGE_SWAP, "imageSwap", OP_IMAGE, 8, ImageRead, NONE, NONE)                                 \
    X(BROADCAST_VALUE, "broadcastValue", OP_LANE_VALUE, 16, GroupNonUniformBroadcast, NONE, ANY)   \
    X(QUAD_BROADCAST_VALUE, "quadBroadcastValue", OP_LANE_VALUE, 12, GroupNonUniformQuadBroadcast, \
      NONE, ANY)
// Moves, from lane l: XOR l ^ n; UP l - n; DOWN l + n; BROADCAST n; ROTATE (l + n) mod size;
// QUAD_BROADCAST lane n of the quad, n < 4; QUAD_SWAP l ^ (n + 1), n < 3; ROTATE_CLUSTER as ROTATE,
// in clusters of n lanes, by the second operand, which may be a constant; BROADCAST_VALUE and
// QUAD_BROADCAST_VALUE as BROADCAST and QUAD_BROADCAST, of the lane that the second operand says.
// Derivatives stand where quads are whole (tree_quads.c). They are of floats: component c is
// (operand >> 4c) & 15, and 16 * {1, 0, 2, 3} by quad index, so that no difference is zero, both
// signs are there, and all is small; the result goes back as a signed number, components folded.
// Images: the operand's bits 0 and 1 are the level, or the LOD by derivatives or gradients (bit 2:
// one more by a bias), of which 3 is the last level, too; a second operand is the index of the
// image, and of the sampler where n says so. Where quads have to be whole both are the same in
// each. IMAGE_SWAP reads the invocation's own texel and puts the operand there.
enum gen_image_binding {
    GEN_IMAGES,
    GEN_SAMPLERS,
    GEN_TEXTURE,
    GEN_STORE,
    GEN_IMAGE_BINDINGS
}; // of set 1
enum { GEN_IMAGE_COUNT = 4, GEN_SAMPLER_COUNT = 2 };
// n of an operation on images: the number of the image, unless there is an index, and these.
enum {
    GEN_SAMPLER_ONE = 4,      // times the number of the sampler
    GEN_IMAGE_COMBINED = 8,   // the combined one, instead of all that
    GEN_SAMPLER_INDEXED = 16, // the sampler's number is the index, too
    GEN_GATHER_ONE = 32,      // times the component
    GEN_IMAGE_CHOICES = 128,
};

enum gen_group_op {
#define X(id, text, feature, share, opcode, group, kind) GROUP_##id,
    GEN_GROUP_OPS(X)
#undef X
        GROUP_OPS,
    GROUP_BY_NAME = GROUP_QUAD_SWAP + 1 // from here on, those of features from GEN_BY_NAME on
};

enum gen_group_operation { OVER_NONE, OVER_REDUCE, OVER_INCLUSIVE, OVER_EXCLUSIVE, OVER_CLUSTERED };

struct gen_group_row {
    const char *text;
    enum gen_feature feature;
    uint8_t share;
    SpvOp opcode;
    enum gen_group_operation group;
    enum gen_kind kind;
};
const struct gen_group_row *gen_group_row(enum gen_group_op op);
const struct spv_group_op *gen_group_op(enum gen_group_op op); // never NULL; not of images
// In the tree: of its result, and of its first operand (TYPE_VOID: it has none).
enum gen_type gen_group_type(enum gen_group_op op);
enum gen_type gen_group_arg(enum gen_group_op op);
bool gen_group_moves(enum gen_group_op op);
// Of a move: may its second operand be there; must it? What that, or n, is less than.
bool gen_group_by_value(enum gen_group_op op);
bool gen_group_lane_value(enum gen_group_op op);
uint32_t gen_group_by_below(enum gen_group_op op, uint32_t subgroup);
bool gen_group_derives(enum gen_group_op op);
bool gen_group_images(enum gen_group_op op);
bool gen_group_quads(enum gen_group_op op); // has to stand where quads are whole

// Where a shuffle reads; always an invocation that is active there. All but SELF
// need a ballot.
enum gen_source {
    FROM_SELF,
    FROM_FIRST, // active lane
    FROM_LAST,
    FROM_XOR, // lane ^ n where that is active, else itself; n below the subgroup size
};

#endif
