// SPDX-License-Identifier: Apache-2.0
//
// What fuzz prints before and after a campaign.
#ifndef TF_APP_FUZZ_REPORT_H
#define TF_APP_FUZZ_REPORT_H

#include "app.h"
#include "campaign/campaign.h"

void fuzz_print_head(const struct campaign *c);
void fuzz_print_summary(const struct campaign *c, const struct campaign_stats *s);
// Returns the exit status for a campaign's figures, and prints an error if nothing was compared.
int fuzz_outcome(const struct context *x, const struct campaign *c, const struct campaign_stats *s);

#endif
