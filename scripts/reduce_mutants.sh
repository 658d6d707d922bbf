#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Measures how small findings get: for each mutant (or those named) reduces the first finding of a campaign.
#
#   scripts/reduce_mutants.sh OUT [MUTANT...]     writes OUT/table.tsv: mutant, classes, class of the verdict,
#       instructions before and after, of them in functions, loops, selections, group operations, calls,
#       invocations, seconds, candidates, runs of the target, why it ended
#
# CASES: most programs per finding (default 3000); TIME: limit of a reduction (default 60s).
set -euo pipefail
out=$1
shift
tf=$(realpath "${TANGLEFUZZ:-build/release/tanglefuzz}")
mkdir -p "$out"
: >"$out/table.tsv"
"$tf" mutants --list >"$out/list"
[ $# -gt 0 ] || mapfile -t names < <(awk '/^[a-z]/ {print $1}' "$out/list")
[ $# -eq 0 ] || names=("$@")

for name in "${names[@]}"; do
    work=$out/$name
    rm -rf "$work"
    "$tf" fuzz --target "mutant:$name" --cases "${CASES:-3000}" --stop-after 1 --out "$work" >"$out/$name.log" 2>&1 || true
    finding=$(ls -d "$work"/findings/*/ 2>/dev/null | grep -v flaky | head -n 1 || true)
    if [ -z "$finding" ]; then
        printf '%s\tno finding\n' "$name" | tee -a "$out/table.tsv"
        continue
    fi
    if ! "$tf" reduce "$finding" --target "mutant:$name" --out "$work/reduced" --time "${TIME:-60s}" --json \
        >"$work.json" 2>"$work.err"; then
        printf '%s\tnot reduced: %s\n' "$name" "$(tail -n 1 "$work.err")" | tee -a "$out/table.tsv"
        continue
    fi
    python3 - "$work.json" "$name" "$(awk -v n="$name" '$1 == n { for (i = 2; $i ~ /^T[0-9]+$/; i++) printf "%s ", $i }' "$out/list")" \
        <<'END' | tee -a "$out/table.tsv"
import json, sys
j = json.load(open(sys.argv[1]))
b, a = j["before"], j["after"]
print(sys.argv[2], sys.argv[3].strip(), j["class"], b["instructions"], a["instructions"], a["body"], a["loops"],
      a["selections"], a["group_ops"], a["calls"], a["invocations"], "%.1f" % j["seconds"], j["candidates"],
      j["runs"], j["end"], sep="\t")
END
done
