#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Compares, at the same time on the same machine and from the same programs: tf_spirv_opt_fuzzer,
# the same without the mutations that know the structure of choices, and SPIRV-Tools' own
# spvtools_opt_performance_fuzzer (built from the same source). Then counts the lines of SPIRV-Tools' source/opt that each
# corpus reaches, with clang's coverage in builds without sanitizers.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

usage() {
    cat <<'HELP'
usage: scripts/fuzz_compare.sh [--seconds N] [--out DIR] [NAME...]

  --seconds N  CPU time of each; default 3600
  --out DIR    folder for corpora, logs and coverage; default build/fuzz-compare
  NAME         ours, plain, theirs; default: all three, in parallel

Needs scripts/setup.sh --instrumented.

example: scripts/fuzz_compare.sh --seconds 600 ours theirs
HELP
}
SELF=fuzz_compare DEPS=$PWD/build/deps
. scripts/lib/fuzz.sh
. scripts/lib/build.sh
. scripts/lib/private_root.sh
. scripts/lib/private_source.sh
. scripts/lib/lines.sh
seconds=3600 out=build/fuzz-compare names=()
fuzz_arguments 'ours|plain|theirs' "$@"
[ ${#names[@]} -gt 0 ] || names=(ours plain theirs)
[ -e "$DEPS/instrumented/lib/libSPIRV-Tools-opt.a" ] || die "no SPIRV-Tools with coverage: run scripts/setup.sh --instrumented"
mkdir -p "$out/programs" "$out/lines"
BUILD_TARGET="tf_spirv_opt_fuzzer tf_spirv_opt_fuzzer_plain" build_preset fuzz
cp build/fuzz/tf_spirv_opt_fuzzer build/fuzz/tf_spirv_opt_fuzzer_plain "$out/programs/" # copies: a build during the run must not replace them
pr_start
ps_spirv_tools
pr_end

# Their target: three files, headers that their build generates, and a library as a farm would build it: with hooks at
# comparisons, which help a mutator of modules but not ours.
tree=$DEPS/src/spirv-tools headers=$DEPS/src/spirv-headers generated=$out/generated
cmake -G Ninja -S "$tree" -B "$generated" -DSPIRV_SKIP_TESTS=ON -DSPIRV_SKIP_EXECUTABLES=ON \
    -DSPIRV-Headers_SOURCE_DIR="$headers" -DSPIRV_WERROR=OFF >"$out/build.log"
ninja -C "$generated" DebugInfo.h OpenCLDebugInfo100.h NonSemanticShaderDebugInfo100.h extension_enum.inc >>"$out/build.log"
theirs_flags=(-I"$tree" -I"$tree/include" -I"$headers/include" -I"$generated")
theirs_sources=("$tree"/test/fuzzers/{spvtools_opt_performance_fuzzer,spvtools_opt_fuzzer_common,random_generator}.cpp)
if [ ! -x "$out/programs/spvtools_opt_performance_fuzzer" ] && [[ " ${names[*]} " == *" theirs "* ]]; then
    hooks=$DEPS/instrumented-hooks
    [ -e "$hooks/lib" ] ||
        ps_build_spirv_tools "$hooks" "$PS_SANITIZED" -DCMAKE_C_COMPILER=clang -DCMAKE_CXX_COMPILER=clang++
    echo "fuzz_compare: building their target"
    clang++ -std=c++17 -O2 -g1 -DNDEBUG -fsanitize=fuzzer,address,undefined -fno-sanitize=vptr,function \
        "${theirs_flags[@]}" "${theirs_sources[@]}" "$hooks/lib/libSPIRV-Tools-opt.a" "$hooks/lib/libSPIRV-Tools.a" \
        -o "$out/programs/spvtools_opt_performance_fuzzer"
fi

program() {
    case $1 in
    ours) echo "$out/programs/tf_spirv_opt_fuzzer" ;;
    plain) echo "$out/programs/tf_spirv_opt_fuzzer_plain" ;;
    theirs) echo "$out/programs/spvtools_opt_performance_fuzzer" ;;
    esac
}
echo "fuzz_compare: ${names[*]} in parallel, $seconds s of CPU time each"
for name in "${names[@]}"; do
    fuzz_for "$seconds" "$(program "$name")" "$out/$name" &
done
wait || true

lines_build "$out/lines"
for name in "${names[@]}"; do
    echo "fuzz_compare: counting the lines of $name"
    counting=$out/lines/ours
    [ "$name" != theirs ] || counting=$out/lines/theirs
    fuzz_seeds "$(program "$name")"
    lines_count "$counting" "$out/lines/$name" "$out/$name/corpus" "${seeds[@]}"
done
scripts/lib/compare_lines.py "$out" "${names[@]}"
