// SPDX-License-Identifier: Apache-2.0
//
// Files: read, written atomically, locked, synced. Also clocks and the processor count.
#define _GNU_SOURCE // flock, CPU_COUNT
#include "base.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

// Process substitution in a shell passes a pipe as a file, in one of these two folders.
static bool is_handed_over(const char *path)
{
    return strncmp(path, "/dev/fd/", 8) == 0 || strncmp(path, "/proc/self/fd/", 14) == 0 ||
           strcmp(path, "/dev/stdin") == 0;
}

bool file_read(struct arena *a, const char *path, size_t limit, char **data, size_t *size,
               struct err *e)
{
    bool std = strcmp(path, "-") == 0;
    const char *name = std ? "standard input" : path;
    const bool any = std || is_handed_over(path);
    // Without O_NONBLOCK, opening a pipe waits for a writer.
    int fd = std ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC | (any ? 0 : O_NONBLOCK));
    if (fd < 0)
        return err_set(e, "%s: cannot open: %s", name, strerror(errno));
    struct stat st;
    size_t guess = 4096;
    bool ok = true;
    int why = 0;
    if (fstat(fd, &st) == 0) {
        if (S_ISDIR(st.st_mode))
            ok = err_set(e, "%s: is a folder, a file was expected", name);
        else if (!any && !S_ISREG(st.st_mode))
            ok = err_set(e, "%s: is not a regular file", name);
        else if (S_ISREG(st.st_mode) && st.st_size >= 0)
            guess = (size_t)st.st_size + 1;
    }
    VEC(char) v = {0};
    if (ok && guess > limit)
        guess = limit + 1;
    while (ok) {
        VEC_RESERVE(a, &v, v.n == 0 ? guess + 1 : 4096);
        size_t room = v.cap - v.n - 1;
        ssize_t n = read(fd, v.v + v.n, room);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0) {
            why = errno;
            ok = err_set(e, "%s: cannot read: %s", name, strerror(why));
        }
        if (n <= 0)
            break;
        v.n += (size_t)n;
        why = v.n > limit ? EFBIG : 0;
        if (why)
            ok = err_set(e, "%s: larger than the limit of %zu bytes", name, limit);
    }
    if (!std)
        close(fd);
    errno = why;
    if (!ok)
        return false;
    v.v[v.n] = 0;
    *data = v.v;
    *size = v.n;
    return true;
}

