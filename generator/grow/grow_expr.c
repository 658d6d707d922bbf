// SPDX-License-Identifier: Apache-2.0
//
// Expressions. All of them are total: shift amounts and divisors are constants in range. Conditions
// are chosen so that they split the tangle: by lane, by input bit, by counter.
#include "grow_state.h"

const struct gen_expr *grow_leaf(struct grow *g, enum gen_expr_kind kind, enum gen_type type,
                                 uint32_t n)
{
    struct gen_expr *e = ARENA_NEW(g->arena, struct gen_expr);
    *e = (struct gen_expr){.kind = kind, .type = type, .n = n};
    g->at.f->uses |= 1u << kind;
    return e;
}

const struct gen_expr *grow_const(struct grow *g, uint32_t n)
{
    return grow_leaf(g, EXPR_CONST, TYPE_U32, n);
}

const struct gen_expr *grow_const_bool(struct grow *g, bool yes)
{
    return grow_leaf(g, EXPR_CONST, TYPE_BOOL, yes);
}

const struct gen_expr *grow_var(struct grow *g, uint32_t var)
{
    return grow_leaf(g, EXPR_VAR, TYPE_U32, var);
}

const struct gen_expr *grow_value(struct grow *g, uint32_t value)
{
    return grow_leaf(g, EXPR_VALUE, g->at.f->values.v[value].type, value);
}

static const struct gen_expr *alu(struct grow *g, enum gen_expr_kind kind, const struct gen_expr *a,
                                  const struct gen_expr *b, const struct gen_expr *c)
{
    struct gen_expr *e = ARENA_NEW(g->arena, struct gen_expr);
    *e = (struct gen_expr){.kind = kind, .type = gen_alu(kind)->type, .arg = {a, b, c}};
    return e;
}

const struct gen_expr *grow_alu(struct grow *g, enum gen_expr_kind kind, const struct gen_expr *a,
                                const struct gen_expr *b)
{
    return alu(g, kind, a, b, NULL);
}

const struct gen_expr *grow_select(struct grow *g, const struct gen_expr *c,
                                   const struct gen_expr *a, const struct gen_expr *b)
{
    return alu(g, EXPR_SELECT, c, a, b);
}

const struct gen_expr *grow_word(struct grow *g, uint32_t value, uint32_t word)
{
    struct gen_expr *e = ARENA_NEW(g->arena, struct gen_expr);
    *e = (struct gen_expr){.kind = EXPR_WORD, .type = TYPE_U32, .n = word};
    e->arg[0] = grow_value(g, value);
    g->at.f->uses |= 1u << EXPR_WORD;
    return e;
}

const struct gen_expr *grow_value_u32(struct grow *g, uint32_t value)
{
    const struct gen_expr *v = grow_value(g, value);
    if (v->type == TYPE_BOOL)
        return grow_select(g, v, grow_const(g, 1), grow_const(g, 0));
    if (v->type != TYPE_BALLOT)
        return v;
    // Picks a word that a subgroup of this size can fill, occasionally the next one.
    uint32_t words = (g->o->subgroup + 31) / 32, word = gen_choose(g->c, 4);
    bool beyond = gen_chance(g->c, 4);
    return grow_word(g, value, word % (words + (beyond && words < 4)));
}

// True if the value may be used in the current expression. Results of operations and calls need the
// matching observation feature.
static bool usable(const struct grow *g, uint32_t value)
{
    enum gen_stmt_kind def = g->at.f->values.v[value].def->kind;
    if (g->at.f->values.v[value].not_guaranteed)
        return false;
    return def == STMT_LET || grow_has(g, g->deciding ? GEN_OBSERVE_BRANCH : GEN_OBSERVE_FOLD);
}

// Picks a visible value of one of the types (bits), newest first; GROW_NONE if there is none.
static uint32_t pick_value(struct grow *g, unsigned types)
{
    uint32_t fit[16], n = 0;
    for (size_t i = g->at.visible.n; i-- > 0 && n < 16;) {
        uint32_t v = g->at.visible.v[i];
        if ((types >> g->at.f->values.v[v].type & 1) && usable(g, v))
            fit[n++] = v;
    }
    uint32_t pick = gen_choose(g->c, 16);
    if (n == 0)
        return GROW_NONE;
    uint32_t v = fit[pick % n];
    if (g->at.f->values.v[v].def->kind != STMT_LET)
        grow_note(g, g->deciding ? GEN_OBSERVE_BRANCH : GEN_OBSERVE_FOLD);
    return v;
}

