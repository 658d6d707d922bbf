// SPDX-License-Identifier: Apache-2.0
//
// Evaluates the rows of nir_ops.def for all lanes at once.
#include "isa/isa_float.h"
#include "nir_program.h"

__extension__ typedef __int128 wide;
__extension__ typedef unsigned __int128 unsigned_wide;

// Extracts a signed field of a 32-bit word. A field that exceeds the word ends at bit 31.
static uint64_t signed_field(uint64_t v, uint64_t at, uint64_t bits)
{
    if (!bits)
        return 0;
    return (uint64_t)(at + bits < 32 ? isa_signed(v >> at, (uint32_t)bits)
                                     : isa_signed(v, 32) >> at);
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

// ---- floats ------------------------------------------------------------------------------------

static uint64_t fused(uint32_t width, double a, double b, double c)
{
    if (width == 32)
        return isa_of_single(fmaf((float)a, (float)b, (float)c));
    return isa_rounded(width == 64 ? fma(a, b, c) : a * b + c, width);
}

static uint64_t of_signed(uint32_t width, int64_t v)
{
    return width == 32 ? isa_of_single((float)v) : isa_rounded((double)v, width);
}

static uint64_t of_unsigned(uint32_t width, uint64_t v)
{
    return width == 32 ? isa_of_single((float)v) : isa_rounded((double)v, width);
}

// A field that exceeds the word ends at bit 31: Mesa builds this operation from (a >> from) & mask.
static uint64_t extracted(uint64_t a, uint64_t from, uint64_t count)
{
    return from < 32 && count < 32 ? a >> from & ((UINT64_C(1) << count) - 1)
           : from < 32             ? a >> from
                                   : 0;
}

// Replaces a field of a word. If it exceeds the word, the result is 0, as in Mesa's table.
static uint64_t inserted(uint64_t base, uint64_t insert, uint64_t at, uint64_t bits)
{
    if (!bits)
        return base;
    if (at > 31 || bits > 32 || at + bits > 32)
        return 0;
    const uint64_t mask = ((UINT64_C(1) << bits) - 1) << at;
    return (base & ~mask) | (insert << at & mask);
}

// Returns `count` bits of two words from bit `from` on; 0: 32 bits.
static uint64_t window(uint64_t low, uint64_t high, uint64_t from, uint64_t count)
{
    const uint64_t all = low | high << 32,
                   mask = count && count < 32 ? (UINT64_C(1) << count) - 1 : UINT32_MAX;
    return (from & 0x7f) >= 64 ? 0 : all >> (from & 0x7f) & mask;
}

// ---- rows ------------------------------------------------------------------

#define S(v)     isa_signed(v, s)
#define F(v)     isa_number(v, s)
#define R(v)     isa_rounded(v, n)
#define field    isa_field
#define highest  isa_highest
#define reversed isa_reversed
#define least    isa_least
#define greatest isa_greatest

void nir_alu_rows(enum nir_id id, const struct nir_alu *x, struct isa_span lanes, uint64_t *out)
{
    const uint32_t s = x->from, n = x->width;
    const uint64_t keep = isa_low(UINT64_MAX, n);
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
