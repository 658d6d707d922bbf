// SPDX-License-Identifier: Apache-2.0
//
// Images and samplers of a case (docs/case-format.md): what is bound, and what it holds.
//
// A sampled image has the same value in every texel of a level, so that filtering and addressing
// decide nothing: what a sample gives is the level's value. A storage image is a buffer whose words
// are texels (spv_buffer.image): read, written and compared like every other.
#ifndef TF_SPIRV_IMAGES_H
#define TF_SPIRV_IMAGES_H

#include "base/base.h"

enum spv_image_shape {
    SPV_IMAGE_1D,
    SPV_IMAGE_2D,
    SPV_IMAGE_3D,
    SPV_IMAGE_CUBE,
    SPV_IMAGE_1D_ARRAY,
    SPV_IMAGE_2D_ARRAY,
    SPV_IMAGE_CUBE_ARRAY,
    SPV_IMAGE_BUFFER, // a texel buffer: uniform where it has levels (one), else storage
    SPV_IMAGE_SHAPES
};

enum spv_texel {
    SPV_R32F,
    SPV_R32I,
    SPV_R32UI,
    SPV_RGBA32F,
    SPV_RGBA32I,
    SPV_RGBA32UI,
    SPV_TEXELS
};

// What an image is, whatever it holds.
struct spv_image_form {
    enum spv_image_shape shape;
    uint32_t size[3]; // texels of level 0 along x, y, z; 1 where the shape has no such axis
    uint32_t layers;  // array elements, of a cube array cubes; 1 where it is no array
    enum spv_texel texel;
    uint32_t count; // descriptors at its binding, all of this form; 0: there is no image
};

// A sampled image; with a sampler at the same binding both are one, combined.
struct spv_image {
    uint32_t set, binding;
    struct spv_image_form form;
    uint32_t levels;  // 1 .. spv_image_levels(form)
    uint32_t *values; // [descriptor][level][component]: bits
};

// Samplers at a binding. Always: filters nearest, addresses clamped to the edge, no comparison, no
// anisotropy, normalised coordinates, no bias.
struct spv_sampler {
    uint32_t set, binding;
    uint32_t count; // descriptors
    bool linear;    // between levels; else the nearest
    float *lod;     // [descriptor][2]: minLod, maxLod
};

enum {
    SPV_CASE_IMAGES = 16,      // bindings with sampled images, and as many with samplers
    SPV_CASE_DESCRIPTORS = 64, // of one of these bindings
    SPV_IMAGE_SIZE =
        4096, // along an axis; 256 in three dimensions, 256 layers, 65536 of a texel buffer:
    SPV_IMAGE_DEPTH = 256, // what every Vulkan device has
    SPV_IMAGE_LAYERS = 256,
    SPV_IMAGE_TEXELS = 65536,
};

const char *spv_image_shape_name(enum spv_image_shape s); // "2d", "cube-array"
// Axes that have a size: 1 to 3; of a cube one. Coordinates that select a texel: those, of a cube 3
// (a direction), and one more for the layer.
uint32_t spv_image_axes(enum spv_image_shape s);
bool spv_image_layered(enum spv_image_shape s);
const char *spv_texel_name(enum spv_texel t); // "rgba32f"
uint32_t spv_texel_components(enum spv_texel t);
char spv_texel_type(enum spv_texel t); // 'f', 'i' or 'u': what a sample's components are
// Levels of a whole pyramid.
uint32_t spv_image_levels(const struct spv_image_form *f);
uint32_t spv_image_values(const struct spv_image *x); // words of x->values
// Words of level 0 of all descriptors: for a storage image its buffer's, in the order descriptor,
// layer, face, z, y, x, component.
uint64_t spv_image_words(const struct spv_image_form *f);

#endif
