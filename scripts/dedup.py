#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""dedup.py COMMAND: measures how well buckets match causes, on findings whose causes are known: each mutant
is one bug; its findings are reduced and bucketed as if all came from one target. Mutants that
leave the same reduced cases with the same wrong memory cannot be distinguished from
the cases alone: the figures are printed per mutant, and with such mutants merged.

  run DIR [--findings N] [--mutants A,B] [--jobs N]   campaigns and reductions, one in DIR/NAME per mutant
  sizes DIR...                                        sizes of the reduced cases: docs/measured/reduction.md
  campaign DIR --mutants A,B,C [--findings N]         one campaign on these mutants, reduced by `reduce DIR`: buckets, purity
                                                      and time before and after: docs/measured/reduce-campaign.md
  score DIR...                                        figures of each DIR and of all together, confusion table,
                                                      worst cases: docs/measured/dedup.md

Runs the program in TANGLEFUZZ, else build/release/tanglefuzz. An interrupted run continues."""
import argparse
import collections
import concurrent.futures
import glob
import hashlib
import itertools
import json
import os
import re
import shlex
import statistics
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "lib"))
from measured import head, prose

TF = os.environ.get("TANGLEFUZZ", "build/release/tanglefuzz")


def tf(*args, seconds=600):
    return subprocess.run([TF, *map(str, args)], capture_output=True, text=True, timeout=seconds)


def mutants():
    lines = tf("mutants", "--list").stdout.splitlines()
    return [line.split()[0] for line in lines if line and not line.startswith((" ", "#"))]


def sample(names, n):
    """Returns the n names whose hashes come first (0: all; -n: the others): an arbitrary but fixed choice."""
    names = sorted(names, key=lambda x: hashlib.sha256(x.encode()).hexdigest())
    return names[-n:] if n < 0 else names[:n or None]


def found(folder, name):
    path = os.path.join(folder, name, "findings")
    return sorted(os.listdir(path)) if os.path.isdir(path) else []


def programs():
    """Returns mutant -> options of the programs that detect it, if they differ from those of every campaign."""
    how = {"FRAGMENT": ["--stage", "fragment"], "DERIVATIVE": ["--with", "derivative"], "DERIVATIVE_FAULT": ["--with", "derivative"],
           "IMAGE": ["--with", "sample,sample-lod,image-index,image-nonuniform,storage-image"]}
    table = open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "selftest", "mutants", "mutants.c")).read()
    return {name: how[kind] for kind, name in re.findall(r'^ +([A-Z_]+)\("([a-z-]+)",', table, re.M) if kind in how}


def campaign(a, name):
    out = os.path.join(a.dir, name)
    if not os.path.exists(os.path.join(out, "campaign.json")):
        tf("fuzz", "--target", f"mutant:{name}", "--out", out, "--keep", 0, "--stop-after", a.findings, "--time", a.seconds,
           "--seeds", a.seeds, *programs().get(name, []))
    print(f"{name}: {len(found(a.dir, name))} findings", flush=True)


def reduce(a, name, at):
    path = os.path.join(a.dir, name, "findings", at)
    if not os.path.isdir(os.path.join(path, "reduced")):
        tf("reduce", path, "--target", f"mutant:{name}", "--time", a.reduce)


def run(a):
    """Runs the campaigns, then the reductions in rounds, so that an interrupted run has equally many per mutant."""
    os.makedirs(a.dir, exist_ok=True)
    with open(os.path.join(a.dir, "command"), "w") as file:
        file.write(shlex.join(sys.argv))
    names = a.mutants.split(",") if a.mutants else sample(mutants(), a.sample)
    with concurrent.futures.ThreadPoolExecutor(a.jobs) as pool:
        list(pool.map(lambda m: campaign(a, m), names))
        for at in range(a.findings):
            start = time.time()
            row = [(m, found(a.dir, m)[at]) for m in names if len(found(a.dir, m)) > at]
            list(pool.map(lambda x: reduce(a, *x), row))
            print(f"finding {at + 1} of {len(row)} mutants: {time.time() - start:.0f} s", flush=True)


def commands(a):
    """Returns the commands that made the folders, as far as they are known, and this one."""
    made = [os.path.join(d, "command") for d in a.dirs]
    return [*(open(path).read() for path in made if os.path.exists(path)), shlex.join(sys.argv)]


def folders(folder):
    return sorted(n for n in os.listdir(folder) if os.path.isdir(os.path.join(folder, n)))


def rows(folder, limit):
    for name in folders(folder):
        p = tf("report", os.path.join(folder, name), "--format", "jsonl")
        lines = [json.loads(x) for x in p.stdout.splitlines()]
        buckets = {x["bucket"]: x["signature"] for x in lines if x["type"] == "bucket"}
        found = sorted((x for x in lines if x["type"] == "finding"), key=lambda x: x["name"])
        for x in found[:limit]:
            if x["class"] != "flaky":
                yield name, x["bucket"], buckets[x["bucket"]], x


def fingerprint(folder):
    """Returns a hash of the reduced case without its origin, and of the observed memory; "" if there is none."""
    try:
        case = open(os.path.join(folder, "case.spvasm")).read()
        seen = open(os.path.join(folder, "observed.mem")).read()
    except OSError:
        return ""
    # A device reads back its mapping of lanes, a compiler has none: ignore that difference.
    lanes = re.search(r"^; lanes (\S+)$", case, re.M)
    drop = ["; from", "; lanes"] + [f"{k} {lanes[1]} " for k in ("; buffer", "; expect", "memory") if lanes]
    text = [x for x in (case + seen).splitlines() if not x.startswith(tuple(drop))]
    return hashlib.sha256("\n".join(text).encode()).hexdigest()


def same_by_observation(cases):
    """Returns cause -> name of its class: two causes are in one class if at least half of the findings of one end in
    cases of the other."""
    group = {c: c for c in cases}

    def root(c):
        while group[c] != c:
            c = group[c]
        return c

    for x, y in itertools.combinations(sorted(cases), 2):
        shared = sum((cases[x] & cases[y]).values())
        if shared and 2 * shared >= min(sum(cases[x].values()), sum(cases[y].values())):
            group[root(y)] = root(x)
    return {c: root(c) for c in cases}


def group_operations():
    """Returns the names in the program's own table of opcodes."""
    table = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "spirv", "spv_ops_table.inc")
    return set(re.findall(r"\bOpGroupNonUniform\w+", open(table).read()))


