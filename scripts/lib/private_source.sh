# SPDX-License-Identifier: Apache-2.0
#
# Fetches original source tarballs of Debian packages into a private folder. Sourced after
# private_root.sh.

# ps_source SUITE PACKAGE FOLDER: unpacks the package's original source as FOLDER.
ps_source() {
    local suite=$1 package=$2 into=$3 box tarball
    pr_apt "$suite"
    sed 's/^deb \(\[[^]]*\]\)/deb-src \1/' "${PR_APT%/*}/etc/sources.list" \
        >"${PR_APT%/*}/etc/sources.list.src"
    cat "${PR_APT%/*}/etc/sources.list.src" >>"${PR_APT%/*}/etc/sources.list"
    rm "${PR_APT%/*}/etc/sources.list.src"
    run env APT_CONFIG="$PR_APT" apt-get -q update --error-on=any ||
        die "apt could not read the sources of $suite from $PR_MIRROR (details: $DEPS/setup.log)"
    box=$DEPS/apt/src
    rm -rf "$box" "$into.part"
    mkdir -p "$box" "$into.part"
    (cd "$box" && run env APT_CONFIG="$PR_APT" apt-get -q source --download-only --tar-only "$package/$suite") ||
        die "apt could not download the source of $package ($suite; details: $DEPS/setup.log)"
    tarball=$(find "$box" -name '*.orig.tar.*' ! -name '*.asc' | head -n 1)
    [ -n "$tarball" ] || die "the source of $package ($suite) has no original tarball"
    tar -x -f "$tarball" --strip-components=1 -C "$into.part" ||
        die "could not unpack ${tarball##*/}"
    rm -rf "$into" "$box"
    mv "$into.part" "$into"
}

# ps_spirv_tools [FOLDER]: puts the sources of SPIRV-Tools and SPIRV-Headers into $DEPS/src/spirv-tools and
# $DEPS/src/spirv-headers: links to FOLDER/spirv-tools and FOLDER/spirv-headers if given, else
# Debian 13's original tarballs. Next to them volk and Vulkan-Headers, as in their own trees.
ps_spirv_tools() {
    local own=${1-} name include
    mkdir -p "$DEPS/src"
    for name in spirv-tools spirv-headers; do
        if [ -n "$own" ]; then
            [ -d "$own/$name" ] || die "$own has no folder $name"
            rm -rf "$DEPS/src/$name"
            ln -s "$(cd "$own/$name" && pwd)" "$DEPS/src/$name"
        elif [ ! -e "$DEPS/src/$name/CMakeLists.txt" ]; then
            say "fetching the source of $name (trixie) into ${DEPS#"$PWD"/}/src"
            ps_source trixie "$name" "$DEPS/src/$name"
        fi
    done
    for include in "$DEPS/root/usr/include" /usr/include; do
        [ ! -e "$include/volk.c" ] || break
    done
    mkdir -p "$DEPS/src/vulkan-headers/include" "$DEPS/src/volk"
    ln -sfn "$include/vulkan" "$DEPS/src/vulkan-headers/include/vulkan"
    [ ! -d "$include/vk_video" ] || ln -sfn "$include/vk_video" "$DEPS/src/vulkan-headers/include/vk_video"
    ln -sf "$include/volk.h" "$include/volk.c" "$DEPS/src/volk/"
}

# As selftest/fuzz/oss-fuzz/build.sh builds it, with both sanitizers. Without assertions: one in six hundred programs triggers "the size
# changed though a pass says that nothing did", and would end there.
PS_SANITIZED='-O2 -gline-tables-only -DNDEBUG -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize=vptr,function -fno-sanitize-recover=all'

# ps_build_spirv_tools FOLDER FLAGS [CMAKE_OPTION...]: builds the two static libraries with these
# compiler flags and puts them and the headers into FOLDER (lib/, include/), atomically.
ps_build_spirv_tools() {
    local into=$1 flags=$2 work=$DEPS/src/build-${1##*/} launcher=()
    shift 2
    ! command -v ccache >/dev/null ||
        launcher=(-DCMAKE_C_COMPILER_LAUNCHER=ccache -DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
    say "building SPIRV-Tools with ${flags:-no flags} (ten minutes on two cores)"
    run cmake -S "$DEPS/src/spirv-tools" -B "$work" -DCMAKE_BUILD_TYPE=None "${launcher[@]}" \
        -DCMAKE_C_FLAGS="$flags" -DCMAKE_CXX_FLAGS="$flags" -DSPIRV_SKIP_TESTS=ON \
        -DSPIRV-Headers_SOURCE_DIR="$DEPS/src/spirv-headers" -DSPIRV_SKIP_EXECUTABLES=ON \
        -DSPIRV_WERROR=OFF "$@" &&
        run cmake --build "$work" -j "$(nproc)" --target SPIRV-Tools-static SPIRV-Tools-opt ||
        die "SPIRV-Tools could not be built (details: $DEPS/setup.log)"
    rm -rf "$into.part" && mkdir -p "$into.part/lib" "$into.part/include"
    find "$work" \( -name libSPIRV-Tools.a -o -name libSPIRV-Tools-opt.a \) \
        -exec cp {} "$into.part/lib/" \;
    cp -r "$DEPS/src/spirv-tools/include/spirv-tools" "$DEPS/src/spirv-headers/include/spirv" \
        "$into.part/include/"
    rm -rf "$into" && mv "$into.part" "$into"
}
