// SPDX-License-Identifier: Apache-2.0
//
// Uses after a change: a use of what is gone becomes a zero, or goes too where its type has
// none; what nobody uses any more goes. What was unused before stays, for a fault may hang on
// it, and so do group operations, stores and calls, used or not: a pass takes those.
#include "tidy.h"

#include <string.h>

// ---- uses ------------------------------------------------------------------------------

static uint32_t type_of(const struct red_edit *e, uint32_t id)
{
    const struct spv_inst *d = id < e->m->bound ? spv_def(e->m, id) : NULL;
    return d ? d->type : 0;
}

static bool is_about(uint32_t op) // something else, which may be gone
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

static void fix_entry_point(struct tidy *t, uint32_t node)
{
    struct red_edit *e = t->e;
    const struct edit_node x = e->node.v[node];
    uint32_t rest, n = inst_ids(e, x.w, x.n, t->at, &rest), count = 0;
    uint32_t *v = ARENA_ARRAY(e->a, uint32_t, x.n);
    for (uint32_t i = 1; i < x.n; i++) {
        bool gone = false;
        for (uint32_t k = 1; k < n; k++)
            gone |= t->at[k] == i && e->def[x.w[i]] == EDIT_NONE;
        if (!gone)
            v[count++] = x.w[i];
    }
    if (count + 1 == x.n)
        return;
    edit_set(e, node, SpvOpEntryPoint, v, count);
    t->changed = true;
}

static void fix_node(struct tidy *t, uint32_t node)
{
    struct red_edit *e = t->e;
    uint32_t rest, n = inst_ids(e, e->node.v[node].w, e->node.v[node].n, t->at, &rest);
    const uint32_t op = e->node.v[node].op;
    for (uint32_t k = 0; k < n; k++) {
        const uint32_t pos = t->at[k], id = e->node.v[node].w[pos];
        uint32_t to = resolve(e, id);
        if (to < e->id_limit && e->def[to] == EDIT_NONE) {
            if (op == SpvOpEntryPoint)
                continue;
            uint32_t type = type_of(e, id);
            to = is_about(op) || (op == SpvOpFunctionCall && pos == 3) || !type
                     ? 0
                     : edit_zero(e, type);
            if (!to) {
                t->bad |= inst_is_terminator(op) || op == SpvOpLoopMerge ||
                          op == SpvOpSelectionMerge || op == SpvOpFunction;
                drop(t, node);
                return;
            }
        }
        if (to != id) {
            edit_write(e, node)[pos] = to;
            t->changed = true;
        }
    }
}

void tidy_fix_uses(struct tidy *t)
{
    EACH_NODE(i, t->e)
    {
        if (t->bad)
            return;
        fix_node(t, i);
        if (!t->e->node.v[i].gone && t->e->node.v[i].op == SpvOpEntryPoint)
            fix_entry_point(t, i);
    }
}

// ---- what nobody uses --------------------------------------------------------------------

void tidy_count_uses(struct tidy *t, uint32_t *uses, uint32_t node, uint32_t by)
{
    struct red_edit *e = t->e;
    const struct edit_node *x = &e->node.v[node];
    uint32_t rest, n = inst_ids(e, x->w, x->n, t->at, &rest);
    if (x->op == SpvOpEntryPoint) {
        uses[x->w[2]] += by;
        return;
    }
    // The size of the workgroup may be a constant that only its decoration knows.
    bool size = x->op == SpvOpDecorate && x->n == 4 && x->w[2] == SpvDecorationBuiltIn &&
                x->w[3] == SpvBuiltInWorkgroupSize;
    bool first = is_about(x->op) && x->op != SpvOpExecutionMode && !size;
    for (uint32_t k = first; k < n; k++)
        if (x->w[t->at[k]] < e->id_limit && x->w[t->at[k]] != inst_result(x->w))
            uses[x->w[t->at[k]]] += by;
    for (uint32_t k = rest; k < x->n; k++)
        if (x->w[k] < e->id_limit && x->op != SpvOpDecorate && x->op != SpvOpMemberDecorate &&
            x->op != SpvOpExecutionMode && x->op != SpvOpLoopMerge)
            uses[x->w[k]] += by;
}

void tidy_drop_dead(struct tidy *t)
{
    struct red_edit *e = t->e;
    uint32_t *uses = ARENA_ARRAY(e->a, uint32_t, e->id_limit);
    EACH_NODE(i, e) tidy_count_uses(t, uses, i, 1);
    for (uint32_t i = e->last; i != EDIT_NONE; i = e->node.v[i].prev) {
        const struct edit_node *x = &e->node.v[i];
        const uint32_t id = x->gone ? 0 : inst_result(x->w);
        if (!id || uses[id])
            continue;
        if (inst_is_pure(x->op) && !e->sweep && id < e->m->bound && !t->before[id])
            continue;
        if (!inst_is_pure(x->op) && !inst_is_type(x->op) && !inst_is_constant(x->op) &&
            x->op != SpvOpVariable && x->op != SpvOpExtInstImport && x->op != SpvOpString)
            continue;
        tidy_count_uses(t, uses, i, UINT32_MAX);
        drop(t, i);
    }
}
