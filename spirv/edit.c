// SPDX-License-Identifier: Apache-2.0
//
// Edits a module as a linked list of instructions (spirv_edit.h).
#include "spirv_edit.h"

#include <string.h>

enum { MAP_CHAIN = 64, IDS_FIRST = 64 };

static struct spv_node *node_of(const struct spv_edit *e, uint32_t i)
{
    return e->node.v[i];
}

static void ids_room(struct spv_edit *e, uint32_t room)
{
    uint32_t *map = ARENA_ARRAY(e->a, uint32_t, room), *def = ARENA_ARRAY(e->a, uint32_t, room);
    memset(def, 0xff, room * sizeof *def);
    if (e->id_room) {
        memcpy(map, e->map, e->id_room * sizeof *map);
        memcpy(def, e->def, e->id_room * sizeof *def);
    }
    e->map = map;
    e->def = def;
    e->id_room = room;
}

void spv_edit_start(struct spv_edit *e, struct arena *a, const struct spv_case *c,
                    const struct spv_module *m, uint32_t new_ids)
{
    *e = (struct spv_edit){.a = a, .m = m, .c = *c, .next_id = m->bound};
    ids_room(e, m->bound + (new_ids ? new_ids : IDS_FIRST));
    e->id_limit = new_ids ? e->id_room : SPV_ID_LIMIT;
    uint32_t *words = arena_copy(a, m->words, m->count * sizeof *words);
    struct spv_node *nodes = ARENA_ARRAY(a, struct spv_node, m->inst_count);
    VEC_RESERVE(a, &e->node, m->inst_count + IDS_FIRST);
    for (uint32_t i = 0; i < m->inst_count; i++) {
        const struct spv_inst *in = &m->insts[i];
        nodes[i] = (struct spv_node){.op = in->op,
                                     .n = in->n,
                                     .type = in->type,
                                     .result = in->result,
                                     .v = words + (in->v - m->words),
                                     .index = i,
                                     .prev = i ? i - 1 : SPV_NO_NODE,
                                     .next = i + 1 < m->inst_count ? i + 1 : SPV_NO_NODE};
        e->node.v[e->node.n++] = &nodes[i];
        if (in->result)
            e->def[in->result] = i;
    }
    e->first = m->inst_count ? 0 : SPV_NO_NODE;
    e->last = m->inst_count - 1;
    e->c.body = NULL;
    e->c.expect_count = 0;
}

uint32_t spv_edit_id(struct spv_edit *e)
{
    CHECK(e->next_id < e->id_limit);
    if (e->next_id == e->id_room)
        ids_room(e, 2 * e->id_room);
    return e->next_id++;
}

void spv_edit_drop(struct spv_edit *e, uint32_t node)
{
    struct spv_node *x = node_of(e, node);
    x->gone = true;
    if (x->result && e->def[x->result] == node)
        e->def[x->result] = SPV_NO_NODE;
}

struct spv_node *spv_edit_make(struct spv_edit *e, SpvOp op, uint32_t type, uint32_t result,
                               const uint32_t *v, uint32_t n)
{
    struct spv_node *x = ARENA_NEW(e->a, struct spv_node);
    *x = (struct spv_node){.op = (uint16_t)op,
                           .n = n,
                           .type = type,
                           .result = result,
                           .v = arena_copy(e->a, v, n * sizeof *v),
                           .index = (uint32_t)e->node.n,
                           .prev = SPV_NO_NODE,
                           .next = SPV_NO_NODE};
    *VEC_PUSH(e->a, &e->node) = x;
    if (result)
        e->def[result] = x->index;
    return x;
}

void spv_edit_cut(struct spv_edit *e, uint32_t node)
{
    const uint32_t prev = node_of(e, node)->prev;
    CHECK(prev != SPV_NO_NODE);
    node_of(e, prev)->next = SPV_NO_NODE;
    e->last = prev;
}

void spv_edit_append(struct spv_edit *e, struct spv_node *x)
{
    x->prev = e->last;
    x->next = SPV_NO_NODE;
    node_of(e, e->last)->next = x->index;
    e->last = x->index;
}

// Fills a node from all words of an instruction except the first.
static void fill(struct spv_edit *e, struct spv_node *x, SpvOp op, const uint32_t *v, uint32_t n)
{
    const struct spv_op *row = spv_op_find((uint32_t)op);
    const uint32_t head = row ? (uint32_t)row->has_type + row->has_result : 0;
    CHECK(n >= head);
    x->op = (uint16_t)op;
    x->gone = false;
    x->type = row && row->has_type ? v[0] : 0;
    x->result = row && row->has_result ? v[head - 1] : 0;
    x->n = n - head;
    x->v = arena_copy(e->a, head ? v + head : v, x->n * sizeof *v);
    if (x->result)
        e->def[x->result] = x->index;
}

void spv_edit_set(struct spv_edit *e, uint32_t node, SpvOp op, const uint32_t *v, uint32_t n)
{
    spv_edit_drop(e, node);
    fill(e, node_of(e, node), op, v, n);
}

