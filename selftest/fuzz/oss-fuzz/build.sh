#!/bin/bash -eu
# Copyright 2026 the tanglefuzz authors
#
# Licensed under the Apache License, Version 2.0 (the "License");
# you may not use this file except in compliance with the License.
# You may obtain a copy of the License at
#
#      http://www.apache.org/licenses/LICENSE-2.0
#
# Unless required by applicable law or agreed to in writing, software
# distributed under the License is distributed on an "AS IS" BASIS,
# WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
# See the License for the specific language governing permissions and
# limitations under the License.
#
################################################################################
# Builds SPIRV-Tools with the engine's instrumentation, then the fuzz targets against it.
# Uses CC CXX CFLAGS CXXFLAGS LIB_FUZZING_ENGINE SANITIZER ARCHITECTURE SRC WORK OUT.
# TANGLEFUZZ_TARGETS: builds only these targets (selftest/fuzz/README.md).

prefix=$WORK/prefix
compilers=(-DCMAKE_C_COMPILER="$CC" -DCMAKE_CXX_COMPILER="$CXX" -DCMAKE_BUILD_TYPE=None -G Ninja)
if [ -n "${TANGLEFUZZ_COMPILER_LAUNCHER-}" ]; then # for local builds
    compilers+=(-DCMAKE_C_COMPILER_LAUNCHER="$TANGLEFUZZ_COMPILER_LAUNCHER"
        -DCMAKE_CXX_COMPILER_LAUNCHER="$TANGLEFUZZ_COMPILER_LAUNCHER")
fi

if [ -n "${TANGLEFUZZ_SPIRV_TOOLS-}" ]; then # for local builds: already built
    prefix=$TANGLEFUZZ_SPIRV_TOOLS
else
    mkdir -p "$prefix/lib" "$prefix/include"
    # Without assertions: "the size changed though the pass reports no change" would end nearly
    # every run before any result is compared. Without hooks at comparisons: the values that
    # SPIRV-Tools compares do not occur in the bytes that choose a program, and the hooks take a
    # quarter of the time.
    flags="$CXXFLAGS -DNDEBUG"
    [ "${FUZZING_ENGINE-libfuzzer}" != libfuzzer ] || flags+=" -fno-sanitize-coverage=trace-cmp"
    cmake -S "$SRC/spirv-tools" -B "$WORK/spirv-tools" "${compilers[@]}" \
        -DCMAKE_CXX_FLAGS="$flags" -DSPIRV-Headers_SOURCE_DIR="$SRC/spirv-headers" -DSPIRV_SKIP_TESTS=ON \
        -DSPIRV_SKIP_EXECUTABLES=ON -DSPIRV_WERROR=OFF
    cmake --build "$WORK/spirv-tools" --target SPIRV-Tools-static SPIRV-Tools-opt
    find "$WORK/spirv-tools" \( -name libSPIRV-Tools.a -o -name libSPIRV-Tools-opt.a \) \
        -exec cp {} "$prefix/lib/" \;
    cp -r "$SRC/spirv-tools/include/spirv-tools" "$SRC/spirv-headers/include/spirv" \
        "$SRC/vulkan-headers/include/"* "$SRC/volk/volk.h" "$SRC/volk/volk.c" "$prefix/include/"
fi

cmake -S "$SRC/tanglefuzz" -B "$WORK/tanglefuzz" "${compilers[@]}" \
    -DTANGLEFUZZ_FUZZ=ON -DTANGLEFUZZ_FUZZ_ENGINE="$LIB_FUZZING_ENGINE" -DBUILD_TESTING=OFF \
    -DSPIRV_TOOLS_ROOT="$prefix" -DCMAKE_PREFIX_PATH="$prefix" -DTANGLEFUZZ_DEPS="$WORK/none"
# shellcheck disable=SC2086
cmake --build "$WORK/tanglefuzz" --target ${TANGLEFUZZ_TARGETS:-tf_fuzzers}

. "$SRC/tanglefuzz/selftest/fuzz/kinds.sh"
seeds=$SRC/tanglefuzz/corpus/seeds
cp "$SRC/tanglefuzz/selftest/fuzz/oss-fuzz/known.txt" "$OUT/"
for target in "$WORK"/tanglefuzz/tf_*_fuzzer; do
    name=$(basename "$target")
    [ "$name" != tf_vulkan_fuzzer ] || continue # the farm has no Vulkan driver
    cp "$target" "$OUT/"
    rm -f "$OUT/${name}_seed_corpus.zip" # zip would add to an existing archive
    for kind in $(kinds_of "$name"); do
        (cd "$seeds/$kind" && zip -q -r "$OUT/${name}_seed_corpus.zip" .)
    done
    case $(kinds_of "$name") in
    choices) settings=choices ;;
    cases) settings=cases ;;
    *) settings=words ;;
    esac
    cp "$SRC/tanglefuzz/selftest/fuzz/oss-fuzz/$settings.options" "$OUT/$name.options"
    if [ -e "$SRC/tanglefuzz/selftest/fuzz/oss-fuzz/$settings.dict" ]; then
        cp "$SRC/tanglefuzz/selftest/fuzz/oss-fuzz/$settings.dict" "$OUT/$name.dict"
    fi
done
