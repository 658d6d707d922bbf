// SPDX-License-Identifier: Apache-2.0
//
// The row `exec-compiler`: a command that reads a SPIR-V module and writes another.
// `{in}` and `{out}` in it are files of a private folder. Exit status 0 with a module
// written is success; another status is rejection with what the command said; a
// signal is a crash; too long is a hang.
//
// The command gets no standard input, limited memory, CPU time and file size, and a
// process group of its own that is killed whole.
#define _GNU_SOURCE
#include "backend.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    OUTPUT_LIMIT = 64 << 20, // bytes of the module that it writes
    SAID_LIMIT = 4096,       // last bytes of what it says
};
#define MEMORY_LIMIT ((rlim_t)8 << 30)

struct command {
    char **words; // of the command; NULL at the end
    char dir[64], in[96], out[96];
    double seconds;
};

// ---- the command's text -----------------------------------------------------------

// Splits at blanks; '...' and "..." hold together. Shell syntax is not known: a
// script serves whoever needs it.
static bool split(struct arena *a, const char *text, char ***words, struct err *e)
{
    VEC(char *) v = {0};
    while (*text) {
        while (*text == ' ')
            text++;
        if (!*text)
            break;
        char *word = arena_alloc(a, strlen(text) + 1), *o = word, quote = 0;
        for (; *text && (quote || *text != ' '); text++) {
            if (quote ? *text == quote : *text == '\'' || *text == '"')
                quote = quote ? 0 : *text;
            else
                *o++ = *text;
        }
        if (quote)
            return err_set(e, "exec-compiler: a %c without its end in '%s'", quote, text);
        *VEC_PUSH(a, &v) = word;
    }
    if (!v.n)
        return err_set(e, "exec-compiler: needs a command: exec-compiler:COMMAND {in} {out}");
    *VEC_PUSH(a, &v) = NULL;
    *words = v.v;
    return true;
}

static char *with(struct arena *a, const char *word, const char *mark, const char *file)
{
    const char *at = strstr(word, mark);
    if (!at)
        return arena_str(a, word);
    return arena_printf(a, "%.*s%s%s", (int)(at - word), word, file, at + strlen(mark));
}

static bool in_path(struct arena *a, const char *program)
{
    if (strchr(program, '/'))
        return access(program, X_OK) == 0;
    const char *path = getenv("PATH");
    for (char *save = NULL, *p = strtok_r(arena_str(a, path ? path : ""), ":", &save); p;
         p = strtok_r(NULL, ":", &save))
        if (access(arena_printf(a, "%s/%s", p, program), X_OK) == 0)
            return true;
    return false;
}

static bool plan(struct arena *a, const char *options, const struct run_options *o,
                 struct run_plan *out, struct err *e)
{
    char **words;
    (void)o;
    *out = (struct run_plan){0};
    if (!split(a, options, &words, e))
        return false;
    if (!strstr(options, "{in}") || !strstr(options, "{out}"))
        return err_set(e, "exec-compiler: the command must name {in} and {out}: '%s'", options);
    if (!in_path(a, words[0]))
        return err_set(e, "exec-compiler: '%s' is no program that can be run", words[0]);
    return true;
}

// ---- one run --------------------------------------------------------------------

TF_NORETURN static void become(const struct command *c, int said)
{
    setpgid(0, 0);
    int null = open("/dev/null", O_RDONLY);
    dup2(null, 0);
    dup2(said, 1);
    dup2(said, 2);
    close_range(3, ~0u, 0);
    struct rlimit none = {0, 0}, cpu = {(rlim_t)c->seconds + 5, (rlim_t)c->seconds + 5};
    struct rlimit file = {OUTPUT_LIMIT, OUTPUT_LIMIT}, memory = {MEMORY_LIMIT, MEMORY_LIMIT};
    setrlimit(RLIMIT_CORE, &none);
    setrlimit(RLIMIT_CPU, &cpu);
    setrlimit(RLIMIT_FSIZE, &file);
    setrlimit(RLIMIT_AS, &memory);
    execvp(c->words[0], c->words);
    _exit(127);
}

// Waits for the command; keeps the end of what it says. Returns RUN_OK when it came
// to an end by itself, with its status in *status.
static enum run_status wait_for(pid_t pid, int fd, double seconds, char *said, size_t *said_n,
                                int *status)
{
    double end = now_seconds() + seconds;
    enum run_status how = RUN_OK;
    for (bool open = true;;) {
        struct pollfd p = {.fd = fd, .events = POLLIN};
        poll(&p, open ? 1 : 0, 20);
        char chunk[SAID_LIMIT];
        ssize_t n = open ? read(fd, chunk, sizeof chunk) : 0;
        if (n > 0) {
            size_t keep = SAID_LIMIT - (size_t)n;
            if (*said_n > keep) {
                memmove(said, said + (*said_n - keep), keep);
                *said_n = keep;
            }
            memcpy(said + *said_n, chunk, (size_t)n);
            *said_n += (size_t)n;
        } else if (n == 0 || (errno != EAGAIN && errno != EINTR)) {
            open = false;
        }
        if (waitpid(pid, status, WNOHANG) == pid)
            break;
        if (now_seconds() >= end) {
            how = RUN_HUNG;
            kill(-pid, SIGKILL);
            waitpid(pid, status, 0);
            break;
        }
    }
    kill(-pid, SIGKILL); // what it may have started
    return how;
}

