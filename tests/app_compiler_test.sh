#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Compilers as targets: each way to be wrong is a class of its own, and a right one agrees. explain and
# stats, which need no device.
. "$(dirname "${BASH_SOURCE[0]}")/app_lib.sh"
export TANGLEFUZZ_CONTAIN=no # compilers here write down what they were asked
TF=$TANGLEFUZZ
corpus=$SOURCE_DIR/corpus
case=$corpus/rules/M6-break-block-stays-split.spvasm

replay() { "$TF" replay "$case" --target "$1"; }
# compiler NAME STATUS OUT BODY: a compiler that is a script; "$1" is the input, "$2" the output.
compiler() {
    printf '#!/bin/sh\n%s\n' "$4" >"$1.sh" && chmod +x "$1.sh"
    t "$1" "$2" "$3" '' replay "exec-compiler:$work/$1.sh {in} {out}"
}

t optimiser_agrees 0 ': agrees: [1-9][0-9]* bits' '' replay spirv-opt:-O
t assembler_agrees 0 '^spirv-as: 2 agreed, 0 wrong, 0 not judged$' '' "$TF" replay "$case" \
    "$corpus/rules/D1-M1-nested.spvasm" --target spirv-as --target spirv-opt:--ccp
t assembler_has_no_options 2 '' "spirv-as: '-O': this target has no options" replay spirv-as:-O
t optimiser_wrong 1 ': wrong-memory: ' '' \
    "$TF" replay "$corpus/regress/spirv-opt-loop-unswitch-T2.spvasm" --target spirv-opt:--loop-unswitch
t unknown_pass 2 '' "unknown pass '--no-such-pass'" replay spirv-opt:--no-such-pass

# ---- several targets, and expectations
t2=$corpus/regress/spirv-opt-loop-unswitch-T2.spvasm
mkdir suite && cp "$case" "$t2" suite
suite() { "$TF" replay suite --target spirv-opt:--loop-unswitch --target spirv-opt:--ccp "$@"; }
t suite_wrong 1 '^spirv-opt:--loop-unswitch: 1 agreed, 1 wrong, 0 not judged$' '' suite
report suite_other_target "$(grep -qx 'spirv-opt:--ccp: 2 agreed, 0 wrong, 0 not judged' out || cat out)"
echo 'wrong-* *-T2.spvasm spirv-opt:--loop-*' >known.txt
t suite_known 0 '^spirv-opt:--loop-unswitch: 1 agreed, 0 wrong, 0 not judged, 1 known to fail, 0 unexpected passes$' '' \
    suite --known known.txt
echo 'crash *-T2.spvasm spirv-opt:*' >known.txt
t suite_other_class 1 '^spirv-opt:--ccp: 1 agreed, 0 wrong, 0 not judged, 0 known to fail, 1 unexpected passes$' '' \
    suite --known known.txt
report suite_unexpected_pass "$(grep -q 'spirv-opt:--ccp: known to fail, but does not: agrees' out || cat out)"
echo 'crsh a b' >known.txt
t suite_no_class 2 '' "known.txt:1: 'crsh' is not a class of findings" suite --known known.txt
"$TF" replay "$case" --target "fault:hang=1,log=$work/hangs" --job-time 3600 >out 2>err &
pid=$!
until_true grep -q hang hangs
kill -INT $pid
wait $pid
report suite_interrupted "$([ $? = 2 ] && [ ! -s out ] || cat out err)"

compiler copies 0 ': agrees: [1-9][0-9]* bits' 'cp "$1" "$2"'
compiler refuses 1 ': rejected: exit status 3: no such thing' 'echo "no such thing"; exit 3'
compiler dies 1 ': crash: died of ' 'kill -SEGV $$'
compiler writes_nothing 1 ': rejected: the command wrote no SPIR-V module' 'exit 0'
compiler writes_too_little 1 ': rejected: the command wrote no SPIR-V module' 'printf 12345 >"$2"'
# Words of the module changed on the way: a capability that there is not; OpReturn to OpUnreachable.
change='python3 -c "import sys; d = open(sys.argv[1], \"rb\").read(); o, n = (bytes.fromhex(x) for x in sys.argv[3:]); assert o in d; open(sys.argv[2], \"wb\").write(d.replace(o, n, 1))" "$1" "$2"'
compiler writes_what_is_invalid 1 ': invalid-output: ' "$change 1100020001000000 11000200ffff0000"
compiler writes_what_is_undefined 1 ': undefined-output: .*E-unreachable' "$change fd000100 ff000100"
# OpConstantTrue to OpUndef: a finding's page and bundle give a word without a value none.
compiler leaves_no_value 1 ': wrong-memory: .*observed no defined value$' "$change 29000300 01000300"
mkdir -p one/findings
t no_value_reduced 0 '^wrong-memory in ' - "$TF" reduce "$case" --target "exec-compiler:$work/leaves_no_value.sh {in} {out}" --out small
mv small/reduced-* one/findings/no-value
bucket=$("$TF" report one --format jsonl | sed -n 's/.*"type":"bucket","bucket":"\([a-z]*\)".*/\1/p')
t no_value_bundle 0 '^empty$' '' "$TF" report one --bundle "$bucket" --alone -o empty
report no_value_memory "$(grep -q '[?/]' empty/observed.mem || cat empty/observed.mem)"
"$TF" report one >out 2>err
report no_value_said "$(grep -L 'no defined value' empty/README.md empty/lanes.txt one/findings/no-value/{README.md,lanes.txt} one/report.html 2>&1)"
t needs_out 2 '' 'must contain \{in\} and \{out\}' replay 'exec-compiler:cp {in}'
t no_program 2 '' "'no-such-program' is not an executable program" replay 'exec-compiler:no-such-program {in} {out}'
# Outputs that nobody can judge, for they lost what their order hangs on (Coherent), are counted
# together. A campaign of nothing else has compared nothing: that is no pass.
cat >lose.py <<'PY'
import struct, sys
data = open(sys.argv[1], 'rb').read()
words = struct.unpack(f'<{len(data) // 4}I', data)
kept, at = list(words[:5]), 5
while at < len(words):
    n = words[at] >> 16
    inst = words[at:at + n]
    # OpDecorate, OpMemberDecorate ... Coherent
    if not (inst[0] & 0xffff == 71 and inst[2] == 23 or inst[0] & 0xffff == 72 and inst[3] == 23):
        kept += inst
    at += n
