// SPDX-License-Identifier: Apache-2.0
//
// A march that ends for all when any has arrived: the vote stands in a loop that invocations leave one by one, so that
// who is asked depends on reconvergence.
#version 450
#extension GL_KHR_shader_subgroup_vote : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer Source { uint source[]; };
layout(set = 0, binding = 1) buffer Steps { uint steps[]; };

void main()
{
    uint depth = source[gl_GlobalInvocationID.x] & 15u, n = 0u;
    for (uint k = 0u; k < 16u; k++) {
        if (k == depth)
            break;
        if (subgroupAll(k + 4u > depth))
            n += 100u;
        n++;
    }
    steps[gl_GlobalInvocationID.x] = n;
}
