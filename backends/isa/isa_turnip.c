// SPDX-License-Identifier: Apache-2.0
//
// Where Turnip puts a case's buffers.
#include "isa_turnip.h"

enum { DESCRIPTORS = 2 };

uint32_t isa_turnip_buffer(const struct spv_case *c, uint32_t set, uint32_t k)
{
    for (uint32_t i = 0; i < c->buffer_count; i++) {
        uint32_t before = 0;
        for (uint32_t j = 0; j < c->buffer_count; j++)
            before += c->buffer[j].set == set && c->buffer[j].binding < c->buffer[i].binding;
        if (c->buffer[i].set == set && before * DESCRIPTORS == k)
            return i;
    }
    return c->buffer_count;
}
