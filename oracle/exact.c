// SPDX-License-Identifier: Apache-2.0
#include "exact.h"

struct format {
    int precision; // bits of the significand, including the hidden one
    int emin;      // normal numbers are at least 2^emin
    int emax;      // and less than 2^(emax + 1)
    int grid, top; // small numbers: multiples of 2^grid, less than 2^top
};

static const struct format *format_of(unsigned width)
{
    static const struct format half = {11, -14, 15, -1, 4}, single = {24, -126, 127, -3, 8},
                               twice = {53, -1022, 1023, -8, 16};
    return width == 16 ? &half : width == 32 ? &single : width == 64 ? &twice : 0;
}

static int bits_of(wide_bits m)
{
    uint64_t high = (uint64_t)(m >> 64), low = (uint64_t)m;
    return high ? 128 - __builtin_clzll(high) : low ? 64 - __builtin_clzll(low) : 0;
}

static const struct exact unknown = {.ok = false};

struct exact exact_make(bool neg, wide_bits m, int e)
{
    const uint64_t low = (uint64_t)m, high = (uint64_t)(m >> 64);
    const int zeros = low ? __builtin_ctzll(low) : high ? 64 + __builtin_ctzll(high) : 0;
    return (struct exact){.ok = true, .neg = neg, .m = m >> zeros, .e = m ? e + zeros : 0};
}

struct exact exact_int(int64_t v)
{
    return exact_make(v < 0, v < 0 ? 0 - (uint64_t)v : (uint64_t)v, 0);
}

struct exact exact_decode(uint64_t bits, unsigned width)
{
    const struct format *f = format_of(width);
    if (!f)
        return unknown;
    int stored = f->precision - 1;
    bool neg = bits >> (width - 1) & 1;
    uint64_t fraction = bits & (((uint64_t)1 << stored) - 1);
    int exponent = (int)(bits >> stored & (((uint64_t)1 << ((int)width - f->precision)) - 1));
    if (exponent == 0)
        return fraction ? unknown : exact_make(neg, 0, 0);
    if (exponent == 2 * f->emax + 1)
        return unknown;
    return exact_make(neg, fraction | (uint64_t)1 << stored, exponent - f->emax - stored);
}

bool exact_encode(struct exact x, unsigned width, uint64_t *bits)
{
    const struct format *f = format_of(width);
    if (!f || !x.ok)
        return false;
    uint64_t sign = (uint64_t)x.neg << (width - 1);
    *bits = sign;
    if (x.m == 0)
        return true;
    int n = bits_of(x.m), top = x.e + n - 1;
    if (n > f->precision || top < f->emin || top > f->emax)
        return false;
    uint64_t m = (uint64_t)x.m << (f->precision - n);
    int stored = f->precision - 1;
    *bits |= (m & (((uint64_t)1 << stored) - 1)) | (uint64_t)(top + f->emax) << stored;
    return true;
}

bool exact_is_zero(struct exact x)
{
    return x.m == 0;
}
int exact_top(struct exact x)
{
    return x.e + bits_of(x.m);
}

struct exact exact_negate(struct exact x)
{
    x.neg = !x.neg;
    return x;
}

struct exact exact_add(struct exact x, struct exact y)
{
    if (!x.ok || !y.ok)
        return unknown;
    if (x.m == 0 || y.m == 0)
        return x.m ? x : y.m ? y : exact_make(x.neg && y.neg, 0, 0);
    int e = x.e < y.e ? x.e : y.e;
    int top = exact_top(x) > exact_top(y) ? exact_top(x) : exact_top(y);
    if (top - e > 120)
        return unknown;
    wide_bits a = x.m << (x.e - e), b = y.m << (y.e - e);
    if (x.neg == y.neg)
        return exact_make(x.neg, a + b, e);
    return a >= b ? exact_make(a > b && x.neg, a - b, e) : exact_make(y.neg, b - a, e);
}

struct exact exact_mul(struct exact x, struct exact y)
{
    if (!x.ok || !y.ok || bits_of(x.m) + bits_of(y.m) > 128)
        return unknown;
    return exact_make(x.neg != y.neg, x.m * y.m, x.e + y.e);
}

