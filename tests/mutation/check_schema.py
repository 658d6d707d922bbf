#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""usage: check_schema.py [PART/PARTS]

Is a mutant that is switched on the same program as one that is written so? Every mutant of sample.c is made both ways; what
they print and how they end must agree. With PART/PARTS (say 2/5) only every fifth is. Prints the changes, and how many of them show.
"""
import collections
import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

here = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, here)
import schema
import sites

part, parts = (int(n) for n in (sys.argv[1] if len(sys.argv) > 1 else "0/1").split("/"))
source = os.path.join(here, "sample.c")
found, lost = sites.find(source, [source], here, ["-std=c17"])
mutants = schema.number(found, {source: "sample.c"})
place = {m.number: s for s in found.values() for m in s.mutants}


def built(text, path, *more):
    with open(path + ".c", "w") as f:
        f.write(text)
    done = subprocess.run(["cc", "-std=c17", "-w", *more, path + ".c", "-o", path], capture_output=True, text=True)
    return done.returncode == 0 or done.stderr


def seen(path, number):
    try:
        done = subprocess.run([path], capture_output=True, text=True, errors="replace",
                              env=dict(os.environ, MUTANT=str(number), MUTANT_MS="300"), timeout=20)
        return done.returncode, done.stdout
    except subprocess.TimeoutExpired:
        return "does not end", ""


with tempfile.TemporaryDirectory() as work:
    run = ("-include", os.path.join(here, "mutant.h"), os.path.join(here, "mutant.c"))
    whole = os.path.join(work, "whole")
    words = built(schema.written(source, found), whole, *run)
    if words is not True:
        sys.exit(f"the schema does not compile:\n{words}")
    plain = seen(whole, 0)

    def one(m):
        alone = os.path.join(work, f"m{m.number}")
        words = built(schema.changed(m, place[m.number]), alone, *run)
        return m, words is True and seen(alone, 0), seen(whole, m.number)

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        rows = list(pool.map(one, mutants[part::parts]))
bad = [m for m, alone, switched in rows if alone != switched]
for m in bad:
    print(f"not the same: {m.key}")
kinds = collections.Counter(m.kind for m in mutants)
print(f"{len(mutants)} mutants ({', '.join(f'{n} {k}' for k, n in sorted(kinds.items()))}), {lost} places left out")
print(f"{len(rows)} made: {sum(switched != plain for _, _, switched in rows)} show, {len(bad)} differ from what is written so")
sys.exit(1 if bad or len(mutants) < 50 else 0)
