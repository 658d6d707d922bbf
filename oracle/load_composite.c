// SPDX-License-Identifier: Apache-2.0
//
// Decodes composite instructions, which only move scalars.
#include "load.h"

static void move(struct inst *i, uint32_t dst, uint32_t src, uint32_t cells)
{
    for (uint32_t k = 0; k < cells; k++)
        i->moves[i->n++] = (struct move){dst + k, src + k};
}

bool load_walk(const struct orc_program *p, uint32_t type, const uint32_t *index, uint32_t n,
               uint32_t *cell, uint32_t *out)
{
    *cell = 0;
    for (uint32_t k = 0; k < n; k++) {
        const struct type *t = &p->types[type];
        if (t->kind == TY_STRUCT && index[k] < t->member_count) {
            *cell += t->member[index[k]].cell;
            type = t->member[index[k]].type;
        } else if (index[k] < t->count) { // of vectors, matrices, arrays
            *cell += index[k] * p->types[t->elem].cells;
            type = t->elem;
        } else
            return false;
    }
    *out = type;
    return true;
}

static bool walk(struct code *c, uint32_t type, const uint32_t *index, uint32_t n, uint32_t *cell,
                 uint32_t *out)
{
    return load_walk(c->p, type, index, n, cell, out) ||
           code_invalid(c, "has an index that is out of its type's bounds");
}

static bool construct(struct code *c, struct inst *i)
{
    struct orc_program *p = c->p;
    const struct spv_inst *s = &p->m.insts[c->spv];
    uint32_t cells = p->types[s->type].cells, plane;
    for (uint32_t k = 0; k < s->n; k++) {
        uint32_t n = code_type(c, s->v[k])->cells;
        if (!code_operand(c, s->v[k], &plane))
            return false;
        if (n > cells - i->n)
            return code_invalid(c, "has too many constituents");
        move(i, i->dst + i->n, plane, n);
    }
    return true;
}

static bool shuffle(struct code *c, struct inst *i)
{
    struct orc_program *p = c->p;
    const struct spv_inst *s = &p->m.insts[c->spv];
    uint32_t cells = p->types[s->type].cells, first, second;
    uint32_t n0 = code_type(c, s->v[0])->cells, n1 = code_type(c, s->v[1])->cells;
    if (!code_operand(c, s->v[0], &first) || !code_operand(c, s->v[1], &second))
        return false;
    if (s->n - 2u != cells)
        return code_invalid(c, "has another number of components than its type");
    for (uint32_t k = 0; k < cells; k++) {
        uint32_t from = s->v[2 + k];
        if (from == UINT32_MAX) { // undefined component
            uint32_t undef = load_constant(p, 0);
            p->const_defined[undef] = false;
            move(i, i->dst + k, undef, 1);
        } else if (from >= n0 + n1)
            return code_invalid(c, "has a component that is out of bounds");
        else
            move(i, i->dst + k, from < n0 ? first + from : second + from - n0, 1);
    }
    return true;
}

static bool transpose(struct code *c, struct inst *i)
{
    struct orc_program *p = c->p;
    const struct spv_inst *s = &p->m.insts[c->spv];
    const struct type *to = &p->types[s->type], *from = code_type(c, s->v[0]);
    uint32_t plane;
    if (!code_operand(c, s->v[0], &plane))
        return false;
    if (to->kind != TY_MATRIX || from->kind != TY_MATRIX || from->cells != to->cells ||
        p->types[from->elem].count != to->count)
        return code_invalid(c, "its type is not the transpose of its operand's type");
    for (uint32_t k = 0; k < to->cells; k++) // column k / from->count, row k % from->count
        move(i, i->dst + k, plane + k % from->count * to->count + k / from->count, 1);
    return true;
}

bool load_composite(struct code *c)
{
    struct orc_program *p = c->p;
    const struct spv_inst *s = &p->m.insts[c->spv];
    uint32_t cells = p->types[s->type].cells, plane, other, cell, part;
    struct inst *i = code_add(c, IN_MOVE);
    i->moves = ARENA_ARRAY(p->arena, struct move, cells);
    switch (s->op) {
    case SpvOpCompositeConstruct:
        if (!construct(c, i))
            return false;
        break;
    case SpvOpCompositeExtract:
        if (!code_operand(c, s->v[0], &plane) ||
            !walk(c, p->type_of[s->v[0]], s->v + 1, s->n - 1u, &cell, &part))
            return false;
        if (p->types[part].cells != cells)
            return code_invalid(c, "its type is not that of the part");
        move(i, i->dst, plane + cell, cells);
        break;
    case SpvOpCompositeInsert: // object, composite, indices
        if (!code_operand(c, s->v[0], &other) || !code_operand(c, s->v[1], &plane) ||
            !walk(c, p->type_of[s->v[1]], s->v + 2, s->n - 2u, &cell, &part))
            return false;
        if (code_type(c, s->v[1])->cells != cells ||
            code_type(c, s->v[0])->cells != p->types[part].cells)
            return code_invalid(c, "its types do not match");
        move(i, i->dst, plane, cell);
        move(i, i->dst + cell, other, p->types[part].cells);
        move(i, i->dst + i->n, plane + i->n, cells - i->n);
        break;
    case SpvOpVectorShuffle:
        if (!shuffle(c, i))
            return false;
        break;
    case SpvOpTranspose:
        if (!transpose(c, i))
            return false;
        break;
    default: // OpCopyObject, OpCopyLogical, OpExpectKHR
        if (!code_operand(c, s->v[0], &plane))
            return false;
        if (code_type(c, s->v[0])->cells != cells)
            return code_invalid(c, "its type differs from its operand's");
        move(i, i->dst, plane, cells);
        c->info[s->result] = c->info[s->v[0]]; // of a pointer
        break;
    }
    if (i->n != cells)
        return code_invalid(c, "has too few constituents for its type");
    return true;
}
