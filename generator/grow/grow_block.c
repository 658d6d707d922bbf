// SPDX-License-Identifier: Apache-2.0
//
// Opening, filling and closing of blocks, and selections. Closing a block logs the values pending
// in it and may emit a leave. Nothing is grown after a statement that ends its block.
#include "grow_parts.h"

// ---- phis -------------------------------------------------------------------------------

uint32_t grow_phis(struct grow *g, enum gen_type types[GEN_PHIS_MAX])
{
    const uint16_t weights[] = {60, grow_has(g, GEN_PHI) ? 32 : 0, grow_has(g, GEN_PHI) ? 8 : 0};
    uint32_t n = gen_weighted(g->c, weights, GEN_PHIS_MAX + 1);
    types[0] = gen_chance(g->c, 30) ? TYPE_BOOL : TYPE_U32;
    types[1] = TYPE_U32;
    return n;
}

// Prefers the newest value, which is the typical operand of a phi.
const struct gen_expr *grow_phi_operand(struct grow *g, enum gen_type type)
{
    bool newest = gen_chance(g->c, grow_has(g, GEN_OBSERVE_LATER) ? 55 : 0);
    for (size_t i = g->at.visible.n; newest && i-- > 0;) {
        uint32_t v = g->at.visible.v[i];
        if (g->at.f->values.v[v].not_guaranteed ||
            (type == TYPE_BOOL && g->at.f->values.v[v].type != type))
            continue;
        if (g->at.f->values.v[v].def->kind == STMT_OP)
            grow_note(g, GEN_OBSERVE_LATER);
        return type == TYPE_BOOL ? grow_value(g, v) : grow_value_u32(g, v);
    }
    return type == TYPE_BOOL ? grow_bool(g, 1, 2) : grow_u32(g, 1);
}

// ---- ends of blocks ---------------------------------------------------------------------

// True if the log budget suffices for the invocations that return here.
bool grow_can_return(const struct grow *g)
{
    uint32_t vars = grow_vars(g);
    return g->at.may.leave_function && !(g->main && g->at.quiet) &&
           (!g->main || grow_affords(g, vars ? vars : 1));
}

// In functions with a result the variables form the result; in others they are logged.
void grow_return(struct grow *g)
{
    struct gen_function *f = g->at.f;
    if (f->has_result) {
        const struct gen_expr *e = NULL;
        for (uint32_t i = 0; i < f->vars.n; i++) {
            if (f->vars.v[i].counter)
                continue;
            const struct gen_expr *v = grow_var(g, i);
            e = e ? grow_alu(g, EXPR_ADD, grow_alu(g, EXPR_MUL, e, grow_const(g, 5)), v) : v;
        }
        bool more = gen_chance(g->c, 40);
        if (!e || more) {
            const struct gen_expr *other = grow_u32(g, 1);
            e = e ? grow_alu(g, EXPR_XOR, e, other) : other;
        }
        struct gen_stmt *s = grow_stmt_new(g, STMT_LEAVE);
        s->leave.how = LEAVE_RETURN;
        s->leave.result = e;
        return;
    }
    bool logs = gen_chance(g->c, 50) || g->main;
    uint32_t vars = grow_vars(g);
    if (logs && vars && grow_affords(g, vars)) {
        grow_pay(g, vars);
        grow_log_rest(g, g->at.pending.n, true);
    } else if (g->main && grow_affords(g, 1)) { // the statements of this arm may have used up the
                                                // budget
        grow_plain_ballot(g);
    }
    grow_stmt_new(g, STMT_LEAVE)->leave.how = LEAVE_RETURN;
}

static void leave(struct grow *g, enum gen_leave how)
{
    static const enum gen_feature feature[] = {GEN_BREAK, GEN_CONTINUE, GEN_SWITCH, GEN_RETURN};
    grow_note(g, feature[how]);
    if (how == LEAVE_RETURN)
        grow_return(g);
    else
        grow_stmt_new(g, STMT_LEAVE)->leave.how = how;
}

