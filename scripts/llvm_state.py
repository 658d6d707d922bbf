#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What surveys of LLVM found, as Markdown tables for docs/state-of-llvm.md.

usage: scripts/llvm_state.py [--known DIR] FOLDER...

Each FOLDER was written by `tanglefuzz survey --out`. Those of one target are added up: surveys of
different seeds. Prints a row a target (shares), then a row a bucket, with how often each target shows it.
What falls under an entry of DIR (known/llvm) says so.
"""
import collections
import fnmatch
import glob
import json
import os
import re
import sys

KINDS = ["refused", "crash", "hang", "repaired", "invalid", "wrong", "undefined", "endless", "split", "other"]


def read_known(folder):
    """[(pattern, name, link)] of the entries with a signature."""
    entries = []
    for path in sorted(glob.glob(f"{folder}/*.known")):
        with open(path, encoding="utf-8") as file:
            keys = dict(line.split(None, 1) for line in file.read().splitlines() if " " in line)
        if "signature" in keys:
            pattern = re.sub(r"([\[\]?])", r"[\1]", keys["signature"].strip())
            name = os.path.basename(path)[: -len(".known")]
            entries.append((pattern, name, keys.get("link", "").strip()))
    return entries


def bucket(row):
    """What a person calls it: the signature's message, or its operation and constructs."""
    _, _, klass, op, path, message, *_ = row["signature"].split("|") + [""]
    message = re.sub(r"^spirv-val \([^)]*\): ", "", message)
    message = re.sub(r" in _Z.*| in LLVM.*", "", message)
    return message or f"{klass}: {op or 'value'} in {path or 'top'}"


def main():
    args = sys.argv[1:]
    known = []
    if args[:1] == ["--known"] and len(args) > 1:
        known, args = read_known(args[1]), args[2:]
    if not args or args[0] in ("-h", "--help"):
        print(__doc__)
        return 2
    totals, rows = {}, collections.defaultdict(collections.Counter)
    seeds, links = {}, {}
    for folder in args:
        with open(f"{folder}/survey.json", encoding="utf-8") as file:
            s = json.load(file)
        t = totals.setdefault(s["target"], collections.Counter())
        t["programs"] += s["programs"]
        t["asked"] += s["asked"]
        t.update(s["kinds"])
        for row in s["rows"]:
            # Where wrong code shows differs from program to program: one row a target.
            key = (row["kind"], bucket(row) if row["kind"] not in ("wrong", "endless") else row["kind"])
            rows[key][s["target"]] += row["programs"]
            seeds.setdefault(key, (s["target"], row["first"]))
            for pattern, name, link in known:
                if fnmatch.fnmatchcase(row["signature"], pattern):
                    links[key] = f"[{name}]({link})" if link else name
    print("| target | programs | asked | agree | " + " | ".join(KINDS) + " |")
    print("| --- " * (len(KINDS) + 4) + "|")
    for target, t in totals.items():
        shares = " | ".join(f"{100 * t[k] / t['asked']:.2f} %" if t[k] else "" for k in KINDS)
        print(f"| `{target}` | {t['programs']} | {t['asked']} | {100 * t['agrees'] / t['asked']:.1f} % | {shares} |")
    names = list(totals)
    print("\n| kind | what | " + " | ".join(f"`{n.split('=')[-1] if '=' in n else n}`" for n in names) +
          " | first seed | known |")
    print("| --- " * (len(names) + 4) + "|")
    for key in sorted(rows, key=lambda k: (KINDS.index(k[0]), -sum(rows[k].values()))):
        counts = " | ".join(str(rows[key][n] or "") for n in names)
        what = key[1].replace("|", "/").replace("_", "\\_")
        print(f"| {key[0]} | {what} | {counts} | {seeds[key][1]} | {links.get(key, 'new')} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
