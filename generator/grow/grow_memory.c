// SPDX-License-Identifier: Apache-2.0
//
// Values that go through memory: values of other invocations, read after a control barrier; atomic
// operations whose order does not matter; values that stay live through the entire program.
#include "grow_parts.h"

// ---- exchange ---------------------------------------------------------------------------

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
    // Distance to the other invocation: one, a few, a subgroup, or any.
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

// ---- pressure ---------------------------------------------------------------------------

enum { LEAST = 8, MORE = 24 };

// Binds `n` values that stay live from here on, and returns n. 0: not wanted.
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
    g->at.visible.n = visible; // hidden from other expressions: each must stay live to the end
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
    grow_log_one(g, e);
}
