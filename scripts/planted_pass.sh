#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Checks that coverage-guided fuzzing finds a wrong compiler, and names all reproducers of one fault by the
# same name. A wrong transformation replaces --if-conversion; tf_spirv_opt_fuzzer starts with
# an empty corpus. A crash is caused by the planted pass if the same input is fine without it.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

usage() {
    cat <<'HELP'
usage: scripts/planted_pass.sh [--mutant NAME] [--reproducers N] [--seconds N] [--seed N]

  --mutant NAME     the planted transformation (tanglefuzz mutants --list); default break-block-into-merge
  --reproducers N   stop after N reproducers; default 20
  --seconds N       time limit; default 1800
  --seed N          seed of the fuzzer; default 1

Needs scripts/setup.sh --instrumented for coverage of the optimiser. Ends with `N passed, N failed`.

example: scripts/planted_pass.sh --mutant tail-merge-arms
HELP
}

mutant=break-block-into-merge wanted=20 seconds=1800 seed=1
while [ $# -gt 0 ]; do
    case $1 in
    --mutant | --reproducers | --seconds | --seed)
        [ $# -ge 2 ] || { echo "planted_pass: $1 needs a value" >&2 && exit 2; }
        case $1 in
        --mutant) mutant=$2 ;; --reproducers) wanted=$2 ;; --seconds) seconds=$2 ;; *) seed=$2 ;;
        esac
        shift
        ;;
    -h | --help) usage && exit 0 ;;
    *) echo "planted_pass: unknown argument '$1' (see --help)" >&2 && exit 2 ;;
    esac
    shift
done

scripts/setup.sh --with-fuzzers --no-drivers >/dev/null
. scripts/lib/build.sh
BUILD_TARGET=tf_spirv_opt_fuzzer build_preset fuzz
BUILD_TARGET=tf_spirv_opt_fuzzer build_preset planted "-DTANGLEFUZZ_PLANT=$mutant"
right=build/fuzz/tf_spirv_opt_fuzzer wrong=build/planted/tf_spirv_opt_fuzzer

work=$(mktemp -d)
trap 'kill $fuzzer 2>/dev/null || true; rm -rf "$work"' EXIT
mkdir "$work/corpus" "$work/crashes"
begin=$SECONDS first=''
"$wrong" -fork=1 -ignore_crashes=1 -seed="$seed" -entropic=0 -max_len=2048 -timeout=25 -rss_limit_mb=2500 \
    -max_total_time="$seconds" -artifact_prefix="$work/crashes/" "$work/corpus" >"$work/log" 2>&1 &
fuzzer=$!

# state PROGRAM FILE: prints the line that a farm would use.
state() { "$1" -runs=1 "$2" 2>&1 </dev/null | grep -aE '^ASSERTION FAILED|^SUMMARY' | head -n 1 || true; }

declare -A seen=() count=()
planted=0 others=0
while [ $planted -lt "$wanted" ]; do
    running=yes
    kill -0 $fuzzer 2>/dev/null || running=no
    for file in "$work"/crashes/crash-*; do
        [ -e "$file" ] && [ -z "${seen[$file]-}" ] || continue
        seen[$file]=1
        if [ -n "$(state "$right" "$file")" ]; then
            others=$((others + 1)) # a bug of the real optimiser
            continue
        fi
        line=$(state "$wrong" "$file")
        [ -n "$first" ] || { first=$((SECONDS - begin)) && echo "planted_pass: first after $first s: $line"; }
        planted=$((planted + 1))
        count[$line]=$((${count[$line]-0} + 1))
    done
    [ $running = yes ] || break
    sleep 2
done
echo "planted_pass: $mutant replaces --if-conversion: $planted reproducers, first after ${first:--} s; $others crashes of" \
    "the optimiser itself; $(grep -acE 'exec/s' "$work/log" || true) rounds, $(grep -aoE 'exec/s [0-9]+' "$work/log" | tail -n 1)"
for line in "${!count[@]}"; do echo "  ${count[$line]} x $line"; done
passed=0 failed=0
check() { if eval "$2"; then passed=$((passed + 1)) && echo "ok $1"; else failed=$((failed + 1)) && echo "not ok $1"; fi; }
check "found within ten minutes from an empty corpus" '[ -n "$first" ] && [ "$first" -le 600 ]'
check "$wanted reproducers" "[ $planted -ge $wanted ]"
check "one crash state" "[ ${#count[@]} = 1 ]"
echo "$passed passed, $failed failed"
[ $failed = 0 ]
