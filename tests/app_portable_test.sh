#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# tanglefuzz portable and case: one module a verdict, its place and the inputs that were made for it; the twelve
# kernels of examples/shaders where glslang is here (scripts/setup.sh says how).
. "$SOURCE_DIR/tests/app_lib.sh" || exit 1

# module NAME BODY: one workgroup of 32 invocations, %i its index, buffer out[] at 0:0, count at 0:1, push constant n.
module() {
    cat >"$1.spvasm" <<SPV
OpCapability Shader
OpCapability GroupNonUniform
OpCapability GroupNonUniformBallot
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main" %index
OpExecutionMode %main LocalSize 32 1 1
%file = OpString "kernel.comp"
OpName %out "out"
OpName %shared "tile"
OpDecorate %index BuiltIn LocalInvocationIndex
OpDecorate %words ArrayStride 4
OpMemberDecorate %block 0 Offset 0
OpDecorate %block Block
OpDecorate %out DescriptorSet 0
OpDecorate %out Binding 0
OpDecorate %count DescriptorSet 0
OpDecorate %count Binding 1
OpMemberDecorate %pushed 0 Offset 0
OpDecorate %pushed Block
%void = OpTypeVoid
%fn = OpTypeFunction %void
%bool = OpTypeBool
%uint = OpTypeInt 32 0
%uint4 = OpTypeVector %uint 4
%u0 = OpConstant %uint 0
%u1 = OpConstant %uint 1
%u2 = OpConstant %uint 2
%u3 = OpConstant %uint 3
%u32 = OpConstant %uint 32
%u264 = OpConstant %uint 264
%true = OpConstantTrue %bool
%words = OpTypeRuntimeArray %uint
%block = OpTypeStruct %words
%toblock = OpTypePointer StorageBuffer %block
%toword = OpTypePointer StorageBuffer %uint
%out = OpVariable %toblock StorageBuffer
%count = OpVariable %toblock StorageBuffer
%pushed = OpTypeStruct %uint
%topushed = OpTypePointer PushConstant %pushed
%topush = OpTypePointer PushConstant %uint
%push = OpVariable %topushed PushConstant
%tile = OpTypeArray %uint %u32
%totile = OpTypePointer Workgroup %tile
%tocell = OpTypePointer Workgroup %uint
%shared = OpVariable %totile Workgroup
%toindex = OpTypePointer Input %uint
%index = OpVariable %toindex Input
%main = OpFunction %void None %fn
%entry = OpLabel
%i = OpLoad %uint %index
%place = OpAccessChain %toword %out %u0 %i
$2
OpReturn
OpFunctionEnd
SPV
}
one=(--workgroups 1)
module sure '%b = OpGroupNonUniformBallot %uint4 %u3 %true
%w = OpCompositeExtract %uint %b 0
OpStore %place %w'
t sure 0 '^Vulkan alone \(this shader\) +ok +ok +ok +ok +ok +ok$' '' "$TF" portable sure.spvasm "${one[@]}"
report sure_depends_on_size "$(grep -q 'depends on the subgroup size' out || cat out)"

