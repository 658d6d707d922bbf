// SPDX-License-Identifier: Apache-2.0
//
// Reduces a draw: fewer vertices; a smaller target; full coverage; fewer primitives; a single point
// in place of all primitives; moving everything to the upper left corner. The size of the coverage
// log stays: the device decides how it forms subgroups.
#include "pass.h"

#include <string.h>

enum { TARGET, FULL, ONLY, WITHOUT, POINT, MOVE, VERTICES };
enum { POINTS_MOST = 64 }; // pixels to try as the only one

static uint32_t primitives(const struct spv_case *c)
{
    return c->cover == SPV_COVER_FULL ? 0 : c->vertex_count / spv_cover_vertices(c->cover);
}

// Returns the smallest coordinate of all vertices along an axis, in quads (rounded down).
static uint32_t empty_quads(const struct spv_case *c, uint32_t axis)
{
    uint32_t least = c->vertex_count ? UINT32_MAX : 0;
    for (uint32_t k = 0; k < c->vertex_count; k++)
        least = c->vertex[k][axis] < least ? c->vertex[k][axis] : least;
    return least / (2 * SPV_SUBPIXELS);
}

static void plan(struct red_plan *p)
{
    const struct spv_case *c = &p->e.c;
    const uint32_t vertices = spv_stage_row(c->stage)->has_vertices ? c->target[0] : 0;
    for (uint32_t k = 1; k < vertices; k *= 2)
        PLAN(p, VERTICES, k);
    if (vertices > 1)
        PLAN(p, VERTICES, vertices - 1);
    if (!spv_stage_row(c->stage)->has_pixels)
        return;
    const uint32_t w = c->target[0], h = c->target[1], n = primitives(c);
    if (n) {
        PLAN(p, FULL);
        const uint32_t x = empty_quads(c, 0), y = empty_quads(c, 1);
        if (x || y)
            PLAN(p, MOVE, x, y);
    }
    for (uint32_t y = 1; y < 2 * h; y *= 2)
        for (uint32_t x = 1; x < 2 * w; x *= 2)
            if (x < w || y < h)
                PLAN(p, TARGET, x < w ? x : w, y < h ? y : h);
    if (w > 2)
        PLAN(p, TARGET, w - 1, h);
    if (h > 2)
        PLAN(p, TARGET, w, h - 1);
    if (n > 1)
        for (uint32_t k = 0; k < n; k++)
            PLAN(p, ONLY, k);
    if (n > 1)
        for (uint32_t k = 0; k < n; k++)
            PLAN(p, WITHOUT, k);
    if (c->vertex_count > 1)
        for (uint32_t k = 0; k < w * h && k < POINTS_MOST; k++)
            PLAN(p, POINT, k % w, k / w);
}

// Moves vertices outside the target to its edge; removes points outside.
static bool fit(struct spv_case *c)
{
    uint32_t n = 0;
    for (uint32_t k = 0; k < c->vertex_count; k++) {
        bool beyond = false;
        for (uint32_t d = 0; d < 2; d++) {
            const uint32_t most = c->target[d] * SPV_SUBPIXELS;
            beyond |= c->vertex[k][d] >= most;
            c->vertex[n][d] = (uint16_t)(c->vertex[k][d] < most ? c->vertex[k][d] : most);
        }
        n += !beyond || c->cover != SPV_COVER_POINTS;
    }
    c->vertex_count = n;
    return n || c->cover == SPV_COVER_FULL;
}

static bool apply(struct spv_edit *e, const struct red_step *s)
{
    struct spv_case *c = &e->c;
    const uint32_t *v = s->v, each = spv_cover_vertices(c->cover);
    switch (v[0]) {
    case VERTICES:
        c->target[0] = v[1];
        return true;
    case TARGET:
        c->target[0] = v[1];
        c->target[1] = v[2];
        return fit(c);
    case FULL:
        c->cover = SPV_COVER_FULL;
        c->vertex_count = 0;
        return true;
    case ONLY:
        memmove(c->vertex[0], c->vertex[v[1] * each], each * sizeof *c->vertex);
        c->vertex_count = each;
        return true;
    case WITHOUT:
        memmove(c->vertex[v[1] * each], c->vertex[(v[1] + 1) * each],
                (c->vertex_count - (v[1] + 1) * each) * sizeof *c->vertex);
        c->vertex_count -= each;
        return true;
    case POINT:
        c->cover = SPV_COVER_POINTS;
        c->vertex_count = 1;
        for (uint32_t d = 0; d < 2; d++)
            c->vertex[0][d] = (uint16_t)(v[1 + d] * SPV_SUBPIXELS + SPV_SUBPIXELS / 2);
        return true;
    case MOVE:
        for (uint32_t k = 0; k < c->vertex_count; k++)
            for (uint32_t d = 0; d < 2; d++)
                c->vertex[k][d] = (uint16_t)(c->vertex[k][d] - v[1 + d] * 2 * SPV_SUBPIXELS);
        return true;
    default:
        return false;
    }
}

const struct red_pass pass_cover = {"cover", plan, apply};
