// SPDX-License-Identifier: Apache-2.0
//
// The findings database: opening, schema and migrations, reading.
#define _POSIX_C_SOURCE 200809L
#include "db.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

// How long one that finds the database locked waits for the others, and how long between two
// looks.
enum { PATIENCE_MS = 20 * 1000, LOOK_MS = 20 };

// One step a version: schema[i] leads from version i to i + 1.
static const char *const schema[REPORT_DB_VERSION] = {
    // 1
    "CREATE TABLE targets(id INTEGER PRIMARY KEY, spec TEXT NOT NULL, family TEXT NOT NULL,"
    "  device TEXT NOT NULL, UNIQUE(spec, device));"
    "CREATE TABLE buckets(name TEXT PRIMARY KEY, signature TEXT NOT NULL, state TEXT NOT NULL"
    "  DEFAULT 'new', note TEXT NOT NULL DEFAULT '');"
    "CREATE TABLE findings(id INTEGER PRIMARY KEY, digest TEXT NOT NULL UNIQUE, name TEXT NOT NULL,"
    "  folder TEXT NOT NULL, target INTEGER NOT NULL REFERENCES targets, class TEXT NOT NULL,"
    "  first_class TEXT NOT NULL, text TEXT NOT NULL, replay TEXT NOT NULL,"
    "  generated TEXT NOT NULL, rule TEXT NOT NULL, taxonomy TEXT NOT NULL,"
    "  first_bucket TEXT NOT NULL REFERENCES buckets, bucket TEXT NOT NULL REFERENCES buckets,"
    "  reduced TEXT NOT NULL DEFAULT '', subgroup INTEGER NOT NULL, words INTEGER NOT NULL,"
    "  live_bits INTEGER NOT NULL, wrong_bits INTEGER NOT NULL, found_at INTEGER NOT NULL);"
    "CREATE TABLE reruns(finding INTEGER NOT NULL REFERENCES findings, folder TEXT NOT NULL,"
    "  reproduced INTEGER NOT NULL, tries INTEGER NOT NULL, UNIQUE(finding, folder));"
    "CREATE TABLE runs(id INTEGER PRIMARY KEY, digest TEXT NOT NULL UNIQUE, json TEXT NOT NULL);",
    // 2: the size before reduction
    "ALTER TABLE findings ADD COLUMN first_words INTEGER NOT NULL DEFAULT 0;"
    "UPDATE findings SET first_words = words;"
    "CREATE INDEX findings_by_bucket ON findings(bucket);",
};

bool db_failed(struct report_db *db, struct err *e)
{
    return err_set(e, "%s: %s", db->path, db->sql ? sqlite3_errmsg(db->sql) : "no database");
}

bool db_exec(struct report_db *db, const char *sql, struct err *e)
{
    return sqlite3_exec(db->sql, sql, NULL, NULL, NULL) == SQLITE_OK || db_failed(db, e);
}

sqlite3_stmt *db_prepare(struct report_db *db, const char *sql, struct err *e)
{
    sqlite3_stmt *s = NULL;
    if (sqlite3_prepare_v2(db->sql, sql, -1, &s, NULL) != SQLITE_OK)
        db_failed(db, e);
    return s;
}

void db_bind_text(sqlite3_stmt *s, int at, const char *text)
{
    sqlite3_bind_text(s, at, text ? text : "", -1, SQLITE_TRANSIENT);
}

static bool version_of(struct report_db *db, int *out, struct err *e)
{
    sqlite3_stmt *s = db_prepare(db, "PRAGMA user_version", e);
    bool ok = s && (sqlite3_step(s) == SQLITE_ROW || db_failed(db, e));
    if (ok)
        *out = sqlite3_column_int(s, 0);
    sqlite3_finalize(s);
    return ok;
}

// Two that migrate at the same time: the second finds it done, for it asks again inside.
static bool migrate(struct report_db *db, struct err *e)
{
    int version = 0;
    if (!version_of(db, &version, e))
        return false;
    if (version == REPORT_DB_VERSION)
        return true;
    if (!db_exec(db, "BEGIN IMMEDIATE", e))
        return false;
    bool ok = version_of(db, &version, e);
    if (ok && version > REPORT_DB_VERSION)
        ok = err_set(e, "%s: made by a newer tanglefuzz (schema %d, this one knows %d)", db->path,
                     version, REPORT_DB_VERSION);
    for (int v = version; ok && v < REPORT_DB_VERSION; v++)
        ok = db_exec(db, schema[v], e);
    char set[64];
    snprintf(set, sizeof set, "PRAGMA user_version = %d", REPORT_DB_VERSION);
    ok = ok && db_exec(db, set, e) && db_exec(db, "COMMIT", e);
    if (!ok)
        db_exec(db, "ROLLBACK", NULL);
    return ok;
}

