# SPDX-License-Identifier: Apache-2.0
#
# Drivers that Debian has for arm64 only. On another machine they run in QEMU's user emulation: each in a
# process of tanglefuzz-device, which is built for arm64 here. Sourced by drivers.sh after private_root.sh.
#
#   DEPS/roots/mesa-sid-arm64   Mesa's drivers, their shims and arm64's libc; `prefix` there runs any arm64
#                               program: qemu-aarch64-static -cpu max,pauth=off -L ROOT
#   DEPS/tools/arm64            qemu-aarch64-static, tanglefuzz-device

ARM64_TRIPLE=aarch64-linux-gnu
# Debian's arm64 code signs return addresses; QEMU 7.2 emulates that slowly, in six of seven parts of the time.
ARM64_CPU=max,pauth=off

# arm64_qemu: fetches QEMU's emulation of arm64 processes; sets ARM64_QEMU.
arm64_qemu() {
    local dir=$DEPS/tools/arm64 new=$DEPS/roots/.new-qemu version
    ARM64_QEMU=$dir/qemu-aarch64-static
    [ ! -x "$ARM64_QEMU" ] || return 0
    pr_apt "$PR_SUITE"
    version=$(pr_candidate qemu-user-static)
    [ -n "$version" ] || die "no package qemu-user-static in $PR_SUITE for $PR_ARCH"
    say "fetching qemu-user-static ($version, $PR_SUITE) into ${dir#"$PWD"/}"
    rm -rf "$new"
    pr_unpack "$new" "qemu-user-static=$version"
    mkdir -p "$dir"
    mv "$new/usr/bin/qemu-aarch64-static" "$ARM64_QEMU" ||
        die "qemu-user-static $version has no qemu-aarch64-static"
    rm -rf "$new"
}

# arm64_mesa: fetches Mesa's drivers of sid for arm64; sets ARM64_ROOT, ARM64_LIB and ARM64_VERSION.
arm64_mesa() {
    ARM64_ROOT=$DEPS/roots/mesa-sid-arm64 ARM64_LIB=$DEPS/roots/mesa-sid-arm64/usr/lib/$ARM64_TRIPLE
    (
        PR_ARCH=arm64 PR_TRIPLE=$ARM64_TRIPLE PR_FOREIGN=1
        pr_root mesa-sid-arm64 sid mesa-vulkan-drivers mesa-drm-shim libvulkan1
    )
    printf '%s\n' "$ARM64_QEMU" -cpu "$ARM64_CPU" -L "$ARM64_ROOT" >"$ARM64_ROOT/prefix"
    ARM64_VERSION=$(sed -n 's/^mesa-vulkan-drivers=//p' "$ARM64_ROOT/versions")
}

# arm64_compiler: sets ARM64_CC to the words of a C compiler for arm64: the machine's, else one that is fetched.
arm64_compiler() {
    local root=$DEPS/roots/cross-arm64 prefix
    if command -v $ARM64_TRIPLE-gcc >/dev/null; then
        ARM64_CC=$(command -v $ARM64_TRIPLE-gcc)
        return 0
    fi
    pr_root cross-arm64 "$PR_SUITE" gcc-aarch64-linux-gnu libc6-dev-arm64-cross
    ARM64_CC=$root/cc
    prefix=$(while read -r word; do printf "'%s' " "$word"; done <"$root/prefix")
    # The linker's scripts in the package have absolute paths: they are meant below the root.
    printf '#!/bin/sh\nexport LD_LIBRARY_PATH=%s\nexec %s%s --sysroot=%s -isystem %s -B%s/ -L%s "$@"\n' \
        "'$root/usr/lib/$PR_TRIPLE'" "$prefix" "'$root/usr/bin/$ARM64_TRIPLE-gcc'" "'$root'" \
        "'$root/usr/$ARM64_TRIPLE/include'" "'$root/usr/$ARM64_TRIPLE/lib'" "'$root/usr/$ARM64_TRIPLE/lib'" \
        >"$ARM64_CC"
    chmod +x "$ARM64_CC"
}

# arm64_device: builds tanglefuzz-device for arm64 from this source tree, once for each state of it; sets
# ARM64_DEVICE.
arm64_device() {
    local source=$here/.. dir=$DEPS/tools/arm64 build=$DEPS/.arm64-device state
    ARM64_DEVICE=$dir/tanglefuzz-device
    state=$(cd "$source" && cat device/*.[ch] runners/*.[ch] runners/*.def spirv/*.[ch] spirv/*.def base/*.[ch] \
        cmake/device.cmake | cksum)
    if [ -x "$ARM64_DEVICE" ] && [ "$(cat "$dir/source" 2>/dev/null)" = "$state" ]; then return 0; fi
    arm64_compiler
    say "building tanglefuzz-device for arm64 into ${dir#"$PWD"/}"
    rm -rf "$build"
    run cmake -S "$source" -B "$build" -DCMAKE_BUILD_TYPE=Release -DTANGLEFUZZ_DEVICE_ONLY=ON \
        -DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR=aarch64 -DCMAKE_C_COMPILER="$ARM64_CC" \
        -DTANGLEFUZZ_DEPS="$DEPS" &&
        run cmake --build "$build" -j 2 || die "tanglefuzz-device could not be built (details: $DEPS/setup.log)"
    mkdir -p "$dir"
    mv "$build/tanglefuzz-device" "$ARM64_DEVICE"
    echo "$state" >"$dir/source"
    rm -rf "$build"
}

# arm64_driver NAME LIBRARY SHIM [KEY=VALUE...]: a driver of arm64's Mesa; the shim simulates its kernel driver.
# Its file `device` has the words that start a device program on it, one per line.
arm64_driver() {
    local name=$1 library=$2 shim=$3 dir=$DEPS/drivers/$1
    shift 3
    pr_machine
    if [ "$PR_ARCH" = arm64 ]; then
        compile_only "$name" "$library" "$shim" "$@"
        return
    fi
    arm64_qemu
    arm64_mesa
    arm64_device
    driver_folder "$name" "$ARM64_ROOT" "$ARM64_LIB/$library" "$name of Mesa $ARM64_VERSION (sid, arm64)" "$@"
    rm "$dir/prefix"
    # In QEMU's own environment they would be QEMU's.
    printf '%s\n' "$ARM64_QEMU" -cpu "$ARM64_CPU" -L "$ARM64_ROOT" -E "LD_PRELOAD=$ARM64_LIB/$shim" \
        -E "LD_LIBRARY_PATH=$ARM64_LIB" "$ARM64_DEVICE" >"$dir/device"
    : >"$dir/compile-only"
}
