#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# gen, predict and check on files: what they print, and what they say of bad input.
. "$SOURCE_DIR/tests/app_lib.sh" || exit 1

# ---- gen
t gen 0 '^; tanglefuzz-case 1$' '' "$TF" gen --seed 5 --subgroup 8
cp out a.spvasm
t gen_again_is_the_same 0 - '' cmp a.spvasm <("$TF" gen --seed 5 --subgroup 8)
"$TF" gen --seed 5 --subgroup 8 -o b.spvasm
report gen_to_a_file_is_the_same "$(cmp a.spvasm b.spvasm 2>&1)"
t gen_other_seed_differs 1 - '' cmp -s a.spvasm <("$TF" gen --seed 8 --subgroup 8)
choices=$(sed -n 's/^; from .*choices \([0-9a-f]*\).*/\1/p' a.spvasm)
t gen_records_its_choices 0 - '' test -n "$choices"
"$TF" gen --choices "$choices" --subgroup 8 | grep -v '^; from' >by_choices
report choices_replay_the_module "$(grep -v '^; from' a.spvasm | cmp - by_choices 2>&1)"

# A folder of them: what gen makes of each seed, all or none.
t gen_count 0 '' '' "$TF" gen --seed 4 --count 3 --subgroup 8 -o many
report gen_count_names "$(diff <(ls many) <(printf '%s\n' s000004.spvasm s000005.spvasm s000006.spvasm))"
t gen_count_is_gen 0 - '' cmp a.spvasm many/s000005.spvasm
t gen_count_inputs 0 '' '' "$TF" gen --count 2 --inputs 2 -o inputs
report gen_count_inputs_names "$(diff <(ls inputs) <(printf '%s\n' s000000.{1,2}.spvasm s000001.{1,2}.spvasm))"
mkdir way && echo mine >way/s000002.spvasm
bad gen_count_in_the_way 'way/s000002.spvasm: exists already' "$TF" gen --count 3 -o way
report gen_count_wrote_nothing "$(diff <(ls way; cat way/*) <(printf '%s\n' s000002.spvasm mine))"
bad gen_count_to_a_file 'a.spvasm: is a file, not a folder' "$TF" gen --count 3 -o a.spvasm
bad gen_count_nowhere 'name it with -o DIR' "$TF" gen --count 3
bad gen_count_of_choices 'are for one' "$TF" gen --count 3 --choices 00 -o x
bad gen_count_past_the_last 'fewer seeds than that are left after' "$TF" gen --seed 18446744073709551615 --count 3 -o x
# A disk that is full half-way: nothing stays.
(ulimit -f 4; trap '' XFSZ; bad gen_count_too_big 'cannot write' "$TF" gen --profile large --count 3 -o full; exit $failed) || failed=1
report gen_count_leaves_nothing "$(ls -d full 2>/dev/null)"
"$TF" gen --count 10000000 -o stopped 2>err &
until_true test -e stopped/s000003.spvasm
kill -INT $! && wait $!
report gen_count_interrupted "$([ $? = 2 ] && grep -q interrupted err && [ ! -e stopped ] || ls stopped | head; cat err | grep -v interrupted)"
t gen_tree 0 . '' "$TF" gen --seed 5 --subgroup 8 --tree
t gen_features 0 '^ballot  ' '' "$TF" gen --features
t gen_inputs 0 '' '' "$TF" gen --seed 5 --inputs 3 -o many.spvasm
for i in 1 2 3; do
    t "gen_inputs_$i" 0 "^; inputs $i of 3\$" '' cat many.$i.spvasm
done
bad gen_unwritable 'nowhere/x.spvasm: cannot write' "$TF" gen -o nowhere/x.spvasm

# ---- predict
t predict 0 '^memory [0-9]+:[0-9]+ u32 ' '' "$TF" predict a.spvasm
t predict_bake 0 '^; expect ' '' "$TF" predict a.spvasm --bake
cp out baked.spvasm
t baked_case_passes 0 '^1 passed, 0 failed$' '' "$TF" check baked.spvasm
report no_policy_without_a_choice "$(grep '^; policy' baked.spvasm)"
choice=$SOURCE_DIR/corpus/rules/D3-M2-fall-through-split.spvasm
if [ -e "$choice" ]; then
    t policy_where_there_is_a_choice 0 '^; policy direct$' '' "$TF" predict "$choice" --policy direct --bake
    "$TF" predict "$choice" --policy join --bake | sed '/^; policy/d' >unsaid.spvasm
    t check_must_hold_for_every_policy 1 'not ok unsaid.spvasm: policy [a-z]+: ' '' "$TF" check unsaid.spvasm
