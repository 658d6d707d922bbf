// SPDX-License-Identifier: Apache-2.0
//
// Table of the shapes of grow_idioms.h, and the conditions under which each of them fits.
#include "grow_shapes.h"

const struct grow_idiom_row *grow_idiom_row(enum grow_idiom i)
{
    static const struct grow_idiom_row rows[] = {
#define F(x)                               GEN_BIT(GEN_##x)
#define X(id, name, share, features, line) {{name, line}, share, features},
        GROW_IDIOMS(X)
#undef X
#undef F
    };
    _Static_assert(GROW_IDIOM_COUNT <= 64, "a bit each");
    CHECK(i < GROW_IDIOM_COUNT);
    return &rows[i];
}

const struct gen_idiom *gen_idiom_row(uint32_t i)
{
    return i < GROW_IDIOM_COUNT ? &grow_idiom_row((enum grow_idiom)i)->shown : NULL;
}

bool grow_can_idiom(const struct grow *g, enum grow_idiom i)
{
    // The blocks of a shape are grown without further checks, so there must be room for all of
    // them.
    const uint32_t room = g->profile->depth > g->at.depth ? g->profile->depth - g->at.depth : 0;
    if (g->nodes < 4 || g->at.straight || grow_expected(g) < 2 * GROW_ALL || !grow_can_see(g) ||
        !grow_affords(g, 4))
        return false;
    // These need results on which, under a weaker model, nothing may depend.
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
#define X(id, ...) case IDIOM_##id:
        GROW_DERIVED_IDIOMS(X)
        GROW_SAMPLED_IDIOMS(X)
#undef X
        return room >= 2 && grow_can_derive(g, i);
#define X(id, ...) case IDIOM_##id:
        GROW_FRAGMENT_IDIOMS(X)
#undef X
        return room >= 2 && grow_can_fragment(g, i);
#define X(id, ...) case IDIOM_##id:
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
