// SPDX-License-Identifier: Apache-2.0
//
// Target `fault`: a compiler that returns the module unchanged, or fails on request. It tests the
// supervision of workers. The module's words alone decide whether it fails, so a fault is
// reproducible. It first appends one line to a log file, so that a test can count faults.
#define _GNU_SOURCE
#include "backend.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { CRASH, HANG, LOST, BLOW, REFUSE, WRONG, KINDS };
static const char *const kinds[KINDS] = {"crash", "hang", "lost", "blow", "refuse", "wrong"};

struct faults {
    uint32_t every[KINDS]; // one module in N; 0: none
    uint32_t leak;         // KiB leaked per job
    uint32_t slow;         // milliseconds per job
    uint32_t driver_text;  // 1: it describes its output (run_options.driver_text)
    const char *log;
};

static bool read_faults(const struct run_stage *s, struct faults *out, struct err *e)
{
    *out = (struct faults){0};
    for (uint32_t i = 0; i < s->count; i++) {
        const char *key = s->option[i].key, *value = s->option[i].value;
        uint32_t *to = NULL;
        for (int k = 0; k < KINDS; k++)
            if (strcmp(key, kinds[k]) == 0)
                to = &out->every[k];
        if (strcmp(key, "leak") == 0)
            to = &out->leak;
        if (strcmp(key, "slow") == 0)
            to = &out->slow;
        if (strcmp(key, "tell") == 0)
            to = &out->driver_text;
        if (strcmp(key, "log") == 0)
            out->log = value;
        else if (!to || !parse_u32(value, strlen(value), to))
            return err_set(
                e,
                "fault: '%s%s%s': the options are crash=N, hang=N, lost=N, blow=N, refuse=N, "
                "wrong=N, leak=KIB, slow=MS, tell=1, log=FILE",
                key, key[0] ? "=" : "", value);
    }
    return true;
}

static bool plan(struct arena *a, const struct run_stage *s, const struct run_options *o,
                 struct run_plan *out, struct err *e)
{
    struct faults f;
    (void)a;
    (void)o;
    *out = (struct run_plan){0};
    return read_faults(s, &f, e);
}

static void *open_faults(struct arena *a, const struct run_stage *s, const struct run_options *o,
                         struct run_info *info, struct err *e)
{
    struct faults *f = ARENA_NEW(a, struct faults);
    compiler_info(info, s, "fault", "returns its input, or fails on request");
    if (!read_faults(s, f, e))
        return NULL;
    info->has_driver_text = f->driver_text;
    f->driver_text = f->driver_text && o->driver_text;
    return f;
}

static void note(const struct faults *f, const char *what, uint64_t hash)
{
    char line[64];
    int n = snprintf(line, sizeof line, "%s %016llx\n", what, (unsigned long long)hash);
    int fd = f->log ? open(f->log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666) : -1;
    if (fd >= 0 && write(fd, line, (size_t)n) != n)
        abort();
    if (fd >= 0)
        close(fd);
}

// The fault for a module; -1: none.
static int fault_of(const struct faults *f, uint64_t hash)
{
    for (int k = 0; k < KINDS; k++)
        if (f->every[k] && (hash >> (k * 10)) % f->every[k] == 0)
            return k;
    return -1;
}

// Leaks memory and touches each page.
static void take_memory(size_t bytes)
{
    char *p = malloc(bytes);
    if (!p)
        abort();
    for (size_t i = 0; i < bytes; i += 4096)
        ((volatile char *)p)[i] = 1;
}

// Turns the first addition into a subtraction: a valid module, but another program.
static const uint32_t *wrong(struct arena *a, const struct spv_case *c)
{
    struct spv_module m;
    uint32_t *words = arena_copy(a, c->words, c->count * sizeof *words);
    CHECK(spv_module_read(a, c->words, c->count, &m, NULL));
    for (uint32_t i = 0; i < m.inst_count; i++)
        if (m.insts[i].op == SpvOpIAdd) {
            words[m.insts[i].at] += SpvOpISub - SpvOpIAdd;
            break;
        }
    return words;
}

static bool run(void *state, struct arena *a, const struct run_job *job, struct run_sink *sink)
{
    const struct faults *f = state;
    const struct spv_case *c = &job->cases[0];
    uint64_t hash = hash64(c->words, c->count * sizeof *c->words);
    int fault = fault_of(f, hash);
    struct run_result r = {
        .status = RUN_OK, .form = RUN_FORM_SPIRV, .words = c->words, .word_count = c->count};
    if (f->slow)
        nanosleep(&(struct timespec){.tv_sec = f->slow / 1000,
                                     .tv_nsec = (long)(f->slow % 1000) * 1000000},
                  NULL);
    if (f->leak)
        take_memory((size_t)f->leak << 10);
    if (fault >= 0)
        note(f, kinds[fault], hash);
    switch (fault) {
    case CRASH:
        fprintf(stderr, "fault: Assertion `as requested' failed.\n");
        for (int i = 0; i < 200; i++)
            fprintf(stderr, "and then a long dump, of which %d lines are here\n", i);
        abort();
    case HANG:
        for (;;)
            pause();
    case LOST:
        r = (struct run_result){.status = RUN_DEVICE_LOST};
        snprintf(r.text, sizeof r.text, "as requested");
        break;
    case BLOW:
        for (;;)
            take_memory(16 << 20);
    case REFUSE:
        r = (struct run_result){.status = RUN_REJECTED};
        snprintf(r.text, sizeof r.text, "as requested");
        break;
    case WRONG:
        r.words = wrong(a, c);
        r.driver_text = f->driver_text ? "an addition became a subtraction\n" : NULL;
        break;
    default:
        break;
    }
    for (uint32_t k = 0; k < job->n; k++) {
        sink->result(sink, &r);
        if (r.status == RUN_DEVICE_LOST)
            return false;
    }
    return true;
}

static void close_faults(void *state)
{
    (void)state;
}

const struct run_backend fault_backend = {
    .plan = plan,
    .open = open_faults,
    .run = run,
    .close = close_faults,
};
