// SPDX-License-Identifier: Apache-2.0
//
// A function's blocks as a graph: successors, dominators (the iterative algorithm
// of Cooper, Harvey and Kennedy), reachability. Blocks that nothing reaches have none.
#include "construct.h"

#include <string.h>

static uint32_t block_index(const struct graph *g, uint32_t label)
{
    uint32_t b = label < g->m->bound ? g->m->block_of[label] : UINT32_MAX;
    return b >= g->first && b - g->first < g->n ? b - g->first : UINT32_MAX;
}

static void add_edge(struct graph *g, uint32_t from, uint32_t label)
{
    uint32_t to = block_index(g, label);
    if (to != UINT32_MAX)
        g->succ[from][g->succ_count[from]++] = to;
}

// Words of one literal of an OpSwitch.
static uint32_t literal_words(const struct spv_module *m, uint32_t selector)
{
    const struct spv_inst *d = spv_def(m, selector);
    const struct spv_inst *t = d ? spv_def(m, d->type) : NULL;
    return t && t->op == SpvOpTypeInt && t->n >= 1 && t->v[0] > 32 ? 2 : 1;
}

static void add_edges(struct arena *a, struct graph *g, uint32_t b)
{
    const struct spv_inst *i = &g->m->insts[g->m->blocks[g->first + b].last];
    g->succ[b] = ARENA_ARRAY(a, uint32_t, (size_t)i->n + 1);
    if (i->op == SpvOpBranch && i->n >= 1)
        add_edge(g, b, i->v[0]);
    if (i->op == SpvOpBranchConditional && i->n >= 3) {
        add_edge(g, b, i->v[1]);
        add_edge(g, b, i->v[2]);
    }
    if (i->op == SpvOpSwitch && i->n >= 2) {
        add_edge(g, b, i->v[1]);
        uint32_t lit = literal_words(g->m, i->v[0]);
        for (uint32_t k = 2; k + lit < i->n; k += lit + 1)
            add_edge(g, b, i->v[k + lit]);
    }
}

// Reverse post-order without recursion; `number` is the position in it.
static void sort_blocks(struct arena *a, struct graph *g, uint32_t *number)
{
    uint32_t *stack = ARENA_ARRAY(a, uint32_t, (size_t)g->n + 1), depth = 0, at = g->n;
    uint32_t *next = ARENA_ARRAY(a, uint32_t, g->n);
    bool *seen = ARENA_ARRAY(a, bool, g->n);
    uint32_t *post = ARENA_ARRAY(a, uint32_t, g->n);
    if (g->n == 0)
        return;
    stack[depth++] = 0;
    seen[0] = true;
    while (depth) {
        uint32_t b = stack[depth - 1];
        if (next[b] < g->succ_count[b]) {
            uint32_t s = g->succ[b][next[b]++];
            if (!seen[s]) {
                seen[s] = true;
                stack[depth++] = s;
            }
            continue;
        }
        post[--at] = b;
        depth--;
    }
    g->reached = g->n - at;
    g->order = post + at;
    for (uint32_t i = 0; i < g->reached; i++)
        number[g->order[i]] = i;
}

static uint32_t common(const struct graph *g, const uint32_t *number, uint32_t x, uint32_t y)
{
    while (x != y) {
        while (number[x] > number[y])
            x = g->idom[x];
        while (number[y] > number[x])
            y = g->idom[y];
    }
    return x;
}

void graph_make(struct arena *a, const struct spv_module *m, const struct spv_function *f,
                struct graph *out)
{
    *out = (struct graph){.m = m, .f = f, .first = f->block_first, .n = f->block_count};
    struct graph *g = out;
    g->succ = ARENA_ARRAY(a, uint32_t *, g->n);
    g->succ_count = ARENA_ARRAY(a, uint32_t, g->n);
    g->idom = ARENA_ARRAY(a, uint32_t, g->n);
    memset(g->idom, 0xff, g->n * sizeof *g->idom);
    for (uint32_t b = 0; b < g->n; b++)
        add_edges(a, g, b);
    uint32_t *number = ARENA_ARRAY(a, uint32_t, g->n);
    sort_blocks(a, g, number);
    if (g->n == 0)
        return;
    // Predecessors of block b: pred[start[b] .. start[b + 1]).
    uint32_t *start = ARENA_ARRAY(a, uint32_t, (size_t)g->n + 2), edges = 0;
    for (uint32_t b = 0; b < g->n; b++)
        for (uint32_t s = 0; s < g->succ_count[b]; s++, edges++)
            start[g->succ[b][s] + 2]++;
    for (uint32_t b = 2; b < g->n + 2; b++)
        start[b] += start[b - 1];
    uint32_t *pred = ARENA_ARRAY(a, uint32_t, edges);
    for (uint32_t b = 0; b < g->n; b++)
        for (uint32_t s = 0; s < g->succ_count[b]; s++)
            pred[start[g->succ[b][s] + 1]++] = b;

    g->idom[0] = 0;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t k = 1; k < g->reached; k++) {
            uint32_t b = g->order[k], best = UINT32_MAX;
            for (uint32_t p = start[b]; p < start[b + 1]; p++)
                if (g->idom[pred[p]] != UINT32_MAX)
                    best = best == UINT32_MAX ? pred[p] : common(g, number, best, pred[p]);
            changed |= g->idom[b] != best;
            g->idom[b] = best;
        }
    }
}

bool graph_dominates(const struct graph *g, uint32_t x, uint32_t y)
{
    if (x >= g->n || y >= g->n || g->idom[y] == UINT32_MAX)
        return false;
    while (y != x && y != 0)
        y = g->idom[y];
    return y == x;
}

bool graph_reaches(struct arena *a, const struct graph *g, uint32_t from, uint32_t to,
                   uint32_t wall)
{
    if (from == to)
        return true;
    uint32_t *stack = ARENA_ARRAY(a, uint32_t, (size_t)g->n + 1), n = 0;
    bool *seen = ARENA_ARRAY(a, bool, g->n);
    stack[n++] = from;
    seen[from] = true;
    while (n) {
        uint32_t b = stack[--n];
        for (uint32_t s = 0; s < g->succ_count[b]; s++) {
            uint32_t t = g->succ[b][s];
            if (t == to)
                return true;
            if (t == wall || seen[t])
                continue;
            seen[t] = true;
            stack[n++] = t;
        }
    }
    return false;
}

uint32_t block_at(const struct spv_module *m, uint32_t inst)
{
    for (uint32_t b = 0; b < m->block_count; b++)
        if (inst >= m->blocks[b].first && inst <= m->blocks[b].last)
            return b;
    return UINT32_MAX;
}

const struct spv_function *function_at(const struct spv_module *m, uint32_t inst)
{
    for (uint32_t f = 0; f < m->function_count; f++)
        if (inst >= m->functions[f].first && inst <= m->functions[f].last)
            return &m->functions[f];
    return NULL;
}
