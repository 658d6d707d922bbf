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

// Does the target name nothing but our own judges, and drivers and compilers that were set up here?
static bool harmless(const char *target)
{
    static const char *const kinds[] = {"spirv-opt",    "mutant:",    "llvm:",         "clang-hlsl",
                                        "glslang-hlsl", "roundtrip:", "vulkan:driver="};
    // A slash: a driver's name is a folder's, and may not lead out of where drivers are.
    static const char *const chosen[] = {"env=", "icd=", "tool=", "log=", "exec-", "{", "/"};
    for (size_t k = 0; k < sizeof chosen / sizeof *chosen; k++)
        if (strstr(target, chosen[k]))
            return false;
    for (const char *stage = target; stage; stage = strstr(stage, " | "), stage += stage ? 3 : 0) {
        bool known = false;
        stage += strncmp(stage, "check:", 6) == 0 ? 6 : 0;
        for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
            known |= strncmp(stage, kinds[k], strlen(kinds[k])) == 0;
        if (!known)
            return false;
    }
    return true;
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
    else if (!harmless(target))
        err_set(
            e, "needs --target SPEC: the folder names '%s', and a folder chooses no program to run",
            target);
    return target && harmless(target) ? target : NULL;
}
