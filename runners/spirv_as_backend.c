// SPDX-License-Identifier: Apache-2.0
//
// Target `spirv-as`: SPIRV-Tools' disassembler and assembler inside the worker. Input: the module.
// Output: the module reassembled from its text, which must be the same program, because all stored
// cases depend on that.
#include "backend.h"

#include <string.h>

static bool plan(struct arena *a, const struct run_stage *s, const struct run_options *o,
                 struct run_plan *out, struct err *e)
{
    (void)a;
    (void)o;
    *out = (struct run_plan){0};
    return !s->count ||
           err_set(e, "spirv-as: '%s': this target has no options", s->option[0].value);
}

static uint32_t places(struct arena *a, const char ***specs)
{
    return one_place(a, "spirv-as", specs);
}

static uint32_t list(struct arena *a, const char *spec, const struct run_stage *s,
                     struct run_listed **out)
{
    return list_compiler(a, spec, s, "spirv-dis and spirv-as", spv_tools_version(a), out);
}

static void *open_tools(struct arena *a, const struct run_stage *s, const struct run_options *o,
                        struct run_info *info, struct err *e)
{
    (void)o;
    (void)e;
    compiler_info(info, s, "spirv-dis and spirv-as", spv_tools_version(a));
    return spv_tools_new();
}

static bool run(void *state, struct arena *a, const struct run_job *job, struct run_sink *sink)
{
    const struct spv_case *c = &job->cases[0];
    struct run_result r = {.status = RUN_OK, .form = RUN_FORM_SPIRV};
    struct run_time start = run_time_now();
    const char *text;
    struct err e;
    if (!spv_disassemble(state, a, c->words, c->count, &text, &e) ||
        !spv_assemble(state, a, text, strlen(text), 1, &r.words, &r.word_count, &e)) {
        r = (struct run_result){.status = RUN_REJECTED};
        one_line(r.text, sizeof r.text, e.msg, strlen(e.msg));
    }
    run_time_add(&r, run_time_since(start));
    return result_all(job, sink, &r);
}

static void close_tools(void *state)
{
    spv_tools_free(state);
}

const struct run_backend spirv_as_backend = {
    .plan = plan,
    .places = places,
    .list = list,
    .open = open_tools,
    .run = run,
    .close = close_tools,
};
