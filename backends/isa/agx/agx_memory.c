// SPDX-License-Identifier: Apache-2.0
//
// Accesses to buffers, shared memory and uniforms.
#include "agx_machine.h"

#include "isa/isa_bits.h"

#include <string.h>

static uint32_t size_of(enum agx_format f)
{
    return f == FORMAT_I8 ? 1 : f == FORMAT_I16 ? 2 : 4;
}

// ---- where ---------------------------------------------------------------------

// The place of an access: the address of element 0, in each lane.
struct place {
    uint64_t at[AGX_LANES];
    uint32_t size; // bytes of an element
    bool local;
};

static bool is_local(const struct agx_inst *in)
{
    return in->id == AGX_LLOAD || in->id == AGX_LSTORE || in->id == AGX_LATOMIC;
}

static bool find_place(struct agx_machine *m, const struct agx_wave *w, const struct agx_inst *in,
                       struct place *out)
{
    const bool atomic = in->id == AGX_ATOMIC || in->id == AGX_LATOMIC;
    const struct agx_operand *base = &in->src[1 + atomic], *index = base + 1;
    uint64_t offset[AGX_LANES];
    out->local = is_local(in);
    out->size = atomic ? 4 : size_of(in->format);
    if (!agx_source(m, w, in, base, 0, out->at) || !agx_source(m, w, in, index, 0, offset))
        return false;
    if (out->local) {
        if (index->kind != OPERAND_NUMBER || index->number)
            return agx_refuse(m, RAN_UNSUPPORTED, in, "an index into shared memory");
        return true;
    }
    if (base->bits != 64)
        return agx_refuse(m, RAN_UNSUPPORTED, in, "this base");
    for (uint32_t l = 0; l < AGX_LANES; l++)
        out->at[l] =
            (out->at[l] & ~(uint64_t)(out->size - 1)) + (offset[l] << in->shift) * out->size;
    return true;
}

static uint8_t *bytes_at(struct agx_machine *m, const struct agx_inst *in, const struct place *p,
                         uint32_t lane, uint32_t element, bool write)
{
    const uint64_t at = p->at[lane] + (uint64_t)element * p->size;
    if (p->local) {
        if (at + p->size <= SHARED_BYTES)
            return isa_shared(&m->shared) + at;
        agx_refuse(m, RAN_FAULT, in, "outside of shared memory");
        return NULL;
    }
    uint8_t *bytes = isa_at(&m->memory, at, p->size, write);
    if (!bytes)
        isa_refuse(m->out, RAN_FAULT, in->line, "%s of %u bytes at 0x%llx, which is not mapped",
                   agx_ops[in->id].name, p->size, (unsigned long long)at);
    return bytes;
}

// ---- loads that are on their way -------------------------------------------------

static struct agx_pending *begin_load(struct agx_machine *m, struct agx_wave *w,
                                      const struct agx_inst *in, const struct agx_operand *dst)
{
    if (w->pendings == PENDING) {
        agx_refuse(m, RAN_UNSUPPORTED, in, "too many loads without a wait");
        return NULL;
    }
    struct agx_pending *p = &w->pending[w->pendings++];
    *p = (struct agx_pending){.dst = *dst, .lanes = w->active, .group = in->group};
    return p;
}

// Until the wait the registers hold random values.
static void hide(struct agx_machine *m, struct agx_wave *w, const struct agx_pending *p)
{
    const uint64_t random = rng_next(&m->random_fill);
    uint64_t v[AGX_LANES];
    for (uint32_t l = 0; l < AGX_LANES; l++)
        v[l] = random * (2 * l + 3);
    for (uint32_t k = 0; k < p->dst.count; k++)
        agx_write(w, &p->dst, k, p->lanes, v);
}

static void arrive(struct agx_wave *w, const struct agx_pending *p)
{
    uint64_t v[AGX_LANES];
    for (uint32_t k = 0; k < p->dst.count; k++) {
        for (uint32_t l = 0; l < AGX_LANES; l++)
            v[l] = p->v[k][l];
        agx_write(w, &p->dst, k, p->lanes, v);
    }
}

static void wait_for(struct agx_wave *w, bool group)
{
    uint32_t left = 0;
    for (uint32_t i = 0; i < w->pendings; i++)
        if (w->pending[i].group == group)
            arrive(w, &w->pending[i]);
        else if (left++ != i)
            w->pending[left - 1] = w->pending[i];
    w->pendings = left;
}

// ---- accesses ----------------------------------------------------------------------

