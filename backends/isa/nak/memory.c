// SPDX-License-Identifier: Apache-2.0
//
// Loads, stores and atomics; constant memory; system registers.
#include "isa/isa_places.h"
#include "machine.h"

#include <string.h>

// ---- placement -------------------------------------------------------------

bool nak_place(struct nak_machine *m)
{
    isa_buffers_add(&m->memory, m->c);
    return m->p->cuda || isa_nvk_place(&m->memory, m->c, m->out);
}

// ---- accesses --------------------------------------------------------------

static uint32_t bytes_of(enum nak_mod type)
{
    switch (type) {
    case MOD_U8:
    case MOD_I8:
        return 1;
    case MOD_U16:
    case MOD_I16:
        return 2;
    case MOD_B64:
    case MOD_U64:
    case MOD_I64:
        return 8;
    case MOD_B128:
        return 16;
    default:
        return 4;
    }
}

static uint64_t term(const struct nak_warp *w, const struct nak_operand *o, uint32_t count,
                     bool uniform, uint32_t lane)
{
    uint64_t v = 0;
    for (uint32_t k = 0; k < count; k++) {
        const uint32_t reg = nak_register(o, k);
        v |= (uint64_t)(uniform ? w->ur[reg] : w->r[reg][lane]) << 32 * k;
    }
    return v;
}

// Returns the sum of the terms: registers of the lane or of the warp, and the offset. A single
// register is zero-extended to a 64-bit address.
static uint64_t address_of(const struct nak_warp *w, const struct nak_operand *o, uint32_t lane)
{
    const struct nak_operand second = {.reg = o->index, .list = o->index_list};
    uint64_t a = o->negative ? (uint64_t)(int64_t)(int32_t)o->value : o->value;
    if (o->reg != NO_REGISTER)
        a += term(w, o, o->count, o->uniform, lane) << o->shift;
    if (o->index != NO_REGISTER)
        a += term(w, &second, o->index_count, o->index_uniform, lane);
    return a;
}

static uint8_t *place(struct nak_machine *m, struct nak_warp *w, const struct nak_inst *in,
                      const struct nak_operand *o, uint32_t lane, uint32_t bytes)
{
    const uint64_t wide = address_of(w, o, lane);
    const uint32_t at = (uint32_t)wide;
    if (HAS(in, MOD_GLOBAL)) {
        uint8_t *p = wide % bytes ? NULL
                                  : isa_at(&m->memory, HAS(in, MOD_A32) ? at : wide, bytes,
                                           in->id != NAK_LD);
        if (!p)
            isa_refuse(m->out, RAN_FAULT, m->q.line, "an access to 0x%llx, which is not mapped",
                       (unsigned long long)wide);
        return p;
    }
    const bool shared = HAS(in, MOD_SHARED);
    const uint32_t size = shared ? SHARED_BYTES : LOCAL_BYTES;
    if (at % bytes || at > size - bytes) {
        isa_refuse(m->out, shared ? RAN_FAULT : RAN_UNSUPPORTED, m->q.line,
                   "an access to byte 0x%x of %s memory", at, shared ? "shared" : "local");
        return NULL;
    }
    if (shared)
        return isa_shared(&m->shared) + at;
    w->local =
        w->local ? w->local : isa_random_bytes(m->a, &m->random_fill, (size_t)LOCAL_BYTES * LANES);
    return w->local + (size_t)lane * LOCAL_BYTES + at;
}

static uint32_t extended(enum nak_mod type, const uint8_t *p)
{
    uint32_t v = 0;
    const uint32_t bytes = bytes_of(type);
    memcpy(&v, p, bytes < 4 ? bytes : 4);
    return type == MOD_I8 ? (uint32_t)(int8_t)v : type == MOD_I16 ? (uint32_t)(int16_t)v : v;
}

static bool load(struct nak_machine *m, struct nak_warp *w, const struct nak_inst *in,
                 uint32_t lanes)
{
    const enum nak_mod type = in->type[0];
    const uint32_t bytes = bytes_of(type), words = (bytes + 3) / 4,
                   on = nak_predicate(w, &in->o[2]);
    uint32_t v[4][LANES] = {0};
    EACH(l, lanes & on)
    { // inactive lanes get 0
        const uint8_t *p = place(m, w, in, &in->o[1], l, bytes);
        if (!p)
            return false;
        for (uint32_t k = 0; k < words; k++)
            v[k][l] = extended(type, p + 4 * k);
    }
    for (uint32_t k = 0; k < words; k++)
        nak_write(w, &in->o[0], k, lanes, v[k]);
    return true;
}

