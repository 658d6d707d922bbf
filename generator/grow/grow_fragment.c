// SPDX-License-Identifier: Apache-2.0
//
// The smallest shapes that compilers get wrong with helper invocations, demoted invocations and
// invocations that end early. Fragment programs only.
//
// In each quad one invocation, its first live one, stays live to the end of the program (EXPR_FREE,
// gen_expr_spares): the rules leave a quad without live invocations to the implementation. Nothing
// here draws a choice in a compute program.
#include "grow_shapes.h"

// ---- parts ------------------------------------------------------------------------------

static const struct gen_expr *helper(struct grow *g)
{
    grow_note(g, GEN_HELPERS);
    if (g->p->helper_way == HELPER_OP)
        grow_note(g, GEN_DEMOTE); // it needs the same capability
    return grow_leaf(g, EXPR_HELPER, TYPE_BOOL, 0);
}

// A condition that excludes the first live invocation of each quad.
static const struct gen_expr *spared(struct grow *g)
{
    const struct gen_expr *c = gen_chance(g->c, 50) ? grow_lane_test(g) : grow_bool(g, 1, 0);
    return grow_alu(g, EXPR_BOTH, grow_leaf(g, EXPR_FREE, TYPE_BOOL, 0), c);
}

static void demote(struct grow *g)
{
    grow_stmt_new(g, STMT_DEMOTE);
    grow_note(g, GEN_DEMOTE);
}

// if (spared) { [op;] demote; [op] }
static void demote_if(struct grow *g, uint32_t around)
{
    struct gen_stmt *s = grow_if(g, spared(g), false);
    struct grow_mark m = grow_open_arm(g, s, 0);
    if (gen_chance(g->c, around))
        grow_op_here(g, NULL);
    if (!gen_block_ends(g->at.block))
        demote(g);
    if (gen_chance(g->c, around))
        grow_op_here(g, NULL);
    grow_close_block(g, &m);
}

// Emits an operation through which an invocation reads a value of another one in its quad or in the
// tangle.
static void read_other(struct grow *g, const struct gen_expr *what)
{
    static const enum gen_group_op ops[] = {GROUP_QUAD_SWAP, GROUP_QUAD_BROADCAST,
                                            GROUP_SHUFFLE_XOR, GROUP_FIRST, GROUP_REDUCE_ADD};
    uint16_t weights[sizeof ops / sizeof *ops];
    uint32_t sum = 0;
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
        sum += weights[i] = grow_op_weight(g, ops[i]) ? (uint16_t)(i < 2 ? 4 : 1) : 0;
    if (!sum) {
        grow_op_here(g, what);
        return;
    }
    struct grow_op op = {.op = ops[gen_weighted(g->c, weights, sizeof ops / sizeof *ops)]};
    op.arg[0] = what;
    op.n = op.op == GROUP_QUAD_SWAP        ? gen_choose(g->c, 3)
           : op.op == GROUP_QUAD_BROADCAST ? gen_choose(g->c, SPV_QUAD)
           : op.op == GROUP_SHUFFLE_XOR    ? 1 + gen_choose(g->c, 3)
                                           : 0;
    grow_put_here(g, &op);
}

// ---- shapes -----------------------------------------------------------------------------

// x = ballot(helper); if (c) demote; y = ballot(helper)
static void helper_query(struct grow *g)
{
    const bool ballot = grow_op_weight(g, GROUP_BALLOT) > 0;
    struct grow_op op = {.op = ballot ? GROUP_BALLOT : GROUP_ANY};
    const bool first = gen_chance(g->c, 60),
               other = gen_chance(g->c, grow_has(g, GEN_DEMOTE) ? 75 : 0);
    op.arg[0] = helper(g);
    if (first)
        grow_put_here(g, &op);
    if (other && !gen_block_ends(g->at.block))
        demote_if(g, 30);
    grow_put_here(g, &op);
}

// if (spared) { [op;] terminate, kill or return } op
static void end_some(struct grow *g)
{
    struct gen_stmt *s = grow_if(g, spared(g), false);
    static const uint16_t ways[] = {3, 3, 2};
    static const enum gen_leave how[] = {LEAVE_TERMINATE, LEAVE_KILL, LEAVE_RETURN};
    struct grow_mark m = grow_open_arm(g, s, 0);
    if (gen_chance(g->c, 40))
        grow_op_here(g, NULL);
    const enum gen_leave leave = how[gen_weighted(g->c, ways, 3)];
    if (leave == LEAVE_RETURN)
        grow_note(g, GEN_RETURN);
    grow_note(g, GEN_TERMINATE);
    grow_settle(g, &m);
    if (!gen_block_ends(g->at.block))
        grow_stmt_new(g, STMT_LEAVE)->leave.how = leave;
    grow_close_block(g, &m);
    grow_op_here(g, NULL);
}

