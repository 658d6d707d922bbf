// SPDX-License-Identifier: Apache-2.0
//
// Prints a case. Keys have their canonical order (docs/case-format.md).
#include "case_inner.h"

#include <math.h>
#include <string.h>

static void print_buffer(struct text *out, const struct spv_buffer *b)
{
    text_add(out, "; %s %u:%u", b->image.count ? "image" : "buffer", b->set, b->binding);
    if (b->image.count)
        print_form(out, &b->image);
    if (b->elements)
        text_add(out, " x%u", b->elements);
    text_addn(out, " ", 1);
    switch (b->fill) {
    case SPV_FILL_WORDS:
        text_add(out, "u32");
        print_words(out, b->words, b->count, b->hex);
        break;
    case SPV_FILL_ZERO:
        text_add(out, "zero %u", b->count);
        break;
    case SPV_FILL_SEED:
        text_add(out, "seed %llu %u", (unsigned long long)b->seed, b->count);
        break;
    case SPV_FILL_FILE:
        text_add(out, "file %s", b->file);
        break;
    }
    text_addn(out, "\n", 1);
}

void print_value(struct text *out, const char *type, uint32_t value)
{
    float f;
    memcpy(&f, &value, sizeof f);
    if (type[0] == 'i')
        text_add(out, "%d", (int32_t)value);
    else if (type[0] == 'f' && isfinite(f))
        text_add(out, "%.9g", (double)f);
    else if (type[0] == 'f') // infinity; a NaN with its bits
        text_add(out, "0x%x", value);
    else
        text_add(out, "%u", value);
}

static void print_spec(struct text *out, const struct spv_spec *s)
{
    text_add(out, "; spec %u %s ", s->id, s->type);
    print_value(out, s->type, s->value);
    text_addn(out, "\n", 1);
}

static void print_metadata(struct text *out, const struct spv_case *c)
{
    text_add(out, "; tanglefuzz-case %d\n", CASE_FORMAT);
    print_stage(c, out);
    if (c->subgroup)
        text_add(out, "; subgroup %u\n", c->subgroup);
    else
        text_add(out, "; subgroup any\n");
    text_add(out, "; model %s\n", spv_model_name(c->model));
    if (c->push_count) {
        text_add(out, "; push u32");
        print_words(out, c->push, c->push_count, c->push_hex);
        text_addn(out, "\n", 1);
    }
    for (uint32_t i = 0; i < c->spec_count; i++)
        print_spec(out, &c->spec[i]);
    for (uint32_t i = 0; i < c->buffer_count; i++)
        print_buffer(out, &c->buffer[i]);
    print_images(out, c);
    for (uint32_t i = 0; i < c->expect_count; i++) {
        text_add(out, "; expect ");
        print_memory(out, &c->expect[i]);
    }
    if (c->has_log)
        text_add(out, "; log %u:%u stride %u\n", c->log_set, c->log_binding, c->log_stride);
    if (c->has_lanes)
        text_add(out, "; lanes %u:%u%s\n", c->lanes_set, c->lanes_binding,
                 c->lanes_packed ? " packed" : "");
    print_coverage(c, out);
    if (c->has_policy) {
        text_add(out, "; policy ");
        spv_choices_print(&c->policy, out);
        text_add(out, "\n");
    }
    if (c->verdict != SPV_VERDICT_NONE)
        text_add(out, "; verdict %s %s\n",
                 c->verdict == SPV_VERDICT_UNDEFINED ? "undefined" : "invalid", c->verdict_rule);
    if (c->inputs_of)
        text_add(out, "; inputs %u of %u\n", c->inputs_at, c->inputs_of);
    if (c->from)
        text_add(out, "; from %s\n", c->from);
}

bool spv_case_print(struct spv_tools *t, const struct spv_case *c, struct text *out, struct err *e)
{
    CHECK(c->push_count <= SPV_CASE_PUSH && c->spec_count <= SPV_CASE_SPECS &&
          c->buffer_count <= SPV_CASE_BUFFERS && c->expect_count <= SPV_CASE_BUFFERS &&
          c->image_count <= SPV_CASE_IMAGES && c->sampler_count <= SPV_CASE_IMAGES);
    CHECK(c->verdict == SPV_VERDICT_NONE || c->verdict_rule);
    CHECK(!c->from || !strpbrk(c->from, "\r\n"));
    const char *body = c->body;
    if (!body && !spv_disassemble(t, out->arena, c->words, c->count, &body, e))
        return false;
    print_metadata(out, c);
    // A comment directly below the metadata would be read as metadata.
    if (body[0] == ';')
        text_addn(out, "\n", 1);
    text_addn(out, body, strlen(body));
    return true;
}
