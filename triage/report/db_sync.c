// SPDX-License-Identifier: Apache-2.0
//
// Folders into the database. A finding is known by its digest: case, class, target
// and device; its folder may be anywhere and have any name.
#define _POSIX_C_SOURCE 200809L
#include "db.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { FILE_LIMIT = 1 << 30 };

static int by_name(const void *x, const void *y)
{
    return strcmp(*(char *const *)x, *(char *const *)y);
}

size_t dir_list(struct arena *a, const char *path, const char ***names)
{
    VEC(const char *) v = {0};
    DIR *d = opendir(path);
    for (struct dirent *x; d && (x = readdir(d)) != NULL;)
        if (x->d_name[0] != '.')
            *VEC_PUSH(a, &v) = arena_str(a, x->d_name);
    if (d)
        closedir(d);
    if (v.n)
        qsort(v.v, v.n, sizeof *v.v, by_name);
    *names = v.v;
    return v.n;
}

const char *json_text(const json_t *o, const char *key)
{
    const char *s = json_string_value(json_object_get(o, key));
    return s ? s : "";
}

json_t *json_file(struct arena *a, const char *path)
{
    char *data;
    size_t size;
    return file_read(a, path, FILE_LIMIT, &data, &size, NULL) ? json_loadb(data, size, 0, NULL)
                                                              : NULL;
}

static int64_t number(const json_t *o, const char *key)
{
    return (int64_t)json_integer_value(json_object_get(o, key));
}

// The signature that the folder tells; of folders without one what can be said.
static const char *signature_of(struct arena *a, const json_t *o)
{
    const char *s = json_text(o, "signature");
    return s[0] ? s
                : arena_printf(a, "0|%s|%s||||", run_family(a, json_text(o, "target"), NULL),
                               json_text(o, "class"));
}

static bool step(struct report_db *db, sqlite3_stmt *s, struct err *e)
{
    int got = sqlite3_step(s);
    bool ok = got == SQLITE_DONE || got == SQLITE_ROW || db_failed(db, e);
    sqlite3_finalize(s);
    return ok;
}

static bool put_bucket(struct report_db *db, const char *signature, char name[16], struct err *e)
{
    blame_bucket_name(signature, name);
    sqlite3_stmt *s =
        db_prepare(db, "INSERT OR IGNORE INTO buckets(name, signature) VALUES(?, ?)", e);
    if (!s)
        return false;
    db_bind_text(s, 1, name);
    db_bind_text(s, 2, signature);
    return step(db, s, e);
}

static bool put_target(struct report_db *db, const char *spec, const char *family,
                       const char *device, struct err *e)
{
    sqlite3_stmt *s =
        db_prepare(db, "INSERT OR IGNORE INTO targets(spec, family, device) VALUES(?, ?, ?)", e);
    if (!s)
        return false;
    db_bind_text(s, 1, spec);
    db_bind_text(s, 2, family);
    db_bind_text(s, 3, device);
    return step(db, s, e);
}

// The smallest reduction below a finding's folder: its folder's path, NULL for none.
static const char *reduced_of(struct arena *a, const char *folder, json_t **json)
{
    const char **names;
    size_t n = dir_list(a, arena_printf(a, "%s/reduced", folder), &names);
    const char *best = NULL;
    off_t least = 0;
    *json = NULL;
    for (size_t i = 0; i < n; i++) {
        const char *sub = arena_printf(a, "%s/reduced/%s", folder, names[i]);
        struct stat st;
        if (stat(arena_printf(a, "%s/case.spv", sub), &st) != 0 || (best && st.st_size >= least))
            continue;
        json_t *j = json_file(a, arena_printf(a, "%s/finding.json", sub));
        if (!j)
            continue;
        json_decref(*json);
        *json = j;
        best = sub;
        least = st.st_size;
    }
    return best;
}

