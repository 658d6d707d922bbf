// SPDX-License-Identifier: Apache-2.0
//
// Results that are lost or mixed up: a value from a loop is lost after it, two shuffles share
// scratch memory, a barrier is removed, every workgroup reads WorkgroupId 0, shared memory wraps,
// the condition of a back edge is computed too late.
#include "ir.h"

static bool is_group_value(const struct ir *m, uint32_t id, int depth)
{
    const struct spv_node *d = ir_def(m, id);
    if (!d || !d->block || !depth)
        return false;
    if (ir_is_group(m, d))
        return true;
    if (!ir_is_pure(m, d) || d->op == SpvOpAccessChain || d->op == SpvOpLoad)
        return false;
    uint32_t *ids[IR_IDS], n = ir_ids(d, ids, IR_IDS);
    for (uint32_t k = 0; k < n; k++)
        if (is_group_value(m, *ids[k], depth - 1))
            return true;
    return false;
}

// A value that depends on a group operation in a loop becomes zero in uses after the loop. A store
// of it to a variable that is only read after the loop is removed.
uint32_t loop_value_lost(struct ir *m)
{
    uint32_t places = 0;
    IR_EACH_BLOCK (b, m) {
        struct spv_edit_block *loop = ir_loop_of(m, b);
        for (size_t i = 0; loop && i < b->body.n; i++) {
            struct spv_node *d = b->body.v[i];
            if (d->op == SpvOpStore && ir_def(m, d->v[0]) &&
                ir_def(m, d->v[0])->op == SpvOpVariable &&
                ir_def(m, d->v[0])->v[0] == SpvStorageClassFunction &&
                is_group_value(m, d->v[1], 6)) {
                struct ir_uses u = ir_uses(m, d->v[0]);
                bool read = false;
                for (size_t j = 0; j < u.n; j++)
                    read |= u.v[j]->op != SpvOpStore && ir_inside(m, loop, u.v[j]->block);
                if (!read) {
                    ir_take(b, d);
                    places++;
                    i--;
                }
            } else if (ir_is_value(m, d) && is_group_value(m, d->result, 6) &&
                       !ir_is_pointer(m, d->type)) {
                struct ir_uses u = ir_uses(m, d->result);
                for (size_t j = 0; j < u.n; j++)
                    if (u.v[j]->op != SpvOpPhi && !ir_inside(m, loop, u.v[j]->block) &&
                        !is_group_value(m, u.v[j]->result, 1)) {
                        ir_rename_in(u.v[j], d->result, ir_null(m, d->type));
                        places++;
                    }
            }
        }
    }
    return places;
}

// Two consecutive shuffles use the same scratch memory without a barrier: the first one reads the
// values of the second.
uint32_t shuffles_share_scratch(struct ir *m)
{
    uint32_t places = 0;
    IR_EACH_BLOCK (b, m) {
        struct spv_node *first = NULL;
        for (size_t i = 0; i < b->body.n; i++) {
            struct spv_node *d = b->body.v[i];
            if (d->op != SpvOpGroupNonUniformShuffle)
                continue;
            const struct spv_node *value = ir_def(m, d->v[1]);
            if (first && first->type == d->type && first->v[1] != d->v[1] && value &&
                ir_before(value, first)) {
                first->v[1] = d->v[1];
                places++;
            }
            first = d;
        }
    }
    return places;
}

uint32_t barrier_left_out(struct ir *m)
{
    uint32_t places = 0;
    IR_EACH_BLOCK (b, m) {
        for (size_t i = 0; i < b->body.n; i++)
            if (b->body.v[i]->op == SpvOpControlBarrier) {
                ir_take(b, b->body.v[i--]);
                places++;
            }
    }
    return places;
}

// Code that depends on WorkgroupId is compiled for the first workgroup only.
uint32_t workgroup_is_first(struct ir *m)
{
    uint32_t places = 0;
    IR_EACH_HEAD(d, m)
    {
        if (d->op != SpvOpDecorate || d->v[1] != SpvDecorationBuiltIn ||
            d->v[2] != SpvBuiltInWorkgroupId)
            continue;
        struct ir_uses u = ir_uses(m, d->v[0]);
        for (size_t j = 0; j < u.n; j++)
            if (u.v[j]->op == SpvOpLoad) {
                uint32_t zero = ir_null(m, u.v[j]->type);
                ir_rename(m, u.v[j]->result, zero);
                places++;
            }
    }
    return places;
}

