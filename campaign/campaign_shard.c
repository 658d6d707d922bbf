// SPDX-License-Identifier: Apache-2.0
//
// A shard, one per job: a thread that generates cases and keeps the queue of each of its workers
// full, so that no target is idle. It generates, predicts and judges here; shards share only the
// figures.
//
// Invariants: a target's jobs are submitted in the order they were generated; no module is
// submitted twice in a row. No target waits for another until AHEAD jobs are open; no job waits for
// a target in quarantine.
#define _POSIX_C_SOURCE 200809L
#include "campaign_parts.h"

#include <poll.h>
#include <string.h>

enum { AHEAD = 16 }; // most open jobs
// Seconds to wait for submitted jobs after an interruption.
static const double GRACE = 0.4;

// ---- submitting --------------------------------------------------------------------

static const struct unit no_unit = {.group = UINT32_MAX};

static void note_last(struct worker_queue *q, struct unit u)
{
    q->used = true;
    q->last = u;
}

// True if the target last got this job's module.
static bool was_last(const struct worker_queue *q, const struct job *j)
{
    return q->used && q->last.seed == j->unit.seed && q->last.group == j->unit.group;
}

static void hand_over(struct shard *s, uint32_t target, struct job *j, struct suspect *x)
{
    struct worker_queue *q = &s->queue[target];
    const struct gen_made *made = &j->form[j->answer[target].form].made;
    const struct spv_case *cases = x ? x->form->predicted[x->input].c : made->cases;
    CHECK(run_submit(q->target, cases, x ? 1 : made->case_count,
                     s->c->group[j->unit.group].gen.subgroup));
    q->ticket[q->n++] = (struct ticket){.job = j, .suspect = x};
    note_last(q, j->unit);
    if (x)
        x->submitted++;
    else
        j->answer[target].state = ANSWER_UNDER_WAY;
}

// Submits a separator case between two runs of the same module, so that a target that returns stale
// results does not appear right the second time. It is the group's simplest program, on which
// little can fail.
static void hand_over_between(struct shard *s, uint32_t target)
{
    struct worker_queue *q = &s->queue[target];
    const uint32_t group = s->c->group_of[target];
    struct gen_made *m = &s->between[group];
    if (!m->case_count)
        gen_make_simplest(&s->arena, &s->c->group[group].gen, false, m);
    CHECK(run_submit(q->target, m->cases, 1, s->c->group[group].gen.subgroup));
    q->ticket[q->n++] = (struct ticket){.job = NULL};
    note_last(q, no_unit);
}

// Returns the oldest job that waits for a target.
static struct job *waiting(const struct shard *s, uint32_t target)
{
    struct job *j = s->jobs;
    while (j && j->answer[target].state != ANSWER_WAITING)
        j = j->next;
    return j;
}

// Returns a suspect to run again now. *repeats: there is one, but the target last got its module.
static struct suspect *suspect_to_run(const struct shard *s, uint32_t target, struct job **job,
                                      bool *repeats)
{
    *repeats = false;
    for (struct job *j = s->jobs; j; j = j->next)
        for (struct suspect *x = j->suspects; x; x = x->next) {
            if (x->target != target || x->waits || x->submitted == CAMPAIGN_RERUNS)
                continue;
            if (!was_last(&s->queue[target], j)) {
                *job = j;
                return x;
            }
            *repeats = true;
        }
    return NULL;
}

// Removes a target in quarantine from the jobs that wait for it. When the quarantine is over, one
// job is submitted to test whether the target works again.
static bool leave_out(struct shard *s, uint32_t target, struct err *e)
{
    struct worker_queue *q = &s->queue[target];
    bool probe = q->n == 0 && now_seconds() >= q->not_before;
    for (struct job *j = s->jobs, *next; j; j = next) {
        next = j->next;
        if (j->answer[target].state == ANSWER_WAITING && probe) {
            run_kill(q->target); // resets its state, so that it is started again
            hand_over(s, target, j, NULL);
            probe = false;
        } else if (j->answer[target].state == ANSWER_WAITING) {
            answer_hold(j, target);
        }
        // Its suspects get no more re-runs.
        if (!answer_conclude(s, j, false, e))
            return false;
    }
    return true;
}

