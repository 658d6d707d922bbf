#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Fetches LLVM for tests: programs, shared library and C headers in their own private root,
# DEPS/llvm/VERSION, with the libc they were built for. Nothing is installed. The folder contains
#   usr/       the unpacked packages, without static libraries
#   loader     link to the root's dynamic loader; libs: its folder of libraries
#   bin/       opt, llc, spirv-val ...: small scripts that run the root's programs through the loader;
#              clang and glslang too
#   version    one line for users
# A program of this machine that opens libLLVM at run time also runs through `loader`.
set -euo pipefail
shopt -s nullglob
SELF=llvm
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/lib/private_root.sh"

build=$here/../build number=23 suite=

usage() {
    cat <<'HELP'
usage: scripts/llvm.sh [--build-dir DIR] [--llvm N] [--suite NAME]

Fetches LLVM N (default 23) of a Debian suite with its SPIR-V back end, clang, glslang and the newest
spirv-val into DIR/deps/llvm/N (default DIR: build). Needs no root rights, and 900 MB.
Default suite: sid; from LLVM 24 on experimental, which has snapshots of LLVM's main branch.

examples: scripts/llvm.sh
          scripts/llvm.sh --llvm 24     # for targets with version=24
HELP
}

while [ $# -gt 0 ]; do
    case $1 in
    --build-dir | --llvm | --suite)
        [ $# -ge 2 ] || die "$1 needs a value"
        case $1 in
        --build-dir) build=$2 ;;
        --llvm) number=$2 ;;
        --suite) suite=$2 ;;
        esac
        shift 2
        ;;
    -h | --help) usage && exit 0 ;;
    *) die "unknown argument '$1' (see --help)" ;;
    esac
done
[[ $number =~ ^[0-9]+$ ]] || die "--llvm: '$number' is not a number"
[ -n "$suite" ] || { [ "$number" -lt 24 ] && suite=sid || suite=experimental; }
# Experimental has only what differs from sid.
suites=$suite
[ "$suite" != experimental ] || suites='experimental sid'

# closure PACKAGE...: prints NAME=VERSION of these and all their dependencies, as if nothing were installed.
closure() {
    local list
    list=$(APT_CONFIG=$PR_APT apt-get -s -q -o Dir::State::status="${PR_APT%/*}/empty" install "$@" \
        2>>"$DEPS/setup.log" </dev/null) || return 1
    sed -nE 's/^Inst ([^ ]+) (\[[^]]*\] )?\(([^ ]+) .*/\1=\3/p' <<<"$list"
}

# Packages of the closure that no program here uses.
unwanted='^(dpkg|tar|perl.*|libperl.*|debconf|libc-bin|sysvinit-utils|base-files|mawk|binfmt-support)='

get_llvm() {
    local dir=$DEPS/llvm/$number new=$DEPS/llvm/.new packages version
    [ ! -e "$dir/version" ] || return 0
    pr_machine
    # shellcheck disable=SC2086
    pr_apt $suites
    version=$(pr_candidate "llvm-$number")
    [ -n "$version" ] || die "no package llvm-$number in $suite"
    packages=$(closure "llvm-$number" "llvm-$number-dev" "clang-$number" glslang-tools spirv-tools \
        bubblewrap) ||
        die "apt cannot resolve the dependencies of llvm-$number $version (details: $DEPS/setup.log)"
    packages=$(grep -vE "$unwanted" <<<"$packages")
    say "fetching LLVM ${version%%-*} ($suite) into ${dir#"$PWD"/}"
    rm -rf "$new"
    # shellcheck disable=SC2086
    pr_unpack "$new" $packages
    # Remove static libraries, and files that are not needed to run a pass.
    find "$new" -name '*.a' ! -name 'libc_nonshared.a' -delete
    rm -rf "$new"/usr/share/doc "$new"/usr/share/man "$new"/usr/share/locale
    echo "LLVM $version ($suite)" >"$new/version"
    rm -rf "$dir"
    mv "$new" "$dir"
}

# FileCheck and split-file, for tests in LLVM's forms; without Python, which their package requires. Omitted if
# the suite has a newer version by now.
get_test_programs() {
    local dir=$DEPS/llvm/$number
    [ ! -e "$dir/usr/lib/llvm-$number/bin/FileCheck" ] || return 0
    # shellcheck disable=SC2086
    pr_apt $suites
    grep -qF " $(pr_candidate "llvm-$number-tools") " "$dir/version" || return 0
    pr_unpack "$dir" "llvm-$number-tools"
}

# The scripts contain no absolute path: the tree may move.
link_programs() {
    local dir=$DEPS/llvm/$number loader name
    local self='#!/bin/sh\nd=$(dirname "$(dirname "$(readlink -f "$0")")")\nexec "$d/loader" --library-path '
    for loader in "$dir/usr/lib/$PR_TRIPLE"/ld-linux*.so.* "$dir"/usr/lib64/ld-linux*.so.*; do break; done
    [ -e "${loader-}" ] || die "the private root has no dynamic loader"
    ln -sfn "${loader#"$dir/"}" "$dir/loader"
    ln -sfn "usr/lib/$PR_TRIPLE" "$dir/libs"
    mkdir -p "$dir/bin"
    program() { # NAME FILE
        [ -e "$dir/$2" ] || return 0
        printf "$self"'"$d/libs:$d/usr/lib/llvm-%s/lib" "$d/%s" "$@"\n' "$number" "$2" >"$dir/bin/$1"
        chmod +x "$dir/bin/$1"
    }
    for name in opt llc llvm-as llvm-dis llvm-extract llvm-reduce FileCheck split-file; do
        program $name "usr/lib/llvm-$number/bin/$name"
    done
    for name in spirv-val spirv-dis spirv-opt glslang glslangValidator; do
        program $name "usr/bin/$name"
    done
    # clang executes itself by its own name, so it needs its own root. File names are relative to
    # the machine's root.
    printf "$self"'"$d/libs" "$d/usr/bin/bwrap" --ro-bind "$d/usr" /usr --symlink usr/lib /lib --symlink usr/lib64 /lib64 --symlink usr/bin /bin --dev /dev --proc /proc --bind /tmp /tmp --bind "$PWD" "$PWD" --chdir "$PWD" /usr/bin/clang-%s "$@"\n' \
        "$number" >"$dir/bin/clang"
    chmod +x "$dir/bin/clang"
}

mkdir -p "$build/deps" 2>/dev/null || die "cannot write to $build"
DEPS=$(cd "$build/deps" && pwd)
pr_start
trap pr_end EXIT
pr_machine
mkdir -p "$DEPS/llvm"
get_llvm
get_test_programs
link_programs
say "$(cat "$DEPS/llvm/$number/version")"
