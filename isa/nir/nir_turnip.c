// SPDX-License-Identifier: Apache-2.0
//
// Turnip: buffers are bindless, by set and number of a descriptor. A storage buffer has two descriptors, one for
// words and one for halves, and those of a set lie by their bindings.
#include "nir_machine.h"

enum { DESCRIPTORS = 2, HANDLE = 0x5a000000 };

bool nir_turnip_resource(struct nir_machine *m, uint32_t handle, uint64_t *base, uint32_t *bytes)
{
    const uint32_t i = handle - HANDLE;
    if (i >= m->c->buffer_count)
        return false;
    *base = m->region[i].base;
    *bytes = m->region[i].size;
    return true;
}

// The buffer that is descriptor `k` of a set; buffer_count: none.
static uint32_t buffer_of(const struct nir_machine *m, uint32_t set, uint32_t k)
{
    const struct spv_case *c = m->c;
    for (uint32_t i = 0; i < c->buffer_count; i++) {
        uint32_t before = 0;
        for (uint32_t j = 0; j < c->buffer_count; j++)
            before += c->buffer[j].set == set && c->buffer[j].binding < c->buffer[i].binding;
        if (c->buffer[i].set == set && before * DESCRIPTORS == k)
            return i;
    }
    return c->buffer_count;
}

bool nir_turnip_value(struct nir_machine *m, struct nir_wave *w, const struct nir_inst *in)
{
    if (in->id == NIR_LOAD_SUBGROUP_ID_SHIFT) {
        nir_write_all(m, w, in, 0, (uint64_t)__builtin_ctz(m->p->size));
        return true;
    }
    if (in->id != NIR_BINDLESS_RESOURCE)
        return isa_refuse(m->out, ISA_UNSUPPORTED, in->line, "%s", nir_ops[in->id].name);
    const uint64_t *k = nir_source(m, w, in, 0, 0);
    uint64_t *out = nir_row(m, w, in->def, 0);
    LANES_EACH(lane, w->active) {
        const uint32_t i = buffer_of(m, in->set, (uint32_t)k[lane]);
        if (i == m->c->buffer_count)
            return isa_refuse(m->out, ISA_UNSUPPORTED, in->line, "descriptor %u of set %u", (uint32_t)k[lane], in->set);
        out[lane] = HANDLE + i;
    }
    return true;
}
