// SPDX-License-Identifier: Apache-2.0
//
// A case's dispatch and buffers as values for templates.
#include "bundle.h"

#include <string.h>

enum { VALUES = 16 }; // words on a line

struct side {
    const struct spv_case *c;
    const struct spv_module *m;
    const struct spv_memory *expected;
};

static const char *listed(struct arena *a, const uint32_t *v, uint32_t n)
{
    struct text t = {.arena = a};
    for (uint32_t i = 0; i < n; i++) {
        text_add(&t, i ? ", " : "");
        text_u32(&t, v[i]);
    }
    return t.v;
}

static const char *in_lines(struct arena *a, const uint32_t *v, uint32_t n)
{
    struct text t = {.arena = a};
    for (uint32_t i = 0; i < n; i++) {
        text_add(&t, "%s", i % VALUES ? " " : i ? "\n  " : "  ");
        text_u32(&t, v[i]);
    }
    text_add(&t, "\n");
    return t.v;
}

static bool all_zero(const uint32_t *v, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (v[i])
            return false;
    return true;
}

static bool all_defined(const struct spv_memory *m)
{
    for (uint32_t i = 0; m->mask && i < m->count; i++)
        if (m->mask[i] != UINT32_MAX)
            return false;
    return true;
}

// It is a variable of class Uniform whose block is not a BufferBlock.
bool bundle_is_uniform(const struct spv_module *m, uint32_t set, uint32_t binding)
{
    uint32_t id = diag_buffer_variable(m, set, binding);
    const struct spv_inst *v = id ? spv_def(m, id) : NULL;
    const struct spv_inst *t = v ? spv_def(m, v->type) : NULL;
    if (!v || !v->n || v->v[0] != SpvStorageClassUniform || !t || t->n < 2)
        return false;
    for (uint32_t k = 0; k < m->inst_count; k++) {
        const struct spv_inst *d = &m->insts[k];
        if (d->op == SpvOpDecorate && d->n >= 2 && d->v[0] == t->v[1] &&
            d->v[1] == SpvDecorationBufferBlock)
            return false;
    }
    return true;
}

static void buffer_row(struct fill *row, const void *user, uint32_t i)
{
    const struct side *s = user;
    const struct spv_buffer *x = &s->c->buffer[i];
    const bool compared = s->expected && all_defined(&s->expected[i]);
    fill_number(row, "set", x->set);
    fill_number(row, "binding", x->binding);
    fill_number(row, "count", x->count);
    fill_flag(row, "all_zero", all_zero(x->words, x->count));
    fill_text(row, "words", listed(row->a, x->words, x->count));
    fill_text(row, "lines", in_lines(row->a, x->words, x->count));
    fill_text(row, "kind", bundle_is_uniform(s->m, x->set, x->binding) ? "uniform" : "storage");
    fill_flag(row, "all_defined", compared);
    fill_text(row, "expected_words",
              compared ? listed(row->a, s->expected[i].words, s->expected[i].count) : NULL);
}

struct set {
    const struct spv_case *c;
    uint32_t set;
};

static void resource_row(struct fill *row, const void *user, uint32_t i)
{
    const struct set *s = user;
    fill_flag(row, "in_set", s->c->buffer[i].set == s->set);
    fill_number(row, "set", s->set);
    fill_number(row, "binding", s->c->buffer[i].binding);
}

static void set_row(struct fill *row, const void *user, uint32_t i)
{
    const struct side *s = user;
    struct set *set = ARENA_NEW(row->a, struct set);
    *set = (struct set){s->c, i};
    fill_list(row, "resources", s->c->buffer_count, resource_row, set);
}

static uint32_t last_set(const struct spv_case *c)
{
    uint32_t last = 0;
    for (uint32_t b = 0; b < c->buffer_count; b++)
        last = c->buffer[b].set > last ? c->buffer[b].set : last;
    return last;
}

void bundle_case_values(const struct spv_case *c, const struct spv_module *m,
                        const struct spv_memory *expected, struct fill *f)
{
    struct side *s = ARENA_NEW(f->a, struct side);
    bool compares = false;
    *s = (struct side){c, m, expected};
    for (uint32_t b = 0; expected && b < c->buffer_count; b++)
        compares |= all_defined(&expected[b]);
    fill_text(f, "model", spv_model_name(c->model));
    fill_number(f, "subgroup", c->subgroup);
    fill_flag(f, "has_fixed_subgroup", c->subgroup != 0);
    fill_number(f, "spirv_minor", m->version >> 8 & 0xff);
    for (unsigned k = 0; k < 3; k++)
        fill_number(f, (const char *const[]){"groups_x", "groups_y", "groups_z"}[k], c->groups[k]);
    fill_list(f, "buffers", c->buffer_count, buffer_row, s);
    fill_list(f, "sets", last_set(c) + 1, set_row, s);
    fill_text(f, "push", c->push_count ? in_lines(f->a, c->push, c->push_count) : NULL);
    // offload-test-suite has neither push constants nor specialization constants.
    fill_flag(f, "is_offload_test", compares && !c->push_count && !c->spec_count);
}

const char *report_drawn(struct arena *a, const struct spv_case *c)
{
    static const char *const kinds[SPV_COVERS] = {"one triangle over all of it", "triangles",
                                                  "points", "lines"};
    struct text t = {.arena = a};
    if (!spv_stage_row(c->stage)->has_pixels)
        return "";
    text_add(&t, "// Drawn: %s", kinds[c->cover]);
    for (uint32_t i = 0; c->cover != SPV_COVER_FULL && i < c->vertex_count; i++)
        text_add(&t, " (%g, %g)", (double)c->vertex[i][0] / SPV_SUBPIXELS,
                 (double)c->vertex[i][1] / SPV_SUBPIXELS);
    text_add(&t,
             ", in pixels; a target of %u by %u, without attachments.\n"
             "// Its vertex shader: layout(location = 0) in vec2 at;\n"
             "// void main() { gl_Position = vec4(at, 0.0, 1.0); gl_PointSize = 1.0; }\n",
             c->target[0], c->target[1]);
    return t.v;
}
