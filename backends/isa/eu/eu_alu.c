// SPDX-License-Identifier: Apache-2.0
//
// Evaluates the rows of eu_ops.def, and converts between registers and values.
#include "eu_program.h"
#include "isa/isa_bits.h"
#include "isa/isa_float.h"

static uint32_t width(enum eu_type t)
{
    return 8 * eu_types[t].bytes;
}

static uint64_t bits_of(eu_wide v, enum eu_type t)
{
    return isa_low((uint64_t)v, width(t));
}

// A shift count: six bits of it for quadwords, else five.
static uint32_t count(eu_wide v, enum eu_type to)
{
    return (uint32_t)v & (eu_types[to].bytes == 8 ? 63 : 31);
}

static eu_wide rotated(eu_wide v, eu_wide by, enum eu_type t)
{
    const uint32_t n = width(t), k = (uint32_t)by & (n - 1);
    const uint64_t b = bits_of(v, t);
    return (eu_wide)(k ? b << k | b >> (n - k) : b);
}

static eu_wide lowest(eu_wide v)
{
    return (uint32_t)v ? __builtin_ctz((uint32_t)v) : -1;
}

static eu_wide leading(eu_wide v)
{
    return (uint32_t)v ? __builtin_clz((uint32_t)v) : 32;
}

// fbh: counts from the top; of a signed number it is the first bit that differs from the sign.
static eu_wide highest(eu_wide v, enum eu_type t)
{
    const uint32_t b = eu_types[t].sign && v < 0 ? ~(uint32_t)v : (uint32_t)v;
    return b ? __builtin_clz(b) : -1;
}

// bfe: width, offset, value.
static eu_wide extracted(eu_wide bits, eu_wide at, eu_wide v, enum eu_type t)
{
    const uint32_t n = (uint32_t)bits & 31, k = (uint32_t)at & 31;
    const uint64_t all = bits_of(v, t);
    if (!n)
        return 0;
    if (n + k >= 32)
        return eu_types[t].sign ? (eu_wide)((int32_t)(uint32_t)all >> k) : (eu_wide)(all >> k);
    return eu_types[t].sign ? (eu_wide)isa_signed(all >> k, n) : (eu_wide)isa_field(all, k, n);
}

// bfi2: mask, insert, base.
static eu_wide inserted(eu_wide mask, eu_wide v, eu_wide base)
{
    const uint32_t m = (uint32_t)mask, k = m ? (uint32_t)__builtin_ctz(m) : 0;
    return (eu_wide)((((uint32_t)v << k) & m) | ((uint32_t)base & ~m));
}

static double fused(double x, double y, double z, enum eu_type to)
{
    return to == TYPE_F ? (double)fmaf((float)x, (float)y, (float)z) : fma(x, y, z);
}

struct eu_value eu_value_of(const struct eu_operand *o, uint64_t bits, bool logic)
{
    const struct eu_type_form *t = &eu_types[o->type];
    struct eu_value v = {0, 0};
    if (t->real) {
        v.f = isa_number(bits, 8 * t->bytes);
        v.f = o->abs ? fabs(v.f) : v.f;
        v.f = o->neg ? -v.f : v.f;
        return v;
    }
    v.i = t->sign ? (eu_wide)isa_signed(bits, 8 * t->bytes) : (eu_wide)bits;
    if (o->abs)
        v.i = v.i < 0 ? -v.i : v.i;
    if (o->neg)
        v.i = logic ? ~v.i : -v.i;
    return v;
}

static eu_wide saturated(eu_wide v, const struct eu_type_form *t)
{
    const eu_wide one = 1;
    const eu_wide most = (one << (8 * t->bytes - (t->sign ? 1 : 0))) - 1;
    const eu_wide least = t->sign ? -most - 1 : 0;
    return v > most ? most : v < least ? least : v;
}

uint64_t eu_bits_of(const struct eu_operand *dst, struct eu_value v, bool real)
{
    const struct eu_type_form *t = &eu_types[dst->type];
    const uint32_t n = 8 * t->bytes;
    if (t->real) {
        double f = real ? v.f : (double)v.i;
        if (dst->saturate)
            f = f > 0 ? (f < 1 ? f : 1) : 0;
        return isa_rounded(f, n);
    }
    if (real) // a conversion rounds toward zero and saturates
        return isa_low(t->sign ? isa_to_signed(v.f, (int)n) : isa_to_unsigned(v.f, (int)n), n);
    return isa_low((uint64_t)(dst->saturate ? saturated(v.i, t) : v.i), n);
}

struct eu_value eu_alu(enum eu_id id, enum eu_type type, enum eu_type to,
                       const struct eu_value v[EU_SOURCES])
{
    const eu_wide a = v[0].i, b = v[1].i, c = v[2].i;
    const double x = v[0].f, y = v[1].f, z = v[2].f;
    const bool real = eu_types[type].real;
    struct eu_value out = {0, 0};
    (void)a, (void)b, (void)c, (void)x, (void)y, (void)z;
    switch (id) {
#define NO 0
#define ALU(id, name, srcs, integers, floats, source)                                              \
    case EU_##id:                                                                                  \
        if (real)                                                                                  \
            out.f = (floats);                                                                      \
        else                                                                                       \
            out.i = (eu_wide)(integers);                                                           \
        break;
#define OTHER(id, name, srcs, unit, source)
#include "eu_ops.def"
#undef NO
    default:
        break;
    }
    return out;
}

bool eu_holds(enum eu_condition c, bool real, struct eu_value a, struct eu_value b)
{
    switch (c) {
    case COND_EQ:
        return real ? a.f == b.f : a.i == b.i;
    case COND_NE:
        return real ? a.f != b.f : a.i != b.i;
    case COND_LT:
        return real ? a.f < b.f : a.i < b.i;
    case COND_LE:
        return real ? a.f <= b.f : a.i <= b.i;
    case COND_GT:
        return real ? a.f > b.f : a.i > b.i;
    case COND_GE:
        return real ? a.f >= b.f : a.i >= b.i;
    case COND_NONE:
        break;
    }
    return false;
}
