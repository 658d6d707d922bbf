// SPDX-License-Identifier: Apache-2.0
//
// In which manner a tangle is wrong: who is missing from it or too many in it, and where the
// rules have those lanes at that time.
#ifndef TF_DIAGNOSE_MANNER_H
#define TF_DIAGNOSE_MANNER_H

#include "diagnose/diagnose.h"
#include "oracle/oracle.h"

// `c`: a case whose ballot of true `ballot` is stored to memory; `e`, `o`: memory expected and
// observed. Which lanes are too many or missing in the tangles that they show; no lanes where it
// cannot be said.
struct diag_manner manner_of(const struct spv_case *c, uint32_t ballot, const struct spv_memory *e,
                             const struct spv_memory *o);
// Is operation `id` executed by all invocations of a subgroup each time (DIAG_WHOLE)?
enum diag_where manner_of_place(const struct spv_case *c, uint32_t id);

// The group operations that the oracle's run of the case executes, by result id, in the order of
// their first execution; at most `max`. Returns how many.
uint32_t manner_order(const struct spv_case *c, uint32_t *ids, uint32_t max);

#endif
