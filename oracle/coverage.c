// SPDX-License-Identifier: Apache-2.0
//
// The invocations of a draw (R12). Input: the coverage buffer as a device left it (spirv_stage.h).
// Output: for each subgroup its live lanes, the lanes that took part in the first ballot, and the
// pixel of each lane (for helpers derived from the quad); or why a draw cannot produce the buffer.
// Also builds a coverage for runs without a device: the blocks of spirv/spirv_cover.h.
#include "oracle.h"

#include "spirv/spirv_cover.h"

#include <string.h>

// ---- what was not logged ---------------------------------------------------------------

// Sets the pixels of quads that have only helpers, which no lane logged. If all logged pixels fit
// blocks (R12), the pixels are those of the block. Results of group operations must not depend on
// them (R14).
static void guess(const struct spv_case *c, struct orc_coverage *v)
{
    uint32_t h;
    const uint32_t w = spv_cover_width(c, v->size, &h);
    for (int fill = 0; fill < 2; fill++)
        for (uint32_t n = 0; n < v->subgroups; n++) {
            uint32_t *pixel = v->pixel + (size_t)n * v->size,
                     some = lane_first(v->subgroup[n].live);
            const uint32_t x = spv_coverage_x(pixel[some]) / w * w,
                           y = spv_coverage_y(pixel[some]) / h * h;
            for (uint32_t l = 0; l < v->size; l++) {
                const uint32_t at = spv_cover_pixel(x, y, w, h, l);
                if (lane_in(v->subgroup[n].live, l) && pixel[l] != at)
                    return;
                if (fill && pixel[l] == UINT32_MAX)
                    pixel[l] = at & ~SPV_COVERAGE_LIVE;
            }
        }
}

// ---- what was logged -----------------------------------------------------------------

static lane_mask mask_at(const uint32_t *words, uint32_t n)
{
    lane_mask m = 0;
    for (uint32_t k = 0; k < n; k++)
        m |= (lane_mask)words[k] << 32 * k;
    return m;
}

// Returns the upper left pixel of the quad, from the pixel of one lane. All four lanes must return
// the same.
static uint32_t corner_of(uint32_t pixel, uint32_t lane)
{
    return pixel - (lane & 1) - (lane >> 1 & 1) * (1u << SPV_COVERAGE_BITS);
}

// Reads the rows of one subgroup. False if they contradict each other or the masks.
static bool subgroup_read(const struct spv_case *c, const uint32_t *words, uint32_t size,
                          uint32_t n, struct orc_covered *out, uint32_t *pixel, uint32_t *silent,
                          struct err *e)
{
    const uint32_t masks = spv_coverage_mask(size);
    const bool helpers = spv_stage_row(c->stage)->has_helpers;
    lane_mask rows = 0;
    for (uint32_t l = 0; l < size; l++) {
        const uint32_t *row = words + spv_coverage_at(size, n, l);
        if (!row[0])
            continue;
        const uint32_t x = spv_coverage_x(row[0]), y = spv_coverage_y(row[0]);
        if (!(row[0] & SPV_COVERAGE_LIVE) || x >= c->target[0] || y >= c->target[1])
            return spv_stage_row(c->stage)->has_vertices
                       ? err_set(e, "subgroup %u lane %u logged vertex %u of %u", n, l, x,
                                 c->target[0])
                       : err_set(e,
                                 "subgroup %u lane %u logged pixel %u, %u of a target of %u x %u",
                                 n, l, x, y, c->target[0], c->target[1]);
        const lane_mask present = mask_at(row + 1, masks), live = mask_at(row + 1 + masks, masks);
        if (!rows) {
            out->present = present;
            out->live = live;
        }
        if (present != out->present || live != out->live)
            return err_set(e, "lanes %u and %u of subgroup %u got different ballots at its start",
                           lane_first(rows), l, n);
        rows |= lane_bit(l);
        pixel[l] = row[0];
    }
    if (!rows)
        return err_set(e, "no lane of subgroup %u logged anything", n);
    // A stage without helpers may have lanes that log nothing: vertices that run again (R12).
    const bool more = !helpers && !(rows & ~out->live);
    if (rows != out->live && !more)
        return err_set(e, "in subgroup %u lane %u %s", n, lane_first(rows ^ out->live),
                       lane_in(rows, lane_first(rows ^ out->live))
                           ? "stored a row, but was a helper in the ballot"
                           : "was not a helper in the ballot, but stored no row");
    if (out->live & ~out->present || out->present & ~lanes_below(size) ||
        (!helpers && out->present != out->live))
        return err_set(
            e, "in subgroup %u a live lane does not exist or took no part in the first ballot", n);
    if (!helpers) {
        *silent += lane_count(out->live & ~rows);
        out->live = out->present = rows;
    }
    for (uint32_t q = 0; helpers && q < size; q += SPV_QUAD) {
        uint32_t first = size;
        for (uint32_t l = q; l < q + SPV_QUAD; l++) {
            if (!lane_in(out->live, l))
                continue;
            first = first == size ? l : first;
            if (corner_of(pixel[l], l) != corner_of(pixel[first], first)) // R12
                return err_set(e,
                               "lanes %u and %u of subgroup %u are in one quad, but run for the "
                               "pixels %u, %u and %u, %u",
                               first, l, n, spv_coverage_x(pixel[first]),
                               spv_coverage_y(pixel[first]), spv_coverage_x(pixel[l]),
                               spv_coverage_y(pixel[l]));
        }
        for (uint32_t l = q; l < q + SPV_QUAD && first < size; l++)
            if (!lane_in(out->live, l))
                pixel[l] = (corner_of(pixel[first], first) + (l & 1) +
                            (l >> 1 & 1) * (1u << SPV_COVERAGE_BITS)) &
                           ~SPV_COVERAGE_LIVE;
    }
    return true;
}

