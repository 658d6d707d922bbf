// SPDX-License-Identifier: Apache-2.0
//
// Half floats, and conversion from floats to integers.
#include "isa_float.h"

double isa_half(uint64_t bits)
{
    const int exponent = (int)(bits >> 10 & 31);
    const double fraction = (double)(bits & 1023);
    double v = exponent == 31  ? (fraction != 0 ? (double)NAN : (double)INFINITY)
               : exponent == 0 ? ldexp(fraction, -24)
                               : ldexp(1024 + fraction, exponent - 25);
    return bits >> 15 & 1 ? -v : v;
}

uint64_t isa_of_half(double v)
{
    const uint64_t sign = signbit(v) ? 0x8000 : 0;
    if (isnan(v))
        return sign | 0x7e00;
    v = fabs(v);
    if (v >= 65520)
        return sign | 0x7c00;
    int exponent;
    frexp(v, &exponent); // v < 2^exponent
    const int unit = exponent < -13 || v == 0 ? -24 : exponent - 11;
    // At most 11 bits; if rounding carries to 2048, the addition below increments the exponent.
    const uint64_t count = (uint64_t)nearbyint(ldexp(v, -unit));
    return sign | (unit == -24 ? count : count - 1024 + ((uint64_t)(unit + 25) << 10));
}

uint64_t isa_to_unsigned(double v, int bits)
{
    const double most = ldexp(1, bits);
    return isnan(v) || v <= -1 ? 0
           : v >= most         ? UINT64_MAX >> (64 - bits)
                               : (uint64_t)trunc(v < 0 ? 0 : v);
}

uint64_t isa_to_signed(double v, int bits)
{
    const double most = ldexp(1, bits - 1);
    return isnan(v)     ? 0
           : v >= most  ? (UINT64_C(1) << (bits - 1)) - 1
           : v <= -most ? 0 - (UINT64_C(1) << (bits - 1))
                        : (uint64_t)(int64_t)v;
}
