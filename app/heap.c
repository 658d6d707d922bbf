// SPDX-License-Identifier: Apache-2.0
//
// Tunes glibc's heap for many short-lived objects: SPIRV-Tools allocates and frees thousands per
// module, while glibc caches seven of each size and returns the rest to the system. glibc reads the
// number to cache from the environment, before main only, so the program executes itself again.
// 3,258 programs generated and validated per second against 2,426 (one run of each, stats --fast
// --cases 15000).
#define _GNU_SOURCE
#include "heap.h"

#include "base/sanitized.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void heap_prepare(char **argv)
{
#if defined(__GLIBC__) && !SANITIZED
    static const char name[] = "GLIBC_TUNABLES";
    static const char value[] =
        "glibc.malloc.tcache_count=65535:"
        "glibc.malloc.trim_threshold=268435456:glibc.malloc.top_pad=16777216";
    const char *now = getenv(name);
    if (now && strcmp(now, value) == 0) {
        unsetenv(name); // compilers and drivers started from here must not inherit it
        return;
    }
    char self[4096];
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    if (now || n <= 0)
        return;
    self[n] = '\0';
    const char *file = strrchr(self, '/');
    if (!file || strncmp(file, "/ld-", 4) == 0 || strncmp(file, "/loader", 7) == 0)
        return; // run through a dynamic loader: exec would start the loader without the program
    if (setenv(name, value, 1) == 0)
        execv(self, argv);
    unsetenv(name);
#else
    (void)argv;
#endif
}
