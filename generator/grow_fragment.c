// SPDX-License-Identifier: Apache-2.0
//
// Fragment programs: the target and what is drawn in it, and the smallest shapes that compilers get
// wrong about helpers, demoted invocations and those that end early.
//
// Each quad keeps a live invocation, its first one, to the end of the program (EXPR_FREE,
// gen_expr_spares): what becomes of a quad without one is left to the implementation. Nothing here
// draws a choice in a compute program.
#include "grow.h"

#include <string.h>

void grow_target(struct grow *g)
{
    struct gen_program *p = g->p;
    uint32_t w = 4 + gen_choose(g->c, 5), h = 4 + gen_choose(g->c, 3);
    while (w > 4 && (w + 1) * h + 1 > g->o->max_invocations)
        w--;
    while (h > 4 && (w + 1) * h + 1 > g->o->max_invocations)
        h--;
    p->stage = SPV_FRAGMENT;
    p->target[0] = w;
    p->target[1] = h;
    p->groups = 1;
    p->local_size = (w + 1) * h + w + 1; // a helper may be beyond the right and the lower edge
    p->input_words = p->local_size < 16 ? 16 : p->local_size;
    const bool full = gen_chance(g->c, grow_has(g, GEN_FULL_QUADS) ? 75 : 0);
    const uint16_t ways[] = {g->o->features & GEN_BIT(GEN_DEMOTE) ? 8 : 0, 1,
                             grow_has(g, GEN_DEMOTE) ? 0 : 4};
    p->full_quads = full;
    if (full)
        grow_note(g, GEN_FULL_QUADS);
    else { // where helpers need not be in the quad's votes, nothing of them is promised
        g->swarm.feature[GEN_OP_QUAD_VOTE] = 0;
        grow_want_op(g, GEN_OP_QUAD_VOTE);
    }
    p->helper_way = (enum gen_helper_way)gen_weighted(g->c, ways, 3);
}

// ---- parts -------------------------------------------------------------------------------

static const struct gen_expr *asked(struct grow *g, enum gen_expr_kind kind)
{
    struct gen_expr *e = ARENA_NEW(g->arena, struct gen_expr);
    *e = (struct gen_expr){.kind = kind, .type = TYPE_BOOL};
    g->at.f->uses |= 1u << kind;
    return e;
}

static const struct gen_expr *helper(struct grow *g)
{
    grow_note(g, GEN_HELPERS);
    if (g->p->helper_way == HELPER_OP)
        grow_note(g, GEN_DEMOTE); // its capability
    return asked(g, EXPR_HELPER);
}

// A condition that only those meet whom their quads can do without.
static const struct gen_expr *spared(struct grow *g)
{
    const struct gen_expr *c = gen_chance(g->c, 50) ? grow_lane_test(g) : grow_bool(g, 1, 0);
    return grow_alu(g, EXPR_BOTH, asked(g, EXPR_FREE), c);
}

static const struct gen_expr *select_of(struct grow *g, const struct gen_expr *c,
                                        const struct gen_expr *a, const struct gen_expr *b)
{
    struct gen_expr *e = ARENA_NEW(g->arena, struct gen_expr);
    *e = (struct gen_expr){.kind = EXPR_SELECT, .type = TYPE_U32, .arg = {c, a, b}};
    return e;
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
    if (gen_chance(g->c, around) && grow_can_see(g))
        grow_op(g, NULL);
    if (!gen_block_ends(g->at.block))
        demote(g);
    if (gen_chance(g->c, around) && grow_can_see(g))
        grow_op(g, NULL);
    grow_close_block(g, &m);
}

static void see_op(struct grow *g, const struct gen_expr *on)
{
    if (grow_can_see(g))
        grow_op(g, on);
}

static void see_put(struct grow *g, const struct grow_op *op)
{
    if (grow_can_see(g))
        grow_see(g, grow_op_put(g, op));
}

// An operation that tells one invocation what another one of its quad, or anywhere, has.
static void tell(struct grow *g, const struct gen_expr *what)
{
    static const enum gen_group_op ops[] = {GROUP_QUAD_SWAP, GROUP_QUAD_BROADCAST,
                                            GROUP_SHUFFLE_XOR, GROUP_FIRST, GROUP_REDUCE_ADD};
    uint16_t weights[sizeof ops / sizeof *ops];
    uint32_t sum = 0;
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
        sum += weights[i] = grow_op_weight(g, ops[i]) ? (uint16_t)(i < 2 ? 4 : 1) : 0;
    if (!sum) {
        see_op(g, what);
        return;
    }
    struct grow_op op = {.op = ops[gen_weighted(g->c, weights, sizeof ops / sizeof *ops)]};
    op.arg[0] = what;
    op.n = op.op == GROUP_QUAD_SWAP        ? gen_choose(g->c, 3)
           : op.op == GROUP_QUAD_BROADCAST ? gen_choose(g->c, SPV_QUAD)
           : op.op == GROUP_SHUFFLE_XOR    ? 1 + gen_choose(g->c, 3)
                                           : 0;
    see_put(g, &op);
}

