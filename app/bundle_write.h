// SPDX-License-Identifier: Apache-2.0
//
// Writes the bundle of a bucket and prints where it is, for `report` and `bundle`.
#ifndef TF_APP_BUNDLE_WRITE_H
#define TF_APP_BUNDLE_WRITE_H

#include "lookup.h"

struct bundle_given {
    const char *form;   // NULL: that of the target's project
    const char *target; // of the finding, with the machine's folders; NULL: not named
    bool alone;         // the case is not run on other targets
    const char *to;     // the folder to write; its parent exists
};
// Returns an exit status, after a message if it is STATUS_BAD.
int bundle_write(struct context *x, const struct looked *found, const struct bundle_given *g);

#endif
