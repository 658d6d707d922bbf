// SPDX-License-Identifier: Apache-2.0
//
// Bugs that were found, on other targets: buckets of a campaign, folders of findings or bundles, or
// cases, each with the target that it was found on where that is told.
#ifndef TF_CAMPAIGN_RECHECK_H
#define TF_CAMPAIGN_RECHECK_H

#include "report/checks.h"

struct recheck_case {
    const char *name, *file;
    const char *target; // that it was found on; NULL: not told
};
struct recheck_list {
    struct recheck_case *v;
    size_t n, cap;
};
// What a folder or file holds: of a campaign the best finding of each bucket, under the bucket's
// name; of a finding its smallest reduction. A file `known` in a folder of cases (knownfails.h)
// tells their targets. False with a line: nothing there.
bool recheck_read(struct arena *a, const char *word, struct recheck_list *out, struct err *e);

#define RECHECK_PASSES "{passes}" // in a target: the passes of the one that a case was found on

struct recheck_options {
    const char *const *targets; // as given; none: each case on its own
    uint32_t target_count;
    const char *self;
    struct run_options run;
    uint32_t runs;
};
// Runs them all, target by target; `tick` before each: false ends it. In `a`. False with a line: a
// target cannot be opened.
bool recheck_run(struct arena *a, struct spv_tools *tools, const struct recheck_list *list,
                 const struct recheck_options *o, bool (*tick)(void *user, uint32_t done),
                 void *user, struct report_checks *out, struct err *e);

#endif
