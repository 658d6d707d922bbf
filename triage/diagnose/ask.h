// SPDX-License-Identifier: Apache-2.0
//
// The interestingness test of a reduction. A candidate passes if it is valid and defined, and the
// target fails on it as it failed on the first case.
#ifndef TF_DIAGNOSE_ASK_H
#define TF_DIAGNOSE_ASK_H

#include "diagnose.h"
#include "reduce/reduce.h"

#include <pthread.h>

enum {
    ASK_SLIPS = 32,
    ASK_TRIES = 5,
    ASK_ALONE = 64,
    ASK_GOOD = 2 * RED_JOBS_MAX,
    ASK_RUNS_MAX = 40,
    ASK_MAIN = RED_JOBS_MAX, // the caller's own worker: a target may be used by one thread only
};

struct ask_counts {
    uint64_t invalid, undefined, over_limit, unsupported; // rejected before the target ran
    uint64_t runs;                                        // of the target
    // Results of candidates. `nothing`: each run ended, but no word could be compared.
    uint64_t same, other, agreed, nothing, none;
    uint64_t machines; // candidates on which the oracle's two machines disagree
};

// A different failure seen during reduction; the first of each kind.
struct ask_slippage {
    struct diag_signature kind;
    struct arena arena;
    struct spv_case c;
};

struct ask {
    const char *target, *self;
    struct run_options run;
    uint32_t subgroup;          // subgroup size for a case that runs at any size
    struct run_info info;       // of the target
    struct diag_signature kind; // how the target fails on the first case
    // The first case failed in `hits` of `tries` runs; each candidate gets up to `runs` runs.
    uint32_t hits, tries, runs;
    uint64_t step_limit;
    struct spv_case between[2]; // run between two runs of one module; the results are ignored
    bool keep_slips;
    bool keeps_rules; // the case declares no mode, but satisfies S1 and S2: so must candidates
    bool single;      // one worker, on the caller's thread, with the caller's target
    // What the compiler does to the first case, if it does something. Then missing lanes and extra
    // lanes count as one kind.
    struct diag_change change;
    struct spv_case now; // the last accepted case (ask_now)
    // The weakest promise that a candidate must break; per promise, the last accepted case that
    // breaks it.
    enum judge_promise at_least;
    struct ask_weak {
        struct arena arena;
        struct spv_case c; // words NULL: none
    } weak[JUDGE_PROMISES];

    pthread_mutex_t lock; // for the counts and slips
    struct ask_counts counts;
    struct ask_slippage *slippage;
    uint32_t slips;
    char trouble[512]; // why a worker could not be opened; else ""
    // Under the same lock, for ask_slip.c: the first wrong operation of `now`, and two more facts
    // about it if `now_known`: whether it fails by itself, and what the compiler does to it. The
    // lock is released while the target runs. `now_asking`: a worker is computing them; the
    // condition variable signals that one has finished.
    pthread_cond_t finished;
    struct diag_op now_op;
    bool now_known, now_asking, now_alone;
    unsigned now_change;
    struct ask_good { // candidates that passed: the first wrong operation, the promise it breaks
        uint64_t hash;
        struct diag_op op;
        enum judge_promise promise;
    } good[ASK_GOOD];
    uint32_t goods;
    // Results of operations tested by themselves.
    struct ask_alone {
        struct diag_alone what;
        bool asking, wrong;
    } alone[ASK_ALONE];
    uint32_t alones;
    struct ask_worker {
        struct run_target *target;
        struct spv_tools *tools;
        struct shown_policy policy;
        struct arena run; // memory of one run
        uint64_t last;    // hash of the last module given to the target
    } worker[RED_JOBS_MAX + 1];
};

// Opens the target and runs the case to find how it fails, how often, and its limits. Fixes the
// subgroup size of the case. False with a message in `e`: the target cannot be opened, or the case
// is undefined, or the target does not fail on it.
bool ask_start(struct ask *k, struct arena *a, struct spv_case *c, struct err *e);
void ask_end(struct ask *k);
// The callbacks red_events.ask and .leave; `user` is the struct ask.
bool ask_candidate(void *user, uint32_t worker, struct arena *a, const struct spv_case *c,
                   bool generated);
void ask_leave(void *user, uint32_t worker);

// Runs a case. If its module is also the last that the target ran, runs another module in between:
// a target that answers from a cache then recomputes its answer.
void ask_run(struct ask *k, struct ask_worker *w, struct arena *a, const struct spv_case *c,
             struct run_result *r);

// From now on candidates must show the failure of this case; where words differ, it counts as a
// wrong value. False if the target is right about the case; then nothing changes.
bool ask_take_kind(struct ask *k, struct arena *a, const struct spv_case *c);

// From now on candidates may change from missing lanes to extra lanes and back, as long as the
// compiler does the same as to this case. False for another class, or if the change is not known.
bool ask_by_change(struct ask *k, struct arena *a, const struct spv_case *c);

// Sets the last accepted case, which candidates are compared with. Call it only while no candidate
// is being tested.
void ask_now(struct ask *k, const struct spv_case *c);
// The same for a case tested elsewhere; `promise`: the weakest promise that it breaks.
void ask_now_promised(struct ask *k, const struct spv_case *c, enum judge_promise promise);
// Detects slippage to another bug: the candidate's first wrong operation differs from that of the
// last accepted case, and fails by itself where the earlier one does not, or the reverse; or the
// compiler changes it differently. `is`, `v`, `r`, `promise`: what the candidate's run showed. Uses
// the worker's target.
bool ask_slipped(struct ask *k, struct ask_worker *w, struct arena *a, const struct spv_case *c,
                 const struct diag_signature *is, const struct judge_verdict *v,
                 const struct run_result *r, enum judge_promise promise);

// Runs a case `tries` times and fills everything that a finding's folder needs: *p, *j and *r (of
// the first run that shows the failure) live in `a`. Returns how many runs showed it.
uint32_t ask_again(struct ask *k, struct arena *a, const struct spv_case *c, uint32_t tries,
                   struct prediction **p, struct judged *j, struct run_result *r);

#endif
