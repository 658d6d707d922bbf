// SPDX-License-Identifier: Apache-2.0
//
// The smallest shapes that are known to break compilers, with variations. Random growth generates
// them too, but less often.
#include "grow_shapes.h"

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
    grow_op_here(g, NULL);
}

// Emits v = the result of the operation, as a number.
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
static void after_merge(struct grow *g)
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

static void put_again(struct grow *g, const void *op)
{
    grow_put_here(g, op);
}

// x = op; if (c) y = op, or y = op in a loop
static void again_inside(struct grow *g)
{
    struct grow_op op = grow_op_plan(g, NULL);
    uint32_t x = grow_op_put(g, &op);
    bool first_unseen = gen_chance(g->c, grow_has(g, GEN_OBSERVE_NEVER) ? 30 : 0);
    if (!first_unseen)
        grow_see(g, x);
    else
        grow_note(g, GEN_OBSERVE_NEVER);
    if (!grow_can_see(g)) // the observation may have ended the block
        return;
    const bool room = g->at.depth + 2 <= g->profile->depth;
    if (gen_chance(g->c, grow_can_loop_around(g) && room ? 60 : 0)) {
        grow_loop_around(g, put_again, &op);
        return;
    }
    struct gen_stmt *s = grow_if(g, grow_decide(g), false);
    struct grow_mark m = grow_open_arm(g, s, 0);
    grow_see(g, grow_op_put(g, &op));
    grow_close(g, &m);
}

// x = op; if (c) break, continue or return; y = op: the same operation, with other invocations
// active
static void again_after(struct grow *g)
{
    const struct grow_op op = grow_op_plan(g, NULL);
    const uint32_t x = grow_op_put(g, &op);
    struct gen_stmt *s = grow_if(g, grow_decide(g), false);
    const uint16_t ways[] = {g->at.may.leave_loop ? 3 : 0, g->at.may.next_trip ? 3 : 0, 0,
                             grow_can_return(g) ? 2 : 0};
    struct grow_mark m = grow_open_arm(g, s, 0);
    grow_stmts(g, 30, 20);
    grow_close_with(g, &m, (enum gen_leave)gen_weighted(g->c, ways, 4));
    grow_see_here(g, x);
    grow_put_here(g, &op);
}

// x = op; switch { case k: use(x) }, or loop { use(x) }; x is used nowhere else
static void used_inside(struct grow *g)
{
    const struct grow_op op = grow_op_plan(g, NULL);
    const bool loop = gen_chance(g->c, !grow_can_loop_around(g)  ? 0
                                       : grow_has(g, GEN_SWITCH) ? 45
                                                                 : 100);
    const struct gen_expr *e = grow_small(g, 3, false);
    const uint32_t x = grow_op_put(g, &op), n = 2 + gen_choose(g->c, 2);
    const uint32_t in = gen_choose(g->c, 3) % n;
    grow_note(g, GEN_OBSERVE_LATER);
    if (loop) {
        grow_see_in_loop(g, x);
        return;
    }
    grow_see_in_case(g, x, e, n, in);
}

// v = u; if (c) v = u2; op(v): both values are uniform, but v is not
static void same_or_same(struct grow *g)
{
    uint32_t var = grow_pick_var(g);
    grow_set(g, var, grow_uniform(g));
    struct gen_stmt *s = grow_if(g, grow_decide(g), false);
    struct grow_mark m = grow_open_arm(g, s, 0);
    grow_set(g, var, grow_uniform(g));
    grow_close_block(g, &m);
    struct grow_op op = grow_op_plan(g, grow_var(g, var));
    if (gen_chance(g->c, 40) && grow_op_weight(g, GROUP_FIRST))
        op = (struct grow_op){.op = GROUP_FIRST, .arg[0] = grow_var(g, var)};
    grow_see(g, grow_op_put(g, &op));
}

