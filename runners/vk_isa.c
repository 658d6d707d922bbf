// SPDX-License-Identifier: Apache-2.0
//
// A pipeline's machine code, as the driver tells it, run by the machine of isa/ on the case's own
// buffers: memory as from a device. What that machine does not know is skipped, by its name.
#include "vk.h"

#include <string.h>

enum { VENDOR_AMD = 0x1002 };

bool vk_isa_known(const struct run_info *info, enum isa_gen *gen, struct err *e)
{
    if (info->vendor_id == VENDOR_AMD && isa_gen_of(info->device, gen))
        return true;
    return err_set(e, "isa: the machine code of '%.100s' is not known (AMD's gfx9 to gfx12 are)",
                   info->device);
}

bool vk_isa_open(struct vk_device *d, struct err *e)
{
    if (!vk_isa_known(&d->info, &d->gen, e))
        return false;
    if (!d->features.executables.pipelineExecutableInfo)
        return err_set(e, "isa: the driver does not tell its machine code");
    return true;
}

const struct isa_program *vk_isa_program(struct vk_device *d, struct arena *a, VkPipeline pipeline,
                                         uint32_t size, struct run_result *out)
{
    struct isa_source source = {0};
    struct isa_result why;
    struct vk_part *part;
    uint32_t n;
    VK_TIMED(d, n = vk_pipeline_parts(d, a, pipeline, &part));
    for (uint32_t i = 0; i < n; i++) {
        if (strcmp(part[i].name, "NIR Shader(s)") == 0)
            source.nir = part[i].text;
        else if (strcmp(part[i].name, "ACO IR") == 0)
            source.ir = part[i].text;
        else if (strcmp(part[i].name, "Assembly") == 0)
            source.assembly = part[i].text;
    }
    const struct isa_program *p = isa_read(a, &source, d->gen, size, &why);
    if (!p) {
        out->status = RUN_SKIPPED;
        snprintf(out->text, sizeof out->text, "machine code: %.400s", why.text);
    }
    return p;
}

void vk_isa_run(struct arena *a, const struct isa_program *p, const struct spv_case *c,
                struct run_result *out)
{
    const struct isa_options o = {.junk = 1};
    struct isa_result seen;
    isa_run(a, p, c, &o, &seen);
    snprintf(out->text, sizeof out->text, "%s%.400s", seen.text[0] ? "machine code: " : "", seen.text);
    switch (seen.status) {
    case ISA_RAN:
        out->status = RUN_OK;
        out->form = RUN_FORM_MEMORY;
        out->memory = seen.memory;
        out->memory_count = seen.memory_count;
        if (seen.early_line)
            snprintf(out->text, sizeof out->text,
                     "machine code: line %u uses a register before its load is waited for",
                     seen.early_line);
        break;
    case ISA_OVER_LIMIT:
    case ISA_STUCK:
        out->status = RUN_HUNG;
        break;
    case ISA_FAULT:
        out->status = RUN_DEVICE_LOST;
        break;
    case ISA_UNSUPPORTED:
    case ISA_INVALID:
        out->status = RUN_SKIPPED;
        break;
    }
}
