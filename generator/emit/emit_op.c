// SPDX-License-Identifier: Apache-2.0
//
// Emits group operations: converts operands to the element type, computes the lane to read, and
// converts the result back.
#include "emit_parts.h"

// ---- element types --------------------------------------------------------------

static uint32_t scalar_type(struct emit *e, const struct gen_as_row *as)
{
    if (as->bits == 1)
        return e->bool_type;
    static const SpvCapability ints[] = {
        [8] = SpvCapabilityInt8, [16] = SpvCapabilityInt16, [64] = SpvCapabilityInt64};
    static const SpvCapability floats[] = {
        [16] = SpvCapabilityFloat16, [64] = SpvCapabilityFloat64};
    if (as->bits != 32)
        spv_capability(e->w, as->is_float ? floats[as->bits] : ints[as->bits]);
    return as->is_float ? spv_type_float(e->w, as->bits)
                        : spv_type_int(e->w, as->bits, as->is_signed);
}

// Converts a u32 to one component. A float uses so few bits that the sum over a subgroup of 128 is
// exact, and one bit that is always set, because the sign of a zero is not defined.
static uint32_t into(struct emit *e, enum gen_as as, uint32_t type, uint32_t x)
{
    struct spv_writer *w = e->w;
    const struct gen_as_row *row = gen_as_row(as);
    if (as == AS_U32)
        return x;
    if (row->is_float) {
        uint32_t bit = row->bits == 16 ? 8 : 256, mask = emit_const(e, bit - 1);
        uint32_t low = SPV_VALUE(w, SpvOpBitwiseAnd, e->u32, x, mask);
        low = SPV_VALUE(w, SpvOpBitwiseOr, e->u32, low, emit_const(e, bit));
        return SPV_VALUE(w, SpvOpConvertUToF, type, low);
    }
    if (row->bits == 1) {
        const uint32_t low = SPV_VALUE(w, SpvOpBitwiseAnd, e->u32, x, emit_const(e, 1));
        return SPV_VALUE(w, SpvOpINotEqual, type, low, emit_const(e, 0));
    }
    if (row->bits == 32)
        return SPV_VALUE(w, SpvOpBitcast, type, x);
    if (row->bits < 32)
        return SPV_VALUE(w, row->is_signed ? SpvOpSConvert : SpvOpUConvert, type, x);
    uint32_t pair = spv_type_vector(w, e->u32, 2);
    uint32_t high = SPV_VALUE(w, SpvOpNot, e->u32, x);
    uint32_t both = SPV_VALUE(w, SpvOpCompositeConstruct, pair, x, high);
    return SPV_VALUE(w, SpvOpBitcast, type, both);
}

static uint32_t out_of(struct emit *e, enum gen_as as, uint32_t x)
{
    struct spv_writer *w = e->w;
    const struct gen_as_row *row = gen_as_row(as);
    if (as == AS_U32)
        return x;
    if (row->is_float)
        return SPV_VALUE(w, SpvOpConvertFToU, e->u32, x);
    if (row->bits == 1) {
        const uint32_t one = emit_const(e, 1), zero = emit_const(e, 0);
        return SPV_VALUE(w, SpvOpSelect, e->u32, x, one, zero);
    }
    if (row->bits == 32)
        return SPV_VALUE(w, SpvOpBitcast, e->u32, x);
    if (row->bits < 32)
        return SPV_VALUE(w, row->is_signed ? SpvOpSConvert : SpvOpUConvert, e->u32, x);
    uint32_t both = SPV_VALUE(w, SpvOpBitcast, spv_type_vector(w, e->u32, 2), x);
    uint32_t low = SPV_VALUE(w, SpvOpCompositeExtract, e->u32, both, 0);
    uint32_t high = SPV_VALUE(w, SpvOpCompositeExtract, e->u32, both, 1);
    uint32_t more = SPV_VALUE(w, SpvOpIMul, e->u32, high, emit_const(e, 3));
    return SPV_VALUE(w, SpvOpIAdd, e->u32, low, more);
}

// Returns the operand in the element type of the operation.
static uint32_t operand(struct emit *e, const struct gen_stmt *s, uint32_t scalar, uint32_t type,
                        uint32_t x)
{
    uint32_t v[4];
    if (s->op.width == 1)
        return into(e, s->op.as, scalar, x);
    for (uint32_t c = 0; c < s->op.width; c++) {
        uint32_t by = emit_const(e, 3 * c);
        uint32_t part = c ? SPV_VALUE(e->w, SpvOpShiftRightLogical, e->u32, x, by) : x;
        v[c] = into(e, s->op.as, scalar, part);
    }
    return spv_put_value(e->w, SpvOpCompositeConstruct, type, v, s->op.width);
}

