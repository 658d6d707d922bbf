// SPDX-License-Identifier: Apache-2.0
//
// NVK: ids are read from system registers.
#include "nir_machine.h"

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
