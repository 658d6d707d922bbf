// SPDX-License-Identifier: Apache-2.0
//
// Checks S1 to S3 for modules that declare MaximallyReconvergesKHR. Input: the decoded blocks of
// all reachable functions. spirv-val checks the same; the oracle checks it too, because its results
// are meaningless if two tangles can enter a block that is not a join.
#include "load.h"

#include <string.h>

bool load_static(struct code *c)
{
    struct orc_program *p = c->p;
    uint32_t *from = ARENA_ARRAY(p->arena, uint32_t, p->block_count);
    if (!p->maximal)
        return true;
    if (!p->assumed && !spv_declares(&p->m, "SPV_KHR_maximal_reconvergence")) // S3
        return why_set(&p->m, c->why, RAN_INVALID, "S3", NONE,
                       "MaximallyReconvergesKHR without OpExtension "
                       "\"SPV_KHR_maximal_reconvergence\" (S3)");
    memset(from, 0xff, p->block_count * sizeof *from);
    for (uint32_t f = 0; f < p->function_count; f++) {
        const struct function *fn = &p->functions[f];
        for (uint32_t b = fn->entry; c->reached[f] && b < fn->entry + fn->block_count; b++) {
            const struct block *block = &p->blocks[b];
            if (block->end == END_CONDITIONAL &&
                block->edges[0].target == block->edges[1].target) // S2
                return why_set(&p->m, c->why, RAN_INVALID, "S2", block->end_spv,
                               "its two labels are equal, which S2 forbids");
            for (uint32_t k = 0; k < block->edge_count; k++) {
                uint32_t to = block->edges[k].target;
                if (from[to] != NONE && from[to] != b && !p->blocks[to].is_target) // S1
                    return why_set(
                        &p->m, c->why, RAN_INVALID, "S1", block->end_spv,
                        "block %%%u has several predecessors and is neither a loop header, "
                        "a merge block, a continue target nor a case, which S1 forbids",
                        p->blocks[to].label);
                from[to] = b;
            }
        }
    }
    return true;
}
