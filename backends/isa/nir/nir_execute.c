// SPDX-License-Identifier: Apache-2.0
//
// Executes one instruction for the lanes of w->active, and the phis of a block.
#include "nir_machine.h"

// ---- values ----------------------------------------------------------------

static void alu(struct nir_machine *m, struct nir_wave *w, const struct nir_inst *in)
{
    const struct nir_def *d = &m->p->def[in->def];
    const struct isa_span lanes = isa_span(w->active);
    struct nir_alu x = {.width = d->bits, .from = d->bits};
    uint64_t room[NIR_LANES];
    for (uint32_t i = in->srcs; i--;)
        if (nir_ops[in->id].src[i] != '1')
            x.from = m->p->def[in->src[i].def].bits;
    for (uint32_t k = 0; k < d->components; k++) {
        uint64_t *out = nir_row(m, w, in->def, k);
        for (uint32_t i = 0; i < 4; i++)
            x.v[i] = nir_source(m, w, in, i < in->srcs ? i : 0, k);
        nir_alu_rows(in->id, &x, lanes, lanes.whole ? out : room);
        if (!lanes.whole)
            LANES_EACH (lane, w->active)
                out[lane] = room[lane];
    }
}

// Repacks components into wider or narrower ones, lowest bits first.
static void pack(struct nir_machine *m, struct nir_wave *w, const struct nir_inst *in)
{
    const struct nir_def *d = &m->p->def[in->def];
    const uint32_t from = m->p->def[in->src[0].def].bits;
    LANES_EACH (lane, w->active) {
        uint64_t v = 0;
        for (uint32_t k = 0; k < in->src[0].count; k++)
            v |= nir_source(m, w, in, 0, k)[lane] << k * from;
        for (uint32_t k = 0; k < d->components; k++)
            nir_row(m, w, in->def, k)[lane] = isa_low(v >> k * d->bits, d->bits);
    }
}

static void value(struct nir_machine *m, struct nir_wave *w, const struct nir_inst *in)
{
    const struct nir_def *d = &m->p->def[in->def];
    for (uint32_t k = 0; k < d->components; k++) {
        uint64_t *out = nir_row(m, w, in->def, k);
        const uint64_t random_fill = rng_next(&m->random_fill);
        LANES_EACH (lane, w->active) {
            if (in->id == NIR_LOAD_CONST)
                out[lane] = isa_low(in->number[k], d->bits);
            else if (in->id == NIR_UNDEFINED)
                out[lane] =
                    isa_low(d->uniform ? random_fill : random_fill * (2 * lane + 1), d->bits);
            else // vecN
                out[lane] = nir_source(m, w, in, k, 0)[lane];
        }
    }
}

// Records the first value that the text marks as uniform although it differs between lanes.
static void check_uniform(struct nir_machine *m, struct nir_wave *w, const struct nir_inst *in)
{
    if (in->def == NIR_NO_DEF || in->id == NIR_DECL_REG || !m->p->def[in->def].uniform ||
        m->out->uneven_line || !w->active)
        return;
    for (uint32_t k = 0; k < m->p->def[in->def].components; k++) {
        const uint64_t *v = nir_row(m, w, in->def, k);
        const uint64_t first = v[lane_first(w->active)];
        LANES_EACH (lane, w->active)
            if (v[lane] != first)
                m->out->uneven_line = in->line;
    }
}

// A bool of 32 bits is 0 or all ones.
static void widen(struct nir_machine *m, struct nir_wave *w, const struct nir_inst *in)
{
    for (uint32_t k = 0; k < m->p->def[in->def].components; k++) {
        uint64_t *v = nir_row(m, w, in->def, k);
        LANES_EACH (lane, w->active)
            v[lane] = v[lane] & 1 ? UINT32_MAX : 0;
    }
}

bool nir_execute(struct nir_machine *m, struct nir_wave *w, const struct nir_inst *in)
{
    bool ok = true;
    switch (nir_ops[in->id].unit) {
    case UNIT_ALU:
        alu(m, w, in);
        break;
    case UNIT_PACK:
        pack(m, w, in);
        break;
    case UNIT_VALUE:
        value(m, w, in);
        break;
    case UNIT_DEREF:
        ok = nir_deref(m, w, in);
        break;
    case UNIT_GROUP:
        ok = nir_group(m, w, in);
        if (ok && nir_ops[in->id].dst[0] == '1' && m->p->def[in->def].bits == 32)
            widen(m, w, in);
        break;
    case UNIT_MEMORY:
        ok = nir_memory(m, w, in);
        break;
    case UNIT_SYSTEM:
        ok = nir_system(m, w, in);
        break;
    case UNIT_FLOW:
    case UNIT_BARRIER:
        CHECK(!"control flow is the caller's");
    }
    if (ok)
        check_uniform(m, w, in);
    return ok;
}

// ---- phis: all of a block at once, each lane by its previous block ---------------

static bool phi(struct nir_machine *m, struct nir_wave *w, const struct nir_inst *in, uint64_t *out)
{
    const struct nir_def *d = &m->p->def[in->def];
    lane_mask open = 0; // lanes whose source is undefined
    LANES_EACH (lane, w->active) {
        uint32_t i = 0;
        while (i < in->srcs && in->number[i] != w->from[lane])
            i++;
        if (i == in->srcs)
            return isa_refuse(m->out, RAN_INVALID, in->line, "a phi without a value from b%u",
                              w->from[lane]);
        if (m->p->def[in->src[i].def].undefined)
            open |= lane_bit(lane);
        for (uint32_t k = 0; k < d->components; k++)
            out[k * m->p->size + lane] = nir_source(m, w, in, i, k)[lane];
    }
    // A uniform phi has one value: lanes with an undefined source get the value of the others.
    const lane_mask sure = w->active & ~open;
    if (d->uniform && sure)
        LANES_EACH (lane, open)
            for (uint32_t k = 0; k < d->components; k++)
                out[k * m->p->size + lane] = out[k * m->p->size + lane_first(sure)];
    return true;
}

bool nir_enter(struct nir_machine *m, struct nir_wave *w)
{
    const struct nir_inst *block = &m->p->inst[w->at++];
    const uint32_t first = w->at;
    uint64_t *out = m->phi;
    for (; w->at < m->p->count && m->p->inst[w->at].id == NIR_PHI; w->at++) {
        const struct nir_inst *in = &m->p->inst[w->at];
        w->steps++;
        if (!phi(m, w, in, out))
            return false;
        out += (size_t)m->p->def[in->def].components * m->p->size;
    }
    out = m->phi;
    for (uint32_t i = first; i < w->at; i++) {
        const struct nir_inst *in = &m->p->inst[i];
        for (uint32_t k = 0; k < m->p->def[in->def].components; k++, out += m->p->size)
            LANES_EACH (lane, w->active)
                nir_row(m, w, in->def, k)[lane] = out[lane];
        check_uniform(m, w, in);
    }
    LANES_EACH (lane, w->active)
        w->from[lane] = block->target;
    return true;
}
