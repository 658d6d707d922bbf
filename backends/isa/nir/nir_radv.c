// SPDX-License-Identifier: Apache-2.0
//
// RADV: values arrive as arguments, in this order: the low half of the address of each descriptor
// set and of the push constants; the used components of the workgroup's id; the index of the
// subgroup (load_scalar_arg_wg_div_amd; before Mesa 26 a scalar argument); the local invocation id.
// A buffer descriptor has four words; those of a set are in the order of bindings.
#include "nir_machine.h"

// Mesa 26 says that two low bits of an address are 0. Before it, an address is what becomes one.
static bool becomes_address(const struct nir_program *p, const struct nir_inst *argument)
{
    for (uint32_t i = 0; i < p->count; i++) {
        const struct nir_inst *in = &p->inst[i];
        if ((in->id == NIR_PACK_64_2X32_SPLIT || in->id == NIR_VEC3) &&
            in->src[0].def == argument->def)
            return true;
    }
    return false;
}

void nir_radv_place(struct nir_machine *m)
{
    const struct nir_program *p = m->p;
    m->address = ARENA_ARRAY(m->a, bool, p->count);
    for (uint32_t i = 0; i < p->count; i++) {
        const struct nir_inst *in = &p->inst[i];
        if (in->id == NIR_LOAD_SCALAR_ARG)
            m->address[i] = in->has_low_bits ? in->offset_shift == 2 : becomes_address(p, in);
    }
}

// Counts the arguments of a kind that the text uses: those before number `base`, and all.
static void rank(const struct nir_machine *m, enum nir_id id, bool pointer, int64_t base,
                 uint32_t *before, uint32_t *all)
{
    const struct nir_program *p = m->p;
    *before = *all = 0;
    for (uint32_t i = 0; i < p->count; i++) {
        const struct nir_inst *in = &p->inst[i];
        bool seen = false;
        if (in->id != id || m->address[i] != pointer)
            continue;
        for (uint32_t k = 0; k < i && !seen; k++)
            seen = p->inst[k].id == id && p->inst[k].base == in->base;
        *all += !seen;
        *before += !seen && in->base < base;
    }
}

// Writes the local id: one argument per component, or one argument with 10 bits per component.
static bool local_id(struct nir_machine *m, struct nir_wave *w, const struct nir_inst *in,
                     uint32_t before, uint32_t all)
{
    uint64_t *out = nir_row(m, w, in->def, 0);
    const bool flat = m->local[1] == 1 && m->local[2] == 1;
    const bool packed = all == 1 && (in->cluster == 0 || in->cluster >= 1024);
    if (all != 3 && !packed && !(flat && before == 0))
        return isa_refuse(m->out, RAN_UNSUPPORTED, in->line,
                          "which component of the local id argument %d is", (int)in->base);
    nir_write_local(m, w, in, 0, all == 3 ? before : 0);
    if (packed)
        LANES_EACH (lane, w->active) {
            const uint32_t i = (uint32_t)(w - m->w) * m->p->size + lane;
            out[lane] |= (uint64_t)(i / m->local[0] % m->local[1]) << 10 |
                         (uint64_t)(i / m->local[0] / m->local[1]) << 20;
        }
    return true;
}

// The number of the subgroup, in the two fields of which drivers read one, and the number of all.
static uint32_t subgroup_bits(const struct nir_machine *m, const struct nir_wave *w)
{
    const uint32_t wave = (uint32_t)(w - m->w);
    return m->waves | wave << 6 | wave << 20;
}

bool nir_radv_value(struct nir_machine *m, struct nir_wave *w, const struct nir_inst *in)
{
    const bool pointer = m->address[in - m->p->inst];
    uint32_t before, all;
    rank(m, in->id, pointer, in->base, &before, &all);
    switch (in->id) {
    case NIR_LOAD_WAVE_ARG:
        nir_write_all(m, w, in, 0, subgroup_bits(m, w));
        return true;
    case NIR_LOAD_VECTOR_ARG:
        return local_id(m, w, in, before, all);
    case NIR_LOAD_SCALAR_ARG:
        if (pointer || in->has_low_bits)
            break;
        nir_write_all(m, w, in, 0, subgroup_bits(m, w)); // workgroups have ids of their own
        return true;
    default:
        return isa_refuse(m->out, RAN_UNSUPPORTED, in->line, "%s", nir_ops[in->id].name);
    }
    if (pointer) {
        if (all != m->sets || (in->has_low_bits && in->base != before))
            return isa_refuse(m->out, RAN_UNSUPPORTED, in->line,
                              "%u addresses for %u descriptor sets", all, m->sets);
        nir_write_all(m, w, in, 0, m->set_base[before]);
        return true;
    }
    // With a single workgroup in y and z, a single argument is taken as component x.
    const uint32_t *g = m->c->groups;
    if (all != 3 && !(g[1] == 1 && g[2] == 1 && all == 1))
        return isa_refuse(m->out, RAN_UNSUPPORTED, in->line,
                          "which component of the workgroup's id argument %d is", (int)in->base);
    nir_write_all(m, w, in, 0, m->group[before]);
    return true;
}
