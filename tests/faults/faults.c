// SPDX-License-Identifier: Apache-2.0
//
// Preloaded into tanglefuzz by tests/faults/inject.py: makes one allocation or one file operation fail, or writes
// down what is done to files. It looks at the program's own process alone, not at its workers and commands.
//
//   TF_FAULT_LIST=FILE   writes a line for each way to a call, "HASH KIND NAME", once
//   TF_FAULT_AT=HASH     the first call of that way fails (again with TF_FAULT_ON: from there on all of its kind)
//   TF_FAULT_JOURNAL=FILE  what is done to files below TF_FAULT_ROOT, in order (tests/faults/journal.py)
//
// A way is the call with the functions that led to it, each by its place in its file: the same in every run.
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

void *__libc_malloc(size_t n);
void *__libc_calloc(size_t n, size_t each);
void *__libc_realloc(void *p, size_t n);

enum { FRAMES = 14, SEEN = 1 << 16 };

static bool on, listing, sticky, fired;
static uint64_t at, seen[SEEN];
static int list_fd = -1, journal_fd = -1;
static char root[512];
static __thread int inside;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

// The real one, for which dlsym may allocate itself.
#define REAL(name) ((__typeof__(&name))real(#name))
static void *real(const char *name)
{
    inside++;
    void *p = dlsym(RTLD_NEXT, name);
    inside--;
    return p;
}

static void out(int fd, const char *text, size_t n)
{
    inside++;
    ssize_t (*w)(int, const void *, size_t) = REAL(write);
    while (n) {
        ssize_t k = w(fd, text, n);
        if (k <= 0)
            abort();
        text += k;
        n -= (size_t)k;
    }
    inside--;
}

