// SPDX-License-Identifier: Apache-2.0
//
// What the rows of nir_ops.def say, for all lanes at once, and the combinations of reductions and
// atomics.
#include "isa/isa_float.h"
#include "nir_program.h"

#include <math.h>
#include <string.h>

__extension__ typedef __int128 wide;
__extension__ typedef unsigned __int128 unsigned_wide;

static int64_t extended(uint64_t v, uint32_t bits)
{
    return bits >= 64 ? (int64_t)v : (int64_t)(v << (64 - bits)) >> (64 - bits);
}

static uint64_t highest(uint64_t v)
{
    return v ? 63 - (uint64_t)__builtin_clzll(v) : UINT64_MAX;
}

static uint64_t reversed(uint64_t v, uint32_t bits)
{
    uint64_t r = 0;
    for (uint32_t i = 0; i < bits; i++)
        r |= (v >> i & 1) << (bits - 1 - i);
    return r;
}

static uint64_t field(uint64_t v, uint64_t at, uint64_t bits)
{
    return v >> at & ((UINT64_C(1) << bits) - 1);
}

// Of a word: a field that leaves it ends with it, and is signed by the word's sign.
static uint64_t signed_field(uint64_t v, uint64_t at, uint64_t bits)
{
    if (!bits)
        return 0;
    return (uint64_t)(at + bits < 32 ? extended(field(v, at, bits), (uint32_t)bits)
                                     : extended(v, 32) >> at);
}

static uint64_t quotient(int64_t a, int64_t b)
{
    return b == -1 ? 0 - (uint64_t)a : (uint64_t)(a / b);
}

static uint64_t remainder_of(int64_t a, int64_t b)
{
    return b == -1 ? 0 : (uint64_t)(a % b);
}

static uint64_t modulus(int64_t a, int64_t b)
{
    const int64_t r = b == -1 ? 0 : a % b;
    return (uint64_t)(r != 0 && (r < 0) != (b < 0) ? r + b : r);
}

// ---- floats: all widths are exact in a double, and a sum, product, quotient or root of two of at
// most 24 bits that is rounded to 53 and then to their width is what rounding once gives
// ------------------------------

static double number(uint64_t bits, uint32_t width)
{
    if (width == 16)
        return isa_half(bits);
    if (width == 32) {
        const uint32_t low = (uint32_t)bits;
        float v;
        memcpy(&v, &low, sizeof v);
        return (double)v;
    }
    double v;
    memcpy(&v, &bits, sizeof v);
    return v;
}

static uint64_t single(float v)
{
    uint32_t bits;
    memcpy(&bits, &v, sizeof bits);
    return bits;
}

static uint64_t rounded(double v, uint32_t width)
{
    uint64_t bits;
    if (width == 16)
        return isa_to_half(v);
    if (width == 32)
        return single((float)v);
    memcpy(&bits, &v, sizeof bits);
    return bits;
}

static uint64_t fused(uint32_t width, double a, double b, double c)
{
    if (width == 32)
        return single(fmaf((float)a, (float)b, (float)c));
    return rounded(width == 64 ? fma(a, b, c) : a * b + c, width);
}

static uint64_t of_signed(uint32_t width, int64_t v)
{
    return width == 32 ? single((float)v) : rounded((double)v, width);
}

static uint64_t of_unsigned(uint32_t width, uint64_t v)
{
    return width == 32 ? single((float)v) : rounded((double)v, width);
}

// Of two of which one may be no number; -0 is less than 0.
static uint64_t least(uint64_t a, uint64_t b, uint32_t width)
{
    const double x = number(a, width), y = number(b, width);
    return isnan(x) ? b : isnan(y) ? a : x < y || (x == y && signbit(x)) ? a : b;
}

static uint64_t greatest(uint64_t a, uint64_t b, uint32_t width)
{
    const double x = number(a, width), y = number(b, width);
    return isnan(x) ? b : isnan(y) ? a : x > y || (x == y && !signbit(x)) ? a : b;
}

