// SPDX-License-Identifier: Apache-2.0
//
// Reads the targets of a command: each --target, and a file of targets.
#ifndef TF_CAMPAIGN_TARGETLIST_H
#define TF_CAMPAIGN_TARGETLIST_H

#include "base/base.h"

// Collects the `count` texts of `given`, then those of the file (NULL: none): one per line, "#"
// starts a comment line. At most `max`, each once. False with a message that names the file.
bool targetlist_read(struct arena *a, const char *const *given, uint32_t count, const char *file,
                     uint32_t max, const char ***out, uint32_t *n, struct err *e);

#endif
