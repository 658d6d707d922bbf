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

const char *found_target(struct arena *a, const char *word, const char *given, struct err *e)
{
    const char *target = NULL;
    char *data;
    size_t size;
    if (given)
        return given;
    if (file_read(a, arena_printf(a, "%s/finding.json", word), FINDING_LIMIT, &data, &size, NULL)) {
        json_t *j = json_loadb(data, size, 0, NULL);
        const char *said = json_string_value(json_object_get(j, "target"));
        target = said && *said ? arena_str(a, said) : NULL;
        json_decref(j);
    }
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
