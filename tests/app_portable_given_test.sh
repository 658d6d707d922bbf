#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# tanglefuzz portable: provided inputs, code that no input reached, and what the advice says of a race.
. "$SOURCE_DIR/tests/app_lib.sh" || exit 1
command -v glslangValidator >/dev/null || command -v glslang >/dev/null || {
    skip given "no glslang: package glslang-tools"
    exit 0
}
# says NAME WORDS: the last answer has them. says_not: it does not.
says() {
    report "$1" "$(tr -s '\n ' ' ' <out | grep -q "$2" || cat out)"
}
says_not() {
    report "$1" "$(tr -s '\n ' ' ' <out | grep "$2")"
}
# The memory that addresses point to is taken over from a case; without its line, an address points to nothing.
cat >address.comp <<'GLSL'
#version 460
#extension GL_EXT_buffer_reference : require
layout(local_size_x = 32) in;
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Words { uint v[]; };
layout(push_constant) uniform Push { Words from; Words to; } push;
void main() { push.to.v[gl_GlobalInvocationID.x] = push.from.v[gl_GlobalInvocationID.x]; }
GLSL
t address_case 0 '' '' "$TF" case address.comp --subgroup 32 -o address.spvasm
t address_same 0 ' ok$' '' "$TF" portable address.spvasm --subgroup 32
t address_data 0 ' ok$' '' "$TF" portable address.comp --subgroup 32 --data address.spvasm
grep -v '; buffer 32:0' address.spvasm >nowhere.spvasm
t address_nowhere 1 'E-bounds' '' "$TF" portable address.comp --subgroup 32 --data nowhere.spvasm
# race NAME BODY: its store and loads race. Each line of the body is a line of the shader, the first one line 6.
race() {
    echo "#version 450
layout(local_size_x = 32) in;
layout(set = 0, binding = 0) buffer Out { uint y[]; };
layout(set = 0, binding = 1, r32ui) uniform uimage2D picture; shared uint s;
void main() { const uint i = gl_LocalInvocationIndex; uint t = 0;
$2
}" >"$1.comp"
    t "$1" "$3" . '' "$TF" portable "$1.comp" --subgroup 32 --workgroups 1 "${@:4}"
}
# Of several invocations that read, the one that stores does not race with itself.
race reader 'if (i >= 1) t = y[i - 1];
memoryBarrierBuffer(); barrier();
y[i] += t;' 0
says reader_says 'The store in line 8 (invocation [0-9]* of workgroup 0) and the load in line 6 (several invocations) access Out'
# Across workgroups no barrier orders; one statement that all execute has no place for one.
race across 'if (gl_GlobalInvocationID.x == 0) y[0] = 1; if (gl_GlobalInvocationID.x == 32) y[0] = 2;' 1 --workgroups 2
says across_says 'fix: they are in different workgroups, which no barrier orders'
race within 'if (i == 0) y[0] = 1; if (i == 1) t = y[0]; y[i + 4] = t;' 1
says within_says 'fix: put a barrier between the accesses (and declare the buffer coherent), or use atomics'
race all_store 's = i; barrier(); y[i] = s;' 1
says all_store_says 'fix: let one invocation store it, or each one in a place of its own'
race two_stores 'if (i == 3) s = i; if (i == 4) s = 7; barrier(); y[i] = s;' 1
says two_stores_says 'fix: put barrier() between the two accesses'

# Code that did not run is starred and noted; where nothing was stored, no result can be judged.
race not_run 'if (y[i] > 77777) {
t += y[i + 32];
}
if (y[i] > 99999) return; y[i] = t;' 0
says not_run_says '[*] *tried, not proved: some code was not reached (notes)'
says not_run_lines '1 block was never reached with these inputs (line 7)'
race all_run 'if (y[i] > 99999) return; y[i] = t;' 0
says all_run_says 'Vulkan alone (this shader) ok '
race nothing 'if (y[i] > 77777) y[i] = t;' 2
says nothing_headline '^nothing.comp: nothing was stored: the inputs did not reach a store; 2 of 3 blocks ran'
says nothing_says 'Nothing was stored: no input reached the store in line 6'
race nothing_shown 'if (i == 0) s = 5; if (i == 0 && s > 6) y[i] = t;' 2
# A read outside of an image is starred and noted; no code is missing.
race outside 'y[i] = imageLoad(picture, ivec2(i, 70)).x;' 0
says outside_says 'tried, not proved: see the notes'
race outside_below 'y[i] = imageLoad(picture, ivec2(i, -1)).x;' 0
says outside_below_says 'E-bounds'
report outside_below_once "$(grep -c 'image, at a' out | grep -v '^1$')"
# A component of a vector is named; a format that is not modelled is named, too.
cat >named.comp <<'GLSL'
#version 450
layout(local_size_x = 32) in;
layout(set = 0, binding = 0, rgba8ui) uniform uimage2D picture;
layout(set = 0, binding = 1, r32ui) uniform uimage2D same;
layout(push_constant) uniform P { ivec2 start_offset; };
void main() {
    ivec2 p = ivec2(gl_GlobalInvocationID.x, 0) + start_offset;
    if (start_offset.x > 0) imageStore(picture, ivec2(p.x, 0), imageLoad(picture, p - ivec2(1, 1)));
    imageStore(picture, p, imageLoad(same, ivec2(p.x, 0)));
}
GLSL
t named 1 'image 0:0 picture: 2d 64 64 rgba8ui, as rgba32ui$' '' "$TF" portable named.comp --subgroup 32
says named_same 'image 0:1 same: 2d 64 64 r32ui '
says named_parts 'start_offset.x = [01], start_offset.y = [01]'
# What the subgroup size alone excludes cannot run at that size; what it does not exclude alone, may.
sizes='#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_shuffle : require
layout(local_size_x = 32) in;
layout(set = 0, binding = 0) buffer Out { uint y[]; };
void other(uint i) { if (i > 3) y[i] = subgroupShuffle(i, 2); }
void main() { uint i = gl_LocalInvocationIndex; y[i + 64] = i; if (gl_SubgroupSize WHAT) other(i); }'
for form in '== 16:0:ok' '+ y[0] > 999:2:unrun'; do
    printf '#version 450\n#extension GL_KHR_shader_subgroup_basic : require\n%s\n' "${sizes/WHAT/${form%%:*}}" >size.comp
    t "excluded_${form##*:}" "$(cut -d: -f2 <<<"$form")" " ${form##*:}$" '' "$TF" portable size.comp --subgroup 32
done
# So does a specialisation constant that the user sets; one with a default may have another value.
sed 's/== 16//; s/if (gl_SubgroupSize/if (first) if (second/; s/^layout(local/layout(constant_id = 1) const bool first = false; layout(constant_id = 2) const bool second = false;\n&/' \
    <(printf '#version 450\n#extension GL_KHR_shader_subgroup_basic : require\n%s\n' "${sizes/WHAT/}") >constants.comp
t excluded_default 2 ' unrun$' '' "$TF" portable constants.comp --subgroup 32
t excluded_set 0 ' ok$' '' "$TF" portable constants.comp --subgroup 32 --set first=false
