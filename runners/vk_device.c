// SPDX-License-Identifier: Apache-2.0
//
// A physical device's features and properties -> run_info; the logical device
// with everything of the table below switched on that it has.
#include "vk.h"

#include <stdlib.h>
#include <string.h>

// A structure of vk_features: asked for where its extension is there or the
// device's version has it in its core.
struct feature_row {
    VkStructureType type;
    size_t at;             // in struct vk_features
    const char *extension; // NULL: core alone
    uint32_t core;         // version; 0: never
};
#define ROW(member, type, extension, core)                                                         \
    {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_##type, offsetof(struct vk_features, member), extension,    \
     core}
static const struct feature_row feature_rows[] = {
    ROW(storage16, 16BIT_STORAGE_FEATURES, NULL, VK_API_VERSION_1_1),
    ROW(variable_pointers, VARIABLE_POINTERS_FEATURES, NULL, VK_API_VERSION_1_1),
    ROW(extended_types, SHADER_SUBGROUP_EXTENDED_TYPES_FEATURES,
        "VK_KHR_shader_subgroup_extended_types", VK_API_VERSION_1_2),
    ROW(storage8, 8BIT_STORAGE_FEATURES, "VK_KHR_8bit_storage", VK_API_VERSION_1_2),
    ROW(atomic64, SHADER_ATOMIC_INT64_FEATURES, "VK_KHR_shader_atomic_int64", VK_API_VERSION_1_2),
    ROW(indexing, DESCRIPTOR_INDEXING_FEATURES, "VK_EXT_descriptor_indexing", VK_API_VERSION_1_2),
    ROW(float16_int8, SHADER_FLOAT16_INT8_FEATURES, "VK_KHR_shader_float16_int8",
        VK_API_VERSION_1_2),
    ROW(memory_model, VULKAN_MEMORY_MODEL_FEATURES, "VK_KHR_vulkan_memory_model",
        VK_API_VERSION_1_2),
    ROW(scalar_layout, SCALAR_BLOCK_LAYOUT_FEATURES, "VK_EXT_scalar_block_layout",
        VK_API_VERSION_1_2),
    ROW(uniform_layout, UNIFORM_BUFFER_STANDARD_LAYOUT_FEATURES,
        "VK_KHR_uniform_buffer_standard_layout", VK_API_VERSION_1_2),
    ROW(size_control, SUBGROUP_SIZE_CONTROL_FEATURES, "VK_EXT_subgroup_size_control",
        VK_API_VERSION_1_3),
    ROW(demote, SHADER_DEMOTE_TO_HELPER_INVOCATION_FEATURES,
        "VK_EXT_shader_demote_to_helper_invocation", VK_API_VERSION_1_3),
    ROW(terminate, SHADER_TERMINATE_INVOCATION_FEATURES, "VK_KHR_shader_terminate_invocation",
        VK_API_VERSION_1_3),
    ROW(zero_workgroup, ZERO_INITIALIZE_WORKGROUP_MEMORY_FEATURES,
        "VK_KHR_zero_initialize_workgroup_memory", VK_API_VERSION_1_3),
    ROW(dot_product, SHADER_INTEGER_DOT_PRODUCT_FEATURES, "VK_KHR_shader_integer_dot_product",
        VK_API_VERSION_1_3),
    ROW(maintenance4, MAINTENANCE_4_FEATURES, "VK_KHR_maintenance4", VK_API_VERSION_1_3),
    ROW(expect_assume, SHADER_EXPECT_ASSUME_FEATURES, "VK_KHR_shader_expect_assume",
        VK_API_VERSION_1_4),
    ROW(float_controls2, SHADER_FLOAT_CONTROLS_2_FEATURES, "VK_KHR_shader_float_controls2",
        VK_API_VERSION_1_4),
    ROW(rotate, SHADER_SUBGROUP_ROTATE_FEATURES, "VK_KHR_shader_subgroup_rotate",
        VK_API_VERSION_1_4),
    ROW(workgroup_layout, WORKGROUP_MEMORY_EXPLICIT_LAYOUT_FEATURES_KHR,
        "VK_KHR_workgroup_memory_explicit_layout", 0),
    ROW(derivatives, COMPUTE_SHADER_DERIVATIVES_FEATURES_KHR, "VK_KHR_compute_shader_derivatives",
        0),
    ROW(quad_control, SHADER_QUAD_CONTROL_FEATURES_KHR, "VK_KHR_shader_quad_control", 0),
    ROW(subgroup_uniform, SHADER_SUBGROUP_UNIFORM_CONTROL_FLOW_FEATURES_KHR,
        "VK_KHR_shader_subgroup_uniform_control_flow", 0),
    ROW(maximal, SHADER_MAXIMAL_RECONVERGENCE_FEATURES_KHR, "VK_KHR_shader_maximal_reconvergence",
        0),
    ROW(executables, PIPELINE_EXECUTABLE_PROPERTIES_FEATURES_KHR,
        "VK_KHR_pipeline_executable_properties", 0),
    ROW(dynamic, DYNAMIC_RENDERING_FEATURES, "VK_KHR_dynamic_rendering", VK_API_VERSION_1_3),
};
#undef ROW
enum { FEATURE_ROWS = sizeof feature_rows / sizeof feature_rows[0] };

