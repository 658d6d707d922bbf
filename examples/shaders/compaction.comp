// SPDX-License-Identifier: Apache-2.0
//
// Stream compaction: what passes is written one after the other, its place from one counter.
// The places depend on who comes to the counter first: depends on the order.
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer Source { uint source[]; };
layout(set = 0, binding = 1) buffer Kept { uint kept[]; };
layout(set = 0, binding = 2) buffer Count { uint count; };

void main()
{
    uint value = source[gl_GlobalInvocationID.x];
    if ((value & 1u) == 0u)
        kept[atomicAdd(count, 1u)] = gl_GlobalInvocationID.x;
}
