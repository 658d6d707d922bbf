// SPDX-License-Identifier: Apache-2.0
#include "lookup.h"

#include "campaign/found.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

// A bucket that holds one finding.
static const struct store_bucket *alone(struct arena *a, const struct store_finding *f)
{
    struct store_bucket *b = ARENA_NEW(a, struct store_bucket);
    const struct store_finding **row = ARENA_ARRAY(a, const struct store_finding *, 1);
    row[0] = f;
    *b = (struct store_bucket){.signature = f->now,
                               .targets = store_shown(f)->target,
                               .target_text = store_shown(f)->target,
                               .mark = {.note = "", .link = ""},
                               .findings = 1,
                               .first_at = f->f.found_at,
                               .last_at = f->f.found_at,
                               .best = f,
                               .row = row};
    return b;
}

// Returns the bucket of that name, or the one that holds the finding of that name.
static const struct store_bucket *named(struct arena *a, const struct store_findings *v,
                                        const char *name)
{
    const struct store_bucket *b = store_bucket_named(v, name);
    for (uint32_t i = 0; i < v->rows && !b; i++)
        if (strcmp(v->row[i].f.name, name) == 0)
            b = alone(a, &v->row[i]);
    return b;
}

// The name of a bucket that is close to `name`; NULL: none.
static const char *near_name(struct arena *a, const struct store_findings *v, const char *name)
{
    const char **names = ARENA_ARRAY(a, const char *, v->buckets);
    for (uint32_t i = 0; i < v->buckets; i++)
        names[i] = v->bucket[i].signature->name;
    return text_nearest(name, names, v->buckets);
}

static bool in_campaign(struct context *x, const char *dir, const char *name, bool first,
                        struct looked *out)
{
    struct arena *a = &x->arena;
    struct store_findings *v = ARENA_NEW(a, struct store_findings);
    if (!store_read(dir, a, v, &x->e))
        return false;
    out->dir = dir;
    out->bucket = name                                           ? named(a, v, name)
                  : v->buckets == 1 || (first && v->buckets > 1) ? &v->bucket[0]
                                                                 : NULL;
    out->others = !name && v->buckets > 1 ? v : NULL;
    if (out->bucket)
        return true;
    if (!v->buckets)
        return err_set(&x->e, "%s: has no findings", dir);
    if (!name)
        return err_set(&x->e,
                       "%s has %u buckets: name one of them (tanglefuzz report %s lists them)", dir,
                       v->buckets, dir);
    const char *near = near_name(a, v, name);
    return err_set(&x->e,
                   near ? "%s: no bucket or finding '%s'; did you mean '%s'?"
                        : "%s: no bucket or finding '%s' (tanglefuzz report %s lists them)",
                   dir, name, near ? near : dir);
}

bool lookup_folder(struct context *x, const char *word, struct looked *out)
{
    struct arena *a = &x->arena;
    const char *folder, *path;
    struct store_finding *f = ARENA_NEW(a, struct store_finding);
    struct finding *small = ARENA_NEW(a, struct finding);
    if (!found_case(a, word, &folder, &path, &x->e))
        return false;
    if (!folder)
        return err_set(
            &x->e, "%s: a file; name a finding's folder, or a campaign and a bucket of it", word);
    const char *slash = strrchr(folder, '/');
    const char *name = slash ? slash + 1 : folder;
    out->dir = slash ? arena_strn(a, folder, (size_t)(slash - folder)) : ".";
    switch (finding_read(a, out->dir, name, &f->f, &x->e)) {
    case FINDING_NONE:
        return err_set(&x->e, "%s: not a finding's folder (it has no finding.json)", word);
    case FINDING_LEFT:
    case FINDING_FAILED:
        return false;
    case FINDING_READ:
        break;
    }
    if (finding_read_reduced(a, out->dir, name, small, &x->e) == FINDING_READ)
        f->reduced = small;
    f->now = store_shown(f)->signature;
    out->bucket = alone(a, f);
    return true;
}

bool lookup(struct context *x, bool first, struct looked *out)
{
    const char *word = x->words[0], *name = x->n > 1 ? x->words[1] : NULL;
    struct stat st;
    *out = (struct looked){0};
    if (stat(word, &st) != 0)
        return err_set(&x->e, "%s: %s", word, strerror(errno));
    if (found_campaign(&x->arena, word))
        return in_campaign(x, word, name, first, out);
    return name ? err_set(&x->e, "%s is not a campaign's folder, so '%s' cannot be a bucket of it",
                          word, name)
                : lookup_folder(x, word, out);
}
