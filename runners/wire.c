// SPDX-License-Identifier: Apache-2.0
//
// Frames: jobs and results as bytes and back.
#include "wire.h"

#include <stdlib.h>
#include <string.h>

// ---- bytes -------------------------------------------------------------------

void wire_free(struct wire_buf *b)
{
    free(b->v);
    *b = (struct wire_buf){0};
}

uint8_t *wire_room(struct wire_buf *b, size_t more)
{
    if (b->at == b->n) {
        b->at = b->n = 0;
    } else if (b->at > b->cap / 2) {
        memmove(b->v, b->v + b->at, b->n - b->at);
        b->n -= b->at;
        b->at = 0;
    }
    if (b->cap - b->n < more) {
        size_t cap = b->cap * 2 > b->n + more ? b->cap * 2 : b->n + more;
#ifdef TANGLEFUZZ_TINY
        cap = b->n + more;
#endif
        b->v = mem_grow(b->v, cap);
        b->cap = cap;
    }
    return b->v + b->n;
}

void put_bytes(struct wire_buf *b, const void *v, size_t n)
{
    if (n)
        memcpy(wire_room(b, n), v, n);
    b->n += n;
}

void put_u32(struct wire_buf *b, uint32_t v)
{
    put_bytes(b, &v, sizeof v);
}

void put_f64(struct wire_buf *b, double v)
{
    put_bytes(b, &v, sizeof v);
}

void put_str(struct wire_buf *b, const char *s)
{
    size_t n = strlen(s);
    put_u32(b, (uint32_t)n);
    put_bytes(b, s, n);
}

static const uint8_t *get(struct frame *f, size_t n)
{
    if (f->bad || (size_t)(f->end - f->p) < n) {
        f->bad = true;
        return NULL;
    }
    const uint8_t *p = f->p;
    f->p += n;
    return p;
}

void get_bytes(struct frame *f, void *v, size_t n)
{
    const uint8_t *p = get(f, n);
    if (p && n)
        memcpy(v, p, n);
    else if (n)
        memset(v, 0, n);
}

uint32_t get_u32(struct frame *f)
{
    uint32_t v;
    get_bytes(f, &v, sizeof v);
    return v;
}

double get_f64(struct frame *f)
{
    double v;
    get_bytes(f, &v, sizeof v);
    return v;
}

double get_seconds(struct frame *f)
{
    const double most = 1e9, v = get_f64(f);
    f->bad |= !(v >= 0 && v <= most);
    return f->bad ? 0 : v;
}

const char *get_str(struct frame *f, struct arena *a)
{
    size_t n = get_u32(f);
    const uint8_t *p = get(f, n);
    return p ? arena_strn(a, (const char *)p, n) : "";
}

// Words, copied to where they are aligned.
static uint32_t *get_words(struct frame *f, struct arena *a, size_t n)
{
    const uint8_t *p = get(f, n * sizeof(uint32_t));
    return p ? arena_copy(a, p, n * sizeof(uint32_t)) : NULL;
}

// ---- frames ------------------------------------------------------------------

static const uint32_t frame_magic = 0x7a756674; // "tfuz"

size_t frame_begin(struct wire_buf *b, enum frame_kind kind)
{
    uint64_t size = 0;
    put_u32(b, frame_magic);
    size_t begin = b->n - b->at; // wire_room may move the bytes, not their distance from `at`
    put_u32(b, kind);
    put_bytes(b, &size, sizeof size);
    return begin;
}

void frame_end(struct wire_buf *b, size_t begin)
{
    uint8_t *head = b->v + b->at + begin;
    uint64_t size = (uint64_t)(b->v + b->n - head) - (FRAME_HEAD - sizeof frame_magic);
    memcpy(head + sizeof(uint32_t), &size, sizeof size);
}

bool frame_next(struct wire_buf *b, uint64_t limit, struct frame *f, bool *bad)
{
    *bad = false;
    if (b->n - b->at < FRAME_HEAD)
        return false;
    const uint8_t *head = b->v + b->at;
    uint32_t magic, kind;
    uint64_t size;
    memcpy(&magic, head, sizeof magic);
    memcpy(&kind, head + 4, sizeof kind);
    memcpy(&size, head + 8, sizeof size);
    if (magic != frame_magic || size > limit || kind < FRAME_OPEN || kind > FRAME_LISTED) {
        *bad = true;
        return false;
    }
    if (b->n - b->at - FRAME_HEAD < size)
        return false;
    *f = (struct frame){
        .kind = (enum frame_kind)kind, .p = head + FRAME_HEAD, .end = head + FRAME_HEAD + size};
    b->at += FRAME_HEAD + (size_t)size;
    return true;
}

