// SPDX-License-Identifier: Apache-2.0
//
// What a module and a case need, held against what the device offers, before
// the driver sees either: what a driver does with a shader that it never
// promised to take is no finding.
#include "vk.h"

#include "spirv/spirv_groups.h"

#include <string.h>

// ---- capabilities ----------------------------------------------------------------

// A capability and what brings it: a feature (a VkBool32 of vk_features), bits
// of the subgroup operations, or nothing.
struct capability_row {
    SpvCapability capability;
    const char *name;
    size_t feature; // offset in struct vk_features; 0: none
    VkSubgroupFeatureFlags ops;
};
#define FREE(c)            {SpvCapability##c, #c, 0, 0}
#define FEATURE(c, member) {SpvCapability##c, #c, offsetof(struct vk_features, member), 0}
#define OPS(c, bit)        {SpvCapability##c, #c, 0, VK_SUBGROUP_FEATURE_##bit##_BIT}
static const struct capability_row capability_rows[] = {
    FREE(Matrix),
    FREE(Shader),
    FREE(DerivativeControl),
    FREE(Sampled1D),
    FREE(Image1D),
    FREE(SampledBuffer),
    FREE(ImageBuffer),
    FREE(ImageQuery),
    FREE(ShaderNonUniform),
    FEATURE(SampledCubeArray, core.features.imageCubeArray),
    FEATURE(ImageCubeArray, core.features.imageCubeArray),
    FEATURE(ImageGatherExtended, core.features.shaderImageGatherExtended),
    FEATURE(MinLod, core.features.shaderResourceMinLod),
    FEATURE(StorageImageExtendedFormats, core.features.shaderStorageImageExtendedFormats),
    FEATURE(StorageImageReadWithoutFormat, core.features.shaderStorageImageReadWithoutFormat),
    FEATURE(StorageImageWriteWithoutFormat, core.features.shaderStorageImageWriteWithoutFormat),
    FEATURE(SampledImageArrayDynamicIndexing, core.features.shaderSampledImageArrayDynamicIndexing),
    FEATURE(StorageImageArrayDynamicIndexing, core.features.shaderStorageImageArrayDynamicIndexing),
    FEATURE(SampledImageArrayNonUniformIndexing,
            indexing.shaderSampledImageArrayNonUniformIndexing),
    FEATURE(StorageImageArrayNonUniformIndexing,
            indexing.shaderStorageImageArrayNonUniformIndexing),
    FEATURE(UniformTexelBufferArrayDynamicIndexing,
            indexing.shaderUniformTexelBufferArrayDynamicIndexing),
    FEATURE(StorageTexelBufferArrayDynamicIndexing,
            indexing.shaderStorageTexelBufferArrayDynamicIndexing),
    FEATURE(UniformTexelBufferArrayNonUniformIndexing,
            indexing.shaderUniformTexelBufferArrayNonUniformIndexing),
    FEATURE(StorageTexelBufferArrayNonUniformIndexing,
            indexing.shaderStorageTexelBufferArrayNonUniformIndexing),
    FEATURE(RuntimeDescriptorArray, indexing.runtimeDescriptorArray),
    FEATURE(Int8, float16_int8.shaderInt8),
    FEATURE(Int16, core.features.shaderInt16),
    FEATURE(Int64, core.features.shaderInt64),
    FEATURE(Float16, float16_int8.shaderFloat16),
    FEATURE(Float64, core.features.shaderFloat64),
    FEATURE(Int64Atomics, atomic64.shaderBufferInt64Atomics),
    FEATURE(StorageBuffer8BitAccess, storage8.storageBuffer8BitAccess),
    FEATURE(UniformAndStorageBuffer8BitAccess, storage8.uniformAndStorageBuffer8BitAccess),
    FEATURE(StoragePushConstant8, storage8.storagePushConstant8),
    FEATURE(StorageBuffer16BitAccess, storage16.storageBuffer16BitAccess),
    FEATURE(UniformAndStorageBuffer16BitAccess, storage16.uniformAndStorageBuffer16BitAccess),
    FEATURE(StoragePushConstant16, storage16.storagePushConstant16),
    FEATURE(VariablePointersStorageBuffer, variable_pointers.variablePointersStorageBuffer),
    FEATURE(VariablePointers, variable_pointers.variablePointers),
    FEATURE(VulkanMemoryModel, memory_model.vulkanMemoryModel),
    FEATURE(VulkanMemoryModelDeviceScope, memory_model.vulkanMemoryModelDeviceScope),
    FEATURE(DemoteToHelperInvocation, demote.shaderDemoteToHelperInvocation),
    FEATURE(DotProduct, dot_product.shaderIntegerDotProduct),
    FEATURE(DotProductInputAll, dot_product.shaderIntegerDotProduct),
    FEATURE(DotProductInput4x8Bit, dot_product.shaderIntegerDotProduct),
    FEATURE(DotProductInput4x8BitPacked, dot_product.shaderIntegerDotProduct),
    FEATURE(ExpectAssumeKHR, expect_assume.shaderExpectAssume),
    FEATURE(FloatControls2, float_controls2.shaderFloatControls2),
    FEATURE(GroupNonUniformRotateKHR, rotate.shaderSubgroupRotate),
    FEATURE(QuadControlKHR, quad_control.shaderQuadControl),
    FEATURE(WorkgroupMemoryExplicitLayoutKHR, workgroup_layout.workgroupMemoryExplicitLayout),
    FEATURE(WorkgroupMemoryExplicitLayout8BitAccessKHR,
            workgroup_layout.workgroupMemoryExplicitLayout8BitAccess),
    FEATURE(WorkgroupMemoryExplicitLayout16BitAccessKHR,
            workgroup_layout.workgroupMemoryExplicitLayout16BitAccess),
    FEATURE(ComputeDerivativeGroupQuadsKHR, derivatives.computeDerivativeGroupQuads),
    FEATURE(ComputeDerivativeGroupLinearKHR, derivatives.computeDerivativeGroupLinear),
    OPS(GroupNonUniform, BASIC),
    OPS(GroupNonUniformVote, VOTE),
    OPS(GroupNonUniformArithmetic, ARITHMETIC),
    OPS(GroupNonUniformBallot, BALLOT),
    OPS(GroupNonUniformShuffle, SHUFFLE),
    OPS(GroupNonUniformShuffleRelative, SHUFFLE_RELATIVE),
    OPS(GroupNonUniformClustered, CLUSTERED),
    OPS(GroupNonUniformQuad, QUAD),
    {SpvCapabilityGroupNonUniformPartitionedNV, "GroupNonUniformPartitionedNV", 0,
     VK_SUBGROUP_FEATURE_PARTITIONED_BIT_NV},
};
#undef FREE
#undef FEATURE
#undef OPS

