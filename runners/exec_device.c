// SPDX-License-Identifier: Apache-2.0
//
// The rows `exec-device` and `exec-device-server`: a command that runs a case and writes the
// memory that is left: a simulator, a phone over a cable. `{case}` is the case file, `{spv}` its
// module alone, `{out}` the memory file to be written (docs/protocol.md), `{subgroup}` the subgroup
// size that is asked for; one that stays gets them as fields, in this order but the size last.
#include "server.h"

#include <string.h>
#include <unistd.h>

struct device {
    char **words;
    char folder[200];
    const char *in, *spv, *out;
    double seconds;
    size_t memory; // bytes that all that it starts may take together
    struct spv_tools *tools;
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
    if (!(command_names(s, "{case}") || command_names(s, "{spv}")) || !command_names(s, "{out}"))
        return err_set(e, "exec-device: the command must name {case} (or {spv}) and {out}: '%s'",
                       run_stage_text(a, s));
    return command_there(a, s->name, words[0], e);
}

static void *open_device(struct arena *a, const struct run_stage *s, const struct run_options *o,
                         struct run_info *info, struct err *e)
{
    struct device *d = ARENA_NEW(a, struct device);
    d->seconds = o->fence_seconds;
    d->memory = (size_t)o->memory_mib << 20;
    if (!command_words(a, s, &d->words, e) || !dir_temporary(d->folder, sizeof d->folder, e))
        return NULL;
    d->in = arena_printf(a, "%s/case.spvasm", d->folder);
    d->spv = arena_printf(a, "%s/case.spv", d->folder);
    d->out = arena_printf(a, "%s/out.mem", d->folder);
    d->words = command_with(a, command_with(a, d->words, "{case}", d->in), "{out}", d->out);
    d->words = command_with(a, d->words, "{spv}", d->spv);
    d->tools = spv_tools_new();
    // What it can do only the command knows; it says 77 to a case that it cannot run.
    compiler_info(info, s, d->words[0], "a command");
    return d;
}

static void *open_server(struct arena *a, const struct run_stage *s, const struct run_options *o,
                         struct run_info *info, struct err *e)
{
    struct device *d = ARENA_NEW(a, struct device);
    d->server = ARENA_NEW(a, struct server);
    if (!command_words(a, s, &d->words, e) || !server_open(d->server, d->words, o, e))
        return NULL;
    d->tools = spv_tools_new();
    compiler_info(info, s, d->words[0], d->server->name);
    server_info(d->server, info);
    return d;
}

static void close_device(void *state)
{
    struct device *d = state;
    if (d->server)
        server_close(d->server);
    else
        dir_remove(d->folder);
    spv_tools_free(d->tools);
}

bool command_case(struct spv_tools *tools, struct arena *a, const struct spv_case *c,
                  uint32_t subgroup, const char *path, struct err *e)
{
    struct spv_case asked = *c;
    struct text t = {.arena = a};
    asked.subgroup = subgroup;
    asked.body = NULL;
    return spv_case_print(tools, &asked, &t, e) && file_put(path, t.v, t.n, false, e);
}

// The memory file -> all buffers of the case, in its order.
static bool read_memory(const char *path, struct arena *a, const struct spv_case *c,
                        struct spv_memory *memory, struct err *e)
{
    char *text;
    size_t size, n;
    struct spv_memory *got = ARENA_ARRAY(a, struct spv_memory, SPV_CASE_BUFFERS);
    if (!command_read(a, path, &text, &size))
        return err_set(e, "it wrote no memory file");
    if (!spv_memory_parse(a, "memory", text, size, got, SPV_CASE_BUFFERS, &n, e))
        return err_prefix(e, "the memory file cannot be read");
    for (uint32_t i = 0; i < c->buffer_count; i++) {
        const struct spv_buffer *b = &c->buffer[i];
        const struct spv_memory *m = NULL;
        for (size_t k = 0; k < n; k++)
            if (got[k].set == b->set && got[k].binding == b->binding)
                m = &got[k];
        if (!m)
            return err_set(e, "the memory file has no buffer %u:%u", b->set, b->binding);
        if (m->count != b->count)
            return err_set(e, "the memory file has %u words of buffer %u:%u, the case %u", m->count,
                           b->set, b->binding, b->count);
        if (m->mask)
            return err_set(e, "buffer %u:%u of the memory file has words that are not known (?)",
                           b->set, b->binding);
        memory[i] = *m;
    }
    return true;
}

void command_memory(const char *path, struct arena *a, const struct spv_case *c,
                    struct run_result *r)
{
    struct err e = {0};
    struct spv_memory *memory = ARENA_ARRAY(a, struct spv_memory, SPV_CASE_BUFFERS);
    if (read_memory(path, a, c, memory, &e)) {
        r->text[0] = 0;
        r->form = RUN_FORM_MEMORY;
        r->memory = memory;
        r->memory_count = c->buffer_count;
    } else {
        r->status = RUN_REJECTED;
        snprintf(r->text, sizeof r->text, "%.590s", e.msg);
    }
}

static void run_one(struct device *d, struct arena *a, const struct spv_case *c, uint32_t subgroup,
                    struct run_result *r)
{
    struct err e = {0};
    const uint32_t size = c->subgroup ? c->subgroup : subgroup;
    const char *number = arena_printf(a, "%u", size);
    if (d->server && !server_has_size(d->server, c, r))
        return;
    if (d->server) {
        d->in = server_path(d->server, a, "case.spvasm");
        d->spv = server_path(d->server, a, "case.spv");
        d->out = server_path(d->server, a, "out.mem");
    } else {
        unlink(d->out);
    }
    if (!command_case(d->tools, a, c, size, d->in, &e) ||
        !file_put(d->spv, c->words, c->count * 4, false, &e)) {
        r->status = RUN_FAILED;
        snprintf(r->text, sizeof r->text, "%.590s", e.msg);
        return;
    }
    if (d->server) {
        server_ask(d->server, arena_printf(a, "%s\t%s\t%s\t%s", d->in, d->spv, d->out, number), r);
    } else {
        const struct run_time start = run_time_now();
        command_run(command_with(a, d->words, "{subgroup}", number), d->folder, d->seconds,
                    d->memory, a, r);
        run_time_add(r, run_time_since(start));
    }
    if (r->status == RUN_OK)
        command_memory(d->out, a, c, r);
}

static bool run(void *state, struct arena *a, const struct run_job *job, struct run_sink *sink)
{
    for (uint32_t k = 0; k < job->n; k++) {
        struct run_result r = {.status = RUN_OK};
        run_one(state, a, &job->cases[k], job->subgroup, &r);
        sink->result(sink, &r);
        if (r.status == RUN_HUNG) {
            close_device(state);
            return false;
        }
    }
    return true;
}

const struct run_backend device_backend = {
    .plan = plan,
    .open = open_device,
    .run = run,
    .close = close_device,
};
const struct run_backend device_server_backend = {
    .plan = server_plan,
    .open = open_server,
    .run = run,
    .close = close_device,
};
