// SPDX-License-Identifier: Apache-2.0
//
// A target: its queue of jobs and its worker, one after the other if need be.
//
// What always holds: the jobs are answered in the order they were handed over,
// each exactly once. The worker is sent every waiting job at once and works on
// the first that is not done; what it had of the others is lost with it and sent
// again to the next one. A job that its worker had begun is never run twice.
#define _GNU_SOURCE
#include "worker.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/timerfd.h>
#include <unistd.h>

// Workers in a row that die before they begin a job, until the target is given up.
enum { LOST_LIMIT = 3 };
// Patience for opening a subject; a longer one for jobs holds for opening too.
enum { OPEN_SECONDS = 30 };
enum { MEMORY_MIB = 4096 };
static const double LOOK_EVERY = 0.05; // seconds: at a worker's memory

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
    struct wire_buf open; // the frame that opens the subject; .at as in a slot
    bool ready;           // the worker has its subject open
    bool opened;          // some worker had: what opening says is no longer run_open's answer
    double deadline;      // of opening, or of the job at hand; 0: none
    double look_at;       // when to look at the worker's memory again
    bool grown;           // it has more than half of what it may take
    uint32_t starts, recycled;
    unsigned lost;        // workers in a row that died before they began a job
    char dead[600];       // why no worker is started any more; "" while one may be

    struct slot slot[RUN_QUEUE];
    uint32_t head, pending; // the oldest slot; how many are in use

    int poll_fd, timer_fd; // epoll over connection, output and timer
    double timer;          // what the timer is set to
    bool want_out;         // the connection is watched for room to send
};

static void target_free(struct run_target *t)
{
    worker_stop(&t->worker, 0, NULL, 0);
    wire_free(&t->worker.in);
    wire_free(&t->open);
    for (size_t i = 0; i < RUN_QUEUE; i++) {
        wire_free(&t->slot[i].frame);
        arena_free(&t->slot[i].arena);
    }
    if (t->poll_fd >= 0)
        close(t->poll_fd);
    if (t->timer_fd >= 0)
        close(t->timer_fd);
    arena_free(&t->arena);
    free(t);
}

// The job at hand: the oldest that is not done.
static struct slot *current(struct run_target *t)
{
    for (uint32_t i = 0; i < t->pending; i++) {
        struct slot *s = &t->slot[(t->head + i) % RUN_QUEUE];
        if (!s->done)
            return s;
    }
    return NULL;
}

// ---- polling -----------------------------------------------------------------

static void watch(struct run_target *t, int fd, int how, uint32_t events)
{
    struct epoll_event ev = {.events = events, .data.fd = fd};
    CHECK(epoll_ctl(t->poll_fd, how, fd, &ev) == 0);
}

static void set_deadline(struct run_target *t, double seconds)
{
    t->deadline = seconds > 0 ? now_seconds() + seconds : 0;
}

// Makes the poll descriptor wake for what is awaited now. The timer is only
// moved when it would wake too late or has run out: it may wake for nothing now
// and then, and many short jobs cost no system call.
static void set_watches(struct run_target *t)
{
    // A result that lies ready wakes at once: a moment long past.
    double at = t->pending && t->slot[t->head].done ? 1e-6 : t->deadline;
    bool ran_out = t->timer > 0 && t->timer < now_seconds();
    if (at == 0 ? ran_out : t->timer == 0 || t->timer > at || ran_out) {
        time_t s = (time_t)at;
        struct itimerspec spec = {
            .it_value = {.tv_sec = s, .tv_nsec = (long)((at - (double)s) * 1e9)}};
        CHECK(timerfd_settime(t->timer_fd, TFD_TIMER_ABSTIME, &spec, NULL) == 0);
        t->timer = at;
    }
    bool want = t->worker.pid && t->open.at < t->open.n;
    for (uint32_t i = 0; i < t->pending && t->worker.pid && !want; i++) {
        struct slot *s = &t->slot[(t->head + i) % RUN_QUEUE];
        want = !s->done && s->frame.at < s->frame.n;
    }
    if (want != t->want_out && t->worker.pid) {
        watch(t, t->worker.fd, EPOLL_CTL_MOD, EPOLLIN | (want ? EPOLLOUT : 0u));
        t->want_out = want;
    }
}

