// SPDX-License-Identifier: Apache-2.0
//
// Floating-point numbers without rounding: the exact value m * 2^e, or "not known". The host's
// floats, rounding mode and flags are not used.
//
// A number is "not known" if Vulkan leaves its bits open: NaN, infinity, denormals (they may be
// flushed), and every result that must be rounded.
#ifndef TF_ORACLE_EXACT_H
#define TF_ORACLE_EXACT_H

#include <stdbool.h>
#include <stdint.h>

__extension__ typedef unsigned __int128 wide_bits;

struct exact {
    bool ok;  // false: not known; the other fields are not valid
    bool neg; // also of a zero
    int e;
    wide_bits m; // odd, or 0
};

struct exact exact_make(bool neg, wide_bits m, int e);
struct exact exact_int(int64_t v);
// Decodes an IEEE number of 16, 32 or 64 bits.
struct exact exact_decode(uint64_t bits, unsigned width);
// Encodes a number. False if it is neither zero nor a normal number of that width.
bool exact_encode(struct exact x, unsigned width, uint64_t *bits);

struct exact exact_negate(struct exact x);
struct exact exact_add(struct exact x, struct exact y); // not known beyond about 120 bits
struct exact exact_mul(struct exact x, struct exact y);
int exact_compare(struct exact x,
                  struct exact y); // x and y are known: returns -1, 0 or 1; zeros are equal
struct exact exact_trunc(struct exact x);
struct exact exact_floor(struct exact x);
bool exact_is_zero(struct exact x);
int exact_top(struct exact x); // for x not 0: 2^(top-1) <= |x| < 2^top

// True if the number has so few bits that products of two and sums of several are exact in any
// order of evaluation (docs/rules.md).
bool exact_is_small(struct exact x, unsigned width);

// The same as decoding first, in fewer steps. exact_bits_compare: false if a number is not known.
bool exact_bits_are_small(uint64_t bits, unsigned width);
bool exact_bits_compare(uint64_t x, uint64_t y, unsigned width, int *order);

// A sum or product of many numbers. It is known only if every partial result in every order is
// exact.
struct exact_many {
    struct exact total, magnitude; // of a sum: of the numbers; of their absolute values
    int low;                       // of a sum: all numbers are multiples of 2^low
    int above, below;              // of a product: bounds of the partial products
    bool any;
};
struct exact_many exact_none(bool is_product);
void exact_join_sum(struct exact_many *s, struct exact x);
void exact_join_product(struct exact_many *s, struct exact x);
struct exact exact_sum(const struct exact_many *s, unsigned width);
struct exact exact_product(const struct exact_many *s, unsigned width);

#endif
