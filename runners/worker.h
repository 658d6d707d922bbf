// SPDX-License-Identifier: Apache-2.0
//
// The supervisor's side of a worker process: start, send, receive, stop.
#ifndef TF_RUNNERS_WORKER_H
#define TF_RUNNERS_WORKER_H

#include "crash_site.h"
#include "fork_server.h"
#include "output.h"

#include <sys/types.h>

struct worker {
    pid_t pid;                 // 0: none
    bool started;              // a worker has run before
    bool forked;               // by the fork server, which is its parent
    struct fork_server server; // unused until the first worker is gone
    int fd;                    // the connection, non-blocking; -1: none
    int out;                   // its output, non-blocking; -1 after end of file
    struct wire_buf in;
    struct output output;
    size_t memory;           // memory limit in bytes
    bool contained;          // `pid` is the containing program, the worker its child
    struct crash_site *site; // where it crashed; NULL if the memory could not be shared
    int site_fd;
    size_t peak;   // its peak memory in bytes, set when it is stopped
    char mark[80]; // environment entry that marks it and its child processes
};

// Starts a worker according to the plan: `self worker --fd 3`, or after the first one a fork of the
// fork server. `open`: the FRAME_OPEN from which that server loads the driver; NULL: no fork
// server.
bool worker_start(struct worker *w, const struct run_plan *plan, const char *self,
                  const struct wire_buf *open, struct err *e);
// Its private memory in bytes; 0 if unknown.
size_t worker_memory(const struct worker *w);
// Sends as much of b[at .. n) as possible without waiting and moves `at`. False if the worker is
// gone.
bool worker_send(struct worker *w, struct wire_buf *b);
// Reads all available bytes into w->in. False if the worker is gone; w->in then has its last bytes.
bool worker_receive(struct worker *w);
// Reads all available output.
void worker_drain(struct worker *w);
// Ends the worker: closes the connection, waits up to `grace` seconds for it to exit, then kills
// and reaps it. `how` (`size` bytes; may be NULL) receives one line: how it ended, and the reason
// from its output (output_reason). True if another process killed it: it died of a SIGKILL that we
// did not send.
bool worker_stop(struct worker *w, double grace, char *how, size_t size);
// Ends the worker at once, and its fork server; frees what it holds. It can be started again.
void worker_free(struct worker *w);
// Kills all workers of this process and their child processes, within a quarter of a second: for a
// process that exits without closing its targets.
void worker_leave_all(void);

#endif
