// SPDX-License-Identifier: Apache-2.0
//
// Fills run_info from a physical device's features and properties, and creates the logical device
// with all supported features from the tables below enabled.
#include "vk.h"

#include <stdlib.h>
#include <string.h>

// The structures of vk_features.def.
struct feature_row {
    VkStructureType type;
    size_t at;             // in struct vk_features
    const char *extension; // NULL: core only
    uint32_t core;         // version that includes it; 0: none
};
static const struct feature_row feature_rows[] = {
#define STRUCTURE(member, structure, type, extension, core)                                        \
    {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_##type, offsetof(struct vk_features, member), extension,    \
     core},
#include "vk_features.def"
};
enum { FEATURE_ROWS = sizeof feature_rows / sizeof feature_rows[0] };

// Extensions without features that allow more in modules.
static const struct {
    const char *extension;
    uint32_t core;
} plain_rows[] = {
    {"VK_KHR_shader_float_controls", VK_API_VERSION_1_2},
    {"VK_KHR_spirv_1_4", VK_API_VERSION_1_2},
    {"VK_KHR_shader_non_semantic_info", VK_API_VERSION_1_3},
    {"VK_NV_shader_subgroup_partitioned", 0},
    {"VK_EXT_extended_dynamic_state3", 0}, // only for the property any_topology
    {"VK_KHR_portability_subset", 0},      // must be enabled if present
};
enum { PLAIN_ROWS = sizeof plain_rows / sizeof plain_rows[0] };

struct probe {
    uint32_t version; // of the device
    VkExtensionProperties *extensions;
    uint32_t extension_count;
    struct vk_features features; // all that the device supports
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

// Every Vulkan structure begins with its type and a pointer to the next.
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
    // Enables only core and descriptor indexing features that have a row. Others, above all robust
    // access, would change the code under test.
    const struct vk_features all = *f;
    f->core.features = (VkPhysicalDeviceFeatures){0};
    f->indexing = (VkPhysicalDeviceDescriptorIndexingFeatures){.sType = all.indexing.sType,
                                                               .pNext = all.indexing.pNext};
    vk_features_copy(&all, f);
}

// From Vulkan 1.2 on, a feature without its own structure is only in
// VkPhysicalDeviceVulkan12Features, which excludes the older structures. So each 1.2 row of
// feature_rows has its members here.
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
#define OLDER(structure, feature) .feature = f->structure.feature
    f->core12 = (VkPhysicalDeviceVulkan12Features){
        .subgroupBroadcastDynamicId = all.subgroupBroadcastDynamicId,
        OLDER(extended_types, shaderSubgroupExtendedTypes),
        OLDER(storage8, storageBuffer8BitAccess),
        OLDER(storage8, uniformAndStorageBuffer8BitAccess),
        OLDER(storage8, storagePushConstant8),
        OLDER(atomic64, shaderBufferInt64Atomics),
        OLDER(atomic64, shaderSharedInt64Atomics),
        OLDER(indexing, shaderUniformTexelBufferArrayDynamicIndexing),
        OLDER(indexing, shaderStorageTexelBufferArrayDynamicIndexing),
        OLDER(indexing, shaderSampledImageArrayNonUniformIndexing),
        OLDER(indexing, shaderStorageImageArrayNonUniformIndexing),
        OLDER(indexing, shaderUniformTexelBufferArrayNonUniformIndexing),
        OLDER(indexing, shaderStorageTexelBufferArrayNonUniformIndexing),
        OLDER(indexing, runtimeDescriptorArray),
        OLDER(float16_int8, shaderFloat16),
        OLDER(float16_int8, shaderInt8),
        OLDER(memory_model, vulkanMemoryModel),
        OLDER(memory_model, vulkanMemoryModelDeviceScope),
        OLDER(memory_model, vulkanMemoryModelAvailabilityVisibilityChains),
        OLDER(scalar_layout, scalarBlockLayout),
        OLDER(uniform_layout, uniformBufferStandardLayout),
    };
#undef OLDER
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
    // Vulkan 1.4 also has bits for rotation; the shaderSubgroupRotate feature covers that.
    p->features.operations =
        p->subgroup.supportedOperations & (2u * VK_SUBGROUP_FEATURE_QUAD_BIT - 1);
    if (offers(p, "VK_NV_shader_subgroup_partitioned"))
        p->features.operations |=
            p->subgroup.supportedOperations & VK_SUBGROUP_FEATURE_PARTITIONED_BIT_NV;
}

