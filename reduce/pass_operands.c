// SPDX-License-Identifier: Apache-2.0
//
// Replaces one operand of one instruction by zero, or by a value of its type from earlier in the
// function, such as a parameter or an early load. For example, an index into a row of the log
// becomes the invocation's number.
#include "pass.h"

enum { EARLIER = 6 };

static bool is_value(const struct spv_module *m, uint32_t id)
{
    const struct spv_inst *d = spv_def(m, id);
    return d && d->type && d->op != SpvOpFunction && d->op != SpvOpExtInstImport &&
           !inst_is_constant(d->op) && spv_def(m, d->type) &&
           spv_def(m, d->type)->op != SpvOpTypeVoid;
}

static void plan(struct red_plan *p)
{
    const struct spv_module *m = p->e.m;
    uint16_t *at = id_places(p->e.a, m);
    for (uint32_t f = 0; f < m->function_count; f++)
        for (uint32_t i = m->functions[f].first + 1; i < m->functions[f].last; i++) {
            const struct spv_node *n = p->e.node.v[i];
            uint32_t rest, ids = spv_edit_ids(&p->e, n, at, &rest);
            for (uint32_t k = 0; k < ids; k++) {
                const uint32_t id = n->v[at[k]];
                if (!is_value(m, id) || n->op == SpvOpLoopMerge)
                    continue;
                PLAN(p, i, at[k], 0);
                uint32_t found = 0;
                for (uint32_t j = m->functions[f].first + 1; j < m->def[id] && found < EARLIER; j++)
                    if (m->insts[j].type == spv_def(m, id)->type && m->insts[j].result) {
                        PLAN(p, i, at[k], m->insts[j].result);
                        found++;
                    }
            }
        }
}

static bool apply(struct spv_edit *e, const struct red_step *s)
{
    const uint32_t i = s->v[0], pos = s->v[1];
    const struct spv_inst *d = spv_def(e->m, e->node.v[i]->v[pos]);
    uint32_t to = s->v[2] ? s->v[2] : spv_edit_zero(e, d->type);
    if (!to)
        return false;
    e->node.v[i]->v[pos] = to;
    return true;
}

const struct red_pass pass_operands = {"operands", plan, apply};
