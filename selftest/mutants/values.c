// SPDX-License-Identifier: Apache-2.0
//
// Results that are lost or mixed up: a value from a loop is lost after it, two shuffles share
// scratch memory, a barrier is removed, every workgroup reads WorkgroupId 0.
#include "ir.h"

static bool is_group_value(const struct ir *m, uint32_t id, int depth)
{
    const struct spv_node *d = m->def[id];
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
    for (size_t f = 0; f < m->functions.n; f++)
        for (size_t k = 0; k < m->functions.v[f]->blocks.n; k++) {
            struct spv_edit_block *b = m->functions.v[f]->blocks.v[k];
            struct spv_edit_block *loop = ir_loop_of(m, b);
            for (size_t i = 0; loop && i < b->body.n; i++) {
                struct spv_node *d = b->body.v[i];
                if (d->op == SpvOpStore && m->def[d->v[0]] &&
                    m->def[d->v[0]]->op == SpvOpVariable &&
                    m->def[d->v[0]]->v[0] == SpvStorageClassFunction &&
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
    for (size_t f = 0; f < m->functions.n; f++)
        for (size_t k = 0; k < m->functions.v[f]->blocks.n; k++) {
            struct spv_edit_block *b = m->functions.v[f]->blocks.v[k];
            struct spv_node *first = NULL;
            for (size_t i = 0; i < b->body.n; i++) {
                struct spv_node *d = b->body.v[i];
                if (d->op != SpvOpGroupNonUniformShuffle)
                    continue;
                const struct spv_node *value = m->def[d->v[1]];
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
    for (size_t f = 0; f < m->functions.n; f++)
        for (size_t k = 0; k < m->functions.v[f]->blocks.n; k++) {
            struct spv_edit_block *b = m->functions.v[f]->blocks.v[k];
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