// The journal is switched by a transaction that reads first and then wants to write. SQLite
// does not wait in the middle of one, whatever the busy timeout: we do.
static bool use_wal(struct report_db *db, struct err *e)
{
    int got = SQLITE_BUSY;
    for (int ms = 0; got == SQLITE_BUSY && ms < PATIENCE_MS; ms += LOOK_MS) {
        if (ms)
            nanosleep(&(struct timespec){.tv_nsec = LOOK_MS * 1000000L}, NULL);
        got = sqlite3_exec(db->sql, "PRAGMA journal_mode = WAL", NULL, NULL, NULL) & 0xff;
    }
    return got == SQLITE_OK || db_failed(db, e);
}

struct report_db *report_db_open(const char *dir, struct err *e)
{
    struct report_db *db = calloc(1, sizeof *db);
    CHECK(db);
    snprintf(db->path, sizeof db->path, "%s/findings.db", dir);
    if (sqlite3_open(db->path, &db->sql) != SQLITE_OK) {
        db_failed(db, e);
        report_db_close(db);
        return NULL;
    }
    sqlite3_busy_timeout(db->sql, PATIENCE_MS);
    if (use_wal(db, e) &&
        db_exec(db, "PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON;", e) && migrate(db, e))
        return db;
    report_db_close(db);
    return NULL;
}

void report_db_close(struct report_db *db)
{
    if (!db)
        return;
    sqlite3_close(db->sql);
    free(db);
}

void signature_split(struct arena *a, const char *text, struct signature_fields *out)
{
    const char *field[7] = {"", "", "", "", "", "", ""};
    char *s = arena_str(a, text);
    for (int k = 0; k < 7 && s; k++) {
        char *end = strchr(s, '|');
        if (end)
            *end = 0;
        field[k] = s;
        s = end ? end + 1 : NULL;
    }
    *out = (struct signature_fields){field[1], field[2], field[3], field[4], field[5], field[6]};
}

// ---- reading ---------------------------------------------------------------------

static const char *column(struct arena *a, sqlite3_stmt *s, int at)
{
    const char *t = (const char *)sqlite3_column_text(s, at);
    return arena_str(a, t ? t : "");
}

static void read_row(struct arena *a, sqlite3_stmt *s, struct report_row *r)
{
    const char **texts[] = {&r->name,   &r->folder,    &r->klass,        &r->first_class,
                            &r->text,   &r->target,    &r->family,       &r->device,
                            &r->replay, &r->generated, &r->rule,         &r->taxonomy,
                            &r->bucket, &r->signature, &r->first_bucket, &r->reduced};
    int at = 1, n = (int)(sizeof texts / sizeof *texts);
    r->id = sqlite3_column_int64(s, 0);
    for (int k = 0; k < n; k++)
        *texts[k] = column(a, s, at++);
    r->subgroup = (uint32_t)sqlite3_column_int64(s, at++);
    r->words = (uint32_t)sqlite3_column_int64(s, at++);
    r->first_words = (uint32_t)sqlite3_column_int64(s, at++);
    r->live_bits = (uint64_t)sqlite3_column_int64(s, at++);
    r->wrong_bits = (uint64_t)sqlite3_column_int64(s, at++);
    r->reproduced = (uint32_t)sqlite3_column_int64(s, at++);
    r->tries = (uint32_t)sqlite3_column_int64(s, at++);
    r->found_at = sqlite3_column_int64(s, at++);
}

static const char ROWS[] =
    "SELECT f.id, f.name, f.folder, f.class, f.first_class, f.text, t.spec, t.family, t.device,"
    " f.replay, f.generated, f.rule, f.taxonomy, f.bucket, b.signature, f.first_bucket, f.reduced,"
    " f.subgroup, f.words, f.first_words, f.live_bits, f.wrong_bits,"
    " (SELECT ifnull(sum(reproduced), 0) FROM reruns WHERE finding = f.id),"
    " (SELECT ifnull(sum(tries), 0) FROM reruns WHERE finding = f.id), f.found_at"
    " FROM findings f JOIN targets t ON t.id = f.target JOIN buckets b ON b.name = f.bucket"
    " ORDER BY f.bucket, f.words, f.name";

