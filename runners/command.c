// SPDX-License-Identifier: Apache-2.0
//
// Runs external commands. What always holds: when command_run returns, no process that the command
// started is left, not even outside its process group. Only the end of its output was kept. It had
// no standard input and none of our descriptors.
#define _GNU_SOURCE
#include "command.h"
#include "backend.h"
#include "contain.h"
#include "timeout.h"

#include "base/sanitized.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { LOOK_MS = 50 }; // milliseconds between two checks of a command's resources

// ---- the command's text -----------------------------------------------------------

const char *command_tools(struct arena *a)
{
    const char *dir = getenv("TANGLEFUZZ_TOOLS");
    if (dir && dir[0])
        return dir;
    dir = drivers_dir(a); // they lie next to the drivers
    return dir ? arena_printf(a, "%s/../tools", dir) : "";
}

const char *run_tools(struct arena *a)
{
    return command_tools(a);
}

bool command_words(struct arena *a, const struct run_stage *s, char ***words, struct err *e)
{
    char **v = ARENA_ARRAY(a, char *, s->count + 1);
    if (!s->count)
        return err_set(e, "%s: needs a command: run `tanglefuzz targets` for examples", s->name);
    for (uint32_t i = 0; i < s->count; i++)
        v[i] = arena_str(a, s->option[i].value);
    *words = command_with(a, v, "{tools}", command_tools(a));
    return true;
}

bool command_names(const struct run_stage *s, const char *mark)
{
    for (uint32_t i = 0; i < s->count; i++)
        if (strstr(s->option[i].value, mark))
            return true;
    return false;
}

char **command_with(struct arena *a, char *const *words, const char *mark, const char *file)
{
    VEC(char *) out = {0};
    for (; *words; words++) {
        struct text t = {.arena = a};
        const char *s = *words;
        for (const char *at; (at = strstr(s, mark)); s = at + strlen(mark)) {
            text_addn(&t, s, (size_t)(at - s));
            text_addn(&t, file, strlen(file));
        }
        text_addn(&t, s, strlen(s));
        *VEC_PUSH(a, &out) = t.v ? t.v : arena_str(a, "");
    }
    *VEC_PUSH(a, &out) = NULL;
    return out.v;
}

bool command_there(struct arena *a, const char *backend, const char *program, struct err *e)
{
    bool found = strchr(program, '/') && access(program, X_OK) == 0;
    const char *path = strchr(program, '/') ? NULL : getenv("PATH");
    for (char *save = NULL, *p = strtok_r(arena_str(a, path ? path : ""), ":", &save); p && !found;
         p = strtok_r(NULL, ":", &save))
        found = access(arena_printf(a, "%s/%s", p, program), X_OK) == 0;
    return found || err_set(e, "%s: '%s' is not an executable program", backend, program);
}

bool command_read(struct arena *a, const char *path, char **data, size_t *size)
{
    struct stat st;
    // The command may have left a pipe, a link to a device or anything else.
    return lstat(path, &st) == 0 && S_ISREG(st.st_mode) &&
           file_read(a, path, COMMAND_FILE_LIMIT, data, size, NULL);
}

// ---- one run --------------------------------------------------------------------

TF_NORETURN static void become(char *const *words, const char *folder, double seconds,
                               const struct command_ends *ends, pid_t parent)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(0);
    setpgid(0, 0);
    const bool resident = ends->in >= 0;
    dup2(resident ? ends->in : open("/dev/null", O_RDONLY), 0);
    dup2(ends->out, 1);
    dup2(ends->err, 2);
    close_range(3, ~0u, 0);
    struct rlimit none = {0, 0}, cpu = {(rlim_t)seconds + 5, (rlim_t)seconds + 5};
    struct rlimit file = {COMMAND_FILE_LIMIT, COMMAND_FILE_LIMIT};
    setrlimit(RLIMIT_CORE, &none);
    setrlimit(RLIMIT_CPU, &cpu);
    setrlimit(RLIMIT_FSIZE, &file);
#if !SANITIZED
    struct rlimit memory = {resident ? CONTAIN_MEMORY : RLIM_INFINITY, RLIM_INFINITY};
    // No limit of address space, and of data only for commands that keep running: engines and
    // sanitizers reserve far more than they use. Memory in use is checked during the run.
    setrlimit(RLIMIT_DATA, &memory);
