// SPDX-License-Identifier: Apache-2.0
//
// Loads, stores and atomics: scalar, buffers, global addresses, scratch, LDS. Memory is read and
// written when an instruction is issued. The result of a load arrives at its wait.
#include "machine.h"

#include <string.h>

// ---- what is moved ---------------------------------------------------------

static uint32_t bytes_of(char type)
{
    switch (type) {
    case 'B':
    case 'b':
    case 'C':
    case 'c':
    case 'P':
    case 'p':
        return 1;
    case 'S':
    case 's':
    case 'H':
    case 'I':
        return 2;
    case 'G':
        return 64;
    default:
        return 4u * (uint32_t)(type - '0');
    }
}

// Returns a value in memory as the register receives it.
static uint32_t extended(char type, const uint8_t *p)
{
    uint16_t half;
    uint32_t word;
    switch (type) {
    case 'B':
    case 'C':
        return *p;
    case 'b':
    case 'c': // kept() preserves the upper half
        return (uint32_t)(int8_t)*p;
    case 'P':
    case 'p':
        return (uint32_t)(type == 'P' ? *p : (int8_t)*p) << 16;
    case 'S':
    case 'H':
        memcpy(&half, p, sizeof half);
        return half;
    case 's':
        memcpy(&half, p, sizeof half);
        return (uint32_t)(int16_t)half;
    case 'I':
        memcpy(&half, p, sizeof half);
        return (uint32_t)half << 16;
    default:
        memcpy(&word, p, sizeof word);
        return word;
    }
}

// Does the type use only the high half of a register?
static bool is_high(char type)
{
    return type == 'I' || type == 'P' || type == 'p';
}

static uint32_t kept(char type)
{
    return is_high(type) ? 0xffff : type == 'H' || type == 'C' || type == 'c' ? 0xffff0000 : 0;
}

static uint32_t words_of(char type)
{
    const uint32_t bytes = bytes_of(type);
    return bytes < 4 ? 1 : bytes / 4;
}

static bool fault(struct amd_machine *m, uint64_t address, const char *what)
{
    return isa_refuse(m->out, RAN_FAULT, m->line, "%s of address 0x%llx, which is not mapped", what,
                      (unsigned long long)address);
}

static bool is_buffer(const struct amd_inst *in)
{
    const enum amd_unit unit = amd_ops[in->id].unit;
    return unit == AMD_BUFFER || unit == AMD_BUFFER_ATOMIC;
}

static enum isa_combine combine_of(enum amd_id id)
{
    switch (id) {
#define FOR(T, op)                                                                                 \
    case AMD_BUFFER_ATOMIC_##T:                                                                    \
    case AMD_GLOBAL_ATOMIC_##T:                                                                    \
    case AMD_DS_RTN_##T:                                                                           \
    case AMD_DS_##T:                                                                               \
        return op;
        FOR(ADD, ISA_IADD)
        FOR(SUB, ISA_ISUB)
        FOR(SMIN, ISA_IMIN)
        FOR(UMIN, ISA_UMIN)
        FOR(SMAX, ISA_IMAX)
        FOR(UMAX, ISA_UMAX)
        FOR(AND, ISA_IAND)
        FOR(OR, ISA_IOR)
        FOR(XOR, ISA_IXOR)
#undef FOR
    default: // SWAP
        return ISA_XCHG;
    }
}

// Runs a 32-bit atomic at p and returns the old value; NULL: no access, returns 0.
static uint32_t update(enum amd_id id, uint8_t *p, uint32_t v)
{
    uint32_t old = 0, new;
    if (!p)
        return 0;
    memcpy(&old, p, 4);
    new = (uint32_t)isa_combined(combine_of(id), 32, old, v);
    memcpy(p, &new, 4);
    return old;
}

// ---- scalar loads ----------------------------------------------------------

