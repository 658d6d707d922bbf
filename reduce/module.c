// SPDX-License-Identifier: Apache-2.0
//
// Stage 2: the table of passes over the module, and what counts as smaller. All passes are repeated
// until a round changes nothing: then no remaining edit works.
#include "pass.h"

#include <string.h>

static const struct red_pass *const passes[] = {
    &pass_around,  &pass_debug,  &pass_calls,     &pass_loops,   &pass_leave, &pass_selections,
    &pass_returns, &pass_exits,  &pass_arms,      &pass_atomics, &pass_flat,  &pass_remove,
    &pass_ops,     &pass_values, &pass_operands,  &pass_params,  &pass_merge, &pass_declare,
    &pass_cover,   &pass_sizes,  &pass_constants, &pass_inputs,
};
enum { PASSES = sizeof passes / sizeof *passes };

// ---- smaller ---------------------------------------------------------------------------

// Compared lexicographically. Each accepted edit reduces the cost, so the reduction terminates.
struct cost {
    uint64_t v[9];
};

static unsigned bits(uint32_t v)
{
    return v ? 32u - (unsigned)__builtin_clz(v) : 0;
}

// Returns the weight of an instruction in a function. Control flow and group operations weigh more,
// because a reader has to think about them.
static uint64_t weight(const struct spv_module *m, const struct spv_inst *x)
{
    switch (x->op) {
    case SpvOpLoopMerge:
        return 4;
    case SpvOpFunctionCall:
    case SpvOpSelectionMerge:
    case SpvOpSwitch:
        return 3;
    case SpvOpPhi:
    case SpvOpReturn: // each function has one; a further one is a further exit
        return 2;
    default:
        return spv_group_find(x->op) ? op_weight(m, x) : 1;
    }
}

static bool cost_of(struct arena *a, const struct spv_case *c, struct cost *out)
{
    struct spv_module m;
    struct spv_edit e;
    *out = (struct cost){{0}};
    if (!spv_module_read(a, c->words, c->count, &m, NULL))
        return false;
    edit_start(&e, a, c, &m);
    uint32_t rest, place = 2;
    uint16_t *at = id_places(a, &m);
    uint32_t *rank = ARENA_ARRAY(a, uint32_t, m.bound);
    uint64_t *v = out->v;
    bool in = false;
    v[0] = c->has_log + c->has_lanes; // how it is judged comes first
    for (uint32_t i = 0; i < m.inst_count; i++) {
        const struct spv_inst *x = &m.insts[i];
        in |= x->op == SpvOpFunction;
        if (x->op == SpvOpVariable && !in)
            rank[x->result] = 1;
        else if (in && x->result && x->op != SpvOpLabel && x->op != SpvOpFunction)
            rank[x->result] = place++;
        v[1] += in ? weight(&m, x) : 0;
        v[2] += in && spv_group_find(x->op) ? op_rank(x) : 0;
        if (x->op == SpvOpConstant)
            for (uint32_t k = 0; k < x->n; k++)
                v[6] += bits(x->v[k]);
        if (x->op == SpvOpExecutionMode || x->op == SpvOpLoopMerge || x->op == SpvOpSelectionMerge)
            v[6] += x->n > 1 ? bits(x->v[x->n - 1]) : 0;
    }
    for (uint32_t i = 0; i < m.inst_count; i++) {
        const struct spv_node *x = e.node.v[i];
        if (m.insts[i].at < m.insts[m.function_count ? m.functions[0].first : 0].at)
            continue;
        uint32_t n = spv_edit_ids(&e, x, at, &rest);
        for (uint32_t k = 0; k < n; k++)
            v[4] += rank[x->v[at[k]]];
    }
    struct red_size size;
    measure_module(c, &m, &size);
    v[3] = m.inst_count;
    v[5] = c->count;
    v[7] = size.invocations + bits(c->subgroup) + size.buffer_words + c->buffer_count +
           c->push_count + c->spec_count + c->vertex_count;
    for (uint32_t b = 0; b < c->buffer_count; b++)
        for (uint32_t i = 0; i < c->buffer[b].count; i++)
            v[8] += bits(c->buffer[b].words[i]);
    for (uint32_t k = 0; k < c->vertex_count; k++)
        v[8] += bits(c->vertex[k][0]) + bits(c->vertex[k][1]);
    return true;
}

