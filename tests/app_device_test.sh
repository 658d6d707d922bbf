#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Target device: (examples/your-gpu): tanglefuzz-device on lavapipe finds what vulkan: finds; a crash of
# its driver is a finding; what a hostile or broken link does costs no case and none is counted twice.
. "$(dirname "${BASH_SOURCE[0]}")/app_lib.sh"
. "$SOURCE_DIR/tests/ssh_lib.sh"
device=$BUILD_DIR/tanglefuzz-device
case=$SOURCE_DIR/corpus/rules/M6-break-block-stays-split.spvasm
link="python3 $SOURCE_DIR/tests/device_link.py"

# ---- the command line
t help 0 '^usage: tanglefuzz-device' '' "$device" --help
t version 0 '^tanglefuzz-device [0-9.]+ .*protocol 3$' '' "$device" --version
bad no_option "unknown option '--no'" "$device" --no
bad no_value '--device needs a value' "$device" --device
bad no_number '--device x: expected a number' "$device" --device x
bad no_size '--size 3: expected a power of two' "$device" --size 3
bad no_port '--listen 0: expected a port' "$device" --listen 0
bad no_token 'set TANGLEFUZZ_DEVICE_TOKEN' "$device" --listen 4000
bad both_devices 'exclude each other' "$device" --device 0 --name x
bad no_program "'/nowhere/x' is not an executable program" "$TF" replay "$case" --target 'device:/nowhere/x'
bad no_address 'expected tcp=HOST:PORT' "$TF" replay "$case" --target 'device:tcp=nowhere'
bad doctor_no_program "'/nowhere/x' is not an executable program" "$TF" doctor --target 'device:/nowhere/x'
bad no_secret 'set TANGLEFUZZ_DEVICE_TOKEN' "$TF" replay "$case" --target 'device:tcp=127.0.0.1:1'
bad ends_at_once 'exit status 3: no such host' "$TF" replay "$case" --target "device:sh -c 'echo no such host >&2; exit 3'"
bad no_vulkan 'Vulkan' env -u LD_LIBRARY_PATH "$TF" replay "$case" --target "device:env VK_DRIVER_FILES=/nowhere $device"

have_lavapipe || { skip device "no lavapipe: scripts/setup.sh gets it"; exit; }
set -a
. "${TANGLEFUZZ_DRIVERS-$DEPS_DIR/drivers}/lavapipe/env"
set +a
t lists 0 '^0  llvmpipe' '' "$device" --list

# ---- the same answers as in process
t agrees 0 ': agrees: [1-9]' '' "$TF" replay "$case" --target "device:$device"
t doctor 0 '^ready: tanglefuzz fuzz --target ' '' "$TF" doctor --target "device:$device"
report doctor_says_all "$(for x in '^device +llvmpipe' '^promises +maximal' '^left out +no ' '^ +quad-vote' \
    '^speed +[0-9.]+ cases a second: 128 cases of 16 programs' '^answers +128 cases agree$'; do grep -Eq "$x" out || echo "$x"; done)"
report doctor_on_a_screen "$([ "$(wc -l <out)" -le 24 ] || cat out)"
figures() { grep -E '^  (agreed|cases|modules|skipped|.*findings)' out | sed 's/, in .*findings$//'; }
campaign() { # NAME TARGET [OPTION]...
    local name=$1 target=$2
    shift 2
    t "$name" 0 '^  agreed' - "$TF" fuzz --target "$target" --out "$name-out" --profile small "$@"
    figures >"$name.figures"
}
modules=25
! short || modules=8
campaign inside "$LAVAPIPE" --cases $modules
campaign away "device:$device" --cases $modules
report the_same_figures "$(diff inside.figures away.figures)"
report figures_there "$([ -s away.figures ] || echo none)"
! short || short_end 'draws, a connection, ssh, crashes, broken links'
campaign inside_draws "$LAVAPIPE" --seeds 10:20 --stage fragment
campaign away_draws "device:$device" --seeds 10:20 --stage fragment
report the_same_draws "$(diff inside_draws.figures away_draws.figures)"

# ---- a connection, with a token
export TANGLEFUZZ_DEVICE_TOKEN=a-secret-for-this-test
port=$((20000 + $$ % 20000))
"$device" --listen $port 2>listen &
listener=$!
until_true grep -q listening listen
t connection 0 ': agrees: [1-9]' '' "$TF" replay "$case" --target "device:tcp=127.0.0.1:$port"
TANGLEFUZZ_DEVICE_TOKEN=a-secret-for-this-tesT bad wrong_token 'the token is another one' \
    "$TF" replay "$case" --target "device:tcp=127.0.0.1:$port"
kill $listener
bad refused_connection 'cannot connect to 127.0.0.1:.*refused' "$TF" replay "$case" --target "device:tcp=127.0.0.1:$port"

# ---- examples/your-gpu: through ssh, to a server of this test
if ! have_ssh; then
    skip through_ssh "no sshd"
else
    ssh_start $((port + 1))
    over="device:ssh -o BatchMode=yes HOST $device"
    t through_ssh 0 ': agrees: [1-9]' '' "$TF" replay "$case" --target "$over"
    campaign ssh "$over" --cases 10
    ssh_stop
fi

# ---- a device program that is another one, or none
bad other_version 'speaks version 9 of the protocol' "$TF" replay "$case" --target "device:$link version $device"
bad other_layout 'lays out its frames differently' "$TF" replay "$case" --target "device:$link layout $device"
bad banner "its first bytes are 'Welcome to this machine" "$TF" replay "$case" --target "device:$link banner $device"
bad too_old 'supports Vulkan 1.0, but subgroups need 1.1' "$TF" replay "$case" --target "device:$link refuse $device"

