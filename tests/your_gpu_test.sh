#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# examples/your-gpu/README.md as a new user follows it: each of its command lines is run as it stands, in the page's order.
# The Linux machine is a folder that a real ssh server leads to, the Windows desk the same with Wine (if it and the Windows program
# are there), the phone a stand-in for adb. In the default tier its campaigns are shorter.
. "$(dirname "${BASH_SOURCE[0]}")/app_lib.sh"
. "$SOURCE_DIR/tests/ssh_lib.sh"
page=$SOURCE_DIR/examples/your-gpu/README.md
windows=$SOURCE_DIR/build/windows-device/tanglefuzz-device.exe

# The table's presets and programs.
report presets_exist "$(grep -oE 'preset [a-z0-9-]+' "$page" | sort -u | while read -r _ p; do
    grep -q "\"name\": \"$p\"" "$SOURCE_DIR/CMakePresets.json" || echo "$p"
done)"
report options_exist "$("$BUILD_DIR/tanglefuzz-device" --help >help
    grep -oE 'tanglefuzz-device(\.exe)? --[a-z]+' "$page" | grep -oE -e '--[a-z]+' | sort -u | while read -r o; do
        grep -q -e "^  $o " help || echo "$o"
    done)"
have_lavapipe || { skip your_gpu "no lavapipe: scripts/setup.sh gets it"; exit; }
have_ssh || { skip your_gpu "no sshd"; exit; }

port=$((20000 + $$ % 20000))
ssh_start $port
listener=
trap 'ssh_stop; [ -z "$listener" ] || kill $listener; finish' EXIT
mkdir -p build/release build/windows-device build/android phone/data/local/tmp
ln -s "$BUILD_DIR/tanglefuzz-device" build/release/
cp "$BUILD_DIR/tanglefuzz-device" build/android/
for name in tanglefuzz tanglefuzz-device; do ln -s "$BUILD_DIR/$name" bin/; done
printf '#!/bin/sh\nexport PHONE=%s\nset -a; . %s\nexec %s "$@"\n' "$work/phone" \
    "${TANGLEFUZZ_DRIVERS-$DEPS_DIR/drivers}/lavapipe/env" "$SOURCE_DIR/tests/fake_adb.sh" >bin/adb
chmod +x bin/adb
desk=
if ! short && [ -e "$windows" ] && command -v wine xvfb-run >/dev/null; then
    desk=yes
    cp "$windows" build/windows-device/
    printf '#!/bin/sh\nexport WINEPREFIX=%s WINEDEBUG=-all\nexec xvfb-run -a wine ./tanglefuzz-device.exe "$@" 2>/dev/null\n' \
        "$work/prefix" >far-bin/tanglefuzz-device.exe
    chmod +x far-bin/tanglefuzz-device.exe
    # The first start writes Wine's folder. A real desk promises what its driver promises; Wine before 9 hides that.
    ssh HOST tanglefuzz-device.exe --version >/dev/null 2>&1
    WINE_MODEL=$(wine --version 2>/dev/null | grep -qE 'wine-[1-8]\.' && echo ' --model best')
fi

n=0
while IFS= read -r command; do
    n=$((n + 1))
    name="line_$n"
    case $command in
    *device.exe*) [ -n "$desk" ] || { skip "$name" "no Windows program and Wine here"; continue; } ;;&
    *' fuzz '*device.exe*) command=$command$WINE_MODEL ;;&
    *7788*) command=${command//7788/$((port + 1))} ;;&
    *' fuzz '*) command="rm -rf tanglefuzz-out; $command"
        ! short || command=${command/--cases 125/--cases 2} ;;&
    *--listen*)
        (set -a; . "${TANGLEFUZZ_DRIVERS-$DEPS_DIR/drivers}/lavapipe/env"; eval "exec env $command") 2>listen &
        listener=$!
        until_true grep -q listening listen
        pass "$name"
        continue
        ;;
    esac
    within bash -c "$command" >out 2>err </dev/null
    status=$?
    case $command in
    *' fuzz '*) # a finding of lavapipe is none of the page
        [ $status != 1 ] || status=0
        grep -qE '^  agreed +[1-9]' out || status="$status, nothing agreed" ;;
    *--list*) grep -q '^0  llvmpipe' out || status="$status, no device" ;;
    *doctor*) grep -q '^ready: ' out || status="$status, not ready" ;;
    esac
    report "$name" "$([ "$status" = 0 ] || { echo "$command: status $status"; tail -n 5 out err; })"
done < <(sed -n 's/^    //p' "$page")
report lines_there "$([ $n -ge 13 ] || echo "only $n command lines")"
