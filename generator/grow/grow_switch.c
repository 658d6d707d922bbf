// SPDX-License-Identifier: Apache-2.0
//
// Switches: which selector values enter which case, where the default is, which cases fall through,
// and where the implementation chooses which invocations share a tangle.
#include "grow_parts.h"

// Assigns each value of the selector to a case, the default or none. Starts with `n` cases of one
// label each; choices assign the remaining values.
static void lay_out_cases(struct grow *g, struct gen_stmt *s, uint32_t n, uint32_t values)
{
    struct gen_case *at = s->select.at;
    const bool shared = gen_chance(g->c, grow_has(g, GEN_SWITCH_SHARED) ? 60 : 0);
    const bool falls = gen_chance(g->c, grow_has(g, GEN_SWITCH_FALL) ? 95 : 0);
    for (uint32_t i = 0; i < n; i++)
        at[i].labels = 1u << i;
    for (uint32_t v = n; v < values; v++) {
        uint32_t to = gen_choose(g->c, 8);
        if (shared && to % 4 != 3)
            at[to % n].labels |= 1u << v;
    }
    // Place of the default: the merge block, a case construct of its own at any position, or an
    // existing case.
    const bool lonely = n == values - 1;
    const uint16_t odds[] = {4, shared || lonely ? 5 : 0, shared ? 3 : 0};
    uint32_t where = gen_weighted(g->c, odds, 3), place = gen_choose(g->c, 8);
    s->select.default_at = n;
    if (where == 1) {
        place %= n + 1;
        for (uint32_t i = n; i > place; i--)
            at[i] = at[i - 1];
        at[place] = (struct gen_case){0};
        n++;
        s->select.default_at = place;
    } else if (where == 2) {
        s->select.default_at = place % n;
    } else {
        s->select.default_at = GROW_NONE;
    }
    for (uint32_t i = 0; i < GEN_CASES_MAX - 1; i++) {
        bool fall = gen_chance(g->c, falls ? 65 : 0);
        at[i].falls = fall && i + 1 < n;
    }
    s->select.n = n;
    if (s->select.default_at == GROW_NONE)
        s->select.default_at = n;
}

// True if there is exactly one choice, between two groups. Then at most three results are possible,
// and the oracle's policies cover them.
static bool one_free_choice(const struct grow *g, const struct gen_stmt *s)
{
    uint32_t mixed = 0, ways = 0;
    for (uint32_t i = 0; i < s->select.n; i++)
        if (gen_case_mixed(g->p, s, i)) {
            mixed++;
            ways += (uint32_t)__builtin_popcount(gen_case_values(g->p, s, i));
            if (i > 0 && s->select.at[i - 1].falls)
                ways += (uint32_t)__builtin_popcount(gen_case_values(g->p, s, i - 1));
        }
    return mixed == 1 && ways == 2;
}

static void note_cases(struct grow *g, const struct gen_stmt *s)
{
    grow_note(g, GEN_SWITCH);
    for (uint32_t i = 0; i < s->select.n; i++) {
        const uint32_t values = gen_case_values(g->p, s, i);
        if (values & (values - 1))
            grow_note(g, GEN_SWITCH_SHARED);
        if (s->select.at[i].falls)
            grow_note(g, GEN_SWITCH_FALL);
    }
}

struct gen_stmt *grow_switch_plain(struct grow *g, const struct gen_expr *e, uint32_t n,
                                   uint32_t turn)
{
    struct gen_stmt *s = grow_stmt_new(g, STMT_SWITCH);
    s->select.selector = e;
    s->select.n = s->select.default_at = n;
    s->select.at = ARENA_ARRAY(g->arena, struct gen_case, n);
    for (uint32_t i = 0; i < n; i++)
        s->select.at[i].labels = 1u << ((i + turn) & 3);
    grow_note(g, GEN_SWITCH);
    return s;
}

void grow_switch(struct grow *g)
{
    g->deciding = true;
    uint32_t values = 2 + gen_choose(g->c, 4);
    if (values * GROW_ALL > grow_expected(g))
        values = 2;
    bool mask = (values & (values - 1)) == 0;
    const bool quad = grow_whole(g) && gen_chance(g->c, 40);
    const struct gen_expr *e = quad ? grow_quad_small(g, mask ? values - 1 : 31)
                                    : grow_small(g, mask ? values - 1 : 31, false);
    if (!mask)
        e = grow_alu(g, EXPR_MOD, e, grow_const(g, values));
    g->deciding = false;
    uint32_t n = 1 + gen_choose(g->c, values);
    struct gen_stmt *s = grow_stmt_new(g, STMT_SWITCH);
    s->select.selector = e;
    s->select.at = ARENA_ARRAY(g->arena, struct gen_case, GEN_CASES_MAX + 1);
    s->select.control = (SpvSelectionControlMask)grow_control(g);
    lay_out_cases(g, s, n, values);
    note_cases(g, s);
    bool loud = gen_chance(g->c, 60) && g->main && g->at.times == 1 && !g->at.quiet &&
                !g->p->choice && one_free_choice(g, s);
    if (loud)
        g->p->choice = s;
    for (uint32_t i = 0; i < s->select.n; i++) {
        struct grow_mark m = grow_open_arm(g, s, i);
        g->at.quiet = g->at.quiet || (gen_case_mixed(g->p, s, i) && !loud);
        grow_stmts(g, 85, 45);
        grow_close(g, &m);
    }
}
