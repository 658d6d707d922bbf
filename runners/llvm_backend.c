// SPDX-License-Identifier: Apache-2.0
//
// Target `llvm`: prints the module as LLVM IR, runs LLVM's passes and its SPIR-V back end; the
// oracle runs the output. LLVM lies in a private root with its own libc, so the worker runs through
// that root's loader. A fatal error ends the process, so jobs run in child processes.
#define _GNU_SOURCE
#include "amd/amd.h"
#include "command.h"
#include "isa_answer.h"
#include "llvm_worker.h"

#include "printers/printers.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

// ---- options -----------------------------------------------------------------------

static bool number(const struct run_option *o, uint32_t most, uint32_t *out, struct err *e)
{
    if (parse_u32(o->value, strlen(o->value), out) && *out <= most)
        return true;
    return err_set(e, "llvm: %s=%s: expected a number up to %u", o->key, o->value, most);
}

static bool read_option(const struct run_option *o, bool check, struct llvm *l, const char **cpu,
                        struct err *e)
{
    const char *value = o->value;
    if (strcmp(o->key, "level") == 0)
        return number(o, 3, &l->job.level, e);
    if (strcmp(o->key, "version") == 0)
        return number(o, 999, &l->version, e);
    if (strcmp(o->key, "limit") == 0)
        return number(o, UINT32_MAX - 1, &l->job.limit, e);
    if (strcmp(o->key, "cpu") == 0) {
        *cpu = value;
        return check || err_set(e,
                                "llvm: cpu=%.40s: the output cannot be run; "
                                "check:llvm:cpu=%.40s compiles it, isa:llvm:cpu=gfx... runs AMD's",
                                value, value);
    }
    if (strcmp(o->key, "wave") == 0) {
        if (strcmp(value, "32") != 0 && strcmp(value, "64") != 0)
            return err_set(e, "llvm: wave=%.40s: expected 32 or 64", value);
        l->wave = value[0] == '3' ? 32 : 64;
        return check || err_set(e, "llvm: wave=%s: only for AMD's back end (cpu=gfx...)", value);
    }
    if (strcmp(o->key, "llc") == 0) {
        if (value[0] != '-' || l->flags == LLVM_FLAGS)
            return err_set(e, "llvm: llc=%.100s: expected an option of llc, as in %s (at most %d)",
                           value, "llc=-structurizecfg-skip-uniform-regions", LLVM_FLAGS);
        l->flag[l->flags++] = value;
        return true;
    }
    if (strcmp(o->key, "isel") == 0 && strcmp(value, "global") == 0 && l->flags < LLVM_FLAGS) {
        l->flag[l->flags++] = "-global-isel";
        return true;
    }
    if (strcmp(o->key, "code") == 0) {
        l->code = value;
        return l->isa || err_set(e, "llvm: code=%.100s: only for isa:llvm", value);
    }
    if (strcmp(o->key, "passes") == 0 && !l->passes)
        l->passes = value;
    else if (strcmp(o->key, "fork") == 0 && strcmp(value, "each") == 0)
        l->alone = true;
    else if (strcmp(o->key, "judge") == 0 && strcmp(value, "ir") == 0 && !check)
        l->job.judge_ir = true;
    else if (strcmp(o->key, "size") == 0 && strcmp(value, "small") == 0)
        l->optsize = true;
    else if (strcmp(o->key, "tokens") == 0 && strcmp(value, "no") == 0)
        l->bare = true;
    else
        return err_set(
            e,
            "llvm: '%s%s%s': the options are passes=PIPELINE, level=0..3, version=N, limit=N, "
            "llc=-OPTION, size=small, tokens=no, judge=ir, fork=each, for check:llvm "
            "cpu=CPU, wave=32|64 and isel=global, and for isa:llvm code=FILE",
            o->key, o->key[0] ? "=" : "", value);
    return true;
}

