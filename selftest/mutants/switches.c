// SPDX-License-Identifier: Apache-2.0
//
// Wrong lowerings of switches: a continue or the loop's break inside a switch only leaves the
// switch, a fall-through is lost, a label goes to the default.
#include "ir.h"

// True if `label` is a target of the switch and not its merge block.
static bool is_case(const struct ir *m, const struct spv_edit_block *h, uint32_t label)
{
    uint32_t *labels[IR_LABELS], n = ir_labels(m, h->end, labels, IR_LABELS);
    for (uint32_t k = 0; k < n; k++)
        if (*labels[k] == label)
            return label != h->merge->v[0];
    return false;
}

static void drop_phi_parent(struct spv_edit_block *b, uint32_t parent)
{
    for (size_t k = 0; k < ir_phis(b); k++) {
        struct spv_node *phi = b->body.v[k];
        uint32_t n = 0;
        for (uint32_t j = 0; j + 1 < phi->n; j += 2)
            if (phi->v[j + 1] != parent) {
                phi->v[n++] = phi->v[j];
                phi->v[n++] = phi->v[j + 1];
            }
        phi->n = n;
    }
}

// True if `i` uses `id` at a place that `merge` dominates; of a phi, at the end of the parent
// block.
static bool used_after(const struct ir *m, const struct spv_node *i, uint32_t id,
                       const struct spv_edit_block *merge)
{
    if (i->op != SpvOpPhi)
        return i->block && ir_dominates(merge, i->block);
    for (uint32_t k = 0; k + 1 < i->n; k += 2)
        if (i->v[k] == id && ir_dominates(merge, m->block_of[i->v[k + 1]]))
            return true;
    return false;
}

// True if a branch from `b` to `merge` takes away a value that is used after it: the value's block
// dominates `merge`, but not `b`.
static bool loses_values(const struct ir *m, const struct spv_edit_block *merge,
                         const struct spv_edit_block *b)
{
    for (const struct spv_edit_block *d = merge->idom; !ir_dominates(d, b); d = d->idom)
        for (size_t k = 0; k < d->body.n; k++) {
            const uint32_t id = d->body.v[k]->result;
            const struct ir_uses u = id ? ir_uses(m, id) : (struct ir_uses){0};
            for (size_t j = 0; j < u.n; j++)
                if (used_after(m, u.v[j], id, merge))
                    return true;
        }
    return false;
}

// Redirects the branch at the end of `b` to the merge block of the switch of `h`.
static bool redirect(struct ir *m, const struct spv_edit_block *h, struct spv_edit_block *b)
{
    struct spv_edit_block *merge = ir_merge_of(m, h), *old = m->block_of[b->end->v[0]];
    if (ir_phis(merge) || merge->order == NOWHERE || old->preds.n < 2 || loses_values(m, merge, b))
        return false;
    drop_phi_parent(old, b->label);
    ir_branch(m, b, merge->label);
    return true;
}

// Returns the innermost switch that contains a block.
static const struct spv_edit_block *switch_of(const struct ir *m, const struct spv_edit_block *b)
{
    for (const struct spv_edit_block *h = b->idom;; h = h->idom) {
        if (h->end->op == SpvOpSwitch && h->merge && ir_inside(m, h, b))
            return h;
        if (h->idom == h)
            return NULL;
    }
}

static uint32_t each_case_end(struct ir *m,
                              bool (*is_it)(const struct ir *, const struct spv_edit_block *,
                                            const struct spv_edit_block *))
{
    uint32_t places = 0;
    IR_EACH_BLOCK (h, m) {
        if (h->order == NOWHERE || h->end->op != SpvOpSwitch || !h->merge)
            continue;
        for (size_t j = 0; j < h->function->blocks.n; j++) {
            struct spv_edit_block *b = h->function->blocks.v[j];
            if (b != h && b->order != NOWHERE && b->end->op == SpvOpBranch && !b->merge &&
                switch_of(m, b) == h && is_it(m, h, b) && redirect(m, h, b)) {
                places++;
                ir_analyse(m);
                j = (size_t)-1;
            }
        }
    }
    return places;
}

// True if the branch of `b` leads where operand `to` of the merge instruction of the switch's loop
// does: 0, out of the loop; 1, to its continue target.
static bool leads_to(const struct ir *m, const struct spv_edit_block *h,
                     const struct spv_edit_block *b, uint32_t to)
{
    const struct spv_edit_block *loop = ir_loop_of(m, h);
    return loop && ir_loop_of(m, b) == loop && loop->merge->v[to] == b->end->v[0];
}

static bool is_continue(const struct ir *m, const struct spv_edit_block *h,
                        const struct spv_edit_block *b)
{
    return leads_to(m, h, b, 1);
}

static bool is_loop_break(const struct ir *m, const struct spv_edit_block *h,
                          const struct spv_edit_block *b)
{
    return leads_to(m, h, b, 0);
}

static bool is_fall_through(const struct ir *m, const struct spv_edit_block *h,
                            const struct spv_edit_block *b)
{
    return is_case(m, h, b->end->v[0]) && b->end->v[0] != h->label;
}

MUT_EDIT(switch_continue_is_break, each_case_end, is_continue)
MUT_EDIT(loop_break_leaves_switch, each_case_end, is_loop_break)
MUT_EDIT(fall_through_lost, each_case_end, is_fall_through)

// The last label goes to the default, as if a lowering had lost it.
uint32_t last_case_is_default(struct ir *m)
{
    uint32_t places = 0;
    IR_EACH_BLOCK (h, m) {
        uint32_t *labels[IR_LABELS];
        if (h->end->op != SpvOpSwitch || h->order == NOWHERE)
            continue;
        uint32_t n = ir_labels(m, h->end, labels, IR_LABELS), same = 0;
        if (n < 3 || *labels[n - 1] == *labels[0] || ir_phis(m->block_of[*labels[0]]) ||
            ir_phis(m->block_of[*labels[n - 1]]))
            continue;
        for (uint32_t j = 0; j < n; j++) {
            same += *labels[j] == *labels[n - 1];
            if (m->block_of[*labels[j]]->preds.n > 1) // cases that fall through have a fixed
                                                      // order
                same = 0, n = 0;
        }
        if (same < 2) // the block must remain a target of the switch
            continue;
        *labels[n - 1] = *labels[0];
        places++;
    }
    return places;
}
