// SPDX-License-Identifier: Apache-2.0
//
// Target `ptxas`: NVIDIA's assembler and optimiser for PTX. It is not free software, and no script
// here installs it.
//
// check:ptxas: the PTX that LLVM prints for the case (check:llvm:cpu=sm_..., no pass). Output:
// whether ptxas accepts it at -O0 and -O3; nothing runs. A case that LLVM does not compile to PTX
// is skipped: check:llvm covers those faults.
//
// isa:ptxas: the case as PTX whose masks the program computes. Output: the memory after our machine
// ran the code, as nvdisasm prints it.
#include "cuda.h"

#include <string.h>
#include <unistd.h>

struct ptxas {
    void *llvm; // of check:ptxas
    bool isa, text;
    struct cuda_tools tools;
    char folder[200];
    const char *program, *cpu, *in, *out;
    uint32_t sm;
    uint32_t first, last; // levels
    double seconds;
};

static const char *program(struct arena *a, const char *name)
{
    const char *local = arena_printf(a, "%s/ptxas/bin/%s", command_tools(a), name);
    return access(local, X_OK) == 0 ? local : name;
}

// Parses "sm=N" (default CUDA_SM) and "level=N" (default: 0 and 3).
static bool read_options(struct arena *a, const struct run_stage *s, struct ptxas *p, struct err *e)
{
    *p = (struct ptxas){.sm = CUDA_SM, .first = 0, .last = 3};
    for (uint32_t i = 0; i < s->count; i++) {
        const struct run_option *o = &s->option[i];
        uint32_t n = 0;
        const bool number = parse_u32(o->value, strlen(o->value), &n);
        if (strcmp(o->key, "sm") == 0 && number && n >= (s->isa ? 75u : 80u) && n < 1000)
            p->sm = n;
        else if (strcmp(o->key, "level") == 0 && number && n <= 3)
            p->first = p->last = n;
        else
            return err_set(e, "ptxas: '%.100s': the options are sm=N (80 or higher) and level=0..3",
                           run_stage_text(a, s));
    }
    p->cpu = arena_printf(a, "sm_%u", p->sm);
    p->isa = s->isa;
    if (s->isa && !cuda_has_sm(p->sm))
        return err_set(e, "ptxas: sm=%u: only the code for sm=75, 80, 86, 89 and 90 is read",
                       p->sm);
    if (s->isa && p->first != p->last)
        p->first = 3;
    return s->check || s->isa ||
           err_set(e, "ptxas: the code cannot run here: use isa:ptxas or check:ptxas");
}

static bool is_there(struct arena *a, const char *name, struct err *e)
{
    return command_there(a, "ptxas", program(a, name), NULL) ||
           err_set(e,
                   "ptxas: %s is not on the PATH (it is not free software: Debian's non-free "
                   "package nvidia-cuda-toolkit has it)",
                   name);
}

static struct run_stage as_llvm(struct arena *a, const struct ptxas *p)
{
    const struct run_stage bare = {.name = "llvm", .kind = kind_find("llvm"), .check = true};
    return *run_stage_with(a, run_stage_with(a, &bare, "cpu", p->cpu), "passes", "none");
}

static bool plan(struct arena *a, const struct run_stage *s, const struct run_options *o,
                 struct run_plan *out, struct err *e)
{
    struct ptxas p;
    if (!read_options(a, s, &p, e))
        return false;
    if (!is_there(a, "ptxas", e) || (p.isa && !is_there(a, "nvdisasm", e)))
        return false;
    if (p.isa) {
        *out = (struct run_plan){0};
        return true;
    }
    const struct run_stage llvm = as_llvm(a, &p);
    return llvm.kind->backend->plan(a, &llvm, o, out, e);
}

static void *open_isa(struct ptxas *p, struct arena *a, const struct run_stage *s,
                      const struct run_options *o, struct run_info *info, struct err *e)
{
    if (!dir_temporary(p->folder, sizeof p->folder, e))
        return NULL;
    p->tools = (struct cuda_tools){.ptxas = program(a, "ptxas"),
                                   .nvdisasm = program(a, "nvdisasm"),
                                   .ptx = arena_printf(a, "%s/in.ptx", p->folder),
                                   .cubin = arena_printf(a, "%s/out.cubin", p->folder),
                                   .sass = arena_printf(a, "%s/out.sass", p->folder),
                                   .folder = p->folder,
                                   .seconds = o->fence_seconds};
    p->text = o->driver_text;
    compiler_info(info, s, "ptxas", "");
    cuda_info(info);
    return p;
}

