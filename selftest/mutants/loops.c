// SPDX-License-Identifier: Apache-2.0
//
// Loop transformations: unswitching by a condition that differs between lanes, any or only a
// function's parameter; splitting a loop into all iterations but the last, and a remainder. Each
// lane executes the same instructions, but with other lanes.
#include "ir.h"

struct region {
    struct spv_edit_block *header, *merge, *before; // `before`: the only predecessor, with a plain
                                                    // branch
    VEC(struct spv_edit_block *) blocks;            // header first
};

static bool read_region(const struct ir *m, struct spv_edit_block *h, struct region *r)
{
    *r = (struct region){.header = h};
    if (h->order == NOWHERE || !h->merge || h->merge->op != SpvOpLoopMerge)
        return false;
    r->merge = ir_merge_of(m, h);
    for (size_t k = 0; k < h->preds.n; k++)
        if (!ir_dominates(h, h->preds.v[k])) {
            if (r->before)
                return false;
            r->before = h->preds.v[k];
        }
    if (!r->before || r->before->end->op != SpvOpBranch || r->before->merge)
        return false;
    for (size_t k = 0; k < h->function->blocks.n; k++)
        if (ir_inside(m, h, h->function->blocks.v[k]))
            *VEC_PUSH(m->arena, &r->blocks) = h->function->blocks.v[k];
    for (size_t k = 0; k < r->merge->preds.n; k++)
        if (!ir_inside(m, h, r->merge->preds.v[k]))
            return false;
    if (ir_has_dead_preds(m, r->merge))
        return false;
    for (size_t k = 0; k < r->blocks.n; k++) { // unreachable blocks would not be copied
        const struct spv_edit_block *b = r->blocks.v[k], *merge = ir_merge_of(m, b);
        const struct spv_edit_block *cont = ir_continue_of(m, b);
        if ((merge && merge != r->merge && merge->order == NOWHERE) ||
            (cont && cont->order == NOWHERE) || (b != h && merge == r->merge))
            return false;
    }
    return r->blocks.n < 64 && r->merge->order != NOWHERE && r->merge != h;
}

static bool in_region(const struct region *r, const struct spv_edit_block *b)
{
    for (size_t k = 0; k < r->blocks.n; k++)
        if (r->blocks.v[k] == b)
            return true;
    return false;
}

static bool has_group(const struct ir *m, const struct region *r)
{
    for (size_t k = 0; k < r->blocks.n; k++)
        for (size_t i = 0; i < r->blocks.v[k]->body.n; i++)
            if (ir_is_group(m, r->blocks.v[k]->body.v[i]))
                return true;
    return false;
}

// Adds a block before the region's merge block, as the merge block of the loop (`copy`: of its
// copy). The phis of the old merge block get a counterpart in it, with the parents that are in the
// region (or in its copy).
static struct spv_edit_block *own_merge(struct ir *m, struct region *r, const uint32_t *map,
                                        bool copy)
{
    struct spv_edit_block *x = ir_new_block(m, r->header->function);
    ir_branch(m, x, r->merge->label);
    for (size_t k = 0; k < ir_phis(r->merge); k++) {
        const struct spv_node *phi = r->merge->body.v[k];
        uint32_t *v = ARENA_ARRAY(m->arena, uint32_t, phi->n), n = 0;
        for (uint32_t j = 0; j + 1 < phi->n; j += 2) {
            bool mine = false;
            for (size_t b = 0; b < r->blocks.n; b++)
                mine |=
                    phi->v[j + 1] == (copy ? map[r->blocks.v[b]->label] : r->blocks.v[b]->label);
            if (mine) {
                v[n++] = phi->v[j];
                v[n++] = phi->v[j + 1];
            }
        }
        ir_put(m, x, k, spv_edit_make(&m->e, SpvOpPhi, phi->type, spv_edit_id(&m->e), v, n));
    }
    return x;
}

static void lead_to(struct ir *m, struct spv_edit_block *b, uint32_t old, uint32_t now)
{
    ir_retarget(m, b, old, now);
    if (b->merge && b->merge->v[0] == old)
        b->merge->v[0] = now;
}

// A value of the region that is used after it, and these uses.
struct live_out {
    const struct spv_node *def;
    struct ir_uses uses;
};
struct live_outs {
    struct live_out *v;
    size_t n, cap;
};

