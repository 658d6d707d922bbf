// SPDX-License-Identifier: Apache-2.0
//
// Queries about instructions for the passes.
#include "edit.h"

#include <string.h>

void edit_start(struct spv_edit *e, struct arena *a, const struct spv_case *c,
                const struct spv_module *m)
{
    spv_edit_start(e, a, c, m, EDIT_NEW_IDS);
}

bool inst_is_pure(uint32_t op)
{
    switch (spv_op_class(op)) {
    case SPV_CLASS_ARITHMETIC:
    case SPV_CLASS_BIT:
    case SPV_CLASS_COMPOSITE:
    case SPV_CLASS_CONVERSION:
    case SPV_CLASS_RELATIONAL_AND_LOGICAL:
        return true;
    default:
        return op == SpvOpLoad || op == SpvOpAccessChain || op == SpvOpInBoundsAccessChain ||
               op == SpvOpPhi || op == SpvOpSelect || op == SpvOpUndef || op == SpvOpArrayLength ||
               op == SpvOpExtInst;
    }
}

bool inst_is_constant(uint32_t op)
{
    return op == SpvOpUndef || spv_op_class(op) == SPV_CLASS_CONSTANT_CREATION;
}

bool inst_is_type(uint32_t op)
{
    return spv_op_class(op) == SPV_CLASS_TYPE_DECLARATION;
}

struct spv_labels inst_labels(const struct spv_edit *e, const struct spv_node *x)
{
    return spv_labels(x->op, x->n, x->op == SpvOpSwitch ? spv_edit_literal_words(e, x->v[0]) : 1);
}

uint32_t inst_targets(const struct spv_edit *e, const struct spv_node *x, uint32_t *out)
{
    const struct spv_labels l = inst_labels(e, x);
    for (uint32_t k = 0; k < l.count; k++)
        out[k] = x->v[l.first + k * l.step];
    return l.count;
}
