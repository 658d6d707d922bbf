// SPDX-License-Identifier: Apache-2.0
//
// Reduces a campaign's findings, bucket by bucket: the first of each, then the second of each, and
// so on. Each reduction (reduction.h) is in FINDING/reduced. Finished reductions are not repeated;
// interrupted ones are continued.
#ifndef TF_CAMPAIGN_BATCH_H
#define TF_CAMPAIGN_BATCH_H

#include "reduction.h"

enum { BATCH_JOBS_MAX = 64 };

struct batch_options {
    const char *dir, *self; // the campaign's folder
    // A finding whose target a folder may not choose (run_harmless) is reduced only if listed here.
    const char *const *targets;
    uint32_t target_count;
    struct run_options run;
    uint32_t per_bucket; // findings per bucket as found; four times as many if these reduce to
                         // different buckets; 0: all
    uint32_t jobs;       // 1 .. BATCH_JOBS_MAX threads, one reduction each while enough are left
    double seconds;      // limit in total; 0: none
    double each;         // limit of one reduction; 0: none
};
struct batch_stats {
    uint32_t of, done, failed; // findings to reduce: all, reduced now, not reducible
    uint32_t before;           // of the selected ones, reduced earlier
    uint32_t flaky;            // not reduced
    uint32_t unasked;          // not selected: their buckets have enough
    uint32_t running;
    uint32_t first_buckets, buckets; // at the start; at the end, set only then
    uint64_t candidates;
    double seconds;
    bool stopped, out_of_time;
};
// Called by any thread, one call at a time.
struct batch_events {
    void *user;
    // A reduction has ended: `r`, or NULL and the reason.
    void (*done)(void *user, const char *finding, const struct reduction *r, const char *why);
    // Called often. Returns false to end.
    bool (*tick)(void *user, const struct batch_stats *s);
};
// Reduces the findings. `e` must not be NULL. False with a message: not a campaign folder, locked
// by another process, or its store cannot be written.
bool batch_run(const struct batch_options *o, const struct batch_events *ev,
               struct batch_stats *out, struct err *e);

#endif
