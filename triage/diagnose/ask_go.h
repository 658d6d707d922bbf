// SPDX-License-Identifier: Apache-2.0
//
// A reduction goes on from another case than the one it ended at. *best, *stats, *end: as
// red_reduce's.
#ifndef TF_DIAGNOSE_ASK_GO_H
#define TF_DIAGNOSE_ASK_GO_H

#include "ask.h"

// Of a word that looks as if somebody did not come by, or should not have, and is an operation's
// wrong result: from now on as a wrong value, in which one may become the other.
void go_value(struct ask *k, struct arena *a, const struct red_options *o,
              const struct red_events *ev, struct spv_case *best, struct red_stats *stats,
              enum red_end *end);
// From the case that shows it sooner: where an operation is wrong already before what the reduced
// case shows, or lanes are not together at a barrier that is then not reached together, or a
// branch's condition is wrong as a value. That is another kind of wrong.
void go_earlier(struct ask *k, struct arena *a, const struct red_options *o,
                const struct red_events *ev, struct spv_case *best, struct red_stats *stats,
                enum red_end *end);
// Of a compiler, whether lanes are missing or too many depends on the program that is left: where a
// loop is left, the search goes on among those in which the compiler does the same.
void go_turned(struct ask *k, struct arena *a, const struct red_options *o,
               const struct red_events *ev, struct spv_case *best, struct red_stats *stats,
               enum red_end *end);
// Taken up again from a case that go_earlier or go_turned left: asks for that kind again.
void go_take_up(struct ask *k, struct arena *a, const struct spv_case *start);

#endif
