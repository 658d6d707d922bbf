// SPDX-License-Identifier: Apache-2.0
//
// Prefix sum of a workgroup: by subgroups, then over their sums. All come to each group operation: portable.
#version 450
#extension GL_KHR_shader_subgroup_arithmetic : require
layout(local_size_x = 128) in;
layout(set = 0, binding = 0) readonly buffer Source { uint source[]; };
layout(set = 0, binding = 1) buffer Sums { uint sums[]; };
shared uint part[128];

void main()
{
    uint value = source[gl_GlobalInvocationID.x] & 15u;
    uint own = subgroupInclusiveAdd(value);
    if (gl_SubgroupInvocationID == gl_SubgroupSize - 1u)
        part[gl_SubgroupID] = own;
    barrier();
    uint before = 0u;
    for (uint k = 0u; k < gl_SubgroupID; k++)
        before += part[k];
    sums[gl_GlobalInvocationID.x] = before + own;
}
