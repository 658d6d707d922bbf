// SPDX-License-Identifier: Apache-2.0
//
// Moves a break block (code in the loop on the path to its merge block) after the loop. Inside the
// loop the lanes of each iteration run it separately (M6); after the loop all run it converged.
#include "ir.h"

static bool has_group(const struct ir *m, const struct spv_edit_block *b)
{
    for (size_t k = 0; k < b->body.n; k++)
        if (ir_is_group(m, b->body.v[k]))
            return true;
    return false;
}

// True if `b` is a block of the loop of `h` that contains a group operation and then leaves the
// loop.
static bool is_break_block(const struct ir *m, const struct spv_edit_block *h,
                           const struct spv_edit_block *b)
{
    return b != h && b->end->op == SpvOpBranch && !b->merge && ir_inside(m, h, b) &&
           !ir_in_continue(m, b) && ir_loop_of(m, b) == h && has_group(m, b);
}

// As in spirv-opt 2023.1 -O: the break block is the only predecessor of the merge block, so the two
// are merged.
static bool merge_blocks(struct ir *m, const struct spv_edit_block *h)
{
    struct spv_edit_block *merge = ir_merge_of(m, h);
    struct spv_edit_block *b = merge->preds.n == 1 ? merge->preds.v[0] : NULL;
    if (!b || !is_break_block(m, h, b) || ir_has_dead_preds(m, merge))
        return false;
    while (ir_phis(merge)) {
        struct spv_node *phi = merge->body.v[0];
        ir_take(merge, phi);
        ir_rename(m, phi->result, phi->v[0]);
    }
    size_t phis = ir_phis(b);
    for (size_t k = phis; k < b->body.n; k++)
        ir_put(m, merge, k - phis, b->body.v[k]);
    b->body.n = phis;
    return true;
}

// Inserts phi(`value` from b, `other` from the other predecessors) at the start of the merge block.
static uint32_t only_from(struct ir *m, struct spv_edit_block *merge,
                          const struct spv_edit_block *b, uint32_t type, uint32_t value,
                          uint32_t other)
{
    size_t ways = merge->preds.n;
    uint32_t *v = ARENA_ARRAY(m->arena, uint32_t, 2 * ways), id = spv_edit_id(&m->e);
    for (size_t k = 0; k < ways; k++) {
        v[2 * k] = merge->preds.v[k] == b ? value : other;
        v[2 * k + 1] = merge->preds.v[k]->label;
    }
    ir_put(m, merge, 0, spv_edit_make(&m->e, SpvOpPhi, type, id, v, (uint32_t)(2 * ways)));
    return id;
}

static bool in_body(const struct spv_edit_block *b, size_t phis, uint32_t id)
{
    for (size_t k = phis; k < b->body.n; k++)
        if (b->body.v[k]->result == id)
            return true;
    return false;
}

