// SPDX-License-Identifier: Apache-2.0
//
// A process that has opened a target, or only loaded its driver. It forks workers, so the worker
// after a crash does not have to load the driver, or to create its device, again. Private to
// runners/.
//
// A server first tries to open the target, if its backend allows that (opens_ahead). Threads that
// the driver starts are held, and begin in each fork (held_threads.h). If the process could not be
// forked safely (fork_safety.h), or does not open the target in time, another server only loads the
// driver: without a device most drivers have no threads, no files and no shared memory. The server
// starts after the first crash; a campaign without crashes has no fork server.
//
// What always holds: the server has one thread. It has one worker at a time, and the worker dies
// with it. A worker that ended stays a zombie until the supervisor requests its reaping, so its
// process id is not reused.
#ifndef TF_RUNNERS_FORK_SERVER_H
#define TF_RUNNERS_FORK_SERVER_H

#include "wire.h"

#include <sys/types.h>

struct fork_server {
    pid_t pid;    // 0: none
    int fd;       // the connection, if the server runs
    bool refused; // this target cannot have a fork server
    bool ahead;   // it has opened the target, if its backend allows that
};

// The supervisor's side. The server's side is run_fork_server_main (runners.h).

// Makes a process that was just started open the target in `open` (a FRAME_OPEN), if `ahead` is
// set, else load its driver, and waits for it. False, with `refused` set, if it is not ready within
// `seconds` of wall time or cannot be forked safely.
bool fork_server_ready(struct fork_server *s, const struct wire_buf *open, bool ahead,
                       double seconds);
// Forks a worker with these descriptors as its connection and its output. Returns its process id;
// -1 if the server is gone.
pid_t fork_server_fork(struct fork_server *s, int sock, int out);
// Waits up to `seconds` for the worker to end. True once it has ended or the server is gone.
bool fork_server_ended(struct fork_server *s, double seconds);
// Reaps the ended worker: its wait status, and its largest resident size in bytes. False if the
// server is gone.
bool fork_server_reap(struct fork_server *s, int *status, size_t *peak);

#endif
