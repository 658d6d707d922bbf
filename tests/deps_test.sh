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
configure() { cmake -S "$SOURCE_DIR" -B build -DTANGLEFUZZ_DEPS="$work/none" -DCMAKE_PREFIX_PATH="$1" 2>&1 | tr -s ' \n' ' '; }

mkdir -p empty/include old/include/spirv-tools
: >old/include/spirv-tools/libspirv.h
configure "$work/empty" >said
report not_found "$(grep -q 'no spirv_tools: include/spirv-tools/libspirv.h is in none of .*empty' said || cat said)"
report not_found_is_not_too_old "$(grep -oE 'too old|new enough' said)"
configure "$work/old" >said
report too_old "$(grep -q 'no spirv_tools that can be used; .*old/include/spirv-tools/libspirv.h is' said || cat said)"

# A Vulkan SDK: volk in a folder of its own.
cp -rs "$root" sdk
mkdir sdk/include/volk && mv sdk/include/volk.[ch] sdk/include/volk/
rm -rf build
configure "$work/sdk" >said
report sdk_volk "$(grep -q 'Build files have been written' said || tail -c 600 said)"
report sdk_volk_is_compiled "$(grep -q include/volk/volk.c build/compile_commands.json || echo 'no include/volk/volk.c')"
