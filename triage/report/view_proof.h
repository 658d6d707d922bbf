// SPDX-License-Identifier: Apache-2.0
//
// A bucket with pictures and proofs.
#ifndef TF_REPORT_VIEW_PROOF_H
#define TF_REPORT_VIEW_PROOF_H

#include "report.h"

// Calls report_view_load, then runs the oracle for pictures of the subgroup of the first wrong
// place and for proofs. All results are in `a`.
void report_view(struct spv_tools *tools, struct arena *a, const char *dir,
                 const struct store_bucket *b, struct report_view *out);

#endif
