// SPDX-License-Identifier: Apache-2.0
//
// spirv_ops: the opcode table: the shape of each instruction, not its effect.
// scripts/gen_spv_ops.py generates rows and classes from the grammar.
#ifndef TF_SPIRV_OPS_H
#define TF_SPIRV_OPS_H

#include "base/base.h"
#include "spirv_classes.h"

#include <spirv/unified1/spirv.h>

// The kind of an operand, as far as the reader needs it.
enum spv_operand_kind {
    SPV_OPERAND_END = 0,
    SPV_OPERAND_ID,        // one word, an id (also memory semantics and scope ids)
    SPV_OPERAND_LITERAL,   // one word: a literal integer, an enumerant, a mask without ids
    SPV_OPERAND_STRING,    // words up to the one that contains the final NUL
    SPV_OPERAND_WIDE,      // a literal as wide as its type: OpConstant, OpSpecConstant
    SPV_OPERAND_ENUM_ARGS, // an enumerant or mask that may have operands of its own; takes the rest
                           // of the instruction, which is not checked for ids
    SPV_OPERAND_PAIR_LITERAL_ID, // OpSwitch: (literal of the selector's width, id)
    SPV_OPERAND_PAIR_ID_LITERAL, // OpGroupMemberDecorate: (id, literal)
    SPV_OPERAND_PAIR_ID_ID,      // OpPhi: (value, parent)
};
enum spv_quantifier { SPV_ONCE, SPV_OPTIONAL, SPV_MANY };

enum { SPV_OPERANDS_MAX = 12 };
struct spv_op {
    uint16_t opcode;
    bool has_type, has_result;
    const char *name; // "OpIAdd"
    enum spv_op_class klass;
    struct {
        uint8_t kind, quantifier;
    } operands[SPV_OPERANDS_MAX]; // without result type and result id; ends with SPV_OPERAND_END
};

// Returns the row of an opcode, or NULL if the grammar has none.
const struct spv_op *spv_op_find(uint32_t opcode);
// "OpIAdd", or "Op(unknown)".
const char *spv_op_name(uint32_t opcode);
// Returns the grammar's class; SPV_CLASS_NONE if the grammar has no such opcode.
enum spv_op_class spv_op_class(uint32_t opcode);

#endif
