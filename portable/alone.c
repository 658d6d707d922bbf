// SPDX-License-Identifier: Apache-2.0
//
// Atomics that only one invocation executed because of invented inputs: no other could come first,
// so that the orders that were tried say nothing about them.
#include "ask.h"

#include "spirv/spirv_groups.h"

bool por_order_counts(const struct spv_module *m, uint32_t inst)
{
    const struct spv_inst *s = &m->insts[inst];
    bool used = s->op == SpvOpAtomicExchange || s->op == SpvOpAtomicCompareExchange ||
                s->op == SpvOpAtomicStore || s->op == SpvOpAtomicFAddEXT ||
                s->op == SpvOpAtomicLoad;
    for (uint32_t i = 0; i < m->inst_count && !used; i++)
        for (uint32_t j = 0; i != inst && j < m->insts[i].n && !used && m->insts[i].op != SpvOpName;
             j++)
            used = m->insts[i].v[j] == s->result;
    return used;
}

void por_updated(struct por_table *b, const struct orc_trace *t)
{
    const uint32_t n = b->w.m->inst_count;
    if (!b->updates)
        b->updates = ARENA_ARRAY(b->w.a, uint8_t, n);
    for (uint32_t k = 0; t->updated_by && k < n; k++) {
        const uint8_t now = t->updated_by[k] == UINT32_MAX ? 2 : t->updated_by[k] != 0;
        b->updates[k] = now > b->updates[k] ? now : b->updates[k];
    }
}

uint32_t por_alone(struct por_table *b)
{
    for (uint32_t k = 0; b->updates && k < b->w.m->inst_count; k++)
        if (b->updates[k] == 1 && por_order_counts(b->w.m, k) &&
            (por_guarded_by_inputs(&b->w, k) || por_divided_by_inputs(&b->w, k)))
            return k;
    return 0;
}

void por_say_alone(struct por_table *b)
{
    const uint32_t at = b->out->inputs.invented ? por_alone(b) : 0;
    if (!at)
        return;
    b->out->alone = arena_printf(b->w.a, "one invocation reached %s", por_inst_text(&b->w, at));
    por_note(b, arena_printf(b->w.a,
                             "%s, with these inputs: whether its order matters is not known (more "
                             "invocations: --workgroups, --data)",
                             b->out->alone));
    for (uint32_t k = 0; k < POR_MODELS; k++)
        for (uint32_t s = 0; s < b->out->sizes; s++)
            b->out->cell[k][s].tried |= POR_TRIED_NOTED;
}
