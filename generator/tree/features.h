// SPDX-License-Identifier: Apache-2.0
//
// Features: what the generator may use. One row per feature, with the device capabilities that it
// needs.
#ifndef TF_GENERATOR_FEATURES_H
#define TF_GENERATOR_FEATURES_H

#include "base/base.h"
#include "spirv/needs.h"
#include "spirv/spirv.h"

// All features. `tanglefuzz gen --features` prints this table.
#define GEN_FEATURES(X)                                                                            \
    X(IF, "if", 0, "selections with one arm")                                                      \
    X(ELSE, "else", 0, "selections with two arms")                                                 \
    X(FOR, "for", 0, "loops that test before the body")                                            \
    X(DO_WHILE, "do-while", 0, "loops that test in the back edge")                                 \
    X(INFINITE, "infinite", 0, "loops left only by break or return")                               \
    X(DIVERGENT_TRIPS, "divergent-trips", 0, "trip counts that differ between invocations")        \
    X(SWITCH, "switch", 0, "switches without shared labels or fall-through")                       \
    X(BREAK, "break", 0, "break out of a loop")                                                    \
    X(CONTINUE, "continue", 0, "continue a loop")                                                  \
    X(RETURN, "return", 0, "early return")                                                         \
    X(CALL, "call", 0, "calls of functions without result")                                        \
    X(CALL_VALUE, "call-value", 0, "calls of functions with a result")                             \
    X(OP_ELECT, "elect", NEED(BASIC), "OpGroupNonUniformElect")                                    \
    X(OP_VOTE, "vote", NEED(VOTE), "OpGroupNonUniformAll, Any, AllEqual")                          \
    X(OP_BALLOT, "ballot", NEED(BALLOT), "OpGroupNonUniformBallot, and operations on ballots")     \
    X(OP_BROADCAST_FIRST, "broadcast-first", NEED(BALLOT), "OpGroupNonUniformBroadcastFirst")      \
    X(OP_REDUCE, "reduce", NEED(ARITHMETIC),                                                       \
      "iadd, umin, umax, and, or, xor, and float reductions")                                      \
    X(OP_SCAN, "scan", NEED(ARITHMETIC), "inclusive and exclusive sums, float scans")              \
    X(OP_SHUFFLE, "shuffle", NEED(SHUFFLE), "OpGroupNonUniformShuffle from an active invocation")  \
    X(OBSERVE_LATER, "observe-later", 0, "results logged after the block they come from")          \
    X(OBSERVE_FOLD, "observe-fold", 0, "results folded into arithmetic before they are logged")    \
    X(OBSERVE_BRANCH, "observe-branch", 0, "results used as conditions")                           \
    X(OBSERVE_NEVER, "observe-never", 0, "results that are not used")                              \
    X(GROUPS, "workgroups", 0, "more than one workgroup")                                          \
    X(PARTIAL, "partial-subgroup", 0, "workgroups that are not a multiple of the subgroup size")   \
    X(CONTROLS, "controls", 0, "loop and selection controls (unroll, dont-unroll, flatten ...)")   \
    X(SWITCH_SHARED, "switch-shared", 0, "case constructs that several selector values enter")     \
    X(SWITCH_FALL, "switch-fall", NEED(FALL_THROUGH), "cases that fall through to the next")       \
    X(CONTINUE_CODE, "continue-code", 0, "statements in continue constructs")                      \
    X(HEADER_TEST, "header-test", 0, "loops whose header is their condition")                      \
    X(SINGLE_BLOCK, "single-block", 0, "loops of one block")                                       \
    X(BARE_EXIT, "bare-exit", 0, "branches out of a loop without a merge instruction")             \
    X(PHI, "phi", 0, "OpPhi at merge blocks and in loop headers")                                  \
    X(OP_SHUFFLE_RELATIVE, "shuffle-relative", NEED(SHUFFLE_RELATIVE),                             \
      "OpGroupNonUniformShuffleUp, ShuffleDown")                                                   \
    X(OP_BROADCAST, "broadcast", NEED(BALLOT), "OpGroupNonUniformBroadcast of a constant lane")    \
    X(OP_ROTATE, "rotate", NEED(ROTATE), "OpGroupNonUniformRotateKHR")                             \
    X(OP_CLUSTER, "cluster", NEED(CLUSTERED), "clustered reductions")                              \
    X(OP_QUAD, "quad", NEED(QUAD), "OpGroupNonUniformQuadBroadcast, QuadSwap")                     \
    X(OP_QUAD_VOTE, "quad-vote", NEED(QUAD) | NEED(VOTE) | NEED(QUAD_CONTROL),                     \
      "OpGroupNonUniformQuadAllKHR, QuadAnyKHR")                                                   \
    X(OP_SHUFFLE_XOR, "shuffle-xor", NEED(SHUFFLE), "OpGroupNonUniformShuffleXor")                 \
    X(OP_INVERSE, "inverse-ballot", NEED(BALLOT) | NEED(BALLOT_LOOKS),                             \
      "OpGroupNonUniformInverseBallot")                                                            \
    X(OP_MORE, "more-arithmetic", NEED(ARITHMETIC) | NEED(MORE_ARITHMETIC),                        \
      "products, logical and signed operations; scans other than sums")                            \
    X(SIGNED, "signed", 0, "group operations on signed numbers")                                   \
    X(INT8, "int8", NEED(INT8), "group operations on 8-bit integers")                              \
    X(INT16, "int16", NEED(INT16), "group operations on 16-bit integers")                          \
    X(INT64, "int64", NEED(INT64), "group operations on 64-bit integers")                          \
    X(FLOAT16, "float16", NEED(FLOAT16), "exact group operations on 16-bit floats")                \
    X(FLOAT32, "float32", NEED(FLOAT32), "exact group operations on 32-bit floats")                \
    X(FLOAT64, "float64", NEED(FLOAT64), "exact group operations on 64-bit floats")                \
    X(VECTORS, "vectors", NEED(VECTORS), "group operations on vectors of two to four")             \
    X(BOOLS, "bools", NEED(BOOLS), "moves and comparisons of bools")                               \
    X(AMOUNT, "amount", 0, "moves by a uniform number that is not a constant")                     \
    X(PRIVATE, "private", 0, "Private variables that functions share")                             \
    X(SHARED, "shared", NEED(SHARED), "values through Workgroup memory, and control barriers")     \
    X(THROUGH_BUFFER, "through-buffer", NEED(BUFFER_BARRIER),                                      \
      "values through a buffer, and control barriers")                                             \
    X(ATOMIC, "atomic", NEED(ATOMIC), "atomic operations whose order does not matter")             \
    X(PRESSURE, "pressure", 0, "many values that live through the whole program")                  \
    X(PEEL, "peel", NEED(SPIRV_1_4),                                                               \
      "loop controls with a number (peel, partial unroll, most iterations)")                       \
    X(TWINS, "twins", 0, "repeated copies of earlier operations and conditions")                   \
    X(REPEAT, "refrain", 0, "one operation repeated: at the start of blocks and after constructs") \
    X(SSA, "ssa", 0, "variables as values and phis, as mem2reg leaves them")                       \
    X(OP_ROTATE_CLUSTER, "rotate-cluster", NEED(ROTATE) | NEED(ROTATE_CLUSTERED),                  \
      "OpGroupNonUniformRotateKHR with a ClusterSize")                                             \
    X(OP_PARTITION, "partition", NEED(PARTITIONED),                                                \
      "OpGroupNonUniformPartitionNV, and arithmetic over its parts")                               \
    X(STORED, "stored", 0, "values in variables that are stored once, as front ends leave them")   \
    X(PLAIN_BALLOTS, "plain-ballots", 0,                                                           \
      "ballots read by arithmetic only, no AllEqual: for targets without those operations")        \
    X(OP_DERIVATIVE, "derivative", NEED(DERIVATIVES) | NEED(DERIVATIVE_QUADS),                     \
      "OpDPdx, OpDPdy, OpFwidth, plain, fine and coarse; quad shapes")                             \
    X(DEMOTE, "demote", NEED(DEMOTE), "fragment: OpDemoteToHelperInvocation, inline and in calls") \
    X(TERMINATE, "terminate", 0, "fragment: OpTerminateInvocation, OpKill, return from the entry") \
    X(HELPERS, "helpers", 0, "fragment: queries whether an invocation is a helper")                \
    X(FULL_QUADS, "full-quads", NEED(QUAD_CONTROL),                                                \
      "fragment: RequireFullQuadsKHR, QuadDerivativesKHR")                                         \
    X(OP_SAMPLE, "sample", NEED(IMAGES) | NEED(DERIVATIVES) | NEED(DERIVATIVE_QUADS),              \
      "images sampled with implicit LOD, with bias; OpImageQueryLod; their shapes")                \
    X(OP_SAMPLE_LOD, "sample-lod", NEED(IMAGES),                                                   \
      "images sampled with explicit LOD, with gradients; gather, fetch")                           \
    X(IMAGE_INDEX, "image-index", NEED(IMAGES) | NEED(IMAGE_INDEX),                                \
      "arrays of images and samplers with a uniform index")                                        \
    X(IMAGE_NONUNIFORM, "image-nonuniform",                                                        \
      NEED(IMAGES) | NEED(IMAGE_INDEX) | NEED(IMAGE_NONUNIFORM),                                   \
      "the same with a non-uniform index (NonUniform)")                                            \
    X(OP_IMAGE, "storage-image", NEED(IMAGES), "reads and writes of a storage image")              \
    X(OP_LANE_VALUE, "lane-value", NEED(BALLOT) | NEED(QUAD) | NEED(LANE_VALUE),                   \
      "subgroup and quad broadcasts of a uniform lane that is not a constant")

