// SPDX-License-Identifier: Apache-2.0
//
// The swarm of a case: a weight for each feature, each kind of observation and each shape.
#include "grow_shapes.h"

enum { USUAL = 3, SECOND = 65 }; // a weight; percent of programs with a second shape

void grow_want_op(struct grow *g, enum gen_feature but)
{
    g->ops = false;
    for (uint32_t i = 0; i < GROUP_OPS; i++)
        g->ops = g->ops || grow_op_weight(g, (enum gen_group_op)i);
    for (uint32_t i = 0; i < GROUP_OPS && !g->ops; i++) {
        const enum gen_feature f = gen_group_row((enum gen_group_op)i)->feature;
        if (f == but)
            continue;
        g->swarm.feature[f] = (g->o->features & GEN_BIT(f)) != 0;
        g->ops = grow_op_weight(g, (enum gen_group_op)i) > 0;
    }
}

// Draws a shape to begin with, in some percent of programs. Its features get a weight if they are
// requested.
static enum grow_pattern first_shape(struct grow *g, const uint16_t *share, uint32_t percent)
{
    const bool any = gen_chance(g->c, g->ops ? percent : 0);
    const enum grow_pattern drawn =
        (enum grow_pattern)gen_weighted(g->c, share, GROW_PATTERN_COUNT);
    const gen_features needs = any ? grow_pattern_row(drawn)->features & g->o->features : 0;
    for (uint32_t f = 0; f < GEN_FEATURE_COUNT; f++)
        if (needs & GEN_BIT(f) && g->swarm.feature[f] < USUAL)
            g->swarm.feature[f] = USUAL;
    return any ? drawn : GROW_PATTERN_COUNT;
}

// Selects a random subset of the features, in random proportions, for each case, so that a
// combination that is rare overall is frequent in some cases. Every row draws, wanted or not, so
// that later choices keep their places.
void grow_swarm(struct grow *g)
{
    static const uint16_t level[] = {0, 1, 3, 8};
    static const uint16_t odds[] = {28, 15, 40, 17}, basic[] = {8, 22, 50, 20};
    static const uint16_t rare[] = {62, 12, 17, 9}, rarer[] = {90, 4, 3, 3};
    for (uint32_t f = 0; f < GEN_FEATURE_COUNT; f++) {
        // These draw nothing, so that programs without them stay the same.
        if (f == GEN_PLAIN_BALLOTS || (f >= GEN_BY_NAME && !(g->o->features & GEN_BIT(f))))
            continue;
        if (gen_features_beyond(g->o->stage) & GEN_BIT(f))
            continue;
        const bool often = f == GEN_IF || f == GEN_ELSE || f == GEN_SWITCH || f == GEN_BREAK ||
                           f == GEN_OP_DERIVATIVE || f == GEN_OP_SAMPLE || f == GEN_OP_SAMPLE_LOD;
        const bool seldom = f == GEN_SHARED || f == GEN_THROUGH_BUFFER || f == GEN_ATOMIC ||
                            f == GEN_PEEL || f == GEN_OP_PARTITION;
        const uint16_t *of = often ? basic : seldom ? rare : f == GEN_PRESSURE ? rarer : odds;
        uint16_t weight = level[gen_weighted(g->c, of, 4)];
        g->swarm.feature[f] = g->o->features & GEN_BIT(f) ? weight : 0;
    }
    grow_want_op(g, GEN_FEATURE_COUNT);
    static const uint16_t common[GROW_OBSERVATIONS] = {2, 4, 4, 3, 3, 4, 1};
    for (int i = 0; i < GROW_OBSERVATIONS; i++)
        g->swarm.observation[i] = (uint16_t)(common[i] * level[gen_weighted(g->c, odds, 4)]);
    static const uint16_t pattern_odds[] = {60, 15, 14, 11};
    const bool images =
        grow_has(g, GEN_OP_SAMPLE) || grow_has(g, GEN_OP_SAMPLE_LOD) || grow_has(g, GEN_OP_IMAGE);
    uint16_t share[GROW_PATTERN_COUNT];
    for (uint32_t i = 0; i < GROW_PATTERN_COUNT; i++) {
        const bool wanted = i < PATTERN_BY_NAME ||
                            (i < PATTERN_OF_FRAGMENTS ? grow_has(g, GEN_OP_DERIVATIVE)
                             : i < PATTERN_OF_IMAGES  ? spv_stage_row(g->o->stage)->has_helpers
                                                      : images);
        share[i] = wanted ? grow_pattern_row((enum grow_pattern)i)->share : 0;
        if (wanted)
            g->swarm.pattern[i] = (uint16_t)(2 * level[gen_weighted(g->c, pattern_odds, 4)]);
    }
    // Most programs begin with a shape, and many with two (grow_stmt.c), where all invocations are
    // active, so that rare shapes occur early.
    g->first = first_shape(g, share, 80);
    g->second = first_shape(g, share, SECOND);
}
