// SPDX-License-Identifier: Apache-2.0
//
// Images: operands of what is done with them, and the smallest shapes that compilers get wrong
// about them. Those that are about quads are grow_quads.c's, with samples in the place of
// derivatives. Nothing here draws a choice where images are not wanted.
#include "grow.h"

// An index of an image: mostly one that differs, where that is wanted. Of an implicit LOD the same
// in the quad.
static const struct gen_expr *an_index(struct grow *g, bool quad)
{
    const bool differs = gen_chance(g->c, grow_has(g, GEN_IMAGE_NONUNIFORM) ? 65 : 0);
    const uint32_t word = gen_choose(g->c, 16) % g->p->input_words;
    if (!differs)
        return grow_alu(g, EXPR_AND, grow_uniform_at(g, word), grow_const(g, GEN_IMAGE_COUNT - 1));
    return quad ? grow_quad_small(g, GEN_IMAGE_COUNT - 1)
                : grow_small(g, GEN_IMAGE_COUNT - 1, false);
}

void grow_image_plan(struct grow *g, struct grow_op *op, const struct gen_expr *on)
{
    enum { MOST = 7 }; // all bits of the operand that count
    const bool quad = gen_group_quads(op->op);
    if (!quad)
        op->arg[0] = on ? on : grow_u32(g, 1);
    else
        op->arg[0] = on && grow_is_quad(g, on) ? on : grow_quad_small(g, MOST);
    if (op->op != GROUP_IMAGE_SWAP) {
        op->width = 1 + gen_choose(g->c, 4);
        op->n = gen_choose(g->c, GEN_IMAGE_CHOICES);
        const bool index = gen_chance(g->c, grow_has(g, GEN_IMAGE_INDEX) ? 45 : 0);
        if (index) {
            op->n &= ~(uint32_t)GEN_IMAGE_COMBINED;
            op->arg[1] = an_index(g, quad);
        }
    }
    grow_say(g, op);
}

// One of the operations from `first` to `last` that are wanted, with all its operands.
static struct grow_op plan(struct grow *g, enum gen_group_op first, enum gen_group_op last,
                           const struct gen_expr *on)
{
    uint16_t weights[GROUP_OPS] = {0};
    g->deriving = true;
    for (uint32_t i = first; i <= last; i++)
        weights[i] = grow_op_weight(g, (enum gen_group_op)i);
    g->deriving = false;
    struct grow_op op = {.op = (enum gen_group_op)gen_weighted(g->c, weights, GROUP_OPS)};
    grow_image_plan(g, &op, on);
    return op;
}

uint32_t grow_sample(struct grow *g, const struct gen_expr *on)
{
    const bool tell = on && !grow_is_quad(g, on) && grow_op_weight(g, GROUP_QUAD_BROADCAST);
    if (tell) {
        struct grow_op said = {
            .op = GROUP_QUAD_BROADCAST, .n = gen_choose(g->c, SPV_QUAD), .arg[0] = on};
        on = grow_value_u32(g, grow_op_put(g, &said));
    }
    const struct grow_op op = plan(g, GROUP_SAMPLE, GROUP_QUERY_LOD, on);
    return grow_op_put(g, &op);
}

void grow_sample_at(struct grow *g, const struct gen_expr *index)
{
    struct grow_op op = plan(g, GROUP_SAMPLE_LOD, GROUP_FETCH, NULL);
    op.n &= ~(uint32_t)GEN_IMAGE_COMBINED;
    op.arg[1] = grow_alu(g, EXPR_AND, index, grow_const(g, GEN_IMAGE_COUNT - 1));
    grow_see(g, grow_op_put(g, &op));
}

