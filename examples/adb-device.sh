#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# A phone over a cable as a device of tanglefuzz, through adb.
#
#   # once: the device's end, for the phone (any NDK: aarch64-linux-android29-clang -O2 ...)
#   $CC -std=c99 -O2 -o vulkan-device examples/vulkan-device.c -ldl
#   ADB_RUNNER=vulkan-device tanglefuzz fuzz --target \
#       'exec-device:examples/adb-device.sh {case} {spv} {out}'
#
# ADB         the adb to use (default adb; set ANDROID_SERIAL to choose among phones)
# ADB_RUNNER  the device's end, pushed when the phone has none or another one
# ADB_FOLDER  where on the phone (default /data/local/tmp/tanglefuzz)
set -u
adb=${ADB:-adb}
runner=${ADB_RUNNER:-vulkan-device}
folder=${ADB_FOLDER:-/data/local/tmp/tanglefuzz}
case=$1 spv=$2 out=$3

# What goes wrong with the cable is the environment's fault (125), never a finding.
cable() { echo "adb: $1"; exit 125; }
command -v "$adb" >/dev/null || cable "no program '$adb'"
[ -r "$runner" ] || cable "no runner '$runner' (set ADB_RUNNER)"

# adb shell returns 0 and 1 for its own errors as well as the program's: the true status is the last
# line that the program printed.
on_phone() { "$adb" shell "$1; echo status=\$?" </dev/null >"$TMPDIR/said" 2>&1 || cable "$(cat "$TMPDIR/said")"; }
status_there() { sed -n 's/^status=\([0-9]*\).*$/\1/p' "$TMPDIR/said" | tail -n 1; }

# The runner, once: its name has its checksum.
there=$folder/runner-$(cksum <"$runner" | cut -d' ' -f1)
on_phone "test -x $there"
if [ "$(status_there)" != 0 ]; then
    on_phone "mkdir -p $folder"
    "$adb" push "$runner" "$there" </dev/null >"$TMPDIR/said" 2>&1 || cable "$(cat "$TMPDIR/said")"
    on_phone "chmod 755 $there"
fi

# The case goes in, the memory comes out. Names with the process's number: several may share the phone.
job=$folder/$$
"$adb" push "$case" "$job.case" </dev/null >"$TMPDIR/said" 2>&1 || cable "$(cat "$TMPDIR/said")"
"$adb" push "$spv" "$job.spv" </dev/null >"$TMPDIR/said" 2>&1 || cable "$(cat "$TMPDIR/said")"
on_phone "$there $job.case $job.spv $job.mem"
status=$(status_there)
grep -v '^status=' "$TMPDIR/said"
[ -n "$status" ] || cable 'the phone said nothing: the cable, or it started anew'
if [ "$status" = 0 ]; then
    "$adb" pull "$job.mem" "$out" </dev/null >"$TMPDIR/said" 2>&1 || status=125
fi
on_phone "rm -f $job.case $job.spv $job.mem"
exit "$status"
