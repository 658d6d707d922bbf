#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A finding of machine code says which stage is the first that is wrong: the driver's intermediate code is run too.
. "$SOURCE_DIR/tests/app_lib.sh" || exit 1
. "$SOURCE_DIR/tests/regress_lib.sh" || exit 1
target=isa:vulkan:driver=radv
here "$target" || { skip stage "target not here: RADV, which scripts/drivers.sh gets"; exit; }

cp "$folder/mesa-26.2-loop-exit-lost.spvasm" case.spvasm
t nir_is_wrong_too 1 'wrong-memory' - "$TF" replay case.spvasm --target isa:nir:vulkan:driver=radv
t reduced 0 - - "$TF" reduce case.spvasm --target "$target" -o small
t stage_in_finding 0 '"first_wrong_stage": *"nir"' '' cat small/*/finding.json
t stage_for_people 0 'the front end or a pass is at fault' '' cat small/*/README.md

target=isa:vulkan:driver=nvk
here "$target" || { skip divergence "target not here: NVK, which scripts/drivers.sh gets"; exit; }
cp "$folder/nvk-26.2-product-of-uniform-reads-absent-lane.spvasm" other.spvasm
t nir_is_right 0 'agrees' - "$TF" replay other.spvasm --target isa:nir:vulkan:driver=nvk
t reduced_too 0 - - "$TF" reduce other.spvasm --target "$target" -o other
t divergence_in_finding 0 '"first_wrong_stage": *"divergence"' '' cat other/*/finding.json

target=isa:vulkan:driver=turnip
here "$target" || { skip back_end "target not here: Turnip, which scripts/drivers.sh gets"; exit; }
cp "$folder/turnip-26.2-shuffle-of-uniform-reads-absent-lane.spvasm" third.spvasm
t nir_is_right_too 0 'agrees' - "$TF" replay third.spvasm --target isa:nir:vulkan:driver=turnip
t reduced_third 0 - - "$TF" reduce third.spvasm --target "$target" -o third
t stage_of_turnip 0 '"first_wrong_stage": *"machine-code"' '' cat third/*/finding.json
