// SPDX-License-Identifier: Apache-2.0
//
// VK_KHR_pipeline_executable_properties: the driver's representations of a pipeline (intermediate
// code, machine code), for readers of a finding.
#define _POSIX_C_SOURCE 200809L
#include "vk.h"

#include <stdlib.h>
#include <string.h>

struct parts {
    struct arena *a;
    struct vk_part *v;
    size_t n, cap;
};

static void add_executable(struct vk_device *d, struct parts *out, VkPipeline pipeline,
                           uint32_t index, const VkPipelineExecutablePropertiesKHR *about)
{
    VkPipelineExecutableInfoKHR which = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_INFO_KHR,
        .pipeline = pipeline,
        .executableIndex = index,
    };
    uint32_t n = 0;
    if (vkGetPipelineExecutableInternalRepresentationsKHR(d->handle, &which, &n, NULL) < 0 || !n)
        return;
    VkPipelineExecutableInternalRepresentationKHR *r = calloc(n, sizeof *r);
    CHECK(r);
    for (uint32_t i = 0; i < n; i++)
        r[i].sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_INTERNAL_REPRESENTATION_KHR;
    // The first call returns the sizes, the second the texts.
    if (vkGetPipelineExecutableInternalRepresentationsKHR(d->handle, &which, &n, r) >= 0) {
        for (uint32_t i = 0; i < n; i++)
            if (r[i].dataSize <= (size_t)64 << 20)
                r[i].pData = calloc(1, r[i].dataSize + 1);
        if (vkGetPipelineExecutableInternalRepresentationsKHR(d->handle, &which, &n, r) >= 0)
            for (uint32_t i = 0; i < n; i++) {
                const bool is_text = r[i].isText && r[i].pData && ((char *)r[i].pData)[0];
                *VEC_PUSH(out->a, out) = (struct vk_part){
                    arena_strn(out->a, r[i].name, strnlen(r[i].name, sizeof r[i].name)),
                    is_text ? arena_strn(out->a, r[i].pData, strnlen(r[i].pData, r[i].dataSize))
                            : NULL,
                    about->stages, about->subgroupSize};
            }
        for (uint32_t i = 0; i < n; i++)
            free(r[i].pData);
    }
    free(r);
}

uint32_t vk_pipeline_parts(struct vk_device *d, struct arena *a, VkPipeline pipeline,
                           struct vk_part **out)
{
    struct parts parts = {.a = a};
    VkPipelineInfoKHR info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_INFO_KHR, .pipeline = pipeline};
    uint32_t n = 0;
    *out = NULL;
    if (!d->features.executables.pipelineExecutableInfo ||
        vkGetPipelineExecutablePropertiesKHR(d->handle, &info, &n, NULL) < 0)
        return 0;
    VkPipelineExecutablePropertiesKHR *about =
        ARENA_ARRAY(a, VkPipelineExecutablePropertiesKHR, n + 1);
    for (uint32_t i = 0; i < n; i++)
        about[i].sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_PROPERTIES_KHR;
    if (vkGetPipelineExecutablePropertiesKHR(d->handle, &info, &n, about) < 0)
        return 0;
    for (uint32_t i = 0; i < n; i++)
        add_executable(d, &parts, pipeline, i, &about[i]);
    if (d->code.eu && d->code.text && parts.n) // ANV's own text omits regions and channels
        *VEC_PUSH(a, &parts) =
            (struct vk_part){.name = VK_PART_CODE, .text = arena_str(a, d->code.text)};
    *out = parts.v;
    return (uint32_t)parts.n;
}

uint32_t vk_parts_of(struct vk_part *part, uint32_t n, VkShaderStageFlags stage, uint32_t size)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < n; i++)
        if ((part[i].stages & stage) && part[i].size == size)
            part[kept++] = part[i];
    return kept;
}

const char *vk_part_of(const struct vk_part *part, uint32_t n, const char *name)
{
    for (uint32_t i = 0; i < n; i++)
        if (strcmp(part[i].name, name) == 0)
            return part[i].text;
    return NULL;
}

// Adds as much as fits; vk_pipeline_text marks a truncated text.
static void add(struct text *t, const char *s)
{
    const size_t n = strlen(s), room = t->n < RUN_DRIVER_TEXT ? RUN_DRIVER_TEXT - t->n : 0;
    text_addn(t, s, n < room ? n : room);
}

// Turnip prints its last NIR only with a preamble, ANV only for its back end; their representations
// have it as it was before.
static const char *dump_of(const struct vk_device *d, struct text *t)
{
    const char *printed = d->code.dumped ? d->code.dumped : "";
    if (!d->code.ir3 && !d->code.eu)
        *t = (struct text){.arena = t->arena};
    text_addn(t, printed, strnlen(printed, RUN_DUMP));
    return t->n ? t->v : NULL;
}

const char *vk_pipeline_text(struct vk_device *d, struct arena *a, VkPipeline pipeline,
                             uint32_t *code)
{
    *code = 0;
    struct text t = {.arena = a};
    struct vk_part *part;
    const uint32_t n = vk_pipeline_parts(d, a, pipeline, &part);
    if (d->text_part)
        return vk_part_of(part, n, d->text_part);
    for (uint32_t i = 0; i < n; i++) {
        add(&t, "==== ");
        add(&t, part[i].name);
        add(&t, "\n");
        if (strcmp(part[i].name, VK_PART_CODE) == 0) {
            *code = 1;
            for (size_t k = 0; k < t.n; k++)
                *code += t.v[k] == '\n';
        }
        add(&t, part[i].text ? part[i].text : "(no text)");
        add(&t, "\n");
    }
    if (t.n >= RUN_DRIVER_TEXT)
        memcpy(t.v + RUN_DRIVER_TEXT - 14, "\n(cut off here)", 14);
    if (d->code.dump) {
        *code = 0;
        return dump_of(d, &t);
    }
    return t.n ? t.v : NULL;
}
