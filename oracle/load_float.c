// SPDX-License-Identifier: Apache-2.0
//
// Decodes float instructions: operands, widths, shapes. float.def defines what they compute.
#include "execute.h"
#include "load.h"

#include <spirv/unified1/GLSL.std.450.h>

// Returns the kind of the scalars of a scalar, vector or matrix.
static uint8_t scalars(const struct code *c, const struct type *t)
{
    while (t->kind == TY_VECTOR || t->kind == TY_MATRIX)
        t = &c->p->types[t->elem];
    return t->kind;
}

// ---- floats that do not come from arithmetic -----------------------------------------

struct stretch { // consecutive cells with floats of one width
    uint32_t first, count;
    uint8_t width;
};

static void end_stretch(struct code *c, struct stretch *s)
{
    if (s->count) {
        struct inst *i = code_add(c, IN_QUIETEN);
        i->dst = s->first;
        i->comps = s->count;
        i->width = s->width;
    }
    s->count = 0;
}

static void find_floats(struct code *c, uint32_t type, uint32_t plane, struct stretch *s)
{
    const struct type *t = &c->p->types[type];
    switch (t->kind) {
    case TY_FLOAT:
        if (s->count && (s->first + s->count != plane || s->width != t->width))
            end_stretch(c, s);
        if (!s->count)
            *s = (struct stretch){.first = plane, .width = t->width};
        s->count++;
        break;
    case TY_VECTOR:
    case TY_MATRIX:
    case TY_ARRAY:
        for (uint32_t k = 0; k < t->count && scalars(c, t) != TY_INT; k++)
            find_floats(c, t->elem, plane + k * c->p->types[t->elem].cells, s);
        break;
    case TY_STRUCT:
        for (uint32_t k = 0; k < t->member_count; k++)
            find_floats(c, t->member[k].type, plane + t->member[k].cell, s);
        break;
    default:
        break;
    }
}

void load_quieten(struct code *c, uint32_t type, uint32_t plane)
{
    struct stretch s = {0};
    find_floats(c, type, plane, &s);
    end_stretch(c, &s);
}

// ---- instructions ---------------------------------------------------------------

// Sets the rows of the result (i->c) and the number of terms (i->n) of sums of products. False if
// the shapes do not match.
static bool linear_fits(const struct code *c, struct inst *i, const struct type *t,
                        const struct type *a, const struct type *b)
{
    const struct type *types = c->p->types;
    uint32_t a_rows = a->kind == TY_MATRIX ? types[a->elem].count : 0;
    uint32_t b_rows = b->kind == TY_MATRIX ? types[b->elem].count : 0;
    i->c = t->kind == TY_MATRIX ? types[t->elem].count : t->cells;
    switch (i->op) {
    case SpvOpVectorTimesScalar:
    case SpvOpMatrixTimesScalar:
        return a->cells == t->cells && b->cells == 1;
    case SpvOpOuterProduct:
        return t->kind == TY_MATRIX && a->cells == i->c && b->cells == t->count;
    case SpvOpVectorTimesMatrix:
        i->n = a->cells;
        return b_rows == a->cells && t->cells == b->count;
    case SpvOpMatrixTimesVector:
        i->n = a->count;
        return b->cells == a->count && t->cells == a_rows;
    case SpvOpMatrixTimesMatrix:
        i->n = a->count;
        return b_rows == a->count && t->kind == TY_MATRIX && t->count == b->count && i->c == a_rows;
    default: // OpDot
        i->n = a->cells;
        return a->cells == b->cells && t->cells == 1;
    }
}

