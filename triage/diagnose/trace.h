// SPDX-License-Identifier: Apache-2.0
//
// The oracle's run of a case as a list of moments: which lanes execute what together, by which
// rule.
#ifndef TF_DIAGNOSE_TRACE_H
#define TF_DIAGNOSE_TRACE_H

#include "facts.h"
#include "oracle/oracle.h"

enum { TRACE_MOMENTS = 20000 };

// A tangle starts a block or continues in it after a call; or a group operation produces its
// result.
struct moment {
    uint32_t workgroup, subgroup, label;
    uint32_t id; // result id of the group operation; 0 for a block
    lane_mask active, live, helper;
    struct diag_lanes by; // how the tangle got there: a rule or a way; empty for a plain branch
    bool joined;          // several tangles reconverged
    uint32_t cells;
    uint64_t *values; // result of a group operation: [cell][lane], valid for active lanes
};
struct trace {
    struct arena *a;
    struct orc_result result; // status: RAN_OK, or why it ended early
    VEC(struct moment) v;     // at most the first TRACE_MOMENTS
};
// Runs the case under maximal reconvergence, whatever its model. NULL options: only the choices
// stored in the case. All in `a`.
void trace_run(struct arena *a, const struct spv_case *c, const struct orc_options *o,
               struct trace *out);

static inline bool trace_same_place(const struct moment *x, const struct moment *y)
{
    return x->workgroup == y->workgroup && x->subgroup == y->subgroup;
}
static inline bool trace_by(const struct moment *m, enum diag_rule r)
{
    return m->by.rules == 1u << r;
}

#endif
