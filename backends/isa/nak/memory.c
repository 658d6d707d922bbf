// SPDX-License-Identifier: Apache-2.0
//
// Loads, stores and atomics; constant memory; system registers.
#include "machine.h"

#include <string.h>

// ---- where things are
// ------------------------------------------------------------------------------

// What NVK of Mesa 26.2 puts where, as its dispatch and descriptor sets have it and its code
// shows: constant buffer 0 is the root table, the next one the descriptor set.
enum { ROOT_BASE_GROUP = 0, ROOT_GROUPS = 12, ROOT_PUSH = 0x700, DESCRIPTOR = 16 };

bool nak_place(struct nak_machine *m)
{
    const struct spv_case *c = m->c;
    for (uint32_t i = 0; i < c->buffer_count; i++) {
        struct nak_region *r = &m->region[i];
        *r = (struct nak_region){UINT64_C(0x100000000000) * (i + 1) + 0x40000,
                                 c->buffer[i].count * 4,
                                 arena_alloc(m->a, c->buffer[i].count * 4u + 16u)};
        if (c->buffer[i].fill != SPV_FILL_ZERO)
            memcpy(r->bytes, c->buffer[i].words, r->size);
        for (uint32_t k = r->size; k < r->size + 16; k++)
            r->bytes[k] = (uint8_t)rng_next(&m->junk);
        if (c->buffer[i].set != c->buffer[0].set)
            return isa_refuse(
                m->out, ISA_UNSUPPORTED, 0,
                "several descriptor sets: the text does not tell which constant buffer is which");
        // By binding, those that are there.
        uint32_t at = 0;
        for (uint32_t k = 0; k < c->buffer_count; k++)
            at += c->buffer[k].binding < c->buffer[i].binding;
        const uint32_t words[4] = {(uint32_t)r->base, (uint32_t)(r->base >> 32), r->size, 0};
        memcpy(&m->set[at * DESCRIPTOR / 4], words, sizeof words);
    }
    m->set_words = c->buffer_count * DESCRIPTOR / 4;
    return true;
}

bool nak_constant_word(struct nak_machine *m, uint32_t buffer, uint32_t byte, uint32_t *out)
{
    if (byte % 4 == 0 && buffer == 1 && byte / 4 < m->set_words) {
        *out = m->set[byte / 4];
        return true;
    }
    if (byte % 4 == 0 && buffer == 0) {
        if (byte < ROOT_GROUPS) {
            *out = 0;
            return true;
        }
        if (byte < ROOT_GROUPS + 12) {
            *out = m->c->groups[(byte - ROOT_GROUPS) / 4];
            return true;
        }
        if (byte >= ROOT_PUSH && byte < ROOT_PUSH + 4 * SPV_CASE_PUSH) {
            *out = m->c->push[(byte - ROOT_PUSH) / 4];
            return true;
        }
    }
    return isa_refuse(m->out, ISA_UNSUPPORTED, m->line, "the constant c[0x%x][0x%x]", buffer, byte);
}

// A load may look at the rest of the 16 bytes in which a buffer ends: NIR makes one load of three
// words one of four, and memory is given out in such pieces.
static uint8_t *global(const struct nak_machine *m, uint64_t address, uint32_t bytes, bool load)
{
    for (uint32_t i = 0; i < m->c->buffer_count; i++) {
        const struct nak_region *r = &m->region[i];
        const uint64_t size = load ? (r->size + 15u) / 16 * 16 : r->size;
        if (address >= r->base && address - r->base < size && size - (address - r->base) >= bytes)
            return r->bytes + (address - r->base);
    }
    return NULL;
}

// ---- accesses
// --------------------------------------------------------------------------------------

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

// The sum of a lane's registers, the warp's and the offset. One register is extended with zeros to
// an address of 64 bits.
static uint64_t address_of(const struct nak_warp *w, const struct nak_operand *o, uint32_t lane)
{
    uint64_t a = o->value;
    if (o->reg != NO_REGISTER)
        a += (w->r[o->reg][lane] | (o->count > 1 ? (uint64_t)w->r[o->reg + 1][lane] << 32 : 0))
             << o->shift;
    if (o->index != NO_REGISTER)
        a += w->ur[o->index] | (o->index_count > 1 ? (uint64_t)w->ur[o->index + 1] << 32 : 0);
    return a;
}

