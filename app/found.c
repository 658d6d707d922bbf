// SPDX-License-Identifier: Apache-2.0
#define _POSIX_C_SOURCE 200809L
#include "found.h"

#include <jansson.h>
#include <string.h>
#include <sys/stat.h>

enum { FINDING_LIMIT = 1 << 24 };

static bool is_folder(const char *path)
{
    struct stat s;
    return stat(path, &s) == 0 && S_ISDIR(s.st_mode);
}

bool found_case(struct arena *a, const char *word, const char **folder, const char **path, struct err *e)
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
    return stat(*path, &s) == 0 || err_set(e, "%s: a folder without case.spvasm, not a finding", word);
}

const char *found_target(struct arena *a, const char *word)
{
    const char *target = NULL;
    char *data;
    size_t size;
    if (!file_read(a, arena_printf(a, "%s/finding.json", word), FINDING_LIMIT, &data, &size, NULL))
        return NULL;
    json_t *j = json_loadb(data, size, 0, NULL);
    const char *said = json_string_value(json_object_get(j, "target"));
    if (said && *said)
        target = arena_str(a, said);
    json_decref(j);
    return target;
}
