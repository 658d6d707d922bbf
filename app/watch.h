// SPDX-License-Identifier: Apache-2.0
//
// Runs a command again after every change of its files.
#ifndef TF_APP_WATCH_H
#define TF_APP_WATCH_H

#include "args.h"

// Runs `once` in a child process, again whenever a file changes in the folder of x->words[0] or in
// one of `folders`, except the file `out` (NULL: none). Ends when it is interrupted; returns
// STATUS_BAD if no process can be started.
int watch_folders(struct context *x, const char *const *folders, uint32_t count, const char *out,
                  int (*once)(struct context *x, const void *user), const void *user);

#endif
