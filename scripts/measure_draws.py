#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures what the generator draws from which range, at each subgroup size: prints docs/measured/draws.md.

usage: scripts/measure_draws.py [PROGRAMS] > docs/measured/draws.md

PROGRAMS (default 400) of each size are generated as pseudo-code, and its numbers are counted. Takes about a minute
of one core. TANGLEFUZZ names the program (default build/release/tanglefuzz).
"""
import collections
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "lib"))
from measured import head, prose

TF = os.environ.get("TANGLEFUZZ", "build/release/tanglefuzz")
SIZES = (4, 8, 16, 32, 64, 128)
BEYOND = "any: below the size a lane; from the size on the result is undefined, so it is not used"
# What is drawn -> what SPIR-V, Vulkan or our own bounds allow.
ALLOWED = {
    "broadcast: lane": BEYOND,
    "shuffleXor: mask": BEYOND,
    "shuffleUp: distance": BEYOND,
    "shuffleDown: distance": BEYOND,
    "rotate: distance": "any, modulo the size; the size only as a constant",
    "shuffle: lane ^ mask": "any; inactive lanes are replaced by the lane itself",
    "move by a uniform number: limit": "any that is uniform",
    "cluster: size": "a power of two up to the size",
    "quad: lane": "0 to 3",
    "quad: direction": "0 to 2",
    "lane compared: bits of the mask": "any",
    "lane compared: with a constant": "any",
    "bits of an element": "8, 16, 32, 64",
    "components": "1 to 4",
    "loop: limit": "any; the generator's bound is 5, and 64 executions of a statement",
    "switch: cases": "any; the generator's bound is 6",
    "functions": "any; 2 in this profile",
    "workgroups": "65,535",
    "invocations of a workgroup": "the device's limit, at least 128 (--max-invocations)",
    "invocations missing in the last subgroup": "all but one",
    "input words": "any",
    "words of a log row": "any; 256 in this profile",
}


def operands(text):
    """Splits a list of operands at its outer commas."""
    out, depth, at = [], 0, 0
    for i, c in enumerate(text):
        depth += (c in "([") - (c in ")]")
        if c == "," and depth == 0:
            out.append(text[at:i].strip())
            at = i + 1
    return [*out, text[at:].strip()]


def count_op(see, name, kind, inner):
    """Counts the constants of one group operation: its name, element type and operands as text."""
    args = operands(inner)
    bits = re.match(r"[a-z](\d+)", kind or "")
    width = re.search(r"x(\d)$", kind or "")
    see("components", int(width[1]) if width else 1)
    if kind is None or bits:
        see("bits of an element", int(bits[1]) if bits else 32)
    named = {"broadcast": "broadcast: lane", "shuffleXor": "shuffleXor: mask", "shuffleUp": "shuffleUp: distance",
             "shuffleDown": "shuffleDown: distance", "rotate": "rotate: distance", "quadBroadcast": "quad: lane",
             "quadSwap": "quad: direction"}.get(name, "cluster: size" if name.startswith("cluster") else None)
    if name == "shuffle":
        mask = re.match(r"lane \^ (\d+)$", args[-1])
        if mask:
            see("shuffle: lane ^ mask", int(mask[1]))
    elif named and len(args) == 3:
        limit = re.search(r"& (\d+)$", args[1])
        if limit:
            see("move by a uniform number: limit", int(limit[1]))
    elif named and args[-1].isdigit():
        see(named, int(args[-1]))


def count(text, see):
    groups, local, size, inputs, row = map(int, re.match(
        r"(\d+) x (\d+) invocations, subgroup (\d+), (\d+) input words, log rows of (\d+)", text).groups())
    see("workgroups", groups)
    see("invocations of a workgroup", local)
    see("invocations missing in the last subgroup", -local % size)
    see("input words", inputs)
    see("words of a log row", row)
    see("functions", len(re.findall(r"^\w+ f\d+\(", text, re.M)))
    for name, kind, inner in re.findall(r"\b([a-z]\w*)(?:<([^>]*)>)?\((.*)\)$", text, re.M):
        count_op(see, name, kind or None, inner)
    for limit in re.findall(r"\bi\d+ < (\d+)\b", text):
        see("loop: limit", int(limit))
    for mask in re.findall(r"lane & (\d+)\) [!=]=", text):
        see("lane compared: bits of the mask", int(mask))
    for number in re.findall(r"lane (?:<|>=|==|!=) (\d+)\b", text):
        see("lane compared: with a constant", int(number))
    for block in re.split(r"^ *switch ", text, flags=re.M)[1:]:
        deep = re.search(r"^( *)case ", block, re.M)
        if deep:
            see("switch: cases", len(re.findall(rf"^{deep[1]}(?:case|default)", block.split(f"\n{deep[1]}}}\n{deep[1][:-4]}}}")[0], re.M)))


def cell(what, values, size):
    """Least and most; of lanes, also the share of values in the upper half of the subgroup."""
    if not values:
        return "-"
    span = f"{min(values)} to {max(values)}"
    if not re.match("broadcast|shuffle|rotate|lane compared|cluster", what):
        return span
    upper = sum(k for v, k in values.items() if v >= size // 2)
    return f"{span}, {100 * upper / sum(values.values()):.0f} %"


def main():
    if sys.argv[1:2] in (["-h"], ["--help"]):
        print(__doc__)
        return
    programs = int(sys.argv[1]) if len(sys.argv) > 1 else 400
    seen = {s: collections.defaultdict(collections.Counter) for s in SIZES}
    for size in SIZES:
        for seed in range(programs):
            run = subprocess.run([TF, "gen", "--tree", "--seed", str(seed), "--subgroup", str(size)],
                                 capture_output=True, text=True, check=True)
            count(run.stdout, lambda what, n: seen[size][what].update([n]))
    print(head("What the generator draws", "For developers of the generator: from which range is each number drawn, at each subgroup size?",
               "scripts/measure_draws.py" + (f" {programs}" if programs != 400 else "")) + prose(
        f"{programs} programs of each subgroup size, default profile. Least and most; of lanes, also which share is at "
        "least half the subgroup size."), end="")
    print("| drawn | " + " | ".join(str(s) for s in SIZES) + " | allowed |\n| --- |" + " --- |" * (len(SIZES) + 1))
    for what, allowed in ALLOWED.items():
        print(f"| {what} | " + " | ".join(cell(what, seen[s][what], s) for s in SIZES) + f" | {allowed} |")


if __name__ == "__main__":
    main()
