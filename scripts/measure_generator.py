#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures the generator: writes docs/measured/generator.md and docs/measured/mutants.md.

usage: scripts/measure_generator.py [FOLDER]

FOLDER (default build/measure-generator) keeps the output of the commands; those with an output there are not
run again. Takes about ten minutes of one core. TANGLEFUZZ names the program (default build/release/tanglefuzz).
"""
import json
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "lib"))
from measured import head, prose

TF = os.environ.get("TANGLEFUZZ", "build/release/tanglefuzz")
PROFILES = ("small", "default", "large")
MODELS = ("maximal", "subgroup-uniform", "workgroup-uniform")
EXTERNAL = "corpus/external"
LAVAPIPE = "vulkan:driver=lavapipe"


def measured(folder, name, *command):
    path = os.path.join(folder, name)
    if not os.path.exists(path):
        print("measure_generator: tanglefuzz", *command, flush=True)
        with open(path + ".part", "w", encoding="utf-8") as out:
            status = subprocess.run([TF, *command], stdout=out, check=False).returncode
        if status not in (0, 1):  # 1: not all mutants found
            sys.exit(f"measure_generator: tanglefuzz {command[0]} ended with status {status}")
        os.rename(path + ".part", path)
    with open(path, encoding="utf-8") as file:
        return file.read()


def table(columns, rows):
    rows = [columns, ["---"] * len(columns), *rows]
    return "".join("|" + "|".join(f" {c} " if c else " " for c in row) + "|\n" for row in rows) + "\n"


def number(text):
    return f"{int(text):,}"


def constructs(text):
    """Returns {enclosing constructs: (placed, executed share)} of one `stats` output."""
    rows = re.findall(r"^(all|\d|6 and more) +(\d+) +([\d.]+) % +\d+", text, re.M)
    return {where: (int(placed), share) for where, placed, share in reversed(rows)}  # "all" is an operation, too


def runs_table(stats):
    rows = []
    for name, text in stats.items():
        programs, *wrong = re.search(
            r"(\d+) programs: (\d+) invalid, (\d+) undefined, (\d+) over limit, (\d+) unsupported", text).groups()
        how = f"`--profile {name}`, both machines" if name in PROFILES else \
            f"`--profile {name[5:]} --fast`" if name.startswith("fast-") else f"`--log {name}`, both machines"
        apart = re.search(r"disagree on (\d+)", text)
        rows.append([how, number(programs), ", ".join(wrong), apart[1] if apart else "not asked",
                     re.search(r"(\d+) compare nothing", text)[1], constructs(text)["all"][1] + " %"])
    return table(["run", "programs", "invalid, undefined, over limit, unsupported", "machines disagree",
                  "compare nothing", "operations executed"], rows)


def sizes_table(text):
    sizes = re.findall(r"^ *(\S.*?) {2,}(\d+) +(\d+) +(\d+)$", text[:text.index("programs that diverge")], re.M)
    rows = [[name.strip(), *map(number, values)] for name, *values in sizes]
    for line in re.findall(r"^(?:programs| {9}) ?(?:that|with|without)?.*$", text, re.M):
        share = re.match(r"(.*?) {2,}([\d.]+ %)$", line.strip())
        if share:
            rows.append([("" if share[1].startswith("programs") else "programs ") + share[1], "", share[2], ""])
    return table(["", "least", "median", "most"], rows)


def generator(stats, models):
    text = stats["default"]
    shapes = re.findall(r"^([a-z-]+) +([\d.]+ %) {3}((?:T\d+(?:, )?)+): (.*)$|^(chain) +([\d.]+ %) +(.*)$", text, re.M)
    page = head("The generator, measured", "For developers of the generator: how often does a program contain each feature and shape?",
                "scripts/measure_generator.py")
    page += (f"Programs of {version()}. Figures of `tanglefuzz stats`, over all models and subgroup sizes 4 to 64 in turn. `docs/generator.md` "
             "explains them.\n\n## Runs\n\n")
    page += runs_table(stats)
    page += "## Default profile\n\nThe figures from here on are of `tanglefuzz stats --cases 10000 --all-models --first 1000000`.\n\n"
    page += sizes_table(text)
    page += "Operations that at least one invocation executes, by the number of enclosing constructs:\n\n"
    depth = {p: constructs(stats[p]) for p in PROFILES}
    page += table(["enclosing constructs", *PROFILES], [
        [where, *(f"{depth[p][where][1]} % of {depth[p][where][0]:,}" if where in depth[p] else "-" for p in PROFILES)]
        for where in sorted(depth["large"], key=lambda w: "" if w == "all" else w)])
    page += ("## Shapes\n\nShare of programs with each shape; T1 to T18 are the bug classes of `docs/mutants.md`. Shapes and\n"
             "features that are off by default are left out; `tanglefuzz gen --features` lists all.\n\n")
    page += table(["shape", "class", "share", "what it is"], [
        [s[0], s[2], s[1], f"`{s[3]}`"] if s[0] else [s[4], "", s[5], f"`{s[6]}`"] for s in shapes if s[1] != "0.0 %"])
    names = {s[0] or s[4] for s in shapes}
    features = re.findall(r"^([a-z0-9-]+) +([\d.]+ %) {3}(.*)$", text[text.index("(D5 and M6"):], re.M)
    page += "## Features\n\n" + table(["feature", "share", "what"], [
        [f"`{n}`", share, what] for n, share, what in features if n not in names and share != "0.0 %"])
    rules = re.findall(r"^([A-Z]\d) +([\d.]+ %) +(\d+) {3}(.*)$", text, re.M)
    page += "## Rules as the oracle applied them\n\n" + table(
        ["rule", "programs", "times", ""], [[r, share, number(n), what] for r, share, n, what in rules])
    page += ("## Weaker models\n\nResults of group operations that the model promises, of all that are executed\n"
             "(`tanglefuzz stats --fast --cases 2000 --model M`).\n\n")
    promised = {m: dict((s, f"{number(of)} of {number(all_)}") for s, all_, of in
                        re.findall(r"^ +(\d+) +\d+ +(\d+) +(\d+)$", t[t.index("promised by the model"):], re.M))
                for m, t in models.items()}
    return page + table(["subgroup size", *(f"`{m}`" for m in MODELS)],
                        [[s, *(promised[m].get(s, "-") for m in MODELS)] for s in promised["maximal"]])


def version():
    """Returns the generator's version, as in "generator 8"."""
    said = subprocess.run([TF, "--version"], capture_output=True, text=True, check=True).stdout
    return re.search(r"generator \d+", said).group()


