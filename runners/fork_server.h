// SPDX-License-Identifier: Apache-2.0
//
// A process that has loaded a target's driver and made no device: it forks workers, so that the one
// after a crash does not load the driver again. Private to runners/.
//
// Why without a device: drivers start threads when a device is made (lavapipe: five), and a fork
// has only the thread that called it. So a crash of lavapipe 25.0 still costs the 60 to 80 ms of a
// device, but not the 93 ms of its libraries. Not tried before the first crash: a campaign without
// one has no fork server.
//
// What always holds: it has one thread (a process with more cannot be forked safely, and then there
// is no fork server); it has one worker at a time; a worker dies with it. A worker that has ended
// stays a zombie until the supervisor has it reaped, so that its process id is not reused.
#ifndef TF_RUNNERS_FORK_SERVER_H
#define TF_RUNNERS_FORK_SERVER_H

#include "wire.h"

#include <sys/types.h>

struct fork_server {
    pid_t pid;    // 0: none
    int fd;       // the connection, where there is one
    bool refused; // none can be had for this target
};

// The supervisor's end; the server's own is run_fork_server_main (runners.h).

// Tells a process that was just started to load the driver of the target that `open` (a FRAME_OPEN)
// names, and waits for it. False, with `refused` set, where it does not get ready within `seconds`
// of wall time or has more than one thread afterwards.
bool fork_server_ready(struct fork_server *s, const struct wire_buf *open, double seconds);
// Has a worker forked with these descriptors as its connection and its output. Its process id; -1
// where the server is gone.
pid_t fork_server_fork(struct fork_server *s, int sock, int out);
// Waits that long for the worker to end. True once it has, or once the server is gone.
bool fork_server_ended(struct fork_server *s, double seconds);
// Reaps the worker that has ended: its wait status, and its largest resident size in bytes. False
// where the server is gone.
bool fork_server_reap(struct fork_server *s, int *status, size_t *peak);

#endif
