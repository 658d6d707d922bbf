#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Why a value is wrong, as people read it: for the kept real bugs, on the targets that are here, against the cause that
# each case's head tells; and in a finding's folder, its picture, page and bundle.
. "$SOURCE_DIR/tests/app_lib.sh" || exit 1
. "$SOURCE_DIR/tests/regress_lib.sh" || exit 1

# CASE, TARGET, what the sentence must contain; "nothing" where no hypothesis explains the case or none survives its
# control programs.
reasons() {
    cat <<'TABLE'
spirv-opt-loop-unswitch-T2|spirv-opt:--loop-unswitch|counts only lane 0, but the lanes reconverged at the selection's merge block
spirv-opt-loop-unswitch-workgroup-uniform-T2|spirv-opt:--loop-unswitch|^OpGroupNonUniformBallot `%37` returns a wrong result to lanes 0-1 .* It does not count lane 1, which executes it at the same time\.
spirv-opt-2023-break-block-T1|exec-compiler:{tools}/bookworm/bin/spirv-opt -O {in} -o {out}|leaves? the loop in another iteration
spirv-cross-select-sinks-group-op-T7|roundtrip:spirv-cross|by the lanes that select its result
spirv-cross-bitcast-to-int64-lost|roundtrip:spirv-cross|nothing
spirv-cross-atomic-smax-is-unsigned|roundtrip:spirv-cross|^OpAtomicSMax `%14` compares signed numbers as unsigned ones
spirv-cross-continue-construct-copied-T13|roundtrip:spirv-cross|but the lanes reconverged at the loop's continue target
glslang-hlsl-prefix-sum-is-inclusive|glslang-hlsl|counts the lane itself twice
swiftshader-value-of-last-iteration-T8|vulkan:driver=swiftshader|a value from a later iteration|the value was overwritten
lavapipe-22.3-load-of-last-iteration-T8|vulkan:driver=lavapipe-22.3|nothing
lavapipe-26.2-shuffle-of-uniform-reads-absent-lane|vulkan:driver=lavapipe-26.2|memory is right without OpGroupNonUniformShuffleXor `%other`
radv-22.3-scan-identity-in-24-bits|isa:vulkan:driver=radv-22.3|memory is right without OpGroupNonUniformSMin `%scan`
anv-26.2-truth-scan-is-one-not-all-ones|isa:vulkan:driver=anv|memory is right without OpGroupNonUniformLogicalXor `%scan`
llvm-23-break-path-holds-loop-T1|llvm:passes=none,level=0|leave the loop in another iteration
llvm-23-break-path-holds-loop-do-while-T1|llvm:passes=none,level=0|leave the loop in another iteration
llvm-23-loop-left-by-return-T13|llvm:passes=none,level=0|leave the loop in another iteration
llvm-23-return-in-nested-loops-T13|llvm:passes=none,level=0|leave the loop in another iteration
llvm-23-masked-counter-i2|llvm:passes=default<O3>|nothing
llvm-23-gvn-sink-merges-ballots-T4|llvm:passes=function(gvn-sink),judge=ir|^OpLoad `%30` loads a wrong value for lanes 0-1
TABLE
}
while IFS='|' read -r case target words; do
    here "$target" || { skip "reason of $case" "target not here: $target"; continue; }
    "$TF" replay "$folder/$case.spvasm" --target "${target/\{tools\}/$drivers/../tools}" >out 2>err
    status=$?
    if [ $status != 1 ]; then
        if may_be_gone "$target"; then skip "reason of $case" "this version does it right"; else fail "reason of $case" "status $status: $(cat out err)"; fi
    elif [ "$words" = nothing ]; then
        report "no reason of $case" "$(grep -E 'executed by|would be as observed|single mistake|a wrong (result|value)' out)"
    else
        report "reason of $case" "$(grep -Eq -e "$words" out || cat out)"
    fi
done < <(reasons)

