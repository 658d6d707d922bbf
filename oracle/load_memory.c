// SPDX-License-Identifier: Apache-2.0
//
// Decodes loads, stores, atomics and array lengths: the object and offset if known, and the layout
// of the value in memory.
#include "load.h"

void load_mark_written(struct orc_program *p, uint32_t object)
{
    for (uint32_t k = 0; k < p->object_count; k++)
        if (object == k || object == NONE)
            p->objects[k].may_be_written = true;
}

// True if an index of an access chain is NonUniform. R10 requires it on the pointer, but compilers
// have put it on the index; analysed shaders (portable/) cannot change that.
static bool index_differs(const struct code *c, uint32_t pointer)
{
    const struct spv_module *m = &c->p->m;
    const struct spv_inst *d = spv_def(m, pointer);
    for (int depth = 0;
         d && depth < 64 && (d->op == SpvOpAccessChain || d->op == SpvOpInBoundsAccessChain);
         depth++) {
        for (uint32_t k = 0; k < d->n; k++)
            if (c->non_uniform[d->v[k]])
                return true;
        d = spv_def(m, d->v[0]);
    }
    return false;
}

bool load_wants_uniform(const struct code *c, uint32_t pointer)
{
    const struct orc_program *p = c->p;
    const struct type *t = code_type(c, pointer);
    const struct pointer_info *info = &c->info[pointer];
    const bool storage = t->storage == SpvStorageClassStorageBuffer;
    return (storage || t->storage == SpvStorageClassUniform) && !info->is_static &&
           (info->object == NONE || p->objects[info->object].many) &&
           !((c->non_uniform[pointer] || (p->assumed && index_differs(c, pointer))) &&
             p->has_buffer_array[storage]);
}

bool load_address(struct code *c)
{
    const struct spv_inst *s = &c->p->m.insts[c->spv];
    const struct type *t = &c->p->types[s->type], *t0 = code_type(c, s->v[0]);
    uint32_t plane;
    if (!code_operand(c, s->v[0], &plane))
        return false;
    if (t->width != 64 || t0->width != 64 || t->cells != 1 || t0->cells != 1 ||
        (t->kind == TY_POINTER ? t : t0)->storage != SpvStorageClassPhysicalStorageBuffer)
        return code_unsupported(c,
                                "an address converted to or from a number that is not of 64 bits");
    struct inst *i = code_add(c, IN_MOVE);
    i->moves = ARENA_NEW(c->p->arena, struct move);
    i->moves[i->n++] = (struct move){i->dst, plane};
    return true;
}

// R15: does a volatile load of this object read the current state of HelperInvocation? The text of
// the extension, which a demote needs before SPIR-V 1.6, leaves the value undefined after it.
static bool reads_helper_state(const struct orc_program *p, const struct object *o)
{
    return o->builtin == SpvBuiltInHelperInvocation &&
           !spv_declares(&p->m, "SPV_EXT_demote_to_helper_invocation");
}

// Adds a load to, or a store from, the planes of a value of the pointee's type.
static bool access(struct code *c, uint32_t pointer, bool is_load, uint32_t plane,
                   const uint32_t *operands, uint32_t operand_count)
{
    struct orc_program *p = c->p;
    const struct type *ptr = code_type(c, pointer);
    if (ptr->kind != TY_POINTER || p->plane[pointer] == NONE)
        return code_unknown_pointer(c, pointer, "access through an unknown pointer");
    const struct type *t = &p->types[ptr->elem];
    const struct pointer_info *info = &c->info[pointer];
    const bool is_volatile =
        info->object != NONE && (c->is_volatile[p->objects[info->object].id] ||
                                 (operand_count && operands[0] & SpvMemoryAccessVolatileMask));
    const bool now = is_load && is_volatile && reads_helper_state(p, &p->objects[info->object]);
    struct inst *i = code_add(c, now ? IN_HELPER : is_load ? IN_LOAD : IN_STORE);
    if (is_load)
        i->dst = plane;
    else
        i->b = plane;
    if (now)
        return true;
    i->a = p->plane[pointer];
    i->comps = t->cells;
    i->object = info->object;
    i->is_static = info->is_static;
    i->offset = info->offset;
    i->uniform = load_wants_uniform(c, pointer);
    if (operand_count > 1 && operands[0] & SpvMemoryAccessAlignedMask)
        i->align = operands[1];
    if (!is_load)
        load_mark_written(p, i->object);
    if (!load_order_of_access(c, ptr->storage, info->coherent, operands, operand_count, &i->order))
        return false;
    if (load_is_laid_out(ptr->storage)) {
        struct layout_cell *layout;
        if (!load_layout(p, ptr->elem, info->matrix_stride, info->row_major, &layout, &i->n))
            return code_unsupported(c, "a type without layout in a buffer");
        i->layout = layout;
        i->space = ORDER_BUFFER;
        for (uint32_t k = 0; k < i->n; k++)
            p->small_access |= layout[k].bytes < 4;
        if (is_load)
            load_quieten(c, ptr->elem, plane);
    }
    return true;
}

