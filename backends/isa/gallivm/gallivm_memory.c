// SPDX-License-Identifier: Apache-2.0
//
// Memory, vectors, and functions that combine the elements of a value.
#include "gallivm_machine.h"

#include "isa/isa_float.h"

// ---- layout ----------------------------------------------------------------------------------

// Elements of fewer than 8 bits share bytes.
static void packed(const struct gv_type *t, uint64_t *v, uint8_t *bytes, bool store)
{
    const uint32_t bits = t->of->bits;
    for (uint32_t i = 0; store && i < t->size; i++)
        bytes[i] = 0;
    for (uint32_t i = 0; i < t->count; i++) {
        if (!store)
            v[i] = 0;
        for (uint32_t b = 0; b < bits; b++) {
            const uint32_t at = i * bits + b;
            if (store)
                bytes[at / 8] |= (uint8_t)((v[i] >> b & 1) << at % 8);
            else
                v[i] |= (uint64_t)(bytes[at / 8] >> at % 8 & 1) << b;
        }
    }
}

void gv_to_bytes(const struct gv_type *t, const uint64_t *v, uint8_t *to)
{
    if (t->kind == GV_STRUCT) {
        for (uint32_t i = 0; i < t->count; v += t->member[i++]->slots)
            gv_to_bytes(t->member[i], v, to + t->offset[i]);
    } else if (t->kind == GV_VECTOR && t->of->bits % 8) {
        packed(t, (uint64_t *)v, to, true);
    } else if (t->kind == GV_VECTOR || t->kind == GV_ARRAY) {
        for (uint32_t i = 0; i < t->count; i++)
            gv_to_bytes(t->of, v + (size_t)i * t->of->slots, to + i * t->of->size);
    } else {
        memcpy(to, v, t->size);
    }
}

void gv_from_bytes(const struct gv_type *t, const uint8_t *from, uint64_t *v)
{
    if (t->kind == GV_STRUCT) {
        for (uint32_t i = 0; i < t->count; v += t->member[i++]->slots)
            gv_from_bytes(t->member[i], from + t->offset[i], v);
    } else if (t->kind == GV_VECTOR && t->of->bits % 8) {
        packed(t, v, (uint8_t *)from, false);
    } else if (t->kind == GV_VECTOR || t->kind == GV_ARRAY) {
        for (uint32_t i = 0; i < t->count; i++)
            gv_from_bytes(t->of, from + i * t->of->size, v + (size_t)i * t->of->slots);
    } else {
        *v = 0;
        memcpy(v, from, t->size);
        *v = isa_low(*v, t->bits);
    }
}

// ---- memory ----------------------------------------------------------------------------------

static uint8_t *bytes_at(struct gv_machine *m, const struct gv_inst *in, uint64_t address,
                         uint64_t size, bool write)
{
    const struct isa_region *s = m->stack;
    if (address >= s->base && address - s->base < s->size && size <= s->size - (address - s->base))
        return s->bytes + (address - s->base);
    uint8_t *out = isa_at(&m->memory, address, (uint32_t)size, write);
    if (!out)
        isa_refuse(m->out, RAN_FAULT, in->line, "no memory at 0x%llx", (unsigned long long)address);
    return out;
}

bool gv_alloca(struct gv_machine *m, uint32_t line, uint64_t bytes, uint64_t *address)
{
    enum { ALIGN = 64 };
    const uint64_t n = (bytes + ALIGN - 1) / ALIGN * ALIGN;
    if (n < bytes || n > m->stack->size - m->used)
        return isa_refuse(m->out, RAN_UNSUPPORTED, line, "more than %u bytes of a stack",
                          m->stack->size);
    *address = m->stack->base + m->used;
    for (uint32_t i = 0; i < n; i += 8) {
        const uint64_t v = rng_next(&m->random_fill);
        memcpy(m->stack->bytes + m->used + i, &v, 8);
    }
    m->used += (uint32_t)n;
    return true;
}

