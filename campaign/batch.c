// SPDX-License-Identifier: Apache-2.0
//
// Selects the findings to reduce, in order, and runs the threads. First some of each bucket; then
// more of those buckets whose reductions ended in different buckets.
#define _POSIX_C_SOURCE 200809L
#include "batch.h"

#include "base/own.h"
#include "reduction_files.h"
#include "report/report.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct item {
    const char *name, *folder, *target;
    uint32_t rank, bucket; // index within its bucket; place of the bucket in order of review
};

struct batch {
    const struct batch_options *o;
    const struct batch_events *ev;
    struct arena arena;
    VEC(struct item) todo;
    double start;

    pthread_mutex_t lock; // for all fields below, and the callbacks
    size_t next;
    struct batch_stats stats;
    bool stop;
};

// ---- selection ---------------------------------------------------------------------------

// Returns the target to open for a finding; NULL if its folder may not choose it.
static const char *target_for(struct arena *a, const struct batch_options *o, const char *declared)
{
    for (uint32_t i = 0; i < o->target_count; i++)
        if (strcmp(diag_without_paths(a, o->targets[i]), declared) == 0)
            return o->targets[i];
    return run_harmless(declared) ? declared : NULL;
}

// A bucket of findings before reduction.
struct group {
    const char *name;
    uint32_t place, has; // place in order of review; findings reduced or selected
    const char *to;      // the bucket that its findings reduced to; NULL: none is reduced
    bool mixed;          // they reduced to several buckets
};
// In a mixed bucket the others cannot be predicted (store.c), so more are selected. Not all,
// because there may be thousands.
enum { MIXED_TIMES = 4 };

static int by_name(const void *x, const void *y)
{
    const struct group *a = x, *b = y;
    const int order = strcmp(a->name, b->name);
    return order ? order : (a->place > b->place) - (a->place < b->place);
}

static int by_rank(const void *x, const void *y)
{
    const struct item *a = x, *b = y;
    return a->rank != b->rank       ? (a->rank > b->rank) - (a->rank < b->rank)
           : a->bucket != b->bucket ? (a->bucket > b->bucket) - (a->bucket < b->bucket)
                                    : strcmp(a->name, b->name);
}

static struct group *group_of(struct group *v, uint32_t n, const char *name)
{
    uint32_t from = 0, to = n;
    while (to - from > 1) {
        const uint32_t middle = from + (to - from) / 2;
        if (strcmp(v[middle].name, name) <= 0)
            from = middle;
        else
            to = middle;
    }
    return &v[from];
}

// Returns the buckets before reduction, each once, sorted by name, with their earliest place in
// review.
static struct group *groups_of(struct arena *a, const struct store_findings *v, uint32_t *n)
{
    struct group *g = ARENA_ARRAY(a, struct group, v->rows);
    uint32_t count = 0, kept = 0;
    for (uint32_t b = 0; b < v->buckets; b++)
        for (uint32_t i = 0; i < v->bucket[b].findings; i++)
            g[count++] = (struct group){.name = v->bucket[b].row[i]->f.signature->name, .place = b};
    if (count)
        qsort(g, count, sizeof *g, by_name);
    for (uint32_t i = 0; i < count; i++)
        if (!kept || strcmp(g[kept - 1].name, g[i].name) != 0)
            g[kept++] = g[i];
    *n = kept;
    for (uint32_t i = 0; i < v->rows; i++) {
        const struct store_finding *f = &v->row[i];
        struct group *x = f->reduced ? group_of(g, kept, f->f.signature->name) : NULL;
        if (!x)
            continue;
        x->mixed |= x->to && strcmp(x->to, f->now->name) != 0;
        x->to = f->now->name;
    }
    return g;
}

static bool is_reduced(struct arena *a, const struct batch_options *o,
                       const struct store_finding *f)
{
    return f->reduced &&
           !reduction_files_unfinished(a, arena_printf(a, "%s/%s/reduced", o->dir, f->f.folder));
}

// Fills b->todo. `again`: second round, only for mixed buckets; the figures are already set.
static void plan(struct batch *b, const struct store_findings *v, bool again)
{
    struct arena *a = &b->arena;
    uint32_t n;
    struct group *g = groups_of(a, v, &n);
    struct batch_stats none = {0}, *s = again ? &none : &b->stats;
    s->first_buckets = v->buckets;
    b->todo.n = b->next = 0;
    for (int pass = 0; pass < 2; pass++) // finished ones first: they count for their bucket
        for (uint32_t k = 0; k < v->buckets; k++)
            for (uint32_t i = 0; i < v->bucket[k].findings; i++) {
                const struct store_finding *f = v->bucket[k].row[i];
                struct group *x = group_of(g, n, f->f.signature->name);
                const uint32_t most = b->o->per_bucket * (x->mixed ? MIXED_TIMES : 1);
                const bool done = is_reduced(a, b->o, f), enough = most && x->has >= most;
                if (done != (pass == 0) || (again && !done && !x->mixed))
                    continue;
                if (f->f.flaky && !done) {
                    s->flaky++;
                } else if (done) {
                    s->before++;
                    x->has++;
                } else if (enough) {
                    s->unasked++;
                } else {
                    *VEC_PUSH(a, &b->todo) =
                        (struct item){f->f.name, f->f.folder, f->f.target, x->has++, x->place};
                }
            }
    if (b->todo.n)
        qsort(b->todo.v, b->todo.n, sizeof *b->todo.v, by_rank);
    b->stats.of += (uint32_t)b->todo.n;
    b->stats.unasked -= again ? (uint32_t)b->todo.n : 0;
}