bool load_store_of(struct code *c, uint32_t pointer, uint32_t plane)
{
    return access(c, pointer, false, plane, NULL, 0);
}

bool load_access(struct code *c)
{
    const struct spv_inst *s = &c->p->m.insts[c->spv];
    bool is_load = s->op == SpvOpLoad;
    uint32_t value = is_load ? s->result : s->v[1], plane = c->p->plane[value];
    const struct type *ptr = code_type(c, s->v[0]);
    if (is_load && ptr->kind == TY_POINTER && load_is_opaque(&c->p->types[ptr->elem]))
        return load_descriptor(c);
    if (!is_load && !code_operand(c, value, &plane))
        return false;
    if (ptr->kind == TY_POINTER && code_type(c, value)->cells != c->p->types[ptr->elem].cells)
        return code_invalid(c, "value and pointer are of different types");
    uint32_t fixed = is_load ? 1 : 2;
    return access(c, s->v[0], is_load, plane, s->v + fixed, s->n > fixed ? s->n - fixed : 0);
}

bool load_array_length(struct code *c)
{
    struct orc_program *p = c->p;
    const struct spv_inst *s = &p->m.insts[c->spv];
    const struct pointer_info *info = &c->info[s->v[0]];
    const struct type *ptr = code_type(c, s->v[0]);
    const struct type *t = &p->types[ptr->elem];
    if (ptr->kind != TY_POINTER || t->kind != TY_STRUCT || s->v[1] >= t->member_count ||
        p->types[t->member[s->v[1]].type].kind != TY_RUNTIME_ARRAY || info->object == NONE ||
        p->objects[info->object].kind != OBJ_BUFFER)
        return code_unsupported(
            c, "the length of something other than a runtime array of a known buffer");
    struct inst *i = code_add(c, IN_LENGTH);
    i->object = info->object;
    i->a = p->plane[s->v[0]];
    i->uniform = load_wants_uniform(c, s->v[0]);
    i->offset = t->member[s->v[1]].offset;
    i->n = p->types[t->member[s->v[1]].type].stride;
    if (i->n == 0)
        return code_invalid(c, "its array has no ArrayStride");
    return true;
}

