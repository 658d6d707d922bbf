// SPDX-License-Identifier: Apache-2.0
//
// A target: its queue of jobs and its worker, which is replaced when it ends.
//
// What always holds: jobs are answered in the order of submission, each exactly once. Waiting jobs
// are sent to the worker at once; it works on the first that is not done. Jobs that it received but
// did not begin are sent again to the next worker. A job that a worker began never runs twice.
#define _GNU_SOURCE
#include "target.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/timerfd.h>
#include <unistd.h>

enum { MEMORY_MIB = 4096 };

static void target_free(struct run_target *t)
{
    worker_free(&t->worker);
    wire_free(&t->open);
    for (size_t i = 0; i < RUN_QUEUE_FAR; i++) {
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

struct slot *target_current(struct run_target *t)
{
    for (uint32_t i = 0; i < t->pending; i++) {
        struct slot *s = &t->slot[(t->head + i) % RUN_QUEUE_FAR];
        if (!s->done)
            return s;
    }
    return NULL;
}

struct run_target *run_open(const char *spec, const char *self, const struct run_options *o,
                            struct err *e)
{
    struct run_target *t = mem_new(sizeof *t);
    const struct run_stage *stage = run_spec_parse(&t->arena, spec, e);
    const struct run_backend *backend = stage ? stage_backend(stage, e) : NULL;
    if (!backend) {
        arena_free(&t->arena);
        free(t);
        return NULL;
    }
    t->worker.fd = t->worker.out = -1;
    t->backend = backend;
    t->spec = arena_str(&t->arena, spec);
    const struct run_stage *last = stage;
    while (last->next)
        last = last->next;
    t->far = backend->serve != NULL;
    t->maps_lanes = last->kind && last->kind->maps_lanes && !last->check && !last->isa;
    t->self = arena_str(&t->arena, self);
    if (o)
        t->options = *o;
    if (t->options.job_seconds <= 0)
        t->options.job_seconds = 60;
    if (t->options.fence_seconds <= 0) {
        // A longer job limit raises this one too. It ends before the job's limit, so that the
        // worker can report the timeout itself.
        double job = t->options.job_seconds, part = job > 60 ? job / 6 : 10;
        t->options.fence_seconds = part < job * 0.75 ? part : job * 0.75;
    }
    if (!t->options.memory_mib)
        t->options.memory_mib = MEMORY_MIB;
    t->worker.memory = (size_t)t->options.memory_mib << 20;
    t->poll_fd = epoll_create1(EPOLL_CLOEXEC);
    t->timer_fd = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
    bool ok = t->poll_fd >= 0 && t->timer_fd >= 0;
    if (!ok)
        err_set(e, "cannot open a target: %s", strerror(errno));
    ok = ok && backend->plan(&t->arena, stage, &t->options, &t->plan, e);
    if (ok && t->options.debugger)
        debugger_plan(&t->arena, &t->plan);
    if (ok) {
        target_watch(t, t->timer_fd, EPOLL_CTL_ADD, EPOLLIN);
        size_t begin = frame_begin(&t->open, FRAME_OPEN);
        put_str(&t->open, spec);
        put_options(&t->open, &t->options);
        frame_end(&t->open, begin);
        ok = target_start_worker(t, e);
    }
    while (ok && !t->ready && !t->dead[0])
        target_turn(t, 1.0);
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

void run_leave(void)
{
    worker_leave_all();
}

void run_kill(struct run_target *t)
{
    worker_free(&t->worker);
    t->ready = false;
    t->pending = 0;
    t->lost = 0;
    t->dead[0] = 0;
    target_set_timeout(t, 0);
}

const char *run_spec(const struct run_target *t)
{
    return t->spec;
}

const struct run_info *run_info(const struct run_target *t)
{
    return &t->info;
}

uint32_t run_pending(const struct run_target *t)
{
    return t->pending;
}

uint32_t run_queue(const struct run_target *t)
{
    return t->far ? RUN_QUEUE_FAR : RUN_QUEUE;
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

// True for a case of `tanglefuzz portable`, which targets do not support.
static bool has_arrays(const struct spv_case *cases, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < cases[i].buffer_count; k++)
            if (cases[i].buffer[k].elements)
                return true;
    return false;
}

bool run_submit(struct run_target *t, const struct spv_case *cases, uint32_t n, uint32_t subgroup)
{
    CHECK(n >= 1 && n <= RUN_JOB_CASES);
    if (t->pending == run_queue(t))
        return false;
    bool first = target_current(t) == NULL;
    struct slot *s = &t->slot[(t->head + t->pending++) % RUN_QUEUE_FAR];
    s->frame.at = s->frame.n = 0;
    arena_reset(&s->arena);
    s->n = n;
    s->got = 0;
    s->begun = s->done = false;
    s->results = ARENA_ARRAY(&s->arena, struct run_result, n);
    note_shapes(s, cases);
    uint64_t size = wire_job_size(cases, n);
    const bool arrays = has_arrays(cases, n);
    if (t->dead[0] || arrays || size > FRAME_LIMIT) {
        char why[600];
        if (arrays)
            snprintf(
                why, sizeof why,
                "only the oracle supports arrays of buffers and memory that addresses point to");
        else
            snprintf(why, sizeof why, "the job has %llu MiB; the maximum is %llu",
                     (unsigned long long)(size >> 20), (unsigned long long)(FRAME_LIMIT >> 20));
        for (uint32_t i = 0; i < n; i++)
            target_set_result(s, i, t->dead[0] ? RUN_FAILED : RUN_SKIPPED,
                              t->dead[0] ? t->dead : why);
        s->done = true;
    } else {
        put_job(&s->frame, cases, n, subgroup);
        if (first && t->ready)
            target_set_timeout(t, t->options.job_seconds);
    }
    target_settle(t);
    return true;
}

static struct spv_memory *memory_copy(struct arena *a, const struct spv_memory *from, uint32_t n)
{
    struct spv_memory *m = arena_copy(a, from, n * sizeof *m);
    for (uint32_t k = 0; k < n; k++)
        m[k].words = arena_copy(a, m[k].words, m[k].count * sizeof(uint32_t));
    return m;
}

uint32_t run_take(struct run_target *t, struct arena *a, double seconds,
                  struct run_result **results)
{
    if (!t->pending)
        return 0;
    struct slot *s = &t->slot[t->head];
    double end = now_seconds() + seconds;
    for (double left = seconds; !s->done; left = end - now_seconds()) {
        target_turn(t, left);
        if (!s->done && now_seconds() >= end) {
            target_settle(t);
            return 0;
        }
    }
    struct run_result *out = ARENA_ARRAY(a, struct run_result, s->n);
    for (uint32_t i = 0; i < s->n; i++) {
        out[i] = s->results[i];
        out[i].memory = memory_copy(a, out[i].memory, out[i].memory_count);
        out[i].other = memory_copy(a, out[i].other, out[i].memory_count * out[i].others);
        if (out[i].word_count)
            out[i].words = arena_copy(a, out[i].words, out[i].word_count * sizeof(uint32_t));
        if (out[i].prompt) {
            out[i].prompt =
                arena_copy(a, out[i].prompt, out[i].memory_count * sizeof(struct spv_memory));
            for (uint32_t k = 0; k < out[i].memory_count; k++)
                out[i].prompt[k].words = arena_copy(a, out[i].prompt[k].words,
                                                    out[i].prompt[k].count * sizeof(uint32_t));
        }
        if (out[i].origin) {
            out[i].origin =
                arena_copy(a, out[i].origin, out[i].memory_count * sizeof *out[i].origin);
            for (uint32_t k = 0; k < out[i].memory_count; k++)
                if (out[i].origin[k])
                    out[i].origin[k] = arena_copy(
                        a, out[i].origin[k], out[i].memory[k].count * sizeof *out[i].origin[k]);
        }
        if (out[i].driver_text)
            out[i].driver_text = arena_str(a, out[i].driver_text);
        if (out[i].printed)
            out[i].printed = arena_str(a, out[i].printed);
        if (out[i].backtrace)
            out[i].backtrace = arena_str(a, out[i].backtrace);
    }
    *results = out;
    t->head = (t->head + 1) % RUN_QUEUE_FAR;
    t->pending--;
    target_settle(t);
    return s->n;
}

void run_case(struct run_target *t, struct arena *a, const struct spv_case *c, uint32_t subgroup,
              struct run_result *out)
{
    // Results of earlier jobs would come first.
    CHECK(t->pending == 0);
    struct run_result *results = NULL;
    run_submit(t, c, 1, subgroup);
    while (!run_take(t, a, 1.0, &results))
        ;
    *out = results[0];
}
