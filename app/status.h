// SPDX-License-Identifier: Apache-2.0
//
// What a person sees while a campaign runs: one line on standard error that is
// redrawn on a terminal, a plain line every ten seconds elsewhere.
#ifndef TF_APP_STATUS_H
#define TF_APP_STATUS_H

#include "campaign/campaign.h"

// Seconds between two lines, on a terminal and elsewhere.
#define STATUS_REDRAW 0.2
#define STATUS_PLAIN  10.0

struct status {
    bool terminal, colour;
    double seconds; // how long the campaign may take; 0: no limit
    uint64_t total; // seeds to run; 0: not known
    uint64_t first; // the first of them
    double next;    // seconds since the start: when the next line is due
    bool drawn;     // the line stands on the terminal now
};
void status_start(struct status *s, double seconds, uint64_t total);
void status_tick(struct status *s, const struct campaign_stats *st);
// Any line in its place, cut to the terminal's width.
void status_line(struct status *s, const char *line);
// Takes the line away, so that something else can be printed.
void status_clear(struct status *s);
// "1:02:03", "12.3 s"
const char *status_time(char *buf, size_t size, double seconds);

#endif
