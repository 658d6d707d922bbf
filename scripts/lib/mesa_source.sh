# SPDX-License-Identifier: Apache-2.0
#
# Builds Mesa's drivers from Debian's source with what release builds leave out: NIR_DEBUG and assertions.
# Sourced after private_source.sh.

# Debian's release builds print NIR only before and after all passes. X and Wayland are not needed for that.
MESA_OPTIONS='--wrap-mode=nodownload -Dgallium-drivers= --buildtype=plain -Doptimization=1 -Db_ndebug=false -Dplatforms=
    -Dglx=disabled -Degl=disabled -Dgbm=disabled -Dopengl=false -Dgles1=disabled -Dgles2=disabled
    -Dtools=drm-shim -Dvalgrind=disabled -Dlibunwind=disabled -Dvideo-codecs= -Dshader-cache=disabled
    -Dandroid-libbacktrace=disabled -Dlmsensors=disabled -Dzstd=disabled -Dgallium-va=disabled -Dgallium-vdpau=disabled
    -Dllvm=disabled -Dxmlconfig=disabled -Dbuild-tests=false'
MESA_TOOLS='meson ninja-build g++ pkgconf bison flex glslang-tools libdrm-dev zlib1g-dev libelf-dev libexpat1-dev
    python3-mako python3-yaml python3-packaging bash dash coreutils sed grep'
# Crates of Mesa's compiler for NVIDIA, from Debian's packages.
MESA_CRATES='paste proc-macro2 quote syn unicode-ident'

# ms_row DRIVER: sets MS_MESON (its options), MS_PACKAGES (what it needs besides), MS_MADE (what ninja builds), MS_WITH
# (libraries of trixie that the driver needs and sid does not have).
ms_row() {
    MS_WITH=
    case $1 in
    radv)
        # Without LLVM, which is its disassembler: its last level is ACO's code after register allocation.
        MS_MESON='-Dvulkan-drivers=amd' MS_PACKAGES=
        MS_MADE='src/amd/vulkan/libvulkan_radeon.so src/amd/drm-shim/libamdgpu_noop_drm_shim.so'
        ;;
    nvk)
        MS_MESON='-Dvulkan-drivers=nouveau'
        MS_PACKAGES='rustc bindgen rustfmt cbindgen librust-syn-dev librust-paste-dev gzip python3-lxml'
        MS_MADE='src/nouveau/vulkan/libvulkan_nouveau.so src/nouveau/drm-shim/libnouveau_noop_drm_shim.so'
        ;;
    turnip)
        MS_MESON='-Dvulkan-drivers=freedreno' MS_PACKAGES='gzip python3-lxml'
        MS_MADE='src/freedreno/vulkan/libvulkan_freedreno.so src/freedreno/drm-shim/libfreedreno_noop_drm_shim.so'
        ;;
    anv) # a compiler of OpenCL C makes its own shaders; the driver itself does not need LLVM
        MS_MESON='-Dvulkan-drivers=intel -Dllvm=enabled -Dintel-rt=disabled'
        MS_PACKAGES='llvm-19-dev libclang-19-dev libclang-cpp19-dev libclc-19 libclc-19-dev libllvmspirvlib-19-dev libudev-dev'
        MS_MADE=src/intel/vulkan/libvulkan_intel.so
        ;;
    lavapipe)
        MS_MESON='-Dvulkan-drivers=swrast -Dgallium-drivers=llvmpipe -Dllvm=enabled'
        MS_PACKAGES='llvm-19-dev libudev-dev' MS_WITH='libLLVM.so.19.1'
        MS_MADE=src/gallium/targets/lavapipe/libvulkan_lvp.so
        ;;
    esac
}

# ms_in ROOT COMMAND...: runs a command in a root, with its own libc and compiler.
ms_in() {
    local root=$1 way=(chroot)
    shift
    [ "$(id -u)" = 0 ] || way=(unshare -r chroot)
    run env -i PATH=/usr/sbin:/usr/bin HOME=/ LC_ALL=C CC=gcc CXX=g++ "${way[@]}" "$root" "$@"
}

# ms_crates ROOT: puts Debian's crates where Mesa's build looks for those that it would download.
ms_crates() {
    local name from into
    for name in $MESA_CRATES; do
        from=$(find "$1/usr/share/cargo/registry" -maxdepth 1 -name "$name-[0-9]*" | head -n 1)
        into=$(sed -n 's/^directory *= *//p' "$1/mesa/subprojects/$name.wrap")
        [ -n "$from" ] && [ -n "$into" ] || die "Mesa's build needs the crate $name, which trixie does not have"
        cp -r "$from" "$1/mesa/subprojects/$into"
        cp -r "$1/mesa/subprojects/packagefiles/$name/." "$1/mesa/subprojects/$into/"
    done
}

# mesa_source NUMBER DRIVER: sets MESA_SOURCE to a folder with the driver, its shim of the kernel's driver,
# libraries that sid lacks and `version`; builds them once, from trixie's source of Mesa NUMBER. DRIVER: a row of ms_row.
mesa_source() {
    local work=$DEPS/roots/.new-mesa-source list one
    MESA_SOURCE=$DEPS/roots/mesa-source/$2
    [ ! -e "$MESA_SOURCE/complete" ] || return 0
    ms_row "$2"
    pr_machine
    pr_apt trixie
    # shellcheck disable=SC2086
    list=$(pr_closure $MESA_TOOLS $MS_PACKAGES)
    [ -n "$list" ] || die "apt cannot resolve what Mesa is built with (trixie; details: $DEPS/setup.log)"
    say "fetching $(wc -l <<<"$list") packages of trixie that build Mesa $1's $2"
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
    *) die "$2-$1: trixie's source is now of Mesa $(cat "$work/mesa/VERSION")" ;;
    esac
    [ "$2" != nvk ] || ms_crates "$work"
    say "building $2 of Mesa $(cat "$work/mesa/VERSION") with NIR_DEBUG (6 minutes of one processor or more) into" \
        "${MESA_SOURCE#"$PWD"/}"
    # shellcheck disable=SC2086
    ms_in "$work" meson setup $MESA_OPTIONS $MS_MESON /mesa/build /mesa &&
        ms_in "$work" ninja -j "$(nproc)" -C /mesa/build $MS_MADE ||
        die "Mesa could not be built (details: $DEPS/setup.log)"
    rm -rf "$MESA_SOURCE"
    mkdir -p "$MESA_SOURCE"
    for one in $MS_MADE; do
        cp "$work/mesa/build/$one" "$MESA_SOURCE/"
    done
    for one in $MS_WITH; do
        cp -L "$work/usr/lib/$PR_TRIPLE/$one" "$MESA_SOURCE/"
    done
    cp "$work/mesa/VERSION" "$MESA_SOURCE/version"
    : >"$MESA_SOURCE/complete"
    rm -rf "$work"
}
