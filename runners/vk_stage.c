// SPDX-License-Identifier: Apache-2.0
//
// The shader stages, one row each: how a pipeline is created and how its work is recorded. The rest
// of the backend uses the row.
#include "vk.h"

// ---- compute --------------------------------------------------------------------------

static bool compute_fits(const struct vk_device *d, const struct vk_module *m,
                         const struct spv_case *c, struct vk_shape *shape, struct err *why)
{
    const struct run_info *info = &d->info;
    uint32_t local[3];
    uint64_t invocations = 1;
    if (!spv_local_size(c, &m->view, local, why))
        return false;
    for (int i = 0; i < 3; i++) {
        invocations *= local[i];
        if (local[i] > info->max_size[i] || invocations > info->max_invocations)
            return err_set(
                why, "the workgroup is %ux%ux%u; the device supports %ux%ux%u and %u invocations",
                local[0], local[1], local[2], info->max_size[0], info->max_size[1],
                info->max_size[2], info->max_invocations);
        if (c->groups[i] > info->max_groups[i])
            return err_set(why,
                           "the dispatch has %ux%ux%u workgroups; the device supports %ux%ux%u",
                           c->groups[0], c->groups[1], c->groups[2], info->max_groups[0],
                           info->max_groups[1], info->max_groups[2]);
    }
    if (shape->require &&
        invocations > (uint64_t)shape->size * d->sizes.maxComputeWorkgroupSubgroups)
        return err_set(why,
                       "the device's limit is %u subgroups per workgroup if a size is "
                       "required; the case has %u invocations at size %u",
                       d->sizes.maxComputeWorkgroupSubgroups, (unsigned)invocations, shape->size);
    shape->full = d->features.size_control.computeFullSubgroups && local[0] % shape->size == 0;
    return true;
}

static VkResult compute_make(struct vk_device *d, const struct spv_case *c,
                             const VkPipelineShaderStageCreateInfo *stage,
                             VkPipelineCreateFlags flags, VkPipelineLayout layout, VkPipeline *out)
{
    (void)c;
    VkComputePipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .flags = flags,
        .stage = *stage,
        .layout = layout,
    };
    VkResult r;
    if (vk_cached_make(d, &info, out))
        return VK_SUCCESS;
    vk_isa_listen(d);
    VK_TIMED(d, r = vkCreateComputePipelines(d->handle, VK_NULL_HANDLE, 1, &info, NULL, out));
    vk_isa_heard(d);
    return r;
}

static void compute_issue(struct vk_device *d, const struct spv_case *c)
{
    vkCmdDispatch(d->command, c->groups[0], c->groups[1], c->groups[2]);
}

static bool compute_same(const struct vk_device *d, const struct spv_case *a,
                         const struct spv_case *b)
{
    (void)d, (void)a, (void)b;
    return true;
}

// ---- the table -----------------------------------------------------------------------

#define GRAPHICS(name)                                                                             \
    {                                                                                              \
        .stage = SPV_##name,                                                                       \
        .bit = VK_SHADER_STAGE_##name##_BIT,                                                       \
        .point = VK_PIPELINE_BIND_POINT_GRAPHICS,                                                  \
        .at = VK_PIPELINE_STAGE_##name##_SHADER_BIT,                                               \
        .call = "vkCreateGraphicsPipelines",                                                       \
        .patience = 3,                                                                             \
        .fits = vk_graphics_fits,                                                                  \
        .make = vk_graphics_make,                                                                  \
        .issue = vk_graphics_issue,                                                                \
        .same = vk_graphics_same,                                                                  \
    }

static const struct vk_stage stages[] = {
    {
        .stage = SPV_COMPUTE,
        .bit = VK_SHADER_STAGE_COMPUTE_BIT,
        .point = VK_PIPELINE_BIND_POINT_COMPUTE,
        .at = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
        .call = "vkCreateComputePipelines",
        .patience = 1,
        .fits = compute_fits,
        .make = compute_make,
        .issue = compute_issue,
        .same = compute_same,
    },
    GRAPHICS(FRAGMENT),
    GRAPHICS(VERTEX),
};

spv_needs vk_stages_lack(VkShaderStageFlags subgroups, bool draws)
{
    spv_needs lacks = 0;
    for (size_t i = 0; i < sizeof stages / sizeof *stages; i++)
        if (!(subgroups & (VkShaderStageFlags)stages[i].bit) ||
            (stages[i].point == VK_PIPELINE_BIND_POINT_GRAPHICS && !draws))
            lacks |= spv_stage_row(stages[i].stage)->needs;
    return lacks;
}

const struct vk_stage *vk_stage_of(const struct spv_case *c)
{
    for (size_t i = 0; i < sizeof stages / sizeof *stages; i++)
        if (stages[i].stage == c->stage)
            return &stages[i];
    CHECK(false);
    return NULL;
}
