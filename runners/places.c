// SPDX-License-Identifier: Apache-2.0
//
// Finds the drivers and tools. An installed program looks for them relative to itself, whatever its
// prefix.
#define _GNU_SOURCE
#include "backend.h"
#include "command.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// PREFIX/share/tanglefuzz/drivers of PREFIX/bin/tanglefuzz; NULL if it does not exist.
static const char *installed(struct arena *a)
{
    char self[PATH_MAX];
    const ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    self[n > 0 ? n : 0] = 0;
    for (int up = 0; up < 2; up++) {
        char *slash = strrchr(self, '/');
        if (!slash)
            return NULL;
        *slash = 0;
    }
    const char *dir = arena_printf(a, "%s/share/tanglefuzz/drivers", self);
    return access(dir, R_OK | X_OK) == 0 ? dir : NULL;
}

const char *drivers_dir(struct arena *a)
{
    const char *dir = getenv("TANGLEFUZZ_DRIVERS");
    if (!dir || !dir[0])
        dir = installed(a);
#ifdef TANGLEFUZZ_DRIVERS_DIR
    if (!dir)
        dir = TANGLEFUZZ_DRIVERS_DIR;
#endif
    return dir;
}

// Adds FOLDER/NAME/bin for each NAME, the last one in the alphabet first: sid before bookworm.
static void add_bins(struct arena *a, const char *folder, struct text *out)
{
    const char **names;
    size_t n;
    if (!dir_list(a, folder, &names, &n, NULL))
        return;
    while (n--)
        text_add(out, "%s/%s/bin:", folder, names[n]);
}

const char *run_path(struct arena *a, const char *spec)
{
    struct text t = {.arena = a};
    const char *tools = command_tools(a), *llvm = getenv("TANGLEFUZZ_LLVM_DIR"),
               *drivers = drivers_dir(a), *path = getenv("PATH");
    for (const struct run_stage *s = run_spec_parse(a, spec, NULL); s; s = s->next) {
        char **words;
        const char *name = run_stage_option(s, "tools");
        if (name)
            text_add(&t, "%s/%s/bin:", tools, name);
        if (!s->kind || s->kind->options != RUN_SYNTAX_COMMAND ||
            !command_words(a, s, &words, NULL) || words[0][0] != '/')
            continue;
        text_add(&t, "%.*s:", (int)(strrchr(words[0], '/') - words[0]), words[0]);
    }
    add_bins(a, tools, &t);
    if (!llvm || !llvm[0])
        llvm = drivers ? arena_printf(a, "%s/../llvm", drivers) : "";
    add_bins(a, llvm, &t);
    text_add(&t, "%s", path && path[0] ? path : "/usr/local/bin:/usr/bin:/bin");
    return t.v;
}
