// SPDX-License-Identifier: Apache-2.0
//
// A bucket with everything that can be shown of it.
#ifndef TF_REPORT_VIEW_PROOF_H
#define TF_REPORT_VIEW_PROOF_H

#include "report.h"

// report_view_load, and what the oracle says: pictures of the subgroup of the first wrong place,
// proofs. All in `a`.
void report_view(struct spv_tools *tools, struct arena *a, const char *dir,
                 const struct store_bucket *b, struct report_view *out);

#endif
