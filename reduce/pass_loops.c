// SPDX-License-Identifier: Apache-2.0
//
// Removes a loop: its header branches to its merge block. Or makes it run once: the back edge goes
// to the merge block, and the test of the condition becomes a selection. Arms that continued with
// the next iteration then go to their selection's merge block, if that block only did the same.
#include "pass.h"

static void plan(struct red_plan *p)
{
    const struct spv_module *m = p->e.m;
    for (uint32_t b = 0; b < m->block_count; b++)
        if (m->blocks[b].merge && m->insts[m->blocks[b].merge].op == SpvOpLoopMerge) {
            PLAN(p, b, LOOP_REMOVE);
            PLAN(p, b, LOOP_ONCE);
        }
}

// Finds selections whose merge block only branches to the continue target. Redirects arms that
// branch to the continue target themselves to that merge block. Without the loop, a branch to it is
// allowed only from there.
static void meet_again(struct spv_edit *e, const struct spv_block *head, uint32_t header)
{
    const struct spv_module *m = e->m;
    const uint32_t cont = m->insts[head->merge].v[1];
    for (uint32_t b = header; b < m->block_count; b++) {
        const struct spv_block *x = &m->blocks[b];
        const uint32_t merge =
            x->merge && m->insts[x->merge].op == SpvOpSelectionMerge ? m->insts[x->merge].v[0] : 0;
        const uint32_t to = merge ? m->block_of[merge] : UINT32_MAX;
        if (to == UINT32_MAX || to <= b || m->blocks[to].last != m->blocks[to].first + 1 ||
            m->insts[m->blocks[to].last].op != SpvOpBranch ||
            m->insts[m->blocks[to].last].v[0] != cont)
            continue;
        for (uint32_t k = b + 1; k < to; k++)
            if (m->insts[m->blocks[k].last].op == SpvOpBranch &&
                m->insts[m->blocks[k].last].v[0] == cont)
                spv_edit_set(e, m->blocks[k].last, SpvOpBranch, &merge, 1);
    }
}

static bool apply(struct spv_edit *e, const struct red_step *s)
{
    const struct spv_module *m = e->m;
    const struct spv_block *head = &m->blocks[s->v[0]];
    const uint32_t merge = m->insts[head->merge].v[0];
    const uint32_t f = spv_function_at(m, head->first);
    spv_edit_drop(e, head->merge);
    if (s->v[1] == LOOP_REMOVE) {
        spv_edit_set(e, head->last, SpvOpBranch, &merge, 1);
        return true;
    }
    meet_again(e, head, s->v[0]);
    const struct spv_function *fn = &m->functions[f];
    for (uint32_t b = fn->block_first; b < fn->block_first + fn->block_count; b++) {
        const struct spv_block *x = &m->blocks[b];
        const struct spv_node *t = e->node.v[x->last];
        const struct spv_labels l = inst_labels(e, t);
        // Back edges come from the header or blocks after it, in binary order.
        for (uint32_t k = 0; k < l.count && b >= s->v[0]; k++)
            if (t->v[l.first + k * l.step] == head->label)
                t->v[l.first + k * l.step] = merge;
        // True if a branch to the merge block has no merge instruction of its own.
        bool bare = x->merge == 0 || x->merge == head->merge;
        if (t->op == SpvOpBranchConditional && t->v[1] == t->v[2]) {
            spv_edit_set(e, x->last, SpvOpBranch, &merge, 1);
        } else if (t->op == SpvOpBranchConditional && bare && b >= s->v[0] &&
                   (t->v[1] == merge || t->v[2] == merge)) {
            const uint32_t v[] = {merge, SpvSelectionControlMaskNone};
            spv_edit_insert(e, x->last, SpvOpSelectionMerge, v, 2);
        }
    }
    return true;
}

const struct red_pass pass_loops = {"loops", plan, apply};
