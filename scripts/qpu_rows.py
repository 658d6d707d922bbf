#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A second source for the operations of backends/isa/qpu.

usage: scripts/qpu_rows.py [OPT] >tests/qpu_rows.txt
       scripts/qpu_rows.py --mesa FOLDER

The first form prints results for tests/test_qpu_rows.c. Each operation is written as LLVM IR according to Mesa's comments
and NIR's table of opcodes, and LLVM's optimiser (OPT; build/deps/llvm/23/bin/opt) folds it for edge values and random
numbers. A line: OPERATION/PACK/UNPACK/UNPACK/FLAG with the bits of its result and its sources, then a,b=result each, in
hexadecimal. With a PACK the last source is what the register held before.

The second form compares qpu_ops.def row by row with Mesa's source in FOLDER: name, ALUs, number of sources and result
(qpu_instr.c, qpu_pack.c), which operands can be packed (qpu_pack.c), and what the back end emits for the NIR operation
that the row names (nir_to_vir.c). Exit status 1: a row differs.
"""
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "lib"))
from llvm_rows import W, floats, fold, ints  # noqa: E402

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
ROWS = {}


def row(name, sizes, body, out=W):
    ROWS[":".join([name, str(out)] + [str(W) for _ in sizes])] = ints(body, *sizes, out=out)


def unpacked(kind, v):
    """LLVM IR that unpacks operand `v` of 32 bits to a float, or to two halves, named %vu."""
    half = f"%{v}s = lshr i32 %{v}, 16\n%{v}h = trunc i32 %{v}s to i16\n" if kind in ("h", "hh") else f"%{v}h = trunc i32 %{v} to i16\n"
    if kind in ("l", "h"):
        return half + f"%{v}f = bitcast i16 %{v}h to half\n%{v}x = fpext half %{v}f to float\n%{v}u = bitcast float %{v}x to i32\n"
    if kind == "abs":
        return f"%{v}u = and i32 %{v}, 2147483647\n"
    if kind == "swp":
        return f"%{v}u = call i32 @llvm.fshl.i32(i32 %{v}, i32 %{v}, i32 16)\n"
    if kind == "ff":
        half = f"%{v}f = bitcast i32 %{v} to float\n%{v}n = fptrunc float %{v}f to half\n%{v}h = bitcast half %{v}n to i16\n"
    return half + f"%{v}z = zext i16 %{v}h to i32\n%{v}u = mul i32 %{v}z, 65537\n"


def renamed(body, names):
    for old, new in names.items():
        body = re.sub(f"%{old}\\b", f"%{new}", body)
    return body


def llvm_rows():
    two, one, few, numbers = (W, W), (W,), ("FEW", "FEW"), ("FLOATS", "FLOATS")
    values = {"mov": (one, "%r = add i32 %a, 0"), "not": (one, "%r = xor i32 %a, -1"), "neg": (one, "%r = sub i32 0, %a"),
              "clz": (one, "%r = call i32 @llvm.ctlz.i32(i32 %a, i1 false)"),
              "ror": (two, "%s = and i32 %b, 31\n%r = call i32 @llvm.fshr.i32(i32 %a, i32 %a, i32 %s)"),
              "umul24": (two, "%x = and i32 %a, 16777215\n%y = and i32 %b, 16777215\n%r = mul i32 %x, %y"),
              "multop": (two, "%r = mul i32 %a, %b")}  # with the umul24 after it
    for op in ("add", "sub", "and", "or", "xor"):
        values[op] = two, f"%r = {op} i32 %a, %b"
    for n, op in (("min", "smin"), ("max", "smax"), ("umin", "umin"), ("umax", "umax")):
        values[n] = two, f"%r = call i32 @llvm.{op}.i32(i32 %a, i32 %b)"
    for n, op in (("shl", "shl"), ("shr", "lshr"), ("asr", "ashr")):
        values[n] = two, f"%s = and i32 %b, 31\n%r = {op} i32 %a, %s"
    for n, kind in (("ftoiz", "s"), ("ftouz", "u"), ("ftoin", "s")):
        rounded = "%x = call float @llvm.rint.f32(float %f)" if n == "ftoin" else "%x = fadd float %f, -0.0"
        values[n] = numbers[:1], f"%f = bitcast i32 %a to float\n{rounded}\n%r = call i32 @llvm.fpto{kind}i.sat.i32.f32(float %x)"
    for op, (sizes, body) in values.items():
        row(f"{op}////", sizes, body)
        if op in ("umul24", "multop"):
            continue
        for flag, how in (("z", "eq i32 %h, 0"), ("n", "slt i32 %h, 0")):
            row(f"{op}////{flag}", sizes if sizes == numbers[:1] else few[:len(sizes)], renamed(body, {"r": "h"}) + f"\n%c1 = icmp {how}\n%r = zext i1 %c1 to i32")
    for op, how in (("add", "ult i32 %h, %a"), ("sub", "ult i32 %a, %b"), ("min", "sgt i32 %a, %b")):
        row(f"{op}////c", few, renamed(values[op][1], {"r": "h"}) + f"\n%c1 = icmp {how}\n%r = zext i1 %c1 to i32")
    for flag, how in (("z", "oeq"), ("n", "olt"), ("c", "ole")):
        row(f"fcmp////{flag}", numbers,
            f"%x = bitcast i32 %a to float\n%y = bitcast i32 %b to float\n%c1 = fcmp {how} float %x, %y\n%r = zext i1 %c1 to i32")
    single = {"fmov": (one, "%r = add i32 %a, 0")}
    for n, op in (("fadd", "fadd"), ("fsub", "fsub"), ("fmul", "fmul")):
        single[n] = two, floats(2, "float", W, f"{op} float %af, %bf")
    for n, op in (("fmin", "minimumnum"), ("fmax", "maximumnum")):
        single[n] = numbers, floats(2, "float", W, f"call float @llvm.{op}.f32(float %af, float %bf)")
    for n, op in (("fround", "rint"), ("ftrunc", "trunc"), ("ffloor", "floor"), ("fceil", "ceil")):
        single[n] = numbers[:1], floats(1, "float", W, f"call float @llvm.{op}.f32(float %af)")
    for n, op in (("itof", "sitofp"), ("utof", "uitofp")):
        single[n] = one, f"%rf = {op} i32 %a to float\n%r = bitcast float %rf to i32"
    for op, (sizes, body) in single.items():
        row(f"{op}////", sizes, body)
        for pack in "lh":
            old = "bc"[len(sizes) - 1]
            at, keep = (0, -65536) if pack == "l" else (16, 65535)
            row(f"{op}/{pack}///", sizes + (W,), renamed(body, {"r": "h"}) + f"""
