#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Prepares a Debian machine to build and run tanglefuzz. Installs missing packages of the machine's own suite
# (only as root), and fetches packages that are too old there into the build
# folder. Changes nothing else: no other apt source, no upgrade. A second run takes seconds.
set -euo pipefail
shopt -s nullglob
SELF=setup
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/lib/private_root.sh"
. "$here/lib/private_source.sh"

usage() {
    cat <<'HELP'
usage: scripts/setup.sh [--build-dir DIR] [--with-fuzzers] [--instrumented[=DIR]] [--no-drivers]

Fetches everything that tanglefuzz needs. Private files go to DIR/deps (default DIR: build;
another DIR needs cmake -DTANGLEFUZZ_DEPS=DIR/deps).

  --with-fuzzers  also clang and libFuzzer
  --instrumented  the same, and SPIRV-Tools built from source with sanitizers and coverage, in
                  DIR/deps/instrumented (used by cmake --preset fuzz). =DIR: from
                  DIR/spirv-tools and DIR/spirv-headers instead of Debian 13's sources
  --no-drivers    no lavapipe and no validation layer: only what the build needs

As root it installs missing Debian packages; as another user it fetches the libraries into DIR/deps
and lists the tools that root must install.
example: scripts/setup.sh
HELP
}

build=$here/../build fuzzers=no drivers=yes instrumented=no own_source=
while [ $# -gt 0 ]; do
    case $1 in
    --build-dir)
        [ $# -ge 2 ] || die "--build-dir needs a folder"
        build=$2
        shift
        ;;
    --build-dir=*) build=${1#*=} ;;
    --with-fuzzers) fuzzers=yes ;;
    --instrumented) fuzzers=yes instrumented=yes ;;
    --instrumented=*) fuzzers=yes instrumented=yes own_source=${1#*=} ;;
    --no-drivers) drivers=no ;;
    -h | --help) usage && exit 0 ;;
    *) die "unknown argument '$1' (see --help)" ;;
    esac
    shift
done

have() { command -v "$1" >/dev/null; }

