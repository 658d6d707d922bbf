// SPDX-License-Identifier: Apache-2.0
//
// Runs a campaign on a terminal, for fuzz and ci.
#ifndef TF_APP_FUZZ_RUN_H
#define TF_APP_FUZZ_RUN_H

#include "app.h"
#include "campaign/campaign.h"

struct fuzz_how {
    bool json;              // findings as JSON lines
    const char *on_finding; // command for the first finding of each bucket; NULL: none
    // Called for each finding, if not NULL; `user` belongs to the caller.
    void (*found)(void *user, const struct campaign_found *f);
    void *user;
};
// Runs the campaign to its end: prints each finding, a status line, and bugs in tanglefuzz. Ends it
// on ctrl-C, and if the reader of standard output has closed it (*gone). False with a message in
// x->e, as campaign_run.
bool fuzz_run(struct context *x, struct campaign *c, const struct fuzz_how *how,
              struct campaign_stats *s, bool *gone);

#endif
