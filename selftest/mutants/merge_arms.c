// SPDX-License-Identifier: Apache-2.0
//
// Merges an operation that both arms of a selection have into one, after the arms (tail merge) or
// before them. Right for each invocation, but wrong for a group operation, as each arm executed it
// with its own lanes.
#include "ir.h"

// ---- tail merge -----------------------------------------------------------------

// Finds the two predecessors of a selection's merge block. Both must be plain branches.
static bool two_ways(const struct ir *m, const struct spv_edit_block *h, struct spv_edit_block **x,
                     struct spv_edit_block **y, struct spv_edit_block **merge)
{
    if (!h->merge || h->merge->op != SpvOpSelectionMerge)
        return false;
    *merge = ir_merge_of(m, h);
    if ((*merge)->preds.n != 2)
        return false;
    *x = (*merge)->preds.v[0];
    *y = (*merge)->preds.v[1];
    return (*x)->end->op == SpvOpBranch && (*y)->end->op == SpvOpBranch && *x != h && *y != h &&
           !(*x)->merge && !(*y)->merge && ir_dominates(h, *x) && ir_dominates(h, *y);
}

static bool same_literals(const struct spv_node *x, const struct spv_node *y)
{
    uint32_t *xs[IR_IDS], n = ir_ids(x, xs, IR_IDS), at = 0;
    for (uint32_t k = 0; k < x->n; k++) {
        if (at < n && xs[at] == &x->v[k])
            at++;
        else if (x->v[k] != y->v[k])
            return false;
    }
    return true;
}

// True if the operand at `k` may differ, so that a phi can select it: not a pointer, nor an operand
// that must be constant.
static bool may_differ(const struct ir *m, const struct spv_node *i, uint32_t k, uint32_t id)
{
    const struct spv_node *d = ir_def(m, id);
    if (!d || !d->type || ir_is_pointer(m, d->type) || i->op == SpvOpFunctionCall ||
        i->op == SpvOpPhi)
        return false;
    if (i->op == SpvOpAccessChain || i->op == SpvOpInBoundsAccessChain)
        return k > 1; // index 1 may select a member of a struct
    // Of a group operation only the value: scope, ids and masks stay.
    return !ir_is_group(m, i) || (k > 0 && d->type == i->type);
}

static bool match(const struct spv_node *x, const struct spv_node *y)
{
    return x->op == y->op && x->type == y->type && x->n == y->n && x->op != SpvOpPhi &&
           x->op != SpvOpVariable && same_literals(x, y) &&
           (x->op != SpvOpFunctionCall || x->v[0] == y->v[0]);
}

// True if `a` is a result of x's last n instructions, and `b` is the result of the matching one of
// y.
static bool are_partners(const struct spv_edit_block *x, const struct spv_edit_block *y, size_t n,
                         uint32_t a, uint32_t b)
{
    for (size_t k = 1; k <= n; k++)
        if (x->body.v[x->body.n - k]->result == a)
            return a && y->body.v[y->body.n - k]->result == b;
    return false;
}

static bool is_tail_value(const struct spv_edit_block *b, size_t n, uint32_t id)
{
    for (size_t k = 1; k <= n; k++)
        if (b->body.v[b->body.n - k]->result == id)
            return true;
    return false;
}

static bool operands_fit(const struct ir *m, const struct spv_edit_block *x,
                         const struct spv_edit_block *y, size_t n)
{
    for (size_t k = 1; k <= n; k++) {
        const struct spv_node *i = x->body.v[x->body.n - k], *j = y->body.v[y->body.n - k];
        for (uint32_t w = 0; w < i->n; w++) {
            if (i->v[w] == j->v[w])
                continue;
            if (are_partners(x, y, n, i->v[w], j->v[w]))
                continue;
            if (is_tail_value(x, n, i->v[w]) || is_tail_value(y, n, j->v[w]) ||
                !may_differ(m, i, w, i->v[w]) || !may_differ(m, j, w, j->v[w]))
                return false;
        }
    }
    return true;
}