// Of elements whose mask is set; the others of a gather are `rest`.
static bool scattered(struct gv_machine *m, struct gv_frame *f, const struct gv_inst *in)
{
    const bool load = in->op == GV_GATHER;
    const uint32_t last = in->srcs - 1;
    const struct gv_type *t = load ? in->type : m->p->value[in->src[0]].type;
    const uint64_t *address = gv_row(m, f, in->src[!load]),
                   *mask = gv_row(m, f, in->src[load ? last - 1 : last]),
                   *v = gv_row(m, f, in->src[load ? last : 0]);
    uint64_t *out = load && in->def != GV_NONE ? gv_row(m, f, in->def) : NULL;
    for (uint32_t i = 0; i < t->slots; i++) {
        if (out)
            out[i] = v[i];
        if (!(mask[i] & 1))
            continue;
        uint8_t *at = bytes_at(m, in, address[i], gv_scalar(t)->size, !load);
        if (!at)
            return false;
        if (!load)
            gv_to_bytes(gv_scalar(t), &v[i], at);
        else if (out)
            gv_from_bytes(gv_scalar(t), at, &out[i]);
    }
    return true;
}

static bool atomic(struct gv_machine *m, struct gv_frame *f, const struct gv_inst *in)
{
    const struct gv_type *t = m->p->value[in->src[1]].type;
    uint8_t *at = bytes_at(m, in, *gv_row(m, f, in->src[0]), t->size, true);
    uint64_t old, v = *gv_row(m, f, in->src[1]);
    if (!at)
        return false;
    gv_from_bytes(t, at, &old);
    const bool same = in->op == GV_CMPXCHG && old == v;
    const uint64_t now = in->op == GV_ATOMIC ? isa_combined(in->combine, t->bits, old, v)
                         : same              ? *gv_row(m, f, in->src[2])
                                             : old;
    gv_to_bytes(t, &now, at);
    if (in->def != GV_NONE) {
        uint64_t *out = gv_row(m, f, in->def);
        out[0] = old;
        if (in->op == GV_CMPXCHG)
            out[1] = same;
    }
    return true;
}

static bool address(struct gv_machine *m, struct gv_frame *f, const struct gv_inst *in,
                    uint64_t *out)
{
    for (uint32_t i = 0; i < in->type->slots; i++) {
        uint64_t sum = (uint64_t)in->offset;
        for (uint32_t k = 0; k < in->srcs; k++) {
            const struct gv_type *t = m->p->value[in->src[k]].type;
            const uint64_t v = gv_row(m, f, in->src[k])[t->slots == 1 ? 0 : i];
            sum += k ? (uint64_t)isa_signed(v, gv_scalar(t)->bits) * in->number[k] : v;
        }
        out[i] = sum;
    }
    return true;
}

// ---- vectors ---------------------------------------------------------------------------------

static void bitcast(struct gv_machine *m, struct gv_frame *f, const struct gv_inst *in,
                    uint64_t *out)
{
    uint8_t bytes[GV_SLOTS * 8];
    gv_to_bytes(m->p->value[in->src[0]].type, gv_row(m, f, in->src[0]), bytes);
    gv_from_bytes(in->type, bytes, out);
}

static void reduce(struct gv_machine *m, struct gv_frame *f, const struct gv_inst *in,
                   uint64_t *out)
{
    const uint32_t last = in->srcs - 1;
    const struct gv_type *t = m->p->value[in->src[last]].type;
    const uint64_t *v = gv_row(m, f, in->src[last]);
    uint64_t sum = last ? *gv_row(m, f, in->src[0]) : v[0];
    for (uint32_t i = last ? 0 : 1; i < t->slots; i++)
        sum = isa_combined(in->combine, gv_scalar(t)->bits, sum, v[i]);
    *out = sum;
}

static bool divides_by_zero(const struct gv_machine *m, const struct gv_frame *f,
                            const struct gv_inst *in)
{
    const uint64_t *by = gv_row(m, f, in->src[1]);
    for (uint32_t i = 0; i < in->type->slots; i++)
        if (!by[i])
            return true;
    return false;
}

// Each element by its row.
static bool each(struct gv_machine *m, struct gv_frame *f, const struct gv_inst *in, uint64_t *out)
{
    const uint64_t *v[3];
    bool one[3];
    for (uint32_t k = 0; k < 3; k++) {
        const uint32_t src = in->src[k < in->srcs ? k : 0];
        v[k] = gv_row(m, f, src);
        one[k] = m->p->value[src].type->slots == 1;
    }
    if ((in->op == GV_UDIV || in->op == GV_SDIV || in->op == GV_UREM || in->op == GV_SREM) &&
        divides_by_zero(m, f, in))
        return isa_refuse(m->out, RAN_FAULT, in->line, "a division by 0");
    const uint32_t n = gv_scalar(in->type)->bits, s = gv_scalar(m->p->value[in->src[0]].type)->bits;
    const uint64_t any = rng_next(&m->random_fill);
    for (uint32_t i = 0; i < in->type->slots; i++)
        out[i] = gv_element(in->op, n, s, v[0][one[0] ? 0 : i], v[1][one[1] ? 0 : i],
                            v[2][one[2] ? 0 : i], any + i);
    return true;
}

