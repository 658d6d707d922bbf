// SPDX-License-Identifier: Apache-2.0
//
// Targets `tint` and `dawn`: Chromium's WebGPU in Node, as a command that keeps running
// (servers/dawn.mjs). Input: the module, printed as WGSL. Output: the SPIR-V that Tint passes to
// the driver, or the memory after the run. Target `roundtrip:naga-tint` is `tint` with WGSL written
// by naga.
//
// Dawn declares MaximallyReconvergesKHR only if the driver supports it. So Tint's output is judged
// by the mode that it declares itself; a mode that it does not declare is not required.
#define _GNU_SOURCE
#include "server.h"

#include "printers/printers.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct dawn {
    struct server server;
    struct server naga; // if by_naga: writes the WGSL
    bool by_naga;
    bool as_written; // naga's WGSL goes to Tint unchanged
    struct spv_tools *tools;
    bool compiles;
};

static const char *script(struct arena *a)
{
    return arena_printf(a, "%s/dawn/dawn.mjs", command_tools(a));
}

static bool compiles(const struct run_stage *s)
{
    return strcmp(s->name, "dawn") != 0;
}

static bool by_naga(const struct run_stage *s)
{
    return compiles(s) && strcmp(s->name, "tint") != 0;
}

static bool as_written(const struct run_stage *s)
{
    return by_naga(s) && s->count && !s->option[0].key[0] &&
           strcmp(s->option[0].value, "as-written") == 0;
}

// The stage as a `vulkan` target. Tint needs a driver only to create pipelines.
static struct run_stage as_vulkan(struct arena *a, const struct run_stage *s)
{
    struct run_stage v = *s;
    if (as_written(s)) {
        v.option++;
        v.count--;
    }
    if (compiles(s) && !run_stage_option(s, "driver") && !run_stage_option(s, "icd"))
        v = *run_stage_with(a, &v, "driver", "lavapipe");
    v.check = compiles(s);
    return v;
}

static bool plan(struct arena *a, const struct run_stage *s, const struct run_options *o,
                 struct run_plan *out, struct err *e)
{
    static const char *const known[] = {"driver", "icd", "env"};
    for (uint32_t i = as_written(s); i < s->count; i++) {
        bool ok = false;
        for (size_t k = 0; k < sizeof known / sizeof *known; k++)
            ok |= strcmp(s->option[i].key, known[k]) == 0;
        if (!ok)
            return err_set(
                e, "%s: '%.100s': the options are driver=NAME, icd=FILE, env=KEY=VALUE%s", s->name,
                run_stage_text(a, s), by_naga(s) ? ", and before them as-written" : "");
    }
    if (access(script(a), R_OK) != 0)
        return err_set(e,
                       "%s: Dawn is not installed (scripts/drivers.sh get dawn downloads it into "
                       "the build folder)",
                       s->name);
    if (!command_there(a, s->name, "node", e) || (by_naga(s) && !naga_there(a, s, e)))
        return false;
    const struct run_stage v = as_vulkan(a, s);
    if (!vk_backend.plan(a, &v, o, out, e))
        return false;
    // Dawn loads libvulkan.so.1 by name. If scripts/drivers.sh installed a loader, its folder comes
    // last in the path.
    const char *file = NULL, *path = getenv("LD_LIBRARY_PATH");
    for (uint32_t i = 0; i < out->env_count; i++) {
        if (strncmp(out->env[i], "LD_LIBRARY_PATH=", 16) == 0)
            path = out->env[i] + 16;
        if (strncmp(out->env[i], VK_LOADER_VARIABLE "=", strlen(VK_LOADER_VARIABLE "=")) == 0)
            file = out->env[i] + strlen(VK_LOADER_VARIABLE "=");
    }
    if (file && !out->prefix_count) {
        const char **env = ARENA_ARRAY(a, const char *, out->env_count + 1);
        memcpy(env, out->env, out->env_count * sizeof *env);
        env[out->env_count++] =
            arena_printf(a, "LD_LIBRARY_PATH=%s%s%.*s", path ? path : "",
                         path && path[0] ? ":" : "", (int)(strrchr(file, '/') - file), file);
        out->env = env;
    }
    return true;
}

