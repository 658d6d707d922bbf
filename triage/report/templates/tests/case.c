// {{title}}
//
// This program needs only Vulkan:   cc -std=c11 case.c -o case -lvulkan && ./case
// It prints the words that differ from what the rules determine.
// Exit status: 0 all are right; 1 some are wrong, or the driver rejects or does not end the shader;
// 2 the device cannot run it.
{{#runs_output}}
// The module is the one that the compiler wrote: a correct driver shows what is wrong in it.
{{/runs_output}}
// VK_DRIVER_FILES (VK_ICD_FILENAMES for an old loader) chooses a driver; ./case N the device N.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vulkan/vulkan.h>

enum stage { COMPUTE, FRAGMENT, VERTEX };
#define STAGE {{stage_name}}
enum {
    SUBGROUP = {{subgroup}}, // size; 0: any
    FULL_SUBGROUPS = {{full_subgroups_number}},
    BUFFERS = {{buffer_count}},
    SETS = {{set_count}},
    PUSH = {{push_count}},   // words
    SPECS = {{spec_count}},  // specialization constants
    SECONDS = 60,
};

static const uint32_t module[] = {
{{{module_words}}}\
};
{{#vertex_words}}
// Passes a position through: gl_Position = vec4(position, 0, 1); gl_PointSize = 1.
static const uint32_t vertex_module[] = {
{{{vertex_words}}}\
};
{{/vertex_words}}
{{#buffers}}
static const uint32_t initial_{{set}}_{{binding}}[] = {
{{{c_words}}}\
};
{{#c_expected}}
static const uint32_t expected_{{set}}_{{binding}}[] = {
{{{c_expected}}}\
};
{{#c_mask}}
static const uint32_t mask_{{set}}_{{binding}}[] = {
{{{c_mask}}}\
};
{{/c_mask}}
{{/c_expected}}
{{/buffers}}

// `compared`: bits that the rules determine; NULL: all of them. No `expected`: not compared.
static struct buffer {
    uint32_t set, binding, count;
    VkDescriptorType type;
    const uint32_t *initial, *expected, *compared;
    VkBuffer buffer;
    VkDeviceMemory memory;
    uint32_t *map;
} buffers[BUFFERS + 1] = {
{{#buffers}}
    {.set = {{set}},
     .binding = {{binding}},
     .count = {{count}},
     .type = VK_DESCRIPTOR_TYPE_{{c_kind}}_BUFFER,
     .initial = initial_{{set}}_{{binding}},
{{#c_expected}}
     .expected = expected_{{set}}_{{binding}},
{{#c_mask}}
     .compared = mask_{{set}}_{{binding}},
{{/c_mask}}
{{/c_expected}}
    },
{{/buffers}}
};
static const uint32_t push[PUSH + 1] = { {{{push_words}}} };
static const uint32_t spec_id[SPECS + 1] = { {{{spec_ids}}} }, spec[SPECS + 1] = { {{{spec_values}}} };

// A feature that has a structure of its own, and what it belongs to.
static struct {
    const char *extension;
    uint32_t type; // VkStructureType: a header may be older than the extension
    struct {
        VkStructureType type;
        void *next;
        VkBool32 on[8];
    } s;
} features[] = {
    {.extension = "VK_KHR_shader_maximal_reconvergence", .type = 1000434000},
    {.extension = "VK_KHR_shader_subgroup_uniform_control_flow", .type = 1000323000},
    {.extension = "VK_KHR_shader_subgroup_rotate", .type = 1000416000},
    {.extension = "VK_KHR_shader_quad_control", .type = 1000235000},
    {.extension = "VK_KHR_compute_shader_derivatives", .type = 1000201000},
};
enum { FEATURES = sizeof features / sizeof *features };

static VkPhysicalDevice physical;
static VkDevice device;
static uint32_t family;
static VkQueue queue;
static VkPhysicalDeviceMemoryProperties heaps;
static VkPhysicalDeviceSubgroupSizeControlFeatures size_control = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_FEATURES};
static int require_size;

static void stop(int status, const char *what, long code)
{
    printf("%s: %ld\n", what, code);
    exit(status);
}

#define MUST(call) do { const VkResult r = (call); if (r < 0) stop(2, #call, r); } while (0)

// ---- the device ----------------------------------------------------------------------------

static int offers(const VkExtensionProperties *all, uint32_t n, const char *name)
{
    for (uint32_t i = 0; i < n; i++)
        if (strcmp(all[i].extensionName, name) == 0)
            return 1;
    return 0;
}

// Enables what the device offers, but robust access, which would change the shader.
static void open_device(unsigned which)
{
    const VkApplicationInfo app = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                   .apiVersion = VK_API_VERSION_1_3};
    const VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                       .pApplicationInfo = &app};
    VkInstance instance;
    VkPhysicalDevice found[16];
    uint32_t n = 16;
    MUST(vkCreateInstance(&info, NULL, &instance));
    MUST(vkEnumeratePhysicalDevices(instance, &n, found));
    if (which >= n)
        stop(2, "there is no such device; how many there are", n);
    physical = found[which];

    VkPhysicalDeviceProperties core;
    vkGetPhysicalDeviceProperties(physical, &core);
    vkGetPhysicalDeviceMemoryProperties(physical, &heaps);
    uint32_t extensions = 0;
    vkEnumerateDeviceExtensionProperties(physical, NULL, &extensions, NULL);
    VkExtensionProperties *all = calloc(extensions + 1, sizeof *all);
    vkEnumerateDeviceExtensionProperties(physical, NULL, &extensions, all);

    VkPhysicalDeviceVulkan11Features f11 = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES};
    VkPhysicalDeviceVulkan12Features f12 = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES};
    VkPhysicalDeviceVulkan13Features f13 = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES};
    VkPhysicalDeviceFeatures2 f = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2};
    const char *enabled[FEATURES + 1];
    uint32_t enabled_count = 0;
    void **end = &f.pNext;
    for (int i = 0; i < FEATURES; i++)
        if (offers(all, extensions, features[i].extension)) {
            enabled[enabled_count++] = features[i].extension;
            features[i].s.type = (VkStructureType)features[i].type;
            *end = &features[i].s;
            end = &features[i].s.next;
        }
    if (core.apiVersion >= VK_API_VERSION_1_2) {
        *end = &f11;
        f11.pNext = &f12;
        end = &f12.pNext;
    }
    if (core.apiVersion >= VK_API_VERSION_1_3) {
        *end = &f13;
    } else if (offers(all, extensions, "VK_EXT_subgroup_size_control")) {
        enabled[enabled_count++] = "VK_EXT_subgroup_size_control";
        *end = &size_control;
    }
    vkGetPhysicalDeviceFeatures2(physical, &f);
    f.features.robustBufferAccess = VK_FALSE;
    f13.robustImageAccess = VK_FALSE;
    if (core.apiVersion >= VK_API_VERSION_1_3) {
        size_control.subgroupSizeControl = f13.subgroupSizeControl;
        size_control.computeFullSubgroups = f13.computeFullSubgroups;
    }

    VkPhysicalDeviceSubgroupSizeControlProperties sizes = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_PROPERTIES};
    VkPhysicalDeviceSubgroupProperties subgroup = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES,
        .pNext = size_control.subgroupSizeControl ? &sizes : NULL};
    VkPhysicalDeviceProperties2 properties = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &subgroup};
    vkGetPhysicalDeviceProperties2(physical, &properties);
    const VkShaderStageFlags stage = STAGE == COMPUTE    ? VK_SHADER_STAGE_COMPUTE_BIT
                                     : STAGE == FRAGMENT ? VK_SHADER_STAGE_FRAGMENT_BIT
                                                         : VK_SHADER_STAGE_VERTEX_BIT;
    const int can = size_control.subgroupSizeControl && SUBGROUP >= sizes.minSubgroupSize &&
                    SUBGROUP <= sizes.maxSubgroupSize &&
                    (sizes.requiredSubgroupSizeStages & stage);
    require_size = SUBGROUP && can && sizes.minSubgroupSize < sizes.maxSubgroupSize;
    printf("device: %s\n", core.deviceName);
    if (SUBGROUP && !can && subgroup.subgroupSize != SUBGROUP)
        stop(2, "the case needs another subgroup size than that of the device", subgroup.subgroupSize);

    VkQueueFamilyProperties families[16];
    n = 16;
    vkGetPhysicalDeviceQueueFamilyProperties(physical, &n, families);
    const VkQueueFlags need = STAGE == COMPUTE ? VK_QUEUE_COMPUTE_BIT : VK_QUEUE_GRAPHICS_BIT;
    while (family < n && !(families[family].queueFlags & need))
        family++;
    if (family == n)
        stop(2, "no queue for this stage; queue families", n);
    const float priority = 1;
    const VkDeviceQueueCreateInfo one = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                         .queueFamilyIndex = family,
                                         .queueCount = 1,
                                         .pQueuePriorities = &priority};
    const VkDeviceCreateInfo create = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                       .pNext = &f,
                                       .queueCreateInfoCount = 1,
                                       .pQueueCreateInfos = &one,
                                       .enabledExtensionCount = enabled_count,
                                       .ppEnabledExtensionNames = enabled};
    MUST(vkCreateDevice(physical, &create, NULL, &device));
    vkGetDeviceQueue(device, family, 0, &queue);
}

static void make_buffer(struct buffer *b, VkBufferUsageFlags usage)
{
    const VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                     .size = b->count * 4ull,
                                     .usage = usage};
    const VkMemoryPropertyFlags host =
        VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    VkMemoryRequirements need;
    uint32_t type = 0;
    MUST(vkCreateBuffer(device, &info, NULL, &b->buffer));
    vkGetBufferMemoryRequirements(device, b->buffer, &need);
    while (type < heaps.memoryTypeCount && !(need.memoryTypeBits >> type & 1 &&
                                             (heaps.memoryTypes[type].propertyFlags & host) == host))
        type++;
    const VkMemoryAllocateInfo memory = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                         .allocationSize = need.size,
                                         .memoryTypeIndex = type};
    MUST(vkAllocateMemory(device, &memory, NULL, &b->memory));
    MUST(vkBindBufferMemory(device, b->buffer, b->memory, 0));
    MUST(vkMapMemory(device, b->memory, 0, VK_WHOLE_SIZE, 0, (void **)&b->map));
    memcpy(b->map, b->initial, b->count * 4ull);
}

static VkShaderModule make_module(const uint32_t *words, size_t size)
{
    const VkShaderModuleCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                           .codeSize = size,
                                           .pCode = words};
    VkShaderModule m;
    const VkResult r = vkCreateShaderModule(device, &info, NULL, &m);
    if (r != VK_SUCCESS)
        stop(1, "the driver rejects the module", r);
    return m;
}

// ---- the pipeline --------------------------------------------------------------------------

static VkPipelineLayout layout;
static VkDescriptorSet sets[SETS + 1];

static void make_layout(VkShaderStageFlags stage)
{
    VkDescriptorSetLayout set_layouts[SETS + 1];
    const VkDescriptorPoolSize sizes[] = { {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, BUFFERS + 1},
                                           {VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, BUFFERS + 1} };
    const VkDescriptorPoolCreateInfo pool_info = {.sType =
                                                      VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                                  .maxSets = SETS + 1,
                                                  .poolSizeCount = 2,
                                                  .pPoolSizes = sizes};
    VkDescriptorPool pool;
    MUST(vkCreateDescriptorPool(device, &pool_info, NULL, &pool));
    for (uint32_t s = 0; s < SETS; s++) {
        VkDescriptorSetLayoutBinding v[BUFFERS + 1];
        uint32_t n = 0;
        for (uint32_t i = 0; i < BUFFERS; i++)
            if (buffers[i].set == s)
                v[n++] = (VkDescriptorSetLayoutBinding){.binding = buffers[i].binding,
                                                        .descriptorType = buffers[i].type,
                                                        .descriptorCount = 1,
                                                        .stageFlags = stage};
        const VkDescriptorSetLayoutCreateInfo info = {
            .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
            .bindingCount = n,
            .pBindings = v};
        MUST(vkCreateDescriptorSetLayout(device, &info, NULL, &set_layouts[s]));
    }
    const VkDescriptorSetAllocateInfo sets_info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
        .descriptorPool = pool,
        .descriptorSetCount = SETS,
        .pSetLayouts = set_layouts};
    if (SETS)
        MUST(vkAllocateDescriptorSets(device, &sets_info, sets));
    for (uint32_t i = 0; i < BUFFERS; i++) {
        const VkDescriptorBufferInfo range = {buffers[i].buffer, 0, buffers[i].count * 4ull};
        const VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                            .dstSet = sets[buffers[i].set],
                                            .dstBinding = buffers[i].binding,
                                            .descriptorCount = 1,
                                            .descriptorType = buffers[i].type,
                                            .pBufferInfo = &range};
        vkUpdateDescriptorSets(device, 1, &write, 0, NULL);
    }
    const VkPushConstantRange range = {stage, 0, PUSH * 4};
    const VkPipelineLayoutCreateInfo info = {.sType =
                                                 VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                             .setLayoutCount = SETS,
                                             .pSetLayouts = set_layouts,
                                             .pushConstantRangeCount = PUSH > 0,
                                             .pPushConstantRanges = &range};
    MUST(vkCreatePipelineLayout(device, &info, NULL, &layout));
}

