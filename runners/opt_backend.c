// SPDX-License-Identifier: Apache-2.0
//
// Target `spirv-opt`: SPIRV-Tools' optimiser inside the worker. Input: the module, and spirv-opt's
// flags as passes. Output: the optimised module. A crash is a crash of the worker; a module that
// the optimiser refuses is rejected.
#include "backend.h"

#include "base/sanitized.h"
#include "spirv/spirv.h"

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#define MEMORY_LIMIT ((rlim_t)4 << 30)

struct passes {
    const char **v;
    size_t n, cap;
};

struct optimizer {
    bool random; // passes are drawn from each module
    struct passes passes;
};

// Without options: -O. With `random` the list stays empty here.
static bool read_passes(struct arena *a, const struct run_stage *s, struct optimizer *out,
                        struct err *e)
{
    *out = (struct optimizer){.random = s->count == 1 && strcmp(s->option[0].value, "random") == 0};
    for (uint32_t i = 0; i < s->count && !out->random; i++) {
        const struct run_option *o = &s->option[i];
        if (!o->key[0] && !o->value[0])
            return err_set(e, "spirv-opt: empty pass name in '%s'", run_stage_text(a, s));
        if (o->key[0] || !spv_optimizer_knows(o->value)) {
            uint32_t n;
            const char *const *known = spv_optimizer_steps(&n),
                              *near = text_nearest(o->value, known, n);
            return err_set(
                e,
                "spirv-opt: unknown pass '%s%s%s'%s%s%s (-O, -Os and the passes of `spirv-opt "
                "--help`, separated by commas)",
                o->key, o->key[0] ? "=" : "", o->value, near ? "; did you mean '" : "",
                near ? near : "", near ? "'?" : "");
        }
        *VEC_PUSH(a, &out->passes) = o->value;
    }
    if (!s->count)
        *VEC_PUSH(a, &out->passes) = "-O";
    return true;
}

static bool plan(struct arena *a, const struct run_stage *s, const struct run_options *o,
                 struct run_plan *out, struct err *e)
{
    struct optimizer optimizer;
    (void)o;
    *out = (struct run_plan){0};
    return read_passes(a, s, &optimizer, e);
}

// An optimiser that exceeds the limit dies (std::bad_alloc), which is a crash of the case.
static void bound_memory(void)
{
#if !SANITIZED
    struct rlimit most = {MEMORY_LIMIT, MEMORY_LIMIT};
    setrlimit(RLIMIT_AS, &most);
#endif
}

static void *open_passes(struct arena *a, const struct run_stage *s, const struct run_options *o,
                         struct run_info *info, struct err *e)
{
    struct optimizer *optimizer = ARENA_NEW(a, struct optimizer);
    (void)o;
    compiler_info(info, s, "spirv-opt", spv_tools_version(a));
    bound_memory();
    return read_passes(a, s, optimizer, e) ? optimizer : NULL;
}

static bool run(void *state, struct arena *a, const struct run_job *job, struct run_sink *sink)
{
    const struct optimizer *s = state;
    const struct passes *p = &s->passes;
    struct passes drawn = {0};
    struct run_result r = {.status = RUN_OK, .form = RUN_FORM_SPIRV};
    struct err e;
    if (s->random) {
        struct text text = {.arena = a};
        drawn.n = opt_random(a, job->cases[0].words, job->cases[0].count, &drawn.v);
        for (size_t k = 0; k < drawn.n; k++)
            text_add(&text, "%s%s", k ? "," : "", drawn.v[k]);
        p = &drawn;
        snprintf(r.text, sizeof r.text, "passes: %s", text.v);
    }
    struct run_time start = run_time_now();
    if (!spv_optimize(a, p->v, p->n, job->cases[0].words, job->cases[0].count, &r.words,
                      &r.word_count, &e)) {
        size_t at = strlen(r.text);
        r.status = RUN_REJECTED;
        r.form = RUN_FORM_NONE;
        if (at)
            at += (size_t)snprintf(r.text + at, sizeof r.text - at, ": ");
        one_line(r.text + at, sizeof r.text - at, e.msg, strlen(e.msg));
    }
    run_time_add(&r, run_time_since(start));
    return result_all(job, sink, &r);
}

static void close_passes(void *state)
{
    (void)state;
}

static uint32_t places(struct arena *a, const char ***specs)
{
    return one_place(a, "spirv-opt:-O", specs);
}

static uint32_t list(struct arena *a, const char *spec, const struct run_stage *s,
                     struct run_listed **out)
{
    return list_compiler(a, spec, s, "spirv-opt", spv_tools_version(a), out);
}

const struct run_backend opt_backend = {
    .plan = plan,
    .places = places,
    .list = list,
    .open = open_passes,
    .run = run,
    .close = close_passes,
};
