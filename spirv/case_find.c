// SPDX-License-Identifier: Apache-2.0
//
// Finds what a case has at a set and binding.
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
