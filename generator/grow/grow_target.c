// SPDX-License-Identifier: Apache-2.0
//
// Fragment programs: the size of the target, and what each case draws in it.
#include "grow_shapes.h"

void grow_target(struct grow *g)
{
    struct gen_program *p = g->p;
    uint32_t w = 4 + gen_choose(g->c, 5), h = 4 + gen_choose(g->c, 3);
    while (w > 4 && (w + 1) * h + 1 > g->o->max_invocations)
        w--;
    while (h > 4 && (w + 1) * h + 1 > g->o->max_invocations)
        h--;
    p->target[0] = w;
    p->target[1] = h;
    p->groups = 1;
    p->local_size = (w + 1) * h + w + 1; // helpers may lie outside the right and the lower edge
    p->input_words = p->local_size < 16 ? 16 : p->local_size;
    const bool full = gen_chance(g->c, grow_has(g, GEN_FULL_QUADS) ? 75 : 0);
    const uint16_t ways[] = {g->o->features & GEN_BIT(GEN_DEMOTE) ? 8 : 0, 1,
                             grow_has(g, GEN_DEMOTE) ? 0 : 4};
    p->full_quads = full;
    if (full)
        grow_note(g, GEN_FULL_QUADS);
    else { // helpers may be missing in quad votes, so those guarantee nothing
        g->swarm.feature[GEN_OP_QUAD_VOTE] = 0;
        grow_want_op(g, GEN_OP_QUAD_VOTE);
    }
    p->helper_way = (enum gen_helper_way)gen_weighted(g->c, ways, 3);
}

// ---- what is drawn ----------------------------------------------------------------------

static void vertex(struct gen_cover *c, uint32_t x, uint32_t y)
{
    c->vertex[c->n][0] = (uint16_t)x;
    c->vertex[c->n][1] = (uint16_t)y;
    c->n++;
}

// One or two triangles with a common edge; their corners are near those of the target.
static void large(struct gen_choices *c, const struct gen_program *p, struct gen_cover *out)
{
    const uint32_t w = p->target[0] * SPV_SUBPIXELS, h = p->target[1] * SPV_SUBPIXELS;
    const uint32_t turn = gen_choose(c, 4), two = gen_choose(c, 2);
    uint32_t at[4][2];
    for (uint32_t i = 0; i < 4; i++) {
        const uint32_t x = gen_choose(c, w / 4), y = gen_choose(c, h / 4), corner = i ^ turn;
        at[i][0] = corner & 1 ? w - x : x;
        at[i][1] = corner & 2 ? h - y : y;
    }
    for (uint32_t i = 0; i < 3; i++)
        vertex(out, at[i][0], at[i][1]);
    for (uint32_t i = 0; two && i < 3; i++)
        vertex(out, at[3 - i][0], at[3 - i][1]);
}

// Small triangles, each in its own cell.
static void small(struct gen_choices *c, const struct gen_program *p, struct gen_cover *out)
{
    const uint32_t side = 2 + gen_choose(c, 3), left = gen_choose(c, 2),
                   cell = side * SPV_SUBPIXELS;
    const uint32_t wide = p->target[0] / side, high = p->target[1] / side;
    for (uint32_t i = 0; i < wide * high && out->n + 3 <= SPV_COVER_VERTICES; i++) {
        const uint32_t x = i % wide * cell, y = i / wide * cell;
        uint32_t v[3][2];
        for (uint32_t k = 0; k < 3; k++)
            for (uint32_t d = 0; d < 2; d++)
                v[k][d] = gen_choose(c, cell + 1);
        const bool whole = i == 0; // the first cell is filled, so that something is drawn
        if (!whole && left && i % 2)
            continue;
        for (uint32_t k = 0; k < 3; k++)
            vertex(out, x + (whole ? (k == 1) * cell : v[k][0]),
                   y + (whole ? (k == 2) * cell : v[k][1]));
    }
}

static void points(struct gen_choices *c, const struct gen_program *p, struct gen_cover *out)
{
    const uint32_t n = 1 + gen_choose(c, 12), size = p->target[0] * p->target[1];
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t pixel = gen_choose(c, size);
        const uint32_t x = pixel % p->target[0] * SPV_SUBPIXELS + SPV_SUBPIXELS / 2;
        const uint32_t y = pixel / p->target[0] * SPV_SUBPIXELS + SPV_SUBPIXELS / 2;
        bool there = false;
        for (uint32_t k = 0; k < out->n; k++)
            there = there || (out->vertex[k][0] == x && out->vertex[k][1] == y);
        if (!there)
            vertex(out, x, y);
    }
}

// Horizontal or vertical lines, each in its own row or column.
static void lines(struct gen_choices *c, const struct gen_program *p, struct gen_cover *out)
{
    const uint32_t n = 1 + gen_choose(c, 3), upright = gen_choose(c, 2),
                   step = 1 + gen_choose(c, 2);
    const uint32_t length = p->target[upright];
    for (uint32_t i = 0; i < n && i * step < p->target[!upright]; i++) {
        const uint32_t from = gen_choose(c, length - 2),
                       to = from + 2 + gen_choose(c, length - 2 - from);
        const uint32_t across = i * step * SPV_SUBPIXELS + SPV_SUBPIXELS / 2;
        for (uint32_t k = 0; k < 2; k++) {
            const uint32_t along = (k ? to : from) * SPV_SUBPIXELS + SPV_SUBPIXELS / 2;
            const uint32_t most = length * SPV_SUBPIXELS;
            vertex(out,
                   upright        ? across
                   : along < most ? along
                                  : most,
                   upright ? along < most ? along : most : across);
        }
    }
}

void gen_grow_covers(struct gen_choices *c, const struct gen_program *p, uint32_t n,
                     struct gen_cover *covers)
{
    enum { WHOLE, LARGE, SMALL, POINTS, LINES, KINDS };
    static const uint16_t odds[KINDS] = {
        [WHOLE] = 40, [LARGE] = 32, [SMALL] = 18, [POINTS] = 5, [LINES] = 5};
    static const enum spv_cover kinds[] = {SPV_COVER_FULL, SPV_COVER_TRIANGLES, SPV_COVER_TRIANGLES,
                                           SPV_COVER_POINTS, SPV_COVER_LINES};
    static void (*const draw[])(struct gen_choices *, const struct gen_program *,
                                struct gen_cover *) = {NULL, large, small, points, lines};
    const uint32_t span = gen_span_open(c, GEN_SPAN_SETUP);
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t kind = gen_weighted(c, odds, KINDS);
        covers[i].kind = kinds[kind];
        if (draw[kind])
            draw[kind](c, p, &covers[i]);
    }
    gen_span_close(c, span);
}
