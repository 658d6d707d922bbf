#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Sets up, builds, fuzzes Mesa's lavapipe for some seconds, then a pass of SPIRV-Tools that is known to be wrong. Reduces
# the finding and shows it: a line that names the bug, its GLSL, and the page.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

usage() {
    cat <<'HELP'
usage: scripts/demo.sh [--time SECONDS] [--out DIR]

Two and a half minutes on two processors the first time, half a minute after that.
  --time SECONDS  time for lavapipe, a Vulkan driver without hardware; default 10
  --out DIR       a new folder; default demo-out, demo-out-2, ...

example: scripts/demo.sh --time 60
HELP
}

die() {
    echo "demo: $*" >&2
    exit 2
}

time=10 out=
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

. scripts/lib/aloud.sh
. scripts/lib/build.sh
tf=build/release/tanglefuzz

# run WHAT COMMAND...: on a terminal the program redraws its own status line.
run() {
    local what=$1 status=0
    shift
    if [ -t 1 ] && [ -t 2 ]; then "$@" || status=$?; else aloud "demo: $what" "$@" || status=$?; fi
    return $status
}
fuzz() { # TARGET OPTION...: exit status 0 and 1 are both fine
    local status=0
    echo
    run "fuzzing" "$tf" fuzz --target "$@" --out "$out" || status=$?
    [ $status -le 1 ] || die "tanglefuzz fuzz --target $1 failed (exit status $status)"
}
# found TARGET: prints the folders of its findings.
found() { grep -l "\"target\": *\"$1" "$out"/findings/*/finding.json 2>/dev/null | sed 's|/finding.json$||' || true; }

aloud "demo: setting up" scripts/setup.sh
BUILD_TARGET=tanglefuzz ALOUD_LOG=build/release/build.log aloud "demo: building" build_preset release

echo
echo "demo: 1 of 3: lavapipe, a Vulkan driver without hardware, for $time s"
fuzz vulkan:driver=lavapipe --time "$time" --jobs 2
first=$(found vulkan | head -n 1)
[ -z "$first" ] || echo "demo: a finding in lavapipe; to reduce it: $tf reduce $first"

echo
echo "demo: 2 of 3: spirv-opt --loop-unswitch, until a mismatch is found; then the program is reduced"
fuzz spirv-opt:--loop-unswitch --seeds 8000: --stop-after 1 --time 60
finding=$(found spirv-opt | head -n 1)
[ -n "$finding" ] || die "nothing was found: is this pass fixed in the installed SPIRV-Tools? (see $tf targets)"
echo
run "reducing" "$tf" reduce "$finding" || die "$finding could not be reduced"

echo
echo "demo: 3 of 3: the page, and a folder for the pass's developers"
report() { "$tf" report "$out" "$@" >>"$out/report.txt"; }
aloud "demo: writing the page" report || die "the page could not be written (see $out/report.txt)"
bucket=$("$tf" report "$out" -f jsonl | sed -n 's/.*"type":"bucket","bucket":"\([a-z]*\)".*"family":"spirv-opt".*/\1/p' | head -n 1)
aloud "demo: running it on the other targets here" report --bundle "$bucket" -o "$out/bundle" || die "no bundle of $bucket could be made (see $out/report.txt)"
cat <<END

demo: the bug:    $(sed -n '1s/^# //p' "$out/bundle/README.md")
demo: the shader: $out/bundle/case.glsl

$(sed '/^#/d; s/^/    /' "$out/bundle/case.glsl")

demo: the report for its developers: $out/bundle/README.md
demo: the page: $out/report.html
END
