// SPDX-License-Identifier: Apache-2.0
//
// Integer arithmetic on planes. Input: operand planes and the active lanes. Output: the result's
// planes in the active lanes, and the lanes in which it is defined. Inactive lanes keep their
// values.
//
// alu.def and glsl.def define the instructions; this file only loops over lanes. The loops of the
// plain rows are written so that compilers vectorise them.
#include "execute.h"

#include <spirv/unified1/GLSL.std.450.h>

static uint64_t bit_reverse(uint64_t x, unsigned w)
{
    uint64_t r = 0;
    for (unsigned b = 0; b < w; b++)
        r |= ((x >> b) & 1) << (w - 1 - b);
    return r;
}

static uint64_t find_smsb(int64_t v)
{
    uint64_t bits = (uint64_t)(v < 0 ? ~v : v);
    return bits ? (uint64_t)(63 - __builtin_clzll(bits)) : ~UINT64_C(0);
}

// The loop over lanes: stores the expression in the active lanes.
#define LANES(expr)                                                                                \
    if (v->full) {                                                                                 \
        for (uint32_t l = 0; l < n; l++)                                                           \
            d[l] = (uint64_t)(expr) & keep;                                                        \
    } else {                                                                                       \
        for (uint32_t l = 0; l < n; l++)                                                           \
            d[l] = ((uint64_t)(expr) & keep & on[l]) | (d[l] & ~on[l]);                            \
    }

#define EACH_COMPONENT for (uint32_t k = 0; k < i->comps; k++)

#define COMMON                                                                                     \
    const uint32_t n = v->lanes;                                                                   \
    const uint64_t *on = v->on;                                                                    \
    const unsigned w = i->width;                                                                   \
    (void)w, (void)on;

#define OPERANDS1                                                                                  \
    uint64_t *restrict d = plane_of(v, i->dst + k);                                                \
    const uint64_t *restrict a = plane_of(v, i->a + k);
#define OPERANDS2 OPERANDS1 const uint64_t *restrict b = plane_of(v, i->b + k);
#define OPERANDS3 OPERANDS2 const uint64_t *restrict c = plane_of(v, i->c + k);

#define x a[l]
#define y b[l]
#define z c[l]
#define X sign_extend(a[l], w)
#define Y sign_extend(b[l], w)
#define Z sign_extend(c[l], w)

// The loop for results that may be undefined. `ok` collects the lanes with a defined result.
#define LANES_CHECKED(when, expr)                                                                  \
    LANES_EACH (l, v->active & ok) {                                                               \
        if (when)                                                                                  \
            d[l] = (uint64_t)(expr) & keep;                                                        \
        else                                                                                       \
            ok &= ~lane_bit(l);                                                                    \
    }                                                                                              \
    define(v, i->dst + k, ok);

static void select_lanes(const struct inst *i, const struct values *v)
{
    COMMON
    const uint64_t keep = ~UINT64_C(0);
    EACH_COMPONENT
    {
        OPERANDS2
        uint32_t cp = i->c + (i->d ? k : 0); // one condition for each component, or one for all
        const uint64_t *restrict c = plane_of(v, cp);
        lane_mask takes_a = 0;
        for (uint32_t l = 0; l < n; l++)
            takes_a |= (lane_mask)(c[l] & 1) << l;
        const lane_mask da = v->defined[i->a + k], db = v->defined[i->b + k];
        lane_mask ok = v->defined[cp] & ((da & takes_a) | (db & ~takes_a));
        LANES_EACH (l, v->active & ~v->defined[cp] & da & db) // both choices are equal
            ok |= x == y ? lane_bit(l) : 0;
        LANES(z & 1 ? x : y)
        define(v, i->dst + k, ok);
    }
}

static void any_all(const struct inst *i, const struct values *v, bool all)
{
    uint64_t *d = plane_of(v, i->dst);
    lane_mask ok = ~(lane_mask)0;
    for (uint32_t k = 0; k < i->comps; k++)
        ok &= v->defined[i->a + k];
    LANES_EACH (l, v->active) {
        uint64_t r = all;
        for (uint32_t k = 0; k < i->comps; k++) {
            uint64_t e = plane_of(v, i->a + k)[l] & 1;
            r = all ? r & e : r | e;
        }
        d[l] = r;
    }
    define(v, i->dst, ok);
}