enum gen_feature {
#define X(id, name, needs, line) GEN_##id,
    GEN_FEATURES(X)
#undef X
        GEN_FEATURE_COUNT,
    // Features from here on are generated only if requested by name. Otherwise they draw no choice,
    // so adding one to the table does not change programs without it.
    GEN_BY_NAME = GEN_PLAIN_BALLOTS
};
__extension__ typedef unsigned __int128 gen_features; // a set of them
_Static_assert(GEN_FEATURE_COUNT <= 128, "a bit each");
#define GEN_BIT(f) ((gen_features)1 << (f))
// Features that need whole quads.
#define GEN_QUADS            (GEN_BIT(GEN_OP_DERIVATIVE) | GEN_BIT(GEN_OP_SAMPLE))
#define GEN_SAMPLING         (GEN_BIT(GEN_OP_SAMPLE) | GEN_BIT(GEN_OP_SAMPLE_LOD))
#define GEN_ALL_FEATURES     (2 * GEN_BIT(GEN_FEATURE_COUNT - 1) - 1)
#define GEN_DEFAULT_FEATURES (GEN_BIT(GEN_BY_NAME) - 1)
// Features that only the fragment stage has, types of group operations, and features that need
// workgroups.
#define GEN_OF_FRAGMENTS                                                                           \
    (GEN_BIT(GEN_DEMOTE) | GEN_BIT(GEN_TERMINATE) | GEN_BIT(GEN_HELPERS) | GEN_BIT(GEN_FULL_QUADS))
