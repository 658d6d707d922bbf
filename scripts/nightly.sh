#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Runs that are too long for scripts/test.sh: agreement of the oracle's two machines, every pass of
# spirv-opt, lavapipe, the fuzz targets. Prints the results and keeps findings in one folder.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

usage() {
    cat <<'HELP'
usage: scripts/nightly.sh [--out DIR] [--cases N] [--fuzz-seconds N]

  --out DIR         folder for findings; default nightly-out
  --cases N         programs for each target; default 2000; the agreement runs 50 times as many
  --fuzz-seconds N  CPU seconds for each libFuzzer target; default 300; 0: none

example: scripts/nightly.sh --cases 5000
HELP
}

out=nightly-out cases=2000 fuzz=300
while [ $# -gt 0 ]; do
    case $1 in
    --out | --cases | --fuzz-seconds)
        [ $# -ge 2 ] || { echo "nightly: $1 needs a value" >&2 && exit 2; }
        case $1 in --out) out=$2 ;; --cases) cases=$2 ;; *) fuzz=$2 ;; esac
        shift
        ;;
    -h | --help) usage && exit 0 ;;
    *) echo "nightly: unknown argument '$1' (see --help)" >&2 && exit 2 ;;
    esac
    shift
done

scripts/setup.sh $([ "$fuzz" = 0 ] || echo --instrumented)
. scripts/lib/build.sh
build_preset release
tf=build/release/tanglefuzz
mkdir -p "$out"
found=0

echo "nightly: the two machines of the oracle on $((cases * 50)) programs, under every model"
$tf stats --cases $((cases * 50)) --first "$(($(date +%Y%m%d) * 1000))" --all-models --keep "$out/disagree" >"$out/stats.txt" || found=1
head -n 3 "$out/stats.txt"

echo "nightly: the third reading of the rules, in Coq, on all programs up to size 4"
status=0
scripts/model.sh >"$out/model.txt" 2>&1 || status=$?
[ $status = 0 ] || [ $status = 77 ] || found=1
tail -n 1 "$out/model.txt"

row=$(($(date +%s) / 86400 * 64 % 65536))
echo "nightly: races and integers against literal models: 100,000 programs, all pairs of 16 bits from $row to $((row + 63))"
TANGLEFUZZ_TEST_ROUNDS=100000 build/release/tests/oracle_tests test_orc_order_literal >"$out/order.txt" 2>&1 || found=1
TANGLEFUZZ_TEST_ROWS=$row:64 build/release/tests/oracle_tests test_orc_integer_literal >"$out/integers.txt" 2>&1 || found=1

echo "nightly: workers that crash, hang and are killed"
scripts/supervision.sh --cases $((cases * 5)) >"$out/supervision.txt" 2>&1 || found=1
grep -E '^(not ok|# )' "$out/supervision.txt" || true

echo "nightly: every allocation and file operation fails once; the power fails after each operation"
scripts/inject.sh >"$out/inject.txt" 2>&1 || found=1
grep -E 'violations$' "$out/inject.txt" || true

echo "nightly: a hundred kills of fuzz, reduce, merge and report"
scripts/kills.sh >"$out/kills.txt" 2>&1 || found=1
grep -E '^(not ok|# )' "$out/kills.txt" || true

echo "nightly: all tests under sanitizers"
scripts/sanitizers.sh >"$out/sanitizers.txt" 2>&1 || found=1
grep -E '^[0-9]+ passed' "$out/sanitizers.txt" || true

if command -v aarch64-linux-gnu-g++ >/dev/null; then
    echo "nightly: the unit tests, built for arm64"
    scripts/arm64_tests.sh >"$out/arm64.txt" 2>&1 || found=1
    grep -E 'FAILED|^[0-9]+ passed' "$out/arm64.txt" || true
fi

echo "nightly: each pass of spirv-opt"
scripts/passes.sh --cases "$cases" --out "$out/passes" || found=1

echo "nightly: a farm, 80,000 seeds"
SOURCE_DIR=$PWD BUILD_DIR=$PWD/build/release DEPS_DIR=$PWD/build/deps TANGLEFUZZ=$PWD/$tf FARM_SEEDS=80000 \
    bash tests/app_farm_slurm_test.sh >"$out/farm.txt" 2>&1 || found=1
grep -E '^not ok|SKIP' "$out/farm.txt" || true

echo "nightly: since and until which LLVM version the kept bugs are wrong"
status=0
scripts/llvm_since.py >"$out/llvm-versions.md" || status=$?
[ $status = 0 ] || found=1
grep -v '| still |$' "$out/llvm-versions.md" | grep '^| `' || true

echo "nightly: lavapipe"
$tf fuzz --target vulkan:driver=lavapipe --cases "$cases" --inputs 4 --out "$out/lavapipe" | tail -n 8 || found=1

if [ "$fuzz" != 0 ]; then
    echo "nightly: the fuzz targets, $fuzz s of CPU time each"
    scripts/core_hours.sh --seconds "$fuzz" --out "$out/fuzz" >"$out/fuzz.txt" || found=1
    [ -z "$(find "$out/fuzz" -path '*/findings/*' -type f)" ] || found=1
    cat "$out/fuzz.txt"
fi
echo "nightly: the oracle with small injected faults"
python3 tests/mutation/mutate.py . build/release 0/1 "$out/mutation.md" >"$out/mutation.txt" || found=1
python3 tests/mutation/sweep.py --sample 20 --seed "$(date +%j)" --out "$out/sweep" oracle judge spirv >"$out/sweep.txt" || found=1
python3 tests/mutation/sweep.py --out "$out/sweep" --page "$out/mutation-all.md"
if [ "$fuzz" != 0 ] && [ -e build/deps/instrumented/lib ]; then
    echo "nightly: a planted pass, and the checks of OSS-Fuzz"
    scripts/planted_pass.sh | tail -n 4 || found=1
    scripts/check_oss_fuzz.sh >"$out/oss-fuzz.txt" || found=1
    tail -n 1 "$out/oss-fuzz.txt"
fi
[ $found = 0 ] && echo "nightly: nothing found" || echo "nightly: something was found: see $out"
exit $found