%hf = bitcast i32 %h to float\n%hn = fptrunc float %hf to half\n%hb = bitcast half %hn to i16\n%hz = zext i16 %hb to i32
%hs = shl i32 %hz, {at}\n%ho = and i32 %{old}, {keep}\n%r = or i32 %hs, %ho""")
        for unpack in ("abs", "l", "h") if op not in ("itof", "utof") else ():
            row(f"{op}//{unpack}//", sizes, unpacked(unpack, "a") + renamed(body, {"a": "au", "af": "ag"}))
            if len(sizes) == 2:
                row(f"{op}///{unpack}/", sizes, unpacked(unpack, "b") + renamed(body, {"b": "bu", "bf": "bg"}))
    for n, op in (("vfadd", "fadd <2 x half> %af, %bf"), ("vfmul", "fmul <2 x half> %af, %bf"),
                  ("vfmin", "call <2 x half> @llvm.minimumnum.v2f16(<2 x half> %af, <2 x half> %bf)"),
                  ("vfmax", "call <2 x half> @llvm.maximumnum.v2f16(<2 x half> %af, <2 x half> %bf)")):
        body = floats(2, "<2 x half>", W, op)
        row(f"{n}////", two, body)
        for unpack in ("ll", "hh", "swp", "ff"):
            row(f"{n}//{unpack}//", two, unpacked(unpack, "a") + renamed(body, {"a": "au", "af": "ag"}))
    fold(ROWS, "", '"denormal-fp-math"="ieee,ieee"')


# ---- Mesa's source

def between(text, first, last):
    at = text.index(first)
    return text[at:text.index(last, at)]


def table():
    """(id, name, ALUs, types, source) of each row of qpu_ops.def."""
    with open(os.path.join(ROOT, "backends/isa/qpu/qpu_ops.def")) as f:
        text = re.sub(r"//.*", "", f.read())
    for m in re.finditer(r'^(?:ALU|OTHER)\((\w+), "(\w+)", "(\w+)", "([\w-]*)",([^"]*)"([^"]*)"\)', text, re.M):
        yield m[1], m[2], m[3], m[4], m[6]


def mesa_check(folder):
    def source(name):
        with open(os.path.join(folder, "src/broadcom", name), errors="replace") as f:
            return f.read()

    instr, pack, vir = source("qpu/qpu_instr.c"), source("qpu/qpu_pack.c"), source("compiler/nir_to_vir.c")
    names, args, packs = {}, {}, {}
    for unit, kind in (("A", "add"), ("M", "mul")):
        part = between(instr, f"v3d_qpu_{kind}_op_name", "if (op >=")
        ops = between(pack, f"opcode_desc v3d71_{kind}_ops", "};")
        for op, name in re.findall(rf"\[V3D_QPU_{unit}_(\w+)\] = \"(\w+)\"", part):
            if f"V3D_QPU_{unit}_{op}," in ops or f"V3D_QPU_{unit}_{op} " in ops:
                names[unit, op] = name
        for op, flags in re.findall(rf"\[V3D_QPU_{unit}_(\w+)\] = ([^,]*),", between(instr, f"{kind}_op_args[]", "};")):
            args[unit, op] = flags.count("A") + flags.count("B"), "D" in flags
        part = pack[pack.index(f"v3d71_qpu_{kind}_unpack("):]
        part = part[part.index(f"switch (instr->alu.{kind}.op) {{\n        case V3D_QPU_{unit}_F"):part.index(f"instr->alu.{kind}.a.raddr")]
        for cases in re.split(r"(?<=break;)\n\n", part):
            for op in re.findall(rf"case V3D_QPU_{unit}_(\w+):", cases):
                packs[unit, op] = re.sub(r".*v3d_qpu_(\w+?)_unpack_unpack.*", r"\1", cases, flags=re.S)
    header = source("compiler/v3d_compiler.h") + source("compiler/vir_register_allocate.c") + source("compiler/vir.c")
    emits = {}  # what the back end's case of a NIR operation, comparison or intrinsic emits
    for kind, part, case in (("NIR", vir[vir.index("\nntq_emit_alu("):], r"case nir_op_(\w+):"),
                             ("CMP", between(vir, "\nntq_emit_comparison(", "\n}"), r"case nir_op_(\w+)32:"),
                             ("SUB", vir[vir.index("\nntq_emit_intrinsic("):], r"case nir_intrinsic_(\w+):")):
        for cases, body in re.findall(rf"((?:\s*{case[:-1].replace('(', '(?:')}:)+)(.*?break;)", part, re.S):
            for name in re.findall(case, cases):
                emits.setdefault((kind, name), re.findall(r"\bvir_([A-Z0-9]+)(?:_dest)?\(", body))
    bad = absent = compared = described = unknown = 0
    for op, name, units, types, why in table():
        problems = []
        known = [u for u in "AM" if (u, op) in names]
        if not known:
            print(f"{name:10} not in this Mesa's tables of V3D 7.1")
            absent += 1
            continue
        if "".join(known) != units:
            problems.append(f"ALUs {''.join(known)}, not {units}")
        for unit in known:
            sources, result = args[unit, op]
            if names[unit, op] != name:
                problems.append(f"the name {names[unit, op]}")
            if sources != max(0, len(types) - 1) or result != bool(types):
                problems.append(f"{sources} sources, result {result}")
            form = {"float32": "f", "float16": "h"}.get(packs.get((unit, op)))
            if types[1:] and (types[1] in "fh" or form) and types[1] != form and op not in ("ALLFEQ",):
                problems.append(f"unpacks {packs.get((unit, op))}")
        for part in why.split(";") if " of 16 bits" not in why else ():  # Mesa has these since 26
            kind, _, rest = part.strip().partition(" ")
            if kind not in ("NIR", "CMP", "SUB", "VIR"):
                continue
            for nir in re.findall(r"\w+", rest.split(":")[0].split(",")[0] if kind == "VIR" else rest.split(":")[0]):
                described += 1
                if kind == "VIR":
                    if not re.search(rf"\b(vir_)?{nir}\b", header):
                        problems.append(f"no {nir}")
                    continue
                emitted = emits.get((kind, nir), emits.get(("SUB", nir)))
                if emitted is None:
                    print(f"{name:10} this Mesa has no case for {kind} {nir}")
                    unknown += 1
                elif op not in emitted:
                    problems.append(f"{', '.join(emitted)} for {kind} {nir}")
        compared += 1
        bad += bool(problems)
        for p in problems:
            print(f"{name:10} Mesa has {p}")
    print(f"{compared} rows compared, {described} sources named ({unknown} not in this Mesa), {absent} rows not in this Mesa, {bad} differ")
    return 1 if bad or not compared or not described else 0


if len(sys.argv) > 1 and sys.argv[1] in ("-h", "--help"):
    print(__doc__)
elif len(sys.argv) > 1 and sys.argv[1] == "--mesa":
    sys.exit(mesa_check(sys.argv[2]))
else:
    llvm_rows()
