#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Cases a second on lavapipe: in process, through tanglefuzz-device on the same machine, and over a link that delays each
# direction by half of --delay. In turn, on the same seeds; medians of the ratios.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

usage() {
    cat <<'HELP'
usage: scripts/device_rate.sh [--cases N] [--rounds N] [--delay MS]

  --cases N   programs of each campaign, with 8 inputs each; default 150
  --rounds N  rounds of the three campaigns; default 5
  --delay MS  round trip of the slow link; default 50

Needs a release build and lavapipe. Wanted: 95 % on one machine, 80 % over 50 ms.
example: scripts/device_rate.sh --rounds 3
HELP
}
cases=150 rounds=5 delay=50
while [ $# -gt 0 ]; do
    case $1 in
    --cases | --rounds | --delay) [ $# -ge 2 ] || { usage >&2 && exit 2; } ;;&
    --cases) cases=$2 && shift ;;
    --rounds) rounds=$2 && shift ;;
    --delay) delay=$2 && shift ;;
    -h | --help) usage && exit 0 ;;
    *) echo "device_rate: unknown argument '$1' (see --help)" >&2 && exit 2 ;;
    esac
    shift
done
. scripts/lib/quiet.sh
quiet device_rate
tf=build/release/tanglefuzz device=$PWD/build/release/tanglefuzz-device env=build/deps/drivers/lavapipe/env
[ -x "$tf" ] && [ -e "$env" ] || { echo "device_rate: no $tf or $env: run scripts/test.sh first" >&2 && exit 2; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
set -a
. "$env"
set +a
targets=(vulkan:driver=lavapipe "device:$device" "device:python3 $PWD/tests/device_link.py delay=$((delay / 2)) $device")
for round in $(seq "$rounds"); do
    for k in 0 1 2; do
        rm -rf "$work/out"
        $tf fuzz --target "${targets[k]}" --seeds "$((round * cases)):$(((round + 1) * cases))" --json --stop-after 0 \
            --out "$work/out" 2>/dev/null | tail -n 1 >>"$work/$k" || true
    done
done
python3 - "$work" "$delay" <<'PY'
import json, statistics, sys
rows = [[json.loads(x) for x in open(f"{sys.argv[1]}/{k}")] for k in range(3)]
rates = [[x["cases"] / x["seconds"] for x in row] for row in rows]
for name, row, rate in zip(("in process", "tanglefuzz-device", f"the same over {sys.argv[2]} ms"), rows, rates):
    share = statistics.median(a / b for a, b in zip(rate, rates[0]))
    print(f"{name:24}{statistics.median(rate):7.1f} cases/s  {100 * share:5.1f} %  "
          f"({sum(x['cases'] for x in row)} cases, {sum(x['agreed'] for x in row)} agree)")
PY
