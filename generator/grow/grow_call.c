// SPDX-License-Identifier: Apache-2.0
//
// Functions and calls. A function is grown completely at its first call, before its caller
// continues. So calls go only to finished functions, which rules out recursion, and removing the
// call from the choices also removes the function.
#include "grow_parts.h"

void grow_body(struct grow *g, void (*body)(struct grow *g))
{
    grow_pay(g, GROW_VARS_MAX); // reserved for the end of the function
    struct grow_mark m = grow_open_block(g, g->at.block, false);
    g->at.depth = m.outer.depth;
    body(g);
    if (g->at.f->has_result && !gen_block_ends(g->at.block)) {
        grow_settle(g, &m);
        grow_return(g);
    } else if (!gen_block_ends(g->at.block)) {
        bool logged = grow_log_rest(g, 0, true), ran = false;
        for (const struct gen_stmt *s = g->at.block->first; s; s = s->next) {
            logged = logged || s->kind == STMT_LOG;
            ran = ran || s->kind == STMT_OP;
        }
        if (g->main && !logged) {
            g->words += GROW_VARS_MAX + 1; // returns the reserved words: nothing was logged
            grow_plain_ballot(g);
        } else if (g->main && !ran && grow_affords(g, 1)) {
            grow_plain_ballot(g); // a program without group operations tests nothing
        }
    }
    grow_close_block(g, &m);
}

bool grow_can_make_function(const struct grow *g)
{
    return g->nodes >= 3 && g->at.depth + 1 < g->profile->depth && !g->at.no_calls &&
           g->functions < g->profile->functions && grow_affords(g, GROW_VARS_MAX) &&
           (grow_has(g, GEN_CALL) || grow_has(g, GEN_CALL_VALUE));
}

static bool fits(const struct grow *g, const struct gen_function *f)
{
    return grow_has(g, f->has_result ? GEN_CALL_VALUE : GEN_CALL) &&
           (!f->together || grow_together(g)) && (!f->whole || grow_whole(g)) &&
           g->at.depth + 1 + f->depth <= g->profile->depth &&
           g->at.times * f->executions <= GEN_EXECUTIONS_MAX &&
           g->at.times * f->log_words <= g->words;
}

static void grow_call(struct grow *g, const struct gen_function *f)
{
    const struct gen_expr **arg = ARENA_ARRAY(g->arena, const struct gen_expr *, f->param_count);
    for (uint32_t i = 0; i < f->param_count; i++)
        arg[i] = f->param[i] == TYPE_BOOL ? grow_bool(g, 1, 3) : grow_u32(g, 1);
    struct gen_stmt *s = grow_stmt_new(g, STMT_CALL);
    s->call.callee = f->index;
    s->call.arg = arg;
    grow_note(g, f->has_result ? GEN_CALL_VALUE : GEN_CALL);
    if (f->has_result)
        grow_see(g, grow_bind(g, s, TYPE_U32));
}

// by_bool: the function has a bool as a parameter.
static void call_new(struct grow *g, void (*body)(struct grow *g), bool by_bool)
{
    uint32_t span = gen_span_open(g->c, GEN_SPAN_FUNCTION);
    struct gen_function *f = ARENA_NEW(g->arena, struct gen_function);
    f->has_result =
        gen_chance(g->c, grow_has(g, GEN_CALL_VALUE) ? 50 : 0) || !grow_has(g, GEN_CALL);
    f->param_count = gen_choose(g->c, GEN_PARAMS_MAX + 1);
    for (uint32_t i = 0; i < f->param_count; i++)
        f->param[i] = gen_chance(g->c, 35) ? TYPE_BOOL : TYPE_U32;
    if (by_bool) {
        f->param_count += !f->param_count;
        f->param[0] = TYPE_BOOL;
    }
    f->together = g->weak && grow_together(g);
    f->whole = grow_whole(g);
    const struct grow_place caller = g->at;
    const bool main = g->main;
    g->functions++;
    g->main = false;
    g->at = (struct grow_place){.f = f,
                                .block = &f->body,
                                .times = caller.times,
                                .depth = caller.depth + 1,
                                .odds = caller.odds,
                                .accumulator = GROW_NONE,
                                .together = f->together,
                                .whole = f->whole,
                                .may.leave_function = grow_has(g, GEN_RETURN)};
    grow_body(g, body);
    g->at = caller;
    g->main = main;
    f->index = (uint32_t)g->p->functions.n;
    *VEC_PUSH(g->arena, &g->p->functions) = f;
    gen_measure(g->p, f);
    gen_span_close(g->c, span);
    grow_call(g, f);
}

void grow_call_new(struct grow *g, void (*body)(struct grow *g))
{
    call_new(g, body, false);
}

void grow_call_by_bool(struct grow *g, void (*body)(struct grow *g))
{
    call_new(g, body, true);
}

static void any_body(struct grow *g)
{
    grow_stmts(g, 97, 70);
}

// Returns an existing function that may be called here; GROW_NONE if there is none.
static uint32_t pick_function(const struct grow *g, uint32_t pick)
{
    uint32_t fit[8], n = 0;
    for (uint32_t i = (uint32_t)g->p->functions.n; i-- > 0 && n < 8;)
        if (fits(g, g->p->functions.v[i]))
            fit[n++] = i;
    return n ? fit[pick % n] : GROW_NONE;
}

bool grow_can_call(const struct grow *g)
{
    return !g->at.quiet && !g->at.no_calls && grow_expected(g) >= 2 * GROW_ALL &&
           (grow_can_make_function(g) || pick_function(g, 0) != GROW_NONE);
}

void grow_any_call(struct grow *g)
{
    uint32_t old = pick_function(g, gen_choose(g->c, 8));
    bool fresh = gen_chance(g->c, grow_can_make_function(g) ? 50 : 0);
    if (old != GROW_NONE && !fresh) {
        const struct gen_function *f = g->p->functions.v[old];
        g->words -= g->at.times * f->log_words;
        grow_call(g, f);
    } else {
        grow_call_new(g, any_body);
    }
}
