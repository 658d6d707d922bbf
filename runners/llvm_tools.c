// SPDX-License-Identifier: Apache-2.0
//
// `llvm:tool=subprocess`: the same jobs by LLVM's own programs `opt` and `llc`, for versions whose
// C API is not the one that llvm_child.c knows. Slower by two processes a case; what comes of a job
// is left in the same places as a child leaves it, so all that sorts it is shared.
#define _GNU_SOURCE
#include "command.h"
#include "llvm_worker.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

struct llvm_tools {
    struct arena arena; // of one job
    char folder[200];
    const char *in, *mid, *out, *said; // files
    const char *words[2][6];           // opt, llc: how each is started
    uint32_t count[2];
};
enum { OPT, LLC };
static const char *const names[] = {"opt", "llc"};

// In the private root through its loader, else on the PATH by name and version.
static bool find(struct arena *a, const char *root, uint32_t version, unsigned which,
                 const char **words, uint32_t *count)
{
    const char *bin = arena_printf(a, "%s/usr/lib/llvm-%u/bin/%s", root, version, names[which]);
    const char *loader = arena_printf(a, "%s/loader", root);
    if (access(bin, R_OK) == 0 && access(loader, X_OK) == 0) {
        words[0] = loader;
        words[1] = "--library-path";
        words[2] = arena_printf(a, "%s/libs:%s/usr/lib/llvm-%u/lib", root, root, version);
        words[3] = bin;
        *count = 4;
        return true;
    }
    words[0] = arena_printf(a, "%s-%u", names[which], version);
    *count = 1;
    return command_there(a, "llvm", words[0], NULL);
}

bool llvm_tools_there(struct arena *a, const char *root, uint32_t version)
{
    const char *words[6];
    uint32_t n;
    return find(a, root, version, OPT, words, &n) && find(a, root, version, LLC, words, &n);
}

bool llvm_tools_open(struct arena *a, const char *root, uint32_t version, struct llvm_tools **out,
                     struct err *e)
{
    struct llvm_tools *t = *out = ARENA_NEW(a, struct llvm_tools);
    for (unsigned k = OPT; k <= LLC; k++)
        if (!find(a, root, version, k, t->words[k], &t->count[k]))
            return err_set(e, "llvm: no %s-%u here, neither in %s nor on the PATH", names[k],
                           version, root);
    if (!dir_temporary(t->folder, sizeof t->folder, e))
        return false;
    t->in = arena_printf(a, "%s/in.ll", t->folder);
    t->mid = arena_printf(a, "%s/mid.ll", t->folder);
    t->out = arena_printf(a, "%s/out", t->folder);
    t->said = arena_printf(a, "%s/said", t->folder);
    return true;
}

void llvm_tools_close(struct llvm_tools *t)
{
    dir_remove(t->folder);
    arena_free(&t->arena);
}

// ---- one command ---------------------------------------------------------------------------

// What it said goes where a child's words go.
static char *keep_said(struct llvm_parent *p, struct llvm_tools *t)
{
    char *text = "";
    size_t n = 0;
    if (!file_read(&t->arena, t->said, 1 << 22, &text, &n, NULL))
        text = arena_str(&t->arena, "");
    if (ftruncate(p->said, 0) == 0 && lseek(p->said, 0, SEEK_SET) == 0 && n &&
        write(p->said, text, n) < 0)
        return text;
    return text;
}

// Runs a tool with the options behind its words. RUN_OK: *code is its exit status, above 128 by a
// signal; and *said what it wrote to its standard error.
static enum run_status run_tool(struct llvm_parent *p, struct llvm_tools *t, unsigned which,
                                const char *const *options, uint32_t n, int *code, char **said)
{
    // The shell lives on and tells the exit status, however the tool ends.
    const char *words[32] = {"/bin/sh", "-c", "\"$@\" 2>\"$0\"; echo $? >\"$0.status\"", t->said};
    uint32_t w = 4;
    for (uint32_t k = 0; k < t->count[which]; k++)
        words[w++] = t->words[which][k];
    for (uint32_t k = 0; k < n; k++)
        words[w++] = options[k];
    words[w] = NULL;
    const char *status = arena_printf(&t->arena, "%s.status", t->said);
    struct run_result r = {.status = RUN_OK};
    char *text;
    size_t size;
    unlink(status);
    enum { BUSY = 8 };
    command_run((char *const *)words, t->folder, p->seconds * BUSY, 0, &t->arena, &r);
    *said = keep_said(p, t);
    if (r.status == RUN_HUNG)
        return RUN_HUNG;
    if (r.status != RUN_OK || !file_read(&t->arena, status, 64, &text, &size, NULL))
        return RUN_FAILED;
    *code = atoi(text);
    return RUN_OK;
}

// ---- one job ---------------------------------------------------------------------------------

// The first line of what was said that is no note of the tool's own.
static bool refused(struct llvm_shared *s, enum llvm_stage stage, const char *said)
{
    const char *error = strstr(said, "error: ");
    const char *line = error ? error + 7 : said;
    while (strncmp(line, "BISECT:", 7) == 0 && strchr(line, '\n'))
        line = strchr(line, '\n') + 1;
    s->stage = stage;
    snprintf(s->said, sizeof s->said, "%.*s", (int)strcspn(line, "\n"), line);
    return s->failed = true;
}

