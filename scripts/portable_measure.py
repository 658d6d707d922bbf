#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures `tanglefuzz portable` on many modules: docs/measured/portable.md.

  scripts/portable_measure.py FOLDER [BUILD_DIR]

FOLDER/OWNER+REPOSITORY/*.spv; the modules are not copied: only counts, reasons and the repositories' names are in
the page. Each module runs once at 32 lanes.
"""
import collections, datetime, json, os, re, statistics, subprocess, sys, textwrap, time

folder, build = sys.argv[1], (sys.argv + ["build/release"])[2]
root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
program = os.path.join(root, build, "tanglefuzz")
if subprocess.run(["bash", "-c", f". '{root}/scripts/lib/quiet.sh'; quiet portable_measure"]).returncode:
    sys.exit(2)
LOAD = "unsupported|opcode|is inside a function|invalid"


def kind(reason):
    """Returns a reason without the numbers and names of one module."""
    if "image or sampler" in reason or "OpTypeSampl" in reason or "OpTypeImage" in reason:
        return "images and samplers"
    for pattern, name in [
        ("not Logical", "addresses of buffers (buffer_device_address)"),
        ("opcode \\d+ is not", "an opcode newer than the grammar (tensors)"),
        ("is inside a function", "instructions for debuggers between functions' parameters and blocks"),
        ("is of OpType(Int|Float|Bool|Vector)", "uniforms outside of a block (OpenGL)"),
        ("array of descriptors", "descriptor arrays"),
        ("nothing orders them", "a race that depends on invented inputs, or may be ordered by atomics"),
        ("out of bounds", "out of bounds of an invented buffer"),
        ("not modelled", "a branch on a float that is not modelled"),
        ("more than \\d+ instr", "did not end"),
        ("reads memory that was never|no result|not active", "an undefined value that depends on invented inputs"),
        ("not reached by all", "a barrier that depends on invented inputs"),
    ]:
        if re.search(pattern, reason):
            return name
    return re.sub(r"%\d+|\d+", "N", reason)[:70]


rows, reasons, times, coverage = collections.OrderedDict(), collections.Counter(), [], []
for repository in sorted(os.listdir(folder)):
    row = rows.setdefault(repository.replace("+", "/"), collections.Counter())
    for name in sorted(os.listdir(os.path.join(folder, repository))):
        start = time.time()
        out = subprocess.run([program, "portable", "--subgroup", "32", "--json", os.path.join(folder, repository, name)],
                             capture_output=True, text=True, timeout=600)
        times.append(time.time() - start)
        row["modules"] += 1
        try:
            answer = json.loads(out.stdout)
        except ValueError:
            reasons[kind(out.stderr)] += 1
            continue
        strongest = answer["cells"][-1]
        reason = strongest.get("reason", {}).get("text", "")
        unknown = strongest["status"] == "not known"
        row["load"] += not (unknown and re.search(LOAD, reason))
        if unknown:
            reasons[kind(reason)] += 1
            continue
        row["answer"] += 1
        row[answer["verdict"]] += 1
        coverage.append(100 * answer["blocks_ran"] / max(1, answer["blocks"]))

total = collections.Counter()
for row in rows.values():
    total.update(row)
page = ["# Portability of real shaders", "", "For authors of shaders: for how many real compute shaders does `portable` yield a verdict?", "",
        "- Command: `scripts/portable_measure.py FOLDER`", f"- Date: {datetime.date.today()}", "",
        textwrap.fill(f"{total['modules']} compute modules of public repositories, "
                      "compiled by glslang 16.6 or as published (versions of one shader in several languages count), each run at 32 "
                      "lanes with generated inputs only. *Load*: the oracle supports the module. *Answer*: the run yields a verdict.", 100), "",
        textwrap.fill(f"**{total['load']} load ({100 * total['load'] // total['modules']} %), {total['answer']} yield a verdict "
                      f"({100 * total['answer'] // total['modules']} %); median {statistics.median(times):.2f} s, longest {max(times):.1f} s; "
                      f"of those that run, the median module ran {statistics.median(coverage):.0f} % of its blocks.**", 100), "",
        "| repository | modules | load | answer | portable | order | reconvergence | undefined |", "|" + " --- |" * 8]
for name, row in list(rows.items()) + [("all", total)]:
    page.append(f"| {name} | " + " | ".join(str(row[k]) for k in
                ("modules", "load", "answer", "portable", "order", "reconvergence", "undefined")) + " |")
page += ["", "Without an answer:", "", "| modules | reason |", "| --- | --- |"]
page += [f"| {n} | {reason} |" for reason, n in reasons.most_common()]
path = os.path.join(root, "docs/measured/portable.md")
open(path, "w").write("\n".join(page) + "\n")
print("\n".join(page))
