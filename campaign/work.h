// SPDX-License-Identifier: Apache-2.0
//
// A worker of a farm: one target, and the store of many machines (triage/store/farm/farm.h). It
// opens the stream of its driver version, replays the cases that this version has not run, and runs
// ranges of seeds as campaigns; findings go to the store as they are found. It prints nothing.
#ifndef TF_CAMPAIGN_WORK_H
#define TF_CAMPAIGN_WORK_H

#include "campaign.h"
#include "farm/farm.h"

struct work_options {
    struct campaign_options
        campaign;      // one target; the worker sets seeds, out, known, stop_after and keep
    const char *store; // address; "": libpq's environment
    struct farm_owner owner;
    const char *out;      // folder in which each range's campaign is kept; NULL: temporary
    bool indexed;         // only seeds index*size .. (index+1)*size-1
    uint64_t index, size; // size 0: about ten minutes' worth
    bool replays_only;    // no seeds
    uint64_t ranges;      // most ranges to run; 0: no limit
    double seconds;       // takes no more ranges after this time; 0: no limit
    double patience;      // seconds that each call waits for the store, from the first call on
    uint32_t keep;        // findings per bucket and stream that the store keeps
    double reduce;        // seconds to reduce each of the first WORK_REDUCED of them; 0: do not
};
enum { WORK_REDUCED = 3 };

struct work_count {
    uint64_t ranges, cases, agreed, findings; // finished by this worker
    uint64_t sent, there, enough, reduced;    // findings, by the store's answer; reduced ones
    uint64_t replays, replays_wrong;
    uint64_t already; // ranges that another worker finished first
    uint64_t lost;    // ranges that another worker took over
    bool done;        // indexed: the range is done
    bool refused;     // indexed: the stream is paused, or ends before the range
};

// Callbacks; each may be NULL except `tick`. `found` is as in struct campaign_events.
struct work_events {
    void *user;
    void (*opened)(void *user, const struct campaign *c, int64_t stream); // for each range
    void (*range)(void *user, const struct farm_range *r);
    void (*found)(void *user, struct arena *a, const struct campaign_found *f);
    void (*own_bug)(void *user, const char *file, const char *why);
    void (*ended)(void *user, const struct farm_range *r, const struct campaign_stats *s);
    // Another worker took the range over, or finished it first. With an index the takeover ends the
    // work, else the next range follows.
    void (*lost)(void *user, const char *why);
    void (*replayed)(void *user, const struct farm_replay *r, const char *klass);
    // Findings of a range could not be reduced; the store has the originals.
    void (*unreduced)(void *user, const char *why);
    // Called by any thread, as in struct farm_patience.
    void (*away)(void *user, const char *why, double waited);
    // Called often. `s` is NULL outside of a range. Returns false to end.
    bool (*tick)(void *user, const struct campaign_stats *s);
};

// Runs until nothing is left to do, the caller ends it, or the time is over. False with a message:
// the store or the target failed, or another worker took the index over. The counts until then are
// valid.
bool work_run(const struct work_options *o, const struct work_events *ev, struct work_count *out,
              struct err *e);

#endif
