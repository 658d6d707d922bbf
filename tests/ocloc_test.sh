#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Intel's compiler for OpenCL: the module as OpenCL C, its machine code run. Skipped without the compiler.
. "$SOURCE_DIR/tests/app_lib.sh" || exit 1
"$TF" gen --seed 1 --subgroup 16 --model assumed-maximal --only if,else,for,elect,ballot,reduce,scan,workgroups,partial-subgroup -o one.spvasm
t prints_a_kernel 0 'kernel void tf_main\(global uint \*tf_0' '' "$TF" print one.spvasm --as opencl
t refuses_to_run 2 - 'the code cannot run here: use isa:ocloc' "$TF" replay one.spvasm --target ocloc:device=dg2
t refuses_a_device 2 - 'the only option is device=dg2, mtl, arl, pvc, bmg, lnl, ptl or wcl' "$TF" replay one.spvasm --target isa:ocloc:device=arc
mkdir -p none
TANGLEFUZZ_DRIVERS=$work/none t says_what_to_install 2 - 'scripts/drivers.sh get ocloc' \
    "$TF" replay one.spvasm --target isa:ocloc:device=dg2
tools=${TANGLEFUZZ_DRIVERS-$DEPS_DIR/drivers}/../tools
if [ ! -e "$tools/ocloc/prefix" ]; then
    skip ocloc "no compiler: scripts/drivers.sh get ocloc"
    exit
fi
for device in dg2 mtl pvc bmg ptl; do
    t "runs_code_for_$device" 0 'agrees: [1-9]' '' "$TF" replay one.spvasm --target "isa:ocloc:device=$device"
done
t compiles 0 'compiled' '' "$TF" replay one.spvasm --target check:ocloc:device=ptl
t shows_code_and_text 0 - '' "$TF" replay one.spvasm --target isa:ocloc:device=dg2 --driver-text text
t keeps_both 0 'kernel void tf_main' '' cat text
"$TF" gen --seed 3 --subgroup 16 --model assumed-maximal -o all.spvasm
t skips_what_c_cannot_say 2 'skipped: not printed as opencl' - "$TF" replay all.spvasm --target isa:ocloc:device=dg2
