// SPDX-License-Identifier: Apache-2.0
//
// Lowers constants (to zero, one, half, one less) and removes the controls of loops and selections.
#include "pass.h"

static void plan(struct red_plan *p)
{
    const struct spv_module *m = p->e.m;
    for (uint32_t i = 0; i < m->inst_count; i++) {
        const struct spv_inst *x = &m->insts[i];
        if (x->op == SpvOpLoopMerge || x->op == SpvOpSelectionMerge) {
            if (x->v[x->op == SpvOpLoopMerge ? 2 : 1])
                PLAN(p, i, 0, 1);
            continue;
        }
        const struct spv_inst *t = x->op == SpvOpConstant ? spv_def(m, x->type) : NULL;
        if (!t || x->n != 1)
            continue;
        const uint32_t to[] = {0, 1, x->v[0] / 2, x->v[0] - 1};
        for (uint32_t k = 0; k < 4; k++)
            if (to[k] < x->v[0] && (k < 2 || to[k] > 1))
                PLAN(p, i, to[k], 0);
    }
}

static bool apply(struct spv_edit *e, const struct red_step *s)
{
    const struct spv_inst *x = &e->m->insts[s->v[0]];
    if (s->v[2]) {
        // Literals of a control (such as a peel count) are removed with it.
        const uint32_t v[] = {x->v[0], x->op == SpvOpLoopMerge ? x->v[1] : 0, 0};
        spv_edit_set(e, s->v[0], (SpvOp)x->op, v, x->op == SpvOpLoopMerge ? 3 : 2);
        return true;
    }
    uint32_t other = spv_edit_constant(e, x->type, s->v[1]);
    if (!other)
        return false;
    // A new constant would follow the constants that use it, which is invalid. So the old one is
    // changed in place instead.
    if (other >= e->m->bound) {
        spv_edit_drop(e, e->def[other]);
        e->node.v[s->v[0]]->v[0] = s->v[1];
        return true;
    }
    spv_edit_use(e, x->result, other);
    spv_edit_drop(e, s->v[0]);
    return true;
}

const struct red_pass pass_constants = {"constants", plan, apply};
