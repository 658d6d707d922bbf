// SPDX-License-Identifier: Apache-2.0
//
// Loads, stores and array lengths: where they go, as far as it is known, and how
// the value is laid out there.
#include "load.h"

bool load_access(struct code *c)
{
    struct orc_program *p = c->p;
    const struct spv_inst *s = &p->m.insts[c->spv];
    bool is_load = s->op == SpvOpLoad;
    uint32_t pointer = s->v[0], value = is_load ? s->result : s->v[1];
    const struct type *ptr = code_type(c, pointer);
    if (ptr->kind != TY_POINTER || p->plane[pointer] == NONE)
        return code_unsupported(c, "access through what is no known pointer");
    const struct type *t = &p->types[ptr->elem];
    struct inst *i = code_add(c, is_load ? IN_LOAD : IN_STORE);
    const struct pointer_info *info = &c->info[pointer];
    if (!is_load && !code_operand(c, value, &i->b))
        return false;
    if (code_type(c, value)->cells != t->cells)
        return code_invalid(c, "value and pointer are of different types");
    i->a = p->plane[pointer];
    i->comps = t->cells;
    i->object = info->bad ? NONE : info->object;
    i->is_static = info->is_static && !info->bad;
    i->offset = info->offset;
    if (load_is_laid_out(ptr->storage)) {
        struct layout_cell *layout;
        if (!load_layout(p, ptr->elem, info->matrix_stride, info->row_major, &layout, &i->n))
            return code_unsupported(c, "a type without layout in a buffer");
        i->layout = layout;
        for (uint32_t k = 0; k < i->n; k++)
            p->small_access |= layout[k].bytes < 4;
        if (is_load)
            load_quieten(c, ptr->elem, i->dst);
    }
    if (!is_load) {
        for (uint32_t k = 0; k < p->object_count; k++)
            if (i->object == k || i->object == NONE)
                p->objects[k].may_be_written = true;
    }
    return true;
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
        return code_unsupported(c, "the length of what is no runtime array of a known buffer");
    struct inst *i = code_add(c, IN_LENGTH);
    i->object = info->object;
    i->offset = t->member[s->v[1]].offset;
    i->n = p->types[t->member[s->v[1]].type].stride;
    if (i->n == 0)
        return code_invalid(c, "its array has no ArrayStride");
    return true;
}
