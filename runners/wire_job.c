// SPDX-License-Identifier: Apache-2.0
//
// Encodes and decodes jobs and their cases.
#include "wire.h"

#include <string.h>

// True if a case differs from `before` only in its buffers' contents. Then only these are sent,
// which is the usual case.
static bool same_shape(const struct spv_case *c, const struct spv_case *before)
{
    if (memcmp(c->groups, before->groups, sizeof c->groups) != 0 ||
        c->subgroup != before->subgroup || c->model != before->model ||
        c->spec_count != before->spec_count || c->buffer_count != before->buffer_count ||
        c->stage != before->stage || c->cover != before->cover ||
        c->vertex_count != before->vertex_count ||
        memcmp(c->target, before->target, sizeof c->target) != 0 ||
        memcmp(c->vertex, before->vertex, c->vertex_count * sizeof c->vertex[0]) != 0)
        return false;
    for (uint32_t i = 0; i < c->spec_count; i++)
        if (c->spec[i].id != before->spec[i].id || c->spec[i].value != before->spec[i].value)
            return false;
    for (uint32_t i = 0; i < c->buffer_count; i++)
        if (c->buffer[i].set != before->buffer[i].set ||
            c->buffer[i].binding != before->buffer[i].binding ||
            c->buffer[i].count != before->buffer[i].count || c->buffer[i].image.count)
            return false;
    return !c->image_count && !c->sampler_count && !before->image_count && !before->sampler_count;
}

static uint64_t image_bytes(const struct spv_image *s)
{
    return (uint64_t)s->form.count * s->levels * spv_texel_components(s->form.texel) *
           sizeof(uint32_t);
}

uint64_t wire_job_size(const struct spv_case *cases, uint32_t n)
{
    uint64_t size = 64 + cases[0].count * sizeof(uint32_t);
    for (uint32_t i = 0; i < n; i++) {
        size += 2048;
        for (uint32_t k = 0; k < cases[i].buffer_count; k++)
            size += cases[i].buffer[k].count * sizeof(uint32_t);
        for (uint32_t k = 0; k < cases[i].image_count; k++)
            size += image_bytes(&cases[i].image[k]) + sizeof(struct spv_image);
        for (uint32_t k = 0; k < cases[i].sampler_count; k++)
            size += (uint64_t)cases[i].sampler[k].count * 2 * sizeof(float) +
                    sizeof(struct spv_sampler);
    }
    return size;
}

static void put_images(struct wire_buf *b, const struct spv_case *c)
{
    for (uint32_t i = 0; i < c->buffer_count; i++)
        put_bytes(b, &c->buffer[i].image, sizeof c->buffer[i].image);
    put_u32(b, c->image_count);
    for (uint32_t i = 0; i < c->image_count; i++) {
        const struct spv_image *s = &c->image[i];
        put_u32(b, s->set);
        put_u32(b, s->binding);
        put_bytes(b, &s->form, sizeof s->form);
        put_u32(b, s->levels);
        put_bytes(b, s->values, (size_t)image_bytes(s));
    }
    put_u32(b, c->sampler_count);
    for (uint32_t i = 0; i < c->sampler_count; i++) {
        const struct spv_sampler *s = &c->sampler[i];
        put_u32(b, s->set);
        put_u32(b, s->binding);
        put_u32(b, s->count);
        put_u32(b, s->linear);
        put_bytes(b, s->lod, s->count * 2 * sizeof *s->lod);
    }
}

static bool get_form(struct frame *f, struct spv_image_form *out, bool may_lack)
{
    get_bytes(f, out, sizeof *out);
    const uint64_t most = SPV_CASE_BUFFER_WORDS;
    if (f->bad || (!out->count && !may_lack) || out->count > SPV_CASE_DESCRIPTORS ||
        (unsigned)out->shape >= SPV_IMAGE_SHAPES || (unsigned)out->texel >= SPV_TEXELS ||
        out->layers > SPV_IMAGE_LAYERS)
        return false;
    uint64_t texels = 1;
    for (int k = 0; k < 3; k++) {
        if (out->count && (!out->size[k] || out->size[k] > SPV_IMAGE_TEXELS))
            return false;
        texels *= out->count ? out->size[k] : 1;
    }
    return !out->count || (out->layers && texels <= most);
}

static bool get_images(struct frame *f, struct arena *a, struct spv_case *c)
{
    for (uint32_t i = 0; i < c->buffer_count; i++)
        if (!get_form(f, &c->buffer[i].image, true) ||
            (c->buffer[i].image.count &&
             spv_image_words(&c->buffer[i].image) != c->buffer[i].count))
            return false;
    c->image_count = get_u32(f);
    if (c->image_count > SPV_CASE_IMAGES)
        return false;
    for (uint32_t i = 0; i < c->image_count; i++) {
        struct spv_image *s = &c->image[i];
        s->set = get_u32(f);
        s->binding = get_u32(f);
        if (!get_form(f, &s->form, false))
            return false;
        s->levels = get_u32(f);
        if (!s->levels || s->levels > spv_image_levels(&s->form))
            return false;
        s->values = get_words(f, a, (size_t)(image_bytes(s) / sizeof(uint32_t)));
    }
    c->sampler_count = get_u32(f);
    if (f->bad || c->sampler_count > SPV_CASE_IMAGES)
        return false;
    for (uint32_t i = 0; i < c->sampler_count; i++) {
        struct spv_sampler *s = &c->sampler[i];
        s->set = get_u32(f);
        s->binding = get_u32(f);
        s->count = get_u32(f);
        s->linear = get_u32(f) != 0;
        if (!s->count || s->count > SPV_CASE_DESCRIPTORS)
            return false;
        s->lod = (float *)get_words(f, a, 2 * (size_t)s->count);
    }
    return !f->bad;
}

