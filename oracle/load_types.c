// SPDX-License-Identifier: Apache-2.0
//
// Types, constants and global variables of a module. In: the module view and the
// case's specialisation. Out: types[], the constant planes, objects[]. Ids of
// what the oracle does not know stay TY_NONE or NONE: only who uses one fails.
#include "machine.h"

#include <string.h>

enum { CELLS_MAX = 1 << 22 }; // of one type: memory stays bounded on any words

bool why_set(const struct spv_module *m, struct orc_why *why, enum orc_status status,
             const char *rule, uint32_t spv, const char *fmt, ...)
{
    *why = (struct orc_why){.status = status};
    snprintf(why->rule, sizeof why->rule, "%s", rule ? rule : "");
    size_t at = 0;
    if (spv != NONE) {
        const struct spv_inst *i = &m->insts[spv];
        why->op = i->op;
        why->id = i->result ? i->result : i->n ? i->v[0] : 0;
        why->at = i->at;
        at = (size_t)snprintf(why->text, sizeof why->text, "%s %s%%%u (word %u): ",
                              spv_op_name(i->op), i->result ? "" : "of ", why->id, i->at);
    }
    va_list args;
    va_start(args, fmt);
    if (at < sizeof why->text)
        vsnprintf(why->text + at, sizeof why->text - at, fmt, args);
    va_end(args);
    return false;
}

static bool unsupported(struct orc_program *p, struct orc_why *why, uint32_t spv, const char *what)
{
    return why_set(&p->m, why, ORC_UNSUPPORTED, NULL, spv, "unsupported: %s", what);
}

// ---- decorations ----------------------------------------------------------------

// What is said of variables and specialisation constants; NONE where nothing is.
struct decorations {
    uint32_t spec_id, set, binding, builtin;
};

static struct decorations *decorations(const struct orc_program *p)
{
    struct decorations *all = ARENA_ARRAY(p->arena, struct decorations, p->m.bound);
    memset(all, 0xff, p->m.bound * sizeof *all);
    for (uint32_t k = 0; k < p->m.inst_count; k++) {
        const struct spv_inst *i = &p->m.insts[k];
        if (i->op == SpvOpFunction)
            break;
        if (i->op != SpvOpDecorate || i->n < 3)
            continue;
        struct decorations *d = &all[i->v[0]];
        switch (i->v[1]) {
        case SpvDecorationSpecId: d->spec_id = i->v[2]; break;
        case SpvDecorationDescriptorSet: d->set = i->v[2]; break;
        case SpvDecorationBinding: d->binding = i->v[2]; break;
        case SpvDecorationBuiltIn: d->builtin = i->v[2]; break;
        default: break;
        }
    }
    return all;
}

// Layout decorations, kept with the types and members that they describe.
static void decorate_types(struct orc_program *p)
{
    for (uint32_t k = 0; k < p->m.inst_count; k++) {
        const struct spv_inst *i = &p->m.insts[k];
        if (i->op == SpvOpFunction)
            return;
        if (i->op == SpvOpDecorate && i->n == 3 && i->v[1] == SpvDecorationArrayStride)
            p->types[i->v[0]].stride = i->v[2];
        if (i->op != SpvOpMemberDecorate || i->n < 3)
            continue;
        struct type *t = &p->types[i->v[0]];
        if (i->v[1] >= t->member_count)
            continue;
        struct member *m = &t->member[i->v[1]];
        if (i->v[2] == SpvDecorationOffset && i->n > 3)
            m->offset = i->v[3];
        else if (i->v[2] == SpvDecorationMatrixStride && i->n > 3)
            m->matrix_stride = i->v[3];
        else if (i->v[2] == SpvDecorationRowMajor)
            m->row_major = true;
    }
}

// ---- constants --------------------------------------------------------------------

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

struct loader {
    struct orc_program *p;
    struct orc_why *why;
    const struct decorations *decorations;
};

static bool specialised(const struct loader *ld, uint32_t id, uint32_t *value)
{
    const struct spv_case *c = ld->p->c;
    for (uint32_t k = 0; k < c->spec_count; k++)
        if (c->spec[k].id == ld->decorations[id].spec_id) {
            *value = c->spec[k].value;
            return true;
        }
    return false;
}