static VkPipelineShaderStageCreateInfo stage_info(VkShaderStageFlagBits stage)
{
    static VkPipelineShaderStageRequiredSubgroupSizeCreateInfo size = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO,
        .requiredSubgroupSize = SUBGROUP};
    static VkSpecializationMapEntry entries[SPECS + 1];
    static VkSpecializationInfo special = {
        .mapEntryCount = SPECS, .pMapEntries = entries, .dataSize = SPECS * 4, .pData = spec};
    for (uint32_t i = 0; i < SPECS; i++)
        entries[i] = (VkSpecializationMapEntry){spec_id[i], i * 4, 4};
    return (VkPipelineShaderStageCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
        .pNext = require_size ? &size : NULL,
        .flags = STAGE == COMPUTE && FULL_SUBGROUPS && size_control.computeFullSubgroups
                     ? VK_PIPELINE_SHADER_STAGE_CREATE_REQUIRE_FULL_SUBGROUPS_BIT
                     : 0,
        .stage = stage,
        .module = make_module(module, sizeof module),
        .pName = "{{entry_point}}",
        .pSpecializationInfo = SPECS ? &special : NULL};
}

{{#is_compute}}
static VkPipeline make_pipeline(void)
{
    make_layout(VK_SHADER_STAGE_COMPUTE_BIT);
    const VkComputePipelineCreateInfo info = {.sType =
                                                  VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
                                              .stage = stage_info(VK_SHADER_STAGE_COMPUTE_BIT),
                                              .layout = layout};
    VkPipeline p;
    const VkResult r = vkCreateComputePipelines(device, VK_NULL_HANDLE, 1, &info, NULL, &p);
    if (r != VK_SUCCESS)
        stop(1, "the driver rejects the shader", r);
    return p;
}

static const VkPipelineBindPoint point = VK_PIPELINE_BIND_POINT_COMPUTE;
static const VkShaderStageFlags stages = VK_SHADER_STAGE_COMPUTE_BIT;

static void record(VkCommandBuffer c)
{
    vkCmdDispatch(c, {{groups_x}}, {{groups_y}}, {{groups_z}});
}
{{/is_compute}}
{{^is_compute}}
// What is drawn, without attachments: a list of {{topology_words}}, in normalized device coordinates.
// The viewport is four times as wide and high as the target of {{width}} by {{height}} pixels, which
// lies in its middle; the scissor is the target.
enum { WIDTH = {{width}}, HEIGHT = {{height}}, VERTICES = {{vertices}} };
{{#vertex_words}}
static const float positions[] = {
{{{positions}}}\
};
static struct buffer vertex_buffer = {.count = VERTICES * 2};
{{/vertex_words}}
static VkRenderPass pass;
static VkFramebuffer frame;

static VkPipeline make_pipeline(void)
{
    const VkSubpassDescription subpass = {.pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS};
    const VkRenderPassCreateInfo pass_info = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
                                              .subpassCount = 1,
                                              .pSubpasses = &subpass};
    MUST(vkCreateRenderPass(device, &pass_info, NULL, &pass));
    const VkFramebufferCreateInfo frame_info = {.sType =
                                                    VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO,
                                                .renderPass = pass,
                                                .width = WIDTH,
                                                .height = HEIGHT,
                                                .layers = 1};
    MUST(vkCreateFramebuffer(device, &frame_info, NULL, &frame));
{{#vertex_words}}
    make_layout(VK_SHADER_STAGE_FRAGMENT_BIT);
    vertex_buffer.initial = (const uint32_t *)positions;
    make_buffer(&vertex_buffer, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
    const VkPipelineShaderStageCreateInfo shaders[] = {
        {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
         .stage = VK_SHADER_STAGE_VERTEX_BIT,
         .module = make_module(vertex_module, sizeof vertex_module),
         .pName = "main"},
        stage_info(VK_SHADER_STAGE_FRAGMENT_BIT)};
    const VkVertexInputBindingDescription binding = {0, 8, VK_VERTEX_INPUT_RATE_VERTEX};
    const VkVertexInputAttributeDescription attribute = {0, 0, VK_FORMAT_R32G32_SFLOAT, 0};
    const VkPipelineVertexInputStateCreateInfo input = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO,
        .vertexBindingDescriptionCount = 1,
        .pVertexBindingDescriptions = &binding,
        .vertexAttributeDescriptionCount = 1,
        .pVertexAttributeDescriptions = &attribute};
{{/vertex_words}}
{{^vertex_words}}
    make_layout(VK_SHADER_STAGE_VERTEX_BIT);
    const VkPipelineShaderStageCreateInfo shaders[] = {stage_info(VK_SHADER_STAGE_VERTEX_BIT)};
    const VkPipelineVertexInputStateCreateInfo input = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO};
{{/vertex_words}}
    const VkPipelineInputAssemblyStateCreateInfo assembly = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
        .topology = VK_PRIMITIVE_TOPOLOGY_{{topology}}};
    const VkViewport view = { {{{viewport}}}, 0, 1};
    const VkRect2D scissor = { {0, 0}, {WIDTH, HEIGHT} };
    const VkPipelineViewportStateCreateInfo viewport = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO,
        .viewportCount = 1,
        .pViewports = &view,
        .scissorCount = 1,
        .pScissors = &scissor};
    const VkPipelineRasterizationStateCreateInfo raster = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO,
        .rasterizerDiscardEnable = STAGE == VERTEX,
        .lineWidth = 1};
    const VkPipelineMultisampleStateCreateInfo samples = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO,
        .rasterizationSamples = VK_SAMPLE_COUNT_1_BIT};
    const VkGraphicsPipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
        .stageCount = sizeof shaders / sizeof *shaders,
        .pStages = shaders,
        .pVertexInputState = &input,
        .pInputAssemblyState = &assembly,
        .pViewportState = &viewport,
        .pRasterizationState = &raster,
        .pMultisampleState = &samples,
        .layout = layout,
        .renderPass = pass};
    VkPipeline p;
    const VkResult r = vkCreateGraphicsPipelines(device, VK_NULL_HANDLE, 1, &info, NULL, &p);
    if (r != VK_SUCCESS)
        stop(1, "the driver rejects the shader", r);
    return p;
}

