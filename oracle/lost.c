// SPDX-License-Identifier: Apache-2.0
//
// Helper invocations with an unknown position (R14), for both machines. A group operation may
// ignore helpers, so its result for a helper is undefined. A helper that branches on such a result
// is *lost*: it is not executed until all its paths meet, and until then nothing that it
// contributes to is defined.
//
// It continues at the merge block of the innermost construct around the branch to which all its
// paths lead, or at the end of the innermost call. A path excludes a construct if it ends the
// invocation or leaves to an outer construct. Everything that it may have written on the paths is
// undefined afterwards. Its loops are assumed to end: a device on which they do not end returns no
// result.
//
// Until then it may be in every tangle that its paths lead to, and in no other. So it cannot meet a
// tangle that took another arm of an earlier branch.
#include "machine.h"

// Set of blocks on the paths of a lost lane, in its function and in functions called there.
struct ways {
    bool *seen;       // [block]
    uint32_t *blocks; // those with `seen`, in the order of discovery
    uint32_t n;
};

lane_mask helper_lose(struct machine *m, lane_mask undefined)
{
    const lane_mask lost =
        undefined & (m->p->weak || m->group->run->o.any_policy ? m->helper : m->absent_at_start);
    m->lost |= lost;
    return lost;
}

static void clear(struct ways *w)
{
    for (uint32_t k = 0; k < w->n; k++)
        w->seen[w->blocks[k]] = false;
    w->n = 0;
}

static void take(struct ways *w, uint32_t block)
{
    if (w->seen[block])
        return;
    w->seen[block] = true;
    w->blocks[w->n++] = block;
}

static bool is_outside(uint32_t block, const struct helper_level *outer, uint32_t n)
{
    for (uint32_t k = 0; k < n; k++)
        if (block == outer[k].merge || block == outer[k].continue_target)
            return true;
    return false;
}

// True if all paths from the end of `from` lead to `merge` (NONE: to the end of its function).
static bool lead_to(const struct orc_program *p, uint32_t from, uint32_t merge,
                    const struct helper_level *outer, uint32_t n, struct ways *w)
{
    const struct function *f = p->functions;
    while (from - f->entry >= f->block_count)
        f++;
    clear(w);
    const struct block *b = &p->blocks[from];
    for (uint32_t at = 0;; b = &p->blocks[w->blocks[at++]]) {
        for (uint32_t k = 0; k < b->inst_count && at; k++)
            if (b->insts[k].klass == IN_CALL)
                take(w, p->functions[b->insts[k].call->function].entry);
        for (uint32_t k = 0; k < b->edge_count; k++)
            if (b->edges[k].target != merge)
                take(w, b->edges[k].target);
        if (at == w->n)
            return true;
        const struct block *next = &p->blocks[w->blocks[at]];
        const bool returns = next->end == END_RETURN || next->end == END_RETURN_VALUE;
        if (next->end == END_TERMINATE || next->end == END_KILL || next->end == END_UNREACHABLE ||
            is_outside(w->blocks[at], outer, n) ||
            (returns && merge != NONE && w->blocks[at] - f->entry < f->block_count))
            return false;
    }
}

static struct ways *fresh_ways(struct run *run)
{
    struct ways *w = run->ways;
    if (!w) {
        w = run->ways = ARENA_NEW(run->arena, struct ways);
        w->seen = ARENA_ARRAY(run->arena, bool, run->p->block_count);
        w->blocks = ARENA_ARRAY(run->arena, uint32_t, run->p->block_count);
    }
    clear(w);
    return w;
}

static void unknown(struct machine *m, uint32_t plane, uint32_t cells, lane_mask lanes)
{
    for (uint32_t k = 0; k < cells; k++)
        m->v.defined[plane + k] &= ~lanes;
}

// Makes undefined what the lanes may have computed or stored on these paths.
static void forget(struct machine *m, uint32_t from, const struct ways *w, lane_mask lanes)
{
    const struct orc_program *p = m->p;
    for (uint32_t n = 0; n <= w->n; n++) {
        const struct block *b = &p->blocks[n ? w->blocks[n - 1] : from];
        for (uint32_t k = 0; k < b->edge_count; k++)
            for (uint32_t j = 0; j < b->edges[k].move_count; j++)
                unknown(m, b->edges[k].moves[j].dst, 1, lanes);
        for (uint32_t k = 0; k < b->inst_count && n; k++) {
            const struct inst *i = &b->insts[k];
            if (i->dst != NONE)
                unknown(m, i->dst, p->types[p->m.insts[i->spv].type].cells, lanes);
            for (uint32_t j = 0; i->klass == IN_STORE && j < p->object_count; j++)
                if (p->objects[j].kind == OBJ_LANE && (i->object == j || i->object == NONE))
                    unknown(m, p->objects[j].plane, p->objects[j].cells, lanes);
        }
    }
}

uint32_t helper_way_back(struct machine *m, uint32_t from, const struct helper_level *levels,
                         uint32_t n, bool called, lane_mask lanes)
{
    struct ways *w = fresh_ways(m->group->run);
    for (uint32_t k = 0; k < n + called; k++) {
        const uint32_t merge = k < n ? levels[k].merge : NONE;
        if (!lead_to(m->p, from, merge, levels + k + 1, k < n ? n - k - 1 : 0, w))
            continue;
        forget(m, from, w, lanes);
        return k;
    }
    return NONE;
}

void helper_seen_last(struct machine *m, lane_mask lanes)
{
    struct run *run = m->group->run;
    LANES_EACH (l, lanes) {
        m->was[l].n = 0;
        for (size_t k = 0; k < run->here.n; k++)
            *VEC_PUSH(run->arena, &m->was[l]) = run->here.v[k];
    }
}

// True if a path leads from one block to another of its function, within one iteration of the loops
// that contain both.
static bool leads(struct machine *m, uint32_t from, uint32_t to, const struct helper_place *loops,
                  size_t n)
{
    const struct orc_program *p = m->p;
    struct ways *w = fresh_ways(m->group->run);
    const struct block *b = &p->blocks[from];
    for (uint32_t at = 0;; b = &p->blocks[w->blocks[at++]]) {
        for (uint32_t k = 0; k < b->edge_count; k++) {
            bool next_round = false;
            for (size_t j = 0; j < n; j++)
                next_round |= loops[j].loop && loops[j].block == b->edges[k].target;
            if (!next_round)
                take(w, b->edges[k].target);
        }
        if (w->seen[to] || at == w->n)
            return w->seen[to];
    }
}

// True if a lane that was lost at `was` may have reached `here`. Compares the calls and loops of
// both positions, outermost first, up to the first difference.
static bool leads_here(struct machine *m, const helper_places *was, const helper_places *here)
{
    for (size_t k = 0; k < was->n && k < here->n; k++) {
        const struct helper_place a = was->v[k], b = here->v[k];
        if (a.block != b.block)
            return leads(m, a.block, b.block, here->v, k);
        if (a.loop != b.loop) // one is still in the first execution of the header
            return b.loop;
        if (a.at != b.at)
            return a.at < b.at;
    }
    return false;
}

lane_mask helper_may_be_here(struct machine *m)
{
    lane_mask here = 0;
    LANES_EACH (l, m->lost)
        here |= leads_here(m, &m->was[l], &m->group->run->here) ? lane_bit(l) : 0;
    return here;
}
