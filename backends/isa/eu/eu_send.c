// SPDX-License-Identifier: Apache-2.0
//
// Messages to memory and the gateway, by their descriptors, executed immediately. Before DG2: the
// data ports dc0 and dc1 (Programmer's Reference Manual, volume 2d, "Data Port Messages"); from DG2
// on: load/store messages to ugm and slm (volume 2a, "LSC"). Out of bounds of a buffer, loads
// return 0 and stores are dropped.
#include "eu_machine.h"
#include "isa/isa_bits.h"

#include <string.h>

// One message, decoded.
enum message_kind { MESSAGE_LOAD, MESSAGE_STORE, MESSAGE_ATOMIC };
struct message {
    enum message_kind kind;
    bool shared;             // else of entry `entry` of the binding table
    bool flat;               // an address of all memory
    bool argument;           // the entry is that of a kernel's argument
    uint32_t entry, address; // bytes of an address
    uint32_t bytes;          // of an element in memory
    uint32_t unit;           // of an element in registers
    uint32_t mask;           // which components; they lie one after the other in registers
    uint32_t lanes;          // of the message: the size of a component
    bool transposed;         // one lane, whose components lie in consecutive elements
    bool scratch;            // memory of the thread, whose base is the sixth word of the header
    bool owords;             // the address counts 16 bytes
    bool header;             // the address is the third word of a header
    int32_t offset;
    enum isa_combine combine;
    bool compares, one; // a compare-exchange; a counter: the operand is 1
};

static bool unknown(struct eu_machine *m, const struct eu_inst *in)
{
    return isa_refuse(m->out, RAN_UNSUPPORTED, in->line, "message 0x%08x to unit %u",
                      in->descriptor, in->unit);
}

// ---- descriptors ----

// The data ports' atomics ("Untyped Atomic Integer Operation").
static bool port_atomic(uint32_t op, struct message *x)
{
    static const struct {
        enum isa_combine c;
        bool known, compares, one;
    } ops[16] = {
        [1] = {ISA_IAND, true, false, false},  [2] = {ISA_IOR, true, false, false},
        [3] = {ISA_IXOR, true, false, false},  [4] = {ISA_XCHG, true, false, false},
        [5] = {ISA_IADD, true, false, true},   [6] = {ISA_ISUB, true, false, true},
        [7] = {ISA_IADD, true, false, false},  [8] = {ISA_ISUB, true, false, false},
        [10] = {ISA_IMAX, true, false, false}, [11] = {ISA_IMIN, true, false, false},
        [12] = {ISA_UMAX, true, false, false}, [13] = {ISA_UMIN, true, false, false},
        [14] = {ISA_XCHG, true, true, false},
    };
    x->combine = ops[op].c;
    x->compares = ops[op].compares;
    x->one = ops[op].one;
    return ops[op].known;
}

static bool port_decode(const struct eu_inst *in, struct message *x)
{
    const uint32_t d = in->descriptor, control = d >> 8 & 63, type = d >> 14 & 31;
    const bool header = d >> 19 & 1;
    *x = (struct message){.entry = d & 255, .bytes = 4, .unit = 4, .mask = 1, .address = 4};
    x->shared = x->entry == EU_SHARED_ENTRY;
    // Block read and write of 1 to 8 owords: aligned, unaligned read, write.
    if (in->unit == SFID_DC0 && header && (type == 0 || type == 1 || type == 8)) {
        static const uint32_t words[8] = {[0] = 4, [2] = 8, [3] = 16, [4] = 32};
        x->kind = type == 8 ? MESSAGE_STORE : MESSAGE_LOAD;
        x->owords = type != 1;
        x->scratch = x->entry == 253 || x->entry == 255;
        x->transposed = x->header = true;
        x->lanes = 1;
        x->mask = words[control & 7];
        return x->mask && !(control & ~7u);
    }
    if (header)
        return false;
    if (in->unit == SFID_DC1 && (type == 1 || type == 9)) { // untyped surface read, write
        x->kind = type == 1 ? MESSAGE_LOAD : MESSAGE_STORE;
        x->mask = ~control & 15;
        x->lanes = control >> 4 == 1 ? 16 : 8;
        return control >> 4 == 1 || control >> 4 == 2;
    }
    if (in->unit == SFID_DC1 && type == 2) { // untyped atomic
        x->kind = MESSAGE_ATOMIC;
        x->lanes = control >> 4 & 1 ? 8 : 16;
        return port_atomic(control & 15, x);
    }
    if (in->unit == SFID_DC0 && (type == 4 || type == 12)) { // byte scattered read, write
        x->kind = type == 4 ? MESSAGE_LOAD : MESSAGE_STORE;
        x->bytes = 1u << (control >> 2 & 3);
        x->lanes = control & 1 ? 16 : 8;
        return x->bytes <= 4 && !(control & 0x32);
    }
    return false;
}

