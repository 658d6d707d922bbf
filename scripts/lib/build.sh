# SPDX-License-Identifier: Apache-2.0
#
# build_preset PRESET [cmake option...]: configures and builds in build/PRESET, from the
# repository's root. Quiet unless it fails; then prints errors of the log. BUILD_TARGET: build only these. Sourced.
build_preset() {
    local preset=$1 log=build/$1/build.log home
    shift
    echo "build: $preset in build/$preset"
    # A build folder of a tree that has moved cannot be used again.
    home=$(sed -n 's/^CMAKE_HOME_DIRECTORY:INTERNAL=//p' "build/$preset/CMakeCache.txt" 2>/dev/null) ||
        true
    [ "$home" -ef . ] || rm -rf "build/$preset"
    mkdir -p "build/$preset"
    # A configured folder keeps its generator.
    if [ ! -e "build/$preset/CMakeCache.txt" ] && command -v ninja >/dev/null; then
        export CMAKE_GENERATOR=${CMAKE_GENERATOR-Ninja}
    fi
    if ! { cmake --preset "$preset" "$@" && cmake --build "build/$preset" ${BUILD_TARGET:+--target $BUILD_TARGET} -j "$(nproc)"; } \
        >"$log" 2>&1; then
        grep -E -A3 '(error|Error)[: ]|undefined reference' "$log" | head -40 >&2 || true
        echo "build: failed (see $log)" >&2
        exit 1
    fi
}
