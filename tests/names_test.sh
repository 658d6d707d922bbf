#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Comments and READMEs name files of this tree: are they there? A name of a file is found by its path from the root, from
# the page's own folder, or by the end of its path; NAME stands for any name. And what has an underscore in a C comment,
# a function, field or constant of ours, must be a word of some source.
. "$SOURCE_DIR/tests/app_lib.sh" || exit 1
. "$SOURCE_DIR/scripts/lib/project_files.sh"

cat >names.py <<'PY'
import os, re, sys
root = sys.argv[1]
marks = {".c": "//", ".h": "//", ".def": "//", ".py": "#", ".sh": "#", ".cmake": "#", ".md": ""}
file_name = re.compile(r"(?<![\w/.*<$-])((?:[A-Za-z0-9_.-]+/)*[A-Za-z0-9_-]+\.(?:c|h|def|py|sh|cmake|md))\b(?![\w(*-])")
word = re.compile(r"[A-Za-z_]\w*")
identifier = re.compile(r"(?<![\w/.<-])([A-Za-z][A-Za-z0-9]*(?:_[A-Za-z][A-Za-z0-9]*)+)(?![\w/*-]|\.[a-z])")
files, texts = open("files").read().splitlines(), {}
for path in files:
    if os.path.splitext(path)[1] in marks or os.path.basename(path) == "CMakeLists.txt":
        texts[path] = open(os.path.join(root, path), errors="replace").read().split("\n")
ends = {"/".join(f.split("/")[k:]) for f in files for k in range(f.count("/") + 1)}

def split(path, line):
    """(what is code, what is comment) of a line; a page is comment."""
    mark = marks.get(os.path.splitext(path)[1], "#")
    if not mark:
        return "", line
    if mark == "#":  # elsewhere in a line it may be a part of a string
        return ("", line) if line.lstrip().startswith("# ") else (line, "")
    strings = re.sub(r'"(\\.|[^"\\])*"', lambda s: "_" * len(s[0]), line)
    at = strings.find(mark)
    return (line, "") if at < 0 else (line[:at], line[at:])

words, comments = set(), []
for path, lines in texts.items():
    for number, line in enumerate(lines, 1):
        code, comment = split(path, line)
        words.update(word.findall(code))
        comments.append((path, number, comment))
for path, number, comment in comments:
    if path.startswith("docs/"):
        continue
    for name in file_name.findall(comment):
        from_here = os.path.normpath(os.path.join(os.path.dirname(path), name))
        if name not in ends and from_here not in files and not re.search(r"[A-Z]{3}", name.split(".")[0]):
            untracked = " in git" if any(os.path.exists(os.path.join(root, d, name)) for d in ("", os.path.dirname(path))) else ""
            print(f"{path}:{number}: there is no file {name}{untracked}")
    for name in identifier.findall(file_name.sub("", comment)):
        if path.endswith((".c", ".h", ".def")) and name not in words and not re.match(r"(VK|SPV|SA)_", name):
            print(f"{path}:{number}: nothing is called {name}")
PY
project_files "$SOURCE_DIR" >files
report "files and functions that comments and READMEs name are there" "$(python3 names.py "$SOURCE_DIR" 2>&1)"
