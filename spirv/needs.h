// SPDX-License-Identifier: Apache-2.0
//
// What a module may need of the device or language that it goes to: the generator says it of its
// features (gen_feature_needs), runners of what a target lacks (run_lacks). What is not named here
// everybody has.
#ifndef TF_SPIRV_NEEDS_H
#define TF_SPIRV_NEEDS_H

#include "base/base.h"

enum spv_need {
    // Group operations by class, in the order of Vulkan's VkSubgroupFeatureFlagBits.
    SPV_NEED_BASIC,
    SPV_NEED_VOTE,
    SPV_NEED_ARITHMETIC,
    SPV_NEED_BALLOT,
    SPV_NEED_SHUFFLE,
    SPV_NEED_SHUFFLE_RELATIVE,
    SPV_NEED_CLUSTERED,
    SPV_NEED_QUAD,
    SPV_NEED_PARTITIONED,
    SPV_NEED_ROTATE,
    SPV_NEED_ROTATE_CLUSTERED, // OpGroupNonUniformRotateKHR with a ClusterSize
    SPV_NEED_QUAD_CONTROL,     // OpGroupNonUniformQuadAllKHR, QuadAnyKHR
    // Group operations on these types; on 32-bit integers nobody needs to be asked.
    SPV_NEED_INT8,
    SPV_NEED_INT16,
    SPV_NEED_INT64,
    SPV_NEED_FLOAT16,
    SPV_NEED_FLOAT32,
    SPV_NEED_FLOAT64,
    SPV_NEED_VECTORS,
    SPV_NEED_BOOLS,
    SPV_NEED_MORE_ARITHMETIC, // products, logic, signed; scans of all but sums
    SPV_NEED_SHARED,          // Workgroup memory
    SPV_NEED_ATOMIC,
    SPV_NEED_BUFFER_BARRIER, // OpControlBarrier that orders storage buffers
    SPV_NEED_SPIRV_1_4,
    SPV_NEED_BALLOT_LOOKS,     // operations that look into ballots, and OpGroupNonUniformAllEqual
    SPV_NEED_FALL_THROUGH,     // from one case of a switch into the next
    SPV_NEED_DERIVATIVES,      // in compute shaders, by DerivativeGroupLinearKHR
    SPV_NEED_DERIVATIVE_QUADS, // and by DerivativeGroupQuadsKHR
    SPV_NEED_FRAGMENT,    // a draw with group operations, stores and atomics in fragment shaders
    SPV_NEED_DEMOTE,      // OpDemoteToHelperInvocation
    SPV_NEED_IMAGES,      // sampled and storage images, and samplers
    SPV_NEED_IMAGE_INDEX, // arrays of sampled images by an index that is no constant
    SPV_NEED_IMAGE_NONUNIFORM, // and by one that differs between invocations
    SPV_NEED_LANE_VALUE, // Broadcast and QuadBroadcast of a lane that is no constant (SPIR-V 1.5)
    SPV_NEED_COUNT
};
typedef uint64_t spv_needs; // a set of them
#define SPV_NEED(x) ((spv_needs)1 << SPV_NEED_##x)

#endif
