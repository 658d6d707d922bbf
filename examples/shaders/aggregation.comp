// SPDX-License-Identifier: Apache-2.0
//
// One atomic a subgroup instead of one an invocation: those whose value is odd are counted by a ballot, inside of
// the branch. Without a promise the ballot may see fewer of them; the sum of all is the same then, but Elect
// and ballot need not be of the same tangle: depends on reconvergence.
#version 450
#extension GL_KHR_shader_subgroup_ballot : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer Source { uint source[]; };
layout(set = 0, binding = 1) buffer Count { uint count; };

void main()
{
    uint value = source[gl_GlobalInvocationID.x];
    if ((value & 1u) != 0u) {
        uint n = subgroupBallotBitCount(subgroupBallot(true));
        if (subgroupElect())
            atomicAdd(count, n);
    }
}
