// SPDX-License-Identifier: Apache-2.0
//
// The store behind a campaign's folder: SQLite in WAL mode, DIR/findings.db. All SQL is here.
#define _POSIX_C_SOURCE 200809L
#include "store_parts.h"

#include <pthread.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

// How long one that finds the database locked waits for the others, and how long between two
// looks.
enum { LOCK_TIMEOUT_MS = 20 * 1000, LOOK_MS = 20, KEPT = 24 };

// The steps that lead to version 6; what the folders tell is not kept from before.
static const char FROM_1_OR_2[] =
    "DROP TABLE reruns; DROP TABLE findings; DROP TABLE targets; DROP TABLE runs;"
    "ALTER TABLE buckets RENAME TO old_buckets;"
    "ALTER TABLE old_buckets ADD COLUMN link TEXT NOT NULL DEFAULT '';"
    "ALTER TABLE old_buckets ADD COLUMN marked_at INTEGER NOT NULL DEFAULT 0;";
static const char FROM_3_TO_5[] = "DROP TABLE findings; DROP TABLE folders; DROP TABLE runs;"
                                  "ALTER TABLE buckets RENAME TO old_buckets;";
static const char SCHEMA[] =
    "CREATE TABLE buckets(name TEXT PRIMARY KEY, signature TEXT NOT NULL, family TEXT NOT NULL,"
    "  class TEXT NOT NULL, op TEXT NOT NULL, path TEXT NOT NULL, message TEXT NOT NULL,"
    "  culprit TEXT NOT NULL, about TEXT NOT NULL DEFAULT '',"
    "  sentence TEXT NOT NULL DEFAULT '', state TEXT NOT NULL DEFAULT 'new', note TEXT NOT NULL "
    "DEFAULT '',  link TEXT NOT NULL DEFAULT '', marked_at INTEGER NOT NULL DEFAULT 0);"
    "CREATE TABLE findings(digest TEXT PRIMARY KEY, name TEXT NOT NULL, folder TEXT NOT NULL,"
    "  reduced TEXT NOT NULL, class TEXT NOT NULL, first_class TEXT NOT NULL, text TEXT NOT NULL,"
    "  target TEXT NOT NULL, family TEXT NOT NULL, device TEXT NOT NULL, driver TEXT NOT NULL, "
    "replay TEXT NOT NULL,  generated TEXT NOT NULL, rule TEXT NOT NULL, taxonomy TEXT NOT NULL, "
    "promise TEXT NOT NULL,  bucket TEXT NOT NULL REFERENCES buckets, first_bucket TEXT NOT NULL "
    "REFERENCES buckets,  subgroup INTEGER NOT NULL, words INTEGER NOT NULL, first_words INTEGER "
    "NOT NULL,"
    "  live_bits INTEGER NOT NULL, wrong_bits INTEGER NOT NULL, reproduced INTEGER NOT NULL,"
    "  tries INTEGER NOT NULL, found_at INTEGER NOT NULL) WITHOUT ROWID;"
    "CREATE INDEX findings_by_bucket ON findings(bucket, words, name);"
    "CREATE INDEX findings_by_folder ON findings(folder);"
    "CREATE TABLE folders(name TEXT PRIMARY KEY, stamp TEXT NOT NULL, digest TEXT NOT NULL)  "
    "WITHOUT ROWID;CREATE INDEX folders_by_digest ON folders(digest);"
    "CREATE TABLE runs(id INTEGER PRIMARY KEY, json TEXT NOT NULL);";
static const char KEEP_MARKS[] =
    "INSERT INTO buckets(name, signature, family, class, op, path, message, culprit, state, note,  "
    "link, marked_at)  SELECT name, signature, '', '', '', '', '', '', state, note, link, "
    "marked_at  FROM old_buckets  WHERE state <> 'new' OR note <> '';"
    "DROP TABLE old_buckets;";

