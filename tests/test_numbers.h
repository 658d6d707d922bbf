// SPDX-License-Identifier: Apache-2.0
//
// Numbers as words, for tests that know by themselves what an instruction gives: integers of up to
// 64 bits, and floats through the machine's own.
#ifndef TF_TEST_NUMBERS_H
#define TF_TEST_NUMBERS_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

// A float of 16, 32 or 64 bits as a double: exact. And back, to the nearest even.
static double float_of(uint64_t bits, unsigned width)
{
    if (width == 64) {
        double d;
        memcpy(&d, &bits, sizeof d);
        return d;
    }
    if (width == 32) {
        uint32_t low = (uint32_t)bits;
        float f;
        memcpy(&f, &low, sizeof f);
        return (double)f;
    }
    int exponent = (int)(bits >> 10 & 31), fraction = (int)(bits & 1023);
    double d = exponent == 31  ? (fraction ? (double)NAN : (double)INFINITY)
               : exponent == 0 ? ldexp(fraction, -24)
                               : ldexp(1024 + fraction, exponent - 25);
    return bits >> 15 & 1 ? -d : d;
}
static uint64_t bits_of(double d, unsigned width)
{
    uint64_t bits = 0;
    if (width == 64) {
        memcpy(&bits, &d, sizeof d);
        return bits;
    }
    if (width == 32) {
        float f = (float)d;
        uint32_t low;
        memcpy(&low, &f, sizeof f);
        return low;
    }
    uint64_t sign = signbit(d) ? 0x8000 : 0;
    if (isnan(d))
        return 0x7e00;
    int e;
    frexp(d, &e); // |d| = f * 2^e, f from 1/2 up to 1
    int unit = (e - 11 < -24 || d == 0) ? -24 : e - 11;
    double whole = nearbyint(ldexp(fabs(d), -unit)); // a number of units in the last place
    if (isinf(d) || ldexp(whole, unit) >= 65520)
        return sign | 0x7c00;
    if (whole >= 2048)
        whole /= 2, unit++;
    return whole < 1024 ? sign | (uint64_t)whole // a denormal, or zero
                        : sign | (uint64_t)(unit + 25) << 10 | ((uint64_t)whole - 1024);
}

static uint64_t all_ones(unsigned width) { return ~UINT64_C(0) >> (64 - width); }

#endif
