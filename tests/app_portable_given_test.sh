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
