// SPDX-License-Identifier: Apache-2.0
//
// A case whose barrier is a ballot of true instead. Where a barrier is not reached by all together,
// the text of that is all a finding says; who is together there is what a ballot shows.
#include "diagnose.h"
#include "spirv/spirv_edit.h"

bool diag_barrier_ballot(struct arena *a, const struct spv_case *c, struct spv_case *out,
                         uint32_t *id)
{
    struct spv_module m;
    struct spv_edit e;
    uint32_t barriers = 0, barrier = 0;
    if (!spv_module_read(a, c->words, c->count, &m, NULL) || !m.function_count)
        return false;
    for (uint32_t k = m.functions[0].first; k < m.inst_count; k++)
        if (m.insts[k].op == SpvOpControlBarrier) {
            barrier = k;
            barriers++;
        }
    if (barriers != 1) // of several it is not known which
        return false;
    spv_edit_start(&e, a, c, &m, 0);
    spv_edit_capability(&e, SpvCapabilityGroupNonUniformBallot);
    spv_edit_capability(&e, SpvCapabilityGroupNonUniform);
    const uint32_t u = spv_edit_uint(&e);
    const uint32_t four = SPV_EDIT_DECLARE(&e, SpvOpTypeVector, 0, u, 4);
    const uint32_t yes = spv_edit_constant(&e, spv_edit_bool(&e), 1);
    const uint32_t scope = spv_edit_constant(&e, u, SpvScopeSubgroup);
    *id = spv_edit_id(&e);
    spv_edit_set(&e, barrier, SpvOpGroupNonUniformBallot, (const uint32_t[]){four, *id, scope, yes},
                 4);
    spv_edit_write(&e, false);
    *out = e.c;
    return true;
}
