// SPDX-License-Identifier: Apache-2.0
//
// Images and samplers of a case: whether the device takes them, made and filled, bound, and storage images read
// back.
//
// Every texel of a sampled image's level has the level's value, so it is filled by clearing. What it holds is
// read again, a texel of each level, before the shader runs: an image that was not filled, or is another case's,
// is no answer of the shader's. A storage image goes through its buffer (vk_run.c): from the first half of it
// before the dispatch, to the second half after it, which holds other bits until then.
#include "vk.h"

#include <stdlib.h>
#include <string.h>

enum { UNTOLD = 0x5a5aa5a5 }; // what the second half holds before

struct made {
    VkImage handle;
    VkDeviceMemory memory;
    VkImageView view;
    struct spv_image_form form;
    uint32_t levels;
    bool storage;
};
struct made_sampler {
    VkSampler handle;
    bool linear;
    float lod[2];
};
struct texels { // a view of a texel buffer
    VkBufferView handle;
};

// Kept from case to case, in the order of descriptors.
struct vk_images {
    struct made *image;
    uint32_t images, image_room;
    struct made_sampler *sampler;
    uint32_t samplers, sampler_room;
    struct texels *view;
    uint32_t views, view_room;
    VkBuffer back; // a texel of each level, read again
    VkDeviceMemory back_memory;
    uint32_t *back_map;
    VkDeviceSize back_size;
};

static bool is_cube(enum spv_image_shape s)
{
    return s == SPV_IMAGE_CUBE || s == SPV_IMAGE_CUBE_ARRAY;
}

static uint32_t layers_of(const struct spv_image_form *f)
{
    return f->layers * (is_cube(f->shape) ? 6 : 1);
}

static VkFormat format_of(enum spv_texel t)
{
    static const VkFormat formats[SPV_TEXELS] = {
        [SPV_R32F] = VK_FORMAT_R32_SFLOAT,           [SPV_R32I] = VK_FORMAT_R32_SINT,
        [SPV_R32UI] = VK_FORMAT_R32_UINT,            [SPV_RGBA32F] = VK_FORMAT_R32G32B32A32_SFLOAT,
        [SPV_RGBA32I] = VK_FORMAT_R32G32B32A32_SINT, [SPV_RGBA32UI] = VK_FORMAT_R32G32B32A32_UINT,
    };
    return formats[t];
}

static const struct {
    VkImageType type;
    VkImageViewType view;
    uint32_t dim;
    bool arrayed;
} shapes[SPV_IMAGE_SHAPES] = {
    [SPV_IMAGE_1D] = {VK_IMAGE_TYPE_1D, VK_IMAGE_VIEW_TYPE_1D, SpvDim1D, false},
    [SPV_IMAGE_2D] = {VK_IMAGE_TYPE_2D, VK_IMAGE_VIEW_TYPE_2D, SpvDim2D, false},
    [SPV_IMAGE_3D] = {VK_IMAGE_TYPE_3D, VK_IMAGE_VIEW_TYPE_3D, SpvDim3D, false},
    [SPV_IMAGE_CUBE] = {VK_IMAGE_TYPE_2D, VK_IMAGE_VIEW_TYPE_CUBE, SpvDimCube, false},
    [SPV_IMAGE_1D_ARRAY] = {VK_IMAGE_TYPE_1D, VK_IMAGE_VIEW_TYPE_1D_ARRAY, SpvDim1D, true},
    [SPV_IMAGE_2D_ARRAY] = {VK_IMAGE_TYPE_2D, VK_IMAGE_VIEW_TYPE_2D_ARRAY, SpvDim2D, true},
    [SPV_IMAGE_CUBE_ARRAY] = {VK_IMAGE_TYPE_2D, VK_IMAGE_VIEW_TYPE_CUBE_ARRAY, SpvDimCube, true},
    [SPV_IMAGE_BUFFER] = {VK_IMAGE_TYPE_1D, VK_IMAGE_VIEW_TYPE_1D, SpvDimBuffer, false},
};

bool vk_has_images(const struct spv_case *c)
{
    bool any = c->image_count || c->sampler_count;
    for (uint32_t i = 0; i < c->buffer_count && !any; i++)
        any = c->buffer[i].image.count != 0;
    return any;
}

struct vk_images *vk_images_new(void)
{
    return mem_new(sizeof(struct vk_images));
}

// ---- what a module names and a case binds -------------------------------------------------

