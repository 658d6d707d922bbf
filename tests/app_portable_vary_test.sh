#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# tanglefuzz portable: faults that depend on what was invented (specialisation constants, the number of workgroups), and
# faults that only other ordinary numbers show; with near misses of one token.
. "$SOURCE_DIR/tests/app_lib.sh" || exit 1
command -v glslangValidator >/dev/null || command -v glslang >/dev/null || {
    skip vary "no glslang: package glslang-tools"
    exit 0
}
head='#version 450
layout(local_size_x = 32) in;
layout(constant_id = 1) const uint N = 0;
layout(constant_id = 2) const bool other = false; layout(constant_id = 3) const uint flags = 0; const bool bit = (flags & 16) != 0;
layout(set = 0, binding = 0) buffer Out { uint y[]; };
layout(set = 0, binding = 1, r32ui) uniform uimage2D picture;
layout(set = 0, binding = 3) uniform usamplerBuffer texels; layout(set = 0, binding = 2) coherent buffer Shown { uint z[]; };
layout(push_constant) uniform P { uint count, start_offset, end_offset; int pad, taps; };
shared uint s[32];
void read(uint from, uint unused, out uint to) { to = y[from]; }
void main() {
    const uint i = gl_LocalInvocationIndex;
    uint x = 5;
    BODY
}'
# judge NAME STATUS VERDICT BODY [OPTION...]: the verdict in each model at 32 lanes.
judge() {
    local name=$1 status=$2 verdict=$3
    echo "${head/BODY/"$4"}" >"$name.comp"
    shift 4
    t "$name" "$status" "^Vulkan alone .this shader. +$verdict$" '' "$TF" portable "$name.comp" --subgroup 32 "$@"
}
# says NAME WORDS: the answer of the last judge has them.
says() {
    report "$1" "$(tr -s '\n ' ' ' <out | grep -q "$2" || cat out)"
}
# A specialisation constant of 0 is a blank: the stores race with 0 only.
judge blank 0 'ok' 'y[gl_GlobalInvocationID.x * N] = i;'
says blank_says 'specialisation constant 1 N: 64 (0 in the module)'
judge blank_given 1 undef 'y[gl_GlobalInvocationID.x * N] = i;' --set N=0
judge blank_in_place 2 '[?]' 'for (uint j = 0; j < 2; j++) y[gl_GlobalInvocationID.x / 2 * 2 * N + j] = i;'
says blank_in_place_says 'depends on N = [0-9]*, which was invented'
# A truth value is tried both ways.
judge truth 1 undef 'if (other) { s[i] = i; y[gl_GlobalInvocationID.x] = s[i ^ 1]; barrier(); }' --workgroups 1
says truth_says 'With other = 1, the load in line 14'
judge truth_given 0 'ok' 'if (other) { s[i] = i; y[gl_GlobalInvocationID.x] = s[i ^ 1]; }' --set other=false --workgroups 1
# All workgroups store to one place: perhaps there is one workgroup; its own place; two invocations of one workgroup.
judge one_place 0 'ok[*]' 'if (i == 0) y[7] = gl_WorkGroupID.x;'
says one_place_says 'With more than one workgroup, not known: the store in line 14 (invocation 0 of workgroup 1)'
judge one_place_given 1 undef 'if (i == 0) y[7] = gl_WorkGroupID.x;' --workgroups 2
judge first_group 1 undef 'if (gl_GlobalInvocationID.x == 0) y[7] = 4; else x = y[7]; y[40 + gl_GlobalInvocationID.x] = x;'
judge own_place 0 ok 'if (i == 0) y[gl_WorkGroupID.x] = 4;'
# Reads of the neighbour where the offset is not 0, and an image of 64 texels: small offsets are ordinary.
image='ivec2 p = ivec2(gl_GlobalInvocationID.x + start_offset, 0); imageStore(picture, p, uvec4(i)); if (start_offset > 0) y[gl_GlobalInvocationID.x] = imageLoad(picture, p - ivec2(SHIFT, 0)).x;'
judge neighbour 1 undef "${image/SHIFT/1}"
says neighbour_says 'start_offset = 1'
judge neighbour_own 0 'ok[*]?' "${image/SHIFT/0}"
# Two places that were both invented as 1 need not be one.
judge two_places 0 'ok[*]' 'y[start_offset + gl_GlobalInvocationID.x] = i; x = y[end_offset + gl_GlobalInvocationID.x + 2]; z[gl_GlobalInvocationID.x] = x;'
# A buffer that is not coherent across a barrier, where there is more than one step; a race where there is.
judge steps 0 letter 'for (uint j = 128; j < count; j <<= 1) { y[i] += j; memoryBarrierBuffer(); barrier(); x += y[i ^ 1]; memoryBarrierBuffer(); barrier(); } s[i] = x;' --workgroups 1
says steps_says 'With integers = 256'
# barrier() orders shared memory only; the cure.
judge shared_only 1 undef 'z[i] = i; barrier(); x = z[i ^ 1]; y[i] = x;' --workgroups 1
says shared_only_says 'put memoryBarrierBuffer() before and after a barrier() between the accesses: barrier() alone orders shared memory only'
judge with_memory 0 ok 'z[i] = i; memoryBarrierBuffer(); barrier(); memoryBarrierBuffer(); x = z[i ^ 1]; y[i] = x;' --workgroups 1
# A remainder of a negative number that ordinary numbers lead to: the first taps of a filter.
judge remainder 0 letter 'y[gl_GlobalInvocationID.x] = (int(i) + pad - taps) % 3 == 0 ? 1 : 2;'
says remainder_says 'the % in line 14 has a negative operand: Vulkan leaves its result undefined'
judge remainder_strict 1 letter 'y[gl_GlobalInvocationID.x] = (int(i) + pad - taps) % 3 == 0 ? 1 : 2;' --strict
judge remainder_positive 0 'ok[*]?' 'y[gl_GlobalInvocationID.x] = (int(i) + pad + taps) % 3 == 0 ? 1 : 2;'
# A shift by a count of iterations that a number decides.
judge counted 0 ok 'for (uint j = 1; j < count; j++) y[gl_GlobalInvocationID.x] += 1u << j;'
# What a function is passed, and does not write, decides no place.
judge passed 1 undef 'read(i ^ 1, y[0], x); y[i] = x;' --workgroups 1
judge passed_place 0 'ok[*]' 'read(z[0] + i, i, x); y[i] = x;' --workgroups 1

