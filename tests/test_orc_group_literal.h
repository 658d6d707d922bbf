// SPDX-License-Identifier: Apache-2.0
//
// Every group operation once more, by the sentences of the SPIR-V specification (3.3.24, and the
// extensions SPV_KHR_subgroup_rotate, SPV_KHR_quad_control, SPV_NV_shader_subgroup_partitioned), one
// invocation at a time, as slowly as they are written. Nothing of the oracle's is used.
//
// A definition returns the result of one invocation, or says that it is undefined. It reads operands
// through value() and index_of(), which note whose they were.
#ifndef TF_TEST_ORC_GROUP_LITERAL_H
#define TF_TEST_ORC_GROUP_LITERAL_H

#include "base/base.h"
#include "test_numbers.h"

enum { COMPONENTS = 4 };

enum element_kind { UINT, BOOL, FLOAT };
struct element {
    const char *name; // as the module calls it
    enum element_kind kind;
    unsigned width;
};

// What the invocations of one group (a subgroup) hold.
struct group {
    const struct element *element;
    unsigned components, size; // size of the group
    lane_mask active;
    uint64_t x[COMPONENTS][LANES_MAX]; // Value, Predicate
    uint64_t index[LANES_MAX];        // Id, Mask, Delta, Index
    uint64_t uniform;                 // the same, where it must be dynamically uniform
    uint32_t ballot[LANES_MAX][4];    // Value of the ballot operations
    uint32_t uniform_ballot[4];       // of InverseBallot
    uint32_t partition[LANES_MAX][4]; // Ballot of the partitioned ones
    unsigned order[LANES_MAX];        // some order of the lanes, for floats
};

// What is asked: one component of the result of the invocation `me`.
struct question {
    const struct group *g;
    unsigned me, component;
    unsigned constant; // ClusterSize, Direction; 0 for none
    const struct operation *op; // of arithmetic
    const struct form *form;    // Reduce, ...
    lane_mask reads;       // whose Value was read
    bool reads_own;        // of `me`: its index or ballot
};

static bool is_active(const struct question *q, uint64_t lane)
{
    return lane < q->g->size && lane_in(q->g->active, (unsigned)lane);
}
static uint64_t value_of(struct question *q, unsigned lane, unsigned component)
{
    q->reads |= lane_bit(lane);
    return q->g->x[component][lane];
}
static uint64_t value(struct question *q, unsigned lane) { return value_of(q, lane, q->component); }
static uint64_t index_of(struct question *q)
{
    q->reads_own = true;
    return q->g->index[q->me];
}

// ---- operations ------------------------------------------------------------------------

// Two's complement: the top bit says which is negative, and else they are in order.
static bool less_signed(uint64_t x, uint64_t y, unsigned width)
{
    bool x_negative = x >> (width - 1) & 1, y_negative = y >> (width - 1) & 1;
    return x_negative != y_negative ? x_negative : x < y;
}

typedef uint64_t combining(const struct element *t, uint64_t x, uint64_t y);
static uint64_t i_add(const struct element *t, uint64_t x, uint64_t y)
{
    return (x + y) & all_ones(t->width);
}
static uint64_t i_mul(const struct element *t, uint64_t x, uint64_t y)
{
    return (x * y) & all_ones(t->width);
}
static uint64_t s_min(const struct element *t, uint64_t x, uint64_t y)
{
    return less_signed(y, x, t->width) ? y : x;
}
static uint64_t s_max(const struct element *t, uint64_t x, uint64_t y)
{
    return less_signed(x, y, t->width) ? y : x;
}
static uint64_t u_min(const struct element *t, uint64_t x, uint64_t y) { return (void)t, y < x ? y : x; }
static uint64_t u_max(const struct element *t, uint64_t x, uint64_t y) { return (void)t, y > x ? y : x; }
static uint64_t bit_and(const struct element *t, uint64_t x, uint64_t y) { return (void)t, x & y; }
static uint64_t bit_or(const struct element *t, uint64_t x, uint64_t y) { return (void)t, x | y; }
static uint64_t bit_xor(const struct element *t, uint64_t x, uint64_t y) { return (void)t, x ^ y; }
static uint64_t f_add(const struct element *t, uint64_t x, uint64_t y)
{
    return bits_of(float_of(x, t->width) + float_of(y, t->width), t->width);
}
static uint64_t f_mul(const struct element *t, uint64_t x, uint64_t y)
{
    return bits_of(float_of(x, t->width) * float_of(y, t->width), t->width);
}
static uint64_t f_min(const struct element *t, uint64_t x, uint64_t y)
{
    return float_of(y, t->width) < float_of(x, t->width) ? y : x;
}
static uint64_t f_max(const struct element *t, uint64_t x, uint64_t y)
{
    return float_of(y, t->width) > float_of(x, t->width) ? y : x;
}

