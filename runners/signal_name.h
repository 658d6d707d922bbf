// SPDX-License-Identifier: Apache-2.0
#ifndef TF_RUNNERS_SIGNAL_NAME_H
#define TF_RUNNERS_SIGNAL_NAME_H

// Returns a signal's name, "SIGSEGV"; NULL for a number without one here.
const char *signal_name(int s);

#endif