static bool load(struct agx_machine *m, struct agx_wave *w, const struct agx_inst *in)
{
    struct place p;
    if (!find_place(m, w, in, &p))
        return false;
    struct agx_pending *out = begin_load(m, w, in, &in->src[0]);
    if (!out)
        return false;
    for (uint32_t l = 0; l < AGX_LANES; l++)
        for (uint32_t k = 0, n = 0; k < 4 && (w->active >> l & 1); k++) {
            if (!(in->mask >> k & 1))
                continue;
            const uint8_t *bytes = bytes_at(m, in, &p, l, k, false);
            if (!bytes)
                return false;
            memcpy(&out->v[n++][l], bytes, p.size);
        }
    if (p.local) { // is not waited for
        arrive(w, out);
        w->pendings--;
    } else {
        hide(m, w, out);
    }
    return true;
}

static bool store(struct agx_machine *m, struct agx_wave *w, const struct agx_inst *in)
{
    uint64_t v[4][AGX_LANES];
    struct place p;
    if (!find_place(m, w, in, &p))
        return false;
    for (uint32_t k = 0; k < in->src[0].count; k++)
        if (!agx_source(m, w, in, &in->src[0], k, v[k]))
            return false;
    for (uint32_t l = 0; l < AGX_LANES; l++)
        for (uint32_t k = 0, n = 0; k < 4 && (w->active >> l & 1); k++) {
            if (!(in->mask >> k & 1))
                continue;
            uint8_t *bytes = bytes_at(m, in, &p, l, k, true);
            if (!bytes)
                return false;
            memcpy(bytes, &v[n++][l], p.size);
        }
    return true;
}

// A comparison's sources are the new value, then the expected one.
static bool atomic(struct agx_machine *m, struct agx_wave *w, const struct agx_inst *in)
{
    static const enum isa_combine how[AGX_ATOMICS] = {
        [ATOMIC_ADD] = ISA_IADD,     [ATOMIC_SUB] = ISA_ISUB,  [ATOMIC_XCHG] = ISA_XCHG,
        [ATOMIC_CMPXCHG] = ISA_XCHG, [ATOMIC_UMIN] = ISA_UMIN, [ATOMIC_IMIN] = ISA_IMIN,
        [ATOMIC_UMAX] = ISA_UMAX,    [ATOMIC_IMAX] = ISA_IMAX, [ATOMIC_AND] = ISA_IAND,
        [ATOMIC_OR] = ISA_IOR,       [ATOMIC_XOR] = ISA_IXOR};
    const bool swap = in->atomic == ATOMIC_CMPXCHG;
    uint64_t v[AGX_LANES], expected[AGX_LANES];
    struct place p;
    if (!find_place(m, w, in, &p) || !agx_source(m, w, in, &in->src[1], 0, v) ||
        (swap && !agx_source(m, w, in, &in->src[1], 1, expected)))
        return false;
    struct agx_pending *out = begin_load(m, w, in, &in->src[0]);
    if (!out)
        return false;
    for (uint32_t l = 0; l < AGX_LANES; l++) {
        if (!(w->active >> l & 1))
            continue;
        uint8_t *bytes = bytes_at(m, in, &p, l, 0, true);
        uint32_t old;
        if (!bytes)
            return false;
        memcpy(&old, bytes, 4);
        const uint32_t new = swap &&old != (uint32_t)expected[l]
                                 ? old
                                 : (uint32_t)isa_combined(how[in->atomic], 32, old, v[l]);
        memcpy(bytes, &new, 4);
        out->v[0][l] = old;
    }
    if (p.local) {
        arrive(w, out);
        w->pendings--;
    } else {
        hide(m, w, out);
    }
    return true;
}

// The preamble's only lane stores registers to uniforms.
static bool uniform_store(struct agx_machine *m, struct agx_wave *w, const struct agx_inst *in)
{
    const struct agx_operand *to = &in->src[0], *from = &in->src[1];
    const uint32_t halves = from->bits / 16;
    if (!w->preamble)
        return agx_refuse(m, RAN_UNSUPPORTED, in, "outside of the preamble");
    for (uint32_t k = 0; k < from->count; k++) {
        uint64_t v[AGX_LANES];
        if (!agx_source(m, w, in, from, k, v))
            return false;
        for (uint32_t h = 0; h < halves; h++) {
            m->uniform[to->half + k * halves + h] = (uint16_t)(v[0] >> 16 * h);
            m->known[to->half + k * halves + h] = true;
        }
    }
    return true;
}

bool agx_memory(struct agx_machine *m, struct agx_wave *w, const struct agx_inst *in)
{
    switch (in->id) {
    case AGX_LOAD:
    case AGX_LLOAD:
        return load(m, w, in);
    case AGX_STORE:
    case AGX_LSTORE:
        return store(m, w, in);
    case AGX_ATOMIC:
    case AGX_LATOMIC:
        return atomic(m, w, in);
    case AGX_USTORE:
        return uniform_store(m, w, in);
    default:
        wait_for(w, in->group);
        return true;
    }
}
