#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures the constructs in programs that test the interpreters of backends/isa/: docs/measured/machine-code-cover.md.

usage: scripts/isa_cover.py [CASES] >docs/measured/machine-code-cover.md    cases of each profile; default 300
needs: build/release (TANGLEFUZZ: another program)
"""
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "lib"))
from measured import head  # noqa: E402

KINDS = ["part of a subgroup (its last has lanes that never start)", "several subgroups", "a loop in a loop", "a loop in a selection",
         "a divergent call (in a selection or loop where lanes diverge)", "a group operation in a selection or loop",
         "a group operation on a uniform value", "of these, one that is not a constant", "a group operation on a group operation's result"]

# Built-ins and results of group operations that are uniform over the lanes that execute them. Other values are uniform if all their operands are.
UNIFORM_INPUTS = {"WorkgroupId", "NumWorkgroups", "WorkgroupSize", "SubgroupSize", "NumSubgroups", "SubgroupId"}
UNIFORM_RESULTS = {"All", "Any", "AllEqual", "Ballot", "Broadcast", "BroadcastFirst", "QuadAnyKHR", "QuadAllKHR"}
PLAIN = re.compile(r"Op(I|S|U|F|Bit|Logical|Select|Convert|Composite|Vector|Shift|Not|Any$|All$|Ord|Unord)")


def statements(text):
    for line in text.splitlines():
        w = line.split()
        if w and not w[0].startswith(";"):
            yield (w[0], w[2], w[3:]) if len(w) > 2 and w[1] == "=" else (None, w[0], w[1:])


def uniform_values(text):
    """Returns results that are uniform because of their operands (values of variables count as not uniform), and constants."""
    constants, uniform, inputs = set(), set(), set()
    for result, op, args in statements(text):
        if op == "OpDecorate" and args[1] == "BuiltIn" and args[2] in UNIFORM_INPUTS:
            inputs.add(args[0])
        elif op.startswith(("OpConstant", "OpSpecConstant")):
            constants.add(result)
        elif op == "OpVariable" and args[1] == "PushConstant":
            inputs.add(result)
        elif op in ("OpAccessChain", "OpInBoundsAccessChain") and args[1] in inputs and all(v in constants | uniform for v in args[2:]):
            inputs.add(result)
        elif op == "OpLoad" and args[1] in inputs:
            uniform.add(result)
        elif op.startswith("OpGroupNonUniform"):
            kind = op[len("OpGroupNonUniform"):]
            if kind in UNIFORM_RESULTS or (len(args) > 2 and args[2] == "Reduce"):
                uniform.add(result)
        elif result and PLAIN.match(op):
            values = [v for v in args[1:] if v.startswith("%")]
            if values and all(v in constants | uniform for v in values):
                uniform.add(result)
    return constants, uniform


def look(text):
    """Returns which of KINDS the assembly of a case contains. Blocks are in structured order: a construct is open until its merge label."""
    size = 1
    for v in re.search(r"LocalSize (\d+) (\d+) (\d+)", text).groups():
        size *= int(v)
    has = {0} if size % 32 else set()
    if size > 32:
        has.add(1)
    constants, uniform = uniform_values(text)
    same = constants | uniform
    divergent, calls, groups, open_, begun = set(), [], set(), [], None
    for result, op, args in statements(text):
        if op in ("OpLabel", "OpFunction"):
            open_ = [o for o in open_ if o[1] != result] if op == "OpLabel" else []
        elif op == "OpLoopMerge":
            has |= {2 for o in open_ if o[0] == "loop"} | {3 for o in open_ if o[0] == "selection"}
            open_.append(("loop", args[0]))
        elif op == "OpSelectionMerge":
            begun = args[0]
            open_.append(("selection", args[0]))
        elif op in ("OpBranchConditional", "OpSwitch"):
            if args[0] not in same:  # lanes diverge in the selection that begins here, and in constructs that are left or repeated
                divergent |= {begun} | {o[1] for o in open_ if o[1] in args}
            begun = None
        elif op == "OpFunctionCall":
            calls.append([o[1] for o in open_])
        elif op.startswith("OpGroupNonUniform"):
            has |= {5} if open_ else set()
            value = next((v for v in args[2:] if v.startswith("%")), None)  # followed by a lane, a delta or a size
            has |= {6} if value in same else set()
            has |= {7} if value in uniform else set()
            has |= {8} if groups & set(args[2:]) else set()
            groups.add(result)
    if any(divergent & set(c) for c in calls):
        has.add(4)
    return has


def main():
    if len(sys.argv) > 2 or not "".join(sys.argv[1:] or ["1"]).isdigit():
        sys.exit(__doc__)
    cases = int(sys.argv[1]) if len(sys.argv) > 1 else 300
    tf = os.environ.get("TANGLEFUZZ", "build/release/tanglefuzz")
    print(head("Constructs in the programs that test machine code", f"scripts/isa_cover.py {cases}"), end="")
    print(f"Seeds 0 to {cases - 1} for subgroups of 32, as `isa:vulkan:driver=nvk` and wave32 of AMD get them.\n")
    print("| contains | default | small |\n| --- | ---: | ---: |")
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
