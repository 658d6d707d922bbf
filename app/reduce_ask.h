// SPDX-License-Identifier: Apache-2.0
//
// What makes a candidate of a reduction interesting: it is valid and defined, and
// the target is wrong about it in the way it was wrong about the case.
#ifndef TF_APP_REDUCE_ASK_H
#define TF_APP_REDUCE_ASK_H

#include "judge/judge.h"
#include "reduce/reduce.h"

#include <pthread.h>

enum {
    ASK_SLIPS = 32,
    ASK_TRIES = 5,
    ASK_RUNS_MAX = 40,
    ASK_MAIN = RED_JOBS_MAX, // the caller's own worker: a target belongs to one thread
};

struct ask_counts {
    uint64_t invalid, undefined, over_limit, unsupported; // refused before the target
    uint64_t runs;                                        // of the target
    uint64_t same, other, agreed, none;                   // what candidates came to
    uint64_t machines; // the oracle's two machines did not agree
};

// Another way to be wrong that was met; the first of each.
struct ask_slip {
    struct tri_signature kind;
    struct arena arena;
    struct spv_case c;
};

struct ask {
    const char *target, *self;
    struct run_options run;
    uint32_t subgroup;    // of a case that runs at any size
    struct run_info info; // of the target
    struct tri_signature kind; // how it is wrong about the first case
    // The first case was wrong in `hits` of `tries` runs; a candidate gets so many runs.
    uint32_t hits, tries, runs;
    uint64_t step_limit;
    bool keep_slips;

    pthread_mutex_t lock; // for the counts and slips
    struct ask_counts counts;
    struct ask_slip *slip;
    uint32_t slips;
    char trouble[512]; // why a worker could not be opened; "" else
    struct ask_worker {
        struct run_target *target;
        struct spv_tools *tools;
        struct shown_policy policy;
        struct arena run; // of one run
    } worker[RED_JOBS_MAX + 1];
};

// Opens the target and runs the case: its kind, how often, its limits. Pins its
// subgroup size. False with a line: no such target, no meaning, not wrong there.
bool ask_start(struct ask *k, struct arena *a, struct spv_case *c, struct err *e);
void ask_end(struct ask *k);
// red_events.ask and .leave; user is the struct ask.
bool ask_candidate(void *user, uint32_t worker, struct arena *a, const struct spv_case *c,
                   bool generated);
void ask_leave(void *user, uint32_t worker);

// From now on the kind of this case counts: how the target is wrong about it, as a wrong value
// where words are wrong. False where it is right about it; then nothing changes.
bool ask_take_kind(struct ask *k, struct arena *a, const struct spv_case *c);

// One more look at a case, with everything that a finding's folder wants: run `tries`
// times; *p, *j and *r (of the first run of the kind) live in `a`. How often it showed.
uint32_t ask_again(struct ask *k, struct arena *a, const struct spv_case *c, uint32_t tries,
                   struct prediction **p, struct judged *j, struct run_result *r);

#endif
