// SPDX-License-Identifier: Apache-2.0
//
// The table of operations.
#include "ir3_program.h"

const struct ir3_op ir3_ops[IR3_IDS] = {
#define ALU(id, name, dst, src, value, source) {name, UNIT_ALU, dst, src, source},
#define OTHER(id, name, unit, source)          {name, unit, "", "", source},
#include "ir3_ops.def"
};

uint32_t ir3_rows(struct ir3_row *out, uint32_t max)
{
    for (uint32_t i = 0; i < IR3_IDS && i < max; i++)
        out[i] = (struct ir3_row){ir3_ops[i].name, ir3_ops[i].unit == UNIT_ALU, ir3_ops[i].dst,
                                  ir3_ops[i].src, ir3_ops[i].source};
    return IR3_IDS;
}
