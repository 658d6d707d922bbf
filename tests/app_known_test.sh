#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Known bugs: what is counted and not reported, what is not generated so that the next bug is found,
# what is fixed, what is past its version.
. "$(dirname "$0")/app_lib.sh"

# Two bugs, of which one needs calls.
calls=mutant:split-after-call
folds=mutant:elects-last

entry() { # NAME LINE...
    mkdir -p known
    local name=$1
    shift
    { echo 'tanglefuzz-known 2'; printf '%s\n' "$@"; } >"known/$name.known"
}
json() { python3 -c 'import json, sys
v = [json.loads(x) for x in open("out") if x.startswith("{")][-1]
for k in sys.argv[1].split("."): v = v[int(k) if k.isdigit() else k]
print(v)' "$1"; }
fuzz() { "$TF" fuzz --seeds 0:200 --profile small "$@"; }

t found_before 1 - - fuzz --target $calls --out before
# ---- a feature: nothing is left of this bug
entry calls 'feature call,call-value' "target $calls" 'reason who returned early stays apart' 'link https://example.org/7'
t steered 0 'not generated, because known bugs need it: call,call-value \(calls\)' - fuzz --target $calls --known known --out steered
report steered_found_none "$(ls steered/findings)"
# ... and the next one is found
entry calls 'feature call,call-value' 'target *split-after-call' 'reason who returned early stays apart'
t next_found_chain 1 'not generated, because known bugs need it: call' - fuzz --target "mutant:tail-merge-arms | $calls" --known known --seeds 0:300 --out chain
report next_is_another "$(grep -l 'FunctionCall' chain/findings/*/case.spvasm)"

# ---- a class on a target: counted
rm -r known
for class in missing-lanes wrong-value missing-execution extra-execution extra-lanes wrong-set wrong-memory; do
    entry "c-$class" "class $class" "target $calls" 'reason the same'
done
t counted 0 'known bugs +[1-9][0-9]* wrong results, not reported' - fuzz --target $calls --known known --out counted
report counted_no_folder "$(ls counted/findings)"
t counted_json 0 '"known_bugs":' - fuzz --target $calls --known known --out counted2 --json
all=$(json known)
seen=$(python3 -c 'import json; print(sum(x["seen"] for x in [json.loads(l) for l in open("out") if l[0] == "{"][-1]["known_bugs"]))')
report counted_sum "$([ "$all" = "$seen" ] && [ "$all" -gt 0 ] || echo "$all in all, $seen by entry")"
t other_target_reported 1 '^finding ' - fuzz --target $folds --known known --out other
grep -q 'names another target' out && pass other_target_told || fail other_target_told "$(cat out)"
# what is not seen may be fixed
t not_seen 0 'not seen: it may be fixed' - fuzz --target $calls --known known --out counted3

# ---- a campaign that goes on keeps them
t resumed 0 'known bugs' - "$TF" fuzz --resume counted
bad resume_takes_none 'resume takes the campaign' "$TF" fuzz --resume counted --known known

# ---- by a bucket of the reduced case, in the report; what the campaigns did not show
t found_one 1 - - fuzz --target $calls --out one --stop-after 1
"$TF" reduce one/findings/* --target $calls >/dev/null 2>&1
bucket=$("$TF" report one --format jsonl | sed -n 's/.*"type":"bucket","bucket":"\([a-z]*\)".*/\1/p' | head -n 1)
rm -r known
entry this "bucket $bucket" 'reason this one'
entry gone 'bucket bababababa' "target $calls" 'reason that one'
t report_page 0 - - "$TF" report one --known known -o page.html
report page_says_why "$(for where in '<span class="small">this one</span>' '<p><span class="tag good">known</span> this one </p>'; do
    grep -qF "$where" page.html || echo "no $where: $(grep 'this one' page.html)"
done)"
report page_entry_and_details "$([ "$(grep -oF '<span class="tag good">known</span>' page.html | wc -l)" = 2 ] || cat page.html)"
t report_known 0 'known \(this\): this one' - "$TF" report one --format text --known known
grep -q 'known and not seen (gone): that one' out && pass report_gone || fail report_gone "$(cat out)"
grep -q 'not seen (this)' out && fail report_here "$(cat out)" || pass report_here

# ---- replay: a case that may fail, and one that is fixed
cp one/findings/*/case.spvasm wrong.spvasm
cp "$SOURCE_DIR/corpus/rules/M6-break-block-stays-split.spvasm" right.spvasm
rm -r known
entry w 'case wrong.spvasm' "target $calls" 'reason filed'
t replay_known 0 'known to fail: ' '' "$TF" replay wrong.spvasm right.spvasm --target $calls --known known
entry r 'case right.*' 'target mutant:*' 'reason filed'
t replay_fixed 1 'right.spvasm: known to fail, but does not: agrees' '' "$TF" replay wrong.spvasm right.spvasm --target $calls --known known
# the version: spirv-opt names one
entry w 'case wrong.spvasm' "target $calls" 'reason filed' 'until 2.0'
t until_no_version 0 'known to fail: ' '' "$TF" replay wrong.spvasm --target $calls --known known

# ---- what cannot be
entry x 'feature no-such-thing' 'target *' 'reason r'
bad no_such_feature 'x.known' fuzz --target $calls --known known --out no
bad no_such_folder 'is not a folder' fuzz --target $calls --known nowhere --out no
entry x 'feature call' 'target *'
bad no_reason 'needs a reason' fuzz --target $calls --known known --out no
report nothing_written "$(ls no 2>/dev/null)"
