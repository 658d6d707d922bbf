// SPDX-License-Identifier: Apache-2.0
//
// Keys go into a table by compare-and-swap; who finds a slot taken tries the next one. Where two keys collide the
// slots depend on who came first: depends on the order.
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer Source { uint source[]; };
layout(set = 0, binding = 1) buffer Table { uint table[256]; };

void main()
{
    uint key = gl_GlobalInvocationID.x * 7u + (source[gl_GlobalInvocationID.x] & 7u) + 1u;
    uint slot = key * 5u % 256u;
    for (uint k = 0u; k < 256u; k++) {
        uint old = atomicCompSwap(table[slot], 0u, key);
        if (old == 0u || old == key)
            break;
        slot = (slot + 1u) % 256u;
    }
}
