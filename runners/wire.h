// SPDX-License-Identifier: Apache-2.0
//
// Messages between supervisor and worker: frames with a kind, a length and a payload, in the
// machine's byte order (both sides are the same program). Reading is bounds-checked, because a
// driver may have overwritten the worker's memory.
#ifndef TF_RUNNERS_WIRE_H
#define TF_RUNNERS_WIRE_H

#include "backend.h"

enum frame_kind {
    // supervisor to worker
    FRAME_OPEN = 1, // target spec, run_options: the first frame, or
    FRAME_LIST,     // target spec: the only frame
    FRAME_JOB,
    // worker to supervisor
    FRAME_READY,   // run_info: the target is open
    FRAME_REFUSED, // text: it cannot be opened
    FRAME_START,   // the next job begins
    FRAME_RESULT,  // the job's next case
    FRAME_DONE,    // seconds: the job is done, including cleanup
    FRAME_LISTED,  // run_listed, one each; FRAME_DONE ends the list
    // a device program alone (link.h)
    FRAME_GREET, // what it is: its first frame
    FRAME_ENDED, // how the process with the driver ended
    FRAME_ALIVE, // its processors' time: it is there, however long the driver takes
};

enum { WORKER_FD = 3 }; // of a worker: the connection
enum { FRAME_HEAD = 16 };
#define FRAME_LIMIT ((uint64_t)1 << 31) // bytes of one payload, to a worker
// Bytes allowed in an answer beyond the expected memory: a module, the driver's text.
#define FRAME_ANSWER ((uint64_t)64 << 20)

// A growing byte buffer whose memory is reused. Zeroed is empty.
struct wire_buf {
    uint8_t *v;
    size_t at, n, cap; // bytes at .. n are not yet sent, or not yet read
};
void wire_free(struct wire_buf *b);
// Makes room for `more` bytes at the end (n is not moved).
uint8_t *wire_room(struct wire_buf *b, size_t more);

struct frame {
    enum frame_kind kind;
    const uint8_t *p, *end; // payload; the reading functions move p
    bool bad;               // a read was out of bounds; all further reads return zeros
};
// The next complete frame of b[at .. n), valid until bytes are added to b. *bad: the bytes are not
// a frame, or its payload has more than `limit` bytes.
bool frame_next(struct wire_buf *b, uint64_t limit, struct frame *f, bool *bad);
// Starts and ends a frame at the end of b; the put functions add its payload.
size_t frame_begin(struct wire_buf *b, enum frame_kind kind);
void frame_end(struct wire_buf *b, size_t begin);

void put_u32(struct wire_buf *b, uint32_t v);
void put_u64(struct wire_buf *b, uint64_t v);
void put_f64(struct wire_buf *b, double v);
void put_bytes(struct wire_buf *b, const void *v, size_t n);
void put_str(struct wire_buf *b, const char *s);
uint32_t get_u32(struct frame *f);
uint64_t get_u64(struct frame *f);
double get_f64(struct frame *f);
double get_seconds(struct frame *f);                   // sets `bad` unless finite and at least 0
void get_bytes(struct frame *f, void *v, size_t n);    // zeros if bad
const char *get_str(struct frame *f, struct arena *a); // "" if bad
uint32_t *get_words(struct frame *f, struct arena *a, size_t n); // NULL if bad

// A target that is open in this process.
struct run_opened {
    const struct run_backend *backend;
    void *state;
    struct run_info info;
};
// Opens the target of a FRAME_OPEN. False with one line in `e`. `a` must last as long as the
// target.
bool run_open_frame(struct arena *a, struct frame *f, struct run_opened *out, struct err *e);
// run_worker_main in a fork of a process that has opened the target already; NULL: it has not.
int run_worker_opened(int fd, const struct run_opened *opened);

// Payload bytes of a job, to check in advance whether it fits a frame.
uint64_t wire_job_size(const struct spv_case *cases, uint32_t n);
void put_job(struct wire_buf *b, const struct spv_case *cases, uint32_t n, uint32_t subgroup);
bool get_job(struct frame *f, struct arena *a, struct run_job *out);
void put_result(struct wire_buf *b, const struct run_result *r);
void put_result_fields(struct wire_buf *b, const struct run_result *r); // without its frame
bool get_result(struct frame *f, struct arena *a, struct run_result *out);
// A target's properties, and a list row. False if they are malformed.
void put_info(struct wire_buf *b, const struct run_info *i);
bool get_info(struct frame *f, struct run_info *out);
void put_listed(struct wire_buf *b, const struct run_listed *r);
bool get_listed(struct frame *f, struct run_listed *out);
void put_options(struct wire_buf *b, const struct run_options *o);
void get_options(struct frame *f, struct run_options *o);

#endif
