#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Is the oracle able to be wrong, and would we see it? (tests/mutation/mutate.py) Not in a build with
# sanitizers: there it would take an hour. TANGLEFUZZ_TEST_TIER=default: a tenth of the mutants, another for each
# commit. TEST_JOBS: how many at once.
set -u
if grep -q -- -fsanitize "$BUILD_DIR/compile_commands.json"; then
    echo "ok mutation # skip: a build with sanitizers"
    exit 0
fi
part=0/1
if [ "${TANGLEFUZZ_TEST_TIER:-all}" = default ]; then
    id=0
    [ ! -e "$SOURCE_DIR/.git" ] || id=$(git -C "$SOURCE_DIR" rev-parse --short=7 HEAD 2>/dev/null) || id=0
    part=$((0x$(printf %.7s "$id") % 10))/10
    echo "# a tenth of the mutants; again: python3 '$SOURCE_DIR/tests/mutation/mutate.py' '$SOURCE_DIR' '$BUILD_DIR' $part"
fi
python3 "$SOURCE_DIR/tests/mutation/mutate.py" ${TEST_JOBS:+--jobs "$TEST_JOBS"} "$SOURCE_DIR" "$BUILD_DIR" "$part"
