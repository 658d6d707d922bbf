// SPDX-License-Identifier: Apache-2.0
//
// Shapes with loops: the smallest ones that are known to break compilers. grow_pattern.c decides
// when each is grown.
#include "grow_shapes.h"

// Condition to leave: the counter compared with a number per lane, 0 .. 3.
static const struct gen_expr *leaves_at(struct grow *g, const struct gen_stmt *loop)
{
    static const enum gen_expr_kind kinds[] = {EXPR_EQ, EXPR_GE, EXPR_EQ};
    enum gen_expr_kind kind = kinds[gen_choose(g->c, 3)];
    const struct gen_expr *i = grow_var(g, loop->loop.counter);
    return grow_alu(g, kind, i, grow_small(g, 3, false));
}

// if (p) op, with a parameter p that differs between invocations but not between iterations
static void op_by_parameter(struct grow *g)
{
    const struct gen_function *f = g->at.f;
    uint32_t p = f->param_count;
    while (p && f->param[p - 1] != TYPE_BOOL)
        p--;
    if (!p || !gen_chance(g->c, 92) || grow_expected(g) < GROW_ALL)
        return;
    struct gen_stmt *s = grow_if(g, grow_leaf(g, EXPR_PARAM, TYPE_BOOL, p - 1), false);
    struct grow_mark m = grow_open_arm(g, s, 0);
    grow_op_here(g, NULL);
    grow_close(g, &m);
    if (gen_chance(g->c, 85) && grow_can_see(g)) // with the others again
        grow_op_here(g, NULL);
}

// loop { if (i == t) { op; leave; } ... }
void grow_loop_with_exit(struct grow *g, enum gen_leave how)
{
    const bool infinite =
        how == LEAVE_BREAK && grow_has(g, GEN_INFINITE) && (g->o->features & GEN_BIT(GEN_IF)) != 0;
    const uint16_t weights[] = {grow_has(g, GEN_FOR) ? 1 : 0, grow_has(g, GEN_DO_WHILE) ? 1 : 0,
                                infinite ? 4 : 0};
    enum gen_loop_form form = (enum gen_loop_form)gen_weighted(g->c, weights, 3);
    struct gen_stmt *s = grow_loop(g, form, grow_loop_limit(g, 2));
    grow_loop_values(g, s);
    struct grow_mark body = grow_open_body(g, s);
    bool guard_first = gen_chance(g->c, 30), before = gen_chance(g->c, 25);
    if (form == LOOP_INFINITE && gen_chance(g->c, 60)) { // the guard is the only exit
        grow_bar(g);
        if (before)
            grow_op_here(g, NULL);
        grow_guard(g, s);
        grow_stmts(g, 35, 35);
        grow_close(g, &body);
        grow_loop_end(g, s);
        return;
    }
    if (form == LOOP_INFINITE && guard_first)
        grow_guard(g, s);
    const struct grow_exits exits = grow_bar(g);
    if (before)
        grow_op_here(g, NULL);
    struct gen_stmt *out = grow_if(g, leaves_at(g, s), false);
    struct grow_mark arm = grow_open_arm(g, out, 0);
    grow_op_here(g, NULL);
    grow_close_with(g, &arm, how);
    if (form == LOOP_INFINITE && !guard_first)
        grow_guard(g, s);
    g->at.may = exits;
    if (how == LEAVE_RETURN)
        op_by_parameter(g);
    grow_stmts(g, 35, 35);
    grow_close(g, &body);
    grow_loop_end(g, s);
}

// ---- parts -------------------------------------------------------------------------------

// Opens a counted loop of a drawn form and limit.
static struct gen_stmt *open_loop(struct grow *g, uint32_t least, struct grow_mark *body)
{
    const uint16_t weights[] = {grow_has(g, GEN_FOR) ? 1 : 0, grow_has(g, GEN_DO_WHILE) ? 1 : 0};
    enum gen_loop_form form = (enum gen_loop_form)gen_weighted(g->c, weights, 2);
    struct gen_stmt *s = grow_loop(g, form, grow_loop_limit(g, least));
    grow_loop_values(g, s);
    *body = grow_open_body(g, s);
    return s;
}

