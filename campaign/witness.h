// SPDX-License-Identifier: Apache-2.0
//
// A finding's case now: its own target again, for its version and its own words, and every other
// target that is here, for who agrees.
#ifndef TF_CAMPAIGN_WITNESS_H
#define TF_CAMPAIGN_WITNESS_H

#include "report/report.h"

// Of a case that is valid and defined (w->proof) fills the view's `version`, `subject_text` and
// `witnesses` (report.h). The finding's own target is not asked where a folder may not choose it
// (run_harmless). `others`: also every target that run_list names, once each; one that cannot run
// the case, or of which nobody can judge, is left out. An interrupt ends it.
void witness_ask(struct arena *a, struct spv_tools *tools, const char *self, bool others,
                 struct report_view *w);

#endif
