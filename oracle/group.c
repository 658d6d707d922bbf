// SPDX-License-Identifier: Apache-2.0
//
// Group operations (SPIR-V 3.3.24, and those of KHR and NV extensions; derivative.c has the
// derivatives). Input: a tangle, that is, the active lanes. Output: the result in each of its
// lanes. The scope is the subgroup. Only active lanes take part; the value of an inactive lane is
// never read.
//
// A result is defined if every operand that it depends on is defined. If the specification makes
// the *behaviour* undefined (an id that must be uniform and is not), the run fails.
#include "exact.h"
#include "execute.h"

#include "spirv/spirv_groups.h"

// ---- common functions ---------------------------------------------------------

// Stores the same value in every active lane of a plane.
static void give(const struct values *v, uint32_t plane, uint64_t value, bool ok)
{
    uint64_t *d = plane_of(v, plane);
    LANES_EACH (l, v->active)
        d[l] = value;
    define(v, plane, ok ? v->active : 0);
}

// Returns the lanes of `from` in which the plane's lowest bit is set.
static lane_mask lanes_set(const struct values *v, uint32_t plane, lane_mask from)
{
    const uint64_t *p = plane_of(v, plane);
    lane_mask set = 0;
    LANES_EACH (l, from)
        set |= (lane_mask)(p[l] & 1) << l;
    return set;
}

static bool all_defined(const struct values *v, uint32_t plane, uint32_t n, lane_mask lanes)
{
    for (uint32_t k = 0; k < n; k++)
        if ((v->defined[plane + k] & lanes) != lanes)
            return false;
    return true;
}

// True if a value is defined and the same in all active lanes.
static bool uniform(const struct values *v, uint32_t plane, uint32_t n)
{
    for (uint32_t k = 0; k < n; k++) {
        const uint64_t *p = plane_of(v, plane + k);
        uint64_t first = p[lane_first(v->active)];
        LANES_EACH (l, v->active)
            if (p[l] != first)
                return false;
    }
    return all_defined(v, plane, n, v->active);
}

static lane_mask ballot_of(const struct values *v, uint32_t plane, uint32_t lane)
{
    lane_mask b = 0;
    for (uint32_t k = 0; k < 4; k++)
        b |= (lane_mask)(plane_of(v, plane + k)[lane] & UINT32_MAX) << (32 * k);
    return b;
}

static bool not_uniform(struct machine *m, const struct inst *i, const char *what)
{
    if (m->group->run->trace)
        trace_fault(m, i->op == SpvOpGroupNonUniformInverseBallot ? i->a : i->b, m->v.active);
    return machine_fail(m, RAN_UNDEFINED, "E-uniform", i->spv, m->v.active,
                        "%s must be the same in all active invocations", what);
}

// True if an operand that must be "dynamically uniform" (SPIR-V 2.2.5) has the same value as in
// other subgroups that have executed the same dynamic instance. Looks only at the most recent
// instances, because subgroups reach an instance again only after many others.
static bool uniform_in_workgroup(struct machine *m, const struct inst *i, uint32_t plane)
{
    enum { LOOK_BACK = 4096 };
    struct workgroup *g = m->group;
    if (g->subgroups < 2 || load_is_constant(m->p, plane))
        return true;
    const uint64_t value = plane_of(&m->v, plane)[lane_first(m->v.active)];
    for (size_t k = g->uniform.n, n = 0; k-- > 0 && n < LOOK_BACK; n++)
        if (g->uniform.v[k].path == m->path && g->uniform.v[k].spv == i->spv)
            return g->uniform.v[k].value == value;
    *VEC_PUSH(g->run->arena, &g->uniform) =
        (struct uniform_operand){.path = m->path, .spv = i->spv, .value = value};
    return true;
}

// ---- votes and ballots ----------------------------------------------------------

// True if the values of lanes can be compared by their bits. Not for zero floats, which are equal
// but may differ in sign, nor for NaNs and denormals.
static bool comparable(const struct inst *i, const struct values *v)
{
    if (!all_defined(v, i->a, i->comps, v->active))
        return false;
    for (uint32_t k = 0; k < i->comps && i->is_float; k++)
        LANES_EACH (l, v->active) {
            struct exact x = exact_decode(plane_of(v, i->a + k)[l], i->width);
            if (!x.ok || exact_is_zero(x))
                return false;
        }
    return true;
}

static bool equal(const struct inst *i, const struct values *v, uint32_t l1, uint32_t l2)
{
    bool same = true;
    for (uint32_t k = 0; k < i->comps; k++)
        same &= plane_of(v, i->a + k)[l1] == plane_of(v, i->a + k)[l2];
    return same;
}

static void all_equal(const struct inst *i, const struct values *v)
{
    bool same = true;
    LANES_EACH (l, v->active)
        same &= equal(i, v, l, lane_first(v->active));
    give(v, i->dst, same, comparable(i, v));
}

