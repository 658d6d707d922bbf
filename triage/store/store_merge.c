// SPDX-License-Identifier: Apache-2.0
//
// Merges campaigns: copies the folders of one into another, each finding once. A folder appears
// under its name only when it is complete.
#define _POSIX_C_SOURCE 200809L
#include "store_parts.h"

#include "base/own.h"

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

// Copies folder x to `name` below into/findings, or to NAME-DIGEST if another finding has that
// name.
static bool copy_finding(struct arena *a, const char *x, const char *into,
                         const struct store_finding *f, const char **as, struct err *e)
{
    const char *tmp = arena_printf(a, "%s/findings/.%s.tmp%ld", into, f->f.name, (long)getpid());
    if (!copy_tree(a, x, tmp, 0, e)) {
        dir_remove(tmp);
        return false;
    }
    bool there = true, ok = false;
    for (int k = 0; k < 2 && there && !ok; k++) {
        *as = k == 0 ? f->f.name : arena_printf(a, "%s-%s", f->f.name, f->f.digest);
        const char *y = arena_printf(a, "%s/findings/%s", into, *as);
        struct stat st;
        there = lstat(y, &st) == 0;
        ok = !there && file_move(tmp, y, e);
        there = there || (!ok && (errno == EEXIST || errno == ENOTEMPTY));
    }
    if (!ok)
        dir_remove(tmp);
    return ok || !there || err_set(e, "%s/findings/%s: another file has that name", into, *as);
}

static bool merge_finding(struct store *s, struct arena *a, const char *into, const char *from,
                          const char *name, uint32_t *copied, uint32_t *known, struct err *e)
{
    struct store_finding f;
    bool there = false, added;
    const enum finding_read got = store_folder_read(a, from, name, &f, e);
    if (got != FINDING_READ)
        return got != FINDING_FAILED; // a record that is not understood is not copied
    if (!s->on->has(s, f.f.digest, &there, e))
        return false;
    if (there) {
        ++*known;
        return true;
    }
    if (!copy_finding(a, arena_printf(a, "%s/findings/%s", from, name), into, &f, &name, e))
        return false;
    ++*copied;
    // Read the copy: its folder may have another name.
    if (store_folder_read(a, into, name, &f, e) != FINDING_READ)
        return err_set(e, "%s/findings/%s: cannot be read back", into, name);
    return store_folder_put(s, a, into, &f, &added, e);
}

int store_lock(const char *dir, struct err *e)
{
    struct arena a = {0};
    const int fd = dir_lock(arena_printf(&a, "%s/findings", dir), LOCK_SECONDS, e);
    arena_free(&a);
    return fd;
}

// Appends the rows of `from`'s campaign.json that `into`'s does not have.
static bool add_campaigns(struct arena *a, const char *into, const char *from, struct err *e)
{
    const char *path = arena_printf(a, "%s/campaign.json", into);
    struct err why = {0};
    json_t *x = json_file(a, path, &why);
    json_t *y = json_file(a, arena_printf(a, "%s/campaign.json", from), &why), *row, *old;
    if (!why.msg[0] && !x && (access(path, F_OK) == 0 || file_trouble()))
        err_set(&why, "%s: not a campaign file", path);
    if (why.msg[0]) {
        json_decref(x);
        json_decref(y);
        *e = why;
        return false;
    }
    if (!x)
        x = json_pack("{s:i, s:[]}", "schema", 1, "campaigns");
    json_t *rows = json_object_get(x, "campaigns");
    size_t i, k;
    json_array_foreach(json_object_get(y, "campaigns"), i, row)
    {
        bool there = false;
        json_array_foreach(rows, k, old) there = there || json_equal(old, row);
        if (!there)
            json_array_append(rows, row);
    }
    char *text = json_dumps(x, JSON_INDENT(2) | JSON_REAL_PRECISION(6));
    CHECK(text);
    struct text t = {.arena = a};
    text_add(&t, "%s\n", text);
    free(text);
    json_decref(x);
    json_decref(y);
    return file_write(path, t.v, t.n, e);
}

static bool merge_campaigns(struct arena *a, const char *into, const char *from, struct err *e)
{
    const int lock = store_lock(into, e);
    const bool ok = lock >= 0 && add_campaigns(a, into, from, e);
    if (lock >= 0)
        close(lock);
    return ok;
}

// Copies the marks of buckets that have no mark in `into`.
static bool merge_marks(struct store *s, struct arena *a, const char *from, struct err *e)
{
    struct store_named_mark *v;
    uint32_t n;
    if (!store_sqlite_marks(from, a, &v, &n, e))
        return false;
    for (uint32_t i = 0; i < n; i++) {
        struct store_mark old;
        bool there;
        if (!s->on->mark_of(s, a, v[i].bucket, &old, &there, e))
            return false;
        if (there && !old.at && !s->on->mark(s, v[i].bucket, &v[i].mark, e))
            return false;
    }
    return true;
}

static bool merge_into(struct store *s, const char *into, const char *from, uint32_t *copied,
                       uint32_t *known, struct err *e)
{
    struct arena a = {0}, one = {0};
    const char **names;
    size_t n;
    bool ok =
        dir_list(&a, arena_printf(&a, "%s/findings", from), &names, &n, e) && s->on->begin(s, e);
    for (size_t i = 0; ok && i < n; i++) {
        arena_reset(&one);
        ok = merge_finding(s, &one, into, from, names[i], copied, known, e);
    }
    ok = ok && merge_marks(s, &a, from, e) && merge_campaigns(&a, into, from, e) &&
         store_folder_campaigns(s, &a, into, e) && s->on->end(s, e);
    if (!ok)
        s->on->give_up(s); // the next store_sync adds the copied folders
    arena_free(&one);
    arena_free(&a);
    return ok;
}

bool store_merge(const char *into, const char *from, uint32_t *copied, uint32_t *known,
                 struct err *e)
{
    struct arena a = {0};
    struct stat st;
    uint32_t added;
    struct store *s = NULL;
    *copied = *known = 0;
    const char *findings = arena_printf(&a, "%s/findings", from);
    bool ok = ((stat(findings, &st) == 0 && S_ISDIR(st.st_mode)) ||
               err_set(e, "%s: not a campaign folder (it has no findings/)", from)) &&
              own_dir(arena_printf(&a, "%s/findings", into), e) &&
              (s = store_open(into, e)) != NULL && store_sync(s, into, &added, e) &&
              merge_into(s, into, from, copied, known, e);
    store_close(s);
    arena_free(&a);
    return ok;
}
