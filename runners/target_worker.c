// SPDX-License-Identifier: Apache-2.0
//
// The workers of a target: started when a job waits, sent the waiting jobs, limited in time and
// memory. If a worker dies, the current case is at fault.
#define _GNU_SOURCE
#include "contain.h"
#include "target.h"

#include <string.h>
#include <sys/epoll.h>
#include <sys/timerfd.h>

// Number of workers in a row that may die before they begin a job; then the target is given up.
enum { LOST_LIMIT = 3 };
// Time limit for opening a target; a longer job limit applies to opening too.
enum { OPEN_SECONDS = 30 };
static const double LOOK_EVERY = 0.05; // seconds between two checks of a worker's memory

// ---- polling -----------------------------------------------------------------

void target_watch(struct run_target *t, int fd, int how, uint32_t events)
{
    struct epoll_event ev = {.events = events, .data.fd = fd};
    CHECK(epoll_ctl(t->poll_fd, how, fd, &ev) == 0);
}

void target_set_timeout(struct run_target *t, double seconds)
{
    t->timeout = (struct timeout){0};
    if (seconds > 0)
        timeout_begin(&t->timeout, seconds, now_seconds());
}

// Makes the poll descriptor wake for the next event. The timer is only set if it would wake too
// late or has run out. It may wake for nothing now and then, but many short jobs need no system
// call.
static void set_watches(struct run_target *t)
{
    // A finished result must wake at once: a time in the past.
    double at = t->pending && t->slot[t->head].done ? 1e-6 : t->timeout.next;
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
        struct slot *s = &t->slot[(t->head + i) % RUN_QUEUE_FAR];
        want = !s->done && s->frame.at < s->frame.n;
    }
    if (want != t->want_out && t->worker.pid) {
        target_watch(t, t->worker.fd, EPOLL_CTL_MOD, EPOLLIN | (want ? EPOLLOUT : 0u));
        t->want_out = want;
    }
}

// ---- starting and stopping workers ----------------------------------------------

static double open_seconds(const struct run_target *t)
{
    return t->options.job_seconds > OPEN_SECONDS ? t->options.job_seconds : OPEN_SECONDS;
}

bool target_start_worker(struct run_target *t, struct err *e)
{
    if (!worker_start(&t->worker, &t->plan, t->self, t->options.debugger ? NULL : &t->open, e))
        return false;
    t->grown = false;
    target_watch(t, t->worker.fd, EPOLL_CTL_ADD, EPOLLIN);
    target_watch(t, t->worker.out, EPOLL_CTL_ADD, EPOLLIN);
    t->want_out = false;
    t->ready = false;
    t->open.at = 0;
    for (size_t i = 0; i < RUN_QUEUE_FAR; i++)
        t->slot[i].frame.at = 0;
    target_set_timeout(t, open_seconds(t));
    return true;
}

void target_finish(struct run_target *t, struct slot *s)
{
    s->done = true;
    struct slot *next = target_current(t);
    target_set_timeout(t, next && t->ready ? t->options.job_seconds : 0);
}

void target_set_result(struct slot *s, uint32_t i, enum run_status status, const char *text)
{
    struct run_time spent = {s->results[i].driver_seconds, s->results[i].driver_cpu};
    s->results[i] = (struct run_result){.status = status};
    run_time_add(&s->results[i], spent);
    snprintf(s->results[i].text, sizeof s->results[i].text, "%s", text);
}

// No worker can be started: fails all waiting jobs.
static void give_up(struct run_target *t, const char *why)
{
    snprintf(t->dead, sizeof t->dead, "%s", why);
    for (struct slot *s; (s = target_current(t));) {
        for (uint32_t i = s->got; i < s->n; i++)
            target_set_result(s, i, RUN_FAILED, t->dead);
        target_finish(t, s);
    }
}

void target_skip_after(struct slot *s, uint32_t at)
{
    for (uint32_t i = at + 1; i < s->n; i++)
        target_set_result(s, i, RUN_SKIPPED,
                          "not run: an earlier case of its job ended the worker");
}

