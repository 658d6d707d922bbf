// SPDX-License-Identifier: Apache-2.0
//
// Worker processes: fork, exec, pipes, signals. A target's first worker is started from the
// program. A fork server (fork_server.h) forks the later ones if possible.
//
// What always holds: a worker has only descriptors 0 to 3 (and CRASH_SITE_FD). It is in its own
// process group, so that ctrl-C only reaches the supervisor. It dies with the thread that started
// it. After worker_stop neither it nor any process that it started is left, even in another
// session: orphans become our children (we are a subreaper) and are identified by the mark in their
// environment.
#define _GNU_SOURCE
#include "worker.h"

#include "contain.h"
#include "signal_name.h"

#include "base/sanitized.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

// ---- workers and orphans ---------------------------------------------------------

// The children of this process that are workers or fork servers. All targets share this list,
// because orphans become children of the whole process: code that reaps an orphan must know that it
// is not a worker.
static struct {
    pthread_mutex_t lock;
    pid_t *pid;
    size_t n, room;
} workers = {.lock = PTHREAD_MUTEX_INITIALIZER};

static pid_t fork_worker(void)
{
    pthread_mutex_lock(&workers.lock);
    if (workers.n == workers.room) {
        workers.room = workers.room ? workers.room * 2 : 16;
        workers.pid = mem_grow(workers.pid, workers.room * sizeof *workers.pid);
    }
    pid_t pid = fork();
    if (pid > 0)
        workers.pid[workers.n++] = pid;
    if (pid != 0)
        pthread_mutex_unlock(&workers.lock);
    return pid;
}

static void forget_worker(pid_t pid)
{
    pthread_mutex_lock(&workers.lock);
    for (size_t i = 0; i < workers.n; i++)
        if (workers.pid[i] == pid) {
            workers.pid[i] = workers.pid[--workers.n];
            break;
        }
    pthread_mutex_unlock(&workers.lock);
}

// Call with the lock held.
static bool is_worker(pid_t pid)
{
    for (size_t i = 0; i < workers.n; i++)
        if (workers.pid[i] == pid)
            return true;
    return false;
}

// Reaps an orphan if it has ended. False for a worker or fork server.
static bool reap_orphan(pid_t pid)
{
    pthread_mutex_lock(&workers.lock);
    const bool orphan = !is_worker(pid);
    if (orphan)
        waitpid(pid, NULL, WNOHANG);
    pthread_mutex_unlock(&workers.lock);
    return orphan;
}

// False if the process does not exist, or is a worker or fork server and `workers_too` is not set.
static bool kill_orphan(pid_t pid, bool workers_too)
{
    pthread_mutex_lock(&workers.lock);
    const bool sent = (workers_too || !is_worker(pid)) && kill(pid, SIGKILL) == 0;
    pthread_mutex_unlock(&workers.lock);
    return sent;
}

// ---- start -------------------------------------------------------------------

// The supervisor's environment, overridden by the plan's, plus the worker's mark.
static char **make_env(struct arena *a, const struct run_plan *plan, char *mark)
{
    size_t n = 0;
    while (environ[n])
        n++;
    char **env = ARENA_ARRAY(a, char *, n + plan->env_count + 2);
    size_t count = 0;
    for (size_t i = 0; i <= n + plan->env_count; i++) {
        const char *line = i < n ? environ[i] : i == n + plan->env_count ? mark : plan->env[i - n];
        size_t key = strcspn(line, "=");
        size_t at = 0;
        while (at < count && !(strncmp(env[at], line, key) == 0 && env[at][key] == '='))
            at++;
        env[at] = arena_str(a, line);
        if (at == count)
            count++;
    }
    return env;
}

// Duplicates a descriptor to a number above those that the child uses.
static int lift(int fd)
{
    int high = fd < 0 ? -1 : fcntl(fd, F_DUPFD_CLOEXEC, 10);
    if (fd >= 0)
        close(fd);
    return high;
}

static void close_if(int fd)
{
    if (fd >= 0)
        close(fd);
}

