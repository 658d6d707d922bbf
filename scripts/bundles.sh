#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Makes bundles of findings of many targets, and runs the commands of each README in an empty folder (bundle_check.py).
# For docs/measured/bundles.md.
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
usage() {
    cat <<'HELP'
usage: scripts/bundles.sh [--most N] [--time SECONDS] [--mutants N] [--jobs N] [--only REGEX] OUT

Writes OUT/NAME/bundle for the cases of corpus/regress on the targets that are here, then for the wrong compilers of
`tanglefuzz mutants`, and OUT/checked: a line of bundle_check.py for each.

  --most N        number of bundles; default 60
  --mutants N     of these, at most so many of wrong compilers of our own; default 20
  --only REGEX    only targets that match
  --jobs N        bundles at a time; default 2
  --time SECONDS  starts no other bundle after this time; default 1200

Uses build/release/tanglefuzz, or the program in the variable TANGLEFUZZ. Exit status: 0 each shows what it says.
HELP
}
most=60 limit=1200 mutants=20 jobs=2 only=. out=
while [ $# -gt 0 ]; do
    case $1 in
    --most) most=$2 && shift 2 ;;
    --time) limit=$2 && shift 2 ;;
    --only) only=$2 && shift 2 ;;
    --jobs) jobs=$2 && shift 2 ;;
    --mutants) mutants=$2 && shift 2 ;;
    -h | --help) usage && exit 0 ;;
    -*) echo "bundles: unknown option '$1' (see --help)" >&2 && exit 2 ;;
    *) out=$1 && shift ;;
    esac
done
[ -n "$out" ] || { usage >&2 && exit 2; }
tf=$(realpath "${TANGLEFUZZ:-$here/../build/release/tanglefuzz}")
[ -x "$tf" ] || { echo "bundles: no $tf: build it" >&2 && exit 2; }
deps=$here/../build/deps regress=$here/../corpus/regress
mkdir -p "$out/bin" && out=$(realpath "$out") && ln -sf "$tf" "$out/bin/tanglefuzz" && : >"$out/checked"
# What a reader has installed: this program, and the compilers.
export PATH=$out/bin:$deps/tools/sid/bin:$deps/tools/naga/bin:$deps/llvm/23/bin:$PATH
n=0

bundle() { # NAME TARGET: of the campaign OUT/NAME
    local dir=$out/$1 bucket own=()
    [[ $2 != *env=* ]] || own=(--target "$2") # a folder may not choose it
    bucket=$("$tf" report "$dir" --format jsonl | sed -n 's/.*"type":"bucket","bucket":"\([a-z]*\)".*/\1/p' | head -n 1)
    [ -n "$bucket" ] && "$tf" report "$dir" --bundle "$bucket" --alone "${own[@]}" -o "$dir/bundle" >"$dir/said" 2>&1 || {
        echo "wrong $1: no bundle: $(head -n 1 "$dir/said")" | tee -a "$out/checked" && return
    }
    "$here/bundle_check.py" "$dir/bundle" | sed "s|$dir/bundle|$1|" | tee -a "$out/checked"
}
# one CASE TARGET NAME
one() {
    rm -rf "${out:?}/$3" && mkdir -p "$out/$3/findings"
    if [ -z "$1" ]; then
        "$tf" fuzz --target "$2" --seeds 0:2000 --stop-after 1 --jobs 1 --out "$out/$3" >/dev/null 2>&1
    elif "$tf" reduce "$regress/$1" --target "$2" --out "$out/$3/small" --time 3s --jobs 1 >"$out/$3/said" 2>&1; then
        mv "$out/$3"/small/reduced-* "$out/$3/findings/found"
    fi
    if [ -n "$(ls "$out/$3/findings")" ]; then
        bundle "$3" "$2"
    else
        echo "$3: not here, or right: $(head -n 1 "$out/$3/said" 2>/dev/null)" >>"$out/skipped"
    fi
}
goes_on() { # MOST: waits for a free place; false if it is time to end
    while [ "$(jobs -rp | wc -l)" -ge "$jobs" ]; do wait -n; done
    n=$(($(wc -l <"$out/checked") + $(jobs -rp | wc -l)))
    [ $n -lt "$1" ] && [ $SECONDS -lt "$limit" ]
}

while read -r class case target; do
    [[ $class == [a-z]* && $class != hang && $target =~ $only ]] && goes_on $((most - mutants)) || continue
    one "$case" "$target" "$(tr -c 'a-zA-Z0-9.\n' _ <<<"${case%.spvasm}-on-$target")" &
done < <(grep -v 'exec-compiler' "$regress/known" | awk '/^[a-z]/ { print ++k[$3] "\t" $0 }' | sort -n -s -k1,1 | cut -f 2-)
while read -r mutant; do
    goes_on "$most" || break
    one '' "mutant:$mutant" "mutant-$mutant" &
done < <("$tf" mutants --list | awk '/^[a-z]/ { print $1 }')
wait
echo "$(wc -l <"$out/checked") bundles, $(grep -c '^ok ' "$out/checked") show what they say"
! grep -q '^wrong' "$out/checked"
