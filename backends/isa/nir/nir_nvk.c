// SPDX-License-Identifier: Apache-2.0
//
// NVK: ids are read from system registers; constant buffers.
#include "nir_machine.h"

uint8_t *nir_nvk_constant(struct nir_machine *m, const struct nir_inst *in, uint64_t buffer,
                          uint64_t byte, uint32_t bytes)
{
    uint8_t *at = isa_nvk_constant(&m->memory, buffer, byte, bytes);
    if (at || buffer || m->c->push_count || m->p->def[in->def].bits != 64 || bytes != 8 ||
        (m->set_at && m->set_at != byte))
        return at;
    m->set_at = byte;
    m->set_base[0] = ISA_NVK_SET;
    return (uint8_t *)&m->set_base[0];
}

bool nir_nvk_value(struct nir_machine *m, struct nir_wave *w, const struct nir_inst *in)
{
    uint64_t *out = nir_row(m, w, in->def, 0);
    LANES_EACH (lane, w->active) {
        uint32_t id[3], v;
        isa_local_id(m->local, (uint32_t)(w - m->w) * m->p->size + lane, id);
        if (!isa_nvk_register(in->base, lane, id, m->group, &v))
            return isa_refuse(m->out, RAN_UNSUPPORTED, in->line, "system register 0x%x",
                              (unsigned)in->base);
        out[lane] = isa_low(v, m->p->def[in->def].bits);
    }
    return true;
}
