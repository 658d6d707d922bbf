// SPDX-License-Identifier: Apache-2.0
//
// Target `naga`: wgpu's compiler as a command that keeps running (servers/naga.rs). Input: the
// module, or with `from-wgsl` the WGSL printed for it. Output: the module that naga writes. naga
// does not support MaximallyReconvergesKHR, so modules are generated without it (--model
// assumed-maximal).
#include "server.h"

#include <string.h>

// The languages that a module passes through.
enum way { WAY_SPIRV, WAY_THROUGH_WGSL, WAY_FROM_WGSL, WAYS };

struct naga {
    struct server server;
    enum way way;
};

// WAYS if the options are invalid.
static enum way way_of(const struct run_stage *s)
{
    static const char *const words[WAYS] = {
        [WAY_SPIRV] = "", [WAY_THROUGH_WGSL] = "wgsl", [WAY_FROM_WGSL] = "from-wgsl"};
    for (int w = 1; w < WAYS && s->count == 1; w++)
        if (!s->option[0].key[0] && strcmp(s->option[0].value, words[w]) == 0)
            return (enum way)w;
    return s->count ? WAYS : WAY_SPIRV;
}

const char *naga_program(struct arena *a)
{
    return arena_printf(a, "%s/naga/bin/naga-server", command_tools(a));
}

bool naga_there(struct arena *a, const struct run_stage *s, struct err *e)
{
    return command_there(a, s->name, naga_program(a), NULL) ||
           err_set(
               e,
               "%s: naga is not installed (scripts/drivers.sh get naga builds it into the build "
               "folder)",
               s->name);
}

static bool plan(struct arena *a, const struct run_stage *s, const struct run_options *o,
                 struct run_plan *out, struct err *e)
{
    (void)o;
    *out = (struct run_plan){0};
    if (way_of(s) == WAYS)
        return err_set(e, "naga: '%.100s': use naga, naga:wgsl or naga:from-wgsl",
                       run_stage_text(a, s));
    return naga_there(a, s, e);
}

static void limit_info(struct run_info *info, enum way way)
{
    if (way == WAY_THROUGH_WGSL) // WGSL has fewer types and no fall-through
        info->offers &= ~(SPV_NEED(FALL_THROUGH) | SPV_NEED(FLOAT64));
    if (way == WAY_FROM_WGSL) {
        // naga need not read what the printer expresses differently; it has no subgroupElect.
        info->offers = SPV_ALL_NEEDS & ~(kind_find("tint")->without | SPV_NEED(BASIC));
        info->subgroup_max = 32;
    }
    info->offers &= ~(SPV_NEED(MAXIMAL_RECONVERGENCE) | SPV_NEED(SUBGROUP_UNIFORM));
}

static void *open_naga(struct arena *a, const struct run_stage *s, const struct run_options *o,
                       struct run_info *info, struct err *e)
{
    struct naga *n = ARENA_NEW(a, struct naga);
    n->way = way_of(s);
    char *words[] = {arena_str(a, naga_program(a)), n->way == WAY_THROUGH_WGSL ? "--wgsl" : NULL,
                     NULL};
    if (!server_open(&n->server, arena_copy(a, words, sizeof words), o, e))
        return NULL;
    compiler_info(info, s, "naga", n->server.name);
    limit_info(info, n->way);
    return n;
}

static void close_naga(void *state)
{
    server_close(&((struct naga *)state)->server);
}

static void compile(struct naga *n, struct arena *a, const struct run_job *job,
                    struct run_result *r)
{
    const struct spv_case *c = &job->cases[0];
    struct text text;
    if (n->way != WAY_FROM_WGSL)
        server_compile(&n->server, a, c->words, c->count * 4, "spv", "", r);
    else if (print_job(a, PRINT_WGSL, job, &text, r))
        server_compile(&n->server, a, text.v, text.n, "wgsl", "", r);
}

static bool run(void *state, struct arena *a, const struct run_job *job, struct run_sink *sink)
{
    struct run_result r = {.status = RUN_OK};
    compile(state, a, job, &r);
    return result_all(job, sink, &r) || (close_naga(state), false);
}

static uint32_t places(struct arena *a, const char ***specs)
{
    return command_there(a, "naga", naga_program(a), NULL) ? one_place(a, "naga", specs) : 0;
}

static uint32_t list(struct arena *a, const char *spec, const struct run_stage *s,
                     struct run_listed **out)
{
    const uint32_t n =
        list_compiler(a, spec, s, "naga",
                      version_read(a, arena_printf(a, "%s/naga/version", command_tools(a))), out);
    limit_info(&(*out)->info, way_of(s));
    return n;
}

const struct run_backend naga_backend = {
    .plan = plan,
    .places = places,
    .list = list,
    .open = open_naga,
    .run = run,
    .close = close_naga,
};
