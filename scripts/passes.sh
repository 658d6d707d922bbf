#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Runs a campaign on every semantics-preserving pass of spirv-opt.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

usage() {
    cat <<'HELP'
usage: scripts/passes.sh [--cases N] [--out DIR] [PASS...]

Prints a line per pass: cases, how many agree, are unjudged, and are findings, by class. Default: all passes.
Status 1: there are findings; 2: a campaign failed.

  --cases N  programs for each pass; default 2000
  --out DIR  folder for the campaigns, one folder per pass; default passes-out

examples: scripts/passes.sh --cases 500 --loop-unswitch
          scripts/measure.sh docs/measured/passes.md 'Each pass of spirv-opt alone' scripts/passes.sh
HELP
}

cases=2000 out=passes-out passes=()
while [ $# -gt 0 ]; do
    case $1 in
    --cases | --out)
        [ $# -ge 2 ] || { echo "passes: $1 needs a value" >&2 && exit 2; }
        if [ "$1" = --cases ]; then cases=$2; else out=$2; fi
        shift
        ;;
    -h | --help) usage && exit 0 ;;
    *) passes+=("$1") ;;
    esac
    shift
done
[ ${#passes[@]} -gt 0 ] || passes=(-O -Os --ccp --cfg-cleanup --code-sink --combine-access-chains
    --convert-local-access-chains --copy-propagate-arrays --eliminate-dead-branches
    --eliminate-dead-code-aggressive --eliminate-dead-inserts --eliminate-local-multi-store
    --eliminate-local-single-block --eliminate-local-single-store --if-conversion
    --inline-entry-points-exhaustive --local-redundancy-elimination --loop-invariant-code-motion --loop-peeling
    --loop-unroll --loop-unswitch --merge-blocks --merge-return --private-to-local --reduce-load-size
    --redundancy-elimination --scalar-replacement --simplify-instructions --ssa-rewrite --strength-reduction
    --upgrade-memory-model --vector-dce --wrap-opkill)

mkdir -p "$out"
found=0
for pass in "${passes[@]}"; do
    status=0
    build/release/tanglefuzz fuzz --target "spirv-opt:$pass" --cases "$cases" --stop-after 0 --json \
        --out "$out/spirv-opt$pass" >"$out/spirv-opt$pass.jsonl" 2>"$out/spirv-opt$pass.txt" || status=$?
    [ "$status" -lt 2 ] || { tail -n 1 "$out/spirv-opt$pass.txt" >&2 && exit 2; }
    [ "$status" = 0 ] || found=1
    tail -n 1 "$out/spirv-opt$pass.jsonl" | python3 -c '
import json, sys
s = json.loads(sys.stdin.readline())
rest = ", ".join("%d %s" % (n, k) for k, n in sorted(s["by_class"].items()))
print("%-36s %6d cases %6d agree %4d unjudged  %s" % (sys.argv[1], s["cases"], s["agreed"], s["unjudged"], rest))' "$pass"
done
exit $found
