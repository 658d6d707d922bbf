// SPDX-License-Identifier: Apache-2.0
//
// reduce: a case and a test of interest -> the smallest case that still passes it.
//
// Stage 1 edits the choices that made the case and makes it again: each candidate
// is valid and defined by construction. Stage 2 edits the module, anybody's. The
// room runs nothing itself: whether a candidate is interesting says the caller's
// `ask`, which may be called from several threads.
#ifndef TF_REDUCE_H
#define TF_REDUCE_H

#include "base/base.h"
#include "generator/generator.h"
#include "spirv/spirv.h"

enum { RED_JOBS_MAX = 64 };

enum red_stage { RED_CHOICES, RED_MODULE, RED_STAGES };

// What is kept of a case while it shrinks.
struct red_size {
    uint32_t instructions; // of the module
    uint32_t body;         // of them in functions
    uint32_t loops, branches, group_ops, calls;
    uint32_t invocations; // of the dispatch; of a draw the target's pixels
    uint32_t buffer_words;
    uint32_t choices; // bytes without trailing zeros; 0 in stage 2
};
// False when the words are no module.
bool red_measure(const struct spv_case *c, struct red_size *out);

// Why it ended.
enum red_end {
    RED_MINIMAL,     // no edit that is left makes it smaller
    RED_TIME,        // the time was up
    RED_INTERRUPTED, // `tick` said so
    RED_UNSAVED,     // `better` said so
};
const char *red_end_name(enum red_end e);

struct red_stats {
    enum red_stage stage;
    const char *pass;       // the one at work
    uint64_t candidates;    // made and asked about
    uint64_t cached;        // made, and known from before
    uint64_t improvements;  // accepted
    uint32_t round, at, of; // of the pass: which of its edits is at hand
    double seconds;
    struct red_size first, now;
};

struct red_options {
    uint32_t jobs;  // threads that ask, 1 .. RED_JOBS_MAX
    double seconds; // 0: no limit
    // Keep the `; lanes` buffer: where the mapping of lanes is the subject's to choose.
    bool keep_lanes;
    bool choices, module;  // the stages that are wanted
    const uint64_t *known; // hashes of candidates that were refused before
    size_t known_count;
};

// The caller's part. `ask`, `leave`: on the thread of `worker` (0 .. jobs-1; a single one is the
// caller's own), `a` is reset after each; the others on the caller's thread.
struct red_events {
    void *user;
    // Is the candidate interesting? `generated`: made by the generator, thus valid.
    bool (*ask)(void *user, uint32_t worker, struct arena *a, const struct spv_case *c,
                bool generated);
    void (*leave)(void *user, uint32_t worker); // no more questions from this thread
    // A smaller case. False: it could not be saved, give up.
    bool (*better)(void *user, const struct spv_case *c, const struct red_stats *s);
    void (*refused)(void *user, uint64_t hash);          // to be `known` the next time
    bool (*tick)(void *user, const struct red_stats *s); // ten times a second; false: stop
};

// Reduces `c`, which is interesting (the caller has asked). Its `; expect` lines are
// dropped. Where its `; from` line makes the same words again, stage 1 goes first.
// *out, in `a`: the smallest found. The same case and options give the same result
// with any number of jobs, as long as `ask` answers the same.
enum red_end red_reduce(struct arena *a, const struct spv_case *c, const struct red_options *o,
                        const struct red_events *ev, struct spv_case *out, struct red_stats *stats);

// Whether stage 1 can work on it: false with the reason.
bool red_has_choices(struct arena *a, const struct spv_case *c, struct err *e);

// What a case is, as 64 bits: module, dispatch, first contents, how it is judged.
uint64_t red_hash(const struct spv_case *c);

// A copy that depends on nothing outside of `a`, without `; expect` lines and text.
void red_copy(struct arena *a, const struct spv_case *c, struct spv_case *out);

#endif
