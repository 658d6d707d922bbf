// SPDX-License-Identifier: Apache-2.0
//
// What a driver or compiler tells of a case, for a finding that is kept.
#ifndef TF_CAMPAIGN_TOLD_H
#define TF_CAMPAIGN_TOLD_H

#include "diagnose/facts.h"
#include "judge/judge.h"

#include <stdatomic.h>

// Runs the case on a target that is opened for it, with `o`. False where it cannot be, or *stop
// ends it (NULL: nothing does). All in `a`.
bool told_ask(struct arena *a, const char *spec, const char *self, const struct run_options *o,
              const struct spv_case *c, const atomic_bool *stop, struct run_result *out);

// Where the verdict's first wrong word comes from in r->driver_text; NULL: not told.
const struct run_origin *told_origin(const struct spv_case *c, const struct judge_verdict *v,
                                     const struct run_result *r);

// Of machine code that is wrong, by some schedule or by all: which stage is the first that is
// wrong. The driver's intermediate code is run on the same case. UNKNOWN where the target has none
// that is known here, or it gives no memory.
enum diag_stage told_stage(struct arena *a, const char *spec, const char *self,
                           const struct run_options *o, const struct spv_case *c,
                           enum judge_class klass, const struct spv_memory *expected,
                           const atomic_bool *stop);

#endif
