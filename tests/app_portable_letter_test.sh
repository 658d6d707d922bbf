#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# tanglefuzz portable: races that no device can show (letter), and near misses of one token that one can show.
. "$SOURCE_DIR/tests/app_lib.sh" || exit 1
command -v glslangValidator >/dev/null || command -v glslang >/dev/null || {
    skip letter "no glslang: package glslang-tools"
    exit 0
}
head='#version 450
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_shuffle : require
layout(local_size_x = 32) in;
layout(set = 0, binding = 0) buffer Out { uint y[]; };
layout(set = 0, binding = 1, r32ui) uniform uimage2D picture;
layout(push_constant) uniform P { uint n; };
shared uint s[32], flag;
void main() {
    uint i = gl_LocalInvocationIndex, x = 5;
    s[i] = i + 1;
    barrier();
    BODY
    y[i] = x;
}'
# judge NAME STATUS VERDICT BODY [OPTION...]: the verdict in each model at 32 lanes.
judge() {
    local name=$1 status=$2 verdict=$3
    echo "${head/BODY/"$4"}" >"$name.comp"
    shift 4
    t "$name" "$status" "^Vulkan alone .this shader. +$verdict$" '' "$TF" portable "$name.comp" --subgroup 32 --workgroups 1 "$@"
}
# Loads that race, before and after the store; nothing uses the value.
judge unused 0 letter 'uint u = s[i ^ 1]; s[i] = 7;'
judge unused_strict 1 letter 'uint u = s[i ^ 1]; s[i] = 7;' --strict
judge unused_after 0 letter 's[i] = 7; uint u = s[i ^ 1];'
judge own_after 0 letter 's[i] = 7; uint u = s[i ^ 1]; x = s[i];'
# Each way in which a value counts.
judge stored 1 undef 'uint u = s[i ^ 1]; s[i] = 7; x = u;'
judge stored_after 1 undef 's[i] = 7; uint u = s[i ^ 1]; x = u;'
judge branch 1 undef 'uint u = s[i ^ 1]; s[i] = 7; if (u > 9) x = 6;'
judge switched 1 undef 'uint u = s[i ^ 1]; s[i] = 7; switch (u) { case 1: x = 6; }'
judge address 1 undef 'uint u = s[i ^ 1]; s[i] = 7; x = y[u];'
judge shared_store 1 undef 'uint u = s[i ^ 1]; barrier(); u += s[i ^ 2]; s[i] = u;'
judge atomic 1 undef 'uint u = s[i ^ 1]; s[i] = 7; atomicAdd(y[40], u);'
judge atomic_lost 1 undef 'uint u = s[i ^ 1]; s[i] = 7; atomicOr(flag, u); barrier(); if (i == 0) flag = 1;'
judge image_lost 1 undef 'uint u = s[i ^ 1]; s[i] = 7; ivec2 p = ivec2(i, 0); imageStore(picture, p, uvec4(u)); imageStore(picture, p, uvec4(1));'
judge reduced 1 undef 'uint u = s[i ^ 1]; s[i] = 7; subgroupAdd(u);'
judge image_value 1 undef 'uint u = s[i ^ 1]; s[i] = 7; imageStore(picture, ivec2(i, 0), uvec4(u));'
judge image_place 1 undef 'uint u = s[i ^ 1]; s[i] = 7; imageLoad(picture, ivec2(u, 0));'
# A shuffle reads one lane, whose value does not race; of the next lane it does.
lane='uint u = subgroupShuffle(s[i == 0 ? 0 : i - 1], LANE); if (i > 0) s[i] += u; barrier(); x = s[i];'
judge lane 0 letter "${lane/LANE/1}"
judge other_lane 1 undef "${lane/LANE/2}"
report other_lane_says "$(tr -s '\n ' ' ' <out | grep -q 'The value that is read decides the store in line' || cat out)"
# A choice that leaves the value out: it must not be an input's, unless the user provided it.
judge chosen 0 letter 'uint u = s[i ^ 1]; s[i] = 7; x = i > 99 ? u : 6;'
judge chosen_by_input 1 undef 'uint u = s[i ^ 1]; s[i] = 7; x = mix(6u, u, n == 77777);'
judge chosen_by_given 0 letter 'uint u = s[i ^ 1]; s[i] = 7; x = n > 99 ? u : 6;' --set n=64
judge chosen_wrongly 1 undef 'uint u = s[i ^ 1]; s[i] = 7; x = n > 99 ? u : 6;' --set n=100
judge guarded_by_input 1 undef 'uint u = s[i ^ 1]; s[i] = 7; if (n == 77777) x = u;'
judge lane_by_input 1 undef "${lane/LANE/1 + n / 5000}"
judge lane_by_given 0 letter "${lane/LANE/1 + n / 5000}" --set n=64
# Equal values: an invocation may load what it has stored itself; another value, or another load, races.
judge own 0 letter 'flag = 7; x = flag;'
judge not_own 1 undef 'if (i > 0) flag = 7; x = flag;'
judge not_equal 1 undef 'flag = i; x = flag;'
judge equal_twice 1 undef 'flag = 7; flag = 8;'
judge equal_then_other 1 undef 'flag = 7; if (i == 3) flag = 8;'
judge equal_then_barrier 0 letter 'flag = 7; barrier(); if (i == 3) flag = 8;'
# All invocations store to one place, wherever the input says that it is; each to a place of its own.
judge one_place 1 undef 'y[n] = i;'
judge own_place 0 ok 'y[n + i] = i;'
judge equal_place 0 letter 'y[n] = 5;'
# Equal only because of what was invented; equal with any numbers.
judge equal_by_array 2 '[?]' 'flag = y[32] < 16 ? 5 : i;'
report equal_by_array_says "$(tr -s '\n ' ' ' <out | grep -q 'with others they are not: the store in line 13' || cat out)"
judge equal_anyway 0 letter 'flag = y[32] < 16 ? 5 : 7;'
# A half of a word that was never written: the other half, and one bit more, are read.
half='if (i == 0) flag = flag & 0xffff0000u | 7; barrier(); x = flag & MASK;'
judge half 0 'ok[*]' "${half/MASK/0xffffu}"
report half_says "$(tr -s '\n ' ' ' <out | grep -q 'The results are the same whatever that memory holds' || cat out)"
judge half_more 2 '[?]' "${half/MASK/0x1ffffu}"
# What an OpSelect does not select decides nothing, also after a race that is forgiven.
judge selected 0 letter 'uint z = mix(3u, 1u << (i + 32), i >= 32); flag = 7; if (z > 2) x = 6;'
judge selected_other 1 undef 'uint z = mix(3u, 1u << (i + 32), i < 32); flag = 7; if (z > 2) x = 6;'
# A number that was given is not called invented.
judge out_of_bounds 0 'ok[*]' 'x = s[n * 9999];'
report out_of_bounds_says "$(tr -s '\n ' ' ' <out | grep -q 'depends on n = 64, which was invented' || cat out)"
printf '\100\0\0\0' >push.bin
judge out_of_given 1 undef 'x = s[n * 9999];' --data push=push.bin
judge out_of_given_set 1 undef 'x = s[n * 9999];' --set n=64
# The first lane of a scan has no lower lane: its word depends on nothing.
judge scan 1 reconv 'if (i < 16) x = subgroupInclusiveAdd(i);'
report scan_says "$(tr -s '\n ' ' ' <out | grep -q 'It decides word 1 of buffer 0:0 Out' || cat out)"
judge sum 1 reconv 'if (i < 16) x = subgroupAdd(i);'
report sum_says "$(tr -s '\n ' ' ' <out | grep -q 'It decides word 0 of buffer 0:0 Out' || cat out)"
# A remainder of a negative number: with other inputs.
judge remainder 0 'ok[*]' 'x = uint((int(n) - 3) % 5);'
report remainder_says "$(tr -s '\n ' ' ' <out | grep -q 'The % in line 13 has no result for a negative number' || cat out)"
judge remainder_of_sum 0 'ok' 'x = uint((int(n) + 3) % 5);'

# An atomic that one invocation reaches: more workgroups, or the headline names it.
cat >one.comp <<'GLSL'
#version 450
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) readonly buffer In { float a[]; };
layout(set = 0, binding = 1) buffer Out { float y[]; };
layout(set = 0, binding = 2) buffer Count { uint count; };
void main() {
    float v = a[gl_GlobalInvocationID.x];
    if (v > 0.5)
        y[atomicAdd(count, 1)] = v;
}
GLSL
t one 1 'With 16 workgroups, the atomicAdd in line 9 returns a value that depends on the order' '' \
    sh -c '"$0" portable one.comp --subgroup 8 >text; s=$?; tr -s "\n " " " <text; exit $s' "$TF"
t one_given 0 'for these inputs; one invocation reached the atomicAdd in line 9$' '' "$TF" portable one.comp --subgroup 8 --workgroups 2
sed 's/v > 0.5/gl_GlobalInvocationID.x == 0/' one.comp >by_design.comp
t by_design 0 '^by_design.comp: .*for these inputs$' '' "$TF" portable by_design.comp --subgroup 8 --workgroups 2

# Another count is worse only if it is not by the letter.
judge count 0 letter 'flag = 7; if (i < n) x = 6;'
report count_says "$(grep -i 'worse with' out)"
