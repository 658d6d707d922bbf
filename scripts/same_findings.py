#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that two builds find the same: runs the same seeds through both programs and compares each finding by its case, class,
signature and bucket.

usage: same_findings.py [--cases N] [--jobs N] [--reduce] BEFORE AFTER [TARGET...]

BEFORE and AFTER are tanglefuzz programs. Default: five targets that scripts/setup.sh suffices for.
--reduce: reduces each finding, and compares the reduced cases too (slow: --cases 200).
Prints a row for each target, and each difference. Exit status 1 if the two differ, 2 if a program fails or
nothing is found, so that nothing was compared.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile

TARGETS = ("spirv-opt:--loop-unswitch", "spirv-opt:random", "vulkan:driver=lavapipe", "mutant:hoist-out-of-loop",
           "spirv-opt:--merge-blocks")


def findings(program, target, folder):
    """Returns name of a finding -> the fields to compare."""
    has_keep = "--keep" in subprocess.run([program, "fuzz", "--help"], capture_output=True, text=True).stdout
    ran = subprocess.run([program, "fuzz", "--target", target, "--seeds", f"0:{options.cases}", "--stop-after", "0",
                          *(["--keep", "0"] if has_keep else []), "--jobs", str(options.jobs), "--out", folder, *(["--reduce"] if options.reduce else [])],
                         stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace")
    if ran.returncode not in (0, 1):
        print(f"same_findings: {program} fuzz --target {target}: {ran.stderr.strip().splitlines()[-1:]}", file=sys.stderr)
        sys.exit(2)
    rows = subprocess.run([program, "report", folder, "--format", "jsonl", "-o", "-"], check=True, capture_output=True, text=True)
    out, signatures = {}, {}
    for line in rows.stdout.splitlines():
        row = json.loads(line)
        if row["type"] == "bucket":
            signatures[row["bucket"]] = row["signature"]
    for line in rows.stdout.splitlines():
        row = json.loads(line)
        if row["type"] == "finding":
            case = open(os.path.join(folder, row["folder"], "case.spvasm")).read()
            out[row["name"]] = {"case": hash(case), "class": row["class"], "bucket": row["bucket"],
                                "signature": signatures.get(row["bucket"], ""), "words": row["words"]}
    return out


parser = argparse.ArgumentParser(usage=__doc__.split("\n\n")[1].removeprefix("usage: "))
parser.add_argument("--cases", type=int, default=1000)
parser.add_argument("--jobs", type=int, default=os.cpu_count())
parser.add_argument("--reduce", action="store_true")
parser.add_argument("before")
parser.add_argument("after")
parser.add_argument("target", nargs="*")
options = parser.parse_args()

compared = differ = 0
print(f"| target | cases | findings before | after | differ |\n| --- | --- | --- | --- | --- |")
for target in options.target or TARGETS:
    with tempfile.TemporaryDirectory(prefix="same-findings-") as work:
        x = findings(options.before, target, os.path.join(work, "before"))
        y = findings(options.after, target, os.path.join(work, "after"))
    other = [n for n in sorted({*x, *y}) if x.get(n) != y.get(n)]
    compared += len(x)
    differ += len(other)
    print(f"| `{target}` | {options.cases} | {len(x)} | {len(y)} | {len(other)} |", flush=True)
    for name in other[:20]:
        for program, row in (("before", x.get(name)), ("after", y.get(name))):
            print(f"  {name} {program}: {row}")
if not compared:
    print("same_findings: nothing was found, so nothing was compared", file=sys.stderr)
sys.exit(2 if not compared else 1 if differ else 0)
