#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Prints where the time goes, as ratios and rates of one run on this machine. Not a test: the figures can only be
# compared with each other, on an idle machine. docs/measured/bench.md is
# scripts/measure.sh docs/measured/bench.md 'Where the time goes' scripts/bench.sh
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

usage() {
    cat <<'HELP'
usage: scripts/bench.sh [--seconds N]

  --seconds N  length of each campaign, in seconds; default 20

example: scripts/bench.sh --seconds 60
HELP
}

seconds=20
while [ $# -gt 0 ]; do
    case $1 in
    --seconds) seconds=${2:?--seconds needs a number} && shift ;;
    -h | --help) usage && exit 0 ;;
    *) echo "bench: unknown argument '$1' (see --help)" >&2 && exit 2 ;;
    esac
    shift
done

. scripts/lib/quiet.sh
quiet bench
scripts/setup.sh
. scripts/lib/build.sh
build_preset release
tf=build/release/tanglefuzz
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
field() { python3 -c 'import json,sys; print(json.loads(open(sys.argv[1]).read().splitlines()[-1])[sys.argv[2]])' "$1" "$2"; }

echo
echo "== generate and validate, one core, CPU time, default profile"
for profile in small default large; do
    $tf stats --fast --cases 5000 --profile $profile | awk -v p=$profile '
        /^words of the module/ { words = $(NF - 1) }
        /without log/ { own = $(NF - 1) }
        /^per second/ {
            # The ratio of "both" to "validated", from one run, so that the load of the machine cancels out.
            printf "%-8s %s; words %d, own instructions %d; both against validated alone %.2f\n",
                p, $0, words, own, $10 / $8
        }'
done
# spirv-val frees thousands of small blocks per module; by default glibc caches only seven of each size.
GLIBC_TUNABLES=glibc.malloc.tcache_count=2000 $tf stats --fast --cases 5000 | grep '^per second' |
    sed 's/$/ (glibc.malloc.tcache_count=2000)/'

echo
echo "== the two machines of the oracle on the same programs"
$tf stats --cases 2000 | grep '^per second'

