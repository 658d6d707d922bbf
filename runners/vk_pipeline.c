// SPDX-License-Identifier: Apache-2.0
//
// Layouts, cached for modules with the same buffers, and pipelines.
#include "vk.h"

#include <stdlib.h>
#include <string.h>

enum { LAYOUTS_MAX = 32 };

struct vk_layouts {
    struct vk_layout *v[LAYOUTS_MAX];
    uint32_t n;
};

struct vk_layouts *vk_layouts_new(void)
{
    struct vk_layouts *l = mem_new(sizeof *l);
    return l;
}

static void layout_free(struct vk_device *d, struct vk_layout *l)
{
    if (l->pool)
        vkDestroyDescriptorPool(d->handle, l->pool, NULL);
    if (l->handle)
        vkDestroyPipelineLayout(d->handle, l->handle, NULL);
    for (uint32_t i = 0; i < l->set_count; i++)
        if (l->set_layout[i])
            vkDestroyDescriptorSetLayout(d->handle, l->set_layout[i], NULL);
    free(l->set_layout);
    free(l->set);
    free(l);
}

static void drop_all(struct vk_device *d)
{
    for (uint32_t i = 0; i < d->layouts->n; i++)
        layout_free(d, d->layouts->v[i]);
    d->layouts->n = 0;
}

void vk_layouts_free(struct vk_device *d)
{
    if (d->layouts)
        drop_all(d);
    free(d->layouts);
    d->layouts = NULL;
}

void vk_layouts_unbind(struct vk_device *d)
{
    for (uint32_t i = 0; i < d->layouts->n; i++)
        memset(d->layouts->v[i]->bound, 0, sizeof d->layouts->v[i]->bound);
}

static VkResult make_set_layout(struct vk_device *d, struct vk_layout *l, uint32_t set)
{
    VkDescriptorSetLayoutBinding bindings[SPV_CASE_BUFFERS + 2 * SPV_CASE_IMAGES];
    uint32_t n = 0;
    for (uint32_t i = 0; i < l->binding_count; i++)
        if (l->binding[i].set == set)
            bindings[n++] = (VkDescriptorSetLayoutBinding){
                .binding = l->binding[i].binding,
                .descriptorType = l->binding[i].type,
                .descriptorCount = l->binding[i].count,
                .stageFlags = l->stage,
            };
    VkDescriptorSetLayoutCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .bindingCount = n,
        .pBindings = bindings,
    };
    return vkCreateDescriptorSetLayout(d->handle, &info, NULL, &l->set_layout[set]);
}

static VkResult make_sets(struct vk_device *d, struct vk_layout *l)
{
    VkDescriptorPoolSize sizes[2 + 2 * SPV_CASE_IMAGES + SPV_CASE_BUFFERS] = {
        {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, SPV_CASE_BUFFERS},
        {VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, SPV_CASE_BUFFERS},
    };
    uint32_t n = 2;
    for (uint32_t i = 0; i < l->binding_count; i++)
        if (!vk_binding_is_buffer(&l->binding[i]))
            sizes[n++] = (VkDescriptorPoolSize){l->binding[i].type, l->binding[i].count};
    VkDescriptorPoolCreateInfo pool = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
        .maxSets = l->set_count,
        .poolSizeCount = n,
        .pPoolSizes = sizes,
    };
    VkResult r = vkCreateDescriptorPool(d->handle, &pool, NULL, &l->pool);
    if (r != VK_SUCCESS)
        return r;
    VkDescriptorSetAllocateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
        .descriptorPool = l->pool,
        .descriptorSetCount = l->set_count,
        .pSetLayouts = l->set_layout,
    };
    return vkAllocateDescriptorSets(d->handle, &info, l->set);
}

static VkResult make_layout(struct vk_device *d, struct vk_layout *l)
{
    for (uint32_t i = 0; i < l->binding_count; i++)
        if (l->binding[i].set >= l->set_count)
            l->set_count = l->binding[i].set + 1;
    l->set_layout = calloc(l->set_count + 1u, sizeof *l->set_layout);
    l->set = calloc(l->set_count + 1u, sizeof *l->set);
    CHECK(l->set_layout && l->set);
    VkResult r = VK_SUCCESS;
    for (uint32_t i = 0; i < l->set_count && r == VK_SUCCESS; i++)
        r = make_set_layout(d, l, i);
    VkPushConstantRange push = {l->stage, 0, l->push_bytes};
    VkPipelineLayoutCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
        .setLayoutCount = l->set_count,
        .pSetLayouts = l->set_layout,
        .pushConstantRangeCount = l->push_bytes > 0,
        .pPushConstantRanges = &push,
    };
    if (r == VK_SUCCESS)
        r = vkCreatePipelineLayout(d->handle, &info, NULL, &l->handle);
    if (r == VK_SUCCESS && l->set_count)
        r = make_sets(d, l);
    return r;
}

