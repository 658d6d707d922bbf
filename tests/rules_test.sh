#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The oracle against cases whose answers were not made by it: the hand-written rule
# cases, the undefined ones, 114 programs of an independent generator and simulator;
# and kept bugs. Then the rules' numbers: docs/rules.md is their home, each stands beside the code
# that implements it, and nobody cites one that is not there.
. "$SOURCE_DIR/tests/app_lib.sh" || exit 1
. "$SOURCE_DIR/scripts/lib/project_files.sh"
project_files "$SOURCE_DIR" >files

for room in rules ops undefined external regress; do
    if "$TANGLEFUZZ" check "$SOURCE_DIR/corpus/$room" >out 2>&1; then
        pass "corpus/$room: $(tail -n 1 out)"
    else
        fail "corpus/$room" "$(tail -n 20 out)"
    fi
done

# A rule of control flow is a line in each of the two machines, a static one in the loader; so are those that need
# the fragment stage, which R4 lists. N and C follow from what the oracle does with a tangle.
cat >beside.py <<'PY'
import glob, os, re, sys
root = sys.argv[1]
text = open(os.path.join(root, "docs/rules.md")).read()
rules = [r for r in re.findall(r"^\| ([A-Z]\d+) \|", text, re.M) if r[0] != "L"]
loader = set(re.findall(r"\b[A-Z]\d\b", re.search(r"^\| R4 \|.*", text, re.M)[0])) | {r for r in rules if r[0] == "S"}
places = {"the mask machine": "flow*.c", "the tag machine": "tag.c", "the loader": "load_*.c", "the oracle": "*.c"}

def beside_code(pattern):
    """The rules that a line with code names, in its comment or in a string."""
    found = set()
    for path in glob.glob(os.path.join(root, "oracle", pattern)):
        for line in open(path):
            code, _, comment = line.partition("//")
            if code.strip():
                found |= set(re.findall(r"\b[A-Z]\d+\b", comment)) | set(re.findall(r'"([A-Z]\d+)"', code))
    return found

there = {place: beside_code(pattern) for place, pattern in places.items()}
for rule in rules:
    machines = ["the mask machine", "the tag machine"] if rule[0] in "IDMER" else ["the oracle"]
    for place in ["the loader"] if rule in loader else machines:
        if rule not in there[place]:
            print(f"{rule}: no line of {place} ({places[place]}) says so")
PY
report "every rule stands beside its code" "$(python3 beside.py "$SOURCE_DIR" 2>&1)"

cat >cited.py <<'PY'
import os, re, sys
root, marks = sys.argv[1], {".c": "//", ".h": "//", ".def": "//", ".py": "#", ".sh": "#", ".spvasm": ";", ".md": ""}
defined = set(re.findall(r"^\| ([A-Z]\d+) \|", open(os.path.join(root, "docs/rules.md")).read(), re.M))
letters = "".join(sorted({rule[0] for rule in defined}))
for path in open("files").read().splitlines():
    mark = marks.get(os.path.splitext(path)[1])
    if mark is None:
        continue
    for number, line in enumerate(open(os.path.join(root, path), errors="replace"), 1):
        comment = line[line.find(mark):] if mark in line else ""
        for rule in re.findall(rf"(?<![\w.`/-])([{letters}]\d{{1,2}})(?![\w.-]*\w)", comment):
            if rule not in defined and rule != "C99":
                print(f"{path}:{number}: {rule} is no rule of docs/rules.md")
PY
report "no rule is cited that docs/rules.md does not have" "$(python3 cited.py "$SOURCE_DIR" 2>&1)"
