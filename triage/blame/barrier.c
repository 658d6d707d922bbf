// SPDX-License-Identifier: Apache-2.0
//
// A case whose barrier is a ballot of true instead. Where a barrier is not reached by all together,
// the text of that is all a finding says; who is together there is what a ballot shows.
#include "rewrite.h"

bool blame_barrier_ballot(struct arena *a, const struct spv_case *c, struct spv_case *out,
                          uint32_t *id)
{
    struct spv_module m;
    struct rewrite r;
    uint32_t barriers = 0;
    if (!spv_module_read(a, c->words, c->count, &m, NULL) || !m.function_count)
        return false;
    for (uint32_t k = m.functions[0].first; k < m.inst_count; k++)
        barriers += m.insts[k].op == SpvOpControlBarrier;
    if (barriers != 1) // of several it is not known which
        return false;
    rewrite_start(&r, a, &m);
    rewrite_capability(&r, SpvCapabilityGroupNonUniform);
    rewrite_capability(&r, SpvCapabilityGroupNonUniformBallot);
    const uint32_t u = rewrite_uint(&r);
    const uint32_t four = rewrite_declare(&r, SpvOpTypeVector, 0, (const uint32_t[]){u, 4}, 2);
    const uint32_t boolean = rewrite_declare(&r, SpvOpTypeBool, 0, NULL, 0);
    const uint32_t yes = rewrite_declare(&r, SpvOpConstantTrue, boolean, NULL, 0);
    const uint32_t scope =
        rewrite_declare(&r, SpvOpConstant, u, (const uint32_t[]){SpvScopeSubgroup}, 1);
    *id = r.bound++;
    for (uint32_t k = 0; k < m.inst_count; k++) {
        if (m.insts[k].op == SpvOpControlBarrier)
            rewrite_put(a, &r.code, SpvOpGroupNonUniformBallot,
                        (const uint32_t[]){four, *id, scope, yes}, 4);
        else
            rewrite_copy(&r, &m.insts[k], k < m.functions[0].first ? &r.head : &r.code);
    }
    rewrite_finish(&r, c, out);
    return true;
}
