// SPDX-License-Identifier: Apache-2.0
//
// Decodes constants. Input: the module view, the types, the case's specialisation. Output: a plane
// with const_value and const_defined for each scalar. A constant that is not supported has no
// plane; only its use is an error.
#include "execute.h"
#include "load.h"

#include <string.h>

static void *grown(struct orc_program *p, const void *old, uint32_t room, size_t each)
{
    void *v = ARENA_ARRAY(p->arena, char, arena_bytes(room, each));
    if (p->const_room)
        memcpy(v, old, p->const_room * each);
    return v;
}

static uint32_t constant_planes(struct orc_program *p, uint32_t n)
{
    uint32_t at = p->plane_count;
    p->plane_count += n;
    if (p->const_room < p->plane_count) {
        uint32_t room = p->plane_count + p->plane_count / 2 + 64;
        p->const_value = grown(p, p->const_value, room, sizeof *p->const_value);
        p->const_defined = grown(p, p->const_defined, room, sizeof *p->const_defined);
        p->is_const = grown(p, p->is_const, room, sizeof *p->is_const);
        p->const_room = room;
    }
    for (uint32_t k = 0; k < n; k++)
        p->is_const[at + k] = true;
    return at;
}

bool load_is_constant(const struct orc_program *p, uint32_t plane)
{
    return plane < p->const_room && p->is_const[plane];
}

uint32_t load_constant(struct orc_program *p, uint64_t value)
{
    uint32_t at = constant_planes(p, 1);
    p->const_value[at] = value;
    p->const_defined[at] = true;
    return at;
}

static bool specialised(const struct orc_program *p, uint32_t id, uint32_t *value)
{
    const struct spv_case *c = p->c;
    for (uint32_t k = 0; k < c->spec_count; k++)
        if (c->spec[k].id == p->declared[id].spec_id) {
            *value = c->spec[k].value;
            return true;
        }
    return false;
}

static void copy_cells(struct orc_program *p, uint32_t to, uint32_t from, uint32_t n)
{
    memmove(&p->const_value[to], &p->const_value[from], n * sizeof *p->const_value);
    memmove(&p->const_defined[to], &p->const_defined[from], n * sizeof *p->const_defined);
}

// OpSpecConstantOp with an instruction that only moves scalars. False if it is invalid or
// unsupported.
static bool constant_moves(struct orc_program *p, const struct spv_inst *s, uint32_t at)
{
    const uint32_t *v = s->v + 1;
    uint32_t n = s->n - 1u, cells = p->types[s->type].cells, cell, part, plane[2], type[2];
    for (uint32_t k = 0; k < 2; k++) {
        plane[k] = k < n ? p->plane[v[k]] : NONE;
        type[k] = k < n ? p->type_of[v[k]] : 0;
    }
    switch (s->v[0]) {
    case SpvOpCompositeExtract:
        if (plane[0] == NONE || !load_walk(p, type[0], v + 1, n - 1, &cell, &part) ||
            p->types[part].cells != cells)
            return false;
        copy_cells(p, at, plane[0] + cell, cells);
        return true;
    case SpvOpCompositeInsert: // object, composite, indices
        if (plane[0] == NONE || plane[1] == NONE || p->types[type[1]].cells != cells ||
            !load_walk(p, type[1], v + 2, n - 2, &cell, &part) ||
            p->types[part].cells != p->types[type[0]].cells)
            return false;
        copy_cells(p, at, plane[1], cells);
        copy_cells(p, at + cell, plane[0], p->types[part].cells);
        return true;
    default: { // OpVectorShuffle
        if (plane[0] == NONE || plane[1] == NONE || n - 2 != cells)
            return false;
        uint32_t first = p->types[type[0]].cells, all = first + p->types[type[1]].cells;
        for (uint32_t k = 0; k < cells; k++) {
            uint32_t from = v[2 + k];
            if (from == UINT32_MAX) // undefined
                p->const_defined[at + k] = false;
            else if (from < all)
                copy_cells(p, at + k, from < first ? plane[0] + from : plane[1] + from - first, 1);
            else
                return false;
        }
        return true;
    }
    }
}

// Returns the kind of a scalar, or of a vector's scalars.
static enum type_kind scalar_kind(const struct orc_program *p, const struct type *t)
{
    return (enum type_kind)(t->kind == TY_VECTOR ? p->types[t->elem].kind : t->kind);
}

