// SPDX-License-Identifier: Apache-2.0
//
// Turns a switch into a selection on one of its values. Turns a selection with an arm that only
// leaves the loop, or continues with its next iteration, into a conditional branch without a merge
// instruction.
#include "pass.h"

enum { SWITCH, EXIT };

// Returns the target of an empty block; 0 if the block is not empty.
static uint32_t goes_to(const struct spv_module *m, uint32_t label)
{
    uint32_t b = label < m->bound ? m->block_of[label] : UINT32_MAX;
    const struct spv_block *x = b != UINT32_MAX ? &m->blocks[b] : NULL;
    return x && x->last == x->first + 1 && m->insts[x->last].op == SpvOpBranch
               ? m->insts[x->last].v[0]
               : 0;
}

static void plan(struct red_plan *p)
{
    const struct spv_module *m = p->e.m;
    for (uint32_t b = 0; b < m->block_count; b++) {
        const struct spv_block *x = &m->blocks[b];
        const struct spv_inst *t = &m->insts[x->last];
        if (!x->merge || m->insts[x->merge].op != SpvOpSelectionMerge)
            continue;
        for (uint32_t k = 2; t->op == SpvOpSwitch && k + 1 < t->n; k += 2)
            PLAN(p, b, SWITCH, k);
        for (uint32_t k = 1; t->op == SpvOpBranchConditional && k <= 2; k++)
            if (t->v[3 - k] == m->insts[x->merge].v[0] && goes_to(m, t->v[k]) &&
                goes_to(m, t->v[k]) != t->v[3 - k])
                PLAN(p, b, EXIT, k);
    }
}

static bool has_phi(const struct spv_module *m, uint32_t label)
{
    uint32_t b = m->block_of[label];
    return b == UINT32_MAX || m->insts[m->blocks[b].first + 1].op == SpvOpPhi;
}

static bool apply(struct spv_edit *e, const struct red_step *s)
{
    const struct spv_module *m = e->m;
    const struct spv_block *x = &m->blocks[s->v[0]];
    const struct spv_inst *t = &m->insts[x->last];
    const uint32_t k = s->v[2];
    if (s->v[1] == EXIT) {
        uint32_t to = goes_to(m, t->v[k]), v[3] = {t->v[0], t->v[1], t->v[2]};
        if (has_phi(m, to))
            return false;
        v[k] = to;
        spv_edit_drop(e, x->merge);
        spv_edit_set(e, x->last, SpvOpBranchConditional, v, 3);
        return true;
    }
    const struct spv_inst *selector = spv_def(m, t->v[0]);
    const struct spv_inst *type = selector ? spv_def(m, selector->type) : NULL;
    uint32_t boolean = 0;
    for (uint32_t i = 0; i < m->inst_count && !boolean; i++)
        boolean = m->insts[i].op == SpvOpTypeBool ? m->insts[i].result : 0;
    if (!boolean || !type || type->op != SpvOpTypeInt || type->v[0] > 32 || t->v[k + 1] == t->v[1])
        return false;
    const uint32_t value = spv_edit_constant(e, selector->type, t->v[k]), is = spv_edit_id(e);
    const uint32_t branch[] = {is, t->v[k + 1], t->v[1]};
    spv_edit_insert(e, x->merge, SpvOpIEqual, (const uint32_t[]){boolean, is, t->v[0], value}, 4);
    spv_edit_set(e, x->last, SpvOpBranchConditional, branch, 3);
    return true;
}

const struct red_pass pass_exits = {"exits", plan, apply};
