#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Builds the runners that take a suite (tanglefuzz suite), from a checkout of their project:
#   amber      of google/amber: Amber scripts, on Vulkan
#   offloader  of llvm/offload-test-suite: its pipelines, on Vulkan; needs llvm-19-dev and libpng-dev
# Only their own sources are built; libraries and headers are those of build/deps. tests/app_suite_test.sh runs
# the suites with them: TANGLEFUZZ_AMBER and TANGLEFUZZ_OFFLOADER name the programs.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

usage() {
    cat <<'HELP'
usage: scripts/consumers.sh amber|offloader SOURCE OUT

  SOURCE   a checkout of google/amber, or of llvm/offload-test-suite
  OUT      folder for the objects and the program, OUT/amber or OUT/offloader

example: scripts/consumers.sh amber ~/src/amber /tmp/amber
HELP
}

case ${1-} in -h | --help) usage && exit 0 ;; esac
[ $# = 3 ] || { usage >&2 && exit 2; }
what=$1 out=$(realpath -m "$3")
[ -d "$2/include" ] || { echo "consumers: $2: no checkout (it has no folder include)" >&2 && exit 2; }
source=$(realpath "$2") deps=$here/build/deps
library=
for file in "$deps"/{spirv-tools,root}/usr/lib/*/libSPIRV-Tools-opt.a; do
    [ -n "$library" ] || [ ! -e "$file" ] || library=$file
done
loader=$deps/drivers/lavapipe/lib/libvulkan.so.1
for file in "${library:-$deps/spirv-tools}" "$deps/root/usr/include/vulkan/vulkan.h" "$loader"; do
    [ -e "$file" ] || { echo "consumers: no $file: run scripts/setup.sh and scripts/drivers.sh get lavapipe first" >&2 && exit 2; }
done
mkdir -p "$out/o"

# Compiles the files, each once; OPTIONS... come before `--`.
compile() {
    local options=()
    while [ "$1" != -- ]; do options+=("$1") && shift; done
    shift
    for file in "$@"; do
        local object=$out/o/${file//\//_}.o
        [ "$object" -nt "$source/$file" ] || (cd "$source" && ${CXX:-c++} -O0 -w "${options[@]}" -I"$deps/root/usr/include" -c "$file" -o "$object") ||
            { echo "consumers: $file is not compiled" >&2 && exit 1; }
        objects+=("$object")
    done
}

# The files that a CMakeLists.txt lists as SET.
listed() { # CMAKE SET
    sed -n "/^set($2\$/,/)/p; /^set($2 *\$/,/)/p" "$source/$1" | grep -o '[a-z0-9_/]*\.cc' | sort -u | sed "s|^|${1%CMakeLists.txt}|"
}

objects=()
case $what in
amber)
    mkdir -p "$out/src"
    (cd "$source" && python3 tools/update_vk_wrappers.py "$out" .)
    for p in AMBER SPIRV_TOOLS SPIRV_HEADERS GLSLANG SHADERC; do echo "#define ${p}_VERSION \"unknown\""; done >"$out/src/build-versions.h"
    flags=(-std=c++17 -DAMBER_CTS_VULKAN_HEADER=0 -DAMBER_ENGINE_VULKAN=1 -DAMBER_ENGINE_DAWN=0 -DAMBER_ENABLE_SPIRV_TOOLS=1
        -DAMBER_ENABLE_SHADERC=0 -DAMBER_ENABLE_DXC=0 -DAMBER_ENABLE_CLSPV=0 -DAMBER_ENABLE_LODEPNG=0
        -I. -Iinclude -I"$out" -I"${library%/lib/*}/include")
    mapfile -t files < <(listed src/CMakeLists.txt AMBER_SOURCES && listed src/vulkan/CMakeLists.txt VULKAN_ENGINE_SOURCES)
    compile "${flags[@]}" -- "${files[@]}" src/vulkan_engine_config.cc \
        samples/{amber,config_helper,config_helper_vulkan,log,ppm,timestamp}.cc
    cc -w -c "$here/cmake/compat/isoc23.c" -o "$out/o/isoc23.o"
    c++ "${objects[@]}" "$out/o/isoc23.o" -o "$out/amber" -L"${library%/*}" -lSPIRV-Tools-opt \
        -lSPIRV-Tools "$loader" -lpthread
    ;;
offloader)
    llvm=$(llvm-config-19 --prefix 2>/dev/null || echo /usr/lib/llvm-19)
    [ -e "$llvm/include/llvm/Support/YAMLTraits.h" ] || { echo "consumers: no headers of LLVM 19 (Debian: llvm-19-dev)" >&2 && exit 2; }
    sed 's/^#cmakedefine \(OFFLOADTEST_ENABLE_VULKAN\)$/#define \1/; s/^#cmakedefine.*//' "$source/include/Config.h.in" >"$out/Config.h"
    mapfile -t files < <(cd "$source" && ls lib/Support/*.cpp lib/Image/*.cpp lib/API/*.cpp lib/API/VK/*.cpp)
    compile -std=c++20 -fno-rtti -fno-exceptions -DNDEBUG -include "$here/tests/readers/older_llvm.h" -I"$llvm/include" -Iinclude \
        -I"$out" -Ilib/API -D__STDC_CONSTANT_MACROS -D__STDC_FORMAT_MACROS -D__STDC_LIMIT_MACROS -- "${files[@]}" \
        tools/offloader/offloader.cpp
    c++ "${objects[@]}" -o "$out/offloader" -L"$llvm/lib" -lLLVM -lpng "$loader"
    ;;
*) usage >&2 && exit 2 ;;
esac
echo "$out/$what"
