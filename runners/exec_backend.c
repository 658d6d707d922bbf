// SPDX-License-Identifier: Apache-2.0
//
// The rows `exec-compiler` and `exec-compiler-server`: a command that reads a SPIR-V module and
// writes another. `{in}` and `{out}` in it are files of a private folder; one that stays gets their
// names as fields. How it is run and what its exit status means: command.h, server.h,
// docs/protocol.md.
#include "contain.h"
#include "server.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct compiler {
    char **words;
    char folder[200];
    const char *in, *out;
    double seconds;
    size_t memory;         // bytes that all that it starts may take together
    struct server *server; // or NULL
};

static bool plan(struct arena *a, const struct run_stage *s, const struct run_options *o,
                 struct run_plan *out, struct err *e)
{
    char **words;
    (void)o;
    *out = (struct run_plan){0};
    if (!command_words(a, s, &words, e))
        return false;
    if (!command_names(s, "{in}") || !command_names(s, "{out}"))
        return err_set(e, "exec-compiler: the command must name {in} and {out}: '%s'",
                       run_stage_text(a, s));
    contain_plan(a, out);
    return command_there(a, s->name, words[0], e);
}

// What is known of a program's version: of .../NAME/bin/PROGRAM the first word of .../NAME/version,
// as scripts/drivers.sh writes it; else `otherwise`.
static const char *version_of(struct arena *a, const char *program, const char *otherwise)
{
    const char *slash = strrchr(program, '/');
    char *version;
    size_t n;
    if (!slash)
        return otherwise;
    const char *file = arena_printf(a, "%.*s/../version", (int)(slash - program), program);
    return file_read(a, file, 4096, &version, &n, NULL) && n ? strtok(version, " \n") : otherwise;
}

static bool plan_server(struct arena *a, const struct run_stage *s, const struct run_options *o,
                        struct run_plan *out, struct err *e)
{
    if (!server_plan(a, s, o, out, e))
        return false;
    contain_plan(a, out);
    return true;
}

static void *open_compiler(struct arena *a, const struct run_stage *s, const struct run_options *o,
                           struct run_info *info, struct err *e)
{
    struct compiler *c = ARENA_NEW(a, struct compiler);
    c->seconds = o->fence_seconds;
    if (!command_words(a, s, &c->words, e) || !dir_temporary(c->folder, sizeof c->folder, e))
        return NULL;
    c->in = arena_printf(a, "%s/in.spv", c->folder);
    c->out = arena_printf(a, "%s/out.spv", c->folder);
    c->memory = (size_t)o->memory_mib << 20;
    c->words = command_with(a, command_with(a, c->words, "{in}", c->in), "{out}", c->out);
    compiler_info(info, s, c->words[0], version_of(a, c->words[0], "a command"));
    return c;
}

static void *open_server(struct arena *a, const struct run_stage *s, const struct run_options *o,
                         struct run_info *info, struct err *e)
{
    struct compiler *c = ARENA_NEW(a, struct compiler);
    c->server = ARENA_NEW(a, struct server);
    if (!command_words(a, s, &c->words, e) || !server_open(c->server, c->words, o, e))
        return NULL;
    compiler_info(info, s, c->words[0], "");
    server_info(c->server, info);
    return c;
}

static void close_compiler(void *state)
{
    struct compiler *c = state;
    if (c->server)
        server_close(c->server);
    else
        dir_remove(c->folder);
}

static void compile(struct compiler *c, struct arena *a, const struct spv_case *in,
                    struct run_result *r)
{
    struct err e;
    if (c->server) {
        server_compile(c->server, a, in->words, in->count * 4, "spv", "", r);
        return;
    }
    unlink(c->out);
    struct run_time start = run_time_now();
    if (!file_put(c->in, in->words, in->count * 4, false, &e)) {
        r->status = RUN_FAILED;
        snprintf(r->text, sizeof r->text, "%.590s", e.msg);
        return;
    }
    command_run(c->words, c->folder, c->seconds, c->memory, a, r);
    run_time_add(r, run_time_since(start));
    if (r->status == RUN_OK)
        module_read(a, c->out, r);
}

static bool run(void *state, struct arena *a, const struct run_job *job, struct run_sink *sink)
{
    struct run_result r = {.status = RUN_OK};
    compile(state, a, &job->cases[0], &r);
    return give_all(job, sink, &r) || (close_compiler(state), false);
}

// The spirv-opt of every folder of tools.
static uint32_t places(struct arena *a, const char ***specs)
{
    VEC(const char *) out = {0};
    const char *tools = command_tools(a);
    DIR *d = opendir(tools);
    for (struct dirent *entry; d && (entry = readdir(d));)
        if (entry->d_name[0] != '.' &&
            access(arena_printf(a, "%s/%s/bin/spirv-opt", tools, entry->d_name), X_OK) == 0)
            *VEC_PUSH(a, &out) = arena_printf(
                a, "exec-compiler:{tools}/%s/bin/spirv-opt -O {in} -o {out}", entry->d_name);
    if (d)
        closedir(d);
    *specs = out.v;
    return (uint32_t)out.n;
}

static uint32_t list(struct arena *a, const char *spec, const struct run_stage *s,
                     struct run_listed **out)
{
    char **words;
    const bool known = command_words(a, s, &words, NULL);
    return list_compiler(a, spec, s, "spirv-opt", known ? version_of(a, words[0], "?") : "?", out);
}

const struct run_backend exec_backend = {
    .plan = plan,
    .places = places,
    .list = list,
    .open = open_compiler,
    .run = run,
    .close = close_compiler,
};
const struct run_backend exec_server_backend = {
    .plan = plan_server,
    .open = open_server,
    .run = run,
    .close = close_compiler,
};