// ---- jobs --------------------------------------------------------------------

// Where a case differs from `before` in everything but its buffers' contents,
// it is sent whole; the usual job's cases differ in inputs alone.
static bool same_shape(const struct spv_case *c, const struct spv_case *before)
{
    if (memcmp(c->groups, before->groups, sizeof c->groups) != 0 ||
        c->subgroup != before->subgroup || c->model != before->model ||
        c->spec_count != before->spec_count || c->buffer_count != before->buffer_count ||
        c->stage != before->stage || c->cover != before->cover || c->vertex_count != before->vertex_count ||
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
    return (uint64_t)s->form.count * s->levels * spv_texel_components(s->form.texel) * sizeof(uint32_t);
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
            size += (uint64_t)cases[i].sampler[k].count * 2 * sizeof(float) + sizeof(struct spv_sampler);
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
    if (f->bad || (!out->count && !may_lack) || out->count > SPV_CASE_DESCRIPTORS || (unsigned)out->shape >= SPV_IMAGE_SHAPES ||
        (unsigned)out->texel >= SPV_TEXELS || out->layers > SPV_IMAGE_LAYERS)
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
            (c->buffer[i].image.count && spv_image_words(&c->buffer[i].image) != c->buffer[i].count))
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

// Where a fragment case draws what.
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
        if (c->stage == SPV_FRAGMENT)
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
        if (c->stage == SPV_FRAGMENT && !get_cover(f, c))
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
        // All zeros stay unspelled: whoever fills the buffer sees it from `fill`.
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

// ---- results -----------------------------------------------------------------

enum { ORIGIN_WORDS = sizeof(struct run_origin) / sizeof(uint32_t) };

static void put_memory(struct wire_buf *b, const struct spv_memory *m, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        put_u32(b, m[i].set);
        put_u32(b, m[i].binding);
        put_u32(b, m[i].count);
        put_bytes(b, m[i].words, m[i].count * sizeof(uint32_t));
    }
}

static struct spv_memory *get_memory(struct frame *f, struct arena *a, uint32_t n)
{
    struct spv_memory *m = ARENA_ARRAY(a, struct spv_memory, n);
    for (uint32_t i = 0; i < n; i++) {
        m[i].set = get_u32(f);
        m[i].binding = get_u32(f);
        m[i].count = get_u32(f);
        m[i].words = get_words(f, a, m[i].count);
    }
    return m;
}

void put_result(struct wire_buf *b, const struct run_result *r)
{
    size_t begin = frame_begin(b, FRAME_RESULT);
    put_u32(b, r->status);
    put_str(b, r->text);
    put_f64(b, r->driver_seconds);
    put_f64(b, r->driver_cpu);
    put_u32(b, r->behind_passes);
    put_u32(b, r->form);
    put_u32(b, r->memory_count);
    put_u32(b, r->others);
    put_u32(b, r->uneven_line);
    put_memory(b, r->memory, r->memory_count);
    put_memory(b, r->other, r->memory_count * r->others);
    for (uint32_t i = 0; i < r->memory_count; i++) {
        const struct run_origin *o = r->origin ? r->origin[i] : NULL;
        put_u32(b, o != NULL);
        if (o)
            put_bytes(b, o, r->memory[i].count * sizeof *o);
    }
    put_u32(b, r->early_line);
    put_memory(b, r->prompt, r->early_line ? r->memory_count : 0);
    put_u32(b, (uint32_t)r->word_count);
    if (r->word_count)
        put_bytes(b, r->words, r->word_count * sizeof(uint32_t));
    put_str(b, r->driver_text ? r->driver_text : "");
    put_str(b, r->said ? r->said : "");
    frame_end(b, begin);
}

