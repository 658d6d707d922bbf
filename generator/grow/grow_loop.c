// SPDX-License-Identifier: Apache-2.0
//
// Loops. Each has its own counter and a constant limit. The product of the trip counts of all loops
// around a statement, also through calls, is bounded.
#include "grow_parts.h"

bool grow_can_loop(const struct grow *g)
{
    return grow_can_nest(g) && g->at.times * 3 <= GEN_EXECUTIONS_MAX;
}

bool grow_can_loop_around(const struct grow *g)
{
    return grow_can_loop(g) && grow_has(g, GEN_IF) &&
           (grow_has(g, GEN_FOR) || grow_has(g, GEN_DO_WHILE));
}

uint32_t grow_loop_limit(struct grow *g, uint32_t least)
{
    uint16_t weights[GEN_TRIPS_MAX + 1] = {1, 5, 10, 8, 3, 2};
    for (uint32_t i = 0; i <= GEN_TRIPS_MAX; i++)
        if (i < least || (i > least && g->at.times * (i + 1) > GEN_EXECUTIONS_MAX))
            weights[i] = 0;
    return gen_weighted(g->c, weights, GEN_TRIPS_MAX + 1);
}

// May replace a plain loop control by one with a number.
static void grow_peel(struct grow *g, struct gen_stmt *s)
{
    static const SpvLoopControlMask kinds[] = {SpvLoopControlPeelCountMask,
                                               SpvLoopControlPartialCountMask,
                                               SpvLoopControlMaxIterationsMask};
    const bool wanted = gen_chance(g->c, grow_has(g, GEN_PEEL) ? 60 : 0);
    const uint32_t kind = gen_choose(g->c, 3), n = 1 + gen_choose(g->c, 3);
    if (!wanted)
        return;
    s->loop.control = kinds[kind];
    // MaxIterations is a promise, so the number must be true.
    s->loop.control_n = kind == 2 ? gen_loop_trips(s) + n : n;
    grow_note(g, GEN_PEEL);
}

struct gen_stmt *grow_loop(struct grow *g, enum gen_loop_form form, uint32_t limit)
{
    static const enum gen_feature feature[] = {GEN_FOR, GEN_DO_WHILE, GEN_INFINITE};
    struct gen_stmt *s = grow_stmt_new(g, STMT_LOOP);
    s->loop.form = form;
    s->loop.limit = limit;
    s->loop.counter = (uint32_t)g->at.f->vars.n;
    s->loop.control = (SpvLoopControlMask)grow_control(g);
    grow_peel(g, s);
    *VEC_PUSH(g->arena, &g->at.f->vars) = (struct gen_var){.counter = true};
    grow_note(g, feature[form]);
    bool head = gen_chance(g->c, grow_has(g, GEN_HEADER_TEST) ? 50 : 0);
    s->loop.head_tests = head && form == LOOP_FOR;
    if (s->loop.head_tests)
        grow_note(g, GEN_HEADER_TEST);
    return s;
}

void grow_loop_values(struct grow *g, struct gen_stmt *loop)
{
    enum gen_type types[GEN_PHIS_MAX];
    loop->loop.phi_count = grow_phis(g, types);
    for (uint32_t i = 0; i < loop->loop.phi_count; i++)
        loop->loop.phi[i].a = grow_phi_operand(g, types[i]);
    for (uint32_t i = 0; i < loop->loop.phi_count; i++)
        loop->loop.phi[i].value = grow_bind_phi(g, loop, types[i]);
}

// True if the continue construct is reachable.
static bool goes_round(const struct gen_stmt *loop)
{
    if (!gen_block_ends(&loop->loop.body))
        return true;
    for (const struct gen_stmt *s = loop->loop.body.first; s; s = s->next)
        if (gen_stmt_leaves(s, 1u << LEAVE_CONTINUE))
            return true;
    return false;
}

// Grows a continue construct that computes the condition of the back edge with an operation: before
// it sets a variable, or from that variable.
static void grow_latch(struct grow *g, struct gen_stmt *loop, uint32_t var)
{
    const struct grow_op op = grow_op_plan(g, gen_chance(g->c, 50) ? grow_var(g, var) : NULL);
    const uint32_t x = grow_op_put(g, &op);
    const bool before = gen_chance(g->c, 65), shown = gen_chance(g->c, 40);
    if (before) {
        const struct gen_expr *e = grow_value_test(g, x);
        const struct gen_expr *both =
            grow_test(g, grow_alu(g, EXPR_ADD, grow_var(g, var), grow_value_u32(g, x)));
        struct gen_stmt *let = grow_stmt_new(g, STMT_LET);
        let->let.expr = gen_chance(g->c, 25) ? e : both;
        loop->loop.cond = grow_value(g, grow_bind(g, let, TYPE_BOOL));
        grow_set(g, var, grow_u32(g, 1));
    } else {
        grow_set(g, var, grow_value_u32(g, x));
    }
    if (shown)
        grow_see_here(g, x);
}

