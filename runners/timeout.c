// SPDX-License-Identifier: Apache-2.0
#include "timeout.h"

#include <math.h>

#define LONGEST 10.0 // factor of the timeout, however busy the machine is
#define FULL    0.9  // of a processor: a higher share is full speed

void timeout_begin(struct timeout *t, double seconds, double now)
{
    *t = (struct timeout){.next = now + seconds / 4, .seconds = seconds, .begun = now};
}

bool timeout_over(struct timeout *t, double now, struct contain_processors has)
{
    if (t->from == 0) {
        t->from = now;
        t->had = has;
        t->next = fmax(t->begun + t->seconds, now + t->seconds / 10);
        return false;
    }
    const double rest = fmax(t->begun + t->seconds - t->from,
                             t->seconds / 10), // counted from the first check
        counts = now - t->from - fmax(has.lacked - t->had.lacked, 0);
    if (counts >= rest || has.used - t->had.used >= FULL * rest ||
        now >= t->begun + LONGEST * t->seconds)
        return true;
    t->next = fmin(now + fmax(rest - counts, t->seconds / 10),
                   fmax(t->begun + LONGEST * t->seconds, now + t->seconds / 10));
    return false;
}
