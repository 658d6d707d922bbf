// SPDX-License-Identifier: Apache-2.0
//
// The rest of the case: dispatch, buffers, images, and their initial contents. The caller provides
// the inputs and the cover of a fragment program.
//
// Sampled images are 7 by 7 texels with three levels. All texels of a level have the same value, so
// a result depends only on the image, the sampler and the level.
#include "emit_parts.h"

#include <string.h>

enum { SIDE = 7 };

// ---- images ------------------------------------------------------------------------------

static float value_of(uint32_t image, uint32_t level, uint32_t component)
{
    return (float)(100 * (image + 1) + 10 * level + component);
}

static void fill(struct arena *a, struct spv_image *s, uint32_t first)
{
    s->form = (struct spv_image_form){.shape = SPV_IMAGE_2D,
                                      .size = {SIDE, SIDE, 1},
                                      .layers = 1,
                                      .texel = SPV_RGBA32F,
                                      .count = s->form.count};
    s->levels = IMAGE_LEVELS;
    s->values = ARENA_ARRAY(a, uint32_t, s->form.count *IMAGE_LEVELS *IMAGE_COMPONENTS);
    for (uint32_t i = 0; i < s->form.count * IMAGE_LEVELS * IMAGE_COMPONENTS; i++) {
        const float v = value_of(first + i / (IMAGE_LEVELS * IMAGE_COMPONENTS),
                                 i / IMAGE_COMPONENTS % IMAGE_LEVELS, i % IMAGE_COMPONENTS);
        memcpy(&s->values[i], &v, sizeof v);
    }
}

static void put_lod(struct arena *a, struct spv_sampler *s, const float *lod)
{
    s->lod = ARENA_ARRAY(a, float, 2 * s->count);
    memcpy(s->lod, lod, 2 * s->count * sizeof *lod);
}

static void pack_images(const struct gen_program *p, struct arena *a, struct spv_case *c)
{
    static const float lod[] = {0, 1000, 1, 2}; // the second sampler has other LOD limits, so its
                                                // results differ
    if (p->used & GEN_SAMPLING) {
        c->image_count = 2;
        c->image[0] =
            (struct spv_image){.set = 1, .binding = GEN_IMAGES, .form.count = GEN_IMAGE_COUNT};
        c->image[1] = (struct spv_image){.set = 1, .binding = GEN_TEXTURE, .form.count = 1};
        fill(a, &c->image[0], 0);
        fill(a, &c->image[1], GEN_IMAGE_COUNT);
        c->sampler_count = 2;
        c->sampler[0] =
            (struct spv_sampler){.set = 1, .binding = GEN_SAMPLERS, .count = GEN_SAMPLER_COUNT};
        c->sampler[1] = (struct spv_sampler){.set = 1, .binding = GEN_TEXTURE, .count = 1};
        put_lod(a, &c->sampler[0], lod);
        put_lod(a, &c->sampler[1], lod);
    }
    if (p->used & GEN_BIT(GEN_OP_IMAGE)) {
        struct spv_buffer *b = &c->buffer[c->buffer_count++];
        const uint32_t n = p->groups * p->local_size;
        *b = (struct spv_buffer){.set = 1, .binding = GEN_STORE, .fill = SPV_FILL_WORDS};
        b->image =
            (struct spv_image_form){.shape = SPV_IMAGE_2D,
                                    .size = {STORE_WIDTH, (n + STORE_WIDTH - 1) / STORE_WIDTH, 1},
                                    .layers = 1,
                                    .texel = SPV_R32UI,
                                    .count = 1};
        b->count = (uint32_t)spv_image_words(&b->image);
        b->words = ARENA_ARRAY(a, uint32_t, b->count);
        spv_seed_fill(n, b->words, b->count);
    }
}

// ---- the case ----------------------------------------------------------------------------

// Initializes the heap.
static void pack_heap(const struct gen_program *p, struct arena *a, struct spv_buffer *heap)
{
    heap->count = GEN_HEAP_WORDS + p->groups * p->local_size;
    heap->words = ARENA_ARRAY(a, uint32_t, heap->count);
    heap->fill = SPV_FILL_WORDS;
    for (int i = 0; i < GEN_ATOMIC_COUNT; i++)
        heap->words[i] = gen_atomic_row((enum gen_atomic)i)->first;
}

void gen_emit(const struct gen_program *p, struct arena *a, enum spv_model model,
              struct spv_case *c, struct gen_emitted *out)
{
    const uint32_t invocations = p->groups * p->local_size, row = p->digest ? 1 : p->row_words;
    const bool covers = spv_stage_row(p->stage)->maps_by_coverage;
    c->words = emit_module(p, a, model, &c->count, out);
    c->stage = p->stage;
    memcpy(c->target, p->target, sizeof c->target);
    c->groups[0] = p->groups;
    c->groups[1] = c->groups[2] = 1;
    c->subgroup = p->subgroup;
    c->model = model;
    c->buffer_count = emit_buffer_count(p);
    c->has_log = !p->digest;
    c->has_lanes = !covers;
    c->lanes_packed = p->digest && !covers;
    c->has_coverage = covers;
    c->log_binding = GEN_LOG;
    c->log_stride = row;
    *(covers ? &c->coverage_binding : &c->lanes_binding) = GEN_LANES;
    c->buffer[GEN_LOG].count = invocations * row;
    c->buffer[GEN_LANES].count = covers
                                     ? (uint32_t)spv_coverage_at(p->subgroup, gen_subgroups(p), 0)
                                     : invocations * spv_lanes_words(c);
    for (uint32_t i = GEN_LOG; i <= GEN_LANES; i++) {
        c->buffer[i].fill = SPV_FILL_ZERO;
        c->buffer[i].words = ARENA_ARRAY(a, uint32_t, c->buffer[i].count);
    }
    for (uint32_t i = 0; i < c->buffer_count; i++)
        c->buffer[i].binding = i;
    if (c->buffer_count > GEN_HEAP)
        pack_heap(p, a, &c->buffer[GEN_HEAP]);
    pack_images(p, a, c);
}
