// SPDX-License-Identifier: Apache-2.0
//
// The fault `loop-exits-meet`: what a structurizer does that knows natural loops only. A block from
// which no path leads back to the loop's header is not part of the natural loop, even if it is in
// the loop's construct (a break block, or a path to a return). Lanes that go there wait until all
// lanes have left the loop, so that lanes of different iterations execute the block together.
//
// Where a construct's merge block is outside of the natural loop but its header is inside, the
// lanes that left the loop join there, too: such blocks become joins of the loop's exits.
#include "fault.h"
#include "flow.h"

#include "spirv/spirv_flow.h"

#include <string.h>

// The natural loops of a function.
struct natural {
    struct spv_flow g;
    bool **in; // [header][block]; NULL: not a loop that has a back edge
};

static void read_loop(struct arena *a, struct natural *n, uint32_t h)
{
    const struct spv_flow *g = &n->g;
    bool found = true;
    n->in[h] = ARENA_ARRAY(a, bool, g->n);
    n->in[h][h] = true;
    bool has_back_edge = false;
    while (found) {
        found = false;
        for (uint32_t b = 0; b < g->n; b++)
            for (uint32_t k = 0;
                 spv_flow_reached(g, b) && spv_flow_inside(g, h, b) && k < g->block[b].succ_count;
                 k++) {
                has_back_edge |= g->block[b].succ[k] == h;
                if (!n->in[h][b] && n->in[h][g->block[b].succ[k]])
                    n->in[h][b] = found = true;
            }
    }
    if (!has_back_edge)
        n->in[h] = NULL;
}

static const struct natural *natural_of(const struct machine *m, const struct function *f)
{
    struct run *run = m->group->run;
    const uint32_t at = (uint32_t)(f - m->p->functions);
    if (!run->natural)
        run->natural = ARENA_ARRAY(run->arena, struct natural *, m->p->function_count);
    if (run->natural[at])
        return run->natural[at];
    struct natural *n = run->natural[at] = ARENA_NEW(run->arena, struct natural);
    for (uint32_t k = 0; k < m->p->m.function_count; k++)
        if (m->p->m.functions[k].id == f->id)
            spv_flow_read(run->arena, &m->p->m, &m->p->m.functions[k], &n->g);
    n->in = ARENA_ARRAY(run->arena, bool *, n->g.n);
    for (uint32_t h = 0; h < n->g.n; h++)
        if (spv_flow_reached(&n->g, h) && n->g.block[h].kind == SPV_LOOP)
            read_loop(run->arena, n, h);
    return n;
}

static const struct function *function_of(const struct machine *m, uint32_t block)
{
    for (uint32_t k = 0; k < m->p->function_count; k++)
        if (block - m->p->functions[k].entry < m->p->functions[k].block_count)
            return &m->p->functions[k];
    return NULL;
}

static uint32_t block_of(const struct machine *m, const struct function *f, uint32_t label)
{
    uint32_t b = f->entry;
    while (m->p->blocks[b].label != label)
        b++;
    return b;
}

// Is the block in the natural loop of a header of its function?
static bool inside(const struct machine *m, uint32_t header, uint32_t block)
{
    const struct natural *n = natural_of(m, function_of(m, header));
    const uint32_t h = spv_flow_label(&n->g, m->p->blocks[header].label),
                   b = spv_flow_label(&n->g, m->p->blocks[block].label);
    return n->in[h] && n->in[h][b];
}

bool fault_waits_outside(struct machine *m, uint32_t depth, uint32_t from, uint32_t target,
                         lane_mask lanes)
{
    struct run *run = m->group->run;
    for (uint32_t d = depth; d-- > 0 && m->stack[d].kind != FR_CALL;) {
        struct frame *f = &m->stack[d];
        if (f->kind != FR_LOOP || !fault_in_block(m, f->block) || target == f->loop.merge_block ||
            !inside(m, f->block, from) || inside(m, f->block, target))
            continue;
        for (size_t k = 0; k < run->exits.n; k++)
            if (run->exits.v[k].machine == m && run->exits.v[k].depth == d &&
                run->exits.v[k].block == target) {
                run->exits.v[k].lanes |= lanes;
                return true;
            }
        *VEC_PUSH(run->arena, &run->exits) = (struct fault_exit){m, d, target, lanes};
        return true;
    }
    return false;
}

bool fault_continues_outside(struct machine *m)
{
    struct run *run = m->group->run;
    const uint32_t d = m->depth - 1, header = m->stack[d].block;
    size_t kept = 0, n = 0;
    struct fault_exit *now = ARENA_ARRAY(run->arena, struct fault_exit, run->exits.n + 1);
    for (size_t k = 0; k < run->exits.n; k++) {
        const struct fault_exit x = run->exits.v[k];
        if (x.machine == m && x.depth == d)
            now[n++] = x;
        else
            run->exits.v[kept++] = x;
    }
    run->exits.n = kept;
    if (!n)
        return false;
    const struct function *fn = function_of(m, header);
    const struct natural *loops = natural_of(m, fn);
    const struct spv_flow *g = &loops->g;
    const uint32_t h = spv_flow_label(g, m->p->blocks[header].label);
    // Merge blocks outside of constructs that begin inside; what comes later waits further down.
    for (uint32_t i = g->reached; i-- > 0;) {
        const uint32_t j = g->order[i], s = spv_flow_merges(g, j);
        if (s == SPV_NO_BLOCK || s == h || !loops->in[h][s] || loops->in[h][j] ||
            g->block[s].kind == SPV_LOOP)
            continue;
        const uint32_t join = block_of(m, fn, m->p->m.blocks[g->first + j].label);
        struct frame *f = flow_push(m, FR_SELECTION, join, 0);
        f->selection.merge_block = join;
    }
    for (size_t k = 0; k < n; k++) {
        m->block = now[k].block; // they come from outside, so they do not leave this loop again
        if (!fault_waits_outside(m, d, header, now[k].block, now[k].lanes) &&
            !flow_park(m, now[k].block, now[k].lanes))
            flow_push_part(m, now[k].block, now[k].lanes, "exit");
    }
    return true;
}