__attribute__((constructor)) static void start(void)
{
    char line[4096], *word = line;
    inside++;
    const char *list = getenv("TF_FAULT_LIST"), *fail = getenv("TF_FAULT_AT");
    const char *journal = getenv("TF_FAULT_JOURNAL"), *below = getenv("TF_FAULT_ROOT");
    int fd = REAL(open)("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
    ssize_t n = fd >= 0 ? REAL(read)(fd, line, sizeof line - 1) : 0;
    if (fd >= 0)
        REAL(close)(fd);
    line[n > 0 ? n : 0] = 0;
    word = line + strlen(line) + 1;
    const char *name = strrchr(line, '/') ? strrchr(line, '/') + 1 : line;
    if (n > 0 && strcmp(name, "tanglefuzz") == 0 && word < line + n && strcmp(word, "worker") != 0) {
        void *warm[2];
        backtrace(warm, 2); // it allocates the first time
        sticky = getenv("TF_FAULT_ON") != NULL;
        if (list)
            list_fd = REAL(open)(list, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
        if (journal)
            journal_fd = REAL(open)(journal, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
        snprintf(root, sizeof root, "%s", below ? below : "");
        at = fail ? strtoull(fail, NULL, 16) : 0;
        listing = list_fd >= 0;
        on = listing || at;
    }
    inside--;
}

static uint64_t way(const char *name, char kind)
{
    void *frame[FRAMES];
    int n = backtrace(frame, FRAMES);
    uint64_t h = 1469598103934665603u;
    for (const char *s = name; *s; s++)
        h = (h ^ (uint8_t)*s) * 1099511628211u;
    for (int k = 2; k < n; k++) {
        Dl_info info;
        uint64_t v = dladdr(frame[k], &info) ? (uint64_t)((char *)frame[k] - (char *)info.dli_fbase) : 1;
        h = (h ^ v) * 1099511628211u;
        h ^= h >> 29;
    }
    return h + (uint8_t)kind;
}

// Whether this call is to fail.
static bool fails(const char *name, char kind)
{
    bool now = false;
    if (!on || inside)
        return false;
    inside++;
    int kept = errno;
    uint64_t h = way(name, kind);
    if (at) {
        static char fired_kind;
        pthread_mutex_lock(&lock);
        now = (!fired && h == at) || (sticky && fired && fired_kind == kind);
        if (now && !fired) {
            fired = true;
            fired_kind = kind;
            const char *told = getenv("TF_FAULT_TOLD");
            if (told)
                REAL(close)(REAL(open)(told, O_WRONLY | O_CREAT | O_CLOEXEC, 0666));
        }
        pthread_mutex_unlock(&lock);
    } else {
        char line[80];
        pthread_mutex_lock(&lock);
        size_t k = h % SEEN;
        while (seen[k] && seen[k] != h)
            k = (k + 1) % SEEN;
        if (!seen[k]) {
            seen[k] = h;
            int n = snprintf(line, sizeof line, "%016llx %c %s\n", (unsigned long long)h, kind, name);
            out(list_fd, line, (size_t)n);
        }
        pthread_mutex_unlock(&lock);
    }
    errno = kept;
    inside--;
    return now;
}

// ---- the journal -----------------------------------------------------------------------

static bool below_root(const char *path)
{
    return strncmp(path, root, strlen(root)) == 0;
}

static bool path_of(int fd, char *path, size_t size)
{
    char link[40];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t n = readlink(link, path, size - 1);
    path[n > 0 ? n : 0] = 0;
    return n > 0 && below_root(path);
}

// One entry: "OP LENGTH PATH\n" and LENGTH bytes.
static void note(const char *op, const char *path, const char *to, const void *data, size_t n)
{
    char head[2200];
    int k = snprintf(head, sizeof head, "%s %zu %s%s%s\n", op, n, path, to ? "\t" : "", to ? to : "");
    pthread_mutex_lock(&lock);
    out(journal_fd, head, (size_t)k);
    out(journal_fd, data, n);
    pthread_mutex_unlock(&lock);
}

static const char *absolute(const char *path, char *full, size_t size)
{
    char here[512];
    if (path[0] == '/' || !getcwd(here, sizeof here))
        return path;
    snprintf(full, size, "%s/%s", here, path);
    return full;
}

static void note_path(const char *op, const char *path, const char *to)
{
    char x[1100], y[1100];
    if (journal_fd < 0 || inside)
        return;
    inside++;
    int kept = errno;
    path = absolute(path, x, sizeof x);
    if (below_root(path))
        note(op, path, to ? absolute(to, y, sizeof y) : NULL, NULL, 0);
    errno = kept;
    inside--;
}

static void note_fd(const char *op, int fd, const void *data, size_t n)
{
    char path[1100];
    if (journal_fd < 0 || inside)
        return;
    inside++;
    int kept = errno;
    if (path_of(fd, path, sizeof path))
        note(op, path, NULL, data, n);
    errno = kept;
    inside--;
}

// ---- memory ----------------------------------------------------------------------------

void *malloc(size_t n)
{
    if (fails("malloc", 'm')) {
        errno = ENOMEM;
        return NULL;
    }
    return __libc_malloc(n);
}

void *calloc(size_t n, size_t each)
{
    if (fails("calloc", 'm')) {
        errno = ENOMEM;
        return NULL;
    }
    return __libc_calloc(n, each);
}

void *realloc(void *p, size_t n)
{
    if (fails("realloc", 'm')) {
        errno = ENOMEM;
        return NULL;
    }
    return __libc_realloc(p, n);
}

// ---- files -----------------------------------------------------------------------------

// Files and folders alone: what a worker says comes by other ways.
static bool is_file(int fd)
{
    struct stat st;
    if (!on || inside)
        return false;
    inside++;
    int kept = errno;
    bool is = REAL(fstat)(fd, &st) == 0 && (S_ISREG(st.st_mode) || S_ISDIR(st.st_mode));
    errno = kept;
    inside--;
    return is;
}
#define FAIL_IF(cond, name, error, value)                                                          \
    if ((cond) && fails(name, 'f')) {                                                              \
        errno = error;                                                                             \
        return value;                                                                              \
    }
// What a process reads of itself does not fail.
static bool real_path(const char *path)
{
    return strncmp(path, "/proc/", 6) != 0 && strncmp(path, "/dev/", 5) != 0 && strncmp(path, "/sys/", 5) != 0;
}

#define MODE                                                                                       \
    mode_t mode = 0;                                                                               \
    if (flags & (O_CREAT | O_TMPFILE)) {                                                           \
        va_list args;                                                                              \
        va_start(args, flags);                                                                     \
        mode = va_arg(args, mode_t);                                                               \
        va_end(args);                                                                              \
    }
#define OPEN(name)                                                                                 \
    int name(const char *path, int flags, ...)                                                     \
    {                                                                                              \
        MODE                                                                                       \
        FAIL_IF(real_path(path), #name, flags & O_CREAT ? ENOSPC : EIO, -1)                        \
        int fd = REAL(name)(path, flags, mode);                                                    \
        if (fd >= 0 && flags & (O_CREAT | O_TRUNC))                                                \
            note_path(flags & O_TRUNC ? "trunc" : "create", path, NULL);                           \
        return fd;                                                                                 \
    }
OPEN(open)
OPEN(open64)
#define OPENAT(name)                                                                               \
    int name(int dir, const char *path, int flags, ...)                                            \
    {                                                                                              \
        MODE                                                                                       \
        FAIL_IF(real_path(path), #name, EIO, -1)                                                   \
        return REAL(name)(dir, path, flags, mode);                                                 \
    }
OPENAT(openat)
OPENAT(openat64)

FILE *fopen(const char *path, const char *mode)
{
    FAIL_IF(real_path(path), "fopen", EIO, NULL)
    return REAL(fopen)(path, mode);
}

DIR *opendir(const char *path)
{
    FAIL_IF(real_path(path), "opendir", EIO, NULL)
    return REAL(opendir)(path);
}

struct dirent *readdir(DIR *d)
{
    FAIL_IF(is_file(dirfd(d)), "readdir", EIO, NULL)
    return REAL(readdir)(d);
}

ssize_t read(int fd, void *to, size_t n)
{
    FAIL_IF(is_file(fd), "read", EIO, -1)
    return REAL(read)(fd, to, n);
}

ssize_t pread64(int fd, void *to, size_t n, off64_t from)
{
    FAIL_IF(is_file(fd), "pread64", EIO, -1)
    return REAL(pread64)(fd, to, n, from);
}

ssize_t write(int fd, const void *data, size_t n)
{
    FAIL_IF(is_file(fd), "write", ENOSPC, -1)
    ssize_t did = REAL(write)(fd, data, n);
    if (did > 0)
        note_fd("write", fd, data, (size_t)did);
    return did;
}

// What the program says: the C library's own write is not ours to see.
int fputs(const char *text, FILE *to)
{
    if (to == stdout && journal_fd >= 0 && !inside) {
        inside++;
        note("told", root, NULL, text, strlen(text));
        inside--;
    }
    return REAL(fputs)(text, to);
}

ssize_t pwrite64(int fd, const void *data, size_t n, off64_t to)
{
    FAIL_IF(is_file(fd), "pwrite64", ENOSPC, -1)
    return REAL(pwrite64)(fd, data, n, to);
}

#define ON_FD(name)                                                                                \
    int name(int fd)                                                                               \
    {                                                                                              \
        FAIL_IF(is_file(fd), #name, EIO, -1)                                                       \
        int got = REAL(name)(fd);                                                                  \
        if (got == 0)                                                                              \
            note_fd("sync", fd, NULL, 0);                                                          \
        return got;                                                                                \
    }
ON_FD(fsync)
ON_FD(fdatasync)

int close(int fd)
{
    if (is_file(fd) && fails("close", 'f')) {
        REAL(close)(fd); // it is closed all the same
        errno = EIO;
        return -1;
    }
    return REAL(close)(fd);
}

int ftruncate64(int fd, off64_t n)
{
    FAIL_IF(is_file(fd), "ftruncate64", EIO, -1)
    return REAL(ftruncate64)(fd, n);
}

int rename(const char *from, const char *to)
{
    FAIL_IF(true, "rename", EIO, -1)
    int got = REAL(rename)(from, to);
    if (got == 0)
        note_path("rename", from, to);
    return got;
}

#define ON_PATH(name, op)                                                                          \
    int name(const char *path)                                                                     \
    {                                                                                              \
        FAIL_IF(real_path(path), #name, EIO, -1)                                                   \
        int got = REAL(name)(path);                                                                \
        if (got == 0)                                                                              \
            note_path(op, path, NULL);                                                             \
        return got;                                                                                \
    }
ON_PATH(unlink, "unlink")
ON_PATH(rmdir, "rmdir")

int mkdir(const char *path, mode_t mode)
{
    FAIL_IF(true, "mkdir", ENOSPC, -1)
    int got = REAL(mkdir)(path, mode);
    if (got == 0)
        note_path("mkdir", path, NULL);
    return got;
}

#define STAT(name)                                                                                 \
    int name(const char *path, struct stat *st)                                                    \
    {                                                                                              \
        FAIL_IF(real_path(path), #name, EIO, -1)                                                   \
        return REAL(name)(path, st);                                                               \
    }
STAT(stat)
STAT(lstat)

int access(const char *path, int how)
{
    FAIL_IF(real_path(path), "access", EIO, -1)
    return REAL(access)(path, how);
}
