#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Fetches Vulkan drivers and layers for tests, each into its own private folder; none is installed.
# A driver's folder DEPS/drivers/NAME contains
#   icd.json  for the Vulkan loader, absolute paths
#   env       lines KEY=VALUE: the complete environment for a process that uses it
#   lib/      the driver and every shared library that the machine lacks
#   version   one line for users
# DEPS/layers/validation contains the same with layer JSON files, and
#   prefix    arguments to put before a command, one per line (only if it needs another libc)
#   opencl    an empty file: an OpenCL driver, for target opencl; it has no icd.json
#   compile-only  an empty file: it creates pipelines, but cannot run them without hardware
#   device    the words of a command, one per line, that starts tanglefuzz-device with the driver: it is of
#             another architecture
# Drivers of another suite share a private root, DEPS/roots/SUITE, with its compilers (DEPS/tools/NAME/bin).
# To add a driver: copy get_swiftshader and add the new function's name to `known`.
set -euo pipefail
shopt -s nullglob
SELF=drivers
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/lib/private_root.sh"
. "$here/lib/arm64.sh"
. "$here/lib/private_source.sh"
. "$here/lib/mesa_source.sh"

known='lavapipe validation lavapipe-22.3 lavapipe-26.1 lavapipe-26.2 swiftshader radv radv-22.3 nvk turnip honeykrisp
    anv anv-22.3 hasvk panvk v3dv powervr tools-bookworm tools-sid naga dawn ocloc pocl'
known=$(echo $known {radv,nvk,turnip,anv,lavapipe}-25.0)
build=$here/../build

usage() {
    cat <<'HELP'
usage: scripts/drivers.sh [--build-dir DIR] get NAME...
       scripts/drivers.sh list

Fetches a Vulkan driver into DIR/deps/drivers/NAME (default DIR: build). Needs no root rights.

  lavapipe    Mesa's CPU driver, new enough for maximal reconvergence
  validation  the Khronos validation layer (into DIR/deps/layers/validation)
  lavapipe-22.3, lavapipe-26.1, lavapipe-26.2
              the same driver from Debian 12, Debian 13's backports, Debian sid
  swiftshader Google's CPU driver, from Debian's chromium
  radv, nvk, turnip, honeykrisp
              Mesa's drivers for AMD, NVIDIA, Qualcomm and Apple from Debian sid, which compile without
              hardware: for check:vulkan:driver=NAME and isa:vulkan:driver=NAME
  radv-22.3   AMD's driver from Debian 12, on sid's shim and libc
  radv-25.0, nvk-25.0, turnip-25.0, anv-25.0, lavapipe-25.0
              Mesa's drivers with NIR_DEBUG and assertions, built from Debian 13's source in a private root
              (as root, or where 'unshare -r' works; 6 to 11 minutes of one processor for each of the
              first three, more for the others; up to 2.7 GB of disk while it builds, 30 MB after): for
              bisect, which then names passes of NIR
  anv, anv-22.3, hasvk
              Mesa's drivers for Intel from Debian sid and Debian 12, on a stub of the kernel's driver that
              is built here (needs a C compiler), with Intel's disassembler: for check:vulkan:driver=anv,
              isa:vulkan:driver=anv
  panvk, v3dv, powervr
              Mesa's drivers for Mali, Raspberry Pi 5 and PowerVR from Debian sid for arm64, run by QEMU
              (800 MB of disk, 170 MB of it an arm64 compiler): for check:vulkan:driver=NAME,
              isa:nir:vulkan:driver=NAME and isa:vulkan:driver=v3dv
  tools-bookworm, tools-sid
              spirv-opt, glslang and spirv-cross from Debian 12 and sid, into DIR/deps/tools/NAME/bin

  naga        wgpu's compiler, built from Debian sid's crates (a minute of a compiler, 1.2 GB while it
              builds), into DIR/deps/tools/naga: for target naga
  ocloc       Intel's offline compiler for OpenCL (IGC) from Debian sid, with its disassembler (260 MB of
              disk), into DIR/deps/tools/ocloc: for isa:ocloc:device=NAME
  pocl        an OpenCL driver for the CPU from Debian 13 (500 MB of disk): for opencl:driver=pocl
  dawn        Chromium's WebGPU for Node (npm webgpu; needs node 18 or newer and npm), into
              DIR/deps/tools/dawn: for targets tint and dawn

