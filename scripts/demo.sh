#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Set-up, build, half a minute of fuzzing Mesa's lavapipe, then a pass of SPIRV-Tools that is known to be wrong: what is
# found there is made small, and stands on a page.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

usage() {
    cat <<'HELP'
usage: scripts/demo.sh [--time SECONDS] [--out DIR]

example: scripts/demo.sh --time 10
HELP
}

die() {
    echo "demo: $*" >&2
    exit 2
}

time=30 out=
while [ $# -gt 0 ]; do
    case $1 in
    --time | --out)
        [ $# -ge 2 ] || die "$1 needs a value"
        if [ "$1" = --time ]; then time=$2; else out=$2; fi
        shift
        ;;
    -h | --help) usage && exit 0 ;;
    *) die "unknown argument '$1' (see --help)" ;;
    esac
    shift
done
if [ -z "$out" ]; then
    out=demo-out
    for ((n = 2; ; n++)); do
        [ -e "$out" ] || break
        out=demo-out-$n
    done
fi

scripts/setup.sh
. scripts/lib/build.sh
build_preset release

tf=build/release/tanglefuzz
fuzz() { # TARGET OPTION...: 0 and 1 are both fine
    local status=0
    echo
    "$tf" fuzz --target "$@" --out "$out" || status=$?
    [ $status -le 1 ] || die "tanglefuzz fuzz --target $1 failed (exit status $status)"
}

echo "demo: 1 of 3: lavapipe, a Vulkan driver without hardware, for $time s"
fuzz vulkan:driver=lavapipe --time "$time"
echo
echo "demo: 2 of 3: spirv-opt --loop-unswitch, until it is wrong; then the program is made small"
fuzz spirv-opt:--loop-unswitch --stop-after 1 --time 60 --reduce
echo
echo "demo: 3 of 3: the page"
"$tf" report "$out"
small=$(grep -l '"target": *"spirv-opt' "$out"/findings/*/reduced/reduced-*/finding.json | head -n 1 || true)
small=${small%/*}
[ -n "$small" ] || die "nothing was found: is this another SPIRV-Tools, in which the pass is right? ($tf targets)"
cat <<END

demo: the smallest program that shows it: $small/case.spvasm
demo: what it does, and what was seen:   less $small/README.md
demo: the page:                          xdg-open $out/report.html
demo: a folder for its developers:       $tf report $out --bundle $("$tf" report "$out" -f jsonl |
    sed -n 's/.*"type":"bucket","bucket":"\([a-z]*\)".*/\1/p' | tail -n 1)
END
