// SPDX-License-Identifier: Apache-2.0
//
// Replaces the return of an arm by a branch to the selection's merge block, if that block only
// returns.
#include "pass.h"

static void plan(struct red_plan *p)
{
    const struct spv_module *m = p->e.m;
    for (uint32_t b = 0; b < m->block_count; b++) {
        const struct spv_inst *merge = m->blocks[b].merge ? &m->insts[m->blocks[b].merge] : NULL;
        const uint32_t to =
            merge && merge->op == SpvOpSelectionMerge ? m->block_of[merge->v[0]] : UINT32_MAX;
        if (to == UINT32_MAX || m->blocks[to].last != m->blocks[to].first + 1 ||
            m->insts[m->blocks[to].last].op != SpvOpReturn)
            continue;
        // Blocks outside the arm are planned too; spirv-val rejects those candidates.
        for (uint32_t k = b + 1; k < m->block_count; k++)
            if (k != to && m->insts[m->blocks[k].last].op == SpvOpReturn &&
                spv_function_at(m, m->blocks[k].first) == spv_function_at(m, m->blocks[b].first))
                PLAN(p, k, m->blocks[to].label);
    }
}

static bool apply(struct spv_edit *e, const struct red_step *s)
{
    spv_edit_set(e, e->m->blocks[s->v[0]].last, SpvOpBranch, &s->v[1], 1);
    return true;
}

const struct red_pass pass_returns = {"returns", plan, apply};