// ---- coverage by primitives ------------------------------------------------------------

// A device may round the positions of vertices, and it decides which primitive owns a pixel on an
// edge. So within this distance of an edge, in sixteenths of a pixel, both are accepted.
enum { NEAR_EDGE = 2 };

// Whether a primitive covers the centre of a pixel: certainly, possibly.
struct covering {
    bool surely, perhaps;
};

static struct covering by_triangle(const uint16_t (*v)[2], int64_t x, int64_t y)
{
    const int64_t area = ((int64_t)v[1][0] - v[0][0]) * ((int64_t)v[2][1] - v[0][1]) -
                         ((int64_t)v[1][1] - v[0][1]) * ((int64_t)v[2][0] - v[0][0]);
    struct covering c = {area != 0, true};
    for (int k = 0; k < 3; k++) {
        const uint16_t *a = v[k], *b = v[(k + 1) % 3];
        const int64_t dx = (int64_t)b[0] - a[0], dy = (int64_t)b[1] - a[1];
        const int64_t cross = dx * (y - a[1]) - dy * (x - a[0]), inner = area < 0 ? -cross : cross;
        const bool clear = cross * cross > NEAR_EDGE * NEAR_EDGE * (dx * dx + dy * dy);
        c.surely = c.surely && inner > 0 && clear;
        c.perhaps = c.perhaps && (inner >= 0 || !clear);
    }
    return c;
}

// A point is a square of one pixel.
static struct covering by_point(const uint16_t *v, int64_t x, int64_t y)
{
    const int64_t dx = x > v[0] ? x - v[0] : v[0] - x, dy = y > v[1] ? y - v[1] : v[1] - y,
                  far = dx > dy ? dx : dy;
    const int64_t half = SPV_SUBPIXELS / 2;
    return (struct covering){far < half - NEAR_EDGE, far <= half + NEAR_EDGE};
}

// A horizontal or vertical line covers the pixels between its ends, and possibly those at the ends.
// For any other line every pixel is possible.
static struct covering by_line(const uint16_t (*v)[2], int64_t x, int64_t y)
{
    const int along = v[0][0] == v[1][0];
    const int64_t at[2] = {x, y}, half = SPV_SUBPIXELS / 2;
    if (v[0][1 - along] != v[1][1 - along])
        return (struct covering){false, true};
    const int64_t low = v[0][along] < v[1][along] ? v[0][along] : v[1][along],
                  high = v[0][along] + v[1][along] - low;
    const int64_t side = at[1 - along] - v[0][1 - along], off = side < 0 ? -side : side,
                  t = at[along];
    return (struct covering){off < half - NEAR_EDGE && t > low + NEAR_EDGE && t < high - NEAR_EDGE,
                             off <= half + NEAR_EDGE && t >= low - half - NEAR_EDGE &&
                                 t <= high + half + NEAR_EDGE};
}

// Counts the primitives that certainly and that possibly cover a pixel.
static void covered(const struct spv_case *c, uint32_t px, uint32_t py, uint32_t *least,
                    uint32_t *most)
{
    const int64_t x = px * SPV_SUBPIXELS + SPV_SUBPIXELS / 2,
                  y = py * SPV_SUBPIXELS + SPV_SUBPIXELS / 2;
    const uint32_t each = spv_cover_vertices(c->cover);
    *least = *most = c->cover == SPV_COVER_FULL;
    if (spv_stage_row(c->stage)->has_vertices) // "at least once"
        *most = UINT32_MAX;
    for (uint32_t k = 0; each && k + each <= c->vertex_count; k += each) {
        const uint16_t(*v)[2] = c->vertex + k;
        const struct covering by = c->cover == SPV_COVER_TRIANGLES ? by_triangle(v, x, y)
                                   : c->cover == SPV_COVER_LINES   ? by_line(v, x, y)
                                                                   : by_point(v[0], x, y);
        *least += by.surely;
        *most += by.perhaps;
    }
}

// "pixel 3, 1", "vertex 3"
static const char *place(const struct spv_case *c, uint32_t x, uint32_t y, char text[40])
{
    if (spv_stage_row(c->stage)->has_vertices)
        snprintf(text, 40, "vertex %u", x);
    else
        snprintf(text, 40, "pixel %u, %u", x, y);
    return text;
}

