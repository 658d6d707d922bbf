#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Vulkan drivers and layers for testing, each in a private folder of its own; none is installed.
# A driver's folder DEPS/drivers/NAME has
#   icd.json  for the Vulkan loader, absolute paths
#   env       lines KEY=VALUE: all the environment that a process needs to run on it
#   lib/      the driver and every shared library that the machine lacks
#   version   one line, for people
# and DEPS/layers/validation the same with layer JSON files, and
#   prefix    words, one a line, to put before the command (only where the layer needs another libc)
# To add a driver: copy get_lavapipe and name the new function in `known`.
set -euo pipefail
shopt -s nullglob
SELF=drivers
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/lib/private_root.sh"

known='lavapipe validation'
build=$here/../build

usage() {
    cat <<'HELP'
usage: scripts/drivers.sh [--build-dir DIR] get NAME...
       scripts/drivers.sh list

Takes a Vulkan driver into DIR/deps/drivers/NAME (default DIR: build), as any user.

  lavapipe    Mesa's CPU driver, new enough for maximal reconvergence
  validation  the Khronos validation layer (into DIR/deps/layers/validation)

example: scripts/drivers.sh get lavapipe
HELP
}

# share_libs FROM TO: the shared libraries of an unpacked root, flat.
share_libs() {
    mkdir -p "$2"
    local dir
    for dir in "$1"/usr/lib/"$PR_TRIPLE" "$1"/lib/"$PR_TRIPLE"; do
        [ -d "$dir" ] && find "$dir" -maxdepth 1 -name '*.so*' -exec cp -a -t "$2" {} +
    done
    return 0
}

# The oldest version that is known to have VK_KHR_shader_maximal_reconvergence in lavapipe.
lavapipe_oldest=25.0

get_lavapipe() {
    local dir=$DEPS/drivers/lavapipe new=$DEPS/drivers/.new suite version packages
    if [ ! -e "$dir/version" ]; then
        pr_machine
        for suite in "$PR_SUITE" "$PR_SUITE-backports" ''; do
            [ -n "$suite" ] || die "no Mesa $lavapipe_oldest or newer in $PR_SUITE or its backports"
            # The suite itself must be there as well, for the libraries that Mesa needs.
            if [ "$suite" = "$PR_SUITE" ]; then pr_apt "$suite"; else pr_apt "$PR_SUITE" "$suite"; fi
            version=$(APT_CONFIG=$PR_APT apt-cache madison mesa-vulkan-drivers 2>/dev/null |
                awk -F' *[|] *' -v suite="$suite/" 'index($3, suite) { print $2; exit }')
            [ -n "$version" ] && version_at_least "$version" "$lavapipe_oldest" && break
        done
        say "taking lavapipe (Mesa ${version%%-*}, $suite) into ${dir#"$PWD"/}"
        # Only its own package and what this machine lacks; never a foreign libc.
        packages=$(pr_missing "mesa-vulkan-drivers/$suite") ||
            die "apt finds no way to mesa-vulkan-drivers $version (details: $DEPS/setup.log)"
        packages=$(grep -vE '^(libc6|libc-bin|mesa-vulkan-drivers)=' <<<"$packages" || true)
        rm -rf "$new" "$DEPS/drivers/.root"
        # shellcheck disable=SC2086
        pr_unpack "$DEPS/drivers/.root" "mesa-vulkan-drivers=$version" $packages
        mkdir -p "$new/lib"
        share_libs "$DEPS/drivers/.root" "$new/lib"
        # The package brings the drivers of real hardware and layers too.
        find "$new/lib" \( -name 'libvulkan_*' -o -name 'libVkLayer_*' \) ! -name libvulkan_lvp.so -delete
        [ -e "$new/lib/libvulkan_lvp.so" ] || die "mesa-vulkan-drivers $version has no lavapipe"
        rm -rf "$DEPS/drivers/.root" "$dir"
        echo "lavapipe $version ($suite)" >"$new/version"
        mv "$new" "$dir"
    fi
    # Written every time: the tree may have moved.
    cat >"$dir/icd.json" <<JSON
{"file_format_version": "1.0.1",
 "ICD": {"library_path": "$dir/lib/libvulkan_lvp.so", "api_version": "1.4.305"}}
JSON
    cat >"$dir/env" <<ENV
VK_DRIVER_FILES=$dir/icd.json
VK_ICD_FILENAMES=$dir/icd.json
LD_LIBRARY_PATH=$dir/lib
MESA_SHADER_CACHE_DISABLE=true
ENV
}

# The oldest layer that knows maximal reconvergence and quad control.
validation_oldest=1.4
validation_suite=trixie

get_validation() {
    local dir=$DEPS/layers/validation new=$DEPS/layers/.new root=$DEPS/layers/.root
    local suite version packages loader
    if [ ! -e "$dir/version" ]; then
        pr_machine
        suite=$PR_SUITE
        pr_apt "$suite"
        version=$(pr_candidate vulkan-validationlayers)
        if [ -z "$version" ] || ! version_at_least "$version" "$validation_oldest"; then
            suite=$validation_suite
            pr_apt "$suite"
            version=$(pr_candidate vulkan-validationlayers)
        fi
        [ -n "$version" ] || die "no package vulkan-validationlayers in $suite"
        say "taking the validation layer ($version, $suite) into ${dir#"$PWD"/}"
        packages="vulkan-validationlayers=$version"
        # A layer of a newer suite needs that suite's libc: it then runs through that suite's own
        # loader, which finds all else where the machine has it.
        [ "$suite" = "$PR_SUITE" ] || packages+=" libc6 libstdc++6 libgcc-s1"
        rm -rf "$new" "$root"
        # shellcheck disable=SC2086
        pr_unpack "$root" $packages
        mkdir -p "$new/lib"
        share_libs "$root" "$new/lib"
        cp -r "$root/usr/share/vulkan/explicit_layer.d" "$new/layers"
        rm -rf "$root" "$dir"
        echo "validation layer $version ($suite)" >"$new/version"
        mv "$new" "$dir"
    fi
    sed -i -E "s|(\"library_path\": *)\"[^\"]*/?(libVkLayer[^/\"]*)\"|\1\"$dir/lib/\2\"|" \
        "$dir"/layers/*.json
    echo "VK_LAYER_PATH=$dir/layers" >"$dir/env"
    rm -f "$dir/prefix"
    for loader in "$dir"/lib/ld-linux*.so.*; do
        printf '%s\n' "$loader" --library-path \
            "$dir/lib:$DEPS/drivers/lavapipe/lib" >"$dir/prefix"
    done
}

while [ $# -gt 0 ]; do
    case $1 in
    --build-dir)
        [ $# -ge 2 ] || die "--build-dir needs a folder"
        build=$2
        shift 2
        ;;
    --build-dir=*) build=${1#*=} && shift ;;
    -h | --help) usage && exit 0 ;;
    *) break ;;
    esac
done
case ${1-} in
list) tr ' ' '\n' <<<"$known" && exit 0 ;;
get) shift ;;
'') usage >&2 && exit 2 ;;
*) die "unknown argument '$1' (see --help)" ;;
esac
[ $# -gt 0 ] || die "get what? one of: $known"
for name; do
    case " $known " in
    *" $name "*) ;;
    *) die "unknown driver '$name': one of: $known" ;;
    esac
done
mkdir -p "$build/deps" 2>/dev/null || die "cannot write to $build"
DEPS=$(cd "$build/deps" && pwd)
pr_start
trap pr_end EXIT
mkdir -p "$DEPS/drivers" "$DEPS/layers"
for name; do "get_$name"; done
