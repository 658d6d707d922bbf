// SPDX-License-Identifier: Apache-2.0
//
// PostgreSQL as a store of findings (store/backend.h): their records, their files, marks, figures.
#define _POSIX_C_SOURCE 200809L
#include "farm_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

// Larger files are left out: a driver's code for a shader can be large.
enum { FILE_MOST = 16 << 20, ALL_MOST = 256 << 20, DEPTH_MAX = 4 };

static struct farm *of(struct store *s)
{
    return (struct farm *)s;
}

// ---- writing: the files of a folder ------------------------------------------------------------

struct files {
    struct arena *a;
    struct text bodies;
    json_t *paths; // [{path, at, size}]
};

static bool add_folder(struct files *x, const char *folder, const char *below, int depth,
                       struct err *e)
{
    const char **names;
    size_t n;
    bool ok = dir_list(x->a, folder, &names, &n, e);
    for (size_t i = 0; ok && i < n; i++) {
        const char *path = arena_printf(x->a, "%s/%s", folder, names[i]);
        const char *name = arena_printf(x->a, "%s%s", below, names[i]);
        struct stat st;
        char *data;
        size_t size;
        if (lstat(path, &st) != 0)
            continue;
        if (S_ISDIR(st.st_mode) && depth < DEPTH_MAX) {
            ok = add_folder(x, path, arena_printf(x->a, "%s/", name), depth + 1, e);
        } else if (S_ISREG(st.st_mode) && st.st_size <= FILE_MOST && x->bodies.n < ALL_MOST) {
            ok = file_read(x->a, path, FILE_MOST, &data, &size, e);
            json_t *row = ok ? json_pack("{s:s, s:I, s:I}", "path", name, "at",
                                         (json_int_t)x->bodies.n, "size", (json_int_t)size)
                             : NULL;
            if (row) { // a name that is not UTF-8 is not from tanglefuzz
                text_addn(&x->bodies, data, size);
                json_array_append_new(x->paths, row);
            }
        }
    }
    return ok;
}

// Returns the fields that the store's functions need; the record itself is one of the files.
static json_t *row_json(struct arena *a, const struct store_finding *r)
{
    const struct finding *f = &r->f, *shown = store_shown(r);
    // "findings/NAME/reduced/reduced-CLASS" -> "reduced/reduced-CLASS/"
    const char *below =
        r->reduced ? arena_printf(a, "%s/", shown->folder + strlen(f->folder) + 1) : "";
    return json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:o, s:o, s:I, s:I, s:s, s:I, s:I}",
                     "digest", f->digest, "name", f->name, "class",
                     judge_class_name(finding_class(f)), "text", f->verdict.text, "target",
                     f->target, "rule", diag_rule_name(finding_rule(shown)), "taxonomy",
                     diag_bug_class(shown->signature->bug_class), "first",
                     farm_signature(a, f->signature), "now", farm_signature(a, r->now), "words",
                     (json_int_t)shown->words, "first_words", (json_int_t)f->words, "smallest",
                     arena_printf(a, "%scase.spvasm", below), "reproduced",
                     (json_int_t)shown->reproduced, "tries", (json_int_t)shown->tries);
}

// Queries whether the finding is wanted; with `files`, sends it.
static bool ask_or_send(struct farm *f, struct arena *a, int64_t stream,
                        const struct store_sender *by, json_t *finding, const struct files *files,
                        struct store_kept *out, struct err *e)
{
    static const char *const words[STORE_PUTS] = {
        [STORE_ADDED] = "new",
        [STORE_SMALLER] = "smaller",
        [STORE_THERE] = "there",
        [STORE_ENOUGH] = "enough",
    };
    char *text = json_dumps(finding, JSON_COMPACT),
         *paths = files ? json_dumps(files->paths, JSON_COMPACT) : NULL;
    CHECK(text);
    const struct pq_param v[] = {
        {.text = arena_printf(a, "%lld", (long long)stream)},
        {.text = by->name},
        {.text = arena_printf(a, "%d", by->keep ? (int)by->keep : INT32_MAX)},
        {.text = text},
        {.text = paths},
        {.data = files ? files->bodies.v : NULL, .size = files ? files->bodies.n : 0},
    };
    json_t *j = NULL;
    bool ok = pq_json(f->pq, "SELECT tanglefuzz.finding_put($1, $2, $3, $4, $5, $6)", v, 6, &j, e);
    const char *did = json_string_value(json_object_get(j, "did"));
    for (int k = 0; ok && k < STORE_PUTS; k++)
        if (did && strcmp(did, words[k]) == 0)
            out->did = (enum store_put)k;
    out->kept = (uint32_t)json_integer_value(json_object_get(j, "kept"));
    json_decref(j);
    free(text);
    free(paths);
    return ok;
}

