// SPDX-License-Identifier: Apache-2.0
//
// How far a command of others may reach: its files by bubblewrap, where the machine has it and its
// kernel lets it; what it takes by looking at it while it runs. Private to runners/.
#ifndef TF_RUNNERS_CONTAIN_H
#define TF_RUNNERS_CONTAIN_H

#include "backend.h"

#include <sys/types.h>

enum { CONTAIN_PROCESSES = 256, CONTAIN_FILES = 4096 };
#define CONTAIN_MEMORY ((size_t)8 << 30) // where nobody says less
#define CONTAIN_DISK   ((size_t)1 << 30)

// Has the worker contained, with all that it starts: all files can be read, those of a folder in
// memory alone can be written, which goes with it; no network, no process but its own. Nothing is
// changed where that cannot be had (run_contained).
void contain_plan(struct arena *a, struct run_plan *plan);
// Bytes of memory of a process and its descendants that are their own.
size_t contain_memory(pid_t pid);
// What they have had of processors, and what those that they have waited for had; and how long
// their threads could have run and did not, all in one (0 where the kernel does not say). In
// seconds.
struct contain_processors {
    double used, lacked;
};
struct contain_processors contain_processors(pid_t pid);
// Has a command with these descendants, and with this folder, taken more than it may? The line says
// what. *status: what the result is then.
bool contain_look(pid_t pid, const char *folder, size_t memory, char *line, size_t size,
                  enum run_status *status);

#endif
