// SPDX-License-Identifier: Apache-2.0
//
// Computes sizes and ids, which the code of every driver may read.
#include "nir_machine.h"

bool nir_system(struct nir_machine *m, struct nir_wave *w, const struct nir_inst *in)
{
    const struct nir_def *d = &m->p->def[in->def];
    uint64_t *out = nir_row(m, w, in->def, 0);
    const uint32_t wave = (uint32_t)(w - m->w);
    const uint32_t axes = d->components < 3 ? d->components : 3;
    switch (in->id) {
    case NIR_LOAD_SUBGROUP_SIZE:
        nir_write_all(m, w, in, 0, m->p->size);
        return true;
    case NIR_LOAD_SUBGROUP_INVOCATION:
    case NIR_LOAD_INSTANCE_NUM:
        LANES_EACH (lane, w->active)
            out[lane] = lane;
        return true;
    case NIR_LOAD_SUBGROUP_ID:
        nir_write_all(m, w, in, 0, wave);
        return true;
    case NIR_LOAD_NUM_SUBGROUPS:
        nir_write_all(m, w, in, 0, m->waves);
        return true;
    case NIR_LOAD_LOCAL_INDEX:
        LANES_EACH (lane, w->active)
            out[lane] = wave * m->p->size + lane;
        return true;
    case NIR_LOAD_LOCAL_ID:
        for (uint32_t k = 0; k < axes; k++)
            nir_write_local(m, w, in, k, k);
        return true;
    case NIR_LOAD_GLOBAL_ID:
        for (uint32_t k = 0; k < axes; k++) {
            uint64_t *id = nir_row(m, w, in->def, k);
            nir_write_local(m, w, in, k, k);
            LANES_EACH (lane, w->active)
                id[lane] += (uint64_t)m->group[k] * m->local[k];
        }
        return true;
    case NIR_LOAD_GROUP_ID:
    case NIR_LOAD_BASE_GROUP_ID:
    case NIR_LOAD_NUM_GROUPS:
        for (uint32_t k = 0; k < axes; k++)
            nir_write_all(m, w, in, k,
                          in->id == NIR_LOAD_GROUP_ID        ? m->group[k]
                          : in->id == NIR_LOAD_BASE_GROUP_ID ? 0
                                                             : m->c->groups[k]);
        return true;
    case NIR_DECL_REG: // the register is the value that it defines
        return true;
    default:
        break;
    }
    switch (m->p->driver) {
    case NIR_TURNIP:
        return nir_turnip_value(m, w, in);
    case NIR_RADV:
        return nir_radv_value(m, w, in);
    case NIR_NVK:
        return nir_nvk_value(m, w, in);
    case NIR_ANV:
        return nir_anv_value(m, w, in);
    case NIR_PANVK:
        return nir_panvk_value(m, w, in);
    case NIR_LAVAPIPE:
        return nir_lavapipe_value(m, w, in);
    case NIR_HONEYKRISP:
    case NIR_V3DV:
    case NIR_POWERVR:
        return isa_refuse(m->out, RAN_UNSUPPORTED, in->line, "%s", nir_ops[in->id].name);
    }
    return false;
}
