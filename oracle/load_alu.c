// SPDX-License-Identifier: Apache-2.0
//
// Decodes arithmetic and extended instructions: operands, widths, shapes. alu.def, glsl.def and
// float.c define what they compute.
#include "execute.h"
#include "load.h"

static bool divides(uint32_t op)
{
    return op == SpvOpUDiv || op == SpvOpUMod || op == SpvOpSDiv || op == SpvOpSRem ||
           op == SpvOpSMod;
}

bool load_alu(struct code *c)
{
    struct orc_program *p = c->p;
    const struct spv_inst *s = &p->m.insts[c->spv];
    uint32_t plane[4] = {0}; // spv_module_read has checked their number
    for (uint32_t k = 0; k < s->n; k++)
        if (!code_operand(c, s->v[k], &plane[k]))
            return false;
    const struct type *t = &p->types[s->type], *t0 = code_type(c, s->v[0]);
    if (t0->kind == TY_FLOAT || (t0->kind == TY_VECTOR && p->types[t0->elem].kind == TY_FLOAT))
        if (s->op != SpvOpVectorExtractDynamic && s->op != SpvOpVectorInsertDynamic)
            return code_unsupported(c, "arithmetic on floats");
    if (t0->width == 0 && s->op != SpvOpSelect)
        return code_invalid(c, "its operand is not a number");
    if (s->op == SpvOpVectorExtractDynamic || s->op == SpvOpVectorInsertDynamic) {
        struct inst *index = code_add(c, IN_INDEX);
        index->a = plane[s->n - 1];
        index->n = t0->cells;
    }
    if (divides(s->op)) {
        struct inst *check = code_add(c, IN_DIVISOR);
        check->a = plane[0], check->b = plane[1];
        check->comps = t->cells;
        check->width = t0->width;
        check->is_signed = s->op == SpvOpSDiv || s->op == SpvOpSRem || s->op == SpvOpSMod;
    }
    struct inst *i = code_add(c, IN_ALU);
    i->comps = t->cells;
    i->width = t0->width;
    i->width2 = t->width;
    i->a = plane[0], i->b = plane[1], i->c = plane[2], i->d = plane[3];
    uint32_t cells[4] = {0}, n = t->cells; // of the operands; of the result
    for (uint32_t k = 0; k < s->n; k++)
        cells[k] = code_type(c, s->v[k])->cells;
    bool fits;
    switch (s->op) {
    case SpvOpSelect: // SPIR-V has the condition first, struct inst last
        i->a = plane[1], i->b = plane[2], i->c = plane[0];
        i->d = t0->kind == TY_VECTOR;
        fits = cells[1] == n && cells[2] == n && cells[0] == (i->d ? n : 1) &&
               (i->d ? &p->types[t0->elem] : t0)->kind == TY_BOOL;
        break;
    case SpvOpAny:
    case SpvOpAll:
        i->comps = cells[0];
        fits = n == 1;
        break;
    case SpvOpIAddCarry:
    case SpvOpISubBorrow:
    case SpvOpUMulExtended:
    case SpvOpSMulExtended:
        i->comps = cells[0];
        fits = n == 2 * cells[0] && cells[1] == cells[0];
        break;
    case SpvOpBitFieldInsert:
        fits = cells[0] == n && cells[1] == n;
        break;
    case SpvOpBitFieldSExtract:
    case SpvOpBitFieldUExtract:
        fits = cells[0] == n;
        break;
    case SpvOpVectorExtractDynamic:
        i->comps = cells[0];
        fits = n == 1 && cells[1] == 1;
        break;
    case SpvOpVectorInsertDynamic:
        fits = cells[0] == n && cells[1] == 1 && cells[2] == 1;
        break;
    default:
        fits = cells[0] == n && (s->n < 2 || cells[1] == n);
        break;
    }
    return fits || code_invalid(c, "has operands of another shape than its result");
}

// NoSignedWrap, NoUnsignedWrap: adds an instruction that makes wrapped results undefined.
bool load_no_wrap(struct code *c)
{
    const struct spv_inst *s = &c->p->m.insts[c->spv];
    switch (s->op) {
    case SpvOpIAdd:
    case SpvOpISub:
    case SpvOpIMul:
    case SpvOpSNegate:
    case SpvOpShiftLeftLogical:
        break;
    default:
        return code_unsupported(c, "NoSignedWrap or NoUnsignedWrap");
    }
    struct inst copy = c->insts.v[c->insts.n - 1];
    for (int k = 0; k < 2; k++)
        if (c->no_wrap[k][s->result]) {
            copy.klass = IN_NO_WRAP;
            copy.is_signed = k == 1;
            *VEC_PUSH(c->p->arena, &c->insts) = copy;
        }
    return true;
}

// True for a number or a vector of numbers.
static bool is_number(const struct code *c, const struct type *t)
{
    const struct type *scalar = t->kind == TY_VECTOR ? &c->p->types[t->elem] : t;
    return scalar->kind == TY_INT || scalar->kind == TY_FLOAT;
}

