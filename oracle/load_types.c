// SPDX-License-Identifier: Apache-2.0
//
// Decodes types and global variables. Input: the module view and its decorations. Output: types[],
// objects[]. Ids that are not supported stay TY_NONE or NONE; only their use is an error.
#include "load.h"

#include <string.h>

bool why_set(const struct spv_module *m, struct orc_why *why, enum ran status, const char *rule,
             uint32_t spv, const char *fmt, ...)
{
    *why = (struct orc_why){.status = status};
    snprintf(why->rule, sizeof why->rule, "%s", rule ? rule : "");
    size_t at = 0;
    if (spv != NONE) {
        const struct spv_inst *i = &m->insts[spv];
        why->op = i->op;
        why->id = i->result ? i->result : i->n ? i->v[0] : 0;
        why->at = i->at;
        at = (size_t)snprintf(why->text, sizeof why->text,
                              "%s %s%%%u (word %u): ", spv_op_name(i->op), i->result ? "" : "of ",
                              why->id, i->at);
    }
    va_list args;
    va_start(args, fmt);
    why_reason(why, at, fmt, args);
    va_end(args);
    return false;
}

void why_reason(struct orc_why *why, size_t at, const char *fmt, va_list args)
{
    at = at < sizeof why->text ? at : sizeof why->text - 1;
    if (why->status == RAN_UNSUPPORTED)
        at +=
            (size_t)snprintf(why->text + at, sizeof why->text - at, "%s: ", ran_name(why->status));
    why->reason = (uint16_t)(at < sizeof why->text ? at : sizeof why->text - 1);
    vsnprintf(why->text + why->reason, sizeof why->text - why->reason, fmt, args);
}

static bool unsupported(struct orc_program *p, struct orc_why *why, uint32_t spv, const char *what)
{
    return why_set(&p->m, why, RAN_UNSUPPORTED, NULL, spv, "%s", what);
}

// ---- decorations ----------------------------------------------------------------

// Stores layout decorations in the types and members that they decorate.
static void decorate_types(struct orc_program *p)
{
    for (uint32_t k = 0; k < p->decoration_count; k++) {
        const struct decoration *d = &p->decorations[k];
        struct type *t = &p->types[d->target];
        if (d->member == NONE && d->kind == SpvDecorationArrayStride && d->n)
            t->stride = d->v[0];
        if (d->member >= t->member_count)
            continue; // another kind of target
        struct member *m = &t->member[d->member];
        if (d->kind == SpvDecorationOffset && d->n)
            m->offset = d->v[0];
        else if (d->kind == SpvDecorationMatrixStride && d->n)
            m->matrix_stride = d->v[0];
        else if (d->kind == SpvDecorationRowMajor)
            m->row_major = true;
        else if (d->kind == SpvDecorationCoherent)
            m->coherent = true;
    }
}

// ---- types ------------------------------------------------------------------------

// Decodes an array type. Its kind stays TY_NONE if its element type or length is not supported.
static bool array_of(struct orc_program *p, uint32_t spv, uint64_t *cells, struct orc_why *why)
{
    const struct spv_inst *s = &p->m.insts[spv];
    struct type *t = &p->types[s->result];
    const struct type *e = &p->types[s->v[0]];
    uint32_t length = p->plane[s->v[1]];
    if (e->kind == TY_NONE || length == NONE || (!p->const_defined[length] && !p->assumed))
        return true;
    uint64_t count = p->const_value[length];
    if (count == 0)
        return why_set(&p->m, why, RAN_INVALID, NULL, spv, "an array of no elements");
    if (count > CELLS_MAX)
        return unsupported(p, why, spv, "an array of more than 4194304 elements");
    t->kind = TY_ARRAY;
    t->elem = s->v[0];
    t->count = (uint32_t)count;
    *cells = e->cells * count;
    return true;
}

// Decodes a struct type. Its kind stays TY_NONE if a member is not supported.
static void struct_of(struct orc_program *p, const struct spv_inst *s, uint64_t *cells)
{
    struct type *t = &p->types[s->result];
    t->member = ARENA_ARRAY(p->arena, struct member, s->n);
    for (uint32_t k = 0; k < s->n; k++)
        if (p->types[s->v[k]].kind == TY_NONE)
            return;
    t->kind = TY_STRUCT;
    t->member_count = s->n;
    for (uint32_t k = 0; k < s->n; k++) {
        t->member[k] = (struct member){.type = s->v[k], .cell = (uint32_t)*cells, .offset = NONE};
        *cells += p->types[s->v[k]].cells;
    }
}

