// SPDX-License-Identifier: Apache-2.0
//
// Evaluates the rows of ops.def for all lanes at once.
#include "machine.h"

#include "isa/isa_float.h"

// ---- bits ------------------------------------------------------------------

#define S(v) ((int32_t)(v))
#define W(v) ((uint64_t)(v))

static inline uint32_t lut3(uint32_t table, uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t r = 0;
    for (uint32_t i = 0; i < 8; i++)
        if (table >> i & 1)
            r |= (i & 4 ? a : ~a) & (i & 2 ? b : ~b) & (i & 1 ? c : ~c);
    return r;
}

static inline uint32_t shf(const struct nak_inst *in, uint32_t low, uint32_t high, uint32_t by)
{
    const uint64_t x = low | W(high) << 32;
    const enum nak_mod t = in->type[0];
    const uint32_t bits = t == MOD_U64 || t == MOD_I64 ? 64 : 32;
    const uint32_t n = HAS(in, MOD_W) ? by & (bits - 1) : by < bits ? by : bits;
    uint64_t r;
    if (HAS(in, MOD_L))
        r = n > 63 ? 0 : x << n;
    else if (t == MOD_I32 || t == MOD_I64)
        r = (uint64_t)((int64_t)x >> (n > 63 ? 63 : n));
    else
        r = n > 63 ? 0 : x >> n;
    return (uint32_t)(HAS(in, MOD_HI) ? r >> 32 : r);
}

static inline uint32_t prmt(uint32_t a, uint32_t which, uint32_t b)
{
    const uint64_t x = a | W(b) << 32;
    uint32_t r = 0;
    for (uint32_t i = 0; i < 4; i++) {
        const uint32_t n = which >> 4 * i & 15;
        const uint32_t byte = (uint32_t)(x >> 8 * (n & 7)) & 0xff;
        r |= (n & 8 ? (byte & 0x80 ? 0xffu : 0) : byte) << 8 * i;
    }
    return r;
}

static inline uint32_t flo(uint32_t v, bool shift)
{
    if (!v)
        return UINT32_MAX;
    const uint32_t top = 31 - (uint32_t)__builtin_clz(v);
    return shift ? 31 - top : top;
}

static inline uint32_t bmsk(uint32_t at, uint32_t width, bool wrap)
{
    const uint64_t from = at & 31, sum = from + (width & 31);
    const bool beyond = sum >= 32 || (!wrap && (at >= 32 || width >= 32));
    const uint32_t mask0 = !wrap && at >= 32 ? 0 : UINT32_MAX << from;
    const uint32_t mask1 = beyond ? 0 : UINT32_MAX << sum;
    return mask0 & ~mask1;
}

// "Division by zero yields an unspecified, machine-specific value."
static inline uint32_t divided(uint32_t a, uint32_t b)
{
    return !b ? UINT32_MAX : b == UINT32_MAX ? 0 - a : (uint32_t)(S(a) / S(b));
}

static inline uint32_t sgxt(uint32_t v, uint32_t bits, bool sign)
{
    if (bits >= 32 || !bits)
        return bits ? v : 0;
    const uint32_t up = v << (32 - bits);
    return sign ? (uint32_t)((int32_t)up >> (32 - bits)) : up >> (32 - bits);
}

static inline uint32_t lea(const struct nak_inst *in, uint32_t a, uint32_t shift, uint32_t high)
{
    shift &= 31;
    if (!HAS(in, MOD_HI))
        return a << shift;
    return shift ? (uint32_t)((a | W(high) << 32) >> (32 - shift)) : high;
}

static inline bool icompare(const struct nak_inst *in, uint64_t a, uint64_t b, bool low)
{
    const int64_t x = in->type[0] == MOD_I32 ? (int32_t)a : (int64_t)(uint32_t)a;
    const int64_t y = in->type[0] == MOD_I32 ? (int32_t)b : (int64_t)(uint32_t)b;
    if (HAS(in, MOD_EX) && x == y)
        return low;
    switch (in->cmp) {
    case MOD_EQ:
        return x == y;
    case MOD_NE:
        return x != y;
    case MOD_LT:
        return x < y;
    case MOD_LE:
        return x <= y;
    case MOD_GT:
        return x > y;
    default:
        return x >= y;
    }
}

// ---- floats ----------------------------------------------------------------

#define F           isa_single
#define float_bits  isa_of_single
#define D           isa_double
#define RD          isa_of_double
#define reversed(v) ((uint32_t)isa_reversed(v, 32))

