// SPDX-License-Identifier: Apache-2.0
//
// Private to triage/: what finding.c writes and finding_text.c words.
#ifndef TF_TRIAGE_FINDING_H
#define TF_TRIAGE_FINDING_H

#include "triage.h"

// The class it counts as: TRI_FLAKY, or its verdict's.
enum tri_class tri_finding_class(const struct tri_finding *f);
// The text of README.md.
void tri_finding_readme(const char *name, const struct tri_finding *f, struct text *out);

#endif
