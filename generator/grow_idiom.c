// SPDX-License-Identifier: Apache-2.0
//
// The smallest shapes that are known to break compilers, with variations. Random
// growth reaches them too, less often.
#include "grow.h"

// Number per lane, 0 .. 3: the trip in which it leaves.
static const struct gen_expr *leaves_at(struct grow *g, const struct gen_stmt *loop)
{
    static const enum gen_expr_kind kinds[] = {EXPR_EQ, EXPR_GE, EXPR_EQ};
    enum gen_expr_kind kind = kinds[gen_choose(g->c, 3)];
    const struct gen_expr *i = grow_var(g, loop->loop.counter);
    return grow_alu(g, kind, i, grow_small(g, 3, false));
}

// loop { if (i == t) { op; leave; } ... }
static void loop_with_exit(struct grow *g, enum gen_leave how)
{
    const bool infinite =
        how == LEAVE_BREAK && grow_has(g, GEN_INFINITE) && (g->o->features & GEN_BIT(GEN_IF)) != 0;
    const uint16_t weights[] = {grow_has(g, GEN_FOR) ? 1 : 0, grow_has(g, GEN_DO_WHILE) ? 1 : 0,
                                infinite ? 2 : 0};
    enum gen_loop_form form = (enum gen_loop_form)gen_weighted(g->c, weights, 3);
    struct gen_stmt *s = grow_loop(g, form, grow_loop_limit(g, 2));
    grow_loop_values(g, s);
    struct grow_mark body = grow_open_body(g, s);
    bool guard_first = gen_chance(g->c, 30), before = gen_chance(g->c, 25);
    if (form == LOOP_INFINITE && gen_chance(g->c, 40)) { // the guard is the only way out
        grow_bar(g);
        if (before && grow_can_see(g))
            grow_op(g, NULL);
        grow_guard(g, s);
        grow_stmts(g, 35, 35);
        grow_close(g, &body);
        grow_loop_end(g, s);
        return;
    }
    if (form == LOOP_INFINITE && guard_first)
        grow_guard(g, s);
    const struct grow_exits exits = grow_bar(g);
    if (before && grow_can_see(g))
        grow_op(g, NULL);
    struct gen_stmt *out = grow_if(g, leaves_at(g, s), false);
    struct grow_mark arm = grow_open_arm(g, out, 0);
    if (grow_can_see(g))
        grow_op(g, NULL);
    grow_close_with(g, &arm, how);
    if (form == LOOP_INFINITE && !guard_first)
        grow_guard(g, s);
    g->at.may = exits;
    grow_stmts(g, 35, 35);
    grow_close(g, &body);
    grow_loop_end(g, s);
}

// if (c) A; if (c) B; op
static void two_ifs(struct grow *g)
{
    const struct gen_expr *c = grow_decide(g);
    bool bind = gen_chance(g->c, 50);
    if (bind) {
        struct gen_stmt *let = grow_stmt_new(g, STMT_LET);
        let->let.expr = c;
        c = grow_value(g, grow_bind(g, let, TYPE_BOOL));
    }
    for (int i = 0; i < 2; i++) {
        bool opposite = gen_chance(g->c, i ? 25 : 0);
        const struct gen_expr *cond = opposite ? grow_alu(g, EXPR_NEITHER, c, NULL) : c;
        struct gen_stmt *s = grow_if(g, cond, false);
        grow_arm(g, s, 0, 95, 35);
    }
    if (grow_can_see(g))
        grow_op(g, NULL);
}

// v = the operation's result, as it is in a variable.
static void put_into(struct grow *g, const struct grow_op *op, uint32_t var)
{
    grow_set(g, var, grow_value_u32(g, grow_op_put(g, op)));
}

// if (c) { A; v = op } else { B; v = op }
static void both_arms(struct grow *g)
{
    struct grow_op op = grow_op_plan(g, NULL);
    uint32_t var = grow_pick_var(g);
    struct gen_stmt *s = grow_if(g, grow_decide(g), true);
    for (int i = 0; i < 2; i++) {
        struct grow_mark m = grow_open_arm(g, s, (uint32_t)i);
        grow_stmts(g, 35, 35);
        if (!gen_block_ends(g->at.block))
            put_into(g, &op, var);
        grow_close(g, &m);
    }
    grow_note(g, GEN_OBSERVE_LATER);
}