# Half of the invocations come to the ballot: the extension alone says that they are together there.
module half 'OpLine %file 7 1
%low = OpBitwiseAnd %uint %i %u1
%odd = OpIEqual %bool %low %u1
OpSelectionMerge %merge None
OpBranchConditional %odd %then %merge
%then = OpLabel
OpLine %file 9 1
%b = OpGroupNonUniformBallot %uint4 %u3 %true
%w = OpCompositeExtract %uint %b 0
OpStore %place %w
OpBranch %merge
%merge = OpLabel'
t half 1 '^[+] maximal reconvergence +ok +ok' '' "$TF" portable half.spvasm "${one[@]}"
cp out half
for line in '^Vulkan alone \(this shader\) +reconv +reconv' 'The subgroupBallot in line 9 may be executed by only a subset' \
    'in the branch of line 7' 'word 1 of buffer 0:0 out' 'fix: declare maximal reconvergence'; do
    report "half: $line" "$(tr -s '\n ' ' ' <half | grep -Eq -e "${line#^}" || cat half)"
done
t half_json 1 - '' "$TF" portable half.spvasm --json "${one[@]}"
python3 - out <<'PY' >why 2>&1
import json, sys
a = json.load(open(sys.argv[1]))
assert a["verdict"] == "reconvergence" and len(a["cells"]) == 18, a
assert {c["status"] for c in a["cells"] if c["model"] == "maximal"} == {"portable"}
c = a["cells"][3]
assert c["subgroup"] == 32 and c["reason"]["from"]["line"] == 9 and c["reason"]["from"]["file"] == "kernel.comp", c
PY
report half_json_says "$(cat why)"
t half_sarif 1 - '' "$TF" portable half.spvasm --sarif "${one[@]}"
python3 - out <<'PY' >why 2>&1
import json, sys
r = json.load(open(sys.argv[1]))["runs"][0]["results"]
assert len(r) == 1 and r[0]["ruleId"] == "reconvergence", r
at = r[0]["locations"][0]["physicalLocation"]
assert at["artifactLocation"]["uri"] == "kernel.comp" and at["region"]["startLine"] == 9, at
PY
report half_sarif_says "$(cat why)"
t half_picture 1 '' '' "$TF" portable half.spvasm -o half.svg
report half_picture_is_xml "$(python3 -c 'import xml.etree.ElementTree as t; t.parse("half.svg")' 2>&1)"

# Positions by a counter depend on the order; its sum does not.
module order '%to = OpAccessChain %toword %count %u0 %u0
%at = OpAtomicIAdd %uint %to %u1 %u0 %u1
%there = OpAccessChain %toword %out %u0 %at
OpStore %there %i'
t order 1 'The atomicAdd .* returns a value that depends on the order of atomics' '' "$TF" portable order.spvasm --subgroup 8 --data zero "${one[@]}"
# A list that a counter fills is a set: the same elements, in any order. The sizes to judge.
t unordered 0 '^Vulkan alone .this shader. +ok[*]$' '' "$TF" portable order.spvasm --subgroup 8 --data zero "${one[@]}" --unordered out
t unordered_by_place 0 - '' "$TF" portable order.spvasm --subgroup 8 --data zero "${one[@]}" --unordered 0:0
t unordered_other 1 'order' '' "$TF" portable order.spvasm --subgroup 8 --data zero "${one[@]}" --unordered 0:1
bad unordered_none 'unordered none: the shader has no such buffer' "$TF" portable order.spvasm --unordered none
t sizes 1 '^ +16 +32 +64 lanes$' '' "$TF" portable half.spvasm --sizes 16-64 "${one[@]}"
bad no_sizes 'sizes 64-16' "$TF" portable half.spvasm --sizes 64-16
module sum '%to = OpAccessChain %toword %count %u0 %u0
%at = OpAtomicIAdd %uint %to %u1 %u0 %i'
t sum 0 '^Vulkan alone \(this shader\) +ok$' '' "$TF" portable sum.spvasm --subgroup 8 "${one[@]}"

# A race: both places, both invocations. With a barrier there is none.
race='%mine = OpAccessChain %tocell %shared %i
OpLine %file 3 1
OpStore %mine %i
BARRIER
%other = OpBitwiseXor %uint %i %u1
%theirs = OpAccessChain %tocell %shared %other
OpLine %file 5 1
%w = OpLoad %uint %theirs
OpStore %place %w'
module race "${race/BARRIER/}"
t race 1 'undef: any model, 4 lanes, E-race' '' "$TF" portable race.spvasm --subgroup 4 "${one[@]}"
report race_says "$(tr -s '\n ' ' ' <out | grep -q 'The load in line 5 (invocation 0 of workgroup 0) and the store in line 3 (invocation 1 of workgroup 0) access tile (its scalar 1), and nothing orders them. The value that is read decides the store in line 5. fix: put barrier()' || cat out)"
module ordered "${race/BARRIER/OpControlBarrier %u2 %u2 %u264}"
t ordered 0 - '' "$TF" portable ordered.spvasm --subgroup 4 "${one[@]}"

# The branch on a push constant runs: the constant was generated, and the output names it.
module pushed '%n = OpAccessChain %topush %push %u0
%limit = OpLoad %uint %n
%in = OpULessThan %bool %i %limit
OpSelectionMerge %merge None
OpBranchConditional %in %then %merge
%then = OpLabel
OpStore %place %i
OpBranch %merge
%merge = OpLabel'
t pushed 0 'push constants: 1 words, integers 64' '' "$TF" portable pushed.spvasm
t pushed_zero 2 'integers 0' '' "$TF" portable pushed.spvasm --data zero

# Bytes of a file: of push constants, of a buffer; they go before what a case has.
printf '\5\0\0\0' >five
t pushed_bytes 0 '' '' "$TF" case pushed.spvasm --subgroup 8 --data push=five -o five.spvasm
t pushed_bytes_predict 0 '^memory 0:0 u32 0 1 2 3 4 [^5]' '' "$TF" predict five.spvasm
module copied '%from = OpAccessChain %toword %count %u0 %i
%w = OpLoad %uint %from
OpStore %place %w'
python3 -c 'import sys; sys.stdout.buffer.write(bytes(range(127)))' >ramp
t buffer_bytes 0 '' '' "$TF" case copied.spvasm --subgroup 8 --workgroups 1 --data 3 --data 0:1=ramp -o ramp.spvasm
t buffer_bytes_predict 0 '^memory 0:0 u32 50462976 117835012 .* 8289660 ' '' "$TF" predict ramp.spvasm
t buffer_bytes_of_case 0 '' '' "$TF" case ramp.spvasm --subgroup 8 --data 0:1=five --data 0:0=ramp -o again.spvasm
report buffer_bytes_first "$(grep -Eq '^; buffer 0:1 words 5$|^; buffer 0:1 .*[^0-9]5$' again.spvasm || grep '^; ' again.spvasm)"
bad no_such_buffer 'the shader has no buffer 0:9' "$TF" case copied.spvasm --data 0:9=five
bad no_push 'the shader has no push constants' "$TF" case "$SOURCE_DIR/corpus/rules/M6-break-block-stays-split.spvasm" --data push=five
bad no_such_bytes 'data: .*none.bin' "$TF" portable copied.spvasm --data 0:1=none.bin
: >nothing
bad empty_bytes 'data: nothing is empty' "$TF" portable copied.spvasm --data 0:1=nothing

# The case that was used: other commands take it, and it holds its inputs.
t case 0 '' '' "$TF" case pushed.spvasm --subgroup 8 -o used.spvasm
t case_predicts 0 '^memory 0:0 u32 0 1 2 3 4 5 6 7 ' '' "$TF" predict used.spvasm
t case_is_asked 0 - '' "$TF" portable used.spvasm
report case_invents_nothing "$(grep invented out)"

# It is uninitialized.
module unwritten '%mine = OpAccessChain %tocell %shared %i
OpLine %file 4 1
%w = OpLoad %uint %mine
OpStore %place %w'
t unwritten 1 'The load in line 4 reads memory that was never written; it decides word 0 of buffer 0:0 out' '' "$TF" portable unwritten.spvasm --subgroup 4 "${one[@]}"

# What is refused, by name, and whether it is planned.
sed 's/^OpCapability GroupNonUniformBallot$/&\nOpCapability CooperativeMatrixKHR/; s/^%void = /%float = OpTypeFloat 32\n&/' sure.spvasm >matrix.spvasm
sed -i 's/^%true = .*/&\n%u16 = OpConstant %uint 16\n%matrix = OpTypeCooperativeMatrixKHR %float %u3 %u16 %u16 %u0/; s/^OpReturn$/%n = OpCooperativeMatrixLengthKHR %uint %matrix\n&/' matrix.spvasm
t matrix 2 'cooperative matrices are not modelled .*not planned: the implementation' '' sh -c '"$0" portable matrix.spvasm | tr -s "\n " " "; exit 2' "$TF"

# Inputs of branches: a number that they are compared with opens the other way, and the verdict says so.
module mode '%n = OpAccessChain %topush %push %u0
%mode = OpLoad %uint %n
%is = OpIEqual %bool %mode %u3
%low = OpBitwiseAnd %uint %i %u1
%odd = OpIEqual %bool %low %u1
%both = OpLogicalAnd %bool %is %odd
OpSelectionMerge %merge None
OpBranchConditional %both %then %merge
%then = OpLabel
OpLine %file 9 1
%b = OpGroupNonUniformBallot %uint4 %u3 %true
%w = OpCompositeExtract %uint %b 0
OpStore %place %w
OpBranch %merge
%merge = OpLabel'
t mode 1 'With byte 0 of %[0-9]+ = 3, the subgroupBallot in line 9' '' "$TF" portable mode.spvasm --subgroup 8 "${one[@]}"
t mode_zero 2 'No input reached the subgroupBallot in line 9: the branch .* may differ between invocations, because it depends on ' '' sh -c '"$@" | tr -s "\n " " "; exit 2' - "$TF" portable mode.spvasm --subgroup 8 --data zero "${one[@]}"

# A guard that leaves subgroups whole with an invented count, and not with others.
module guard '%n = OpAccessChain %topush %push %u0
%limit = OpLoad %uint %n
%in = OpULessThan %bool %i %limit
OpSelectionMerge %merge None
OpBranchConditional %in %then %merge
%then = OpLabel
OpLine %file 9 1
%b = OpGroupNonUniformBallot %uint4 %u3 %true
%w = OpCompositeExtract %uint %b 0
OpStore %place %w
OpBranch %merge
%merge = OpLabel'
sed -i 's/LocalSize 32/LocalSize 64/' guard.spvasm
t guard 0 'ok[*]' '' "$TF" portable guard.spvasm --subgroup 8 "${one[@]}"
report guard_says "$(tr -s '\n ' ' ' <out | grep -q 'Worse with byte 0 of %[0-9]* = 37, which is not a multiple of 8: the subgroupBallot in line 9' || cat out)"

# Two variables on one buffer, not decorated Aliased.
sed 's/Binding 1$/Binding 0/' copied.spvasm >alias.spvasm
t alias 0 'ok[*]' '' "$TF" portable alias.spvasm --subgroup 8 "${one[@]}"
report alias_says "$(tr -s '\n ' ' ' <out | grep -q 'are the same buffer, which is written, and are not both decorated Aliased' || cat out)"
sed 's/^OpDecorate %out Binding 0$/&\nOpDecorate %out Aliased\nOpDecorate %count Aliased/' alias.spvasm >aliased.spvasm
t aliased 0 - '' "$TF" portable aliased.spvasm --subgroup 8 "${one[@]}"
report aliased_is_fine "$(grep 'Aliased' out)"

# OpenGL's uniforms outside of blocks.
sed 's/^%main = OpFunction.*/%tofar = OpTypePointer UniformConstant %uint\n%far = OpVariable %tofar UniformConstant\n&/; s/^OpReturn$/%v = OpLoad %uint %far\nOpStore %place %v\n&/' sure.spvasm >far.spvasm
t far 0 'uniforms outside blocks: 2 words' '' "$TF" portable far.spvasm --subgroup 8 "${one[@]}"
t far_case 0 '' '' "$TF" case far.spvasm --subgroup 8 "${one[@]}" -o far-case.spvasm
report far_value "$(grep -q '^; push u32 64 64$' far-case.spvasm || grep '^; push' far-case.spvasm)"

# shader NAME GLSL: NAME.comp, 64 invocations, i their number.
shader() {
    cat >"$1.comp"
}
if command -v glslangValidator >/dev/null || command -v glslang >/dev/null; then
    flat() { tr -s '\n ' ' ' <out; }
    # Arrays of buffers: by an index that says that it differs; one that does not say so; one out of the array.
    array='#version 450
#extension GL_EXT_nonuniform_qualifier : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer Material { uint colour[]; } material[];
layout(set = 0, binding = 1) buffer Count { uint count; uint pad; } counts[4];
layout(set = 0, binding = 2) writeonly buffer Out { uint res[]; };
void main() {
    uint i = gl_LocalInvocationIndex, m = i & 3;
    res[i] = material[INDEX].colour[i] + material[2].colour.length();
    atomicAdd(counts[INDEX].count, 1);
}'
    shader array <<<"${array//INDEX/nonuniformEXT(m)}"
    t array 0 'counts: 4 buffers of 2 words' '' "$TF" portable array.comp "${one[@]}"
    t array_case 0 '' '' "$TF" case array.comp --subgroup 8 "${one[@]}" -o array.spvasm
    report array_is_said "$(grep -q '^; buffer 0:1 x4 u32 0 64 0 64 0 64 0 64$' array.spvasm || grep '^; ' array.spvasm | cut -c1-80)"
    t array_case_is_asked 0 - '' "$TF" portable array.spvasm
    # A compiler that has put the decoration on the index and has lost it on the pointer.
    awk '/= OpAccessChain/ { drop = drop $1 " " } { line[NR] = $0 }
         END { for (k = 1; k <= NR; k++) { split(line[k], w, " ")
             if (!(w[1] == "OpDecorate" && w[3] == "NonUniform" && index(drop, w[2] " "))) print line[k] } }' array.spvasm >lost.spvasm
    t lost 0 - '' "$TF" portable lost.spvasm
    report lost_says "$(flat | grep -q 'he compiler decorated an index of the .* NonUniform, but not its pointer' || cat out)"
    t not_lost 0 - '' "$TF" portable array.spvasm
    # The load's pointer is decorated. glslang 12 does not decorate the pointer of the atomicAdd: that note is right.
    report not_lost_is_quiet "$(flat | grep -o 'decorated an index of [^,]*' | grep -v '^decorated an index of the atomicAdd')"
    # Images of several samples; rectangles are refused by name.
    shader samples <<'GLSL'
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) uniform sampler2DMS s;
layout(set = 0, binding = 1) buffer Out { float y[]; };
void main() { y[gl_LocalInvocationIndex] = texelFetch(s, ivec2(0), 1).x; }
GLSL
    t samples 0 'image 0:0 s: 2d-ms 64 64 rgba32f' '' "$TF" portable samples.comp
    shader uniform <<<"${array//INDEX/m}"
    t array_uniform 1 'E-uniform' '' "$TF" portable uniform.comp "${one[@]}"
    report array_uniform_says "$(flat | grep -q 'takes a buffer from the array material with an index that is not uniform in its subgroup' || cat out)"
    shader outside <<<"${array//INDEX/nonuniformEXT(m + 1)}"
    t array_outside 1 'undef' '' "$TF" portable outside.comp --subgroup 8 "${one[@]}"
    report array_outside_says "$(flat | grep -q 'The atomicAdd in line 10 is out of bounds of counts' || cat out)"
    # Of an array of constant length: the index, the length, the invocation, and the lines that call the function.
    shader stray <<'GLSL'
