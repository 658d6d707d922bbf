// SPDX-License-Identifier: Apache-2.0
//
// Works on the oracle's run of a case, as a list of events. Finds the tangle of a wrong ballot by
// its lanes; classifies each extra lane by what it does next, and the missing lanes by what they
// did before.
#include "pattern.h"

#include "trace.h"

// ---- what lanes do ----------------------------------------------------------------------

static struct diag_lanes by_rule(enum diag_rule r)
{
    return (struct diag_lanes){.rules = 1u << r};
}

static struct diag_lanes by_way(enum diag_way w)
{
    return (struct diag_lanes){.ways = 1u << w};
}

static struct diag_lanes by_or(const struct moment *m, enum diag_way w)
{
    return m->by.rules || m->by.ways ? m->by : by_way(w);
}

static void add(struct diag_lanes *to, struct diag_lanes x)
{
    to->rules |= x.rules;
    to->ways |= x.ways;
}

// Returns how an extra lane continues: the rule, or the way.
static struct diag_lanes where_is(const struct trace *w, size_t at, unsigned lane)
{
    const struct moment *v = w->v.v, *t = &v[at];
    if (!lane_in(t->live, lane))
        return by_way(DIAG_ABSENT);
    for (size_t i = at + 1; i < w->v.n; i++)
        if (v[i].id == t->id && trace_same_place(&v[i], t) && lane_in(v[i].active, lane))
            return by_way(DIAG_AGAIN);
    for (size_t i = at + 1; i < w->v.n; i++)
        if (trace_same_place(&v[i], t) && lane_in(v[i].active, lane))
            // The order of two arms is not fixed, so both count as waiting for the merge.
            return trace_by(&v[i], DIAG_D1) ? by_rule(DIAG_M1) : by_or(&v[i], DIAG_GOES_ON);
    return by_way(DIAG_ENDED);
}

// Returns what kept lanes of a tangle separate, or will separate them.
static struct diag_lanes what_parts(const struct trace *w, size_t at, lane_mask tangle)
{
    const struct moment *v = w->v.v, *t = &v[at];
    size_t last = SIZE_MAX;
    for (size_t i = 0; i < at; i++) {
        lane_mask here = v[i].active & tangle;
        if (trace_same_place(&v[i], t) && here && here != tangle)
            last = i;
    }
    for (size_t i = last + 1; last != SIZE_MAX && i <= at; i++)
        if (trace_same_place(&v[i], t) && (v[i].active & tangle) == tangle)
            return by_or(&v[i], DIAG_JOINED);
    for (size_t i = at + 1; last == SIZE_MAX && i < w->v.n; i++) {
        lane_mask here = v[i].active & tangle;
        if (trace_same_place(&v[i], t) && here && here != tangle)
            return by_way(trace_by(&v[i], DIAG_D2)   ? DIAG_BEFORE_D2
                          : trace_by(&v[i], DIAG_D1) ? DIAG_BEFORE_D1
                                                     : DIAG_BEFORE_BRANCH);
    }
    return by_way(DIAG_NEVER_SPLIT);
}

struct diag_pattern pattern_of(const struct spv_case *c, uint32_t ballot,
                               const struct spv_memory *e, const struct spv_memory *o)
{
    struct arena a = {0};
    struct trace w;
    struct diag_pattern m = {.where = DIAG_NOWHERE};
    bool found = false;
    trace_run(&a, c, NULL, &w);
    for (uint32_t b = 0; b < c->buffer_count; b++)
        for (uint32_t i = 0; i < e[b].count && !found; i++) {
            uint32_t mask = e[b].mask ? e[b].mask[i] : UINT32_MAX;
            uint32_t x = e[b].words[i], y = o[b].words[i];
            size_t at = 0;
            if (((x ^ y) & mask) == 0)
                continue;
            while (at < w.v.n && (w.v.v[at].id != ballot || (uint32_t)w.v.v[at].active != x))
                at++;
            if (at == w.v.n)
                continue;
            // A tangle holds at least its own lane; other words are not ballots of this subgroup.
            if ((y & mask) == 0 || (c->subgroup < 32 && y >> c->subgroup))
                continue;
            for (unsigned l = 0; l < 32; l++)
                if (y & ~x & 1u << l)
                    add(&m.extra, where_is(&w, at, l));
            if (x & ~y)
                add(&m.missing, what_parts(&w, at, w.v.v[at].active));
            found = true;
        }
    arena_free(&a);
    return m;
}

enum diag_where pattern_of_place(const struct spv_case *c, uint32_t id)
{
    struct arena a = {0};
    struct trace w;
    bool part = false;
    trace_run(&a, c, NULL, &w);
    for (size_t i = 0; i < w.v.n; i++)
        part |= w.v.v[i].id == id && w.v.v[i].active != w.v.v[i].live;
    arena_free(&a);
    return part ? DIAG_PART : DIAG_WHOLE;
}

uint32_t pattern_order(const struct spv_case *c, uint32_t *ids, uint32_t max)
{
    struct arena a = {0};
    struct trace w;
    uint32_t n = 0;
    trace_run(&a, c, NULL, &w);
    for (size_t i = 0; i < w.v.n && n < max; i++) {
        uint32_t k = 0;
        while (k < n && ids[k] != w.v.v[i].id)
            k++;
        if (w.v.v[i].id && k == n)
            ids[n++] = w.v.v[i].id;
    }
    arena_free(&a);
    return n;
}
