// SPDX-License-Identifier: Apache-2.0
//
// Distributes candidates to threads. Input: a list of candidates, most wanted first. Output: the
// first interesting one. Threads take candidates in order, and none starts one after an interesting
// one, so the result does not depend on the number of threads. A rejected candidate is not tested
// again. With one job, the caller's thread does the work.
#define _POSIX_C_SOURCE 200809L
#include "inner.h"

#include <errno.h>
#include <pthread.h>
#include <time.h>

static const double TICK = 0.1;

struct red_worker {
    struct red_search *s;
    uint32_t worker;
    pthread_t thread;
    struct arena work, kept; // `kept` holds the case below
    uint32_t found;          // index of `c`; UINT32_MAX: none
    struct spv_case c;
};

struct red_search {
    const struct red_options *o;
    const struct red_events *ev;
    struct red_stats *stats;
    struct arena arena;
    double start;
    bool timed_out, interrupted, unsaved;

    pthread_mutex_t lock; // protects everything below
    pthread_cond_t work, done;
    const struct red_maker *m;
    uint32_t next, n, found, busy;
    uint64_t candidates, cached;
    bool quit;
    struct {
        uint64_t *v; // open addressing; 0: free
        size_t size, used;
    } seen;
    VEC(uint64_t) news; // rejected since the last report
    struct red_worker red_worker[RED_JOBS_MAX];
};

// ---- rejected candidates ---------------------------------------------------------------

static uint64_t *seen_slot(struct red_search *s, uint64_t hash)
{
    size_t at = (size_t)hash & (s->seen.size - 1);
    while (s->seen.v[at] && s->seen.v[at] != hash)
        at = (at + 1) & (s->seen.size - 1);
    return &s->seen.v[at];
}

static void seen_add(struct red_search *s, uint64_t hash)
{
    if (2 * (s->seen.used + 1) > s->seen.size) {
        uint64_t *old = s->seen.v;
        size_t n = s->seen.size;
        s->seen.size = n ? 2 * n : 4096;
        s->seen.v = ARENA_ARRAY(&s->arena, uint64_t, s->seen.size);
        for (size_t i = 0; i < n; i++)
            if (old[i])
                *seen_slot(s, old[i]) = old[i];
    }
    uint64_t *slot = seen_slot(s, hash);
    s->seen.used += *slot == 0;
    *slot = hash;
}

static bool seen_has(struct red_search *s, uint64_t hash)
{
    return s->seen.size && *seen_slot(s, hash) == hash;
}

// ---- threads ------------------------------------------------------------------------

static uint32_t end_of(const struct red_search *s)
{
    return s->found < s->n ? s->found : s->n;
}

// Tests one candidate, without the lock. True if it is interesting.
static bool try_one(struct red_search *s, struct red_worker *red_worker, uint32_t index,
                    uint64_t *hash)
{
    arena_reset(&red_worker->work);
    struct spv_case c;
    *hash = 0;
    if (!s->m->make(s->m->user, &red_worker->work, index, &c))
        return false;
    *hash = red_hash(&c);
    *hash += *hash == 0;
    pthread_mutex_lock(&s->lock);
    bool known = seen_has(s, *hash);
    s->cached += known;
    s->candidates += !known;
    pthread_mutex_unlock(&s->lock);
    if (known) {
        *hash = 0;
        return false;
    }
    if (!s->ev->ask(s->ev->user, red_worker->worker, &red_worker->work, &c, s->m->generated))
        return false;
    red_worker->c = c;
    return true;
}

// Takes the next candidate and records the result. Called with the lock, which is released during
// the test.
static void try_next(struct red_search *s, struct red_worker *red_worker)
{
    uint32_t index = s->next++;
    uint64_t hash;
    s->busy++;
    pthread_mutex_unlock(&s->lock);
    bool good = try_one(s, red_worker, index, &hash);
    pthread_mutex_lock(&s->lock);
    s->busy--;
    if (good && index < s->found) {
        struct arena swap = red_worker->work;
        red_worker->work = red_worker->kept;
        red_worker->kept = swap;
        red_worker->found = s->found = index;
    } else if (!good && hash) {
        seen_add(s, hash);
        *VEC_PUSH(&s->arena, &s->news) = hash;
    }
}

static void *serve(void *user)
{
    struct red_worker *red_worker = user;
    struct red_search *s = red_worker->s;
    pthread_mutex_lock(&s->lock);
    while (!s->quit) {
        if (!s->m || s->next >= end_of(s)) {
            pthread_cond_wait(&s->work, &s->lock);
            continue;
        }
        try_next(s, red_worker);
        if (s->busy == 0 && s->next >= end_of(s))
            pthread_cond_signal(&s->done);
    }
    pthread_mutex_unlock(&s->lock);
    if (s->ev->leave)
        s->ev->leave(s->ev->user, red_worker->worker);
    return NULL;
}