static bool lsc_atomic(uint32_t op, struct message *x)
{
    static const enum isa_combine of[] = {ISA_IADD, ISA_ISUB, ISA_IADD, ISA_XCHG,
                                          ISA_IADD, ISA_ISUB, ISA_IMIN, ISA_IMAX,
                                          ISA_UMIN, ISA_UMAX, ISA_XCHG};
    x->kind = MESSAGE_ATOMIC;
    x->one = op == 8 || op == 9;
    x->compares = op == 18;
    if (op >= 24 && op <= 26) {
        x->combine = op == 24 ? ISA_IAND : op == 25 ? ISA_IOR : ISA_IXOR;
        return true;
    }
    if (op < 8 || op > 18 || op == 10) // 10: an atomic load
        return false;
    x->combine = of[op - 8];
    return true;
}

static bool lsc_decode(const struct eu_program *p, const struct eu_inst *in, struct message *x)
{
    static const uint32_t bytes[] = {1, 2, 4, 8, 1, 2}, vector[] = {1, 2, 3, 4, 8, 16, 32, 64};
    const uint32_t d = in->descriptor, op = d & 63, size = d >> 9 & 7, address = d >> 29 & 3;
    *x = (struct message){
        .entry = in->extended >> 24, .shared = in->unit == SFID_SLM, .lanes = in->size};
    x->address = (d >> 7 & 3) == 3 ? 8 : 4;
    x->flat = !x->shared && p->kernel.known && (address == 0 || x->entry == 255);
    x->argument = p->kernel.known && in->by_address && address == 1;
    if (size >= sizeof bytes / sizeof *bytes || (d >> 7 & 3) < 2 || (x->address == 8 && !x->flat) ||
        (!x->argument && address != (x->shared || (x->flat && x->entry != 255) ? 0
                                     : in->by_address                          ? 2
                                                                               : 3)))
        return false;
    x->scratch = in->by_address && !x->argument;
    x->bytes = bytes[size];
    x->unit = x->bytes < 4 && size >= 4 ? 4 : x->bytes;
    if (in->by_address)
        x->offset = 0;
    else if (p->gen >= EU_XE2 && (x->shared || (x->flat && address == 0)))
        x->offset = (int32_t)in->extended >> 12;
    else if (p->gen >= EU_XE2)
        x->offset = (int32_t)(in->extended << 8) >> 20;
    else if (in->extended >> 12 & (x->shared ? 0xfffff : 0xfff))
        return false;
    if (op == 2 || op == 6) {
        x->mask = d >> 12 & 15;
    } else {
        x->transposed = d >> 15 & 1;
        const uint32_t n = vector[d >> 12 & 7];
        x->mask = n; // of a transposed message: their number
        if (!x->transposed)
            x->mask = n > 4 ? 0 : (1u << n) - 1;
    }
    if (op == 0 || op == 2 || op == 4 || op == 6) {
        x->kind = op < 4 ? MESSAGE_LOAD : MESSAGE_STORE;
        return x->mask != 0;
    }
    return !x->transposed && x->mask == 1 && lsc_atomic(op, x);
}

// ---- memory ----

// Finds the buffer of the message; NULL with *known false: the binding table's entry is not known.
static struct isa_region *buffer_of(struct eu_machine *m, uint32_t entry, bool *known)
{
    const struct eu_binding *b = entry < EU_TABLE ? &m->p->table[entry] : NULL;
    const uint32_t i = b && b->known ? spv_buffer_index(m->c, b->set, b->binding) : UINT32_MAX;
    *known = i != UINT32_MAX;
    return *known ? &m->memory.v[i] : NULL;
}

