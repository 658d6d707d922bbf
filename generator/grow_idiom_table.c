// SPDX-License-Identifier: Apache-2.0
//
// The shapes of grow_idiom.c: how often each is put in, the features that it is made of, and where
// it fits.
#include "grow.h"

bool grow_can_loop_around(const struct grow *g)
{
    return grow_can_loop(g) && grow_has(g, GEN_IF) &&
           (grow_has(g, GEN_FOR) || grow_has(g, GEN_DO_WHILE));
}

const struct gen_idiom *gen_idiom_row(uint32_t i)
{
    static const struct gen_idiom rows[] = {
#define X(id, name, line) {name, line},
        GROW_IDIOMS(X)
#undef X
    };
    _Static_assert(GROW_IDIOM_COUNT <= 64, "a bit each");
    return i < GROW_IDIOM_COUNT ? &rows[i] : NULL;
}

const uint16_t grow_idiom_share[GROW_IDIOM_COUNT] = {
    [IDIOM_BREAK_BLOCK] = 7,
    [IDIOM_TWO_IFS] = 2,
    [IDIOM_BOTH_ARMS] = 5,
    [IDIOM_BEHIND_MERGE] = 2,
    [IDIOM_AGAIN_INSIDE] = 4,
    [IDIOM_CALLEE_LOOP] = 2,
    [IDIOM_WATERFALL] = 1,
    [IDIOM_LEFT_EARLY] = 10,
    [IDIOM_SAME_OR_SAME] = 2,
    [IDIOM_REMAINDER] = 2,
    [IDIOM_INNER_BREAK] = 1,
    [IDIOM_CASES] = 14,
    [IDIOM_LATE_OP] = 2,
    [IDIOM_DENSE] = 1,
    [IDIOM_TWO_LEVELS] = 1,
    [IDIOM_FOLDED] = 5,
    [IDIOM_QUADS] = 5,
    [IDIOM_ONE_GROUP] = 1,
    [IDIOM_BACK_TO_BACK] = 6,
    [IDIOM_CHAIN] = 3,
    [IDIOM_USED_INSIDE] = 8,
    [IDIOM_AGAIN_BEHIND] = 2,
    [IDIOM_GOES_ON] = 1,
    [IDIOM_WAY_OUT] = 1,
    // Where there are derivatives, half of the programs begin with one of these.
    [IDIOM_DERIVED_EARLY] = 22,
    [IDIOM_DERIVED_PHI] = 12,
    [IDIOM_DERIVED_CALL] = 8,
    [IDIOM_DERIVED_LOOP] = 12,
    [IDIOM_DERIVED_CASES] = 8,
    [IDIOM_DERIVED_EXIT] = 8,
    [IDIOM_DERIVED_SELECT] = 8,
    [IDIOM_DEMOTE_SOME] = 30,
    [IDIOM_DEMOTE_KEPT] = 20,
    [IDIOM_DEMOTE_LOOP] = 20,
    [IDIOM_DEMOTE_CALL] = 16,
    [IDIOM_DEMOTE_DERIVED] = 16,
    [IDIOM_END_SOME] = 30,
    [IDIOM_HELPER_TOLD] = 24,
    [IDIOM_HELPER_VOTE] = 16,
    [IDIOM_HELPER_QUAD] = 20,
    [IDIOM_HELPER_LOOP] = 20,
    [IDIOM_HELPER_INDEX] = 16,
    // And where there are images, with one of these.
    [IDIOM_SAMPLED_EARLY] = 18,
    [IDIOM_SAMPLED_PHI] = 6,
    [IDIOM_SAMPLED_CALL] = 6,
    [IDIOM_SAMPLED_LOOP] = 10,
    [IDIOM_SAMPLED_CASES] = 8,
    [IDIOM_SAMPLED_EXIT] = 8,
    [IDIOM_SAMPLED_SELECT] = 6,
    [IDIOM_EITHER_SAMPLER] = 14,
    [IDIOM_INDEX_PHI] = 12,
    [IDIOM_INDEX_WATERFALL] = 8,
    [IDIOM_TEXEL_AGAIN] = 8,
};

