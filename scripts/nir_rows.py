#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints results of NIR's operations from a second source, for tests/test_nir_rows.c: tests/nir_rows.txt.

usage: scripts/nir_rows.py [OPT] >tests/nir_rows.txt

Each operation is written as LLVM IR according to Mesa's table of opcodes, and LLVM's optimiser (OPT;
build/deps/llvm/23/bin/opt) folds it for edge values and random numbers. Operations that it does not fold are omitted. A
line: the operation with the bits of its result and its sources, then a,b,c=result each, in hexadecimal.
"""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "lib"))
from llvm_rows import B, H, Q, W, floats, fold, ints  # noqa: E402

ROWS = {}


def row(name, out, sizes, body):
    ROWS[":".join([name, str(out)] + [str(s) for s in sizes])] = ints(body, *sizes, out=out)


def masked(op, size):  # shifts use the low bits of the shift count
    if size == W:
        return f"%s = and i32 %b, 31\n%r = {op} i32 %a, %s"
    to = f"%z = zext i32 %b to i{size}" if size > W else f"%z = trunc i32 %b to i{size}"
    return f"{to}\n%s = and i{size} %z, {size - 1}\n%r = {op} i{size} %a, %s"


for s in (B, H, W, Q):
    i = f"i{s}"
    for n, op in (("iadd", "add"), ("isub", "sub"), ("imul", "mul"), ("iand", "and"), ("ior", "or"), ("ixor", "xor")):
        row(n, s, (s, s), f"%r = {op} {i} %a, %b")
    row("ineg", s, (s,), f"%r = sub {i} 0, %a")
    row("inot", s, (s,), f"%r = xor {i} %a, -1")
    row("iabs", s, (s,), f"%r = call {i} @llvm.abs.{i}({i} %a, i1 false)")
    for n, op in (("ishl", "shl"), ("ishr", "ashr"), ("ushr", "lshr")):
        row(n, s, (s, W), masked(op, s))
    for n, op in (("imin", "smin"), ("imax", "smax"), ("umin", "umin"), ("umax", "umax"), ("uadd_sat", "uadd.sat"),
                  ("usub_sat", "usub.sat")):
        row(n, s, (s, s), f"%r = call {i} @llvm.{op}.{i}({i} %a, {i} %b)")
    for n, op in (("ieq", "eq"), ("ine", "ne"), ("ilt", "slt"), ("ige", "sge"), ("ult", "ult"), ("uge", "uge")):
        row(n, 1, (s, s), f"%r = icmp {op} {i} %a, %b")
    row("bcsel", s, (1, s, s), f"%r = select i1 %a, {i} %b, {i} %c")
    for n, e in (("umul_high", "zext"), ("imul_high", "sext")):
        w = f"i{2 * s}"
        row(n, s, (s, s), f"%x = {e} {i} %a to {w}\n%y = {e} {i} %b to {w}\n%m = mul {w} %x, %y\n%h = lshr {w} %m, {s}\n"
            f"%r = trunc {w} %h to {i}")
    to = "%r = add i32 %y, 0" if s == W else f"%r = {'zext' if s < W else 'trunc'} {i} %y to i32"
    row("bit_count", W, (s,), f"%y = call {i} @llvm.ctpop.{i}({i} %a)\n" + to)
    for n, op, back in (("find_lsb", "cttz", "%x = add"), ("ufind_msb", "ctlz", f"%x = sub")):
        swap = f"%x = add {i} %v, 0\n" if op == "cttz" else f"%x = sub {i} {s - 1}, %v\n"
        row(n, W, (s,), f"%v = call {i} @llvm.{op}.{i}({i} %a, i1 false)\n{swap}%n = icmp eq {i} %a, 0\n"
            + ("%q = add i32 %x, 0\n" if s == W else f"%q = {'zext' if s < W else 'trunc'} {i} %x to i32\n")
            + "%r = select i1 %n, i32 -1, i32 %q")
    row("bitfield_reverse", s, (s,), f"%r = call {i} @llvm.bitreverse.{i}({i} %a)")
    row("iadd3", s, (s, s, s), f"%x = add {i} %a, %b\n%r = add {i} %x, %c")
    row("imad", s, (s, s, s), f"%x = mul {i} %a, %b\n%r = add {i} %x, %c")
    for n, op in (("i2i", "sext"), ("u2u", "zext")):
        for t in (B, H, W, Q):
            if t != s:
                row(f"{n}{t}", t, (s,), f"%r = {op if t > s else 'trunc'} {i} %a to i{t}")
    for t, name in ((H, "half"), (W, "float"), (Q, "double")):
        row(f"u2f{t}", t, (s,), f"%x = uitofp {i} %a to {name}\n%r = bitcast {name} %x to i{t}")
        row(f"i2f{t}", t, (s,), f"%x = sitofp {i} %a to {name}\n%r = bitcast {name} %x to i{t}")
        row(f"f2u{s}", s, (t,), f"%x = bitcast i{t} %a to {name}\n%r = call {i} @llvm.fptoui.sat.{i}.f{t}({name} %x)")
        row(f"f2i{s}", s, (t,), f"%x = bitcast i{t} %a to {name}\n%r = call {i} @llvm.fptosi.sat.{i}.f{t}({name} %x)")
for s, name in ((H, "half"), (W, "float"), (Q, "double")):
    for n, op in (("fadd", "fadd"), ("fsub", "fsub"), ("fmul", "fmul"), ("fdiv", "fdiv")):
        row(n, s, (s, s), floats(2, name, s, f"{op} {name} %af, %bf"))
    row("ffma", s, (s, s, s), floats(3, name, s, f"call {name} @llvm.fma.f{s}({name} %af, {name} %bf, {name} %cf)"))
    for n, op in (("ffloor", "floor"), ("fceil", "ceil"), ("ftrunc", "trunc"), ("fround_even", "roundeven"), ("fabs", "fabs")):
        row(n, s, (s,), floats(1, name, s, f"call {name} @llvm.{op}.f{s}({name} %af)"))
    for n, op in (("fmin", "minimumnum"), ("fmax", "maximumnum")):
        row(n, s, (s, s), floats(2, name, s, f"call {name} @llvm.{op}.f{s}({name} %af, {name} %bf)"))
    for n, op in (("feq", "oeq"), ("fneu", "une"), ("flt", "olt"), ("fge", "oge")):
        row(n, 1, (s, s), f"%x = bitcast i{s} %a to {name}\n%y = bitcast i{s} %b to {name}\n%r = fcmp {op} {name} %x, %y")
    for t, other in ((H, "half"), (W, "float"), (Q, "double")):
        if t != s:
            row(f"f2f{t}", t, (s,), f"%x = bitcast i{s} %a to {name}\n%y = {'fpext' if t > s else 'fptrunc'} {name} %x to {other}\n"
                f"%r = bitcast {other} %y to i{t}")
for s in (W, Q):
    for n, bits, e in (("extract_u8", 8, "zext"), ("extract_i8", 8, "sext"), ("extract_u16", 16, "zext"), ("extract_i16", 16, "sext")):
        row(n, s, (s, s), f"%k = and i{s} %b, {s // bits - 1}\n%m = icmp eq i{s} %k, %b\n%h = mul i{s} %k, {bits}\n%x = lshr i{s} %a, %h\n"
            f"%y = trunc i{s} %x to i{bits}\n%v = {e} i{bits} %y to i{s}\n%r = select i1 %m, i{s} %v, i{s} poison")
for n, op in (("ubfe", "lshr"), ("ibfe", "ashr")):  # a field that exceeds the word ends with it
    row(n, W, (W, W, W), "%o = and i32 %b, 31\n%w = and i32 %c, 31\n%e = add i32 %o, %w\n%in = icmp ult i32 %e, 32\n"
        f"%whole = {op} i32 %a, %o\n%l0 = sub i32 32, %e\n%l = and i32 %l0, 31\n%up = shl i32 %a, %l\n%d0 = sub i32 32, %w\n"
        f"%d = and i32 %d0, 31\n%part = {op} i32 %up, %d\n%v = select i1 %in, i32 %part, i32 %whole\n%none = icmp eq i32 %w, 0\n"
        "%r = select i1 %none, i32 0, i32 %v")
row("umul_2x32_64", Q, (W, W), "%x = zext i32 %a to i64\n%y = zext i32 %b to i64\n%r = mul i64 %x, %y")
row("imul_2x32_64", Q, (W, W), "%x = sext i32 %a to i64\n%y = sext i32 %b to i64\n%r = mul i64 %x, %y")
row("pack_64_2x32_split", Q, (W, W), "%x = zext i32 %a to i64\n%y = zext i32 %b to i64\n%h = shl i64 %y, 32\n%r = or i64 %x, %h")
row("unpack_64_2x32_split_x", W, (Q,), "%r = trunc i64 %a to i32")
row("unpack_64_2x32_split_y", W, (Q,), "%h = lshr i64 %a, 32\n%r = trunc i64 %h to i32")
row("lea_nv", W, (W, W, W), "%s = and i32 %c, 31\n%x = shl i32 %b, %s\n%r = add i32 %a, %x")
for n, op in (("bitnz", "ne"), ("bitz", "eq")):
    row(n, 1, (W, W), f"%s = and i32 %b, 31\n%x = lshr i32 %a, %s\n%y = and i32 %x, 1\n%r = icmp {op} i32 %y, 0")
for n, op in (("imadshl_agx", "add"), ("imsubshl_agx", "sub")):
    row(n, W, (W, W, W, W), f"%s = and i32 %d, 31\n%m = mul i32 %a, %b\n%x = shl i32 %c, %s\n%r = {op} i32 %m, %x")
for n, op in (("fmin_agx", "olt"), ("fmax_agx", "ogt")):
    row(n, W, (W, W), "%x = bitcast i32 %a to float\n%y = bitcast i32 %b to float\n"
        f"%l = fcmp {op} float %x, %y\n%u = fcmp uno float %y, %y\n%z = or i1 %l, %u\n%r = select i1 %z, i32 %a, i32 %b")
row("ubitfield_extract", W, (W, W, W), "%z = icmp ult i32 %b, 32\n%l = icmp ult i32 %c, 32\n%o = and i1 %z, %l\n%fo = and i32 %b, 31\n"
    "%h = lshr i32 %a, %fo\n%k = and i32 %c, 31\n%m = shl i32 1, %k\n%n = sub i32 %m, 1\n%v = and i32 %h, %n\n"
    "%r = select i1 %o, i32 %v, i32 poison")

# Operations with one form for each width, or only for words.
for s in (B, H, W, Q):
    i = f"i{s}"
    row("mov", s, (s,), f"%r = add {i} %a, 0")
    row("isign", s, (s,), f"%p = icmp sgt {i} %a, 0\n%x = zext i1 %p to {i}\n%m = icmp slt {i} %a, 0\n%y = zext i1 %m to {i}\n%r = sub {i} %x, %y")
    row("uadd_carry", s, (s, s), f"%x = add {i} %a, %b\n%l = icmp ult {i} %x, %a\n%r = zext i1 %l to {i}")
    row("usub_borrow", s, (s, s), f"%l = icmp ult {i} %a, %b\n%r = zext i1 %l to {i}")
    row("bitfield_select", s, (s, s, s), f"%x = and {i} %a, %b\n%n = xor {i} %a, -1\n%y = and {i} %n, %c\n%r = or {i} %x, %y")
    some = f"%z = icmp eq {i} %b, 0\n%d = select i1 %z, {i} 1, {i} %b\n"
    for n, op in (("udiv", "udiv"), ("umod", "urem"), ("idiv", "sdiv"), ("irem", "srem")):
        row(n, s, (s, s), some + f"%q = {op} {i} %a, %d\n%r = select i1 %z, {i} 0, {i} %q")
    row("imod", s, (s, s), some + f"%q = srem {i} %a, %d\n%e = icmp eq {i} %q, 0\n%x = xor {i} %a, %d\n%o = icmp slt {i} %x, 0\n%t = add {i} %q, %d\n"
        f"%u = select i1 %o, {i} %t, {i} %q\n%v = select i1 %e, {i} 0, {i} %u\n%r = select i1 %z, {i} 0, {i} %v")
    back = "%q = add i32 %v, 0\n" if s == W else f"%q = {'zext' if s < W else 'trunc'} {i} %v to i32\n"
    row("ufind_msb_rev", W, (s,), f"%v = call {i} @llvm.ctlz.{i}({i} %a, i1 false)\n{back}%n = icmp eq {i} %a, 0\n%r = select i1 %n, i32 -1, i32 %q")
    for n in ("i2i1", "u2u1"):
        row(n, 1, (s,), f"%r = trunc {i} %a to i1")
    if s != Q:
        row("b2b1", 1, (s,), f"%r = icmp ne {i} %a, 0")
        row(f"b2b{s}", s, (1,), f"%r = sext i1 %a to {i}")
    row(f"b2i{s}", s, (1,), f"%r = zext i1 %a to {i}")
row("uclz", W, (W,), "%r = call i32 @llvm.ctlz.i32(i32 %a, i1 false)")
row("ifind_msb", W, (W,), "%m = ashr i32 %a, 31\n%x = xor i32 %a, %m\n%v = call i32 @llvm.ctlz.i32(i32 %x, i1 false)\n%q = sub i32 31, %v\n"
    "%n = icmp eq i32 %x, 0\n%r = select i1 %n, i32 -1, i32 %q")
row("umul_low", W, (W, W), "%x = and i32 %a, 65535\n%y = and i32 %b, 65535\n%r = mul i32 %x, %y")
row("imadsh_mix16", W, (W, W, W), "%x = and i32 %a, 65535\n%y = lshr i32 %b, 16\n%m = mul i32 %x, %y\n%h = shl i32 %m, 16\n%r = add i32 %h, %c")
row("bfi", W, (W, W, W), "%k = call i32 @llvm.cttz.i32(i32 %a, i1 false)\n%l = and i32 %k, 31\n%s = shl i32 %b, %l\n%i = and i32 %s, %a\n%n = xor i32 %a, -1\n"
    "%o = and i32 %c, %n\n%v = or i32 %i, %o\n%z = icmp eq i32 %a, 0\n%r = select i1 %z, i32 %c, i32 %v")
row("bfm", W, (W, W), "%k = and i32 %a, 31\n%o = and i32 %b, 31\n%x = shl i32 1, %k\n%m = sub i32 %x, 1\n%r = shl i32 %m, %o")
row("extr_agx", W, (W, W, W, W), "%l = zext i32 %a to i64\n%h = zext i32 %b to i64\n%u = shl i64 %h, 32\n%x = or i64 %l, %u\n%s = and i32 %c, 127\n"
    "%in = icmp ult i32 %s, 64\n%k = and i32 %s, 63\n%w = zext i32 %k to i64\n%y = lshr i64 %x, %w\n%v = trunc i64 %y to i32\n%t = select i1 %in, i32 %v, i32 0\n"
    "%few = icmp ult i32 %d, 32\n%e = and i32 %d, 31\n%p = shl i32 1, %e\n%m = sub i32 %p, 1\n%z = icmp eq i32 %d, 0\n%all = select i1 %z, i32 -1, i32 %m\n"
    "%f = and i32 %t, %all\n%r = select i1 %few, i32 %f, i32 poison")
for s in (W, Q):
    for n, bits in (("insert_u8", 8), ("insert_u16", 16)):
        row(n, s, (s, s), f"%k = and i{s} %b, {s // bits - 1}\n%m = icmp eq i{s} %k, %b\n%h = mul i{s} %k, {bits}\n%x = and i{s} %a, {(1 << bits) - 1}\n"
            f"%v = shl i{s} %x, %h\n%r = select i1 %m, i{s} %v, i{s} poison")
row("pack_32_2x16_split", W, (H, H), "%x = zext i16 %a to i32\n%y = zext i16 %b to i32\n%h = shl i32 %y, 16\n%r = or i32 %x, %h")
row("unpack_32_2x16_split_x", H, (W,), "%r = trunc i32 %a to i16")
row("unpack_32_2x16_split_y", H, (W,), "%h = lshr i32 %a, 16\n%r = trunc i32 %h to i16")
for s, name in ((H, "half"), (W, "float"), (Q, "double")):
    row(f"b2f{s}", s, (1,), f"%x = uitofp i1 %a to {name}\n%r = bitcast {name} %x to i{s}")
    row("fneg", s, (s,), floats(1, name, s, f"fneg {name} %af"))
    row("fsqrt", s, (s,), floats(1, name, s, f"call {name} @llvm.sqrt.f{s}({name} %af)"))
    row("fsat", s, (s,), f"%x = bitcast i{s} %a to {name}\n%p = call {name} @llvm.maximumnum.f{s}({name} %x, {name} 0.0)\n"
        f"%q = call {name} @llvm.minimumnum.f{s}({name} %p, {name} 1.0)\n%r = bitcast {name} %q to i{s}")
    row("fsign", s, (s,), f"%x = bitcast i{s} %a to {name}\n%z = fcmp oeq {name} %x, 0.0\n%p = fcmp ogt {name} %x, 0.0\n%n = fcmp uno {name} %x, %x\n"
        f"%u = select i1 %p, {name} 1.0, {name} -1.0\n%v = select i1 %z, {name} %x, {name} %u\n%w = select i1 %n, {name} 0.0, {name} %v\n"
        f"%r = bitcast {name} %w to i{s}")

# PanVK's; the last ones, so that the random numbers of the others stay.
for s in (B, H, W, Q):
    i = f"i{s}"
    for n, op in (("ieq", "eq"), ("ine", "ne"), ("ilt", "slt"), ("ige", "sge"), ("ult", "ult"), ("uge", "uge")):
        row(f"{n}_pan", s, (s, s), f"%x = icmp {op} {i} %a, %b\n%r = sext i1 %x to {i}")
    row("bcsel_pan", s, (s, s, s), f"%x = icmp ne {i} %a, 0\n%r = select i1 %x, {i} %b, {i} %c")
for s, name in ((H, "half"), (W, "float"), (Q, "double")):
    for n, op in (("feq", "oeq"), ("fneu", "une"), ("flt", "olt"), ("fge", "oge")):
        row(f"{n}_pan", s, (s, s), f"%x = bitcast i{s} %a to {name}\n%y = bitcast i{s} %b to {name}\n%z = fcmp {op} {name} %x, %y\n"
            f"%r = sext i1 %z to i{s}")
# v3dv's.
row("umul24", W, (W, W), "%x = and i32 %a, 16777215\n%y = and i32 %b, 16777215\n%r = mul i32 %x, %y")
# PowerVR's.
for n, op in (("ge", "sge"), ("gt", "sgt")):
    row(f"i32csel_{n}", W, (W, W, W), f"%x = icmp {op} i32 %a, 0\n%r = select i1 %x, i32 %b, i32 %c")
row("bitfield_insert", W, (W, W, W, W), "%l = icmp ult i32 %c, 32\n%b0 = icmp ult i32 %d, 32\n%e = add i32 %c, %d\n%in = icmp ule i32 %e, 32\n"
    "%o1 = and i1 %l, %b0\n%o = and i1 %o1, %in\n%k = and i32 %d, 31\n%p = shl i32 1, %k\n%m0 = sub i32 %p, 1\n%f = and i32 %c, 31\n"
    "%m = shl i32 %m0, %f\n%n = xor i32 %m, -1\n%x = and i32 %a, %n\n%s = shl i32 %b, %f\n%y = and i32 %s, %m\n%v = or i32 %x, %y\n"
    "%z = icmp eq i32 %d, 0\n%w = select i1 %o, i32 %v, i32 0\n%q = icmp eq i32 %d, 32\n%g = select i1 %q, i32 poison, i32 %w\n"
    "%r = select i1 %z, i32 %a, i32 %g")
row("umul_16x16", W, (W, W), "%x = and i32 %a, 65535\n%y = and i32 %b, 65535\n%r = mul i32 %x, %y")
row("icsel_eqz", W, (W, W, W), "%z = icmp eq i32 %a, 0\n%r = select i1 %z, i32 %b, i32 %c")
for n, way, op in (("shrm_ir3", "lshr", "and"), ("shlm_ir3", "shl", "and"), ("shrg_ir3", "lshr", "or"), ("shlg_ir3", "shl", "or")):
    row(n, W, (W, W, W), f"%k = and i32 %b, 31\n%x = {way} i32 %a, %k\n%r = {op} i32 %x, %c")
row("andg_ir3", W, (W, W, W), "%x = and i32 %a, %b\n%r = or i32 %x, %c")
# Bools of 32 bits.
for s in (B, H, W, Q):
    i = f"i{s}"
    for n, op in (("ieq", "eq"), ("ine", "ne"), ("ilt", "slt"), ("ige", "sge"), ("ult", "ult"), ("uge", "uge")):
        row(f"{n}32", W, (s, s), f"%x = icmp {op} {i} %a, %b\n%r = sext i1 %x to i32")
    row("b32csel", s, (W, s, s), f"%x = icmp ne i32 %a, 0\n%r = select i1 %x, {i} %b, {i} %c")
for s, name in ((H, "half"), (W, "float"), (Q, "double")):
    for n, op in (("feq", "oeq"), ("fneu", "une"), ("flt", "olt"), ("fge", "oge")):
        row(f"{n}32", W, (s, s), f"%x = bitcast i{s} %a to {name}\n%y = bitcast i{s} %b to {name}\n%z = fcmp {op} {name} %x, %y\n"
            "%r = sext i1 %z to i32")
for n, e in (("imul_32x16", "sext"), ("umul_32x16", "zext")):
    row(n, W, (W, W), f"%x = trunc i32 %b to i16\n%y = {e} i16 %x to i32\n%r = mul i32 %a, %y")
# Rotations, and a shift of two words.
for s in (B, H, W, Q):
    i = f"i{s}"
    to = "" if s == W else f"%s = {'zext' if s > W else 'trunc'} i32 %b to {i}\n"
    for n, op in (("uror", "fshr"), ("urol", "fshl")):
        row(n, s, (s, W), to + f"%r = call {i} @llvm.{op}.{i}({i} %a, {i} %a, {i} %{'b' if s == W else 's'})")
row("shfr", W, (W, W, W), "%r = call i32 @llvm.fshr.i32(i32 %a, i32 %b, i32 %c)")

fold(ROWS, "", '"denormal-fp-math"="ieee,ieee"')
