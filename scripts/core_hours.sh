#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Each fuzz target for so much CPU time, one after the other: what docs/fuzzing.md tells of a core-hour of each.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

usage() {
    cat <<'HELP'
usage: scripts/core_hours.sh [--seconds N] [--out DIR] [TARGET...]

  --seconds N  CPU seconds for each (default 3600)
  --out DIR    corpora, logs and findings stay there (default build/core-hours)
  TARGET       such as tf_oracle_words_fuzzer (default: all of them)

Prints a row a target, then its findings by kind. Needs scripts/setup.sh --instrumented.

example: scripts/core_hours.sh --seconds 600 tf_spirv_opt_fuzzer tf_roundtrip_fuzzer
HELP
}
die() {
    echo "core_hours: $*" >&2
    exit 2
}
seconds=3600 out=build/core-hours targets=()
while [ $# -gt 0 ]; do
    case $1 in
    --seconds | --out)
        [ $# -ge 2 ] || die "$1 needs a value"
        if [ "$1" = --out ]; then out=$2; else seconds=$2; fi
        shift
        ;;
    -h | --help) usage && exit 0 ;;
    tf_*_fuzzer) targets+=("$1") ;;
    *) die "unknown argument '$1' (see --help)" ;;
    esac
    shift
done
[ -e build/deps/instrumented/lib/libSPIRV-Tools-opt.a ] ||
    die "no SPIRV-Tools with coverage: run scripts/setup.sh --instrumented"
. scripts/lib/build.sh
. scripts/lib/fuzz.sh
BUILD_TARGET="tf_fuzzers" build_preset fuzz
if [ ${#targets[@]} = 0 ]; then
    for program in build/fuzz/tf_*_fuzzer; do targets+=("$(basename "$program")"); done
fi
export TANGLEFUZZ_PROGRAM=$PWD/build/release/tanglefuzz # tf_vulkan_fuzzer's workers
printf '%-30s %7s %10s %8s %8s %6s %9s\n' target CPU-s executions a-second edges kept findings
for target in "${targets[@]}"; do
    [ -x "build/fuzz/$target" ] || die "no target $target (build/fuzz)"
    fuzz_for "$seconds" "build/fuzz/$target" "$out/$target" || true
    printf '%-30s %s\n' "$target" "$(fuzz_row "$out/$target")"
    fuzz_buckets "$out/$target" "build/fuzz/$target"
done
