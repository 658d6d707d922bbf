// SPDX-License-Identifier: Apache-2.0
//
// Repetition: an operation with the operands of an earlier one, or an earlier condition. Passes
// that merge, move or reuse equal code need such programs.
#include "grow_parts.h"

// True if the values that the expression reads are available here.
static bool is_here(const struct grow *g, const struct gen_expr *e)
{
    if (!e)
        return true;
    if (e->kind == EXPR_VALUE) {
        for (size_t i = g->at.visible.n; i-- > 0;)
            if (g->at.visible.v[i] == e->n)
                return true;
        return false;
    }
    for (int i = 0; i < 3 && e->arg[i]; i++)
        if (!is_here(g, e->arg[i]))
            return false;
    return true;
}

// Returns the percentage of repetitions where one is possible.
static uint32_t often(const struct grow *g)
{
    const uint32_t level = g->swarm.feature[GEN_TWINS];
    return level ? 10 + 6 * level : 0;
}

static bool op_is_here(const struct grow *g, const struct grow_op *op)
{
    return is_here(g, op->arg[0]) && is_here(g, op->arg[1]);
}

bool grow_repeat_is_here(const struct grow *g)
{
    const struct grow_repeat *r = &g->repeat[g->main];
    return r->in == g->at.f && op_is_here(g, &r->op);
}

bool grow_twin(struct grow *g, struct grow_op *out)
{
    if (g->o->features & GEN_BIT(GEN_REPEAT) && gen_chance(g->c, grow_repeat_is_here(g) ? 50 : 0)) {
        *out = g->repeat[g->main].op;
        return true;
    }
    const struct grow_recent *s = &g->recent;
    const struct grow_op *fit[GROW_RECENT];
    uint32_t n = 0;
    for (uint32_t i = 0; i < GROW_RECENT && i < s->ops; i++) { // the newest first
        const uint32_t k = (s->ops - 1 - i) % GROW_RECENT;
        const struct grow_op *op = &s->op[k];
        if (gen_group_quads(op->op) && !(g->deriving && grow_whole(g)))
            continue;
        const bool here = s->op_in[k] == g->at.f && op_is_here(g, op);
        const bool lod =
            gen_group_quads(op->op) && gen_group_images(op->op); // its operands must be uniform in
                                                                 // each quad
        if (here &&
            (!lod || (grow_is_quad(g, op->arg[0]) && (!op->arg[1] || grow_is_quad(g, op->arg[1])))))
            fit[n++] = op;
    }
    const bool again = gen_chance(g->c, n ? often(g) : 0);
    if (!again)
        return false;
    *out = *fit[gen_choose(g->c, GROW_RECENT) % n];
    grow_note(g, GEN_TWINS);
    return true;
}

void grow_remember(struct grow *g, const struct grow_op *op)
{
    const uint32_t i = g->recent.ops++ % GROW_RECENT;
    g->recent.op[i] = *op;
    g->recent.op_in[i] = g->at.f;
}

const struct gen_expr *grow_twin_test(struct grow *g)
{
    const struct gen_expr *e = g->recent.test_in == g->at.f ? g->recent.test : NULL;
    const bool again = gen_chance(g->c, e && is_here(g, e) ? often(g) / 2 : 0);
    if (!again)
        return NULL;
    const bool opposite = gen_chance(g->c, 15);
    grow_note(g, GEN_TWINS);
    return opposite ? grow_alu(g, EXPR_NEITHER, e, NULL) : e;
}

void grow_remember_test(struct grow *g, const struct gen_expr *e)
{
    if (e->kind == EXPR_CONST)
        return;
    g->recent.test = e;
    g->recent.test_in = g->at.f;
}