// As in a structurizer: a flag records the invocations that took the break block, and its code runs
// after the loop under that flag. `end`: ends that code instead of the branch after it; or NULL.
static bool after_flag(struct ir *m, struct spv_edit_block *h, struct spv_edit_block *b,
                       struct spv_node *end)
{
    struct spv_edit_block *merge = ir_merge_of(m, h);
    size_t phis = ir_phis(b);
    if ((!end && merge->preds.n < 2) || ir_has_dead_preds(m, merge) ||
        (merge->merge && merge->merge->op == SpvOpLoopMerge))
        return false;
    for (size_t k = phis; k < b->body.n; k++) { // its operands must be passed through phis
        uint32_t *ids[IR_IDS], n = ir_ids(b->body.v[k], ids, IR_IDS);
        for (uint32_t j = 0; j < n; j++) {
            const struct spv_node *d = ir_def(m, *ids[j]);
            if (d && d->block && !in_body(b, phis, *ids[j]) && !ir_dominates(d->block, merge) &&
                ir_is_pointer(m, d->type))
                return false;
        }
    }
    // The merge block's phis that take a result of the moved code; they are completed at the end.
    size_t old = ir_phis(merge);
    struct spv_node **late = ARENA_ARRAY(m->arena, struct spv_node *, old);
    uint32_t *value = ARENA_ARRAY(m->arena, uint32_t, old), lates = 0;
    for (size_t k = 0; k < old; k++)
        for (uint32_t j = 0; j + 1 < merge->body.v[k]->n; j += 2)
            if (merge->body.v[k]->v[j + 1] == b->label &&
                in_body(b, phis, merge->body.v[k]->v[j])) {
                late[lates] = merge->body.v[k];
                value[lates++] = merge->body.v[k]->v[j];
                merge->body.v[k]->v[j] = ir_null(m, merge->body.v[k]->type);
            }
    uint32_t flag =
        only_from(m, merge, b, spv_edit_bool(&m->e), ir_truth(m, true), ir_truth(m, false));
    for (size_t k = phis; k < b->body.n; k++) {
        uint32_t *ids[IR_IDS], n = ir_ids(b->body.v[k], ids, IR_IDS);
        for (uint32_t j = 0; j < n; j++) {
            const struct spv_node *d = ir_def(m, *ids[j]);
            if (d && d->block && d->type && !in_body(b, phis, *ids[j]) &&
                !ir_dominates(d->block, merge)) {
                uint32_t was = *ids[j];
                uint32_t now = only_from(m, merge, b, d->type, was, ir_null(m, d->type));
                for (size_t i = k; i < b->body.n; i++)
                    ir_rename_in(b->body.v[i], was, now);
            }
        }
    }
    struct spv_edit_block *rest = ir_split(m, merge, ir_phis(merge));
    struct spv_edit_block *code = ir_new_block(m, merge->function);
    for (size_t k = phis; k < b->body.n; k++)
        ir_add(m, code, b->body.v[k]);
    b->body.n = phis;
    ir_branch(m, code, rest->label);
    if (end)
        code->end = end;
    merge->merge = IR_MAKE(m, SpvOpSelectionMerge, 0, 0, rest->label, 0);
    merge->end = IR_MAKE(m, SpvOpBranchConditional, 0, 0, flag, code->label, rest->label);
    for (uint32_t k = 0; k < lates; k++) {
        uint32_t id = spv_edit_id(&m->e);
        ir_rename(m, late[k]->result, id);
        ir_put(m, rest, 0,
               IR_MAKE(m, SpvOpPhi, late[k]->type, id, value[k], code->label, late[k]->result,
                       merge->label));
    }
    return true;
}

uint32_t break_block_into_merge(struct ir *m)
{
    uint32_t places = 0;
    IR_EACH_BLOCK (h, m) {
        if (h->order != NOWHERE && h->merge && h->merge->op == SpvOpLoopMerge &&
            merge_blocks(m, h)) {
            places++;
            ir_analyse(m);
        }
    }
    return places;
}

uint32_t break_block_after_flag(struct ir *m)
{
    uint32_t places = 0;
    IR_EACH_BLOCK (h, m) {
        if (h->order == NOWHERE || !h->merge || h->merge->op != SpvOpLoopMerge)
            continue;
        struct spv_edit_block *merge = ir_merge_of(m, h);
        for (size_t p = 0; p < merge->preds.n; p++)
            if (is_break_block(m, h, merge->preds.v[p]) &&
                after_flag(m, h, merge->preds.v[p], NULL)) {
                places++;
                ir_analyse(m);
                break;
            }
    }
    return places;
}

// True if the block of a loop contains a group operation and then returns.
static bool is_return_block(const struct ir *m, const struct spv_edit_block *b)
{
    return b->order != NOWHERE && !b->merge && has_group(m, b) &&
           (b->end->op == SpvOpReturn || b->end->op == SpvOpReturnValue) && ir_loop_of(m, b) &&
           ir_loop_of(m, b) != b;
}

