// SPDX-License-Identifier: Apache-2.0
//
// Invents images and samplers that a module does not bring. Each sampled image has one value in all
// texels; storage images are filled like buffers. Their size allows one texel per invocation of the
// dispatch.
#include "portable_inner.h"

#include <string.h>

enum { LEAST = 64, MOST = 1024, LAYERS = 2, CUBES = 1, ENDLESS = 8, WORDS_MAX = 1 << 21 };

// The shape of an OpTypeImage; SPV_IMAGE_SHAPES if a case cannot hold that shape.
static enum spv_image_shape shape_of(const struct spv_inst *t)
{
    const bool many = t->v[3] != 0;
    if (t->v[4])
        return t->v[1] != SpvDim2D ? SPV_IMAGE_SHAPES
               : many              ? SPV_IMAGE_2D_MS_ARRAY
                                   : SPV_IMAGE_2D_MS;
    switch (t->v[1]) {
    case SpvDim1D:
        return many ? SPV_IMAGE_1D_ARRAY : SPV_IMAGE_1D;
    case SpvDim2D:
        return many ? SPV_IMAGE_2D_ARRAY : SPV_IMAGE_2D;
    case SpvDim3D:
        return SPV_IMAGE_3D;
    case SpvDimCube:
        return many ? SPV_IMAGE_CUBE_ARRAY : SPV_IMAGE_CUBE;
    case SpvDimBuffer:
        return SPV_IMAGE_BUFFER;
    default:
        return SPV_IMAGE_SHAPES;
    }
}

static bool one_component(uint32_t format)
{
    switch (format) {
    case SpvImageFormatR32f:
    case SpvImageFormatR16f:
    case SpvImageFormatR16:
    case SpvImageFormatR8:
    case SpvImageFormatR16Snorm:
    case SpvImageFormatR8Snorm:
    case SpvImageFormatR32i:
    case SpvImageFormatR16i:
    case SpvImageFormatR8i:
    case SpvImageFormatR32ui:
    case SpvImageFormatR16ui:
    case SpvImageFormatR8ui:
        return true;
    default:
        return false;
    }
}

// True if some write to the variable's image has fewer than four components: an image whose format
// is unknown or has two must not have four then.
static bool writes_fewer(const struct spv_module *m, uint32_t variable)
{
    for (uint32_t k = 0; k < m->inst_count; k++) {
        const struct spv_inst *s = &m->insts[k];
        const struct spv_inst *image = s->op == SpvOpImageWrite ? spv_def(m, s->v[0]) : NULL,
                              *texel = image ? spv_def(m, s->v[2]) : NULL,
                              *type = texel ? spv_def(m, texel->type) : NULL;
        if (image && image->op == SpvOpLoad && por_root(m, image->v[0]) == variable && type &&
            (type->op != SpvOpTypeVector || type->v[1] < 4))
            return true;
    }
    return false;
}

// Chooses the texel format by the sampled type and the number of components in the type's format.
// False: components do not have 32 bits.
static bool texel_of(const struct por_maker *w, const struct spv_inst *t, enum spv_texel *out)
{
    const struct spv_inst *e = spv_def(w->m, t->v[0]);
    const bool one = one_component(t->v[6]) || writes_fewer(w->m, w->variable);
    if (!e || !e->n || e->v[0] != 32 || (e->op != SpvOpTypeFloat && e->op != SpvOpTypeInt))
        return false;
    *out = e->op == SpvOpTypeFloat    ? one ? SPV_R32F : SPV_RGBA32F
           : e->n > 1 && e->v[1] != 0 ? one ? SPV_R32I : SPV_RGBA32I
           : one                      ? SPV_R32UI
                                      : SPV_RGBA32UI;
    return true;
}

// Texels along an axis: one per invocation, within limits.
static uint32_t side(const struct por_maker *w, const struct spv_case *c, int axis)
{
    uint32_t size[3] = {1, 1, 1};
    if (!spv_local_size(c, w->m, size, NULL))
        return LEAST;
    const uint64_t n = (uint64_t)size[axis] * c->groups[axis];
    return n < LEAST ? LEAST : n > MOST ? MOST : (uint32_t)n;
}

// Draws a small number; floats are multiples of 1/8.
static uint32_t number(struct rng *r, char type, uint64_t seed)
{
    const int n = seed ? (int)(rng_next(r) >> 20 & 15) : 0;
    const float f = (float)(n ? n : 1) / 8;
    uint32_t bits = (uint32_t)n;
    if (type == 'f' && seed)
        memcpy(&bits, &f, sizeof bits);
    return bits;
}

static struct spv_image_form form_of(const struct por_maker *w, const struct spv_case *c,
                                     enum spv_image_shape shape, enum spv_texel texel,
                                     uint32_t count)
{
    struct spv_image_form f = {
        .shape = shape, .size = {1, 1, 1}, .layers = 1, .texel = texel, .count = count};
    for (uint32_t k = 0; k < spv_image_axes(shape); k++)
        f.size[k] = shape == SPV_IMAGE_3D ? LEAST : side(w, c, (int)k);
    if (shape == SPV_IMAGE_CUBE || shape == SPV_IMAGE_CUBE_ARRAY)
        f.size[1] = f.size[0];
    if (spv_image_layered(shape))
        f.layers = shape == SPV_IMAGE_CUBE_ARRAY ? CUBES : LAYERS;
    while (spv_image_words(&f) > WORDS_MAX && (f.size[0] > LEAST || f.size[1] > LEAST))
        f.size[f.size[1] > f.size[0]] /= 2;
    return f;
}