bool file_exists(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

bool dir_exists(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

bool file_trouble(void)
{
    return errno != 0 && errno != ENOENT && errno != ENOTDIR && errno != EACCES && errno != ELOOP &&
           errno != ENAMETOOLONG && errno != ENXIO;
}

// Writes all bytes and closes `fd`. False with an errno in *why; what was written stays in the
// file.
static bool write_fd(int fd, const void *data, size_t size, bool synced, int *why)
{
    const char *p = data;
    bool ok = true;
    while (ok && size) {
        ssize_t w = write(fd, p, size);
        if (w < 0 && errno == EINTR)
            continue;
        ok = w >= 0;
        p += ok ? w : 0;
        size -= ok ? (size_t)w : 0;
    }
    // Some kinds of files cannot be synced; that is not an error.
    if (ok && synced && fsync(fd) != 0 && errno != EINVAL && errno != EROFS)
        ok = false;
    *why = errno;
    if (close(fd) != 0 && ok) {
        ok = false;
        *why = errno;
    }
    return ok;
}

bool file_put(const char *path, const void *data, size_t size, bool synced, struct err *e)
{
    // Removes a link or pipe that another program may have left here, so that it is not written
    // through.
    unlink(path);
    int why = 0, fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd < 0)
        why = errno;
    return (fd >= 0 && write_fd(fd, data, size, synced, &why)) ||
           err_set(e, "%s: cannot write: %s", path, strerror(why));
}

// Syncs a folder, so that its renamed, new and removed entries survive a power failure. A folder
// that cannot be opened or does not support fsync is not an error.
static bool folder_sync(const char *path)
{
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return true;
    bool ok = fsync(fd) == 0 || errno == EINVAL || errno == EROFS;
    int why = errno;
    close(fd);
    errno = why;
    return ok;
}

// Syncs the folder that contains `path`.
static bool parent_sync(const char *path)
{
    char up[4096];
    size_t n = strlen(path);
    while (n > 1 && path[n - 1] == '/')
        n--;
    while (n > 0 && path[n - 1] != '/')
        n--;
    while (n > 1 && path[n - 1] == '/')
        n--;
    int k = snprintf(up, sizeof up, "%.*s", (int)n, path);
    return k < 0 || (size_t)k >= sizeof up || folder_sync(n ? up : ".");
}

bool file_move(const char *from, const char *to, struct err *e)
{
    struct stat st;
    bool ok = lstat(from, &st) == 0 && (!S_ISDIR(st.st_mode) || folder_sync(from)) &&
              rename(from, to) == 0 && parent_sync(to);
    int why = errno;
    if (!ok)
        err_set(e, "%s: cannot write: %s", to, strerror(why));
    errno = why;
    return ok;
}

bool file_write(const char *path, const void *data, size_t size, struct err *e)
{
    char tmp[4096];
    struct stat st;
    if (lstat(path, &st) == 0 && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode))
        return err_set(e,
                       "%s: cannot write: it exists and is not a regular file, which would be "
                       "replaced",
                       path);
    int n = snprintf(tmp, sizeof tmp, "%s.tmp%ld", path, (long)getpid());
    if (n < 0 || (size_t)n >= sizeof tmp)
        return err_set(e, "%s: the name is too long", path);
    int why = 0, fd = open(tmp, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (fd < 0)
        return err_set(e, "%s: cannot write: %s", path, strerror(errno));
    bool ok = write_fd(fd, data, size, true, &why) ||
              err_set(e, "%s: cannot write: %s", path, strerror(why));
    ok = ok && file_move(tmp, path, e);
    if (!ok)
        unlink(tmp);
    return ok;
}

int dir_lock(const char *path, double seconds, struct err *e)
{
    const double end = now_seconds() + seconds;
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0) {
        err_set(e, "%s: cannot open: %s", path, strerror(errno));
        return -1;
    }
    bool taken;
    while ((taken = flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) &&
           now_seconds() < end)
        nanosleep(&(struct timespec){.tv_nsec = 5 * 1000 * 1000}, NULL);
    // Some network file systems cannot lock folders. The folder is then used unlocked.
    if (taken) {
        err_set(e, "%s: is in use by another tanglefuzz", path);
        close(fd);
        return -1;
    }
    return fd;
}

bool dir_make(const char *path, struct err *e)
{
    char part[4096];
    size_t n = strlen(path);
    if (n == 0 || n >= sizeof part)
        return err_set(e, "'%s': not a usable folder name", path);
    memcpy(part, path, n + 1);
    for (size_t i = 1; i <= n; i++) {
        if (part[i] != '/' && part[i] != 0)
            continue;
        char kept = part[i];
        part[i] = 0;
        struct stat st;
        const bool made = mkdir(part, 0777) == 0;
        if (!made && (errno != EEXIST || stat(part, &st) != 0 || !S_ISDIR(st.st_mode)))
            return err_set(e, "%s: cannot make the folder: %s", part,
                           errno == EEXIST ? "a file of that name is there" : strerror(errno));
        if (made && !parent_sync(part))
            return err_set(e, "%s: cannot make the folder: %s", part, strerror(errno));
        part[i] = kept;
    }
    return true;
}

static double clock_seconds(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

double now_seconds(void)
{
    return clock_seconds(CLOCK_MONOTONIC);
}

uint32_t processor_count(uint32_t most)
{
    cpu_set_t mine;
    const int n = sched_getaffinity(0, sizeof mine, &mine) == 0 ? CPU_COUNT(&mine) : 1;
    return n < 1 ? 1 : (uint32_t)n < most ? (uint32_t)n : most;
}

const char *host_name(struct arena *a)
{
    char host[256] = "";
    gethostname(host, sizeof host - 1);
    return arena_str(a, host);
}

double thread_cpu_seconds(void)
{
    return clock_seconds(CLOCK_THREAD_CPUTIME_ID);
}

double cpu_seconds(void)
{
    struct rusage u;
    getrusage(RUSAGE_CHILDREN, &u);
    return clock_seconds(CLOCK_PROCESS_CPUTIME_ID) +
           (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
           (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec) * 1e-6;
}
