// SPDX-License-Identifier: Apache-2.0
//
// Shared by the three image files. Private to runners/.
#ifndef TF_RUNNERS_VK_IMAGE_H
#define TF_RUNNERS_VK_IMAGE_H

#include "vk.h"

struct vk_made { // an image
    VkImage handle;
    VkDeviceMemory memory;
    VkImageView view;
    struct spv_image_form form;
    uint32_t levels;
    bool storage;
};
struct vk_made_sampler {
    VkSampler handle;
    bool linear;
    float lod[2];
};
struct vk_texels { // a view of a texel buffer
    VkBufferView handle;
};

// Reused from case to case, in the order of descriptors.
struct vk_images {
    struct vk_made *image;
    uint32_t images, image_room;
    struct vk_made_sampler *sampler;
    uint32_t samplers, sampler_room;
    struct vk_texels *view;
    uint32_t views, view_room;
    VkBuffer back; // one texel of each level, read back
    VkDeviceMemory back_memory;
    uint32_t *back_map;
    VkDeviceSize back_size;
};

struct vk_image_kind { // of enum spv_image_shape
    VkImageType type;
    VkImageViewType view;
    uint32_t dim; // SpvDim
    bool arrayed;
};
extern const struct vk_image_kind vk_image_shapes[SPV_IMAGE_SHAPES];

bool vk_image_is_cube(enum spv_image_shape s);
uint32_t vk_image_layers(const struct spv_image_form *f); // counts faces
VkFormat vk_image_format(enum spv_texel t);
VkImageUsageFlags vk_image_usage(bool storage);
uint32_t vk_texel_bytes(const struct spv_image_form *f); // of one texel

#endif
