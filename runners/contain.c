// SPDX-License-Identifier: Apache-2.0
//
// Memory is measured instead of limiting address space: engines reserve far more than they use.
#define _GNU_SOURCE
#include "contain.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

// ---- files, network, processes: bubblewrap ------------------------------------------------

static const char *const flags[] = {"--ro-bind",
                                    "/",
                                    "/",
                                    "--dev",
                                    "/dev",
                                    "--proc",
                                    "/proc",
                                    "--unshare-net",
                                    "--unshare-pid",
                                    "--unshare-ipc",
                                    "--unshare-uts",
                                    "--die-with-parent",
                                    "--size",
                                    "1073741824",
                                    "--tmpfs",
                                    "/dev/shm",
                                    "--"};
enum { FLAGS = sizeof flags / sizeof *flags };

static struct {
    pthread_once_t once;
    bool there;
    char path[512]; // of bwrap
    char why[160];
} probed = {.once = PTHREAD_ONCE_INIT};

// Runs `true` contained: the only reliable check that the kernel allows it.
static void probe(void)
{
    char *argv[FLAGS + 3] = {probed.path};
    const char *asked = getenv("TANGLEFUZZ_CONTAIN");
    posix_spawn_file_actions_t files;
    pid_t pid;
    int how = 0;
    if (asked && strcmp(asked, "no") == 0) {
        snprintf(probed.why, sizeof probed.why, "TANGLEFUZZ_CONTAIN=no");
        return;
    }
    struct arena a = {0};
    const char *path = getenv("PATH");
    for (char *save = NULL, *p = strtok_r(arena_str(&a, path ? path : ""), ":", &save);
         p && !probed.path[0]; p = strtok_r(NULL, ":", &save))
        if (access(arena_printf(&a, "%s/bwrap", p), X_OK) == 0)
            snprintf(probed.path, sizeof probed.path, "%s/bwrap", p);
    arena_free(&a);
    for (size_t i = 0; i < FLAGS; i++)
        argv[i + 1] = (char *)(uintptr_t)flags[i];
    argv[FLAGS + 1] = (char *)(uintptr_t)"true";
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&files, 1, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&files, 2, "/dev/null", O_WRONLY, 0);
    int failed = posix_spawn(&pid, argv[0], &files, NULL, argv, environ);
    posix_spawn_file_actions_destroy(&files);
    while (!failed && waitpid(pid, &how, 0) < 0)
        if (errno != EINTR)
            break;
    probed.there = !failed && WIFEXITED(how) && WEXITSTATUS(how) == 0;
    if (!probed.there)
        snprintf(probed.why, sizeof probed.why,
                 !probed.path[0] ? "bwrap is not installed (Debian: apt install bubblewrap)"
                                 : "bwrap may not create namespaces on this machine");
}

bool run_contained(char *why, size_t size)
{
    pthread_once(&probed.once, probe);
    if (size)
        snprintf(why, size, "%s", probed.why);
    return probed.there;
}

void contain_plan(struct arena *a, struct run_plan *plan)
{
    static const char *const env[] = {"TMPDIR=/dev/shm", "XDG_CACHE_HOME=/dev/shm"};
    if (!run_contained(NULL, 0))
        return;
    CHECK(!plan->prefix_count && !plan->env_count);
    const char **prefix = ARENA_ARRAY(a, const char *, FLAGS + 1);
    prefix[0] = probed.path;
    memcpy(prefix + 1, flags, sizeof flags);
    plan->prefix = prefix;
    plan->prefix_count = FLAGS + 1;
    plan->env = arena_copy(a, env, sizeof env);
    plan->env_count = sizeof env / sizeof *env;
    plan->contained = true;
}

// ---- memory, number of processes, disk: measured ----------------------------------------------

struct use {
    size_t memory, disk;
    unsigned processes, files;
    bool time; // measure CPU time instead of memory
    unsigned long ticks;
    double lacked;
};

// Bytes of a process's private memory.
static size_t own_memory(long pid)
{
    char path[64];
    unsigned long resident = 0, shared = 0;
    snprintf(path, sizeof path, "/proc/%ld/statm", pid);
    FILE *f = fopen(path, "re");
    if (f && fscanf(f, "%*u %lu %lu", &resident, &shared) != 2)
        resident = shared = 0;
    if (f)
        fclose(f);
    return (resident > shared ? resident - shared : 0) * (size_t)sysconf(_SC_PAGESIZE);
}