# Either of two operations may have lost the upper half of a ballot: the one that did is named, because one of the control
# programs has another ballot in place of the first.
for row in upper-inverse-lost:OpGroupNonUniformInverseBallot upper-ballot-lost:OpGroupNonUniformBallot; do
    mutant=${row%:*}
    t "reduced_$mutant" 0 - - "$TF" reduce "$SOURCE_DIR/corpus/mutants/$mutant.spvasm" --target "mutant:$mutant" --out "$mutant"
    report "names_the_operation_of_$mutant" "$(grep -q "^${row#*:} \`%[0-9]*\` does not see the .*upper half of the subgroup" "$mutant"/*/README.md ||
        grep -A2 '^## Why' "$mutant"/*/README.md)"
done

# Operations over clusters and parts. A control program that showed something else would refute the reason, so each sentence
# says what one was predicted to show.
while IFS='|' read -r mutant words; do
    t "reduced_$mutant" 0 - - "$TF" reduce "$SOURCE_DIR/corpus/mutants/$mutant.spvasm" --target "mutant:$mutant" --out "$mutant"
    report "reason_of_$mutant" "$(grep -q "$words" "$mutant"/*/README.md && grep -q '^Control: .* this reading predicts' "$mutant"/*/README.md ||
        grep -A8 '^## Why' "$mutant"/*/README.md)"
done <<'TABLE'
missing-in-cluster|also counts lanes 1-3, which do not exist
inactive-in-partition|^OpGroupNonUniformPartitionNV `%[0-9]*` reads stale values of lanes that do not execute it
parts-are-whole|^OpGroupNonUniformIAdd `%[0-9]*` works over all active lanes, not over its part
TABLE

# No hypothesis knows this mistake: the first wrong instruction is named, and the operation without which memory is right.
t "reduced_shuffles-share-scratch" 0 - - "$TF" reduce "$SOURCE_DIR/corpus/mutants/shuffles-share-scratch.spvasm" --target mutant:shuffles-share-scratch --out scratch
report "names_the_first_wrong_instruction" "$(grep -q '^OpGroupNonUniformShuffle `%[0-9]*` returns a wrong result to lane' scratch/*/README.md &&
    grep -q 'All memory is right without OpGroupNonUniformShuffle `%[0-9]*`, and a plain value in its place\.' scratch/*/README.md ||
    sed -n '/^## Why/,/^Bucket/p' scratch/*/README.md)"

t another_control 0 '^(as predicted: wrong-result: .*, result [0-9]+, by the rules [0-9]+|right, which the reason permits there: wrong-result: with .*)$' - "$TF" explain scratch/reduced-* --control 3

# A finding's folder: a ballot on the way out of a loop that counts all iterations (M6).
t found 1 - - "$TF" fuzz --target mutant:break-block-into-merge --out c --stop-after 1 --seeds 31001000:31020000
finding=$(ls -d c/findings/*)
t reduced 0 - - "$TF" reduce "$finding"
small=$(ls -d "$finding"/reduced/reduced-*)
t readme_says_why 0 '' '' python3 - "$small" <<'PY'
import json, sys
readme, finding = open(sys.argv[1] + "/README.md").read(), json.load(open(sys.argv[1] + "/finding.json"))
reason = finding["reason"]
assert reason["why"] == "counts-other-iteration" and finding["rule"] == reason["rule"] == "M6", reason
assert 'section "Non-reconvergence"' in reason["says"] and "Each word would be" in reason["near_miss"]
assert reason["wrong_lanes"] and reason["operation"], reason
for text in ("## Why it is wrong", reason["what"], reason["says"], reason["near_miss"]):
    assert text in readme, text
assert "first wrong place" not in readme.split("## Why it is wrong")[1]
PY
t explain_marks_the_lane 0 '^ +%[0-9]+ Ballot +x\.? ' '' "$TF" explain "$small"
report explain_says_why "$(grep -q 'in another iteration' out || cat out)"
t picture 0 '' '' "$TF" explain "$small" -o why.svg
report picture_marks_the_lane "$(grep -q '<path class="wrong" d="M' why.svg || echo 'no mark')"
t page 0 - - "$TF" report c
report page_says_why "$(grep -q 'Why it is wrong' c/report.html && grep -q '<path class="wrong" d="M' c/report.html || echo 'not there')"
bucket=$(python3 -c 'import json, sys; print(json.load(open(sys.argv[1] + "/finding.json"))["bucket"])' "$small")
t bundle 0 - - "$TF" report c --bundle "$bucket" --out bundle
report bundle_says_why "$(grep -rq 'in another iteration' bundle/README.md bundle/*/README.md 2>/dev/null || { ls -R bundle; cat out err; })"
