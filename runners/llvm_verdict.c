// SPDX-License-Identifier: Apache-2.0
//
// Classifies LLVM jobs that failed: one line that is equal for all cases of one fault, and the pass
// that broke the IR.
#define _GNU_SOURCE
#include "llvm_worker.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

const char *llvm_stage_name(const struct llvm_shared *shared)
{
    const enum llvm_stage s = shared->stage;
    static const char *const names[] = {
        "at its start",    "while parsing",          "while verifying", "in the passes",
        "in the verifier", "in the SPIR-V back end", "after its answer"};
    if (s == LLVM_BACK_END && shared->job.cpu[0])
        return "in the back end";
    return names[s <= LLVM_DONE ? s : LLVM_START];
}

uint32_t llvm_bisect_line(char *text, uint32_t n, char *name, size_t size, const char **on)
{
    uint32_t found = 0;
    for (char *line = text; (line = strstr(line, "BISECT: running pass (")); line++) {
        uint32_t at = (uint32_t)strtoul(line + 22, NULL, 10);
        const char *word = strstr(line, ") "), *stop = word ? strstr(word, " on ") : NULL;
        if (stop && (at == n || n == UINT32_MAX)) {
            found = at;
            *on = stop + 4;
            snprintf(name, size, "%.*s", (int)(stop - word - 2), word + 2);
        }
    }
    return found;
}

// The IR is valid after pass `good` and invalid after pass `bad`. Bisects to find the first pass
// after which it is invalid.
static uint32_t halve(struct llvm *l, struct llvm_job *job, uint32_t good, uint32_t bad)
{
    int status;
    while (good + 1 < bad) {
        job->limit = good + (bad - good) / 2;
        bool ended = llvm_run(&l->parent, job, true, &status) == RUN_OK;
        if (ended && !l->parent.shared->failed)
            good = job->limit;
        else
            bad = job->limit;
    }
    return bad;
}

// Finds the first pass after which the IR is invalid. LLVM verifies after each pass and aborts at
// the first failure, but it does not verify after a loop pass that deleted its own loop. So if a
// loop pass ran just before, tries the last few prefixes of the pipeline, then bisects.
static void at_fault(struct llvm *l, struct arena *a, char *pass, size_t size)
{
    enum { NEAR = 3 };
    struct llvm_job job = l->job;
    int status;
    snprintf(pass, size, "the passes together");
    job.until_verified = job.verify_each = job.brief = true;
    if (job.limit == UINT32_MAX)
        job.limit = INT32_MAX; // makes LLVM list the passes
    enum run_status how = llvm_run(&l->parent, &job, true, &status);
    if (how != RUN_CRASHED && (how != RUN_OK || !l->parent.shared->failed))
        return;
    const char *on = "";
    char *text = llvm_output(&l->parent, a);
    uint32_t bad = llvm_bisect_line(text, UINT32_MAX, pass, size, &on), near = 0;
    job.verify_each = false;
    if (bad > 1 && llvm_bisect_line(text, bad - 1, NULL, 0, &on) && strncmp(on, "loop ", 5) != 0)
        return; // LLVM verified after that pass
    for (; bad > 1; bad--) {
        job.limit = bad - 1;
        how = llvm_run(&l->parent, &job, true, &status);
        if (how == RUN_OK && !l->parent.shared->failed)
            break;
        if (++near == NEAR) {
            bad = halve(l, &job, 0, bad - 1);
            break;
        }
    }
    llvm_bisect_line(text, bad, pass, size, &on);
}

static const char *faulty_pass(struct llvm *l, struct arena *a)
{
    const struct llvm_shared *s = l->parent.shared;
    uint64_t h = hash64(s->text, s->size) ^ hash64(s->passes, strlen(s->passes));
    for (unsigned i = 0; i < FAULTY; i++)
        if (l->blamed[i].text == h)
            return l->blamed[i].pass;
    unsigned at = l->blames++ % FAULTY;
    at_fault(l, a, l->blamed[at].pass, sizeof l->blamed[at].pass);
    l->blamed[at].text = h;
    return l->blamed[at].pass;
}

void llvm_fatal_line(struct llvm *l, struct arena *a, int status, char *out, size_t size)
{
    char *text = llvm_output(&l->parent, a), line[400], *pass = NULL;
    char *error = strstr(text, "LLVM ERROR: ");
    struct text frames = {.arena = a};
    // Frames that run any pass, or belong to LLVM's C API, add nothing to the pass's name.
    static const char *const runs[] = {"_ZN4llvm13FPPassManager", "_ZN4llvm6legacy", "LLVM"};
    // backtrace_symbols_fd: "FILE(NAME+0x12) [0x7f..]"; our own frames and libc's are left out.
    for (char *at = error ? error : text; (at = strstr(at, "libLLVM.so")) && frames.n < 240; at++) {
        char *name = strchr(at, '('), *end = name ? strpbrk(name, "+)") : NULL;
        bool dull = !end || end == name + 1;
        for (size_t k = 0; !dull && k < sizeof runs / sizeof *runs; k++)
            dull = strncmp(name + 1, runs[k], strlen(runs[k])) == 0;
        if (!dull)
            text_add(&frames, "%s%.*s", frames.n ? " < " : "", (int)(end - name - 1), name + 1);
    }
    for (char *at = text; (at = strstr(at, "Running pass '")); at++)
        pass = at + 14;
    size_t n = error ? strcspn(error + 12, "\n") : 0;
    one_line(line, sizeof line, error ? error + 12 : "", n < 200 ? n : 200);
    snprintf(out, size, "%s %s%s%.*s%s%s%s%s%s",
             WIFSIGNALED(status) ? strsignal(WTERMSIG(status)) : "it ended",
             llvm_stage_name(l->parent.shared), pass ? ", pass '" : "",
             pass ? (int)strcspn(pass, "'") : 0, pass ? pass : "", pass ? "'" : "",
             line[0] ? ": " : "", line, frames.n ? " in " : "", frames.n ? frames.v : "");
}

void llvm_job_refused(struct llvm *l, struct arena *a, struct run_result *r)
{
    const struct llvm_shared *s = l->parent.shared;
    const enum llvm_stage stage = s->stage;
    char line[400];
    one_line(line, sizeof line, s->why, strnlen(s->why, sizeof line / 2));
    const char *without = strstr(s->why, "unknown intrinsic");
    if (without && stage <= LLVM_VERIFY_INPUT) { // an older version
        r->status = RUN_SKIPPED;
        snprintf(r->text, sizeof r->text, "this LLVM version has no such intrinsic: %.*s",
                 (int)strcspn(without + strlen("unknown intrinsic "), "\n"),
                 without + strlen("unknown intrinsic "));
    } else if (stage == LLVM_PARSE || stage == LLVM_VERIFY_INPUT) {
        r->status = RUN_FAILED;
        snprintf(r->text, sizeof r->text, "internal error, the printed LLVM IR is not valid: %s",
                 line);
    } else if (stage == LLVM_PASSES) {
        r->status = RUN_FAILED;
        snprintf(r->text, sizeof r->text, "%s", line);
    } else if (stage == LLVM_VERIFY_OUTPUT) {
        r->status = RUN_REJECTED;
        // The first line is the message; the instructions follow it.
        const char *first = arena_strn(a, s->why, strcspn(s->why, "\n"));
        snprintf(r->text, sizeof r->text, "IR not valid after %s: %s", faulty_pass(l, a), first);
    } else {
        r->status = RUN_REJECTED;
        snprintf(r->text, sizeof r->text, "%s", line);
    }
}
