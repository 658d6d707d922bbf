#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# The committed opcode table and its classes are what the generator makes of the
# grammar, twice the same, and the generator refuses what is no grammar.
#
#   SOURCE_DIR, BUILD_DIR    as in tests/CMakeLists.txt
#   SPIRV_GRAMMAR            spirv.core.grammar.json; looked for when not given
set -u
source_dir=${SOURCE_DIR:-$(cd "$(dirname "$0")/.." && pwd)}
build_dir=${BUILD_DIR:-$source_dir/build}
generator=$source_dir/scripts/gen_spv_ops.py
committed=$source_dir/spirv
grammar=${SPIRV_GRAMMAR:-}
for place in "$source_dir/build/deps/root/usr" /usr; do
    [ -n "$grammar" ] || [ ! -f "$place/include/spirv/unified1/spirv.core.grammar.json" ] ||
        grammar=$place/include/spirv/unified1/spirv.core.grammar.json
done

failed=0
ok() {
    echo "ok $1"
}
not_ok() {
    echo "not ok $1"
    failed=1
}

work=$(mktemp -d "$build_dir/spv_ops.XXXXXX") || exit 2
trap 'rm -rf "$work"' EXIT

if [ -z "$grammar" ]; then
    echo "# no spirv.core.grammar.json found: set SPIRV_GRAMMAR"
    not_ok spv_ops_grammar_found
    exit 1
fi

digest() {
    sed -n 's|^// From SPIR-V grammar .*, digest ||p' "$1/spv_ops_table.inc"
}
same() { # FOLDER: what was generated into it and what is committed
    cmp "$1/spv_ops_table.inc" "$committed/spv_ops_table.inc" &&
        cmp "$1/spirv_classes.h" "$committed/spirv_classes.h"
}
mkdir "$work/one" "$work/out"
if ! python3 "$generator" "$grammar" "$work/one"; then
    not_ok spv_ops_table_is_current
elif [ "$(digest "$work/one")" != "$(digest "$committed")" ]; then
    # Another SPIRV-Headers than the table was made from; what the table names
    # is right all the same.
    echo "ok spv_ops_table_is_current # SKIP another grammar: made from another one than $grammar"
elif same "$work/one"; then
    ok spv_ops_table_is_current
else
    not_ok spv_ops_table_is_current
fi

if python3 "$generator" "$grammar" - >"$work/two" &&
    PYTHONHASHSEED=1 python3 "$generator" "$grammar" - >"$work/three" && cmp "$work/two" "$work/three"; then
    ok spv_ops_same_grammar_same_bytes
else
    not_ok spv_ops_same_grammar_same_bytes
fi

# refuses NAME TEXT-OF-MESSAGE GRAMMAR: fails with one line, writes nothing
refuses() {
    if message=$(python3 "$generator" "$3" "$work/out" 2>&1); then
        not_ok "$1"
    elif [ -n "$(ls -A "$work/out")" ] || [ "$(wc -l <<<"$message")" != 1 ] || [[ $message != *"$2"* ]]; then
        echo "# $message"
        not_ok "$1"
    else
        ok "$1"
    fi
}
echo '{"x": ' >"$work/half.json"
refuses spv_ops_refuses_half_a_file "not a SPIR-V core grammar" "$work/half.json"
refuses spv_ops_refuses_a_missing_file "No such file" "$work/none.json"
python3 -c '
import json, sys
g = json.load(open(sys.argv[1]))
g["instructions"] = [i for i in g["instructions"] if i["opname"] != "OpGroupNonUniformRotateKHR"]
json.dump(g, open(sys.argv[2], "w"))' "$grammar" "$work/old.json"
refuses spv_ops_refuses_an_old_grammar "does not have OpGroupNonUniformRotateKHR" "$work/old.json"
exit $failed