// ---- one reduction -----------------------------------------------------------------------

struct one {
    struct batch *b;
    uint64_t added; // candidates already added to the figures
};

// Updates the figures and calls tick; the lock is held. Returns whether to continue.
static bool look(struct batch *b)
{
    struct batch_stats *s = &b->stats;
    s->seconds = now_seconds() - b->start;
    if (b->o->seconds > 0 && s->seconds >= b->o->seconds)
        b->stop = s->out_of_time = true;
    if (!b->stop && !b->ev->tick(b->ev->user, s))
        b->stop = s->stopped = true;
    return !b->stop;
}

static void begin(void *user, const struct reduction *r)
{
    (void)user;
    (void)r;
}

static bool tick(void *user, const struct red_stats *s)
{
    struct one *x = user;
    pthread_mutex_lock(&x->b->lock);
    x->b->stats.candidates += s->candidates - x->added;
    x->added = s->candidates;
    const bool on = look(x->b);
    pthread_mutex_unlock(&x->b->lock);
    return on;
}

// `share`: number of threads for this reduction.
static void reduce_one(struct batch *b, struct arena *a, struct spv_tools *tools,
                       const struct item *f, uint32_t share)
{
    const struct batch_options *o = b->o;
    struct one x = {.b = b};
    struct reduction r;
    struct err e = {0};
    const struct reduction_options given = {
        .target = target_for(a, o, f->target),
        .self = o->self,
        .input = arena_printf(a, "%s/%s/case.spvasm", o->dir, f->folder),
        .dir = arena_printf(a, "%s/%s/reduced", o->dir, f->folder),
        .run = o->run,
        .seconds = o->each,
        .jobs = share,
        .choices = true,
        .module = true,
        .bisect = true,
    };
    const struct reduction_events ev = {.user = &x, .begin = begin, .tick = tick};
    bool ok =
        given.target ||
        err_set(
            &e,
            "give --target: the folder names '%s', and a folder may not choose a program to run",
            f->target);
    ok = ok && own_dir(given.dir, &e) && reduction_run(a, tools, &given, &ev, &r, &e);
    pthread_mutex_lock(&b->lock);
    b->stats.running--;
    b->stats.done += ok;
    b->stats.failed += !ok;
    b->ev->done(b->ev->user, f->name, ok ? &r : NULL, e.msg);
    look(b);
    pthread_mutex_unlock(&b->lock);
}

static void *work(void *user)
{
    struct batch *b = user;
    struct arena a = {0};
    struct spv_tools *tools = spv_tools_new();
    for (;;) {
        pthread_mutex_lock(&b->lock);
        const bool more = look(b) && b->next < b->todo.n;
        const struct item *f = more ? &b->todo.v[b->next++] : NULL;
        b->stats.running += more;
        // The last reductions share the idle threads.
        const size_t left = b->todo.n - b->next + b->stats.running;
        const uint32_t share = left && left < b->o->jobs ? b->o->jobs / (uint32_t)left : 1;
        pthread_mutex_unlock(&b->lock);
        if (!f)
            break;
        arena_reset(&a);
        reduce_one(b, &a, tools, f, share);
    }
    spv_tools_free(tools);
    arena_free(&a);
    return NULL;
}

// ---- all of them -------------------------------------------------------------------------

static bool gather(struct arena *a, const char *dir, struct store_findings *v, struct err *e)
{
    if (!dir_exists(arena_printf(a, "%s/findings", dir)))
        return err_set(e, "%s: not a campaign folder (no readable findings/ in it)", dir);
    return store_read(dir, a, v, e);
}

bool batch_run(const struct batch_options *o, const struct batch_events *ev,
               struct batch_stats *out, struct err *e)
{
    struct batch b = {.o = o, .ev = ev, .start = now_seconds()};
    struct store_findings v;
    pthread_t thread[BATCH_JOBS_MAX];
    uint32_t n = 0;
    CHECK(o->jobs >= 1 && o->jobs <= BATCH_JOBS_MAX);
    CHECK(pthread_mutex_init(&b.lock, NULL) == 0);
    const bool is_folder = dir_exists(o->dir);
    const int lock = is_folder ? dir_lock(o->dir, 0, e) : -1;
    bool ok = (lock >= 0 || (!is_folder && err_set(e, "%s: no such folder", o->dir))) &&
              gather(&b.arena, o->dir, &v, e);
    for (int round = 0; ok && round < 2 && !b.stop; round++) {
        plan(&b, &v, round > 0);
        for (; n < o->jobs; n++)
            CHECK(pthread_create(&thread[n], NULL, work, &b) == 0);
        while (n)
            pthread_join(thread[--n], NULL);
        ok = gather(&b.arena, o->dir, &v, e);
        b.stats.buckets = v.buckets;
    }
    b.stats.seconds = now_seconds() - b.start;
    *out = b.stats;
    if (lock >= 0)
        close(lock);
    pthread_mutex_destroy(&b.lock);
    arena_free(&b.arena);
    return ok;
}