// Checks that each pixel ran as often as primitives cover it, and each vertex at least once. This
// detects a driver that draws nothing, or only a part.
static bool all_drawn(const struct spv_case *c, struct orc_coverage *v, struct err *e)
{
    char at[40];
    uint32_t drawn[SPV_TARGET_PIXELS] = {0};
    for (uint32_t n = 0; n < v->subgroups; n++)
        LANES_EACH (l, v->subgroup[n].live) {
            const uint32_t p = v->pixel[n * v->size + l];
            drawn[spv_coverage_y(p) * c->target[0] + spv_coverage_x(p)]++;
        }
    for (uint32_t k = 0; k < c->target[0] * c->target[1]; k++) {
        const uint32_t x = k % c->target[0], y = k / c->target[0];
        uint32_t least, most;
        covered(c, x, y, &least, &most);
        if (drawn[k] < least || drawn[k] > most)
            return err_set(e, "%u invocations ran for %s, at %s %u were expected", drawn[k],
                           place(c, x, y, at), drawn[k] < least ? "least" : "most",
                           drawn[k] < least ? least : most);
        v->again += most == UINT32_MAX ? drawn[k] - least : 0;
    }
    return true;
}

static struct orc_coverage *fresh(struct arena *a, uint32_t size, uint32_t subgroups)
{
    struct orc_coverage *v = ARENA_NEW(a, struct orc_coverage);
    v->size = size;
    v->subgroups = subgroups;
    v->subgroup = ARENA_ARRAY(a, struct orc_covered, subgroups);
    v->pixel = ARENA_ARRAY(a, uint32_t, (size_t)subgroups *size);
    memset(v->pixel, 0xff, (size_t)subgroups * size * sizeof *v->pixel); // unknown
    return v;
}

bool orc_coverage_read(struct arena *a, const struct spv_case *c, const uint32_t *words,
                       uint32_t count, uint32_t size, bool full_quads, struct orc_coverage **out,
                       struct err *e)
{
    const uint32_t room = spv_coverage_room(size, count);
    if (words[0] > room)
        return err_set(e, "%u subgroups counted themselves, the buffer has room for %u", words[0],
                       room);
    if (words[0] && words[1] != size)
        return err_set(e, "SubgroupSize was %u where %u was required", words[1], size);
    struct orc_coverage *v = fresh(a, size, words[0]);
    for (uint32_t n = 0; n < v->subgroups; n++) {
        struct orc_covered *s = &v->subgroup[n];
        if (!subgroup_read(c, words, size, n, s, v->pixel + (size_t)n * size, &v->silent, e))
            return false;
        for (uint32_t q = 0; full_quads && q < size; q += SPV_QUAD)
            if (s->live >> q & 15 && (s->present >> q & 15) != 15) // R13
                return err_set(e,
                               "a quad of subgroup %u, lanes %u to %u, starts with fewer than four "
                               "active invocations",
                               n, q, q + 3);
    }
    for (uint64_t k = spv_coverage_at(size, v->subgroups, 0); k < count; k++)
        if (words[k])
            return err_set(
                e, "word %llu is not zero, in the row of a subgroup that did not count itself",
                (unsigned long long)k);
    if (!all_drawn(c, v, e))
        return false;
    v->again += v->silent;
    if (spv_stage_row(c->stage)->has_helpers)
        guess(c, v);
    *out = v;
    return true;
}

void orc_coverage_words(const struct orc_coverage *v, uint32_t *words, uint32_t count)
{
    const uint32_t masks = spv_coverage_mask(v->size);
    memset(words, 0, count * sizeof *words);
    words[0] = v->subgroups;
    words[1] = v->subgroups ? v->size : 0;
    for (uint32_t n = 0; n < v->subgroups; n++)
        LANES_EACH (l, v->subgroup[n].live) {
            uint32_t *row = words + spv_coverage_at(v->size, n, l);
            row[0] = v->pixel[n * v->size + l];
            for (uint32_t k = 0; k < masks; k++) {
                row[1 + k] = (uint32_t)(v->subgroup[n].present >> 32 * k);
                row[1 + masks + k] = (uint32_t)(v->subgroup[n].live >> 32 * k);
            }
        }
}

// ---- coverage without a device ---------------------------------------------------------

struct orc_coverage *orc_coverage_make(struct arena *a, const struct spv_case *c, uint32_t size,
                                       bool helpers)
{
    const uint32_t blocks = spv_cover_blocks(c, size);
    struct orc_coverage *v = fresh(a, size, blocks);
    uint32_t count = 0;
    for (uint32_t k = 0; k < blocks; k++) {
        struct spv_cover_block b;
        if (!spv_cover_block(c, size, k, &b))
            continue;
        v->subgroup[count] =
            (struct orc_covered){.live = b.live, .present = helpers ? b.quads : b.live};
        LANES_EACH (l, b.quads) {
            const uint32_t pixel = spv_cover_pixel(b.x, b.y, b.w, b.h, l);
            v->pixel[count * size + l] = lane_in(b.live, l) ? pixel : pixel & ~SPV_COVERAGE_LIVE;
        }
        count++;
    }
    v->subgroups = count;
    return v;
}
