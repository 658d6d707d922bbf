#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Answers of AMD's operations from a second source, for tests/test_amd_rows.c: tests/amd_rows.txt.

usage: scripts/amd_rows.py [OPT] >tests/amd_rows.txt

Each operation is written as LLVM IR, with LLVM's own intrinsics for AMD's GPUs where there is one, and LLVM's
optimiser (OPT; build/deps/llvm/23/bin/opt) folds it for numbers at the edges and at random. What it does not fold
is left out. A line: the operation, then a,b,c=answer each, in hexadecimal.
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
for size in (W, Q):  # -1 where there is none
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

fold(ROWS, 'target triple = "amdgcn-amd-amdhsa"', '"target-cpu"="gfx1100" "denormal-fp-math"="ieee,ieee"')
