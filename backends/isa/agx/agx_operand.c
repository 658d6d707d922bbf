// SPDX-License-Identifier: Apache-2.0
//
// Registers, uniforms, operands, conditions.
#include "agx_machine.h"

#include "isa/isa_bits.h"
#include "isa/isa_float.h"

#include <string.h>

static uint64_t in_register(const struct agx_wave *w, uint32_t half, uint32_t bits, uint32_t lane)
{
    uint64_t v = 0;
    for (uint32_t h = 0; h < bits / 16; h++)
        v |= (uint64_t)w->r[half + h][lane] << 16 * h;
    return v;
}

static bool in_uniform(struct agx_machine *m, const struct agx_inst *in, uint32_t half,
                       uint32_t bits, uint64_t *out)
{
    *out = 0;
    for (uint32_t h = 0; h < bits / 16; h++) {
        if (!m->known[half + h])
            return isa_refuse(m->out, RAN_UNSUPPORTED, in->line,
                              "the uniform half %u, which is not set", half + h);
        *out |= (uint64_t)m->uniform[half + h] << 16 * h;
    }
    return true;
}

bool agx_source(struct agx_machine *m, const struct agx_wave *w, const struct agx_inst *in,
                const struct agx_operand *o, uint32_t k, uint64_t out[AGX_LANES])
{
    const uint32_t half = o->half + k * (o->bits / 16);
    uint64_t same = 0;
    switch (o->kind) {
    case OPERAND_REGISTER:
        for (uint32_t l = 0; l < AGX_LANES; l++)
            out[l] = in_register(w, half, o->bits, l);
        break;
    case OPERAND_UNIFORM:
        if (!in_uniform(m, in, half, o->bits, &same))
            return false;
        break;
    case OPERAND_NUMBER:
        same = (uint64_t)o->number;
        break;
    case OPERAND_FLOAT:
        return agx_refuse(m, RAN_UNSUPPORTED, in, "a float where bits are read");
    case OPERAND_NONE:
        return agx_refuse(m, RAN_UNSUPPORTED, in, "no operand");
    }
    if (o->neg || o->abs)
        return agx_refuse(m, RAN_UNSUPPORTED, in, "a sign where bits are read");
    for (uint32_t l = 0; l < AGX_LANES; l++) {
        out[l] = o->kind == OPERAND_REGISTER ? out[l] : same;
        if (o->sx && o->kind != OPERAND_NUMBER)
            out[l] = (uint64_t)isa_signed(out[l], o->bits);
    }
    return true;
}

// 32-bit floats that are not normal are 0 with their sign.
static double flushed(double v, uint32_t bits)
{
    return bits == 32 && isfinite(v) && fabs(v) < 0x1p-126 ? copysign(0, v) : v;
}

bool agx_float(struct agx_machine *m, const struct agx_wave *w, const struct agx_inst *in,
               const struct agx_operand *o, double out[AGX_LANES])
{
    struct agx_operand plain = *o;
    uint64_t v[AGX_LANES];
    plain.neg = plain.abs = false;
    if (o->kind == OPERAND_NUMBER)
        return agx_refuse(m, RAN_UNSUPPORTED, in, "an integer where a float is read");
    if (o->kind != OPERAND_FLOAT && !agx_source(m, w, in, &plain, 0, v))
        return false;
    for (uint32_t l = 0; l < AGX_LANES; l++) {
        double x = o->kind == OPERAND_FLOAT ? (double)o->real
                                            : flushed(isa_number(v[l], o->bits), o->bits);
        x = o->abs ? fabs(x) : x;
        out[l] = o->neg ? -x : x;
    }
    return true;
}

void agx_write(struct agx_wave *w, const struct agx_operand *o, uint32_t k, lanes32 on,
               const uint64_t v[AGX_LANES])
{
    const uint32_t n = o->bits / 16, half = o->half + k * n;
    if (o->kind != OPERAND_REGISTER)
        return;
    for (uint32_t h = 0; h < n; h++)
        for (uint32_t l = 0; l < AGX_LANES; l++)
            if (on >> l & 1)
                w->r[half + h][l] = (uint16_t)(v[l] >> 16 * h);
}

void agx_discard(struct agx_machine *m, struct agx_wave *w, const struct agx_inst *in)
{
    for (uint32_t i = 0; i < in->srcs; i++) {
        const struct agx_operand *o = &in->src[i];
        if (!o->discard || o->kind != OPERAND_REGISTER)
            continue;
        const uint64_t random = rng_next(&m->random_fill);
        uint64_t v[AGX_LANES];
        for (uint32_t l = 0; l < AGX_LANES; l++)
            v[l] = random * (2 * l + 1);
        for (uint32_t k = 0; k < o->count; k++)
            agx_write(w, o, k, w->active, v);
    }
}

static bool holds_int(const struct agx_condition *c, const struct agx_operand o[2], uint64_t a,
                      uint64_t b)
{
    bool less = a < b;
    if (c->is_signed) {
        const int64_t x = o[0].kind == OPERAND_NUMBER ? (int64_t)a : isa_signed(a, o[0].bits);
        const int64_t y = o[1].kind == OPERAND_NUMBER ? (int64_t)b : isa_signed(b, o[1].bits);
        less = x < y;
        a = (uint64_t)x;
        b = (uint64_t)y;
    }
    return c->compare == COMPARE_EQ ? a == b : c->compare == COMPARE_LT ? less : a != b && !less;
}

static bool holds_float(const struct agx_condition *c, double a, double b)
{
    switch (c->compare) {
    case COMPARE_EQ:
        return a == b;
    case COMPARE_LT:
    case COMPARE_LTN:
        return a < b;
    case COMPARE_GT:
    case COMPARE_GTN:
        return a > b;
    case COMPARE_GE:
        return a >= b;
    case COMPARE_LE:
        return a <= b;
    }
    return false;
}

bool agx_compare(struct agx_machine *m, const struct agx_wave *w, const struct agx_inst *in,
                 lanes32 *out)
{
    const struct agx_condition *c = in->condition;
    uint64_t a[AGX_LANES], b[AGX_LANES];
    double x[AGX_LANES], y[AGX_LANES];
    *out = 0;
    if (c->is_float
            ? !agx_float(m, w, in, &in->src[0], x) || !agx_float(m, w, in, &in->src[1], y)
            : !agx_source(m, w, in, &in->src[0], 0, a) || !agx_source(m, w, in, &in->src[1], 0, b))
        return false;
    for (uint32_t l = 0; l < AGX_LANES; l++) {
        // What these two do with NaN and with zeros of both signs is not documented.
        if ((w->active >> l & 1) && (c->compare == COMPARE_LTN || c->compare == COMPARE_GTN) &&
            (isnan(x[l]) || isnan(y[l]) || (x[l] == y[l] && signbit(x[l]) != signbit(y[l]))))
            return agx_refuse(m, RAN_UNSUPPORTED, in, "a minimum of NaN, or of both zeros");
        const bool yes =
            c->is_float ? holds_float(c, x[l], y[l]) : holds_int(c, in->src, a[l], b[l]);
        *out |= (lanes32)(yes != c->inverted) << l;
    }
    return true;
}
