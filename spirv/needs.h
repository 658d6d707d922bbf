// SPDX-License-Identifier: Apache-2.0
//
// The features of devices and languages that a module may need, one row each. The generator
// declares which ones each of its features needs (gen_feature_needs). A target declares which ones
// it offers (struct run_info). Every target offers features that have no row here.
#ifndef TF_SPIRV_NEEDS_H
#define TF_SPIRV_NEEDS_H

#include "base/base.h"

// X(id, name in messages, description)
// clang-format off
#define SPV_NEEDS(X)                                                                               \
    /* Group operations by class. */                                                               \
    X(BASIC, "basic", "OpGroupNonUniformElect")                                                    \
    X(VOTE, "vote", "votes")                                                                       \
    X(ARITHMETIC, "arithmetic", "reductions and scans")                                            \
    X(BALLOT, "ballot", "ballots")                                                                 \
    X(SHUFFLE, "shuffle", "shuffles")                                                              \
    X(SHUFFLE_RELATIVE, "relative", "shuffles up and down")                                        \
    X(CLUSTERED, "clustered", "reductions in clusters")                                            \
    X(QUAD, "quad", "broadcasts and swaps in quads")                                               \
    X(PARTITIONED, "partitioned", "OpGroupNonUniformPartitionNV")                                  \
    X(ROTATE, "rotate", "rotation")                                                                \
    X(ROTATE_CLUSTERED, "rotate-clustered", "rotation in clusters")                                \
    X(QUAD_CONTROL, "quad-control", "OpGroupNonUniformQuadAllKHR, QuadAnyKHR; whole quads")        \
    /* Group operations on these types. Those on 32-bit integers have no row. */                   \
    X(INT8, "int8", "group operations on 8-bit integers")                                          \
    X(INT16, "int16", "group operations on 16-bit integers")                                       \
    X(INT64, "int64", "group operations on 64-bit integers")                                       \
    X(FLOAT16, "float16", "group operations on 16-bit floats")                                     \
    X(FLOAT32, "float32", "group operations on 32-bit floats")                                     \
    X(FLOAT64, "float64", "group operations on 64-bit floats")                                     \
    X(VECTORS, "vectors", "group operations on vectors")                                           \
    X(BOOLS, "bools", "moves and comparisons of bools")                                            \
    X(MORE_ARITHMETIC, "more-arithmetic", "products, logic, signed; scans of all but sums")        \
    X(SHARED, "shared", "Workgroup memory")                                                        \
    X(ATOMIC, "atomic", "atomic operations")                                                       \
    X(BUFFER_BARRIER, "buffer-barrier", "OpControlBarrier that orders storage buffers")            \
    X(SPIRV_1_4, "spirv-1.4", "SPIR-V 1.4")                                                        \
    X(BALLOT_LOOKS, "ballot-looks", "operations that look into ballots; AllEqual")                 \
    X(FALL_THROUGH, "fall-through", "fall-through from one case of a switch into the next")        \
    X(DERIVATIVES, "derivatives", "derivatives in compute shaders, by linear groups")              \
    X(DERIVATIVE_QUADS, "derivative-quads", "derivatives in compute shaders, by groups of 2 by 2") \
    X(FRAGMENT, "fragment", "fragment shaders with group operations, stores and atomics")          \
    X(VERTEX, "vertex", "vertex shaders with group operations, stores and atomics")                \
    X(DEMOTE, "demote", "OpDemoteToHelperInvocation")                                              \
    X(IMAGES, "images", "sampled and storage images, and samplers")                                \
    X(IMAGE_INDEX, "image-index", "arrays of sampled images by a non-constant index")      \
    X(IMAGE_NONUNIFORM, "image-nonuniform", "and by one that differs between invocations")         \
    X(LANE_VALUE, "lane-value", "broadcasts of a non-constant lane")                        \
    /* How a case is run. */                                                                       \
    X(SIZE_CONTROL, "size-control", "compute shaders of a required subgroup size")                 \
    X(MAXIMAL_RECONVERGENCE, "maximal-reconvergence", "maximal reconvergence")                     \
    X(SUBGROUP_UNIFORM, "subgroup-uniform", "subgroup-uniform control flow")
// clang-format on

enum spv_need {
#define X(id, name, meaning) SPV_NEED_##id,
    SPV_NEEDS(X)
#undef X
        SPV_NEED_COUNT,
    SPV_NEED_CLASSES = SPV_NEED_ROTATE_CLUSTERED + 1 // lower ones: classes of group operations
};
typedef uint64_t spv_needs; // a set of them
#define SPV_NEED(x) ((spv_needs)1 << SPV_NEED_##x)
// The stages that draw.
#define SPV_NEEDS_OF_DRAWS (SPV_NEED(FRAGMENT) | SPV_NEED(VERTEX))
#define SPV_ALL_NEEDS      (((spv_needs)1 << SPV_NEED_COUNT) - 1)

// Return the name and the description of the lowest feature in a non-empty set.
const char *spv_need_name(spv_needs set);
const char *spv_need_meaning(spv_needs set);

#endif