static bool scalar_load(struct amd_machine *m, struct amd_wave *w, const struct amd_inst *in)
{
    const bool buffer = amd_ops[in->id].unit == AMD_SBUFFER;
    const char type = in->o[0].type;
    const uint32_t bytes = bytes_of(type);
    struct amd_pending *p = amd_begin(m, w, COUNT_SCALAR);
    amd_use(m, w, &in->o[1]);
    uint64_t base = amd_word(m, w, &in->o[1], 0, 0) | (uint64_t)amd_word(m, w, &in->o[1], 1, 0)
                                                          << 32;
    const uint64_t offset = amd_scalar_read(m, w, &in->o[2]) + (uint64_t)(int64_t)in->offset;
    uint32_t limit = UINT32_MAX;
    if (buffer) {
        base = base & 0xffffffffffff;
        limit = amd_word(m, w, &in->o[1], 2, 0);
    }
    const uint64_t address = bytes < 4 ? base + offset : (base & ~3ull) + (offset & ~3ull);
    const uint32_t each = bytes < 4 ? bytes : 4;
    p->reg = in->o[0].reg;
    p->count = (uint8_t)words_of(type);
    for (uint32_t k = 0; k < p->count; k++) {
        const uint8_t *at = amd_at(m, address + 4 * k, each, false);
        if (buffer && (offset & ~3ull) + 4 * k + each > limit)
            p->v[0][k] = 0;
        else if (!at)
            return fault(m, address + 4 * k, "a scalar load");
        else
            p->v[0][k] = extended(bytes < 4 ? type : '1', at);
    }
    amd_began(m, w, p);
    return true;
}

// ---- vector memory ---------------------------------------------------------

// Computes the address of a lane's access. *outside: out of bounds of its buffer; then loads return
// 0 and stores are dropped.
static bool lane_address(struct amd_machine *m, struct amd_wave *w, const struct amd_inst *in,
                         uint32_t lane, uint32_t bytes, uint64_t *address, bool *outside)
{
    const struct amd_operand *o = in->o + in->dst;
    const uint32_t n = in->n - in->dst;
    *outside = false;
    if (is_buffer(in)) {
        const struct amd_operand *v = &o[n - 2];
        const uint64_t base = amd_word(m, w, v, 0, 0) | (uint64_t)(amd_word(m, w, v, 1, 0) & 0xffff)
                                                            << 32;
        const uint32_t high = amd_word(m, w, v, 1, 0) >> 16, limit = amd_word(m, w, v, 2, 0);
        if (high & 0x3fff || high >> 15)
            return isa_refuse(m->out, RAN_UNSUPPORTED, m->line,
                              "a buffer with a stride or a swizzle");
        // The sum wraps at 2^32: Mesa's compiler relies on it, and the manuals do not specify it.
        const uint64_t offset =
            (in->offen ? amd_word(m, w, &o[n - 3], 0, lane) : 0u) + (uint32_t)in->offset;
        const uint32_t all = (uint32_t)amd_scalar_read(m, w, &o[n - 1]);
        *address = base + offset + all;
        *outside = offset + all + bytes > limit;
        return true;
    }
    const uint64_t low = amd_word(m, w, &o[0], 0, lane);
    if (o[n - 1].kind == OPERAND_OFF)
        *address = low | (uint64_t)amd_word(m, w, &o[0], 1, lane) << 32;
    else
        *address = low + (amd_word(m, w, &o[n - 1], 0, 0) |
                          (uint64_t)amd_word(m, w, &o[n - 1], 1, 0) << 32);
    *address += (uint64_t)(int64_t)in->offset;
    return true;
}

// Does the instruction access scratch through the descriptor that LLVM's kernels get before gfx11?
static bool is_private(struct amd_machine *m, struct amd_wave *w, const struct amd_inst *in)
{
    return m->p->image && m->p->image->private_buffer && is_buffer(in) &&
           amd_word(m, w, &in->o[in->n - 2], 1, 0) == AMD_PRIVATE;
}

