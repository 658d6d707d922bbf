// SPDX-License-Identifier: Apache-2.0
//
// The database of a campaign's folder: SQLite in WAL mode, DIR/findings.db. All its SQL is here.
#define _POSIX_C_SOURCE 200809L
#include "store_parts.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

// How long to wait for a locked database, and how long between two tries. KEPT: prepared
// statements.
enum { LOCK_TIMEOUT_MS = 20 * 1000, LOOK_MS = 20, KEPT = 24 };

// Migrations to version 8. Findings are read from the folders again; marks are kept.
static const char FROM_1_OR_2[] =
    "DROP TABLE reruns; DROP TABLE findings; DROP TABLE targets; DROP TABLE runs;"
    "ALTER TABLE buckets RENAME TO old_buckets;"
    "ALTER TABLE old_buckets ADD COLUMN link TEXT NOT NULL DEFAULT '';"
    "ALTER TABLE old_buckets ADD COLUMN marked_at INTEGER NOT NULL DEFAULT 0;";
static const char FROM_3_TO_7[] =
    "DROP TABLE findings; DROP TABLE folders; DROP TABLE IF EXISTS runs;"
    "ALTER TABLE buckets RENAME TO old_buckets;";
static const char SCHEMA[] =
    "CREATE TABLE buckets(name TEXT PRIMARY KEY,"
    "  state TEXT NOT NULL DEFAULT 'new', note TEXT NOT NULL DEFAULT '',"
    "  link TEXT NOT NULL DEFAULT '', marked_at INTEGER NOT NULL DEFAULT 0);"
    // record, facts: finding_record_json, finding_facts_json; the columns of the smallest reduction
    // are '' without one.
    "CREATE TABLE findings(digest TEXT PRIMARY KEY, name TEXT NOT NULL, folder TEXT NOT NULL,"
    "  bucket TEXT NOT NULL REFERENCES buckets, first_bucket TEXT NOT NULL REFERENCES buckets,"
    "  words INTEGER NOT NULL, found_at INTEGER NOT NULL, record TEXT NOT NULL,"
    "  facts TEXT NOT NULL, reduced_folder TEXT NOT NULL, reduced_record TEXT NOT NULL,"
    "  reduced_facts TEXT NOT NULL) WITHOUT ROWID;"
    "CREATE INDEX findings_by_bucket ON findings(bucket, words, name);"
    "CREATE INDEX findings_by_folder ON findings(folder);"
    "CREATE TABLE folders(name TEXT PRIMARY KEY, stamp TEXT NOT NULL, digest TEXT NOT NULL,"
    "  why_left TEXT NOT NULL) WITHOUT ROWID;"
    "CREATE INDEX folders_by_digest ON folders(digest);";
static const char KEEP_MARKS[] =
    "INSERT INTO buckets(name, state, note, link, marked_at)"
    "  SELECT name, state, note, link, marked_at FROM old_buckets"
    "  WHERE state <> 'new' OR note <> '' OR link <> '' OR marked_at > 0;"
    "DROP TABLE old_buckets;";

