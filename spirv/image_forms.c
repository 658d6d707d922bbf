// SPDX-License-Identifier: Apache-2.0
//
// The shapes and formats of images, and how many words they hold.
#include "case_inner.h"

static const struct {
    const char *name;
    uint32_t axes;
    bool layered;
} shapes[SPV_IMAGE_SHAPES] = {
    [SPV_IMAGE_1D] = {"1d", 1, false},
    [SPV_IMAGE_2D] = {"2d", 2, false},
    [SPV_IMAGE_3D] = {"3d", 3, false},
    [SPV_IMAGE_CUBE] = {"cube", 1, false},
    [SPV_IMAGE_1D_ARRAY] = {"1d-array", 1, true},
    [SPV_IMAGE_2D_ARRAY] = {"2d-array", 2, true},
    [SPV_IMAGE_CUBE_ARRAY] = {"cube-array", 1, true},
    [SPV_IMAGE_BUFFER] = {"texels", 1, false},
    [SPV_IMAGE_2D_MS] = {"2d-ms", 2, false},
    [SPV_IMAGE_2D_MS_ARRAY] = {"2d-ms-array", 2, true},
};

static const struct {
    const char *name;
    uint32_t components;
    const char *type; // value type, in the syntax of `spec`
} texels[SPV_TEXELS] = {
    [SPV_R32F] = {"r32f", 1, "f32"},       [SPV_R32I] = {"r32i", 1, "i32"},
    [SPV_R32UI] = {"r32ui", 1, "u32"},     [SPV_RGBA32F] = {"rgba32f", 4, "f32"},
    [SPV_RGBA32I] = {"rgba32i", 4, "i32"}, [SPV_RGBA32UI] = {"rgba32ui", 4, "u32"},
};

const char *spv_image_shape_name(enum spv_image_shape s)
{
    CHECK((unsigned)s < SPV_IMAGE_SHAPES);
    return shapes[s].name;
}

uint32_t spv_image_axes(enum spv_image_shape s)
{
    CHECK((unsigned)s < SPV_IMAGE_SHAPES);
    return shapes[s].axes;
}

bool spv_image_layered(enum spv_image_shape s)
{
    CHECK((unsigned)s < SPV_IMAGE_SHAPES);
    return shapes[s].layered;
}

uint32_t spv_image_samples(enum spv_image_shape s)
{
    return s == SPV_IMAGE_2D_MS || s == SPV_IMAGE_2D_MS_ARRAY ? SPV_IMAGE_SAMPLES : 1;
}

const char *spv_texel_name(enum spv_texel t)
{
    CHECK((unsigned)t < SPV_TEXELS);
    return texels[t].name;
}

uint32_t spv_texel_components(enum spv_texel t)
{
    CHECK((unsigned)t < SPV_TEXELS);
    return texels[t].components;
}

char spv_texel_type(enum spv_texel t)
{
    CHECK((unsigned)t < SPV_TEXELS);
    return texels[t].type[0];
}

const char *texel_value_type(enum spv_texel t)
{
    CHECK((unsigned)t < SPV_TEXELS);
    return texels[t].type;
}

bool image_is_cube(enum spv_image_shape s)
{
    return s == SPV_IMAGE_CUBE || s == SPV_IMAGE_CUBE_ARRAY;
}

uint32_t spv_image_levels(const struct spv_image_form *f)
{
    uint32_t most = 1, n = 1;
    for (int i = 0; i < 3; i++)
        most = f->size[i] > most ? f->size[i] : most;
    if (f->shape == SPV_IMAGE_BUFFER || spv_image_samples(f->shape) > 1)
        return 1;
    for (; most > 1; most /= 2)
        n++;
    return n;
}

static uint64_t texels_of(const struct spv_image_form *f)
{
    return (uint64_t)f->size[0] * f->size[1] * f->size[2] * f->layers *
           (image_is_cube(f->shape) ? 6 : 1) * spv_image_samples(f->shape);
}

uint64_t spv_image_words(const struct spv_image_form *f)
{
    return texels_of(f) * spv_texel_components(f->texel) * f->count;
}

uint32_t spv_image_values(const struct spv_image *x)
{
    return x->form.count * x->levels * spv_texel_components(x->form.texel);
}
