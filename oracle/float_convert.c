// SPDX-License-Identifier: Apache-2.0
//
// Conversions to, from and between floats, and packing and unpacking. Input, output and definedness
// as in float.c.
#include "float.h"

#include <spirv/unified1/GLSL.std.450.h>

// ---- conversions (3.3.11) ---------------------------------------------------------

// Converts to an integer. False if the number is unknown or outside the type's range.
static bool to_integer(struct exact x, unsigned width, bool is_signed, uint64_t *value)
{
    struct exact t = exact_trunc(x);
    if (!t.ok)
        return false;
    if (exact_is_zero(t)) {
        *value = 0;
        return true;
    }
    int top = exact_top(t);
    bool lowest = t.neg && t.m == 1 && top == (int)width; // -2^(width - 1)
    if ((t.neg && !is_signed) || (top > (int)width - is_signed && !(is_signed && lowest)))
        return false;
    *value = (uint64_t)(t.m << t.e);
    if (t.neg)
        *value = 0 - *value;
    *value &= width < 64 ? ((uint64_t)1 << width) - 1 : ~UINT64_C(0);
    return true;
}

static bool convert_lane(const struct inst *i, const struct values *v, uint32_t k, uint32_t l)
{
    uint64_t bits = plane_of(v, i->a + k)[l], half;
    unsigned shift = 64u - i->width;
    switch (i->op) {
    case SpvOpConvertFToS:
    case SpvOpConvertFToU:
        return to_integer(float_operand(i, v, i->a + k, l), i->width2, i->op == SpvOpConvertFToS,
                          &plane_of(v, i->dst + k)[l]);
    case SpvOpConvertSToF:
        return float_put(v, i->dst + k, l, exact_int((int64_t)(bits << shift) >> shift), i->width2,
                         true);
    case SpvOpConvertUToF:
        return float_put(v, i->dst + k, l, exact_make(false, bits, 0), i->width2, true);
    case SpvOpFConvert:
        return float_put(v, i->dst + k, l, float_operand(i, v, i->a + k, l), i->width2, true);
    case SpvOpQuantizeToF16: {
        struct exact x = float_operand(i, v, i->a + k, l);
        return exact_encode(x, 16, &half) && float_put(v, i->dst + k, l, x, i->width2, true);
    }
    default: { // OpIsNan, OpIsInf: a module may declare that neither occurs
        int stored = i->width == 16 ? 10 : i->width == 32 ? 23 : 52;
        uint64_t exponent = (bits << shift) << 1 >> (1 + shift + (unsigned)stored);
        plane_of(v, i->dst + k)[l] = 0;
        return exponent != ((uint64_t)1 << (i->width - 1 - (unsigned)stored)) - 1;
    }
    }
}

static void convert(const struct inst *i, const struct values *v)
{
    for (uint32_t k = 0; k < i->comps; k++) {
        lane_mask ok = 0;
        LANES_EACH (l, v->active & v->defined[i->a + k])
            ok |= convert_lane(i, v, k, l) ? lane_bit(l) : 0;
        define(v, i->dst + k, ok);
    }
}

// ---- GLSL.std.450 with results of another shape -----------------------------------

// FrexpStruct, ModfStruct: results with two members.
static void split(const struct inst *i, const struct values *v)
{
    for (uint32_t k = 0; k < i->comps; k++) {
        lane_mask ok = 0, ok2 = 0;
        uint32_t second = i->dst + i->comps + k;
        LANES_EACH (l, v->active) {
            struct exact x = float_operand(i, v, i->a + k, l);
            if (!x.ok || exact_is_zero(x))
                continue;
            if (i->op == GLSLstd450ModfStruct) {
                struct exact whole = exact_trunc(x);
                struct exact rest = exact_add(x, exact_negate(whole));
                ok |= float_put(v, i->dst + k, l, rest, i->width, false) ? lane_bit(l) : 0;
                ok2 |= float_put(v, second, l, whole, i->width, false) ? lane_bit(l) : 0;
                continue;
            }
            int exponent = exact_top(x); // significand in [0.5, 1)
            x.e -= exponent;
            ok |= float_put(v, i->dst + k, l, x, i->width, false) ? lane_bit(l) : 0;
            plane_of(v, second)[l] = (uint64_t)(int64_t)exponent & UINT32_MAX;
            ok2 |= lane_bit(l);
        }
        define(v, i->dst + k, ok);
        define(v, second, ok2);
    }
}

