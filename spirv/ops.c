// SPDX-License-Identifier: Apache-2.0
//
// Looks up rows of the generated opcode table.
#include "spirv_ops.h"

// clang-format off
#define ONCE(kind) {SPV_OPERAND_##kind, SPV_ONCE}
#define OPTIONAL(kind) {SPV_OPERAND_##kind, SPV_OPTIONAL}
#define MANY(kind) {SPV_OPERAND_##kind, SPV_MANY}
#define END {SPV_OPERAND_END, SPV_ONCE}
// clang-format on
#include "spv_ops_table.inc"

const struct spv_op *spv_op_find(uint32_t opcode)
{
    if (opcode < OP_DIRECT)
        return op_direct[opcode] ? &op_rows[op_direct[opcode] - 1] : NULL;
    uint32_t low = OP_FIRST_SEARCHED, high = OP_ROWS;
    while (low < high) {
        uint32_t mid = low + (high - low) / 2;
        if (op_rows[mid].opcode < opcode)
            low = mid + 1;
        else
            high = mid;
    }
    return low < OP_ROWS && op_rows[low].opcode == opcode ? &op_rows[low] : NULL;
}

const char *spv_op_name(uint32_t opcode)
{
    const struct spv_op *op = spv_op_find(opcode);
    return op ? op->name : "Op(unknown)";
}

enum spv_op_class spv_op_class(uint32_t opcode)
{
    const struct spv_op *op = spv_op_find(opcode);
    return op ? op->klass : SPV_CLASS_NONE;
}
