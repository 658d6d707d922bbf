// SPDX-License-Identifier: Apache-2.0
//
// Status line of a running campaign on standard error: one line that is redrawn on a terminal, else
// a new line every ten seconds.
#ifndef TF_APP_STATUS_H
#define TF_APP_STATUS_H

#include "campaign/campaign.h"

// Seconds between two status lines, on a terminal and elsewhere.
#define STATUS_REDRAW 0.2
#define STATUS_PLAIN  10.0

struct status {
    bool terminal, colour;
    double seconds; // time limit of the campaign; 0: no limit
    uint64_t total; // seeds to run; 0: not known
    uint64_t first; // the first seed
    double next;    // when to print the next line, in seconds since the start
    bool drawn;     // a line is visible on the terminal
};
void status_start(struct status *s, double seconds, uint64_t total);
void status_tick(struct status *s, const struct campaign_stats *st);
// Prints any line as the status line, cut to the terminal's width.
void status_line(struct status *s, const char *line);
// Erases the line before other output.
void status_clear(struct status *s);
// Writes a duration to `buf` and returns it: "1:02:03", "12.3 s".
const char *status_time(char *buf, size_t size, double seconds);

#endif