// PartitionNV: for each lane the ballot of the lanes with an equal value.
static void partition(const struct inst *i, const struct values *v)
{
    bool ok = comparable(i, v);
    LANES_EACH (l, v->active) {
        lane_mask set = 0;
        LANES_EACH (other, v->active)
            set |= equal(i, v, l, other) ? lane_bit(other) : 0;
        for (uint32_t k = 0; k < 4; k++)
            plane_of(v, i->dst + k)[l] = (uint64_t)(set >> (32 * k)) & UINT32_MAX;
    }
    for (uint32_t k = 0; k < 4; k++)
        define(v, i->dst + k, ok ? v->active : 0);
}

static void ballot(const struct inst *i, const struct values *v)
{
    lane_mask b = lanes_set(v, i->a, v->active);
    for (uint32_t k = 0; k < 4; k++) { // a lane's predicate affects one word only
        lane_mask of_word = v->active & (lane_mask)UINT32_MAX << (32 * k);
        give(v, i->dst + k, (uint64_t)(b >> (32 * k)) & UINT32_MAX,
             all_defined(v, i->a, 1, of_word));
    }
}

// Operations on a ballot that a lane holds: bit count, lowest and highest bit.
static void ballot_read(const struct inst *i, const struct values *v)
{
    uint64_t *d = plane_of(v, i->dst);
    lane_mask ok = ~(lane_mask)0;
    for (uint32_t k = 0; k < 4; k++)
        ok &= v->defined[i->a + k];
    LANES_EACH (l, v->active & ok) {
        lane_mask b = ballot_of(v, i->a, l) & lanes_below(v->lanes);
        switch (i->op) {
        case SpvOpGroupNonUniformBallotBitCount:
            if (i->group_op == SpvGroupOperationInclusiveScan)
                b &= lanes_below(l + 1);
            else if (i->group_op == SpvGroupOperationExclusiveScan)
                b &= lanes_below(l);
            d[l] = lane_count(b);
            break;
        default: // FindLSB, FindMSB: undefined "if none of the considered bits is set"
            if (b)
                d[l] = i->op == SpvOpGroupNonUniformBallotFindLSB ? lane_first(b) : lane_last(b);
            else
                ok &= ~lane_bit(l);
        }
    }
    define(v, i->dst, ok);
}

static bool inverse_ballot(struct machine *m, const struct inst *i)
{
    const struct values *v = &m->v;
    if (!uniform(v, i->a, 4))
        return not_uniform(m, i, "Value");
    lane_mask b = ballot_of(v, i->a, lane_first(v->active));
    uint64_t *d = plane_of(v, i->dst);
    LANES_EACH (l, v->active)
        d[l] = lane_in(b, l);
    define(v, i->dst, v->active);
    return true;
}

static void bit_extract(const struct inst *i, const struct values *v)
{
    uint64_t *d = plane_of(v, i->dst);
    const uint64_t *index = plane_of(v, i->b);
    lane_mask ok = v->defined[i->b];
    for (uint32_t k = 0; k < 4; k++)
        ok &= v->defined[i->a + k];
    LANES_EACH (l, v->active & ok) {
        if (index[l] < v->lanes)
            d[l] = lane_in(ballot_of(v, i->a, l), (unsigned)index[l]);
        else // undefined if "Index is greater than or equal to the size of the scope"
            ok &= ~lane_bit(l);
    }
    define(v, i->dst, ok);
}

// ---- moving values ----------------------------------------------------------------

// Each active lane reads its source lane. The result is undefined if the source is inactive or
// outside the subgroup (LANES_MAX).
static void gather(const struct inst *i, const struct values *v, const uint32_t *source,
                   lane_mask ok)
{
    for (uint32_t k = 0; k < i->comps; k++) {
        uint64_t *d = plane_of(v, i->dst + k);
        const uint64_t *a = plane_of(v, i->a + k);
        lane_mask good = 0;
        LANES_EACH (l, v->active & ok) {
            uint32_t from = source[l];
            if (from < v->lanes && lane_in(v->active & v->defined[i->a + k], from)) {
                d[l] = a[from];
                good |= lane_bit(l);
            }
        }
        define(v, i->dst + k, good);
    }
}

