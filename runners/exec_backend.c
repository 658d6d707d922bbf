// SPDX-License-Identifier: Apache-2.0
//
// External commands. `exec-compiler` reads a SPIR-V module and writes another; `exec-device` runs a
// case and writes the resulting memory (a simulator, a phone over a cable). The -server kinds keep
// running. Marks in the command become files of a private folder. Compiler: `{in}` and `{out}`.
// Device: `{case}` the case file, `{spv}` its module, `{out}` the memory file, `{subgroup}` the
// requested subgroup size. A server receives them as fields in this order, the size last.
// command.h, server.h and docs/protocol.md define how a command runs and what its exit status
// means.
#include "contain.h"
#include "server.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct external {
    char **words;
    char folder[200];
    const char *in, *spv, *out;
    double seconds;
    size_t memory;           // limit for the command and its child processes together
    struct spv_tools *tools; // device only
    struct server *server;   // NULL: not a server
};

static bool is_device(const struct run_stage *s)
{
    return s->kind->form == RUN_FORM_MEMORY;
}

// ---- all kinds -----------------------------------------------------------------------------

static bool plan(struct arena *a, const struct run_stage *s, const struct run_options *o,
                 struct run_plan *out, struct err *e)
{
    char **words;
    const bool device = is_device(s);
    const bool in =
        device ? command_names(s, "{case}") || command_names(s, "{spv}") : command_names(s, "{in}");
    (void)o;
    *out = (struct run_plan){0};
    if (!command_words(a, s, &words, e))
        return false;
    if (!in || !command_names(s, "{out}"))
        return err_set(e, "%s: the command must contain %s and {out}: '%s'", s->name,
                       device ? "{case} (or {spv})" : "{in}", run_stage_text(a, s));
    if (!device)
        contain_plan(a, out);
    return command_there(a, s->name, words[0], e);
}

static bool plan_server(struct arena *a, const struct run_stage *s, const struct run_options *o,
                        struct run_plan *out, struct err *e)
{
    if (!server_plan(a, s, o, out, e))
        return false;
    if (!is_device(s))
        contain_plan(a, out);
    return true;
}

// The version of a program: for .../NAME/bin/PROGRAM the first word of .../NAME/version, which
// scripts/drivers.sh writes; else `otherwise`.
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

static struct external *open_any(struct arena *a, const struct run_stage *s,
                                 const struct run_options *o, struct err *e)
{
    struct external *x = ARENA_NEW(a, struct external);
    x->seconds = o->fence_seconds;
    x->memory = (size_t)o->memory_mib << 20;
    return command_words(a, s, &x->words, e) ? x : NULL;
}

// Only the command knows what its device can do. It exits with 77 for a case that it cannot run.
static void *open_command(struct arena *a, const struct run_stage *s, const struct run_options *o,
                          struct run_info *info, struct err *e)
{
    struct external *x = open_any(a, s, o, e);
    const bool device = is_device(s);
    if (!x || !dir_temporary(x->folder, sizeof x->folder, e))
        return NULL;
    x->in = arena_printf(a, "%s/%s", x->folder, device ? "case.spvasm" : "in.spv");
    x->out = arena_printf(a, "%s/%s", x->folder, device ? "out.mem" : "out.spv");
    x->spv = arena_printf(a, "%s/case.spv", x->folder);
    x->words = command_with(a, x->words, device ? "{case}" : "{in}", x->in);
    x->words = command_with(a, x->words, "{out}", x->out);
    x->words = device ? command_with(a, x->words, "{spv}", x->spv) : x->words;
    x->tools = device ? spv_tools_new() : NULL;
    compiler_info(info, s, x->words[0],
                  device ? "a command" : version_of(a, x->words[0], "a command"));
    return x;
}