// "The identity I for Operation is"
typedef uint64_t identity(const struct element *t);
static uint64_t zero(const struct element *t) { return (void)t, 0; }
static uint64_t one(const struct element *t) { return (void)t, 1; }
static uint64_t uint_max(const struct element *t) { return all_ones(t->width); }
static uint64_t int_max(const struct element *t) { return all_ones(t->width) >> 1; }
static uint64_t int_min(const struct element *t) { return UINT64_C(1) << (t->width - 1); }
static uint64_t float_one(const struct element *t) { return bits_of(1, t->width); }
static uint64_t plus_inf(const struct element *t) { return bits_of((double)INFINITY, t->width); }
static uint64_t minus_inf(const struct element *t) { return bits_of(-(double)INFINITY, t->width); }

struct operation {
    const char *name;
    enum element_kind kind;
    combining *combine;
    identity *identity;
};
static const struct operation operations[] = {
    {"IAdd", UINT, i_add, zero},           {"IMul", UINT, i_mul, one},
    {"SMin", UINT, s_min, int_max},        {"SMax", UINT, s_max, int_min},
    {"UMin", UINT, u_min, uint_max},       {"UMax", UINT, u_max, zero},
    {"BitwiseAnd", UINT, bit_and, uint_max}, {"BitwiseOr", UINT, bit_or, zero},
    {"BitwiseXor", UINT, bit_xor, zero},   {"LogicalAnd", BOOL, bit_and, one},
    {"LogicalOr", BOOL, bit_or, zero},     {"LogicalXor", BOOL, bit_xor, zero},
    {"FAdd", FLOAT, f_add, zero},          {"FMul", FLOAT, f_mul, float_one},
    {"FMin", FLOAT, f_min, plus_inf},      {"FMax", FLOAT, f_max, minus_inf},
};

// ---- arithmetic: reductions and scans -----------------------------------------------

// Which invocations an operation of a form combines for `me`.
static bool everybody(const struct question *q, unsigned lane) { return (void)q, (void)lane, true; }
static bool up_to_me(const struct question *q, unsigned lane) { return lane <= q->me; }
static bool before_me(const struct question *q, unsigned lane) { return lane < q->me; }
static bool my_cluster(const struct question *q, unsigned lane)
{
    return lane / q->constant == q->me / q->constant;
}
static bool my_partition(const struct question *q, unsigned lane)
{
    return q->g->partition[q->me][lane / 32] >> lane % 32 & 1;
}
static bool my_partition_up_to_me(const struct question *q, unsigned lane)
{
    return my_partition(q, lane) && lane <= q->me;
}
static bool my_partition_before_me(const struct question *q, unsigned lane)
{
    return my_partition(q, lane) && lane < q->me;
}

struct form {
    const char *name;
    bool (*takes)(const struct question *q, unsigned lane);
};
enum { REDUCE, INCLUSIVE, EXCLUSIVE, PARTITIONED, CLUSTERED = PARTITIONED + 3, FORMS };
static const struct form forms[FORMS] = {
    {"Reduce", everybody},
    {"InclusiveScan", up_to_me},
    {"ExclusiveScan", before_me},
    {"PartitionedReduceNV", my_partition},
    {"PartitionedInclusiveScanNV", my_partition_up_to_me},
    {"PartitionedExclusiveScanNV", my_partition_before_me},
    {"ClusteredReduce", my_cluster},
};

