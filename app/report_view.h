// SPDX-License-Identifier: Apache-2.0
//
// A bucket with everything that can be shown of it.
#ifndef TF_APP_REPORT_VIEW_H
#define TF_APP_REPORT_VIEW_H

#include "triage/triage.h"

// tri_view_load, and what the oracle says: pictures of the subgroup of the first wrong place,
// proofs. All in `a`.
void report_view(struct spv_tools *tools, struct arena *a, const char *dir,
                 const struct tri_bucket *b, struct tri_view *out);

#endif
