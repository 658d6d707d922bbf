// SPDX-License-Identifier: Apache-2.0
//
// Pseudo-code of values and instructions. A pure value that is used once is printed inline, at its
// use; other values get a line.
#include "pseudo.h"

#include <string.h>

enum { INLINE_MAX = 6 };

void pseudo_line(struct printer *p)
{
    for (uint32_t i = 0; i < p->indent; i++)
        text_addn(p->out, "    ", 4);
}

bool pseudo_pure(const struct spv_inst *i)
{
    const struct spv_op *row = spv_op_find(i->op);
    if (!row || !row->has_result || !row->has_type)
        return false;
    switch (row->klass) {
    case SPV_CLASS_ARITHMETIC:
    case SPV_CLASS_BIT:
    case SPV_CLASS_RELATIONAL_AND_LOGICAL:
    case SPV_CLASS_CONVERSION:
    case SPV_CLASS_COMPOSITE:
        return true;
    default:
        return i->op == SpvOpAccessChain || i->op == SpvOpInBoundsAccessChain;
    }
}

void pseudo_name(struct printer *p, uint32_t id)
{
    const char *n = p->names[id];
    if (n && n[0])
        text_add(p->out, "%s", n);
    else
        text_add(p->out, "x%u", id);
}

static const char *infix(uint16_t op)
{
    switch (op) {
    case SpvOpIAdd:
    case SpvOpFAdd:
        return "+";
    case SpvOpISub:
    case SpvOpFSub:
        return "-";
    case SpvOpIMul:
    case SpvOpFMul:
        return "*";
    case SpvOpUDiv:
    case SpvOpSDiv:
    case SpvOpFDiv:
        return "/";
    case SpvOpUMod:
    case SpvOpSMod:
    case SpvOpSRem:
    case SpvOpFMod:
        return "%";
    case SpvOpBitwiseAnd:
        return "&";
    case SpvOpBitwiseOr:
        return "|";
    case SpvOpBitwiseXor:
        return "^";
    case SpvOpShiftLeftLogical:
        return "<<";
    case SpvOpShiftRightLogical:
    case SpvOpShiftRightArithmetic:
        return ">>";
    case SpvOpIEqual:
    case SpvOpLogicalEqual:
    case SpvOpFOrdEqual:
        return "==";
    case SpvOpINotEqual:
    case SpvOpLogicalNotEqual:
    case SpvOpFOrdNotEqual:
        return "!=";
    case SpvOpULessThan:
    case SpvOpSLessThan:
    case SpvOpFOrdLessThan:
        return "<";
    case SpvOpULessThanEqual:
    case SpvOpSLessThanEqual:
        return "<=";
    case SpvOpUGreaterThan:
    case SpvOpSGreaterThan:
    case SpvOpFOrdGreaterThan:
        return ">";
    case SpvOpUGreaterThanEqual:
    case SpvOpSGreaterThanEqual:
        return ">=";
    case SpvOpLogicalAnd:
        return "&&";
    case SpvOpLogicalOr:
        return "||";
    default:
        return NULL;
    }
}

static void constant(struct printer *p, const struct spv_inst *i)
{
    const struct spv_inst *t = spv_def(p->m, i->type);
    bool is_float = t && t->op == SpvOpTypeFloat;
    if (i->op == SpvOpConstantTrue || i->op == SpvOpConstantFalse) {
        text_add(p->out, i->op == SpvOpConstantTrue ? "true" : "false");
    } else if ((i->op == SpvOpConstant || i->op == SpvOpSpecConstant) && i->n >= 1 && is_float &&
               i->n == 1) {
        float f;
        memcpy(&f, &i->v[0], sizeof f);
        text_add(p->out, "%g", (double)f);
    } else if ((i->op == SpvOpConstant || i->op == SpvOpSpecConstant) && i->n >= 1) {
        uint64_t v = i->v[0] | (i->n > 1 ? (uint64_t)i->v[1] << 32 : 0);
        text_add(p->out, v < 65536 ? "%llu" : "0x%llx", (unsigned long long)v);
    } else if (i->op == SpvOpConstantNull) {
        text_add(p->out, "0");
    } else if (i->op == SpvOpUndef) {
        text_add(p->out, "undef");
    } else {
        pseudo_name(p, i->result);
    }
}

// OpGroupNonUniformBallot -> "ballot"
static void op_name(struct printer *p, const struct spv_inst *i)
{
    const char *n = spv_group_find(i->op) ? spv_group_name(i->op) : spv_op_name(i->op) + 2;
    char c = n[0] >= 'A' && n[0] <= 'Z' ? (char)(n[0] + 32) : n[0];
    text_add(p->out, "%c%s", c, n + 1);
}

static void arguments(struct printer *p, const struct spv_inst *i, uint32_t from, int depth)
{
    const struct spv_op *row = spv_op_find(i->op);
    const struct spv_group_op *group = spv_group_find(i->op);
    text_addn(p->out, "(", 1);
    bool any = false;
    // The scope of a group operation is left out: it is always Subgroup.
    for (uint32_t k = from + (group && group->has_scope ? 1 : 0); k < i->n; k++) {
        uint32_t at = k < SPV_OPERANDS_MAX ? k : SPV_OPERANDS_MAX - 1;
        uint8_t kind = row ? row->operands[at].kind : SPV_OPERAND_LITERAL;
        bool is_literal = kind == SPV_OPERAND_LITERAL;
        for (uint32_t q = 0; row && q <= at && !is_literal; q++) // a list of literals continues
            if (row->operands[q].quantifier == SPV_MANY && row->operands[q].kind)
                is_literal = row->operands[q].kind == SPV_OPERAND_LITERAL;
        static const char *const operations[] = {"reduce", "inclusive", "exclusive", "clustered"};
        text_add(p->out, "%s", any ? ", " : "");
        any = true;
        if (is_literal && group && i->v[k] < 4)
            text_add(p->out, "%s", operations[i->v[k]]);
        else if (is_literal || i->v[k] >= p->m->bound)
            text_u32(p->out, i->v[k]);
        else
            pseudo_value(p, i->v[k], depth + 1);
    }
    text_addn(p->out, ")", 1);
}

