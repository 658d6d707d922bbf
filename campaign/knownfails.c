// SPDX-License-Identifier: Apache-2.0
#define _POSIX_C_SOURCE 200809L
#include "knownfails.h"

#include <fnmatch.h>
#include <string.h>

enum { FILE_LIMIT = 1 << 20 };

static bool is_class(const char *name)
{
    for (int k = 0; k < JUDGE_CLASSES; k++)
        if (judge_class_is_finding((enum judge_class)k) &&
            strcmp(judge_class_name((enum judge_class)k), name) == 0)
            return true;
    return strpbrk(name, "*?[") != NULL;
}

// Cuts the first word off a line and returns it.
static char *word(char **line)
{
    char *w = *line + strspn(*line, " \t");
    size_t n = strcspn(w, " \t");
    *line = w + n;
    if (**line)
        *(*line)++ = 0;
    return w;
}

static bool read_folder(struct arena *a, const char *path, struct known_fails *out, struct err *e)
{
    struct report_known *v;
    uint32_t n;
    if (!report_known_read(a, path, &v, &n, e))
        return false;
    for (uint32_t i = 0; i < n; i++)
        if (v[i].cases[0])
            *VEC_PUSH(a, out) =
                (struct known_fail){.klass = v[i].klass ? judge_class_name(v[i].klass) : "*",
                                    .name = v[i].cases,
                                    .target = v[i].target,
                                    .entry = &v[i]};
    return true;
}

bool known_fails_read(struct arena *a, const char *path, struct known_fails *out, struct err *e)
{
    char *data;
    size_t size;
    *out = (struct known_fails){0};
    if (dir_exists(path))
        return read_folder(a, path, out, e);
    if (!file_read(a, path, FILE_LIMIT, &data, &size, e))
        return false;
    unsigned at = 0;
    for (char *line = data; line;) {
        char *next = strchr(line, '\n');
        if (next)
            *next++ = 0;
        at++;
        size_t n = strlen(line);
        while (n && strchr(" \t\r", line[n - 1]))
            line[--n] = 0;
        line += strspn(line, " \t");
        if (line[0] && line[0] != '#') {
            struct known_fail f = {.klass = word(&line), .name = word(&line)};
            f.target = line + strspn(line, " \t");
            if (!f.name[0] || !f.target[0])
                return err_set(e, "%s:%u: expected CLASS CASE TARGET", path, at);
            if (!is_class(f.klass))
                return err_set(e, "%s:%u: '%s' is not a class of findings", path, at, f.klass);
            *VEC_PUSH(a, out) = f;
        }
        line = next;
    }
    return true;
}

static bool speaks_of(const struct known_fail *f, const char *path, const char *target,
                      const char *driver)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    return f->entry ? report_known_case(f->entry, 1, target, driver, path) != NULL
                    : fnmatch(f->name, name, 0) == 0 && fnmatch(f->target, target, 0) == 0;
}

bool known_fails_has(const struct known_fails *k, const char *path, const char *target,
                     const char *driver, enum judge_class klass)
{
    for (size_t i = 0; i < k->n; i++)
        if (speaks_of(&k->v[i], path, target, driver) &&
            (klass == JUDGE_AGREES || fnmatch(k->v[i].klass, judge_class_name(klass), 0) == 0))
            return true;
    return false;
}
