// SPDX-License-Identifier: Apache-2.0
//
// What a reduced case is about: the operation at the first wrong place, the tangle, or neither.
#ifndef TF_APP_REDUCE_PROBE_H
#define TF_APP_REDUCE_PROBE_H

#include "manner.h"
#include "reduce_ask.h"

// Asks the target about the case with other operations in the place of the wrong one (`v`).
// *manner as tri_signature_probed takes it.
enum tri_blame probe_ask(struct ask *k, struct arena *a, const struct spv_case *c,
                         const struct tri_verdict *v, char manner[MANNER_MAX]);

#endif
