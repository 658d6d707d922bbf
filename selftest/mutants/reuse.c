// SPDX-License-Identifier: Apache-2.0
//
// Common subexpression elimination across blocks: a later operation reuses the result of an earlier
// equal one. The set of active lanes may have changed in between.
#include "ir.h"

// Returns the header of the branch or loop that contains `y` but not `x`; NULL if there is none.
static const struct spv_edit_block *between(const struct ir *m, const struct spv_node *x,
                                            const struct spv_node *y)
{
    if (x->block == y->block)
        return NULL;
    for (const struct spv_edit_block *h = y->block; h->idom != h; h = h->idom) {
        if (h->merge && h->merge->op == SpvOpLoopMerge && ir_inside(m, h, y->block) &&
            !ir_inside(m, h, x->block))
            return h;
        const struct spv_edit_block *up = h->idom;
        if (up->merge && up->merge->op == SpvOpSelectionMerge && ir_past_branch(m, up, y->block) &&
            !ir_past_branch(m, up, x->block))
            return up;
        if (up == x->block)
            break;
    }
    return NULL;
}

enum where { IN_BRANCH, IN_LOOP, AFTER };

static bool is_where(const struct ir *m, const struct spv_node *x, const struct spv_node *y,
                     enum where w)
{
    const struct spv_edit_block *h = between(m, x, y);
    if (!h)
        return w == AFTER && x->block != y->block;
    return w == (h->merge->op == SpvOpLoopMerge ? IN_LOOP : IN_BRANCH);
}

static struct spv_node *equal_before(const struct ir *m, const struct spv_node *y, enum where w)
{
    for (struct spv_edit_block *b = y->block;; b = b->idom) {
        for (size_t k = 0; k < b->body.n; k++) {
            struct spv_node *x = b->body.v[k];
            if (x != y && ir_is_group(m, x) && ir_before(x, y) && ir_same(m, x, y) &&
                is_where(m, x, y, w))
                return x;
        }
        if (b->idom == b)
            return NULL;
    }
}

static uint32_t reuse(struct ir *m, enum where w)
{
    uint32_t places = 0;
    IR_EACH_BLOCK (b, m) {
        for (size_t i = 0; i < b->body.n && b->order != NOWHERE; i++) {
            struct spv_node *y = b->body.v[i];
            struct spv_node *x = ir_is_group(m, y) ? equal_before(m, y, w) : NULL;
            if (!x)
                continue;
            ir_rename(m, y->result, x->result);
            ir_take(b, y);
            places++;
            ir_analyse(m);
            i = (size_t)-1;
        }
    }
    return places;
}

MUT_EDIT(reuse_in_branch, reuse, IN_BRANCH)
MUT_EDIT(reuse_in_loop, reuse, IN_LOOP)
MUT_EDIT(reuse_after_exit, reuse, AFTER)

// Partial redundancy elimination: one predecessor of a merge block has computed the operation
// already; the others compute it too, and a phi selects.
static bool redundant_at(struct ir *m, struct spv_edit_block *b, struct spv_node *y)
{
    size_t ways = b->preds.n;
    struct spv_node **had = ARENA_ARRAY(m->arena, struct spv_node *, ways);
    struct ir_uses *slices = ARENA_ARRAY(m->arena, struct ir_uses, ways);
    bool any = false;
    for (size_t w = 0; w < ways; w++) {
        struct spv_edit_block *p = b->preds.v[w];
        if (ir_dominates(b, p) || (p->end->op != SpvOpBranch && ir_in_continue(m, p)))
            return false;
        for (struct spv_edit_block *s = p; s != b->idom && !had[w]; s = s->idom)
            for (size_t k = 0; k < s->body.n && !had[w]; k++)
                if (ir_is_group(m, s->body.v[k]) && ir_same(m, s->body.v[k], y))
                    had[w] = s->body.v[k];
        any |= had[w] != NULL;
        if (!had[w] && !ir_slice(m, y, p, &slices[w]))
            return false;
        for (size_t k = 0; !had[w] && k < slices[w].n; k++)
            if (slices[w].v[k]->op == SpvOpPhi)
                return false;
    }
    if (!any)
        return false;
    uint32_t *v = ARENA_ARRAY(m->arena, uint32_t, 2 * ways);
    for (size_t w = 0; w < ways; w++) {
        struct spv_edit_block *e = had[w] ? b->preds.v[w] : ir_edge(m, b->preds.v[w], b);
        v[2 * w + 1] = e->label;
        v[2 * w] = had[w] ? had[w]->result : 0;
        uint32_t *map = ir_map(m);
        for (size_t k = 0; !had[w] && k < slices[w].n; k++) {
            struct spv_node *c = ir_copy(m, slices[w].v[k], map);
            ir_add(m, e, c);
            v[2 * w] = c->result;
        }
    }
    ir_take(b, y);
    ir_put(m, b, ir_phis(b),
           spv_edit_make(&m->e, SpvOpPhi, y->type, y->result, v, (uint32_t)(2 * ways)));
    return true;
}

uint32_t partial_redundancy(struct ir *m)
{
    uint32_t places = 0;
    for (size_t f = 0; f < m->functions.n; f++) {
        size_t n = m->functions.v[f]->blocks.n;
        struct spv_edit_block **blocks =
            arena_copy(m->arena, m->functions.v[f]->blocks.v, n * sizeof *blocks);
        for (size_t k = 0; k < n; k++) {
            struct spv_edit_block *b = blocks[k];
            bool fits = b->order != NOWHERE && b->preds.n > 1 && ir_is_merge(m, b) &&
                        !ir_has_dead_preds(m, b);
            for (size_t i = 0; fits && i < b->body.n; i++)
                if (ir_is_group(m, b->body.v[i]) && redundant_at(m, b, b->body.v[i])) {
                    places++;
                    ir_analyse(m);
                    break;
                }
        }
    }
    return places;
}