#endif
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    signal(SIGINT, SIG_DFL);
    signal(SIGXFSZ, SIG_DFL);
    setenv("TMPDIR", folder, 1);
    execvp(words[0], words);
    dprintf(2, "cannot run %s: %s\n", words[0], strerror(errno));
    _exit(127);
}

static pid_t kept[COMMAND_KEPT]; // 0: free
static char children[64];        // the /proc file that lists our children

// The supervisor is gone. Only async-signal-safe functions from here on.
static void left_alone(int sig)
{
    (void)sig;
    memset(kept, 0, sizeof kept);
    command_kill_all();
    _exit(1);
}

pid_t command_start(char *const *words, const char *folder, double seconds,
                    const struct command_ends *ends)
{
    const pid_t parent = getpid();
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    snprintf(children, sizeof children, "/proc/self/task/%ld/children", (long)parent);
    // By default a worker would get SIGKILL, which would leave the command's child processes
    // running.
    sigaction(SIGTERM, &(struct sigaction){.sa_handler = left_alone}, NULL);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    pid_t pid = fork();
    if (pid == 0)
        become(words, folder, seconds, ends, parent);
    if (pid > 0)
        setpgid(pid, pid);
    return pid;
}

bool command_listen(int fd, struct output *s)
{
    char chunk[1 << 16];
    ssize_t n = read(fd, chunk, sizeof chunk);
    if (n < 0)
        return errno == EAGAIN || errno == EINTR;
    if (n > 0)
        output_add(s, chunk, (size_t)n);
    return n > 0;
}

void command_keep(pid_t pid, bool keep)
{
    for (int i = 0; i < COMMAND_KEPT; i++)
        if (kept[i] == (keep ? 0 : pid)) {
            kept[i] = keep ? pid : 0;
            return;
        }
    CHECK(!keep);
}

static bool is_kept(pid_t pid)
{
    for (int i = 0; i < COMMAND_KEPT; i++)
        if (kept[i] == pid)
            return true;
    return false;
}

// Orphaned descendants of the command become our children (PR_SET_CHILD_SUBREAPER). Kills and reaps
// until none is left. Also called by a signal handler.
void command_kill_all(void)
{
    const double end = now_seconds() + 5;
    for (bool any = true; any && now_seconds() < end;) {
        char list[4096];
        const int fd = open(children, O_RDONLY | O_CLOEXEC);
        const ssize_t n = fd >= 0 ? read(fd, list, sizeof list) : 0;
        pid_t pid = 0;
        any = false;
        for (ssize_t i = 0; i < n;
             i++) { // numbers, each followed by a blank; a truncated one is read again
            if (list[i] != ' ') {
                pid = pid * 10 + (list[i] - '0');
                continue;
            }
            if (!is_kept(pid)) {
                any = true;
                kill(pid, SIGKILL);
                waitpid(pid, NULL, WNOHANG);
            }
            pid = 0;
        }
        if (fd >= 0)
            close(fd);
        if (any)
            nanosleep(&(struct timespec){.tv_nsec = 500 * 1000}, NULL);
    }
}

// One run in progress.
struct running {
    pid_t pid;
    int fd;
    double seconds;
    const char *folder;
    size_t memory;
    char over[120]; // the resource limit that it exceeded; "" for none
    struct output output;
};

// Waits for the command. RUN_OK if it ended by itself, with its status in *status.
static enum run_status wait_for(struct running *x, int *status)
{
    double now = now_seconds(), look = now + LOOK_MS * 1e-3;
    struct timeout timeout;
    timeout_begin(&timeout, x->seconds, now);
    enum run_status how = RUN_OK;
    for (bool open = true;;) {
        struct pollfd p = {.fd = x->fd, .events = POLLIN};
        if (open && poll(&p, 1, 20) > 0)
            open = command_listen(x->fd, &x->output);
        else if (!open)
            nanosleep(&(struct timespec){.tv_nsec = 300 * 1000}, NULL);
        if (waitpid(x->pid, status, WNOHANG) == x->pid)
            break;
        now = now_seconds();
        bool over = now >= look &&
                    contain_look(x->pid, x->folder, x->memory, x->over, sizeof x->over, &how);
        look = now >= look ? now + LOOK_MS * 1e-3 : look;
        if (!over)
            how = now >= timeout.next && timeout_over(&timeout, now, contain_processors(x->pid))
                      ? RUN_HUNG
                      : RUN_OK;
        if (how != RUN_OK) {
            kill(-x->pid, SIGKILL);
            waitpid(x->pid, status, 0);
            break;
        }
    }
    kill(-x->pid, SIGKILL);
    command_kill_all();
    // The command's last output may still be in the pipe. Nothing follows it.
    for (int k = 0; k < 64 && poll(&(struct pollfd){.fd = x->fd, .events = POLLIN}, 1, 0) > 0; k++)
        if (!command_listen(x->fd, &x->output))
            break;
    return how;
}

