// SPDX-License-Identifier: Apache-2.0
//
// Shared by backends whose result is a module.
#include "command.h"

#include <string.h>

void compiler_info(struct run_info *info, const struct run_stage *s, const char *name,
                   const char *version)
{
    *info = (struct run_info){.form = s->check ? RUN_FORM_NONE : s->kind->form,
                              .offers =
                                  SPV_ALL_NEEDS & ~(s->kind->without | SPV_NEED(SUBGROUP_UNIFORM)),
                              .subgroup_size = 32,
                              .subgroup_min = 4,
                              .subgroup_max = 128,
                              .max_invocations = 1024,
                              .spirv_version = SPV_1_6};
    for (int k = 0; k < 3; k++) {
        info->max_size[k] = 1024;
        info->max_groups[k] = 65535;
    }
    snprintf(info->device, sizeof info->device, "%s", name);
    snprintf(info->driver, sizeof info->driver, "%s", version);
}

uint32_t list_compiler(struct arena *a, const char *spec, const struct run_stage *s,
                       const char *name, const char *version, struct run_listed **out)
{
    *out = ARENA_NEW(a, struct run_listed);
    snprintf((*out)->spec, sizeof(*out)->spec, "%s", spec);
    (*out)->usable = true;
    compiler_info(&(*out)->info, s, name, version);
    return 1;
}

uint32_t one_place(struct arena *a, const char *spec, const char ***specs)
{
    *specs = ARENA_ARRAY(a, const char *, 1);
    (*specs)[0] = spec;
    return 1;
}

bool module_read(struct arena *a, const char *path, struct run_result *r)
{
    char *data;
    size_t size;
    if (!command_read(a, path, &data, &size) || size % 4 || size < 20) {
        r->status = RUN_REJECTED;
        snprintf(r->text, sizeof r->text, "the command wrote no SPIR-V module");
        return false;
    }
    r->form = RUN_FORM_SPIRV;
    r->words = arena_copy(a, data, size);
    r->word_count = size / 4;
    r->text[0] = 0;
    return true;
}

void result_set(struct run_result *r, enum run_status status, const struct err *e)
{
    r->status = status;
    snprintf(r->text, sizeof r->text, "%.590s", e->msg);
}

const char *version_read(struct arena *a, const char *path)
{
    char *text;
    size_t n;
    if (!file_read(a, path, 4096, &text, &n, NULL))
        return "of unknown version";
    text[strcspn(text, "\n")] = 0;
    return text;
}

bool print_job(struct arena *a, enum print_language language, const struct run_job *job,
               struct text *out, struct run_result *r)
{
    const struct spv_case *c = &job->cases[0];
    struct err e = {0};
    *out = (struct text){.arena = a};
    // A compiler is asked for compute shaders only.
    if (!spv_stage_row(c->stage)->has_workgroups)
        err_set(&e, "not a compute shader");
    else if (print_module(a, language, c->words, c->count,
                          job->subgroup ? job->subgroup : c->subgroup, out, NULL, &e))
        return true;
    result_set(r, RUN_SKIPPED, &e);
    return false;
}

bool result_all(const struct run_job *job, struct run_sink *sink, struct run_result *r)
{
    for (uint32_t k = 0; k < job->n; k++) {
        sink->result(sink, r);
        r->driver_seconds = r->driver_cpu = 0;
        if (r->status == RUN_HUNG) // as in every backend: after a hang the worker is replaced
            return false;
    }
    return true;
}