// ---- workers come and go -------------------------------------------------------

static double open_seconds(const struct run_target *t)
{
    return t->options.job_seconds > OPEN_SECONDS ? t->options.job_seconds : OPEN_SECONDS;
}

static bool start_worker(struct run_target *t, struct err *e)
{
    if (!worker_start(&t->worker, &t->plan, t->self, e))
        return false;
    t->starts++;
    t->grown = false;
    watch(t, t->worker.fd, EPOLL_CTL_ADD, EPOLLIN);
    watch(t, t->worker.out, EPOLL_CTL_ADD, EPOLLIN);
    t->want_out = false;
    t->ready = false;
    t->open.at = 0;
    for (size_t i = 0; i < RUN_QUEUE; i++)
        t->slot[i].frame.at = 0;
    set_deadline(t, open_seconds(t));
    return true;
}

static void finish(struct run_target *t, struct slot *s)
{
    s->done = true;
    struct slot *next = current(t);
    set_deadline(t, next && t->ready ? t->options.job_seconds : 0);
}

static void set_result(struct slot *s, uint32_t i, enum run_status status, const char *text)
{
    double seconds = s->results[i].driver_seconds;
    s->results[i] = (struct run_result){.status = status, .driver_seconds = seconds};
    snprintf(s->results[i].text, sizeof s->results[i].text, "%s", text);
}

// No worker can be had: all that waits is answered so.
static void give_up(struct run_target *t, const char *why)
{
    snprintf(t->dead, sizeof t->dead, "%s", why);
    for (struct slot *s; (s = current(t));) {
        for (uint32_t i = s->got; i < s->n; i++)
            set_result(s, i, RUN_FAILED, t->dead);
        finish(t, s);
    }
}

// The rest of a job whose worker is gone; `at` is the case that did it.
static void skip_after(struct slot *s, uint32_t at)
{
    for (uint32_t i = at + 1; i < s->n; i++)
        set_result(s, i, RUN_SKIPPED, "not run: an earlier case of its job ended the worker");
}

// The worker is gone or has to go; `status` and `text` for the case at hand. With
// text NULL the way it died is the text.
static void lose_worker(struct run_target *t, enum run_status status, const char *text,
                        double grace)
{
    char how[560], line[600];
    bool outside = worker_stop(&t->worker, grace, how, sizeof how);
    snprintf(line, sizeof line, "the worker %s", how);
    if (status == RUN_CRASHED && (t->worker.peak >= t->worker.memory / 10 * 9 ||
                                  strstr(how, "bad_alloc") || strstr(how, "out of memory"))) {
        status = RUN_MEMORY;
        outside = false;
    }
    bool ready = t->ready;
    t->ready = false;
    struct slot *s = current(t);
    if (!t->opened) {
        give_up(t, text ? text : line);
    } else if (s && s->begun) {
        uint32_t at = s->got < s->n ? s->got : s->n - 1;
        set_result(s, at, status, text ? text : line);
        s->results[at].outside = outside && status == RUN_CRASHED;
        skip_after(s, at);
        finish(t, s);
    } else if (++t->lost >= LOST_LIMIT) {
        char why[700];
        snprintf(why, sizeof why, "%u workers in a row died before they %s; the last: %.500s",
                 t->lost, ready ? "began a job" : "were ready", text ? text : line);
        give_up(t, why);
    }
    set_deadline(t, 0);
}

static void ensure_worker(struct run_target *t)
{
    struct err e = {0};
    if (!t->worker.pid && !t->dead[0] && current(t) && !start_worker(t, &e))
        give_up(t, e.msg);
}

// ---- frames that come ------------------------------------------------------------

