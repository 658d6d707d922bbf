#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""reasons.py DIR...: counts how many findings, produced and reduced by `dedup.py run DIR`, name their true cause.
selftest/mutants/reasons lists the cause of each mutant. Prints docs/measured/reasons.md."""
import collections
import glob
import json
import os
import shlex
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "lib"))
from measured import head, prose

HERE = os.path.dirname(os.path.abspath(__file__))


def causes():
    """Returns mutant -> (correct reasons, text that the sentence must contain, the instruction at fault)."""
    rows = {}
    for line in open(os.path.join(HERE, "..", "selftest", "mutants", "reasons")):
        if not line.startswith("#"):
            name, reasons, words, place = (x.strip() for x in (line + "|").split("|")[:4])
            rows[name] = (reasons.split(), words, place)
    return rows


def reduced(folder):
    """Returns the finding.json of a finding's smallest reduction; None if there is none."""
    found = glob.glob(os.path.join(folder, "reduced", "reduced-*", "finding.json"))
    return json.load(open(min(found, key=lambda x: os.path.getsize(os.path.join(os.path.dirname(x), "case.spv"))))) if found else None


def outcome(finding, right, words, place):
    reason = finding.get("reason")
    if not reason:
        return "no reason"
    if reason.get("known_by") == "several":
        return "several reasons, the true one among them" if reason["why"] in right else "several reasons"
    if reason["why"] == "wrong-result":
        return "instruction named" if place and reason.get("what", "").startswith(place) else "another instruction named"
    return "named" if reason["why"] in right and words in reason.get("what", "") else "another reason"


def main():
    known, rows, by, wrong = causes(), {}, collections.Counter(), []
    for d in sys.argv[1:]:
        for mutant in sorted(os.listdir(d)):
            for folder in sorted(glob.glob(os.path.join(d, mutant, "findings", "*"))):
                finding = reduced(folder)
                if finding and finding["class"] != "flaky":
                    what = outcome(finding, *known[mutant])
                    rows.setdefault(mutant, collections.Counter())[what] += 1
                    by[finding.get("reason", {}).get("known_by", "-")] += 1
                    if what not in ("named", "instruction named"):
                        reason = finding.get("reason", {})
                        wrong.append((mutant, os.path.basename(folder), what, reason.get("why", ""), reason.get("known_by", "")))
    if not rows:
        sys.exit("no reduced findings")
    total = sum(sum(c.values()) for c in rows.values())
    all_ = collections.Counter()
    for c in rows.values():
        all_ += c
    made = [os.path.join(d, "command") for d in sys.argv[1:]]
    print(head("Reasons against causes", "For readers of a finding's reason: how often is it the true cause?", *(open(x).read() for x in made if os.path.exists(x)), shlex.join(sys.argv)) +
          prose(f"{total} reduced findings of {len(rows)} mutants. Named: the sentence's reason is the mutant's own in the table `selftest/mutants/reasons`; "
                "if the reason is that one operation does what another one does, the other one is the right one. "
                "Instruction named: no hypothesis survived, but the sentence names the first instruction that returns a wrong result "
                "from right operands, and it is the one at fault by that table. "
                "The faults of broken machines are among the hypotheses, so for them this measures how well the hypotheses can be "
                "distinguished; the mistakes of the wrong compilers are not among them.").rstrip() + "\n")
    print("| outcome | findings |\n| --- | ---: |")
    for what, n in all_.most_common():
        print(f"| {what} | {n} ({100 * n / total:.1f} %) |")
    print("\nKnown by: " + ", ".join(f"{k} {n}" for k, n in by.most_common()) + ".")
    if wrong:
        print("\n## Not named\n\n| mutant | finding | outcome | reason | known by |\n| --- | --- | --- | --- | --- |")
        for row in wrong:
            print("| " + " | ".join(row) + " |")


main()
