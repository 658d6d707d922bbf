// SPDX-License-Identifier: Apache-2.0
//
// Uses after an edit. A use of a removed id becomes a zero; if its type has no zero, the using
// instruction is removed. Instructions whose results became unused are removed. Those that were
// unused before the edit stay, because the bug may depend on them. Group operations, stores and
// calls always stay; passes remove those.
#include "cleanup.h"

#include <string.h>

// ---- uses ------------------------------------------------------------------------------

static uint32_t type_of(const struct spv_edit *e, uint32_t id)
{
    const struct spv_inst *d = id < e->m->bound ? spv_def(e->m, id) : NULL;
    return d ? d->type : 0;
}

static bool is_about(uint32_t op) // describes another id, which may be removed
{
    switch (op) {
    case SpvOpName:
    case SpvOpMemberName:
    case SpvOpDecorate:
    case SpvOpDecorateId:
    case SpvOpDecorateString:
    case SpvOpMemberDecorate:
    case SpvOpMemberDecorateString:
    case SpvOpGroupDecorate:
    case SpvOpGroupMemberDecorate:
    case SpvOpExecutionMode:
    case SpvOpExecutionModeId:
        return true;
    default:
        return false;
    }
}

static void fix_entry_point(struct cleanup *t, uint32_t node)
{
    struct spv_edit *e = t->e;
    const struct spv_node x = *e->node.v[node];
    uint32_t rest, n = spv_edit_ids(e, &x, t->at, &rest), count = 0;
    uint32_t *v = ARENA_ARRAY(e->a, uint32_t, x.n);
    for (uint32_t i = 0; i < x.n; i++) {
        bool gone = false;
        for (uint32_t k = 1; k < n; k++)
            gone |= t->at[k] == i && e->def[x.v[i]] == SPV_NO_NODE;
        if (!gone)
            v[count++] = x.v[i];
    }
    if (count == x.n)
        return;
    spv_edit_set(e, node, SpvOpEntryPoint, v, count);
    t->changed = true;
}

// Repairs one use of an id. `callee`: the use is the function of a call. False if the node is
// removed.
static bool fix_use(struct cleanup *t, uint32_t node, uint32_t *use, bool callee)
{
    struct spv_edit *e = t->e;
    const uint32_t op = e->node.v[node]->op, id = *use;
    uint32_t to = spv_edit_resolve(e, id);
    if (to < e->id_limit && e->def[to] == SPV_NO_NODE) {
        if (op == SpvOpEntryPoint)
            return true;
        uint32_t type = type_of(e, id);
        to = is_about(op) || callee || !type ? 0 : spv_edit_zero(e, type);
        if (!to) {
            t->bad |= spv_ends_block(op) || op == SpvOpLoopMerge || op == SpvOpSelectionMerge ||
                      op == SpvOpFunction;
            drop(t, node);
            return false;
        }
    }
    if (to != id) {
        *use = to;
        t->changed = true;
    }
    return true;
}

static void fix_node(struct cleanup *t, uint32_t node)
{
    struct spv_node *x = t->e->node.v[node];
    uint32_t rest, n = spv_edit_ids(t->e, x, t->at, &rest);
    if (x->type && !fix_use(t, node, &x->type, false))
        return;
    for (uint32_t k = 0; k < n; k++)
        if (!fix_use(t, node, &x->v[t->at[k]], x->op == SpvOpFunctionCall && t->at[k] == 0))
            return;
}

void cleanup_fix_uses(struct cleanup *t)
{
    EACH_NODE(i, t->e)
    {
        if (t->bad)
            return;
        fix_node(t, i);
        if (!t->e->node.v[i]->gone && t->e->node.v[i]->op == SpvOpEntryPoint)
            fix_entry_point(t, i);
    }
}

// ---- unused instructions --------------------------------------------------------------------

void cleanup_count_uses(struct cleanup *t, uint32_t *uses, uint32_t node, uint32_t by)
{
    struct spv_edit *e = t->e;
    const struct spv_node *x = e->node.v[node];
    uint32_t rest, n = spv_edit_ids(e, x, t->at, &rest);
    if (x->op == SpvOpEntryPoint) {
        uses[x->v[1]] += by;
        return;
    }
    if (x->type)
        uses[x->type] += by;
    // The workgroup size may be a constant that is used only by its decoration.
    bool size = x->op == SpvOpDecorate && x->n == 3 && x->v[1] == SpvDecorationBuiltIn &&
                x->v[2] == SpvBuiltInWorkgroupSize;
    bool first = is_about(x->op) && x->op != SpvOpExecutionMode && !size;
    for (uint32_t k = first; k < n; k++)
        if (x->v[t->at[k]] < e->id_limit && x->v[t->at[k]] != x->result)
            uses[x->v[t->at[k]]] += by;
    for (uint32_t k = rest; k < x->n; k++)
        if (x->v[k] < e->id_limit && x->op != SpvOpDecorate && x->op != SpvOpMemberDecorate &&
            x->op != SpvOpExecutionMode && x->op != SpvOpLoopMerge)
            uses[x->v[k]] += by;
}

void cleanup_drop_dead(struct cleanup *t)
{
    struct spv_edit *e = t->e;
    uint32_t *uses = ARENA_ARRAY(e->a, uint32_t, e->id_limit);
    EACH_NODE(i, e) cleanup_count_uses(t, uses, i, 1);
    for (uint32_t i = e->last; i != SPV_NO_NODE; i = e->node.v[i]->prev) {
        const struct spv_node *x = e->node.v[i];
        const uint32_t id = x->gone ? 0 : x->result;
        if (!id || uses[id])
            continue;
        if (inst_is_pure(x->op) && !e->sweep && id < e->m->bound && !t->before[id])
            continue;
        if (!inst_is_pure(x->op) && !inst_is_type(x->op) && !inst_is_constant(x->op) &&
            x->op != SpvOpVariable && x->op != SpvOpExtInstImport && x->op != SpvOpString)
            continue;
        cleanup_count_uses(t, uses, i, UINT32_MAX);
        drop(t, i);
    }
}
