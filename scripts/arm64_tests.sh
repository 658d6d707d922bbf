#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Builds tanglefuzz for arm64 with a cross compiler and runs its unit tests, on another machine in QEMU's user emulation.
# Their golden hashes show that a seed is the same program there.
set -euo pipefail
SELF=arm64_tests
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cd "$here/.."

usage() {
    cat <<'HELP'
usage: scripts/arm64_tests.sh [-R REGEX] [--seconds N]

  -R REGEX     only the test programs whose name matches; default: all of test_* and oracle_tests
  --seconds N  limit of each program; default 3600

Needs g++-aarch64-linux-gnu, and scripts/setup.sh first. Fetches arm64's libraries and QEMU into build/arm64/deps.
Tests that start workers need the kernel to run arm64 programs (Debian: qemu-user-static with binfmt-support); else they
are left out. Exit status: 0 none failed, 1 some did. The last line is `N passed, N failed`.
example: scripts/arm64_tests.sh -R test_gen
HELP
}
only=. seconds=3600
while [ $# -gt 0 ]; do
    case $1 in
    -R | --seconds)
        [ $# -ge 2 ] || { usage >&2 && exit 2; }
        if [ "$1" = -R ]; then only=$2; else seconds=$2; fi
        shift
        ;;
    -h | --help) usage && exit 0 ;;
    *) echo "$SELF: unknown argument '$1' (see --help)" >&2 && exit 2 ;;
    esac
    shift
done
DEPS=$PWD/build/arm64/deps
. "$here/lib/private_root.sh"
. "$here/lib/arm64.sh"
command -v $ARM64_TRIPLE-g++ >/dev/null || die "no $ARM64_TRIPLE-g++ (Debian: g++-aarch64-linux-gnu)"
headers=$PWD/build/deps/root/usr/include
[ -e "$headers/volk.c" ] || die "no $headers/volk.c: run scripts/setup.sh first"

pr_start
pr_machine
arm64_qemu
if [ ! -e "$DEPS/complete" ]; then
    (
        PR_ARCH=arm64 PR_TRIPLE=$ARM64_TRIPLE PR_FOREIGN=1
        pr_apt sid
        say "fetching SPIRV-Tools and libraries for arm64 into ${DEPS#"$PWD"/}"
        pr_unpack "$DEPS/spirv-tools" spirv-tools-dev spirv-tools-headers
        pr_apt "$PR_SUITE"
        pr_unpack "$DEPS/root" libxxhash-dev libxxhash0 libjansson-dev libjansson4 libsqlite3-dev libsqlite3-0 \
            libcmocka-dev libcmocka0 libpq-dev
        pr_root run "$PR_SUITE" libc6 libstdc++6 libgcc-s1 zlib1g
    )
    cp -rn "$headers"/* "$DEPS/root/usr/include/"
    : >"$DEPS/complete"
fi
pr_end

export QEMU_LD_PREFIX=$DEPS/roots/run QEMU_CPU=$ARM64_CPU
export QEMU_SET_ENV=LD_LIBRARY_PATH=$DEPS/root/usr/lib/$ARM64_TRIPLE
echo "$SELF: building in build/arm64"
cmake -S . -B build/arm64 -G Ninja -DCMAKE_BUILD_TYPE=Release -DBUILD_TESTING=ON -DCMAKE_SYSTEM_NAME=Linux \
    -DCMAKE_SYSTEM_PROCESSOR=aarch64 -DCMAKE_LIBRARY_ARCHITECTURE=$ARM64_TRIPLE -DCMAKE_C_COMPILER=$ARM64_TRIPLE-gcc \
    -DCMAKE_CXX_COMPILER=$ARM64_TRIPLE-g++ -DTANGLEFUZZ_DEPS="$DEPS" >build/arm64/build.log &&
    ninja -C build/arm64 >>build/arm64/build.log || die "it does not build (details: build/arm64/build.log)"

# QEMU has a thread of its own, refuses PR_SET_CHILD_SUBREAPER, and shows no times in /proc/self/stat.
left_out='test_fork_safety|test_run_exec|test_run_timeout'
build/arm64/tanglefuzz --version >/dev/null 2>&1 || left_out+='|test_diagnose_ask|test_run_.*|test_campaign.*'
passed=0 failed=0
export CMOCKA_MESSAGE_OUTPUT=TAP SOURCE_DIR=$PWD BUILD_DIR=$PWD/build/arm64 DEPS_DIR=$DEPS TANGLEFUZZ=$PWD/build/arm64/tanglefuzz
SPIRV_GRAMMAR=$(find "$DEPS" -name spirv.core.grammar.json | head -n 1)
export SPIRV_GRAMMAR
for test in build/arm64/tests/test_* build/arm64/tests/oracle_tests; do
    name=${test##*/}
    [ -x "$test" ] && [ -f "$test" ] && [[ $name =~ $only ]] && ! [[ $name =~ ^($left_out)$ ]] || continue
    status=0
    timeout "$seconds" "$ARM64_QEMU" "$test" >"build/arm64/$name.log" 2>&1 || status=$?
    good=$(grep -c '^ok' "build/arm64/$name.log" || true)
    bad=$(grep '^not ok' "build/arm64/$name.log" | grep -vc SKIP || true)
    [ "$status" -lt 124 ] || bad=$((bad + 1))
    [ "$good" -gt 0 ] || [ "$status" = 0 ] || grep -q SKIP "build/arm64/$name.log" || bad=$((bad + 1))
    passed=$((passed + good)) failed=$((failed + bad))
    [ "$bad" = 0 ] || echo "$SELF: $name FAILED (build/arm64/$name.log)"
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