// v = k; if (c) v = l: both values are constant, but the selector v is not uniform
static const struct gen_expr *merged_selector(struct grow *g)
{
    const uint32_t var = grow_pick_var(g), k = gen_choose(g->c, 4), l = 1 + gen_choose(g->c, 3);
    grow_set(g, var, grow_const(g, k));
    struct gen_stmt *s = grow_if(g, grow_decide(g), false);
    struct grow_mark m = grow_open_arm(g, s, 0);
    grow_set(g, var, grow_const(g, (k + l) & 3));
    grow_close_block(g, &m);
    return grow_alu(g, EXPR_AND, grow_var(g, var), grow_const(g, 3));
}

// switch (v & 3) { default: v = 1; case k: op; case l: case m: v = 2 } op(v). The implementation
// chooses which invocations share a case with several values, so that case has no operation, only
// an assignment.
static void shared_labels(struct grow *g)
{
    const uint32_t var = grow_pick_var(g), turn = gen_choose(g->c, 4);
    grow_set(g, var, grow_const(g, 0));
    const struct gen_expr *e = grow_small(g, 3, false);
    const bool alone = gen_chance(g->c, 50); // true: there is also a case with one value
    const uint32_t n = 2 + alone;
    struct gen_stmt *s = grow_switch_plain(g, e, n, turn);
    s->select.default_at = 0;
    s->select.at[0].labels = 0;
    s->select.at[n - 1].labels = 1u << (turn + 2) % 4 | 1u << (turn + 3) % 4;
    for (uint32_t i = 0; i < n; i++) {
        struct grow_mark m = grow_open_arm(g, s, i);
        g->at.quiet = g->at.quiet || gen_case_mixed(g->p, s, i);
        if (grow_can_see(g))
            grow_op(g, NULL);
        else
            grow_set(g, var, grow_const(g, 1 + i));
        grow_close_block(g, &m);
    }
    grow_note(g, GEN_SWITCH_SHARED);
    grow_note(g, GEN_OBSERVE_LATER);
    grow_op_here(g, grow_var(g, var));
}

// switch (v & 3) { case k: op } with the same op in all cases: a wrong mask or a merged case
// becomes visible
static void cases(struct grow *g)
{
    const bool shared =
        gen_chance(g->c, grow_has(g, GEN_SWITCH_SHARED) && grow_has(g, GEN_OBSERVE_LATER) ? 25 : 0);
    if (shared) {
        shared_labels(g);
        return;
    }
    struct grow_op op = grow_op_plan(g, NULL);
    const bool merged = gen_chance(g->c, grow_has(g, GEN_IF) ? 55 : 0);
    const struct gen_expr *e = merged ? merged_selector(g) : grow_small(g, 3, false);
    const uint32_t n = merged ? 4 : 2 + gen_choose(g->c, 3);
    struct gen_stmt *s = grow_switch_plain(g, e, n, gen_choose(g->c, 4));
    for (uint32_t i = 0; i < n; i++) {
        struct grow_mark m = grow_open_arm(g, s, i);
        grow_put_here(g, &op);
        grow_close(g, &m);
    }
}

// if (few lanes) op(constant): the result depends on the active invocations
static void folded(struct grow *g)
{
    struct gen_stmt *s = grow_if(g, grow_lane_test(g), false);
    struct grow_mark m = grow_open_arm(g, s, 0);
    static const enum gen_group_op ops[] = {GROUP_REDUCE_XOR, GROUP_REDUCE_ADD, GROUP_UPTO_ADD,
                                            GROUP_BELOW_ADD, GROUP_REDUCE_XOR};
    const uint32_t pick = gen_choose(g->c, 5), k = 1 + gen_choose(g->c, 8);
    const struct gen_expr *c = gen_chance(g->c, 30) ? grow_uniform(g) : grow_const(g, k);
    if (gen_chance(g->c, 85) && grow_op_weight(g, ops[pick]))
        grow_see(g, grow_op_put(g, &(struct grow_op){.op = ops[pick], .arg[0] = c}));
    else
        grow_op(g, c);
    grow_close(g, &m);
}

