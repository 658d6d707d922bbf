// SPDX-License-Identifier: Apache-2.0
//
// reduce: finds the smallest case that still passes a test of interest.
//
// Stage 1 edits the generator's choice sequence and generates the case again, so each candidate is
// valid and defined by construction. Stage 2 edits the module; it works for any module. This room
// runs nothing itself: the caller's `ask` decides whether a candidate is interesting. It may be
// called from several threads.
#ifndef TF_REDUCE_H
#define TF_REDUCE_H

#include "base/base.h"
#include "generator/generator.h"
#include "spirv/spirv.h"

enum { RED_JOBS_MAX = 64 };

enum red_stage { RED_CHOICES, RED_MODULE, RED_STAGES };

// Size of a case.
struct red_size {
    uint32_t instructions; // of the module
    uint32_t body;         // of them inside functions
    uint32_t loops, branches, group_ops, calls;
    uint32_t invocations; // of the dispatch; of a draw, the pixels or vertices of the target
    uint32_t buffer_words;
    uint32_t choices; // bytes without trailing zeros; 0 in stage 2
};
// Measures a case; `choices` stays 0. False if the words are not a module: then only buffer_words
// and invocations are set (spv_case_invocations).
bool red_measure(const struct spv_case *c, struct red_size *out);

// Why a reduction ended.
enum red_end {
    RED_MINIMAL,     // no remaining edit makes the case smaller
    RED_TIME,        // the time limit was reached
    RED_INTERRUPTED, // `tick` returned false
    RED_UNSAVED,     // `better` returned false
};
const char *red_end_name(enum red_end e);

struct red_stats {
    enum red_stage stage;
    const char *pass;       // the current pass
    uint64_t candidates;    // generated and tested
    uint64_t cached;        // generated, but tested before
    uint64_t improvements;  // accepted
    uint32_t round, at, of; // of the current pass: the current edit and the number of edits
    double seconds;
    struct red_size first, now;
};

struct red_options {
    uint32_t jobs;  // threads that call `ask`, 1 .. RED_JOBS_MAX
    double seconds; // 0: no limit
    // Keeps the `; lanes` buffer: needed if the target chooses the lane mapping.
    bool keep_lanes;
    bool choices, module;  // the stages to run
    const uint64_t *known; // hashes of candidates that were rejected before
    size_t known_count;
};

// The caller's callbacks. `ask` and `leave` run on the thread of `worker` (0 .. jobs-1; with one
// job, the caller's thread). `a` holds the candidate and may be reset after each call. The
// others run on the caller's thread. `leave` and `refused` may be NULL.
struct red_events {
    void *user;
    // True if the candidate is interesting. `generated`: it comes from the generator, so it is
    // valid.
    bool (*ask)(void *user, uint32_t worker, struct arena *a, const struct spv_case *c,
                bool generated);
    void (*leave)(void *user, uint32_t worker); // no more calls from this thread
    // Receives a smaller case. False: it could not be saved, so stop.
    bool (*better)(void *user, const struct spv_case *c, const struct red_stats *s);
    void (*refused)(void *user, uint64_t hash);          // candidate to put into `known` next time
    bool (*tick)(void *user, const struct red_stats *s); // called ten times a second; false: stop
};

// Reduces `c`, which the caller has found interesting. Drops its `; expect` lines. Stage 1 runs
// first if the `; from` line generates the same words. *out, in `a`, is the smallest case found.
// The same case and options return the same result with any number of jobs, if `ask` is
// deterministic.
enum red_end red_reduce(struct arena *a, const struct spv_case *c, const struct red_options *o,
                        const struct red_events *ev, struct spv_case *out, struct red_stats *stats);

// True if stage 1 can reduce the case; false with the reason.
bool red_has_choices(struct arena *a, const struct spv_case *c, struct err *e);

// Returns a hash of the case: module, dispatch, initial contents, how it is judged. Ignores the
// module's generator word, `; expect` lines, and the derivatives and quads_end of the policy.
uint64_t red_hash(const struct spv_case *c);

// Copies a case into `a`, without `; expect` lines and `body`. The copy still refers to the
// original's file names: `path`, and `file` of SPV_FILL_FILE buffers.
void red_copy(struct arena *a, const struct spv_case *c, struct spv_case *out);

#endif