static const struct spv_image *image_at(const struct spv_case *c, uint32_t set, uint32_t binding)
{
    for (uint32_t i = 0; i < c->image_count; i++)
        if (c->image[i].set == set && c->image[i].binding == binding)
            return &c->image[i];
    return NULL;
}

static const struct spv_sampler *sampler_at(const struct spv_case *c, uint32_t set, uint32_t binding)
{
    for (uint32_t i = 0; i < c->sampler_count; i++)
        if (c->sampler[i].set == set && c->sampler[i].binding == binding)
            return &c->sampler[i];
    return NULL;
}

static const struct spv_buffer *storage_at(const struct spv_case *c, uint32_t set, uint32_t binding)
{
    for (uint32_t i = 0; i < c->buffer_count; i++)
        if (c->buffer[i].set == set && c->buffer[i].binding == binding && c->buffer[i].image.count)
            return &c->buffer[i];
    return NULL;
}

static char type_letter(const struct spv_inst *type)
{
    return !type || type->op == SpvOpTypeFloat ? 'f' : type->op == SpvOpTypeInt && type->n > 1 && type->v[1] ? 'i' : 'u';
}

// OpTypeImage against what is bound there.
static bool form_fits(const struct vk_module *m, const struct vk_binding *b, const struct spv_image_form *f,
                      struct err *why)
{
    const struct spv_inst *type = spv_def(&m->view, b->image);
    const uint32_t dim = type->v[1], arrayed = type->v[3], format = type->v[6];
    static const uint32_t formats[SPV_TEXELS] = {
        [SPV_R32F] = SpvImageFormatR32f,       [SPV_R32I] = SpvImageFormatR32i,
        [SPV_R32UI] = SpvImageFormatR32ui,     [SPV_RGBA32F] = SpvImageFormatRgba32f,
        [SPV_RGBA32I] = SpvImageFormatRgba32i, [SPV_RGBA32UI] = SpvImageFormatRgba32ui,
    };
    if (dim != shapes[f->shape].dim || (arrayed != 0) != shapes[f->shape].arrayed)
        return err_set(why, "image %u:%u is %s, the module has another shape there", b->set, b->binding,
                       spv_image_shape_name(f->shape));
    if (type_letter(spv_def(&m->view, type->v[0])) != spv_texel_type(f->texel) ||
        (format != SpvImageFormatUnknown && format != formats[f->texel]))
        return err_set(why, "image %u:%u is %s, the module has another format there", b->set, b->binding,
                       spv_texel_name(f->texel));
    if (b->count > f->count)
        return err_set(why, "the module names %u images at %u:%u, the case has %u", b->count, b->set, b->binding,
                       f->count);
    return true;
}

static VkImageUsageFlags usage_of(bool storage)
{
    return (storage ? VK_IMAGE_USAGE_STORAGE_BIT : VK_IMAGE_USAGE_SAMPLED_BIT) | VK_IMAGE_USAGE_TRANSFER_DST_BIT |
           VK_IMAGE_USAGE_TRANSFER_SRC_BIT;
}

static bool device_takes(const struct vk_device *d, const struct vk_binding *b, const struct spv_image_form *f,
                         uint32_t levels, bool storage, struct err *why)
{
    if (f->shape == SPV_IMAGE_BUFFER) {
        VkFormatProperties p;
        vkGetPhysicalDeviceFormatProperties(d->physical, format_of(f->texel), &p);
        return (p.bufferFeatures & (storage ? VK_FORMAT_FEATURE_STORAGE_TEXEL_BUFFER_BIT
                                            : VK_FORMAT_FEATURE_UNIFORM_TEXEL_BUFFER_BIT)) ||
               err_set(why, "the device has no texel buffers of %s", spv_texel_name(f->texel));
    }
    VkImageFormatProperties p;
    const VkResult r = vkGetPhysicalDeviceImageFormatProperties(
        d->physical, format_of(f->texel), shapes[f->shape].type, VK_IMAGE_TILING_OPTIMAL, usage_of(storage),
        is_cube(f->shape) ? VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT : 0u, &p);
    return (r == VK_SUCCESS && f->size[0] <= p.maxExtent.width && f->size[1] <= p.maxExtent.height &&
            f->size[2] <= p.maxExtent.depth && levels <= p.maxMipLevels && layers_of(f) <= p.maxArrayLayers) ||
           err_set(why, "the device takes no %s image %u:%u of %s of this size", spv_image_shape_name(f->shape),
                   b->set, b->binding, spv_texel_name(f->texel));
}

