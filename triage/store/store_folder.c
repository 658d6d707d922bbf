// SPDX-License-Identifier: Apache-2.0
//
// Updates the store from a campaign's folder: what is new since the last call, and what is gone. A
// finding's folder may have any name.
#define _POSIX_C_SOURCE 200809L
#include "store_parts.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

// ---- one folder ------------------------------------------------------------------------

enum finding_read store_folder_read(struct arena *a, const char *dir, const char *name,
                                    struct store_finding *out, struct err *e)
{
    const char *folder = arena_printf(a, "findings/%s", name);
    struct finding *small = ARENA_NEW(a, struct finding);
    *out = (struct store_finding){0};
    enum finding_read got = finding_read(a, dir, folder, &out->f, e);
    if (got != FINDING_READ)
        return got;
    got = finding_read_reduced(a, dir, folder, small, e);
    if (got == FINDING_FAILED)
        return got;
    out->reduced = got == FINDING_READ ? small : NULL;
    out->now = store_shown(out)->signature;
    return FINDING_READ;
}

// Returns when the finding and its reductions were written; "" without a finding.
static const char *stamp_of(struct arena *a, const char *dir, const char *name)
{
    struct stat f, r = {0};
    if (stat(arena_printf(a, "%s/findings/%s/finding.json", dir, name), &f) != 0)
        return "";
    stat(arena_printf(a, "%s/findings/%s/reduced", dir, name), &r);
    return arena_printf(a, "%lld.%09ld %lld.%09ld %lld", (long long)f.st_mtim.tv_sec,
                        f.st_mtim.tv_nsec, (long long)r.st_mtim.tv_sec, r.st_mtim.tv_nsec,
                        (long long)f.st_size);
}

bool store_folder_put(struct store *s, struct arena *a, const char *dir,
                      const struct store_finding *f, bool *added, struct err *e)
{
    const struct store_folder seen = {f->f.name, stamp_of(a, dir, f->f.name), f->f.digest, ""};
    return store_sqlite_put(s, f, added, e) && store_sqlite_folder(s, &seen, e);
}

// ---- campaign.json ---------------------------------------------------------------------

static void read_further(struct arena *a, const json_t *rows, struct store_campaign *c)
{
    struct store_further *v = ARENA_ARRAY(a, struct store_further, json_array_size(rows));
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t *x = json_array_get(rows, i);
        const json_int_t n = json_integer_value(json_object_get(x, "findings"));
        if (n > 0)
            v[c->further_count++] =
                (struct store_further){arena_str(a, json_text(x, "bucket")), (uint64_t)n};
    }
    c->further = v;
}

static void read_seen(struct arena *a, const json_t *rows, struct store_campaign *c)
{
    struct store_seen *v = ARENA_ARRAY(a, struct store_seen, json_array_size(rows));
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t *x = json_array_get(rows, i);
        const json_int_t n = json_integer_value(json_object_get(x, "seen"));
        if (n > 0)
            v[c->seen_count++] =
                (struct store_seen){arena_str(a, json_text(x, "name")),
                                    arena_str(a, json_text(x, "reason")), (uint64_t)n};
    }
    c->seen = v;
}

struct store_campaign store_campaign_read(struct arena *a, const json_t *j)
{
    char *text = json_dumps(j, JSON_COMPACT);
    struct store_campaign c = {.json = arena_str(a, text ? text : ""),
                               .target = "",
                               .device = "",
                               .driver = "",
                               .ended = "",
                               .version = "",
                               .note = ""};
    free(text);
    const struct {
        const char *key, **to;
    } texts[] = {{"target", &c.target}, {"device", &c.device},   {"driver", &c.driver},
                 {"ended", &c.ended},   {"version", &c.version}, {"note", &c.note}};
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
        *texts[k].to = arena_str(a, json_text(j, texts[k].key));
    const struct {
        const char *key;
        uint64_t *to;
    } counts[] = {{"cases", &c.cases},     {"agreed", &c.agreed},     {"findings", &c.findings},
                  {"skipped", &c.skipped}, {"compiled", &c.compiled}, {"live_bits", &c.live_bits}};
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++)
        *counts[k].to = (uint64_t)json_integer_value(json_object_get(j, counts[k].key));
    c.seconds = json_number_value(json_object_get(j, "seconds"));
    read_further(a, json_object_get(j, "further_by_bucket"), &c);
    read_seen(a, json_object_get(j, "known_bugs"), &c);
    return c;
}

// ---- all folders -------------------------------------------------------------------------

// Removes findings whose folder is gone or changed. `fresh`: the folders to read.
static bool compare(struct store *s, struct arena *a, const char *dir, const char ***fresh,
                    size_t *fresh_n, struct err *e)
{
    struct store_folder *old;
    uint32_t n, k = 0;
    const char **names;
    VEC(const char *) v = {0};
    if (!store_sqlite_folders(s, a, &old, &n, e))
        return false;
    size_t have;
    if (!dir_list(a, arena_printf(a, "%s/findings", dir), &names, &have, e))
        return false;
    for (size_t i = 0; i < have || k < n;) {
        int order = i == have ? 1 : k == n ? -1 : strcmp(names[i], old[k].name);
        if (order == 0 && strcmp(old[k].stamp, stamp_of(a, dir, names[i])) != 0)
            order = 1; // as if it were gone; then it is added again as new
        if (order > 0) {
            // Another folder may hold the same finding: read that one.
            for (uint32_t m = 0; m < n; m++)
                if (m != k && old[k].digest[0] && strcmp(old[m].digest, old[k].digest) == 0)
                    *VEC_PUSH(a, &v) = old[m].name;
            if (!store_sqlite_forget(s, old[k++].name, e))
                return false;
        } else {
            if (order < 0)
                *VEC_PUSH(a, &v) = names[i];
            k += order == 0;
            i++;
        }
    }
    *fresh = v.v;
    *fresh_n = v.n;
    return true;
}

// Reads one folder. A record that is not understood is stored with the reason.
static bool take_in(struct store *s, struct arena *a, const char *dir, const char *name,
                    bool *is_new, struct err *e)
{
    struct store_finding f;
    *is_new = false;
    switch (store_folder_read(a, dir, name, &f, e)) {
    case FINDING_READ:
        return store_folder_put(s, a, dir, &f, is_new, e);
    case FINDING_LEFT: {
        const struct store_folder seen = {name, stamp_of(a, dir, name), "", e->msg};
        return store_sqlite_folder(s, &seen, e);
    }
    case FINDING_NONE:
        return true;
    case FINDING_FAILED:
        break;
    }
    return false;
}

bool store_sync(struct store *s, const char *dir, uint32_t *added, struct err *e)
{
    struct arena a = {0}, one = {0};
    const char **names = NULL;
    size_t n = 0;
    *added = 0;
    bool ok = store_sqlite_begin(s, e) && compare(s, &a, dir, &names, &n, e);
    for (size_t i = 0; ok && i < n; i++) {
        bool is_new;
        arena_reset(&one);
        ok = take_in(s, &one, dir, names[i], &is_new, e);
        *added += is_new;
    }
    ok = ok && store_sqlite_end(s, e);
    if (!ok)
        store_sqlite_give_up(s);
    arena_free(&one);
    arena_free(&a);
    return ok;
}
