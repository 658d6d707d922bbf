// SPDX-License-Identifier: Apache-2.0
//
// Asks a driver or compiler about a case, for the finding's folder.
#ifndef TF_CAMPAIGN_DRIVER_TEXT_H
#define TF_CAMPAIGN_DRIVER_TEXT_H

#include "diagnose/facts.h"
#include "judge/judge.h"

#include <stdatomic.h>

// Opens the target with `o` and runs the case. False if it cannot be opened, or if *stop ends the
// run (NULL: nothing does). Results are in `a`.
bool driver_ask(struct arena *a, const char *spec, const char *self, const struct run_options *o,
                const struct spv_case *c, const atomic_bool *stop, struct run_result *out);

// Returns the place in r->driver_text that produced the verdict's first wrong word; NULL: not
// known.
const struct run_origin *word_origin(const struct spv_case *c, const struct judge_verdict *v,
                                     const struct run_result *r);

// Returns the first wrong stage of a target whose machine code is executed here and is wrong: runs
// the driver's intermediate code on the same case. UNKNOWN if the target has no such code that can
// be executed, or it yields no memory.
enum diag_stage locate_stage(struct arena *a, const char *spec, const char *self,
                             const struct run_options *o, const struct spv_case *c,
                             enum judge_class klass, const struct spv_memory *expected,
                             const atomic_bool *stop);

#endif
