// SPDX-License-Identifier: Apache-2.0
//
// A device for tanglefuzz, and the device's end for one over a cable: runs one case on
// the Vulkan driver of the machine (or phone) it is on. One file, C99, the loader opened
// at run time; needs Vulkan's headers alone:
//
//   cc -std=c99 -O2 -o vulkan-device examples/vulkan-device.c -ldl
//   tanglefuzz fuzz --target 'exec-device:./vulkan-device {case} {spv} {out}'
//
// In: the case file (its leading comments are all that is read of it) and the module.
// Out: the memory file. Exit status as docs/protocol.md has it: 0 ran, 77 the device does
// not offer what the case needs, 1 the driver refuses it, 124 the dispatch hangs, 134 the
// device is lost, 125 no device or a mistake in the files.
#include <vulkan/vulkan.h>

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BUFFERS = 16, SPECS = 64, PUSH = 64, SETS = 4 };
enum { REFUSED = 1, UNSUPPORTED = 77, HUNG = 124, BROKEN = 125, LOST = 134 };

struct buffer {
    unsigned set, binding, count;
    uint32_t *words; // first contents
    VkBuffer handle;
    VkDeviceMemory memory;
    uint32_t *map;
};
struct job {
    unsigned groups[3], subgroup, buffer_count, push_count, spec_count;
    struct buffer buffer[BUFFERS];
    uint32_t push[PUSH], spec_value[SPECS];
    VkSpecializationMapEntry spec[SPECS];
    uint32_t *code;
    size_t code_bytes;
};

static void stop(int status, const char *what)
{
    fprintf(stderr, "%s\n", what);
    exit(status);
}

static void *room(size_t bytes)
{
    void *p = calloc(1, bytes + 1);
    if (!p)
        stop(BROKEN, "out of memory");
    return p;
}

static char *read_file(const char *path, size_t *size)
{
    FILE *f = fopen(path, "rb");
    if (!f || fseek(f, 0, SEEK_END) != 0)
        stop(BROKEN, "a file cannot be read");
    long n = ftell(f);
    char *data = room((size_t)n);
    rewind(f);
    if (fread(data, 1, (size_t)n, f) != (size_t)n)
        stop(BROKEN, "a file cannot be read");
    fclose(f);
    *size = (size_t)n;
    return data;
}

// ---- the case: "; key value..." lines up to the first line that is none -----------------

static unsigned number(char **at)
{
    char *end;
    unsigned long v = strtoul(*at, &end, 0);
    if (end == *at)
        stop(BROKEN, "the case file: a number was expected");
    *at = end;
    return (unsigned)v;
}

// "0:1 zero 64" or "0:1 u32 1 2 3"; exec-device spells every other kind of contents out so.
static void read_buffer(struct job *j, char *at)
{
    struct buffer *b = &j->buffer[j->buffer_count++];
    if (j->buffer_count > BUFFERS)
        stop(UNSUPPORTED, "too many buffers");
    b->set = number(&at);
    at++; // ':'
    b->binding = number(&at);
    at += strspn(at, " ");
    if (strncmp(at, "zero ", 5) == 0) {
        at += 5;
        b->count = number(&at);
        b->words = room(b->count * sizeof(uint32_t));
        return;
    }
    if (strncmp(at, "u32", 3) != 0)
        stop(BROKEN, "the case file: a kind of buffer that is not known here");
    at += 3;
    b->words = room(strlen(at) * sizeof(uint32_t)); // more than enough
    for (at += strspn(at, " "); *at; at += strspn(at, " "))
        b->words[b->count++] = number(&at);
}

static void read_case(struct job *j, char *text)
{
    for (char *line = strtok(text, "\n"); line && line[0] == ';'; line = strtok(NULL, "\n")) {
        char *at = line + 2;
        if (strncmp(at, "dispatch ", 9) == 0) {
            at += 9;
            for (int i = 0; i < 3; i++)
                j->groups[i] = number(&at);
        } else if (strncmp(at, "subgroup ", 9) == 0 && at[9] != 'a') {
            at += 9;
            j->subgroup = number(&at);
        } else if (strncmp(at, "push u32", 8) == 0) {
            for (at += 8, at += strspn(at, " "); *at && j->push_count < PUSH; at += strspn(at, " "))
                j->push[j->push_count++] = number(&at);
        } else if (strncmp(at, "spec ", 5) == 0 && j->spec_count < SPECS) {
            unsigned n = j->spec_count++;
            at += 5;
            j->spec[n].constantID = number(&at);
            j->spec[n].offset = n * (unsigned)sizeof(uint32_t);
            j->spec[n].size = sizeof(uint32_t);
            at += strcspn(at, "0123456789-");
            at += strspn(at, "0123456789"); // the 32 of u32, i32 and f32
            j->spec_value[n] = number(&at);
        } else if (strncmp(at, "buffer ", 7) == 0) {
            read_buffer(j, at + 7);
        }
    }
}

