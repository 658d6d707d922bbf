// SPDX-License-Identifier: Apache-2.0
//
// The same again: an operation with the operands of an earlier one, a condition that was asked
// before. What merges, moves or reuses equal work has something to do only where there is some.
#include "grow.h"

// Can the expression stand here: is what it reads there?
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

// Percent of the places where there is something to repeat.
static uint32_t often(const struct grow *g)
{
    const uint32_t level = g->swarm.feature[GEN_TWINS];
    return level ? 10 + 6 * level : 0;
}

// Can it be put down here?
static bool refrain_is_here(const struct grow *g, const struct grow_refrain *r)
{
    return r->in == g->at.f && is_here(g, r->op.arg[0]) && is_here(g, r->op.arg[1]);
}

bool grow_twin(struct grow *g, struct grow_op *out)
{
    const struct grow_refrain *r = &g->refrain[g->main];
    if (g->o->features & GEN_BIT(GEN_REFRAIN) && gen_chance(g->c, refrain_is_here(g, r) ? 50 : 0)) {
        *out = r->op;
        return true;
    }
    const struct grow_said *s = &g->said;
    const struct grow_op *fit[GROW_SAID];
    uint32_t n = 0;
    for (uint32_t i = 0; i < GROW_SAID && i < s->ops; i++) { // the newest first
        const uint32_t k = (s->ops - 1 - i) % GROW_SAID;
        const struct grow_op *op = &s->op[k];
        if (gen_group_quads(op->op) && !(g->deriving && grow_whole(g)))
            continue;
        const bool here =
            s->op_in[k] == g->at.f && is_here(g, op->arg[0]) && is_here(g, op->arg[1]);
        const bool lod =
            gen_group_quads(op->op) && gen_group_images(op->op); // its operands are the quad's
        if (here &&
            (!lod || (grow_is_quad(g, op->arg[0]) && (!op->arg[1] || grow_is_quad(g, op->arg[1])))))
            fit[n++] = op;
    }
    const bool again = gen_chance(g->c, n ? often(g) : 0);
    if (!again)
        return false;
    *out = *fit[gen_choose(g->c, GROW_SAID) % n];
    grow_note(g, GEN_TWINS);
    return true;
}

void grow_say(struct grow *g, const struct grow_op *op)
{
    const uint32_t i = g->said.ops++ % GROW_SAID;
    g->said.op[i] = *op;
    g->said.op_in[i] = g->at.f;
}

const struct gen_expr *grow_twin_test(struct grow *g)
{
    const struct gen_expr *e = g->said.test_in == g->at.f ? g->said.test : NULL;
    const bool again = gen_chance(g->c, e && is_here(g, e) ? often(g) / 2 : 0);
    if (!again)
        return NULL;
    const bool opposite = gen_chance(g->c, 15);
    grow_note(g, GEN_TWINS);
    return opposite ? grow_alu(g, EXPR_NEITHER, e, NULL) : e;
}

void grow_say_test(struct grow *g, const struct gen_expr *e)
{
    if (e->kind == EXPR_CONST)
        return;
    g->said.test = e;
    g->said.test_in = g->at.f;
}

// ---- the refrain -------------------------------------------------------------------

// Mostly what tells who is here; else any operation on what no statement changes.
static struct grow_op refrain_plan(struct grow *g)
{
    enum { ELECT, BALLOT, FIRST, ANY, KINDS };
    const uint16_t weights[KINDS] = {[ELECT] = grow_op_weight(g, GROUP_ELECT) ? 3 : 0,
                                     [BALLOT] = grow_op_weight(g, GROUP_BALLOT) ? 7 : 0,
                                     [FIRST] = grow_op_weight(g, GROUP_FIRST) ? 2 : 0,
                                     [ANY] = 6};
    const uint32_t kind = gen_weighted(g->c, weights, KINDS);
    const bool own = gen_chance(g->c, 50);
    const struct gen_expr *on = own && kind != ELECT ? grow_own(g) : grow_const(g, 1);
    switch (kind) {
    case ELECT:
        return (struct grow_op){.op = GROUP_ELECT};
    case BALLOT:
        return (struct grow_op){.op = GROUP_BALLOT,
                                .arg[0] = own ? grow_test(g, on) : grow_const_bool(g, true)};
    case FIRST:
        return (struct grow_op){.op = GROUP_FIRST, .arg[0] = on};
    default:
        return grow_op_plan(g, on);
    }
}

static void refrain_put(struct grow *g)
{
    struct grow_refrain *r = &g->refrain[g->main];
    const int32_t nodes = g->nodes; // it is beside the program, not in place of it
    if (r->in != g->at.f)
        *r = (struct grow_refrain){refrain_plan(g), g->at.f};
    // What asks for whole quads, and images, have places of their own.
    if (gen_group_quads(r->op.op) || gen_group_images(r->op.op)) {
        r->in = NULL;
    } else {
        const uint32_t value = grow_op_put(g, &r->op);
        // Mostly a sum shows it: to store each result costs some drivers far more than the
        // operation does.
        const bool fold = gen_chance(g->c, 95), now = gen_chance(g->c, 80);
        if (fold && g->o->features & GEN_BIT(GEN_OBSERVE_FOLD) && !g->at.f->values.v[value].loose)
            grow_fold(g, value, FOLD_XOR); // the same each time, so that arms can end in the same
        else if (now && grow_affords(g, 1))
            grow_see_as(g, value, SEE_NOW);
        else
            grow_see(g, value);
        grow_note(g, GEN_REFRAIN);
    }
    g->nodes = nodes;
}

void grow_refrain(struct grow *g)
{
    const struct grow_refrain *r = &g->refrain[g->main];
    const uint32_t level = g->swarm.feature[GEN_REFRAIN];
    if (!(g->o->features & GEN_BIT(GEN_REFRAIN)))
        return;
    const bool here = grow_can_see(g) && grow_expected(g) >= GROW_ALL &&
                      (r->in != g->at.f || refrain_is_here(g, r));
    uint32_t often = !here        ? 0
                     : level >= 8 ? 60
                     : level >= 3 ? 35
                     : level      ? 25
                                  : 0; // percent of the places
    for (bool again = true; again;
         often = 0) { // once, and the span can be cut out: what is read then is "no"
        const uint32_t span = gen_span_open(g->c, GEN_SPAN_STMT);
        again = gen_chance(g->c, often);
        if (again)
            refrain_put(g);
        if (again)
            gen_span_close(g->c, span);
        else
            gen_span_drop(g->c, span);
    }
}
