// SPDX-License-Identifier: Apache-2.0
//
// The values of built-in variables.
#include "dispatch.h"

#include <string.h>

// Returns component c of the LocalInvocationId of invocation i.
static uint32_t local_id(const uint32_t size[3], uint32_t i, uint32_t c)
{
    return c == 0 ? i % size[0] : c == 1 ? i / size[0] % size[1] : i / size[0] / size[1];
}

static uint32_t pixel_at(const struct machine *m, uint32_t lane)
{
    return m->group->run->coverage->pixel[m->invocation[lane]];
}

// Returns the bits of x or y of the pixel's centre.
static uint32_t frag_coord(const struct machine *m, uint32_t lane, uint32_t c)
{
    const uint32_t p = pixel_at(m, lane);
    const float at = 0.5f + (float)(c == 0 ? spv_coverage_x(p) : spv_coverage_y(p));
    uint32_t bits;
    memcpy(&bits, &at, sizeof bits);
    return c < 2 ? bits : 0;
}

// Components z and w of FragCoord are never defined, nor is the pixel of a quad without a live
// lane.
lane_mask builtin_defined(const struct machine *m, uint32_t builtin, uint32_t c)
{
    lane_mask known = m->live;
    if (builtin == SpvBuiltInFragCoord)
        LANES_EACH (l, m->live)
            if (c > 1 || pixel_at(m, l) == UINT32_MAX)
                known &= ~lane_bit(l);
    return known;
}

uint32_t builtin_value(const struct machine *m, uint32_t builtin, uint32_t lane, uint32_t c)
{
    const struct workgroup *g = m->group;
    const uint32_t *size = m->p->local_size, *groups = g->run->c->groups;
    uint32_t i = m->invocation[lane];
    lane_mask mask = 0;
    switch (builtin) {
    case SpvBuiltInWorkgroupId:
        return g->id[c];
    case SpvBuiltInNumWorkgroups:
        return groups[c];
    case SpvBuiltInLocalInvocationId:
        return local_id(size, i, c);
    case SpvBuiltInGlobalInvocationId:
        return g->id[c] * size[c] + local_id(size, i, c);
    case SpvBuiltInLocalInvocationIndex:
        return i;
    case SpvBuiltInSubgroupId:
        return m->id;
    case SpvBuiltInNumSubgroups:
        return g->subgroups;
    case SpvBuiltInSubgroupSize:
        return g->run->subgroup;
    case SpvBuiltInSubgroupLocalInvocationId:
        return lane;
    case SpvBuiltInVertexIndex:
        return spv_coverage_x(pixel_at(m, lane));
    case SpvBuiltInInstanceIndex:
        return 0;
    case SpvBuiltInHelperInvocation:
        return lane_in(m->helper, lane);
    case SpvBuiltInFragCoord:
        return frag_coord(m, lane, c);
    case SpvBuiltInSubgroupEqMask:
        mask = lane_bit(lane);
        break;
    case SpvBuiltInSubgroupGeMask:
        mask = ~lanes_below(lane);
        break;
    case SpvBuiltInSubgroupGtMask:
        mask = ~lanes_below(lane + 1);
        break;
    case SpvBuiltInSubgroupLeMask:
        mask = lanes_below(lane + 1);
        break;
    case SpvBuiltInSubgroupLtMask:
        mask = lanes_below(lane);
        break;
    default:
        return 0;
    }
    // "the bits beyond SubgroupSize are zero"
    return (uint32_t)((mask & lanes_below(g->run->subgroup)) >> (32 * c));
}

uint32_t builtin_cells(const struct spv_stage_row *stage, uint32_t builtin)
{
    switch (builtin) {
    case SpvBuiltInWorkgroupId:
    case SpvBuiltInNumWorkgroups:
    case SpvBuiltInLocalInvocationId:
    case SpvBuiltInGlobalInvocationId:
        return 3;
    case SpvBuiltInLocalInvocationIndex:
    case SpvBuiltInSubgroupId:
    case SpvBuiltInNumSubgroups:
    case SpvBuiltInSubgroupSize:
    case SpvBuiltInSubgroupLocalInvocationId:
        return 1;
    case SpvBuiltInVertexIndex:
    case SpvBuiltInInstanceIndex:
        return stage->has_vertices ? 1 : 0;
    case SpvBuiltInHelperInvocation:
        return stage->has_helpers ? 1 : 0;
    case SpvBuiltInFragCoord:
        return stage->has_pixels ? 4 : 0;
    case SpvBuiltInSubgroupEqMask:
    case SpvBuiltInSubgroupGeMask:
    case SpvBuiltInSubgroupGtMask:
    case SpvBuiltInSubgroupLeMask:
    case SpvBuiltInSubgroupLtMask:
        return 4;
    default:
        return 0;
    }
}