static uint32_t result(struct emit *e, const struct gen_stmt *s, uint32_t scalar, uint32_t x)
{
    uint32_t r = 0;
    if (s->op.width == 1)
        return out_of(e, s->op.as, x);
    for (uint32_t c = 0; c < s->op.width; c++) {
        uint32_t part = SPV_VALUE(e->w, SpvOpCompositeExtract, scalar, x, c);
        part = out_of(e, s->op.as, part);
        if (c) {
            uint32_t five = SPV_VALUE(e->w, SpvOpIMul, e->u32, r, emit_const(e, 5));
            part = SPV_VALUE(e->w, SpvOpIAdd, e->u32, five, part);
        }
        r = part;
    }
    return r;
}

// ---- which lane -------------------------------------------------------------------

static uint32_t active_lanes(struct emit *e)
{
    spv_capability(e->w, SpvCapabilityGroupNonUniformBallot);
    return SPV_VALUE(e->w, SpvOpGroupNonUniformBallot, e->ballot, e->scope,
                     spv_const_bool(e->w, true));
}

static uint32_t is_active(struct emit *e, uint32_t active, uint32_t lane)
{
    struct spv_writer *w = e->w;
    if (e->p->used & GEN_BIT(GEN_PLAIN_BALLOTS)) {
        const uint32_t part = e->p->subgroup > 32 ? SPV_VALUE(w, SpvOpShiftRightLogical, e->u32,
                                                              lane, emit_const(e, 5))
                                                  : 0;
        const uint32_t word = e->p->subgroup > 32
                                  ? SPV_VALUE(w, SpvOpVectorExtractDynamic, e->u32, active, part)
                                  : SPV_VALUE(w, SpvOpCompositeExtract, e->u32, active, 0);
        const uint32_t by = SPV_VALUE(w, SpvOpBitwiseAnd, e->u32, lane, emit_const(e, 31));
        const uint32_t moved = SPV_VALUE(w, SpvOpShiftRightLogical, e->u32, word, by);
        const uint32_t bit = SPV_VALUE(w, SpvOpBitwiseAnd, e->u32, moved, emit_const(e, 1));
        return SPV_VALUE(w, SpvOpINotEqual, e->bool_type, bit, emit_const(e, 0));
    }
    return SPV_VALUE(w, SpvOpGroupNonUniformBallotBitExtract, e->bool_type, e->scope, active, lane);
}

// Returns a lane that is active at the shuffle, according to a ballot right before it.
static uint32_t shuffle_source(struct emit *e, const struct gen_stmt *s)
{
    struct spv_writer *w = e->w;
    if (s->op.source == FROM_SELF)
        return e->lane;
    uint32_t active = active_lanes(e);
    if (s->op.source == FROM_FIRST)
        return SPV_VALUE(w, SpvOpGroupNonUniformBallotFindLSB, e->u32, e->scope, active);
    if (s->op.source == FROM_LAST)
        return SPV_VALUE(w, SpvOpGroupNonUniformBallotFindMSB, e->u32, e->scope, active);
    uint32_t other = SPV_VALUE(w, SpvOpBitwiseXor, e->u32, e->lane, emit_const(e, s->op.n));
    uint32_t there = is_active(e, active, other);
    return SPV_VALUE(w, SpvOpSelect, e->u32, there, other, e->lane);
}

