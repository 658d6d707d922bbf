// SPDX-License-Identifier: Apache-2.0
//
// Numbers and conditions that are uniform in each quad. Nothing here draws a choice if quads need
// not be whole.
#include "grow_parts.h"

// Emits a broadcast of a number from one invocation of the quad.
static const struct gen_expr *quad_value(struct grow *g)
{
    struct grow_op op = {.op = GROUP_QUAD_BROADCAST, .n = gen_choose(g->c, SPV_QUAD)};
    op.arg[0] = grow_u32(g, 1);
    return grow_value_u32(g, grow_op_put(g, &op));
}

const struct gen_expr *grow_quad_small(struct grow *g, uint32_t most)
{
    const bool can =
        !g->pure && !g->weak && grow_op_weight(g, GROUP_QUAD_BROADCAST) && grow_can_see(g);
    const bool share = gen_chance(g->c, !can ? 0 : g->o->subgroup > SPV_QUAD ? 60 : 100);
    const uint32_t by = gen_choose(g->c, 4);
    if (share) {
        const struct gen_expr *e = quad_value(g);
        return grow_alu(g, EXPR_AND, by ? grow_alu(g, EXPR_SHR, e, grow_const(g, by)) : e,
                        grow_const(g, most));
    }
    const struct gen_expr *quad = grow_alu(g, EXPR_SHR, grow_lane(g), grow_const(g, 2));
    return grow_alu(g, EXPR_AND, by ? grow_alu(g, EXPR_ADD, quad, grow_const(g, by)) : quad,
                    grow_const(g, most));
}

const struct gen_expr *grow_quad_test(struct grow *g)
{
    const bool can = !g->pure && !g->weak && grow_op_weight(g, GROUP_QUAD_ANY) && grow_can_see(g);
    const bool vote = gen_chance(g->c, can ? 30 : 0);
    const bool other = gen_chance(g->c, 40);
    if (vote) {
        struct grow_op op = {.op = other ? GROUP_QUAD_ALL : GROUP_QUAD_ANY};
        op.arg[0] = grow_bool(g, 1, 0);
        return grow_value(g, grow_op_put(g, &op));
    }
    const uint32_t k = gen_choose(g->c, 2);
    const struct gen_expr *e = grow_quad_small(g, 1);
    return grow_alu(g, other ? EXPR_NE : EXPR_EQ, e, grow_const(g, k));
}

const struct gen_expr *grow_now_and_then_quad(struct grow *g, uint32_t percent)
{
    if (!grow_whole(g) || g->at.quiet || g->at.straight)
        return NULL;
    return gen_chance(g->c, percent) ? grow_quad_test(g) : NULL;
}