static void link_before(struct spv_edit *e, struct spv_node *x, uint32_t before)
{
    struct spv_node *next = node_of(e, before);
    x->next = before;
    x->prev = next->prev;
    next->prev = x->index;
    if (x->prev == SPV_NO_NODE)
        e->first = x->index;
    else
        node_of(e, x->prev)->next = x->index;
}

uint32_t spv_edit_insert(struct spv_edit *e, uint32_t before, SpvOp op, const uint32_t *v,
                         uint32_t n)
{
    struct spv_node *x = ARENA_NEW(e->a, struct spv_node);
    x->index = (uint32_t)e->node.n;
    *VEC_PUSH(e->a, &e->node) = x;
    fill(e, x, op, v, n);
    link_before(e, x, before);
    return x->index;
}

void spv_edit_move(struct spv_edit *e, uint32_t node, uint32_t before)
{
    struct spv_node *x = node_of(e, node);
    CHECK(x->prev != SPV_NO_NODE && x->next != SPV_NO_NODE && node != before);
    node_of(e, x->prev)->next = x->next;
    node_of(e, x->next)->prev = x->prev;
    link_before(e, x, before);
}

void spv_edit_use(struct spv_edit *e, uint32_t id, uint32_t other)
{
    e->map[id] = other;
}

uint32_t spv_edit_resolve(const struct spv_edit *e, uint32_t id)
{
    for (int k = 0; k < MAP_CHAIN && id < e->next_id && e->map[id]; k++)
        id = e->map[id];
    return id;
}

uint32_t spv_edit_next(const struct spv_edit *e, uint32_t node)
{
    do
        node = node_of(e, node)->next;
    while (node != SPV_NO_NODE && node_of(e, node)->gone);
    return node;
}

// ---- declarations --------------------------------------------------------------------------

uint32_t spv_edit_declare(struct spv_edit *e, SpvOp op, uint32_t type, const uint32_t *v,
                          uint32_t n)
{
    uint32_t i = e->first, head = 0;
    for (; i != SPV_NO_NODE && node_of(e, i)->op != SpvOpFunction; i = node_of(e, i)->next) {
        const struct spv_node *x = node_of(e, i);
        if (!x->gone && op != SpvOpVariable && x->op == op && x->type == type && x->n == n &&
            (n == 0 || memcmp(x->v, v, n * sizeof *v) == 0))
            return x->result;
    }
    if (e->next_id == e->id_limit)
        return 0;
    uint32_t *words = ARENA_ARRAY(e->a, uint32_t, n + 2u);
    const uint32_t id = spv_edit_id(e);
    if (type)
        words[head++] = type;
    words[head++] = id;
    if (n)
        memcpy(words + head, v, n * sizeof *v);
    spv_edit_insert(e, i == SPV_NO_NODE ? e->last : i, op, words, head + n);
    return id;
}

uint32_t spv_edit_uint(struct spv_edit *e)
{
    return SPV_EDIT_DECLARE(e, SpvOpTypeInt, 0, 32, 0);
}

uint32_t spv_edit_bool(struct spv_edit *e)
{
    return spv_edit_declare(e, SpvOpTypeBool, 0, NULL, 0);
}

static const struct spv_node *type_of(const struct spv_edit *e, uint32_t type)
{
    const uint32_t at = type < e->next_id ? e->def[type] : SPV_NO_NODE;
    return at == SPV_NO_NODE ? NULL : node_of(e, at);
}

uint32_t spv_edit_constant(struct spv_edit *e, uint32_t type, uint32_t value)
{
    const struct spv_node *t = type_of(e, type);
    if (!t)
        return 0;
    if (t->op == SpvOpTypeBool)
        return spv_edit_declare(e, value ? SpvOpConstantTrue : SpvOpConstantFalse, type, NULL, 0);
    if ((t->op == SpvOpTypeInt || t->op == SpvOpTypeFloat) && t->v[0] <= 32)
        return spv_edit_declare(e, SpvOpConstant, type, &value, 1);
    return value ? 0 : spv_edit_zero(e, type);
}

uint32_t spv_edit_zero(struct spv_edit *e, uint32_t type)
{
    const struct spv_node *t = type_of(e, type);
    if (!t)
        return 0;
    switch (t->op) {
    case SpvOpTypeBool:
        return spv_edit_constant(e, type, 0);
    case SpvOpTypeInt:
    case SpvOpTypeFloat:
        if (t->v[0] <= 32)
            return spv_edit_constant(e, type, 0);
        return spv_edit_declare(e, SpvOpConstantNull, type, NULL, 0);
    case SpvOpTypeVector:
    case SpvOpTypeMatrix:
    case SpvOpTypeArray:
    case SpvOpTypeStruct:
        return spv_edit_declare(e, SpvOpConstantNull, type, NULL, 0);
    default:
        return 0;
    }
}

void spv_edit_capability(struct spv_edit *e, SpvCapability capability)
{
    for (uint32_t i = e->first; i != SPV_NO_NODE; i = node_of(e, i)->next) {
        const struct spv_node *x = node_of(e, i);
        if (x->op == SpvOpFunction)
            break;
        if (!x->gone && x->op == SpvOpCapability && x->v[0] == (uint32_t)capability)
            return;
    }
    SPV_EDIT_INSERT(e, e->first, SpvOpCapability, (uint32_t)capability);
}