struct access {
    uint8_t *bytes;
    uint32_t size;
    const struct isa_memory *all; // addresses instead of offsets; NULL: `bytes` alone
    bool write;
};

// NULL: out of bounds.
static uint8_t *at(const struct access *x, uint64_t offset, uint32_t bytes)
{
    if (x->all)
        return isa_at(x->all, offset, bytes, x->write);
    return offset <= x->size && bytes <= x->size - offset ? x->bytes + offset : NULL;
}

static uint32_t rounded(uint32_t bytes, uint32_t grf)
{
    return (bytes + grf - 1) / grf * grf;
}

static bool registers_fit(struct eu_machine *m, const struct eu_inst *in, uint32_t from,
                          uint32_t bytes)
{
    return (from != EU_NOWHERE && from + bytes <= (EU_REGISTERS + EU_GATHERED) * m->p->grf) ||
           isa_refuse(m->out, RAN_UNSUPPORTED, in->line, "a message without its registers");
}

static void load(struct eu_machine *m, struct eu_thread *t, const struct eu_inst *in, uint32_t to,
                 const uint8_t *p, const struct message *x)
{
    uint64_t v = 0;
    (void)m, (void)in;
    if (p)
        memcpy(&v, p, x->bytes);
    memcpy(t->r + to, &v, x->unit);
}

static uint64_t datum(const struct eu_thread *t, uint32_t from, uint32_t bytes)
{
    uint64_t v = 0;
    memcpy(&v, t->r + from, bytes);
    return v;
}

// An atomic of one lane: element `i` of each of the operands.
static void atomic(struct eu_thread *t, const struct eu_inst *in, const struct message *x,
                   uint32_t i, uint32_t part, uint8_t *p)
{
    uint64_t old = 0;
    const uint64_t first = x->one ? 1 : datum(t, in->data + i * x->unit, x->bytes);
    if (p) {
        memcpy(&old, p, x->bytes);
        uint64_t new;
        if (x->compares)
            new = old == first ? datum(t, in->data + part + i * x->unit, x->bytes) : old;
        else
            new = isa_combined(x->combine, 8 * x->bytes, old, first);
        memcpy(p, &new, x->bytes);
    }
    if (in->to != EU_NOWHERE)
        memcpy(t->r + in->to + i * x->unit, &old, x->unit);
}

// The components of one lane: k counts those that the message has.
static void lane(struct eu_machine *m, struct eu_thread *t, const struct eu_inst *in,
                 const struct message *x, const struct access *memory, uint32_t on, uint32_t i,
                 uint64_t offset)
{
    const uint32_t part = rounded(x->lanes * x->unit, m->p->grf);
    uint32_t k = 0;
    if (x->kind == MESSAGE_ATOMIC) {
        atomic(t, in, x, i, part, at(memory, offset, x->bytes));
        return;
    }
    for (uint32_t component = 0; component < (x->transposed ? x->mask : 4); component++) {
        if (!x->transposed && !(x->mask >> component & 1))
            continue;
        // Of a block each lane enables its own word.
        if (x->header && !in->all && !(on >> (in->first + component) & 1))
            continue;
        const uint32_t reg = x->transposed ? component * x->unit : k * part + i * x->unit;
        uint8_t *p = at(memory, offset + component * x->bytes, x->bytes);
        if (x->kind == MESSAGE_LOAD) {
            load(m, t, in, in->to + reg, p, x);
        } else if (p) {
            const uint64_t v = datum(t, in->data + reg, x->unit);
            memcpy(p, &v, x->bytes);
        }
        k++;
    }
}