#define GEN_OF_TYPES                                                                               \
    (GEN_BIT(GEN_SIGNED) | GEN_BIT(GEN_INT8) | GEN_BIT(GEN_INT16) | GEN_BIT(GEN_INT64) |           \
     GEN_BIT(GEN_FLOAT16) | GEN_BIT(GEN_FLOAT32) | GEN_BIT(GEN_FLOAT64) | GEN_BIT(GEN_VECTORS) |   \
     GEN_BIT(GEN_BOOLS))
#define GEN_OF_WORKGROUPS                                                                          \
    (GEN_BIT(GEN_SHARED) | GEN_BIT(GEN_THROUGH_BUFFER) | GEN_BIT(GEN_GROUPS) |                     \
     GEN_BIT(GEN_PARTIAL) | GEN_SAMPLING | GEN_BIT(GEN_IMAGE_INDEX) |                              \
     GEN_BIT(GEN_IMAGE_NONUNIFORM) | GEN_BIT(GEN_OP_IMAGE))
// Returns the default features of a stage.
gen_features gen_features_of(enum spv_stage stage);
// Returns the features that a stage cannot have.
gen_features gen_features_beyond(enum spv_stage stage);
const char *gen_feature_name(enum gen_feature f);
const char *gen_feature_line(enum gen_feature f);
spv_needs gen_feature_needs(enum gen_feature f,
                            enum spv_stage stage); // capabilities of a target that can run it
// Parses "if,else,ballot" into bits. False with a message in `e` that names the unknown feature.
bool gen_features_parse(const char *list, gen_features *out, struct err *e);
// Prints the set as a number, "0x3ffffff", and parses one. Parsing returns false for anything but a
// number, and if a bit has no feature.
void gen_features_text(gen_features set, struct text *out);
bool gen_features_read(const char *s, size_t n, gen_features *out);

#endif
