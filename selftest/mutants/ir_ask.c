// SPDX-License-Identifier: Apache-2.0
//
// Queries of instructions: group operations, purity, equality.
#include "ir.h"

#include "spirv/spirv_groups.h"

bool ir_is_group(const struct ir *m, const struct spv_node *i)
{
    const struct spv_group_op *g = spv_group_find(i->op);
    if (m->only == IR_SAMPLES)
        return ir_is_sample(i);
    return g && (m->only == IR_ALL || g->klass == SPV_GROUP_DERIVATIVE);
}

bool ir_is_value(const struct ir *m, const struct spv_node *i)
{
    return i->type && ir_def(m, i->type) && ir_def(m, i->type)->op != SpvOpTypeVoid;
}

bool ir_is_pointer(const struct ir *m, uint32_t type)
{
    const uint16_t op = type && ir_def(m, type) ? ir_def(m, type)->op : 0;
    return op == SpvOpTypePointer || op == SpvOpTypeImage || op == SpvOpTypeSampler ||
           op == SpvOpTypeSampledImage;
}

// True if the memory that a pointer addresses is never written.
static bool is_read_only(const struct ir *m, uint32_t pointer)
{
    const struct spv_node *d = ir_def(m, pointer);
    while (d && (d->op == SpvOpAccessChain || d->op == SpvOpInBoundsAccessChain))
        d = ir_def(m, d->v[0]);
    if (!d || d->op != SpvOpVariable)
        return false;
    if (d->v[0] == SpvStorageClassInput || d->v[0] == SpvStorageClassUniform ||
        d->v[0] == SpvStorageClassPushConstant || d->v[0] == SpvStorageClassUniformConstant)
        return true;
    if (d->v[0] != SpvStorageClassStorageBuffer)
        return false;
    const struct spv_node *type = ir_def(m, d->type);
    IR_EACH_HEAD(x, m)
    {
        if ((x->op == SpvOpDecorate && x->v[0] == d->result &&
             x->v[1] == SpvDecorationNonWritable) ||
            (x->op == SpvOpMemberDecorate && type && x->v[0] == type->v[1] &&
             x->v[2] == SpvDecorationNonWritable))
            return true;
    }
    return false;
}

bool ir_is_pure(const struct ir *m, const struct spv_node *i)
{
    switch (i->op) {
    case SpvOpAccessChain:
    case SpvOpInBoundsAccessChain:
    case SpvOpUndef:
    case SpvOpExtInst:
    case SpvOpSampledImage:
    case SpvOpImage:
        return true;
    case SpvOpLoad:
        return is_read_only(m, i->v[0]);
    default:
        break;
    }
    switch (spv_op_class(i->op)) {
    case SPV_CLASS_ARITHMETIC:
    case SPV_CLASS_BIT:
    case SPV_CLASS_RELATIONAL_AND_LOGICAL:
    case SPV_CLASS_CONVERSION:
    case SPV_CLASS_COMPOSITE:
        return i->result != 0;
    default:
        return false;
    }
}

struct ir_uses ir_uses(const struct ir *m, uint32_t id)
{
    struct ir_uses out = {0};
    for (size_t f = 0; f < m->functions.n; f++)
        for (size_t b = 0; b < m->functions.v[f]->blocks.n; b++) {
            const struct spv_edit_block *block = m->functions.v[f]->blocks.v[b];
            for (size_t k = 0; k <= block->body.n; k++) {
                struct spv_node *i = k < block->body.n ? block->body.v[k] : block->end;
                uint32_t *ids[IR_IDS], n = ir_ids(i, ids, IR_IDS);
                for (uint32_t j = 0; j < n; j++)
                    if (*ids[j] == id) {
                        *VEC_PUSH(m->arena, &out) = i;
                        break;
                    }
            }
        }
    return out;
}

static bool same(const struct ir *m, uint32_t x, uint32_t y, int depth);

static bool same_operands(const struct ir *m, const struct spv_node *x, const struct spv_node *y,
                          int depth)
{
    if (x->op != y->op || x->type != y->type || x->n != y->n)
        return false;
    uint32_t *xs[IR_IDS], *ys[IR_IDS], n = ir_ids(x, xs, IR_IDS), at = 0;
    if (ir_ids(y, ys, IR_IDS) != n)
        return false;
    for (uint32_t k = 0; k < x->n; k++) {
        if (at < n && xs[at] == &x->v[k]) {
            if (ys[at] != &y->v[k] || !same(m, x->v[k], y->v[k], depth))
                return false;
            at++;
        } else if (x->v[k] != y->v[k]) {
            return false;
        }
    }
    return true;
}

static bool same(const struct ir *m, uint32_t x, uint32_t y, int depth)
{
    if (x == y)
        return true;
    const struct spv_node *a = ir_def(m, x), *b = ir_def(m, y);
    return a && b && a->block && b->block && depth && ir_is_pure(m, a) &&
           same_operands(m, a, b, depth - 1);
}

bool ir_same_value(const struct ir *m, uint32_t x, uint32_t y)
{
    return same(m, x, y, 6);
}

bool ir_same(const struct ir *m, const struct spv_node *x, const struct spv_node *y)
{
    return same_operands(m, x, y, 6);
}

bool ir_holds(const struct ir_uses *u, const struct spv_node *i)
{
    for (size_t k = 0; k < u->n; k++)
        if (u->v[k] == i)
            return true;
    return false;
}

static bool need(const struct ir *m, struct spv_node *i, const struct spv_edit_block *at,
                 struct ir_uses *out, bool first)
{
    if (!first && (!i->block || ir_dominates(i->block, at) || ir_holds(out, i)))
        return true;
    if (!first && !ir_is_pure(m, i))
        return false;
    if (out->n > 24)
        return false;
    uint32_t *ids[IR_IDS], n = ir_ids(i, ids, IR_IDS);
    for (uint32_t k = 0; k < n; k++) {
        struct spv_node *d = ir_def(m, *ids[k]);
        if (!d || !need(m, d, at, out, false))
            return false;
    }
    *VEC_PUSH(m->arena, out) = i;
    return true;
}

bool ir_slice(const struct ir *m, struct spv_node *i, const struct spv_edit_block *at,
              struct ir_uses *out)
{
    *out = (struct ir_uses){0};
    return need(m, i, at, out, true);
}

bool ir_const_value(const struct ir *m, uint32_t id, uint32_t *value)
{
    const struct spv_node *d = ir_def(m, id);
    if (!d || d->op != SpvOpConstant || d->n != 1)
        return false;
    *value = d->v[0];
    return true;
}
