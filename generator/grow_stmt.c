// SPDX-License-Identifier: Apache-2.0
//
// Blocks and statements. A block is opened, filled and closed; closing it logs
// what is pending in it and may leave for what is around. Nothing is grown behind
// a statement that ends its block.
#include "grow.h"

#include <string.h>

// ---- single statements -------------------------------------------------------------

struct gen_stmt *grow_stmt_new(struct grow *g, enum gen_stmt_kind kind)
{
    struct gen_stmt *s = ARENA_NEW(g->arena, struct gen_stmt);
    struct gen_block *b = g->at.block;
    s->kind = kind;
    if (b->last)
        b->last->next = s;
    else
        b->first = s;
    b->last = s;
    g->nodes--;
    return s;
}

uint32_t grow_bind(struct grow *g, struct gen_stmt *s, enum gen_type type)
{
    uint32_t value = (uint32_t)g->at.f->values.n;
    *VEC_PUSH(g->arena, &g->at.f->values) = (struct gen_value){.type = type, .def = s};
    *VEC_PUSH(g->arena, &g->at.f->quad) = false;
    *VEC_PUSH(g->arena, &g->at.visible) = value;
    s->value = value;
    return value;
}

// ---- phis ------------------------------------------------------------------------------

uint32_t grow_bind_phi(struct grow *g, const struct gen_stmt *s, enum gen_type type)
{
    uint32_t value = (uint32_t)g->at.f->values.n;
    *VEC_PUSH(g->arena, &g->at.f->values) = (struct gen_value){.type = type, .def = s};
    *VEC_PUSH(g->arena, &g->at.f->quad) = false;
    *VEC_PUSH(g->arena, &g->at.visible) = value;
    grow_note(g, GEN_PHI);
    return value;
}

uint32_t grow_phis(struct grow *g, enum gen_type types[GEN_PHIS_MAX])
{
    const uint16_t weights[] = {60, grow_has(g, GEN_PHI) ? 32 : 0, grow_has(g, GEN_PHI) ? 8 : 0};
    uint32_t n = gen_weighted(g->c, weights, GEN_PHIS_MAX + 1);
    types[0] = gen_chance(g->c, 30) ? TYPE_BOOL : TYPE_U32;
    types[1] = TYPE_U32;
    return n;
}

// Mostly the newest value there is, which is what a phi is for.
const struct gen_expr *grow_phi_operand(struct grow *g, enum gen_type type)
{
    bool newest = gen_chance(g->c, grow_has(g, GEN_OBSERVE_LATER) ? 55 : 0);
    for (size_t i = g->at.visible.n; newest && i-- > 0;) {
        uint32_t v = g->at.visible.v[i];
        if (g->at.f->values.v[v].loose || (type == TYPE_BOOL && g->at.f->values.v[v].type != type))
            continue;
        if (g->at.f->values.v[v].def->kind == STMT_OP)
            grow_note(g, GEN_OBSERVE_LATER);
        return type == TYPE_BOOL ? grow_value(g, v) : grow_value_u32(g, v);
    }
    return type == TYPE_BOOL ? grow_bool(g, 1, 2) : grow_u32(g, 1);
}

void grow_set(struct grow *g, uint32_t var, const struct gen_expr *e)
{
    struct gen_stmt *s = grow_stmt_new(g, STMT_SET);
    s->set.var = var;
    s->set.expr = e;
}

void grow_log(struct grow *g, const struct gen_expr **expr, uint32_t n)
{
    struct gen_stmt *s = grow_stmt_new(g, STMT_LOG);
    s->log.site = ++g->p->sites;
    s->log.n = n;
    s->log.expr = expr;
}

static bool is_plain(const struct grow *g, uint32_t var)
{
    return !g->at.f->vars.v[var].counter && var != g->at.accumulator;
}

// A Private variable that the function does not know yet, as gen_var has it; 0 for none.
static uint32_t pick_common(struct grow *g, uint32_t first)
{
    for (uint32_t k = 0; k < GROW_COMMONS_MAX; k++) {
        bool known = false;
        for (uint32_t i = 0; i < g->at.f->vars.n; i++)
            known = known || g->at.f->vars.v[i].common == k + 1;
        if (known)
            continue;
        if (k == g->p->commons.n)
            *VEC_PUSH(g->arena, &g->p->commons) = first;
        grow_note(g, GEN_PRIVATE);
        return k + 1;
    }
    return 0;
}