// The worker's connection and its output. The supervisor's side is [0] and non-blocking.
struct ends {
    int sock[2], out[2];
};

static void ends_close(struct ends *x, int which)
{
    close_if(x->sock[which]);
    close_if(x->out[which]);
    x->sock[which] = x->out[which] = -1;
}

static bool ends_open(struct ends *x, int type)
{
    *x = (struct ends){{-1, -1}, {-1, -1}};
    bool ok =
        socketpair(AF_UNIX, type | SOCK_CLOEXEC, 0, x->sock) == 0 && pipe2(x->out, O_CLOEXEC) == 0;
    if (ok) {
        x->sock[1] = lift(x->sock[1]);
        x->out[1] = lift(x->out[1]);
        ok = x->sock[1] >= 0 && x->out[1] >= 0 && fcntl(x->out[0], F_SETFL, O_NONBLOCK) == 0;
    }
    return ok;
}

// Runs in the child between fork and exec: must not take a lock.
TF_NORETURN static void become_worker(char *const *argv, char *const *env, int null,
                                      const struct ends *x, int site, pid_t parent, size_t memory)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(0);
    setpgid(0, 0);
    struct rlimit none = {0, 0};
    setrlimit(RLIMIT_CORE, &none); // the signal reports the crash; core files only cost time
#if !SANITIZED
    // For memory that grows faster than it is checked. Twice the limit, because much is reserved
    // but unused.
    struct rlimit most = {memory * 2, RLIM_INFINITY}; // commands have checks instead
    if (memory)
        setrlimit(RLIMIT_DATA, &most);
#else
    (void)memory;
#endif
    for (int s = 1; s < NSIG; s++)
        signal(s, s == SIGINT ? SIG_IGN : SIG_DFL);
    sigset_t all;
    sigemptyset(&all);
    sigprocmask(SIG_SETMASK, &all, NULL);
    dup2(null, 0);
    dup2(x->out[1], 1);
    dup2(x->out[1], 2);
    dup2(x->sock[1], WORKER_FD);
    close_range(site < 0 || dup2(site, CRASH_SITE_FD) < 0 ? CRASH_SITE_FD : CRASH_SITE_FD + 1, ~0u,
                0);
    execve(argv[0], argv, env);
    const char *why = strerrordesc_np(errno);
    const char *part[] = {"cannot run ", argv[0], ": ", why ? why : "?", "\n"};
    for (size_t i = 0; i < sizeof part / sizeof part[0]; i++)
        if (write(2, part[i], strlen(part[i])) < 0)
            break;
    _exit(127);
}

// Starts the program with these ends, in its own process group. -1 with errno set on failure.
static pid_t start_process(char *const *argv, char *const *env, const struct ends *x, int site,
                           size_t memory)
{
    int null = lift(open("/dev/null", O_RDONLY | O_CLOEXEC));
    pid_t parent = getpid();
    pid_t pid = null < 0 ? -1 : fork_worker();
    if (pid == 0)
        become_worker(argv, env, null, x, site, parent, memory);
    int why = errno;
    close_if(null);
    errno = why;
    if (pid > 0)
        setpgid(pid, pid); // here too, so that a kill of the group always reaches it
    return pid;
}

// `prefix... self worker --fd 3`, and `last` if given.
static char **make_argv(struct arena *a, const struct run_plan *plan, const char *self,
                        const char *last)
{
    char **argv = ARENA_ARRAY(a, char *, plan->prefix_count + 6);
    size_t n = 0;
    for (uint32_t i = 0; i < plan->prefix_count; i++)
        argv[n++] = arena_str(a, plan->prefix[i]);
    // A link such as /proc/self/exe would resolve to the prefix's program.
    char *real = realpath(self, NULL);
    argv[n++] = arena_str(a, real ? real : self);
    free(real);
    argv[n++] = arena_str(a, "worker");
    argv[n++] = arena_str(a, "--fd");
    argv[n++] = arena_printf(a, "%d", WORKER_FD);
    if (last)
        argv[n++] = arena_str(a, last);
    return argv;
}