// Fills the queue of one target. Sets *did if something was submitted.
static bool feed(struct shard *s, uint32_t target, bool *did, struct err *e)
{
    struct worker_queue *q = &s->queue[target];
    if (q->quarantined)
        return leave_out(s, target, e);
    while (q->n < run_queue(q->target)) {
        struct job *j = NULL;
        bool repeats;
        struct suspect *x = suspect_to_run(s, target, &j, &repeats);
        if (!x && now_seconds() >= q->not_before)
            j = waiting(s, target);
        if (!j && !repeats)
            break;
        if (j)
            hand_over(s, target, j, x);
        else
            hand_over_between(s, target);
        *did = true;
    }
    return true;
}

// True if a target will soon be idle.
static bool hungry(const struct shard *s)
{
    for (uint32_t t = 0; t < s->queues; t++)
        if (!s->queue[t].quarantined && s->queue[t].n < run_queue(s->queue[t].target) &&
            !waiting(s, t))
            return true;
    return false;
}

// Generates one job if a target needs it and AHEAD allows it.
static bool make_one(struct shard *s, bool *did, struct err *e)
{
    struct campaign *c = s->c;
    struct unit u;
    if (s->in_flight >= AHEAD || !hungry(s) || !campaign_take_unit(c, &u))
        return true;
    *did = true;
    struct job *j = job_new(s);
    j->unit = u;
    struct job **at = &s->jobs;
    while (*at)
        at = &(*at)->next;
    *at = j;
    s->in_flight++;
    const char *kind = "", *why = "";
    const enum job_outcome made = job_make(s, j, &kind, &why);
    if (made == JOB_READY) {
        for (uint32_t t = 0; t < c->o.target_count; t++)
            if (c->group_of[t] == u.group) {
                j->answer[t].state = ANSWER_WAITING;
                j->open++;
            }
    } else if (made == JOB_OWN_BUG && !save_own_bug(s, j, kind, why, e)) {
        return false;
    }
    // A program that is left out, invalid or undefined waits for nothing.
    return j->open || answer_conclude(s, j, false, e);
}

// ---- the loop ----------------------------------------------------------------------

static bool under_way(const struct shard *s)
{
    for (uint32_t t = 0; t < s->queues; t++)
        if (s->queue[t].n)
            return true;
    return false;
}

// Returns how long to wait for an answer before something else can be done.
static double idle_seconds(const struct shard *s)
{
    double now = now_seconds(), least = 0.05;
    for (uint32_t t = 0; t < s->queues; t++) {
        double left = s->queue[t].not_before - now;
        if (left > 0 && left < least)
            least = left;
    }
    return least;
}

// Takes the answers that are ready. If there are none, waits at most `seconds` for one.
static bool take_answers(struct shard *s, double seconds, struct err *e)
{
    struct pollfd fds[CAMPAIGN_TARGETS_MAX];
    if (s->queues == 1 && s->queue[0].n) // a single target needs no poll
        return answer_take(s, 0, seconds, e);
    for (uint32_t t = 0; t < s->queues; t++) // poll ignores a negative descriptor
        fds[t] = (struct pollfd){.fd = s->queue[t].n ? run_fd(s->queue[t].target) : -1,
                                 .events = POLLIN};
    // An interrupted poll counts as a timeout.
    int ready = poll(fds, s->queues, (int)(seconds * 1000) + (seconds > 0));
    for (uint32_t t = 0; t < s->queues && ready > 0; t++)
        if (fds[t].revents && !answer_take(s, t, 0, e))
            return false;
    return true;
}

