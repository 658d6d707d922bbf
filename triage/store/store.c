// SPDX-License-Identifier: Apache-2.0
//
// The store, independent of the database: buckets, marks, identity.
#define _POSIX_C_SOURCE 200809L
#include "store_parts.h"

#include "base/own.h"

#include <stdlib.h>
#include <string.h>

// ---- names -----------------------------------------------------------------------

static const char *const states[STORE_STATES] = {[STORE_NEW] = "new",
                                                 [STORE_TRIAGED] = "triaged",
                                                 [STORE_FILED] = "filed",
                                                 [STORE_FIXED] = "fixed",
                                                 [STORE_WONT] = "wont"};

const char *store_state_name(enum store_state s)
{
    return (unsigned)s < STORE_STATES ? states[s] : "unknown";
}

bool store_state_find(const char *name, enum store_state *out)
{
    for (int s = 0; s < STORE_STATES; s++)
        if (strcmp(states[s], name) == 0) {
            *out = (enum store_state)s;
            return true;
        }
    return false;
}

// ---- calls to the database ---------------------------------------------------------

struct store *store_open(const char *dir, struct err *e)
{
    return store_sqlite_open(dir, e);
}

struct store *store_updated(const char *dir, struct err *e)
{
    uint32_t added;
    struct store *s = store_open(dir, e);
    if (!s || store_sync(s, dir, &added, e))
        return s;
    store_close(s);
    return NULL;
}

struct store *store_make(const char *dir, struct err *e)
{
    struct arena a = {0};
    struct store *s =
        own_dir(arena_printf(&a, "%s/findings", dir), e) ? store_updated(dir, e) : NULL;
    arena_free(&a);
    return s;
}

void store_close(struct store *s)
{
    if (s)
        s->on->close(s);
}

bool store_put(struct store *s, const char *dir, const struct store_finding *f,
               const struct store_sender *by, struct store_kept *out, struct err *e)
{
    return s->on->put(s, &(struct store_source){.f = f, .dir = dir}, by, out, e);
}

bool store_mark(struct store *s, const char *bucket, const struct store_mark *m, struct err *e)
{
    bool there;
    return s->on->mark(s, bucket, m, &there, e) &&
           (there || err_set(e, "no bucket '%s' in %s", bucket, s->dir[0] ? s->dir : "the store"));
}

bool store_read(const char *dir, struct arena *a, struct store_findings *out, struct err *e)
{
    struct store *s = store_updated(dir, e);
    const bool ok = s && store_list(s, a, out, e);
    store_close(s);
    return ok;
}

// ---- buckets -----------------------------------------------------------------------

// For a first signature: a reduced finding that had it, for the bucket.
struct way {
    const char *first;
    const struct store_finding *to; // a reduced one; NULL: they went to several buckets
};

static int by_first(const void *x, const void *y)
{
    const struct way *p = x, *q = y;
    const int order = strcmp(p->first, q->first);
    return order ? order : (p->to > q->to) - (p->to < q->to);
}

static int way_cmp(const void *name, const void *y)
{
    return strcmp(name, ((const struct way *)y)->first);
}

static int by_bucket(const void *x, const void *y)
{
    const struct store_finding *p = x, *q = y;
    const int order = strcmp(p->now->name, q->now->name);
    const uint32_t x_words = store_shown(p)->words, y_words = store_shown(q)->words;
    return order                ? order
           : x_words != y_words ? (x_words > y_words) - (x_words < y_words)
                                : strcmp(p->f.name, q->f.name);
}

// Moves findings that are not reduced to the bucket of the reduced findings with the same first
// signature, if that is one bucket.
static void follow(struct arena *a, struct store_findings *f)
{
    struct way *w = ARENA_ARRAY(a, struct way, f->rows);
    uint32_t n = 0, kept = 0;
    for (uint32_t i = 0; i < f->rows; i++)
        if (f->row[i].reduced)
            w[n++] = (struct way){f->row[i].f.signature->name, &f->row[i]};
    if (n)
        qsort(w, n, sizeof *w, by_first);
    for (uint32_t i = 0; i < n; i++)
        if (!kept || strcmp(w[kept - 1].first, w[i].first) != 0)
            w[kept++] = w[i];
        else if (w[kept - 1].to && strcmp(w[kept - 1].to->now->name, w[i].to->now->name) != 0)
            w[kept - 1].to = NULL;
    for (uint32_t i = 0; i < f->rows; i++) {
        struct store_finding *r = &f->row[i];
        const struct way *x = r->reduced || r->f.flaky || !kept
                                  ? NULL
                                  : bsearch(r->f.signature->name, w, kept, sizeof *w, way_cmp);
        if (!x || !x->to)
            continue;
        r->presumed = true;
        r->now = x->to->now;
    }
    if (f->rows)
        qsort(f->row, f->rows, sizeof *f->row, by_bucket);
}

