// SPDX-License-Identifier: Apache-2.0
//
// Decides whether a process may be forked again and again, each fork as if it were the first.
// Private to runners/.
#ifndef TF_RUNNERS_FORK_SAFETY_H
#define TF_RUNNERS_FORK_SAFETY_H

#include "base/base.h"

// True if the process has one thread, which is all that a fork keeps.
bool fork_keeps_threads(void);
// True if forks share nothing that one of them could change for the next: the process has one
// thread, no child process, no writable shared mapping, and after descriptor `last` no open file
// but empty files in memory and devices without state (/dev/null and similar).
bool fork_is_safe(int last);
// In a fork of such a process: replaces each empty file in memory by a new one. False on failure.
bool fork_renew_files(int last);

#endif
