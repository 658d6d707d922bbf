// SPDX-License-Identifier: Apache-2.0
//
// Measures, hashes and copies a case.
#include "inner.h"

#include "spirv/spirv_groups.h"

#include <string.h>

void measure_module(const struct spv_case *c, const struct spv_module *m, struct red_size *out)
{
    *out = (struct red_size){0};
    if (m) {
        out->instructions = m->inst_count;
        for (uint32_t f = 0; f < m->function_count; f++)
            for (uint32_t i = m->functions[f].first; i <= m->functions[f].last; i++) {
                uint32_t op = m->insts[i].op;
                out->body++;
                out->loops += op == SpvOpLoopMerge;
                out->branches += op == SpvOpSelectionMerge;
                out->group_ops += spv_group_find(op) != NULL;
                out->calls += op == SpvOpFunctionCall;
            }
    }
    out->invocations = (uint32_t)spv_case_invocations(c, m);
    for (uint32_t i = 0; i < c->buffer_count; i++)
        out->buffer_words += c->buffer[i].count;
}

bool red_measure(const struct spv_case *c, struct red_size *out)
{
    struct arena a = {0};
    struct spv_module m;
    bool ok = spv_module_read(&a, c->words, c->count, &m, NULL);
    measure_module(c, ok ? &m : NULL, out);
    arena_free(&a);
    return ok;
}

static uint64_t hash_form(uint64_t h, const struct spv_image_form *f)
{
    const uint32_t all[] = {(uint32_t)f->shape, f->size[0],         f->size[1], f->size[2],
                            f->layers,          (uint32_t)f->texel, f->count};
    return hash64_with(h, all, sizeof all);
}

uint64_t red_hash(const struct spv_case *c)
{
    // Skips the generator word of the header: the text form does not keep it.
    const size_t front = c->count < 3 ? c->count : 2;
    uint64_t h = hash64(c->words, front * sizeof *c->words);
    if (c->count > 3)
        h = hash64_with(h, c->words + 3, (c->count - 3) * sizeof *c->words);
    const uint32_t how[] = {c->groups[0],
                            c->groups[1],
                            c->groups[2],
                            c->subgroup,
                            (uint32_t)c->model,
                            c->has_policy ? 1 + (uint32_t)c->policy.base : 0,
                            c->policy.derivatives.x,
                            c->policy.derivatives.y,
                            c->policy.derivatives.plain_is_coarse,
                            c->policy.quads_end,
                            c->has_log,
                            c->has_log ? c->log_set : 0,
                            c->has_log ? c->log_binding : 0,
                            c->has_log ? c->log_stride : 0,
                            c->has_lanes + c->lanes_packed,
                            c->has_lanes ? c->lanes_set : 0,
                            c->has_lanes ? c->lanes_binding : 0,
                            c->push_count,
                            c->spec_count,
                            (uint32_t)c->stage,
                            c->target[0],
                            c->target[1],
                            (uint32_t)c->cover,
                            c->has_coverage,
                            c->coverage_set,
                            c->coverage_binding};
    h = hash64_with(h, how, sizeof how);
    h = hash64_with(h, c->vertex, c->vertex_count * sizeof *c->vertex);
    for (uint32_t i = 0; i < c->policy.count; i++) {
        const uint64_t at[] = {c->policy.at[i].label, c->policy.at[i].policy,
                               c->policy.at[i].instance};
        h = hash64_with(h, at, sizeof at);
    }
    h = hash64_with(h, c->push, c->push_count * sizeof *c->push);
    for (uint32_t i = 0; i < c->spec_count; i++) {
        const uint32_t spec[] = {c->spec[i].id, c->spec[i].value};
        h = hash64_with(h, spec, sizeof spec);
    }
    for (uint32_t i = 0; i < c->buffer_count; i++) {
        const struct spv_buffer *b = &c->buffer[i];
        const uint32_t head[] = {b->set, b->binding, b->elements, b->count};
        h = hash64_with(h, head, sizeof head);
        if (b->count)
            h = hash64_with(h, b->words, b->count * sizeof *b->words);
        if (b->image.count)
            h = hash_form(h, &b->image);
    }
    for (uint32_t i = 0; i < c->image_count; i++) {
        const struct spv_image *x = &c->image[i];
        const uint32_t head[] = {x->set, x->binding, x->levels};
        h = hash_form(hash64_with(h, head, sizeof head), &x->form);
        h = hash64_with(h, x->values, spv_image_values(x) * sizeof *x->values);
    }
    for (uint32_t i = 0; i < c->sampler_count; i++) {
        const struct spv_sampler *x = &c->sampler[i];
        const uint32_t head[] = {x->set, x->binding, x->count, x->linear};
        h = hash64_with(h, head, sizeof head);
        h = hash64_with(h, x->lod, 2 * x->count * sizeof *x->lod);
    }
    return h;
}

void red_copy(struct arena *a, const struct spv_case *c, struct spv_case *out)
{
    *out = *c;
    out->words = arena_copy(a, c->words, c->count * sizeof *c->words);
    for (uint32_t i = 0; i < c->buffer_count; i++)
        out->buffer[i].words =
            arena_copy(a, c->buffer[i].words, c->buffer[i].count * sizeof *c->buffer[i].words);
    for (uint32_t i = 0; i < c->image_count; i++)
        out->image[i].values = arena_copy(
            a, c->image[i].values, spv_image_values(&c->image[i]) * sizeof *c->image[i].values);
    for (uint32_t i = 0; i < c->sampler_count; i++)
        out->sampler[i].lod =
            arena_copy(a, c->sampler[i].lod, 2 * c->sampler[i].count * sizeof *c->sampler[i].lod);
    if (c->from)
        out->from = arena_str(a, c->from);
    if (c->verdict_rule)
        out->verdict_rule = arena_str(a, c->verdict_rule);
    out->body = NULL;
    out->expect_count = 0;
}
