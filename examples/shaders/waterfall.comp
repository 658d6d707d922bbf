// SPDX-License-Identifier: Apache-2.0
//
// A waterfall loop: one value after the other, each by the invocations that have it; how many is counted behind the
// branch and before the break. Who is together there only maximal reconvergence promises.
#version 450
#extension GL_KHR_shader_subgroup_ballot : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer Source { uint source[]; };
layout(set = 0, binding = 1) buffer Shares { uint shares[]; };

void main()
{
    uint key = source[gl_GlobalInvocationID.x] & 3u;
    for (;;) {
        uint first = subgroupBroadcastFirst(key);
        if (first == key) {
            shares[gl_GlobalInvocationID.x] = subgroupBallotBitCount(subgroupBallot(true));
            break;
        }
    }
}