// Flushes a denormal to a zero of the same sign.
static inline float flushed(float f, bool ftz)
{
    return ftz && fpclassify(f) == FP_SUBNORMAL ? copysignf(0, f) : f;
}
#define FTZ   HAS(in, MOD_FTZ)
#define FZ(v) flushed(F(v), FTZ)
#define RF(v) float_bits(flushed((v), FTZ))

static inline float add32(float x, float y)
{
    return x + y;
}

static inline double half_in(const struct nak_inst *in, uint64_t v)
{
    const uint32_t h = (uint32_t)v & 0xffff;
    return FTZ && !(h & 0x7c00) ? (h & 0x8000 ? -0.0 : 0.0) : isa_half(h);
}
#define HZ(v) half_in(in, v)

// Returns the minimum or maximum. If one is NaN, returns the other; -0 is less than 0.
static inline double extreme(double x, double y, bool min)
{
    if (isnan(x) || isnan(y))
        return isnan(x) ? isnan(y) ? (double)NAN : y : x;
    const bool less = x < y || (x == y && signbit(x));
    return less == min ? x : y;
}

static inline bool ordered(enum nak_mod cmp, double x, double y)
{
    const bool open = isnan(x) || isnan(y);
    switch (cmp) {
    case MOD_EQ:
        return !open && x == y;
    case MOD_NE:
        return !open && x != y;
    case MOD_LT:
        return x < y;
    case MOD_LE:
        return x <= y;
    case MOD_GT:
        return x > y;
    case MOD_GE:
        return x >= y;
    case MOD_EQU:
        return open || x == y;
    case MOD_NEU:
        return open || x != y;
    case MOD_LTU:
        return open || x < y;
    case MOD_LEU:
        return open || x <= y;
    case MOD_GTU:
        return open || x > y;
    case MOD_GEU:
        return open || x >= y;
    case MOD_NUM:
        return !open;
    default:
        return open;
    }
}

static uint32_t halves(const struct nak_inst *in, uint32_t a, uint32_t b, uint32_t c, char what)
{
    uint32_t r = 0;
    for (uint32_t i = 0; i < 32; i += 16) {
        const double x = HZ(a >> i), y = HZ(b >> i), z = HZ(c >> i);
        // Sums and products of halves are exact in a double. a * b + c may be inexact, but
        // then rounding twice yields the same half.
        const double v = what == '+'   ? x + y
                         : what == '*' ? x * y
                         : what == 'f' ? fma(x, y, z)
                                       : extreme(x, y, what == '<');
        const uint32_t h = (uint32_t)isa_of_half(v);
        r |= (FTZ && !(h & 0x7c00) ? h & 0x8000 : h) << i;
    }
    return r;
}

static double rounded(const struct nak_inst *in, double v)
{
    return HAS(in, MOD_RZ)   ? trunc(v)
           : HAS(in, MOD_RM) ? floor(v)
           : HAS(in, MOD_RP) ? ceil(v)
                             : nearbyint(v);
}

static double float_of(const struct nak_inst *in, enum nak_mod type, uint64_t v)
{
    return type == MOD_F64 ? D(v) : type == MOD_F32 ? (double)FZ(v) : HZ(v);
}

static uint64_t bits_of(const struct nak_inst *in, enum nak_mod type, double v)
{
    return type == MOD_F64 ? RD(v) : type == MOD_F32 ? RF((float)v) : isa_of_half(v);
}

static uint32_t int_bits(enum nak_mod type)
{
    static const uint8_t bits[] = {8, 8, 16, 16, 32, 32, 64, 64};
    return bits[type - MOD_U8];
}
static bool int_signed(enum nak_mod type)
{
    return (type - MOD_U8) & 1;
}

static uint64_t i2f(const struct nak_inst *in, uint64_t v)
{
    const uint32_t bits = int_bits(in->type[1]);
    if (int_signed(in->type[1])) {
        const int64_t x = isa_signed(v, bits);
        return in->type[0] == MOD_F32 ? float_bits((float)x) : bits_of(in, in->type[0], (double)x);
    }
    const uint64_t x = isa_low(v, bits);
    return in->type[0] == MOD_F32 ? float_bits((float)x) : bits_of(in, in->type[0], (double)x);
}

static uint64_t f2i(const struct nak_inst *in, uint64_t bits)
{
    const enum nak_mod to = in->type[0];
    const uint32_t n = int_bits(to);
    const double v = rounded(in, float_of(in, in->type[1], bits));
    const uint64_t top = UINT64_C(1) << (n - 1);
    if (isnan(v)) // "Zero if source is not .f64 and the destination is not of 64 bits"
        return in->type[1] != MOD_F64 && n < 64 ? 0 : top;
    return int_signed(to) ? isa_to_signed(v, (int)n) : isa_to_unsigned(v, (int)n);
}

