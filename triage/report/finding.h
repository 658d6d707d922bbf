// SPDX-License-Identifier: Apache-2.0
//
// Private to triage/report: shared by finding.c and finding_text.c.
#ifndef TF_REPORT_FINDING_H
#define TF_REPORT_FINDING_H

#include "report.h"

// Adds the text of README.md.
void report_finding_readme(const char *name, const struct finding_evidence *v,
                           const struct finding *f, struct text *out);

static inline bool has_backtrace(const struct finding_evidence *f)
{
    return f->backtrace && f->backtrace[0];
}

#endif
