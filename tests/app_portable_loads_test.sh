#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# tanglefuzz portable: what shaders of others use (samples, depth comparison, ray queries, older votes), and inputs
# that are changed until a shader can be judged.
. "$SOURCE_DIR/tests/app_lib.sh" || exit 1
command -v glslangValidator >/dev/null || command -v glslang >/dev/null || {
    skip loads "no glslang: package glslang-tools"
    exit 0
}
head='#version 460
#extension GL_EXT_ray_query : enable
#extension GL_ARB_shader_group_vote : enable
#extension GL_AMD_shader_trinary_minmax : enable
layout(local_size_x = 8) in;
layout(set = 0, binding = 1) buffer Out { uint y[]; };
DECLARE
void main() { uint i = gl_LocalInvocationIndex; y[i] = uint(VALUE); }'
# value NAME DECLARATIONS VALUE WORDS: invocation i stores the value; the first words that the oracle predicts.
value() {
    local text=${head/DECLARE/$2}
    echo "${text/VALUE/$3}" >"$1.comp"
    "$TF" case "$1.comp" --subgroup 8 --workgroups 1 --data zero -o "$1.spvasm" >/dev/null 2>err
    t "$1" 0 '^Vulkan alone .this shader. +ok' '' "$TF" portable "$1.comp" --subgroup 8 --workgroups 1 --data zero
    [ -z "$4" ] || t "$1_predict" 0 "^memory 0:1 u32 $4 " '' "$TF" predict "$1.spvasm"
}
value samples 'layout(set = 0, binding = 0) uniform sampler2DMS s;' 'textureSamples(s) + textureSize(s).x' '68 68'
value stored 'layout(set = 0, binding = 0, r32ui) uniform uimage2DMS s;' \
    '(imageStore(s, ivec2(i, 0), 3, uvec4(i + 5)), imageLoad(s, ivec2(i, 0), 3).x + imageLoad(s, ivec2(i, 0), 2).x)' '5 6 7'
value votes '' 'anyInvocationARB(i == 3) ? allInvocationsARB(i < 9) ? 7 : 1 : 0' '7 7'
value middle '' 'min3(i, 5u, 6u) * 100 + max3(i, 1u, 2u) * 10 + mid3(i, 2u, 4u)' '22 122 222 333 444 554'
value unused 'layout(set = 0, binding = 0, r32f) uniform image2DArray a; layout(set = 0, binding = 0, r32f) uniform image2D b;' \
    'imageSize(a).z' ''
# Only a run that assumes a device compares depths and meets no geometry.
value shadow 'layout(set = 0, binding = 0) uniform sampler2DShadow s;' \
    'textureLod(s, vec3(0.5, 0.5, -1.0), 0.0) * 2.0 + textureLod(s, vec3(0.5, 0.5, 1.0), 0.0)' ''
t shadow_is_assumed 2 '' 'OpImageSampleDrefExplicitLod' "$TF" predict shadow.spvasm
ray='layout(set = 0, binding = 0) uniform accelerationStructureEXT scene;
uint hit() {
    rayQueryEXT q;
    rayQueryInitializeEXT(q, scene, 0, 255, vec3(0), 0.0, vec3(1), 9.0);
    while (rayQueryProceedEXT(q)) rayQueryConfirmIntersectionEXT(q);
    return rayQueryGetIntersectionTypeEXT(q, true);
}'
value ray "$ray" 'hit() == 0 ? y[i] + 1 : 9' ''

# A pair of numbers that is used as an address is invented as one; not if it is computed.
pair='#version 460
#extension GL_EXT_buffer_reference_uvec2 : require
layout(local_size_x = 8) in;
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Block { uint v[]; };
layout(push_constant) uniform P { uint n; uvec2 where; };
layout(set = 0, binding = 1) buffer Out { uint y[]; };
void main() { uint i = gl_LocalInvocationIndex; y[i] = Block(WHERE).v[i]; }'
echo "${pair/WHERE/where}" >pair.comp
t pair 0 '^Vulkan alone .this shader. +ok$' '' "$TF" portable pair.comp --subgroup 8 --workgroups 1
echo "${pair/WHERE/uvec2(where.y, where.x)}" >swapped.comp
t swapped 2 'out of bounds' '' "$TF" portable swapped.comp --subgroup 8 --workgroups 1

