// SPDX-License-Identifier: Apache-2.0
//
// A case as an Amber script (templates/tests/case.amber): a module (the case's own, or what a
// compiler produced from it), buffers, subgroup size, one dispatch, and an EXPECT for every word
// that the rules determine. Amber has no masks, so a word with only some defined bits is left out.
#include "bundle.h"

#include <string.h>

enum { VALUES = 16 }; // a line

static const char *entry_name(const struct spv_module *m)
{
    for (uint32_t k = 0; k < m->inst_count; k++) {
        const struct spv_inst *i = &m->insts[k];
        if (i->op == SpvOpEntryPoint && i->n > 2 && i->v[0] == SpvExecutionModelGLCompute)
            return spv_string(i->v + 2, i->n - 2);
    }
    return "main";
}

static bool has_extension(const struct spv_module *m, const char *name)
{
    for (uint32_t k = 0; k < m->inst_count; k++) {
        const struct spv_inst *i = &m->insts[k];
        const char *s = i->op == SpvOpExtension ? spv_string(i->v, i->n) : NULL;
        if (s && strcmp(s, name) == 0)
            return true;
    }
    return false;
}

// Vulkan lets subgroups be asked to be full only where the workgroup's width is a multiple of their
// size (VUID-VkPipelineShaderStageCreateInfo-pNext-02757).
static bool full_subgroups(const struct spv_case *c, const struct spv_module *m)
{
    uint32_t local[3];
    return c->subgroup && spv_local_size(c, m, local, NULL) && local[0] % c->subgroup == 0;
}

static const struct {
    const char *spirv, *vulkan;
} extensions[] = {
    {"SPV_KHR_maximal_reconvergence", "VK_KHR_shader_maximal_reconvergence"},
    {"SPV_KHR_subgroup_uniform_control_flow", "VK_KHR_shader_subgroup_uniform_control_flow"},
    {"SPV_KHR_subgroup_rotate", "VK_KHR_shader_subgroup_rotate"},
    {"SPV_KHR_quad_control", "VK_KHR_shader_quad_control"},
    {"SPV_KHR_compute_shader_derivatives", "VK_KHR_compute_shader_derivatives"},
    {"SPV_NV_shader_subgroup_partitioned", "VK_NV_shader_subgroup_partitioned"},
};

// Capabilities that need a feature of the device, by Amber's names. The Vulkan CTS has the same
// names, but for those without a dot, which are of its "Features".
static const struct {
    uint32_t capability;
    const char *feature;
} features[] = {
    {SpvCapabilityInt16, "shaderInt16"},
    {SpvCapabilityInt64, "shaderInt64"},
    {SpvCapabilityFloat64, "shaderFloat64"},
    {SpvCapabilityInt8, "Float16Int8Features.shaderInt8"},
    {SpvCapabilityFloat16, "Float16Int8Features.shaderFloat16"},
    {SpvCapabilityVariablePointersStorageBuffer,
     "VariablePointerFeatures.variablePointersStorageBuffer"},
};

static bool has_capability(const struct spv_module *m, uint32_t capability)
{
    for (uint32_t k = 0; k < m->inst_count; k++)
        if (m->insts[k].op == SpvOpCapability && m->insts[k].v[0] == capability)
            return true;
    return false;
}

uint32_t bundle_features(const struct spv_module *m)
{
    uint32_t set = 0;
    for (uint32_t i = 0; i < sizeof features / sizeof *features; i++)
        set |= (uint32_t)has_capability(m, features[i].capability) << i;
    return set;
}

const char *bundle_cts_feature(struct arena *a, uint32_t row)
{
    if (row >= sizeof features / sizeof *features)
        return NULL;
    const char *name = features[row].feature;
    return arena_printf(a, "%s%s", strchr(name, '.') ? "" : "Features.", name);
}

static void feature_row(struct fill *row, const void *user, uint32_t i)
{
    fill_text(row, "feature", features[i].feature);
    fill_text(row, "cts_feature", bundle_cts_feature(row->a, i));
    fill_flag(row, "used", has_capability(user, features[i].capability));
}