// The cover of a draw and its target size.
static void put_cover(struct wire_buf *b, const struct spv_case *c)
{
    put_bytes(b, c->target, sizeof c->target);
    put_u32(b, c->cover);
    put_u32(b, c->vertex_count);
    put_bytes(b, c->vertex, c->vertex_count * sizeof c->vertex[0]);
}

static bool get_cover(struct frame *f, struct spv_case *c)
{
    get_bytes(f, c->target, sizeof c->target);
    const uint32_t cover = get_u32(f);
    c->vertex_count = get_u32(f);
    if (cover >= SPV_COVERS || c->vertex_count > SPV_COVER_VERTICES)
        return false;
    c->cover = (enum spv_cover)cover;
    get_bytes(f, c->vertex, c->vertex_count * sizeof c->vertex[0]);
    return true;
}

static void put_case(struct wire_buf *b, const struct spv_case *c, const struct spv_case *before)
{
    bool same = before && same_shape(c, before);
    put_u32(b, same);
    if (!same) {
        put_u32(b, c->stage);
        put_bytes(b, c->groups, sizeof c->groups);
        if (!spv_stage_row(c->stage)->has_workgroups)
            put_cover(b, c);
        put_u32(b, c->subgroup);
        put_u32(b, c->model);
        put_u32(b, c->spec_count);
        for (uint32_t i = 0; i < c->spec_count; i++) {
            put_u32(b, c->spec[i].id);
            put_u32(b, c->spec[i].value);
        }
        put_u32(b, c->buffer_count);
        for (uint32_t i = 0; i < c->buffer_count; i++) {
            put_u32(b, c->buffer[i].set);
            put_u32(b, c->buffer[i].binding);
            put_u32(b, c->buffer[i].count);
        }
        put_images(b, c);
    }
    put_u32(b, c->push_count);
    put_bytes(b, c->push, c->push_count * sizeof(uint32_t));
    for (uint32_t i = 0; i < c->buffer_count; i++) {
        bool zero = c->buffer[i].fill == SPV_FILL_ZERO;
        put_u32(b, zero);
        if (!zero)
            put_bytes(b, c->buffer[i].words, c->buffer[i].count * sizeof(uint32_t));
    }
}

static bool get_case(struct frame *f, struct arena *a, const struct spv_case *before,
                     struct spv_case *c)
{
    if (get_u32(f)) {
        if (!before)
            return false;
        *c = *before;
    } else {
        const uint32_t stage = get_u32(f);
        if (stage >= SPV_STAGES)
            return false;
        c->stage = (enum spv_stage)stage;
        get_bytes(f, c->groups, sizeof c->groups);
        if (!spv_stage_row(c->stage)->has_workgroups && !get_cover(f, c))
            return false;
        c->subgroup = get_u32(f);
        c->model = (enum spv_model)get_u32(f);
        c->spec_count = get_u32(f);
        if (c->spec_count > SPV_CASE_SPECS)
            return false;
        for (uint32_t i = 0; i < c->spec_count; i++) {
            c->spec[i].id = get_u32(f);
            c->spec[i].value = get_u32(f);
            memcpy(c->spec[i].type, "u32", 4);
        }
        c->buffer_count = get_u32(f);
        if (c->buffer_count > SPV_CASE_BUFFERS)
            return false;
        for (uint32_t i = 0; i < c->buffer_count; i++) {
            c->buffer[i].set = get_u32(f);
            c->buffer[i].binding = get_u32(f);
            c->buffer[i].count = get_u32(f);
        }
        if (!get_images(f, a, c))
            return false;
    }
    c->push_count = get_u32(f);
    if (c->push_count > SPV_CASE_PUSH)
        return false;
    get_bytes(f, c->push, c->push_count * sizeof(uint32_t));
    for (uint32_t i = 0; i < c->buffer_count; i++) {
        bool zero = get_u32(f) != 0;
        c->buffer[i].fill = zero ? SPV_FILL_ZERO : SPV_FILL_WORDS;
        // Buffers of zeros have no words; `fill` marks them.
        c->buffer[i].words = zero ? NULL : get_words(f, a, c->buffer[i].count);
    }
    return !f->bad;
}

void put_job(struct wire_buf *b, const struct spv_case *cases, uint32_t n, uint32_t subgroup)
{
    size_t begin = frame_begin(b, FRAME_JOB);
    put_u32(b, n);
    put_u32(b, subgroup);
    put_u32(b, (uint32_t)cases[0].count);
    put_bytes(b, cases[0].words, cases[0].count * sizeof(uint32_t));
    for (uint32_t i = 0; i < n; i++)
        put_case(b, &cases[i], i ? &cases[i - 1] : NULL);
    frame_end(b, begin);
}

bool get_job(struct frame *f, struct arena *a, struct run_job *out)
{
    out->n = get_u32(f);
    out->subgroup = get_u32(f);
    size_t count = get_u32(f);
    const uint32_t *words = get_words(f, a, count);
    if (f->bad || out->n == 0 || out->n > RUN_JOB_CASES)
        return false;
    struct spv_case *cases = ARENA_ARRAY(a, struct spv_case, out->n);
    for (uint32_t i = 0; i < out->n; i++) {
        if (!get_case(f, a, i ? &cases[i - 1] : NULL, &cases[i]))
            return false;
        cases[i].words = words;
        cases[i].count = count;
    }
    out->cases = cases;
    return f->p == f->end;
}
