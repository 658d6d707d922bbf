#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Measures memory and CPU time of a prediction, a page and a merge, by size: docs/measured/bounds.md.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

usage() {
    cat <<'HELP'
usage: scripts/bounds.sh [--findings N]

  --findings N  findings of the campaign that is reported and merged; default 10000

Prints docs/measured/bounds.md. Needs a release build.
example: scripts/bounds.sh --findings 1000
HELP
}
findings=10000
case ${1-} in
'') ;;
--findings) findings=${2:?$(usage)} ;;
-h | --help) usage && exit 0 ;;
*) echo "bounds: unknown argument '$1' (see --help)" >&2 && exit 2 ;;
esac
tf=$PWD/build/release/tanglefuzz
[ -x "$tf" ] || { echo "bounds: no $tf: build first (scripts/test.sh)" >&2 && exit 2; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# row WHAT COMMAND...: prints its peak memory and CPU time, or its error message.
row() {
    python3 - "$@" <<'PY'
import resource, subprocess, sys
p = subprocess.run(sys.argv[2:], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
r = resource.getrusage(resource.RUSAGE_CHILDREN)
said = p.stderr.strip().split(": ", 2)[-1] if p.returncode == 2 else ""
print(f"| {sys.argv[1]} | {r.ru_maxrss // 1024} MiB | {r.ru_utime + r.ru_stime:.1f} s |", f"refused: {said}" if said else "", "|")
PY
}
make() { "$tf" fuzz --target fault:refuse=1 --profile small --subgroup 8 --max-invocations 16 --inputs 1 --stop-after 0 "$@" >made 2>&1 || true; }

echo "# Memory and time of a prediction, a page and a merge"
echo
echo "For farm operators: how much memory and time do the largest inputs take?"
echo
echo "- Command: \`scripts/bounds.sh --findings $findings\`"
echo "- Date: $(date +%F)"
echo "- Program: $("$tf" --version | head -n 1)"
echo
echo "| what | peak of memory | CPU time | |"
echo "| --- | --- | --- | --- |"
"$tf" gen --seed 1 --subgroup 32 -o one.spvasm
for groups in 1 1000 4000 40000; do
    sed "s/^; dispatch .*/; dispatch $groups 1 1/; s/^\(; buffer .* \)\([0-9]*\)\$/echo \"\1\$((\2 * $groups))\"/e" one.spvasm >many.spvasm
    row "prediction, $((groups * 32)) invocations, $(awk '/^; buffer/ { n += $NF } END { print n }' many.spvasm) words of buffers" \
        "$tf" predict many.spvasm -o memory
done
make --seeds "0:$findings" --out all
make --seeds "$findings:$((findings + 140))" --out more
row "page, $findings findings" "$tf" report all
cp -r all many && rm -f many/findings.db*
python3 - many/findings/*/finding.json <<'PY'
import json, sys
for k, path in enumerate(sys.argv[1:]):
    o = json.load(open(path))
    o["facts"]["pass"] = f"pass-{k}"
    json.dump(o, open(path, "w"))
PY
row "page, $findings buckets of a finding each" "$tf" report many
"$tf" report more >/dev/null
for size in 64 65; do
    truncate -s ${size}M "$(ls -d more/findings/* | head -n 1)/stderr.txt"
    row "merge of 140 findings, one with a file of $size MiB" "$tf" merge --out large-$size more
done
rm more/findings/*/stderr.txt
row "merge of $findings findings into a new folder" "$tf" merge --out merged all
row "merge of 140 findings into that" "$tf" merge --out merged more
cat <<'END'

Limits, each refused with one line. A prediction: 16,777,216 invocations, 512 MiB of the state of the buffers. A page and
a merge: 64 MiB for a file of a finding, 16 MiB for finding.json and campaign.json; a page shows at most 200 buckets in full, and stops
after 5 MiB of them. Findings are read one after the other (a merge: one file), so only the list grows with their number, and a
merge with the files added. app_hostile_test: dispatch_of_many, buffers_of_many, merge_of_a_large_file, report_of_a_large_*.
END
