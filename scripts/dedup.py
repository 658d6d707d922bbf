#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""dedup.py COMMAND: how well buckets match causes, measured where the causes are known: each mutant
is one bug, its findings are reduced and put into buckets as if all came from one target.

  run DIR [--findings N] [--mutants A,B] [--jobs N]   campaigns and reductions, DIR/NAME a mutant
  score DIR                                           figures, confusion table, worst cases (Markdown)

Runs the program in TANGLEFUZZ, else build/release/tanglefuzz. A run goes on where it was stopped."""
import argparse
import collections
import concurrent.futures
import json
import os
import subprocess
import sys
import time

TF = os.environ.get("TANGLEFUZZ", "build/release/tanglefuzz")


def tf(*args, seconds=600):
    return subprocess.run([TF, *map(str, args)], capture_output=True, text=True, timeout=seconds)


def mutants():
    lines = tf("mutants", "--list").stdout.splitlines()
    return [line.split()[0] for line in lines if line and not line.startswith((" ", "#"))]


def work(folder, name, findings, seconds):
    out, target = os.path.join(folder, name), f"mutant:{name}"
    start = time.time()
    if not os.path.exists(os.path.join(out, "campaign.json")):
        tf("fuzz", "--target", target, "--out", out, "--stop-after", findings, "--time", seconds)
    found = os.path.join(out, "findings")
    names = sorted(os.listdir(found))[:findings] if os.path.isdir(found) else []
    for n in names:
        if not os.path.isdir(os.path.join(found, n, "reduced")):
            tf("reduce", os.path.join(found, n), "--target", target, "--time", "10s")
    return name, len(names), time.time() - start


def run(a):
    os.makedirs(a.dir, exist_ok=True)
    names = a.mutants.split(",") if a.mutants else mutants()
    with concurrent.futures.ThreadPoolExecutor(a.jobs) as pool:
        for name, n, seconds in pool.map(lambda m: work(a.dir, m, a.findings, a.seconds), names):
            print(f"{name}: {n} findings, {seconds:.0f} s", flush=True)


def rows(folder, limit):
    for name in sorted(os.listdir(folder)):
        p = tf("report", os.path.join(folder, name), "--format", "jsonl")
        lines = [json.loads(x) for x in p.stdout.splitlines()]
        buckets = {x["bucket"]: x["signature"] for x in lines if x["type"] == "bucket"}
        found = sorted((x for x in lines if x["type"] == "finding"), key=lambda x: x["name"])
        for x in found[:limit]:
            if x["class"] != "flaky":
                yield name, x["bucket"], buckets[x["bucket"]], x


def score(a):
    causes, names = collections.defaultdict(collections.Counter), {}
    holds, smallest, total = collections.defaultdict(collections.Counter), {}, 0
    reduced = 0
    for cause, bucket, signature, x in rows(a.dir, a.findings):
        causes[cause][bucket] += 1
        holds[bucket][cause] += 1
        names[bucket] = signature
        total += 1
        reduced += bool(x["reduced"])
    if not total:
        sys.exit("no findings")
    per = {c: len(b) for c, b in causes.items()}
    pure = [b for b, c in holds.items() if len(c) == 1]
    majority = sum(c.most_common(1)[0][1] for c in holds.values())
    print(f"{total} findings of {len(causes)} mutants ({reduced} reduced), {len(holds)} buckets.\n")
    print("| figure | value |\n| --- | --- |")
    print(f"| buckets a cause, mean | {sum(per.values()) / len(per):.2f} |")
    print(f"| causes with one bucket | {sum(n == 1 for n in per.values())} of {len(per)} |")
    print(f"| pure buckets | {len(pure)} of {len(holds)} ({100 * len(pure) / len(holds):.0f} %) |")
    print(f"| findings in a bucket of their cause's majority | {100 * majority / total:.0f} % |\n")
    print("## Confusion table\n\nA row a mutant: its buckets and how many findings each holds; **bold** "
          "where the bucket holds others' findings too.\n\n| mutant | findings | buckets |\n| --- | --- | --- |")
    for cause in sorted(causes):
        cells = [f"{'**' if len(holds[b]) > 1 else ''}{b}{'**' if len(holds[b]) > 1 else ''} {n}"
                 for b, n in causes[cause].most_common()]
        print(f"| {cause} | {sum(causes[cause].values())} | {', '.join(cells)} |")
    print("\n## The ten worst\n\nBuckets with most causes, then causes with most buckets.\n")
    for b, c in sorted(holds.items(), key=lambda x: -len(x[1]))[:5]:
        print(f"- `{names[b]}` ({b}): " + ", ".join(f"{m} {n}" for m, n in c.most_common()))
    for cause in sorted(per, key=lambda c: -per[c])[:5]:
        print(f"- {cause}, {per[cause]} buckets: " + "; ".join(f"`{names[b]}` {n}" for b, n in causes[cause].most_common()))


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("command", choices=["run", "score"])
    p.add_argument("dir")
    p.add_argument("--findings", type=int, default=10, help="of each mutant (default 10)")
    p.add_argument("--mutants", default="", help="names, joined by commas; default all")
    p.add_argument("--seconds", default="60s", help="of a campaign at most (default 60s)")
    p.add_argument("--jobs", type=int, default=2)
    a = p.parse_args()
    (run if a.command == "run" else score)(a)


main()
