#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# report --bundle: a folder that stands alone. Its README's commands are run in an empty folder, its
# Amber script is read by the published grammar and must say what the oracle says.
. "$(dirname "$0")/app_lib.sh"
. "$SOURCE_DIR/tests/report_lib.sh"
if ! command -v python3 >/dev/null; then
    skip bundles 'no python3'
    exit
fi
mkdir bin && ln -s "$TF" bin/tanglefuzz
export READERS=$SOURCE_DIR/tests/readers
PATH=$work/bin:$DEPS_DIR/tools/sid/bin:$PATH
# The commands of spirv-val are run where it is: Debian 13's, fetched by setup.sh, needs the C++ library of Debian 13.
"$DEPS_DIR/root/usr/bin/spirv-val" --version >/dev/null 2>&1 && PATH=$PATH:$DEPS_DIR/root/usr/bin
command -v spirv-val >/dev/null || skip spirv_val_of_a_bundle 'no spirv-val'
wrong_compiler bin/wrong || exit 1
campaign one 12:24 "$work/bin/wrong {in} {out}" || fail campaign "$(cat one.log)"
"$TF" report one --format jsonl >one.jsonl
bucket=$(sed -n 's/.*"type":"bucket","bucket":"\([a-z]*\)".*"class":"\(wrong\|missing\|extra\)[^"]*".*/\1/p' one.jsonl | head -n 1)
if [ -z "$bucket" ]; then
    fail mismatch "$(cat one.jsonl)"
    exit 1
fi

bad no_bucket "no bucket 'nothing'" "$TF" report one --bundle nothing
bad bad_form 'is not one of generic' "$TF" report one --bundle "$bucket" --form word
bad form_alone 'needs --bundle' "$TF" report one --form mesa
bad target_alone 'target needs --bundle' "$TF" report one --target naga
bad other_target "found on 'exec-compiler:wrong" "$TF" report one --bundle "$bucket" --target naga
own=(--target "exec-compiler:$work/bin/wrong {in} {out}")
# An old spirv-val refuses the execution mode: its commands do not show what they must, and are left out.
left='0 left out' commands='[5-9] commands'
if command -v spirv-val >/dev/null && ! spirv-val --target-env vulkan1.3 "$(ls one/findings/*/case.spv | head -n 1)" >/dev/null 2>&1; then
    skip spirv_val_of_a_bundle "$(spirv-val --version | head -n 1) does not know the mode"
    left='[12] left out' commands='[3-9] commands'
fi
t bundle 0 "$left" '' "$TF" report one --bundle "$bucket" "${own[@]}"
bad there_already 'exists already' "$TF" report one --bundle "$bucket"
b=one/bundles/$bucket
for file in README.md case.spvasm case.spv case.amber case.txt expected.mem observed.mem lanes.txt \
    output.spv output.spvasm tangles-expected.svg tangles-observed.svg tangles-expected.txt proof.txt; do
    [ -s "$b/$file" ] || fail "holds_$file" "$(ls -l "$b")"
done
report no_machine_path "$(grep -rl -e "$work" -e "$SOURCE_DIR" -e "$HOME/" "$b")"
report proof "$(grep -c ': yes\|both give the same' "$b/proof.txt" | grep -vx 3)"
# Without a reason that survived control programs: facts alone, no rule (app_reason_test has the others).
report names_no_rule "$(! grep -Eq "\*\*[a-z].*\.\*\*|Why it is wrong" "$b/README.md" || cat "$b/README.md")"

for form in mesa spirv-tools spirv-cross llvm offload-test glslang naga tint amber cts generic; do
    t "form_$form" 0 "^form-$form$" '' "$TF" report one --bundle "$bucket" --alone --form $form -o "form-$form"
done
matches form-mesa/README.md '^### System information' && matches form-spirv-tools/README.md '^## Reproducer' &&
    matches form-llvm/README.md '^## Actual behavior' && matches form-glslang/README.md '^## Steps to reproduce' &&
    pass forms || fail forms "$(head -n 30 form-*/README.md)"

# ---- the commands of the README, in an empty folder with nothing but the bundle and the compiler
check() { "$SOURCE_DIR/scripts/bundle_check.py" "$@"; }
t commands 0 " $commands as said" '' check "$b"
report judged "$(grep -q '^    # exit status 1: case.spvasm: ' "$b/README.md" || cat "$b/README.md")"
# The checker finds a README that says too much.
cp -r "$b" lies && sed -i 's/^    # exit status 0$/    # exit status 7/' lies/README.md
t lies 1 '^wrong lies: .*' '' check lies
cp -r "$b" silent && sed -i '/^    tanglefuzz replay/,+1d' silent/README.md
t silent 1 'no command shows the bug' '' check silent
# --recorded runs nothing, and refuses the same silence.
t recorded 0 " $commands recorded" '' check --recorded "$b"
t recorded_silent 1 'no command shows the bug' '' check --recorded silent
cp -r "$b" vague && sed -i 's/^    # exit status 1: .*/    # exits somehow/' vague/README.md
t recorded_vague 1 'does not say how it ends' '' check --recorded vague
# A program that a folder names is not run unless the user names it, too.
t not_named 0 'not run' '' "$TF" report one --bundle "$bucket" --alone -o not-named
report not_named_says "$(grep -q '^    # not run: a folder may not choose a program' not-named/README.md || cat not-named/README.md)"
# A compiler that is right by now: its commands are left out.
printf '#!/bin/sh\ncp "$1" "$2"\n' >bin/wrong
t mended 0 '[1-9] left out' '' "$TF" report one --bundle "$bucket" --alone -o mended "${own[@]}"
report mended_says "$(grep -q '^Left out, because' mended/README.md && ! grep -q '^    tanglefuzz replay' mended/README.md ||
    cat mended/README.md)"
