// SPDX-License-Identifier: Apache-2.0
//
// Where invocations are converged: all of the workgroup, which a barrier needs (and, under the
// weaker models, a guaranteed result of an operation); whole quads (rules in tree_quads.c). Derived
// from the tree as it has grown; draws no choice.
#include "grow_state.h"

// ---- the workgroup ----------------------------------------------------------------------

// True if the statement calls a function that invocations leave on different paths. Under the
// weaker models the end of such a call does not reconverge them; only the merge block of a
// construct around the call does. A single-block loop is not such a construct: all of it comes
// before its merge instruction.
static bool call_diverges(const struct grow *g, const struct gen_stmt *s)
{
    if (s->kind == STMT_CALL) {
        const struct gen_block *b = &g->p->functions.v[s->call.callee]->body;
        for (const struct gen_stmt *in = b->first; in; in = in->next)
            if (call_diverges(g, in))
                return true;
        return gen_block_returns_early(b);
    }
    for (const struct gen_stmt *in = s->kind == STMT_LOOP && s->loop.single ? s->loop.body.first
                                                                            : NULL;
         in; in = in->next)
        if (call_diverges(g, in))
            return true;
    return false;
}

bool grow_goes_together(const struct grow *g, const struct gen_stmt *loop)
{
    // The second iteration starts in the state in which the first one ended.
    for (const struct gen_stmt *in = loop->loop.body.first; g->weak && in; in = in->next)
        if (call_diverges(g, in))
            return false;
    return gen_loop_together(loop) && grow_together(g);
}

bool grow_together(const struct grow *g)
{
    if (!g->at.together)
        return false;
    for (const struct gen_stmt *s = g->at.block->first; s; s = s->next)
        if (!gen_stmt_joins(s) || (g->weak && call_diverges(g, s)))
            return false;
    return true;
}

static bool is_not_guaranteed(const struct grow *g, const struct gen_expr *e)
{
    if (e && e->kind == EXPR_VALUE)
        return g->at.f->values.v[e->n].not_guaranteed;
    for (int i = 0; e && i < 3; i++)
        if (is_not_guaranteed(g, e->arg[i]))
            return true;
    return false;
}

bool grow_is_not_guaranteed(const struct grow *g, const struct gen_stmt *op)
{
    const bool alone = gen_group_images(op->op.op) && !gen_group_quads(op->op.op);
    return g->weak && ((!alone && !grow_together(g)) || is_not_guaranteed(g, op->op.arg[0]) ||
                       is_not_guaranteed(g, op->op.arg[1]));
}

// ---- quads ------------------------------------------------------------------------------

static struct gen_quads quads_of(const struct grow *g)
{
    return (struct gen_quads){g->at.f, g->at.f->quad.v, g->at.quad_counters};
}

bool grow_whole(const struct grow *g)
{
    if (!(g->o->features & GEN_QUADS) || !g->at.whole)
        return false;
    const struct gen_quads q = quads_of(g);
    for (const struct gen_stmt *s = g->at.block->first; s; s = s->next)
        if (!gen_stmt_quads(&q, s))
            return false;
    return true;
}

bool grow_is_quad(const struct grow *g, const struct gen_expr *e)
{
    const struct gen_quads q = quads_of(g);
    return gen_expr_quad(&q, e);
}

bool grow_loop_is_quad(const struct grow *g, const struct gen_stmt *loop)
{
    // Does not call grow_whole: the loop itself may have bound values by now, and the question is
    // only if quads reached the loop whole.
    if (!(g->o->features & GEN_QUADS) || !g->at.whole)
        return false;
    const struct gen_quads q = quads_of(g);
    for (const struct gen_stmt *s = g->at.block->first; s && s != loop; s = s->next)
        if (!gen_stmt_quads(&q, s))
            return false;
    return gen_loop_quads(&q, loop);
}

bool grow_arm_is_quad(const struct grow *g, const struct gen_stmt *s, uint32_t i)
{
    if (s->kind == STMT_IF)
        return grow_is_quad(g, s->branch.cond);
    const struct gen_quads q = quads_of(g);
    return gen_case_quads(&q, s, i);
}

void grow_quad_loop(struct grow *g, const struct gen_stmt *loop)
{
    struct gen_quad_counter *own = ARENA_NEW(g->arena, struct gen_quad_counter);
    *own = (struct gen_quad_counter){loop->loop.counter, g->at.quad_counters};
    g->at.whole = true;
    g->at.quad_counters = own;
}