// Extensions without features that change what modules may be given.
static const struct {
    const char *extension;
    uint32_t core;
} plain_rows[] = {
    {"VK_KHR_shader_float_controls", VK_API_VERSION_1_2},
    {"VK_KHR_spirv_1_4", VK_API_VERSION_1_2},
    {"VK_KHR_shader_non_semantic_info", VK_API_VERSION_1_3},
    {"VK_NV_shader_subgroup_partitioned", 0},
    {"VK_EXT_extended_dynamic_state3", 0}, // for a property alone: see any_topology
    {"VK_KHR_portability_subset", 0},      // must be switched on where it is there
};
enum { PLAIN_ROWS = sizeof plain_rows / sizeof plain_rows[0] };

struct probe {
    uint32_t version; // of the device
    VkExtensionProperties *extensions;
    uint32_t extension_count;
    struct vk_features features; // all that it has
    const char *enable[FEATURE_ROWS + PLAIN_ROWS];
    uint32_t enable_count;
    VkPhysicalDeviceSubgroupProperties subgroup;
    VkPhysicalDeviceSubgroupSizeControlProperties sizes;
    VkPhysicalDeviceDriverProperties driver;
    VkPhysicalDeviceExtendedDynamicState3PropertiesEXT dynamic;
    VkPhysicalDeviceProperties2 core;
};

static bool offers(const struct probe *p, const char *extension)
{
    for (uint32_t i = 0; i < p->extension_count; i++)
        if (strcmp(p->extensions[i].extensionName, extension) == 0)
            return true;
    return false;
}

// Every structure of Vulkan begins with its type and the next one.
static void chain(VkBaseOutStructure *head, void *next, VkStructureType type)
{
    VkBaseOutStructure *s = next;
    s->sType = type;
    s->pNext = head->pNext;
    head->pNext = s;
}

static void probe_features(VkPhysicalDevice device, struct probe *p)
{
    struct vk_features *f = &p->features;
    memset(f, 0, sizeof *f);
    f->core.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2;
    for (size_t i = 0; i < FEATURE_ROWS; i++) {
        const struct feature_row *row = &feature_rows[i];
        bool core = row->core && p->version >= row->core;
        if (!core && !(row->extension && offers(p, row->extension)))
            continue;
        if (!core)
            p->enable[p->enable_count++] = row->extension;
        chain((VkBaseOutStructure *)&f->core, (char *)f + row->at, row->type);
    }
    for (size_t i = 0; i < PLAIN_ROWS; i++)
        if (!(plain_rows[i].core && p->version >= plain_rows[i].core) &&
            offers(p, plain_rows[i].extension))
            p->enable[p->enable_count++] = plain_rows[i].extension;
    vkGetPhysicalDeviceFeatures2(device, &f->core);
    // Of the core only what a shader's capabilities can need; the rest,
    // robust access above all, would change the code under test.
    VkPhysicalDeviceFeatures all = f->core.features;
    f->core.features = (VkPhysicalDeviceFeatures){
        .shaderInt16 = all.shaderInt16,
        .shaderInt64 = all.shaderInt64,
        .shaderFloat64 = all.shaderFloat64,
        .fragmentStoresAndAtomics = all.fragmentStoresAndAtomics,
        .imageCubeArray = all.imageCubeArray,
        .shaderImageGatherExtended = all.shaderImageGatherExtended,
        .shaderSampledImageArrayDynamicIndexing = all.shaderSampledImageArrayDynamicIndexing,
        .shaderStorageImageArrayDynamicIndexing = all.shaderStorageImageArrayDynamicIndexing,
        .shaderStorageImageExtendedFormats = all.shaderStorageImageExtendedFormats,
        .shaderStorageImageReadWithoutFormat = all.shaderStorageImageReadWithoutFormat,
        .shaderStorageImageWriteWithoutFormat = all.shaderStorageImageWriteWithoutFormat,
        .shaderResourceMinLod = all.shaderResourceMinLod,
    };
    // Nor more of descriptor indexing than indices that differ.
    const VkPhysicalDeviceDescriptorIndexingFeatures indexing = f->indexing;
    f->indexing = (VkPhysicalDeviceDescriptorIndexingFeatures){
        .sType = indexing.sType,
        .pNext = indexing.pNext,
        .shaderUniformTexelBufferArrayDynamicIndexing =
            indexing.shaderUniformTexelBufferArrayDynamicIndexing,
        .shaderStorageTexelBufferArrayDynamicIndexing =
            indexing.shaderStorageTexelBufferArrayDynamicIndexing,
        .shaderSampledImageArrayNonUniformIndexing =
            indexing.shaderSampledImageArrayNonUniformIndexing,
        .shaderStorageImageArrayNonUniformIndexing =
            indexing.shaderStorageImageArrayNonUniformIndexing,
        .shaderUniformTexelBufferArrayNonUniformIndexing =
            indexing.shaderUniformTexelBufferArrayNonUniformIndexing,
        .shaderStorageTexelBufferArrayNonUniformIndexing =
            indexing.shaderStorageTexelBufferArrayNonUniformIndexing,
        .runtimeDescriptorArray = indexing.runtimeDescriptorArray,
    };
}

