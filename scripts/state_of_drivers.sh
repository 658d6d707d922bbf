#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Runs the same seeds on every available driver and compiler, one after the other: the table of
# docs/measured/state-of-drivers.md.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
cases=1000 out=state-out tf=${TANGLEFUZZ:-build/release/tanglefuzz} only='' table= stage=compute command="scripts/state_of_drivers.sh $*"
usage() {
    cat <<'HELP'
usage: scripts/state_of_drivers.sh [--cases N] [--out DIR] [--only REGEX] [--stage S] [--table]

Runs seeds 0 to N-1 (default 1000; a quarter on isa:llvm, isa:ocloc and pocl, a tenth on the example device, an eighth on Dawn with 8
inputs each) on every target, one after the other, and prints a page; a target's
findings are below DIR (default state-out). Rows that are complete there are not run again. Needs a release build
(another program: TANGLEFUZZ) and, for all rows,
  scripts/drivers.sh get lavapipe lavapipe-22.3 lavapipe-26.1 lavapipe-26.2 swiftshader radv nvk turnip \
      honeykrisp anv anv-22.3 hasvk panvk v3dv powervr tools-bookworm tools-sid naga dawn ocloc pocl

  --only REGEX only targets whose text matches
  --stage S    shader stage; default compute
  --table      run nothing, print the rows that are complete

example: scripts/state_of_drivers.sh >docs/measured/state-of-drivers.md
         scripts/state_of_drivers.sh --only '^(naga|tint|dawn)[^|]*$' --cases 5000 >docs/measured/webgpu.md
         scripts/state_of_drivers.sh --only 'driver=(anv|hasvk)' --cases 100 --out intel-out >docs/measured/intel.md
         scripts/state_of_drivers.sh --only isa: --cases 4000 --out isa-out >docs/measured/machine-code.md
HELP
}
while [ $# -gt 0 ]; do
    case $1 in
    --cases | --out | --only | --stage) [ $# -ge 2 ] || { usage >&2 && exit 2; } ;;&
    --cases) cases=$2 && shift ;;
    --out) out=$2 && shift ;;
    --only) only=$2 && shift ;;
    --stage) stage=$2 && shift ;;
    --table) table=1 ;;
    -h | --help) usage && exit 0 ;;
    *) echo "state_of_drivers: unknown argument '$1' (see --help)" >&2 && exit 2 ;;
    esac
    shift
done
[ -x "$tf" ] || { echo "state_of_drivers: no $tf: build first (scripts/test.sh)" >&2 && exit 2; }
mkdir -p "$out"

# row TARGET [OPTION...]: runs one campaign unless it is done; of `few` cases if that is set.
rows=()
row() {
    local target=$1 name dir status=0
    shift
    [[ $target =~ $only ]] || return 0
    name=$(tr -c 'a-zA-Z0-9.=,-' _ <<<"$target" | cut -c1-100)
    [ "$stage" = compute ] || name+=$stage
    dir=$out/$name
    if [ ! -e "$dir/status" ] && [ -z "$table" ]; then
        echo "state_of_drivers: $target" >&2
        rm -rf "$dir"
        "$tf" fuzz --target "$target" --cases "${few:-$cases}" --stop-after 0 --model best --stage "$stage" --job-time 5m --out "$dir" "$@" \
            >"$dir.txt" 2>&1 || status=$?
        mkdir -p "$dir"
        echo "$status" >"$dir/status"
    fi
    [ ! -e "$dir/status" ] || rows+=("$target" "$dir")
}

d=vulkan:driver=
drivers=${TANGLEFUZZ_DRIVERS:-$PWD/build/deps/drivers} headers=build/deps/root/usr/include
export COMPILER="$drivers/../tools/sid/bin/spirv-opt -O" # for examples/offline-compiler.sh
row spirv-opt:-O
row spirv-opt:-Os
row spirv-opt:--legalize-hlsl
row spirv-opt:random
row 'exec-compiler:{tools}/bookworm/bin/spirv-opt -O {in} -o {out}' --model assumed-maximal \
    --without quad-vote # it does not know the capability
row 'exec-compiler:{tools}/sid/bin/spirv-opt -O {in} -o {out}'
row 'exec-compiler:{tools}/sid/bin/spirv-opt -Os {in} -o {out}'
row "exec-compiler:examples/offline-compiler.sh {in} {out}"
row check:${d}radv
row check:${d}radv,env=AMDGPU_GPU_ID=gfx1201 --subgroup 32
row check:${d}nvk
row check:${d}honeykrisp
row check:${d}turnip
for gpu in 9a49 56a0; do
    for size in 8 16 32; do
        row "check:${d}anv,env=DRM_STUB_PCI=$gpu,size=$size" --subgroup $size
    done
done
row "check:${d}anv,env=DRM_STUB_PCI=e20b,size=16" --subgroup 16
row check:${d}anv-22.3 --subgroup 16
row check:${d}hasvk --subgroup 16
for name in panvk v3dv powervr; do
    row "check:${d}$name"
done
row "spirv-opt:random | check:${d}radv"
for gpu in navi31 gfx1201 navi10 navi21; do
    row "isa:${d}radv,env=AMDGPU_GPU_ID=$gpu,size=32" --subgroup 32
    row "isa:${d}radv,env=AMDGPU_GPU_ID=$gpu,size=64" --subgroup 64