fi
t predict_bake_over_itself 0 '' '' "$TF" predict baked.spvasm --bake -o baked.spvasm
"$TF" predict a.spvasm --bake >again.spvasm
report baked_twice_is_the_same "$(cmp again.spvasm baked.spvasm 2>&1)"
sed 's/^; subgroup 8$/; subgroup any/' a.spvasm >any.spvasm
bad predict_any_size 'choose one with --subgroup' "$TF" predict any.spvasm
t predict_any_size_chosen 0 '^memory' '' "$TF" predict any.spvasm --subgroup 8
t predict_from_standard_input 0 '^memory' '' bash -c '"$0" predict - <a.spvasm' "$TF"
undefined=$(ls "$SOURCE_DIR"/corpus/undefined/*.spvasm 2>/dev/null | head -n 1)
if [ -n "$undefined" ]; then
    bad predict_undefined 'undefined: ' "$TF" predict "$undefined"
fi

# ---- check
t check_nothing_to_compare 1 'not ok a.spvasm: nothing to compare' '' "$TF" check a.spvasm
# One bit of what is expected is changed.
python3 - baked.spvasm wrong.spvasm <<'PY'
import re, sys
text = open(sys.argv[1]).read()
def flip(m):
    words = m.group(2).split(" ")
    at = next(i for i, w in enumerate(words) if w not in ("0", "?"))
    words[at] = str(int(words[at], 0) ^ 1)
    return m.group(1) + " ".join(words)
open(sys.argv[2], "w").write(re.sub(r"(; expect \d+:\d+ u32 )(.*)", flip, text, count=1))
PY
t check_wrong 1 'not ok wrong.spvasm: .*buffer [0-9:]+, word [0-9]+: expected 0x[0-9a-f]+, predicted 0x' '' \
    "$TF" check wrong.spvasm
t check_counts 1 '^1 passed, 1 failed$' '' "$TF" check baked.spvasm wrong.spvasm
# What is not defined must be said to be so, and the other way round.
sed '0,/^\(; expect [0-9:]* u32 \)[^ ]*/s//\1?/' baked.spvasm >open.spvasm
t check_undefined_word_that_is_defined 1 'expected \?, predicted 0x' '' "$TF" check open.spvasm
{ sed '/^; expect/d;s/^; model.*/&\n; verdict undefined E-race/' baked.spvasm; } >verdict.spvasm
t check_verdict_wrong 1 'must be undefined by E-race; the oracle reports' '' "$TF" check verdict.spvasm
{ sed '/^; expect/d;s/^; model.*/&\n; verdict invalid S1/' baked.spvasm; } >invalid.spvasm
t check_valid_that_must_not_be 1 'must be invalid by S1; the oracle reports ok' '' \
    "$TF" check invalid.spvasm
sed 's/^ *OpCapability Shader$/               OpCapability Kernel/
s/^; verdict invalid S1/; verdict invalid spirv-val/' invalid.spvasm >really.spvasm
t check_invalid 0 '^1 passed' '' "$TF" check really.spvasm
sed 's/^ *OpCapability Shader$/               OpCapability Kernel/' baked.spvasm >notvalid.spvasm
sed 's/^; verdict invalid spirv-val/; verdict invalid S1/' really.spvasm >other.spvasm
t check_invalid_by_another_rule 1 'must be invalid by S1; the oracle reports' '' "$TF" check other.spvasm
t check_expecting_of_an_invalid_one 1 'not valid: ' '' "$TF" check notvalid.spvasm
# Two equal literals in one OpSwitch: SPIR-V forbids them, spirv-val lets them pass, and who has the value could go either way.
for last in 2 1; do
    sed "s/OpSwitch %q %merge 0 %a 1 %b 2 %c/OpSwitch %q %merge 0 %a 1 %b $last %c/" \
        "$SOURCE_DIR/corpus/rules/D2-switch-by-value.spvasm" >switch-$last.spvasm
done
t switch_literals_differ 0 '^memory' '' "$TF" predict switch-2.spvasm
t switch_literal_twice 2 - 'invalid: OpSwitch of %[0-9]+ .*two of its literals are equal' "$TF" predict switch-1.spvasm
mkdir -p deep/er/.hidden empty
cp baked.spvasm deep/1.spvasm
cp baked.spvasm deep/er/2.spvasm
cp baked.spvasm deep/er/.hidden/3.spvasm
echo no case >deep/readme.txt
t check_folder 0 '^2 passed, 0 failed$' '' "$TF" check deep/ --all
report check_folder_order "$(head -n 1 out | grep -vx 'ok deep/1.spvasm')"
mkdir order
for n in 7 3 9 1 5 8 2 6 4; do cp baked.spvasm order/$n.spvasm; done
"$TF" check order --all | sed -n 's/^ok //p' >listed
report check_folder_is_sorted "$(sort -c listed 2>&1; [ "$(wc -l <listed)" = 9 ] || cat listed)"
bad check_empty_folder 'empty: no \*.spvasm' "$TF" check empty
t check_unreadable 2 '^1 passed, 1 failed$' 'deep/readme.txt:1: ' "$TF" check deep/readme.txt baked.spvasm

# ---- bad files: one line, status 2
head -c 200 a.spvasm >cut.spvasm
: >void.spvasm
head -c 3000 /dev/urandom >noise.spvasm
head -c 30 /dev/zero >noise.spv
{ head -n 1 a.spvasm; echo '; dispatch x'; tail -n +3 a.spvasm; } >dispatch.spvasm
{ head -n 1 a.spvasm; echo '; colour blue'; tail -n +2 a.spvasm; } >key.spvasm
{ cat a.spvasm; echo OpNonsense; } >nonsense.spvasm
for f in cut void noise dispatch key nonsense; do
    bad "predict_$f" "$f.spvasm" "$TF" predict $f.spvasm
done
bad predict_bad_words 'noise.spv' "$TF" predict noise.spv
bad predict_folder 'deep: is a folder' "$TF" predict deep
bad predict_missing 'nosuch.spvasm: cannot open' "$TF" predict nosuch.spvasm
bad dispatch_line 'dispatch.spvasm:2: ' "$TF" predict dispatch.spvasm
bad unknown_key 'key.spvasm:2: .*colour' "$TF" predict key.spvasm