static void quads(struct grow *g)
{
    static const enum gen_group_op ops[] = {GROUP_QUAD_SWAP, GROUP_QUAD_BROADCAST, GROUP_QUAD_ALL,
                                            GROUP_QUAD_ANY};
    struct gen_stmt *s = grow_if(g, grow_lane_test(g), false);
    struct grow_mark m = grow_open_arm(g, s, 0);
    uint32_t pick = gen_choose(g->c, 4), n = gen_choose(g->c, 3);
    const struct gen_expr *number = grow_u32(g, 1), *yes = grow_bool(g, 1, 3);
    for (uint32_t i = 0; i < 4; i++) {
        struct grow_op op = {.op = ops[(pick + i) % 4]};
        if (!grow_op_weight(g, op.op))
            continue;
        // The first lane is mostly active, so a broadcast of another one shows more.
        op.n = gen_group_moves(op.op) ? n + (op.op == GROUP_QUAD_BROADCAST) : 0;
        op.arg[0] = gen_group_moves(op.op) ? number : yes;
        grow_see(g, grow_op_put(g, &op));
        break;
    }
    grow_close(g, &m);
}

// if (WorkgroupId == k) op; or SubgroupId
static void one_group(struct grow *g)
{
    const uint32_t subgroups = gen_local_subgroups(g->p);
    const bool inner = gen_chance(g->c, subgroups == 1 ? 0 : g->p->groups == 1 ? 100 : 50);
    const struct gen_expr *which =
        grow_const(g, gen_choose(g->c, 256) % (inner ? subgroups : g->p->groups));
    const struct gen_expr *own = inner ? grow_leaf(g, EXPR_SUBGROUP, TYPE_U32, 0) : grow_group(g);
    struct gen_stmt *s = grow_if(g, grow_alu(g, EXPR_EQ, own, which), false);
    struct grow_mark m = grow_open_arm(g, s, 0);
    grow_op_here(g, NULL);
    grow_stmts(g, 40, 40);
    grow_close(g, &m);
    grow_op_here(g, NULL);
}

// A move over half of the subgroup or more.
static void far_move(struct grow *g, const struct gen_expr *v)
{
    static const enum gen_group_op ops[] = {GROUP_SHUFFLE_DOWN, GROUP_SHUFFLE_UP,
                                            GROUP_SHUFFLE_XOR};
    const uint32_t pick = gen_choose(g->c, 3), half = g->o->subgroup / 2;
    struct grow_op op = {.arg[0] = v, .n = half + grow_number_below(g, half)};
    for (uint32_t i = 0; i < 3; i++) {
        op.op = ops[(pick + i) % 3];
        if (grow_op_weight(g, op.op)) {
            grow_put_here(g, &op);
            return;
        }
    }
}

// A shuffle of a shuffle, with source lanes that are known only at run time.
static void back_to_back(struct grow *g)
{
    const struct gen_expr *v = grow_u32(g, 1), *other = grow_u32(g, 1);
    uint32_t times = 2 + gen_choose(g->c, 2);
    const bool same = gen_chance(g->c, 50); // true: each shuffle has the same operand
    uint32_t seen[3] = {0};
    for (uint32_t i = 0; i < times; i++) {
        struct grow_op op = {.op = GROUP_SHUFFLE, .arg[0] = v};
        op.source = grow_has(g, GEN_OP_BALLOT) ? FROM_XOR : FROM_SELF;
        op.n = grow_number_below(g, g->o->subgroup);
        uint32_t value = grow_op_put(g, &op);
        v = same ? other : grow_value(g, value);
        seen[i] = value;
    }
    for (uint32_t i = same ? 0 : times - 1; i < times; i++)
        grow_see_here(g, seen[i]);
    if (gen_chance(g->c, 70))
        far_move(g, v);
}

