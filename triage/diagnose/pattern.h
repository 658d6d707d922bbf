// SPDX-License-Identifier: Apache-2.0
//
// How a tangle is wrong: which lanes are missing or extra, and where the rules place those lanes at
// that time.
#ifndef TF_DIAGNOSE_PATTERN_H
#define TF_DIAGNOSE_PATTERN_H

#include "diagnose/diagnose.h"
#include "oracle/oracle.h"

// Classifies the missing and extra lanes of a case that stores its ballot of true, `ballot`, to
// memory. `e`, `o`: memory expected and observed. All zeroes if no tangle matches the wrong word.
struct diag_pattern pattern_of(const struct spv_case *c, uint32_t ballot,
                               const struct spv_memory *e, const struct spv_memory *o);
// Returns DIAG_WHOLE if all live invocations of the subgroup execute operation `id` each time, else
// DIAG_PART.
enum diag_where pattern_of_place(const struct spv_case *c, uint32_t id);

// Lists the group operations that the oracle executes for the case, by result id, in the order of
// their first execution; at most `max`. Returns their number.
uint32_t pattern_order(const struct spv_case *c, uint32_t *ids, uint32_t max);

#endif
