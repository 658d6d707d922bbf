// SPDX-License-Identifier: Apache-2.0
//
// Expressions -> ids.
#include "emit_parts.h"

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
    case EXPR_GROUP:
        return e->group;
    case EXPR_INPUT_OWN:
        return e->input_own;
    case EXPR_INPUT_AT:
        return emit_load(e, e->u32, emit_buffer_at(e, GEN_INPUTS, emit_const(e, x->n)));
    case EXPR_PARAM:
        return e->param[x->n];
    case EXPR_VAR:
        return emit_load(e, e->u32, e->var[x->n]);
    case EXPR_VALUE:
        return emit_bound(e, x->n);
    case EXPR_INPUT_BY: {
        const uint32_t at = emit_expr(e, x->arg[0]), mask = emit_const(e, 15);
        return emit_load(
            e, e->u32,
            emit_buffer_at(e, GEN_INPUTS, SPV_VALUE(e->w, SpvOpBitwiseAnd, e->u32, at, mask)));
    }
    case EXPR_INPUT_HERE:
        return emit_load(e, e->u32, emit_buffer_at(e, GEN_INPUTS, e->global));
    case EXPR_SUBGROUP:
        return emit_load(e, e->u32, e->subgroup_var);
    case EXPR_UNDEF:
        return spv_put_value(e->w, SpvOpUndef, e->u32, NULL, 0);
    case EXPR_HELPER:
        return emit_helper(e);
    case EXPR_FREE:
        return emit_load(e, e->bool_type, e->free_var);
    case EXPR_WORD:
        return SPV_VALUE(e->w, SpvOpCompositeExtract, e->u32, emit_expr(e, x->arg[0]), x->n);
    case EXPR_NARROW: {
        spv_capability(e->w, SpvCapabilityInt16);
        const uint32_t u16 = spv_type_int(e->w, 16, false), wide = emit_expr(e, x->arg[0]);
        return SPV_VALUE(e->w, SpvOpUConvert, e->u32, SPV_VALUE(e->w, SpvOpUConvert, u16, wide));
    }
    case EXPR_ROUND: {
        const uint32_t f32 = spv_type_float(e->w, 32), wide = emit_expr(e, x->arg[0]);
        const uint32_t low = SPV_VALUE(e->w, SpvOpBitwiseAnd, e->u32, wide, emit_const(e, 0xffff));
        return SPV_VALUE(e->w, SpvOpConvertFToU, e->u32,
                         SPV_VALUE(e->w, SpvOpConvertUToF, f32, low));
    }
    default:
        break;
    }
    const struct gen_alu *row = gen_alu(x->kind);
    uint32_t v[3], n = 0;
    while (n < 3 && row->arg[n] != TYPE_VOID) {
        v[n] = emit_expr(e, x->arg[n]);
        n++;
    }
    return spv_put_value(e->w, row->opcode, emit_type(e, row->type), v, n);
}
