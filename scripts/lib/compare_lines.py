#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tables of scripts/fuzz_compare.sh: lines of SPIRV-Tools' source/opt that each target's corpus reaches.

usage: scripts/lib/compare_lines.py FOLDER NAME...

Reads FOLDER/NAME/log (libFuzzer's), FOLDER/NAME/seconds and FOLDER/lines/NAME.json (llvm-cov export -summary-only).
"""
import json
import re
import sys


def files(path):
    """{file of source/opt: (lines covered, lines)}"""
    with open(path, encoding="utf-8") as file:
        found = json.load(file)["data"][0]["files"]
    return {f["filename"].split("source/opt/")[1]: (f["summary"]["lines"]["covered"], f["summary"]["lines"]["count"])
            for f in found if "/source/opt/" in f["filename"]}


def main():
    folder, names = sys.argv[1], sys.argv[2:]
    reached = {name: files(f"{folder}/lines/{name}.json") for name in names}
    lines = {}
    for found in reached.values():
        for file, (_, count) in found.items():
            lines[file] = max(lines.get(file, 0), count)
    if not lines:
        sys.exit("compare_lines: no coverage of source/opt: was the library built with coverage?")
    whole = sum(lines.values())
    print(f"{'':<10} {'CPU-s':>6} {'executions':>10} {'lines of source/opt':>20} {'share':>7} {'files':>6}")
    for name in names:
        with open(f"{folder}/{name}/log", encoding="utf-8", errors="replace") as file:
            runs = (re.findall(r"^#(\d+): cov", file.read(), re.M) or ["0"])[-1]
        with open(f"{folder}/{name}/seconds", encoding="utf-8") as file:
            seconds = file.read().strip()
        covered = sum(c for c, _ in reached[name].values())
        print(f"{name:<10} {seconds:>6} {runs:>10} {covered:>20} {covered / whole:>7.1%} "
              f"{sum(1 for c, _ in reached[name].values() if c):>6}")
    print("\nLines by file:")
    print(f"  {'':<50}" + "".join(f"{name:>8}" for name in names) + "  of")
    for file in sorted(lines):
        row = [reached[name].get(file, (0, 0))[0] for name in names]
        if any(row):
            print(f"  {file:<50}" + "".join(f"{n:>8}" for n in row) + f"  {lines[file]}")


if __name__ == "__main__":
    main()
