#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
#
# How many programs does it take to find each mutant, from several first seeds? One seed that is early by luck changes
# the figure of a mutant a lot; the spread over first seeds shows by how much. docs/measured/mutant-starts.md is
#   scripts/measure.sh docs/measured/mutant-starts.md 'Mutants: from several first seeds' scripts/mutant_starts.py
import argparse
import json
import os
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def mutants(tanglefuzz, *options):
    """Returns the answer of `tanglefuzz mutants --json`, and [programs until found, name] in order."""
    command = [tanglefuzz, "mutants", "--json", *options]
    try:
        run = subprocess.run(command, capture_output=True, text=True)
    except OSError as e:
        sys.exit(f"mutant_starts: {tanglefuzz}: {e.strerror} (--tanglefuzz names it)")
    if run.returncode not in (0, 1):
        sys.exit(f"mutant_starts: {' '.join(command)}: {run.stderr.strip()}")
    answer = json.loads(run.stdout)
    return answer, sorted((m["programs"], m["name"]) for m in answer["mutants"])


def main():
    parser = argparse.ArgumentParser(description="Runs `tanglefuzz mutants` from several first seeds.")
    parser.add_argument("--tanglefuzz", default=os.path.join(ROOT, "build", "release", "tanglefuzz"))
    parser.add_argument("--first", default="0,100000,200000,300000,400000,500000", help="first seeds")
    parser.add_argument("--cases", type=int, default=2500, help="most programs from each")
    parser.add_argument("--inputs", default="1", help="inputs of each program")
    o = parser.parse_args()
    means, late, total = [], 0, 0
    print("first seed  found       median  mean   within 10  most  later than 400")
    for first in o.first.split(","):
        answer, until = mutants(o.tanglefuzz, "--first", first, "--cases", str(o.cases), "--inputs", o.inputs)
        n = [k for k, _ in until]
        after = [f"{name} {k}" for k, name in until if k > 400]
        means.append(sum(n) / len(n))
        late += len(after)
        total += len(n)
        print(f"{first:>10}  {answer['found']} of {len(n)}  {answer['median']:>6}  {means[-1]:5.1f}  "
              f"{sum(k <= 10 for k in n):>9}  {n[-1]:>4}  {', '.join(after) or '-'}", flush=True)
    print(f"mean over all: {sum(means) / len(means):.1f} programs; later than 400: {late} of {total}")
    upper = [name for _, name in until if name.startswith("upper-")]
    print("\nmutants of the upper half of the subgroup, from seed 0\nsize  found     median  the latest")
    for size in ("32", "64", "128"):
        answer, until = mutants(o.tanglefuzz, "--subgroup", size, "--only", ",".join(upper), "--cases", str(o.cases), "--inputs", o.inputs)
        print(f"{size:>4}  {answer['found']} of {len(until)}  {answer['median']:>6}  {until[-1][1]} {until[-1][0]}")


if __name__ == "__main__":
    main()
