// SPDX-License-Identifier: Apache-2.0
//
// Values that go through memory: what another invocation had, after a control
// barrier; atomic operations whose order does not matter; values that live through
// the whole program; and whether all invocations come together here, without which
// a barrier has no meaning (and, under the weaker models, an operation no promise).
#include "grow.h"

// ---- who comes here ------------------------------------------------------------------

// The end of a call promises nothing by itself to those who come out of it by different ways:
// up to the merge block of what is around the call. A loop of one block is not: all of it
// stands before its merge instruction.
static bool calls_apart(const struct grow *g, const struct gen_stmt *s)
{
    if (s->kind == STMT_CALL) {
        const struct gen_block *b = &g->p->functions.v[s->call.callee]->body;
        for (const struct gen_stmt *in = b->first; in; in = in->next)
            if (calls_apart(g, in))
                return true;
        return gen_block_returns_early(b);
    }
    for (const struct gen_stmt *in = s->kind == STMT_LOOP && s->loop.single ? s->loop.body.first
                                                                            : NULL;
         in; in = in->next)
        if (calls_apart(g, in))
            return true;
    return false;
}

bool grow_goes_together(const struct grow *g, const struct gen_stmt *loop)
{
    // A second trip begins as the first one ended.
    for (const struct gen_stmt *in = loop->loop.body.first; g->weak && in; in = in->next)
        if (calls_apart(g, in))
            return false;
    return gen_loop_together(loop) && grow_together(g);
}

bool grow_together(const struct grow *g)
{
    if (!g->at.together)
        return false;
    for (const struct gen_stmt *s = g->at.block->first; s; s = s->next)
        if (!gen_stmt_joins(s) || (g->weak && calls_apart(g, s)))
            return false;
    return true;
}

static bool is_loose(const struct grow *g, const struct gen_expr *e)
{
    if (e && e->kind == EXPR_VALUE)
        return g->at.f->values.v[e->n].loose;
    for (int i = 0; e && i < 3; i++)
        if (is_loose(g, e->arg[i]))
            return true;
    return false;
}

bool grow_is_loose(const struct grow *g, const struct gen_stmt *op)
{
    const bool alone = gen_group_images(op->op.op) && !gen_group_quads(op->op.op);
    return g->weak && ((!alone && !grow_together(g)) || is_loose(g, op->op.arg[0]) ||
                       is_loose(g, op->op.arg[1]));
}

// ---- exchange --------------------------------------------------------------------------

bool grow_can_exchange(const struct grow *g)
{
    return g->main && (grow_has(g, GEN_SHARED) || grow_has(g, GEN_THROUGH_BUFFER)) &&
           g->p->local_size > 1 && grow_can_see(g) && grow_together(g);
}

void grow_exchange(struct grow *g)
{
    const uint16_t memory[] = {g->swarm.feature[GEN_SHARED], g->swarm.feature[GEN_THROUGH_BUFFER]};
    const enum gen_memory m = (enum gen_memory)gen_weighted(g->c, memory, 2);
    const bool sum = gen_chance(g->c, grow_has(g, GEN_ATOMIC) ? 30 : 0);
    // By one, by a few, by a subgroup, by anything.
    static const uint16_t weights[] = {4, 3, 2, 2};
    const uint32_t by = gen_weighted(g->c, weights, 4), any = gen_choose(g->c, 256);
    const uint32_t near[] = {1, 1 + any % 8, g->p->subgroup, any};
    const struct gen_expr *e = grow_u32(g, 1);
    struct gen_stmt *s = grow_stmt_new(g, STMT_EXCHANGE);
    s->exchange.memory = m;
    s->exchange.how = sum ? MEET_SUM : MEET_NEIGHBOUR;
    s->exchange.n = near[by] % g->p->local_size;
    s->exchange.expr = e;
    g->at.f->uses |= 1u << EXPR_LOCAL;
    grow_note(g, m == MEMORY_SHARED ? GEN_SHARED : GEN_THROUGH_BUFFER);
    grow_see(g, grow_bind(g, s, TYPE_U32));
}

// ---- atomics ----------------------------------------------------------------------------

void grow_atomic(struct grow *g)
{
    static const uint16_t weights[GEN_ATOMIC_COUNT] = {
        [ATOMIC_ADD] = 6,  [ATOMIC_UMIN] = 1, [ATOMIC_UMAX] = 2, [ATOMIC_SMIN] = 1,
        [ATOMIC_SMAX] = 1, [ATOMIC_AND] = 1,  [ATOMIC_OR] = 2,   [ATOMIC_XOR] = 3};
    const enum gen_atomic op = (enum gen_atomic)gen_weighted(g->c, weights, GEN_ATOMIC_COUNT);
    const struct gen_expr *e = grow_u32(g, 1);
    struct gen_stmt *s = grow_stmt_new(g, STMT_ATOMIC);
    s->atomic.op = op;
    s->atomic.expr = e;
    grow_note(g, GEN_ATOMIC);
}

// ---- pressure -----------------------------------------------------------------------------

enum { LEAST = 8, MORE = 24 };

// Values that are there from here on; `values` are as many as are told.
uint32_t grow_pressure(struct grow *g, uint32_t values[GROW_PRESSURE_MAX])
{
    const bool wanted = gen_chance(g->c, grow_has(g, GEN_PRESSURE) ? 60 : 0);
    const uint32_t n = LEAST + gen_choose(g->c, MORE);
    if (!wanted || !grow_affords(g, 1))
        return 0;
    const int32_t nodes = g->nodes;
    const size_t visible = g->at.visible.n;
    for (uint32_t i = 0; i < n; i++) {
        const struct gen_expr *own = grow_own(g);
        const struct gen_expr *all = grow_uniform_at(g, i % g->p->input_words);
        struct gen_stmt *s = grow_stmt_new(g, STMT_LET);
        s->let.expr = grow_alu(g, i % 2 ? EXPR_ADD : EXPR_XOR, own, all);
        values[i] = grow_bind(g, s, TYPE_U32);
    }
    g->nodes = nodes;
    g->at.visible.n = visible; // for nothing else: each has to last
    grow_note(g, GEN_PRESSURE);
    return n;
}

void grow_pressure_end(struct grow *g, const uint32_t *values, uint32_t n)
{
    if (!n || gen_block_ends(g->at.block) || !grow_affords(g, 1))
        return;
    const struct gen_expr *e = grow_value(g, values[0]);
    for (uint32_t i = 1; i < n; i++)
        e = grow_alu(g, i % 3 ? EXPR_ADD : EXPR_XOR, e, grow_value(g, values[i]));
    const struct gen_expr **v = ARENA_NEW(g->arena, const struct gen_expr *);
    *v = e;
    grow_pay(g, 1);
    grow_log(g, v, 1);
}