static void close_loop(struct grow *g, struct gen_stmt *s, struct grow_mark *body)
{
    grow_close(g, body);
    grow_loop_end(g, s);
}

static void maybe_op(struct grow *g, uint32_t percent)
{
    if (gen_chance(g->c, percent) && grow_can_see(g)) {
        const struct grow_exits exits = grow_bar(g);
        grow_op(g, NULL);
        g->at.may = exits;
    }
}

// if (cond) { [op;] leave }
static void exit_if(struct grow *g, const struct gen_expr *cond, enum gen_leave how, uint32_t op)
{
    struct gen_stmt *s = grow_if(g, cond, false);
    struct grow_mark m = grow_open_arm(g, s, 0);
    maybe_op(g, op);
    grow_close_with(g, &m, how);
}

// ---- shapes ------------------------------------------------------------------------------

// Handles each distinct value of v in one iteration, with all invocations that have it:
// loop { f = first(v); if (f == v) { op; break; } }, or with a variable instead of the break.
void grow_waterfall(struct grow *g, bool images)
{
    const bool breaks = gen_chance(g->c, grow_has(g, GEN_BREAK) && grow_has(g, GEN_FOR) ? 60 : 0) ||
                        !grow_has(g, GEN_DO_WHILE) || !grow_has(g, GEN_DIVERGENT_TRIPS);
    struct gen_stmt *let = grow_stmt_new(g, STMT_LET);
    let->let.expr = grow_small(g, 3, false);
    const struct gen_expr *v = grow_value(g, grow_bind(g, let, TYPE_U32));
    uint32_t live = breaks ? 0 : grow_pick_var(g);
    if (!breaks)
        grow_set(g, live, grow_const(g, 1));
    struct gen_stmt *s = grow_loop(g, breaks ? LOOP_FOR : LOOP_DO, 4);
    grow_loop_values(g, s);
    if (!breaks) {
        s->loop.cond = grow_alu(g, EXPR_NE, grow_var(g, live), grow_const(g, 0));
        grow_note(g, GEN_DIVERGENT_TRIPS);
    }
    struct grow_mark body = grow_open_body(g, s);
    const struct grow_exits exits = grow_bar(g);
    struct grow_op first = {.op = GROUP_FIRST, .arg[0] = v};
    const struct gen_expr *f = grow_value(g, grow_op_put(g, &first));
    struct gen_stmt *turn = grow_if(g, grow_alu(g, EXPR_EQ, f, v), false);
    struct grow_mark arm = grow_open_arm(g, turn, 0);
    if (grow_can_see(g) && images)
        grow_sample_at(g, f);
    else if (grow_can_see(g))
        grow_op(g, NULL);
    if (breaks) {
        grow_close_with(g, &arm, LEAVE_BREAK);
    } else {
        grow_set(g, live, grow_const(g, 0));
        grow_settle(g, &arm);
        grow_close_block(g, &arm);
    }
    g->at.may = exits;
    grow_stmts(g, 25, 25);
    close_loop(g, s, &body);
    grow_note(g, GEN_OBSERVE_BRANCH);
    maybe_op(g, 40);
}

// loop { v = op, or a uniform number; if (..) break; } op(v): v is uniform inside the loop, but not
// after it
void grow_left_early(struct grow *g)
{
    uint32_t var = grow_pick_var(g);
    struct grow_mark body;
    struct gen_stmt *s = open_loop(g, 2, &body);
    const struct grow_exits exits = grow_bar(g);
    const struct gen_expr *i = grow_var(g, s->loop.counter);
    if (gen_chance(g->c, g->weak ? 0 : 75)) {
        const bool other = gen_chance(g->c, 60); // true: the operand does not change between
                                                 // iterations
        const struct grow_op op = grow_op_plan(g, other ? NULL : i);
        grow_set(g, var, grow_value_u32(g, grow_op_put(g, &op)));
    } else {
        grow_set(g, var, grow_alu(g, EXPR_ADD, grow_uniform(g), i));
    }
    exit_if(g, leaves_at(g, s), LEAVE_BREAK, 30);
    g->at.may = exits;
    grow_stmts(g, 25, 25);
    close_loop(g, s, &body);
    grow_note(g, GEN_OBSERVE_LATER);
    grow_op_here(g, grow_var(g, var));
}

