// SPDX-License-Identifier: Apache-2.0
//
// A timeout that a busy machine does not use up: the time in which what runs was ready, and no
// processor was free, does not count, up to ten times the timeout. Private to runners/.
#ifndef TF_RUNNERS_TIMEOUT_H
#define TF_RUNNERS_TIMEOUT_H

#include "contain.h"

// In seconds.
struct timeout {
    double next;    // when to ask timeout_over; 0: there is no timeout
    double seconds; // as given
    double begun;
    double from; // the first look, after a quarter of the time: short jobs are never looked at
    struct contain_processors had;
};

void timeout_begin(struct timeout *t, double seconds, double now);
// At `now` (now_seconds), of what has had that: is it over? To be asked from t->next on; where not,
// t->next moves.
bool timeout_over(struct timeout *t, double now, struct contain_processors has);

#endif
