#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Is the oracle able to be wrong, and would we see it? (tests/mutation/mutate.py) Not in a build with
# sanitizers: there it would take an hour. TANGLEFUZZ_TEST_TIER=default: a tenth of the mutants, another for each
# commit. TEST_JOBS: how many at once.
set -u
. "$SOURCE_DIR/tests/share_lib.sh"
if grep -q -- -fsanitize "$BUILD_DIR/compile_commands.json"; then
    echo "ok mutation # SKIP a build with sanitizers"
    exit 0
fi
part=$(share)
[ "$part" = 0/1 ] || echo "# a tenth of the mutants; again: python3 '$SOURCE_DIR/tests/mutation/mutate.py' '$SOURCE_DIR' '$BUILD_DIR' $part"
python3 "$SOURCE_DIR/tests/mutation/mutate.py" ${TEST_JOBS:+--jobs "$TEST_JOBS"} "$SOURCE_DIR" "$BUILD_DIR" "$part"