// A phi reads its operand at the end of its parent block, so the parent decides.
static bool is_inside_use(const struct ir *m, const struct region *r, const struct spv_node *use,
                          uint32_t id)
{
    if (use->op != SpvOpPhi)
        return in_region(r, use->block);
    for (uint32_t j = 0; j + 1 < use->n; j += 2)
        if (use->v[j] == id && !in_region(r, m->block_of[use->v[j + 1]]))
            return false;
    return true;
}

// False if one of the values is a pointer: a phi cannot carry it.
static bool find_live_outs(struct ir *m, const struct region *r, struct live_outs *out)
{
    *out = (struct live_outs){0};
    for (size_t k = 0; k < r->blocks.n; k++)
        for (size_t i = 0; i < r->blocks.v[k]->body.n; i++) {
            const struct spv_node *d = r->blocks.v[k]->body.v[i];
            struct ir_uses u = ir_uses(m, d->result), outside = {0};
            for (size_t j = 0; d->result && j < u.n; j++)
                if (!is_inside_use(m, r, u.v[j], d->result))
                    *VEC_PUSH(m->arena, &outside) = u.v[j];
            if (outside.n && (!ir_is_value(m, d) || ir_is_pointer(m, d->type)))
                return false;
            if (outside.n)
                *VEC_PUSH(m->arena, out) = (struct live_out){d, outside};
        }
    return true;
}

// ---- unswitching ----------------------------------------------------------------

// Returns a block in the loop that branches on a loop-invariant condition, and the instructions
// needed to compute it before the loop.
static struct spv_edit_block *invariant_branch(const struct ir *m, const struct region *r,
                                               struct ir_uses *slice)
{
    for (size_t k = 0; k < r->blocks.n; k++) {
        struct spv_edit_block *b = r->blocks.v[k];
        struct spv_node *d = b->end->op == SpvOpBranchConditional ? ir_def(m, b->end->v[0]) : NULL;
        if (!d || !d->block || ir_in_continue(m, b))
            continue;
        *slice = (struct ir_uses){0};
        if (ir_dominates(d->block, r->before) ||
            (ir_is_pure(m, d) && ir_slice(m, d, r->before, slice)))
            return b;
    }
    return NULL;
}

// Makes two loops of a loop: one for each way of its block `b`. `slice` computes the condition.
static bool unswitch_at(struct ir *m, struct region *r, struct spv_edit_block *b,
                        const struct ir_uses *slice)
{
    struct live_outs live;
    if (!b || !has_group(m, r) || !find_live_outs(m, r, &live))
        return false;
    uint32_t cond = b->end->v[0], *map = ir_map(m);
    for (size_t k = 0; k < slice->n; k++) {
        ir_take(slice->v[k]->block, slice->v[k]);
        ir_add(m, r->before, slice->v[k]);
    }
    ir_copy_blocks(m, r->blocks.v, r->blocks.n, map);
    struct spv_edit_block *x = own_merge(m, r, map, false), *y = own_merge(m, r, map, true);
    for (size_t k = 0; k < ir_phis(r->merge); k++) {
        const struct spv_node *phi = r->merge->body.v[k];
        const uint32_t v[] = {x->body.v[k]->result, x->label, y->body.v[k]->result, y->label};
        r->merge->body.v[k] = spv_edit_make(&m->e, SpvOpPhi, phi->type, phi->result, v, 4);
    }
    for (size_t k = 0; k < live.n; k++) {
        const struct spv_node *d = live.v[k].def;
        uint32_t id = spv_edit_id(&m->e);
        for (size_t j = 0; map[d->result] && j < live.v[k].uses.n; j++)
            ir_rename_in(live.v[k].uses.v[j], d->result, id);
        if (map[d->result]) // an instruction that moved before the loop has no copy
            ir_put(
                m, r->merge, ir_phis(r->merge),
                IR_MAKE(m, SpvOpPhi, d->type, id, d->result, x->label, map[d->result], y->label));
    }
    struct ir_function *f = r->header->function;
    for (size_t k = 0; k < f->blocks.n; k++) {
        struct spv_edit_block *c = f->blocks.v[k];
        if (c == x || c == y)
            continue;
        bool copied = false;
        for (size_t j = 0; j < r->blocks.n; j++)
            copied |= c->label == map[r->blocks.v[j]->label];
        if (copied)
            lead_to(m, c, r->merge->label, y->label);
        else if (in_region(r, c))
            lead_to(m, c, r->merge->label, x->label);
        if (c->label == map[b->label])
            c->end->v[0] = ir_truth(m, false);
    }
    b->end->v[0] = ir_truth(m, true);
    r->before->merge = IR_MAKE(m, SpvOpSelectionMerge, 0, 0, r->merge->label, 0);
    r->before->end =
        IR_MAKE(m, SpvOpBranchConditional, 0, 0, cond, r->header->label, map[r->header->label]);
    return true;
}

