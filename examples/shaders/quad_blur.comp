// SPDX-License-Identifier: Apache-2.0
//
// The mean of a quad, its neighbours asked by quad operations in uniform control flow: portable.
#version 450
#extension GL_KHR_shader_subgroup_quad : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer Source { uint source[]; };
layout(set = 0, binding = 1) buffer Blurred { uint blurred[]; };

void main()
{
    uint value = source[gl_GlobalInvocationID.x];
    uint sum = value + subgroupQuadSwapHorizontal(value);
    sum += subgroupQuadSwapVertical(sum);
    blurred[gl_GlobalInvocationID.x] = sum / 4u;
}