// Ldexp: x * 2^n, if 2^n is a normal number of the type, so that every implementation is exact.
static void scale(const struct inst *i, const struct values *v)
{
    const int64_t limit = i->width == 16 ? 14 : i->width == 32 ? 126 : 1022;
    for (uint32_t k = 0; k < i->comps; k++) {
        lane_mask ok = 0;
        unsigned shift = 64u - (unsigned)i->n; // n: width of the exponent
        LANES_EACH (l, v->active & v->defined[i->b + k]) {
            struct exact x = float_operand(i, v, i->a + k, l);
            int64_t n = (int64_t)(plane_of(v, i->b + k)[l] << shift) >> shift;
            if (!x.ok || n < -limit || n > limit)
                continue;
            x.e += (int)n;
            ok |= float_put(v, i->dst + k, l, x, i->width2, false) ? lane_bit(l) : 0;
        }
        define(v, i->dst + k, ok);
    }
}

// PackHalf2x16; PackSnorm and PackUnorm at the ends of their range, where the product and its
// rounding do not matter.
static bool pack_one(const struct inst *i, struct exact x, uint64_t *bits)
{
    bool is_signed = i->op == GLSLstd450PackSnorm4x8 || i->op == GLSLstd450PackSnorm2x16;
    unsigned width = i->n == 4 ? 8 : 16;
    uint64_t mask = ((uint64_t)1 << width) - 1, most = is_signed ? mask >> 1 : mask;
    if (i->op == GLSLstd450PackHalf2x16)
        return exact_encode(x, 16, bits) && !(exact_is_zero(x) && x.neg);
    if (!x.ok)
        return false;
    if (exact_compare(x, exact_int(1)) >= 0)
        *bits = most;
    else if (exact_is_zero(x) || (!is_signed && x.neg))
        *bits = 0;
    else if (is_signed && exact_compare(x, exact_int(-1)) <= 0)
        *bits = (0 - most) & mask;
    else
        return false;
    return true;
}

static void pack(const struct inst *i, const struct values *v)
{
    lane_mask ok = 0;
    LANES_EACH (l, v->active) {
        uint64_t word = 0, bits = 0;
        bool good = true;
        for (uint32_t k = 0; k < i->n; k++) {
            good = good && pack_one(i, float_operand(i, v, i->a + k, l), &bits);
            word |= bits << (k * (i->n == 4 ? 8 : 16));
        }
        plane_of(v, i->dst)[l] = word;
        ok |= good ? lane_bit(l) : 0;
    }
    define(v, i->dst, ok);
}

static void unpack_half(const struct inst *i, const struct values *v)
{
    for (uint32_t k = 0; k < 2; k++) {
        lane_mask ok = 0;
        LANES_EACH (l, v->active & v->defined[i->a]) {
            struct exact x = exact_decode(plane_of(v, i->a)[l] >> (16 * k) & 0xffff, 16);
            ok |= float_put(v, i->dst + k, l, x, 32, true) ? lane_bit(l) : 0;
        }
        define(v, i->dst + k, ok);
    }
}

bool convert_run(const struct inst *i, const struct values *v)
{
    switch (i->op) {
    case SpvOpConvertFToS:
    case SpvOpConvertFToU:
    case SpvOpConvertSToF:
    case SpvOpConvertUToF:
    case SpvOpFConvert:
    case SpvOpQuantizeToF16:
    case SpvOpIsNan:
    case SpvOpIsInf:
        convert(i, v);
        return true;
    default:
        return false;
    }
}

void convert_run_glsl(const struct inst *i, const struct values *v)
{
    switch (i->op) {
    case GLSLstd450FrexpStruct:
    case GLSLstd450ModfStruct:
        split(i, v);
        break;
    case GLSLstd450Ldexp:
        scale(i, v);
        break;
    case GLSLstd450PackSnorm4x8:
    case GLSLstd450PackUnorm4x8:
    case GLSLstd450PackSnorm2x16:
    case GLSLstd450PackUnorm2x16:
    case GLSLstd450PackHalf2x16:
        pack(i, v);
        break;
    default: // GLSLstd450UnpackHalf2x16
        unpack_half(i, v);
        break;
    }
}
