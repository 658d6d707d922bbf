#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# fuzz, replay, targets and doctor on a real driver: lavapipe, where set-up has fetched it.
. "$SOURCE_DIR/tests/app_lib.sh" || exit 1

t targets 0 '^  vulkan\[' '' "$TF" targets
if ! have_lavapipe; then
    skip fuzz 'no lavapipe: scripts/setup.sh gets it'
    exit
fi
t targets_lists_lavapipe 0 '^      maximal reconvergence: yes$' '' "$TF" targets
t doctor 0 "^ready: tanglefuzz fuzz --target " '' "$TF" doctor
report doctor_does_not_contradict_itself "$(grep '^missing' out | grep -v 'validation layer'; grep -E '^[a-z]+ +device +(spirv-opt|llvm|clang|glslang)' out)"
bad vulkan_alone_hints "set-up installed one: use vulkan:driver=[a-z]" \
    env VK_DRIVER_FILES=/nonexistent VK_ICD_FILENAMES=/nonexistent "$TF" fuzz --target vulkan --cases 1 --out no
t doctor_without_a_driver 2 '^not ready' '' \
    env TANGLEFUZZ_DRIVERS="$work/none" VK_DRIVER_FILES=/nonexistent VK_ICD_FILENAMES=/nonexistent "$TF" doctor
report doctor_says_how "$(grep -q 'scripts/setup.sh' out || cat out)"

fuzz() { "$TF" fuzz --target $LAVAPIPE --profile small "$@"; }
json() { python3 -c "import json,sys; lines = [json.loads(l) for l in open('out')]; $1"; }

# quiet NAME: standard error of the last one held nothing but progress, which a busy machine makes.
quiet() { report "$1_quiet" "$(grep -vE '^([0-9]+ s|[0-9]+:[0-9]{2}) +[0-9]+%  ' err)"; }

# ---- a campaign
t campaign 0 '^  agreed       25$' - fuzz --seeds 0:25 --inputs 1
quiet campaign
report campaign_summary "$(for line in '^25 cases in [0-9:. s]+ \([0-9.]+/s\)$' \
    '^  compared     at least [1-9][0-9]* bits per case, median [1-9]' '^  driver       [0-9.]+% of' \
    '^  findings     0$'; do grep -Eq "$line" out || echo "no line '$line'"; done)"
report campaign_default_folder "$(python3 - <<'PY'
import json
c = json.load(open("tanglefuzz-out/campaign.json"))
assert c["schema"] == 1 and len(c["campaigns"]) == 1, c
s = c["campaigns"][0]
assert s["modules"] == s["cases"] == s["agreed"] == 25, s
assert s["next_seed"] == 25 and not s["interrupted"] and 0 < s["driver_share"] <= 1, s
PY
)"
t campaign_no_findings 0 '' '' ls tanglefuzz-out/findings
t campaign_two_jobs_inputs 0 '^  modules      6, with 4 inputs each$' - \
    fuzz --cases 6 --jobs 2 --inputs 4 --out two
quiet campaign_two_jobs_inputs
# A Vulkan device compiles once: it gets eight inputs where nothing is said.
t campaign_inputs_of_a_device 0 '^  modules      2, with 8 inputs each$' - fuzz --cases 2 --out eight
t campaign_json 0 - - fuzz --cases 5 --inputs 1 --json --out json-out
quiet campaign_json
report campaign_json_lines "$(json '
assert len(lines) == 1, lines
s = lines[0]
assert s["schema"] == 1 and s["type"] == "summary" and s["cases"] == 5 and s["ours"] == 0, s' 2>&1)"
t campaign_validate 0 '^  agreed       10$' - fuzz --cases 10 --inputs 1 --validate --out validated
quiet campaign_validate
t campaign_features 0 '^  agreed       5$' - fuzz --cases 5 --inputs 1 --only if,ballot,elect --out only
quiet campaign_features
# Of a target that takes a millisecond a case, some are done in two seconds on any machine; it ends though seeds do not.
t campaign_out_of_time 0 ' cases? in ' '' "$TF" fuzz --target spirv-as --profile small --seeds 30: --time 2 --out timed
bad campaign_wrong_subgroup 'cannot run subgroups of 64: it supports 8 to 8' fuzz --subgroup 64 --cases 1

# ---- ctrl-C and SIGTERM: at once, though a job hangs that has an hour; saved, status as for what was found
for signal in INT TERM; do
    "$TF" fuzz --target "fault:hang=20,log=$work/hangs-$signal" --profile small --job-time 3600 --out stopped-$signal >out 2>err &
    pid=$!
    until_true grep -q hang hangs-$signal
    kill -$signal $pid
    wait $pid
    status=$?
    problem=
    [ $status = 0 ] || problem+="status $status "
    grep -q ', interrupted$' out || problem+="no summary: $(cat out err) "
    grep -q '"interrupted": true' stopped-$signal/campaign.json || problem+="not saved"
    report "stopped_by_$signal" "$problem"
