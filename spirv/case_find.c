// SPDX-License-Identifier: Apache-2.0
//
// Finds what a case has at a set and binding, and what an invocation wrote into the lanes buffer.
#include "spirv.h"

#define AT(type, array, n)                                                                         \
    const struct type *type##_at(const struct spv_case *c, uint32_t set, uint32_t binding)         \
    {                                                                                              \
        for (uint32_t i = 0; c && i < c->n; i++)                                                   \
            if (c->array[i].set == set && c->array[i].binding == binding)                          \
                return &c->array[i];                                                               \
        return NULL;                                                                               \
    }
AT(spv_buffer, buffer, buffer_count)
AT(spv_image, image, image_count)
AT(spv_sampler, sampler, sampler_count)
#undef AT

uint32_t spv_buffer_index(const struct spv_case *c, uint32_t set, uint32_t binding)
{
    const struct spv_buffer *b = spv_buffer_at(c, set, binding);
    return b ? (uint32_t)(b - c->buffer) : UINT32_MAX;
}

uint32_t spv_lanes_words(const struct spv_case *c)
{
    return c->lanes_packed ? 1 : 3;
}

bool spv_lanes_at(const struct spv_case *c, const struct spv_memory *lanes, uint64_t invocation,
                  struct spv_lane *out)
{
    const uint64_t n = spv_lanes_words(c), at = invocation * n;
    if (at + n > lanes->count)
        return false;
    const uint32_t *w = &lanes->words[at];
    const uint32_t below = (1u << SPV_LANES_LANE) - 1;
    *out = c->lanes_packed ? (struct spv_lane){w[0] >> SPV_LANES_SUBGROUP,
                                               w[0] >> SPV_LANES_LANE & below, w[0] & below}
                           : (struct spv_lane){w[0], w[1], w[2]};
    return true;
}
