// SPDX-License-Identifier: Apache-2.0
//
// Derivatives: where quads are whole while a program is grown (what that means is tree_quads.c's),
// numbers that are the same in each quad, and the smallest shapes that compilers get wrong about
// derivatives. Nothing here draws a choice where derivatives are not wanted.
#include "grow.h"

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
    // What was grown of it may have bound values since: only whether quads came whole was asked
    // then.
    if (!(g->o->features & GEN_QUADS) || !g->at.whole)
        return false;
    const struct gen_quads q = quads_of(g);
    for (const struct gen_stmt *s = g->at.block->first; s && s != loop; s = s->next)
        if (!gen_stmt_quads(&q, s))
            return false;
    return gen_loop_quads(&q, loop);
}

void grow_quad_loop(struct grow *g, const struct gen_stmt *loop)
{
    struct gen_quad_counter *own = ARENA_NEW(g->arena, struct gen_quad_counter);
    *own = (struct gen_quad_counter){loop->loop.counter, g->at.quad_counters};
    g->at.whole = true;
    g->at.quad_counters = own;
}

// ---- what is the same in each quad -----------------------------------------------------

static const struct gen_expr *lane(struct grow *g)
{
    struct gen_expr *e = ARENA_NEW(g->arena, struct gen_expr);
    *e = (struct gen_expr){.kind = EXPR_LANE, .type = TYPE_U32};
    g->at.f->uses |= USES_LANE;
    return e;
}

// What one invocation of the quad has, told to the others.
static const struct gen_expr *told(struct grow *g)
{
    struct grow_op op = {.op = GROUP_QUAD_BROADCAST, .n = gen_choose(g->c, SPV_QUAD)};
    op.arg[0] = grow_u32(g, 1);
    return grow_value_u32(g, grow_op_put(g, &op));
}

const struct gen_expr *grow_quad_small(struct grow *g, uint32_t most)
{
    const bool can =
        !g->pure && !g->weak && grow_op_weight(g, GROUP_QUAD_BROADCAST) && grow_can_see(g);
    const bool says = gen_chance(g->c, !can ? 0 : g->o->subgroup > SPV_QUAD ? 60 : 100);
    const uint32_t by = gen_choose(g->c, 4);
    if (says) {
        const struct gen_expr *e = told(g);
        return grow_alu(g, EXPR_AND, by ? grow_alu(g, EXPR_SHR, e, grow_const(g, by)) : e,
                        grow_const(g, most));
    }
    const struct gen_expr *quad = grow_alu(g, EXPR_SHR, lane(g), grow_const(g, 2));
    return grow_alu(g, EXPR_AND, by ? grow_alu(g, EXPR_ADD, quad, grow_const(g, by)) : quad,
                    grow_const(g, most));
}

const struct gen_expr *grow_quad_test(struct grow *g)
{
    const bool can = !g->pure && !g->weak && grow_op_weight(g, GROUP_QUAD_ANY) && grow_can_see(g);
    const bool vote = gen_chance(g->c, can ? 30 : 0);
    const bool other = gen_chance(g->c, 40);
    if (vote) {
        struct grow_op op = {.op = other ? GROUP_QUAD_ALL : GROUP_QUAD_ANY};
        op.arg[0] = grow_bool(g, 1, 0);
        return grow_value(g, grow_op_put(g, &op));
    }
    const uint32_t k = gen_choose(g->c, 2);
    const struct gen_expr *e = grow_quad_small(g, 1);
    return grow_alu(g, other ? EXPR_NE : EXPR_EQ, e, grow_const(g, k));
}

const struct gen_expr *grow_now_and_then_quad(struct grow *g, uint32_t percent)
{
    if (!grow_whole(g) || g->at.quiet || g->at.straight)
        return NULL;
    return gen_chance(g->c, percent) ? grow_quad_test(g) : NULL;
}

// ---- derivatives --------------------------------------------------------------------------