void grow_close_with(struct grow *g, struct grow_mark *m, enum gen_leave how)
{
    grow_settle(g, m);
    if (!gen_block_ends(g->at.block))
        leave(g, how);
    grow_close_block(g, m);
}

void grow_close(struct grow *g, struct grow_mark *m)
{
    enum { STAY, LEAVES }; // LEAVES + enum gen_leave
    uint16_t weights[LEAVES + LEAVE_RETURN + 1] = {[STAY] = 100};
    if (m->arm && !gen_block_ends(g->at.block) && !(g->at.bound && m->last)) {
        const struct grow_place *at = &g->at;
        const uint16_t *feature = g->swarm.feature;
        if (at->may.leave_loop)
            weights[LEAVES + LEAVE_BREAK] = (uint16_t)(8 * feature[GEN_BREAK]);
        if (at->may.next_trip)
            weights[LEAVES + LEAVE_CONTINUE] = (uint16_t)(7 * feature[GEN_CONTINUE]);
        if (at->case_depth && at->depth > at->case_depth)
            weights[LEAVES + LEAVE_BREAK_SWITCH] = 20;
        if (grow_can_return(g))
            weights[LEAVES + LEAVE_RETURN] = (uint16_t)((g->weak ? 1 : 2) * feature[GEN_RETURN]);
    }
    uint32_t how = gen_weighted(g->c, weights, sizeof weights / sizeof *weights);
    grow_settle(g, m);
    if (how != STAY)
        leave(g, (enum gen_leave)(how - LEAVES));
    grow_close_block(g, m);
}

// ---- arms -------------------------------------------------------------------------------

static struct gen_block *arm_of(struct gen_stmt *s, uint32_t i)
{
    if (s->kind == STMT_IF)
        return i ? &s->branch.other : &s->branch.then;
    return &s->select.at[i].body;
}

struct grow_mark grow_open_arm(struct grow *g, struct gen_stmt *s, uint32_t i)
{
    const bool together =
        s->kind == STMT_IF && gen_expr_same(s->branch.cond, GROW_NONE) && grow_together(g);
    const bool whole = grow_whole(g) && grow_arm_is_quad(g, s, i);
    struct grow_mark m = grow_open_block(g, arm_of(s, i), true);
    g->at.together = together;
    g->at.whole = whole;
    if (s->kind == STMT_SWITCH)
        g->at.case_depth = g->at.depth;
    m.odds = s->kind == STMT_IF ? grow_odds_of(g, s->branch.cond, !i) : grow_odds_of_case(g, s, i);
    m.last = s->kind == STMT_IF ? i > 0 : i + 1 == s->select.n;
    grow_narrow(g, &m.odds);
    return m;
}

void grow_arm(struct grow *g, struct gen_stmt *s, uint32_t i, uint32_t first, uint32_t percent)
{
    struct grow_mark m = grow_open_arm(g, s, i);
    grow_stmts(g, first, percent);
    grow_close(g, &m);
}

// ---- selections -------------------------------------------------------------------------

unsigned grow_control(struct grow *g)
{
    bool one = gen_chance(g->c, grow_has(g, GEN_CONTROLS) ? 25 : 0);
    if (!one)
        return 0;
    grow_note(g, GEN_CONTROLS);
    return 1 + gen_choose(g->c, 2);
}

struct gen_stmt *grow_if(struct grow *g, const struct gen_expr *cond, bool has_other)
{
    struct gen_stmt *s = grow_stmt_new(g, STMT_IF);
    s->branch.cond = cond;
    s->branch.has_other = has_other;
    s->branch.control = (SpvSelectionControlMask)grow_control(g);
    grow_note(g, has_other ? GEN_ELSE : GEN_IF);
    return s;
}

const struct gen_expr *grow_decide(struct grow *g)
{
    const struct gen_expr *cond = grow_twin_test(g);
    if (cond || (cond = grow_now_and_then_quad(g, 30)))
        return cond;
    g->deciding = true;
    cond = grow_bool(g, 1, 1);
    g->deciding = false;
    grow_remember_test(g, cond);
    return cond;
}
