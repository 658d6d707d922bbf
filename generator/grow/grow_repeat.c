// SPDX-License-Identifier: Apache-2.0
//
// The repeated operation: one operation that a function emits many times, between its statements.
#include "grow_parts.h"

// Plans an operation that mostly shows which invocations are active; otherwise any operation on an
// operand that no statement changes.
static struct grow_op repeat_plan(struct grow *g)
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

static void repeat_put(struct grow *g)
{
    struct grow_repeat *r = &g->repeat[g->main];
    const int32_t nodes = g->nodes; // restored below: it does not use up the budget of statements
    if (r->in != g->at.f)
        *r = (struct grow_repeat){repeat_plan(g), g->at.f};
    // Operations that need whole quads, and image operations, are grown elsewhere.
    if (gen_group_quads(r->op.op) || gen_group_images(r->op.op)) {
        r->in = NULL;
    } else {
        const uint32_t value = grow_op_put(g, &r->op);
        // Mostly folds the result: storing each result costs some drivers far more time than the
        // operation.
        const bool fold = gen_chance(g->c, 95), now = gen_chance(g->c, 80);
        if (fold && g->o->features & GEN_BIT(GEN_OBSERVE_FOLD) &&
            !g->at.f->values.v[value].not_guaranteed)
            grow_fold(g, value, FOLD_XOR); // always the same fold, so that arms can end with
                                           // identical code
        else if (now && grow_affords(g, 1))
            grow_see_as(g, value, SEE_NOW);
        else
            grow_see(g, value);
        grow_note(g, GEN_REPEAT);
    }
    g->nodes = nodes;
}

void grow_repeat(struct grow *g)
{
    const struct grow_repeat *r = &g->repeat[g->main];
    const uint32_t level = g->swarm.feature[GEN_REPEAT];
    if (!(g->o->features & GEN_BIT(GEN_REPEAT)))
        return;
    const bool here = grow_can_see(g) && grow_expected(g) >= GROW_ALL &&
                      (r->in != g->at.f || grow_repeat_is_here(g));
    uint32_t often = !here        ? 0
                     : level >= 8 ? 60
                     : level >= 3 ? 35
                     : level      ? 25
                                  : 0; // percent of the places
    for (bool again = true; again;
         often = 0) { // at most once; if the span is cut out, the next byte read means "no"
        const uint32_t span = gen_span_open(g->c, GEN_SPAN_STMT);
        again = gen_chance(g->c, often);
        if (again)
            repeat_put(g);
        if (again)
            gen_span_close(g->c, span);
        else
            gen_span_drop(g->c, span);
    }
}
