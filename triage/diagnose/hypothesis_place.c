// SPDX-License-Identifier: Apache-2.0
//
// Finds the first moment at which the run of a hypothesis differs from the right run; and, for
// lanes that are wrongly counted or missing there, what the right run has them do.
#include "hypothesis.h"

#include "construct.h"

#include <string.h>

// ---- what lanes do, in the right run ----------------------------------------------------

// Reports whether the operation is on the path out of a loop.
static bool on_way_out(const struct hypotheses *r, uint32_t id)
{
    struct arena a = {0};
    struct diag_path p;
    construct_path(&a, &r->m, r->m.def[id], &p);
    arena_free(&a);
    for (uint32_t k = 0; k < p.n; k++)
        if (p.part[k] == DIAG_IN_BREAK)
            return true;
    return false;
}

static uint16_t end_of(const struct spv_module *m, uint32_t label)
{
    return m->insts[m->blocks[m->block_of[label]].last].op;
}

// Returns the last moment before `at` that has the lane and a lane of the tangle; SIZE_MAX for
// none.
static size_t last_together(const struct trace *t, size_t at, uint32_t lane)
{
    const struct moment *v = t->v.v, *of = &v[at];
    for (size_t i = at; i-- > 0;)
        if (trace_same_place(&v[i], of) && lane_in(v[i].active, lane) && (v[i].active & of->active))
            return i;
    return SIZE_MAX;
}

// Returns where a wrongly counted lane is. *other: the block after which it diverged.
static enum diag_why where_is(const struct hypotheses *r, size_t at, uint32_t lane, uint32_t *other)
{
    const struct trace *t = &r->base;
    const struct moment *v = t->v.v, *of = &v[at];
    *other = 0;
    if (!lane_in(of->live, lane))
        return DIAG_ABSENT_LANES;
    const size_t last = last_together(t, at, lane);
    *other = last == SIZE_MAX ? 0 : v[last].label;
    if (on_way_out(r, of->id))
        for (size_t i = 0; i < t->v.n; i++)
            if (v[i].id == of->id && trace_same_place(&v[i], of) && lane_in(v[i].active, lane))
                return DIAG_OTHER_ITERATION;
    const enum diag_why side =
        *other && end_of(&r->m, *other) == SpvOpSwitch ? DIAG_OTHER_CASE : DIAG_OTHER_ARM;
    for (size_t i = at + 1; i < t->v.n; i++) {
        if (!trace_same_place(&v[i], of) || !lane_in(v[i].active, lane))
            continue;
        if (trace_by(&v[i], DIAG_M3))
            return DIAG_LEFT_LOOP;
        if (trace_by(&v[i], DIAG_M4) || v[i].by.ways >> DIAG_BY_LOOP & 1)
            return DIAG_CONTINUED;
        return trace_by(&v[i], DIAG_M5) ? DIAG_RETURNED : side;
    }
    return DIAG_RETURNED;
}

static bool is_part(const struct moment *m, const struct moment *of)
{
    const lane_mask here = m->active & of->active;
    return trace_same_place(m, of) && here && here != of->active;
}

// Returns where the lanes of the tangle reconverged before `at`; *other: that block.
// DIAG_SPLIT_EARLY if they did not.
static enum diag_why joined_at(const struct hypotheses *r, size_t at, uint32_t *other)
{
    const struct trace *t = &r->base;
    const struct moment *v = t->v.v, *of = &v[at];
    size_t i = at;
    while (i > 0 && !is_part(&v[i - 1], of))
        i--;
    if (!i)
        return DIAG_SPLIT_EARLY;
    while (i < at && (!trace_same_place(&v[i], of) || (v[i].active & of->active) != of->active))
        i++;
    *other = v[i].label;
    if (trace_by(&v[i], DIAG_M3))
        return DIAG_AFTER_LOOP;
    if (trace_by(&v[i], DIAG_M4) || v[i].by.ways >> DIAG_BY_LOOP & 1)
        return DIAG_AT_CONTINUE;
    if (trace_by(&v[i], DIAG_M5))
        return DIAG_AFTER_CALL;
    if (!trace_by(&v[i], DIAG_M1))
        return DIAG_SPLIT_EARLY;
    struct arena a = {0};
    struct spv_flow g;
    uint32_t b, h = SPV_NO_BLOCK;
    if (site_flow(&a, &r->m, r->m.def[v[i].label], &g, &b))
        h = spv_flow_merges(&g, b);
    const bool is_switch = h != SPV_NO_BLOCK && g.block[h].kind == SPV_SWITCH;
    arena_free(&a);
    return is_switch ? DIAG_AFTER_SWITCH : DIAG_AFTER_SELECTION;
}

