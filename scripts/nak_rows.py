#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints results of NAK's operations from a second source, for tests/test_nak_rows.c: tests/nak_rows.txt.

usage: scripts/nak_rows.py [OPT] >tests/nak_rows.txt

Each operation is written as LLVM IR, and LLVM's optimiser (OPT; build/deps/llvm/23/bin/opt) folds it. A line: the
instruction, with _ for a blank, then a,b,c=result each, in hexadecimal. In it $a $b $c are sources, $A $B $C those of 64
bits, and the result is $r (32 bits), $f (a float), $h (a half), $p (a predicate), $R or $d (64 bits, a double).
"""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "lib"))
from llvm_rows import H, Q, W, fold  # noqa: E402

ROWS = {}


def row(text, sizes, body, out=W):
    ROWS[text.replace(" ", "_")] = sizes, out, body


def bit(condition):  # an i1 as the result
    return condition + "\n%r = zext i1 %z to i32"


def wide(x, how="zext"):
    return f"%{x}w = {how} i32 %{x} to i64\n"


def floats(names, kind, size, body, result=True):
    return "".join(f"%{v}f = bitcast i{size} %{v} to {kind}\n" for v in names) + body + \
        (f"\n%r = bitcast {kind} %rf to i{size}" if result else "")


# ---- integers
row("$r = iadd3 $a $b $c", (W, W, W), "%x = add i32 %a, %b\n%r = add i32 %x, %c")
row("$r = iadd3 $a -$b $c", (W, W, W), "%x = sub i32 %a, %b\n%r = add i32 %x, %c")
row("r9 $p = iadd3 $a $b rZ", (W, W), bit("%x = add i32 %a, %b\n%z = icmp ult i32 %x, %a"))
row("r9 $p = iadd3 $a -$b rZ", (W, W), bit("%z = icmp uge i32 %a, %b"))
row("$r = iadd3.x $a !$b $c pT pF", (W, W, W), "%x = sub i32 %a, %b\n%r = add i32 %x, %c")
row("r9 $p = iadd3.x $a !$b rZ pT pF", (W, W), bit("%z = icmp uge i32 %a, %b"))
row("$r = lea $a 5 $b", (W, W), "%x = shl i32 %a, 5\n%r = add i32 %x, %b")
row("$r = lea.hi $a 5 $b $c", (W, W, W), "%x = call i32 @llvm.fshl.i32(i32 %c, i32 %a, i32 5)\n%r = add i32 %x, %b")
row("$r = imad $a $b $c", (W, W, W), "%x = mul i32 %a, %b\n%r = add i32 %x, %c")
row("$R = imad64 $a $b $C", (W, W, Q), wide("a") + wide("b") + "%x = mul i64 %aw, %bw\n%r = add i64 %x, %c", out=Q)
for table, ir in (("0xc0", "%r = and i32 %a, %b"), ("0xfc", "%r = or i32 %a, %b"), ("0x3c", "%r = xor i32 %a, %b"),
                  ("0x96", "%x = xor i32 %a, %b\n%r = xor i32 %x, %c"),
                  ("0xe8", "%x = and i32 %a, %b\n%y = or i32 %a, %b\n%z = and i32 %y, %c\n%r = or i32 %x, %z"),
                  ("0xca", "%x = and i32 %a, %b\n%n = xor i32 %a, -1\n%y = and i32 %n, %c\n%r = or i32 %x, %y"),
                  ("0x10", "%x = xor i32 %b, -1\n%y = and i32 %a, %x\n%n = xor i32 %c, -1\n%r = and i32 %y, %n")):
    row(f"$r = lop3.LUT[{table}] $a $b $c", (W, W, W), ir)
row("$r = lop3.LUT[0xc0] !$a $b rZ", (W, W), "%n = xor i32 %a, -1\n%r = and i32 %n, %b")
for how, by in ((".w", "%s = and i32 %b, 31\n"), ("", "%s = call i32 @llvm.umin.i32(i32 %b, i32 32)\n")):
    w = by + wide("a") + "%sw = zext i32 %s to i64\n"
    row(f"$r = shf.l{how}.u32 $a rZ $b", (W, W), w + "%x = shl i64 %aw, %sw\n%r = trunc i64 %x to i32")
    row(f"$r = shf.r{how}.u32.hi rZ $a $b", (W, W), w + "%x = lshr i64 %aw, %sw\n%r = trunc i64 %x to i32")
    row(f"$r = shf.r{how}.i32.hi rZ $a $b", (W, W), by + wide("a", "sext") + "%sw = zext i32 %s to i64\n"
        "%x = ashr i64 %aw, %sw\n%r = trunc i64 %x to i32")
pair = wide("a") + wide("b") + "%up = shl i64 %bw, 32\n%v = or i64 %up, %aw\n%cw = zext i32 %c to i64\n%s = and i64 %cw, 63\n"
for name, ir in (("shf.l.w.u64", "%x = shl i64 %v, %s\n%r = trunc i64 %x to i32"),
                 ("shf.l.w.u64.hi", "%x = shl i64 %v, %s\n%y = lshr i64 %x, 32\n%r = trunc i64 %y to i32"),
                 ("shf.r.w.u64", "%x = lshr i64 %v, %s\n%r = trunc i64 %x to i32"),
                 ("shf.r.w.i64.hi", "%x = ashr i64 %v, %s\n%y = lshr i64 %x, 32\n%r = trunc i64 %y to i32")):
    row(f"$r = {name} $a $b $c", (W, W, W), pair + ir)
row("$r = prmt $a [0x4440] rZ", (W,), "%r = and i32 %a, 255")
row("$r = prmt $a [0x8880] rZ", (W,), "%x = trunc i32 %a to i8\n%r = sext i8 %x to i32")
row("$r = prmt $a [0x9910] rZ", (W,), "%x = trunc i32 %a to i16\n%r = sext i16 %x to i32")
row("$r = prmt $a [0x5410] $b", (W, W), "%x = and i32 %a, 65535\n%y = shl i32 %b, 16\n%r = or i32 %x, %y")
row("$r = prmt $a [0x0123] $b", (W, W), "%r = call i32 @llvm.bswap.i32(i32 %a)")
row("$r = popc $a", (W,), "%r = call i32 @llvm.ctpop.i32(i32 %a)")
row("$r = brev $a", (W,), "%r = call i32 @llvm.bitreverse.i32(i32 %a)")
row("$r = flo $a", (W,), "%x = call i32 @llvm.ctlz.i32(i32 %a, i1 false)\n%r = sub i32 31, %x")
row("$r = flo.samt $a", (W,), "%x = call i32 @llvm.ctlz.i32(i32 %a, i1 false)\n%z = icmp eq i32 %a, 0\n%r = select i1 %z, i32 -1, i32 %x")
row("$r = iabs $a", (W,), "%r = call i32 @llvm.abs.i32(i32 %a, i1 false)")
row("$r = sgxt.i32 $a 0x5", (W,), "%x = shl i32 %a, 27\n%r = ashr i32 %x, 27")
for t, s in (("u32", "u"), ("i32", "s")):
    for p, m in (("pT", "min"), ("pF", "max")):
        row(f"$r = imnmx.{t} $a $b {p}", (W, W), f"%r = call i32 @llvm.{s}{m}.i32(i32 %a, i32 %b)")
    for op in ("eq", "ne", "lt", "le", "gt", "ge"):
        ir = op if op in ("eq", "ne") else s + op
        row(f"$p = isetp.{op}.{t} $a $b", (W, W), bit(f"%z = icmp {ir} i32 %a, %b"))
    # 64-bit values: the lower halves first.
    row(f"p1 = isetp.lt.u32 $a $c;$p = isetp.lt.{t}.ex $b 0x1f p1", (W, W, W), bit(
        f"%e = icmp eq i32 %b, 31\n%x = icmp {s}lt i32 %b, 31\n%y = icmp ult i32 %a, %c\n%z = select i1 %e, i1 %y, i1 %x"))

mask = wide("a") + wide("b") + "%s = and i64 %aw, 31\n%n = and i64 %bw, 31\n%x = shl i64 1, %n\n%y = sub i64 %x, 1\n"
row("$r = bmsk.wrap $a $b", (W, W), mask + "%v = shl i64 %y, %s\n%r = trunc i64 %v to i32")
row("$r = bmsk.clamp $a $b", (W, W), mask + "%big = icmp ugt i32 %b, 31\n%m = select i1 %big, i64 4294967295, i64 %y\n%v = shl i64 %m, %s\n"
    "%t = trunc i64 %v to i32\n%off = icmp ugt i32 %a, 31\n%r = select i1 %off, i32 0, i32 %t")

# ---- floats
for name, ir in (("fadd", "fadd"), ("fmul", "fmul")):
    row(f"$f = {name} $a $b", (W, W), floats("ab", "float", 32, f"%rf = {ir} float %af, %bf"))
    row(f"$d = d{name[1:]} $A $B", (Q, Q), floats("ab", "double", 64, f"%rf = {ir} double %af, %bf"), out=Q)
row("$f = fadd $a -|$b|", (W, W), floats("ab", "float", 32, "%x = call float @llvm.fabs.f32(float %bf)\n%rf = fsub float %af, %x"))
row("$f = ffma $a $b $c", (W, W, W), floats("abc", "float", 32, "%rf = call float @llvm.fma.f32(float %af, float %bf, float %cf)"))
row("$d = dfma $A $B -$C", (Q, Q, Q), floats("abc", "double", 64, "%n = fneg double %cf\n%rf = call double @llvm.fma.f64(double %af, double %bf, double %n)"), out=Q)
for p, m in (("pT", "minimumnum"), ("pF", "maximumnum")):
    row(f"$f = fmnmx $a $b {p}", (W, W), floats("ab", "float", 32, f"%rf = call float @llvm.{m}.f32(float %af, float %bf)"))
    row(f"$f = fmnmx 0x80000000 $a {p}", (W,), floats("a", "float", 32, f"%rf = call float @llvm.{m}.f32(float -0.0, float %af)"))
    row(f"$d = dmnmx $A $B {p}", (Q, Q), floats("ab", "double", 64, f"%rf = call double @llvm.{m}.f64(double %af, double %bf)"), out=Q)
for op, ir in (("eq", "oeq"), ("ne", "one"), ("lt", "olt"), ("le", "ole"), ("gt", "ogt"), ("ge", "oge"), ("equ", "ueq"), ("neu", "une"),
               ("ltu", "ult"), ("leu", "ule"), ("gtu", "ugt"), ("geu", "uge"), ("num", "ord"), ("nan", "uno")):
    row(f"$p = fsetp.{op} $a $b", (W, W), floats("ab", "float", 32, bit(f"%z = fcmp {ir} float %af, %bf"), False))
    row(f"$p = dsetp.{op} $A $B", (Q, Q), floats("ab", "double", 64, bit(f"%z = fcmp {ir} double %af, %bf"), False))
    row(f"$p = hsetp2.{op} $a.xx $b.xx", (H, H), floats("ab", "half", 16, bit(f"%z = fcmp {ir} half %af, %bf"), False))
for name, ir in (("hadd2", "fadd half %af, %bf"), ("hmul2", "fmul half %af, %bf")):
    row(f"$h = {name} $a.xx $b.xx", (H, H), floats("ab", "half", 16, f"%rf = {ir}"), out=H)
row("$h = hfma2 $a.xx $b.xx $c.xx", (H, H, H), floats("abc", "half", 16, "%rf = call half @llvm.fma.f16(half %af, half %bf, half %cf)"), out=H)

# ---- conversions
for t, s in (("u32", "u"), ("i32", "s")):
    row(f"$f = i2f.f32.{t}.re $a", (W,), f"%x = {s}itofp i32 %a to float\n%r = bitcast float %x to i32")
    row(f"$d = i2f.f64.{t}.re $a", (W,), f"%x = {s}itofp i32 %a to double\n%r = bitcast double %x to i64", out=Q)
    row(f"$h = i2f.f16.{t}.re $a", (W,), f"%x = {s}itofp i32 %a to half\n%r = bitcast half %x to i16", out=H)
    for kind, size, name in (("float", W, "f32"), ("half", H, "f16")):
        src = {W: "$a", H: "$a.xx"}[size]
        row(f"$r = f2i.{t}.{name}.rz {src}", (size,), f"%x = bitcast i{size} %a to {kind}\n%r = call i32 @llvm.fpto{s}i.sat.i32.{name}({kind} %x)")
    # of NaN: 1 << 31
    row(f"$r = f2i.{t}.f64.rz $A", (Q,), f"%x = bitcast i64 %a to double\n%n = fcmp uno double %x, %x\n"
        f"%y = call i32 @llvm.fpto{s}i.sat.i32.f64(double %x)\n%r = select i1 %n, i32 -2147483648, i32 %y")
row("$d = f2f.f64.f32.re $a", (W,), "%x = bitcast i32 %a to float\n%y = fpext float %x to double\n%r = bitcast double %y to i64", out=Q)
row("$f = f2f.f32.f64.re $A", (Q,), "%x = bitcast i64 %a to double\n%y = fptrunc double %x to float\n%r = bitcast float %y to i32")
row("$f = f2f.f32.f16.re $a.xx", (H,), "%x = bitcast i16 %a to half\n%y = fpext half %x to float\n%r = bitcast float %y to i32")
row("$h = f2f.f16.f32.re $a", (W,), "%x = bitcast i32 %a to float\n%y = fptrunc float %x to half\n%r = bitcast half %y to i16", out=H)
for mode, ir in (("re", "roundeven"), ("rm", "floor"), ("rp", "ceil"), ("rz", "trunc")):
    row(f"$f = frnd.f32.f32.{mode} $a", (W,), floats("a", "float", 32, f"%rf = call float @llvm.{ir}.f32(float %af)"))

fold(ROWS, 'target triple = "x86_64-unknown-linux-gnu"', '"denormal-fp-math"="ieee,ieee"')
