// SPDX-License-Identifier: Apache-2.0
//
// A campaign's findings reduced, and told about: for reduce and fuzz --reduce.
#ifndef TF_APP_REDUCE_ALL_H
#define TF_APP_REDUCE_ALL_H

#include "app.h"
#include "campaign/batch.h"

enum { REDUCE_PER_BUCKET = 3 };
#define REDUCE_SECONDS 300 // of one reduction

// Returns an enum exit_status: STATUS_BAD where none could be reduced.
int reduce_all(struct context *x, const struct batch_options *o, bool json);

#endif
