// SPDX-License-Identifier: Apache-2.0
//
// Memory: each invocation's own variables and globals, and the case's buffers. Each byte has a
// flag: it is undefined until a defined value is stored to it.
#include "llir_machine.h"

#include <string.h>

// Finds the `n` bytes at a pointer; false if they are not within one object.
static bool find(struct llir_machine *x, struct llir_lane *l, uint64_t pointer, uint32_t n,
                 uint8_t **bytes, bool **bad)
{
    const uint32_t object = (uint32_t)(pointer >> LLIR_POINTER_SHIFT) - 1;
    const uint64_t at = pointer & (((uint64_t)1 << LLIR_POINTER_SHIFT) - 1);
    if (object < x->m->objects) {
        if (at > x->m->object[object].bytes || n > x->m->object[object].bytes - at)
            return false;
        *bytes = l->bytes + x->offset[object] + at;
        *bad = l->bad + x->offset[object] + at;
        return true;
    }
    const uint32_t k = object - x->m->objects;
    if (k >= x->c->buffer_count || at > x->buffer[k].size || n > x->buffer[k].size - at)
        return false;
    *bytes = x->buffer[k].bytes + at;
    *bad = x->buffer[k].bad + at;
    return true;
}

static bool load(struct llir_machine *x, struct llir_lane *l, const struct llir_inst *i)
{
    const uint32_t each = (i->to + 7u) / 8;
    uint8_t *bytes;
    bool *bad;
    if (llir_poison(x, l, i->v[0]))
        return llir_undefined(x, l, "a load from a poison address");
    if (!find(x, l, llir_value(x, l, i->v[0]), each * i->comps, &bytes, &bad))
        return llir_undefined(x, l, "a load out of bounds");
    for (uint32_t k = 0; k < i->comps; k++, bytes += each, bad += each) {
        uint64_t v = 0;
        bool poison = false;
        for (uint32_t b = 0; b < each; b++) {
            v |= (uint64_t)bytes[b] << 8 * b;
            poison |= bad[b];
        }
        llir_set(x, l, i->dst + k, poison ? 0 : v & llir_ones(i->to), poison);
    }
    return true;
}

static bool store(struct llir_machine *x, struct llir_lane *l, const struct llir_inst *i)
{
    const uint32_t each = (i->width + 7u) / 8;
    uint8_t *bytes;
    bool *bad;
    if (llir_poison(x, l, i->v[1]))
        return llir_undefined(x, l, "a store to a poison address");
    if (!find(x, l, llir_value(x, l, i->v[1]), each * i->of, &bytes, &bad))
        return llir_undefined(x, l, "a store out of bounds");
    for (uint32_t k = 0; k < i->of; k++, bytes += each, bad += each)
        for (uint32_t b = 0; b < each; b++) {
            bytes[b] = (uint8_t)(llir_value(x, l, i->v[0] + k) >> 8 * b);
            bad[b] = llir_poison(x, l, i->v[0] + k);
        }
    return true;
}

static void address(struct llir_machine *x, struct llir_lane *l, const struct llir_inst *i)
{
    uint64_t base = llir_value(x, l, i->v[0]), offset = i->v[1] | (uint64_t)i->v[2] << 32;
    bool poison = llir_poison(x, l, i->v[0]);
    for (uint32_t k = 3; k < i->n; k += 3) {
        offset += (uint64_t)llir_signed(llir_value(x, l, i->v[k]), i->v[k + 2]) * i->v[k + 1];
        poison |= llir_poison(x, l, i->v[k]);
    }
    const uint32_t object = (uint32_t)(base >> LLIR_POINTER_SHIFT);
    llir_set(x, l, i->dst, object ? llir_pointer(object - 1, base + offset) : base + offset,
             poison);
}

bool llir_memory(struct llir_machine *x, struct llir_lane *l, const struct llir_inst *i)
{
    switch (i->op) {
    case LLIR_LOAD:
        if (i->comps > 1 && i->to % 8)
            break;
        return load(x, l, i);
    case LLIR_STORE:
        if (i->of > 1 && i->width % 8)
            break;
        return store(x, l, i);
    case LLIR_GEP:
        address(x, l, i);
        return true;
    default:
        memset(l->bad + x->offset[i->own], 1, x->m->object[i->own].bytes);
        llir_set(x, l, i->dst, llir_pointer(i->own, 0), false);
        return true;
    }
    return llir_stop(x->out, RAN_UNSUPPORTED, "IR not judged: vectors of bits in memory");
}

void llir_memory_start(struct llir_machine *x, struct llir_lane *l)
{
    const struct llir_module *m = x->m;
    memset(l->bad, 1, x->bytes);
    for (uint32_t k = 0; k < m->globals; k++) {
        const struct llir_object *o = &m->object[k];
        const uint32_t scalar = (o->width + 7u) / 8;
        if (o->comps > 1 && o->width % 8)
            continue;
        for (uint32_t n = 0; n < o->inits; n++)
            for (uint32_t b = 0; b < scalar * o->comps; b++) {
                const uint64_t at = (uint64_t)n * o->each + b;
                const uint32_t cell = o->init[n] + b / scalar;
                if (at >= o->bytes)
                    break;
                l->bytes[x->offset[k] + at] = (uint8_t)(m->const_value[cell] >> 8 * (b % scalar));
                l->bad[x->offset[k] + at] = m->const_poison[cell];
            }
    }
}
