// SPDX-License-Identifier: Apache-2.0
//
// Runs a command again after every change of its files (watch.h).
#define _POSIX_C_SOURCE 200809L
#include "watch.h"

#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

// A number that changes with the files of a folder: their names, sizes and times.
static uint64_t state_of(const char *folder, const char *out)
{
    struct arena a = {0};
    const char **names;
    struct err e;
    size_t n = 0;
    uint64_t hash = 1;
    for (size_t k = 0; dir_list(&a, folder, &names, &n, &e) && k < n; k++) {
        const char *path = arena_printf(&a, "%s/%s", folder, names[k]);
        struct stat st, own;
        if (stat(path, &st) != 0 || !S_ISREG(st.st_mode) ||
            (out && stat(out, &own) == 0 && own.st_ino == st.st_ino && own.st_dev == st.st_dev))
            continue;
        const uint64_t words[] = {hash, (uint64_t)st.st_ino, (uint64_t)st.st_size,
                                  (uint64_t)st.st_mtim.tv_sec, (uint64_t)st.st_mtim.tv_nsec};
        hash = hash64(words, sizeof words);
    }
    arena_free(&a);
    return hash;
}

int watch_folders(struct context *x, const char *const *folders, uint32_t count, const char *out,
                  int (*once)(struct context *x, const void *user), const void *user)
{
    const char *slash = strrchr(x->words[0], '/'),
               *own = slash ? arena_strn(&x->arena, x->words[0], (size_t)(slash - x->words[0]) + 1)
                            : ".";
    uint64_t *was = ARENA_ARRAY(&x->arena, uint64_t, count + 1);
    for (;;) {
        bool same = true;
        for (uint32_t k = 0; k <= count; k++)
            was[k] = state_of(k ? folders[k - 1] : own, out);
        const pid_t child = fork();
        int status;
        if (child < 0)
            return complain(x, "--watch: cannot start a process");
        if (child == 0) {
            const int how = once(x, user);
            say_flush();
            _exit(how);
        }
        while (waitpid(child, &status, 0) < 0)
            continue;
        while (same) {
            nanosleep(&(struct timespec){.tv_nsec = 200 * 1000 * 1000}, NULL);
            for (uint32_t k = 0; k <= count; k++)
                same &= was[k] == state_of(k ? folders[k - 1] : own, out);
        }
    }
}