# need_tools: sets `tools` to the packages of missing programs.
need_tools() {
    tools=
    have cc || have gcc || tools+=' gcc'
    have c++ || have g++ || tools+=' g++'
    have cmake || tools+=' cmake'
    have ninja || have make || tools+=' ninja-build'
    have python3 || tools+=' python3'
    if [ $fuzzers = yes ]; then
        have clang || tools+=' clang'
        for runtime in /usr/lib/llvm-*/lib/clang/*/lib/linux/libclang_rt.fuzzer-*.a; do break; done
        [ -n "${runtime-}" ] || tools+=' libclang-rt-dev'
    fi
}

# Libraries that are new enough in every supported suite: package, header, and for a private copy
# the package of the shared library.
plain_libs='libxxhash-dev:xxhash.h:libxxhash0 libjansson-dev:jansson.h:libjansson4
    libsqlite3-dev:sqlite3.h:libsqlite3-0 libcmocka-dev:cmocka.h:libcmocka0
    libpq-dev:postgresql/libpq-fe.h:'

# need_plain: sets `libs` to the missing ones, `libs_private` to the packages of private copies of them.
need_plain() {
    local row package header
    libs= libs_private=
    for row in $plain_libs; do
        IFS=: read -r package header so <<<"$row"
        [ -e "/usr/include/$header" ] || [ -e "$root/usr/include/$header" ] && continue
        libs+=" $package"
        libs_private+=" $package $so"
    done
}

# SPIR-V and Vulkan: the oldest versions with maximal reconvergence, quad control and Vulkan 1.4.
spirv_packages='spirv-tools spirv-headers libvulkan-dev libvulkan-volk-dev'
spirv_oldest=2024.4
spirv_suite=trixie
spirv_there() { # FOLDER of headers
    [ -e "$1/volk.c" ] && grep -qs SPV_ENV_VULKAN_1_4 "$1/spirv-tools/libspirv.h" &&
        grep -qs SpvCapabilityQuadControlKHR "$1/spirv/unified1/spirv.h" &&
        grep -qs VK_KHR_shader_maximal_reconvergence "$1/vulkan/vulkan_core.h"
}

# SPIRV-Tools' optimiser is tested, so the current release is linked, from this version on. If sid has a newer
# version, that one is used (a mirror has only the newest); if none can be fetched or linked, Debian 13's is used.
current_oldest='2026.4~' # with its release candidates
current_suite=sid

# take_current: fetches sid's SPIRV-Tools into DEPS/spirv-tools, atomically. Runs in its own shell: an error
# ends it with a message on standard error.
take_current() {
    local new=$DEPS/.new-spirv-tools version compat=$here/../cmake/compat/isoc23.c
    rm -rf "$new"
    pr_machine
    pr_apt "$current_suite"
    version=$(pr_candidate spirv-tools-dev)
    [ -n "$version" ] && version_at_least "$version" "$current_oldest" ||
        die "$current_suite has spirv-tools-dev ${version:-not at all}, not ${current_oldest%\~} or newer"
    say "fetching spirv-tools-dev ($current_suite, SPIRV-Tools ${version%%[-~]*}) into ${DEPS#"$PWD"/}/spirv-tools"
    pr_unpack "$new" "spirv-tools-dev=$version" "spirv-tools-headers=$version"
    # Built by a newer compiler: test whether it links and runs here.
    cat >"$new/probe.c" <<'C'
#include <spirv-tools/libspirv.h>
int main(void)
{
    spv_optimizer_t *o = spvOptimizerCreate(SPV_ENV_VULKAN_1_4);
    spvOptimizerRegisterPerformancePasses(o);
    spvOptimizerDestroy(o);
    return 0;
}
C
    run "${CC:-cc}" -w -I"$new/usr/include" -c "$new/probe.c" -o "$new/probe.o" &&
        run "${CC:-cc}" -w -c "$compat" -o "$new/compat.o" || die "its headers do not compile here"
    for libc in '' "$new/compat.o"; do
        # shellcheck disable=SC2086
        run "${CXX:-c++}" "$new/probe.o" "$new/usr/lib/$PR_TRIPLE"/libSPIRV-Tools{-opt,}.a $libc -o "$new/probe" &&
            run "$new/probe" && break
    done || die "its libraries do not link here"
    rm -f "$new"/{probe,compat}*
    echo "$version" >"$new/version"
    rm -rf "$DEPS/spirv-tools"
    mv "$new" "$DEPS/spirv-tools"
}

# install PACKAGE...: installs packages from the machine's own sources; removes none.
install() {
    say "installing $* (apt)"
    local apt='env DEBIAN_FRONTEND=noninteractive apt-get -q -y --no-install-recommends --no-remove
        -o DPkg::Lock::Timeout=120'
    # Lists may be missing or stale: update and try once more.
    run $apt install "$@" || { run apt-get -q update && run $apt install "$@"; } ||
        die "apt could not install $* (details: $DEPS/setup.log)"
}

# side NAME COMMAND...: starts a job in parallel to the others; keeps its standard error. Without
# flock, which protects apt from parallel jobs, waits for its end.
declare -A side_pid side_status
side() {
    local name=$1
    shift
    : >"$DEPS/.why-$name"
    set -m # its own process group, so that all of it can be ended
    ("$@") 2>"$DEPS/.why-$name" </dev/null &
    set +m
    side_pid[$name]=$!
    command -v flock >/dev/null || finish "$name" || true
}

# finish NAME: waits for the job; returns its status, and its standard error in WHY.
finish() {
    if [ -n "${side_pid[$1]-}" ]; then
        side_status[$1]=0
        wait "${side_pid[$1]}" || side_status[$1]=$?
        unset "side_pid[$1]"
    fi
    WHY=$(cat "$DEPS/.why-$1")
    return "${side_status[$1]}"
}

# end_sides: ends the running jobs and their child processes.
end_sides() {
    local pid
    for pid in "${side_pid[@]}"; do kill -TERM -- "-$pid" 2>/dev/null || true; done
    wait
    rm -f "$DEPS"/.why-*
}

mkdir -p "$build/deps" 2>/dev/null || die "cannot write to $build"
DEPS=$(cd "$build/deps" && pwd)
root=$DEPS/root
pr_start
rm -f "$DEPS"/.why-*
trap 'end_sides; pr_end' EXIT
trap 'exit 130' INT TERM HUP

need_tools
need_plain
if [ "$(id -u)" = 0 ]; then
    # shellcheck disable=SC2086
    [ -z "$tools$libs" ] || install $tools $libs
elif [ -n "$tools" ]; then
    die "programs are missing; as root, run: apt-get install$tools"
fi
cmake_version=$(cmake --version | awk 'NR == 1 { print $3 }')
printf '3.25\n%s\n' "$cmake_version" | sort -C -V || die "cmake $cmake_version is too old: 3.25 is needed"

need_plain
if [ -n "$libs" ]; then
    pr_machine
    pr_apt "$PR_SUITE"
    say "fetching$libs ($PR_SUITE) into ${root#"$PWD"/}"
    # shellcheck disable=SC2086
    pr_unpack "$root" $libs_private
fi

# The mark spirv-complete: an interrupted unpacking does not count.
spirv_missing() {
    ! spirv_there /usr/include && ! { [ -e "$root/spirv-complete" ] && spirv_there "$root/usr/include"; }
}
get_spirv() {
    local suite=$PR_SUITE version
    pr_apt "$suite"
    version=$(pr_candidate spirv-tools)
    if [ -z "$version" ] || ! version_at_least "$version" "$spirv_oldest"; then
        suite=$spirv_suite
        pr_apt "$suite"
        version=$(pr_candidate spirv-tools)
    fi
    if [ "$suite" = "$PR_SUITE" ] && [ "$(id -u)" = 0 ]; then
        # shellcheck disable=SC2086
        install $spirv_packages
        spirv_there /usr/include || die "the headers of $spirv_packages ($suite) are too old or incomplete"
    else
        say "fetching $spirv_packages ($suite, SPIRV-Tools ${version%%-*}) into ${root#"$PWD"/}"
        # shellcheck disable=SC2086
        pr_unpack "$root" $spirv_packages
        spirv_there "$root/usr/include" ||
            die "the headers of $spirv_packages ($suite) are too old or incomplete"
        : >"$root/spirv-complete"
    fi
}

# Independent jobs run in parallel. A machine that installs SPIRV-Tools does so first, because that version may
# suffice; Debian 12's never does, and a user without root rights installs nothing.
drivers() { "$here/drivers.sh" --build-dir "$build" get "$1"; }
if [ $drivers = yes ]; then
    side lavapipe drivers lavapipe
    side validation drivers validation
fi
if spirv_missing; then
    pr_machine
    if [ "$(id -u)" = 0 ] && [ "$PR_SUITE" != bookworm ]; then get_spirv; else side spirv get_spirv; fi
fi
machine_has=$(dpkg-query -W -f '${Version}' spirv-tools-dev 2>/dev/null || true)
if [ ! -e "$DEPS/spirv-tools/version" ] && ! version_at_least "${machine_has:-0}" "$current_oldest"; then
    side current take_current
fi
if [ -e "$DEPS/.why-spirv" ]; then
    finish spirv || { echo "$WHY" >&2 && exit 1; }
fi
if [ -e "$DEPS/.why-current" ]; then
    finish current ||
        say "SPIRV-Tools ${current_oldest%\~} cannot be fetched (${WHY#"$SELF: "}): using the older one"
    rm -rf "$DEPS/.new-spirv-tools"
fi
if [ $instrumented = yes ] && { [ -n "$own_source" ] || [ ! -e "$DEPS/instrumented/lib" ]; }; then
    ps_spirv_tools "$own_source"
    # It compares values that are not in the input's bytes: without hooks at comparisons a run takes a quarter less time.
    ps_build_spirv_tools "$DEPS/instrumented" \
        "$PS_SANITIZED -fno-sanitize-coverage=trace-cmp" \
        -DCMAKE_C_COMPILER=clang -DCMAKE_CXX_COMPILER=clang++
fi
if [ $drivers = yes ]; then
    for name in lavapipe validation; do
        finish $name || { echo "$WHY" >&2 && exit 1; }
    done
fi
say "ready (${DEPS#"$PWD"/})"
