// SPDX-License-Identifier: Apache-2.0
//
// Which pixels a primitive covers, and the blocks of pixels that subgroups run.
#include "spirv_cover.h"
#include "spirv_groups.h"

uint32_t spv_cover_width(const struct spv_case *c, uint32_t size, uint32_t *height)
{
    const bool quads = spv_stage_row(c->stage)->has_pixels;
    uint32_t w = quads ? 2 : size, h = quads ? 2 : 1;
    while (w * h < size)
        *(w > h ? &h : &w) *= 2;
    *height = h;
    return w;
}

uint32_t spv_cover_pixel(uint32_t x, uint32_t y, uint32_t w, uint32_t h, uint32_t l)
{
    if (h == 1)
        return spv_coverage_pixel(x + l, y);
    const uint32_t quad = l / SPV_QUAD, across = w / 2;
    return spv_coverage_pixel(x + quad % across * 2 + (l & 1),
                              y + quad / across * 2 + (l >> 1 & 1));
}

// True if the centre of a pixel is on the inner side of an edge, or on an upper or left edge.
static bool inside_edge(const uint16_t *a, const uint16_t *b, int64_t x, int64_t y)
{
    const int64_t dx = (int64_t)b[0] - a[0], dy = (int64_t)b[1] - a[1];
    const int64_t side = dx * (y - a[1]) - dy * (x - a[0]);
    return side > 0 || (side == 0 && (dy < 0 || (dy == 0 && dx > 0)));
}

static bool in_triangle(const uint16_t (*v)[2], uint32_t px, uint32_t py)
{
    const int64_t x = px * SPV_SUBPIXELS + SPV_SUBPIXELS / 2,
                  y = py * SPV_SUBPIXELS + SPV_SUBPIXELS / 2;
    const int64_t area = ((int64_t)v[1][0] - v[0][0]) * ((int64_t)v[2][1] - v[0][1]) -
                         ((int64_t)v[1][1] - v[0][1]) * ((int64_t)v[2][0] - v[0][0]);
    const uint16_t *a = v[0], *b = area < 0 ? v[2] : v[1], *c = area < 0 ? v[1] : v[2];
    return area && inside_edge(a, b, x, y) && inside_edge(b, c, x, y) && inside_edge(c, a, x, y);
}

// A line covers one pixel in each column or row, whichever it has more of.
static bool on_line(const uint16_t (*v)[2], uint32_t px, uint32_t py)
{
    const int64_t d[2] = {(int64_t)v[1][0] - v[0][0], (int64_t)v[1][1] - v[0][1]};
    const int major = (d[0] < 0 ? -d[0] : d[0]) >= (d[1] < 0 ? -d[1] : d[1]) ? 0 : 1;
    const uint32_t p[2] = {px, py};
    const int64_t at = p[major] * SPV_SUBPIXELS + SPV_SUBPIXELS / 2, step = d[major];
    const int64_t low = step < 0 ? v[1][major] : v[0][major],
                  high = step < 0 ? v[0][major] : v[1][major];
    if (!step || at < low || at >= high)
        return false;
    const int64_t other = v[0][1 - major] + (at - v[0][major]) * d[1 - major] / step;
    return other / SPV_SUBPIXELS == p[1 - major];
}

static bool covers(const struct spv_case *c, uint32_t primitive, uint32_t x, uint32_t y)
{
    const uint16_t(*v)[2] = c->vertex + primitive * spv_cover_vertices(c->cover);
    if (x >= c->target[0] || y >= c->target[1])
        return false;
    switch (c->cover) {
    case SPV_COVER_TRIANGLES:
        return in_triangle(v, x, y);
    case SPV_COVER_POINTS:
        return v[0][0] / SPV_SUBPIXELS == x && v[0][1] / SPV_SUBPIXELS == y;
    case SPV_COVER_LINES:
        return on_line(v, x, y);
    default:
        return true;
    }
}

uint32_t spv_cover_blocks(const struct spv_case *c, uint32_t size)
{
    uint32_t h;
    const uint32_t w = spv_cover_width(c, size, &h);
    const uint32_t primitives =
        c->cover == SPV_COVER_FULL ? 1 : c->vertex_count / spv_cover_vertices(c->cover);
    return primitives * ((c->target[0] + w - 1) / w) * ((c->target[1] + h - 1) / h);
}

bool spv_cover_block(const struct spv_case *c, uint32_t size, uint32_t k,
                     struct spv_cover_block *out)
{
    uint32_t h;
    const uint32_t w = spv_cover_width(c, size, &h);
    const uint32_t across = (c->target[0] + w - 1) / w, down = (c->target[1] + h - 1) / h;
    *out = (struct spv_cover_block){.primitive = k / across / down,
                                    .x = k % across * w,
                                    .y = k / across % down * h,
                                    .w = w,
                                    .h = h};
    for (uint32_t l = 0; l < size; l++) {
        const uint32_t p = spv_cover_pixel(out->x, out->y, w, h, l);
        if (covers(c, out->primitive, spv_coverage_x(p), spv_coverage_y(p)))
            out->live |= lane_bit(l);
    }
    for (uint32_t l = 0; l < size; l++)
        if (out->live >> (l - l % SPV_QUAD) & ((1 << SPV_QUAD) - 1))
            out->quads |= lane_bit(l);
    return out->live != 0;
}
