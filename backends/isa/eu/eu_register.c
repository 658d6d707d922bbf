// SPDX-License-Identifier: Apache-2.0
//
// Reads and writes regions of registers, flags, predicates. A region of a source is <v;w,h>:
// element i is at (i / w) * v + (i % w) * h ("EU Overview", "Region").
#include "eu_machine.h"
#include "isa/isa_bits.h"

#include <string.h>

static bool outside(struct eu_machine *m, const struct eu_inst *in)
{
    return isa_refuse(m->out, RAN_FAULT, in->line, "a region that leaves the registers");
}

// Finds the bytes of a file; NULL: the file has none.
static const uint8_t *bytes_of(const struct eu_machine *m, const struct eu_thread *t,
                               enum eu_file f, uint32_t *size)
{
    switch (f) {
    case FILE_GRF:
        *size = EU_REGISTERS * m->p->grf;
        return t->r;
    case FILE_FLAG:
        *size = FLAG_BYTES;
        return t->flag;
    case FILE_SCALAR:
        *size = EU_SCALARS;
        return t->scalar;
    case FILE_ADDRESS:
        *size = ADDRESS_BYTES;
        return t->address;
    default:
        return NULL;
    }
}

static uint64_t number_of(const struct eu_operand *o, uint32_t i)
{
    if (o->type == TYPE_V) // eight nibbles, repeated
        return (uint64_t)(int64_t)((int32_t)((uint32_t)o->number << (28 - 4 * (i % 8))) >> 28) &
               0xffff;
    if (o->type == TYPE_UV)
        return o->number >> 4 * (i % 8) & 15;
    const uint32_t n = eu_types[o->type].bytes;
    return n == 8 ? o->number : o->number & ((UINT64_C(1) << 8 * n) - 1);
}

// The first byte of element i. Register-indirect: the address is in a0.
static uint32_t place_of(const struct eu_thread *t, const struct eu_operand *o, uint32_t i)
{
    uint32_t at = o->at;
    if (o->indirect) {
        uint16_t base;
        const uint32_t k = o->address + (o->each ? 2 * (i / o->w) : 0);
        if (k + 2 > ADDRESS_BYTES)
            return UINT32_MAX / 2;
        memcpy(&base, t->address + k, 2);
        at = (uint32_t)(base + o->offset);
    }
    return at + (o->each ? 0 : i / o->w * o->v) + i % o->w * o->h;
}

static bool state_read(struct eu_machine *m, const struct eu_thread *t, const struct eu_inst *in,
                       const struct eu_operand *o, uint64_t *out)
{
    if (o->file == FILE_CE)
        *out = t->on | (t->unstarted & ~t->started);
    else if (o->file == FILE_STATE && o->at == EU_DISPATCH_MASK)
        *out = t->dispatched;
    else if (o->file == FILE_STATE && o->at == EU_VECTOR_MASK && m->p->fragment)
        *out = t->started;
    else if (o->file == FILE_CONTROL)
        *out = 0;
    else
        return isa_refuse(m->out, RAN_UNSUPPORTED, in->line, "a source of this kind");
    return eu_types[o->type].bytes == 4 ||
           isa_refuse(m->out, RAN_UNSUPPORTED, in->line, "state that is not a doubleword");
}

bool eu_source(struct eu_machine *m, const struct eu_thread *t, const struct eu_inst *in,
               const struct eu_operand *o, uint64_t out[EU_LANES])
{
    const uint32_t each = eu_types[o->type].bytes;
    uint32_t size = 0;
    const uint8_t *bytes = bytes_of(m, t, o->file, &size);
    for (uint32_t i = 0; i < in->size; i++) {
        const uint32_t at = place_of(t, o, i);
        out[i] = 0;
        if (bytes) {
            // A shuffle computes addresses from an index that may be any number.
            if ((at > size || each > size - at) && o->indirect)
                out[i] = isa_low(t->unstarted * (2 * i + 1), 8 * each);
            else if (at > size || each > size - at)
                return outside(m, in);
            else
                memcpy(&out[i], bytes + at, each);
        } else if (o->file == FILE_NUMBER) {
            out[i] = number_of(o, i);
        } else if (o->file == FILE_ACC) {
            const uint32_t k = eu_accumulator(o, at - o->at);
            if (each > 4 || k >= ACCUMULATORS)
                return isa_refuse(m->out, RAN_UNSUPPORTED, in->line, "this accumulator");
            out[i] = isa_low((uint64_t)t->acc[k], 8 * each);
        } else if (o->file != FILE_NULL && !state_read(m, t, in, o, &out[i])) {
            return false;
        }
    }
    return true;
}

