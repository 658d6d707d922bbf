#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Sorts programs of surveys of LLVM, whose output is valid but not right, by the component at fault.

usage: scripts/llvm_sort.py [--bisect N] [--out DIR] FOLDER...

Each FOLDER was written by `tanglefuzz survey --out`, for a target llvm:passes=... Each program of its wrong, endless
and split buckets is run again: as IR after the passes (judge=ir: if wrong, the optimiser is at
fault), by the back end at level 0 after the same passes (if right, a pass of the back end is at fault,
such as loop-reduce), by the back end without any pass, and, for the first N (default 20), by bisect, which finds the pass after
which the verdict changes. Prints a line per program; then the number of programs of each sort, with the first seed and the smallest program,
which DIR keeps as case files. Uses build/release/tanglefuzz, or the program in the variable TANGLEFUZZ.
"""
import collections
import json
import os
import re
import subprocess
import sys
import tempfile

TF = os.environ.get("TANGLEFUZZ", os.path.join(os.path.dirname(os.path.abspath(__file__)), "../build/release/tanglefuzz"))


def ask(*words):
    done = subprocess.run([TF, *words], capture_output=True, text=True, errors="replace")
    return done.stdout + done.stderr


def verdict(case, target):
    """Returns 'agrees', 'wrong-tangle' ..., from the first line of replay."""
    line = ask("replay", case, "--target", target).split("\n", 1)[0]
    found = re.match(re.escape(case) + r": ([a-z-]+)", line)
    return found[1] if found else "skipped"


def target_of(passes, level, *more):
    return ",".join(["llvm:passes=" + passes, *([f"level={level}"] if level else []), *more])


def main():
    args, bisects, out = sys.argv[1:], 20, None
    while args and args[0] in ("--bisect", "--out") and len(args) > 1:
        if args[0] == "--bisect":
            bisects = int(args[1])
        else:
            out = args[1]
        args = args[2:]
    if not args or args[0].startswith("-"):
        print(__doc__)
        return 2
    sorts = collections.defaultdict(list)
    with tempfile.TemporaryDirectory() as work:
        folder = out or work
        os.makedirs(folder, exist_ok=True)
        for survey in args:
            with open(f"{survey}/survey.json", encoding="utf-8") as file:
                s = json.load(file)
            named = re.fullmatch(r"llvm:passes=(.*?)((?:,(?:level|size)=\w+)*)", s["target"])
            if not named or named[1] == "random":
                print(f"llvm_sort: {survey}: '{s['target']}' is not a target llvm:passes=...[,level=N][,size=small]",
                      file=sys.stderr)
                return 2
            level = re.sub(r",size=\w+|,level=", "", named[2])
            passes = named[1] + re.sub(r",level=\w+", "", named[2])
            programs = sorted((seed, r["kind"]) for r in s["rows"] for seed in r.get("seeds", []))
            for seed, kind in programs:
                case = f"{folder}/s{seed}.spvasm"
                ask("gen", "--seed", str(seed), "--without", s["left_out"].replace(" ", ""), "--subgroup", "32", "-o", case)
                here = verdict(case, s["target"])
                in_ir = verdict(case, target_of(passes, "", "judge=ir"))
                alone = "" if passes == "none" else verdict(case, target_of("none", level))
                if kind == "split":
                    turns = "a choice (D3)"
                elif passes == "none" or alone == here:
                    turns = "the back end, without passes"
                elif bisects > 0:
                    bisects -= 1
                    said = re.search(r"^  pass    (.*)$", ask("bisect", case, "--target", s["target"]), re.M)
                    turns = said[1].split(", of ")[0] if said else "not found by bisect"
                else:
                    turns = "not bisected"
                with open(case, encoding="utf-8") as file:
                    size = sum(1 for line in file if not line.startswith(";"))
                fault = f"optimiser ({in_ir})" if in_ir not in ("agrees", "skipped") else "not known"
                if in_ir == "agrees":
                    plain = here if level == "0" else verdict(case, target_of(passes, "0"))
                    fault = "back end, at level 0 too" if plain == here else f"back end; at level 0 {plain}"
                print(f"{s['target']}\t{seed}\t{kind}\t{here}\tIR {in_ir}\t{fault}\t{turns}\t{size}", flush=True)
                sorts[kind, fault, turns].append((size, seed))
    print("\n| kind | fault of | verdict changes after | programs | first seed | smallest, lines |\n" + "| --- " * 6 + "|")
    for (kind, fault, turns), programs in sorted(sorts.items(), key=lambda x: (x[0][0], -len(x[1]))):
        size, seed = min(programs)
        print(f"| {kind} | {fault} | `{turns}` | {len(programs)} | {min(p[1] for p in programs)} | {seed}, {size} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
