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