static bool feature_on(const struct vk_device *d, size_t at)
{
    VkBool32 on;
    memcpy(&on, (const char *)&d->features + at, sizeof on);
    return on != 0;
}

static bool capability_fits(const struct vk_device *d, uint32_t capability, struct err *why)
{
    for (size_t i = 0; i < sizeof capability_rows / sizeof capability_rows[0]; i++) {
        const struct capability_row *row = &capability_rows[i];
        if ((uint32_t)row->capability != capability)
            continue;
        if ((row->feature && !feature_on(d, row->feature)) ||
            (row->ops & d->info.subgroup_ops) != row->ops)
            return err_set(why, "the device does not offer capability %s", row->name);
        return true;
    }
    return err_set(why, "this backend does not know capability %u", capability);
}

static bool mode_fits(const struct vk_device *d, uint32_t mode, struct err *why)
{
    if (mode == SpvExecutionModeMaximallyReconvergesKHR && !d->info.maximal_reconvergence)
        return err_set(why, "the device does not offer maximal reconvergence");
    if (mode == SpvExecutionModeSubgroupUniformControlFlowKHR && !d->info.subgroup_uniform)
        return err_set(why, "the device does not offer subgroup-uniform control flow");
    if (mode == SpvExecutionModeLocalSizeId && !d->features.maintenance4.maintenance4)
        return err_set(why, "the device does not offer LocalSizeId (maintenance4)");
    return true;
}

static bool is_constant(const struct spv_module *m, uint32_t id)
{
    const struct spv_inst *def = spv_def(m, id);
    return def && def->op >= SpvOpConstantTrue && def->op <= SpvOpSpecConstantOp;
}

