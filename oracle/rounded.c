// SPDX-License-Identifier: Apache-2.0
//
// Rounded floats (rounded.h): arithmetic, conversions, derivatives and group operations.
#include "rounded.h"

#include <math.h>
#include <string.h>

double rounded_number(uint64_t bits, unsigned width)
{
    if (width == 64) {
        double d;
        memcpy(&d, &bits, sizeof d);
        return d;
    }
    if (width == 32) {
        const uint32_t word = (uint32_t)bits;
        float f;
        memcpy(&f, &word, sizeof f);
        return (double)f;
    }
    const int exponent = bits >> 10 & 31;
    const double fraction = (double)(bits & 1023), sign = bits & 0x8000 ? -1 : 1;
    if (exponent == 31)
        return fraction > 0 ? (double)NAN : sign * (double)INFINITY;
    return sign * (exponent ? ldexp(1024 + fraction, exponent - 25) : ldexp(fraction, -24));
}

static uint64_t to_half(double d)
{
    const uint64_t sign = signbit(d) ? 0x8000 : 0;
    int exponent;
    d = fabs(d);
    if (isnan(d))
        return sign | 0x7e00;
    if (d >= 65520)
        return sign | 0x7c00;
    if (d < 0x1p-14)
        return sign | (uint64_t)nearbyint(ldexp(d, 24));
    frexp(d, &exponent); // d in [2^(exponent - 1), 2^exponent)
    const uint64_t m = (uint64_t)nearbyint(ldexp(d, 11 - exponent)); // 1024 .. 2048
    return sign | (((uint64_t)(exponent + 13) << 10) + m);
}

uint64_t rounded_bits(double d, unsigned width)
{
    if (width == 64) {
        uint64_t bits;
        memcpy(&bits, &d, sizeof bits);
        return bits;
    }
    if (width == 32) {
        const float f = (float)d;
        uint32_t word;
        memcpy(&word, &f, sizeof word);
        return word;
    }
    return to_half(d);
}

double rounded_operand(const struct inst *i, const struct values *v, uint32_t plane, uint32_t lane)
{
    return rounded_number(plane_of(v, plane)[lane], i->width);
}

uint64_t rounded_in_16(uint64_t bits)
{
    return rounded_bits(rounded_number(to_half(rounded_number(bits, 32)), 16), 32);
}

// Returns the contents of memory after an atomic on floats.
uint64_t rounded_atomic(uint32_t op, unsigned width, uint64_t x, uint64_t y)
{
    const double a = rounded_number(x, width), b = rounded_number(y, width);
    switch (op) {
    case SpvOpAtomicFAddEXT:
        return rounded_bits(a + b, width);
    case SpvOpAtomicFMinEXT:
        return isnan(a) || b < a ? y : x;
    default:
        return isnan(a) || b > a ? y : x;
    }
}

// ---- conversions ------------------------------------------------------------------

// Conversion of a number whose exact conversion is undefined: returns 0 for a denormal; false for
// others.
static bool to_integer(double x, uint64_t *bits)
{
    *bits = 0;
    return fabs(x) < 1;
}

static bool converted(const struct inst *i, const struct values *v, uint32_t cell, uint32_t lane,
                      uint64_t *bits)
{
    const uint64_t raw = plane_of(v, i->a + cell)[lane];
    const unsigned shift = 64u - i->width;
    switch (i->op) {
    case SpvOpConvertFToS:
    case SpvOpConvertFToU:
        return to_integer(rounded_operand(i, v, i->a + cell, lane), bits);
    case SpvOpConvertSToF:
        *bits = rounded_bits((double)((int64_t)(raw << shift) >> shift), i->width2);
        return true;
    case SpvOpConvertUToF:
        *bits = rounded_bits((double)raw, i->width2);
        return true;
    case SpvOpFConvert:
        *bits = rounded_bits(rounded_operand(i, v, i->a + cell, lane), i->width2);
        return true;
    case SpvOpQuantizeToF16:
        *bits = rounded_bits(rounded_number(to_half(rounded_operand(i, v, i->a + cell, lane)), 16),
                             i->width2);
        return true;
    case SpvOpIsNan:
        *bits = (uint64_t)(bool)isnan(rounded_operand(i, v, i->a + cell, lane));
        return true;
    case SpvOpIsInf:
        *bits = (uint64_t)(bool)isinf(rounded_operand(i, v, i->a + cell, lane));
        return true;
    default:
        return false;
    }
}

// ---- instructions -----------------------------------------------------------------