struct sqlite_store {
    struct store store;
    sqlite3 *sql;
    char path[1100];
    struct { // statements that were prepared, by the address of their text
        const char *text;
        sqlite3_stmt *made;
    } kept[KEPT];
    int kept_n;
};

static struct sqlite_store *of(struct store *s)
{
    return (struct sqlite_store *)s;
}

static bool failed(struct sqlite_store *db, struct err *e)
{
    return err_set(e, "%s: %s", db->path, db->sql ? sqlite3_errmsg(db->sql) : "no database");
}

static bool exec(struct sqlite_store *db, const char *sql, struct err *e)
{
    return sqlite3_exec(db->sql, sql, NULL, NULL, NULL) == SQLITE_OK || failed(db, e);
}

// A statement, ready to be bound; NULL with a line. `sql` is a literal. done() after each use.
static sqlite3_stmt *prepare(struct sqlite_store *db, const char *sql, struct err *e)
{
    sqlite3_stmt *s = NULL;
    for (int k = 0; k < db->kept_n; k++)
        if (db->kept[k].text == sql)
            return db->kept[k].made;
    CHECK(db->kept_n < KEPT);
    if (sqlite3_prepare_v2(db->sql, sql, -1, &s, NULL) != SQLITE_OK) {
        failed(db, e);
        return NULL;
    }
    db->kept[db->kept_n].text = sql;
    db->kept[db->kept_n++].made = s;
    return s;
}

static void done(sqlite3_stmt *s)
{
    if (!s)
        return;
    sqlite3_reset(s);
    sqlite3_clear_bindings(s);
}

static void close_sql(struct sqlite_store *db)
{
    for (int k = 0; k < db->kept_n; k++)
        sqlite3_finalize(db->kept[k].made);
    sqlite3_close(db->sql);
}

static void bind(sqlite3_stmt *s, int at, const char *text)
{
    sqlite3_bind_text(s, at, text ? text : "", -1, SQLITE_TRANSIENT);
}

// The statement with these texts, to its end.
static bool run(struct sqlite_store *db, const char *sql, const char *const *texts, int n,
                struct err *e)
{
    sqlite3_stmt *s = prepare(db, sql, e);
    if (!s)
        return false;
    for (int k = 0; k < n; k++)
        bind(s, k + 1, texts[k]);
    int got = sqlite3_step(s);
    bool ok = got == SQLITE_DONE || got == SQLITE_ROW || failed(db, e);
    done(s);
    return ok;
}

// ---- memory --------------------------------------------------------------------------

static sqlite3_mem_methods theirs; // SQLite's own allocator

static void *room(int n)
{
    void *p = theirs.xMalloc(n);
    return p ? p : (out_of_memory(), NULL);
}

static void *more_room(void *old, int n)
{
    void *p = theirs.xRealloc(old, n);
    return p ? p : (out_of_memory(), NULL);
}

// A text that SQLite has no memory for would be read as none.
static void memory_ends(void)
{
    sqlite3_config(SQLITE_CONFIG_GETMALLOC, &theirs);
    sqlite3_mem_methods ours = theirs;
    ours.xMalloc = room;
    ours.xRealloc = more_room;
    sqlite3_config(SQLITE_CONFIG_MALLOC, &ours);
}

static void prepare_sqlite(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, memory_ends);
}

// ---- opening -------------------------------------------------------------------------

static void close_db(struct store *s)
{
    close_sql(of(s));
    free(s);
}

static bool begin(struct store *s, struct err *e)
{
    return exec(of(s), "BEGIN IMMEDIATE", e);
}
static bool end(struct store *s, struct err *e)
{
    return exec(of(s), "COMMIT", e);
}
static void give_up(struct store *s)
{
    exec(of(s), "ROLLBACK", NULL);
}

static bool version_of(struct sqlite_store *db, int *out, struct err *e)
{
    sqlite3_stmt *s = prepare(db, "PRAGMA user_version", e);
    bool ok = s && (sqlite3_step(s) == SQLITE_ROW || failed(db, e));
    if (ok)
        *out = sqlite3_column_int(s, 0);
    done(s);
    return ok;
}

