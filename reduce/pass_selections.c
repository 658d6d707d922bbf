// SPDX-License-Identifier: Apache-2.0
//
// Replaces a selection by one of its arms or by nothing. Replaces a conditional branch without a
// merge instruction (a break, a continue) by one of its sides. Removes one case of a switch.
#include "pass.h"

enum { TAKE, CASE };

static void plan(struct red_plan *p)
{
    const struct spv_module *m = p->e.m;
    for (uint32_t b = 0; b < m->block_count; b++) {
        const struct spv_block *x = &m->blocks[b];
        const struct spv_node *t = p->e.node.v[x->last];
        if (t->op != SpvOpBranchConditional && t->op != SpvOpSwitch)
            continue;
        const bool loop = x->merge && m->insts[x->merge].op == SpvOpLoopMerge;
        if (x->merge && !loop)
            PLAN(p, b, TAKE, m->insts[x->merge].v[0]);
        uint32_t *to = ARENA_ARRAY(p->e.a, uint32_t, t->n);
        uint32_t n = inst_targets(&p->e, t, to);
        for (uint32_t k = 0; k < n; k++) {
            bool seen = x->merge && !loop && to[k] == m->insts[x->merge].v[0];
            for (uint32_t j = 0; j < k; j++)
                seen |= to[j] == to[k];
            if (!seen)
                PLAN(p, b, TAKE, to[k]);
        }
        for (uint32_t k = 1; t->op == SpvOpSwitch && k < n; k++)
            PLAN(p, b, CASE, k);
    }
}

static bool apply(struct spv_edit *e, const struct red_step *s)
{
    const struct spv_module *m = e->m;
    const struct spv_block *x = &m->blocks[s->v[0]];
    if (s->v[1] == TAKE) {
        if (x->merge && m->insts[x->merge].op == SpvOpSelectionMerge)
            spv_edit_drop(e, x->merge);
        spv_edit_set(e, x->last, SpvOpBranch, &s->v[2], 1);
        return true;
    }
    const struct spv_node *t = e->node.v[x->last];
    const uint32_t pair = inst_labels(e, t).step, from = 2 + (s->v[2] - 1) * pair;
    uint32_t *v = ARENA_ARRAY(e->a, uint32_t, t->n), n = 0;
    for (uint32_t i = 0; i < t->n; i++)
        if (i < from || i >= from + pair)
            v[n++] = t->v[i];
    spv_edit_set(e, x->last, SpvOpSwitch, v, n);
    return true;
}

const struct red_pass pass_selections = {"selections", plan, apply};