static void extension_row(struct fill *row, const void *user, uint32_t i)
{
    fill_text(row, "extension", extensions[i].vulkan);
    fill_flag(row, "used", has_extension(user, extensions[i].spirv));
}

void bundle_amber_needs(const struct spv_module *m, struct fill *f)
{
    fill_list(f, "extensions", sizeof extensions / sizeof *extensions, extension_row, m);
    fill_list(f, "features", sizeof features / sizeof *features, feature_row, m);
}

static void constant_row(struct fill *row, const void *user, uint32_t i)
{
    const struct spv_spec *s = &((const struct spv_case *)user)->spec[i];
    float f;
    memcpy(&f, &s->value, sizeof f);
    fill_number(row, "id", s->id);
    fill_text(row, "value",
              s->type[0] == 'f'   ? arena_printf(row->a, "float %.9g", (double)f)
              : s->type[0] == 'i' ? arena_printf(row->a, "int32 %d", (int32_t)s->value)
                                  : arena_printf(row->a, "uint32 %u", s->value));
}

// Words of a buffer that are defined and follow each other, at most VALUES.
struct expectation {
    const struct spv_memory *m;
    uint32_t at, n;
};
struct expectations {
    VEC(struct expectation) v;
    uint32_t left_out; // words with only some defined bits
};

static void expect(struct arena *a, const struct spv_memory *m, struct expectations *x)
{
    for (uint32_t i = 0; i < m->count;) {
        uint32_t n = 0;
        while (n < VALUES && i + n < m->count && (!m->mask || m->mask[i + n] == UINT32_MAX))
            n++;
        if (n)
            *VEC_PUSH(a, &x->v) = (struct expectation){m, i, n};
        else
            x->left_out += m->mask[i] != 0;
        i += n ? n : 1;
    }
}

static void expectation_row(struct fill *row, const void *user, uint32_t i)
{
    const struct expectation *x = &((const struct expectations *)user)->v.v[i];
    struct text t = {.arena = row->a};
    for (uint32_t k = 0; k < x->n; k++) {
        text_add(&t, " ");
        text_u32(&t, x->m->words[x->at + k]);
    }
    fill_number(row, "set", x->m->set);
    fill_number(row, "binding", x->m->binding);
    fill_number(row, "byte", x->at * 4);
    fill_text(row, "values", t.v);
}

bool bundle_amber_says(const struct spv_case *c)
{
    bool images = c->image_count || c->sampler_count;
    for (uint32_t k = 0; k < c->buffer_count; k++)
        images |= c->buffer[k].image.count != 0;
    return spv_stage_row(c->stage)->has_workgroups && !images;
}

bool bundle_amber(struct spv_tools *tools, const struct spv_case *c, const uint32_t *words,
                  size_t count, const struct spv_memory *expected, struct text *t, struct err *e)
{
    struct arena *a = t->arena;
    struct spv_module m;
    struct fill f = {.a = a};
    struct expectations x = {0};
    const char *assembly;
    if (!spv_module_read(a, words, count, &m, e) ||
        !spv_disassemble(tools, a, words, count, &assembly, e))
        return false;
    const uint32_t lanes =
        c->has_lanes ? spv_buffer_index(c, c->lanes_set, c->lanes_binding) : UINT32_MAX;
    if (expected && lanes < c->buffer_count)
        expect(a, &expected[lanes], &x);
    for (uint32_t b = 0; expected && b < c->buffer_count; b++)
        if (b != lanes)
            expect(a, &expected[b], &x);
    const bool line_ends = assembly[0] && assembly[strlen(assembly) - 1] == '\n';
    bundle_case_values(c, &m, expected, &f);
    bundle_amber_needs(&m, &f);
    fill_flag(&f, "full_subgroups", full_subgroups(c, &m));
    fill_text(&f, "assembly", line_ends ? assembly : arena_printf(a, "%s\n", assembly));
    fill_text(&f, "entry_point", entry_name(&m));
    fill_list(&f, "constants", c->spec_count, constant_row, c);
    fill_list(&f, "expectations", (uint32_t)x.v.n, expectation_row, &x);
    fill_number(&f, "left_out", x.left_out);
    fill_template("tests/case.amber", &f, t);
    return true;
}
