// SPDX-License-Identifier: Apache-2.0
//
// What a reduced case is about: the operation at the first wrong place, the tangle, or neither.
#ifndef TF_DIAGNOSE_ASK_PROBE_H
#define TF_DIAGNOSE_ASK_PROBE_H

#include "ask.h"
#include "manner.h"

// Asks the target about the case with other operations in the place of the wrong one (`v`).
// *manner is what diag_signature_probed takes.
enum diag_what probe_ask(struct ask *k, struct arena *a, const struct spv_case *c,
                         const struct judge_verdict *v, struct diag_manner *manner);

// An operation alone is to blame (`blame` of probe_ask): which one of its kind is wrong by itself,
// the plainest, *alone. False where none is: then it is wrong only where it stands.
bool probe_alone(struct ask *k, struct arena *a, const struct spv_case *c,
                 const struct judge_verdict *v, enum diag_what blame, struct diag_alone *alone);
// The first operation in the order of execution whose result is wrong when it is stored right
// after it; *out, in `a`, is the case that does so. False where there is none, or where the case
// shows that operation's result as it is. For machines, as what a compiler does changes with a
// store; of a compiler where it decides who comes by, and what it does (`was`: its module) stays
// the same.
bool probe_earlier(struct ask *k, struct arena *a, const struct spv_case *c,
                   const struct judge_verdict *v, const struct run_result *was,
                   struct spv_case *out);
// Is the first wrong word an operation's result as it is, which is executed as often as it must be?
// Then that nothing, or something, is written there is the value's doing, and nobody went astray.
bool probe_value(struct ask *k, struct arena *a, const struct spv_case *c,
                 const struct judge_verdict *v);
// A machine that hangs, or ends, at a barrier is wrong about a ballot in the barrier's place: *out,
// in `a`, is the case that stores it. False where that is not so.
bool probe_barrier(struct ask *k, struct arena *a, const struct spv_case *c, struct spv_case *out);
// A compiler that makes a branch's condition one for all does so to the condition as a value too:
// *out, in `a`, is the case that stores it and does not branch. False where that is not so: then
// the branch is what matters.
bool probe_condition(struct ask *k, struct arena *a, const struct spv_case *c,
                     const struct run_result *r, struct spv_case *out);

#endif
