// SPDX-License-Identifier: Apache-2.0
//
// Values in memory (feature "stored"): what a front end emits, before any pass. Each value is
// stored once, where it is computed, and loaded at each use: in a Function variable of its own, or
// in an element of one array.
#include "emit_parts.h"

uint32_t emit_type(const struct emit *e, enum gen_type type)
{
    return type == TYPE_BOOL ? e->bool_type : type == TYPE_U32 ? e->u32 : e->ballot;
}

static bool is_stored(const struct emit *e, uint32_t value)
{
    const struct gen_value *v = &e->f->values.v[value];
    const enum gen_stmt_kind kind = v->def ? v->def->kind : STMT_KINDS;
    return (v->type == TYPE_U32 || (v->type == TYPE_BOOL && e->p->stored == STORED_ALONE)) &&
           (kind == STMT_LET || kind == STMT_OP || kind == STMT_CALL || kind == STMT_EXCHANGE);
}

void emit_places(struct emit *e)
{
    const uint32_t n = (uint32_t)e->f->values.n;
    struct spv_writer *w = e->w;
    uint32_t used = 0;
    e->place = ARENA_ARRAY(w->arena, uint32_t, n);
    e->array = 0;
    for (uint32_t i = 0; i < n && e->p->stored; i++) {
        if (!is_stored(e, i))
            continue;
        used++;
        if (e->p->stored == STORED_TOGETHER) {
            e->place[i] = emit_const(e, used - 1);
            continue;
        }
        const uint32_t type = emit_type(e, e->f->values.v[i].type);
        const uint32_t pointer = spv_type_pointer(w, SpvStorageClassFunction, type);
        e->place[i] = SPV_VALUE(w, SpvOpVariable, pointer, SpvStorageClassFunction);
    }
    if (!used || e->p->stored != STORED_TOGETHER)
        return;
    const uint32_t size = emit_const(e, used), array = spv_new_id(w);
    SPV_PUT(w, SPV_GLOBALS, SpvOpTypeArray, array, e->u32, size);
    const uint32_t pointer = spv_type_pointer(w, SpvStorageClassFunction, array);
    e->array = SPV_VALUE(w, SpvOpVariable, pointer, SpvStorageClassFunction);
}

static uint32_t pointer_to(struct emit *e, uint32_t value)
{
    return e->array ? SPV_VALUE(e->w, SpvOpAccessChain, e->function_u32, e->array, e->place[value])
                    : e->place[value];
}

void emit_bind(struct emit *e, uint32_t value, uint32_t id)
{
    e->value[value] = id;
    if (e->place[value])
        emit_store(e, pointer_to(e, value), id);
}

uint32_t emit_bound(struct emit *e, uint32_t value)
{
    if (!e->place[value])
        return e->value[value];
    const uint32_t type = emit_type(e, e->f->values.v[value].type);
    return emit_load(e, type, pointer_to(e, value));
}