// The format that the module declares, as in GLSL; NULL: none.
static const char *declared(const struct spv_inst *type)
{
    static const char *const names[] = {
        [SpvImageFormatRgba32f] = "rgba32f",
        [SpvImageFormatRgba16f] = "rgba16f",
        [SpvImageFormatR32f] = "r32f",
        [SpvImageFormatRgba8] = "rgba8",
        [SpvImageFormatRgba8Snorm] = "rgba8_snorm",
        [SpvImageFormatRg32f] = "rg32f",
        [SpvImageFormatRg16f] = "rg16f",
        [SpvImageFormatR11fG11fB10f] = "r11f_g11f_b10f",
        [SpvImageFormatR16f] = "r16f",
        [SpvImageFormatRgba16] = "rgba16",
        [SpvImageFormatRgb10A2] = "rgb10_a2",
        [SpvImageFormatRg16] = "rg16",
        [SpvImageFormatRg8] = "rg8",
        [SpvImageFormatR16] = "r16",
        [SpvImageFormatR8] = "r8",
        [SpvImageFormatRgba16Snorm] = "rgba16_snorm",
        [SpvImageFormatRg16Snorm] = "rg16_snorm",
        [SpvImageFormatRg8Snorm] = "rg8_snorm",
        [SpvImageFormatR16Snorm] = "r16_snorm",
        [SpvImageFormatR8Snorm] = "r8_snorm",
        [SpvImageFormatRgba32i] = "rgba32i",
        [SpvImageFormatRgba16i] = "rgba16i",
        [SpvImageFormatRgba8i] = "rgba8i",
        [SpvImageFormatR32i] = "r32i",
        [SpvImageFormatRg32i] = "rg32i",
        [SpvImageFormatRg16i] = "rg16i",
        [SpvImageFormatRg8i] = "rg8i",
        [SpvImageFormatR16i] = "r16i",
        [SpvImageFormatR8i] = "r8i",
        [SpvImageFormatRgba32ui] = "rgba32ui",
        [SpvImageFormatRgba16ui] = "rgba16ui",
        [SpvImageFormatRgba8ui] = "rgba8ui",
        [SpvImageFormatR32ui] = "r32ui",
        [SpvImageFormatRgb10a2ui] = "rgb10_a2ui",
        [SpvImageFormatRg32ui] = "rg32ui",
        [SpvImageFormatRg16ui] = "rg16ui",
        [SpvImageFormatRg8ui] = "rg8ui",
        [SpvImageFormatR16ui] = "r16ui",
        [SpvImageFormatR8ui] = "r8ui",
    };
    return type->v[6] < sizeof names / sizeof *names ? names[type->v[6]] : NULL;
}

static void describe(const struct por_maker *w, const struct spv_image_form *f, const char *rest,
                     struct text *out)
{
    const char *texel = spv_texel_name(f->texel), *format = declared(w->image);
    text_add(out, "image %u:%u %s: %s", w->set, w->binding, por_name(w->a, w->m, w->variable),
             spv_image_shape_name(f->shape));
    for (uint32_t k = 0; k < spv_image_axes(f->shape); k++)
        text_add(out, " %u", f->size[k]);
    if (format && strcmp(format, texel) != 0)
        text_add(out, " %s, as", format);
    text_add(out, " %s%s%s\n", texel, f->count > 1 ? ", several" : "", rest);
}

static bool storage(const struct por_maker *w, struct spv_case *c, struct spv_image_form f,
                    struct text *out, struct err *e)
{
    if (c->buffer_count == SPV_CASE_BUFFERS)
        return err_set(e, "image %u:%u: a case holds %d buffers and storage images", w->set,
                       w->binding, SPV_CASE_BUFFERS);
    struct spv_buffer *b = &c->buffer[c->buffer_count++];
    struct rng r = {w->seed ^ w->variable};
    *b = (struct spv_buffer){.set = w->set,
                             .binding = w->binding,
                             .fill = w->seed ? SPV_FILL_WORDS : SPV_FILL_ZERO,
                             .count = (uint32_t)spv_image_words(&f),
                             .image = f};
    b->words = ARENA_ARRAY(w->a, uint32_t, b->count);
    const char type = spv_texel_type(f.texel);
    for (uint32_t k = 0; k < b->count && w->seed; k++)
        b->words[k] = number(&r, type, w->seed);
    describe(w, &f, "", out);
    return true;
}

