#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Sets up, builds with warnings as errors, and tests. The last line is `N passed, N failed`, counted
# in test cases; the exit status is 0 only if some passed and none failed.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

usage() {
    cat <<'HELP'
usage: scripts/test.sh [--all] [-R REGEX] [--with-drivers] [--preset NAME] [-v]

Sets up, builds and tests. Without --all: the fast tests of tests/tiers.txt, and a share, chosen by the commit, of those that break
the oracle on purpose. That takes at most four minutes on two processors.

  --all           every test; at most twelve minutes on two processors
  -R REGEX        only the test programs whose name matches, fast or not, each in its long form
  --with-drivers  first fetch all drivers and compilers that tests use if available (scripts/drivers.sh,
                  scripts/llvm.sh: 3 GB); then the saved bugs (corpus/regress) are reproduced on them
  --preset NAME   release (default), debug, asan, ubsan, coverage, tiny
  -v              print each test's output, and each skipped case

Before the last line: the skipped cases with reasons, and the slowest tests. The last line: N passed, N failed.

examples: scripts/test.sh
          scripts/test.sh --all --with-drivers
          scripts/test.sh -R 'regress|app_bundle' -v
          scripts/test.sh --preset asan -R spirv
HELP
}

die() {
    echo "test: $*" >&2
    exit 1
}

preset=release only= tier=default verbose= drivers=
while [ $# -gt 0 ]; do
    case $1 in
    --preset | -R)
        [ $# -ge 2 ] || die "$1 needs a value"
        if [ "$1" = -R ]; then only=$2; else preset=$2; fi
        shift
        ;;
    --preset=*) preset=${1#*=} ;;
    --all) tier=all ;;
    --with-drivers) drivers=yes ;;
    -v) verbose=-v ;;
    -h | --help) usage && exit 0 ;;
    *) die "unknown argument '$1' (see --help)" ;;
    esac
    shift
done
# Tests with a short form read the tier; with -R they run in their long form.
[ -z "$only" ] || tier=all
export TANGLEFUZZ_TEST_TIER=$tier

scripts/setup.sh $([ "$preset" != fuzz ] || echo --with-fuzzers)

# For the farm's tests, which are skipped and counted if there is none.
scripts/servers.sh get postgresql || true

# A missing driver is reported, and its cases are skipped.
if [ -n "$drivers" ]; then
    for name in $(scripts/drivers.sh list); do
        scripts/drivers.sh get "$name" || echo "test: continuing without $name"
    done
    scripts/llvm.sh || echo "test: continuing without LLVM"
fi

build=build/$preset
. scripts/lib/build.sh
build_preset "$preset" -DTANGLEFUZZ_WERROR=ON -DBUILD_TESTING=ON

# Tests start python3 some hundreds of times; a version manager's shim, or what its packages do at each start, would add a tenth
# of a second to most of a second each time: a virtual environment has neither. python3-packages is the one that has them.
mkdir -p "$build/tools"
python=$(python3 -c 'import sys; print(sys.executable)')
ln -sf "$python" "$build/tools/python3"
ln -sf "$(command -v python3)" "$build/tools/python3-packages"
printf 'home = %s\ninclude-system-site-packages = false\n' "$(dirname "$(readlink -f "$python")")" >"$build/tools/pyvenv.cfg"
PATH=$PWD/$build/tools:$PATH

report=$PWD/$build/tests.xml log=$PWD/$build/tests.log
rm -f "$report"
chosen=(-R "${only:-.}")
[ $tier = all ] || chosen+=(-L '^fast$')
count() { (cd "$build" && ctest -N "$@") | sed -n 's/^Total Tests: //p'; }
total=$(count "${chosen[@]}")
said="tier $tier"
if [ -z "$only" ] && [ $tier = default ]; then
    said="tier default, $(count -L '^slow$') slow test programs not run: scripts/test.sh --all"
elif [ -n "$only" ]; then
    said="all tiers, $(($(count) - total)) test programs not run because their names do not match"
fi
echo "test: running $total test programs"
# Whether tests passed is decided below, from their output.
(cd "$build" && exec python3 ../../scripts/lib/run_tests.py "$log" "$total" -j "$(nproc)" "${chosen[@]}" --output-junit "$report" \
    --test-output-size-passed 100000000 --test-output-size-failed 100000000)
[ -e "$report" ] || die "ctest did not run (see $build/tests.log)"
exec python3 scripts/lib/count_tests.py $verbose --tier "$said" "$report" "$log"
