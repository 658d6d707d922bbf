// SPDX-License-Identifier: Apache-2.0
//
// Runs known findings on other targets: buckets of a campaign, folders of findings or bundles, or
// cases, each with its original target if that is recorded.
#ifndef TF_CAMPAIGN_RECHECK_H
#define TF_CAMPAIGN_RECHECK_H

#include "report/checks.h"

struct recheck_case {
    const char *name, *file;
    const char *target; // on which it was found; NULL: not recorded
};
struct recheck_list {
    struct recheck_case *v;
    size_t n, cap;
};
// Adds the findings in a folder or file to `out`: of a campaign the best finding of each bucket,
// named after the bucket; of a finding its smallest reduction. A file `known` in a folder of cases
// (knownfails.h) records their targets. False with a message if there are none.
bool recheck_read(struct arena *a, const char *word, struct recheck_list *out, struct err *e);

#define RECHECK_PASSES "{passes}" // in a target: replaced by the passes of a finding's own target

struct recheck_options {
    const char *const *targets; // as given; none: each finding's own
    uint32_t target_count;
    const char *self;
    struct run_options run;
    uint32_t runs;
};
// Runs all findings, target by target; calls `tick` before each, which returns false to end.
// Results are in `a`. False with a message if a target cannot be opened.
bool recheck_run(struct arena *a, struct spv_tools *tools, const struct recheck_list *list,
                 const struct recheck_options *o, bool (*tick)(void *user, uint32_t done),
                 void *user, struct report_checks *out, struct err *e);

// Writes the results into the records of findings (finding_version_add); cases without a record are
// left out. *n: how many findings. False with a message: a record cannot be written.
bool recheck_remember(struct arena *a, const struct report_checks *c, uint32_t *n, struct err *e);

#endif