struct sqlite_store {
    struct store store;
    sqlite3 *sql;
    char path[1100];
    struct { // prepared statements, by the address of their text
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

// Returns a statement ready to bind; NULL with a message. `sql` is a literal. done() after each
// use.
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

// Runs the statement with these texts to its end.
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

// ---- opening -------------------------------------------------------------------------

void store_sqlite_close(struct store *s)
{
    close_sql(of(s));
    free(s);
}

bool store_sqlite_begin(struct store *s, struct err *e)
{
    return exec(of(s), "BEGIN IMMEDIATE", e);
}
bool store_sqlite_end(struct store *s, struct err *e)
{
    return exec(of(s), "COMMIT", e);
}
void store_sqlite_give_up(struct store *s)
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

// If two processes migrate at the same time, the second finds it done: it checks again inside the
// transaction.
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
        ok = err_set(e, "%s: created by a newer tanglefuzz (schema %d, this one supports %d)",
                     db->path, version, STORE_VERSION);
    if (ok && version < STORE_VERSION)
        ok = (!version || exec(db, version < 3 ? FROM_1_OR_2 : FROM_3_TO_7, e)) &&
             exec(db, SCHEMA, e) && (!version || exec(db, KEEP_MARKS, e));
    char set[64];
    snprintf(set, sizeof set, "PRAGMA user_version = %d", STORE_VERSION);
    ok = ok && exec(db, set, e) && exec(db, "COMMIT", e);
    if (!ok)
        exec(db, "ROLLBACK", NULL);
    return ok;
}

// The journal mode is changed by a transaction that first reads and then writes. SQLite does not
// wait inside such a transaction, whatever the busy timeout, so this function does.
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

// A foreign folder may hold a link in place of a file: it is neither read nor written through.
static bool no_links(const char *path, struct err *e)
{
    static const char *const tails[] = {"", "-wal", "-shm", "-journal"};
    struct arena a = {0};
    bool ok = true;
    for (size_t k = 0; ok && k < sizeof tails / sizeof *tails; k++) {
        const char *file = arena_printf(&a, "%s%s", path, tails[k]);
        struct stat st;
        if (lstat(file, &st) == 0 && !S_ISREG(st.st_mode))
            ok = err_set(e, "%s: is not a regular file (a link?): remove it", file);
    }
    arena_free(&a);
    return ok;
}

// ---- writing ---------------------------------------------------------------------------

static bool put_bucket(struct sqlite_store *db, const char *name, struct err *e)
{
    return run(db, "INSERT INTO buckets(name) VALUES(?) ON CONFLICT(name) DO NOTHING", &name, 1, e);
}

bool store_sqlite_has(struct store *store, const char *digest, bool *out, struct err *e)
{
    struct sqlite_store *db = of(store);
    sqlite3_stmt *s = prepare(db, "SELECT 1 FROM findings WHERE digest = ?", e);
    *out = false;
    if (!s)
        return false;
    bind(s, 1, digest);
    int got = sqlite3_step(s);
    *out = got == SQLITE_ROW;
    done(s);
    return got == SQLITE_ROW || got == SQLITE_DONE || failed(db, e);
}

bool store_sqlite_put(struct store *store, const struct store_finding *r, bool *added,
                      struct err *e)
{
    struct sqlite_store *db = of(store);
    const struct finding *f = &r->f, *small = r->reduced;
    struct arena a = {0};
    bool there = false;
    *added = false;
    if (!store_sqlite_has(store, f->digest, &there, e) || !put_bucket(db, f->signature->name, e) ||
        !put_bucket(db, r->now->name, e))
        return false;
    // Changes by a reduction are stored; the earliest time counts.
    sqlite3_stmt *s =
        prepare(db,
                "INSERT INTO findings(digest, name, folder, bucket, first_bucket, record, facts,"
                " reduced_folder, reduced_record, reduced_facts, words, found_at)"
                " VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)"
                " ON CONFLICT(digest) DO UPDATE SET bucket = ?4, first_bucket = ?5, record = ?6,"
                " facts = ?7, reduced_folder = ?8, reduced_record = ?9, reduced_facts = ?10,"
                " words = ?11, found_at = min(found_at, ?12)",
                e);
    if (!s)
        return false;
    const char *texts[] = {f->digest,
                           f->name,
                           f->folder,
                           r->now->name,
                           f->signature->name,
                           finding_record_json(&a, f),
                           finding_facts_json(&a, f->signature),
                           small ? small->folder : "",
                           small ? finding_record_json(&a, small) : "",
                           small ? finding_facts_json(&a, small->signature) : ""};
    int at = 1;
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
        bind(s, at++, texts[k]);
    sqlite3_bind_int64(s, at++, store_shown(r)->words);
    sqlite3_bind_int64(s, at++, f->found_at);
    bool ok = sqlite3_step(s) == SQLITE_DONE || failed(db, e);
    done(s);
    arena_free(&a);
    *added = ok && !there;
    return ok;
}

bool store_sqlite_mark(struct store *s, const char *bucket, const struct store_mark *m, bool *there,
                       struct err *e)
{
    struct sqlite_store *db = of(s);
    char at[24];
    snprintf(at, sizeof at, "%lld", (long long)(m->at ? m->at : (int64_t)time(NULL)));
    if (!s->kept)
        return err_set(e, "%s: is not writable, so a mark cannot be stored", s->dir);
    sqlite3_stmt *set = prepare(db,
                                "UPDATE buckets SET state = coalesce(?2, state),"
                                " note = coalesce(?3, note), link = coalesce(?4, link),"
                                " marked_at = ?5 WHERE name = ?1",
                                e);
    if (!set)
        return false;
    bind(set, 1, bucket);
    if (m->state != STORE_STATES)
        bind(set, 2, store_state_name(m->state));
    if (m->note)
        bind(set, 3, m->note);
    if (m->link)
        bind(set, 4, m->link);
    bind(set, 5, at);
    const bool ok = sqlite3_step(set) == SQLITE_DONE || failed(db, e);
    *there = ok && sqlite3_changes(db->sql) > 0;
    done(set);
    return ok;
}

bool store_sqlite_folder(struct store *s, const struct store_folder *f, struct err *e)
{
    const char *texts[] = {f->name, f->stamp, f->digest, f->left};
    return run(of(s),
               "INSERT OR REPLACE INTO folders(name, stamp, digest, why_left) VALUES(?, ?, ?, ?)",
               texts, 4, e);
}

bool store_sqlite_forget(struct store *s, const char *name, struct err *e)
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

// Signatures by the text of their facts: most findings share theirs with others, and a signature
// takes 2 KiB.
struct signatures {
    struct arena *arena;
    struct {
        uint64_t hash;
        const struct diag_signature *signature;
    } *slot;
    size_t slots, used; // slots: a power of two
};

static void make_room(struct signatures *g)
{
    struct signatures old = *g;
    g->slots = old.slots ? 2 * old.slots : 256;
    g->slot = arena_alloc(g->arena, g->slots * sizeof *g->slot);
    for (size_t i = 0; i < old.slots; i++) {
        size_t at = old.slot[i].hash & (g->slots - 1);
        while (old.slot[i].signature && g->slot[at].signature)
            at = (at + 1) & (g->slots - 1);
        if (old.slot[i].signature)
            g->slot[at] = old.slot[i];
    }
}

static const struct diag_signature *signature_at(struct signatures *g, sqlite3_stmt *s, int at,
                                                 struct err *e)
{
    const char *json = (const char *)sqlite3_column_text(s, at);
    const uint64_t hash = json ? hash64(json, strlen(json)) : 0;
    if (4 * g->used >= 3 * g->slots)
        make_room(g);
    size_t k = hash & (g->slots - 1);
    for (; g->slot[k].signature; k = (k + 1) & (g->slots - 1))
        if (g->slot[k].hash == hash)
            return g->slot[k].signature;
    struct diag_signature *x = ARENA_NEW(g->arena, struct diag_signature);
    if (!finding_facts_parse(json ? json : "", x, e))
        return NULL;
    g->slot[k].hash = hash;
    g->slot[k].signature = x;
    g->used++;
    return x;
}

// Parses the record in column `at` with the facts in the next one.
static bool record_at(struct signatures *g, sqlite3_stmt *s, int at, const char *folder,
                      const char *digest, struct finding *out, struct err *e)
{
    const char *json = (const char *)sqlite3_column_text(s, at), *slash = strrchr(folder, '/');
    const struct diag_signature *signature = signature_at(g, s, at + 1, e);
    if (!signature ||
        !finding_parse(g->arena, json ? json : "", json ? strlen(json) : 0, signature, out, e))
        return false;
    out->folder = folder;
    out->name = slash ? slash + 1 : folder;
    out->digest = digest;
    return true;
}

static bool read_row(struct signatures *g, sqlite3_stmt *s, struct store_finding *r, struct err *e)
{
    const char *reduced = column(g->arena, s, 4);
    *r = (struct store_finding){0};
    if (!record_at(g, s, 2, column(g->arena, s, 1), column(g->arena, s, 0), &r->f, e))
        return false;
    r->f.found_at = sqlite3_column_int64(s, 7);
    if (reduced[0]) {
        struct finding *small = ARENA_NEW(g->arena, struct finding);
        if (!record_at(g, s, 5, reduced, "", small, e))
            return false;
        r->reduced = small;
    }
    r->now = store_shown(r)->signature;
    return true;
}

static struct store_mark mark_at(struct arena *a, sqlite3_stmt *s, int at)
{
    struct store_mark m = {.note = column(a, s, at + 1),
                           .link = column(a, s, at + 2),
                           .at = sqlite3_column_int64(s, at + 3)};
    store_state_find(column(a, s, at), &m.state); // an unknown state of a newer version: new
    return m;
}

bool store_sqlite_folders(struct store *store, struct arena *a, struct store_folder **out,
                          uint32_t *n, struct err *e)
{
    struct sqlite_store *db = of(store);
    VEC(struct store_folder) v = {0};
    sqlite3_stmt *s =
        prepare(db, "SELECT name, stamp, digest, why_left FROM folders ORDER BY name", e);
    int got = SQLITE_DONE;
    while (s && (got = sqlite3_step(s)) == SQLITE_ROW)
        *VEC_PUSH(a, &v) = (struct store_folder){column(a, s, 0), column(a, s, 1), column(a, s, 2),
                                                 column(a, s, 3)};
    done(s);
    *out = v.v;
    *n = (uint32_t)v.n;
    return s && (got == SQLITE_DONE || failed(db, e));
}

static bool read_left(struct store *store, struct arena *a, struct store_findings *out,
                      struct err *e)
{
    struct store_folder *v;
    uint32_t n, kept = 0;
    if (!store_sqlite_folders(store, a, &v, &n, e))
        return false;
    out->left = ARENA_ARRAY(a, struct store_left, n);
    for (uint32_t i = 0; i < n; i++)
        if (v[i].left[0])
            out->left[kept++] = (struct store_left){v[i].name, v[i].left};
    out->left_count = kept;
    return true;
}

bool store_sqlite_read(struct store *store, struct arena *a, struct store_findings *out,
                       struct err *e)
{
    struct sqlite_store *db = of(store);
    VEC(struct store_finding) rows = {0};
    struct signatures all = {.arena = a};
    int got = SQLITE_DONE;
    if (!read_left(store, a, out, e))
        return false;
    sqlite3_stmt *s = prepare(db,
                              "SELECT digest, folder, record, facts, reduced_folder,"
                              " reduced_record, reduced_facts, found_at FROM findings"
                              " ORDER BY bucket, words, name",
                              e);
    if (!s)
        return false;
    while ((got = sqlite3_step(s)) == SQLITE_ROW)
        if (!read_row(&all, s, VEC_PUSH(a, &rows), e)) {
            done(s);
            return err_prefix(e, "%s", db->path);
        }
    done(s);
    if (got != SQLITE_DONE)
        return failed(db, e);
    out->row = rows.v;
    out->rows = (uint32_t)rows.n;
    return true;
}

// ---- opening and marks ------------------------------------------------------------

struct store *store_sqlite_open(const char *dir, struct err *e)
{
    store_sqlite_prepare();
    struct sqlite_store *db = mem_new(sizeof *db);
    db->store.on = &store_folder_backend;
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
    store_sqlite_close(&db->store);
    return NULL;
}

struct store *store_open_source(const char *dir, struct err *e)
{
    struct arena a = {0};
    const bool ok = dir_exists(arena_printf(&a, "%s/findings", dir));
    arena_free(&a);
    if (!ok) {
        err_set(e, "%s: not a campaign folder (it has no findings/)", dir);
        return NULL;
    }
    struct sqlite_store *db = mem_new(sizeof *db);
    db->store.on = &store_folder_backend;
    db->store.source = true;
    snprintf(db->store.dir, sizeof db->store.dir, "%s", dir);
    return &db->store;
}

// Reads the marks of an open database.
static bool marks_of(struct sqlite_store *db, struct arena *a, struct store_named_mark **out,
                     uint32_t *n, struct err *e)
{
    VEC(struct store_named_mark) v = {0};
    int got;
    sqlite3_stmt *s = prepare(db,
                              "SELECT name, state, note, link, marked_at FROM buckets"
                              " WHERE state <> 'new' OR note <> '' OR link <> '' OR marked_at > 0",
                              e);
    if (!s)
        return false;
    while ((got = sqlite3_step(s)) == SQLITE_ROW)
        *VEC_PUSH(a, &v) = (struct store_named_mark){column(a, s, 0), mark_at(a, s, 1)};
    const bool ok = got == SQLITE_DONE || failed(db, e);
    done(s);
    *out = v.v;
    *n = (uint32_t)v.n;
    return ok;
}

bool store_sqlite_marks(struct store *s, struct arena *a, struct store_named_mark **out,
                        uint32_t *n, struct err *e)
{
    *out = NULL;
    *n = 0;
    return of(s)->sql ? marks_of(of(s), a, out, n, e) : store_sqlite_marks_of(s->dir, a, out, n, e);
}

// "/a b?" -> "/a%20b%3f": escapes a path for a URI.
static const char *escaped(struct arena *a, const char *path)
{
    struct text t = {.arena = a};
    for (const char *p = path; *p; p++)
        text_add(&t, strchr("%?# ", *p) ? "%%%02x" : "%c", (unsigned)(unsigned char)*p);
    return t.v;
}

bool store_sqlite_marks_of(const char *dir, struct arena *a, struct store_named_mark **out,
                           uint32_t *n, struct err *e)
{
    store_sqlite_prepare();
    struct sqlite_store db = {0};
    snprintf(db.path, sizeof db.path, "%s/findings.db", dir);
    *out = NULL;
    *n = 0;
    if (access(db.path, F_OK) != 0)
        return true;
    // Immutable: SQLite creates no files next to it, and it need not be writable.
    const char *uri = arena_printf(a, "file:%s?immutable=1", escaped(a, db.path));
    int version = 0;
    bool ok =
        no_links(db.path, e) &&
        (sqlite3_open_v2(uri, &db.sql, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, NULL) == SQLITE_OK ||
         failed(&db, e)) &&
        version_of(&db, &version, e) && (version < 3 || marks_of(&db, a, out, n, e));
    close_sql(&db);
    return ok;
}
