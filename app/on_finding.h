// SPDX-License-Identifier: Apache-2.0
//
// --on-finding COMMAND: runs a command for the first finding of each bucket, in parallel to the
// campaign.
#ifndef TF_APP_ON_FINDING_H
#define TF_APP_ON_FINDING_H

#include "campaign/campaign.h"

enum { ON_FINDING_AT_ONCE = 8 };

struct on_finding {
    const char *command; // run by /bin/sh; NULL: none
    struct arena arena;
    VEC(const char *) buckets; // for which the command was started
    long pid[ON_FINDING_AT_ONCE];
    uint32_t running;
};
#define OPT_ON_FINDING(member)                                                                     \
    OPT_TEXT("on-finding", 0, "COMMAND",                                                           \
             "command to run for the first finding of each bucket; its folder is in\n"             \
             "TANGLEFUZZ_FINDING (see also _TITLE, _BUCKET, _CLASS, _TARGET)",                     \
             member)

// Starts the command if the finding is the first of its bucket. Does not wait, unless
// ON_FINDING_AT_ONCE commands are running. The environment holds the finding's folder, title,
// bucket, class and target. Not thread-safe.
void on_finding_start(struct on_finding *o, const struct campaign_found *f);
// Waits for all commands that still run.
void on_finding_end(struct on_finding *o);

#endif
