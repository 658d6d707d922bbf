// SPDX-License-Identifier: Apache-2.0
//
// A timeout that tolerates a busy machine. Time during which the watched processes were ready but
// had no processor does not count, up to ten times the timeout. Private to runners/.
#ifndef TF_RUNNERS_TIMEOUT_H
#define TF_RUNNERS_TIMEOUT_H

#include "contain.h"

// In seconds.
struct timeout {
    double next;    // when to call timeout_over; 0: no timeout
    double seconds; // as given
    double begun;
    double from; // time of the first check, after a quarter of the timeout: short jobs are never
                 // checked
    struct contain_processors had;
};

void timeout_begin(struct timeout *t, double seconds, double now);
// True if the timeout is over at `now` (now_seconds), given the CPU time so far. Call it from
// t->next on. If false, t->next moves.
bool timeout_over(struct timeout *t, double now, struct contain_processors has);

#endif
