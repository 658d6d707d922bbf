// SPDX-License-Identifier: Apache-2.0
//
// Cleans up after an edit: removes uncalled functions and unreachable blocks, and adapts phis to
// their predecessors. cleanup_uses.c then handles uses of removed ids.
#include "cleanup.h"

#include <string.h>

enum { ROUNDS = 64 };

// ---- functions -------------------------------------------------------------------------

static void drop_functions(struct cleanup *t)
{
    struct spv_edit *e = t->e;
    bool *reached = ARENA_ARRAY(e->a, bool, e->id_limit);
    VEC(uint32_t) todo = {0};
    EACH_NODE(i, e)
    if (e->node.v[i]->op == SpvOpEntryPoint)
        *VEC_PUSH(e->a, &todo) = e->node.v[i]->v[1];
    while (todo.n) {
        uint32_t id = todo.v[--todo.n], i = e->def[id];
        if (reached[id] || i == SPV_NO_NODE)
            continue;
        reached[id] = true;
        for (; i != SPV_NO_NODE && e->node.v[i]->op != SpvOpFunctionEnd; i = spv_edit_next(e, i))
            if (e->node.v[i]->op == SpvOpFunctionCall)
                *VEC_PUSH(e->a, &todo) = spv_edit_resolve(e, e->node.v[i]->v[0]);
    }
    bool in = false;
    EACH_NODE(i, e)
    {
        const struct spv_node *x = e->node.v[i];
        if (x->op == SpvOpFunction)
            in = !reached[x->result];
        if (!in)
            continue;
        if (x->op == SpvOpFunctionEnd)
            in = false;
        drop(t, i);
    }
}

// ---- blocks ----------------------------------------------------------------------------

// Fills t->block, starting at the node of an OpFunction. Returns the node of its OpFunctionEnd.
static uint32_t collect(struct cleanup *t, uint32_t i)
{
    struct spv_edit *e = t->e;
    t->block.n = 0;
    for (i = spv_edit_next(e, i); i != SPV_NO_NODE && e->node.v[i]->op != SpvOpFunctionEnd;
         i = spv_edit_next(e, i)) {
        const struct spv_node *x = e->node.v[i];
        if (x->op == SpvOpLabel) {
            *VEC_PUSH(e->a, &t->block) = (struct block){
                .label = x->result, .first = i, .term = SPV_NO_NODE, .merge = SPV_NO_NODE};
            t->block_of[x->result] = (uint32_t)t->block.n;
        } else if (t->block.n) {
            struct block *b = &t->block.v[t->block.n - 1];
            if (x->op == SpvOpLoopMerge || x->op == SpvOpSelectionMerge)
                b->merge = i;
            if (spv_ends_block(x->op))
                b->term = i;
        }
    }
    for (size_t k = 0; k < t->block.n; k++)
        t->bad |= t->block.v[k].term == SPV_NO_NODE;
    return i;
}

static struct block *block_at(struct cleanup *t, uint32_t label)
{
    uint32_t k = label < t->e->id_limit ? t->block_of[label] : 0;
    if (!k || k > t->block.n || t->block.v[k - 1].label != label) {
        t->bad = true;
        return NULL;
    }
    return &t->block.v[k - 1];
}

static uint32_t targets(struct cleanup *t, const struct block *b, uint32_t **out)
{
    const struct spv_node *x = t->e->node.v[b->term];
    *out = ARENA_ARRAY(t->e->a, uint32_t, x->n);
    return inst_targets(t->e, x, *out);
}

static void reach(struct cleanup *t)
{
    VEC(uint32_t) todo = {0};
    if (t->block.n)
        *VEC_PUSH(t->e->a, &todo) = t->block.v[0].label;
    while (todo.n && !t->bad) {
        struct block *b = block_at(t, todo.v[--todo.n]), *other;
        if (!b || b->reached)
            continue;
        b->reached = true;
        uint32_t *to, n = targets(t, b, &to);
        for (uint32_t k = 0; k < n; k++)
            *VEC_PUSH(t->e->a, &todo) = to[k];
        if (b->merge == SPV_NO_NODE)
            continue;
        const struct spv_node *m = t->e->node.v[b->merge];
        if ((other = block_at(t, m->v[0])))
            other->declared = true;
        if (m->op == SpvOpLoopMerge && (other = block_at(t, m->v[1]))) {
            other->declared = true;
            other->header = b->label;
        }
    }
}

// Empties an unreachable block that a merge instruction names, except for its terminator.
static void stub(struct cleanup *t, struct block *b)
{
    struct spv_edit *e = t->e;
    SpvOp op = b->header ? SpvOpBranch : SpvOpUnreachable;
    for (uint32_t i = spv_edit_next(e, b->first); i != b->term; i = spv_edit_next(e, i))
        drop(t, i);
    const struct spv_node *x = e->node.v[b->term];
    if (x->op == op && (!b->header || x->v[0] == b->header))
        return;
    spv_edit_set(e, b->term, op, &b->header, b->header ? 1 : 0);
    t->changed = true;
}

