// SPDX-License-Identifier: Apache-2.0
//
// mutants: wrong compilers and wrong machines, to measure what our programs can tell.
//
// A mutant is of one of two kinds: a *transformation*, which makes of a valid module
// another valid one as a wrong compiler would; or a *fault*, the oracle with one rule
// broken, which stands for a wrong device. Each is right about single invocations, and
// wrong about who is together where (the few that are not say so).
#ifndef TF_MUTANTS_H
#define TF_MUTANTS_H

#include "base/base.h"
#include "oracle/oracle.h"
#include "runners/runners.h"
#include "spirv/spirv.h"

enum mut_kind { MUT_TRANSFORMATION, MUT_FAULT };

// Which programs can tell.
enum mut_programs { MUT_ANY, MUT_DERIVATIVES, MUT_FRAGMENTS, MUT_IMAGES, MUT_PROGRAMS };

struct ir; // selftest/mutants/ir.h

struct mut_mutant {
    const char *name;    // letters and hyphens, after what it does
    const char *classes; // of the taxonomy, "T1", "T5 T13"
    const char *line;    // what it does, one line
    enum mut_kind kind;
    // MUT_TRANSFORMATION: changes the module in all places where it would; returns how many.
    uint32_t (*edit)(struct ir *m);
    enum orc_fault fault; // MUT_FAULT
    enum mut_programs told_by;
};

// The table, and its length.
uint32_t mut_all(const struct mut_mutant **out);
const struct mut_mutant *mut_find(const char *name); // NULL when there is none

// A transformation's module, in `a`; the given words where it found nothing to change.
// Returns in how many places it changed something. Any words that spirv-val takes; where
// they cannot be read, 0 and the words as given.
uint32_t mut_compile(struct arena *a, const struct mut_mutant *m, const uint32_t *words,
                     size_t count, const uint32_t **out, size_t *out_count);
// What a broken machine leaves in memory. As orc_run, with the mask machine.
void mut_run(struct orc_program *p, struct arena *a, const struct mut_mutant *m,
             const struct spv_case *c, uint32_t subgroup, const struct orc_options *o,
             struct orc_result *out);

// The backend "mutant:NAME" for run_own_add.
extern const struct run_own mut_backend;

#endif
