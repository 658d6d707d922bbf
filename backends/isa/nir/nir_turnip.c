// SPDX-License-Identifier: Apache-2.0
//
// Turnip: buffers are bindless, addressed by set and descriptor number. One lane runs a preamble,
// which stores constants; what it stores is all that other lanes see of it.
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
        uint32_t i;
        if (!isa_turnip_buffer(m->c, m->descriptors, in->set, (uint32_t)k[lane], in->line, &i,
                               m->out))
            return false;
        if (i == m->c->buffer_count)
            return isa_refuse(m->out, RAN_UNSUPPORTED, in->line, "descriptor %u of set %u",
                              (uint32_t)k[lane], in->set);
        out[lane] = HANDLE + i;
    }
    return true;
}

bool nir_turnip_preamble(struct nir_machine *m, struct nir_wave *w, const struct nir_inst *in)
{
    const bool own = in->id == NIR_LOAD_PREAMBLE; // before Mesa makes constants of it
    const bool load = own || in->id == NIR_LOAD_CONST_IR3;
    if (in->id == NIR_PREFETCH_IR3)
        return true;
    if (in->id == NIR_PREAMBLE_END_IR3) {
        w->at = m->p->count;
        return m->in_preamble ||
               isa_refuse(m->out, RAN_FAULT, in->line, "the preamble's end outside of it");
    }
    const uint32_t def = load ? in->def : in->src[0].def, first = lane_first(w->active);
    const uint32_t n = load ? m->p->def[def].components : in->src[0].count;
    const uint64_t at = (uint64_t)in->base + (load && !own ? nir_source(m, w, in, 0, 0)[first] : 0);
    if (m->p->def[def].bits != 32 || at + n > NIR_CONSTANTS || (!load && !m->in_preamble))
        return isa_refuse(m->out, RAN_UNSUPPORTED, in->line, "%s of this type or place",
                          nir_ops[in->id].name);
    for (uint32_t k = 0; k < n; k++) {
        if (!load) {
            m->constants->v[at + k] = (uint32_t)nir_source(m, w, in, 0, k)[first];
            m->constants->known[at + k] = true;
        } else if (!m->constants->known[at + k]) {
            return isa_refuse(m->out, RAN_UNSUPPORTED, in->line,
                              "the constant %u, which is not set", (uint32_t)(at + k));
        } else {
            nir_write_all(m, w, in, k, m->constants->v[at + k]);
        }
    }
    return true;
}

// In each cluster, the upper half gets the value of the last active lane of the lower half.
static void brcst(struct nir_machine *m, struct nir_wave *w, const struct nir_inst *in)
{
    const uint64_t *other = nir_source(m, w, in, 0, 0), *v = nir_source(m, w, in, 1, 0);
    uint64_t *out = nir_row(m, w, in->def, 0);
    LANES_EACH (lane, w->active) {
        const uint32_t start = lane / in->cluster * in->cluster, middle = start + in->cluster / 2;
        const lane_mask from = w->active & lanes_below(middle) & ~lanes_below(start);
        out[lane] = lane < middle || !from ? other[lane] : v[lane_last(from)];
    }
}

void nir_turnip_group(struct nir_machine *m, struct nir_wave *w, const struct nir_inst *in)
{
    enum { CLUSTER = 8 };
    const uint32_t bits = m->p->def[in->def].bits;
    const uint64_t *v = nir_source(m, w, in, 0, 0);
    const uint64_t *own = nir_source(m, w, in, in->srcs - 1, 0);
    uint64_t *out = nir_row(m, w, in->def, 0);
    if (in->id == NIR_BRCST_ACTIVE_IR3) {
        brcst(m, w, in);
        return;
    }
    uint64_t sum = isa_identity(in->combine, bits);
    for (uint32_t at = 0; at < m->p->size; at += CLUSTER) {
        const lane_mask part = w->active & (lanes_below(CLUSTER) << at);
        if (!part)
            continue;
        const uint64_t last = v[lane_last(part)];
        if (in->id == NIR_READ_GETLAST_IR3) { // of the first cluster that has a lane
            nir_write_all(m, w, in, 0, last);
            return;
        }
        LANES_EACH (lane, part)
            if (in->id != NIR_REDUCE_IR3)
                out[lane] = isa_combined(in->combine, bits, own[lane], sum);
        sum = isa_combined(in->combine, bits, last, sum);
    }
    if (in->id == NIR_REDUCE_IR3)
        nir_write_all(m, w, in, 0, sum);
}