static bool less(const struct cost *x, const struct cost *y)
{
    for (size_t k = 0; k < sizeof x->v / sizeof *x->v; k++)
        if (x->v[k] != y->v[k])
            return x->v[k] < y->v[k];
    return false;
}

// ---- the stage ---------------------------------------------------------------------------

struct stage {
    const struct red_pass *pass;
    struct red_plan plan;
    const struct spv_case *best;
    struct spv_module m;
    struct cost cost;
};

static bool make(const void *user, struct arena *a, uint32_t index, struct spv_case *out)
{
    const struct stage *s = user;
    struct spv_edit e;
    struct cost cost;
    edit_start(&e, a, s->best, &s->m);
    if (!s->pass->apply(&e, &s->plan.steps.v[index]) || !edit_finish(&e) ||
        !cost_of(a, &e.c, &cost) || !less(&cost, &s->cost))
        return false;
    *out = e.c;
    return true;
}

static bool look(struct stage *s, struct arena *now, const struct red_options *o,
                 const struct red_pass *pass)
{
    arena_reset(now);
    s->pass = pass;
    if (!spv_module_read(now, s->best->words, s->best->count, &s->m, NULL) ||
        !cost_of(now, s->best, &s->cost))
        return false;
    s->plan = (struct red_plan){.o = o};
    edit_start(&s->plan.e, now, s->best, &s->m);
    pass->plan(&s->plan);
    return true;
}

bool module_reduce(struct red_search *search, struct red_stats *stats, struct arena *a,
                   const struct red_options *o, struct spv_case *best)
{
    struct stage *s = ARENA_NEW(a, struct stage);
    struct arena now = {0};
    const struct red_maker maker = {.user = s, .make = make};
    bool again = true, go = true;
    stats->stage = RED_MODULE;
    s->best = best;
    // The case no longer comes from its choice sequence.
    best->from = NULL;
    best->inputs_at = best->inputs_of = 0;
    for (stats->round = 1; again && go; stats->round++) {
        again = false;
        for (size_t p = 0; p < PASSES && go; p++) {
            stats->pass = passes[p]->name;
            for (uint32_t at = 0; go && look(s, &now, o, passes[p]);) {
                uint32_t n = (uint32_t)s->plan.steps.n;
                struct spv_case found;
                at = search_first(search, a, &maker, at, n, &found);
                if (at >= n) {
                    go = at != UINT32_MAX;
                    break;
                }
                *best = found;
                again = true;
                go = search_accept(search, best);
            }
        }
    }
    arena_free(&now);
    return go;
}

// ---- what passes share --------------------------------------------------------------------

void plan_runs(struct red_plan *p, uint32_t n, uint32_t kind)
{
    for (uint32_t size = n; size; size /= 2)
        for (uint32_t i = 0; i < n; i += size)
            PLAN(p, i, i + size < n ? i + size : n, kind);
}

uint16_t *id_places(struct arena *a, const struct spv_module *m)
{
    uint32_t longest = 1;
    for (uint32_t i = 0; i < m->inst_count; i++)
        longest =
            m->words[m->insts[i].at] >> 16 > longest ? m->words[m->insts[i].at] >> 16 : longest;
    return ARENA_ARRAY(a, uint16_t, longest);
}

bool leads_to(const struct spv_module *m, uint32_t label, uint32_t to)
{
    const uint32_t b = label < m->bound ? m->block_of[label] : UINT32_MAX;
    const struct spv_block *x = b != UINT32_MAX ? &m->blocks[b] : NULL;
    return label == to || (x && x->last == x->first + 1 && m->insts[x->last].op == SpvOpBranch &&
                           m->insts[x->last].v[0] == to);
}

const struct spv_inst *branch_of_if(const struct spv_module *m, uint32_t b, uint32_t *merge)
{
    const struct spv_block *x = &m->blocks[b];
    const struct spv_inst *t = &m->insts[x->last];
    if (!x->merge || m->insts[x->merge].op != SpvOpSelectionMerge ||
        t->op != SpvOpBranchConditional)
        return NULL;
    *merge = m->insts[x->merge].v[0];
    return t;
}
