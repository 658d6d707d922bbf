// SPDX-License-Identifier: Apache-2.0
//
// The loop of fuzz, without printing: seeds -> cases -> workers -> findings' folders.
//
//   campaign.c        the loop: keeps every worker's queue full, takes answers
//   campaign_job.c    one seed: generate, validate, predict
//   campaign_save.c   what is written below the output folder
#ifndef TF_APP_CAMPAIGN_H
#define TF_APP_CAMPAIGN_H

#include "generator/generator.h"
#include "judge.h"

enum {
    CAMPAIGN_JOBS_MAX = 64,
    CAMPAIGN_RERUNS = 3,   // of a suspect, before it counts
    CAMPAIGN_REPEATS = 2,  // so many of them must show the same class; less is flaky
    CAMPAIGN_REASONS = 32, // different texts of skips that are kept apart
    CAMPAIGN_FAILURES = 3, // RUN_FAILED in a row that end the campaign
    CAMPAIGN_OURS = 100,   // of our own mistakes so many are saved, the rest counted
};

struct campaign_options {
    const char *target, *self, *out;
    struct run_options run;
    uint64_t first_seed, end_seed; // seeds first .. end-1
    double seconds;                // 0: no limit
    uint32_t jobs;
    uint32_t stop_after; // findings; 0: no limit
    uint32_t inputs;     // 1 .. RUN_JOB_CASES
    enum gen_profile profile;
    gen_features features;
    enum spv_model model;
    uint32_t subgroup;        // 0: the device's own
    uint32_t max_invocations; // of a workgroup; 0: the generator's default
};

// How live compared bits are spread over cases: eight steps to each power of two.
enum { LIVE_STEPS = 64 * 8 };

struct campaign_stats {
    double seconds;        // since the first case was made
    double driver_seconds; // of all workers together
    uint32_t jobs;
    uint64_t modules, cases; // answered: cases are (module, input) pairs
    uint64_t agreed;
    uint64_t compiled; // by a target that only compiles
    uint64_t skipped, nothing, rerun;
    uint64_t compared; // cases that ran; the next three are about them
    uint64_t live_total, live_min;
    uint64_t live[LIVE_STEPS];
    uint64_t findings, again, flaky; // new folders; known ones seen again; flaky ones
    uint64_t by_class[TRI_CLASSES];  // findings, new or again
    uint64_t ours;                   // cases that are our own mistake
    uint64_t other_mapping;
    uint64_t next_seed;
    uint32_t reasons;
    struct {
        char text[120];
        uint64_t n;
    } reason[CAMPAIGN_REASONS]; // of skips
    char last[80];              // the last new finding, "" before there is one
    double last_at;             // when, in seconds since the start
    bool stopped;               // somebody asked for it
    bool enough;                // stop_after was reached
};
// The median of live bits, to a sixteenth.
uint64_t campaign_live_median(const struct campaign_stats *s);
// Share of the wall time that workers spent inside driver calls, 0 .. 1.
double campaign_driver_share(const struct campaign_stats *s);

struct campaign_found {
    const char *name;   // folder below OUT/findings
    const char *folder; // OUT/findings/NAME
    const struct tri_finding *finding;
    bool again; // it was there already
};
// What the caller is told while the campaign runs; `user` is its own.
struct campaign_events {
    void *user;
    void (*found)(void *user, struct arena *a, const struct campaign_found *f);
    // A case that is our own mistake: the file it was saved to and why.
    void (*ours)(void *user, const char *file, const char *why);
    // Now and then, ten times a second or more often. False: finish.
    bool (*tick)(void *user, const struct campaign_stats *s);
};

// Opens the targets. NULL with one line; nothing was written then.
struct campaign;
struct campaign *campaign_open(const struct campaign_options *o, struct err *e);
const struct run_info *campaign_info(const struct campaign *c);
// What of the asked features the device does not offer, "" for nothing.
const char *campaign_dropped(const struct campaign *c);
uint32_t campaign_subgroup(const struct campaign *c);
// Runs it to its end and writes OUT/campaign.json. False with one line when the
// environment ended it; the stats and what was found until then hold.
bool campaign_run(struct campaign *c, const struct campaign_events *ev, struct campaign_stats *out,
                  struct err *e);
void campaign_close(struct campaign *c);

// "device: ...\ndriver: ...\n" of who answers.
const char *campaign_device_text(struct arena *a, const struct run_info *info);
// The summary as one JSON object without a newline, schema 1 (docs/tanglefuzz.1).
const char *campaign_json(struct arena *a, const struct campaign_options *o,
                          const struct run_info *info, const struct campaign_stats *s);

#endif