// ---- Vulkan ------------------------------------------------------------------------------

static PFN_vkGetInstanceProcAddr get_proc;
static VkInstance instance;
#define CALL(name) ((PFN_##name)get_proc(instance, #name))

static void must(VkResult r, const char *what)
{
    if (r == VK_SUCCESS)
        return;
    fprintf(stderr, "%s: VkResult %d\n", what, (int)r);
    exit(r == VK_ERROR_DEVICE_LOST ? LOST : r == VK_TIMEOUT ? HUNG : REFUSED);
}

static VkPhysicalDevice open_instance(void)
{
    void *lib = dlopen("libvulkan.so.1", RTLD_NOW);
    if (!lib)
        lib = dlopen("libvulkan.so", RTLD_NOW); // Android
    if (!lib)
        stop(BROKEN, "no Vulkan loader");
    *(void **)&get_proc = dlsym(lib, "vkGetInstanceProcAddr");
    VkApplicationInfo app = {VK_STRUCTURE_TYPE_APPLICATION_INFO, .apiVersion = VK_API_VERSION_1_3};
    VkInstanceCreateInfo info = {VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO, .pApplicationInfo = &app};
    if (CALL(vkCreateInstance)(&info, NULL, &instance) != VK_SUCCESS)
        stop(BROKEN, "no Vulkan driver");
    VkPhysicalDevice device;
    uint32_t n = 1;
    VkResult r = CALL(vkEnumeratePhysicalDevices)(instance, &n, &device);
    if ((r != VK_SUCCESS && r != VK_INCOMPLETE) || n == 0)
        stop(BROKEN, "no Vulkan device");
    return device;
}

// Whether the module may use a capability of which it says that it does. What a driver does with
// one that was not enabled is not a bug of the device, so everything that is not known here is
// refused.
static int offers(const VkPhysicalDeviceFeatures *f, const VkPhysicalDeviceVulkan12Features *more,
                  uint32_t capability)
{
    switch (capability) {
    case 1:
        return 1; // Shader
    case 9:
        return (int)more->shaderFloat16;
    case 10:
        return (int)f->shaderFloat64;
    case 11:
        return (int)f->shaderInt64;
    case 22:
        return (int)f->shaderInt16;
    case 39:
        return (int)more->shaderInt8;
    case 61:
    case 62:
    case 63:
    case 64:
    case 65:
    case 66:
    case 67:
    case 68:
        return 1; // GroupNonUniform...
    }
    return 0;
}

static void look_at_capabilities(const struct job *j, const VkPhysicalDeviceFeatures *f,
                                 const VkPhysicalDeviceVulkan12Features *more)
{
    for (size_t i = 5; i + 1 < j->code_bytes / sizeof(uint32_t) && (j->code[i] & 0xffff) == 17;
         i += 2)
        if (!offers(f, more, j->code[i + 1])) {
            fprintf(stderr, "capability %u is not switched on here\n", (unsigned)j->code[i + 1]);
            exit(UNSUPPORTED);
        }
}

// Switches on what cases need; says 77 when the subgroup size cannot be had.
static VkDevice open_device(const struct job *j, VkPhysicalDevice physical)
{
    VkPhysicalDeviceVulkan12Features more = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES};
    VkPhysicalDeviceShaderMaximalReconvergenceFeaturesKHR maximal = {
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_MAXIMAL_RECONVERGENCE_FEATURES_KHR, &more};
    VkPhysicalDeviceFeatures2 all = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, &maximal};
    VkPhysicalDeviceSubgroupProperties subgroup = {
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES};
    VkPhysicalDeviceProperties2 properties = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
                                              &subgroup};
    CALL(vkGetPhysicalDeviceFeatures2)(physical, &all);
    CALL(vkGetPhysicalDeviceProperties2)(physical, &properties);
    if (!maximal.shaderMaximalReconvergence)
        stop(UNSUPPORTED, "the device does not offer maximal reconvergence");
    if (j->subgroup && j->subgroup != subgroup.subgroupSize)
        stop(UNSUPPORTED, "the device has another subgroup size than the case");
    look_at_capabilities(j, &all.features, &more);
    all.features.robustBufferAccess = VK_FALSE;
    float priority = 1;
    VkDeviceQueueCreateInfo queue = {VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO, .queueCount = 1,
                                     .pQueuePriorities = &priority};
    const char *extension = "VK_KHR_shader_maximal_reconvergence";
    VkDeviceCreateInfo info = {VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                               &all,
                               .queueCreateInfoCount = 1,
                               .pQueueCreateInfos = &queue,
                               .enabledExtensionCount = 1,
                               .ppEnabledExtensionNames = &extension};
    VkDevice device;
    must(CALL(vkCreateDevice)(physical, &info, NULL, &device), "vkCreateDevice");
    return device;
}

