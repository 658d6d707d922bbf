// SPDX-License-Identifier: Apache-2.0
//
// The worker's side: one connection, one target, jobs in order.
//
// Each result is sent as soon as it is known, so that the supervisor knows which case was running
// when the worker dies.
#define _GNU_SOURCE
#include "crash_site.h"
#include "wire.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

struct serve {
    struct run_sink sink; // first member: the sink that backends see
    int fd;
    struct wire_buf in, out;
    uint32_t left; // cases of the current job without a result
};

// Sends all of `out`. Exits if the supervisor is gone.
static void flush(struct serve *s)
{
    while (s->out.at < s->out.n) {
        ssize_t n = send(s->fd, s->out.v + s->out.at, s->out.n - s->out.at, MSG_NOSIGNAL);
        if (n > 0)
            s->out.at += (size_t)n;
        else if (!(n < 0 && errno == EINTR))
            _exit(0);
    }
}

// Waits for the next frame; false at the end of the connection. Sends pending output only before
// blocking, otherwise together with the next output, because each send wakes the supervisor.
static bool next(struct serve *s, struct frame *f)
{
    for (;;) {
        bool bad, idle = s->out.at == s->out.n;
        if (frame_next(&s->in, FRAME_LIMIT, f, &bad))
            return true;
        CHECK(!bad);
        uint8_t *room = wire_room(&s->in, 1 << 16);
        ssize_t n = recv(s->fd, room, s->in.cap - s->in.n, idle ? 0 : MSG_DONTWAIT);
        if (n > 0)
            s->in.n += (size_t)n;
        else if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
            flush(s);
        else if (!(n < 0 && errno == EINTR))
            return false;
    }
}

static void put_refused(struct wire_buf *b, const char *why)
{
    size_t begin = frame_begin(b, FRAME_REFUSED);
    put_str(b, why);
    frame_end(b, begin);
}

static void put_ready(struct wire_buf *b, const struct run_info *info)
{
    size_t begin = frame_begin(b, FRAME_READY);
    put_info(b, info);
    frame_end(b, begin);
}

static void put_done(struct wire_buf *b, struct run_time late)
{
    size_t begin = frame_begin(b, FRAME_DONE);
    put_f64(b, late.wall);
    put_f64(b, late.cpu);
    frame_end(b, begin);
}

static void send_result(struct run_sink *sink, const struct run_result *r)
{
    struct serve *s = (struct serve *)sink;
    put_result(&s->out, r);
    // The last result goes with the end of the job: a worker that dies before is attributed to that
    // case anyway.
    if (s->left && --s->left)
        flush(s);
}

static int serve_jobs(struct serve *s, const struct run_backend *backend, void *state)
{
    struct arena a = {0};
    struct frame f;
    bool alive = true;
    while (alive && next(s, &f)) {
        arena_reset(&a);
        CHECK(f.kind == FRAME_JOB);
        struct run_job job;
        CHECK(get_job(&f, &a, &job));
        frame_end(&s->out, frame_begin(&s->out, FRAME_START));
        flush(s);
        s->sink.late = (struct run_time){0};
        s->left = job.n;
        alive = backend->run(state, &a, &job, &s->sink);
        put_done(&s->out, s->sink.late);
    }
    flush(s);
    // Closing a lost target may never return.
    if (!alive)
        _exit(0);
    backend->close(state);
    arena_free(&a);
    return 0;
}

static void list(struct serve *s, const struct run_backend *backend, const char *spec,
                 const struct run_stage *stage, struct arena *a)
{
    struct run_listed *rows;
    uint32_t n = backend->list(a, spec, stage, &rows);
    for (uint32_t i = 0; i < n; i++) {
        size_t begin = frame_begin(&s->out, FRAME_LISTED);
        put_listed(&s->out, &rows[i]);
        frame_end(&s->out, begin);
    }
    put_done(&s->out, (struct run_time){0});
    flush(s);
}

// Reads a FRAME_OPEN. The supervisor has checked the target.
static const struct run_stage *read_open(struct arena *a, struct frame *f,
                                         const struct run_backend **backend, struct run_options *o,
                                         struct err *e)
{
    const struct run_stage *stage = run_spec_parse(a, get_str(f, a), e);
    *backend = stage ? stage_backend(stage, e) : NULL;
    CHECK(*backend);
    get_options(f, o);
    return stage;
}

static bool open_target(struct arena *a, const struct run_stage *stage, const struct run_options *o,
                        struct run_opened *out, struct err *e)
{
    out->state = out->backend->open(a, stage, o, &out->info, e);
    return out->state != NULL;
}

bool run_open_frame(struct arena *a, struct frame *f, struct run_opened *out, struct err *e)
{
    struct run_options o;
    const struct run_stage *stage = read_open(a, f, &out->backend, &o, e);
    return open_target(a, stage, &o, out, e);
}

int run_worker_main(int fd)
{
    return run_worker_opened(fd, NULL);
}

int run_worker_opened(int fd, const struct run_opened *opened)
{
    if (fcntl(fd, F_GETFD) < 0) {
        fprintf(stderr,
                "tanglefuzz worker: file descriptor %d is not open (this command is "
                "only started by tanglefuzz itself)\n",
                fd);
        return 2;
    }
    signal(SIGINT, SIG_IGN); // the supervisor decides
    crash_site_watch();
    struct serve s = {.sink.result = send_result, .fd = fd};
    struct arena a = {0};
    struct frame f;
    struct err e = {0};
    int status = 0;
    const bool got = next(&s, &f);
    if (got && f.kind == FRAME_LIST) {
        const char *spec = get_str(&f, &a);
        const struct run_stage *stage = run_spec_parse(&a, spec, &e);
        const struct run_backend *backend = stage ? stage_backend(stage, &e) : NULL;
        CHECK(backend);
        list(&s, backend, spec, stage, &a);
    } else if (got && f.kind == FRAME_OPEN) {
        struct run_opened made = {0};
        if (!opened) {
            struct run_options o;
            const struct run_stage *stage = read_open(&a, &f, &made.backend, &o, &e);
            if (made.backend->serve)
                return made.backend->serve(fd, &s.in, &a, stage, &o);
            open_target(&a, stage, &o, &made, &e);
            opened = &made;
        }
        if (opened->state)
            put_ready(&s.out, &opened->info);
        else
            put_refused(&s.out, e.msg);
        flush(&s);
        if (opened->state)
            status = serve_jobs(&s, opened->backend, opened->state);
    }
    wire_free(&s.in);
    wire_free(&s.out);
    arena_free(&a);
    return status;
}
