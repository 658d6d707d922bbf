#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures the generator and puts the figures into docs/generator.md and docs/mutants.md.

usage: scripts/generator_docs.py [FOLDER]

FOLDER (default build/generator-docs) keeps what the commands printed; what is there already is not
measured again. Tables and lists alone are replaced; sentences with figures are yours to read again.
"""
import json
import os
import re
import subprocess
import sys

TF = "build/release/tanglefuzz"
PROFILES = ("small", "default", "large")


def measured(folder, name, *command):
    path = os.path.join(folder, name)
    if not os.path.exists(path):
        print("generator_docs: tanglefuzz", *command, flush=True)
        with open(path + ".part", "w", encoding="utf-8") as out:
            status = subprocess.run([TF, *command], stdout=out, check=False).returncode
        if status not in (0, 1):  # 1: not all mutants found
            sys.exit(f"generator_docs: tanglefuzz {command[0]} ended with status {status}")
        os.rename(path + ".part", path)
    with open(path, encoding="utf-8") as file:
        return file.read()


def table(doc, head, rows, after=""):
    """The doc with the rows of the first table that begins with `head`, behind `after`, replaced."""
    start = doc.index(head, doc.index(after))
    body = doc.index("\n", doc.index("\n", start) + 1) + 1
    end = body
    while doc.startswith("|", end):
        end = doc.index("\n", end) + 1
    return doc[:body] + "".join("|" + "|".join(f" {c} " if c else " " for c in r) + "|\n" for r in rows) + doc[end:]


def number(text):
    return f"{int(text):,}"


def constructs(text):
    """{constructs around: (placed, executed share)} of one `stats` output."""
    rows = re.findall(r"^(all|\d|6 and more) +(\d+) +([\d.]+) % +\d+", text, re.M)
    return {where: (int(placed), share) for where, placed, share in reversed(rows)}  # "all" is an operation, too


def generator(doc, stats):
    text = stats["default"]
    shapes = re.findall(r"^([a-z-]+) +([\d.]+ %) {3}((?:T\d+(?:, )?)+): (.*)$|^(chain) +([\d.]+ %) +(.*)$", text, re.M)
    doc = table(doc, "| shape | class |", [
        [s[0], s[2], s[1], f"`{s[3]}`"] if s[0] else [s[4], "", s[5], f"`{s[6]}`"] for s in shapes])
    behind = text[text.index("(D5 and M6"):]
    names = {s[0] or s[4] for s in shapes}
    features = [f for f in re.findall(r"^([a-z0-9-]+) +([\d.]+ %) {3}(.*)$", behind, re.M) if f[0] not in names]
    doc = table(doc, "| feature | share |", [[f"`{n}`", share, what] for n, share, what in features])
    sizes = re.findall(r"^ *(\S.*?) {2,}(\d+) +(\d+) +(\d+)$", text[:text.index("programs that diverge")], re.M)
    shares = re.findall(r"^(?:programs| {9}) ?(?:that|with|without)?.*$", text, re.M)
    part = [re.match(r"(.*?) {2,}([\d.]+ %)$", s.strip()) for s in shares]
    rows = [[n, *map(number, v)] for n, *v in ([n.strip(), *v] for n, *v in sizes)]
    rows += [[m[1] if m[1].startswith("programs") else "programs " + m[1], "", m[2], ""] for m in part if m]
    doc = table(doc, "| | least | median | most |", rows)
    depth = {p: constructs(stats[p]) for p in PROFILES}
    doc = table(doc, "| constructs around |", [
        [where, *(f"{depth[p][where][1]} % of {depth[p][where][0]:,}" if where in depth[p] else "-" for p in PROFILES)]
        for where in sorted(depth["large"], key=lambda w: "" if w == "all" else w)])
    rules = re.findall(r"^([A-Z]\d) +([\d.]+ %) +(\d+) {3}(.*)$", text, re.M)
    doc = table(doc, "| rule | programs |", [[r, share, number(n), what] for r, share, n, what in rules])
    heads = {p: re.search(r"(\d+) programs: (\d+) invalid, (\d+) undefined, (\d+) over limit, (\d+) unsupported",
                          stats[p]).groups() for p in stats}
    rows = []
    for p, h in heads.items():
        how = f"`--profile {p}`, both machines" if p in PROFILES else f"`--profile {p[5:]} --fast`"
        apart = re.search(r"disagree on (\d+)", stats[p])
        nothing = re.search(r"(\d+) compare nothing", stats[p])[1]
        rows.append([how, number(h[0]), ", ".join(h[1:]), apart[1] if apart else "-", nothing,
                     constructs(stats[p])["all"][1] + " %"])
    rows.append(["together", number(sum(int(h[0]) for h in heads.values())), "",
                 number(sum(int(heads[p][0]) for p in PROFILES)) + " asked", "", ""])
    return table(doc, "| run | programs |", rows)


def mutants(doc, default, small, external):
    by = [{m["name"]: m for m in part["mutants"]} for part in (default, small, external)]
    rows = []
    for name, m in by[0].items():
        found = [str(b[name]["programs"]) if name in b and b[name]["found"] else "-" for b in by]
        applied = f"{100 * m['applied'] / m['sampled']:.0f} %" if m["kind"] != "fault" and m["sampled"] else ""
        rows.append([name, m["classes"], m["kind"], m["line"], found[0], f"{m['cpu_seconds']:.3f}", applied, *found[1:]])
    doc = table(doc, "| mutant | class | kind |", rows)

    def most(part):
        return max(m["programs"] for m in part["mutants"] if m["found"])
    lost = [n for n, m in by[2].items() if not m["found"]]
    slow = sorted((m for m in by[0].values() if m["found"] and m["programs"] > 100), key=lambda m: -m["programs"])
    doc = re.sub(r"^\*\*In sum\.\*\*.*$", lambda _: (
        f"**In sum.** Default profile: {default['found']} of {default['of']} found, half of them within "
        f"{default['median']} programs, all within {most(default):,}. Small profile: {small['found']} of {small['of']}, "
        f"median {small['median']}, at most {most(small)}. The external cases: {external['found']} of {external['of']}. "
        f"Those that no external case can tell: {', '.join(lost)}."), doc, flags=re.M)
    return re.sub(r"^Slower than 100 programs: .*?\. Why:", lambda _: "Slower than 100 programs: " + ", ".join(
        f"{m['name']} ({m['programs']})" for m in slow) + ". Why:", doc, flags=re.M)


def main():
    folder = sys.argv[1] if len(sys.argv) > 1 else "build/generator-docs"
    cases = "corpus/external"
    os.makedirs(folder, exist_ok=True)
    stats = {p: measured(folder, f"stats-{p}", "stats", "--all-models", "--first", "1000000", "--profile", p,
                         "--cases", "5000" if p == "large" else "10000") for p in PROFILES}
    stats |= {"fast-" + p: measured(folder, f"fast-{p}", "stats", "--fast", "--all-models", "--first", "3000000",
                                    "--profile", p, "--cases", n)
              for p, n in (("small", "50000"), ("default", "90000"), ("large", "35000"))}
    runs = [json.loads(measured(folder, "mutants-" + n, "mutants", "--json", *o)) for n, o in (
        ("default", ("--cases", "10000")), ("small", ("--cases", "10000", "--profile", "small")),
        ("external", ("--corpus", cases)))]
    for path, change in (("docs/generator.md", lambda d: generator(d, stats)),
                         ("docs/mutants.md", lambda d: mutants(d, *runs))):
        with open(path, encoding="utf-8") as file:
            doc = change(file.read())
        with open(path, "w", encoding="utf-8") as file:
            file.write(doc)


if __name__ == "__main__":
    main()