// Emits a bool: is the lane active that a move by n reads?
static uint32_t move_is_there(struct emit *e, const struct gen_stmt *s, uint32_t n)
{
    struct spv_writer *w = e->w;
    const uint32_t size = e->p->subgroup;
    const uint32_t last = emit_const(e, size - 1);
    const bool beyond = !s->op.arg[1] && s->op.n == size; // each lane reads one that does not exist
    uint32_t from, inside = 0;
    switch (s->op.op) {
    case GROUP_SHUFFLE_XOR:
        from = SPV_VALUE(w, SpvOpBitwiseXor, e->u32, e->lane, n);
        if (beyond) {
            inside = SPV_VALUE(w, SpvOpULessThanEqual, e->bool_type, from, last);
            from = SPV_VALUE(w, SpvOpBitwiseAnd, e->u32, from, last);
        }
        break;
    case GROUP_SHUFFLE_UP:
        inside = SPV_VALUE(w, SpvOpUGreaterThanEqual, e->bool_type, e->lane, n);
        from = SPV_VALUE(w, SpvOpISub, e->u32, e->lane, n);
        from = SPV_VALUE(w, SpvOpBitwiseAnd, e->u32, from, last);
        break;
    case GROUP_BROADCAST:
    case GROUP_BROADCAST_VALUE:
        from = n;
        if (beyond) {
            inside = SPV_VALUE(w, SpvOpULessThanEqual, e->bool_type, from, last);
            from = SPV_VALUE(w, SpvOpBitwiseAnd, e->u32, from, last);
        }
        break;
    case GROUP_ROTATE_CLUSTER: {
        const uint32_t inner = emit_const(e, s->op.n - 1), outer = emit_const(e, size - s->op.n);
        const uint32_t cluster = SPV_VALUE(w, SpvOpBitwiseAnd, e->u32, e->lane, outer);
        from = SPV_VALUE(w, SpvOpIAdd, e->u32, e->lane, n);
        from = SPV_VALUE(w, SpvOpBitwiseAnd, e->u32, from, inner);
        from = SPV_VALUE(w, SpvOpBitwiseOr, e->u32, cluster, from);
        break;
    }
    case GROUP_QUAD_BROADCAST:
    case GROUP_QUAD_BROADCAST_VALUE: {
        uint32_t quad = SPV_VALUE(w, SpvOpBitwiseAnd, e->u32, e->lane, emit_const(e, size - 4));
        from = SPV_VALUE(w, SpvOpBitwiseOr, e->u32, quad, n);
        break;
    }
    case GROUP_QUAD_SWAP:
        from = SPV_VALUE(w, SpvOpBitwiseXor, e->u32, e->lane, emit_const(e, s->op.n + 1));
        break;
    default: // down, rotate
        from = SPV_VALUE(w, SpvOpIAdd, e->u32, e->lane, n);
        if (s->op.op == GROUP_SHUFFLE_DOWN)
            inside = SPV_VALUE(w, SpvOpULessThanEqual, e->bool_type, from, last);
        from = SPV_VALUE(w, SpvOpBitwiseAnd, e->u32, from, last);
    }
    uint32_t active = active_lanes(e), there = is_active(e, active, from);
    return inside ? SPV_VALUE(w, SpvOpLogicalAnd, e->bool_type, inside, there) : there;
}

// ---- derivatives -----------------------------------------------------------------------

// Converts a u32 to one component (group_ops.h). `by_index`: the part that depends on the position
// in the quad.
static uint32_t into_slope(struct emit *e, uint32_t type, uint32_t x, uint32_t by_index)
{
    const uint32_t low = SPV_VALUE(e->w, SpvOpBitwiseAnd, e->u32, x, emit_const(e, 15));
    const uint32_t sum = SPV_VALUE(e->w, SpvOpIAdd, e->u32, low, by_index);
    return SPV_VALUE(e->w, SpvOpConvertUToF, type, sum);
}

static uint32_t out_of_slope(struct emit *e, uint32_t x)
{
    const uint32_t i32 = spv_type_int(e->w, 32, true);
    return SPV_VALUE(e->w, SpvOpBitcast, e->u32, SPV_VALUE(e->w, SpvOpConvertFToS, i32, x));
}

static uint32_t emit_derivative(struct emit *e, const struct gen_stmt *s)
{
    enum { STEPS = 0x3201 }; // 1, 0, 2, 3: a nibble for each quad index
    struct spv_writer *w = e->w;
    const uint32_t scalar = spv_type_float(w, 32), width = s->op.width;
    const uint32_t type = width > 1 ? spv_type_vector(w, scalar, width) : scalar;
    const uint32_t own = emit_expr(e, s->op.arg[0]);
    const uint32_t index =
        SPV_VALUE(w, SpvOpBitwiseAnd, e->u32, e->lane, emit_const(e, SPV_QUAD - 1));
    const uint32_t nibble = SPV_VALUE(w, SpvOpShiftLeftLogical, e->u32, index, emit_const(e, 2));
    const uint32_t steps = emit_const(e, STEPS);
    const uint32_t step = SPV_VALUE(w, SpvOpShiftRightLogical, e->u32, steps, nibble);
    const uint32_t low = SPV_VALUE(w, SpvOpBitwiseAnd, e->u32, step, emit_const(e, 3));
    const uint32_t by_index = SPV_VALUE(w, SpvOpShiftLeftLogical, e->u32, low, emit_const(e, 4));
    uint32_t v[4], r = 0;
    for (uint32_t c = 0; c < width; c++) {
        const uint32_t by = emit_const(e, 4 * c);
        v[c] = into_slope(
            e, scalar, c ? SPV_VALUE(w, SpvOpShiftRightLogical, e->u32, own, by) : own, by_index);
    }
    const uint32_t of =
        width > 1 ? spv_put_value(w, SpvOpCompositeConstruct, type, v, width) : v[0];
    const uint32_t id = e->op_id = SPV_VALUE(w, gen_group_row(s->op.op)->opcode, type, of);
    for (uint32_t c = 0; c < width; c++) {
        const uint32_t part =
            out_of_slope(e, width > 1 ? SPV_VALUE(w, SpvOpCompositeExtract, scalar, id, c) : id);
        const uint32_t five = c ? SPV_VALUE(w, SpvOpIMul, e->u32, r, emit_const(e, 5)) : 0;
        r = c ? SPV_VALUE(w, SpvOpIAdd, e->u32, five, part) : part;
    }
    return r;
}

