#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Targets, folders and files that are not to be trusted: none may make a campaign pass, hang, or do
# what nobody asked for.
. "$SOURCE_DIR/tests/app_lib.sh" || exit 1
export TANGLEFUZZ_CONTAIN=no # compilers here write down what they were asked

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
# Asking again shows it too: between two runs of a case another is run.
rm -f before
t stale_answers_do_not_agree 1 'wrong|missing|undefined' '' "$TF" replay -n 5 --target \
    "exec-compiler:$work/stale.sh {in} {out} $work/before" "$SOURCE_DIR/corpus/rules/M6-break-block-stays-split.spvasm"
cat >refuse.sh <<'END'
#!/bin/sh
cksum <"$1" >>"$3"
exit 3
END
chmod +x refuse.sh
"$TF" gen --seed 3 --profile small --subgroup 8 -o refused.spvasm
"$TF" reduce refused.spvasm --jobs 1 --target "exec-compiler:$work/refuse.sh {in} {out} $work/asked" >out 2>err
report reduce_asks_none_twice_in_a_row "$([ "$(wc -l <asked)" -ge 10 ] || cat out err; uniq -d asked)"

# Choices that make another module; a sanitizer's build sees what is not given back.
sed 's/ choices [0-9a-f]*/ choices 00/' refused.spvasm >other.spvasm
t reduce_of_other_choices 0 'do not generate this module: only its module is reduced' '' "$TF" reduce other.spvasm --target fault:refuse=1

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
bad no_reader_is_no_pass 'its reader has closed it' unread "$TF" fuzz --target spirv-opt --json "${small[@]}" --out unread

# ---- a campaign that goes on
t stop_after_none 1 - - "$TF" fuzz --target fault:refuse=2 "${small[@]}" --cases 40 --stop-after 0 --out kept
t stop_after_is_kept 1 - - "$TF" fuzz --resume kept --target fault:refuse=2
report stop_after_is_kept_in_the_state "$(python3 -c 'import json; print(json.load(open("kept/state.json"))["options"]["stop_after"])' | grep -vx 0)"
t stop_after_anew 1 - - "$TF" fuzz --resume kept --target fault:refuse=2 --stop-after 7
report stop_after_is_replaced "$(python3 -c 'import json; print(json.load(open("kept/state.json"))["options"]["stop_after"])' | grep -vx 7)"

# One finding of its folder is a pipe, which is not read.
cp -r kept clogged && mkdir clogged/findings/s999999-refused && mkfifo clogged/findings/s999999-refused/finding.json
t pipe_is_no_finding_of_a_campaign 1 - - within "$TF" fuzz --resume clogged --target fault:refuse=2

# ---- a command that a folder names
"$TF" fuzz --target 'exec-compiler:cp {in} {out}' "${small[@]}" --cases 3 --out named >out 2>&1
edit named/state.json "o['options']['targets'][0]['spec'] = 'exec-compiler:sh -c \"touch $work/ran; cp \$0 \$1\" {in} {out}'"
bad folder_runs_no_command 'a folder may not choose a program to run' "$TF" fuzz --resume named
bad folder_runs_no_other_command "the campaign has other targets" "$TF" fuzz --resume named --target 'exec-compiler:cp {in} {out}'
report folder_ran_no_command "$(ls ran 2>/dev/null)"
t resume_of_a_command 0 - - "$TF" fuzz --target 'exec-compiler:cp {in} {out}' "${small[@]}" --cases 3 --out again
t resume_given_again 0 '^  agreed +3$' - "$TF" fuzz --resume again --target 'exec-compiler:cp {in} {out}'

# ---- a state that somebody has edited
"$TF" fuzz --target spirv-opt "${small[@]}" --cases 3 --out state >out 2>&1
cp state/state.json good.json
for change in "o['options']['profile'] = 99" "o['options']['job_seconds'] = 1e300" "o['next'][1] = 31" \
    "o['open'] = [['1', 31]]" "o['options']['model'] = 9" "o['options']['subgroup'] = 7" "o['options']['fence_seconds'] = -1" \
    "o['options']['validate_every'] = 0" "o['options']['features'] = '0xffffffffffffffffffffffffffffffff'" "o['options']['seconds'] = 1e300" \
    "o['options']['max_invocations'] = 100000" "o['seconds'] = -1e300" "o['options']['choose_model'] = -1"; do
    cp good.json state/state.json
    edit state/state.json "$change"
    bad "edited_state: $change" 'state/state.json: not the state of a campaign' "$TF" fuzz --resume state
