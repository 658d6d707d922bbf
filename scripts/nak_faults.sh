#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# What the machine of isa/nak sees of faults planted in NVK's texts, and how long it takes: docs/measured/nak-faults.md.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
case ${1-} in
-h | --help)
    echo "usage: scripts/nak_faults.sh [CASES]    of the default profile and the small one, 150 where not given"
    echo "needs: build/release (TANGLEFUZZ: another program), scripts/drivers.sh get nvk"
    exit 0
    ;;
esac
cases=${1:-150}
tf=${TANGLEFUZZ:-build/release/tanglefuzz}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for profile in default small; do
    for ((seed = 0; seed < cases; seed++)); do
        name=$work/$profile-$seed
        "$tf" gen --seed "$seed" --subgroup 32 --profile "$profile" -o "$name.spvasm"
        "$tf" replay "$name.spvasm" --target check:vulkan:driver=nvk --driver-text "$name.txt" >/dev/null || true
    done
done
python3 scripts/lib/measured.py "Faults planted in NVK's texts" "scripts/nak_faults.sh $cases"
"$(dirname "$tf")/tests/bench_nak" "$work"
cat <<'TEXT'

What is not seen may change nothing: of a reduction NAK writes code for whole warps and for parts of one, and one of them runs; a
join counts only where somebody asks behind it who is there; at most three faults of a kind in a text.
TEXT
