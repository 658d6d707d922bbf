// SPDX-License-Identifier: Apache-2.0
//
// The choices that D3 and M2 leave to the implementation: which one a run takes at a place, and the
// list of places. A place is a case construct, identified by its label, at one execution of its
// switch, identified by the path of the tangle and the subgroup. Under a weaker model the lanes
// that an OpGroupNonUniformElect elects in a tangle without a promise are a choice too; its result
// id is the label.
#include "machine.h"

static uint64_t instance_of(const struct machine *m, uint64_t path)
{
    uint64_t h = path_with(path, m->group->index, m->id);
    return h ? h : 1;
}

enum spv_policy choice_at(const struct machine *m, uint32_t label, uint64_t path)
{
    const struct spv_choices *c = m->group->run->o.policy;
    enum spv_policy chosen = c->base;
    if (c->count == 0)
        return chosen;
    uint64_t instance = instance_of(m, path);
    for (uint32_t k = 0; k < c->count; k++)
        if (c->at[k].label == label && (!c->at[k].instance || c->at[k].instance == instance))
            chosen = c->at[k].policy;
    return chosen;
}

void choice_seen(const struct machine *m, uint32_t label, uint64_t path, uint32_t tangles)
{
    struct run *run = m->group->run;
    if (!run->o.points)
        return;
    uint64_t instance = instance_of(m, path);
    for (size_t k = run->points.n; k-- > 0;) // if the place is known, it was added recently
        if (run->points.v[k].instance == instance && run->points.v[k].label == label) {
            run->points.v[k].tangles += tangles;
            return;
        }
    *VEC_PUSH(run->arena, &run->points) =
        (struct orc_point){.label = label, .instance = instance, .tangles = tangles};
}
