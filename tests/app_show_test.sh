#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# show: one bug on one screen, by each of its names. recheck: remembered. bundle: of any case.
. "$SOURCE_DIR/tests/app_lib.sh" || exit 1
T2=$SOURCE_DIR/corpus/regress/spirv-opt-loop-unswitch-T2.spvasm
target=spirv-opt:--loop-unswitch

"$TF" fuzz --target $target --seeds 8010:8015 --out camp >out 2>err
"$TF" reduce camp --each 20s >out 2>err
name=$(ls camp/findings | head -1)
report a_finding "$([ -n "$name" ] || cat out err)"
bucket=$("$TF" report camp --format jsonl | sed -n 's/.*"type":"bucket","bucket":"\([a-z]*\)".*/\1/p' | head -1)

# ---- each name of a bug
t by_folder 0 '^spirv-opt --loop-unswitch: ' '' "$TF" show "camp/findings/$name"
cp out by_folder
t by_campaign 0 '^spirv-opt --loop-unswitch: ' '' "$TF" show camp
t by_bucket 0 '^wrong-memory, bucket '"$bucket"', ' '' "$TF" show camp "$bucket"
t by_finding 0 '^spirv-opt --loop-unswitch: ' '' "$TF" show camp "$name"
cd "camp/findings/$name" || exit 1
t by_dot 0 '^tanglefuzz replay ' '' "$TF" show .
cd "$work" || exit 1

# Of several the first one of the report, and the names of the others; a bundle is of one that the user names.
. "$SOURCE_DIR/tests/report_lib.sh"
wrong_compiler wrong || exit 1
"$TF" fuzz --target "exec-compiler:$work/wrong {in} {out}" --seeds 4:40 --profile small --stop-after 2 --out several >out 2>err
first=$("$TF" report several --format jsonl | sed -n 's/.*"type":"bucket","bucket":"\([a-z]*\)".*/\1/p' | head -1)
t first_of_several 0 "bucket $first, " '' "$TF" show several
report others_are_named "$(grep -Eq '^others here: [a-z]{10}(, [a-z]{10})* \(tanglefuzz show several BUCKET\)$' out || cat out)"
bad bundle_of_several 'several has [2-9] buckets: name one of them' "$TF" bundle several

# ---- its screen
report has_the_shader "$(grep -q 'subgroup' by_folder || cat by_folder)"
report has_the_change "$(grep -q '^- ' by_folder && grep -q '^+ ' by_folder || cat by_folder)"
report has_the_lanes "$(grep -q '^\* ' by_folder || cat by_folder)"
report names_by_what_they_are "$(grep -Eq 'seen|lane|index' by_folder || cat by_folder)"
report one_screen "$([ "$(wc -l <by_folder)" -le 42 ] && ! grep -E '^.{101,}' by_folder | grep -v '^tanglefuzz' || cat by_folder)"
report no_colour_in_a_pipe "$(grep -l $'\033' by_folder)"
if command -v script >/dev/null; then
    script -qec "'$TF' show camp" /dev/null >terminal </dev/null
    report colour_on_a_terminal "$(grep -q $'\033\[1m' terminal || cat terminal)"
    NO_COLOR=1 script -qec "'$TF' show camp" /dev/null >terminal </dev/null
    report no_colour_if_not_wanted "$(grep -l $'\033\[1m' terminal)"
fi
# The machine that found it: in the finding, not in what is sent away.
host=$(uname -n)
report says_where_it_was_found "$(grep -Eq "^found   20[0-9-]* [0-9:]* UTC on $host\$" by_folder && grep -q "\"host\":\"$host\"" \
    "camp/findings/$name/finding.json" || cat by_folder)"
"$TF" bundle camp "$bucket" --out sent >out 2>&1
report host_stays_here "$([ -e sent/finding.json ] && ! grep -rl "\"host\"" sent || cat out)"
command=$(sed -n 's/^tanglefuzz replay //p' by_folder)
report its_command_runs "$(eval "'$TF' replay $command" >out 2>&1; [ $? = 1 ] || cat out)"

# ---- what it is not
bad no_such_folder 'nosuch: No such file' "$TF" show nosuch
bad no_such_bucket "camp: no bucket or finding 'nosuchname'" "$TF" show camp nosuchname
bad near_bucket "did you mean '$bucket'" "$TF" show camp "${bucket%?}"
bad bucket_of_a_finding 'is not a campaign' "$TF" show "camp/findings/$name" "$bucket"
bad a_file 'a file; name a finding' "$TF" show "$T2"
mkdir -p plain empty/findings
bad a_plain_folder 'a folder without case.spvasm, not a finding' "$TF" show plain
bad no_findings 'empty: has no findings' "$TF" show empty

# ---- recheck is remembered, in the record of the case that was run
small=$(ls -d camp/findings/*/reduced/reduced-* | head -1)
cat >new.sh <<'END'
cp "$1" "$2"
END
fixed="exec-compiler:sh $work/new.sh {in} {out}"
t rechecked 0 'fixed in' - "$TF" recheck camp -n 1 --target $target --target "$fixed"
t show_says_so 0 'wrong in 20[0-9.]*; fixed in' '' "$TF" show camp
t report_says_so 0 '^ +wrong in 20[0-9.]*; fixed in ' '' "$TF" report camp
report page_says_so "$(grep -q 'wrong in 20[0-9.]*; fixed in' camp/report.html || echo 'not on the page')"
two_versions() { python3 -c 'import json, sys; v = json.load(open(sys.argv[1]))["versions"]; len(v) == 2 or print(v)' "$small/finding.json" 2>&1; }
report record_has_it "$(two_versions)"
t again 0 'fixed in' - "$TF" recheck camp -n 1 --target $target --target "$fixed"
report once_a_version "$(two_versions)"
before=$(cksum <"$small/finding.json")
t read_only 0 'fixed in' - "$TF" recheck camp -n 1 --read-only --target $target --target "$fixed"
report read_only_wrote_nothing "$([ "$before" = "$(cksum <"$small/finding.json")" ] || echo changed)"
mkdir bad && cp -r "$small" bad/finding && sed -i 's/"versions":\[{"target":"[^"]*","driver":"[^"]*","class":"[a-z-]*"/"versions":[{"target":"x","driver":"y","class":"odd"/' bad/finding/finding.json
bad odd_class "a class of 'versions' is not known here" "$TF" show bad/finding
! short || short_end 'bundles of cases'

# ---- a bundle of one case
t bundle_of_a_case 0 'run and end as they must' '' "$TF" bundle "$T2" --target $target --alone -o case.bundle
report has_its_readme "$([ -s case.bundle/README.md ] && [ -s case.bundle/case.glsl ] || ls case.bundle)"
t show_of_a_bundle 0 '^spirv-opt --loop-unswitch: ' '' "$TF" show case.bundle
t bundle_of_a_finding 0 "bundle$" '' "$TF" bundle "camp/findings/$name" --alone
t bundle_of_a_bucket 0 "camp/bundles/$bucket$" '' "$TF" bundle camp "$bucket" --alone
bad bundle_without_target 'is a case: needs --target SPEC' "$TF" bundle "$T2"
bad bundle_that_agrees 'agrees|right|not wrong' "$TF" bundle "$T2" --target spirv-opt:--ssa-rewrite -o right.bundle
report nothing_half_written "$(ls -d right.bundle* 2>/dev/null)"
bad bundle_there_already 'exists already' "$TF" bundle "$T2" --target $target --alone -o case.bundle
