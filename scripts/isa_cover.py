#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What the programs hold that the machines of isa/ are shown: docs/measured/machine-code-cover.md.

usage: scripts/isa_cover.py [CASES] >docs/measured/machine-code-cover.md    of each profile, 300 where not given
needs: build/release (TANGLEFUZZ: another program)
"""
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "lib"))
from measured import head  # noqa: E402

KINDS = ["part of a subgroup (its last has lanes that never start)", "several subgroups", "a loop in a loop", "a loop in a selection",
         "a call in a selection or loop", "a group operation in a selection or loop", "a group operation with a constant operand",
         "a group operation on a group operation's result"]


def look(text):
    """Which of KINDS the assembly of a case holds. Blocks stand in structured order: a construct is open until its merge label."""
    size = 1
    for v in re.search(r"LocalSize (\d+) (\d+) (\d+)", text).groups():
        size *= int(v)
    has = {0} if size % 32 else set()
    if size > 32:
        has.add(1)
    constants, groups, open_ = set(), set(), []
    for line in text.splitlines():
        w = line.split()
        if not w or w[0].startswith(";"):
            continue
        result, op, args = (w[0], w[2], w[3:]) if len(w) > 2 and w[1] == "=" else (None, w[0], w[1:])
        if op in ("OpLabel", "OpFunction"):
            open_ = [o for o in open_ if o[1] != result] if op == "OpLabel" else []
        elif op in ("OpConstant", "OpConstantTrue", "OpConstantFalse"):
            constants.add(result)
        elif op == "OpLoopMerge":
            has |= {2 for o in open_ if o[0] == "loop"} | {3 for o in open_ if o[0] == "selection"}
            open_.append(("loop", args[0]))
        elif op == "OpSelectionMerge":
            open_.append(("selection", args[0]))
        elif op == "OpFunctionCall" and open_:
            has.add(4)
        elif op.startswith("OpGroupNonUniform"):
            has |= {5} if open_ else set()
            has |= {6} if constants & set(args[2:]) else set()
            has |= {7} if groups & set(args[2:]) else set()
            groups.add(result)
    return has


def main():
    if len(sys.argv) > 2 or not "".join(sys.argv[1:] or ["1"]).isdigit():
        sys.exit(__doc__)
    cases = int(sys.argv[1]) if len(sys.argv) > 1 else 300
    tf = os.environ.get("TANGLEFUZZ", "build/release/tanglefuzz")
    print(head("What programs hold that machine code is judged by", f"scripts/isa_cover.py {cases}"), end="")
    print(f"Seeds 0 to {cases - 1} for subgroups of 32, as `isa:vulkan:driver=nvk` and wave32 of AMD get them.\n")
    print("| holds | default | small |\n| --- | ---: | ---: |")
    counts = []
    for profile in ("default", "small"):
        n = [0] * len(KINDS)
        for seed in range(cases):
            text = subprocess.run([tf, "gen", "--seed", str(seed), "--subgroup", "32", "--profile", profile], text=True,
                                  stdout=subprocess.PIPE, check=True).stdout
            for k in look(text):
                n[k] += 1
        counts.append(n)
    for k, kind in enumerate(KINDS):
        print(f"| {kind} | {100 * counts[0][k] // cases} % | {100 * counts[1][k] // cases} % |")


main()
