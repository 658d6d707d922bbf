// SPDX-License-Identifier: Apache-2.0
//
// Fills the images of a case and reads them back.
//
// All texels of a level of a sampled image have the same value, so levels are filled by clearing.
// Before the shader runs, one texel of each level is read back. If an image was not filled, or is
// another case's, the result is not the shader's fault. A storage image goes through its buffer
// (vk_run.c): from the buffer's first half before the dispatch to its second half after it. The
// second half holds other bits until then.
#include "vk_image.h"

#include <string.h>

enum { UNWRITTEN = 0x5a5aa5a5 }; // initial value of the second half

static void barrier(struct vk_device *d, VkAccessFlags from, VkAccessFlags to,
                    VkPipelineStageFlags before, VkPipelineStageFlags after)
{
    VkMemoryBarrier b = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER, .srcAccessMask = from, .dstAccessMask = to};
    vkCmdPipelineBarrier(d->command, before, after, 0, 1, &b, 0, NULL, 0, NULL);
}

static void to_general(struct vk_device *d, const struct vk_made *m)
{
    VkImageMemoryBarrier b = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
        .dstAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT,
        .oldLayout = VK_IMAGE_LAYOUT_UNDEFINED,
        .newLayout = VK_IMAGE_LAYOUT_GENERAL,
        .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .image = m->handle,
        .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, m->levels, 0, vk_image_layers(&m->form)},
    };
    vkCmdPipelineBarrier(d->command, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT,
                         VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 0, NULL, 0, NULL, 1, &b);
}

static VkBufferImageCopy whole(const struct vk_made *m, VkDeviceSize at)
{
    return (VkBufferImageCopy){
        .bufferOffset = at,
        .imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, vk_image_layers(&m->form)},
        .imageExtent = {m->form.size[0], m->form.size[1], m->form.size[2]},
    };
}

// One texel of a level, in the last layer.
static VkBufferImageCopy a_texel(const struct vk_made *m, uint32_t level, VkDeviceSize at)
{
    return (VkBufferImageCopy){
        .bufferOffset = at,
        .imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, level, vk_image_layers(&m->form) - 1, 1},
        .imageExtent = {1, 1, 1},
    };
}

static void clear_level(struct vk_device *d, const struct vk_made *m, uint32_t level,
                        const uint32_t *value)
{
    VkClearColorValue color = {.uint32 = {0}};
    memcpy(color.uint32, value, vk_texel_bytes(&m->form));
    VkImageSubresourceRange range = {VK_IMAGE_ASPECT_COLOR_BIT, level, 1, 0,
                                     vk_image_layers(&m->form)};
    vkCmdClearColorImage(d->command, m->handle, VK_IMAGE_LAYOUT_GENERAL, &color, 1, &range);
}

void vk_images_before(struct vk_device *d, const struct spv_case *c)
{
    struct vk_images *all = d->images;
    const struct vk_made *m = all->image;
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
            const VkBufferImageCopy copy =
                whole(m, (VkDeviceSize)k * (c->buffer[i].count / f->count) * sizeof(uint32_t));
            vkCmdCopyBufferToImage(d->command, vk_buffer_handle(d, i), m->handle,
                                   VK_IMAGE_LAYOUT_GENERAL, 1, &copy);
        }
    }
    barrier(d, VK_ACCESS_TRANSFER_WRITE_BIT,
            VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT,
            VK_PIPELINE_STAGE_TRANSFER_BIT,
            VK_PIPELINE_STAGE_TRANSFER_BIT | VK_PIPELINE_STAGE_ALL_COMMANDS_BIT);
    m = all->image;
    for (uint32_t i = 0; i < c->image_count; i++) {
        const struct spv_image *s = &c->image[i];
        for (uint32_t k = 0; k < s->form.count && s->form.shape != SPV_IMAGE_BUFFER; k++, m++)
            for (uint32_t level = 0; level < s->levels; level++, at += vk_texel_bytes(&s->form)) {
                const VkBufferImageCopy copy = a_texel(m, level, at);
                memset(all->back_map + at / sizeof(uint32_t), UNWRITTEN & 0xff,
                       vk_texel_bytes(&s->form));
                vkCmdCopyImageToBuffer(d->command, m->handle, VK_IMAGE_LAYOUT_GENERAL, all->back, 1,
                                       &copy);
            }
    }
}

void vk_images_after(struct vk_device *d, const struct spv_case *c)
{
    const struct vk_made *m = d->images->image;
    if (!vk_has_images(c))
        return;
    barrier(d, VK_ACCESS_SHADER_WRITE_BIT, VK_ACCESS_TRANSFER_READ_BIT,
            VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT);
    for (uint32_t i = 0; i < c->image_count; i++)
        m += c->image[i].form.shape != SPV_IMAGE_BUFFER ? c->image[i].form.count : 0;
    for (uint32_t i = 0; i < c->buffer_count; i++) {
        const struct spv_image_form *f = &c->buffer[i].image;
        for (uint32_t k = 0; k < f->count && f->shape != SPV_IMAGE_BUFFER; k++, m++) {
            const VkDeviceSize at =
                c->buffer[i].count + (VkDeviceSize)k * (c->buffer[i].count / f->count);
            const VkBufferImageCopy copy = whole(m, at * sizeof(uint32_t));
            vkCmdCopyImageToBuffer(d->command, m->handle, VK_IMAGE_LAYOUT_GENERAL,
                                   vk_buffer_handle(d, i), 1, &copy);
        }
    }
    barrier(d, VK_ACCESS_TRANSFER_WRITE_BIT, VK_ACCESS_HOST_READ_BIT,
            VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_HOST_BIT);
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
        map[b->count + i] = UNWRITTEN;
    return map + b->count;
}

bool vk_images_filled(const struct vk_device *d, const struct spv_case *c, struct err *why)
{
    const uint32_t *got = d->images->back_map;
    for (uint32_t i = 0; i < c->image_count; i++) {
        const struct spv_image *s = &c->image[i];
        const uint32_t words = spv_texel_components(s->form.texel);
        for (uint32_t k = 0; k < s->form.count * s->levels && s->form.shape != SPV_IMAGE_BUFFER;
             k++, got += words)
            if (memcmp(got, s->values + k * words, words * sizeof(uint32_t)) != 0)
                return err_set(
                    why,
                    "image %u:%u was not filled: level %u of descriptor %u holds 0x%x, not 0x%x",
                    s->set, s->binding, k % s->levels, k / s->levels, got[0], s->values[k * words]);
    }
    return true;
}
