// SPDX-License-Identifier: Apache-2.0
//
// Ranks of a radix sort: equal digits are found by ballots, and each digit's first invocation moves its counter on.
// The counter is the workgroup's, so ranks depend on which subgroup comes first: depends on the order.
#version 450
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_shuffle : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer Source { uint source[]; };
layout(set = 0, binding = 1) buffer Ranks { uint ranks[]; };
shared uint counter[4];

void main()
{
    uint digit = source[gl_GlobalInvocationID.x] & 3u;
    if (gl_LocalInvocationIndex < 4u)
        counter[gl_LocalInvocationIndex] = 0u;
    barrier();
    uvec4 same = uvec4(0xffffffffu);
    for (uint bit = 0u; bit < 2u; bit++) {
        bool one = (digit >> bit & 1u) != 0u;
        uvec4 ones = subgroupBallot(one);
        same &= one ? ones : ~ones;
    }
    same &= subgroupBallot(true);
    uint before = subgroupBallotExclusiveBitCount(same);
    uint first = 0u;
    if (before == 0u)
        first = atomicAdd(counter[digit], subgroupBallotBitCount(same));
    ranks[gl_GlobalInvocationID.x] = subgroupShuffle(first, subgroupBallotFindLSB(same)) + before;
}
