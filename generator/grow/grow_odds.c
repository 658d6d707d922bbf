// SPDX-License-Identifier: Apache-2.0
//
// Estimates which invocations reach a place, so that little is grown where few or none arrive. It
// computes the lanes exactly for conditions that depend on the lane alone; for other conditions it
// estimates a fraction, in 1/GROW_ALL. Correctness does not depend on it.
#include "grow_state.h"

// Evaluates an expression that depends on the lane alone. False if it depends on anything else.
static bool of_lane(const struct grow *g, const struct gen_expr *e, uint32_t lane, uint32_t *out)
{
    uint32_t a = 0, b = 0;
    switch (e->kind) {
    case EXPR_CONST:
        *out = e->n;
        return true;
    case EXPR_LANE:
        *out = lane;
        return true;
    case EXPR_VALUE: {
        const struct gen_stmt *def = g->at.f->values.v[e->n].def;
        return def->kind == STMT_LET && of_lane(g, def->let.expr, lane, out);
    }
    default:
        break;
    }
    if (e->kind < EXPR_ALU_FIRST || e->arg[2] || !of_lane(g, e->arg[0], lane, &a) ||
        (e->arg[1] && !of_lane(g, e->arg[1], lane, &b)))
        return false;
    switch (e->kind) {
    case EXPR_AND:
        *out = a & b;
        return true;
    case EXPR_SHR:
        *out = a >> b;
        return true;
    case EXPR_MOD:
        *out = a % b;
        return true;
    case EXPR_EQ:
        *out = a == b;
        return true;
    case EXPR_NE:
        *out = a != b;
        return true;
    case EXPR_LT:
        *out = a < b;
        return true;
    case EXPR_GE:
        *out = a >= b;
        return true;
    case EXPR_BOTH:
        *out = a & b;
        return true;
    case EXPR_EITHER:
        *out = a | b;
        return true;
    case EXPR_NEITHER:
        *out = !a;
        return true;
    default:
        return false;
    }
}

// True if an expression is probably uniform in a tangle.
static bool is_uniform(const struct grow *g, const struct gen_expr *e)
{
    switch (e->kind) {
    case EXPR_CONST:
    case EXPR_INPUT_AT:
    case EXPR_GROUP:
    case EXPR_SUBGROUP:
        return true;
    case EXPR_VAR:
        return g->at.f->vars.v[e->n].counter;
    case EXPR_WORD:
        return true;
    case EXPR_VALUE: {
        const struct gen_stmt *def = g->at.f->values.v[e->n].def;
        if (def->kind == STMT_LET)
            return is_uniform(g, def->let.expr);
        if (def->kind != STMT_OP)
            return false;
        const struct gen_group_row *row = gen_group_row(def->op.op);
        return row->group == OVER_REDUCE || def->op.op == GROUP_ALL || def->op.op == GROUP_ANY ||
               def->op.op == GROUP_ALL_EQUAL || def->op.op == GROUP_FIRST ||
               def->op.op == GROUP_FIND_FIRST || def->op.op == GROUP_FIND_LAST;
    }
    default:
        break;
    }
    if (e->kind < EXPR_ALU_FIRST)
        return false;
    for (int i = 0; i < 3 && e->arg[i]; i++)
        if (!is_uniform(g, e->arg[i]))
            return false;
    return true;
}

static uint32_t share_of(const struct grow *g, const struct gen_expr *e);

static uint32_t share_of_value(const struct grow *g, const struct gen_expr *e)
{
    const struct gen_stmt *def = g->at.f->values.v[e->n].def;
    if (def->kind == STMT_LET)
        return share_of(g, def->let.expr);
    if (def->kind != STMT_OP)
        return GROW_ALL / 2;
    switch (def->op.op) {
    case GROUP_ELECT:
        return GROW_ALL / g->o->subgroup;
    case GROUP_ALL:
    case GROUP_ALL_EQUAL:
        return GROW_ALL / 4;
    case GROUP_ANY:
        return GROW_ALL / 4 * 3;
    default:
        return GROW_ALL / 2;
    }
}

