// SPDX-License-Identifier: Apache-2.0
//
// Folders: listing, removing, and temporary folders of one process.
#define _DEFAULT_SOURCE
#include "base.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int by_name(const void *x, const void *y)
{
    return strcmp(*(char *const *)x, *(char *const *)y);
}

bool dir_list(struct arena *a, const char *path, const char ***names, size_t *n, struct err *e)
{
    VEC(const char *) v = {0};
    DIR *d = opendir(path);
    bool ok = d || (!file_trouble() && errno != EACCES);
    errno = ok ? 0 : errno;
    for (struct dirent *x; d && (x = readdir(d)) != NULL; errno = 0)
        if (x->d_name[0] != '.')
            *VEC_PUSH(a, &v) = arena_str(a, x->d_name);
    ok = ok && errno == 0;
    if (!ok)
        err_set(e, "%s: cannot be read: %s", path, strerror(errno));
    if (d)
        closedir(d);
    if (v.n)
        qsort(v.v, v.n, sizeof *v.v, by_name);
    *names = v.v;
    *n = v.n;
    return ok;
}

// The name is tanglefuzz-PID-XXXXXX, so any process can check whether the owner still runs.
static const char prefix[] = "tanglefuzz-";

static void remove_tree(int at, const char *name, int depth)
{
    if (unlinkat(at, name, 0) == 0 || depth > 32)
        return;
    int fd = openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *d = fd >= 0 ? fdopendir(fd) : NULL;
    if (!d) {
        if (fd >= 0)
            close(fd);
        return;
    }
    for (struct dirent *entry; (entry = readdir(d));)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            remove_tree(dirfd(d), entry->d_name, depth + 1);
    closedir(d);
    unlinkat(at, name, AT_REMOVEDIR);
}

void dir_remove(const char *path)
{
    remove_tree(AT_FDCWD, path, 0);
}

static void remove_stale(const char *parent)
{
    DIR *d = opendir(parent);
    struct stat st;
    for (struct dirent *entry; d && (entry = readdir(d));) {
        char *end;
        if (strncmp(entry->d_name, prefix, sizeof prefix - 1) != 0)
            continue;
        long pid = strtol(entry->d_name + sizeof prefix - 1, &end, 10);
        if (*end == '-' && pid > 0 && kill((pid_t)pid, 0) != 0 && errno == ESRCH &&
            fstatat(dirfd(d), entry->d_name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
            S_ISDIR(st.st_mode) && st.st_uid == geteuid())
            remove_tree(dirfd(d), entry->d_name, 0);
    }
    if (d)
        closedir(d);
}

bool dir_temporary(char *path, size_t size, struct err *e)
{
    const char *tmp = getenv("TMPDIR");
    if (!tmp || !tmp[0])
        tmp = "/tmp";
    remove_stale(tmp);
    int n = snprintf(path, size, "%s/%s%ld-XXXXXX", tmp, prefix, (long)getpid());
    if (n < 0 || (size_t)n >= size)
        return err_set(e, "TMPDIR is too long: %.200s", tmp);
    if (!mkdtemp(path))
        return err_set(e, "cannot make a folder like %.200s: %s", path, strerror(errno));
    return true;
}
