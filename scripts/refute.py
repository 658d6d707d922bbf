#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""refute.py DIR... [--draws N] [--target SPEC]: asks a fresh question about each printed reason: a control program
drawn at random among those that the diagnosis did not show. DIR holds findings, reduced by `dedup.py run DIR` or by
`tanglefuzz reduce`. Each finding gets draws in turn, until N in all. Prints how many were as predicted. With --target
each finding is asked on that target, else on its own."""
import argparse
import collections
import glob
import json
import os
import shlex
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "lib"))
from measured import head, prose

TF = os.environ.get("TANGLEFUZZ", "build/release/tanglefuzz")
OUTCOMES = ("as predicted", "right, which the reason permits there", "refuted")


def findings(dirs):
    """Returns the folders of reduced findings that print a reason; a reason that a compiler's change shows predicts no words."""
    for d in dirs:
        for path in sorted(glob.glob(os.path.join(d, "**", "reduced-*", "finding.json"), recursive=True)):
            reason = json.load(open(path)).get("reason", {})
            if reason.get("known_by") in ("reading", "record"):
                yield os.path.dirname(path)


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("dirs", nargs="+")
    p.add_argument("--draws", type=int, default=100)
    p.add_argument("--target")
    a = p.parse_args()
    folders, count, refuted, seed = list(findings(a.dirs)), collections.Counter(), [], 0
    while folders and sum(count.values()) < a.draws:
        seed += 1
        for folder in list(folders):
            if sum(count.values()) == a.draws:
                break
            out = subprocess.run([TF, "explain", folder, "--control", str(seed), *(["--target", a.target] if a.target else [])],
                                 capture_output=True, text=True).stdout
            outcome = next((x for x in OUTCOMES if out.startswith(x)), None)
            if not outcome:  # no other program can be asked
                folders.remove(folder)
                continue
            count[outcome] += 1
            if outcome == "refuted":
                refuted.append((folder, seed, out.strip()))
    if not count:
        sys.exit("no reason could be asked about")
    print(head("Reasons, asked again", "For readers of a finding's reason: does it hold on programs that it was not tested on?", shlex.join(sys.argv)) +
          prose(f"{sum(count.values())} control programs, drawn at random among those that the diagnoses did not show.").rstrip() + "\n")
    print("| outcome | programs |\n| --- | ---: |")
    for what in OUTCOMES:
        print(f"| {what} | {count[what]} |")
    for folder, at, text in refuted:
        print(f"\n- `{folder}`, seed {at}: {text}")


main()
