// SPDX-License-Identifier: Apache-2.0
//
// Operations that compute each lane's result from values of the same lane.
#include "agx_machine.h"

#include "isa/isa_bits.h"
#include "isa/isa_float.h"

// ---- integers ----------------------------------------------------------------

static uint64_t shifted_left(uint64_t v, uint64_t by)
{
    return by < 64 ? v << by : 0;
}

static uint64_t shifted_right(uint64_t v, uint64_t by)
{
    return by < 64 ? v >> by : 0;
}

static uint64_t shifted_signed(int64_t v, uint64_t by)
{
    return (uint64_t)(v >> (by < 63 ? by : 63));
}

static uint64_t low(uint64_t v)
{
    return isa_low(v, 32);
}

static uint64_t bit_field(const struct agx_inst *in, uint64_t a, uint64_t b, uint64_t by)
{
    const uint64_t mask = in->number ? isa_low(UINT64_MAX, (uint32_t)in->number) : UINT32_MAX;
    uint64_t moved;
    a = low(a), b = low(b);
    switch (in->id) {
    case AGX_BFI:
        moved = shifted_left(mask, by);
        return (a & ~moved) | shifted_left(b & mask, by);
    case AGX_BFEIL:
        return (a & ~mask) | (shifted_right(b, by) & mask);
    case AGX_EXTR:
        return shifted_right(b << 32 | a, by) & mask;
    case AGX_SHLHI:
        moved = shifted_left(mask, by > 32 ? by - 32 : 0);
        return (shifted_left(b, by) >> 32 & moved) | (a & ~moved);
    default: // shrhi
        moved = (mask << 32) >> (by < 32 ? by : 32);
        return (shifted_right(b << 32, by) & moved) | (a & ~moved);
    }
}

#define OP(id, name, unit, operands, source)
#define INTEGER(id, name, operands, value, source)                                                 \
    case AGX_##id:                                                                                 \
        return value;
// A shift takes 7 bits of its amount.
static uint64_t integer(const struct agx_inst *in, const uint64_t v[AGX_SOURCES])
{
    const uint64_t a = v[0], b = v[1], c = v[2];
    switch ((int)in->id) {
#include "agx_ops.def"
    default:
        CHECK(false);
    }
}

// The sum or difference as a signed or unsigned number of the destination's width. Sources have at
// most 32 bits.
static uint64_t saturated(const struct agx_inst *in, const uint64_t v[AGX_SOURCES])
{
    const int64_t x = (int64_t)integer(in, v);
    const uint32_t bits = in->dst.bits;
    const bool is_signed = in->src[0].sx || in->src[1].sx;
    const int64_t most = (int64_t)isa_low(UINT64_MAX, bits - is_signed),
                  least = is_signed ? -most - 1 : 0;
    return (uint64_t)(x < least ? least : x > most ? most : x);
}

// ---- floats --------------------------------------------------------------------

// One rounding: to 32 bits, or to 16 where the destination or the operation has 16.
static uint64_t rounded(const struct agx_inst *in, double v)
{
    if (in->saturates)
        v = v > 0 ? (v < 1 ? v : 1) : 0; // NaN: 0
    const uint32_t bits = in->dst.bits == 16 ? 16 : 32;
    const uint64_t x = isa_rounded(v, bits);
    const double back = isa_number(x, bits);
    return bits == 32 && isfinite(back) && fabs(back) < 0x1p-126
               ? isa_of_single(copysignf(0, (float)back))
               : x;
}

#define OP(id, name, unit, operands, source)
#define FLOAT(id, name, operands, value, source)                                                   \
    case AGX_##id:                                                                                 \
        return value;
static double float_value(enum agx_id id, double x, double y, double z)
{
    switch ((int)id) {
#include "agx_ops.def"
    default:
        CHECK(false);
    }
}

// The product of two floats of 24 bits is exact in 53 bits; the sum with a third one may not be.
static bool sum_is_exact(const double v[3])
{
    const double product = v[0] * v[1], sum = product + v[2], part = sum - product;
    return !isfinite(sum) || (product - (sum - part)) + (v[2] - part) == 0;
}