// From 1.2 on a feature that has no structure of its own comes with all that 1.2 took in: one
// structure, and none of theirs, switches it on. Each row of feature_rows of 1.2 has its members
// here.
static void probe_features_1_2(VkPhysicalDevice device, struct probe *p)
{
    struct vk_features *f = &p->features;
    if (p->version < VK_API_VERSION_1_2)
        return;
    VkPhysicalDeviceVulkan12Features all = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES};
    VkPhysicalDeviceFeatures2 ask = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                     .pNext = &all};
    vkGetPhysicalDeviceFeatures2(device, &ask);
    f->core12 = (VkPhysicalDeviceVulkan12Features){
        .subgroupBroadcastDynamicId = all.subgroupBroadcastDynamicId,
        .shaderSubgroupExtendedTypes = f->extended_types.shaderSubgroupExtendedTypes,
        .storageBuffer8BitAccess = f->storage8.storageBuffer8BitAccess,
        .uniformAndStorageBuffer8BitAccess = f->storage8.uniformAndStorageBuffer8BitAccess,
        .storagePushConstant8 = f->storage8.storagePushConstant8,
        .shaderBufferInt64Atomics = f->atomic64.shaderBufferInt64Atomics,
        .shaderSharedInt64Atomics = f->atomic64.shaderSharedInt64Atomics,
        .shaderUniformTexelBufferArrayDynamicIndexing =
            f->indexing.shaderUniformTexelBufferArrayDynamicIndexing,
        .shaderStorageTexelBufferArrayDynamicIndexing =
            f->indexing.shaderStorageTexelBufferArrayDynamicIndexing,
        .shaderSampledImageArrayNonUniformIndexing =
            f->indexing.shaderSampledImageArrayNonUniformIndexing,
        .shaderStorageImageArrayNonUniformIndexing =
            f->indexing.shaderStorageImageArrayNonUniformIndexing,
        .shaderUniformTexelBufferArrayNonUniformIndexing =
            f->indexing.shaderUniformTexelBufferArrayNonUniformIndexing,
        .shaderStorageTexelBufferArrayNonUniformIndexing =
            f->indexing.shaderStorageTexelBufferArrayNonUniformIndexing,
        .runtimeDescriptorArray = f->indexing.runtimeDescriptorArray,
        .shaderFloat16 = f->float16_int8.shaderFloat16,
        .shaderInt8 = f->float16_int8.shaderInt8,
        .vulkanMemoryModel = f->memory_model.vulkanMemoryModel,
        .vulkanMemoryModelDeviceScope = f->memory_model.vulkanMemoryModelDeviceScope,
        .vulkanMemoryModelAvailabilityVisibilityChains =
            f->memory_model.vulkanMemoryModelAvailabilityVisibilityChains,
        .scalarBlockLayout = f->scalar_layout.scalarBlockLayout,
        .uniformBufferStandardLayout = f->uniform_layout.uniformBufferStandardLayout,
    };
    VkBaseOutStructure *head = (VkBaseOutStructure *)&f->core;
    head->pNext = NULL;
    for (size_t i = 0; i < FEATURE_ROWS; i++) {
        VkBaseOutStructure *s = (VkBaseOutStructure *)((char *)f + feature_rows[i].at);
        if (s->sType == feature_rows[i].type && feature_rows[i].core != VK_API_VERSION_1_2)
            chain(head, s, feature_rows[i].type);
    }
    chain(head, &f->core12, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES);
}