// A better one to look at: it repeats, then the smaller.
static bool better(const struct report_row *x, const struct report_row *y)
{
    bool fx = strcmp(x->klass, "flaky") == 0, fy = strcmp(y->klass, "flaky") == 0;
    return fx != fy ? fy : x->words < y->words;
}

static int by_target(const void *x, const void *y)
{
    const struct report_row *const *p = x, *const *q = y;
    const int order = strcmp((*p)->target, (*q)->target);
    return order ? order : (*p > *q) - (*p < *q);
}

// The bucket's targets: thousands, where each case is run through a pipeline of its own.
static void targets_of(struct arena *a, struct report_bucket *b)
{
    const struct report_row **sorted = arena_copy(a, b->row, b->findings * sizeof *b->row);
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

static void gather(struct arena *a, struct report_findings *f)
{
    VEC(struct report_bucket) v = {0};
    for (uint32_t i = 0; i < f->rows; i++) {
        const struct report_row *r = &f->row[i];
        struct report_bucket *b = v.n ? &v.v[v.n - 1] : NULL;
        if (!b || strcmp(b->name, r->bucket) != 0) {
            b = VEC_PUSH(a, &v);
            struct signature_fields s;
            signature_split(a, r->signature, &s);
            *b = (struct report_bucket){.name = r->bucket,
                                        .signature = r->signature,
                                        .klass = s.klass,
                                        .family = s.family,
                                        .op = s.op,
                                        .path = s.path,
                                        .culprit = s.culprit,
                                        .message = s.message,
                                        .rule = r->rule,
                                        .taxonomy = r->taxonomy,
                                        .first_at = r->found_at,
                                        .last_at = r->found_at,
                                        .best = r,
                                        .row =
                                            ARENA_ARRAY(a, const struct report_row *, f->rows - i)};
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
    order_buckets(a, f->bucket, f->buckets);
}

static struct report_campaign campaign_of(struct arena *a, const char *text)
{
    struct report_campaign c = {.json = arena_str(a, text),
                                .target = "",
                                .device = "",
                                .driver = "",
                                .ended = "",
                                .version = ""};
    json_t *j = json_loads(text, 0, NULL);
    const struct {
        const char *key, **to;
    } texts[] = {{"target", &c.target},
                 {"device", &c.device},
                 {"driver", &c.driver},
                 {"ended", &c.ended},
                 {"version", &c.version}};
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
        *texts[k].to = arena_str(a, json_text(j, texts[k].key));
    const struct {
        const char *key;
        uint64_t *to;
    } counts[] = {{"cases", &c.cases},
                  {"agreed", &c.agreed},
                  {"findings", &c.findings},
                  {"live_bits", &c.live_bits}};
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++)
        *counts[k].to = (uint64_t)json_integer_value(json_object_get(j, counts[k].key));
    c.seconds = json_number_value(json_object_get(j, "seconds"));
    json_decref(j);
    return c;
}

bool report_db_read(struct report_db *db, struct arena *a, struct report_findings *out,
                    struct err *e)
{
    *out = (struct report_findings){0};
    VEC(struct report_row) rows = {0};
    VEC(struct report_campaign) campaigns = {0};
    int got = SQLITE_DONE;
    sqlite3_stmt *s = db_prepare(db, ROWS, e);
    if (!s)
        return false;
    while ((got = sqlite3_step(s)) == SQLITE_ROW)
        read_row(a, s, VEC_PUSH(a, &rows));
    sqlite3_finalize(s);
    if (got != SQLITE_DONE)
        return db_failed(db, e);
    s = db_prepare(db, "SELECT json FROM runs ORDER BY id", e);
    if (!s)
        return false;
    while ((got = sqlite3_step(s)) == SQLITE_ROW)
        *VEC_PUSH(a, &campaigns) = campaign_of(a, column(a, s, 0));
    sqlite3_finalize(s);
    if (got != SQLITE_DONE)
        return db_failed(db, e);
    out->row = rows.v;
    out->rows = (uint32_t)rows.n;
    out->campaign = campaigns.v;
    out->campaigns = (uint32_t)campaigns.n;
    gather(a, out);
    return true;
}
