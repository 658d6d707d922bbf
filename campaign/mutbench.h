// SPDX-License-Identifier: Apache-2.0
//
// Counts how many programs it takes to find each mutant, for cmd_mutants.c.
#ifndef TF_CAMPAIGN_MUTBENCH_H
#define TF_CAMPAIGN_MUTBENCH_H

#include "diagnose/diagnose.h"
#include "generator/generator.h"
#include "mutants/mutants.h"
#include "runners/runners.h"

// Result for one mutant.
struct row {
    const struct mut_mutant *m;
    uint64_t cases;            // programs that it got
    double seconds;            // CPU time until it was found or the programs ended
    bool killed;               // found
    uint64_t kills;            // programs that detect it; at most 1 unless mutbench.target is set
    enum judge_class how;      // when killed
    char by[300];              // the program that found it
    char text[300];            // the verdict: what differs
    uint32_t size;             // its size, if it is of an enumeration
    uint64_t sampled, applied; // modules tried; modules that it changed
    uint64_t ambiguous, skipped;
    uint64_t broken; // invalid modules of a transformation: a bug in tanglefuzz
    char first_broken[500];
};

struct mutbench {
    struct row *rows;
    uint32_t n, left; // left: not found yet
    struct spv_tools *tools;
    double shared; // CPU seconds for generating and predicting the programs so far
    uint64_t programs, unusable;
    const char *stop; // why it ended early; NULL: it did not
    uint32_t size;    // of the program that runs now, if it is of an enumeration
    // For --per-second: each program also runs on this target, and mutants stay in the list after
    // they are found. NULL: not wanted.
    struct run_target *target;
    uint32_t subgroup;     // of the target
    double driver_seconds; // in the target's calls, for the programs that were used
    // Called before each program: `done` of `all` are done.
    void (*tick)(struct mutbench *r, uint64_t done, uint64_t all);
    void *user; // belongs to the caller
};

// Runs generated programs, one per seed, until all mutants are found or `cases` have run.
void mutbench_generated(struct mutbench *r, const struct gen_options *g, uint64_t first,
                        uint64_t cases);
// Runs all programs up to a size (generator/enumerate/), the smallest first, until all mutants that
// such programs can detect are found: of the compute stage, then of the fragment stage. The
// subgroup size is that of `g`, or 8.
void mutbench_enumerated(struct mutbench *r, const struct gen_options *g, uint32_t size);
// Runs one program, with its input sets, against the mutants that are not found yet and that such
// programs can detect: compute programs with derivatives or images also those of MUT_ANY.
void mutbench_program(struct mutbench *r, struct arena *a, const struct spv_case *cases, uint32_t n,
                      uint32_t subgroup, enum mut_programs programs);
// Returns the options with which such programs are generated.
struct gen_options mutbench_options(const struct gen_options *g, enum mut_programs programs);
// Runs the cases of a folder. False with a message if one cannot be read.
bool mutbench_files(struct mutbench *r, const char *dir, struct err *e);

#endif
