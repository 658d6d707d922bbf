#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# What the build says of libraries that it does not find, and where it finds them.
. "$SOURCE_DIR/tests/app_lib.sh" || exit 1

root=$DEPS_DIR/root/usr
if [ -e /usr/include/spirv-tools/libspirv.h ] || [ -e /usr/local/include/spirv-tools/libspirv.h ] || [ ! -e "$root/include/volk.c" ]; then
    skip deps 'this machine has the libraries itself'
    exit
fi
command -v make >/dev/null || export CMAKE_GENERATOR=Ninja # as scripts/lib/build.sh has it
configure() { cmake -S "$SOURCE_DIR" -B build -DTANGLEFUZZ_DEPS="$work/none" -DCMAKE_PREFIX_PATH="$1" 2>&1 | tr -s ' \n' ' '; }

mkdir -p empty/include old/include/spirv-tools
: >old/include/spirv-tools/libspirv.h
configure "$work/empty" >said
report not_found "$(grep -q 'no spirv_tools: include/spirv-tools/libspirv.h not found in .*empty' said || cat said)"
report not_found_is_not_too_old "$(grep -oE 'too old|new enough' said)"
configure "$work/old" >said
report too_old "$(grep -q 'no usable spirv_tools; .*old/include/spirv-tools/libspirv.h is' said || cat said)"

# A Vulkan SDK: volk in a folder of its own.
cp -rs "$root" sdk
mkdir sdk/include/volk && mv sdk/include/volk.[ch] sdk/include/volk/
rm -rf build
configure "$work/sdk" >said
report sdk_volk "$(grep -q 'Build files have been written' said || tail -c 600 said)"
report sdk_volk_is_compiled "$(grep -q include/volk/volk.c build/compile_commands.json || echo 'no include/volk/volk.c')"

# Set-up without a mirror: a line that says so, and SPIRV-Tools as it was. (What links is tried by set-up itself.)
if command -v apt-get >/dev/null && [ -e "$DEPS_DIR/root/spirv-complete" ]; then
    mkdir -p offline/deps bin && cp -rs "$DEPS_DIR/root" offline/deps/root
    printf '#!/bin/sh\ncase "$*" in *indextargets*) exec %s "$@" ;; esac\nexit 100\n' "$(command -v apt-get)" >bin/apt-get
    chmod +x bin/apt-get
    t set_up_offline 0 '^setup: SPIRV-Tools 2026.4 cannot be fetched \(apt could not read sid .*\): using the older one$' '' \
        env PATH="$work/bin:$PATH" "$SOURCE_DIR/scripts/setup.sh" --build-dir "$work/offline" --no-drivers
    report set_up_offline_leaves "$(find offline/deps -maxdepth 1 -name '*spirv-tools*')"
fi
