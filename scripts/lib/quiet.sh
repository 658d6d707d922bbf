# SPDX-License-Identifier: Apache-2.0
#
# quiet SELF [FILE]: ends a measuring script if the machine is busy, unless TANGLEFUZZ_BUSY is set:
# times measured under load mean nothing. FILE: for tests, instead of /proc/loadavg. Sourced.
quiet() {
    local load
    load=$(cut -d ' ' -f 1 "${2-/proc/loadavg}")
    if [ -n "${TANGLEFUZZ_BUSY-}" ] || awk -v l="$load" 'BEGIN { exit !(l <= 1) }'; then return; fi
    echo "$1: the machine is busy (load $load, more than 1): wait, or set TANGLEFUZZ_BUSY=1 to measure anyway" >&2
    exit 2
}
