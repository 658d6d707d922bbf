// SPDX-License-Identifier: Apache-2.0
//
// A campaign's folder as a store. A finding's folder appears under its name only when it is
// complete.
#define _POSIX_C_SOURCE 200809L
#include "store_parts.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { DEPTH_MAX = 4, LOCK_SECONDS = 20 };

static bool copy_tree(struct arena *a, const char *from, const char *to, int depth, struct err *e)
{
    const char **names;
    size_t n;
    if (!dir_list(a, from, &names, &n, e) || !dir_make(to, e))
        return false;
    for (size_t i = 0; i < n; i++) {
        const char *x = arena_printf(a, "%s/%s", from, names[i]);
        const char *y = arena_printf(a, "%s/%s", to, names[i]);
        struct stat st;
        if (lstat(x, &st) != 0)
            return err_set(e, "%s: cannot be examined: %s", x, strerror(errno));
        if (S_ISDIR(st.st_mode) && depth < DEPTH_MAX) {
            if (!copy_tree(a, x, y, depth + 1, e))
                return false;
        } else if (S_ISREG(st.st_mode)) {
            struct arena one = {0};
            char *data;
            size_t size;
            const bool ok = file_read(&one, x, STORE_FILE_MAX, &data, &size, e) &&
                            file_put(y, data, size, true, e);
            arena_free(&one);
            if (!ok)
                return false;
            // If finding.json has no time, the file's time counts.
            utimensat(AT_FDCWD, y, (struct timespec[]){st.st_atim, st.st_mtim}, 0);
        }
    }
    return true;
}

// ---- findings ------------------------------------------------------------------------------

static bool each_of(struct store *s, const struct store_choice *c, uint32_t *left, void *user,
                    bool (*each)(void *user, const struct store_finding *f, struct err *e),
                    struct err *e)
{
    struct arena a = {0}, one = {0};
    const char **names;
    size_t n;
    (void)c;
    bool ok = dir_list(&a, arena_printf(&a, "%s/findings", s->dir), &names, &n, e);
    for (size_t i = 0; ok && i < n; i++) {
        struct store_finding f;
        arena_reset(&one);
        const enum finding_read got = store_folder_read(&one, s->dir, names[i], &f, e);
        *left += got == FINDING_LEFT;
        ok = got == FINDING_READ ? each(user, &f, e) : got != FINDING_FAILED;
    }
    arena_free(&one);
    arena_free(&a);
    return ok;
}

static bool fetch(struct store *s, const struct store_finding *f, const char *to, struct err *e)
{
    struct arena a = {0};
    const bool ok = copy_tree(&a, arena_printf(&a, "%s/%s", s->dir, f->f.folder), to, 0, e);
    arena_free(&a);
    return ok;
}

// Moves folder `tmp` to `name` below DIR/findings, or to NAME-DIGEST if another finding has that
// name.
static bool place(struct arena *a, const char *dir, const char *tmp, const struct finding *f,
                  const char **as, struct err *e)
{
    bool there = true, ok = false;
    for (int k = 0; k < 2 && there && !ok; k++) {
        *as = k == 0 ? f->name : arena_printf(a, "%s-%s", f->name, f->digest);
        const char *to = arena_printf(a, "%s/findings/%s", dir, *as);
        struct stat st;
        there = lstat(to, &st) == 0;
        ok = !there && file_move(tmp, to, e);
        there = there || (!ok && (errno == EEXIST || errno == ENOTEMPTY));
    }
    return ok || (there && err_set(e, "%s/findings/%s: another file has that name", dir, *as));
}

// Copies the files and stores the record, while no other process writes to the database.
static bool add(struct store *s, struct arena *a, const struct store_source *x, struct err *e)
{
    const struct finding *f = &x->f->f;
    const char *tmp = arena_printf(a, "%s/findings/.%s.tmp%ld", s->dir, f->name, (long)getpid()),
               *name;
    struct store_finding copy;
    bool added;
    const bool ok = (x->dir ? copy_tree(a, arena_printf(a, "%s/%s", x->dir, f->folder), tmp, 0, e)
                            : x->from->on->fetch(x->from, x->f, tmp, e)) &&
                    place(a, s->dir, tmp, f, &name, e);
    if (!ok) {
        dir_remove(tmp);
        return false;
    }
    // Read the copy: its folder may have another name.
    if (store_folder_read(a, s->dir, name, &copy, e) != FINDING_READ)
        return err_set(e, "%s/findings/%s: cannot be read back", s->dir, name);
    return store_folder_put(s, a, s->dir, &copy, &added, e);
}