// Opens the stream of findings that have no seeds.
static bool stream_of(struct farm *f, const struct finding *x, int64_t *id, struct err *e)
{
    return farm_stream_open(
        f, &(struct farm_stream){x->target, x->device, x->device, 0, "{\"pushed\": true}"}, id, e);
}

static bool put(struct store *s, const struct store_source *x, const struct store_sender *by,
                struct store_kept *out, struct err *e)
{
    const struct finding *is = &x->f->f;
    struct farm *f = of(s);
    struct arena a = {0};
    struct files files = {.a = &a, .bodies = {.arena = &a}, .paths = json_array()};
    int64_t stream = by->stream;
    *out = (struct store_kept){.did = STORE_THERE};
    if (!x->dir)
        return err_set(e, "the store takes findings from folders: copy them into one first");
    json_t *finding = row_json(&a, x->f);
    text_addn(&files.bodies, "", 0);
    bool ok = finding ? (stream || stream_of(f, is, &stream, e)) &&
                            ask_or_send(f, &a, stream, by, finding, NULL, out, e)
                      : err_set(e, "%s/%s: not a finding's folder", x->dir, is->folder);
    if (ok && (out->did == STORE_ADDED || out->did == STORE_SMALLER))
        ok = add_folder(&files, arena_printf(&a, "%s/%s", x->dir, is->folder), "", 0, e) &&
             ask_or_send(f, &a, stream, by, finding, &files, out, e);
    json_decref(files.paths);
    json_decref(finding);
    arena_free(&a);
    return ok;
}

static bool mark(struct store *s, const char *bucket, const struct store_mark *m, bool *there,
                 struct err *e)
{
    return farm_ask(of(s), there, e, "bucket_mark", "ssss", bucket,
                    m->state == STORE_STATES ? NULL : store_state_name(m->state), m->note, m->link);
}

static bool add_campaigns(struct store *s, struct arena *a, const json_t *rows,
                          const struct store_sender *by, uint32_t *n, struct err *e)
{
    bool ok = true, added = false;
    size_t i;
    json_t *row;
    (void)a;
    json_array_foreach(rows, i, row)
    {
        ok = ok && farm_ask(of(s), &added, e, "campaign_put", "sj", by->name, json_incref(row));
        *n += ok && added;
    }
    return ok;
}

// ---- reading -----------------------------------------------------------------------------------

// Other programs write to the store too: a name must not lead out of a folder.
static bool is_inside(const char *path)
{
    for (const char *p = path; *p; p += strcspn(p, "/"), p += *p == '/')
        if (*p == '.' || *p == '/')
            return false;
    return path[0] && path[0] != '/';
}

struct reading {
    struct arena *a;
    VEC(struct store_finding) found;
    VEC(struct store_left) left;
};

// Parses a record of the finding `name` in `folder`. False if it is not understood.
static bool parse(struct reading *x, const struct pq_cell *json, const char *name,
                  const char *folder, struct finding *out)
{
    struct err why = {0};
    const bool ok = finding_parse(x->a, json->v, json->size, NULL, out, &why);
    out->name = name;
    out->folder = folder;
    if (!ok)
        *VEC_PUSH(x->a, &x->left) = (struct store_left){name, arena_str(x->a, why.msg)};
    return ok;
}