static void *open_ptxas(struct arena *a, const struct run_stage *s, const struct run_options *o,
                        struct run_info *info, struct err *e)
{
    struct ptxas *p = ARENA_NEW(a, struct ptxas);
    struct run_options with_text = *o;
    struct run_info unused;
    with_text.driver_text = true;
    if (!read_options(a, s, p, e))
        return NULL;
    const struct run_stage llvm = as_llvm(a, p);
    if (p->isa)
        return open_isa(p, a, s, o, info, e);
    if (!(p->llvm = llvm.kind->backend->open(a, &llvm, &with_text, &unused, e)))
        return NULL;
    if (!dir_temporary(p->folder, sizeof p->folder, e)) {
        llvm.kind->backend->close(p->llvm);
        return NULL;
    }
    p->program = program(a, "ptxas");
    p->seconds = o->fence_seconds;
    p->in = arena_printf(a, "%s/in.ptx", p->folder);
    p->out = arena_printf(a, "%s/out.cubin", p->folder);
    compiler_info(info, s, "ptxas", "");
    info->subgroup_max = 32; // the printed code uses only the first word of a ballot
    return p;
}

static void close_ptxas(void *state)
{
    struct ptxas *p = state;
    if (p->llvm)
        kind_find("llvm")->backend->close(p->llvm);
    dir_remove(p->folder);
}

// Stores LLVM's one result.
struct taken {
    struct run_sink sink;
    struct run_result r;
};

static void take(struct run_sink *sink, const struct run_result *r)
{
    ((struct taken *)sink)->r = *r;
}

static void assemble(struct ptxas *p, struct arena *a, struct run_result *r)
{
    struct err e = {0};
    if (!file_put(p->in, r->driver_text, strlen(r->driver_text), false, &e)) {
        result_set(r, RUN_FAILED, &e);
        return;
    }
    for (uint32_t level = p->first; level <= p->last; level += 3) {
        const char *words[] = {p->program,
                               arena_printf(a, "-arch=%s", p->cpu),
                               arena_printf(a, "-O%u", level),
                               p->in,
                               "-o",
                               p->out,
                               NULL};
        struct run_time start = run_time_now();
        command_run((char *const *)words, p->folder, p->seconds, 0, a, r);
        run_time_add(r, run_time_since(start));
        if (r->status != RUN_OK) {
            char text[sizeof r->text];
            snprintf(text, sizeof text, "-O%u: %.580s", level, r->text);
            memcpy(r->text, text, sizeof text);
            return;
        }
    }
    r->status = RUN_COMPILED;
    r->text[0] = 0;
}

static bool run_isa(struct ptxas *p, struct arena *a, const struct run_job *job,
                    struct run_sink *sink)
{
    struct run_result r;
    const char *text;
    const struct isa_code *code = cuda_code(&p->tools, p->sm, p->last, a, job, &r, &text);
    if (p->text)
        r.driver_text = text;
    return cuda_cases(code, p->text, a, job, &r, sink) || (close_ptxas(p), false);
}

static bool run(void *state, struct arena *a, const struct run_job *job, struct run_sink *sink)
{
    struct ptxas *p = state;
    if (p->isa)
        return run_isa(p, a, job, sink);
    struct run_job one = *job;
    struct taken t = {.sink.result = take};
    one.n = 1;
    kind_find("llvm")->backend->run(p->llvm, a, &one, &t.sink);
    if (t.r.status == RUN_COMPILED && t.r.driver_text) {
        assemble(p, a, &t.r);
    } else if (t.r.status != RUN_SKIPPED) {
        char text[sizeof t.r.text];
        snprintf(text, sizeof text, "LLVM does not compile it to PTX: %.560s", t.r.text);
        t.r = (struct run_result){.status = RUN_SKIPPED};
        memcpy(t.r.text, text, sizeof text);
    }
    t.r.driver_text = NULL;
    return result_all(job, sink, &t.r) || (close_ptxas(p), false);
}

const struct run_backend ptxas_backend = {
    .plan = plan,
    .open = open_ptxas,
    .run = run,
    .close = close_ptxas,
};