static bool binding_fits(const struct vk_device *d, const struct vk_module *m, const struct spv_case *c,
                         const struct vk_binding *b, struct err *why)
{
    const bool image = b->image != 0, storage = b->type == VK_DESCRIPTOR_TYPE_STORAGE_IMAGE ||
                                                b->type == VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER;
    if (storage) {
        const struct spv_buffer *s = storage_at(c, b->set, b->binding);
        if (!s)
            return err_set(why, "the module names storage image %u:%u, the case has none", b->set, b->binding);
        return form_fits(m, b, &s->image, why) && device_takes(d, b, &s->image, 1, true, why);
    }
    if (image) {
        const struct spv_image *i = image_at(c, b->set, b->binding);
        if (!i)
            return err_set(why, "the module names image %u:%u, the case has none", b->set, b->binding);
        if (!form_fits(m, b, &i->form, why) || !device_takes(d, b, &i->form, i->levels, false, why))
            return false;
    }
    if (!image || b->type == VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER) {
        const struct spv_sampler *s = sampler_at(c, b->set, b->binding);
        if (!s || b->count > s->count)
            return err_set(why, "the module names %u samplers at %u:%u, the case has %u", b->count, b->set, b->binding,
                           s ? s->count : 0);
    }
    return true;
}

bool vk_images_fit(const struct vk_device *d, const struct vk_module *m, const struct spv_case *c, struct err *why)
{
    uint32_t images = 0, samplers = 0, storage = 0;
    for (uint32_t i = 0; i < m->binding_count; i++) {
        const struct vk_binding *b = &m->bindings[i];
        if (vk_binding_is_buffer(b))
            continue;
        if (d->isa)
            return err_set(why, "the machine of isa/ has no images");
        if (!binding_fits(d, m, c, b, why))
            return false;
    }
    for (uint32_t i = 0; i < c->image_count; i++)
        images += c->image[i].form.count;
    for (uint32_t i = 0; i < c->sampler_count; i++)
        samplers += c->sampler[i].count;
    for (uint32_t i = 0; i < c->buffer_count; i++)
        storage += c->buffer[i].image.count;
    if (images > d->limits.maxPerStageDescriptorSampledImages || samplers > d->limits.maxPerStageDescriptorSamplers ||
        storage > d->limits.maxPerStageDescriptorStorageImages)
        return err_set(why, "%u images, %u samplers, %u storage images; the device takes %u, %u, %u", images, samplers,
                       storage, d->limits.maxPerStageDescriptorSampledImages, d->limits.maxPerStageDescriptorSamplers,
                       d->limits.maxPerStageDescriptorStorageImages);
    return true;
}

bool vk_binding_is_buffer(const struct vk_binding *b)
{
    return b->type == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER || b->type == VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER;
}

// What a variable of opaque type is; false when it is none that can be bound.
bool vk_image_binding(const struct spv_module *m, const struct spv_inst *type, struct vk_binding *out)
{
    if (type->op == SpvOpTypeSampler) {
        out->type = VK_DESCRIPTOR_TYPE_SAMPLER;
        return true;
    }
    const bool combined = type->op == SpvOpTypeSampledImage;
    if (combined)
        type = spv_def(m, type->v[0]);
    if (!type || type->op != SpvOpTypeImage || type->n < 7 || type->v[4])
        return false;
    const bool texels = type->v[1] == SpvDimBuffer, storage = type->v[5] == 2;
    out->image = type->result;
    out->type = texels ? (storage ? VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER : VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER)
                : combined ? VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER
                : storage  ? VK_DESCRIPTOR_TYPE_STORAGE_IMAGE
                           : VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE;
    return type->v[5] != 0 && !(storage && combined) && type->v[1] <= SpvDimBuffer && type->v[1] != SpvDimRect;
}