static bool compared(uint32_t op, double x, double y, uint64_t *bits)
{
    static const struct {
        uint16_t op;
        bool unordered, less, equal, greater; // the result where the operands compare so
    } rows[] = {
        {SpvOpFOrdEqual, false, false, true, false},
        {SpvOpFUnordEqual, true, false, true, false},
        {SpvOpFOrdNotEqual, false, true, false, true},
        {SpvOpFUnordNotEqual, true, true, false, true},
        {SpvOpFOrdLessThan, false, true, false, false},
        {SpvOpFUnordLessThan, true, true, false, false},
        {SpvOpFOrdGreaterThan, false, false, false, true},
        {SpvOpFUnordGreaterThan, true, false, false, true},
        {SpvOpFOrdLessThanEqual, false, true, true, false},
        {SpvOpFUnordLessThanEqual, true, true, true, false},
        {SpvOpFOrdGreaterThanEqual, false, false, true, true},
        {SpvOpFUnordGreaterThanEqual, true, false, true, true},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        if (rows[k].op == op) {
            *bits = isnan(x) || isnan(y) ? rows[k].unordered
                    : x < y              ? rows[k].less
                    : x > y              ? rows[k].greater
                                         : rows[k].equal;
            return true;
        }
    return false;
}

static bool plain(uint32_t op, double x, double y, double *r)
{
    switch (op) {
    case SpvOpFNegate:
        *r = -x;
        return true;
    case SpvOpFAdd:
        *r = x + y;
        return true;
    case SpvOpFSub:
        *r = x - y;
        return true;
    case SpvOpFMul:
        *r = x * y;
        return true;
    case SpvOpFDiv:
        *r = x / y;
        return true;
    case SpvOpFRem:
        *r = fmod(x, y);
        return true;
    case SpvOpFMod:
        *r = x - y * floor(x / y);
        return true;
    default:
        return false;
    }
}

static bool summed(const struct inst *i, const struct values *v, uint32_t cell, uint32_t lane,
                   uint64_t *bits)
{
    const struct terms t = float_terms(i, cell);
    double sum = 0;
    for (uint32_t k = 0; k < t.count; k++)
        sum += rounded_operand(i, v, i->a + t.a + k * t.a_step, lane) *
               rounded_operand(i, v, i->b + t.b + k * t.b_step, lane);
    *bits = rounded_bits(sum, i->width2);
    return true;
}

bool rounded_value(const struct inst *i, const struct values *v, uint32_t cell, uint32_t lane,
                   uint64_t *bits)
{
    double r;
    if (i->klass == IN_FLOAT_GLSL)
        return rounded_glsl(i, v, cell, lane, bits);
    uint32_t operands;
    switch (float_knows(i->op, &operands)) {
    case FLOAT_LINEAR:
        return summed(i, v, cell, lane, bits);
    case FLOAT_TEST:
        if (operands == 2)
            return compared(i->op, rounded_operand(i, v, i->a + cell, lane),
                            rounded_operand(i, v, i->b + cell, lane), bits);
        return converted(i, v, cell, lane, bits);
    case FLOAT_SAME:
        if (!plain(i->op, rounded_operand(i, v, i->a + cell, lane),
                   operands > 1 ? rounded_operand(i, v, i->b + cell, lane) : 0, &r))
            return false;
        *bits = rounded_bits(r, i->width2);
        return true;
    default:
        return converted(i, v, cell, lane, bits);
    }
}

// ---- groups -------------------------------------------------------------------------

// Computes a derivative from the lane's own differences, as fine derivatives do (R9), also if it is
// zero or rounded.
static bool derivative(const struct inst *i, const struct values *v, uint32_t cell, uint32_t lane,
                       uint64_t *bits)
{
    const uint32_t plane = i->a + cell;
    const double x = rounded_operand(i, v, plane, lane | 1) -
                     rounded_operand(i, v, plane, lane & ~1u),
                 y = rounded_operand(i, v, plane, lane | 2) -
                     rounded_operand(i, v, plane, lane & ~2u);
    switch (i->op) {
    case SpvOpDPdx:
    case SpvOpDPdxFine:
    case SpvOpDPdxCoarse:
        *bits = rounded_bits(x, i->width);
        return true;
    case SpvOpDPdy:
    case SpvOpDPdyFine:
    case SpvOpDPdyCoarse:
        *bits = rounded_bits(y, i->width);
        return true;
    default:
        *bits = rounded_bits(fabs(x) + fabs(y), i->width);
        return true;
    }
}

bool rounded_group(const struct inst *i, const struct values *v, uint32_t cell, uint32_t lane,
                   uint64_t *bits)
{
    if (spv_group_find(i->op)->klass == SPV_GROUP_DERIVATIVE)
        return derivative(i, v, cell, lane, bits);
    const bool inclusive = i->group_op == SpvGroupOperationInclusiveScan,
               exclusive = i->group_op == SpvGroupOperationExclusiveScan;
    lane_mask members = v->active;
    if (i->group_op == SpvGroupOperationClusteredReduce && i->cluster > v->lanes)
        return false; // undefined
    if (i->group_op == SpvGroupOperationClusteredReduce)
        members &= lanes_below((lane / i->cluster + 1) * i->cluster) &
                   ~lanes_below(lane / i->cluster * i->cluster);
    else if (inclusive || exclusive)
        members &= lanes_below(lane + inclusive);
    else if (i->group_op != SpvGroupOperationReduce)
        return false;
    double r = i->op == SpvOpGroupNonUniformFMul   ? 1
               : i->op == SpvOpGroupNonUniformFMin ? (double)INFINITY
               : i->op == SpvOpGroupNonUniformFMax ? -(double)INFINITY
                                                   : 0;
    LANES_EACH (l, members) {
        const double x = rounded_operand(i, v, i->a + cell, l);
        switch (i->op) {
        case SpvOpGroupNonUniformFAdd:
            r += x;
            break;
        case SpvOpGroupNonUniformFMul:
            r *= x;
            break;
        case SpvOpGroupNonUniformFMin:
            r = fmin(r, x);
            break;
        case SpvOpGroupNonUniformFMax:
            r = fmax(r, x);
            break;
        default:
            return false;
        }
    }
    *bits = rounded_bits(r, i->width);
    return true;
}
