// SPDX-License-Identifier: Apache-2.0
#include "agx_program.h"

const struct agx_op agx_ops[AGX_IDS] = {
#define OP(id, name, unit, operands, source) [AGX_##id] = {name, UNIT_##unit, operands, source},
#include "agx_ops.def"
};

uint32_t agx_rows(struct agx_row *out, uint32_t max)
{
    for (uint32_t i = 0; i < AGX_IDS && i < max; i++)
        out[i] = (struct agx_row){agx_ops[i].name, agx_ops[i].unit == UNIT_ALU, agx_ops[i].operands,
                                  agx_ops[i].source};
    return AGX_IDS;
}
