#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Every OpGroupNonUniform* and every derivative that the SPIR-V grammar has: does a case with hand-written results use it?
# (tests/app_cases_test.sh and scripts/test.sh's check of the corpus see that the oracle gives them.)
. "$SOURCE_DIR/tests/app_lib.sh" || exit 1
. "$SOURCE_DIR/scripts/lib/project_files.sh"
project_files "$SOURCE_DIR" >files

python3 - "$SOURCE_DIR" >list <<'PY'
import fnmatch, os, re, sys
root = sys.argv[1]
files = open("files").read().splitlines()
def those(pattern):
    return [os.path.join(root, name) for name in fnmatch.filter(files, pattern)]
GROUP = r"\bOp(?:GroupNonUniform|DPd|Fwidth)\w*"
table = open(os.path.join(root, "spirv/spv_ops_table.inc")).read()
ops = sorted(set(re.findall(GROUP, table)))
users = {op: [] for op in ops}
for path in sorted(those("corpus/ops/*.spvasm") +
                   those("corpus/rules/R9-*.spvasm")):
    text = "".join(line for line in open(path) if not line.lstrip().startswith(";"))
    for op in set(re.findall(GROUP, text)):
        users[op].append(path)
for op in ops:
    print(op, users[op][0] if users[op] else "-")
PY
report "the grammar has group operations" "$([ "$(wc -l <list)" -ge 47 ] || cat list)"
while read -r op case; do
    if [ "$case" = - ]; then
        fail "$op" "no case in corpus/ops (or of R9) uses it"
    else
        t "$op" 0 '^1 passed, 0 failed$' - "$TF" check "$case"
    fi
done <list
