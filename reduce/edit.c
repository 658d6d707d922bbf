// SPDX-License-Identifier: Apache-2.0
//
// What the passes ask of instructions.
#include "edit.h"

#include <string.h>

void edit_start(struct spv_edit *e, struct arena *a, const struct spv_case *c,
                const struct spv_module *m)
{
    spv_edit_start(e, a, c, m, EDIT_NEW_IDS);
}

static bool in_class(uint32_t op, const char *const *names, size_t n)
{
    const struct spv_op *row = spv_op_find(op);
    for (size_t i = 0; row && i < n; i++)
        if (strcmp(row->klass, names[i]) == 0)
            return true;
    return false;
}

bool inst_is_group(uint32_t op)
{
    static const char *const names[] = {"Non-Uniform", "Group"};
    return in_class(op, names, 2) && op != SpvOpGroupDecorate && op != SpvOpGroupMemberDecorate;
}

bool inst_is_pure(uint32_t op)
{
    static const char *const names[] = {"Arithmetic", "Bit", "Composite", "Conversion",
                                        "Relational_and_Logical"};
    return in_class(op, names, sizeof names / sizeof *names) || op == SpvOpLoad ||
           op == SpvOpAccessChain || op == SpvOpInBoundsAccessChain || op == SpvOpPhi ||
           op == SpvOpSelect || op == SpvOpUndef || op == SpvOpArrayLength || op == SpvOpExtInst;
}

bool inst_is_constant(uint32_t op)
{
    static const char *const names[] = {"Constant-Creation"};
    return op == SpvOpUndef || in_class(op, names, 1);
}

bool inst_is_type(uint32_t op)
{
    static const char *const names[] = {"Type-Declaration"};
    return in_class(op, names, 1);
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
