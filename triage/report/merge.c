// SPDX-License-Identifier: Apache-2.0
//
// Campaigns joined: the folders of one into another, each finding once. A folder
// appears under its name when all of it is there.
#define _POSIX_C_SOURCE 200809L
#include "db.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FILE_LIMIT = 1 << 30, NAMES_MAX = 10000, DEPTH_MAX = 4 };

static bool copy_tree(struct arena *a, const char *from, const char *to, int depth, struct err *e)
{
    const char **names;
    size_t n = dir_list(a, from, &names);
    if (!dir_make(to, e))
        return false;
    for (size_t i = 0; i < n; i++) {
        const char *x = arena_printf(a, "%s/%s", from, names[i]);
        const char *y = arena_printf(a, "%s/%s", to, names[i]);
        struct stat st;
        if (lstat(x, &st) != 0)
            continue;
        if (S_ISDIR(st.st_mode) && depth < DEPTH_MAX) {
            if (!copy_tree(a, x, y, depth + 1, e))
                return false;
        } else if (S_ISREG(st.st_mode)) {
            char *data;
            size_t size;
            if (!file_read(a, x, FILE_LIMIT, &data, &size, e) || !file_write(y, data, size, e))
                return false;
        }
    }
    return true;
}

static void remove_tree(struct arena *a, const char *path, int depth)
{
    const char **names;
    size_t n = depth <= DEPTH_MAX ? dir_list(a, path, &names) : 0;
    for (size_t i = 0; i < n; i++) {
        const char *x = arena_printf(a, "%s/%s", path, names[i]);
        if (unlink(x) != 0)
            remove_tree(a, x, depth + 1);
    }
    rmdir(path);
}

// Do two finding folders hold the same finding? The case to the byte; class, target, device.
static bool same(struct arena *a, const char *x, const char *y)
{
    char *p, *q;
    size_t n, m;
    if (!file_read(a, arena_printf(a, "%s/case.spvasm", x), FILE_LIMIT, &p, &n, NULL) ||
        !file_read(a, arena_printf(a, "%s/case.spvasm", y), FILE_LIMIT, &q, &m, NULL) || n != m ||
        memcmp(p, q, n) != 0)
        return false;
    json_t *i = json_file(a, arena_printf(a, "%s/finding.json", x));
    json_t *j = json_file(a, arena_printf(a, "%s/finding.json", y));
    bool equal = i && j;
    static const char *const keys[] = {"class", "target", "device"};
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
        equal = equal && strcmp(json_text(i, keys[k]), json_text(j, keys[k])) == 0;
    json_decref(i);
    json_decref(j);
    return equal;
}

static bool merge_finding(struct arena *a, const char *into, const char *from, const char *name,
                          uint32_t *copied, uint32_t *known, struct err *e)
{
    const char *x = arena_printf(a, "%s/findings/%s", from, name);
    if (access(arena_printf(a, "%s/finding.json", x), R_OK) != 0)
        return true;
    const char *tmp = arena_printf(a, "%s/findings/.%s.tmp%ld", into, name, (long)getpid());
    bool have = false;
    for (uint32_t k = 1; k <= NAMES_MAX; k++) {
        const char *as = k == 1 ? name : arena_printf(a, "%s-%u", name, k);
        const char *y = arena_printf(a, "%s/findings/%s", into, as);
        struct stat st;
        if (lstat(y, &st) == 0) {
            if (same(a, x, y)) {
                remove_tree(a, tmp, 0);
                ++*known;
                return true;
            }
            continue;
        }
        if (!have && !copy_tree(a, x, tmp, 0, e)) {
            remove_tree(a, tmp, 0);
            return false;
        }
        have = true;
        if (rename(tmp, y) == 0) {
            ++*copied;
            return true;
        }
        if (errno != EEXIST && errno != ENOTEMPTY) {
            int failed = errno;
            remove_tree(a, tmp, 0);
            return err_set(e, "%s: cannot write: %s", y, strerror(failed));
        }
    }
    return err_set(e, "%s/findings/%s: too many findings of that name", into, name);
}

// The rows of `from`'s campaign.json that `into`'s has not, after those that it has.
static bool merge_campaigns(struct arena *a, const char *into, const char *from, struct err *e)
{
    const char *path = arena_printf(a, "%s/campaign.json", into);
    json_t *x = json_file(a, path);
    json_t *y = json_file(a, arena_printf(a, "%s/campaign.json", from)), *row, *old;
    if (!x && access(path, F_OK) == 0) {
        json_decref(y);
        return err_set(e, "%s: not a campaign file", path);
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

bool report_merge(const char *into, const char *from, uint32_t *copied, uint32_t *known,
                  struct err *e)
{
    struct arena a = {0};
    const char **names;
    struct stat st;
    *copied = *known = 0;
    const char *findings = arena_printf(&a, "%s/findings", from);
    bool ok = (stat(findings, &st) == 0 && S_ISDIR(st.st_mode)) ||
              err_set(e, "%s: no campaign folder (it has no findings/)", from);
    ok = ok && dir_make(arena_printf(&a, "%s/findings", into), e);
    size_t n = ok ? dir_list(&a, findings, &names) : 0;
    for (size_t i = 0; ok && i < n; i++)
        ok = merge_finding(&a, into, from, names[i], copied, known, e);
    ok = ok && merge_campaigns(&a, into, from, e);
    arena_free(&a);
    return ok;
}
