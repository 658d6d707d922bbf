// SPDX-License-Identifier: Apache-2.0
//
// The oracle's run of a case as a list of moments: who executes what together, by which rule.
#ifndef TF_DIAGNOSE_TRACE_H
#define TF_DIAGNOSE_TRACE_H

#include "facts.h"
#include "oracle/oracle.h"

enum { TRACE_MOMENTS = 20000 };

// A tangle starts a block or goes on in it after a call; or a group operation gives its result.
struct moment {
    uint32_t workgroup, subgroup, label;
    uint32_t id; // of the group operation; 0 for a block
    lane_mask active, live, helper;
    struct diag_lanes by; // how the tangle came there: a rule or a way; neither for a plain branch
    bool joined;          // parts came together
    uint32_t cells;
    uint64_t *values; // of a group operation: [cell][lane], valid where active
};
struct trace {
    struct arena *a;
    struct orc_result result; // status: ORC_OK, or it ended early
    VEC(struct moment) v;     // the first TRACE_MOMENTS
};
// Runs the case as if it reconverged maximally, whatever its model. NULL options: none but the
// case's own choices. All in `a`.
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
