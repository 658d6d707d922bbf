// SPDX-License-Identifier: Apache-2.0
//
// Private to triage/: what finding.c writes and finding_text.c words.
#ifndef TF_REPORT_FINDING_H
#define TF_REPORT_FINDING_H

#include "report.h"

// The class it counts as: JUDGE_FLAKY, or its verdict's.
enum judge_class report_finding_class(const struct report_finding *f);
// The reason of a finding, and as JSON.
void report_finding_reason(struct arena *a, const struct report_finding *f,
                           struct report_reason *out);
struct json_t *report_reason_json(const struct report_reason *r);
// The same of where machine code goes wrong.
void report_finding_code(struct arena *a, const struct report_finding *f, struct report_code *out);
struct json_t *report_code_json(const struct report_code *c);
// The text of README.md.
void report_finding_readme(const char *name, const struct report_finding *f, struct text *out);

// It has one that is not empty.
static inline bool has_backtrace(const struct report_finding *f)
{
    return f->backtrace && f->backtrace[0];
}

#endif
