// SPDX-License-Identifier: Apache-2.0
//
// The helper functions that ops.def uses, and the two functions that are generated from its rows.
// Floats follow IEEE 754 and round to nearest even; denormals are kept.
#include "alu.h"

// ---- integers --------------------------------------------------------------------------------

static uint64_t asr(uint64_t v, uint64_t by)
{
    return (uint64_t)((int64_t)v >> by);
}

static uint64_t sfield(uint64_t v, uint64_t at, uint64_t width)
{
    return width ? (uint64_t)isa_signed(asr(v, at), (uint32_t)width) : 0;
}

static uint64_t quads(uint64_t v)
{
    v |= v >> 1;
    v = (v | v >> 2) & UINT64_C(0x1111111111111111);
    return v * 15;
}

static uint64_t lowest(uint64_t v)
{
    return v ? (uint64_t)__builtin_ctzll(v) : UINT64_MAX;
}

// Returns the number of zeros above the highest one bit.
static uint64_t leading(uint64_t v)
{
    return v ? (uint64_t)__builtin_clzll(v) : UINT64_MAX;
}

// Returns the number of top bits that equal the sign bit; -1 if all do.
static uint64_t sign_bits(uint64_t v, int width)
{
    v ^= asr(v, 63);
    return v ? (uint64_t)(__builtin_clzll(v) - (64 - width)) : UINT64_MAX;
}

static uint64_t doubled(uint64_t v)
{
    uint64_t out = 0;
    for (int i = 0; i < 32; i++)
        out |= (v >> i & 1) * 3 << 2 * i;
    return out;
}

static uint64_t clamp_byte(int v)
{
    return (uint64_t)(v < 0 ? 0 : v > 255 ? 255 : v);
}

static uint64_t permuted(uint64_t data, uint64_t select)
{
    uint64_t out = 0;
    for (int i = 0; i < 4; i++) {
        const uint64_t s = select >> 8 * i & 255;
        const uint64_t byte = s < 8     ? data >> 8 * s & 255
                              : s < 12  ? (data >> (16 * (s - 8) + 15) & 1) * 255
                              : s == 12 ? 0
                                        : 255;
        out |= byte << 8 * i;
    }
    return out;
}

// ---- floats ------------------------------------------------------------------------------------

// Rounds to 32 bits now; a compiler may keep excess precision otherwise.
static float rounded(float v)
{
    volatile float kept = v;
    return kept;
}

#define F           isa_single
#define RF          isa_of_single
#define D           isa_double
#define RD          isa_of_double
#define H           isa_half
#define RH          isa_of_half
#define to_unsigned isa_to_unsigned
#define to_signed   isa_to_signed
#define field       isa_field
#define reversed(v) isa_reversed(v, 64)
#define s24(v)      isa_signed(v, 24)
#define u24(v)      isa_low(v, 24)

#define float_min(a, b)  isa_least(a, b, 32)
#define float_max(a, b)  isa_greatest(a, b, 32)
#define double_min(a, b) isa_least(a, b, 64)
#define double_max(a, b) isa_greatest(a, b, 64)
#define half_min(a, b)   isa_least(a, b, 16)
#define half_max(a, b)   isa_greatest(a, b, 16)

static float to_float(uint64_t half)
{
    return (float)H(half);
}

static uint64_t half_of_float(uint64_t bits)
{
    return RH((double)F(bits));
}

static uint64_t RH_of_fma(float a, float b, float c)
{
    return RH((double)fmaf(a, b, c));
}

static uint64_t half_fma(uint64_t a, uint64_t b, uint64_t c)
{
    return RH(H(a) * H(b) + H(c));
}

// Returns the median of three; the minimum if one is NaN ("VOP3 Instructions", V_MED3_F32).
static uint64_t float_median(uint64_t a, uint64_t b, uint64_t c)
{
    if (isnan(F(a)) || isnan(F(b)) || isnan(F(c)))
        return float_min(float_min(a, b), c);
    return float_max(float_min(a, b), float_min(float_max(a, b), c));
}

