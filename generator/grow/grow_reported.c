// SPDX-License-Identifier: Apache-2.0
//
// Shapes of bugs that were reported publicly against compilers and drivers from 2023 to 2026.
#include "grow_shapes.h"

// ---- a waterfall that returns -----------------------------------------------------------

// loop { f = first(v); if (f == v) { op; return; } } in a function of its own. In an endless loop
// nothing else leaves it, as in do { ... } while (true).
static void waterfall_body(struct grow *g)
{
    enum { DISTINCT = 4 };
    struct gen_stmt *let = grow_stmt_new(g, STMT_LET);
    let->let.expr = grow_small(g, DISTINCT - 1, false);
    const struct gen_expr *v = grow_value(g, grow_bind(g, let, TYPE_U32));
    const gen_features guard = GEN_BIT(GEN_IF) | GEN_BIT(GEN_BREAK) | GEN_BIT(GEN_INFINITE);
    const bool endless = gen_chance(g->c, (g->o->features & guard) == guard ? 60 : 0);
    struct gen_stmt *s = grow_loop(g, endless ? LOOP_INFINITE : LOOP_FOR, DISTINCT - endless);
    grow_loop_values(g, s);
    struct grow_mark body = grow_open_body(g, s);
    const struct grow_exits exits = grow_bar(g);
    const struct grow_op first = {.op = GROUP_FIRST, .arg[0] = v};
    const struct gen_expr *f = grow_value(g, grow_op_put(g, &first));
    struct gen_stmt *turn = grow_if(g, grow_alu(g, EXPR_EQ, f, v), false);
    struct grow_mark arm = grow_open_arm(g, turn, 0);
    g->at.may.leave_function = true;
    if (grow_can_see(g)) {
        const struct grow_op op = grow_op_plan(g, NULL);
        const uint32_t value = grow_op_put(g, &op);
        const bool returned = gen_chance(g->c, grow_has(g, GEN_OBSERVE_LATER) ? 60 : 0);
        if (returned) { // it becomes part of the result, or of the last log entry
            const struct gen_expr *result = grow_value_u32(g, value); // draws before the variable
            grow_set(g, grow_pick_var(g), result);
            grow_note(g, GEN_OBSERVE_LATER);
        } else {
            grow_see(g, value);
        }
    }
    grow_close_with(g, &arm, LEAVE_RETURN);
    if (endless) {
        const struct gen_expr *i = grow_var(g, s->loop.counter);
        s->loop.guard = grow_if(g, grow_alu(g, EXPR_GE, i, grow_const(g, s->loop.limit)), false);
        struct grow_mark never = grow_open_arm(g, (struct gen_stmt *)s->loop.guard, 0);
        g->at.may.leave_function = true;
        grow_close_with(g, &never, LEAVE_RETURN);
    }
    g->at.may = exits;
    grow_close(g, &body);
    grow_loop_end(g, s);
    grow_note(g, GEN_OBSERVE_BRANCH);
}

static void waterfall_returns(struct grow *g)
{
    grow_call_new(g, waterfall_body);
    grow_op_here(g, NULL);
}

// ---- what the elected invocation does -----------------------------------------------------

// if (elect()) x = ..; r = first(phi(x, undefined)): the value of the elected invocation, for all
static void leader_value(struct grow *g)
{
    const struct grow_op elect = {.op = GROUP_ELECT};
    struct gen_stmt *s = grow_if(g, grow_value(g, grow_op_put(g, &elect)), false);
    struct gen_phi *phi = &s->branch.phi[0];
    struct grow_mark m = grow_open_arm(g, s, 0);
    grow_bar(g);
    grow_stmts(g, 30, 20);
    phi->a = grow_u32(g, 1);
    phi->b = grow_leaf(g, EXPR_UNDEF, TYPE_U32, 0);
    grow_settle(g, &m);
    grow_close_block(g, &m);
    s->branch.phi_count = 1;
    phi->value = grow_bind_phi(g, s, TYPE_U32);
    const struct grow_op first = {.op = GROUP_FIRST, .arg[0] = grow_value(g, phi->value)};
    g->at.visible.n--; // undefined in the other invocations, so nothing else may read it
    const uint32_t value = grow_op_put(g, &first);
    grow_see_here(g, value);
}