# Interrupted while a command runs: nothing is left, and the command ends.
printf '#!/bin/sh\n: >"%s/started"\nexec sleep 600\n' "$work" >bin/wrong
"$TF" report one --bundle "$bucket" --alone -o interrupted "${own[@]}" >out 2>err &
until_true [ -e started ]
kill -INT $!
wait $!
report interrupted "$([ $? = 2 ] && grep -q interrupted err && ! ls -d interrupted* 2>/dev/null || cat err; ls -d interrupted* 2>/dev/null)"

# ---- Amber
t amber 0 '^b0_1 ' '' python3 "$READERS/check_amber.py" "$b/case.amber" -o shader.spvasm
cp out amber.words
# The shader in it, run by the oracle, gives what the script expects.
{ sed '/^$/q' "$b/case.spvasm" | grep -v '^; expect'; cat shader.spvasm; } >amber.spvasm
"$TF" predict amber.spvasm >amber.mem 2>err || fail amber_predict "$(cat err)"
t amber_expects 0 '^[1-9][0-9]* words' '' python3 - amber.words amber.mem <<'PY'
import sys
memory = {}
for line in open(sys.argv[2]):
    word = line.split()
    if word and word[0] == "memory":
        memory["b" + word[1].replace(":", "_")] = word[3:]
n = 0
for line in open(sys.argv[1]):
    name, *words = line.split()
    for w in words:
        at, value = w.split("=")
        assert int(memory[name][int(at)], 0) == int(value), (name, at)
        n += 1
    fixed = sum("?" not in w and "/" not in w for w in memory[name])
    assert len(words) == fixed, (name, len(words), fixed)
print(n, "words")
PY
broken() { # NAME SED ERR: the checker refuses the script so changed
    sed "$2" "$b/case.amber" >broken.amber
    t "$1" 1 "$3" '' python3 "$READERS/check_amber.py" broken.amber
}
broken amber_unknown 's/^RUN /WALK /' 'unknown command'
broken amber_beyond 's/^EXPECT b0_1 IDX [0-9]*/EXPECT b0_1 IDX 99999996/' 'beyond the'
broken amber_no_end '/^PIPELINE/,$ { /^END/d }' 'unknown in a pipeline|no END'
broken amber_no_buffer 's/BIND BUFFER b0_1/BIND BUFFER b9_9/' 'no buffer'

# ---- spirv-opt:random draws its passes from the module: of a finding reduced to two, these stand in the bundle
. "$SOURCE_DIR/tests/regress_lib.sh"
mkdir drawn
for n in {2..400}; do
    sed "s/%27 = OpConstant %7 1\$/%27 = OpConstant %7 $n/; s/^; expect 0:1 u32 1/; expect 0:1 u32 $n/" \
        "$folder/spirv-opt-workaround-1209-phi-invalid.spvasm" >drawn/$n.spvasm
done
"$TF" replay drawn --target spirv-opt:random -n 1 >drawn.out 2>&1
drawn=$(sed -n 's|^\(drawn/[0-9]*\.spvasm\): invalid-output: .*|\1|p' drawn.out | head -n 1)
if [ -z "$drawn" ] && may_be_gone spirv-opt; then
    skip two_passes 'this version does it right'
    exit
fi
mkdir -p two/findings
t two_reduced 0 '^ *finding ' - "$TF" reduce "$drawn" --target spirv-opt:random --out two-small --time 1m
mv two-small/reduced-*/ two/findings/two
passes=$(sed -n 's/.*"target":"spirv-opt:\(--[^,"]*,--[^,"]*\)".*/\1/p' two/findings/two/finding.json)
report two_passes "$([ -n "$passes" ] || cat two/findings/two/finding.json)"
bucket=$("$TF" report two --format jsonl | sed -n 's/.*"type":"bucket","bucket":"\([a-z]*\)".*/\1/p')
t two_bundle 0 - '' "$TF" report two --bundle "$bucket" --form spirv-tools --alone -o two-bundle
report two_are_named "$(grep -q -e "spirv-opt.*${passes/,/.*}" two-bundle/README.md || cat two-bundle/README.md)"
t two_commands 0 ' [2-9] commands as said' '' check two-bundle
# One of the two passes alone does not show the bug.
cp -r two-bundle one-pass && sed -i "s/${passes%,*}[ ,]//" one-pass/README.md
t one_pass 1 '^wrong one-pass: .*' '' check one-pass
