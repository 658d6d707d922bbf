// SPDX-License-Identifier: Apache-2.0
//
// A thread that renews the lease of a range while it runs, and sends its findings as they are
// found. The campaign does not wait for it, even if the store is down.
#define _POSIX_C_SOURCE 200809L
#include "work_parts.h"

#include <string.h>
#include <time.h>

enum { BEATS = 4 }; // renewals in the time of a lease
// Seconds after which an unused connection is returned to the server; calls in shorter intervals
// share one.
static const double HOLD = 0.5;

static bool may_wait(void *user)
{
    const struct sender *s = user;
    return !atomic_load(&s->leave);
}

static void away(void *user, const char *why, double waited)
{
    const struct sender *s = user;
    if (s->w->ev->away)
        s->w->ev->away(s->w->ev->user, why, waited);
}

static void add_tally(struct sender *s, const struct diag_signature *g)
{
    struct arena *a = &s->arena;
    for (size_t i = 0; i < s->tally.n; i++)
        if (strcmp(s->tally.v[i].signature->name, g->name) == 0) {
            s->tally.v[i].n++;
            return;
        }
    *VEC_PUSH(a, &s->tally) = (struct farm_tally){arena_copy(a, g, sizeof *g), 1};
}

static bool transmit(struct sender *s, const struct to_send *x, struct err *e)
{
    struct arena a = {0};
    struct store_finding f;
    const struct store_sender by = {s->w->o->owner.name, s->stream, s->w->o->keep};
    struct store_kept k = {.did = STORE_THERE};
    const enum finding_read got = store_folder_read(&a, x->dir, x->name, &f, e);
    if (got != FINDING_READ) {
        arena_free(&a);
        return got == FINDING_NONE
                   ? err_set(e, "%s/findings/%s: cannot be read back", x->dir, x->name)
                   : false;
    }
    bool ok = store_put(farm_store(s->w->farm), x->dir, &f, &by, &k, e);
    pthread_mutex_lock(&s->lock);
    if (ok && !x->again) {
        add_tally(s, f.f.signature);
        s->counts[k.did]++;
        if (k.did == STORE_ADDED && k.kept <= WORK_REDUCED && s->w->o->reduce > 0 && !f.f.flaky)
            *VEC_PUSH(&s->arena, &s->reduce) = x->name;
    }
    pthread_mutex_unlock(&s->lock);
    arena_free(&a);
    return ok;
}

static bool beat(struct sender *s, struct err *e)
{
    bool mine = true;
    if (!farm_beat(s->w->farm, &s->range, &s->w->o->owner, &mine, e))
        return false;
    if (!mine)
        atomic_store(&s->lost, true);
    return true;
}

static void *speak(void *user)
{
    struct sender *s = user;
    const double every = s->w->o->owner.lease_seconds / BEATS;
    double next = now_seconds() + every;
    farm_patience(s->w->farm, &(struct farm_patience){s->w->o->patience, s, may_wait, away});
    pthread_mutex_lock(&s->lock);
    while (!atomic_load(&s->lost) && !atomic_load(&s->failed)) {
        const bool to_send = s->sent < s->queue.n, to_beat = now_seconds() >= next;
        if (!to_send && !to_beat) {
            if (s->end)
                break;
            farm_idle(s->w->farm, HOLD);
            struct timespec t;
            clock_gettime(CLOCK_MONOTONIC, &t);
            t.tv_nsec += 100 * 1000 * 1000;
            t.tv_sec += t.tv_nsec / 1000000000;
            t.tv_nsec %= 1000000000;
            pthread_cond_timedwait(&s->moved, &s->lock, &t);
            continue;
        }
        const struct to_send x = to_send ? s->queue.v[s->sent] : (struct to_send){0};
        pthread_mutex_unlock(&s->lock);
        struct err e = {0};
        bool ok = !to_beat || beat(s, &e);
        next = to_beat ? now_seconds() + every : next;
        ok = ok && (!to_send || atomic_load(&s->lost) || transmit(s, &x, &e));
        pthread_mutex_lock(&s->lock);
        s->sent += ok && to_send;
        if (!ok) {
            s->err = e;
            atomic_store(&s->failed, true);
        }
        pthread_cond_broadcast(&s->moved);
    }
    pthread_cond_broadcast(&s->moved);
    pthread_mutex_unlock(&s->lock);
    return NULL;
}

void sender_start(struct sender *s, struct work *w, const struct farm_range *r, const char *out)
{
    pthread_condattr_t steady;
    *s = (struct sender){.w = w, .range = *r, .out = out, .stream = r->stream};
    pthread_mutex_init(&s->lock, NULL);
    pthread_condattr_init(&steady);
    pthread_condattr_setclock(&steady, CLOCK_MONOTONIC);
    pthread_cond_init(&s->moved, &steady);
    pthread_condattr_destroy(&steady);
    CHECK(pthread_create(&s->thread, NULL, speak, s) == 0);
}

void sender_add(struct sender *s, const char *dir, const char *name, bool again)
{
    pthread_mutex_lock(&s->lock);
    *VEC_PUSH(&s->arena, &s->queue) = (struct to_send){dir, arena_str(&s->arena, name), again};
    pthread_cond_broadcast(&s->moved);
    pthread_mutex_unlock(&s->lock);
}

bool sender_drain(struct sender *s)
{
    pthread_mutex_lock(&s->lock);
    while (s->sent < s->queue.n && !atomic_load(&s->lost) && !atomic_load(&s->failed)) {
        pthread_mutex_unlock(&s->lock);
        const bool on = s->w->ev->tick(s->w->ev->user, NULL);
        pthread_mutex_lock(&s->lock);
        if (!on)
            atomic_store(&s->leave, true);
        struct timespec t;
        clock_gettime(CLOCK_MONOTONIC, &t);
        t.tv_sec += t.tv_nsec >= 950000000;
        t.tv_nsec = (t.tv_nsec + 50000000) % 1000000000;
        pthread_cond_timedwait(&s->moved, &s->lock, &t);
    }
    const bool ok = s->sent == s->queue.n;
    pthread_mutex_unlock(&s->lock);
    return ok;
}

bool sender_stop(struct sender *s, struct err *e)
{
    pthread_mutex_lock(&s->lock);
    s->end = true;
    pthread_cond_broadcast(&s->moved);
    pthread_mutex_unlock(&s->lock);
    pthread_join(s->thread, NULL);
    for (int k = 0; k < STORE_PUTS; k++)
        *(k == STORE_THERE    ? &s->w->n->there
          : k == STORE_ENOUGH ? &s->w->n->enough
                              : &s->w->n->sent) += s->counts[k];
    if (atomic_load(&s->failed))
        return err_set(e, "%s", s->err.msg);
    return !atomic_load(&s->lost) ||
           err_set(e,
                   "seeds %llu to %llu: another worker has them now (this one did not answer for "
                   "%.0f s, or its index was handed out again)",
                   (unsigned long long)s->range.first, (unsigned long long)s->range.end - 1,
                   s->w->o->owner.lease_seconds);
}

void sender_free(struct sender *s)
{
    pthread_mutex_destroy(&s->lock);
    pthread_cond_destroy(&s->moved);
    arena_free(&s->arena);
}
