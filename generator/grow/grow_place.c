// SPDX-License-Identifier: Apache-2.0
//
// The current place of growth: adding single statements, binding values, variables, the log budget,
// opening and closing blocks.
#include "grow_state.h"

bool grow_affords(const struct grow *g, uint32_t n)
{
    return g->words >= g->at.times * (n + 1);
}

void grow_pay(struct grow *g, uint32_t n)
{
    CHECK(grow_affords(g, n));
    g->words -= g->at.times * (n + 1);
}

// ---- single statements ------------------------------------------------------------------

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

static uint32_t new_value(struct grow *g, const struct gen_stmt *s, enum gen_type type)
{
    const uint32_t value = (uint32_t)g->at.f->values.n;
    *VEC_PUSH(g->arena, &g->at.f->values) = (struct gen_value){.type = type, .def = s};
    *VEC_PUSH(g->arena, &g->at.f->quad) = false;
    *VEC_PUSH(g->arena, &g->at.visible) = value;
    return value;
}

uint32_t grow_bind(struct grow *g, struct gen_stmt *s, enum gen_type type)
{
    return s->value = new_value(g, s, type);
}

uint32_t grow_bind_phi(struct grow *g, const struct gen_stmt *s, enum gen_type type)
{
    grow_note(g, GEN_PHI);
    return new_value(g, s, type);
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

void grow_log_one(struct grow *g, const struct gen_expr *e)
{
    const struct gen_expr **v = ARENA_NEW(g->arena, const struct gen_expr *);
    *v = e;
    grow_pay(g, 1);
    grow_log(g, v, 1);
}

// ---- variables --------------------------------------------------------------------------

static bool is_plain(const struct grow *g, uint32_t var)
{
    return !g->at.f->vars.v[var].counter && var != g->at.accumulator;
}

// Returns a Private variable that the function does not use yet, in the encoding of gen_var.common;
// 0 if there is none.
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

// ---- blocks -----------------------------------------------------------------------------

struct grow_exits grow_bar(struct grow *g)
{
    struct grow_exits exits = g->at.may;
    g->at.may = (struct grow_exits){0};
    return exits;
}

bool grow_can_nest(const struct grow *g)
{
    return g->nodes >= 2 && !g->at.straight && g->at.depth < g->profile->depth &&
           grow_expected(g) >= 2 * GROW_ALL;
}

struct grow_mark grow_open_block(struct grow *g, struct gen_block *b, bool arm)
{
    struct grow_mark m = {.outer = g->at, .arm = arm};
    m.span = gen_span_open(g->c, GEN_SPAN_BLOCK);
    g->at.block = b;
    g->at.depth++;
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
    if (left) { // only the invocations of the other arms continue
        const bool by_lane = m->odds.share == GROW_ALL;
        const bool by_all = m->odds.share == GROW_ALL && m->odds.chance < GROW_ALL;
        const struct grow_odds rest = {by_lane && !by_all ? ~m->odds.lanes : ~(lane_mask)0,
                                       by_lane ? GROW_ALL : GROW_ALL - m->odds.share,
                                       by_all ? GROW_ALL - m->odds.chance : GROW_ALL};
        grow_narrow(g, &rest);
    }
    gen_span_close(g->c, m->span);
}
