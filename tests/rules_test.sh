#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# The oracle against cases whose answers were not made by it: the hand-written rule
# cases, the undefined ones, kept bugs, and (where the folder is there) 114 programs
# from an independent generator and simulator.
set -u
check() {
    if out=$("$TANGLEFUZZ" check "$@" 2>&1); then
        echo "ok $name: $(printf '%s\n' "$out" | tail -n 1)"
    else
        printf '%s\n' "$out" | tail -n 20
        echo "not ok $name"
    fi
}
for room in rules ops undefined; do
    name="corpus/$room"
    check "$SOURCE_DIR/corpus/$room"
done
if [ -d "$SOURCE_DIR/corpus/regress" ]; then
    name=corpus/regress
    check "$SOURCE_DIR/corpus/regress"
fi
external="$SOURCE_DIR/../shared/cases/external"
if [ -d "$external" ]; then
    name="independent cases"
    check "$external"
fi
