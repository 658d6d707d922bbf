// SPDX-License-Identifier: Apache-2.0
//
// Float instructions. Input and output as in alu.c; planes hold the bits. A result is defined only
// if no freedom of Vulkan affects it: it needs no rounding; it is not NaN, infinite or denormal; it
// is not a zero from arithmetic (the sign is unspecified); and if the instruction may be
// reassociated or contracted, all numbers are small (exact.h). float.def defines the instructions.
#include "float.h"

#include <spirv/unified1/GLSL.std.450.h>

// ---- functions that float.def uses --------------------------------------------------

static struct exact multiply_add(struct exact x, struct exact y, struct exact z, unsigned width)
{
    struct exact product = exact_mul(x, y);
    uint64_t bits;
    product.ok =
        product.ok && exact_encode(product, width, &bits); // the same with and without fusing
    return exact_add(product, z);
}

static struct exact smaller(struct exact x, struct exact y)
{
    return exact_compare(x, y) < 0 ? x : y;
}

static struct exact larger(struct exact x, struct exact y)
{
    return exact_compare(x, y) > 0 ? x : y;
}

static struct exact clamp(struct exact x, struct exact low, struct exact high)
{
    struct exact r = smaller(larger(x, low), high);
    r.ok = exact_compare(low, high) <= 0; // "undefined if minVal > maxVal"
    return r;
}

// Rounds to the nearest integer. For Round the implementation chooses the direction of a half.
static struct exact nearest(struct exact x, bool even)
{
    const struct exact half = exact_make(false, 1, -1);
    if (x.e == -1 && x.m) { // halfway
        struct exact below = exact_floor(x);
        bool odd = below.e == 0 && below.m;
        below.ok = even;
        return odd ? exact_add(below, exact_int(1)) : below;
    }
    return exact_floor(exact_add(x, half));
}

// ---- operands and results -------------------------------------------------------

struct exact float_operand(const struct inst *i, const struct values *v, uint32_t plane,
                           uint32_t lane)
{
    struct exact x = exact_decode(plane_of(v, plane)[lane], i->width);
    x.ok = x.ok && lane_in(v->defined[plane], lane);
    return x;
}

bool float_put(const struct values *v, uint32_t plane, uint32_t lane, struct exact r,
               unsigned width, bool zero)
{
    uint64_t bits;
    if (!exact_encode(r, width, &bits) || (exact_is_zero(r) && (!zero || r.neg)))
        return false;
    plane_of(v, plane)[lane] = bits;
    return true;
}

// Returns the active lanes in which all operands of cell k are defined, and small unless they may
// have any size.
static lane_mask known_lanes(const struct inst *i, const struct values *v, const uint32_t *planes,
                             uint32_t operands, uint32_t k, bool any_size)
{
    lane_mask out = v->active;
    for (uint32_t j = 0; j < operands; j++) {
        const uint64_t *bits = plane_of(v, planes[j] + k);
        out &= v->defined[planes[j] + k];
        lane_mask large = 0;
        LANES_EACH (l, any_size ? 0 : out)
            large |= exact_bits_are_small(bits[l], i->width) ? 0 : lane_bit(l);
        out &= ~large;
    }
    return out;
}

static void plain(const struct inst *i, const struct values *v, uint32_t operands, bool arithmetic,
                  struct exact (*give)(const struct inst *, struct exact, struct exact,
                                       struct exact))
{
    bool any_size = i->precise || !arithmetic;
    const uint32_t planes[3] = {i->a, i->b, i->c};
    struct exact o[3] = {exact_int(0), exact_int(0), exact_int(0)};
    for (uint32_t k = 0; k < i->comps; k++) {
        lane_mask ok = 0;
        const lane_mask lanes = known_lanes(i, v, planes, operands, k, any_size);
        LANES_EACH (l, lanes) {
            bool known = true;
            for (uint32_t j = 0; j < operands; j++) {
                o[j] = float_operand(i, v, planes[j] + k, l);
                known &= o[j].ok;
            }
            if (!known)
                continue;
            struct exact r = give(i, o[0], o[1], o[2]);
            if ((any_size || exact_is_small(r, i->width2)) &&
                float_put(v, i->dst + k, l, r, i->width2, false))
                ok |= lane_bit(l);
        }
        define(v, i->dst + k, ok);
    }
}

static void compare(const struct inst *i, const struct values *v, bool (*give)(int))
{
    for (uint32_t k = 0; k < i->comps; k++) {
        lane_mask ok = 0;
        const uint64_t *x = plane_of(v, i->a + k), *y = plane_of(v, i->b + k);
        uint64_t *to = plane_of(v, i->dst + k);
        LANES_EACH (l, v->active & v->defined[i->a + k] & v->defined[i->b + k]) {
            int order;
            if (!exact_bits_compare(x[l], y[l], i->width, &order))
                continue;
            to[l] = give(order);
            ok |= lane_bit(l);
        }
        define(v, i->dst + k, ok);
    }
}

