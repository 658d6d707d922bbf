// SPDX-License-Identifier: Apache-2.0
//
// Targets as a command is given them: `--target`, as often as needed, and files.
#ifndef TF_CAMPAIGN_TARGETLIST_H
#define TF_CAMPAIGN_TARGETLIST_H

#include "base/base.h"

// The `count` texts of `given`, then those of the file (NULL: none): one a line, "#" starts a
// comment line. At most `max`, each once. False with a line that names the file's line.
bool targetlist_read(struct arena *a, const char *const *given, uint32_t count, const char *file,
                     uint32_t max, const char ***out, uint32_t *n, struct err *e);

#endif
