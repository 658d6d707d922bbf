// SPDX-License-Identifier: Apache-2.0
//
// Turnip: buffers are bindless, addressed by set and descriptor number.
#include "nir_machine.h"

enum { HANDLE = 0x5a000000 };

bool nir_turnip_resource(struct nir_machine *m, uint32_t handle, uint64_t *base, uint32_t *bytes)
{
    const uint32_t i = handle - HANDLE;
    if (i >= m->c->buffer_count)
        return false;
    *base = m->memory.v[i].base;
    *bytes = m->memory.v[i].size;
    return true;
}

bool nir_turnip_value(struct nir_machine *m, struct nir_wave *w, const struct nir_inst *in)
{
    if (in->id == NIR_LOAD_SUBGROUP_ID_SHIFT) {
        nir_write_all(m, w, in, 0, (uint64_t)__builtin_ctz(m->p->size));
        return true;
    }
    if (in->id != NIR_BINDLESS_RESOURCE)
        return isa_refuse(m->out, RAN_UNSUPPORTED, in->line, "%s", nir_ops[in->id].name);
    const uint64_t *k = nir_source(m, w, in, 0, 0);
    uint64_t *out = nir_row(m, w, in->def, 0);
    LANES_EACH (lane, w->active) {
        const uint32_t i = isa_turnip_buffer(m->c, in->set, (uint32_t)k[lane]);
        if (i == m->c->buffer_count)
            return isa_refuse(m->out, RAN_UNSUPPORTED, in->line, "descriptor %u of set %u",
                              (uint32_t)k[lane], in->set);
        out[lane] = HANDLE + i;
    }
    return true;
}
