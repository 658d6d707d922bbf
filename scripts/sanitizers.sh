#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Runs all tests under sanitizers: addresses, leaks and undefined behaviour; then threads.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

usage() {
    cat <<'HELP'
usage: scripts/sanitizers.sh [-R REGEX] [--jobs N] [address] [thread]

  -R REGEX  only the tests whose name matches
  --jobs N  tests at a time; default: the number of processors

Without a name: both. Builds in build/asan and build/tsan. The last line of each is `N passed, N failed`.
Exit status: 0 none failed, 1 some did.
example: scripts/sanitizers.sh -R 'app_fuzz|test_campaign' thread
HELP
}
only=. jobs=$(nproc) kinds=()
while [ $# -gt 0 ]; do
    case $1 in
    -R | --jobs)
        [ $# -ge 2 ] || { usage >&2 && exit 2; }
        if [ "$1" = -R ]; then only=$2; else jobs=$2; fi
        shift
        ;;
    address | thread) kinds+=("$1") ;;
    -h | --help) usage && exit 0 ;;
    *) echo "sanitizers: unknown argument '$1' (see --help)" >&2 && exit 2 ;;
    esac
    shift
done
[ ${#kinds[@]} -gt 0 ] || kinds=(address thread)
. scripts/lib/build.sh

# These run none of our programs, or make a build of their own.
left_out='^(borders|deps_test|docs_test|names_test|mutation_test|sweep_test|oss_fuzz_test|app_install_test)$'
# Preloaded where a library has its own allocator: app_inject_test (it handles that itself).

failed=0
for kind in "${kinds[@]}"; do
    preset=asan what=address,undefined link='-static-libasan -static-libubsan' # drivers come after the program
    [ "$kind" = address ] || preset=tsan what=thread link=
    build_preset "$preset" -DTANGLEFUZZ_SANITIZE="$what" -DCMAKE_EXE_LINKER_FLAGS="$link" -DBUILD_TESTING=ON
    # A target's crash is a finding: ThreadSanitizer's report of it contains the process id, so no two would be equal.
    [ "$kind" = address ] || export TSAN_OPTIONS=handle_segv=0:handle_abort=0:handle_sigbus=0:handle_sigfpe=0:handle_sigill=0
    report=$PWD/build/$preset/tests.xml
    rm -f "$report"
    echo "sanitizers: $what"
    (cd "build/$preset" && ctest -j "$jobs" -R "$only" -E "$left_out" --output-junit "$report" \
        --test-output-size-passed 100000000 --test-output-size-failed 100000000) >"build/$preset/tests.log" 2>&1 || true
    [ -e "$report" ] || { echo "sanitizers: ctest did not run (see build/$preset/tests.log)" >&2 && exit 1; }
    python3 scripts/lib/count_tests.py "$report" "build/$preset/tests.log" || failed=1
done
exit $failed
