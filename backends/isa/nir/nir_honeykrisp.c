// SPDX-License-Identifier: Apache-2.0
//
// Honeykrisp: one lane runs a preamble, which loads uniform values and stores them in a file of
// 16-bit uniforms. The file starts with the address of the root table and that of descriptor set 0
// (isa_places.h). Code that reads another part of the table, or another set, is refused.
#include "nir_machine.h"

#include <string.h>

static void put(struct nir_uniforms *u, uint32_t at, uint64_t v)
{
    for (uint32_t k = 0; k < 4; k++) {
        u->v[at + k] = (uint16_t)(v >> 16 * k);
        u->known[at + k] = true;
    }
}

bool nir_honeykrisp_place(struct nir_machine *m)
{
    uint64_t root, set;
    m->uniforms = ARENA_NEW(m->a, struct nir_uniforms);
    if (!isa_honeykrisp_place(&m->memory, m->c, &root, &set, m->out))
        return false;
    put(m->uniforms, ISA_HONEYKRISP_ROOT, root);
    put(m->uniforms, ISA_HONEYKRISP_SET, set);
    return true;
}

bool nir_honeykrisp_uniforms(struct nir_machine *m, struct nir_wave *w, const struct nir_inst *in)
{
    const bool store = in->id == NIR_STORE_PREAMBLE;
    const uint32_t def = store ? in->src[0].def : in->def, bits = m->p->def[def].bits;
    const uint32_t components = store ? in->src[0].count : m->p->def[def].components,
                   halves = bits == 1 ? 1 : bits / 16;
    if (!halves || in->base < 0 || in->base + (int64_t)components * halves > NIR_UNIFORMS)
        return isa_refuse(m->out, RAN_UNSUPPORTED, in->line,
                          "%s of a value of this type or at this place", nir_ops[in->id].name);
    for (uint32_t k = 0; k < components; k++) {
        const uint32_t at = (uint32_t)in->base + k * halves;
        // A bool takes one half.
        uint64_t v = store ? nir_source(m, w, in, 0, k)[lane_first(w->active)] : 0;
        for (uint32_t h = 0; h < halves; h++) {
            if (store) {
                m->uniforms->v[at + h] = (uint16_t)(v >> 16 * h);
                m->uniforms->known[at + h] = true;
            } else if (!m->uniforms->known[at + h]) {
                return isa_refuse(m->out, RAN_UNSUPPORTED, in->line,
                                  "the uniform half %u, which is not set", at + h);
            }
            v |= store ? 0 : (uint64_t)m->uniforms->v[at + h] << 16 * h;
        }
        if (!store)
            nir_write_all(m, w, in, k, v);
    }
    return true;
}
