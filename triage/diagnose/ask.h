// SPDX-License-Identifier: Apache-2.0
//
// What makes a candidate of a reduction interesting: it is valid and defined, and
// the target is wrong about it in the way it was wrong about the case.
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
    ASK_MAIN = RED_JOBS_MAX, // the caller's own worker: a target belongs to one thread
};

struct ask_counts {
    uint64_t invalid, undefined, over_limit, unsupported; // refused before the target
    uint64_t runs;                                        // of the target
    uint64_t same, other, agreed, none;                   // what candidates came to
    uint64_t machines;                                    // the oracle's two machines did not agree
};

// Another way to be wrong that was met; the first of each.
struct ask_slip {
    struct diag_signature kind;
    struct arena arena;
    struct spv_case c;
};

struct ask {
    const char *target, *self;
    struct run_options run;
    uint32_t subgroup;          // of a case that runs at any size
    struct run_info info;       // of the target
    struct diag_signature kind; // how it is wrong about the first case
    // The first case was wrong in `hits` of `tries` runs; a candidate gets so many runs.
    uint32_t hits, tries, runs;
    uint64_t step_limit;
    struct spv_case between[2]; // run between two runs of one module, and not judged
    bool keep_slips;
    bool keeps_rules; // the case declares no mode, and keeps to what one would ask of it: so must
                      // candidates
    bool single;      // one worker alone: it is on the caller's thread, and has the caller's target
    // What the compiler does, where it did something: then lanes that are missing and lanes that
    // are too many are one kind.
    struct diag_change change;
    struct spv_case now; // what was accepted last (ask_now)
    // The weakest promise that a candidate must break; of each the last case accepted that does.
    enum judge_promise at_least;
    struct ask_weak {
        struct arena arena;
        struct spv_case c; // words NULL: none
    } weak[JUDGE_PROMISES];

    pthread_mutex_t lock; // for the counts and slips
    struct ask_counts counts;
    struct ask_slip *slip;
    uint32_t slips;
    char trouble[512]; // why a worker could not be opened; "" else
    // For the same lock, all of ask_slip.c: which operation is wrong first in `now`; whether
    // that is known of it too: is it wrong by itself, what the compiler does to it. The lock is let
    // go while the target runs: `asking` says that a worker is finding out, `told` that one has.
    pthread_cond_t told;
    struct diag_op now_op;
    bool now_known, now_asking, now_alone;
    unsigned now_change;
    struct ask_good { // candidates that were good: the operation that is wrong first, the promise
        uint64_t hash;
        struct diag_op op;
        enum judge_promise promise;
    } good[ASK_GOOD];
    uint32_t goods;
    // What was asked about operations by themselves.
    struct ask_alone {
        struct diag_alone what;
        bool asking, wrong;
    } alone[ASK_ALONE];
    uint32_t alones;
    struct ask_worker {
        struct run_target *target;
        struct spv_tools *tools;
        struct shown_policy policy;
        struct arena run; // of one run
        uint64_t last;    // the module that the target was given last
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

// Runs a case, another one before it when its module was the last that the target was given: a
// target that answers with what it had before does not show the same again.
void ask_run(struct ask *k, struct ask_worker *w, struct arena *a, const struct spv_case *c,
             struct run_result *r);

// From now on the kind of this case counts: how the target is wrong about it, as a wrong value
// where words are wrong. False where it is right about it; then nothing changes.
bool ask_take_kind(struct ask *k, struct arena *a, const struct spv_case *c);

// From now on candidates may turn from missing lanes to ones too many and back, when the compiler
// does to them what it does to this case. False for another class, and where that is not known.
bool ask_by_change(struct ask *k, struct arena *a, const struct spv_case *c);

// The case that was accepted last, which candidates are held against: one that was good, or one of
// the kind asked for. While no candidate is asked about.
void ask_now(struct ask *k, const struct spv_case *c);
// The same of a case that was asked about in another way, `promise` is the weakest that it breaks.
void ask_now_promised(struct ask *k, const struct spv_case *c, enum judge_promise promise);
// Does a candidate whose first wrong operation is another one than before show another bug? That
// operation is wrong by itself, as the one before is not, or the other way round; or the compiler
// does another thing to it. What was seen of it: its kind, verdict, run and the weakest promise. On
// the worker's target.
bool ask_slipped(struct ask *k, struct ask_worker *w, struct arena *a, const struct spv_case *c,
                 const struct diag_signature *is, const struct judge_verdict *v,
                 const struct run_result *r, enum judge_promise promise);

// One more look at a case, with everything that a finding's folder wants: run `tries`
// times; *p, *j and *r (of the first run of the kind) live in `a`. How often it showed.
uint32_t ask_again(struct ask *k, struct arena *a, const struct spv_case *c, uint32_t tries,
                   struct prediction **p, struct judged *j, struct run_result *r);

#endif
