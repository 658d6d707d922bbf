#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# WebGPU's compilers as targets: naga, Tint, Dawn, where scripts/drivers.sh has brought them. The rules'
# cases must agree, as far as WGSL can say them.
. "$(dirname "${BASH_SOURCE[0]}")/app_lib.sh"
rules=$SOURCE_DIR/corpus/rules
case=$rules/M6-break-block-stays-split.spvasm
tools=${TANGLEFUZZ_TOOLS-$DEPS_DIR/tools}

bad naga_option "'naga:msl': use naga, naga:wgsl or naga:from-wgsl" "$TF" replay "$case" --target naga:msl
bad dawn_option 'the options are driver=NAME' "$TF" replay "$case" --target dawn:size=8
TANGLEFUZZ_TOOLS=$work bad no_naga 'naga is not installed .scripts/drivers.sh get naga' "$TF" replay "$case" --target naga
TANGLEFUZZ_TOOLS=$work bad no_dawn 'Dawn is not installed .scripts/drivers.sh get dawn' "$TF" replay "$case" --target tint

# Nothing but what the language or a mode leaves out may be skipped, and nothing may be wrong.
right() { # NAME TARGET AGREED-AT-LEAST
    "$TF" replay "$rules" --target "$2" >out 2>&1
    local agreed wrong
    agreed=$(sed -nE 's/^(.*: )?([0-9]+) agreed, .*/\2/p' out)
    wrong=$(sed -nE 's/^(.*: )?[0-9]+ agreed, ([0-9]+) wrong.*/\2/p' out)
    report "$1" "$([ "${agreed:-0}" -ge "$3" ] && [ "$wrong" = 0 ] || { grep -v agrees out | tail -n 20; echo "$agreed agreed, $wrong wrong"; })"
}
if [ -x "$tools/naga/bin/naga-server" ]; then
    t naga_campaign 0 '^  agreed +[1-9][0-9]$' - "$TF" fuzz --target naga --model assumed-maximal --known "$SOURCE_DIR/corpus/known/naga" --cases 60 --out naga
    t naga_wgsl_campaign 0 '^  agreed +[1-9][0-9]$' - "$TF" fuzz --target naga:wgsl --model assumed-maximal --known "$SOURCE_DIR/corpus/known/naga" --cases 60 --out wgsl
    t naga_from_wgsl_campaign 0 '^  agreed +[1-9][0-9]$' - "$TF" fuzz --target naga:from-wgsl --model assumed-maximal --cases 60 --out from
    report naga_reads_what_is_made "$(grep -E 'reading SPIR-V' out)"
    t naga_knows_no_mode 2 - 'does not promise maximal reconvergence' "$TF" fuzz --target naga --cases 5 --out mode
else
    skip naga 'target not here: naga, which scripts/drivers.sh gets'
fi
if [ -e "$tools/dawn/dawn.mjs" ] && have_lavapipe && command -v node >/dev/null; then
    right tint_rules tint 60
    # More than one process of the server answers.
    t tint_campaign 0 '^  agreed +(26|27)[0-9]$' - "$TF" fuzz --target tint --profile small --cases 270 --out tint
    right dawn_rules dawn:driver=lavapipe 20
    t dawn_campaign 0 '^  agreed +[56][0-9]$' - "$TF" fuzz --target dawn:driver=lavapipe --profile small --cases 20 --inputs 3 --out dawn
    t tint_in_a_chain 0 '^  agreed +(9|10)$' - "$TF" fuzz --target 'tint | spirv-opt:-O | vulkan:driver=lavapipe' \
        --profile small --inputs 1 --cases 10 --out chain
    if [ -x "$tools/naga/bin/naga-server" ]; then
        t naga_tint_campaign 0 '^  agreed +[1-5][0-9]$' - "$TF" fuzz --target roundtrip:naga-tint --model assumed-maximal \
            --known "$SOURCE_DIR/corpus/known/naga" --profile small --cases 50 --out naga-tint
        bad naga_tint_option 'and before them as-written' "$TF" replay "$case" --target roundtrip:naga-tint:size=8
        ballot=$SOURCE_DIR/corpus/regress/naga-wgsl-ballot-without-argument-rejected.spvasm
        t naga_tint 0 ': agrees: ' - "$TF" replay "$ballot" --target roundtrip:naga-tint
    fi
    t wgsl_for_people 0 'fn main' '' "$TF" print "$case" --as wgsl
else
    skip dawn 'target not here: dawn, which scripts/drivers.sh gets, on lavapipe'
fi
# A browser, where there is one: what it makes of our WGSL, and of naga's, which says something else.
if command -v "${BROWSER:-chromium}" >/dev/null && command -v node >/dev/null && [ -x "$tools/naga/bin/naga-server" ]; then
    browser="exec-device-server:node $SOURCE_DIR/examples/browser-device.mjs" wrong=naga-switch-default-shares-label-T12
    export TANGLEFUZZ=$TF
    t browser 0 ': agrees: 32 bits' - "$TF" replay "$SOURCE_DIR/corpus/regress/$wrong.spvasm" --target "$browser"
    t browser_of_naga 1 ': wrong-memory: buffer 0:1, word 0: expected 1' - "$TF" replay \
        "$SOURCE_DIR/corpus/regress/$wrong.spvasm" --target "$browser --naga $tools/naga/bin/naga-server"
    BROWSER=/bin/false bad no_browser 'the browser ended \(1\)' "$TF" replay "$case" --target "$browser"
else
    skip browser 'no browser: chromium, node and naga'
fi