void grow_loop_end(struct grow *g, struct gen_stmt *loop)
{
    const bool late = g->late, latch = g->latch == loop;
    g->late = false;
    g->latch = NULL;
    bool code = gen_chance(g->c, !grow_has(g, GEN_CONTINUE_CODE) ? 0 : late || latch ? 100 : 60);
    if (!loop->loop.phi_count && !code)
        return;
    const bool together = grow_goes_together(g, loop), whole = grow_loop_is_quad(g, loop);
    struct grow_mark m = grow_open_block(g, &loop->loop.next, false);
    g->at.together = together;
    g->at.whole = false;
    if (whole)
        grow_quad_loop(g, loop);
    g->at.no_calls = g->weak && together;
    uint32_t trips = gen_loop_trips(loop);
    g->at.times *= trips ? trips : 1;
    g->at.case_depth = 0;
    g->at.bound = true;
    *VEC_PUSH(g->arena, &g->at.counters) = loop->loop.counter;
    const struct grow_exits exits = grow_bar(g);
    const struct grow_odds odds = {~(lane_mask)0, trips > 1 ? GROW_ALL / 3 * 2 : GROW_ALL / 2,
                                   GROW_ALL};
    grow_narrow(g, &odds);
    if (code && !loop->loop.single && goes_round(loop) && trips) {
        if (late)
            grow_op_here(g, NULL);
        if (latch && grow_can_see(g))
            grow_latch(g, loop, g->latch_var);
        grow_stmts(g, late || latch ? 30 : 95, 30);
        if (loop->loop.next.first)
            grow_note(g, GEN_CONTINUE_CODE);
    }
    // Phis that swap their values in each iteration break compilers that lower phis to sequential
    // copies.
    struct gen_phi *phi = loop->loop.phi;
    const bool two = loop->loop.phi_count == 2 &&
                     g->at.f->values.v[phi[0].value].type == g->at.f->values.v[phi[1].value].type;
    const bool swap = gen_chance(g->c, two ? 60 : 0);
    for (uint32_t i = 0; i < loop->loop.phi_count; i++)
        phi[i].b = swap ? grow_value(g, phi[1 - i].value)
                        : grow_phi_operand(g, g->at.f->values.v[phi[i].value].type);
    g->at.may = exits;
    grow_settle(g, &m);
    grow_close_block(g, &m);
    for (uint32_t i = 0; i < loop->loop.phi_count; i++)
        if (gen_chance(g->c, 60) && !gen_block_ends(g->at.block))
            grow_see(g, loop->loop.phi[i].value);
}

struct grow_mark grow_open_body(struct grow *g, struct gen_stmt *loop)
{
    struct grow_mark m = grow_open_block(g, &loop->loop.body, false);
    g->at.together = g->at.whole = false;
    uint32_t trips = gen_loop_trips(loop);
    g->at.times *= trips ? trips : 1;
    g->at.may.leave_loop = grow_has(g, GEN_BREAK);
    g->at.may.next_trip = grow_has(g, GEN_CONTINUE);
    g->at.case_depth = 0;
    *VEC_PUSH(g->arena, &g->at.counters) = loop->loop.counter;
    // Estimate for the first iteration. A counter compared with a number per lane passes for three
    // in four.
    struct grow_odds odds = {~(lane_mask)0, trips ? GROW_ALL : 0, GROW_ALL};
    if (loop->loop.cond && loop->loop.form == LOOP_FOR)
        odds = gen_loop_bounds_itself(g->p, loop)
                   ? (struct grow_odds){~(lane_mask)0, GROW_ALL / 4 * 3, GROW_ALL}
                   : grow_odds_of(g, loop->loop.cond, 1);
    grow_narrow(g, &odds);
    return m;
}

