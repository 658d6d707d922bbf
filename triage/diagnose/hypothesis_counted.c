// SPDX-License-Identifier: Apache-2.0
//
// The lanes that a group operation would count if it stood elsewhere among the moments of a run.
#include "hypothesis.h"

size_t hypothesis_moment(const struct trace *t, uint32_t workgroup, uint32_t subgroup, uint32_t id,
                         lane_mask active, size_t from)
{
    for (size_t i = from; i < t->v.n; i++) {
        const struct moment *m = &t->v.v[i];
        if (m->id == id && m->workgroup == workgroup && m->subgroup == subgroup &&
            m->active == active)
            return i;
    }
    return SIZE_MAX;
}

// Reports whether only some lanes of the tangle are in a moment.
static bool is_part(const struct moment *m, const struct moment *of)
{
    const lane_mask here = m->active & of->active;
    return trace_same_place(m, of) && here && here != of->active;
}

static bool is_whole(const struct moment *m, const struct moment *of)
{
    return trace_same_place(m, of) && (m->active & of->active) == of->active;
}

// Returns the lanes of the tangle that are with the lane in the moment nearest to `at` of [from,
// to) that has the lane and not all of the tangle; if it has none, the lanes that have none either.
static lane_mask part_between(const struct trace *t, size_t at, uint32_t lane, size_t from,
                              size_t to, bool backwards)
{
    const struct moment *of = &t->v.v[at];
    lane_mask none = of->active;
    for (size_t k = from; k < to; k++) {
        const struct moment *m = &t->v.v[backwards ? to - 1 - (k - from) : k];
        if (!is_part(m, of))
            continue;
        if (lane_in(m->active, lane) && lane_in(none, lane))
            return m->active & none;
        none &= ~m->active;
    }
    return none;
}

static lane_mask before_join(const struct trace *t, size_t at, uint32_t lane)
{
    const struct moment *v = t->v.v, *of = &v[at];
    size_t last = at, whole;
    while (last > 0 && !is_part(&v[last - 1], of))
        last--;
    if (!last)
        return of->active;
    for (whole = last - 1; whole > 0 && !is_whole(&v[whole - 1], of); whole--)
        ;
    return part_between(t, at, lane, whole, last, true);
}

static lane_mask after_split(const struct trace *t, size_t at, uint32_t lane)
{
    const struct moment *v = t->v.v, *of = &v[at];
    size_t first = at + 1, whole;
    while (first < t->v.n && !is_part(&v[first], of))
        first++;
    for (whole = first; whole < t->v.n && !is_whole(&v[whole], of); whole++)
        ;
    return part_between(t, at, lane, first, whole, false);
}

static bool is_block(const struct moment *m, const struct moment *of, uint32_t label, uint32_t lane)
{
    return m->label == label && !m->id && trace_same_place(m, of) && lane_in(m->active, lane);
}

lane_mask hypothesis_counts(const struct trace *t, size_t at, uint32_t lane,
                            const struct diag_hypothesis *h)
{
    const struct moment *v = t->v.v, *of = &v[at];
    lane_mask all = of->active;
    switch ((enum diag_counted)h->counted) {
    case DIAG_COUNTS_BEFORE_JOIN:
        return before_join(t, at, lane);
    case DIAG_COUNTS_AFTER_SPLIT:
        return after_split(t, at, lane);
    case DIAG_COUNTS_EVERYBODY:
        for (size_t i = 0; i < t->v.n; i++)
            all |= v[i].id == of->id && trace_same_place(&v[i], of) ? v[i].active : 0;
        return all;
    case DIAG_COUNTS_IN_EARLIER:
        for (size_t i = at; i-- > 0;)
            if (is_block(&v[i], of, h->block, lane))
                return v[i].active;
        return all;
    case DIAG_COUNTS_IN_LATER:
        for (size_t i = at + 1; i < t->v.n; i++)
            if (is_block(&v[i], of, h->block, lane))
                return v[i].active;
        return all;
    case DIAG_COUNTS_ALONE:
        return lane_bit(lane);
    default:
        return all;
    }
}