// for (i < t) op, with a bound per lane and an unroll control
void grow_remainder(struct grow *g)
{
    struct gen_stmt *s = grow_loop(g, LOOP_FOR, grow_loop_limit(g, 2));
    if (grow_has(g, GEN_CONTROLS)) {
        s->loop.control = SpvLoopControlUnrollMask;
        s->loop.control_n = 0;
        grow_note(g, GEN_CONTROLS);
    }
    grow_loop_values(g, s);
    const struct gen_expr *i = grow_var(g, s->loop.counter);
    s->loop.cond = grow_alu(g, EXPR_LT, i, grow_small(g, 3, false));
    grow_note(g, GEN_DIVERGENT_TRIPS);
    struct grow_mark body = grow_open_body(g, s);
    grow_op(g, gen_chance(g->c, 30) ? i : NULL);
    grow_stmts(g, 20, 20);
    close_loop(g, s, &body);
}

// loop { loop { if (c) break; op } op }
void grow_inner_break(struct grow *g)
{
    struct grow_mark outer, inner;
    struct gen_stmt *s = open_loop(g, 2, &outer), *in = open_loop(g, 2, &inner);
    maybe_op(g, 30);
    exit_if(g, leaves_at(g, in), LEAVE_BREAK, 40);
    maybe_op(g, 40);
    close_loop(g, in, &inner);
    maybe_op(g, 90);
    grow_stmts(g, 25, 25);
    close_loop(g, s, &outer);
    maybe_op(g, 40);
}

// loop { if (c) continue; A } continue { op }
void grow_late_op(struct grow *g)
{
    struct grow_mark body;
    struct gen_stmt *s = open_loop(g, 2, &body);
    exit_if(g, grow_decide(g), LEAVE_CONTINUE, 30);
    grow_stmts(g, 80, 30);
    g->late = true;
    close_loop(g, s, &body);
    maybe_op(g, 30);
}

// loop { if (c) continue; op; if (d) continue; op; ... }
void grow_dense_continue(struct grow *g)
{
    struct grow_mark body;
    struct gen_stmt *s = open_loop(g, 2, &body);
    uint32_t n = 2 + gen_choose(g->c, 2);
    for (uint32_t i = 0; i < n && grow_expected(g) >= 2 * GROW_ALL; i++) {
        maybe_op(g, i ? 90 : 30);
        exit_if(g, grow_decide(g), LEAVE_CONTINUE, 20);
    }
    maybe_op(g, 70);
    close_loop(g, s, &body);
    maybe_op(g, 30);
}

// loop { loop { if (c) { f = 1; [op;] break; } } op; if (f) break; ... } op
void grow_two_levels(struct grow *g)
{
    uint32_t flag = grow_pick_var(g);
    grow_set(g, flag, grow_const(g, 0));
    struct grow_mark outer, inner;
    struct gen_stmt *s = open_loop(g, 2, &outer), *in = open_loop(g, 2, &inner);
    maybe_op(g, 25);
    struct gen_stmt *out = grow_if(g, leaves_at(g, in), false);
    struct grow_mark arm = grow_open_arm(g, out, 0);
    grow_set(g, flag, grow_const(g, 1));
    maybe_op(g, 40);
    grow_close_with(g, &arm, LEAVE_BREAK);
    close_loop(g, in, &inner);
    maybe_op(g, 60);
    if (!gen_block_ends(g->at.block))
        exit_if(g, grow_alu(g, EXPR_NE, grow_var(g, flag), grow_const(g, 0)), LEAVE_BREAK, 30);
    grow_stmts(g, 30, 30);
    close_loop(g, s, &outer);
    maybe_op(g, 60);
}