static void vector(struct gv_machine *m, struct gv_frame *f, const struct gv_inst *in,
                   uint64_t *out)
{
    const uint64_t *a = gv_row(m, f, in->src[0]), *b = gv_row(m, f, in->src[in->srcs > 1 ? 1 : 0]);
    const uint32_t n = m->p->value[in->src[0]].type->slots, bits = gv_scalar(in->type)->bits;
    const uint64_t random = rng_next(&m->random_fill), *c;
    double x, y;
    switch (in->op) {
    case GV_SELECT:
        c = a;
        for (uint32_t i = 0; i < in->type->slots; i++)
            out[i] = (c[n == 1 ? 0 : i] & 1 ? b : gv_row(m, f, in->src[2]))[i];
        break;
    case GV_EXTRACT: // out of bounds: any value
        *out = *b < n ? a[*b] : isa_low(random, bits);
        break;
    case GV_INSERT:
        c = gv_row(m, f, in->src[2]);
        memmove(out, a, n * sizeof *out);
        if (*c < n)
            out[*c] = *b;
        break;
    case GV_SHUFFLE:
        for (uint32_t i = 0; i < in->type->slots; i++)
            out[i] = in->number[i] < n ? a[in->number[i]] : b[in->number[i] - n];
        break;
    case GV_PERMUTE:
        for (uint32_t i = 0; i < n; i++)
            out[i] = a[b[i] & (n - 1)];
        break;
    default: // the first element: of two zeros and with NaN, the second operand
        memmove(out, a, n * sizeof *out);
        x = isa_number(a[0], bits);
        y = isa_number(b[0], bits);
        out[0] = (in->op == GV_FIRST_LEAST ? x < y : x > y) ? a[0] : b[0];
        break;
    }
}

bool gv_execute(struct gv_machine *m, struct gv_frame *f, const struct gv_inst *in)
{
    static uint64_t unused[GV_SLOTS];
    uint64_t *out = in->def == GV_NONE ? unused : gv_row(m, f, in->def);
    const uint64_t *v = in->srcs ? gv_row(m, f, in->src[0]) : NULL;
    uint8_t *at;
    switch (in->op) {
    case GV_LOAD:
        if (!(at = bytes_at(m, in, *v, in->type->size, false)))
            return false;
        gv_from_bytes(in->type, at, out);
        return true;
    case GV_STORE:
        if (!(at = bytes_at(m, in, *gv_row(m, f, in->src[1]), in->type->size, true)))
            return false;
        gv_to_bytes(in->type, v, at);
        return true;
    case GV_ALLOCA:
        return gv_alloca(m, in->line, (uint64_t)in->offset * (v ? *v & UINT32_MAX : 1), out);
    case GV_ATOMIC:
    case GV_CMPXCHG:
        return atomic(m, f, in);
    case GV_GATHER:
    case GV_SCATTER:
        return scattered(m, f, in);
    case GV_ADDRESS:
        return address(m, f, in, out);
    case GV_BITCAST:
        bitcast(m, f, in, out);
        return true;
    case GV_REDUCE:
        reduce(m, f, in, out);
        return true;
    case GV_COPY:
        memmove(out, v, in->type->slots * sizeof *out);
        return true;
    case GV_FNEG:
        for (uint32_t i = 0; i < in->type->slots; i++)
            out[i] = v[i] ^ UINT64_C(1) << (gv_scalar(in->type)->bits - 1);
        return true;
    case GV_EXTRACT_VALUE:
        memmove(out, v + in->offset, in->type->slots * sizeof *out);
        return true;
    case GV_FENCE:
    case GV_NOTHING:
        return true;
    default:
        if (in->op < GV_EACH)
            return each(m, f, in, out);
        vector(m, f, in, out);
        return true;
    }
}
