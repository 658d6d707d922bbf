#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The examples of docs/protocol.md, as they stand in examples/: an offline compiler, a device in C, and
# the same device behind adb (a stand-in: the phone is a folder).
. "$(dirname "${BASH_SOURCE[0]}")/app_lib.sh"
examples=$SOURCE_DIR/examples
case=$SOURCE_DIR/corpus/rules/M6-break-block-stays-split.spvasm

# ---- examples/offline-compiler.sh; the compiler behind it is the test's
compile() { # NAME STATUS OUT BODY
    printf '#!/bin/sh\n%s\n' "$4" >"$1.sh" && chmod +x "$1.sh"
    COMPILER="$work/$1.sh" t "compiler_$1" "$2" "$3" '' \
        "$TF" replay "$case" --target "exec-compiler:$examples/offline-compiler.sh {in} {out}"
}
compile copies 0 ': agrees: [1-9]' 'cp "$1" "$3"'
compile refuses 1 ': rejected: exit status 4: no loops' 'echo no loops >&2; exit 4'
compile cannot 2 ': skipped: exit status 77: loops are not supported' 'echo loops are not supported >&2; exit 4'
compile dies 1 ': crash: exit status 139: died of Segmentation fault' 'kill -SEGV $$'
COMPILER=no-such-compiler t compiler_missing 2 ': failed: exit status 125: no program' '' \
    "$TF" replay "$case" --target "exec-compiler:$examples/offline-compiler.sh {in} {out}"

# ---- examples/compiler-server.*, which stay
stays() { # NAME PROGRAM FILE
    command -v "$2" >/dev/null || { skip "server_$1" "no $2"; return; }
    t "server_$1" 0 ': agrees: [1-9]' '' "$TF" replay "$case" --target "exec-compiler-server:$2 $examples/$3"
    t "server_campaign_$1" 0 '^  agreed +40$' - \
        "$TF" fuzz --target "exec-compiler-server:$2 $examples/$3" --profile small --cases 40 --out "stays-$1"
}
stays python python3 compiler-server.py
stays node node compiler-server.mjs

# ---- examples/vulkan-device.c on lavapipe
drivers=${TANGLEFUZZ_DRIVERS-$DEPS_DIR/drivers}
headers=/usr/include
[ -e "$DEPS_DIR/root/usr/include/vulkan/vulkan.h" ] && headers=$DEPS_DIR/root/usr/include
if ! have_lavapipe; then
    skip device "no lavapipe: scripts/setup.sh gets it"
elif ! "$CC" -std=c99 -O1 -I"$headers" -o vulkan-device "$examples/vulkan-device.c" -ldl 2>log; then
    fail device "$(cat log)"
else
    set -a
    . "$drivers/lavapipe/env"
    set +a
    device="exec-device:$work/vulkan-device {case} {spv} {out}"
    t device_agrees 0 ': agrees: [1-9]' '' "$TF" replay "$case" --target "$device"
    t device_campaign 0 '^  agreed +5$' - \
        "$TF" fuzz --target "$device" --subgroup 8 --profile small --without quad-vote,rotate --cases 5 --out device-out
    sed 's/^; subgroup 8$/; subgroup 16/; /^; expect/d' "$case" >sixteen.spvasm
    t device_of_another_size 2 ': skipped: exit status 77: .*another subgroup size' '' \
        "$TF" replay sixteen.spvasm --target "$device"
    "$TF" gen --seed 0 --subgroup 8 --profile small --only quad-vote -o quad.spvasm
    t device_without_a_capability 2 ': skipped: exit status 77: capability 5087 is not switched on' '' \
        "$TF" replay quad.spvasm --target "$device"
    # ---- examples/adb-device.sh
    mkdir phone
    export PHONE=$work/phone ADB=$SOURCE_DIR/tests/fake_adb.sh ADB_RUNNER=$work/vulkan-device
    phone="exec-device:$examples/adb-device.sh {case} {spv} {out}"
    t phone_agrees 0 ': agrees: [1-9]' '' "$TF" replay "$case" --target "$phone"
    t phone_campaign 0 '^  agreed +4$' - \
        "$TF" fuzz --target "$phone" --subgroup 8 --profile small --without quad-vote,rotate --cases 4 --out phone-out
    report phone_gets_its_runner_once "$(grep -c '^push .*/runner-' phone/calls | grep -vx 1)"
    report phone_keeps_nothing "$(find phone/data -name '*.case' -o -name '*.mem' -o -name '*.spv')"
    CABLE=out t phone_without_cable 2 ': failed: exit status 125: adb: adb: no devices' '' \
        "$TF" replay "$case" --target "$phone"
    CABLE=out t phone_without_cable_ends 2 - 'failed 3 times in a row: .*no devices' \
        "$TF" fuzz --target "$phone" --subgroup 8 --cases 9 --out phone-gone
fi
