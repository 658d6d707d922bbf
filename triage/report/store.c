// SPDX-License-Identifier: Apache-2.0
//
// The store whatever is behind it: rows gathered into buckets, marks, identity.
#define _POSIX_C_SOURCE 200809L
#include "store_parts.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

// ---- words -----------------------------------------------------------------------

static const char *const states[STORE_STATES] = {"new", "triaged", "filed", "fixed", "wont"};

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

const char *store_digest(const char *text, size_t size, const char *klass, const char *target,
                         const char *device, char out[STORE_DIGEST])
{
    const char *words[] = {klass, target, device};
    uint64_t h = hash64(text, size);
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        h = hash64_with(h, words[k], strlen(words[k]) + 1);
    snprintf(out, STORE_DIGEST, "%016llx", (unsigned long long)h);
    return out;
}

// ---- the backend's calls -----------------------------------------------------------

struct store *store_open(const char *dir, struct err *e)
{
    return store_sqlite_open(dir, e);
}

void store_close(struct store *s)
{
    if (s)
        s->on->close(s);
}

bool store_put(struct store *s, const struct store_finding *f, bool *added, struct err *e)
{
    return s->on->put(s, f, added, e);
}

bool store_find(struct store *s, struct arena *a, const char *digest, struct store_finding *out,
                bool *there, struct err *e)
{
    return s->on->find(s, a, digest, out, there, e);
}

bool store_mark(struct store *s, const char *bucket, const struct store_mark *m, struct err *e)
{
    struct arena a = {0};
    struct store_mark all;
    bool there = false;
    if (!s->kept)
        return err_set(e, "%s: cannot be written, so a mark cannot be kept", s->dir);
    bool ok = s->on->begin(s, e) && s->on->mark_of(s, &a, bucket, &all, &there, e);
    if (ok && !there)
        ok = err_set(e, "no bucket '%s' in %s", bucket, s->dir);
    if (ok) {
        all.state = m->state;
        all.note = m->note ? m->note : all.note;
        all.link = m->link ? m->link : all.link;
        all.at = m->at ? m->at : (int64_t)time(NULL);
        ok = s->on->mark(s, bucket, &all, e) && s->on->end(s, e);
    }
    if (!ok)
        s->on->give_up(s);
    arena_free(&a);
    return ok;
}

// ---- buckets -----------------------------------------------------------------------

// A better one to look at: it repeats, then the smaller.
static bool better(const struct store_finding *x, const struct store_finding *y)
{
    bool fx = strcmp(x->klass, "flaky") == 0, fy = strcmp(y->klass, "flaky") == 0;
    return fx != fy ? fy : x->words < y->words;
}

static int by_target(const void *x, const void *y)
{
    const struct store_finding *const *p = x, *const *q = y;
    const int order = strcmp((*p)->target, (*q)->target);
    return order ? order : (*p > *q) - (*p < *q);
}

// The bucket's targets: thousands, where each case is run through a pipeline of its own.
static void targets_of(struct arena *a, struct store_bucket *b)
{
    const struct store_finding **sorted = arena_copy(a, b->row, b->findings * sizeof *b->row);
    struct text t = {.arena = a};
    uint32_t n = 0;
    qsort(sorted, b->findings, sizeof *sorted, by_target);
    for (uint32_t i = 0; i < b->findings; i++)
        if (!i || strcmp(sorted[i]->target, sorted[i - 1]->target) != 0)
            text_add(&t, "%s%s", n++ ? ", " : "", sorted[i]->target);
    b->targets = t.v;
    b->target_text =
        n == 1 ? t.v
               : arena_printf(a, "%s and %u other%s", b->best->target, n - 1, n == 2 ? "" : "s");
}

static struct store_bucket bucket_of(const struct store_finding *r,
                                     const struct store_finding **room)
{
    return (struct store_bucket){.name = r->now.bucket,
                                 .signature = r->now.text,
                                 .klass = r->now.klass,
                                 .family = r->now.family,
                                 .op = r->now.op,
                                 .path = r->now.path,
                                 .culprit = r->now.culprit,
                                 .message = r->now.message,
                                 .about = r->now.about,
                                 .sentence = r->now.sentence,
                                 .rule = r->rule,
                                 .taxonomy = r->taxonomy,
                                 .mark = {.note = "", .link = ""},
                                 .first_at = r->found_at,
                                 .last_at = r->found_at,
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
        if (!b || strcmp(b->name, r->now.bucket) != 0) {
            b = VEC_PUSH(a, &v);
            *b = bucket_of(r, room + i);
        }
        b->row[b->findings++] = r;
        b->first_at = r->found_at < b->first_at ? r->found_at : b->first_at;
        b->last_at = r->found_at > b->last_at ? r->found_at : b->last_at;
        if (better(r, b->best))
            b->best = r;
    }
    f->bucket = v.v;
    f->buckets = (uint32_t)v.n;
    for (uint32_t i = 0; i < f->buckets; i++)
        targets_of(a, &f->bucket[i]);
}

bool store_list(struct store *s, struct arena *a, struct store_findings *out, struct err *e)
{
    *out = (struct store_findings){0};
    if (!s->on->read(s, a, out, e))
        return false;
    gather(a, out);
    for (uint32_t i = 0; i < out->buckets; i++) {
        bool there;
        if (!s->on->mark_of(s, a, out->bucket[i].name, &out->bucket[i].mark, &there, e))
            return false;
    }
    order_buckets(a, out->bucket, out->buckets);
    return true;
}
