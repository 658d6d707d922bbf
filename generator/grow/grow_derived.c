// SPDX-License-Identifier: Apache-2.0
//
// The smallest quad shapes that compilers get wrong, with derivatives or with implicit-LOD samples
// (g->sampling). Nothing here draws a choice if neither is wanted.
#include "grow_shapes.h"

// Returns the derivative shape that corresponds to a sample shape.
static enum grow_pattern plain_of(enum grow_pattern i)
{
    return i < PATTERN_OF_IMAGES
               ? i
               : (enum grow_pattern)(i - PATTERN_SAMPLED_EARLY + PATTERN_DERIVED_EARLY);
}

bool grow_can_derive(const struct grow *g, enum grow_pattern i)
{
    const bool sampled = i >= PATTERN_OF_IMAGES;
    if (!grow_whole(g) || !grow_has(g, sampled ? GEN_OP_SAMPLE : GEN_OP_DERIVATIVE) ||
        grow_expected(g) < 4 * GROW_ALL)
        return false;
    // Under a weaker model such a result may only be logged; most of these shapes do that.
    switch (plain_of(i)) {
    case PATTERN_DERIVED_EARLY:
        return (grow_has(g, GEN_IF) || grow_has(g, GEN_SWITCH)) && grow_has(g, GEN_OBSERVE_LATER);
    case PATTERN_DERIVED_PHI:
        return grow_has(g, GEN_IF);
    case PATTERN_DERIVED_CALL:
        return grow_has(g, GEN_IF) && grow_has(g, GEN_CALL_VALUE) && grow_has(g, GEN_RETURN) &&
               grow_can_make_function(g);
    case PATTERN_DERIVED_LOOP:
        return grow_can_loop(g) && grow_has(g, GEN_FOR) && grow_has(g, GEN_DIVERGENT_TRIPS);
    case PATTERN_DERIVED_CASES:
        return grow_has(g, GEN_SWITCH);
    case PATTERN_DERIVED_EXIT:
        return grow_can_loop_around(g) && grow_has(g, GEN_BREAK);
    default:
        return !g->weak && grow_has(g, GEN_OBSERVE_LATER) && grow_affords(g, 2);
    }
}

// d = derivative; if (c) use(d), or one case of a switch or a loop uses it. c depends on the lane,
// so it differs in a quad.
static void early(struct grow *g)
{
    const uint32_t d = grow_derive(g, NULL);
    grow_note(g, GEN_OBSERVE_LATER);
    if (gen_chance(g->c, grow_can_loop_around(g) ? 25 : 0)) {
        grow_see_in_loop(g, d);
        return;
    }
    const bool cases = gen_chance(g->c, !grow_has(g, GEN_SWITCH) ? 0
                                        : grow_has(g, GEN_IF)    ? 35
                                                                 : 100);
    if (!cases) {
        struct gen_stmt *s = grow_if(g, grow_lane_test(g), false);
        struct grow_mark m = grow_open_arm(g, s, 0);
        grow_see_here(g, d);
        grow_stmts(g, 25, 20);
        grow_close(g, &m);
        return;
    }
    const struct gen_expr *e = grow_alu(g, EXPR_AND, grow_lane(g), grow_const(g, 3));
    const uint32_t n = 2 + gen_choose(g->c, 2), in = gen_choose(g->c, 3) % n;
    grow_see_in_case(g, d, e, n, in);
}

// v = A; if (c) v = B; derivative(v)
static void of_a_phi(struct grow *g)
{
    const uint32_t var = grow_pick_var(g);
    const bool other = gen_chance(g->c, grow_has(g, GEN_ELSE) ? 60 : 0);
    struct gen_stmt *s = grow_if(g, grow_lane_test(g), other);
    for (uint32_t i = 0; i < 1u + other; i++) {
        struct grow_mark m = grow_open_arm(g, s, i);
        grow_set(g, var, grow_u32(g, 1));
        grow_close_block(g, &m);
    }
    grow_see_here(g, grow_derive(g, grow_var(g, var)));
}

// if (c) return A; ... return B
static void left_by_some(struct grow *g)
{
    struct gen_stmt *s = grow_if(g, grow_lane_test(g), false);
    struct grow_mark m = grow_open_arm(g, s, 0);
    grow_stmts(g, 25, 20);
    grow_close_with(g, &m, LEAVE_RETURN);
    if (!gen_block_ends(g->at.block))
        grow_stmts(g, 40, 30);
}

