// SPDX-License-Identifier: Apache-2.0
//
// Observation of results. A log right after each operation would fix the operation in its place and
// hide faults that move it, so the kind of observation is drawn.
#include "grow_parts.h"

static void see_now(struct grow *g, uint32_t value)
{
    // Logs all words of a ballot that the subgroup can fill.
    uint32_t n = g->at.f->values.v[value].type == TYPE_BALLOT ? (g->o->subgroup + 31) / 32 : 1;
    if (!gen_chance(g->c, 60) || !grow_affords(g, n))
        n = 1;
    const struct gen_expr **v = ARENA_ARRAY(g->arena, const struct gen_expr *, n);
    for (uint32_t i = 0; i < n; i++)
        v[i] = n > 1 ? grow_word(g, value, i) : grow_value_u32(g, value);
    grow_pay(g, n);
    grow_log(g, v, n);
}

void grow_fold(struct grow *g, uint32_t value, enum grow_fold how)
{
    struct grow_place *at = &g->at;
    if (at->accumulator == GROW_NONE) {
        at->accumulator = (uint32_t)at->f->vars.n;
        *VEC_PUSH(g->arena, &at->f->vars) = (struct gen_var){0};
    }
    const struct gen_expr *old = grow_var(g, at->accumulator);
    switch (how) {
    case FOLD_ORDER: // unlike a sum, it depends on the order
        old = grow_alu(g, EXPR_MUL, old, grow_const(g, 3));
        break;
    case FOLD_XOR:
        old = grow_alu(g, EXPR_XOR, old, grow_const(g, 0x9e3779b9));
        break;
    case FOLD_SUM:
        break;
    }
    grow_set(g, at->accumulator, grow_alu(g, EXPR_ADD, old, grow_value_u32(g, value)));
    grow_note(g, GEN_OBSERVE_FOLD);
}

// if (c) { use of the value; ... }
static void see_inside(struct grow *g, uint32_t value)
{
    struct gen_stmt *s = grow_if(g, grow_decide(g), false);
    struct grow_mark m = grow_open_arm(g, s, 0);
    if (grow_affords(g, 1))
        see_now(g, value);
    else if (!g->at.f->values.v[value].not_guaranteed)
        grow_see_as(g, value, SEE_VAR);
    grow_stmts(g, 30, 30);
    grow_close(g, &m);
}

static void see_branch(struct grow *g, uint32_t value)
{
    g->deciding = true;
    const struct gen_expr *cond = grow_value_test(g, value);
    g->deciding = false;
    bool other = gen_chance(g->c, grow_has(g, GEN_ELSE) ? 40 : 0) || !grow_has(g, GEN_IF);
    struct gen_stmt *s = grow_if(g, cond, other);
    grow_arm(g, s, 0, 97, 55);
    if (other)
        grow_arm(g, s, 1, 93, 50);
    grow_note(g, GEN_OBSERVE_BRANCH);
}

void grow_see_as(struct grow *g, uint32_t value, enum grow_observation how)
{
    switch (how) {
    case SEE_NOW:
        see_now(g, value);
        break;
    case SEE_FOLD:
        grow_fold(g, value, (enum grow_fold)gen_choose(g->c, 3));
        break;
    case SEE_VAR: {
        uint32_t var = grow_pick_var(g);
        grow_set(g, var, grow_value_u32(g, value));
        grow_note(g, GEN_OBSERVE_LATER);
        break;
    }
    case SEE_PENDING:
        grow_pay(g, 1);
        *VEC_PUSH(g->arena, &g->at.pending) = value;
        grow_note(g, GEN_OBSERVE_LATER);
        break;
    case SEE_INSIDE:
        see_inside(g, value);
        grow_note(g, GEN_OBSERVE_LATER);
        break;
    case SEE_BRANCH:
        see_branch(g, value);
        break;
    case SEE_NEVER:
        grow_note(g, GEN_OBSERVE_NEVER);
        break;
    case GROW_OBSERVATIONS:
        break;
    }
}

void grow_see(struct grow *g, uint32_t value)
{
    uint16_t weights[GROW_OBSERVATIONS];
    // Statements grown after grow_can_see may have used up the log budget.
    if (!grow_observations(g, g->at.f->values.v[value].not_guaranteed, weights))
        return;
    grow_see_as(g, value, (enum grow_observation)gen_weighted(g->c, weights, GROW_OBSERVATIONS));
}

void grow_op(struct grow *g, const struct gen_expr *on)
{
    g->deriving = true;
    struct grow_op op = grow_op_plan(g, on);
    g->deriving = false;
    grow_see(g, grow_op_put(g, &op));
}

void grow_see_here(struct grow *g, uint32_t value)
{
    if (grow_can_see(g))
        grow_see(g, value);
}

void grow_put_here(struct grow *g, const struct grow_op *op)
{
    if (grow_can_see(g))
        grow_see(g, grow_op_put(g, op));
}

void grow_op_here(struct grow *g, const struct gen_expr *on)
{
    if (grow_can_see(g))
        grow_op(g, on);
}