static void drop_blocks(struct cleanup *t)
{
    struct spv_edit *e = t->e;
    reach(t);
    for (size_t k = 0; k < t->block.n && !t->bad; k++) {
        struct block *b = &t->block.v[k];
        if (b->reached)
            continue;
        if (b->declared) {
            stub(t, b);
            continue;
        }
        for (uint32_t i = b->first; i != b->term; i = spv_edit_next(e, i))
            drop(t, i);
        drop(t, b->term);
    }
}

// ---- phis ------------------------------------------------------------------------------

static void fix_phi(struct cleanup *t, uint32_t node, const uint32_t *preds, uint32_t n)
{
    struct spv_edit *e = t->e;
    const struct spv_node x = *e->node.v[node];
    uint32_t *v = ARENA_ARRAY(e->a, uint32_t, 2 + 2 * n), count = 2;
    bool *have = ARENA_ARRAY(e->a, bool, n + 1), same = true;
    v[0] = x.type;
    v[1] = x.result;
    for (uint32_t i = 0; i + 1 < x.n; i += 2) {
        uint32_t k = 0;
        while (k < n && (preds[k] != x.v[i + 1] || have[k]))
            k++;
        same &= k < n;
        if (k == n)
            continue;
        have[k] = true;
        v[count++] = x.v[i];
        v[count++] = x.v[i + 1];
    }
    for (uint32_t k = 0; k < n; k++) {
        if (have[k])
            continue;
        same = false;
        v[count++] = spv_edit_zero(e, x.type);
        v[count++] = preds[k];
        t->bad |= v[count - 2] == 0;
    }
    if (n <= 1) {
        if (n && spv_edit_resolve(e, v[2]) != x.result)
            spv_edit_use(e, x.result, v[2]);
        drop(t, node);
    } else if (!same) {
        spv_edit_set(e, node, SpvOpPhi, v, count);
        t->changed = true;
    }
}

static void fix_phis(struct cleanup *t)
{
    struct spv_edit *e = t->e;
    for (size_t k = 0; k < t->block.n && !t->bad; k++) {
        uint32_t i = spv_edit_next(e, t->block.v[k].first), n = 0;
        if (i == SPV_NO_NODE || e->node.v[i]->op != SpvOpPhi)
            continue;
        uint32_t *preds = ARENA_ARRAY(e->a, uint32_t, t->block.n);
        for (size_t p = 0; p < t->block.n; p++) {
            uint32_t *to, count = targets(t, &t->block.v[p], &to);
            bool goes = false;
            for (uint32_t j = 0; j < count; j++)
                goes |= to[j] == t->block.v[k].label;
            if (goes)
                preds[n++] = t->block.v[p].label;
        }
        for (; i != SPV_NO_NODE && e->node.v[i]->op == SpvOpPhi; i = spv_edit_next(e, i))
            fix_phi(t, i, preds, n);
    }
}

// ---- all of it --------------------------------------------------------------------------

bool cleanup(struct spv_edit *e)
{
    struct cleanup t = {.e = e};
    uint32_t longest = 1;
    for (size_t i = 0; i < e->node.n; i++)
        longest = e->node.v[i]->n > longest ? e->node.v[i]->n : longest;
    t.block_of = ARENA_ARRAY(e->a, uint32_t, e->id_limit);
    t.at = ARENA_ARRAY(e->a, uint16_t, longest + 2 * EDIT_NEW_IDS);
    struct spv_edit was;
    t.before = ARENA_ARRAY(e->a, uint32_t, e->id_limit);
    if (!e->sweep) {
        edit_start(&was, e->a, &e->c, e->m);
        t.e = &was;
        for (uint32_t i = 0; i < e->m->inst_count; i++)
            cleanup_count_uses(&t, t.before, i, 1);
        t.e = e;
    }
    for (int round = 0; round < ROUNDS && !t.bad; round++) {
        t.changed = false;
        drop_functions(&t);
        for (uint32_t i = e->first; i != SPV_NO_NODE && !t.bad; i = spv_edit_next(e, i))
            if (!e->node.v[i]->gone && e->node.v[i]->op == SpvOpFunction) {
                uint32_t start = i;
                i = collect(&t, i);
                if (!t.bad)
                    drop_blocks(&t);
                collect(&t, start);
                if (!t.bad)
                    fix_phis(&t);
                if (i == SPV_NO_NODE)
                    break;
            }
        if (!t.bad)
            cleanup_fix_uses(&t);
        if (!t.bad)
            cleanup_drop_dead(&t);
        if (!t.changed)
            return !t.bad;
    }
    return false;
}