def power(of, entries, small):
    """Returns a section: how many mutants a second of lavapipe's work detects, compared with the external cases; by
    programs with entries alone, and by small programs, too."""
    def ratio_of(m):
        return m["generated"]["a_second"] / m["folder"]["a_second"]

    def told(part):
        return {m["name"]: ratio_of(m) for m in part["mutants"] if m["folder"]["tell"]}

    def often(ratios):
        return f"{sum(r >= 3 for r in ratios)} at least three times as often in the same time, {sum(r >= 10 for r in ratios)} ten times"

    def each(part):
        return f"{part['programs']:,} programs of {part['seconds'] / part['programs']:.3f} s each"
    here, there = of["generated"], of["folder"]
    ratios, of_entries, of_small = told(of), told(entries), told(small)
    rows = sorted(((ratio_of(m), m) for m in of["mutants"] if m["folder"]["tell"]), key=lambda row: row[0])
    text = "## For each second of a driver\n\n" + prose(
        f"`tanglefuzz mutants --per-second {LAVAPIPE} --cases 1000 --inputs 8 --log mixed "
        f"--corpus {EXTERNAL}`: {each(here)}; "
        f"{there['programs']} external cases for its subgroup size, of {there['seconds'] / there['programs']:.3f} s "
        f"each. Of the {len(rows)} mutants that an external case detects, ours detect {often(ratios.values())}. With "
        f"`--log entries`: {each(entries['generated'])}; {often(of_entries.values())}. With "
        f"`--log mixed --profile small`: {each(small['generated'])}; {often(of_small.values())}.")
    return text + table(["mutant", "programs that detect it", "per second", "external, per second", "ratio", "ratio, entries", "ratio, small"], [
        [m["name"], f"{100 * m['generated']['tell'] / here['programs']:.2f} %", f"{m['generated']['a_second']:.3f}",
         f"{m['folder']['a_second']:.3f}", f"{ratio:.1f}", f"{of_entries[m['name']]:.1f}", f"{of_small[m['name']]:.1f}"] for ratio, m in rows])