// Finds a queue family with compute, preferring one that can draw too (*draws).
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
    info->offers = vk_features_offer(f);
    if (!(p->sizes.requiredSubgroupSizeStages & VK_SHADER_STAGE_COMPUTE_BIT))
        info->offers &= ~SPV_NEED(SIZE_CONTROL);
    if (run_offers(info, SPV_NEED(SIZE_CONTROL))) {
        info->subgroup_min = p->sizes.minSubgroupSize;
        info->subgroup_max = p->sizes.maxSubgroupSize;
    }
    info->has_driver_text = f->executables.pipelineExecutableInfo;
    info->max_invocations = limits->maxComputeWorkGroupInvocations;
    memcpy(info->max_size, limits->maxComputeWorkGroupSize, sizeof info->max_size);
    memcpy(info->max_groups, limits->maxComputeWorkGroupCount, sizeof info->max_groups);
    info->spirv_version = p->version >= VK_API_VERSION_1_3   ? 0x10600
                          : p->version >= VK_API_VERSION_1_2 ? 0x10500
                          : offers(p, "VK_KHR_spirv_1_4")    ? 0x10400
                                                             : 0x10300;
    if (info->spirv_version < 0x10400)
        info->offers &= ~SPV_NEED(SPIRV_1_4);
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
        return err_set(e, "device '%s' supports Vulkan %u.%u, but subgroups need 1.1", info->device,
                       VK_API_VERSION_MAJOR(p->version), VK_API_VERSION_MINOR(p->version));
    VkResult r = vkEnumerateDeviceExtensionProperties(device, NULL, &p->extension_count, NULL);
    p->extensions = ARENA_ARRAY(a, VkExtensionProperties, p->extension_count);
    if (r == VK_SUCCESS)
        r = vkEnumerateDeviceExtensionProperties(device, NULL, &p->extension_count, p->extensions);
    if (r != VK_SUCCESS)
        return err_set(e, "device '%s': cannot list its extensions: %s", info->device,
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
    info->offers &= ~vk_stages_lack(p->subgroup.supportedStages, draws);
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
    return err_set(e, "no such device; available: %s", known);
}

static bool choose(struct vk_device *d, const struct vk_spec *spec, struct err *e)
{
    const struct vk_instance *v = &d->instance;
    if (v->device_count == 0)
        return err_set(e, "the Vulkan driver has no device%s%s",
                       v->error[0] ? "; the loader reports: " : "", v->error);
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
    d->software = p.core.properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU;
    if (run_offers(&d->info, SPV_NEED(SIZE_CONTROL)))
        d->sizes = p.sizes;
    d->subgroup_stages = d->quad_stages = p.subgroup.supportedStages;
    if (!p.subgroup.quadOperationsInAllStages)
        d->quad_stages &= VK_SHADER_STAGE_FRAGMENT_BIT | VK_SHADER_STAGE_COMPUTE_BIT;
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
        return err_set(e, "device '%s': cannot create the device: %s", d->info.device,
                       vk_result_name(r));
    volkLoadDevice(d->handle);
    // The pointers of the chain lead into `p`; from here on only the values are used.
    d->features = p.features;
    vkGetDeviceQueue(d->handle, d->family, 0, &d->queue);
    d->layouts = vk_layouts_new();
    d->buffers = vk_buffers_new();
    d->images = vk_images_new();
    r = make_objects(d);
    if (r != VK_SUCCESS)
        return err_set(e, "device '%s': cannot create a command buffer: %s", d->info.device,
                       vk_result_name(r));
    if (d->instance.complaint[0])
        return err_set(e, "the validation layer reports an error in creating device '%s': %s",
                       d->info.device, d->instance.complaint);
    return true;
}

void vk_device_close(struct vk_device *d)
{
    if (d->handle) {
        vk_graphics_free(d);
        vk_isa_close(d);
        vk_layouts_free(d);
        vk_buffers_free(d);
        vk_images_free(d);
        vk_rooms_free(d);
        if (d->fence)
            vkDestroyFence(d->handle, d->fence, NULL);
        if (d->commands)
            vkDestroyCommandPool(d->handle, d->commands, NULL);
        vkDestroyDevice(d->handle, NULL);
    }
    vk_instance_close(&d->instance);
}
