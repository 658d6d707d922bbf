// SPDX-License-Identifier: Apache-2.0
//
// Descriptors of images and samplers. Binds a variable to the image, buffer or sampler that the
// case has for its binding, and checks that its form matches the variable's type.
#include "dispatch.h"

// Returns the shape that a type requires of an image.
static enum spv_image_shape shape_of(const struct image_type *t)
{
    switch (t->dim) {
    case SpvDim1D:
        return t->arrayed ? SPV_IMAGE_1D_ARRAY : SPV_IMAGE_1D;
    case SpvDim2D:
        if (t->multisampled)
            return t->arrayed ? SPV_IMAGE_2D_MS_ARRAY : SPV_IMAGE_2D_MS;
        return t->arrayed ? SPV_IMAGE_2D_ARRAY : SPV_IMAGE_2D;
    case SpvDim3D:
        return SPV_IMAGE_3D;
    case SpvDimCube:
        return t->arrayed ? SPV_IMAGE_CUBE_ARRAY : SPV_IMAGE_CUBE;
    case SpvDimBuffer:
        return SPV_IMAGE_BUFFER;
    default:
        return SPV_IMAGE_SHAPES;
    }
}

// Returns the case's texel format for the format of a storage image's type; SPV_TEXELS for Unknown
// (any format) or a format that a case cannot have.
static enum spv_texel texel_of(uint32_t format)
{
    switch (format) {
    case SpvImageFormatR32f:
        return SPV_R32F;
    case SpvImageFormatR32i:
        return SPV_R32I;
    case SpvImageFormatR32ui:
        return SPV_R32UI;
    case SpvImageFormatRgba32f:
        return SPV_RGBA32F;
    case SpvImageFormatRgba32i:
        return SPV_RGBA32I;
    case SpvImageFormatRgba32ui:
        return SPV_RGBA32UI;
    default:
        return SPV_TEXELS;
    }
}

static bool form_fits(const struct run *run, const struct object *o, const struct spv_image_form *f)
{
    const struct image_type *t = o->image;
    const enum spv_image_shape shape = shape_of(t);
    if (shape == SPV_IMAGE_SHAPES || !t->texel)
        return run_fail(run, RAN_UNSUPPORTED,
                        "variable %%%u is a rectangle, an input attachment or an image whose "
                        "components are not of 32 bits",
                        o->id);
    if (f->shape != shape)
        return run_fail(
            run, RAN_INVALID, "variable %%%u is of a %s image, the case has a %s one at %u:%u",
            o->id, spv_image_shape_name(shape), spv_image_shape_name(f->shape), o->set, o->binding);
    if (spv_texel_type(f->texel) != t->texel)
        return run_fail(
            run, RAN_INVALID,
            "variable %%%u is of an image of another type than %s, which the case has at %u:%u",
            o->id, spv_texel_name(f->texel), o->set, o->binding);
    const enum spv_texel texel = texel_of(t->format);
    if (run->p->assumed || !t->storage || t->format == SpvImageFormatUnknown || texel == f->texel)
        return true;
    if (texel == SPV_TEXELS)
        return run_fail(run, RAN_UNSUPPORTED,
                        "variable %%%u is an image whose format a case cannot have", o->id);
    return run_fail(run, RAN_INVALID,
                    "variable %%%u is of a %s image, the case has a %s one at %u:%u", o->id,
                    spv_texel_name(texel), spv_texel_name(f->texel), o->set, o->binding);
}

bool bind_descriptors(struct run *run, uint32_t object)
{
    const struct object *o = &run->p->objects[object];
    const struct spv_case *c = run->c;
    struct buffer_state *b = &run->buffers[object];
    const bool storage = o->image && o->image->storage;
    const struct spv_buffer *stored = storage ? spv_buffer_at(c, o->set, o->binding) : NULL;
    const struct spv_image *image =
        o->image && !storage ? spv_image_at(c, o->set, o->binding) : NULL;
    const struct spv_sampler *sampler = o->samples ? spv_sampler_at(c, o->set, o->binding) : NULL;
    if (stored && stored->image.count)
        b->form = &stored->image;
    if (image)
        b->image = image, b->form = &image->form;
    if (sampler)
        b->sampler = sampler;
    if (o->image && !b->form)
        return run_fail(run, RAN_INVALID,
                        "variable %%%u is bound to %u:%u, for which the case has no %s image",
                        o->id, o->set, o->binding, storage ? "storage" : "sampled");
    if (o->samples && !b->sampler)
        return run_fail(run, RAN_INVALID,
                        "variable %%%u is bound to %u:%u, for which the case has no sampler", o->id,
                        o->set, o->binding);
    b->descriptors = o->image ? b->form->count : b->sampler->count;
    if (o->samples && b->sampler->count < b->descriptors)
        b->descriptors = b->sampler->count;
    if (o->descriptors != NONE && o->descriptors > b->descriptors)
        return run_fail(run, RAN_INVALID,
                        "variable %%%u has %u descriptors, the case has %u at %u:%u", o->id,
                        o->descriptors, b->descriptors, o->set, o->binding);
    return !o->image || form_fits(run, o, b->form);
}
