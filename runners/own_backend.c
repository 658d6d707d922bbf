// SPDX-License-Identifier: Apache-2.0
//
// A subject that is part of the program (run_own_add), served by a worker like any
// other: so its hangs and crashes are the worker's, and campaigns, replays and
// reductions treat it as they treat a driver.
#include "backend.h"

static bool plan(struct arena *a, const char *options, const struct run_options *o,
                 struct run_plan *out, struct err *e)
{
    bool compiler;
    (void)a;
    (void)o;
    *out = (struct run_plan){0};
    return own_subject->open(options, &compiler, e);
}

static void *open_own(struct arena *a, const char *options, const struct run_options *o,
                      struct run_info *info, struct err *e)
{
    bool compiler;
    (void)o;
    if (!own_subject->open(options, &compiler, e))
        return NULL;
    compiler_info(info, own_subject->row.name, options);
    info->compiler = compiler;
    return arena_str(a, options);
}

static bool run(void *state, struct arena *a, const struct run_job *job, struct run_sink *sink)
{
    for (uint32_t k = 0; k < job->n; k++) {
        struct spv_case c = job->cases[k];
        struct run_result r = {.status = RUN_OK};
        struct run_time start = run_time_now();
        // Zeros come unspelled.
        for (uint32_t b = 0; b < c.buffer_count; b++)
            if (c.buffer[b].fill == SPV_FILL_ZERO)
                c.buffer[b].words = ARENA_ARRAY(a, uint32_t, c.buffer[b].count);
        own_subject->answer(state, a, &c,
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
