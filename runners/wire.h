// SPDX-License-Identifier: Apache-2.0
//
// What supervisor and worker say to each other: frames of a kind, a length and
// a payload, in the machine's own byte order (both ends are the same program).
// Reading is bounds-checked: a driver may have scribbled over the worker.
#ifndef TF_RUNNERS_WIRE_H
#define TF_RUNNERS_WIRE_H

#include "backend.h"

enum frame_kind {
    // supervisor to worker
    FRAME_OPEN = 1, // target text, run_options: the first frame, or
    FRAME_LIST,     // target text: the only frame
    FRAME_JOB,
    // worker to supervisor
    FRAME_READY,   // run_info: the subject is open
    FRAME_REFUSED, // text: it cannot be opened
    FRAME_START,   // the next job begins
    FRAME_RESULT,  // the job's next case
    FRAME_DONE,    // seconds: all of the job is done, cleaning up too
    FRAME_LISTED,  // run_listed, once each; FRAME_DONE ends the list
};

enum { WORKER_FD = 3 }; // of a worker: the connection
enum { FRAME_HEAD = 16 };
#define FRAME_LIMIT ((uint64_t)1 << 31) // bytes of one payload, to a worker
// What a worker may say beyond the memory that is expected of it: a module, the driver's words.
#define FRAME_ANSWER ((uint64_t)64 << 20)

// Bytes that grow; memory is kept for the next turn. Zeroed is empty.
struct wire_buf {
    uint8_t *v;
    size_t at, n, cap; // bytes at .. n are still to be sent, or to be read
};
void wire_free(struct wire_buf *b);
// Room for `more` bytes at the end (n is not moved).
uint8_t *wire_room(struct wire_buf *b, size_t more);

struct frame {
    enum frame_kind kind;
    const uint8_t *p, *end; // payload; the reading functions move p
    bool bad;               // something did not fit: all further reads give zeros
};
// The next whole frame of b[at .. n), valid until b is next added to. *bad when
// the bytes cannot be a frame, or one of more than `limit` bytes of payload.
bool frame_next(struct wire_buf *b, uint64_t limit, struct frame *f, bool *bad);
// Starts and ends a frame at the end of b; the put functions add its payload.
size_t frame_begin(struct wire_buf *b, enum frame_kind kind);
void frame_end(struct wire_buf *b, size_t begin);

void put_u32(struct wire_buf *b, uint32_t v);
void put_f64(struct wire_buf *b, double v);
void put_bytes(struct wire_buf *b, const void *v, size_t n);
void put_str(struct wire_buf *b, const char *s);
uint32_t get_u32(struct frame *f);
double get_f64(struct frame *f);
double get_seconds(struct frame *f); // the frame is bad where they are no finite time, 0 or more
void get_bytes(struct frame *f, void *v, size_t n);              // zeros when it is bad
const char *get_str(struct frame *f, struct arena *a);           // "" when it is bad
uint32_t *get_words(struct frame *f, struct arena *a, size_t n); // NULL when it is bad

// Payload bytes that a job takes, to see before whether it fits a frame.
uint64_t wire_job_size(const struct spv_case *cases, uint32_t n);
void put_job(struct wire_buf *b, const struct spv_case *cases, uint32_t n, uint32_t subgroup);
bool get_job(struct frame *f, struct arena *a, struct run_job *out);
void put_result(struct wire_buf *b, const struct run_result *r);
bool get_result(struct frame *f, struct arena *a, struct run_result *out);
// What a subject is, and what there is. False where they are none that a program of ours has made.
void put_info(struct wire_buf *b, const struct run_info *i);
bool get_info(struct frame *f, struct run_info *out);
void put_listed(struct wire_buf *b, const struct run_listed *r);
bool get_listed(struct frame *f, struct run_listed *out);
void put_options(struct wire_buf *b, const struct run_options *o);
void get_options(struct frame *f, struct run_options *o);

#endif