static bool put(struct store *s, const struct store_source *x, const struct store_sender *by,
                struct store_kept *out, struct err *e)
{
    struct arena a = {0};
    bool there = false;
    (void)by;
    const bool begun = store_sqlite_begin(s, e);
    const bool ok = begun && store_sqlite_has(s, x->f->f.digest, &there, e) &&
                    (there || add(s, &a, x, e)) && store_sqlite_end(s, e);
    if (begun && !ok)
        store_sqlite_give_up(s); // the next store_sync adds a copied folder
    out->did = there ? STORE_THERE : STORE_ADDED;
    out->kept = 0;
    arena_free(&a);
    return ok;
}

// ---- campaign.json -------------------------------------------------------------------------

int store_lock(const char *dir, struct err *e)
{
    struct arena a = {0};
    const int fd = dir_lock(arena_printf(&a, "%s/findings", dir), LOCK_SECONDS, e);
    arena_free(&a);
    return fd;
}

// Reads campaign.json; one without campaigns if the file is missing. NULL with a message: it is
// something else; not `strict`: then it counts as one without campaigns.
static json_t *read_file(struct arena *a, const char *dir, bool strict, struct err *e)
{
    const char *path = arena_printf(a, "%s/campaign.json", dir);
    char *data;
    size_t size;
    struct err why;
    const bool read = file_read(a, path, STORE_JSON_MAX, &data, &size, &why);
    if (!read && (file_trouble() || (strict && access(path, F_OK) == 0))) {
        *e = why;
        return NULL;
    }
    json_t *all = read ? json_loadb(data, size, 0, NULL) : NULL;
    if (json_is_array(json_object_get(all, "campaigns")))
        return all;
    json_decref(all);
    if (!read || !strict)
        return json_pack("{s:i, s:[]}", "schema", 1, "campaigns");
    err_set(e, "%s: not a campaign file", path);
    return NULL;
}

static json_t *campaigns(struct store *s, struct arena *a, struct err *e)
{
    json_t *all = read_file(a, s->dir, s->source, e),
           *rows = json_incref(json_object_get(all, "campaigns"));
    json_decref(all);
    return rows;
}

static bool is_later(const json_t *x, const json_t *y)
{
    return json_number_value(json_object_get(x, "cases")) >
           json_number_value(json_object_get(y, "cases"));
}

// Adds a row, or replaces that of the same campaign if it has fewer cases.
static bool add_row(json_t *rows, json_t *row)
{
    const json_t *id = json_object_get(row, "campaign");
    json_t *old;
    size_t i;
    json_array_foreach(rows, i, old)
    {
        if (json_equal(old, row))
            return false;
        if (id && json_equal(json_object_get(old, "campaign"), id))
            return is_later(row, old) && json_array_set(rows, i, row) == 0;
    }
    return json_array_append(rows, row) == 0;
}

static bool write_rows(struct store *s, struct arena *a, const json_t *rows, uint32_t *n,
                       struct err *e)
{
    json_t *all = read_file(a, s->dir, true, e), *row;
    size_t i;
    if (!all)
        return false;
    json_array_foreach((json_t *)rows, i, row) *n +=
        add_row(json_object_get(all, "campaigns"), row);
    char *text = json_dumps(all, JSON_INDENT(2) | JSON_REAL_PRECISION(6));
    CHECK(text);
    const char *lines = arena_printf(a, "%s\n", text);
    free(text);
    json_decref(all);
    return file_write(arena_printf(a, "%s/campaign.json", s->dir), lines, strlen(lines), e);
}

static bool add_campaigns(struct store *s, struct arena *a, const json_t *rows,
                          const struct store_sender *by, uint32_t *n, struct err *e)
{
    (void)by;
    const int lock = store_lock(s->dir, e);
    const bool ok = lock >= 0 && write_rows(s, a, rows, n, e);
    if (lock >= 0)
        close(lock);
    return ok;
}

const struct store_backend store_folder_backend = {.close = store_sqlite_close,
                                                   .each = each_of,
                                                   .fetch = fetch,
                                                   .read = store_sqlite_read,
                                                   .marks = store_sqlite_marks,
                                                   .campaigns = campaigns,
                                                   .put = put,
                                                   .mark = store_sqlite_mark,
                                                   .add_campaigns = add_campaigns};