// derivative(f(v))
static void of_a_call(struct grow *g)
{
    grow_call_new(g, left_by_some);
    if (!grow_can_see(g) || !grow_whole(g))
        return;
    const struct gen_expr *on = NULL;
    for (size_t i = g->at.visible.n; i-- > 0 && !on;)
        if (g->at.f->values.v[g->at.visible.v[i]].def->kind == STMT_CALL)
            on = grow_value_u32(g, g->at.visible.v[i]);
    grow_see_here(g, grow_derive(g, on));
}

// for (i < quad & 3) { derivative(i ...); if (c uniform in the quad) break; }
static void in_a_loop(struct grow *g)
{
    const struct gen_expr *trips = grow_quad_small(g, 3);
    struct gen_stmt *s = grow_loop(g, LOOP_FOR, grow_loop_limit(g, 2));
    s->loop.cond = grow_alu(g, EXPR_LT, grow_var(g, s->loop.counter), trips);
    grow_note(g, GEN_DIVERGENT_TRIPS);
    struct grow_mark m = grow_open_body(g, s);
    const struct grow_exits exits = grow_bar(g);
    grow_quad_loop(g, s);
    const struct gen_expr *i = grow_var(g, s->loop.counter);
    const struct gen_expr *on = grow_alu(g, EXPR_ADD, grow_u32(g, 1), i);
    const uint32_t d = grow_derive(g, gen_chance(g->c, 75) ? on : NULL);
    grow_see_here(g, d);
    const bool leaves = gen_chance(
        g->c, grow_has(g, GEN_BREAK) && grow_has(g, GEN_IF) && exits.leave_loop ? 40 : 0);
    if (leaves && !gen_block_ends(g->at.block)) {
        struct gen_stmt *out = grow_if(g, grow_quad_test(g), false);
        struct grow_mark arm = grow_open_arm(g, out, 0);
        if (grow_can_see(g) && grow_whole(g))
            grow_see_here(g, grow_derive(g, NULL));
        grow_close_with(g, &arm, LEAVE_BREAK);
    }
    grow_stmts(g, 30, 30);
    grow_close(g, &m);
    grow_loop_end(g, s);
}

// switch (quad & 1) { case k: derivative }: of the same operand or different ones
static void in_cases(struct grow *g)
{
    const struct gen_expr *e = grow_quad_small(g, 3), *on = grow_u32(g, 1);
    const uint32_t n = 2 + gen_choose(g->c, 2);
    struct gen_stmt *s = grow_switch_plain(g, e, n, 0);
    for (uint32_t i = 0; i < n; i++) {
        struct grow_mark m = grow_open_arm(g, s, i);
        const bool same = gen_chance(g->c, 60);
        if (grow_can_see(g) && grow_whole(g))
            grow_see_here(g, grow_derive(g, same ? on : NULL));
        grow_close(g, &m);
    }
}

// loop { v = ...; if (c) break; } derivative(v)
static void keep(struct grow *g, const void *var)
{
    grow_set(g, *(const uint32_t *)var, grow_u32(g, 1));
}

static void after_exits(struct grow *g)
{
    const uint32_t var = grow_pick_var(g);
    grow_loop_around(g, keep, &var);
    if (grow_can_see(g) && grow_whole(g))
        grow_see_here(g, grow_derive(g, grow_var(g, var)));
}

// c ? derivative(a) : derivative(b)
static void selected(struct grow *g)
{
    const uint32_t x = grow_derive(g, NULL), y = grow_derive(g, NULL);
    const struct gen_expr *c = grow_lane_test(g), *a = grow_value_u32(g, x),
                          *b = grow_value_u32(g, y);
    grow_note(g, GEN_OBSERVE_LATER);
    grow_log_one(g, grow_select(g, c, a, b));
}

void grow_derived(struct grow *g, enum grow_pattern i)
{
    static void (*const shape[])(struct grow *) = {early,    of_a_phi,    of_a_call, in_a_loop,
                                                   in_cases, after_exits, selected};
    const bool outer = g->sampling;
    g->sampling = i >= PATTERN_OF_IMAGES;
    shape[plain_of(i) - PATTERN_DERIVED_EARLY](g);
    g->sampling = outer;
}
