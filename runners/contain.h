// SPDX-License-Identifier: Apache-2.0
//
// Contains external commands. bubblewrap restricts their files, if it is installed and the kernel
// allows it. Their use of resources is checked while they run. Private to runners/.
#ifndef TF_RUNNERS_CONTAIN_H
#define TF_RUNNERS_CONTAIN_H

#include "backend.h"

#include <sys/types.h>

enum { CONTAIN_PROCESSES = 256, CONTAIN_FILES = 4096 };
#define CONTAIN_MEMORY ((size_t)8 << 30) // default limit
#define CONTAIN_DISK   ((size_t)1 << 30)

// Contains the worker and its child processes: they can read all files, write only to an in-memory
// folder of their own, and see no network and no other process. Leaves the plan unchanged if that
// is not possible (run_contained).
void contain_plan(struct arena *a, struct run_plan *plan);
// Bytes of private memory of a process and its descendants.
size_t contain_memory(pid_t pid);
// Seconds of CPU time that these processes and the children they reaped used; and how long their
// threads were ready to run but did not, in total (0 if the kernel does not report it).
struct contain_processors {
    double used, lacked;
};
struct contain_processors contain_processors(pid_t pid);
struct contain_processors contain_own(void); // of this process
// True if a command with these descendants and this folder exceeded a limit. `line` reports which
// one. *status: the result in that case.
bool contain_look(pid_t pid, const char *folder, size_t memory, char *line, size_t size,
                  enum run_status *status);

#endif