static void make_buffer(VkPhysicalDevice physical, VkDevice device, struct buffer *b)
{
    const VkMemoryPropertyFlags need =
        VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    VkBufferCreateInfo info = {VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                               .size = b->count * sizeof(uint32_t),
                               .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT};
    VkMemoryRequirements want;
    VkPhysicalDeviceMemoryProperties types;
    must(CALL(vkCreateBuffer)(device, &info, NULL, &b->handle), "vkCreateBuffer");
    CALL(vkGetBufferMemoryRequirements)(device, b->handle, &want);
    CALL(vkGetPhysicalDeviceMemoryProperties)(physical, &types);
    VkMemoryAllocateInfo memory = {VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                   .allocationSize = want.size};
    while (memory.memoryTypeIndex < types.memoryTypeCount &&
           (!(want.memoryTypeBits >> memory.memoryTypeIndex & 1) ||
            (types.memoryTypes[memory.memoryTypeIndex].propertyFlags & need) != need))
        memory.memoryTypeIndex++;
    if (memory.memoryTypeIndex == types.memoryTypeCount)
        stop(BROKEN, "no memory that the host sees");
    must(CALL(vkAllocateMemory)(device, &memory, NULL, &b->memory), "vkAllocateMemory");
    must(CALL(vkBindBufferMemory)(device, b->handle, b->memory, 0), "vkBindBufferMemory");
    void *map;
    must(CALL(vkMapMemory)(device, b->memory, 0, VK_WHOLE_SIZE, 0, &map), "vkMapMemory");
    b->map = map;
    memcpy(b->map, b->words, b->count * sizeof(uint32_t));
}

struct pipeline {
    VkPipeline handle;
    VkPipelineLayout layout;
    VkDescriptorSet set[SETS];
    uint32_t sets;
};

static void make_sets(VkDevice device, struct job *j, struct pipeline *p)
{
    VkDescriptorSetLayout layout[SETS];
    for (unsigned i = 0; i < j->buffer_count; i++) {
        if (j->buffer[i].set >= SETS)
            stop(UNSUPPORTED, "too many descriptor sets");
        if (j->buffer[i].set >= p->sets)
            p->sets = j->buffer[i].set + 1;
    }
    for (unsigned s = 0; s < p->sets; s++) {
        VkDescriptorSetLayoutBinding bindings[BUFFERS];
        VkDescriptorSetLayoutCreateInfo info = {VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
                                                .pBindings = bindings};
        for (unsigned i = 0; i < j->buffer_count; i++)
            if (j->buffer[i].set == s)
                bindings[info.bindingCount++] = (VkDescriptorSetLayoutBinding){
                    j->buffer[i].binding, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1,
                    VK_SHADER_STAGE_COMPUTE_BIT, NULL};
        must(CALL(vkCreateDescriptorSetLayout)(device, &info, NULL, &layout[s]), "set layout");
    }
    VkPushConstantRange push = {VK_SHADER_STAGE_COMPUTE_BIT, 0,
                                j->push_count * (uint32_t)sizeof(uint32_t)};
    VkPipelineLayoutCreateInfo info = {VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                       .setLayoutCount = p->sets, .pSetLayouts = layout,
                                       .pushConstantRangeCount = j->push_count > 0,
                                       .pPushConstantRanges = &push};
    must(CALL(vkCreatePipelineLayout)(device, &info, NULL, &p->layout), "pipeline layout");
    VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, BUFFERS};
    VkDescriptorPoolCreateInfo pool_info = {VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                            .maxSets = SETS, .poolSizeCount = 1,
                                            .pPoolSizes = &size};
    VkDescriptorPool pool;
    must(CALL(vkCreateDescriptorPool)(device, &pool_info, NULL, &pool), "descriptor pool");
    VkDescriptorSetAllocateInfo allocate = {VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                            .descriptorPool = pool, .descriptorSetCount = p->sets,
                                            .pSetLayouts = layout};
    if (p->sets)
        must(CALL(vkAllocateDescriptorSets)(device, &allocate, p->set), "descriptor sets");
    for (unsigned i = 0; i < j->buffer_count; i++) {
        VkDescriptorBufferInfo buffer = {j->buffer[i].handle, 0, VK_WHOLE_SIZE};
        VkWriteDescriptorSet write = {VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                      .dstSet = p->set[j->buffer[i].set],
                                      .dstBinding = j->buffer[i].binding,
                                      .descriptorCount = 1,
                                      .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                      .pBufferInfo = &buffer};
        CALL(vkUpdateDescriptorSets)(device, 1, &write, 0, NULL);
    }
}

