// SPDX-License-Identifier: Apache-2.0
//
// Computes values: the helper functions of the rows in ir3_ops.def.
#include "ir3_program.h"
#include "isa/isa_bits.h"
#include "isa/isa_float.h"

static int64_t extended(uint32_t v, uint32_t w)
{
    return w == 16 ? (int16_t)v : (int32_t)v;
}

static uint32_t highest(uint32_t v)
{
    return 31 - (uint32_t)__builtin_clz(v);
}

static uint32_t low(uint32_t v, uint32_t w)
{
    return w == 16 ? v & 0xffff : v;
}

// Saturating results in `w` bits.
static uint32_t sum_u(uint32_t a, uint32_t b, uint32_t w)
{
    const uint64_t v = (uint64_t)a + b, most = (UINT64_C(1) << w) - 1;
    return (uint32_t)(v < most ? v : most);
}

static uint32_t nearest(int64_t v, uint32_t w)
{
    const int64_t most = (INT64_C(1) << (w - 1)) - 1;
    return (uint32_t)(v > most ? most : v < -most - 1 ? -most - 1 : v);
}

#define U(v)     (v)
#define S(v)     extended(v, w)
#define S24(v)   ((uint32_t)((int32_t)((v) << 8) >> 8))
#define F(v)     isa_number(v, w)
#define R(v)     isa_rounded(v, w)
#define reversed isa_reversed
#define least    isa_least
#define greatest isa_greatest

static void values(enum ir3_id id, uint32_t w, const uint32_t *const v[3], struct isa_span lanes,
                   uint32_t *out)
{
    switch (id) {
#define ALU(name_id, name, dst, src, value, source)                                                \
    case IR3_##name_id:                                                                            \
        for (uint32_t l = lanes.first; l <= lanes.last; l++) {                                     \
            const uint32_t a = v[0][l], b = v[1][l], c = v[2][l];                                  \
            (void)b, (void)c;                                                                      \
            out[l] = low((uint32_t)(value), w);                                                    \
        }                                                                                          \
        break;
#define OTHER(name_id, name, unit, source)
#include "ir3_ops.def"
    default:
        CHECK(!"a row with an expression");
    }
}

void ir3_alu(enum ir3_id id, uint32_t w, uint32_t to, const uint32_t *const v[3],
             struct isa_span lanes, uint32_t *out)
{
    values(id, w, v, lanes, out);
    for (uint32_t l = lanes.first; w != to && l <= lanes.last; l++)
        out[l] = ir3_ops[id].dst[0] == 'f'   ? (uint32_t)isa_rounded(isa_number(out[l], w), to)
                 : ir3_ops[id].dst[0] == 's' ? low((uint32_t)extended(out[l], w), to)
                                             : low(out[l], to);
}

// Converts a value. Floats convert to integers toward zero and saturate; NaN becomes 0.
uint32_t ir3_convert(enum ir3_type from, enum ir3_type to, uint32_t v)
{
    static const struct {
        uint8_t bits;
        char kind;
    } is[IR3_TYPES] = {[TYPE_F16] = {16, 'f'}, [TYPE_F32] = {32, 'f'}, [TYPE_U16] = {16, 'u'},
                       [TYPE_U32] = {32, 'u'}, [TYPE_S16] = {16, 's'}, [TYPE_S32] = {32, 's'},
                       [TYPE_U8] = {8, 's'}};
    const uint32_t w = is[from].bits, n = is[to].bits;
    if (from == to)
        return n == 8 ? v & 0xff : low(v, n);
    if (is[from].kind == 'f') {
        const double x = isa_number(v, w);
        if (is[to].kind == 'f')
            return (uint32_t)isa_rounded(x, n);
        return low(
            (uint32_t)(is[to].kind == 's' ? isa_to_signed(x, (int)n) : isa_to_unsigned(x, (int)n)),
            n);
    }
    // A source of type u8 is sign-extended.
    const int64_t x = is[from].kind == 'u' ? (int64_t)low(v, w)
                      : w == 8             ? (int8_t)v
                                           : extended(v, w);
    if (is[to].kind == 'f')
        return n == 16 ? (uint32_t)isa_of_half((double)x) : isa_of_single((float)x);
    return n == 8 ? (uint32_t)x & 0xff : low((uint32_t)x, n);
}

void ir3_negate(char type, uint32_t w, bool neg, bool abs, struct isa_span lanes, uint32_t *v)
{
    const uint32_t sign = w == 16 ? 0x8000 : 0x80000000;
    for (uint32_t l = lanes.first; l <= lanes.last; l++) {
        if (type == 'f') {
            v[l] = ((abs ? v[l] & ~sign : v[l]) ^ (neg ? sign : 0)) & (sign | (sign - 1));
        } else if (type == 'b') {
            v[l] = low(neg ? ~v[l] : v[l], w);
        } else {
            const uint32_t x = abs && (v[l] & sign) ? 0 - v[l] : v[l];
            v[l] = low(neg ? 0 - x : x, w);
        }
    }
}

uint32_t ir3_demoted(char type, uint32_t v)
{
    return type == 'f' ? (uint32_t)isa_of_half((double)isa_single(v)) : v & 0xffff;
}

bool ir3_exact(uint32_t w, const uint32_t v[3])
{
    const double product = isa_number(v[0], w) * isa_number(v[1], w);
    const double both = product + isa_number(v[2], w);
    return isnan(both) || (isa_number(isa_rounded(product, w), w) ==
                               product && // the intermediate rounding is exact
                           both - product == isa_number(v[2], w) &&
                           both - isa_number(v[2], w) == product);
}
