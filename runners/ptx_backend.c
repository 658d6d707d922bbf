// SPDX-License-Identifier: Apache-2.0
//
// Target `isa:ptx`: the PTX that we print, run by our own machine, in which each operation of a
// group waits for the lanes of its mask. It needs no tool of NVIDIA's. It shows that the masks
// which the program computes are right, so that a mismatch of isa:ptxas is not the printer's.
#include "cuda.h"

#include <string.h>

struct ptx {
    bool text;
    uint32_t sm;
};

static bool read_options(struct arena *a, const struct run_stage *s, uint32_t *sm, struct err *e)
{
    *sm = CUDA_SM;
    for (uint32_t i = 0; i < s->count; i++)
        if (strcmp(s->option[i].key, "sm") != 0 ||
            !parse_u32(s->option[i].value, strlen(s->option[i].value), sm) || !cuda_has_sm(*sm))
            return err_set(e, "ptx: '%.100s': the option is sm=75, 80, 86, 89 or 90",
                           run_stage_text(a, s));
    return true;
}

static bool plan(struct arena *a, const struct run_stage *s, const struct run_options *o,
                 struct run_plan *out, struct err *e)
{
    uint32_t sm;
    (void)o;
    *out = (struct run_plan){0};
    if (!read_options(a, s, &sm, e))
        return false;
    return s->isa || err_set(e, "ptx: PTX cannot run here: use isa:ptx");
}

static void *open_ptx(struct arena *a, const struct run_stage *s, const struct run_options *o,
                      struct run_info *info, struct err *e)
{
    struct ptx *p = ARENA_NEW(a, struct ptx);
    if (!read_options(a, s, &p->sm, e))
        return NULL;
    p->text = o->driver_text;
    compiler_info(info, s, "PTX", "");
    cuda_info(info);
    return p;
}

static void close_ptx(void *state)
{
    (void)state;
}

static bool run(void *state, struct arena *a, const struct run_job *job, struct run_sink *sink)
{
    const struct ptx *p = state;
    struct run_result r;
    const char *text;
    const struct isa_code *code = cuda_code(NULL, p->sm, 0, a, job, &r, &text);
    if (p->text)
        r.driver_text = text;
    return cuda_cases(code, p->text, a, job, &r, sink);
}

static uint32_t places(struct arena *a, const char ***specs)
{
    return one_place(a, "isa:ptx", specs);
}

static uint32_t list(struct arena *a, const char *spec, const struct run_stage *s,
                     struct run_listed **out)
{
    const uint32_t rows = list_compiler(a, spec, s, "PTX", "", out);
    cuda_info(&(*out)->info);
    return rows;
}

const struct run_backend ptx_backend = {
    .plan = plan,
    .places = places,
    .list = list,
    .open = open_ptx,
    .run = run,
    .close = close_ptx,
};