static void make_pipeline(VkDevice device, struct job *j, struct pipeline *p)
{
    VkShaderModuleCreateInfo module_info = {VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                            .codeSize = j->code_bytes, .pCode = j->code};
    VkShaderModule module;
    must(CALL(vkCreateShaderModule)(device, &module_info, NULL, &module), "vkCreateShaderModule");
    VkSpecializationInfo spec = {j->spec_count, j->spec, sizeof j->spec_value, j->spec_value};
    VkComputePipelineCreateInfo info = {
        VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .stage = {VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                  .stage = VK_SHADER_STAGE_COMPUTE_BIT, .module = module, .pName = "main",
                  .pSpecializationInfo = &spec},
        .layout = p->layout};
    must(CALL(vkCreateComputePipelines)(device, VK_NULL_HANDLE, 1, &info, NULL, &p->handle),
         "vkCreateComputePipelines");
}

static void run(VkDevice device, struct job *j, struct pipeline *p)
{
    VkQueue queue;
    VkCommandPool pool;
    VkCommandBuffer commands;
    VkFence fence;
    VkCommandPoolCreateInfo pool_info = {VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
    VkFenceCreateInfo fence_info = {VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    CALL(vkGetDeviceQueue)(device, 0, 0, &queue);
    must(CALL(vkCreateCommandPool)(device, &pool_info, NULL, &pool), "command pool");
    must(CALL(vkCreateFence)(device, &fence_info, NULL, &fence), "fence");
    VkCommandBufferAllocateInfo allocate = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                            .commandPool = pool, .commandBufferCount = 1};
    must(CALL(vkAllocateCommandBuffers)(device, &allocate, &commands), "command buffer");
    VkCommandBufferBeginInfo begin = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    CALL(vkBeginCommandBuffer)(commands, &begin);
    CALL(vkCmdBindPipeline)(commands, VK_PIPELINE_BIND_POINT_COMPUTE, p->handle);
    if (p->sets)
        CALL(vkCmdBindDescriptorSets)(commands, VK_PIPELINE_BIND_POINT_COMPUTE, p->layout, 0,
                                      p->sets, p->set, 0, NULL);
    if (j->push_count)
        CALL(vkCmdPushConstants)(commands, p->layout, VK_SHADER_STAGE_COMPUTE_BIT, 0,
                                 j->push_count * (uint32_t)sizeof(uint32_t), j->push);
    CALL(vkCmdDispatch)(commands, j->groups[0], j->groups[1], j->groups[2]);
    VkMemoryBarrier barrier = {VK_STRUCTURE_TYPE_MEMORY_BARRIER, NULL, VK_ACCESS_SHADER_WRITE_BIT,
                               VK_ACCESS_HOST_READ_BIT};
    CALL(vkCmdPipelineBarrier)(commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                               VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &barrier, 0, NULL, 0, NULL);
    CALL(vkEndCommandBuffer)(commands);
    VkSubmitInfo submit = {VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1,
                           .pCommandBuffers = &commands};
    must(CALL(vkQueueSubmit)(queue, 1, &submit, fence), "vkQueueSubmit");
    // A little less than tanglefuzz waits, so that the hang is reported here.
    must(CALL(vkWaitForFences)(device, 1, &fence, VK_TRUE, 8000000000u), "the dispatch");
}

int main(int argc, char **argv)
{
    static struct job job;
    struct pipeline pipeline = {0};
    size_t size;
    if (argc != 4)
        stop(BROKEN, "usage: vulkan-device CASE MODULE OUT");
    read_case(&job, read_file(argv[1], &size));
    job.code = (uint32_t *)read_file(argv[2], &job.code_bytes);
    VkPhysicalDevice physical = open_instance();
    VkDevice device = open_device(&job, physical);
    for (unsigned i = 0; i < job.buffer_count; i++)
        make_buffer(physical, device, &job.buffer[i]);
    make_sets(device, &job, &pipeline);
    make_pipeline(device, &job, &pipeline);
    run(device, &job, &pipeline);
    FILE *out = fopen(argv[3], "w");
    if (!out)
        stop(BROKEN, "the memory file cannot be written");
    for (unsigned i = 0; i < job.buffer_count; i++) {
        const struct buffer *b = &job.buffer[i];
        fprintf(out, "memory %u:%u u32", b->set, b->binding);
        for (unsigned k = 0; k < b->count; k++)
            fprintf(out, " %u", b->map[k]);
        fprintf(out, "\n");
    }
    if (fclose(out) != 0)
        stop(BROKEN, "the memory file cannot be written");
    // Nothing is taken down: the process ends here, and drivers have hung in it.
    _Exit(0);
}
