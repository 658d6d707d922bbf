// SPDX-License-Identifier: Apache-2.0
//
// Checks of the lane mapping that a shader read from its device.
#include "oracle.h"

#include <string.h>

bool orc_lanes_read(struct arena *a, const struct spv_lane *seen, uint32_t invocations,
                    uint32_t workgroup_size, uint32_t subgroup, struct orc_lanes *out,
                    struct err *e)
{
    uint32_t *id = ARENA_ARRAY(a, uint32_t, invocations),
             *lane = ARENA_ARRAY(a, uint32_t, invocations);
    lane_mask *taken = ARENA_ARRAY(a, lane_mask, workgroup_size);
    for (uint32_t i = 0; i < invocations; i++) {
        if (i % workgroup_size == 0)
            memset(taken, 0, workgroup_size * sizeof *taken);
        id[i] = seen[i].subgroup;
        lane[i] = seen[i].lane;
        uint32_t size = seen[i].size;
        if (size != subgroup)
            return err_set(e, "invocation %u read SubgroupSize %u where %u was required", i, size,
                           subgroup);
        if (lane[i] >= size)
            return err_set(e, "invocation %u read SubgroupLocalInvocationId %u in a subgroup of %u",
                           i, lane[i], size);
        if (id[i] >= workgroup_size)
            return err_set(e, "invocation %u read SubgroupId %u in a workgroup of %u invocations",
                           i, id[i], workgroup_size);
        if (lane_in(taken[id[i]], lane[i]))
            return err_set(e,
                           "invocation %u read subgroup %u lane %u, which another invocation has",
                           i, id[i], lane[i]);
        taken[id[i]] |= lane_bit(lane[i]);
    }
    *out = (struct orc_lanes){.invocations = invocations, .subgroup = id, .lane = lane};
    return true;
}

bool orc_lanes_fit(const struct orc_lanes *lanes, enum spv_quads quads, const uint32_t size[3],
                   struct err *e)
{
    const uint32_t n = size[0] * size[1] * size[2];
    if (quads == SPV_QUADS_OF_LANES)
        return true;
    for (uint32_t i = 0; i < lanes->invocations; i++) {
        const uint32_t first = i - i % n + spv_quads_first(quads, size, i % n),
                       index = spv_quads_place(quads, size, i % n) % SPV_QUAD;
        if (lanes->subgroup[i] != lanes->subgroup[first] || lanes->lane[first] % SPV_QUAD != 0 ||
            lanes->lane[i] != lanes->lane[first] + index)
            return err_set(e,
                           "invocation %u, of quad index %u, is lane %u of subgroup %u, and that "
                           "of quad index 0 is lane %u of subgroup %u: not a quad (R8)",
                           i, index, lanes->lane[i], lanes->subgroup[i], lanes->lane[first],
                           lanes->subgroup[first]);
    }
    return true;
}