static bool move_values(struct machine *m, const struct inst *i)
{
    const struct values *v = &m->v;
    uint32_t source[LANES_MAX] = {0}, n = v->lanes;
    const uint64_t *b = i->n > 1 ? plane_of(v, i->b) : NULL;
    lane_mask ok = i->n > 1 ? v->defined[i->b] : ~(lane_mask)0;
    if (spv_group_find(i->op)->uniform == 2 && !uniform(v, i->b, 1))
        return not_uniform(m, i, i->op == SpvOpGroupNonUniformRotateKHR ? "Delta" : "Id");
    if ((i->op == SpvOpGroupNonUniformBroadcast || i->op == SpvOpGroupNonUniformQuadBroadcast) &&
        !uniform_in_workgroup(m, i, i->b)) {
        m->group->run->doubt_scope = true; // hardware requires less
        return machine_fail(
            m, RAN_UNDEFINED, "E-uniform", i->spv, m->v.active,
            "Id differs from that of another subgroup at the same dynamic instance");
    }
    if (i->cluster > n) {
        machine_stray(m, "E-bounds", i->spv, v->active, "the cluster is larger than the subgroup");
        ok = 0;
    }
    LANES_EACH (l, v->active & ok) {
        uint64_t x = b ? b[l] : 0, from = LANES_MAX;
        switch (i->op) {
        case SpvOpGroupNonUniformBroadcastFirst:
            from = lane_first(v->active);
            break;
        case SpvOpGroupNonUniformBroadcast:
        case SpvOpGroupNonUniformShuffle:
            from = x;
            break;
        case SpvOpGroupNonUniformShuffleXor:
            from = l ^ x;
            break;
        case SpvOpGroupNonUniformShuffleUp:
            from = x <= l ? l - x : LANES_MAX;
            break;
        case SpvOpGroupNonUniformShuffleDown:
            from = x < n ? l + x : LANES_MAX;
            break;
        case SpvOpGroupNonUniformQuadBroadcast:
            from = x < SPV_QUAD ? lane_first(quad_of(l)) + x : LANES_MAX;
            break;
        case SpvOpGroupNonUniformQuadSwap:
            from = x < 3 ? l ^ (x + 1) : LANES_MAX;
            break;
        default: { // SpvOpGroupNonUniformRotateKHR
            uint32_t size = i->cluster ? i->cluster : n;
            from = (l & ~(size - 1)) + ((l + x) & (size - 1));
        }
        }
        source[l] = from < LANES_MAX ? (uint32_t)from : LANES_MAX;
    }
    gather(i, v, source, ok);
    return true;
}

static void quad_vote(const struct inst *i, const struct values *v)
{
    uint64_t *d = plane_of(v, i->dst);
    lane_mask set = lanes_set(v, i->a, v->active), ok = 0;
    for (uint32_t first = 0; first < v->lanes; first += SPV_QUAD) {
        lane_mask quad = v->active & quad_of(first);
        bool all = (set & quad) == quad, any = (set & quad) != 0;
        LANES_EACH (l, quad)
            d[l] = i->op == SpvOpGroupNonUniformQuadAllKHR ? all : any;
        if ((v->defined[i->a] & quad) == quad)
            ok |= quad;
    }
    define(v, i->dst, ok);
}

bool group_run(struct machine *m, const struct inst *i)
{
    const struct values *v = &m->v;
    lane_mask active = v->active;
    switch (i->op) {
    case SpvOpGroupNonUniformElect: {
        uint64_t *d = plane_of(v, i->dst);
        LANES_EACH (l, active)
            d[l] = l == lane_first(active);
        define(v, i->dst, active);
        return true;
    }
    case SpvOpGroupNonUniformAll:
        give(v, i->dst, lanes_set(v, i->a, active) == active, all_defined(v, i->a, 1, active));
        return true;
    case SpvOpGroupNonUniformAny:
        give(v, i->dst, lanes_set(v, i->a, active) != 0, all_defined(v, i->a, 1, active));
        return true;
    case SpvOpGroupNonUniformAllEqual:
        all_equal(i, v);
        return true;
    case SpvOpGroupNonUniformBallot:
        ballot(i, v);
        return true;
    case SpvOpGroupNonUniformInverseBallot:
        return inverse_ballot(m, i);
    case SpvOpGroupNonUniformBallotBitExtract:
        bit_extract(i, v);
        return true;
    case SpvOpGroupNonUniformBallotBitCount:
    case SpvOpGroupNonUniformBallotFindLSB:
    case SpvOpGroupNonUniformBallotFindMSB:
        ballot_read(i, v);
        return true;
    case SpvOpGroupNonUniformBroadcast:
    case SpvOpGroupNonUniformBroadcastFirst:
    case SpvOpGroupNonUniformShuffle:
    case SpvOpGroupNonUniformShuffleXor:
    case SpvOpGroupNonUniformShuffleUp:
    case SpvOpGroupNonUniformShuffleDown:
    case SpvOpGroupNonUniformRotateKHR:
    case SpvOpGroupNonUniformQuadBroadcast:
    case SpvOpGroupNonUniformQuadSwap:
        return move_values(m, i);
    case SpvOpGroupNonUniformQuadAllKHR:
    case SpvOpGroupNonUniformQuadAnyKHR:
        quad_vote(i, v);
        return true;
    case SpvOpGroupNonUniformPartitionNV:
        partition(i, v);
        return true;
    default:
        return (spv_group_find(i->op)->klass == SPV_GROUP_DERIVATIVE ? derivative_run
                                                                     : group_arithmetic)(m, i);
    }
}