static bool unswitch(struct ir *m, struct region *r)
{
    struct ir_uses slice = {0};
    struct spv_edit_block *b = invariant_branch(m, r, &slice);
    return unswitch_at(m, r, b, &slice);
}

// True if a value depends on parameters and constants only. `*parameters`: on a parameter at all.
static bool by_parameters(const struct ir *m, const struct region *r, uint32_t id, int depth,
                          bool *parameters)
{
    struct spv_node *d = ir_def(m, id);
    if (!d || !depth)
        return false;
    *parameters |= d->op == SpvOpFunctionParameter;
    if (!d->block)
        return true;
    if (d->block != r->header->function->blocks.v[0] || d->op == SpvOpLoad || !ir_is_pure(m, d))
        return false;
    uint32_t *ids[IR_IDS], n = ir_ids(d, ids, IR_IDS);
    for (uint32_t k = 0; k < n; k++)
        if (!by_parameters(m, r, *ids[k], depth - 1, parameters))
            return false;
    return true;
}

// As in spirv-opt --loop-unswitch: what has no block is taken for uniform, a parameter too.
static bool unswitch_parameter(struct ir *m, struct region *r)
{
    for (size_t k = 0; k < r->blocks.n; k++) {
        struct spv_edit_block *b = r->blocks.v[k];
        bool parameters = false;
        if (b->end->op == SpvOpBranchConditional && !ir_in_continue(m, b) &&
            by_parameters(m, r, b->end->v[0], 6, &parameters) && parameters)
            return unswitch_at(m, r, b, &(struct ir_uses){0});
    }
    return false;
}

static uint32_t each_loop(struct ir *m, bool (*change)(struct ir *, struct region *))
{
    uint32_t places = 0;
    for (size_t f = 0; f < m->functions.n; f++) {
        size_t n = m->functions.v[f]->blocks.n;
        struct spv_edit_block **blocks =
            arena_copy(m->arena, m->functions.v[f]->blocks.v, n * sizeof *blocks);
        for (size_t k = n; k-- > 0 && places < 6;) { // inner loops first; each change doubles the
                                                     // code
            struct region r;
            if (read_region(m, blocks[k], &r) && change(m, &r)) {
                places++;
                ir_analyse(m);
            }
        }
    }
    return places;
}

MUT_EDIT(unswitch_loop, each_loop, unswitch)
MUT_EDIT(unswitch_by_parameter, each_loop, unswitch_parameter)

// ---- a remainder loop -----------------------------------------------------------

// True for the loop's counter: a variable or a header phi that is only changed by adding a
// constant.
static bool grows(const struct ir *m, const struct region *r, const struct spv_node *i,
                  uint32_t *step)
{
    uint32_t value;
    if (i->op == SpvOpPhi) {
        if (i->block != r->header || i->n != 4)
            return false;
        for (uint32_t j = 0; j < 4; j += 2) {
            const struct spv_node *d = ir_def(m, i->v[j]);
            if (d && d->block && in_region(r, d->block) && d->op == SpvOpIAdd &&
                d->v[0] == i->result && ir_const_value(m, d->v[1], &value)) {
                *step = d->v[1];
                return true;
            }
        }
        return false;
    }
    const struct spv_node *variable = i->op == SpvOpLoad ? ir_def(m, i->v[0]) : NULL;
    if (!variable || variable->op != SpvOpVariable || variable->v[0] != SpvStorageClassFunction)
        return false;
    struct ir_uses u = ir_uses(m, variable->result);
    uint32_t stores = 0;
    for (size_t k = 0; k < u.n; k++) {
        if (u.v[k]->op == SpvOpFunctionCall)
            return false;
        if (u.v[k]->op != SpvOpStore || !in_region(r, u.v[k]->block))
            continue;
        const struct spv_node *d = ir_def(m, u.v[k]->v[1]);
        const struct spv_node *old = d && d->op == SpvOpIAdd ? ir_def(m, d->v[0]) : NULL;
        if (!old || old->op != SpvOpLoad || old->v[0] != variable->result ||
            !ir_const_value(m, d->v[1], &value) || stores++)
            return false;
        *step = d->v[1];
    }
    return stores == 1;
}