// The bindings of the case's images and samplers, behind those of its buffers.
uint32_t vk_image_bindings(const struct spv_case *c, struct vk_binding *out)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < c->image_count; i++) {
        const struct spv_image *s = &c->image[i];
        const bool both = sampler_at(c, s->set, s->binding), texels = s->form.shape == SPV_IMAGE_BUFFER;
        out[n++] = (struct vk_binding){.set = s->set,
                                       .binding = s->binding,
                                       .count = s->form.count,
                                       .type = texels ? VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER
                                               : both ? VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER
                                                      : VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE};
    }
    for (uint32_t i = 0; i < c->sampler_count; i++)
        if (!image_at(c, c->sampler[i].set, c->sampler[i].binding))
            out[n++] = (struct vk_binding){.set = c->sampler[i].set,
                                           .binding = c->sampler[i].binding,
                                           .count = c->sampler[i].count,
                                           .type = VK_DESCRIPTOR_TYPE_SAMPLER};
    return n;
}

bool vk_same_images(const struct spv_case *a, const struct spv_case *b)
{
    struct vk_binding x[2 * SPV_CASE_IMAGES], y[2 * SPV_CASE_IMAGES];
    const uint32_t n = vk_image_bindings(a, x);
    if (n != vk_image_bindings(b, y) || (n && memcmp(x, y, n * sizeof x[0]) != 0))
        return false;
    for (uint32_t i = 0; i < a->buffer_count && i < b->buffer_count; i++)
        if (a->buffer[i].image.count != b->buffer[i].image.count ||
            (a->buffer[i].image.count && a->buffer[i].image.shape != b->buffer[i].image.shape))
            return false;
    return true;
}

VkDescriptorType vk_storage_type(const struct spv_buffer *b)
{
    return b->image.shape == SPV_IMAGE_BUFFER ? VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER
                                              : VK_DESCRIPTOR_TYPE_STORAGE_IMAGE;
}

// ---- making ----------------------------------------------------------------------------------

static void image_free(struct vk_device *d, struct made *m)
{
    if (m->view)
        vkDestroyImageView(d->handle, m->view, NULL);
    if (m->handle)
        vkDestroyImage(d->handle, m->handle, NULL);
    if (m->memory)
        vkFreeMemory(d->handle, m->memory, NULL);
    *m = (struct made){0};
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

static VkResult image_make(struct vk_device *d, struct made *m, const struct spv_image_form *f, uint32_t levels,
                           bool storage)
{
    const bool same = m->handle && m->storage == storage && m->levels == levels && m->form.shape == f->shape &&
                      m->form.texel == f->texel && m->form.layers == f->layers &&
                      memcmp(m->form.size, f->size, sizeof f->size) == 0;
    if (same)
        return VK_SUCCESS;
    image_free(d, m);
    *m = (struct made){.form = *f, .levels = levels, .storage = storage};
    VkImageCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
        .flags = is_cube(f->shape) ? VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT : 0u,
        .imageType = shapes[f->shape].type,
        .format = format_of(f->texel),
        .extent = {f->size[0], f->size[1], f->size[2]},
        .mipLevels = levels,
        .arrayLayers = layers_of(f),
        .samples = VK_SAMPLE_COUNT_1_BIT,
        .tiling = VK_IMAGE_TILING_OPTIMAL,
        .usage = usage_of(storage),
    };
    VkResult r = vkCreateImage(d->handle, &info, NULL, &m->handle);
    if (r != VK_SUCCESS)
        return r;
    VkMemoryRequirements need;
    vkGetImageMemoryRequirements(d->handle, m->handle, &need);
    VkMemoryAllocateInfo memory = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, .allocationSize = need.size};
    while (memory.memoryTypeIndex < d->memory.memoryTypeCount && !(need.memoryTypeBits >> memory.memoryTypeIndex & 1))
        memory.memoryTypeIndex++;
    r = vkAllocateMemory(d->handle, &memory, NULL, &m->memory);
    if (r == VK_SUCCESS)
        r = vkBindImageMemory(d->handle, m->handle, m->memory, 0);
    VkImageViewCreateInfo view = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
        .image = m->handle,
        .viewType = shapes[f->shape].view,
        .format = info.format,
        .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, levels, 0, info.arrayLayers},
    };
    if (r == VK_SUCCESS)
        r = vkCreateImageView(d->handle, &view, NULL, &m->view);
    return r;
}