static bool memory(struct eu_machine *m, struct eu_thread *t, const struct eu_inst *in, uint32_t on,
                   const struct message *x)
{
    const uint32_t grf = m->p->grf, part = rounded(x->lanes * x->unit, grf);
    const uint32_t parts = x->transposed               ? 1
                           : x->kind == MESSAGE_ATOMIC ? 1u + x->compares
                                                       : (uint32_t)__builtin_popcount(x->mask);
    const uint32_t all = x->transposed ? rounded(x->mask * x->unit, grf) : parts * part;
    struct access a = {NULL, 0, NULL, x->kind != MESSAGE_LOAD};
    bool known = true;
    if (x->flat) {
        a.all = &m->memory;
    } else if (x->argument) {
        uint32_t surface;
        memcpy(&surface, t->address + in->extended, 4);
        const struct isa_region *r = surface & 63 ? NULL : eu_kernel_buffer(m, surface / 64 - 1);
        if (!r)
            return isa_refuse(m->out, RAN_UNSUPPORTED, in->line, "surface 0x%x", surface);
        a.bytes = r->bytes;
        a.size = r->size;
    } else if (x->scratch) { // the base is the one that the thread started with
        if (x->header && !registers_fit(m, in, in->from, grf))
            return false;
        if (x->header && (datum(t, in->from + 20, 4) ^ t->scratch_base) >> 10)
            return isa_refuse(m->out, RAN_UNSUPPORTED, in->line, "an address without a buffer");
        if (!t->scratch)
            t->scratch = isa_random_bytes(m->a, &m->random_fill, SCRATCH_BYTES);
        a.bytes = t->scratch;
        a.size = SCRATCH_BYTES;
    } else if (x->shared) {
        a.bytes = isa_shared(&m->shared);
        a.size = SHARED_BYTES;
    } else {
        const struct isa_region *r = buffer_of(m, x->entry, &known);
        if (!known)
            return isa_refuse(m->out, RAN_UNSUPPORTED, in->line, "entry %u of the binding table",
                              x->entry);
        a.bytes = r->bytes;
        a.size = r->size;
    }
    const uint32_t registers = x->kind == MESSAGE_LOAD ? in->to : in->data;
    if (!(x->kind == MESSAGE_ATOMIC && x->one) && !registers_fit(m, in, registers, all))
        return false;
    if (!registers_fit(m, in, in->from, x->header ? grf : x->address * x->lanes) ||
        (x->kind == MESSAGE_ATOMIC && in->to != EU_NOWHERE && !registers_fit(m, in, in->to, part)))
        return false;
    if (x->header && !in->all && x->mask != in->size)
        return isa_refuse(m->out, RAN_UNSUPPORTED, in->line, "a block of %u words by %u lanes",
                          x->mask, in->size);
    // A load may overwrite its own addresses.
    uint64_t offset[EU_LANES];
    for (uint32_t i = 0; i < in->size && i < (x->header ? in->size : x->lanes); i++) {
        offset[i] = datum(t, in->from + (x->header ? 8 : x->address * i), x->address);
        offset[i] += (uint64_t)(int64_t)x->offset;
        offset[i] &= x->address == 4 ? UINT32_MAX : UINT64_MAX;
    }
    for (uint32_t i = 0; i < in->size && i < (x->header ? in->size : x->lanes); i++) {
        offset[i] *= x->owords ? 16 : 1;
        if (!(on >> (in->first + i) & 1))
            continue;
        if (x->scratch && offset[i] > SCRATCH_BYTES - 256)
            return isa_refuse(m->out, RAN_UNSUPPORTED, in->line, "scratch beyond %d bytes",
                              SCRATCH_BYTES);
        if (offset[i] % x->bytes)
            return isa_refuse(m->out, RAN_FAULT, in->line, "an access of %u bytes at byte 0x%llx",
                              x->bytes, (unsigned long long)offset[i]);
        if (x->flat && !at(&a, offset[i], x->bytes))
            return isa_refuse(m->out, RAN_FAULT, in->line, "an access of %u bytes at 0x%llx",
                              x->bytes, (unsigned long long)offset[i]);
        lane(m, t, in, x, &a, on, i, offset[i]);
        if (x->transposed)
            break;
    }
    return true;
}

// Where the data begin in a payload: after the addresses.
static uint32_t addresses_of(const struct eu_machine *m, const struct message *x)
{
    return x->transposed ? m->p->grf : rounded(x->address * x->lanes, m->p->grf);
}

