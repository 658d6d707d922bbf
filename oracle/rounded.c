// SPDX-License-Identifier: Apache-2.0
//
// Float results that are not exact, for runs with a trace. Computes them with the host's arithmetic
// in double precision and rounds to the result's width: one of the values that an implementation
// may return. Never used for an expectation.
#include "float.h"

#include <math.h>
#include <spirv/unified1/GLSL.std.450.h>
#include <string.h>

static double to_double(uint64_t bits, unsigned width)
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

static uint64_t from_double(double d, unsigned width)
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

static double operand(const struct inst *i, const struct values *v, uint32_t plane, uint32_t lane)
{
    return to_double(plane_of(v, plane)[lane], i->width);
}

uint64_t rounded_in_16(uint64_t bits)
{
    return from_double(to_double(to_half(to_double(bits, 32)), 16), 32);
}

// Returns the contents of memory after an atomic on floats.
uint64_t rounded_atomic(uint32_t op, unsigned width, uint64_t x, uint64_t y)
{
    const double a = to_double(x, width), b = to_double(y, width);
    switch (op) {
    case SpvOpAtomicFAddEXT:
        return from_double(a + b, width);
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
        return to_integer(operand(i, v, i->a + cell, lane), bits);
    case SpvOpConvertSToF:
        *bits = from_double((double)((int64_t)(raw << shift) >> shift), i->width2);
        return true;
    case SpvOpConvertUToF:
        *bits = from_double((double)raw, i->width2);
        return true;
    case SpvOpFConvert:
        *bits = from_double(operand(i, v, i->a + cell, lane), i->width2);
        return true;
    case SpvOpQuantizeToF16:
        *bits = from_double(to_double(to_half(operand(i, v, i->a + cell, lane)), 16), i->width2);
        return true;
    case SpvOpIsNan:
        *bits = (uint64_t)(bool)isnan(operand(i, v, i->a + cell, lane));
        return true;
    case SpvOpIsInf:
        *bits = (uint64_t)(bool)isinf(operand(i, v, i->a + cell, lane));
        return true;
    default:
        return false;
    }
}

// ---- instructions -----------------------------------------------------------------

static bool compared(uint32_t op, double x, double y, uint64_t *bits)
{
    const bool no = isnan(x) || isnan(y);
    switch (op) {
    case SpvOpFOrdEqual:
        *bits = x == y;
        return true;
    case SpvOpFUnordEqual:
        *bits = no || x == y;
        return true;
    case SpvOpFOrdNotEqual:
        *bits = !no && x != y;
        return true;
    case SpvOpFUnordNotEqual:
        *bits = no || x != y;
        return true;
    case SpvOpFOrdLessThan:
        *bits = x < y;
        return true;
    case SpvOpFUnordLessThan:
        *bits = no || x < y;
        return true;
    case SpvOpFOrdGreaterThan:
        *bits = x > y;
        return true;
    case SpvOpFUnordGreaterThan:
        *bits = no || x > y;
        return true;
    case SpvOpFOrdLessThanEqual:
        *bits = x <= y;
        return true;
    case SpvOpFUnordLessThanEqual:
        *bits = no || x <= y;
        return true;
    case SpvOpFOrdGreaterThanEqual:
        *bits = x >= y;
        return true;
    case SpvOpFUnordGreaterThanEqual:
        *bits = no || x >= y;
        return true;
    default:
        return false;
    }
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
        sum += operand(i, v, i->a + t.a + k * t.a_step, lane) *
               operand(i, v, i->b + t.b + k * t.b_step, lane);
    *bits = from_double(sum, i->width2);
    return true;
}

// ---- GLSL.std.450 -----------------------------------------------------------------