static bool has_value(const struct grow *g, unsigned types)
{
    for (size_t i = 0; i < g->at.visible.n; i++) {
        uint32_t v = g->at.visible.v[i];
        if ((types >> g->at.f->values.v[v].type & 1) && usable(g, v))
            return true;
    }
    return false;
}

// Picks a parameter of the type; GROW_NONE if there is none.
static uint32_t pick_param(const struct grow *g, enum gen_type type, uint32_t pick)
{
    uint32_t fit[GEN_PARAMS_MAX], n = 0;
    for (uint32_t i = 0; i < g->at.f->param_count; i++)
        if (g->at.f->param[i] == type)
            fit[n++] = i;
    return n ? fit[pick % n] : GROW_NONE;
}

// ---- numbers ---------------------------------------------------------------------

static const struct gen_expr *any_const(struct grow *g)
{
    static const uint32_t odd[] = {0xffffffff, 0x80000000, 0x7fffffff, 0x55555555,
                                   0xffff,     0x10000,    31,         0xdeadbeef};
    static const uint16_t weights[] = {8, 2, 1};
    uint32_t kind = gen_weighted(g->c, weights, 3), n = gen_choose(g->c, 8);
    const uint32_t near[] = {g->o->subgroup - 1, g->o->subgroup, g->o->subgroup / 2};
    return grow_const(g, kind == 0 ? n : kind == 1 ? near[n % 3] : odd[n]);
}

static const struct gen_expr *uniform_input(struct grow *g)
{
    return grow_leaf(g, EXPR_INPUT_AT, TYPE_U32, gen_choose(g->c, 16) % g->p->input_words);
}

uint32_t grow_number_below(struct grow *g, uint32_t below)
{
    enum { LOW, ANY, MIDDLE, BEFORE_MIDDLE, LAST, POWER, KINDS };
    static const uint16_t weights[KINDS] = {6, 6, 3, 2, 2, 4};
    const uint32_t kind = gen_weighted(g->c, weights, KINDS), n = gen_choose(g->c, LANES_MAX);
    switch (kind) {
    case LOW:
        return n % (below < 8 ? below : 8);
    case MIDDLE:
        return below / 2;
    case BEFORE_MIDDLE:
        return (below - 1) / 2;
    case LAST:
        return below - 1;
    case POWER:
        return (1u << n % 7) % below;
    default:
        return n % below;
    }
}

const struct gen_expr *grow_lane(struct grow *g)
{
    return grow_leaf(g, EXPR_LANE, TYPE_U32, 0);
}

const struct gen_expr *grow_own(struct grow *g)
{
    return grow_leaf(g, EXPR_INPUT_OWN, TYPE_U32, 0);
}

const struct gen_expr *grow_uniform_at(struct grow *g, uint32_t n)
{
    return grow_leaf(g, EXPR_INPUT_AT, TYPE_U32, n);
}

const struct gen_expr *grow_group(struct grow *g)
{
    return grow_leaf(g, EXPR_GROUP, TYPE_U32, 0);
}

const struct gen_expr *grow_uniform(struct grow *g)
{
    const struct gen_expr *e = uniform_input(g);
    return gen_chance(g->c, 30) ? any_const(g) : e;
}