// A result must look like its case: the worker may have been scribbled over.
static bool take_result(struct run_target *t, struct slot *s, struct frame *f)
{
    if (s->got >= s->n)
        return false;
    uint32_t at = s->got;
    struct run_result *r = &s->results[at];
    if (!get_result(f, &s->arena, r))
        return false;
    if (r->status == RUN_OK && t->info.compiler && (!r->word_count || r->memory_count))
        return false;
    if (r->status == RUN_OK && !t->info.compiler && r->memory_count != s->shape_count[at])
        return false;
    if (r->status == RUN_COMPILED && r->memory_count)
        return false;
    for (uint32_t i = 0; i < r->memory_count; i++) {
        const struct spv_memory *want = &s->shape[at][i];
        struct spv_memory *m = &r->memory[i];
        if (m->set != want->set || m->binding != want->binding || m->count != want->count)
            return false;
        m->hex = want->hex;
    }
    s->got++;
    if (r->status == RUN_HUNG || r->status == RUN_DEVICE_LOST) {
        worker_stop(&t->worker, 0, NULL, 0);
        t->ready = false;
        skip_after(s, at);
        finish(t, s);
    }
    return true;
}

// The worker has grown, and is between two jobs: a fresh one goes on. What this one may have
// begun of the next job is not known here yet, and is begun again.
static void recycle(struct run_target *t)
{
    worker_stop(&t->worker, 0, NULL, 0);
    t->ready = false;
    t->recycled++;
    set_deadline(t, 0);
}

// False when the frame makes no sense here.
static bool take_frame(struct run_target *t, struct frame *f)
{
    struct slot *s = current(t);
    if (f->kind == FRAME_READY && !t->ready) {
        get_bytes(f, &t->info, sizeof t->info);
        t->ready = t->opened = true;
        set_deadline(t, s ? t->options.job_seconds : 0);
        return !f->bad;
    }
    if (!t->ready || !s)
        return false;
    if (f->kind == FRAME_START && !s->begun) {
        s->begun = true;
        t->lost = 0;
        set_deadline(t, t->options.job_seconds);
        return true;
    }
    if (f->kind == FRAME_RESULT && s->begun)
        return take_result(t, s, f);
    if (f->kind == FRAME_DONE && s->begun && s->got == s->n) {
        s->results[s->n - 1].driver_seconds += get_f64(f);
        finish(t, s);
        if (t->grown)
            recycle(t);
        return !f->bad;
    }
    return false;
}

static void take_refused(struct run_target *t, struct frame *f)
{
    struct arena a = {0};
    char why[600];
    snprintf(why, sizeof why, "%s", get_str(f, &a));
    arena_free(&a);
    lose_worker(t, RUN_FAILED, why, 0);
}

static void take_frames(struct run_target *t)
{
    struct frame f;
    bool bad = false;
    // A frame that ends the worker leaves nothing behind it worth reading.
    while (t->worker.pid && !bad && frame_next(&t->worker.in, &f, &bad)) {
        if (f.kind == FRAME_REFUSED && !t->ready)
            take_refused(t, &f);
        else if (!take_frame(t, &f))
            bad = true;
    }
    if (bad)
        lose_worker(t, RUN_CRASHED, "the worker's answer made no sense: its memory is damaged", 0);
}

static bool send_waiting(struct run_target *t)
{
    if (!worker_send(&t->worker, &t->open))
        return false;
    for (uint32_t i = 0; i < t->pending && t->open.at == t->open.n; i++) {
        struct slot *s = &t->slot[(t->head + i) % RUN_QUEUE];
        if (s->done)
            continue;
        if (!worker_send(&t->worker, &s->frame))
            return false;
        if (s->frame.at < s->frame.n)
            break;
    }
    return true;
}

// There is a worker if one is needed, it has what can be sent, and the poll
// descriptor wakes for what is awaited.
static void settle(struct run_target *t)
{
    ensure_worker(t);
    if (t->worker.pid)
        send_waiting(t); // that it is gone is seen when reading
    set_watches(t);
}

