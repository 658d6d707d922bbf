#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Runs each fuzz target for the same CPU time, one after the other: docs/measured/core-hours.md is a core-hour of each.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

usage() {
    cat <<'HELP'
usage: scripts/core_hours.sh [--seconds N] [--out DIR] [TARGET...]

  --seconds N  CPU seconds for each target; default 3600
  --out DIR    folder for corpora, logs and findings; default build/core-hours
  TARGET       such as tf_oracle_words_fuzzer; default: all of them

Prints a row per target, then its findings by kind. Needs scripts/setup.sh --instrumented.

example: scripts/core_hours.sh --seconds 600 tf_spirv_opt_fuzzer tf_roundtrip_fuzzer
HELP
}
SELF=core_hours
. scripts/lib/fuzz.sh
seconds=3600 out=build/core-hours names=()
fuzz_arguments 'tf_[a-z_]+_fuzzer' "$@"
[ -e build/deps/instrumented/lib/libSPIRV-Tools-opt.a ] ||
    die "no SPIRV-Tools with coverage: run scripts/setup.sh --instrumented"
. scripts/lib/build.sh
BUILD_TARGET="tf_fuzzers" build_preset fuzz
if [ ${#names[@]} = 0 ]; then
    for program in build/fuzz/tf_*_fuzzer; do names+=("$(basename "$program")"); done
fi
for name in "${names[@]}"; do # copies: a build during the run must not replace them
    [ -x "build/fuzz/$name" ] || die "no target $name (build/fuzz)"
    mkdir -p "$out/programs" && cp "build/fuzz/$name" "$out/programs/"
done
export TANGLEFUZZ_PROGRAM=$PWD/build/release/tanglefuzz # tf_vulkan_fuzzer's workers
printf '%-30s %7s %10s %8s %8s %6s %9s\n' target CPU-s executions a-second edges kept findings
for name in "${names[@]}"; do
    fuzz_for "$seconds" "$out/programs/$name" "$out/$name" || true
    printf '%-30s %s\n' "$name" "$(fuzz_row "$out/$name" "$out/programs/$name")"
    fuzz_buckets "$out/$name" "$out/programs/$name"
done
