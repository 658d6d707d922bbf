// SPDX-License-Identifier: Apache-2.0
//
// Expressions and group operations -> ids.
#include "emit.h"

static uint32_t type_id(const struct emit *e, enum gen_type type)
{
    return type == TYPE_BOOL ? e->bool_type : type == TYPE_U32 ? e->u32 : e->ballot;
}

uint32_t emit_expr(struct emit *e, const struct gen_expr *x)
{
    switch (x->kind) {
    case EXPR_CONST:
        return x->type == TYPE_BOOL ? spv_const_bool(e->w, x->n) : emit_const(e, x->n);
    case EXPR_LANE:
        return e->lane;
    case EXPR_LOCAL:
        return e->local;
    case EXPR_GLOBAL:
        return e->global;
    case EXPR_INPUT_OWN:
        return e->input_own;
    case EXPR_INPUT_AT:
        return emit_load(e, e->u32, emit_buffer_at(e, GEN_INPUTS, emit_const(e, x->n)));
    case EXPR_PARAM:
        return e->param[x->n];
    case EXPR_VAR:
        return emit_load(e, e->u32, e->var[x->n]);
    case EXPR_VALUE:
        return e->value[x->n];
    case EXPR_WORD:
        return SPV_VALUE(e->w, SpvOpCompositeExtract, e->u32, emit_expr(e, x->arg[0]), x->n);
    default:
        break;
    }
    const struct gen_alu *row = gen_alu(x->kind);
    uint32_t v[3], n = 0;
    while (n < 3 && row->arg[n] != TYPE_VOID) {
        v[n] = emit_expr(e, x->arg[n]);
        n++;
    }
    return spv_put_value(e->w, row->opcode, type_id(e, row->type), v, n);
}

// ---- group operations ------------------------------------------------------------------

static uint32_t active_lanes(struct emit *e)
{
    return SPV_VALUE(e->w, SpvOpGroupNonUniformBallot, e->ballot, e->scope,
                     spv_const_bool(e->w, true));
}

// A lane that is active where the shuffle stands: asked right before it.
static uint32_t shuffle_source(struct emit *e, const struct gen_stmt *s)
{
    struct spv_writer *w = e->w;
    if (s->op.source == FROM_SELF)
        return e->lane;
    spv_capability(w, SpvCapabilityGroupNonUniformBallot);
    uint32_t active = active_lanes(e);
    if (s->op.source == FROM_FIRST)
        return SPV_VALUE(w, SpvOpGroupNonUniformBallotFindLSB, e->u32, e->scope, active);
    if (s->op.source == FROM_LAST)
        return SPV_VALUE(w, SpvOpGroupNonUniformBallotFindMSB, e->u32, e->scope, active);
    uint32_t other = SPV_VALUE(w, SpvOpBitwiseXor, e->u32, e->lane, emit_const(e, s->op.n));
    uint32_t there =
        SPV_VALUE(w, SpvOpGroupNonUniformBallotBitExtract, e->bool_type, e->scope, active, other);
    return SPV_VALUE(w, SpvOpSelect, e->u32, there, other, e->lane);
}

uint32_t emit_group_op(struct emit *e, const struct gen_stmt *s)
{
    static const SpvGroupOperation over[] = {
        [OVER_REDUCE] = SpvGroupOperationReduce,
        [OVER_INCLUSIVE] = SpvGroupOperationInclusiveScan,
        [OVER_EXCLUSIVE] = SpvGroupOperationExclusiveScan,
    };
    const struct gen_group_row *row = gen_group_row(s->op.op);
    uint32_t v[4], n = 0;
    spv_capability(e->w, row->capability);
    v[n++] = e->scope;
    if (row->group != OVER_NONE)
        v[n++] = over[row->group];
    for (int i = 0; i < 2 && s->op.arg[i]; i++)
        v[n++] = emit_expr(e, s->op.arg[i]);
    if (s->op.op == GROUP_SHUFFLE)
        v[n++] = shuffle_source(e, s);
    return spv_put_value(e->w, row->opcode, type_id(e, row->type), v, n);
}