// OpSpecConstantOp: the instruction inside, run on one lane.
static bool constant_op(struct orc_program *p, const struct spv_inst *s, uint32_t at)
{
    enum { OPERANDS = 4, CELLS = 16 };
    uint32_t op = s->v[0], n = s->n - 1;
    const struct type *t = &p->types[s->type];
    if (!alu_knows(op) || n < 1 || n > OPERANDS || t->cells > CELLS)
        return false;
    // Operand k in planes k * CELLS, the result behind them.
    uint64_t planes[(OPERANDS + 1) * CELLS] = {0};
    lane_mask defined[(OPERANDS + 1) * CELLS] = {0};
    struct inst i = {.op = (uint16_t)op, .dst = OPERANDS * CELLS, .comps = t->cells,
                     .width2 = t->width};
    uint32_t *operand[OPERANDS] = {&i.a, &i.b, &i.c, &i.d};
    for (uint32_t k = 0; k < n; k++) {
        uint32_t from = p->plane[s->v[1 + k]], type = p->type_of[s->v[1 + k]];
        if (from == NONE || p->types[type].cells > CELLS)
            return false;
        for (uint32_t cell = 0; cell < p->types[type].cells; cell++) {
            planes[k * CELLS + cell] = p->const_value[from + cell];
            defined[k * CELLS + cell] = p->const_defined[from + cell];
        }
        *operand[k] = k * CELLS;
        if (k == 0)
            i.width = p->types[type].width;
    }
    if (op == SpvOpSelect) { // condition first in SPIR-V, last here
        i.d = p->types[p->type_of[s->v[1]]].kind == TY_VECTOR;
        i.a = CELLS;
        i.b = 2 * CELLS;
        i.c = 0;
    }
    uint64_t on = ~UINT64_C(0);
    struct values v = {.planes = planes, .defined = defined, .lanes = 1, .active = 1,
                       .full = true, .on = &on};
    alu_run(&i, &v);
    for (uint32_t k = 0; k < t->cells; k++) {
        p->const_value[at + k] = planes[i.dst + k];
        p->const_defined[at + k] = (bool)(defined[i.dst + k] & 1);
    }
    return true;
}

static bool constant(struct loader *ld, uint32_t spv)
{
    struct orc_program *p = ld->p;
    struct orc_why *why = ld->why;
    const struct spv_inst *s = &p->m.insts[spv];
    const struct type *t = &p->types[s->type];
    if (t->kind == TY_NONE)
        return true; // a use of it will say so
    if ((uint64_t)p->plane_count + t->cells > CELLS_MAX)
        return unsupported(p, why, spv, "constants of more than 4194304 scalars");
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
            return why_set(&p->m, why, ORC_INVALID, NULL, spv, "its type is no boolean");
        p->const_value[at] = s->op == SpvOpConstantTrue || s->op == SpvOpSpecConstantTrue;
        if (specialised(ld, s->result, &value))
            p->const_value[at] = value != 0;
        return true;
    case SpvOpConstant:
    case SpvOpSpecConstant:
        if (t->kind != TY_INT && t->kind != TY_FLOAT)
            return why_set(&p->m, why, ORC_INVALID, NULL, spv, "its type is no number");
        p->const_value[at] = s->v[0];
        if (t->width == 64 && s->n > 1)
            p->const_value[at] |= (uint64_t)s->v[1] << 32;
        if (specialised(ld, s->result, &value))
            p->const_value[at] = value;
        if (t->width < 64) // stored sign-extended when narrow
            p->const_value[at] &= (UINT64_C(1) << t->width) - 1;
        if (t->kind == TY_FLOAT) { // no denormal, no NaN: float_quieten
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
                return why_set(&p->m, why, ORC_INVALID, NULL, spv, "has too many constituents");
            memcpy(&p->const_value[at + cell], &p->const_value[from], cells * sizeof(uint64_t));
            memcpy(&p->const_defined[at + cell], &p->const_defined[from], cells * sizeof(bool));
            cell += cells;
        }
        return true;
    }
    case SpvOpSpecConstantOp:
        if (!constant_op(p, s, at))
            p->plane[s->result] = NONE;
        return true;
    default: // OpConstantNull, OpUndef: zeros
        return true;
    }
}

// ---- types ------------------------------------------------------------------------

