#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs mutated SPIR-V of real shaders through `tanglefuzz portable`: no input may crash it.

  scripts/portable_fuzz.py FOLDER PROGRAM [CPU_SECONDS [SEED]]

FOLDER/OWNER+REPOSITORY/*.spv; PROGRAM: a build with sanitizers. A module that crashes it is kept in the current
folder as crash-N.spv. Exit status 1 if one was found.
"""
import os, random, resource, subprocess, sys, tempfile

folder, program = sys.argv[1], sys.argv[2]
seconds, seed = float((sys.argv + ["600"])[3]), int((sys.argv + ["", "1"])[4])
choose = random.Random(seed)
paths = sorted(os.path.join(at, name) for at, _, names in os.walk(folder) for name in names if name.endswith(".spv"))
paths = [path for path in paths if os.path.getsize(path) < 200000]


def read(path):
    """Returns the header and the instructions of a module, as lists of words."""
    data = open(path, "rb").read()
    words = [int.from_bytes(data[k:k + 4], "little") for k in range(0, len(data) // 4 * 4, 4)]
    out, k = [], 5
    while k < len(words) and words[k] >> 16:
        out.append(words[k:k + (words[k] >> 16)])
        k += words[k] >> 16
    return words[:5], out


def change(head, code, other):
    """Changes one thing of a module, at random."""
    kind, k = choose.randrange(8), choose.randrange(len(code))
    if kind == 0:
        del code[k]
    elif kind == 1:
        code.insert(choose.randrange(len(code)), list(code[k]))
    elif kind == 2:
        code[k] = list(choose.choice(other))
    elif kind == 3 and len(code[k]) > 1:  # an operand becomes a small number or id
        code[k][choose.randrange(1, len(code[k]))] = choose.randrange(head[3] + 2)
    elif kind == 4 and len(code[k]) > 1:
        code[k][choose.randrange(1, len(code[k]))] ^= 1 << choose.randrange(32)
    elif kind == 5 and len(code[k]) > 1:
        code[k][choose.randrange(1, len(code[k]))] = choose.choice([0, 1, 2, 0x7fffffff, 0x80000000, 0xffffffff])
    elif kind == 6:  # another operation with the same operands
        code[k][0] = code[k][0] & 0xffff0000 | choose.choice(code)[0] & 0xffff
    else:
        j = choose.randrange(len(code))
        code[k], code[j] = code[j], code[k]


def used():
    r = resource.getrusage(resource.RUSAGE_CHILDREN)
    return r.ru_utime + r.ru_stime


runs = crashes = answers = 0
with tempfile.TemporaryDirectory() as work:
    path = os.path.join(work, "mutated.spv")
    while used() < seconds:
        head, code = read(choose.choice(paths))
        other = read(choose.choice(paths))[1]
        for _ in range(choose.choice([1, 1, 2, 4, 16])):
            change(head, code, other)
        words = head + [word for one in code for word in one]
        open(path, "wb").write(b"".join((word & 0xffffffff).to_bytes(4, "little") for word in words))
        out = subprocess.run(["prlimit", "--cpu=30", program, "portable", "--subgroup", "8", "--json", path],
                             capture_output=True)
        runs += 1
        answers += out.stdout.startswith(b"{")
        if out.returncode not in (0, 1, 2, -9, -24, 137, 152) or b"Sanitizer" in out.stderr or b"runtime error" in out.stderr:
            crashes += 1
            os.replace(path, f"crash-{crashes}.spv")
            sys.stderr.write(f"crash-{crashes}.spv: {out.returncode} {out.stderr[:1500].decode(errors='replace')}\n")
print(f"{runs} mutated modules, {answers} judged, {used():.0f} s of processor time, {crashes} crashes")
sys.exit(crashes != 0)
