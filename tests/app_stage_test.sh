#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A finding of machine code says which stage is the first that is wrong: the driver's intermediate code is run too.
. "$SOURCE_DIR/tests/app_lib.sh" || exit 1
. "$SOURCE_DIR/tests/regress_lib.sh" || exit 1
target=isa:vulkan:driver=radv
here "$target" || { skip stage "RADV is not here (scripts/drivers.sh get radv)"; exit; }

cp "$folder/mesa-26.2-loop-exit-lost.spvasm" case.spvasm
t nir_is_wrong_too 1 'wrong-memory' - "$TF" replay case.spvasm --target isa:nir:vulkan:driver=radv
t reduced 0 - - "$TF" reduce case.spvasm --target "$target" -o small --time 5s
t stage_in_finding 0 '"first_wrong_stage": *"nir"' '' cat small/*/finding.json
t stage_for_people 0 'the front end or a pass is to blame' '' cat small/*/README.md
