#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Every rule of docs/rules.md: has it a hand-written case, and a near miss? A case names its rules in the first line of
# its comment ("; M4, E3: what happens"), a near miss says what a plausible wrong oracle would take for right
# ("; Near miss (M4): ..."). Both are cases with results, or a verdict, that no oracle made. (tests/mutation breaks
# the oracle in those ways and sees that the cases fail.)
. "$SOURCE_DIR/tests/app_lib.sh" || exit 1
. "$SOURCE_DIR/scripts/lib/project_files.sh"
project_files "$SOURCE_DIR" >files

python3 - "$SOURCE_DIR" >list <<'PY'
import fnmatch, os, re, sys
root = sys.argv[1]
files = open("files").read().splitlines()
def those(pattern):
    return [os.path.join(root, name) for name in fnmatch.filter(files, pattern)]
rules = re.findall(r"^\| ([A-Z]\d+) \|", open(os.path.join(root, "docs/rules.md")).read(), re.M)
cases, misses = {r: [] for r in rules}, {r: [] for r in rules}
for path in sorted(those("corpus/rules/*") + those("corpus/undefined/*")):
    text = open(path).read()
    name = os.path.relpath(path, root)
    if "; from written by hand" not in text or not re.search(r"^; (expect|verdict) ", text, re.M):
        continue
    comment = " ".join(line[1:].strip() for line in text.split("\n\n", 1)[1].splitlines() if line.startswith(";"))
    for rule in set(re.findall(r"\b([SIDMERNC]\d+)\b", comment)):
        if rule in cases:
            cases[rule].append(name)
    for rule in re.findall(r"[Nn]ear miss \(([A-Z]\d+)\)", comment):
        misses[rule].append(name)
for rule in rules:
    if rule[0] != "L":
        print(rule, len(cases[rule]), len(misses[rule]))
# The rules of LLVM's tokens are not the oracle's: a bug that broke one, or a test of what prints or runs tokens.
there = those("corpus/regress/*") + those("corpus/known/llvm/*") + [
    os.path.join(root, "tests", name) for name in ("test_llir.c", "test_prn_llvm.c")]
text = "".join(re.sub(r"enum \{.*", "", open(path).read()) for path in there if os.path.isfile(path))
for rule in rules:
    if rule[0] == "L" and not re.search(rf"\b{rule}\b", text):
        print(rule, 0, 0)
PY
report "the rules are there" "$([ "$(wc -l <list)" -ge 31 ] || cat list)"
while read -r rule cases misses; do
    report "$rule: $cases cases, $misses near misses" \
        "$([ "$cases" -gt 0 ] && [ "$misses" -gt 0 ] || echo "a case and a near miss are needed")"
done <list

# Every rule of docs/rules.md that ends a run: a case in corpus/undefined that must be judged so. Each says by which rule, or where
# the specification says it.
python3 - "$SOURCE_DIR" >list <<'PY'
import fnmatch, os, re, sys
root = sys.argv[1]
files = open("files").read().splitlines()
def those(pattern):
    return [os.path.join(root, name) for name in fnmatch.filter(files, pattern)]
rules = re.findall(r"^\| `(E-\w+)` \|", open(os.path.join(root, "docs/rules.md")).read(), re.M)
seen = {rule: 0 for rule in rules}
for path in sorted(those("corpus/undefined/*")):
    text = open(path).read()
    rule = re.search(r"^; verdict undefined (\S+)", text, re.M)[1]
    seen[rule] = seen.get(rule, 0) + 1
    comment = " ".join(line for line in text.split("\n\n", 1)[1].splitlines() if line.startswith(";"))
    if not re.search(r"SPIR-V (\d|memory model)|Vulkan|SPV_KHR|\b[SIDMERN]\d+\b", comment):
        print("uncited", os.path.basename(path))
table = open(os.path.join(root, "tests/test_orc_memory.c")).read()
for rule in rules:
    if not seen[rule] and f'.refused = "{rule}"' not in table:
        print("missing", rule)
print("rules", len(rules))
PY
report "every undefined verdict has a case" "$(grep '^missing' list)"
report "every case of one says by what" "$(grep '^uncited' list)"
report "there are such rules" "$(grep -q '^rules 1[0-9]$' list || cat list)"
