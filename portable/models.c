// SPDX-License-Identifier: Apache-2.0
//
// Modules for which some runs can be left out, because they would show the same as another one.
#include "ask.h"

#include "spirv/spirv_flow.h"
#include "spirv/spirv_groups.h"

// True for samples whose level comes from derivatives.
static bool is_implicit(uint32_t op)
{
    return op == SpvOpImageSampleImplicitLod || op == SpvOpImageSampleDrefImplicitLod ||
           op == SpvOpImageSampleProjImplicitLod || op == SpvOpImageSampleProjDrefImplicitLod ||
           op == SpvOpImageSparseSampleImplicitLod || op == SpvOpImageSparseSampleDrefImplicitLod ||
           op == SpvOpImageSparseSampleProjImplicitLod ||
           op == SpvOpImageSparseSampleProjDrefImplicitLod || op == SpvOpImageQueryLod;
}

bool por_models_agree(const struct por_asker *w)
{
    for (uint32_t k = 0; k < w->m->inst_count; k++) {
        const uint32_t op = w->m->insts[k].op;
        if (op != SpvOpControlBarrier && !spv_group_find(op) && !is_implicit(op))
            continue;
        const uint32_t block = spv_block_at(w->m, k);
        if (block == UINT32_MAX || w->uniform->block[block] != POR_SAME)
            return false;
    }
    return true;
}

bool por_has_lanes(const struct spv_module *m)
{
    for (uint32_t k = 0; k < m->inst_count; k++) {
        const struct spv_inst *s = &m->insts[k];
        const uint32_t builtin = s->op == SpvOpDecorate && s->n == 3         ? s->v[2]
                                 : s->op == SpvOpMemberDecorate && s->n == 4 ? s->v[3]
                                                                             : 0;
        if (spv_group_find(s->op) || is_implicit(s->op))
            return true;
        if (s->n >= 3 && s->v[s->n - 2] == SpvDecorationBuiltIn &&
            (builtin == SpvBuiltInSubgroupSize || builtin == SpvBuiltInNumSubgroups ||
             builtin == SpvBuiltInSubgroupId || builtin == SpvBuiltInSubgroupLocalInvocationId ||
             (builtin >= SpvBuiltInSubgroupEqMask && builtin <= SpvBuiltInSubgroupLtMask)))
            return true;
    }
    return false;
}