bad no_greeting 'no greeting of tanglefuzz-device after 3 seconds' \
    "$TF" replay "$case" --target "device:$link mute $device" --job-time 4

# ---- links that break: once, and the campaign's figures are those of the whole one
for mode in cut=7 other=5 twice=3 flood=4 die=6 silent=3; do
    rm -f once
    ONCE=$work/once campaign "broken_${mode%=*}" "device:$link $mode $device" --cases 10 --job-time 20
    report "broke_${mode%=*}" "$([ -e once ] || echo 'nothing happened')"
    [ -e whole.figures ] || campaign whole "device:$device" --cases 10
    [ ! -e ssh.figures ] || report "the_same_through_ssh_as_${mode%=*}" "$(diff whole.figures ssh.figures)"
    report "nothing_lost_${mode%=*}" "$(diff whole.figures "broken_${mode%=*}.figures")"
done
# Always: no finding, one line, the end.
for mode in cut=1 die=1; do
    t "always_${mode%=*}" 2 - 'failed [0-9]+ times in a row: .*the link to the device was lost' \
        "$TF" fuzz --target "device:$link $mode $device" --cases 4 --profile small --out "always-${mode%=*}"
    report "no_finding_${mode%=*}" "$(ls "always-${mode%=*}/findings" 2>/dev/null)"
done

# ---- the driver crashes: a finding, and the campaign continues
t crashes 1 - - "$TF" fuzz --target "device:$link crash=5 $device" --cases 12 --profile small --out crashes
report a_crash_is_found "$(grep -q 'crash' out || cat out)"
report with_its_reason "$(grep -rq 'Assertion .converged' crashes || grep -rh 'device program' crashes | head -3)"

# A driver that crashes in one function: its bucket is the one of the crash in process, where gdb finds the function.
cat >broken.c <<'END'
void *LLVMBuildUDiv(void)
{
    return *(void *volatile *)8;
}
END
bucket() { grep -rhoE 'Signature: `.*' "$1/findings" | sort -u; }
if [ -z "${ASAN_OPTIONS-}${TSAN_OPTIONS-}" ] && "$CC" -shared -fPIC -O1 -o broken.so broken.c; then
    t crash_away 1 - - "$TF" fuzz --target "device:env LD_PRELOAD=$work/broken.so $device" --cases 2 --inputs 1 --profile small \
        --out crash-away
    report stack_away "$(grep -q ' in LLVMBuildUDiv () from broken.so$' crash-away/findings/*/backtrace.txt ||
        ls crash-away/findings/*)"
    report one_bucket_away "$([ "$(bucket crash-away | wc -l)" = 1 ] || bucket crash-away)"
    if command -v gdb >/dev/null; then
        mkdir -p mine/broken
        cp -r "${TANGLEFUZZ_DRIVERS-$DEPS_DIR/drivers}/lavapipe/env" mine/broken/env
        echo "LD_PRELOAD=$work/broken.so" >>mine/broken/env
        t crash_here 1 - - env TANGLEFUZZ_DRIVERS="$work/mine" "$TF" fuzz --target vulkan:driver=broken --cases 2 --inputs 1 \
            --profile small --out crash-here
        report same_bucket "$([ -n "$(bucket crash-here)" ] || echo none
            diff <(bucket crash-here | sed 's/|broken|/|llvmpipe|/') <(bucket crash-away))"
    else
        skip same_bucket "no gdb"
    fi
else
    skip stack_away 'a sanitizer has handlers of its own'
fi

# The same on Windows, in Wine: a driver there has no names, so the function's place in its library stands for one.
windows=$SOURCE_DIR/build/windows-device/tanglefuzz-device.exe mingw=x86_64-w64-mingw32-gcc
if [ -e "$windows" ] && command -v wine xvfb-run $mingw >/dev/null; then
    mkdir desk && cp "$windows" desk/
    $mingw -shared -O1 -o desk/vulkan-1.dll "$SOURCE_DIR/tests/faults/vulkan_windows.c"
    printf '#!/bin/sh\nexport WINEPREFIX=%s WINEDEBUG=-all WINEDLLOVERRIDES=vulkan-1=n\nexec xvfb-run -a wine %s 2>/dev/null\n' \
        "$work/prefix" "$work/desk/tanglefuzz-device.exe" >desk/start
    chmod +x desk/start
    desk/start </dev/null >/dev/null # the first start writes Wine's folder
    t crash_windows 1 - - "$TF" fuzz --target "device:$work/desk/start" --model best --cases 2 --inputs 1 --profile small \
        --out crash-windows
    report stack_windows "$(bucket crash-windows | grep -qE '\|crash\|.*\|vulkan-1\.dll!0x[0-9a-f]+: the worker died of: access violation\|' ||
        { cat out; bucket crash-windows; })"
else
    skip stack_windows 'no Windows program, Wine or mingw-w64 here'
fi

# ---- the device is lost, as when Windows resets a GPU: a finding, and the campaign continues
t lost 1 - - "$TF" fuzz --target "device:$link lost=5 $device" --cases 12 --profile small --out lost
report a_lost_device_is_found "$(grep -Eq '^ +[1-9][0-9]* +device-lost$' out && grep -Eq '^  agreed +[1-9]' out || cat out)"

# ---- kill -9 of each part in turn (scripts/kills.sh does it 50 times)
t kills_leave_the_figures 0 'same figures$' '' \
    python3 "$SOURCE_DIR/tests/faults/kill_links.py" "$TF" "$device" "$work/kills" --kills 4 --modules 10
