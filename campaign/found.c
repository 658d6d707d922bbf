// SPDX-License-Identifier: Apache-2.0
#define _POSIX_C_SOURCE 200809L
#include "found.h"

#include "runners/runners.h"

#include <jansson.h>
#include <string.h>
#include <sys/stat.h>

enum { FINDING_LIMIT = 1 << 24 };

static bool is_folder(const char *path)
{
    struct stat s;
    return stat(path, &s) == 0 && S_ISDIR(s.st_mode);
}

bool found_case(struct arena *a, const char *word, const char **folder, const char **path,
                struct err *e)
{
    *folder = NULL;
    *path = word;
    if (!is_folder(word))
        return true;
    int n = (int)strlen(word);
    while (n > 1 && word[n - 1] == '/') // as a shell completes it
        n--;
    *folder = arena_printf(a, "%.*s", n, word);
    *path = arena_printf(a, "%s/case.spvasm", *folder);
    struct stat s;
    return stat(*path, &s) == 0 ||
           err_set(e, "%s: a folder without case.spvasm, not a finding", word);
}

bool found_campaign(struct arena *a, const char *word)
{
    return is_folder(arena_printf(a, "%s/findings", word));
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

const char *found_said(struct arena *a, const char *folder)
{
    char *data;
    size_t size;
    if (!file_read(a, arena_printf(a, "%s/finding.json", folder), FINDING_LIMIT, &data, &size,
                   NULL))
        return NULL;
    json_t *j = json_loadb(data, size, 0, NULL);
    const char *said = json_string_value(json_object_get(j, "target"));
    said = said && *said ? arena_str(a, said) : NULL;
    json_decref(j);
    return said;
}

const char *found_target(struct arena *a, const char *word, const char *given, struct err *e)
{
    if (given)
        return given;
    const char *target = found_said(a, word);
    if (!target)
        err_set(
            e,
            "needs --target SPEC (tanglefuzz targets lists what is here), or a finding's folder");
    else if (!run_harmless(target))
        err_set(
            e, "needs --target SPEC: the folder names '%s', and a folder chooses no program to run",
            target);
    return target && run_harmless(target) ? target : NULL;
}
