// SPDX-License-Identifier: Apache-2.0
//
// The table of operations.
#include "qpu_program.h"

const struct qpu_op qpu_ops[QPU_IDS] = {
#define ALU(id, name, units, types, value, carry, source) {name, true, units, types, source},
#define OTHER(id, name, units, types, source)             {name, false, units, types, source},
#include "qpu_ops.def"
};

uint32_t qpu_rows(struct qpu_row *out, uint32_t max)
{
    for (uint32_t i = 0; i < QPU_IDS && i < max; i++)
        out[i] = (struct qpu_row){qpu_ops[i].name, qpu_ops[i].alu, qpu_ops[i].units,
                                  qpu_ops[i].types, qpu_ops[i].source};
    return QPU_IDS;
}
