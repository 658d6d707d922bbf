#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints results of the operations of Intel's GPUs from a second source, for tests/test_eu_rows.c: tests/eu_rows.txt.

usage: scripts/eu_rows.py [OPT] >tests/eu_rows.txt

Each operation is written as LLVM IR, and LLVM's optimiser (OPT; build/deps/llvm/23/bin/opt) folds it. A line: the
instruction, with _ for a blank and ; for the end of one, then a,b,c=result each, in hexadecimal. In it $a:T is a source of
type T, $r:T the result, and $p before it says that the result is the flag.
"""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "lib"))
from llvm_rows import B, H, Q, W, fold  # noqa: E402

ROWS = {}
BITS = {"b": B, "ub": B, "w": H, "uw": H, "hf": H, "d": W, "ud": W, "f": W, "q": Q, "uq": Q, "df": Q}
FLOAT = {"hf": "half", "f": "float", "df": "double"}


def row(text, types, out, body):
    """`types` of the sources; the body computes %r from %a, %b, %c, which have the widths of their types."""
    ROWS[text.replace(" ", "_")] = tuple(BITS[t] for t in types), BITS[out], body


def op(name, types, out, body, before="", sources=None):
    sources = sources or [f"${v}:{t}" for v, t in zip("abc", types)]
    row(f"{name} (16|M0) {before}$r:{out} {' '.join(sources)}", types, out, body)


def wide(names, how, size=W):
    return "".join(f"%{v}w = {how} i{size} %{v} to i64\n" for v in names)


def casts(names, kind):
    size = {"half": H, "float": W, "double": Q}[kind]
    return "".join(f"%{v}f = bitcast i{size} %{v} to {kind}\n" for v in names)


def back(kind):
    return f"\n%r = bitcast {kind} %rf to i{ {'half': H, 'float': W, 'double': Q}[kind] }"


def bit(body, out=W):
    return body + f"\n%r = zext i1 %z to i{out}"


def same(t):
    return f"%r = add i{BITS[t]} %a, 0"


# ---- moves and conversions of integers
for t, how in (("w", "sext"), ("uw", "zext"), ("b", "sext"), ("ub", "zext")):
    op("mov", (t,), "d", f"%r = {how} i{BITS[t]} %a to i32")
op("mov", ("d",), "w", "%r = trunc i32 %a to i16")
op("mov", ("d",), "q", "%r = sext i32 %a to i64")
op("mov", ("ud",), "uq", "%r = zext i32 %a to i64")
op("mov", ("q",), "d", "%r = trunc i64 %a to i32")
op("mov", ("d",), "d", "%r = sub i32 0, %a", sources=["-$a:d"])
op("mov", ("d",), "d", "%r = call i32 @llvm.abs.i32(i32 %a, i1 false)", sources=["(abs)$a:d"])
for t, low, high in (("w", -32768, 32767), ("uw", 0, 65535), ("ub", 0, 255), ("b", -128, 127)):
    op("mov", ("d",), t, f"%x = call i32 @llvm.smax.i32(i32 %a, i32 {low})\n%y = call i32 @llvm.smin.i32(i32 %x, i32 {high})\n"
       f"%r = trunc i32 %y to i{BITS[t]}", before="(sat)")
# ---- logic and shifts
op("not", ("ud",), "ud", "%r = xor i32 %a, -1")
for name in ("and", "or", "xor"):
    op(name, ("ud", "ud"), "ud", f"%r = {name} i32 %a, %b")
    op(name, ("ud", "ud"), "ud", f"%n = xor i32 %b, -1\n%r = {name} i32 %a, %n", sources=["$a:ud", "~$b:ud"])
for name, ir, t in (("shl", "shl", "ud"), ("shr", "lshr", "ud"), ("asr", "ashr", "d")):
    op(name, (t, "ud"), t, f"%s = and i32 %b, 31\n%r = {ir} i32 %a, %s")
    q = "uq" if t == "ud" else "q"
    op(name, (q, "ud"), q, f"%s = and i32 %b, 63\n%t = zext i32 %s to i64\n%r = {ir} i64 %a, %t")
op("rol", ("ud", "ud"), "ud", "%r = call i32 @llvm.fshl.i32(i32 %a, i32 %a, i32 %b)")
op("ror", ("ud", "ud"), "ud", "%r = call i32 @llvm.fshr.i32(i32 %a, i32 %a, i32 %b)")
for table, ir in (("0xFE", "%x = or i32 %a, %b\n%r = or i32 %x, %c"), ("0x96", "%x = xor i32 %a, %b\n%r = xor i32 %x, %c"),
                  ("0xD8", "%x = and i32 %a, %b\n%n = xor i32 %a, -1\n%y = and i32 %n, %c\n%r = or i32 %x, %y"),
                  ("0x02", "%y = or i32 %b, %c\n%n = xor i32 %y, -1\n%r = and i32 %a, %n"), ("0x01", "%x = or i32 %a, %b\n%y = or i32 %x, %c\n%r = xor i32 %y, -1")):
    op(f"bfn.{table}", ("ud", "ud", "ud"), "ud", ir)
# ---- arithmetic
op("add", ("d", "d"), "d", "%r = add i32 %a, %b")
op("add", ("d", "d"), "d", "%r = sub i32 %b, %a", sources=["-$a:d", "$b:d"])
op("add", ("d", "w"), "d", "%x = sext i16 %b to i32\n%r = add i32 %a, %x")
op("add", ("q", "q"), "q", "%r = add i64 %a, %b")
op("add", ("d", "d"), "d", "%r = call i32 @llvm.sadd.sat.i32(i32 %a, i32 %b)", before="(sat)")
op("add", ("ud", "ud"), "ud", "%r = call i32 @llvm.uadd.sat.i32(i32 %a, i32 %b)", before="(sat)")
op("add", ("w", "w"), "w", "%r = call i16 @llvm.sadd.sat.i16(i16 %a, i16 %b)", before="(sat)")
op("add3", ("d", "d", "d"), "d", "%x = add i32 %a, %b\n%r = add i32 %x, %c")
for t, how, ir in (("ud", "zext", "lshr"), ("d", "sext", "ashr")):
    op("avg", (t, t), t, wide("ab", how) + f"%x = add i64 %aw, %bw\n%y = add i64 %x, 1\n%z = {ir} i64 %y, 1\n%r = trunc i64 %z to i32")
op("mul", ("d", "d"), "d", "%r = mul i32 %a, %b")
op("mul", ("ud", "uw"), "ud", "%x = zext i16 %b to i32\n%r = mul i32 %a, %x")
op("mul", ("d", "d"), "q", wide("ab", "sext") + "%r = mul i64 %aw, %bw")
op("mad", ("d", "d", "w"), "d", "%x = sext i16 %c to i32\n%y = mul i32 %b, %x\n%r = add i32 %a, %y")
for t, how, ir in (("ud", "zext", "lshr"), ("d", "sext", "ashr")):
    row(f"mul (16|M0) acc0.0<1>:{t} $a:{t} $b:uw;mach (16|M0) $r:{t} $a:{t} $b:{t}", (t, t), t,
        wide("ab", how) + f"%x = mul i64 %aw, %bw\n%y = {ir} i64 %x, 32\n%r = trunc i64 %y to i32")
    row(f"mul (16|M0) acc0.0<1>:{t} $a:{t} $b:uw;macl (16|M0) $r:{t} $a:{t} $b:{t}", (t, t), t, "%r = mul i32 %a, %b")
row("addc (16|M0) $r:ud $a:ud $b:ud {AccWrEn}", ("ud", "ud"), "ud", "%r = add i32 %a, %b")
row("addc (16|M0) null<1>:ud $a:ud $b:ud {AccWrEn};mov (16|M0) $r:ud acc0.0<8;8,1>:ud", ("ud", "ud"), "ud",
    bit("%x = add i32 %a, %b\n%z = icmp ult i32 %x, %a"))
row("subb (16|M0) null<1>:ud $a:ud $b:ud {AccWrEn};mov (16|M0) $r:ud acc0.0<8;8,1>:ud", ("ud", "ud"), "ud", bit("%z = icmp ult i32 %a, %b"))
row("subb (16|M0) $r:ud $a:ud $b:ud {AccWrEn}", ("ud", "ud"), "ud", "%r = sub i32 %a, %b")
for t, s in (("ud", "u"), ("d", "s")):
    op("math.iqot", (t, t), t, f"%x = and i32 %b, 2147483647\n%y = or i32 %x, 1\n%r = {s}div i32 %a, %y", sources=[f"$a:{t}", f"r60.0<8;8,1>:{t}"])
    op("math.irem", (t, t), t, f"%x = and i32 %b, 2147483647\n%y = or i32 %x, 1\n%r = {s}rem i32 %a, %y", sources=[f"$a:{t}", f"r60.0<8;8,1>:{t}"])
# ---- bits
op("fbl", ("ud",), "ud", "%x = call i32 @llvm.cttz.i32(i32 %a, i1 false)\n%z = icmp eq i32 %a, 0\n%r = select i1 %z, i32 -1, i32 %x")
op("fbh", ("ud",), "ud", "%x = call i32 @llvm.ctlz.i32(i32 %a, i1 false)\n%z = icmp eq i32 %a, 0\n%r = select i1 %z, i32 -1, i32 %x")
op("fbh", ("d",), "ud", "%s = ashr i32 %a, 31\n%n = xor i32 %a, %s\n%x = call i32 @llvm.ctlz.i32(i32 %n, i1 false)\n"
   "%z = icmp eq i32 %n, 0\n%r = select i1 %z, i32 -1, i32 %x")
op("lzd", ("ud",), "ud", "%r = call i32 @llvm.ctlz.i32(i32 %a, i1 false)")
op("cbit", ("ud",), "ud", "%r = call i32 @llvm.ctpop.i32(i32 %a)")
op("bfrev", ("ud",), "ud", "%r = call i32 @llvm.bitreverse.i32(i32 %a)")
field = "%n = and i32 %a, 31\n%k = and i32 %b, 31\n%nw = zext i32 %n to i64\n%kw = zext i32 %k to i64\n" \
        "%none = icmp eq i32 %n, 0\n%end = add i32 %n, %k\n%past = icmp uge i32 %end, 32\n"
for t, how, ir in (("ud", "zext", "lshr"), ("d", "sext", "ashr")):
    op("bfe", (t, t, t), t, field + f"%cut = sub i32 32, %end\n%up = select i1 %past, i32 0, i32 %cut\n%m = and i32 %up, 31\n"
       f"%x = shl i32 %c, %m\n%d = sub i32 32, %n\n%dm = and i32 %d, 31\n%o = select i1 %past, i32 %k, i32 %dm\n%y = {ir} i32 %x, %o\n"
       "%r = select i1 %none, i32 0, i32 %y")
op("bfi1", ("ud", "ud"), "ud", field + "%o = shl i64 1, %nw\n%m = sub i64 %o, 1\n%x = shl i64 %m, %kw\n%r = trunc i64 %x to i32")
op("bfi2", ("ud", "ud", "ud"), "ud", "%k = call i32 @llvm.cttz.i32(i32 %a, i1 false)\n%z = icmp eq i32 %a, 0\n%s = select i1 %z, i32 0, i32 %k\n"
   "%x = shl i32 %b, %s\n%y = and i32 %x, %a\n%n = xor i32 %a, -1\n%o = and i32 %c, %n\n%r = or i32 %y, %o")
# ---- comparisons
for name, s, u, f in (("eq", "eq", "eq", "oeq"), ("ne", "ne", "ne", "une"), ("lt", "slt", "ult", "olt"), ("le", "sle", "ule", "ole"),
                      ("gt", "sgt", "ugt", "ogt"), ("ge", "sge", "uge", "oge")):
    for t in ("d", "q", "w"):
        row(f"$p;cmp (16|M0) ({name})f0.0 null<1>:{t} $a:{t} $b:{t}", (t, t), "ud", bit(f"%z = icmp {s} i{BITS[t]} %a, %b"))
    row(f"$p;cmp (16|M0) ({name})f0.0 null<1>:ud $a:ud $b:ud", ("ud", "ud"), "ud", bit(f"%z = icmp {u} i32 %a, %b"))
    for t, kind in FLOAT.items():
        row(f"$p;cmp (16|M0) ({name})f0.0 null<1>:{t} $a:{t} $b:{t}", (t, t), "ud", casts("ab", kind) + bit(f"%z = fcmp {f} {kind} %af, %bf"))
    row(f"$p;and (16|M0) ({name})f0.0 null<1>:d $a:d $b:d", ("d", "d"), "ud", "%x = and i32 %a, %b\n" + bit(f"%z = icmp {s} i32 %x, 0"))
    op("cmp", ("d", "d"), "d", f"%z = icmp {s} i32 %a, %b\n%r = sext i1 %z to i32", before=f"({name})f0.0 ")
    op("csel", ("d", "d", "d"), "d", f"%z = icmp {s} i32 %c, 0\n%r = select i1 %z, i32 %a, i32 %b", before=f"({name})f0.0 ")
for name, m in (("lt", "min"), ("ge", "max")):
    for t, s in (("d", "s"), ("ud", "u")):
        op("sel", (t, t), t, f"%r = call i32 @llvm.{s}{m}.i32(i32 %a, i32 %b)", before=f"({name})f0.0 ")
row("cmp (16|M0) (lt)f0.0 null<1>:d $a:d 0:d;(f0.0) sel (16|M0) $r:d $a:d $b:d", ("d", "d"), "d", "%z = icmp slt i32 %a, 0\n%r = select i1 %z, i32 %a, i32 %b")
row("cmp (16|M0) (lt)f0.0 null<1>:d $a:d 0:d;(~f0.0) sel (16|M0) $r:d $a:d $b:d", ("d", "d"), "d", "%z = icmp slt i32 %a, 0\n%r = select i1 %z, i32 %b, i32 %a")
# ---- floats
for t, kind in FLOAT.items():
    op("add", (t, t), t, casts("ab", kind) + f"%rf = fadd {kind} %af, %bf" + back(kind))
    op("mul", (t, t), t, casts("ab", kind) + f"%rf = fmul {kind} %af, %bf" + back(kind))
    op("add", (t, t), t, casts("ab", kind) + f"%x = call {kind} @llvm.fabs.{kind}({kind} %bf)\n%rf = fsub {kind} %af, %x".replace(
        f".{kind}(", {"half": ".f16(", "float": ".f32(", "double": ".f64("}[kind]) + back(kind), sources=[f"$a:{t}", f"-(abs)$b:{t}"])
for t, kind, f in (("f", "float", "f32"), ("df", "double", "f64")):
    op("mad", (t, t, t), t, casts("abc", kind) + f"%rf = call {kind} @llvm.fma.{f}({kind} %bf, {kind} %cf, {kind} %af)" + back(kind))
for name, m in (("rndd", "floor"), ("rndu", "ceil"), ("rnde", "roundeven"), ("rndz", "trunc")):
    op(name, ("f",), "f", casts("a", "float") + f"%rf = call float @llvm.{m}.f32(float %af)" + back("float"))
op("math.inv", ("f",), "f", casts("a", "float") + "%rf = fdiv float 1.0, %af" + back("float"))
op("mov", ("d",), "f", "%rf = sitofp i32 %a to float" + back("float"))
op("mov", ("ud",), "f", "%rf = uitofp i32 %a to float" + back("float"))
op("mov", ("hf",), "f", casts("a", "half") + "%rf = fpext half %af to float" + back("float"))
op("mov", ("f",), "hf", casts("a", "float") + "%rf = fptrunc float %af to half" + back("half"))
op("mov", ("df",), "f", casts("a", "double") + "%rf = fptrunc double %af to float" + back("float"))
op("mov", ("f",), "df", casts("a", "float") + "%rf = fpext float %af to double" + back("double"))
op("mov", ("f",), "d", casts("a", "float") + "%r = call i32 @llvm.fptosi.sat.i32.f32(float %af)")
op("mov", ("f",), "ud", casts("a", "float") + "%r = call i32 @llvm.fptoui.sat.i32.f32(float %af)")
op("mov", ("f",), "f", "%r = xor i32 %a, -2147483648", sources=["-$a:f"])
op("mov", ("f",), "f", "%r = and i32 %a, 2147483647", sources=["(abs)$a:f"])
op("add", ("f", "f"), "f", casts("ab", "float") + "%x = fadd float %af, %bf\n%y = call float @llvm.maximumnum.f32(float %x, float 0.0)\n"
   "%rf = call float @llvm.minimumnum.f32(float %y, float 1.0)" + back("float"), before="(sat)")
for name, m in (("lt", "minimumnum"), ("ge", "maximumnum")):
    op("sel", ("f", "f"), "f", casts("ab", "float") + f"%rf = call float @llvm.{m}.f32(float %af, float %bf)" + back("float"), before=f"({name})f0.0 ")

HEAD = """declare i32 @llvm.abs.i32(i32, i1)
"""
HEAD += "".join(f"declare i32 @llvm.{n}.i32(i32, i32)\n" for n in ("smin", "smax", "umin", "umax", "sadd.sat", "uadd.sat"))
HEAD += "declare i16 @llvm.sadd.sat.i16(i16, i16)\n"
HEAD += "".join(f"declare i32 @llvm.{n}.i32(i32, i1)\n" for n in ("cttz", "ctlz"))
HEAD += "".join(f"declare i32 @llvm.{n}.i32(i32)\n" for n in ("ctpop", "bitreverse"))
HEAD += "".join(f"declare i32 @llvm.{n}.i32(i32, i32, i32)\n" for n in ("fshl", "fshr"))
for k, f in (("half", "f16"), ("float", "f32"), ("double", "f64")):
    HEAD += f"declare {k} @llvm.fabs.{f}({k})\ndeclare {k} @llvm.fma.{f}({k}, {k}, {k})\n"
HEAD += "".join(f"declare float @llvm.{n}.f32(float)\n" for n in ("floor", "ceil", "roundeven", "trunc"))
HEAD += "".join(f"declare float @llvm.{n}.f32(float, float)\n" for n in ("minimumnum", "maximumnum"))
HEAD += "declare i32 @llvm.fptosi.sat.i32.f32(float)\ndeclare i32 @llvm.fptoui.sat.i32.f32(float)\n"
fold(ROWS, HEAD, "nounwind")