// Returns the address of a lane's scratch; NULL beyond its end. With the descriptor, a scalar
// offset counts bytes of all lanes together ("Private Memory Buffer Resource").
static uint8_t *scratch_at(struct amd_machine *m, struct amd_wave *w, const struct amd_inst *in,
                           uint32_t lane, uint32_t bytes)
{
    const struct amd_operand *o = in->o + in->dst;
    const uint32_t n = in->n - in->dst;
    const uint32_t all = (uint32_t)amd_scalar_read(m, w, &o[n - 1]);
    const uint32_t own = !is_buffer(in) ? amd_word(m, w, &o[0], 0, lane)
                         : in->offen    ? amd_word(m, w, &o[n - 3], 0, lane)
                                        : 0;
    const uint32_t at = own + (is_buffer(in) ? all / m->p->wave : all) + (uint32_t)in->offset;
    if (!w->scratch) {
        w->scratch = arena_room(m->a, sizeof(uint32_t) * SCRATCH_WORDS * LANES);
        for (uint32_t i = 0; i < SCRATCH_WORDS * LANES; i++)
            w->scratch[i] = (uint32_t)rng_next(&m->random_fill);
    }
    if (at > SCRATCH_WORDS * 4 || SCRATCH_WORDS * 4 - at < bytes)
        return NULL;
    return (uint8_t *)(w->scratch + SCRATCH_WORDS * lane) + at;
}

// Returns the operand that holds the data of a load, store or atomic.
static const struct amd_operand *data_of(const struct amd_inst *in)
{
    return in->dst || is_buffer(in) ? &in->o[0] : &in->o[1];
}

// Performs one lane's load, store or atomic at p; NULL: out of bounds of its buffer.
static void lane_access(struct amd_machine *m, struct amd_wave *w, const struct amd_inst *in,
                        struct amd_pending *load, uint32_t lane, uint8_t *p, bool atomic)
{
    const struct amd_operand *data = data_of(in);
    const char type = data->type;
    const uint32_t bytes = bytes_of(type);
    for (uint32_t k = 0; m->watch && k < words_of(type); k++)
        amd_origin_access(m, w, in, data, k, lane, p ? p + 4 * k : NULL);
    if (atomic) {
        load->v[0][lane] = update(in->id, p, amd_word(m, w, data, 0, lane));
        return;
    }
    for (uint32_t k = 0; k < words_of(type); k++) {
        if (in->dst) {
            load->v[k][lane] = p ? extended(bytes < 4 ? type : '1', p + 4 * k) : 0;
        } else if (p) {
            const uint32_t v = amd_word(m, w, data, k, lane) >> (is_high(type) ? 16 : 0);
            memcpy(p + 4 * k, &v, bytes < 4 ? bytes : 4);
        }
    }
}

static bool vector_memory(struct amd_machine *m, struct amd_wave *w, const struct amd_inst *in)
{
    const enum amd_unit unit = amd_ops[in->id].unit;
    const struct amd_operand *data = data_of(in);
    const bool atomic = unit == AMD_BUFFER_ATOMIC || unit == AMD_GLOBAL_ATOMIC;
    const bool load = in->dst || (unit == AMD_BUFFER_ATOMIC && in->glc),
               own = unit == AMD_SCRATCH || is_private(m, w, in);
    const uint32_t bytes = bytes_of(data->type);
    const uint64_t exec = wave_exec(m, w);
    struct amd_pending *p = amd_begin(m, w, COUNT_VM);
    for (uint32_t i = in->dst; i < in->n; i++)
        amd_use(m, w, &in->o[i]);
    LANES_EACH (lane, exec) {
        uint64_t address = 0;
        bool outside = false;
        uint8_t *at;
        if (own) {
            at = scratch_at(m, w, in, lane, bytes);
            if (!at)
                return isa_refuse(m->out, RAN_UNSUPPORTED, m->line, "scratch beyond %d words",
                                  SCRATCH_WORDS);
        } else {
            if (!lane_address(m, w, in, lane, bytes, &address, &outside))
                return false;
            at = outside ? NULL : amd_at(m, address, bytes, !in->dst);
            if (!at && !outside)
                return fault(m, address, in->dst ? "a load" : "a store");
        }
        lane_access(m, w, in, p, lane, at, atomic);
    }
    if (load) {
        p->reg = data->reg;
        p->count = (uint8_t)words_of(data->type);
        p->keep = kept(data->type);
    }
    // From gfx10 on stores have their own counter, and no wait on it is modelled.
    if (load || m->p->gen == AMD_GFX9)
        amd_began(m, w, p);
    return true;
}

// ---- LDS -------------------------------------------------------------------

