// SPDX-License-Identifier: Apache-2.0
//
// Turnip and RADV print their machine code together with texts that are not read, and take longer
// for it than we do. Their pipeline caches hold the same code.
#define _POSIX_C_SOURCE 200809L
#include "llvm_kept.h"
#include "vk.h"

#include <stdlib.h>
#include <string.h>

enum { CACHE_BYTES = 1 << 19 };

// LLVM's disassembler is the one that the driver has made to print a shader of the same size of
// waves.
static const char *amd_text(struct vk_device *d, const void *data, size_t n)
{
    struct amd_cached c;
    if (!amd_cached_find(data, n, &c))
        return NULL;
    d->code.was_read = true;
    d->code.abi = c.abi;
    void *llvm = llvm_kept_disassembler(c.wave == 64 && d->code.gen != AMD_GFX9);
    return llvm ? amd_cached_text(&d->code.room, &c, d->code.gen, llvm_kept_print, llvm) : NULL;
}

// Returns the text of the cache's only pipeline, from malloc. NULL: it is not understood, or large.
static char *text_of(struct vk_device *d, VkPipelineCache cache)
{
    struct arena *a = &d->code.room;
    size_t n = CACHE_BYTES;
    arena_reset(a);
    void *data = arena_room(a, n);
    VkResult r;
    VK_TIMED(d, r = vkGetPipelineCacheData(d->handle, cache, &n, data));
    const char *text = NULL;
    if (r == VK_SUCCESS)
        text = d->code.ir3 ? ir3_cached(a, data, n) : amd_text(d, data, n);
    return text ? strdup(text) : NULL;
}

bool vk_cached_make(struct vk_device *d, const VkComputePipelineCreateInfo *info, VkPipeline *out)
{
    const VkPipelineCacheCreateInfo cache_info = {.sType =
                                                      VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO};
    VkComputePipelineCreateInfo quiet = *info;
    VkPipelineCache cache;
    VkResult r;
    const bool ready = d->code.ir3 || llvm_kept_disassembler(false) || llvm_kept_disassembler(true);
    if (!d->code.cached || d->driver_text || !ready)
        return false;
    free(d->code.text);
    d->code.text = NULL;
    VK_TIMED(d, r = vkCreatePipelineCache(d->handle, &cache_info, NULL, &cache));
    if (r != VK_SUCCESS)
        return false;
    quiet.flags &=
        ~(VkPipelineCreateFlags)VK_PIPELINE_CREATE_CAPTURE_INTERNAL_REPRESENTATIONS_BIT_KHR;
    VK_TIMED(d, r = vkCreateComputePipelines(d->handle, cache, 1, &quiet, NULL, out));
    if (r == VK_SUCCESS && !(d->code.text = text_of(d, cache))) {
        VK_TIMED(d, vkDestroyPipeline(d->handle, *out, NULL));
        *out = VK_NULL_HANDLE;
        d->code.cached = d->code.was_read; // else another GPU or version
    }
    d->code.was_read |= d->code.text != NULL;
    VK_TIMED(d, vkDestroyPipelineCache(d->handle, cache, NULL));
    return d->code.text != NULL;
}