// Findings with files: digest, name, time, record; folder and record of the smallest reduction.
#define RECORDS                                                                                    \
    "SELECT f.digest, f.name, extract(epoch FROM f.found)::bigint::text, r.body,"                  \
    " left(f.smallest, -12), s.body FROM tanglefuzz.finding f"                                     \
    " JOIN tanglefuzz.file r ON r.finding = f.id AND r.path = 'finding.json'"                      \
    " LEFT JOIN tanglefuzz.file s ON s.finding = f.id AND f.smallest <> 'case.spvasm'"             \
    " AND s.path = left(f.smallest, -11) || 'finding.json' WHERE f.smallest <> ''"

static bool read_record(void *user, const struct pq_cell *cell, uint32_t n, struct err *e)
{
    struct reading *x = user;
    struct store_finding r = {.reduced = NULL};
    struct finding *small = ARENA_NEW(x->a, struct finding);
    CHECK(n == 6);
    const char *name = arena_str(x->a, cell[1].v);
    if (!is_inside(name) || strchr(name, '/') ||
        strspn(cell[0].v, "0123456789abcdef") != FINDING_DIGEST - 1)
        return err_set(e, "the store: '%s' is not a finding's name", text_printable(x->a, name));
    const char *folder = arena_printf(x->a, "findings/%s", name);
    if (!parse(x, &cell[3], name, folder, &r.f))
        return true;
    r.f.digest = arena_str(x->a, cell[0].v);
    r.f.found_at = r.f.found_at ? r.f.found_at : strtoll(cell[2].v, NULL, 10);
    if (cell[5].size && is_inside(cell[4].v) &&
        parse(x, &cell[5], name, arena_printf(x->a, "%s/%s", folder, cell[4].v), small))
        r.reduced = small;
    r.now = store_shown(&r)->signature;
    *VEC_PUSH(x->a, &x->found) = r;
    return true;
}

static bool read_all(struct store *s, struct arena *a, struct store_findings *out, struct err *e)
{
    struct reading x = {.a = a};
    const bool ok = pq_rows(of(s)->pq, RECORDS, NULL, 0, &x, read_record, e);
    out->row = x.found.v;
    out->rows = (uint32_t)x.found.n;
    out->left = x.left.v;
    out->left_count = (uint32_t)x.left.n;
    return ok;
}

struct texts {
    struct arena *a;
    VEC(const char *) v;
};

static bool read_text(void *user, const struct pq_cell *cell, uint32_t n, struct err *e)
{
    struct texts *x = user;
    (void)e;
    CHECK(n == 1);
    *VEC_PUSH(x->a, &x->v) = arena_str(x->a, cell[0].v);
    return true;
}

static bool each_of(struct store *s, const struct store_choice *c, uint32_t *left, void *user,
                    bool (*each)(void *user, const struct store_finding *f, struct err *e),
                    struct err *e)
{
    struct arena a = {0}, one = {0};
    struct texts digests = {.a = &a};
    const struct pq_param choice[] = {
        {.text = c->top ? arena_printf(&a, "%llu", (unsigned long long)c->top) : NULL},
        {.text = c->bucket}};
    bool ok = pq_rows(of(s)->pq,
                      "SELECT f.digest FROM tanglefuzz.finding_top($1, $2) t"
                      " JOIN tanglefuzz.finding f ON f.id = t.id",
                      choice, 2, &digests, read_text, e);
    for (size_t i = 0; ok && i < digests.v.n; i++) {
        arena_reset(&one);
        struct reading x = {.a = &one};
        const struct pq_param digest[] = {{.text = digests.v.v[i]}};
        ok = pq_rows(of(s)->pq, RECORDS " AND f.digest = $1", digest, 1, &x, read_record, e);
        for (size_t k = 0; ok && k < x.found.n; k++)
            ok = each(user, &x.found.v[k], e);
        *left += x.left.n > 0;
    }
    arena_free(&one);
    arena_free(&a);
    return ok;
}