// Instructions whose result is a struct of two members: low and high, or sum and carry.
static void extended(const struct inst *i, const struct values *v)
{
    const unsigned w = i->width;
    const uint64_t keep = width_mask(w);
    EACH_COMPONENT
    {
        uint64_t *lo = plane_of(v, i->dst + k), *hi = plane_of(v, i->dst + i->comps + k);
        const uint64_t *a = plane_of(v, i->a + k), *b = plane_of(v, i->b + k);
        LANES_EACH (l, v->active) {
            __extension__ typedef unsigned __int128 u128;
            __extension__ typedef __int128 s128;
            uint64_t p = x, q = y; // copies, in case the destination is an operand
            switch (i->op) {
            case SpvOpIAddCarry:
                lo[l] = (p + q) & keep;
                hi[l] = ((((u128)p + q) >> w) & 1) != 0;
                break;
            case SpvOpISubBorrow:
                lo[l] = (p - q) & keep;
                hi[l] = p < q;
                break;
            case SpvOpUMulExtended: {
                u128 r = (u128)p * q;
                lo[l] = (uint64_t)r & keep;
                hi[l] = (uint64_t)(r >> w) & keep;
                break;
            }
            default: { // SpvOpSMulExtended
                u128 r = (u128)((s128)sign_extend(p, w) * sign_extend(q, w));
                lo[l] = (uint64_t)r & keep;
                hi[l] = (uint64_t)(r >> w) & keep;
                break;
            }
            }
        }
        lane_mask ok = v->defined[i->a + k] & v->defined[i->b + k];
        define(v, i->dst + k, ok);
        define(v, i->dst + i->comps + k, ok);
    }
}

// BitFieldInsert: base, insert, offset, count. BitFieldSExtract, BitFieldUExtract: base, offset,
// count.
static void bit_field(const struct inst *i, const struct values *v)
{
    const unsigned w = i->width;
    bool insert = i->op == SpvOpBitFieldInsert;
    uint32_t po = insert ? i->c : i->b, pc = insert ? i->d : i->c;
    EACH_COMPONENT
    {
        uint64_t *d = plane_of(v, i->dst + k);
        const uint64_t *base = plane_of(v, i->a + k);
        const uint64_t *off = plane_of(v, po), *cnt = plane_of(v, pc);
        lane_mask ok = v->defined[i->a + k] & v->defined[po] & v->defined[pc];
        if (insert)
            ok &= v->defined[i->b + k];
        LANES_EACH (l, v->active & ok) {
            uint64_t o = off[l], count = cnt[l];
            if (o > w || count > w || o + count > w) { // "undefined if ... greater than"
                ok &= ~lane_bit(l);
                continue;
            }
            uint64_t field = count ? width_mask((unsigned)count) : 0, r;
            if (insert)
                r = (base[l] & ~(o < 64 ? field << o : 0)) |
                    (o < 64 ? (plane_of(v, i->b + k)[l] & field) << o : 0);
            else {
                r = o < 64 ? (base[l] >> o) & field : 0;
                if (i->op == SpvOpBitFieldSExtract && count)
                    r = (uint64_t)sign_extend(r, (unsigned)count);
            }
            d[l] = r & width_mask(w);
        }
        define(v, i->dst + k, ok);
    }
}

static void vector_dynamic(const struct inst *i, const struct values *v)
{
    bool insert = i->op == SpvOpVectorInsertDynamic;
    uint32_t pi = insert ? i->c : i->b;
    const uint64_t *index = plane_of(v, pi);
    if (insert)
        for (uint32_t k = 0; k < i->comps; k++) {
            LANES_EACH (l, v->active)
                plane_of(v, i->dst + k)[l] = plane_of(v, i->a + k)[l];
            define(v, i->dst + k, v->defined[i->a + k] & v->defined[pi]);
        }
    lane_mask ok = v->defined[pi];
    LANES_EACH (l, v->active & v->defined[pi]) {
        uint64_t at = index[l];
        if (at >= i->comps) { // 3.3.12: "Behavior is undefined"
            ok &= ~lane_bit(l);
            if (insert)
                for (uint32_t k = 0; k < i->comps; k++)
                    v->defined[i->dst + k] &= ~lane_bit(l);
        } else if (insert) {
            plane_of(v, i->dst + (uint32_t)at)[l] = plane_of(v, i->b)[l];
            if (!lane_in(v->defined[i->b], l))
                v->defined[i->dst + at] &= ~lane_bit(l);
            else
                v->defined[i->dst + at] |= lane_bit(l);
        } else {
            plane_of(v, i->dst)[l] = plane_of(v, i->a + (uint32_t)at)[l];
            if (!lane_in(v->defined[i->a + at], l))
                ok &= ~lane_bit(l);
        }
    }
    if (!insert)
        define(v, i->dst, ok);
}

bool alu_knows(uint32_t op)
{
    switch (op) {
#define ALU1(op, r)               case op:
#define ALU2(op, r)               case op:
#define ALU2_ABSORBED(op, r, by)  case op:
#define ALU2_CHECKED(op, when, r) case op:
#include "alu.def"
#undef ALU1
#undef ALU2
#undef ALU2_ABSORBED
#undef ALU2_CHECKED
    case SpvOpSelect:
    case SpvOpAny:
    case SpvOpAll:
    case SpvOpIAddCarry:
    case SpvOpISubBorrow:
    case SpvOpUMulExtended:
    case SpvOpSMulExtended:
    case SpvOpBitFieldInsert:
    case SpvOpBitFieldSExtract:
    case SpvOpBitFieldUExtract:
    case SpvOpVectorExtractDynamic:
    case SpvOpVectorInsertDynamic:
        return true;
    default:
        return false;
    }
}