bool eu_write(struct eu_machine *m, struct eu_thread *t, const struct eu_inst *in, uint32_t lanes,
              const uint64_t v[EU_LANES])
{
    const struct eu_operand *o = &in->dst;
    const uint32_t each = eu_types[o->type].bytes;
    uint32_t size = 0;
    uint8_t *bytes = (uint8_t *)(uintptr_t)bytes_of(m, t, o->file, &size);
    if (o->file == FILE_NULL || o->file == FILE_CONTROL)
        return true;
    for (uint32_t i = 0; i < in->size; i++) {
        const uint32_t at = o->at + i * o->h;
        if (!(lanes >> (in->first + i) & 1))
            continue;
        if (o->file == FILE_ACC) { // eu_run.c keeps the exact result
            if (each > 4 || eu_accumulator(o, i * o->h) >= ACCUMULATORS)
                return isa_refuse(m->out, RAN_UNSUPPORTED, in->line, "this accumulator");
            continue;
        }
        if (!bytes)
            return isa_refuse(m->out, RAN_UNSUPPORTED, in->line, "a destination of this kind");
        if (at > size || each > size - at)
            return outside(m, in);
        memcpy(bytes + at, &v[i], each);
    }
    return true;
}

// Reads or finds the 32 flags that start at bit `first`, which is f0.0 or f0.1.
static bool flags_fit(struct eu_machine *m, const struct eu_inst *in, uint32_t first)
{
    return first % 32 + in->first + in->size <= 32 ||
           isa_refuse(m->out, RAN_UNSUPPORTED, in->line, "flags of lanes %u to %u in f%u.1",
                      in->first, in->first + in->size - 1, first / 32);
}

static uint32_t flags(const struct eu_thread *t, uint32_t first)
{
    uint32_t v;
    memcpy(&v, t->flag + first / 32 * 4, 4);
    return v >> first % 32;
}

bool eu_predicate(struct eu_machine *m, const struct eu_thread *t, const struct eu_inst *in,
                  uint32_t *out)
{
    *out = eu_span(in);
    if (!in->predicated)
        return true;
    if (!flags_fit(m, in, in->flag))
        return false;
    const uint32_t f = flags(t, in->flag);
    uint32_t v = f;
    if (in->group) {
        const uint32_t n = in->grouped ? in->grouped : in->size;
        v = 0;
        for (uint32_t lane = in->first; lane < in->first + in->size; lane++) {
            const uint32_t begin = in->grouped ? lane / n * n : in->first;
            const uint32_t all = (n == 32 ? UINT32_MAX : eu_bit(n) - 1) << begin;
            if (in->group == GROUP_ANY ? f & all : (f & all) == all)
                v |= eu_bit(lane);
        }
    }
    *out &= in->inverted ? ~v : v;
    return true;
}

bool eu_set_flags(struct eu_machine *m, struct eu_thread *t, const struct eu_inst *in,
                  uint32_t lanes, uint32_t v)
{
    if (!flags_fit(m, in, in->condition_flag))
        return false;
    const uint32_t shift = in->condition_flag % 32;
    uint8_t *at = t->flag + in->condition_flag / 32 * 4;
    uint32_t f;
    memcpy(&f, at, 4);
    f = (f & ~(lanes << shift)) | (v & lanes) << shift;
    memcpy(at, &f, 4);
    return true;
}
