// SPDX-License-Identifier: Apache-2.0
//
// A bug as arguments of a command: CAMPAIGN BUCKET, or a finding's folder.
#ifndef TF_APP_LOOKUP_H
#define TF_APP_LOOKUP_H

#include "app.h"

#include "store/store.h"

struct looked {
    const char *dir; // the folder of bucket->best is below it
    const struct store_bucket *bucket;
    const struct store_findings *others; // if one was chosen among several: the campaign's findings
};
// Finds the bug that x->words name:
//   CAMPAIGN BUCKET   a bucket, by its name or the name of one of its findings
//   CAMPAIGN          its only bucket; with `first` the first one of a report
//   FOLDER            of a finding, a reduced one or a bundle; then a bucket of this one
// False with a message.
bool lookup(struct context *x, bool first, struct looked *out);
// The same for a folder. `word` is kept, not copied.
bool lookup_folder(struct context *x, const char *word, struct looked *out);

#endif