A private root takes 70 to 150 MB of downloads and 200 to 450 MB of disk; drivers of one suite share
theirs. An interrupted download is resumed.
examples: scripts/drivers.sh get lavapipe
          scripts/drivers.sh get lavapipe-22.3 lavapipe-26.2 swiftshader radv tools-sid
HELP
}

# share_libs FROM TO: copies the shared libraries of an unpacked root into one folder.
share_libs() {
    mkdir -p "$2"
    local dir
    for dir in "$1"/usr/lib/"$PR_TRIPLE" "$1"/lib/"$PR_TRIPLE"; do
        [ -d "$dir" ] && find "$dir" -maxdepth 1 -name '*.so*' -exec cp -a -t "$2" {} +
    done
    return 0
}

# The oldest version known to have VK_KHR_shader_maximal_reconvergence in lavapipe.
lavapipe_oldest=25.0

get_lavapipe() {
    local dir=$DEPS/drivers/lavapipe new=$DEPS/drivers/.new suite version packages
    if [ ! -e "$dir/version" ]; then
        pr_machine
        for suite in "$PR_SUITE" "$PR_SUITE-backports" ''; do
            [ -n "$suite" ] || die "no Mesa $lavapipe_oldest or newer in $PR_SUITE or its backports"
            # The suite itself is needed too, for the libraries that Mesa uses.
            if [ "$suite" = "$PR_SUITE" ]; then pr_apt "$suite"; else pr_apt "$PR_SUITE" "$suite"; fi
            version=$(APT_CONFIG=$PR_APT apt-cache madison mesa-vulkan-drivers 2>/dev/null |
                awk -F' *[|] *' -v suite="$suite/" 'index($3, suite) { print $2; exit }')
            [ -n "$version" ] && version_at_least "$version" "$lavapipe_oldest" && break
        done
        say "fetching lavapipe (Mesa ${version%%-*}, $suite) into ${dir#"$PWD"/}"
        # Only Mesa's package and libraries that this machine lacks; never another libc.
        packages=$(pr_missing "mesa-vulkan-drivers/$suite") ||
            die "apt cannot resolve the dependencies of mesa-vulkan-drivers $version (details: $DEPS/setup.log)"
        packages=$(grep -vE '^(libc6|libc-bin|mesa-vulkan-drivers)=' <<<"$packages" || true)
        rm -rf "$new" "$DEPS/drivers/.root"
        # shellcheck disable=SC2086
        pr_unpack "$DEPS/drivers/.root" "mesa-vulkan-drivers=$version" $packages
        mkdir -p "$new/lib"
        share_libs "$DEPS/drivers/.root" "$new/lib"
        # The package also contains drivers of real hardware, and layers.
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

# The oldest layer that supports maximal reconvergence and quad control.
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
        say "fetching the validation layer ($version, $suite) into ${dir#"$PWD"/}"
        packages="vulkan-validationlayers=$version"
        # A layer of a newer suite needs that suite's libc: it runs through that suite's
        # loader, which finds other libraries on the machine.
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

# driver_folder NAME ROOT LIBRARY VERSION [KEY=VALUE...]: writes a driver's folder, with LIBRARY from a private
# root. Written every time: it is small, and the tree may have moved.
driver_folder() {
    local dir=$DEPS/drivers/$1 root=$2 library=$3 version=$4 line
    shift 4
    [ -e "$library" ] || die "$root has no ${library##*/}: remove it and try again"
    mkdir -p "$dir"
    cat >"$dir/icd.json" <<JSON
{"file_format_version": "1.0.1",
 "ICD": {"library_path": "$library", "api_version": "1.3.0"}}
JSON
    rm -f "$dir/prefix"
    if [ -s "$root/prefix" ]; then cp "$root/prefix" "$dir/prefix"; fi
    echo "$version" >"$dir/version"
    {
        echo "VK_DRIVER_FILES=$dir/icd.json"
        echo "VK_ICD_FILENAMES=$dir/icd.json"
        [ -s "$root/prefix" ] || echo "LD_LIBRARY_PATH=$root/usr/lib/$PR_TRIPLE"
        echo MESA_SHADER_CACHE_DISABLE=true
        for line; do echo "$line"; done
    } >"$dir/.env"
    mv "$dir/.env" "$dir/env"
}

# mesa_root SUITE [SUITE...]: fetches Mesa's drivers of the last suite into DEPS/roots/mesa-SUITE.
mesa_root() {
    local suite=${*: -1} packages
    pr_machine
    packages="mesa-vulkan-drivers/$suite libvulkan1"
    [ "$suite" = bookworm ] || packages+=" mesa-drm-shim/$suite"
    # shellcheck disable=SC2086
    pr_root "mesa-$suite" "$*" $packages
    MESA_ROOT=$DEPS/roots/mesa-$suite
    MESA_LIB=$MESA_ROOT/usr/lib/$PR_TRIPLE
    MESA_VERSION=$(sed -n 's/^mesa-vulkan-drivers=//p' "$MESA_ROOT/versions")
}

# lavapipe_of NUMBER SUITE...: fails if the suite no longer has Mesa NUMBER, because the name promises it.
lavapipe_of() {
    local number=$1
    shift
    mesa_root "$@"
    case $MESA_VERSION in
    "$number".*) ;;
    *) die "lavapipe-$number: ${*: -1} now has Mesa ${MESA_VERSION%%-*}" ;;
    esac
    driver_folder "lavapipe-$number" "$MESA_ROOT" "$MESA_LIB/libvulkan_lvp.so" \
        "lavapipe $MESA_VERSION (${*: -1})"
}
get_lavapipe_22_3() { lavapipe_of 22.3 bookworm; }
get_lavapipe_26_1() { lavapipe_of 26.1 trixie trixie-backports; }
get_lavapipe_26_2() { lavapipe_of 26.2 sid; }