static uint32_t words_of(struct arena *a, const char *folder)
{
    struct stat st;
    return stat(arena_printf(a, "%s/case.spv", folder), &st) == 0 ? (uint32_t)(st.st_size / 4) : 0;
}

// How often it was seen again, as the folder says now.
static bool put_rerun(struct report_db *db, const char *digest, const char *folder, const json_t *o,
                      struct err *e)
{
    sqlite3_stmt *s = db_prepare(db,
                                 "INSERT OR REPLACE INTO reruns(finding, folder, reproduced, "
                                 "tries) SELECT id, ?, ?, ? FROM findings WHERE digest = ?",
                                 e);
    if (!s)
        return false;
    db_bind_text(s, 1, folder);
    sqlite3_bind_int64(s, 2, number(o, "reproduced"));
    sqlite3_bind_int64(s, 3, number(o, "tries"));
    db_bind_text(s, 4, digest);
    return step(db, s, e);
}

// What a finding's place in the database is told by: the folder's files and JSON.
struct folder {
    const char *path, *name;
    const json_t *json;
    const char *digest;
    const char *reduced; // "" for none
    const char *signature, *rule, *taxonomy;
    uint32_t words, first_words;
    int64_t found_at;
};

static bool is_there(struct report_db *db, const char *digest, bool *out, struct err *e)
{
    sqlite3_stmt *s = db_prepare(db, "SELECT 1 FROM findings WHERE digest = ?", e);
    if (!s)
        return false;
    db_bind_text(s, 1, digest);
    int got = sqlite3_step(s);
    *out = got == SQLITE_ROW;
    sqlite3_finalize(s);
    return got == SQLITE_ROW || got == SQLITE_DONE || db_failed(db, e);
}

static bool put_finding(struct report_db *db, const struct folder *f, const char *first_bucket,
                        const char *bucket, struct err *e)
{
    const json_t *o = f->json;
    // What a reduction changes is written again each time.
    sqlite3_stmt *s = db_prepare(
        db,
        "INSERT INTO findings(digest, name, folder, target, class, first_class, text, replay,"
        " generated, rule, taxonomy, first_bucket, bucket, reduced, subgroup, words, first_words,"
        " live_bits, wrong_bits, found_at) VALUES(?1, ?2, ?3,"
        " (SELECT id FROM targets WHERE spec = ?4 AND device = ?5), ?6, ?7, ?8, ?9, ?10, ?11, ?12,"
        " ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21)"
        " ON CONFLICT(digest) DO UPDATE SET rule = ?11, taxonomy = ?12, first_bucket = ?13,"
        " bucket = ?14, reduced = ?15, words = ?17, first_words = ?18",
        e);
    if (!s)
        return false;
    const char *texts[] = {f->digest,
                           f->name,
                           f->path,
                           json_text(o, "target"),
                           json_text(o, "device"),
                           json_text(o, "class"),
                           json_text(o, "first_class"),
                           json_text(o, "text"),
                           json_text(o, "replay"),
                           json_text(o, "generated"),
                           f->rule,
                           f->taxonomy,
                           first_bucket,
                           bucket,
                           f->reduced};
    int at = 1;
    for (; at <= (int)(sizeof texts / sizeof *texts); at++)
        db_bind_text(s, at, texts[at - 1]);
    const int64_t numbers[] = {number(o, "subgroup"),   f->words,
                               f->first_words,          number(o, "live_bits"),
                               number(o, "wrong_bits"), f->found_at};
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
        sqlite3_bind_int64(s, at++, numbers[k]);
    return step(db, s, e);
}

static const char *digest_of(struct arena *a, const char *folder, const json_t *o)
{
    char *data = NULL;
    size_t size = 0;
    file_read(a, arena_printf(a, "%s/case.spvasm", folder), FILE_LIMIT, &data, &size, NULL);
    uint64_t h = hash64(data ? data : "", data ? size : 0);
    static const char *const keys[] = {"class", "target", "device"};
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
        const char *t = json_text(o, keys[k]);
        h = hash64_with(h, t, strlen(t) + 1);
    }
    return arena_printf(a, "%016llx", (unsigned long long)h);
}