// ---- shapes -----------------------------------------------------------------------------

// x = ballot(helper); if (c) demote; y = ballot(helper)
static void helper_told(struct grow *g)
{
    const bool ballot = grow_op_weight(g, GROUP_BALLOT) > 0;
    struct grow_op op = {.op = ballot ? GROUP_BALLOT : GROUP_ANY};
    const bool first = gen_chance(g->c, 60),
               other = gen_chance(g->c, grow_has(g, GEN_DEMOTE) ? 75 : 0);
    op.arg[0] = helper(g);
    if (first)
        see_put(g, &op);
    if (other && !gen_block_ends(g->at.block))
        demote_if(g, 30);
    see_put(g, &op);
}

// if (spared) { [op;] terminate, kill or return } op
static void end_some(struct grow *g)
{
    struct gen_stmt *s = grow_if(g, spared(g), false);
    static const uint16_t ways[] = {3, 3, 2};
    static const enum gen_leave how[] = {LEAVE_TERMINATE, LEAVE_KILL, LEAVE_RETURN};
    struct grow_mark m = grow_open_arm(g, s, 0);
    if (gen_chance(g->c, 40))
        see_op(g, NULL);
    const enum gen_leave leave = how[gen_weighted(g->c, ways, 3)];
    if (leave == LEAVE_RETURN)
        grow_note(g, GEN_RETURN);
    grow_note(g, GEN_TERMINATE);
    grow_settle(g, &m);
    if (!gen_block_ends(g->at.block))
        grow_stmt_new(g, STMT_LEAVE)->leave.how = leave;
    grow_close_block(g, &m);
    see_op(g, NULL);
}

// v = ..; for (i < limit && i < (helper ? long : short)) v = v * 3 + op; tell(v)
static void helper_loop(struct grow *g)
{
    const uint32_t var = grow_pick_var(g), limit = grow_loop_limit(g, 3);
    struct gen_stmt *s = grow_loop(g, LOOP_FOR, limit);
    const struct gen_expr *longer = grow_const(g, 3),
                          *shorter = grow_small(g, 1, gen_chance(g->c, 40));
    const struct gen_expr *i = grow_var(g, s->loop.counter);
    s->loop.cond = grow_alu(g, EXPR_LT, i, select_of(g, helper(g), longer, shorter));
    grow_note(g, GEN_DIVERGENT_TRIPS);
    struct grow_mark m = grow_open_body(g, s);
    grow_bar(g);
    const bool op = gen_chance(g->c, 50);
    if (op)
        see_op(g, NULL);
    if (!gen_block_ends(g->at.block)) {
        const struct gen_expr *old = grow_alu(g, EXPR_MUL, grow_var(g, var), grow_const(g, 3));
        grow_set(g, var, grow_alu(g, EXPR_ADD, old, grow_u32(g, 1)));
    }
    grow_close(g, &m);
    grow_loop_end(g, s);
    tell(g, grow_var(g, var));
}

// v = in[helper ? own : k]; tell(v)
static void helper_index(struct grow *g)
{
    const struct gen_expr *own = gen_chance(g->c, 50) ? grow_own(g) : grow_small(g, 15, false);
    const struct gen_expr *k = grow_const(g, gen_choose(g->c, 16));
    const uint32_t way = gen_choose(g->c, 3);
    struct gen_expr *e = ARENA_NEW(g->arena, struct gen_expr);
    *e = (struct gen_expr){.kind = EXPR_INPUT_BY, .type = TYPE_U32};
    e->arg[0] = way == 0   ? own
                : way == 1 ? select_of(g, helper(g), own, k)
                           : select_of(g, helper(g), k, own);
    g->at.f->uses |= 1u << EXPR_INPUT_BY;
    tell(g, e);
}

// v = A; if (helper) v = B; tell(v)
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
    tell(g, grow_var(g, var));
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
        see_put(g, &op);
}

