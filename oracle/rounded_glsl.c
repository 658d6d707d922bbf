// SPDX-License-Identifier: Apache-2.0
//
// Rounded floats (rounded.h): the instructions of GLSL.std.450.
#include "rounded.h"

#include <math.h>
#include <spirv/unified1/GLSL.std.450.h>
#include <string.h>

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
        x[k] = rounded_operand(i, v, i->a + k, lane);
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
    const double x = rounded_operand(i, v, i->a + cell % n, lane);
    int exponent = 0;
    if (i->op == GLSLstd450ModfStruct) {
        const double whole = trunc(x);
        *bits = rounded_bits(cell >= n ? whole : isinf(x) ? copysign(0, x) : x - whole, i->width);
        return true;
    }
    const double significand = isfinite(x) ? frexp(x, &exponent) : x;
    *bits = cell < n ? rounded_bits(significand, i->width) : (uint32_t)exponent;
    return true;
}

// Operations on all components of vectors; i->n: number of components of the first operand.
static bool of_vectors(const struct inst *i, const struct values *v, uint32_t cell, uint32_t lane,
                       double *r)
{
    const uint32_t n = i->n;
    double xx = 0, xy = 0, dd = 0;
    for (uint32_t k = 0; k < n; k++) {
        const double x = rounded_operand(i, v, i->a + k, lane),
                     y = i->b ? rounded_operand(i, v, i->b + k, lane) : 0;
        xx += x * x, xy += x * y, dd += (x - y) * (x - y);
    }
    const double x = rounded_operand(i, v, i->a + cell, lane);
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
        *r = x - 2 * xy * rounded_operand(i, v, i->b + cell, lane);
        return true;
    case GLSLstd450FaceForward: // N, I, Nref
        xy = 0;
        for (uint32_t k = 0; k < n; k++)
            xy += rounded_operand(i, v, i->b + k, lane) * rounded_operand(i, v, i->c + k, lane);
        *r = xy < 0 ? x : -x;
        return true;
    case GLSLstd450Refract: { // I, N, eta
        const double eta = rounded_operand(i, v, i->c, lane), k = 1 - eta * eta * (1 - xy * xy);
        *r = k < 0 ? 0 : eta * x - (eta * xy + sqrt(k)) * rounded_operand(i, v, i->b + cell, lane);
        return true;
    }
    case GLSLstd450Cross: {
        const uint32_t a = (cell + 1) % 3, b = (cell + 2) % 3;
        *r = rounded_operand(i, v, i->a + a, lane) * rounded_operand(i, v, i->b + b, lane) -
             rounded_operand(i, v, i->a + b, lane) * rounded_operand(i, v, i->b + a, lane);
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
        *r = rounded_number(word >> (16 * cell) & 0xffff, 16);
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
        const double x = rounded_operand(i, v, i->a + k, lane);
        switch (i->op) {
        case GLSLstd450PackHalf2x16:
            *bits |= rounded_bits(x, 16) << (16 * k);
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

bool rounded_glsl(const struct inst *i, const struct values *v, uint32_t cell, uint32_t lane,
                  uint64_t *bits)
{
    double r;
    if (i->op == GLSLstd450ModfStruct || i->op == GLSLstd450FrexpStruct)
        return of_two(i, v, cell, lane, bits);
    if (i->op == GLSLstd450Ldexp) {
        const unsigned shift = 64u - (unsigned)i->n;
        const int64_t n = (int64_t)(plane_of(v, i->b + cell)[lane] << shift) >> shift;
        r = ldexp(rounded_operand(i, v, i->a + cell, lane), n < -5000  ? -5000
                                                            : n > 5000 ? 5000
                                                                       : (int)n);
    } else if (packed(i, v, lane, bits)) {
        return true;
    } else if (!unpacked(i, plane_of(v, i->a)[lane], cell, &r) &&
               !of_matrix(i, v, cell, lane, &r) && !of_vectors(i, v, cell, lane, &r)) {
        const double x = rounded_operand(i, v, i->a + cell, lane),
                     y = i->b ? rounded_operand(i, v, i->b + cell, lane) : 0,
                     z = i->c ? rounded_operand(i, v, i->c + cell, lane) : 0;
        if (!by_number(i->op, x, y, z, &r))
            return false;
    }
    *bits = rounded_bits(r, i->width2);
    return true;
}