echo
echo "== oracle: assemble, load and predict the cases of corpus/external"
time $tf check corpus/external | tail -n 1
echo
echo "== oracle: load + predict of one of them"
build/release/tests/bench_oracle corpus/external/*.spvasm
echo
echo "== oracle: straight-line arithmetic on one core"
build/release/tests/bench_oracle

echo
echo "== programs through compilers, per second of CPU time, ours and theirs"
rate() { # TARGET CASES
    local times
    times=$({ TIMEFORMAT='%U %S' && time $tf survey --target "$1" --cases "$2" --out "$work/survey" >/dev/null 2>&1; } 2>&1) || true
    [ -e "$work/survey/survey.json" ] || { echo "$1: not here" && return; }
    python3 - "$1" "$work/survey/survey.json" $times <<'PY'
import json, sys
s = json.load(open(sys.argv[2]))
cpu = float(sys.argv[3]) + float(sys.argv[4])
print(f"{sys.argv[1]}: {s['asked'] / cpu:.0f} per second, {100 * s['kinds']['agrees'] / s['asked']:.0f} % agree")
PY
    rm -rf "$work/survey"
}
rate llvm:passes=none,level=0 1000
rate 'llvm:passes=default<O3>' 1000
rate clang-hlsl:-O3 100
rate glslang 50

echo
echo "== campaigns on lavapipe: share of the wall time inside driver calls"
for inputs in 1 16; do
    $tf fuzz --target vulkan:driver=lavapipe --time "$seconds" --inputs $inputs --json \
        --out "$work/$inputs" >"$work/$inputs.json" || true
    python3 - "$inputs" "$work/$inputs.json" <<'PY'
import json, sys
s = json.loads(open(sys.argv[2]).read().splitlines()[-1])
print(f"{sys.argv[1]:>2} inputs per module: {s['cases'] / s['seconds']:8.1f} (module, input) pairs/s, "
      f"driver {100 * s['driver_share']:.1f} %")
PY
done

# jobs TARGET CORES JOBS: prints cases per second for CASES seeds on these cores, without the start.
jobs() {
    local out
    out=$work/jobs-$RANDOM$RANDOM
    taskset -c "$2" $tf fuzz --target "$1" --cases "$cases" --jobs "$3" --stop-after 0 --json --out "$out" >"$out.json" || true
    python3 -c 'import json, sys
s = json.loads(open(sys.argv[1]).read().splitlines()[-1])
print(s["cases"] / s["seconds"])' "$out.json"
}

echo
echo "== one job and two, on the same seeds. A job is a worker and the thread that feeds and"
echo "   judges it, which run in parallel: one job may use more than one core. So three rates: one job"
echo "   limited to one core, one job on two cores, two jobs on two cores; the median of three rounds each."
read -r -a cores < <(python3 -c 'import os; print(*sorted(os.sched_getaffinity(0)))')
if [ ${#cores[@]} -lt 2 ]; then
    echo "needs two cores"
else
    pair=${cores[0]},${cores[1]}
    for target in spirv-opt:-O vulkan:driver=lavapipe; do
        case $target in spirv-opt*) cases=$((seconds * 100)) ;; *) cases=$((seconds * 10)) ;; esac
        for _ in 1 2 3; do # in rounds, so that a busy moment affects all three
            echo "$(jobs $target "${cores[0]}" 1) $(jobs $target "$pair" 1) $(jobs $target "$pair" 2)"
        done | python3 -c '
import sys
one, wide, two = (sorted(v)[1] for v in zip(*(map(float, l.split()) for l in sys.stdin)))
print(f"{sys.argv[1]}: {one:.1f}, {wide:.1f} and {two:.1f} cases/s: two jobs on two cores are {two / one:.2f} times one on"
      f" one core, {two / wide:.2f} times one on two")' "$target"
    done
fi

echo
echo "== spirv-opt:-O: share of all processor time that is spent inside SPIRV-Tools, optimising and validating"
echo "   outputs; isolation and start are included in the total"
python3 - $tf "$work" $((seconds * 150)) <<'PY'
import json, resource, subprocess, sys
def spent():
    u = resource.getrusage(resource.RUSAGE_CHILDREN)
    return u.ru_utime + u.ru_stime
before = spent()
out = subprocess.run([sys.argv[1], "fuzz", "--target", "spirv-opt:-O", "--cases", sys.argv[3], "--stop-after", "0", "--json",
                      "--out", sys.argv[2] + "/share"], capture_output=True, text=True).stdout
all, s = spent() - before, json.loads(out.splitlines()[-1])
opt, val = s["driver_cpu_seconds"], s["validation_cpu_seconds"]
print(f"{100 * (opt + val) / all:.1f} % of {all:.1f} s: optimising {100 * opt / all:.1f} %, validating {100 * val / all:.1f} %; "
      f"{1000 * all / s['cases']:.2f} ms per case, {1000 * (all - opt - val) / s['cases']:.2f} of these ours")
PY

if command -v valgrind >/dev/null; then
    echo
    echo "== the same in instructions (a smaller share: clearing memory takes many instructions and little time)"
    valgrind --tool=callgrind --trace-children=yes --callgrind-out-file="$work/cg.%p" \
        $tf fuzz --target spirv-opt:-O --cases 64 --out "$work/cg-out" >/dev/null 2>&1 || true
    for file in "$work"/cg.[0-9]*; do
        callgrind_annotate --inclusive=yes --threshold=100 "$file" 2>/dev/null
    done | python3 -c '
import re, sys
total = inside = 0
for line in sys.stdin:
    m = re.match(r" *([0-9,]+) \([^)]*\)  (.*)", line)
    n = int(m[1].replace(",", "")) if m else 0
    if m and m[2].startswith("PROGRAM TOTALS"):
        total += n
    elif m and re.match(r"\S*spirv/(optimize|tools)\.c:spv_(optimize|validate) ", m[2]):
        inside += n
print(f"{100 * inside / total:.1f} % of {total / 1e6:.0f} million, start of the two processes included")'
fi
