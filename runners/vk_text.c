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

// Memory that the driver writes texts into, kept from pipeline to pipeline. A driver may print a
// text each time that it is asked for it, or for its size, so both are asked at once.
enum { ROOMS = 8, ROOM_LEAST = 1 << 16 };
struct vk_rooms {
    struct room {
        char *v;
        size_t size;
    } room[ROOMS];
};

typedef VkPipelineExecutableInternalRepresentationKHR representation;

void vk_rooms_free(struct vk_device *d)
{
    for (size_t i = 0; d->rooms && i < ROOMS; i++)
        free(d->rooms->room[i].v);
    free(d->rooms);
    d->rooms = NULL;
}

static void room_make(struct room *r, size_t size)
{
    if (r->size >= size)
        return;
    free(r->v);
    r->v = malloc(size);
    CHECK(r->v);
    r->size = size;
}

static void add_text(struct parts *out, const representation *r,
                     const VkPipelineExecutablePropertiesKHR *about)
{
    const char *text = r->pData;
    const bool is_text = r->isText && text && r->dataSize && text[0];
    *VEC_PUSH(out->a, out) =
        (struct vk_part){arena_strn(out->a, r->name, strnlen(r->name, sizeof r->name)),
                         is_text ? arena_strn(out->a, text, strnlen(text, r->dataSize)) : NULL,
                         about->stages, about->subgroupSize};
}

// Adds the first `most` texts, all of them for 0, by one call. False: they do not fit.
static bool add_at_once(struct vk_device *d, struct parts *out,
                        const VkPipelineExecutableInfoKHR *which, uint32_t most,
                        const VkPipelineExecutablePropertiesKHR *about)
{
    representation r[ROOMS] = {0};
    uint32_t n = most ? most : ROOMS;
    if (n > ROOMS)
        return false;
    if (!d->rooms)
        d->rooms = mem_new(sizeof *d->rooms);
    for (uint32_t i = 0; i < n; i++) {
        struct room *room = &d->rooms->room[i];
        room_make(room, ROOM_LEAST);
        r[i] = (representation){
            .sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_INTERNAL_REPRESENTATION_KHR,
            .dataSize = room->size,
            .pData = room->v};
    }
    const VkResult result =
        vkGetPipelineExecutableInternalRepresentationsKHR(d->handle, which, &n, r);
    if (result < 0 || (result == VK_INCOMPLETE && !most))
        return false;
    // There are more, or a text was cut off: that one fills its memory.
    for (uint32_t i = 0; result == VK_INCOMPLETE && i < n; i++)
        if (r[i].dataSize >= d->rooms->room[i].size)
            return false;
    for (uint32_t i = 0; i < n; i++)
        add_text(out, &r[i], about);
    return true;
}

// Adds all texts: asks for their number, their sizes, and themselves.
static void add_by_size(struct vk_device *d, struct parts *out,
                        const VkPipelineExecutableInfoKHR *which,
                        const VkPipelineExecutablePropertiesKHR *about)
{
    uint32_t n = 0;
    if (vkGetPipelineExecutableInternalRepresentationsKHR(d->handle, which, &n, NULL) < 0 || !n)
        return;
    representation *r = calloc(n, sizeof *r);
    CHECK(r);
    for (uint32_t i = 0; i < n; i++)
        r[i].sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_INTERNAL_REPRESENTATION_KHR;
    if (vkGetPipelineExecutableInternalRepresentationsKHR(d->handle, which, &n, r) >= 0) {
        for (uint32_t i = 0; i < n; i++) {
            if (r[i].dataSize <= (size_t)64 << 20)
                r[i].pData = calloc(1, r[i].dataSize + 1);
            if (r[i].pData && i < ROOMS)
                room_make(&d->rooms->room[i], 2 * r[i].dataSize);
        }
        if (vkGetPipelineExecutableInternalRepresentationsKHR(d->handle, which, &n, r) >= 0)
            for (uint32_t i = 0; i < n; i++)
                add_text(out, &r[i], about);
        for (uint32_t i = 0; i < n; i++)
            free(r[i].pData);
    }
    free(r);
}

uint32_t vk_pipeline_parts(struct vk_device *d, struct arena *a, VkPipeline pipeline, uint32_t most,
                           struct vk_part **out)
{
    struct parts parts = {.a = a};
    VkPipelineInfoKHR info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_INFO_KHR, .pipeline = pipeline};
    uint32_t n = 0;
    *out = NULL;
    if (d->code.agx && d->code.text) {
        *out = ARENA_NEW(a, struct vk_part);
        **out = (struct vk_part){.name = VK_PART_CODE, .text = arena_str(a, d->code.text)};
        return 1;
    }
    if (!d->features.executables.pipelineExecutableInfo ||
        vkGetPipelineExecutablePropertiesKHR(d->handle, &info, &n, NULL) < 0)
        return 0;
    VkPipelineExecutablePropertiesKHR *about =
        ARENA_ARRAY(a, VkPipelineExecutablePropertiesKHR, n + 1);
    for (uint32_t i = 0; i < n; i++)
        about[i].sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_PROPERTIES_KHR;
    if (vkGetPipelineExecutablePropertiesKHR(d->handle, &info, &n, about) < 0)
        return 0;
    for (uint32_t i = 0; i < n; i++) {
        const VkPipelineExecutableInfoKHR which = {
            .sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_INFO_KHR,
            .pipeline = pipeline,
            .executableIndex = i,
        };
        if (!add_at_once(d, &parts, &which, most, &about[i]))
            add_by_size(d, &parts, &which, &about[i]);
    }
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
    const uint32_t n = vk_pipeline_parts(d, a, pipeline, 0, &part);
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