// ---- a fork server --------------------------------------------------------------

// To open a target, to load a driver. A driver that waits for a thread that is held never opens.
static const double AHEAD_SECONDS = 10, LOAD_SECONDS = 30;

static void stop_server(struct worker *w)
{
    if (!w->server.pid)
        return;
    close(w->server.fd);
    kill(-w->server.pid, SIGKILL);
    while (waitpid(w->server.pid, NULL, 0) < 0 && errno == EINTR)
        ;
    forget_worker(w->server.pid);
    w->server.pid = 0;
}

static void start_server(struct worker *w, const struct run_plan *plan, const char *self,
                         const struct wire_buf *open, bool ahead)
{
    struct arena a = {0};
    struct ends x;
    pid_t pid = -1;
    if (ends_open(&x, SOCK_SEQPACKET))
        pid = start_process(make_argv(&a, plan, self, "--fork-server"), make_env(&a, plan, w->mark),
                            &x, w->site ? w->site_fd : -1, w->memory);
    arena_free(&a);
    ends_close(&x, 1);
    w->server.refused = pid < 0;
    if (pid > 0) {
        w->server = (struct fork_server){.pid = pid, .fd = x.sock[0], .ahead = ahead};
        x.sock[0] = -1;
        if (!fork_server_ready(&w->server, open, ahead, ahead ? AHEAD_SECONDS : LOAD_SECONDS))
            stop_server(w);
    }
    ends_close(&x, 0);
}

// Starts a fork server that opens the target, or else one that only loads the driver. Failure is
// not reported, since workers can always be started directly.
static void need_server(struct worker *w, const struct run_plan *plan, const char *self,
                        const struct wire_buf *open)
{
    if (w->server.pid || w->server.refused)
        return;
    start_server(w, plan, self, open, true);
    if (w->server.refused)
        start_server(w, plan, self, open, false);
}

// ---- one start --------------------------------------------------------------------

bool worker_start(struct worker *w, const struct run_plan *plan, const char *self,
                  const struct wire_buf *open, struct err *e)
{
    CHECK(w->pid == 0);
    struct arena a = {0};
    struct ends x;
    pid_t pid = -1;
    w->in.at = w->in.n = 0;
    output_clear(&w->output);
    w->contained = plan->contained;
    if (!w->server.pid)
        snprintf(w->mark, sizeof w->mark, "TANGLEFUZZ_WORKER=%ld.%.9f.%p", (long)getpid(),
                 now_seconds(), (void *)w);
    if (!w->started && (w->site = crash_site_new(&w->site_fd)))
        w->site_fd = lift(w->site_fd);
    if (w->site)
        w->site->frames = 0;
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    if (w->started && open && !plan->contained)
        need_server(w, plan, self, open);
    bool ok = ends_open(&x, SOCK_STREAM) && fcntl(x.sock[0], F_SETFL, O_NONBLOCK) == 0;
    if (ok && w->server.pid) {
        pid = fork_server_fork(&w->server, x.sock[1], x.out[1]);
        if (pid < 0) { // from now on workers are started directly
            stop_server(w);
            w->server.refused = true;
        }
    }
    w->forked = pid > 0;
    if (ok && pid < 0)
        pid = start_process(make_argv(&a, plan, self, NULL), make_env(&a, plan, w->mark), &x,
                            w->site ? w->site_fd : -1, w->memory);
    int why = errno;
    arena_free(&a);
    ends_close(&x, 1);
    if (pid < 0) {
        ends_close(&x, 0);
        return err_set(e, "cannot start a worker process: %s", strerror(why));
    }
    w->started = true;
    w->pid = pid;
    w->fd = x.sock[0];
    w->out = x.out[0];
    return true;
}

// ---- talk --------------------------------------------------------------------

