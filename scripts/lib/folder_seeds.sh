#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# folder_seeds.sh DIR: writes DIR/states, DIR/findings, DIR/databases, the first inputs of the fuzz targets that read
# folders, from small campaigns of TANGLEFUZZ_PROGRAM. Used by scripts/make_seeds.sh.
set -euo pipefail
out=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$out/states" "$out/findings" "$out/databases"
# parts FILE...: prints the existing files, each followed by the separator byte of the targets.
parts() {
    for file; do
        [ ! -f "$file" ] || cat "$file"
        printf '\036'
    done
}
n=0
for spec in fault:wrong=3,tell=1 fault:refuse=3 fault:crash=3 fault:lost=3 fault:refuse=1 spirv-opt spirv-opt:random \
    spirv-opt:--loop-unswitch "spirv-opt fault:wrong=2" "fault:refuse=5 fault:crash=7 spirv-opt:-Os"; do
    targets=()
    for target in $spec; do targets+=(--target "$target"); done
    dir=$work/$((n += 1))
    "$TANGLEFUZZ_PROGRAM" fuzz "${targets[@]}" --profile small --subgroup 8 --max-invocations 16 --inputs 1 --cases 12 \
        --out "$dir" >"$work/log" 2>&1 || [ $? = 1 ] || { cat "$work/log" >&2 && exit 1; }
    "$TANGLEFUZZ_PROGRAM" report "$dir" --format text >"$work/log" 2>&1
    parts "$dir/state.json" "$dir/campaign.json" >"$out/states/$n"
    cp "$dir/findings.db" "$out/databases/$n"
    for finding in "$dir"/findings/*/; do
        [ -d "$finding" ] || continue
        parts "$finding"/{finding.json,case.spvasm,expected.mem,observed.mem} "$dir/campaign.json" \
            >"$out/findings/$n-$(basename "$finding")"
    done
done