bool get_result(struct frame *f, struct arena *a, struct run_result *out)
{
    *out = (struct run_result){0};
    uint32_t status = get_u32(f);
    out->status = (enum run_status)status;
    snprintf(out->text, sizeof out->text, "%s", get_str(f, a));
    out->driver_seconds = get_seconds(f);
    out->driver_cpu = get_seconds(f);
    out->behind_passes = get_u32(f) != 0;
    uint32_t form = get_u32(f);
    out->form = (enum run_form)form;
    out->memory_count = get_u32(f);
    out->others = get_u32(f);
    out->uneven_line = get_u32(f);
    if (f->bad || status >= RUN_STATUSES || form >= RUN_FORMS || out->memory_count > SPV_CASE_BUFFERS ||
        out->others > RUN_OTHERS)
        return false;
    out->memory = get_memory(f, a, out->memory_count);
    out->other = get_memory(f, a, out->memory_count * out->others);
    for (uint32_t i = 0; i < out->memory_count; i++) {
        if (!get_u32(f))
            continue;
        if (!out->origin)
            out->origin = ARENA_ARRAY(a, const struct run_origin *, out->memory_count);
        if (out->memory[i].count <= UINT32_MAX / ORIGIN_WORDS)
            out->origin[i] = (const struct run_origin *)get_words(f, a, out->memory[i].count * ORIGIN_WORDS);
        else
            f->bad = true;
    }
    out->early_line = get_u32(f);
    out->prompt = out->early_line ? get_memory(f, a, out->memory_count) : NULL;
    for (uint32_t i = 0; out->prompt && i < out->memory_count; i++)
        f->bad |= out->prompt[i].count != out->memory[i].count;
    out->word_count = get_u32(f);
    if (out->word_count)
        out->words = get_words(f, a, out->word_count);
    const char *text = get_str(f, a), *said = get_str(f, a);
    out->driver_text = text[0] ? text : NULL;
    out->said = said[0] ? said : NULL;
    return !f->bad && f->p == f->end;
}

void put_options(struct wire_buf *b, const struct run_options *o)
{
    put_u32(b, o->validate);
    put_f64(b, o->fence_seconds);
    put_f64(b, o->job_seconds);
    put_u32(b, o->memory_mib);
    put_u32(b, o->driver_text);
}

void get_options(struct frame *f, struct run_options *o)
{
    o->validate = get_u32(f) != 0;
    o->fence_seconds = get_f64(f);
    o->job_seconds = get_f64(f);
    o->memory_mib = get_u32(f);
    o->driver_text = get_u32(f) != 0;
}

// ---- what there is -----------------------------------------------------------

// A bool of any other byte than 0 and 1 is none that may be looked at.
static bool get_bool(const uint8_t *raw, size_t at)
{
    return raw[at] <= 1;
}

static bool raw_info_ok(const uint8_t *raw, size_t at)
{
#define FLAG(name) get_bool(raw, at + offsetof(struct run_info, name))
    uint32_t form;
    memcpy(&form, raw + at + offsetof(struct run_info, form), sizeof form);
    return form < RUN_FORMS && FLAG(size_control) && FLAG(full_subgroups) && FLAG(tells) &&
           FLAG(maximal_reconvergence) && FLAG(subgroup_uniform) && FLAG(int8) && FLAG(int16) &&
           FLAG(int64) && FLAG(float16) && FLAG(float64) && FLAG(extended_types) &&
           FLAG(quad_control) && FLAG(vulkan_memory_model) &&
           FLAG(derivatives) && FLAG(derivative_quads) && FLAG(images) && FLAG(image_index) && FLAG(image_nonuniform) && FLAG(fragment) && FLAG(demote);
#undef FLAG
}

static void end_info(struct run_info *i)
{
    i->device[sizeof i->device - 1] = 0;
    i->driver[sizeof i->driver - 1] = 0;
}

void put_info(struct wire_buf *b, const struct run_info *i)
{
    put_bytes(b, i, sizeof *i);
}

bool get_info(struct frame *f, struct run_info *out)
{
    uint8_t raw[sizeof *out];
    get_bytes(f, raw, sizeof raw);
    if (f->bad || f->p != f->end || !raw_info_ok(raw, 0))
        return false;
    memcpy(out, raw, sizeof raw);
    end_info(out);
    return true;
}

void put_listed(struct wire_buf *b, const struct run_listed *r)
{
    put_bytes(b, r, sizeof *r);
}

bool get_listed(struct frame *f, struct run_listed *out)
{
    uint8_t raw[sizeof *out];
    get_bytes(f, raw, sizeof raw);
    if (f->bad || f->p != f->end || !get_bool(raw, offsetof(struct run_listed, usable)) ||
        !raw_info_ok(raw, offsetof(struct run_listed, info)))
        return false;
    memcpy(out, raw, sizeof raw);
    out->spec[sizeof out->spec - 1] = out->why[sizeof out->why - 1] = 0;
    end_info(&out->info);
    return true;
}