uint32_t grow_pick_var(struct grow *g)
{
    uint32_t fit[GROW_VARS_MAX], n = 0;
    for (uint32_t i = 0; i < g->at.f->vars.n; i++)
        if (is_plain(g, i))
            fit[n++] = i;
    uint32_t pick = gen_choose(g->c, 4);
    bool fresh = gen_chance(g->c, 65), room = n < GROW_VARS_MAX - 1;
    if (n && !(fresh && room))
        return fit[pick % n];
    const bool common = gen_chance(g->c, grow_has(g, GEN_PRIVATE) ? 50 : 0);
    *VEC_PUSH(g->arena, &g->at.f->vars) =
        (struct gen_var){.first = pick, .common = common ? pick_common(g, pick) : 0};
    return (uint32_t)g->at.f->vars.n - 1;
}

uint32_t grow_vars(const struct grow *g)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < g->at.f->vars.n; i++)
        n += !g->at.f->vars.v[i].counter;
    return n;
}

// Logs, in one entry, what is pending since `first` and, if wanted, the variables
// of the function as they are. False when there is nothing.
bool grow_log_rest(struct grow *g, size_t first, bool vars)
{
    const uint32_t n = (uint32_t)(g->at.pending.n - first) + (vars ? grow_vars(g) : 0);
    if (n == 0)
        return false;
    const struct gen_expr **v = ARENA_ARRAY(g->arena, const struct gen_expr *, n);
    uint32_t k = 0;
    for (size_t i = first; i < g->at.pending.n; i++)
        v[k++] = grow_value_u32(g, g->at.pending.v[i]);
    for (uint32_t i = 0; vars && i < g->at.f->vars.n; i++)
        if (!g->at.f->vars.v[i].counter)
            v[k++] = grow_var(g, i);
    grow_log(g, v, k);
    return true;
}

static void grow_let(struct grow *g)
{
    bool number = gen_chance(g->c, 30);
    const struct gen_expr *e = number ? grow_small(g, 3, false) : grow_bool(g, 1, 0);
    struct gen_stmt *s = grow_stmt_new(g, STMT_LET);
    s->let.expr = e;
    grow_bind(g, s, e->type);
}

// ---- blocks ----------------------------------------------------------------------------

struct grow_mark grow_open_block(struct grow *g, struct gen_block *b, bool arm)
{
    struct grow_mark m = {.outer = g->at, .arm = arm};
    m.span = gen_span_open(g->c, GEN_SPAN_BLOCK);
    g->at.block = b;
    g->at.depth++;
    return m;
}

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
    const bool whole =
        grow_whole(g) && grow_is_quad(g, s->kind == STMT_IF ? s->branch.cond : s->select.selector);
    struct grow_mark m = grow_open_block(g, arm_of(s, i), true);
    g->at.together = together;
    g->at.whole = whole;
    m.odds = s->kind == STMT_IF ? grow_odds_of(g, s->branch.cond, !i) : grow_odds_of_case(g, s, i);
    m.last = s->kind == STMT_IF ? i > 0 : i + 1 == s->select.n;
    grow_narrow(g, &m.odds);
    return m;
}

void grow_settle(struct grow *g, const struct grow_mark *m)
{
    if (!gen_block_ends(g->at.block))
        grow_log_rest(g, m->outer.pending.n, false);
}