// v = ..; for (i < limit && i < (helper ? long : short)) v = v * 3 + op; quad op(v)
static void helper_loop(struct grow *g)
{
    const uint32_t var = grow_pick_var(g), limit = grow_loop_limit(g, 3);
    struct gen_stmt *s = grow_loop(g, LOOP_FOR, limit);
    const struct gen_expr *longer = grow_const(g, 3),
                          *shorter = grow_small(g, 1, gen_chance(g->c, 40));
    const struct gen_expr *i = grow_var(g, s->loop.counter);
    s->loop.cond = grow_alu(g, EXPR_LT, i, grow_select(g, helper(g), longer, shorter));
    grow_note(g, GEN_DIVERGENT_TRIPS);
    struct grow_mark m = grow_open_body(g, s);
    grow_bar(g);
    const bool op = gen_chance(g->c, 50);
    if (op)
        grow_op_here(g, NULL);
    if (!gen_block_ends(g->at.block)) {
        const struct gen_expr *old = grow_alu(g, EXPR_MUL, grow_var(g, var), grow_const(g, 3));
        grow_set(g, var, grow_alu(g, EXPR_ADD, old, grow_u32(g, 1)));
    }
    grow_close(g, &m);
    grow_loop_end(g, s);
    read_other(g, grow_var(g, var));
}

// v = in[helper ? own : k]; quad op(v)
static void helper_index(struct grow *g)
{
    const struct gen_expr *own = gen_chance(g->c, 50) ? grow_own(g) : grow_small(g, 15, false);
    const struct gen_expr *k = grow_const(g, gen_choose(g->c, 16));
    const uint32_t way = gen_choose(g->c, 3);
    struct gen_expr *e = ARENA_NEW(g->arena, struct gen_expr);
    *e = (struct gen_expr){.kind = EXPR_INPUT_BY, .type = TYPE_U32};
    e->arg[0] = way == 0   ? own
                : way == 1 ? grow_select(g, helper(g), own, k)
                           : grow_select(g, helper(g), k, own);
    g->at.f->uses |= 1u << EXPR_INPUT_BY;
    read_other(g, e);
}

// v = A; if (helper) v = B; quad op(v)
static void helper_quad(struct grow *g)
{
    const uint32_t var = grow_pick_var(g);
    const bool other = gen_chance(g->c, 40);
    grow_set(g, var, grow_u32(g, 1));
    const struct gen_expr *h = helper(g);
    struct gen_stmt *s = grow_if(g, other ? grow_alu(g, EXPR_NEITHER, h, NULL) : h, false);
    struct grow_mark m = grow_open_arm(g, s, 0);
    grow_set(g, var, grow_u32(g, 1));
    grow_close_block(g, &m);
    read_other(g, grow_var(g, var));
}

// any(helper && c), all(!helper || c)
static void helper_vote(struct grow *g)
{
    static const enum gen_group_op ops[] = {GROUP_ANY, GROUP_ALL, GROUP_BALLOT, GROUP_QUAD_ANY,
                                            GROUP_QUAD_ALL};
    uint16_t weights[sizeof ops / sizeof *ops];
    uint32_t sum = 0;
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
        sum += weights[i] = grow_op_weight(g, ops[i]) > 0;
    const struct gen_expr *c = grow_bool(g, 1, 0), *h = helper(g);
    const bool either = gen_chance(g->c, 50);
    struct grow_op op = {.op = sum ? ops[gen_weighted(g->c, weights, sizeof ops / sizeof *ops)]
                                   : GROUP_ANY};
    op.arg[0] = either ? grow_alu(g, EXPR_EITHER, grow_alu(g, EXPR_NEITHER, h, NULL), c)
                       : grow_alu(g, EXPR_BOTH, h, c);
    if (sum)
        grow_put_here(g, &op);
}

// if (c) demote; derivative(v)
static void demote_derived(struct grow *g)
{
    const uint32_t d = gen_chance(g->c, 30) ? grow_derive(g, NULL) : GROW_NONE;
    demote_if(g, 20);
    if (grow_can_see(g) && grow_whole(g))
        grow_see(g, grow_derive(g, NULL));
    if (d != GROW_NONE)
        grow_see_here(g, d);
}

