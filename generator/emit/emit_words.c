// SPDX-License-Identifier: Apache-2.0
//
// Basic instructions of emission: constants, loads and stores, labels, decorations, variables of
// the module. Also the record of harness code.
#include "emit_parts.h"

uint32_t emit_const(struct emit *e, uint32_t n)
{
    return spv_const_u32(e->w, n);
}

uint32_t emit_buffer_at(struct emit *e, uint32_t binding, uint32_t index)
{
    return SPV_VALUE(e->w, SpvOpAccessChain, e->buffer_u32, e->buffer[binding], emit_const(e, 0),
                     index);
}

uint32_t emit_load(struct emit *e, uint32_t type, uint32_t pointer)
{
    if (pointer & EMIT_SLOT)
        return e->now[pointer & ~EMIT_SLOT];
    return SPV_VALUE(e->w, SpvOpLoad, type, pointer);
}

void emit_store(struct emit *e, uint32_t pointer, uint32_t value)
{
    if (pointer & EMIT_SLOT)
        e->now[pointer & ~EMIT_SLOT] = value;
    else
        SPV_PUT(e->w, SPV_FUNCTIONS, SpvOpStore, pointer, value);
}

void emit_label(struct emit *e, uint32_t label)
{
    e->block = label;
    SPV_PUT(e->w, SPV_FUNCTIONS, SpvOpLabel, label);
}

void emit_decorate_with(struct emit *e, uint32_t id, SpvDecoration d, uint32_t v)
{
    SPV_PUT(e->w, SPV_ANNOTATIONS, SpvOpDecorate, id, (uint32_t)d, v);
}

void emit_decorate(struct emit *e, uint32_t id, SpvDecoration d)
{
    SPV_PUT(e->w, SPV_ANNOTATIONS, SpvOpDecorate, id, (uint32_t)d);
}

uint32_t emit_global_variable(struct emit *e, uint32_t type, SpvStorageClass sc, const char *name)
{
    uint32_t id = spv_new_id(e->w), pointer = spv_type_pointer(e->w, sc, type);
    SPV_PUT(e->w, SPV_GLOBALS, SpvOpVariable, pointer, id, (uint32_t)sc);
    spv_put_name(e->w, id, name);
    return id;
}

uint32_t emit_builtin(struct emit *e, uint32_t type, SpvBuiltIn which, const char *name)
{
    uint32_t id = emit_global_variable(e, type, SpvStorageClassInput, name);
    emit_decorate_with(e, id, SpvDecorationBuiltIn, (uint32_t)which);
    return id;
}

void emit_note_harness(struct emit *e, size_t from)
{
    const struct words *f = &e->w->section[SPV_FUNCTIONS];
    struct gen_harness h = {.label = e->block};
    for (; from < f->n; from += f->v[from] >> 16)
        h.count++;
    if (h.count)
        *VEC_PUSH(e->w->arena, &e->harness) = h;
}
