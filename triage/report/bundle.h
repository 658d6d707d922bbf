// SPDX-License-Identifier: Apache-2.0
//
// Private to triage/: the parts of a bundle.
#ifndef TF_REPORT_BUNDLE_H
#define TF_REPORT_BUNDLE_H

#include "report.h"

// The case as an Amber script; without EXPECT when `expected` is NULL.
bool bundle_amber(struct spv_tools *tools, const struct spv_case *c,
                  const struct spv_memory *expected, struct text *t, struct err *e);
void bundle_readme(const struct report_view *w, enum report_form form, struct text *t);

#endif