bool load_float(struct code *c)
{
    struct orc_program *p = c->p;
    const struct spv_inst *s = &p->m.insts[c->spv];
    const struct type *t = &p->types[s->type];
    uint32_t want, plane[3] = {0};
    enum float_shape shape = float_knows(s->op, &want);
    for (uint32_t k = 0; k < want; k++)
        if (!code_operand(c, s->v[k], &plane[k]))
            return false;
    const struct type *a = code_type(c, s->v[0]), *b = want > 1 ? code_type(c, s->v[1]) : a;
    struct inst *i = code_add(c, IN_FLOAT);
    i->a = plane[0], i->b = plane[1], i->c = plane[2];
    i->width = a->width;
    i->width2 = t->width;
    i->comps = t->cells;
    i->precise = c->precise[s->result];
    uint8_t from = shape == FLOAT_FROM_INT ? TY_INT : TY_FLOAT;
    uint8_t to = shape == FLOAT_TEST ? TY_BOOL : shape == FLOAT_TO_INT ? TY_INT : TY_FLOAT;
    bool fits = scalars(c, a) == from && scalars(c, b) == from && scalars(c, t) == to &&
                a->width == b->width;
    if (shape == FLOAT_SAME || shape == FLOAT_LINEAR)
        fits = fits && a->width == t->width;
    fits = fits && (shape == FLOAT_LINEAR ? linear_fits(c, i, t, a, b)
                                          : a->cells == t->cells && b->cells == t->cells);
    return fits || code_invalid(c, "has operands of another shape than its result");
}

// Sets the number of components of a packing instruction's operand (i->n). False if the shapes do
// not match.
static bool pack_fits(const struct code *c, struct inst *i, const struct type *t,
                      const struct type *a)
{
    uint32_t want = i->op == GLSLstd450PackSnorm4x8 || i->op == GLSLstd450PackUnorm4x8 ? 4 : 2;
    i->n = want;
    return scalars(c, t) == TY_INT && t->cells == 1 && t->width == 32 &&
           scalars(c, a) == TY_FLOAT && a->cells == want && a->width == 32;
}

static bool special_operands(uint32_t op, uint32_t *operands)
{
    *operands = op == GLSLstd450Ldexp ? 2 : 1;
    switch (op) {
    case GLSLstd450FrexpStruct:
    case GLSLstd450ModfStruct:
    case GLSLstd450Ldexp:
    case GLSLstd450PackSnorm4x8:
    case GLSLstd450PackUnorm4x8:
    case GLSLstd450PackSnorm2x16:
    case GLSLstd450PackUnorm2x16:
    case GLSLstd450PackHalf2x16:
    case GLSLstd450UnpackHalf2x16:
    case GLSLstd450PackDouble2x32:
    case GLSLstd450UnpackDouble2x32:
        return true;
    default:
        return false;
    }
}

static bool special(struct code *c, struct inst *i, const struct type *t, const struct type *a,
                    const struct type *b)
{
    const struct type *types = c->p->types;
    switch (i->op) {
    case GLSLstd450FrexpStruct:
    case GLSLstd450ModfStruct:
        if (t->kind != TY_STRUCT || t->member_count != 2 || t->cells != 2 * a->cells)
            return false;
        i->comps = a->cells;
        return scalars(c, a) == TY_FLOAT && types[t->member[0].type].width == a->width &&
               types[t->member[0].type].cells == a->cells &&
               scalars(c, &types[t->member[1].type]) ==
                   (i->op == GLSLstd450ModfStruct ? TY_FLOAT : TY_INT) &&
               types[t->member[1].type].width == (i->op == GLSLstd450ModfStruct ? a->width : 32);
    case GLSLstd450Ldexp:
        i->n = b->width;
        return scalars(c, t) == TY_FLOAT && scalars(c, a) == TY_FLOAT && scalars(c, b) == TY_INT &&
               a->cells == t->cells && b->cells == t->cells && a->width == t->width;
    case GLSLstd450UnpackHalf2x16:
        return scalars(c, t) == TY_FLOAT && t->cells == 2 && t->width == 32 &&
               scalars(c, a) == TY_INT && a->cells == 1 && a->width == 32;
    case GLSLstd450PackDouble2x32:
    case GLSLstd450UnpackDouble2x32: // a cast
        i->klass = IN_ACROSS;
        i->op = SpvOpBitcast;
        return t->width * t->cells == 64 && a->width * a->cells == 64 &&
               (t->cells == 1) != (a->cells == 1);
    default:
        return pack_fits(c, i, t, a);
    }
}