static bool sink_tail(struct ir *m, struct spv_edit_block *x, struct spv_edit_block *y,
                      struct spv_edit_block *merge)
{
    size_t most = x->body.n < y->body.n ? x->body.n : y->body.n, n = 0;
    while (n < most && match(x->body.v[x->body.n - n - 1], y->body.v[y->body.n - n - 1]))
        n++;
    while (n && !operands_fit(m, x, y, n))
        n--;
    bool group = false;
    for (size_t k = 1; k <= n; k++)
        group |= ir_is_group(m, x->body.v[x->body.n - k]);
    if (!group)
        return false;
    size_t phis = ir_phis(merge), first = x->body.n - n, other = y->body.n - n;
    // Phis of the merge block that select matching results are replaced by that result.
    for (int change = 0; change < 2; change++)
        for (size_t k = phis; k-- > 0;) {
            struct spv_node *phi = merge->body.v[k];
            uint32_t a = 0, b = 0;
            for (uint32_t j = 0; j + 1 < phi->n; j += 2)
                *(phi->v[j + 1] == x->label ? &a : &b) = phi->v[j];
            bool partners = are_partners(x, y, n, a, b);
            if (!partners && (is_tail_value(x, n, a) || is_tail_value(y, n, b)))
                return false;
            if (partners && change) {
                ir_take(merge, phi);
                ir_rename(m, phi->result, a);
            }
        }
    phis = ir_phis(merge);
    for (size_t k = 0; k < n; k++) {
        struct spv_node *i = x->body.v[first + k];
        const struct spv_node *j = y->body.v[other + k];
        for (uint32_t w = 0; w < i->n; w++)
            if (i->v[w] != j->v[w] && !are_partners(x, y, n, i->v[w], j->v[w])) {
                uint32_t id = spv_edit_id(&m->e);
                ir_put(m, merge, phis++,
                       IR_MAKE(m, SpvOpPhi, ir_def(m, i->v[w])->type, id, i->v[w], x->label,
                               j->v[w], y->label));
                i->v[w] = id;
            }
    }
    for (size_t k = 0; k < n; k++)
        ir_put(m, merge, phis + k, x->body.v[first + k]);
    x->body.n -= n;
    y->body.n -= n;
    return true;
}

uint32_t tail_merge_arms(struct ir *m)
{
    uint32_t places = 0;
    for (size_t f = 0; f < m->functions.n; f++)
        for (size_t k = 0; k < m->functions.v[f]->blocks.n; k++) {
            struct spv_edit_block *h = m->functions.v[f]->blocks.v[k], *x, *y, *merge;
            if (h->order != NOWHERE && two_ways(m, h, &x, &y, &merge) &&
                sink_tail(m, x, y, merge)) {
                places++;
                ir_analyse(m);
            }
        }
    return places;
}

// ---- the same operation in both arms, moved before them -------------------------

// Finds the first blocks of both arms. Each must have the header as its only predecessor.
static bool two_arms(const struct ir *m, const struct spv_edit_block *h, struct spv_edit_block **x,
                     struct spv_edit_block **y)
{
    if (!h->merge || h->merge->op != SpvOpSelectionMerge || h->end->op != SpvOpBranchConditional)
        return false;
    *x = m->block_of[h->end->v[1]];
    *y = m->block_of[h->end->v[2]];
    return *x != *y && (*x)->preds.n == 1 && (*y)->preds.n == 1;
}

uint32_t hoist_common_op(struct ir *m)
{
    uint32_t places = 0;
    for (size_t f = 0; f < m->functions.n; f++)
        for (size_t k = 0; k < m->functions.v[f]->blocks.n; k++) {
            struct spv_edit_block *h = m->functions.v[f]->blocks.v[k], *x, *y;
            if (h->order == NOWHERE || !two_arms(m, h, &x, &y))
                continue;
            struct spv_node *found = NULL, *twin = NULL;
            struct ir_uses slice = {0};
            for (size_t i = 0; i < x->body.n && !found; i++)
                for (size_t j = 0; j < y->body.n && !found; j++)
                    if (ir_is_group(m, x->body.v[i]) && ir_same(m, x->body.v[i], y->body.v[j]) &&
                        ir_slice(m, x->body.v[i], h, &slice)) {
                        found = x->body.v[i];
                        twin = y->body.v[j];
                    }
            if (!found)
                continue;
            for (size_t i = 0; i < slice.n; i++) {
                ir_take(slice.v[i]->block, slice.v[i]);
                ir_add(m, h, slice.v[i]);
            }
            ir_take(y, twin);
            ir_rename(m, twin->result, found->result);
            places++;
            ir_analyse(m);
        }
    return places;
}
