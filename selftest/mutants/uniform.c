// SPDX-License-Identifier: Apache-2.0
//
// Values that differ between lanes are treated as uniform and read from the first lane (as in a
// scalar register; here OpGroupNonUniformBroadcastFirst). The analysis considers only the assigned
// values and ignores *which lanes* assign them. A variable that is set to 1 in one arm and 2 in the
// other arm of a divergent branch has only uniform values. So has a counter, although the lanes
// left its loop at different times.
#include "ir.h"

struct look {
    const struct ir *m;
    uint8_t *known; // [id] 0 unknown, 1 uniform as far as known, 2 not uniform
};

static bool is_uniform(struct look *l, uint32_t id);

static const struct spv_node *variable_of(const struct ir *m, uint32_t pointer)
{
    const struct spv_node *d = ir_def(m, pointer);
    while (d && (d->op == SpvOpAccessChain || d->op == SpvOpInBoundsAccessChain))
        d = ir_def(m, d->v[0]);
    return d && d->op == SpvOpVariable ? d : NULL;
}

static bool stores_uniform(struct look *l, uint32_t variable)
{
    struct ir_uses u = ir_uses(l->m, variable);
    for (size_t k = 0; k < u.n; k++)
        if (u.v[k]->op == SpvOpStore ? u.v[k]->v[0] != variable || !is_uniform(l, u.v[k]->v[1])
                                     : u.v[k]->op != SpvOpLoad)
            return false;
    return true;
}

static bool operands_uniform(struct look *l, const struct spv_node *d, uint32_t step)
{
    uint32_t *ids[IR_IDS], n = ir_ids(d, ids, IR_IDS);
    for (uint32_t k = 0; k < n; k += step)
        if (!is_uniform(l, *ids[k]))
            return false;
    return true;
}

static bool look_at(struct look *l, const struct spv_node *d)
{
    if (!d->block)
        return d->op != SpvOpFunctionParameter; // a constant
    switch (d->op) {
    case SpvOpPhi:
        return operands_uniform(l, d, 2);
    case SpvOpLoad: {
        const struct spv_node *v = variable_of(l->m, d->v[0]);
        if (!v)
            return false;
        if (v->v[0] == SpvStorageClassFunction)
            return v->result == d->v[0] && stores_uniform(l, v->result);
        const struct spv_node *chain = ir_def(l->m, d->v[0]);
        return v->v[0] == SpvStorageClassStorageBuffer && ir_is_pure(l->m, d) &&
               operands_uniform(l, chain, 1);
    }
    case SpvOpGroupNonUniformElect:
    case SpvOpGroupNonUniformBallotBitExtract:
    case SpvOpGroupNonUniformInverseBallot:
        return false;
    case SpvOpGroupNonUniformBallotBitCount:
        return d->v[1] == SpvGroupOperationReduce;
    case SpvOpGroupNonUniformBallot:
    case SpvOpGroupNonUniformAll:
    case SpvOpGroupNonUniformAny:
    case SpvOpGroupNonUniformAllEqual:
    case SpvOpGroupNonUniformBallotFindLSB:
    case SpvOpGroupNonUniformBallotFindMSB:
    case SpvOpGroupNonUniformBroadcastFirst:
        return true;
    default:
        break;
    }
    if (ir_is_group(l->m, d))
        return d->n > 2 && d->v[1] == SpvGroupOperationReduce;
    return ir_is_pure(l->m, d) && operands_uniform(l, d, 1);
}

static bool is_uniform(struct look *l, uint32_t id)
{
    const struct spv_node *d = ir_def(l->m, id);
    if (!d)
        return false;
    if (d->op == SpvOpVariable)
        return true; // its address is uniform
    if (!l->known[id]) {
        l->known[id] = 1; // in a cycle: assume uniform
        l->known[id] = look_at(l, d) ? 1 : 2;
    }
    return l->known[id] == 1;
}

// ---- reading from the first lane ------------------------------------------------

