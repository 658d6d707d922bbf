// SPDX-License-Identifier: Apache-2.0
//
// Folds group operations as if all lanes of the subgroup were active, or as if the operands were
// uniform.
#include "ir.h"

static uint32_t load(struct ir *m, struct spv_edit_block *b, size_t *at, SpvBuiltIn builtin)
{
    uint32_t id = spv_edit_id(&m->e), variable = ir_builtin(m, builtin);
    ir_put(m, b, (*at)++, IR_MAKE(m, SpvOpLoad, spv_edit_uint(&m->e), id, variable));
    return id;
}

static uint32_t alu(struct ir *m, struct spv_edit_block *b, size_t *at, SpvOp op, uint32_t type,
                    uint32_t x, uint32_t y)
{
    uint32_t id = spv_edit_id(&m->e);
    ir_put(m, b, (*at)++, IR_MAKE(m, op, type, id, x, y));
    return id;
}

static uint32_t pick(struct ir *m, struct spv_edit_block *b, size_t *at, uint32_t cond, uint32_t x,
                     uint32_t y)
{
    uint32_t id = spv_edit_id(&m->e);
    ir_put(m, b, (*at)++, IR_MAKE(m, SpvOpSelect, spv_edit_uint(&m->e), id, cond, x, y));
    return id;
}

static bool is_constant(const struct ir *m, uint32_t id)
{
    const struct spv_node *d = ir_def(m, id);
    return d &&
           (d->op == SpvOpConstant || d->op == SpvOpConstantTrue || d->op == SpvOpConstantNull);
}

// True if the id is really uniform: a constant, a load from a constant address that is never
// written, or computed from those.
static bool is_uniform(const struct ir *m, uint32_t id, int depth)
{
    const struct spv_node *d = ir_def(m, id);
    if (!d || !depth)
        return false;
    if (!d->block)
        return is_constant(m, id) ||
               (d->op == SpvOpVariable && d->v[0] == SpvStorageClassStorageBuffer);
    if (!ir_is_pure(m, d) || d->op == SpvOpExtInst)
        return false;
    uint32_t *ids[IR_IDS], n = ir_ids(d, ids, IR_IDS);
    for (uint32_t k = 0; k < n; k++)
        if (!is_uniform(m, *ids[k], depth - 1))
            return false;
    return true;
}

static bool is_int(const struct ir *m, uint32_t type, uint32_t width)
{
    const struct spv_node *d = ir_def(m, type);
    return d && d->op == SpvOpTypeInt && (!width || d->v[0] == width);
}

// Operand words of group arithmetic: scope, operation, value.
static bool is_arithmetic(const struct ir *m, const struct spv_node *i, SpvOp op,
                          SpvGroupOperation g)
{
    return i->op == op && i->v[1] == g && is_uniform(m, i->v[2], 8);
}

// Returns the value that replaces `i`; 0 if it stays. Adds new instructions before it.
typedef uint32_t fold_rule(struct ir *m, struct spv_edit_block *b, size_t *at,
                           const struct spv_node *i);

static uint32_t everywhere(struct ir *m, fold_rule *rule)
{
    uint32_t places = 0;
    IR_EACH_BLOCK (b, m) {
        for (size_t i = 0; i < b->body.n; i++) {
            struct spv_node *x = b->body.v[i];
            size_t at = i;
            uint32_t value = ir_is_group(m, x) ? rule(m, b, &at, x) : 0;
            if (!value)
                continue;
            ir_take(b, x);
            ir_rename(m, x->result, value);
            places++;
            i = at - 1;
        }
    }
    return places;
}

// c + c + ... over all lanes
static uint32_t sum(struct ir *m, struct spv_edit_block *b, size_t *at, const struct spv_node *i)
{
    if (!is_arithmetic(m, i, SpvOpGroupNonUniformIAdd, SpvGroupOperationReduce) ||
        !is_int(m, i->type, 32))
        return 0;
    return alu(m, b, at, SpvOpIMul, i->type, i->v[2], load(m, b, at, SpvBuiltInSubgroupSize));
}

// c times the number of lanes before this one
static uint32_t scan(struct ir *m, struct spv_edit_block *b, size_t *at, const struct spv_node *i)
{
    bool up_to = is_arithmetic(m, i, SpvOpGroupNonUniformIAdd, SpvGroupOperationInclusiveScan);
    if (!is_int(m, i->type, 32))
        return 0;
    if (!up_to && !is_arithmetic(m, i, SpvOpGroupNonUniformIAdd, SpvGroupOperationExclusiveScan))
        return 0;
    uint32_t lane = load(m, b, at, SpvBuiltInSubgroupLocalInvocationId);
    if (up_to)
        lane = alu(m, b, at, SpvOpIAdd, spv_edit_uint(&m->e), lane,
                   spv_edit_constant(&m->e, spv_edit_uint(&m->e), 1));
    return alu(m, b, at, SpvOpIMul, i->type, i->v[2], lane);
}

