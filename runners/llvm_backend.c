// SPDX-License-Identifier: Apache-2.0
//
// The row `llvm`: the module is printed as LLVM IR, goes through LLVM's passes and its
// SPIR-V back end, and the oracle runs what comes out. LLVM lies in a private root with a
// libc of its own, so the worker runs through that root's loader. A fatal error ends a
// process, so each case gets a child.
#define _GNU_SOURCE
#include "llvm.h"

#include "printers/printers.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define MEMORY_LIMIT ((rlim_t)8 << 30)

struct llvm {
    struct llvm_job job;
    uint32_t version; // of the private root
    double seconds;
    struct llvm_shared *shared;
    int said; // a file without a name: what a child writes to its standard error
};

// ---- options -----------------------------------------------------------------------

static bool number(const char *key, const char *value, uint32_t most, uint32_t *out, struct err *e)
{
    if (parse_u32(value, strlen(value), out) && *out <= most)
        return true;
    return err_set(e, "llvm: %s=%s: a number up to %u was expected", key, value, most);
}

// "passes=default<O3>,level=2": pieces between commas; one without a known key goes on
// with the pipeline, whose own passes are separated by commas too.
static bool read_options(struct arena *a, const char *options, struct llvm *l, struct err *e)
{
    struct text passes = {.arena = a};
    bool piped = false;
    uint32_t level = 2;
    *l = (struct llvm){.version = 23, .said = -1, .job.limit = UINT32_MAX};
    char *rest = arena_str(a, options);
    while (rest && *rest) {
        char *word = rest;
        rest = strchr(rest, ',');
        if (rest)
            *rest++ = 0;
        bool good = true;
        if (strncmp(word, "level=", 6) == 0) {
            good = number("level", word + 6, 3, &level, e);
        } else if (strncmp(word, "version=", 8) == 0) {
            good = number("version", word + 8, 999, &l->version, e);
        } else if (strncmp(word, "limit=", 6) == 0) {
            good = number("limit", word + 6, UINT32_MAX - 1, &l->job.limit, e);
        } else if (strncmp(word, "passes=", 7) == 0 && !piped) {
            piped = true;
            text_add(&passes, "%s", word + 7);
        } else if (piped && passes.n && !strchr(word, '=')) {
            text_add(&passes, ",%s", word);
        } else {
            good = err_set(
                e, "llvm: '%s': there is passes=PIPELINE, level=0..3, version=N, limit=N", word);
        }
        if (!good)
            return false;
    }
    l->job.level = level;
    l->job.passes = piped ? (passes.v ? passes.v : "") : "default<O3>";
    if (strcmp(l->job.passes, "none") == 0)
        l->job.passes = "";
    return true;
}

static const char *root(struct arena *a, uint32_t version)
{
    const char *other = getenv("TANGLEFUZZ_LLVM_DIR");
    return arena_printf(a, "%s/%u", other && other[0] ? other : TANGLEFUZZ_LLVM_DIR, version);
}

static bool plan(struct arena *a, const char *options, const struct run_options *o,
                 struct run_plan *out, struct err *e)
{
    struct llvm l;
    (void)o;
    *out = (struct run_plan){0};
    if (!read_options(a, options, &l, e))
        return false;
    const char *dir = root(a, l.version);
    if (access(arena_printf(a, "%s/loader", dir), X_OK) != 0)
        return err_set(e,
                       "llvm: no LLVM %u here (scripts/llvm.sh --llvm %u takes it into the "
                       "build folder, nothing is installed)",
                       l.version, l.version);
    const char *words[] = {arena_printf(a, "%s/loader", dir), "--library-path",
                           arena_printf(a, "%s/libs:%s/usr/lib/llvm-%u/lib", dir, dir, l.version)};
    out->prefix = arena_copy(a, words, sizeof words);
    out->prefix_count = 3;
    return true;
}

static uint32_t places(struct arena *a, const char ***specs)
{
    static const char *const all[] = {"llvm:passes=default<O3>"};
    *specs = arena_copy(a, all, sizeof all);
    return 1;
}

// ---- one child ---------------------------------------------------------------------

TF_NORETURN static void become(const struct llvm *l, const struct llvm_job *job,
                               const struct text *text)
{
    struct rlimit cpu = {(rlim_t)l->seconds + 5, (rlim_t)l->seconds + 5};
    struct rlimit memory = {MEMORY_LIMIT, MEMORY_LIMIT};
    setrlimit(RLIMIT_CPU, &cpu);
    setrlimit(RLIMIT_AS, &memory);
    dup2(l->said, 2);
    llvm_child(job, text->v, text->n, l->shared);
}

