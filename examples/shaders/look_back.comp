// SPDX-License-Identifier: Apache-2.0
//
// Decoupled look-back: each workgroup waits for the sum of the one before. Nobody promises that the one before ever
// runs while this one waits: depends on the order.
#version 450
layout(local_size_x = 32) in;
layout(set = 0, binding = 0) readonly buffer Source { uint source[]; };
layout(set = 0, binding = 1) coherent buffer State { uint state[]; }; // sum, and 2^31 when it is there
layout(set = 0, binding = 2) buffer Sums { uint sums[]; };

void main()
{
    if (gl_LocalInvocationIndex != 0u)
        return;
    uint sum = 0u;
    for (uint k = 0u; k < 32u; k++)
        sum += source[gl_WorkGroupID.x * 32u + k] & 15u;
    if (gl_WorkGroupID.x > 0u) {
        uint before = 0u;
        while ((before & 0x80000000u) == 0u)
            before = atomicAdd(state[gl_WorkGroupID.x - 1u], 0u);
        sum += before & 0x7fffffffu;
    }
    atomicOr(state[gl_WorkGroupID.x], sum | 0x80000000u);
    sums[gl_WorkGroupID.x] = sum;
}