// Two that migrate at the same time: the second finds it done, for it asks again inside.
static bool migrate(struct sqlite_store *db, struct err *e)
{
    int version = 0;
    if (!version_of(db, &version, e))
        return false;
    if (version == STORE_VERSION)
        return true;
    if (!exec(db, "PRAGMA foreign_keys = OFF; BEGIN IMMEDIATE", e))
        return false;
    bool ok = version_of(db, &version, e);
    if (ok && version > STORE_VERSION)
        ok = err_set(e, "%s: made by a newer tanglefuzz (schema %d, this one knows %d)", db->path,
                     version, STORE_VERSION);
    if (ok && version < STORE_VERSION)
        ok = (!version || exec(db, version < 3 ? FROM_1_OR_2 : FROM_3_TO_5, e)) &&
             exec(db, SCHEMA, e) && (!version || exec(db, KEEP_MARKS, e));
    char set[64];
    snprintf(set, sizeof set, "PRAGMA user_version = %d", STORE_VERSION);
    ok = ok && exec(db, set, e) && exec(db, "COMMIT", e);
    if (!ok)
        exec(db, "ROLLBACK", NULL);
    return ok;
}

// The journal is switched by a transaction that reads first and then wants to write. SQLite
// does not wait in the middle of one, whatever the busy timeout: we do.
static bool use_wal(struct sqlite_store *db, struct err *e)
{
    int got = SQLITE_BUSY;
    for (int ms = 0; got == SQLITE_BUSY && ms < LOCK_TIMEOUT_MS; ms += LOOK_MS) {
        if (ms)
            nanosleep(&(struct timespec){.tv_nsec = LOOK_MS * 1000000L}, NULL);
        got = sqlite3_exec(db->sql, "PRAGMA journal_mode = WAL", NULL, NULL, NULL) & 0xff;
    }
    return got == SQLITE_OK || failed(db, e);
}

// A folder of others may hold a link in a file's place: it is neither read nor written through.
static bool no_links(const char *path, struct err *e)
{
    static const char *const tails[] = {"", "-wal", "-shm", "-journal"};
    struct arena a = {0};
    bool ok = true;
    for (size_t k = 0; ok && k < sizeof tails / sizeof *tails; k++) {
        const char *file = arena_printf(&a, "%s%s", path, tails[k]);
        struct stat st;
        if (lstat(file, &st) == 0 && !S_ISREG(st.st_mode))
            ok = err_set(e, "%s: is no file of its own (a link?): remove it", file);
    }
    arena_free(&a);
    return ok;
}

// ---- writing ---------------------------------------------------------------------------

static bool put_bucket(struct sqlite_store *db, const struct store_signature *g, struct err *e)
{
    const char *texts[] = {g->bucket, g->text,    g->family,  g->klass, g->op,
                           g->path,   g->message, g->culprit, g->about, g->sentence};
    return run(db,
               "INSERT INTO buckets(name, signature, family, class, op, path, message, culprit,"
               " about, sentence) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT(name) DO UPDATE"
               " SET family = ?3, class = ?4, op = ?5, path = ?6, message = ?7, culprit = ?8,"
               " about = ?9, sentence = ?10",
               texts, 10, e);
}

static bool is_there(struct sqlite_store *db, const char *digest, bool *out, struct err *e)
{
    sqlite3_stmt *s = prepare(db, "SELECT 1 FROM findings WHERE digest = ?", e);
    if (!s)
        return false;
    bind(s, 1, digest);
    int got = sqlite3_step(s);
    *out = got == SQLITE_ROW;
    done(s);
    return got == SQLITE_ROW || got == SQLITE_DONE || failed(db, e);
}

