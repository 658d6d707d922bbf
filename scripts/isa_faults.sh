#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# What the machines of backends/isa/ see of faults planted in drivers' texts, and how long they take:
# docs/measured/machine-code-faults.md.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
case ${1-} in
-h | --help)
    echo "usage: scripts/isa_faults.sh [CASES]    of the default profile and the small one, 150 where not given"
    echo "needs: build/release (TANGLEFUZZ: another program), scripts/drivers.sh get nvk radv turnip"
    exit 0
    ;;
esac
cases=${1:-150}
tf=${TANGLEFUZZ:-build/release/tanglefuzz}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# texts NAME DRIVER SUBGROUP [OPTION...]: cases, and what the driver makes of each
texts() {
    local name=$1 driver=$2 size=$3 profile seed case
    shift 3
    mkdir -p "$work/$name"
    for profile in default small; do
        for ((seed = 0; seed < cases; seed++)); do
            case=$work/$name/$profile-$seed
            "$tf" gen --seed "$seed" --subgroup "$size" --profile "$profile" "$@" -o "$case.spvasm"
            "$tf" replay "$case.spvasm" --target "check:vulkan:driver=$driver" --driver-text "$case.txt" >/dev/null 2>&1 || true
        done
    done
}

# section TITLE MACHINE NAME
section() {
    printf '\n## %s\n\n' "$1"
    "$(dirname "$tf")/tests/bench_isa" "$2" "$work/$3"
}

texts nvk nvk 32
texts radv32 radv,env=AMDGPU_GPU_ID=navi31,size=32 32
texts radv64 radv,env=AMDGPU_GPU_ID=navi31,size=64 64
texts turnip turnip,size=64 64 --model assumed-maximal --without quad-vote
python3 scripts/lib/measured.py "Faults planted in machine code and in NIR" "scripts/isa_faults.sh $cases"
cat <<'TEXT'
A line of a text is changed, the text is run on the case, and *seen* is what leaves another memory than before, uses
a register before its load is waited for, or does not come to its end. At most three faults of a kind in a text.
TEXT
section "NAK (NVK)" nak nvk
section "AMD gfx1100, wave32 (RADV)" amd32 radv32
section "AMD gfx1100, wave64 (RADV)" amd64 radv64
section "ir3 (Turnip)" ir3 turnip
section "NIR (Turnip)" nir-turnip turnip
section "NIR (RADV)" nir-radv radv32
cat <<'TEXT'

What is not seen may change nothing: of a reduction compilers write code for whole waves and for parts of one, and one of them
runs; a join counts only where somebody asks behind it who is there; many branches only skip what nobody would run.
TEXT
