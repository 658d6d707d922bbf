#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The two machines of the oracle on generated programs, under every model and under choices drawn
# at random; and what the weaker models leave to compare. A program on which the machines disagree
# is kept in $BUILD_DIR/disagree (scripts/nightly.sh runs many more).
. "$SOURCE_DIR/tests/app_lib.sh" || exit 1

for profile in small default; do # others every night: scripts/nightly.sh
    t "machines_agree_$profile" 0 '^mask machine and tag machine disagree on 0$' '' \
        "$TF" stats --all-models --profile $profile --cases 300 --keep "$BUILD_DIR/disagree"
done

t machines_agree_fragment 0 '^mask machine and tag machine disagree on 0$' '' \
    "$TF" stats --stage fragment --all-models --cases 150 --keep "$BUILD_DIR/disagree"

# Uniform control flow compares something, at every subgroup size.
t stats_of_quads_that_may_end 0 '^D4 *[1-9][0-9.]* %' '' "$TF" stats --stage fragment --cases 100 --fast
t no_quads_without_fragments 0 '^D4 *0\.0 %' '' "$TF" stats --cases 100 --fast
for model in subgroup-uniform workgroup-uniform; do
    t "stats_$model" 0 '^subgroup size' '' "$TF" stats --model $model --cases 200
    awk '/^subgroup size/ { on = 1; next } on && NF != 4 { on = 0 } on { n++; bad += !($4 > 0 && $4 < $3) }
         END { if (n != 5 || bad) print n, "sizes,", bad, "of them compare nothing, or everything" }' out >why
    report "live_results_$model" "$(cat why)"
done

for size in 4 8 16 32 64 128; do # one size at a time, 128 too
    t "stats_uniform_$size" 0 "^ +$size .*[1-9]" '' \
        "$TF" stats --model subgroup-uniform --subgroup $size --cases 60 --fast
    awk -v size=$size '$1 == size && NF == 4 { n++; bad += !($4 > 0 && $4 < $3) }
                       END { if (n != 1 || bad) print "compares nothing, or everything" }' out >why
    report "live_results_at_$size" "$(cat why)"
done
predicted=$SOURCE_DIR/corpus/rules/workgroup-uniform-one-subgroup-takes-a-branch.spvasm
t predict_count 0 '^buffer 0:0: [1-9][0-9]* of 2048 bits may be compared$' '' "$TF" predict "$predicted" --count
t predict_count_results 0 'invocation: 40, with defined bits 32$' '' "$TF" predict "$predicted" --count

# One case by both.
case=$SOURCE_DIR/corpus/rules/workgroup-uniform-one-subgroup-takes-a-branch.spvasm
t predict_both 0 '^memory 0:0 u32 [?] 255 ' '' "$TF" predict "$case" --machine both
cp out both
t predict_tag 0 - '' "$TF" predict "$case" --machine tag
report predict_tag_is_the_same "$(cmp out both 2>&1)"
bad predict_machine "--machine: 'x' is not one of" "$TF" predict "$case" --machine x
bad predict_any_by_tag 'any needs --machine mask' "$TF" predict "$case" --machine tag --policy any

# By the letter of a weaker model these passes take a promise away, and are not to blame for it; what --loop-unswitch does where
# lanes of a subgroup part is another matter.
while read -r case pass; do
    t "no_blame_$case" 0 ': agrees: [1-9][0-9]* bits agree$' '' \
        "$TF" replay "$SOURCE_DIR/corpus/rules/$case.spvasm" --target "spirv-opt:$pass"
done <<'ROWS'
workgroup-uniform-loop-body-begins-with-a-call --merge-blocks
subgroup-uniform-call-in-a-loop --loop-unroll
subgroup-uniform-call-in-a-construct --eliminate-dead-branches
workgroup-uniform-construct-around-a-call --eliminate-dead-branches
workgroup-uniform-selection-by-subgroup --loop-unswitch
ROWS
t blame 1 ': wrong-memory: buffer 0:1, word 0: expected 3 \(0x3\), observed 1 \(0x1\)$' '' "$TF" replay \
    "$SOURCE_DIR/corpus/regress/spirv-opt-loop-unswitch-workgroup-uniform-T2.spvasm" --target spirv-opt:--loop-unswitch

# Programs that subgroup uniform control flow defines in every word: a compiler that breaks only what maximal reconvergence
# promises agrees with each, one that is wrong in uniform control flow does not.
uniform=$SOURCE_DIR/scripts/uniform_flow.sh
export TANGLEFUZZ=$TF
t uniform_flow_agrees 0 '^[1-9][0-9]* agrees$' '' "$uniform" --target mutant:hoist-out-of-loop --out right --count 40
t uniform_flow_blames 1 '^s0000[0-9]*.spvasm: wrong-' '' "$uniform" --target mutant:shuffle-by-first-index --out wrong --count 40
bad uniform_flow_new_folder 'right is there already: name a new folder' "$uniform" --target spirv-opt:-O --out right