// True if every target is in quarantine, which ends the campaign.
static bool none_left(struct shard *s)
{
    bool failed = false;
    for (uint32_t t = 0; t < s->queues; t++) {
        if (!s->queue[t].quarantined)
            return false;
        failed |= s->queue[t].failures > 0;
    }
    struct campaign *c = s->c;
    pthread_mutex_lock(&c->lock);
    if (failed)
        s->failed = !err_set(&s->err, "%s", s->why);
    else
        snprintf(c->stats.end_reason, sizeof c->stats.end_reason, "%s", s->why);
    pthread_mutex_unlock(&c->lock);
    atomic_store(&c->stop, true);
    return true;
}

static bool loop(struct shard *s, struct err *e)
{
    struct campaign *c = s->c;
    double finish_at = -1;
    for (;;) {
        bool stop = atomic_load(&c->stop), did = false;
        if (stop && finish_at < 0)
            finish_at = now_seconds() + GRACE;
        if (finish_at >= 0 && now_seconds() >= finish_at)
            return true;
        for (uint32_t t = 0; t < s->queues && !stop; t++)
            if (!feed(s, t, &did, e))
                return false;
        if (none_left(s))
            return true;
        if (!stop && !make_one(s, &did, e))
            return false;
        if (!did && !under_way(s) && (stop || (!s->jobs && !campaign_may_make(c))))
            return true;
        if (!take_answers(s, did ? 0 : idle_seconds(s), e))
            return false;
    }
}

// Drops jobs in progress; with `save`, suspects get folders with the re-runs they had.
static bool drop(struct shard *s, bool save, struct err *e)
{
    for (uint32_t t = 0; t < s->queues; t++) {
        struct worker_queue *q = &s->queue[t];
        if (q->n)
            run_kill(q->target);
        q->n = 0;
    }
    while (s->jobs && save)
        save = answer_conclude(s, s->jobs, true, e);
    bool all = s->jobs == NULL;
    for (struct job *j; (j = s->jobs);) {
        s->jobs = j->next;
        job_free(s, j);
    }
    return all;
}

// ---- the thread --------------------------------------------------------------------

static bool open_targets(struct shard *s)
{
    const struct campaign_options *o = &s->c->o;
    for (uint32_t t = 0; t < o->target_count; t++) {
        struct worker_queue *q = &s->queue[t];
        q->target = run_open(o->targets[t], o->self, &o->run, &s->err);
        if (!q->target)
            return false;
        s->queues++;
    }
    return true;
}

static enum campaign_phase wait_for_phase(struct campaign *c)
{
    pthread_mutex_lock(&c->lock);
    c->opened++;
    pthread_cond_broadcast(&c->moved);
    while (c->phase == PHASE_OPEN)
        pthread_cond_wait(&c->moved, &c->lock);
    enum campaign_phase p = c->phase;
    pthread_mutex_unlock(&c->lock);
    return p;
}

// Opens, runs and closes the targets in one thread, because a worker dies with the thread that
// started it.
void *shard_main(void *shard)
{
    struct shard *s = shard;
    struct campaign *c = s->c;
    s->tools = spv_tools_new();
    s->ok = open_targets(s);
    if (wait_for_phase(c) == PHASE_RUN) {
        struct err first = {0}, later = {0};
        s->ok = loop(s, &first);
        if (!s->ok)
            atomic_store(&c->stop, true);
        // After a failed write, do not try to save more.
        bool saved = drop(s, s->ok, s->ok ? &first : &later);
        s->ok = s->ok && saved && !s->failed;
        if (!s->failed)
            s->err = first;
        pthread_mutex_lock(&c->lock);
        c->running--;
        pthread_cond_broadcast(&c->moved);
        while (c->phase == PHASE_RUN)
            pthread_cond_wait(&c->moved, &c->lock);
        pthread_mutex_unlock(&c->lock);
    }
    for (uint32_t t = 0; t < s->queues; t++)
        run_close(s->queue[t].target);
    for (struct job *j = s->free_jobs; j; j = j->next)
        arena_free(&j->arena);
    spv_tools_free(s->tools);
    arena_free(&s->scratch);
    arena_free(&s->arena);
    return NULL;
}