def measure(path):
    """Returns counts of a case's module: instructions, those in functions, loops, selections, group operations."""
    lines = [x for x in open(path) if re.search(r"\bOp[A-Z]", x) and not x.startswith(";")]
    first = next((i for i, x in enumerate(lines) if "OpFunction " in x), len(lines))
    body = lines[first:]
    count = lambda what: sum(bool(re.search(what, x)) for x in body)
    groups = count(r"\b(%s)\b" % "|".join(group_operations()))
    return (len(lines), len(body), count(r"OpLoopMerge\b"), count(r"OpSelectionMerge\b"), groups)


def sizes(a):
    listed = tf("mutants", "--list").stdout.splitlines()
    classes = {x.split()[0]: " ".join(re.findall(r"\bT\d+\b", x[:42])) for x in listed if x.strip()}
    print(head("Sizes of reduced cases", "For users of `reduce`: how small does a finding of each bug class become?",
               *commands(a)) + "Medians of each mutant's findings, and the largest of all; "
          "counts are of instructions.\n")
    print("| mutant | classes | findings | instructions before | after | in functions | loops | selections | "
          "group operations | largest in functions |\n" + "| --- " * 10 + "|")
    names = {name for d in a.dirs for name in folders(d)}
    for name in sorted(names, key=lambda n: (list(classes).index(n) if n in classes else 0)):
        before, after = [], []
        for f in (f for d in a.dirs for f in glob.glob(os.path.join(d, name, "findings", "*"))):
            small = glob.glob(os.path.join(f, "reduced", "reduced-*", "case.spvasm"))
            if small:
                before.append(measure(os.path.join(f, "case.spvasm"))[0])
                after.append(min(measure(x) for x in small))
        if after:
            median = [statistics.median_high(x) for x in zip(*after)]
            print(f"| {name} | {classes.get(name, '')} | {len(after)} | {statistics.median_high(before)} | "
                  + " | ".join(map(str, median)) + f" | {max(x[1] for x in after)} |")