// if (elect()) A; else { op }: the operation runs without the first invocation
static void leader_else(struct grow *g)
{
    const struct grow_op elect = {.op = GROUP_ELECT};
    struct gen_stmt *s = grow_if(g, grow_value(g, grow_op_put(g, &elect)), true);
    grow_arm(g, s, 0, 60, 20);
    struct grow_mark m = grow_open_arm(g, s, 1);
    const bool first = gen_chance(g->c, grow_op_weight(g, GROUP_FIRST) ? 60 : 0);
    struct grow_op op = {.op = GROUP_FIRST};
    if (first)
        op.arg[0] = grow_u32(g, 0);
    else
        op = grow_op_plan(g, NULL);
    grow_put_here(g, &op);
    grow_stmts(g, 25, 25);
    grow_close(g, &m);
}

// ---- a condition that the continue construct computes --------------------------------------

// do { A; continue: x = op; c = test(x); v = ..; } while (c), or while (test(v)) with v = x
static void latch(struct grow *g)
{
    const uint32_t var = grow_pick_var(g);
    grow_set(g, var, grow_const(g, gen_choose(g->c, 4)));
    struct gen_stmt *s = grow_loop(g, LOOP_DO, grow_loop_limit(g, 2));
    grow_loop_values(g, s);
    s->loop.cond = grow_test(g, grow_var(g, var));
    grow_note(g, GEN_DIVERGENT_TRIPS);
    struct grow_mark body = grow_open_body(g, s);
    const struct grow_exits exits = grow_bar(g); // the continue construct must be reached
    grow_stmts(g, 60, 30);
    g->at.may = exits;
    grow_settle(g, &body);
    grow_close_block(g, &body);
    g->latch = s;
    g->latch_var = var;
    grow_loop_end(g, s);
    grow_note(g, GEN_OBSERVE_BRANCH);
    grow_op_here(g, gen_chance(g->c, 30) ? grow_var(g, var) : NULL);
}

// ---- a phi of constants from arms of several blocks -----------------------------------------

// if (c) { if (d) A; p = k } else { if (e) B; p = l } for (i < p) op
static void phi_then_loop(struct grow *g)
{
    const uint32_t k = gen_choose(g->c, 4), l = 1 + gen_choose(g->c, 3);
    struct gen_stmt *s = grow_if(g, grow_decide(g), true);
    for (uint32_t i = 0; i < 2; i++) {
        struct grow_mark m = grow_open_arm(g, s, i);
        grow_bar(g);
        if (grow_can_nest(g)) {
            struct gen_stmt *in = grow_if(g, grow_decide(g), false);
            grow_arm(g, in, 0, 80, 30);
        }
        grow_settle(g, &m);
        grow_close_block(g, &m);
    }
    struct gen_phi *phi = &s->branch.phi[0];
    phi->a = grow_const(g, k);
    phi->b = grow_const(g, (k + l) & 3);
    s->branch.phi_count = 1;
    phi->value = grow_bind_phi(g, s, TYPE_U32);
    const struct gen_expr *p = grow_value(g, phi->value);
    struct gen_stmt *loop = grow_loop(g, LOOP_FOR, 3);
    grow_loop_values(g, loop);
    loop->loop.cond = grow_alu(g, EXPR_LT, grow_var(g, loop->loop.counter), p);
    grow_note(g, GEN_DIVERGENT_TRIPS);
    struct grow_mark body = grow_open_body(g, loop);
    grow_op_here(g, NULL);
    grow_stmts(g, 20, 20);
    grow_close(g, &body);
    grow_loop_end(g, loop);
    grow_op_here(g, gen_chance(g->c, 40) ? p : NULL);
}

// ---- conversions round an operation ----------------------------------------------------------