// OpSpecConstantOp: runs the instruction on one lane. False if it is not supported.
static bool constant_op(struct orc_program *p, const struct spv_inst *s, uint32_t at)
{
    enum { OPERANDS = 4, CELLS = 16 };
    uint32_t op = s->v[0], n = s->n - 1;
    const struct type *t = &p->types[s->type];
    if (op == SpvOpCompositeExtract || op == SpvOpCompositeInsert || op == SpvOpVectorShuffle)
        return constant_moves(p, s, at);
    uint32_t want;
    bool converts = float_knows(op, &want) == FLOAT_TO_FLOAT;
    if (!(alu_knows(op) || converts) || t->cells > CELLS)
        return false;
    const struct type *t0 = &p->types[p->type_of[s->v[1]]];
    const enum type_kind of = scalar_kind(p, t0);
    if (converts ? of != TY_FLOAT || scalar_kind(p, t) != TY_FLOAT
                 : of != TY_BOOL && (of != TY_INT || op == SpvOpSelect))
        return false;
    // Operand k is in the planes from k * CELLS, the result after all operands.
    uint64_t planes[(OPERANDS + 1) * CELLS] = {0};
    lane_mask defined[(OPERANDS + 1) * CELLS] = {0};
    struct inst i = {.op = (uint16_t)op,
                     .dst = OPERANDS * CELLS,
                     .comps = t->cells,
                     .width = t0->width,
                     .width2 = t->width};
    uint32_t *operand[OPERANDS] = {&i.a, &i.b, &i.c, &i.d};
    for (uint32_t k = 0; k < n; k++) {
        uint32_t from = p->plane[s->v[1 + k]], cells = p->types[p->type_of[s->v[1 + k]]].cells;
        if (from == NONE ||
            (cells != t->cells && !(op == SpvOpSelect && k == 0 && t0->kind == TY_BOOL)))
            return false;
        for (uint32_t cell = 0; cell < cells; cell++) {
            planes[k * CELLS + cell] = p->const_value[from + cell];
            defined[k * CELLS + cell] = p->const_defined[from + cell];
        }
        *operand[k] = k * CELLS;
    }
    if (op == SpvOpSelect) { // SPIR-V has the condition first, struct inst last
        i.d = t0->kind == TY_VECTOR;
        i.a = CELLS;
        i.b = 2 * CELLS;
        i.c = 0;
    }
    uint64_t on = ~UINT64_C(0);
    struct values v = {
        .planes = planes, .defined = defined, .lanes = 1, .active = 1, .full = true, .on = &on};
    if (converts)
        float_run(&i, &v);
    else
        alu_run(&i, &v);
    for (uint32_t k = 0; k < t->cells; k++) {
        p->const_value[at + k] = planes[i.dst + k];
        p->const_defined[at + k] = (bool)(defined[i.dst + k] & 1);
    }
    return true;
}

bool load_constant_of(struct orc_program *p, uint32_t spv, struct orc_why *why)
{
    const struct spv_inst *s = &p->m.insts[spv];
    const struct type *t = &p->types[s->type];
    if (t->kind == TY_NONE)
        return true; // a use of it is an error
    if ((uint64_t)p->plane_count + t->cells > CELLS_MAX)
        return why_set(&p->m, why, RAN_UNSUPPORTED, NULL, spv, "constants of more than %d scalars",
                       CELLS_MAX);
    uint32_t at = constant_planes(p, t->cells), value;
    p->type_of[s->result] = s->type;
    p->plane[s->result] = at;
    for (uint32_t k = 0; k < t->cells; k++)
        p->const_defined[at + k] = s->op != SpvOpUndef;
    switch (s->op) {
    case SpvOpConstantTrue:
    case SpvOpConstantFalse:
    case SpvOpSpecConstantTrue:
    case SpvOpSpecConstantFalse:
        if (t->kind != TY_BOOL)
            return why_set(&p->m, why, RAN_INVALID, NULL, spv, "its type is not a boolean");
        p->const_value[at] = s->op == SpvOpConstantTrue || s->op == SpvOpSpecConstantTrue;
        if (specialised(p, s->result, &value))
            p->const_value[at] = value != 0;
        return true;
    case SpvOpConstant: // spv_module_read has checked that it is a number
    case SpvOpSpecConstant:
        p->const_value[at] = s->v[0];
        if (s->n > 1) // 64 bits
            p->const_value[at] |= (uint64_t)s->v[1] << 32;
        if (specialised(p, s->result, &value))
            p->const_value[at] = value;
        if (t->width < 64) // narrow constants are stored sign-extended
            p->const_value[at] &= (UINT64_C(1) << t->width) - 1;
        if (t->kind == TY_FLOAT) { // undefined for denormals and NaN, as in float_quieten
            int stored = t->width == 16 ? 10 : t->width == 32 ? 23 : 52;
            uint64_t most = (UINT64_C(1) << (t->width - 1 - stored)) - 1;
            uint64_t exponent = p->const_value[at] >> stored & most;
            p->const_defined[at] = (exponent != 0 && exponent != most) ||
                                   !(p->const_value[at] & ((UINT64_C(1) << stored) - 1));
        }
        return true;
    case SpvOpConstantComposite:
    case SpvOpSpecConstantComposite: {
        uint32_t cell = 0;
        for (uint32_t k = 0; k < s->n; k++) {
            uint32_t from = p->plane[s->v[k]];
            if (from == NONE) {
                p->plane[s->result] = NONE;
                return true;
            }
            uint32_t cells = p->types[p->type_of[s->v[k]]].cells;
            if (cells > t->cells - cell)
                return why_set(&p->m, why, RAN_INVALID, NULL, spv, "has too many constituents");
            memcpy(&p->const_value[at + cell], &p->const_value[from], cells * sizeof(uint64_t));
            memcpy(&p->const_defined[at + cell], &p->const_defined[from], cells * sizeof(bool));
            cell += cells;
        }
        return cell == t->cells ||
               why_set(&p->m, why, RAN_INVALID, NULL, spv, "has too few constituents for its type");
    }
    case SpvOpSpecConstantOp:
        if (!constant_op(p, s, at))
            p->plane[s->result] = NONE;
        return true;
    default: // OpConstantNull, OpUndef: zeros
        return true;
    }
}