def figures(what, causes, holds, total):
    per = [len(b) for b in causes.values()]
    pure = sum(len(c) == 1 for c in holds.values())
    majority = sum(c.most_common(1)[0][1] for c in holds.values())
    main = sum(b.most_common(1)[0][1] for b in causes.values())
    weighed = sum(sum(c.values()) for c in holds.values() if len(c) == 1)
    print(f"| {what} | {len(causes)} | {sum(per) / len(per):.2f} | {sum(n == 1 for n in per)} | "
          f"{pure} of {len(holds)} ({100 * pure / len(holds):.0f} %) | {100 * weighed / total:.0f} % | "
          f"{100 * majority / total:.0f} % | {100 * main / total:.0f} % |")


class Score:
    """Causes and buckets of the findings of some folders."""

    def __init__(self, dirs, limit):
        self.causes, self.holds = collections.defaultdict(collections.Counter), collections.defaultdict(collections.Counter)
        self.names, self.cases, self.compilers = {}, collections.defaultdict(collections.Counter), set()
        self.total = self.reduced = 0
        for d, (cause, bucket, signature, x) in ((d, row) for d in dirs for row in rows(d, limit)):
            self.causes[cause][bucket] += 1
            self.holds[bucket][cause] += 1
            self.names[bucket] = signature
            self.total += 1
            self.reduced += bool(x["reduced"])
            if os.path.exists(os.path.join(d, cause, "findings", x["name"], "output.spv")):
                self.compilers.add(cause)
            print_of = fingerprint(os.path.join(d, cause, x["reduced"])) if x["reduced"] else ""
            if print_of:
                self.cases[cause][print_of] += 1
        self.group = same_by_observation({c: self.cases[c] for c in self.causes})

    def rows(self, what):
        """Prints rows of the table of figures."""
        figures(what, self.causes, self.holds, self.total)
        merged, held = collections.defaultdict(collections.Counter), collections.defaultdict(collections.Counter)
        for cause, buckets in self.causes.items():
            for bucket, n in buckets.items():
                merged[self.group[cause]][bucket] += n
                held[bucket][self.group[cause]] += n
        figures("... with indistinguishable ones merged", merged, held, self.total)
        for what, is_compiler in (("... only compilers", True), ("... only machines", False)):
            mine = {c: b for c, b in self.causes.items() if (c in self.compilers) == is_compiler}
            kept = {b: collections.Counter({c: n for c, n in cs.items() if c in mine}) for b, cs in self.holds.items()}
            kept = {b: c for b, c in kept.items() if c}
            if mine:
                figures(what, mine, kept, sum(sum(c.values()) for c in kept.values()))


def score(a):
    whole = Score(a.dirs, a.findings)
    if not whole.total:
        sys.exit("no findings")
    print(head("Buckets against causes", "For developers of signatures: are findings of one bug in one bucket, and of two bugs in two?",
               *commands(a)) + f"{whole.total} findings of {len(whole.causes)} mutants "
          f"({whole.reduced} reduced), {len(whole.holds)} buckets.\n")
    print("| causes | number | buckets per cause, mean | with one bucket | pure buckets | findings in pure "
          "buckets | of their bucket's commonest cause | in their cause's main bucket |")
    print("| --- " * 8 + "|")
    for d in a.dirs if len(a.dirs) > 1 else []:
        Score([d], a.findings).rows(os.path.basename(os.path.normpath(d)))
    whole.rows("all")
    pairs = [sorted(c for c in whole.group if whole.group[c] == name) for name in sorted(set(whole.group.values()))]
    print("\n" + prose("Indistinguishable mutants: at least half of the findings of one end in the same cases, with the same "
                        "wrong memory, as findings of the other: " + "; ".join(" and ".join(p) for p in pairs if len(p) > 1) + "."), end="")
    print("## Confusion table\n\nThe mutants with several buckets, or with findings in the bucket of another mutant (**bold**).\n\n"
          "| mutant | findings | buckets |\n| --- | --- | --- |")
    for cause, buckets in sorted(whole.causes.items()):
        if len(buckets) == 1 and len(whole.holds[next(iter(buckets))]) == 1:
            continue
        bold = {b: "**" if len(whole.holds[b]) > 1 else "" for b in buckets}
        cells = [f"{bold[b]}{b}{bold[b]} {n}" for b, n in buckets.most_common()]
        print(f"| {cause} | {sum(buckets.values())} | {', '.join(cells)} |")
    print("\n## The five buckets with most causes\n\n| bucket | signature | findings of each cause |\n| --- | --- | --- |")
    for b, c in sorted(whole.holds.items(), key=lambda x: -len(x[1]))[:5]:
        name = whole.names[b].replace("|", "\\|")
        print(f"| {b} | `{name}` | " + ", ".join(f"{m} {n}" for m, n in c.most_common()) + " |")


