// SPDX-License-Identifier: Apache-2.0
//
// A case as an Amber script: a module (the case's own, or what a compiler made of it), buffers,
// subgroup size, one dispatch, and an EXPECT for every word that the rules fix. Amber takes no
// masks: a word of which only some bits are defined is left out.
#include "bundle.h"

#include <string.h>

enum { VALUES = 16 }; // a line

static void values(struct text *t, const uint32_t *v, uint32_t n, const char *indent)
{
    for (uint32_t i = 0; i < n; i++) {
        text_add(t, "%s", i % VALUES == 0 ? (i ? "\n" : "") : " ");
        text_add(t, "%s", i % VALUES == 0 ? indent : "");
        text_u32(t, v[i]);
    }
    text_add(t, "\n");
}

static bool all_zero(const uint32_t *v, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (v[i])
            return false;
    return true;
}

static void buffers(struct text *t, const struct spv_case *c)
{
    for (uint32_t b = 0; b < c->buffer_count; b++) {
        const struct spv_buffer *x = &c->buffer[b];
        if (x->count == 0)
            continue;
        if (all_zero(x->words, x->count)) {
            text_add(t, "BUFFER b%u_%u DATA_TYPE uint32 SIZE %u FILL 0\n\n", x->set, x->binding,
                     x->count);
            continue;
        }
        text_add(t, "BUFFER b%u_%u DATA_TYPE uint32 DATA\n", x->set, x->binding);
        values(t, x->words, x->count, "  ");
        text_add(t, "END\n\n");
    }
    if (c->push_count) {
        text_add(t, "BUFFER push DATA_TYPE uint32 DATA\n");
        values(t, c->push, c->push_count, "  ");
        text_add(t, "END\n\n");
    }
}

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

// Uniform buffers are variables of class Uniform whose block is no BufferBlock.
static bool is_uniform(const struct spv_module *m, uint32_t set, uint32_t binding)
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

// Vulkan lets subgroups be asked to be full only where the workgroup's width is a multiple of their
// size (VUID-VkPipelineShaderStageCreateInfo-pNext-02757).
static bool full_subgroups(const struct spv_case *c, const struct spv_module *m)
{
    uint32_t local[3];
    return c->subgroup && spv_local_size(c, m, local, NULL) && local[0] % c->subgroup == 0;
}

static void requirements(struct text *t, const struct spv_case *c, const struct spv_module *m)
{
    static const struct {
        const char *spirv, *vulkan;
    } rows[] = {
        {"SPV_KHR_maximal_reconvergence", "VK_KHR_shader_maximal_reconvergence"},
        {"SPV_KHR_subgroup_uniform_control_flow", "VK_KHR_shader_subgroup_uniform_control_flow"},
        {"SPV_KHR_subgroup_rotate", "VK_KHR_shader_subgroup_rotate"},
        {"SPV_KHR_quad_control", "VK_KHR_shader_quad_control"},
        {"SPV_KHR_compute_shader_derivatives", "VK_KHR_compute_shader_derivatives"},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        if (has_extension(m, rows[k].spirv))
            text_add(t, "DEVICE_EXTENSION %s\n", rows[k].vulkan);
    if (c->subgroup)
        text_add(t,
                 "DEVICE_EXTENSION VK_EXT_subgroup_size_control\n"
                 "DEVICE_FEATURE SubgroupSizeControl.subgroupSizeControl\n%s",
                 full_subgroups(c, m) ? "DEVICE_FEATURE SubgroupSizeControl.computeFullSubgroups\n"
                                      : "");
    text_add(t, "\n");
}

static void pipeline(struct text *t, const struct spv_case *c, const struct spv_module *m)
{
    text_add(t, "PIPELINE compute pipeline\n  ATTACH shader ENTRY_POINT %s", entry_name(m));
    for (uint32_t k = 0; k < c->spec_count; k++) {
        const struct spv_spec *s = &c->spec[k];
        float f;
        memcpy(&f, &s->value, sizeof f);
        if (s->type[0] == 'f')
            text_add(t, " SPECIALIZE %u AS float %.9g", s->id, (double)f);
        else if (s->type[0] == 'i')
            text_add(t, " SPECIALIZE %u AS int32 %d", s->id, (int32_t)s->value);
        else
            text_add(t, " SPECIALIZE %u AS uint32 %u", s->id, s->value);
    }
    text_add(t, "\n");
    if (c->subgroup)
        text_add(t, "  SUBGROUP shader\n%s    REQUIRED_SIZE %u\n  END\n",
                 full_subgroups(c, m) ? "    FULLY_POPULATED on\n" : "", c->subgroup);
    for (uint32_t b = 0; b < c->buffer_count; b++) {
        const struct spv_buffer *x = &c->buffer[b];
        if (x->count)
            text_add(t, "  BIND BUFFER b%u_%u AS %s DESCRIPTOR_SET %u BINDING %u\n", x->set,
                     x->binding, is_uniform(m, x->set, x->binding) ? "uniform" : "storage", x->set,
                     x->binding);
    }
    if (c->push_count)
        text_add(t, "  BIND BUFFER push AS push_constant\n");
    text_add(t, "END\n\nRUN pipeline %u %u %u\n\n", c->groups[0], c->groups[1], c->groups[2]);
}

// Runs of words that are wholly defined.
static void expect(struct text *t, const struct spv_memory *m, uint32_t *left_out)
{
    for (uint32_t i = 0; i < m->count;) {
        if (m->mask && m->mask[i] != UINT32_MAX) {
            *left_out += m->mask[i] != 0;
            i++;
            continue;
        }
        text_add(t, "EXPECT b%u_%u IDX %u EQ", m->set, m->binding, i * 4);
        for (uint32_t n = 0; n < VALUES && i < m->count && (!m->mask || m->mask[i] == UINT32_MAX);
             n++, i++) {
            text_add(t, " ");
            text_u32(t, m->words[i]);
        }
        text_add(t, "\n");
    }
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
    const char *assembly;
    if (!spv_module_read(a, words, count, &m, e) ||
        !spv_disassemble(tools, a, words, count, &assembly, e))
        return false;
    text_add(t,
             "#!amber\n"
             "# Words that the rules leave open are not compared. The expectations hold for the\n"
             "# lane mapping that the first of them check, where the shader writes its own.\n\n");
    requirements(t, c, &m);
    // Comments of the assembly stay assembly's; the script has none inside of a shader.
    text_add(t, "SHADER compute shader SPIRV-ASM TARGET_ENV spv1.%u\n%s%sEND\n\n",
             m.version >> 8 & 0xff, assembly,
             assembly[0] && assembly[strlen(assembly) - 1] == '\n' ? "" : "\n");
    buffers(t, c);
    pipeline(t, c, &m);
    uint32_t lanes =
        c->has_lanes ? judge_buffer_index(c, c->lanes_set, c->lanes_binding) : UINT32_MAX;
    uint32_t left_out = 0;
    if (expected && lanes < c->buffer_count)
        expect(t, &expected[lanes], &left_out);
    for (uint32_t b = 0; expected && b < c->buffer_count; b++)
        if (b != lanes)
            expect(t, &expected[b], &left_out);
    if (left_out)
        text_add(t, "# %u words of which only some bits are defined are left out.\n", left_out);
    return true;
}
