// SPDX-License-Identifier: Apache-2.0
//
// Removes a parameter of a function, and the argument of each call. Uses of the parameter become
// the first argument that is a constant or a global variable, else zero.
#include "pass.h"

static void plan(struct red_plan *p)
{
    const struct spv_module *m = p->e.m;
    for (uint32_t f = 0; f < m->function_count; f++)
        for (uint32_t i = m->functions[f].first + 1;
             i < m->functions[f].last && m->insts[i].op == SpvOpFunctionParameter; i++)
            PLAN(p, f, i);
}

// Returns the function type without parameter k; declares it if needed.
static uint32_t shorter(struct spv_edit *e, uint32_t type, uint32_t k)
{
    const struct spv_inst *t = spv_def(e->m, type);
    uint32_t *v = ARENA_ARRAY(e->a, uint32_t, t->n + 1u), n = 1;
    for (uint32_t i = 0; i < t->n; i++)
        if (i != k + 1)
            v[n++] = t->v[i];
    for (uint32_t i = 0; i < e->m->inst_count; i++) {
        const struct spv_inst *x = &e->m->insts[i];
        bool same = x->op == SpvOpTypeFunction && x->n + 1u == n;
        for (uint32_t j = 0; same && j < x->n; j++)
            same = x->v[j] == v[j + 1];
        if (same)
            return x->result;
    }
    v[0] = spv_edit_id(e);
    spv_edit_insert(e, e->m->def[type] + 1, SpvOpTypeFunction, v, n);
    return v[0];
}

static bool apply(struct spv_edit *e, const struct red_step *s)
{
    const struct spv_module *m = e->m;
    const struct spv_function *f = &m->functions[s->v[0]];
    const uint32_t k = s->v[1] - f->first - 1, param = m->insts[s->v[1]].result;
    const uint32_t type = m->insts[f->first].v[1];
    uint32_t given = 0;
    for (uint32_t i = 0; i < m->inst_count; i++) {
        const struct spv_inst *x = &m->insts[i];
        if (x->op != SpvOpFunctionCall || x->v[0] != f->id)
            continue;
        uint32_t *v = ARENA_ARRAY(e->a, uint32_t, x->n + 2u), n = 2;
        v[0] = x->type;
        v[1] = x->result;
        for (uint32_t j = 0; j < x->n; j++)
            if (j != k + 1)
                v[n++] = x->v[j];
        const struct spv_inst *arg = spv_def(m, x->v[k + 1]);
        bool global =
            arg &&
            (inst_is_constant(arg->op) ||
             (arg->op == SpvOpVariable && spv_function_at(m, m->def[arg->result]) == SPV_NO_NODE));
        given = global && !given ? arg->result : given;
        spv_edit_set(e, i, SpvOpFunctionCall, v, n);
    }
    e->node.v[f->first]->v[1] = shorter(e, type, k);
    spv_edit_drop(e, s->v[1]);
    if (given)
        spv_edit_use(e, param, given);
    return true;
}

const struct red_pass pass_params = {"parameters", plan, apply};
