// SPDX-License-Identifier: Apache-2.0
//
// Merges two blocks if the first only branches to the second, and the second has no other
// predecessor and no merge instruction names it.
#include "pass.h"

static uint32_t entries(const struct spv_module *m, const struct spv_edit *e, uint32_t label)
{
    uint32_t n = 0;
    for (uint32_t b = 0; b < m->block_count; b++) {
        const struct spv_node *t = e->node.v[m->blocks[b].last];
        for (uint32_t k = 0; k < t->n; k++)
            n += t->v[k] == label && (t->op == SpvOpBranch || k > 0);
        if (m->blocks[b].merge) {
            const struct spv_inst *x = &m->insts[m->blocks[b].merge];
            n += 2u * (x->v[0] == label || (x->op == SpvOpLoopMerge && x->v[1] == label));
        }
    }
    return n;
}

static void plan(struct red_plan *p)
{
    const struct spv_module *m = p->e.m;
    for (uint32_t b = 0; b < m->block_count; b++) {
        const struct spv_inst *t = &m->insts[m->blocks[b].last];
        if (t->op == SpvOpBranch && !m->blocks[b].merge && t->v[0] < m->bound &&
            m->block_of[t->v[0]] != UINT32_MAX && m->block_of[t->v[0]] != b &&
            entries(m, &p->e, t->v[0]) == 1)
            PLAN(p, b, m->block_of[t->v[0]]);
    }
}

static bool apply(struct spv_edit *e, const struct red_step *s)
{
    const struct spv_block *x = &e->m->blocks[s->v[0]], *y = &e->m->blocks[s->v[1]];
    // The second block's instructions move to the end of the first. Phis then refer to the first
    // block's label as predecessor.
    if (e->m->insts[y->first + 1].op == SpvOpPhi)
        return false;
    spv_edit_drop(e, x->last);
    spv_edit_drop(e, y->first);
    spv_edit_use(e, y->label, x->label);
    const uint32_t after = e->node.v[x->last]->next;
    for (uint32_t i = y->first + 1; i <= y->last && y->first != x->last + 1; i++)
        spv_edit_move(e, i, after);
    return true;
}

const struct red_pass pass_merge = {"blocks", plan, apply};