static bool one_type(struct orc_program *p, uint32_t spv, struct orc_why *why)
{
    const struct spv_inst *s = &p->m.insts[spv];
    struct type *t = &p->types[s->result];
    uint32_t stride = t->stride;
    uint64_t cells = 0;
    const struct type *e;
    *t = (struct type){.stride = stride};
    switch (s->op) {
    case SpvOpTypeVoid: t->kind = TY_VOID; break;
    case SpvOpTypeBool:
        t->kind = TY_BOOL;
        t->width = 1;
        cells = 1;
        break;
    case SpvOpTypeInt:
    case SpvOpTypeFloat:
        if (s->v[0] != 8 && s->v[0] != 16 && s->v[0] != 32 && s->v[0] != 64)
            return true;
        if (s->op == SpvOpTypeFloat && (s->n > 1 || s->v[0] == 8))
            return true; // bfloat16 and other encodings
        t->kind = s->op == SpvOpTypeInt ? TY_INT : TY_FLOAT;
        t->width = (uint8_t)s->v[0];
        t->is_signed = s->op == SpvOpTypeInt && s->v[1];
        cells = 1;
        break;
    case SpvOpTypeVector:
    case SpvOpTypeMatrix:
        e = &p->types[s->v[0]];
        t->count = s->v[1];
        if (e->kind == TY_NONE || t->count > 16)
            return true;
        t->kind = s->op == SpvOpTypeVector ? TY_VECTOR : TY_MATRIX;
        t->elem = s->v[0];
        t->width = e->width;
        t->is_signed = e->is_signed;
        cells = (uint64_t)e->cells * t->count;
        break;
    case SpvOpTypeArray: {
        uint32_t length = p->plane[s->v[1]];
        e = &p->types[s->v[0]];
        if (e->kind == TY_NONE || length == NONE || !p->const_defined[length])
            return true;
        uint64_t count = p->const_value[length];
        if (count == 0 || count > CELLS_MAX)
            return unsupported(p, why, spv, "an array of more than 4194304 elements");
        t->kind = TY_ARRAY;
        t->elem = s->v[0];
        t->count = (uint32_t)count;
        cells = e->cells * count;
        break;
    }
    case SpvOpTypeRuntimeArray:
        if (p->types[s->v[0]].kind == TY_NONE)
            return true;
        t->kind = TY_RUNTIME_ARRAY;
        t->elem = s->v[0];
        break;
    case SpvOpTypeStruct:
        t->member_count = s->n;
        t->member = ARENA_ARRAY(p->arena, struct member, s->n);
        t->kind = TY_STRUCT;
        for (uint32_t k = 0; k < s->n; k++) {
            e = &p->types[s->v[k]];
            if (e->kind == TY_NONE) {
                t->kind = TY_NONE;
                t->member_count = 0;
                return true;
            }
            t->member[k] = (struct member){
                .type = s->v[k], .cell = (uint32_t)cells, .offset = NONE};
            cells += e->cells;
            if (cells > CELLS_MAX)
                break;
        }
        break;
    case SpvOpTypePointer:
        t->kind = TY_POINTER;
        t->storage = s->v[0];
        t->elem = s->v[1];
        t->width = 64;
        cells = 1;
        break;
    case SpvOpTypeFunction: t->kind = TY_FUNCTION; break;
    default: return true;
    }
    if (cells > CELLS_MAX)
        return unsupported(p, why, spv, "a type of more than 4194304 scalars");
    t->cells = (uint32_t)cells;
    return true;
}

static bool layout_of(struct orc_program *p, uint32_t type, uint32_t base, uint32_t matrix_stride,
                      bool row_major, struct layout_cell *out, uint32_t *n)
{
    const struct type *t = &p->types[type];
    switch (t->kind) {
    case TY_INT:
    case TY_FLOAT:
        out[(*n)++] = (struct layout_cell){base, (uint8_t)(t->width / 8)};
        return true;
    case TY_VECTOR:
        for (uint32_t k = 0; k < t->count; k++)
            if (!layout_of(p, t->elem, base + k * (t->width / 8u), 0, false, out, n))
                return false;
        return true;
    case TY_MATRIX:
        if (!matrix_stride)
            return false;
        for (uint32_t col = 0; col < t->count; col++) {
            const struct type *column = &p->types[t->elem];
            for (uint32_t r = 0; r < column->count; r++) {
                uint32_t bytes = t->width / 8u;
                uint32_t at = row_major ? r * matrix_stride + col * bytes
                                        : col * matrix_stride + r * bytes;
                out[(*n)++] = (struct layout_cell){base + at, (uint8_t)bytes};
            }
        }
        return true;
    case TY_ARRAY:
        if (!t->stride)
            return false;
        for (uint32_t k = 0; k < t->count; k++)
            if (!layout_of(p, t->elem, base + k * t->stride, matrix_stride, row_major, out, n))
                return false;
        return true;
    case TY_STRUCT:
        for (uint32_t k = 0; k < t->member_count; k++) {
            const struct member *m = &t->member[k];
            if (m->offset == NONE || p->types[m->type].kind == TY_RUNTIME_ARRAY ||
                !layout_of(p, m->type, base + m->offset, m->matrix_stride, m->row_major, out, n))
                return false;
        }
        return true;
    default: return false; // booleans and pointers have no layout
    }
}

