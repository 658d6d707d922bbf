// SPDX-License-Identifier: Apache-2.0
//
// Creates or reuses the images, samplers and texel buffers of a case, and binds them.
#include "vk_image.h"

#include <stdlib.h>
#include <string.h>

struct vk_images *vk_images_new(void)
{
    return mem_new(sizeof(struct vk_images));
}

static void image_free(struct vk_device *d, struct vk_made *m)
{
    if (m->view)
        vkDestroyImageView(d->handle, m->view, NULL);
    if (m->handle)
        vkDestroyImage(d->handle, m->handle, NULL);
    if (m->memory)
        vkFreeMemory(d->handle, m->memory, NULL);
    *m = (struct vk_made){0};
}

static void views_free(struct vk_device *d, struct vk_images *all)
{
    for (uint32_t i = 0; i < all->views; i++)
        vkDestroyBufferView(d->handle, all->view[i].handle, NULL);
    all->views = 0;
}

void vk_images_free(struct vk_device *d)
{
    struct vk_images *all = d->images;
    if (!all)
        return;
    for (uint32_t i = 0; i < all->image_room; i++)
        image_free(d, &all->image[i]);
    for (uint32_t i = 0; i < all->sampler_room; i++)
        if (all->sampler[i].handle)
            vkDestroySampler(d->handle, all->sampler[i].handle, NULL);
    views_free(d, all);
    if (all->back)
        vkDestroyBuffer(d->handle, all->back, NULL);
    if (all->back_memory)
        vkFreeMemory(d->handle, all->back_memory, NULL);
    free(all->image);
    free(all->sampler);
    free(all->view);
    free(all);
    d->images = NULL;
}

static VkResult image_make(struct vk_device *d, struct vk_made *m, const struct spv_image_form *f,
                           uint32_t levels, bool storage)
{
    const bool same = m->handle && m->storage == storage && m->levels == levels &&
                      m->form.shape == f->shape && m->form.texel == f->texel &&
                      m->form.layers == f->layers &&
                      memcmp(m->form.size, f->size, sizeof f->size) == 0;
    if (same)
        return VK_SUCCESS;
    image_free(d, m);
    *m = (struct vk_made){.form = *f, .levels = levels, .storage = storage};
    VkImageCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
        .flags = vk_image_is_cube(f->shape) ? VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT : 0u,
        .imageType = vk_image_shapes[f->shape].type,
        .format = vk_image_format(f->texel),
        .extent = {f->size[0], f->size[1], f->size[2]},
        .mipLevels = levels,
        .arrayLayers = vk_image_layers(f),
        .samples = VK_SAMPLE_COUNT_1_BIT,
        .tiling = VK_IMAGE_TILING_OPTIMAL,
        .usage = vk_image_usage(storage),
    };
    VkResult r = vkCreateImage(d->handle, &info, NULL, &m->handle);
    if (r != VK_SUCCESS)
        return r;
    VkMemoryRequirements need;
    vkGetImageMemoryRequirements(d->handle, m->handle, &need);
    VkMemoryAllocateInfo memory = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                   .allocationSize = need.size};
    while (memory.memoryTypeIndex < d->memory.memoryTypeCount &&
           !(need.memoryTypeBits >> memory.memoryTypeIndex & 1))
        memory.memoryTypeIndex++;
    r = vkAllocateMemory(d->handle, &memory, NULL, &m->memory);
    if (r == VK_SUCCESS)
        r = vkBindImageMemory(d->handle, m->handle, m->memory, 0);
    VkImageViewCreateInfo view = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
        .image = m->handle,
        .viewType = vk_image_shapes[f->shape].view,
        .format = info.format,
        .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, levels, 0, info.arrayLayers},
    };
    if (r == VK_SUCCESS)
        r = vkCreateImageView(d->handle, &view, NULL, &m->view);
    return r;
}

static VkResult sampler_make(struct vk_device *d, struct vk_made_sampler *m,
                             const struct spv_sampler *s, uint32_t i)
{
    if (m->handle && m->linear == s->linear && memcmp(m->lod, s->lod + 2 * i, sizeof m->lod) == 0)
        return VK_SUCCESS;
    if (m->handle)
        vkDestroySampler(d->handle, m->handle, NULL);
    *m = (struct vk_made_sampler){.linear = s->linear, .lod = {s->lod[2 * i], s->lod[2 * i + 1]}};
    VkSamplerCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
        .magFilter = VK_FILTER_NEAREST,
        .minFilter = VK_FILTER_NEAREST,
        .mipmapMode = s->linear ? VK_SAMPLER_MIPMAP_MODE_LINEAR : VK_SAMPLER_MIPMAP_MODE_NEAREST,
        .addressModeU = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
        .addressModeV = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
        .addressModeW = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
        .minLod = m->lod[0],
        .maxLod = m->lod[1],
    };
    return vkCreateSampler(d->handle, &info, NULL, &m->handle);
}