// What needs a feature and has no capability of its own.
static bool instruction_fits(const struct vk_device *d, const struct vk_module *m,
                             const struct spv_inst *in, struct err *why)
{
    if (in->op == SpvOpGroupNonUniformRotateKHR && spv_group_cluster(in) &&
        !d->features.rotate.shaderSubgroupRotateClustered)
        return err_set(why, "the device does not offer rotation in clusters");
    if ((in->op == SpvOpGroupNonUniformBroadcast || in->op == SpvOpGroupNonUniformQuadBroadcast) &&
        !d->features.core12.subgroupBroadcastDynamicId && in->n > 2 &&
        !is_constant(&m->view, in->v[2]))
        return err_set(why, "the device does not offer broadcasts of a lane that is no constant");
    if (in->op == SpvOpTerminateInvocation && !d->features.terminate.shaderTerminateInvocation)
        return err_set(why, "the device does not offer OpTerminateInvocation");
    if (in->op == SpvOpCapability && in->v[0] == SpvCapabilityGroupNonUniform &&
        !(d->subgroup_stages & (VkShaderStageFlags)m->stage->bit))
        return err_set(why, "the device has no group operations in this stage");
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

// A resource variable -> its binding: a whole buffer, or images and samplers, one or an array.
static bool resource(const struct spv_module *m, const struct spv_inst *var, struct vk_binding *out,
                     struct err *why)
{
    uint32_t sc = var->v[0];
    if (!decoration(m, var->result, SpvDecorationDescriptorSet, &out->set) ||
        !decoration(m, var->result, SpvDecorationBinding, &out->binding))
        return err_set(why, "variable %%%u has no descriptor set and binding", var->result);
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
               err_set(why, "binding %u:%u is no image or sampler that can be bound", out->set,
                       out->binding);
    }
    if (!block || block->op != SpvOpTypeStruct)
        return err_set(why, "binding %u:%u is no single buffer", out->set, out->binding);
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
        return err_set(why, "SPIR-V %u.%u, the device takes up to %u.%u",
                       m->view.version >> 16 & 255, m->view.version >> 8 & 255,
                       d->info.spirv_version >> 16 & 255, d->info.spirv_version >> 8 & 255);
    VEC(struct vk_binding) bindings = {0};
    uint32_t entry = 0;
    for (uint32_t i = 0; i < m->view.inst_count; i++) {
        const struct spv_inst *in = &m->view.insts[i];
        if (in->op == SpvOpFunction)
            break;
        if (in->op == SpvOpCapability && !capability_fits(d, in->v[0], why))
            return false;
        if (in->op == SpvOpEntryPoint && in->v[0] == spv_stage_model(c->stage) && !m->entry) {
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
                       spv_stage_name(c->stage));
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
        return err_set(why, "%u buffers, the device takes %u", c->buffer_count,
                       d->limits.maxPerStageDescriptorStorageBuffers);
    for (uint32_t i = 0; i < c->buffer_count; i++) {
        const struct spv_buffer *b = &c->buffer[i];
        if (b->count == 0)
            return err_set(why, "buffer %u:%u is empty", b->set, b->binding);
        if (b->set >= d->limits.maxBoundDescriptorSets)
            return err_set(why, "buffer %u:%u: the device takes sets below %u", b->set, b->binding,
                           d->limits.maxBoundDescriptorSets);
        if ((uint64_t)b->count * sizeof(uint32_t) > d->limits.maxStorageBufferRange)
            return err_set(why, "buffer %u:%u has %u words, the device takes %u", b->set,
                           b->binding, b->count, d->limits.maxStorageBufferRange / 4);
    }
    for (uint32_t i = 0; i < m->binding_count; i++) {
        const struct vk_binding *b = &m->bindings[i];
        const struct spv_buffer *found = NULL;
        if (!vk_binding_is_buffer(b))
            continue;
        for (uint32_t k = 0; k < c->buffer_count; k++)
            if (c->buffer[k].set == b->set && c->buffer[k].binding == b->binding)
                found = c->buffer[k].image.count ? NULL : &c->buffer[k];
        if (!found)
            return err_set(why, "the module names buffer %u:%u, the case has none", b->set,
                           b->binding);
        if (b->type == VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER &&
            (uint64_t)found->count * sizeof(uint32_t) > d->limits.maxUniformBufferRange)
            return err_set(why, "uniform buffer %u:%u has %u words, the device takes %u", b->set,
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
    bool can = info->size_control && size >= info->subgroup_min && size <= info->subgroup_max &&
               (d->sizes.requiredSubgroupSizeStages & (VkShaderStageFlags)m->stage->bit);
    if (!can && size != info->subgroup_size) {
        if (info->subgroup_min < info->subgroup_max)
            return err_set(why, "device has subgroup sizes %u to %u, the case needs %u",
                           info->subgroup_min, info->subgroup_max, size);
        return err_set(why, "device has subgroup size %u, the case needs %u", info->subgroup_size,
                       size);
    }
    // Where the driver may choose among sizes, it is always told.
    bool require = can && info->subgroup_min < info->subgroup_max;
    *shape = (struct vk_shape){.size = size, .require = require ? size : 0};
    if (c->push_count * sizeof(uint32_t) > d->limits.maxPushConstantsSize)
        return err_set(why, "%u words of push constants, the device takes %u", c->push_count,
                       d->limits.maxPushConstantsSize / 4);
    return m->stage->fits(d, m, c, shape, why) && buffers_fit(d, m, c, why);
}
