// SPDX-License-Identifier: Apache-2.0
//
// A reduction: a case that a target is wrong about becomes the smallest that it is wrong about in
// the same way. Its folder always holds the smallest so far, and the same call goes on from there.
#ifndef TF_CAMPAIGN_REDUCTION_H
#define TF_CAMPAIGN_REDUCTION_H

#include "diagnose/ask.h"

struct reduction_options {
    const char *target, *self;
    const char *input; // the case's file
    const char *dir;   // the folder, which may be there: reduced.spvasm, reduced-CLASS/, slips/
    struct run_options run;
    double seconds;       // 0: no limit
    uint32_t jobs;        // 1 .. RED_JOBS_MAX, each with the target open
    bool choices, module; // the stages
    uint32_t subgroup;    // of a case that runs at any size
    bool bisect;          // of a target with passes: first which one is at fault
    bool keep_slips;      // candidates that are wrong in another way are kept, one a class
};

// What came of it. Texts live in the caller's arena.
struct reduction {
    const struct reduction_options *options;
    // From the beginning: how the case is wrong, in `first_hits` of ASK_TRIES runs.
    enum judge_class klass;
    uint32_t first_hits;
    const char *best;       // DIR/reduced.spvasm
    const char *target;     // that was asked: with no more passes than it takes
    const char *pass;       // at fault; NULL where not known
    bool resumed;           // this went on from it
    const char *no_choices; // why the module alone is reduced, NULL else
    // From the end.
    enum red_end end;
    struct red_stats stats; // stats.first: of the case as it was given
    struct ask_counts counts;
    uint32_t hits;               // of ASK_TRIES runs of the smallest
    const char *finding;         // its folder, DIR/reduced-CLASS
    char bucket[16];             // its bucket
    const char *slip[ASK_SLIPS]; // folders of what is wrong in another way
    uint32_t slips;
};

struct reduction_events {
    void *user;
    void (*begin)(void *user, const struct reduction *r);
    // Often, on the calling thread. False: finish.
    bool (*tick)(void *user, const struct red_stats *s);
};

// False with a line: not to be read, not wrong, without meaning, another reduction in the folder, a
// target that cannot be opened, a disk that is full. Interrupted is no failure (out->end).
bool reduction_run(struct arena *a, struct spv_tools *tools, const struct reduction_options *o,
                   const struct reduction_events *ev, struct reduction *out, struct err *e);

#endif