// The path of a program, which a driver's private loader needs.
static const char *path_of(struct arena *a, const char *program)
{
    for (char *save = NULL, *p = strtok_r(arena_str(a, getenv("PATH")), ":", &save); p;
         p = strtok_r(NULL, ":", &save)) {
        const char *file = arena_printf(a, "%s/%s", p, program);
        if (access(file, X_OK) == 0)
            return file;
    }
    return program;
}

// Descriptor 3 carries the protocol, because Dawn prints on standard output. A driver's private
// loader precedes each program.
static char **words_of(struct arena *a, const struct run_stage *s, const struct run_plan *p)
{
    static const char *const shell[] = {
        "/bin/sh", "-c",
        "DAWN_SAID=$TMPDIR/log; export DAWN_SAID; exec 3>&1 >>\"$DAWN_SAID\"; exec \"$@\"", "sh"};
    const char *const node[] = {path_of(a, "node"), script(a), compiles(s) ? "tint" : "dawn"};
    VEC(const char *) v = {0};
    for (int part = 0; part < 2; part++) {
        for (uint32_t i = 0; i < p->prefix_count; i++)
            *VEC_PUSH(a, &v) = p->prefix[i];
        for (size_t i = 0; i < (part ? sizeof node / sizeof *node : sizeof shell / sizeof *shell);
             i++)
            *VEC_PUSH(a, &v) = part ? node[i] : shell[i];
    }
    char **out = ARENA_ARRAY(a, char *, v.n + 1);
    for (size_t i = 0; i < v.n; i++)
        out[i] = arena_str(a, v.v[i]);
    return out;
}

static void limit_info(struct run_info *info, const struct run_stage *s)
{
    if (by_naga(s)) // naga does not read the mode
        info->offers &= ~SPV_NEED(MAXIMAL_RECONVERGENCE);
    info->subgroup_max = 32; // the printed code uses only the first word of a ballot
    info->max_invocations = 256;
}

static void *open_dawn(struct arena *a, const struct run_stage *s, const struct run_options *o,
                       struct run_info *info, struct err *e)
{
    struct dawn *d = ARENA_NEW(a, struct dawn);
    struct run_plan p;
    d->compiles = compiles(s);
    if (!plan(a, s, o, &p, e) || !server_open(&d->server, words_of(a, s, &p), o, e))
        return NULL;
    if (by_naga(s)) {
        char *words[] = {arena_str(a, naga_program(a)), "--text", NULL};
        if (!server_open(&d->naga, arena_copy(a, words, sizeof words), o, e)) {
            server_close(&d->server);
            return NULL;
        }
        d->by_naga = true;
        d->as_written = as_written(s);
    }
    d->tools = spv_tools_new();
    compiler_info(info, s, s->name, "");
    const struct run_info any = *info;
    server_info(&d->server, info);
    if (d->compiles) { // the driver chooses the size; the module does not declare it
        info->subgroup_size = any.subgroup_size;
        info->subgroup_min = any.subgroup_min;
        info->subgroup_max = any.subgroup_max;
    }
    limit_info(info, s);
    if (d->by_naga)
        snprintf(info->device, sizeof info->device, "%.100s, %.100s", d->naga.name, d->server.name);
    return d;
}

static void close_dawn(void *state)
{
    struct dawn *d = state;
    server_close(&d->server);
    if (d->by_naga)
        server_close(&d->naga);
    spv_tools_free(d->tools);
}

// Assembles Tint's output into words.
static void assemble(const struct dawn *d, struct arena *a, const char *path, struct run_result *r)
{
    char *text;
    size_t n;
    struct err e = {0};
    if (command_read(a, path, &text, &n) &&
        spv_assemble(d->tools, a, text, n, 1, &r->words, &r->word_count, &e)) {
        r->form = RUN_FORM_SPIRV;
        return;
    }
    r->status = RUN_REJECTED;
    snprintf(r->text, sizeof r->text, "Tint's output cannot be assembled: %.500s", e.msg);
}