static VkResult sampler_make(struct vk_device *d, struct made_sampler *m, const struct spv_sampler *s, uint32_t i)
{
    if (m->handle && m->linear == s->linear && memcmp(m->lod, s->lod + 2 * i, sizeof m->lod) == 0)
        return VK_SUCCESS;
    if (m->handle)
        vkDestroySampler(d->handle, m->handle, NULL);
    *m = (struct made_sampler){.linear = s->linear, .lod = {s->lod[2 * i], s->lod[2 * i + 1]}};
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

static uint32_t texel_bytes(const struct spv_image_form *f)
{
    return spv_texel_components(f->texel) * (uint32_t)sizeof(uint32_t);
}

// How many of each the case has; room for them.
static void make_room(struct vk_images *all, const struct spv_case *c)
{
    uint32_t images = 0, samplers = 0, views = 0;
    for (uint32_t i = 0; i < c->image_count; i++)
        *(c->image[i].form.shape == SPV_IMAGE_BUFFER ? &views : &images) += c->image[i].form.count;
    for (uint32_t i = 0; i < c->buffer_count; i++)
        *(c->buffer[i].image.shape == SPV_IMAGE_BUFFER ? &views : &images) += c->buffer[i].image.count;
    for (uint32_t i = 0; i < c->sampler_count; i++)
        samplers += c->sampler[i].count;
#define ROOM(array, room, n)                                                                                           \
    if (all->room < (n)) {                                                                                             \
        all->array = mem_grow(all->array, (n) * sizeof *all->array);                                                   \
        memset(all->array + all->room, 0, ((n) - all->room) * sizeof *all->array);                                     \
        all->room = (n);                                                                                               \
    }
    ROOM(image, image_room, images)
    ROOM(sampler, sampler_room, samplers)
    ROOM(view, view_room, views)
#undef ROOM
}

// Bytes to read a texel of each level of each image, and all of uniform texel buffers.
static VkDeviceSize back_bytes(const struct spv_case *c)
{
    VkDeviceSize n = 0;
    for (uint32_t i = 0; i < c->image_count; i++) {
        const struct spv_image_form *f = &c->image[i].form;
        const VkDeviceSize texels = f->shape == SPV_IMAGE_BUFFER ? (VkDeviceSize)f->size[0] + 63 : c->image[i].levels;
        n += texels * f->count * texel_bytes(f);
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
    const VkResult r = vk_memory_make(d, VK_BUFFER_USAGE_TRANSFER_DST_BIT | VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT,
                                      n, &all->back, &all->back_memory, &map);
    all->back_map = map;
    all->back_size = r == VK_SUCCESS ? n : 0;
    return r;
}

static VkResult view_make(struct vk_device *d, struct vk_images *all, const struct spv_image_form *f, VkBuffer buffer,
                          VkDeviceSize at)
{
    VkBufferViewCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO,
        .buffer = buffer,
        .format = format_of(f->texel),
        .offset = at,
        .range = (VkDeviceSize)f->size[0] * texel_bytes(f),
    };
    const VkResult r = vkCreateBufferView(d->handle, &info, NULL, &all->view[all->views].handle);
    all->views += r == VK_SUCCESS;
    return r;
}

// Of a texel buffer all texels are written here and now, from a multiple of 256 bytes on.
static VkResult texels_make(struct vk_device *d, struct vk_images *all, const struct spv_image *s, VkDeviceSize *at)
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
        *at += (VkDeviceSize)s->form.size[0] * texel_bytes(&s->form);
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
        for (uint32_t k = 0; k < s->form.count && s->form.shape != SPV_IMAGE_BUFFER && r == VK_SUCCESS; k++)
            r = image_make(d, &all->image[all->images++], &s->form, s->levels, false);
    }
    for (uint32_t i = 0; i < c->buffer_count; i++) {
        const struct spv_image_form *f = &c->buffer[i].image;
        const VkDeviceSize each = f->count ? c->buffer[i].count / f->count * sizeof(uint32_t) : 0;
        for (uint32_t k = 0; k < f->count && r == VK_SUCCESS; k++)
            r = f->shape == SPV_IMAGE_BUFFER ? view_make(d, all, f, vk_buffer_handle(d, i), k * each)
                                             : image_make(d, &all->image[all->images++], f, 1, true);
    }
    for (uint32_t i = 0; i < c->sampler_count; i++)
        for (uint32_t k = 0; k < c->sampler[i].count && r == VK_SUCCESS; k++)
            r = sampler_make(d, &all->sampler[all->samplers++], &c->sampler[i], k);
    return r;
}

// ---- binding ---------------------------------------------------------------------------------

static void write_one(struct vk_device *d, const struct vk_binding *b, const struct vk_layout *l, uint32_t k,
                      const VkDescriptorImageInfo *info, const VkBufferView *view)
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

