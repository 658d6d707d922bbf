// SPDX-License-Identifier: Apache-2.0
#define _POSIX_C_SOURCE 200809L
#include "targetlist.h"

#include <string.h>

enum { FILE_LIMIT = 1 << 20 };

static bool add(const char **v, uint32_t *n, uint32_t max, const char *text, struct err *e)
{
    for (uint32_t i = 0; i < *n; i++)
        if (strcmp(v[i], text) == 0)
            return err_set(e, "'%s' is given twice: --jobs runs several workers of a target", text);
    if (*n == max)
        return err_set(e, "more than %u targets", max);
    v[(*n)++] = text;
    return true;
}

static bool add_file(struct arena *a, const char **v, uint32_t *n, uint32_t max, const char *file,
                     struct err *e)
{
    char *data, *save = NULL;
    size_t size;
    if (!file_read(a, file, FILE_LIMIT, &data, &size, e))
        return false;
    for (char *line = strtok_r(data, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
        line += strspn(line, " \t\r");
        size_t k = strlen(line);
        while (k && strchr(" \t\r", line[k - 1]))
            line[--k] = 0;
        if (line[0] && line[0] != '#' && !add(v, n, max, line, e))
            return err_prefix(e, "%s", file);
    }
    return true;
}

bool targetlist_read(struct arena *a, const char *const *given, uint32_t count, const char *file,
                     uint32_t max, const char ***out, uint32_t *n, struct err *e)
{
    const char **v = ARENA_ARRAY(a, const char *, max);
    *n = 0;
    *out = v;
    for (uint32_t i = 0; i < count; i++)
        if (!add(v, n, max, given[i], e))
            return false;
    return !file || add_file(a, v, n, max, file, e);
}