// Prints the case as WGSL. False with the reason in *r.
static bool say(struct dawn *d, struct arena *a, const struct spv_case *c, uint32_t size,
                struct text *out, struct run_result *r)
{
    struct err e = {0};
    if (!d->by_naga) {
        if (print_module(a, PRINT_WGSL, c->words, c->count, size, out, NULL, &e))
            return true;
        result_set(r, RUN_SKIPPED, &e);
        return false;
    }
    const char *in = server_path(&d->naga, a, "spv"), *made = server_path(&d->naga, a, "wgsl");
    char *text;
    size_t n;
    if (!file_put(in, c->words, c->count * 4, false, &e)) {
        result_set(r, RUN_FAILED, &e);
        return false;
    }
    server_ask(&d->naga, arena_printf(a, "%s\t%s", in, made), r);
    if (r->status != RUN_OK)
        return false;
    if (!command_read(a, made, &text, &n)) {
        r->status = RUN_REJECTED;
        snprintf(r->text, sizeof r->text, "naga wrote no WGSL");
        return false;
    }
    // Adds the lines that naga does not write, as an author would.
    text_add(out, "diagnostic(off, subgroup_uniformity);\nenable subgroups;\n");
    while (!d->as_written && n) { // naga omits the ballot's argument `true`; only naga accepts that
        static const char call[] = "subgroupBallot(";
        const char *end = text + n, *found = memmem(text, n, call, sizeof call - 1);
        const char *to = found ? found + sizeof call - 1 : end;
        text_addn(out, text, (size_t)(to - text));
        if (to < end && *to == ')')
            text_add(out, "true");
        n -= (size_t)(to - text);
        text += to - text;
    }
    text_addn(out, text, n);
    return true;
}

static void run_one(struct dawn *d, struct arena *a, const struct spv_case *c, uint32_t subgroup,
                    struct run_result *r)
{
    struct err e = {0};
    struct text text = {.arena = a};
    const uint32_t size = c->subgroup ? c->subgroup : subgroup;
    const char *wgsl = server_path(&d->server, a, "wgsl");
    const char *file = server_path(&d->server, a, "case.spvasm");
    const char *out = server_path(&d->server, a, "out");
    if (!d->compiles && !server_has_size(&d->server, c, r))
        return;
    if (!say(d, a, c, size, &text, r))
        return;
    if (!file_put(wgsl, text.v, text.n, false, &e) ||
        (!d->compiles && !command_case(d->tools, a, c, size, file, &e))) {
        result_set(r, RUN_FAILED, &e);
    } else {
        server_ask(&d->server,
                   d->compiles ? arena_printf(a, "%s\t%s", wgsl, out)
                               : arena_printf(a, "%s\t%s\t%s", wgsl, file, out),
                   r);
        if (r->status == RUN_OK && d->compiles)
            assemble(d, a, out, r);
        else if (r->status == RUN_OK)
            command_memory(out, a, c, r);
    }
}

static bool run(void *state, struct arena *a, const struct run_job *job, struct run_sink *sink)
{
    struct dawn *d = state;
    for (uint32_t k = 0; k < (d->compiles ? 1 : job->n); k++) {
        struct run_result r = {.status = RUN_OK};
        run_one(d, a, &job->cases[k], job->subgroup, &r);
        if (d->compiles)
            return result_all(job, sink, &r) || (close_dawn(d), false);
        sink->result(sink, &r);
        if (r.status == RUN_HUNG) {
            close_dawn(d);
            return false;
        }
    }
    return true;
}

static uint32_t places(struct arena *a, const char ***specs)
{
    return access(script(a), R_OK) == 0 ? one_place(a, "tint", specs) : 0;
}

static uint32_t naga_places(struct arena *a, const char ***specs)
{
    const uint32_t n = one_place(a, "roundtrip:naga-tint", specs);
    return access(script(a), R_OK) == 0 && access(naga_program(a), X_OK) == 0 ? n : 0;
}

static uint32_t list(struct arena *a, const char *spec, const struct run_stage *s,
                     struct run_listed **out)
{
    const char *text = version_read(a, arena_printf(a, "%s/dawn/version", command_tools(a)));
    const uint32_t rows =
        list_compiler(a, spec, s, by_naga(s) ? "naga and Tint" : "Tint", text, out);
    limit_info(&(*out)->info, s);
    return rows;
}

const struct run_backend tint_backend = {
    .plan = plan,
    .places = places,
    .open = open_dawn,
    .run = run,
    .close = close_dawn,
    .list = list,
};
const struct run_backend naga_tint_backend = {
    .plan = plan,
    .places = naga_places,
    .open = open_dawn,
    .run = run,
    .close = close_dawn,
    .list = list,
};
const struct run_backend dawn_backend = {
    .plan = plan,
    .open = open_dawn,
    .run = run,
    .close = close_dawn,
};
