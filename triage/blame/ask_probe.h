// SPDX-License-Identifier: Apache-2.0
//
// What a reduced case is about: the operation at the first wrong place, the tangle, or neither.
#ifndef TF_BLAME_ASK_PROBE_H
#define TF_BLAME_ASK_PROBE_H

#include "ask.h"
#include "manner.h"

// Asks the target about the case with other operations in the place of the wrong one (`v`).
// *manner as blame_signature_probed takes it.
enum blame_what probe_ask(struct ask *k, struct arena *a, const struct spv_case *c,
                          const struct judge_verdict *v, char manner[MANNER_MAX]);

// An operation alone is to blame (`blame` of probe_ask): which one of its kind is wrong by itself,
// the plainest. False where none is: then it is wrong only where it stands.
bool probe_alone(struct ask *k, struct arena *a, const struct spv_case *c,
                 const struct judge_verdict *v, enum blame_what blame, char op[64], char place[16]);
// The first operation in the order of execution whose result is wrong when it is stored right
// after it; *out, in `a`, is the case that does so. False where there is none, or where the case
// shows that operation's result as it is. For machines: what a compiler does changes with a store.
bool probe_earlier(struct ask *k, struct arena *a, const struct spv_case *c,
                   const struct judge_verdict *v, struct spv_case *out);
// A machine that hangs, or says that its barrier was not reached together, is wrong about a ballot
// in the barrier's place: *out, in `a`, is the case that stores it. False where that is not so.
bool probe_barrier(struct ask *k, struct arena *a, const struct spv_case *c,
                   const struct run_result *r, struct spv_case *out);
// A compiler that makes a branch's condition one for all does so to the condition as a value too:
// *out, in `a`, is the case that stores it and does not branch. False where that is not so: then
// the branch is what matters.
bool probe_condition(struct ask *k, struct arena *a, const struct spv_case *c,
                     const struct run_result *r, struct spv_case *out);

#endif
