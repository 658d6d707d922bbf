// SPDX-License-Identifier: Apache-2.0
//
// Copies findings, figures and marks of one store into another.
#include "backend.h"

#include <string.h>

struct copy {
    struct store *into, *from;
    const struct store_sender *by;
    struct store_copied *out;
};

static bool copy_one(void *user, const struct store_finding *f, struct err *e)
{
    const struct copy *x = user;
    const bool is_folder = x->from->dir[0];
    const struct store_source source = {
        .f = f, .dir = is_folder ? x->from->dir : NULL, .from = x->from};
    struct store_kept kept;
    if (!x->into->on->put(x->into, &source, x->by, &kept, e))
        return false;
    x->out->put[kept.did]++;
    return true;
}

static bool has_mark(const struct store_named_mark *v, uint32_t n, const char *bucket)
{
    for (uint32_t i = 0; i < n; i++)
        if (strcmp(v[i].bucket, bucket) == 0)
            return true;
    return false;
}

static bool copy_marks(const struct copy *x, struct arena *a, bool all, struct err *e)
{
    struct store_named_mark *v, *old;
    uint32_t n, old_n;
    bool there;
    if (!x->from->on->marks(x->from, a, &v, &n, e) ||
        !x->into->on->marks(x->into, a, &old, &old_n, e))
        return false;
    for (uint32_t i = 0; i < n; i++)
        if ((all || !has_mark(old, old_n, v[i].bucket)) &&
            !x->into->on->mark(x->into, v[i].bucket, &v[i].mark, &there, e))
            return false;
    return true;
}

static bool copy_campaigns(const struct copy *x, struct arena *a, struct err *e)
{
    json_t *rows = x->from->on->campaigns(x->from, a, e);
    const bool ok =
        rows && x->into->on->add_campaigns(x->into, a, rows, x->by, &x->out->campaigns, e);
    json_decref(rows);
    return ok;
}

bool store_copy(struct store *into, struct store *from, const struct store_copying *how,
                struct store_copied *out, struct err *e)
{
    struct copy x = {into, from, &how->by, out};
    struct arena a = {0};
    *out = (struct store_copied){0};
    const bool ok =
        from->on->each(from, &how->choice, &out->left, &x, copy_one, e) &&
        (how->marks == STORE_MARKS_NONE || copy_marks(&x, &a, how->marks == STORE_MARKS_ALL, e)) &&
        copy_campaigns(&x, &a, e);
    arena_free(&a);
    return ok;
}
