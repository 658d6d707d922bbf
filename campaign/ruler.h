// SPDX-License-Identifier: Apache-2.0
//
// How many programs it takes to find each mutant: the measuring, for cmd_mutants.c.
#ifndef TF_CAMPAIGN_RULER_H
#define TF_CAMPAIGN_RULER_H

#include "diagnose/diagnose.h"
#include "generator/generator.h"
#include "mutants/mutants.h"
#include "runners/runners.h"

// What became of one mutant.
struct row {
    const struct mut_mutant *m;
    uint64_t cases; // given to it
    double seconds; // of CPU, until it was found or the programs ended
    bool killed;
    uint64_t kills;            // programs that tell it; 1 at most unless ruler.target is there
    enum judge_class how;      // when killed
    char by[300];              // the program that did it
    uint64_t sampled, applied; // modules tried; of these it changed
    uint64_t ambiguous, skipped;
    uint64_t broken; // modules of a transformation that are not valid: our own mistake
    char first_broken[500];
};

struct ruler {
    struct row *rows;
    uint32_t n, left; // not killed yet
    struct spv_tools *tools;
    double shared; // CPU seconds for the programs so far
    uint64_t programs, unusable;
    const char *stop; // why no more is run, NULL when all is done
    // Power for each second of a driver: each program is run on this target as well, and no mutant
    // leaves when it is found. NULL: not asked for.
    struct run_target *target;
    uint32_t subgroup;     // the target's
    double driver_seconds; // in the target's calls, for the programs that were used
    // Before each program: so many of all are done.
    void (*tick)(struct ruler *r, uint64_t done, uint64_t all);
    void *user; // the caller's
};

// Generated programs, one a seed, until all are found or `cases` have been made.
void ruler_generated(struct ruler *r, const struct gen_options *g, uint64_t first, uint64_t cases);
// The cases of a folder. False when one cannot be read.
bool ruler_files(struct ruler *r, const char *dir, struct err *e);

#endif