// "contributed by all tangled invocations within the Execution scope", in no particular order.
static bool arithmetic(struct question *q, uint64_t *result)
{
    if (q->constant > q->g->size) // "If ClusterSize is greater than the size of the scope"
        return false;
    *result = q->op->identity(q->g->element);
    for (unsigned k = 0; k < q->g->size; k++) {
        unsigned lane = q->g->order[k];
        if (is_active(q, lane) && q->form->takes(q, lane))
            *result = q->op->combine(q->g->element, *result, value(q, lane));
    }
    return true;
}

// ---- votes -----------------------------------------------------------------------------

// "true only in the tangled invocation with the lowest id within the Execution scope"
static bool elect(struct question *q, uint64_t *result)
{
    *result = true;
    for (unsigned lane = 0; lane < q->me; lane++)
        if (is_active(q, lane))
            *result = false;
    return true;
}
// "true if predicate evaluates to true for all tangled invocations within the Execution scope"
static bool all(struct question *q, uint64_t *result)
{
    *result = true;
    for (unsigned lane = 0; lane < q->g->size; lane++)
        if (is_active(q, lane) && !value(q, lane))
            *result = false;
    return true;
}
static bool any(struct question *q, uint64_t *result)
{
    *result = false;
    for (unsigned lane = 0; lane < q->g->size; lane++)
        if (is_active(q, lane) && value(q, lane))
            *result = true;
    return true;
}
// The same within the quad: four invocations with consecutive ids.
static bool quad_all(struct question *q, uint64_t *result)
{
    *result = true;
    for (unsigned lane = q->me / 4 * 4; lane < q->me / 4 * 4 + 4; lane++)
        if (is_active(q, lane) && !value(q, lane))
            *result = false;
    return true;
}
static bool quad_any(struct question *q, uint64_t *result)
{
    *result = false;
    for (unsigned lane = q->me / 4 * 4; lane < q->me / 4 * 4 + 4; lane++)
        if (is_active(q, lane) && value(q, lane))
            *result = true;
    return true;
}
static bool same_value(struct question *q, unsigned lane, unsigned other)
{
    bool same = true;
    const struct element *t = q->g->element;
    for (unsigned c = 0; c < q->g->components; c++) {
        uint64_t x = value_of(q, lane, c), y = value_of(q, other, c);
        bool equal = t->kind == FLOAT ? float_of(x, t->width) == float_of(y, t->width) : x == y;
        same = same && equal;
    }
    return same;
}
// "true if Value is equal for all tangled invocations"; of floats "an ordered-and-equal compare"
static bool all_equal(struct question *q, uint64_t *result)
{
    *result = true;
    for (unsigned lane = 0; lane < q->g->size; lane++)
        if (is_active(q, lane) && !same_value(q, lane, q->me))
            *result = false;
    return true;
}

// ---- ballots -----------------------------------------------------------------------------

