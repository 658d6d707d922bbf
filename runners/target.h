// SPDX-License-Identifier: Apache-2.0
//
// What the files of a target share: its queue of jobs and the worker that serves it.
//
//   target.c         the public functions: open, submit, take, close
//   target_worker.c  workers come and go; what is waited for
//   target_frames.c  what a worker says
//   backtrace.c      a worker in gdb
#ifndef TF_RUNNERS_TARGET_H
#define TF_RUNNERS_TARGET_H

#include "timeout.h"
#include "worker.h"

struct slot {
    struct wire_buf frame; // the job, kept whole until it is done; .at: how much is sent
    struct arena arena;    // holds results, their memory, and the shapes
    uint32_t n, got;       // cases; results that came
    struct run_result *results;
    struct spv_memory (*shape)[SPV_CASE_BUFFERS]; // of each case's memory, without words
    uint32_t *shape_count;
    bool begun, done;
};

struct run_target {
    struct arena arena; // texts and the plan
    char *spec, *self;
    const struct run_backend *backend;
    struct run_options options;
    struct run_plan plan;
    struct run_info info;

    struct worker worker;
    struct wire_buf open;   // the frame that opens the subject; .at as in a slot
    bool ready;             // the worker has its subject open
    bool maps_lanes;        // of its results
    bool opened;            // some worker had: what opening says is no longer run_open's answer
    struct timeout timeout; // of opening, or of the job at hand
    double look_at;         // when to look at the worker's memory again
    bool grown;             // it has more than half of what it may take
    unsigned lost;          // workers in a row that died before they began a job
    char dead[600];         // why no worker is started any more; "" while one may be

    struct slot slot[RUN_QUEUE];
    uint32_t head, pending; // the oldest slot; how many are in use

    int poll_fd, timer_fd; // epoll over connection, output and timer
    double timer;          // what the timer is set to
    bool want_out;         // the connection is watched for room to send
};

// ---- target.c

// The job at hand: the oldest that is not done.
struct slot *target_current(struct run_target *t);

// ---- target_worker.c

// Adds a descriptor to the one that callers poll, or changes what it is watched for.
void target_watch(struct run_target *t, int fd, int how, uint32_t events);
// The worker's time ends in that many seconds; 0: it has no limit.
void target_set_timeout(struct run_target *t, double seconds); // 0: none
bool target_start_worker(struct run_target *t, struct err *e);
void target_set_result(struct slot *s, uint32_t i, enum run_status status, const char *text);
// The job is answered; the next one's time begins.
void target_finish(struct run_target *t, struct slot *s);
// The rest of a job whose worker is gone; `at` is the case that did it.
void target_skip_after(struct slot *s, uint32_t at);
// The worker is gone or has to go; `status` and `text` for the case at hand. With
// text NULL the way it died is the text.
void target_lose_worker(struct run_target *t, enum run_status status, const char *text,
                        double grace);
// The worker has grown, and is between two jobs: a fresh one goes on. What this one may have
// begun of the next job is not known here yet, and is begun again.
void target_recycle(struct run_target *t);
// There is a worker if one is needed, it has what can be sent, and the poll
// descriptor wakes for what is awaited.
void target_settle(struct run_target *t);
// One turn: waits at most `seconds` for something to happen, and handles it.
void target_turn(struct run_target *t, double seconds);

// ---- backtrace.c

// From now on workers are started in gdb.
void debugger_plan(struct arena *a, struct run_plan *plan);

// ---- target_frames.c

// Takes what lies in the worker's buffer. An answer that makes no sense ends the worker.
void target_take_frames(struct run_target *t);

#endif
