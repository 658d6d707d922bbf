// SPDX-License-Identifier: Apache-2.0
//
// A pipeline's code, as the driver tells it, for the machines of isa/.
#include "vk.h"

#include <string.h>

enum { VENDOR_AMD = 0x1002, VENDOR_NVIDIA = 0x10de, VENDOR_QUALCOMM = 0x5143 };

// What each Mesa driver calls its last NIR.
static const struct {
    uint32_t vendor;
    const char *driver; // its name begins so
    enum nir_driver nir;
    const char *part;
} nir_drivers[] = {
    {VENDOR_QUALCOMM, "turnip", NIR_TURNIP, "Final NIR"},
    {VENDOR_AMD, "radv", NIR_RADV, "NIR Shader(s)"},
    {VENDOR_NVIDIA, "NVK", NIR_NVK, "NIR shader"},
};

static const char *nir_part(enum nir_driver d)
{
    for (size_t i = 0; i < sizeof nir_drivers / sizeof *nir_drivers; i++)
        if (nir_drivers[i].nir == d)
            return nir_drivers[i].part;
    return "";
}

bool vk_isa_known(const struct run_info *info, struct vk_code *code, struct err *e)
{
    if (!code->nir) {
        code->nak = info->vendor_id == VENDOR_NVIDIA && strncmp(info->driver, "NVK", 3) == 0;
        code->ir3 = info->vendor_id == VENDOR_QUALCOMM && strncmp(info->driver, "turnip", 6) == 0;
        if (code->nak || code->ir3 || (info->vendor_id == VENDOR_AMD && amd_gen_of(info->device, &code->gen)))
            return true;
        return err_set(e, "isa: the machine code of '%.100s' is not known (AMD's gfx9 to gfx12, NVK's and Turnip's are)",
                       info->device);
    }
    for (size_t i = 0; i < sizeof nir_drivers / sizeof *nir_drivers; i++)
        if (info->vendor_id == nir_drivers[i].vendor &&
            strncmp(info->driver, nir_drivers[i].driver, strlen(nir_drivers[i].driver)) == 0) {
            code->driver = nir_drivers[i].nir;
            return true;
        }
    return err_set(e, "isa:nir: the NIR of '%.100s' is not known (that of Turnip, RADV and NVK is)", info->device);
}

bool vk_isa_open(struct vk_device *d, struct err *e)
{
    if (!vk_isa_known(&d->info, &d->code, e))
        return false;
    if (!d->features.executables.pipelineExecutableInfo)
        return err_set(e, "isa: the driver does not tell its code");
    return true;
}

// The text of the part of this name; NULL: there is none.
static const char *part_of(const struct vk_part *part, uint32_t n, const char *name)
{
    for (uint32_t i = 0; i < n; i++)
        if (strcmp(part[i].name, name) == 0)
            return part[i].text;
    return NULL;
}

const struct isa_code *vk_isa_program(struct vk_device *d, struct arena *a, VkPipeline pipeline,
                                         uint32_t size, struct run_result *out)
{
    struct isa_result why;
    struct vk_part *part;
    uint32_t n;
    VK_TIMED(d, n = vk_pipeline_parts(d, a, pipeline, &part));
    if (d->code.nir) {
        const char *text = part_of(part, n, nir_part(d->code.driver));
        return isa_readable(nir_read(a, text ? text : "", d->code.driver, size, &why), &why, out);
    }
    if (d->code.ir3) {
        const char *text = part_of(part, n, "IR3 Assembly");
        return isa_readable(ir3_read(a, text ? text : "", size, &why), &why, out);
    }
    if (d->code.nak) {
        const struct nak_source source = {.nir = part_of(part, n, "NIR shader"), .assembly = part_of(part, n, "NAK assembly")};
        return isa_readable(nak_read(a, &source, &why), &why, out);
    }
    const struct amd_source source = {.nir = part_of(part, n, "NIR Shader(s)"), .ir = part_of(part, n, "ACO IR"),
                                      .assembly = part_of(part, n, VK_PART_CODE)};
    return isa_readable(amd_read(a, &source, d->code.gen, size, &why), &why, out);
}
