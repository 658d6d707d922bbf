#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints results of AMD's operations from a second source, for tests/test_amd_rows.c: tests/amd_rows.txt.

usage: scripts/amd_rows.py [OPT] >tests/amd_rows.txt

Each operation is written as LLVM IR, with LLVM's intrinsics for AMD's GPUs if there are any, and LLVM's
optimiser (OPT; build/deps/llvm/23/bin/opt) folds it for edge values and random numbers. Operations that it does not fold
are omitted. A line: the operation, then a,b,c=result each, in hexadecimal.
"""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "lib"))
from llvm_rows import H, Q, W, call2, cmp, fcmp, floats, fold, ints, shift  # noqa: E402

ROWS = {}
for pre, add, sub in (("v", "v_add_nc_u32", "v_sub_nc_u32"), ("s", "s_add_u32", "s_sub_u32")):
    ROWS[add] = ints("%r = add i32 %a, %b", W, W)
    ROWS[sub] = ints("%r = sub i32 %a, %b", W, W)
    for n, op in (("and", "and"), ("or", "or"), ("xor", "xor")):
        ROWS[f"{pre}_{n}_b32"] = ints(f"%r = {op} i32 %a, %b", W, W)
    for n in ("umin", "umax", "smin", "smax"):
        ROWS[f"{pre}_{n[1:]}_{'u' if n[0] == 'u' else 'i'}32"] = ints(call2(n, W), W, W)
ROWS["v_mul_lo_u32"] = ROWS["s_mul_i32"] = ints("%r = mul i32 %a, %b", W, W)
for s, e in (("u", "zext"), ("i", "sext")):
    hi = f"%x = {e} i32 %a to i64\n%y = {e} i32 %b to i64\n%z = mul i64 %x, %y\n%w = lshr i64 %z, 32\n%r = trunc i64 %w to i32"
    ROWS[f"v_mul_hi_{s}32"] = ROWS[f"s_mul_hi_{s}32"] = ints(hi, W, W)
    ROWS[f"v_mul_{s}32_{s}24"] = ints(f"%r = call i32 @llvm.amdgcn.mul.{s}24.i32(i32 %a, i32 %b)", W, W)
    ROWS[f"v_mul_hi_{s}32_{s}24"] = ints(f"%r = call i32 @llvm.amdgcn.mulhi.{s}24(i32 %a, i32 %b)", W, W)
    ROWS[f"v_bfe_{s}32"] = ints(f"%r = call i32 @llvm.amdgcn.{s if s == 'u' else 's'}bfe.i32(i32 %a, i32 %b, i32 %c)", W, W, W)
for n, op, t in (("lshlrev", "shl", "b"), ("lshrrev", "lshr", "b"), ("ashrrev", "ashr", "i")):
    ROWS[f"v_{n}_{t}32"] = ints(shift(op, 32), W, W)
    ROWS[f"v_{n}_{t}16"] = ints(shift(op, 16), H, H, out=H)
    ROWS[f"v_{n}_{t}64"] = ints("%z = zext i32 %a to i64\n" + shift(op, 64).replace("%a", "%z"), W, Q, out=Q)
for n, op, t in (("lshl", "shl", "b"), ("lshr", "lshr", "b"), ("ashr", "ashr", "i")):
    ROWS[f"s_{n}_{t}32"] = ints(f"%s = and i32 %b, 31\n%r = {op} i32 %a, %s", W, W)
    ROWS[f"s_{n}_{t}64"] = ints(f"%z = zext i32 %b to i64\n%s = and i64 %z, 63\n%r = {op} i64 %a, %s", Q, W, out=Q)
ROWS["v_bfi_b32"] = ints("%x = and i32 %a, %b\n%n = xor i32 %a, -1\n%y = and i32 %n, %c\n%r = or i32 %x, %y", W, W, W)
ROWS["v_alignbit_b32"] = ints("%s = and i32 %c, 31\n%r = call i32 @llvm.fshr.i32(i32 %a, i32 %b, i32 %s)", W, W, W)
ROWS["v_bcnt_u32_b32"] = ints("%x = call i32 @llvm.ctpop.i32(i32 %a)\n%r = add i32 %x, %b", W, W)
ROWS["s_bcnt1_i32_b32"] = ints("%r = call i32 @llvm.ctpop.i32(i32 %a)", W)
ROWS["s_bcnt1_i32_b64"] = ints("%x = call i64 @llvm.ctpop.i64(i64 %a)\n%r = trunc i64 %x to i32", Q)
ROWS["v_bfrev_b32"] = ROWS["s_brev_b32"] = ints("%r = call i32 @llvm.bitreverse.i32(i32 %a)", W)
ROWS["s_brev_b64"] = ints("%r = call i64 @llvm.bitreverse.i64(i64 %a)", Q, out=Q)
for size in (W, Q):  # -1 if no bit is set
    for n, op in (("ctz", "cttz"), ("clz", "ctlz")):
        e = f"%x = call i{size} @llvm.{op}.i{size}(i{size} %a, i1 false)\n%n = icmp eq i{size} %a, 0\n" \
            f"%y = select i1 %n, i{size} -1, i{size} %x\n" + ("%r = add i32 %y, 0" if size == W else "%r = trunc i64 %y to i32")
        ROWS[f"s_{n}_i32_{'u' if n == 'clz' else 'b'}{size}"] = ints(e, size)
        if size == W:
            ROWS[f"v_{n}_i32_{'u' if n == 'clz' else 'b'}32"] = ints(e, size)
ROWS["s_sext_i32_i8"] = ints("%x = trunc i32 %a to i8\n%r = sext i8 %x to i32", W)
ROWS["s_sext_i32_i16"] = ints("%x = trunc i32 %a to i16\n%r = sext i16 %x to i32", W)
ROWS["v_lshl_add_u32"] = ints("%s = and i32 %b, 31\n%x = shl i32 %a, %s\n%r = add i32 %x, %c", W, W, W)
ROWS["v_add_lshl_u32"] = ints("%s = and i32 %c, 31\n%x = add i32 %a, %b\n%r = shl i32 %x, %s", W, W, W)
ROWS["v_add3_u32"] = ints("%x = add i32 %a, %b\n%r = add i32 %x, %c", W, W, W)
ROWS["v_xad_u32"] = ints("%x = xor i32 %a, %b\n%r = add i32 %x, %c", W, W, W)
for n in ("u", "s"):
    t = "u" if n == "u" else "i"
    for m in ("min", "max"):
        ROWS[f"v_{m}3_{t}32"] = ints(f"%x = call i32 @llvm.{n}{m}.i32(i32 %a, i32 %b)\n%r = call i32 @llvm.{n}{m}.i32(i32 %x, i32 %c)", W, W, W)
        ROWS[f"v_{m}_{t}16"] = ints(call2(n + m, H), H, H, out=H)
ROWS["v_add_nc_u16"] = ints("%r = add i16 %a, %b", H, H, out=H)
ROWS["v_sub_nc_u16"] = ints("%r = sub i16 %a, %b", H, H, out=H)
ROWS["v_mul_lo_u16"] = ints("%r = mul i16 %a, %b", H, H, out=H)
for p, t in (("lt", "lt"), ("eq", "eq"), ("le", "le"), ("gt", "gt"), ("ne", "ne"), ("ge", "ge")):
    for size in (H, W, Q):
        for s in ("u", "i"):
            q = t if t in ("eq", "ne") else ("u" if s == "u" else "s") + t
            ROWS[f"v_cmp_{p}_{s}{size}"] = ints(cmp(q, size), size, size)
for p, q in (("lt", "olt"), ("eq", "oeq"), ("le", "ole"), ("gt", "ogt"), ("lg", "one"), ("ge", "oge"), ("o", "ord"),
             ("u", "uno"), ("nge", "ult"), ("nlg", "ueq"), ("ngt", "ule"), ("nle", "ugt"), ("neq", "une"), ("nlt", "uge")):
    for size, name in ((H, "half"), (W, "float"), (Q, "double")):
        ROWS[f"v_cmp_{p}_f{size}"] = ints(fcmp(q, name, size), size, size)
for size, name in ((H, "half"), (W, "float"), (Q, "double")):
    k = f"i{size}"
    ROWS[f"v_cmp_class_f{size}"] = ((size, H if size == H else W), W, f"%x = bitcast {k} %a to {name}\n" + (
        "%m = zext i16 %b to i32\n" if size == H else "%m = add i32 %b, 0\n") +
        f"%z = call i1 @llvm.amdgcn.class.f{size}({name} %x, i32 %m)\n%r = zext i1 %z to i32")
    for n, op in (("add", "fadd"), ("mul", "fmul")):
        ROWS[f"v_{n}_f{size}"] = ints(floats(2, name, size, f"{op} {name} %af, %bf"), size, size, out=size)
    ROWS[f"v_fma_f{size}"] = ints(floats(3, name, size, f"call {name} @llvm.fma.f{size}({name} %af, {name} %bf, {name} %cf)"), size, size, size, out=size)
    for n in ("trunc", "floor", "ceil"):
        ROWS[f"v_{n}_f{size}"] = ints(floats(1, name, size, f"call {name} @llvm.{n}.f{size}({name} %af)"), size, out=size)
    ROWS[f"v_rndne_f{size}"] = ints(floats(1, name, size, f"call {name} @llvm.roundeven.f{size}({name} %af)"), size, out=size)
    for n in ("min", "max"):
        ROWS[f"v_{n}_f{size}"] = ints(floats(2, name, size, f"call {name} @llvm.{n}imumnum.f{size}({name} %af, {name} %bf)"), size, size, out=size)
ROWS["v_cvt_f32_f16"] = ints("%x = bitcast i16 %a to half\n%y = fpext half %x to float\n%r = bitcast float %y to i32", H)
ROWS["v_cvt_f16_f32"] = ints("%x = bitcast i32 %a to float\n%y = fptrunc float %x to half\n%r = bitcast half %y to i16", W, out=H)
ROWS["v_cvt_f64_f32"] = ints("%x = bitcast i32 %a to float\n%y = fpext float %x to double\n%r = bitcast double %y to i64", W, out=Q)
ROWS["v_cvt_f32_f64"] = ints("%x = bitcast i64 %a to double\n%y = fptrunc double %x to float\n%r = bitcast float %y to i32", Q)
for s, op in (("u", "uitofp"), ("i", "sitofp")):
    ROWS[f"v_cvt_f32_{s}32"] = ints(f"%x = {op} i32 %a to float\n%r = bitcast float %x to i32", W)
    ROWS[f"v_cvt_f64_{s}32"] = ints(f"%x = {op} i32 %a to double\n%r = bitcast double %x to i64", W, out=Q)
    sat = "fptoui" if s == "u" else "fptosi"
    ROWS[f"v_cvt_{s}32_f32"] = ints(f"%x = bitcast i32 %a to float\n%r = call i32 @llvm.{sat}.sat.i32.f32(float %x)", W)
    ROWS[f"v_cvt_{s}32_f64"] = ints(f"%x = bitcast i64 %a to double\n%r = call i32 @llvm.{sat}.sat.i32.f64(double %x)", Q)

# Suffix # of a name: x, the result is exec after; s, the first number is scc before; d, it is the destination's old value; o, the result is scc after, or the carry.
NZ = "%z = icmp ne i{0} %{1}, 0\n%r = zext i1 %z to i32"
for size in (W, Q):
    b = f"b{size}"
    k = f"i{size}"
    for n, e in (("and", "%x = and {0} %a, %b"), ("or", "%x = or {0} %a, %b"), ("xor", "%x = xor {0} %a, %b"),
                 ("and_not1", "%n = xor {0} %b, -1\n%x = and {0} %a, %n"), ("or_not1", "%n = xor {0} %b, -1\n%x = or {0} %a, %n"),
                 ("nand", "%n = and {0} %a, %b\n%x = xor {0} %n, -1"), ("nor", "%n = or {0} %a, %b\n%x = xor {0} %n, -1"),
                 ("xnor", "%n = xor {0} %a, %b\n%x = xor {0} %n, -1")):
        ROWS[f"s_{n}_{b}"] = ints(e.format(k) + f"\n%r = add {k} %x, 0", size, size, out=size)
        ROWS[f"s_{n}_{b}#o"] = ints(e.format(k) + "\n" + NZ.format(size, "x"), size, size)
        # b is exec: these of the test's 32 lanes are active, and higher bits are not lanes.
        left = e.format(k).replace("%b", str(0xF0F0F0F0)) + f"\n%y = and {k} %x, {(1 << 32) - 1}\n"
        ROWS[f"s_{n}_saveexec_{b}#o"] = ints(left + NZ.format(size, "y"), size)
        ROWS[f"s_{n}_saveexec_{b}#x"] = ints(left + f"%r = add {k} %y, 0", size, out=size)
    on, all_ = str(0xF0F0F0F0), str((1 << 32) - 1)
    for n, e in (("and_not0_saveexec", "%n = xor {0} %a, -1\n%x = and {0} %n, "), ("or_not0_saveexec", "%n = xor {0} %a, -1\n%x = or {0} %n, "),
                 ("and_not0_wrexec", "%n = xor {0} %a, -1\n%x = and {0} %n, "), ("and_not1_wrexec", "%n = xor {0} 4042322160, -1\n%x = and {0} %a, %n\n%u = and {0} %x, ")):
        left = e.format(k) + on + f"\n%y = and {k} %x, {all_}\n"
        ROWS[f"s_{n}_{b}#o"] = ints(left + NZ.format(size, "y"), size)
        ROWS[f"s_{n}_{b}#x"] = ints(left + f"%r = add {k} %y, 0", size, out=size)
    ROWS[f"s_cmov_{b}#s"] = ints(f"%z = icmp ne i32 %a, 0\n%r = select i1 %z, {k} %b, {k} 0", W, size, out=size)
    ROWS[f"s_not_{b}"] = ints(f"%r = xor {k} %a, -1", size, out=size)
    ROWS[f"s_not_{b}#o"] = ints(f"%x = xor {k} %a, -1\n" + NZ.format(size, "x"), size)
    ROWS[f"s_mov_{b}"] = ints(f"%r = add {k} %a, 0", size, out=size)
    zero = "%x = call {0} @llvm.ctpop.{0}({0} %a)\n%y = sub {0} {1}, %x\n".format(k, size)
    ROWS[f"s_bcnt0_i32_{b}"] = ints(zero + ("%r = add i32 %y, 0" if size == W else "%r = trunc i64 %y to i32"), size)
    ROWS[f"s_bcnt0_i32_{b}#o"] = ints(zero + NZ.format(size, "y"), size)
    one = "%x = call {0} @llvm.ctpop.{0}({0} %a)\n".format(k)
    ROWS[f"s_bcnt1_i32_{b}#o"] = ints(one + NZ.format(size, "x"), size)
    at = "%s = and i32 %{v}, {m}\n%t = zext i32 %s to i64\n%o = shl i64 1, %t\n" if size == Q else "%s = and i32 %{v}, {m}\n%o = shl i32 1, %s\n"
    ROWS[f"s_bitset1_{b}#d"] = ints(at.format(v="b", m=size - 1) + f"%r = or {k} %a, %o", size, W, out=size)
    ROWS[f"s_bitset0_{b}#d"] = ints(at.format(v="b", m=size - 1) + f"%n = xor {k} %o, -1\n%r = and {k} %a, %n", size, W, out=size)
    ROWS[f"s_bitcmp1_{b}#o"] = ints(at.format(v="b", m=size - 1) + f"%x = and {k} %a, %o\n" + NZ.format(size, "x"), size, W)
    ROWS[f"s_bitcmp0_{b}#o"] = ints(at.format(v="b", m=size - 1) + f"%x = and {k} %a, %o\n%z = icmp eq {k} %x, 0\n%r = zext i1 %z to i32", size, W)
    ROWS[f"s_cselect_{b}#s"] = ints(f"%z = icmp ne i32 %a, 0\n%r = select i1 %z, {k} %b, {k} %c", W, size, size, out=size)
    for n, op in (("lshl", "shl"), ("lshr", "lshr"), ("ashr", "ashr")):
        t = "i" if n == "ashr" else "b"
        body = f"%s = and i32 %b, 31\n%x = {op} i32 %a, %s\n" if size == W else f"%z0 = zext i32 %b to i64\n%s = and i64 %z0, 63\n%x = {op} i64 %a, %s\n"
        ROWS[f"s_{n}_{t}{size}#o"] = ints(body + NZ.format(size, "x"), size, W)
    # A mask of a bits from bit b.
    wide = "%x = and i32 %a, {m}\n%y = and i32 %b, {m}\n" + ("%p = add i32 %x, 0\n%q = add i32 %y, 0\n" if size == W else "%p = zext i32 %x to i64\n%q = zext i32 %y to i64\n")
    ROWS[f"s_bfm_{b}"] = ints(wide.format(m=size - 1) + f"%o = shl {k} 1, %p\n%i = sub {k} %o, 1\n%r = shl {k} %i, %q", W, W, out=size)
    for s, op in (("u", "lshr"), ("i", "ashr")):
        # Moves the field to the top, then down; a field that exceeds the top ends there, and one of no bits is 0.
        lo = size - 1
        down = "" if size == W else "%w = zext i32 %w0 to i64\n%f = zext i32 %f0 to i64\n"
        names = ("%w", "%f") if size == W else ("%w0", "%f0")
        body = f"{names[1]} = and i32 %b, {lo}\n%h = lshr i32 %b, 16\n{names[0]} = and i32 %h, 127\n{down}" \
               f"%room = sub {k} {size}, %f\n%m = call {k} @llvm.umin.{k}({k} %w, {k} %room)\n%none = icmp eq {k} %m, 0\n" \
               f"%left = sub {k} %room, %m\n%up = shl {k} %a, %left\n%back = sub {k} {size}, %m\n" \
               f"%safe = select i1 %none, {k} 0, {k} %back\n%x = {op} {k} %up, %safe\n%y = select i1 %none, {k} 0, {k} %x\n"
        field = (size, "FIELD")
        ROWS[f"s_bfe_{s}{size}"] = ints(body + f"%r = add {k} %y, 0", *field, out=size)
        ROWS[f"s_bfe_{s}{size}#o"] = ints(body + NZ.format(size, "y"), *field)
for n, op in (("add", "add"), ("sub", "sub")):
    ROWS[f"s_{n}_i32"] = ints(f"%r = {op} i32 %a, %b", W, W)
    for s in "us":
        ROWS[f"s_{n}_{'i' if s == 's' else 'u'}32#o"] = ints(
            f"%z = call {{ i32, i1 }} @llvm.{s}{op}.with.overflow.i32(i32 %a, i32 %b)\n%o = extractvalue {{ i32, i1 }} %z, 1\n%r = zext i1 %o to i32", W, W)
    c = "%s = icmp ne i32 %a, 0\n%c0 = zext i1 %s to i64\n%x = zext i32 %b to i64\n%y = zext i32 %c to i64\n" \
        f"%p = {op} i64 %x, %y\n%q = {op} i64 %p, %c0\n"
    name = "s_add_co_ci_u32" if n == "add" else "s_sub_co_ci_u32"
    ROWS[name + "#s"] = ints(c + "%r = trunc i64 %q to i32", W, W, W)
    ROWS[name + "#so"] = ints(c + "%o = lshr i64 %q, 32\n%w = trunc i64 %o to i32\n%r = and i32 %w, 1", W, W, W)
    ROWS[f"s_{n}_nc_u64"] = ints(f"%r = {op} i64 %a, %b", Q, Q, out=Q)
    # The same for vectors, with the carry in c.
    v = "%x = zext i32 %a to i64\n%y = zext i32 %b to i64\n"
    rev = v.replace("%x", "%t").replace("%y", "%x").replace("%t", "%y")
    outs = (("", "%r = trunc i64 %q to i32"), ("#o", "%o = lshr i64 %q, 32\n%w = trunc i64 %o to i32\n%r = and i32 %w, 1"))
    for flag, end in outs:
        ROWS[f"v_{n}_co_u32{flag}"] = ints(v + f"%q = {op} i64 %x, %y\n" + end, W, W)
        ci = "%s = icmp ne i32 %c, 0\n%c0 = zext i1 %s to i64\n%p = {0} i64 %x, %y\n%q = {0} i64 %p, %c0\n".format(op)
        ROWS[f"v_{n}_co_ci_u32{flag}"] = ints(v + ci + end, W, W, 1)
        if n == "sub":
            ROWS[f"v_subrev_co_u32{flag}"] = ints(rev + f"%q = {op} i64 %x, %y\n" + end, W, W)
            ROWS[f"v_subrev_co_ci_u32{flag}"] = ints(rev + ci + end, W, W, 1)
    for m in ("u16", "i16"):
        ROWS[f"v_pk_{n}_{m}"] = ints(f"%x = bitcast i32 %a to <2 x i16>\n%y = bitcast i32 %b to <2 x i16>\n%z = {op} <2 x i16> %x, %y\n%r = bitcast <2 x i16> %z to i32", W, W)
    ROWS[f"v_{n}_nc_i32"] = ints(f"%r = {op} i32 %a, %b", W, W)
    ROWS[f"v_{n}_nc_i16"] = ints(f"%r = {op} i16 %a, %b", H, H, out=H)
mad64 = "%x = zext i32 %a to i64\n%y = zext i32 %b to i64\n%m = mul i64 %x, %y\n%z = call { i64, i1 } @llvm.uadd.with.overflow.i64(i64 %m, i64 %c)\n"
ROWS["v_mad_u64_u32"] = ints(mad64 + "%r = extractvalue { i64, i1 } %z, 0", W, W, Q, out=Q)
ROWS["v_mad_u64_u32#o"] = ints(mad64 + "%o = extractvalue { i64, i1 } %z, 1\n%r = zext i1 %o to i32", W, W, Q)
ROWS["s_mul_u64"] = ints("%r = mul i64 %a, %b", Q, Q, out=Q)
ROWS["s_absdiff_i32"] = ints("%x = sub i32 %a, %b\n%y = sub i32 %b, %a\n%z = icmp sgt i32 %a, %b\n%r = select i1 %z, i32 %x, i32 %y", W, W)
ROWS["s_abs_i32"] = ints("%r = call i32 @llvm.abs.i32(i32 %a, i1 false)", W)
ROWS["s_abs_i32#o"] = ints("%x = call i32 @llvm.abs.i32(i32 %a, i1 false)\n" + NZ.format(W, "x"), W)
for s, t in (("u", "u"), ("s", "i")):  # scc: the first one was selected
    for m, less in (("min", "lt"), ("max", "ge")):
        ROWS[f"s_{m}_{t}32#o"] = ints(f"%z = icmp {s}{less} i32 %a, %b\n%r = zext i1 %z to i32", W, W)
for n in range(1, 5):
    x = f"%x = zext i32 %a to i64\n%y = zext i32 %b to i64\n%s = shl i64 %x, {n}\n%q = add i64 %s, %y\n"
    ROWS[f"s_lshl{n}_add_u32"] = ints(x + "%r = trunc i64 %q to i32", W, W)
    ROWS[f"s_lshl{n}_add_u32#o"] = ints(x + "%o = lshr i64 %q, 32\n%w = trunc i64 %o to i32\n" + NZ.format(W, "w"), W, W)
for n, (x, y) in {"ll": (0, 0), "lh": (0, 1), "hl": (1, 0), "hh": (1, 1)}.items():
    part = lambda v, h: f"%{v}0 = lshr i32 %{v}, {16 * h}\n%{v}1 = trunc i32 %{v}0 to i16\n%{v}2 = zext i16 %{v}1 to i32\n"
    ROWS[f"s_pack_{n}_b32_b16"] = ints(part("a", x) + part("b", y) + "%h = shl i32 %b2, 16\n%r = or i32 %h, %a2", W, W)
ROWS["v_pack_b32_f16"] = ints("%x = zext i16 %a to i32\n%y = zext i16 %b to i32\n%h = shl i32 %y, 16\n%r = or i32 %h, %x", H, H)
signs = "%s = ashr i32 %a, 31\n%x = xor i32 %a, %s\n%z = icmp eq i32 %x, 0\n%l = call i32 @llvm.ctlz.i32(i32 %x, i1 false)\n%r = select i1 %z, i32 -1, i32 %l"
ROWS["s_cls_i32"] = ROWS["v_cls_i32"] = ints(signs, W)
each = "".join(f"%s{i} = lshr i64 %w, {i}\n%b{i} = and i64 %s{i}, 1\n%t{i} = mul i64 %b{i}, {3 << 2 * i}\n%q{i + 1} = or i64 %q{i}, %t{i}\n" for i in range(32))
ROWS["s_bitreplicate_b64_b32"] = ints("%w = zext i32 %a to i64\n%q0 = and i64 %w, 0\n" + each + "%r = add i64 %q32, 0", W, out=Q)
for size in (W, Q):
    ROWS[f"s_wqm_b{size}"] = ints(f"%r = call i{size} @llvm.amdgcn.s.wqm.i{size}(i{size} %a)", size, out=size)
for p in ("eq", "lg", "gt", "ge", "lt", "le"):
    for s in "iu":
        q = {"eq": "eq", "lg": "ne"}.get(p, ("s" if s == "i" else "u") + p)
        ROWS[f"s_cmp_{p}_{s}32#o"] = ints(cmp(q, W), W, W)
    if p in ("eq", "lg"):
        ROWS[f"s_cmp_{p}_u64#o"] = ints(cmp({"eq": "eq", "lg": "ne"}[p], Q), Q, Q)
for p, q in (("lt", "olt"), ("eq", "oeq"), ("le", "ole"), ("gt", "ogt"), ("lg", "one"), ("ge", "oge"), ("o", "ord"),
             ("u", "uno"), ("nge", "ult"), ("nlg", "ueq"), ("ngt", "ule"), ("nle", "ugt"), ("neq", "une"), ("nlt", "uge")):
    for size, name in ((H, "half"), (W, "float")):
        ROWS[f"s_cmp_{p}_f{size}#o"] = ints(fcmp(q, name, size), size, size)
for s, op in (("u", "uitofp"), ("i", "sitofp")):
    ROWS[f"s_cvt_f32_{s}32"] = ROWS[f"v_cvt_f32_{s}32"]
    ROWS[f"s_cvt_{s}32_f32"] = ROWS[f"v_cvt_{s}32_f32"]
    ROWS[f"v_cvt_f16_{s}16"] = ints(f"%x = {op} i16 %a to half\n%r = bitcast half %x to i16", H, out=H)
    ROWS[f"v_cvt_{s}16_f16"] = ints(f"%x = bitcast i16 %a to half\n%r = call i16 @llvm.fpto{s if s == 'u' else 's'}i.sat.i16.f16(half %x)", H, out=H)
for i in range(4):
    ROWS[f"v_cvt_f32_ubyte{i}"] = ints(f"%s = lshr i32 %a, {8 * i}\n%t = trunc i32 %s to i8\n%x = uitofp i8 %t to float\n%r = bitcast float %x to i32", W)
ROWS["s_cvt_f32_f16"], ROWS["s_cvt_f16_f32"] = ROWS["v_cvt_f32_f16"], ROWS["v_cvt_f16_f32"]
ROWS["s_cvt_hi_f32_f16"] = ints("%s = lshr i32 %a, 16\n%t = trunc i32 %s to i16\n%x = bitcast i16 %t to half\n%y = fpext half %x to float\n%r = bitcast float %y to i32", W)
for size in (H, W):
    for n in ("ceil", "floor", "trunc", "rndne", "add", "mul", "min", "max"):
        ROWS[f"s_{n}_f{size}"] = ROWS[f"v_{n}_f{size}"]
    name = {H: "half", W: "float"}[size]
    for pre in "sv":
        ROWS[f"{pre}_sub_f{size}"] = ints(floats(2, name, size, f"fsub {name} %af, %bf"), size, size, out=size)
        ROWS[f"{pre}_fmac_f{size}#d"] = ints(floats(3, name, size, f"call {name} @llvm.fma.f{size}({name} %bf, {name} %cf, {name} %af)"), size, size, size, out=size)
    ROWS[f"v_subrev_f{size}"] = ints(floats(2, name, size, f"fsub {name} %bf, %af"), size, size, out=size)
ROWS["v_fract_f32"] = ints(floats(1, "float", W, "call float @llvm.amdgcn.fract.f32(float %af)"), W)
ROWS["v_ldexp_f32"] = ints("%af = bitcast i32 %a to float\n%rf = call float @llvm.ldexp.f32.i32(float %af, i32 %b)\n%r = bitcast float %rf to i32", W, W)
ROWS["v_ldexp_f64"] = ints("%af = bitcast i64 %a to double\n%rf = call double @llvm.ldexp.f64.i32(double %af, i32 %b)\n%r = bitcast double %rf to i64", Q, W, out=Q)
# With a NaN operand, the minimum, as in the manual: LLVM's folds of fmed3 are inconsistent there.
low, high = "call float @llvm.minimumnum.f32(float ", "call float @llvm.maximumnum.f32(float "
ROWS["v_med3_num_f32"] = ints(floats(3, "float", W, f"{low}%af, float %bf)").replace("%rf = ", "%l = ").replace("%r = bitcast float %rf to i32", "") +
    f"%h = {high}%af, float %bf)\n%m = {low}%h, float %cf)\n%med = {high}%l, float %m)\n%min = {low}%l, float %cf)\n"
    "%n0 = fcmp uno float %af, %bf\n%n1 = fcmp uno float %cf, %cf\n%n = or i1 %n0, %n1\n%rf = select i1 %n, float %min, float %med\n%r = bitcast float %rf to i32", W, W, W)
ROWS["v_mul_dx9_zero_f32"] = ints(floats(2, "float", W, "call float @llvm.amdgcn.fmul.legacy(float %af, float %bf)"), W, W)

for m in ("min", "max"):
    ROWS[f"v_{m}3_num_f32"] = ints(floats(3, "float", W, f"call float @llvm.{m}imumnum.f32(float %af, float %bf)").replace("%rf", "%s") .replace(
        "%r = bitcast float %s to i32", f"%rf = call float @llvm.{m}imumnum.f32(float %s, float %cf)\n%r = bitcast float %rf to i32"), W, W, W)
# ---- vector integers
ROWS["v_mov_b32"] = ints("%r = add i32 %a, 0", W)
ROWS["v_not_b32"] = ints("%r = xor i32 %a, -1", W)
ROWS["v_mov_b16"], ROWS["v_not_b16"] = ints("%r = add i16 %a, 0", H, out=H), ints("%r = xor i16 %a, -1", H, out=H)
ROWS["v_cvt_u32_u16"], ROWS["v_cvt_i32_i16"] = ints("%r = zext i16 %a to i32", H), ints("%r = sext i16 %a to i32", H)
for n in ("and", "or", "xor"):
    ROWS[f"v_{n}_b16"] = ints(f"%r = {n} i16 %a, %b", H, H, out=H)
ROWS["v_xnor_b32"] = ints("%x = xor i32 %a, %b\n%r = xor i32 %x, -1", W, W)
ROWS["v_subrev_nc_u32"] = ints("%r = sub i32 %b, %a", W, W)
ROWS["v_subrev_u16"] = ints("%r = sub i16 %b, %a", H, H, out=H)
ROWS["v_cndmask_b16"] = ints("%z = icmp ne i32 %c, 0\n%r = select i1 %z, i16 %b, i16 %a", H, H, 1, out=H)
for size, t in ((H, "i16"), (H, "u16"), (W, "i32"), (W, "u32"), (Q, "i64"), (Q, "u64"), (H, "f16"), (W, "f32"), (Q, "f64")):
    ROWS[f"v_cmp_f_{t}"], ROWS[f"v_cmp_t_{t}"] = ints("%r = add i32 0, 0", size, size), ints("%r = add i32 0, 1", size, size)
ROWS["v_cndmask_b32"] = ints("%z = icmp ne i32 %c, 0\n%r = select i1 %z, i32 %b, i32 %a", W, W, 1)
ROWS["v_bfm_b32"] = ROWS["s_bfm_b32"]
for s, e in (("u", "lshr"), ("i", "ashr")):
    x = f"%a1 = shl i32 %a, 8\n%a2 = {e} i32 %a1, 8\n%b1 = shl i32 %b, 8\n%b2 = {e} i32 %b1, 8\n"
    z = {"u": "zext", "i": "sext"}[s]
    full = x + f"%a3 = {z} i32 %a2 to i64\n%b3 = {z} i32 %b2 to i64\n%m = mul i64 %a3, %b3\n"
    ROWS[f"v_mul_{s}32_{s}24"] = ints(full + "%r = trunc i64 %m to i32", W, W)
    ROWS[f"v_mul_hi_{s}32_{s}24"] = ints(full + "%h = lshr i64 %m, 32\n%r = trunc i64 %h to i32", W, W)
    ROWS[f"v_mad_{s}32_{s}24"] = ints(full + "%w = trunc i64 %m to i32\n%r = add i32 %w, %c", W, W, W)
    ROWS[f"v_mad_{s}32_{s}16"] = ints(f"%x = {z} i16 %a to i32\n%y = {z} i16 %b to i32\n%m = mul i32 %x, %y\n%r = add i32 %m, %c", H, H, W)
    ROWS[f"v_mad_{s}16"] = ints("%m = mul i16 %a, %b\n%r = add i16 %m, %c", H, H, H, out=H)
    t = "u" if s == "u" else "s"
    low, high = f"call i32 @llvm.{t}min.i32(i32 ", f"call i32 @llvm.{t}max.i32(i32 "
    ROWS[f"v_med3_{s}32"] = ints(f"%l = {low}%a, i32 %b)\n%h = {high}%a, i32 %b)\n%m = {low}%h, i32 %c)\n%r = {high}%l, i32 %m)", W, W, W)
    ROWS[f"v_maxmin_{s}32"] = ints(f"%x = {high}%a, i32 %b)\n%r = {low}%x, i32 %c)", W, W, W)
    ROWS[f"v_minmax_{s}32"] = ints(f"%x = {low}%a, i32 %b)\n%r = {high}%x, i32 %c)", W, W, W)
    for m in ("min", "max"):
        pair = f"%x = bitcast i32 %a to <2 x i16>\n%y = bitcast i32 %b to <2 x i16>\n%z = call <2 x i16> @llvm.{t}{m}.v2i16(<2 x i16> %x, <2 x i16> %y)\n%r = bitcast <2 x i16> %z to i32"
        ROWS[f"v_pk_{m}_{s}16"] = ints(pair, W, W)
    ROWS[f"v_pk_mad_{s}16"] = ints("%x = bitcast i32 %a to <2 x i16>\n%y = bitcast i32 %b to <2 x i16>\n%v = bitcast i32 %c to <2 x i16>\n"
                                   "%m = mul <2 x i16> %x, %y\n%z = add <2 x i16> %m, %v\n%r = bitcast <2 x i16> %z to i32", W, W, W)
two = "%x = bitcast i32 %a to <2 x i16>\n%y = bitcast i32 %b to <2 x i16>\n"
ROWS["v_pk_mul_lo_u16"] = ints(two + "%z = mul <2 x i16> %x, %y\n%r = bitcast <2 x i16> %z to i32", W, W)
for n, op, t in (("lshlrev", "shl", "b"), ("lshrrev", "lshr", "b"), ("ashrrev", "ashr", "i")):
    ROWS[f"v_pk_{n}_{t}16"] = ints(two + f"%s = and <2 x i16> %x, <i16 15, i16 15>\n%z = {op} <2 x i16> %y, %s\n%r = bitcast <2 x i16> %z to i32", W, W)
for n, op in (("add", "fadd <2 x half> %x, %y"), ("mul", "fmul <2 x half> %x, %y"),
              ("min_num", "call <2 x half> @llvm.minimumnum.v2f16(<2 x half> %x, <2 x half> %y)"),
              ("max_num", "call <2 x half> @llvm.maximumnum.v2f16(<2 x half> %x, <2 x half> %y)")):
    ROWS[f"v_pk_{n}_f16"] = ints(two.replace("i16>", "half>") + f"%z = {op}\n%r = bitcast <2 x half> %z to i32", W, W)
ROWS["v_pk_fma_f16"] = ints(two.replace("i16>", "half>") + "%v = bitcast i32 %c to <2 x half>\n"
                            "%z = call <2 x half> @llvm.fma.v2f16(<2 x half> %x, <2 x half> %y, <2 x half> %v)\n%r = bitcast <2 x half> %z to i32", W, W, W)
byte = "%s = and i32 %c, 3\n%t = shl i32 %s, 3\n%r = call i32 @llvm.fshr.i32(i32 %a, i32 %b, i32 %t)"
ROWS["v_alignbyte_b32"] = ints(byte, W, W, W)
ROWS["v_perm_b32"] = ints("%r = call i32 @llvm.amdgcn.perm(i32 %a, i32 %b, i32 %c)", W, W, "BYTES")
for n, e in (("lshl_or", "%s = and i32 %b, 31\n%x = shl i32 %a, %s\n%r = or i32 %x, %c"), ("and_or", "%x = and i32 %a, %b\n%r = or i32 %x, %c"),
             ("or3", "%x = or i32 %a, %b\n%r = or i32 %x, %c"), ("xor3", "%x = xor i32 %a, %b\n%r = xor i32 %x, %c")):
    ROWS[f"v_{n}_b32"] = ints(e, W, W, W)
ROWS["v_sad_u32"] = ints("%h = call i32 @llvm.umax.i32(i32 %a, i32 %b)\n%l = call i32 @llvm.umin.i32(i32 %a, i32 %b)\n%d0 = sub i32 %h, %l\n%r = add i32 %d0, %c", W, W, W)
clamp = "".join(f"%h{i} = lshr i32 %a, {16 * i}\n%t{i} = trunc i32 %h{i} to i16\n%m{i} = call i16 @llvm.smax.i16(i16 %t{i}, i16 0)\n%c{i} = call i16 @llvm.umin.i16(i16 %m{i}, i16 255)\n" for i in range(2))
ROWS["v_sat_pk_u8_i16"] = ints(clamp + "%u = shl i16 %c1, 8\n%r = or i16 %u, %c0", W, out=H)

fold(ROWS, 'target triple = "amdgcn-amd-amdhsa"', '"target-cpu"="gfx1100" "denormal-fp-math"="ieee,ieee"')