static const VkPipelineBindPoint point = VK_PIPELINE_BIND_POINT_GRAPHICS;
static const VkShaderStageFlags stages =
    STAGE == FRAGMENT ? VK_SHADER_STAGE_FRAGMENT_BIT : VK_SHADER_STAGE_VERTEX_BIT;

static void record(VkCommandBuffer c)
{
    const VkRenderPassBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
                                         .renderPass = pass,
                                         .framebuffer = frame,
                                         .renderArea = { {0, 0}, {WIDTH, HEIGHT} }};
    vkCmdBeginRenderPass(c, &begin, VK_SUBPASS_CONTENTS_INLINE);
{{#vertex_words}}
    const VkDeviceSize from = 0;
    vkCmdBindVertexBuffers(c, 0, 1, &vertex_buffer.buffer, &from);
{{/vertex_words}}
    vkCmdDraw(c, VERTICES, 1, 0, 0);
    vkCmdEndRenderPass(c);
}
{{/is_compute}}

static void run(VkPipeline p)
{
    const VkCommandPoolCreateInfo pool_info = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                               .queueFamilyIndex = family};
    VkCommandPool pool;
    VkCommandBuffer c;
    VkFence fence;
    MUST(vkCreateCommandPool(device, &pool_info, NULL, &pool));
    const VkCommandBufferAllocateInfo one = {.sType =
                                                 VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                             .commandPool = pool,
                                             .commandBufferCount = 1};
    MUST(vkAllocateCommandBuffers(device, &one, &c));
    const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    MUST(vkBeginCommandBuffer(c, &begin));
    vkCmdBindPipeline(c, point, p);
    if (SETS)
        vkCmdBindDescriptorSets(c, point, layout, 0, SETS, sets, 0, NULL);
    if (PUSH)
        vkCmdPushConstants(c, layout, stages, 0, PUSH * 4, push);
    record(c);
    const VkMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                     .srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT,
                                     .dstAccessMask = VK_ACCESS_HOST_READ_BIT};
    vkCmdPipelineBarrier(c, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_HOST_BIT, 0, 1,
                         &barrier, 0, NULL, 0, NULL);
    MUST(vkEndCommandBuffer(c));
    const VkFenceCreateInfo fence_info = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    MUST(vkCreateFence(device, &fence_info, NULL, &fence));
    const VkSubmitInfo submit = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                                 .commandBufferCount = 1,
                                 .pCommandBuffers = &c};
    VkResult r = vkQueueSubmit(queue, 1, &submit, fence);
    if (r == VK_SUCCESS)
        r = vkWaitForFences(device, 1, &fence, VK_TRUE, SECONDS * 1000000000ull);
    if (r != VK_SUCCESS) {
        printf(r == VK_TIMEOUT ? "the shader does not end in %d seconds\n" : "the device is lost\n",
               SECONDS);
        fflush(stdout);
        _Exit(1); // a driver may not end either
    }
}