// ---- operations ---------------------------------------------------------------------

// Emits the partition of the active invocations by the second operand.
static uint32_t parts(struct emit *e, const struct gen_stmt *s)
{
    const struct spv_group_op *g = gen_group_op(GROUP_PARTITION);
    spv_capability(e->w, g->capability[0].id);
    spv_extension(e->w, g->extension);
    const uint32_t by = emit_expr(e, s->op.arg[1]);
    return SPV_VALUE(e->w, SpvOpGroupNonUniformPartitionNV, e->ballot, by);
}

uint32_t emit_group_op(struct emit *e, const struct gen_stmt *s)
{
    static const SpvGroupOperation over[] = {
        [OVER_REDUCE] = SpvGroupOperationReduce,
        [OVER_INCLUSIVE] = SpvGroupOperationInclusiveScan,
        [OVER_EXCLUSIVE] = SpvGroupOperationExclusiveScan,
        [OVER_CLUSTERED] = SpvGroupOperationClusteredReduce,
        [OVER_PART_REDUCE] = SpvGroupOperationPartitionedReduceNV,
        [OVER_PART_INCLUSIVE] = SpvGroupOperationPartitionedInclusiveScanNV,
        [OVER_PART_EXCLUSIVE] = SpvGroupOperationPartitionedExclusiveScanNV,
    };
    if (gen_group_images(s->op.op))
        return emit_image_op(e, s);
    const struct gen_group_row *row = gen_group_row(s->op.op);
    const struct spv_group_op *g = gen_group_op(s->op.op);
    const bool of_kind = row->kind != KIND_NONE, moves = gen_group_moves(s->op.op);
    const bool same = g->result == SPV_SHAPE_SAME;
    uint32_t v[5], n = 0, scalar = 0, type = emit_type(e, gen_group_type(s->op.op)), there = 0;
    if (!gen_group_derives(s->op.op)) // for derivatives the execution mode already adds it
        spv_capability(e->w, spv_group_capability(g, over[row->group]).id);
    if (g->capability[1].name)
        spv_capability(e->w, g->capability[1].id);
    if (g->extension)
        spv_extension(e->w, g->extension);
    if (gen_group_derives(s->op.op))
        return emit_derivative(e, s);
    const uint32_t part = gen_group_parts(s->op.op) ? parts(e, s) : 0;
    if (g->has_scope)
        v[n++] = e->scope;
    if (g->has_form)
        v[n++] = over[row->group];
    if (of_kind) {
        scalar = scalar_type(e, gen_as_row(s->op.as));
        uint32_t whole = s->op.width > 1 ? spv_type_vector(e->w, scalar, s->op.width) : scalar;
        const uint32_t own = emit_expr(e, s->op.arg[0]);
        v[n++] = operand(e, s, scalar, whole, own);
        if (same)
            type = whole;
        if (s->op.op == GROUP_SHUFFLE)
            v[n++] = shuffle_source(e, s);
        if (moves) {
            const uint32_t by = s->op.arg[1] ? emit_expr(e, s->op.arg[1]) : emit_const(e, s->op.n);
            there = move_is_there(e, s, by);
            v[n++] = by;
        }
        if (row->group == OVER_CLUSTERED)
            v[n++] = emit_const(e, s->op.n);
        if (part)
            v[n++] = part;
        uint32_t id = spv_put_value(e->w, row->opcode, type, v, n);
        e->op_id = id;
        if (same)
            id = result(e, s, scalar, id);
        return moves ? SPV_VALUE(e->w, SpvOpSelect, e->u32, there, id, own) : id;
    }
    for (int i = 0; i < (part ? 1 : 2) && s->op.arg[i]; i++)
        v[n++] = emit_expr(e, s->op.arg[i]);
    if (row->group == OVER_CLUSTERED)
        v[n++] = emit_const(e, s->op.n);
    if (part)
        v[n++] = part;
    return e->op_id = spv_put_value(e->w, row->opcode, type, v, n);
}
