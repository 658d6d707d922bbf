// SPDX-License-Identifier: Apache-2.0
#include "agx_program.h"

const struct agx_op agx_ops[AGX_IDS] = {
#define OP(id, name, unit, operands, source) [AGX_##id] = {name, UNIT_##unit, operands, source},
#include "agx_ops.def"
};

static bool is_alu(enum agx_unit u)
{
    return u != UNIT_LANE && u != UNIT_MEMORY && u != UNIT_FLOW && u != UNIT_NONE;
}

uint32_t agx_rows(struct agx_row *out, uint32_t max)
{
    for (uint32_t i = 0; i < AGX_IDS && i < max; i++)
        out[i] = (struct agx_row){agx_ops[i].name, is_alu(agx_ops[i].unit), agx_ops[i].operands,
                                  agx_ops[i].source};
    return AGX_IDS;
}
