# SPDX-License-Identifier: Apache-2.0
"""Operations as LLVM IR, which LLVM's optimiser folds for edge values and random numbers: a second source for the
rows that test the interpreters of backends/isa/. Imported by scripts/amd_rows.py and scripts/nir_rows.py.
"""
import os
import random
import re
import subprocess
import sys

W, H, Q, B = 32, 16, 64, 8
EDGE = {
    1: [0, 1],
    B: [0, 1, 7, 8, 0x7F, 0x80, 0xFF],
    H: [0, 1, 2, 0x7FFF, 0x8000, 0xFFFF, 0x3C00, 0xBC00, 0x7C00, 0x7E00, 0x0001, 0x8000, 0x7BFF, 0x4248],
    W: [0, 1, 2, 31, 32, 33, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0x3F800000, 0xBF800000, 0x7F800000, 0xFF800000,
        0x7FC00000, 0x80000000, 0x00000001, 0x7F7FFFFF, 0x4F000000, 0xCF000000, 0x4F800000, 0x40490FDB],
    Q: [0, 1, 63, 64, 0x7FFFFFFFFFFFFFFF, 0x8000000000000000, 0xFFFFFFFFFFFFFFFF, 0x3FF0000000000000,
        0xBFF0000000000000, 0x7FF0000000000000, 0x41E0000000000000, 0x41F0000000000000, 0x400921FB54442D18],
    # few numbers, so that two are often equal; floats, some halfway between two integers
    "FEW": [0, 1, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF],
    "FLOATS": [0, 0x80000000, 0x3F800000, 0x3F000000, 0xBF000000, 0x40200000, 0xC0600000, 0x7FC00000, 0xFF800000],
    # the first bit and, above bit 16, the number of bits; the bytes of v_perm_b32
    "FIELD": [0x00010000, 0x0010001F, 0x00200000, 0x007F0004, 0x00080010, 0x00000005, 0x0040003F, 0x001F0021, 0x00050003, 0x00210020],
    "BYTES": [0x07060504, 0x0C0B0A09, 0x00010203, 0x0D080C05, 0xFF09080A, 0x0B020C06],
}


def ints(expr, *sizes, out=W):
    return sizes, out, expr


def shift(op, size):
    return f"%s = and i{size} %a, {size - 1}\n%r = {op} i{size} %b, %s"


def cmp(op, size):
    return f"%x = icmp {op} i{size} %a, %b\n%r = zext i1 %x to i32"


def fcmp(op, name, size):
    return f"%x = bitcast i{size} %a to {name}\n%y = bitcast i{size} %b to {name}\n" \
           f"%z = fcmp {op} {name} %x, %y\n%r = zext i1 %z to i32"


def call2(name, size):
    return f"%r = call i{size} @llvm.{name}.i{size}(i{size} %a, i{size} %b)"


def floats(n, name, size, body):
    return "".join(f"%{v}f = bitcast i{size} %{v} to {name}\n" for v in "abc"[:n]) + \
        f"%rf = {body}\n%r = bitcast {name} %rf to i{size}"


def tuples(sizes, rng, n=20):
    out = []
    for i in range(n):
        v = []
        for size in sizes:
            pick = rng.choice(EDGE[size]) if rng.random() < 0.7 else rng.getrandbits(size if isinstance(size, int) else W)
            v.append(pick)
        out.append(tuple(v))
    return sorted(set(out))


def fold(rows, head, attributes):
    """Prints the table of `rows`: name -> (bits of the sources, bits of the result, the body that computes %r from %a, %b, %c)."""
    root = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
    opt = sys.argv[1] if len(sys.argv) > 1 else os.path.join(root, "build/deps/llvm/23/bin/opt")
    rng = random.Random(19)
    module, asked = [head], []
    for op, (sizes, out, body) in rows.items():
        for values in tuples(sizes, rng):
            text = body
            for v, value, size in zip("abcd", values, sizes):
                text = re.sub(f"%{v}\\b", str(value), text)
            module.append(f"define i{out} @f{len(asked)}() #0 {{\n{text}\nret i{out} %r\n}}")
            asked.append((op, values, out))
    module.append("attributes #0 = { %s }" % attributes)
    r = subprocess.run([opt, "-passes=instcombine,instsimplify", "-S", "-", "-o", "-"], input="\n".join(module), text=True,
                       stdout=subprocess.PIPE, check=True)
    folded = dict(re.findall(r"define i\d+ @f(\d+)\(\)[^{]*\{\s*ret i\d+ (-?\d+|true|false)\s*\}", r.stdout))
    words = {"true": 1, "false": 0}
    lines = {}
    for i, (op, values, out) in enumerate(asked):
        if str(i) in folded:
            answer = int(words.get(folded[str(i)], folded[str(i)])) & ((1 << out) - 1)
            lines.setdefault(op, []).append(",".join(f"{v:x}" for v in values) + f"={answer:x}")
    for op, all_ in sorted(lines.items()):
        print(op, " ".join(all_))
    print(f"{len(lines)} of {len(rows)} operations, {sum(map(len, lines.values()))} answers", file=sys.stderr)

