// SPDX-License-Identifier: Apache-2.0
//
// Reads and prints the lines of images and samplers in a case file (docs/case-format.md).
#include "case_inner.h"

#include <string.h>

// ---- reading ------------------------------------------------------------------

// Reads one of `n` names.
static bool name_in(struct line *l, const char *what, const char *(*name)(uint32_t), uint32_t n,
                    uint32_t *out)
{
    struct token t = line_token(l);
    struct text all = {.arena = l->arena};
    for (uint32_t i = 0; i < n; i++) {
        if (token_is(t, name(i))) {
            *out = i;
            return true;
        }
        text_add(&all, "%s%s", i == 0 ? "" : i + 1 == n ? " or " : ", ", name(i));
    }
    return line_bad(l, "%s is %s, %s was expected", what, line_shown(l, t), all.v);
}

static const char *shape_name(uint32_t i)
{
    return spv_image_shape_name((enum spv_image_shape)i);
}

static const char *texel_name(uint32_t i)
{
    return spv_texel_name((enum spv_texel)i);
}

// Reads "SHAPE SIZE... FORMAT".
static bool read_form(struct line *l, struct spv_image_form *f)
{
    uint32_t shape, texel;
    if (!name_in(l, "the shape", shape_name, SPV_IMAGE_SHAPES, &shape))
        return false;
    *f = (struct spv_image_form){
        .shape = (enum spv_image_shape)shape, .size = {1, 1, 1}, .layers = 1, .count = 1};
    uint32_t most = f->shape == SPV_IMAGE_3D       ? SPV_IMAGE_DEPTH
                    : f->shape == SPV_IMAGE_BUFFER ? SPV_IMAGE_TEXELS
                                                   : SPV_IMAGE_SIZE;
    static const char *const axes[] = {"the width", "the height", "the depth"};
    for (uint32_t i = 0; i < spv_image_axes((enum spv_image_shape)shape); i++)
        if (!line_u32(l, axes[i], 1, most, &f->size[i]))
            return false;
    if (image_is_cube(f->shape))
        f->size[1] = f->size[0];
    if (spv_image_layered((enum spv_image_shape)shape) &&
        !line_u32(l, "the number of layers", 1,
                  image_is_cube(f->shape) ? SPV_IMAGE_LAYERS / 6 : SPV_IMAGE_LAYERS, &f->layers))
        return false;
    if (!name_in(l, "the format", texel_name, SPV_TEXELS, &texel))
        return false;
    f->texel = (enum spv_texel)texel;
    return true;
}

// Reads "N values V...", after "levels".
static bool read_levels(struct case_reader *r, struct spv_image *x)
{
    struct line *l = &r->l;
    if (!line_u32(l, "the number of levels", 1, spv_image_levels(&x->form), &x->levels))
        return false;
    struct token t = line_token(l);
    if (!token_is(t, "values"))
        return line_bad(l, "%s, \"values\" was expected", line_shown(l, t));
    uint32_t each = spv_texel_components(x->form.texel), n = spv_image_values(x);
    x->values = ARENA_ARRAY(l->arena, uint32_t, n);
    for (uint32_t i = 0; i < n; i++) {
        t = line_token(l);
        if (!case_value(t, texel_value_type(x->form.texel), &x->values[i]))
            return line_bad(l,
                            "value %u is %s, %u numbers of type %s were expected (%u descriptors, "
                            "%u levels, %u components)",
                            i, line_shown(l, t), n, texel_value_type(x->form.texel), x->form.count,
                            x->levels, each);
    }
    // All levels together have less than twice the texels of level 0: even of a 1D image, whose
    // next level has half of them.
    return case_bytes(r, spv_image_words(&x->form) * (x->levels > 1 ? 8 : 4)) && line_end(l);
}

bool case_read_image(struct case_reader *r)
{
    struct line *l = &r->l;
    struct spv_image x = {0};
    if (!line_place(l, &x.set, &x.binding))
        return false;
    if (spv_buffer_at(&r->c, x.set, x.binding) || spv_image_at(&r->c, x.set, x.binding))
        return line_bad(l, "%u:%u appears twice", x.set, x.binding);
    if (!read_form(l, &x.form))
        return false;
    struct token t = line_token(l);
    if (token_is(t, "count")) {
        if (!line_u32(l, "the number of descriptors", 1, SPV_CASE_DESCRIPTORS, &x.form.count))
            return false;
        t = line_token(l);
    }
    if (token_is(t, "levels")) {
        if (r->c.image_count == SPV_CASE_IMAGES)
            return line_bad(l, "more than %d sampled images", SPV_CASE_IMAGES);
        if (!read_levels(r, &x))
            return false;
        r->c.image[r->c.image_count++] = x;
        return true;
    }
    if (!token_is(t, "u32") && !token_is(t, "zero") && !token_is(t, "seed") && !token_is(t, "file"))
        return line_bad(l,
                        "%s, \"levels\" (a sampled image) or u32, zero, seed or file (a storage "
                        "image) was expected",
                        line_shown(l, t));
    // A storage image is a buffer of texels.
    struct spv_buffer b = {.set = x.set, .binding = x.binding, .image = x.form};
    if (r->c.buffer_count == SPV_CASE_BUFFERS)
        return line_bad(l, "more than %d buffers and storage images", SPV_CASE_BUFFERS);
    uint64_t words = spv_image_words(&x.form);
    l->p = t.s;
    if (!case_fill(r, &b))
        return false;
    if (b.count != words)
        return line_bad(l, "%u words, a storage image of this size and format has %llu", b.count,
                        (unsigned long long)words);
    r->c.buffer[r->c.buffer_count++] = b;
    return true;
}