def mutants(default, eight, small, external, large, second, second_entries, second_small):
    by = [{m["name"]: m for m in part["mutants"]} for part in (default, eight, small, external)]
    rows = []
    for name, m in by[0].items():
        found = [str(b[name]["programs"]) if name in b and b[name]["found"] else "-" for b in by]
        applied = f"{100 * m['applied'] / m['sampled']:.0f} %" if m["kind"] != "fault" and m["sampled"] else ""
        rows.append([name, m["classes"], m["kind"], m["line"], found[0], f"{m['cpu_seconds']:.3f}", applied, *found[1:]])

    def most(part):
        return max(m["programs"] for m in part["mutants"] if m["found"])
    page = head("Mutants: programs until each is found", "For users and developers: how many programs detect each kind of bug?",
                "scripts/measure_generator.py")

    def quick(part):
        return sum(m["found"] and m["programs"] <= 10 for m in part["mutants"])
    page += prose(f"By {version()}. Default profile: {default['found']} of {default['of']} found, {quick(default)} within 10 "
                  f"programs, half of them within {default['median']} programs, all within {most(default):,}. With eight inputs for each program, as campaigns on Vulkan devices have: "
                  f"{quick(eight)} within 10, half within {eight['median']}, all within {most(eight):,}. Large profile with eight inputs: "
                  f"{quick(large)} within 10, half within {large['median']}, all within {most(large):,}. Small profile: {small['found']} of {small['of']}, median "
                  f"{small['median']}, at most {most(small):,}. The {len(os.listdir(EXTERNAL)) - 1} cases of `{EXTERNAL}`: "
                  f"{external['found']} of {external['of']}.")
    page += prose("*default*, *small*, *external*: programs until the first that detects it (`-`: none), with one input each; "
                  "*8 inputs*: the default profile with eight; *CPU s*: generating, validating and predicting those of the default profile, and the mutant's own work; *applied*: share of 200 "
                  "modules that a transformation changes.")
    page += table(["mutant", "class", "kind", "what it does", "default", "CPU s", "applied", "8 inputs", "small", "external"], rows)
    return page + power(second, second_entries, second_small)


def main():
    folder = sys.argv[1] if len(sys.argv) > 1 else "build/measure-generator"
    if folder in ("-h", "--help"):
        print(__doc__)
        return
    os.makedirs(folder, exist_ok=True)
    stats = {p: measured(folder, f"stats-{p}", "stats", "--all-models", "--first", "1000000", "--profile", p,
                         "--cases", "5000" if p == "large" else "10000") for p in PROFILES}
    stats |= {"fast-" + p: measured(folder, f"fast-{p}", "stats", "--fast", "--all-models", "--first", "3000000",
                                    "--profile", p, "--cases", n)
              for p, n in (("small", "50000"), ("default", "90000"), ("large", "35000"))}
    stats["digest"] = measured(folder, "stats-digest", "stats", "--all-models", "--first", "5000000", "--log", "digest",
                               "--cases", "10000")
    models = {m: measured(folder, f"model-{m}", "stats", "--fast", "--cases", "2000", "--model", m) for m in MODELS}
    runs = [json.loads(measured(folder, "mutants-" + n, "mutants", "--json", *o)) for n, o in (
        ("default", ("--cases", "10000")), ("eight", ("--cases", "10000", "--inputs", "8")),
        ("small", ("--cases", "10000", "--profile", "small")),
        ("external", ("--corpus", EXTERNAL)),
        ("large", ("--cases", "10000", "--profile", "large", "--inputs", "8")))]
    told = ",".join(sorted(m["name"] for m in runs[3]["mutants"] if m["found"]))
    for name, options in (("mutants-second-mixed", ("--log", "mixed")), ("mutants-second", ("--log", "entries")),
                          ("mutants-second-small", ("--log", "mixed", "--profile", "small"))):
        runs.append(json.loads(measured(folder, name, "mutants", "--json", "--per-second", LAVAPIPE, "--cases", "1000",
                                        "--inputs", "8", "--only", told, "--corpus", EXTERNAL, *options)))
    for path, page in (("generator.md", generator(stats, models)), ("mutants.md", mutants(*runs))):
        with open(os.path.join("docs/measured", path), "w", encoding="utf-8") as file:
            file.write(page.rstrip() + "\n")


if __name__ == "__main__":
    main()