// Returns the distance in words between consecutive offsets of a two-address operation; 0: not such
// an operation. *each: words per access.
static uint32_t pair_stride(enum amd_id id, uint32_t *each)
{
    switch (id) {
    case AMD_DS_LOAD_2ADDR_B32:
    case AMD_DS_STORE_2ADDR_B32:
        *each = 1;
        return 1;
    case AMD_DS_LOAD_2ADDR_B64:
    case AMD_DS_STORE_2ADDR_B64:
        *each = 2;
        return 2;
    case AMD_DS_LOAD_2ADDR_STRIDE64_B32:
    case AMD_DS_STORE_2ADDR_STRIDE64_B32:
        *each = 1;
        return 64;
    case AMD_DS_LOAD_2ADDR_STRIDE64_B64:
    case AMD_DS_STORE_2ADDR_STRIDE64_B64:
        *each = 2;
        return 128;
    default:
        return 0;
    }
}

// Two accesses, at `stride` words times their own offset.
static void lds_pair(struct amd_machine *m, struct amd_wave *w, const struct amd_inst *in,
                     struct amd_pending *p, uint32_t stride, uint32_t each)
{
    const struct amd_operand *address = &in->o[in->dst];
    LANES_EACH (lane, wave_exec(m, w))
        for (uint32_t i = 0; i < 2; i++)
            for (uint32_t k = 0; k < each; k++) {
                const uint32_t offset =
                    (uint32_t)(i ? (in->offset1 < 0 ? 0 : in->offset1) : in->offset);
                const uint32_t at = amd_word(m, w, address, 0, lane) + offset * 4 * stride + 4 * k;
                const bool in_it = at <= LDS_BYTES - 4;
                if (in->dst) {
                    p->v[i * each + k][lane] = in_it ? extended('1', m->lds + at) : 0;
                } else if (in_it) {
                    const uint32_t v = amd_word(m, w, &in->o[1 + i], k, lane);
                    memcpy(m->lds + at, &v, 4);
                }
            }
}

bool amd_lds(struct amd_machine *m, struct amd_wave *w, const struct amd_inst *in)
{
    const bool atomic = amd_ops[in->id].unit == AMD_LDS_ATOMIC;
    struct amd_pending *p = amd_begin(m, w, COUNT_LDS);
    isa_shared(&m->shared);
    for (uint32_t i = in->dst; i < in->n; i++)
        amd_use(m, w, &in->o[i]);
    const struct amd_operand *address = &in->o[in->dst];
    const struct amd_operand *data = in->dst && !atomic ? &in->o[0] : &in->o[in->dst + 1];
    const uint32_t bytes = bytes_of(data->type);
    uint32_t each = 0;
    const uint32_t stride = pair_stride(in->id, &each);
    if (stride)
        lds_pair(m, w, in, p, stride, each);
    else
        LANES_EACH (lane, wave_exec(m, w)) {
            const uint32_t at = amd_word(m, w, address, 0, lane) + (uint32_t)in->offset;
            const bool in_it = at <= LDS_BYTES - bytes && bytes <= LDS_BYTES;
            for (uint32_t k = 0; m->watch && k < words_of(data->type); k++)
                amd_origin_access(m, w, in, data, k, lane, in_it ? m->lds + at + 4 * k : NULL);
            if (atomic) {
                p->v[0][lane] =
                    update(in->id, in_it ? m->lds + at : NULL, amd_word(m, w, data, 0, lane));
                continue;
            }
            for (uint32_t k = 0; k < words_of(data->type); k++)
                if (in->dst) {
                    p->v[k][lane] =
                        in_it ? extended(bytes < 4 ? data->type : '1', m->lds + at + 4 * k) : 0;
                } else if (in_it) {
                    const uint32_t v =
                        amd_word(m, w, data, k, lane) >> (is_high(data->type) ? 16 : 0);
                    memcpy(m->lds + at + 4 * k, &v, bytes < 4 ? bytes : 4);
                }
        }
    if (in->dst) {
        p->reg = in->o[0].reg;
        p->count = (uint8_t)words_of(in->o[0].type);
        p->keep = kept(in->o[0].type);
    }
    amd_began(m, w, p);
    return true;
}

bool amd_memory(struct amd_machine *m, struct amd_wave *w, const struct amd_inst *in)
{
    return amd_unit_in(amd_ops[in->id].unit, AMD_SCALAR_LOADS) ? scalar_load(m, w, in)
                                                               : vector_memory(m, w, in);
}