static uint32_t share_of(const struct grow *g, const struct gen_expr *e)
{
    switch (e->kind) {
    case EXPR_CONST:
        return e->n ? GROW_ALL : 0;
    case EXPR_HELPER:
        return GROW_ALL / 4;
    case EXPR_FREE:
        return GROW_ALL / 4 * 3;
    case EXPR_VALUE:
        return share_of_value(g, e);
    case EXPR_EQ:
    case EXPR_NE: {
        uint32_t range = gen_expr_max(g->p, e->arg[0]), equal = GROW_ALL / 4;
        if (range < 16)
            equal = GROW_ALL / (range + 1);
        return e->kind == EXPR_EQ ? equal : GROW_ALL - equal;
    }
    case EXPR_NEITHER:
        return GROW_ALL - share_of(g, e->arg[0]);
    case EXPR_EITHER:
        return GROW_ALL / 4 * 3;
    default:
        return GROW_ALL / 2;
    }
}

struct grow_odds grow_odds_of(const struct grow *g, const struct gen_expr *e, uint32_t value)
{
    struct grow_odds odds = {0, GROW_ALL, GROW_ALL};
    uint32_t v = 0;
    if (of_lane(g, e, 0, &v)) {
        for (uint32_t lane = 0; lane < g->o->subgroup; lane++)
            if (of_lane(g, e, lane, &v) && v == value)
                odds.lanes |= lane_bit(lane);
        return odds;
    }
    odds.lanes = lanes_below(g->o->subgroup);
    if (e->kind == EXPR_BOTH && value) {
        struct grow_odds a = grow_odds_of(g, e->arg[0], 1), b = grow_odds_of(g, e->arg[1], 1);
        odds.lanes = a.lanes & b.lanes;
        odds.share = (uint32_t)((uint64_t)a.share * b.share / GROW_ALL);
        odds.chance = (uint32_t)((uint64_t)a.chance * b.chance / GROW_ALL);
        return odds;
    } else if (e->type == TYPE_BOOL) {
        odds.share = value ? share_of(g, e) : GROW_ALL - share_of(g, e);
    } else {
        odds.share = GROW_ALL / (1 + gen_expr_max(g->p, e));
    }
    if (is_uniform(g, e)) { // all invocations or none
        odds.chance = odds.share;
        odds.share = GROW_ALL;
    }
    return odds;
}

struct grow_odds grow_odds_of_case(const struct grow *g, const struct gen_stmt *s, uint32_t i)
{
    struct grow_odds odds = {0, 0, 0};
    const uint32_t values = gen_case_values(g->p, s, i);
    for (uint32_t v = 0; v < 32; v++)
        if (values >> v & 1) {
            const struct grow_odds one = grow_odds_of(g, s->select.selector, v);
            odds.lanes |= one.lanes;
            odds.share += one.share;
            odds.chance += one.chance;
        }
    if (i > 0 && s->select.at[i - 1].falls) {
        const struct grow_odds before = grow_odds_of_case(g, s, i - 1);
        odds.lanes |= before.lanes;
        odds.share += before.share;
        odds.chance += before.chance;
    }
    odds.share = odds.share > GROW_ALL ? GROW_ALL : odds.share;
    odds.chance = odds.chance > GROW_ALL ? GROW_ALL : odds.chance;
    return odds;
}

void grow_narrow(struct grow *g, const struct grow_odds *odds)
{
    g->at.odds.lanes &= odds->lanes;
    g->at.odds.share = (uint32_t)((uint64_t)g->at.odds.share * odds->share / GROW_ALL);
    g->at.odds.chance = (uint32_t)((uint64_t)g->at.odds.chance * odds->chance / GROW_ALL);
    // Conditions read the same few numbers repeatedly, so they are not independent. The estimate
    // falls with the nesting depth.
    if (odds->share < GROW_ALL)
        g->at.odds.share = g->at.depth > 2 ? g->at.odds.share / 2 : g->at.odds.share / 4 * 3;
}

uint32_t grow_expected(const struct grow *g)
{
    uint32_t n = lane_count(g->at.odds.lanes);
    // Inputs repeat, so more invocations do not mean more distinct values.
    if (g->at.odds.share < GROW_ALL && n > 8)
        n = 8;
    n *= g->at.odds.share;
    if (g->at.odds.chance * 2 < GROW_ALL)
        return n / 8;
    // In nested blocks, multiplies by the probability that any invocation enters.
    return g->at.depth > 1 ? (uint32_t)((uint64_t)n * g->at.odds.chance / GROW_ALL) : n;
}
