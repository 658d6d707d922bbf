// SPDX-License-Identifier: Apache-2.0
//
// Cross-checks a finding's case: runs it on its own target, for version and driver text, and on
// every other available target.
#ifndef TF_CAMPAIGN_CROSS_CHECK_H
#define TF_CAMPAIGN_CROSS_CHECK_H

#include "report/report.h"

// For a case that is valid and defined (w->proof), fills the view's `version`, `target_output` and
// `cross_check` (report.h). Skips the finding's own target if a folder may not choose it
// (run_harmless). `others`: runs also every target of run_list once; targets that cannot run the
// case, or whose result cannot be judged, are omitted. An interrupt ends it.
void cross_check_finding(struct arena *a, struct spv_tools *tools, const char *self, bool others,
                         struct report_view *w);

#endif
