// SPDX-License-Identifier: Apache-2.0
//
// The row `naga`: wgpu's compiler as a command that stays (servers/naga.rs). In: the module. Out:
// what naga writes of it. It has no word for MaximallyReconvergesKHR, so modules come without
// (--model assumed-maximal).
#include "server.h"

#include <string.h>

static const char *program(struct arena *a)
{
    return arena_printf(a, "%s/naga/bin/naga-server", command_tools(a));
}

static const char *version(struct arena *a)
{
    char *text;
    size_t n;
    if (!file_read(a, arena_printf(a, "%s/naga/version", command_tools(a)), 4096, &text, &n, NULL))
        return "of unknown version";
    text[strcspn(text, "\n")] = 0;
    return text;
}

static bool plan(struct arena *a, const struct run_stage *s, const struct run_options *o,
                 struct run_plan *out, struct err *e)
{
    (void)o;
    *out = (struct run_plan){0};
    if (s->count > 1 || (s->count && strcmp(s->option[0].value, "wgsl") != 0))
        return err_set(e, "naga: '%.100s': there is naga, naga:wgsl", run_stage_text(a, s));
    return command_there(a, s->name, program(a), NULL) ||
           err_set(
               e,
               "naga: no such program here (scripts/drivers.sh get naga builds it into the build "
               "folder)");
}

static void tell(struct run_info *info, const struct run_stage *s)
{
    info->maximal_reconvergence = false;
    if (s->count) // WGSL has fewer types, and no fall-through
        info->without |= SPV_NEED(FALL_THROUGH) | SPV_NEED(FLOAT64);
}

static void *open_naga(struct arena *a, const struct run_stage *s, const struct run_options *o,
                       struct run_info *info, struct err *e)
{
    struct server *server = ARENA_NEW(a, struct server);
    char *words[] = {arena_str(a, program(a)), s->count ? "--wgsl" : NULL, NULL};
    if (!server_open(server, arena_copy(a, words, sizeof words), o, e))
        return NULL;
    compiler_info(info, s, "naga", server->name);
    tell(info, s);
    return server;
}

static void close_naga(void *state)
{
    server_close(state);
}

static bool run(void *state, struct arena *a, const struct run_job *job, struct run_sink *sink)
{
    struct run_result r = {.status = RUN_OK};
    server_compile(state, a, job->cases[0].words, job->cases[0].count * 4, "spv", "", &r);
    return give_all(job, sink, &r) || (close_naga(state), false);
}

static uint32_t places(struct arena *a, const char ***specs)
{
    return command_there(a, "naga", program(a), NULL) ? one_place(a, "naga", specs) : 0;
}

static uint32_t list(struct arena *a, const char *spec, const struct run_stage *s,
                     struct run_listed **out)
{
    const uint32_t n = list_compiler(a, spec, s, "naga", version(a), out);
    tell(&(*out)->info, s);
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