# Inputs that are changed until a shader can be judged; the first question stays a note.
judged() {
    local text=${head/DECLARE/$2}
    echo "${text/y\[i\] = uint(VALUE)/$3}" >"$1.comp"
    t "$1" 0 "$4" '' "$TF" portable "$1.comp" --subgroup 8 --workgroups 1
    report "$1_says" "$(tr -s '\n ' ' ' <out | grep -q 'With other invented inputs, not known: ' || cat out)"
}
judged scatter 'layout(set = 0, binding = 2) readonly buffer To { uint to[8]; };' 'y[to[i]] = i' 'invented as their positions'
judged offset 'layout(push_constant) uniform P { uint first; }; shared uint s[8]; ' \
    's[i] = i; barrier(); y[i] = s[i + first]' 'first = 0'
sed 's/local_size_x = 8/local_size_x_id = 3/; s/y\[to\[i\]\]/y[i \& 31]/; s/= i; }/= gl_LocalInvocationIndex; }/' scatter.comp >width.comp
t width 0 'width .1 in the module.$' '' "$TF" portable width.comp --subgroup 32 --workgroups 1
# A barrier that data may divide is left as it is: its question is asked.
judged_barrier=${head/DECLARE/'layout(set = 0, binding = 2) readonly buffer To { uint to[8]; }; shared uint s[8];'}
echo "${judged_barrier/y\[i\] = uint(VALUE)/if (to[i] > i) \{ s[i] = i; barrier(); y[i] = s[i ^ 1]; \}}" | sed 's/\\//g' >data.comp
t data 2 'which invocations reach it depends on To' '' sh -c '"$0" portable data.comp --subgroup 8 | tr -s "\n " " "; exit 2' "$TF"

# The picture of a real shader: its lines on the left, the reported one marked, a legend.
echo '#version 450
#extension GL_KHR_shader_subgroup_ballot : require
layout(local_size_x = 8) in;
layout(set = 0, binding = 0) buffer Out { uint y[]; };
void main() {
    uint i = gl_LocalInvocationIndex, n = 0;
    for (uint k = 0; k < 6; k++)
        n += subgroupBallot(k < 9).x;
    if ((i & 1) == 0)
        n += subgroupBallot(true).x;
    y[i] = n;
}' >drawn.comp
t drawn 0 '' 'the inputs are invented' "$TF" explain drawn.comp --subgroup 8 -o drawn.svg
report drawn_lines "$(grep -q '>10: n += subgroupBallot(true).x;<' drawn.svg && grep -q 'these lanes are together' drawn.svg || cat drawn.svg)"
report drawn_marked "$([ "$(grep -c 'class="marked"' drawn.svg)" = 2 ] || grep -c marked drawn.svg)"
t diverged 0 '^ +[0-9]+ steps left out$' - "$TF" explain drawn.comp --subgroup 8 --diverged
report diverged_rows "$(grep -q '#[.]#[.]#[.]#[.]' out && ! grep -q '  8: n +=' out || cat out)"
t line 0 'o[.]o[.]o[.]o[.]' - "$TF" explain drawn.comp --subgroup 8 --line 10
report line_rows "$([ "$(grep -c '[#o.]\{8\}  ' out)" -lt 9 ] || cat out)"
t no_line 0 '^ +[0-9]+ steps left out$' - "$TF" explain drawn.comp --subgroup 8 --line 999

# A baseline: what it knows does not fail, also in another line; what is new does.
echo '#version 450
layout(local_size_x = 8) in;
layout(set = 0, binding = 0) buffer Out { uint y[]; };
layout(push_constant) uniform P { uint first; };
shared uint s[8];
void main() { uint i = gl_LocalInvocationIndex; s[i] = i;
    y[i] = s[i ^ 1] + first; }' >old.comp
t baseline_made 0 'result.* known, and not counted: list has' '' sh -c '"$@" | tr -s "\n " " "' - "$TF" portable old.comp --subgroup 4 --workgroups 1 --update-baseline list
report baseline_has "$(grep -q "^old.comp	undefined	void main.* s\[i\] = i; | y\[i\] = s\[i ^ 1\] + first; }$" list || cat list)"
sed -i 's/^shared/\n&/' old.comp
t baseline_moved 0 - '' "$TF" portable old.comp --subgroup 4 --workgroups 1 --baseline list
t baseline_sarif 0 '"kind": "external"' '' "$TF" portable old.comp --subgroup 4 --workgroups 1 --baseline list --sarif
sed -i 's/i ^ 1/i ^ 2/' old.comp
t baseline_new 1 - '' "$TF" portable old.comp --subgroup 4 --workgroups 1 --baseline list
cp list two && "$TF" portable data.comp --subgroup 8 --workgroups 1 --update-baseline two >/dev/null 2>&1
report baseline_of_several "$(grep -q '^old.comp	' two && grep -q '^data.comp	not known	' two || cat two)"
bad no_baseline 'baseline: .*none' "$TF" portable old.comp --baseline none

