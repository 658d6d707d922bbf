// SPDX-License-Identifier: Apache-2.0
//
// PTX, ptxas and nvdisasm for the targets isa:ptx and isa:ptxas.
#include "cuda.h"

#include "isa_answer.h"

#include <string.h>

bool cuda_has_sm(uint32_t sm)
{
    return sm == 75 || sm == 80 || sm == 86 || sm == 89 || sm == 90;
}

void cuda_info(struct run_info *info)
{
    info->offers |= SPV_NEED(QUAD) | SPV_NEED(CLUSTERED) | SPV_NEED(ROTATE) |
                    SPV_NEED(ROTATE_CLUSTERED) | SPV_NEED(MORE_ARITHMETIC) | SPV_NEED(PARTITIONED) |
                    SPV_NEED(VECTORS) | SPV_NEED(BOOLS);
    info->subgroup_min = info->subgroup_max = info->subgroup_size = 32;
    info->has_driver_text = true;
}

// Replaces *text by the SASS of its PTX.
static bool assemble(const struct cuda_tools *t, uint32_t sm, uint32_t level, struct arena *a,
                     const char **text, struct run_result *r)
{
    struct err e = {0};
    char *data;
    size_t size;
    const char *const compile[] = {t->ptxas,
                                   arena_printf(a, "-arch=sm_%u", sm),
                                   arena_printf(a, "-O%u", level),
                                   t->ptx,
                                   "-o",
                                   t->cubin,
                                   NULL};
    // nvdisasm writes to its output only; its analysis of the data flow changes nothing here
    const char *const print[] = {
        "sh", "-c", "exec \"$0\" -ndf \"$1\" >\"$2\"", t->nvdisasm, t->cubin, t->sass, NULL};
    if (!file_put(t->ptx, *text, strlen(*text), false, &e)) {
        result_set(r, RUN_FAILED, &e);
        return false;
    }
    const struct run_time start = run_time_now();
    command_run((char *const *)compile, t->folder, t->seconds, 0, a, r);
    run_time_add(r, run_time_since(start));
    if (r->status != RUN_OK)
        return false;
    command_run((char *const *)print, t->folder, t->seconds, 0, a, r);
    if (r->status != RUN_OK)
        return false;
    if (!command_read(a, t->sass, &data, &size)) {
        r->status = RUN_FAILED;
        snprintf(r->text, sizeof r->text, "nvdisasm wrote nothing");
        return false;
    }
    *text = arena_strn(a, data, size);
    return true;
}

const struct isa_code *cuda_code(const struct cuda_tools *tools, uint32_t sm, uint32_t level,
                                 struct arena *a, const struct run_job *job, struct run_result *r,
                                 const char **text)
{
    const struct spv_case *first = &job->cases[0];
    struct text ptx = {.arena = a};
    struct print_buffer *v;
    struct cuda_source source = {0};
    struct isa_result why;
    *r = (struct run_result){.status = RUN_OK};
    *text = NULL;
    if (!print_job(a, sm < 80 ? PRINT_PTX_SM75 : PRINT_PTX, job, &ptx, r))
        return NULL;
    source.text = ptx.v;
    source.sm = sm;
    source.buffers = print_buffers(a, first->words, first->count, &v);
    struct cuda_place *place = ARENA_ARRAY(a, struct cuda_place, source.buffers);
    for (uint32_t i = 0; i < source.buffers; i++)
        place[i] = (struct cuda_place){v[i].set, v[i].binding};
    source.buffer = place;
    if (!tools) {
        *text = source.text;
        return isa_readable(ptx_read(a, &source, &why), &why, r);
    }
    if (!assemble(tools, sm, level, a, &source.text, r))
        return NULL;
    *text = source.text;
    return isa_readable(sass_read(a, &source, &why), &why, r);
}

bool cuda_cases(const struct isa_code *code, bool origins, struct arena *a,
                const struct run_job *job, struct run_result *r, struct run_sink *sink)
{
    for (uint32_t k = 0; k < job->n; k++) {
        if (code)
            isa_answer(a, code, &job->cases[k], origins ? 1 : 0, r);
        sink->result(sink, r);
        if (r->status == RUN_HUNG || r->status == RUN_DEVICE_LOST)
            return k + 1 == job->n;
        r->driver_seconds = r->driver_cpu = 0;
    }
    return true;
}