static const struct image_type *image_of(struct orc_program *p, const struct spv_inst *s)
{
    struct image_type *t = ARENA_NEW(p->arena, struct image_type);
    const struct type *e = &p->types[s->v[0]];
    t->texel = e->width != 32        ? 0
               : e->kind == TY_FLOAT ? 'f'
               : e->kind != TY_INT   ? 0
               : e->is_signed        ? 'i'
                                     : 'u';
    t->dim = s->v[1];
    t->arrayed = s->v[3] != 0;
    t->multisampled = s->v[4] != 0;
    t->storage = s->v[5] == 2;
    t->format = s->v[6];
    return t;
}

static bool one_type(struct orc_program *p, uint32_t spv, struct orc_why *why)
{
    const struct spv_inst *s = &p->m.insts[spv];
    struct type *t = &p->types[s->result];
    uint64_t cells = 0;
    const struct type *e;
    switch (s->op) {
    case SpvOpTypeVoid:
        t->kind = TY_VOID;
        break;
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
    case SpvOpTypeArray:
        if (!array_of(p, spv, &cells, why))
            return false;
        if (t->kind == TY_NONE)
            return true;
        break;
    case SpvOpTypeRuntimeArray:
        if (p->types[s->v[0]].kind == TY_NONE)
            return true;
        t->kind = TY_RUNTIME_ARRAY;
        t->elem = s->v[0];
        break;
    case SpvOpTypeStruct:
        struct_of(p, s, &cells);
        break;
    case SpvOpTypePointer:
        t->kind = TY_POINTER;
        t->storage = s->v[0];
        t->elem = s->v[1];
        t->width = 64;
        cells = 1;
        break;
    case SpvOpTypeForwardPointer: // OpTypePointer will declare the pointee
        if (s->v[1] != SpvStorageClassPhysicalStorageBuffer)
            return true;
        t = &p->types[s->v[0]];
        *t = (struct type){.kind = TY_POINTER, .storage = s->v[1], .width = 64};
        cells = 1;
        break;
    case SpvOpTypeSampler:
        t->kind = TY_SAMPLER;
        cells = 1;
        break;
    case SpvOpTypeImage:
        t->kind = TY_IMAGE;
        t->image = image_of(p, s);
        cells = 1;
        break;
    case SpvOpTypeRayQueryKHR:
    case SpvOpTypeAccelerationStructureKHR: // without contents: a scene that no ray meets
        t->kind = p->assumed ? TY_STRUCT : TY_NONE;
        break;
    case SpvOpTypeSampledImage:
        if (p->types[s->v[0]].kind != TY_IMAGE)
            return true;
        t->kind = TY_SAMPLED;
        t->image = p->types[s->v[0]].image;
        cells = 2;
        break;
    default:
        return true;
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
                uint32_t at =
                    row_major ? r * matrix_stride + col * bytes : col * matrix_stride + r * bytes;
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
    case TY_POINTER:
        if (t->storage == SpvStorageClassPhysicalStorageBuffer)
            out[(*n)++] = (struct layout_cell){base, 8};
        return t->storage == SpvStorageClassPhysicalStorageBuffer;
    default:
        return false; // booleans have no layout
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

// True for 32-bit numbers, and for vectors, matrices and arrays of them.
static bool all_words(const struct orc_program *p, const struct type *t)
{
    while (t->kind == TY_VECTOR || t->kind == TY_MATRIX || t->kind == TY_ARRAY)
        t = &p->types[t->elem];
    return (t->kind == TY_INT || t->kind == TY_FLOAT) && t->width == 32;
}

// False for a descriptor that no function names, of a run that assumes a device: it need not fit.
static bool is_used(const struct orc_program *p, uint32_t variable)
{
    const struct spv_module *m = &p->m;
    const uint32_t first = m->function_count ? m->functions[0].first : m->inst_count;
    bool used = !p->assumed;
    for (uint32_t k = first; k < m->inst_count && !used; k++)
        for (uint32_t j = 0; j < m->insts[k].n && !used; j++)
            used = m->insts[k].v[j] == variable;
    return used;
}

// Decodes a variable outside of functions; load_code.c decodes Function variables.
static bool global(struct orc_program *p, uint32_t spv, struct orc_why *why)
{
    const struct declared *declared = &p->declared[p->m.insts[spv].result];
    const struct spv_inst *s = &p->m.insts[spv];
    const struct type *ptr = &p->types[s->type];
    const struct type *t = &p->types[ptr->elem];
    struct object o = {.id = s->result,
                       .type = ptr->elem,
                       .init = NONE,
                       .builtin = NONE,
                       .function = NONE,
                       .cells = t->cells,
                       .set = NONE,
                       .binding = NONE};
    if (ptr->kind != TY_POINTER || t->kind == TY_NONE)
        return true;
    switch (s->v[0]) {
    case SpvStorageClassPrivate:
        o.kind = OBJ_LANE;
        break;
    case SpvStorageClassInput:
        o.kind = OBJ_LANE;
        o.builtin = declared->builtin;
        if (o.builtin == NONE)
            return true;
        break;
    case SpvStorageClassOutput: // nothing reads what a draw writes there
        if (!p->stage->has_outputs)
            return true;
        o.kind = OBJ_LANE;
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
        o.many = (t->kind == TY_ARRAY || t->kind == TY_RUNTIME_ARRAY) &&
                 p->types[t->elem].kind == TY_STRUCT;
        if (t->kind != TY_STRUCT && !o.many)
            return true; // arrays of arrays
        o.descriptors = !o.many ? 1 : t->kind == TY_ARRAY ? t->count : NONE;
        o.set = declared->set;
        o.binding = declared->binding;
        break;
    case SpvStorageClassPushConstant:
        o.kind = OBJ_PUSH;
        break;
    case SpvStorageClassUniformConstant: {
        const bool many = t->kind == TY_ARRAY || t->kind == TY_RUNTIME_ARRAY;
        const struct type *e = many ? &p->types[t->elem] : t;
        if (p->assumed && all_words(p, t)) { // OpenGL allows uniforms outside of blocks
            o.kind = OBJ_LANE;
            o.uniform = 1 + p->uniform_words;
            p->uniform_words += t->cells;
            break;
        }
        if (e->kind == TY_STRUCT && !e->cells && !many) { // an acceleration structure
            o.kind = OBJ_LANE;
            break;
        }
        if (!load_is_opaque(e) || !is_used(p, s->result))
            return true;
        o.image = e->image;
        o.kind = e->image && e->image->storage ? OBJ_BUFFER : OBJ_BOUND;
        o.samples = e->kind != TY_IMAGE;
        o.descriptors = !many ? 1 : t->kind == TY_ARRAY ? t->count : NONE;
        o.set = declared->set;
        o.binding = declared->binding;
        break;
    }
    default:
        return true;
    }
    if (s->n > 1) {
        o.init = p->plane[s->v[1]];
        if (o.init == NONE)
            return true;
    }
    p->type_of[s->result] = s->type;
    p->objects[p->object_count++] = o;
    return true;
}

bool load_types(struct orc_program *p, struct orc_why *why)
{
    uint32_t bound = p->m.bound, variables = 0;
    p->types = ARENA_ARRAY(p->arena, struct type, bound);
    p->plane = ARENA_ARRAY(p->arena, uint32_t, bound);
    p->type_of = ARENA_ARRAY(p->arena, uint32_t, bound);
    memset(p->plane, 0xff, bound * sizeof *p->plane);
    for (uint32_t k = 0; k < p->m.inst_count; k++)
        variables += p->m.insts[k].op == SpvOpVariable;
    p->objects = ARENA_ARRAY(p->arena, struct object, variables + 1);
    if (p->physical)
        p->objects[p->object_count++] = (struct object){.kind = OBJ_BUFFER,
                                                        .many = true,
                                                        .descriptors = NONE,
                                                        .set = SPV_ADDRESS_SET,
                                                        .init = NONE,
                                                        .builtin = NONE,
                                                        .function = NONE};
    for (uint32_t k = 0; k < p->m.inst_count; k++) {
        const struct spv_inst *s = &p->m.insts[k];
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
        case SpvOpTypeForwardPointer:
        case SpvOpTypeImage:
        case SpvOpTypeSampler:
        case SpvOpTypeSampledImage:
        case SpvOpTypeRayQueryKHR:
        case SpvOpTypeAccelerationStructureKHR:
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
            if (!load_constant_of(p, k, why))
                return false;
            break;
        case SpvOpVariable:
            if (!global(p, k, why))
                return false;
            break;
        default:
            break;
        }
    }
    decorate_types(p);
    return true;
}