// Stays below 1 even if the difference rounds up to 1 ("VOP1 Instructions", V_FRACT_F32).
static uint64_t fraction(uint64_t a)
{
    const float v = F(a) - floorf(F(a));
    return RF(v >= 1 ? 0x1.fffffep-1f : v);
}

// Returns the class of a float as a bit number of the class comparisons.
static unsigned class_of(uint64_t v, int exponent_bits, int fraction_bits)
{
    const uint64_t fraction = field(v, 0, (uint64_t)fraction_bits);
    const uint64_t exponent = field(v, (uint64_t)fraction_bits, (uint64_t)exponent_bits);
    const bool minus = v >> (fraction_bits + exponent_bits) & 1;
    if (exponent + 1 == UINT64_C(1) << exponent_bits && fraction)
        return fraction >> (fraction_bits - 1) ? 1 : 0;
    if (exponent + 1 == UINT64_C(1) << exponent_bits)
        return minus ? 2 : 9;
    if (exponent)
        return minus ? 3 : 8;
    return fraction ? (minus ? 4 : 7) : minus ? 5 : 6;
}

// ---- the rows --------------------------------------------------------------

#define S(v)        ((int64_t)(v))
#define U(v)        ((uint64_t)(v))
#define LOW16(v)    ((v) & 0xffff)
#define MIN(x, y)   ((x) < (y) ? (x) : (y))
#define MAX(x, y)   ((x) > (y) ? (x) : (y))
#define NZ32        ((uint32_t)r != 0)
#define NZ64        (r != 0)
#define OVERFLOW32  (S(r) != (int32_t)r)
#define SAVE(value) (old = exec, exec = (value), old)
#define LEFT        ((exec & x->lanes) != 0)

#define IGNORED(...)
#define SALU   IGNORED
#define SCMP   IGNORED
#define VALU   IGNORED
#define VCMP   IGNORED
#define VCARRY IGNORED
#define VPACK  IGNORED
#define OTHER  IGNORED

#undef SALU
#undef SCMP
#define SALU(id, names, dst, src, value, scc_, section)                                            \
    case AMD_##id:                                                                                 \
        r = (uint64_t)(value);                                                                     \
        x->scc = (scc_) != 0;                                                                      \
        break;
#define SCMP(id, names, src, value, section)                                                       \
    case AMD_##id:                                                                                 \
        x->scc = (value) != 0;                                                                     \
        break;
void amd_scalar_value(enum amd_id id, struct amd_alu *x)
{
    const uint64_t a = x->a, b = x->b, c = x->c, d = x->d;
    const bool scc = x->scc;
    uint64_t r = 0, exec = x->exec, old = 0;
    switch ((int)id) {
#include "ops.def"
    default:
        CHECK(false);
    }
    (void)old;
    x->r = r;
    x->exec = exec & x->lanes;
}

#define SALU  IGNORED
#define SCMP  IGNORED
#define OTHER IGNORED
#define VALU(id, names, dst, src, value, section)                                                  \
    case AMD_##id:                                                                                 \
        r = (uint64_t)(value);                                                                     \
        break;
#define VPACK VALU
#define VCMP(id, names, src, value, section)                                                       \
    case AMD_##id:                                                                                 \
        x->scc = (value) != 0;                                                                     \
        break;
#define VCARRY(id, names, dst, src, value, carry, section)                                         \
    case AMD_##id:                                                                                 \
        r = (uint64_t)(value);                                                                     \
        x->scc = (carry) & 1;                                                                      \
        break;
void amd_vector_value(enum amd_id id, struct amd_alu *x)
{
    const uint64_t a = x->a, b = x->b, c = x->c, d = x->d, below = x->below;
    uint64_t r = 0;
    switch ((int)id) {
#include "ops.def"
    default:
        CHECK(false);
    }
    x->r = r;
}
