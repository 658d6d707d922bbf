// SPDX-License-Identifier: Apache-2.0
//
// Group operations, one row each, and the element types that they can use.
//
// In the tree, operands and results are u32, bool or ballots. An operation whose kind is not
// KIND_NONE can also run on another element type and on vectors. The emitted code converts the
// operand: component c of an integer is operand >> 3c; of a bool it is the lowest bit of that; of a
// float it is the low 3 bits of that | 8 for f16, otherwise the low 8 bits | 256, which keeps sums
// exact. It converts the result back by folding the components into one number, r = 5 r + c, from
// the first.
#ifndef TF_GENERATOR_GROUP_OPS_H
#define TF_GENERATOR_GROUP_OPS_H

#include "features.h"

#include "spirv/spirv_groups.h"

enum gen_type { TYPE_VOID, TYPE_BOOL, TYPE_U32, TYPE_BALLOT };

// Columns: name, spelling, feature (COUNT: none), bits, signed, float. A 64-bit integer holds the
// operand in its low half and the complement in its high half; the result converts back as low + 3
// high.
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

// The element types that an operation can use.
enum gen_kind {
    KIND_NONE, // only the types of its row
    KIND_INT,
    KIND_UNSIGNED,
    KIND_SIGNED,
    KIND_FLOAT,
    KIND_ANY, // any: moves and comparison
};
bool gen_kind_takes(enum gen_kind kind, enum gen_as as);

