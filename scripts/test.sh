#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Set-up, build with warnings as errors, all tests. The last line is `N passed, N failed`, counted
# in test cases; the exit status is 0 only if some passed and none failed.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

usage() {
    cat <<'HELP'
usage: scripts/test.sh [--preset NAME] [-R REGEX] [-v]

  --preset NAME  release (default), debug, asan, ubsan, coverage, tiny
  -R REGEX       only the test programs whose name matches
  -v             print each test's output

example: scripts/test.sh --preset asan -R spirv
HELP
}

die() {
    echo "test: $*" >&2
    exit 1
}

preset=release only=. verbose=
while [ $# -gt 0 ]; do
    case $1 in
    --preset | -R)
        [ $# -ge 2 ] || die "$1 needs a value"
        if [ "$1" = -R ]; then only=$2; else preset=$2; fi
        shift
        ;;
    --preset=*) preset=${1#*=} ;;
    -v) verbose=-v ;;
    -h | --help) usage && exit 0 ;;
    *) die "unknown argument '$1' (see --help)" ;;
    esac
    shift
done

scripts/setup.sh $([ "$preset" != fuzz ] || echo --with-fuzzers)

# For the farm's test, which is skipped and counted as that where there is none.
scripts/servers.sh get postgresql || true

build=build/$preset
. scripts/lib/build.sh
build_preset "$preset" -DTANGLEFUZZ_WERROR=ON -DBUILD_TESTING=ON

echo "test: running"
report=$PWD/$build/tests.xml
rm -f "$report"
# Whether tests passed is decided below, from what they printed.
(cd "$build" && ctest -j "$(nproc)" -R "$only" --output-junit "$report" \
    --test-output-size-passed 100000000 --test-output-size-failed 100000000) \
    >"$build/tests.log" 2>&1 || true
[ -e "$report" ] || die "ctest did not run (see $build/tests.log)"
exec python3 scripts/lib/count_tests.py $verbose "$report" "$build/tests.log"