// Makes room for the images, samplers and views of the case.
static void make_room(struct vk_images *all, const struct spv_case *c)
{
    uint32_t images = 0, samplers = 0, views = 0;
    for (uint32_t i = 0; i < c->image_count; i++)
        *(c->image[i].form.shape == SPV_IMAGE_BUFFER ? &views : &images) += c->image[i].form.count;
    for (uint32_t i = 0; i < c->buffer_count; i++)
        *(c->buffer[i].image.shape == SPV_IMAGE_BUFFER ? &views : &images) +=
            c->buffer[i].image.count;
    for (uint32_t i = 0; i < c->sampler_count; i++)
        samplers += c->sampler[i].count;
#define ROOM(array, room, n)                                                                       \
    if (all->room < (n)) {                                                                         \
        all->array = mem_grow(all->array, (n) * sizeof *all->array);                               \
        memset(all->array + all->room, 0, ((n) - all->room) * sizeof *all->array);                 \
        all->room = (n);                                                                           \
    }
    ROOM(image, image_room, images)
    ROOM(sampler, sampler_room, samplers)
    ROOM(view, view_room, views)
#undef ROOM
}

// Bytes for one texel of each level of each image, and for all of each uniform texel buffer.
static VkDeviceSize back_bytes(const struct spv_case *c)
{
    VkDeviceSize n = 0;
    for (uint32_t i = 0; i < c->image_count; i++) {
        const struct spv_image_form *f = &c->image[i].form;
        const VkDeviceSize texels =
            f->shape == SPV_IMAGE_BUFFER ? (VkDeviceSize)f->size[0] + 63 : c->image[i].levels;
        n += texels * f->count * vk_texel_bytes(f);
    }
    return n;
}

static VkResult back_room(struct vk_device *d, struct vk_images *all, VkDeviceSize n)
{
    if (all->back_size >= n)
        return VK_SUCCESS;
    if (all->back)
        vkDestroyBuffer(d->handle, all->back, NULL);
    if (all->back_memory)
        vkFreeMemory(d->handle, all->back_memory, NULL);
    all->back = VK_NULL_HANDLE;
    all->back_memory = VK_NULL_HANDLE;
    all->back_size = 0;
    void *map = NULL;
    const VkResult r = vk_memory_make(
        d, VK_BUFFER_USAGE_TRANSFER_DST_BIT | VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT, n,
        &all->back, &all->back_memory, &map);
    all->back_map = map;
    all->back_size = r == VK_SUCCESS ? n : 0;
    return r;
}

static VkResult view_make(struct vk_device *d, struct vk_images *all,
                          const struct spv_image_form *f, VkBuffer buffer, VkDeviceSize at)
{
    VkBufferViewCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO,
        .buffer = buffer,
        .format = vk_image_format(f->texel),
        .offset = at,
        .range = (VkDeviceSize)f->size[0] * vk_texel_bytes(f),
    };
    const VkResult r = vkCreateBufferView(d->handle, &info, NULL, &all->view[all->views].handle);
    all->views += r == VK_SUCCESS;
    return r;
}

// Writes all texels of a texel buffer at once, starting at a multiple of 256 bytes.
static VkResult texels_make(struct vk_device *d, struct vk_images *all, const struct spv_image *s,
                            VkDeviceSize *at)
{
    enum { ALIGNED = 256 };
    const uint32_t words = spv_texel_components(s->form.texel);
    VkResult r = VK_SUCCESS;
    for (uint32_t k = 0; k < s->form.count && r == VK_SUCCESS; k++) {
        *at = (*at + ALIGNED - 1) / ALIGNED * ALIGNED;
        uint32_t *to = all->back_map + *at / sizeof(uint32_t);
        for (uint32_t x = 0; x < s->form.size[0]; x++)
            memcpy(to + x * words, s->values + k * words, words * sizeof(uint32_t));
        r = view_make(d, all, &s->form, all->back, *at);
        *at += (VkDeviceSize)s->form.size[0] * vk_texel_bytes(&s->form);
    }
    return r;
}

