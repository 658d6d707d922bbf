# SPDX-License-Identifier: Apache-2.0
#
# What the tests of corpus/regress share. Sourced behind app_lib.sh.
folder=$SOURCE_DIR/corpus/regress known=$SOURCE_DIR/corpus/regress/known
drivers=${TANGLEFUZZ_DRIVERS-$DEPS_DIR/drivers}

# here TARGET: whether it can be opened; only spirv-opt has to be.
here() {
    case $1 in
    spirv-opt*) return 0 ;;
    llvm:* | check:llvm:* | isa:llvm:* | clang-hlsl* | glslang-hlsl*) [ -e "${TANGLEFUZZ_LLVM_DIR-$DEPS_DIR/llvm}/23/loader" ] ;;
    *{tools}/*) set -- "${1#*\{tools\}/}" && [ -x "$drivers/../tools/${1%% *}" ] ;;
    naga*) [ -x "$drivers/../tools/naga/bin/naga-server" ] ;;
    *naga-tint*) [ -x "$drivers/../tools/naga/bin/naga-server" ] && [ -e "$drivers/../tools/dawn/dawn.mjs" ] ;;
    roundtrip*) [ -x "$drivers/../tools/sid/bin/spirv-cross" ] ;;
    isa:ptxas*) [ -x "$drivers/../tools/ptxas/bin/nvdisasm" ] || command -v nvdisasm >/dev/null ;;
    *driver=*) set -- "${1#*driver=}" && [ -e "$drivers/${1%%,*}/env" ] ;;
    *) return 1 ;;
    esac
}

# may_be_gone TARGET: whether this version need not show what was seen: any of a driver; of SPIRV-Tools in the program
# one newer than those that were looked at.
may_be_gone() {
    [[ $1 != spirv-opt* ]] || ! "$TF" --version | grep -Eq 'SPIRV-Tools v(2025\.1|2026\.4)([^0-9]|$)'
}
