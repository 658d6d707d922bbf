// SPDX-License-Identifier: Apache-2.0
//
// Invocations take work from one counter until there is none. What is done is the same whoever does it, and who did it
// is written beside it: that depends on the order.
#version 450
layout(local_size_x = 32) in;
layout(set = 0, binding = 0) buffer Next { uint next; };
layout(set = 0, binding = 1) buffer Square { uint square[]; };
layout(set = 0, binding = 2) buffer Who { uint who[]; };
const uint ITEMS = 200u;

void main()
{
    for (uint item = atomicAdd(next, 1u); item < ITEMS; item = atomicAdd(next, 1u)) {
        square[item] = item * item;
        who[item] = gl_GlobalInvocationID.x;
    }
}
