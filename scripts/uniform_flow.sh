#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Judges a target that promises nothing about reconvergence by programs each word of which is defined under subgroup
# uniform control flow (docs/rules.md): lanes must meet again only where their whole subgroup went in together.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

usage() {
    cat <<'HELP'
usage: scripts/uniform_flow.sh --target SPEC --out DIR [options]

  --target SPEC   where to run, see tanglefuzz targets
  --out DIR       new folder: the programs that are defined, and result.jsonl
  --first N       first seed; default 0
  --count N       seeds; default 2000
  --gen OPTIONS   more options of tanglefuzz gen; default '--subgroup 16 --max-invocations 16'
  --job-time S    timeout of one run in seconds; default 60

Prints how many programs are defined and how many runs ended how, then each that did not agree.
Exit status: 0 all agree, 1 some do not, 2 nothing ran.
example: scripts/uniform_flow.sh --target opencl:driver=pocl --out /tmp/pocl --count 100
HELP
}

target='' out='' first=0 count=2000 gen='--subgroup 16 --max-invocations 16' seconds=60
while [ $# -gt 0 ]; do
    case $1 in
    --target | --out | --first | --count | --gen | --job-time)
        [ $# -ge 2 ] || { echo "uniform_flow: $1 needs a value" >&2 && exit 2; }
        case $1 in
        --target) target=$2 ;; --out) out=$2 ;; --first) first=$2 ;; --count) count=$2 ;;
        --gen) gen=$2 ;; *) seconds=$2 ;;
        esac
        shift
        ;;
    -h | --help) usage && exit 0 ;;
    *) echo "uniform_flow: unknown argument '$1' (see --help)" >&2 && exit 2 ;;
    esac
    shift
done
[ -n "$target" ] && [ -n "$out" ] || { usage >&2 && exit 2; }
[ ! -e "$out" ] || { echo "uniform_flow: $out is there already: name a new folder" >&2 && exit 2; }
tf=${TANGLEFUZZ:-$here/../build/release/tanglefuzz}

mkdir -p "$out"
all=$(mktemp -d)
trap 'rm -rf "$all"' EXIT
# shellcheck disable=SC2086
"$tf" gen --count "$count" --seed "$first" --model subgroup-uniform $gen -o "$all/new" >/dev/null
kept=0
for path in "$all"/new/*.spvasm; do
    "$tf" predict "$path" --bake -o "$all/baked" 2>/dev/null || continue
    # `?` and `VALUE/MASK`: undefined in all or some bits.
    if grep -q '^; expect.*[?/]' "$all/baked"; then continue; fi
    # The mode of SPV_KHR_subgroup_uniform_control_flow goes: printers of languages that lack it refuse it.
    sed -e 's/^; model .*/; model assumed-maximal/' -e '/SubgroupUniformControlFlowKHR/d' \
        -e '/SPV_KHR_subgroup_uniform_control_flow/d' "$all/baked" >"$out/${path##*/}"
    kept=$((kept + 1))
done
echo "$count programs, $kept are defined in every word"
[ "$kept" -gt 0 ] || { echo "uniform_flow: no program is left: other features, more seeds" >&2 && exit 2; }
status=0
"$tf" replay "$out" --target "$target" --job-time "$seconds" --format json -o "$out/result.jsonl" || true # by the rows
[ -s "$out/result.jsonl" ] || exit 2
python3 - "$out/result.jsonl" <<'PY'
import collections, json, sys
rows = [json.loads(line) for line in open(sys.argv[1])]
runs = [(r["name"].split("/")[-1], t) for r in rows for t in r["targets"]]
count = collections.Counter(t["class"] for _, t in runs)
print(", ".join(f"{n} {kind}" for kind, n in count.most_common()))
for name, t in runs:
    if t["class"] not in ("agrees", "skipped"):
        print(f"{name}: {t['class']}: {t['text'][:100]}")
sys.exit(2 if not count["agrees"] else 1 if set(count) - {"agrees", "skipped"} else 0)
PY