enum run_status command_status(uint32_t code)
{
    return code == 0                        ? RUN_OK
           : code == 77                     ? RUN_SKIPPED
           : code == 124                    ? RUN_HUNG
           : code >= 125 && code < 128      ? RUN_FAILED
           : code > 128 && code <= 128 + 64 ? RUN_CRASHED
                                            : RUN_REJECTED;
}

int command_ended(int status, char *text, size_t size)
{
    const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
    if (WIFSIGNALED(status))
        return snprintf(text, size, "died of %s", strsignal(WTERMSIG(status)));
    if (command_status((uint32_t)code) == RUN_CRASHED)
        return snprintf(text, size, "exit status %d: died of %s", code, strsignal(code - 128));
    return code ? snprintf(text, size, "exit status %d", code) : 0;
}

static void fill(const struct running *x, int status, struct run_result *r)
{
    const struct output *output = &x->output;
    int n;
    if (x->over[0]) {
        n = snprintf(r->text, sizeof r->text, "%s", x->over);
    } else if (r->status == RUN_HUNG) {
        n = snprintf(r->text, sizeof r->text, "not finished after %g seconds", x->seconds);
    } else {
        r->status =
            WIFSIGNALED(status) ? RUN_CRASHED : command_status((uint32_t)WEXITSTATUS(status));
        n = command_ended(status, r->text, sizeof r->text);
    }
    if (output->n && n > 0)
        n += snprintf(r->text + n, sizeof r->text - (size_t)n, ": ");
    if (r->status == RUN_CRASHED)
        output_reason(output, r->text + n, sizeof r->text - (size_t)n);
    else
        one_line(r->text + n, sizeof r->text - (size_t)n, output->tail, output->n);
}

static void run_words(struct running *x, char *const *words, struct run_result *r)
{
    int fd[2] = {-1, -1}, status = 0;
    // Only our end is non-blocking: a program whose writes did not block would lose output.
    if (pipe2(fd, O_CLOEXEC) == 0 && fcntl(fd[0], F_SETFL, O_NONBLOCK) == 0)
        x->pid =
            command_start(words, x->folder, x->seconds, &(struct command_ends){-1, fd[1], fd[1]});
    r->status = RUN_FAILED;
    if (x->pid < 0)
        snprintf(r->text, sizeof r->text, "cannot run the command: %s", strerror(errno));
    if (fd[1] >= 0)
        close(fd[1]);
    if (x->pid > 0) {
        x->fd = fd[0];
        r->status = wait_for(x, &status);
        fill(x, status, r);
    }
    if (fd[0] >= 0)
        close(fd[0]);
}

void command_run(char *const *words, const char *folder, double seconds, size_t memory,
                 struct arena *a, struct run_result *r)
{
    struct running x = {.pid = -1,
                        .seconds = seconds,
                        .folder = folder,
                        .memory = memory ? memory : CONTAIN_MEMORY};
    run_words(&x, words, r);
    if (r->status != RUN_OK && x.output.n)
        r->printed = arena_strn(a, x.output.tail, x.output.n);
}

const char *command_version(struct arena *a, const char *program, const char *folder)
{
    enum { SECONDS = 10 };
    const char *words[] = {program, "--version", NULL};
    struct running x = {.pid = -1, .seconds = SECONDS, .folder = folder, .memory = CONTAIN_MEMORY};
    struct run_result r = {0};
    run_words(&x, (char *const *)words, &r);
    const size_t n = x.output.n ? strcspn(arena_strn(a, x.output.tail, x.output.n), "\n") : 0;
    return r.status == RUN_OK && n ? arena_strn(a, x.output.tail, n) : program;
}
