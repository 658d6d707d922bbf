// SPDX-License-Identifier: Apache-2.0
#ifndef TF_RUNNERS_LINK_RELAY_H
#define TF_RUNNERS_LINK_RELAY_H

#include "link_process.h"

// Serves the supervisor's connection `fd` until it ends, by a device program at the end of the link
// that `words` name (link_start). `in`: bytes that were already read from `fd`. Returns the exit
// status.
int link_relay(int fd, const struct wire_buf *in, char *const *words, const struct link_open *open);

#endif