// A field that leaves the word ends with it: Mesa makes this operation of (a >> from) & mask.
static uint64_t extracted(uint64_t a, uint64_t from, uint64_t count)
{
    return from < 32 && count < 32 ? a >> from & ((UINT64_C(1) << count) - 1)
           : from < 32             ? a >> from
                                   : 0;
}

// `count` bits of two words, 0: all.
static uint64_t window(uint64_t low, uint64_t high, uint64_t from, uint64_t count)
{
    const uint64_t all = low | high << 32,
                   mask = count && count < 32 ? (UINT64_C(1) << count) - 1 : UINT32_MAX;
    return (from & 0x7f) >= 64 ? 0 : all >> (from & 0x7f) & mask;
}

// ---- rows
// ------------------------------------------------------------------------------------------------

#define S(v) extended(v, s)
#define F(v) number(v, s)
#define R(v) rounded(v, n)

void nir_alu_rows(enum nir_id id, const struct nir_alu *x, struct isa_span lanes, uint64_t *out)
{
    const uint32_t s = x->from, n = x->width;
    const uint64_t keep = nir_bits(UINT64_MAX, n);
    switch (id) {
#define ALU(name_id, name, dst, src, value)                                                        \
    case NIR_##name_id:                                                                            \
        for (uint32_t l = lanes.first; l <= lanes.last; l++) {                                     \
            const uint64_t a = x->v[0][l], b = x->v[1][l], c = x->v[2][l], d = x->v[3][l];         \
            (void)b, (void)c, (void)d;                                                             \
            out[l] = (uint64_t)(value) & keep;                                                     \
        }                                                                                          \
        break;
#define OTHER(name_id, name, unit, dst, src, attributes, drivers)
#include "nir_ops.def"
    default:
        CHECK(!"a row with an expression");
    }
}

uint64_t nir_combined(enum nir_combine c, uint32_t bits, uint64_t a, uint64_t b)
{
    const int64_t x = extended(a, bits), y = extended(b, bits);
    uint64_t r = 0;
    switch (c) {
    case COMBINE_IADD:
        r = a + b;
        break;
    case COMBINE_IMUL:
        r = a * b;
        break;
    case COMBINE_IMIN:
        r = x < y ? a : b;
        break;
    case COMBINE_IMAX:
        r = x > y ? a : b;
        break;
    case COMBINE_UMIN:
        r = a < b ? a : b;
        break;
    case COMBINE_UMAX:
        r = a > b ? a : b;
        break;
    case COMBINE_IAND:
        r = a & b;
        break;
    case COMBINE_IOR:
        r = a | b;
        break;
    case COMBINE_IXOR:
        r = a ^ b;
        break;
    case COMBINE_FADD:
        r = rounded(number(a, bits) + number(b, bits), bits);
        break;
    case COMBINE_FMUL:
        r = rounded(number(a, bits) * number(b, bits), bits);
        break;
    case COMBINE_FMIN:
        r = least(a, b, bits);
        break;
    case COMBINE_FMAX:
        r = greatest(a, b, bits);
        break;
    case COMBINE_XCHG:
    case COMBINE_CMPXCHG:
        r = b;
        break;
    }
    return nir_bits(r, bits);
}

uint64_t nir_identity(enum nir_combine c, uint32_t bits)
{
    const uint64_t top = UINT64_C(1) << (bits - 1);
    switch (c) {
    case COMBINE_IMUL:
        return 1;
    case COMBINE_IMIN:
        return top - 1;
    case COMBINE_IMAX:
        return top;
    case COMBINE_UMIN:
    case COMBINE_IAND:
        return nir_bits(UINT64_MAX, bits);
    case COMBINE_FADD: // of no lane before: what SPIR-V says is 0
        return 0;
    case COMBINE_FMUL:
        return rounded(1, bits);
    case COMBINE_FMIN:
        return rounded((double)INFINITY, bits);
    case COMBINE_FMAX:
        return rounded(-(double)INFINITY, bits);
    default:
        return 0;
    }
}
