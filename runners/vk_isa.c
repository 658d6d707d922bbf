// SPDX-License-Identifier: Apache-2.0
//
// A pipeline's machine code, as the driver tells it, for the machine of isa/.
#include "vk.h"

#include <string.h>

enum { VENDOR_AMD = 0x1002 };

bool vk_isa_known(const struct run_info *info, enum amd_gen *gen, struct err *e)
{
    if (info->vendor_id == VENDOR_AMD && amd_gen_of(info->device, gen))
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

const struct isa_code *vk_isa_program(struct vk_device *d, struct arena *a, VkPipeline pipeline,
                                         uint32_t size, struct run_result *out)
{
    struct amd_source source = {0};
    struct vk_part *part;
    uint32_t n;
    VK_TIMED(d, n = vk_pipeline_parts(d, a, pipeline, &part));
    for (uint32_t i = 0; i < n; i++) {
        if (strcmp(part[i].name, "NIR Shader(s)") == 0)
            source.nir = part[i].text;
        else if (strcmp(part[i].name, "ACO IR") == 0)
            source.ir = part[i].text;
        else if (strcmp(part[i].name, VK_PART_CODE) == 0)
            source.assembly = part[i].text;
    }
    struct isa_result why;
    return isa_readable(amd_read(a, &source, d->gen, size, &why), &why, out);
}
