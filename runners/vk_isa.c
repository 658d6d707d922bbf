// SPDX-License-Identifier: Apache-2.0
//
// Returns a pipeline's code, as the driver prints it, for the executors in backends/isa/.
#include "isa/isa_places.h"
#include "llvm_kept.h"
#include "vk.h"

#include <string.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

bool vk_isa_known(const struct run_info *info, struct vk_code *code, struct err *e)
{
    if (!code->nir) {
        code->nak = info->vendor_id == VENDOR_NVIDIA && strncmp(info->driver, "NVK", 3) == 0;
        code->ir3 = info->vendor_id == VENDOR_QUALCOMM && strncmp(info->driver, "turnip", 6) == 0;
        code->eu = info->vendor_id == VENDOR_INTEL && vk_eu_known(info, &code->eu_gen);
        code->agx = code->printed =
            info->vendor_id == VENDOR_MESA && strncmp(info->driver, "Honeykrisp", 10) == 0;
        if (code->nak || code->ir3 || code->eu || code->agx ||
            (info->vendor_id == VENDOR_AMD && amd_gen_of(info->device, &code->gen)))
            return true;
        return err_set(
            e,
            "isa: the machine code of '%.100s' is not supported (AMD's gfx9 to gfx12, NVK's, "
            "Turnip's, ANV's and Honeykrisp's are)",
            info->device);
    }
    const struct vk_nir *nir = vk_nir_known(info, e);
    if (nir) {
        code->driver = nir->driver;
        code->printed = !nir->part;
        code->part = nir->part;
    }
    return nir != NULL;
}

// Drivers print code into large buffers, whose memory glibc returns to the kernel each time. Kept
// in the process, it causes no page faults.
static void memory_keep(void)
{
#ifdef __GLIBC__
    mallopt(M_MMAP_THRESHOLD, 64 << 20);
    mallopt(M_TRIM_THRESHOLD, 256 << 20);
    mallopt(M_TOP_PAD, 4 << 20);
#endif
}

bool vk_isa_open(struct vk_device *d, struct err *e)
{
    memory_keep();
    if (!vk_isa_known(&d->info, &d->code, e))
        return false;
    d->info.has_driver_text |= d->code.agx;
    const bool amd = d->info.vendor_id == VENDOR_AMD && !d->code.nir;
    d->code.cached = (d->code.ir3 || amd) && !d->code.dump && strstr(d->info.driver, "Mesa 26.2");
    if (d->info.vendor_id == VENDOR_AMD)
        llvm_kept_begin();
    if (!d->code.printed && !d->features.executables.pipelineExecutableInfo)
        return err_set(
            e, "isa: the driver cannot print its code (VK_KHR_pipeline_executable_properties)");
    return !d->code.eu || vk_eu_open(d, e);
}

void vk_isa_close(struct vk_device *d)
{
    vk_eu_close(d);
    arena_free(&d->code.room);
}

void vk_isa_listen(struct vk_device *d)
{
    vk_print_listen(d);
}

void vk_isa_heard(struct vk_device *d)
{
    if (d->code.eu && d->code.disassembler)
        vk_eu_heard(d);
    vk_print_heard(d);
}

// Honeykrisp prints the intermediate code first, then the code of its back end.
static const char *printed(struct arena *a, const char *text)
{
    const char *begin = text ? strstr(text, "shader: MESA_SHADER_COMPUTE") : NULL;
    const char *end = begin ? strstr(begin, "\nblock0 {") : NULL;
    return begin ? arena_strn(a, begin, end ? (size_t)(end - begin) + 1 : strlen(begin)) : "";
}

spv_needs vk_isa_lacks(const struct vk_device *d)
{
    spv_needs lacks = 0;
    for (int i = 0; i < SPV_STAGES; i++) {
        const struct spv_stage_row *row = spv_stage_row((enum spv_stage)i);
        lacks |= row->has_workgroups || vk_isa_draws(d, row) ? 0 : row->needs;
    }
    return lacks;
}

