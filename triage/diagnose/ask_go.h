// SPDX-License-Identifier: Apache-2.0
//
// Continues a reduction from another case than the one where it ended. *best, *stats, *end: as in
// red_reduce.
#ifndef TF_DIAGNOSE_ASK_GO_H
#define TF_DIAGNOSE_ASK_GO_H

#include "ask.h"

// For a case that seems to show a missing or an unwanted execution, while the wrong word is in fact
// an operation's wrong result: from now on it counts as a wrong value, so one may become the other.
void go_value(struct ask *k, struct arena *a, const struct red_options *o,
              const struct red_events *ev, struct spv_case *best, struct red_stats *stats,
              enum red_end *end);
// Continues from a case that shows the fault earlier: an operation is wrong before the place that
// the reduced case shows, or lanes are not converged at a barrier, which then fails, or a branch
// condition is already wrong as a value. Each is a different kind of failure.
void go_earlier(struct ask *k, struct arena *a, const struct red_options *o,
                const struct red_events *ev, struct spv_case *best, struct red_stats *stats,
                enum red_end *end);
// With a compiler, the remaining program decides whether lanes are missing or extra. If a loop is
// left, continues the search among candidates in which the compiler makes the same change.
void go_turned(struct ask *k, struct arena *a, const struct red_options *o,
               const struct red_events *ev, struct spv_case *best, struct red_stats *stats,
               enum red_end *end);
// Resumes from a case that go_earlier or go_turned produced: sets the kind to that case's again.
void go_take_up(struct ask *k, struct arena *a, const struct spv_case *start);

#endif
