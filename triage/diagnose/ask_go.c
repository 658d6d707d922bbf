// SPDX-License-Identifier: Apache-2.0
//
// After the end of a reduction, continues from another case that shows the same fault earlier or
// more plainly.
#include "ask_go.h"

#include "ask_probe.h"

// Reduces `next`, which shows the fault differently, and replaces *best. *stats, *end: as in
// red_reduce.
static void go_on_from(struct ask *k, struct arena *a, struct red_options o,
                       const struct red_events *ev, const struct spv_case *next,
                       struct spv_case *best, struct red_stats *stats, enum red_end *end)
{
    struct spv_case small;
    struct red_stats more;
    ask_now(k, next);
    o.choices = false;
    o.known_count = 0; // they were rejected for another kind
    o.seconds = o.seconds > stats->seconds + 1 ? o.seconds - stats->seconds : 1;
    // The folder's case is replaced by this one if it is an improvement.
    *end = red_reduce(a, next, &o, ev, &small, &more);
    stats->candidates += more.candidates;
    stats->cached += more.cached;
    stats->improvements += more.improvements;
    stats->seconds += more.seconds;
    stats->now = more.now;
    *best = small;
}

void go_value(struct ask *k, struct arena *a, const struct red_options *o,
              const struct red_events *ev, struct spv_case *best, struct red_stats *stats,
              enum red_end *end)
{
    struct prediction *p;
    struct judged j;
    struct run_result res;
    const struct spv_case next = *best;
    const enum judge_class was = k->kind.klass;
    if (*end != RED_MINIMAL || k->hits < k->tries ||
        (was != JUDGE_MISSING_EXECUTION && was != JUDGE_EXTRA_EXECUTION))
        return;
    ask_again(k, a, best, 1, &p, &j, &res);
    if (judge_class_is_mismatch(j.verdict.klass) && probe_value(k, a, best, &j.verdict) &&
        ask_take_kind(k, a, best))
        go_on_from(k, a, *o, ev, &next, best, stats, end);
}

void go_earlier(struct ask *k, struct arena *a, const struct red_options *o,
                const struct red_events *ev, struct spv_case *best, struct red_stats *stats,
                enum red_end *end)
{
    struct prediction *p;
    struct judged j;
    struct run_result res;
    struct spv_case next;
    const enum judge_class was = k->kind.klass;
    if (*end != RED_MINIMAL || k->hits < k->tries || judge_class_is_mapping(was))
        return;
    ask_again(k, a, best, 1, &p, &j, &res);
    bool sooner = probe_condition(k, a, best, &res, &next) ||
                  (judge_class_is_mismatch(was) ? probe_earlier(k, a, best, &j.verdict, &res, &next)
                                                : probe_barrier(k, a, best, &next));
    if (sooner && ask_take_kind(k, a, &next))
        go_on_from(k, a, *o, ev, &next, best, stats, end);
}

void go_turned(struct ask *k, struct arena *a, const struct red_options *o,
               const struct red_events *ev, struct spv_case *best, struct red_stats *stats,
               enum red_end *end)
{
    const struct spv_case next = *best;
    if (*end != RED_MINIMAL || !stats->now.loops || !ask_by_change(k, a, best))
        return;
    go_on_from(k, a, *o, ev, &next, best, stats, end);
    k->change.did = DIAG_DID_NOTHING;
    ask_take_kind(k, a, best);
}

void go_take_up(struct ask *k, struct arena *a, const struct spv_case *start)
{
    struct prediction *p;
    struct judged j;
    struct run_result res;
    if (k->hits == k->tries && ask_again(k, a, start, 1, &p, &j, &res) == 0)
        ask_take_kind(k, a, start);
}
