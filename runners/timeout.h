// SPDX-License-Identifier: Apache-2.0
//
// A timeout that a busy machine does not use up. What runs at full speed, or stands still, is over when
// the time has passed; what moves but gets a part of a processor only has ten times as long. Private to
// runners/.
#ifndef TF_RUNNERS_TIMEOUT_H
#define TF_RUNNERS_TIMEOUT_H

#include <stdbool.h>

// All in seconds: of the wall clock (now_seconds), and of processors (contain_processors).
struct timeout {
    double next;    // when to ask timeout_over; 0: there is no timeout
    double seconds; // as given
    double begun;
    double from, used_from; // the first look, after a quarter of the time: short jobs are never looked at
    double last, used_last;
};

void timeout_begin(struct timeout *t, double seconds, double now);
// At `now`, with `used` of processors (contain_processors): is it over? To be asked from t->next on; where not, t->next moves.
bool timeout_over(struct timeout *t, double now, double used);

#endif