static void probe_properties(VkPhysicalDevice device, struct probe *p)
{
    VkBaseOutStructure *head = (VkBaseOutStructure *)&p->core;
    p->core.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2;
    chain(head, &p->subgroup, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES);
    if (p->version >= VK_API_VERSION_1_3 || offers(p, "VK_EXT_subgroup_size_control"))
        chain(head, &p->sizes, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_PROPERTIES);
    if (p->version >= VK_API_VERSION_1_2 || offers(p, "VK_KHR_driver_properties"))
        chain(head, &p->driver, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES);
    if (offers(p, "VK_EXT_extended_dynamic_state3"))
        chain(head, &p->dynamic,
              VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTENDED_DYNAMIC_STATE_3_PROPERTIES_EXT);
    vkGetPhysicalDeviceProperties2(device, &p->core);
}

// A queue that takes compute shaders, and draws (*draws) where there is one.
static bool compute_family(VkPhysicalDevice device, struct arena *a, uint32_t *family, bool *draws)
{
    uint32_t n = 0;
    vkGetPhysicalDeviceQueueFamilyProperties(device, &n, NULL);
    VkQueueFamilyProperties *v = ARENA_ARRAY(a, VkQueueFamilyProperties, n);
    vkGetPhysicalDeviceQueueFamilyProperties(device, &n, v);
    const VkQueueFlags wish[] = {VK_QUEUE_COMPUTE_BIT | VK_QUEUE_GRAPHICS_BIT,
                                 VK_QUEUE_COMPUTE_BIT};
    for (size_t w = 0; w < 2; w++)
        for (*family = 0; *family < n; ++*family)
            if ((v[*family].queueFlags & wish[w]) == wish[w]) {
                *draws = w == 0;
                return true;
            }
    return false;
}

static void fill_info(const struct probe *p, struct run_info *info)
{
    const struct vk_features *f = &p->features;
    const VkPhysicalDeviceLimits *limits = &p->core.properties.limits;
    info->subgroup_size = info->subgroup_min = info->subgroup_max = p->subgroup.subgroupSize;
    info->size_control = f->size_control.subgroupSizeControl &&
                         (p->sizes.requiredSubgroupSizeStages & VK_SHADER_STAGE_COMPUTE_BIT);
    if (info->size_control) {
        info->subgroup_min = p->sizes.minSubgroupSize;
        info->subgroup_max = p->sizes.maxSubgroupSize;
    }
    info->full_subgroups = f->size_control.computeFullSubgroups;
    info->tells = p->features.executables.pipelineExecutableInfo;
    info->maximal_reconvergence = f->maximal.shaderMaximalReconvergence;
    info->subgroup_uniform = f->subgroup_uniform.shaderSubgroupUniformControlFlow;
    info->subgroup_ops = p->subgroup.supportedOperations & (2u * VK_SUBGROUP_FEATURE_QUAD_BIT - 1);
    // Vulkan 1.4 has bits for these too; who has the feature has the operation.
    if (offers(p, "VK_NV_shader_subgroup_partitioned"))
        info->subgroup_ops |=
            p->subgroup.supportedOperations & VK_SUBGROUP_FEATURE_PARTITIONED_BIT_NV;
    if (f->rotate.shaderSubgroupRotate)
        info->subgroup_ops |= 1u << SPV_NEED_ROTATE;
    if (f->rotate.shaderSubgroupRotateClustered)
        info->subgroup_ops |= 1u << SPV_NEED_ROTATE_CLUSTERED;
    info->int8 = f->float16_int8.shaderInt8;
    info->int16 = f->core.features.shaderInt16;
    info->int64 = f->core.features.shaderInt64;
    info->float16 = f->float16_int8.shaderFloat16;
    info->float64 = f->core.features.shaderFloat64;
    info->extended_types = f->extended_types.shaderSubgroupExtendedTypes;
    info->lane_value = f->core12.subgroupBroadcastDynamicId;
    info->quad_control = f->quad_control.shaderQuadControl;
    info->images = true;
    info->image_index = f->core.features.shaderSampledImageArrayDynamicIndexing;
    info->image_nonuniform = f->indexing.shaderSampledImageArrayNonUniformIndexing;
    info->derivatives = f->derivatives.computeDerivativeGroupLinear;
    info->derivative_quads = f->derivatives.computeDerivativeGroupQuads;
    info->vulkan_memory_model = f->memory_model.vulkanMemoryModel;
    info->max_invocations = limits->maxComputeWorkGroupInvocations;
    memcpy(info->max_size, limits->maxComputeWorkGroupSize, sizeof info->max_size);
    memcpy(info->max_groups, limits->maxComputeWorkGroupCount, sizeof info->max_groups);
    info->spirv_version = p->version >= VK_API_VERSION_1_3   ? 0x10600
                          : p->version >= VK_API_VERSION_1_2 ? 0x10500
                          : offers(p, "VK_KHR_spirv_1_4")    ? 0x10400
                                                             : 0x10300;
}

