#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Writes corpus/seeds/ again: generated programs, kept if they add coverage of SPIRV-Tools or of
# our own code. Run it after the generator has changed the meaning of choices.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

usage() {
    cat <<'HELP'
usage: scripts/make_seeds.sh [--programs N]

Writes corpus/seeds/choices, modules, binaries, cases, frames, links, hosts, ir (if LLVM 23 is installed), states, findings, databases: N generated programs (default 3000) minimised by
coverage (libFuzzer's merge), under 5 MB in total. Needs SPIRV-Tools with coverage
(scripts/setup.sh --instrumented); without it, only our own code's coverage counts.
example: scripts/make_seeds.sh
HELP
}
programs=3000
while [ $# -gt 0 ]; do
    case $1 in
    --programs)
        [ $# -ge 2 ] || { echo "make_seeds: --programs needs a number" >&2 && exit 2; }
        programs=$2
        shift
        ;;
    -h | --help) usage && exit 0 ;;
    *) echo "make_seeds: unknown argument '$1' (see --help)" >&2 && exit 2 ;;
    esac
    shift
done

scripts/setup.sh --with-fuzzers --no-drivers
. scripts/lib/build.sh
BUILD_TARGET="tf_fuzzers tf_seeds" build_preset fuzz
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
[ -x "${TANGLEFUZZ:-build/release/tanglefuzz}" ] || BUILD_TARGET=tanglefuzz build_preset release
TANGLEFUZZ_PROGRAM=$(realpath "${TANGLEFUZZ:-build/release/tanglefuzz}")
export TANGLEFUZZ_PROGRAM
build/fuzz/tf_seeds "$work/raw" 0 "$programs"
scripts/lib/folder_seeds.sh "$work/raw"
for file in corpus/rules/*.spvasm corpus/ops/*.spvasm corpus/undefined/*.spvasm; do
    cp "$file" "$work/raw/cases/" # keys and shapes that the generator does not write
done
# merge KIND TARGET: keeps the inputs of KIND that add coverage of TARGET.
merge() {
    mkdir -p "$work/kept/$1"
    "build/fuzz/$2" -set_cover_merge=1 -use_counters=0 -artifact_prefix="$work/" "$work/kept/$1" "$work/raw/$1" >"$work/$2.log" 2>&1 ||
        { tail -n 5 "$work/$2.log" >&2 && exit 1; }
    echo "make_seeds: $1: $(find "$work/kept/$1" -type f | wc -l) after $2"
}
merge choices tf_spirv_opt_fuzzer
merge choices tf_oracle_agreement_fuzzer
merge modules tf_spirv_opt_module_fuzzer
merge cases tf_case_reader_fuzzer
merge frames tf_frames_fuzzer
merge links tf_relay_fuzzer
merge hosts tf_serve_fuzzer
merge states tf_state_fuzzer
merge findings tf_finding_folder_fuzzer
merge databases tf_database_fuzzer
cp -r corpus/seeds/assembly "$work/raw/assembly" # written by hand: nothing here generates machine code
merge assembly tf_amd_fuzzer
cp -r corpus/seeds/nir "$work/raw/nir" # by hand, too
merge nir tf_nir_fuzzer
cp -r corpus/seeds/nak "$work/raw/nak"
merge nak tf_nak_fuzzer
cp -r corpus/seeds/ir3 "$work/raw/ir3"
merge ir3 tf_ir3_fuzzer
kinds="choices modules binaries cases frames states findings databases assembly nak nir ir3"
if [ -d "$work/raw/ir" ]; then
    merge ir tf_llir_fuzzer
    kinds+=" ir"
fi
mkdir -p corpus/seeds "$work/kept/binaries"
for file in "$work/kept/modules"/*; do # without the first 16 bytes, which choose passes
    tail -c +17 "$file" >"$work/kept/binaries/$(basename "$file")"
done
for kind in $kinds; do
    rm -rf "corpus/seeds/$kind"
    mkdir "corpus/seeds/$kind"
    # Names by contents, so that they stay the same.
    for file in "$work/kept/$kind"/*; do
        cp "$file" "corpus/seeds/$kind/$(sha1sum "$file" | cut -c 1-12)"
    done
done
size=$(du -sk corpus/seeds | cut -f 1)
echo "make_seeds: corpus/seeds has $size KiB"
[ "$size" -lt 5000 ] || { echo "make_seeds: this is over 5 MB: use fewer --programs" >&2 && exit 1; }