static void *open_server(struct arena *a, const struct run_stage *s, const struct run_options *o,
                         struct run_info *info, struct err *e)
{
    struct external *x = open_any(a, s, o, e);
    if (!x)
        return NULL;
    x->server = ARENA_NEW(a, struct server);
    if (!server_open(x->server, x->words, o, e))
        return NULL;
    x->tools = is_device(s) ? spv_tools_new() : NULL;
    compiler_info(info, s, x->words[0], "");
    server_info(x->server, info);
    return x;
}

static void close_any(void *state)
{
    struct external *x = state;
    if (x->server)
        server_close(x->server);
    else
        dir_remove(x->folder);
    if (x->tools)
        spv_tools_free(x->tools);
}

// Runs the command once on the files in its folder.
static void run_command(struct external *x, struct arena *a, char **words, struct run_result *r)
{
    const struct run_time start = run_time_now();
    command_run(words, x->folder, x->seconds, x->memory, a, r);
    run_time_add(r, run_time_since(start));
}

// ---- compilers -----------------------------------------------------------------------------

static void compile(struct external *x, struct arena *a, const struct spv_case *in,
                    struct run_result *r)
{
    struct err e;
    if (x->server) {
        server_compile(x->server, a, in->words, in->count * 4, "spv", "", r);
        return;
    }
    unlink(x->out);
    if (!file_put(x->in, in->words, in->count * 4, false, &e)) {
        result_set(r, RUN_FAILED, &e);
        return;
    }
    run_command(x, a, x->words, r);
    if (r->status == RUN_OK)
        module_read(a, x->out, r);
}

static bool run_compiler(void *state, struct arena *a, const struct run_job *job,
                         struct run_sink *sink)
{
    struct run_result r = {.status = RUN_OK};
    compile(state, a, &job->cases[0], &r);
    return result_all(job, sink, &r) || (close_any(state), false);
}

// The spirv-opt of every tools folder.
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

// ---- devices -------------------------------------------------------------------------------

static void run_one(struct external *x, struct arena *a, const struct spv_case *c,
                    uint32_t subgroup, struct run_result *r)
{
    struct err e = {0};
    const uint32_t size = c->subgroup ? c->subgroup : subgroup;
    const char *number = arena_printf(a, "%u", size);
    if (x->server && !server_has_size(x->server, c, r))
        return;
    if (x->server) {
        x->in = server_path(x->server, a, "case.spvasm");
        x->spv = server_path(x->server, a, "case.spv");
        x->out = server_path(x->server, a, "out.mem");
    } else {
        unlink(x->out);
    }
    if (!command_case(x->tools, a, c, size, x->in, &e) ||
        !file_put(x->spv, c->words, c->count * 4, false, &e))
        result_set(r, RUN_FAILED, &e);
    else if (x->server)
        server_ask(x->server, arena_printf(a, "%s\t%s\t%s\t%s", x->in, x->spv, x->out, number), r);
    else
        run_command(x, a, command_with(a, x->words, "{subgroup}", number), r);
    if (r->status == RUN_OK)
        command_memory(x->out, a, c, r);
}

static bool run_device(void *state, struct arena *a, const struct run_job *job,
                       struct run_sink *sink)
{
    for (uint32_t k = 0; k < job->n; k++) {
        struct run_result r = {.status = RUN_OK};
        run_one(state, a, &job->cases[k], job->subgroup, &r);
        sink->result(sink, &r);
        if (r.status == RUN_HUNG) {
            close_any(state);
            return false;
        }
    }
    return true;
}

const struct run_backend exec_backend = {
    .plan = plan,
    .places = places,
    .list = list,
    .open = open_command,
    .run = run_compiler,
    .close = close_any,
};
const struct run_backend exec_server_backend = {
    .plan = plan_server,
    .open = open_server,
    .run = run_compiler,
    .close = close_any,
};
const struct run_backend device_backend = {
    .plan = plan,
    .open = open_command,
    .run = run_device,
    .close = close_any,
};
const struct run_backend device_server_backend = {
    .plan = plan_server,
    .open = open_server,
    .run = run_device,
    .close = close_any,
};