bool load_layout(struct orc_program *p, uint32_t type, uint32_t matrix_stride, bool row_major,
                 struct layout_cell **out, uint32_t *n)
{
    *out = ARENA_ARRAY(p->arena, struct layout_cell, p->types[type].cells);
    *n = 0;
    return layout_of(p, type, 0, matrix_stride, row_major, *out, n);
}

// ---- variables --------------------------------------------------------------------

static bool global(struct loader *ld, uint32_t spv)
{
    struct orc_program *p = ld->p;
    struct orc_why *why = ld->why;
    const struct decorations *said = &ld->decorations[p->m.insts[spv].result];
    const struct spv_inst *s = &p->m.insts[spv];
    const struct type *ptr = &p->types[s->type];
    const struct type *t = &p->types[ptr->elem];
    struct object o = {.id = s->result, .type = ptr->elem, .init = NONE, .builtin = NONE,
                       .function = NONE, .cells = t->cells, .set = NONE, .binding = NONE};
    if (ptr->kind != TY_POINTER || t->kind == TY_NONE)
        return true;
    switch (s->v[0]) {
    case SpvStorageClassPrivate: o.kind = OBJ_LANE; break;
    case SpvStorageClassInput:
        o.kind = OBJ_LANE;
        o.builtin = said->builtin;
        if (o.builtin == NONE)
            return true;
        break;
    case SpvStorageClassWorkgroup:
        o.kind = OBJ_SHARED;
        o.plane = p->shared_cells;
        p->shared_cells += o.cells;
        if (p->shared_cells > CELLS_MAX)
            return unsupported(p, why, spv, "Workgroup memory of more than 4194304 scalars");
        break;
    case SpvStorageClassUniform:
    case SpvStorageClassStorageBuffer:
        o.kind = OBJ_BUFFER;
        if (t->kind != TY_STRUCT)
            return true; // arrays of descriptors
        o.set = said->set;
        o.binding = said->binding;
        break;
    case SpvStorageClassPushConstant: o.kind = OBJ_PUSH; break;
    default: return true;
    }
    if (s->n > 1) {
        o.init = p->plane[s->v[1]];
        if (o.init == NONE)
            return true;
    }
    p->object_of[s->result] = p->object_count;
    p->type_of[s->result] = s->type;
    p->objects[p->object_count++] = o;
    return true;
}

bool load_types(struct orc_program *p, struct orc_why *why)
{
    uint32_t bound = p->m.bound, variables = 0;
    struct loader ld = {.p = p, .why = why, .decorations = decorations(p)};
    p->types = ARENA_ARRAY(p->arena, struct type, bound);
    p->plane = ARENA_ARRAY(p->arena, uint32_t, bound);
    p->type_of = ARENA_ARRAY(p->arena, uint32_t, bound);
    p->object_of = ARENA_ARRAY(p->arena, uint32_t, bound);
    memset(p->plane, 0xff, bound * sizeof *p->plane);
    memset(p->object_of, 0xff, bound * sizeof *p->object_of);
    for (uint32_t k = 0; k < p->m.inst_count; k++)
        variables += p->m.insts[k].op == SpvOpVariable;
    p->objects = ARENA_ARRAY(p->arena, struct object, variables);

    bool in_function = false;
    for (uint32_t k = 0; k < p->m.inst_count; k++) {
        const struct spv_inst *s = &p->m.insts[k];
        in_function |= s->op == SpvOpFunction;
        switch (s->op) {
        case SpvOpTypeVoid:
        case SpvOpTypeBool:
        case SpvOpTypeInt:
        case SpvOpTypeFloat:
        case SpvOpTypeVector:
        case SpvOpTypeMatrix:
        case SpvOpTypeArray:
        case SpvOpTypeRuntimeArray:
        case SpvOpTypeStruct:
        case SpvOpTypePointer:
        case SpvOpTypeFunction:
            if (!one_type(p, k, why))
                return false;
            break;
        case SpvOpConstantTrue:
        case SpvOpConstantFalse:
        case SpvOpConstant:
        case SpvOpConstantComposite:
        case SpvOpConstantNull:
        case SpvOpSpecConstantTrue:
        case SpvOpSpecConstantFalse:
        case SpvOpSpecConstant:
        case SpvOpSpecConstantComposite:
        case SpvOpSpecConstantOp:
        case SpvOpUndef:
            if (!constant(&ld, k))
                return false;
            break;
        case SpvOpVariable:
            if (!in_function && !global(&ld, k))
                return false;
            break;
        default: break;
        }
    }
    decorate_types(p);
    return true;
}
