// SPDX-License-Identifier: Apache-2.0
//
// Removes a call. Its result becomes zero, and an uncalled function is removed too. If the entry
// point only calls a function, that function may become the entry point.
#include "pass.h"

enum { DROP, ENTER };

// Returns the called function, or NULL.
static const struct spv_function *callee(const struct spv_module *m, uint32_t call)
{
    for (uint32_t f = 0; f < m->function_count; f++)
        if (m->functions[f].id == m->insts[call].v[0])
            return &m->functions[f];
    return NULL;
}

// True if `i` is a call without arguments, and the only instruction of its function except for the
// return.
static bool is_all(const struct spv_module *m, uint32_t i)
{
    const uint32_t f = spv_function_at(m, i);
    return f != UINT32_MAX && m->functions[f].first + 2 == i && m->insts[i].n == 1 &&
           m->insts[i + 1].op == SpvOpReturn && m->functions[f].last == i + 2;
}

static void plan(struct red_plan *p)
{
    const struct spv_module *m = p->e.m;
    for (uint32_t i = 0; i < m->inst_count; i++) {
        if (m->insts[i].op != SpvOpFunctionCall)
            continue;
        PLAN(p, i, DROP);
        if (is_all(m, i))
            PLAN(p, i, ENTER);
    }
}

static bool apply(struct spv_edit *e, const struct red_step *s)
{
    const struct spv_module *m = e->m;
    const uint32_t call = s->v[0];
    if (s->v[1] == DROP) {
        spv_edit_drop(e, call);
        return true;
    }
    const struct spv_function *f = &m->functions[spv_function_at(m, call)], *to = callee(m, call);
    bool entry = false;
    if (!to)
        return false;
    // The result of the call was unused.
    e->node.v[to->first]->type = m->insts[f->first].type;
    e->node.v[to->first]->v[1] = m->insts[f->first].v[1];
    for (uint32_t k = to->first; k <= to->last; k++)
        if (m->insts[k].op == SpvOpReturnValue)
            spv_edit_set(e, k, SpvOpReturn, NULL, 0);
    for (uint32_t k = 0; k < m->functions[0].first; k++)
        if (m->insts[k].op == SpvOpEntryPoint && m->insts[k].v[1] == f->id) {
            e->node.v[k]->v[1] = m->insts[call].v[0];
            entry = true;
        } else if (m->insts[k].op == SpvOpExecutionMode && m->insts[k].v[0] == f->id) {
            e->node.v[k]->v[0] = m->insts[call].v[0];
        }
    for (uint32_t k = f->first; k <= f->last; k++)
        spv_edit_drop(e, k);
    return entry;
}

const struct red_pass pass_calls = {"calls", plan, apply};