// One arithmetic operation: reduction, scans, clusters (of n lanes), and the share of each.
#define GEN_ARITHMETIC(X, id, text, opcode, kind, reduce, scan, r, u, b, c)                        \
    X(REDUCE_##id, "reduce" text, reduce, r, GroupNonUniform##opcode, REDUCE, kind)                \
    X(UPTO_##id, "upTo" text, scan, u, GroupNonUniform##opcode, INCLUSIVE, kind)                   \
    X(BELOW_##id, "below" text, scan, b, GroupNonUniform##opcode, EXCLUSIVE, kind)                 \
    X(CLUSTER_##id, "cluster" text, OP_CLUSTER, c, GroupNonUniform##opcode, CLUSTERED, kind)
// Float operations. They have no exclusive scan, because its first invocation has an undefined
// result.
#define GEN_FLOATS(X, id, text, opcode)                                                            \
    X(REDUCE_##id, "reduce" text, OP_REDUCE, 1, GroupNonUniform##opcode, REDUCE, FLOAT)            \
    X(UPTO_##id, "upTo" text, OP_SCAN, 1, GroupNonUniform##opcode, INCLUSIVE, FLOAT)               \
    X(CLUSTER_##id, "cluster" text, OP_CLUSTER, 1, GroupNonUniform##opcode, CLUSTERED, FLOAT)
// The same over the parts of the active invocations that have the same second operand: PartitionNV,
// right before it, yields them.
#define GEN_PARTS(X, id, text, opcode, kind, share)                                                \
    X(PART_REDUCE_##id, "partReduce" text, OP_PARTITION, share, GroupNonUniform##opcode,           \
      PART_REDUCE, kind)                                                                           \
    X(PART_UPTO_##id, "partUpTo" text, OP_PARTITION, share, GroupNonUniform##opcode,               \
      PART_INCLUSIVE, kind)                                                                        \
    X(PART_BELOW_##id, "partBelow" text, OP_PARTITION, share, GroupNonUniform##opcode,             \
      PART_EXCLUSIVE, kind)

// Columns: name, spelling, feature, share among the operations of that feature, opcode, group
// operation (or NONE), kind. spirv_groups.h specifies the operands, the result and the needed
// capabilities.
//
// BALLOT_BIT has a second operand, the lane, which is less than the subgroup size. FIND_FIRST and
// FIND_LAST read a ballot(true), which is never empty. The ballot of INVERSE is a value that is
// uniform in the tangle (rule: an OP binds it). SHUFFLE has a `source`.
// The rows after SHUFFLE up to QUAD_SWAP, ROTATE_CLUSTER, and the two rows by value are *moves*. A
// move reads the lane listed below the table. If that lane does not exist or is inactive (a ballot
// next to the move checks this), the result is the invocation's own operand. n is a constant below
// the subgroup size (less for quads), or sometimes that size (gen_group_reaches). Instead of n, a
// move may have a second operand that is uniform and below the same limit (feature "amount"; not
// for broadcasts, whose lane must be constant in SPIR-V 1.3).
#define GEN_GROUP_OPS(X)                                                                           \
    X(BALLOT, "ballot", OP_BALLOT, 24, GroupNonUniformBallot, NONE, NONE)                          \
    X(BALLOT_COUNT, "ballotCount", OP_BALLOT, 4, GroupNonUniformBallotBitCount, REDUCE, NONE)      \
    X(BALLOT_UPTO, "ballotUpTo", OP_BALLOT, 3, GroupNonUniformBallotBitCount, INCLUSIVE, NONE)     \
    X(BALLOT_BELOW, "ballotBelow", OP_BALLOT, 4, GroupNonUniformBallotBitCount, EXCLUSIVE, NONE)   \
    X(BALLOT_BIT, "ballotBit", OP_BALLOT, 3, GroupNonUniformBallotBitExtract, NONE, NONE)          \
    X(FIND_FIRST, "ballotFirst", OP_BALLOT, 4, GroupNonUniformBallotFindLSB, NONE, NONE)           \
    X(FIND_LAST, "ballotLast", OP_BALLOT, 4, GroupNonUniformBallotFindMSB, NONE, NONE)             \
    X(INVERSE, "inverseBallot", OP_INVERSE, 16, GroupNonUniformInverseBallot, NONE, NONE)          \
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
    X(SHUFFLE_XOR, "shuffleXor", OP_SHUFFLE_XOR, 17, GroupNonUniformShuffleXor, NONE, ANY)         \
    X(SHUFFLE_UP, "shuffleUp", OP_SHUFFLE_RELATIVE, 18, GroupNonUniformShuffleUp, NONE, ANY)       \
    X(SHUFFLE_DOWN, "shuffleDown", OP_SHUFFLE_RELATIVE, 18, GroupNonUniformShuffleDown, NONE, ANY) \
    X(BROADCAST, "broadcast", OP_BROADCAST, 24, GroupNonUniformBroadcast, NONE, ANY)               \
    X(ROTATE, "rotate", OP_ROTATE, 18, GroupNonUniformRotateKHR, NONE, ANY)                        \
    X(QUAD_BROADCAST, "quadBroadcast", OP_QUAD, 5, GroupNonUniformQuadBroadcast, NONE, ANY)        \
    X(QUAD_SWAP, "quadSwap", OP_QUAD, 6, GroupNonUniformQuadSwap, NONE, ANY)                       \
    X(ROTATE_CLUSTER, "rotateCluster", OP_ROTATE_CLUSTER, 16, GroupNonUniformRotateKHR, CLUSTERED, \
      ANY)                                                                                         \
    X(PARTITION, "partition", OP_PARTITION, 10, GroupNonUniformPartitionNV, NONE, ANY)             \
    GEN_PARTS(X, ADD, "Add", IAdd, INT, 2)                                                         \
    GEN_PARTS(X, MIN, "Min", UMin, UNSIGNED, 1)                                                    \
    GEN_PARTS(X, SMAX, "SMax", SMax, SIGNED, 1)                                                    \
    GEN_PARTS(X, OR, "Or", BitwiseOr, INT, 1)                                                      \
    GEN_PARTS(X, XOR, "Xor", BitwiseXor, INT, 1)                                                   \
    GEN_PARTS(X, EITHER, "Either", LogicalOr, NONE, 1)                                             \
    X(PART_REDUCE_FADD, "partReduceFAdd", OP_PARTITION, 1, GroupNonUniformFAdd, PART_REDUCE,       \
      FLOAT)                                                                                       \
    X(PART_UPTO_FMAX, "partUpToFMax", OP_PARTITION, 1, GroupNonUniformFMax, PART_INCLUSIVE, FLOAT) \
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
// Moves, by the lane that lane l reads. XOR: l ^ n. UP: l - n. DOWN: l + n. BROADCAST: n. ROTATE:
// (l + n) mod size. QUAD_BROADCAST: lane n of the quad, n < 4. QUAD_SWAP: l ^ (n + 1), n < 3.
// ROTATE_CLUSTER: like ROTATE in clusters of n lanes, by the second operand, which may be a
// constant. BROADCAST_VALUE and QUAD_BROADCAST_VALUE: like BROADCAST and QUAD_BROADCAST, from the
// lane in the second operand.
// Derivatives run where quads are whole (tree_quads.c), on floats. Component c is (operand >> 4c) &
// 15, plus 16 * {1, 0, 2, 3} by quad index, so that no difference is zero, both signs occur, and
// all numbers are small. The result converts back to a signed number, components folded.
// Images: bits 0 and 1 of the operand are the level, or the LOD that derivatives or gradients yield
// (bit 2: one more, by a bias); level 3 is the last one. A second operand is the index of the
// image, and of the sampler if n has GEN_SAMPLER_INDEXED. Where quads must be whole, both are
// uniform in each quad. IMAGE_SWAP reads the invocation's own texel and writes the operand to it.
enum gen_image_binding {
    GEN_IMAGES,
    GEN_SAMPLERS,
    GEN_TEXTURE,
    GEN_STORE,
    GEN_IMAGE_BINDINGS
}; // of set 1
enum { GEN_IMAGE_COUNT = 4, GEN_SAMPLER_COUNT = 2 };
// Bits of n for an image operation. The low bits are the number of the image, unless there is an
// index.
enum {
    GEN_SAMPLER_ONE = 4,      // times the number of the sampler
    GEN_IMAGE_COMBINED = 8,   // the combined image sampler; ignores image and sampler numbers
    GEN_SAMPLER_INDEXED = 16, // the index selects the sampler too
    GEN_GATHER_ONE = 32,      // times the component
    GEN_IMAGE_CHOICES = 128,
};

enum gen_group_op {
#define X(id, text, feature, share, opcode, group, kind) GROUP_##id,
    GEN_GROUP_OPS(X)
#undef X
        GROUP_OPS,
    GROUP_BY_NAME = GROUP_DPDX_FINE // from here on: operations of features from GEN_BY_NAME on
};

enum gen_group_operation {
    OVER_NONE,
    OVER_REDUCE,
    OVER_INCLUSIVE,
    OVER_EXCLUSIVE,
    OVER_CLUSTERED,
    OVER_PART_REDUCE,
    OVER_PART_INCLUSIVE,
    OVER_PART_EXCLUSIVE
};

struct gen_group_row {
    const char *text;
    enum gen_feature feature;
    uint8_t share;
    SpvOp opcode;
    enum gen_group_operation group;
    enum gen_kind kind;
};
const struct gen_group_row *gen_group_row(enum gen_group_op op);
const struct spv_group_op *gen_group_op(enum gen_group_op op); // never NULL; not for image
                                                               // operations
// The type in the tree of the result, and of the first operand (TYPE_VOID: it has none).
enum gen_type gen_group_type(enum gen_group_op op);
enum gen_type gen_group_arg(enum gen_group_op op);
bool gen_group_moves(enum gen_group_op op);
bool gen_group_parts(enum gen_group_op op); // true if it is over parts (GEN_PARTS)
// For a move: returns whether it may have a second operand, whether it must have one, and the limit
// below which that operand, or n, must be.
bool gen_group_by_value(enum gen_group_op op);
bool gen_group_lane_value(enum gen_group_op op);
uint32_t gen_group_by_below(enum gen_group_op op, uint32_t subgroup);
// For a move by a constant: true if n may also be the subgroup size. Then a rotation ends where it
// began, and of the others each invocation reads a lane that does not exist: its result is
// undefined (SPIR-V 3.52.24), and not used.
bool gen_group_reaches(enum gen_group_op op);
bool gen_group_derives(enum gen_group_op op);
bool gen_group_images(enum gen_group_op op);
bool gen_group_quads(enum gen_group_op op); // true if it must run where quads are whole

// The lane that a shuffle reads; it is always active there. All but SELF need a ballot.
enum gen_source {
    FROM_SELF,
    FROM_FIRST, // active lane
    FROM_LAST,
    FROM_XOR, // lane ^ n if that is active, otherwise itself; n is below the subgroup size
};

#endif