bool worker_send(struct worker *w, struct wire_buf *b)
{
    while (b->at < b->n) {
        ssize_t n = send(w->fd, b->v + b->at, b->n - b->at, MSG_NOSIGNAL);
        if (n > 0)
            b->at += (size_t)n;
        else if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
            return true;
        else if (!(n < 0 && errno == EINTR))
            return false;
    }
    return true;
}

bool worker_receive(struct worker *w)
{
    // Stops after AT_ONCE bytes, so that frames are handled even if a worker never stops sending.
    enum { AT_ONCE = 4 << 20 };
    for (size_t taken = 0; taken < AT_ONCE;) {
        uint8_t *room = wire_room(&w->in, 1 << 16);
        ssize_t n = recv(w->fd, room, w->in.cap - w->in.n, 0);
        if (n > 0) {
            w->in.n += (size_t)n;
            taken += (size_t)n;
            if (w->in.n < w->in.cap)
                return true; // most likely all; otherwise the next poll wakes
        } else if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
            return true;
        } else if (!(n < 0 && errno == EINTR)) {
            return false;
        }
    }
    return true;
}

void worker_drain(struct worker *w)
{
    char chunk[1 << 16];
    while (w->out >= 0) {
        ssize_t n = read(w->out, chunk, sizeof chunk);
        if (n > 0) {
            output_add(&w->output, chunk, (size_t)n);
        } else if (n < 0 && errno == EINTR) {
            continue;
        } else if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
            return;
        } else {
            close(w->out);
            w->out = -1;
        }
    }
}

// ---- stop --------------------------------------------------------------------

size_t worker_memory(const struct worker *w)
{
    if (w->contained)
        return contain_memory(w->pid);
    char path[40], line[100];
    snprintf(path, sizeof path, "/proc/%d/statm", (int)w->pid);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd >= 0 ? read(fd, line, sizeof line - 1) : 0;
    if (fd >= 0)
        close(fd);
    line[n > 0 ? n : 0] = 0;
    unsigned long size, resident, shared;
    if (sscanf(line, "%lu %lu %lu", &size, &resident, &shared) != 3 || shared > resident)
        return 0;
    return (resident - shared) * (size_t)sysconf(_SC_PAGESIZE);
}

// Waits up to `seconds` for the process. True once it is reaped.
static bool reap(pid_t pid, double seconds, int *status, size_t *peak)
{
    struct rusage used = {0};
    double end = now_seconds() + seconds;
    for (;;) {
        pid_t got = wait4(pid, status, WNOHANG, &used);
        if (got == pid)
            *peak = (size_t)used.ru_maxrss << 10;
        if (got == pid || (got < 0 && errno == ECHILD))
            return true;
        if (now_seconds() >= end)
            return false;
        nanosleep(&(struct timespec){.tv_nsec = 200 * 1000}, NULL);
    }
}

static void describe(const struct worker *w, bool killed, int status, char *how, size_t size)
{
    int n;
    if (killed)
        n = snprintf(how, size, "had to be killed");
    else if (WIFSIGNALED(status) && signal_name(WTERMSIG(status)))
        n = snprintf(how, size, "died of %s", signal_name(WTERMSIG(status)));
    else if (WIFSIGNALED(status))
        n = snprintf(how, size, "died of signal %d", WTERMSIG(status));
    else
        n = snprintf(how, size, "exited with status %d", WEXITSTATUS(status));
    if (w->output.n && n > 0 && (size_t)n + 3 < size) {
        memcpy(how + n, ": ", 2);
        output_reason(&w->output, how + n + 2, size - (size_t)n - 2);
    }
}

enum marked { MARKED, OTHER, ENDING };

// True if a process has no memory any more: it is about to end, or has ended.
static bool is_ending(long pid)
{
    char path[40], line[40] = "";
    snprintf(path, sizeof path, "/proc/%ld/statm", pid);
    FILE *f = fopen(path, "re");
    const bool read = f && fgets(line, sizeof line, f);
    if (f)
        fclose(f);
    return !read || strncmp(line, "0 ", 2) == 0;
}

