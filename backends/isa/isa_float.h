// SPDX-License-Identifier: Apache-2.0
//
// Floats as bits and as numbers. Each width is exact in a double. A sum, product, quotient or
// square root of operands with at most 24 significant bits may be rounded to 53 bits and then to
// the target width: the result is the same as rounding once.
#ifndef TF_ISA_FLOAT_H
#define TF_ISA_FLOAT_H

#include <math.h>
#include <stdint.h>
#include <string.h>

static inline float isa_single(uint64_t bits)
{
    const uint32_t low = (uint32_t)bits;
    float v;
    memcpy(&v, &low, sizeof v);
    return v;
}

static inline uint32_t isa_of_single(float v)
{
    uint32_t bits;
    memcpy(&bits, &v, sizeof bits);
    return bits;
}

static inline double isa_double(uint64_t bits)
{
    double v;
    memcpy(&v, &bits, sizeof v);
    return v;
}

static inline uint64_t isa_of_double(double v)
{
    uint64_t bits;
    memcpy(&bits, &v, sizeof bits);
    return bits;
}

// Half floats, exact in a double.
double isa_half(uint64_t bits);
uint64_t isa_of_half(double v); // round to nearest even

// Converts between the bits of a 16, 32 or 64-bit float and a double; rounds to nearest even.
static inline double isa_number(uint64_t bits, uint32_t width)
{
    return width == 16 ? isa_half(bits) : width == 32 ? (double)isa_single(bits) : isa_double(bits);
}

static inline uint64_t isa_rounded(double v, uint32_t width)
{
    return width == 16 ? isa_of_half(v) : width == 32 ? isa_of_single((float)v) : isa_of_double(v);
}

// Minimum and maximum of two floats. If one is NaN, returns the other; -0 is less than 0.
static inline uint64_t isa_least(uint64_t a, uint64_t b, uint32_t width)
{
    const double x = isa_number(a, width), y = isa_number(b, width);
    return isnan(x) ? b : isnan(y) ? a : x < y || (x == y && signbit(x)) ? a : b;
}

static inline uint64_t isa_greatest(uint64_t a, uint64_t b, uint32_t width)
{
    const double x = isa_number(a, width), y = isa_number(b, width);
    return isnan(x) ? b : isnan(y) ? a : x > y || (x == y && !signbit(x)) ? a : b;
}

// Converts to an integer of 1 to 64 bits, toward zero. Saturates; NaN becomes 0.
uint64_t isa_to_unsigned(double v, int bits);
uint64_t isa_to_signed(double v, int bits);

#endif