struct red_search *search_start(struct arena *a, const struct red_options *o,
                                const struct red_events *ev, struct red_stats *stats)
{
    struct red_search *s = ARENA_NEW(a, struct red_search);
    CHECK(o->jobs >= 1 && o->jobs <= RED_JOBS_MAX);
    s->o = o;
    s->ev = ev;
    s->stats = stats;
    s->start = now_seconds();
    for (size_t i = 0; i < o->known_count; i++)
        seen_add(s, o->known[i]);
    pthread_condattr_t attr;
    CHECK(pthread_condattr_init(&attr) == 0);
    CHECK(pthread_condattr_setclock(&attr, CLOCK_MONOTONIC) == 0);
    CHECK(pthread_mutex_init(&s->lock, NULL) == 0);
    CHECK(pthread_cond_init(&s->work, NULL) == 0 && pthread_cond_init(&s->done, &attr) == 0);
    pthread_condattr_destroy(&attr);
    for (uint32_t i = 0; i < o->jobs; i++) {
        s->red_worker[i].s = s;
        s->red_worker[i].worker = i;
        if (o->jobs > 1)
            CHECK(pthread_create(&s->red_worker[i].thread, NULL, serve, &s->red_worker[i]) == 0);
    }
    return s;
}

void search_stop(struct red_search *s)
{
    pthread_mutex_lock(&s->lock);
    s->quit = true;
    pthread_cond_broadcast(&s->work);
    pthread_mutex_unlock(&s->lock);
    for (uint32_t i = 0; i < s->o->jobs; i++) {
        if (s->o->jobs > 1)
            CHECK(pthread_join(s->red_worker[i].thread, NULL) == 0);
        else if (s->ev->leave)
            s->ev->leave(s->ev->user, i);
        arena_free(&s->red_worker[i].work);
        arena_free(&s->red_worker[i].kept);
    }
    pthread_mutex_destroy(&s->lock);
    pthread_cond_destroy(&s->work);
    pthread_cond_destroy(&s->done);
    arena_free(&s->arena);
}

// ---- the caller's thread --------------------------------------------------------------

enum red_end search_end(const struct red_search *s)
{
    return s->unsaved       ? RED_UNSAVED
           : s->interrupted ? RED_INTERRUPTED
           : s->timed_out   ? RED_TIME
                            : RED_MINIMAL;
}

// Called with the lock. Reports progress and rejected candidates, and stops the search if requested
// or out of time.
static void tick(struct red_search *s)
{
    struct red_stats *st = s->stats;
    st->seconds = now_seconds() - s->start;
    st->candidates = s->candidates;
    st->cached = s->cached;
    st->at = s->next < s->n ? s->next : s->n;
    st->of = s->n;
    for (size_t i = 0; i < s->news.n; i++)
        if (s->ev->refused)
            s->ev->refused(s->ev->user, s->news.v[i]);
    s->news.n = 0;
    if (!s->ev->tick(s->ev->user, st))
        s->interrupted = true;
    if (s->o->seconds > 0 && st->seconds >= s->o->seconds)
        s->timed_out = true;
    if (search_end(s) != RED_MINIMAL && s->next < s->n)
        s->next = s->n;
}

uint32_t search_first(struct red_search *s, struct arena *a, const struct red_maker *m,
                      uint32_t from, uint32_t n, struct spv_case *out)
{
    if (search_end(s) != RED_MINIMAL)
        return UINT32_MAX;
    if (from >= n)
        return n;
    pthread_mutex_lock(&s->lock);
    s->m = m;
    s->next = from;
    s->n = s->found = n;
    for (uint32_t i = 0; i < s->o->jobs; i++)
        s->red_worker[i].found = UINT32_MAX;
    pthread_cond_broadcast(&s->work);
    for (double last = now_seconds(); s->o->jobs == 1 && s->next < end_of(s);) {
        try_next(s, &s->red_worker[0]);
        if (now_seconds() - last >= TICK) {
            tick(s);
            last = now_seconds();
        }
    }
    while (s->busy || s->next < end_of(s)) {
        struct timespec until;
        clock_gettime(CLOCK_MONOTONIC, &until);
        until.tv_nsec += (long)(TICK * 1e9);
        until.tv_sec += until.tv_nsec / 1000000000;
        until.tv_nsec %= 1000000000;
        if (pthread_cond_timedwait(&s->done, &s->lock, &until) == ETIMEDOUT)
            tick(s);
    }
    s->m = NULL;
    tick(s);
    uint32_t found = s->found;
    pthread_mutex_unlock(&s->lock);
    for (uint32_t i = 0; i < s->o->jobs; i++)
        if (found < n && s->red_worker[i].found == found)
            red_copy(a, &s->red_worker[i].c, out);
    return found < n ? found : search_end(s) != RED_MINIMAL ? UINT32_MAX : n;
}

bool search_accept(struct red_search *s, const struct spv_case *c)
{
    struct red_stats *st = s->stats;
    st->improvements++;
    st->seconds = now_seconds() - s->start;
    uint32_t choices = st->now.choices;
    red_measure(c, &st->now);
    st->now.choices = choices;
    if (!s->ev->better(s->ev->user, c, st))
        s->unsaved = true;
    return !s->unsaved;
}
