// SPDX-License-Identifier: Apache-2.0
//
// A case as one C file on Vulkan, which runs without tanglefuzz. Its template is in
// templates/tests/.
#include "bundle.h"

#include "spirv/spirv_draw.h"

#include <string.h>

enum { VALUES = 8 }; // words on a line

static const char *words_text(struct arena *a, const uint32_t *v, size_t n)
{
    struct text t = {.arena = a};
    for (size_t i = 0; i < n; i++) {
        text_add(&t, "%s", i % VALUES ? " " : "    ");
        text_hex(&t, v[i]);
        text_add(&t, (i + 1) % VALUES && i + 1 < n ? "," : ",\n");
    }
    return n ? t.v : "";
}

static const char *floats_text(struct arena *a, const float *v, size_t n)
{
    struct text t = {.arena = a};
    for (size_t i = 0; i < n; i++)
        text_add(&t, "%s%.9gf,%s", i % 2 ? " " : "    ", (double)v[i],
                 i % 2 || i + 1 == n ? "\n" : "");
    return t.v;
}

const char *bundle_standalone_lacks(const struct spv_case *c)
{
    if (c->image_count || c->sampler_count)
        return "images or samplers";
    for (uint32_t i = 0; i < c->buffer_count; i++)
        if (c->buffer[i].image.count || c->buffer[i].elements ||
            c->buffer[i].set == SPV_ADDRESS_SET)
            return "storage images, arrays of buffers or addresses";
    return NULL;
}

bool bundle_runs_output(const struct report_view *w)
{
    return w->output && w->expected && judge_class_is_mismatch(w->verdict.klass);
}

static const struct {
    const char *name, *words;
} topologies[SPV_COVERS] = {
    [SPV_COVER_FULL] = {"TRIANGLE_LIST", "triangles"},
    [SPV_COVER_TRIANGLES] = {"TRIANGLE_LIST", "triangles"},
    [SPV_COVER_POINTS] = {"POINT_LIST", "points"},
    [SPV_COVER_LINES] = {"LINE_LIST", "lines"},
};

// What is drawn. A float in C has a point or an exponent.
static void drawn(const struct spv_case *c, struct fill *f)
{
    const struct spv_stage_row *row = spv_stage_row(c->stage);
    struct spv_draw draw = {0};
    size_t count = 0;
    const uint32_t *vertex = NULL;
    if (row->has_pixels) {
        spv_draw(c, &draw);
        vertex = spv_draw_vertex_shader(f->a, &count);
    }
    const enum spv_cover cover = row->has_pixels ? c->cover : SPV_COVER_POINTS;
    fill_text(f, "vertex_words", vertex ? words_text(f->a, vertex, count) : NULL);
    fill_text(f, "positions",
              vertex ? floats_text(f->a, draw.at[0], (size_t)draw.vertices * 2) : NULL);
    fill_number(f, "vertices", row->has_pixels ? draw.vertices : c->target[0]);
    fill_number(f, "width", row->has_pixels ? c->target[0] : 1);
    fill_number(f, "height", row->has_pixels ? c->target[1] : 1);
    fill_text(f, "topology", topologies[cover].name);
    fill_text(f, "topology_words", topologies[cover].words);
    fill_text(f, "viewport",
              row->has_pixels
                  ? arena_printf(f->a, "%.9g, %.9g, %.9g, %.9g", (double)draw.x, (double)draw.y,
                                 (double)draw.width, (double)draw.height)
                  : "0, 0, 1, 1");
}

struct side {
    const struct spv_case *c;
    const struct spv_module *m;
    const struct spv_memory *expected;
};

static void buffer_row(struct fill *row, const void *user, uint32_t i)
{
    const struct side *s = user;
    const struct spv_buffer *x = &s->c->buffer[i];
    const struct spv_memory *e = s->expected ? &s->expected[i] : NULL;
    fill_number(row, "set", x->set);
    fill_number(row, "binding", x->binding);
    fill_number(row, "count", x->count);
    fill_text(row, "c_words", words_text(row->a, x->words, x->count));
    fill_text(row, "c_kind", bundle_is_uniform(s->m, x->set, x->binding) ? "UNIFORM" : "STORAGE");
    fill_text(row, "c_expected", e ? words_text(row->a, e->words, e->count) : NULL);
    fill_text(row, "c_mask", e && e->mask ? words_text(row->a, e->mask, e->count) : NULL);
}

static const char *entry_name(const struct spv_case *c, const struct spv_module *m)
{
    for (uint32_t k = 0; k < m->inst_count; k++) {
        const struct spv_inst *i = &m->insts[k];
        if (i->op == SpvOpEntryPoint && i->v[0] == spv_stage_row(c->stage)->model)
            return spv_string(i->v + 2, i->n - 2u);
    }
    return "main";
}

static const char *listed(struct arena *a, const uint32_t *v, uint32_t n)
{
    struct text t = {.arena = a};
    for (uint32_t i = 0; i < n; i++)
        text_add(&t, "%s0x%x", i ? ", " : "", v[i]);
    return n ? t.v : "0";
}

void bundle_standalone(const struct bundle *b, struct text *out)
{
    const struct report_view *w = b->w;
    const struct spv_case *c = &w->c;
    const bool output = bundle_runs_output(w);
    struct fill *f = &(struct fill){.a = out->arena};
    uint32_t ids[SPV_CASE_SPECS], values[SPV_CASE_SPECS], sets = 0;
    const struct side s = {c, &b->m, w->expected};
    for (uint32_t i = 0; i < c->spec_count; i++) {
        ids[i] = c->spec[i].id;
        values[i] = c->spec[i].value;
    }
    for (uint32_t i = 0; i < c->buffer_count; i++)
        sets = c->buffer[i].set + 1 > sets ? c->buffer[i].set + 1 : sets;
    fill_text(f, "title", report_title(f->a, w->f, w->bucket->signature));
    fill_flag(f, "runs_output", output);
    char *stage = arena_str(f->a, spv_stage_row(c->stage)->name);
    for (char *x = stage; *x; x++)
        *x = (char)(*x - 'a' + 'A'); // names are lower case letters
    fill_text(f, "stage_name", stage);
    fill_flag(f, "is_compute", spv_stage_row(c->stage)->has_workgroups);
    fill_number(f, "subgroup", c->subgroup);
    fill_number(f, "full_subgroups_number", c->subgroup && b->local[0] % c->subgroup == 0);
    fill_number(f, "buffer_count", c->buffer_count);
    fill_number(f, "set_count", sets);
    fill_number(f, "push_count", c->push_count);
    fill_number(f, "spec_count", c->spec_count);
    for (unsigned k = 0; k < 3; k++)
        fill_number(f, (const char *const[]){"groups_x", "groups_y", "groups_z"}[k], c->groups[k]);
    fill_text(f, "module_words",
              words_text(f->a, output ? w->output : c->words, output ? w->output_count : c->count));
    fill_text(f, "push_words", listed(f->a, c->push, c->push_count));
    fill_text(f, "spec_ids", listed(f->a, ids, c->spec_count));
    fill_text(f, "spec_values", listed(f->a, values, c->spec_count));
    fill_text(f, "entry_point", entry_name(c, &b->m));
    fill_number(f, "log_stride", c->has_log ? c->log_stride : 0);
    fill_number(f, "log_set", c->log_set);
    fill_number(f, "log_binding", c->log_binding);
    fill_list(f, "buffers", c->buffer_count, buffer_row, &s);
    drawn(c, f);
    fill_template("tests/case.c.txt", f, out);
}
