#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints results of ir3's operations from a second source, for tests/test_ir3_rows.c: tests/ir3_rows.txt.

usage: scripts/ir3_rows.py [OPT] >tests/ir3_rows.txt

Each operation is written as LLVM IR according to Mesa's descriptions and NIR's table of opcodes, and LLVM's
optimiser (OPT; build/deps/llvm/23/bin/opt) folds it for edge values and random numbers. A line: the operation with
the bits of its result and its sources, then a,b,c=result each, in hexadecimal.
"""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "lib"))
from llvm_rows import H, W, floats, fold, ints  # noqa: E402

ROWS = {}


def row(name, out, sizes, body):
    ROWS[":".join([name, str(out)] + [str(s) for s in sizes])] = ints(body, *sizes, out=out)


def shifted(op, s, by="b", what="a"):
    return f"%s{by} = and i{s} %{by}, {s - 1}\n%h = {op} i{s} %{what}, %s{by}\n"


for s, name in ((H, "half"), (W, "float")):
    i = f"i{s}"
    for n, op in (("add.u", "add"), ("sub.u", "sub"), ("add.s", "add"), ("sub.s", "sub"), ("and.b", "and"), ("or.b", "or"), ("xor.b", "xor")):
        row(n, s, (s, s), f"%r = {op} {i} %a, %b")
    for n, op in (("min.u", "umin"), ("max.u", "umax"), ("min.s", "smin"), ("max.s", "smax"), ("add.u(sat)", "uadd.sat"),
                  ("sub.u(sat)", "usub.sat"), ("add.s(sat)", "sadd.sat"), ("sub.s(sat)", "ssub.sat")):
        row(n, s, (s, s), f"%r = call {i} @llvm.{op}.{i}({i} %a, {i} %b)")
    row("not.b", s, (s,), f"%r = xor {i} %a, -1")
    row("cbits.b", s, (s,), f"%r = call {i} @llvm.ctpop.{i}({i} %a)")
    row("bfrev.b", s, (s,), f"%r = call {i} @llvm.bitreverse.{i}({i} %a)")
    row("clz.b", s, (s,), f"%x = call {i} @llvm.ctlz.{i}({i} %a, i1 false)\n%z = icmp eq {i} %a, 0\n%r = select i1 %z, {i} -1, {i} %x")
    for n, op in (("shl.b", "shl"), ("shr.b", "lshr"), ("ashr.b", "ashr")):
        row(n, s, (s, s), shifted(op, s) + f"%r = add {i} %h, 0")
    row("getbit.b", s, (s, s), shifted("lshr", s) + f"%r = and {i} %h, 1")
    for n, op, join in (("shrm", "lshr", "and"), ("shlm", "shl", "and"), ("shrg", "lshr", "or"), ("shlg", "shl", "or")):
        row(n, s, (s, s, s), shifted(op, s, "a", "b") + f"%r = {join} {i} %h, %c")
    row("andg", s, (s, s, s), f"%x = and {i} %a, %b\n%r = or {i} %x, %c")
    row(f"sel.b{s}", s, (s, s, s), f"%x = icmp ne {i} %b, 0\n%r = select i1 %x, {i} %a, {i} %c")
    row(f"sad.s{s}", s, (s, s, s), f"%x = add {i} %a, %b\n%r = add {i} %x, %c")
    for t, e in (("u", "u"), ("s", "s")):
        for n, op in (("lt", "lt"), ("le", "le"), ("gt", "gt"), ("ge", "ge"), ("eq", ""), ("ne", "")):
            row(f"cmps.{t}.{n}", W, (s, s), f"%x = icmp {e + op if op else n} {i} %a, %b\n%r = zext i1 %x to i32")
    for n, op in (("lt", "olt"), ("le", "ole"), ("gt", "ogt"), ("ge", "oge"), ("eq", "oeq"), ("ne", "une")):
        row(f"cmps.f.{n}", W, (s, s), f"%x = bitcast {i} %a to {name}\n%y = bitcast {i} %b to {name}\n%z = fcmp {op} {name} %x, %y\n"
            "%r = zext i1 %z to i32")
    for n, op in (("add.f", "fadd"), ("mul.f", "fmul")):
        row(n, s, (s, s), floats(2, name, s, f"{op} {name} %af, %bf"))
    for n, op in (("min.f", "minimumnum"), ("max.f", "maximumnum")):
        row(n, s, (s, s), floats(2, name, s, f"call {name} @llvm.{op}.f{s}({name} %af, {name} %bf)"))
    for t, e in (("u", "zext"), ("s", "sext")):
        for d, other in ((H, "half"), (W, "float")):
            row(f"cov.{t}{s}f{d}", d, (s,), f"%x = {t}itofp {i} %a to {other}\n%r = bitcast {other} %x to i{d}")
            row(f"cov.f{s}{t}{d}", d, (s,), f"%x = bitcast {i} %a to {name}\n%r = call i{d} @llvm.fpto{t}i.sat.i{d}.f{s}({name} %x)")
            for to in ("u", "s"):
                if d != s:
                    row(f"cov.{t}{s}{to}{d}", d, (s,), f"%r = {e if d > s else 'trunc'} {i} %a to i{d}")
row("cov.f32f16", H, (W,), "%x = bitcast i32 %a to float\n%y = fptrunc float %x to half\n%r = bitcast half %y to i16")
row("cov.f16f32", W, (H,), "%x = bitcast i16 %a to half\n%y = fpext half %x to float\n%r = bitcast float %y to i32")
row("cov.u8s32", W, (H,), "%x = trunc i16 %a to i8\n%r = sext i8 %x to i32")
row("cov.u32u8", H, (W,), "%x = trunc i32 %a to i8\n%r = zext i8 %x to i16")
LOW = "%x = and i32 %a, 65535\n"
row("mull.u", W, (W, W), LOW + "%y = and i32 %b, 65535\n%r = mul i32 %x, %y")
row("madsh.m16", W, (W, W, W), LOW + "%y = lshr i32 %b, 16\n%m = mul i32 %x, %y\n%h = shl i32 %m, 16\n%r = add i32 %h, %c")
for t, back in (("u", "lshr"), ("s", "ashr")):
    both = "".join(f"%{v}0 = shl i32 %{v}, 8\n%{v}1 = {back} i32 %{v}0, 8\n" for v in "ab") + "%m = mul i32 %a1, %b1\n"
    row(f"mul.{t}24", W, (W, W), both + "%r = add i32 %m, 0")
    row(f"mad.{t}24", W, (W, W, W), both + "%r = add i32 %m, %c")

fold(ROWS, "", '"denormal-fp-math"="ieee,ieee"')