void grow_close_block(struct grow *g, struct grow_mark *m)
{
    const bool left = m->arm && gen_block_ends(g->at.block);
    m->outer.accumulator = g->at.accumulator;
    g->at = m->outer;
    if (left) { // the others are among themselves
        const bool by_lane = m->odds.share == GROW_ALL;
        const bool by_all = m->odds.share == GROW_ALL && m->odds.chance < GROW_ALL;
        const struct grow_odds rest = {by_lane && !by_all ? ~m->odds.lanes : ~(lane_mask)0,
                                       by_lane ? GROW_ALL : GROW_ALL - m->odds.share,
                                       by_all ? GROW_ALL - m->odds.chance : GROW_ALL};
        grow_narrow(g, &rest);
    }
    gen_span_close(g->c, m->span);
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

// Is there enough of the log left for the invocations that return here?
bool grow_can_return(const struct grow *g)
{
    uint32_t vars = grow_vars(g);
    return g->at.may.leave_function && !(g->main && g->at.quiet) &&
           (!g->main || grow_affords(g, vars ? vars : 1));
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

void grow_arm(struct grow *g, struct gen_stmt *s, uint32_t i, uint32_t first, uint32_t percent)
{
    struct grow_mark m = grow_open_arm(g, s, i);
    grow_stmts(g, first, percent);
    grow_close(g, &m);
}

// ---- selections -----------------------------------------------------------------------

bool grow_can_nest(const struct grow *g)
{
    return g->nodes >= 2 && !g->at.straight && g->at.depth < g->profile->depth &&
           grow_expected(g) >= 2 * GROW_ALL;
}

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
    grow_say_test(g, cond);
    return cond;
}

// Blocks are rarely empty: what is drawn here is the share of those that are not,
// and of those that go on.
static void grow_any_if(struct grow *g, bool has_other)
{
    struct gen_stmt *s = grow_if(g, grow_decide(g), has_other);
    enum gen_type types[GEN_PHIS_MAX];
    const uint32_t n = grow_phis(g, types);
    struct gen_phi *phi = s->branch.phi;
    for (uint32_t k = 0; k < n && !has_other; k++)
        phi[k].b = grow_phi_operand(g, types[k]);
    for (uint32_t i = 0; i < 1u + has_other; i++) {
        struct grow_mark m = grow_open_arm(g, s, i);
        grow_stmts(g, i ? 93 : 97, i ? 50 : 60);
        for (uint32_t k = 0; k < n && !gen_block_ends(g->at.block); k++)
            *(i ? &phi[k].b : &phi[k].a) = grow_phi_operand(g, types[k]);
        grow_close(g, &m);
        for (uint32_t k = 0; k < n && gen_block_ends(arm_of(s, i)); k++)
            *(i ? &phi[k].b : &phi[k].a) = NULL;
    }
    if (gen_stmt_ends(s))
        return;
    s->branch.phi_count = n;
    for (uint32_t k = 0; k < n; k++)
        phi[k].value = grow_bind_phi(g, s, types[k]);
    for (uint32_t k = 0; k < n; k++)
        if (gen_chance(g->c, 60) && !gen_block_ends(g->at.block))
            grow_see(g, phi[k].value);
}

static bool can_leave_bare(const struct grow *g)
{
    return grow_has(g, GEN_BARE_EXIT) && grow_has(g, GEN_IF) && !g->at.straight &&
           g->at.depth < g->profile->depth && (g->at.may.leave_loop || g->at.may.next_trip) &&
           grow_expected(g) >= 2 * GROW_ALL;
}

// if (c) break, by the branch itself
static void grow_bare_exit(struct grow *g)
{
    const struct gen_expr *cond = grow_decide(g);
    bool next = gen_chance(g->c, g->at.may.next_trip ? 40 : 0) || !g->at.may.leave_loop;
    struct gen_stmt *s = grow_stmt_new(g, STMT_IF);
    s->branch.cond = cond;
    s->branch.bare = true;
    struct gen_block *outer = g->at.block;
    g->at.block = &s->branch.then;
    grow_stmt_new(g, STMT_LEAVE)->leave.how = next ? LEAVE_CONTINUE : LEAVE_BREAK;
    g->at.block = outer;
    grow_note(g, GEN_IF);
    grow_note(g, GEN_BARE_EXIT);
    grow_note(g, next ? GEN_CONTINUE : GEN_BREAK);
    const struct grow_odds rest = grow_odds_of(g, cond, 0);
    grow_narrow(g, &rest);
}

// ---- one more statement -----------------------------------------------------------------------

enum { OP, LET, SET, IF, ELSE, FOR, DO, INFINITE, SWITCH, CALL, BARE, EXCHANGE, ATOMIC, IDIOMS };
enum { KINDS = IDIOMS + GROW_IDIOM_COUNT };

// Where as many are expected, operations are grown freely: more in programs so large that
// conditions are made of the same numbers many times, and where many conditions lie around,
// of which each may turn out to say what another one has said.
static uint32_t enough_for_ops(const struct grow *g)
{
    const uint32_t deep = g->at.depth > 2 ? g->at.depth - 2 : 0;
    return ((g->o->profile == GEN_LARGE ? 4 : 2) + deep) * GROW_ALL;
}

static void weigh(const struct grow *g, uint16_t weights[KINDS])
{
    memset(weights, 0, KINDS * sizeof *weights);
    const uint16_t *feature = g->swarm.feature;
    const bool nest = grow_can_nest(g), loop = grow_can_loop(g);
    const bool call = grow_can_call(g);
    // Its guard is an if with a break, whatever the swarm says.
    const gen_features guard = GEN_BIT(GEN_IF) | GEN_BIT(GEN_BREAK);
    const bool infinite = (g->o->features & guard) == guard && g->at.depth + 2 <= g->profile->depth;
    const uint32_t expected = grow_expected(g);
    const uint32_t enough = enough_for_ops(g);
    const uint16_t share = expected >= enough       ? 30
                           : expected >= enough / 2 ? 12
                           : g->at.depth > 2        ? 0
                                                    : 3;
    weights[OP] = grow_can_see(g) ? share : 0;
    if (g->weak) // only there is something to compare
        weights[OP] = (uint16_t)(grow_together(g) ? 2 * weights[OP] : (weights[OP] + 2) / 3);
    weights[LET] = 2;
    weights[SET] = 3;
    weights[IF] = nest ? (uint16_t)(5 * feature[GEN_IF]) : 0;
    weights[ELSE] = nest ? (uint16_t)(3 * feature[GEN_ELSE]) : 0;
    weights[FOR] = loop ? (uint16_t)(3 * feature[GEN_FOR]) : 0;
    weights[DO] = loop ? (uint16_t)(2 * feature[GEN_DO_WHILE]) : 0;
    weights[INFINITE] = loop && infinite ? (uint16_t)(2 * feature[GEN_INFINITE]) : 0;
    weights[SWITCH] = nest ? (uint16_t)(5 * feature[GEN_SWITCH]) : 0;
    weights[CALL] = call ? (uint16_t)(2 * (feature[GEN_CALL] + feature[GEN_CALL_VALUE])) : 0;
    weights[BARE] = can_leave_bare(g) ? (uint16_t)(11 * feature[GEN_BARE_EXIT]) : 0;
    if (grow_can_exchange(g))
        weights[EXCHANGE] = (uint16_t)(7 * (feature[GEN_SHARED] + feature[GEN_THROUGH_BUFFER]));
    weights[ATOMIC] = (uint16_t)(g->ops ? 3 * feature[GEN_ATOMIC] : 0);
    for (uint32_t i = 0; i < GROW_IDIOM_COUNT; i++)
        weights[IDIOMS + i] =
            g->swarm.idiom[i] && grow_can_idiom(g, (enum grow_idiom)i) ? g->swarm.idiom[i] : 0;
    if (g->first == GROW_IDIOM_COUNT || !g->main)
        return;
    // The shape to begin with, now and then in a loop, in which it has its next chance.
    const bool here = grow_can_idiom(g, g->first);
    if (here)
        weights[IDIOMS + g->first] = 3000;
    if (loop && feature[GEN_FOR])
        weights[FOR] = here ? 400 : 3000;
}

static void grow_any_stmt(struct grow *g)
{
    uint16_t weights[KINDS];
    weigh(g, weights);
    uint32_t kind = gen_weighted(g->c, weights, KINDS);
    if (g->main && kind != FOR)
        g->first = GROW_IDIOM_COUNT;
    switch (kind) {
    case OP:
        grow_op(g, NULL);
        break;
    case LET:
        grow_let(g);
        break;
    case SET: {
        uint32_t var = grow_pick_var(g);
        grow_set(g, var, grow_u32(g, 2));
        break;
    }
    case IF:
    case ELSE:
        grow_any_if(g, kind == ELSE);
        break;
    case FOR:
        grow_any_loop(g, LOOP_FOR);
        break;
    case DO:
        grow_any_loop(g, LOOP_DO);
        break;
    case INFINITE:
        grow_any_loop(g, LOOP_INFINITE);
        break;
    case SWITCH:
        grow_switch(g);
        break;
    case CALL:
        grow_any_call(g);
        break;
    case BARE:
        grow_bare_exit(g);
        break;
    case EXCHANGE:
        grow_exchange(g);
        break;
    case ATOMIC:
        grow_atomic(g);
        break;
    default:
        grow_idiom(g, (enum grow_idiom)(kind - IDIOMS));
    }
}

void grow_stmts(struct grow *g, uint32_t first, uint32_t percent)
{
    for (bool more = true; more; first = percent) {
        grow_refrain(g);
        uint32_t span = gen_span_open(g->c, GEN_SPAN_STMT);
        // Where hardly anyone comes, hardly anything is grown.
        uint32_t likely = grow_expected(g) >= enough_for_ops(g) / 2 ? first : first / 4;
        more = gen_chance(g->c, g->nodes > 0 && !gen_block_ends(g->at.block) ? likely : 0);
        if (more) {
            grow_any_stmt(g);
            gen_span_close(g->c, span);
        } else {
            gen_span_drop(g->c, span);
        }
    }
}
