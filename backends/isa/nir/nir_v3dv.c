// SPDX-License-Identifier: Apache-2.0
//
// v3dv: a buffer is named by an index (isa_v3dv_place).
#include "nir_machine.h"

#include "isa/isa_places.h"

// Returns the constant of a source; UINT32_MAX: it has none.
static uint32_t constant(const struct nir_program *p, const struct nir_src *s)
{
    uint32_t def = s->def, component = s->component[0];
    for (uint32_t i = p->count; i--;) {
        const struct nir_inst *in = &p->inst[i];
        if (in->def != def)
            continue;
        if (in->id == NIR_LOAD_CONST)
            return (uint32_t)in->number[component];
        if (in->id != NIR_MOV)
            break;
        def = in->src[0].def;
        component = in->src[0].component[component];
    }
    return UINT32_MAX;
}

// Fills what the code does with each index. Returns the number of indices; UINT32_MAX: an access
// has one that is not constant, or out of range.
static uint32_t used(const struct nir_program *p, uint8_t *use)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < p->count; i++) {
        const struct nir_inst *in = &p->inst[i];
        const bool store = in->id == NIR_STORE_SSBO;
        const bool atomic = in->id == NIR_SSBO_ATOMIC || in->id == NIR_SSBO_ATOMIC_SWAP;
        if (!store && !atomic && in->id != NIR_LOAD_SSBO)
            continue;
        const uint32_t at = constant(p, &in->src[store]);
        if (at >= SPV_CASE_BUFFERS)
            return UINT32_MAX;
        use[at] |= (uint8_t)(store ? ISA_STORED : atomic ? ISA_LOADED | ISA_STORED : ISA_LOADED);
        n = at >= n ? at + 1 : n;
    }
    return n;
}

bool nir_v3dv_place(struct nir_machine *m)
{
    uint8_t use[SPV_CASE_BUFFERS] = {0};
    m->indices = used(m->p, use);
    if (!m->indices) // early code names buffers by set and binding, or has none
        return true;
    return isa_v3dv_place(m->a, m->c, use, m->indices, m->indexed, m->out);
}

bool nir_v3dv_resource(struct nir_machine *m, uint32_t handle, uint64_t *base, uint32_t *bytes)
{
    if (handle >= m->indices)
        return false;
    *base = m->memory.v[m->indexed[handle]].base;
    *bytes = m->memory.v[m->indexed[handle]].size;
    return true;
}
