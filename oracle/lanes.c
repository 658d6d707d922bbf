// SPDX-License-Identifier: Apache-2.0
//
// The lane mapping that a shader read from its device: can it be one?
#include "oracle.h"

#include <string.h>

bool orc_lanes_read(struct arena *a, const uint32_t *words, uint32_t invocations,
                    uint32_t workgroup_size, uint32_t subgroup, struct orc_lanes *out,
                    struct err *e)
{
    uint32_t *id = ARENA_ARRAY(a, uint32_t, invocations), *lane = ARENA_ARRAY(a, uint32_t, invocations);
    lane_mask *taken = ARENA_ARRAY(a, lane_mask, workgroup_size);
    for (uint32_t i = 0; i < invocations; i++) {
        if (i % workgroup_size == 0)
            memset(taken, 0, workgroup_size * sizeof *taken);
        id[i] = words[3 * i];
        lane[i] = words[3 * i + 1];
        uint32_t size = words[3 * i + 2];
        if (size != subgroup)
            return err_set(e, "invocation %u read SubgroupSize %u where %u was required", i, size,
                           subgroup);
        if (lane[i] >= size)
            return err_set(e, "invocation %u read SubgroupLocalInvocationId %u in a subgroup of %u",
                           i, lane[i], size);
        if (id[i] >= workgroup_size)
            return err_set(e, "invocation %u read SubgroupId %u in a workgroup of %u invocations", i,
                           id[i], workgroup_size);
        if (lane_in(taken[id[i]], lane[i]))
            return err_set(e, "invocation %u read subgroup %u lane %u, which another invocation has",
                           i, id[i], lane[i]);
        taken[id[i]] |= lane_bit(lane[i]);
    }
    *out = (struct orc_lanes){.invocations = invocations, .subgroup = id, .lane = lane};
    return true;
}