// Sets the size of a wave and AMD's generation. The code printed for waves of 64 lanes reads other
// lanes by wave.shuffle, on which LLVM crashes for GFX10.
static bool read_wave(const struct run_stage *s, const char *cpu, struct llvm *l, struct err *e)
{
    enum amd_gen gen = AMD_GFX9;
    const bool runs = amd_gen_of(cpu, &gen);
    const bool old = strncmp(cpu, "gfx9", 4) == 0;
    const bool wide = strncmp(cpu, "gfx", 3) == 0 && strncmp(cpu, "gfx10", 5) != 0;
    if (s->isa && !runs)
        return err_set(e, "isa:llvm: cpu=%.40s: expected gfx900..., gfx10..., gfx11... or gfx12...",
                       cpu);
    if (!l->wave)
        l->wave = old ? 64 : 32;
    if (l->wave == 64 ? !wide : old)
        return err_set(e, "llvm: wave=%u: the code printed for cpu=%.40s is for waves of %d lanes",
                       l->wave, cpu, old ? 64 : 32);
    l->gen = (int)gen;
    l->job.wide = l->wave == 64 && !old;
    return true;
}

// `text`: the driver's text (assembly) is requested.
static bool read_options(const struct run_stage *s, bool text, struct llvm *l, struct err *e)
{
    const char *cpu = "";
    *l = (struct llvm){.version = 23,
                       .job.limit = UINT32_MAX,
                       .job.level = 2,
                       .compile_only = s->check,
                       .isa = s->isa,
                       .with_text = text};
    for (uint32_t i = 0; i < s->count; i++)
        if (!read_option(&s->option[i], s->check || s->isa, l, &cpu, e))
            return false;
    if (!read_wave(s, cpu, l, e))
        return false;
    l->passes = l->passes ? l->passes : "default<O3>";
    l->random = strcmp(l->passes, "random") == 0;
    if (strcmp(l->passes, "none") == 0)
        l->passes = "";
    if (l->bare && l->job.judge_ir)
        return err_set(e, "llvm: judge=ir judges by tokens: without tokens=no");
    return llvm_machine(cpu, l->bare, text || s->isa, &l->job, &l->language, e);
}

static const char *root(struct arena *a, uint32_t version)
{
    const char *other = getenv("TANGLEFUZZ_LLVM_DIR");
    return arena_printf(a, "%s/%u", other && other[0] ? other : TANGLEFUZZ_LLVM_DIR, version);
}

static bool plan(struct arena *a, const struct run_stage *s, const struct run_options *o,
                 struct run_plan *out, struct err *e)
{
    struct llvm l;
    (void)o;
    *out = (struct run_plan){0};
    if (!read_options(s, false, &l, e))
        return false;
    const char *dir = root(a, l.version);
    if (access(arena_printf(a, "%s/loader", dir), X_OK) != 0)
        return err_set(e,
                       "llvm: LLVM %u is not here (scripts/llvm.sh --llvm %u downloads it into the "
                       "build folder, and installs nothing)",
                       l.version, l.version);
    const char *needs[] = {"libs/libc.so.6",
                           arena_printf(a, "usr/lib/llvm-%u/lib/libLLVM.so", l.version)};
    for (unsigned i = 0; i < sizeof needs / sizeof *needs; i++)
        if (access(arena_printf(a, "%s/%s", dir, needs[i]), R_OK) != 0)
            return err_set(e,
                           "llvm: %s is not complete: it has no %s (remove the folder, and run "
                           "scripts/llvm.sh --llvm %u)",
                           dir, needs[i], l.version);
    const char *words[] = {arena_printf(a, "%s/loader", dir), "--library-path",
                           arena_printf(a, "%s/libs:%s/usr/lib/llvm-%u/lib", dir, dir, l.version)};
    out->prefix = arena_copy(a, words, sizeof words);
    out->prefix_count = 3;
    return true;
}

