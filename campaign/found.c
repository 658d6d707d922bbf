// SPDX-License-Identifier: Apache-2.0
#define _POSIX_C_SOURCE 200809L
#include "found.h"

#include "runners/runners.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

bool found_case(struct arena *a, const char *word, const char **folder, const char **path,
                struct err *e)
{
    *folder = NULL;
    *path = word;
    if (!dir_exists(word))
        return true;
    int n = (int)strlen(word);
    while (n > 1 && word[n - 1] == '/') // shells complete folders with a slash
        n--;
    *folder = arena_printf(a, "%.*s", n, word);
    *path = arena_printf(a, "%s/case.spvasm", *folder);
    struct stat s;
    return stat(*path, &s) == 0 ||
           err_set(e, "%s: a folder without case.spvasm, not a finding", word);
}

bool found_campaign(struct arena *a, const char *word)
{
    return dir_exists(arena_printf(a, "%s/findings", word));
}

const char *found_name(struct arena *a, const char *path)
{
    size_t n = strlen(path);
    while (n > 1 && path[n - 1] == '/')
        n--;
    size_t from = n;
    while (from > 0 && path[from - 1] != '/')
        from--;
    return arena_strn(a, path + from, n - from);
}

const char *found_of(struct arena *a, const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash && strcmp(slash, "/case.spvasm") == 0
               ? found_name(a, arena_strn(a, path, (size_t)(slash - path)))
               : found_name(a, path);
}

enum finding_read found_read(struct arena *a, const char *folder, struct finding *out,
                             struct err *e)
{
    const char *slash = strrchr(folder, '/');
    const char *dir = slash ? arena_strn(a, folder, (size_t)(slash - folder)) : ".";
    return finding_read(a, dir, slash ? slash + 1 : folder, out, e);
}

const char *found_recorded(struct arena *a, const char *folder)
{
    struct finding f;
    struct err unread;
    return found_read(a, folder, &f, &unread) == FINDING_READ && f.target[0] ? f.target : NULL;
}

const char *found_target(struct arena *a, const char *word, const char *given, struct err *e)
{
    if (given)
        return given;
    struct stat st;
    if (stat(word, &st) != 0) {
        err_set(e, "%s: %s", word, strerror(errno));
        return NULL;
    }
    struct finding f = {.target = ""};
    const enum finding_read got = found_read(a, word, &f, e);
    if (got == FINDING_LEFT || got == FINDING_FAILED) {
        err_prefix(e, "needs --target SPEC");
        return NULL;
    }
    if (got == FINDING_NONE || !f.target[0])
        err_set(
            e,
            found_campaign(a, word)
                ? "%s is a campaign's folder: name a finding of it, below findings/"
            : S_ISDIR(st.st_mode)
                ? "%s needs --target SPEC (tanglefuzz targets lists them): it is a folder, but "
                  "neither a finding's with a target nor a campaign's"
                : "%s needs --target SPEC (tanglefuzz targets lists them): it is not a finding's "
                  "folder",
            word);
    else if (!run_harmless(f.target))
        err_set(e,
                "needs --target SPEC: the folder names '%s', and a folder may not choose a program "
                "to run",
                f.target);
    else
        return f.target;
    return NULL;
}
