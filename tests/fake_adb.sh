#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# A stand-in for adb: the phone is a folder of this machine, $PHONE. Knows push, pull, shell and exec-out.
# With CABLE=out, every call fails as adb does without a phone. Counts its calls in $PHONE/calls.
[ "${CABLE-}" = out ] && { echo "adb: no devices/emulators found" >&2; exit 1; }
echo "$*" >>"$PHONE/calls"
case $1 in
push) cp "$2" "$PHONE$3" ;;
pull) cp "$PHONE$2" "$3" ;;
shell) # paths on the phone lie below $PHONE
    shift
    sh -c "$(printf '%s' "$*" | sed "s|/data/|$PHONE/data/|g")"
    exit 0 ;; # as old adbs do, whatever the program's status was
exec-out)
    shift
    exec sh -c "exec $(printf '%s' "$*" | sed "s|/data/|$PHONE/data/|g")" ;;
*) echo "fake adb: $1?" >&2; exit 1 ;;
esac
