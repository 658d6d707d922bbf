#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a campaign on LLVM found, sorted: one row a bucket, as a Markdown table.

usage: scripts/llvm_state.py CAMPAIGN_FOLDER

In this order: IR that LLVM's verifier refuses, by the pass that made it so; crashes, by the pass that
was running; invalid SPIR-V, by the validator's message without names, with what the merge repair
shows behind it; wrong code; programs that do not end. Reads finding.json of each finding.
"""
import collections
import glob
import json
import re
import sys

ORDER = ["rejected", "crash", "hang", "invalid-output", "undefined-output"]


def plain(text):
    """A message without what differs between cases of one fault."""
    text = re.sub(r"^spirv-val \([^)]*\): ", "", text)
    head, _, behind = text.partition("; after the merge repair: ")
    head = re.split(r"\s{2,}", head)[0]  # the validator shows the instruction behind some blanks
    head = re.sub(r"'[^']*'", "_", head)
    head = re.sub(r"%\S+|\b0x[0-9a-f]+|\b\d+(\.\d+)?\b", "#", head)
    return head.strip() + (f" [after the merge repair: {plain(behind)}]" if behind else "")


def bucket(f):
    text, kind = f["text"], f["class"]
    if kind == "rejected":
        m = re.match(r"IR not valid after ([^:]*): ([^/]*)", text)
        return f"`{m[1]}`: {m[2].strip()}" if m else plain(text)
    if kind == "crash":
        passed = re.search(r", pass '([^']*)'", text)
        message = re.search(r": (.*?)(?: in _Z|$)", text.split(" / ")[0])
        where = f"`{passed[1]}`" if passed else "the back end"
        said = plain(message[1]) if message and "_Z" not in message[1][:3] else ""
        return f"{where}: {said}" if said else f"{where}: {text.split(' in the')[0]}"
    if kind == "hang":
        return "the output does not end" if "does not end" in text else "LLVM does not end"
    if kind.startswith(("wrong", "missing", "extra")):
        return "another answer"
    return plain(text)


def main():
    if len(sys.argv) != 2 or sys.argv[1] in ("-h", "--help"):
        print(__doc__)
        return 2
    rows = collections.Counter()
    first = {}
    for path in sorted(glob.glob(f"{sys.argv[1]}/findings/*/finding.json")):
        with open(path, encoding="utf-8") as file:
            f = json.load(file)
        key = (f["class"], bucket(f))
        rows[key] += 1
        first.setdefault(key, f["generated"].split("--seed ")[1].split()[0])
    with open(f"{sys.argv[1]}/campaign.json", encoding="utf-8") as file:
        runs = json.load(file)["campaigns"]
    cases = sum(r["cases"] for r in runs)
    agreed = sum(r["agreed"] for r in runs)
    repaired = sum(n for (_, b), n in rows.items() if b.endswith("repair: agrees]"))
    print(f"{cases} programs: {agreed} agree ({100 * agreed / cases:.1f} %), "
          f"{repaired} agree after the merge repair\n")
    print("| class | what | programs | first seed |\n| --- | --- | --- | --- |")

    def place(item):
        kind = item[0][0]
        return (ORDER.index(kind) if kind in ORDER else 2.5, -item[1])

    for (kind, what), n in sorted(rows.items(), key=place):
        print(f"| {kind} | {what} | {n} | {first[(kind, what)]} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
