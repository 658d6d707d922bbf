// SPDX-License-Identifier: Apache-2.0
#include "timeout.h"

#include <math.h>

#define LONGEST 10.0 // times the timeout, however slow the machine
#define MOVES   0.01 // of a processor: less stands still
#define FULL    0.9  // of a processor: more is full speed

void timeout_begin(struct timeout *t, double seconds, double now)
{
    *t = (struct timeout){.next = now + seconds / 4, .seconds = seconds, .begun = now};
}

bool timeout_over(struct timeout *t, double now, double used)
{
    if (t->from == 0) {
        t->from = t->last = now;
        t->used_from = t->used_last = used;
        t->next = fmax(t->begun + t->seconds, now + t->seconds / 10);
        return false;
    }
    // What it would have used, at full speed, from the first look to the end of its time.
    const double due = FULL * fmax(t->begun + t->seconds - t->from, t->seconds / 10), had = used - t->used_from;
    if (had >= due || used - t->used_last < MOVES * (now - t->last) || now >= t->begun + LONGEST * t->seconds)
        return true;
    t->last = now;
    t->used_last = used;
    t->next = now + fmax(due - had, t->seconds / 10);
    return false;
}
