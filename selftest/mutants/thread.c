// SPDX-License-Identifier: Apache-2.0
//
// Jump threading: `if (c) A; X; if (c) B; op` becomes `if (c) { A; X; B; op } else { X; op }`,
// across two merge blocks.
#include "ir.h"

struct two_ifs {
    struct spv_edit_block *first, *second; // headers; `second` is the merge block of `first`
    struct spv_edit_block *merge;          // merge block of the second
    struct spv_edit_block *yes, *no; // predecessors of `second` where the condition is true, false
};

// True if control reaches `second` from `p` through label `which` (1: condition true, 2: false) of
// `h`.
static bool on_side(const struct ir *m, const struct spv_edit_block *h,
                    const struct spv_edit_block *p, uint32_t which)
{
    const struct spv_edit_block *arm = m->block_of[h->end->v[which]];
    if (p == h)
        return arm == ir_merge_of(m, h);
    return arm != ir_merge_of(m, h) && ir_dominates(arm, p);
}

static bool is_plain_if(const struct spv_edit_block *h)
{
    return h->order != NOWHERE && h->merge && h->merge->op == SpvOpSelectionMerge &&
           h->end->op == SpvOpBranchConditional && h->end->v[1] != h->end->v[2];
}

static bool find(const struct ir *m, struct spv_edit_block *h, struct two_ifs *t)
{
    *t = (struct two_ifs){.first = h};
    if (!is_plain_if(h))
        return false;
    t->second = ir_merge_of(m, h);
    if (!is_plain_if(t->second) || t->second->preds.n != 2 ||
        !ir_same_value(m, h->end->v[0], t->second->end->v[0]))
        return false;
    t->merge = ir_merge_of(m, t->second);
    for (int k = 0; k < 2; k++) {
        struct spv_edit_block *p = t->second->preds.v[k];
        if (on_side(m, h, p, 1))
            t->yes = p;
        else if (on_side(m, h, p, 2))
            t->no = p;
    }
    return t->yes && t->no && t->yes != t->no && t->merge->preds.n >= 2;
}

static void keep_parent(struct spv_edit_block *b, uint32_t parent)
{
    for (size_t k = 0; k < ir_phis(b); k++) {
        struct spv_node *phi = b->body.v[k];
        for (uint32_t j = 0; j + 1 < phi->n; j += 2)
            if (phi->v[j + 1] == parent) {
                phi->v[0] = phi->v[j];
                phi->v[1] = parent;
                break;
            }
        phi->n = 2;
    }
}

static bool thread(struct ir *m, const struct two_ifs *t)
{
    struct spv_edit_block *b = t->second;
    // Values of the middle block that are used after it must have one definition, so only the arms
    // of the second selection may use them.
    struct spv_edit_block *then = m->block_of[b->end->v[1]], *other = m->block_of[b->end->v[2]];
    for (size_t k = 0; k < b->body.n; k++) {
        struct ir_uses u = ir_uses(m, b->body.v[k]->result);
        for (size_t j = 0; b->body.v[k]->result && j < u.n; j++) {
            bool in_then = then != t->merge && ir_dominates(then, u.v[j]->block);
            bool in_other = other != t->merge && ir_dominates(other, u.v[j]->block);
            if (u.v[j]->block != b && !in_then && !in_other)
                return false;
        }
    }
    uint32_t *map = ir_map(m);
    struct spv_edit_block *yes = ir_edge(m, t->yes, b), *no = ir_edge(m, t->no, b);
    ir_copy_blocks(m, &b, 1, map);
    struct spv_edit_block *c = b->function->blocks.v[b->function->blocks.n - 1];
    // b is for yes, c for no.
    for (size_t k = 0; k < b->body.n && other != t->merge; k++) {
        uint32_t id = b->body.v[k]->result;
        struct ir_uses u = ir_uses(m, id);
        for (size_t j = 0; id && j < u.n; j++)
            if (u.v[j]->block && u.v[j]->block != b && ir_dominates(other, u.v[j]->block))
                ir_rename_in(u.v[j], id, map[id]);
    }
    ir_retarget(m, no, b->label, c->label);
    keep_parent(b, yes->label);
    keep_parent(c, no->label);
    b->merge = c->merge = NULL;
    // Each of them has only one successor. Remove it from the phis of the other one.
    struct spv_edit_block *ends[2] = {then, other};
    uint32_t gone[2] = {c->label, b->label};
    for (int k = 0; k < 2; k++)
        for (size_t i = 0; i < ir_phis(ends[k]); i++) {
            struct spv_node *phi = ends[k]->body.v[i];
            uint32_t n = 0;
            for (uint32_t j = 0; j + 1 < phi->n; j += 2)
                if (phi->v[j + 1] != gone[k]) {
                    phi->v[n++] = phi->v[j];
                    phi->v[n++] = phi->v[j + 1];
                }
            phi->n = n;
        }
    ir_branch(m, b, then->label);
    ir_branch(m, c, other->label);
    t->first->merge->v[0] = t->merge->label;
    ir_analyse(m);
    dup_at(m, t->merge); // also moves the code after the second merge block
    return true;
}

uint32_t thread_jump(struct ir *m)
{
    uint32_t places = 0;
    for (size_t f = 0; f < m->functions.n; f++)
        for (size_t k = 0; k < m->functions.v[f]->blocks.n; k++) {
            struct two_ifs t;
            if (find(m, m->functions.v[f]->blocks.v[k], &t) && thread(m, &t)) {
                places++;
                ir_analyse(m);
            }
        }
    return places;
}