// for (i < limit) { op; if (spared) demote; if (helper) break; } op
static void demote_loop(struct grow *g)
{
    struct gen_stmt *s = grow_loop(g, LOOP_FOR, grow_loop_limit(g, 3));
    const bool leaves =
        gen_chance(g->c, grow_has(g, GEN_HELPERS) && grow_has(g, GEN_BREAK) ? 70 : 0);
    const bool before = gen_chance(g->c, 60);
    struct grow_mark m = grow_open_body(g, s);
    grow_bar(g);
    if (before)
        grow_op_here(g, NULL);
    if (!gen_block_ends(g->at.block))
        demote_if(g, 20);
    if (leaves && !gen_block_ends(g->at.block)) {
        struct gen_stmt *out = grow_if(g, helper(g), false);
        struct grow_mark arm = grow_open_arm(g, out, 0);
        grow_close_with(g, &arm, LEAVE_BREAK);
        grow_note(g, GEN_BREAK);
    }
    if (!before || gen_chance(g->c, 30))
        grow_op_here(g, NULL);
    grow_close(g, &m);
    grow_loop_end(g, s);
    grow_op_here(g, NULL);
}

static void demoting_body(struct grow *g)
{
    if (gen_chance(g->c, 40))
        grow_op_here(g, NULL);
    if (!gen_block_ends(g->at.block))
        demote_if(g, 20);
    grow_stmts(g, 50, 30);
}

static void demote_call(struct grow *g)
{
    grow_call_new(g, demoting_body);
    grow_op_here(g, NULL);
}

static void demote_some(struct grow *g)
{
    demote_if(g, 40);
    grow_op_here(g, NULL);
}

// x = op; if (c) demote; op(x)
static void demote_kept(struct grow *g)
{
    const struct grow_op op = grow_op_plan(g, NULL);
    const uint32_t x = grow_op_put(g, &op);
    demote_if(g, 20);
    if (gen_block_ends(g->at.block))
        return;
    grow_note(g, GEN_OBSERVE_LATER);
    read_other(g, grow_value_u32(g, x));
    if (grow_can_see(g) && gen_chance(g->c, 50))
        grow_put_here(g, &op);
}

bool grow_can_fragment(const struct grow *g, enum grow_pattern i)
{
    if (!spv_stage_row(g->p->stage)->has_helpers || g->weak || !grow_has(g, GEN_IF) ||
        grow_expected(g) < 4 * GROW_ALL)
        return false;
    const bool demotes = grow_has(g, GEN_DEMOTE) && g->p->helper_way != HELPER_BUILTIN;
    const bool queries = grow_has(g, GEN_HELPERS);
    switch (i) {
    case PATTERN_HELPER_QUERY:
        return queries && (grow_op_weight(g, GROUP_BALLOT) || grow_op_weight(g, GROUP_ANY));
    case PATTERN_END_SOME:
        // Not inside a loop that quads go through whole: after it, the next iteration would have
        // partial quads.
        return g->main && grow_has(g, GEN_TERMINATE) && grow_has(g, GEN_RETURN) && !g->at.bound &&
               g->at.depth < 3 && !g->at.quad_counters;
    case PATTERN_HELPER_LOOP:
        return queries && grow_can_loop(g) && grow_has(g, GEN_FOR) &&
               grow_has(g, GEN_DIVERGENT_TRIPS) && g->at.times * 4 <= GEN_EXECUTIONS_MAX;
    case PATTERN_HELPER_INDEX:
    case PATTERN_HELPER_QUAD:
        return queries;
    case PATTERN_HELPER_VOTE:
        return queries && (grow_op_weight(g, GROUP_ANY) || grow_op_weight(g, GROUP_BALLOT) ||
                           grow_op_weight(g, GROUP_QUAD_ANY));
    case PATTERN_DEMOTE_DERIVED:
        return demotes && grow_whole(g) && grow_has(g, GEN_OP_DERIVATIVE);
    case PATTERN_DEMOTE_LOOP:
        return demotes && grow_can_loop(g) && grow_has(g, GEN_FOR) &&
               g->at.times * 4 <= GEN_EXECUTIONS_MAX;
    case PATTERN_DEMOTE_CALL:
        return demotes && grow_can_make_function(g);
    case PATTERN_DEMOTE_KEPT:
        return demotes && grow_has(g, GEN_OBSERVE_LATER);
    default:
        return demotes;
    }
}

void grow_fragment(struct grow *g, enum grow_pattern i)
{
    static void (*const shape[GROW_PATTERN_COUNT])(struct grow *) = {
        [PATTERN_DEMOTE_SOME] = demote_some,       [PATTERN_DEMOTE_KEPT] = demote_kept,
        [PATTERN_DEMOTE_LOOP] = demote_loop,       [PATTERN_DEMOTE_CALL] = demote_call,
        [PATTERN_DEMOTE_DERIVED] = demote_derived, [PATTERN_END_SOME] = end_some,
        [PATTERN_HELPER_QUERY] = helper_query,     [PATTERN_HELPER_VOTE] = helper_vote,
        [PATTERN_HELPER_QUAD] = helper_quad,       [PATTERN_HELPER_LOOP] = helper_loop,
        [PATTERN_HELPER_INDEX] = helper_index,
    };
    shape[i](g);
}
