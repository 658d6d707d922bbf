#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Is the oracle able to be wrong, and would we see it? (tests/mutation/mutate.py) Not in a build with
# sanitizers: there it would take an hour.
set -u
if grep -q -- -fsanitize "$BUILD_DIR/compile_commands.json"; then
    echo "ok mutation # SKIP a build with sanitizers"
else
    python3 "$SOURCE_DIR/tests/mutation/mutate.py" "$SOURCE_DIR" "$BUILD_DIR"
fi
