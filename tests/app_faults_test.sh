#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# What watches over workers, on a target that fails as it is told and writes down each time what it does.
# FAULT_CASES says how many cases (400), KILLS how often something is killed (5), SEED which moments, GROW_CASES
# how long nothing may grow (4000), JOB_TIME the timeout of a hang (3 s: on a machine that is so busy that a worker
# takes longer to fill its memory, that is a hang and the counts do not match). The long form,
# scripts/supervision.sh, takes 10,000, 50, 100,000 and 5 s.
. "$SOURCE_DIR/tests/app_lib.sh" || exit 1
cases=${FAULT_CASES:-400} kills=${KILLS:-5} grow=${GROW_CASES:-4000}
RANDOM=${SEED:-1}
# A process that runs; one that is dead and not reaped by whoever inherited it does not.
lives() { case $(ps -o stat= -p "$1" 2>/dev/null) in '' | Z*) false ;; esac }
figure() { python3 -c 'import json,sys; print(json.load(open(sys.argv[1]))["campaigns"][-1][sys.argv[2]])' "$@"; }

export TANGLEFUZZ_GDB= # a crash is not run once more to see where it was
# ---- every fault is accounted for: a line in the log for each time, four times (the first and three re-runs)
# for each finding; the rest agrees.
memory=64
! sanitized address || memory=512 # it keeps what is given back, up to 256 MiB
"$TF" fuzz --target "fault:crash=50,hang=200,lost=60,blow=120,refuse=70,leak=64,log=$work/log" \
    --profile small --cases "$cases" --jobs 2 --job-time "${JOB_TIME:-3}" --memory $memory --stop-after 0 --keep 0 --out faults >out 2>err &
pid=$!
most=0 least=0 unreaped=0 forgotten=
declare -A first=() # of a worker that is dead and unreaped: how many faults there had been when it was seen first
while kill -0 $pid 2>/dev/null; do
    sleep 0.5
    rss=$(awk '/^VmRSS/ { print $2 }' /proc/$pid/status 2>/dev/null)
    [ -n "$rss" ] || continue
    [ "$least" != 0 ] || least=$rss
    [ "$rss" -le "$most" ] || most=$rss
    faults=$(wc -l <log 2>/dev/null || echo 0) zombies=0
    for z in $(ps -o stat=,pid= --ppid $pid | awk '/^Z/ { print $2 }'); do
        zombies=$((zombies + 1))
        [ -n "${first[$z]-}" ] || first[$z]=$faults
        [ $((faults - first[$z])) -lt 20 ] || forgotten+="$z "
    done
    [ $zombies -le $unreaped ] || unreaped=$zombies
    workers=$(ps -o pid= --ppid $pid)
done
wait $pid
status=$?
report faults_found "$([ $status = 1 ] || cat out err)"
report faults_all_counted "$(python3 - "$cases" 2>&1 <<'PY'
import collections, json, sys
s = json.load(open("faults/campaign.json"))["campaigns"][-1]
n = collections.Counter(l.split()[0] for l in open("log"))
names = {"crash": "crash", "hang": "hang", "lost": "device-lost", "blow": "memory", "refuse": "rejected"}
want = {names[k]: v / 4 for k, v in n.items()}
assert s["by_class"] == want, (s["by_class"], want)
assert int(sys.argv[1]) < 400 or (s["by_class"]["crash"] >= 2 and len(want) >= 3), want
assert s["findings"] == sum(want.values()) and s["flaky"] == 0 and s["ours"] == 0, s
assert s["modules"] == s["cases"] == int(sys.argv[1]), s
assert s["agreed"] + s["findings"] == s["cases"], s
PY
)"
report crashes_say_why "$(grep -L "Assertion .as requested. failed" faults/findings/*-crash/finding.json)"
report faults_have_folders "$([ "$(ls faults/findings | wc -l)" = "$(figure faults/campaign.json findings)" ] || ls faults/findings)"
# A dead worker is reaped before another takes its place: there is one a job at most, and none is there when it has
# failed so often again.
report few_zombies "$([ $unreaped -le 2 ] || echo "$unreaped at once")"
report no_zombies "$forgotten"
report no_orphans "$(for w in $workers; do lives "$w" && echo "$w lives"; done)"
# The supervisor may not grow with the number of cases; what it keeps for the next case it may.
keeps='AddressSanitizer keeps what is given back'
if sanitized address; then skip no_growth "$keeps"; else
    report no_growth "$([ $((most - least)) -lt 65536 ] || echo "from $least to $most KiB")"
fi
echo "# $cases cases: $(figure faults/campaign.json by_class), supervisor $least to $most KiB"