bool alu_run(const struct inst *i, const struct values *v)
{
    COMMON
    const uint64_t keep = width_mask(i->width2);
    switch (i->op) {
#define ALU1(op, r)                                                                                \
    case op:                                                                                       \
        EACH_COMPONENT                                                                             \
        {                                                                                          \
            OPERANDS1                                                                              \
            LANES(r)                                                                               \
            define(v, i->dst + k, v->defined[i->a + k]);                                           \
        }                                                                                          \
        return true;
#define ALU2(op, r)                                                                                \
    case op:                                                                                       \
        EACH_COMPONENT                                                                             \
        {                                                                                          \
            OPERANDS2                                                                              \
            LANES(r)                                                                               \
            define(v, i->dst + k, v->defined[i->a + k] & v->defined[i->b + k]);                    \
        }                                                                                          \
        return true;
#define ALU2_ABSORBED(op, r, by)                                                                   \
    case op:                                                                                       \
        EACH_COMPONENT                                                                             \
        {                                                                                          \
            OPERANDS2                                                                              \
            const lane_mask da = v->defined[i->a + k], db = v->defined[i->b + k];                  \
            lane_mask ok = da & db;                                                                \
            LANES_EACH (l, v->active & ~ok & (da | db))                                            \
                if ((lane_in(da, l) ? x : y) == (by))                                              \
                    ok |= lane_bit(l);                                                             \
            LANES(r)                                                                               \
            define(v, i->dst + k, ok);                                                             \
        }                                                                                          \
        return true;
#define ALU2_CHECKED(op, when, r)                                                                  \
    case op:                                                                                       \
        EACH_COMPONENT                                                                             \
        {                                                                                          \
            OPERANDS2                                                                              \
            lane_mask ok = v->defined[i->a + k] & v->defined[i->b + k];                            \
            LANES_CHECKED(when, r)                                                                 \
        }                                                                                          \
        return true;
#include "alu.def"
#undef ALU1
#undef ALU2
#undef ALU2_ABSORBED
#undef ALU2_CHECKED
    case SpvOpSelect:
        select_lanes(i, v);
        return true;
    case SpvOpAny:
        any_all(i, v, false);
        return true;
    case SpvOpAll:
        any_all(i, v, true);
        return true;
    case SpvOpIAddCarry:
    case SpvOpISubBorrow:
    case SpvOpUMulExtended:
    case SpvOpSMulExtended:
        extended(i, v);
        return true;
    case SpvOpBitFieldInsert:
    case SpvOpBitFieldSExtract:
    case SpvOpBitFieldUExtract:
        bit_field(i, v);
        return true;
    case SpvOpVectorExtractDynamic:
    case SpvOpVectorInsertDynamic:
        vector_dynamic(i, v);
        return true;
    default:
        return false;
    }
}

bool glsl_knows(uint32_t op, uint32_t *operands)
{
    switch (op) {
#define GLSL1(op, r)                                                                               \
    case op:                                                                                       \
        *operands = 1;                                                                             \
        return true;
#define GLSL2(op, r)                                                                               \
    case op:                                                                                       \
        *operands = 2;                                                                             \
        return true;
#define GLSL3_CHECKED(op, when, r)                                                                 \
    case op:                                                                                       \
        *operands = 3;                                                                             \
        return true;
#include "glsl.def"
#undef GLSL1
#undef GLSL2
#undef GLSL3_CHECKED
    default:
        return false;
    }
}

bool glsl_run(const struct inst *i, const struct values *v)
{
    COMMON
    const uint64_t keep = width_mask(i->width2);
    switch (i->op) {
#define GLSL1(op, r)                                                                               \
    case op:                                                                                       \
        EACH_COMPONENT                                                                             \
        {                                                                                          \
            OPERANDS1                                                                              \
            LANES(r)                                                                               \
            define(v, i->dst + k, v->defined[i->a + k]);                                           \
        }                                                                                          \
        return true;
#define GLSL2(op, r)                                                                               \
    case op:                                                                                       \
        EACH_COMPONENT                                                                             \
        {                                                                                          \
            OPERANDS2                                                                              \
            LANES(r)                                                                               \
            define(v, i->dst + k, v->defined[i->a + k] & v->defined[i->b + k]);                    \
        }                                                                                          \
        return true;
#define GLSL3_CHECKED(op, when, r)                                                                 \
    case op:                                                                                       \
        EACH_COMPONENT                                                                             \
        {                                                                                          \
            OPERANDS3                                                                              \
            lane_mask ok = v->defined[i->a + k] & v->defined[i->b + k] & v->defined[i->c + k];     \
            LANES_CHECKED(when, r)                                                                 \
        }                                                                                          \
        return true;
#include "glsl.def"
#undef GLSL1
#undef GLSL2
#undef GLSL3_CHECKED
    default:
        return false;
    }
}
