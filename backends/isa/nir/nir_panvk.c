// SPDX-License-Identifier: Apache-2.0
//
// PanVK: a buffer is named by its table, in the upper byte, and its place there. Table 1 is
// descriptor set 0, and so on; a set's buffers are in the order of bindings.
//
// load_push_constant reads what the driver pushes: the words that a shader uses, one after the
// other, so their places differ between shaders. Known are the base workgroup, which is 0, at byte
// 0, and the first two components of the workgroup's size at byte 20, if the shader reads nothing
// else. That the words there are these follows from the code: LocalInvocationIndex is
// x + 20[0] * (y + 20[1] * z). Any other is refused.
#include "nir_machine.h"

enum { BASE_GROUP_AT = 0, LOCAL_SIZE_AT = 20 };

bool nir_panvk_resource(struct nir_machine *m, uint32_t handle, uint64_t *base, uint32_t *bytes)
{
    for (uint32_t i = 0; i < m->c->buffer_count; i++)
        if (handle >> 24 == m->c->buffer[i].set + 1 &&
            (handle & 0xffffff) == isa_place_in_set(m->c, i)) {
            *base = m->memory.v[i].base;
            *bytes = m->memory.v[i].size;
            return true;
        }
    return false;
}

static bool address(struct nir_machine *m, struct nir_wave *w, const struct nir_inst *in)
{
    const uint64_t *handle = nir_source(m, w, in, 0, 0), *offset = nir_source(m, w, in, 1, 0);
    uint64_t *out = nir_row(m, w, in->def, 0), base;
    uint32_t bytes;
    LANES_EACH (lane, w->active) {
        if (!nir_panvk_resource(m, (uint32_t)handle[lane], &base, &bytes))
            return isa_refuse(m->out, RAN_UNSUPPORTED, in->line, "resource 0x%x",
                              (unsigned)handle[lane]);
        out[lane] = base + offset[lane];
    }
    return true;
}

static bool pushed(struct nir_machine *m, struct nir_wave *w, const struct nir_inst *in)
{
    const uint32_t components = m->p->def[in->def].components;
    const uint64_t *at = nir_source(m, w, in, 0, 0);
    LANES_EACH (lane, w->active) {
        const uint64_t byte = at[lane] + (uint64_t)in->base;
        const bool size = byte == LOCAL_SIZE_AT && components == 2;
        if (m->c->push_count || m->p->def[in->def].bits != 32 ||
            !(size || (byte == BASE_GROUP_AT && components <= 3)))
            return isa_refuse(m->out, RAN_UNSUPPORTED, in->line, "%s of %u words at byte %u",
                              nir_ops[in->id].name, components, (unsigned)byte);
        for (uint32_t k = 0; k < components; k++)
            nir_row(m, w, in->def, k)[lane] = size ? m->local[k] : 0;
    }
    return true;
}

bool nir_panvk_value(struct nir_machine *m, struct nir_wave *w, const struct nir_inst *in)
{
    switch (in->id) {
    case NIR_LOAD_SSBO_ADDRESS:
        return address(m, w, in);
    case NIR_LOAD_PUSH_CONSTANT:
        return pushed(m, w, in);
    default:
        return isa_refuse(m->out, RAN_UNSUPPORTED, in->line, "%s", nir_ops[in->id].name);
    }
}