done
# On a device, which saves each second what it has done. Under nohup SIGHUP does not end it.
(trap '' HUP && exec "$TF" fuzz --target $LAVAPIPE --profile small --seeds 30: --out stopped >out 2>err) &
pid=$!
next() { python3 -c 'import json; print(json.load(open("stopped/state.json"))["next"][0])' 2>/dev/null || echo 0; }
saved() { [ "$(next)" -gt "$1" ]; }
until_true saved 35
kill -HUP $pid
before=$(next)
more_or_end() { saved $((before + 20)) || ! kill -0 $pid; }
until_true more_or_end
report nohup "$(saved $((before + 20)) || cat out err)"
kill -INT $pid
wait $pid
report stopped_on_a_device "$([ $? = 0 ] && grep -q ', interrupted$' out && grep -q '"interrupted": true' stopped/campaign.json ||
    cat out err)"
# Interrupted before the first answer: that is no pass.
"$TF" fuzz --target "fault:hang=1,log=$work/hangs" --cases 5 --out never >out 2>err &
pid=$!
until_true grep -q hang hangs
kill -INT $pid
wait $pid
report interrupted_before_all "$([ $? = 2 ] && grep -q ', interrupted$' out &&
    grep -q 'NOTHING WAS COMPARED: no case finished before the interruption' err || cat out err)"
# A reader of findings that leaves ends the campaign, which has no other end; before anything was found that is no pass.
unread "$TF" fuzz --target $LAVAPIPE --profile small --seeds 30: --json --out gone 2>err
report reader_gone "$(echo $? | grep -vx 2; grep -q 'its reader has closed it' err || cat err)"

# ---- findings: a driver that dies after a while, by a library of ours inside of it
cat >die.c <<'C'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/socket.h>
// A worker sends what it is, then once or twice a job: it dies with a job at hand, and once or twice in 45 cases, on any
// machine. The runs of that case that follow
// are in another worker, and good.
ssize_t send(int fd, const void *data, size_t n, int flags)
{
    static atomic_int sent;
    if (fd == 3 && atomic_fetch_add(&sent, 1) == 40) {
        signal(SIGPROF, SIG_DFL);
        raise(SIGPROF);
    }
    return ((ssize_t(*)(int, const void *, size_t, int))dlsym(RTLD_NEXT, "send"))(fd, data, n, flags);
}
C
if "$CC" -shared -fPIC -o die.so die.c -ldl 2>log; then
    env ASAN_OPTIONS="verify_asan_link_order=0:${ASAN_OPTIONS-}" \
        "$TF" fuzz --target "$LAVAPIPE,env=LD_PRELOAD=$work/die.so" --profile small --without for,do-while,infinite \
        --inputs 1 --cases 45 --out died >out 2>err
    status=$?
    report deaths "$([ $status = 0 ] && grep -qE '^    the worker died of signal 27|died of SIGPROF' out || { echo "status $status"; cat out err; })"
    report deaths_are_flaky "$(grep -q '^flaky   s[0-9]*-flaky (' out || cat out)"
    folder=$(ls -d died/findings/*-flaky | head -n 1)
    report deaths_keep_the_case "$("$TF" check "$folder/case.spvasm" 2>&1 | grep -v '^1 passed, 0 failed$')"
    report findings_name_no_folder "$(grep -rl -e "$work" -e "$SOURCE_DIR" died/findings)"
else
    skip deaths 'no compiler'
fi

# ---- replay
"$TF" gen --seed 5 --subgroup 8 -o case.spvasm
t replay 0 '^case.spvasm: agrees in 3 of 3 runs: [0-9]+ bits agree$' '' \
    "$TF" replay case.spvasm --target $LAVAPIPE -n 3
# What is expected of one log word is changed: the device is right, and shown to differ.
"$TF" predict case.spvasm --bake |
    awk '/^; expect 0:1 /{ for (i = 4; i <= NF; i++) if ($i != 0 && i > 5 && $(i - 1) != 0) { $i = $i + 1; break } } 1' >wrong.spvasm
t replay_wrong 1 '^wrong.spvasm: [a-z-]+ in 2 of 2 runs: invocation [0-9]+, log entry' '' \
    "$TF" replay wrong.spvasm --target $LAVAPIPE -n 2
report replay_table "$(grep -q '^  entry  expected .*observed$' out && grep -q '^\* ' out || cat out)"
mkdir both
cp case.spvasm wrong.spvasm both
t replay_folder 1 '^1 agreed, 1 wrong, 0 not judged$' '' "$TF" replay both --target $LAVAPIPE
"$TF" gen --seed 5 --subgroup 32 -o wide.spvasm
t replay_cannot_run 2 '^wide.spvasm: skipped: .*subgroup' '' "$TF" replay wide.spvasm --target $LAVAPIPE
bad replay_not_a_case 'wrong.txt' bash -c 'echo x >wrong.txt; "$0" replay wrong.txt --target "$1"' "$TF" $LAVAPIPE
undefined=$(ls "$SOURCE_DIR"/corpus/undefined/*.spvasm 2>/dev/null | head -n 1)
if [ -n "$undefined" ]; then
    t replay_undefined 2 ': undefined: ' '' "$TF" replay "$undefined" --target $LAVAPIPE
fi