static void look_at_memory(struct run_target *t)
{
    if (!t->worker.pid || !t->ready || now_seconds() < t->look_at)
        return;
    t->look_at = now_seconds() + LOOK_EVERY;
    size_t has = worker_memory(&t->worker);
    struct slot *s = current(t);
    t->grown = has > t->worker.memory / 2;
    if (has <= t->worker.memory || !s || !s->begun)
        return;
    char why[120];
    snprintf(why, sizeof why, "it took more than %zu MiB of memory: the worker was killed",
             t->worker.memory >> 20);
    lose_worker(t, RUN_MEMORY, why, 0);
}

// One turn: waits at most `seconds` for something to happen, and handles it.
static void turn(struct run_target *t, double seconds)
{
    settle(t);
    struct epoll_event ev[4];
    int ms = seconds <= 0 ? 0 : seconds > 1000 ? 1000000 : (int)(seconds * 1000) + 1;
    int n = epoll_wait(t->poll_fd, ev, 4, ms);
    for (int i = 0; i < n; i++) {
        if (ev[i].data.fd == t->worker.out && t->worker.pid) {
            worker_drain(&t->worker);
        } else if (ev[i].data.fd == t->worker.fd && t->worker.pid) {
            bool alive = worker_receive(&t->worker);
            take_frames(t);
            if (!alive && t->worker.pid)
                lose_worker(t, RUN_CRASHED, NULL, 2.0);
        }
    }
    look_at_memory(t);
    // What came in time but was read late has been read by now.
    if (t->worker.pid && t->deadline > 0 && now_seconds() >= t->deadline) {
        char why[120];
        snprintf(why, sizeof why, "no answer after %g seconds: the worker was killed",
                 t->ready ? t->options.job_seconds : open_seconds(t));
        lose_worker(t, RUN_HUNG, why, 0);
    }
}

// ---- the public functions ----------------------------------------------------------

struct run_target *run_open(const char *spec, const char *self, const struct run_options *o,
                            struct err *e)
{
    const char *options;
    const struct run_backend *backend = run_backend_find(spec, &options, e);
    if (!backend)
        return NULL;
    struct run_target *t = calloc(1, sizeof *t);
    CHECK(t);
    t->worker.fd = t->worker.out = -1;
    t->backend = backend;
    t->spec = arena_str(&t->arena, spec);
    t->self = arena_str(&t->arena, self);
    if (o)
        t->options = *o;
    if (t->options.fence_seconds <= 0)
        t->options.fence_seconds = 10;
    if (t->options.job_seconds <= 0)
        t->options.job_seconds = 60;
    if (!t->options.memory_mib)
        t->options.memory_mib = MEMORY_MIB;
    t->worker.memory = (size_t)t->options.memory_mib << 20;
    t->poll_fd = epoll_create1(EPOLL_CLOEXEC);
    t->timer_fd = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
    bool ok = t->poll_fd >= 0 && t->timer_fd >= 0;
    if (!ok)
        err_set(e, "cannot open a target: %s", strerror(errno));
    ok = ok && backend->plan(&t->arena, options, &t->options, &t->plan, e);
    if (ok) {
        watch(t, t->timer_fd, EPOLL_CTL_ADD, EPOLLIN);
        size_t begin = frame_begin(&t->open, FRAME_OPEN);
        put_str(&t->open, spec);
        put_options(&t->open, &t->options);
        frame_end(&t->open, begin);
        ok = start_worker(t, e);
    }
    while (ok && !t->ready && !t->dead[0])
        turn(t, 1.0);
    if (ok && t->dead[0])
        ok = err_set(e, "%s: %s", spec, t->dead);
    if (ok)
        return t;
    target_free(t);
    return NULL;
}

void run_close(struct run_target *t)
{
    if (!t)
        return;
    if (!t->pending)
        worker_stop(&t->worker, 2.0, NULL, 0);
    target_free(t);
}

void run_kill(struct run_target *t)
{
    worker_stop(&t->worker, 0, NULL, 0);
    t->ready = false;
    t->pending = 0;
    t->lost = 0;
    t->dead[0] = 0;
    set_deadline(t, 0);
}

const char *run_spec(const struct run_target *t)
{
    return t->spec;
}

const struct run_info *run_info(const struct run_target *t)
{
    return &t->info;
}