// What the last child wrote to its standard error: the part from `LLVM ERROR` or the
// first line on.
static void read_said(const struct llvm *l, char *out, size_t size)
{
    char all[LLVM_SAID];
    off_t end = lseek(l->said, 0, SEEK_END);
    off_t from = end > (off_t)sizeof all - 1 ? end - ((off_t)sizeof all - 1) : 0;
    ssize_t n = pread(l->said, all, sizeof all - 1, from);
    all[n > 0 ? n : 0] = 0;
    const char *error = strstr(all, "LLVM ERROR: ");
    const char *start = error ? error + 12 : all;
    size_t keep = strlen(start);
    // Its beginning says most: one_line keeps the end of what does not fit.
    one_line(out, size, start, keep < size / 2 ? keep : size / 2);
}

// Runs one child to its end. RUN_OK when it ended by itself, with its status.
static enum run_status child(const struct llvm *l, const struct llvm_job *job,
                             const struct text *text, int *status)
{
    int gone[2];
    l->shared->stage = LLVM_START;
    l->shared->failed = false;
    l->shared->said[0] = 0;
    l->shared->count = 0;
    if (ftruncate(l->said, 0) != 0 || lseek(l->said, 0, SEEK_SET) != 0 ||
        pipe2(gone, O_CLOEXEC) != 0)
        return RUN_FAILED;
    pid_t pid = fork();
    if (pid == 0)
        become(l, job, text);
    close(gone[1]);
    if (pid < 0) {
        close(gone[0]);
        return RUN_FAILED;
    }
    // The child holds the other end: it hangs up when the child is gone.
    struct pollfd p = {.fd = gone[0], .events = 0};
    double end = now_seconds() + l->seconds;
    enum run_status how = RUN_OK;
    for (int ready = 0; ready <= 0;) {
        double left = end - now_seconds();
        ready = left > 0 ? poll(&p, 1, (int)(left * 1000) + 1) : 0;
        if (ready == 0 || (ready < 0 && errno != EINTR)) {
            kill(pid, SIGKILL);
            how = RUN_HUNG;
            break;
        }
    }
    close(gone[0]);
    while (waitpid(pid, status, 0) < 0 && errno == EINTR)
        ;
    return how;
}

static const char *stage_name(enum llvm_stage s)
{
    static const char *const names[] = {
        "at its start",    "while parsing",          "while verifying", "in the passes",
        "in the verifier", "in the SPIR-V back end", "after its answer"};
    return names[s <= LLVM_DONE ? s : LLVM_START];
}

// The line `BISECT: running pass (N) NAME on ...` of pass N, the last one for UINT32_MAX.
static uint32_t bisect_line(const struct llvm *l, uint32_t n, char *name, size_t size)
{
    off_t end = lseek(l->said, 0, SEEK_END);
    char *all = end > 0 ? malloc((size_t)end + 1) : NULL, *line = all;
    uint32_t found = 0;
    ssize_t got = all ? pread(l->said, all, (size_t)end, 0) : 0;
    if (all)
        all[got > 0 ? got : 0] = 0;
    while (line && (line = strstr(line, "BISECT: running pass ("))) {
        line += 22;
        uint32_t at = (uint32_t)strtoul(line, NULL, 10);
        const char *word = strstr(line, ") ");
        const char *stop = word ? strstr(word, " on ") : NULL;
        if (stop && (at == n || n == UINT32_MAX)) {
            found = at;
            snprintf(name, size, "%.*s", (int)(stop - word - 2), word + 2);
        }
    }
    free(all);
    return found;
}

// The IR after the passes is not valid: the first pass behind which it is not, by halving.
static void blame(const struct llvm *l, const struct text *text, char *pass, size_t size)
{
    struct llvm_job job = l->job;
    int status;
    job.until_verified = true;
    if (job.limit == UINT32_MAX)
        job.limit = INT32_MAX; // has them listed
    snprintf(pass, size, "the passes together");
    if (child(l, &job, text, &status) != RUN_OK || !l->shared->failed)
        return;
    uint32_t good = 0, bad = bisect_line(l, UINT32_MAX, pass, size);
    while (good + 1 < bad) {
        uint32_t middle = good + (bad - good) / 2;
        job.limit = middle;
        bool ended = child(l, &job, text, &status) == RUN_OK;
        if (ended && l->shared->stage == LLVM_DONE)
            good = middle;
        else
            bad = middle;
    }
    job.limit = bad;
    if (bad && child(l, &job, text, &status) == RUN_OK)
        bisect_line(l, bad, pass, size);
}