gen_features grow_idiom_features(enum grow_idiom i)
{
#define F(x) GEN_BIT(GEN_##x)
    static const gen_features rows[GROW_IDIOM_COUNT] = {
        [IDIOM_BREAK_BLOCK] = F(IF) | F(BREAK) | F(INFINITE) | F(DIVERGENT_TRIPS),
        [IDIOM_TWO_IFS] = F(IF),
        [IDIOM_BOTH_ARMS] = F(ELSE) | F(OBSERVE_LATER),
        [IDIOM_BEHIND_MERGE] = F(IF),
        [IDIOM_AGAIN_INSIDE] = F(IF) | F(FOR),
        [IDIOM_CALLEE_LOOP] = F(CALL) | F(FOR) | F(IF) | F(RETURN),
        [IDIOM_WATERFALL] = F(IF) | F(FOR) | F(BREAK) | F(OBSERVE_BRANCH) | F(OP_BROADCAST_FIRST),
        [IDIOM_LEFT_EARLY] = F(IF) | F(FOR) | F(BREAK) | F(OBSERVE_LATER),
        [IDIOM_SAME_OR_SAME] = F(IF),
        [IDIOM_REMAINDER] = F(FOR) | F(DIVERGENT_TRIPS),
        [IDIOM_INNER_BREAK] = F(IF) | F(FOR) | F(BREAK),
        [IDIOM_CASES] = F(SWITCH) | F(SWITCH_SHARED) | F(IF),
        [IDIOM_LATE_OP] = F(IF) | F(FOR) | F(CONTINUE) | F(CONTINUE_CODE),
        [IDIOM_DENSE] = F(IF) | F(FOR) | F(CONTINUE),
        [IDIOM_TWO_LEVELS] = F(IF) | F(FOR) | F(BREAK),
        [IDIOM_FOLDED] = F(IF) | F(OP_REDUCE) | F(OP_SCAN),
        [IDIOM_QUADS] = F(IF) | F(OP_QUAD) | F(OP_QUAD_VOTE),
        [IDIOM_ONE_GROUP] = F(IF) | F(GROUPS),
        [IDIOM_BACK_TO_BACK] = F(OP_SHUFFLE) | F(OP_BALLOT),
        [IDIOM_CHAIN] = F(IF) | F(PHI) | F(OBSERVE_BRANCH),
        [IDIOM_USED_INSIDE] = F(IF) | F(FOR) | F(SWITCH) | F(OBSERVE_LATER),
        [IDIOM_AGAIN_BEHIND] = F(IF) | F(FOR) | F(BREAK),
        [IDIOM_GOES_ON] = F(IF) | F(FOR) | F(SWITCH) | F(CONTINUE),
        [IDIOM_WAY_OUT] = F(IF) | F(FOR) | F(BREAK),
        [IDIOM_DERIVED_EARLY] = F(OP_DERIVATIVE) | F(IF) | F(SWITCH) | F(OBSERVE_LATER),
        [IDIOM_DERIVED_PHI] = F(OP_DERIVATIVE) | F(IF),
        [IDIOM_DERIVED_CALL] = F(OP_DERIVATIVE) | F(IF) | F(CALL_VALUE) | F(RETURN),
        [IDIOM_DERIVED_LOOP] = F(OP_DERIVATIVE) | F(FOR) | F(DIVERGENT_TRIPS),
        [IDIOM_DERIVED_CASES] = F(OP_DERIVATIVE) | F(SWITCH),
        [IDIOM_DERIVED_EXIT] = F(OP_DERIVATIVE) | F(FOR) | F(IF) | F(BREAK),
        [IDIOM_DERIVED_SELECT] = F(OP_DERIVATIVE) | F(OBSERVE_LATER),
        [IDIOM_DEMOTE_SOME] = F(DEMOTE) | F(IF),
        [IDIOM_DEMOTE_KEPT] = F(DEMOTE) | F(IF) | F(OBSERVE_LATER),
        [IDIOM_DEMOTE_LOOP] = F(DEMOTE) | F(IF) | F(FOR) | F(HELPERS) | F(BREAK),
        [IDIOM_DEMOTE_CALL] = F(DEMOTE) | F(IF) | F(CALL),
        [IDIOM_DEMOTE_DERIVED] = F(DEMOTE) | F(IF) | F(OP_DERIVATIVE) | F(FULL_QUADS),
        [IDIOM_END_SOME] = F(TERMINATE) | F(IF) | F(RETURN),
        [IDIOM_HELPER_TOLD] = F(HELPERS) | F(IF) | F(OP_BALLOT) | F(DEMOTE),
        [IDIOM_HELPER_VOTE] = F(HELPERS) | F(IF) | F(OP_VOTE),
        [IDIOM_HELPER_QUAD] = F(HELPERS) | F(IF) | F(OP_QUAD),
        [IDIOM_HELPER_LOOP] = F(HELPERS) | F(IF) | F(FOR) | F(DIVERGENT_TRIPS) | F(OP_QUAD),
        [IDIOM_HELPER_INDEX] = F(HELPERS) | F(IF) | F(OP_QUAD),
        [IDIOM_SAMPLED_EARLY] = F(OP_SAMPLE) | F(IF) | F(SWITCH) | F(OBSERVE_LATER),
        [IDIOM_SAMPLED_PHI] = F(OP_SAMPLE) | F(IF) | F(OP_QUAD) | F(OP_BALLOT),
        [IDIOM_SAMPLED_CALL] =
            F(OP_SAMPLE) | F(IF) | F(CALL_VALUE) | F(RETURN) | F(OP_QUAD) | F(OP_BALLOT),
        [IDIOM_SAMPLED_LOOP] = F(OP_SAMPLE) | F(FOR) | F(DIVERGENT_TRIPS),
        [IDIOM_SAMPLED_CASES] = F(OP_SAMPLE) | F(SWITCH),
        [IDIOM_SAMPLED_EXIT] = F(OP_SAMPLE) | F(FOR) | F(IF) | F(BREAK) | F(OP_QUAD) | F(OP_BALLOT),
        [IDIOM_SAMPLED_SELECT] = F(OP_SAMPLE) | F(OBSERVE_LATER),
        [IDIOM_EITHER_SAMPLER] = F(OP_SAMPLE) | F(OP_SAMPLE_LOD) | F(ELSE) | F(OBSERVE_LATER),
        [IDIOM_INDEX_PHI] = F(OP_SAMPLE_LOD) | F(IF) | F(IMAGE_INDEX) | F(IMAGE_NONUNIFORM),
        [IDIOM_INDEX_WATERFALL] = F(OP_SAMPLE_LOD) | F(IF) | F(FOR) | F(BREAK) | F(OBSERVE_BRANCH) |
                                  F(OP_BROADCAST_FIRST) | F(IMAGE_INDEX) | F(IMAGE_NONUNIFORM),
        [IDIOM_TEXEL_AGAIN] = F(OP_IMAGE) | F(IF),
    };
#undef F
    return rows[i];
}

