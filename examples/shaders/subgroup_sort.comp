// SPDX-License-Identifier: Apache-2.0
//
// Bitonic sort of a subgroup by shuffles. Invocations beyond the input return early, and are missing where the others
// read from them: undefined where the input is no multiple of the subgroup.
#version 450
#extension GL_KHR_shader_subgroup_shuffle : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer Source { uint source[]; };
layout(set = 0, binding = 1) buffer Sorted { uint sorted[]; };
const uint ITEMS = 125u;

void main()
{
    uint i = gl_GlobalInvocationID.x;
    if (i >= ITEMS)
        return;
    uint value = source[i], lane = gl_SubgroupInvocationID;
    for (uint size = 2u; size <= gl_SubgroupSize; size <<= 1)
        for (uint step = size >> 1; step > 0u; step >>= 1) {
            uint other = subgroupShuffleXor(value, step);
            bool low = ((lane & step) == 0u) == ((lane & size) == 0u);
            value = low ? min(value, other) : max(value, other);
        }
    sorted[i] = value;
}
