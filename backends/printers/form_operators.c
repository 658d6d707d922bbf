// SPDX-License-Identifier: Apache-2.0
//
// The operations of two operands, as each language writes them. In C-like languages all integers
// are unsigned.
#include "form.h"

static const struct form_operator rows[] = {
    {SpvOpIAdd, "add", "add.u32", "+", false},
    {SpvOpISub, "sub", "sub.u32", "-", false},
    {SpvOpIMul, "mul", "mul.lo.u32", "*", false},
    {SpvOpUDiv, "udiv", "div.u32", "/", false},
    {SpvOpSDiv, "sdiv", "div.s32", NULL, false},
    {SpvOpUMod, "urem", "rem.u32", "%", false},
    {SpvOpSRem, "srem", "rem.s32", NULL, false},
    {SpvOpBitwiseAnd, "and", "and.b32", "&", false},
    {SpvOpBitwiseOr, "or", "or.b32", "|", false},
    {SpvOpBitwiseXor, "xor", "xor.b32", "^", false},
    {SpvOpShiftLeftLogical, "shl", "shl.b32", "<<", false},
    {SpvOpShiftRightLogical, "lshr", "shr.u32", ">>", false},
    {SpvOpShiftRightArithmetic, "ashr", "shr.s32", NULL, false},
    {SpvOpLogicalAnd, "and", "and.pred", "&&", true},
    {SpvOpLogicalOr, "or", "or.pred", "||", true},
    {SpvOpIEqual, "icmp eq", "setp.eq.u32", "==", true},
    {SpvOpINotEqual, "icmp ne", "setp.ne.u32", "!=", true},
    {SpvOpLogicalEqual, "icmp eq", NULL, "==", true},
    {SpvOpLogicalNotEqual, "icmp ne", "xor.pred", "!=", true},
    {SpvOpULessThan, "icmp ult", "setp.lt.u32", "<", true},
    {SpvOpULessThanEqual, "icmp ule", "setp.le.u32", "<=", true},
    {SpvOpUGreaterThan, "icmp ugt", "setp.gt.u32", ">", true},
    {SpvOpUGreaterThanEqual, "icmp uge", "setp.ge.u32", ">=", true},
    {SpvOpSLessThan, "icmp slt", "setp.lt.s32", NULL, false},
    {SpvOpSLessThanEqual, "icmp sle", "setp.le.s32", NULL, false},
    {SpvOpSGreaterThan, "icmp sgt", "setp.gt.s32", NULL, false},
    {SpvOpSGreaterThanEqual, "icmp sge", "setp.ge.s32", NULL, false},
    {SpvOpFAdd, NULL, NULL, "+", false},
    {SpvOpFSub, NULL, NULL, "-", false},
    {SpvOpFMul, NULL, NULL, "*", false},
    {SpvOpFDiv, NULL, NULL, "/", false},
    {SpvOpFOrdLessThan, NULL, NULL, "<", true},
    {SpvOpFOrdLessThanEqual, NULL, NULL, "<=", true},
    {SpvOpFOrdGreaterThan, NULL, NULL, ">", true},
    {SpvOpFOrdEqual, NULL, NULL, "==", true},
    {SpvOpFUnordNotEqual, NULL, NULL, "!=", true},
    {SpvOpFOrdGreaterThanEqual, NULL, NULL, ">=", true},
};

const struct form_operator *form_operator(uint32_t op)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].op == (SpvOp)op)
            return &rows[i];
    return NULL;
}