# compile_only NAME LIBRARY SHIM [KEY=VALUE...]: fetches a driver for hardware; the shim simulates its
# kernel driver.
compile_only() {
    local name=$1 library=$2 shim=$3
    shift 3
    mesa_root sid
    driver_folder "$name" "$MESA_ROOT" "$MESA_LIB/$library" "$name of Mesa $MESA_VERSION (sid)" \
        "LD_PRELOAD=$MESA_LIB/$shim" "$@"
    : >"$DEPS/drivers/$name/compile-only"
}
get_radv() { compile_only radv libvulkan_radeon.so libamdgpu_noop_drm_shim.so AMDGPU_GPU_ID=navi31; }
get_radv_22_3() {
    local old version
    mesa_root bookworm
    old=$MESA_LIB version=$MESA_VERSION
    mesa_root sid
    driver_folder radv-22.3 "$MESA_ROOT" "$old/libvulkan_radeon.so" "radv of Mesa $version (bookworm)" \
        "LD_PRELOAD=$MESA_LIB/libamdgpu_noop_drm_shim.so" AMDGPU_GPU_ID=navi21
    sed -i "\$s|\$|:$old|" "$DEPS/drivers/radv-22.3/prefix"
    : >"$DEPS/drivers/radv-22.3/compile-only"
}
# from_source DRIVER SHIM [KEY=VALUE...]: builds DRIVER-25.0 of Mesa 25.0, which prints NIR after each of its passes.
# SHIM: the library that simulates its kernel driver, or a path; empty: none.
from_source() {
    local driver=$1 shim=$2 name=$1-25.0 preload
    shift 2
    mesa_root sid
    mesa_source 25.0 "$driver"
    preload=${shim:+$MESA_SOURCE/$shim}
    [[ $shim != /* ]] || preload=$shim
    driver_folder "$name" "$MESA_ROOT" "$(echo "$MESA_SOURCE"/libvulkan_*.so)" \
        "$driver of Mesa $(cat "$MESA_SOURCE/version") (trixie's source, with NIR_DEBUG)" ${preload:+"LD_PRELOAD=$preload"} "$@"
    sed -i "\$s|\$|:$MESA_SOURCE|" "$DEPS/drivers/$name/prefix"
    [ -z "$shim" ] || : >"$DEPS/drivers/$name/compile-only"
}
get_radv_25_0() { from_source radv libamdgpu_noop_drm_shim.so AMDGPU_GPU_ID=navi31; }
get_nvk_25_0() { from_source nvk libnouveau_noop_drm_shim.so NOUVEAU_CHIPSET=172; }
get_turnip_25_0() { from_source turnip libfreedreno_noop_drm_shim.so FD_GPU_ID=730; }
get_lavapipe_25_0() { from_source lavapipe ''; }
get_anv_25_0() {
    mesa_root sid
    intel_root
    from_source anv "$INTEL_STUB" DRM_STUB_PCI=9a49 "IGA_LIBRARY=$INTEL_IGA" INTEL_SHADER_BIN_DUMP_PATH=/dev/dri/code
}
get_nvk() { compile_only nvk libvulkan_nouveau.so libnouveau_noop_drm_shim.so NOUVEAU_CHIPSET=172; }
get_turnip() { compile_only turnip libvulkan_freedreno.so libfreedreno_noop_drm_shim.so FD_GPU_ID=730; }

# intel_root: fetches Intel's disassembler (of libigc2; the compiler itself is not kept) and libdrm's headers into
# DEPS/roots/intel-sid, and builds the stub of the kernel's driver there.
intel_root() {
    local root=$DEPS/roots/intel-sid new=$DEPS/roots/.new-intel igc drm
    if [ ! -e "$root/complete" ]; then
        pr_apt sid
        igc=$(pr_version libigc2 sid) drm=$(pr_version libdrm-dev sid)
        [ -n "$igc" ] && [ -n "$drm" ] || die "no package libigc2 or libdrm-dev in sid for $PR_ARCH"
        say "fetching Intel's disassembler (libigc2 $igc, sid) into ${root#"$PWD"/}"
        rm -rf "$new"
        pr_unpack "$new" "libigc2=$igc" "libdrm-dev=$drm"
        find "$new" -name 'libigc.so*' -delete
        [ -e "$new/usr/lib/$PR_TRIPLE/libiga64.so.2" ] || die "libigc2 $igc has no libiga64.so.2"
        : >"$new/complete"
        rm -rf "$root"
        mv "$new" "$root"
    fi
    INTEL_STUB=$root/libdrm_stub.so INTEL_IGA=$root/usr/lib/$PR_TRIPLE/libiga64.so.2
    command -v "${CC:-cc}" >/dev/null || die "the C compiler '${CC:-cc}' is missing; the stub of i915 needs it"
    if [ ! -e "$INTEL_STUB" ] || [ "$here/lib/drm_stub.c" -nt "$INTEL_STUB" ]; then
        run "${CC:-cc}" -std=c17 -O2 -Wall -Wextra -Werror -fPIC -shared -I"$root/usr/include" \
            -I"$root/usr/include/libdrm" -o "$INTEL_STUB.new" "$here/lib/drm_stub.c" -ldl -pthread ||
            die "the stub of i915 could not be built (details: $DEPS/setup.log)"
        mv "$INTEL_STUB.new" "$INTEL_STUB"
    fi
}
# intel_driver NAME LIBRARY VERSION PCI: a driver of Intel's GPUs on sid's libc and the stub, for the GPU with this id.
intel_driver() {
    mesa_root sid
    intel_root
    driver_folder "$1" "$MESA_ROOT" "$2" "$3" "LD_PRELOAD=$INTEL_STUB" "DRM_STUB_PCI=$4" \
        "IGA_LIBRARY=$INTEL_IGA" INTEL_SHADER_BIN_DUMP_PATH=/dev/dri/code
    : >"$DEPS/drivers/$1/compile-only"
}
get_anv() {
    mesa_root sid
    intel_driver anv "$MESA_LIB/libvulkan_intel.so" "anv of Mesa $MESA_VERSION (sid)" 9a49
}
get_hasvk() {
    mesa_root sid
    intel_driver hasvk "$MESA_LIB/libvulkan_intel_hasvk.so" "hasvk of Mesa $MESA_VERSION (sid)" 1616
}
get_anv_22_3() {
    local old
    mesa_root bookworm
    old=$MESA_LIB
    intel_driver anv-22.3 "$old/libvulkan_intel.so" "anv of Mesa $MESA_VERSION (bookworm)" 9a49
    sed -i "\$s|\$|:$old|" "$DEPS/drivers/anv-22.3/prefix"
}
get_honeykrisp() { compile_only honeykrisp libvulkan_asahi.so libasahi_noop_drm_shim.so; }

get_panvk() {
    arm64_driver panvk libvulkan_panfrost.so libpanfrost_noop_drm_shim.so PAN_GPU_ID=0xa867 \
        PAN_I_WANT_A_BROKEN_VULKAN_DRIVER=1
}
get_v3dv() { arm64_driver v3dv libvulkan_broadcom.so libv3d_noop_drm_shim.so; }
get_powervr() {
    arm64_driver powervr libvulkan_powervr_mesa.so libpowervr_noop_drm_shim.so PVR_I_WANT_A_BROKEN_VULKAN_DRIVER=1
}

get_swiftshader() {
    local root=$DEPS/roots/swiftshader new=$DEPS/roots/.new-swiftshader version
    pr_machine
    if [ ! -e "$root/complete" ]; then
        pr_apt "$PR_SUITE"
        version=$(pr_version chromium-common "$PR_SUITE")
        [ -n "$version" ] || die "no package chromium-common in $PR_SUITE"
        say "fetching SwiftShader (chromium $version, $PR_SUITE) into ${root#"$PWD"/}"
        rm -rf "$new"
        pr_unpack "$new/all" "chromium-common=$version"
        mkdir -p "$new/usr/lib/$PR_TRIPLE"
        mv "$new/all/usr/lib/chromium/libvk_swiftshader.so" "$new/usr/lib/$PR_TRIPLE/" ||
            die "chromium-common $version has no SwiftShader"
        rm -rf "$new/all"
        : >"$new/prefix"
        echo "chromium-common=$version" >"$new/versions"
        : >"$new/complete"
        rm -rf "$root"
        mv "$new" "$root"
    fi
    driver_folder swiftshader "$root" "$root/usr/lib/$PR_TRIPLE/libvk_swiftshader.so" \
        "SwiftShader of $(tr = ' ' <"$root/versions")"
}

# get_tools SUITE: writes wrappers that run a private root's programs through its loader.
get_tools() {
    local suite=$1 root=$DEPS/roots/tools-$1 dir=$DEPS/tools/$1 new=$DEPS/tools/.new-$1 tool prefix
    pr_machine
    pr_root "tools-$suite" "$suite" spirv-tools glslang-tools spirv-cross
    rm -rf "$new"
    mkdir -p "$new/bin"
    prefix=$(while read -r word; do printf "'%s' " "$word"; done <"$root/prefix")
    [ -s "$root/prefix" ] || prefix="LD_LIBRARY_PATH='$root/usr/lib/$PR_TRIPLE' exec "
    [ ! -s "$root/prefix" ] || prefix="exec $prefix"
    for tool in spirv-opt spirv-val spirv-as spirv-dis spirv-cross glslang; do
        [ -e "$root/usr/bin/$tool" ] || continue
        printf '#!/bin/sh\n%s%s "$@"\n' "$prefix" "'$root/usr/bin/$tool'" >"$new/bin/$tool"
        chmod +x "$new/bin/$tool"
    done
    # Debian 12 has only its older name.
    [ -e "$new/bin/glslang" ] || {
        printf '#!/bin/sh\n%s%s "$@"\n' "$prefix" "'$root/usr/bin/glslangValidator'" >"$new/bin/glslang"
        chmod +x "$new/bin/glslang"
    }
    tr '\n' ' ' <"$root/versions" >"$new/version"
    echo >>"$new/version"
    rm -rf "$dir"
    mv "$new" "$dir"
}
get_tools_bookworm() { get_tools bookworm; }
get_tools_sid() { get_tools sid; }

# Builds naga as a server (runners/servers/naga.rs) from sid's crates with sid's compiler, linked by the machine's
# linker so that it runs with the machine's libc. The compiler is removed afterwards.
get_naga() {
    local root=$DEPS/roots/rust dir=$DEPS/tools/naga new=$DEPS/tools/.new-naga build=$DEPS/.naga
    local servers=$here/../runners/servers version linker=${CC:-cc}
    version=$(cat "$servers"/naga.* | cksum | cut -d' ' -f1)
    [ ! -d "$dir/bin" ] || install -m 755 "$servers/naga-cli.sh" "$dir/bin/naga"
    if [ -x "$dir/bin/naga-server" ] && [ "$(cat "$dir/source" 2>/dev/null)" = "$version" ]; then return; fi
    command -v "$linker" >/dev/null || die "naga: the C compiler '$linker' is missing; it is needed for linking"
    pr_machine
    pr_root rust sid librust-naga-dev cargo rustc
    rm -rf "$build" "$new"
    mkdir -p "$build/home" "$new/bin"
    cp "$servers/naga.rs" "$build/"
    cp "$servers/naga.toml" "$build/Cargo.toml"
    local by=() crate
    while read -r word; do by+=("$word"); done <"$root/prefix"
    printf '#!/bin/sh\nexec%s "$@"\n' "$(printf " '%s'" "${by[@]}" "$root/usr/bin/rustc" --sysroot "$root/usr")" \
        >"$build/rustc"
    chmod +x "$build/rustc"
    cat >"$build/home/config.toml" <<TOML
[source.crates-io]
replace-with = "debian"
[source.debian]
directory = "$root/usr/share/cargo/registry"
[net]
offline = true
[build]
rustc = "$build/rustc"
rustflags = ["-C", "linker=$linker"]
TOML
    crate=$(basename "$root"/usr/share/cargo/registry/naga-[0-9]*)
    say "building naga ${crate#naga-} (sid) into ${dir#"$PWD"/}"
    run env -C "$build" CARGO_HOME="$build/home" NAGA_VERSION="${crate#naga-}" "${by[@]}" \
        "$root/usr/bin/cargo" build --release --offline ||
        die "naga could not be built (details: $DEPS/setup.log)"
    cp "$build/target/release/naga-server" "$new/bin/"
    install -m 755 "$servers/naga-cli.sh" "$new/bin/naga"
    echo "naga ${crate#naga-} (sid)" >"$new/version"
    echo "$version" >"$new/source"
    rm -rf "$dir" "$build" "$root" "$DEPS/roots/.debs-rust"
    mv "$new" "$dir"
}

# The newest version known to work.
dawn_version=0.6.2

get_dawn() {
    local dir=$DEPS/tools/dawn new=$DEPS/tools/.new-dawn major arch
    if [ "$(cat "$dir/version" 2>/dev/null)" != "npm webgpu $dawn_version" ]; then
        command -v node >/dev/null && command -v npm >/dev/null || die "dawn: needs node and npm"
        major=$(node -p 'process.versions.node.split(".")[0]')
        [ "$major" -ge 18 ] || die "dawn: node $major is too old: 18 or newer is needed"
        say "fetching Dawn (npm webgpu $dawn_version) into ${dir#"$PWD"/}"
        rm -rf "$new"
        mkdir -p "$new"
        run npm install --prefix "$new" --no-audit --no-fund --ignore-scripts "webgpu@$dawn_version" ||
            die "npm could not install webgpu $dawn_version (details: $DEPS/setup.log)"
        arch=$(node -p 'process.platform + "-" + process.arch')
        [ -e "$new/node_modules/webgpu/dist/$arch/dawn.node" ] || die "dawn: the package has nothing for $arch"
        find "$new/node_modules/webgpu/dist" -mindepth 1 -maxdepth 1 ! -name "$arch" -exec rm -rf {} +
        echo "npm webgpu $dawn_version" >"$new/version"
        rm -rf "$dir"
        mv "$new" "$dir"
    fi
    cp "$here/../runners/servers/dawn.mjs" "$here/../examples/webgpu-device.mjs" "$dir/"
}

# Intel's compilers are libraries, which a worker loads through sid's loader.
get_ocloc() {
    local root=$DEPS/roots/ocloc dir=$DEPS/tools/ocloc
    pr_machine
    pr_root ocloc sid intel-ocloc libigdfcl2 libigc2
    [ -s "$root/prefix" ] || printf '%s\n' env "LD_LIBRARY_PATH=$root/usr/lib/$PR_TRIPLE" >"$root/prefix"
    mkdir -p "$dir"
    cp "$root/prefix" "$dir/prefix"
    echo "IGC $(sed -n 's/^libigc2=//p' "$root/versions") (sid)" >"$dir/version"
}

# Debian 13's: those of Debian 12 (3.1) and sid (7.1) are built without subgroups.
get_pocl() {
    local root=$DEPS/roots/pocl dir=$DEPS/drivers/pocl
    pr_machine
    pr_root pocl trixie pocl-opencl-icd ocl-icd-libopencl1
    mkdir -p "$dir"
    cp "$root/prefix" "$dir/prefix"
    [ -s "$dir/prefix" ] || rm "$dir/prefix"
    echo "pocl $(sed -n 's/^pocl-opencl-icd=//p' "$root/versions") (trixie)" >"$dir/version"
    : >"$dir/opencl"
    {
        echo "OCL_ICD_VENDORS=$root/usr/lib/$PR_TRIPLE/libpocl.so.2"
        echo "POCL_KERNEL_CACHE=0"
        echo "POCL_CACHE_DIR=$dir/cache"
        [ -s "$root/prefix" ] || echo "LD_LIBRARY_PATH=$root/usr/lib/$PR_TRIPLE"
    } >"$dir/.env"
    mv "$dir/.env" "$dir/env"
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
[ $# -gt 0 ] || die "get needs a name, one of: $known"
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
mkdir -p "$DEPS/drivers" "$DEPS/layers" "$DEPS/tools"
for name; do
    "get_${name//[-.]/_}"
    say "$name is here"
done
