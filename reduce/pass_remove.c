// SPDX-License-Identifier: Apache-2.0
//
// Removes instructions of functions, and variables: runs of them in the order of ddmin. Uses of
// their results become zeros; stores to removed variables are removed too.
#include "pass.h"

static bool is_removable(const struct spv_module *m, uint32_t i)
{
    const struct spv_inst *x = &m->insts[i];
    switch (x->op) {
    case SpvOpFunction:
    case SpvOpFunctionParameter:
    case SpvOpFunctionEnd:
    case SpvOpLabel:
    case SpvOpLoopMerge:
    case SpvOpSelectionMerge:
        return false;
    case SpvOpVariable:
        return true;
    default:
        return !spv_ends_block(x->op) && spv_function_at(m, i) != SPV_NO_NODE;
    }
}

static void plan(struct red_plan *p)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < p->e.m->inst_count; i++)
        n += is_removable(p->e.m, i);
    plan_runs(p, n, 0);
}

static bool apply(struct spv_edit *e, const struct red_step *s)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < e->m->inst_count; i++)
        if (is_removable(e->m, i)) {
            if (n >= s->v[0] && n < s->v[1])
                spv_edit_drop(e, i);
            n++;
        }
    return true;
}

const struct red_pass pass_remove = {"instructions", plan, apply};
