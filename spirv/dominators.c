// SPDX-License-Identifier: Apache-2.0
//
// A function's blocks as a graph, and their dominators: in the control flow graph and in the
// structural graph, which also has the edges of merge instructions (spirv_flow.h).
#include "spirv_flow.h"

#include <string.h>

// ---- terminators ---------------------------------------------------------------------

struct spv_labels spv_labels(uint32_t op, uint32_t operands, uint32_t literal)
{
    switch (op) {
    case SpvOpBranch:
        return (struct spv_labels){0, 1, operands >= 1};
    case SpvOpBranchConditional:
        return (struct spv_labels){1, 1, operands >= 3 ? 2 : 0};
    case SpvOpSwitch: // operands: selector, default, pairs of literal and label
        return (struct spv_labels){1, literal + 1,
                                   operands >= 2 ? 1 + (operands - 2) / (literal + 1) : 0};
    default:
        return (struct spv_labels){0, 1, 0};
    }
}

uint32_t spv_literal_words(const struct spv_inst *type)
{
    return type && type->op == SpvOpTypeInt && type->n >= 1 && type->v[0] > 32 ? 2 : 1;
}

static struct spv_labels labels_of(const struct spv_module *m, const struct spv_inst *end)
{
    const struct spv_inst *d = end->op == SpvOpSwitch ? spv_def(m, end->v[0]) : NULL;
    return spv_labels(end->op, end->n, d ? spv_literal_words(spv_def(m, d->type)) : 1);
}

// ---- reading -------------------------------------------------------------------------

uint32_t spv_block_at(const struct spv_module *m, uint32_t inst)
{
    uint32_t low = 0, high = m->block_count; // blocks are in binary order
    while (low < high) {
        uint32_t k = low + (high - low) / 2;
        if (inst > m->blocks[k].last)
            low = k + 1;
        else
            high = k;
    }
    return low < m->block_count && inst >= m->blocks[low].first ? low : UINT32_MAX;
}

uint32_t spv_function_at(const struct spv_module *m, uint32_t inst)
{
    for (uint32_t f = 0; f < m->function_count; f++)
        if (inst >= m->functions[f].first && inst <= m->functions[f].last)
            return f;
    return UINT32_MAX;
}

static uint32_t within(const struct spv_flow *f, uint32_t block)
{
    return block >= f->first && block - f->first < f->n ? block - f->first : SPV_NO_BLOCK;
}

uint32_t spv_flow_label(const struct spv_flow *f, uint32_t label)
{
    return within(f, label < f->m->bound ? f->m->block_of[label] : UINT32_MAX);
}

uint32_t spv_flow_at(const struct spv_flow *f, uint32_t inst)
{
    return within(f, spv_block_at(f->m, inst));
}

static void read_block(struct arena *a, struct spv_flow *f, uint32_t b)
{
    const struct spv_module *m = f->m;
    const struct spv_block *from = &m->blocks[f->first + b];
    const struct spv_inst *end = &m->insts[from->last];
    const struct spv_inst *merge = from->merge ? &m->insts[from->merge] : NULL;
    struct spv_flow_block *to = &f->block[b];
    const struct spv_labels l = labels_of(m, end);
    to->succ = ARENA_ARRAY(a, uint32_t, l.count);
    for (uint32_t k = 0; k < l.count; k++) {
        uint32_t next = spv_flow_label(f, end->v[l.first + k * l.step]);
        if (next != SPV_NO_BLOCK)
            to->succ[to->succ_count++] = next;
    }
    to->merge = merge ? spv_flow_label(f, merge->v[0]) : SPV_NO_BLOCK;
    to->cont = SPV_NO_BLOCK;
    if (merge && merge->op == SpvOpLoopMerge) {
        to->kind = SPV_LOOP;
        to->cont = spv_flow_label(f, merge->v[1]);
    } else if (merge) {
        to->kind = end->op == SpvOpSwitch ? SPV_SWITCH : SPV_SELECTION;
    }
}

void spv_flow_read(struct arena *a, const struct spv_module *m, const struct spv_function *f,
                   struct spv_flow *out)
{
    *out = (struct spv_flow){.m = m, .first = f->block_first, .n = f->block_count};
    out->block = ARENA_ARRAY(a, struct spv_flow_block, out->n);
    for (uint32_t b = 0; b < out->n; b++)
        read_block(a, out, b);
    spv_flow_analyse(a, out);
}

// ---- dominators ----------------------------------------------------------------------

// The control flow graph or the structural graph.
struct graph {
    const struct spv_flow *f;
    bool structural;
    uint32_t *order, reached; // reverse postorder and its length
    uint32_t *number;         // [block]: its position in `order`; SPV_NO_BLOCK: unreachable
    uint32_t *idom;
};

// Returns edge k of a block; SPV_NO_BLOCK after the last. Structural edges come first, so that in
// reverse postorder a construct's blocks precede its merge block.
static uint32_t edge(const struct graph *g, uint32_t b, uint32_t k)
{
    const struct spv_flow_block *x = &g->f->block[b];
    if (g->structural && x->merge != SPV_NO_BLOCK && k-- == 0)
        return x->merge;
    if (g->structural && x->cont != SPV_NO_BLOCK && k-- == 0)
        return x->cont;
    // Successors in reverse, so that the first one comes first in reverse postorder.
    return k < x->succ_count ? x->succ[x->succ_count - 1 - k] : SPV_NO_BLOCK;
}

