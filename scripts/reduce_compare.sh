#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Compares tanglefuzz reduce with spirv-reduce on the same findings and the same question: does the target still
# get the program wrong, in the same class, and is the program defined?
#
#   scripts/reduce_compare.sh OUT TARGET FINDING...     appends a line for each to OUT/table.tsv:
#       finding, class, instructions before; then for each reducer: instructions after, seconds, target
#       runs, defined (yes, no), and whether it finished
#   scripts/reduce_compare.sh --page OUT                prints the table as a page (docs/measured/reduce-compare.md)
#
# For spirv-reduce the question is a script: it puts the module's assembly below the finding's dispatch and
# buffers, and runs `tanglefuzz replay`. LIMIT: seconds for each of its runs (default 180), after which its last
# interesting step counts. If the machine's spirv-dis does not know maximal reconvergence, the cases must be of a model
# without an execution mode (--model assumed-maximal).
set -euo pipefail
if [ "$1" = --page ]; then
    python3 - "$2" "$(dirname "${BASH_SOURCE[0]}")/lib" <<'PY'
import statistics, sys
sys.path.insert(0, sys.argv[2])
from measured import head
out = sys.argv[1]
rows = [line.rstrip("\n").split("\t") for line in open(f"{out}/table.tsv")]
print(head("tanglefuzz reduce and spirv-reduce", "For users of `spirv-reduce`: which reducer ends smaller, and how fast?", *dict.fromkeys(open(f"{out}/command").read().splitlines())), end="")
print("Instructions of the module, seconds of wall time, runs of the target. *stopped*: it did not finish; its last step "
      "that is still wrong counts.\n")
print("| finding | before | ours | s | runs | spirv-reduce | s | runs |\n" + "| --- " * 8 + "|")
for name, _, before, ours, seconds, runs, _, _, theirs, their_seconds, their_runs, _, end in rows:
    print(f"| {name} | {before} | {ours} | {seconds} | {runs} | {theirs} | {their_seconds}"
          f"{'' if end == 'yes' else ' (stopped)'} | {their_runs} |")
ours, theirs = ([int(r[k]) for r in rows] for k in (3, 8))
print(f"\nOurs is smaller on {sum(a < b for a, b in zip(ours, theirs))} of {len(rows)}: median "
      f"{statistics.median(ours)} instructions against {statistics.median(theirs)}, "
      f"{statistics.median(float(r[4]) for r in rows)} s against {statistics.median(float(r[9]) for r in rows)}.")
PY
    exit
fi
. "$(dirname "${BASH_SOURCE[0]}")/lib/quiet.sh"
quiet reduce_compare
command="LIMIT=${LIMIT:-180} scripts/reduce_compare.sh OUT '$2' FINDING..."
out=$1 target=$2
shift 2
tf=${TANGLEFUZZ:-build/release/tanglefuzz}
tf=$(realpath "$tf")
limit=${LIMIT:-180}
mkdir -p "$out"
out=$(realpath "$out")
echo "$command" >>"$out/command"

count() { spirv-dis --no-header "$1" | wc -l; }
is_defined() { "$tf" predict "$1" >/dev/null 2>&1 && echo yes || echo no; }

for finding in "$@"; do
    finding=$(realpath "$finding")
    name=$(basename "$finding")
    work=$out/$name
    rm -rf "$work"
    mkdir -p "$work/theirs"
    class=$(python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["class"])' "$finding/finding.json")

    "$tf" reduce "$finding" --target "$target" --out "$work/ours" --json >"$work/ours.json"

    # Metadata without expectations and origin.
    sed -n '/^;/!q; /^; \(expect\|from\|inputs\)/!p' "$finding/case.spvasm" >"$work/head"
    cat >"$work/ask.sh" <<END
#!/bin/sh
echo x >>"$work/runs"
{ cat "$work/head"; echo; spirv-dis --no-color --no-indent "\$1" | grep -v '^; [A-UW-Z]'; } >"$work/ask.spvasm" || exit 1
"$tf" replay "$work/ask.spvasm" --target "$target" 2>/dev/null | grep -q ': $class'
END
    chmod +x "$work/ask.sh"
    : >"$work/runs"
    start=$(date +%s.%N)
    (cd "$work/theirs" && timeout "$limit" spirv-reduce "$finding/case.spv" -o done.spv -- "$work/ask.sh" \
        >log 2>&1) && end=yes || end=no
    seconds=$(python3 -c "import sys; print('%.1f' % ($(date +%s.%N) - $start))")
    last=$work/theirs/done.spv
    if [ ! -e "$last" ]; then
        # Of all written steps, the last interesting one.
        last=$finding/case.spv
        for step in $(ls "$work"/theirs/temp_*.spv 2>/dev/null | sort -r); do
            if "$work/ask.sh" "$step"; then last=$step && break; fi
        done
    fi
    { cat "$work/head"; echo; spirv-dis --no-color --no-indent "$last" | grep -v '^; [A-UW-Z]'; } >"$work/theirs.spvasm"
    runs=$(wc -l <"$work/runs")
    python3 - "$work/ours.json" <<END >>"$out/table.tsv"
import json, sys
j = json.load(open(sys.argv[1]))
print("$name", "$class", j["before"]["instructions"], j["after"]["instructions"], "%.1f" % j["seconds"],
      j["runs"], "$(is_defined "$work/ours/reduced.spvasm")", j["end"], $(count "$last"), "$seconds", $runs,
      "$(is_defined "$work/theirs.spvasm")", "$end", sep="\t")
END
    tail -n 1 "$out/table.tsv"
done
