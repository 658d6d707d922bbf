#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The same seeds on every driver and compiler that is here, one after the other; a table for
# docs/state-of-drivers.md on standard output. Needs a release build and, for all rows,
#   scripts/drivers.sh get lavapipe lavapipe-22.3 lavapipe-26.1 lavapipe-26.2 swiftshader radv nvk \
#       turnip honeykrisp tools-bookworm tools-sid
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
cases=1000 slow=300 out=state-out tf=build/release/tanglefuzz only=
usage() {
    cat <<'HELP'
usage: scripts/state_of_drivers.sh [--cases N] [--slow-cases N] [--out DIR] [--only TEXT]

Runs seeds 0 to N-1 (default 1000; 300 where a case takes 50 ms and more) on every target and prints a table. A row
whose folder in DIR is complete is not run again. --only: targets whose text contains TEXT.
example: scripts/state_of_drivers.sh --cases 100 --slow-cases 30 >table.md
HELP
}
while [ $# -gt 0 ]; do
    case $1 in
    --cases | --slow-cases | --out | --only) [ $# -ge 2 ] || { usage >&2 && exit 2; } ;;&
    --cases) cases=$2 && shift ;;
    --slow-cases) slow=$2 && shift ;;
    --out) out=$2 && shift ;;
    --only) only=$2 && shift ;;
    -h | --help) usage && exit 0 ;;
    *) echo "state_of_drivers: unknown argument '$1' (see --help)" >&2 && exit 2 ;;
    esac
    shift
done
[ -x "$tf" ] || { echo "state_of_drivers: no $tf: build first (scripts/test.sh)" >&2 && exit 2; }
mkdir -p "$out"

weak='--model assumed-maximal'
row() { # NUMBER-OF-CASES TARGET [OPTION...]
    local n=$1 target=$2 name dir status=0
    shift 2
    [[ $target == *"$only"* ]] || return 0
    name=$(tr -c 'a-zA-Z0-9.=,-' _ <<<"$target $*" | cut -c1-100)
    dir=$out/$name
    if [ ! -e "$dir/status" ]; then
        rm -rf "$dir"
        "$tf" fuzz --target "$target" --cases "$n" --stop-after 0 --out "$dir" "$@" >"$dir.txt" 2>&1 || status=$?
        mkdir -p "$dir"
        echo "$status" >"$dir/status"
    fi
    python3 - "$dir/campaign.json" "$target" "$*" "$dir.txt" <<'PY'
import json, sys
try:
    c = json.load(open(sys.argv[1]))["campaigns"][-1]
except OSError:
    said = open(sys.argv[4]).read().strip().splitlines()
    print(f"| `{sys.argv[2].replace('|', chr(92) + '|')}` | | | | | not run: {said[-1] if said else '?'} |")
    raise SystemExit
t = sys.argv[2].replace("|", "\\|")
extra = f" `{sys.argv[3]}`" if sys.argv[3] else ""
ran = f"{c['agreed']} agree" if not c.get("compiled") else f"{c['compiled']} compiled"
found = ", ".join(f"{n} {k}" for k, n in c["by_class"].items()) or "nothing"
print(f"| `{t}`{extra} | {c['driver'].strip()} | {c['cases']} | {ran} | {c['skipped']} | {found} |")
PY
}

echo "| target | version | cases | result | skipped | findings |"
echo "| --- | --- | --- | --- | --- | --- |"
row "$slow" vulkan:driver=lavapipe
row "$slow" vulkan:driver=lavapipe,env=LP_NATIVE_VECTOR_WIDTH=128
row "$slow" vulkan:driver=lavapipe,env=LP_NATIVE_VECTOR_WIDTH=512
row "$slow" vulkan:driver=lavapipe,env=GALLIVM_PERF=nopt
row "$slow" vulkan:driver=lavapipe-22.3 $weak
row "$slow" vulkan:driver=lavapipe-26.1
row "$slow" vulkan:driver=lavapipe-26.2
row "$slow" vulkan:driver=lavapipe-26.2,env=LP_NATIVE_VECTOR_WIDTH=128
row "$slow" vulkan:driver=lavapipe-26.2,env=LP_NATIVE_VECTOR_WIDTH=512
row "$slow" vulkan:driver=lavapipe-26.2,env=GALLIVM_PERF=nopt
row "$cases" vulkan:driver=swiftshader $weak
row "$cases" check:vulkan:driver=radv
row "$cases" check:vulkan:driver=radv,env=AMDGPU_GPU_ID=gfx1201 --subgroup 32
row "$cases" check:vulkan:driver=nvk
row "$cases" check:vulkan:driver=honeykrisp
row "$cases" check:vulkan:driver=turnip $weak
row "$cases" spirv-opt:-O
row "$cases" spirv-opt:-Os
row "$cases" spirv-opt:--legalize-hlsl
row "$cases" spirv-opt:random
row "$cases" 'exec-compiler:{tools}/bookworm/bin/spirv-opt -O {in} -o {out}' $weak
row "$cases" 'exec-compiler:{tools}/sid/bin/spirv-opt -O {in} -o {out}'
row "$slow" roundtrip:spirv-cross
row "$slow" 'spirv-opt:-O | vulkan:driver=lavapipe'
row "$slow" 'roundtrip:spirv-cross | spirv-opt:-O'
row "$cases" 'spirv-opt:random | check:vulkan:driver=radv'
if [ -x "$out/vulkan-device" ]; then # cc examples/vulkan-device.c; lavapipe's environment
    row 50 "exec-device:env $(tr '\n' ' ' <build/deps/drivers/lavapipe/env)$out/vulkan-device {case} {spv} {out}" --subgroup 8
fi
if $tf targets | grep -q '^  llvm'; then row "$slow" llvm; fi
