// SPDX-License-Identifier: Apache-2.0
//
// Replaces all uses of a value by one of its own operands of the same type, or by true or one, and
// removes its instruction.
#include "pass.h"

static void plan(struct red_plan *p)
{
    const struct spv_module *m = p->e.m;
    uint16_t *at = id_places(p->e.a, m);
    for (uint32_t i = m->function_count ? m->functions[0].first : m->inst_count; i < m->inst_count;
         i++) {
        const struct spv_inst *x = &m->insts[i];
        if (!x->type || !x->result || x->op == SpvOpFunction || x->op == SpvOpFunctionParameter)
            continue;
        const struct spv_node *n = p->e.node.v[i];
        uint32_t rest, ids = spv_edit_ids(&p->e, n, at, &rest);
        for (uint32_t k = 0; k < ids; k++) {
            const struct spv_inst *d = spv_def(m, n->v[at[k]]);
            if (d && d->type == x->type && d->result != x->result)
                PLAN(p, i, d->result, 0);
        }
        const struct spv_inst *t = spv_def(m, x->type);
        if (t && (t->op == SpvOpTypeBool || t->op == SpvOpTypeInt))
            PLAN(p, i, 0, 1);
    }
}

static bool apply(struct spv_edit *e, const struct red_step *s)
{
    const struct spv_inst *x = &e->m->insts[s->v[0]];
    uint32_t other = s->v[1] ? s->v[1] : spv_edit_constant(e, x->type, s->v[2]);
    if (!other)
        return false;
    spv_edit_use(e, x->result, other);
    spv_edit_drop(e, s->v[0]);
    return true;
}

const struct red_pass pass_values = {"values", plan, apply};
