// SPDX-License-Identifier: Apache-2.0
//
// Reduces a case that a target gets wrong to the smallest one that it gets wrong in the same way.
// The folder always holds the smallest so far; a repeated call continues from it.
#ifndef TF_CAMPAIGN_REDUCTION_H
#define TF_CAMPAIGN_REDUCTION_H

#include "diagnose/ask.h"

struct reduction_options {
    const char *target, *self;
    const char *input; // the case's file
    const char *dir;   // output folder, may exist: reduced.spvasm, reduced-CLASS/, slips/
    struct run_options run;
    double seconds;       // time limit; 0: none
    uint32_t jobs;        // 1 .. RED_JOBS_MAX, each opens the target
    bool choices, module; // stages to run; neither: the case is described as it is
    uint32_t subgroup;    // for a case that does not fix its subgroup size
    bool bisect;          // first find the pass at fault, if the target has passes
    bool keep_slips;      // keep one candidate of each other class (another bug)
};

// Result of a reduction. Texts are in the caller's arena.
struct reduction {
    const struct reduction_options *options;
    // Set before `begin`: how the case is wrong, in `first_hits` of ASK_TRIES runs.
    enum judge_class klass;
    uint32_t first_hits;
    const char *best;       // DIR/reduced.spvasm
    const char *target;     // opened target, with no more passes than needed
    const char *pass;       // pass at fault; NULL: not known
    bool resumed;           // continues from `best`
    const char *no_choices; // why only the module is reduced; else NULL
    // Set at the end.
    enum red_end end;
    struct red_stats stats; // stats.first is of the original case
    struct ask_counts counts;
    uint32_t hits;                   // of ASK_TRIES runs of the smallest case
    const char *finding;             // its folder, DIR/reduced-CLASS
    char bucket[16];                 // its bucket
    const char *slippage[ASK_SLIPS]; // folders of candidates in other classes
    uint32_t slips;
};

struct reduction_events {
    void *user;
    void (*begin)(void *user, const struct reduction *r);
    // Called often, on the calling thread. Returns false to end.
    bool (*tick)(void *user, const struct red_stats *s);
};

// Runs the reduction. False with a message: the case cannot be read, is not wrong or is undefined,
// the folder holds another reduction, the target cannot be opened, or the disk is full. An
// interruption is not an error (out->end).
bool reduction_run(struct arena *a, struct spv_tools *tools, const struct reduction_options *o,
                   const struct reduction_events *ev, struct reduction *out, struct err *e);

#endif