// `own`: a number that may differ between lanes, to be compared with a uniform one.
static const struct gen_expr *u32_leaf(struct grow *g, bool own)
{
    enum {
        CONST,
        LANE,
        OWN,
        HERE,
        UNIFORM,
        LOCAL,
        GLOBAL,
        GROUP,
        SUBGROUP,
        COUNTER,
        VAR,
        VALUE,
        PARAM,
        KINDS
    };
    const struct grow_place *at = &g->at;
    const unsigned types = 1u << TYPE_U32 | 1u << TYPE_BOOL | 1u << TYPE_BALLOT;
    const uint16_t weights[KINDS] = {
        [CONST] = own ? 0 : 3,
        [LANE] = 5,
        [OWN] = 5,
        [HERE] = 1,
        [UNIFORM] = own ? 0 : 1,
        [LOCAL] = 1,
        [GLOBAL] = 1,
        [GROUP] = g->p->groups > 1 ? 2 : 0,
        [SUBGROUP] = gen_local_subgroups(g->p) > 1 ? 1 : 0,
        [COUNTER] = at->counters.n && !own ? 6 : 0,
        [VAR] = at->f->vars.n ? 4 : 0,
        [VALUE] = has_value(g, types) ? 5 : 0,
        [PARAM] = pick_param(g, TYPE_U32, 0) != GROW_NONE ? 5 : 0,
    };
    switch (gen_weighted(g->c, weights, KINDS)) {
    case LANE:
        return grow_lane(g);
    case OWN:
        return grow_own(g);
    case HERE:
        return grow_leaf(g, EXPR_INPUT_HERE, TYPE_U32, 0);
    case SUBGROUP:
        return grow_leaf(g, EXPR_SUBGROUP, TYPE_U32, 0);
    case UNIFORM:
        return uniform_input(g);
    case LOCAL:
        return grow_leaf(g, EXPR_LOCAL, TYPE_U32, 0);
    case GLOBAL:
        return grow_leaf(g, EXPR_GLOBAL, TYPE_U32, 0);
    case GROUP:
        return grow_group(g);
    case COUNTER:
        return grow_var(g,
                        at->counters.v[at->counters.n - 1 - gen_choose(g->c, 4) % at->counters.n]);
    case VAR:
        return grow_var(g, gen_choose(g->c, 8) % (uint32_t)at->f->vars.n);
    case VALUE:
        return grow_value_u32(g, pick_value(g, types));
    case PARAM:
        return grow_leaf(g, EXPR_PARAM, TYPE_U32, pick_param(g, TYPE_U32, gen_choose(g->c, 4)));
    default:
        return any_const(g);
    }
}

const struct gen_expr *grow_u32(struct grow *g, uint32_t depth)
{
    enum { LEAF, ADD, XOR, MUL, SUB, AND, OR, MASK, SHL, SHR, MOD, NOT, SELECT, KINDS };
    static const uint16_t weights[KINDS] = {
        [LEAF] = 24, [ADD] = 3, [XOR] = 2, [MUL] = 2, [SUB] = 1, [AND] = 1,   [OR] = 1,
        [MASK] = 4,  [SHL] = 1, [SHR] = 2, [MOD] = 1, [NOT] = 1, [SELECT] = 2};
    static const enum gen_expr_kind kinds[KINDS] = {
        [ADD] = EXPR_ADD, [XOR] = EXPR_XOR, [MUL] = EXPR_MUL,  [SUB] = EXPR_SUB,
        [AND] = EXPR_AND, [OR] = EXPR_OR,   [MASK] = EXPR_AND, [SHL] = EXPR_SHL,
        [SHR] = EXPR_SHR, [MOD] = EXPR_MOD, [NOT] = EXPR_NOT};
    static const uint16_t only_leaf[KINDS] = {[LEAF] = 1};
    uint32_t kind = gen_weighted(g->c, depth ? weights : only_leaf, KINDS);
    if (kind == LEAF)
        return u32_leaf(g, false);
    if (kind == SELECT) {
        const struct gen_expr *c = grow_bool(g, depth - 1, 0), *a = grow_u32(g, depth - 1);
        return grow_select(g, c, a, grow_u32(g, depth - 1));
    }
    const struct gen_expr *a = grow_u32(g, depth - 1);
    switch (kind) {
    case NOT:
        return grow_alu(g, EXPR_NOT, a, NULL);
    case MASK:
        return grow_alu(g, EXPR_AND, a, grow_const(g, (2u << gen_choose(g->c, 4)) - 1));
    case SHL:
    case SHR:
        return grow_alu(g, kinds[kind], a, grow_const(g, gen_choose(g->c, 32)));
    case MOD:
        return grow_alu(g, EXPR_MOD, a, grow_const(g, 1 + gen_choose(g->c, 7)));
    default:
        return grow_alu(g, kinds[kind], a, grow_u32(g, depth - 1));
    }
}

