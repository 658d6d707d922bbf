// SPDX-License-Identifier: Apache-2.0
//
// Folders are read recursively; links to folders are not followed, because they may form cycles.
#define _POSIX_C_SOURCE 200809L
#include "caselist.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static bool is_case(const char *name)
{
    size_t n = strlen(name);
    return n > 7 && strcmp(name + n - 7, ".spvasm") == 0;
}

static int by_name(const void *x, const void *y)
{
    return strcmp(*(const char *const *)x, *(const char *const *)y);
}

static bool read_folder(struct arena *a, const char *dir, struct caselist *out, struct err *e)
{
    DIR *d = opendir(dir);
    if (!d)
        return err_set(e, "%s: cannot read the folder: %s", dir, strerror(errno));
    VEC(const char *) names = {0};
    for (struct dirent *x; (x = readdir(d));)
        if (x->d_name[0] != '.')
            *VEC_PUSH(a, &names) = arena_printf(a, "%s/%s", dir, x->d_name);
    closedir(d);
    if (names.n)
        qsort(names.v, names.n, sizeof names.v[0], by_name);
    for (size_t i = 0; i < names.n; i++) {
        struct stat st;
        if (lstat(names.v[i], &st) != 0)
            continue;
        if (S_ISDIR(st.st_mode)) {
            if (!read_folder(a, names.v[i], out, e))
                return false;
        } else if (is_case(strrchr(names.v[i], '/') + 1)) {
            *VEC_PUSH(a, out) = names.v[i];
        }
    }
    return true;
}

bool caselist_read(struct arena *a, char **words, uint32_t n, struct caselist *out, struct err *e)
{
    *out = (struct caselist){0};
    for (uint32_t i = 0; i < n; i++) {
        struct stat st;
        if (strcmp(words[i], "-") != 0 && stat(words[i], &st) != 0)
            return err_set(e, "%s: %s", words[i], strerror(errno));
        if (strcmp(words[i], "-") == 0 || !S_ISDIR(st.st_mode)) {
            *VEC_PUSH(a, out) = words[i];
            continue;
        }
        size_t before = out->n;
        size_t len = strlen(words[i]);
        while (len > 1 && words[i][len - 1] == '/')
            len--;
        if (!read_folder(a, arena_strn(a, words[i], len), out, e))
            return false;
        if (out->n == before)
            return err_set(e, "%s: no *.spvasm in this folder", words[i]);
    }
    return true;
}