// Reports whether x is a better example of its bucket: not presumed, not flaky, then smaller.
static bool better(const struct store_finding *x, const struct store_finding *y)
{
    return x->presumed != y->presumed ? y->presumed
           : x->f.flaky != y->f.flaky ? y->f.flaky
                                      : store_shown(x)->words < store_shown(y)->words;
}

static int by_target(const void *x, const void *y)
{
    const struct store_finding *const *p = x, *const *q = y;
    const int order = strcmp((*p)->f.target, (*q)->f.target);
    return order ? order : (*p > *q) - (*p < *q);
}

// Lists the bucket's targets: there may be thousands, if each case is run with its own pipeline.
static void targets_of(struct arena *a, struct store_bucket *b)
{
    const struct store_finding **sorted = arena_copy(a, b->row, b->findings * sizeof *b->row);
    struct text t = {.arena = a};
    uint32_t n = 0;
    qsort(sorted, b->findings, sizeof *sorted, by_target);
    for (uint32_t i = 0; i < b->findings; i++)
        if (!i || strcmp(sorted[i]->f.target, sorted[i - 1]->f.target) != 0)
            text_add(&t, "%s%s", n++ ? ", " : "", sorted[i]->f.target);
    b->targets = t.v;
    b->target_text =
        n == 1 ? t.v
               : arena_printf(a, "%s and %u other%s", b->best->f.target, n - 1, n == 2 ? "" : "s");
}

static struct store_bucket bucket_of(const struct store_finding *r,
                                     const struct store_finding **room)
{
    return (struct store_bucket){.signature = r->now,
                                 .mark = {.note = "", .link = ""},
                                 .first_at = r->f.found_at,
                                 .last_at = r->f.found_at,
                                 .best = r,
                                 .row = room};
}

static void gather(struct arena *a, struct store_findings *f)
{
    VEC(struct store_bucket) v = {0};
    const struct store_finding **room = ARENA_ARRAY(a, const struct store_finding *, f->rows);
    for (uint32_t i = 0; i < f->rows; i++) {
        const struct store_finding *r = &f->row[i];
        struct store_bucket *b = v.n ? &v.v[v.n - 1] : NULL;
        if (!b || strcmp(b->signature->name, r->now->name) != 0) {
            b = VEC_PUSH(a, &v);
            *b = bucket_of(r, room + i);
        }
        b->row[b->findings++] = r;
        b->presumed += r->presumed;
        b->first_at = r->f.found_at < b->first_at ? r->f.found_at : b->first_at;
        b->last_at = r->f.found_at > b->last_at ? r->f.found_at : b->last_at;
        if (better(r, b->best))
            b->best = r;
    }
    f->bucket = v.v;
    f->buckets = (uint32_t)v.n;
    for (uint32_t i = 0; i < f->buckets; i++)
        targets_of(a, &f->bucket[i]);
}

static int by_bucket_name(const void *x, const void *y)
{
    const struct store_named_mark *p = x, *q = y;
    return strcmp(p->bucket, q->bucket);
}

static const struct store_mark *mark_named(const struct store_named_mark *v, uint32_t n,
                                           const char *bucket)
{
    const struct store_named_mark key = {.bucket = bucket},
                                  *x = n ? bsearch(&key, v, n, sizeof *v, by_bucket_name) : NULL;
    return x ? &x->mark : NULL;
}

