// SPDX-License-Identifier: Apache-2.0
//
// Target `A | B`: B runs the module that A produced. All stages but the last are compilers; the
// chain's result is the last stage's.
//
// The chain has a worker like every target, and that worker supervises the stages. Each stage has
// its own worker with its own loader and environment, so a crash is attributed to the right stage.
// A failing stage ends the case; the text names the stage. The module is validated between stages:
// an invalid module is the finding and never reaches the next stage.
//
// The stages share the job's time limit.
#define _GNU_SOURCE
#include "backend.h"

#include <stdlib.h>
#include <string.h>

enum { STAGES_MAX = 8 };

struct chain {
    uint32_t n;
    const char *spec[STAGES_MAX];
    struct run_target *target[STAGES_MAX];
    struct spv_tools *tools;
};

// Splits a chain into single stages: each is a target of its own.
static uint32_t split(const struct run_stage *s, struct run_stage *each)
{
    uint32_t n = 0;
    for (; s; s = s->next, n++)
        if (n < STAGES_MAX) {
            each[n] = *s;
            each[n].next = NULL;
        }
    return n;
}

static bool plan(struct arena *a, const struct run_stage *s, const struct run_options *o,
                 struct run_plan *out, struct err *e)
{
    struct run_stage each[STAGES_MAX];
    const uint32_t n = split(s, each);
    if (n > STAGES_MAX)
        return err_set(e, "chain: a chain has at most %d stages", STAGES_MAX);
    for (uint32_t i = 0; i < n; i++) {
        const struct run_backend *b = stage_backend(&each[i], e);
        struct run_plan unused;
        if (!b || !b->plan(a, &each[i], o, &unused, e))
            return err_prefix(e, "stage %u", i + 1);
    }
    *out = (struct run_plan){0};
    return true;
}

static void close_chain(void *state)
{
    struct chain *c = state;
    for (uint32_t i = 0; i < c->n; i++)
        run_close(c->target[i]);
    spv_tools_free(c->tools);
    free(c);
}

static void *open_chain(struct arena *a, const struct run_stage *s, const struct run_options *o,
                        struct run_info *info, struct err *e)
{
    struct chain *c = mem_new(sizeof *c);
    struct run_options each = *o;
    char *self = realpath("/proc/self/exe", NULL);
    struct run_stage stages[STAGES_MAX];
    bool ok = self || err_set(e, "chain: /proc/self/exe cannot be read: is /proc mounted?");
    c->n = split(s, stages);
    if (ok) {
        each.job_seconds = o->job_seconds * 0.95 / c->n;
        if (each.fence_seconds > each.job_seconds * 0.8)
            each.fence_seconds = each.job_seconds * 0.8;
    }
    c->tools = spv_tools_new();
    for (uint32_t i = 0; ok && i < c->n; i++) {
        c->spec[i] = run_stage_text(a, &stages[i]);
        c->target[i] = run_open(c->spec[i], self, &each, e);
        ok = c->target[i] || err_prefix(e, "stage %u", i + 1);
        const enum run_form form = ok ? run_info(c->target[i])->form : RUN_FORM_NONE;
        if (ok && i + 1 < c->n && form != RUN_FORM_SPIRV)
            ok = err_set(e, "chain: stage %u ('%s') %s", i + 1, c->spec[i],
                         form == RUN_FORM_LLVM_IR
                             ? "returns LLVM IR, so no stage can follow it"
                             : "is not a compiler: only the last stage may be a device");
    }
    free(self);
    if (!ok) {
        close_chain(c);
        return NULL;
    }
    *info = *run_info(c->target[c->n - 1]);
    // A case passes through all stages.
    for (uint32_t i = 0; i + 1 < c->n; i++) {
        const struct run_info *stage = run_info(c->target[i]);
        info->offers &= stage->offers;
        if (stage->max_invocations < info->max_invocations)
            info->max_invocations = stage->max_invocations;
    }
    // For users: the list of stages.
    size_t at = strlen(info->driver);
    for (uint32_t i = 0; i + 1 < c->n; i++)
        at += (size_t)snprintf(info->driver + (at < sizeof info->driver ? at : sizeof info->driver),
                               at < sizeof info->driver ? sizeof info->driver - at : 0, "%s%.60s",
                               i ? ", " : "; after ", c->spec[i]);
    return c;
}

// Runs one job through one stage and waits for the result.
static uint32_t through(struct run_target *t, struct arena *a, const struct spv_case *cases,
                        uint32_t n, uint32_t subgroup, struct run_result **r)
{
    uint32_t got;
    CHECK(run_submit(t, cases, n, subgroup));
    while ((got = run_take(t, a, 1.0, r)) == 0)
        ;
    return got;
}

// "stage 1 (spirv-opt:-O): ..."; messages of earlier stages come first.
static void name_stage(const struct chain *c, uint32_t stage, const char *before,
                       struct run_result *r)
{
    char text[sizeof r->text];
    if (!r->text[0] && !before[0])
        return;
    if (r->text[0])
        snprintf(text, sizeof text, "%.150s%sstage %u (%.120s): %.300s", before,
                 before[0] ? "; " : "", stage + 1, c->spec[stage], r->text);
    else
        snprintf(text, sizeof text, "%.500s", before);
    memcpy(r->text, text, sizeof text);
}

static bool run(void *state, struct arena *a, const struct run_job *job, struct run_sink *sink)
{
    struct chain *c = state;
    struct spv_case *cases = arena_copy(a, job->cases, job->n * sizeof *cases);
    struct run_result *r = NULL;
    char before[300] = "";
    struct run_time spent = {0};
    struct err e;
    uint32_t last = c->n - 1;
    for (uint32_t i = 0; i < last; i++) {
        // The module is the same for all cases of the job.
        through(c->target[i], a, cases, 1, job->subgroup, &r);
        spent.wall += r->driver_seconds;
        spent.cpu += r->driver_cpu;
        struct run_result stopped = *r;
        if (r->status == RUN_OK &&
            !spv_validate(c->tools, SPV_ENV_VULKAN_1_3, r->words, r->word_count, &e)) {
            result_set(&stopped, RUN_INVALID, &e);
        }
        if (stopped.status != RUN_OK) {
            name_stage(c, i, before, &stopped);
            stopped.form = RUN_FORM_NONE;
            stopped.words = NULL;
            stopped.word_count = 0;
            stopped.driver_seconds = spent.wall;
            stopped.driver_cpu = spent.cpu;
            return result_all(job, sink, &stopped);
        }
        if (r->text[0])
            snprintf(before + strlen(before), sizeof before - strlen(before), "%sstage %u: %.200s",
                     before[0] ? "; " : "", i + 1, r->text);
        for (uint32_t k = 0; k < job->n; k++) {
            cases[k].words = r->words;
            cases[k].count = r->word_count;
            cases[k].body = NULL;
        }
    }
    through(c->target[last], a, cases, job->n, job->subgroup, &r);
    for (uint32_t k = 0; k < job->n; k++) {
        name_stage(c, last, before, &r[k]);
        run_time_add(&r[k], spent);
        spent = (struct run_time){0};
        sink->result(sink, &r[k]);
        if (r[k].status == RUN_HUNG || r[k].status == RUN_DEVICE_LOST)
            return false;
    }
    return true;
}

const struct run_backend chain_backend = {
    .plan = plan,
    .open = open_chain,
    .run = run,
    .close = close_chain,
};
