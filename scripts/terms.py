#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""terms.py [--all] ROOT [FILE...]: the words in our text that docs/terms.tsv does not allow.

Reads comments and string literals of C, comments of scripts, and pages as a whole; identifiers of C by their parts.
Without --all a file may have as many as tests/terms_allowed.tsv says, and one line is printed for each file that has
another number. With --all, each word is printed with its place. Paths are relative to ROOT; default: what git tracks.
"""
import os
import re
import subprocess
import sys

MARKS = {".c": "//", ".h": "//", ".def": "//", ".py": "#", ".sh": "#", ".cmake": "#", ".md": "", ".1": "", ".sql": "--"}
# The list itself; text of other projects; the maker of this report.
NOT_READ = ("docs/terms.tsv", "LICENSE", "corpus/external/", "docs/glossary.md")
ALWAYS_CLEAN = re.compile(r"(.*/)?README\.md$|ARCHITECTURE\.md$|docs/(?!measured/).*\.(md|1)$|CONTRIBUTING\.md$")


def terms(root):
    with open(os.path.join(root, "docs/terms.tsv"), encoding="utf-8") as f:
        return [line.split("\t")[0].lower() for line in f.read().splitlines()[1:]]


def comment_of(path, line):
    """(code, text) of a line: its comment and its string literals are text."""
    mark = MARKS[os.path.splitext(path)[1]]
    if not mark:
        return "", "" if line.startswith("    ") else line  # what a program prints
    if mark != "//":
        at = 0 if line.lstrip().startswith(mark) else line.find(" " + mark + " ")
        return "", line[at:] if at >= 0 else ""
    strings = []

    def keep(match):
        strings.append(match[1])
        return " " * len(match[0])

    code = re.sub(r'"((?:\\.|[^"\\])*)"', keep, line) if not line.lstrip().startswith("//") else line
    at = code.find(mark)
    comment = line[at:] if at >= 0 else ""
    if line.lstrip().startswith("#include"):
        return "", comment
    return (code[:at] if at >= 0 else code), " ; ".join([comment] + [s.replace("\\n", " ") for s in strings])


def places(root, path, phrases, single):
    with open(os.path.join(root, path), encoding="utf-8", errors="replace") as f:
        lines = f.read().split("\n")
    before = ""
    for number, line in enumerate(lines, 1):
        code, text = comment_of(path, line)
        plain = re.sub(r"`[^`]*`", " ", text) if path.endswith((".md", ".1")) else text
        # A phrase may be broken over two lines; it is counted where it ends.
        joined = before + " " + re.sub(r"^\s*(//|#|\*)\s*", "", plain)
        for match in phrases.finditer(joined):
            if match.end() > len(before):
                yield number, match[0]
        before = joined[len(before) + 1 :][-40:] if text.strip() else ""
        for name in re.findall(r"[A-Za-z_]\w*", code):
            for part in name.lower().split("_"):
                if part in single:
                    yield number, name


def main():
    args = sys.argv[1:]
    show = "--all" in args
    args = [a for a in args if a != "--all"]
    if not args or args[0] in ("-h", "--help"):
        print(__doc__)
        sys.exit(0 if args else 2)
    root, files = args[0], args[1:]
    if not os.path.exists(os.path.join(root, "docs/terms.tsv")):
        sys.exit(f"terms.py: {root} has no docs/terms.tsv: the first argument is the project's folder")
    if not files:
        listed = subprocess.run(["git", "-C", root, "ls-files"], capture_output=True, text=True, check=True)
        files = listed.stdout.splitlines()
    files = [f for f in files if os.path.splitext(f)[1] in MARKS and not f.startswith(NOT_READ)]
    words = terms(root)
    phrases = re.compile(r"(?<![\w-])(?:" + "|".join(re.escape(w).replace(r"\ ", r"\s+") for w in words) + r")(?![\w-])", re.I)
    single = {w for w in words if " " not in w} - {"sight"}
    allowed = {}
    with open(os.path.join(root, "tests/terms_allowed.tsv"), encoding="utf-8") as f:
        for line in f.read().splitlines():
            name, number = line.split("\t")
            allowed[name] = int(number)
    for name in sorted(allowed):
        if not os.path.exists(os.path.join(root, name)):
            print(f"tests/terms_allowed.tsv: {name} does not exist")
    for path in files:
        found = list(places(root, path, phrases, single))
        if show:
            for number, word in found:
                print(f"{path}:{number}: {word}")
            continue
        may = allowed.get(path, 0)
        if may and ALWAYS_CLEAN.match(path):
            print(f"{path}: no word is allowed here, and terms_allowed.tsv allows {may}")
        if len(found) > may:
            print(f"{path}: {len(found)} words that docs/terms.tsv does not allow (terms_allowed.tsv: {may}): "
                  + ", ".join(f"{w} (line {n})" for n, w in found[:4]))
        elif len(found) < may:
            print(f"{path}: {len(found)} words, and terms_allowed.tsv still allows {may}: lower it")


main()