// True if the code after the loop of `h` reads a value that every path there computes now, but not
// a path from `b`.
static bool reads_after(const struct ir *m, const struct spv_edit_block *h,
                        const struct spv_edit_block *b, const struct spv_node *i)
{
    uint32_t *ids[IR_IDS], n = ir_ids((struct spv_node *)(uintptr_t)i, ids, IR_IDS);
    for (uint32_t j = 0; j < n; j++) {
        const struct spv_node *d = ir_def(m, *ids[j]);
        if (d && d->block && ir_inside(m, h, d->block) &&
            ir_dominates(d->block, ir_merge_of(m, h)) && !ir_dominates(d->block, b))
            return true;
    }
    return false;
}

static bool needed_after(const struct ir *m, const struct spv_edit_block *h,
                         const struct spv_edit_block *b)
{
    const struct spv_edit_block *merge = ir_merge_of(m, h);
    for (size_t k = 0; k < b->function->blocks.n; k++) {
        const struct spv_edit_block *u = b->function->blocks.v[k];
        if (u->order == NOWHERE || !ir_dominates(merge, u))
            continue;
        for (size_t i = u == merge ? ir_phis(merge) : 0; i < u->body.n; i++)
            if (reads_after(m, h, b, u->body.v[i]))
                return true;
        if (reads_after(m, h, b, u->end))
            return true;
    }
    return false;
}

// A return inside a loop becomes a break, and its block runs after the loop, under a flag.
static bool return_after_flag(struct ir *m, struct spv_edit_block *b)
{
    struct spv_edit_block *h = ir_loop_of(m, b), *merge = ir_merge_of(m, h);
    struct spv_node *end = b->end;
    const size_t phis = ir_phis(b);
    if (ir_has_dead_preds(m, merge) || (merge->merge && merge->merge->op == SpvOpLoopMerge) ||
        needed_after(m, h, b))
        return false;
    for (size_t k = phis; k < b->body.n; k++) { // pointers do not go through phis
        uint32_t *ids[IR_IDS], n = ir_ids(b->body.v[k], ids, IR_IDS);
        for (uint32_t j = 0; j < n; j++) {
            const struct spv_node *d = ir_def(m, *ids[j]);
            if (d && d->block && d->type && !in_body(b, phis, *ids[j]) &&
                !ir_dominates(d->block, h) && ir_is_pointer(m, d->type))
                return false;
        }
    }
    for (size_t k = 0; k < ir_phis(merge); k++) {
        struct spv_node *phi = merge->body.v[k];
        uint32_t *v = ARENA_ARRAY(m->arena, uint32_t, phi->n + 2);
        for (uint32_t j = 0; j < phi->n; j++)
            v[j] = phi->v[j];
        v[phi->n] = ir_null(m, phi->type);
        v[phi->n + 1] = b->label;
        merge->body.v[k] = spv_edit_make(&m->e, SpvOpPhi, phi->type, phi->result, v, phi->n + 2);
    }
    ir_branch(m, b, merge->label);
    ir_analyse(m);
    const struct spv_node *d = end->op == SpvOpReturnValue ? ir_def(m, end->v[0]) : NULL;
    if (d && d->block && !in_body(b, phis, end->v[0]) && !ir_dominates(d->block, merge))
        end->v[0] = only_from(m, merge, b, d->type, end->v[0], ir_null(m, d->type));
    return after_flag(m, h, b, end);
}

uint32_t return_block_after_flag(struct ir *m)
{
    uint32_t places = 0;
    for (size_t f = 0; f < m->functions.n; f++)
        for (size_t k = 0; k < m->functions.v[f]->blocks.n; k++) {
            struct spv_edit_block *b = m->functions.v[f]->blocks.v[k];
            if (!is_return_block(m, b) || !return_after_flag(m, b))
                continue;
            places++;
            ir_analyse(m);
            k = (size_t)-1; // the order of the blocks has changed
        }
    return places;
}