// Draws how far to shift an input word before reading its lowest bits. Small inputs have few bits,
// random ones 32.
static uint32_t input_shift(struct grow *g)
{
    static const uint8_t by[] = {0, 1, 2, 3, 0, 1, 2, 4, 5, 6, 7, 8, 10, 13, 16, 24};
    return by[gen_choose(g->c, 16)];
}

const struct gen_expr *grow_small(struct grow *g, uint32_t most, bool uniform)
{
    const struct gen_expr *e = uniform ? uniform_input(g) : u32_leaf(g, true);
    // Also reads higher bits, since one input word decides many things.
    uint32_t by = input_shift(g);
    bool many_bits =
        e->kind == EXPR_INPUT_OWN || e->kind == EXPR_INPUT_AT || e->kind == EXPR_INPUT_HERE;
    if (by && many_bits)
        e = grow_alu(g, EXPR_SHR, e, grow_const(g, by));
    return grow_alu(g, EXPR_AND, e, grow_const(g, most));
}

// ---- conditions ------------------------------------------------------------------

// Returns a lane that may reach this place.
static uint32_t some_lane(struct grow *g)
{
    lane_mask lanes = g->at.odds.lanes;
    uint32_t pick = gen_choose(g->c, LANES_MAX), n = lane_count(lanes);
    if (!n)
        return pick % g->o->subgroup;
    for (pick %= n; pick; pick--)
        lanes &= lanes - 1;
    return lane_first(lanes);
}

// (e & m) == k or (e & m) != k, where k has only bits of m.
static const struct gen_expr *bits_test(struct grow *g, const struct gen_expr *e)
{
    static const uint8_t masks[] = {1, 1, 2, 3, 3, 4, 5, 6};
    uint32_t m = masks[gen_choose(g->c, 8)], k = gen_choose(g->c, 8) & m;
    // With few invocations, prefers a test that most of them pass.
    bool other = gen_chance(g->c, grow_expected(g) < 3 * GROW_ALL ? 65 : 35);
    return grow_alu(g, other ? EXPR_NE : EXPR_EQ, grow_alu(g, EXPR_AND, e, grow_const(g, m)),
                    grow_const(g, k));
}

const struct gen_expr *grow_test(struct grow *g, const struct gen_expr *e)
{
    return bits_test(g, e);
}

const struct gen_expr *grow_uniform_test(struct grow *g)
{
    const struct gen_expr *e = uniform_input(g);
    return bits_test(g, grow_alu(g, EXPR_SHR, e, grow_const(g, input_shift(g))));
}

// Returns the percentage for negating a bool. A bool that is mostly true splits nothing, and the
// code under its negation would otherwise be dead.
static uint32_t negate(const struct gen_stmt *def)
{
    if (def->kind != STMT_OP)
        return 40;
    return def->op.op == GROUP_ALL || def->op.op == GROUP_ALL_EQUAL ? 70 : 25;
}

const struct gen_expr *grow_value_test(struct grow *g, uint32_t value)
{
    const struct gen_value *v = &g->at.f->values.v[value];
    bool other = gen_chance(g->c, v->type == TYPE_BOOL ? negate(v->def) : 75);
    if (v->type == TYPE_BOOL) {
        const struct gen_expr *e = grow_value(g, value);
        return other ? grow_alu(g, EXPR_NEITHER, e, NULL) : e;
    }
    const struct gen_expr *e = grow_value_u32(g, value);
    if (!other)
        return bits_test(g, e);
    // Most results are uniform in the tangle: combining them with the lane splits it.
    const struct gen_expr *lane = grow_lane(g);
    if (v->type == TYPE_BALLOT)
        e = grow_alu(g, EXPR_SHR, e, grow_alu(g, EXPR_AND, lane, grow_const(g, 31)));
    else
        e = grow_alu(g, EXPR_ADD, e, lane);
    return bits_test(g, e);
}

