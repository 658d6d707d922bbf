// SPDX-License-Identifier: Apache-2.0
//
// Images and samplers of a case (docs/case-format.md): their bindings and contents.
//
// All texels of a level of a sampled image have the same value, so filtering and addressing do not
// affect the result: a sample returns the level's value. A storage image is a buffer whose words
// are texels (spv_buffer.image). It is read, written and compared like any other buffer.
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
    SPV_IMAGE_BUFFER, // texel buffer: uniform if it has levels (one), else storage
    SPV_IMAGE_2D_MS,  // SPV_IMAGE_SAMPLES samples; only the oracle runs it
    SPV_IMAGE_2D_MS_ARRAY,
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

// The form of an image, without its contents.
struct spv_image_form {
    enum spv_image_shape shape;
    uint32_t size[3]; // texels of level 0 along x, y, z; 1 for axes that the shape does not have
    uint32_t layers;  // array elements; for a cube array, cubes; 1 if not an array
    enum spv_texel texel;
    uint32_t count; // descriptors at its binding, all of this form; 0: no image
};

// A sampled image. With a sampler at the same binding it is a combined image sampler.
struct spv_image {
    uint32_t set, binding;
    struct spv_image_form form;
    uint32_t levels;  // 1 .. spv_image_levels(form)
    uint32_t *values; // [descriptor][level][component]: raw bits
};

// Samplers at a binding. They all have nearest filters, clamp to edge, normalised coordinates, and
// no comparison, anisotropy or bias.
struct spv_sampler {
    uint32_t set, binding;
    uint32_t count; // descriptors
    bool linear;    // linear between levels; else nearest
    float *lod;     // [descriptor][2]: minLod, maxLod
};

enum {
    SPV_CASE_IMAGES = 32, // bindings with sampled images; the same limit for bindings with samplers
    SPV_CASE_DESCRIPTORS = 64, // at one such binding
    SPV_IMAGE_SIZE = 4096,     // along an axis; these four are what every Vulkan device has
    SPV_IMAGE_DEPTH = 256,     // along an axis in three dimensions
    SPV_IMAGE_LAYERS = 256,
    SPV_IMAGE_TEXELS = 65536,
    SPV_IMAGE_SAMPLES = 4, // of a texel of an image of several samples
};

const char *spv_image_shape_name(enum spv_image_shape s); // "2d", "cube-array"
// Returns the number of axes with a size: 1 to 3; 1 for a cube. A texel is selected by as many
// coordinates (3 for a cube: a direction), and by one more for the layer.
uint32_t spv_image_axes(enum spv_image_shape s);
bool spv_image_layered(enum spv_image_shape s); // true for array shapes
uint32_t spv_image_samples(enum spv_image_shape s);
const char *spv_texel_name(enum spv_texel t); // "rgba32f"
uint32_t spv_texel_components(enum spv_texel t);
char spv_texel_type(enum spv_texel t); // 'f', 'i' or 'u': type of a sample's components
// Number of levels of a full mipmap pyramid.
uint32_t spv_image_levels(const struct spv_image_form *f);
uint32_t spv_image_values(const struct spv_image *x); // words of x->values
// Words of level 0 of all descriptors. A storage image has its buffer's words in the order
// descriptor, layer, face, z, y, x, sample, component.
uint64_t spv_image_words(const struct spv_image_form *f);

#endif