static bool is_address(const struct type *t)
{
    return t->kind == TY_POINTER && t->storage == SpvStorageClassPhysicalStorageBuffer;
}

bool load_across(struct code *c)
{
    struct orc_program *p = c->p;
    const struct spv_inst *s = &p->m.insts[c->spv];
    const struct type *t = &p->types[s->type], *t0 = code_type(c, s->v[0]);
    uint32_t plane[3] = {0};
    bool is_cast = s->op == SpvOpBitcast;
    bool adds = s->op == SpvOpSDotAccSat || s->op == SpvOpUDotAccSat || s->op == SpvOpSUDotAccSat;
    uint32_t want = is_cast ? 1 : adds ? 3 : 2;
    for (uint32_t k = 0; k < want; k++)
        if (!code_operand(c, s->v[k], &plane[k]))
            return false;
    if ((!is_number(c, t) && !(is_cast && is_address(t))) ||
        (!is_number(c, t0) && !(is_cast && is_address(t0))))
        return code_unsupported(c, "its operands are not numbers");
    struct inst *i = code_add(c, IN_ACROSS);
    i->a = plane[0], i->b = plane[1], i->c = plane[2];
    i->width = t0->width;
    i->width2 = t->width;
    if (is_cast) {
        i->comps = t->cells;
        if (t0->cells * t0->width != t->cells * t->width)
            return code_invalid(c, "its type and its operand have different numbers of bits");
        load_quieten(c, s->type, i->dst);
        return true;
    }
    bool packed = t0->kind == TY_INT;
    if (packed && (s->n <= want || s->v[want] != SpvPackedVectorFormatPackedVectorFormat4x8Bit ||
                   t0->width != 32))
        return code_unsupported(c, "its packed vector format");
    if (adds && t0->width == 64)
        return code_unsupported(c, "a saturating dot product of 64-bit integers");
    i->comps = t0->cells;
    i->n = packed;
    return (code_type(c, s->v[1])->cells == t0->cells &&
            code_type(c, s->v[1])->width == t0->width && t->cells == 1 &&
            (!adds || code_type(c, s->v[2])->width == t->width)) ||
           code_invalid(c, "has operands of another shape than its result");
}

// debugPrintf: set, number, format, arguments. If an argument has no planes, the instruction is
// ignored; it never affects the program.
static bool load_print(struct code *c)
{
    struct orc_program *p = c->p;
    const struct spv_inst *s = &p->m.insts[c->spv];
    uint32_t cells = 0;
    p->plane[s->result] = NONE;
    for (uint32_t k = 3; k < s->n; k++) {
        if (p->plane[s->v[k]] == NONE || !p->type_of[s->v[k]])
            return true;
        cells += code_type(c, s->v[k])->cells;
    }
    struct inst *i = code_add(c, IN_PRINT);
    i->dst = NONE;
    i->moves = ARENA_ARRAY(p->arena, struct move, cells);
    for (uint32_t k = 3; k < s->n; k++)
        for (uint32_t j = 0; j < code_type(c, s->v[k])->cells; j++)
            i->moves[i->n++] = (struct move){NONE, p->plane[s->v[k]] + j};
    return true;
}

bool load_extended(struct code *c)
{
    struct orc_program *p = c->p;
    const struct spv_inst *s = &p->m.insts[c->spv];
    uint32_t want, plane[3] = {0};
    if (c->glsl[s->v[0]] == 3)
        return load_print(c);
    if (c->glsl[s->v[0]] == 2) { // non-semantic: may be ignored
        p->plane[s->result] = NONE;
        return true;
    }
    if (c->glsl[s->v[0]] == 1 && !glsl_knows(s->v[1], &want))
        return load_float_extended(c);
    if (c->glsl[s->v[0]] != 1 || !glsl_knows(s->v[1], &want) || s->n != 2 + want)
        return why_set(&p->m, c->why, RAN_UNSUPPORTED, NULL, c->spv, "extended instruction %u",
                       s->v[1]);
    for (uint32_t k = 0; k < want; k++)
        if (!code_operand(c, s->v[2 + k], &plane[k]))
            return false;
    for (uint32_t k = 0; k < want; k++)
        if (code_type(c, s->v[2 + k])->cells < p->types[s->type].cells)
            return code_invalid(c, "has operands of another shape than its result");
    if (code_type(c, s->v[2])->width == 0)
        return code_invalid(c, "its operand is not a number");
    struct inst *i = code_add(c, IN_GLSL);
    i->op = (uint16_t)s->v[1];
    i->comps = p->types[s->type].cells;
    i->width = code_type(c, s->v[2])->width;
    i->width2 = p->types[s->type].width;
    i->a = plane[0], i->b = plane[1], i->c = plane[2];
    return true;
}