// Emits the exit condition of the next iteration. 0 if it depends on more than the counter.
static uint32_t next_trip(struct ir *m, const struct region *r, struct spv_edit_block *b,
                          uint32_t id, bool *counts, int depth)
{
    struct spv_node *d = ir_def(m, id);
    uint32_t step;
    if (!d || !d->block || !in_region(r, d->block))
        return id;
    if (depth == 0)
        return 0;
    if (grows(m, r, d, &step)) {
        uint32_t next = spv_edit_id(&m->e);
        ir_add(m, b, IR_MAKE(m, SpvOpIAdd, d->type, next, id, step));
        *counts = true;
        return next;
    }
    if (!ir_is_pure(m, d))
        return 0;
    struct spv_node *c = spv_edit_make(&m->e, (SpvOp)d->op, d->type, 0, d->v, d->n);
    uint32_t *ids[IR_IDS], n = ir_ids(c, ids, IR_IDS);
    for (uint32_t k = 0; k < n; k++) {
        *ids[k] = next_trip(m, r, b, *ids[k], counts, depth - 1);
        if (!*ids[k])
            return 0;
    }
    c->result = spv_edit_id(&m->e);
    ir_add(m, b, c);
    return c->result;
}

static bool split_trips(struct ir *m, struct region *r)
{
    struct spv_edit_block *test = r->merge->preds.n == 1 ? r->merge->preds.v[0] : NULL;
    bool counts = false;
    if (!has_group(m, r) || !test || test->end->op != SpvOpBranchConditional ||
        ir_in_continue(m, test) || ir_loop_of(m, test) != r->header || ir_phis(r->merge) ||
        r->header->preds.n != 2 || (test->merge && test != r->header))
        return false;
    bool stays = test->end->v[2] == r->merge->label; // the loop continues while the condition is
                                                     // true
    if (!stays && test->end->v[1] != r->merge->label)
        return false;
    // The copy becomes the remainder loop.
    size_t had = test->body.n;
    uint32_t cond = test->end->v[0], next = next_trip(m, r, test, cond, &counts, 8);
    size_t made = test->body.n - had;
    test->body.n = had;
    if (!next || !counts)
        return false;
    struct live_outs live;
    if (!find_live_outs(m, r, &live))
        return false;
    uint32_t *map = ir_map(m);
    ir_copy_blocks(m, r->blocks.v, r->blocks.n, map);
    test->body.n = had + made;
    uint32_t both = spv_edit_id(&m->e);
    ir_add(m, test,
           IR_MAKE(m, stays ? SpvOpLogicalAnd : SpvOpLogicalOr, spv_edit_bool(&m->e), both, cond,
                   next));
    test->end->v[0] = both;
    struct spv_edit_block *x = ir_new_block(m, r->header->function);
    ir_branch(m, x, map[r->header->label]);
    struct ir_function *f = r->header->function;
    for (size_t k = 0; k < f->blocks.n; k++) {
        struct spv_edit_block *c = f->blocks.v[k];
        if (in_region(r, c))
            lead_to(m, c, r->merge->label, x->label);
        else if (c->label == map[r->header->label])
            for (size_t i = 0; i < ir_phis(c); i++) { // starts with the values of the first loop
                struct spv_node *phi = c->body.v[i];
                for (uint32_t j = 0; j + 1 < phi->n; j += 2)
                    if (phi->v[j + 1] == r->before->label) {
                        phi->v[j] = r->header->body.v[i]->result;
                        phi->v[j + 1] = x->label;
                    }
            }
    }
    for (size_t k = 0; k < live.n; k++)
        for (size_t j = 0; j < live.v[k].uses.n; j++)
            ir_rename_in(live.v[k].uses.v[j], live.v[k].def->result, map[live.v[k].def->result]);
    return true;
}

MUT_EDIT(unroll_with_remainder, each_loop, split_trips)