// Fills the marks: each bucket's own, or that of a bucket in which one of its findings was before
// reduction.
static bool read_marks(struct store *s, struct arena *a, struct store_findings *f, struct err *e)
{
    struct store_named_mark *v;
    uint32_t n;
    if (!s->on->marks(s, a, &v, &n, e))
        return false;
    if (n)
        qsort(v, n, sizeof *v, by_bucket_name);
    for (uint32_t i = 0; i < f->buckets; i++) {
        struct store_bucket *b = &f->bucket[i];
        const struct store_mark *m = mark_named(v, n, b->signature->name);
        for (uint32_t k = 0; k < b->findings && !m; k++)
            m = mark_named(v, n, b->row[k]->f.signature->name);
        if (m)
            b->mark = *m;
    }
    return true;
}

static bool read_campaigns(struct store *s, struct arena *a, struct store_findings *f,
                           struct err *e)
{
    json_t *rows = s->on->campaigns(s, a, e);
    f->campaigns = (uint32_t)json_array_size(rows);
    f->campaign = ARENA_ARRAY(a, struct store_campaign, f->campaigns);
    for (uint32_t i = 0; i < f->campaigns; i++)
        f->campaign[i] = store_campaign_read(a, json_array_get(rows, i));
    json_decref(rows);
    return rows != NULL;
}

const struct store_bucket *store_bucket_named(const struct store_findings *v, const char *name)
{
    const struct store_bucket *best = NULL;
    uint32_t most = 0;
    for (uint32_t i = 0; i < v->buckets; i++) {
        const struct store_bucket *b = &v->bucket[i];
        uint32_t n = 0;
        if (strcmp(b->signature->name, name) == 0)
            return b;
        for (uint32_t k = 0; k < b->findings; k++)
            n += strcmp(b->row[k]->f.signature->name, name) == 0;
        if (n > most) {
            most = n;
            best = b;
        }
    }
    return best;
}

// Adds what campaigns only counted to the buckets that hold the findings of the same first bucket.
static void add_further(struct store_findings *v)
{
    for (uint32_t i = 0; i < v->campaigns; i++)
        for (uint32_t k = 0; k < v->campaign[i].further_count; k++) {
            const struct store_further *x = &v->campaign[i].further[k];
            const struct store_bucket *b = store_bucket_named(v, x->bucket);
            if (b)
                v->bucket[b - v->bucket].further += x->findings;
        }
}

static int by_text(const void *x, const void *y)
{
    return strcmp(*(char *const *)x, *(char *const *)y);
}

static bool is_among(const char *name, const char **names, uint32_t n)
{
    return n && bsearch(&name, names, n, sizeof *names, by_text);
}

static bool is_new(const struct store_bucket *b, int64_t since, const char **names, uint32_t n)
{
    bool known = true;
    for (uint32_t i = 0; i < b->findings && known; i++)
        known = is_among(b->row[i]->f.signature->name, names, n);
    return b->first_at >= since && !known && !is_among(b->signature->name, names, n);
}

void store_keep_new(struct arena *a, struct store_findings *v, int64_t since,
                    const struct store_findings *before)
{
    const uint32_t n = before ? before->rows : 0;
    const char **names = ARENA_ARRAY(a, const char *, n);
    struct store_finding *row = ARENA_ARRAY(a, struct store_finding, v->rows);
    uint32_t buckets = 0, rows = 0;
    for (uint32_t i = 0; i < n; i++)
        names[i] = before->row[i].now->name;
    if (n)
        qsort(names, n, sizeof *names, by_text);
    for (uint32_t i = 0; i < v->buckets; i++) {
        struct store_bucket b = v->bucket[i];
        const struct store_finding *best = b.best;
        if (!is_new(&b, since, names, n))
            continue;
        for (uint32_t k = 0; k < b.findings; k++) {
            row[rows] = *b.row[k];
            b.best = b.row[k] == best ? &row[rows] : b.best;
            b.row[k] = &row[rows++];
        }
        v->bucket[buckets++] = b;
    }
    v->row = row;
    v->rows = rows;
    v->buckets = buckets;
}

bool store_list(struct store *s, struct arena *a, struct store_findings *out, struct err *e)
{
    *out = (struct store_findings){0};
    if (!s->on->read(s, a, out, e) || !read_campaigns(s, a, out, e))
        return false;
    follow(a, out);
    gather(a, out);
    add_further(out);
    if (!read_marks(s, a, out, e))
        return false;
    order_buckets(a, out->bucket, out->buckets);
    return true;
}