// Operands: Pointer, Scope, Semantics, then [Unequal semantics,] [Value,] [Comparator].
bool load_atomic(struct code *c)
{
    struct orc_program *p = c->p;
    const struct spv_inst *s = &p->m.insts[c->spv];
    uint32_t pointer = s->v[0];
    const struct type *ptr = code_type(c, pointer);
    uint64_t scope;
    if (ptr->kind != TY_POINTER || p->plane[pointer] == NONE)
        return code_unsupported(c, "an atomic on an unknown pointer");
    const struct type *t = &p->types[ptr->elem];
    if (ptr->storage != SpvStorageClassStorageBuffer && ptr->storage != SpvStorageClassUniform &&
        ptr->storage != SpvStorageClassWorkgroup && ptr->storage != SpvStorageClassImage &&
        ptr->storage != SpvStorageClassPhysicalStorageBuffer)
        return code_unsupported(c,
                                "an atomic on memory that is neither buffer, image nor Workgroup");
    const bool floats = s->op == SpvOpAtomicFAddEXT || s->op == SpvOpAtomicFMinEXT ||
                        s->op == SpvOpAtomicFMaxEXT,
               moves = s->op == SpvOpAtomicLoad || s->op == SpvOpAtomicStore ||
                       s->op == SpvOpAtomicExchange;
    if (!p->assumed && t->kind != TY_INT)
        return code_unsupported(c, "an atomic on a type other than integer");
    if (floats ? t->kind != TY_FLOAT : t->kind != TY_INT && !(moves && t->kind == TY_FLOAT))
        return code_unsupported(c, "an atomic on a type that it does not allow");

    if (!code_constant(c, s->v[1], &scope) ||
        (scope != SpvScopeDevice && scope != SpvScopeWorkgroup && scope != SpvScopeQueueFamily))
        return code_unsupported(c, "its scope");
    struct inst *i = code_add(c, IN_ATOMIC);
    const struct pointer_info *info = &c->info[pointer];
    i->a = p->plane[pointer];
    i->b = i->c = NONE;
    bool exchanges = s->op == SpvOpAtomicCompareExchange;
    uint32_t first = exchanges ? 4 : 3;
    if ((s->n > first && !code_operand(c, s->v[first], &i->b)) ||
        (exchanges && !code_operand(c, s->v[5], &i->c)))
        return false;
    if (i->b != NONE && code_type(c, s->v[first])->cells != 1)
        return code_invalid(c, "has a value of another type");
    i->width = t->width;
    i->is_float = floats;
    i->group_op = (uint16_t)scope;
    i->order = load_order_of_atomic();
    uint64_t semantics;
    for (uint32_t k = 2; k < first; k++)
        p->atomic_order |=
            !code_constant(c, s->v[k], &semantics) ||
            semantics & (SpvMemorySemanticsAcquireMask | SpvMemorySemanticsReleaseMask |
                         SpvMemorySemanticsAcquireReleaseMask |
                         SpvMemorySemanticsSequentiallyConsistentMask);
    i->n = ptr->storage != SpvStorageClassWorkgroup; // offsets are in bytes, not cells
    i->space = ptr->storage == SpvStorageClassImage ? ORDER_IMAGE
               : i->n                               ? ORDER_BUFFER
                                                    : ORDER_SHARED;
    p->small_access |= i->n && t->width < 32;
    i->uniform = load_wants_uniform(c, pointer);
    i->object = info->object;
    i->is_static = info->is_static;
    i->offset = info->offset;
    load_mark_written(p, i->object);
    return true;
}

// Returns the number of words of a list of memory operands that begins with this mask.
static uint32_t operand_words(uint32_t mask)
{
    return 1u + ((mask & SpvMemoryAccessAlignedMask) != 0) +
           ((mask & SpvMemoryAccessMakePointerAvailableMask) != 0) +
           ((mask & SpvMemoryAccessMakePointerVisibleMask) != 0);
}

// OpCopyMemory: adds a load and a store.
bool load_copy_memory(struct code *c)
{
    struct orc_program *p = c->p;
    const struct spv_inst *s = &p->m.insts[c->spv];
    const struct type *to = code_type(c, s->v[0]), *from = code_type(c, s->v[1]);
    if (to->kind != TY_POINTER || from->kind != TY_POINTER ||
        p->types[to->elem].cells != p->types[from->elem].cells ||
        p->types[to->elem].kind == TY_RUNTIME_ARRAY)
        return code_unsupported(c, "a copy that is not between known pointers to one type");
    uint32_t cells = p->types[from->elem].cells, plane = p->plane_count;
    if ((uint64_t)plane + cells > PLANES_MAX)
        return code_unsupported(c, "values of more than 8388608 scalars");
    p->plane_count += cells;
    // One list of memory operands applies to both; of two lists the first applies to the target
    // (SPIR-V 1.4).
    const uint32_t *list = s->v + 2, words = s->n - 2u, first = words ? operand_words(list[0]) : 0;
    const bool two = words > first;
    return access(c, s->v[1], true, plane, two ? list + first : list,
                  two ? words - first : words) &&
           access(c, s->v[0], false, plane, list, two ? first : words);
}
