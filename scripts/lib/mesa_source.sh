# SPDX-License-Identifier: Apache-2.0
#
# Builds Mesa's driver for AMD from Debian's source with what release builds leave out: NIR_DEBUG and assertions.
# Sourced after private_source.sh.

# Debian's release builds print NIR only before and after all passes. LLVM, X and Wayland are not needed for that.
MESA_OPTIONS='--buildtype=plain -Doptimization=1 -Db_ndebug=false -Dgallium-drivers= -Dvulkan-drivers=amd -Dplatforms=
    -Dglx=disabled -Degl=disabled -Dgbm=disabled -Dopengl=false -Dgles1=disabled -Dgles2=disabled -Dllvm=disabled
    -Dtools=drm-shim -Dvalgrind=disabled -Dlibunwind=disabled -Dvideo-codecs= -Dshader-cache=disabled
    -Dandroid-libbacktrace=disabled -Dlmsensors=disabled -Dzstd=disabled -Dgallium-va=disabled -Dgallium-vdpau=disabled
    -Dxmlconfig=disabled -Dbuild-tests=false'

# ms_in ROOT COMMAND...: runs a command in a root, with its own libc and compiler.
ms_in() {
    local root=$1 way=(chroot)
    shift
    [ "$(id -u)" = 0 ] || way=(unshare -r chroot)
    run env -i PATH=/usr/sbin:/usr/bin HOME=/ LC_ALL=C CC=gcc CXX=g++ "${way[@]}" "$root" "$@"
}

# mesa_source NUMBER: sets MESA_SOURCE to a folder with the driver, its shim of the kernel's driver and `version`; builds
# them once, from trixie's source of Mesa NUMBER.
mesa_source() {
    local work=$DEPS/roots/.new-mesa-source list
    MESA_SOURCE=$DEPS/roots/mesa-source
    [ ! -e "$MESA_SOURCE/complete" ] || return 0
    pr_machine
    pr_apt trixie
    list=$(pr_closure meson ninja-build g++ pkgconf bison flex glslang-tools libdrm-dev zlib1g-dev libelf-dev \
        libexpat1-dev python3-mako python3-yaml python3-packaging bash dash coreutils sed grep)
    [ -n "$list" ] || die "apt cannot resolve what Mesa is built with (trixie; details: $DEPS/setup.log)"
    say "fetching $(wc -l <<<"$list") packages of trixie that build Mesa $1"
    rm -rf "$work"
    PR_BOX=$DEPS/roots/.debs-mesa-source
    # shellcheck disable=SC2086
    pr_unpack "$work" $list
    unset PR_BOX
    mkdir -p "$work/dev" "$work/tmp"
    : >"$work/dev/null" # a file, as a device needs more rights
    ms_in "$work" /usr/bin/true || die "Mesa $1 is built in a private root: that needs root, or a kernel and a" \
        "machine where 'unshare -r chroot' works (details: $DEPS/setup.log)"
    ps_source trixie mesa "$work/mesa"
    case $(cat "$work/mesa/VERSION") in
    "$1".*) ;;
    *) die "radv-$1: trixie's source is now of Mesa $(cat "$work/mesa/VERSION")" ;;
    esac
    say "building Mesa $(cat "$work/mesa/VERSION") with NIR_DEBUG (6 minutes of one processor) into ${MESA_SOURCE#"$PWD"/}"
    # shellcheck disable=SC2086
    ms_in "$work" meson setup $MESA_OPTIONS /mesa/build /mesa &&
        ms_in "$work" ninja -j "$(nproc)" -C /mesa/build src/amd/vulkan/libvulkan_radeon.so \
            src/amd/drm-shim/libamdgpu_noop_drm_shim.so ||
        die "Mesa could not be built (details: $DEPS/setup.log)"
    rm -rf "$MESA_SOURCE"
    mkdir -p "$MESA_SOURCE"
    cp "$work/mesa/build/src/amd/vulkan/libvulkan_radeon.so" "$work/mesa/build/src/amd/drm-shim/libamdgpu_noop_drm_shim.so" \
        "$MESA_SOURCE/"
    cp "$work/mesa/VERSION" "$MESA_SOURCE/version"
    : >"$MESA_SOURCE/complete"
    rm -rf "$work"
}
