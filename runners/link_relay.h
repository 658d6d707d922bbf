// SPDX-License-Identifier: Apache-2.0
#ifndef TF_RUNNERS_LINK_RELAY_H
#define TF_RUNNERS_LINK_RELAY_H

#include "link_process.h"

// What to do with the answers of a device program.
struct link_use {
    enum run_form form; // of its results; RUN_FORM_NONE: it only compiles
    // Changes the properties that the supervisor learns. False with a line: the device cannot be
    // used. NULL: none.
    bool (*ready)(void *user, struct run_info *info, struct err *e);
    // Changes the result of a case of the job, in `a`. NULL: passed on.
    void (*result)(void *user, struct arena *a, const struct run_job *job, const struct spv_case *c,
                   struct run_result *x);
    void *user;
};

// Serves the supervisor's connection `fd` until it ends, by a device program at the end of the link
// that `words` name (link_start). `in`: bytes that were already read from `fd`. Returns the exit
// status.
int link_relay(int fd, const struct wire_buf *in, char *const *words, const struct link_open *open,
               const struct link_use *use);

#endif