// The driver that a device text names, for the family.
static const char *driver_of(struct arena *a, const json_t *o)
{
    const char *line = strstr(json_text(o, "device"), "driver: ");
    return line ? arena_strn(a, line + 8, strcspn(line + 8, "\n")) : NULL;
}

// One folder below DIR/findings. What holds no finding.json is passed over.
static bool sync_folder(struct report_db *db, struct arena *a, const char *dir, const char *name,
                        uint32_t *added, struct err *e)
{
    const char *path = arena_printf(a, "%s/findings/%s", dir, name);
    json_t *o = json_file(a, arena_printf(a, "%s/finding.json", path)), *small = NULL;
    if (!o)
        return true;
    struct stat st = {0};
    stat(arena_printf(a, "%s/finding.json", path), &st);
    const char *reduced = reduced_of(a, path, &small);
    const json_t *told = small ? small : o;
    struct folder f = {
        .path = arena_printf(a, "findings/%s", name),
        .name = name,
        .json = o,
        .digest = digest_of(a, path, o),
        .reduced = reduced ? reduced + strlen(dir) + 1 : "",
        .signature = signature_of(a, told),
        .rule = json_text(told, "rule"),
        .taxonomy = json_text(told, "taxonomy"),
        .first_words = words_of(a, path),
        .words = words_of(a, reduced ? reduced : path),
        .found_at = (int64_t)st.st_mtime,
    };
    const char *target = json_text(o, "target");
    char first[16], bucket[16];
    bool there = false;
    bool ok = is_there(db, f.digest, &there, e) &&
              put_target(db, target, run_family(a, target, driver_of(a, o)),
                         json_text(o, "device"), e) &&
              put_bucket(db, signature_of(a, o), first, e) &&
              put_bucket(db, f.signature, bucket, e) && put_finding(db, &f, first, bucket, e) &&
              put_rerun(db, f.digest, f.path, o, e) &&
              (!small || put_rerun(db, f.digest, f.reduced, small, e));
    *added += ok && !there;
    json_decref(small);
    json_decref(o);
    return ok;
}

static bool sync_campaigns(struct report_db *db, struct arena *a, const char *dir, struct err *e)
{
    json_t *all = json_file(a, arena_printf(a, "%s/campaign.json", dir)), *row;
    size_t i;
    bool ok = true;
    json_array_foreach(json_object_get(all, "campaigns"), i, row)
    {
        char *text = json_dumps(row, JSON_COMPACT);
        sqlite3_stmt *s =
            ok && text ? db_prepare(db, "INSERT OR IGNORE INTO runs(digest, json) VALUES(?, ?)", e)
                       : NULL;
        if (s) {
            uint64_t h = hash64(text, strlen(text));
            db_bind_text(s, 1, arena_printf(a, "%016llx", (unsigned long long)h));
            db_bind_text(s, 2, text);
        }
        ok = s && step(db, s, e);
        free(text);
    }
    json_decref(all);
    return ok;
}

bool report_db_sync(struct report_db *db, const char *dir, uint32_t *added, struct err *e)
{
    struct arena a = {0};
    const char **names;
    *added = 0;
    bool ok = db_exec(db, "BEGIN IMMEDIATE", e);
    if (!ok)
        return false;
    size_t n = dir_list(&a, arena_printf(&a, "%s/findings", dir), &names);
    for (size_t i = 0; ok && i < n; i++)
        ok = sync_folder(db, &a, dir, names[i], added, e);
    ok = ok && sync_campaigns(db, &a, dir, e) && db_exec(db, "COMMIT", e);
    if (!ok)
        db_exec(db, "ROLLBACK", NULL);
    arena_free(&a);
    return ok;
}