static bool store(struct nak_machine *m, struct nak_warp *w, const struct nak_inst *in,
                  uint32_t lanes)
{
    const uint32_t bytes = bytes_of(in->type[0]), words = (bytes + 3) / 4;
    uint32_t room[LANES];
    for (uint32_t k = 0; k < words; k++) {
        const uint32_t *v = nak_words(m, w, &in->o[1], k, room);
        if (!v)
            return false;
        EACH(l, lanes)
        {
            uint8_t *p = place(m, w, in, &in->o[0], l, bytes);
            if (!p)
                return false;
            memcpy(p + 4 * k, &v[l], bytes < 4 ? bytes : 4);
        }
    }
    return true;
}

static bool atomic(struct nak_machine *m, struct nak_warp *w, const struct nak_inst *in,
                   uint32_t lanes)
{
    const uint32_t bytes = bytes_of(in->type[0]), words = bytes / 4;
    const struct nak_operand *cmpr = &in->o[2], *data = &in->o[3];
    const bool packed = HAS(in, MOD_PACKED), compares = in->set == MOD_CMPEXCH;
    uint32_t room[LANES], v[4][LANES] = {0}, want[2][LANES] = {0}, old[2][LANES] = {0};
    if (!in->set || in->set == MOD_SUM || compares != (packed || cmpr->kind != OPERAND_NONE))
        return isa_refuse(m->out, RAN_UNSUPPORTED, m->q.line, "this atomic operation");
    for (uint32_t k = 0; k < words; k++) {
        const uint32_t *x = nak_words(m, w, data, packed ? words + k : k, room);
        if (!x)
            return false;
        memcpy(v[k], x, sizeof v[k]);
        if (packed || cmpr->kind != OPERAND_NONE)
            memcpy(want[k], nak_words(m, w, packed ? data : cmpr, k, room), sizeof want[k]);
    }
    uint32_t left = lanes;
    while (left) { // the order is unspecified; schedules differ
        const uint32_t l = m->q.order == ISA_BREADTH_FIRST ? 31 - (uint32_t)__builtin_clz(left)
                                                           : lowest_lane(left);
        left &= ~(1u << l);
        uint8_t *p = place(m, w, in, &in->o[1], l, bytes);
        uint64_t before = 0;
        if (!p)
            return false;
        memcpy(&before, p, bytes);
        const uint64_t expected = want[0][l] | (uint64_t)want[1][l] << 32;
        const uint64_t after = compares && before != expected
                                   ? before
                                   : isa_combined(nak_combine(in), 8 * bytes, before,
                                                  v[0][l] | (uint64_t)v[1][l] << 32);
        memcpy(p, &after, bytes);
        old[0][l] = (uint32_t)before;
        old[1][l] = (uint32_t)(before >> 32);
    }
    for (uint32_t k = 0; k < words; k++)
        nak_write(w, &in->o[0], k, lanes, old[k]);
    return true;
}

bool nak_memory(struct nak_machine *m, struct nak_warp *w, const struct nak_inst *in,
                uint32_t lanes)
{
    return in->id == NAK_LD   ? load(m, w, in, lanes)
           : in->id == NAK_ST ? store(m, w, in, lanes)
                              : atomic(m, w, in, lanes);
}

bool nak_constant(struct nak_machine *m, struct nak_warp *w, const struct nak_inst *in,
                  uint32_t lanes)
{
    const struct nak_operand *o = &in->o[1];
    const uint32_t bytes = bytes_of(in->type[0]), words = (bytes + 3) / 4;
    uint32_t v[4][LANES] = {0};
    EACH(l, in->uniform ? lanes & (0 - lanes) : lanes)
    {
        uint32_t at = o->value;
        if (o->index != NO_REGISTER)
            at += o->index_uniform ? w->ur[o->index] : w->r[o->index][l];
        if (at % bytes)
            return isa_refuse(m->out, RAN_UNSUPPORTED, m->q.line, "the constant c[0x%x][0x%x]",
                              o->reg, at);
        for (uint32_t k = 0; k < words; k++) {
            uint32_t word;
            if (!nak_constant_word(m, o->reg, at / 4 * 4 + 4 * k, &word))
                return false;
            word >>= bytes < 4 ? 8 * (at & 3) : 0;
            v[k][l] = extended(in->type[0], (const uint8_t *)&word);
        }
    }
    for (uint32_t k = 0; k < words; k++)
        nak_write(w, &in->o[0], k, lanes, v[k]);
    return true;
}

// ---- system registers ------------------------------------------------------

bool nak_system(struct nak_machine *m, struct nak_warp *w, const struct nak_inst *in,
                uint32_t lanes)
{
    const uint32_t which = in->o[1].value, first = (uint32_t)(w - m->w) * LANES;
    uint32_t v[LANES];
    for (uint32_t l = 0; l < LANES; l++) {
        uint32_t id[3];
        isa_local_id(m->local, first + l, id);
        if (!isa_nvk_register(which, l, id, m->group, &v[l]))
            return isa_refuse(m->out, RAN_UNSUPPORTED, m->q.line, "the system register 0x%x",
                              which);
    }
    nak_write(w, &in->o[0], 0, lanes, v);
    return true;
}