done

# ---- pipes and devices where files are expected
"$TF" gen --seed 1 --subgroup 8 -o case.spvasm
mkfifo pipe
ln -s /dev/zero zeros
bad pipe_is_no_case 'pipe: is not a regular file' within "$TF" predict pipe
bad device_is_no_case 'zeros: is not a regular file' within "$TF" predict zeros
t pipe_of_a_shell 0 - '' bash -c '"$0" predict <(cat case.spvasm)' "$TF"
mkdir -p trap/findings/s000001-crash piped
ln -s /dev/zero trap/findings/s000001-crash/finding.json
ln -s ../../../pipe trap/findings/s000001-crash/case.spvasm
cp good.json piped/state.json && rm piped/state.json && mkfifo piped/state.json
bad pipe_is_no_state 'state.json: is not a regular file' within "$TF" fuzz --resume piped
bad pipe_is_no_finding 'case.spvasm: is not a regular file' within "$TF" replay trap/findings/s000001-crash/case.spvasm --target spirv-opt
within "$TF" report trap >out 2>err
report report_does_not_hang "$([ $? != 124 ] || echo it does)"

# ---- output replaces nothing but files
bad output_is_a_pipe 'pipe: cannot write: it exists and is not a regular file' "$TF" gen --seed 1 -o pipe
bad output_is_a_link 'zeros: cannot write: it exists and is not a regular file' "$TF" gen --seed 1 -o zeros
report output_replaced_nothing "$([ -p pipe ] && [ -L zeros ] || ls -l pipe zeros)"
bad out_of_no_name "out: '' is not a folder name" "$TF" fuzz --target spirv-opt --cases 1 --out ''

