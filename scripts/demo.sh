#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Set-up, build, one minute of fuzzing Mesa's lavapipe, a summary, and where the findings lie.
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

time=60 out=
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

echo "demo: $time s on lavapipe, findings in $out"
status=0
build/release/tanglefuzz fuzz --target vulkan:driver=lavapipe --time "$time" --out "$out" || status=$?
case $status in
0) echo "demo: nothing found; the campaign's folder is $out" ;;
1) echo "demo: the findings lie in $out" ;;
*) echo "demo: tanglefuzz failed (exit status $status)" >&2 ;;
esac
exit $status
