// SPDX-License-Identifier: Apache-2.0
//
// Reduces a campaign's findings and prints the progress, for reduce and fuzz --reduce.
#ifndef TF_APP_REDUCE_ALL_H
#define TF_APP_REDUCE_ALL_H

#include "app.h"
#include "campaign/batch.h"

enum { REDUCE_PER_BUCKET = 3 };
#define REDUCE_SECONDS 300 // time limit of one reduction

// Returns an enum exit_status: STATUS_BAD if none could be reduced.
int reduce_all(struct context *x, const struct batch_options *o, bool json);

#endif
