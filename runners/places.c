// SPDX-License-Identifier: Apache-2.0
//
// Finds the drivers. An installed program looks for them relative to itself, whatever its prefix.
#define _GNU_SOURCE
#include "backend.h"

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
