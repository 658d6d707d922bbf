// SPDX-License-Identifier: Apache-2.0
//
// Checks what a module and a case need against what the device offers, before the driver sees
// either. A shader that the device does not claim to support cannot lead to a finding.
#include "vk.h"

#include "spirv/spirv_groups.h"

#include <string.h>

// ---- features --------------------------------------------------------------------

static bool offered(const struct vk_device *d, spv_needs need, struct err *why)
{
    return run_offers(&d->info, need) ||
           err_set(why, "the device does not offer %s", spv_need_meaning(need));
}

static bool mode_fits(const struct vk_device *d, uint32_t mode, struct err *why)
{
    if (mode == SpvExecutionModeMaximallyReconvergesKHR)
        return offered(d, SPV_NEED(MAXIMAL_RECONVERGENCE), why);
    if (mode == SpvExecutionModeSubgroupUniformControlFlowKHR)
        return offered(d, SPV_NEED(SUBGROUP_UNIFORM), why);
    if (mode == SpvExecutionModeLocalSizeId && !d->features.maintenance4.maintenance4)
        return err_set(why, "the device does not offer LocalSizeId (maintenance4)");
    return true;
}

static bool is_constant(const struct spv_module *m, uint32_t id)
{
    const struct spv_inst *def = spv_def(m, id);
    return def && def->op >= SpvOpConstantTrue && def->op <= SpvOpSpecConstantOp;
}

// Checks instructions that need a feature but have no capability of their own.
static bool instruction_fits(const struct vk_device *d, const struct vk_module *m,
                             const struct spv_inst *in, struct err *why)
{
    if (in->op == SpvOpGroupNonUniformRotateKHR && spv_group_cluster(in))
        return offered(d, SPV_NEED(ROTATE_CLUSTERED), why);
    if ((in->op == SpvOpGroupNonUniformBroadcast || in->op == SpvOpGroupNonUniformQuadBroadcast) &&
        in->n > 2 && !is_constant(&m->view, in->v[2]))
        return offered(d, SPV_NEED(LANE_VALUE), why);
    if (in->op == SpvOpTerminateInvocation && !d->features.terminate.shaderTerminateInvocation)
        return err_set(why, "the device does not offer OpTerminateInvocation");
    if (in->op == SpvOpCapability && in->v[0] == SpvCapabilityGroupNonUniform &&
        !(d->subgroup_stages & (VkShaderStageFlags)m->stage->bit))
        return err_set(why, "the device does not offer group operations in this stage");
    if (in->op == SpvOpCapability && in->v[0] == SpvCapabilityGroupNonUniformQuad &&
        !(d->quad_stages & (VkShaderStageFlags)m->stage->bit))
        return err_set(why, "the device does not offer quad operations in this stage");
    return true;
}

// ---- bindings --------------------------------------------------------------------

static bool decoration(const struct spv_module *m, uint32_t id, SpvDecoration which,
                       uint32_t *value)
{
    for (uint32_t i = 0; i < m->inst_count && m->insts[i].op != SpvOpFunction; i++) {
        const struct spv_inst *in = &m->insts[i];
        if (in->op == SpvOpDecorate && in->n >= 2 && in->v[0] == id &&
            in->v[1] == (uint32_t)which) {
            if (value)
                *value = in->n > 2 ? in->v[2] : 0;
            return true;
        }
    }
    return false;
}

// Returns the binding of a resource variable: one buffer, or an image or sampler, or an array of
// these.
static bool resource(const struct spv_module *m, const struct spv_inst *var, struct vk_binding *out,
                     struct err *why)
{
    uint32_t sc = var->v[0];
    if (!decoration(m, var->result, SpvDecorationDescriptorSet, &out->set) ||
        !decoration(m, var->result, SpvDecorationBinding, &out->binding))
        return err_set(why, "variable %%%u lacks a descriptor set or binding", var->result);
    const struct spv_inst *pointer = spv_def(m, var->type);
    const struct spv_inst *block = pointer && pointer->op == SpvOpTypePointer && pointer->n > 1
                                       ? spv_def(m, pointer->v[1])
                                       : NULL;
    out->count = 1;
    if (sc == SpvStorageClassUniformConstant && block) {
        const bool some = block->op == SpvOpTypeArray, open = block->op == SpvOpTypeRuntimeArray;
        const struct spv_inst *size = some ? spv_def(m, block->v[1]) : NULL;
        if (some || open)
            block = spv_def(m, block->v[0]);
        out->count = open ? 0 : size && size->op == SpvOpConstant && size->n ? size->v[0] : !some;
        return (block && (open || out->count) && vk_image_binding(m, block, out)) ||
               err_set(why, "binding %u:%u is not a supported image or sampler", out->set,
                       out->binding);
    }
    if (!block || block->op != SpvOpTypeStruct)
        return err_set(why, "binding %u:%u is not a single buffer", out->set, out->binding);
    bool uniform = sc == SpvStorageClassUniform &&
                   !decoration(m, block->result, SpvDecorationBufferBlock, NULL);
    out->type = uniform ? VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER : VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
    return true;
}