int exact_compare(struct exact x, struct exact y)
{
    if (x.m == 0 || y.m == 0)
        return x.m ? (x.neg ? -1 : 1) : y.m ? (y.neg ? 1 : -1) : 0;
    if (x.neg != y.neg)
        return x.neg ? -1 : 1;
    int larger = x.neg ? -1 : 1, tx = exact_top(x), ty = exact_top(y);
    if (tx != ty)
        return tx > ty ? larger : -larger;
    // Equal tops: align the highest bits and compare.
    wide_bits a = x.m << (128 - bits_of(x.m)), b = y.m << (128 - bits_of(y.m));
    return a == b ? 0 : a > b ? larger : -larger;
}

struct exact exact_trunc(struct exact x)
{
    if (!x.ok || x.e >= 0)
        return x;
    return exact_make(x.neg, x.e > -128 ? x.m >> -x.e : 0, 0);
}

struct exact exact_floor(struct exact x)
{
    struct exact t = exact_trunc(x);
    return x.ok && x.neg && x.e < 0 ? exact_add(t, exact_int(-1)) : t;
}

bool exact_is_small(struct exact x, unsigned width)
{
    const struct format *f = format_of(width);
    return f && x.ok && (x.m == 0 || (x.e >= f->grid && exact_top(x) <= f->top));
}

bool exact_bits_are_small(uint64_t bits, unsigned width)
{
    const struct format *f = format_of(width);
    if (!f)
        return false;
    const int stored = f->precision - 1;
    const uint64_t hidden = (uint64_t)1 << stored, fraction = bits & (hidden - 1);
    const int exponent = (int)(bits >> stored & (((uint64_t)1 << ((int)width - f->precision)) - 1));
    if (exponent == 0)
        return !fraction;
    return exponent != 2 * f->emax + 1 && exponent - f->emax < f->top &&
           exponent - f->emax - stored + __builtin_ctzll(fraction | hidden) >= f->grid;
}

bool exact_bits_compare(uint64_t x, uint64_t y, unsigned width, int *order)
{
    const struct format *f = format_of(width);
    if (!f)
        return false;
    const int stored = f->precision - 1;
    const uint64_t sign = (uint64_t)1 << (width - 1), least = (uint64_t)1 << stored,
                   most = (uint64_t)(2 * f->emax + 1) << stored, // of infinities and NaNs
        a = x & (sign - 1), b = y & (sign - 1);
    if ((a && a < least) || (b && b < least) || a >= most || b >= most)
        return false;
    const int64_t i = x & sign ? -(int64_t)a : (int64_t)a, j = y & sign ? -(int64_t)b : (int64_t)b;
    *order = (i > j) - (i < j);
    return true;
}

// ---- sums and products of many numbers --------------------------------------------

struct exact_many exact_none(bool is_product)
{
    return (struct exact_many){.total = exact_int(is_product), .magnitude = exact_int(0)};
}

void exact_join_sum(struct exact_many *s, struct exact x)
{
    struct exact size = x;
    size.neg = false;
    s->total = exact_add(s->total, x);
    s->magnitude = exact_add(s->magnitude, size);
    if (x.ok && x.m && (!s->any || x.e < s->low)) {
        s->low = x.e;
        s->any = true;
    }
}

void exact_join_product(struct exact_many *s, struct exact x)
{
    s->total = exact_mul(s->total, x);
    if (!x.ok || x.m == 0)
        return;
    // 2^least <= |x| <= 2^most
    int least = exact_top(x) - 1, most = x.m == 1 ? least : least + 1;
    s->above += most > 0 ? most : 0;
    s->below += least < 0 ? least : 0;
}

// Every partial sum is a multiple of 2^low and at most the magnitude. So it is exact in any order
// if that many bits fit.
struct exact exact_sum(const struct exact_many *s, unsigned width)
{
    const struct format *f = format_of(width);
    if (!f || !s->total.ok || !s->magnitude.ok)
        return unknown;
    int top = exact_top(s->magnitude);
    return top - s->low <= f->precision && top <= f->emax && s->low >= f->emin ? s->total : unknown;
}

// The odd part of a partial product divides that of the total. Its size is between the product of
// all factors below 1 and that of all factors above 1.
struct exact exact_product(const struct exact_many *s, unsigned width)
{
    const struct format *f = format_of(width);
    if (!f || !s->total.ok || s->above > f->emax || s->below < f->emin)
        return unknown;
    return s->total;
}
