// SPDX-License-Identifier: Apache-2.0
//
// Moves a group operation up, out of a branch or a loop (speculation, loop-invariant code motion),
// with the pure instructions that it depends on. All lanes that reach the construct's header then
// take part.
#include "ir.h"

static void move_up(struct ir *m, const struct ir_uses *slice, struct spv_edit_block *to)
{
    for (size_t k = 0; k < slice->n; k++) {
        ir_take(slice->v[k]->block, slice->v[k]);
        ir_add(m, to, slice->v[k]);
    }
}

// Moves group operations to the block that `where` returns (NULL: stays), if their operands can
// move too.
static uint32_t hoist(struct ir *m,
                      struct spv_edit_block *(*where)(const struct ir *, const struct spv_node *))
{
    uint32_t places = 0;
    IR_EACH_BLOCK (b, m) {
        for (size_t i = 0; i < b->body.n && b->order != NOWHERE; i++) {
            struct spv_node *x = b->body.v[i];
            struct ir_uses slice;
            struct spv_edit_block *to = ir_is_group(m, x) ? where(m, x) : NULL;
            if (!to || !ir_slice(m, x, to, &slice))
                continue;
            move_up(m, &slice, to);
            places++;
            ir_analyse(m);
            i = (size_t)-1; // restart: the block has changed
        }
    }
    return places;
}

static struct spv_edit_block *header_of_arm(const struct ir *m, const struct spv_node *i)
{
    struct spv_edit_block *h = i->block->idom;
    (void)m;
    return h != i->block && i->block->preds.n == 1 && h->merge &&
                   h->merge->op == SpvOpSelectionMerge && h->end->op == SpvOpBranchConditional
               ? h
               : NULL;
}

// The same, for the invocations that an election did not elect.
static struct spv_edit_block *header_of_rest(const struct ir *m, const struct spv_node *i)
{
    struct spv_edit_block *h = header_of_arm(m, i);
    const struct spv_node *cond = h ? ir_def(m, h->end->v[0]) : NULL;
    return cond && cond->op == SpvOpGroupNonUniformElect && h->end->v[2] == i->block->label ? h
                                                                                            : NULL;
}

static struct spv_edit_block *header_of_case(const struct ir *m, const struct spv_node *i)
{
    struct spv_edit_block *h = i->block->idom;
    (void)m;
    return h != i->block && i->block->preds.n == 1 && h->end->op == SpvOpSwitch ? h : NULL;
}

// Returns the block before the loop, if the loop is its only successor.
static struct spv_edit_block *before_loop(const struct ir *m, const struct spv_node *i)
{
    struct spv_edit_block *h = ir_loop_of(m, i->block);
    if (!h || h->idom == h)
        return NULL;
    return h->idom->end->op == SpvOpBranch && !h->idom->merge ? h->idom : NULL;
}

MUT_EDIT(hoist_out_of_arm, hoist, header_of_arm)
MUT_EDIT(hoist_out_of_case, hoist, header_of_case)
MUT_EDIT(hoist_out_of_loop, hoist, before_loop)
MUT_EDIT(hoist_out_of_rest, hoist, header_of_rest)
