// SPDX-License-Identifier: Apache-2.0
//
// Computes sizes and ids, which the code of every driver may read.
#include "nir_machine.h"

// Masks of the lanes that are equal to, below or above a lane: component k holds lanes from k *
// bits on.
static void masks(struct nir_machine *m, struct nir_wave *w, const struct nir_inst *in)
{
    const struct nir_def *d = &m->p->def[in->def];
    const lane_mask all = lanes_below(m->p->size);
    LANES_EACH (lane, w->active) {
        const lane_mask below = lanes_below(lane), self = lane_bit(lane);
        const lane_mask v = in->id == NIR_LOAD_EQ_MASK   ? self
                            : in->id == NIR_LOAD_GE_MASK ? all & ~below
                            : in->id == NIR_LOAD_GT_MASK ? all & ~below & ~self
                            : in->id == NIR_LOAD_LE_MASK ? below | self
                                                         : below;
        for (uint32_t k = 0; k < d->components; k++)
            nir_row(m, w, in->def, k)[lane] =
                k * d->bits < LANES_MAX ? isa_low((uint64_t)(v >> k * d->bits), d->bits) : 0;
    }
}

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
    case NIR_LOAD_BASE_GLOBAL_ID:
    case NIR_LOAD_NUM_GROUPS:
        for (uint32_t k = 0; k < axes; k++)
            nir_write_all(m, w, in, k,
                          in->id == NIR_LOAD_GROUP_ID     ? m->group[k]
                          : in->id == NIR_LOAD_NUM_GROUPS ? m->c->groups[k]
                                                          : 0);
        return true;
    case NIR_LOAD_EQ_MASK:
    case NIR_LOAD_GE_MASK:
    case NIR_LOAD_GT_MASK:
    case NIR_LOAD_LE_MASK:
    case NIR_LOAD_LT_MASK:
        masks(m, w, in);
        return true;
    case NIR_VULKAN_INDEX:
        return nir_vulkan_index(m, w, in);
    case NIR_VULKAN_DESCRIPTOR:
    case NIR_LOAD_PARAM:
        return nir_copy(m, w, in);
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