// Frexp and Modf: computes FrexpStruct or ModfStruct, then stores the second member through the
// pointer.
static bool load_two_results(struct code *c)
{
    struct orc_program *p = c->p;
    const struct spv_inst *s = &p->m.insts[c->spv];
    const struct type *t = &p->types[s->type];
    bool is_modf = s->v[1] == GLSLstd450Modf;
    uint32_t plane, cells = t->cells, both = p->plane_count;
    if (s->n != 4 || !code_operand(c, s->v[2], &plane))
        return code_unsupported(c, "its operands");
    const struct type *a = code_type(c, s->v[2]), *ptr = code_type(c, s->v[3]);
    const struct type *second = &p->types[ptr->elem];
    if (scalars(c, t) != TY_FLOAT || scalars(c, a) != TY_FLOAT || a->width != t->width ||
        a->cells != cells || ptr->kind != TY_POINTER || second->cells != cells ||
        scalars(c, second) != (is_modf ? TY_FLOAT : TY_INT) ||
        second->width != (is_modf ? t->width : 32))
        return code_invalid(c, "has operands of another shape than its result");
    if ((uint64_t)both + 2 * (uint64_t)cells > PLANES_MAX)
        return code_unsupported(c, "values of more than 8388608 scalars");
    p->plane_count += 2 * cells;
    struct inst *i = code_add(c, IN_FLOAT_GLSL);
    i->op = is_modf ? GLSLstd450ModfStruct : GLSLstd450FrexpStruct;
    i->a = plane;
    i->dst = both;
    i->width = a->width;
    i->comps = cells;
    struct inst *first = code_add(c, IN_MOVE);
    first->moves = ARENA_ARRAY(p->arena, struct move, cells);
    for (uint32_t k = 0; k < cells; k++)
        first->moves[first->n++] = (struct move){first->dst + k, both + k};
    return load_store_of(c, s->v[3], both + cells);
}

bool load_float_extended(struct code *c)
{
    struct orc_program *p = c->p;
    const struct spv_inst *s = &p->m.insts[c->spv];
    const struct type *t = &p->types[s->type];
    if (s->v[1] == GLSLstd450Modf || s->v[1] == GLSLstd450Frexp)
        return load_two_results(c);
    uint32_t want, plane[3] = {0};
    bool is_open = false, is_special = special_operands(s->v[1], &want);
    if ((!is_special && !float_glsl_knows(s->v[1], &want, &is_open)) || s->n != 2 + want)
        return why_set(&p->m, c->why, RAN_UNSUPPORTED, NULL, c->spv, "extended instruction %u",
                       s->v[1]);
    for (uint32_t k = 0; k < want; k++)
        if (!code_operand(c, s->v[2 + k], &plane[k]))
            return false;
    const struct type *a = code_type(c, s->v[2]), *b = want > 1 ? code_type(c, s->v[3]) : a;
    struct inst *i = code_add(c, IN_FLOAT_GLSL);
    i->op = (uint16_t)s->v[1];
    i->a = plane[0], i->b = plane[1], i->c = plane[2];
    i->width = a->width;
    i->width2 = t->width;
    i->comps = t->cells;
    i->precise = c->precise[s->result];
    i->n = is_open ? a->cells : 0; // for Length and Distance
    bool fits = true;
    for (uint32_t k = 0; k < want && !is_open; k++) {
        const struct type *o = code_type(c, s->v[2 + k]);
        fits = fits && scalars(c, o) == TY_FLOAT && o->width == t->width && o->cells == t->cells;
    }
    if (is_special)
        fits = special(c, i, t, a, b);
    if (!fits || (!is_special && scalars(c, t) != TY_FLOAT))
        return code_invalid(c, "has operands of another shape than its result");
    if (i->klass == IN_ACROSS)
        load_quieten(c, s->type, i->dst);
    return true;
}