// As the system tells how a child ended.
static enum run_status died(int code, int *status)
{
    *status = code > 128 ? code - 128 : code << 8;
    return RUN_CRASHED;
}

// A tool read the text and would not have it: ours is not valid.
static bool is_input(const char *said)
{
    return strstr(said, "input module is broken") || strstr(said, "in.ll:");
}

static enum run_status optimize(struct llvm_parent *p, const char *from, int *status)
{
    struct llvm_tools *t = p->tools;
    struct llvm_shared *s = p->shared;
    const struct llvm_job *job = &s->job;
    const char *options[8] = {"-S", from, "-o", t->mid,
                              arena_printf(&t->arena, "-passes=%s", s->passes)};
    uint32_t n = 5;
    char *said;
    int code;
    if (job->limit != UINT32_MAX)
        options[n++] = arena_printf(&t->arena, "-opt-bisect-limit=%u", job->limit);
    if (job->verify_each)
        options[n++] = "-verify-each";
    s->stage = LLVM_PASSES;
    enum run_status how = run_tool(p, t, OPT, options, n, &code, &said);
    if (how != RUN_OK || code == 0)
        return how;
    if (code <= 128 && is_input(said))
        refused(s, LLVM_VERIFY_INPUT, said);
    else if (strstr(said, "Broken module found") && !job->verify_each)
        refused(s, LLVM_VERIFY_OUTPUT, said); // its verifier at the end is a fatal error
    else if (code <= 128)
        refused(s, LLVM_PASSES, said);
    else
        return died(code, status);
    return RUN_OK;
}

static enum run_status take_text(struct llvm_tools *t, struct llvm_shared *s)
{
    char *text;
    size_t n;
    if (!file_read(&t->arena, t->mid, sizeof s->text, &text, &n, NULL))
        return RUN_FAILED;
    memcpy(s->text, text, n);
    s->size = (uint32_t)n;
    return RUN_OK;
}

static enum run_status generate(struct llvm_parent *p, const char *from, int *status)
{
    struct llvm_tools *t = p->tools;
    struct llvm_shared *s = p->shared;
    const struct llvm_job *job = &s->job;
    const char *options[10] = {from, "-o", t->out, arena_printf(&t->arena, "-O%u", job->level),
                               job->assembly ? "-filetype=asm" : "-filetype=obj"};
    uint32_t n = 5;
    char *said, *data;
    size_t bytes;
    int code;
    options[n++] = job->cpu[0] ? arena_printf(&t->arena, "-mcpu=%s", job->cpu)
                               : "--spirv-ext=+SPV_KHR_maximal_reconvergence";
    unlink(t->out);
    s->stage = LLVM_BACK_END;
    enum run_status how = run_tool(p, t, LLC, options, n, &code, &said);
    if (how != RUN_OK)
        return how;
    if (code && code <= 128 && is_input(said)) {
        refused(s, LLVM_VERIFY_INPUT, said);
        return RUN_OK;
    }
    if (code && job->cpu[0] && strstr(said, "Broken function found")) {
        refused(s, LLVM_BACK_END, said); // llc's verifier behind the back end's own passes
        char *line = arena_str(&t->arena, s->said);
        snprintf(s->said, sizeof s->said, "IR not valid after the back end's own passes: %s", line);
        return RUN_OK;
    }
    if (code)
        return died(code, status);
    if (!command_read(&t->arena, t->out, &data, &bytes))
        return RUN_FAILED;
    if (job->cpu[0]) {
        s->count = !job->assembly ? 0 : bytes < sizeof s->words ? (uint32_t)bytes : sizeof s->words;
        memcpy(s->words, data, s->count);
    } else if (bytes % 4 || bytes < 20 || bytes > sizeof s->words) {
        snprintf(s->said, sizeof s->said, "the back end wrote no SPIR-V module");
        s->failed = true;
    } else {
        memcpy(s->words, data, bytes);
        s->count = (uint32_t)(bytes / 4);
    }
    return RUN_OK;
}

enum run_status llvm_tools_run(struct llvm_parent *p, int *status)
{
    struct llvm_tools *t = p->tools;
    struct llvm_shared *s = p->shared;
    const bool passes = !s->job.no_passes && s->passes[0];
    const char *from = t->in;
    struct err e;
    arena_reset(&t->arena);
    if (!file_put(t->in, s->text, s->size, false, &e))
        return RUN_FAILED;
    enum run_status how = RUN_OK;
    if (passes) {
        how = optimize(p, t->in, status);
        from = t->mid;
        if (how != RUN_OK || s->failed)
            return how;
        if (s->job.keep_text)
            how = take_text(t, s);
    }
    if (how == RUN_OK && !s->job.until_verified)
        how = generate(p, from, status);
    if (how == RUN_OK && !s->failed)
        s->stage = LLVM_DONE;
    return how;
}
