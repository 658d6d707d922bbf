# SPDX-License-Identifier: Apache-2.0
#
# share: all of a long test, as 0/1, or in the default tier (TANGLEFUZZ_TEST_TIER=default) a tenth of it, as K/10,
# another for each commit; without git the first. Sourced.
share() {
    if [ "${TANGLEFUZZ_TEST_TIER:-all}" != default ]; then
        echo 0/1
        return
    fi
    id=0
    [ ! -e "$SOURCE_DIR/.git" ] || id=$(git -C "$SOURCE_DIR" rev-parse --short=7 HEAD 2>/dev/null) || id=0
    echo $((0x$(printf %.7s "$id") % 10))/10
}