# Inputs from a folder.
mkdir bytes && printf '\7\0\0\0' >bytes/push.bin && head -c 32 /dev/zero >bytes/0-0.bin
"$TF" case old.comp --subgroup 8 --workgroups 1 --data bytes -o from.spvasm
report folder_says "$(grep -q '^; push u32 7$' from.spvasm && grep -q '^; buffer 0:0 u32 0 0 0 0 0 0 0 0$' from.spvasm || grep '^; ' from.spvasm)"
echo >bytes/notes.txt
bad folder_other 'data: bytes/notes.txt: not push.bin or SET-BINDING.bin' "$TF" portable old.comp --data bytes
mkdir empty
bad folder_empty 'data: empty: no push.bin' "$TF" portable old.comp --data empty

# --watch: once at the start, again after a change of an included file.
mkdir watched && cp old.comp watched/ && mkdir part && echo 1 >part/x
"$TF" portable watched/old.comp -I part --subgroup 4 --workgroups 1 --watch >seen 2>&1 &
watcher=$!
times() { grep -c 'blocks ran' seen; }
until_times() { for _ in $(seq 300); do [ "$(times)" -ge "$1" ] && return; sleep 0.1; done; }
until_times 1
echo 22 >part/x
until_times 2
sed -i 's/i ^ 2/i/' watched/old.comp
until_times 3
kill $watcher
report watch "$([ "$(times)" -ge 3 ] && grep -q 'guarantees all results' seen || cat seen)"

# After what is not known because of inputs, the next fault is reported.
next=${head/DECLARE/'layout(set = 0, binding = 2) readonly buffer B { uint b[]; }; shared uint s[8];'}
echo "${next/y\[i\] = uint(VALUE)/y[i] = b[b[i] * 99999999 + 9999]; s[i] = i; y[i] += s[i ^ 1]}" >next.comp
t next 1 'access s .its scalar 1., and nothing orders them' - "$TF" portable next.comp --subgroup 4 --workgroups 1
report next_says "$(tr -s '\n ' ' ' <out | grep -q 'Before that, not known: the load in line 8 is out of bounds of B' || cat out)"

# Half of a word that was never written says nothing of the other half; one bit of it may count.
half=${head/DECLARE/'shared uint s[9];'}
echo "${half/y\[i\] = uint(VALUE)/s[i + 1] = i; barrier(); y[i] = ((s[i] \& 0xffffu) | (i << 16)) >> 16}" | sed 's/\\//g' >half.comp
t half 0 'The results are the same whatever that memory holds' '' sh -c '"$@" | tr -s "\n " " "' - "$TF" portable half.comp --subgroup 8 --workgroups 1
report half_says "$(grep -q 'was never written, and it goes into word 0 of buffer 0:1 Out\. ' out || cat out)"
sed 's/>> 16;/>> 15;/' half.comp >half_more.comp
t half_more 2 'packed into a word with other numbers' '' sh -c '"$@" | tr -s "\n " " "; exit 2' - "$TF" portable half_more.comp --subgroup 8 --workgroups 1
sed 's/y\[i\] = .*; }/y[i] = s[i]; }/' half.comp >whole.comp
t whole 1 'reads memory that was never written' '' "$TF" portable whole.comp --subgroup 8 --workgroups 1

# An atomic on a word that was never written: its operand is a rounded float, which has a value but for its last bits.
cat >least.comp <<'GLSL'
#version 450
layout(local_size_x = 8) in;
layout(set = 0, binding = 0) buffer Out { float y[]; };
layout(set = 0, binding = 1) readonly buffer In { float v[]; };
shared uint least;
void main() {
    if (gl_LocalInvocationIndex == 0) least = 7;
    barrier();
    atomicMin(least, floatBitsToUint(sin(v[gl_LocalInvocationIndex]) / 3.0));
    barrier();
    if (gl_LocalInvocationIndex == 0) y[gl_WorkGroupID.x] = uintBitsToFloat(least);
}
GLSL
t least 0 - '' "$TF" portable least.comp --subgroup 8
sed '/least = 7/d' least.comp >never_written.comp
t least_never_written 1 'The atomicMin in line 8 reads memory that was never written' '' "$TF" portable never_written.comp --subgroup 8