# ---- nothing grows with the number of cases: what each process has in the last quarter of the time is what it
# had in the second one. --strip-debug is the cheapest compiler there is, and it answers with a module.
grows_nowhere() { TF=$TF python3 - "$grow" <<'PY' 2>&1 >figures
import glob, os, subprocess, sys, time
def rss(pid):
    try:
        return int([l for l in open(f"/proc/{pid}/status") if l.startswith("VmRSS")][0].split()[1])
    except (OSError, IndexError):
        return 0
def children(pid):
    return [int(c) for f in glob.glob(f"/proc/{pid}/task/*/children") for c in open(f).read().split()]
p = subprocess.Popen([os.environ["TF"], "fuzz", "--target", "spirv-opt:--strip-debug", "--profile", "small",
    "--subgroup", "8", "--max-invocations", "16", "--cases", sys.argv[1], "--out", "grow"], stdout=subprocess.DEVNULL,
    stderr=subprocess.DEVNULL)
seen, workers = [], set()
while p.poll() is None:
    try:
        now = children(p.pid)
    except OSError:
        now = []
    workers.update(now)
    seen.append((rss(p.pid), sum(map(rss, now))))
    time.sleep(0.02)
assert p.returncode == 0, p.returncode
n = len(seen)
assert n >= 20, f"only {n} looks"
assert len(workers) == 1, f"{len(workers)} workers were started"
for who, k in ("the supervisor", 0), ("the worker", 1):
    early, late = (max(s[k] for s in seen[a:b]) for a, b in ((n // 4, n // 2), (3 * n // 4, n)))
    print(f"{who} {early} KiB in the second quarter, {late} KiB in the last")
    assert late - early < 4096, f"{who}: from {early} to {late} KiB"
PY
}
if sanitized address; then skip grows_nowhere "$keeps"; else
    report grows_nowhere "$(grows_nowhere)"
    sed "s/^/# $grow cases: /" figures
fi

# ---- what a subject says it made of a case is kept in the finding, where it says anything
t wrong_is_found 1 '^finding .*\(3 of 3 re-runs\)' '' "$TF" fuzz --target fault:wrong=4,tell=1 --profile small \
    --cases 20 --out told
report tells_what_it_made "$(for f in told/findings/*; do
    [ ! -e "$f/observed.mem" ] || grep -qx 'an addition became a subtraction' "$f/driver.txt" || echo "$f: no driver.txt"
    [ ! -e "$f/observed.mem" ] || grep -q '^- `driver.txt`' "$f/README.md" || echo "$f: not in README.md"
done; ls told/findings/*/driver.txt 2>&1 | grep -v '^told/')"
"$TF" fuzz --target fault:wrong=4 --profile small --cases 20 --out silent >out 2>err
report silent_without "$(ls silent/findings/*/driver.txt 2>/dev/null; ls silent/findings | grep -q . || echo none)"

# ---- a target that only dies: the others go on
t quarantine 1 'quarantined [1-9]' - "$TF" fuzz --target fault:crash=1 --target fault:leak=1 --profile small \
    --cases 40 --out dies
report quarantine_leaves_the_other "$(python3 - 2>&1 <<'PY'
import json
s = json.load(open("dies/campaign.json"))["campaigns"][-1]
bad, good = s["targets"]
assert good["agreed"] == 40 and good["findings"] == 0, good
assert bad["modules"] + bad["held"] == 40 and bad["held"] > 0 and bad["quarantined"] == 1, bad
PY
)"
t quarantine_of_all 1 'ended early .*ended its worker on 12 cases in a row' - \
    "$TF" fuzz --target fault:crash=1 --profile small --cases 40 --out all-die

# ---- kill -9 of workers and of the supervisor, at any moment; in the end the same as without
disturbed() { "$TF" fuzz "$@" --profile small --jobs 2 >out 2>err; }
targets=(--target 'fault:crash=12,refuse=9,slow=15' --target 'fault:lost=20,slow=5')
calm=$((20 + kills * 16))
disturbed "${targets[@]}" --cases $calm --keep 0 --out calm
report kill_calm "$([ -s calm/campaign.json ] || cat out err)"
orphans= supervisors=0 of_workers=0
start="fuzz ${targets[*]} --profile small --jobs 2 --cases $calm --keep 0 --out hurt"
i=0
while [ $i -lt $kills ]; do
    # shellcheck disable=SC2086
    "$TF" $start >out 2>err &
    pid=$!
    while [ $i -lt $kills ]; do
        sleep "$(printf '0.%03d' $((150 + RANDOM % 700)))"
        kill -0 $pid 2>/dev/null || break
        i=$((i + 1))
        workers=($(ps -o pid= --ppid $pid))
        if [ ${#workers[@]} -gt 0 ] && [ $((RANDOM % 2)) = 0 ]; then
            kill -9 "${workers[RANDOM % ${#workers[@]}]}" 2>/dev/null
            of_workers=$((of_workers + 1))
        else
            kill -9 $pid
            supervisors=$((supervisors + 1))
            break
        fi
    done
    wait $pid 2>/dev/null
    for ((end = SECONDS + LONG; SECONDS < end; )); do # on a busy machine it takes them a while to notice
        sleep 0.1
        left=
        for w in "${workers[@]}"; do lives "$w" && left+="$w "; done
        [ -n "$left" ] || break
    done
    orphans+=$left
    [ ! -e hurt/state.json ] || start="fuzz --resume hurt ${targets[*]}"
    [ "$(python3 -c 'import json; s = json.load(open("hurt/state.json")); print(s["next"][0])' 2>/dev/null)" != $calm ] || break
done
# shellcheck disable=SC2086
"$TF" $start >out 2>err
report kill_no_orphans "$orphans"
report kill_same_findings "$(diff <(ls calm/findings) <(ls hurt/findings) 2>&1; ls calm/findings | grep -q . || echo none)"
report kill_same_figures "$(python3 - 2>&1 <<'PY'
import json
a, b = (json.load(open(d + "/campaign.json"))["campaigns"] for d in ("calm", "hurt"))
assert len(b) == 1, b
for k in ("modules", "cases", "agreed", "findings", "findings_again", "flaky", "by_class", "ours", "next_seed", "live_bits"):
    assert a[-1][k] == b[-1][k], (k, a[-1][k], b[-1][k])
PY
)"
report kill_same_cases "$(for f in $(ls calm/findings); do
    cmp calm/findings/$f/case.spvasm hurt/findings/$f/case.spvasm; done 2>&1)"
echo "# $i kills: $supervisors of the supervisor, $of_workers of a worker, $(ls hurt/findings | wc -l) findings"
