// SPDX-License-Identifier: Apache-2.0
//
// Mutants: simulated miscompilers and faulty devices, to measure what our programs detect.
//
// A mutant is either a *transformation*, which turns a valid module into another valid module like
// a faulty compiler would, or an *injected fault*, the oracle with one rule broken, which
// represents a faulty device. Both preserve the semantics of a single invocation, but not which
// invocations are converged where (tests/test_mutants.c lists the exceptions).
#ifndef TF_MUTANTS_H
#define TF_MUTANTS_H

#include "base/base.h"
#include "oracle/oracle.h"
#include "runners/runners.h"
#include "spirv/spirv.h"

enum mut_kind { MUT_TRANSFORMATION, MUT_FAULT };

// The programs that can detect the mutant.
enum mut_programs { MUT_ANY, MUT_DERIVATIVES, MUT_FRAGMENTS, MUT_IMAGES, MUT_PROGRAMS };

struct ir; // selftest/mutants/ir.h

struct mut_mutant {
    const char *name;    // letters and hyphens; describes what it does
    const char *classes; // bug classes of the taxonomy, for example "T1" or "T5 T13"
    const char *line;    // one line: what it does
    enum mut_kind kind;
    // MUT_TRANSFORMATION: changes the module in all applicable places, and returns their number.
    uint32_t (*edit)(struct ir *m);
    enum orc_fault fault; // MUT_FAULT
    enum mut_programs detected_by;
};

// Returns the number of mutants; *out: the table.
uint32_t mut_all(const struct mut_mutant **out);
const struct mut_mutant *mut_find(const char *name); // NULL if the name is unknown

// Applies a mutant that is a MUT_TRANSFORMATION to a module that spirv-val accepts. Returns the
// number of changed places; *out: the new module, in `a`. Returns 0 with the input words in *out if
// nothing changed or if they cannot be read.
uint32_t mut_compile(struct arena *a, const struct mut_mutant *m, const uint32_t *words,
                     size_t count, const uint32_t **out, size_t *out_count);
// Runs a case with the injected fault of a MUT_FAULT mutant: orc_run on the mask machine, with the
// other options of `o` (NULL: defaults).
void mut_run(struct orc_program *p, struct arena *a, const struct mut_mutant *m,
             const struct spv_case *c, uint32_t subgroup, const struct orc_options *o,
             struct orc_result *out);

// The backend "mutant:NAME", for run_own_add.
extern const struct run_own mut_backend;

#endif