static bool by_number(uint32_t op, double x, double y, double z, double *r)
{
    const double pi = 3.14159265358979323846;
    switch (op) {
    case GLSLstd450Radians:
        *r = x * pi / 180;
        return true;
    case GLSLstd450Degrees:
        *r = x * 180 / pi;
        return true;
    case GLSLstd450Sin:
        *r = sin(x);
        return true;
    case GLSLstd450Cos:
        *r = cos(x);
        return true;
    case GLSLstd450Tan:
        *r = tan(x);
        return true;
    case GLSLstd450Asin:
        *r = asin(x);
        return true;
    case GLSLstd450Acos:
        *r = acos(x);
        return true;
    case GLSLstd450Atan:
        *r = atan(x);
        return true;
    case GLSLstd450Sinh:
        *r = sinh(x);
        return true;
    case GLSLstd450Cosh:
        *r = cosh(x);
        return true;
    case GLSLstd450Tanh:
        *r = tanh(x);
        return true;
    case GLSLstd450Asinh:
        *r = asinh(x);
        return true;
    case GLSLstd450Acosh:
        *r = acosh(x);
        return true;
    case GLSLstd450Atanh:
        *r = atanh(x);
        return true;
    case GLSLstd450Atan2:
        *r = atan2(x, y);
        return true;
    case GLSLstd450Pow:
        *r = pow(x, y);
        return true;
    case GLSLstd450Exp:
        *r = exp(x);
        return true;
    case GLSLstd450Log:
        *r = log(x);
        return true;
    case GLSLstd450Exp2:
        *r = exp2(x);
        return true;
    case GLSLstd450Log2:
        *r = log2(x);
        return true;
    case GLSLstd450Sqrt:
        *r = sqrt(x);
        return true;
    case GLSLstd450InverseSqrt:
        *r = 1 / sqrt(x);
        return true;
    case GLSLstd450FMix:
        *r = x * (1 - z) + y * z;
        return true;
    case GLSLstd450Fma:
        *r = x * y + z;
        return true;
    case GLSLstd450Fract:
        *r = x - floor(x);
        return true;
    case GLSLstd450FAbs:
        *r = fabs(x);
        return true;
    case GLSLstd450FSign:
        *r = x > 0 ? 1 : x < 0 ? -1 : 0;
        return true;
    case GLSLstd450Floor:
        *r = floor(x);
        return true;
    case GLSLstd450Ceil:
        *r = ceil(x);
        return true;
    case GLSLstd450Trunc:
        *r = trunc(x);
        return true;
    case GLSLstd450Round:
        *r = round(x);
        return true;
    case GLSLstd450RoundEven:
        *r = nearbyint(x);
        return true;
    case GLSLstd450FMin:
    case GLSLstd450NMin:
        *r = fmin(x, y);
        return true;
    case GLSLstd450FMax:
    case GLSLstd450NMax:
        *r = fmax(x, y);
        return true;
    case GLSLstd450FClamp:
    case GLSLstd450NClamp:
        *r = fmin(fmax(x, y), z);
        return true;
    case GLSLstd450Step:
        *r = y < x ? 0 : 1;
        return true;
    case GLSLstd450SmoothStep: {
        const double t = fmin(fmax((z - x) / (y - x), 0), 1);
        *r = t * t * (3 - 2 * t);
        return true;
    }
    default:
        return false;
    }
}

// Returns the determinant of the square matrix of `n` columns (at most 4) that is left of x without
// the columns and rows in the masks. x: by column.
static double minor(const double *x, uint32_t n, uint32_t columns, uint32_t rows)
{
    double sum = 0, sign = 1;
    uint32_t c = 0;
    while (c < n && columns >> c & 1)
        c++;
    for (uint32_t r = 0; r < n && c < n; r++) {
        if (rows >> r & 1)
            continue;
        sum += sign * x[c * n + r] * minor(x, n, columns | 1u << c, rows | 1u << r);
        sign = -sign;
    }
    return c < n ? sum : 1;
}

// Determinant and MatrixInverse (the adjugate divided by the determinant).
static bool of_matrix(const struct inst *i, const struct values *v, uint32_t cell, uint32_t lane,
                      double *r)
{
    double x[16];
    const uint32_t n = i->n == 16 ? 4 : i->n == 9 ? 3 : 2;
    if (n * n != i->n || (i->op != GLSLstd450Determinant && i->op != GLSLstd450MatrixInverse))
        return false;
    for (uint32_t k = 0; k < n * n; k++)
        x[k] = operand(i, v, i->a + k, lane);
    *r = minor(x, n, 0, 0);
    if (i->op == GLSLstd450MatrixInverse) {
        const uint32_t column = cell / n, row = cell % n;
        const double sign = (column + row) % 2 ? -1 : 1;
        *r = sign * minor(x, n, 1u << row, 1u << column) / *r;
    }
    return true;
}