#version 450
layout(local_size_x = 8) in;
layout(set = 0, binding = 0) buffer In { uint x[8]; };
layout(set = 0, binding = 1) buffer Out { uint y[]; };
uint before(int i) { return x[i - 3]; }
void main() {
    y[gl_LocalInvocationIndex] = before(int(gl_LocalInvocationIndex) + 3);
    y[gl_LocalInvocationIndex] += before(5 - int(gl_LocalInvocationIndex));
}
GLSL
    t stray 1 'undef' '' "$TF" portable stray.comp --subgroup 8
    report stray_says "$(flat | grep -q 'out of bounds of In, in invocation 3 of workgroup 0: index -1, 8 elements. Its function is called in lines 7 and 8' || cat out)"
    # What addresses point to; a race there is one with any address.
    far='#version 460
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference2 : require
layout(local_size_x = 64) in;
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Words { uint v[]; };
layout(buffer_reference) buffer Node;
layout(buffer_reference, std430, buffer_reference_align = 8) buffer Node { Node next; uint value; };
layout(push_constant) uniform Push { Words from; Words to; Node head; } push;
void main() {
    uint i = gl_LocalInvocationIndex, sum = push.from.v[i];
    Node n = push.head;
    for (int k = 0; k < 8 && uvec2(n) != uvec2(0); k++) { sum += n.value; n = n.next; }
    push.to.v[PLACE] = sum;
}'
    far=${far/#\#version 460/#version 460
#extension GL_EXT_buffer_reference_uvec2 : require}
    shader address <<<"${far//PLACE/i}"
    t address 0 'memory that addresses point to: [0-9]+ blocks' '' "$TF" portable address.comp "${one[@]}"
    t address_case 0 '' '' "$TF" case address.comp --subgroup 8 "${one[@]}" -o address.spvasm
    t address_predict 0 '^memory 32:0 u32' '' "$TF" predict address.spvasm
    t address_for_no_target 2 'only the oracle supports arrays of buffers and memory that addresses point to' '' \
        "$TF" replay address.spvasm --target "exec-compiler:cp {in} {out}"
    shader racing <<<"${far//PLACE/i / 2}"
    t address_race 1 'E-race' '' "$TF" portable racing.comp --subgroup 8 "${one[@]}"
    report address_race_says "$(flat | grep -q 'block 1 of the memory that addresses point to (its byte 0), and nothing orders them' || cat out)"
    shader far_outside <<<"${far//PLACE/i * 5000000}"
    t address_outside 2 'out of bounds' '' "$TF" portable far_outside.comp --subgroup 8 "${one[@]}"
    # Sums of floats round by the order; whole numbers do not.
    floats='#version 450
#extension GL_EXT_shader_atomic_float : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer In { float x[]; };
layout(set = 0, binding = 1) buffer Out { float sum; };
void main() { atomicAdd(sum, VALUE); }'
    shader sums <<<"${floats//VALUE/x[gl_LocalInvocationIndex]}"
    t float_sum 1 'order +order' '' "$TF" portable sums.comp "${one[@]}"
    report float_sum_says "$(flat | grep -q 'adds floats, and the rounding of the sum depends on the order in which invocations run' || cat out)"
    shader whole <<<"${floats//VALUE/float(gl_LocalInvocationIndex)}"
    t float_whole 0 'ok[*]' '' "$TF" portable whole.comp "${one[@]}"
    # mediump: noted where 16 bits would show, and only there.
    medium='#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 1) buffer Out { float y[]; };
void main() { mediump float a = float(gl_LocalInvocationIndex) * FACTOR; y[gl_LocalInvocationIndex] = a; }'
    shader exact <<<"${medium//FACTOR/2.0}"
    t mediump_exact 0 - '' "$TF" portable exact.comp "${one[@]}"
    report mediump_exact_is_quiet "$(grep -i relaxed out)"
    shader rounds <<<"${medium//FACTOR/1001.5}"
    t mediump_rounds 0 'RelaxedPrecision' '' "$TF" portable rounds.comp "${one[@]}"
    # Fixes: what can stand elsewhere, what need not be there.
    shader move <<'GLSL'
#version 450
#extension GL_KHR_shader_subgroup_shuffle : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer B { uint x[]; };
void main() {
    uint i = gl_LocalInvocationIndex, v = x[i], r = 0;
    if ((v & 1) == 0 ||
        gl_SubgroupInvocationID < 4)
        r = subgroupShuffle(v, gl_SubgroupInvocationID & 3);
    x[i] = r;
}
GLSL
    t move 1 'fix: move it before line [78], where all are converged' '' "$TF" portable move.comp --subgroup 16 "${one[@]}"
    shader elect <<'GLSL'
#version 450
#extension GL_KHR_shader_subgroup_basic : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer B { uint x[]; };
layout(set = 0, binding = 1) buffer F { uint flag; };
void main() {
    if (x[gl_LocalInvocationIndex] > 3)
        if (subgroupElect()) OPERATION
}
GLSL
    sed -i 's/OPERATION/atomicOr(flag, 1);/' elect.comp
    t elect_not_needed 0 'does not depend on the subgroupElect in line 8' '' "$TF" portable elect.comp "${one[@]}"
    sed -i 's/atomicOr/atomicAdd/' elect.comp
    t elect_needed 1 'reconv' '' "$TF" portable elect.comp "${one[@]}"
    # A loop that waits for others; a lane that is missing in a subgroup that is not full.
    shader waits <<'GLSL'
#version 450
#extension GL_KHR_memory_scope_semantics : require
layout(local_size_x = 32) in;
layout(set = 0, binding = 0) coherent buffer S { uint ticket; uint done; };
void main() {
    if (gl_LocalInvocationIndex == 0) {
        uint t = atomicAdd(ticket, 1);
        while (atomicLoad(done, gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsAcquire) != t)
            ;
        atomicAdd(done, 1);
    }
}
GLSL
    t waits 0 'ok[*]' '' "$TF" portable waits.comp --subgroup 8
    report waits_says "$(flat | grep -q 'The loop at line 8 ends when the atomicLoad in line 8 reads a value that another invocation writes: Vulkan does not promise' || cat out)"
    shader full <<'GLSL'
#version 450
#extension GL_KHR_shader_subgroup_basic : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer S { uint out_[]; };
shared uint last[64];
void main() {
    if (gl_SubgroupInvocationID == gl_SubgroupSize - 1) last[gl_SubgroupID] = 7;
    barrier();
    out_[gl_LocalInvocationIndex] = last[gl_SubgroupID];
}
GLSL
    t full 1 'the program is undefined on every device .at 128 lanes' '' "$TF" portable full.comp "${one[@]}"
    report full_says "$(flat | grep -q 'a workgroup of 64 does not fill its last subgroup of 128: does the shader assume that all lanes exist' || cat out)"
    # More images than a case holds: said, as text and as JSON.
    many() {
        echo '#version 450
layout(local_size_x = 32) in;'
        for k in $(seq "$1"); do echo "layout(set = 0, binding = $k) uniform usamplerBuffer t$k;"; done
        echo 'layout(set = 0, binding = 0) buffer B { uint b[]; };
void main() {'
        for k in $(seq "$1"); do echo "    b[gl_LocalInvocationIndex] += texelFetch(t$k, 0).x;"; done
        echo '}'
    }
    many 32 >images32.comp
    many 33 >images33.comp
    t images_32 0 - '' "$TF" portable images32.comp --subgroup 8 "${one[@]}"
    t images_33 2 'a case holds 32 sampled images' '' "$TF" portable images33.comp --subgroup 8
    t images_33_json 2 'a case holds 32 sampled images' '' "$TF" portable images33.comp --subgroup 8 --json
    # Matrices and functions with two results: a rounded number, as of other functions.
    shader matrix <<'GLSL'
#version 450
layout(local_size_x = 32) in;
layout(set = 0, binding = 0) buffer A { mat3 m[]; };
layout(set = 0, binding = 1) buffer B { float r[]; };
void main() {
    uint i = gl_LocalInvocationIndex;
    if (determinant(m[i]) <= 0.0) return;
    mat3 n = inverse(m[i]);
    int e;
    float w, f = modf(n[0][1] * 0.1, w) + frexp(n[2][2] * 0.3, e);
    vec3 q = refract(normalize(n[0]), normalize(n[1]), 0.7) + faceforward(n[0], n[1], n[2]);
    if (q.x > 3.0 || f > 1.0) return;
    r[i] = n[1][2] + w + float(e);
}
GLSL
    t matrix_functions 0 'depends on a rounded float' '' "$TF" portable matrix.comp --subgroup 8 "${one[@]}"
    # What really hangs on invented inputs, and what does not.
    inputs='#version 450
layout(local_size_x = 64) in;
layout(push_constant) uniform P { uint n; };
layout(set = 0, binding = 1) buffer B { uint b[]; };
layout(set = 0, binding = 2) readonly buffer C { uint low[64], high[64]; };
shared uint s[64];
void main() {
    uint i = gl_LocalInvocationIndex, sum = 0;
    BODY
}'
    shader never_written <<<"${inputs/BODY/if (i >= n) return; uint k; b[i] = k >> 2;}"
    t never_written 1 'reads memory that was never written' '' "$TF" portable never_written.comp --subgroup 8 "${one[@]}"
    shader limits <<<"${inputs/BODY/b[i] = clamp(5u, low[i], high[i]);}"
    t limits 2 'With other invented inputs, not known: .* depends on C, which was invented' '' \
        sh -c '"$0" portable limits.comp --subgroup 8 | tr -s "\n " " "; exit 2' "$TF"
    loop='for (uint k = 0; k < n; k++) sum += k;'
    shader divided <<<"${inputs/BODY/$loop if (i < 32) \{ s[i] = sum; barrier(); b[i] = s[i ^ 1]; \}}"
    sed -i 's/\\//g' divided.comp
    t divided 1 'E-barrier' '' "$TF" portable divided.comp --subgroup 8 "${one[@]}"
    sed 's/i < 32/i < low[i]/' divided.comp >divided_by_data.comp
    t divided_by_data 2 'invocations reach it depends on C, which was invented' '' \
        sh -c '"$0" portable divided_by_data.comp --subgroup 8 | tr -s "\n " " "; exit 2' "$TF"
    shader aligned <<'GLSL'
#version 460
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
layout(local_size_x = 32) in;
layout(buffer_reference, std430, buffer_reference_align = 16) buffer Four { uint v; };
layout(set = 0, binding = 0) buffer B { uint b[]; };
layout(set = 0, binding = 1) readonly buffer C { uint offset[]; };
layout(push_constant) uniform P { Four base; };
void main() { b[gl_LocalInvocationIndex] = Four(uvec2(base) + uvec2(4 * offset[gl_LocalInvocationIndex], 0)).v; }
GLSL
    t aligned 0 'Vulkan alone .this shader. ok[*].*invented as multiples of 16, because an address' '' sh -c '"$0" portable aligned.comp --subgroup 8 | tr -s "\n " " "' "$TF"
    # The fix as a text edit: it compiles where glslang knows the extension, and then all is promised.
    cp "$SOURCE_DIR/examples/shaders/waterfall.comp" waterfall.comp
    t fix 1 - '' "$TF" portable waterfall.comp --sarif --subgroup 8
    python3 - out waterfall.comp <<'PY' >edited.comp 2>why
import json, sys
[fix] = json.load(open(sys.argv[1]))["runs"][0]["results"][0]["fixes"]
[change] = fix["artifactChanges"]
assert change["artifactLocation"]["uri"] == "waterfall.comp", change
lines = open(sys.argv[2]).read().split("\n")
for edit in sorted(change["replacements"], key=lambda edit: -edit["deletedRegion"]["startLine"]):
    at, text = edit["deletedRegion"], lines[edit["deletedRegion"]["startLine"] - 1]
    assert at["startLine"] == at["endLine"] and at["startColumn"] == at["endColumn"], at
    k = at["startColumn"] - 1
    lines[at["startLine"] - 1] = text[:k] + edit["insertedContent"]["text"] + text[k:]
sys.stdout.write("\n".join(lines))
PY
    report fix_says "$(cat why; diff waterfall.comp edited.comp | grep '^[<>]' | diff - <(printf '%s\n' '> #extension GL_EXT_maximal_reconvergence : require' '< void main()' '> void main() [[maximally_reconverges]]'))"
    # A comment in the line says that the author knows.
    sed 's|kept.atomicAdd.*|& // portable: ok, a set|' "$SOURCE_DIR/examples/shaders/compaction.comp" >known.comp
    t suppressed 0 'does not count for the exit status' '' sh -c '"$0" portable known.comp --subgroup 8 >text; s=$?; tr -s "\n " " " <text; exit $s' "$TF"
    sed 's|kept.atomicAdd|portable: ok; &|; s|portable: ok;||; s|kept.atomicAdd.*|& // portable: fine|' "$SOURCE_DIR/examples/shaders/compaction.comp" >unknown.comp
    t not_suppressed 1 - '' "$TF" portable unknown.comp --subgroup 8
    # An array's index counts the iterations of a loop that invented numbers end: no fault of the shader.
    shader counted <<<"${inputs/BODY/for (uint k = 0; k < n; k++) sum += s2[k]; b[i] = sum;}"
    sed -i 's/^shared uint/const uint s2[4] = {1, 2, 3, 4};\n&/' counted.comp
    t counted 0 - '' "$TF" portable counted.comp --subgroup 8 "${one[@]}"
    sed -i 's/k < n/k < 64/' counted.comp
    t counted_by_itself 1 'E-bounds' '' "$TF" portable counted.comp --subgroup 8 "${one[@]}"
    # Nothing distinguishes its workgroups: it is made for one. With two given, they race.
    shader single <<<"${inputs/BODY/b[i] += low[i];}"
    t single 0 'dispatch: 1 workgroup$' '' "$TF" portable single.comp --subgroup 8
    t single_twice 1 'E-race' '' "$TF" portable single.comp --subgroup 8 --workgroups 2
    # Images: a write outside is discarded; a read outside is zero by robustImageAccess: by the letter.
    shader outside <<'GLSL'
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) uniform sampler2D from;
layout(set = 0, binding = 1, rg32f) uniform image2D to;
void main() {
    ivec2 at = ivec2(gl_LocalInvocationIndex, 0);
    imageStore(to, at + ivec2(5000, 0), texelFetch(from, at, 0));
}
GLSL
    t outside_write 0 'this shader. +ok$' '' "$TF" portable outside.comp --subgroup 8
    sed 's/from, at/from, at - 1/' outside.comp >outside_read.comp
    t outside_read 0 'this shader. letter.*reads outside of its image.*robustImageAccess' '' \
        sh -c '"$0" portable outside_read.comp --subgroup 8 | tr -s "\n " " "' "$TF"
    # HLSL 2021 evaluates one side of ?: and &&.
    cat >sides.hlsl <<'HLSL'
groupshared uint g[64];
RWStructuredBuffer<uint> b : register(u0);
[numthreads(64, 1, 1)] void main(uint i : SV_GroupIndex) {
    g[i] = i;
    GroupMemoryBarrierWithGroupSync();
    uint before = i > 0 ? g[i - 1] : 0;
    b[i] = before + (i < 60 && g[i + 4] > 7 ? 1 : 0);
}
HLSL
    t sides 0 - '' "$TF" portable sides.hlsl --subgroup 8
    t sides_2018 1 'E-bounds' '' "$TF" portable sides.hlsl --subgroup 8 --hlsl 2018
    sed 's/i > 0 ?/i >= 0 ?/' sides.hlsl >sides_wrong.hlsl
    t sides_wrong 1 'E-bounds' '' "$TF" portable sides_wrong.hlsl --subgroup 8
    bad no_such_hlsl 'hlsl.*2018' "$TF" portable sides.hlsl --hlsl 2019
    # Undefined by the letter: no device can show it. A note; with --strict a fault.
    letter='#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer A { uint a[64]; uint flag; };
layout(set = 0, binding = 1) buffer B { uint b[]; };
void main() {
    uint i = gl_LocalInvocationIndex;
    BODY
}'
    shader coherent <<<"${letter/BODY/a[i] = i; memoryBarrierBuffer(); barrier(); b[i] = a[i ^ 1];}"
    t letter_coherent 0 '^Vulkan alone .* letter$' '' "$TF" portable coherent.comp --subgroup 8 "${one[@]}"
    t letter_strict 1 - '' "$TF" portable coherent.comp --subgroup 8 "${one[@]}" --strict
    shader not_released <<<"${letter/BODY/a[i] = i; barrier(); b[i] = a[i ^ 1];}"
    t letter_not_released 1 'undef$' '' "$TF" portable not_released.comp --subgroup 8 "${one[@]}"
    shader equal <<<"${letter/BODY/flag = 7;}"
    t letter_equal 0 '^Vulkan alone .* letter$' '' "$TF" portable equal.comp --subgroup 8 "${one[@]}"
    shader unequal <<<"${letter/BODY/flag = i;}"
    t letter_unequal 1 'undef$' '' "$TF" portable unequal.comp --subgroup 8 "${one[@]}"
    # What no input reaches: whether it may differ is said by its paths.
    unrun='#version 450
#extension GL_KHR_shader_subgroup_arithmetic : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer A { uint a[]; };
layout(push_constant) uniform P { uint n, m; };
void main() {
    uint i = gl_LocalInvocationIndex, x = n;
    for (uint k = 0; k < 3; k++) x = x * n + 1;
    a[i + 64] = x;
    if (WHAT == 77777 * m)
        a[i] = subgroupAdd(i);
}'
    shader unrun_same <<<"${unrun/WHAT/x}"
    t unrun_same 0 'reached and cannot' '' "$TF" portable unrun_same.comp --subgroup 8 "${one[@]}"
    shader unrun_differ <<<"${unrun/WHAT/x + i}"
    t unrun_differ 2 'may not be promised; 7 of 8 blocks ran' '' "$TF" portable unrun_differ.comp --subgroup 8 "${one[@]}"
    # After what hangs on an invented number, it goes on.
    shader goes_on <<'GLSL'
#version 450
#extension GL_KHR_shader_subgroup_ballot : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer A { uint a[]; };
layout(push_constant) uniform P { uint n; };
void main() {
    uint i = gl_LocalInvocationIndex, x = 1u << (n + 64);
    if (x > 5) a[0] = 1;
    if ((i & 1) == 0)
        a[i + 1] = subgroupBallot(true).x;
}
GLSL
    t goes_on 1 'subgroupBallot in line 10 may be executed' '' "$TF" portable goes_on.comp --subgroup 8 "${one[@]}"
    # explain shows what runs by one legal order.
    t explain_atomics 0 'the parts join at the merge block' - "$TF" explain "$SOURCE_DIR/examples/shaders/compaction.comp" --subgroup 8
fi

bad both_forms 'json and --sarif exclude each other' "$TF" portable sure.spvasm --json --sarif
bad no_file 'none.spv' "$TF" portable none.spv
bad data 'data .*none.spvasm' "$TF" portable sure.spvasm --data none.spvasm
echo 'void main() {}' >x.comp
t no_glslang 2 '' 'neither glslangValidator nor glslang was found .package glslang-tools' env PATH=/nowhere "$TF" portable x.comp

# The kernels, for each what its own comment says.
if command -v glslangValidator >/dev/null || command -v glslang >/dev/null; then
    while read -r name status verdict; do
        t "shader_$name" "$status" "\"verdict\": \"$verdict\"" '' \
            "$TF" portable "$SOURCE_DIR/examples/shaders/$name.comp" --subgroup 16 --json
    done <<'END'
aggregation 1 reconvergence
compaction 1 order
hash_insert 1 order
look_back 1 order
quad_blur 0 portable
radix_rank 1 order
ray_march 1 reconvergence
reduction_tree 1 undefined
scan 0 portable
subgroup_sort 1 undefined
waterfall 1 reconvergence
work_stealing 1 order
END
    printf '%s\n' 'RWStructuredBuffer<uint> Out : register(u0);' '[numthreads(32, 1, 1)] void main(uint i : SV_GroupIndex) {' \
        '    uint n = 0;' '    if (i & 1)' '        n = WaveActiveCountBits(true);' '    Out[i] = n;' '}' >odd.hlsl
    t hlsl 1 '^ +5 . n = WaveActiveCountBits' '' "$TF" portable odd.hlsl --subgroup 16 --workgroups 1
    # HLSL: another entry point, registers apart, definitions, included files; glslang's own words.
    printf '%s\n' '#include "part.h"' 'StructuredBuffer<uint> In : register(t0);' 'RWStructuredBuffer<uint> Out : register(u0);' \
        '[numthreads(32, 1, 1)] void CSMain(uint i : SV_GroupIndex) { Out[i] = In[i] + MORE + PART; }' >entry.hlsl
    mkdir -p inc && echo '#define PART 1' >inc/part.h
    t hlsl_entry 0 - '' "$TF" portable entry.hlsl --entry CSMain -I inc -D MORE=3 --subgroup 8 --workgroups 1
    bad hlsl_no_define 'entry.hlsl: ERROR: .*MORE' "$TF" portable entry.hlsl --entry CSMain -I inc
    bad hlsl_no_entry 'ntry point.*--entry NAME' "$TF" portable entry.hlsl -I inc -D MORE=3
    # GLSL: #include without the extension, as glslc has it; lines and the file stay.
    printf '%s\n' '#version 450' '#include "part.h"' 'layout(local_size_x = 32) in;' 'layout(set = 0, binding = 0) buffer B { uint b[]; };' \
        'shared uint s[32];' 'void main() {' '    uint i = gl_LocalInvocationIndex;' '    s[i] = PART;' '    b[i] = s[i ^ 1];' '}' >glslc.comp
    t glsl_include 1 '^ +9 . b\[i\] = s\[i \^ 1\];' '' "$TF" portable glslc.comp -I inc --subgroup 8
    for name in x.slang x.compute; do
        echo 'import x;' >$name
        bad "refused_${name#x.}" "$name: .* is not read here; give the SPIR-V" "$TF" portable $name
    done
    bad no_shader 'nosuch.comp: no such file' "$TF" portable nosuch.comp
    # A number by its name.
    printf '%s\n' '#version 450' 'layout(local_size_x = 32) in;' 'layout(constant_id = 3) const uint width = 4;' \
        'layout(push_constant) uniform P { float f; uint mode; };' 'layout(set = 0, binding = 0) buffer B { uint b[]; };' \
        'void main() { b[gl_LocalInvocationIndex] = (mode == 12345 && width == 9) ? uint(f) : 1; }' >set.comp
    "$TF" case set.comp --set mode=12345 --set width=9 --set f=2.5 --subgroup 8 -o set.spvasm
    report set_says "$(grep -q '^; spec 3 u32 9$' set.spvasm && grep -q '^; push u32 .*12345$' set.spvasm || grep '^; ' set.spvasm)"
    bad set_unknown 'no such input; it has .*mode' "$TF" portable set.comp --set nothing=1
    bad set_wrong 'not a number' "$TF" portable set.comp --set mode=x
    t shader_error 2 '' 'broken.comp: .*ERROR' sh -c 'echo "#version 450
void main() { x }" >broken.comp; exec "$0" portable broken.comp' "$TF"
else
    skip shaders "no glslang: package glslang-tools"
fi
