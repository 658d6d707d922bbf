// SPDX-License-Identifier: Apache-2.0
//
// Removes a selection whose arm only stores: every invocation stores instead. One that would not
// have entered the arm stores zero (or one, where the arm stores zero), so the condition shows as a
// value.
#include "pass.h"

// Returns the label's block if it only stores, computes what the stores need, and branches to the
// merge block; else UINT32_MAX.
static uint32_t storing(const struct spv_module *m, uint32_t label, uint32_t merge)
{
    const uint32_t b = label < m->bound ? m->block_of[label] : UINT32_MAX;
    const struct spv_block *x = b != UINT32_MAX ? &m->blocks[b] : NULL;
    bool stores = false;
    if (!x || m->insts[x->last].op != SpvOpBranch || m->insts[x->last].v[0] != merge ||
        label == merge)
        return UINT32_MAX;
    for (uint32_t i = x->first + 1; i < x->last; i++) {
        if (m->insts[i].op != SpvOpStore && !inst_is_pure(m->insts[i].op))
            return UINT32_MAX;
        stores |= m->insts[i].op == SpvOpStore;
    }
    return stores ? b : UINT32_MAX;
}

static void plan(struct red_plan *p)
{
    const struct spv_module *m = p->e.m;
    for (uint32_t b = 0; b < m->block_count; b++) {
        uint32_t merge;
        const struct spv_inst *t = branch_of_if(m, b, &merge);
        for (uint32_t k = 1; t && k <= 2; k++)
            if (storing(m, t->v[k], merge) != UINT32_MAX && leads_to(m, t->v[3 - k], merge))
                PLAN(p, b, k, storing(m, t->v[k], merge));
    }
}

static bool is_scalar(const struct spv_module *m, uint32_t type)
{
    const uint32_t op = spv_def(m, type) ? spv_def(m, type)->op : 0u;
    return op == SpvOpTypeBool || op == SpvOpTypeInt || op == SpvOpTypeFloat;
}

static bool is_zero(const struct spv_inst *v)
{
    return v->op == SpvOpConstantFalse || v->op == SpvOpConstantNull ||
           (v->op == SpvOpConstant && v->v[0] == 0);
}

static bool apply(struct spv_edit *e, const struct red_step *s)
{
    const struct spv_module *m = e->m;
    const struct spv_block *x = &m->blocks[s->v[0]], *arm = &m->blocks[s->v[2]];
    const struct spv_inst *t = &m->insts[x->last];
    for (uint32_t i = arm->first + 1; i < arm->last; i++) {
        const struct spv_inst *v =
            m->insts[i].op == SpvOpStore ? spv_def(m, m->insts[i].v[1]) : NULL;
        if (m->insts[i].op != SpvOpStore)
            continue;
        if (!v || !is_scalar(m, v->type) || e->next_id + 4 > e->id_limit)
            return false;
        const uint32_t id = spv_edit_id(e), was = m->insts[i].v[1];
        const uint32_t other =
            is_zero(v) ? spv_edit_constant(e, v->type, 1) : spv_edit_zero(e, v->type);
        const bool first = s->v[1] == 1;
        if (!other)
            return false;
        spv_edit_insert(
            e, i, SpvOpSelect,
            (const uint32_t[]){v->type, id, t->v[0], first ? was : other, first ? other : was}, 5);
        e->node.v[i]->v[1] = id;
    }
    spv_edit_drop(e, x->merge);
    spv_edit_set(e, x->last, SpvOpBranch, &arm->label, 1);
    return true;
}

const struct red_pass pass_flat = {"flat", plan, apply};
