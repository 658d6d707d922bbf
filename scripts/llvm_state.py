#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints the results of surveys of LLVM as a page: docs/measured/state-of-llvm.md, docs/measured/llvm-ir.md.

usage: scripts/llvm_state.py [--title TEXT] [--known DIR] FOLDER...

Each FOLDER was written by `tanglefuzz survey --out`. Surveys of one target, with different seeds, are
added up. Prints a row per target (shares), then a row per bucket, with its number of programs for each target.
Buckets that match an entry of DIR (corpus/known/llvm) name it.
"""
import collections
import fnmatch
import glob
import json
import os
import re
import shlex
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "lib"))
from measured import head, prose

KINDS = ["refused", "crash", "hang", "repaired", "invalid", "wrong", "lead", "undefined", "endless", "split", "other"]
FEW = 5  # programs; smaller buckets are not printed


def read_known(folder):
    """Returns [(class, pattern of the message, name, link)] of the entries with a message."""
    entries = []
    for path in sorted(glob.glob(f"{folder}/*.known")):
        with open(path, encoding="utf-8") as file:
            keys = dict(line.split(None, 1) for line in file.read().splitlines() if " " in line)
        if "message" in keys:
            pattern = re.sub(r"([\[\]?])", r"[\1]", keys["message"].strip())
            name = os.path.basename(path)[: -len(".known")]
            entries.append((keys.get("class", "*").strip(), pattern, name, keys.get("link", "").strip()))
    return entries


def bucket(row):
    """Returns a readable name of a bucket: the signature's message, or its operation and constructs."""
    _, _, klass, op, path, message, *_ = row["signature"].split("|") + [""]
    message = re.sub(r"^spirv-val \([^)]*\): ", "", message)
    message = re.sub(r" in _Z.*| in LLVM.*", "", message)
    return message or f"{klass}: {op or 'value'} in {path or 'top'}"


def main():
    args, title, known = sys.argv[1:], "State of LLVM", []
    while args[:1] in (["--known"], ["--title"]) and len(args) > 1:
        if args[0] == "--known":
            known = read_known(args[1])
        else:
            title = args[1]
        args = args[2:]
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
            # The place of wrong code differs between programs, so there is one row per target.
            key = (row["kind"], bucket(row) if row["kind"] not in ("wrong", "lead", "endless") else row["kind"])
            rows[key][s["target"]] += row["programs"]
            seeds.setdefault(key, (s["target"], row["first"]))
            _, _, klass, _, _, message, *_ = row["signature"].split("|") + [""]
            for kind, pattern, name, link in known:
                if fnmatch.fnmatchcase(klass, kind) and fnmatch.fnmatchcase(message, pattern):
                    links[key] = f"[{name}]({link})" if link else name
    print(head(title, "For LLVM developers: which share of programs fails, and in which pass or check?",
               "tanglefuzz survey --target TARGET --cases N --split --out FOLDER", shlex.join(sys.argv)), end="")
    print(prose("*asked*: programs that the target's language can express; the shares are of those. *refused*: IR that LLVM's "
                "verifier rejects after a pass, or an error message of the compiler. *repaired*: SPIR-V that spirv-val rejects, but that is "
                "right after moving merge instructions to the ends of their blocks. *invalid*: any other that it rejects. *wrong*: "
                "valid, but other memory. *endless*: more than 64 times the instructions of the input, and 200,000 more. *split*: "
                "right only if tangles join at the output's switches, although the input leaves no choice. `docs/llvm.md` "
                f"explains the findings. The second table has the buckets of at least {FEW} programs.").rstrip() + "\n")
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
        if sum(rows[key].values()) < FEW:
            continue
        counts = " | ".join(str(rows[key][n] or "") for n in names)
        what = key[1].replace("|", "/").replace("_", "\\_")
        print(f"| {key[0]} | {what} | {counts} | {seeds[key][1]} | {links.get(key, 'new')} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