# A read at a negative coordinate lies outside of every size: by the letter, if no invented input decides it, or if
# several ordinary numbers show it.
outside='int at = int(i) - 1; GUARD y[i] = READ.x;'
read='imageLoad(picture, ivec2(at, 0))'
one=${outside/READ/"$read"}
judge below 0 letter "${one/GUARD/}" --workgroups 1
says below_says 'OpImageRead in line [0-9]* reads outside of its image, at a negative coordinate, which no size has: that is zero where the feature robustImageAccess'
judge above 0 'ok[*]' "$(sed 's/- 1/+ 5000/; s/GUARD//' <<<"$one")" --workgroups 1
says above_says 'reads outside of its image, whose size was invented: that is zero where the feature robustImageAccess'
judge below_in_a_guard 0 letter "${one/GUARD/if (i < count)}" --workgroups 1
judge below_is_guarded 0 ok "${one/GUARD/if (i >= taps)}" --workgroups 1
judge below_by_number 0 letter "$(sed 's/- 1/- taps/; s/GUARD//' <<<"$one")" --workgroups 1
judge below_by_padding 0 'ok[*]' "$(sed 's/- 1/- pad/; s/GUARD//' <<<"$one")" --workgroups 1
judge below_by_constant 0 'ok[*]' "${one/GUARD/if (other) at = max(at, 0);}" --workgroups 1
judge below_by_bit 0 'ok[*]' "${one/GUARD/if (bit) at = max(at, 0);}" --workgroups 1
judge below_by_given_constant 0 letter "${one/GUARD/if (other) at = max(at, 0);}" --workgroups 1 --set other=0
judge below_by_array 0 'ok[*]' "$(sed 's/- 1/- int(z[i])/; s/GUARD//' <<<"$one")" --workgroups 1
says below_by_array_says 'at a negative coordinate, to which invented inputs lead'
# Texel buffers have another feature.
two=${outside/READ/'texelFetch(texels, at)'}
judge below_texels 0 letter "${two/GUARD/}" --workgroups 1
says below_texels_says 'outside of its texel buffer, at a negative coordinate.*where the feature robustBufferAccess is enabled (every device has it)'
judge above_texels 0 'ok[*]' "$(sed 's/- 1/+ 5000/; s/GUARD//' <<<"$two")" --workgroups 1
says above_texels_says 'outside of its texel buffer, whose size was invented.*robustBufferAccess'