// x = op(u16(a)); if (c) use(u16(x)): of 32 bits, between numbers of 16 bits; or through floats
static void converted(struct grow *g)
{
    const bool floats = grow_has(g, GEN_FLOAT32);
    const bool narrow = gen_chance(g->c, !grow_has(g, GEN_INT16) ? 0 : floats ? 70 : 100);
    const enum gen_expr_kind kind = narrow ? EXPR_NARROW : EXPR_ROUND;
    static const enum gen_group_op ops[] = {GROUP_REDUCE_ADD, GROUP_UPTO_ADD, GROUP_BELOW_ADD,
                                            GROUP_REDUCE_ADD, GROUP_FIRST};
    const uint32_t pick = gen_choose(g->c, 5);
    const struct gen_expr *a = grow_alu(g, kind, grow_u32(g, 1), NULL);
    struct grow_op op = {.op = ops[pick], .arg[0] = a};
    if (!grow_op_weight(g, ops[pick]))
        op = grow_op_plan(g, a);
    grow_note(g, narrow ? GEN_INT16 : GEN_FLOAT32);
    const uint32_t x = grow_op_put(g, &op);
    struct gen_stmt *s = grow_if(g, grow_decide(g), false);
    struct grow_mark m = grow_open_arm(g, s, 0);
    const bool back = gen_chance(g->c, 35);
    const struct gen_expr *e = grow_value_u32(g, x);
    if (grow_affords(g, 1))
        grow_log_one(g, back ? grow_alu(g, kind, e, NULL) : e);
    grow_note(g, GEN_OBSERVE_LATER);
    grow_stmts(g, 25, 25);
    grow_close(g, &m);
}

// ---- where they fit
// ------------------------------------------------------------------------------

bool grow_can_reported(const struct grow *g, enum grow_pattern i, uint32_t room)
{
    switch (i) {
    case PATTERN_WATERFALL_RETURNS:
        return !g->weak && room >= 4 && grow_can_make_function(g) && grow_can_loop_around(g) &&
               grow_has(g, GEN_FOR) && grow_has(g, GEN_RETURN) && grow_op_weight(g, GROUP_FIRST) &&
               grow_has(g, GEN_OBSERVE_BRANCH) && g->at.times <= 12 &&
               grow_expected(g) >= 4 * GROW_ALL;
    case PATTERN_LEADER_VALUE:
        return !g->weak && room >= 1 && grow_has(g, GEN_IF) && grow_has(g, GEN_PHI) &&
               grow_has(g, GEN_OBSERVE_BRANCH) && grow_op_weight(g, GROUP_ELECT) &&
               grow_op_weight(g, GROUP_FIRST);
    case PATTERN_LEADER_ELSE:
        return !g->weak && room >= 1 && grow_has(g, GEN_ELSE) && grow_has(g, GEN_OBSERVE_BRANCH) &&
               grow_op_weight(g, GROUP_ELECT);
    case PATTERN_LATCH:
        return !g->weak && room >= 1 && grow_can_loop(g) && grow_has(g, GEN_DO_WHILE) &&
               grow_has(g, GEN_DIVERGENT_TRIPS) && grow_has(g, GEN_CONTINUE_CODE) &&
               grow_has(g, GEN_OBSERVE_BRANCH);
    case PATTERN_PHI_THEN_LOOP:
        return room >= 2 && grow_can_loop(g) && grow_has(g, GEN_IF) && grow_has(g, GEN_ELSE) &&
               grow_has(g, GEN_PHI) && grow_has(g, GEN_FOR) && grow_has(g, GEN_DIVERGENT_TRIPS);
    case PATTERN_CONVERTED:
        return !g->weak && room >= 1 && grow_has(g, GEN_IF) && grow_has(g, GEN_OBSERVE_LATER) &&
               (grow_has(g, GEN_INT16) || grow_has(g, GEN_FLOAT32));
    default:
        return false;
    }
}

void grow_reported(struct grow *g, enum grow_pattern i)
{
    static void (*const shape[])(struct grow *) = {
        [PATTERN_WATERFALL_RETURNS - PATTERN_REPORTED] = waterfall_returns,
        [PATTERN_LEADER_VALUE - PATTERN_REPORTED] = leader_value,
        [PATTERN_LEADER_ELSE - PATTERN_REPORTED] = leader_else,
        [PATTERN_LATCH - PATTERN_REPORTED] = latch,
        [PATTERN_PHI_THEN_LOOP - PATTERN_REPORTED] = phi_then_loop,
        [PATTERN_CONVERTED - PATTERN_REPORTED] = converted,
    };
    shape[i - PATTERN_REPORTED](g);
}