// Modf and Frexp: cells of the first member, then of the second.
static bool of_two(const struct inst *i, const struct values *v, uint32_t cell, uint32_t lane,
                   uint64_t *bits)
{
    const uint32_t n = i->comps;
    const double x = operand(i, v, i->a + cell % n, lane);
    int exponent = 0;
    if (i->op == GLSLstd450ModfStruct) {
        const double whole = trunc(x);
        *bits = from_double(cell >= n ? whole : isinf(x) ? copysign(0, x) : x - whole, i->width);
        return true;
    }
    const double significand = isfinite(x) ? frexp(x, &exponent) : x;
    *bits = cell < n ? from_double(significand, i->width) : (uint32_t)exponent;
    return true;
}

// Operations on all components of vectors; i->n: number of components of the first operand.
static bool of_vectors(const struct inst *i, const struct values *v, uint32_t cell, uint32_t lane,
                       double *r)
{
    const uint32_t n = i->n;
    double xx = 0, xy = 0, dd = 0;
    for (uint32_t k = 0; k < n; k++) {
        const double x = operand(i, v, i->a + k, lane),
                     y = i->b ? operand(i, v, i->b + k, lane) : 0;
        xx += x * x, xy += x * y, dd += (x - y) * (x - y);
    }
    const double x = operand(i, v, i->a + cell, lane);
    switch (i->op) {
    case GLSLstd450Length:
        *r = sqrt(xx);
        return true;
    case GLSLstd450Distance:
        *r = sqrt(dd);
        return true;
    case GLSLstd450Normalize:
        *r = x / sqrt(xx);
        return true;
    case GLSLstd450Reflect:
        *r = x - 2 * xy * operand(i, v, i->b + cell, lane);
        return true;
    case GLSLstd450FaceForward: // N, I, Nref
        xy = 0;
        for (uint32_t k = 0; k < n; k++)
            xy += operand(i, v, i->b + k, lane) * operand(i, v, i->c + k, lane);
        *r = xy < 0 ? x : -x;
        return true;
    case GLSLstd450Refract: { // I, N, eta
        const double eta = operand(i, v, i->c, lane), k = 1 - eta * eta * (1 - xy * xy);
        *r = k < 0 ? 0 : eta * x - (eta * xy + sqrt(k)) * operand(i, v, i->b + cell, lane);
        return true;
    }
    case GLSLstd450Cross: {
        const uint32_t a = (cell + 1) % 3, b = (cell + 2) % 3;
        *r = operand(i, v, i->a + a, lane) * operand(i, v, i->b + b, lane) -
             operand(i, v, i->a + b, lane) * operand(i, v, i->b + a, lane);
        return true;
    }
    default:
        return false;
    }
}

static bool unpacked(const struct inst *i, uint64_t word, uint32_t cell, double *r)
{
    switch (i->op) {
    case GLSLstd450UnpackHalf2x16:
        *r = to_double(word >> (16 * cell) & 0xffff, 16);
        return true;
    case GLSLstd450UnpackUnorm4x8:
        *r = (double)(word >> (8 * cell) & 0xff) / 255;
        return true;
    case GLSLstd450UnpackUnorm2x16:
        *r = (double)(word >> (16 * cell) & 0xffff) / 65535;
        return true;
    case GLSLstd450UnpackSnorm4x8:
        *r = fmax((double)(int8_t)(word >> (8 * cell)) / 127, -1);
        return true;
    case GLSLstd450UnpackSnorm2x16:
        *r = fmax((double)(int16_t)(word >> (16 * cell)) / 32767, -1);
        return true;
    default:
        return false;
    }
}