static bool floats(struct agx_machine *m, struct agx_wave *w, const struct agx_inst *in,
                   uint64_t out[AGX_LANES])
{
    double v[3][AGX_LANES] = {{0}};
    for (uint32_t i = 0; i < in->srcs; i++)
        if (!agx_float(m, w, in, &in->src[i], v[i]))
            return false;
    for (uint32_t l = 0; l < AGX_LANES; l++) {
        const double one[3] = {v[0][l], v[1][l], v[2][l]};
        if (in->srcs == 3 && (w->active >> l & 1) && !sum_is_exact(one))
            return agx_refuse(m, RAN_UNSUPPORTED, in, "an inexact sum");
        out[l] = rounded(in, float_value(in->id, one[0], one[1], one[2]));
    }
    return true;
}

// ---- conversions ---------------------------------------------------------------

#define OP(id, name, unit, operands, source)
#define CONVERT(id, name, operands, to_float, is_signed, bits, source)                             \
    [AGX_##id] = {to_float, is_signed, bits},
static const struct conversion {
    bool to_float, is_signed;
    int bits;
} conversion_rows[AGX_IDS] = {
#include "agx_ops.def"
};

static bool conversions(struct agx_machine *m, struct agx_wave *w, const struct agx_inst *in,
                        uint64_t out[AGX_LANES])
{
    const struct conversion *row = &conversion_rows[in->id];
    const int bits = row->bits;
    uint64_t v[AGX_LANES];
    double x[AGX_LANES];
    if (in->nearest != row->to_float)
        return agx_refuse(m, RAN_UNSUPPORTED, in, "this rounding");
    if (row->to_float ? !agx_source(m, w, in, &in->src[0], 0, v)
                      : !agx_float(m, w, in, &in->src[0], x))
        return false;
    for (uint32_t l = 0; l < AGX_LANES; l++) {
        if (!row->to_float)
            out[l] = row->is_signed ? isa_to_signed(x[l], bits) : isa_to_unsigned(x[l], bits);
        else
            out[l] = rounded(in, row->is_signed ? (double)isa_signed(v[l], (uint32_t)bits)
                                                : (double)isa_low(v[l], (uint32_t)bits));
    }
    return true;
}

// ---- all -------------------------------------------------------------------------

static bool select_values(struct agx_machine *m, struct agx_wave *w, const struct agx_inst *in,
                          uint64_t out[AGX_LANES])
{
    uint64_t yes[AGX_LANES], no[AGX_LANES];
    lanes32 holds;
    if (!agx_compare(m, w, in, &holds) || !agx_source(m, w, in, &in->src[2], 0, yes) ||
        !agx_source(m, w, in, &in->src[3], 0, no))
        return false;
    for (uint32_t l = 0; l < AGX_LANES; l++)
        out[l] = holds >> l & 1 ? yes[l] : no[l];
    return true;
}

static bool integers(struct agx_machine *m, struct agx_wave *w, const struct agx_inst *in,
                     uint64_t out[AGX_LANES])
{
    uint64_t v[AGX_SOURCES][AGX_LANES] = {{0}};
    const bool small = in->dst.bits <= 32 && in->src[0].bits <= 32 && in->src[1].bits <= 32;
    if (in->saturates && (in->srcs != 2 || in->id == AGX_IMUL || in->shift || !small))
        return agx_refuse(m, RAN_UNSUPPORTED, in, "this saturation");
    for (uint32_t i = 0; i < in->srcs; i++)
        if (!agx_source(m, w, in, &in->src[i], 0, v[i]))
            return false;
    for (uint32_t l = 0; l < AGX_LANES; l++) {
        const uint64_t one[AGX_SOURCES] = {v[0][l], v[1][l], v[2][l], v[3][l]};
        out[l] = in->saturates ? saturated(in, one) : integer(in, one);
    }
    return true;
}

static bool compute(struct agx_machine *m, struct agx_wave *w, const struct agx_inst *in,
                    uint64_t out[AGX_LANES])
{
    switch (agx_ops[in->id].unit) {
    case UNIT_INTEGER:
        return integers(m, w, in, out);
    case UNIT_FLOAT:
        return floats(m, w, in, out);
    case UNIT_CONVERT:
        return conversions(m, w, in, out);
    case UNIT_SELECT:
        return select_values(m, w, in, out);
    default: // ldimm
        for (uint32_t l = 0; l < AGX_LANES; l++)
            out[l] = (uint64_t)in->number;
        return true;
    }
}

bool agx_alu(struct agx_machine *m, struct agx_wave *w, const struct agx_inst *in)
{
    uint64_t out[AGX_LANES];
    if (!compute(m, w, in, out))
        return false;
    agx_discard(m, w, in);
    agx_write(w, &in->dst, 0, w->active, out);
    return true;
}