// `if (i >= t) { ...; break }`: t is the limit or a number up to it, mostly one per lane. If it is
// the only exit of the loop, compilers duplicate or move its code most often (T1).
void grow_guard(struct grow *g, struct gen_stmt *loop)
{
    const struct gen_expr *i = grow_var(g, loop->loop.counter);
    const struct gen_expr *t = grow_const(g, loop->loop.limit);
    if (gen_chance(g->c, 80) && loop->loop.limit) {
        bool uniform = gen_chance(g->c, 20) || !grow_has(g, GEN_DIVERGENT_TRIPS);
        t = grow_small(g, loop->loop.limit, uniform);
        if (!uniform)
            grow_note(g, GEN_DIVERGENT_TRIPS);
    }
    struct gen_stmt *s = grow_if(g, grow_alu(g, EXPR_GE, i, t), false);
    loop->loop.guard = s;
    struct grow_mark m = grow_open_arm(g, s, 0);
    const struct grow_exits exits = grow_bar(g);
    if (gen_chance(g->c, 70))
        grow_op_here(g, NULL);
    grow_stmts(g, 25, 25);
    // Sometimes returns from the function instead, which may then be the only exit.
    g->at.may.leave_function = exits.leave_function;
    bool returns = gen_chance(g->c, grow_can_return(g) && grow_has(g, GEN_RETURN) ? 25 : 0);
    grow_close_with(g, &m, returns ? LEAVE_RETURN : LEAVE_BREAK);
}

// Draws the condition of a for or do loop: none (counted), a bound, or any condition. It can use
// the counter but nothing else of the body.
static void loop_condition(struct grow *g, struct gen_stmt *s)
{
    enum { COUNTED, UNIFORM, BOUND, WHILE, KINDS };
    const uint16_t divergent = grow_has(g, GEN_DIVERGENT_TRIPS) ? 1 : 0;
    const uint16_t weights[KINDS] = {[COUNTED] = 5,
                                     [UNIFORM] = 2,
                                     [BOUND] = (uint16_t)(7 * divergent),
                                     [WHILE] = (uint16_t)(4 * divergent)};
    uint32_t kind = gen_weighted(g->c, weights, KINDS);
    if (kind == COUNTED)
        return;
    g->pure = true;
    if (kind == WHILE) {
        *VEC_PUSH(g->arena, &g->at.counters) = s->loop.counter;
        s->loop.cond = grow_decide(g);
        g->at.counters.n--;
    } else {
        // If the mask allows more than the limit, the limit still applies.
        uint32_t most = s->loop.limit > 1 ? 3 : 1;
        const struct gen_expr *i = grow_var(g, s->loop.counter);
        const bool quad = grow_whole(g) && gen_chance(g->c, kind == BOUND ? 50 : 0);
        s->loop.cond = grow_alu(
            g, EXPR_LT, i, quad ? grow_quad_small(g, most) : grow_small(g, most, kind == UNIFORM));
    }
    g->pure = false;
    if (kind != UNIFORM)
        grow_note(g, GEN_DIVERGENT_TRIPS);
}

void grow_any_loop(struct grow *g, enum gen_loop_form form)
{
    struct gen_stmt *s = grow_loop(g, form, grow_loop_limit(g, 0));
    bool single = gen_chance(g->c, grow_has(g, GEN_SINGLE_BLOCK) ? 90 : 0);
    s->loop.single = single && form == LOOP_DO;
    if (s->loop.single)
        grow_note(g, GEN_SINGLE_BLOCK);
    grow_loop_values(g, s);
    if (form != LOOP_INFINITE)
        loop_condition(g, s);
    // All invocations go through it converged, if none leaves inside.
    const bool wanted = g->weak || grow_has(g, GEN_SHARED) || grow_has(g, GEN_THROUGH_BUFFER);
    const bool all = gen_chance(g->c, wanted && grow_goes_together(g, s) ? 60 : 0);
    const bool whole = grow_loop_is_quad(g, s) && gen_chance(g->c, form != LOOP_INFINITE ? 60 : 0);
    struct grow_mark m = grow_open_body(g, s);
    if (all) {
        grow_bar(g);
        g->at.together = true;
        g->at.no_calls = g->weak;
    }
    if (whole) {
        grow_bar(g);
        grow_quad_loop(g, s);
    }
    if (s->loop.single) {
        grow_bar(g);
        g->at.straight = true;
    }
    if (form == LOOP_INFINITE) {
        // Before the guard nothing may branch to the continue target.
        bool late = gen_chance(g->c, 35);
        if (late) {
            const struct grow_exits exits = grow_bar(g);
            grow_stmts(g, 97, 40);
            g->at.may = exits;
        }
        grow_guard(g, s);
    }
    grow_stmts(g, 95, 68);
    grow_close(g, &m);
    grow_loop_end(g, s);
}
