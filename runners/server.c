// SPDX-License-Identifier: Apache-2.0
//
// Servers (server.h). What always holds: an answer counts only if it is exactly one complete line
// after its job. A server that prints anything else, or at another time, is killed, so that late
// output is never read as a later answer.
#define _GNU_SOURCE
#include "server.h"

#include "contain.h"
#include "timeout.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

// Time for a server to report that it is ready, in seconds.
static const double START = 30;

// The result of waiting for a line.
enum heard {
    HEARD_LINE,
    HEARD_END, // the server is gone
    HEARD_LATE,
    HEARD_GROWN, // it exceeded its memory limit
    HEARD_LONG,  // the line is too long
};

// ---- the process ------------------------------------------------------------------------

static size_t resident(const struct server *s)
{
    char path[64];
    unsigned long pages = 0;
    snprintf(path, sizeof path, "/proc/%ld/statm", (long)s->pid);
    FILE *f = fopen(path, "re");
    if (f && fscanf(f, "%*u %lu", &pages) != 1)
        pages = 0;
    if (f)
        fclose(f);
    return pages * (size_t)sysconf(_SC_PAGESIZE);
}

static double processor(const struct server *s)
{
    clockid_t clock;
    struct timespec t;
    if (!s->pid || clock_getcpuclockid(s->pid, &clock) != 0 || clock_gettime(clock, &t) != 0)
        return 0;
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

// Ends the server; returns its status from waitpid.
static int stop(struct server *s)
{
    int status = 0;
    if (!s->pid)
        return 0;
    close(s->to);
    kill(-s->pid, SIGKILL);
    command_keep(s->pid, false);
    waitpid(s->pid, &status, 0);
    command_kill_all();
    for (int k = 0; k < 64 && poll(&(struct pollfd){s->output_fd, POLLIN, 0}, 1, 0) > 0; k++)
        if (!command_listen(s->output_fd, &s->output))
            break;
    close(s->from);
    close(s->output_fd);
    s->pid = 0;
    return status;
}

// Waits for the server to exit by itself, since it closed its output.
static int let_end(struct server *s)
{
    for (double end = now_seconds() + 1; now_seconds() < end;) {
        siginfo_t gone = {0};
        if (waitid(P_PID, (id_t)s->pid, &gone, WEXITED | WNOHANG | WNOWAIT) == 0 && gone.si_pid)
            break;
        nanosleep(&(struct timespec){.tv_nsec = 300 * 1000}, NULL);
    }
    return stop(s);
}

// True if `line` starts with a complete line; *n: its length without the newline.
static bool whole(const struct server *s, size_t *n)
{
    const char *end = memchr(s->line, '\n', s->line_n);
    *n = end ? (size_t)(end - s->line) : 0;
    return end;
}

static enum heard listen_for(struct server *s, double seconds)
{
    struct timeout timeout;
    timeout_begin(&timeout, seconds, now_seconds());
    double look = 0;
    struct pollfd p[2] = {{s->from, POLLIN, 0}, {s->output_fd, POLLIN, 0}};
    for (size_t n;;) {
        const double now = now_seconds();
        if (whole(s, &n))
            return HEARD_LINE;
        if (s->line_n == sizeof s->line)
            return HEARD_LONG;
        if (now >= timeout.next && timeout_over(&timeout, now, contain_processors(s->pid)))
            return HEARD_LATE;
        if (now >= look && resident(s) > s->memory)
            return HEARD_GROWN;
        look = now >= look ? now + 0.02 : look;
        if (poll(p, 2, 20) <= 0)
            continue;
        if (p[1].revents && !command_listen(s->output_fd, &s->output))
            p[1].fd = -1;
        if (!p[0].revents)
            continue;
        const ssize_t got = read(s->from, s->line + s->line_n, sizeof s->line - s->line_n);
        if (got == 0)
            return HEARD_END;
        if (got > 0)
            s->line_n += (size_t)got;
    }
}

// Fills status and text: what happened, and the end of the server's output.
static void fill(struct run_result *r, enum run_status status, const struct server *s,
                 const char *format, ...) TF_PRINTF(4, 5);
static void fill(struct run_result *r, enum run_status status, const struct server *s,
                 const char *format, ...)
{
    va_list args;
    va_start(args, format);
    r->status = status;
    char how[400];
    vsnprintf(how, sizeof how, format, args);
    va_end(args);
    one_line(r->text, sizeof r->text, how, strlen(how));
    const size_t n = strlen(r->text);
    if (s->output.n && n + 3 < sizeof r->text) {
        memcpy(r->text + n, ": ", 3);
        if (status == RUN_CRASHED)
            output_reason(&s->output, r->text + n + 2, sizeof r->text - n - 2);
        else
            one_line(r->text + n + 2, sizeof r->text - n - 2, s->output.tail, s->output.n);
    }
}

// Fills the result when no line arrived. The server is gone afterwards. True if it exited with
// status 0.
static bool failed(struct server *s, enum heard how, double seconds, struct run_result *r)
{
    char ended[100];
    const bool middle = how == HEARD_END && s->line_n;
    const int status = how == HEARD_END ? let_end(s) : (stop(s), 0);
    const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
    if (how == HEARD_LATE) {
        fill(r, RUN_HUNG, s, "no answer after %g seconds", seconds);
    } else if (how == HEARD_GROWN) {
        fill(r, RUN_MEMORY, s, "it used more than %zu MiB of memory", s->memory >> 20);
    } else if (how == HEARD_LONG) {
        fill(r, RUN_FAILED, s, "its answer is longer than %d bytes", SERVER_LINE);
    } else {
        if (!command_ended(status, ended, sizeof ended))
            snprintf(ended, sizeof ended, "exit status 0");
        fill(r, command_status((uint32_t)code) == RUN_FAILED ? RUN_FAILED : RUN_CRASHED, s, "%s %s",
             ended, middle ? "in the middle of its answer" : "instead of an answer");
    }
    return how == HEARD_END && status == 0;
}

// ---- the protocol ------------------------------------------------------------------------

// Returns the next field of a line and cuts it off at its tab; NULL at the end.
static char *field(char **at)
{
    return *at ? strsep(at, "\t") : NULL;
}

// Reads the first line, in which the server describes itself.
static bool read_ready(struct server *s, struct run_result *r)
{
    static const char size[] = "subgroup=";
    char *at = s->line, *word = field(&at), *name = field(&at), *more;
    if (strcmp(word, "ready") != 0 || !name || !name[0]) {
        fill(r, RUN_FAILED, s, "its first line is '%.100s'; expected 'ready', a tab and its name",
             s->line);
        return false;
    }
    one_line(s->name, sizeof s->name, name, strlen(name));
    s->subgroup = 0;
    s->without_reconvergence = false;
    while ((more = field(&at)))
        if (strcmp(more, "reconvergence=no") == 0) {
            s->without_reconvergence = true;
        } else if (strncmp(more, size, strlen(size)) == 0 &&
                   (!parse_u32(more + strlen(size), strlen(more + strlen(size)), &s->subgroup) ||
                    !s->subgroup || s->subgroup > 128 || (s->subgroup & (s->subgroup - 1)))) {
            fill(r, RUN_FAILED, s, "it reported '%.60s'; expected a power of two up to 128", more);
            return false;
        }
    return true;
}

static bool start(struct server *s, struct run_result *r)
{
    int in[2], out[2], err[2];
    size_t n;
    s->line_n = s->served = 0;
    output_clear(&s->output);
    if (pipe2(in, O_CLOEXEC) || pipe2(out, O_CLOEXEC) || pipe2(err, O_CLOEXEC) ||
        fcntl(out[0], F_SETFL, O_NONBLOCK) || fcntl(err[0], F_SETFL, O_NONBLOCK) ||
        fcntl(in[1], F_SETFL, O_NONBLOCK)) {
        fill(r, RUN_FAILED, s, "cannot create a pipe: %s", strerror(errno));
        return false;
    }
    const struct command_ends ends = {in[0], out[1], err[1]};
    s->pid = command_start(s->words, s->folder, s->seconds * SERVER_JOBS, &ends);
    close(in[0]);
    close(out[1]);
    close(err[1]);
    s->to = in[1];
    s->from = out[0];
    s->output_fd = err[0];
    if (s->pid < 0) {
        s->pid = 0;
        fill(r, RUN_FAILED, s, "cannot run the command: %s", strerror(errno));
        return false;
    }
    command_keep(s->pid, true);
    const enum heard how = listen_for(s, START);
    if (how != HEARD_LINE) {
        failed(s, how, START, r);
        r->status = RUN_FAILED;
    } else {
        whole(s, &n);
        s->line[n] = 0;
        const bool rest = s->line_n > n + 1;
        s->line_n = 0;
        if (rest)
            fill(r, RUN_FAILED, s, "it printed more than one line before the first job");
        else if (read_ready(s, r))
            return true;
        stop(s);
    }
    return false;
}

// Reads the answer in `line`, of n bytes.
static void read_answer(struct server *s, size_t n, struct run_result *r)
{
    uint32_t job, code;
    const bool more = s->line_n > n + 1;
    s->line[n] = 0;
    char *at = s->line, *number = field(&at), *status = field(&at), *text = at;
    s->line_n = 0;
    if (!parse_u32(number, strlen(number), &job) || !status ||
        !parse_u32(status, strlen(status), &code)) {
        fill(r, RUN_FAILED, s,
             "its answer is '%.100s%s%.100s'; expected a job number, a tab and a status", number,
             status ? " " : "", status ? status : "");
    } else if (job != s->job) {
        fill(r, RUN_FAILED, s, "it answered job %u instead of job %u", job, s->job);
    } else if (more) {
        fill(r, RUN_FAILED, s, "it answered job %u with more than one line", s->job);
    } else {
        r->status = command_status(code);
        one_line(r->text, sizeof r->text, text ? text : "", text ? strlen(text) : 0);
        if (r->status == RUN_OK)
            r->text[0] = 0;
        return;
    }
    stop(s);
}

// Makes sure that the server runs. It may have died or been restarted between two jobs, which no
// case is at fault for. False with *r filled if it cannot be started or printed something
// unexpected.
static bool there(struct server *s, struct run_result *r)
{
    siginfo_t gone = {0};
    if (s->pid &&
        ((waitid(P_PID, (id_t)s->pid, &gone, WEXITED | WNOHANG | WNOWAIT) == 0 && gone.si_pid) ||
         s->served >= SERVER_JOBS || resident(s) > s->memory / 2))
        stop(s);
    if (s->pid && poll(&(struct pollfd){s->from, POLLIN, 0}, 1, 0) > 0) {
        const ssize_t n = read(s->from, s->line, 100);
        stop(s);
        if (n > 0) {
            s->line[n] = 0;
            s->line[strcspn(s->line, "\n")] = 0;
            fill(r, RUN_FAILED, s, "it printed '%s' after the answer to job %u", s->line,
                 s->job - 1);
            return false;
        }
    }
    return s->pid || start(s, r);
}

static void ask(struct server *s, const char *fields, struct run_result *r)
{
    char job[SERVER_LINE];
    size_t n;
    for (bool again = false;; again = true) {
        if (!there(s, r))
            return;
        s->line_n = 0;
        output_clear(&s->output);
        const int length = snprintf(job, sizeof job, "%u\t%s\n", s->job, fields);
        CHECK(length > 0 && (size_t)length < sizeof job);
        const bool sent = write(s->to, job, (size_t)length) == length;
        const uint32_t served = s->served++;
        const enum heard how = sent ? listen_for(s, s->seconds) : HEARD_END;
        if (how == HEARD_LINE) {
            whole(s, &n);
            read_answer(s, n, r);
            return;
        }
        // A server that exited with status 0 after earlier jobs, before it read this one, is
        // restarted once.
        const bool mute = served && s->line_n == 0;
        if (!failed(s, how, s->seconds, r) || !mute || again)
            return;
    }
}

void server_ask(struct server *s, const char *fields, struct run_result *r)
{
    const double wall = now_seconds();
    double cpu = processor(s);
    ask(s, fields, r);
    const double spent = processor(s) - cpu;
    run_time_add(r, (struct run_time){now_seconds() - wall, spent > 0 ? spent : 0});
    s->job++;
}

const char *server_path(const struct server *s, struct arena *a, const char *ending)
{
    if (s->job)
        unlink(arena_printf(a, "%s/%u.%s", s->folder, s->job - 1, ending));
    return arena_printf(a, "%s/%u.%s", s->folder, s->job, ending);
}

void server_compile(struct server *s, struct arena *a, const void *data, size_t size,
                    const char *ending, const char *more, struct run_result *r)
{
    const char *in = server_path(s, a, arena_printf(a, "in.%s", ending));
    const char *out = server_path(s, a, "out.spv");
    struct err e;
    if (!file_put(in, data, size, false, &e)) {
        result_set(r, RUN_FAILED, &e);
        return;
    }
    server_ask(s, arena_printf(a, "%s\t%s%s", in, out, more), r);
    if (r->status == RUN_OK)
        module_read(a, out, r);
}

bool server_plan(struct arena *a, const struct run_stage *s, const struct run_options *o,
                 struct run_plan *out, struct err *e)
{
    static const char *const marks[] = {"{in}", "{out}", "{case}", "{spv}"};
    char **words;
    (void)o;
    *out = (struct run_plan){0};
    if (!command_words(a, s, &words, e))
        return false;
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (command_names(s, marks[i]))
            return err_set(e, "%s: a server gets its files on standard input; remove %s: '%s'",
                           s->name, marks[i], run_stage_text(a, s));
    return command_there(a, s->name, words[0], e);
}

void server_info(const struct server *s, struct run_info *info)
{
    snprintf(info->driver, sizeof info->driver, "%s", s->name);
    if (s->without_reconvergence)
        info->offers &= ~SPV_NEED(MAXIMAL_RECONVERGENCE);
    if (s->subgroup)
        info->subgroup_size = info->subgroup_min = info->subgroup_max = s->subgroup;
}

bool server_has_size(const struct server *s, const struct spv_case *c, struct run_result *r)
{
    if (!s->subgroup || !c->subgroup || s->subgroup == c->subgroup)
        return true;
    r->status = RUN_SKIPPED;
    snprintf(r->text, sizeof r->text, "the server only supports subgroup size %u", s->subgroup);
    return false;
}

bool server_open(struct server *s, char *const *words, const struct run_options *o, struct err *e)
{
    struct run_result r = {.status = RUN_OK};
    *s = (struct server){
        .words = words, .seconds = o->fence_seconds, .memory = (size_t)o->memory_mib << 20};
    if (!dir_temporary(s->folder, sizeof s->folder, e))
        return false;
    if (strpbrk(s->folder, "\t\n"))
        err_set(e, "TMPDIR contains a tab or a newline");
    else if (start(s, &r))
        return true;
    else
        err_set(e, "the server %s did not start: %.400s", words[0], r.text);
    dir_remove(s->folder);
    return false;
}

void server_close(struct server *s)
{
    stop(s);
    dir_remove(s->folder);
}