#define COLUMNS                                                                                    \
    "digest, name, folder, reduced, class, first_class, text, target, family, device, driver, "    \
    "replay,"                                                                                      \
    " generated, rule, taxonomy, promise, bucket, first_bucket, subgroup, words, first_words, "    \
    "live_bits,"                                                                                   \
    " wrong_bits, reproduced, tries, found_at"

static bool put_finding(struct store *store, const struct store_finding *f, bool *added,
                        struct err *e)
{
    struct sqlite_store *db = of(store);
    bool there = false;
    *added = false;
    if (!is_there(db, f->digest, &there, e) || !put_bucket(db, &f->first, e) ||
        !put_bucket(db, &f->now, e))
        return false;
    // What a reduction changes is taken over; of the times the first counts.
    sqlite3_stmt *s = prepare(
        db,
        "INSERT INTO findings(" COLUMNS ") VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11,"
        " ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22, ?23, ?24, ?25, ?26)"
        " ON CONFLICT(digest) DO UPDATE SET reduced = ?4, rule = ?14, taxonomy = ?15, promise = "
        "?16, bucket = ?17, first_bucket = ?18, words = ?20, first_words = ?21, reproduced = ?24, "
        "tries = ?25, found_at = min(found_at, ?26)",
        e);
    if (!s)
        return false;
    const char *texts[] = {f->digest,      f->name,       f->folder,      f->reduced, f->klass,
                           f->first_class, f->text,       f->target,      f->family,  f->device,
                           f->driver,      f->replay,     f->generated,   f->rule,    f->taxonomy,
                           f->promise,     f->now.bucket, f->first.bucket};
    const int64_t numbers[] = {
        f->subgroup,   f->words, f->first_words, (int64_t)f->live_bits, (int64_t)f->wrong_bits,
        f->reproduced, f->tries, f->found_at};
    int at = 1;
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
        bind(s, at++, texts[k]);
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
        sqlite3_bind_int64(s, at++, numbers[k]);
    bool ok = sqlite3_step(s) == SQLITE_DONE || failed(db, e);
    done(s);
    *added = ok && !there;
    return ok;
}

static bool put_mark(struct store *s, const char *bucket, const struct store_mark *m, struct err *e)
{
    char at[24];
    snprintf(at, sizeof at, "%lld", (long long)m->at);
    const char *texts[] = {bucket, store_state_name(m->state), m->note, m->link, at};
    return run(
        of(s),
        "UPDATE buckets SET state = ?2, note = ?3, link = ?4, marked_at = ?5 WHERE name = ?1",
        texts, 5, e);
}

static bool campaigns(struct store *s, const char *const *json, uint32_t n, struct err *e)
{
    bool ok = exec(of(s), "DELETE FROM runs", e);
    for (uint32_t i = 0; ok && i < n; i++)
        ok = run(of(s), "INSERT INTO runs(json) VALUES(?)", &json[i], 1, e);
    return ok;
}

static bool folder(struct store *s, const struct store_folder *f, struct err *e)
{
    const char *texts[] = {f->name, f->stamp, f->digest};
    return run(of(s), "INSERT OR REPLACE INTO folders(name, stamp, digest) VALUES(?, ?, ?)", texts,
               3, e);
}

static bool forget(struct store *s, const char *name, struct err *e)
{
    return run(of(s), "DELETE FROM findings WHERE folder = 'findings/' || ?1", &name, 1, e) &&
           run(of(s), "DELETE FROM folders WHERE name = ?1", &name, 1, e);
}

// ---- reading ---------------------------------------------------------------------

static const char *column(struct arena *a, sqlite3_stmt *s, int at)
{
    const char *t = (const char *)sqlite3_column_text(s, at);
    return arena_str(a, t ? t : "");
}

