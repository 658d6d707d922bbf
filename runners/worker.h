// SPDX-License-Identifier: Apache-2.0
//
// A worker process as its supervisor holds it: started, fed, read, stopped.
#ifndef TF_RUNNERS_WORKER_H
#define TF_RUNNERS_WORKER_H

#include "crash_site.h"
#include "fork_server.h"
#include "said.h"

#include <sys/types.h>

struct worker {
    pid_t pid;                 // 0: none
    bool started;              // there was one before
    bool forked;               // by the fork server, which is its parent
    struct fork_server server; // none before the first worker has gone
    int fd;                    // the connection, non-blocking; -1: none
    int out;                   // what it prints, non-blocking; -1 once that ended
    struct wire_buf in;
    struct said said;
    size_t memory;           // bytes that it may take
    bool contained;          // the process above it is not it
    struct crash_site *site; // where it crashed; NULL where that cannot be shared
    int site_fd;
    size_t peak;   // bytes that it had at most, once it is stopped
    char mark[80]; // in its environment, and so in that of all that it starts
};

// Starts a worker as the plan says: `self worker --fd 3`, or where it is not the first one a fork
// of the fork server. `open`: the FRAME_OPEN that such a server loads the driver by; NULL: without
// a server.
bool worker_start(struct worker *w, const struct run_plan *plan, const char *self,
                  const struct wire_buf *open, struct err *e);
// Bytes of memory that are its own now; 0 when that cannot be told.
size_t worker_memory(const struct worker *w);
// Sends what it takes of b[at .. n) without waiting and moves `at`. False when
// the worker is gone.
bool worker_send(struct worker *w, struct wire_buf *b);
// Reads all that has come into w->in. False when the worker is gone; what it
// said before is in w->in then.
bool worker_receive(struct worker *w);
// Reads all that it printed.
void worker_drain(struct worker *w);
// Ends it: waits for `grace` seconds for it to go by itself once the connection is
// closed, then kills; reaps. `how` (of `size` bytes; NULL: not asked) tells how it
// ended and why by its own words (said_why), in one line. True when somebody else killed it: it
// died of a SIGKILL that was not ours.
bool worker_stop(struct worker *w, double grace, char *how, size_t size);
// Ends the worker at once, and its fork server; frees what it holds. It can be started again.
void worker_free(struct worker *w);
// Kills all workers of this process and what they have started, for a quarter of a second at most:
// for who leaves without closing its targets.
void worker_leave_all(void);

#endif