// ---- vectors and matrices -----------------------------------------------------

struct terms float_terms(const struct inst *i, uint32_t k)
{
    uint32_t rows = i->c, row = k % rows, column = k / rows; // of the result
    switch (i->op) {
    case SpvOpVectorTimesScalar:
    case SpvOpMatrixTimesScalar:
        return (struct terms){1, k, 0, 0, 0};
    case SpvOpOuterProduct:
        return (struct terms){1, row, 0, column, 0};
    case SpvOpVectorTimesMatrix:
        return (struct terms){i->n, 0, 1, k * i->n, 1};
    case SpvOpMatrixTimesVector:
        return (struct terms){i->n, row, rows, 0, 1};
    case SpvOpMatrixTimesMatrix:
        return (struct terms){i->n, row, rows, column * i->n, 1};
    default:
        return (struct terms){i->n, 0, 1, 0, 1}; // OpDot
    }
}

static void linear(const struct inst *i, const struct values *v)
{
    for (uint32_t k = 0; k < i->comps; k++) {
        struct terms t = float_terms(i, k);
        lane_mask ok = 0;
        LANES_EACH (l, v->active) {
            struct exact_many sum = exact_none(false);
            bool known = true;
            for (uint32_t j = 0; j < t.count && known; j++) {
                const uint32_t a = i->a + t.a + j * t.a_step, b = i->b + t.b + j * t.b_step;
                known = lane_in(v->defined[a] & v->defined[b], l) &&
                        (i->precise || (exact_bits_are_small(plane_of(v, a)[l], i->width) &&
                                        exact_bits_are_small(plane_of(v, b)[l], i->width)));
            }
            for (uint32_t j = 0; j < t.count && known; j++) {
                struct exact x = float_operand(i, v, i->a + t.a + j * t.a_step, l);
                struct exact y = float_operand(i, v, i->b + t.b + j * t.b_step, l);
                struct exact product = exact_mul(x, y);
                uint64_t bits;
                known = x.ok && y.ok && exact_encode(product, i->width, &bits);
                exact_join_sum(&sum, product);
            }
            if (!known)
                continue;
            struct exact r = exact_sum(&sum, i->width);
            if (r.ok && (i->precise || exact_is_small(r, i->width)) &&
                float_put(v, i->dst + k, l, r, i->width, false))
                ok |= lane_bit(l);
        }
        define(v, i->dst + k, ok);
    }
}

// ---- floats that do not come from arithmetic -----------------------------------------

// Makes bits from memory or casts undefined that Vulkan does not preserve: a denormal may be
// flushed at any time, a NaN may change.
void float_quieten(const struct inst *i, const struct values *v)
{
    int stored = i->width == 16 ? 10 : i->width == 32 ? 23 : 52;
    uint64_t fraction = ((uint64_t)1 << stored) - 1;
    uint64_t most = ((uint64_t)1 << (i->width - 1 - stored)) - 1;
    for (uint32_t k = 0; k < i->comps; k++) {
        const uint64_t *d = plane_of(v, i->dst + k);
        lane_mask bad = 0;
        LANES_EACH (l, v->active & v->defined[i->dst + k]) {
            uint64_t exponent = d[l] >> stored & most;
            if ((d[l] & fraction) && (exponent == 0 || exponent == most))
                bad |= lane_bit(l);
        }
        v->defined[i->dst + k] &= ~bad;
    }
}

// ---- the table ------------------------------------------------------------------

// One function for each row.
#define GIVE(op, result)                                                                           \
    static struct exact give_##op(const struct inst *i, struct exact x, struct exact y,            \
                                  struct exact z)                                                  \
    {                                                                                              \
        (void)i, (void)x, (void)y, (void)z;                                                        \
        return result;                                                                             \
    }
#define FLOAT_ARITH(op, operands, result) GIVE(op, result)
#define FLOAT_PLAIN(op, operands, result) GIVE(op, result)
#define FLOAT_OPEN(op, operands)
#define FLOAT_COMPARE(op, result)                                                                  \
    static bool give_##op(int c)                                                                   \
    {                                                                                              \
        return result;                                                                             \
    }
#define GLSL_ARITH(op, operands, result) GIVE(op, result)
#define GLSL_PLAIN(op, operands, result) GIVE(op, result)
#define GLSL_OPEN(op, operands)
#include "float.def"