// The samplers at a place, among all; the first of them.
static const struct made_sampler *samplers_of(const struct vk_images *all, const struct spv_case *c, uint32_t set,
                                              uint32_t binding)
{
    const struct made_sampler *at = all->sampler;
    for (uint32_t i = 0; i < c->sampler_count; at += c->sampler[i++].count)
        if (c->sampler[i].set == set && c->sampler[i].binding == binding)
            return at;
    return NULL;
}

void vk_images_bind(struct vk_device *d, const struct spv_case *c, const struct vk_layout *l)
{
    const struct vk_images *all = d->images;
    const struct made *image = all->image;
    const struct texels *view = all->view;
    const struct vk_binding *b = l->binding + c->buffer_count;
    for (uint32_t i = 0; i < c->image_count; i++, b++) {
        const struct made_sampler *s = samplers_of(all, c, b->set, b->binding);
        for (uint32_t k = 0; k < b->count; k++) {
            const bool texels = b->type == VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER;
            VkDescriptorImageInfo info = {s && !texels ? s[k].handle : VK_NULL_HANDLE,
                                          texels ? VK_NULL_HANDLE : image->view, VK_IMAGE_LAYOUT_GENERAL};
            write_one(d, b, l, k, texels ? NULL : &info, texels ? &view->handle : NULL);
            image += !texels;
            view += texels;
        }
    }
    for (uint32_t i = 0; i < c->sampler_count; i++) {
        if (image_at(c, c->sampler[i].set, c->sampler[i].binding))
            continue;
        const struct made_sampler *s = samplers_of(all, c, b->set, b->binding);
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
            write_one(d, &l->binding[i], l, k, texels ? NULL : &info, texels ? &view->handle : NULL);
            image += !texels;
            view += texels;
        }
}

// ---- filling and reading back ------------------------------------------------------------------

static void barrier(struct vk_device *d, VkAccessFlags from, VkAccessFlags to, VkPipelineStageFlags before,
                    VkPipelineStageFlags after)
{
    VkMemoryBarrier b = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER, .srcAccessMask = from, .dstAccessMask = to};
    vkCmdPipelineBarrier(d->command, before, after, 0, 1, &b, 0, NULL, 0, NULL);
}

static void to_general(struct vk_device *d, const struct made *m)
{
    VkImageMemoryBarrier b = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
        .dstAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT,
        .oldLayout = VK_IMAGE_LAYOUT_UNDEFINED,
        .newLayout = VK_IMAGE_LAYOUT_GENERAL,
        .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .image = m->handle,
        .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, m->levels, 0, layers_of(&m->form)},
    };
    vkCmdPipelineBarrier(d->command, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 0, NULL, 0,
                         NULL, 1, &b);
}

static VkBufferImageCopy whole(const struct made *m, VkDeviceSize at)
{
    return (VkBufferImageCopy){
        .bufferOffset = at,
        .imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, layers_of(&m->form)},
        .imageExtent = {m->form.size[0], m->form.size[1], m->form.size[2]},
    };
}

// One texel of a level, in its last layer.
static VkBufferImageCopy a_texel(const struct made *m, uint32_t level, VkDeviceSize at)
{
    return (VkBufferImageCopy){
        .bufferOffset = at,
        .imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, level, layers_of(&m->form) - 1, 1},
        .imageExtent = {1, 1, 1},
    };
}

static void clear_level(struct vk_device *d, const struct made *m, uint32_t level, const uint32_t *value)
{
    VkClearColorValue color = {.uint32 = {0}};
    memcpy(color.uint32, value, texel_bytes(&m->form));
    VkImageSubresourceRange range = {VK_IMAGE_ASPECT_COLOR_BIT, level, 1, 0, layers_of(&m->form)};
    vkCmdClearColorImage(d->command, m->handle, VK_IMAGE_LAYOUT_GENERAL, &color, 1, &range);
}

