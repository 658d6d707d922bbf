// SPDX-License-Identifier: Apache-2.0
//
// Runs one line of a shell in a folder: in a process group of its own, which is killed when the
// time is over or the user interrupts. Its output goes to files, whose start is read.
#define _GNU_SOURCE
#include "bundle_run.h"

#include "base/interrupt.h"
#include "diagnose/diagnose.h"
#include "runners/runners.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

enum { OUTPUT_MAX = 1 << 16, POLL_MS = 10 };

struct bundle_run {
    char folder[256]; // its bin/tanglefuzz is this program; out and err: the last command's output
    const char *path; // the value of PATH
    const char *icd;  // of the target, for the variable ICD; NULL: none
};

// Returns the environment: this process's, with PATH, ICD and TMPDIR replaced.
static char **environment(struct arena *a, const struct bundle_run *x)
{
    VEC(char *) v = {0};
    for (char **e = environ; *e; e++)
        if (strncmp(*e, "PATH=", 5) != 0 && strncmp(*e, "ICD=", 4) != 0)
            *VEC_PUSH(a, &v) = *e;
    *VEC_PUSH(a, &v) = arena_printf(a, "PATH=%s/bin:%s", x->folder, x->path);
    if (x->icd)
        *VEC_PUSH(a, &v) = arena_printf(a, "ICD=%s", x->icd);
    *VEC_PUSH(a, &v) = NULL;
    return v.v;
}

static bool start(const struct bundle_run *x, const char *folder, const char *line, pid_t *pid,
                  struct err *e)
{
    struct arena a = {0};
    char shell[] = "/bin/sh", option[] = "-c";
    char *words[] = {shell, option, arena_printf(&a, "ulimit -c 0\n%s", line), NULL};
    const char *out = arena_printf(&a, "%s/out", x->folder);
    const char *error = arena_printf(&a, "%s/err", x->folder);
    posix_spawn_file_actions_t files;
    posix_spawnattr_t how;
    sigset_t usual;
    sigemptyset(&usual);
    sigaddset(&usual, SIGPIPE);
    sigaddset(&usual, SIGXFSZ);
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addchdir_np(&files, folder);
    posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&files, 1, out, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    posix_spawn_file_actions_addopen(&files, 2, error, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    posix_spawnattr_init(&how);
    posix_spawnattr_setsigdefault(&how, &usual);
    posix_spawnattr_setpgroup(&how, 0);
    posix_spawnattr_setflags(&how, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
    const int failed = posix_spawn(pid, shell, &files, &how, words, environment(&a, x));
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&how);
    arena_free(&a);
    return !failed || err_set(e, "cannot run /bin/sh: %s", strerror(failed));
}

// Appends the start of a file.
static void read_start(const char *path, struct text *t)
{
    char buf[4096];
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    size_t had = 0;
    for (ssize_t n; fd >= 0 && had < OUTPUT_MAX && (n = read(fd, buf, sizeof buf)) > 0;
         had += (size_t)n)
        for (ssize_t i = 0; i < n; i++)
            text_addn(t, buf[i] ? &buf[i] : "?", 1);
    if (fd >= 0)
        close(fd);
}

static bool run(void *user, const char *folder, const char *line, uint32_t seconds, struct arena *a,
                struct command_end *out, struct err *e)
{
    const struct bundle_run *x = user;
    const double until = now_seconds() + seconds;
    struct text t = {.arena = a};
    pid_t pid, got;
    int status = 0;
    *out = (struct command_end){.seconds = seconds, .output = ""};
    if (interrupted())
        return err_set(e, "interrupted");
    if (!start(x, folder, line, &pid, e))
        return false;
    while ((got = waitpid(pid, &status, WNOHANG)) == 0 && !interrupted()) {
        if (now_seconds() >= until) {
            out->timed_out = true;
            break;
        }
        nanosleep(&(struct timespec){.tv_nsec = POLL_MS * 1000 * 1000}, NULL);
    }
    kill(-pid, SIGKILL); // what it started, too
    while (got == 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    if (interrupted())
        return err_set(e, "interrupted");
    out->status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    read_start(arena_printf(a, "%s/out", x->folder), &t);
    if (t.n && t.v[t.n - 1] != '\n')
        text_add(&t, "\n");
    read_start(arena_printf(a, "%s/err", x->folder), &t);
    out->output = t.v ? t.v : "";
    return true;
}

bool bundle_run_start(struct arena *a, const char *self, const char *target, const char *given,
                      struct command_runner *out, struct err *e)
{
    struct bundle_run *x = ARENA_NEW(a, struct bundle_run);
    *out = (struct command_runner){.user = x, .run = run};
    if (given && strcmp(diag_without_paths(a, given), target) != 0)
        return err_set(e, "--target: the bucket was found on '%s', not on '%s'", target, given);
    if (!given && !run_harmless(target))
        out->refused = "a folder may not choose a program to run; with --target TARGET it is run";
    const struct run_stage *s = given ? run_spec_parse(a, given, NULL) : NULL;
    x->icd = s ? run_stage_option(s, "icd") : NULL;
    x->path = run_path(a, given ? given : target);
    if (!dir_temporary(x->folder, sizeof x->folder, e))
        return false;
    const char *bin = arena_printf(a, "%s/bin", x->folder);
    if (!dir_make(bin, e) || symlink(self, arena_printf(a, "%s/tanglefuzz", bin)) != 0) {
        dir_remove(x->folder);
        return err_set(e, "%s: cannot write: %s", bin, strerror(errno));
    }
    return true;
}

void bundle_run_end(struct command_runner *r)
{
    const struct bundle_run *x = r->user;
    dir_remove(x->folder);
}
