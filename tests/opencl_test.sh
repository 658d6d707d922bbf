#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# OpenCL devices: the module as OpenCL C, run by pocl. Skipped without pocl.
. "$SOURCE_DIR/tests/app_lib.sh" || exit 1
parts=if,else,for,do-while,break,scan,vote,broadcast,call
"$TF" gen --seed 4 --subgroup 8 --model assumed-maximal --only reduce,scan,vote,broadcast,workgroups -o even.spvasm
"$TF" gen --seed 1 --subgroup 8 --model assumed-maximal --only $parts -o parts.spvasm
t prints_functions_of_subgroups 0 'sub_group_(scan_inclusive|reduce)_(add|min|max)\(' '' "$TF" print even.spvasm --as opencl-plain
t prints_functions_of_parts 0 'sub_group_non_uniform_' '' "$TF" print even.spvasm --as opencl
t refuses_parts_of_a_subgroup 2 - 'opencl-plain: OpGroupNonUniform[A-Za-z]*: a part of a subgroup may reach it' \
    "$TF" print parts.spvasm --as opencl-plain
"$TF" gen --seed 9 --subgroup 8 --model assumed-maximal --only if,return,call,scan -o left.spvasm
t refuses_after_a_return 2 - 'a part of a subgroup may reach it' "$TF" print left.spvasm --as opencl-plain
t knows_its_options 2 - "opencl: 'size=8': the options are driver=NAME, icd=FILE, device=N, name=TEXT" \
    "$TF" replay even.spvasm --target opencl:size=8
t wants_one_driver 2 - 'driver and icd exclude each other' "$TF" replay even.spvasm --target opencl:driver=a,icd=b
t misses_an_icd 2 - "cannot read 'none.so' \(expected a driver's library\)" "$TF" replay even.spvasm --target opencl:icd=none.so
mkdir -p none/x
: >none/x/env
TANGLEFUZZ_DRIVERS=$work/none t says_what_to_install 2 - 'drivers.sh get pocl' "$TF" replay even.spvasm --target opencl:driver=pocl
TANGLEFUZZ_DRIVERS=$work/none t wants_its_own_drivers 2 - "no OpenCL driver 'x'" "$TF" replay even.spvasm --target opencl:driver=x
: >none/x/opencl
TANGLEFUZZ_DRIVERS=$work/none t is_not_for_vulkan 2 - "driver 'x' is one of OpenCL: use opencl:driver=x" \
    "$TF" replay even.spvasm --target vulkan:driver=x
drivers=${TANGLEFUZZ_DRIVERS-$DEPS_DIR/drivers}
if [ ! -e "$drivers/pocl/env" ]; then
    skip opencl "no driver: scripts/drivers.sh get pocl"
    exit
fi
t is_a_target 0 'opencl:driver=pocl' - "$TF" targets
t agrees 0 'agrees: [1-9]' '' "$TF" replay even.spvasm --target opencl:driver=pocl
t compiles 0 'compiled' '' "$TF" replay even.spvasm --target check:opencl:driver=pocl
t shows_the_kernel 0 - '' "$TF" replay even.spvasm --target opencl:driver=pocl --driver-text text
t keeps_the_kernel 0 'kernel void tf_main' '' cat text
t misses_a_device 2 - 'no such device; there are: cpu' "$TF" replay even.spvasm --target opencl:driver=pocl,name=GeForce
