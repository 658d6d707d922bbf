// SPDX-License-Identifier: Apache-2.0
//
// Images and samplers of a case: checks whether the device supports them, and matches the module's
// bindings with the case's. vk_image_make.c creates them; vk_image_fill.c fills them and reads them
// back.
#include "vk_image.h"

#include <string.h>

bool vk_image_is_cube(enum spv_image_shape s)
{
    return s == SPV_IMAGE_CUBE || s == SPV_IMAGE_CUBE_ARRAY;
}

uint32_t vk_image_layers(const struct spv_image_form *f)
{
    return f->layers * (vk_image_is_cube(f->shape) ? 6 : 1);
}

VkFormat vk_image_format(enum spv_texel t)
{
    static const VkFormat formats[SPV_TEXELS] = {
        [SPV_R32F] = VK_FORMAT_R32_SFLOAT,
        [SPV_R32I] = VK_FORMAT_R32_SINT,
        [SPV_R32UI] = VK_FORMAT_R32_UINT,
        [SPV_RGBA32F] = VK_FORMAT_R32G32B32A32_SFLOAT,
        [SPV_RGBA32I] = VK_FORMAT_R32G32B32A32_SINT,
        [SPV_RGBA32UI] = VK_FORMAT_R32G32B32A32_UINT,
    };
    return formats[t];
}