bool vk_module_fits(struct arena *a, const struct vk_device *d, const struct spv_case *c,
                    struct vk_module *m, struct err *why)
{
    *m = (struct vk_module){.stage = vk_stage_of(c)};
    if (!spv_module_read(a, c->words, c->count, &m->view, why))
        return err_prefix(why, "not a module");
    if (m->view.version > d->info.spirv_version)
        return err_set(why, "the module is SPIR-V %u.%u; the device supports up to %u.%u",
                       m->view.version >> 16 & 255, m->view.version >> 8 & 255,
                       d->info.spirv_version >> 16 & 255, d->info.spirv_version >> 8 & 255);
    VEC(struct vk_binding) bindings = {0};
    uint32_t entry = 0;
    for (uint32_t i = 0; i < m->view.inst_count; i++) {
        const struct spv_inst *in = &m->view.insts[i];
        if (in->op == SpvOpFunction)
            break;
        if (in->op == SpvOpCapability && !vk_capability_fits(&d->features, in->v[0], why))
            return false;
        if (in->op == SpvOpEntryPoint && in->v[0] == spv_stage_row(c->stage)->model && !m->entry) {
            entry = in->v[1];
            m->entry = spv_string(in->v + 2, in->n - 2u);
        }
        if ((in->op == SpvOpExecutionMode || in->op == SpvOpExecutionModeId) && in->v[0] == entry &&
            !mode_fits(d, in->v[1], why))
            return false;
        if (in->op != SpvOpVariable)
            continue;
        uint32_t sc = in->v[0];
        m->push |= sc == SpvStorageClassPushConstant;
        if ((sc == SpvStorageClassUniform || sc == SpvStorageClassStorageBuffer ||
             sc == SpvStorageClassUniformConstant) &&
            !resource(&m->view, in, VEC_PUSH(a, &bindings), why))
            return false;
    }
    for (uint32_t i = 0; i < m->view.inst_count; i++)
        if (!instruction_fits(d, m, &m->view.insts[i], why))
            return false;
    if (!m->entry)
        return err_set(why, "the module has no entry point of the %s stage",
                       spv_stage_row(c->stage)->name);
    m->bindings = bindings.v;
    m->binding_count = (uint32_t)bindings.n;
    return true;
}

// ---- a case ------------------------------------------------------------------------

static bool buffers_fit(const struct vk_device *d, const struct vk_module *m,
                        const struct spv_case *c, struct err *why)
{
    if (!vk_images_fit(d, m, c, why))
        return false;
    if (c->buffer_count > d->limits.maxPerStageDescriptorStorageBuffers)
        return err_set(why, "the case has %u buffers; the device supports %u", c->buffer_count,
                       d->limits.maxPerStageDescriptorStorageBuffers);
    for (uint32_t i = 0; i < c->buffer_count; i++) {
        const struct spv_buffer *b = &c->buffer[i];
        if (b->count == 0)
            return err_set(why, "buffer %u:%u is empty", b->set, b->binding);
        if (b->set >= d->limits.maxBoundDescriptorSets)
            return err_set(why, "buffer %u:%u: the device supports sets below %u", b->set,
                           b->binding, d->limits.maxBoundDescriptorSets);
        if ((uint64_t)b->count * sizeof(uint32_t) > d->limits.maxStorageBufferRange)
            return err_set(why, "buffer %u:%u has %u words; the device supports %u", b->set,
                           b->binding, b->count, d->limits.maxStorageBufferRange / 4);
    }
    for (uint32_t i = 0; i < m->binding_count; i++) {
        const struct vk_binding *b = &m->bindings[i];
        const struct spv_buffer *found = spv_buffer_at(c, b->set, b->binding);
        if (!vk_binding_is_buffer(b))
            continue;
        if (!found || found->image.count)
            return err_set(why, "the module declares buffer %u:%u, which the case lacks", b->set,
                           b->binding);
        if (b->type == VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER &&
            (uint64_t)found->count * sizeof(uint32_t) > d->limits.maxUniformBufferRange)
            return err_set(why, "uniform buffer %u:%u has %u words; the device supports %u", b->set,
                           b->binding, found->count, d->limits.maxUniformBufferRange / 4);
    }
    return true;
}

bool vk_case_fits(const struct vk_device *d, const struct vk_module *m, const struct spv_case *c,
                  uint32_t subgroup, struct vk_shape *shape, struct err *why)
{
    const struct run_info *info = &d->info;
    uint32_t size = subgroup ? subgroup : c->subgroup ? c->subgroup : d->size;
    if (!size)
        size = info->subgroup_size;
    bool can = run_offers(info, SPV_NEED(SIZE_CONTROL)) && size >= info->subgroup_min &&
               size <= info->subgroup_max &&
               (d->sizes.requiredSubgroupSizeStages & (VkShaderStageFlags)m->stage->bit);
    const bool varying = vk_isa_draws(d, spv_stage_row(c->stage)) && size >= info->subgroup_min &&
                         size <= info->subgroup_max;
    if (!can && !varying && size != info->subgroup_size) {
        if (info->subgroup_min < info->subgroup_max)
            return err_set(why, "device has subgroup sizes %u to %u, the case needs %u",
                           info->subgroup_min, info->subgroup_max, size);
        return err_set(why, "device has subgroup size %u, the case needs %u", info->subgroup_size,
                       size);
    }
    // If the driver could choose among sizes, always require one.
    bool require = can && info->subgroup_min < info->subgroup_max;
    *shape = (struct vk_shape){
        .size = size, .require = require ? size : 0, .varying = varying && !require};
    if (c->push_count * sizeof(uint32_t) > d->limits.maxPushConstantsSize)
        return err_set(why, "the case has %u words of push constants; the device supports %u",
                       c->push_count, d->limits.maxPushConstantsSize / 4);
    return m->stage->fits(d, m, c, shape, why) && buffers_fit(d, m, c, why);
}
