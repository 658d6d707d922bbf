// SPDX-License-Identifier: Apache-2.0
//
// Floats without rounding: the shortcuts on bits say the same as decoded numbers.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/base.h"
#include "oracle/exact.h"

static const unsigned widths[] = {16, 32, 64};

// Bits of numbers near the limits of small ones, of every exponent, and of no number.
static uint64_t bits_of(struct rng *r, unsigned width)
{
    const unsigned stored = width == 16 ? 10 : width == 32 ? 23 : 52;
    const uint64_t most = ((uint64_t)1 << (width - 1 - stored)) - 1, bias = most >> 1;
    uint64_t exponent = rng_next(r) >> 7, fraction = rng_next(r) & (((uint64_t)1 << stored) - 1);
    if (rng_next(r) >> 60 & 3)
        exponent = bias + 20 - (exponent & 31);
    if (rng_next(r) >> 60 & 3) // few bits
        fraction &= ~(uint64_t)0 << (stored - (rng_next(r) >> 60));
    if (!(rng_next(r) >> 60))
        exponent = rng_next(r) >> 63 ? 0 : most;
    return (rng_next(r) >> 63) << (width - 1) | (exponent & most) << stored | fraction;
}

static void shortcuts(void **state)
{
    (void)state;
    struct rng r = {7};
    uint32_t small = 0, known = 0, equal = 0;
    for (uint32_t k = 0; k < 300000; k++) {
        const unsigned w = widths[k % 3];
        const uint64_t x = bits_of(&r, w), y = k % 7 ? bits_of(&r, w) : x;
        const struct exact a = exact_decode(x, w), b = exact_decode(y, w);
        int order = 9;
        assert_int_equal(exact_bits_are_small(x, w), a.ok && exact_is_small(a, w));
        assert_int_equal(exact_bits_compare(x, y, w, &order), a.ok && b.ok);
        if (a.ok && b.ok)
            assert_int_equal(order, exact_compare(a, b));
        small += exact_bits_are_small(x, w);
        known += order != 9;
        equal += order == 0;
    }
    assert_true(small > 1000 && known > 100000 && equal > 1000);
}

static void powers_of_two(void **state)
{
    (void)state;
    for (int k = 0; k < 128; k++) { // m is odd, whatever the number of zeros was
        const struct exact x = exact_make(true, (wide_bits)1 << k, 3);
        assert_true(x.m == 1 && x.e == 3 + k && x.neg && exact_top(x) == 4 + k);
    }
    assert_true(exact_make(false, 0, 5).e == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(shortcuts),
                                       cmocka_unit_test(powers_of_two)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
