#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The command mutants, and mutants as targets of fuzz and replay: no device needed.
. "$SOURCE_DIR/tests/app_lib.sh" || exit 1

t list 0 '^duplicate-into-arms +T5 ' '' "$TF" mutants --list
t found 0 '^2 of 2 mutants found' '' "$TF" mutants --only duplicate-into-arms,split-at-merge --cases 200
# The most is of one mutant, also if one is found by compute programs and the other by fragment ones.
t found_in_two_stages 0 '^2 of 2 mutants found in at most [0-9]+ programs' '' \
    "$TF" mutants --only duplicate-into-arms,helpers-not-in-votes --cases 200
report most_is_of_the_table "$(awk '$3 == "transformation" { most = $4 > most ? $4 : most } /found in at most/ && $9 != most { print $9, "for", most }' out)"
t kinds 0 '^split-at-merge .* fault ' '' "$TF" mutants --only duplicate-into-arms,split-at-merge --cases 200
t not_found 1 '^split-after-call .* not found' '' "$TF" mutants --only split-after-call --cases 1
t json 0 '"found": true' '' "$TF" mutants --only split-at-merge --cases 100 --json
report json_reads "$(python3 -c 'import json, sys
x = json.load(open("out"))
assert x["of"] == 1 and x["mutants"][0]["by"].startswith("--seed "), x' 2>&1)"
t corpus 0 '^1 of 1 mutants found' '' "$TF" mutants --only split-at-merge --corpus "$SOURCE_DIR/corpus/rules"
bad unknown "'split-at-merg'; did you mean 'split-at-merge'" "$TF" mutants --only split-at-merg
bad twice 'given twice' "$TF" mutants --only split-at-merge,split-at-merge
bad no_folder 'nosuch' "$TF" mutants --corpus nosuch

bad unknown_target "unknown name 'x'" "$TF" fuzz --target mutant:x --cases 1
# A transformation answers as a compiler, a fault as a device: both are found by a campaign.
t fuzz_transformation 1 - - "$TF" fuzz --target mutant:duplicate-into-arms --cases 60 --out a
t fuzz_fault 1 - - "$TF" fuzz --target mutant:split-at-merge --cases 60 --out b
for dir in a b; do
    found=$(find "$dir/findings" -name 'case.spvasm' | head -n 1)
    report "${dir}_has_a_finding" "$([ -n "$found" ] || ls -R "$dir")"
    case $dir in a) name=duplicate-into-arms ;; b) name=split-at-merge ;; esac
    t "replay_$dir" 1 - - "$TF" replay "$found" --target "mutant:$name"
done

# Power for each second: a program that tells a mutant counts once, whatever its inputs; cases made for
# another subgroup size are not used.
t per_second 0 '^split-at-merge +[1-9][0-9.]* % +[0-9.]+ +[0-9.]+ +[0-9.]+$' '' \
    "$TF" mutants --per-second spirv-opt:--ccp --only split-at-merge,returned-lanes-stay --cases 40 --subgroup 8 \
    --inputs 3 --corpus "$SOURCE_DIR/corpus/external"
report per_second_uses "$(grep -Eq '^40 programs, .*; the folder: 34 cases' out || cat out)"
t per_second_json 0 '"a_second"' '' "$TF" mutants --per-second spirv-opt:--ccp --only split-at-merge --cases 10 --subgroup 8 --json
report per_second_json_reads "$(python3 -c 'import json
x = json.load(open("out"))
assert x["generated"]["programs"] == 10 and "folder" not in x and x["mutants"][0]["generated"]["tell"] >= 0, x' 2>&1)"
bad per_second_no_target 'no-such' "$TF" mutants --per-second vulkan:driver=no-such --cases 1
bad per_second_runs_nothing 'ran no program' "$TF" mutants --per-second exec-compiler:'false {in} {out}' --cases 2 --subgroup 8

# A digest of the log detects what the log detects: the same program is the first.
first_of() {
    "$TF" mutants --cases 200 --log "$1" --json \
        --only hoist-out-of-loop,split-at-merge,broken-lanes-stay,missing-in-ballot,missing-half-in-ballot,reuse-behind,upper-vote-lost |
        python3 -c 'import json, sys; print(*(m["name"] + " " + str(m["programs"]) for m in json.load(sys.stdin)["mutants"]), sep="\n")'
}
first_of entries >by_entries
first_of digest >by_digest
report a_digest_loses_nothing "$([ "$(wc -l <by_entries)" = 7 ] || cat by_entries; diff by_entries by_digest)"