// if (c) v = A; else v = B; op(v)
static void behind_merge(struct grow *g)
{
    uint32_t var = grow_pick_var(g);
    bool other = gen_chance(g->c, grow_has(g, GEN_ELSE) ? 60 : 0) || !grow_has(g, GEN_IF);
    struct gen_stmt *s = grow_if(g, grow_decide(g), other);
    for (int i = 0; i < 1 + other; i++) {
        struct grow_mark m = grow_open_arm(g, s, (uint32_t)i);
        grow_set(g, var, grow_u32(g, 1));
        grow_close(g, &m);
    }
    if (!gen_stmt_ends(s))
        grow_op(g, grow_var(g, var));
}

// x = op; if (c) y = op
static void again_inside(struct grow *g)
{
    struct grow_op op = grow_op_plan(g, NULL);
    uint32_t x = grow_op_put(g, &op);
    bool first_unseen = gen_chance(g->c, grow_has(g, GEN_OBSERVE_NEVER) ? 30 : 0);
    if (!first_unseen)
        grow_see(g, x);
    else
        grow_note(g, GEN_OBSERVE_NEVER);
    if (!grow_can_see(g)) // or that was the end of the block
        return;
    struct gen_stmt *s = grow_if(g, grow_decide(g), false);
    struct grow_mark m = grow_open_arm(g, s, 0);
    grow_see(g, grow_op_put(g, &op));
    grow_close(g, &m);
}

static void callee_loop_body(struct grow *g)
{
    loop_with_exit(g, LEAVE_RETURN);
    grow_stmts(g, 30, 30);
}

bool grow_can_idiom(const struct grow *g, enum grow_idiom i)
{
    // The parts are grown without asking again, so there has to be room for all.
    const uint32_t room = g->profile->depth > g->at.depth ? g->profile->depth - g->at.depth : 0;
    if (g->nodes < 4 || g->at.straight || grow_expected(g) < 2 * GROW_ALL || !grow_can_see(g) || !grow_affords(g, 4))
        return false;
    switch (i) {
    case IDIOM_BREAK_BLOCK:
        return room >= 2 && grow_can_loop(g) && grow_has(g, GEN_IF) && grow_has(g, GEN_BREAK) &&
               (grow_has(g, GEN_INFINITE) || grow_has(g, GEN_FOR) || grow_has(g, GEN_DO_WHILE));
    case IDIOM_TWO_IFS:
    case IDIOM_AGAIN_INSIDE:
        return room >= 1 && grow_has(g, GEN_IF);
    case IDIOM_BOTH_ARMS:
        return room >= 1 && grow_has(g, GEN_ELSE) && grow_has(g, GEN_OBSERVE_LATER);
    case IDIOM_BEHIND_MERGE:
        return room >= 1 && (grow_has(g, GEN_IF) || grow_has(g, GEN_ELSE));
    case IDIOM_CALLEE_LOOP:
        return room >= 3 && grow_can_make_function(g) && grow_can_loop(g) && grow_has(g, GEN_IF) &&
               grow_has(g, GEN_RETURN) && (grow_has(g, GEN_FOR) || grow_has(g, GEN_DO_WHILE));
    case GROW_IDIOM_COUNT:
        break;
    }
    return false;
}

void grow_idiom(struct grow *g, enum grow_idiom i)
{
    switch (i) {
    case IDIOM_BREAK_BLOCK:
        loop_with_exit(g, LEAVE_BREAK);
        break;
    case IDIOM_TWO_IFS:
        two_ifs(g);
        break;
    case IDIOM_BOTH_ARMS:
        both_arms(g);
        break;
    case IDIOM_BEHIND_MERGE:
        behind_merge(g);
        break;
    case IDIOM_AGAIN_INSIDE:
        again_inside(g);
        break;
    case IDIOM_CALLEE_LOOP:
        grow_call_new(g, callee_loop_body);
        if (grow_can_see(g))
            grow_op(g, NULL);
        break;
    case GROW_IDIOM_COUNT:
        break;
    }
}