// The same for SubgroupId, except where it is stored as it is.
uint32_t subgroup_is_first(struct ir *m)
{
    uint32_t places = 0;
    IR_EACH_HEAD(d, m)
    {
        if (d->op != SpvOpDecorate || d->v[1] != SpvDecorationBuiltIn ||
            d->v[2] != SpvBuiltInSubgroupId)
            continue;
        struct ir_uses loads = ir_uses(m, d->v[0]);
        for (size_t j = 0; j < loads.n; j++) {
            if (loads.v[j]->op != SpvOpLoad)
                continue;
            struct ir_uses u = ir_uses(m, loads.v[j]->result);
            for (size_t k = 0; k < u.n; k++)
                if (u.v[k]->op != SpvOpStore) {
                    ir_rename_in(u.v[k], loads.v[j]->result, ir_null(m, loads.v[j]->type));
                    places++;
                }
        }
    }
    return places;
}

// Workgroup memory has room for 128 invocations: indices wrap.
uint32_t shared_memory_wraps(struct ir *m)
{
    enum { ROOM = 128 };
    uint32_t places = 0;
    IR_EACH_BLOCK (b, m) {
        for (size_t i = 0; i < b->body.n; i++) {
            struct spv_node *d = b->body.v[i];
            const struct spv_node *base = d->op == SpvOpAccessChain ? ir_def(m, d->v[0]) : NULL;
            if (!base || base->op != SpvOpVariable || base->v[0] != SpvStorageClassWorkgroup)
                continue;
            const uint32_t u32 = spv_edit_uint(&m->e), id = spv_edit_id(&m->e);
            const uint32_t mask = spv_edit_constant(&m->e, u32, ROOM - 1);
            ir_put(m, b, i, IR_MAKE(m, SpvOpBitwiseAnd, u32, id, d->v[1], mask));
            d->v[1] = id;
            places++;
            i++;
        }
    }
    return places;
}

// ---- the condition of a back edge ----------------------------------------------------

// Marks the instructions of the block that the value depends on: arithmetic and loads of variables.
static void mark_slice(const struct ir *m, const struct spv_edit_block *b, uint32_t id, bool *in)
{
    const struct spv_node *d = ir_def(m, id);
    if (!d || d->block != b || in[d->place])
        return;
    const struct spv_node *from = d->op == SpvOpLoad ? ir_def(m, d->v[0]) : NULL;
    const bool variable = from && from->op == SpvOpVariable;
    if (!variable && !ir_is_pure(m, d))
        return; // its value stays
    in[d->place] = true;
    uint32_t *ids[IR_IDS], n = ir_ids(d, ids, IR_IDS);
    for (uint32_t k = 0; k < n; k++)
        mark_slice(m, b, *ids[k], in);
}

// True if a marked load reads a variable that the block stores to afterwards.
static bool is_overwritten(const struct spv_edit_block *b, const bool *in)
{
    for (size_t i = 0; i < b->body.n; i++)
        for (size_t j = i + 1; in[i] && b->body.v[i]->op == SpvOpLoad && j < b->body.n; j++)
            if (b->body.v[j]->op == SpvOpStore && b->body.v[j]->v[0] == b->body.v[i]->v[0])
                return true;
    return false;
}

// The condition of a back edge is computed again after the stores of its block.
uint32_t latch_after_stores(struct ir *m)
{
    uint32_t places = 0;
    IR_EACH_BLOCK (b, m) {
        const size_t n = b->body.n;
        bool *in = ARENA_ARRAY(m->arena, bool, n);
        if (b->order == NOWHERE || b->end->op != SpvOpBranchConditional || !ir_in_continue(m, b))
            continue;
        mark_slice(m, b, b->end->v[0], in);
        if (!is_overwritten(b, in))
            continue;
        uint32_t *map = ir_map(m);
        for (size_t i = 0; i < n; i++)
            if (in[i])
                ir_add(m, b, ir_copy(m, b->body.v[i], map));
        if (map[b->end->v[0]])
            b->end->v[0] = map[b->end->v[0]];
        places++;
    }
    return places;
}