const struct gen_expr *grow_lane_test(struct grow *g)
{
    enum { LESS, BITS, IS, IS_NOT, KINDS };
    static const uint16_t weights[KINDS] = {6, 7, 2, 2};
    const struct gen_expr *lane = grow_lane(g);
    const uint32_t half = g->o->subgroup / 2;
    const uint32_t masks[] = {1, 1, 2, 3, 3, 4, 5, 6, half, half, half / 2, half | 1};
    uint32_t kind = gen_weighted(g->c, weights, KINDS), k = some_lane(g);
    uint32_t m = masks[gen_choose(g->c, 12)];
    bool other = gen_chance(g->c, 30);
    switch (kind) {
    case LESS: // neither empty nor all lanes, except for the last lane
        return grow_alu(g, other ? EXPR_GE : EXPR_LT, lane,
                        grow_const(g, other && !k ? 1 : k + !other));
    case BITS:
        return grow_alu(g, other ? EXPR_NE : EXPR_EQ, grow_alu(g, EXPR_AND, lane, grow_const(g, m)),
                        grow_const(g, k & m));
    default:
        return grow_alu(g, kind == IS ? EXPR_EQ : EXPR_NE, lane, grow_const(g, k));
    }
}

// Compares a counter, or another number, with a number per lane.
static const struct gen_expr *compare(struct grow *g)
{
    static const enum gen_expr_kind kinds[] = {EXPR_EQ, EXPR_LT, EXPR_GE, EXPR_NE};
    static const uint16_t odds[] = {3, 3, 2, 3};
    enum gen_expr_kind kind = kinds[gen_weighted(g->c, odds, 4)];
    const struct grow_place *at = &g->at;
    uint32_t pick = gen_choose(g->c, 4);
    const struct gen_expr *a =
        at->counters.n ? grow_var(g, at->counters.v[at->counters.n - 1 - pick % at->counters.n])
                       : grow_small(g, 3, false);
    return grow_alu(g, kind, a, grow_small(g, 3, false));
}

const struct gen_expr *grow_bool(struct grow *g, uint32_t depth, uint32_t fixed)
{
    enum { CONST, LANE, INPUT, UNIFORM, COMPARE, NUMBER, VALUE, PARAM, BOTH, EITHER, KINDS };
    const uint16_t weights[KINDS] = {
        [CONST] = (uint16_t)fixed,
        [LANE] = 30,
        [INPUT] = 22,
        [UNIFORM] = 2,
        [COMPARE] = g->at.counters.n ? 22 : 5,
        [NUMBER] = 8,
        [VALUE] = has_value(g, 1u << TYPE_BOOL) ? 25 : 0,
        [PARAM] = pick_param(g, TYPE_BOOL, 0) != GROW_NONE ? 15 : 0,
        [BOTH] = depth ? 2 : 0,
        [EITHER] = depth ? 3 : 0,
    };
    switch (gen_weighted(g->c, weights, KINDS)) {
    case LANE:
        return grow_lane_test(g);
    case INPUT:
        return bits_test(g, grow_alu(g, EXPR_SHR, grow_own(g), grow_const(g, input_shift(g))));
    case UNIFORM:
        return grow_uniform_test(g);
    case COMPARE:
        return compare(g);
    case NUMBER:
        return bits_test(g, grow_u32(g, depth ? depth - 1 : 0));
    case VALUE:
        return grow_value_test(g, pick_value(g, 1u << TYPE_BOOL));
    case PARAM:
        return grow_leaf(g, EXPR_PARAM, TYPE_BOOL, pick_param(g, TYPE_BOOL, gen_choose(g->c, 4)));
    case BOTH: {
        const struct gen_expr *a = grow_bool(g, depth - 1, 0);
        return grow_alu(g, EXPR_BOTH, a, grow_bool(g, depth - 1, 0));
    }
    case EITHER: {
        const struct gen_expr *a = grow_bool(g, depth - 1, 0);
        return grow_alu(g, EXPR_EITHER, a, grow_bool(g, depth - 1, 0));
    }
    default:
        return grow_const_bool(g, !gen_chance(g->c, 15));
    }
}
