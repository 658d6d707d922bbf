// SPDX-License-Identifier: Apache-2.0
//
// The row `spirv-opt`: SPIRV-Tools' optimiser in the worker. In: the module, and
// passes by spirv-opt's own flags. Out: the module that comes out. A crash is the
// worker's, a module that the optimiser refuses is rejected.
#include "backend.h"

#include "spirv/spirv.h"

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#define MEMORY_LIMIT ((rlim_t)4 << 30)

struct passes {
    const char **v;
    size_t n, cap;
};

struct subject {
    bool random; // passes are drawn from each module
    struct passes passes;
};

void compiler_info(struct run_info *info, const char *name, const char *version)
{
    *info = (struct run_info){.compiler = true, .subgroup_size = 32, .subgroup_min = 4,
                              .subgroup_max = 128, .size_control = true, .full_subgroups = true,
                              .maximal_reconvergence = true, .subgroup_ops = UINT32_MAX,
                              .rotate = true, .quad_control = true, .extended_types = true,
                              .int8 = true, .int16 = true, .int64 = true, .float16 = true,
                              .float64 = true, .max_invocations = 1024, .spirv_version = 0x10600};
    for (int k = 0; k < 3; k++) {
        info->max_size[k] = 1024;
        info->max_groups[k] = 65535;
    }
    snprintf(info->device, sizeof info->device, "%s", name);
    snprintf(info->driver, sizeof info->driver, "%s", version);
}

// "-O,--ssa-rewrite" -> flags; "" is -O.
static bool read_passes(struct arena *a, const char *options, struct passes *out, struct err *e)
{
    char *rest = arena_str(a, options[0] ? options : "-O");
    while (rest) {
        char *flag = rest;
        rest = strchr(rest, ',');
        if (rest)
            *rest++ = 0;
        if (!flag[0])
            return err_set(e, "spirv-opt: an empty pass in '%s'", options);
        *VEC_PUSH(a, out) = flag;
    }
    return true;
}

static bool plan(struct arena *a, const char *options, const struct run_options *o,
                 struct run_plan *out, struct err *e)
{
    struct passes p = {0};
    (void)o;
    *out = (struct run_plan){0};
    if (!read_passes(a, options, &p, e))
        return false;
    if (strcmp(options, "random") == 0)
        return true;
    for (size_t k = 0; k < p.n; k++)
        if (!spv_optimizer_knows(p.v[k]))
            return err_set(e,
                           "spirv-opt: unknown pass '%s' (-O, -Os and the passes of `spirv-opt "
                           "--help`, separated by commas)",
                           p.v[k]);
    return true;
}

// An optimiser that takes ever more memory dies of it (std::bad_alloc), as a crash with its case.
static void bound_memory(void)
{
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    struct rlimit most = {MEMORY_LIMIT, MEMORY_LIMIT};
    setrlimit(RLIMIT_AS, &most);
#endif
}

static void *open_passes(struct arena *a, const char *options, const struct run_options *o,
                         struct run_info *info, struct err *e)
{
    struct subject *s = ARENA_NEW(a, struct subject);
    (void)o;
    compiler_info(info, "spirv-opt", spv_tools_version());
    s->random = strcmp(options, "random") == 0;
    bound_memory();
    return s->random || read_passes(a, options, &s->passes, e) ? s : NULL;
}

static bool run(void *state, struct arena *a, const struct run_job *job, struct run_sink *sink)
{
    const struct subject *s = state;
    const struct passes *p = &s->passes;
    struct passes drawn = {0};
    struct run_result r = {.status = RUN_OK};
    struct err e;
    if (s->random) {
        const char *text = opt_random(a, job->cases[0].words, job->cases[0].count);
        CHECK(read_passes(a, text, &drawn, &e));
        p = &drawn;
        snprintf(r.text, sizeof r.text, "passes: %s", text);
    }
    struct run_time start = run_time_now();
    if (!spv_optimize(a, p->v, p->n, job->cases[0].words, job->cases[0].count, &r.words,
                      &r.word_count, &e)) {
        size_t at = strlen(r.text);
        r.status = RUN_REJECTED;
        if (at)
            at += (size_t)snprintf(r.text + at, sizeof r.text - at, ": ");
        one_line(r.text + at, sizeof r.text - at, e.msg, strlen(e.msg));
    }
    run_time_add(&r, run_time_since(start));
    return give_all(job, sink, &r);
}

static void close_passes(void *state) { (void)state; }

static uint32_t places(struct arena *a, const char ***specs)
{
    *specs = ARENA_ARRAY(a, const char *, 1);
    (*specs)[0] = "spirv-opt:-O";
    return 1;
}

static uint32_t list(struct arena *a, const char *spec, const char *options,
                     struct run_listed **out)
{
    (void)options;
    *out = ARENA_NEW(a, struct run_listed);
    snprintf((*out)->spec, sizeof (*out)->spec, "%s", spec);
    (*out)->usable = true;
    compiler_info(&(*out)->info, "spirv-opt", spv_tools_version());
    return 1;
}

const struct run_backend opt_backend = {
    .plan = plan,
    .places = places,
    .list = list,
    .open = open_passes,
    .run = run,
    .close = close_passes,
};
