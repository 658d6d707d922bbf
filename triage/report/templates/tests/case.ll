{{#llvm_target}}
{{#llvm_ir}}
; RUN: opt -passes=verify -disable-output %s
{{^pipeline=none}}
; RUN: opt -mtriple=spirv1.6-unknown-vulkan1.3-compute -passes='{{pipeline}}' \
-verify-each -S %s -o %t.ll
{{/pipeline}}
{{^judge=ir}}
{{#loop_op}}
; RUN: {{>parts/llc.txt}} -o - | FileCheck %s
{{/loop_op}}
; RUN: %if spirv-tools %{ {{>parts/llc.txt}} -filetype=obj -o - | \
spirv-val --target-env vulkan1.3 %}

{{#loop_op}}
; The operation must stay in the loop:
; CHECK: OpLoopMerge %[[#MERGE:]]
; CHECK: {{loop_op}}
; CHECK: %[[#MERGE]] = OpLabel
{{/loop_op}}
{{/judge}}

; {{class}}: {{verdict_line}}
{{#sentence}}
; {{sentence}}.
{{/sentence}}
; Found by tanglefuzz, bucket {{bucket}}.

{{llvm_ir}}\
{{/llvm_ir}}
{{/llvm_target}}