static void leave_open(const struct inst *i, const struct values *v)
{
    for (uint32_t k = 0; k < i->comps; k++)
        define(v, i->dst + k, 0);
}

enum float_shape float_knows(uint32_t op, uint32_t *operands)
{
    switch (op) {
#define FLOAT_ARITH(op, n, result)                                                                 \
    case op:                                                                                       \
        *operands = n;                                                                             \
        return FLOAT_SAME;
#define FLOAT_PLAIN(op, n, result)                                                                 \
    case op:                                                                                       \
        *operands = n;                                                                             \
        return FLOAT_SAME;
#define FLOAT_OPEN(op, n)                                                                          \
    case op:                                                                                       \
        *operands = n;                                                                             \
        return FLOAT_SAME;
#define FLOAT_COMPARE(op, result)                                                                  \
    case op:                                                                                       \
        *operands = 2;                                                                             \
        return FLOAT_TEST;
#define GLSL_ARITH(op, n, result)
#define GLSL_PLAIN(op, n, result)
#define GLSL_OPEN(op, n)
#include "float.def"
    case SpvOpIsNan:
    case SpvOpIsInf:
        *operands = 1;
        return FLOAT_TEST;
    case SpvOpConvertFToS:
    case SpvOpConvertFToU:
        *operands = 1;
        return FLOAT_TO_INT;
    case SpvOpConvertSToF:
    case SpvOpConvertUToF:
        *operands = 1;
        return FLOAT_FROM_INT;
    case SpvOpFConvert:
    case SpvOpQuantizeToF16:
        *operands = 1;
        return FLOAT_TO_FLOAT;
    case SpvOpVectorTimesScalar:
    case SpvOpMatrixTimesScalar:
    case SpvOpVectorTimesMatrix:
    case SpvOpMatrixTimesVector:
    case SpvOpMatrixTimesMatrix:
    case SpvOpOuterProduct:
    case SpvOpDot:
        *operands = 2;
        return FLOAT_LINEAR;
    default:
        return FLOAT_UNKNOWN;
    }
}

void float_run(const struct inst *i, const struct values *v)
{
    switch (i->op) {
#define FLOAT_ARITH(op, n, result)                                                                 \
    case op:                                                                                       \
        plain(i, v, n, true, give_##op);                                                           \
        return;
#define FLOAT_PLAIN(op, n, result)                                                                 \
    case op:                                                                                       \
        plain(i, v, n, false, give_##op);                                                          \
        return;
#define FLOAT_OPEN(op, n)                                                                          \
    case op:                                                                                       \
        leave_open(i, v);                                                                          \
        return;
#define FLOAT_COMPARE(op, result)                                                                  \
    case op:                                                                                       \
        compare(i, v, give_##op);                                                                  \
        return;
#define GLSL_ARITH(op, n, result)
#define GLSL_PLAIN(op, n, result)
#define GLSL_OPEN(op, n)
#include "float.def"
    default:
        if (!convert_run(i, v))
            linear(i, v);
    }
}

bool float_glsl_knows(uint32_t op, uint32_t *operands, bool *is_open)
{
    *is_open = false;
    switch (op) {
#define FLOAT_ARITH(op, n, result)
#define FLOAT_PLAIN(op, n, result)
#define FLOAT_OPEN(op, n)
#define FLOAT_COMPARE(op, result)
#define GLSL_ARITH(op, n, result)                                                                  \
    case op:                                                                                       \
        *operands = n;                                                                             \
        return true;
#define GLSL_PLAIN(op, n, result)                                                                  \
    case op:                                                                                       \
        *operands = n;                                                                             \
        return true;
#define GLSL_OPEN(op, n)                                                                           \
    case op:                                                                                       \
        *operands = n;                                                                             \
        *is_open = true;                                                                           \
        return true;
#include "float.def"
    default:
        return false;
    }
}

void float_run_glsl(const struct inst *i, const struct values *v)
{
    switch (i->op) {
#define FLOAT_ARITH(op, n, result)
#define FLOAT_PLAIN(op, n, result)
#define FLOAT_OPEN(op, n)
#define FLOAT_COMPARE(op, result)
#define GLSL_ARITH(op, n, result)                                                                  \
    case op:                                                                                       \
        plain(i, v, n, true, give_##op);                                                           \
        return;
#define GLSL_PLAIN(op, n, result)                                                                  \
    case op:                                                                                       \
        plain(i, v, n, false, give_##op);                                                          \
        return;
#define GLSL_OPEN(op, n)                                                                           \
    case op:                                                                                       \
        leave_open(i, v);                                                                          \
        return;
#include "float.def"
    default:
        convert_run_glsl(i, v);
    }
}