// The texts that are read come first in ANV's list, and ANV prints the others, its own text of the
// code, when it is asked for them. Only gfx9's is read, for its align16 mode.
static uint32_t parts_of(struct vk_device *d, struct arena *a, VkPipeline pipeline, bool draws,
                         struct vk_part **part)
{
    const bool table = d->code.eu && d->code.eu_gen >= EU_GFX12_5; // no push map
    const bool some = d->code.nir || (d->code.eu && d->code.eu_gen != EU_GFX9);
    const uint32_t most = !some || draws ? 0 : d->code.nir || table ? 1 : 2;
    const char *last = d->code.nir ? d->code.part : table ? "Final NIR" : "Shader push map";
    uint32_t n;
    VK_TIMED(d, n = vk_pipeline_parts(d, a, pipeline, most, part));
    if (most && !vk_part_of(*part, n, last))
        VK_TIMED(d, n = vk_pipeline_parts(d, a, pipeline, 0, part));
    return n;
}

const struct isa_code *vk_isa_program(struct vk_device *d, struct arena *a, VkPipeline pipeline,
                                      const struct vk_stage *stage, uint32_t size,
                                      struct run_result *out)
{
    struct isa_result why;
    struct vk_part *part;
    const char *heard = d->code.dump ? d->code.dumped : d->code.text;
    if (d->code.agx)
        return isa_readable(agx_read(a, heard ? heard : "", &why), &why, out);
    if (d->code.printed)
        return isa_readable(nir_read(a, printed(a, heard), d->code.driver, size, &why), &why, out);
    if (d->code.ir3 && d->code.text)
        return isa_readable(ir3_read(a, d->code.text, size, &why), &why, out);
    if (d->info.vendor_id == VENDOR_AMD && d->code.text) {
        const struct amd_source source = {.abi = &d->code.abi, .assembly = d->code.text};
        return isa_readable(amd_read(a, &source, d->code.gen, size, &why), &why, out);
    }
    const bool draws = vk_isa_draws(d, spv_stage_row(stage->stage));
    uint32_t n = parts_of(d, a, pipeline, draws, &part);
    if (d->code.nir) {
        const char *text = vk_part_of(part, n, d->code.part);
        return isa_readable(nir_read(a, text ? text : "", d->code.driver, size, &why), &why, out);
    }
    if (d->code.ir3) {
        const char *text = vk_part_of(part, n, "IR3 Assembly");
        return isa_readable(ir3_read(a, text ? text : "", size, &why), &why, out);
    }
    if (d->code.eu) {
        if (draws && !(n = vk_parts_of(part, n, stage->bit, size))) {
            isa_refuse(&why, RAN_UNSUPPORTED, 0, "the driver made no code of %u lanes", size);
            return isa_readable(NULL, &why, out);
        }
        const struct eu_source source = {.fragment = draws,
                                         .assembly = d->code.text,
                                         .own = vk_part_of(part, n, "GEN Assembly"),
                                         .nir = vk_part_of(part, n, "Final NIR"),
                                         .push = vk_part_of(part, n, "Shader push map")};
        return isa_readable(eu_read(a, &source, d->code.eu_gen, size, &why), &why, out);
    }
    if (d->code.nak) {
        const struct nak_source source = {.nir = vk_part_of(part, n, "NIR shader"),
                                          .assembly = vk_part_of(part, n, "NAK assembly")};
        return isa_readable(nak_read(a, &source, &why), &why, out);
    }
    const struct amd_source source = {.nir = vk_part_of(part, n, "NIR Shader(s)"),
                                      .ir = vk_part_of(part, n, "ACO IR"),
                                      .assembly = vk_part_of(part, n, VK_PART_CODE)};
    return isa_readable(amd_read(a, &source, d->code.gen, size, &why), &why, out);
}

uint32_t vk_isa_descriptors(struct vk_device *d, struct arena *a, VkPipeline pipeline,
                            const struct spv_case *c)
{
    const bool turnip = d->code.ir3 || (d->code.nir && d->code.driver == NIR_TURNIP);
    struct vk_part *part;
    if (!turnip || strstr(d->info.driver, "Mesa 26.2"))
        return 0;
    const uint32_t n = vk_pipeline_parts(d, a, pipeline, 0, &part);
    const char *before = vk_part_of(part, n, "NIR from SPIRV"),
               *after = vk_part_of(part, n, "Final NIR");
    return before && after ? isa_turnip_descriptors(c, before, after) : ISA_DESCRIPTORS_OPEN;
}