// p = a && op && ...: each operand is evaluated only if the ones before it were true
static void chain(struct grow *g, uint32_t left)
{
    struct gen_stmt *s = grow_if(g, grow_decide(g), false);
    struct gen_phi *phi = &s->branch.phi[0];
    bool either = gen_chance(g->c, 25);
    phi->b = grow_const_bool(g, either);
    struct grow_mark m = grow_open_arm(g, s, 0);
    if (left) {
        chain(g, left - 1);
        const struct gen_stmt *in = g->at.block->last;
        phi->a = grow_value(g, in->branch.phi[0].value);
    } else {
        const struct grow_op op = grow_op_plan(g, NULL);
        uint32_t value = grow_op_put(g, &op);
        phi->a = grow_value_test(g, value);
    }
    grow_close_block(g, &m);
    s->branch.phi_count = 1;
    phi->value = grow_bind_phi(g, s, TYPE_BOOL);
}

static void short_circuit(struct grow *g)
{
    const uint32_t more = gen_choose(g->c, 2);
    chain(g, g->at.depth + 1 < g->profile->depth ? more : 0);
    const struct gen_expr *p = grow_value(g, g->at.block->last->branch.phi[0].value);
    struct gen_stmt *s = grow_if(g, p, false);
    struct grow_mark m = grow_open_arm(g, s, 0);
    grow_op_here(g, NULL);
    grow_close(g, &m);
    grow_note(g, GEN_OBSERVE_BRANCH);
}

static void callee_loop_body(struct grow *g)
{
    grow_loop_with_exit(g, LEAVE_RETURN);
    grow_stmts(g, 30, 30);
}

static void callee_loop(struct grow *g)
{
    grow_call_by_bool(g, callee_loop_body);
    grow_op_here(g, NULL);
}

static void break_block(struct grow *g)
{
    grow_loop_with_exit(g, LEAVE_BREAK);
}

static void waterfall(struct grow *g)
{
    grow_waterfall(g, false);
}

void grow_pattern(struct grow *g, enum grow_pattern i)
{
    static void (*const shape[PATTERN_REPORTED])(struct grow *) = {
        [PATTERN_BREAK_BLOCK] = break_block,
        [PATTERN_TWO_IFS] = two_ifs,
        [PATTERN_BOTH_ARMS] = both_arms,
        [PATTERN_AFTER_MERGE] = after_merge,
        [PATTERN_AGAIN_INSIDE] = again_inside,
        [PATTERN_CALLEE_LOOP] = callee_loop,
        [PATTERN_WATERFALL] = waterfall,
        [PATTERN_LEFT_EARLY] = grow_left_early,
        [PATTERN_SAME_OR_SAME] = same_or_same,
        [PATTERN_REMAINDER] = grow_remainder,
        [PATTERN_INNER_BREAK] = grow_inner_break,
        [PATTERN_CASES] = cases,
        [PATTERN_LATE_OP] = grow_late_op,
        [PATTERN_DENSE] = grow_dense_continue,
        [PATTERN_TWO_LEVELS] = grow_two_levels,
        [PATTERN_FOLDED] = folded,
        [PATTERN_QUADS] = quads,
        [PATTERN_ONE_GROUP] = one_group,
        [PATTERN_BACK_TO_BACK] = back_to_back,
        [PATTERN_CHAIN] = short_circuit,
        [PATTERN_USED_INSIDE] = used_inside,
        [PATTERN_AGAIN_AFTER] = again_after,
        [PATTERN_GOES_ON] = grow_goes_on,
        [PATTERN_WAY_OUT] = grow_way_out,
    };
    g->p->patterns |= (uint64_t)1 << i;
    if (i < PATTERN_REPORTED)
        shape[i](g);
    else if (i < PATTERN_BY_NAME)
        grow_reported(g, i);
    else if (i >= PATTERN_EITHER_SAMPLER)
        grow_imaged(g, i);
    else if (i >= PATTERN_OF_FRAGMENTS && i < PATTERN_OF_IMAGES)
        grow_fragment(g, i);
    else
        grow_derived(g, i);
}
