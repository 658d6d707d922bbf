// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "fork_safety.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static size_t threads(void)
{
    size_t n = 0;
    DIR *d = opendir("/proc/self/task");
    for (struct dirent *entry; d && (entry = readdir(d));)
        n += entry->d_name[0] != '.';
    if (d)
        closedir(d);
    return n;
}

static bool has_children(void)
{
    siginfo_t info;
    return waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0 || errno != ECHILD;
}

static bool has_shared_memory(void)
{
    bool found = false;
    FILE *f = fopen("/proc/self/maps", "re");
    char line[1024], access[8];
    while (f && !found && fgets(line, sizeof line, f))
        found = sscanf(line, "%*s %7s", access) == 1 && access[1] == 'w' && access[3] == 's';
    if (!f)
        return true;
    fclose(f);
    return found;
}

enum open_file { STATELESS, EMPTY_MEMORY, OTHER };

// A device of udmabuf has no state until a buffer is made, which has a descriptor of its own.
static enum open_file classify(int fd)
{
    static const char *const devices[] = {"/dev/null", "/dev/zero", "/dev/random", "/dev/urandom",
                                          "/dev/udmabuf"};
    char link[40], path[300];
    struct stat status;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    const ssize_t n = readlink(link, path, sizeof path - 1);
    if (n < 0)
        return OTHER;
    path[n] = 0;
    for (size_t i = 0; i < sizeof devices / sizeof *devices; i++)
        if (strcmp(path, devices[i]) == 0)
            return STATELESS;
    return strncmp(path, "/memfd:", 7) == 0 && fstat(fd, &status) == 0 && status.st_size == 0
               ? EMPTY_MEMORY
               : OTHER;
}

static bool renew(int fd)
{
    const int flags = fcntl(fd, F_GETFD);
    const int fresh = memfd_create("renewed", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    const bool ok = fresh >= 0 && dup3(fresh, fd, flags & FD_CLOEXEC ? O_CLOEXEC : 0) == fd;
    if (fresh >= 0)
        close(fresh);
    return ok;
}

// Visits the descriptors after `last`. False if a file is OTHER or cannot be renewed.
static bool visit_files(int last, bool change)
{
    DIR *d = opendir("/proc/self/fd");
    bool ok = d != NULL;
    for (struct dirent *entry; ok && (entry = readdir(d));) {
        const int fd = entry->d_name[0] == '.' ? 0 : atoi(entry->d_name);
        if (fd <= last || fd == dirfd(d))
            continue;
        const enum open_file kind = classify(fd);
        ok = kind != OTHER && (!change || kind != EMPTY_MEMORY || renew(fd));
    }
    if (d)
        closedir(d);
    return ok;
}

bool fork_keeps_threads(void)
{
    return threads() == 1;
}

bool fork_is_safe(int last)
{
    return fork_keeps_threads() && !has_children() && !has_shared_memory() &&
           visit_files(last, false);
}

bool fork_renew_files(int last)
{
    return visit_files(last, true);
}
