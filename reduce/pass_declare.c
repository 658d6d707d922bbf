// SPDX-License-Identifier: Apache-2.0
//
// Removes capabilities and extensions, one at a time, except those that a reconvergence model
// requires. Execution modes stay too: they declare what is promised.
#include "pass.h"

#include <string.h>

static bool is_promise(const struct spv_inst *x)
{
    const char *name = x->op == SpvOpExtension ? spv_string(x->v, x->n) : NULL;
    return name && (strcmp(name, "SPV_KHR_maximal_reconvergence") == 0 ||
                    strcmp(name, "SPV_KHR_subgroup_uniform_control_flow") == 0);
}

static void plan(struct red_plan *p)
{
    const struct spv_module *m = p->e.m;
    for (uint32_t i = 0; i < m->inst_count; i++) {
        const struct spv_inst *x = &m->insts[i];
        if ((x->op == SpvOpCapability && x->v[0] != SpvCapabilityShader) ||
            (x->op == SpvOpExtension && !is_promise(x)))
            PLAN(p, i);
    }
}

static bool apply(struct spv_edit *e, const struct red_step *s)
{
    spv_edit_drop(e, s->v[0]);
    return true;
}

const struct red_pass pass_declare = {"declarations", plan, apply};