# Memory of words that the shader reads as floats holds some small ones; not where it computes with the words before.
float='uint n = uint(uintBitsToFloat(z[i]) * 0.5); if (n > 0) y[i + 1] = atomicAdd(y[0], n);'
judge floats_in_words 1 order "$float" --workgroups 1
says floats_in_words_says 'ith small floats in memory of words, the atomicAdd in line'
judge masked_words 2 unrun "${float/z\[i\]/min(z[i], 9u)}" --workgroups 1

# An array as long as the number that its index is tested with: the test must come first.
judge late_test 0 'ok[*]' 'uint v = z[i]; if (i < count) y[i] = v;' --workgroups 1
says late_test_says 'load in line 14 is out of bounds if Shown has only as many elements as count says, because the test in line 14'
judge early_test 0 ok 'if (i < count) y[i] = z[i];' --workgroups 1
judge early_return 0 ok 'if (i >= count) return; y[i] = z[i];' --workgroups 1
judge other_guard 0 ok 'uint v = 0; if (i < uint(taps)) v = z[i]; if (i < count) y[i] = v;' --workgroups 1
judge lower_bound 0 ok 'uint v = z[i]; if (i > count) y[i] = v;' --workgroups 1
judge other_index 0 ok 'uint v = z[i * 2]; if (i < count) y[i] = v;' --workgroups 1
judge late_test_in_loop 0 'ok[*]' 'for (uint at = i; at < 40; at += 32) { uint v = z[at + 1]; if (at < count) y[at] = v; }' --workgroups 1
judge late_test_given 0 ok 'uint v = z[i]; if (i < count) y[i] = v;' --workgroups 1 --set count=5

# A branch on a rounded float that only other ordinary numbers reach.
judge rounded 0 'ok[*]?' 'if (count % 4 == 1) { if (i < pow(2, taps)) y[i] = 1; }
    else if (i < pow(3, taps)) y[i] = 2;'
says rounded_says 'The branch in line 14 depends on a rounded float, too, with integers = 1'
# A fault that one workgroup may not have: the rest is judged with one, too.
head=${head/layout/'#extension GL_KHR_shader_subgroup_arithmetic : require
layout'}
one='if (int(i) > taps) s[i] = i; barrier(); LANES y[i + 1] = x + gl_WorkGroupID.x; y[i + 64] = s[i];'
judge one_group 1 reconv "${one/LANES/if (i < 9) x = subgroupAdd(i);}"
says one_group_says 'With one workgroup, the subgroupAdd in line 15 may be executed by only a subset of its subgroup'
judge one_group_is_fine 2 '[?]' "${one/LANES/}"

# Why something may be executed by a part: a call before it, not the callers of main. One of two instances is not reached.
head=${head/void main/'uint pick(uint k) { if (k > 3) return 1; return 2; }
void main'}
head=${head/_arithmetic/_shuffle}
judge ragged 2 unrun 'x = pick(i); if (count == 77777) x = subgroupShuffle(i, 1); y[i] = x;' --set count=5
says ragged_says 'subgroupShuffle in line 16: invocations may leave the call in line 16 at different times, because it returns in several places'
judge instance 2 unrun 'if (z[i] > 99) x = subgroupShuffle(i, 1); else x = subgroupShuffle(i, 2); y[i] = x;'
says instance_says 'No input reached one of several instances of the subgroupShuffle in line 16'
# No barrier stands between the accesses: to declare the buffer coherent alone does not help.
judge no_barrier 1 undef 'uint v = y[i]; y[i ^ 1] = v + 1; memoryBarrierBuffer(); barrier(); x = y[i]; y[i + 64] = x;' --workgroups 1
says no_barrier_says 'fix: put a barrier between the accesses (and declare the buffer coherent), or use atomics'
judge barrier 0 letter 'y[i ^ 1] = 1; memoryBarrierBuffer(); barrier(); x = y[i]; y[i + 64] = x;' --workgroups 1
says barrier_says 'fix: a barrier orders accesses to a buffer only if it is declared coherent'