// Adds a pointer as "out[...]". The first index into a block with one array is left out.
static void pointer(struct printer *p, const struct spv_inst *i, int depth)
{
    pseudo_value(p, i->v[0], depth + 1);
    const struct spv_inst *base = spv_def(p->m, i->v[0]);
    const struct spv_inst *t = base ? spv_def(p->m, base->type) : NULL;
    const struct spv_inst *pointee =
        t && t->op == SpvOpTypePointer && t->n == 2 ? spv_def(p->m, t->v[1]) : NULL;
    bool one = pointee && pointee->op == SpvOpTypeStruct && pointee->n == 1 && i->n > 2;
    for (uint32_t k = one ? 2 : 1; k < i->n; k++) {
        text_addn(p->out, "[", 1);
        pseudo_value(p, i->v[k], depth + 1);
        text_addn(p->out, "]", 1);
    }
}

static void expression(struct printer *p, const struct spv_inst *i, int depth)
{
    const char *o = infix(i->op);
    static const char components[] = "xyzw";
    if (o && i->n == 2) {
        text_addn(p->out, "(", depth > 0);
        pseudo_value(p, i->v[0], depth + 1);
        text_add(p->out, " %s ", o);
        pseudo_value(p, i->v[1], depth + 1);
        text_addn(p->out, ")", depth > 0);
    } else if (i->op == SpvOpSelect && i->n == 3) {
        text_addn(p->out, "(", depth > 0);
        pseudo_value(p, i->v[0], depth + 1);
        text_add(p->out, " ? ");
        pseudo_value(p, i->v[1], depth + 1);
        text_add(p->out, " : ");
        pseudo_value(p, i->v[2], depth + 1);
        text_addn(p->out, ")", depth > 0);
    } else if ((i->op == SpvOpLogicalNot || i->op == SpvOpNot) && i->n == 1) {
        text_add(p->out, i->op == SpvOpNot ? "~" : "!");
        pseudo_value(p, i->v[0], depth + 1);
    } else if (i->op == SpvOpBitcast || i->op == SpvOpCopyObject) {
        pseudo_value(p, i->v[0], depth);
    } else if (i->op == SpvOpCompositeExtract && i->n == 2 && i->v[1] < 4) {
        pseudo_value(p, i->v[0], depth + 1);
        text_add(p->out, ".%c", components[i->v[1]]);
    } else if ((i->op == SpvOpAccessChain || i->op == SpvOpInBoundsAccessChain) && i->n) {
        pointer(p, i, depth);
    } else if (i->op == SpvOpLoad && i->n) {
        pseudo_value(p, i->v[0], depth);
    } else if (i->op == SpvOpFunctionCall && i->n) {
        pseudo_name(p, i->v[0]);
        arguments(p, i, 1, depth);
    } else if (i->op == SpvOpPhi) {
        text_add(p->out, "phi(");
        for (uint32_t k = 0; k + 1 < i->n; k += 2) {
            text_add(p->out, k ? ", " : "");
            pseudo_value(p, i->v[k], depth + 1);
        }
        text_addn(p->out, ")", 1);
    } else {
        op_name(p, i);
        arguments(p, i, 0, depth);
    }
}

void pseudo_value(struct printer *p, uint32_t id, int depth)
{
    const struct spv_inst *i = spv_def(p->m, id);
    if (!i) {
        text_add(p->out, "x%u", id);
        return;
    }
    if (i->op == SpvOpUndef || spv_op_class(i->op) == SPV_CLASS_CONSTANT_CREATION) {
        constant(p, i);
        return;
    }
    bool chain = i->op == SpvOpAccessChain || i->op == SpvOpInBoundsAccessChain;
    if (pseudo_pure(i) && (chain || (p->uses[id] <= 1 && depth < INLINE_MAX)))
        expression(p, i, depth);
    else
        pseudo_name(p, id);
}

void pseudo_instruction(struct printer *p, const struct spv_inst *i)
{
    const struct spv_op *row = spv_op_find(i->op);
    switch (i->op) {
    case SpvOpLabel:
    case SpvOpLine:
    case SpvOpNoLine:
    case SpvOpSelectionMerge:
    case SpvOpLoopMerge:
    case SpvOpNop:
        return;
    case SpvOpVariable:
        pseudo_line(p);
        text_add(p->out, "var ");
        pseudo_name(p, i->result);
        if (i->n > 1) {
            text_add(p->out, " = ");
            pseudo_value(p, i->v[1], 0);
        }
        text_add(p->out, "\n");
        return;
    case SpvOpStore:
        pseudo_line(p);
        pseudo_value(p, i->v[0], 0);
        text_add(p->out, " = ");
        pseudo_value(p, i->v[1], 0);
        text_add(p->out, "\n");
        return;
    default:
        break;
    }
    bool chain = i->op == SpvOpAccessChain || i->op == SpvOpInBoundsAccessChain;
    if (pseudo_pure(i) && (chain || p->uses[i->result] <= 1))
        return; // is printed inline
    pseudo_line(p);
    bool is_void = i->type && spv_def(p->m, i->type) && spv_def(p->m, i->type)->op == SpvOpTypeVoid;
    if (row && row->has_result && !is_void) {
        pseudo_name(p, i->result);
        text_add(p->out, " = ");
    }
    expression(p, i, 0);
    text_add(p->out, "\n");
}
