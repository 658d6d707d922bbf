// SPDX-License-Identifier: Apache-2.0
//
// HLSL for DXC and glslang. clike.c prints clang's builtins; here macros map them to standard
// intrinsics, and semantics provide the ids.
#include "clike.h"

// The ids are read once, in main: glslang declares an input for each function that reads one.
static const char names[] = "#define __builtin_hlsl_wave_is_first_lane WaveIsFirstLane\n"
                            "#define __builtin_hlsl_wave_active_all_true WaveActiveAllTrue\n"
                            "#define __builtin_hlsl_wave_active_any_true WaveActiveAnyTrue\n"
                            "#define __builtin_hlsl_wave_active_all_equal WaveActiveAllEqual\n"
                            "#define __builtin_hlsl_wave_active_ballot WaveActiveBallot\n"
                            "#define __builtin_hlsl_wave_read_lane_at WaveReadLaneAt\n"
                            "#define __builtin_hlsl_wave_active_sum WaveActiveSum\n"
                            "#define __builtin_hlsl_wave_active_product WaveActiveProduct\n"
                            "#define __builtin_hlsl_wave_active_min WaveActiveMin\n"
                            "#define __builtin_hlsl_wave_active_max WaveActiveMax\n"
                            "#define __builtin_hlsl_wave_active_bit_and WaveActiveBitAnd\n"
                            "#define __builtin_hlsl_wave_active_bit_or WaveActiveBitOr\n"
                            "#define __builtin_hlsl_wave_active_bit_xor WaveActiveBitXor\n"
                            "#define __builtin_hlsl_wave_prefix_sum WavePrefixSum\n"
                            "#define __builtin_hlsl_wave_prefix_product WavePrefixProduct\n"
                            "#define __builtin_hlsl_elementwise_firstbitlow firstbitlow\n"
                            "#define __builtin_hlsl_elementwise_firstbithigh firstbithigh\n"
                            "#define __builtin_elementwise_popcount countbits\n"
                            "#define __builtin_hlsl_wave_get_lane_index() tf_lane\n"
                            "#define __builtin_spirv_subgroup_local_invocation_id() tf_lane\n"
                            "#define __builtin_spirv_subgroup_size() tf_lanes\n"
                            "#define __builtin_spirv_subgroup_id() (tf_index / tf_lanes)\n"
                            "#define __builtin_spirv_global_invocation_id(n) tf_global[n]\n"
                            "#define __builtin_spirv_local_invocation_id(n) tf_local[n]\n"
                            "#define __builtin_spirv_workgroup_id(n) tf_group[n]\n"
                            "static uint3 tf_global, tf_local, tf_group;\n"
                            "static uint tf_index, tf_lane, tf_lanes;\n";

void hlsl_plain_head(struct text *out)
{
    text_add(out, "%s", names);
}

void hlsl_plain_main(struct text *out)
{
    text_add(out, "void main(uint3 tf_a : SV_DispatchThreadID, uint3 tf_b : SV_GroupThreadID,\n"
                  "          uint3 tf_c : SV_GroupID, uint tf_d : SV_GroupIndex)\n{\n"
                  "    tf_global = tf_a;\n    tf_local = tf_b;\n    tf_group = tf_c;\n"
                  "    tf_index = tf_d;\n    tf_lane = WaveGetLaneIndex();\n"
                  "    tf_lanes = WaveGetLaneCount();\n");
}
