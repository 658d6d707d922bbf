// SPDX-License-Identifier: Apache-2.0
//
// Tables of the tree: expressions, atomic and group operations, element types.
#include "tree.h"

const struct gen_alu *gen_alu(enum gen_expr_kind kind)
{
    static const struct gen_alu rows[] = {
#define X(id, text, opcode, result, a, b, c)                                                       \
    {text, opcode, TYPE_##result, {TYPE_##a, TYPE_##b, TYPE_##c}},
        GEN_ALU(X)
#undef X
    };
    CHECK(kind >= EXPR_ALU_FIRST && kind < EXPR_KINDS);
    return &rows[kind - EXPR_ALU_FIRST];
}

const struct gen_group_row *gen_group_row(enum gen_group_op op)
{
    static const struct gen_group_row rows[] = {
#define X(id, text, feature, share, opcode, group, kind)                                           \
    {text, GEN_##feature, share, SpvOp##opcode, OVER_##group, KIND_##kind},
        GEN_GROUP_OPS(X)
#undef X
    };
    CHECK(op < GROUP_OPS);
    return &rows[op];
}

const struct spv_group_op *gen_group_op(enum gen_group_op op)
{
    const struct spv_group_op *g = spv_group_find(gen_group_row(op)->opcode);
    CHECK(g);
    return g;
}

static enum gen_type type_of(uint8_t shape)
{
    return shape == SPV_SHAPE_NONE                               ? TYPE_VOID
           : shape == SPV_SHAPE_BALLOT                           ? TYPE_BALLOT
           : shape == SPV_SHAPE_BOOL || shape == SPV_SHAPE_BOOLS ? TYPE_BOOL
                                                                 : TYPE_U32;
}

bool gen_group_images(enum gen_group_op op)
{
    return op >= GROUP_SAMPLE && op <= GROUP_IMAGE_SWAP;
}

bool gen_group_quads(enum gen_group_op op)
{
    return (op >= GROUP_SAMPLE && op <= GROUP_QUERY_LOD) || gen_group_derives(op);
}

enum gen_type gen_group_type(enum gen_group_op op)
{
    if (gen_group_images(op))
        return TYPE_U32;
    const struct spv_group_op *g = gen_group_op(op);
    return type_of(g->result == SPV_SHAPE_SAME ? g->operand[0] : g->result);
}

bool gen_group_lane_value(enum gen_group_op op)
{
    return op == GROUP_BROADCAST_VALUE || op == GROUP_QUAD_BROADCAST_VALUE;
}

bool gen_group_by_value(enum gen_group_op op)
{
    return gen_group_moves(op) && op != GROUP_BROADCAST &&
           gen_group_row(op)->feature != GEN_OP_QUAD;
}

uint32_t gen_group_by_below(enum gen_group_op op, uint32_t subgroup)
{
    switch (op) {
    case GROUP_QUAD_BROADCAST:
    case GROUP_QUAD_BROADCAST_VALUE:
        return SPV_QUAD;
    case GROUP_QUAD_SWAP:
        return SPV_QUAD - 1;
    default:
        return subgroup;
    }
}

bool gen_group_reaches(enum gen_group_op op)
{
    return op == GROUP_SHUFFLE_XOR || op == GROUP_SHUFFLE_UP || op == GROUP_SHUFFLE_DOWN ||
           op == GROUP_BROADCAST || op == GROUP_ROTATE;
}

enum gen_type gen_group_arg(enum gen_group_op op)
{
    return gen_group_images(op) ? TYPE_U32 : type_of(gen_group_op(op)->operand[0]);
}

bool gen_group_derives(enum gen_group_op op)
{
    return gen_group_row(op)->feature == GEN_OP_DERIVATIVE;
}

bool gen_group_parts(enum gen_group_op op)
{
    return gen_group_row(op)->group >= OVER_PART_REDUCE;
}

bool gen_group_moves(enum gen_group_op op)
{
    if (gen_group_images(op))
        return false;
    const struct spv_group_op *g = gen_group_op(op);
    return op != GROUP_SHUFFLE && g->result == SPV_SHAPE_SAME && g->operand[1] != SPV_SHAPE_NONE;
}

const struct gen_as_row *gen_as_row(enum gen_as as)
{
    enum { GEN_COUNT = GEN_FEATURE_COUNT };
    static const struct gen_as_row rows[] = {
#define X(id, text, feature, bits, is_signed, is_float)                                            \
    {text, (enum gen_feature)GEN_##feature, bits, is_signed, is_float},
        GEN_AS(X)
#undef X
    };
    CHECK(as < AS_COUNT);
    return &rows[as];
}

const struct gen_atomic_row *gen_atomic_row(enum gen_atomic op)
{
    static const struct gen_atomic_row rows[] = {
#define X(id, text, opcode, first) {text, SpvOpAtomic##opcode, first},
        GEN_ATOMICS(X)
#undef X
    };
    CHECK(op < GEN_ATOMIC_COUNT);
    return &rows[op];
}

bool gen_kind_takes(enum gen_kind kind, enum gen_as as)
{
    const struct gen_as_row *row = gen_as_row(as);
    switch (kind) {
    case KIND_NONE:
        return as == AS_U32;
    case KIND_INT:
        return !row->is_float && row->bits > 1;
    case KIND_UNSIGNED:
        return !row->is_signed && row->bits > 1;
    case KIND_SIGNED:
        return row->is_signed && !row->is_float;
    case KIND_FLOAT:
        return row->is_float;
    case KIND_ANY:
        break;
    }
    return true;
}