struct writing {
    struct arena a;
    const char *to;
};

static bool write_file(void *user, const struct pq_cell *cell, uint32_t n, struct err *e)
{
    struct writing *w = user;
    CHECK(n == 2); // path, body
    if (!is_inside(cell[0].v))
        return err_set(e, "the store: '%s' is not a finding's file name",
                       text_printable(&w->a, cell[0].v));
    char *to = arena_printf(&w->a, "%s/%s", w->to, cell[0].v), *slash = strrchr(to, '/');
    *slash = 0;
    bool ok = dir_make(to, e);
    *slash = '/';
    return ok && file_put(to, cell[1].v, cell[1].size, false, e);
}

static bool fetch(struct store *s, const struct store_finding *f, const char *to, struct err *e)
{
    struct writing w = {.to = to};
    const struct pq_param v[] = {{.text = f->f.digest}};
    const bool ok = pq_rows(of(s)->pq,
                            "SELECT x.path, x.body FROM tanglefuzz.file x"
                            " JOIN tanglefuzz.finding f ON f.id = x.finding WHERE f.digest = $1",
                            v, 1, &w, write_file, e);
    arena_free(&w.a);
    return ok;
}

struct marks {
    struct arena *a;
    VEC(struct store_named_mark) v;
};

static bool read_mark(void *user, const struct pq_cell *cell, uint32_t n, struct err *e)
{
    struct marks *x = user;
    struct store_mark m = {.note = arena_str(x->a, cell[2].v),
                           .link = arena_str(x->a, cell[3].v),
                           .at = strtoll(cell[4].v, NULL, 10)};
    (void)e;
    CHECK(n == 5);                             // name, state, note, link, time
    if (store_state_find(cell[1].v, &m.state)) // else: of a newer version
        *VEC_PUSH(x->a, &x->v) = (struct store_named_mark){arena_str(x->a, cell[0].v), m};
    return true;
}

static bool marks(struct store *s, struct arena *a, struct store_named_mark **out, uint32_t *n,
                  struct err *e)
{
    struct marks x = {.a = a};
    const bool ok = pq_rows(of(s)->pq,
                            "SELECT name, state, note, link,"
                            " extract(epoch FROM coalesce(marked_at, first_at))::bigint::text"
                            " FROM tanglefuzz.bucket"
                            " WHERE state <> 'new' OR note <> '' OR link <> ''",
                            NULL, 0, &x, read_mark, e);
    *out = x.v.v;
    *n = (uint32_t)x.v.n;
    return ok;
}

// A row per stream, in the form that campaigns write.
static json_t *campaigns(struct store *store, struct arena *a, struct err *e)
{
    struct farm_status s;
    if (!farm_status(of(store), a, 1, &s, e))
        return NULL;
    json_t *rows = json_array();
    for (uint32_t i = 0; i < s.streams; i++) {
        const struct farm_progress *p = &s.stream[i];
        json_array_append_new(
            rows, json_pack("{s:o, s:s, s:s, s:s, s:s, s:I, s:I, s:I, s:I, s:f}", "campaign",
                            json_sprintf("stream-%lld", (long long)p->id), "type", "summary",
                            "target", p->target, "device", p->driver, "driver", p->driver, "cases",
                            (json_int_t)p->cases, "agreed", (json_int_t)p->agreed, "findings",
                            (json_int_t)p->findings, "live_bits", (json_int_t)p->live_bits,
                            "seconds", p->seconds));
    }
    return rows;
}

static void close_store(struct store *s)
{
    farm_close(of(s));
}

const struct store_backend farm_store_backend = {.close = close_store,
                                                 .each = each_of,
                                                 .fetch = fetch,
                                                 .read = read_all,
                                                 .marks = marks,
                                                 .campaigns = campaigns,
                                                 .put = put,
                                                 .mark = mark,
                                                 .add_campaigns = add_campaigns};

struct store *farm_store(struct farm *f)
{
    return &f->store;
}
