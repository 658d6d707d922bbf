// SPDX-License-Identifier: Apache-2.0
//
// Private to triage/: what finding.c writes and finding_text.c words.
#ifndef TF_REPORT_FINDING_H
#define TF_REPORT_FINDING_H

#include "report.h"

// The text of README.md.
void report_finding_readme(const char *name, const struct finding_evidence *v,
                           const struct finding *f, struct text *out);

// It has one that is not empty.
static inline bool has_backtrace(const struct finding_evidence *f)
{
    return f->backtrace && f->backtrace[0];
}

#endif