VkResult vk_images_make(struct vk_device *d, const struct spv_case *c)
{
    struct vk_images *all = d->images;
    VkResult r = VK_SUCCESS;
    VkDeviceSize at = back_bytes(c);
    all->images = all->samplers = 0;
    views_free(d, all);
    if (!vk_has_images(c))
        return r;
    make_room(all, c);
    r = back_room(d, all, 2 * at + 4096);
    for (uint32_t i = 0; i < c->image_count; i++) {
        const struct spv_image *s = &c->image[i];
        if (s->form.shape == SPV_IMAGE_BUFFER && r == VK_SUCCESS)
            r = texels_make(d, all, s, &at);
        for (uint32_t k = 0;
             k < s->form.count && s->form.shape != SPV_IMAGE_BUFFER && r == VK_SUCCESS; k++)
            r = image_make(d, &all->image[all->images++], &s->form, s->levels, false);
    }
    for (uint32_t i = 0; i < c->buffer_count; i++) {
        const struct spv_image_form *f = &c->buffer[i].image;
        const VkDeviceSize each = f->count ? c->buffer[i].count / f->count * sizeof(uint32_t) : 0;
        for (uint32_t k = 0; k < f->count && r == VK_SUCCESS; k++)
            r = f->shape == SPV_IMAGE_BUFFER
                    ? view_make(d, all, f, vk_buffer_handle(d, i), k * each)
                    : image_make(d, &all->image[all->images++], f, 1, true);
    }
    for (uint32_t i = 0; i < c->sampler_count; i++)
        for (uint32_t k = 0; k < c->sampler[i].count && r == VK_SUCCESS; k++)
            r = sampler_make(d, &all->sampler[all->samplers++], &c->sampler[i], k);
    return r;
}

// ---- binding ---------------------------------------------------------------------------------

static void write_one(struct vk_device *d, const struct vk_binding *b, const struct vk_layout *l,
                      uint32_t k, const VkDescriptorImageInfo *info, const VkBufferView *view)
{
    VkWriteDescriptorSet w = {
        .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
        .dstSet = l->set[b->set],
        .dstBinding = b->binding,
        .dstArrayElement = k,
        .descriptorCount = 1,
        .descriptorType = b->type,
        .pImageInfo = info,
        .pTexelBufferView = view,
    };
    vkUpdateDescriptorSets(d->handle, 1, &w, 0, NULL);
}

// The first sampler at a binding; NULL: none.
static const struct vk_made_sampler *
samplers_of(const struct vk_images *all, const struct spv_case *c, uint32_t set, uint32_t binding)
{
    const struct vk_made_sampler *at = all->sampler;
    for (uint32_t i = 0; i < c->sampler_count; at += c->sampler[i++].count)
        if (c->sampler[i].set == set && c->sampler[i].binding == binding)
            return at;
    return NULL;
}

void vk_images_bind(struct vk_device *d, const struct spv_case *c, const struct vk_layout *l)
{
    const struct vk_images *all = d->images;
    const struct vk_made *image = all->image;
    const struct vk_texels *view = all->view;
    const struct vk_binding *b = l->binding + c->buffer_count;
    for (uint32_t i = 0; i < c->image_count; i++, b++) {
        const struct vk_made_sampler *s = samplers_of(all, c, b->set, b->binding);
        for (uint32_t k = 0; k < b->count; k++) {
            const bool texels = b->type == VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER;
            VkDescriptorImageInfo info = {s && !texels ? s[k].handle : VK_NULL_HANDLE,
                                          texels ? VK_NULL_HANDLE : image->view,
                                          VK_IMAGE_LAYOUT_GENERAL};
            write_one(d, b, l, k, texels ? NULL : &info, texels ? &view->handle : NULL);
            if (texels)
                view++;
            else
                image++;
        }
    }
    for (uint32_t i = 0; i < c->sampler_count; i++) {
        if (spv_image_at(c, c->sampler[i].set, c->sampler[i].binding))
            continue;
        const struct vk_made_sampler *s = samplers_of(all, c, b->set, b->binding);
        for (uint32_t k = 0; k < b->count; k++) {
            VkDescriptorImageInfo info = {.sampler = s[k].handle};
            write_one(d, b, l, k, &info, NULL);
        }
        b++;
    }
    for (uint32_t i = 0; i < c->buffer_count; i++)
        for (uint32_t k = 0; k < c->buffer[i].image.count; k++) {
            const bool texels = c->buffer[i].image.shape == SPV_IMAGE_BUFFER;
            VkDescriptorImageInfo info = {VK_NULL_HANDLE, texels ? VK_NULL_HANDLE : image->view,
                                          VK_IMAGE_LAYOUT_GENERAL};
            write_one(d, &l->binding[i], l, k, texels ? NULL : &info,
                      texels ? &view->handle : NULL);
            if (texels)
                view++;
            else
                image++;
        }
}
