// SPDX-License-Identifier: Apache-2.0
//
// Loads, stores and atomics, executed immediately. Buffers are addressed by words, shared memory by
// bytes. Out of bounds of a buffer, loads return 0 and stores are dropped.
#include "ir3_machine.h"
#include "isa/isa_bits.h"

// Finds a word of a buffer; *out is NULL if it is out of bounds.
static bool place(struct ir3_machine *m, const struct ir3_inst *in, uint32_t index, uint32_t **out)
{
    const uint32_t i = m->buffer;
    if (i == m->c->buffer_count)
        return isa_refuse(m->out, RAN_UNSUPPORTED, in->line, "descriptor %u of set %u",
                          in->descriptor, in->set);
    *out = index < m->c->buffer[i].count ? (uint32_t *)(void *)m->memory.v[i].bytes + index : NULL;
    return true;
}

static bool local(struct ir3_machine *m, const struct ir3_inst *in, uint32_t at, uint32_t **out)
{
    if (at % 4 || at > SHARED_BYTES - 4)
        return isa_refuse(m->out, RAN_FAULT, in->line, "%s of byte %u of shared memory",
                          ir3_ops[in->id].name, at);
    *out = (uint32_t *)(void *)(isa_shared(&m->shared) + at);
    return true;
}

static bool is_shared(const struct ir3_inst *in)
{
    return in->id == IR3_LDL || in->id == IR3_STL || in->id == IR3_ATOMIC_L;
}

// Finds word k of a lane's access at `at`.
static bool find(struct ir3_machine *m, const struct ir3_inst *in, uint32_t at, uint32_t k,
                 uint32_t **out)
{
    at += (uint32_t)in->offset;
    return is_shared(in) ? local(m, in, at + 4 * k, out) : place(m, in, at + k, out);
}

static uint32_t *data(struct ir3_wave *w, const struct ir3_operand *o, uint32_t k)
{
    return o->kind == OPERAND_SHARED ? NULL : w->r[o->reg + k];
}

static uint32_t datum(struct ir3_wave *w, const struct ir3_operand *o, uint32_t k, unsigned lane)
{
    const uint32_t *row = data(w, o, k);
    return row ? row[lane] : w->s[o->reg + k];
}

static bool access(struct ir3_machine *m, struct ir3_wave *w, const struct ir3_inst *in,
                   uint32_t at, unsigned l)
{
    const bool store = in->id == IR3_STIB || in->id == IR3_STL;
    uint32_t got[4] = {0};
    for (uint32_t k = 0; k < in->count; k++) {
        uint32_t *word;
        if (!find(m, in, at, k, &word))
            return false;
        if (word && store)
            *word = datum(w, &in->dst, k, l);
        got[k] = word ? *word : 0;
    }
    for (uint32_t k = 0; k < in->count && !store; k++)
        data(w, &in->dst, k)[l] = got[k];
    return true;
}

static enum isa_combine combine_of(const struct ir3_inst *in)
{
    static const enum isa_combine of[IR3_MODES] = {
        [ATOMIC_ADD] = ISA_IADD, [ATOMIC_SUB] = ISA_ISUB,     [ATOMIC_XCHG] = ISA_XCHG,
        [ATOMIC_MIN] = ISA_UMIN, [ATOMIC_CMPXCHG] = ISA_XCHG, [ATOMIC_MAX] = ISA_UMAX,
        [ATOMIC_AND] = ISA_IAND, [ATOMIC_OR] = ISA_IOR,       [ATOMIC_XOR] = ISA_IXOR,
    };
    const bool sign = in->to == TYPE_S32;
    return sign && in->mode == ATOMIC_MIN   ? ISA_IMIN
           : sign && in->mode == ATOMIC_MAX ? ISA_IMAX
                                            : of[in->mode];
}

// Operands of a buffer atomic: dst.x is the result, dst.y the data; for a compare-exchange dst.y is
// the comparator and dst.z the data. Shared memory: src[1].x is the data, src[1].y the comparator.
static bool atomic(struct ir3_machine *m, struct ir3_wave *w, const struct ir3_inst *in,
                   uint32_t at, unsigned l)
{
    const bool buffer = in->id == IR3_ATOMIC_B, compares = in->mode == ATOMIC_CMPXCHG;
    const struct ir3_operand *from = buffer ? &in->dst : &in->src[1];
    const uint32_t v = datum(w, from, buffer ? 1 + compares : 0, l),
                   expected = compares ? datum(w, from, 1, l) : 0;
    uint32_t *word, old = 0;
    if (!find(m, in, at, 0, &word))
        return false;
    if (word) {
        old = *word;
        *word =
            compares && old != expected ? old : (uint32_t)isa_combined(combine_of(in), 32, old, v);
    }
    data(w, &in->dst, 0)[l] = old;
    return true;
}

static bool store_constants(struct ir3_machine *m, struct ir3_wave *w, const struct ir3_inst *in,
                            lane_mask on)
{
    if (!w->preamble)
        return isa_refuse(m->out, RAN_UNSUPPORTED, in->line, "stc outside of the preamble");
    for (uint32_t k = 0; k < in->count; k++) {
        m->constant[in->descriptor + k] = datum(w, &in->src[0], k, lane_first(on));
        m->known[in->descriptor + k] = true;
    }
    return true;
}

bool ir3_memory(struct ir3_machine *m, struct ir3_wave *w, const struct ir3_inst *in, lane_mask on)
{
    uint32_t at[LANES_MAX];
    if (in->id == IR3_STC)
        return store_constants(m, w, in, on);
    if (in->id == IR3_RESINFO) // its result is unused
        return true;
    if (!ir3_source(m, w, in, &in->src[0], 0, 'u', 32, on, at))
        return false;
    if (in->id == IR3_ISAM) {
        for (uint32_t i = 0; i < w->aliases; i++)
            LANES_EACH (l, on)
                at[l] = in->src[0].kind == OPERAND_OWN && w->alias[i].reg == in->src[0].reg
                            ? w->alias[i].value
                            : at[l];
        w->aliases = 0;
    }
    if (!is_shared(in) && !isa_turnip_buffer(m->c, m->descriptors, in->set, in->descriptor,
                                             in->line, &m->buffer, m->out))
        return false;
    LANES_EACH (l, on)
        if (!(in->id == IR3_ATOMIC_B || in->id == IR3_ATOMIC_L ? atomic(m, w, in, at[l], l)
                                                               : access(m, w, in, at[l], l)))
            return false;
    return true;
}