uint32_t run_starts(const struct run_target *t, uint32_t *recycled)
{
    *recycled = t->recycled;
    return t->starts;
}

uint32_t run_pending(const struct run_target *t)
{
    return t->pending;
}

int run_fd(const struct run_target *t)
{
    return t->poll_fd;
}

static void note_shapes(struct slot *s, const struct spv_case *cases)
{
    s->shape = arena_alloc(&s->arena, arena_bytes(s->n, sizeof *s->shape));
    s->shape_count = ARENA_ARRAY(&s->arena, uint32_t, s->n);
    for (uint32_t i = 0; i < s->n; i++) {
        s->shape_count[i] = cases[i].buffer_count;
        for (uint32_t k = 0; k < cases[i].buffer_count; k++) {
            const struct spv_buffer *b = &cases[i].buffer[k];
            s->shape[i][k] = (struct spv_memory){
                .set = b->set, .binding = b->binding, .count = b->count, .hex = b->hex};
        }
    }
}

bool run_submit(struct run_target *t, const struct spv_case *cases, uint32_t n, uint32_t subgroup)
{
    CHECK(n >= 1 && n <= RUN_JOB_CASES);
    if (t->pending == RUN_QUEUE)
        return false;
    bool first = current(t) == NULL;
    struct slot *s = &t->slot[(t->head + t->pending++) % RUN_QUEUE];
    s->frame.at = s->frame.n = 0;
    arena_reset(&s->arena);
    s->n = n;
    s->got = 0;
    s->begun = s->done = false;
    s->results = ARENA_ARRAY(&s->arena, struct run_result, n);
    note_shapes(s, cases);
    uint64_t size = wire_job_size(cases, n);
    if (t->dead[0] || size > FRAME_LIMIT) {
        char why[600];
        snprintf(why, sizeof why, "a job of %llu MiB; %llu are the most",
                 (unsigned long long)(size >> 20), (unsigned long long)(FRAME_LIMIT >> 20));
        for (uint32_t i = 0; i < n; i++)
            set_result(s, i, t->dead[0] ? RUN_FAILED : RUN_SKIPPED, t->dead[0] ? t->dead : why);
        s->done = true;
    } else {
        put_job(&s->frame, cases, n, subgroup);
        if (first && t->ready)
            set_deadline(t, t->options.job_seconds);
    }
    settle(t);
    return true;
}

uint32_t run_take(struct run_target *t, struct arena *a, double seconds,
                  struct run_result **results)
{
    if (!t->pending)
        return 0;
    struct slot *s = &t->slot[t->head];
    double end = now_seconds() + seconds;
    for (double left = seconds; !s->done; left = end - now_seconds()) {
        turn(t, left);
        if (!s->done && now_seconds() >= end) {
            settle(t);
            return 0;
        }
    }
    struct run_result *out = ARENA_ARRAY(a, struct run_result, s->n);
    for (uint32_t i = 0; i < s->n; i++) {
        out[i] = s->results[i];
        out[i].memory =
            arena_copy(a, s->results[i].memory, out[i].memory_count * sizeof(struct spv_memory));
        for (uint32_t k = 0; k < out[i].memory_count; k++)
            out[i].memory[k].words =
                arena_copy(a, out[i].memory[k].words, out[i].memory[k].count * sizeof(uint32_t));
        if (out[i].word_count)
            out[i].words = arena_copy(a, out[i].words, out[i].word_count * sizeof(uint32_t));
        if (out[i].driver_text)
            out[i].driver_text = arena_str(a, out[i].driver_text);
    }
    *results = out;
    t->head = (t->head + 1) % RUN_QUEUE;
    t->pending--;
    settle(t);
    return s->n;
}

void run_case(struct run_target *t, struct arena *a, const struct spv_case *c, uint32_t subgroup,
              struct run_result *out)
{
    // Earlier jobs of the same target would come first.
    CHECK(t->pending == 0);
    struct run_result *results = NULL;
    run_submit(t, c, 1, subgroup);
    while (!run_take(t, a, 1.0, &results))
        ;
    *out = results[0];
}