// "a set of bitfields where the first invocation is represented in the lowest bit of the first vector
// component"; the bit of an invocation that is not tangled is 0.
static bool ballot(struct question *q, uint64_t *result)
{
    *result = 0;
    for (unsigned bit = 0; bit < 32; bit++) {
        unsigned lane = 32 * q->component + bit;
        if (is_active(q, lane) && value_of(q, lane, 0))
            *result |= UINT64_C(1) << bit;
    }
    q->reads = q->g->active; // a predicate that is undefined makes all four words so
    return true;
}
// "all invocations in each subset of the partition have the same value"
static bool partition(struct question *q, uint64_t *result)
{
    *result = 0;
    for (unsigned lane = 0; lane < q->g->size; lane++)
        if (is_active(q, lane) && same_value(q, lane, q->me) && lane / 32 == q->component)
            *result |= UINT64_C(1) << lane % 32;
    return true;
}
static bool bit_is_set(struct question *q, uint64_t bit)
{
    q->reads_own = true;
    return q->g->ballot[q->me][bit / 32] >> bit % 32 & 1;
}
// "true if the bit in Value for the corresponding invocation is set to 1"
static bool inverse_ballot(struct question *q, uint64_t *result)
{
    *result = q->g->uniform_ballot[q->me / 32] >> q->me % 32 & 1;
    return true;
}
// "undefined if Index is greater than or equal to the size of the scope"
static bool bit_extract(struct question *q, uint64_t *result)
{
    uint64_t index = index_of(q);
    if (index >= q->g->size)
        return false;
    *result = bit_is_set(q, index);
    return true;
}
// "considering only the bits in Value required to represent all bits of the scope restricted tangle":
// here all bits below the size of the subgroup.
static bool bit_count(struct question *q, uint64_t *result)
{
    *result = 0;
    for (unsigned bit = 0; bit < q->g->size; bit++)
        if (bit_is_set(q, bit) && q->form->takes(q, bit))
            ++*result;
    return true;
}
// "If none of the considered bits is set to 1, the resulting value is undefined."
static bool find_lsb(struct question *q, uint64_t *result)
{
    for (*result = 0; *result < q->g->size; ++*result)
        if (bit_is_set(q, *result))
            return true;
    return false;
}
static bool find_msb(struct question *q, uint64_t *result)
{
    for (*result = q->g->size; (*result)-- > 0;)
        if (bit_is_set(q, *result))
            return true;
    return false;
}

// ---- moves -----------------------------------------------------------------------------

// "the Value of the invocation identified by"; undefined where that one is not active, or not
// below the size of the group.
static bool from(struct question *q, uint64_t lane, uint64_t *result)
{
    if (!is_active(q, lane))
        return false;
    *result = value(q, (unsigned)lane);
    return true;
}
static bool broadcast(struct question *q, uint64_t *result) { return from(q, q->g->uniform, result); }
static bool shuffle(struct question *q, uint64_t *result) { return from(q, index_of(q), result); }
// "the invocation from the tangled invocations with the lowest id"
static bool broadcast_first(struct question *q, uint64_t *result)
{
    unsigned lane = 0;
    while (!is_active(q, lane))
        lane++;
    return from(q, lane, result);
}
static bool shuffle_xor(struct question *q, uint64_t *result)
{
    return from(q, q->me ^ index_of(q), result);
}
// "undefined if Delta is greater than the current invocation's id"
static bool shuffle_up(struct question *q, uint64_t *result)
{
    uint64_t delta = index_of(q);
    return delta <= q->me && from(q, q->me - delta, result);
}
static bool shuffle_down(struct question *q, uint64_t *result)
{
    return from(q, q->me + index_of(q), result);
}
// "((LocalId + Delta) & (RotationGroupSize - 1)) + (LocalId & ~(RotationGroupSize - 1))"
static bool rotate(struct question *q, uint64_t *result)
{
    uint64_t size = q->constant ? q->constant : q->g->size;
    if (size > q->g->size)
        return false;
    return from(q, ((q->me + q->g->uniform) & (size - 1)) + (q->me & ~(size - 1)), result);
}
// "the invocation within the quad with a quad index equal to Index"; undefined for 4 and more
static bool quad_broadcast(struct question *q, uint64_t *result)
{
    uint64_t index = q->g->uniform;
    return index < 4 && from(q, q->me / 4 * 4 + index, result);
}
// Direction 0: 0 and 1, 2 and 3; 1: 0 and 2, 1 and 3; 2: 0 and 3, 1 and 2 swap
static bool quad_swap(struct question *q, uint64_t *result)
{
    static const unsigned with[3][4] = {{1, 0, 3, 2}, {2, 3, 0, 1}, {3, 2, 1, 0}};
    return from(q, q->me / 4 * 4 + with[q->constant][q->me % 4], result);
}

#endif
