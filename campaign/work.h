// SPDX-License-Identifier: Apache-2.0
//
// A farm's worker: a target and the store of many machines (triage/store/farm/farm.h). It says who
// answers, replays what that driver version was not asked about yet, and runs range after range of
// seeds as campaigns; findings go to the store as they come. It prints nothing.
#ifndef TF_CAMPAIGN_WORK_H
#define TF_CAMPAIGN_WORK_H

#include "campaign.h"
#include "farm/farm.h"

struct work_options {
    struct campaign_options
        campaign;      // one target; seeds, out, known and stop_after are the worker's
    const char *store; // its address, "" for libpq's environment
    struct farm_owner owner;
    const char *out;      // folder for each range's campaign, kept; NULL: a temporary one
    bool indexed;         // seeds index*size .. (index+1)*size-1, and no others
    uint64_t index, size; // size 0: about ten minutes' worth
    bool replays_only;    // no seeds at all
    uint64_t ranges;      // at most so many; 0: no limit
    double seconds;       // takes no more ranges after; 0: no limit
    double patience;      // seconds that a call waits for a store, from the first one on
    uint32_t keep;        // findings of a bucket and stream that the store keeps
    double reduce;        // seconds to reduce each of the first WORK_REDUCED of them; 0: not
    const char *expect;   // a text that the device's must hold; NULL: any
};
enum { WORK_REDUCED = 3 };

struct work_count {
    uint64_t ranges, cases, agreed, findings; // done by this worker
    uint64_t sent, there, enough, reduced;    // its findings, by what the store said
    uint64_t replays, replays_wrong;
    uint64_t already; // ranges that somebody else was done with first
    uint64_t lost;    // that another worker had taken over meanwhile
    bool done;        // indexed: that range is done
};

// What the caller is told; any may be NULL but tick. `found` as struct campaign_events has it.
struct work_events {
    void *user;
    void (*opened)(void *user, const struct campaign *c, int64_t stream); // for each range
    void (*range)(void *user, const struct farm_range *r);
    void (*found)(void *user, struct arena *a, const struct campaign_found *f);
    void (*ours)(void *user, const char *file, const char *why);
    void (*ended)(void *user, const struct farm_range *r, const struct campaign_stats *s);
    // Another worker took the range over. With an index that ends the work, else it goes on with
    // the next.
    void (*lost)(void *user, const char *why);
    void (*replayed)(void *user, const struct farm_replay *r, const char *klass);
    // Findings of a range could not be reduced; the store has them as they were found.
    void (*unreduced)(void *user, const char *why);
    // From any thread, as struct farm_patience has it.
    void (*away)(void *user, const char *why, double waited);
    // Often. `s` is NULL outside of a range. False: finish.
    bool (*tick)(void *user, const struct campaign_stats *s);
};

// Until there is nothing to do, somebody asks to finish, or the time is over. False with a line:
// the store or the target failed, or another worker took the index over. What was counted until
// then holds.
bool work_run(const struct work_options *o, const struct work_events *ev, struct work_count *out,
              struct err *e);

#endif