bool case_read_sampler(struct case_reader *r)
{
    struct line *l = &r->l;
    struct spv_sampler x = {0};
    if (!line_place(l, &x.set, &x.binding))
        return false;
    if (spv_sampler_at(&r->c, x.set, x.binding))
        return line_bad(l, "sampler %u:%u appears twice", x.set, x.binding);
    if (r->c.sampler_count == SPV_CASE_IMAGES)
        return line_bad(l, "more than %d bindings with samplers", SPV_CASE_IMAGES);
    struct token t = line_token(l);
    if (!token_is(t, "nearest") && !token_is(t, "linear"))
        return line_bad(l, "%s, nearest or linear (between levels) was expected", line_shown(l, t));
    x.linear = token_is(t, "linear");
    x.lod = ARENA_ARRAY(l->arena, float, 2 * SPV_CASE_DESCRIPTORS);
    do {
        t = line_token(l);
        if (!token_is(t, "lod"))
            return line_bad(l, "%s, \"lod MIN MAX\" was expected", line_shown(l, t));
        if (x.count == SPV_CASE_DESCRIPTORS)
            return line_bad(l, "more than %d samplers", SPV_CASE_DESCRIPTORS);
        float *lod = &x.lod[2 * x.count++];
        for (int i = 0; i < 2; i++) {
            uint32_t bits;
            t = line_token(l);
            bool ok = case_value(t, "f32", &bits);
            memcpy(&lod[i], &bits, sizeof bits);
            if (!ok || !(lod[i] >= -16 && lod[i] <= 1000))
                return line_bad(l, "%s is %s, a number from -16 to 1000 was expected",
                                i ? "the largest LOD" : "the smallest LOD", line_shown(l, t));
        }
        if (lod[0] > lod[1])
            return line_bad(l, "the smallest LOD %g is above the largest %g", (double)lod[0],
                            (double)lod[1]);
        t = line_token(l);
        l->p = t.s;
    } while (t.n > 0);
    r->c.sampler[r->c.sampler_count++] = x;
    return true;
}

bool case_images_consistent(struct case_reader *r)
{
    struct spv_case *c = &r->c;
    r->l.number = r->seen[KEY_SAMPLER];
    for (uint32_t i = 0; i < c->sampler_count; i++) {
        const struct spv_sampler *s = &c->sampler[i];
        const struct spv_image *x = spv_image_at(c, s->set, s->binding);
        if (spv_buffer_at(c, s->set, s->binding))
            return line_bad(&r->l, "sampler %u:%u has the binding of a buffer or storage image",
                            s->set, s->binding);
        if (x && x->form.count != s->count)
            return line_bad(
                &r->l,
                "%u:%u has %u images and %u samplers, equal numbers were expected where they "
                "are combined",
                s->set, s->binding, x->form.count, s->count);
    }
    return true;
}

// ---- writing ------------------------------------------------------------------

void print_form(struct text *out, const struct spv_image_form *f)
{
    text_add(out, " %s", spv_image_shape_name(f->shape));
    for (uint32_t i = 0; i < spv_image_axes(f->shape); i++)
        text_add(out, " %u", f->size[i]);
    if (spv_image_layered(f->shape))
        text_add(out, " %u", f->layers);
    text_add(out, " %s", spv_texel_name(f->texel));
    if (f->count > 1)
        text_add(out, " count %u", f->count);
}

void print_images(struct text *out, const struct spv_case *c)
{
    for (uint32_t i = 0; i < c->image_count; i++) {
        const struct spv_image *x = &c->image[i];
        text_add(out, "; image %u:%u", x->set, x->binding);
        print_form(out, &x->form);
        text_add(out, " levels %u values", x->levels);
        for (uint32_t k = 0; k < spv_image_values(x); k++) {
            text_addn(out, " ", 1);
            print_value(out, texel_value_type(x->form.texel), x->values[k]);
        }
        text_addn(out, "\n", 1);
    }
    for (uint32_t i = 0; i < c->sampler_count; i++) {
        const struct spv_sampler *s = &c->sampler[i];
        text_add(out, "; sampler %u:%u %s", s->set, s->binding, s->linear ? "linear" : "nearest");
        for (uint32_t k = 0; k < s->count; k++)
            text_add(out, " lod %.9g %.9g", (double)s->lod[2 * k], (double)s->lod[2 * k + 1]);
        text_addn(out, "\n", 1);
    }
}
