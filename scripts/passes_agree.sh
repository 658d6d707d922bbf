#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Runs a driver's code after each of its passes for many generated programs: all levels must be right.
# usage: scripts/passes_agree.sh TANGLEFUZZ TARGET SUBGROUP SEEDS [FIRST [MODEL]]
# MODEL: what `gen --model` takes; for a driver that does not promise maximal reconvergence, assumed-maximal.
# Prints each program with a wrong level, also if a later one is right; last the numbers of programs and levels, and the reasons of levels that were skipped.
set -euo pipefail
tanglefuzz=$1 target=$2 subgroup=$3 seeds=$4 first=${5-1} model=${6-maximal}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for ((seed = first; seed < first + seeds; seed++)); do
    "$tanglefuzz" gen --seed "$seed" --subgroup "$subgroup" --model "$model" -o "$work/case.spvasm" >/dev/null
    status=0
    "$tanglefuzz" bisect "$work/case.spvasm" --target "$target" >"$work/out" 2>"$work/err" || status=$?
    if grep -q '^  levels' "$work/out"; then
        cat "$work/out" >>"$work/all"
    else
        echo "no levels: $(head -1 "$work/err" "$work/out" | sed "s#$work/##g" | tr '\n' ' ' | cut -c1-150)" >>"$work/none"
    fi
    if [ "$status" = 1 ] || grep -q '^  also' "$work/out"; then
        echo "seed $seed:"
        cat "$work/out"
    fi
done
touch "$work/all" "$work/none"
awk '/^  levels/ { n++; all += $2; ran += $3; skipped += $5 }
     END { printf "%d programs with levels; %d levels: %d run (%.1f %%), %d skipped\n", n, all, ran, all ? 100 * ran / all : 0, skipped }' "$work/all"
sed -nE 's/^    (.*) \(line [0-9]+ of the dump\)( to [^:]*)?: (.*)/\1\2: \3/p' "$work/all" | sed -E 's/ at line [0-9]+( of the level)?//' | sort | uniq -c | sort -rn | head -30
sort "$work/none" | uniq -c | sort -rn | head -10