// Inserts a read of the first active lane's value before body[at].
static uint32_t once(struct ir *m, struct spv_edit_block *b, size_t at, uint32_t value)
{
    uint32_t id = spv_edit_id(&m->e),
             scope = spv_edit_constant(&m->e, spv_edit_uint(&m->e), SpvScopeSubgroup);
    spv_edit_capability(&m->e, SpvCapabilityGroupNonUniformBallot);
    ir_put(
        m, b, at,
        IR_MAKE(m, SpvOpGroupNonUniformBroadcastFirst, ir_def(m, value)->type, id, scope, value));
    return id;
}

static bool is_scalar(const struct ir *m, uint32_t type)
{
    return ir_def(m, type) &&
           (ir_def(m, type)->op == SpvOpTypeBool || ir_def(m, type)->op == SpvOpTypeInt);
}

// Conditions or selectors.
static uint32_t branches(struct ir *m, SpvOp end)
{
    uint32_t places = 0;
    struct look l = {m, ARENA_ARRAY(m->arena, uint8_t, m->bound)};
    IR_EACH_BLOCK (b, m) {
        const struct spv_node *d = b->end->op == end ? ir_def(m, b->end->v[0]) : NULL;
        if (!d || !d->block || d->op == SpvOpGroupNonUniformBroadcastFirst ||
            !is_uniform(&l, b->end->v[0]))
            continue;
        b->end->v[0] = once(m, b, b->body.n, b->end->v[0]);
        places++;
    }
    return places;
}

MUT_EDIT(uniform_branch, branches, SpvOpBranchConditional)
MUT_EDIT(uniform_switch, branches, SpvOpSwitch)

// True if a variable or phi is written inside a loop that ends before `at`.
static bool after_its_loop(const struct ir *m, const struct spv_node *write,
                           const struct spv_edit_block *at)
{
    const struct spv_edit_block *loop = write->block ? ir_loop_of(m, write->block) : NULL;
    return loop && !ir_inside(m, loop, at) && ir_dominates(loop, at);
}

static bool is_written_in_left_loop(const struct ir *m, const struct spv_node *d)
{
    if (d->op != SpvOpLoad)
        return false;
    struct ir_uses u = ir_uses(m, d->v[0]);
    for (size_t k = 0; k < u.n; k++)
        if (u.v[k]->op == SpvOpStore && after_its_loop(m, u.v[k], d->block))
            return true;
    return false;
}

// Loads and phis.
static uint32_t values(struct ir *m, bool after_loops)
{
    uint32_t places = 0;
    struct look l = {m, ARENA_ARRAY(m->arena, uint8_t, m->bound)};
    IR_EACH_BLOCK (b, m) {
        for (size_t i = 0; i < b->body.n && b->order != NOWHERE; i++) {
            struct spv_node *d = b->body.v[i];
            bool phi = d->op == SpvOpPhi && !after_loops;
            bool read = d->op == SpvOpLoad && variable_of(m, d->v[0]) &&
                        variable_of(m, d->v[0])->v[0] == SpvStorageClassFunction &&
                        is_written_in_left_loop(m, d) == after_loops;
            if ((!phi && !read) || !is_scalar(m, d->type) || !is_uniform(&l, d->result))
                continue;
            struct ir_uses u = ir_uses(m, d->result);
            size_t at = phi ? ir_phis(b) : i + 1;
            uint32_t first = once(m, b, at, d->result);
            for (size_t j = 0; j < u.n; j++)
                if (u.v[j]->op != SpvOpPhi)
                    ir_rename_in(u.v[j], d->result, first);
            places++;
            i += read;
        }
    }
    return places;
}

MUT_EDIT(uniform_values, values, false)

// Values computed in a loop and used after it, by their own id or a variable.
uint32_t uniform_after_loop(struct ir *m)
{
    uint32_t places = values(m, true);
    if (places)
        ir_analyse(m);
    struct look l = {m, ARENA_ARRAY(m->arena, uint8_t, m->bound)};
    for (uint32_t id = 1; id < l.m->bound; id++) {
        const struct spv_node *d = ir_def(m, id);
        if (!d || !d->block || !d->type || !is_scalar(m, d->type) || !ir_loop_of(m, d->block) ||
            !is_uniform(&l, id))
            continue;
        struct ir_uses u = ir_uses(m, id);
        for (size_t k = 0; k < u.n; k++) {
            struct spv_edit_block *b = u.v[k]->block;
            if (u.v[k]->op == SpvOpPhi || b->order == NOWHERE || !after_its_loop(m, d, b))
                continue;
            uint32_t first = once(m, b, ir_place(b, u.v[k]), id);
            ir_rename_in(u.v[k], id, first);
            places++;
        }
    }
    return places;
}