static bool packed(const struct inst *i, const struct values *v, uint32_t lane, uint64_t *bits)
{
    *bits = 0;
    for (uint32_t k = 0; k < i->n; k++) {
        const double x = operand(i, v, i->a + k, lane);
        switch (i->op) {
        case GLSLstd450PackHalf2x16:
            *bits |= to_half(x) << (16 * k);
            break;
        case GLSLstd450PackUnorm4x8:
            *bits |= (uint64_t)nearbyint(fmin(fmax(x, 0), 1) * 255) << (8 * k);
            break;
        case GLSLstd450PackUnorm2x16:
            *bits |= (uint64_t)nearbyint(fmin(fmax(x, 0), 1) * 65535) << (16 * k);
            break;
        case GLSLstd450PackSnorm4x8:
            *bits |= ((uint64_t)(int64_t)nearbyint(fmin(fmax(x, -1), 1) * 127) & 0xff) << (8 * k);
            break;
        case GLSLstd450PackSnorm2x16:
            *bits |= ((uint64_t)(int64_t)nearbyint(fmin(fmax(x, -1), 1) * 32767) & 0xffff)
                     << (16 * k);
            break;
        default:
            return false;
        }
    }
    return i->n > 0; // false for operations that do not pack
}

static bool extended(const struct inst *i, const struct values *v, uint32_t cell, uint32_t lane,
                     uint64_t *bits)
{
    double r;
    if (i->op == GLSLstd450ModfStruct || i->op == GLSLstd450FrexpStruct)
        return of_two(i, v, cell, lane, bits);
    if (i->op == GLSLstd450Ldexp) {
        const unsigned shift = 64u - (unsigned)i->n;
        const int64_t n = (int64_t)(plane_of(v, i->b + cell)[lane] << shift) >> shift;
        r = ldexp(operand(i, v, i->a + cell, lane), n < -5000 ? -5000 : n > 5000 ? 5000 : (int)n);
    } else if (packed(i, v, lane, bits)) {
        return true;
    } else if (!unpacked(i, plane_of(v, i->a)[lane], cell, &r) &&
               !of_matrix(i, v, cell, lane, &r) && !of_vectors(i, v, cell, lane, &r)) {
        const double x = operand(i, v, i->a + cell, lane),
                     y = i->b ? operand(i, v, i->b + cell, lane) : 0,
                     z = i->c ? operand(i, v, i->c + cell, lane) : 0;
        if (!by_number(i->op, x, y, z, &r))
            return false;
    }
    *bits = from_double(r, i->width2);
    return true;
}

bool rounded_value(const struct inst *i, const struct values *v, uint32_t cell, uint32_t lane,
                   uint64_t *bits)
{
    double r;
    if (i->klass == IN_FLOAT_GLSL)
        return extended(i, v, cell, lane, bits);
    uint32_t operands;
    switch (float_knows(i->op, &operands)) {
    case FLOAT_LINEAR:
        return summed(i, v, cell, lane, bits);
    case FLOAT_TEST:
        if (operands == 2)
            return compared(i->op, operand(i, v, i->a + cell, lane),
                            operand(i, v, i->b + cell, lane), bits);
        return converted(i, v, cell, lane, bits);
    case FLOAT_SAME:
        if (!plain(i->op, operand(i, v, i->a + cell, lane),
                   operands > 1 ? operand(i, v, i->b + cell, lane) : 0, &r))
            return false;
        *bits = from_double(r, i->width2);
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
    const double x = operand(i, v, plane, lane | 1) - operand(i, v, plane, lane & ~1u),
                 y = operand(i, v, plane, lane | 2) - operand(i, v, plane, lane & ~2u);
    switch (i->op) {
    case SpvOpDPdx:
    case SpvOpDPdxFine:
    case SpvOpDPdxCoarse:
        *bits = from_double(x, i->width);
        return true;
    case SpvOpDPdy:
    case SpvOpDPdyFine:
    case SpvOpDPdyCoarse:
        *bits = from_double(y, i->width);
        return true;
    default:
        *bits = from_double(fabs(x) + fabs(y), i->width);
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
        const double x = operand(i, v, i->a + cell, l);
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
    *bits = from_double(r, i->width);
    return true;
}