// A derivative of `on`, or of anything (NULL), put down: its value.
uint32_t grow_derive(struct grow *g, const struct gen_expr *on)
{
    if (g->sampling)
        return grow_sample(g, on);
    uint16_t weights[GROUP_OPS] = {0};
    g->deriving = true;
    for (uint32_t i = GROUP_BY_NAME; i < GROUP_OPS; i++)
        weights[i] =
            gen_group_derives((enum gen_group_op)i) ? grow_op_weight(g, (enum gen_group_op)i) : 0;
    g->deriving = false;
    struct grow_op op = {.op = (enum gen_group_op)gen_weighted(g->c, weights, GROUP_OPS)};
    op.arg[0] = on ? on : grow_u32(g, 1);
    const bool vector = gen_chance(g->c, grow_has(g, GEN_VECTORS) ? 25 : 0);
    op.width = vector ? 2 + gen_choose(g->c, 3) : 1;
    grow_say(g, &op);
    return grow_op_put(g, &op);
}

// The shape whose derivatives a shape's samples take the place of.
static enum grow_idiom plain_of(enum grow_idiom i)
{
    return i < IDIOM_OF_IMAGES ? i
                               : (enum grow_idiom)(i - IDIOM_SAMPLED_EARLY + IDIOM_DERIVED_EARLY);
}

bool grow_can_derive(const struct grow *g, enum grow_idiom i)
{
    const bool sampled = i >= IDIOM_OF_IMAGES;
    if (!grow_whole(g) || !grow_has(g, sampled ? GEN_OP_SAMPLE : GEN_OP_DERIVATIVE) ||
        grow_expected(g) < 4 * GROW_ALL)
        return false;
    // Under a weaker model nothing but a log may rest on it: these see it so, mostly.
    switch (plain_of(i)) {
    case IDIOM_DERIVED_EARLY:
        return (grow_has(g, GEN_IF) || grow_has(g, GEN_SWITCH)) && grow_has(g, GEN_OBSERVE_LATER);
    case IDIOM_DERIVED_PHI:
        return grow_has(g, GEN_IF);
    case IDIOM_DERIVED_CALL:
        return grow_has(g, GEN_IF) && grow_has(g, GEN_CALL_VALUE) && grow_has(g, GEN_RETURN) &&
               grow_can_make_function(g);
    case IDIOM_DERIVED_LOOP:
        return grow_can_loop(g) && grow_has(g, GEN_FOR) && grow_has(g, GEN_DIVERGENT_TRIPS);
    case IDIOM_DERIVED_CASES:
        return grow_has(g, GEN_SWITCH);
    case IDIOM_DERIVED_EXIT:
        return grow_can_loop_around(g) && grow_has(g, GEN_BREAK);
    default:
        return !g->weak && grow_has(g, GEN_OBSERVE_LATER) && grow_affords(g, 2);
    }
}

static void see_if_there(struct grow *g, uint32_t value)
{
    if (grow_can_see(g))
        grow_see(g, value);
}

static void see_in_loop(struct grow *g, const void *value)
{
    see_if_there(g, *(const uint32_t *)value);
}

// d = derivative; if (c) use(d), or one case of a switch or a loop uses it: c is of one lane, not
// of the quad.
static void early(struct grow *g)
{
    const uint32_t d = grow_derive(g, NULL);
    grow_note(g, GEN_OBSERVE_LATER);
    if (gen_chance(g->c, grow_can_loop_around(g) ? 25 : 0)) {
        grow_loop_around(g, see_in_loop, &d);
        return;
    }
    const bool cases = gen_chance(g->c, !grow_has(g, GEN_SWITCH) ? 0
                                        : grow_has(g, GEN_IF)    ? 35
                                                                 : 100);
    if (!cases) {
        struct gen_stmt *s = grow_if(g, grow_lane_test(g), false);
        g->at.f->uses |= USES_LANE;
        struct grow_mark m = grow_open_arm(g, s, 0);
        see_if_there(g, d);
        grow_stmts(g, 25, 20);
        grow_close(g, &m);
        return;
    }
    const struct gen_expr *e = grow_alu(g, EXPR_AND, lane(g), grow_const(g, 3));
    const uint32_t n = 2 + gen_choose(g->c, 2), in = gen_choose(g->c, 3) % n;
    struct gen_stmt *s = grow_switch_plain(g, e, n, 0);
    for (uint32_t i = 0; i < n; i++) {
        struct grow_mark m = grow_open_arm(g, s, i);
        g->at.case_depth = g->at.depth;
        if (i == in)
            see_if_there(g, d);
        else
            grow_stmts(g, 40, 20);
        grow_close(g, &m);
    }
}

