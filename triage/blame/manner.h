// SPDX-License-Identifier: Apache-2.0
//
// In which manner a tangle is wrong: who is missing from it or too many in it, and where the
// rules have those lanes at that time.
#ifndef TF_BLAME_MANNER_H
#define TF_BLAME_MANNER_H

#include "blame/blame.h"
#include "oracle/oracle.h"

enum { MANNER_MAX = 64 };

// `c`: a case whose ballot of true `ballot` is stored to memory; `e`, `o`: memory expected and
// observed. *out: "extra: M4" (lanes that wait at a continue target are counted), "missing:
// parts D1" (lanes that a later branch parts), "" where it cannot be said.
void manner_of(const struct spv_case *c, uint32_t ballot, const struct spv_memory *e,
               const struct spv_memory *o, char out[MANNER_MAX]);
// "whole" when operation `id` is executed by all invocations of a subgroup each time, else "part".
void manner_of_place(const struct spv_case *c, uint32_t id, char out[MANNER_MAX]);

// The group operations that the oracle's run of the case executes, by result id, in the order of
// their first execution; at most `max`. Returns how many.
uint32_t manner_order(const struct spv_case *c, uint32_t *ids, uint32_t max);

#endif
