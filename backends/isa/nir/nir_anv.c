// SPDX-License-Identifier: Apache-2.0
//
// ANV: a buffer is a resource, named by its set and binding. Before DG2 push data holds the base
// workgroup at byte 8 and, at byte 4 of a later register of 32 bytes, the number of the subgroup;
// from DG2 on inline data starts with the base workgroup. The base workgroup is 0. Code that reads
// anything else there is refused.
#include "nir_machine.h"

enum { HANDLE = 0x5a000000, REGISTER = 32, SUBGROUP_AT = 4, BASE_GROUP_AT = 8 };
enum {
    BEFORE_LAYOUT = 448
}; // Mesa 25.0: the base workgroup's place before its pass that lays data out

bool nir_anv_resource(struct nir_machine *m, uint32_t handle, uint64_t *base, uint32_t *bytes)
{
    const uint32_t i = handle - HANDLE;
    if (i >= m->c->buffer_count)
        return false;
    *base = m->memory.v[i].base;
    *bytes = m->memory.v[i].size;
    return true;
}

static bool resource(struct nir_machine *m, struct nir_wave *w, const struct nir_inst *in)
{
    const uint32_t i = spv_buffer_index(m->c, in->set, in->binding);
    if (i == UINT32_MAX)
        return isa_refuse(m->out, RAN_UNSUPPORTED, in->line, "binding %u of set %u", in->binding,
                          in->set);
    nir_write_all(m, w, in, 0, HANDLE + i);
    return true;
}

// `offset`: the source, in bytes, in addition to the attribute `base`.
static bool data(struct nir_machine *m, struct nir_wave *w, const struct nir_inst *in)
{
    const uint64_t *offset = nir_source(m, w, in, 0, 0);
    const uint32_t components = m->p->def[in->def].components;
    const bool push = in->id == NIR_LOAD_PUSH_DATA_INTEL;
    LANES_EACH (lane, w->active) {
        const uint64_t at = offset[lane] + (uint64_t)in->base;
        uint32_t v = 0;
        if (m->p->def[in->def].bits != 32 || m->c->push_count ||
            (push && !(at == BASE_GROUP_AT && components == 3) &&
             !(at % REGISTER == SUBGROUP_AT && components == 1)) ||
            (!push && at + 4 * components > 12 && !(at == BEFORE_LAYOUT && components == 3)))
            return isa_refuse(m->out, RAN_UNSUPPORTED, in->line, "%s of %u words at byte %u",
                              nir_ops[in->id].name, components, (unsigned)at);
        if (push && at % REGISTER == SUBGROUP_AT)
            v = (uint32_t)(w - m->w);
        for (uint32_t k = 0; k < components; k++)
            nir_row(m, w, in->def, k)[lane] = v;
    }
    return true;
}

bool nir_anv_value(struct nir_machine *m, struct nir_wave *w, const struct nir_inst *in)
{
    switch (in->id) {
    case NIR_RESOURCE_INTEL:
        return resource(m, w, in);
    case NIR_LOAD_PUSH_DATA_INTEL:
    case NIR_LOAD_INLINE_DATA_INTEL:
    case NIR_LOAD_PUSH_CONSTANT: // Mesa 25.0: they start with the base workgroup
        return data(m, w, in);
    case NIR_LOAD_SIMD_WIDTH_INTEL:
        nir_write_all(m, w, in, 0, m->p->size);
        return true;
    default:
        return isa_refuse(m->out, RAN_UNSUPPORTED, in->line, "%s", nir_ops[in->id].name);
    }
}
