// SPDX-License-Identifier: Apache-2.0
//
// A process that has loaded a target's driver but created no device. It forks workers, so the
// worker after a crash does not have to load the driver again. Private to runners/.
//
// It creates no device because drivers start threads with a device (lavapipe: five), and a fork
// keeps only the calling thread. So after a crash of lavapipe 25.0 the new worker still needs 60 to
// 80 ms for the device, but saves the 93 ms for its libraries. The server starts after the first
// crash; a campaign without crashes has no fork server.
//
// What always holds: the server has one thread (if loading started more, forking is not safe and
// the server is not used). It has one worker at a time, and the worker dies with it. A worker that
// ended stays a zombie until the supervisor requests its reaping, so its process id is not reused.
#ifndef TF_RUNNERS_FORK_SERVER_H
#define TF_RUNNERS_FORK_SERVER_H

#include "wire.h"

#include <sys/types.h>

struct fork_server {
    pid_t pid;    // 0: none
    int fd;       // the connection, if the server runs
    bool refused; // this target cannot have a fork server
};

// The supervisor's side. The server's side is run_fork_server_main (runners.h).

// Makes a process that was just started load the driver of the target in `open` (a FRAME_OPEN), and
// waits for it. False, with `refused` set, if it is not ready within `seconds` of wall time or then
// has more than one thread.
bool fork_server_ready(struct fork_server *s, const struct wire_buf *open, double seconds);
// Forks a worker with these descriptors as its connection and its output. Returns its process id;
// -1 if the server is gone.
pid_t fork_server_fork(struct fork_server *s, int sock, int out);
// Waits up to `seconds` for the worker to end. True once it has ended or the server is gone.
bool fork_server_ended(struct fork_server *s, double seconds);
// Reaps the ended worker: its wait status, and its largest resident size in bytes. False if the
// server is gone.
bool fork_server_reap(struct fork_server *s, int *status, size_t *peak);

#endif