static uint32_t places(struct arena *a, const char ***specs)
{
    return one_place(a, "llvm:passes=default<O3>", specs);
}

// ---- one job ----------------------------------------------------------------------------

// -opt-bisect-limit stops the back end's passes too. So with a limit, the resulting IR goes through
// a second child that has none.
static enum run_status run_job(struct llvm *l, struct arena *a, int *status)
{
    if (l->job.limit == UINT32_MAX)
        return llvm_run(&l->parent, &l->job, l->alone, status);
    struct llvm_job first = l->job, second = l->job;
    first.until_verified = first.keep_text = true;
    second.limit = UINT32_MAX;
    second.no_passes = true;
    enum run_status how = llvm_run(&l->parent, &first, true, status);
    const char *on;
    l->last_pass[0] = 0;
    llvm_bisect_line(llvm_output(&l->parent, a), first.limit, l->last_pass, sizeof l->last_pass,
                     &on);
    if (how != RUN_OK || l->parent.shared->failed)
        return how;
    return llvm_run(&l->parent, &second, true, status);
}

static void run_text(struct llvm *l, struct arena *a, const struct text *text, const char *passes,
                     struct run_result *r)
{
    const struct llvm_shared *s = l->parent.shared;
    int status = 0;
    if (!llvm_put(&l->parent, text->v, text->n, passes)) {
        r->status = RUN_SKIPPED;
        snprintf(r->text, sizeof r->text, "the IR text (%zu bytes) or the pipeline is too long",
                 text->n);
        return;
    }
    r->status = run_job(l, a, &status);
    if (l->job.limit != UINT32_MAX && l->last_pass[0])
        r->driver_text = arena_str(a, l->last_pass);
    if (r->status == RUN_FAILED) {
        snprintf(r->text, sizeof r->text, "llvm: cannot start a child process: %s",
                 strerror(errno));
    } else if (r->status == RUN_HUNG) {
        snprintf(r->text, sizeof r->text, "not finished after %g seconds, %s", l->parent.seconds,
                 llvm_stage_name(s));
    } else if (r->status == RUN_CRASHED) {
        llvm_fatal_line(l, a, status, r->text, sizeof r->text);
        r->after_passes = s->stage == LLVM_BACK_END;
    } else if (s->failed) {
        llvm_job_refused(l, a, r);
    } else if (l->compile_only || l->isa) {
        r->status = RUN_COMPILED;
        if ((l->with_text || l->isa) && l->job.assembly)
            r->driver_text = arena_strn(a, (const char *)s->words,
                                        s->count < RUN_DRIVER_TEXT ? s->count : RUN_DRIVER_TEXT);
    } else {
        r->form = l->job.judge_ir ? RUN_FORM_LLVM_IR : RUN_FORM_SPIRV;
        r->words = arena_copy(a, s->words, s->count * sizeof(uint32_t));
        r->word_count = s->count;
    }
}

// ---- the worker's side -------------------------------------------------------------

// LLVM crashes on some pipelines and rejects others: tries the pipeline once on an empty module.
static bool try_pipeline(struct llvm *l, struct arena *a, struct err *e)
{
    static const char nothing[] = "define void @main() {\n  ret void\n}\n";
    struct llvm_job job = l->job;
    int status;
    job.until_verified = true;
    job.limit = UINT32_MAX;
    if ((!l->passes[0] || l->random) && !job.cpu[0])
        return true;
    if (!llvm_put(&l->parent, nothing, sizeof nothing - 1, l->random ? "" : l->passes))
        return err_set(e, "llvm: the pipeline is too long");
    enum run_status how = llvm_run(&l->parent, &job, true, &status);
    const char *text = llvm_output(&l->parent, a);
    if (strstr(text, "is not a recognized processor"))
        return err_set(e, "llvm: cpu=%s: LLVM does not know this processor", job.cpu);
    if (how == RUN_OK && !l->parent.shared->failed)
        return true;
    const char *error = strstr(text, "LLVM ERROR: ");
    text = how == RUN_OK ? l->parent.shared->why : error ? error + 12 : text;
    char line[300];
    one_line(line, sizeof line, text, strcspn(text, "\n"));
    return err_set(e, "llvm: passes=%.100s: %s", l->passes,
                   line[0] ? line : "LLVM crashes on this pipeline");
}

