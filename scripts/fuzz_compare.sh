#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Side by side, at the same time on the same machine, from the same programs: tf_spirv_opt_fuzzer,
# the same without the mutations that know parts of a program, and SPIRV-Tools' own
# spvtools_opt_performance_fuzzer (built from the same source). Edges of SPIRV-Tools' source/opt that each
# reaches, by the compiler's own counters.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

usage() {
    cat <<'HELP'
usage: scripts/fuzz_compare.sh [--seconds N] [--out DIR] [NAME...]

  --seconds N  CPU time of each (default 3600)
  --out DIR    corpora, logs and coverage stay there (default build/fuzz-compare)
  NAME         ours, plain, theirs (default: all three, side by side)

Needs scripts/setup.sh --instrumented.

example: scripts/fuzz_compare.sh --seconds 600 ours theirs
HELP
}
SELF=fuzz_compare
. scripts/lib/fuzz.sh
seconds=3600 out=build/fuzz-compare names=()
fuzz_arguments 'ours|plain|theirs' "$@"
[ ${#names[@]} -gt 0 ] || names=(ours plain theirs)
source=$PWD/build/deps/src
[ -e build/deps/instrumented/lib/libSPIRV-Tools-opt.a ] || die "no SPIRV-Tools with coverage: run scripts/setup.sh --instrumented"
mkdir -p "$out"

. scripts/lib/build.sh
BUILD_TARGET="tf_spirv_opt_fuzzer tf_spirv_opt_fuzzer_plain" build_preset fuzz

# Theirs: three files, headers that their build generates, and libraries as a farm would build them: with
# hooks at comparisons, which serve a mutator of modules and not ours.
theirs=$out/spvtools_opt_performance_fuzzer
if [ ! -x "$theirs" ] && [[ " ${names[*]} " == *" theirs "* ]]; then
    SELF=fuzz_compare DEPS=$PWD/build/deps
    . scripts/lib/private_root.sh
    . scripts/lib/private_source.sh
    tools=$DEPS/instrumented-hooks
    if [ ! -e "$tools/lib" ]; then
        pr_start
        ps_spirv_tools
        pr_end
        ps_build_spirv_tools "$tools" "$PS_SANITIZED" -DCMAKE_C_COMPILER=clang -DCMAKE_CXX_COMPILER=clang++
    fi
    echo "fuzz_compare: building $(basename "$theirs")"
    generated=$out/generated
    cmake -G Ninja -S "$source/spirv-tools" -B "$generated" -DSPIRV_SKIP_TESTS=ON -DSPIRV_SKIP_EXECUTABLES=ON \
        -DSPIRV-Headers_SOURCE_DIR="$source/spirv-headers" -DSPIRV_WERROR=OFF >"$out/build.log"
    ninja -C "$generated" DebugInfo.h OpenCLDebugInfo100.h NonSemanticShaderDebugInfo100.h extension_enum.inc \
        >>"$out/build.log"
    clang++ -std=c++17 -O2 -g1 -DNDEBUG -fsanitize=fuzzer,address,undefined -fno-sanitize=vptr,function \
        -I"$source/spirv-tools" -I"$source/spirv-tools/include" -I"$source/spirv-headers/include" -I"$generated" \
        "$source"/spirv-tools/test/fuzzers/{spvtools_opt_performance_fuzzer,spvtools_opt_fuzzer_common,random_generator}.cpp \
        "$tools/lib/libSPIRV-Tools-opt.a" "$tools/lib/libSPIRV-Tools.a" -o "$theirs"
fi

cp build/fuzz/tf_spirv_opt_fuzzer build/fuzz/tf_spirv_opt_fuzzer_plain "$out/" # a build meanwhile changes nothing
program() { case $1 in ours) echo "$out/tf_spirv_opt_fuzzer" ;; plain) echo "$out/tf_spirv_opt_fuzzer_plain" ;; *) echo "$theirs" ;; esac; }
echo "fuzz_compare: ${names[*]} side by side, $seconds s of CPU time each"
for name in "${names[@]}"; do
    fuzz_for "$seconds" "$(program "$name")" "$out/$name" &
done
wait || true

for name in "${names[@]}"; do
    "$(program "$name")" -runs=0 -entropic=0 -print_funcs=0 -print_coverage=1 "$out/$name/corpus" \
        "$(fuzz_seeds "$(basename "$(program "$name")")")" >"$out/$name/coverage" 2>&1 ||
        echo "fuzz_compare: $name: the replay ended early (see $out/$name/coverage)"
done
python3 - "$out" "${names[@]}" <<'PY'
import os, re, sys
out, names = sys.argv[1], sys.argv[2:]
edges, total, execs = {}, {}, {}
for name in names:
    edges[name] = {}
    for line in open(f"{out}/{name}/coverage", errors="replace"):
        m = re.match(r"(UN)?COVERED_FUNC: hits: \d+ edges: (\d+)/(\d+) (.*) (\S*source/opt/\S+?)(:\d+)?$", line.strip())
        if m:
            file = m[5].split("source/opt/")[1]
            key = (file, m[4])
            edges[name][key] = max(edges[name].get(key, 0), int(m[2]))
            total[key] = max(total.get(key, 0), int(m[3]))
    log = open(f"{out}/{name}/log", errors="replace").read()
    execs[name] = (re.findall(r"^#(\d+): cov", log, re.M) or ["0"])[-1]
whole = sum(total.values())
print(f"{'':<10} {'executions':>10} {'edges of source/opt':>20} {'share':>7} {'functions':>10} {'files':>6}")
for name in names:
    covered = sum(edges[name].values())
    print(f"{name:<10} {execs[name]:>10} {covered:>20} {covered / max(whole, 1):>7.1%} "
          f"{sum(1 for v in edges[name].values() if v):>10} {len({k[0] for k, v in edges[name].items() if v}):>6}")
files = sorted({k[0] for k in total if k[0].endswith(("_pass.cpp", ".cpp"))})
print("\nPasses that ours reaches (edges of the file):")
for f in files:
    row = [sum(v for k, v in edges[n].items() if k[0] == f) for n in names]
    if any(row):
        print(f"  {f:<50}" + "".join(f"{r:>8}" for r in row) + f" of {sum(v for k, v in total.items() if k[0] == f)}")
PY