// c ^ c ^ ... over an even number of lanes
static uint32_t parity(struct ir *m, struct spv_edit_block *b, size_t *at, const struct spv_node *i)
{
    (void)b;
    (void)at;
    return is_arithmetic(m, i, SpvOpGroupNonUniformBitwiseXor, SpvGroupOperationReduce)
               ? ir_null(m, i->type)
               : 0;
}

// One bit for each lane of the subgroup.
static uint32_t all_lanes(struct ir *m, struct spv_edit_block *b, size_t *at,
                          const struct spv_node *i)
{
    uint32_t u32 = spv_edit_uint(&m->e), part[4];
    if (i->op != SpvOpGroupNonUniformBallot || ir_def(m, i->v[1])->op != SpvOpConstantTrue)
        return 0;
    uint32_t size = load(m, b, at, SpvBuiltInSubgroupSize), one = spv_edit_constant(&m->e, u32, 1);
    uint32_t ones = spv_edit_constant(&m->e, u32, UINT32_MAX),
             none = spv_edit_constant(&m->e, u32, 0);
    for (uint32_t k = 0; k < 4; k++) {
        uint32_t full = alu(m, b, at, SpvOpUGreaterThanEqual, spv_edit_bool(&m->e), size,
                            spv_edit_constant(&m->e, u32, 32 * (k + 1)));
        part[k] = pick(m, b, at, full, ones, none);
        if (k == 0) {
            uint32_t bit =
                alu(m, b, at, SpvOpBitwiseAnd, u32, size, spv_edit_constant(&m->e, u32, 31));
            uint32_t next = alu(m, b, at, SpvOpShiftLeftLogical, u32, one, bit);
            part[0] = pick(m, b, at, full, ones, alu(m, b, at, SpvOpISub, u32, next, one));
        }
    }
    uint32_t id = spv_edit_id(&m->e);
    ir_put(m, b, (*at)++,
           IR_MAKE(m, SpvOpCompositeConstruct, i->type, id, part[0], part[1], part[2], part[3]));
    return id;
}

static uint32_t lane_zero(struct ir *m, struct spv_edit_block *b, size_t *at,
                          const struct spv_node *i)
{
    if (i->op != SpvOpGroupNonUniformElect)
        return 0;
    uint32_t lane = load(m, b, at, SpvBuiltInSubgroupLocalInvocationId);
    return alu(m, b, at, SpvOpIEqual, i->type, lane,
               spv_edit_constant(&m->e, spv_edit_uint(&m->e), 0));
}

// all(c) and any(c) are replaced by c, as if c were uniform
static uint32_t vote(struct ir *m, struct spv_edit_block *b, size_t *at, const struct spv_node *i)
{
    (void)b;
    (void)at;
    bool is_vote = i->op == SpvOpGroupNonUniformAll || i->op == SpvOpGroupNonUniformAny;
    return is_vote && !is_constant(m, i->v[1]) ? i->v[1] : 0;
}

// A sum of numbers that were converted from 16 to 32 bits is computed in 16 bits.
static uint32_t narrow(struct ir *m, struct spv_edit_block *b, size_t *at, const struct spv_node *i)
{
    const struct spv_node *d = i->op == SpvOpGroupNonUniformIAdd ? ir_def(m, i->v[2]) : NULL;
    const struct spv_node *from = d && d->op == SpvOpUConvert ? ir_def(m, d->v[0]) : NULL;
    if (!from || i->n != 3 || !is_int(m, i->type, 32) || !is_int(m, from->type, 16))
        return 0;
    const uint32_t sum = spv_edit_id(&m->e), wide = spv_edit_id(&m->e);
    ir_put(m, b, (*at)++, IR_MAKE(m, i->op, from->type, sum, i->v[0], i->v[1], d->v[0]));
    ir_put(m, b, (*at)++, IR_MAKE(m, SpvOpUConvert, i->type, wide, sum));
    return wide;
}

MUT_EDIT(fold_sum_to_narrow, everywhere, narrow)
MUT_EDIT(fold_sum_of_uniform, everywhere, sum)
MUT_EDIT(fold_scan_of_uniform, everywhere, scan)
MUT_EDIT(fold_xor_of_uniform, everywhere, parity)
MUT_EDIT(fold_ballot_of_true, everywhere, all_lanes)
MUT_EDIT(fold_elect, everywhere, lane_zero)
MUT_EDIT(fold_vote, everywhere, vote)