// CPU ticks of a process and of the children that it reaped (fields 14 to 17 of its stat file).
static unsigned long own_ticks(long pid)
{
    char path[64], line[1024];
    unsigned long user = 0, kernel = 0, children[2] = {0};
    snprintf(path, sizeof path, "/proc/%ld/stat", pid);
    FILE *f = fopen(path, "re");
    const size_t n = f ? fread(line, 1, sizeof line - 1, f) : 0;
    if (f)
        fclose(f);
    line[n] = 0;
    const char *name_ends = strrchr(line, ')'); // a name may contain any character
    if (!name_ends ||
        sscanf(name_ends + 1, " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu %lu %lu", &user,
               &kernel, &children[0], &children[1]) != 4)
        return 0;
    return user + kernel + children[0] + children[1];
}

// Seconds that a thread was ready but had no processor: the second number of its schedstat, in
// nanoseconds.
static double own_lack(const char *path)
{
    unsigned long long ns = 0;
    FILE *f = fopen(path, "re");
    if (f && fscanf(f, "%*u %llu", &ns) != 1)
        ns = 0;
    if (f)
        fclose(f);
    return (double)ns * 1e-9;
}

static void add_process(struct use *u, long pid)
{
    char path[64];
    if (u->processes++ > CONTAIN_PROCESSES)
        return;
    if (u->time)
        u->ticks += own_ticks(pid);
    else
        u->memory += own_memory(pid);
    snprintf(path, sizeof path, "/proc/%ld/task", pid);
    DIR *d = opendir(path);
    for (struct dirent *x; d && (x = readdir(d));) {
        char list[340];
        if (u->time && x->d_name[0] != '.') {
            snprintf(list, sizeof list, "%s/%s/schedstat", path, x->d_name);
            u->lacked += own_lack(list);
        }
        snprintf(list, sizeof list, "%s/%s/children", path, x->d_name);
        FILE *f = x->d_name[0] == '.' ? NULL : fopen(list, "re");
        for (long child; f && u->processes <= CONTAIN_PROCESSES && fscanf(f, "%ld", &child) == 1;)
            add_process(u, child);
        if (f)
            fclose(f);
    }
    if (d)
        closedir(d);
}

static void add_files(struct use *u, int at, const char *name, int depth)
{
    int fd = openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *d = fd >= 0 ? fdopendir(fd) : NULL;
    for (struct dirent *x; d && u->files < CONTAIN_FILES && (x = readdir(d));) {
        struct stat st;
        if (strcmp(x->d_name, ".") == 0 || strcmp(x->d_name, "..") == 0 ||
            fstatat(fd, x->d_name, &st, AT_SYMLINK_NOFOLLOW) != 0)
            continue;
        u->files++;
        u->disk += (size_t)st.st_blocks * 512;
        if (S_ISDIR(st.st_mode) && depth < 16)
            add_files(u, fd, x->d_name, depth + 1);
    }
    if (d)
        closedir(d);
    else if (fd >= 0)
        close(fd);
}

size_t contain_memory(pid_t pid)
{
    struct use u = {0};
    add_process(&u, pid);
    return u.memory;
}

struct contain_processors contain_processors(pid_t pid)
{
    struct use u = {.time = true};
    add_process(&u, pid);
    return (struct contain_processors){(double)u.ticks / (double)sysconf(_SC_CLK_TCK), u.lacked};
}

struct contain_processors contain_own(void)
{
    return contain_processors(getpid());
}

bool contain_look(pid_t pid, const char *folder, size_t memory, char *line, size_t size,
                  enum run_status *status)
{
    struct use u = {0};
    add_process(&u, pid);
    add_files(&u, AT_FDCWD, folder, 0);
    *status = u.memory > memory ? RUN_MEMORY : RUN_CRASHED;
    line[0] = 0;
    if (u.memory > memory)
        snprintf(line, size, "it used more than %zu MiB of memory", memory >> 20);
    else if (u.processes > CONTAIN_PROCESSES)
        snprintf(line, size, "it started more than %d processes", (int)CONTAIN_PROCESSES);
    else if (u.disk > CONTAIN_DISK || u.files >= CONTAIN_FILES)
        snprintf(line, size, "it wrote more than %zu MiB or %d files", CONTAIN_DISK >> 20,
                 (int)CONTAIN_FILES);
    return line[0] != 0;
}
