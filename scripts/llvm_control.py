#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Asks of each wrong program of campaigns on LLVM's AMD back end whether one model of the cause predicts every word that it left.

usage: scripts/llvm_control.py [--fault NAME] [--target SPEC] [--list FILE] [--others A:B] CAMPAIGN...

Each CAMPAIGN was written by `tanglefuzz fuzz --keep 0`. Of a finding of wrong memory, the words are predicted by a machine that
breaks one rule (--fault, default loop-exits-meet: lanes that leave a natural loop wait for each other), and the case is run again with
them as the expectation. Each choice that the rules leave is tried (join, direct, split). --target runs another target, such
as one without tokens. Prints the number of programs by answer; --list writes a line for each. --others: of the seeds A to B-1
that have no finding, for how many does the model predict other words than the rules do? Those would have to be wrong, too. Uses the program in TANGLEFUZZ,
else build/release/tanglefuzz.
"""
import argparse
import collections
import json
import os
import re
import subprocess
import sys
import tempfile

TF = os.environ.get("TANGLEFUZZ", os.path.join(os.path.dirname(os.path.abspath(__file__)), "../build/release/tanglefuzz"))
WRONG = ("wrong-value", "wrong-memory", "missing-lanes", "extra-lanes", "wrong-lanes", "missing-execution", "extra-execution")


def ask(*words):
    return subprocess.run([TF, *words], capture_output=True, text=True, errors="replace")


def findings(campaign):
    """Returns (name, target, path of the case) of each finding of wrong memory."""
    for name in sorted(os.listdir(os.path.join(campaign, "findings"))):
        folder = os.path.join(campaign, "findings", name)
        with open(os.path.join(folder, "finding.json"), encoding="utf-8") as file:
            d = json.load(file)
        if d["class"] in WRONG:
            yield name, d["target"], os.path.join(folder, "case.spvasm")


def run(target, paths):
    """Returns {path: agrees, or the class of the mismatch}."""
    said = {}
    for at in range(0, len(paths), 40):
        for line in ask("replay", "-t", target, "-f", "json", *paths[at:at + 40]).stdout.splitlines():
            d = json.loads(line)
            if d["type"] == "check":
                said[d["file"]] = d["targets"][0]["class"] if d["targets"] else d["outcome"]
    return said


def predicted(case, fault, policy, path):
    """Writes the case with the words of a machine with the fault; False if that does not end."""
    done = ask("predict", case, "--fault", fault, "--bake", "--policy", policy, "-o", path)
    return done.returncode == 0


def ask_others(campaign, fault, seeds, path):
    """Prints for how many programs of the campaign without a finding the model predicts other words."""
    names = os.listdir(os.path.join(campaign, "findings"))
    found = {int(re.match(r"s(\d+)-", name)[1]) for name in names}
    with open(os.path.join(campaign, "findings", min(names), "finding.json"), encoding="utf-8") as file:
        words = json.load(file)["generated"].split()[2:]  # without the program and its command
    said = collections.Counter()
    for seed in range(*seeds):
        if seed in found:
            continue
        words[words.index("--seed") + 1] = str(seed)
        ask("gen", *words, "-o", path)
        right, wrong = ask("predict", path), ask("predict", path, "--fault", fault)
        said["not predicted" if right.returncode else "the same words" if right.stdout == wrong.stdout else "other words"] += 1
    print(f"{campaign}, without a finding: " + ", ".join(f"{n} {what}" for what, n in said.most_common()))


def main():
    p = argparse.ArgumentParser(usage=__doc__.strip())
    p.add_argument("campaigns", nargs="+")
    p.add_argument("--fault", default="loop-exits-meet")
    p.add_argument("--target")
    p.add_argument("--list")
    p.add_argument("--others", metavar="A:B")
    a = p.parse_args()
    answers = {}
    with tempfile.TemporaryDirectory() as folder:
        for campaign in a.campaigns:
            left = {}
            for name, target, case in findings(campaign):
                left[f"{campaign}/{name}"] = (a.target or target, case)
            for policy in ("join", "direct", "split"):
                cases = collections.defaultdict(dict)
                for n, (key, (target, case)) in enumerate(left.items()):
                    path = os.path.join(folder, f"{n}.spvasm")
                    if predicted(case, a.fault, policy, path):
                        cases[target][path] = key
                    else:
                        answers[key] = "the model does not end"
                for target, paths in cases.items():
                    for path, said in run(target, sorted(paths)).items():
                        answers[paths[path]] = "as predicted" if said == "agrees" else f"not as predicted: {said}"
                left = {k: v for k, v in left.items() if answers.get(k) != "as predicted"}
            if a.others:
                ask_others(campaign, a.fault, [int(n) for n in a.others.split(":")], os.path.join(folder, "other.spvasm"))
    count = collections.Counter(answers.values())
    for answer, n in count.most_common():
        print(f"{n} {answer}")
    print(f"{sum(count.values())} in all")
    if a.list:
        with open(a.list, "w", encoding="utf-8") as file:
            for key, answer in sorted(answers.items()):
                print(f"{key}\t{answer}", file=file)
    return 0


if __name__ == "__main__":
    sys.exit(main())