static VkDescriptorType type_of(const struct vk_module *m, const struct spv_buffer *b)
{
    if (b->image.count)
        return vk_storage_type(b);
    for (uint32_t i = 0; i < m->binding_count; i++)
        if (m->bindings[i].set == b->set && m->bindings[i].binding == b->binding)
            return m->bindings[i].type;
    return VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
}

struct vk_layout *vk_layout_get(struct vk_device *d, const struct vk_module *m,
                                const struct spv_case *c, VkResult *r)
{
    struct vk_layout want = {.stage = m->stage->bit, .binding_count = c->buffer_count};
    for (uint32_t i = 0; i < c->buffer_count; i++)
        want.binding[i] =
            (struct vk_binding){.set = c->buffer[i].set,
                                .binding = c->buffer[i].binding,
                                .count = c->buffer[i].image.count ? c->buffer[i].image.count : 1,
                                .type = type_of(m, &c->buffer[i])};
    want.binding_count += vk_image_bindings(c, want.binding + c->buffer_count);
    // The range must cover the module's push constant block, even if the case has fewer words. The
    // same size is used for all modules.
    uint32_t most = SPV_CASE_PUSH * sizeof(uint32_t);
    if (m->push)
        want.push_bytes =
            d->limits.maxPushConstantsSize < most ? d->limits.maxPushConstantsSize & ~3u : most;
    struct vk_layouts *all = d->layouts;
    *r = VK_SUCCESS;
    for (uint32_t i = 0; i < all->n; i++)
        if (all->v[i]->stage == want.stage && all->v[i]->binding_count == want.binding_count &&
            all->v[i]->push_bytes == want.push_bytes &&
            memcmp(all->v[i]->binding, want.binding, want.binding_count * sizeof want.binding[0]) ==
                0)
            return all->v[i];
    if (all->n == LAYOUTS_MAX)
        drop_all(d);
    struct vk_layout *l = malloc(sizeof *l);
    CHECK(l);
    *l = want;
    VK_TIMED(d, *r = make_layout(d, l));
    if (*r != VK_SUCCESS) {
        layout_free(d, l);
        return NULL;
    }
    all->v[all->n++] = l;
    return l;
}

VkResult vk_pipeline_make(struct vk_device *d, const struct vk_module *m, const struct spv_case *c,
                          const struct vk_layout *l, struct vk_shape shape, VkShaderModule module,
                          VkPipeline *out)
{
    VkSpecializationMapEntry entries[SPV_CASE_SPECS];
    uint32_t values[SPV_CASE_SPECS];
    for (uint32_t i = 0; i < c->spec_count; i++) {
        entries[i] = (VkSpecializationMapEntry){c->spec[i].id, (uint32_t)(i * sizeof(uint32_t)),
                                                sizeof(uint32_t)};
        values[i] = c->spec[i].value;
    }
    VkSpecializationInfo spec = {
        .mapEntryCount = c->spec_count,
        .pMapEntries = entries,
        .dataSize = c->spec_count * sizeof(uint32_t),
        .pData = values,
    };
    VkPipelineShaderStageRequiredSubgroupSizeCreateInfo size = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO,
        .requiredSubgroupSize = shape.require,
    };
    bool capture = (d->driver_text || d->isa) && d->features.executables.pipelineExecutableInfo;
    VkPipelineShaderStageCreateInfo stage = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
        .pNext = shape.require ? &size : NULL,
        .flags =
            (shape.full ? VK_PIPELINE_SHADER_STAGE_CREATE_REQUIRE_FULL_SUBGROUPS_BIT : 0u) |
            (shape.varying ? VK_PIPELINE_SHADER_STAGE_CREATE_ALLOW_VARYING_SUBGROUP_SIZE_BIT : 0u),
        .stage = m->stage->bit,
        .module = module,
        .pName = m->entry,
        .pSpecializationInfo = c->spec_count ? &spec : NULL,
    };
    const VkPipelineCreateFlags flags =
        capture ? VK_PIPELINE_CREATE_CAPTURE_INTERNAL_REPRESENTATIONS_BIT_KHR : 0u;
    return m->stage->make(d, c, &stage, flags, l->handle, out);
}