open(sys.argv[2], 'wb').write(struct.pack(f'<{len(kept)}I', *kept))
PY
lose="exec-compiler:python3 $work/lose.py {in} {out}"
lost() { "$TF" fuzz --target "$lose" --profile small --only through-buffer,for,if,ballot "$@"; }
t some_are_unjudged 0 '^  unjudged +([2-9]|1[0-9])$' - lost --seeds 5:24 --out some
report some_are_told_together "$(grep -E '^ +[0-9]+ .*E-race' out | wc -l | grep -qx 1 || cat out)"
t all_are_unjudged 2 - 'NOTHING WAS COMPARED: ' lost --seeds 10:11 --out none
t campaign_of_copies 0 '^  agreed +20$' - \
    "$TF" fuzz --target 'exec-compiler:cp {in} {out}' --cases 20 --out same

# ---- the command that a finding prints is one for a shell
"$TF" fuzz --target "exec-compiler:sh -c 'cat \$0 | head -c 9 >\"\$1\"' {in} \"{out}\"" --cases 1 --out quoted >/dev/null
cat >replay.py <<'PY'
import json, sys
print(json.load(open(sys.argv[1]))['replay'])
PY
python3 replay.py quoted/findings/*/finding.json >command
PATH="$(dirname "$TF"):$PATH" t replay_command_in_a_shell 1 'rejected in 3 of 3 runs: the command wrote no' '' \
    sh -c "cd quoted/findings/*/ && $(cat command)"
report replay_command_names_one_stage "$(grep -q '"bucket".*' quoted/findings/*/finding.json &&
    grep -E '"signature": *"[12]\|sh\|rejected' quoted/findings/*/finding.json >/dev/null || cat quoted/findings/*/finding.json)"

compiler writes_garbage 1 ': invalid-output: ' 'head -c 4000 /dev/urandom >"$2"'
compiler prints_much 0 ': agrees: ' 'head -c 50000000 /dev/zero; cp "$1" "$2"'

# ---- one that never stops starting processes, each in a session of its own: none may be left
secs=$((80000 + $$ % 6000))
printf '#!/bin/bash\nwhile :; do setsid sleep %s & sleep 0.02; done\n' "$secs" >forks.sh && chmod +x forks.sh
forks="exec-compiler:$work/forks.sh {in} {out}"
left() { # they would stay for a day; whoever ends them may take a while on a busy machine
    local end=$((SECONDS + LONG))
    while [ $SECONDS -lt $end ]; do
        n=$(ps -eo args= | grep -cx "sleep $secs")
        [ "$n" -gt 0 ] || return
        sleep 0.1
    done
    echo "$n processes are left"
}
some_sleep() { ps -eo args= | grep -qx "sleep $secs"; }
# The worker ends the command at three quarters of the time. If ending all its processes takes the rest, the worker is ended too.
t forks_until_its_time_is_over 1 ': hang: (not finished after 1.5 seconds|no answer after 2 seconds: the worker was killed)$' '' \
    "$TF" replay "$case" --target "$forks" --job-time 2
report nothing_left_after_a_hang "$(left)"
for who in campaign worker; do
    "$TF" fuzz --target "$forks" --job-time 3600 --cases 9 --out "forks-$who" >out 2>&1 &
    pid=$!
    until_true some_sleep
    if [ $who = worker ]; then # another one takes its place, and goes on with them
        worker=$(pgrep -P $pid)
        kill -KILL $worker
        another() { case $(pgrep -P $pid) in '' | "$worker") false ;; esac && some_sleep; }
        until_true another
    fi
    kill -TERM $pid
    wait $pid
    report nothing_left_after_the_end_of_the_$who "$(left)"
done

t explain_table 0 'M3 .* join after it' '' "$TF" explain "$case"
t explain_picture 0 '' '' "$TF" explain "$case" -o m6.svg
report picture_is_xml "$(python3 -c 'import xml.dom.minidom as x
d = x.parse("m6.svg")
assert "M3" in d.toxml() and d.getElementsByTagName("rect")' 2>&1)"
t explain_undefined 2 - 'E-unreachable' "$TF" explain "$corpus/undefined/E-unreachable.spvasm"
t explain_no_file 2 '' 'no-such-file' "$TF" explain no-such-file.spvasm
t stats 0 '^50 programs: 0 invalid, 0 undefined, 0 over limit' '' "$TF" stats --cases 50
t stats_agree 0 'disagree on 0$' '' "$TF" stats --cases 50