// Checks for the mark in a process's environment. A process that is about to end has no
// environment, and an ordinary user may not read it.
static enum marked is_marked(long pid, const char *mark, size_t n)
{
    struct arena a = {0};
    char *data, path[40];
    size_t size = 0;
    snprintf(path, sizeof path, "/proc/%ld/environ", pid);
    const bool read = file_read(&a, path, 1 << 20, &data, &size, NULL) && size;
    const enum marked m = read && memmem(data, size, mark, n) ? MARKED
                          : !read && is_ending(pid)           ? ENDING
                                                              : OTHER;
    arena_free(&a);
    return m;
}

// Kills the processes that a worker left: our children with its mark, then their children. All are
// killed before any is waited for, since there may be hundreds.
static void end_orphans(const char *mark, size_t n, double seconds, bool workers_too)
{
    double end = now_seconds() + seconds;
    for (bool any = true; any && now_seconds() < end;) {
        any = false;
        DIR *d = opendir("/proc/self/task");
        for (struct dirent *entry; d && (entry = readdir(d));) {
            char path[300];
            snprintf(path, sizeof path, "/proc/self/task/%s/children", entry->d_name);
            FILE *f = entry->d_name[0] == '.' ? NULL : fopen(path, "re");
            for (long pid; f && fscanf(f, "%ld", &pid) == 1;)
                switch (is_marked(pid, mark, n)) {
                case MARKED:
                    any = kill_orphan((pid_t)pid, workers_too) || any;
                    break;
                case ENDING: // its children become our children once it has ended
                    any = reap_orphan((pid_t)pid) || workers_too || any;
                    break;
                case OTHER:
                    break;
                }
            if (f)
                fclose(f);
        }
        if (d)
            closedir(d);
        if (any)
            nanosleep(&(struct timespec){.tv_nsec = 300 * 1000}, NULL);
    }
}

void worker_leave_all(void)
{
    char mark[40];
    int n = snprintf(mark, sizeof mark, "TANGLEFUZZ_WORKER=%ld.", (long)getpid());
    end_orphans(mark, (size_t)n, 0.25, true); // workers carry the mark as well
}

// Ends a worker of the fork server, like worker_stop. If the server is gone, the worker dies with
// it by SIGKILL and is found by its mark.
static bool end_forked(struct worker *w, double grace, int *status)
{
    bool killed = grace <= 0 || !fork_server_ended(&w->server, grace);
    kill(-w->pid, SIGKILL);
    if (killed && !fork_server_ended(&w->server, 5.0))
        stop_server(w); // stuck in the kernel: left to init
    if (w->server.pid && !fork_server_reap(&w->server, status, &w->peak)) {
        stop_server(w);
        *status = SIGKILL;
    }
    return killed;
}

static bool end_started(struct worker *w, double grace, int *status)
{
    bool killed = grace <= 0 || !reap(w->pid, grace, status, &w->peak);
    // Kills the group, for processes that a driver may have started.
    kill(-w->pid, SIGKILL);
    // A process that is stuck in the kernel cannot be reaped; it is left to init.
    if (killed)
        reap(w->pid, 5.0, status, &w->peak);
    forget_worker(w->pid);
    return killed;
}

bool worker_stop(struct worker *w, double grace, char *how, size_t size)
{
    if (w->pid == 0)
        return false;
    if (w->fd >= 0)
        close(w->fd);
    w->fd = -1;
    int status = 0;
    w->peak = 0;
    const bool killed = w->forked ? end_forked(w, grace, &status) : end_started(w, grace, &status);
    end_orphans(w->mark, strlen(w->mark) + 1, 5, false);
    worker_drain(w);
    if (w->out >= 0)
        close(w->out);
    w->out = -1;
    if (how)
        describe(w, killed, status, how, size);
    w->pid = 0;
    return !killed && WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
}

void worker_free(struct worker *w)
{
    worker_stop(w, 0, NULL, 0);
    stop_server(w);
    crash_site_free(w->site, w->site_fd);
    wire_free(&w->in);
    *w = (struct worker){.fd = -1, .out = -1, .memory = w->memory};
}