// ---- the comparison ------------------------------------------------------------------------

int main(int argc, char **argv)
{
    uint32_t wrong = 0, compared = 0;
    open_device(argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 0);
    for (uint32_t i = 0; i < BUFFERS; i++)
        make_buffer(&buffers[i],
                    VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT);
    run(make_pipeline());
    for (uint32_t i = 0; i < BUFFERS; i++)
        for (uint32_t k = 0; buffers[i].expected && k < buffers[i].count; k++) {
            const uint32_t bits = buffers[i].compared ? buffers[i].compared[k] : UINT32_MAX;
            compared += bits != 0;
            if (((buffers[i].map[k] ^ buffers[i].expected[k]) & bits) == 0)
                continue;
            wrong++;
            printf("buffer %u:%u word %u: expected %u (0x%x), observed %u (0x%x)",
                   buffers[i].set, buffers[i].binding, k, buffers[i].expected[k],
                   buffers[i].expected[k], buffers[i].map[k], buffers[i].map[k]);
{{#log_stride}}
            if (buffers[i].set == {{log_set}} && buffers[i].binding == {{log_binding}})
                printf(", invocation %u", k / {{log_stride}});
{{/log_stride}}
            printf("\n");
        }
    printf("%u of %u words are wrong\n", wrong, compared);
    return wrong != 0;
}
