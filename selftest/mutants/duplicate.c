// SPDX-License-Identifier: Apache-2.0
//
// Tail duplication: copies the code after a merge point into each predecessor. Right for each
// invocation, but the group operation then runs separately in each path's tangle.
#include "ir.h"

// Copies the instructions from the start of `b` (after its phis) up to its first group operation to
// the end of each predecessor. A phi keeps the id of each result that is not a pointer. False
// without a group operation, or if a predecessor cannot take the code.
bool dup_at(struct ir *m, struct spv_edit_block *b)
{
    size_t phis = ir_phis(b), last = phis;
    while (last < b->body.n && !ir_is_group(m, b->body.v[last]))
        last++;
    if (last == b->body.n || b->preds.n < 2 || ir_has_dead_preds(m, b))
        return false;
    for (size_t k = 0; k < b->preds.n; k++) {
        const struct spv_edit_block *p = b->preds.v[k];
        if (ir_dominates(b, p)) // a back edge
            return false;
        if (p->end->op != SpvOpBranch && ir_in_continue(m, p))
            return false; // the block before a back edge may not get more code
    }
    size_t n = last + 1 - phis, ways = b->preds.n;
    struct spv_node **moved = ARENA_ARRAY(m->arena, struct spv_node *, n);
    uint32_t **maps = ARENA_ARRAY(m->arena, uint32_t *, ways);
    uint32_t *from = ARENA_ARRAY(m->arena, uint32_t, ways);
    for (size_t k = 0; k < n; k++)
        moved[k] = b->body.v[phis + k];
    for (size_t w = 0; w < ways; w++) {
        struct spv_edit_block *p = b->preds.v[w];
        maps[w] = ir_map(m);
        for (size_t k = 0; k < phis; k++)
            for (uint32_t j = 0; j + 1 < b->body.v[k]->n; j += 2)
                if (b->body.v[k]->v[j + 1] == p->label)
                    maps[w][b->body.v[k]->result] = b->body.v[k]->v[j];
        struct spv_edit_block *e = ir_edge(m, p, b);
        from[w] = e->label;
        for (size_t k = 0; k < n; k++)
            ir_add(m, e, ir_copy(m, moved[k], maps[w]));
    }
    for (size_t k = 0; k < n; k++) {
        struct spv_node *i = moved[k];
        if (ir_is_pointer(m, i->type))
            continue; // the access chain stays in `b`
        ir_take(b, i);
        if (!ir_is_value(m, i))
            continue;
        uint32_t *v = ARENA_ARRAY(m->arena, uint32_t, 2 * ways);
        for (size_t w = 0; w < ways; w++) {
            v[2 * w] = maps[w][i->result];
            v[2 * w + 1] = from[w];
        }
        ir_put(m, b, ir_phis(b),
               spv_edit_make(&m->e, SpvOpPhi, i->type, i->result, v, (uint32_t)(2 * ways)));
    }
    return true;
}

enum place { ARMS = 1, CASES = 2, LOOP_ENDS = 4, CONTINUES = 8 };

static bool is_place(const struct ir *m, const struct spv_edit_block *b, unsigned which)
{
    const struct ir_function *f = b->function;
    for (size_t k = 0; k < f->blocks.n; k++) {
        const struct spv_edit_block *h = f->blocks.v[k];
        if (!h->merge || h->order == NOWHERE)
            continue;
        enum place kind = h->merge->op == SpvOpLoopMerge ? LOOP_ENDS
                          : h->end->op == SpvOpSwitch    ? CASES
                                                         : ARMS;
        if (ir_merge_of(m, h) == b && (which & kind))
            return true;
        if (ir_continue_of(m, h) == b && h != b && (which & CONTINUES))
            return true;
    }
    return false;
}

static uint32_t everywhere(struct ir *m, unsigned which)
{
    uint32_t places = 0;
    for (size_t f = 0; f < m->functions.n; f++) {
        // Only the current blocks; blocks created below are not candidates.
        size_t n = m->functions.v[f]->blocks.n;
        struct spv_edit_block **blocks =
            arena_copy(m->arena, m->functions.v[f]->blocks.v, n * sizeof *blocks);
        for (size_t k = 0; k < n; k++)
            if (blocks[k]->order != NOWHERE && is_place(m, blocks[k], which) &&
                dup_at(m, blocks[k])) {
                places++;
                ir_analyse(m);
            }
    }
    return places;
}

MUT_EDIT(dup_into_arms, everywhere, ARMS)
MUT_EDIT(dup_into_cases, everywhere, CASES)
MUT_EDIT(dup_into_exits, everywhere, LOOP_ENDS)
MUT_EDIT(dup_into_continues, everywhere, CONTINUES)