static bool probe_device(VkPhysicalDevice device, struct arena *a, struct probe *p,
                         struct run_info *info, struct err *e)
{
    memset(p, 0, sizeof *p);
    memset(info, 0, sizeof *info);
    VkPhysicalDeviceProperties core;
    vkGetPhysicalDeviceProperties(device, &core);
    p->version = core.apiVersion;
    snprintf(info->device, sizeof info->device, "%s", core.deviceName);
    for (size_t n = strlen(info->device); n && info->device[n - 1] == ' '; n--)
        info->device[n - 1] = 0;
    info->vendor_id = core.vendorID;
    info->device_id = core.deviceID;
    info->driver_version = core.driverVersion;
    info->api_version = core.apiVersion;
    if (p->version < VK_API_VERSION_1_1)
        return err_set(e, "device '%s' has Vulkan %u.%u; 1.1 is needed for subgroups", info->device,
                       VK_API_VERSION_MAJOR(p->version), VK_API_VERSION_MINOR(p->version));
    VkResult r = vkEnumerateDeviceExtensionProperties(device, NULL, &p->extension_count, NULL);
    p->extensions = ARENA_ARRAY(a, VkExtensionProperties, p->extension_count);
    if (r == VK_SUCCESS)
        r = vkEnumerateDeviceExtensionProperties(device, NULL, &p->extension_count, p->extensions);
    if (r != VK_SUCCESS)
        return err_set(e, "device '%s': its extensions cannot be listed: %s", info->device,
                       vk_result_name(r));
    probe_features(device, p);
    probe_features_1_2(device, p);
    probe_properties(device, p);
    snprintf(info->driver, sizeof info->driver, "%.120s%s%.120s", p->driver.driverName,
             p->driver.driverName[0] && p->driver.driverInfo[0] ? " " : "", p->driver.driverInfo);
    fill_info(p, info);
    uint32_t family;
    bool draws;
    if (!compute_family(device, a, &family, &draws))
        return err_set(e, "device '%s' has no queue for compute shaders", info->device);
    info->fragment = draws && p->features.dynamic.dynamicRendering &&
                     p->features.core.features.fragmentStoresAndAtomics &&
                     (p->subgroup.supportedStages & VK_SHADER_STAGE_FRAGMENT_BIT);
    info->demote = p->features.demote.shaderDemoteToHelperInvocation;
    if (!(p->subgroup.supportedStages & VK_SHADER_STAGE_COMPUTE_BIT) ||
        !(p->subgroup.supportedOperations & VK_SUBGROUP_FEATURE_BASIC_BIT))
        return err_set(e, "device '%s' has no subgroup operations in compute shaders",
                       info->device);
    return true;
}

bool vk_device_info(VkPhysicalDevice device, struct run_info *info, struct err *e)
{
    struct arena a = {0};
    struct probe p;
    bool ok = probe_device(device, &a, &p, info, e);
    arena_free(&a);
    return ok;
}

// ---- choosing and opening -------------------------------------------------------