#define ROWS                                                                                       \
    "SELECT f.digest, f.name, f.folder, f.reduced, f.class, f.first_class, f.text, f.target,"      \
    " f.family, f.device, f.driver, f.replay, f.generated, f.rule, f.taxonomy, f.promise, "        \
    "f.first_bucket, b.name,"                                                                      \
    " b.signature, b.family, b.class, b.op, b.path, b.message, b.culprit, b.about, b.sentence,"    \
    " f.subgroup, f.words, f.first_words, f.live_bits, f.wrong_bits, f.reproduced, f.tries, "      \
    "f.found_at"                                                                                   \
    " FROM findings f JOIN buckets b ON b.name = f.bucket"

static void read_row(struct arena *a, sqlite3_stmt *s, struct store_finding *r)
{
    const char **texts[] = {&r->digest,       &r->name,        &r->folder,      &r->reduced,
                            &r->klass,        &r->first_class, &r->text,        &r->target,
                            &r->family,       &r->device,      &r->driver,      &r->replay,
                            &r->generated,    &r->rule,        &r->taxonomy,    &r->promise,
                            &r->first.bucket, &r->now.bucket,  &r->now.text,    &r->now.family,
                            &r->now.klass,    &r->now.op,      &r->now.path,    &r->now.message,
                            &r->now.culprit,  &r->now.about,   &r->now.sentence};
    int at = 0, n = (int)(sizeof texts / sizeof *texts);
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

static bool find(struct store *store, struct arena *a, const char *digest,
                 struct store_finding *out, bool *there, struct err *e)
{
    struct sqlite_store *db = of(store);
    sqlite3_stmt *s = prepare(db, ROWS " WHERE f.digest = ?", e);
    *there = false;
    if (!s)
        return false;
    bind(s, 1, digest);
    int got = sqlite3_step(s);
    *there = got == SQLITE_ROW;
    if (*there)
        read_row(a, s, out);
    done(s);
    return got == SQLITE_ROW || got == SQLITE_DONE || failed(db, e);
}

static struct store_mark mark_at(struct arena *a, sqlite3_stmt *s, int at)
{
    struct store_mark m = {.note = column(a, s, at + 1),
                           .link = column(a, s, at + 2),
                           .at = sqlite3_column_int64(s, at + 3)};
    store_state_find(column(a, s, at), &m.state); // new, where a newer one wrote another
    return m;
}

static bool mark_of(struct store *store, struct arena *a, const char *bucket,
                    struct store_mark *out, bool *there, struct err *e)
{
    struct sqlite_store *db = of(store);
    sqlite3_stmt *s =
        prepare(db, "SELECT state, note, link, marked_at FROM buckets WHERE name = ?", e);
    *there = false;
    if (!s)
        return false;
    bind(s, 1, bucket);
    int got = sqlite3_step(s);
    *there = got == SQLITE_ROW;
    if (*there)
        *out = mark_at(a, s, 0);
    done(s);
    return got == SQLITE_ROW || got == SQLITE_DONE || failed(db, e);
}

static bool folders(struct store *store, struct arena *a, struct store_folder **out, uint32_t *n,
                    struct err *e)
{
    struct sqlite_store *db = of(store);
    VEC(struct store_folder) v = {0};
    sqlite3_stmt *s = prepare(db, "SELECT name, stamp, digest FROM folders ORDER BY name", e);
    int got = SQLITE_DONE;
    while (s && (got = sqlite3_step(s)) == SQLITE_ROW)
        *VEC_PUSH(a, &v) = (struct store_folder){column(a, s, 0), column(a, s, 1), column(a, s, 2)};
    done(s);
    *out = v.v;
    *n = (uint32_t)v.n;
    return s && (got == SQLITE_DONE || failed(db, e));
}

static bool read_all(struct store *store, struct arena *a, struct store_findings *out,
                     struct err *e)
{
    struct sqlite_store *db = of(store);
    VEC(struct store_finding) rows = {0};
    VEC(struct store_campaign) runs = {0};
    int got = SQLITE_DONE;
    sqlite3_stmt *s = prepare(db, ROWS " ORDER BY f.bucket, f.words, f.name", e);
    if (!s)
        return false;
    while ((got = sqlite3_step(s)) == SQLITE_ROW)
        read_row(a, s, VEC_PUSH(a, &rows));
    done(s);
    if (got != SQLITE_DONE)
        return failed(db, e);
    s = prepare(db, "SELECT json FROM runs ORDER BY id", e);
    if (!s)
        return false;
    while ((got = sqlite3_step(s)) == SQLITE_ROW)
        *VEC_PUSH(a, &runs) = store_campaign_read(a, column(a, s, 0));
    done(s);
    out->row = rows.v;
    out->rows = (uint32_t)rows.n;
    out->campaign = runs.v;
    out->campaigns = (uint32_t)runs.n;
    return got == SQLITE_DONE || failed(db, e);
}

// ---- the backend ---------------------------------------------------------------------

static const struct store_backend SQLITE = {close_db, begin,    end,     give_up,  put_finding,
                                            find,     read_all, mark_of, put_mark, campaigns,
                                            folders,  folder,   forget};

struct store *store_sqlite_open(const char *dir, struct err *e)
{
    prepare_sqlite();
    struct sqlite_store *db = mem_new(sizeof *db);
    db->store.on = &SQLITE;
    snprintf(db->store.dir, sizeof db->store.dir, "%s", dir);
    snprintf(db->path, sizeof db->path, "%s/findings.db", db->store.dir);
    struct stat st;
    db->store.kept = access(dir, W_OK) == 0 || stat(dir, &st) != 0;
    bool ok = no_links(db->path, e) &&
              (sqlite3_open(db->store.kept ? db->path : ":memory:", &db->sql) == SQLITE_OK ||
               failed(db, e));
    if (ok)
        sqlite3_busy_timeout(db->sql, LOCK_TIMEOUT_MS);
    if (ok && (!db->store.kept || use_wal(db, e)) && exec(db, "PRAGMA synchronous = NORMAL", e) &&
        migrate(db, e) && exec(db, "PRAGMA foreign_keys = ON", e))
        return &db->store;
    close_db(&db->store);
    return NULL;
}

// "/a b?" -> "/a%20b%3f": a path inside of a URI.
static const char *escaped(struct arena *a, const char *path)
{
    struct text t = {.arena = a};
    for (const char *p = path; *p; p++)
        text_add(&t, strchr("%?# ", *p) ? "%%%02x" : "%c", (unsigned)(unsigned char)*p);
    return t.v;
}

bool store_sqlite_marks(const char *dir, struct arena *a, struct store_named_mark **out,
                        uint32_t *n, struct err *e)
{
    prepare_sqlite();
    struct sqlite_store db = {0};
    VEC(struct store_named_mark) v = {0};
    snprintf(db.path, sizeof db.path, "%s/findings.db", dir);
    *out = NULL;
    *n = 0;
    if (access(db.path, F_OK) != 0)
        return true;
    // Immutable: nothing is made beside it, and it need not be writable.
    const char *uri = arena_printf(a, "file:%s?immutable=1", escaped(a, db.path));
    int version = 0, got = SQLITE_DONE;
    bool ok =
        no_links(db.path, e) &&
        (sqlite3_open_v2(uri, &db.sql, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, NULL) == SQLITE_OK ||
         failed(&db, e)) &&
        version_of(&db, &version, e);
    sqlite3_stmt *s = NULL;
    if (ok && version >= 3) {
        s = prepare(
            &db, "SELECT name, state, note, link, marked_at FROM buckets WHERE marked_at > 0", e);
        ok = s != NULL;
    }
    while (s && (got = sqlite3_step(s)) == SQLITE_ROW)
        *VEC_PUSH(a, &v) = (struct store_named_mark){column(a, s, 0), mark_at(a, s, 1)};
    ok = ok && (got == SQLITE_DONE || failed(&db, e));
    close_sql(&db);
    *out = v.v;
    *n = (uint32_t)v.n;
    return ok;
}
