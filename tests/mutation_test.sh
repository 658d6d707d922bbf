#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Is the oracle able to be wrong, and would we see it? (tests/mutation/mutate.py) Needs a Ninja build
# without sanitizers: it links the oracle some sixty times.
set -u
if [ ! -f "$BUILD_DIR/build.ninja" ]; then
    echo "ok mutation # skip: not a Ninja build"
elif grep -q -- -fsanitize "$BUILD_DIR/compile_commands.json"; then
    echo "ok mutation # skip: a build with sanitizers"
else
    python3 "$SOURCE_DIR/tests/mutation/mutate.py" "$SOURCE_DIR" "$BUILD_DIR"
fi
