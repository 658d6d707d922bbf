#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Targets, folders and files that are not to be trusted: none may make a campaign pass, hang, or do
# what nobody asked for.
. "$SOURCE_DIR/tests/app_lib.sh" || exit 1

small=(--profile small --subgroup 8 --max-invocations 16)
figure() { python3 -c 'import json,sys; print(json.load(open(sys.argv[1]))["campaigns"][-1][sys.argv[2]])' "$@"; }
# edit FILE CODE: python that changes the object o.
edit() { python3 -c 'import json,sys; o = json.load(open(sys.argv[1])); exec(sys.argv[2]); json.dump(o, open(sys.argv[1], "w"))' "$@"; }

# ---- a compiler that gives back what it made of the case before
cat >stale.sh <<'END'
#!/bin/sh
if [ -e "$3" ]; then cp "$3" "$2"; else cp "$1" "$2"; fi
cp "$1" "$3"
END
chmod +x stale.sh
"$TF" fuzz --target "exec-compiler:$work/stale.sh {in} {out} $work/before" "${small[@]}" --cases 25 --out stale \
    >out 2>err
status=$?
report stale_answers_are_no_pass "$([ $status != 0 ] || cat out err)"
report stale_answers_are_wrong_again "$([ "$(figure stale/campaign.json findings)" -ge 10 ] || cat out err)"

# One that is wrong at random: nothing shows itself again, and what agrees shows little.
cat >moody.sh <<'END'
#!/bin/sh
n=$(cat "$3" 2>/dev/null || echo 0)
echo $((n + 1)) >"$3"
if [ $((n % 4)) = 0 ]; then exit 3; fi
cp "$1" "$2"
END
chmod +x moody.sh
moody="exec-compiler:$work/moody.sh {in} {out} $work/count"
bad unstable_is_no_pass 'is unstable: [0-9]+ of 40 cases are flaky' \
    bash -c '"$0" fuzz --target "$1" --profile small --cases 40 --out moody >figures' "$TF" "$moody"
report unstable_has_a_figure "$(python3 - 2>&1 <<'END'
import json
s = json.load(open("moody/campaign.json"))["campaigns"][-1]
assert s["flaky"] >= 3 and 0 <= s["stability"] < 0.5, s
assert s["targets"][0]["stability"] == s["stability"], s
END
grep -q '^  stability    [0-9]*% of [0-9]* re-runs' figures || cat figures)"
# What repeats is stable.
"$TF" fuzz --target fault:refuse=4 "${small[@]}" --cases 20 --out steady >out 2>&1
report stable_has_a_figure "$([ "$(figure steady/campaign.json stability)" = 1.0 ] || cat out)"

# ---- a compiler that renames the entry point
cat >rename.py <<'END'
import sys
d = open(sys.argv[1], "rb").read()
open(sys.argv[2], "wb").write(d.replace(b"main\0", b"niam\0"))
END
t renamed_entry 1 'invalid-output: .*no GLCompute entry point named "main"' '' "$TF" replay \
    "$SOURCE_DIR/corpus/rules/M6-break-block-stays-split.spvasm" --target "exec-compiler:python3 $work/rename.py {in} {out}"

# ---- a reader that is gone before the first answer
{ "$TF" fuzz --target spirv-opt --json "${small[@]}" --out unread 2>err; echo $? >status; } | head -c 0
report no_reader_is_no_pass "$(grep -qx 2 status && [ "$(wc -l <err)" = 1 ] && grep -q 'nobody reads it any more' err || cat status err)"

# ---- a campaign that goes on
t stop_after_none 1 - - "$TF" fuzz --target fault:refuse=2 "${small[@]}" --cases 40 --stop-after 0 --out kept
t stop_after_is_kept 1 - - "$TF" fuzz --resume kept --target fault:refuse=2
report stop_after_is_kept_in_the_state "$(python3 -c 'import json; print(json.load(open("kept/state.json"))["options"]["stop_after"])' | grep -vx 0)"
t stop_after_anew 1 - - "$TF" fuzz --resume kept --target fault:refuse=2 --stop-after 7
report stop_after_is_replaced "$(python3 -c 'import json; print(json.load(open("kept/state.json"))["options"]["stop_after"])' | grep -vx 7)"

# ---- a command that a folder names
"$TF" fuzz --target 'exec-compiler:cp {in} {out}' "${small[@]}" --cases 3 --out named >out 2>&1
edit named/state.json "o['options']['targets'][0]['spec'] = 'exec-compiler:sh -c \"touch $work/ran; cp \$0 \$1\" {in} {out}'"
bad folder_runs_no_command 'a folder chooses no program to run' "$TF" fuzz --resume named
bad folder_runs_no_other_command "the campaign's targets are others" "$TF" fuzz --resume named --target 'exec-compiler:cp {in} {out}'
report folder_ran_no_command "$(ls ran 2>/dev/null)"
t resume_of_a_command 0 - - "$TF" fuzz --target 'exec-compiler:cp {in} {out}' "${small[@]}" --cases 3 --out again
t resume_given_again 0 '^  agreed +3$' - "$TF" fuzz --resume again --target 'exec-compiler:cp {in} {out}'

# ---- a state that somebody has edited
"$TF" fuzz --target spirv-opt "${small[@]}" --cases 3 --out state >out 2>&1
cp state/state.json good.json
for change in "o['options']['profile'] = 99" "o['options']['job_seconds'] = 1e300" "o['next'][1] = 31" \
    "o['open'] = [['1', 31]]" "o['options']['model'] = 9" "o['options']['subgroup'] = 7" "o['options']['fence_seconds'] = -1" \
    "o['options']['validate_every'] = 0" "o['options']['features'] = '18446744073709551615'" "o['options']['seconds'] = 1e300" \
    "o['options']['max_invocations'] = 100000" "o['seconds'] = -1e300" "o['options']['choose_model'] = -1"; do
    cp good.json state/state.json
    edit state/state.json "$change"
    bad "edited_state: $change" 'state/state.json: not the state of a campaign' "$TF" fuzz --resume state
done