const struct vk_image_kind vk_image_shapes[SPV_IMAGE_SHAPES] = {
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

// ---- the module's bindings and the case's -------------------------------------------------

static const struct spv_buffer *storage_at(const struct spv_case *c, uint32_t set, uint32_t binding)
{
    const struct spv_buffer *b = spv_buffer_at(c, set, binding);
    return b && b->image.count ? b : NULL;
}

static char type_letter(const struct spv_inst *type)
{
    return !type || type->op == SpvOpTypeFloat                     ? 'f'
           : type->op == SpvOpTypeInt && type->n > 1 && type->v[1] ? 'i'
                                                                   : 'u';
}

// Checks OpTypeImage against the bound image.
static bool form_fits(const struct vk_module *m, const struct vk_binding *b,
                      const struct spv_image_form *f, struct err *why)
{
    const struct spv_inst *type = spv_def(&m->view, b->image);
    const uint32_t dim = type->v[1], arrayed = type->v[3], format = type->v[6];
    static const uint32_t formats[SPV_TEXELS] = {
        [SPV_R32F] = SpvImageFormatR32f,       [SPV_R32I] = SpvImageFormatR32i,
        [SPV_R32UI] = SpvImageFormatR32ui,     [SPV_RGBA32F] = SpvImageFormatRgba32f,
        [SPV_RGBA32I] = SpvImageFormatRgba32i, [SPV_RGBA32UI] = SpvImageFormatRgba32ui,
    };
    if (spv_image_samples(f->shape) > 1)
        return err_set(why, "image %u:%u is %s: images of several samples are not run on devices",
                       b->set, b->binding, spv_image_shape_name(f->shape));
    if (dim != vk_image_shapes[f->shape].dim || (arrayed != 0) != vk_image_shapes[f->shape].arrayed)
        return err_set(why, "image %u:%u is %s, but the module declares another shape", b->set,
                       b->binding, spv_image_shape_name(f->shape));
    if (type_letter(spv_def(&m->view, type->v[0])) != spv_texel_type(f->texel) ||
        (format != SpvImageFormatUnknown && format != formats[f->texel]))
        return err_set(why, "image %u:%u is %s, but the module declares another format", b->set,
                       b->binding, spv_texel_name(f->texel));
    if (b->count > f->count)
        return err_set(why, "the module declares %u images at %u:%u, the case has %u", b->count,
                       b->set, b->binding, f->count);
    return true;
}

uint32_t vk_texel_bytes(const struct spv_image_form *f)
{
    return spv_texel_components(f->texel) * (uint32_t)sizeof(uint32_t);
}

VkImageUsageFlags vk_image_usage(bool storage)
{
    return (storage ? VK_IMAGE_USAGE_STORAGE_BIT : VK_IMAGE_USAGE_SAMPLED_BIT) |
           VK_IMAGE_USAGE_TRANSFER_DST_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT;
}

static bool device_takes(const struct vk_device *d, const struct vk_binding *b,
                         const struct spv_image_form *f, uint32_t levels, bool storage,
                         struct err *why)
{
    if (f->shape == SPV_IMAGE_BUFFER) {
        VkFormatProperties p;
        vkGetPhysicalDeviceFormatProperties(d->physical, vk_image_format(f->texel), &p);
        return (p.bufferFeatures & (storage ? VK_FORMAT_FEATURE_STORAGE_TEXEL_BUFFER_BIT
                                            : VK_FORMAT_FEATURE_UNIFORM_TEXEL_BUFFER_BIT)) ||
               err_set(why, "the device does not support texel buffers of %s",
                       spv_texel_name(f->texel));
    }
    VkImageFormatProperties p;
    const VkResult r = vkGetPhysicalDeviceImageFormatProperties(
        d->physical, vk_image_format(f->texel), vk_image_shapes[f->shape].type,
        VK_IMAGE_TILING_OPTIMAL, vk_image_usage(storage),
        vk_image_is_cube(f->shape) ? VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT : 0u, &p);
    return (r == VK_SUCCESS && f->size[0] <= p.maxExtent.width &&
            f->size[1] <= p.maxExtent.height && f->size[2] <= p.maxExtent.depth &&
            levels <= p.maxMipLevels && vk_image_layers(f) <= p.maxArrayLayers) ||
           err_set(why, "the device does not support %s image %u:%u of %s in this size",
                   spv_image_shape_name(f->shape), b->set, b->binding, spv_texel_name(f->texel));
}

static bool binding_fits(const struct vk_device *d, const struct vk_module *m,
                         const struct spv_case *c, const struct vk_binding *b, struct err *why)
{
    const bool image = b->image != 0, storage = b->type == VK_DESCRIPTOR_TYPE_STORAGE_IMAGE ||
                                                b->type == VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER;
    if (storage) {
        const struct spv_buffer *s = storage_at(c, b->set, b->binding);
        if (!s)
            return err_set(why, "the module declares storage image %u:%u, which the case lacks",
                           b->set, b->binding);
        return form_fits(m, b, &s->image, why) && device_takes(d, b, &s->image, 1, true, why);
    }
    if (image) {
        const struct spv_image *i = spv_image_at(c, b->set, b->binding);
        if (!i)
            return err_set(why, "the module declares image %u:%u, which the case lacks", b->set,
                           b->binding);
        if (!form_fits(m, b, &i->form, why) || !device_takes(d, b, &i->form, i->levels, false, why))
            return false;
    }
    if (!image || b->type == VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER) {
        const struct spv_sampler *s = spv_sampler_at(c, b->set, b->binding);
        if (!s || b->count > s->count)
            return err_set(why, "the module declares %u samplers at %u:%u, the case has %u",
                           b->count, b->set, b->binding, s ? s->count : 0);
    }
    return true;
}

bool vk_images_fit(const struct vk_device *d, const struct vk_module *m, const struct spv_case *c,
                   struct err *why)
{
    uint32_t images = 0, samplers = 0, storage = 0;
    for (uint32_t i = 0; i < m->binding_count; i++) {
        const struct vk_binding *b = &m->bindings[i];
        if (vk_binding_is_buffer(b))
            continue;
        if (d->isa)
            return err_set(why, "running machine code with images is not supported");
        if (!binding_fits(d, m, c, b, why))
            return false;
    }
    for (uint32_t i = 0; i < c->image_count; i++)
        images += c->image[i].form.count;
    for (uint32_t i = 0; i < c->sampler_count; i++)
        samplers += c->sampler[i].count;
    for (uint32_t i = 0; i < c->buffer_count; i++)
        storage += c->buffer[i].image.count;
    if (images > d->limits.maxPerStageDescriptorSampledImages ||
        samplers > d->limits.maxPerStageDescriptorSamplers ||
        storage > d->limits.maxPerStageDescriptorStorageImages)
        return err_set(
            why, "%u images, %u samplers, %u storage images; the device supports %u, %u, %u",
            images, samplers, storage, d->limits.maxPerStageDescriptorSampledImages,
            d->limits.maxPerStageDescriptorSamplers, d->limits.maxPerStageDescriptorStorageImages);
    return true;
}

bool vk_binding_is_buffer(const struct vk_binding *b)
{
    return b->type == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER ||
           b->type == VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER;
}

bool vk_image_binding(const struct spv_module *m, const struct spv_inst *type,
                      struct vk_binding *out)
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
    out->type = texels     ? (storage ? VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER
                                      : VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER)
                : combined ? VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER
                : storage  ? VK_DESCRIPTOR_TYPE_STORAGE_IMAGE
                           : VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE;
    return type->v[5] != 0 && !(storage && combined) && type->v[1] <= SpvDimBuffer &&
           type->v[1] != SpvDimRect;
}

uint32_t vk_image_bindings(const struct spv_case *c, struct vk_binding *out)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < c->image_count; i++) {
        const struct spv_image *s = &c->image[i];
        const bool both = spv_sampler_at(c, s->set, s->binding),
                   texels = s->form.shape == SPV_IMAGE_BUFFER;
        out[n++] = (struct vk_binding){.set = s->set,
                                       .binding = s->binding,
                                       .count = s->form.count,
                                       .type = texels ? VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER
                                               : both ? VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER
                                                      : VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE};
    }
    for (uint32_t i = 0; i < c->sampler_count; i++)
        if (!spv_image_at(c, c->sampler[i].set, c->sampler[i].binding))
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
