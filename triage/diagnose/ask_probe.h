// SPDX-License-Identifier: Apache-2.0
//
// What a reduced case is about: the operation at the first wrong word, the tangle, or neither.
#ifndef TF_DIAGNOSE_ASK_PROBE_H
#define TF_DIAGNOSE_ASK_PROBE_H

#include "ask.h"
#include "pattern.h"

// Runs the target on the case with other operations in place of the wrong one (`v`). The last
// parameter receives what diag_signature_probed takes.
enum diag_what probe_ask(struct ask *k, struct arena *a, const struct spv_case *c,
                         const struct judge_verdict *v, struct diag_pattern *pattern);

// For a fault of one operation (see probe_ask), finds the plainest operation of
// its kind that fails by itself, *alone. False if none does: then it fails only in its place.
bool probe_alone(struct ask *k, struct arena *a, const struct spv_case *c,
                 const struct judge_verdict *v, enum diag_what at_fault, struct diag_alone *alone);
// Finds the first operation, in execution order, whose result is wrong if it is stored right after
// it; *out, in `a`, is the case that does so. False if there is none, or if the case already shows
// that operation's result unchanged. Used for machines, since a store changes what a compiler does.
// Used for a compiler only if an operation decides which lanes reach a store, and if the compiler
// makes the same change as in its run `was`.
bool probe_earlier(struct ask *k, struct arena *a, const struct spv_case *c,
                   const struct judge_verdict *v, const struct run_result *was,
                   struct spv_case *out);
// Reports whether the first wrong word is an operation's unchanged result, and the operation is
// executed as often as it must be. Then a missing or an unwanted word there comes from the value,
// and no lane took a wrong path.
bool probe_value(struct ask *k, struct arena *a, const struct spv_case *c,
                 const struct judge_verdict *v);
// Finds out whether a machine that hangs or crashes at a barrier is also wrong about a ballot in
// place of the barrier: *out, in `a`, is the case that stores the ballot. False otherwise.
bool probe_barrier(struct ask *k, struct arena *a, const struct spv_case *c, struct spv_case *out);
// Finds out whether a compiler that makes a branch condition uniform also does so where the
// condition is only a value: *out, in `a`, is the case that stores it and does not branch. False
// otherwise: then the branch matters.
bool probe_condition(struct ask *k, struct arena *a, const struct spv_case *c,
                     const struct run_result *r, struct spv_case *out);

#endif
