#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Measures which faults planted in drivers' texts the interpreters of backends/isa/ detect, and how long they take:
# docs/measured/machine-code-faults.md.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
all="nvk radv32 radv64 anv16 anv32 turnip panvk v3dv qpu powervr agx" # panvk, v3dv: their NIR; qpu: v3dv's machine code; agx: Honeykrisp's
only=$all
if [ "${1-}" = --only ]; then
    only=${2//,/ }
    shift 2
    for name in $only; do
        [[ " $all " = *" $name "* ]] || { echo "isa_faults.sh: no '$name' (see --help)" >&2 && exit 2; }
    done
fi
case ${1-} in
-h | --help)
    echo "usage: scripts/isa_faults.sh [--only NAME,...] [CASES]    cases of each profile, default and small; default 150"
    echo "NAME: $all"
    echo "needs: build/release (another program: TANGLEFUZZ), scripts/drivers.sh get nvk radv turnip anv panvk v3dv powervr honeykrisp"
    exit 0
    ;;
esac
cases=${1:-150}
tf=${TANGLEFUZZ:-build/release/tanglefuzz}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

wanted() { [[ " $only " = *" $1 "* ]]; }

# texts NAME DRIVER SUBGROUP [OPTION...]: writes cases, and the driver's text for each
texts() {
    local name=$1 driver=$2 size=$3 profile seed case how=check
    shift 3
    wanted "$name" || return 0
    case $name in anv* | qpu | agx) how=isa ;; esac # only there the text has all that a machine needs
    mkdir -p "$work/$name"
    for profile in default small; do
        for ((seed = 0; seed < cases; seed++)); do
            case=$work/$name/$profile-$seed
            "$tf" gen --seed "$seed" --subgroup "$size" --profile "$profile" "$@" -o "$case.spvasm"
            "$tf" replay "$case.spvasm" --target "$how:vulkan:driver=$driver" --driver-text "$case.txt" >/dev/null 2>&1 || true
        done
    done
}

# section TITLE MACHINE NAME
section() {
    wanted "$3" || return 0
    printf '\n## %s\n\n' "$1"
    "$(dirname "$tf")/tests/bench_isa" "$2" "$work/$3"
}

texts nvk nvk 32
texts radv32 radv,env=AMDGPU_GPU_ID=navi31,size=32 32
texts radv64 radv,env=AMDGPU_GPU_ID=navi31,size=64 64
texts anv16 anv,size=16 16
texts anv32 anv,size=32 32
texts turnip turnip,size=64 64 --model assumed-maximal --without quad-vote
texts panvk panvk 16 --without quad-vote,float64
texts v3dv v3dv 16 --without quad-vote,float64
texts qpu v3dv 16 --without quad-vote,float64
texts powervr powervr 32 --model assumed-maximal --without quad-vote,int8,int16,int64,float16,float64
texts agx honeykrisp 32 --without float64,partition
python3 scripts/lib/measured.py "Faults planted in machine code and in NIR" \
    "For developers of \`backends/isa/\`: which faults in a driver's text does its interpreter detect?" "scripts/isa_faults.sh $([ "$only" = "$all" ] || echo "--only ${only// /,} ")$cases"
cat <<'TEXT'
One line of a text is changed and the text is run on the case. *seen*: it leaves other memory than before, uses
a register before waiting for its load, or does not end. At most three faults of a kind per text.
TEXT
section "NAK (NVK)" nak nvk
section "AMD gfx1100, wave32 (RADV)" amd32 radv32
section "AMD gfx1100, wave64 (RADV)" amd64 radv64
section "ir3 (Turnip)" ir3 turnip
section "Intel gfx12, 16 lanes (ANV)" eu16 anv16
section "Intel gfx12, 32 lanes (ANV)" eu32 anv32
section "QPU (v3dv)" qpu qpu
section "AGX (Honeykrisp)" agx agx
section "NIR (Turnip)" nir-turnip turnip
section "NIR (RADV)" nir-radv radv32
section "NIR (PanVK)" nir-panvk panvk
section "NIR (v3dv)" nir-v3dv v3dv
section "NIR (PowerVR)" nir-powervr powervr
cat <<'TEXT'

A fault that is not seen may change nothing: for a reduction, compilers write code for full waves and for partial ones, and only one of them
runs; a join matters only if a later operation depends on the active lanes; many branches only skip code that no lane would run.
TEXT
