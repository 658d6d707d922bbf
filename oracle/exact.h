// SPDX-License-Identifier: Apache-2.0
//
// Floating-point numbers without rounding: m * 2^e, exactly, or "not known". The
// host's own floats, its rounding mode and flags play no part.
//
// A number becomes "not known" where Vulkan leaves its bits open: NaN, infinity,
// denormals (they may be flushed), and whatever would have to be rounded.
#ifndef TF_ORACLE_EXACT_H
#define TF_ORACLE_EXACT_H

#include <stdbool.h>
#include <stdint.h>

__extension__ typedef unsigned __int128 wide_bits;

struct exact {
    bool ok;  // false: not known; nothing else counts
    bool neg; // of a zero, too
    int e;
    wide_bits m; // odd, or 0
};

struct exact exact_make(bool neg, wide_bits m, int e);
struct exact exact_int(int64_t v);
// From the bits of an IEEE number of 16, 32 or 64 bits.
struct exact exact_decode(uint64_t bits, unsigned width);
// To its bits; false when it is no normal number of that width, nor a zero.
bool exact_encode(struct exact x, unsigned width, uint64_t *bits);

struct exact exact_negate(struct exact x);
struct exact exact_add(struct exact x, struct exact y); // not known beyond some 120 bits
struct exact exact_mul(struct exact x, struct exact y);
int exact_compare(struct exact x, struct exact y); // of two known ones: -1, 0, 1; zeros are equal
struct exact exact_trunc(struct exact x);
struct exact exact_floor(struct exact x);
bool exact_is_zero(struct exact x);
int exact_top(struct exact x); // x is not 0: |x| < 2^top, at least 2^(top-1)

// Few enough bits that products of two and sums of several stay exact however a
// compiler orders them (docs/undefined.md).
bool exact_is_small(struct exact x, unsigned width);

// A sum, or a product, of many numbers, known only if every partial result in every
// order is exact.
struct exact_many {
    struct exact total, magnitude; // of a sum: of the numbers, of their absolute values
    int low;                       // of a sum: all are multiples of 2^low
    int above, below;              // of a product: how far partial products may reach
    bool any;
};
struct exact_many exact_none(bool is_product);
void exact_join_sum(struct exact_many *s, struct exact x);
void exact_join_product(struct exact_many *s, struct exact x);
struct exact exact_sum(const struct exact_many *s, unsigned width);
struct exact exact_product(const struct exact_many *s, unsigned width);

#endif