static uint8_t *place(struct nak_machine *m, struct nak_warp *w, const struct nak_inst *in,
                      const struct nak_operand *o, uint32_t lane, uint32_t bytes)
{
    const uint64_t wide = address_of(w, o, lane);
    const uint32_t at = (uint32_t)wide;
    if (HAS(in, MOD_GLOBAL)) {
        uint8_t *p =
            wide % bytes ? NULL : global(m, HAS(in, MOD_A32) ? at : wide, bytes, in->id == NAK_LD);
        if (!p)
            isa_refuse(m->out, ISA_FAULT, m->line, "an access to 0x%llx, where nothing is",
                       (unsigned long long)wide);
        return p;
    }
    const bool shared = HAS(in, MOD_SHARED);
    const uint32_t size = shared ? SHARED_BYTES : LOCAL_BYTES;
    if (at % bytes || at > size - bytes) {
        isa_refuse(m->out, shared ? ISA_FAULT : ISA_UNSUPPORTED, m->line,
                   "an access to byte 0x%x of %s memory", at, shared ? "shared" : "local");
        return NULL;
    }
    if (shared)
        return isa_shared(&m->shared) + at;
    if (!w->local) {
        w->local = arena_room(m->a, LOCAL_BYTES * LANES);
        for (uint32_t i = 0; i < LOCAL_BYTES * LANES; i += 8) {
            const uint64_t v = rng_next(&m->junk);
            memcpy(w->local + i, &v, 8);
        }
    }
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
    { // those that are not get zeros
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

static uint64_t updated(const struct nak_inst *in, uint64_t old, uint64_t v, uint64_t expected)
{
    const uint32_t up = 64 - 8 * bytes_of(in->type[0]);
    const bool sign = in->type[0] == MOD_I32 || in->type[0] == MOD_I64;
    const bool less = sign ? (int64_t)(old << up) < (int64_t)(v << up) : old << up < v << up;
    switch (in->set) {
    case MOD_ADD:
        return old + v;
    case MOD_MIN:
        return less ? old : v;
    case MOD_MAX:
        return less ? v : old;
    case MOD_INC:
        return old >= v ? 0 : old + 1;
    case MOD_DEC:
        return !old || old > v ? v : old - 1;
    case MOD_AND:
        return old & v;
    case MOD_OR:
        return old | v;
    case MOD_XOR:
        return old ^ v;
    case MOD_EXCH:
        return v;
    default:
        return old == expected ? v : old;
    }
}

static bool atomic(struct nak_machine *m, struct nak_warp *w, const struct nak_inst *in,
                   uint32_t lanes)
{
    const uint32_t bytes = bytes_of(in->type[0]), words = bytes / 4;
    const struct nak_operand *cmpr = &in->o[2], *data = &in->o[3];
    const bool packed = HAS(in, MOD_PACKED);
    uint32_t room[LANES], v[4][LANES] = {0}, want[2][LANES] = {0}, old[2][LANES] = {0};
    if (in->set < MOD_AND || in->set == MOD_SUM ||
        (in->set == MOD_CMPEXCH) != (packed || cmpr->kind != OPERAND_NONE))
        return isa_refuse(m->out, ISA_UNSUPPORTED, m->line, "this atomic operation");
    for (uint32_t k = 0; k < words; k++) {
        const uint32_t *x = nak_words(m, w, data, packed ? words + k : k, room);
        if (!x)
            return false;
        memcpy(v[k], x, sizeof v[k]);
        if (packed || cmpr->kind != OPERAND_NONE)
            memcpy(want[k], nak_words(m, w, packed ? data : cmpr, k, room), sizeof want[k]);
    }
    uint32_t left = lanes;
    while (left) { // no order is promised
        const uint32_t l = m->schedule == NAK_BREADTH_FIRST ? 31 - (uint32_t)__builtin_clz(left)
                                                            : lowest_lane(left);
        left &= ~(1u << l);
        uint8_t *p = place(m, w, in, &in->o[1], l, bytes);
        uint64_t before = 0;
        if (!p)
            return false;
        memcpy(&before, p, bytes);
        const uint64_t after = updated(in, before, v[0][l] | (uint64_t)v[1][l] << 32,
                                       want[0][l] | (uint64_t)want[1][l] << 32);
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
            return isa_refuse(m->out, ISA_UNSUPPORTED, m->line, "the constant c[0x%x][0x%x]",
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

// ---- system registers
// ------------------------------------------------------------------------------

enum {
    SR_LANE = 0x00,
    SR_TID = 0x21,
    SR_CTAID = 0x25,
    SR_MASK_EQ = 0x38,
    SR_MASK_LT = 0x39,
    SR_MASK_LE = 0x3a,
    SR_MASK_GT = 0x3b,
    SR_MASK_GE = 0x3c,
};

bool nak_system(struct nak_machine *m, struct nak_warp *w, const struct nak_inst *in,
                uint32_t lanes)
{
    const uint32_t which = in->o[1].value, first = (uint32_t)(w - m->w) * LANES;
    uint32_t v[LANES];
    for (uint32_t l = 0; l < LANES; l++) {
        const uint32_t bit = 1u << l, i = first + l;
        const uint32_t tid[3] = {i % m->local[0], i / m->local[0] % m->local[1],
                                 i / m->local[0] / m->local[1]};
        switch (which) {
        case SR_LANE:
            v[l] = l;
            break;
        case SR_TID:
        case SR_TID + 1:
        case SR_TID + 2:
            v[l] = tid[which - SR_TID];
            break;
        case SR_CTAID:
        case SR_CTAID + 1:
        case SR_CTAID + 2:
            v[l] = m->group[which - SR_CTAID];
            break;
        case SR_MASK_EQ:
            v[l] = bit;
            break;
        case SR_MASK_LT:
            v[l] = bit - 1;
            break;
        case SR_MASK_LE:
            v[l] = bit | (bit - 1);
            break;
        case SR_MASK_GT:
            v[l] = ~(bit | (bit - 1));
            break;
        case SR_MASK_GE:
            v[l] = ~(bit - 1);
            break;
        default:
            return isa_refuse(m->out, ISA_UNSUPPORTED, m->line, "the system register 0x%x", which);
        }
    }
    nak_write(w, &in->o[0], 0, lanes, v);
    return true;
}
