#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Drivers of another architecture: a driver's file `device` names the program that has it. With lavapipe in the place of such a
# driver: it compiles, a crash is a finding, and a missing program is named. And arm64's drivers, where they are.
. "$(dirname "${BASH_SOURCE[0]}")/app_lib.sh"
device=$BUILD_DIR/tanglefuzz-device
case=$SOURCE_DIR/corpus/rules/M6-break-block-stays-split.spvasm
drivers=${TANGLEFUZZ_DRIVERS-$DEPS_DIR/drivers}

if have_lavapipe; then
    python=$(command -v python3)
    far() { # NAME WORD...: a folder with this program
        mkdir -p "mine/$1"
        cp "$drivers/lavapipe/env" "mine/$1/env"
        touch "mine/$1/compile-only"
        printf '%s\n' "${@:2}" >"mine/$1/device"
    }
    far whole "$device"
    far dies "$python" "$SOURCE_DIR/tests/device_link.py" crash=3 "$device"
    far none "$work/no-emulator" "$device"
    far no_device "$python" "$work/no-device"
    far empty
    : >mine/empty/device
    export TANGLEFUZZ_DRIVERS=$work/mine
    t far_compiles 0 ': compiled' '' "$TF" replay "$case" --target check:vulkan:driver=whole
    t far_draws 0 '^  compiled +3, and not run$' - "$TF" fuzz --target check:vulkan:driver=whole --stage fragment --cases 3 \
        --inputs 1 --profile small --out draws
    t far_crashes 1 '^ +[1-9][0-9]* +crash$' - "$TF" fuzz --target check:vulkan:driver=dies --cases 9 --inputs 1 --profile small \
        --out crashes
    report and_goes_on "$(grep -Eq '^  compiled +[1-9]' out || cat out)"
    bad far_runs_nothing "'whole' only compiles here: use check:vulkan:driver=whole, or isa:nir:vulkan:driver=whole if" \
        "$TF" replay "$case" --target vulkan:driver=whole
    bad far_no_machine_code "only compiles here" "$TF" replay "$case" --target isa:vulkan:driver=whole
    bad far_no_nir "the NIR of 'llvmpipe.*' is not supported" "$TF" replay "$case" --target isa:nir:vulkan:driver=whole
    bad far_no_layer 'without the validation layer' "$TF" replay "$case" --target check:vulkan:driver=whole --validate
    bad no_emulator "'none' needs .*/no-emulator, which is missing: .scripts/drivers.sh get none" \
        "$TF" replay "$case" --target check:vulkan:driver=none
    bad no_device_program "'no_device' needs .*/no-device, which is missing" \
        "$TF" replay "$case" --target check:vulkan:driver=no_device
    bad no_words 'its file .device. is empty' "$TF" replay "$case" --target check:vulkan:driver=empty
    rm -r mine/dies mine/empty mine/no_device
    t far_listed 0 '^  check:vulkan:driver=whole$' '' "$TF" targets
    report unusable_listed "$(grep -q 'check:vulkan:driver=none' out && grep -q 'no-emulator, which is missing' out || cat out)"
    unset TANGLEFUZZ_DRIVERS
else
    skip far "no lavapipe: scripts/setup.sh gets it"
fi

export TANGLEFUZZ_DRIVERS=$drivers
for driver in panvk:16:maximal v3dv:16:maximal powervr:32:assumed-maximal; do
    IFS=: read -r name size model <<<"$driver"
    if [ ! -e "$drivers/$name/device" ]; then
        skip "$name" "target not here: scripts/drivers.sh get $name"
        continue
    fi
    "$TF" gen --seed 4 --profile small --subgroup "$size" --model "$model" --only if,ballot,divergent-trips -o "$name.spvasm"
    t "${name}_compiles" 0 ': compiled' '' "$TF" replay "$name.spvasm" --target "check:vulkan:driver=$name"
    t "${name}_agrees" 0 ': agrees: [1-9]' '' "$TF" replay "$name.spvasm" --target "isa:nir:vulkan:driver=$name"
done
if [ -e "$drivers/v3dv/device" ]; then
    t v3dv_code_agrees 0 ': agrees: [1-9]' '' "$TF" replay v3dv.spvasm --target isa:vulkan:driver=v3dv --driver-text code.txt
    report v3dv_code_shown "$(grep -q 'MESA_SHADER_COMPUTE prog [0-9]*/[0-9]* QPU:' code.txt || head -3 code.txt)"
else
    skip v3dv_code "target not here: scripts/drivers.sh get v3dv"
fi
# The levels of their dumps.
regress=$SOURCE_DIR/corpus/regress
if [ -e "$drivers/v3dv/device" ]; then
    t v3dv_levels 0 '^  levels  6: 6 run, 0 skipped$' '' "$TF" bisect v3dv.spvasm --target isa:vulkan:driver=v3dv
    t v3dv_back_end 1 '^  pass    nir_to_vir \(level 4 of 6\)$' '' \
        "$TF" bisect "$regress/v3dv-26.2-elect-in-lanes-that-left-T8.spvasm" --target isa:vulkan:driver=v3dv
    "$TF" replay v3dv.spvasm --target isa:vulkan:driver=v3dv,dump --driver-text v3d.txt >/dev/null
    sed '/prog [0-9]*.0 NIR:/,/VIR:/ s/ ult32 / uge32 /' v3d.txt >planted
    t v3dv_wrong_out_of_ssa 0 '^  also    wrong after NIR out of SSA \(level 3\), right again later' '' "$TF" bisect v3dv.spvasm --dump planted --as v3d
    sed '/ QPU:$/,$ s/(0x00000201/(0x00000202/' v3d.txt >planted
    t v3dv_wrong_machine_code 1 '^  pass    machine code \(level 6 of 6\)$' '' "$TF" bisect v3dv.spvasm --dump planted --as v3d
    sed '/ QPU:$/,$ s/ eidx / frob /' v3d.txt >planted
    t v3dv_skips_what_it_does_not_know 0 "^    machine code \(line [0-9]+ of the dump\): unsupported: the operation 'frob' at line [0-9]+ of the level$" '' \
        "$TF" bisect v3dv.spvasm --dump planted --as v3d
fi
if [ -e "$drivers/panvk/device" ]; then
    t panvk_levels 0 '^  levels  4: 1 run, 3 skipped$' '' "$TF" bisect panvk.spvasm --target isa:nir:vulkan:driver=panvk
fi
if [ -e "$drivers/powervr/device" ]; then
    t powervr_levels 0 '^    pco_const_imms .* to passes, [0-9]+ levels: unsupported: no machine runs this form of the code$' '' \
        "$TF" bisect powervr.spvasm --target isa:nir:vulkan:driver=powervr
    t powervr_before_pco 1 '^  pass    pco_preprocess_nir \(level 1 of [0-9]+\); not sure: the first level that ran is wrong' '' \
        "$TF" bisect "$regress/powervr-26.2-fmin-scan-of-unsigned.spvasm" --target isa:nir:vulkan:driver=powervr
fi
if [ -e "$drivers/panvk/device" ]; then
    bad panvk_code "the machine code of 'Mali.*' is not supported" "$TF" replay panvk.spvasm --target isa:vulkan:driver=panvk
else
    skip panvk_code "target not here: scripts/drivers.sh get panvk"
fi
