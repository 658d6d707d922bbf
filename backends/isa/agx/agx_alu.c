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

// A shift takes 7 bits of its amount.
static uint64_t bit_field(const struct agx_inst *in, const uint64_t v[AGX_SOURCES])
{
    const uint64_t a = isa_low(v[0], 32), b = isa_low(v[1], 32), by = v[2] & 0x7f;
    const uint64_t mask = in->number ? isa_low(UINT64_MAX, (uint32_t)in->number) : UINT32_MAX;
    uint64_t moved;
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

static uint64_t integer(const struct agx_inst *in, const uint64_t v[AGX_SOURCES])
{
    const uint64_t a = v[0], b = v[1];
    switch (in->id) {
    case AGX_IADD:
        return a + (b << in->shift);
    case AGX_ISUB:
        return a - (b << in->shift);
    case AGX_IMUL:
        return a * b;
    case AGX_IMADD:
        return a * b + (v[2] << in->shift);
    case AGX_IMSUB:
        return a * b - (v[2] << in->shift);
    case AGX_SHL:
        return shifted_left(isa_low(a, 32), b & 0x7f);
    case AGX_SHR:
        return shifted_right(isa_low(a, 32), b & 0x7f);
    case AGX_ASR:
        return shifted_signed(isa_signed(a, in->src[0].bits), b & 0x7f);
    case AGX_ASRH:
        return shifted_signed((int64_t)((uint64_t)isa_signed(a, in->src[0].bits) << 32), b & 0x7f);
    case AGX_NOT:
        return ~a;
    case AGX_MOV:
        return a;
    case AGX_ZERO:
        return 0;
    case AGX_ONE:
        return UINT64_MAX;
    case AGX_AND:
        return a & b;
    case AGX_ANDN1:
        return ~a & b;
    case AGX_ANDN2:
        return a & ~b;
    case AGX_XOR:
        return a ^ b;
    case AGX_OR:
        return a | b;
    case AGX_NOR:
        return ~(a | b);
    case AGX_XNOR:
        return ~(a ^ b);
    case AGX_ORN1:
        return ~a | b;
    case AGX_ORN2:
        return a | ~b;
    case AGX_NAND:
        return ~(a & b);
    case AGX_BITREV:
        return isa_reversed(isa_low(a, 32), 32);
    case AGX_POPCNT:
        return (uint64_t)__builtin_popcountll(isa_low(a, 32));
    case AGX_FFS:
        return isa_highest(isa_low(a, 32));
    default:
        return bit_field(in, v);
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

static bool is_float(enum agx_id id)
{
    return id >= AGX_FFMA && id <= AGX_RINT;
}

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

static double float_value(enum agx_id id, const double v[3])
{
    switch (id) {
    case AGX_FADD:
    case AGX_HADD:
        return v[0] + v[1];
    case AGX_FMUL:
    case AGX_HMUL:
        return v[0] * v[1];
    case AGX_FFMA:
    case AGX_HFMA:
        return fma(v[0], v[1], v[2]);
    case AGX_FLOOR:
        return floor(v[0]);
    case AGX_CEIL:
        return ceil(v[0]);
    case AGX_TRUNC:
        return trunc(v[0]);
    default: // AGX_RINT
        return nearbyint(v[0]);
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
        out[l] = rounded(in, float_value(in->id, one));
    }
    return true;
}

// ---- conversions ---------------------------------------------------------------

static bool is_conversion(enum agx_id id)
{
    return id >= AGX_U8_TO_F && id <= AGX_F_TO_S32;
}

static bool conversions(struct agx_machine *m, struct agx_wave *w, const struct agx_inst *in,
                        uint64_t out[AGX_LANES])
{
    static const struct {
        bool to_float, is_signed;
        int bits;
    } rows[] = {[AGX_U8_TO_F - AGX_U8_TO_F] = {true, false, 8},
                [AGX_S8_TO_F - AGX_U8_TO_F] = {true, true, 8},
                [AGX_U16_TO_F - AGX_U8_TO_F] = {true, false, 16},
                [AGX_S16_TO_F - AGX_U8_TO_F] = {true, true, 16},
                [AGX_U32_TO_F - AGX_U8_TO_F] = {true, false, 32},
                [AGX_S32_TO_F - AGX_U8_TO_F] = {true, true, 32},
                [AGX_F_TO_U16 - AGX_U8_TO_F] = {false, false, 16},
                [AGX_F_TO_S16 - AGX_U8_TO_F] = {false, true, 16},
                [AGX_F_TO_U32 - AGX_U8_TO_F] = {false, false, 32},
                [AGX_F_TO_S32 - AGX_U8_TO_F] = {false, true, 32}};
    const uint32_t row = in->id - AGX_U8_TO_F;
    const int bits = rows[row].bits;
    uint64_t v[AGX_LANES];
    double x[AGX_LANES];
    if (in->nearest != rows[row].to_float)
        return agx_refuse(m, RAN_UNSUPPORTED, in, "this rounding");
    if (rows[row].to_float ? !agx_source(m, w, in, &in->src[0], 0, v)
                           : !agx_float(m, w, in, &in->src[0], x))
        return false;
    for (uint32_t l = 0; l < AGX_LANES; l++) {
        if (!rows[row].to_float)
            out[l] = rows[row].is_signed ? isa_to_signed(x[l], bits) : isa_to_unsigned(x[l], bits);
        else
            out[l] = rounded(in, rows[row].is_signed ? (double)isa_signed(v[l], (uint32_t)bits)
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

bool agx_alu(struct agx_machine *m, struct agx_wave *w, const struct agx_inst *in)
{
    uint64_t v[AGX_SOURCES][AGX_LANES] = {{0}}, out[AGX_LANES];
    if (in->id == AGX_LDIMM) {
        for (uint32_t l = 0; l < AGX_LANES; l++)
            out[l] = (uint64_t)in->number;
    } else if (in->id == AGX_CSEL) {
        if (!select_values(m, w, in, out))
            return false;
    } else if (is_float(in->id)) {
        if (!floats(m, w, in, out))
            return false;
    } else if (is_conversion(in->id)) {
        if (!conversions(m, w, in, out))
            return false;
    } else {
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
    }
    agx_discard(m, w, in);
    agx_write(w, &in->dst, 0, w->active, out);
    return true;
}
