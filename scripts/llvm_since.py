#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints since which and until which LLVM version each kept LLVM bug is wrong: docs/measured/llvm-versions.md.

usage: scripts/llvm_since.py [--tf PROGRAM] [--llvm DIR] [CASE.toml...]

Runs `tanglefuzz recheck` on the LLVM cases of corpus/regress (or those given), with each version that DIR has
(default: TANGLEFUZZ_LLVM_DIR, else build/deps/llvm; scripts/llvm.sh fetches them), oldest first. Exit status 0 if
all are wrong in the newest version, 1 if one is not, 2 if a case could not be judged.
"""
import glob
import json
import os
import shlex
import subprocess
import sys
import tomllib

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "lib"))
from measured import head, prose

FINE = {"agrees", "compiled"}


def version_name(path):
    """Returns "23.1.4", or "24 of 20261025" for a snapshot, from "LLVM 1:24~++20261025103442+7e3c-1 (suite)"."""
    with open(path, encoding="utf-8") as file:
        text = file.read().split()[1].split(":")[-1].split("-")[0]
    number, _, snapshot = text.partition("~++")
    return f"{number} of {snapshot[:8]}" if snapshot else number


def versions(folder):
    """Returns [(number, full version)] of the LLVM versions in the folder, oldest first."""
    found = sorted(int(n) for n in os.listdir(folder) if n.isdigit() and os.path.exists(f"{folder}/{n}/loader"))
    return [(n, version_name(f"{folder}/{n}/version")) for n in found]


def classes(tf, case, target, numbers):
    """Returns the class that the case has with each version; "" if it was not judged."""
    command = [tf, "recheck", case, "--read-only", "--format", "json"]
    for n in numbers:
        command += ["--target", f"{target}{':' if target == 'llvm' else ','}version={n}"]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    rows = [json.loads(line) for line in run.stdout.splitlines()]
    if len(rows) != 1:
        print(f"{case}: {run.stderr.strip().splitlines()[-1:]}", file=sys.stderr)
        return [""] * len(numbers)
    return [t["class"] for t in rows[0]["targets"]]


def span(seen):
    """Returns (since, until): indices of the first and last wrong version; None: in no version."""
    wrong = [i for i, c in enumerate(seen) if c and c not in FINE]
    return (wrong[0], wrong[-1]) if wrong else None


def main():
    args, tf, folder = sys.argv[1:], "build/release/tanglefuzz", os.environ.get("TANGLEFUZZ_LLVM_DIR") or "build/deps/llvm"
    while len(args) > 1 and args[0] in ("--tf", "--llvm"):
        tf, folder = (args[1], folder) if args[0] == "--tf" else (tf, args[1])
        args = args[2:]
    if args[:1] and args[0].startswith("-"):
        print(__doc__)
        return 0 if args[0] in ("-h", "--help") else 2
    found = versions(folder) if os.path.isdir(folder) else []
    if not found:
        print(f"llvm_since: {folder} has no LLVM (scripts/llvm.sh fetches it)", file=sys.stderr)
        return 2
    os.environ["TANGLEFUZZ_LLVM_DIR"] = os.path.abspath(folder)
    numbers, names, status = [n for n, _ in found], [v for _, v in found], 0
    print(head("Since and until which LLVM version the kept bugs are wrong",
               "For LLVM developers: which bugs of `docs/findings.md` are still in the newest version?",
               shlex.join(["scripts/llvm_since.py"] + args)), end="")
    print(prose("Each case three times. *since*: the oldest version, among these, in which it is wrong; *until*: the newest; "
                "*still*: that is the newest of all."), end="")
    print("| case | target | " + " | ".join(names) + " | since | until |\n" + "| --- " * (len(names) + 4) + "|")
    for toml in args or sorted(glob.glob("corpus/regress/llvm*.toml")):
        with open(toml, "rb") as file:
            entry = tomllib.load(file)
        seen = classes(tf, toml.removesuffix(".toml") + ".spvasm", entry["target"], numbers)
        wrong = span(seen)
        status = max(status, 2 if "" in seen else 0 if wrong and wrong[1] == len(seen) - 1 else 1)
        since = names[wrong[0]] if wrong else "-"
        until = "-" if not wrong else "still" if wrong[1] == len(seen) - 1 else names[wrong[1]]
        print(f"| `{os.path.basename(toml).removesuffix('.toml')}` | `{entry['target'].replace('|', chr(92) + '|')}` | "
              + " | ".join(c or "not judged" for c in seen) + f" | {since} | {until} |", flush=True)
    return status


if __name__ == "__main__":
    sys.exit(main())
