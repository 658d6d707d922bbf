// SPDX-License-Identifier: Apache-2.0
//
// Which lanes arrive at a join. A lane knows the mask of the lanes that are with it, so it knows
// both masks after a branch. Where every lane of an arm arrives at the merge block, or none does,
// the mask there is known at the header. Otherwise only a vote of the lanes at the merge block
// decides: a lane that escapes takes part in it before it continues, or ends: so every lane that a
// mask names executes the operation. Its way leads through all such joins, from the inside out.
#include "ptx.h"

static bool seen_before(bool *seen, uint32_t b)
{
    const bool was = seen[b];
    seen[b] = true;
    return was;
}

// Walks from `b` inside the construct of `h`: adds what can happen at its merge block.
static void walk(const struct ptx_flow *f, uint32_t h, uint32_t b, bool *seen, bool *arrives,
                 bool *escapes)
{
    const struct spv_flow *g = &f->g;
    if (b == g->block[h].merge) {
        *arrives = true;
        return;
    }
    if (!spv_flow_inside(g, h, b)) {
        *escapes = true;
        return;
    }
    if (seen_before(seen, b))
        return;
    *escapes |= !g->block[b].succ_count;
    for (uint32_t i = 0; i < g->block[b].succ_count; i++)
        walk(f, h, g->block[b].succ[i], seen, arrives, escapes);
}

static void read_arms(struct arena *a, struct ptx_flow *f, uint32_t h)
{
    const struct spv_flow_block *x = &f->g.block[h];
    bool either = false, through = false;
    f->arm[h] = ARENA_ARRAY(a, enum ptx_arm, x->succ_count);
    for (uint32_t i = 0; i < x->succ_count; i++) {
        bool arrives = false, escapes = false;
        walk(f, h, x->succ[i], ARENA_ARRAY(a, bool, f->g.n), &arrives, &escapes);
        f->arm[h][i] = arrives && escapes ? PTX_EITHER : arrives ? PTX_ARRIVES : PTX_ESCAPES;
        either |= f->arm[h][i] == PTX_EITHER;
        for (uint32_t k = 0; x->kind == SPV_SWITCH && k < x->succ_count; k++)
            through |= x->succ[k] != x->succ[i] && x->succ[k] != x->merge &&
                       spv_flow_reaches(&f->g, x->succ[i], x->succ[k], x->merge);
    }
    // A block that two cases reach does not determine which of them a lane took.
    for (uint32_t i = 0; through && i < x->succ_count; i++)
        if (either && f->arm[h][i] == PTX_ESCAPES)
            f->arm[h][i] = PTX_EITHER;
    f->merge_vote[h] = either;
}

// Do all lanes that reach the continue target of loop `h` come by one edge, and together?
static bool comes_together(const struct ptx_flow *f, uint32_t h)
{
    const struct spv_flow *g = &f->g;
    const uint32_t c = g->block[h].cont;
    if (c == h)
        return true;
    if (g->block[c].pred_count != 1)
        return false;
    uint32_t k = g->block[g->block[c].pred[0]].construct;
    for (; k != SPV_NO_BLOCK && k != h; k = spv_flow_around(g, k))
        if (g->block[k].kind != SPV_SELECTION)
            return false;
    return true;
}

static void read_loop(struct arena *a, struct ptx_flow *f, uint32_t h)
{
    bool arrives = false, escapes = false;
    walk(f, h, h, ARENA_ARRAY(a, bool, f->g.n), &arrives, &escapes);
    f->merge_vote[h] = arrives && escapes;
    f->cont_vote[h] = spv_flow_reached(&f->g, f->g.block[h].cont) && !comes_together(f, h);
}

static void add(struct ptx_stop *room, uint32_t *n, uint32_t header, bool cont)
{
    room[(*n)++] = (struct ptx_stop){header, cont};
}

struct ptx_stop ptx_flow_way(const struct ptx_flow *f, uint32_t b, uint32_t target,
                             struct ptx_stop *room, uint32_t *n)
{
    const struct spv_flow *g = &f->g;
    *n = 0;
    for (uint32_t k = g->block[b].construct; k != SPV_NO_BLOCK; k = spv_flow_around(g, k)) {
        if (target != SPV_NO_BLOCK && spv_flow_inside(g, k, target))
            break;
        if (g->block[k].kind == SPV_LOOP && f->cont_vote[k] && !spv_flow_in_continue(g, k, b))
            add(room, n, k, true);
        if (target == g->block[k].merge)
            break;
        if (!f->merge_vote[k])
            continue;
        uint32_t arm = SPV_NO_BLOCK;
        for (uint32_t i = 0; b == k && i < g->block[k].succ_count; i++)
            if (g->block[k].succ[i] == target)
                arm = i;
        if (b != k && g->block[k].kind != SPV_LOOP)
            arm = spv_flow_arm(g, k, b);
        if (g->block[k].kind == SPV_LOOP || arm == SPV_NO_BLOCK || f->arm[k][arm] != PTX_ESCAPES)
            add(room, n, k, false);
    }
    room[*n] = (struct ptx_stop){SPV_NO_BLOCK, false};
    return room[0];
}

static void add_hops(struct arena *a, struct ptx_flow *f, uint32_t b, uint32_t target)
{
    struct ptx_stop *way = ARENA_ARRAY(a, struct ptx_stop, 2 * f->g.n + 1);
    uint32_t n;
    ptx_flow_way(f, b, target, way, &n);
    for (uint32_t i = 0; i < n; i++) {
        bool known = false;
        for (size_t k = 0; k < f->hops.n; k++)
            known |= f->hops.v[k].target == target && f->hops.v[k].at.header == way[i].header &&
                     f->hops.v[k].at.cont == way[i].cont;
        if (!known)
            *VEC_PUSH(a, &f->hops) = (struct ptx_hop){way[i], way[i + 1], target};
    }
}

void ptx_flow_read(const struct form *f, const struct spv_function *fn, struct ptx_flow *out)
{
    struct arena *a = f->arena;
    *out = (struct ptx_flow){0};
    spv_flow_read(a, &f->m, fn, &out->g);
    const struct spv_flow *g = &out->g;
    out->merge_vote = ARENA_ARRAY(a, bool, g->n);
    out->cont_vote = ARENA_ARRAY(a, bool, g->n);
    out->arm = ARENA_ARRAY(a, enum ptx_arm *, g->n);
    for (uint32_t b = 0; b < g->n; b++) {
        if (!spv_flow_reached(g, b) || g->block[b].kind == SPV_NO_CONSTRUCT)
            continue;
        if (g->block[b].kind == SPV_LOOP)
            read_loop(a, out, b);
        else
            read_arms(a, out, b);
    }
    for (uint32_t b = 0; b < g->n; b++) {
        if (!spv_flow_reached(g, b))
            continue;
        for (uint32_t i = 0; i < g->block[b].succ_count; i++)
            add_hops(a, out, b, g->block[b].succ[i]);
        if (!g->block[b].succ_count)
            add_hops(a, out, b, SPV_NO_BLOCK);
    }
}