// if (c) demote; derivative(v)
static void demote_derived(struct grow *g)
{
    const uint32_t d = gen_chance(g->c, 30) ? grow_derive(g, NULL) : GROW_NONE;
    demote_if(g, 20);
    if (grow_can_see(g) && grow_whole(g))
        grow_see(g, grow_derive(g, NULL));
    if (d != GROW_NONE && grow_can_see(g))
        grow_see(g, d);
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
        see_op(g, NULL);
    if (!gen_block_ends(g->at.block))
        demote_if(g, 20);
    if (leaves && !gen_block_ends(g->at.block)) {
        struct gen_stmt *out = grow_if(g, helper(g), false);
        struct grow_mark arm = grow_open_arm(g, out, 0);
        grow_close_with(g, &arm, LEAVE_BREAK);
        grow_note(g, GEN_BREAK);
    }
    if (!before || gen_chance(g->c, 30))
        see_op(g, NULL);
    grow_close(g, &m);
    grow_loop_end(g, s);
    see_op(g, NULL);
}

static void demoting_body(struct grow *g)
{
    if (gen_chance(g->c, 40))
        see_op(g, NULL);
    if (!gen_block_ends(g->at.block))
        demote_if(g, 20);
    grow_stmts(g, 50, 30);
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
    tell(g, grow_value_u32(g, x));
    if (grow_can_see(g) && gen_chance(g->c, 50))
        see_put(g, &op);
}

bool grow_can_fragment(const struct grow *g, enum grow_idiom i)
{
    if (g->p->stage != SPV_FRAGMENT || g->weak || !grow_has(g, GEN_IF) ||
        grow_expected(g) < 4 * GROW_ALL)
        return false;
    const bool demotes = grow_has(g, GEN_DEMOTE) && g->p->helper_way != HELPER_BUILTIN;
    const bool tells = grow_has(g, GEN_HELPERS);
    switch (i) {
    case IDIOM_HELPER_TOLD:
        return tells && (grow_op_weight(g, GROUP_BALLOT) || grow_op_weight(g, GROUP_ANY));
    case IDIOM_END_SOME:
        // Not within a loop that quads go through whole: those of the next iteration would be
        // parts.
        return g->main && grow_has(g, GEN_TERMINATE) && grow_has(g, GEN_RETURN) && !g->at.bound &&
               g->at.depth < 3 && !g->at.quad_counters;
    case IDIOM_HELPER_LOOP:
        return tells && grow_can_loop(g) && grow_has(g, GEN_FOR) &&
               grow_has(g, GEN_DIVERGENT_TRIPS) && g->at.times * 4 <= GEN_EXECUTIONS_MAX;
    case IDIOM_HELPER_INDEX:
    case IDIOM_HELPER_QUAD:
        return tells;
    case IDIOM_HELPER_VOTE:
        return tells && (grow_op_weight(g, GROUP_ANY) || grow_op_weight(g, GROUP_BALLOT) ||
                         grow_op_weight(g, GROUP_QUAD_ANY));
    case IDIOM_DEMOTE_DERIVED:
        return demotes && grow_whole(g) && grow_has(g, GEN_OP_DERIVATIVE);
    case IDIOM_DEMOTE_LOOP:
        return demotes && grow_can_loop(g) && grow_has(g, GEN_FOR) &&
               g->at.times * 4 <= GEN_EXECUTIONS_MAX;
    case IDIOM_DEMOTE_CALL:
        return demotes && grow_can_make_function(g);
    case IDIOM_DEMOTE_KEPT:
        return demotes && grow_has(g, GEN_OBSERVE_LATER);
    default:
        return demotes;
    }
}

void grow_fragment(struct grow *g, enum grow_idiom i)
{
    switch (i) {
    case IDIOM_HELPER_TOLD:
        helper_told(g);
        break;
    case IDIOM_END_SOME:
        end_some(g);
        break;
    case IDIOM_HELPER_LOOP:
        helper_loop(g);
        break;
    case IDIOM_HELPER_INDEX:
        helper_index(g);
        break;
    case IDIOM_HELPER_QUAD:
        helper_quad(g);
        break;
    case IDIOM_HELPER_VOTE:
        helper_vote(g);
        break;
    case IDIOM_DEMOTE_DERIVED:
        demote_derived(g);
        break;
    case IDIOM_DEMOTE_LOOP:
        demote_loop(g);
        break;
    case IDIOM_DEMOTE_KEPT:
        demote_kept(g);
        break;
    case IDIOM_DEMOTE_CALL:
        grow_call_new(g, demoting_body);
        see_op(g, NULL);
        break;
    default:
        demote_if(g, 40);
        see_op(g, NULL);
    }
}

// ---- what is drawn ---------------------------------------------------------------------------

static void vertex(struct gen_cover *c, uint32_t x, uint32_t y)
{
    c->vertex[c->n][0] = (uint16_t)x;
    c->vertex[c->n][1] = (uint16_t)y;
    c->n++;
}

