#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Mesa's drivers for Intel on the stub of the kernel's driver: they compile, and the stub names a call that it does not
# know. Skipped without the driver.
. "$SOURCE_DIR/tests/app_lib.sh" || exit 1
drivers=${TANGLEFUZZ_DRIVERS-$DEPS_DIR/drivers}
if [ ! -e "$drivers/anv/env" ]; then
    skip intel "no driver anv: scripts/drivers.sh get anv"
    exit
fi
"$TF" gen --seed 7 --subgroup 16 -o seven.spvasm

for gpu in 9a49 56a0 e20b; do
    t "compiles_for_$gpu" 0 'compiled' '' "$TF" replay seven.spvasm \
        --target "check:vulkan:driver=anv,size=16,env=DRM_STUB_PCI=$gpu"
done
# The machine code and the last intermediate code of one program.
for target in isa:vulkan:driver=anv,size=16 isa:nir:vulkan:driver=anv,size=16 \
    isa:vulkan:driver=anv,size=16,env=DRM_STUB_PCI=56a0 isa:vulkan:driver=anv,size=16,env=DRM_STUB_PCI=e20b; do
    t "runs_$(tr -c 'a-z0-9\n' _ <<<"$target")" 0 'agrees: [1-9]' '' "$TF" replay seven.spvasm --target "$target"
done
# Many programs by one worker, which keeps instructions of earlier ones: each is read, and right.
"$TF" gen --seed 1 --count 40 --subgroup 16 --without partition,float64,int64,bools -o many
for gpu in 3e92 9a49 e20b; do
    t "keeps_instructions_of_$gpu" 0 '40 agreed, 0 wrong, 0 not judged' '' "$TF" replay many \
        --target "isa:vulkan:driver=anv,size=16,env=DRM_STUB_PCI=$gpu"
done
# A fragment shader: the code of the size that is asked for, of those that the driver makes.
for size in 8 16 32; do
    "$TF" gen --seed 7 --stage fragment --subgroup $size --without float64 -o "pixels-$size.spvasm"
done
for row in 9a49:8 9a49:16 9a49:32 56a0:16 3e92:32 e20b:16 e20b:32; do
    t "draws_on_$row" 0 'agrees: [1-9]' '' "$TF" replay "pixels-${row#*:}.spvasm" \
        --target "isa:vulkan:driver=anv,size=${row#*:},env=DRM_STUB_PCI=${row%:*}"
done
t no_code_of_another_size 2 'skipped: machine code: unsupported: the driver made no code of 8 lanes' '' "$TF" replay \
    pixels-8.spvasm --target isa:vulkan:driver=anv,size=16
sed 's|^IGA_LIBRARY=.*|IGA_LIBRARY=/no/such/file|' "$drivers/anv/env" >env
mkdir -p mine/anv && cp "$drivers/anv/"* mine/anv/ && cp env mine/anv/env
TANGLEFUZZ_DRIVERS=$work/mine t says_what_to_install 2 - 'scripts/drivers.sh get anv' \
    "$TF" fuzz --target isa:vulkan:driver=anv,size=16 --subgroup 16 --cases 1 --out none

t refuses_an_unknown_gpu 2 - . "$TF" replay seven.spvasm --target check:vulkan:driver=anv,env=DRM_STUB_PCI=ffff

cat >unknown.c <<'C'
#include <errno.h>
#include <sys/ioctl.h>
int main(void) // 0x7e: no call of DRM has this number
{
    char arg[256] = {0};
    return ioctl(0, _IOWR('d', 0x7e, arg), arg) == -1 && errno == EINVAL ? 0 : 1;
}
C
stub=$(sed -n 's/^LD_PRELOAD=//p' "$drivers/anv/env")
if ${CC:-cc} -o unknown unknown.c 2>/dev/null; then
    t names_an_unknown_call 0 '' '^drm_stub: unknown call of i915 0x3e$' env LD_PRELOAD="$stub" ./unknown
else
    skip names_an_unknown_call "no C compiler"
fi