static bool no_such_device(const struct vk_instance *v, struct err *e)
{
    char known[700] = "";
    for (uint32_t i = 0; i < v->device_count; i++) {
        VkPhysicalDeviceProperties p;
        vkGetPhysicalDeviceProperties(v->devices[i], &p);
        size_t at = strlen(known);
        snprintf(known + at, sizeof known - at, "%s%u '%s'", i ? ", " : "", i, p.deviceName);
    }
    return err_set(e, "no such device; there is: %s", known);
}

static bool choose(struct vk_device *d, const struct vk_spec *spec, struct err *e)
{
    const struct vk_instance *v = &d->instance;
    if (v->device_count == 0)
        return err_set(e, "the Vulkan driver shows no device%s%s",
                       v->said[0] ? "; the loader says: " : "", v->said);
    if (!spec->name) {
        if (spec->device >= v->device_count)
            return no_such_device(v, e);
        d->physical = v->devices[spec->device];
        return true;
    }
    for (uint32_t i = 0; i < v->device_count; i++) {
        VkPhysicalDeviceProperties p;
        vkGetPhysicalDeviceProperties(v->devices[i], &p);
        if (strstr(p.deviceName, spec->name)) {
            d->physical = v->devices[i];
            return true;
        }
    }
    return no_such_device(v, e);
}

static VkResult make_objects(struct vk_device *d)
{
    VkCommandPoolCreateInfo pool = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
        .flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT,
        .queueFamilyIndex = d->family,
    };
    VkResult r = vkCreateCommandPool(d->handle, &pool, NULL, &d->commands);
    if (r != VK_SUCCESS)
        return r;
    VkCommandBufferAllocateInfo buffer = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
        .commandPool = d->commands,
        .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
        .commandBufferCount = 1,
    };
    r = vkAllocateCommandBuffers(d->handle, &buffer, &d->command);
    if (r != VK_SUCCESS)
        return r;
    VkFenceCreateInfo fence = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    return vkCreateFence(d->handle, &fence, NULL, &d->fence);
}

bool vk_device_open(struct vk_device *d, struct arena *a, const struct vk_spec *spec, struct err *e)
{
    struct probe p;
    if (!choose(d, spec, e) || !probe_device(d->physical, a, &p, &d->info, e))
        return false;
    bool draws;
    compute_family(d->physical, a, &d->family, &draws);
    d->limits = p.core.properties.limits;
    if (d->info.size_control)
        d->sizes = p.sizes;
    d->subgroup_stages = p.subgroup.supportedStages;
    d->any_topology =
        p.version >= VK_API_VERSION_1_3 && p.dynamic.dynamicPrimitiveTopologyUnrestricted;
    vkGetPhysicalDeviceMemoryProperties(d->physical, &d->memory);

    float priority = 1;
    VkDeviceQueueCreateInfo queue = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
        .queueFamilyIndex = d->family,
        .queueCount = 1,
        .pQueuePriorities = &priority,
    };
    VkDeviceCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
        .pNext = &p.features.core,
        .queueCreateInfoCount = 1,
        .pQueueCreateInfos = &queue,
        .enabledExtensionCount = p.enable_count,
        .ppEnabledExtensionNames = p.enable,
    };
    VkResult r = vkCreateDevice(d->physical, &info, NULL, &d->handle);
    if (r != VK_SUCCESS)
        return err_set(e, "device '%s' cannot be opened: %s", d->info.device, vk_result_name(r));
    volkLoadDevice(d->handle);
    // The chain's pointers lead into `p`; from here on only the values count.
    d->features = p.features;
    vkGetDeviceQueue(d->handle, d->family, 0, &d->queue);
    d->layouts = vk_layouts_new();
    d->buffers = vk_buffers_new();
    d->images = vk_images_new();
    r = make_objects(d);
    if (r != VK_SUCCESS)
        return err_set(e, "device '%s': no command buffer: %s", d->info.device, vk_result_name(r));
    if (d->instance.complaint[0])
        return err_set(e, "the validation layer complains of how device '%s' was opened: %s",
                       d->info.device, d->instance.complaint);
    return true;
}

void vk_device_close(struct vk_device *d)
{
    if (d->handle) {
        vk_graphics_free(d);
        vk_layouts_free(d);
        vk_buffers_free(d);
        vk_images_free(d);
        if (d->fence)
            vkDestroyFence(d->handle, d->fence, NULL);
        if (d->commands)
            vkDestroyCommandPool(d->handle, d->commands, NULL);
        vkDestroyDevice(d->handle, NULL);
    }
    vk_instance_close(&d->instance);
}