// Returns the last block before the tangle splits; 0 for none.
static uint32_t split_by(const struct trace *t, size_t at)
{
    const struct moment *v = t->v.v, *of = &v[at];
    uint32_t last = of->label;
    for (size_t i = at + 1; i < t->v.n; i++) {
        if (is_part(&v[i], of))
            return last;
        if (trace_same_place(&v[i], of) && (v[i].active & of->active) == of->active)
            last = v[i].label;
    }
    return 0;
}

static enum diag_why lacking(const struct hypotheses *r, size_t at, const struct diag_reason *w,
                             uint32_t *other)
{
    const lane_mask have = w->counted & w->tangle;
    const struct diag_hypothesis before = {.counted = DIAG_COUNTS_BEFORE_JOIN},
                                 after = {.counted = DIAG_COUNTS_AFTER_SPLIT};
    const lane_mask was = hypothesis_counts(&r->base, at, w->lane, &before),
                    will = hypothesis_counts(&r->base, at, w->lane, &after);
    const enum diag_why joined = joined_at(r, at, other);
    // They reconverge before, and the counted lanes are not those of a later split.
    if (joined != DIAG_SPLIT_EARLY && (was == have || will != have))
        return joined;
    *other = split_by(&r->base, at);
    return DIAG_SPLIT_EARLY;
}

// Fills why, also and other of a place, from op, tangle, lane and counted. `at`: moment of the base
// run.
static void reason_lanes(struct hypotheses *r, size_t at, struct diag_reason *out)
{
    const lane_mask extra = out->counted & ~out->tangle, missing = out->tangle & ~out->counted;
    uint32_t other = 0, count[DIAG_WHY_COUNT] = {0}, from[DIAG_WHY_COUNT] = {0};
    enum diag_why lacks = missing ? lacking(r, at, out, &other) : DIAG_WHY_UNKNOWN;
    out->why = (uint8_t)lacks;
    out->also = DIAG_WHY_UNKNOWN;
    out->other = other;
    if (!extra)
        return;
    // What most of the extra lanes do; among equals the first.
    enum diag_why most = DIAG_WHY_UNKNOWN;
    LANES_EACH (l, extra) {
        const enum diag_why w = where_is(r, at, l, &other);
        count[w]++;
        from[w] = other;
    }
    for (int w = 1; w < DIAG_WHY_COUNT; w++)
        if (count[w] > count[most])
            most = (enum diag_why)w;
    out->why = (uint8_t)most;
    out->also = (uint8_t)lacks;
    out->other = from[most];
}

// ---- the first difference ----------------------------------------------------------------

static void take_moment(const struct trace *t, size_t at, struct diag_reason *out)
{
    const struct moment *m = &t->v.v[at];
    out->has_place = true;
    out->workgroup = m->workgroup;
    out->subgroup = m->subgroup;
    out->label = m->label;
    out->op = m->id;
    out->tangle = m->active;
    out->helpers = m->active & m->helper;
    out->row = m->id;
    out->time = 0;
    for (size_t i = 0; i < at; i++)
        out->time +=
            t->v.v[i].id == m->id && t->v.v[i].label == m->label && trace_same_place(&t->v.v[i], m);
}

static lane_mask other_values(const struct moment *x, const struct moment *y, uint32_t lanes)
{
    lane_mask other = 0;
    for (uint32_t k = 0; k < x->cells && k < y->cells; k++)
        LANES_EACH (l, x->active)
            other |= x->values[k * lanes + l] != y->values[k * lanes + l] ? lane_bit(l) : 0;
    return other;
}

static bool same_moment(const struct moment *x, const struct moment *y)
{
    return trace_same_place(x, y) && x->label == y->label && x->id == y->id &&
           x->active == y->active;
}

// Finds the first execution for which the hypothesis counts other lanes than the tangle.
static void place_counted(struct hypotheses *r, struct diag_reason *out)
{
    const struct trace *t = &r->base;
    for (size_t i = 0; i < t->v.n; i++) {
        const struct moment *m = &t->v.v[i];
        if (!m->id || (out->hypothesis.at && m->id != out->hypothesis.at))
            continue;
        lane_mask wrong = 0;
        LANES_EACH (l, m->active)
            wrong |= hypothesis_counts(t, i, l, &out->hypothesis) != m->active ? lane_bit(l) : 0;
        if (!wrong)
            continue;
        take_moment(t, i, out);
        out->wrong = wrong;
        out->lane = lane_first(wrong);
        out->counted = hypothesis_counts(t, i, out->lane, &out->hypothesis);
        if (out->why != DIAG_ALONE_LANE)
            reason_lanes(r, i, out);
        return;
    }
}