// Inserts `optsize` before the other attributes of our own functions.
static void make_small(struct text *text, struct arena *a)
{
    static const char mark[] = " = { convergent ";
    struct text out = {.arena = a};
    const char *from = text->v;
    for (const char *at; (at = strstr(from, mark)); from = at + sizeof mark - 1) {
        text_addn(&out, from, (size_t)(at - from));
        text_add(&out, " = { optsize convergent ");
    }
    text_add(&out, "%s", from);
    *text = out;
}

// Lets llc try the options on an empty module: LLVM's C API does not report one that it does not
// know.
static bool try_flags(const struct llvm *l, struct arena *a, struct err *e)
{
    VEC(char *) words = {0};
    struct run_result r;
    char folder[256];
    if (!l->flags)
        return true;
    *VEC_PUSH(a, &words) = arena_printf(a, "%s/bin/llc", root(a, l->version));
    for (uint32_t i = 0; i < l->flags; i++)
        *VEC_PUSH(a, &words) = arena_str(a, l->flag[i]);
    *VEC_PUSH(a, &words) = arena_str(a, "-o");
    *VEC_PUSH(a, &words) = arena_str(a, "/dev/null");
    *VEC_PUSH(a, &words) = arena_str(a, "/dev/null");
    *VEC_PUSH(a, &words) = NULL;
    if (!dir_temporary(folder, sizeof folder, e))
        return false;
    command_run(words.v, folder, l->parent.seconds, 0, a, &r);
    dir_remove(folder);
    const char *why = strstr(r.text, "Unknown command line argument");
    if (why)
        return err_set(e, "llvm: llc=: LLVM %u: %.*s", l->version, (int)strcspn(why, "."), why);
    return r.status == RUN_OK || err_set(e, "llvm: llc=: LLVM %u: %.300s", l->version, r.text);
}

static bool open_library(struct llvm *l, struct arena *a, struct err *e)
{
    const char *library =
        arena_printf(a, "%s/usr/lib/llvm-%u/lib/libLLVM.so", root(a, l->version), l->version);
    if (!llvm_load(library, e) || !llvm_machine_load(library, l->job.cpu, e) || !try_flags(l, a, e))
        return false;
    llvm_flags(l->flag, l->flags);
    return true;
}

static void *open_llvm(struct arena *a, const struct run_stage *s, const struct run_options *o,
                       struct run_info *info, struct err *e)
{
    struct llvm *l = ARENA_NEW(a, struct llvm);
    if (!read_options(s, (s->check || s->isa) && o->driver_text, l, e))
        return NULL;
    l->parent.seconds = o->fence_seconds;
    char *code = NULL;
    size_t size;
    if (l->code && !file_read(a, l->code, RUN_DRIVER_TEXT, &code, &size, e))
        return NULL;
    l->code = code;
    if (!open_library(l, a, e) || !llvm_parent_open(&l->parent, e))
        return NULL;
    if (!try_pipeline(l, a, e)) {
        llvm_parent_close(&l->parent);
        return NULL;
    }
    compiler_info(info, s, "LLVM", llvm_version());
    if (l->job.judge_ir)
        info->form = RUN_FORM_LLVM_IR;
    if (l->bare) // L6
        info->offers &= ~(SPV_NEED(MAXIMAL_RECONVERGENCE) | SPV_NEED(SUBGROUP_UNIFORM));
    info->has_driver_text = s->check || s->isa;
    if (s->isa) {
        info->form = RUN_FORM_MEMORY;
        info->subgroup_min = l->wave;
        info->offers &= ~SPV_NEED(SIZE_CONTROL);
    }
    info->subgroup_size = info->subgroup_max = l->wave;
    if (l->wave == 64)
        info->subgroup_min = 64;
    return l;
}