static uint64_t f2f(const struct nak_inst *in, uint64_t v)
{
    return bits_of(in, in->type[0], float_of(in, in->type[1], v));
}

static uint64_t frnd(const struct nak_inst *in, uint64_t v)
{
    return bits_of(in, in->type[0], rounded(in, float_of(in, in->type[1], v)));
}

// ---- the rows --------------------------------------------------------------

// The sources of an instruction: values in their order, predicates in theirs.
struct sources {
    const uint32_t *v[4];
    uint32_t p[3];
    uint32_t neg; // bit i: value i is negated
    uint32_t low, accum;
};

#define IGNORED(...)
#define NEG(value, k) ((x->neg >> (k) & 1) ? W(~(value)) + 1 : W(value))
#define P0            (x->p[0] >> l & 1)
#define P1            (x->p[1] >> l & 1)
#define PK            (x->low >> l & 1)
#define LAST          d

#define CARRY IGNORED
#define WIDE  IGNORED
#define TEST  IGNORED
#define OTHER IGNORED
#define VALUE(id, name, mods, dst, src, value, source)                                             \
    case NAK_##id:                                                                                 \
        for (uint32_t l = 0; l < LANES; l++) {                                                     \
            const uint32_t a = x->v[0][l], b = x->v[1][l], c = x->v[2][l];                         \
            (void)b, (void)c;                                                                      \
            r[l] = (uint32_t)(value);                                                              \
        }                                                                                          \
        break;
static void values(const struct nak_inst *in, const struct sources *x, uint32_t r[LANES])
{
    switch ((int)in->id) {
#include "ops.def"
    default:
        CHECK(false);
    }
}

#define VALUE IGNORED
#define WIDE  IGNORED
#define TEST  IGNORED
#define OTHER IGNORED
#define CARRY(id, name, mods, dst, src, value, source)                                             \
    case NAK_##id:                                                                                 \
        for (uint32_t l = 0; l < LANES; l++) {                                                     \
            const uint32_t a = x->v[0][l], b = x->v[1][l], c = x->v[2][l], d = x->v[3][l];         \
            (void)b, (void)c, (void)d;                                                             \
            const uint64_t sum = (value);                                                          \
            r[l] = (uint32_t)sum;                                                                  \
            carry[0] |= (uint32_t)(sum >> 32 >= 1) << l;                                           \
            carry[1] |= (uint32_t)(sum >> 32 >= 2) << l;                                           \
        }                                                                                          \
        break;
static void carries(const struct nak_inst *in, const struct sources *x, uint32_t r[LANES],
                    uint32_t carry[2])
{
    switch ((int)in->id) {
#include "ops.def"
    default:
        CHECK(false);
    }
}

#define VALUE IGNORED
#define CARRY IGNORED
#define TEST  IGNORED
#define OTHER IGNORED
#define WIDE(id, name, mods, dst, src, value, source)                                              \
    case NAK_##id:                                                                                 \
        r = (value);                                                                               \
        break;
static uint64_t wide(const struct nak_inst *in, const struct sources *x, uint32_t l, uint64_t a,
                     uint64_t b, uint64_t c)
{
    uint64_t r = 0;
    switch ((int)in->id) {
#include "ops.def"
    default:
        CHECK(false);
    }
    return r;
}

#define VALUE IGNORED
#define CARRY IGNORED
#define WIDE  IGNORED
#define OTHER IGNORED
#define TEST(id, name, mods, dst, src, value, source)                                              \
    case NAK_##id:                                                                                 \
        return (value);
static bool test(const struct nak_inst *in, const struct sources *x, uint32_t l, uint64_t a,
                 uint64_t b)
{
    switch ((int)in->id) {
#include "ops.def"
    default:
        CHECK(false);
    }
}

// ---- one instruction -------------------------------------------------------

static void predicates(struct nak_warp *w, const struct nak_inst *in, struct sources *x)
{
    uint32_t p = 0;
    x->accum = UINT32_MAX;
    for (uint32_t i = in->dst; i < in->n; i++) {
        const struct nak_operand *o = &in->o[i];
        if (o->type == 'p' && p < 3)
            x->p[p++] = nak_predicate(w, o);
        else if (o->type == 'k' && o->kind != OPERAND_NONE)
            x->low = nak_predicate(w, o);
        else if (o->type == 'a' && o->kind != OPERAND_NONE)
            x->accum = nak_predicate(w, o);
    }
}