static bool sampled(const struct por_maker *w, struct spv_case *c, struct spv_image_form f,
                    struct text *out, struct err *e)
{
    if (c->image_count == SPV_CASE_IMAGES)
        return err_set(e, "image %u:%u: a case holds %d sampled images", w->set, w->binding,
                       SPV_CASE_IMAGES);
    struct spv_image *x = &c->image[c->image_count++];
    struct rng r = {w->seed ^ w->variable};
    *x = (struct spv_image){
        .set = w->set, .binding = w->binding, .form = f, .levels = spv_image_levels(&f)};
    x->values = ARENA_ARRAY(w->a, uint32_t, spv_image_values(x));
    const uint32_t n = spv_texel_components(f.texel);
    for (uint32_t k = 0; k < f.count; k++) { // the same value in all levels
        uint32_t *first = x->values + (size_t)k * x->levels * n;
        for (uint32_t i = 0; i < x->levels * n; i++)
            first[i] = i < n ? number(&r, spv_texel_type(f.texel), w->seed) : first[i - n];
    }
    describe(w, &f, ", one value in all texels", out);
    return true;
}

static bool sampler(const struct por_maker *w, struct spv_case *c, uint32_t count, bool alone,
                    struct text *out, struct err *e)
{
    if (c->sampler_count == SPV_CASE_IMAGES)
        return err_set(e, "sampler %u:%u: a case holds at most %d samplers", w->set, w->binding,
                       SPV_CASE_IMAGES);
    struct spv_sampler *s = &c->sampler[c->sampler_count++];
    *s = (struct spv_sampler){.set = w->set, .binding = w->binding, .count = count};
    s->lod = ARENA_ARRAY(w->a, float, 2 * (size_t)count);
    for (uint32_t k = 0; k < count; k++)
        s->lod[2 * k + 1] = 1000;
    if (alone)
        text_add(out, "sampler %u:%u %s: to the nearest level\n", w->set, w->binding,
                 por_name(w->a, w->m, w->variable));
    return true;
}

// Copies the given images and samplers of the binding. True if any were given.
static bool copied(const struct por_maker *w, struct spv_case *c, const struct spv_case *from)
{
    const struct spv_buffer *b = spv_buffer_at(from, w->set, w->binding);
    const struct spv_image *image = spv_image_at(from, w->set, w->binding);
    const struct spv_sampler *sampler = spv_sampler_at(from, w->set, w->binding);
    bool found = false;
    if (b && b->image.count && c->buffer_count < SPV_CASE_BUFFERS)
        c->buffer[c->buffer_count++] = *b, found = true;
    if (image && c->image_count < SPV_CASE_IMAGES)
        c->image[c->image_count++] = *image, found = true;
    if (sampler && c->sampler_count < SPV_CASE_IMAGES)
        c->sampler[c->sampler_count++] = *sampler, found = true;
    return found;
}

static bool there(const struct por_maker *w, const struct spv_case *c)
{
    return spv_buffer_at(c, w->set, w->binding) || spv_image_at(c, w->set, w->binding) ||
           spv_sampler_at(c, w->set, w->binding);
}

// False for a variable that no function names: another variable may share its binding.
static bool is_used(const struct por_maker *w)
{
    const struct spv_module *m = w->m;
    for (uint32_t k = m->function_count ? m->functions[0].first : m->inst_count; k < m->inst_count;
         k++)
        for (uint32_t j = 0; j < m->insts[k].n; j++)
            if (m->insts[k].v[j] == w->variable)
                return true;
    return false;
}

bool por_make_image(const struct por_maker *w, struct spv_case *c, const struct spv_case *given,
                    struct text *out, struct err *e)
{
    const struct spv_inst *v = spv_def(w->m, w->variable), *t = v ? spv_def(w->m, v->type) : NULL;
    t = t && t->n > 1 ? spv_def(w->m, t->v[1]) : NULL;
    const bool many = t && (t->op == SpvOpTypeArray || t->op == SpvOpTypeRuntimeArray);
    const uint32_t count = !many                                            ? 1
                           : w->length && w->length <= SPV_CASE_DESCRIPTORS ? (uint32_t)w->length
                                                                            : ENDLESS;
    t = many ? spv_def(w->m, t->v[0]) : t;
    if (!t || !is_used(w) ||
        (t->op != SpvOpTypeImage && t->op != SpvOpTypeSampler && t->op != SpvOpTypeSampledImage) ||
        there(w, c) || copied(w, c, given))
        return true; // the oracle rejects other types by name
    const struct spv_inst *image = t->op == SpvOpTypeSampledImage ? spv_def(w->m, t->v[0]) : t;
    if (t->op == SpvOpTypeSampler)
        return sampler(w, c, count, true, out, e);
    enum spv_texel texel;
    const enum spv_image_shape shape =
        image && image->op == SpvOpTypeImage ? shape_of(image) : SPV_IMAGE_SHAPES;
    if (shape == SPV_IMAGE_SHAPES || !texel_of(w, image, &texel))
        return true;
    const struct spv_image_form f = form_of(w, c, shape, texel, count);
    struct por_maker with = *w;
    with.image = image;
    if (image->v[5] == 2)
        return storage(&with, c, f, out, e);
    return sampled(&with, c, f, out, e) &&
           (t->op != SpvOpTypeSampledImage || sampler(&with, c, count, false, out, e));
}
