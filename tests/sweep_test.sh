#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# The tool that changes every line (tests/mutation/sweep.py): a mutant that is switched on must be the program that is
# written so, and a change of the oracle must be noticed. TANGLEFUZZ_TEST_TIER=default: a tenth of the former, another for
# each commit.
set -u
. "$SOURCE_DIR/tests/share_lib.sh"
status=0
say() {
    if [ "$1" = 0 ]; then echo "ok $2"; else echo "not ok $2" && status=1; fi
}
if ! command -v clang >/dev/null; then
    echo "ok sweep # SKIP no clang"
    exit 0
fi
part=$(share)
[ "$part" = 0/1 ] || echo "# a tenth of the mutants; again: python3 '$SOURCE_DIR/tests/mutation/check_schema.py' $part"
python3 "$SOURCE_DIR/tests/mutation/check_schema.py" "$part"
say $? "a mutant that is switched on is the program that is written so"
if grep -q -- -fsanitize "$BUILD_DIR/compile_commands.json" || [ ! -e "$BUILD_DIR/build.ninja" ]; then
    echo "ok a change of the oracle is noticed # SKIP not a plain build of Ninja"
    exit $status
fi
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
words=$(python3 "$SOURCE_DIR/tests/mutation/sweep.py" --build "$BUILD_DIR" --out "$out" --sample 5 --tests test_judge oracle/choice.c)
echo "# $words"
[ "$(grep -c '"by": "test_judge' "$out/oracle-choice.c.json")" -ge 2 ]
say $? "a change of the oracle is noticed"
exit $status