static void sort_blocks(struct arena *a, struct graph *g)
{
    const uint32_t n = g->f->n;
    uint32_t *stack = ARENA_ARRAY(a, uint32_t, n), *next = ARENA_ARRAY(a, uint32_t, n);
    uint32_t *post = ARENA_ARRAY(a, uint32_t, n), depth = 0, at = n;
    bool *seen = ARENA_ARRAY(a, bool, n);
    stack[depth++] = 0;
    seen[0] = true;
    while (depth) {
        const uint32_t b = stack[depth - 1], to = edge(g, b, next[b]++);
        if (to == SPV_NO_BLOCK) {
            post[--at] = b;
            depth--;
        } else if (!seen[to]) {
            seen[to] = true;
            stack[depth++] = to;
        }
    }
    g->reached = n - at;
    g->order = post + at;
    for (uint32_t k = 0; k < g->reached; k++)
        g->number[g->order[k]] = k;
}

static uint32_t common(const struct graph *g, uint32_t x, uint32_t y)
{
    while (x != y) {
        while (g->number[x] > g->number[y])
            x = g->idom[x];
        while (g->number[y] > g->number[x])
            y = g->idom[y];
    }
    return x;
}

static void find(struct arena *a, struct graph *g)
{
    const uint32_t n = g->f->n;
    g->number = ARENA_ARRAY(a, uint32_t, n);
    g->idom = ARENA_ARRAY(a, uint32_t, n);
    memset(g->number, 0xff, n * sizeof *g->number);
    memset(g->idom, 0xff, n * sizeof *g->idom);
    sort_blocks(a, g);
    g->idom[0] = 0;
    for (bool changed = true; changed;) {
        changed = false;
        // Each block updates its successors; a back edge takes effect in the next round.
        for (uint32_t k = 0; k < g->reached; k++) {
            const uint32_t b = g->order[k];
            uint32_t to;
            for (uint32_t e = 0; (to = edge(g, b, e)) != SPV_NO_BLOCK; e++) {
                const uint32_t best = g->idom[to] == SPV_NO_BLOCK ? b : common(g, g->idom[to], b);
                changed |= best != g->idom[to];
                g->idom[to] = best;
            }
        }
    }
}

static void find_preds(struct arena *a, struct spv_flow *f)
{
    for (uint32_t k = 0; k < f->reached; k++) {
        const struct spv_flow_block *x = &f->block[f->order[k]];
        for (uint32_t s = 0; s < x->succ_count; s++)
            f->block[x->succ[s]].pred_count++;
    }
    for (uint32_t b = 0; b < f->n; b++) {
        f->block[b].pred = ARENA_ARRAY(a, uint32_t, f->block[b].pred_count);
        f->block[b].pred_count = 0;
    }
    for (uint32_t k = 0; k < f->reached; k++) {
        const struct spv_flow_block *x = &f->block[f->order[k]];
        for (uint32_t s = 0; s < x->succ_count; s++) {
            struct spv_flow_block *to = &f->block[x->succ[s]];
            if (!to->pred_count || to->pred[to->pred_count - 1] != f->order[k])
                to->pred[to->pred_count++] = f->order[k];
        }
    }
}

void spv_flow_analyse(struct arena *a, struct spv_flow *f)
{
    CHECK(f->n > 0);
    struct graph plain = {.f = f}, structural = {.f = f, .structural = true};
    find(a, &plain);
    find(a, &structural);
    f->order = plain.order;
    f->reached = plain.reached;
    for (uint32_t b = 0; b < f->n; b++) {
        struct spv_flow_block *x = &f->block[b];
        x->order = plain.number[b];
        x->idom = plain.idom[b];
        x->structural_order = structural.number[b];
        x->structural_idom = structural.idom[b];
        x->pred_count = 0;
    }
    find_preds(a, f);
    for (uint32_t b = 0; b < f->n; b++) {
        uint32_t h = f->block[b].structural_order == SPV_NO_BLOCK ? SPV_NO_BLOCK : b;
        while (h != SPV_NO_BLOCK && !spv_flow_inside(f, h, b))
            h = h == 0 ? SPV_NO_BLOCK : f->block[h].structural_idom;
        f->block[b].construct = h;
    }
}

bool spv_flow_dominates(const struct spv_flow *f, uint32_t a, uint32_t b)
{
    if (!spv_flow_reached(f, a) || !spv_flow_reached(f, b))
        return false;
    while (f->block[b].order > f->block[a].order)
        b = f->block[b].idom;
    return a == b;
}

bool spv_flow_structurally_dominates(const struct spv_flow *f, uint32_t a, uint32_t b)
{
    if (a >= f->n || b >= f->n || f->block[a].structural_order == SPV_NO_BLOCK ||
        f->block[b].structural_order == SPV_NO_BLOCK)
        return false;
    while (f->block[b].structural_order > f->block[a].structural_order)
        b = f->block[b].structural_idom;
    return a == b;
}
