// SPDX-License-Identifier: Apache-2.0
//
// PowerVR: a buffer is named by its set, in the lower half, and its binding, in the upper half.
#include "nir_machine.h"

bool nir_powervr_resource(struct nir_machine *m, uint32_t handle, uint64_t *base, uint32_t *bytes)
{
    for (uint32_t i = 0; i < m->c->buffer_count; i++)
        if ((handle & 0xffff) == m->c->buffer[i].set && handle >> 16 == m->c->buffer[i].binding) {
            *base = m->memory.v[i].base;
            *bytes = m->memory.v[i].size;
            return true;
        }
    return false;
}
