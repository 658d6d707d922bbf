// SPDX-License-Identifier: Apache-2.0
//
// VK_KHR_pipeline_executable_properties: the driver's own words about a pipeline
// (intermediate code, machine code), for the reader of a finding.
#define _POSIX_C_SOURCE 200809L
#include "vk.h"

#include <stdlib.h>
#include <string.h>

// Adds as much as fits; what was cut off is said.
static void add(struct text *t, const char *s, size_t n)
{
    size_t room = t->n < RUN_DRIVER_TEXT ? RUN_DRIVER_TEXT - t->n : 0;
    text_addn(t, s, n < room ? n : room);
}

static void add_representation(struct text *t,
                               const VkPipelineExecutableInternalRepresentationKHR *r)
{
    size_t n = r->isText && r->pData ? strnlen(r->pData, r->dataSize) : 0;
    add(t, "==== ", 5);
    add(t, r->name, strnlen(r->name, sizeof r->name));
    add(t, "\n", 1);
    if (n)
        add(t, r->pData, n);
    else
        add(t, "(no text)", 9);
    add(t, "\n", 1);
}

static void add_executable(struct vk_device *d, struct text *t, VkPipeline pipeline, uint32_t index)
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
    // First the sizes, then the texts.
    if (vkGetPipelineExecutableInternalRepresentationsKHR(d->handle, &which, &n, r) >= 0) {
        for (uint32_t i = 0; i < n; i++)
            if (r[i].dataSize <= (size_t)64 << 20)
                r[i].pData = calloc(1, r[i].dataSize + 1);
        if (vkGetPipelineExecutableInternalRepresentationsKHR(d->handle, &which, &n, r) >= 0)
            for (uint32_t i = 0; i < n; i++)
                add_representation(t, &r[i]);
        for (uint32_t i = 0; i < n; i++)
            free(r[i].pData);
    }
    free(r);
}

const char *vk_pipeline_text(struct vk_device *d, struct arena *a, VkPipeline pipeline)
{
    if (!d->features.executables.pipelineExecutableInfo)
        return NULL;
    struct text t = {.arena = a};
    VkPipelineInfoKHR info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_INFO_KHR, .pipeline = pipeline};
    uint32_t n = 0;
    if (vkGetPipelineExecutablePropertiesKHR(d->handle, &info, &n, NULL) < 0)
        return NULL;
    for (uint32_t i = 0; i < n; i++)
        add_executable(d, &t, pipeline, i);
    if (t.n >= RUN_DRIVER_TEXT)
        memcpy(t.v + RUN_DRIVER_TEXT - 14, "\n(cut off here)", 14);
    return t.n ? t.v : NULL;
}
