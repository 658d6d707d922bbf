// SPDX-License-Identifier: Apache-2.0
//
// Writes findings of the store into a campaign's folder. A finding's folder appears under its name
// only when it is complete.
#define _POSIX_C_SOURCE 200809L
#include "farm_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

struct pull {
    struct arena all, one; // one: for the finding that is being written
    const char *dir;
    struct store *store; // for the findings that are there
    char digest[FINDING_DIGEST];
    const char *name, *tmp; // tmp: NULL if the finding is there already
    uint32_t pulled;
};

// Other programs write to the store too: a name must not lead out of the folder.
static bool is_inside(const char *path)
{
    for (const char *p = path; *p; p += strcspn(p, "/"), p += *p == '/')
        if (*p == '.' || *p == '/')
            return false;
    return path[0] && path[0] != '/';
}

static bool finish(struct pull *p, struct err *e)
{
    bool ok = true;
    if (p->tmp) {
        const char *to = arena_printf(&p->one, "%s/findings/%s", p->dir, p->name);
        if (access(to, F_OK) == 0) // another finding of that name
            to = arena_printf(&p->one, "%s-%s", to, p->digest);
        ok = file_move(p->tmp, to, e);
        p->pulled += ok;
    }
    p->tmp = NULL;
    return ok;
}

static bool begin(struct pull *p, const struct pq_cell *cell, struct err *e)
{
    bool there = false;
    if (!finish(p, e))
        return false;
    arena_reset(&p->one);
    snprintf(p->digest, sizeof p->digest, "%s", cell[0].v);
    p->name = arena_str(&p->one, cell[1].v);
    if (!is_inside(p->name) || strchr(p->name, '/') ||
        strspn(p->digest, "0123456789abcdef") != FINDING_DIGEST - 1)
        return err_set(e, "the store: '%s' is not a finding's name",
                       text_printable(&p->one, p->name));
    if (!store_has(p->store, p->digest, &there, e))
        return false;
    if (!there)
        p->tmp = arena_printf(&p->one, "%s/findings/.%s.tmp%ld", p->dir, p->name, (long)getpid());
    return true;
}

static bool row(void *user, const struct pq_cell *cell, uint32_t n, struct err *e)
{
    struct pull *p = user;
    CHECK(n == 4); // digest, name, path, body
    if (strcmp(cell[0].v, p->digest) != 0 && !begin(p, cell, e))
        return false;
    if (!p->tmp)
        return true;
    if (!is_inside(cell[2].v))
        return err_set(e, "the store: '%s' is not a finding's file name",
                       text_printable(&p->one, cell[2].v));
    char *to = arena_printf(&p->one, "%s/%s", p->tmp, cell[2].v), *slash = strrchr(to, '/');
    *slash = 0;
    bool ok = dir_make(to, e);
    *slash = '/';
    FILE *file = ok ? fopen(to, "wb") : NULL;
    ok = file && fwrite(cell[3].v, 1, cell[3].size, file) == cell[3].size;
    ok = file && fclose(file) == 0 && ok;
    return ok || err_set(e, "%s: cannot be written", to);
}

// Writes a row per stream, in the form that campaigns write.
static bool write_campaigns(const struct farm_status *s, const char *dir, struct err *e)
{
    struct arena a = {0};
    json_t *rows = json_array();
    for (uint32_t i = 0; i < s->streams; i++) {
        const struct farm_progress *p = &s->stream[i];
        json_array_append_new(
            rows, json_pack("{s:o, s:s, s:s, s:s, s:s, s:I, s:I, s:I, s:I, s:f}", "campaign",
                            json_sprintf("stream-%lld", (long long)p->id), "type", "summary",
                            "target", p->target, "device", p->driver, "driver", p->driver, "cases",
                            (json_int_t)p->cases, "agreed", (json_int_t)p->agreed, "findings",
                            (json_int_t)p->findings, "live_bits", (json_int_t)p->live_bits,
                            "seconds", p->seconds));
    }
    json_t *all = json_pack("{s:i, s:o}", "schema", 1, "campaigns", rows);
    char *text = json_dumps(all, JSON_INDENT(2));
    CHECK(text);
    bool ok = file_write(arena_printf(&a, "%s/campaign.json", dir), text, strlen(text), e);
    free(text);
    json_decref(all);
    arena_free(&a);
    return ok;
}

struct marks {
    struct store *store;
    struct store_findings here;
};

static bool mark(void *user, const struct pq_cell *cell, uint32_t n, struct err *e)
{
    const struct marks *x = user;
    struct store_mark m = {.note = cell[2].v, .link = cell[3].v};
    CHECK(n == 4); // name, state, note, link
    for (uint32_t k = 0; k < x->here.buckets; k++)
        if (strcmp(x->here.bucket[k].signature->name, cell[0].v) == 0)
            return !store_state_find(cell[1].v, &m.state) || store_mark(x->store, cell[0].v, &m, e);
    return true;
}

// Copies the marks of the buckets that are here.
static bool write_marks(struct farm *f, struct store *s, struct arena *a, struct err *e)
{
    struct marks x = {.store = s};
    return store_list(s, a, &x.here, e) &&
           pq_rows(f->pq,
                   "SELECT name, state, note, link FROM tanglefuzz.bucket "
                   "WHERE state <> 'new' OR note <> '' OR link <> ''",
                   NULL, 0, &x, mark, e);
}

bool farm_pull(struct farm *f, const char *dir, uint64_t top, const char *bucket, uint32_t *pulled,
               struct err *e)
{
    struct pull p = {.dir = dir};
    struct farm_status status;
    struct pq_param v[] = {{.text = NULL}, {.text = bucket}};
    uint32_t n;
    if (top)
        v[0].text = arena_printf(&p.all, "%llu", (unsigned long long)top);
    bool ok =
        dir_make(arena_printf(&p.all, "%s/findings", dir), e) &&
        (p.store = store_open(dir, e)) != NULL && store_sync(p.store, dir, &n, e) &&
        pq_rows(f->pq, "SELECT digest, name, path, body FROM tanglefuzz.finding_files($1, $2)", v,
                2, &p, row, e) &&
        finish(&p, e) && farm_status(f, &p.all, 1, &status, e) &&
        write_campaigns(&status, dir, e) && store_sync(p.store, dir, &n, e) &&
        write_marks(f, p.store, &p.all, e) &&
        farm_known_get(f, arena_printf(&p.all, "%s/known", dir), &n, e);
    if (p.tmp)
        dir_remove(p.tmp);
    store_close(p.store);
    *pulled = p.pulled;
    arena_free(&p.one);
    arena_free(&p.all);
    return ok;
}
