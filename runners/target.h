// SPDX-License-Identifier: Apache-2.0
//
// Shared by the files of a target: its job queue and the worker that serves it.
//
//   target.c         the public functions: open, submit, take, close
//   target_worker.c  starts and stops workers, waits for events
//   target_frames.c  reads a worker's frames
//   backtrace.c      a worker under gdb
#ifndef TF_RUNNERS_TARGET_H
#define TF_RUNNERS_TARGET_H

#include "timeout.h"
#include "worker.h"

struct slot {
    struct wire_buf frame; // the job, kept until it is done; .at: bytes sent
    struct arena arena;    // holds results, their memory, and the shapes
    uint32_t n, got;       // number of cases; number of results received
    struct run_result *results;
    struct spv_memory (*shape)[SPV_CASE_BUFFERS]; // [case] the buffers of its memory, without words
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
    struct contain_processors far_has; // far: CPU time of the device program, as it last reported

    struct worker worker;
    struct wire_buf open; // the frame that opens the target; .at as in a slot
    bool ready;           // the worker has opened the target
    bool maps_lanes;      // value for its results
    bool far;             // jobs are passed to a device program
    bool opened;          // some worker opened it: later failures to open are not run_open's result
    struct timeout timeout; // of opening, or of the current job
    double look_at;         // time of the next check of the worker's memory
    bool grown;             // it uses more than half of its memory limit
    unsigned lost;          // workers in a row that died before they began a job
    char dead[600];         // why no more workers are started; "": they may be

    struct slot slot[RUN_QUEUE_FAR];
    uint32_t head, pending; // the oldest slot; the number of slots in use

    int poll_fd, timer_fd; // epoll over connection, output and timer
    double timer;          // the time the timer is set to
    bool want_out;         // polling for room to send on the connection
};

// ---- target.c

// The current job: the oldest that is not done.
struct slot *target_current(struct run_target *t);

// ---- target_worker.c

// Adds a descriptor to the one that callers poll, or changes its events.
void target_watch(struct run_target *t, int fd, int how, uint32_t events);
// Sets the worker's timeout; 0: no limit.
void target_set_timeout(struct run_target *t, double seconds);
bool target_start_worker(struct run_target *t, struct err *e);
void target_set_result(struct slot *s, uint32_t i, enum run_status status, const char *text);
// Completes a job and starts the time limit of the next one.
void target_finish(struct run_target *t, struct slot *s);
// Skips the rest of a job whose worker is gone; `at` is the case that caused it.
void target_skip_after(struct slot *s, uint32_t at);
// Ends a worker that is gone or must go. `status` and `text` go to the current case. If text is
// NULL, the text describes how the worker died.
void target_lose_worker(struct run_target *t, enum run_status status, const char *text,
                        double grace);
// Replaces a worker whose memory has grown, between two jobs. If the old one has already begun the
// next job, the new one begins it again.
void target_recycle(struct run_target *t);
// Starts a worker if one is needed, sends what can be sent, and sets up the poll descriptor.
void target_settle(struct run_target *t);
// Waits at most `seconds` for an event and handles it.
void target_turn(struct run_target *t, double seconds);

// ---- backtrace.c

// Makes the plan start workers in gdb.
void debugger_plan(struct arena *a, struct run_plan *plan);

// ---- target_frames.c

// Handles the frames in the worker's buffer. An invalid frame ends the worker.
void target_take_frames(struct run_target *t);

#endif
