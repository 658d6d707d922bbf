// SPDX-License-Identifier: Apache-2.0
//
// A campaign's findings made smaller, bucket by bucket: the first of each, then the second of each,
// and so on. Each reduction is one of reduction.h, in FINDING/reduced; what is done is not done
// again, and what was cut off goes on.
#ifndef TF_CAMPAIGN_BATCH_H
#define TF_CAMPAIGN_BATCH_H

#include "reduction.h"

enum { BATCH_JOBS_MAX = 64 };

struct batch_options {
    const char *dir, *self; // the campaign's folder
    // Targets that a finding's folder may not choose by itself (run_harmless) must be among these.
    const char *const *targets;
    uint32_t target_count;
    struct run_options run;
    uint32_t per_bucket; // findings of each bucket, as they were found, and four times as many
                         // where these go to several; 0: all
    uint32_t jobs;  // 1 .. BATCH_JOBS_MAX threads; a reduction each, as long as there are as many
    double seconds; // in all; 0: no limit
    double each;    // of one reduction; 0: no limit
};
struct batch_stats {
    uint32_t of, done, failed; // findings to reduce: all, reduced now, not to be reduced
    uint32_t before;           // reduced already, of those that are asked for
    uint32_t flaky;            // left as they are
    uint32_t unasked;          // of buckets that have enough
    uint32_t running;
    uint32_t first_buckets, buckets; // at the beginning; now, only set at the end
    uint64_t candidates;
    double seconds;
    bool stopped, out_of_time;
};
// One call at a time, from any thread.
struct batch_events {
    void *user;
    // A reduction came to its end: `r`, or NULL and why not.
    void (*done)(void *user, const char *finding, const struct reduction *r, const char *why);
    // Often. False: finish.
    bool (*tick)(void *user, const struct batch_stats *s);
};
// `e` is not NULL. False with a line: no campaign's folder, another process works in it, its store
// cannot be made.
bool batch_run(const struct batch_options *o, const struct batch_events *ev,
               struct batch_stats *out, struct err *e);

#endif
