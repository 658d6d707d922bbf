// SPDX-License-Identifier: Apache-2.0
//
// The smallest shapes that compilers get wrong with images. The quad shapes are in grow_derived.c.
// Nothing here draws a choice if images are not wanted.
#include "grow_shapes.h"

bool grow_can_image(const struct grow *g, enum grow_pattern i)
{
    if (grow_expected(g) < 4 * GROW_ALL)
        return false;
    const bool differs = grow_has(g, GEN_IMAGE_INDEX) && grow_has(g, GEN_IMAGE_NONUNIFORM);
    switch (i) {
    case PATTERN_EITHER_SAMPLER:
        return grow_has(g, GEN_ELSE) && grow_has(g, GEN_OBSERVE_LATER) && !g->weak &&
               grow_affords(g, 2) &&
               (grow_has(g, GEN_OP_SAMPLE_LOD) || (grow_has(g, GEN_OP_SAMPLE) && grow_whole(g)));
    case PATTERN_INDEX_PHI:
        return grow_has(g, GEN_IF) && differs && grow_has(g, GEN_OP_SAMPLE_LOD);
    case PATTERN_INDEX_WATERFALL:
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
    struct grow_op op = quad ? grow_image_plan(g, GROUP_SAMPLE, GROUP_QUERY_LOD, NULL)
                             : grow_image_plan(g, GROUP_SAMPLE_LOD, GROUP_FETCH, NULL);
    const uint32_t other = 1 + gen_choose(g->c, 2 * GEN_SAMPLER_ONE - 1);
    op.arg[1] = NULL;
    op.n &= ~(uint32_t)GEN_IMAGE_COMBINED;
    struct gen_stmt *s = grow_if(g, cond, true);
    for (uint32_t i = 0; i < 2; i++) {
        struct grow_mark m = grow_open_arm(g, s, i);
        grow_set(g, var, grow_value_u32(g, grow_op_put(g, &op)));
        grow_close_block(g, &m);
        op.n ^= other;
    }
    grow_note(g, GEN_OBSERVE_LATER);
    grow_log_one(g, grow_var(g, var));
}

// i = A; if (c) i = B; sample(images[i])
static void of_an_index(struct grow *g)
{
    const uint32_t var = grow_pick_var(g);
    const uint32_t at = gen_choose(g->c, GEN_IMAGE_COUNT),
                   other = 1 + gen_choose(g->c, GEN_IMAGE_COUNT - 1);
    grow_set(g, var, grow_const(g, at));
    struct gen_stmt *s = grow_if(g, grow_lane_test(g), false);
    struct grow_mark m = grow_open_arm(g, s, 0);
    grow_set(g, var, grow_const(g, at ^ other));
    grow_close_block(g, &m);
    if (grow_can_see(g))
        grow_sample_at(g, grow_var(g, var));
}

// write and read a texel; if (c) do it again; do it again
static void again(struct grow *g)
{
    struct grow_op op = {.op = GROUP_IMAGE_SWAP, .arg[0] = grow_u32(g, 1)};
    uint32_t value = grow_op_put(g, &op);
    grow_see_here(g, value);
    if (gen_block_ends(g->at.block))
        return;
    struct gen_stmt *s = grow_if(g, grow_lane_test(g), false);
    struct grow_mark m = grow_open_arm(g, s, 0);
    op.arg[0] = grow_u32(g, 1);
    value = grow_op_put(g, &op);
    grow_see_here(g, value);
    grow_close(g, &m);
    if (!grow_can_see(g))
        return;
    op.arg[0] = grow_u32(g, 1);
    grow_see(g, grow_op_put(g, &op));
}

void grow_imaged(struct grow *g, enum grow_pattern i)
{
    switch (i) {
    case PATTERN_EITHER_SAMPLER:
        either(g);
        break;
    case PATTERN_INDEX_PHI:
        of_an_index(g);
        break;
    case PATTERN_INDEX_WATERFALL:
        grow_waterfall(g, true);
        break;
    default:
        again(g);
    }
}
