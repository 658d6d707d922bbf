// SPDX-License-Identifier: Apache-2.0
//
// Floats as the machines compute with them: as bits and as numbers, each width exact in a double.
// A sum, product, quotient or root of two of at most 24 bits that is rounded to 53 bits and then to
// their width is what rounding once gives.
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
uint64_t isa_of_half(double v); // to the nearest, ties to even

// A float of 16, 32 or 64 bits, and back, to the nearest.
static inline double isa_number(uint64_t bits, uint32_t width)
{
    return width == 16 ? isa_half(bits) : width == 32 ? (double)isa_single(bits) : isa_double(bits);
}

static inline uint64_t isa_rounded(double v, uint32_t width)
{
    return width == 16 ? isa_of_half(v) : width == 32 ? isa_of_single((float)v) : isa_of_double(v);
}

// Of two floats of which one may be no number, the other one; -0 is less than 0.
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

// To a whole number of 1 to 64 bits, towards zero; the nearest there is for one too large, 0 for
// none.
uint64_t isa_to_unsigned(double v, int bits);
uint64_t isa_to_signed(double v, int bits);

#endif
