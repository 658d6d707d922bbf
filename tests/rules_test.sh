#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# The oracle against cases whose answers were not made by it: the hand-written rule
# cases, the undefined ones, 114 programs of an independent generator and simulator;
# and kept bugs.
set -u
check() {
    if out=$("$TANGLEFUZZ" check "$@" 2>&1); then
        echo "ok $name: $(printf '%s\n' "$out" | tail -n 1)"
    else
        printf '%s\n' "$out" | tail -n 20
        echo "not ok $name"
    fi
}
for room in rules ops undefined external regress; do
    name="corpus/$room"
    check "$SOURCE_DIR/corpus/$room"
done