// ---- reported bugs ---------------------------------------------------------------

static bool has_undefined(const struct ir *m, const struct spv_node *phi)
{
    for (uint32_t k = 0; phi && phi->op == SpvOpPhi && k < phi->n; k += 2)
        if (ir_def(m, phi->v[k]) && ir_def(m, phi->v[k])->op == SpvOpUndef)
            return true;
    return false;
}

// A phi with an undefined operand counts as its other operand, so as uniform: the broadcast from
// the first lane is removed.
uint32_t undefined_is_uniform(struct ir *m)
{
    uint32_t places = 0;
    IR_EACH_BLOCK (b, m) {
        for (size_t i = 0; i < b->body.n; i++) {
            struct spv_node *d = b->body.v[i];
            if (d->op != SpvOpGroupNonUniformBroadcastFirst ||
                !has_undefined(m, ir_def(m, d->v[1])))
                continue;
            ir_take(b, d);
            ir_rename(m, d->result, d->v[1]);
            places++;
            i--;
        }
    }
    return places;
}

// True if the block joins two arms, each of several blocks.
static bool joins_long_arms(const struct ir *m, const struct spv_edit_block *b)
{
    const struct spv_edit_block *h = b->idom;
    if (h == b || !h->merge || h->merge->op != SpvOpSelectionMerge || ir_merge_of(m, h) != b ||
        h->end->op != SpvOpBranchConditional || b->preds.n != 2)
        return false;
    for (size_t k = 0; k < 2; k++)
        if (b->preds.v[k] == h || b->preds.v[k]->label == h->end->v[1] ||
            b->preds.v[k]->label == h->end->v[2])
            return false;
    return true;
}

// A phi of constants where two arms of several blocks join is read from the first lane.
uint32_t joined_constants_are_first(struct ir *m)
{
    uint32_t places = 0;
    IR_EACH_BLOCK (b, m) {
        if (b->order == NOWHERE || !joins_long_arms(m, b))
            continue;
        const size_t phis = ir_phis(b);
        for (size_t i = 0; i < phis; i++) {
            struct spv_node *d = b->body.v[i];
            if (!is_scalar(m, d->type) || ir_def(m, d->v[0])->block || ir_def(m, d->v[2])->block)
                continue;
            struct ir_uses u = ir_uses(m, d->result);
            const uint32_t first = once(m, b, phis, d->result);
            for (size_t j = 0; j < u.n; j++)
                if (u.v[j]->op != SpvOpPhi)
                    ir_rename_in(u.v[j], d->result, first);
            places++;
        }
    }
    return places;
}

// A load at the invocation's own index, in a block that only some invocations execute, becomes a
// scalar load: at the index of the first lane.
uint32_t load_is_scalar(struct ir *m)
{
    uint32_t places = 0;
    for (size_t f = 0; f < m->functions.n; f++)
        for (size_t k = 1; k < m->functions.v[f]->blocks.n; k++) {
            struct spv_edit_block *b = m->functions.v[f]->blocks.v[k];
            for (size_t i = 0; i < b->body.n && b->order != NOWHERE; i++) {
                struct spv_node *d = b->body.v[i];
                struct spv_node *chain = d->op == SpvOpLoad ? ir_def(m, d->v[0]) : NULL;
                if (!chain || chain->op != SpvOpAccessChain || chain->block != b ||
                    !ir_is_pure(m, d))
                    continue;
                const uint32_t index = chain->v[chain->n - 1];
                const struct spv_node *own = ir_def(m, index);
                if (!own->block || own->block->order != 0)
                    continue;
                chain->v[chain->n - 1] = once(m, b, ir_place(b, chain), index);
                places++;
                i++;
            }
        }
    return places;
}