// loop { switch (v) { case k: op; continue; case l: ... } op }
void grow_goes_on(struct grow *g)
{
    struct grow_mark body;
    struct gen_stmt *s = open_loop(g, 2, &body);
    const struct gen_expr *v = grow_small(g, 3, false);
    const uint32_t n = 2 + gen_choose(g->c, 2), which = gen_choose(g->c, 2);
    struct gen_stmt *of = grow_switch_plain(g, v, n, gen_choose(g->c, 4));
    for (uint32_t i = 0; i < n; i++) {
        struct grow_mark m = grow_open_arm(g, of, i);
        maybe_op(g, 60);
        if (i == which)
            grow_close_with(g, &m, LEAVE_CONTINUE);
        else
            grow_close(g, &m);
    }
    maybe_op(g, 90);
    grow_stmts(g, 25, 25);
    close_loop(g, s, &body);
}

// loop { if (c) { loop { op } leave; } ... }: the inner loop runs diverged by the outer iteration
// in which an invocation leaves (M6)
void grow_way_out(struct grow *g)
{
    struct grow_mark outer, arm, inner;
    struct gen_stmt *s = open_loop(g, 2, &outer);
    const struct grow_exits exits = grow_bar(g);
    maybe_op(g, 20);
    struct gen_stmt *out = grow_if(g, leaves_at(g, s), false);
    arm = grow_open_arm(g, out, 0);
    struct gen_stmt *in = open_loop(g, 1, &inner);
    maybe_op(g, 100);
    if (gen_chance(g->c, 30))
        exit_if(g, leaves_at(g, in), LEAVE_BREAK, 0);
    close_loop(g, in, &inner);
    maybe_op(g, 20);
    g->at.may = exits;
    const bool returns = gen_chance(g->c, grow_can_return(g) && grow_has(g, GEN_RETURN) ? 30 : 0);
    grow_close_with(g, &arm, returns ? LEAVE_RETURN : LEAVE_BREAK);
    g->at.may = exits;
    grow_stmts(g, 25, 25);
    close_loop(g, s, &outer);
    maybe_op(g, 50);
}

void grow_loop_around(struct grow *g, void (*body)(struct grow *g, const void *what),
                      const void *what)
{
    struct grow_mark m;
    struct gen_stmt *s = open_loop(g, 2, &m);
    if (gen_chance(g->c, grow_has(g, GEN_BREAK) || grow_has(g, GEN_CONTINUE) ? 75 : 0))
        exit_if(g, leaves_at(g, s), grow_has(g, GEN_BREAK) ? LEAVE_BREAK : LEAVE_CONTINUE, 0);
    body(g, what);
    grow_stmts(g, 20, 20);
    close_loop(g, s, &m);
}

static void see_value(struct grow *g, const void *value)
{
    grow_see_here(g, *(const uint32_t *)value);
}

void grow_see_in_loop(struct grow *g, uint32_t value)
{
    grow_loop_around(g, see_value, &value);
}

void grow_see_in_case(struct grow *g, uint32_t value, const struct gen_expr *e, uint32_t n,
                      uint32_t in)
{
    struct gen_stmt *s = grow_switch_plain(g, e, n, 0);
    for (uint32_t i = 0; i < n; i++) {
        struct grow_mark m = grow_open_arm(g, s, i);
        if (i == in)
            grow_see_here(g, value);
        else
            grow_stmts(g, 40, 20);
        grow_close(g, &m);
    }
}

void grow_sample_at(struct grow *g, const struct gen_expr *index)
{
    struct grow_op op = grow_image_plan(g, GROUP_SAMPLE_LOD, GROUP_FETCH, NULL);
    op.n &= ~(uint32_t)GEN_IMAGE_COMBINED;
    op.arg[1] = grow_alu(g, EXPR_AND, index, grow_const(g, GEN_IMAGE_COUNT - 1));
    grow_see(g, grow_op_put(g, &op));
}
