// SPDX-License-Identifier: Apache-2.0
//
// Expressions of the program tree: pure, evaluated in place.
#ifndef TF_GENERATOR_EXPR_H
#define TF_GENERATOR_EXPR_H

#include "group_ops.h"

// Leaves, with the meaning of `n`.
#define GEN_LEAVES(X)                                                                              \
    X(CONST)      /* the value; u32 or bool */                                                     \
    X(LANE)       /* SubgroupLocalInvocationId */                                                  \
    X(LOCAL)      /* LocalInvocationIndex */                                                       \
    X(GLOBAL)     /* global invocation index */                                                    \
    X(GROUP)      /* WorkgroupId.x */                                                              \
    X(INPUT_OWN)  /* inputs[global invocation index] */                                            \
    X(INPUT_AT)   /* inputs[n]: uniform */                                                         \
    X(PARAM)      /* n: index of a parameter */                                                    \
    X(VAR)        /* n: index of a variable, read at this point */                                 \
    X(VALUE)      /* n: index of a value, bound by an earlier LET, OP, CALL or phi */              \
    X(WORD)       /* n: word 0 .. 3 of the ballot in arg[0], a VALUE */                            \
    X(INPUT_BY)   /* inputs[arg[0] & 15] */                                                        \
    X(HELPER)     /* fragment: true if the invocation is a helper at this point */                 \
    X(INPUT_HERE) /* inputs[global invocation index], loaded at this point */                      \
    X(SUBGROUP)   /* SubgroupId; compute only */                                                   \
    X(UNDEF)      /* an undefined number: only what an elected invocation's phi has elsewhere */   \
    X(FREE)       /* fragment: false for the quad's first live lane at the start */

// Columns: name, spelling, opcode, result, operands. Shift amounts are less than 32. MOD has a
// constant divisor that is not zero.
#define GEN_ALU(X)                                                                                 \
    X(ADD, "+", SpvOpIAdd, U32, U32, U32, VOID)                                                    \
    X(SUB, "-", SpvOpISub, U32, U32, U32, VOID)                                                    \
    X(MUL, "*", SpvOpIMul, U32, U32, U32, VOID)                                                    \
    X(AND, "&", SpvOpBitwiseAnd, U32, U32, U32, VOID)                                              \
    X(OR, "|", SpvOpBitwiseOr, U32, U32, U32, VOID)                                                \
    X(XOR, "^", SpvOpBitwiseXor, U32, U32, U32, VOID)                                              \
    X(NOT, "~", SpvOpNot, U32, U32, VOID, VOID)                                                    \
    X(SHL, "<<", SpvOpShiftLeftLogical, U32, U32, U32, VOID)                                       \
    X(SHR, ">>", SpvOpShiftRightLogical, U32, U32, U32, VOID)                                      \
    X(MOD, "%", SpvOpUMod, U32, U32, U32, VOID)                                                    \
    X(EQ, "==", SpvOpIEqual, BOOL, U32, U32, VOID)                                                 \
    X(NE, "!=", SpvOpINotEqual, BOOL, U32, U32, VOID)                                              \
    X(LT, "<", SpvOpULessThan, BOOL, U32, U32, VOID)                                               \
    X(GE, ">=", SpvOpUGreaterThanEqual, BOOL, U32, U32, VOID)                                      \
    X(BOTH, "&&", SpvOpLogicalAnd, BOOL, BOOL, BOOL, VOID)                                         \
    X(EITHER, "||", SpvOpLogicalOr, BOOL, BOOL, BOOL, VOID)                                        \
    X(NEITHER, "!", SpvOpLogicalNot, BOOL, BOOL, VOID, VOID)                                       \
    X(SELECT, "?", SpvOpSelect, U32, BOOL, U32, U32)                                               \
    X(NARROW, "u16 ", SpvOpUConvert, U32, U32, VOID, VOID) /* its low 16 bits, converted there */  \
    X(ROUND, "f32 ", SpvOpConvertUToF, U32, U32, VOID, VOID) /* the same, by a float */

enum gen_expr_kind {
#define X(id) EXPR_##id,
    GEN_LEAVES(X)
#undef X
#define X(id, text, opcode, result, a, b, c) EXPR_##id,
        GEN_ALU(X)
#undef X
            EXPR_KINDS,
    EXPR_ALU_FIRST = EXPR_ADD
};

struct gen_expr {
    enum gen_expr_kind kind;
    enum gen_type type;
    uint32_t n;
    const struct gen_expr *arg[3]; // NULL after the last
};

// Row of an expression that is not a leaf.
struct gen_alu {
    const char *text;
    SpvOp opcode;
    enum gen_type type, arg[3];
};
const struct gen_alu *gen_alu(enum gen_expr_kind kind);

#endif
