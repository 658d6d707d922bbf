// SPDX-License-Identifier: Apache-2.0
//
// Group arithmetic: reductions and scans over the tangle, its clusters or its partitions. A result
// is defined if every operand of its set is defined; for floats, if every partial result in every
// order is exact.
#include "float.h"

#include "spirv/spirv_groups.h"

static bool is_scan(const struct inst *i, SpvGroupOperation plain, SpvGroupOperation partitioned)
{
    return i->group_op == plain || i->group_op == partitioned;
}

// Returns in sets[] the sets of lanes that are combined: the tangle, its clusters or its
// partitions. Clears *fits if the cluster is larger than the subgroup or a partition is undefined:
// the result is undefined. False if the run has failed.
static bool find_sets(struct machine *m, const struct inst *i, lane_mask *sets, uint32_t *n,
                      bool *fits)
{
    const struct values *v = &m->v;
    *n = 0;
    *fits = true;
    if (i->group_op == SpvGroupOperationClusteredReduce) {
        uint32_t size = i->cluster;
        *fits = size <= v->lanes;
        if (!*fits)
            machine_stray(m, "E-bounds", i->spv, v->active,
                          "the cluster is larger than the subgroup");
        for (uint32_t first = 0; first < v->lanes; first += size)
            sets[(*n)++] = v->active & (lanes_below(first + size) & ~lanes_below(first));
        return true;
    }
    if (i->group_op <= SpvGroupOperationClusteredReduce) {
        sets[(*n)++] = v->active;
        return true;
    }
    // The ballots "must form a valid partition": each lane is in its own set, and two sets are
    // equal or disjoint. Stricter than the text: no inactive lane may be in any set.
    lane_mask done = 0;
    LANES_EACH (l, v->active) {
        lane_mask set = 0;
        for (uint32_t k = 0; k < 4; k++) {
            if (!lane_in(v->defined[i->b + k], l))
                *fits = false;
            set |= (lane_mask)(plane_of(v, i->b + k)[l] & UINT32_MAX) << (32 * k);
        }
        if (!*fits) // no set is defined
            continue;
        bool old = lane_in(done, l), same = false;
        for (uint32_t k = 0; k < *n && old; k++)
            same |= lane_in(sets[k], l) && sets[k] == set;
        if (!lane_in(set, l) || (set & ~v->active) || (old ? !same : (done & set) != 0))
            return machine_fail(m, RAN_UNDEFINED, "E-uniform", i->spv, lane_bit(l),
                                "Ballot is not a partition of the active invocations");
        if (!old)
            sets[(*n)++] = set;
        done |= set;
    }
    return true;
}

static uint64_t identity(uint32_t op, unsigned w)
{
    switch (op) {
    case SpvOpGroupNonUniformIMul:
    case SpvOpGroupNonUniformLogicalAnd:
        return 1;
    case SpvOpGroupNonUniformUMin:
    case SpvOpGroupNonUniformBitwiseAnd:
        return width_mask(w);
    case SpvOpGroupNonUniformSMin:
        return width_mask(w) >> 1;
    case SpvOpGroupNonUniformSMax:
        return UINT64_C(1) << (w - 1);
    default:
        return 0;
    }
}

static uint64_t combine(uint32_t op, unsigned w, uint64_t x, uint64_t y)
{
    switch (op) {
    case SpvOpGroupNonUniformIAdd:
        return (x + y) & width_mask(w);
    case SpvOpGroupNonUniformIMul:
        return (x * y) & width_mask(w);
    case SpvOpGroupNonUniformSMin:
        return sign_extend(x, w) < sign_extend(y, w) ? x : y;
    case SpvOpGroupNonUniformUMin:
        return x < y ? x : y;
    case SpvOpGroupNonUniformSMax:
        return sign_extend(x, w) > sign_extend(y, w) ? x : y;
    case SpvOpGroupNonUniformUMax:
        return x > y ? x : y;
    case SpvOpGroupNonUniformBitwiseAnd:
    case SpvOpGroupNonUniformLogicalAnd:
        return x & y;
    case SpvOpGroupNonUniformBitwiseOr:
    case SpvOpGroupNonUniformLogicalOr:
        return x | y;
    default:
        return x ^ y; // BitwiseXor, LogicalXor
    }
}