// v = A; if (c) v = B; derivative(v)
static void of_a_phi(struct grow *g)
{
    const uint32_t var = grow_pick_var(g);
    const bool other = gen_chance(g->c, grow_has(g, GEN_ELSE) ? 60 : 0);
    struct gen_stmt *s = grow_if(g, grow_lane_test(g), other);
    g->at.f->uses |= USES_LANE;
    for (uint32_t i = 0; i < 1u + other; i++) {
        struct grow_mark m = grow_open_arm(g, s, i);
        grow_set(g, var, grow_u32(g, 1));
        grow_close_block(g, &m);
    }
    see_if_there(g, grow_derive(g, grow_var(g, var)));
}

// if (c) return A; ... return B
static void left_by_some(struct grow *g)
{
    struct gen_stmt *s = grow_if(g, grow_lane_test(g), false);
    g->at.f->uses |= USES_LANE;
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
    if (gen_block_ends(g->at.block) || !grow_can_see(g) || !grow_whole(g))
        return;
    const struct gen_expr *on = NULL;
    for (size_t i = g->at.visible.n; i-- > 0 && !on;)
        if (g->at.f->values.v[g->at.visible.v[i]].def->kind == STMT_CALL)
            on = grow_value_u32(g, g->at.visible.v[i]);
    see_if_there(g, grow_derive(g, on));
}

// for (i < quad & 3) { derivative(i ...); if (c of the quad) break; }
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
    see_if_there(g, d);
    const bool leaves = gen_chance(
        g->c, grow_has(g, GEN_BREAK) && grow_has(g, GEN_IF) && exits.leave_loop ? 40 : 0);
    if (leaves && !gen_block_ends(g->at.block)) {
        struct gen_stmt *out = grow_if(g, grow_quad_test(g), false);
        struct grow_mark arm = grow_open_arm(g, out, 0);
        if (grow_can_see(g) && grow_whole(g))
            see_if_there(g, grow_derive(g, NULL));
        grow_close_with(g, &arm, LEAVE_BREAK);
    }
    grow_stmts(g, 30, 30);
    grow_close(g, &m);
    grow_loop_end(g, s);
}

// switch (quad & 1) { case k: derivative }: of the same, or of something else
static void in_cases(struct grow *g)
{
    const struct gen_expr *e = grow_quad_small(g, 3), *on = grow_u32(g, 1);
    const uint32_t n = 2 + gen_choose(g->c, 2);
    struct gen_stmt *s = grow_switch_plain(g, e, n, 0);
    for (uint32_t i = 0; i < n; i++) {
        struct grow_mark m = grow_open_arm(g, s, i);
        g->at.case_depth = g->at.depth;
        const bool same = gen_chance(g->c, 60);
        if (grow_can_see(g) && grow_whole(g))
            see_if_there(g, grow_derive(g, same ? on : NULL));
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
        see_if_there(g, grow_derive(g, grow_var(g, var)));
}

// c ? derivative(a) : derivative(b)
static void selected(struct grow *g)
{
    const uint32_t x = grow_derive(g, NULL), y = grow_derive(g, NULL);
    const struct gen_expr **e = ARENA_NEW(g->arena, const struct gen_expr *);
    struct gen_expr *pick = ARENA_NEW(g->arena, struct gen_expr);
    const struct gen_expr *c = grow_lane_test(g), *a = grow_value_u32(g, x),
                          *b = grow_value_u32(g, y);
    g->at.f->uses |= USES_LANE;
    *pick = (struct gen_expr){.kind = EXPR_SELECT, .type = TYPE_U32, .arg = {c, a, b}};
    *e = pick;
    grow_note(g, GEN_OBSERVE_LATER);
    grow_pay(g, 1);
    grow_log(g, e, 1);
}

void grow_derived(struct grow *g, enum grow_idiom i)
{
    const bool outer = g->sampling;
    g->sampling = i >= IDIOM_OF_IMAGES;
    switch (plain_of(i)) {
    case IDIOM_DERIVED_EARLY:
        early(g);
        break;
    case IDIOM_DERIVED_PHI:
        of_a_phi(g);
        break;
    case IDIOM_DERIVED_CALL:
        of_a_call(g);
        break;
    case IDIOM_DERIVED_LOOP:
        in_a_loop(g);
        break;
    case IDIOM_DERIVED_CASES:
        in_cases(g);
        break;
    case IDIOM_DERIVED_EXIT:
        after_exits(g);
        break;
    default:
        selected(g);
    }
    g->sampling = outer;
}
