// SPDX-License-Identifier: Apache-2.0
//
// Runs the stages in order.
#include "inner.h"

const char *red_end_name(enum red_end e)
{
    switch (e) {
    case RED_MINIMAL:
        return "1-minimal";
    case RED_TIME:
        return "time";
    case RED_INTERRUPTED:
        return "interrupted";
    case RED_UNSAVED:
        return "could not be saved";
    }
    return "unknown";
}

enum red_end red_reduce(struct arena *a, const struct spv_case *c, const struct red_options *o,
                        const struct red_events *ev, struct spv_case *out, struct red_stats *stats)
{
    *stats = (struct red_stats){0};
    red_copy(a, c, out);
    red_measure(c, &stats->first);
    stats->now = stats->first;
    struct red_search *s = search_start(a, o, ev, stats);
    bool go = !o->choices || choices_reduce(s, stats, a, out);
    if (go && o->module)
        module_reduce(s, stats, a, o, out);
    enum red_end end = search_end(s);
    search_stop(s);
    return end;
}