bool grow_can_image(const struct grow *g, enum grow_idiom i)
{
    if (grow_expected(g) < 4 * GROW_ALL)
        return false;
    const bool differs = grow_has(g, GEN_IMAGE_INDEX) && grow_has(g, GEN_IMAGE_NONUNIFORM);
    switch (i) {
    case IDIOM_EITHER_SAMPLER:
        return grow_has(g, GEN_ELSE) && grow_has(g, GEN_OBSERVE_LATER) && !g->weak &&
               grow_affords(g, 2) &&
               (grow_has(g, GEN_OP_SAMPLE_LOD) || (grow_has(g, GEN_OP_SAMPLE) && grow_whole(g)));
    case IDIOM_INDEX_PHI:
        return grow_has(g, GEN_IF) && differs && grow_has(g, GEN_OP_SAMPLE_LOD);
    case IDIOM_INDEX_WATERFALL:
        return differs && grow_has(g, GEN_OP_SAMPLE_LOD);
    default:
        return grow_has(g, GEN_IF) && grow_op_weight(g, GROUP_IMAGE_SWAP);
    }
}

// if (c) v = sample(images[0], s1, x); else v = sample(images[1], s2, x)
static void either(struct grow *g)
{
    const bool can = grow_has(g, GEN_OP_SAMPLE) && grow_whole(g);
    const bool quad = gen_chance(g->c, !can ? 0 : grow_has(g, GEN_OP_SAMPLE_LOD) ? 50 : 100);
    const uint32_t var = grow_pick_var(g);
    const struct gen_expr *cond = quad ? grow_quad_test(g) : grow_lane_test(g);
    struct grow_op op = quad ? plan(g, GROUP_SAMPLE, GROUP_QUERY_LOD, NULL)
                             : plan(g, GROUP_SAMPLE_LOD, GROUP_FETCH, NULL);
    const uint32_t other = 1 + gen_choose(g->c, 2 * GEN_SAMPLER_ONE - 1);
    op.arg[1] = NULL;
    op.n &= ~(uint32_t)GEN_IMAGE_COMBINED;
    struct gen_stmt *s = grow_if(g, cond, true);
    g->at.f->uses |= USES_LANE;
    for (uint32_t i = 0; i < 2; i++) {
        struct grow_mark m = grow_open_arm(g, s, i);
        grow_set(g, var, grow_value_u32(g, grow_op_put(g, &op)));
        grow_close_block(g, &m);
        op.n ^= other;
    }
    const struct gen_expr **e = ARENA_NEW(g->arena, const struct gen_expr *);
    *e = grow_var(g, var);
    grow_note(g, GEN_OBSERVE_LATER);
    grow_pay(g, 1);
    grow_log(g, e, 1);
}

// i = A; if (c) i = B; sample(images[i])
static void of_an_index(struct grow *g)
{
    const uint32_t var = grow_pick_var(g);
    const uint32_t at = gen_choose(g->c, GEN_IMAGE_COUNT),
                   other = 1 + gen_choose(g->c, GEN_IMAGE_COUNT - 1);
    grow_set(g, var, grow_const(g, at));
    struct gen_stmt *s = grow_if(g, grow_lane_test(g), false);
    g->at.f->uses |= USES_LANE;
    struct grow_mark m = grow_open_arm(g, s, 0);
    grow_set(g, var, grow_const(g, at ^ other));
    grow_close_block(g, &m);
    if (grow_can_see(g))
        grow_sample_at(g, grow_var(g, var));
}

// write and read; if (c) again; again
static void again(struct grow *g)
{
    struct grow_op op = {.op = GROUP_IMAGE_SWAP, .arg[0] = grow_u32(g, 1)};
    uint32_t value = grow_op_put(g, &op);
    if (grow_can_see(g))
        grow_see(g, value);
    if (gen_block_ends(g->at.block))
        return;
    struct gen_stmt *s = grow_if(g, grow_lane_test(g), false);
    g->at.f->uses |= USES_LANE;
    struct grow_mark m = grow_open_arm(g, s, 0);
    op.arg[0] = grow_u32(g, 1);
    value = grow_op_put(g, &op);
    if (grow_can_see(g))
        grow_see(g, value);
    grow_close(g, &m);
    if (!grow_can_see(g))
        return;
    op.arg[0] = grow_u32(g, 1);
    grow_see(g, grow_op_put(g, &op));
}

void grow_imaged(struct grow *g, enum grow_idiom i)
{
    switch (i) {
    case IDIOM_EITHER_SAMPLER:
        either(g);
        break;
    case IDIOM_INDEX_PHI:
        of_an_index(g);
        break;
    default:
        again(g);
    }
}
