// SPDX-License-Identifier: Apache-2.0
//
// Ray queries (SPV_KHR_ray_query) of a run that assumes a device (orc_load_assumed). A case has no
// acceleration structures. They are taken as empty: no ray meets anything, so a query proceeds to
// no candidate, and its results are zeros. Types: load_types.c.
#include "load.h"

#include <string.h>

bool load_meets_nothing(struct code *c)
{
    struct orc_program *p = c->p;
    const struct spv_inst *s = &p->m.insts[c->spv];
    const char *name = spv_op_name(s->op);
    if (strncmp(name, "OpRayQuery", strlen("OpRayQuery")) != 0 &&
        s->op != SpvOpConvertUToAccelerationStructureKHR)
        return false;
    const uint32_t cells = s->type ? p->types[s->type].cells : 0;
    if (!cells)
        return true;
    const uint32_t zero = load_constant(p, 0);
    struct inst *i = code_add(c, IN_MOVE);
    i->moves = ARENA_ARRAY(p->arena, struct move, cells);
    for (uint32_t k = 0; k < cells; k++)
        i->moves[i->n++] = (struct move){i->dst + k, zero};
    return true;
}