static void close_llvm(void *state)
{
    llvm_parent_close(&((struct llvm *)state)->parent);
}

// Returns the assembly, which can be run any number of times. NULL: the reason is in *r.
static const struct isa_code *amd_program(const struct llvm *l, struct arena *a,
                                          const struct spv_case *c, struct run_result *r)
{
    struct print_buffer *buffer;
    const uint32_t n = print_buffers(a, c->words, c->count, &buffer);
    struct amd_global *global = ARENA_ARRAY(a, struct amd_global, n);
    for (uint32_t i = 0; i < n; i++)
        global[i] = (struct amd_global){buffer[i].name, buffer[i].set, buffer[i].binding};
    const struct amd_source source = {
        .assembly = r->driver_text, .llvm = true, .global = global, .globals = n};
    struct isa_result why;
    return isa_readable(amd_read(a, &source, (enum amd_gen)l->gen, l->wave, &why), &why, r);
}

static bool run(void *state, struct arena *a, const struct run_job *job, struct run_sink *sink)
{
    const struct spv_case *c = &job->cases[0];
    struct run_result r = {.status = RUN_OK};
    struct llvm *l = state;
    struct text text;
    uint32_t subgroup = job->subgroup ? job->subgroup : c->subgroup;
    struct run_time start = run_time_now();
    struct run_job sized = *job;
    if (!subgroup && l->wave == 64)
        sized.subgroup = 64;
    if (l->bare && c->model == SPV_MAXIMAL) { // L6
        r.status = RUN_SKIPPED;
        snprintf(r.text, sizeof r.text,
                 "without tokens LLVM IR cannot express maximal reconvergence");
    } else if (l->job.cpu[0] && subgroup && (l->isa || l->wave == 64) && subgroup != l->wave) {
        r.status = RUN_SKIPPED;
        snprintf(r.text, sizeof r.text, "waves have %u lanes, the case needs %u", l->wave,
                 subgroup);
    } else if (print_job(a, l->language, &sized, &text, &r)) {
        if (l->optsize)
            make_small(&text, a);
        if (l->code) {
            r.status = RUN_COMPILED;
            r.driver_text = l->code;
        } else {
            run_text(l, a, &text, l->random ? llvm_random(a, c->words, c->count) : l->passes, &r);
        }
    }
    run_time_add(&r, run_time_since(start));
    const struct isa_code *p = NULL;
    const struct run_result made = r;
    if (l->isa && r.status == RUN_COMPILED && !(p = amd_program(l, a, c, &r)))
        r.driver_text = l->with_text ? r.driver_text : NULL;
    for (uint32_t k = 0; k < job->n; k++) {
        if (p) {
            isa_answer(a, p, &job->cases[k], l->with_text, &r);
            r.driver_text = l->with_text ? made.driver_text : NULL;
        }
        sink->result(sink, &r);
        r.driver_seconds = r.driver_cpu = 0;
    }
    return true; // a child that hung has been killed
}

static uint32_t list(struct arena *a, const char *spec, const struct run_stage *s,
                     struct run_listed **out)
{
    struct err e = {0};
    struct run_options o = {.fence_seconds = 10};
    struct run_listed *row = ARENA_NEW(a, struct run_listed);
    snprintf(row->spec, sizeof row->spec, "%s", spec);
    void *state = open_llvm(a, s, &o, &row->info, &e);
    row->usable = state != NULL;
    snprintf(row->why, sizeof row->why, "%.510s", e.msg);
    if (state)
        close_llvm(state);
    *out = row;
    return 1;
}

const struct run_backend llvm_backend = {
    .plan = plan,
    .places = places,
    .open = open_llvm,
    .run = run,
    .close = close_llvm,
    .list = list,
};