// One or two triangles with a common edge, whose corners are near the target's.
static void large(struct gen_choices *c, const struct gen_program *p, struct gen_cover *out)
{
    const uint32_t w = p->target[0] * SPV_SUBPIXELS, h = p->target[1] * SPV_SUBPIXELS;
    const uint32_t turn = gen_choose(c, 4), two = gen_choose(c, 2);
    uint32_t at[4][2];
    for (uint32_t i = 0; i < 4; i++) {
        const uint32_t x = gen_choose(c, w / 4), y = gen_choose(c, h / 4), corner = i ^ turn;
        at[i][0] = corner & 1 ? w - x : x;
        at[i][1] = corner & 2 ? h - y : y;
    }
    for (uint32_t i = 0; i < 3; i++)
        vertex(out, at[i][0], at[i][1]);
    for (uint32_t i = 0; two && i < 3; i++)
        vertex(out, at[3 - i][0], at[3 - i][1]);
}

// Small triangles, each in a cell of its own.
static void small(struct gen_choices *c, const struct gen_program *p, struct gen_cover *out)
{
    const uint32_t side = 2 + gen_choose(c, 3), left = gen_choose(c, 2),
                   cell = side * SPV_SUBPIXELS;
    const uint32_t wide = p->target[0] / side, high = p->target[1] / side;
    for (uint32_t i = 0; i < wide * high && out->n + 3 <= SPV_COVER_VERTICES; i++) {
        const uint32_t x = i % wide * cell, y = i / wide * cell;
        uint32_t v[3][2];
        for (uint32_t k = 0; k < 3; k++)
            for (uint32_t d = 0; d < 2; d++)
                v[k][d] = gen_choose(c, cell + 1);
        const bool whole = i == 0; // something is drawn
        if (!whole && left && i % 2)
            continue;
        for (uint32_t k = 0; k < 3; k++)
            vertex(out, x + (whole ? (k == 1) * cell : v[k][0]),
                   y + (whole ? (k == 2) * cell : v[k][1]));
    }
}

static void points(struct gen_choices *c, const struct gen_program *p, struct gen_cover *out)
{
    const uint32_t n = 1 + gen_choose(c, 12), size = p->target[0] * p->target[1];
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t pixel = gen_choose(c, size);
        const uint32_t x = pixel % p->target[0] * SPV_SUBPIXELS + SPV_SUBPIXELS / 2;
        const uint32_t y = pixel / p->target[0] * SPV_SUBPIXELS + SPV_SUBPIXELS / 2;
        bool there = false;
        for (uint32_t k = 0; k < out->n; k++)
            there = there || (out->vertex[k][0] == x && out->vertex[k][1] == y);
        if (!there)
            vertex(out, x, y);
    }
}

// Level or upright ones, each in a row or column of its own.
static void lines(struct gen_choices *c, const struct gen_program *p, struct gen_cover *out)
{
    const uint32_t n = 1 + gen_choose(c, 3), upright = gen_choose(c, 2),
                   step = 1 + gen_choose(c, 2);
    const uint32_t length = p->target[upright];
    for (uint32_t i = 0; i < n && i * step < p->target[!upright]; i++) {
        const uint32_t from = gen_choose(c, length - 2),
                       to = from + 2 + gen_choose(c, length - 2 - from);
        const uint32_t across = i * step * SPV_SUBPIXELS + SPV_SUBPIXELS / 2;
        for (uint32_t k = 0; k < 2; k++) {
            const uint32_t along = (k ? to : from) * SPV_SUBPIXELS + SPV_SUBPIXELS / 2;
            const uint32_t most = length * SPV_SUBPIXELS;
            vertex(out,
                   upright        ? across
                   : along < most ? along
                                  : most,
                   upright ? along < most ? along : most : across);
        }
    }
}

void gen_grow_covers(struct gen_choices *c, const struct gen_program *p, uint32_t n,
                     struct gen_cover *covers)
{
    enum { WHOLE, LARGE, SMALL, POINTS, LINES, KINDS };
    static const uint16_t odds[KINDS] = {
        [WHOLE] = 40, [LARGE] = 32, [SMALL] = 18, [POINTS] = 5, [LINES] = 5};
    static const enum spv_cover kinds[] = {SPV_COVER_FULL, SPV_COVER_TRIANGLES, SPV_COVER_TRIANGLES,
                                           SPV_COVER_POINTS, SPV_COVER_LINES};
    static void (*const draw[])(struct gen_choices *, const struct gen_program *,
                                struct gen_cover *) = {NULL, large, small, points, lines};
    const uint32_t span = gen_span_open(c, GEN_SPAN_SETUP);
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t kind = gen_weighted(c, odds, KINDS);
        covers[i].kind = kinds[kind];
        if (draw[kind])
            draw[kind](c, p, &covers[i]);
    }
    gen_span_close(c, span);
}
