// SPDX-License-Identifier: Apache-2.0
//
// Targets as a command is given them: `--target`, as often as needed, and files.
#ifndef TF_APP_TARGETLIST_H
#define TF_APP_TARGETLIST_H

#include "args.h"

// The texts of `given`, then those of the file (NULL: none): one a line, "#" starts a comment
// line. At most `max`, each once. False with a line that names the file's line.
bool targetlist_read(struct arena *a, const struct arg_texts *given, const char *file, uint32_t max,
                     const char ***out, uint32_t *n, struct err *e);

#define TARGETS_OPTION(file)                                                                       \
    OPT_TEXT("targets", 0, "FILE", "more targets: one a line, # for comments", file)

#endif
