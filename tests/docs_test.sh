#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# What is written for readers: short enough to be read, figures with the command and date that made them, and no file
# or link named that is not there. DOCS_ROOT is another tree to look at (by hand, to see a check fail).
. "$SOURCE_DIR/tests/app_lib.sh" || exit 1
. "$SOURCE_DIR/scripts/lib/project_files.sh"

project_files "${DOCS_ROOT:-$SOURCE_DIR}" >files
python3 - "${DOCS_ROOT:-$SOURCE_DIR}" >list <<'PY'
import fnmatch, os, re, sys
root = os.path.abspath(sys.argv[1])
files = set(open("files").read().splitlines())
folders = {"."} | {"/".join(f.split("/")[:k]) for f in files for k in range(1, f.count("/") + 1)}
tops = {p.split("/")[0] for p in files if "/" in p}
bases = {os.path.basename(p) for p in files}
read = lambda path: open(os.path.join(root, path), encoding="utf-8").read()
pages = sorted(p for p in files if p.endswith(".md"))
measured = [p for p in pages if p.startswith("docs/measured/")]

readers = [p for p in pages if p in ("README.md", "ARCHITECTURE.md") or p.startswith("docs/") and p not in measured]
words = sum(len(read(p).split()) for p in readers)
print("words", words)
if words > 20000:
    print(f"long: {words} words in README.md, ARCHITECTURE.md and docs/, without docs/measured: at most 20000")

for p in measured:
    head = read(p).splitlines()[:12]
    for what, form in (("command", r"- Command: `.+`"), ("date", r"- Date: \d{4}-\d\d-\d\d")):
        if not any(re.fullmatch(form, line) for line in head):
            print(f"measured: {p} has no {what} on top")
print("measured pages", len(measured))

def there(name):
    name = os.path.normpath(name)
    return name in files or name in folders or any(fnmatch.fnmatch(f, name) for f in files | folders)

checked = 0
for p in pages:
    text = read(p)
    for link in re.findall(r"\]\(([^)#\s]+)[^)]*\)", text):
        if re.match(r"[a-z]+:", link):
            continue
        checked += 1
        if not there(os.path.join(os.path.dirname(p), link)):
            print(f"link: {p}: {link}")
    if p not in readers:  # tests/names_test.sh looks at READMEs of rooms
        continue
    for name in re.findall(r"`([A-Za-z0-9_.*/{},-]+)`", text):
        name = re.sub(r"\{[^}]*\}|[A-Z]{4,}(?=[._/]|$)", "*", name) if name not in files else name
        if "/" in name.rstrip("/"):  # from the root, or from the page's own folder
            if name.split("/")[0] not in tops:
                continue
            known = there(name) or there(os.path.join(os.path.dirname(p), name))
        elif re.search(r"\.(c|h|def|py|md|sh)$", name):
            known = any(fnmatch.fnmatch(b, name) for b in bases)
        else:
            continue
        checked += 1
        if not known:
            print(f"file: {p}: {name}")
print("names", checked)

found = read("docs/findings.md")
cases = {os.path.basename(p)[:-7] for p in files if re.fullmatch(r"corpus/regress/[^/]*\.spvasm", p)}
for c in sorted(cases):
    if f"`{c}`" not in found:
        print(f"finding: {c} has no row in docs/findings.md")
# What upstream knows has one home, corpus/regress/*.known; the page says the same, with its link and version.
words = {"new": r"\bnew\b", "known": r"\bknown\b", "design": r"by design", "fixed": r"fixed in"}
told = set()
for p in sorted(fnmatch.filter(files, "corpus/regress/*.known")):
    entry = dict(line.split(None, 1) for line in read(p).splitlines()[1:])
    for c in fnmatch.filter(sorted(cases), entry["case"][:-7]):
        told.add(c)
        row = " ".join(line for line in found.splitlines() if line.startswith("|") and f"`{c}`" in line)
        if not re.search(words.get(entry.get("upstream"), ""), row) or entry.get("until", "") not in row or (
                entry.get("link", "") not in row):
            print(f"finding: the row of {c} in docs/findings.md does not say what {p} says")
print("".join(f"finding: no entry corpus/regress/*.known speaks of {c}\n" for c in sorted(cases - told)), end="")
PY
report "docs for readers have at most 20,000 words" "$(grep '^long' list)"
report "pages of figures say command and date" "$(grep '^measured:' list)"
report "links lead somewhere" "$(grep '^link' list)"
report "files that are named are there" "$(grep '^file' list)"
report "each case of corpus/regress has its row in docs/findings.md" "$(grep '^finding' list)"
report "there is something to look at" "$(grep -qE '^words [0-9]{4,}' list && grep -qE '^measured pages [1-9]' list &&
    grep -qE '^names [0-9]{3,}' list || cat list)"