# A flag that no invented input has: a loop waits for 2 in the two lowest bits; for what it cannot have.
wait=${head/DECLARE/'layout(set = 0, binding = 2) coherent buffer F { uint flag[]; };'}
echo "${wait/y\[i\] = uint(VALUE)/uint f; for (f = 0; (f \& 3) != 2;) f = atomicAdd(flag[i], 0); y[i] = f}" | sed 's/\\//g' >wait.comp
t wait 0 'hosen so that the shader runs to its end: one workgroup, and 2 in all elements of F' '' sh -c '"$@" | tr -s "\n " " "' - "$TF" portable wait.comp --subgroup 8
sed 's/& 3/\& 1/' wait.comp >never.comp
t never 2 'still runs after 250,000 instructions' '' sh -c '"$@" | tr -s "\n " " "; exit 2' - "$TF" portable never.comp --subgroup 8

# A loop that ends only where it is not reached: that answers another question.
sed 's/uint f; /if (i >= n) return; &/; s/2; *)/77777;)/; s/f \& 3/f/; s/^void/layout(push_constant) uniform P { uint n; };\n&/' wait.comp >hollow.comp
sed -i 's/atomicAdd(flag\[i\], 0)/flag[i] \& 1/' hollow.comp
t hollow 2 'still runs after 250,000 instructions' '' sh -c '"$@" | tr -s "\n " " "; exit 2' - "$TF" portable hollow.comp --subgroup 8
report hollow_says "$(grep 'hosen so that' out)"
# An index of one workgroup's array that only one workgroup keeps in it; one that none does. No index in x: one workgroup.
array=${head/DECLARE/'shared uint s[8];'}
echo "${array/y\[i\] = uint(VALUE)/s[gl_GlobalInvocationID.x] = 3; y[i] = s[gl_GlobalInvocationID.x]}" | sed 's/\\//g' >one_group.comp
t one_group 0 '^  dispatch: 1 workgroup$' '' "$TF" portable one_group.comp --subgroup 8
t two_groups 1 'E-bounds' '' "$TF" portable one_group.comp --subgroup 8 --workgroups 2
sed 's/\.x\]/.x + 1]/g' one_group.comp >no_group.comp
t no_group 1 'E-bounds' '' "$TF" portable no_group.comp --subgroup 8
array=${head/DECLARE/'layout(set = 0, binding = 0, r32ui) uniform uimage2D picture;'}
echo "${array/y\[i\] = uint(VALUE)/imageStore(picture, ivec2(i, gl_WorkGroupID.y), uvec4(i))}" | sed 's/\\//g' >column.comp
t column 0 '^  dispatch: 1 workgroup$' '' "$TF" portable column.comp --subgroup 8
report column_is_fine "$(grep letter out)"
sed 's/i, gl_WorkGroupID.y/gl_GlobalInvocationID.x, 0/' column.comp >row.comp
t row 0 '^  dispatch: 2 workgroups$' '' "$TF" portable row.comp --subgroup 8

# WGSL by naga: one of two entry points; a compiler's error; no compiler.
cat >two.wgsl <<'WGSL'
var<workgroup> s: array<u32, 32>;
@group(0) @binding(0) var<storage, read_write> y: array<u32>;
@compute @workgroup_size(32) fn first(@builtin(local_invocation_index) i: u32) { y[i] = 1u; }
@compute @workgroup_size(32) fn second(@builtin(local_invocation_index) i: u32) { s[i] = i; y[i] = s[i ^ 1u]; }
WGSL
echo 'fn main( {}' >broken.wgsl
t wgsl_nothing 2 '' 'neither naga nor tint was found' env PATH=/nowhere TANGLEFUZZ_TOOLS=/nowhere "$TF" portable two.wgsl
if [ -x "$DEPS_DIR/tools/naga/bin/naga" ]; then
    export TANGLEFUZZ_TOOLS=$DEPS_DIR/tools
    t wgsl 0 - '' "$TF" portable two.wgsl --subgroup 8 --workgroups 1
    t wgsl_second 1 'E-race' '' "$TF" portable two.wgsl --entry second --subgroup 8 --workgroups 1
    bad wgsl_no_entry 'no entry point third' "$TF" portable two.wgsl --entry third
    bad wgsl_broken 'broken.wgsl: .*error' "$TF" portable broken.wgsl
else
    skip wgsl "no naga: scripts/drivers.sh get naga"
fi
