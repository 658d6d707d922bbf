#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Makes bundles of findings of many targets, and runs the commands of each README in an empty folder (bundle_check.py).
# For docs/measured/bundles.md.
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
usage() {
    cat <<'HELP'
usage: scripts/bundles.sh [--most N] [--time SECONDS] [--mutants N] OUT

Writes OUT/NAME/bundle for the cases of corpus/regress on the targets that are here, then for the wrong compilers of
`tanglefuzz mutants`, and OUT/checked: a line of bundle_check.py for each.

  --most N        number of bundles; default 60
  --mutants N     of these, at most so many of wrong compilers of our own; default 20
  --time SECONDS  starts no other bundle after this time; default 1200

Uses build/release/tanglefuzz, or the program in the variable TANGLEFUZZ. Exit status: 0 each shows what it says.
HELP
}
most=60 limit=1200 mutants=20 out=
while [ $# -gt 0 ]; do
    case $1 in
    --most) most=$2 && shift 2 ;;
    --time) limit=$2 && shift 2 ;;
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

bundle() { # NAME: of the campaign OUT/NAME
    local dir=$out/$1 bucket
    bucket=$("$tf" report "$dir" --format jsonl | sed -n 's/.*"type":"bucket","bucket":"\([a-z]*\)".*/\1/p' | head -n 1)
    [ -n "$bucket" ] && "$tf" report "$dir" --bundle "$bucket" --alone -o "$dir/bundle" >"$dir/said" 2>&1 || {
        echo "wrong $1: no bundle: $(head -n 1 "$dir/said")" | tee -a "$out/checked" && return
    }
    "$here/bundle_check.py" "$dir/bundle" | sed "s|$dir/bundle|$1|" | tee -a "$out/checked"
    n=$((n + 1))
}
goes_on() { [ $n -lt "$1" ] && [ $SECONDS -lt "$limit" ]; }

while read -r class case target; do
    [[ $class == [a-z]* && $class != hang ]] && goes_on $((most - mutants)) || continue
    name=$(tr -c 'a-zA-Z0-9.\n' _ <<<"${case%.spvasm}-on-$target")
    rm -rf "${out:?}/$name" && mkdir -p "$out/$name/findings"
    "$tf" reduce "$regress/$case" --target "$target" --out "$out/$name/small" --time 3s >"$out/$name/said" 2>&1 || {
        echo "skipped $name: $(head -n 1 "$out/$name/said")" >>"$out/skipped" && continue
    }
    mv "$out/$name"/small/reduced-* "$out/$name/findings/found"
    bundle "$name"
done < <(grep -v 'exec-compiler' "$regress/known" | sort -k3,3 -s | awk '{ k[$3]++; print k[$3] "\t" $0 }' | sort -n -s -k1,1 | cut -f 2-)

while read -r mutant; do
    goes_on "$most" || break
    rm -rf "${out:?}/$mutant"
    "$tf" fuzz --target "mutant:$mutant" --seeds 0:2000 --stop-after 1 --jobs 1 --out "$out/$mutant" >/dev/null 2>&1
    [ ! -d "$out/$mutant/findings" ] || bundle "$mutant"
done < <("$tf" mutants --list 2>/dev/null | awk '{ print $1 }')
echo "$n bundles, $(grep -c '^ok' "$out/checked") show what they say"
! grep -q '^wrong' "$out/checked"