void target_lose_worker(struct run_target *t, enum run_status status, const char *text,
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
    struct slot *s = target_current(t);
    if (!t->opened) {
        give_up(t, text ? text : line);
    } else if (s && s->begun) {
        uint32_t at = s->got < s->n ? s->got : s->n - 1;
        target_set_result(s, at, status, text ? text : line);
        s->results[at].outside = outside && status == RUN_CRASHED;
        s->results[at].ended = true;
        if (status == RUN_CRASHED && t->worker.site)
            s->results[at].crash_site = crash_site_hash(t->worker.site);
        if (t->worker.output.n)
            s->results[at].printed =
                arena_strn(&s->arena, t->worker.output.tail, t->worker.output.n);
        target_skip_after(s, at);
        target_finish(t, s);
    } else if (++t->lost >= LOST_LIMIT) {
        char why[700];
        snprintf(why, sizeof why, "%u workers in a row died before they %s; the last: %.500s",
                 t->lost, ready ? "began a job" : "were ready", text ? text : line);
        give_up(t, why);
    }
    target_set_timeout(t, 0);
}

static void ensure_worker(struct run_target *t)
{
    struct err e = {0};
    if (!t->worker.pid && !t->dead[0] && target_current(t) && !target_start_worker(t, &e))
        give_up(t, e.msg);
}

void target_recycle(struct run_target *t)
{
    worker_stop(&t->worker, 0, NULL, 0);
    t->ready = false;
    target_set_timeout(t, 0);
}

// ---- one turn ----------------------------------------------------------------------

static bool send_waiting(struct run_target *t)
{
    if (!worker_send(&t->worker, &t->open))
        return false;
    for (uint32_t i = 0; i < t->pending && t->open.at == t->open.n; i++) {
        struct slot *s = &t->slot[(t->head + i) % RUN_QUEUE_FAR];
        if (s->done)
            continue;
        if (!worker_send(&t->worker, &s->frame))
            return false;
        if (s->frame.at < s->frame.n)
            break;
    }
    return true;
}

void target_settle(struct run_target *t)
{
    ensure_worker(t);
    if (t->worker.pid)
        send_waiting(t); // reading detects that the worker is gone
    set_watches(t);
}

static void look_at_memory(struct run_target *t)
{
    if (!t->worker.pid || !t->ready || now_seconds() < t->look_at)
        return;
    t->look_at = now_seconds() + LOOK_EVERY;
    size_t has = worker_memory(&t->worker);
    struct slot *s = target_current(t);
    t->grown = has > t->worker.memory / 2;
    if (has <= t->worker.memory || !s || !s->begun)
        return;
    char why[120];
    snprintf(why, sizeof why, "it used more than %zu MiB of memory: the worker was killed",
             t->worker.memory >> 20);
    target_lose_worker(t, RUN_MEMORY, why, 0);
}

// CPU time of the processes that do the work.
static struct contain_processors processors(const struct run_target *t)
{
    return t->far ? t->far_has : contain_processors(t->worker.pid);
}

void target_turn(struct run_target *t, double seconds)
{
    target_settle(t);
    struct epoll_event ev[4];
    int ms = seconds <= 0 ? 0 : seconds > 1000 ? 1000000 : (int)(seconds * 1000) + 1;
    int n = epoll_wait(t->poll_fd, ev, 4, ms);
    for (int i = 0; i < n; i++) {
        if (ev[i].data.fd == t->worker.out && t->worker.pid) {
            worker_drain(&t->worker);
        } else if (ev[i].data.fd == t->worker.fd && t->worker.pid) {
            bool alive = worker_receive(&t->worker);
            target_take_frames(t);
            if (!alive && t->worker.pid)
                target_lose_worker(t, RUN_CRASHED, NULL, 2.0);
        }
    }
    look_at_memory(t);
    // Answers that arrived in time have been read by now.
    const double now = now_seconds();
    if (t->worker.pid && t->timeout.next > 0 && now >= t->timeout.next &&
        timeout_over(&t->timeout, now, processors(t))) {
        char why[120];
        snprintf(why, sizeof why, "no answer after %g seconds: the worker was killed",
                 t->timeout.seconds);
        target_lose_worker(t, RUN_HUNG, why, 0);
    }
}