static void run_command(const struct command *c, struct arena *a, struct run_result *r)
{
    int said_fd[2], status = 0;
    char *said = arena_alloc(a, SAID_LIMIT);
    size_t said_n = 0;
    unlink(c->out);
    if (pipe2(said_fd, O_CLOEXEC | O_NONBLOCK) != 0) {
        r->status = RUN_FAILED;
        snprintf(r->text, sizeof r->text, "cannot run the command: %s", strerror(errno));
        return;
    }
    pid_t pid = fork();
    if (pid == 0)
        become(c, said_fd[1]);
    close(said_fd[1]);
    if (pid < 0) {
        r->status = RUN_FAILED;
        snprintf(r->text, sizeof r->text, "cannot run the command: %s", strerror(errno));
    } else {
        setpgid(pid, pid);
        r->status = wait_for(pid, said_fd[0], c->seconds, said, &said_n, &status);
    }
    close(said_fd[0]);
    if (pid < 0)
        return;
    int n = 0;
    if (r->status == RUN_HUNG) {
        n = snprintf(r->text, sizeof r->text, "not done after %g seconds: ", c->seconds);
    } else if (WIFSIGNALED(status)) {
        r->status = RUN_CRASHED;
        n = snprintf(r->text, sizeof r->text, "died of %s: ", strsignal(WTERMSIG(status)));
    } else if (WEXITSTATUS(status) != 0) {
        r->status = RUN_REJECTED;
        n = snprintf(r->text, sizeof r->text, "exit status %d: ", WEXITSTATUS(status));
    }
    one_line(r->text + n, sizeof r->text - (size_t)n, said, said_n);
    if (r->status != RUN_OK)
        return;
    char *data;
    size_t size;
    struct err e;
    if (!file_read(a, c->out, OUTPUT_LIMIT, &data, &size, &e) || size % 4 || size < 20) {
        r->status = RUN_REJECTED;
        snprintf(r->text, sizeof r->text, "it wrote no SPIR-V module");
        return;
    }
    r->words = arena_copy(a, data, size);
    r->word_count = size / 4;
}

// ---- worker's end -----------------------------------------------------------------

static void *open_command(struct arena *a, const char *options, const struct run_options *o,
                          struct run_info *info, struct err *e)
{
    struct command *c = ARENA_NEW(a, struct command);
    const char *tmp = getenv("TMPDIR");
    c->seconds = o->fence_seconds;
    snprintf(c->dir, sizeof c->dir, "%.30s/tanglefuzz-XXXXXX", tmp && tmp[0] ? tmp : "/tmp");
    if (!mkdtemp(c->dir)) {
        err_set(e, "exec-compiler: cannot make a folder like %s: %s", c->dir, strerror(errno));
        return NULL;
    }
    snprintf(c->in, sizeof c->in, "%s/in.spv", c->dir);
    snprintf(c->out, sizeof c->out, "%s/out.spv", c->dir);
    if (!split(a, options, &c->words, e))
        return NULL;
    for (char **w = c->words; *w; w++)
        *w = with(a, with(a, *w, "{in}", c->in), "{out}", c->out);
    compiler_info(info, c->words[0], "a command");
    return c;
}

static void close_command(void *state)
{
    const struct command *c = state;
    unlink(c->in);
    unlink(c->out);
    rmdir(c->dir);
}

static bool run(void *state, struct arena *a, const struct run_job *job, struct run_sink *sink)
{
    const struct command *c = state;
    struct run_result r = {.status = RUN_OK};
    struct err e;
    double start = now_seconds();
    if (file_write(c->in, job->cases[0].words, job->cases[0].count * 4, &e)) {
        run_command(c, a, &r);
    } else {
        r.status = RUN_FAILED;
        snprintf(r.text, sizeof r.text, "%.590s", e.msg);
    }
    r.driver_seconds = now_seconds() - start;
    for (uint32_t k = 0; k < job->n; k++) {
        sink->result(sink, &r);
        r.driver_seconds = 0;
        if (r.status == RUN_HUNG) { // as every backend: the worker goes, a fresh one comes
            close_command(state);
            return false;
        }
    }
    return true;
}

const struct run_backend exec_backend = {
    .plan = plan,
    .open = open_command,
    .run = run,
    .close = close_command,
};