void vk_images_before(struct vk_device *d, const struct spv_case *c)
{
    struct vk_images *all = d->images;
    const struct made *m = all->image;
    VkDeviceSize at = 0;
    if (!vk_has_images(c))
        return;
    for (uint32_t i = 0; i < all->images; i++)
        to_general(d, &all->image[i]);
    for (uint32_t i = 0; i < c->image_count; i++) {
        const struct spv_image *s = &c->image[i];
        const uint32_t words = spv_texel_components(s->form.texel);
        for (uint32_t k = 0; k < s->form.count && s->form.shape != SPV_IMAGE_BUFFER; k++, m++)
            for (uint32_t level = 0; level < s->levels; level++)
                clear_level(d, m, level, s->values + (k * s->levels + level) * words);
    }
    for (uint32_t i = 0; i < c->buffer_count; i++) {
        const struct spv_image_form *f = &c->buffer[i].image;
        for (uint32_t k = 0; k < f->count && f->shape != SPV_IMAGE_BUFFER; k++, m++) {
            const VkBufferImageCopy copy = whole(m, (VkDeviceSize)k * (c->buffer[i].count / f->count) * sizeof(uint32_t));
            vkCmdCopyBufferToImage(d->command, vk_buffer_handle(d, i), m->handle, VK_IMAGE_LAYOUT_GENERAL, 1, &copy);
        }
    }
    barrier(d, VK_ACCESS_TRANSFER_WRITE_BIT,
            VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT,
            VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT | VK_PIPELINE_STAGE_ALL_COMMANDS_BIT);
    m = all->image;
    for (uint32_t i = 0; i < c->image_count; i++) {
        const struct spv_image *s = &c->image[i];
        for (uint32_t k = 0; k < s->form.count && s->form.shape != SPV_IMAGE_BUFFER; k++, m++)
            for (uint32_t level = 0; level < s->levels; level++, at += texel_bytes(&s->form)) {
                const VkBufferImageCopy copy = a_texel(m, level, at);
                memset(all->back_map + at / sizeof(uint32_t), UNTOLD & 0xff, texel_bytes(&s->form));
                vkCmdCopyImageToBuffer(d->command, m->handle, VK_IMAGE_LAYOUT_GENERAL, all->back, 1, &copy);
            }
    }
}

void vk_images_after(struct vk_device *d, const struct spv_case *c)
{
    const struct made *m = d->images->image;
    if (!vk_has_images(c))
        return;
    barrier(d, VK_ACCESS_SHADER_WRITE_BIT, VK_ACCESS_TRANSFER_READ_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
            VK_PIPELINE_STAGE_TRANSFER_BIT);
    for (uint32_t i = 0; i < c->image_count; i++)
        m += c->image[i].form.shape != SPV_IMAGE_BUFFER ? c->image[i].form.count : 0;
    for (uint32_t i = 0; i < c->buffer_count; i++) {
        const struct spv_image_form *f = &c->buffer[i].image;
        for (uint32_t k = 0; k < f->count && f->shape != SPV_IMAGE_BUFFER; k++, m++) {
            const VkDeviceSize at = c->buffer[i].count + (VkDeviceSize)k * (c->buffer[i].count / f->count);
            const VkBufferImageCopy copy = whole(m, at * sizeof(uint32_t));
            vkCmdCopyImageToBuffer(d->command, m->handle, VK_IMAGE_LAYOUT_GENERAL, vk_buffer_handle(d, i), 1, &copy);
        }
    }
    barrier(d, VK_ACCESS_TRANSFER_WRITE_BIT, VK_ACCESS_HOST_READ_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT,
            VK_PIPELINE_STAGE_HOST_BIT);
}

uint32_t vk_image_halves(const struct spv_buffer *b)
{
    return b->image.count && b->image.shape != SPV_IMAGE_BUFFER ? 2 : 1;
}

uint32_t *vk_image_second(const struct spv_buffer *b, uint32_t *map)
{
    if (vk_image_halves(b) == 1)
        return map;
    for (uint32_t i = 0; i < b->count; i++)
        map[b->count + i] = UNTOLD;
    return map + b->count;
}

bool vk_images_filled(const struct vk_device *d, const struct spv_case *c, struct err *why)
{
    const uint32_t *got = d->images->back_map;
    for (uint32_t i = 0; i < c->image_count; i++) {
        const struct spv_image *s = &c->image[i];
        const uint32_t words = spv_texel_components(s->form.texel);
        for (uint32_t k = 0; k < s->form.count * s->levels && s->form.shape != SPV_IMAGE_BUFFER; k++, got += words)
            if (memcmp(got, s->values + k * words, words * sizeof(uint32_t)) != 0)
                return err_set(why, "image %u:%u was not filled: level %u of descriptor %u holds 0x%x, not 0x%x", s->set,
                               s->binding, k % s->levels, k / s->levels, got[0], s->values[k * words]);
    }
    return true;
}
