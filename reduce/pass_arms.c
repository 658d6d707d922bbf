// SPDX-License-Identifier: Apache-2.0
//
// Swaps the sides of a selection whose true side is empty: the other arm becomes the true side, the
// merge block the false side, and the comparison is inverted for this branch only.
#include "pass.h"

// Returns the inverse comparison; 0 if `op` is not in the table.
static uint16_t opposite(uint16_t op)
{
    static const uint16_t rows[][2] = {
        {SpvOpIEqual, SpvOpINotEqual},
        {SpvOpULessThan, SpvOpUGreaterThanEqual},
        {SpvOpUGreaterThan, SpvOpULessThanEqual},
        {SpvOpSLessThan, SpvOpSGreaterThanEqual},
        {SpvOpSGreaterThan, SpvOpSLessThanEqual},
        {SpvOpLogicalEqual, SpvOpLogicalNotEqual},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        for (int s = 0; s < 2; s++)
            if (rows[k][s] == op)
                return rows[k][1 - s];
    return 0;
}

// True if the path to the merge block is empty and the merge block has no phi, which could
// distinguish the paths.
static bool is_empty(const struct spv_module *m, uint32_t label, uint32_t merge)
{
    uint32_t to = merge < m->bound ? m->block_of[merge] : UINT32_MAX;
    return to != UINT32_MAX && m->insts[m->blocks[to].first + 1].op != SpvOpPhi &&
           leads_to(m, label, merge);
}

static void plan(struct red_plan *p)
{
    const struct spv_module *m = p->e.m;
    for (uint32_t b = 0; b < m->block_count; b++) {
        uint32_t merge;
        const struct spv_inst *t = branch_of_if(m, b, &merge);
        const struct spv_inst *is = t ? spv_def(m, t->v[0]) : NULL;
        if (is && opposite(is->op) && t->v[2] != merge && is_empty(m, t->v[1], merge))
            PLAN(p, b);
    }
}

static bool apply(struct spv_edit *e, const struct red_step *s)
{
    const struct spv_module *m = e->m;
    const struct spv_block *x = &m->blocks[s->v[0]];
    const struct spv_inst *t = &m->insts[x->last], *is = spv_def(m, t->v[0]);
    uint32_t boolean = is->type, turned = spv_edit_id(e);
    const uint32_t merge = m->insts[x->merge].v[0];
    spv_edit_insert(e, x->merge, (SpvOp)opposite(is->op),
                    (const uint32_t[]){boolean, turned, is->v[0], is->v[1]}, 4);
    spv_edit_set(e, x->last, SpvOpBranchConditional, (const uint32_t[]){turned, t->v[2], merge}, 3);
    return true;
}

const struct red_pass pass_arms = {"arms", plan, apply};
