// SPDX-License-Identifier: Apache-2.0
//
// Table of the shapes of grow_patterns.h, and the conditions under which each of them fits.
#include "grow_shapes.h"

const struct grow_pattern_row *grow_pattern_row(enum grow_pattern i)
{
    static const struct grow_pattern_row rows[] = {
#define F(x)                               GEN_BIT(GEN_##x)
#define X(id, name, share, features, line) {{name, line}, share, features},
        GROW_PATTERNS(X)
#undef X
#undef F
    };
    _Static_assert(GROW_PATTERN_COUNT <= 64, "a bit each");
    CHECK(i < GROW_PATTERN_COUNT);
    return &rows[i];
}

const struct gen_pattern *gen_pattern_row(uint32_t i)
{
    return i < GROW_PATTERN_COUNT ? &grow_pattern_row((enum grow_pattern)i)->shown : NULL;
}

bool grow_can_pattern(const struct grow *g, enum grow_pattern i)
{
    // The blocks of a shape are grown without further checks, so there must be room for all of
    // them.
    const uint32_t room = g->profile->depth > g->at.depth ? g->profile->depth - g->at.depth : 0;
    if (g->nodes < 4 || g->at.straight || grow_expected(g) < 2 * GROW_ALL || !grow_can_see(g) ||
        !grow_affords(g, 4))
        return false;
    // These need results on which, under a weaker model, nothing may depend.
    if (g->weak && (i == PATTERN_BOTH_ARMS || i == PATTERN_WATERFALL || i == PATTERN_CHAIN))
        return false;
    switch (i) {
    case PATTERN_BREAK_BLOCK:
        return room >= 2 && grow_can_loop(g) && grow_has(g, GEN_IF) && grow_has(g, GEN_BREAK) &&
               (grow_has(g, GEN_INFINITE) || grow_has(g, GEN_FOR) || grow_has(g, GEN_DO_WHILE));
    case PATTERN_TWO_IFS:
    case PATTERN_AGAIN_INSIDE:
    case PATTERN_FOLDED:
    case PATTERN_SAME_OR_SAME:
        return room >= 1 && grow_has(g, GEN_IF);
    case PATTERN_BOTH_ARMS:
        return room >= 1 && grow_has(g, GEN_ELSE) && grow_has(g, GEN_OBSERVE_LATER);
    case PATTERN_AFTER_MERGE:
        return room >= 1 && (grow_has(g, GEN_IF) || grow_has(g, GEN_ELSE));
    case PATTERN_CALLEE_LOOP:
        return room >= 3 && grow_can_make_function(g) && grow_can_loop_around(g) &&
               grow_has(g, GEN_RETURN);
    case PATTERN_WATERFALL:
        return room >= 3 && grow_can_loop_around(g) && grow_op_weight(g, GROUP_FIRST) &&
               g->at.times <= 12 &&
               ((grow_has(g, GEN_DO_WHILE) && grow_has(g, GEN_DIVERGENT_TRIPS)) ||
                (grow_has(g, GEN_FOR) && grow_has(g, GEN_BREAK))) &&
               grow_has(g, GEN_OBSERVE_BRANCH) && grow_expected(g) >= 4 * GROW_ALL;
    case PATTERN_LEFT_EARLY:
        return room >= 2 && grow_can_loop_around(g) && grow_has(g, GEN_BREAK) &&
               grow_has(g, GEN_OBSERVE_LATER);
    case PATTERN_REMAINDER:
        return room >= 1 && grow_can_loop(g) && grow_has(g, GEN_FOR) &&
               grow_has(g, GEN_DIVERGENT_TRIPS);
    case PATTERN_INNER_BREAK:
    case PATTERN_TWO_LEVELS:
        return room >= 3 && grow_can_loop_around(g) && g->at.times * 9 <= GEN_EXECUTIONS_MAX &&
               grow_has(g, GEN_BREAK) && grow_expected(g) >= 4 * GROW_ALL;
    case PATTERN_LATE_OP:
        return room >= 2 && grow_can_loop_around(g) && grow_has(g, GEN_CONTINUE_CODE) &&
               grow_has(g, GEN_CONTINUE);
    case PATTERN_DENSE:
        return room >= 2 && grow_can_loop_around(g) && grow_has(g, GEN_CONTINUE) &&
               grow_expected(g) >= 4 * GROW_ALL;
    case PATTERN_CASES:
        return room >= 1 && grow_has(g, GEN_SWITCH) && grow_expected(g) >= 4 * GROW_ALL;
    case PATTERN_QUADS:
        return room >= 1 && grow_has(g, GEN_IF) &&
               (grow_op_weight(g, GROUP_QUAD_SWAP) || grow_op_weight(g, GROUP_QUAD_ALL));
    case PATTERN_ONE_GROUP:
        return room >= 1 && grow_has(g, GEN_IF) &&
               (g->p->groups > 1 || gen_local_subgroups(g->p) > 1);
    case PATTERN_BACK_TO_BACK:
        return grow_op_weight(g, GROUP_SHUFFLE) > 0;
    case PATTERN_CHAIN:
        return room >= 2 && grow_has(g, GEN_IF) && grow_has(g, GEN_PHI) &&
               grow_has(g, GEN_OBSERVE_BRANCH) && grow_expected(g) >= 4 * GROW_ALL;
    case PATTERN_USED_INSIDE:
        return room >= 2 && (grow_has(g, GEN_SWITCH) || grow_can_loop_around(g)) &&
               grow_has(g, GEN_OBSERVE_LATER) && grow_expected(g) >= 4 * GROW_ALL;
    case PATTERN_AGAIN_AFTER:
        return room >= 1 && grow_has(g, GEN_IF) && !g->at.bound &&
               (g->at.may.leave_loop || g->at.may.next_trip || grow_can_return(g)) &&
               grow_expected(g) >= 4 * GROW_ALL;
    case PATTERN_GOES_ON:
        return room >= 3 && grow_can_loop_around(g) && grow_has(g, GEN_SWITCH) &&
               grow_has(g, GEN_CONTINUE) && grow_expected(g) >= 4 * GROW_ALL;
#define X(id, ...) case PATTERN_##id:
        GROW_REPORTED_PATTERNS(X)
#undef X
        return grow_can_reported(g, i, room);
#define X(id, ...) case PATTERN_##id:
        GROW_DERIVED_PATTERNS(X)
        GROW_SAMPLED_PATTERNS(X)
#undef X
        return room >= 2 && grow_can_derive(g, i);
#define X(id, ...) case PATTERN_##id:
        GROW_FRAGMENT_PATTERNS(X)
#undef X
        return room >= 2 && grow_can_fragment(g, i);
#define X(id, ...) case PATTERN_##id:
        GROW_IMAGE_PATTERNS(X)
#undef X
        return grow_can_image(g, i) &&
               (i == PATTERN_INDEX_WATERFALL ? !g->weak && grow_can_pattern(g, PATTERN_WATERFALL)
                                             : room >= 1);
    case PATTERN_WAY_OUT:
        return room >= 4 && grow_can_loop_around(g) && g->at.times * 9 <= GEN_EXECUTIONS_MAX &&
               grow_has(g, GEN_IF) && grow_has(g, GEN_BREAK) && grow_expected(g) >= 4 * GROW_ALL;
    case GROW_PATTERN_COUNT:
        break;
    }
    return false;
}