// Finds a lane's own execution of the operation, and the later one whose result it holds.
static void place_later(struct hypotheses *r, struct diag_reason *out)
{
    const struct trace *t = &r->base;
    for (size_t i = 0; i < t->v.n && !out->has_place; i++) {
        const struct moment *m = &t->v.v[i];
        size_t later = SIZE_MAX;
        uint32_t times = 0, own = 0;
        if (!m->id || (out->hypothesis.at && m->id != out->hypothesis.at))
            continue;
        for (size_t k = 0; k < t->v.n; k++) {
            const struct moment *x = &t->v.v[k];
            if (x->id != m->id || !trace_same_place(x, m))
                continue;
            times++;
            own = k == i ? times : own;
            if (k > i && !(x->active & ~m->active))
                later = k;
        }
        if (later == SIZE_MAX)
            continue;
        const lane_mask left = m->active & ~t->v.v[later].active;
        bool again = false; // by lanes that left
        for (size_t k = i + 1; k < t->v.n; k++)
            again |= t->v.v[k].id == m->id && trace_same_place(&t->v.v[k], m) &&
                     (t->v.v[k].active & left);
        if (!left || again)
            continue;
        take_moment(t, later, out);
        out->wrong = left;
        out->lane = lane_first(left);
        out->own = own;
        out->later = times;
        out->own_value = m->values[out->lane];
        out->later_value = t->v.v[later].values[lane_first(t->v.v[later].active)];
    }
    out->op = out->hypothesis.at ? out->hypothesis.at : out->op;
}

// Adds all lanes that do what `why` describes to the counted ones.
static void place_extra(const struct hypotheses *r, size_t at, struct diag_reason *out)
{
    const struct moment *m = &r->base.v.v[at];
    out->counted = m->active;
    for (unsigned l = 0; l < r->c.subgroup; l++) {
        uint32_t other;
        if (lane_in(m->active, l) || where_is(r, at, l, &other) != (enum diag_why)out->why)
            continue;
        out->counted |= lane_bit(l);
        out->other = other;
    }
}

// Finds the first execution of the operation with a helper. The edited operation may have no event
// of its own, and then the runs differ everywhere.
static void place_helpers(const struct hypotheses *r, struct diag_reason *out)
{
    for (size_t i = 0; i < r->base.v.n && !out->helpers; i++) {
        const struct moment *m = &r->base.v.v[i];
        if (m->id != out->hypothesis.at || !(m->active & m->helper))
            continue;
        take_moment(&r->base, i, out);
        out->wrong = 0;
        out->lane = lane_first(out->tangle);
        out->counted = out->tangle & ~out->helpers;
    }
}

static void place_first(struct hypotheses *r, struct diag_reason *out)
{
    struct trace wrong;
    out->op = out->hypothesis.at < r->m.bound && r->m.def[out->hypothesis.at] != UINT32_MAX &&
                      r->m.insts[r->m.def[out->hypothesis.at]].op != SpvOpLabel
                  ? out->hypothesis.at
                  : 0;
    if (out->hypothesis.mistake == DIAG_LANES_COUNTED) {
        place_counted(r, out);
        return;
    }
    if (out->why == DIAG_LATER_VALUE) {
        place_later(r, out);
        return;
    }
    if (out->hypothesis.mistake == DIAG_EDGE_ELSEWHERE)
        return;
    const uint32_t value = out->op;
    hypothesis_trace(r, &out->hypothesis, &wrong);
    for (size_t i = 0; i < r->base.v.n && i < wrong.v.n; i++) {
        const struct moment *x = &r->base.v.v[i], *y = &wrong.v.v[i];
        const bool same = same_moment(x, y);
        const lane_mask values = same && x->id ? other_values(x, y, r->c.subgroup) : 0;
        if (same && !values)
            continue;
        take_moment(&r->base, i, out);
        out->op = value ? value : out->op;
        const bool here = trace_same_place(x, y) && x->label == y->label;
        out->wrong = values ? values : here ? x->active ^ y->active : x->active;
        out->lane = lane_first(out->wrong);
        out->counted = here && !values ? y->active : x->active;
        if (values && why_is(out->why, WHY_EXTRA))
            place_extra(r, i, out);
        else if (!values && here && why_is(out->why, WHY_MISSING))
            reason_lanes(r, i, out);
        return;
    }
}

void hypothesis_place(struct hypotheses *r, struct diag_reason *out)
{
    place_first(r, out);
    if (out->why == DIAG_HELPERS_OUT && out->hypothesis.at)
        place_helpers(r, out);
}