done
row "isa:${d}radv,env=AMDGPU_GPU_ID=vega10" --subgroup 64
row "isa:${d}nvk"
row "isa:${d}turnip"
row "isa:${d}turnip,size=64" --subgroup 64
for name in turnip radv nvk honeykrisp panvk v3dv powervr; do
    row "isa:nir:${d}$name"
done
for size in 8 16 32; do
    row "isa:nir:${d}anv,size=$size" --subgroup $size
done
for gpu in 3e92 9a49 56a0 e20b b080; do
    row "isa:${d}anv,env=DRM_STUB_PCI=$gpu,size=16" --subgroup 16
    row "isa:${d}anv,env=DRM_STUB_PCI=$gpu,size=32" --subgroup 32
done
for device in dg2 bmg; do
    few=$((cases / 4)) row "isa:ocloc:device=$device" --subgroup 16
done
# pocl has few functions that a part of a subgroup may reach, and not all of those that it names.
few=$((cases / 4)) row opencl:driver=pocl --subgroup 16 --with plain-ballots \
    --without broadcast,broadcast-first,inverse-ballot,vote,reduce,scan
for level in 0 2; do
    few=$((cases / 4)) row "isa:llvm:cpu=gfx1100,passes=none,level=$level" --subgroup 32
done
few=$((cases / 4)) row isa:llvm:cpu=gfx1030,passes=none,level=0 --subgroup 32
row ${d}swiftshader
row ${d}lavapipe-26.2
row ${d}lavapipe-26.2,env=LP_NATIVE_VECTOR_WIDTH=128
row ${d}lavapipe-26.2,env=LP_NATIVE_VECTOR_WIDTH=512
row ${d}lavapipe-26.2,env=GALLIVM_PERF=nopt
row ${d}lavapipe-26.1
row ${d}lavapipe-22.3
row roundtrip:spirv-cross
row naga
row naga:wgsl
row naga:from-wgsl
row tint
row roundtrip:naga-tint --known corpus/known/naga
row check:ptxas
row "naga | ${d}lavapipe-26.2" --without switch,switch-shared,switch-fall,atomic,float16 # known wrong code; an unsupported capability
row "tint | spirv-opt:-O | ${d}lavapipe-26.2"
few=$((cases / 8)) row dawn:driver=swiftshader --inputs 8
few=$((cases / 8)) row dawn:driver=lavapipe --inputs 8
row ${d}lavapipe
row "spirv-opt:-O | ${d}lavapipe-26.2"
# The example of docs/protocol.md, on lavapipe. It opens the device for each case, so a tenth of the cases suffices.
if [ -e "$drivers/lavapipe/env" ] &&
    ${CC:-cc} -std=c99 -O1 -I"$headers" -o "$out/vulkan-device" examples/vulkan-device.c -ldl 2>/dev/null; then
    env=$(grep -v '^#' "$drivers/lavapipe/env" | tr '\n' ' ')
    few=$((cases / 10)) row "exec-device:env ${env}$out/vulkan-device {case} {spv} {out}" --subgroup 8 --without quad-vote,rotate
fi

scripts/lib/measured.py "State of drivers and compilers" \
    "For driver and compiler engineers: how many programs does each driver get right, and how does it fail?" "${command% }"
python3 - "${rows[@]}" <<'PY'
import json, os, re, sys, time
sys.path.insert(0, "scripts/lib")
from measured import prose
rows = sys.argv[1:]
done = [os.path.getmtime(d + "/status") for d in rows[1::2]]
when = [time.strftime("%Y-%m-%d", time.gmtime(t)) for t in (min(done), max(done))] if done else ["", ""]
generators = set()
for folder in rows[1::2]:
    if os.path.exists(folder + "/campaign.json"):
        generators.add(str(json.load(open(folder + "/campaign.json"))["campaigns"][-1]["generator"]))
print(prose(f"{len(done)} targets, each by itself, run {when[0]}{'' if when[0] == when[1] else ' to ' + when[1]} on seeds of generator "
            f"{' and '.join(sorted(generators)) or '?'}; the size is that of the subgroups. A target that does not promise maximal "
            "reconvergence is judged as *assumed-maximal*: a mismatch is a lead, not a bug. `docs/findings.md` describes "
            "the findings."), end="")
print("| target | version | size, model | cases | result | skipped | findings |")
print("| --- | --- | --- | ---: | ---: | ---: | --- |")
for spec, folder in zip(rows[::2], rows[1::2]):
    # The example's command contains paths of the machine.
    spec = re.sub(r"env .*/vulkan-device", "vulkan-device", spec).replace("|", "\\|")
    try:
        c = json.load(open(folder + "/campaign.json"))["campaigns"][-1]
    except OSError:
        said = open(folder + ".txt").read().strip().splitlines()
        print(f"| `{spec}` | | | | | | not run: {said[-1] if said else '?'} |")
        continue
    t = c["targets"][0]
    version = c["driver"].strip()
    version = "" if version == "a command" else version
    ran = f"{c['compiled']} compiled" if c["compiled"] else f"{c['agreed']} agree"
    found = ", ".join(f"{n} {k}" for k, n in sorted(c["by_class"].items())) or "nothing"
    print(f"| `{spec}` | {re.sub(r' unknown hash.*', '', version)} | {t['subgroup']}, {t['model']} | {c['modules']} "
          f"| {ran} | {c['skipped']} | {found} |")
PY