static bool is_value(const struct nak_operand *o)
{
    return o->kind != OPERAND_NONE && o->kind != OPERAND_P && o->kind != OPERAND_UP &&
           o->type != 't';
}

// Computes 32-bit results of all lanes.
static bool narrow(struct nak_machine *m, struct nak_warp *w, const struct nak_inst *in,
                   uint32_t lanes, struct sources *x)
{
    static const uint32_t zero[LANES];
    uint32_t room[4][LANES], r[LANES], carry[2] = {0}, k = 0;
    uint64_t turned[LANES];
    for (uint32_t i = 0; i < 4; i++)
        x->v[i] = zero;
    for (uint32_t i = in->dst; i < in->n && k < 4; i++) {
        const struct nak_operand *o = &in->o[i];
        if (!is_value(o))
            continue;
        if (o->type == 'n')
            x->neg |= (uint32_t)o->neg << k;
        if (o->type != 'n' && (o->neg || o->abs || o->swizzle)) {
            nak_values(m, w, o, turned);
            for (uint32_t l = 0; l < LANES; l++)
                room[k][l] = (uint32_t)turned[l];
            x->v[k] = room[k];
        } else {
            x->v[k] = nak_words(m, w, o, 0, room[k]);
        }
        if (!x->v[k])
            return false;
        k++;
    }
    if (nak_ops[in->id].unit == NAK_VALUE)
        values(in, x, r);
    else
        carries(in, x, r, carry);
    nak_write(w, &in->o[0], 0, lanes, r);
    for (uint32_t i = 1; i < in->dst; i++)
        nak_write_bits(w, &in->o[i], lanes, carry[i - 1]);
    return true;
}

// Computes a 64-bit product. The text does not show whether it is signed.
static bool product(struct nak_machine *m, uint64_t a, uint64_t b, uint64_t c, uint64_t *out)
{
    const uint64_t u = a * b + c, s = (uint64_t)((int64_t)(int32_t)a * (int32_t)b) + c;
    const struct nak_program *p = m->p;
    if (u != s && p->signed_products == p->unsigned_products)
        return isa_refuse(m->out, RAN_UNSUPPORTED, m->q.line,
                          "a product that may be signed or unsigned");
    *out = p->signed_products && !p->unsigned_products ? s : u;
    return true;
}

static bool broad(struct nak_machine *m, struct nak_warp *w, const struct nak_inst *in,
                  uint32_t lanes, struct sources *x)
{
    uint64_t v[3][LANES] = {0}, r[LANES] = {0};
    uint32_t k = 0, bits = 0, words[LANES];
    for (uint32_t i = in->dst; i < in->n && k < 3; i++)
        if (is_value(&in->o[i])) {
            nak_values(m, w, &in->o[i], v[k++]);
            if (m->out->status != RAN_OK)
                return false;
        }
    if (nak_ops[in->id].unit == NAK_TEST) {
        EACH(l, lanes)
        bits |= (uint32_t)test(in, x, l, v[0][l], v[1][l]) << l;
        bits = in->set == MOD_OR    ? bits | x->accum
               : in->set == MOD_XOR ? bits ^ x->accum
                                    : bits & x->accum;
        nak_write_bits(w, &in->o[0], lanes, bits);
        return true;
    }
    EACH(l, lanes)
    {
        r[l] = wide(in, x, l, v[0][l], v[1][l], v[2][l]);
        if (in->id == NAK_IMAD64 && !product(m, v[0][l], v[1][l], v[2][l], &r[l]))
            return false;
    }
    for (uint32_t i = 0; i < in->o[0].count; i++) {
        for (uint32_t l = 0; l < LANES; l++)
            words[l] = (uint32_t)(r[l] >> 32 * i);
        nak_write(w, &in->o[0], i, lanes, words);
    }
    return true;
}

bool nak_compute(struct nak_machine *m, struct nak_warp *w, const struct nak_inst *in,
                 uint32_t lanes)
{
    struct sources x = {0};
    predicates(w, in, &x);
    switch (nak_ops[in->id].unit) {
    case NAK_PREDICATES:
        for (uint32_t i = 0; i < 2; i++)
            nak_write_bits(w, &in->o[i], lanes, lut3(in->o[5 + i].value, x.p[0], x.p[1], x.p[2]));
        return true;
    case NAK_VALUE:
    case NAK_CARRY:
        return narrow(m, w, in, lanes, &x);
    default:
        return broad(m, w, in, lanes, &x);
    }
}