static lane_mask combine_set(const struct inst *i, const struct values *v, uint32_t k,
                             lane_mask members, bool good)
{
    bool exclusive =
        is_scan(i, SpvGroupOperationExclusiveScan, SpvGroupOperationPartitionedExclusiveScanNV);
    bool inclusive =
        is_scan(i, SpvGroupOperationInclusiveScan, SpvGroupOperationPartitionedInclusiveScanNV);
    uint64_t *d = plane_of(v, i->dst + k);
    const uint64_t *a = plane_of(v, i->a + k);
    lane_mask ok = 0;
    uint64_t sum = identity(i->op, i->width);
    LANES_EACH (l, members) {
        if (exclusive) {
            d[l] = sum;
            ok |= good ? lane_bit(l) : 0;
        }
        sum = combine(i->op, i->width, sum, a[l]);
        good = good && lane_in(v->defined[i->a + k], l);
        if (inclusive) {
            d[l] = sum;
            ok |= good ? lane_bit(l) : 0;
        }
    }
    if (!exclusive && !inclusive) {
        LANES_EACH (l, members)
            d[l] = sum;
        ok |= good ? members : 0;
    }
    return ok;
}

// ---- floats -----------------------------------------------------------------

// The state of a reduction or scan of floats.
struct floats {
    struct exact_many many; // FAdd, FMul
    struct exact most;      // FMin, FMax: the result so far
    bool known, any;
};

static void join(const struct inst *i, struct floats *f, struct exact x)
{
    f->known &= x.ok;
    if (i->op == SpvOpGroupNonUniformFAdd)
        exact_join_sum(&f->many, x);
    else if (i->op == SpvOpGroupNonUniformFMul)
        exact_join_product(&f->many, x);
    else if (f->known &&
             (!f->any || (exact_compare(x, f->most) < 0) == (i->op == SpvOpGroupNonUniformFMin)))
        f->most = x;
    f->any = true;
}

// Stores the result so far in a lane. False if it is undefined, as are the identities of FMin and
// FMax (infinite) and FAdd (zero).
static bool give(const struct inst *i, const struct values *v, uint32_t k, uint32_t lane,
                 const struct floats *f)
{
    struct exact r = i->op == SpvOpGroupNonUniformFAdd   ? exact_sum(&f->many, i->width)
                     : i->op == SpvOpGroupNonUniformFMul ? exact_product(&f->many, i->width)
                                                         : f->most;
    return f->known && r.ok && float_put(v, i->dst + k, lane, r, i->width, false);
}

static lane_mask combine_floats(const struct inst *i, const struct values *v, uint32_t k,
                                lane_mask members, bool fits)
{
    bool exclusive =
        is_scan(i, SpvGroupOperationExclusiveScan, SpvGroupOperationPartitionedExclusiveScanNV);
    bool inclusive =
        is_scan(i, SpvGroupOperationInclusiveScan, SpvGroupOperationPartitionedInclusiveScanNV);
    struct floats f = {.many = exact_none(i->op == SpvOpGroupNonUniformFMul), .known = fits};
    lane_mask ok = 0;
    LANES_EACH (l, members) {
        struct exact x = float_operand(i, v, i->a + k, l);
        if (exclusive && give(i, v, k, l, &f))
            ok |= lane_bit(l);
        join(i, &f, x);
        if (inclusive && give(i, v, k, l, &f))
            ok |= lane_bit(l);
    }
    if (!exclusive && !inclusive)
        LANES_EACH (l, members)
            ok |= give(i, v, k, l, &f) ? lane_bit(l) : 0;
    return ok;
}

bool group_arithmetic(struct machine *m, const struct inst *i)
{
    const struct values *v = &m->v;
    lane_mask sets[LANES_MAX];
    uint32_t n;
    bool fits;
    bool floats = spv_group_find(i->op)->operand[0] == SPV_SHAPE_FLOATS;
    if (!find_sets(m, i, sets, &n, &fits))
        return false;
    for (uint32_t k = 0; k < i->comps; k++) {
        lane_mask ok = 0;
        for (uint32_t set = 0; set < n; set++)
            ok |= (floats ? combine_floats : combine_set)(i, v, k, sets[set], fits);
        define(v, i->dst + k, ok);
    }
    return true;
}
