// SPDX-License-Identifier: Apache-2.0
//
// A target built into the program (run_own_add), served by a worker like any other. So its hangs
// and crashes only affect the worker, and campaigns, replays and reductions treat it like a driver.
#include "backend.h"

static const char *word_of(const struct run_stage *s)
{
    return s->count == 1 && !s->option[0].key[0] ? s->option[0].value : "";
}

static bool plan(struct arena *a, const struct run_stage *s, const struct run_options *o,
                 struct run_plan *out, struct err *e)
{
    enum run_form form;
    (void)a;
    (void)o;
    *out = (struct run_plan){0};
    return own_target->open(word_of(s), &form, e);
}

static void *open_own(struct arena *a, const struct run_stage *s, const struct run_options *o,
                      struct run_info *info, struct err *e)
{
    const char *word = word_of(s);
    enum run_form form;
    (void)o;
    if (!own_target->open(word, &form, e))
        return NULL;
    compiler_info(info, s, own_target->kind.name, word);
    info->form = form;
    return arena_str(a, word);
}

static bool run(void *state, struct arena *a, const struct run_job *job, struct run_sink *sink)
{
    for (uint32_t k = 0; k < job->n; k++) {
        struct spv_case c = job->cases[k];
        struct run_result r = {.status = RUN_OK};
        struct run_time start = run_time_now();
        // Buffers of zeros have no words yet.
        for (uint32_t b = 0; b < c.buffer_count; b++)
            if (c.buffer[b].fill == SPV_FILL_ZERO)
                c.buffer[b].words = ARENA_ARRAY(a, uint32_t, c.buffer[b].count);
        own_target->answer(state, a, &c,
                           c.subgroup      ? c.subgroup
                           : job->subgroup ? job->subgroup
                                           : 32,
                           &r);
        run_time_add(&r, run_time_since(start));
        sink->result(sink, &r);
    }
    return true;
}

static void close_own(void *state)
{
    (void)state;
}

const struct run_backend own_backend = {
    .plan = plan,
    .open = open_own,
    .run = run,
    .close = close_own,
};
