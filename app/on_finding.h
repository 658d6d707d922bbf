// SPDX-License-Identifier: Apache-2.0
//
// --on-finding COMMAND: run for the first finding of each bucket, beside the campaign.
#ifndef TF_APP_ON_FINDING_H
#define TF_APP_ON_FINDING_H

#include "campaign/campaign.h"

enum { ON_FINDING_AT_ONCE = 8 };

struct on_finding {
    const char *command; // for /bin/sh; NULL: none
    struct arena arena;
    VEC(const char *) buckets; // told already
    long pid[ON_FINDING_AT_ONCE];
    uint32_t running;
};
#define OPT_ON_FINDING(member)                                                                     \
    OPT_TEXT("on-finding", 0, "COMMAND",                                                           \
             "run for the first finding of each bucket, whose folder is in\n"                      \
             "TANGLEFUZZ_FINDING (and _BUCKET, _CLASS, _TARGET)",                                  \
             member)

// One call at a time. Does not wait, unless many still run. The environment holds what is in the
// folder.
void on_finding_tell(struct on_finding *o, const struct campaign_found *f);
// Waits for all that still run.
void on_finding_end(struct on_finding *o);

#endif