# ---- links inside of a folder lead nowhere
mkdir outside && echo mine >outside/file
"$TF" fuzz --target fault:refuse=1 "${small[@]}" --cases 1 --out linked >out 2>&1
first=$(ls -d linked/findings/*)
ln -s "$work/outside" "$first/reduced"
bad reduced_is_a_link 'reduced: is not a real folder' "$TF" reduce "$first" --target fault:refuse=1
t reduced_of_a_campaign_is_a_link 2 - 'reduced: is not a real folder' "$TF" reduce linked --target fault:refuse=1
rm "$first/reduced" && mkdir "$first/reduced" && ln -s "$work/outside/file" "$first/reduced/refused"
bad refused_is_a_link 'refused: is not a regular file' "$TF" reduce "$first" --target fault:refuse=1
rm "$first/reduced/refused" && mkfifo "$first/reduced/refused"
bad refused_is_a_pipe 'refused: is not a regular file' within "$TF" reduce "$first" --target fault:refuse=1
ln -s "$work/outside" case.reduced
bad reduced_beside_is_a_link 'case.reduced: is not a real folder' "$TF" reduce case.spvasm --target fault:refuse=1
mkdir led && ln -s "$work/outside" led/findings
bad findings_is_a_link 'led/findings: is not a real folder' "$TF" fuzz --target fault:refuse=1 "${small[@]}" --cases 1 --out led
bad merge_into_a_link 'led/findings: is not a real folder' "$TF" merge --out led linked
report nothing_outside "$([ "$(cat outside/file)" = mine ] && [ "$(ls outside)" = file ] || ls -l outside)"

# ---- files that may not grow
mkdir tmp
bad limited_gen 'big.spvasm: cannot write: File too large' bash -c 'ulimit -f 4; "$0" gen --profile large --seed 3 -o big.spvasm' "$TF"
report limited_gen_leaves_nothing "$(ls | grep big)"
bad limited_fuzz 'File too large' bash -c \
    'ulimit -f 4; TMPDIR=tmp "$0" fuzz --target "exec-compiler:cp {in} {out}" --cases 20 --out limited >figures' "$TF"
report limited_fuzz_leaves_no_folder "$(ls tmp)"

# ---- two campaigns in one folder
printf '#!/bin/sh\nuntil [ -e "$3" ]; do sleep 0.05; done\ncp "$1" "$2"\n' >waits.sh && chmod +x waits.sh
waits="exec-compiler:$work/waits.sh {in} {out} $work/go"
"$TF" fuzz --target "$waits" --job-time 3600 "${small[@]}" --cases 6 --out shared >shared.out 2>shared.err &
pid=$!
until_true test -e shared/state.json
bad in_use 'shared: is in use' "$TF" fuzz --target spirv-opt "${small[@]}" --cases 1 --out shared
bad in_use_resumed 'shared: is in use' "$TF" fuzz --resume shared --target "$waits"
touch go
wait $pid
report in_use_went_on "$([ "$(figure shared/campaign.json cases)" = 6 ] || echo no)"
t in_use_no_more 0 - - "$TF" fuzz --target spirv-opt "${small[@]}" --cases 1 --out shared

# ---- a module that is not valid is not printed
"$TF" gen --seed 1 --subgroup 8 | sed '0,/OpBranch %[A-Za-z0-9_]*$/s//OpBranch %uint/' >invalid.spvasm
for language in llvm llvm-amdgcn hlsl glsl; do
    bad "print_invalid_$language" 'invalid.spvasm: cannot print an invalid module: spirv-val: ' "$TF" print invalid.spvasm --as $language
done

# ---- what a prediction may take
"$TF" gen --seed 1 --subgroup 32 -o big.spvasm
sed -i 's/^; dispatch .*/; dispatch 65535 16 1/' big.spvasm
"$TF" gen --seed 1 --subgroup 32 | sed 's/^; buffer 0:1 zero .*/; buffer 0:1 zero 60000000/' >wide.spvasm
# sized COMMAND...: at most 1 GiB of memory, but in a sanitizer's build, which reserves terabytes
sized() { (sanitized 'address|thread' || ulimit -v 1048576; exec "$@"); }
bad dispatch_of_many 'unsupported: a dispatch of [0-9]+ invocations, the limit is 16777216' sized "$TF" predict big.spvasm
bad buffers_of_many 'unsupported: the state of the buffers needs [0-9]+ MiB, the limit is 512' sized "$TF" predict wide.spvasm
report unsupported_once "$(grep 'unsupported: unsupported' err)"

# ---- campaign.json has one writer at a time
"$TF" fuzz --target fault:refuse=2 "${small[@]}" --cases 2 --out one >out 2>&1
"$TF" fuzz --target fault:refuse=2 "${small[@]}" --seeds 10:12 --out two >out 2>&1
exec 8<one/findings
flock 8
"$TF" merge --out one two >out 2>err 8<&- &
pid=$!
# It has the folder open and waits.
has_it_open() { [ "$(readlink -f /proc/$pid/exe)" = "$(readlink -f "$TF")" ] && ls -l /proc/$pid/fd | grep -q 'one/findings$'; }
until_true has_it_open
edit one/campaign.json "o['campaigns'].append({'campaign': 'another writer'})"
exec 8<&-
wait $pid
report rows_of_two_writers "$(python3 -c 'import json; print(len(json.load(open("one/campaign.json"))["campaigns"]))' | grep -vx 3)"

# ---- files of a finding that are too large: one line, and nothing of them elsewhere
large=$(ls -d kept/findings/* | head -n 1)
truncate -s 65M "$large/driver.txt"
bad merge_of_a_large_file 'driver.txt: larger than the limit of 67108864 bytes' "$TF" merge --out three kept
report merge_of_a_large_file_leaves_nothing "$(ls -A three/findings)"
rm "$large/driver.txt" && mv "$large/finding.json" kept.json && truncate -s 17M "$large/finding.json"
bad report_of_a_large_finding 'finding.json: larger than the limit of 16777216 bytes' "$TF" report kept
mv kept.json "$large/finding.json" && truncate -s 65M "$large/case.spvasm" && rm -f kept/findings.db*
bad report_of_a_large_case 'case.spvasm: larger than the limit of 67108864 bytes' "$TF" report kept
report report_of_a_large_case_leaves_nothing "$(ls kept | grep html)"