// Xe3: the bytes of s0 name the registers of the payload. Copies them after the last register, as
// one payload of addresses and data.
static struct eu_inst gathered(const struct eu_machine *m, struct eu_thread *t,
                               const struct eu_inst *in, const struct message *x)
{
    struct eu_inst out = *in;
    const uint32_t grf = m->p->grf, n = in->descriptor >> 25 & 15;
    for (uint32_t k = 0; k < n; k++)
        memcpy(t->r + (EU_REGISTERS + k) * grf, t->r + t->scalar[in->gather + k] * grf, grf);
    out.from = EU_REGISTERS * grf;
    out.data = out.from + addresses_of(m, x);
    return out;
}

// The payload is that of both operands, one after the other: data may begin in the first one.
// Copies it after the last register.
static struct eu_inst joined(const struct eu_machine *m, struct eu_thread *t,
                             const struct eu_inst *in, const struct message *x)
{
    struct eu_inst out = *in;
    const uint32_t grf = m->p->grf, n = in->descriptor >> 25 & 15;
    const uint32_t addresses = addresses_of(m, x);
    if (in->gathers)
        return gathered(m, t, in, x);
    if (x->header || x->kind == MESSAGE_LOAD || in->data == EU_NOWHERE || in->from == EU_NOWHERE ||
        n * grf <= addresses)
        return out;
    uint8_t *to = t->r + EU_REGISTERS * grf;
    for (uint32_t k = 0; k < EU_GATHERED; k++) {
        const uint32_t from = k < n ? in->from + k * grf : in->data + (k - n) * grf;
        if (from + grf <= EU_REGISTERS * grf)
            memcpy(to + k * grf, t->r + from, grf);
    }
    out.from = EU_REGISTERS * grf;
    out.data = out.from + addresses;
    return out;
}

bool eu_send(struct eu_machine *m, struct eu_thread *t, const struct eu_inst *in, uint32_t on)
{
    const uint32_t d = in->descriptor;
    struct eu_inst whole;
    struct message x;
    if (in->by_address &&
        !m->p->kernel
             .known) { // from DG2 on: scratch is a surface, named by the base in units of 16
        uint32_t surface;
        memcpy(&surface, t->address + in->extended, 4);
        if (in->unit != SFID_UGM || surface != (t->scratch_base & ~UINT32_C(1023)) >> 4)
            return isa_refuse(m->out, RAN_UNSUPPORTED, in->line, "a surface in a register");
    }
    // One payload may hold addresses and data.
    if (in->data == EU_NOWHERE && !in->gathers && in->from != EU_NOWHERE) {
        whole = *in;
        whole.data = in->from + rounded(4 * in->size, m->p->grf);
        in = &whole;
    }
    if (in->ends && (in->unit == SFID_SPAWNER || in->unit == SFID_GATEWAY)) {
        t->ended = true;
        return true;
    }
    // A write to a color target, which a draw does not have: it may end the thread, nothing else.
    if (in->unit == SFID_RENDER && (d >> 14 & 15) == 12 && m->p->fragment) {
        t->ended = in->ends;
        return true;
    }
    switch (in->unit) {
    case SFID_GATEWAY: // 4: signal the barrier
        if ((d & 7) != 4)
            return unknown(m, in);
        t->signalled = true;
        return true;
    case SFID_DC0:
        if ((d >> 14 & 31) == 7) // a fence
            return true;
        if ((d >> 19 & 1) && (d >> 14 & 15) == 7)
            return true;
        // fall through
    case SFID_DC1:
        if (!port_decode(in, &x))
            return unknown(m, in);
        if (m->p->kernel.known && x.scratch) { // blocks of a kernel's arguments
            x.flat = true;
            x.scratch = false;
        }
        whole = joined(m, t, in, &x);
        return memory(m, t, &whole, on, &x);
    case SFID_UGM:
    case SFID_SLM:
        if ((d & 63) == 31) // a fence
            return true;
        if (!lsc_decode(m->p, in, &x))
            return unknown(m, in);
        whole = joined(m, t, in, &x);
        return memory(m, t, &whole, on, &x);
    default:
        return unknown(m, in);
    }
}