bool grow_can_idiom(const struct grow *g, enum grow_idiom i)
{
    // The parts are grown without asking again, so there has to be room for all.
    const uint32_t room = g->profile->depth > g->at.depth ? g->profile->depth - g->at.depth : 0;
    if (g->nodes < 4 || g->at.straight || grow_expected(g) < 2 * GROW_ALL || !grow_can_see(g) ||
        !grow_affords(g, 4))
        return false;
    // Made of results that nothing may depend on under a weaker model.
    if (g->weak && (i == IDIOM_BOTH_ARMS || i == IDIOM_WATERFALL || i == IDIOM_CHAIN))
        return false;
    switch (i) {
    case IDIOM_BREAK_BLOCK:
        return room >= 2 && grow_can_loop(g) && grow_has(g, GEN_IF) && grow_has(g, GEN_BREAK) &&
               (grow_has(g, GEN_INFINITE) || grow_has(g, GEN_FOR) || grow_has(g, GEN_DO_WHILE));
    case IDIOM_TWO_IFS:
    case IDIOM_AGAIN_INSIDE:
    case IDIOM_FOLDED:
    case IDIOM_SAME_OR_SAME:
        return room >= 1 && grow_has(g, GEN_IF);
    case IDIOM_BOTH_ARMS:
        return room >= 1 && grow_has(g, GEN_ELSE) && grow_has(g, GEN_OBSERVE_LATER);
    case IDIOM_BEHIND_MERGE:
        return room >= 1 && (grow_has(g, GEN_IF) || grow_has(g, GEN_ELSE));
    case IDIOM_CALLEE_LOOP:
        return room >= 3 && grow_can_make_function(g) && grow_can_loop_around(g) &&
               grow_has(g, GEN_RETURN);
    case IDIOM_WATERFALL:
        return room >= 3 && grow_can_loop_around(g) && grow_op_weight(g, GROUP_FIRST) &&
               g->at.times <= 12 &&
               ((grow_has(g, GEN_DO_WHILE) && grow_has(g, GEN_DIVERGENT_TRIPS)) ||
                (grow_has(g, GEN_FOR) && grow_has(g, GEN_BREAK))) &&
               grow_has(g, GEN_OBSERVE_BRANCH) && grow_expected(g) >= 4 * GROW_ALL;
    case IDIOM_LEFT_EARLY:
        return room >= 2 && grow_can_loop_around(g) && grow_has(g, GEN_BREAK) &&
               grow_has(g, GEN_OBSERVE_LATER);
    case IDIOM_REMAINDER:
        return room >= 1 && grow_can_loop(g) && grow_has(g, GEN_FOR) &&
               grow_has(g, GEN_DIVERGENT_TRIPS);
    case IDIOM_INNER_BREAK:
    case IDIOM_TWO_LEVELS:
        return room >= 3 && grow_can_loop_around(g) && g->at.times * 9 <= GEN_EXECUTIONS_MAX &&
               grow_has(g, GEN_BREAK) && grow_expected(g) >= 4 * GROW_ALL;
    case IDIOM_LATE_OP:
        return room >= 2 && grow_can_loop_around(g) && grow_has(g, GEN_CONTINUE_CODE) &&
               grow_has(g, GEN_CONTINUE);
    case IDIOM_DENSE:
        return room >= 2 && grow_can_loop_around(g) && grow_has(g, GEN_CONTINUE) &&
               grow_expected(g) >= 4 * GROW_ALL;
    case IDIOM_CASES:
        return room >= 1 && grow_has(g, GEN_SWITCH) && grow_expected(g) >= 4 * GROW_ALL;
    case IDIOM_QUADS:
        return room >= 1 && grow_has(g, GEN_IF) &&
               (grow_op_weight(g, GROUP_QUAD_SWAP) || grow_op_weight(g, GROUP_QUAD_ALL));
    case IDIOM_ONE_GROUP:
        return room >= 1 && grow_has(g, GEN_IF) && g->p->groups > 1;
    case IDIOM_BACK_TO_BACK:
        return grow_op_weight(g, GROUP_SHUFFLE) > 0;
    case IDIOM_CHAIN:
        return room >= 2 && grow_has(g, GEN_IF) && grow_has(g, GEN_PHI) &&
               grow_has(g, GEN_OBSERVE_BRANCH) && grow_expected(g) >= 4 * GROW_ALL;
    case IDIOM_USED_INSIDE:
        return room >= 2 && (grow_has(g, GEN_SWITCH) || grow_can_loop_around(g)) &&
               grow_has(g, GEN_OBSERVE_LATER) && grow_expected(g) >= 4 * GROW_ALL;
    case IDIOM_AGAIN_BEHIND:
        return room >= 1 && grow_has(g, GEN_IF) && !g->at.bound &&
               (g->at.may.leave_loop || g->at.may.next_trip || grow_can_return(g)) &&
               grow_expected(g) >= 4 * GROW_ALL;
    case IDIOM_GOES_ON:
        return room >= 3 && grow_can_loop_around(g) && grow_has(g, GEN_SWITCH) &&
               grow_has(g, GEN_CONTINUE) && grow_expected(g) >= 4 * GROW_ALL;
#define X(id, name, line) case IDIOM_##id:
        GROW_DERIVED_IDIOMS(X)
        GROW_SAMPLED_IDIOMS(X)
#undef X
        return room >= 2 && grow_can_derive(g, i);
#define X(id, name, line) case IDIOM_##id:
        GROW_FRAGMENT_IDIOMS(X)
#undef X
        return room >= 2 && grow_can_fragment(g, i);
#define X(id, name, line) case IDIOM_##id:
        GROW_IMAGE_IDIOMS(X)
#undef X
        return grow_can_image(g, i) &&
               (i == IDIOM_INDEX_WATERFALL ? !g->weak && grow_can_idiom(g, IDIOM_WATERFALL)
                                           : room >= 1);
    case IDIOM_WAY_OUT:
        return room >= 4 && grow_can_loop_around(g) && g->at.times * 9 <= GEN_EXECUTIONS_MAX &&
               grow_has(g, GEN_IF) && grow_has(g, GEN_BREAK) && grow_expected(g) >= 4 * GROW_ALL;
    case GROW_IDIOM_COUNT:
        break;
    }
    return false;
}