static void judge(const struct llvm *l, const struct text *text, int status, struct run_result *r)
{
    const struct llvm_shared *s = l->shared;
    const enum llvm_stage stage = s->stage;
    char said[400], line[400];
    if (s->failed) {
        one_line(line, sizeof line, s->said, strnlen(s->said, sizeof line / 2));
        if (stage == LLVM_PARSE || stage == LLVM_VERIFY_INPUT || stage == LLVM_PASSES) {
            r->status = RUN_FAILED;
            snprintf(r->text, sizeof r->text, "%s",
                     stage == LLVM_PASSES
                         ? line
                         : arena_printf(text->arena, "our own LLVM IR is not valid: %s", line));
            return;
        }
        r->status = RUN_REJECTED;
        char pass[120] = "the back end";
        if (stage == LLVM_VERIFY_OUTPUT)
            blame(l, text, pass, sizeof pass);
        snprintf(r->text, sizeof r->text, "%s%s: %s",
                 stage == LLVM_VERIFY_OUTPUT ? "IR not valid after " : "", pass, line);
    } else if (WIFSIGNALED(status) || WEXITSTATUS(status) != 0) {
        read_said(l, said, sizeof said);
        r->status = RUN_CRASHED;
        if (WIFSIGNALED(status))
            snprintf(r->text, sizeof r->text, "%s %s: %s", strsignal(WTERMSIG(status)),
                     stage_name(stage), said);
        else
            snprintf(r->text, sizeof r->text, "exit status %d %s: %s", WEXITSTATUS(status),
                     stage_name(stage), said);
    } else if (stage == LLVM_DONE && s->count) {
        r->words = arena_copy(text->arena, s->words, s->count * sizeof(uint32_t));
        r->word_count = s->count;
    } else {
        r->status = RUN_CRASHED;
        snprintf(r->text, sizeof r->text, "ended %s", stage_name(stage));
    }
}

// ---- the worker's end --------------------------------------------------------------

static void *open_llvm(struct arena *a, const char *options, const struct run_options *o,
                       struct run_info *info, struct err *e)
{
    struct llvm *l = ARENA_NEW(a, struct llvm);
    if (!read_options(a, options, l, e))
        return NULL;
    l->seconds = o->fence_seconds;
    const char *library =
        arena_printf(a, "%s/usr/lib/llvm-%u/lib/libLLVM.so", root(a, l->version), l->version);
    if (!llvm_load(library, e))
        return NULL;
    l->said = memfd_create("said", MFD_CLOEXEC);
    l->shared =
        mmap(NULL, sizeof *l->shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (l->said < 0 || l->shared == MAP_FAILED) {
        err_set(e, "llvm: no memory to share with its children: %s", strerror(errno));
        return NULL;
    }
    compiler_info(info, "LLVM", llvm_version());
    // Not printed yet.
    info->int8 = info->int16 = info->int64 = info->float16 = info->float64 = false;
    info->rotate = info->quad_control = info->extended_types = false;
    info->subgroup_ops = 1 | 2 | 4 | 8 | 16; // basic, vote, arithmetic, ballot, shuffle
    info->subgroup_max = 32; // ballots are looked into by their first word
    return l;
}

static void close_llvm(void *state)
{
    struct llvm *l = state;
    munmap(l->shared, sizeof *l->shared);
    close(l->said);
}

static bool run(void *state, struct arena *a, const struct run_job *job, struct run_sink *sink)
{
    const struct llvm *l = state;
    const struct spv_case *c = &job->cases[0];
    struct run_result r = {.status = RUN_OK};
    struct text text = {.arena = a};
    struct err e = {0};
    int status = 0;
    uint32_t subgroup = job->subgroup ? job->subgroup : c->subgroup;
    double start = now_seconds();
    if (!print_module(a, PRINT_LLVM, c->words, c->count, subgroup, &text, &e)) {
        r.status = RUN_SKIPPED;
        snprintf(r.text, sizeof r.text, "%.590s", e.msg);
    } else {
        r.status = child(l, &l->job, &text, &status);
        if (r.status == RUN_FAILED)
            snprintf(r.text, sizeof r.text, "llvm: no child: %s", strerror(errno));
        else if (r.status == RUN_HUNG)
            snprintf(r.text, sizeof r.text, "not done after %g seconds, %s", l->seconds,
                     stage_name(l->shared->stage));
        else
            judge(l, &text, status, &r);
    }
    r.driver_seconds = now_seconds() - start;
    for (uint32_t k = 0; k < job->n; k++) {
        sink->result(sink, &r);
        r.driver_seconds = 0;
        if (r.status == RUN_HUNG) // as every backend: the worker goes, a fresh one comes
            return false;
    }
    return true;
}

static uint32_t list(struct arena *a, const char *spec, const char *options,
                     struct run_listed **out)
{
    struct err e = {0};
    struct run_options o = {.fence_seconds = 10};
    struct run_listed *row = ARENA_NEW(a, struct run_listed);
    snprintf(row->spec, sizeof row->spec, "%s", spec);
    void *state = open_llvm(a, options, &o, &row->info, &e);
    row->usable = state != NULL;
    snprintf(row->why, sizeof row->why, "%.510s", e.msg);
    if (state)
        close_llvm(state);
    *out = row;
    return 1;
}

const struct run_backend llvm_backend = {
    .plan = plan,
    .places = places,
    .open = open_llvm,
    .run = run,
    .close = close_llvm,
    .list = list,
};