def purity(what, rows, bucket):
    """Returns a row of campaign's table: buckets by `bucket` against causes, which are the targets."""
    causes, holds = collections.defaultdict(collections.Counter), collections.defaultdict(collections.Counter)
    for x in rows:
        causes[x["target"]][bucket(x)] += 1
        holds[bucket(x)][x["target"]] += 1
    pure = sum(len(c) == 1 for c in holds.values())
    right = sum(c.most_common(1)[0][1] for c in holds.values())
    main = sum(b.most_common(1)[0][1] for b in causes.values())
    return (f"| {what} | {len(holds)} | {pure} | {100 * right / len(rows):.1f} % | {100 * main / len(rows):.1f} % | "
            + ", ".join(f"{len(b)}" for _, b in sorted(causes.items())) + " |")


def whole(a):
    """Runs one campaign on several mutants, reduced by `reduce DIR`: N per bucket, then all."""
    names = a.mutants.split(",")
    targets = [f"mutant:{n}" for n in names]
    if not os.path.exists(os.path.join(a.dir, "campaign.json")):
        tf("fuzz", *itertools.chain(*(("--target", t) for t in targets)), "--out", a.dir, "--keep", 0, "--stop-after", a.findings,
           "--seeds", a.seeds, "--jobs", a.jobs, seconds=7200)

    def state():
        lines = [json.loads(x) for x in tf("report", a.dir, "--format", "jsonl").stdout.splitlines()]
        return [x for x in lines if x["type"] == "finding" and x["class"] != "flaky"]

    rows = state()
    table = [purity("as found", rows, lambda x: x["first_bucket"])]
    for per, name in ((a.per_bucket, f"{a.per_bucket} per bucket"), (0, "all")):
        start = time.time()
        last = tf("reduce", a.dir, "--per-bucket", per, "--jobs", a.jobs, "--json", seconds=7200).stdout.splitlines()[-1]
        seconds, done = time.time() - start, json.loads(last)["done"]
        rows = state()
        table.append(purity(f"{name} ({done} reduced in {seconds:.0f} s)", rows, lambda x: x["bucket"]))
        print(name, seconds, last, file=sys.stderr, flush=True)
    command = [os.path.basename(x) if x == a.dir else x for x in sys.argv]
    print(head("A campaign reduced by reduce DIR",
               "For users of `reduce CAMPAIGN`: how many buckets remain, and how long does it take?", shlex.join(command))
          + f"{len(rows)} findings of {', '.join(sorted(targets))}, {a.jobs} reductions at a time. Each mutant is one bug.\n")
    print("| reduced | buckets | pure | findings of their bucket's commonest cause | in their cause's main bucket | "
          "buckets of each cause |\n" + "| --- " * 6 + "|")
    print("\n".join(table))


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("command", choices=["run", "campaign", "score", "sizes"])
    p.add_argument("dirs", nargs="+", metavar="DIR")
    p.add_argument("--findings", type=int, default=10, help="findings per mutant; default 10")
    p.add_argument("--mutants", default="", help="names, separated by commas; default all")
    p.add_argument("--seconds", default="60s", help="time limit of a campaign; default 60s")
    p.add_argument("--reduce", default="10s", help="time limit of a reduction; more on a busy machine; default 10s")
    p.add_argument("--sample", type=int, default=0, help="number of mutants, chosen by the hashes of their names; default all; "
                   "-N: those that N omits")
    p.add_argument("--seeds", default="0:", help="seeds of the campaigns; other seeds lead to other findings; default 0:")
    p.add_argument("--jobs", type=int, default=2)
    p.add_argument("--per-bucket", type=int, default=3, help="for campaign: findings per bucket in the first round; default 3")
    a = p.parse_args()
    a.dir = a.dirs[0]
    if a.command == "run" and len(a.dirs) > 1:
        p.error("run takes one folder")
    {"run": run, "campaign": whole, "score": score, "sizes": sizes}[a.command](a)


main()
