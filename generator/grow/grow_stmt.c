// SPDX-License-Identifier: Apache-2.0
//
// Draws and grows one statement of any kind: which kinds are possible here, with which weights.
#include "grow_shapes.h"

#include <string.h>

static void grow_let(struct grow *g)
{
    bool number = gen_chance(g->c, 30);
    const struct gen_expr *e = number ? grow_small(g, 3, false) : grow_bool(g, 1, 0);
    struct gen_stmt *s = grow_stmt_new(g, STMT_LET);
    s->let.expr = e;
    grow_bind(g, s, e->type);
}

// Most blocks are not empty: the percentages below are for a first statement, and for each further
// one.
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
        for (uint32_t k = 0; k < n && gen_block_ends(gen_stmt_block(s, i)); k++)
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

// if (c) break, without a merge instruction
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

// ---- one more statement -----------------------------------------------------------------

enum { OP, LET, SET, IF, ELSE, FOR, DO, INFINITE, SWITCH, CALL, BARE, EXCHANGE, ATOMIC, PATTERNS };
enum { KINDS = PATTERNS + GROW_PATTERN_COUNT };

// Returns the expected number of invocations above which operations are grown freely. It is higher
// in large programs, whose conditions use the same numbers many times, and under many nested
// conditions, as one of them may repeat or contradict another.
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
    // The guard is an if with a break, so both must be requested; the swarm does not matter.
    const gen_features guard = GEN_BIT(GEN_IF) | GEN_BIT(GEN_BREAK);
    const bool infinite = (g->o->features & guard) == guard && g->at.depth + 2 <= g->profile->depth;
    const uint32_t expected = grow_expected(g);
    const uint32_t enough = enough_for_ops(g);
    const uint16_t share = expected >= enough       ? 30
                           : expected >= enough / 2 ? 12
                           : g->at.depth > 2        ? 0
                                                    : 3;
    weights[OP] = grow_can_see(g) ? share : 0;
    if (g->weak) // results are fully comparable only where all invocations are converged
        weights[OP] = (uint16_t)(grow_together(g) ? 2 * weights[OP] : (weights[OP] + 2) / 3);
    weights[LET] = 2;
    weights[SET] = 3;
    weights[IF] = nest ? (uint16_t)(5 * feature[GEN_IF]) : 0;
    weights[ELSE] = nest ? (uint16_t)(3 * feature[GEN_ELSE]) : 0;
    weights[FOR] = loop ? (uint16_t)(3 * feature[GEN_FOR]) : 0;
    weights[DO] = loop ? (uint16_t)(3 * feature[GEN_DO_WHILE]) : 0;
    weights[INFINITE] = loop && infinite ? (uint16_t)(2 * feature[GEN_INFINITE]) : 0;
    weights[SWITCH] = nest ? (uint16_t)(6 * feature[GEN_SWITCH]) : 0;
    weights[CALL] = call ? (uint16_t)(2 * (feature[GEN_CALL] + feature[GEN_CALL_VALUE])) : 0;
    weights[BARE] = can_leave_bare(g) ? (uint16_t)(11 * feature[GEN_BARE_EXIT]) : 0;
    if (grow_can_exchange(g))
        weights[EXCHANGE] = (uint16_t)(10 * (feature[GEN_SHARED] + feature[GEN_THROUGH_BUFFER]));
    weights[ATOMIC] = (uint16_t)(g->ops ? 3 * feature[GEN_ATOMIC] : 0);
    for (uint32_t i = 0; i < GROW_PATTERN_COUNT; i++)
        weights[PATTERNS + i] = g->swarm.pattern[i] && grow_can_pattern(g, (enum grow_pattern)i)
                                    ? g->swarm.pattern[i]
                                    : 0;
    if (g->first == GROW_PATTERN_COUNT || !g->main)
        return;
    // The shape that the program begins with. Sometimes a loop comes first, in which the shape has
    // its next chance.
    const bool here = grow_can_pattern(g, g->first);
    if (here)
        weights[PATTERNS + g->first] = 3000;
    if (loop && feature[GEN_FOR])
        weights[FOR] = here ? 400 : 3000;
}

static void grow_any_stmt(struct grow *g)
{
    uint16_t weights[KINDS];
    weigh(g, weights);
    uint32_t kind = gen_weighted(g->c, weights, KINDS);
    if (g->main && kind != FOR) {
        g->first = g->second;
        g->second = GROW_PATTERN_COUNT;
    }
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
        grow_pattern(g, (enum grow_pattern)(kind - PATTERNS));
    }
}

void grow_any_stmts(struct grow *g, uint32_t first, uint32_t percent)
{
    for (bool more = true; more; first = percent) {
        grow_repeat(g);
        uint32_t span = gen_span_open(g->c, GEN_SPAN_STMT);
        // Where few invocations are expected, grows few statements.
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
